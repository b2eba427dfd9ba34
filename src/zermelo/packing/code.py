"""Generated code while it is written: lines, fresh names, tables, and errors on the way.

The text is Python in which every value is a 64-bit number or a truth value; it holds no word of the
document. Tables are numbers in one block of memory that the code gets by its address.

An expression may come to an error: a fault, or a local outside its declaration. The code then sets
``e`` and goes on with whatever values are there; who asked for the expression looks at ``e``
afterwards. While ``e`` is set nothing else can set it, so the first error is the one that counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from string import ascii_letters
from typing import Final

from zermelo.core.machine import Spanned

FAULT: Final = 1
SKIP: Final = 2
MOST_LINES: Final = 12_000
"""Longer code would take too long to compile."""
MOST_PASSES: Final = 1_000_000_000
"""So often all loops for one state may be passed through: nothing stops code before it is done."""


_NO_ASSIGNMENT: Final = ("if ", "elif ", "while ", "e = ", "store(", "return ")
CALLED: Final = "value_"
"""What the names of functions begin with that are called for a value, which may take long."""


class Refused(Exception):
    """A construct that has no generated code; the model then runs on its interpreter."""

    def __init__(self, reason: str, node: Spanned | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.node = node


class Tables:
    """The numbers that code looks up, each table once."""

    def __init__(self) -> None:
        # The first is nobody's, so that −1, which stands for "not there", is within the block.
        self.numbers: list[int] = [0]
        self._known: dict[tuple[int, ...], int] = {}

    def place(self, numbers: Sequence[int]) -> int:
        key = tuple(numbers)
        if key not in self._known:
            self._known[key] = len(self.numbers)
            self.numbers.extend(key)
        return self._known[key]

    def reserve(self, size: int) -> int:
        """Where room for *size* numbers begins that code may write to."""
        start = len(self.numbers)
        self.numbers.extend([0] * size)
        return start


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in a function that is being written."""

    line: int
    indent: int
    names: int


class Writer:
    """Writes one function."""

    def __init__(self, tables: Tables, guards: int | None = None) -> None:
        self.tables = tables
        self.guards = guards
        """Where in the tables the guards that are tested are counted, if they are."""
        self.lines: list[str] = []
        self.may_fail = False
        """Whether ``e`` may be set where the code now stands."""
        self.on_fault: tuple[str, ...] = ("return -1",)
        """What the code does when a fault stops a statement."""
        self.on_unsure: tuple[str, ...] = ("return -2",)
        """What it does when only the interpreter can go on."""
        self.path: frozenset[int] = frozenset()
        """The blocks that have surely been run where the code now stands."""
        self.versions: dict[str, int] = {}
        """How often each variable of the system has been written."""
        self.passes = 0
        """How often all loops together may be passed through, at most."""
        self._implied: dict[str, frozenset[int]] = {}
        """The blocks that have been run wherever a condition holds."""
        self._around = 1
        """How often the place where the code now stands may be come to."""
        self._blocks = 0
        self._indent = 1
        self._names = 0

    def emit(self, *lines: str) -> None:
        self.lines += ["    " * self._indent + line for line in lines]
        if len(self.lines) > MOST_LINES:
            raise Refused("the code for it would be too long")

    def name(self, kind: str = "t") -> str:
        self._names += 1
        return f"{kind}{self._names}"

    def keep(self, code: str, kind: str = "t") -> str:
        """The name of a variable that holds what *code* gives; names and numbers stay."""
        return code if code.isidentifier() or code.isdigit() else self.variable(code, kind)

    def variable(self, code: str, kind: str = "t") -> str:
        """The name of a new variable that holds what *code* gives at first."""
        name = self.name(kind)
        self.emit(f"{name} = {code}")
        return name

    def mark(self) -> Mark:
        return Mark(len(self.lines), self._indent, self._names)

    def put(self, mark: Mark, lines: Sequence[str]) -> None:
        self.lines[mark.line : mark.line] = ["    " * mark.indent + line for line in lines]

    def plain_lines(self, start: int, most: int) -> list[str]:
        """The lines from *start* on, if they are few assignments and nothing else; or none."""
        lines = [line.strip() for line in self.lines[start:]]
        is_plain = all(
            " = " in line and f" = {CALLED}" not in line and not line.startswith(_NO_ASSIGNMENT)
            for line in lines
        )
        return lines if len(lines) <= most and is_plain else []

    def note_write(self, variable: str) -> None:
        self.versions[variable] = self.versions.get(variable, 0) + 1

    def has_given(self, name: str, path: frozenset[int]) -> bool:
        """Whether *name*, which was given a value where *path* led, has it here."""
        return path <= self.path and any(
            line.lstrip().startswith(f"{name} = ") for line in self.lines
        )

    def is_newer(self, name: str, mark: Mark) -> bool:
        return int(name.lstrip(ascii_letters) or 0) > mark.names

    @contextmanager
    def block(self, head: str) -> Iterator[int]:
        """Write what follows inside ``head:``; gives the number of the block."""
        self.emit(f"{head}:")
        self._indent += 1
        self._blocks += 1
        number, path = self._blocks, self.path
        self.path = path | {number} | self._implied.get(head.removeprefix("if "), frozenset())
        before = len(self.lines)
        yield number
        if len(self.lines) == before:
            self.emit("pass")
        self._indent -= 1
        self.path = path

    def dissolve(self, block: int) -> None:
        """Note that what stood in *block*, which ended just now, is run in any case."""
        self.path |= {block}

    def unwrap(self, block: int, start: int) -> None:
        """Take the head of *block*, which ended just now, away from the line *start*."""
        inside = self.lines[start + 1 :]
        self.lines[start:] = [] if _is_pass(inside) else [line[4:] for line in inside]
        self.dissolve(block)

    def implies(self, condition: str, *causes: str, blocks: Sequence[int] = ()) -> None:
        """Note that where *condition* holds *causes* do, and *blocks* have been run."""
        known = (self._implied.get(cause, frozenset()) for cause in causes)
        self._implied[condition] = frozenset(blocks).union(*known)

    @contextmanager
    def loop(self, head: str, most: int) -> Iterator[None]:
        """Write what follows inside ``head:``, which goes round at most so often."""
        around = self._around
        self._around *= max(most, 1)
        self.count_passes(1)
        with self.block(head):
            yield
        self._around = around

    def count_passes(self, passes: int) -> None:
        """Count so many *passes* through loops wherever the code comes here."""
        self.passes += self._around * passes
        if self.passes > MOST_PASSES:
            raise Refused(f"in one state up to {self.passes:,} members of sets are gone through")

    def fail(self, condition: str, kind: int = FAULT) -> None:
        """Note an error of *kind* where *condition* holds."""
        if condition in {"False", "0"}:
            return
        head = f"e == 0 and ({condition})" if self.may_fail else condition
        self.when(head, f"e = {kind}")
        self.may_fail = True

    def stop(self, condition: str, lines: tuple[str, ...]) -> None:
        """Write *lines*, which leave the statement, where *condition* holds."""
        if condition in {"False", "0"}:
            return
        if not lines:
            raise Refused("what only the interpreter can decide, in a verdict")
        self.when(condition, *lines)

    def when(self, condition: str, *lines: str) -> None:
        with self.block(f"if {condition}"):
            self.emit(*lines)

    def count_guard(self) -> None:
        """Count one more guard, or condition on an argument, that is tested."""
        if self.guards is not None:
            self.emit(f"store(tab, {self.guards}, load(tab, {self.guards}) + 1)")

    def look_up(self, numbers: Sequence[int], at: str) -> str:
        start = self.tables.place(numbers)
        return f"load(tab, {start} + {at})" if start else f"load(tab, {at})"


def _is_pass(lines: Sequence[str]) -> bool:
    return [line.strip() for line in lines] == ["pass"]
