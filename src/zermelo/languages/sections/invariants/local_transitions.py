"""Local transitions: what each input does, case by case of the few claims that it looks at.

An input of a board game looks at a handful of claims: whose turn it is, what stands here and
there. Each way in which these can hold is a case, and a case says which of them hold afterwards.
What looks at too many claims is unknown afterwards, which allows more than can happen; so what
all local transitions preserve is preserved by every turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final

from zermelo.core.values import Number
from zermelo.languages.sections.ir import Op
from zermelo.languages.sections.symmetry.formulas import (
    Amount,
    Choose,
    Claimed,
    Conjunction,
    Disjunction,
    Formulas,
    GroundingError,
    KnownNumber,
    Negation,
    Node,
    NumberTerm,
    TruthConstant,
    WeightedSum,
)
from zermelo.languages.sections.symmetry.grounding import GroundAction, GroundSystem
from zermelo.text import budget

PROVING: Final = "proving what holds in every state"
MOST_LOOKED_AT: Final = 12
"""Claims that an input may look at to be taken apart into cases."""
MOST_CASES: Final = 1_000_000
"""Cases that are gone through, whether or not anything happens in them."""


@dataclass(frozen=True, slots=True)
class LocalTransition:
    """A case of an input: the claims looked at, and those that change."""

    before: Mapping[int, bool]
    after: Mapping[int, bool]
    """The claims that become something else."""
    unknown: frozenset[int] = frozenset()
    """The claims that may or may not hold afterwards."""

    @property
    def has_effect(self) -> bool:
        return bool(self.after or self.unknown)


def moves(system: GroundSystem) -> list[LocalTransition]:
    """What inputs do; raises ``GroundingError`` where there are too many cases."""
    cases = _Cases(system)
    found: list[LocalTransition] = []
    for each in system.inputs:
        found += cases.of(each.action if each.action.ended is None else each.action.ended)
    return found


def afterwards(system: GroundSystem, passed: frozenset[int]) -> list[LocalTransition]:
    """What happens after moves: the end, and that *passed* change as a stuck player passes."""
    found = [] if system.end is None else list(_Cases(system).of(system.end))
    return [*found, LocalTransition({}, {}, passed)] if passed else found


class _Cases:
    def __init__(self, system: GroundSystem) -> None:
        self._system = system
        self._formulas = system.formulas
        self._live = frozenset(system.live)
        self._tried = 0
        self._choices: dict[str, frozenset[int]] = {}
        """The claims of each variable that has exactly one value."""
        for at, bit in enumerate(system.bits):
            if not bit.is_member:
                self._choices[bit.variable] = self._choices.get(bit.variable, frozenset()) | {at}

    def of(self, action: GroundAction) -> Iterator[LocalTransition]:
        near = [(claim, node) for claim, node in action.updates if self._is_near(node)]
        far = frozenset(claim for claim, _ in action.updates) - {claim for claim, _ in near}
        looked_at = {claim for claim, _ in near}
        for _, node in near:
            looked_at |= _members(self._formulas.support(node))
        if len(looked_at) > MOST_LOOKED_AT:
            # Too many together: nothing is known of what becomes of them.
            yield LocalTransition({}, {}, far | {claim for claim, _ in near})
            return
        self._tried += 1 << len(looked_at)
        if self._tried > MOST_CASES:
            raise GroundingError(f"a turn has more than {MOST_CASES:,} cases")
        budget.look(PROVING)
        for before in self._assignments(sorted(looked_at)):
            known: dict[Node, bool | Number] = {}
            after = {}
            for claim, node in near:
                holds = bool(value_of(self._formulas, node, before, known))
                if holds != before[claim]:
                    after[claim] = holds
            found = LocalTransition(before, after, far)
            if found.has_effect:
                yield found

    def _is_near(self, node: Node) -> bool:
        """Whether *node* looks at few claims, and at nothing else."""
        if self._formulas.support(node).bit_count() > MOST_LOOKED_AT:
            return False
        seen: set[Node] = set()
        for at in self._formulas.inside_out(node, seen.__contains__):
            seen.add(at)
            if isinstance(self._formulas[at], Amount):
                return False
        return True

    def _assignments(self, claims: list[int]) -> Iterator[dict[int, bool]]:
        """The ways in which *claims* can hold: a variable with one value has exactly one."""
        bits, first = self._system.bits, self._system.first
        names = {bits[claim].variable for claim in claims if not bits[claim].is_member}
        for held in product((False, True), repeat=len(claims)):
            found = dict(zip(claims, held, strict=True))
            if all(found[c] == first[c] for c in claims if c not in self._live) and all(
                self._is_one(found, self._choices[name]) for name in names
            ):
                yield found

    @staticmethod
    def _is_one(found: Mapping[int, bool], claims: frozenset[int]) -> bool:
        held = sum(found.get(claim, False) for claim in claims)
        return held == 1 or (held == 0 and not claims <= found.keys())


def value_of(
    formulas: Formulas,
    node: Node,
    claims: Mapping[int, bool],
    known: dict[Node, bool | Number],
) -> bool | Number:
    """What *node* is where *claims*, all that it speaks of, hold or not; *known* remembers."""
    for at in formulas.inside_out(node, known.__contains__):
        known[at] = _value(formulas, at, claims, known)
    return known[node]


def _value(
    formulas: Formulas,
    node: Node,
    claims: Mapping[int, bool],
    known: Mapping[Node, bool | Number],
) -> bool | Number:
    formula = formulas[node]
    match formula:
        case TruthConstant(value) | KnownNumber(value):
            return value
        case Claimed(number):
            return claims[number]
        case Negation(part):
            return not known[part]
        case Conjunction(parts):
            return all(known[part] for part in parts)
        case Disjunction(parts):
            return any(known[part] for part in parts)
        case WeightedSum(weights):
            return sum(weight for part, weight in weights if known[part])
        case Choose(condition, yes, no):
            return known[yes] if known[condition] else known[no]
        case NumberTerm(op, left, right):
            return _combined(op, known[left], known[right])
        case Amount():
            raise AssertionError("a number that is not taken apart is never looked at")


def _combined(op: Op, left: Number, right: Number) -> bool | Number:
    match op:
        case Op.PLUS:
            return left + right
        case Op.MINUS:
            return left - right
        case Op.TIMES:
            return left * right
        case Op.LT:
            return left < right
        case Op.LE:
            return left <= right
        case Op.EQ:
            return left == right
        case _:
            raise GroundingError(f"`{op.value}` between numbers that depend on the state")


def _members(mask: int) -> set[int]:
    return {at for at in range(mask.bit_length()) if mask >> at & 1}


def possible_claims(system: GroundSystem, transitions: Iterable[LocalTransition]) -> frozenset[int]:
    """The claims that may hold in some reachable state: no others are ever made true."""
    found = {claim for claim, holds in enumerate(system.first) if holds}
    waiting = list(transitions)
    while True:
        left: list[LocalTransition] = []
        size = len(found)
        for each in waiting:
            if all(claim in found for claim, holds in each.before.items() if holds):
                found |= {claim for claim, holds in each.after.items() if holds} | each.unknown
            else:
                left.append(each)
        if len(found) == size:
            return frozenset(found)
        waiting = left
