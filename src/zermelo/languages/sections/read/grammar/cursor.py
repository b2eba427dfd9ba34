"""A place among tokens, from which a parser looks ahead.

Here words are told from signs: ``x`` between two operands is a product where no
``x`` is declared, and ``6=`` behind an operand is what copying left of ``≠``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Generic, TypeVar

from zermelo.languages.sections.read.grammar import symbols
from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind, damaged_sign
from zermelo.languages.sections.read.grammar.tree import BinaryOp
from zermelo.text import codes
from zermelo.text.budget import spend
from zermelo.text.codes import Code
from zermelo.text.diagnostic import Diagnostic, Fix, Label
from zermelo.text.source import NOWHERE, Source, Span

T = TypeVar("T")

TERM_SIGNS: Final = frozenset(op.value for op in BinaryOp) | {"×"}
"""Signs that continue a term."""
NESTING: Final = 40
"""How many brackets, quantifiers and the like may stand in one another."""


@dataclass(frozen=True, slots=True)
class DeclaredNames:
    """The names a document declares, by which words are told from signs."""

    declared: frozenset[str] = frozenset()
    """All of them: sets, variables, parameters, functions."""
    procedures: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()
    listed: frozenset[str] = frozenset()
    """Words for sets that are listed beside values that are none: ``{empty, full}``."""


@dataclass(frozen=True, slots=True)
class Parsed(Generic[T]):
    """What was made of the tokens; ``None`` when nothing could be."""

    value: T | None
    rest: tuple[Token, ...] = ()
    """The tokens that were not used: a comment, or else a fault."""
    diagnostics: tuple[Diagnostic, ...] = ()
    trouble: tuple[Diagnostic, ...] = ()
    """What there is to say about *rest* if it is no comment."""


_WORD_KINDS: Final = frozenset((TokenKind.NAME, TokenKind.NUMBER))
_STRUCK: Final = frozenset(("6", "f", "ƒ", "/"))
"""What is left of the stroke in ``≠`` and ``∉`` after copying."""
_LETTER_SIGNS: Final = frozenset(("x", "X", "U"))
_ORDERS: Final = frozenset("=≠<≤>≥")
_PLACE_DIGITS: Final = 5
_CONJUNCT_ENDS: Final = frozenset(("", "∧", ",", ";", ")", "]", "}"))
_PROSE_STARTS: Final = frozenset(
    ("where", "if", "when", "unless", "otherwise", "such", "because", "then")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """What holds outside the brackets that a formula opens itself."""

    is_guard: bool = False
    """An arrow ends the formula."""
    is_conclusion: bool = False
    """A ``∧`` may begin the next assignment."""
    is_domain: bool = False
    """A bracket behind a name may be the body of a quantifier."""


_STEPS_OF_A_TRY: Final = 60
_STEPS_OF_A_TOKEN: Final = 30
PLAIN: Final = Mode()


class TokenCursor:
    """A place among the tokens of one formula, and what was said on the way to it.

    What is asked about the tokens ahead passes none of them; the rules of the grammar
    pass them, see ``expressions``.
    """

    def __init__(self, source: Source, tokens: Sequence[Token], names: DeclaredNames) -> None:
        place = tokens[0].span if tokens else None
        spend(_STEPS_OF_A_TRY + _STEPS_OF_A_TOKEN * len(tokens), "reading formulas", place)
        self.source = source
        self.names = names
        self.said: list[Diagnostic] = []
        self.tokens = self._rejoined(tokens)
        self.at = 0
        self.trouble: tuple[int, Diagnostic] | None = None
        """What was wrong inside a bracket that was then taken for a comment, and where."""
        self.closer = _closers(self.tokens)
        """For each bracket that opens, the place of the one that closes it."""
        self.mode = PLAIN
        self.bound: list[str] = []
        """The names that quantifiers, builders and sums around this place bind."""
        self._nesting = 0

    @cached_property
    def arrows(self) -> tuple[int | None, ...]:
        """For each place, that of the next ``→`` in the same bracket."""
        found: list[int | None] = [None] * (len(self.tokens) + 1)
        for at in range(len(self.tokens) - 1, -1, -1):
            if self.infix(at)[0] == "→":
                found[at] = at
            elif self.sign(at) not in symbols.CLOSERS.values():
                found[at] = found[self.closer.get(at, at) + 1]
        return tuple(found)

    # Looking ahead

    def peek(self, ahead: int = 0) -> Token | None:
        at = self.at + ahead
        return self.tokens[at] if 0 <= at < len(self.tokens) else None

    def sign(self, at: int) -> str:
        """The sign at *at*, empty if there stands something else."""
        if 0 <= at < len(self.tokens) and self.tokens[at].kind is TokenKind.SYMBOL:
            return self.tokens[at].text
        return ""

    def word(self, at: int) -> str:
        """The name at *at*, empty if there stands something else."""
        if 0 <= at < len(self.tokens) and self.tokens[at].kind is TokenKind.NAME:
            return self.tokens[at].text
        return ""

    def starts_operand(self, at: int) -> bool:
        if not 0 <= at < len(self.tokens):
            return False
        return (
            self.tokens[at].kind is not TokenKind.SYMBOL or self.sign(at) in symbols.OPERAND_STARTS
        )

    def infix(self, at: int) -> tuple[str, int]:
        """The sign behind an operand at *at* and the number of its tokens; words included."""
        word = self.word(at)
        if self.is_struck(at):
            return symbols.NEGATED[self.sign(at + 1)], 2
        if not word:
            return self.sign(at), 1
        if word == "not" and self.word(at + 1) == "in" and self.starts_operand(at + 2):
            return "∉", 2
        if word in symbols.INFIX_WORDS and self.starts_operand(at + 1) and self._is_undeclared(at):
            return symbols.INFIX_WORDS[word], 1
        return "", 0

    def _is_undeclared(self, at: int) -> bool:
        """Whether the word at *at* is no name here; ``} x {`` never holds a name."""
        word = self.word(at)
        is_between_sets = self.sign(at - 1) in {")", "}"} and self.sign(at + 1) == "{"
        return word not in self.names.declared or (word in _LETTER_SIGNS and is_between_sets)

    def prefix(self, at: int) -> str:
        """The sign before an operand at *at*; words included."""
        word = self.word(at)
        if not word:
            return self.sign(at)
        if word in self.names.declared or word not in symbols.PREFIX_WORDS:
            return ""
        if self.starts_operand(at + 1) or self.sign(at + 1) == "_":
            return symbols.PREFIX_WORDS[word]
        return ""

    def is_struck(self, at: int) -> bool:
        """Whether what stands at *at*, behind an operand, is a damaged ``≠`` or ``∉``."""
        if not 0 < at < len(self.tokens) - 1 or self.tokens[at].text not in _STRUCK:
            return False
        following = self.sign(at + 1)
        return following in {"=", "∈", "⊆"} and self.tokens[at].text not in self.names.declared

    def run(self, at: int) -> int:
        """The place behind the words that begin at *at* and make one value."""
        end = at + 1
        while end < len(self.tokens) and self._continues_run(end):
            end += 1
        return end

    def _continues_run(self, at: int) -> bool:
        token = self.tokens[at]
        if token.kind not in _WORD_KINDS or self.is_struck(at):
            return False
        if token.kind is TokenKind.NUMBER:
            return token.blank_before
        is_prose = token.text in _PROSE_STARTS and token.text not in self.names.declared
        return not is_prose and self.infix(at)[1] == 0

    def is_dash(self) -> bool:
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

    def is_times(self) -> bool:
        """Whether a name or bracket stands directly behind a number, as in ``2n``."""
        before, here = self.peek(-1), self.peek()
        if before is None or here is None or here.blank_before:
            return False
        is_name = here.kind is TokenKind.NAME or here.text == "("
        return before.kind is TokenKind.NUMBER and is_name and self.infix(self.at)[0] in {"", "("}

    def components(self) -> tuple[int, ...]:
        """The places that ``.1`` here asks of the tuple before it; two of them in ``.1.2``."""
        pieces = self.tokens[self.at : self.at + 2]
        is_joined = not any(piece.blank_before for piece in pieces)
        if self.sign(self.at) != "." or pieces[-1].kind is not TokenKind.NUMBER or not is_joined:
            return ()
        # Behind a domain the dot may stand for the colon: `∀x ∈ S.1 ≤ x`.
        is_body = self.mode.is_domain and self.infix(self.at + 2)[0] in _ORDERS
        if is_body or len(pieces[-1].text) > _PLACE_DIGITS:
            return ()
        places = tuple(map(int, pieces[-1].text.split(".")))
        return () if 0 in places else places

    def is_lost_plus(self) -> bool:
        """Whether the plus here stood above the line, as in ``ℤ⁺``."""
        return (
            self.sign(self.at) == "+"
            and not self.tokens[self.at].blank_before
            and (self.sign(self.at + 1) == "|" or not self.starts_operand(self.at + 1))
        )

    def is_application(self) -> bool:
        """Whether the bracket behind the name here holds arguments."""
        bracket = self.at + 1
        close = self.closer.get(bracket)
        if close is None:
            return True
        if self.infix(bracket + 1)[0] == "mod":
            return False
        if self.mode.is_domain:
            after = self.infix(close + 1)[0]
            goes_on = after in {":", ".", "(", "["} or after in TERM_SIGNS
            is_body = not goes_on and not self.is_such_that(close + 1)
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

    def is_such_that(self, at: int) -> bool:
        is_such = self.word(at) == "such" and self.word(at + 1) == "that"
        return is_such or (self.word(at) == "where" and "where" not in self.names.declared)

    def is_pattern(self, at: int) -> bool:
        """Whether a tuple of names with its set stands at *at*: ``(x, y) ∈ S``."""
        close = self.closer.get(at)
        if self.sign(at) != "(" or close is None or self.infix(close + 1)[0] != "∈":
            return False
        inside = range(at + 1, close)
        return len(inside) >= 3 and self._are_names(inside)

    def _are_names(self, places: range) -> bool:
        """Whether names stand there, with commas between them."""
        return all(
            bool(self.word(at)) if (at - places.start) % 2 == 0 else self.sign(at) == ","
            for at in places
        )

    def binds(self, at: int) -> bool:
        """Whether the name at *at* is one more variable and not the start of the body."""
        after = self.infix(at + 1)[0]
        is_body_bracket = after == "(" and self.tokens[at + 1].blank_before
        return after in {",", "∈", "⊆", ":"} or is_body_bracket

    def binds_more(self) -> bool:
        """Whether ``, y ∈ B`` or ``, (y, z) ∈ B`` here binds more, with a body behind it."""
        if self.sign(self.at) != ",":
            return False
        at = self.at + 2
        if self.is_pattern(self.at + 1):
            close = self.closer[self.at + 1]
            # A bracket with a name that is bound already asks for something: it is the body.
            if any(self.word(place) in self.bound for place in range(at, close)):
                return False
            at = close + 1
        elif not self.word(self.at + 1):
            return False
        if self.infix(at)[0] not in {"∈", "⊆"}:
            return False
        at += 2
        if self.sign(at) == "(" and self.word(at - 1):
            at = self.closer.get(at, at) + 1
        elif at - 1 in self.closer:
            at = self.closer[at - 1] + 1
        return self.sign(at) in {":", ",", "("} or self.is_such_that(at)

    @cached_property
    def has_modulus(self) -> bool:
        """Whether ``(mod n)`` stands somewhere, so that ``≡`` is a congruence."""
        return any(
            self.sign(at) == "(" and self.tokens[at + 1].text == "mod"
            for at in range(len(self.tokens) - 1)
        )

    def is_next_assignment(self) -> bool:
        """Whether the ``∧`` here belongs to the conclusion and not to the value before it."""
        if not self.mode.is_conclusion or self.infix(self.at)[0] != "∧":
            return False
        following = self.at + 1
        is_rule = self.next_arrow(following, len(self.tokens)) is not None
        return is_rule or self.begins_conjunct(following)

    def is_tuple(self, opener: int) -> bool:
        """Whether the bracket that opens at *opener* is closed and has commas in it."""
        close = self.closer.get(opener)
        return close is not None and any(
            self.sign(at) == "," for at in self.outermost(opener + 1, close)
        )

    def outermost(self, start: int, end: int) -> list[int]:
        """The places from *start* up to *end* that lie in no further bracket."""
        places: list[int] = []
        at = start
        while at < end:
            places.append(at)
            at = self.closer.get(at, at) + 1
        return places

    # Looking ahead for statements: `turn = ¬turn ∧ moves = moves + 1` is two assignments,
    # `flag = a ∧ b` is one; what decides is what stands behind the `∧`.

    def begins_conjunct(self, at: int) -> bool:
        return self._begins_simple(at) or self.is_nested(at)

    def _begins_simple(self, at: int) -> bool:
        return (
            self.names_end(at) is not None
            or self.is_step(at)
            or self.is_call(at)
            or self.is_tuple_target(at)
            or self.is_applied_target(at)
        )

    def names_end(self, at: int) -> int | None:
        """The place of the ``=`` behind ``a`` or ``a, b`` at *at*, if that is what stands there."""
        while self.word(at):
            at += 1
            if self.sign(at) == "=":
                return at
            if self.sign(at) != ",":
                return None
            at += 1
        return None

    def is_step(self, at: int) -> bool:
        return bool(self.word(at)) and self.sign(at + 1) in {"++", "--"}

    def is_call(self, at: int) -> bool:
        """Whether a call of a procedure stands at *at*, with nothing more behind it."""
        name = self.word(at)
        close = self.closer.get(at + 1)
        if not name or self.sign(at + 1) != "(" or close is None:
            return False
        if name in self.names.procedures:
            return True
        is_other = name in self.names.functions or name in self.names.declared
        return not is_other and self.ends(close + 1)

    def is_tuple_target(self, at: int) -> bool:
        """Whether ``(a, b) =`` stands at *at*."""
        close = self.closer.get(at)
        if self.sign(at) != "(" or close is None or self.sign(close + 1) != "=":
            return False
        inside = range(at + 1, close)
        return len(inside) > 1 and self._are_names(inside)

    def is_applied_target(self, at: int) -> bool:
        """Whether ``f(i) =`` stands at *at*, where f is a variable."""
        name, close = self.word(at), self.closer.get(at + 1)
        if not name or self.sign(at + 1) != "(" or close is None or self.sign(close + 1) != "=":
            return False
        is_other = name in self.names.procedures or name in self.names.functions
        return not is_other and name in self.names.declared

    def is_nested(self, at: int) -> bool:
        """Whether a rule or a conclusion in brackets stands at *at*."""
        while self.sign(at) in {"(", "[", "{"}:
            close = self.closer.get(at)
            if close is None or self.is_tuple_target(at) or not self.ends(close + 1):
                return False
            arrow = self.next_arrow(at + 1, close)
            begin = at + 1 if arrow is None else arrow + 1
            if self._begins_simple(begin):
                return True
            at = begin
        return False

    def next_arrow(self, start: int, end: int) -> int | None:
        """The first ``→`` from *start* up to *end* that stands in no bracket there."""
        arrow = self.arrows[start] if start < len(self.arrows) else None
        return arrow if arrow is not None and arrow < end else None

    def ends(self, at: int) -> bool:
        sign = self.infix(at)[0]
        return sign in _CONJUNCT_ENDS and (bool(sign) or not self.word(at))

    # Moving on

    def take(self, *signs: str) -> bool:
        if self.sign(self.at) in signs:
            self.at += 1
            return True
        return False

    def take_infix(self, *signs: str) -> str:
        """Pass the sign behind an operand if it is one of *signs*, and say if it was damaged."""
        sign, count = self.infix(self.at)
        if not sign or sign not in signs:
            return ""
        if self.is_struck(self.at):
            self.said.append(
                damaged_sign(self.source, self.tokens[self.at : self.at + count], sign)
            )
        self.at += count
        return sign

    def span_from(self, start: int) -> Span:
        """From the token at *start* to the last one passed."""
        if not self.tokens:
            return NOWHERE
        first = self.tokens[min(start, len(self.tokens) - 1)].span
        return first.to(self.tokens[max(self.at - 1, start, 0)].span) if self.at > start else first

    def mark(self) -> tuple[int, int, int]:
        return self.at, len(self.said), self._nesting

    def back_to(self, mark: tuple[int, int, int]) -> None:
        """Go back to *mark* and forget what was said since."""
        self.at, said, self._nesting = mark
        del self.said[said:]

    def deeper(self) -> bool:
        """Go one level down, if the formula is not nested too deeply already."""
        self._nesting += 1
        if self._nesting <= NESTING:
            return True
        token = self.peek() or self.tokens[-1]
        self.fail(
            codes.TOO_DEEP,
            f"this formula is nested more than {NESTING} levels deep",
            token.span,
            label="the level that is too many",
            advice="give a part of it a name of its own, as a fact or a local definition",
        )
        return False

    def higher(self) -> None:
        self._nesting -= 1

    # Saying what is wrong

    def fail(
        self,
        code: Code,
        message: str,
        span: Span,
        *,
        label: str = "",
        secondary: tuple[Label, ...] = (),
        advice: str | None = None,
    ) -> None:
        self.said.append(
            Diagnostic(code, message, Label(span, label), secondary=secondary, help=advice)
        )

    def written(self, at: int) -> str:
        """The token at *at* as it was typed."""
        return self.source.slice(self.tokens[at].span).strip() or self.tokens[at].text

    def found(self) -> str:
        """The token that comes next, as a message names it."""
        return f"`{self.written(self.at)}`" if self.peek() else "the end"

    def here(self) -> Span:
        """The place of the token that comes next, or of the end."""
        if token := self.peek():
            return token.span
        return Span(self.tokens[-1].span.end, self.tokens[-1].span.end) if self.tokens else NOWHERE

    def _rejoined(self, tokens: Sequence[Token]) -> tuple[Token, ...]:
        """*tokens* with declared names put together that copying has split."""
        done: list[Token] = []
        at = 0
        while at < len(tokens):
            whole, count = self._whole_name(tokens, at)
            if count > 1:
                self.said.append(self._split_word(tokens[at : at + count], whole))
            done.append(whole)
            at += count
        return tuple(done)

    def _whole_name(self, tokens: Sequence[Token], at: int) -> tuple[Token, int]:
        """The token at *at*, with the pieces behind it that belong to it, and their number."""
        declared = self.names.declared
        if at + 1 < len(tokens) and tokens[at + 1].kind in _WORD_KINDS:
            for count in (4, 3, 2):
                pieces = tokens[at : at + count]
                text = "".join(piece.text for piece in pieces)
                if (
                    len(pieces) == count
                    and text in declared
                    and pieces[0].kind is TokenKind.NAME
                    and all(piece.kind in _WORD_KINDS for piece in pieces)
                    and not all(piece.text in declared for piece in pieces)
                ):
                    span = pieces[0].span.to(pieces[-1].span)
                    return Token(TokenKind.NAME, text, span, pieces[0].blank_before), count
        return tokens[at], 1

    def _split_word(self, pieces: Sequence[Token], whole: Token) -> Diagnostic:
        typed = " ".join(piece.text for piece in pieces)
        return Diagnostic(
            codes.SPLIT_WORD,
            f"`{typed}` is read as the name `{whole.text}`",
            primary=Label(whole.span, "a name split by copying"),
            help=f"write `{whole.text}`",
            fix=Fix(whole.span, whole.text),
        )


def _closers(tokens: Sequence[Token]) -> dict[int, int]:
    closer: dict[int, int] = {}
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token.kind is not TokenKind.SYMBOL:
            continue
        if token.text in symbols.CLOSERS:
            opened.append(at)
        elif token.text in symbols.CLOSERS.values() and opened:
            if symbols.CLOSERS[tokens[opened[-1]].text] == token.text:
                closer[opened.pop()] = at
            else:
                opened.clear()
    return closer
