"""Sets described in words: *set of positive integers*, *numbers 1 to 9*.

Only forms that can mean one thing are understood, and they give ordinary trees.
A description of another form is said not to be understood and is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.expressions import ExpressionParser
from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind
from zermelo.languages.sections.read.grammar.tree import BinaryOp, CompareOp, Expr, NumberSetKind
from zermelo.text import codes
from zermelo.text.source import Span

ARTICLES: Final = frozenset(("a", "an", "the", "all", "those", "every"))
_ADJECTIVES: Final = frozenset(
    ("positive", "natural", "whole", "nonnegative", "even", "odd", "non", "negative")
)
_KINDS: Final = frozenset(
    ("integers", "integer", "numbers", "number", "naturals", "multiples", "multiple")
)
STARTS: Final = frozenset(
    ["set", "relation", "identity", "power", "truth", "subsets", "empty", "null", "booleans"]
).union(_ADJECTIVES, _KINDS)
"""The words with which a description begins, behind its articles."""
_MULTIPLES: Final = frozenset(("multiples", "multiple"))
_PARITIES: Final = {"even": (2, 0), "odd": (2, 1)}
_FROM: Final = frozenset(("from", "between"))
_TO: Final = frozenset(("to", "through", "and", "until"))
_COPULAS: Final = frozenset(("is", "are", "be"))
_JOINTS: Final = frozenset(("and", "or", "but", "∧", "∨"))
_PHRASES: Final = {
    "≤": "less than or equal to, not greater than, not more than, no greater than, no more than,"
    "at most, up to",
    "≥": "greater than or equal to, not less than, no less than, at least",
    "≠": "not equal to",
    "∈": "an element of, a member of",
    "⊆": "a subset of",
    "<": "less than, smaller than, below",
    ">": "greater than, more than, larger than, above",
    "=": "equal to, equals",
}
_COMPARATORS: Final = sorted(
    ((phrase.split(), sign) for sign, all_ in _PHRASES.items() for phrase in all_.split(",")),
    key=lambda pair: -len(pair[0]),
)
"""The words for each sign, longer phrases first: some begin with others."""


@dataclass(frozen=True, slots=True)
class Description:
    """A set described in words; without a value it was not understood."""

    value: Expr | None


def described(parser: ExpressionParser, name: str) -> Description | None:
    """The set that the words at the cursor describe; ``None`` if they are a formula."""
    start = parser.at
    reader = _DescriptionReader(parser)
    has_subject = parser.word(start) == name and reader.says(start + 1, "is")
    if has_subject:
        parser.at += 2
    reader.pass_articles()
    word = parser.word(parser.at).lower()
    is_declared = parser.word(parser.at) in parser.names.declared
    if not has_subject and (word not in STARTS or is_declared or not reader.is_prose()):
        parser.at = start
        return None
    value = reader.value()
    if value is None:
        parser.at = len(parser.tokens)
        parser.fail(
            codes.SET_NOT_UNDERSTOOD,
            f"the set `{name}` is described in words that are not understood",
            parser.span_from(start),
            label="left out",
            advice="write it as a formula, such as `{x ∈ ℤ⁺ | x < 4}` or `{1..9}`",
        )
    return Description(value)


class _DescriptionReader:
    """Reads words at a parser's place."""

    def __init__(self, parser: ExpressionParser) -> None:
        self.parser = parser
        self.start = parser.at

    def says(self, at: int, *words: str) -> bool:
        """Whether *words* stand at *at*, in small or capital letters."""
        return all(self.parser.word(at + i).lower() == word for i, word in enumerate(words))

    def take(self, *words: str) -> bool:
        if not self.says(self.parser.at, *words):
            return False
        self.parser.at += len(words)
        return True

    def pass_articles(self) -> None:
        while self._is_article(self.parser.at):
            self.parser.at += 1

    def _is_article(self, at: int) -> bool:
        """Whether an article stands at *at*; ``A`` alone is one only at the start."""
        word = self.parser.word(at)
        is_capital = bool(self.parser.word(at + 1)) and (at == self.start or len(word) > 1)
        is_spelt = word in ARTICLES or (is_capital and word.lower() in ARTICLES)
        return is_spelt and word not in self.parser.names.declared

    def is_prose(self) -> bool:
        """Whether more than a name stands here."""
        at = self.parser.at
        is_hyphened = self.says(at, "non") and self.says(at + 2, "negative")
        if self.parser.at > self.start or self.parser.word(at + 1) or is_hyphened:
            return True
        following = self.parser.peek(1)
        is_kind = self.parser.word(at).lower() in _KINDS | {"booleans"}
        return is_kind and (following is None or following.kind is TokenKind.NUMBER)

    # value = relation | subsets | truth values | empty set | numbers
    def value(self) -> Expr | None:
        start = self.parser.at
        if self.take("identity") or self.says(start, "relation"):
            return self.relation(is_identity=self.parser.at > start)
        if self.take("power", "set", "of"):
            return self.subsets(start)
        if self.take("empty", "set") or self.take("null", "set"):
            return tree.EmptySet(span=self.span(start))
        self.take("set", "of")
        self.pass_articles()
        if self.take("subsets"):
            return self.subsets(start)
        if self.take("truth", "values") or self.take("booleans"):
            both = tuple(tree.TruthLiteral(truth, span=self.span(start)) for truth in (True, False))
            return tree.SetOf(both, span=self.span(start))
        return self.numbers(start)

    # relation = "relation" "on" name "that" "is" property { "," property }
    def relation(self, *, is_identity: bool) -> Expr | None:
        """The identity, by its name or by its properties."""
        start = self.parser.at
        base_at = start + 2
        if not self.take("relation") or not (self.take("on") or self.take("over")):
            return None
        if not self.parser.word(base_at):
            return None
        self.parser.at += 1
        rest = " ".join(token.text.lower() for token in self.parser.tokens[base_at + 1 :])
        properties = rest.replace("anti - ", "anti").replace("anti − ", "anti").split()
        if not is_identity and not {"reflexive", "symmetric", "antisymmetric"} <= {*properties}:
            return None
        self.parser.at = len(self.parser.tokens)
        span = self.span(start)
        base = tree.Name(self.parser.word(base_at), span=self.parser.tokens[base_at].span)
        pair = (tree.Name("x", span=span), tree.Name("y", span=span))
        return tree.SetBuilder(
            tree.TupleOf(pair, span=span),
            tree.Product((base, base), span=span),
            tree.Compare(pair[0], ((CompareOp.EQ, pair[1]),), span=span),
            span=span,
        )

    # subsets = [ name ] "of" [ "set" ] name
    def subsets(self, start: int) -> Expr | None:
        """A power set; nothing may be said about the subsets."""
        if self.says(self.parser.at + 1, "of"):
            self.parser.at += 1
        self.take("of")
        self.pass_articles()
        self.take("set")
        base_at = self.parser.at
        if not self.parser.word(base_at) or base_at + 1 < len(self.parser.tokens):
            return None
        self.parser.at += 1
        base = tree.Name(self.parser.word(base_at), span=self.parser.tokens[base_at].span)
        return tree.PowerSet(base, span=self.span(start))

    # numbers = { adjective } kind [ name ] [ range | condition ]
    def numbers(self, start: int) -> Expr | None:
        adjectives: set[str] = set()
        while (word := self.parser.word(self.parser.at).lower()) in _ADJECTIVES:
            adjectives.add(word)
            self.parser.at += 1
            self.parser.take("−")
        kind = self.parser.word(self.parser.at).lower()
        if kind not in _KINDS:
            return None
        self.parser.at += 1
        factor = None
        if kind in _MULTIPLES:
            factor = self.bound() if self.take("of") else None
            if factor is None:
                return None
        limited = self.range(start)
        base = limited or _number_set(adjectives, kind, self.span(start))
        if base is None:
            return None
        return self.condition(start, base, adjectives & {"even", "odd"}, factor)

    # range = [ "from" | "between" ] bound ( "to" | "through" | "and" | "−" ) bound
    def range(self, start: int) -> Expr | None:
        """``{1..9}`` from *1 to 9*."""
        begin = self.parser.at
        if self.parser.word(begin).lower() in _FROM:
            self.parser.at += 1
        low = self.bound()
        is_to = self.parser.word(self.parser.at).lower() in _TO or self.parser.take("−")
        if low is not None and is_to:
            if self.parser.word(self.parser.at).lower() in _TO:
                self.parser.at += 1
            high = self.bound()
            if high is not None:
                span = self.span(start)
                return tree.SetOf((tree.Range(low, high, span=span),), span=span)
        self.parser.at = begin
        return None

    def bound(self) -> Expr | None:
        begin = self.parser.at
        self.parser.take("−")
        token = self.parser.peek()
        is_bound = token is not None and (
            token.kind is TokenKind.NUMBER or token.text in self.parser.names.declared
        )
        if not is_bound:
            self.parser.at = begin
            return None
        self.parser.at += 1
        return self.parsed(self.parser.tokens[begin : self.parser.at])

    # condition = [ name ] [ ( "such" "that" | "where" | … ) ] comparison { joint comparison }
    def condition(
        self, start: int, base: Expr, parity: set[str], factor: Expr | None = None
    ) -> Expr | None:
        """*base*, or what of it is even, odd, a multiple of *factor* or within limits."""
        begin = self.parser.at
        variable = self.variable()
        if self.parser.word(self.parser.at).lower() in {"that", "which", "with", "where"}:
            self.parser.at += 1
        else:
            self.take("such", "that")
        span = self.span(start)
        conditions = [_remainder(variable, *_PARITIES[word], span) for word in sorted(parity)]
        if factor is not None:
            conditions.append(_remainder(variable, factor, 0, span))
        translated = self.translated(variable)
        if translated:
            condition = self.parsed(translated)
            if condition is None:
                return None
            conditions.append(condition)
            self.parser.at = len(self.parser.tokens)
        elif self.parser.at > begin:
            return None
        if not conditions:
            return base
        span = self.span(start)
        whole = conditions[0] if len(conditions) == 1 else tree.And(tuple(conditions), span=span)
        return tree.SetBuilder(tree.Name(variable, span=span), base, whole, span=span)

    def variable(self) -> str:
        """The name that the description gives to a member, or one of ours."""
        word = self.parser.word(self.parser.at)
        is_variable = len(word) == 1 or self.says(self.parser.at + 1, "such", "that")
        if word and is_variable:
            self.parser.at += 1
            return word
        return "x"

    def translated(self, variable: str) -> list[Token]:
        """The words from here on with phrases as signs; empty if none of them is a phrase."""
        tokens = self.parser.tokens
        done: list[Token] = []
        has_phrase = False
        at = self.parser.at
        while at < len(tokens):
            phrase, length = self.phrase(at, variable, done)
            if length:
                has_phrase = True
                done.extend(phrase)
            else:
                done.append(tokens[at])
            at += max(length, 1)
        has_sign = any(token.kind is TokenKind.SYMBOL for token in done)
        return done if has_phrase or has_sign else []

    def phrase(self, at: int, variable: str, before: Sequence[Token]) -> tuple[list[Token], int]:
        """The signs that the words at *at* stand for, and how many words they are."""
        copula = 1 if self.parser.word(at).lower() in _COPULAS else 0
        subject: list[Token] = []
        if not before or before[-1].text in _JOINTS:
            # The comparison has no subject of its own.
            span = self.parser.tokens[at].span
            subject = [Token(TokenKind.NAME, variable, span, blank_before=True)]
        for words, sign in _COMPARATORS:
            if self.says(at + copula, *words):
                span = self.span_of(at, at + copula + len(words))
                return [*subject, _symbol(sign, span)], copula + len(words)
        for parity, remainder in (("even", "0"), ("odd", "1")):
            if self.says(at + copula, parity):
                span = self.span_of(at, at + copula + 1)
                return [*subject, *_remainder_is(remainder, span)], copula + 1
        if self.says(at + copula, "between"):
            return self.between(at, copula, [*subject, *before])
        return [], 0

    def between(self, at: int, copula: int, before: Sequence[Token]) -> tuple[list[Token], int]:
        """*x between 1 and 9* as ``x ≥ 1 ∧ x ≤ 9``."""
        first = at + copula + 1
        if not before or not self.says(first + 1, "and") or first + 2 >= len(self.parser.tokens):
            return [], 0
        low, high = self.parser.tokens[first], self.parser.tokens[first + 2]
        span = self.span_of(at, first + 3)
        name = before[0] if len(before) == 1 else before[-1]
        subject = [name] if len(before) == 1 and at == self.parser.at else []
        signs = [_symbol("≥", span), low, _symbol("∧", span), name, _symbol("≤", span), high]
        return [*subject, *signs], copula + 4

    def parsed(self, tokens: Sequence[Token]) -> Expr | None:
        inner = ExpressionParser(self.parser.source, tokens, self.parser.names)
        value = inner.formula()
        return value if inner.at == len(inner.tokens) else None

    def span(self, start: int) -> Span:
        return self.parser.span_from(start)

    def span_of(self, start: int, end: int) -> Span:
        return self.parser.tokens[start].span.to(self.parser.tokens[end - 1].span)


def _number_set(adjectives: set[str], kind: str, span: Span) -> Expr | None:
    if "positive" in adjectives:
        return tree.NumberSet(NumberSetKind.POSITIVE, span=span)
    is_natural = bool(adjectives & {"natural", "whole", "nonnegative"}) or kind == "naturals"
    if is_natural or {"non", "negative"} <= adjectives:
        return tree.NumberSet(NumberSetKind.NATURAL, span=span)
    if kind in {"integers", "integer", *_MULTIPLES} and "negative" not in adjectives:
        return tree.NumberSet(NumberSetKind.INTEGER, span=span)
    return None


def _remainder(variable: str, factor: Expr | int, rest: int, span: Span) -> Expr:
    """``variable mod factor = rest``."""
    by = tree.NumberLiteral(factor, span=span) if isinstance(factor, int) else factor
    remainder = tree.Binary(BinaryOp.MOD, tree.Name(variable, span=span), by, span=span)
    value = tree.NumberLiteral(rest, span=span)
    return tree.Compare(remainder, ((CompareOp.EQ, value),), span=span)


def _symbol(text: str, span: Span) -> Token:
    return Token(TokenKind.SYMBOL, text, span, blank_before=True)


def _remainder_is(remainder: str, span: Span) -> list[Token]:
    two = Token(TokenKind.NUMBER, "2", span, blank_before=True)
    value = Token(TokenKind.NUMBER, remainder, span, blank_before=True)
    return [_symbol("mod", span), two, _symbol("=", span), value]
