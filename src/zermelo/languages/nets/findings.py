"""What playing the token game showed about a net, as diagnostics with their places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from zermelo.core.machine import FaultKind
from zermelo.core.space import FaultFound, Walked
from zermelo.core.state import Move, State
from zermelo.languages.nets.ir import Net, Place, Transition
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.languages.nets.unbounded import Pumping
from zermelo.languages.nets.words import Words, play_text
from zermelo.text import codes
from zermelo.text.codes import Code
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.prose import listing
from zermelo.text.source import NOWHERE, Span

MOST_OF_A_KIND: Final = 20
"""Of more transitions or places of one kind only so many are told."""

_COMPLEMENT: Final = (
    "give the place a complement that is taken from whenever tokens are put into it"
)
_GATE: Final = "let a `gate` say how far the numbers go"

_SAID_ALREADY: Final = frozenset({codes.NEVER_MARKED, codes.GATE_NEVER_HOLDS, codes.PLACE_NOT_USED})
"""What the form of the net shows is not said again."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of a net: the transitions that fired, and the places that held a token."""

    fired: frozenset[str]
    marked: frozenset[str]
    is_complete: bool
    states: int


def seen_in(space: Walked, net: Net) -> Seen:
    marked: set[str] = set()
    for state in space.walk.nodes:
        if len(marked) == len(net.places):
            break
        marked.update(name for name, bag in state.items() if isinstance(bag, Bag) and len(bag))
    fired = frozenset(move.name for _, move in space.turns)
    return Seen(fired, frozenset(marked), space.is_complete, space.states)


def seen_beyond(game: TokenGame, space: Walked, seen: Seen) -> Seen:
    """What was *seen* in plays, and what the net can do where these are over.

    It goes on from there, so that all is known only if nothing is left that could be new.
    """
    going_on = {state for state, _ in space.turns}
    ends = (state for state in space.walk.nodes if state not in going_on)
    fired = seen.fired.union(*(game.enabled(state) for state in ends))
    has_all = len(fired) == len(game.net.transitions) and len(seen.marked) == len(game.net.places)
    return replace(seen, fired=fired, is_complete=seen.is_complete and has_all)


def of_game(game: TokenGame, space: Walked) -> Iterator[Diagnostic]:
    """Where the rules that say who plays do not tell whose turn it is, or how a play ended."""
    walk, words = space.walk, Words(game.net)
    is_turn_told = is_end_told = not game.rules.turns
    # To find out again which firings are enabled takes long, and is known where play went on.
    going_on = {state for state, _ in space.turns}
    for state in walk.nodes:
        is_end = state not in going_on
        results = game.results(state) if is_end and not is_end_told else ()
        in_turn = () if is_end or is_turn_told else game.in_turn(state)
        if len(results) > 1:
            is_end_told = True
            yield _of_marking(
                codes.ENDS_CLASH,
                f"{listing([f'`{word}`' for word in results])} hold at once",
                (walk.play(state), state, words),
                help_="let one of the conditions exclude the other",
            )
        if not is_end and not is_turn_told and len(in_turn) != 1:
            is_turn_told = True
            names = [player.name for player in in_turn]
            yield _of_marking(
                codes.NOT_ONE_IN_TURN,
                f"it is the turn of {listing(names)} at once" if names else "it is nobody's turn",
                (walk.play(state), state, words),
                help_="let exactly one condition of `players` hold wherever something can fire",
            )
        if is_turn_told and is_end_told:
            return


def _of_marking(
    code: Code, message: str, found: tuple[Sequence[Move], State, Words], *, help_: str
) -> Diagnostic:
    play, state, words = found
    after = f"after {_firings(play, words)}" if play else "at first"
    return Diagnostic(code, message, notes=(after, f"in {words.marking(state)}"), help=help_)


def of_net(
    net: Net,
    seen: Seen,
    *,
    faults: Sequence[FaultFound],
    pumped: Pumping | None,
    said: Iterable[Diagnostic] = (),
) -> tuple[Diagnostic, ...]:
    known = " ".join(each.message for each in said if each.code in _SAID_ALREADY)
    # One for each kind and transition: the values differ, the cause does not.
    first: dict[tuple[FaultKind, str], FaultFound] = {}
    for each in faults:
        first.setdefault((each.fault.kind, each.fault.procedure), each)
    found = [_fault(net, each) for each in first.values()]
    if pumped is not None:
        found.append(_unbounded(net, pumped))
    elif seen.is_complete:
        fired = {*seen.fired, *(each.fault.procedure for each in faults)}
        dead = [t for t in net.transitions if t.name not in fired and f"`{t.name}`" not in known]
        does = f"never fires in {_all(seen.states, 'any of the')}"
        code = codes.TRANSITION_NEVER_FIRES
        found += _never(dead, code, does, "never enabled", "transitions never fire")
        empty = [p for p in net.places if p.name not in seen.marked and f"`{p.name}`" not in known]
        does, code = f"is empty in {_all(seen.states, 'all')}", codes.PLACE_NEVER_MARKED
        found += _never(empty, code, does, "never holds a token", "places are always empty")
    return tuple(found)


def _fault(net: Net, found: FaultFound) -> Diagnostic:
    fault, words = found.fault, Words(net)
    transition = net.transition(fault.procedure)
    span = fault.span or NOWHERE
    if span == NOWHERE and transition is not None:
        span = transition.span
    code, message = codes.FIRING_WITHOUT_VALUE, f"in `{fault.procedure}`: {fault.message}"
    where, help_ = "here", "let a `gate` say first when it has a value"
    if fault.kind is FaultKind.OUTSIDE:
        code, message, where = codes.TOKEN_OUTSIDE, fault.message, "in this transition"
        help_ = "add the condition as a `gate`, or widen `lo` and `hi` of the place"
    elif fault.kind in {FaultKind.ENDLESS, FaultKind.UNLISTED}:
        help_ = fault.help or help_
    return Diagnostic(
        code,
        message,
        primary=_label(span, where),
        notes=(
            f"firings: {_firings(found.play, words)}",
            f"before the last: {words.marking(found.state)}",
        ),
        help=help_,
    )


def _unbounded(net: Net, pumped: Pumping) -> Diagnostic:
    words = Words(net)
    place = net.place(pumped.first_place)
    after = f"after {_firings(pumped.play, words)}, " if pumped.play else ""
    return Diagnostic(
        codes.NET_UNBOUNDED,
        f"the net is unbounded: {pumped.words}",
        primary=None if place is None else _label(place.span, "grows without bound"),
        notes=(
            f"{after}repeat {_firings(pumped.moves, words)}",
            f"it leads from {words.marking(pumped.before)}",
            f"to {words.marking(pumped.after)}",
        ),
        help=_COMPLEMENT if pumped.grows else _GATE,
    )


def _never(
    parts: Sequence[Place] | Sequence[Transition], code: Code, does: str, label: str, more: str
) -> Iterator[Diagnostic]:
    """What the first of *parts* never do; with the first one, how many they are."""
    notes: tuple[str, ...] = ()
    if len(parts) > MOST_OF_A_KIND:
        notes = (f"{len(parts):,} {more}; the first {MOST_OF_A_KIND} are listed",)
    for each in parts[:MOST_OF_A_KIND]:
        where = _label(each.span, label)
        yield Diagnostic(code, f"`{each.name}` {does}", primary=where, notes=notes)
        notes = ()


def _all(states: int, words: str) -> str:
    return "the only reachable marking" if states == 1 else f"{words} {states:,} reachable markings"


def _firings(moves: Sequence[Move], words: Words) -> str:
    return play_text(moves, words.firing)


def _label(span: Span, words: str) -> Label | None:
    return None if span == NOWHERE else Label(span, words)
