"""The code of a net: one function a transition, which finds its bindings and fires them.

A function goes through the tokens that inputs ask for, binds variables to their
components, tests gates as soon as their variables are known, and writes the markings
that follow, one after the other. It gives the number of markings written so far, or −1
where only the token game can tell: something has no value, or there is no room.

Firings that are the same in every marking are tests of fields, and numbers that are added.
Few of them are written out, so that firing one takes a handful of instructions and no
branch. Code for each of some thousand would take minutes to compile: these are put into
a table, and one loop over it fires all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import ExitStack
from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import prod
from operator import or_
from typing import Final

from zermelo.core.signature import Signature
from zermelo.fast.bits import signed
from zermelo.languages.nets.compile.binding import BindingCode
from zermelo.languages.nets.compile.expressions import constant
from zermelo.languages.nets.compile.firing import write_firing
from zermelo.languages.nets.compile.function_tables import FunctionTables
from zermelo.languages.nets.compile.packing import Counters, Packing, index
from zermelo.languages.nets.compile.transition_writer import TransitionWriter, mixed
from zermelo.languages.nets.compile.verdict import EnabledCode, VerdictCode, verdict_code
from zermelo.languages.nets.game.rules import NetRules
from zermelo.languages.nets.ir import Const, Interval, Net, Place, Transition, Var
from zermelo.languages.nets.run.evaluate import variables_of
from zermelo.languages.nets.run.ground import Ground, Spot, grounded, ranges_at, ranges_of
from zermelo.packing.code import Refused, Tables

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
_FEW_WORDS: Final = 2
"""Markings of so few words are written whether they follow or not: cheaper than a branch."""
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
LOOP: Final = """
def fire_plain(tab, row, out, moves, n, at, end, words):
    while at < end:
        code = load(tab, at)
        tests = load(tab, at + 1)
        limits = load(tab, at + 2)
        changes = load(tab, at + 3)
        at = at + 4
        if code < 0:
            if load(row, tests) & limits == 0:
                at = at + changes
        else:
            last = at + tests * 4
            following = last + limits * 4 + changes * 2
            ok = 1
            while at < last:
                field = shr(load(row, load(tab, at)), load(tab, at + 1)) & load(tab, at + 2)
                if below(field, load(tab, at + 3)) == 1:
                    ok = 0
                    at = last
                else:
                    at = at + 4
            if ok == 1:
                last = at + limits * 4
                while at < last:
                    field = shr(load(row, load(tab, at)), load(tab, at + 1)) & load(tab, at + 2)
                    if below(load(tab, at + 3), field) == 1:
                        return -1
                    at = at + 4
                made = out + n * words * 8
                word = 0
                while word < words:
                    store(made, word, load(row, word))
                    word = word + 1
                while at < following:
                    word = load(tab, at)
                    store(made, word, add(load(made, word), load(tab, at + 1)))
                    at = at + 2
                store(moves, n, code)
                n = n + 1
            at = following
    return n
"""
"""The function that fires what is in a table.

A code less than 0 stands before a group of firings: its word, the bits of which one must be
set for any of them, and how far it is behind the group.
"""


@dataclass(frozen=True, slots=True)
class Axis:
    """A variable of a transition in the codes of its moves: its lowest value, and how many."""

    name: str
    low: int
    size: int


@dataclass(frozen=True, slots=True)
class TransitionCodes:
    """A transition in the codes of moves."""

    name: str
    first: int
    axes: tuple[Axis, ...]

    @property
    def size(self) -> int:
        return prod(axis.size for axis in self.axes)

    def code(self, values: Sequence[int]) -> int:
        code = 0
        for axis, value in zip(self.axes, values, strict=True):
            code = code * axis.size + value - axis.low
        return self.first + code


@dataclass(frozen=True, slots=True)
class NetCode:
    """The code of a net."""

    source: str
    tables: tuple[int, ...]
    entries: tuple[TransitionCodes, ...]
    most_moves: int
    judged: VerdictCode


def emitted(net: Net, packing: Packing, rules: NetRules, signature: Signature) -> NetCode:
    """The code of *net*, played by *rules*, on such markings; raises ``Refused`` with the reason.

    *signature* is that of the net with its players.
    """
    tables = Tables()
    places = {place.name: place for place in net.places}
    ground = _ground(net, packing)
    plain = {at for at in ground if not net.transitions[at].variables}
    # Many transitions without variables are put into a table.
    listed = plain if len(plain) > MOST_WRITTEN else set()
    short = _short(ground, listed, packing.words)
    beforehand = FunctionTables(net)
    transition_writers = {
        at: TransitionWriter(net, each, packing, tables, beforehand)
        for at, each in enumerate(net.transitions)
        if at not in listed and at not in short
    }
    left = MOST_UNROLLED - sum(len(ground[at]) for at in short)
    unrolled = dict(
        zip(transition_writers, _all_unrolled(list(transition_writers.values()), left), strict=True)
    )
    texts, entries, first, most = [], [], 0, 0
    rows: list[tuple[int, Fire]] = []
    lines: list[str] = []
    written: dict[int, EnabledCode] = {}
    for at, transition in enumerate(net.transitions):
        if at in transition_writers:
            text, entry = _written(transition_writers[at], at, first, unrolled[at])
            texts.append(text)
            of_one = transition_writers[at].most
            written[at] = EnabledCode((), f"fire_{at}", of_one, "return -1" not in text)
            most += of_one
        else:
            entry = TransitionCodes(transition.name, first, _axes_of(transition, places))
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
    calls = [f"fire_{at}(tab, row, out, moves, n)" for at in transition_writers]
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
    judged = verdict_code(rules, signature, packing, tables, _enabled(net, ground, written))
    source = "\n\n".join((_HELPERS.strip(), *texts, _legal(calls), judged.source))
    return NetCode(source, tuple(tables.numbers), tuple(entries), max(most, 1), judged)


def _enabled(
    net: Net,
    ground: Mapping[int, Sequence[tuple[Ground, Fire]]],
    written: Mapping[int, EnabledCode],
) -> Mapping[str, EnabledCode]:
    """How it is found out whether each transition can fire, where a function is *written* by it."""
    return {
        transition.name: EnabledCode(tuple(fire.enabled or "1" for _, fire in ground[at]))
        if at in ground
        else written[at]
        for at, transition in enumerate(net.transitions)
    }


def _ground(net: Net, packing: Packing) -> dict[int, list[tuple[Ground, Fire]]]:
    found = {}
    for at, firings in enumerate(grounded(net)):
        known = None if firings is None else fires(firings, packing)
        if known is not None:
            found[at] = known
    return found


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
    ranges = ranges_of(transition, places)
    assert ranges is not None, "what is written out has ranges"
    variables = zip(transition.variables, ranges, strict=True)
    return tuple(Axis(each.name, values.start, len(values)) for each, values in variables)


def _legal(calls: Sequence[str]) -> str:
    lines = ["def legal(tab, row, out, moves, fires):", "    n = 0"]
    for call in calls:
        lines += [f"    n = {call}", "    if n < 0:", "        return -1"]
    return "\n".join([*lines, "    return n"])


def _all_unrolled(
    transition_writers: Sequence[TransitionWriter], most: int
) -> list[tuple[Axis, ...]]:
    """The variables that are unrolled in each transition, as long as the code stays short."""
    wanted = [_unrolled(transition_writer) for transition_writer in transition_writers]
    counts = [prod(axis.size for axis in axes) for axes in wanted]
    found: list[tuple[Axis, ...]] = [()] * len(transition_writers)
    total = 0
    for at in sorted(range(len(transition_writers)), key=lambda at: (counts[at], at)):
        total += counts[at]
        if total <= most:
            found[at] = wanted[at]
    return found


def _written(
    transition_writer: TransitionWriter, at: int, first: int, unrolled: tuple[Axis, ...]
) -> tuple[str, TransitionCodes]:
    """The function of a transition, whose number is *at*, and its moves among all moves."""
    writer = transition_writer.writer
    binding = BindingCode(transition_writer)
    writer.emit(*(f"w{word} = load(row, {word})" for word in transition_writer.words()))
    axes: tuple[Axis, ...] | None = None
    most = 0
    for values in product(*(range(axis.low, axis.low + axis.size) for axis in unrolled)):
        chosen = dict(zip((axis.name for axis in unrolled), values, strict=True))
        if not _may_hold(transition_writer, chosen):
            continue
        transition_writer.most = 1
        known = transition_writer.expressions.known
        known.clear()
        known.update({name: constant(value) for name, value in chosen.items()})
        with ExitStack() as blocks:
            binding.write(blocks)
            axes = axes or _axes(transition_writer, unrolled)
            code = "0"
            for axis in axes:
                code = mixed(code, known[axis.name], axis.low, axis.size)
            write_firing(transition_writer, blocks, f"{first} + {code}")
        most += transition_writer.most
    transition_writer.most = most
    writer.emit("return n")
    text = "\n".join([f"def fire_{at}(tab, row, out, moves, n):", *writer.lines])
    return text, TransitionCodes(transition_writer.transition.name, first, axes or unrolled)


def _axes(transition_writer: TransitionWriter, unrolled: Sequence[Axis]) -> tuple[Axis, ...]:
    """The variables in the codes of moves, once it is known between which numbers they lie."""
    given = {axis.name: axis for axis in unrolled}
    known = transition_writer.expressions.known
    return tuple(
        given.get(each.name)
        or Axis(each.name, known[each.name].low, known[each.name].high - known[each.name].low + 1)
        for each in transition_writer.transition.variables
    )


def _unrolled(transition_writer: TransitionWriter) -> tuple[Axis, ...]:
    """The variables for whose values code is written one by one: all that counters give.

    There are fewer bits to look for then, and nothing to compute. But where tokens alone give a
    variable its value, a component that stops keeps it from having one, whatever gates say.
    """
    transition = transition_writer.transition
    has_sorts = all(each.low is not None for each in transition.variables)
    terms = (term for arc in transition.inputs for term in arc.terms)
    parts = (part for term in terms for part in term.components)
    if not has_sorts and not all(isinstance(part, Var | Const | Interval) for part in parts):
        return ()
    inputs = [
        transition_writer.packing.of(arc.place) for arc in transition_writer.transition.inputs
    ]
    counted = {each.place.name: each.place for each in inputs if isinstance(each, Counters)}
    ranges = ranges_at(transition_writer.transition, counted)
    return tuple(Axis(name, values.start, len(values)) for name, values in ranges.items())


def _may_hold(transition_writer: TransitionWriter, chosen: dict[str, int]) -> bool:
    """Whether no gate is 0 for these values, as far as they tell."""
    return all(
        transition_writer.beforehand.may_hold(gate, chosen)
        for gate in transition_writer.transition.gates
        if variables_of(gate) <= chosen.keys()
    )


@dataclass(frozen=True, slots=True)
class FieldTest:
    """A field of a marking, compared with a number."""

    word: int
    shift: int
    mask: int
    number: int

    @property
    def numbers(self) -> tuple[int, int, int, int]:
        return self.word, self.shift, signed(self.mask), signed(self.number)

    @property
    def field(self) -> str:
        return f"(shr(w{self.word}, {self.shift}) & {self.mask})"

    @property
    def at_least(self) -> str:
        here = signed(self.mask << self.shift)
        if self.number == self.mask:
            return f"((w{self.word} & {here}) == {here})"
        if self.number == 1:
            return f"((w{self.word} & {here}) != 0)"
        return f"({self.field} >= {self.number})"


@dataclass(frozen=True, slots=True)
class Fire:
    """What a firing needs and does, on the words of a marking."""

    tests: tuple[FieldTest, ...]
    """Fields that have at least so many tokens."""
    limits: tuple[FieldTest, ...]
    """Fields that have at most so many, or there is no room for what is put there."""
    changes: tuple[tuple[int, int], ...]
    """Words, and what is added to each."""

    @property
    def record(self) -> list[int]:
        """The firing for ``LOOP``, without its code.

        How many tests, limits and changes there are, and these.
        """
        numbers = [len(self.tests), len(self.limits), len(self.changes)]
        for test in (*self.tests, *self.limits):
            numbers += test.numbers
        for word, change in self.changes:
            numbers += [word, signed(change)]
        return numbers

    @property
    def enabled(self) -> str:
        """The condition under which it is enabled; nothing if it always is."""
        return " & ".join(test.at_least for test in self.tests)

    def lines(self, code: int, words: int) -> Iterator[str]:
        """The firing written out, in a function where all words are in variables."""
        enabled = self.enabled
        for limit in self.limits:
            full = f"({limit.field} > {limit.number})"
            yield f"if {f'{enabled} & {full}' if enabled else full}:"
            yield "    return -1"
        changes = dict(self.changes)
        made = [
            f"store(made, {at}, add(w{at}, {signed(changes[at])}))"
            if changes.get(at)
            else f"store(made, {at}, w{at})"
            for at in range(words)
        ]
        writing = [f"made = out + n * {8 * words}", *made, f"store(moves, n, {code})"]
        if enabled and words <= _FEW_WORDS:
            yield from writing
            yield f"n = n + ({enabled})"
            return
        if enabled:
            yield f"if {enabled}:"
        for line in (*writing, "n = n + 1"):
            yield f"    {line}" if enabled else line


def table(firings: Iterable[tuple[int, Fire]]) -> list[int]:
    """The numbers for ``LOOP`` of firings with their codes.

    Those that need a token in the same word, and in the same field, stand together, so that
    all of them are passed over in one step where it is not there.
    """
    numbers: list[int] = []
    for word, of_word in _groups(firings, lambda test: test.word):
        inner: list[int] = []
        for _, of_field in _groups(of_word, lambda test: test.shift):
            records = [number for code, fire in of_field for number in (code, *fire.record)]
            inner += _guarded(word, of_field, records)
        numbers += _guarded(word, of_word, inner)
    return numbers


def _groups(
    firings: Iterable[tuple[int, Fire]], key: Callable[[FieldTest], int]
) -> list[tuple[int, list[tuple[int, Fire]]]]:
    """*firings* by the *key* of their first test; −1 for those that need nothing."""
    found: dict[int, list[tuple[int, Fire]]] = {}
    for each in firings:
        tests = each[1].tests
        found.setdefault(key(tests[0]) if tests else -1, []).append(each)
    return sorted(found.items())


def _guarded(word: int, firings: Sequence[tuple[int, Fire]], records: list[int]) -> list[int]:
    """*records* behind the test that tells whether one of them can fire."""
    if word < 0 or len(firings) == 1:
        return records
    first = (fire.tests[0] for _, fire in firings)
    bits = reduce(or_, (test.mask << test.shift for test in first))
    return [-1, word, signed(bits), len(records), *records]


def fires(firings: Sequence[Ground], packing: Packing) -> list[tuple[Ground, Fire]] | None:
    """What *firings* do, without those that no marking with this packing enables.

    ``None`` if one moves tokens of a place that has no counters, or more than there is room for.
    """
    found = []
    for firing in firings:
        spots = (*firing.taken, *firing.put)
        if not all(isinstance(packing.places[at], Counters) for at, _ in spots):
            return None
        made = _fire(firing, packing)
        if any(limit.number < 0 for limit in made.limits):
            return None
        if all(test.number <= test.mask for test in made.tests):
            found.append((firing, made))
    return found


def _fire(firing: Ground, packing: Packing) -> Fire:
    tests = [_test(packing, spot, count) for spot, count in firing.taken.items()]
    limits, changes = [], dict[int, int]()
    for spot in dict.fromkeys((*firing.taken, *firing.put)):
        packed = packing.places[spot[0]]
        assert isinstance(packed, Counters)
        more = firing.put.get(spot, 0) - firing.taken.get(spot, 0)
        if more > 0 and not packed.is_bounded:
            limits.append(_test(packing, spot, packed.most - more))
        if more:
            word, shift = packed.array.at(index(spot[1], packed))
            changes[word] = changes.get(word, 0) + (more << shift)
    return Fire(_joined(tests), tuple(limits), tuple(sorted(changes.items())))


def _joined(tests: Sequence[FieldTest]) -> tuple[FieldTest, ...]:
    """*tests* with those for one token in fields of one bit made one for each word."""
    bits: dict[int, int] = {}
    others = []
    for test in tests:
        if test.mask == test.number == 1:
            bits[test.word] = bits.get(test.word, 0) | 1 << test.shift
        else:
            others.append(test)
    return (*(FieldTest(word, 0, mask, mask) for word, mask in bits.items()), *others)


def _test(packing: Packing, spot: Spot, number: int) -> FieldTest:
    packed = packing.places[spot[0]]
    assert isinstance(packed, Counters)
    word, shift = packed.array.at(index(spot[1], packed))
    return FieldTest(word, shift, (1 << packed.array.width) - 1, number)
