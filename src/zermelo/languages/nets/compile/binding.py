"""Code that finds the bindings of a transition by going through tokens that are there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final, TypeAlias, assert_never

from zermelo.languages.nets.compile.expressions import RangedCode
from zermelo.languages.nets.compile.packing import MOST_COUNTERS, Counters, Slots
from zermelo.languages.nets.compile.transition_writer import TransitionWriter, mixed
from zermelo.languages.nets.ir import Arc, Component, Expr, Interval, Let, Term, Var, Variable
from zermelo.languages.nets.run.evaluate import variables_of
from zermelo.languages.nets.run.ground import patterns
from zermelo.languages.nets.run.matching import binding_plan, let_source, pattern_source
from zermelo.packing.binding_plan import BindingStep, Clause, ValueSource, Way, emit
from zermelo.packing.code import Refused

_COMPUTED: Final = "a `let` over a sum that has to be computed"


@dataclass(frozen=True, slots=True)
class _Tokens:
    """A term on an input from whose tokens variables can take their values."""

    arc: Arc
    term: Term


_Choice: TypeAlias = Let | _Tokens | Variable
_Step: TypeAlias = BindingStep[_Choice, Expr]


class BindingCode:
    """Writes loops and tests until every variable of a transition has a value."""

    def __init__(self, to: TransitionWriter) -> None:
        self._to = to
        self._blocks = ExitStack()
        transition = to.transition
        sources: list[ValueSource[Let | _Tokens]] = [
            # The sum of a let has to be one of constants.
            *(let_source(let, let) for let in transition.lets),
            *(_source(arc, term) for arc in transition.inputs for term in patterns(arc)),
        ]
        gates = [Clause(gate, variables_of(gate)) for gate in transition.gates]
        self._plan = binding_plan(transition, sources, gates)

    def write(self, blocks: ExitStack) -> None:
        self._blocks = blocks
        start = self._plan.start(frozenset(self._to.expressions.known))
        emit(start, decide=self._decide, go_through=self._go_through, cost=self._cost)

    def _decide(self, step: _Step) -> bool:
        for gate in step.clauses:
            self._only_if(self._to.expressions.condition(gate))
        return True

    def _cost(self, way: Way[_Choice]) -> int | None:
        """The fewest tokens first; without one for sure, nothing would get a value from it."""
        if not isinstance(way.of, _Tokens):
            return 0
        term = way.of.term
        if self._to.expressions.number(term.multiplicity).low <= 0:
            return None
        packed = self._to.packing.of(way.of.arc.place)
        if isinstance(packed, Slots):
            return packed.array.count
        return prod(
            size
            for part, size in zip(term.components, packed.sizes, strict=True)
            if isinstance(part, Var) and not self._is_known(part)
        )

    def _go_through(self, _: _Step, way: Way[_Choice]) -> None:
        match way.of:
            case Let():
                self._go_through_let(way.of)
            case _Tokens(arc, term):
                for part in term.components:
                    if not isinstance(part, Var | Interval) and self._is_known(part):
                        # If it stops, no token gives a value, whether there is one or not.
                        self._to.expressions.number(part)
                packed = self._to.packing.of(arc.place)
                if isinstance(packed, Slots):
                    self._match_slots(packed, term)
                else:
                    self._match_counters(packed, term)
            case Variable(name, low, high):
                if low is None or high is None:
                    raise Refused(
                        f"a variable of `{self._to.transition.name}` gets its value from nowhere"
                    )
                self._know(name, RangedCode(self._loop(low, high), low, high))
            case _:
                assert_never(way.of)

    def _only_if(self, condition: str) -> None:
        self._to.only_if(condition, self._blocks)

    def _loop(self, low: int, high: int) -> str:
        name = self._to.writer.name("i")
        self._blocks.enter_context(self._to.writer.block(f"for {name} in range({low}, {high + 1})"))
        self._to.most *= max(1, high - low + 1)
        return name

    def _know(self, name: str, number: RangedCode) -> None:
        self._to.expressions.known[name] = number

    def _go_through_let(self, let: Let) -> None:
        listed = sorted({token for term in let.terms for token in self._constants(term)})
        if not listed:
            raise Refused("a `let` without tokens")
        at = self._loop(0, len(listed) - 1)
        for column, name in enumerate(let.names):
            numbers = [token[column] for token in listed]
            place = self._to.tables.place(numbers)
            code = self._to.writer.keep(f"load(tab, {place} + {at})")
            self._take_value(name, RangedCode(code, min(numbers), max(numbers)))

    def _constants(self, term: Term) -> Iterator[tuple[int, ...]]:
        times = self._constant(term.multiplicity)
        if times < 0:
            raise Refused(_COMPUTED)
        if not times:
            return
        ranges = []
        for part in term.components:
            ends = (part.low, part.high) if isinstance(part, Interval) else (part, part)
            ranges.append(range(self._constant(ends[0]), self._constant(ends[1]) + 1))
        if prod(len(each) for each in ranges) > MOST_COUNTERS:
            raise Refused("a `let` over very many tokens")
        yield from product(*ranges)

    def _constant(self, expr: Expr) -> int:
        number = None if variables_of(expr) else self._to.expressions.number(expr)
        if number is None or not number.is_constant:
            raise Refused(_COMPUTED)
        return number.low

    def _take_value(self, name: str, number: RangedCode) -> None:
        """Give a variable a value; if it has one already, it must be the same."""
        known = self._to.expressions.known.get(name)
        if known is not None:
            self._only_if(f"{known.code} == {number.code}")
            return
        variable = next(v for v in self._to.transition.variables if v.name == name)
        low, high = number.low, number.high
        if variable.low is not None and variable.high is not None:
            if low < variable.low or high > variable.high:
                self._only_if(
                    f"({number.code} >= {variable.low} and {number.code} <= {variable.high})"
                )
            low, high = max(low, variable.low), min(high, variable.high)
        self._know(name, RangedCode(number.code, low, max(low, high)))

    def _is_known(self, part: Component) -> bool:
        return not isinstance(part, Interval) and (
            variables_of(part) <= self._to.expressions.known.keys()
        )

    def _match_slots(self, packed: Slots, term: Term) -> None:
        array = packed.array
        if array.count == 1:
            code = self._to.writer.keep(self._to.field(packed, "0", "row"))
        else:
            at = self._loop(0, array.count - 1)
            code = self._to.writer.keep(self._to.field(packed, at, "row"))
            before = self._to.writer.keep(f"({at} - 1 if {at} > 0 else 0)")
            earlier = self._to.writer.keep(self._to.field(packed, before, "row"))
            # Equal tokens lie side by side, and give the same binding.
            self._only_if(f"({at} == 0 or {earlier} != {code})")
        self._only_if(f"{code} != 0")
        parts = zip(
            term.components, packed.low, packed.bits, packed.sizes, packed.shifts(), strict=True
        )
        for part, low, bits, size, shift in sorted(parts, key=_is_computed):
            number = self._to.writer.keep(f"(shr({code}, {shift}) & {(1 << bits) - 1}) + {low}")
            self._match_part(part, RangedCode(number, low, low + size - 1))

    def _match_counters(self, packed: Counters, term: Term) -> None:
        """Go through the values of components that are not known; the counter must do."""
        before = self._to.most
        parts = list(zip(term.components, packed.low, packed.sizes, strict=True))
        numbers: dict[int, RangedCode] = {}
        for at in sorted(range(len(parts)), key=lambda at: _is_computed(parts[at])):
            part, low, size = parts[at]
            if self._is_known(part):
                assert not isinstance(part, Interval)
                numbers[at] = self._to.within(
                    self._to.expressions.number(part), low, size, self._blocks
                )
            else:
                name = self._loop(low, low + size - 1)
                numbers[at] = RangedCode(name, low, low + size - 1)
                self._match_part(part, numbers[at])
        index = "0"
        for at, (_, low, size) in enumerate(parts):
            index = mixed(index, numbers[at], low, size)
        if packed.total is not None:
            # Each value of the variables needs a token of its own.
            self._to.most = min(self._to.most, before * max(1, packed.total))
        need = self._to.expressions.number(term.multiplicity).code
        self._only_if(f"{self._to.field(packed, index, 'row')} >= {need}")

    def _match_part(self, part: Component, number: RangedCode) -> None:
        assert not isinstance(part, Interval), "the tokens of an interval give nothing a value"
        if isinstance(part, Var):
            self._take_value(part.name, number)
        else:
            self._only_if(f"{self._to.expressions.number(part).code} == {number.code}")


def _is_computed(part: tuple[Component, *tuple[int, ...]]) -> bool:
    """Whether a component is looked at behind the variables that stand alone."""
    return not isinstance(part[0], Var)


def _source(arc: Arc, term: Term) -> ValueSource[_Tokens]:
    """Every component must tell which token it is, or a binding would be found several times."""
    alone = frozenset(part.name for part in term.components if isinstance(part, Var))
    parts = (part for part in term.components if not isinstance(part, Interval))
    used = frozenset[str]().union(*map(variables_of, parts))
    needs = (used - alone) | variables_of(term.multiplicity)
    return pattern_source(_Tokens(arc, term), alone, needs)
