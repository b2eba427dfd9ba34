"""Formulas and terms: one method for each rule of the grammar.

Precedence, tightest first: application and bars; ``^``; ``× ∩ · / mod``;
``∪ − + ∖``; comparison and membership; ``¬`` and quantifiers; ``∧``; ``∨``; ``→``;
``↔``. A method gives ``None`` when the formula cannot be understood; then the
reason has been said.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final, TypeVar

from zermelo.languages.sections.read.grammar import syntax_errors, tree
from zermelo.languages.sections.read.grammar.cursor import PLAIN, TERM_SIGNS, Mode, TokenCursor
from zermelo.languages.sections.read.grammar.symbols import FUNCTION_WORDS, VALUE_WORDS
from zermelo.languages.sections.read.grammar.tokens import TokenKind, damaged_sign
from zermelo.languages.sections.read.grammar.traversal import (
    conjuncts,
    disjuncts,
    first_name,
    membership,
    mentioned,
)
from zermelo.languages.sections.read.grammar.tree import (
    Aggregate,
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
    Expr,
    NumberSetKind,
    Quantifier,
)
from zermelo.text.budget import spend
from zermelo.text.source import Span

T = TypeVar("T")

_SUMS: Final = {
    op.value: op
    for op in (
        BinaryOp.UNION,
        BinaryOp.DIFFERENCE,
        BinaryOp.EITHER,
        BinaryOp.PLUS,
        BinaryOp.MINUS,
    )
}
_PRODUCTS: Final = {
    op.value: op for op in (BinaryOp.INTERSECTION, BinaryOp.TIMES, BinaryOp.DIVIDE, BinaryOp.MOD)
}
_TIMES: Final = "×"
_MOST_BETWEEN: Final = 10_000
"""So many members dots may stand for that are more than one apart."""
_AGGREGATES: Final = {aggregate.value: aggregate for aggregate in Aggregate}
_NUMBER_SETS: Final = {kind.value: kind for kind in tree.NumberSetKind}
_TRUTHS: Final = {"⊤": True, "⊥": False}
_BEFORE_SETS: Final = frozenset("∈∉⊆⊈⊂⊄")
_WRAPPERS: Final[Mapping[str, Callable[..., Expr]]] = {
    "⌊": tree.Floor,
    "⌈": tree.Ceiling,
    "𝒫": tree.PowerSet,
    "|": tree.BarsAround,
}
_DIGITS: Final = 400
_STEPS_OF_A_COMPARISON: Final = 60
_RELATIONS: Final = {each.value: each for each in CompareOp}
_MIRRORED: Final = {"∋": CompareOp.IN, "⊃": CompareOp.PROPER_SUBSET}
_QUANTIFIERS: Final = {"∀": Quantifier.ALL, "∃": Quantifier.SOME, "∄": Quantifier.SOME}
_CONTINUES: Final = TERM_SIGNS | {*_RELATIONS, *_MIRRORED, "⊄", "≡"}
"""Signs behind a bracket that show that it was only the first operand of a body."""


class ExpressionParser(TokenCursor):
    """The grammar of formulas and terms, a method for each rule."""

    # formula = implication { "↔" implication }
    def formula(self) -> Expr | None:
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
        start = self.at
        operands: list[Expr] = []
        while not operands or self.take_infix("∨"):
            operand = self.conjunction()
            if operand is None:
                return None
            operands.append(operand)
        if len(operands) == 1:
            return operands[0]
        flat = [part for operand in operands for part in disjuncts(operand)]
        return tree.Or(tuple(flat), span=self.span_from(start))

    # conjunction = negation { "∧" negation }
    def conjunction(self) -> Expr | None:
        start = self.at
        operands: list[Expr] = []
        while not operands or (not self.is_next_assignment() and self.take_infix("∧")):
            operand = self.negation()
            if operand is None:
                return None
            operands.append(operand)
        if len(operands) == 1:
            return operands[0]
        flat = [part for operand in operands for part in conjuncts(operand)]
        return tree.And(tuple(flat), span=self.span_from(start))

    # negation = "¬" negation | quantified | comparison
    def negation(self) -> Expr | None:
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
        spend(_STEPS_OF_A_COMPARISON, "reading formulas")
        start = self.at
        first = self.sum()
        if first is None:
            return None
        links: list[tuple[CompareOp, Expr]] = []
        while sign := self.take_infix(*_RELATIONS):
            right = self._right_side()
            if right is None:
                return None
            links.append((_RELATIONS[sign], right))
        whole = Compare(first, tuple(links), span=self.span_from(start)) if links else first
        return self._unusual_relation(start, whole)

    def _right_side(self) -> Expr | None:
        if self.prefix(self.at) != "¬" and self.prefix(self.at) not in _QUANTIFIERS:
            return self.sum()
        return self.inside(self.negation, self.mode)

    # unusual = term ( "∋" | "⊃" | "⊄" | "≡" ) term, the last with "(mod n)" behind it
    def _unusual_relation(self, start: int, left: Expr) -> Expr | None:
        sign = self.infix(self.at)[0]
        if sign not in {*_MIRRORED, "⊄"} and not (sign == "≡" and self.has_modulus):
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

    def _congruence(self, start: int, left: Expr, right: Expr) -> Expr | None:
        """``a ≡ b (mod n)`` as ``a mod n = b mod n``."""
        opener = self.at
        if not self.take("("):
            syntax_errors.operator_missing(self)
            return None
        self.at += 1
        modulus = self.sum()
        if modulus is None or not syntax_errors.closed(self, opener):
            return None
        span = self.span_from(start)
        first, second = (Binary(BinaryOp.MOD, side, modulus, span=span) for side in (left, right))
        return Compare(first, ((CompareOp.EQ, second),), span=span)

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
        is_tuple = self.is_pattern(self.at)
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
        if self.binds_more():
            self.at += 1
            body = self._binding(self.at, quantifier)
        else:
            body = self._body(start)
        self.higher()
        if body is None:
            return None
        return tree.Quantified(
            quantifier, variables, domain, body, is_tuple, span=self.span_from(start)
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
                syntax_errors.variable_missing(self)
                return None
            variables.append(word)
            self.at += 1
            following = self.word(self.at + 1)
            if self.sign(self.at) != "," or not following or following in variables:
                return tuple(variables)
            if not self.binds(self.at + 1):
                return tuple(variables)
            self.at += 1

    def _domain(self, relation: str) -> Expr | None:
        start = self.at
        domain = self.under(dataclasses.replace(self.mode, is_domain=True), self.sum)
        if domain is not None and relation == "⊆":
            return tree.PowerSet(domain, span=self.span_from(start))
        return domain

    # body = ":" formula | [ "," ] "(" formula ")" | "," formula | negation
    def _body(self, start: int) -> Expr | None:
        """What a quantifier says: the bracket behind it, or everything behind a colon."""
        if self.take(":", ".") or (self.is_such_that(self.at) and self._takes_such_that()):
            return self.formula()
        has_comma = self.take(",")
        if self.sign(self.at) in {"(", "["}:
            close = self.closer.get(self.at)
            after = self.infix(close + 1)[0] if close is not None else ""
            is_whole = after not in _CONTINUES and not self.is_tuple(self.at)
            return self.group() if is_whole else self.comparison()
        if has_comma:
            return self.formula()
        if self.starts_operand(self.at):
            return self.negation()
        syntax_errors.body_missing(self, start)
        return None

    # sum = product { ( "∪" | "−" | "+" | "∖" | "⊕" ) product }
    def sum(self) -> Expr | None:
        start = self.at
        left = self.product()
        while left is not None and not self.is_dash():
            sign = self.take_infix(*_SUMS)
            if not sign:
                break
            right = self.product()
            if right is None:
                return None
            left = Binary(_SUMS[sign], left, right, span=self.span_from(start))
        return left

    # product = factor { ( "×" | "∩" | "·" | "/" | "mod" | ) factor }
    def product(self) -> Expr | None:
        start = self.at
        left = self.factor()
        factors: tuple[Expr, ...] = ()
        while left is not None:
            sign = self.take_infix(*_PRODUCTS, _TIMES)
            if not sign and not self.is_times():
                break
            right = self.factor()
            if right is None:
                return None
            if sign == _TIMES:
                # Only factors without brackets round them go on with a product.
                factors = (*(factors or (left,)), right)
                left = tree.Product(factors, span=self.span_from(start))
            else:
                factors = ()
                op = _PRODUCTS[sign] if sign else BinaryOp.TIMES
                left = Binary(op, left, right, span=self.span_from(start))
        return left

    # factor = { "−" | "+" } power
    def factor(self) -> Expr | None:
        starts: list[tuple[int, str]] = []
        while self.sign(self.at) in {"−", "+"}:
            starts.append((self.at, self.sign(self.at)))
            self.at += 1
        whole = self.power()
        while starts and whole is not None:
            start, sign = starts.pop()
            if sign == "−":
                whole = tree.Negate(whole, span=self.span_from(start))
        return whole

    # power = primary { "." digits } [ "^" factor ]
    def power(self) -> Expr | None:
        start = self.at
        base = self.primary()
        while base is not None and (places := self.components()):
            self.at += 2
            for place in places:
                base = tree.Component(base, place, span=self.span_from(start))
        if base is None or not self.take("^"):
            return base
        exponent = self.inside(self.factor, self.mode)
        return exponent and Binary(BinaryOp.POWER, base, exponent, span=self.span_from(start))

    # primary = number | text | named | group | braces | bars | … | aggregate
    def primary(self) -> Expr | None:
        token = self.peek()
        if token is None:
            syntax_errors.operand_missing(self)
            return None
        if self.prefix(self.at) in _AGGREGATES:
            return self.aggregate()
        match token.kind:
            case TokenKind.NUMBER:
                return self.number()
            case TokenKind.TEXT:
                return self.text()
            case TokenKind.NAME:
                return self.named()
            case TokenKind.SYMBOL:
                return self.signed()

    # number = digits [ "." digits ]
    def number(self) -> Expr | None:
        """A number without a sign; with words behind it, a value such as ``2 points``."""
        token = self.tokens[self.at]
        following = self.peek(1)
        if following and following.blank_before and following.kind is TokenKind.NAME:
            end = self.run(self.at)
            if end > self.at + 1:
                return self.words(end)
        if len(token.text) > _DIGITS:
            syntax_errors.number_too_long(self, _DIGITS)
            return None
        self.at += 1
        value = Fraction(token.text)
        whole = value.numerator if value.denominator == 1 else value
        return tree.NumberLiteral(whole, span=token.span)

    # text = quotation mark { word } quotation mark
    def text(self) -> Expr | None:
        token = self.tokens[self.at]
        self.at += 1
        return tree.WordRun(tuple(token.text.split()), quoted=True, span=token.span)

    # named = word { word } | application
    def named(self) -> Expr | None:
        end = self.run(self.at)
        if end > self.at + 1:
            return self.words(end)
        if self.sign(self.at + 1) == "(" and self.is_application():
            return self.application()
        return self.name()

    def words(self, end: int) -> Expr:
        start, self.at = self.at, end
        texts = tuple(token.text for token in self.tokens[start:end])
        return tree.WordRun(texts, span=self.span_from(start))

    def name(self) -> Expr:
        """A single word: a name, or a value such as ``true``."""
        start, token = self.at, self.tokens[self.at]
        self.at += 1
        meant = VALUE_WORDS.get(token.text)
        if meant is None or token.text in self.names.declared or self._is_listed(start):
            return tree.Name(token.text, span=token.span)
        return self._value(meant, start)

    def _is_listed(self, at: int) -> bool:
        """Whether the word at *at* is a value that the document lists; behind ``∈`` is a set."""
        is_set = at > 0 and self.infix(at - 1)[0] in _BEFORE_SETS
        return self.word(at) in self.names.listed and not is_set

    def _value(self, sign: str, start: int) -> Expr:
        """The value whose sign was passed just now."""
        if sign == "∅":
            return tree.EmptySet(span=self.span_from(start))
        if sign in _TRUTHS:
            return tree.TruthLiteral(_TRUTHS[sign], span=self.span_from(start))
        is_lost_plus = sign != "ℤ⁺" and self.is_lost_plus()
        if is_lost_plus:
            pieces = self.tokens[start : self.at + 1]
            if "\n" in self.source.slice(pieces[0].span.to(pieces[-1].span)):
                self.said.append(damaged_sign(self.source, pieces, "ℤ⁺"))
            self.at += 1
        kind = tree.NumberSetKind.POSITIVE if is_lost_plus else _NUMBER_SETS[sign]
        return tree.NumberSet(kind, span=self.span_from(start))

    # application = name "(" [ formula { "," formula } ] ")"
    def application(self) -> Expr | None:
        """``f(a, b)``; a bracket that makes no sense behind a blank is left for a comment."""
        mark = self.mark()
        start, token = self.at, self.tokens[self.at]
        self.at += 1
        arguments = self.arguments()
        if arguments is None:
            if not self.tokens[start + 1].blank_before:
                return None
            is_inner = self.trouble and self.trouble[0] > start
            reason = self.trouble[1] if self.trouble and is_inner else self.said[-1]
            self.back_to(mark)
            self.trouble = (start + 1, reason)
            return self.name()
        wrapper = _WRAPPERS.get(FUNCTION_WORDS.get(token.text, ""))
        if wrapper and len(arguments) == 1 and token.text not in self.names.declared:
            return wrapper(arguments[0], span=self.span_from(start))
        return tree.Apply(token.text, arguments, span=self.span_from(start), name_span=token.span)

    # arguments = "(" [ formula { "," formula } ] ")"
    def arguments(self) -> tuple[Expr, ...] | None:
        opener = self.at
        self.at += 1
        if self.take(")"):
            return ()
        items = self.inside(self.formulas)
        return items if items is not None and syntax_errors.closed(self, opener) else None

    # formulas = formula { "," formula }
    def formulas(self) -> tuple[Expr, ...] | None:
        items: list[Expr] = []
        while not items or self.take(",", ";"):
            item = self.formula()
            if item is None:
                return None
            items.append(item)
        return tuple(items)

    def inside(self, rule: Callable[[], T], mode: Mode = PLAIN) -> T | None:
        """What *rule* gives one level deeper, in *mode*."""
        if not self.deeper():
            return None
        outer, self.mode = self.mode, mode
        value = rule()
        self.mode = outer
        self.higher()
        return value

    def under(self, mode: Mode, rule: Callable[[], T]) -> T:
        outer, self.mode = self.mode, mode
        value = rule()
        self.mode = outer
        return value

    def signed(self) -> Expr | None:
        sign, start = self.sign(self.at), self.at
        if sign in self.names.declared:
            self.at += 1
            return tree.Name(sign, span=self.span_from(start))
        match sign:
            case "(" | "[":
                return self.group()
            case "{":
                return self.braces()
            case "|":
                return self.bars()
            case "⌊" | "⌈":
                return self.rounded()
            case "𝒫":
                return self.power_set()
            case "∅" | "⊤" | "⊥" | "ℕ" | "ℤ" | "ℤ⁺":
                self.at += 1
                return self._value(sign, start)
            case _:
                syntax_errors.operand_missing(self)
                return None

    # group = "(" formula { "," formula } ")"
    def group(self) -> Expr | None:
        opener = self.at
        self.at += 1
        items = self.inside(self.formulas)
        if items is None or not syntax_errors.closed(self, opener):
            return None
        if len(items) == 1:
            return items[0]
        return tree.TupleOf(items, span=self.span_from(opener))

    # rounded = "⌊" formula "⌋" | "⌈" formula "⌉"
    def rounded(self) -> Expr | None:
        opener = self.at
        self.at += 1
        operand = self.inside(self.formula)
        if operand is None or not syntax_errors.closed(self, opener):
            return None
        return _WRAPPERS[self.sign(opener)](operand, span=self.span_from(opener))

    # bars = "|" formula "|"
    def bars(self) -> Expr | None:
        opener = self.at
        self.at += 1
        operand = self.inside(self.formula)
        if operand is None:
            return None
        if not self.take("|"):
            syntax_errors.bar_not_closed(self, opener)
            return None
        return tree.BarsAround(operand, span=self.span_from(opener))

    # power-set = "𝒫" primary
    def power_set(self) -> Expr | None:
        start = self.at
        self.at += 1
        operand = self.inside(self.primary)
        return operand and tree.PowerSet(operand, span=self.span_from(start))

    # braces = "{" "}" | "{" item { "," item } "}" | "{" formula ( "|" | ":" ) condition "}"
    def braces(self) -> Expr | None:
        opener = self.at
        self.at += 1
        if self.take("}"):
            return tree.EmptySet(span=self.span_from(opener))
        members = self.inside(self._members)
        if members is None or not syntax_errors.closed(self, opener):
            return None
        return dataclasses.replace(members, span=self.span_from(opener))

    def _members(self) -> Expr | None:
        start = self.at
        first = self._item()
        if first is None:
            return None
        is_bracketed = self.closer.get(start) == self.at - 1
        if self._takes_such_that():
            return self._built(first, is_bracketed=is_bracketed)
        items = [first]
        while self.take(",", ";"):
            if self.sign(self.at) == ".." and self.sign(self.at + 1) == "}":
                endless = _endless(items, self.span_from(start))
                if endless is not None:
                    self.at += 1
                    return endless
            item = self._dotted(items) if self.sign(self.at) == ".." else self._item()
            if item is None:
                return None
            items.append(item)
        return tree.SetOf(tuple(items))

    # item = formula [ ".." sum ]
    def _item(self) -> Expr | None:
        start = self.at
        low = self.formula()
        if low is None or not self.take(".."):
            return low
        high = self.sum()
        return high and tree.Range(low, high, span=self.span_from(start))

    # dotted = item "," ".." "," sum
    def _dotted(self, items: list[Expr]) -> Expr | None:
        """``1, 2, …, 9``: the dots lead from the item before them to the one behind."""
        dots = self.at
        self.at += 1
        self.take(",")
        if self.sign(self.at) == "}":
            syntax_errors.dots_lead_nowhere(self, dots)
            return None
        high = self.sum()
        if high is None:
            return None
        low = items[-1]
        if not isinstance(low, tree.Range) and _is_step_of_one(
            items[-2] if items[1:] else None, low
        ):
            items.pop()
            return tree.Range(low, high, span=low.span.to(high.span))
        between = _progression(items, high)
        if between is None:
            syntax_errors.dots_with_steps(self, dots)
            return None
        items += between
        return high

    def _takes_such_that(self) -> bool:
        if self.take("|", ":"):
            return True
        if self.is_such_that(self.at):
            self.at += 2 if self.word(self.at) == "such" else 1
            return True
        return False

    def _built(self, first: Expr, *, is_bracketed: bool) -> tree.SetBuilder | None:
        """``{result ∈ domain | condition}``; the result is known, the bar is passed."""
        member = None if is_bracketed else membership(first)
        result, domain = member or (first, None)
        start, outer = self.at, len(self.bound)
        self.bound.extend(sorted(mentioned(result)))
        conditions = self.formulas()
        del self.bound[outer:]
        if conditions is None:
            return None
        if len(conditions) == 1:
            return tree.SetBuilder(result, domain, conditions[0])
        flat = _with_memberships(
            tuple(part for condition in conditions for part in conjuncts(condition))
        )
        condition = tree.And(flat, span=self.span_from(start))
        return tree.SetBuilder(result, domain, condition)

    # aggregate = ( "∑" | "∏" ) [ limit ] product
    def aggregate(self) -> Expr | None:
        start = self.at
        aggregate = _AGGREGATES[self.prefix(self.at)]
        self.at += 1
        if not self.deeper():
            return None
        limit = self._limit()
        if limit is None:
            return None
        (variable, *others), domain = limit
        outer = len(self.bound)
        self.bound.extend((variable, *others))
        body = self._summand(variable, domain, start)
        del self.bound[outer:]
        self.higher()
        if body is None:
            return None
        variable = variable or first_name(body)
        span = self.span_from(start)
        return tree.Folded(aggregate, variable, domain, body, tuple(others), span=span)

    def _summand(self, variable: str, domain: Expr | None, start: int) -> Expr | None:
        """What is added; in ``∑a∈w`` that is ``a`` itself."""
        is_bare = domain is not None and self.sign(start + 1) != "_"
        if is_bare and not self.starts_operand(self.at):
            return tree.Name(variable, span=self.tokens[start + 1].span)
        return self.product()

    # limit = "_" "{" member "∈" sum [ ":" formulas ] "}" | "_" "{" name "=" sum "}" "^" primary
    #       | member "∈" primary
    def _limit(self) -> tuple[tuple[str, ...], Expr | None] | None:
        """The names that run and the set they run over; neither if no limit is written."""
        has_mark = self.take("_")
        if has_mark and self.sign(self.at) == "{":
            return self._braced_limit()
        begin = self.at
        member = self._running()
        if member and self.take_infix("∈"):
            domain = self._single()
            return None if domain is None else (member, domain)
        self.at = begin
        if has_mark:
            syntax_errors.limit_not_understood(self)
            return None
        return ("",), None

    # member = name | "(" name "," name { "," name } ")"
    def _running(self) -> tuple[str, ...]:
        """The names before ``∈`` in a limit, passed; nothing if something else stands there."""
        if self.is_pattern(self.at):
            return self._components()
        word = self.word(self.at)
        self.at += bool(word)
        return (word,) if word else ()

    def _single(self) -> Expr | None:
        """An operand that is one word at most, so that the next word begins the summand."""
        if not self.word(self.at) or self.sign(self.at + 1) == "(":
            return self.primary()
        return self.name()

    def _braced_limit(self) -> tuple[tuple[str, ...], Expr] | None:
        opener = self.at
        self.at += 1
        member = self._running()
        sign = self.take_infix("∈", "=") if member else ""
        if not sign or (sign == "=" and len(member) > 1):
            syntax_errors.limit_not_understood(self)
            return None
        domain = self.inside(self.sum)
        if domain is not None and sign == "∈" and self._takes_such_that():
            domain = self._part(member, domain)
        if domain is None or not syntax_errors.closed(self, opener):
            return None
        if sign == "∈":
            return member, domain
        if not self.take("^"):
            syntax_errors.limit_not_understood(self)
            return None
        high = self.primary()
        if high is None:
            return None
        span = domain.span.to(high.span)
        return member, tree.SetOf((tree.Range(domain, high, span=span),), span=span)

    def _part(self, member: tuple[str, ...], domain: Expr) -> Expr | None:
        """Those in *domain* of which the condition holds that follows: ``{(a, b) ∈ K | a = i}``."""
        names = tuple(tree.Name(name, span=domain.span) for name in member)
        result: Expr = names[0] if len(names) == 1 else tree.TupleOf(names, span=domain.span)
        pair = Compare(result, ((CompareOp.IN, domain),), span=domain.span)
        built = self.inside(lambda: self._built(pair, is_bracketed=False))
        span = domain.span.to(self.tokens[self.at - 1].span)
        return None if built is None else dataclasses.replace(built, span=span)


def _with_memberships(conditions: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """*conditions* with what ``a, b ∈ A`` says of a, which stands there alone."""
    told: list[Expr] = []
    for each in reversed(conditions):
        member = membership(told[-1]) if told and isinstance(each, tree.Name) else None
        if member is not None and isinstance(member[0], tree.Name):
            told.append(Compare(each, ((CompareOp.IN, member[1]),), span=each.span))
        else:
            told.append(each)
    return tuple(reversed(told))


def _endless(items: Sequence[Expr], span: Span) -> Expr | None:
    """The set that ``0, 1, 2, …`` lists without end."""
    low = items[0]
    are_numbers = all(isinstance(item, tree.NumberLiteral) for item in items)
    if (
        len(items) < 2
        or not are_numbers
        or not all(_is_step_of_one(a, b) for a, b in pairwise(items))
    ):
        return None
    if low == tree.NumberLiteral(0):
        return tree.NumberSet(NumberSetKind.NATURAL, span=span)
    if low == tree.NumberLiteral(1):
        return tree.NumberSet(NumberSetKind.POSITIVE, span=span)
    name = tree.Name("x", span=span)
    natural = tree.NumberSet(NumberSetKind.NATURAL, span=span)
    return tree.SetBuilder(
        name, natural, Compare(name, ((CompareOp.GE, low),), span=span), span=span
    )


def _progression(items: Sequence[Expr], high: Expr) -> list[Expr] | None:
    """What ``0, 5, …, 20`` leaves out: all are as far apart as those that are listed."""
    listed = [item.value for item in (*items, high) if isinstance(item, tree.NumberLiteral)]
    if len(listed) <= len(items) or len(items) < 2:
        return None
    *first, last = listed
    steps = {b - a for a, b in pairwise(first)}
    step = steps.pop()
    count = (last - first[-1]) / step if step > 0 else 0
    if steps or count < 1 or count % 1 or count > _MOST_BETWEEN:
        return None
    values = (first[-1] + step * at for at in range(1, int(count)))
    return [tree.NumberLiteral(value, span=high.span) for value in values]


def _is_step_of_one(before: Expr | None, low: Expr) -> bool:
    if isinstance(before, tree.NumberLiteral) and isinstance(low, tree.NumberLiteral):
        return low.value - before.value == 1
    return True
