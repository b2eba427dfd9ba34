"""Formulas: one method for each rule of the grammar.

Precedence, tightest first: terms; comparison and membership; ``¬`` and
quantifiers; ``∧``; ``∨``; ``→``; ``↔``. A method gives ``None`` when the formula
cannot be understood; then the reason has been said.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Final

from zermelo.languages.sections.read.grammar import complaints, tree
from zermelo.languages.sections.read.grammar.cursor import Names
from zermelo.languages.sections.read.grammar.lookahead import begins_conjunct, next_arrow
from zermelo.languages.sections.read.grammar.terms import TERM_SIGNS, Terms
from zermelo.languages.sections.read.grammar.tokens import Token
from zermelo.languages.sections.read.grammar.tree import (
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
    Expr,
    Quantifier,
)
from zermelo.languages.sections.read.grammar.walk import conjuncts, disjuncts
from zermelo.text.source import Source

_RELATIONS: Final = {op.value: op for op in CompareOp}
_MIRRORED: Final = {"∋": CompareOp.IN, "⊃": CompareOp.PROPER_SUBSET}
_QUANTIFIERS: Final = {"∀": Quantifier.ALL, "∃": Quantifier.SOME, "∄": Quantifier.SOME}
_CONTINUES: Final = TERM_SIGNS | {*_RELATIONS, *_MIRRORED, "⊄", "≡"}
"""Signs behind a bracket that show that it was only the first operand of a body."""


class Formulas(Terms):
    """The grammar of formulas."""

    def __init__(self, source: Source, tokens: Sequence[Token], names: Names) -> None:
        super().__init__(source, tokens, names)
        self._modulus: bool | None = None

    # formula = implication { "↔" implication }
    def formula(self) -> Expr | None:
        """A formula, or a term."""
        start = self.at
        left = self.implication()
        while left is not None and self.take_infix("↔", "≡"):
            right = self.implication()
            if right is None:
                return None
            left = tree.Iff(left, right, span=self.span_from(start))
        return left

    # implication = disjunction [ "→" implication ]
    def implication(self) -> Expr | None:
        """``a → b → c``, from the right."""
        starts = [self.at]
        operands = [self.disjunction()]
        while operands[-1] is not None and not self.mode.is_guard and self.take_infix("→"):
            starts.append(self.at)
            operands.append(self.disjunction())
        whole = operands.pop()
        starts.pop()
        while operands and whole is not None:
            left = operands.pop()
            span = self.span_from(starts.pop())
            whole = left and tree.Implies(left, whole, span=span)
        return whole

    # disjunction = conjunction { "∨" conjunction }
    def disjunction(self) -> Expr | None:
        """``a ∨ b ∨ c``."""
        start = self.at
        first = self.conjunction()
        if first is None:
            return None
        operands = [first]
        while self.take_infix("∨"):
            operand = self.conjunction()
            if operand is None:
                return None
            operands.append(operand)
        if len(operands) == 1:
            return first
        flat = [part for operand in operands for part in disjuncts(operand)]
        return tree.Or(tuple(flat), span=self.span_from(start))

    # conjunction = negation { "∧" negation }
    def conjunction(self) -> Expr | None:
        """``a ∧ b ∧ c``."""
        start = self.at
        first = self.negation()
        if first is None:
            return None
        operands = [first]
        while not self._is_next_assignment() and self.take_infix("∧"):
            operand = self.negation()
            if operand is None:
                return None
            operands.append(operand)
        if len(operands) == 1:
            return first
        flat = [part for operand in operands for part in conjuncts(operand)]
        return tree.And(tuple(flat), span=self.span_from(start))

    def _is_next_assignment(self) -> bool:
        """Whether the ``∧`` here belongs to the conclusion and not to the value before it."""
        if not self.mode.is_conclusion or self.infix(self.at)[0] != "∧":
            return False
        following = self.at + 1
        is_rule = next_arrow(self, following, len(self.tokens)) is not None
        return is_rule or begins_conjunct(self, following)

    # negation = "¬" negation | quantified | comparison
    def negation(self) -> Expr | None:
        """``¬a``, a quantified formula, or a comparison."""
        starts: list[int] = []
        while self.prefix(self.at) == "¬":
            starts.append(self.at)
            self.at += 1
        whole = self.quantified() if self.prefix(self.at) in _QUANTIFIERS else self.comparison()
        while starts and whole is not None:
            whole = tree.Not(whole, span=self.span_from(starts.pop()))
        return whole

    # comparison = sum { relation ( sum | negation ) }
    def comparison(self) -> Expr | None:
        """``a``, ``a = b`` or ``a < b < c``."""
        start = self.at
        first = self.sum()
        links: list[tuple[CompareOp, Expr]] = []
        while first is not None and (sign := self.take_infix(*_RELATIONS)):
            right = self._right_side()
            if right is None:
                return None
            links.append((_RELATIONS[sign], right))
        if first is None:
            return None
        whole = Compare(first, tuple(links), span=self.span_from(start)) if links else first
        return self._unusual_relation(start, whole)

    def _right_side(self) -> Expr | None:
        if self.prefix(self.at) != "¬" and self.prefix(self.at) not in _QUANTIFIERS:
            return self.sum()
        if not self.deeper():
            return None
        right = self.negation()
        self.higher()
        return right

    # unusual = term ( "∋" | "⊃" | "⊄" | "≡" ) term, the last with "(mod n)" behind it
    def _unusual_relation(self, start: int, left: Expr) -> Expr | None:
        sign = self.infix(self.at)[0]
        if sign not in {*_MIRRORED, "⊄"} and not (sign == "≡" and self._has_modulus()):
            return left
        self.at += 1
        right = self.sum()
        if right is None:
            return None
        if sign == "≡":
            return self._congruence(start, left, right)
        if sign == "⊄":
            links = ((CompareOp.PROPER_SUBSET, right),)
            whole = Compare(left, links, span=self.span_from(start))
            return tree.Not(whole, span=whole.span)
        return Compare(right, ((_MIRRORED[sign], left),), span=self.span_from(start))

    def _has_modulus(self) -> bool:
        """Whether ``(mod n)`` stands somewhere, so that ``≡`` is a congruence."""
        if self._modulus is None:
            places = range(len(self.tokens) - 1)
            self._modulus = any(
                self.sign(at) == "(" and self.tokens[at + 1].text == "mod" for at in places
            )
        return self._modulus

    def _congruence(self, start: int, left: Expr, right: Expr) -> Expr | None:
        """``a ≡ b (mod n)`` as ``a mod n = b mod n``."""
        opener = self.at
        if not self.take("("):
            complaints.operator_missing(self)
            return None
        self.at += 1
        modulus = self.sum()
        if modulus is None or not complaints.closed(self, opener):
            return None
        span = self.span_from(start)
        remainders = (
            Binary(BinaryOp.MOD, left, modulus, span=span),
            Binary(BinaryOp.MOD, right, modulus, span=span),
        )
        return Compare(remainders[0], ((CompareOp.EQ, remainders[1]),), span=span)

    # quantified = ( "∀" | "∃" ) name { "," name } [ "∈" sum ] body
    def quantified(self) -> Expr | None:
        """``∃x, y ∈ A: φ``; several domains give one quantifier each."""
        start = self.at
        sign = self.prefix(self.at)
        self.at += 1
        outer = len(self.bound)
        whole = self._binding(start, _QUANTIFIERS[sign])
        del self.bound[outer:]
        if whole is not None and sign == "∄":
            return tree.Not(whole, span=self.span_from(start))
        return whole

    def _binding(self, start: int, quantifier: Quantifier) -> Expr | None:
        is_tuple = self._is_pattern()
        variables = self._components() if is_tuple else self._variables()
        if variables is None or not self.deeper():
            return None
        self.bound.extend(variables)
        domain: Expr | None = None
        relation = self.take_infix("∈", "⊆")
        if relation:
            domain = self._domain(relation)
            if domain is None:
                return None
        body = self._next_binding(quantifier) if self._binds_more() else self._body(start)
        self.higher()
        if body is None:
            return None
        return tree.Quantified(
            quantifier, variables, domain, body, is_tuple, span=self.span_from(start)
        )

    def _is_pattern(self) -> bool:
        """Whether a tuple of names with its set stands here: ``(x, y) ∈ S``."""
        close = self.closer.get(self.at)
        if self.sign(self.at) != "(" or close is None or self.infix(close + 1)[0] != "∈":
            return False
        inside = range(self.at + 1, close)
        return len(inside) >= 3 and all(
            bool(self.word(at)) if place % 2 == 0 else self.sign(at) == ","
            for place, at in enumerate(inside)
        )

    # pattern = "(" name "," name { "," name } ")"
    def _components(self) -> tuple[str, ...]:
        close = self.closer[self.at]
        names = tuple(self.word(at) for at in range(self.at + 1, close, 2))
        self.at = close + 1
        return names

    # variables = name { "," name }
    def _variables(self) -> tuple[str, ...] | None:
        variables: list[str] = []
        while True:
            word = self.word(self.at)
            if not word:
                complaints.variable_missing(self)
                return None
            variables.append(word)
            self.at += 1
            following = self.word(self.at + 1)
            if self.sign(self.at) != "," or not following or following in variables:
                return tuple(variables)
            if not self._binds(self.at + 1):
                return tuple(variables)
            self.at += 1

    def _binds(self, at: int) -> bool:
        """Whether the name at *at* is one more variable and not the start of the body."""
        after = self.infix(at + 1)[0]
        is_body_bracket = after == "(" and self.tokens[at + 1].blank_before
        return after in {",", "∈", "⊆", ":"} or is_body_bracket

    def _domain(self, relation: str) -> Expr | None:
        start = self.at
        mode, self.mode = self.mode, dataclasses.replace(self.mode, is_domain=True)
        domain = self.sum()
        self.mode = mode
        if domain is not None and relation == "⊆":
            return tree.PowerSet(domain, span=self.span_from(start))
        return domain

    def _binds_more(self) -> bool:
        """Whether ``, y ∈ B`` here is one more name to bind, with a body behind it."""
        if self.sign(self.at) != "," or not self.word(self.at + 1):
            return False
        at = self.at + 2
        if self.infix(at)[0] not in {"∈", "⊆"}:
            return False
        at += 2
        if self.sign(at) == "(" and self.word(at - 1):
            at = self.closer.get(at, at) + 1
        elif at - 1 in self.closer:
            at = self.closer[at - 1] + 1
        return self.sign(at) in {":", ",", "("} or self._is_such_that(at)

    def _next_binding(self, quantifier: Quantifier) -> Expr | None:
        self.at += 1
        return self._binding(self.at, quantifier)

    # body = ":" formula | [ "," ] "(" formula ")" | "," formula | negation
    def _body(self, start: int) -> Expr | None:
        """What a quantifier says: the bracket behind it, or everything behind a colon."""
        if self.take(":", ".") or (self._is_such_that(self.at) and self._takes_such_that()):
            return self.formula()
        has_comma = self.take(",")
        if self.sign(self.at) in {"(", "["}:
            close = self.closer.get(self.at)
            after = self.infix(close + 1)[0] if close is not None else ""
            is_whole = after not in _CONTINUES and self._is_formula(self.at, close)
            return self.group() if is_whole else self.comparison()
        if has_comma:
            return self.formula()
        if self.starts_operand(self.at):
            return self.negation()
        complaints.body_missing(self, start)
        return None

    def _is_formula(self, opener: int, close: int | None) -> bool:
        """Whether the bracket is no tuple."""
        return close is None or all(
            self.sign(at) != "," for at in self.outermost(opener + 1, close)
        )

    def outermost(self, start: int, end: int) -> list[int]:
        """The places from *start* up to *end* that lie in no further bracket."""
        places: list[int] = []
        at = start
        while at < end:
            places.append(at)
            at = self.closer.get(at, at) + 1
        return places
