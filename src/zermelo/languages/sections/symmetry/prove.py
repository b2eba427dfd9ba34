"""The proof that a permutation of claims is a symmetry of the whole turn.

Every formula of the system is built again with the claims renamed. The turn is
unchanged when the inputs become inputs, the end stays the end, and what is
judged stays what it was; formulas are kept once each, so the same formula has
the same number. Nothing is tried on samples here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TypeAlias

from zermelo.languages.sections.symmetry.formulas import Claimed, Node
from zermelo.languages.sections.symmetry.ground import Action, Ground

Claims: TypeAlias = Mapping[int, int]
"""Where a permutation takes each claim that it moves."""
Signature: TypeAlias = tuple[object, ...]


class Prover:
    """Proves permutations of the claims of one system."""

    def __init__(self, system: Ground) -> None:
        self._system = system
        self._inputs = self._signatures(lambda node: node, {})
        self._end = None if system.end is None else _renamed(system.end, lambda node: node, {})
        self._proved: dict[tuple[tuple[int, int], ...], bool] = {}

    def holds(self, claims: Claims) -> bool:
        """Whether renaming *claims* leaves the system as it is."""
        moved = {a: b for a, b in claims.items() if a != b}
        key = tuple(sorted(moved.items()))
        if key not in self._proved:
            self._proved[key] = sorted(moved) == sorted(moved.values()) and self._holds(moved)
        return self._proved[key]

    def _holds(self, claims: Claims) -> bool:
        system = self._system
        if any(system.first[a] != system.first[b] for a, b in claims.items()):
            return False
        if not system.held.isdisjoint(claims):
            return False
        if any((a in system.outside) != (b in system.outside) for a, b in claims.items()):
            return False
        formulas = system.formulas
        image = formulas.replaced({a: formulas.made(Claimed(b)) for a, b in claims.items()})
        if any(image(node) != node for node in system.judged):
            return False
        if frozenset(map(image, system.invariants)) != system.invariants:
            return False
        if system.end is not None and _renamed(system.end, image, claims) != self._end:
            return False
        return self._signatures(image, claims) == self._inputs

    def _signatures(self, image: Callable[[Node], Node], claims: Claims) -> Counter[Signature]:
        # Inputs of different procedures may do the same; which is which does not matter.
        return Counter(_renamed(each.action, image, claims) for each in self._system.inputs)


def _renamed(action: Action, image: Callable[[Node], Node], claims: Claims) -> Signature:
    updates = frozenset((claims.get(claim, claim), image(node)) for claim, node in action.updates)
    numbers = frozenset((at, image(node)) for at, node in action.amounts)
    faults = frozenset(map(image, action.faults))
    ended = None if action.ended is None else _renamed(action.ended, image, claims)
    return (updates, numbers, faults, ended)
