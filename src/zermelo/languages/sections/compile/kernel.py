"""A kernel: a system as compiled code, which runs on many states at a time.

``kernel`` makes one from an interpreter, or says which construct is to blame.
What the code leaves open, a rare turn that does not fit into packed states, is
asked of the interpreter, so a kernel never differs from it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from zermelo.core.adapter import MachineExpander, are_packed, broken_bits
from zermelo.core.arrays import Numbers, Rows
from zermelo.core.expander import (
    Expander,
    Expansion,
    Native,
    layout_form,
    outcome_of,
    same_form,
)
from zermelo.core.layout import WORD, Layout, Unpackable
from zermelo.core.machine import Fault, Outcome, Turn
from zermelo.core.signature import Signature
from zermelo.core.state import NO_EFFECT_MOVE, PASS_MOVE, Move, State
from zermelo.core.values import Value
from zermelo.fast import jit
from zermelo.fast.bits import address
from zermelo.languages.sections.compile import generated_code
from zermelo.languages.sections.compile.generated_code import ClaimCode, GeneratedCode
from zermelo.languages.sections.ir import STUCK_HERE, Expr, legal_of
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.packing.runner import Answer, Runner, functions_of, kernel_unit, loops
from zermelo.text.source import Span

VERSION = "1"
_FIRST_CAPACITY = 1 << 16


@dataclass(frozen=True, slots=True)
class NotCompiled:
    """Why a system has no kernel: the construct that is to blame, in words."""

    reason: str
    span: Span | None = None


def kernel(
    machine: Interpreter, *, compiled: bool = True, counts_guards: bool = False
) -> Kernel | NotCompiled:
    """A kernel for the system of *machine*; not *compiled*, its code runs as Python.

    With *counts_guards* it counts the guards and conditions that are tested, for measurements.
    Code that was compiled before is not made again.
    """
    is_usual = compiled and not counts_guards
    kept = _kept(machine) if is_usual else None
    if kept is not None:
        return kept
    code = _emitted(machine, counts_guards=counts_guards)
    if isinstance(code, NotCompiled):
        return code
    if not compiled:
        return Kernel(machine, code, is_compiled=False)
    why = jit.available()
    if why is not None:
        return NotCompiled(why)
    try:
        made = Kernel(machine, code, is_compiled=True)
    except jit.NotCompiled as failure:
        return NotCompiled(str(failure))
    if is_usual:
        generated_code.keep(machine.system, code)
    return made


def _kept(machine: Interpreter) -> Kernel | None:
    """A kernel of code that was generated and compiled before.

    The source that is kept only tells which object code is meant: it is not compiled. Where that
    is not there any more, both are made again.
    """
    layout = machine.layout
    if isinstance(layout, Unpackable) or jit.available() is not None:
        return None
    code = generated_code.kept(machine.system, layout)
    if code is None:
        return None
    functions = jit.kept_unit(kernel_unit("kernel", code.source, VERSION))
    if functions is None:
        return None
    return Kernel(machine, code, is_compiled=True, functions=functions)


def _emitted(machine: Interpreter, *, counts_guards: bool) -> GeneratedCode | NotCompiled:
    # What generates code takes as long to load as a kernel that is there already.
    from zermelo.languages.sections.compile.emitter import emitted  # noqa: PLC0415
    from zermelo.packing.code import Refused  # noqa: PLC0415

    try:
        return emitted(machine, counts_guards=counts_guards)
    except Refused as refused:
        return NotCompiled(refused.reason, None if refused.node is None else refused.node.span)


class Kernel:
    """A system as code: an ``Expander``, and a ``Machine`` for one state at a time.

    What a turn does step by step, and the value of an expression, only the interpreter tells.
    """

    def __init__(
        self,
        machine: Interpreter,
        code: GeneratedCode,
        *,
        is_compiled: bool,
        functions: Mapping[str, jit.Compiled] | None = None,
    ) -> None:
        self._machine = machine
        self._code = code
        self._is_compiled = is_compiled
        if functions is None:
            functions = functions_of("kernel", code.source, VERSION, is_compiled=is_compiled)
        self._runner = Runner(
            functions,
            code.tables,
            source=code.source,
            words=code.layout.words,
            most_moves=code.most_moves,
            capacity=max(_FIRST_CAPACITY, code.most_moves),
        )
        self._asked: list[int] = []
        self._firsts = [entry.first for entry in code.entries]

    @property
    def signature(self) -> Signature:
        return self._machine.signature

    @property
    def words(self) -> int:
        return self.layout.words

    @property
    def layout(self) -> Layout:
        return self._code.layout

    @property
    def row_form(self) -> str | None:
        return layout_form(self.layout)

    def are_states(self, rows: Rows) -> bool:
        return are_packed(self.layout, rows)

    def in_form(self, form: str) -> Expander:
        return same_form(self, form)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        return self._code.outcomes

    @property
    def note(self) -> str:
        return "compiled code" if self._is_compiled else "generated code, run as Python"

    @property
    def reason(self) -> None:
        return None

    @property
    def rules(self) -> tuple[tuple[str, str], ...]:
        return self._code.rules

    @property
    def source(self) -> str:
        return self._code.source

    @property
    def native(self) -> Native:
        return self._runner.native

    @cached_property
    def _listed(self) -> MachineExpander:
        return MachineExpander(self._machine)

    # Expanding

    def expand(self, frontier: Rows, *, fires: bool = False) -> Expansion:
        return self._runner.expand(frontier, lambda at: self._told(frontier, at), fires=fires)

    def _told(self, frontier: Rows, at: int) -> Answer:
        state = self.unpack(frontier[at])
        legal = self._machine.legal(state)
        self._asked.append(at)
        return Answer(
            states=[self.pack(self._machine.after(state, move)) for move in legal],
            moves=[self.code_of(move) for move in legal],
            verdict=int(self.judge(frontier[at : at + 1])[0]),
            is_faulty=bool(self._machine.faults(state)),
        )

    def judge(self, states: Rows) -> Numbers:
        return self._runner.judge(states)

    def fired(self, frontier: Rows) -> Numbers:
        """In how many of the legal moves of *frontier* each of ``rules`` fired."""
        if not self.rules:
            return np.zeros(0, dtype=np.int64)
        self._asked.clear()
        total = len(self.expand(frontier, fires=True).states)
        marks = self._runner.fires[:total]
        found = np.array([int((marks >> at & 1).sum()) for at in range(len(self.rules))])
        if self._asked:
            found += self._listed_fired(frontier[self._asked])
        return found

    def _listed_fired(self, frontier: Rows) -> Numbers:
        states = [self._listed.pack(self.unpack(row)) for row in frontier]
        counts = dict(zip(self._listed.rules, self._listed.fired(np.array(states)), strict=True))
        return np.array([int(counts[rule]) for rule in self.rules])

    def broken(self, states: Rows) -> Numbers:
        tested = self._claims
        if tested is None:
            return broken_bits(self._machine, map(self.unpack, states))
        code, functions, tables = tested
        asked = np.ascontiguousarray(states, dtype=np.int64)
        if code.moves is not None:
            asked = np.hstack([asked, self._moves_there(asked, code.moves)])
        found = np.zeros(len(asked), dtype=np.int64)
        call = functions["broken"].address
        count_and_words = len(asked), asked.shape[1]
        tested_by = jit.load(loops(), native=functions["broken"].is_native)["judge_all"]
        tested_by(call, address(tables), address(asked), *count_and_words, address(found))
        return found

    @cached_property
    def _claims(self) -> tuple[ClaimCode, Mapping[str, jit.Compiled], Numbers] | None:
        """The code of what is claimed; ``None`` where the interpreter has to tell it."""
        # What generates code takes as long to load as a kernel that is there already.
        from zermelo.languages.sections.compile.claims import claim_code  # noqa: PLC0415
        from zermelo.packing.code import Refused  # noqa: PLC0415

        try:
            code = claim_code(self._machine, self.layout, self._code.entries)
            unit = jit.Unit(name="claims", source=code.source, exports=("broken",), version=VERSION)
            native = self._is_compiled
            functions = jit.compile_unit(unit) if native else jit.plain(unit, is_metered=True)
        except (Refused, jit.NotCompiled):
            return None
        return code, functions, np.array(code.tables or (0,), dtype=np.int64)

    def _moves_there(self, states: Rows, layout: Layout) -> Rows:
        """What the moves of *states* tell, packed as *layout* says."""
        expansion = self.expand(states)
        found = np.zeros((len(states), layout.words), dtype=np.uint64)
        at = np.repeat(np.arange(len(states)), expansion.counts)
        codes = expansion.moves
        for entry in self._code.entries:
            place = layout.field(legal_of(entry.name)).place
            is_own = (codes >= entry.first) & (codes < entry.first + entry.size)
            bits = codes[is_own] - entry.first + place.shift
            # Each bit is set by one move at most, so that adding them is joining them.
            marks = np.left_shift(np.uint64(1), (bits % WORD).astype(np.uint64))
            np.add.at(found, (at[is_own], place.word + bits // WORD), marks)
        is_stuck = (expansion.counts == 0) & (outcome_of(expansion.verdicts) < 0)
        place = layout.field(STUCK_HERE).place
        found[:, place.word] |= is_stuck.astype(np.uint64) << np.uint64(place.shift)
        return found.view(np.int64)

    def faults(self, row: Rows) -> Mapping[Move, Fault]:
        return self._machine.faults(self.unpack(row))

    # One state at a time

    @property
    def initial(self) -> State:
        return self._machine.initial

    @property
    def examined(self) -> int:
        return 0 if self._code.guards is None else int(self._runner.tables[self._code.guards])

    def legal(self, state: State) -> tuple[Move, ...]:
        expansion = self.expand(self.pack(state).reshape(1, -1))
        moves = [self.move(int(code)) for code in expansion.moves]
        return tuple(sorted(moves, key=Move.sort_key))

    def after(self, state: State, move: Move) -> State:
        expansion = self.expand(self.pack(state).reshape(1, -1))
        wanted = self.code_of(move)
        for code, row in zip(expansion.moves, expansion.states, strict=True):
            if int(code) == wanted:
                return self.unpack(row)
        return self._machine.after(state, move)

    def outcome(self, state: State) -> Outcome | None:
        expansion = self.expand(self.pack(state).reshape(1, -1))
        number = int(outcome_of(expansion.verdicts)[0])
        if number >= 0:
            return self.outcomes[number]
        return None if len(expansion.states) else self._machine.outcome(state)

    def turn(self, state: State, move: Move) -> Turn:
        return self._machine.turn(state, move)

    def evaluate(self, expr: Expr, state: State, names: Mapping[str, Value]) -> Value | Fault:
        return self._machine.evaluate(expr, state, names)

    # Names

    def pack(self, state: State) -> Rows:
        return np.array(self.layout.pack(state), dtype=np.int64)

    def unpack(self, row: Rows) -> State:
        return self.layout.unpack(row.tolist())

    def move(self, code: int) -> Move:
        if code == self._code.costly:
            return Move(NO_EFFECT_MOVE)
        if code == self._code.most_moves:
            return Move(PASS_MOVE)
        # Of moves that cannot be called the first code is that of the next one, too.
        entry = self._code.entries[bisect_right(self._firsts, code) - 1]
        code -= entry.first
        values = []
        for universe in reversed(entry.values):
            code, at = divmod(code, len(universe))
            values.append(universe[at])
        return Move(entry.name, tuple(reversed(values)))

    def code_of(self, move: Move) -> int:
        """The code of *move*, −1 if it is none of the moves that can have an effect."""
        if move.name == NO_EFFECT_MOVE and self._code.costly is not None:
            return self._code.costly
        for entry in self._code.entries:
            if entry.name == move.name and len(entry.values) == len(move.arguments):
                code = 0
                for universe, value in zip(entry.values, move.arguments, strict=True):
                    if value not in universe:
                        return -1
                    code = code * len(universe) + universe.index(value)
                return entry.first + code
        return self._code.most_moves if move.name == PASS_MOVE else -1

    def twin(self) -> Kernel:
        return Kernel(
            Interpreter(self._machine.system),
            self._code,
            is_compiled=self._is_compiled,
            functions=self._runner.functions,
        )
