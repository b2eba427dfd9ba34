r"""Text becomes tokens, whatever notation it was typed in.

Unicode, LaTeX and ASCII may be mixed within a line. What only says how things
look is passed over: ``$``, ``\left``, ``\text{…}`` around a name, Markdown's
stars, alignment. A brace behind a command that takes an argument, or behind
``^``, groups; every other brace is a set's.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from zermelo.languages.sections.read.grammar import symbols
from zermelo.languages.sections.read.grammar.tokens import (
    STROKES,
    Characters,
    Token,
    TokenKind,
    assembled,
    cleaned,
)
from zermelo.text import codes
from zermelo.text.budget import spend
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.errors import distance, nearest
from zermelo.text.source import Source, Span


def lex(source: Source, span: Span) -> tuple[tuple[Token, ...], tuple[Diagnostic, ...]]:
    """The tokens in *span* of *source*, and what there is to say about its signs."""
    spend(_STEPS_OF_A_LINE + _STEPS_OF_A_CHARACTER * (span.end - span.start), "reading signs", span)
    lexer = _Lexer(cleaned(source, span))
    lexer.run()
    tokens, said = assembled(lexer.tokens, source)
    return tokens, (*lexer.said, *said)


_STEPS_OF_A_LINE: Final = 60
_STEPS_OF_A_CHARACTER: Final = 12
_LETTER: Final = r"[^\W\d_]"
_INSIDE: Final = r"[^\W_\u0338]|['’′\u0300-\u0336\u0339-\u036f]"
_NAME = re.compile(rf"{_LETTER}(?:{_INSIDE})*(?:_+[^\W_](?:{_INSIDE})*)*")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_EMPHASIS = re.compile(r"([*_])[^\W_](?:[\w' ]{0,200}[\w'])?\1(?!\w)")
_FONT_GROUP = re.compile(rf"\{{ *\\(?:{'|'.join(sorted(symbols.FONT_SWITCHES))})(?![A-Za-z])")
_SUCH_THAT = re.compile(r"s\. ?t\.")
_QUOTES: Final = {'"': '"“”„', **dict.fromkeys("“”„", '"“”'), "«": "»", "‘": "’", "'": "'"}
"""Marks that open a text, and those that close it."""
_KNOWN: Final = frozenset(("not", "frac", "pmod")).union(
    symbols.COMMANDS,
    symbols.KEPT_ARGUMENT,
    symbols.DROPPED_ARGUMENT,
    symbols.IGNORED,
    symbols.GREEK,
)
"""Commands by which a line is known for LaTeX."""
_SETS: Final = {"N": "ℕ", "Z": "ℤ"}
_DELIMITERS: Final = {"(": "\\)", "[": "\\]", "{": "\\}"}
_EXCLAMATION: Final = re.compile(r"(?<=\w)!(?=[ .)]|$)")
"""Behind a word and before nothing that could be negated, it ends a sentence."""
_ENDS_OPERAND: Final = frozenset((")", "]", "}", "|", "∅", "ℕ", "ℤ", "ℤ⁺", "⌋", "⌉"))


class _Lexer:
    """A position in a text, and the tokens before it."""

    def __init__(self, characters: Characters) -> None:
        self.characters = characters
        self.text = characters.text
        self.at = 0
        self.tokens: list[Token] = []
        self.said: list[Diagnostic] = []
        self._blank = False
        self._partners = _partners(self.text)
        self._roles: dict[int, tuple[str, ...]] = {}
        """Braces and stars that are not what they look like: the signs they stand for."""
        self._lasts: dict[str, int] = {}
        self._unknown: set[str] = set()
        self._is_latex = not _KNOWN.isdisjoint(_COMMAND.findall(self.text))

    def run(self) -> None:
        while self.at < len(self.text):
            self._step()

    def _step(self) -> None:
        char = self.text[self.at]
        if self.at in self._roles:
            self._emit_all(self._roles[self.at], 1)
        elif char == " " or char in "$`*_~&\\" or char in _QUOTES:
            self._special(char)
        elif char in STROKES:
            self._emit(char, 1)
        else:
            self._plain()

    def _plain(self) -> None:
        if match := _SUCH_THAT.match(self.text, self.at):
            self._emit(":", match.end() - self.at)
        elif _EXCLAMATION.match(self.text, self.at):
            self._unknown_character()
        elif self._sign():
            pass
        elif match := _NAME.match(self.text, self.at):
            self._emit(match.group(), match.end() - self.at, kind=TokenKind.NAME)
        elif match := _NUMBER.match(self.text, self.at):
            self._emit(match.group(), match.end() - self.at, kind=TokenKind.NUMBER)
        elif unicodedata.category(self.text[self.at]) == "So":
            # A picture such as ♠ is a word of its own.
            self._emit(self.text[self.at], 1, kind=TokenKind.NAME)
        else:
            self._unknown_character()

    def _sign(self) -> bool:
        for length in range(symbols.LONGEST, 0, -1):
            spelling = self.text[self.at : self.at + length]
            if len(spelling) == length and spelling in symbols.SPELLINGS:
                if spelling == "^":
                    self._group(self.at + 1, before=("(",), after=(")",))
                if spelling == "{" and _FONT_GROUP.match(self.text, self.at):
                    self._group(self.at, before=(), after=())
                    return True
                self._emit(symbols.SPELLINGS[spelling], length)
                return True
        return False

    def _special(self, char: str) -> None:
        match char:
            case " " | "$":
                self._skip(1, is_blank=char == " ")
            case "`":
                self._backtick()
            case "*" | "_":
                self._emphasis()
            case "~":
                self._tilde()
            case "&":
                self._ampersand()
            case "\\":
                self._backslash()
            case _:
                self._quotation(char)

    def _backtick(self) -> None:
        if self.text.startswith("``", self.at) and (end := self._find("''", self.at + 2)) > 0:
            self._emit_text(self.at + 2, end, length=end + 2 - self.at)
        else:
            self._skip(1)

    def _emphasis(self) -> None:
        if self.text.startswith("**", self.at):
            self._skip(2)
            return
        before = self.text[self.at - 1 : self.at]
        match = None if before.isalnum() else _EMPHASIS.match(self.text, self.at)
        if match and before not in {")", "}", "\\"}:
            self._roles[match.end() - 1] = ()
            self._skip(1)
        else:
            self._sign()

    def _tilde(self) -> None:
        """``~`` is a blank of LaTeX behind a word and before a sign, else ``¬``."""
        before = self.text[self.at - 1 : self.at]
        after = self.text[self.at + 1 : self.at + 2]
        if after == "=":
            self._sign()
        elif before.isalnum() or before in {"}", ")", "$"} or not after or after in "=<>,;:)}]":
            self._skip(1, is_blank=True)
        else:
            self._emit("¬", 1)

    def _ampersand(self) -> None:
        is_double = self.text.startswith("&&", self.at)
        if self._is_latex and not is_double:
            self._skip(1, is_blank=True)
        else:
            self._emit("∧", 1 + is_double)

    def _quotation(self, char: str) -> None:
        start = self.at + 1
        end = min(
            (end for close in _QUOTES[char] if (end := self._find(close, start)) > 0), default=-1
        )
        if char == "'" and self.text[end + 1 : end + 2].isalnum():
            end = -1
        if end < 0:
            self._quote_not_closed()
        else:
            self._emit_text(start, end, length=end + 1 - self.at)

    def _find(self, text: str, start: int) -> int:
        # Knowing the last place keeps a long run of openers linear.
        if text not in self._lasts:
            self._lasts[text] = self.text.rfind(text)
        return self.text.find(text, start) if self._lasts[text] >= start else -1

    def _backslash(self) -> None:
        if self.text.startswith("\\/", self.at):
            self._emit("∨", 2)
        elif match := _COMMAND.match(self.text, self.at):
            self._command(match.group(1))
        else:
            self._escape(self.text[self.at + 1 : self.at + 2])

    def _escape(self, char: str) -> None:
        if char in _DELIMITERS and self._find(_DELIMITERS[char], 0) < 0:
            self._lone_backslash()
        elif char == "{" or char == "}" or char == "|":
            self._emit(char, 2)
        elif char and char in "()[],;:!>":
            self._skip(2, is_blank=char not in "()[]")
        elif not self._is_latex and self._is_after_operand():
            self._emit("∖", 2 if char == "\\" else 1)
        elif char in {" ", "\\"}:
            self._skip(2, is_blank=True)
        else:
            self._skip(1, is_blank=True)

    def _lone_backslash(self) -> None:
        if self._is_after_operand():
            self._emit("∖", 1)
        else:
            self._skip(1)

    def _is_after_operand(self) -> bool:
        if not self.tokens:
            return False
        last = self.tokens[-1]
        return last.kind is not TokenKind.SYMBOL or last.text in _ENDS_OPERAND

    def _command(self, name: str) -> None:
        length = len(name) + 1
        if name in symbols.COMMANDS:
            self._emit(symbols.COMMANDS[name], length)
        elif name == "not":
            self._emit("\\not", length)
        elif name in symbols.KEPT_ARGUMENT:
            self._kept(name, length)
        elif name in symbols.DROPPED_ARGUMENT:
            self._dropped(name, length)
        elif name in symbols.IGNORED:
            self._ignored(name, length)
        elif name in symbols.GREEK:
            self._emit(symbols.GREEK[name], length, kind=TokenKind.NAME)
        elif name in {"frac", "dfrac", "tfrac", "pmod"}:
            self._with_arguments(name, length)
        else:
            self._unknown_command(name)

    def _kept(self, name: str, length: int) -> None:
        start = self._past_blanks(self.at + length + (self._char(self.at + length) == "*"))
        closed = self._partners.get(start)
        argument = self.text[start + 1 : closed].strip() if closed else self._char(start)
        end = closed + 1 if closed else start + 1
        if name in {"mathcal", "mathscr"} and argument == "P":
            self._emit("𝒫", end - self.at)
        elif name == "mathbb" and argument in _SETS:
            self._emit(_SETS[argument], end - self.at)
        else:
            self._group(start, before=(), after=())
            self._skip(start - self.at)

    def _dropped(self, name: str, length: int) -> None:
        end = self.at + length + (self._char(self.at + length) == "*")
        end = self._past_group(end)
        if name == "begin":
            end = self._past_group(end)
        self._skip(end - self.at, is_blank=True)

    def _ignored(self, name: str, length: int) -> None:
        is_empty_bracket = name in {"left", "right"} and self._char(self.at + length) == "."
        self._skip(length + is_empty_bracket, is_blank=name not in {"left", "right"})

    def _with_arguments(self, name: str, length: int) -> None:
        first = self._past_blanks(self.at + length)
        if name == "pmod":
            self._group(first, before=(), after=(")",))
            self._emit_all(("(", "mod") if first in self._roles else ("mod",), length)
            return
        end = self._partners.get(first)
        second = self._past_blanks(end + 1) if end else first
        if end is None or second not in self._partners:
            self._without_arguments(name)
            return
        self._group(first, before=("(", "("), after=(")", "/"))
        self._group(second, before=("(",), after=(")", ")"))
        self._skip(length)

    def _group(self, start: int, *, before: tuple[str, ...], after: tuple[str, ...]) -> None:
        """Let the braces that open at *start* stand for *before* and *after*."""
        if self._char(start) == "{" and (end := self._partners.get(start)):
            self._roles[start] = before
            self._roles[end] = after

    def _past_group(self, start: int) -> int:
        at = self._past_blanks(start)
        return self._partners[at] + 1 if at in self._partners else start

    def _past_blanks(self, start: int) -> int:
        at = start
        while self._char(at) == " ":
            at += 1
        return at

    def _char(self, at: int) -> str:
        return self.text[at : at + 1]

    def _skip(self, length: int, *, is_blank: bool = False) -> None:
        self.at += length
        self._blank = self._blank or is_blank

    def _emit(self, text: str, length: int, *, kind: TokenKind = TokenKind.SYMBOL) -> None:
        self._emit_all((text,), length, kind=kind)

    def _emit_all(
        self, texts: tuple[str, ...], length: int, *, kind: TokenKind = TokenKind.SYMBOL
    ) -> None:
        span = self._span(length)
        for text in texts:
            self.tokens.append(Token(kind, text, span, self._blank and bool(self.tokens)))
            self._blank = False
        self.at += length

    def _emit_text(self, start: int, end: int, *, length: int) -> None:
        self._emit(" ".join(self.text[start:end].split()), length, kind=TokenKind.TEXT)

    def _span(self, length: int) -> Span:
        return self.characters.span(self.at, self.at + length)

    def _unknown_command(self, name: str) -> None:
        length = len(name) + 1
        if not self._is_latex and self._is_after_operand():
            self._emit("∖", 1)
            return
        if name not in self._unknown:
            self._unknown.add(name)
            close = _similar(name)
            self.said.append(
                Diagnostic(
                    codes.UNKNOWN_COMMAND,
                    f"`\\{name}` is a command that formulas here do not use",
                    primary=Label(self._span(length), f"read as the name `{name}`"),
                    help=f"if a sign is meant, write `\\{close[0]}`" if close else None,
                )
            )
        self._emit(name, length, kind=TokenKind.NAME)

    def _without_arguments(self, name: str) -> None:
        length = len(name) + 1
        if name not in self._unknown:
            self._unknown.add(name)
            self.said.append(
                Diagnostic(
                    codes.FORMULA_NOT_UNDERSTOOD,
                    f"`\\{name}` does not have two arguments in braces behind it",
                    primary=Label(self._span(length), "passed over"),
                    help=f"write it as in `\\{name}{{a}}{{b}}`, or with `/`",
                )
            )
        self._skip(length, is_blank=True)

    def _unknown_character(self) -> None:
        char = self.text[self.at]
        self.said.append(
            Diagnostic(
                codes.UNKNOWN_CHARACTER,
                f"`{char}` (U+{ord(char):04X}) is a character that formulas do not use",
                primary=Label(self._span(1), "passed over"),
                help="put words that are no formula behind `//`, or between quotation marks",
            )
        )
        self._skip(1, is_blank=True)

    def _quote_not_closed(self) -> None:
        self.said.append(
            Diagnostic(
                codes.QUOTE_NOT_CLOSED,
                f"the quotation mark {self.text[self.at]} has no partner on this line",
                primary=Label(self._span(1), "opened here, passed over"),
                help="close the text with the same mark",
            )
        )
        self._skip(1)


def _similar(name: str) -> tuple[str, ...]:
    """Commands that *name* is probably a slip for: one letter in three at the most."""
    near = nearest(name, (*symbols.COMMANDS, *symbols.GREEK, *symbols.KEPT_ARGUMENT))
    return tuple(other for other in near if distance(name, other) <= len(name) // 3)


def _partners(text: str) -> dict[int, int]:
    """For each brace that groups or may group, the place of the one that closes it."""
    partners: dict[int, int] = {}
    opened: list[int] = []
    at = 0
    while at < len(text):
        char = text[at]
        if char == "\\" and text[at + 1 : at + 2] in {"{", "}", "\\"}:
            at += 1
        elif char == "{":
            opened.append(at)
        elif char == "}" and opened:
            partners[opened.pop()] = at
        at += 1
    return partners
