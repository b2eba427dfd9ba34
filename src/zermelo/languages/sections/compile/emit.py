"""The code of a whole system: the functions that a kernel is made of.

- ``turn_k(tab, row, out, fires, a, b, …)`` makes one turn: the move's procedure
  and then the end. It gives 1 when the turn was made, 0 when the input has no
  effect, −1 for a fault and −2 when only the interpreter can tell.
- ``legal(tab, row, out, moves, fires)`` does what ``successors`` does in a state that
  is not over.
- ``successors(tab, row, out, moves, fires)`` writes all legal moves of a state and
  the states after them; it gives their number, ``FAULTY`` added where a fault
  stops some move, or −1 when only the interpreter can tell.
- ``verdict(tab, row)`` says who is in turn and whether and how the play is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from zermelo.core.expander import FAULTY, PLAYER_BITS
from zermelo.core.layout import (
    ROOM,
    Count,
    Layout,
    Shape,
    Unpackable,
    layout,
    shape_of,
)
from zermelo.core.machine import Outcome
from zermelo.core.outcomes import outcome_of_result
from zermelo.core.values import UNSET, Value
from zermelo.languages.sections.compile.arguments import Limit, limited
from zermelo.languages.sections.compile.conditions import NO, YES
from zermelo.languages.sections.compile.emission import Axis, Emitted, Entry
from zermelo.languages.sections.compile.expressions import ExpressionCode
from zermelo.languages.sections.compile.legal import LegalCode, unwritten
from zermelo.languages.sections.compile.procedures import ProcedureCode, Wanted
from zermelo.languages.sections.compile.recursion import Memory, held
from zermelo.languages.sections.compile.reps import (
    Known,
    Never,
    Refused,
    Rep,
    Truth,
    Universe,
    is_set,
    literal,
    members,
    possible,
    universe,
)
from zermelo.languages.sections.compile.scope import Bound, Scope, Slot, Slots
from zermelo.languages.sections.compile.slots import SlotCode, loaded, packed
from zermelo.languages.sections.compile.tabulate import Tabulation
from zermelo.languages.sections.footprint import calls, recursive
from zermelo.languages.sections.ir import (
    Expr,
    NoEffect,
    Procedure,
    Ref,
    Stuck,
    System,
    Variable,
    VariableRole,
)
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.run.program import Routine
from zermelo.languages.sections.run.queries import Question
from zermelo.languages.sections.run.sources import sources
from zermelo.languages.sections.run.turns import Turns
from zermelo.languages.sections.walk import free_locals, rules_of
from zermelo.packing.code import Tables, Writer
from zermelo.text.errors import InternalError

MOST_MOVES: Final = 1 << 20
_SUCCESSORS: Final = f"""\
def successors(tab, row, out, moves, fires):
    if verdict(tab, row) >= {1 << PLAYER_BITS}:
        return 0
    return legal(tab, row, out, moves, fires)
"""
MOST_RULES: Final = 62


@dataclass(slots=True)
class _Function:
    """One function while it is written."""

    head: str
    writer: Writer
    code: ExpressionCode
    slots: SlotCode
    procedures: ProcedureCode

    def text(self) -> str:
        """The whole function."""
        return "\n".join([f"def {self.head}:", *self.writer.lines, ""])


@dataclass(slots=True)
class Emitter:
    """Writes the code of one system."""

    machine: Interpreter
    turns: Turns
    layout: Layout
    tables: Tables = field(default_factory=Tables)
    texts: list[str] = field(default_factory=list)
    guards: int | None = None
    """Where in the tables the guards that are tested are counted, if they are."""
    _functions: _Made | None = None

    @property
    def _made(self) -> _Made:
        if self._functions is None:
            raise InternalError("functions are asked for before they are prepared")
        return self._functions

    @property
    def system(self) -> System:
        """The system."""
        return self.machine.system

    def emitted(self) -> Emitted:
        """All functions."""
        tabulation = Tabulation(self.system, self.turns.expressions)
        flags = self._flags()
        rules = tuple(
            (p.name, rule.label) for p in self.system.procedures for rule in rules_of(p.body)
        )
        counted = rules if len(rules) <= MOST_RULES else ()
        self._functions = _Made(
            self, tabulation, flags, {rule: at for at, rule in enumerate(counted)}
        )
        self._made.prepare()
        entries = self._entries()
        for at, entry in enumerate(entries):
            self.texts.append(self._made.turn(at, entry))
        costs = self.system.no_effect is NoEffect.COSTS_THE_TURN
        if costs:
            self.texts.append(self._made.ended())
        total = sum(entry.size for entry in entries)
        if total > MOST_MOVES:
            raise Refused(f"its moves can be called in {total:,} ways")
        self.texts.append(self._made.successors(entries, costs=costs, costly=total))
        self.texts.extend(self._made.helpers())
        verdict, outcomes = self._made.verdict()
        self.texts.append(verdict)
        return Emitted(
            source="\n\n".join(self.texts),
            tables=tuple(self.tables.numbers),
            layout=self.layout,
            entries=entries,
            costly=total if costs else None,
            most_moves=total + 1,
            outcomes=outcomes,
            rules=counted,
            guards=self.guards,
        )

    def _flags(self) -> dict[str, tuple[Shape, Value]]:
        values = self.turns.store(self.turns.initial).values
        found: dict[str, tuple[Shape, Value]] = {}
        for variable in self.system.variables:
            if variable.role is VariableRole.FLAG:
                first = values[variable.name]
                shape = shape_of(variable, first, self.machine)
                if isinstance(shape, Unpackable):
                    raise Refused(shape.reason, variable)
                if _is_mixed(shape):
                    raise Refused(f"`{variable.name}` has values of several kinds", variable)
                found[variable.name] = (shape, first)
        return found

    def _entries(self) -> tuple[Entry, ...]:
        found: list[Entry] = []
        first = 0
        # The canonical order of moves is that of their names, then of their arguments.
        for procedure in sorted(self.system.moves, key=lambda each: each.name):
            axes = tuple(
                self._axis(procedure, parameter.name, parameter.domain)
                for parameter in procedure.parameters
            )
            entry = Entry(procedure.name, axes, first)
            found.append(entry)
            first += entry.size
        return tuple(found)

    def _axis(self, procedure: Procedure, name: str, domain: Expr) -> Axis:
        """A parameter with all values it may have in any state."""
        function = self._made.function("nothing()")
        reads = self.turns.expressions.footprints.of(domain).reads
        if free_locals(domain):
            raise Refused("a parameter whose set depends on another parameter", domain)
        slots = loaded(self.layout, function.writer, "row")
        slots.update(self._made.known_flags())
        scope = Scope(slots, slots)
        rep = function.code.rep(domain, scope)
        if isinstance(rep, Never):
            raise Refused("a parameter whose set has no value", domain)
        values = members(rep)
        if values is not None:
            return Axis(name, values, domain, is_static=not reads)
        asked = self._asked_for(procedure, name, function.code, scope)
        if asked is None or reads:
            raise Refused(f"the parameter `{name}` ranges over too many values", domain)
        inside = tuple(v for v in asked if function.code.contains(rep, Known(v)) == YES)
        return Axis(name, inside, domain, is_static=True, is_whole=False)

    def _asked_for(
        self, procedure: Procedure, name: str, code: ExpressionCode, scope: Scope
    ) -> Universe | None:
        """The values of a parameter with which the rules can have an effect, if they say so."""
        found: set[Value] = set()
        for source in sources(self.turns.program, self.turns.program.routines[procedure.name]):
            if not isinstance(source, Question):
                return None
            limits = [limited(condition, name) for condition in source.conditions]
            sets = [self._limit(limit, code, scope) for limit in limits if limit is not None]
            known = sorted((values for values in sets if values is not None), key=len)
            if not known:
                return None
            found.update(known[0])
        return universe(found)

    def _limit(self, limit: Limit, code: ExpressionCode, scope: Scope) -> Universe | None:
        if free_locals(limit.expr):
            return None
        rep = code.rep(limit.expr, scope)
        return members(rep) if limit.is_set else possible(rep)


@dataclass(slots=True)
class _Made:
    """Writes the functions."""

    emitter: Emitter
    tabulation: Tabulation
    flags: dict[str, tuple[Shape, Value]]
    rules: dict[tuple[str, str], int]
    recursive: frozenset[str] = frozenset()
    memory: Memory | None = None
    wanted: dict[Wanted, None] = field(default_factory=dict)

    def prepare(self) -> None:
        """Find the helpers that call themselves, and make room for the variables."""
        self.recursive = recursive({p.name: calls(p) for p in self.system.procedures})
        if self.recursive:
            function = self.function("nothing()")
            slots = self._variables(function)
            variables = {name: held(slot) for name, slot in slots.items()}
            self.memory = Memory(self.emitter.tables, variables)

    def helpers(self) -> Iterator[str]:
        """The functions of helpers that call themselves, and of those that they call."""
        done: set[Wanted] = set()
        while waiting := [wanted for wanted in self.wanted if wanted not in done]:
            for wanted in waiting:
                done.add(wanted)
                function = self.function("")
                function.head = function.procedures.function_body(wanted)
                yield function.text()

    @property
    def system(self) -> System:
        return self.emitter.system

    @property
    def turns(self) -> Turns:
        return self.emitter.turns

    def function(self, head: str) -> _Function:
        writer = Writer(self.emitter.tables, self.emitter.guards)
        code = ExpressionCode(self.system, self.turns.expressions, self.tabulation, writer)
        slots = SlotCode(code)
        procedures = ProcedureCode(
            self.turns.program,
            code,
            slots,
            self.rules,
            recursive=self.recursive,
            memory=self.memory,
            wanted=self.wanted,
        )
        writer.emit("e = 0")
        return _Function(head, writer, code, slots, procedures)

    def known_flags(self) -> Slots:
        """The flags where none has been written yet."""
        return unwritten(self.flags)

    def _variables(self, function: _Function) -> Slots:
        slots = loaded(self.emitter.layout, function.writer, "row")
        for name, (shape, value) in self.flags.items():
            slots[name] = function.slots.variable(shape, value)
        return slots

    # Turns

    def turn(self, number: int, entry: Entry) -> str:
        parameters = "".join(f", a{at}" for at in range(len(entry.axes)))
        function = self.function(f"turn_{number}(tab, row, out, fires{parameters})")
        function.writer.emit("fired = 0")
        slots = self._variables(function)
        names = {
            axis.name: Bound(function.code.element(f"a{at}", axis.values))
            for at, axis in enumerate(entry.axes)
        }
        changed = self._run(function, self.turns.program.routines[entry.name], slots, names)
        function.writer.stop(f"not {changed}", ("return 0",))
        self._end(function, slots)
        self._give(function, slots)
        return function.text()

    def ended(self) -> str:
        """Only the end, for an input without effect that costs the turn."""
        function = self.function("ended(tab, row, out, fires)")
        function.writer.emit("fired = 0")
        slots = self._variables(function)
        self._end(function, slots)
        self._give(function, slots)
        return function.text()

    def _end(self, function: _Function, slots: Slots) -> None:
        end = self.system.end
        if end is not None:
            self._run(function, self.turns.program.routines[end.name], slots, {})

    def _give(self, function: _Function, slots: Slots) -> None:
        for at, word in enumerate(packed(self.emitter.layout, slots)):
            function.writer.emit(f"store(out, {at}, {word})")
        function.writer.stop("fires != 0", ("store(fires, 0, fired)",))
        function.writer.emit("return 1")

    def _run(
        self, function: _Function, routine: Routine, slots: Slots, names: dict[str, Bound]
    ) -> str:
        """Call *routine*; a condition that holds where it changed a stored variable."""
        writes = self.turns.expressions.footprints.of_procedure(routine.name).writes
        stored = [v for v in self.system.stored if v.name in writes]
        before = function.slots.copied({v.name: slots[v.name] for v in stored})
        function.procedures.call(routine, slots, names)
        tests = []
        for variable in stored:
            test = function.slots.differ(slots[variable.name], before[variable.name])
            changed = function.writer.keep(test, "c")
            tests.append(changed)
            self._hold(function, variable, slots, changed)
        return f"({' or '.join(tests)})" if tests else "False"

    def _hold(self, function: _Function, variable: Variable, slots: Slots, changed: str) -> None:
        """Hold a variable that changed to the set its values are in."""
        writer, slot = function.writer, slots[variable.name]
        if isinstance(slot.shape, Count) and not slot.shape.is_declared:
            room = f"{slot.codes[0]} > {ROOM} or {slot.codes[0]} < {literal(slot.shape.low)}"
            writer.stop(f"{changed} and ({room})", writer.on_unsure)
        if variable.domain is None:
            return
        mark = len(writer.lines)
        with writer.block(f"if {changed}"):
            writer.may_fail = False
            domain = function.code.rep(variable.domain, Scope(slots, slots))
            inside = function.code.contains(domain, slot.rep())
            if writer.may_fail:
                raise Refused(f"the set of `{variable.name}` may have no value", variable)
            writer.stop(f"not {inside.code}" if inside != YES else "False", writer.on_fault)
        if inside == YES:
            del writer.lines[mark:]
        elif isinstance(slot.shape, Count):
            low, high = slot.shape.low, slot.shape.high
            slots[variable.name] = Slot(slot.shape, slot.codes, slot.presence, low, high)

    # Legal moves

    def successors(self, entries: Sequence[Entry], *, costs: bool, costly: int) -> str:
        function = self.function("legal(tab, row, out, moves, fires)")
        slots = loaded(self.emitter.layout, function.writer, "row")
        for name in ("n", "faulty", "r", "inputs"):
            function.writer.emit(f"{name} = 0")
        function.writer.on_unsure = ("return -1",)
        legal = LegalCode(
            self.system,
            self.turns,
            function.code,
            function.slots,
            function.procedures,
            self.flags,
            self.emitter.layout.words,
        )
        legal.write(entries, slots, costly=costly if costs else None)
        if self.system.stuck is Stuck.PASSES:
            function.writer.stop("n == 0", ("return -1",))
        function.writer.emit(f"return n + {FAULTY} * faulty")
        return f"{function.text()}\n\n{_SUCCESSORS}"

    def _over(self, function: _Function, slots: Slots) -> Truth:
        if self.system.over is None:
            return NO
        return self._undoubted(function, self.system.over, slots)

    def _undoubted(self, function: _Function, expr: Expr, slots: Slots) -> Truth:
        """Whether *expr* holds; where it cannot be decided it does not."""
        function.writer.may_fail = False
        truth = function.code.truth(expr, Scope(slots, slots))
        if function.writer.may_fail:
            truth = Truth(function.writer.keep(f"e == 0 and {truth.code}", "c"))
            function.writer.emit("e = 0")
            function.writer.may_fail = False
        return truth

    # Verdicts

    def verdict(self) -> tuple[str, tuple[Outcome, ...]]:
        function = self.function("verdict(tab, row)")
        writer = function.writer
        writer.on_unsure = ()
        slots = loaded(self.emitter.layout, writer, "row")
        slots.update(self.known_flags())
        writer.emit("player = 0")
        for at in range(len(self.system.players) - 1, -1, -1):
            truth = self._undoubted(function, self.system.players[at].turn, slots)
            if truth != NO:
                writer.stop(truth.code, (f"player = {at + 1}",))
        over = self._over(function, slots)
        if over == NO:
            writer.emit("return player")
            return function.text(), ()
        writer.stop(f"not {over.code}", ("return player",))
        code, outcomes = self._outcome(function, slots)
        writer.emit(f"return player | ({code} + 1) << {PLAYER_BITS}")
        return function.text(), outcomes

    def _outcome(self, function: _Function, slots: Slots) -> tuple[str, tuple[Outcome, ...]]:
        """The number of the outcome, and the outcomes."""
        name = self.system.result
        if name is None:
            return "0", (outcome_of_result(self.system, UNSET),)
        writer = function.writer
        writer.may_fail = False
        if name in slots:
            slot = slots[name]
            unset = slot.unset()
            rep: Rep = Never() if slot.known is UNSET else slot.rep()
        else:
            rep = function.code.rep(Ref(name), Scope(slots, slots))
            unset = "e != 0" if writer.may_fail else "False"
        if is_set(rep) and not isinstance(rep, Known):
            rep = function.code.bits(rep)
        values = possible(rep)
        if values is None:
            raise Refused("a result with too many possible values")
        outcomes: dict[Outcome, int] = {}
        nothing = outcome_of_result(self.system, UNSET)
        numbers = [self._number(outcomes, value) for value in values]
        found = "0"
        if values:
            at = function.code.index(rep, values)
            found = writer.keep(writer.look_up(numbers, at.code) if at.low >= 0 else "0")
        if unset != "False":
            code = outcomes.setdefault(nothing, len(outcomes))
            found = f"({code} if {unset} else {found})"
        return writer.keep(found), tuple(outcomes)

    def _number(self, outcomes: dict[Outcome, int], value: Value) -> int:
        outcome = outcome_of_result(self.system, value)
        return outcomes.setdefault(outcome, len(outcomes))


def _is_mixed(shape: Shape) -> bool:
    """Whether some values are sets and others are not."""
    values = [v for v in getattr(shape, "values", ()) if v is not UNSET]
    return len({isinstance(value, frozenset) for value in values}) > 1


def emitted(machine: Interpreter, *, counts_guards: bool = False) -> Emitted:
    """The code of the system of *machine*; raises ``Refused`` where there is none."""
    found = layout(machine)
    if isinstance(found, Unpackable):
        raise Refused(found.reason)
    for each in found.fields:
        if _is_mixed(each.shape):
            raise Refused(f"`{each.variable}` has values of several kinds")
    emitter = Emitter(machine, Turns(machine.system), found)
    if counts_guards:
        emitter.guards = emitter.tables.reserve(1)
    return emitter.emitted()
