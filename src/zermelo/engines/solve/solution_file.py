"""Solutions in files: sorted keys of states and their codes, mapped into memory.

The format is described in docs/reference/file-formats.md. Nothing is used before it was
compared: the header with its digest and with what can be, the tables with the digests in the
header, each block with its checksum and with what the tables say of it.
"""

from __future__ import annotations

import mmap
import os
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np

from zermelo.core.adapter import MachineExpander
from zermelo.core.arrays import Numbers, Rows
from zermelo.core.expander import Expander
from zermelo.core.layout import Layout
from zermelo.engines.solve.codes import Codes, Coding
from zermelo.engines.solve.solution_header import (
    SECTIONS,
    WrongHeader,
    aligned,
    checked_header,
    keys_in,
)
from zermelo.engines.solve.state_keys import Bytes
from zermelo.files.sealed import digest_of, json_bytes
from zermelo.files.writing import Lock, Place, find, lock_beside, replace
from zermelo.text.errors import UsageError

MAGIC: Final = b"zermelo solution"
VERSION: Final = 2
BLOCK: Final = 1024
"""How many states a block has; each block has checksums of its own."""
START: Final = 64
"""Where the header begins: after the magic words, two numbers, a digest and eight zeros."""
SUM: Final = 8
"""How many bytes of its SHA-256 digest are the checksum of a block."""
ADVICE: Final = "solve the document again"
_REMEMBERED: Final = 256
"""So many blocks that were asked for are kept at hand."""
_LEVEL: Final = 6


class NotASolution(UsageError):
    """A file that is no solution, is damaged, or was made for something else."""


@dataclass(frozen=True, slots=True)
class _Block:
    """Some states: their keys, one after the other, and for each objective their codes."""

    keys: bytes
    columns: list[Codes]


class SolutionFile:
    """A solution in a file: what its header says, its states by place, and their codes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            is_file = path.is_file() or not path.exists()
            if is_file:
                with path.open("rb") as stream:
                    self._map = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            raise UsageError(f"`{path}` could not be read: {error.strerror}") from error
        except ValueError as error:
            raise NotASolution(f"`{path}` is empty") from error
        if not is_file:
            raise NotASolution(f"`{path}` is no file")
        text = self._header_text()
        try:
            self.header: Mapping[str, Any] = checked_header(text)
        except WrongHeader as error:
            raise self._damaged(f"its header cannot be right, as to {error}") from error
        self.keys = keys_in(self.header)
        self._sections: Mapping[str, tuple[int, int]] = self._found_sections(START + len(text))
        self._known: dict[int, _Block] = {}

    def _found_sections(self, end: int) -> dict[str, tuple[int, int]]:
        """Where each section begins, and how long it is; between them are zeros."""
        sizes = {
            "fences": self.blocks * self.keys.length,
            "starts": (self.blocks + 1) * 8,
            "sums": self.blocks * SUM,
        }
        if any(self.header["sections"][name] != size for name, size in sizes.items()):
            raise self._damaged("its sections have not the sizes for so many states")
        found: dict[str, tuple[int, int]] = {}
        for name in SECTIONS:
            start, size = aligned(end), self.header["sections"][name]
            if any(self._map[end:start]):
                raise self._damaged("there is something between its sections")
            found[name] = start, size
            end = start + size
        if len(self._map) != end:
            raise self._damaged("its length is not what its header says")
        return found

    @property
    def states(self) -> int:
        return int(self.header["states"])

    @cached_property
    def coding(self) -> Coding:
        return Coding(self.header["value_bytes"])

    # One state

    def place(self, row: Rows) -> int:
        """The place of a state among the sorted ones; −1 if it is not there."""
        key = self.keys.key(row.tolist())
        if key is None:
            return -1
        block = bisect_right(self._fences, key) - 1
        if block < 0:
            return -1
        keys, length = self._block(block).keys, self.keys.length
        count = len(keys) // length
        found = bisect_left(range(count), key, key=lambda at: keys[at * length : (at + 1) * length])
        is_there = found < count and keys[found * length : (found + 1) * length] == key
        return block * BLOCK + found if is_there else -1

    def codes_at(self, place: int) -> list[int]:
        block = self._block(place // BLOCK)
        return [int(column[place % BLOCK]) for column in block.columns]

    # Many states

    def rows_at(self, places: Numbers) -> Rows:
        return self.keys.rows(self._all[0][places])

    def places(self, rows: Rows) -> Numbers:
        """The places of *rows*; −1 for states that are not there."""
        wanted = _texts(self.keys.keys(np.ascontiguousarray(rows)))
        every = _texts(self._all[0])
        found = np.searchsorted(every, wanted)
        inside = np.minimum(found, self.states - 1)
        is_there = self.keys.fits(rows) & (every[inside] == wanted)
        return np.where(is_there, found, -1).astype(np.int64)

    def column(self, number: int) -> Codes:
        return self._all[1][number]

    @cached_property
    def _all(self) -> tuple[Bytes, list[Codes]]:
        keys = np.empty((self.states, self.keys.length), dtype=np.uint8)
        columns: list[Codes] = [
            np.empty(self.states, dtype=self.coding.dtype) for _ in self.header["seekers"]
        ]
        for number in range(self.blocks):
            block = self._unpacked(number)
            part = slice(number * BLOCK, (number + 1) * BLOCK)
            keys[part] = np.frombuffer(block.keys, dtype=np.uint8).reshape(-1, self.keys.length)
            for column, codes in zip(columns, block.columns, strict=True):
                column[part] = codes
        return keys, columns

    # Blocks

    @property
    def blocks(self) -> int:
        return -(-self.states // BLOCK)

    def check_all(self) -> None:
        """Compare all checksums; raises ``NotASolution`` if anything is damaged."""
        for block in range(self.blocks):
            self._unpacked(block)

    def _block(self, number: int) -> _Block:
        """A block, of which the last few are remembered."""
        known = self._known.pop(number, None) or self._unpacked(number)
        self._known[number] = known
        if len(self._known) > _REMEMBERED:
            self._known.pop(next(iter(self._known)))
        return known

    def _unpacked(self, number: int) -> _Block:
        """A block, after its checksum was compared."""
        first = self._sections["data"][0]
        data = self._map[first + self._starts[number] : first + self._starts[number + 1]]
        if _sum(data) != self._sums[number * SUM : (number + 1) * SUM]:
            raise self._damaged(f"block {number:,} has another checksum")
        count = min(BLOCK, self.states - number * BLOCK)
        widths = [self.keys.length] + [self.coding.size] * len(self.header["seekers"])
        planes = np.frombuffer(self._inflated(data, count * sum(widths)), dtype=np.uint8)
        keys, *columns = np.split(planes, [count * end for end in accumulate(widths)][:-1])
        sorted_keys = np.ascontiguousarray(keys.reshape(-1, count).T)
        texts = _texts(sorted_keys)
        if (texts[1:] <= texts[:-1]).any() or sorted_keys[0].tobytes() != self._fences[number]:
            raise self._damaged(f"the states of block {number:,} are not in order")
        return _Block(
            sorted_keys.tobytes(),
            [
                np.ascontiguousarray(each.reshape(-1, count).T).view(self.coding.dtype).reshape(-1)
                for each in columns
            ],
        )

    def _inflated(self, data: bytes, size: int) -> bytes:
        """What *data* packs, which is of this *size*; no more than that is ever unpacked."""
        unpacking = zlib.decompressobj()
        try:
            found = unpacking.decompress(data, size + 1)
        except zlib.error as error:
            raise self._damaged("a block is not packed as it should be") from error
        if len(found) != size or not unpacking.eof or unpacking.unused_data:
            raise self._damaged("a block has not as many bytes as its states need")
        return found

    @cached_property
    def _fences(self) -> list[bytes]:
        text = self._section("fences")
        length = self.keys.length
        found = [text[at : at + length] for at in range(0, len(text), length)]
        if any(before >= after for before, after in pairwise(found)):
            raise self._damaged("its blocks are not in order")
        return found

    @cached_property
    def _starts(self) -> list[int]:
        """Where the data of each block begin, and where those of the last one end."""
        found: list[int] = np.frombuffer(self._section("starts"), dtype="<u8").tolist()
        is_rising = all(before < after for before, after in pairwise(found))
        if not is_rising or (found[0], found[-1]) != (0, self._sections["data"][1]):
            raise self._damaged("its blocks are not one behind the other")
        return found

    @cached_property
    def _sums(self) -> bytes:
        return self._section("sums")

    def _section(self, name: str) -> bytes:
        start, size = self._sections[name]
        text = self._map[start : start + size]
        if digest_of([text]).hex() != self.header["digests"][name]:
            raise self._damaged(f"its {name} have another digest")
        return text

    def _header_text(self) -> bytes:
        """The header, after it and what is before it was compared with its digest."""
        if self._map[: len(MAGIC)] != MAGIC:
            raise NotASolution(f"`{self.path}` is not a solution that zermelo wrote")
        version = int.from_bytes(self._map[16:20], "little")
        if version != VERSION:
            raise NotASolution(
                f"`{self.path}` is a solution of version {version}, and this program reads "
                f"version {VERSION}; {ADVICE}"
            )
        size = int.from_bytes(self._map[20:24], "little")
        text = self._map[START : START + size]
        if digest_of([self._map[:24], text]) != self._map[24:56] or any(self._map[56:START]):
            raise self._damaged("its header has another digest")
        return text

    def _damaged(self, how: str) -> NotASolution:
        return NotASolution(f"`{self.path}` is damaged: {how}; {ADVICE}")


def _texts(keys: Bytes) -> Any:  # noqa: ANN401 - numpy has no name for arrays of texts of one length
    """Keys as texts of one length, which numpy compares byte by byte."""
    return np.ascontiguousarray(keys).view(f"S{keys.shape[1]}").reshape(len(keys))


def _sum(data: bytes) -> bytes:
    return digest_of([data])[:SUM]


# Writing


@contextmanager
def solution_output(path: Path) -> Iterator[None]:
    """Keep every other process from writing a solution to *path*."""
    with ExitStack() as held:
        try:
            found = find(path)
            if isinstance(found, Place):
                held.enter_context(Lock(lock_beside(found.path), f"a solution in {path}"))
        except OSError as error:
            raise UsageError(f"`{path}` could not be written: {error.strerror}") from error
        yield


def write(path: Path, header: Mapping[str, Any], rows: Rows, columns: list[Codes]) -> None:
    """Write a solution: the *rows*, in any order, with their codes; adds to *header* the rest."""
    keys = keys_in(header)
    words = keys.words(rows)
    order = np.lexsort(tuple(words[:, at] for at in reversed(range(words.shape[1]))))
    del words
    sorted_keys = keys.keys(rows[order])
    ordered = [column[order] for column in columns]
    data = _packed(sorted_keys, ordered)
    tables = {
        "fences": sorted_keys[::BLOCK].tobytes(),
        "starts": np.array([0, *accumulate(map(len, data))], dtype="<u8").tobytes(),
        "sums": b"".join(map(_sum, data)),
    }
    sizes = {**{name: len(each) for name, each in tables.items()}, "data": sum(map(len, data))}
    digests = {name: digest_of([each]).hex() for name, each in tables.items()}
    whole = {**header, "sections": sizes, "digests": digests}
    text = json_bytes(whole)
    first = MAGIC + VERSION.to_bytes(4, "little") + len(text).to_bytes(4, "little")
    beginning = first + digest_of([first, text]) + bytes(START - len(first) - 32) + text
    try:
        replace(path, _in_sections([[beginning], *([each] for each in tables.values()), data]))
    except OSError as error:
        raise UsageError(f"`{path}` could not be written: {error.strerror}") from error


def _in_sections(contents: Iterable[Iterable[bytes]]) -> Iterator[bytes]:
    """The *contents* one behind the other, with zeros between them."""
    at = 0
    for parts in contents:
        yield bytes(aligned(at) - at)
        at = aligned(at)
        for part in parts:
            yield part
            at += len(part)


def _packed(keys: Bytes, columns: list[Codes]) -> list[bytes]:
    """The blocks: byte by byte what is alike lies together, which packs well."""

    def packed(first: int) -> bytes:
        part = slice(first, first + BLOCK)
        planes = [keys[part].T.tobytes()]
        for column in columns:
            codes = np.ascontiguousarray(column[part]).view(np.uint8)
            planes.append(codes.reshape(-1, column.dtype.itemsize).T.tobytes())
        return zlib.compress(b"".join(planes), _LEVEL)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(packed, range(0, len(keys), BLOCK), chunksize=16))


# Rows of an expander and of a file


def packing(expander: Expander) -> Layout:
    """Where the variables lie in a packed state; raises ``UsageError`` if they cannot be packed."""
    if expander.layout is not None:
        return expander.layout
    why = "its states are only numbered"
    if isinstance(expander, MachineExpander):
        if isinstance(expander.packing, Layout):
            return expander.packing
        why = expander.packing.reason
    raise UsageError(f"the solution cannot be kept in a file: {why}")


@dataclass(frozen=True, slots=True)
class FileRows:
    """Leads from an expander's rows to those of a file and back.

    They are the same where the expander packs states.
    """

    expander: Expander
    layout: Layout

    def to_file(self, rows: Rows) -> Rows:
        if self.expander.layout is not None:
            return rows
        try:
            packed = [self.layout.pack(self.expander.unpack(row)) for row in rows]
        except ValueError as error:
            raise UsageError("a number is too large to be kept in a file") from error
        return np.array(packed, dtype=np.int64).reshape(len(packed), self.layout.words)

    def from_file(self, rows: Rows) -> Rows:
        if self.expander.layout is not None:
            return rows
        found = [self.expander.pack(self.layout.unpack(row.tolist())) for row in rows]
        return np.array(found, dtype=np.int64).reshape(len(found), self.expander.words)


def file_rows(expander: Expander) -> FileRows:
    """The bridge to files of *expander*; raises ``UsageError`` if states cannot be packed."""
    return FileRows(expander, packing(expander))
