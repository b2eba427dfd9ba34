"""Compiled code under a checker: what it touches must belong to an array that is alive.

Where `turn_on` was called, every unit is translated with checks (see `zermelo.fast.translate`), and
every array whose address was taken is known here until it dies. The first access outside all of
them, the first call to where no code is, and the first operation that leaves 64 bits end the run of
compiled code with `NotAllowed`, which names the unit, its function and the line. An array is known
as a whole: code that leaves one view of it and stays within it is not noticed.

The checks slow compiled code down ten times and more. They are for tests and for finding faults.
"""

from __future__ import annotations

import bisect
import contextlib
import itertools
import sys
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds

from zermelo.fast import bits, jit
from zermelo.fast.bits import cas32, load, store
from zermelo.fast.translate import ACCESSES, CALLS, WATCH, Check, Record, signatures


class NotAllowed(RuntimeError):
    """Compiled code did what it must not do; the text says what, and where."""


# Both functions are compiled into every unit, from their source.


def checked_inside(record: int, which: int, start: int, size: int) -> int:
    """Whether *size* bytes from *start* on lie in one interval of a table of *record*."""
    table = load(record, which)
    low = 0
    high = load(table, 0)
    while low < high:
        middle = (low + high) >> 1
        if load(table, 1 + 2 * middle) <= start:
            low = middle + 1
        else:
            high = middle
    if low == 0:
        return 0
    return load(table, 2 * low) - start >= size


def checked_report(record: int, unit: int, site: int, check: int, first: int, second: int) -> None:
    """Write down what failed, unless something has failed before."""
    if cas32(record, 4, 0, 1) == 0:
        store(record, 4, unit)
        store(record, 5, site)
        store(record, 6, check)
        store(record, 7, first)
        store(record, 8, second)
        cas32(record, 6, 0, 1)


class Checker:
    """What compiled code may touch and call now, and what it did beyond that."""

    def __init__(self) -> None:
        self.record = np.zeros(len(Record), dtype=np.int64)
        self._lock = threading.Lock()
        self._arrays: dict[int, tuple[weakref.ref[Any], int, int]] = {}
        self._code: dict[int, weakref.ref[Any]] = {}
        # What dies may do so at any time, also while the lock is held; so it only joins a queue.
        self._dead: deque[tuple[dict[int, Any], int, weakref.ref[Any]]] = deque()
        self._is_stale = True
        self._bounds: list[tuple[int, int]] = []
        self._tables: list[object] = []
        """The tables that running code may still be reading."""
        self._running = 0
        self._units: list[jit.Unit] = []

    # What there is

    def array(self, array: Any) -> None:  # noqa: ANN401 - any array
        while isinstance(array.base, np.ndarray):
            array = array.base
        low, high = byte_bounds(array)
        key = id(array)
        with self._lock:
            known = self._arrays.get(key)
            if known is None or known[0]() is not array or known[1:] != (low, high):
                gone = weakref.ref(array, lambda ref: self._dead.append((self._arrays, key, ref)))
                self._arrays[key] = gone, int(low), int(high)
                self._is_stale = True

    def code(self, address: int, owner: object) -> None:
        with self._lock:
            gone = weakref.ref(owner, lambda ref: self._dead.append((self._code, address, ref)))
            self._code[address] = gone
            self._is_stale = True

    def _publish(self) -> None:
        """Let compiled code know what there is now; the lock is held."""
        while self._dead:
            kept, key, ref = self._dead.popleft()
            entry = kept.get(key)
            if entry is ref or (isinstance(entry, tuple) and entry[0] is ref):
                del kept[key]
                self._is_stale = True
        if not self._is_stale:
            return
        self._is_stale = False
        self._bounds = _disjoint((low, high) for _, low, high in self._arrays.values())
        calls = _disjoint((address, address + 1) for address in self._code)
        for which, intervals in ((Record.ARRAYS, self._bounds), (Record.CODE, calls)):
            words = [len(intervals), *itertools.chain.from_iterable(intervals)]
            table = np.array(words, dtype=np.int64)
            self._tables.append(table)
            self.record[which] = table.ctypes.data

    # Running

    @cached_property
    def source(self) -> str:
        """The functions that checked code calls."""
        functions = (checked_inside, checked_report)
        return jit.unit_of("checks", functions, exports=()).source

    def watched(
        self, unit: jit.Unit, functions: Mapping[str, jit.Compiled]
    ) -> dict[str, jit.Compiled]:
        """The exports of *unit*, told what they may touch."""
        self._units.append(unit)
        functions[WATCH](self.record.ctypes.data, len(self._units) - 1)
        result = {}
        for name in unit.exports:
            compiled = functions[name]
            self.code(compiled.address, compiled.owner)
            result[name] = replace(compiled, function=self._guarded(compiled.function))
        return result

    def _guarded(self, function: Callable[..., int]) -> Callable[..., int]:
        """*function*, which is compiled, with an exception where a check fails in it."""

        def run(*arguments: int) -> int:
            with self._lock:
                self._publish()
                self._running += 1
            try:
                return function(*arguments)
            finally:
                self._end()

        return run

    def _end(self) -> None:
        with self._lock:
            self._running -= 1
            told = self._told() if self.record[Record.FAILED] else None
            if not self._running:
                # Only the newest tables are read from now on.
                del self._tables[:-2]
                self.record[Record.TAKEN] = self.record[Record.FAILED] = 0
        if told is not None:
            raise NotAllowed(told)

    def _told(self) -> str:
        number, site, check, *pair = self.record[Record.UNIT :].tolist()
        unit = self._units[number]
        function = list(signatures(unit.source))[site >> 32]
        line = site & 0xFFFFFFFF
        text = unit.source.splitlines()[line - 1].strip()
        where = f"{unit.name}: {function}, line {line}: `{text}`"
        return f"{where}: {self._reason(Check(check), *pair)}"

    def _reason(self, check: Check, first: int, second: int) -> str:
        match check:
            case Check.MEMORY:
                return (
                    f"{second} bytes at {first:#x} are in no array that is alive{self._near(first)}"
                )
            case Check.CODE:
                return f"there is no code at {first:#x}"
            case Check.SHIFT:
                return f"{first} is shifted by {second}"
            case Check.DIVISION:
                return f"{first} is divided by 0"
            case Check.OVERFLOW:
                return f"with {first} and {second} the result leaves 64 bits"

    def _near(self, place: int) -> str:
        """Which array ends or begins near *place*."""
        at = bisect.bisect_right(self._bounds, (place, 1 << 64)) - 1
        near = [
            (abs(place - edge), f"; {abs(place - edge)} bytes {side} of one of {high - low} bytes")
            for low, high in self._bounds[max(0, at) : at + 2]
            for edge, side in ((high, "from the end"), (low, "from the beginning"))
        ]
        return min(near, default=(0, ""))[1]

    # The same for code that runs as Python

    def primitives(self) -> dict[str, Callable[..., int | None]]:
        calls = {name: self._call(bits.PRIMITIVES[name]) for name in CALLS}
        return {name: self._primitive(name) for name in ACCESSES} | calls

    def _primitive(self, name: str) -> Callable[..., int | None]:
        by, size = ACCESSES[name]
        function = bits.PRIMITIVES[name]

        def checked(p: int, i: int, *values: int) -> int | None:
            start = p + by * i
            with self._lock:
                self._publish()
                at = bisect.bisect_right(self._bounds, (start, 1 << 64)) - 1
                is_inside = at >= 0 and start + size <= self._bounds[at][1]
            if not is_inside:
                raise NotAllowed(f"{_caller()}: {self._reason(Check.MEMORY, start, size)}")
            return function(p, i, *values)

        return checked

    def _call(self, function: Callable[..., int | None]) -> Callable[..., int | None]:
        def checked(code: int, *values: int) -> int | None:
            # Python functions have negative addresses, and are looked up by them.
            if code >= 0 and code not in self._code:
                raise NotAllowed(f"{_caller()}: {self._reason(Check.CODE, code, 0)}")
            return function(code, *values)

        return checked


def _caller() -> str:
    """Where a primitive was called: the unit, the function and the line."""
    frame = sys._getframe(2)  # noqa: SLF001 - there is no other way to know
    unit = frame.f_code.co_filename.strip("<>")
    return f"{unit}: {frame.f_code.co_name}, line {frame.f_lineno}"


def _disjoint(intervals: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
    """*intervals* in order, those that overlap as one, and none that is empty.

    >>> _disjoint(iter([(5, 9), (1, 3), (2, 4), (4, 5), (7, 7)]))
    [(1, 4), (4, 5), (5, 9)]
    """
    found: list[tuple[int, int]] = []
    for low, high in sorted(intervals):
        if found and low < found[-1][1]:
            found[-1] = found[-1][0], max(high, found[-1][1])
        elif low < high:
            found.append((low, high))
    return found


def turn_on() -> Checker:
    """Compile with checks from now on; to be called before anything is compiled."""
    checker = Checker()
    jit.check_with(checker)
    return checker


@contextlib.contextmanager
def checks() -> Iterator[Checker]:
    """Compile with checks inside; code that was made there is not to be used after it."""
    try:
        yield turn_on()
    finally:
        jit.check_with(None)
