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
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

import numpy as np

from zermelo.core.expander import Numbers, Rows
from zermelo.engines.solve.codes import Codes, Coding
from zermelo.engines.space.keys import Bytes, Keys, Run
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
"""How hard blocks are packed."""


class NotASolution(UsageError):
    """A file that is no solution, is damaged, or was made for something else."""


@dataclass(frozen=True, slots=True)
class _Block:
    """Some states: their keys, one after the other, and for each seeker their codes."""

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
        """How many states are in it."""
        return int(self.header["states"])

    @cached_property
    def coding(self) -> Coding:
        """How values are written as numbers."""
        return Coding(self.header["value_bytes"])

    @cached_property
    def keys(self) -> Keys:
        """How states are written as keys."""
        runs = tuple(Run(*run) for run in self.header["key"]["runs"])
        return Keys(runs, tuple(self.header["key"]["fixed"]))

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
        """The codes of the state at *place*, one for each seeker."""
        block = self._block(place // BLOCK)
        return [int(column[place % BLOCK]) for column in block.columns]

    # Many states

    def rows_at(self, places: Numbers) -> Rows:
        """The states at *places*."""
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
        """All codes for one seeker, by place."""
        return self._all[1][number]

    @cached_property
    def _all(self) -> tuple[Bytes, list[Codes]]:
        """All keys and all codes, out of their blocks."""
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
        """How many blocks there are."""
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
        """The first key of each block."""
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
    keys = Keys(tuple(Run(*run) for run in header["key"]["runs"]), tuple(header["key"]["fixed"]))
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
    start = _after(json.dumps(header, ensure_ascii=False), len(contents))
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


def _after(text: str, sections: int) -> int:
    """Where sections may begin, after a header of which *text* is the greater part."""
    return _aligned(START + len(text.encode()) + 256 + 160 * sections)


def _aligned(at: int) -> int:
    return -(-at // ALIGNED) * ALIGNED
