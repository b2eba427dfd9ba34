"""Variables that only the end of a turn sets, and only where play is over.

Such a variable, as the result, has its first value while play goes on, and afterwards what the
end makes of everything else; so nobody has to remember it.
"""

from __future__ import annotations

from typing import Final

from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry.formulas import (
    FALSE,
    TRUE,
    Conjunction,
    Disjunction,
    Formulas,
    Negation,
    Node,
)
from zermelo.languages.sections.symmetry.grounding import GroundSystem

_MOST_SPLITS: Final = 200


def set_at_the_end(system: GroundSystem, machine: Interpreter) -> frozenset[str]:
    """The variables whose values follow from the others; proved."""
    end = system.end
    if end is None or end.amounts or machine.system.over is None:
        return frozenset()
    by_moves = {
        system.bits[claim].variable
        for each in system.inputs
        for action in (each.action, each.action.ended)
        if action is not None
        for claim, _ in action.updates
    }
    updated = {claim for claim, _ in end.updates}
    names = {system.bits[claim].variable for claim in updated}
    if names & by_moves:
        return frozenset()
    claims = [at for at, bit in enumerate(system.bits) if bit.variable in names]
    # Until play is over they are what they were at first.
    formulas = system.formulas
    before = formulas.replaced({at: TRUE if system.first[at] else FALSE for at in claims})
    is_over = system.judged[0]
    mask = sum(1 << at for at in claims)
    if formulas.support(is_over) & mask:
        return frozenset()
    for claim, node in end.updates:
        found = before(node)
        changed = formulas.negation(found) if system.first[claim] else found
        if formulas.support(found) & mask:
            return frozenset()
        if system.first[claim] and not system.bits[claim].is_member:
            # What has one value loses it only to another one, whose claim is looked at.
            continue
        if not is_contradiction(formulas, (changed, formulas.negation(is_over))):
            return frozenset()
    return frozenset(names)


def is_contradiction(formulas: Formulas, nodes: tuple[Node, ...]) -> bool:
    """Whether *nodes* cannot all hold, as far as a short search shows."""
    return _Search(formulas).fails({}, [(node, True) for node in nodes])


class _Search:
    """Follows what must hold for some formulas to hold; what is left open is tried both ways."""

    def __init__(self, formulas: Formulas) -> None:
        self._formulas = formulas
        self._splits = 0

    def fails(self, known: dict[Node, bool], wanted: list[tuple[Node, bool]]) -> bool:
        """Whether *wanted*, beside what is *known*, contradicts itself."""
        known = dict(known)
        waiting = list(wanted)
        while waiting:
            node, value = waiting.pop()
            if self._value(node, known) is not None:
                if self._value(node, known) != value:
                    return True
                continue
            known[node] = value
            match self._formulas[node]:
                case Negation(part):
                    waiting.append((part, not value))
                case Conjunction(parts) if value:
                    waiting += [(part, True) for part in parts]
                case Disjunction(parts) if not value:
                    waiting += [(part, False) for part in parts]
                case _:
                    pass
        return self._is_refuted(known)

    def _is_refuted(self, known: dict[Node, bool]) -> bool:
        for node, value in known.items():
            formula = self._formulas[node]
            if isinstance(formula, Disjunction if value else Conjunction):
                found = self._value(node, {each: v for each, v in known.items() if each != node})
                if found is not None and found != value:
                    return True
                if found is None:
                    open_parts = [p for p in formula.parts if self._value(p, known) is None]
                    self._splits += len(open_parts)
                    if self._splits > _MOST_SPLITS:
                        return False
                    rest = {each: v for each, v in known.items() if each != node}
                    return all(self.fails(rest, [(part, value)]) for part in open_parts)
        return False

    def _value(self, node: Node, known: dict[Node, bool]) -> bool | None:
        """What *node* is where some are *known*; ``None`` if that does not tell."""
        if node in known:
            return known[node]
        if node in {FALSE, TRUE}:
            return node == TRUE
        match self._formulas[node]:
            case Negation(part):
                found = self._value(part, known)
                return None if found is None else not found
            case Conjunction(parts):
                return self._of_parts(parts, known, neutral=True)
            case Disjunction(parts):
                return self._of_parts(parts, known, neutral=False)
            case _:
                return None

    def _of_parts(
        self, parts: tuple[Node, ...], known: dict[Node, bool], *, neutral: bool
    ) -> bool | None:
        values = [self._value(part, known) for part in parts]
        if (not neutral) in values:
            return not neutral
        return None if None in values else neutral
