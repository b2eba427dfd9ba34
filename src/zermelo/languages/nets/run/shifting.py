"""Whether firings can be repeated for ever while the numbers in tokens go on and on.

Where a token ``<.x.>`` becomes ``<.x + 1.>``, no marking holds the tokens of an earlier one. But
the same firings may be possible again, with numbers that are larger each time. To show it, they
are replayed for all rounds at once: a number is ``start + step · k`` in round *k*, and each gate,
each token that is taken and each bound has to hold for every *k*. What cannot be told so is left
open. The rounds end only where a number leaves 64 bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import NamedTuple, TypeAlias

from zermelo.core.machine import FaultError
from zermelo.core.state import Move, State
from zermelo.languages.nets.ir import (
    Arc,
    Binary,
    BinaryOp,
    Component,
    Conditional,
    Expr,
    Interval,
    Net,
    Place,
    Term,
    Transition,
    Unary,
    UnaryOp,
    Var,
)
from zermelo.languages.nets.run.bags import Bag, Token
from zermelo.languages.nets.run.evaluate import Code, Evaluator, Frame, variables_of
from zermelo.languages.nets.run.matching import Disabled, Sum

_STEPS_OF_A_FIRING = 200
_STEPS_OF_A_TOKEN = 24
MOST_CHANGED = 8
"""Where more tokens of a place have other numbers than before, nothing is tried."""


class Line(NamedTuple):
    """A number that is ``start + step · k`` in round *k*."""

    start: int
    step: int = 0


Shape: TypeAlias = tuple[Line, ...]
"""A token of which the components are lines."""
Marking: TypeAlias = dict[str, Counter[Shape]]


class NotShown(Exception):
    """It does not hold for all rounds, or that cannot be told."""


@dataclass(frozen=True, slots=True)
class Shifted:
    """What each round of the same firings does."""

    grows: tuple[str, ...]
    """Places with more tokens after each round."""
    moves_on: tuple[str, ...]
    """Places with tokens whose numbers go on."""


class Shifting:
    """Replays the firings of one net for all rounds at once."""

    def __init__(self, net: Net) -> None:
        self._evaluator = Evaluator(net)
        self._places = {each.name: each for each in net.places}
        self._transitions = {each.name: each for each in net.transitions}
        # Expressions and arcs are told by what they are in memory: the net lives as long as this.
        self._codes: dict[int, tuple[Code, frozenset[str]]] = {}
        self._sums: dict[int, Sum] = {}

    def shown(self, before: State, moves: Sequence[Move], after: State) -> Shifted | None:
        """What repeating *moves* does, which lead from *before* to *after*, if they can be."""
        tokens = sum(len(bag.counts) for bag in before.values if isinstance(bag, Bag))
        self._evaluator.go(_STEPS_OF_A_FIRING * (len(moves) + 2) + _STEPS_OF_A_TOKEN * tokens)
        try:
            start = _first_round(before, after)
            now: Marking = {name: Counter(bag) for name, bag in start.items()}
            for move in moves:
                self._fire(now, move)
            return _compared(start, now)
        except (NotShown, FaultError, Disabled):
            return None

    def _known(self, expr: Expr) -> tuple[Code, frozenset[str]]:
        """What gives *expr* its value, and the variables in it."""
        known = self._codes.get(id(expr))
        if known is None:
            known = self._codes[id(expr)] = (self._evaluator.code(expr), variables_of(expr))
        return known

    def _sum(self, arc: Arc) -> Sum:
        known = self._sums.get(id(arc))
        if known is None:
            known = self._sums[id(arc)] = Sum(arc.terms, self._evaluator)
        return known

    def _fire(self, now: Marking, move: Move) -> None:
        transition = self._transitions[move.name]
        values = self._lines(transition, now, move)
        self._evaluator.begin()
        for gate in transition.gates:
            if not _is_always(BinaryOp.NE, self._line(gate, values)):
                raise NotShown
        for let in transition.lets:
            if any(values[name].step for term in let.terms for name in _variables(term)):
                raise NotShown
            if any(values[name].step for name in let.names):
                raise NotShown
        for arc, tokens in self._tokens(transition.inputs, values):
            bag = now[arc.place]
            bag.subtract(tokens)
            if any(bag[token] < 0 for token in tokens):
                raise NotShown
        for arc, tokens in self._tokens(transition.outputs, values):
            for token in tokens:
                _check_bounds(self._places[arc.place], token)
            now[arc.place].update(tokens)

    def _lines(self, transition: Transition, now: Marking, move: Move) -> dict[str, Line]:
        """What the variables are in every round: as the tokens that they take their values from."""
        numbers: dict[str, int] = {}
        for variable, value in zip(transition.variables, move.arguments, strict=True):
            assert isinstance(value, int), "the variables of a net are whole numbers"
            numbers[variable.name] = value
        found: dict[str, Line] = {}
        for arc in transition.inputs:
            for term in arc.terms:
                for name, line in self._matched(term, now[arc.place], numbers).items():
                    if found.setdefault(name, line) != line:
                        raise NotShown
        for variable in transition.variables:
            line = found.setdefault(variable.name, Line(numbers[variable.name]))
            if line.step and variable.low is not None:
                raise NotShown
        return found

    def _matched(
        self, term: Term, bag: Counter[Shape], numbers: Mapping[str, int]
    ) -> dict[str, Line]:
        """The lines of variables that stand alone in *term*, as in the token that it takes."""
        parts = term.components
        if not any(isinstance(part, Var) for part in parts):
            return {}
        if any(isinstance(part, Interval) for part in parts):
            return {}
        frame = Frame(dict(numbers))
        if not self._known(term.multiplicity)[0](frame):
            return {}
        token = tuple(
            self._known(part)[0](frame) for part in parts if not isinstance(part, Interval)
        )
        there = [
            shape
            for shape, count in bag.items()
            if count > 0 and tuple(line.start for line in shape) == token
        ]
        if len(there) != 1:
            raise NotShown
        return {
            part.name: line
            for part, line in zip(parts, there[0], strict=True)
            if isinstance(part, Var)
        }

    def _tokens(
        self, arcs: Iterable[Arc], values: Mapping[str, Line]
    ) -> Iterable[tuple[Arc, Counter[Shape]]]:
        for arc in arcs:
            tokens = self._sum(arc)
            if not any(values[name].step for name in tokens.needs):
                frame = Frame({name: line.start for name, line in values.items()})
                total = tokens.total(frame)
                yield arc, Counter({_fixed(token): count for token, count in total.items()})
                continue
            yield arc, self._summed(arc, values)

    def _summed(self, arc: Arc, values: Mapping[str, Line]) -> Counter[Shape]:
        found: Counter[Shape] = Counter()
        for term in arc.terms:
            times = self._line(term.multiplicity, values)
            if times.step or times.start < 0:
                raise NotShown
            shape = tuple(self._component(part, values) for part in term.components)
            if times.start:
                found[shape] += times.start
        return found

    def _component(self, part: Component, values: Mapping[str, Line]) -> Line:
        if isinstance(part, Interval):
            raise NotShown
        return self._line(part, values)

    def _line(self, expr: Expr, values: Mapping[str, Line]) -> Line:
        """The value of *expr* in every round."""
        code, needs = self._known(expr)
        if not any(values[name].step for name in needs):
            numbers = {name: line.start for name, line in values.items()}
            return Line(code(Frame(numbers)))
        match expr:
            case Var(name):
                return values[name]
            case Unary(UnaryOp.KEEP, operand):
                return self._line(operand, values)
            case Unary(UnaryOp.NEGATE, operand):
                line = self._line(operand, values)
                return Line(-line.start, -line.step)
            case Unary(UnaryOp.NOT, operand):
                return Line(int(_is_always(BinaryOp.EQ, self._line(operand, values))))
            case Binary(op, left, right):
                return self._binary(op, left, right, values)
            case Conditional(test, yes, no):
                holds = _is_always(BinaryOp.NE, self._line(test, values))
                return self._line(yes if holds else no, values)
            case _:
                raise NotShown

    def _binary(self, op: BinaryOp, left: Expr, right: Expr, values: Mapping[str, Line]) -> Line:
        first = self._line(left, values)
        if op in (BinaryOp.AND, BinaryOp.OR):
            holds = _is_always(BinaryOp.NE, first)
            if holds is (op is BinaryOp.OR):
                return Line(int(holds))
            return Line(int(_is_always(BinaryOp.NE, self._line(right, values))))
        second = self._line(right, values)
        if op is BinaryOp.PLUS:
            return Line(first.start + second.start, first.step + second.step)
        difference = Line(first.start - second.start, first.step - second.step)
        if op is BinaryOp.MINUS:
            return difference
        if op is BinaryOp.TIMES and not (first.step and second.step):
            by = second.start if not second.step else first.start
            line = first if not second.step else second
            return Line(line.start * by, line.step * by)
        return Line(int(_is_always(op, difference)))


_OPPOSITES = {
    BinaryOp.GT: BinaryOp.LE,
    BinaryOp.GE: BinaryOp.LT,
    BinaryOp.NE: BinaryOp.EQ,
}


def _is_always(op: BinaryOp, line: Line) -> bool:
    """Whether ``line op 0`` holds in every round; raises ``NotShown`` if that differs.

    >>> _is_always(BinaryOp.LT, Line(-3, -1)), _is_always(BinaryOp.NE, Line(1, 2))
    (True, True)
    """
    if op in _OPPOSITES:
        return not _is_always(_OPPOSITES[op], line)
    start, step = line
    match op:
        case BinaryOp.LT:
            holds, fails = start < 0 and step <= 0, start >= 0 and step >= 0
        case BinaryOp.LE:
            holds, fails = start <= 0 and step <= 0, start > 0 and step >= 0
        case BinaryOp.EQ:
            holds = start == 0 and step == 0
            fails = start != 0 if step == 0 else start % step != 0 or -start // step < 0
        case _:
            raise NotShown
    if holds is fails:
        raise NotShown
    return holds


def _fixed(token: Token) -> Shape:
    return tuple(Line(number) for number in token)


def _variables(term: Term) -> frozenset[str]:
    found = variables_of(term.multiplicity)
    for part in term.components:
        both = (part.low, part.high) if isinstance(part, Interval) else (part,)
        found = found.union(*map(variables_of, both))
    return found


def _check_bounds(place: Place, token: Shape) -> None:
    for at, (start, step) in enumerate(token):
        low = None if place.low is None else place.low[at]
        high = None if place.high is None else place.high[at]
        if low is not None and (start < low or step < 0):
            raise NotShown
        if high is not None and (start > high or step > 0):
            raise NotShown


def _first_round(before: State, after: State) -> Marking:
    """The tokens *before*, each with the steps to the token that it becomes."""
    found: Marking = {}
    for name, old, new in zip(before.names, before.values, after.values, strict=True):
        assert isinstance(old, Bag), "a marking is made of bags"
        assert isinstance(new, Bag), "a marking is made of bags"
        had, has = Counter(dict(old)), Counter(dict(new))
        lost, gained = had - has, has - had
        if lost.total() > MOST_CHANGED or lost.total() > gained.total():
            raise NotShown
        shapes = Counter({_fixed(token): count for token, count in (had - lost).items()})
        changed = sorted(lost.elements())
        for token, other in zip(changed, _largest(gained, len(changed)), strict=True):
            shapes[tuple(Line(a, b - a) for a, b in zip(token, other, strict=True))] += 1
        found[name] = shapes
    return found


def _largest(tokens: Counter[Token], count: int) -> list[Token]:
    """The last *count* of *tokens* in their order."""
    return sorted(nlargest(count, tokens.elements()))


def _compared(start: Marking, now: Marking) -> Shifted:
    """What a round did, where *now* has all tokens with which the next one begins."""
    grows, moves_on = [], []
    for name, shapes in start.items():
        following = Counter(
            {tuple(Line(a + d, d) for a, d in shape): count for shape, count in shapes.items()}
        )
        if any(now[name][shape] < count for shape, count in following.items()):
            raise NotShown
        if now[name].total() > following.total():
            grows.append(name)
        if any(step for shape in shapes for _, step in shape):
            moves_on.append(name)
    if not grows and not moves_on:
        raise NotShown
    return Shifted(tuple(grows), tuple(moves_on))
