"""What playing the token game showed about a net, as diagnostics with their places.

Comes in a net and what was seen of it; goes out what there is to say: firings that a fault
stops, places without bound, transitions that never fire, places that are always empty.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from zermelo.core.machine import FaultKind
from zermelo.core.space import FaultFound, Walked
from zermelo.core.state import Move
from zermelo.languages.nets.ir import Net
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.unbounded import Pumping
from zermelo.languages.nets.words import Words
from zermelo.text import codes
from zermelo.text.codes import Code
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import NOWHERE, Span

MOST_OF_A_KIND: Final = 20
"""Of more transitions or places of one kind only so many are told."""
_MOST_FIRINGS: Final = 12

_SAID_ALREADY: Final = frozenset({codes.NEVER_MARKED, codes.GATE_NEVER_HOLDS, codes.PLACE_NOT_USED})
"""What the form of the net shows is not said again."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of a net."""

    fired: frozenset[str]
    """The transitions that fired."""
    marked: frozenset[str]
    """The places that held a token."""
    is_complete: bool
    """Whether that is all there is to be seen."""
    states: int


def seen_in(space: Walked, net: Net) -> Seen:
    """What *space* shows."""
    marked: set[str] = set()
    for state in space.walk.nodes:
        if len(marked) == len(net.places):
            break
        marked.update(name for name, bag in state.items() if isinstance(bag, Bag) and len(bag))
    fired = frozenset(move.name for _, move in space.turns)
    return Seen(fired, frozenset(marked), space.is_complete, space.states)


def of_net(
    net: Net,
    seen: Seen,
    *,
    faults: Sequence[FaultFound],
    pumped: Pumping | None,
    said: Iterable[Diagnostic] = (),
) -> tuple[Diagnostic, ...]:
    """What there is to say about *net*; *said* is what was said before it was played."""
    known = " ".join(each.message for each in said if each.code in _SAID_ALREADY)
    found = [*_faults(net, faults)]
    if pumped is not None:
        found.append(_unbounded(net, pumped))
    elif seen.is_complete:
        stopped = {each.fault.procedure for each in faults}
        found += _never_fires(net, seen, known, stopped)
        found += _never_marked(net, seen, known)
    return tuple(found)


def _faults(net: Net, found: Sequence[FaultFound]) -> Iterator[Diagnostic]:
    """One diagnostic for each kind and transition: the values differ, the cause does not."""
    shown: set[tuple[FaultKind, str]] = set()
    for each in found:
        key = (each.fault.kind, each.fault.procedure)
        if key not in shown:
            shown.add(key)
            yield _fault(net, each)


def _fault(net: Net, found: FaultFound) -> Diagnostic:
    is_outside = found.fault.kind is FaultKind.OUTSIDE
    code: Code = codes.TOKEN_OUTSIDE if is_outside else codes.FIRING_WITHOUT_VALUE
    words = Words(net)
    transition = net.transition(found.fault.procedure)
    span = found.fault.span or NOWHERE
    if span == NOWHERE and transition is not None:
        span = transition.span
    help_ = "let a `gate` say first when it has a value"
    if is_outside:
        help_ = "add the condition as a `gate`, or widen `lo` and `hi` of the place"
    elif found.fault.kind is FaultKind.ENDLESS:
        help_ = found.fault.help or help_
    in_words = f"in `{found.fault.procedure}`: " if not is_outside else ""
    return Diagnostic(
        code,
        f"{in_words}{found.fault.message}",
        primary=_label(span, "in this transition" if is_outside else "here"),
        notes=(
            f"firings: {_firings(found.play, words)}",
            f"before the last: {words.marking(found.state)}",
        ),
        help=help_,
    )


def _unbounded(net: Net, pumped: Pumping) -> Diagnostic:
    words = Words(net)
    names = ", ".join(f"`{name}`" for name in pumped.grows[:MOST_OF_A_KIND])
    place = net.place(pumped.grows[0])
    after = f"after {_firings(pumped.play, words)}, " if pumped.play else ""
    return Diagnostic(
        codes.NET_UNBOUNDED,
        f"the net is unbounded: {names} can get ever more tokens",
        primary=None if place is None else _label(place.span, "grows without bound"),
        notes=(
            f"{after}repeat {_firings(pumped.moves, words)}",
            f"it leads from {words.marking(pumped.before)}",
            f"to {words.marking(pumped.after)}",
        ),
        help="give the place a complement that is taken from whenever tokens are put into it",
    )


def _never_fires(
    net: Net, seen: Seen, known: str, stopped: Collection[str]
) -> Iterator[Diagnostic]:
    dead = [
        each
        for each in net.transitions
        if each.name not in seen.fired
        and each.name not in stopped
        and f"`{each.name}`" not in known
    ]
    for each in dead[:MOST_OF_A_KIND]:
        yield Diagnostic(
            codes.TRANSITION_NEVER_FIRES,
            f"`{each.name}` never fires in {_all(seen.states, 'any of the')}",
            primary=_label(each.span, "never enabled"),
            notes=_more(len(dead), "transitions never fire") if each is dead[0] else (),
        )


def _never_marked(net: Net, seen: Seen, known: str) -> Iterator[Diagnostic]:
    empty = [
        each
        for each in net.places
        if each.name not in seen.marked and f"`{each.name}`" not in known
    ]
    for each in empty[:MOST_OF_A_KIND]:
        yield Diagnostic(
            codes.PLACE_NEVER_MARKED,
            f"`{each.name}` is empty in {_all(seen.states, 'all')}",
            primary=_label(each.span, "never holds a token"),
            notes=_more(len(empty), "places are always empty") if each is empty[0] else (),
        )


def _all(states: int, words: str) -> str:
    if states == 1:
        return "the only reachable marking"
    return f"{words} {states:,} reachable markings"


def _more(number: int, words: str) -> tuple[str, ...]:
    if number <= MOST_OF_A_KIND:
        return ()
    return (f"{number:,} {words}; the first {MOST_OF_A_KIND} are listed",)


def _firings(moves: Sequence[Move], words: Words) -> str:
    shown = [words.firing(move) for move in moves]
    if len(shown) > _MOST_FIRINGS:
        left_out = len(shown) - _MOST_FIRINGS
        shown = [*shown[: _MOST_FIRINGS - 2], f"… {left_out:,} more …", *shown[-2:]]
    return ", ".join(shown) or "nothing"


def _label(span: Span, words: str) -> Label | None:
    return None if span == NOWHERE else Label(span, words)
