"""What holds in every reachable state of a system: found on its grounded turn, and proved there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from zermelo.core.layout import Mask, Unpackable
from zermelo.core.signature import Stuck
from zermelo.core.symmetry import EndingCode, Invariants, LinearInvariant
from zermelo.languages.sections.compile.emitter import ending_code
from zermelo.languages.sections.invariants.ending import set_at_the_end
from zermelo.languages.sections.invariants.linear import (
    Bounded,
    constant_sums,
    preserved,
    that_happen,
)
from zermelo.languages.sections.invariants.local_transitions import (
    LocalTransition,
    afterwards,
    moves,
    possible_claims,
)
from zermelo.languages.sections.invariants.potential import potential
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry.formulas import GroundingError
from zermelo.languages.sections.symmetry.grounding import GroundSystem, ground
from zermelo.packing.code import Refused


def invariants(machine: Interpreter) -> Invariants:
    layout = machine.layout
    if isinstance(layout, Unpackable):
        return Invariants(why_not=layout.reason)
    try:
        system = ground(machine, layout)
        return _Finding(machine, system).found()
    except GroundingError as beyond:
        return Invariants(why_not=beyond.reason)


class _Finding:
    def __init__(self, machine: Interpreter, system: GroundSystem) -> None:
        self._machine = machine
        self._system = system
        self._bits = system.bits
        result = machine.system.result
        is_passed = machine.system.stuck is Stuck.PASSES
        passed = (at for at in system.held if is_passed and self._bits[at].variable != result)
        self._moves = moves(system)
        self._others = afterwards(system, frozenset(passed))

    def found(self) -> Invariants:
        system = self._system
        every = [*self._moves, *self._others]
        possible = possible_claims(system, every)
        impossible = frozenset(range(len(self._bits))) - possible
        local = preserved(self._candidates(possible, every), every, system.first, impossible)
        self._moves = that_happen(self._moves, local, impossible)
        self._others = that_happen(self._others, local, impossible)
        weights = potential(self._moves, self._others, self._bits)
        named = None if weights is None else {self._bits[at]: w for at, w in weights.items()}
        ending = self._ending()
        still = frozenset[str]() if ending is None else ending.variables
        changing = {bit.variable for bit in self._bits} | set(system.amounts)
        return Invariants(
            impossible=frozenset(self._bits[at] for at in impossible),
            local=tuple(self._named(each) for each in local),
            totals=tuple(self._totals(possible)),
            potential=named,
            ending=ending,
            fixed={
                name: self._machine.initial[name]
                for name in self._machine.initial.names
                if name in still or name not in changing
            },
        )

    def _named(self, each: Bounded) -> LinearInvariant:
        weights = tuple((self._bits[at], weight) for at, weight in each.weights)
        return LinearInvariant(weights, sum(min(w, 0) for _, w in weights), each.high)

    # A few claims each

    def _candidates(
        self, possible: frozenset[int], transitions: Sequence[LocalTransition]
    ) -> Iterator[Bounded]:
        """That no two sets have a member in common, and that one is nowhere without another."""
        holders = self._holders(possible)
        for claims in holders.values():
            for one, other in combinations(claims, 2):
                yield Bounded(((one, 1), (other, 1)), 1)
        cell_of = {claim: cell for cell, claims in holders.items() for claim in claims}
        # Beside which cells each cell is filled.
        beside: dict[tuple[str, object], set[tuple[str, object]]] = {}
        for each in transitions:
            near = {cell_of[claim] for claim in each.before if claim in cell_of}
            for claim, holds in each.after.items():
                if holds and claim in cell_of:
                    cell = cell_of[claim]
                    beside[cell] = beside.get(cell, near) & near
        for upper, others in beside.items():
            for lower in others - {upper}:
                if lower[0] == upper[0]:
                    above = [(claim, 1) for claim in holders[upper]]
                    below = [(claim, -1) for claim in holders[lower]]
                    yield Bounded((*above, *below), 0)

    def _holders(self, possible: frozenset[int]) -> dict[tuple[str, object], list[int]]:
        """For each member of sets over the same members the claims that it is in one of them."""
        shapes = {
            field.variable: field.shape
            for field in self._machine.layout.fields  # type: ignore[union-attr]  # it was looked at
            if isinstance(field.shape, Mask)
        }
        first: dict[Mask, str] = {}
        for name, shape in shapes.items():
            first.setdefault(shape, name)
        found: dict[tuple[str, object], list[int]] = defaultdict(list)
        for at, bit in enumerate(self._bits):
            if at in possible and bit.is_member and bit.variable in shapes:
                found[first[shapes[bit.variable]], bit.value].append(at)
        return dict(found)

    # Whole variables

    def _totals(self, possible: frozenset[int]) -> Iterator[LinearInvariant]:
        """How many members sets can have, and sums that no move changes."""
        every = [*self._moves, *self._others]
        unknown = frozenset[int]().union(*(each.unknown for each in every))
        parts = [each for each in self._parts(possible) if unknown.isdisjoint(each)]
        changes = {
            tuple(
                sum(1 if holds else -1 for c, holds in each.after.items() if c in part)
                for part in parts
            )
            for each in every
        }
        started = [sum(self._system.first[claim] for claim in part) for part in parts]
        for at, part in enumerate(parts):
            if self._bits[part[0]].is_member:
                never_grows = all(change[at] <= 0 for change in changes)
                never_shrinks = all(change[at] >= 0 for change in changes)
                if (never_grows or never_shrinks) and len(part) > 1:
                    low = started[at] if never_shrinks else 0
                    high = started[at] if never_grows else len(part)
                    if high - low < len(part):
                        yield self._total({at: 1}, parts, low, high)
        for weights in constant_sums(changes - {(0,) * len(parts)}, len(parts)):
            used = {at: weight for at, weight in enumerate(weights) if weight}
            if len(used) > 1:
                total = sum(weight * started[at] for at, weight in used.items())
                yield self._total(used, parts, total, total)

    def _parts(self, possible: frozenset[int]) -> list[tuple[int, ...]]:
        """The claims of each set; of what has one value, each claim but the first by itself."""
        found: dict[tuple[str, object], list[int]] = defaultdict(list)
        seen: set[str] = set()
        for at in sorted(possible):
            bit = self._bits[at]
            if bit.is_member:
                found[bit.variable, None].append(at)
            elif bit.variable in seen:
                found[bit.variable, bit.value].append(at)
            seen.add(bit.variable)
        return [tuple(claims) for claims in found.values()]

    def _total(
        self, weights: Mapping[int, int], parts: Sequence[tuple[int, ...]], low: int, high: int
    ) -> LinearInvariant:
        named = ((self._bits[c], w) for at, w in weights.items() for c in parts[at])
        return LinearInvariant(tuple(named), low, high)

    # The end

    def _ending(self) -> EndingCode | None:
        variables = set_at_the_end(self._system, self._machine)
        if not variables:
            return None
        try:
            source, numbers = ending_code(self._machine)
        except Refused:
            return None
        return EndingCode(source, numbers, variables)
