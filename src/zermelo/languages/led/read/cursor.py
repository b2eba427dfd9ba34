"""A place among the tokens of one definition, and what was said on the way to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zermelo.languages.led.read.advice import behind_operand, instead_of_operand
from zermelo.languages.led.read.lexer import Kind, Token
from zermelo.text import codes
from zermelo.text.diagnostic import Code, Diagnostic, Fix, Label
from zermelo.text.source import Source, Span

NESTING: Final = 240
"""How deep an expression may go; a pair of brackets counts for three."""

CLOSERS: Final = {"(": ")", "[": "]", "{": "}", "⌊": "⌋", "⌈": "⌉"}


class NotUnderstoodError(Exception):
    """Ends the reading of one definition; what is wrong was said."""


class Cursor:
    """A place among *tokens*, which come from *source*."""

    def __init__(self, source: Source, tokens: Sequence[Token], defined: frozenset[str]) -> None:
        self.source = source
        self.tokens = list(tokens)
        self.defined = defined
        """The names that the program defines or binds as parameters."""
        self.at = 0
        self.said: list[Diagnostic] = []
        self._nesting = 0

    # Looking ahead

    def peek(self, ahead: int = 0) -> Token | None:
        """The token *ahead* places further on."""
        at = self.at + ahead
        return self.tokens[at] if 0 <= at < len(self.tokens) else None

    def sign(self, ahead: int = 0) -> str:
        """The sign *ahead* places further on, empty if there stands something else."""
        token = self.peek(ahead)
        return token.text if token and token.kind is Kind.SIGN else ""

    def word(self, ahead: int = 0) -> str:
        """The name *ahead* places further on, empty if there stands something else."""
        token = self.peek(ahead)
        return token.text if token and token.kind is Kind.NAME else ""

    def written(self, token: Token) -> str:
        """*token* as it was typed."""
        return self.source.slice(token.span)

    def here(self) -> Span:
        """The place of the token that comes next, or of the end."""
        token = self.peek()
        if token:
            return token.span
        end = self.tokens[-1].span.end if self.tokens else 0
        return Span(end, end)

    # Moving on

    def next(self) -> Token:
        """Pass a token."""
        self.at += 1
        return self.tokens[self.at - 1]

    def take(self, *signs: str) -> bool:
        """Pass the sign here if it is one of *signs*."""
        if self.sign() and self.sign() in signs:
            self.at += 1
            return True
        return False

    def since(self, start: int) -> Span:
        """From the token at *start* to the last one passed."""
        return self.tokens[start].span.to(self.tokens[max(self.at - 1, start)].span)

    def deeper(self, levels: int = 1) -> None:
        """Go *levels* down, if the expression is not nested too deeply already."""
        self._nesting += levels
        if self._nesting > NESTING:
            raise self.fail(
                codes.TOO_DEEP,
                "this expression is nested too deeply",
                self.here(),
                label="the level that is too many",
                advice="give a part of it a name of its own, as a definition",
            )

    def higher(self, levels: int = 1) -> None:
        """Come back from *levels* down."""
        self._nesting -= levels

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
    ) -> NotUnderstoodError:
        """Say why the definition cannot be understood; what is raised to leave it."""
        token = self.peek()
        if token is None or token.kind is not Kind.DAMAGED:
            self.said.append(
                Diagnostic(code, message, Label(span, label), secondary=secondary, help=advice)
            )
        return NotUnderstoodError()

    def note(self, message: str, span: Span, *, label: str = "", fix: Fix | None = None) -> None:
        """Say that something was written as in another dialect of LED."""
        self.said.append(
            Diagnostic(codes.OTHER_SPELLING, message, Label(span, label), fix=fix),
        )

    def close(self, opener: Token) -> None:
        """Pass what closes *opener*, or say that it is missing."""
        wanted = CLOSERS[opener.text]
        if self.take(wanted):
            return
        token = self.peek()
        typed = self.written(opener)
        if token is None:
            raise self.fail(
                codes.BRACKET_NOT_CLOSED,
                f"this `{typed}` is not closed",
                opener.span,
                label="opened here",
                advice=f"put a `{wanted}` where it ends",
            )
        if self.sign() in CLOSERS.values():
            raise self.fail(
                codes.BRACKET_NOT_CLOSED,
                f"`{typed}` is closed by `{token.text}`",
                token.span,
                label=f"`{wanted}` was looked for",
                secondary=(Label(opener.span, "opened here"),),
            )
        raise self.stray(
            f"an operator or `{wanted}`", secondary=(Label(opener.span, "opened here"),)
        )

    def stray(self, looked_for: str, *, secondary: tuple[Label, ...] = ()) -> NotUnderstoodError:
        """Say that the token here does not continue what was begun."""
        token = self.peek()
        if token is None:
            return self.fail(
                codes.FORMULA_NOT_UNDERSTOOD,
                f"the definition ends where {looked_for} was looked for",
                self.here(),
                secondary=secondary,
            )
        if token.text in CLOSERS.values() and token.kind is Kind.SIGN:
            return self.fail(
                codes.BRACKET_NOT_OPENED,
                f"this `{token.text}` closes nothing",
                token.span,
                label="its partner is missing",
            )
        if self.sign() == "|":
            return self.fail(
                codes.BAR_NOT_CLOSED,
                "this bar closes nothing",
                token.span,
                label="its partner is missing",
                advice="write `V` for or"
                if self.sign(1) == "|"
                else "bars come in pairs, as in `|A| = 3`",
            )
        return self.fail(
            codes.FORMULA_NOT_UNDERSTOOD,
            f"`{self.written(token)}` stands where {looked_for} was looked for",
            token.span,
            label="not understood from here on",
            secondary=secondary,
            advice=behind_operand(self.peek(-1), token, self.peek(1)),
        )

    def operand_missing(self) -> NotUnderstoodError:
        """Say that no operand begins here."""
        before, here = self.peek(-1), self.peek()
        if here is None or here.text in CLOSERS.values():
            place = before or here
            return self.fail(
                codes.OPERAND_MISSING,
                f"`{self.written(place)}` has nothing behind it" if place else "nothing is here",
                place.span if place else self.here(),
                label="a value was looked for behind it",
                advice=instead_of_operand(before, None) if here is None else None,
            )
        return self.fail(
            codes.OPERAND_MISSING,
            f"`{self.written(here)}` stands where a value was looked for",
            here.span,
            label="not understood from here on",
            advice=instead_of_operand(before, here),
        )
