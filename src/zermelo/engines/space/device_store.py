"""The states of an exploration in the memory of a device, each once, with the level of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from zermelo.core.arrays import Numbers, Piece, Rows
from zermelo.core.expander import FAULTY, PLAYER_BITS, Expander, Native
from zermelo.engines.space import device_loops as loops
from zermelo.engines.space.store import NOWHERE, StateStore
from zermelo.fast import table_loops
from zermelo.fast.device import Device, DeviceFailed, Memory, NoRoomOnDevice
from zermelo.fast.jit import Unit, unit_of
from zermelo.text.prose import count

SLOTS: Final = 1 << 24
"""How many slots a table has at first."""
_QUICK: Final = 1 << 28
"""Smaller tables become four times as large at once, larger ones twice."""
MOST_WORDS: Final = 2
"""States of more words are not kept on a device."""
_MOST_OWN: Final = 1 << 15
"""How many words a thread may have of its own."""
_MOST_RULES: Final = 64
_FAULTY_ROOM: Final = 1 << 18
"""So many states of a level are kept in which a fault stops a move."""
_WIDE: Final = 255
"""Levels from here on take four bytes."""
_SLOT_BITS: Final = 48
MADE: Final = 1 << 25
"""So many states after others are written until they are inserted."""
_BLOCKS: Final = 1 << 12
"""How many blocks of states a level may have."""
_MOVES: Final = re.compile(r"\bstore\(moves, .*\)$", re.MULTILINE)
KERNELS: Final = ("expand", "insert", "rehash", "widen", "find", "read_slots")


_SHARED: Final = (
    *(loops.marked, loops.mark, loops.is_odd, loops.place_of, loops.copy_state, loops.blank),
    *(
        loops.take,
        loops.clear,
        loops.count_tally,
        loops.count_some,
        loops.counts_of,
        loops.count_end,
        loops.count_fired,
        loops.note_fault,
    ),
    *(loops.expand, loops.insert, loops.rehash, loops.widen, loops.find, loops.read_slots),
)


class NotOnDevice(Exception):
    """The text says, in one sentence without its full stop, why the host does the work."""


@dataclass(frozen=True, slots=True)
class DeviceCode:
    """The loops with the kernel of a document, for one kind of device."""

    unit: Unit
    own: int
    """How many words each thread has of its own."""
    buckets: int
    players: int
    rules: int
    is_writing_tables: bool


def device_code(expander: Expander, *, pairs: bool, rules: bool = False) -> DeviceCode:
    """The code that explores with the kernel of *expander*; raises ``NotOnDevice``."""
    native = expander.native
    if native is None:
        raise NotOnDevice(f"there is no compiled code: {expander.reason or expander.note}")
    if expander.words > MOST_WORDS:
        raise NotOnDevice(
            f"a state has {expander.words} words of 64 bits, and a GPU keeps states of "
            f"{MOST_WORDS} at most"
        )
    players = len(expander.signature.players)
    buckets = (len(expander.outcomes) + 1) * (players + 1)
    counted = len(expander.rules) if rules else 0
    own = native.most_moves * (expander.words + bool(counted)) + buckets + counted
    if own > _MOST_OWN or counted > _MOST_RULES:
        raise NotOnDevice(
            f"a state may have {count(native.most_moves, 'move')}, which are too many"
        )
    writes = "store(tab," in native.source
    enter = loops.enter_word
    if expander.words > 1:
        enter = loops.enter_pair if pairs else loops.enter_by_claim
    made = unit_of(
        "device",
        [table_loops.mixed, enter, *_SHARED],
        exports=KERNELS,
        constants={
            **{name: value for name, value in vars(table_loops).items() if name.isupper()},
            **{name: value for name, value in vars(loops).items() if name.isupper()},
            "WORDS": expander.words,
            "MOST": native.most_moves,
            "BUCKETS": buckets,
            "RULES": counted,
            "PLAYERS": players,
            "TABLE_STRIDE": len(native.numbers) if writes else 0,
            "OVER": 1 << PLAYER_BITS,
            "FAULT": FAULTY,
        },
        level=3,
    )
    # Which move leads where is asked for a few states afterwards, and then by the host.
    kernel = _MOVES.sub("pass", native.source)
    chosen = made.source.replace(f"def {enter.__name__}(", "def enter(")
    unit = replace(made, source=f"{kernel}\n\n{chosen}")
    return DeviceCode(unit, own, buckets, players, counted, writes)


def slot_bytes(words: int) -> int:
    """What a slot takes, with the level of its state."""
    return 8 * words + 1


@dataclass(frozen=True, slots=True)
class Followed:
    """What one launch gave."""

    counts: Numbers
    """What was counted, see ``device_loops``."""
    taken: int
    """How many places of the queue were asked for."""
    faulty: int
    """In how many states a fault stops a move."""
    seconds: float


class DeviceStore(StateStore):
    """States in the memory of *device*: those of the level at hand, and a table of all of them."""

    def __init__(
        self,
        device: Device,
        expander: Expander,
        *,
        rules: bool = False,
        slots: int = SLOTS,
    ) -> None:
        self._device = device
        self._words = expander.words
        self.code = device_code(expander, pairs=device.swaps_pairs, rules=rules)
        native = expander.native
        assert native is not None, "code was made of it"
        self._memories: dict[str, Memory] = {}
        self._by_depth: list[int] = []
        self._peak = 0
        self._most_moves = max(1, native.most_moves)
        self.program = device.program(self.code.unit, self.code.own)
        self.threads = self.program.threads("expand")
        self.insert_threads = self.program.threads("insert")
        # There has to be room for all moves of a state.
        self._made = max(MADE, 2 * max(loops.CHUNK, native.most_moves))
        self._slots = slots
        self._is_wide = False
        self._tallies = loops.TALLIES + self.code.buckets + self.code.rules
        self._job = np.zeros(loops.COUNTS + loops.COPIES * self._tallies, dtype=np.int64)
        self._made_taken = 0
        self._front: list[Memory] = []
        self._queue: list[Memory] = []
        """The blocks of the level at hand, and of the next one."""
        self._begin(native)

    def _begin(self, native: Native) -> None:
        copies = self.threads if self.code.is_writing_tables else 1
        self._allot("job", self._job.nbytes)
        self._allot("tables", native.numbers.nbytes * copies).write(np.tile(native.numbers, copies))
        self._allot("progress", 8 * self.threads)
        self._allot("insert_progress", 8 * self.insert_threads)
        self._allot("made", 8 * self._words * self._made)
        self._allot("faulty", 8 * self._words * _FAULTY_ROOM)
        self._allot("table", 8 * self._words * self._slots)
        self._allot("levels", self._slots)
        self._allot("front", 8 * _BLOCKS)
        self._allot("queue", 8 * _BLOCKS)
        self._front.append(self._block())
        self._queue.append(self._block())
        self._list_blocks()
        self.clear()

    def clear(self) -> None:
        """Forget all states."""
        self._memories["table"].fill(loops.EMPTY & 0xFF)
        self._memories["levels"].fill(0)
        self._by_depth = []

    # What is there

    @property
    def note(self) -> str:
        return (
            f"an open-addressing table in the memory of {self._device.name}: "
            f"{count(self._slots, 'slot')} of {slot_bytes(self._words)} bytes"
        )

    @property
    def states(self) -> int:
        return sum(self._by_depth)

    @property
    def by_depth(self) -> tuple[int, ...]:
        return tuple(self._by_depth)

    @property
    def bytes(self) -> int:
        return self._peak

    @property
    def numbers_end(self) -> int:
        return self._slots

    def needed(self, states: int) -> int:
        slots = self._slots
        while self._room(slots) < states:
            slots *= self._times(slots)
        return slots * slot_bytes(self._words)

    @staticmethod
    def _room(slots: int) -> int:
        """How many states a table of so many slots holds without becoming slow."""
        return slots * 7 // 10

    @staticmethod
    def _times(slots: int) -> int:
        return 4 if slots < _QUICK else 2

    # Memory

    def _allot(self, name: str, size: int) -> Memory:
        """Memory for *name*."""
        self._memories[name] = self._allotted(size)
        return self._memories[name]

    def _allotted(self, size: int) -> Memory:
        taken = self._taken()
        try:
            made = self._device.memory(size)
        except NoRoomOnDevice as failure:
            free = self._device.free_bytes()
            raise NotOnDevice(
                f"{size:,} bytes more are needed on {self._device.name}, and {free:,} are free"
            ) from failure
        self._peak = max(self._peak, taken + size)
        return made

    def room_left(self, queue_taken: int = 0) -> int:
        """How many more states the table holds, besides those of the queue."""
        return self._room(self._slots) - self.states - queue_taken

    def grow(self) -> None:
        """Give the table more slots."""
        slots = self._slots * self._times(self._slots)
        width = 4 if self._is_wide else 1
        old, old_levels = self._memories.pop("table"), self._memories.pop("levels")
        try:
            self._allot("table", 8 * self._words * slots).fill(loops.EMPTY & 0xFF)
            self._allot("levels", width * slots).fill(0)
            self._peak = max(self._peak, self._taken() + old.size + old_levels.size)
            old_slots, self._slots = self._slots, slots
            self._run(
                "rehash",
                old_slots,
                {
                    loops.OLD_TABLE: old.address,
                    loops.OLD_LEVELS: old_levels.address,
                    loops.OLD_SLOTS: old_slots,
                },
            )
        finally:
            old.free()
            old_levels.free()

    def _taken(self) -> int:
        memories = (*self._memories.values(), *self._front, *self._queue)
        return sum(each.size for each in memories)

    def widen(self) -> None:
        """Let levels take four bytes."""
        if self._is_wide:
            return
        old = self._memories.pop("levels")
        self._allot("levels", 4 * self._slots)
        self._peak = max(self._peak, self._taken() + old.size)
        self._run("widen", self._slots, {loops.OLD_LEVELS: old.address})
        self._is_wide = True
        old.free()

    # Levels

    @property
    def queue_rows(self) -> int:
        """How many places the next level may take until it gets more memory."""
        return len(self._queue) << loops.BLOCK_BITS

    def extend_queue(self, places: int) -> None:
        """Let the next level have so many *places* at least."""
        missing = -(-places >> loops.BLOCK_BITS) - len(self._queue)
        if missing > 0:
            self._queue += [self._block() for _ in range(missing)]
            self._list_blocks()

    def _block(self) -> Memory:
        if len(self._queue) == _BLOCKS:
            raise NotOnDevice(f"a level has more than {_BLOCKS << loops.BLOCK_BITS:,} states")
        return self._allotted(8 * self._words << loops.BLOCK_BITS)

    def _list_blocks(self) -> None:
        for name, blocks in (("front", self._front), ("queue", self._queue)):
            addresses = [each.address for each in blocks]
            self._memories[name].write(np.array([0, *addresses], dtype=np.int64)[1:])

    def start(self, row: Rows) -> None:
        """Put the first state in, which is the first level."""
        batch = self._device.memory(64)
        batch.write(np.ascontiguousarray(row, dtype=np.int64).reshape(-1))
        batch.write(np.ones(1, dtype=np.int64), at=32)
        fields = {
            loops.OLD_TABLE: batch.address,
            loops.OLD_LEVELS: batch.address + 32,
            loops.OLD_SLOTS: 1,
        }
        self._run("rehash", 1, fields)
        self._front[0].write(np.ascontiguousarray(row, dtype=np.int64).reshape(-1))
        batch.free()
        self._by_depth = [1]

    def seal_level(self, states: int) -> None:
        """Let the queue, which has so many *states*, be the level at hand."""
        memories = self._memories
        memories["front"], memories["queue"] = memories["queue"], memories["front"]
        self._front, self._queue = self._queue, self._front
        if states:
            self._by_depth.append(states)

    def follow(self, places: int, fields: dict[int, int], *, expands: bool) -> Followed:
        """Follow some of the level at hand, which takes so many *places*, as *fields* say.

        Unless it *expands*, only what an earlier launch left is inserted.
        """
        if fields[loops.LEVEL] >= _WIDE:
            self.widen()
        memories, job = self._memories, self._job
        job[:] = 0
        job[loops.FRONT], job[loops.COUNT] = memories["front"].address, places
        job[loops.QUEUE], job[loops.TABLES] = memories["queue"].address, memories["tables"].address
        job[loops.MADE], job[loops.MADE_LIMIT] = memories["made"].address, self._made
        job[loops.MADE_TAKEN] = 0 if expands else self._made_taken
        job[loops.PROGRESS] = memories["progress"].address
        job[loops.INSERT_PROGRESS] = memories["insert_progress"].address
        job[loops.IS_FRESH_INSERT] = int(expands)
        job[loops.FAULTY_ROWS], job[loops.FAULTY_ROOM] = memories["faulty"].address, _FAULTY_ROOM
        self._describe()
        for which, value in fields.items():
            job[which] = value
        memories["job"].write(job)
        steps = [("expand", min(self.threads, places))] if expands else []
        inserts = min(self.insert_threads, places * self._most_moves)
        seconds = self.program.launch([*steps, ("insert", inserts)], memories["job"].address)
        memories["job"].read(job)
        self._made_taken = int(job[loops.MADE_TAKEN])
        counts = job[loops.COUNTS :].reshape(loops.COPIES, self._tallies).sum(axis=0)
        return Followed(counts, int(job[loops.TAKEN]), int(job[loops.FAULTY]), seconds)

    def faulty_rows(self, number: int) -> Rows:
        """The states in which a fault stops a move, so many; raises if they were not all kept."""
        if number > _FAULTY_ROOM:
            raise NotOnDevice(f"a fault stops moves in {count(number, 'state')} of a level")
        rows = np.empty((number, self._words), dtype=np.int64)
        if number:
            self._memories["faulty"].read(rows)
        return rows

    def _describe(self) -> None:
        job, memories = self._job, self._memories
        job[loops.TABLE], job[loops.MASK] = memories["table"].address, self._slots - 1
        job[loops.LEVELS], job[loops.IS_WIDE] = memories["levels"].address, int(self._is_wide)

    def _run(self, name: str, work: int, fields: dict[int, int]) -> None:
        self._job[:] = 0
        self._describe()
        for which, value in fields.items():
            self._job[which] = value
        self._memories["job"].write(self._job)
        threads = min(self.program.threads(name), max(1, work))
        self.program.launch([(name, threads)], self._memories["job"].address)

    # Asking for states

    def levels_and_rows(self) -> list[Rows]:
        """All states, level by level."""
        table = np.empty((self._slots, self._words), dtype=np.int64)
        levels = self._levels_of_slots(0, self._slots)
        self._memories["table"].read(table)
        return [table[levels == level + 1] for level in range(len(self._by_depth))]

    def _levels_of_slots(self, first: int, last: int) -> Any:  # noqa: ANN401 - of either width
        width = 4 if self._is_wide else 1
        levels = np.empty(last - first, dtype=np.uint32 if self._is_wide else np.uint8)
        self._memories["levels"].read(levels, at=width * first)
        return levels

    def _found(self, rows: Rows) -> Numbers:
        """The slot and the level of each of *rows*."""
        rows = np.ascontiguousarray(rows, dtype=np.int64)
        found = np.full((len(rows), 2), NOWHERE, dtype=np.int64)
        if len(rows):
            batch, ids = self._device.memory(rows.nbytes), self._device.memory(found.nbytes)
            batch.write(rows)
            fields = {
                loops.BATCH: batch.address,
                loops.IDS: ids.address,
                loops.COUNT: len(rows),
            }
            self._run("find", len(rows), fields)
            ids.read(found)
            batch.free()
            ids.free()
        return found

    def numbers(self, rows: Rows) -> Numbers:
        return np.ascontiguousarray(self._found(rows)[:, 0])

    def levels(self, rows: Rows) -> Numbers:
        return np.ascontiguousarray(self._found(rows)[:, 1])

    def at(self, numbers: Numbers) -> Rows:
        numbers = np.ascontiguousarray(numbers, dtype=np.int64)
        rows = np.empty((len(numbers), self._words), dtype=np.int64)
        if len(numbers):
            batch, ids = self._device.memory(rows.nbytes), self._device.memory(numbers.nbytes)
            ids.write(numbers)
            fields = {
                loops.BATCH: batch.address,
                loops.IDS: ids.address,
                loops.COUNT: len(numbers),
            }
            self._run("read_slots", len(numbers), fields)
            batch.read(rows)
            batch.free()
            ids.free()
        return rows

    def pieces(self, level: int, size: int, *, skip: int = 0) -> list[Piece]:
        assert not skip, "whole levels are followed on a device"
        step = max(1, size * self._slots // self._by_depth[level])
        return [
            (level << _SLOT_BITS | first, min(first + step, self._slots))
            for first in range(0, self._slots, step)
        ]

    def rows(self, piece: Piece) -> Rows:
        level, first = piece[0] >> _SLOT_BITS, piece[0] & ((1 << _SLOT_BITS) - 1)
        levels = self._levels_of_slots(first, piece[1])
        return self.at(first + np.flatnonzero(levels == level + 1))

    def pending(self, size: int) -> Iterator[Rows]:  # noqa: ARG002 - there never are any
        return iter(())

    def insert(self, rows: Rows) -> int:  # noqa: ARG002 - nobody else puts states in
        raise DeviceFailed("states are put in by the device itself")

    def seal(self) -> int:
        return 0

    def free(self) -> None:
        for memory in (*self._memories.values(), *self._front, *self._queue):
            memory.free()
