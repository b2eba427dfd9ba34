"""A net as compiled code: an ``Expander`` on packed markings.

What the code leaves open, a firing that a fault stops or a marking without room, is
asked of the token game. Where there is too little room, ``TooNarrow`` has an expander
with more of it, and who explores begins again on that one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from zermelo.core.expander import Expansion, Native, Numbers, Rows, TooNarrow
from zermelo.core.machine import Fault, Move, Outcome, State
from zermelo.fast import jit
from zermelo.languages.nets.compile.counting import Counting
from zermelo.languages.nets.compile.emit import Emitted, Entry, emitted
from zermelo.languages.nets.compile.packing import NoRoom, Packing, Room, packing
from zermelo.languages.nets.ir import Net
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.languages.sections.compile.reps import Refused
from zermelo.languages.sections.ir import System
from zermelo.packing.runner import Answer, Runner, functions_of

VERSION = "2"
_FIRST_CAPACITY = 1 << 16
_FIRST_WORDS = 1 << 22
"""Room for successors at first: so many, or as many as these words hold."""


def kernel(net: Net, *, compiled: bool = True, room: Room | None = None) -> NetKernel | str:
    """A kernel for *net*, or why there is none; not *compiled*, its code runs as Python."""
    why = jit.available() if compiled else None
    if why is not None:
        return why
    try:
        form = packing(net, room or Room())
        form.pack(TokenGame(net).initial)
        code = emitted(net, form)
        return NetKernel(net, form, code, is_compiled=compiled)
    except NoRoom as found:
        return kernel(net, compiled=compiled, room=found.room)
    except Refused as refused:
        return refused.reason
    except jit.NotCompiled as failure:
        return str(failure)


class NetKernel:
    """A net as code, for many markings at a time."""

    def __init__(
        self,
        net: Net,
        form: Packing,
        code: Emitted,
        *,
        is_compiled: bool,
        functions: Mapping[str, jit.Compiled] | None = None,
    ) -> None:
        self._net = net
        self._machine = TokenGame(net)
        self._packing = form
        self._code = code
        self._is_compiled = is_compiled
        if functions is None:
            functions = functions_of("net", code.source, VERSION, is_compiled=is_compiled)
        few = min(_FIRST_CAPACITY, _FIRST_WORDS // self.words)
        self._runner = Runner(
            functions,
            code.tables,
            words=self.words,
            most_moves=code.most_moves,
            capacity=max(few, 2 * code.most_moves),
        )

    @property
    def system(self) -> System:
        """The places and transitions, listed."""
        return self._machine.system

    @property
    def words(self) -> int:
        """How many 64-bit words a packed marking has."""
        return self._packing.words

    @property
    def packing(self) -> Packing:
        """Where the tokens of each place lie."""
        return self._packing

    @property
    def layout(self) -> None:
        """Markings are not packed as states of other systems are."""
        return

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """A net has none."""
        return ()

    @property
    def note(self) -> str:
        """What runs, and why, in words."""
        return "compiled code" if self._is_compiled else "generated code, run as Python"

    @property
    def rules(self) -> tuple[tuple[str, str], ...]:
        """A net has transitions and no rules."""
        return ()

    @property
    def source(self) -> str:
        """The generated code."""
        return self._code.source

    @property
    def native(self) -> Native:
        """Addresses for loops that look at one marking at a time."""
        return self._runner.native

    # Expanding

    def expand(self, frontier: Rows) -> Expansion:
        """What follows the markings of *frontier*."""
        return self._runner.expand(frontier, lambda at: self._told(frontier[at]))

    def _told(self, row: Rows) -> Answer:
        """The token game answers for one marking, which the code cannot."""
        state = self.unpack(row)
        legal = self._machine.legal(state)
        return Answer(
            states=[self.pack(self._machine.after(state, move)) for move in legal],
            moves=[self.code_of(move) for move in legal],
            verdict=0,
            is_faulty=bool(self._machine.faults(state)),
        )

    def tokens(self, rows: Rows) -> Rows:
        """How many tokens lie in each place, for each of *rows*; colours are summed over."""
        return self._counting.tokens(rows)

    def most_tokens(self, rows: Rows) -> tuple[int, int]:
        """The most tokens in a place, and in a marking, of all *rows*."""
        return self._counting.most(rows)

    @cached_property
    def _counting(self) -> Counting:
        return Counting(self._packing, is_compiled=self._is_compiled)

    def judge(self, states: Rows) -> Numbers:
        """Nothing is ever over."""
        return np.zeros(len(states), dtype=np.int64)

    def fired(self, frontier: Rows) -> Numbers:  # noqa: ARG002 - a net has no rules
        """Nothing: a net has no rules."""
        return np.zeros(0, dtype=np.int64)

    def faults(self, row: Rows) -> Mapping[Move, Fault]:
        """The firings of one marking that a fault stops."""
        return self._machine.faults(self.unpack(row))

    # Names

    def pack(self, state: State) -> Rows:
        """*state* as one row; raises ``TooNarrow``, which knows an expander with room for it."""
        try:
            return np.array(self._packing.pack(state), dtype=np.int64)
        except NoRoom as found:
            room = found.room
            raise TooNarrow(
                state, lambda: kernel(self._net, compiled=self._is_compiled, room=room)
            ) from None

    def unpack(self, row: Rows) -> State:
        """The marking that one row stands for."""
        return self._packing.unpack(row.tolist())

    def move(self, code: int) -> Move:
        """The firing with this code."""
        entry = next(e for e in self._code.entries if e.first <= code < e.first + e.size)
        return _decoded(entry, code - entry.first)

    def code_of(self, move: Move) -> int:
        """The code of *move*."""
        entry = next(each for each in self._code.entries if each.name == move.name)
        values = [value for value in move.arguments if isinstance(value, int)]
        assert len(values) == len(move.arguments), "the variables of a net are whole numbers"
        return entry.code(values)

    def twin(self) -> NetKernel:
        """Another kernel over the same code, for another thread."""
        return NetKernel(
            self._net,
            self._packing,
            self._code,
            is_compiled=self._is_compiled,
            functions=self._runner.functions,
        )


def _decoded(entry: Entry, code: int) -> Move:
    values = []
    for axis in reversed(entry.axes):
        code, at = divmod(code, axis.size)
        values.append(axis.low + at)
    return Move(entry.name, tuple(reversed(values)))
