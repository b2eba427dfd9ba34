"""What is probably not meant, in LED programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from zermelo.languages.led import ir
from zermelo.languages.led.mean.differences import nodes
from zermelo.languages.led.mean.kinds import misfits
from zermelo.languages.led.mean.sentences import unbracketed
from zermelo.languages.led.read import tree
from zermelo.languages.led.read.tree import Expr, Sign
from zermelo.languages.led.run.calls import Dependence
from zermelo.languages.led.run.easel import GAME_NAMES
from zermelo.languages.led.run.walk import pieces
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label, Severity
from zermelo.text.suggest import nearest

_REPEATED = frozenset({Sign.OR, Sign.AND, Sign.UNION, Sign.INTERSECTION})
_COMPARED = frozenset(
    {Sign.EQ, Sign.NE, Sign.LT, Sign.GT, Sign.LE, Sign.GE, Sign.SUBSET, Sign.IMPLIES, Sign.IFF}
    | {Sign.DIFFERENCE}
)


def lints(
    document: tree.Document, program: ir.Program, dependences: Mapping[str, Dependence]
) -> Iterator[Diagnostic]:
    """Everything in *document* that is probably not meant."""
    for node in nodes(document):
        yield from _same_operands(node)
    for definition in document.definitions:
        yield from _behind_otherwise(definition)
    yield from misfits(program)
    if program.is_game:
        yield from _engine(program, dependences)
        yield from _unused(program)


def _same_operands(node: Expr) -> Iterator[Diagnostic]:
    if not isinstance(node, tree.Binary):
        return
    right = unbracketed(node.right)
    if node.sign in _REPEATED:
        for left in _operands(node.left, node.sign):
            if left == right:
                yield _same(node.sign, left, right)
                return
    elif node.sign in _COMPARED and unbracketed(node.left) == right:
        yield _same(node.sign, node.left, right)


def _operands(expr: Expr, sign: Sign) -> Iterator[Expr]:
    expr = unbracketed(expr)
    while isinstance(expr, tree.Binary) and expr.sign is sign:
        yield unbracketed(expr.right)
        expr = unbracketed(expr.left)
    yield expr


def _same(sign: Sign, left: Expr, right: Expr) -> Diagnostic:
    return Diagnostic(
        codes.SAME_OPERANDS,
        f"both sides of this `{sign.value}` are the same",
        Label(right.span, "the same as the left side"),
        secondary=(Label(left.span, "the left side"),),
        help="one of them was probably meant to be something else; if not, one is enough",
    )


def _behind_otherwise(definition: tree.Definition) -> Iterator[Diagnostic]:
    for before, branch in zip(definition.branches, definition.branches[1:], strict=False):
        if before.guard is None:
            yield Diagnostic(
                codes.LED_CASE_NOT_REACHED,
                f"this case of `{definition.name}` is never taken",
                Label(branch.span, "never reached"),
                secondary=(Label(before.span, "always taken"),),
                help="`otherwise` belongs to the last case",
            )
            return


# Games


def _engine(program: ir.Program, dependences: Mapping[str, Dependence]) -> Iterator[Diagnostic]:
    names = [each.name for each in program.definitions]
    for name in GAME_NAMES:
        definition = program.definition(name)
        if definition is None:
            if name != "sounds":
                yield _missing(name, names)
        elif definition.parameters:
            yield Diagnostic(
                codes.LED_GAME_INCOMPLETE,
                f"the engine asks for `{name}` without arguments",
                Label(definition.name_span, "defined with parameters"),
                help="the state is `currentState`, the input `mouseClicked`, `mouseX`, `mouseY`",
            )
    first = program.definition("initialState")
    if first is not None and dependences["initialState"] != Dependence():
        yield Diagnostic(
            codes.LED_GAME_INCOMPLETE,
            "`initialState` depends on the state or the input, which there is none of yet",
            Label(first.name_span, "computed before the first frame"),
        )


_MISSING = {
    "initialState": "the state in which a play begins",
    "newState": "the state after a frame",
    "images": "what is drawn",
}


def _missing(name: str, names: list[str]) -> Diagnostic:
    near = nearest(name, names)
    return Diagnostic(
        codes.LED_GAME_INCOMPLETE,
        f"this game does not define `{name}`, {_MISSING[name]}",
        help=f"rename `{near[0]}` to `{name}`" if near else f"define `{name} := …`",
        severity=Severity.WARNING if name == "images" else None,
    )


def _unused(program: ir.Program) -> Iterator[Diagnostic]:
    """Functions and relations that nothing uses which the engine asks for."""
    used = {name for name in GAME_NAMES if program.definition(name) is not None}
    if not used:
        return
    waiting = sorted(used)
    while waiting:
        definition = program.definition(waiting.pop())
        if definition is None:
            continue
        for piece in pieces(definition):
            if isinstance(piece, ir.Global) and piece.name not in used:
                used.add(piece.name)
                waiting.append(piece.name)
    # A constant that nothing uses may be there to be asked for.
    idle = [each for each in program.definitions if each.parameters and each.name not in used]
    if idle:
        listed = ", ".join(f"`{each.name}`" for each in idle)
        yield Diagnostic(
            codes.LED_UNUSED,
            f"the game never uses {listed}",
            Label(idle[0].name_span, "not used by what the engine asks for"),
            secondary=tuple(Label(each.name_span, "nor this") for each in idle[1:5]),
        )
