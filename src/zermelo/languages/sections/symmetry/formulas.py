"""Formulas over the claims of a state, each kept once.

A claim says of one variable that a value is in it, or that it has this value.
Everything a turn does is written with claims, so two turns are the same when
their formulas are the same nodes, and renaming claims is all a symmetry does.
Building never depends on names: it looks only at how formulas hang together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from zermelo.core.values import Number
from zermelo.languages.sections.ir import Op


class GroundingError(Exception):
    """A part of the system cannot be written out; it says which, in words.

    It never leaves this package: such a system has no symmetries that are proved.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


Node: TypeAlias = int
"""The number of a formula."""

FALSE: Final = 0
TRUE: Final = 1
MOST_NODES: Final = 400_000


@dataclass(frozen=True, slots=True)
class TruthConstant:
    """True or false."""

    value: bool


@dataclass(frozen=True, slots=True)
class Claimed:
    """The claim with this number."""

    number: int


@dataclass(frozen=True, slots=True)
class Amount:
    """The number variable with this number, which is not taken apart into its values."""

    number: int


@dataclass(frozen=True, slots=True)
class Negation:
    """Not *part*."""

    part: Node


@dataclass(frozen=True, slots=True)
class Conjunction:
    """All of *parts*."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Disjunction:
    """Some of *parts*."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class KnownNumber:
    """A known number."""

    value: Number


@dataclass(frozen=True, slots=True)
class WeightedSum:
    """The weights of the formulas that hold, added up."""

    weights: tuple[tuple[Node, Number], ...]


@dataclass(frozen=True, slots=True)
class NumberTerm:
    """An operator between two numbers."""

    op: Op
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Choose:
    """One of two numbers, by a formula."""

    condition: Node
    yes: Node
    no: Node


Formula: TypeAlias = (
    TruthConstant
    | Claimed
    | Amount
    | Negation
    | Conjunction
    | Disjunction
    | KnownNumber
    | WeightedSum
    | NumberTerm
    | Choose
)

_TURNED: Final = {Op.GT: Op.LT, Op.GE: Op.LE}
_EITHER_WAY_ROUND: Final = {Op.EQ, Op.PLUS, Op.TIMES}
_NEAR: Final = 3
"""How many levels of a formula are looked into for a condition that is known."""


class Formulas:
    """All formulas of one system, each once."""

    def __init__(self, *, most: int = MOST_NODES) -> None:
        self._formulas: list[Formula] = [TruthConstant(value=False), TruthConstant(value=True)]
        self._known: dict[Formula, Node] = {}
        self._most = most
        self._others: dict[int, int] = {}
        self._supports: dict[Node, int] = {}

    def __getitem__(self, node: Node) -> Formula:
        return self._formulas[node]

    def __len__(self) -> int:
        return len(self._formulas)

    def pair(self, one: int, other: int) -> None:
        """Say that of these two claims exactly one holds, always."""
        self._others[one] = other
        self._others[other] = one

    def made(self, formula: Formula) -> Node:
        found = self._known.get(formula)
        if found is None:
            found = self._known[formula] = len(self._formulas)
            self._formulas.append(formula)
            if found > self._most:
                raise GroundingError(f"a turn written out takes more than {self._most:,} formulas")
        return found

    # Truth

    def negation(self, node: Node) -> Node:
        found = self._opposite(node)
        return self.made(Negation(node)) if found is None else found

    def all_of(self, nodes: Iterable[Node]) -> Node:
        return self._junction(nodes, TRUE)

    def any_of(self, nodes: Iterable[Node]) -> Node:
        return self._junction(nodes, FALSE)

    def same(self, left: Node, right: Node) -> Node:
        """``left ↔ right``."""
        return self.either(left, right, self.negation(right))

    def either(self, condition: Node, yes: Node, no: Node) -> Node:
        """*yes* where *condition* holds, else *no*."""
        if yes == no or condition in {FALSE, TRUE}:
            return no if condition == FALSE else yes
        yes = self._assuming(yes, condition, TRUE, _NEAR)
        no = self._assuming(no, condition, FALSE, _NEAR)
        if yes == no:
            return yes
        if yes == TRUE:
            return self.any_of((condition, no))
        if no == TRUE:
            return self.any_of((self.negation(condition), yes))
        wanted = self.all_of((condition, yes))
        otherwise = self.all_of((self.negation(condition), no))
        return self.any_of((wanted, otherwise))

    def _assuming(self, node: Node, condition: Node, value: Node, depth: int) -> Node:
        """*node* where *condition* is known, as far as it is near the top of it."""
        if node == condition:
            return value
        if node == self._opposite(condition):
            return 1 - value
        if depth == 0:
            return node
        match self._formulas[node]:
            case Negation(part):
                return self.negation(self._assuming(part, condition, value, depth - 1))
            case Conjunction(parts):
                return self.all_of(self._assuming(p, condition, value, depth - 1) for p in parts)
            case Disjunction(parts):
                return self.any_of(self._assuming(p, condition, value, depth - 1) for p in parts)
            case _:
                return node

    def _opposite(self, node: Node) -> Node | None:
        """``¬node``, if it has a number already."""
        if node in {FALSE, TRUE}:
            return 1 - node
        match self._formulas[node]:
            case Negation(part):
                return part
            case Claimed(number) if number in self._others:
                return self.made(Claimed(self._others[number]))
            case _:
                return self._known.get(Negation(node))

    def _junction(self, nodes: Iterable[Node], neutral: Node) -> Node:
        """All of *nodes* if TRUE is *neutral*, some of them if FALSE is."""
        kind, other = (Conjunction, Disjunction) if neutral else (Disjunction, Conjunction)
        flat: set[Node] = set()
        for node in nodes:
            if node == 1 - neutral:
                return node
            formula = self._formulas[node]
            if isinstance(formula, kind):
                flat.update(formula.parts)
            elif node != neutral:
                flat.add(node)
        # ``a ∨ b`` beside ``a`` in a conjunction says nothing, and the other way round.
        for node in tuple(flat):
            formula = self._formulas[node]
            if isinstance(formula, other) and not flat.isdisjoint(formula.parts):
                flat.discard(node)
        if any(self._opposite(node) in flat for node in flat):
            return 1 - neutral
        if len(flat) < 2:
            return flat.pop() if flat else neutral
        return self.made(kind(tuple(sorted(flat))))

    # Numbers

    def known(self, node: Node) -> Number | None:
        formula = self._formulas[node]
        return formula.value if isinstance(formula, KnownNumber) else None

    def total(self, parts: Iterable[tuple[Node, Number]]) -> Node:
        fixed: Number = 0
        weights: dict[Node, Number] = {}
        for node, weight in parts:
            if node == TRUE:
                fixed += weight
            elif node != FALSE:
                weights[node] = weights.get(node, 0) + weight
        kept = sorted((node, weight) for node, weight in weights.items() if weight)
        if not kept:
            return self.made(KnownNumber(fixed))
        if fixed:
            kept.insert(0, (TRUE, fixed))
        return self.made(WeightedSum(tuple(kept)))

    def term(self, op: Op, left: Node, right: Node) -> Node:
        """An operator between two numbers of which one at least is not known."""
        if op is Op.NE:
            return self.negation(self.term(Op.EQ, left, right))
        if op in _TURNED:
            op, left, right = _TURNED[op], right, left
        if op in _EITHER_WAY_ROUND and left > right:
            left, right = right, left
        if op is Op.EQ and left == right:
            return TRUE
        decided = self._as_presence(op, left, right)
        return self.made(NumberTerm(op, left, right)) if decided is None else decided

    def choose(self, condition: Node, yes: Node, no: Node) -> Node:
        """The number *yes* where *condition* holds, else *no*."""
        if yes == no or condition == TRUE:
            return yes
        return no if condition == FALSE else self.made(Choose(condition, yes, no))

    def _as_presence(self, op: Op, left: Node, right: Node) -> Node | None:
        """A count compared with 0 asks whether anything that is counted is there."""
        if op not in {Op.LT, Op.EQ}:
            return None
        if op is Op.EQ and self.known(right) == 0:
            left, right = right, left
        counted = self._formulas[right]
        if self.known(left) != 0 or not isinstance(counted, WeightedSum):
            return None
        if any(weight < 0 for _, weight in counted.weights):
            return None
        some = self.any_of(node for node, _ in counted.weights)
        return some if op is Op.LT else self.negation(some)

    # Renaming

    def parts(self, node: Node) -> tuple[Node, ...]:
        """The nodes that *node* directly consists of."""
        match self._formulas[node]:
            case Negation(part):
                return (part,)
            case Conjunction(parts) | Disjunction(parts):
                return parts
            case WeightedSum(weights):
                return tuple(part for part, _ in weights)
            case NumberTerm(_, left, right):
                return (left, right)
            case Choose(condition, yes, no):
                return (condition, yes, no)
            case _:
                return ()

    def inside_out(self, node: Node, is_done: Callable[[Node], bool]) -> Iterator[Node]:
        """*node* and all it consists of, parts first, without what is done by then."""
        waiting = [node]
        while waiting:
            at = waiting[-1]
            missing = [] if is_done(at) else [p for p in self.parts(at) if not is_done(p)]
            if missing:
                waiting += missing
            else:
                waiting.pop()
                if not is_done(at):
                    yield at

    def support(self, node: Node) -> int:
        """The claims that *node* speaks of, as the bits of a number."""
        supports = self._supports
        if node not in supports:
            for at in self.inside_out(node, supports.__contains__):
                formula = self._formulas[at]
                found = 1 << formula.number if isinstance(formula, Claimed) else 0
                for part in self.parts(at):
                    found |= supports[part]
                supports[at] = found
        return supports[node]

    def replaced(self, claims: Mapping[int, Node]) -> Callable[[Node], Node]:
        """What becomes of formulas when these claims are replaced by these formulas."""
        images: dict[Node, Node] = {}
        touched = sum(1 << claim for claim in claims)

        def is_ready(node: Node) -> bool:
            return node in images or not self.support(node) & touched

        def image(node: Node) -> Node:
            if not is_ready(node):
                for at in self.inside_out(node, is_ready):
                    formula = self._formulas[at]
                    images[at] = (
                        claims[formula.number]
                        if isinstance(formula, Claimed)
                        else self._rebuilt(formula, lambda part: images.get(part, part))
                    )
            return images.get(node, node)

        return image

    def _rebuilt(self, formula: Formula, image: Callable[[Node], Node]) -> Node:
        match formula:
            case Negation(part):
                return self.negation(image(part))
            case Conjunction(parts):
                return self.all_of(map(image, parts))
            case Disjunction(parts):
                return self.any_of(map(image, parts))
            case WeightedSum(weights):
                return self.total((image(part), weight) for part, weight in weights)
            case NumberTerm(op, left, right):
                return self.term(op, image(left), image(right))
            case Choose(condition, yes, no):
                return self.choose(image(condition), image(yes), image(no))
            case TruthConstant() | Claimed() | Amount() | KnownNumber():
                raise AssertionError("what has no parts is not built again")
