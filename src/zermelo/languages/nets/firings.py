"""Firings as people type them: a transition, and the values of its variables.

``left``, ``left 3``, ``left(3)``, ``left p=3``, ``left <p: 3>`` and the number of a
firing in the list of those that are enabled all mean a firing. What is left out has to
be clear.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from zermelo.core.machine import FaultKind
from zermelo.core.state import Move, State
from zermelo.languages.nets.ir import Transition
from zermelo.languages.nets.printer import expr_text
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.languages.nets.words import Words, value_text
from zermelo.text.errors import MoveAmbiguous, MoveNotAllowed, MoveNotUnderstood, nearest
from zermelo.text.prose import count, listing

MOST_OFFERED: Final = 3
LONGEST_GATE: Final = 200
"""Letters of a gate that is shown where it keeps a transition from firing."""
_PART: Final = re.compile(r"(?:(?P<name>[^\s=:,<>()]+)\s*[=:]\s*)?(?P<value>[^\s=:,<>()]+)")


def find(text: str, machine: TokenGame, state: State) -> Move:
    """The enabled firing that *text* means in *state*.

    ``MoveNotUnderstood`` says what can be typed, ``MoveAmbiguous`` what it could be, and
    ``MoveNotAllowed`` that what was typed is not enabled.
    """
    words, enabled = Words(machine.net), machine.legal(state)
    said = text.strip()
    if said.isdecimal():
        return _numbered(int(said[:18]), enabled)
    transition, rest = _transition(said, machine)
    if transition is None:
        raise MoveNotUnderstood(_unknown(said, words, enabled))
    given = _given(rest, transition)
    fitting = [
        move for move in enabled if move.name == transition.name and _fits(move, transition, given)
    ]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        left = len(fitting) - MOST_OFFERED
        more = f" and {count(left, 'other')}" if left > 0 else ""
        shown = _offered(fitting, words, enabled, last="or")
        raise MoveAmbiguous(f"`{said}` could mean {shown}{more}; say more")
    typed = _typed(transition, given)
    if typed is not None and machine.turn(state, typed).after is not None:
        # Not all that is enabled could be listed.
        return typed
    raise MoveNotAllowed(_not_enabled(said, transition, machine, state))


def _offered(
    moves: Sequence[Move], words: Words, enabled: Sequence[Move], *, last: str = "and"
) -> str:
    """The first of *moves*, each as it can be typed where all of *enabled* are."""
    texts = dict(zip(enabled, words.among(enabled), strict=True))
    return listing([f"`{texts[move]}`" for move in moves[:MOST_OFFERED]], last=last)


def _typed(transition: Transition, given: Mapping[int, str]) -> Move | None:
    """The firing of which every value is *given*, as a whole number."""
    texts = [given.get(at, "") for at in range(len(transition.variables))]
    if not all(re.fullmatch(r"-?[0-9]{1,18}", each) for each in texts):
        return None
    return Move(transition.name, tuple(map(int, texts)))


def _numbered(number: int, enabled: Sequence[Move]) -> Move:
    if 1 <= number <= len(enabled):
        return enabled[number - 1]
    if not enabled:
        raise MoveNotUnderstood("nothing is enabled here")
    there = "only 1 is enabled" if len(enabled) == 1 else f"they are numbered 1 to {len(enabled)}"
    raise MoveNotUnderstood(f"there is no firing {number}: {there}")


def _transition(said: str, machine: TokenGame) -> tuple[Transition | None, str]:
    """The transition whose name *said* begins with, and what follows it."""
    transitions = machine.net.transitions
    by_name: dict[str, Transition] = {each.label: each for each in transitions if each.label}
    by_name.update((each.name, each) for each in transitions)
    head = re.split(r"[\s(<]", said, maxsplit=1)[0]
    if head in by_name:
        return by_name[head], said[len(head) :]
    folded = [each for name, each in by_name.items() if name.lower() == head.lower()]
    if len(folded) == 1:
        return folded[0], said[len(head) :]
    # Names of other languages may have blanks.
    known = [name for name in by_name if said.startswith(name)]
    best = max(known, key=len, default=None)
    return (None, "") if best is None else (by_name[best], said[len(best) :])


def _given(rest: str, transition: Transition) -> Mapping[int, str]:
    names = [variable.name for variable in transition.variables]
    given: dict[int, str] = {}
    for position, part in enumerate(_PART.finditer(rest)):
        name = part["name"]
        if name is not None and name not in names:
            has = listing([f"`{each}`" for each in names]) if names else "no variables"
            raise MoveNotUnderstood(f"`{transition.name}` has {has}, and no `{name}`")
        at = position if name is None else names.index(name)
        if at >= len(names):
            has = f"only {listing(names)}" if names else "no variables"
            raise MoveNotUnderstood(f"`{transition.name}` has {has}")
        given[at] = part["value"]
    return given


def _fits(move: Move, transition: Transition, given: Mapping[int, str]) -> bool:
    for at, typed in given.items():
        variable, value = transition.variables[at], move.arguments[at]
        if typed not in (str(value), value_text(value, variable)):
            return False
    return True


def _unknown(said: str, words: Words, enabled: Sequence[Move]) -> str:
    head = said.split(maxsplit=1)[0] if said else ""
    near = nearest(head, (each.name for each in words.net.transitions))
    hint = f"; did you mean `{near[0]}`?" if near else ""
    if enabled and not near:
        hint = f"; enabled are {_offered(enabled, words, enabled, last='or')}"
    return f"there is no transition `{head}`{hint}"


def _not_enabled(said: str, transition: Transition, machine: TokenGame, state: State) -> str:
    """That a firing is not enabled, with the first input that is empty, or with the gate."""
    words = Words(machine.net)
    held = {place.name: text for place, text in words.places(state)}
    for move, fault in machine.faults(state).items():
        if move.name == transition.name and fault.kind is not FaultKind.UNLISTED:
            return f"`{said}` cannot fire: {fault.message}"
    empty = [arc.place for arc in transition.inputs if held.get(arc.place) == "empty"]
    if empty:
        return f"`{said}` is not enabled: `{empty[0]}` is empty"
    enabled = machine.legal(state)
    others = [move for move in enabled if move.name == transition.name]
    if others:
        shown = _offered(others, words, enabled)
        return f"`{said}` is not enabled; for other values it is: {shown}"
    inputs = list(dict.fromkeys(arc.place for arc in transition.inputs))
    there = listing([f"`{name}` holds {held[name]}" for name in inputs[:MOST_OFFERED]])
    gates = [f"`{expr_text(each)}`" for each in transition.gates]
    written = [each for each in gates if len(each) <= LONGEST_GATE]
    told = f" that asks for {listing(written)}" if gates == written else ""
    gate = f", and it has a gate{told}" if gates else ""
    return f"`{said}` is not enabled: {there}{gate}" if there else f"`{said}` is not enabled{gate}"
