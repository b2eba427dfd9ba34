"""The code of a net: one function a transition, which finds its bindings and fires them.

A function goes through the tokens that inputs ask for, binds variables to their
components, tests gates as soon as their variables are known, and writes the markings
that follow, one after the other. It gives the number of markings written so far, or −1
where only the token game can tell: something has no value, or there is no room.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final

from zermelo.core.nets.evaluate import Evaluator, variables_of
from zermelo.core.nets.ir import Net, Var
from zermelo.core.stops import FaultError
from zermelo.kernels.code import Tables
from zermelo.kernels.nets.binding import Binding, patterns
from zermelo.kernels.nets.firing import Firing
from zermelo.kernels.nets.packing import Packing, Slots
from zermelo.kernels.nets.plain import LOOP, effect, record
from zermelo.kernels.nets.ranges import constant
from zermelo.kernels.nets.scribe import Scribe, mixed
from zermelo.kernels.reps import Refused

MOST_MOVES: Final = 1 << 20
MOST_CODES: Final = 1 << 60
MOST_UNROLLED: Final = 250
"""Bindings for which code is written one by one, in all transitions together."""
MOST_LINES: Final = 60_000
"""Longer code would take too long to compile."""

MOST_WRITTEN: Final = 150
"""Transitions of black tokens for which code is written; more of them are put into a table."""

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
        found = 1
        for axis in self.axes:
            found *= axis.size
        return found


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
    records = _records(net, packing)
    evaluator = Evaluator(net)
    scribes = {
        at: Scribe(net, each, packing, tables, evaluator)
        for at, each in enumerate(net.transitions)
        if at not in records
    }
    unrolled = dict(zip(scribes, _all_unrolled(list(scribes.values())), strict=True))
    texts, entries, first, most = [], [], 0, len(records)
    numbers: list[int] = []
    for at, transition in enumerate(net.transitions):
        if at in records:
            entries.append(Entry(transition.name, first, ()))
            numbers += [first, *records[at]]
        else:
            text, entry = _written(scribes[at], at, first, unrolled[at])
            texts.append(text)
            entries.append(entry)
            most += scribes[at].most
        first += entries[-1].size
        if first > MOST_CODES or most > MOST_MOVES:
            raise Refused("there are too many bindings to number them")
    if sum(text.count("\n") for text in texts) > MOST_LINES:
        raise Refused("the code for it would be too long")
    calls = [f"fire_{at}(tab, row, out, moves, n)" for at in scribes]
    if records:
        place = tables.place(numbers)
        counts = f"{place}, {len(records)}, {packing.words}"
        calls.insert(0, f"fire_plain(tab, row, out, moves, n, {counts})")
        texts.insert(0, LOOP.strip())
    source = "\n\n".join((_HELPERS.strip(), *texts, _legal(calls), _VERDICT))
    return Emitted(source, tuple(tables.numbers), tuple(entries), max(most, 1))


def _records(net: Net, packing: Packing) -> dict[int, list[int]]:
    """The transitions that are put into a table, by number: all plain ones, if there are many."""
    found: dict[int, list[int]] = {}
    for at, transition in enumerate(net.transitions):
        does = effect(transition, packing)
        numbers = None if does is None else record(does, packing)
        if numbers is not None:
            found[at] = numbers
    return found if len(found) > MOST_WRITTEN else {}


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


def _all_unrolled(scribes: Sequence[Scribe]) -> list[tuple[Axis, ...]]:
    """The variables that are unrolled in each transition, as long as the code stays short."""
    wanted = [_unrolled(scribe) for scribe in scribes]
    counts = [prod(axis.size for axis in axes) for axes in wanted]
    found: list[tuple[Axis, ...]] = [()] * len(scribes)
    total = 0
    for at in sorted(range(len(scribes)), key=lambda at: (counts[at], at)):
        total += counts[at]
        if total <= MOST_UNROLLED:
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
    ranges: dict[str, tuple[int, int]] = {}
    sorts = {each.name: each for each in scribe.transition.variables}
    for arc in scribe.transition.inputs:
        packed = scribe.packing.of(arc.place)
        if isinstance(packed, Slots):
            continue
        for term in patterns(arc):
            for part, low, size in zip(term.components, packed.low, packed.sizes, strict=True):
                if isinstance(part, Var):
                    before = ranges.get(part.name, (low, low + size - 1))
                    ranges[part.name] = (max(low, before[0]), min(low + size - 1, before[1]))
    found = []
    for name, (low, high) in ranges.items():
        sort = sorts[name]
        first = low if sort.low is None else max(low, sort.low)
        last = high if sort.high is None else min(high, sort.high)
        found.append(Axis(name, first, max(0, last - first + 1)))
    return tuple(found)


def _may_hold(scribe: Scribe, chosen: dict[str, int]) -> bool:
    """Whether no gate is 0 for these values, as far as they tell."""
    for gate in scribe.transition.gates:
        if variables_of(gate) <= chosen.keys():
            try:
                if not scribe.evaluator.value(gate, chosen):
                    return False
            except FaultError:
                continue
    return True
