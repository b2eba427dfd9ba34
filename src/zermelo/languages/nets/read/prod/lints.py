"""What looks wrong in a net that can be used all the same."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.languages.nets import ir
from zermelo.languages.nets.read.prod import tree
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.errors import distance

_LEAST_NAME = 3
_MOST_COMPARED = 20_000
"""So many pairs of names are compared; more would take long and say little."""


def lints(net: ir.Net, document: tree.NetDocument) -> Iterator[Diagnostic]:
    yield from _not_used(net)
    yield from _never_enabled(net)
    yield from _nearly_constants(net, document)


def _not_used(net: ir.Net) -> Iterator[Diagnostic]:
    used = {arc.place for each in net.transitions for arc in (*each.inputs, *each.outputs)}
    for place in net.places:
        if place.name not in used:
            yield Diagnostic(
                codes.PLACE_NOT_USED,
                f"no transition takes from `{place.name}` or puts into it",
                primary=Label(place.span, "never used"),
            )
    for transition in net.transitions:
        if not transition.inputs and not transition.outputs:
            yield Diagnostic(
                codes.TRANSITION_WITHOUT_ARCS,
                f"`{transition.name}` has no `in` and no `out`, so it changes nothing",
                primary=Label(transition.span),
            )


def _never_enabled(net: ir.Net) -> Iterator[Diagnostic]:
    marked = _ever_marked(net)
    for transition in net.transitions:
        gate = _shut_gate(transition)
        if gate is not None:
            yield Diagnostic(
                codes.GATE_NEVER_HOLDS,
                f"this gate is always 0, so `{transition.name}` is never enabled",
                primary=Label(gate.span),
            )
            continue
        empty = sorted(_needs(transition) - marked)
        if empty:
            yield Diagnostic(
                codes.NEVER_MARKED,
                f"`{transition.name}` is never enabled: `{empty[0]}` is always empty",
                primary=Label(transition.span),
                notes=("it is empty at first, and no transition that can fire puts a token there",),
            )


def _ever_marked(net: ir.Net) -> set[str]:
    """The places that may ever hold a token, as far as arcs and shut gates tell."""
    marked = {place.name for place in net.places if place.initial.counts}
    lacking = [_needs(each) - marked for each in net.transitions]
    waiting: dict[str, list[int]] = {}
    for at, missing in enumerate(lacking):
        for place in missing:
            waiting.setdefault(place, []).append(at)
    able = [at for at, missing in enumerate(lacking) if not missing]
    while able:
        transition = net.transitions[able.pop()]
        for arc in transition.outputs if _shut_gate(transition) is None else ():
            if arc.place not in marked:
                marked.add(arc.place)
                for at in waiting.get(arc.place, ()):
                    lacking[at].remove(arc.place)
                    if not lacking[at]:
                        able.append(at)
    return marked


def _shut_gate(transition: ir.Transition) -> ir.Expr | None:
    return next((gate for gate in transition.gates if gate == ir.Const(0)), None)


def _needs(transition: ir.Transition) -> set[str]:
    """The places from which a firing takes a token for certain."""
    return {
        arc.place
        for arc in transition.inputs
        for term in arc.terms
        if isinstance(term.multiplicity, ir.Const) and term.multiplicity.value > 0
        if not any(isinstance(each, ir.Interval) for each in term.components)
    }


def _nearly_constants(net: ir.Net, document: tree.NetDocument) -> Iterator[Diagnostic]:
    constants = dict.fromkeys((*document.macros, *(each.name for each in document.constants)))
    known: dict[str, str | None] = {}
    for transition in net.transitions:
        for variable in transition.variables:
            name = variable.name
            if name not in known and len(known) * len(constants) < _MOST_COMPARED:
                known[name] = next((each for each in constants if _is_near(name, each)), None)
            near = known.get(name)
            if near is not None:
                yield Diagnostic(
                    codes.NEARLY_A_CONSTANT,
                    f"`{name}` is a variable of `{transition.name}`, and `{near}` a constant",
                    primary=Label(variable.span, "takes any value"),
                    help=f"is `{near}` meant?",
                )


def _is_near(name: str, constant: str) -> bool:
    """Whether *name* may be *constant* misspelt: long enough, and one letter apart."""
    if len(name) < _LEAST_NAME or len(constant) < _LEAST_NAME:
        return name != constant and len(name) > 1 and name.lower() == constant.lower()
    if abs(len(name) - len(constant)) > 1:
        return False
    return distance(name.lower(), constant.lower()) <= (len(name) > _LEAST_NAME)
