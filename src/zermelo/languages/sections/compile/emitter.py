"""The code of a whole system: the functions that a kernel is made of.

- ``turn_k(tab, row, out, fires, a, b, …)`` makes one turn: the move's procedure and then the end.
  It gives 1 when the turn was made, 2 when it was made and something without a value was left out,
  0 when the input has no effect, −1 for a fault and −2 when only the interpreter can tell.
- ``legal(tab, row, out, moves, fires)`` does what ``successors`` does in a state that is not over.
- ``successors(tab, row, out, moves, fires)`` writes all legal moves of a state and the states after
  them; it gives their number, ``FAULTY`` added where something goes wrong in a move, or −1 when
  only the interpreter can tell.
- ``verdict(tab, row)`` says who is in turn and whether and how the play is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, assert_never

from zermelo.core.expander import FAULTY, PLAYER_BITS
from zermelo.core.layout import Choice, Count, Layout, Mask, Shape, Unpackable
from zermelo.core.machine import Outcome, outcome_of_result
from zermelo.core.signature import Stuck
from zermelo.core.values import UNSET, Value
from zermelo.languages.sections.compile.arguments import Axis
from zermelo.languages.sections.compile.expressions import ExpressionCode
from zermelo.languages.sections.compile.generated_code import (
    MOST_MOVES,
    GeneratedCode,
    assembled,
    moves,
    rules,
)
from zermelo.languages.sections.compile.legal import LegalCode, MoveAxes, unwritten
from zermelo.languages.sections.compile.passing import PassCode, turn_values
from zermelo.languages.sections.compile.procedures import (
    LEFT_OUT,
    ProcedureCode,
    RecursiveFunction,
)
from zermelo.languages.sections.compile.registers import (
    Bound,
    CodeScope,
    RegisterCode,
    Slots,
    VariableMemory,
    loaded,
    packed,
    stored_variable,
)
from zermelo.languages.sections.compile.value_functions import ValueFunctions
from zermelo.languages.sections.compile.value_tables import Tabulation
from zermelo.languages.sections.ir import Expr, NoEffect, Procedure, Ref, Variable, VariableRole
from zermelo.languages.sections.run.interpreter import Interpreter, Turns
from zermelo.languages.sections.run.procedures import Routine
from zermelo.languages.sections.run.ranges import Between, OneOf, Range, SetWithin, listed
from zermelo.languages.sections.walk import calls, free_locals, recursive
from zermelo.packing.code import Refused, Tables, Writer
from zermelo.packing.code_values import (
    NO,
    YES,
    CodeValue,
    Known,
    Never,
    Truth,
    is_set,
    literal,
    members,
    possible,
    universe,
)

_SUCCESSORS: Final = f"""\
def successors(tab, row, out, moves, fires):
    if verdict(tab, row) >= {1 << PLAYER_BITS}:
        return 0
    return legal(tab, row, out, moves, fires)
"""


def emitted(machine: Interpreter, *, counts_guards: bool = False) -> GeneratedCode:
    """The code of the system of *machine*; raises ``Refused`` where there is none."""
    found = machine.layout
    if isinstance(found, Unpackable):
        raise Refused(found.reason)
    if machine.system.unlisted:
        raise Refused(f"the arguments of {machine.system.unlisted[0]} are too many to be tried")
    for each in found.fields:
        if _is_mixed(each.shape):
            raise Refused(f"`{each.variable}` has values of several kinds")
    return Emitter(machine, found, counts_guards=counts_guards).emitted()


def ending_code(machine: Interpreter) -> tuple[str, tuple[int, ...]]:
    """The code of ``ended`` alone, with its tables; raises ``Refused`` where there is none."""
    found = machine.layout
    if isinstance(found, Unpackable):
        raise Refused(found.reason)
    return Emitter(machine, found, counts_guards=False).ending()


class Emitter:
    """Writes the code of one system."""

    def __init__(self, machine: Interpreter, layout: Layout, *, counts_guards: bool) -> None:
        self._machine = machine
        self._system = machine.system
        self._turns = Turns(machine.system)
        self._layout = layout
        self._tables = Tables()
        self._guards = self._tables.reserve(1) if counts_guards else None
        """Where in the tables the guards that are tested are counted, if they are."""
        self._tabulation = Tabulation(self._system, self._turns.expressions)
        self._flags = self._first_flags()
        self._rules = rules(self._system)
        self._values = ValueFunctions(self._expressions)
        self._wanted: dict[RecursiveFunction, None] = {}
        self._memory: VariableMemory | None = None
        self._recursive = recursive({p.name: calls(p) for p in self._system.procedures})
        if self._recursive:
            slots = self._variables(self.begun("nothing()"))
            variables = {name: stored_variable(slot) for name, slot in slots.items()}
            self._memory = VariableMemory(self._tables, variables)

    def emitted(self) -> GeneratedCode:
        entries = self._entries()
        functions = [self._turn(at, entry) for at, entry in enumerate(entries)]
        texts = [function.text() for function in functions]
        costs = self._system.no_effect is NoEffect.COSTS_THE_TURN
        if costs:
            texts.append(self._ended())
        total = sum(entry.size for entry in entries)
        if total > MOST_MOVES:
            raise Refused(f"its moves can be called in {total:,} ways")
        passes = [function.writer.passes for function in functions]
        texts.append(self._successors(entries, passes, costs=costs, costly=total))
        texts.extend(self._helpers())
        verdict, outcomes = self._verdict()
        texts.append(verdict)
        texts.extend(self._values.texts)
        return assembled(
            self._system,
            self._layout,
            source="\n\n".join(texts),
            tables=tuple(self._tables.numbers),
            universes=[tuple(axis.values for axis in entry.axes) for entry in entries],
            outcomes=outcomes,
            guards=self._guards,
        )

    def written(self, function: EmittedFunction) -> tuple[str, tuple[int, ...]]:
        """The text of *function* alone, with the functions that it calls, and the tables."""
        texts = [function.text(), *self._values.texts]
        return "\n\n".join(texts), tuple(self._tables.numbers)

    def ending(self) -> tuple[str, tuple[int, ...]]:
        texts = [self._ended(), *self._helpers(), *self._values.texts]
        return "\n\n".join(texts), tuple(self._tables.numbers)

    def _first_flags(self) -> dict[str, tuple[Shape, Value]]:
        values = self._turns.store(self._turns.initial).values
        found: dict[str, tuple[Shape, Value]] = {}
        for variable in self._system.variables:
            if variable.role is VariableRole.FLAG:
                first = values[variable.name]
                shape = self._machine.shape(variable, first)
                if isinstance(shape, Unpackable):
                    raise Refused(shape.reason, variable)
                if _is_mixed(shape):
                    raise Refused(f"`{variable.name}` has values of several kinds", variable)
                found[variable.name] = (shape, first)
        return found

    def _entries(self) -> tuple[MoveAxes, ...]:
        found: list[MoveAxes] = []
        first = 0
        for procedure in moves(self._system):
            axes = tuple(self._axis(procedure, p.name, p.domain) for p in procedure.parameters)
            entry = MoveAxes(procedure.name, axes, first)
            found.append(entry)
            first += entry.size
        return tuple(found)

    def _axis(self, procedure: Procedure, name: str, domain: Expr) -> Axis:
        function = self.begun("nothing()")
        reads = self._turns.expressions.footprints.of(domain).reads
        if free_locals(domain):
            raise Refused("a parameter whose set depends on another parameter", domain)
        slots = loaded(self._layout, function.writer, "row")
        slots.update(unwritten(self._flags))
        scope = CodeScope(slots, slots)
        rep = function.code.rep(domain, scope)
        if isinstance(rep, Never):
            raise Refused("a parameter whose set has no value", domain)
        values = members(rep)
        if values is not None:
            return Axis(name, values, domain, is_static=not reads)
        asked = listed(self._asked[procedure.name][name])
        if asked is None or reads:
            raise Refused(f"the parameter `{name}` ranges over too many values", domain)
        inside = universe({v for v in asked if function.code.contains(rep, Known(v)) == YES})
        return Axis(name, inside, domain, is_static=True, is_whole=False)

    @cached_property
    def _asked(self) -> Mapping[str, Mapping[str, Range]]:
        """The arguments of each move that can have an effect in a state that can be packed."""
        values = {field.variable: _range(field.shape) for field in self._layout.fields}
        return {p.name: self._machine.arguments_asked(p.name, values) for p in self._system.moves}

    # Functions

    def _helpers(self) -> Iterator[str]:
        """The functions of helpers that call themselves, and of those that they call."""
        done: set[RecursiveFunction] = set()
        while waiting := [wanted for wanted in self._wanted if wanted not in done]:
            for wanted in waiting:
                done.add(wanted)
                function = self.begun("")
                function.head = function.procedures.function_body(wanted)
                yield function.text()

    def begun(self, head: str) -> EmittedFunction:
        code = self._expressions()
        writer = code.writer
        slots = RegisterCode(code)
        procedures = ProcedureCode(
            self._turns.program,
            code,
            slots,
            {rule: at for at, rule in enumerate(self._rules)},
            recursive=self._recursive,
            memory=self._memory,
            wanted=self._wanted,
        )
        return EmittedFunction(head, writer, code, slots, procedures)

    def _expressions(self) -> ExpressionCode:
        writer = Writer(self._tables, self._guards)
        writer.emit("e = 0")
        known = self._turns.expressions
        return ExpressionCode(self._system, known, self._tabulation, writer, self._values)

    def _variables(self, function: EmittedFunction) -> Slots:
        slots = loaded(self._layout, function.writer, "row")
        for name, (shape, value) in self._flags.items():
            slots[name] = function.slots.variable(shape, value)
        return slots

    # Turns

    def _turn(self, number: int, entry: MoveAxes) -> EmittedFunction:
        parameters = "".join(f", a{at}" for at in range(len(entry.axes)))
        function = self.begun(f"turn_{number}(tab, row, out, fires{parameters})")
        function.writer.emit("fired = 0")
        slots = self._variables(function)
        names = {
            axis.name: Bound(function.code.element(f"a{at}", axis.values))
            for at, axis in enumerate(entry.axes)
        }
        changed = self._run(function, self._turns.program.routines[entry.name], slots, names)
        function.writer.stop(f"not {changed}", (f"return -(fired >> {LEFT_OUT})",))
        self._end(function, slots)
        return function

    def _ended(self) -> str:
        """Only the end, for an input without effect that costs the turn."""
        function = self.begun("ended(tab, row, out, fires)")
        function.writer.emit("fired = 0")
        self._end(function, self._variables(function))
        return function.text()

    def _end(self, function: EmittedFunction, slots: Slots) -> None:
        end = self._system.end
        if end is not None:
            self._run(function, self._turns.program.routines[end.name], slots, {})
        for at, word in enumerate(packed(self._layout, slots)):
            function.writer.emit(f"store(out, {at}, {word})")
        function.writer.when("fires != 0", f"store(fires, 0, fired & {(1 << LEFT_OUT) - 1})")
        function.writer.emit(f"return 1 + (fired >> {LEFT_OUT})")

    def _run(
        self, function: EmittedFunction, routine: Routine, slots: Slots, names: dict[str, Bound]
    ) -> str:
        """Call *routine*; a condition that holds where it changed a stored variable."""
        writes = self._turns.expressions.footprints.of_procedure(routine.name).writes
        stored = [v for v in self._system.stored if v.name in writes]
        before = function.slots.copied({v.name: slots[v.name] for v in stored})
        function.procedures.call(routine, slots, names)
        tests = []
        for variable in stored:
            test = function.slots.differ(slots[variable.name], before[variable.name])
            changed = function.writer.keep(test, "c")
            tests.append(changed)
            self._hold(function, variable, slots, changed)
        return f"({' or '.join(tests)})" if tests else "False"

    def _hold(
        self, function: EmittedFunction, variable: Variable, slots: Slots, changed: str
    ) -> None:
        writer, slot = function.writer, slots[variable.name]
        if variable.domain is None:
            return
        mark = len(writer.lines)
        with writer.block(f"if {changed}"):
            writer.may_fail = False
            domain = function.code.rep(variable.domain, CodeScope(slots, slots))
            inside = function.code.contains(domain, slot.rep())
            if writer.may_fail:
                raise Refused(f"the set of `{variable.name}` may have no value", variable)
            writer.stop(f"not {inside.code}" if inside != YES else "False", writer.on_fault)
        if inside == YES:
            del writer.lines[mark:]
        if isinstance(slot.shape, Count) and (inside != YES or members(domain) is None):
            low, high = slot.shape.low, slot.shape.high
            if members(domain) is None and (slot.low < low or slot.high > high):
                # The set has numbers for which a packed state has no room.
                beyond = f"{slot.codes[0]} < {literal(low)} or {slot.codes[0]} > {literal(high)}"
                writer.stop(f"{changed} and ({beyond})", writer.on_unsure)
            slots[variable.name] = replace(slot, low=low, high=high)

    # Legal moves

    def _successors(
        self, entries: Sequence[MoveAxes], passes: Sequence[int], *, costs: bool, costly: int
    ) -> str:
        passing = None
        if self._system.stuck is Stuck.PASSES and not costs:
            passing = turn_values(self._machine, self._turns.expressions.footprints)
        name = "legal" if passing is None else "effective"
        function = self.begun(f"{name}(tab, row, out, moves, fires)")
        slots = loaded(self._layout, function.writer, "row")
        function.writer.emit("n = 0", "faulty = 0", "r = 0", "inputs = 0")
        function.writer.on_unsure = ("return -1",)
        legal = LegalCode(
            self._system,
            self._turns,
            function.code,
            function.slots,
            function.procedures,
            self._flags,
            self._layout.words,
            passes,
        )
        legal.write(entries, slots, costly=costly if costs else None)
        if self._system.stuck is Stuck.PASSES and passing is None:
            function.writer.stop("n == 0", ("return -1",))
        function.writer.emit(f"return n + {FAULTY} * faulty")
        texts = [function.text(), _SUCCESSORS]
        if passing is not None:
            texts[1:1] = [self._in_turn(), self._passing(*passing, code=costly + 1)]
        return "\n\n".join(texts)

    def _passing(
        self, names: Sequence[str], values: Sequence[tuple[Value, ...]], *, code: int
    ) -> str:
        function = self.begun("legal(tab, row, out, moves, fires)")
        players = len(self._system.players)
        passing = PassCode(function.writer, function.slots, self._layout, players)
        passing.write(names, values, code=code)
        return function.text()

    def _in_turn(self) -> str:
        """Who is in turn, of the first player on from 1; 0 where that is nobody."""
        function = self.begun("in_turn(tab, row)")
        self._player(function, self.judged(function))
        function.writer.emit("return player")
        return function.text()

    def _undoubted(self, function: EmittedFunction, expr: Expr | None, slots: Slots) -> Truth:
        return NO if expr is None else self.undoubted(function, expr, CodeScope(slots, slots))

    def undoubted(self, function: EmittedFunction, expr: Expr, scope: CodeScope) -> Truth:
        """Whether *expr* holds; where it cannot be decided it does not."""
        function.writer.may_fail = False
        truth = function.code.truth(expr, scope)
        if function.writer.may_fail:
            truth = Truth(function.writer.keep(f"e == 0 and {truth.code}", "c"))
            function.writer.emit("e = 0")
            function.writer.may_fail = False
        return truth

    # Verdicts

    def _verdict(self) -> tuple[str, tuple[Outcome, ...]]:
        function = self.begun("verdict(tab, row)")
        writer = function.writer
        slots = self.judged(function)
        self._player(function, slots)
        over = self._undoubted(function, self._system.over, slots)
        if over == NO:
            writer.emit("return player")
            return function.text(), ()
        writer.stop(f"not {over.code}", ("return player",))
        code, outcomes = self._outcome(function, slots)
        writer.emit(f"return player | ({code} + 1) << {PLAYER_BITS}")
        return function.text(), outcomes

    def judged(self, function: EmittedFunction) -> Slots:
        """The variables of a state that is only looked at."""
        function.writer.on_unsure = ()
        slots = loaded(self._layout, function.writer, "row")
        slots.update(unwritten(self._flags))
        return slots

    def _player(self, function: EmittedFunction, slots: Slots) -> None:
        writer = function.writer
        writer.emit("player = 0")
        for at in range(len(self._system.players) - 1, -1, -1):
            truth = self._undoubted(function, self._system.players[at].turn, slots)
            if truth != NO:
                writer.stop(truth.code, (f"player = {at + 1}",))

    def _outcome(self, function: EmittedFunction, slots: Slots) -> tuple[str, tuple[Outcome, ...]]:
        name = self._system.result
        if name is None:
            return "0", (outcome_of_result(self._machine.signature, UNSET),)
        writer = function.writer
        writer.may_fail = False
        if name in slots:
            slot = slots[name]
            unset = slot.unset()
            rep: CodeValue = Never() if slot.known is UNSET else slot.rep()
        else:
            rep = function.code.rep(Ref(name), CodeScope(slots, slots))
            unset = "e != 0" if writer.may_fail else "False"
        if is_set(rep) and not isinstance(rep, Known):
            rep = function.code.bits(rep)
        values = possible(rep)
        if values is None:
            raise Refused("a result with too many possible values")
        outcomes: dict[Outcome, int] = {}

        def number(value: Value) -> int:
            outcome = outcome_of_result(self._machine.signature, value)
            return outcomes.setdefault(outcome, len(outcomes))

        numbers = list(map(number, values))
        found = "0"
        if values:
            at = function.code.index(rep, values)
            found = writer.keep(writer.look_up(numbers, at.code) if at.low >= 0 else "0")
        if unset != "False":
            found = f"({number(UNSET)} if {unset} else {found})"
        return writer.keep(found), tuple(outcomes)


@dataclass(slots=True)
class EmittedFunction:
    """One function while it is written."""

    head: str
    writer: Writer
    code: ExpressionCode
    slots: RegisterCode
    procedures: ProcedureCode

    def text(self) -> str:
        return "\n".join([f"def {self.head}:", *self.writer.lines, ""])


def _range(shape: Shape) -> Range:
    """What a variable of this shape can be."""
    match shape:
        case Mask(members):
            return SetWithin(OneOf(frozenset(members)))
        case Count(low, high):
            return Between(low, high)
        case Choice(values):
            return OneOf(frozenset(values))
        case _:
            assert_never(shape)


def _is_mixed(shape: Shape) -> bool:
    values = [v for v in getattr(shape, "values", ()) if v is not UNSET]
    return len({isinstance(value, frozenset) for value in values}) > 1
