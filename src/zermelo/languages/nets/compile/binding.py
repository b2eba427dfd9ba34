"""Code that finds the bindings of a transition by going through tokens that are there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final

from zermelo.languages.nets.compile.expressions import RangedCode
from zermelo.languages.nets.compile.packing import MOST_COUNTERS, Counters, Slots
from zermelo.languages.nets.compile.transition_writer import TransitionWriter, mixed
from zermelo.languages.nets.ir import Arc, Component, Expr, Interval, Let, Term, Var
from zermelo.languages.nets.run.evaluate import variables_of
from zermelo.languages.nets.run.ground import patterns
from zermelo.packing.code import Refused

_COMPUTED: Final = "a `let` over a sum that has to be computed"


@dataclass(slots=True)
class _Pending:
    """What has not been used yet on the way to a binding."""

    patterns: list[tuple[Arc, Term]]
    lets: list[Let]
    gates: list[Expr]


class Binding:
    """Writes loops and tests until every variable of a transition has a value."""

    def __init__(self, to: TransitionWriter) -> None:
        self._to = to

    def write(self, blocks: ExitStack) -> None:
        """Write loops and tests until every variable has a value and every gate holds."""
        transition = self._to.transition
        pending = _Pending(
            [(arc, term) for arc in transition.inputs for term in patterns(arc)],
            list(transition.lets),
            list(transition.gates),
        )
        while True:
            self._test_gates(pending, blocks)
            missing = [
                each
                for each in self._to.transition.variables
                if each.name not in self._to.expressions.known
            ]
            if not missing and not pending.lets:
                return
            if self._use_let(pending, blocks) or self._use_pattern(pending, blocks):
                continue
            finite = [each for each in missing if each.low is not None and each.high is not None]
            if not finite:
                raise Refused(
                    f"a variable of `{self._to.transition.name}` gets its value from nowhere"
                )
            chosen = min(finite, key=lambda each: (each.high or 0) - (each.low or 0))
            assert chosen.low is not None
            assert chosen.high is not None
            name = self._loop(chosen.low, chosen.high, blocks)
            self._know(chosen.name, RangedCode(name, chosen.low, chosen.high))

    def _test_gates(self, pending: _Pending, blocks: ExitStack) -> None:
        for gate in list(pending.gates):
            if variables_of(gate) <= self._to.expressions.known.keys():
                pending.gates.remove(gate)
                self._to.only_if(self._to.expressions.condition(gate), blocks)

    def _loop(self, low: int, high: int, blocks: ExitStack) -> str:
        name = self._to.writer.name("i")
        blocks.enter_context(self._to.writer.block(f"for {name} in range({low}, {high + 1})"))
        self._to.most *= max(1, high - low + 1)
        return name

    def _know(self, name: str, number: RangedCode) -> None:
        self._to.expressions.known[name] = number

    def _use_let(self, pending: _Pending, blocks: ExitStack) -> bool:
        """Let the variables of a ``let`` range over a list of constants."""
        for let in pending.lets:
            pending.lets.remove(let)
            listed = sorted({token for term in let.terms for token in self._constants(term)})
            if not listed:
                raise Refused("a `let` without tokens")
            at = self._loop(0, len(listed) - 1, blocks)
            for column, name in enumerate(let.names):
                numbers = [token[column] for token in listed]
                place = self._to.tables.place(numbers)
                code = self._to.writer.keep(f"load(tab, {place} + {at})")
                self._take_value(name, RangedCode(code, min(numbers), max(numbers)), blocks)
            return True
        return False

    def _constants(self, term: Term) -> Iterator[tuple[int, ...]]:
        """The tokens that a term of a ``let`` stands for."""
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

    def _take_value(self, name: str, number: RangedCode, blocks: ExitStack) -> None:
        """Give a variable a value; if it has one already, it must be the same."""
        known = self._to.expressions.known.get(name)
        if known is not None:
            self._to.only_if(f"{known.code} == {number.code}", blocks)
            return
        variable = next(v for v in self._to.transition.variables if v.name == name)
        low, high = number.low, number.high
        if variable.low is not None and variable.high is not None:
            if low < variable.low or high > variable.high:
                self._to.only_if(
                    f"({number.code} >= {variable.low} and {number.code} <= {variable.high})",
                    blocks,
                )
            low, high = max(low, variable.low), min(high, variable.high)
        self._know(name, RangedCode(number.code, low, max(low, high)))

    def _use_pattern(self, pending: _Pending, blocks: ExitStack) -> bool:
        """Go through the tokens that a term can stand for; the fewest first.

        Every component must tell which token it is, or one binding would be found several times.
        """
        known = self._to.expressions.known.keys()
        usable = []
        for at, (arc, term) in enumerate(pending.patterns):
            bound = {part.name for part in term.components if isinstance(part, Var)}
            is_clear = not bound <= known and _variables(term) <= known | bound
            if is_clear and self._is_there(term):
                usable.append((self._cost(arc, term), at))
        if not usable:
            return False
        arc, term = pending.patterns.pop(min(usable)[1])
        packed = self._to.packing.of(arc.place)
        if isinstance(packed, Slots):
            self._match_slots(packed, term, blocks)
        else:
            self._match_counters(packed, term, blocks)
        return True

    def _is_there(self, term: Term) -> bool:
        """Whether there is a token for sure; without one, nothing would get a value from it."""
        if not variables_of(term.multiplicity) <= self._to.expressions.known.keys():
            return False
        return self._to.expressions.number(term.multiplicity).low > 0

    def _cost(self, arc: Arc, term: Term) -> int:
        packed = self._to.packing.of(arc.place)
        if isinstance(packed, Slots):
            return packed.array.count
        return prod(
            size
            for part, size in zip(term.components, packed.sizes, strict=True)
            if isinstance(part, Var) and not self._is_known(part)
        )

    def _is_known(self, part: Component) -> bool:
        return not isinstance(part, Interval) and (
            variables_of(part) <= self._to.expressions.known.keys()
        )

    def _match_slots(self, packed: Slots, term: Term, blocks: ExitStack) -> None:
        array = packed.array
        if array.count == 1:
            code = self._to.writer.keep(self._to.field(packed, "0", "row"))
        else:
            at = self._loop(0, array.count - 1, blocks)
            code = self._to.writer.keep(self._to.field(packed, at, "row"))
            before = self._to.writer.keep(f"({at} - 1 if {at} > 0 else 0)")
            earlier = self._to.writer.keep(self._to.field(packed, before, "row"))
            # Equal tokens lie side by side, and give the same binding.
            self._to.only_if(f"({at} == 0 or {earlier} != {code})", blocks)
        self._to.only_if(f"{code} != 0", blocks)
        parts = zip(
            term.components, packed.low, packed.bits, packed.sizes, packed.shifts(), strict=True
        )
        for part, low, bits, size, shift in sorted(parts, key=_is_computed):
            number = self._to.writer.keep(f"(shr({code}, {shift}) & {(1 << bits) - 1}) + {low}")
            self._match_part(part, RangedCode(number, low, low + size - 1), blocks)

    def _match_counters(self, packed: Counters, term: Term, blocks: ExitStack) -> None:
        """Go through the values of components that are not known; the counter must do."""
        before = self._to.most
        parts = list(zip(term.components, packed.low, packed.sizes, strict=True))
        numbers: dict[int, RangedCode] = {}
        for at in sorted(range(len(parts)), key=lambda at: _is_computed(parts[at])):
            part, low, size = parts[at]
            if self._is_known(part):
                assert not isinstance(part, Interval)
                numbers[at] = self._to.within(self._to.expressions.number(part), low, size, blocks)
            else:
                name = self._loop(low, low + size - 1, blocks)
                numbers[at] = RangedCode(name, low, low + size - 1)
                self._match_part(part, numbers[at], blocks)
        index = "0"
        for at, (_, low, size) in enumerate(parts):
            index = mixed(index, numbers[at], low, size)
        if packed.total is not None:
            # Each value of the variables needs a token of its own.
            self._to.most = min(self._to.most, before * max(1, packed.total))
        need = self._to.expressions.number(term.multiplicity).code
        self._to.only_if(f"{self._to.field(packed, index, 'row')} >= {need}", blocks)

    def _match_part(self, part: Component, number: RangedCode, blocks: ExitStack) -> None:
        """Bind a variable, or compare with what is known."""
        assert not isinstance(part, Interval), "the tokens of an interval give nothing a value"
        if isinstance(part, Var):
            self._take_value(part.name, number, blocks)
        else:
            self._to.only_if(f"{self._to.expressions.number(part).code} == {number.code}", blocks)


def _is_computed(part: tuple[Component, *tuple[int, ...]]) -> bool:
    """Whether a component is looked at behind the variables that stand alone."""
    return not isinstance(part[0], Var)


def _variables(term: Term) -> frozenset[str]:
    parts = (part for part in term.components if not isinstance(part, Interval))
    return frozenset[str]().union(*map(variables_of, parts))
