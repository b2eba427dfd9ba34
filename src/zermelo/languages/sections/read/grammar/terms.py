"""Terms: one method for each rule of the grammar.

Precedence, tightest first: application and bars; ``^``; ``× ∩ · / mod``;
``∪ − + ∖``. A method gives ``None`` when the term cannot be understood; then the
reason has been said.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeVar

from zermelo.languages.sections.read.grammar import complaints, tree
from zermelo.languages.sections.read.grammar.assembly import damaged_sign
from zermelo.languages.sections.read.grammar.cursor import Cursor, Names
from zermelo.languages.sections.read.grammar.symbols import FUNCTION_WORDS, VALUE_WORDS
from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind
from zermelo.languages.sections.read.grammar.tree import (
    Aggregate,
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
    Expr,
)
from zermelo.languages.sections.read.grammar.walk import conjuncts, first_name, mentioned
from zermelo.text.source import Source

T = TypeVar("T")

_SUMS: Final = {
    op.value: op for op in (BinaryOp.UNION, BinaryOp.DIFFERENCE, BinaryOp.PLUS, BinaryOp.MINUS)
}
_PRODUCTS: Final = {
    op.value: op
    for op in (
        BinaryOp.INTERSECTION,
        BinaryOp.TIMES,
        BinaryOp.DIVIDE,
        BinaryOp.MOD,
    )
}
_TIMES: Final = "×"
TERM_SIGNS: Final = frozenset((*_SUMS, *_PRODUCTS, _TIMES, "^"))
"""Signs that continue a term."""
_AGGREGATES: Final = {aggregate.value: aggregate for aggregate in Aggregate}
_NUMBER_SETS: Final = {kind.value: kind for kind in tree.NumberSetKind}
_TRUTHS: Final = {"⊤": True, "⊥": False}
_WRAPPERS: Final[Mapping[str, Callable[..., Expr]]] = {
    "⌊": tree.Floor,
    "⌈": tree.Ceiling,
    "𝒫": tree.PowerSet,
    "|": tree.Bars,
}
_DIGITS: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """What holds outside the brackets that a formula opens itself."""

    is_guard: bool = False
    """An arrow ends the formula."""
    is_conclusion: bool = False
    """A ``∧`` may begin the next assignment."""
    is_domain: bool = False
    """A bracket behind a name may be the body of a quantifier."""


PLAIN: Final = Mode()


class Terms(Cursor, ABC):
    """The grammar of terms; brackets in a term hold formulas, which are one level up."""

    def __init__(self, source: Source, tokens: Sequence[Token], names: Names) -> None:
        super().__init__(source, tokens, names)
        self.mode = PLAIN
        self.bound: list[str] = []
        """The names that quantifiers, builders and sums around this place bind."""

    @abstractmethod
    def formula(self) -> Expr | None:
        """A formula, or a term."""

    # sum = product { ( "∪" | "−" | "+" | "∖" ) product }
    def sum(self) -> Expr | None:
        """Unions, differences and sums, from left to right."""
        start = self.at
        left = self.product()
        while left is not None and not self._is_dash():
            sign = self.take_infix(*_SUMS)
            if not sign:
                break
            right = self.product()
            if right is None:
                return None
            op = _SUMS[sign]
            left = Binary(op, left, right, span=self.span_from(start))
        return left

    def _is_dash(self) -> bool:
        """Whether the minus here is a dash before a comment: `` - two words or more``."""
        if self.sign(self.at) != "−" or not self.tokens[self.at].blank_before:
            return False
        end = self.run(self.at + 1) if self.word(self.at + 1) else 0
        words = self.tokens[self.at + 1 : end]
        return (
            len(words) > 1
            and words[0].blank_before
            and bool(self.names.declared)
            and not any(word.text in self.names.declared for word in words)
        )

    # product = factor { ( "×" | "∩" | "·" | "/" | "mod" | ) factor }
    def product(self) -> Expr | None:
        """Products, intersections, quotients and remainders, from left to right."""
        start = self.at
        left = self.factor()
        factors: tuple[Expr, ...] = ()
        while left is not None:
            sign = self.take_infix(*_PRODUCTS, _TIMES)
            if not sign and not self._is_times():
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

    def _is_times(self) -> bool:
        """Whether a name or bracket stands directly behind a number, as in ``2n``."""
        before, here = self.peek(-1), self.peek()
        if before is None or here is None or here.blank_before:
            return False
        is_name = here.kind is TokenKind.NAME or here.text == "("
        return before.kind is TokenKind.NUMBER and is_name and self.infix(self.at)[0] in {"", "("}

    # factor = { "−" | "+" } power
    def factor(self) -> Expr | None:
        """``−a`` or ``a``."""
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

    # power = primary [ "^" factor ]
    def power(self) -> Expr | None:
        """``a`` or ``a^b``, from the right."""
        start = self.at
        base = self.primary()
        if base is None or not self.take("^"):
            return base
        if not self.deeper():
            return None
        exponent = self.factor()
        self.higher()
        if exponent is None:
            return None
        return Binary(BinaryOp.POWER, base, exponent, span=self.span_from(start))

    # primary = number | text | named | group | braces | bars | … | aggregate
    def primary(self) -> Expr | None:
        """What stands between operators."""
        token = self.peek()
        if token is None:
            complaints.operand_missing(self)
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
            complaints.number_too_long(self, _DIGITS)
            return None
        self.at += 1
        value = Fraction(token.text)
        whole = value.numerator if value.denominator == 1 else value
        return tree.Number(whole, span=token.span)

    # text = quotation mark { word } quotation mark
    def text(self) -> Expr | None:
        """A value in quotation marks."""
        token = self.tokens[self.at]
        self.at += 1
        return tree.Words(tuple(token.text.split()), quoted=True, span=token.span)

    # named = word { word } | application
    def named(self) -> Expr | None:
        """A name, a run of words, a value in letters, or an application."""
        end = self.run(self.at)
        if end > self.at + 1:
            return self.words(end)
        if self.sign(self.at + 1) == "(" and self._is_application():
            return self.application()
        return self.name()

    def words(self, end: int) -> Expr:
        """The tokens before *end* as a run of words."""
        start, self.at = self.at, end
        texts = tuple(token.text for token in self.tokens[start:end])
        return tree.Words(texts, span=self.span_from(start))

    def name(self) -> Expr:
        """A single word: a name, or a value such as ``true``."""
        start, token = self.at, self.tokens[self.at]
        self.at += 1
        meant = VALUE_WORDS.get(token.text)
        if meant is None or token.text in self.names.declared:
            return tree.Name(token.text, span=token.span)
        return self._value(meant, start)

    def _value(self, sign: str, start: int) -> Expr:
        """The value whose sign was passed just now."""
        if sign == "∅":
            return tree.EmptySet(span=self.span_from(start))
        if sign in _TRUTHS:
            return tree.Truth(_TRUTHS[sign], span=self.span_from(start))
        is_lost_plus = (
            sign != "ℤ⁺"
            and self.sign(self.at) == "+"
            and not self.tokens[self.at].blank_before
            and (self.sign(self.at + 1) == "|" or not self.starts_operand(self.at + 1))
        )
        if is_lost_plus:
            pieces = self.tokens[start : self.at + 1]
            if "\n" in self.source.slice(pieces[0].span.to(pieces[-1].span)):
                self.said.append(damaged_sign(self.source, pieces, "ℤ⁺"))
            self.at += 1
        kind = tree.NumberSetKind.POSITIVE if is_lost_plus else _NUMBER_SETS[sign]
        return tree.NumberSet(kind, span=self.span_from(start))

    def _is_application(self) -> bool:
        """Whether the bracket behind the name here holds arguments."""
        bracket = self.at + 1
        close = self.closer.get(bracket)
        if close is None:
            return True
        if self.infix(bracket + 1)[0] == "mod":
            return False
        if self.mode.is_domain:
            after = self.infix(close + 1)[0]
            goes_on = after in {":", "(", "["} or after in TERM_SIGNS
            is_body = not goes_on and not self._is_such_that(close + 1)
            return not (is_body and (after != "," or self.tokens[bracket].blank_before))
        return not self._is_comment(bracket, close)

    def _is_comment(self, bracket: int, close: int) -> bool:
        """Whether the bracket holds only words that nobody declared."""
        known = self.names.declared
        name = self.tokens[self.at].text
        if not known or not self.tokens[bracket].blank_before or name in self.names.functions:
            return False
        inside = self.tokens[bracket + 1 : close]
        are_words = all(token.kind is not TokenKind.SYMBOL for token in inside)
        return (
            bool(inside)
            and are_words
            and not any(
                token.text in known or token.text in self.bound or token.kind is TokenKind.NUMBER
                for token in inside
            )
        )

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
            inner = self.trouble is not None and self.trouble[0] > start
            reason = self.trouble[1] if inner and self.trouble else self.said[-1]
            self.back_to(mark)
            self.trouble = (start + 1, reason)
            return self.name()
        wrapper = _WRAPPERS.get(FUNCTION_WORDS.get(token.text, ""))
        if wrapper and len(arguments) == 1 and token.text not in self.names.declared:
            return wrapper(arguments[0], span=self.span_from(start))
        return tree.Apply(token.text, arguments, span=self.span_from(start), name_span=token.span)

    # arguments = "(" [ formula { "," formula } ] ")"
    def arguments(self) -> tuple[Expr, ...] | None:
        """What stands between the brackets behind a name."""
        opener = self.at
        self.at += 1
        if self.take(")"):
            return ()
        items = self.inside(self.formulas)
        return items if items is not None and complaints.closed(self, opener) else None

    # formulas = formula { "," formula }
    def formulas(self) -> tuple[Expr, ...] | None:
        """One formula or several, separated by commas."""
        items: list[Expr] = []
        while not items or self.take(",", ";"):
            item = self.formula()
            if item is None:
                return None
            items.append(item)
        return tuple(items)

    def inside(self, rule: Callable[[], T]) -> T | None:
        """What *rule* makes of the inside of a bracket."""
        if not self.deeper():
            return None
        mode, self.mode = self.mode, PLAIN
        value = rule()
        self.mode = mode
        self.higher()
        return value

    def signed(self) -> Expr | None:
        """What begins with a sign."""
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
                complaints.operand_missing(self)
                return None

    # group = "(" formula { "," formula } ")"
    def group(self) -> Expr | None:
        """A formula in brackets, or a tuple."""
        opener = self.at
        self.at += 1
        items = self.inside(self.formulas)
        if items is None or not complaints.closed(self, opener):
            return None
        if len(items) == 1:
            return items[0]
        return tree.TupleOf(items, span=self.span_from(opener))

    # rounded = "⌊" formula "⌋" | "⌈" formula "⌉"
    def rounded(self) -> Expr | None:
        """A number rounded down or up."""
        opener = self.at
        self.at += 1
        operand = self.inside(self.formula)
        if operand is None or not complaints.closed(self, opener):
            return None
        return _WRAPPERS[self.sign(opener)](operand, span=self.span_from(opener))

    # bars = "|" formula "|"
    def bars(self) -> Expr | None:
        """A number of members, or an absolute value."""
        opener = self.at
        self.at += 1
        operand = self.inside(self.formula)
        if operand is None:
            return None
        if not self.take("|"):
            complaints.bar_not_closed(self, opener)
            return None
        return tree.Bars(operand, span=self.span_from(opener))

    # power-set = "𝒫" primary
    def power_set(self) -> Expr | None:
        """``𝒫(A)``."""
        start = self.at
        self.at += 1
        operand = self.inside(self.primary)
        return operand and tree.PowerSet(operand, span=self.span_from(start))

    # braces = "{" "}" | "{" item { "," item } "}" | "{" formula ( "|" | ":" ) condition "}"
    def braces(self) -> Expr | None:
        """A set: empty, listed, or built."""
        opener = self.at
        self.at += 1
        if self.take("}"):
            return tree.EmptySet(span=self.span_from(opener))
        members = self.inside(self._members)
        if members is None or not complaints.closed(self, opener):
            return None
        return dataclasses.replace(members, span=self.span_from(opener))

    def _members(self) -> tree.SetOf | tree.Builder | None:
        start = self.at
        first = self._item()
        if first is None:
            return None
        is_bracketed = self.closer.get(start) == self.at - 1
        if self._takes_such_that():
            return self._built(first, is_bracketed=is_bracketed)
        items = [first]
        while self.take(",", ";"):
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
            complaints.dots_lead_nowhere(self, dots)
            return None
        high = self.sum()
        if high is None:
            return None
        low = items.pop()
        before = items[-1] if items else None
        if isinstance(low, tree.Range) or not _is_step_of_one(before, low):
            complaints.dots_with_steps(self, dots)
            return None
        return tree.Range(low, high, span=low.span.to(high.span))

    def _takes_such_that(self) -> bool:
        if self.take("|", ":"):
            return True
        if self._is_such_that(self.at):
            self.at += 2 if self.word(self.at) == "such" else 1
            return True
        return False

    def _is_such_that(self, at: int) -> bool:
        is_such = self.word(at) == "such" and self.word(at + 1) == "that"
        return is_such or (self.word(at) == "where" and "where" not in self.names.declared)

    def _built(self, first: Expr, *, is_bracketed: bool) -> tree.Builder | None:
        """``{result ∈ domain | condition}``; the result is known, the bar is passed."""
        member = None if is_bracketed else _membership(first)
        result, domain = member or (first, None)
        start, outer = self.at, len(self.bound)
        self.bound.extend(sorted(mentioned(result)))
        conditions = self.formulas()
        del self.bound[outer:]
        if conditions is None:
            return None
        if len(conditions) == 1:
            return tree.Builder(result, domain, conditions[0])
        flat = tuple(part for condition in conditions for part in conjuncts(condition))
        condition = tree.And(flat, span=self.span_from(start))
        return tree.Builder(result, domain, condition)

    # aggregate = ( "∑" | "∏" ) [ limit ] product
    def aggregate(self) -> Expr | None:
        """``∑_{a ∈ w} a``."""
        start = self.at
        aggregate = _AGGREGATES[self.prefix(self.at)]
        self.at += 1
        if not self.deeper():
            return None
        limit = self._limit()
        if limit is None:
            return None
        variable, domain = limit
        outer = len(self.bound)
        self.bound.append(variable)
        body = self._summand(variable, domain, start)
        del self.bound[outer:]
        self.higher()
        if body is None:
            return None
        variable = variable or first_name(body)
        return tree.Folded(aggregate, variable, domain, body, span=self.span_from(start))

    def _summand(self, variable: str, domain: Expr | None, start: int) -> Expr | None:
        """What is added; in ``∑a∈w`` that is ``a`` itself."""
        is_bare = domain is not None and self.sign(start + 1) != "_"
        if is_bare and not self.starts_operand(self.at):
            return tree.Name(variable, span=self.tokens[start + 1].span)
        return self.product()

    # limit = "_" "{" name "∈" sum "}" | "_" "{" name "=" sum "}" "^" primary | name "∈" primary
    def _limit(self) -> tuple[str, Expr | None] | None:
        """The name that runs and the set it runs over; neither if no limit is written."""
        has_mark = self.take("_")
        if has_mark and self.sign(self.at) == "{":
            return self._braced_limit()
        if self.word(self.at) and self.infix(self.at + 1)[0] == "∈":
            variable = self.word(self.at)
            self.at += 1
            self.take_infix("∈")
            domain = self._single()
            return None if domain is None else (variable, domain)
        if has_mark:
            complaints.limit_not_understood(self)
            return None
        return "", None

    def _single(self) -> Expr | None:
        """An operand that is one word at most, so that the next word begins the summand."""
        if not self.word(self.at) or self.sign(self.at + 1) == "(":
            return self.primary()
        return self.name()

    def _braced_limit(self) -> tuple[str, Expr] | None:
        opener = self.at
        self.at += 1
        variable = self.word(self.at)
        sign = self.infix(self.at + 1)[0]
        if not variable or sign not in {"∈", "="}:
            complaints.limit_not_understood(self)
            return None
        self.at += 1
        self.take_infix("∈", "=")
        domain = self.inside(self.sum)
        if domain is None or not complaints.closed(self, opener):
            return None
        if sign == "∈":
            return variable, domain
        if not self.take("^"):
            complaints.limit_not_understood(self)
            return None
        high = self.primary()
        if high is None:
            return None
        span = domain.span.to(high.span)
        return variable, tree.SetOf((tree.Range(domain, high, span=span),), span=span)


def _membership(expr: Expr) -> tuple[Expr, Expr] | None:
    """``x`` and ``A`` of ``x ∈ A``; ``x`` and ``𝒫(A)`` of ``x ⊆ A``."""
    match expr:
        case Compare(item, ((CompareOp.IN, domain),)):
            return item, domain
        case Compare(item, ((CompareOp.SUBSET, domain),)):
            return item, tree.PowerSet(domain, span=domain.span)
        case _:
            return None


def _is_step_of_one(before: Expr | None, low: Expr) -> bool:
    if isinstance(before, tree.Number) and isinstance(low, tree.Number):
        return low.value - before.value == 1
    return True
