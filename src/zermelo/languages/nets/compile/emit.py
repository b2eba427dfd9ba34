"""The code of a net: one function a transition, which finds its bindings and fires them.

A function goes through the tokens that inputs ask for, binds variables to their
components, tests gates as soon as their variables are known, and writes the markings
that follow, one after the other. It gives the number of markings written so far, or −1
where only the token game can tell: something has no value, or there is no room.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final

from zermelo.languages.nets.compile.beforehand import Beforehand
from zermelo.languages.nets.compile.binding import Binding
from zermelo.languages.nets.compile.firing import Firing
from zermelo.languages.nets.compile.grounded import LOOP, Fire, fires, table
from zermelo.languages.nets.compile.packing import Counters, Packing
from zermelo.languages.nets.compile.ranges import constant
from zermelo.languages.nets.compile.scribe import Scribe, mixed
from zermelo.languages.nets.ir import Net, Place, Transition
from zermelo.languages.nets.run.evaluate import variables_of
from zermelo.languages.nets.run.ground import Ground, grounded, ranges_at, ranges_of
from zermelo.languages.sections.compile.reps import Refused
from zermelo.packing.code import Tables

MOST_MOVES: Final = 1 << 20
MOST_CODES: Final = 1 << 60
MOST_UNROLLED: Final = 250
"""Bindings for which code is written one by one, in all transitions together."""
MOST_LINES: Final = 60_000
"""Longer code would take too long to compile."""

MOST_STORED: Final = 2_000
"""Words of markings that such code writes; in a loop larger markings are copied faster."""
MOST_WRITTEN: Final = 150
"""Transitions without variables for which code is written; more of them are put into a table."""

_HELPERS: Final = """
def copied(row, made, words):
    at = 0
    while at < words:
        store(made, at, load(row, at))
        at = at + 1
    return 0


def slot_take(base, shift, width, per, count, code):
    mask = shl(1, width) - 1
    at = 0
    found = 0
    while at < count:
        word = at // per
        place = shift + (at % per) * width
        value = shr(load(base, word), place) & mask
        if found != 0:
            at = at - 1
            word = at // per
            place = shift + (at % per) * width
            store(base, word, (load(base, word) & ~shl(mask, place)) | shl(value, place))
            at = at + 1
        elif value == code:
            found = 1
        elif below(value, code) == 1:
            return 0
        at = at + 1
    if found == 0:
        return 0
    at = count - 1
    word = at // per
    place = shift + (at % per) * width
    store(base, word, load(base, word) & ~shl(mask, place))
    return 1


def slot_add(base, shift, width, per, count, code):
    mask = shl(1, width) - 1
    moved = code
    at = 0
    while at < count:
        word = at // per
        place = shift + (at % per) * width
        value = shr(load(base, word), place) & mask
        if below(value, moved) == 1:
            store(base, word, (load(base, word) & ~shl(mask, place)) | shl(moved, place))
            moved = value
            if moved == 0:
                return 1
        at = at + 1
    return 0
"""


@dataclass(frozen=True, slots=True)
class Axis:
    """A variable of a transition in the codes of its moves: its lowest value, and how many."""

    name: str
    low: int
    size: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A transition in the codes of moves."""

    name: str
    first: int
    axes: tuple[Axis, ...]

    @property
    def size(self) -> int:
        """How many codes it has."""
        return prod(axis.size for axis in self.axes)

    def code(self, values: Sequence[int]) -> int:
        """The code of the firing with these *values*."""
        code = 0
        for axis, value in zip(self.axes, values, strict=True):
            code = code * axis.size + value - axis.low
        return self.first + code


@dataclass(frozen=True, slots=True)
class Emitted:
    """The code of a net."""

    source: str
    tables: tuple[int, ...]
    entries: tuple[Entry, ...]
    most_moves: int


def emitted(net: Net, packing: Packing) -> Emitted:
    """The code of *net* on markings packed so; raises ``Refused`` with the reason."""
    tables = Tables()
    places = {place.name: place for place in net.places}
    ground = _ground(net, packing)
    listed = _listed(ground, net)
    short = _short(ground, listed, packing.words)
    beforehand = Beforehand(net)
    scribes = {
        at: Scribe(net, each, packing, tables, beforehand)
        for at, each in enumerate(net.transitions)
        if at not in listed and at not in short
    }
    left = MOST_UNROLLED - sum(len(ground[at]) for at in short)
    unrolled = dict(zip(scribes, _all_unrolled(list(scribes.values()), left), strict=True))
    texts, entries, first, most = [], [], 0, 0
    rows: list[tuple[int, Fire]] = []
    lines: list[str] = []
    for at, transition in enumerate(net.transitions):
        if at in scribes:
            text, entry = _written(scribes[at], at, first, unrolled[at])
            texts.append(text)
            most += scribes[at].most
        else:
            entry = Entry(transition.name, first, _axes_of(transition, places))
            for firing, fire in ground[at]:
                code = entry.code(firing.values)
                if at in listed:
                    rows.append((code, fire))
                else:
                    lines += fire.lines(code, packing.words)
            most += len(ground[at])
        entries.append(entry)
        first += entry.size
        if first > MOST_CODES or most > MOST_MOVES:
            raise Refused("there are too many bindings to number them")
    calls = [f"fire_{at}(tab, row, out, moves, n)" for at in scribes]
    if lines:
        calls.insert(0, "fire_short(tab, row, out, moves, n)")
        texts.insert(0, _fire_short(lines, packing.words))
    if listed:
        numbers = table(rows)
        place = tables.place(numbers)
        ends = f"{place}, {place + len(numbers)}, {packing.words}"
        calls.insert(0, f"fire_plain(tab, row, out, moves, n, {ends})")
        texts.insert(0, LOOP.strip())
    if sum(text.count("\n") for text in texts) > MOST_LINES:
        raise Refused("the code for it would be too long")
    source = "\n\n".join((_HELPERS.strip(), *texts, _legal(calls), _VERDICT))
    return Emitted(source, tuple(tables.numbers), tuple(entries), max(most, 1))


def _ground(net: Net, packing: Packing) -> dict[int, list[tuple[Ground, Fire]]]:
    """The transitions whose firings are the same in every marking, by number."""
    found = {}
    for at, firings in enumerate(grounded(net)):
        known = None if firings is None else fires(firings, packing)
        if known is not None:
            found[at] = known
    return found


def _listed(ground: Mapping[int, Sequence[object]], net: Net) -> set[int]:
    """The transitions that are put into a table: all without variables, if there are many."""
    plain = {at for at in ground if not net.transitions[at].variables}
    return plain if len(plain) > MOST_WRITTEN else set()


def _short(ground: Mapping[int, Sequence[object]], listed: Set[int], words: int) -> set[int]:
    """The transitions whose firings are written one by one, as long as the code stays short."""
    found: set[int] = set()
    total = 0
    for at in sorted(ground.keys() - listed, key=lambda at: (len(ground[at]), at)):
        total += len(ground[at])
        if total > MOST_UNROLLED or total * words > MOST_STORED:
            break
        found.add(at)
    return found


def _fire_short(lines: Sequence[str], words: int) -> str:
    head = ["def fire_short(tab, row, out, moves, n):"]
    head += [f"    w{word} = load(row, {word})" for word in range(words)]
    return "\n".join([*head, *(f"    {line}" for line in lines), "    return n"])


def _axes_of(transition: Transition, places: Mapping[str, Place]) -> tuple[Axis, ...]:
    """The variables of a transition whose firings are written out."""
    ranges = ranges_of(transition, places)
    assert ranges is not None, "what is written out has ranges"
    names = (each.name for each in transition.variables)
    return tuple(_axis(name, values) for name, values in zip(names, ranges, strict=True))


def _axis(name: str, values: range) -> Axis:
    return Axis(name, values.start, len(values))


_VERDICT: Final = """
def successors(tab, row, out, moves, fires):
    return legal(tab, row, out, moves, fires)


def verdict(tab, row):
    return 0
""".strip()


def _legal(calls: Sequence[str]) -> str:
    lines = ["def legal(tab, row, out, moves, fires):", "    n = 0"]
    for call in calls:
        lines.append(f"    n = {call}")
        lines.append("    if n < 0:")
        lines.append("        return -1")
    lines.append("    return n")
    return "\n".join(lines)


def _all_unrolled(scribes: Sequence[Scribe], most: int) -> list[tuple[Axis, ...]]:
    """The variables that are unrolled in each transition, as long as the code stays short."""
    wanted = [_unrolled(scribe) for scribe in scribes]
    counts = [prod(axis.size for axis in axes) for axes in wanted]
    found: list[tuple[Axis, ...]] = [()] * len(scribes)
    total = 0
    for at in sorted(range(len(scribes)), key=lambda at: (counts[at], at)):
        total += counts[at]
        if total <= most:
            found[at] = wanted[at]
    return found


def _written(scribe: Scribe, at: int, first: int, unrolled: tuple[Axis, ...]) -> tuple[str, Entry]:
    """The function of a transition, whose number is *at*, and its moves among all moves."""
    writer = scribe.writer
    for word in scribe.words():
        writer.emit(f"w{word} = load(row, {word})")
    axes: tuple[Axis, ...] | None = None
    most = 0
    for values in product(*(range(axis.low, axis.low + axis.size) for axis in unrolled)):
        chosen = dict(zip((axis.name for axis in unrolled), values, strict=True))
        if not _may_hold(scribe, chosen):
            continue
        scribe.most = 1
        known = scribe.expressions.known
        known.clear()
        known.update({name: constant(value) for name, value in chosen.items()})
        with ExitStack() as blocks:
            Binding(scribe).write(blocks)
            axes = axes or _axes(scribe, unrolled)
            code = "0"
            for axis in axes:
                code = mixed(code, known[axis.name], axis.low, axis.size)
            Firing(scribe).write(blocks, f"{first} + {code}")
        most += scribe.most
    scribe.most = most
    writer.emit("return n")
    text = "\n".join([f"def fire_{at}(tab, row, out, moves, n):", *writer.lines])
    return text, Entry(scribe.transition.name, first, axes or unrolled)


def _axes(scribe: Scribe, unrolled: Sequence[Axis]) -> tuple[Axis, ...]:
    """The variables in the codes of moves, once it is known between which numbers they lie."""
    given = {axis.name: axis for axis in unrolled}
    known = scribe.expressions.known
    return tuple(
        given.get(each.name)
        or Axis(each.name, known[each.name].low, known[each.name].high - known[each.name].low + 1)
        for each in scribe.transition.variables
    )


def _unrolled(scribe: Scribe) -> tuple[Axis, ...]:
    """The variables for whose values code is written one by one: all that counters give.

    There are fewer bits to look for then, and nothing to compute.
    """
    inputs = [scribe.packing.of(arc.place) for arc in scribe.transition.inputs]
    counted = {each.place.name: each.place for each in inputs if isinstance(each, Counters)}
    ranges = ranges_at(scribe.transition, counted)
    return tuple(_axis(name, values) for name, values in ranges.items())


def _may_hold(scribe: Scribe, chosen: dict[str, int]) -> bool:
    """Whether no gate is 0 for these values, as far as they tell."""
    return all(
        scribe.beforehand.may_hold(gate, chosen)
        for gate in scribe.transition.gates
        if variables_of(gate) <= chosen.keys()
    )
