"""A net in plain words: its places and transitions, and what its form alone tells.

Comes in: the token game of a net. Goes out: lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from zermelo.core.space import Space
from zermelo.languages.nets.ir import Arc, Net, Place, Transition, Variable
from zermelo.languages.nets.printer import expr_text, terms_text
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.run.bounds import bounds, invariants
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.languages.nets.words import Words, bag_text, token_text
from zermelo.text.prose import BLANK, Line, Piece, Tone, count, heading, line, listing

MOST_LISTED: Final = 40
"""Of more places, transitions or invariants only so many are told."""
LONGEST: Final = 200
"""Letters of a gate that are shown."""
MOST_TOGETHER: Final = 8
"""An invariant with more places is not told."""


def explain_net(machine: TokenGame) -> tuple[Line, ...]:
    """The net of *machine* in plain words."""
    net = machine.net
    found: list[Line] = []
    for part in (_title(net), _places(net), _transitions(net), _always(net), _play(machine)):
        lines = list(part)
        if lines and found:
            found.append(BLANK)
        found.extend(lines)
    return tuple(found)


def checked_lines(net: Net, space: Space, *, is_in_spite: bool) -> Iterator[Line]:
    """What was understood of *net*, and what the token game showed."""
    yield heading("What was understood")
    has_names = any(names for place in net.places for names in place.colours)
    coloured = f"tokens that are tuples of {'colours' if has_names else 'numbers'}"
    kind = "black tokens" if net.is_plain else coloured
    yield line(
        f"{count(len(net.places), 'place')} and {count(len(net.transitions), 'transition')}, "
        f"with {kind}.",
        indent=2,
        hang=4,
    )
    yield BLANK
    yield heading("What the token game shows")
    if is_in_spite:
        yield line(
            "Played in spite of the errors above, so what follows may be due to them.", indent=2
        )
    size = f"{count(space.states, 'marking')} and {count(space.moves, 'firing')}"
    if space.is_complete:
        yield line(f"{size}, all that can be reached.", indent=2, hang=4)
    else:
        yield line(
            f"{size}, not all: {space.cut}; up to {count(space.full_depth, 'firing')} deep all.",
            indent=2,
            hang=4,
        )
    if space.stuck is not None:
        words = Words(net)
        first = ", ".join(words.firing(move) for move in space.stuck.play[:MOST_TOGETHER])
        more = " …" if len(space.stuck.play) > MOST_TOGETHER else ""
        yield line(
            f"In {count(space.stuck.count, 'marking')} nothing is enabled; the first comes after "
            f"{count(len(space.stuck.play), 'firing')}{': ' if first else ''}",
            Piece(f"{first}{more}", Tone.FORMULA),
            indent=2,
            hang=4,
        )
    elif space.is_complete:
        yield line("In every marking something is enabled.", indent=2)
    for found in space.faults:
        yield line(Piece(found.fault.message, Tone.BAD), indent=2, hang=4)


def _title(net: Net) -> Iterator[Line]:
    yield line(Piece(net.name, Tone.HEADING), " in plain words")
    kind = "place/transition net" if net.is_plain else "high-level net"
    tokens = sum(len(place.initial) for place in net.places)
    extra = [
        count(len(net.functions), "C function") if net.functions else "",
        count(len(net.tables), "table") if net.tables else "",
    ]
    parts = [
        count(len(net.places), "place"),
        count(len(net.transitions), "transition"),
        *(each for each in extra if each),
    ]
    yield line(f"A {kind}: {listing(parts)}; {count(tokens, 'token')} at first.", indent=2, hang=2)


def _places(net: Net) -> Iterator[Line]:
    yield heading("Places")
    for place in net.places[:MOST_LISTED]:
        yield line(Piece(place.name, Tone.STRONG), f"{_kind(place)}.", indent=2, hang=4)
    yield from _more(len(net.places), "place")


def _kind(place: Place) -> str:
    called = f" ({place.label})" if place.label and place.label != place.name else ""
    if not place.arity:
        count_text = count(len(place.initial), "token") if len(place.initial) else "empty"
        return f"{called}: black tokens; at first {count_text}"
    what = "numbers" if place.arity == 1 else f"tuples of {place.arity} numbers"
    if any(names is not None for names in place.colours):
        what = "colours" if place.arity == 1 else f"tuples of {place.arity} colours"
    within = ""
    if place.low is not None and place.high is not None:
        ends = (token_text(place.low, place), token_text(place.high, place))
        within = f" from {ends[0]} to {ends[1]}"
    return f"{called}: {what}{within}; at first {_short(place.initial, place)}"


def _short(bag: Bag, place: Place) -> str:
    most = 12
    if len(bag.counts) <= most:
        return bag_text(bag, place)
    first = bag_text(Bag(bag.counts[:most]), place)
    return f"{first} and {len(bag.counts) - most} kinds of tokens more"


def _transitions(net: Net) -> Iterator[Line]:
    yield heading("Transitions")
    for each in net.transitions[:MOST_LISTED]:
        yield line(Piece(each.name, Tone.STRONG), f" {_does(each)}.", indent=2, hang=4)
        for gate in each.gates:
            yield line("only if ", Piece(_clipped(expr_text(gate)), Tone.FORMULA), indent=4, hang=2)
    yield from _more(len(net.transitions), "transition")


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()} …"


def _does(transition: Transition) -> str:
    parts = []
    chosen = [_variable(each) for each in transition.variables]
    for let in transition.lets:
        names = ", ".join(let.names)
        parts.append(f"lets <.{names}.> be one of {terms_text(let.terms)}")
    taken, put = _moved(transition.inputs), _moved(transition.outputs)
    if taken:
        parts.append(f"takes {listing(f'{text} from {name}' for name, text in taken)}")
    if put:
        parts.append(f"puts {listing(f'{text} into {name}' for name, text in put)}")
    does = ", and ".join(parts) if len(parts) < 3 else f"{'; '.join(parts[:-1])}; and {parts[-1]}"
    for_all = f"for any {listing(chosen)} " if chosen else ""
    return f"{for_all}{does or 'changes nothing'}"


def _variable(variable: Variable) -> str:
    if variable.low is None or variable.high is None:
        return variable.name
    if variable.names:
        return f"{variable.name} among {variable.names[0]} … {variable.names[-1]}"
    return f"{variable.name} in {variable.low}..{variable.high}"


def _moved(arcs: Sequence[Arc]) -> list[tuple[str, str]]:
    return [(arc.place, terms_text(arc.terms)) for arc in arcs]


def _always(net: Net) -> Iterator[Line]:
    """What no firing changes, and so how many tokens a place can hold."""
    known = invariants(net)
    found = [(weights, total) for weights, total in known if len(weights) <= MOST_TOGETHER]
    yield heading("What the form of the net tells")
    bounded = bounds(net)
    if len(bounded) == len(net.places):
        yield line("The net is bounded: no place can get ever more tokens.", indent=2)
    else:
        open_ = [place.name for place in net.places if place.name not in bounded]
        shown = listing([f"`{name}`" for name in open_[:MOST_TOGETHER]])
        rest = len(open_) - MOST_TOGETHER
        more = f" and {rest} more places" if rest > 0 else ""
        yield line(
            f"The form does not show that {shown}{more} cannot get ever more tokens; "
            "`zermelo check` looks for that.",
            indent=2,
            hang=2,
        )
    for weights, total in found[:MOST_LISTED]:
        yield line(f"{_weighed(weights)} = {total} in every marking.", indent=2, hang=4)
    if len(found) > MOST_LISTED:
        yield line(f"and {len(found) - MOST_LISTED} more of that kind", indent=2)


def _weighed(weights: Mapping[str, int]) -> str:
    return " + ".join(
        f"|{name}|" if weight == 1 else f"{weight}·|{name}|" for name, weight in weights.items()
    )


def _play(machine: TokenGame) -> Iterator[Line]:
    yield heading("How it runs")
    enabled = machine.legal(machine.initial)
    yield line(
        "A firing is a transition with values for its variables; it is enabled when all it takes "
        "is there. Nothing is ever over; where nothing is enabled, the net is stuck. "
        f"At first {count(len(enabled), 'firing')} "
        f"{'is' if len(enabled) == 1 else 'are'} enabled.",
        indent=2,
        hang=2,
    )


def _more(number: int, noun: str) -> Iterator[Line]:
    if number > MOST_LISTED:
        yield line(f"and {count(number - MOST_LISTED, f'{noun} more', f'{noun}s more')}", indent=2)
