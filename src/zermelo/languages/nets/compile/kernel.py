"""A net as compiled code: an ``Expander`` on packed markings.

What the code leaves open, a firing that a fault stops or a marking without room, is
asked of the token game. Where there is too little room, ``TooNarrow`` has an expander
with more of it, and who explores begins again on that one.

Tokens of many packed markings are counted word by word: where there is one bit a token, the
bits that are set are, and elsewhere counters are added up one by one. For all tokens of a
marking it is enough to know how many counters have a bit set, bit by bit.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from zermelo.core.arrays import Numbers, Rows
from zermelo.core.expander import PLAYER_BITS, Expansion, Native, TooNarrow
from zermelo.core.machine import Fault, Outcome, UnlistedMoves, unlisted
from zermelo.core.signature import Signature
from zermelo.core.state import Move, State
from zermelo.fast import jit
from zermelo.fast.bits import address, load, popcount, shl, shr, store
from zermelo.languages.nets.compile.emit import NetCode, emitted
from zermelo.languages.nets.compile.packing import (
    Counters,
    NoRoom,
    Packed,
    Packing,
    Room,
    Slots,
    packing,
    room_in,
)
from zermelo.languages.nets.game.rules import NO_RULES, NetRules
from zermelo.languages.nets.ir import Net
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.packing.code import Refused
from zermelo.packing.runner import Answer, Runner, functions_of
from zermelo.text import budget
from zermelo.text.errors import UsageError

VERSION = "2"
_FIRST_CAPACITY = 1 << 16
_FIRST_WORDS = 1 << 22
"""Room for successors at first: so many, or as many as these words hold."""
AT_ONCE = 1024
"""Markings that are counted at a time, so that their counts stay in the processor's cache."""
_NUMBERS: Final = 4
_MOST: Final = (1 << 63) - 1
_BITS: Final = (1 << 64) - 1
"""In place of a field's first bit, a number less than 0: the bits under its mask are counted."""


def kernel(
    net: Net, rules: NetRules = NO_RULES, *, compiled: bool = True, room: Room | None = None
) -> NetKernel | str:
    """A kernel for *net* as it is played by *rules*, or why there is none.

    Not *compiled*, its code runs as Python.
    """
    why = jit.available() if compiled else None
    if why is not None:
        return why
    try:
        form = packing(net, room or Room())
        game = TokenGame(net, rules)
        form.pack(game.initial)
        code = emitted(net, form, rules, game.signature)
        return NetKernel(net, rules, form, code, is_compiled=compiled)
    except NoRoom as found:
        return kernel(net, rules, compiled=compiled, room=found.room)
    except Refused as refused:
        return refused.reason
    except jit.NotCompiled as failure:
        return str(failure)


_STEPS_OF_A_MOVE: Final = 12


class NetKernel:
    """A net as code, for many markings at a time."""

    def __init__(
        self,
        net: Net,
        rules: NetRules,
        form: Packing,
        code: NetCode,
        *,
        is_compiled: bool,
        functions: Mapping[str, jit.Compiled] | None = None,
    ) -> None:
        self._net = net
        self._rules = rules
        self._machine = TokenGame(net, rules)
        self._packing = form
        self._code = code
        self._firsts = [entry.first for entry in code.entries]
        self._is_compiled = is_compiled
        if functions is None:
            functions = functions_of("net", code.source, VERSION, is_compiled=is_compiled)
        few = min(_FIRST_CAPACITY, _FIRST_WORDS // self.words)
        self._runner = Runner(
            functions,
            code.tables,
            source=code.source,
            words=self.words,
            most_moves=code.most_moves,
            capacity=max(few, 2 * code.most_moves),
        )

    @property
    def signature(self) -> Signature:
        return self._machine.signature

    @property
    def words(self) -> int:
        return self._packing.words

    @property
    def packing(self) -> Packing:
        return self._packing

    @property
    def layout(self) -> None:
        return

    @property
    def row_form(self) -> str:
        return self._packing.text

    def in_form(self, form: str) -> NetKernel | None:
        try:
            room = room_in(form)
            made = kernel(self._net, self._rules, compiled=self._is_compiled, room=room)
            if not isinstance(made, str) and made.row_form == form:
                return made if room.holds(self._packing.room) else None
        except ValueError:
            made = "it is not the form of markings"
        why = f": {made}" if isinstance(made, str) else ""
        raise UsageError(f"the markings are packed in another way than here{why}")

    def are_states(self, rows: Rows) -> bool:
        words = np.ascontiguousarray(rows).view(np.uint64)
        free = np.full(self.words, _BITS, dtype=np.uint64)
        for packed in self._packing.places:
            array = packed.array
            for number in range(array.count):
                word, shift = array.at(number)
                free[word] &= np.uint64(_BITS ^ ((1 << array.width) - 1) << shift)
            if isinstance(packed, Slots) and not _are_tokens(packed, words):
                return False
        if (words & free).any():
            return False
        most = [getattr(each, "total", None) for each in self._packing.places]
        bounds = [_MOST if each is None else each for each in most]
        return bool((self.tokens(rows) <= np.array(bounds, dtype=np.int64)).all())

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        return self._code.judged.outcomes

    @property
    def note(self) -> str:
        return "compiled code" if self._is_compiled else "generated code, run as Python"

    @property
    def reason(self) -> None:
        return None

    @property
    def rules(self) -> tuple[tuple[str, str], ...]:
        return ()

    @property
    def source(self) -> str:
        return self._code.source

    @property
    def native(self) -> Native | None:
        # Loops that look at one state at a time take every verdict for one.
        return self._runner.native if self._code.judged.is_sure else None

    # Expanding

    def expand(self, frontier: Rows) -> Expansion:
        return self._runner.expand(frontier, lambda at: self._told(frontier[at]))

    def _told(self, row: Rows) -> Answer:
        state = self.unpack(row)
        legal, faults = self._machine.legal(state), self._machine.faults(state)
        if (fault := unlisted(faults)) is not None:
            raise UnlistedMoves(fault)
        return Answer(
            states=[self.pack(self._machine.after(state, move)) for move in legal],
            moves=[self.code_of(move) for move in legal],
            verdict=self._verdict(state),
            is_faulty=bool(faults),
        )

    def tokens(self, rows: Rows) -> Rows:
        return self._counting.tokens(rows)

    def most_tokens(self, rows: Rows) -> tuple[int, int]:
        return self._counting.most(rows)

    @cached_property
    def _counting(self) -> TokenCounter:
        return TokenCounter(self._packing, is_compiled=self._is_compiled)

    def judge(self, states: Rows) -> Numbers:
        verdicts = self._runner.judge(states)
        for at in np.flatnonzero(verdicts < 0):
            verdicts[at] = self._verdict(self.unpack(states[at]))
        return verdicts

    def _verdict(self, state: State) -> int:
        """The verdict on *state* as the token game knows it."""
        player, outcome = self._machine.player(state), self._machine.outcome(state)
        names = [each.name for each in self.signature.players]
        in_turn = 0 if player is None else names.index(player.name) + 1
        if outcome is None or not self._machine.is_over(state):
            return in_turn
        return in_turn | (self.outcomes.index(outcome) + 1) << PLAYER_BITS

    def fired(self, frontier: Rows) -> Numbers:  # noqa: ARG002 - a net has no rules
        return np.zeros(0, dtype=np.int64)

    def broken(self, states: Rows) -> Numbers:
        return np.zeros(len(states), dtype=np.int64)

    def faults(self, row: Rows) -> Mapping[Move, Fault]:
        return self._machine.faults(self.unpack(row))

    # Names

    def pack(self, state: State) -> Rows:
        """*state* as one row; raises ``TooNarrow``, which knows an expander with room for it."""
        try:
            return np.array(self._packing.pack(state), dtype=np.int64)
        except NoRoom as found:
            room = found.room
            raise TooNarrow(
                state,
                lambda: kernel(self._net, self._rules, compiled=self._is_compiled, room=room),
            ) from None

    def unpack(self, row: Rows) -> State:
        return self._packing.unpack(row.tolist())

    def move(self, code: int) -> Move:
        budget.spend(_STEPS_OF_A_MOVE, "naming firings")
        # Many nodes of a graph ask: the last transition whose codes do not begin behind this one.
        entry = self._code.entries[bisect_right(self._firsts, code) - 1]
        code -= entry.first
        values = []
        for axis in reversed(entry.axes):
            code, at = divmod(code, axis.size)
            values.append(axis.low + at)
        return Move(entry.name, tuple(reversed(values)))

    def transitions_of(self, codes: Numbers) -> frozenset[str]:
        """The transitions of these *codes*, which are in order."""
        entries = self._code.entries
        firsts = np.searchsorted(codes, np.array(self._firsts, dtype=np.int64))
        ends = np.array([entry.first + entry.size for entry in entries], dtype=np.int64)
        is_there = firsts < np.searchsorted(codes, ends)
        return frozenset(entries[at].name for at in np.flatnonzero(is_there))

    def code_of(self, move: Move) -> int:
        entry = next(each for each in self._code.entries if each.name == move.name)
        values = [value for value in move.arguments if isinstance(value, int)]
        assert len(values) == len(move.arguments), "the variables of a net are whole numbers"
        return entry.code(values)

    def twin(self) -> NetKernel:
        return NetKernel(
            self._net,
            self._rules,
            self._packing,
            self._code,
            is_compiled=self._is_compiled,
            functions=self._runner.functions,
        )


def _are_tokens(packed: Slots, words: npt.NDArray[np.uint64]) -> bool:
    """Whether slots are filled from the first on, the largest token first, within its bounds."""
    array, before = packed.array, None
    for number in range(array.count):
        word, shift = array.at(number)
        codes = words[:, word] >> np.uint64(shift) & np.uint64((1 << array.width) - 1)
        there = codes[codes != 0]
        if (there < np.uint64(packed.present)).any():
            return False
        if before is not None and (codes > before).any():
            return False
        for size, bits, at in zip(packed.sizes, packed.bits, packed.shifts(), strict=True):
            parts = there >> np.uint64(at) & np.uint64((1 << bits) - 1)
            if (parts >= np.uint64(size)).any():
                return False
        before = codes
    return True


class TokenCounter:
    """Counts the tokens of markings that are packed in one form; any thread may ask."""

    def __init__(self, packing: Packing, *, is_compiled: bool) -> None:
        fields = [each for at, place in enumerate(packing.places) for each in _fields(at, place)]
        self._fields = np.array(fields, dtype=np.uint64).view(np.int64).reshape(-1, _NUMBERS)
        masks = [(word, bits, at) for (word, at), bits in _masks(fields).items()]
        self._masks = np.array(masks, dtype=np.uint64).view(np.int64).reshape(-1, 3)
        self._limit = _limit(packing)
        self._places = len(packing.places)
        self._words = packing.words
        self._loops = jit.load(_unit(), native=is_compiled)

    def tokens(self, rows: Rows) -> Rows:
        """How many tokens lie in each place, for each of *rows*; colours are summed over."""
        rows = np.ascontiguousarray(rows)
        found = np.empty((self._places, len(rows)), dtype=np.int64)
        self._loops["count_tokens"](*self._asked(rows, found))
        return found.T

    def most(self, rows: Rows) -> tuple[int, int]:
        """The most tokens in a place, and in a marking, of all *rows*."""
        rows = np.ascontiguousarray(rows)
        found = np.empty((self._places, AT_ONCE), dtype=np.int64)
        in_a_place = self._loops["most_in_a_place"](*self._asked(rows, found), self._limit)
        in_a_marking = self._loops["most_in_a_marking"](
            address(rows), len(rows), self._words, address(self._masks), len(self._masks)
        )
        return in_a_place, in_a_marking

    def _asked(self, rows: Rows, found: Rows) -> tuple[int, ...]:
        fields = address(self._fields), len(self._fields)
        return (address(rows), len(rows), self._words, *fields, address(found), self._places)


def _limit(packing: Packing) -> int:
    """More tokens than this are in no place, as far as that is known."""
    totals = [each.total if isinstance(each, Counters) else None for each in packing.places]
    known = [total for total in totals if total is not None]
    return max(known, default=0) if len(known) == len(totals) else (1 << 63) - 1


def _masks(fields: Iterable[tuple[int, int, int, int]]) -> dict[tuple[int, int], int]:
    """The bits of each word that count for 1, 2, 4 … tokens, by the word and that power."""
    found: dict[tuple[int, int], int] = {}
    for _, word, shift, mask in fields:
        if shift == _BITS:
            found[word, 0] = found.get((word, 0), 0) | mask
            continue
        for at in range(mask.bit_length()):
            found[word, at] = found.get((word, at), 0) | 1 << (shift + at)
    return found


def _fields(at: int, packed: Packed) -> Iterator[tuple[int, int, int, int]]:
    """The fields of the place with this number: its word, first bit (or ``_BITS``), and mask."""
    array = packed.array
    places = [array.at(number) for number in range(array.count)]
    if not isinstance(packed, Slots) and array.width > 1:
        for word, shift in places:
            yield at, word, shift, (1 << array.width) - 1
        return
    bits: dict[int, int] = {}
    for word, shift in places:
        # A slot that is taken has its highest bit set.
        bits[word] = bits.get(word, 0) | 1 << (shift + array.width - 1)
    for word, mask in bits.items():
        yield at, word, _BITS, mask


@cache
def _unit() -> jit.Unit:
    return jit.unit_of(
        "net-counting",
        (count_tokens, most_in_a_place, most_in_a_marking),
        exports=("count_tokens", "most_in_a_place", "most_in_a_marking"),
        constants={"AT_ONCE": AT_ONCE},
        level=3,
    )


def count_tokens(
    rows: int, n: int, words: int, fields: int, count: int, found: int, places: int
) -> int:
    """Write how many tokens lie in each of *places* to *found*, one row of it a place."""
    for i in range(n * places):
        store(found, i, 0)
    for field in range(count):
        counts = found + load(fields, 4 * field) * n * 8
        column = rows + load(fields, 4 * field + 1) * 8
        shift, mask = load(fields, 4 * field + 2), load(fields, 4 * field + 3)
        if shift < 0:
            for i in range(n):
                bits = popcount(load(column, i * words) & mask)
                store(counts, i, load(counts, i) + bits)
        else:
            for i in range(n):
                number = shr(load(column, i * words), shift) & mask
                store(counts, i, load(counts, i) + number)
    return 0


def most_in_a_place(
    rows: int, n: int, words: int, fields: int, count: int, found: int, places: int, limit: int
) -> int:
    """The most tokens in a place; not looked for further once there are *limit* of them.

    There is room for ``AT_ONCE`` markings at *found*.
    """
    greatest = 0
    start = 0
    while start < n and greatest < limit:
        size = min(AT_ONCE, n - start)
        count_tokens(rows + start * words * 8, size, words, fields, count, found, places)
        for i in range(size * places):
            greatest = max(greatest, load(found, i))
        start += size
    return greatest


def most_in_a_marking(rows: int, n: int, words: int, masks: int, count: int) -> int:
    """The most tokens in a marking: bits under *masks*, each with what it counts for."""
    heaviest = 0
    for i in range(n):
        row = rows + i * words * 8
        total = 0
        for k in range(count):
            bits = popcount(load(row, load(masks, 3 * k)) & load(masks, 3 * k + 1))
            total += shl(bits, load(masks, 3 * k + 2))
        heaviest = max(heaviest, total)
    return heaviest
