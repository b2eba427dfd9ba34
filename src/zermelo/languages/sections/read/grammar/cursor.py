"""A place among tokens, from which a parser looks ahead.

Here words are told from signs: ``x`` between two operands is a product where no
``x`` is declared, and ``6=`` behind an operand is what copying left of ``≠``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from zermelo.languages.sections.read.grammar.assembly import damaged_sign
from zermelo.languages.sections.read.grammar.symbols import (
    CLOSERS,
    INFIX_WORDS,
    NEGATED,
    OPERAND_STARTS,
    PREFIX_WORDS,
)
from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind
from zermelo.text import codes
from zermelo.text.diagnostic import Code, Diagnostic, Fix, Label
from zermelo.text.source import NOWHERE, Source, Span

T = TypeVar("T")

NESTING: Final = 40
"""How many brackets, quantifiers and the like may stand in one another."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names a document declares, by which words are told from signs."""

    declared: frozenset[str] = frozenset()
    """All of them: sets, variables, parameters, functions."""
    procedures: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Parsed(Generic[T]):
    """What was made of the tokens; ``None`` when nothing could be."""

    value: T | None
    rest: tuple[Token, ...] = ()
    """The tokens that were not used: a comment, or else a fault."""
    diagnostics: tuple[Diagnostic, ...] = ()
    trouble: tuple[Diagnostic, ...] = ()
    """What there is to say about *rest* if it is no comment."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place to come back to."""

    at: int
    said: int
    nesting: int


_WORD_KINDS: Final = frozenset((TokenKind.NAME, TokenKind.NUMBER))
_STRUCK: Final = frozenset(("6", "f", "ƒ", "/"))
"""What is left of the stroke in ``≠`` and ``∉`` after copying."""
_LETTER_SIGNS: Final = frozenset(("x", "X", "U"))
_PROSE_STARTS: Final = frozenset(
    ("where", "if", "when", "unless", "otherwise", "such", "because", "then")
)


class Cursor:
    """A place among the tokens of one formula, and what was said on the way to it."""

    def __init__(self, source: Source, tokens: Sequence[Token], names: Names) -> None:
        self.source = source
        self.names = names
        self.said: list[Diagnostic] = []
        self.tokens = self._rejoined(tokens)
        self.at = 0
        self.trouble: tuple[int, Diagnostic] | None = None
        """What was wrong inside a bracket that was then taken for a comment, and where."""
        self.closer = _closers(self.tokens)
        """For each bracket that opens, the place of the one that closes it."""
        self._nesting = 0
        self._arrows: tuple[int | None, ...] | None = None

    @property
    def arrows(self) -> tuple[int | None, ...]:
        """For each place, that of the next ``→`` in the same bracket."""
        if self._arrows is None:
            found: list[int | None] = [None] * (len(self.tokens) + 1)
            for at in range(len(self.tokens) - 1, -1, -1):
                if self.infix(at)[0] == "→":
                    found[at] = at
                elif self.sign(at) not in CLOSERS.values():
                    found[at] = found[self.closer.get(at, at) + 1]
            self._arrows = tuple(found)
        return self._arrows

    # Looking ahead

    def peek(self, ahead: int = 0) -> Token | None:
        """The token *ahead* places further on."""
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
        """Whether an operand can begin at *at*."""
        if not 0 <= at < len(self.tokens):
            return False
        return self.tokens[at].kind is not TokenKind.SYMBOL or self.sign(at) in OPERAND_STARTS

    def infix(self, at: int) -> tuple[str, int]:
        """The sign behind an operand at *at* and the number of its tokens; words included."""
        word = self.word(at)
        if self.is_struck(at):
            return NEGATED[self.sign(at + 1)], 2
        if not word:
            return self.sign(at), 1
        if word == "not" and self.word(at + 1) == "in" and self.starts_operand(at + 2):
            return "∉", 2
        if word in INFIX_WORDS and self.starts_operand(at + 1) and self._is_undeclared(at):
            return INFIX_WORDS[word], 1
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
        if word in self.names.declared or word not in PREFIX_WORDS:
            return ""
        if self.starts_operand(at + 1) or self.sign(at + 1) == "_":
            return PREFIX_WORDS[word]
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

    # Moving on

    def take(self, *signs: str) -> bool:
        """Pass the sign here if it is one of *signs*."""
        if self.sign(self.at) in signs and self.sign(self.at):
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

    def mark(self) -> Mark:
        """This place."""
        return Mark(self.at, len(self.said), self._nesting)

    def back_to(self, mark: Mark) -> None:
        """Go back to *mark* and forget what was said since."""
        self.at = mark.at
        del self.said[mark.said :]
        self._nesting = mark.nesting

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
        """Come back from a level down."""
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
        """Say that the formula cannot be understood, and why."""
        self.said.append(
            Diagnostic(code, message, Label(span, label), secondary=secondary, help=advice)
        )

    def written(self, at: int) -> str:
        """The token at *at* as it was typed."""
        return self.source.slice(self.tokens[at].span).strip() or self.tokens[at].text

    def end_span(self) -> Span:
        """The place behind the last token."""
        if not self.tokens:
            return NOWHERE
        return Span(self.tokens[-1].span.end, self.tokens[-1].span.end)

    def here(self) -> Span:
        """The place of the token that comes next, or of the end."""
        token = self.peek()
        return token.span if token else self.end_span()

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
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        if following is not None and following.kind in _WORD_KINDS:
            for count in (4, 3, 2):
                whole = self._whole(tokens[at : at + count], count)
                if whole is not None:
                    return whole, count
        return tokens[at], 1

    def _whole(self, pieces: Sequence[Token], count: int) -> Token | None:
        """The declared name that *pieces* are the pieces of."""
        if len(pieces) < count or any(piece.kind not in _WORD_KINDS for piece in pieces):
            return None
        text = "".join(piece.text for piece in pieces)
        declared = self.names.declared
        if text not in declared or pieces[0].kind is not TokenKind.NAME:
            return None
        if all(piece.text in declared for piece in pieces):
            return None
        span = pieces[0].span.to(pieces[-1].span)
        return Token(TokenKind.NAME, text, span, pieces[0].blank_before)

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
        if token.text in CLOSERS:
            opened.append(at)
        elif token.text in CLOSERS.values() and opened:
            if CLOSERS[tokens[opened[-1]].text] == token.text:
                closer[opened.pop()] = at
            else:
                opened.clear()
    return closer
