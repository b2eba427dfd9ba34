"""The code that numbers states by an ``Enumeration``, as source text for the compiler.

A state is read position by position, and the sums so far say where in the table of counts to
look. Of the cells of a board only those that hold something are read. Where a state has no
number, the table says so, and nothing after that is looked up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from zermelo.engines.space.numbering.enumeration import (
    INFEASIBLE,
    Enumeration,
    Letter,
    Position,
    shifted,
)
from zermelo.engines.space.numbering.ranking_code import LookupTables
from zermelo.fast.bits import signed


def functions(numbering: Enumeration, tables: LookupTables) -> Iterator[str]:
    """The text of ``rank`` and ``unrank``; *tables* gets what they look up."""
    code = _EnumerationCode(numbering, tables)
    if numbering.ending is not None:
        yield numbering.ending.source
    yield _function("rank(tab, row)", code.ranked())
    yield _function("unrank(tab, memory, number, row)", code.unranked())


def _function(head: str, lines: Sequence[str]) -> str:
    return "\n".join([f"def {head}:", *(f"    {line}" for line in lines)])


class _EnumerationCode:
    def __init__(self, numbering: Enumeration, tables: LookupTables) -> None:
        self._numbering = numbering
        self._tables = tables
        self._width = len(numbering.counts[0])
        self._nowhere = tables.add([INFEASIBLE] * self._width)
        self._rows = [self._offsets(at) for at in range(len(numbering.positions))]
        last = numbering.counts[-1]
        firsts = [INFEASIBLE] * len(last)
        for first, place in numbering.classes:
            firsts[place] = first
        self._class_at = tables.add(firsts)

    def _offsets(self, number: int) -> list[int]:
        """Where for each letter the table begins of what it adds, by the sums after it."""
        before, after = self._numbering.counts[number : number + 2]
        below = np.zeros(self._width, dtype=np.int64)
        found = []
        for letter in self._numbering.positions[number].letters:
            ways = shifted(before, self._step(letter))
            is_there = (ways > 0) & (after > 0)
            found.append(self._tables.add(np.where(is_there, below, INFEASIBLE).tolist()))
            below += ways
        return found

    def _step(self, letter: Letter) -> int:
        return sum(w * s for w, s in zip(letter.weights, self._numbering.steps, strict=True))

    # From a state to its number

    def ranked(self) -> list[str]:
        numbering = self._numbering
        lines = [f"w{word} = load(row, {word})" for word in range(numbering.words)]
        wrong = [
            f"((w{word} ^ {signed(value)}) & {signed(mask)})"
            for word, (mask, value) in enumerate(numbering.fixed)
            if mask
        ]
        if wrong:
            lines += [f"if ({' | '.join(wrong)}) != 0:", "    return -1"]
        lines += ["number = 0", f"at = {numbering.start}"]
        for key, group in groupby(range(len(numbering.positions)), self._board):
            numbers = list(group)
            if key is None:
                for number in numbers:
                    lines += self._read(number)
            else:
                lines += self._read_cells(numbers)
        return [
            *lines,
            f"v = load(tab, {self._class_at} + at)",
            "if v < 0:",
            "    return -1",
            "return number + v",
        ]

    def _board(self, number: int) -> tuple[tuple[int, int], ...] | None:
        """Where a board begins whose cells are read only where they hold something."""
        position = self._numbering.positions[number]
        first = position.letters[0]
        if position.cell < 0 or first.code or any(first.weights):
            return None
        return tuple((word, shift - position.cell) for word, shift in position.bits)

    def _read(self, number: int) -> list[str]:
        position = self._numbering.positions[number]
        table = self._by_code(number, len(position.bits))
        parts = [
            f"(shr(w{word}, {shift}) & 1) << {at}" for at, (word, shift) in enumerate(position.bits)
        ]
        return [f"x = {' | '.join(parts) or '0'}", *self._look_up(table, "x")]

    def _read_cells(self, numbers: Sequence[int]) -> list[str]:
        positions = self._numbering.positions
        origin = [(w, s - positions[numbers[0]].cell) for w, s in positions[numbers[0]].bits]
        size = max(positions[number].cell for number in numbers) + 1
        present = sum(1 << positions[number].cell for number in numbers)
        sets = len(origin)
        table = self._tables.add([self._nowhere, 0] * (size << sets))
        for number in numbers:
            base = table + 2 * (positions[number].cell << sets)
            self._enter(base, number, sets)
        lines = [f"b{at} = shr(w{w}, {s}) & {signed(present)}" for at, (w, s) in enumerate(origin)]
        code = " | ".join(f"(shr(b{at}, c) & 1) << {at}" for at in range(sets))
        return [
            *lines,
            f"m = {' | '.join(f'b{at}' for at in range(sets))}",
            "while m != 0:",
            "    c = lowest(m)",
            "    m = rest(m)",
            f"    x = (c << {sets}) | {code}",
            *(f"    {line}" for line in self._look_up(table, "x")),
        ]

    def _by_code(self, number: int, width: int) -> int:
        table = self._tables.add([self._nowhere, 0] * (1 << width))
        self._enter(table, number, width)
        return table

    def _enter(self, base: int, number: int, width: int) -> None:
        """Write for each letter of a position where what it adds is, and how far it goes."""
        position = self._numbering.positions[number]
        for letter, row in zip(position.letters, self._rows[number], strict=True):
            assert letter.code < 1 << width
            self._tables.numbers[base + 2 * letter.code] = row
            self._tables.numbers[base + 2 * letter.code + 1] = self._step(letter)

    @staticmethod
    def _look_up(table: int, code: str) -> list[str]:
        return [
            f"at = at + load(tab, {table + 1} + 2 * {code})",
            f"v = load(tab, load(tab, {table} + 2 * {code}) + at)",
            "if v < 0:",
            "    return -1",
            "number = number + v",
        ]

    # From a number to its state

    def unranked(self) -> list[str]:
        numbering, tables = self._numbering, self._tables
        words = range(numbering.words)
        count = len(numbering.classes)
        firsts = tables.add([first for first, _ in numbering.classes])
        places = tables.add([place for _, place in numbering.classes])
        lists = [
            self._letters(number, position) for number, position in enumerate(numbering.positions)
        ]
        begins = tables.add(lists)
        lines = [
            "low = 0",
            f"high = {count}",
            "while high - low > 1:",
            "    middle = (low + high) >> 1",
            f"    if load(tab, {firsts} + middle) <= number:",
            "        low = middle",
            "    else:",
            "        high = middle",
            f"number = number - load(tab, {firsts} + low)",
            f"at = load(tab, {places} + low)",
            *(f"e{word} = {signed(numbering.fixed[word][1])}" for word in words),
            f"j = {len(numbering.positions) - 1}",
            "while j >= 0:",
            f"    p = load(tab, {begins} + j)",
            "    v = load(tab, load(tab, p) + at)",
            # The last letter that adds no more than what is left.
            "    while v < 0 or v > number:",
            f"        p = p + {2 + numbering.words}",
            "        v = load(tab, load(tab, p) + at)",
            "    number = number - v",
            "    at = at - load(tab, p + 1)",
            *(f"    e{word} = e{word} | load(tab, p + {2 + word})" for word in words),
            "    j = j - 1",
            *(f"store(row, {word}, e{word})" for word in words),
        ]
        if numbering.ending is not None:
            numbers = tables.add(numbering.ending.numbers or (0,))
            lines.append(f"return ended(tab + {8 * numbers}, row, row, 0)")
        else:
            lines.append("return 0")
        return lines

    def _letters(self, number: int, position: Position) -> int:
        """The letters of a position, the last first: where what it adds is, its step, its bits."""
        found: list[int] = []
        for letter, row in reversed(list(zip(position.letters, self._rows[number], strict=True))):
            found += [row, self._step(letter), *position.parts(letter, self._numbering.words)]
        return self._tables.add(found)
