"""Solutions in files: sorted keys of states and their codes, mapped into memory.

The format is described in docs/reference/file-formats.md. Nothing is read from a
block of a file before the block's checksum was compared.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo.core.adapter import MachineExpander
from zermelo.core.arrays import Numbers, Rows
from zermelo.core.expander import Expander
from zermelo.core.layout import Layout
from zermelo.engines.solve.codes import Codes, Coding
from zermelo.text.errors import UsageError

MAGIC: Final = b"zermelo solution"
VERSION: Final = 1
BLOCK: Final = 1024
"""How many states a block has; each block has checksums of its own."""
ALIGNED: Final = 64
START: Final = 64
"""Where the header begins: after the magic words, two numbers, its digest and eight zeros."""
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
            with path.open("rb") as stream:
                self._map = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            raise UsageError(f"`{path}` could not be read: {error.strerror}") from error
        except ValueError as error:
            raise NotASolution(f"`{path}` is empty") from error
        self.header: Mapping[str, Any] = self._checked_header()
        self._sections: Mapping[str, tuple[int, int]] = {
            name: (start, size) for name, start, size in self.header["sections"]
        }
        if len(self._map) != max(start + size for start, size in self._sections.values()):
            raise self._damaged("its length is not what its header says")
        self._known: dict[int, _Block] = {}

    @property
    def states(self) -> int:
        return int(self.header["states"])

    @cached_property
    def coding(self) -> Coding:
        return Coding(self.header["value_bytes"])

    @cached_property
    def keys(self) -> StateKeys:
        return _keys_in(self.header)

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
        if zlib.crc32(data) != self._sums[number]:
            raise self._damaged(f"block {number:,} has another checksum")
        planes = np.frombuffer(zlib.decompress(data), dtype=np.uint8)
        count = min(BLOCK, self.states - number * BLOCK)
        widths = [self.keys.length] + [self.coding.size] * len(self.header["seekers"])
        keys, *columns = np.split(planes, [count * end for end in accumulate(widths)][:-1])
        return _Block(
            keys.reshape(-1, count).T.tobytes(),
            [
                np.ascontiguousarray(each.reshape(-1, count).T).view(self.coding.dtype).reshape(-1)
                for each in columns
            ],
        )

    @cached_property
    def _fences(self) -> list[bytes]:
        text = self._section("fences")
        length = self.keys.length
        return [text[at : at + length] for at in range(0, len(text), length)]

    @cached_property
    def _starts(self) -> list[int]:
        """Where the data of each block begin, and where those of the last one end."""
        found: list[int] = np.frombuffer(self._section("starts"), dtype="<u8").tolist()
        return found

    @cached_property
    def _sums(self) -> list[int]:
        found: list[int] = np.frombuffer(self._section("sums"), dtype="<u4").tolist()
        return found

    def _section(self, name: str) -> bytes:
        start, size = self._sections[name]
        text = self._map[start : start + size]
        if hashlib.sha256(text).hexdigest() != self.header["digests"][name]:
            raise self._damaged(f"its {name} have another digest")
        return text

    def _checked_header(self) -> Mapping[str, Any]:
        if self._map[: len(MAGIC)] != MAGIC:
            raise NotASolution(f"`{self.path}` is not a solution that zermelo wrote")
        version = int.from_bytes(self._map[16:20], "little")
        if version != VERSION:
            raise NotASolution(
                f"`{self.path}` is a solution of version {version}; "
                f"this program reads version {VERSION}"
            )
        size = int.from_bytes(self._map[20:24], "little")
        text = self._map[START : START + size]
        if hashlib.sha256(text).digest() != self._map[24:56]:
            raise self._damaged("its header has another digest")
        header: Mapping[str, Any] = json.loads(text)
        return header

    def _damaged(self, how: str) -> NotASolution:
        return NotASolution(f"`{self.path}` is damaged: {how}")


def _texts(keys: Bytes) -> Any:  # noqa: ANN401 - numpy has no name for arrays of texts of one length
    """Keys as texts of one length, which numpy compares byte by byte."""
    return np.ascontiguousarray(keys).view(f"S{keys.shape[1]}").reshape(len(keys))


# Writing


def write(path: Path, header: Mapping[str, Any], rows: Rows, columns: list[Codes]) -> None:
    """Write a solution: the *rows*, in any order, with their codes; adds to *header* the rest."""
    keys = _keys_in(header)
    words = keys.words(rows)
    order = np.lexsort(tuple(words[:, at] for at in reversed(range(words.shape[1]))))
    del words
    sorted_keys = keys.keys(rows[order])
    ordered = [column[order] for column in columns]
    data = _packed(sorted_keys, ordered)
    starts = np.array([0, *accumulate(map(len, data))], dtype="<u8").tobytes()
    sums = np.array([zlib.crc32(block) for block in data], dtype="<u4").tobytes()
    contents = {
        "fences": sorted_keys[::BLOCK].tobytes(),
        "starts": starts,
        "sums": sums,
        "data": b"".join(data),
    }
    sections: list[tuple[str, int, int]] = []
    # After a header of which this is the greater part.
    text = json.dumps(header, ensure_ascii=False).encode()
    start = _aligned(START + len(text) + 256 + 160 * len(contents))
    for name, content in contents.items():
        sections.append((name, start, len(content)))
        start = _aligned(start + len(content))
    digests = {
        name: hashlib.sha256(content).hexdigest()
        for name, content in contents.items()
        if name != "data"
    }
    whole = {**header, "sections": sections, "digests": digests}
    text = json.dumps(whole, ensure_ascii=False).encode()
    beginning = MAGIC + VERSION.to_bytes(4, "little") + len(text).to_bytes(4, "little")
    beginning += hashlib.sha256(text).digest() + bytes(8) + text
    _write_whole(path, beginning, [(start, contents[name]) for name, start, _ in sections])


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


def _write_whole(path: Path, beginning: bytes, parts: list[tuple[int, bytes]]) -> None:
    """Write a file under another name, and move it to its place when it is whole."""
    unfinished = path.with_name(path.name + ".part")
    try:
        with unfinished.open("wb") as stream:
            stream.write(beginning)
            for start, content in parts:
                stream.write(bytes(start - stream.tell()))
                stream.write(content)
        unfinished.replace(path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise UsageError(f"`{path}` could not be written: {error.strerror}") from error


def _aligned(at: int) -> int:
    return -(-at // ALIGNED) * ALIGNED


Bytes: TypeAlias = npt.NDArray[np.uint8]
Words: TypeAlias = npt.NDArray[np.uint64]

_WORD: Final = 64
_ALL: Final = (1 << _WORD) - 1


@dataclass(frozen=True, slots=True)
class BitRun:
    """Some bits of a packed state: *width* of them from bit *shift* of word *word* on."""

    word: int
    shift: int
    width: int


@dataclass(frozen=True)
class StateKeys:
    """How keys are made: runs of bits, the first one the most significant, in whole bytes."""

    runs: tuple[BitRun, ...]
    fixed: tuple[int, ...]
    """The other bits of each word, which are the same in all states."""

    @cached_property
    def length(self) -> int:
        return max(1, -(-sum(run.width for run in self.runs) // 8))

    def words(self, rows: Rows) -> Words:
        """The keys as numbers, those with more than 64 bits in several words, highest first."""
        plain = rows.view(np.uint64)
        out = np.zeros((len(rows), -(-self.length // 8)), dtype=np.uint64)
        for run, place, shift in self._places():
            bits = (plain[:, run.word] >> np.uint64(run.shift)) & np.uint64((1 << run.width) - 1)
            out[:, place] |= bits << np.uint64(shift)
            if shift + run.width > _WORD:
                out[:, place - 1] |= bits >> np.uint64(_WORD - shift)
        return out

    def _places(self) -> Iterator[tuple[BitRun, int, int]]:
        """Each run with the word of a key in which its lowest bit is, and the place there."""
        last, at = -(-self.length // 8) - 1, 0
        for run in reversed(self.runs):
            yield run, last - at // _WORD, at % _WORD
            at += run.width

    def keys(self, rows: Rows) -> Bytes:
        """The keys of *rows*, whose other bits must be as they should."""
        words = np.ascontiguousarray(self.words(rows).astype(">u8"))
        return np.ascontiguousarray(words.view(np.uint8)[:, -self.length :])

    def key(self, words: Sequence[int]) -> bytes | None:
        """The key of one state, given by its words; ``None`` if its other bits are not right."""
        key = 0
        for word, mask, fixed in zip(words, self._other_bits, self.fixed, strict=True):
            if word & mask != fixed:
                return None
        for run in self.runs:
            bits = words[run.word] >> run.shift & (1 << run.width) - 1
            key = key << run.width | bits
        return key.to_bytes(self.length, "big")

    def rows(self, keys: Bytes) -> Rows:
        count = -(-self.length // 8)
        padded = np.zeros((len(keys), count * 8), dtype=np.uint8)
        padded[:, -self.length :] = keys
        words = padded.view(">u8").astype(np.uint64)
        fixed = np.array(self.fixed, dtype=np.uint64)
        out = np.repeat(fixed.reshape(1, -1), len(keys), axis=0)
        for run, place, shift in self._places():
            bits = words[:, place] >> np.uint64(shift)
            if shift + run.width > _WORD:
                bits |= words[:, place - 1] << np.uint64(_WORD - shift)
            bits &= np.uint64((1 << run.width) - 1)
            out[:, run.word] |= bits << np.uint64(run.shift)
        return out.view(np.int64)

    def fits(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """Which of *rows* have the other bits as they should be."""
        masks = np.array(self._other_bits, dtype=np.uint64)
        fixed = np.array(self.fixed, dtype=np.uint64)
        matches: npt.NDArray[np.bool_] = ((rows.view(np.uint64) & masks) == fixed).all(axis=1)
        return matches

    @cached_property
    def _other_bits(self) -> tuple[int, ...]:
        masks = [_ALL] * len(self.fixed)
        for run in self.runs:
            masks[run.word] &= ~(((1 << run.width) - 1) << run.shift) & _ALL
        return tuple(masks)


def keys_for(varying: Sequence[int], first: Sequence[int]) -> StateKeys:
    """Keys for states in which only the *varying* bits of each word differ from *first*.

    >>> keys_for([0b1101], [0b0010]).runs
    (BitRun(word=0, shift=0, width=1), BitRun(word=0, shift=2, width=2))
    """
    runs: list[BitRun] = []
    for word, mask in enumerate(varying):
        at = 0
        while bits := mask >> at:
            # The ones that the bits begin with, from the lowest.
            width = (~bits & (bits + 1)).bit_length() - 1
            if width:
                runs.append(BitRun(word, at, width))
            at += width or 1
    fixed = tuple(value & ~mask & _ALL for value, mask in zip(first, varying, strict=True))
    return StateKeys(tuple(runs), fixed)


def _keys_in(header: Mapping[str, Any]) -> StateKeys:
    runs = tuple(BitRun(*run) for run in header["key"]["runs"])
    return StateKeys(runs, tuple(header["key"]["fixed"]))


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
