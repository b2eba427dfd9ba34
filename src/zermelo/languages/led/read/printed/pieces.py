"""From printed mathematics to the words and signs of the source form, each with its place.

A piece is one token of LED's source form, or the number of a formula. Nothing is
decided about what the pieces mean together.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from typing import Final

from zermelo.languages.led.read.lexer import RESERVED
from zermelo.languages.led.read.printed import signs
from zermelo.text import codes
from zermelo.text.codes import Code
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.latex import unescaped
from zermelo.text.source import Source, Span


class PieceKind(Enum):
    """What a piece is."""

    WORD = "word"
    """A name, or a word of the language."""
    NUMERAL = "numeral"
    STRING = "string"
    ATOM = "atom"
    SIGN = "sign"
    TAG = "tag"
    """The number of a formula; the text is its digits."""


@dataclass(frozen=True, slots=True)
class PrintedPiece:
    """A token of the source form, printed at *span*."""

    kind: PieceKind
    text: str
    span: Span
    is_after_blank: bool = False

    @property
    def is_name(self) -> bool:
        return self.kind is PieceKind.WORD and self.text not in RESERVED

    @property
    def nesting(self) -> int:
        """1 for a bracket that opens, -1 for one that closes, else 0."""
        if self.kind is not PieceKind.SIGN:
            return 0
        return (self.text in _OPENING) - (self.text in _CLOSING)


_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")


@dataclass(frozen=True, slots=True)
class PrintedPieces:
    """What a stretch of mathematics consists of."""

    pieces: tuple[PrintedPiece, ...]
    said: tuple[Diagnostic, ...] = ()


def read(
    source: Source,
    span: Span,
    *,
    known: Collection[str] = frozenset(),
    is_latex: bool = True,
) -> PrintedPieces:
    """The pieces of the mathematics at *span*; *known* are the names that the program defines.

    Outside of LaTeX braces are braces, and no sign is only for the look of it.
    """
    reader = _PieceReader(source, span, known, is_latex=is_latex)
    reader.run()
    return PrintedPieces(tuple(reader.pieces), tuple(reader.said))


class _PieceReader:
    """A position in the mathematics, and what was read up to it."""

    def __init__(
        self, source: Source, span: Span, known: Collection[str], *, is_latex: bool
    ) -> None:
        self.source = source
        self.text = source.text
        self.at = span.start
        self.end = span.end
        self.known = known
        self.is_latex = is_latex
        self.pieces: list[PrintedPiece] = []
        self.said: list[Diagnostic] = []
        self.environments: list[str] = []
        """What was begun and not ended."""
        self.is_after_blank = False
        self.closers: list[str | None] = []
        """What the end of each open group writes."""

    def run(self) -> None:
        blanks = signs.BLANK if self.is_latex else signs.PLAIN_BLANK
        while self.at < self.end:
            blank = blanks.match(self.text, self.at, self.end)
            if blank:
                self.is_after_blank = True
                self.at = blank.end()
                continue
            before = self.at
            self._next()
            self.is_after_blank = False
            if self.at == before:
                place = Span(before, before + 1)
                message = f"`{self.text[before]}` is no sign of a formula"
                self._say(codes.UNKNOWN_CHARACTER, message, place, "left out")
                self.at += 1

    def _next(self) -> None:
        latex = (self._break, self._command, self._group, self._script) if self.is_latex else ()
        rules = (self._angled, self._string, self._atom, *latex, self._numeral, self._word)
        for rule in (*rules, self._sign):
            if rule():
                return

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        return pattern.match(self.text, self.at, self.end)

    def _put(self, kind: PieceKind, text: str, end: int, *, start: int | None = None) -> None:
        span = Span(self.at if start is None else start, end)
        self.pieces.append(PrintedPiece(kind, text, span, self.is_after_blank))
        self.at = end

    def _say(
        self, code: Code, message: str, span: Span, label: str, *, notes: tuple[str, ...] = ()
    ) -> None:
        self.said.append(Diagnostic(code, message, Label(span, label), notes=notes))

    def _angled(self) -> bool:
        found = self._match(signs.ANGLED)
        if found is None:
            return False
        self._say(
            codes.FORMULA_NUMBER_DAMAGED,
            f"the number of formula ({found[1]}) is damaged",
            Span(*found.span()),
            f"taken as ({found[1]})",
            notes=("LED has no such brackets",),
        )
        self._put(PieceKind.TAG, found[1], found.end())
        return True

    def _string(self) -> bool:
        for pattern in signs.STRINGS:
            found = self._match(pattern)
            if found:
                text = signs.STRING_BLANKS.sub(" ", found[1])
                text = unescaped(text.replace("’", "'").replace("^{\\prime}", "'"))
                self._put(PieceKind.STRING, f'"{text}"', found.end())
                return True
        return False

    def _atom(self) -> bool:
        found = self._match(signs.ATOM)
        if found:
            self._put(PieceKind.ATOM, f"`{_ascii(found['set'] or found['bare'])}", found.end())
            return True
        before = self.text[max(self.at - 1, 0) : self.at]
        other = self._match(signs.QUOTED_ATOM)
        if other is None or before.isalnum() or before in {")", "'"}:
            return False
        self._say(
            codes.DAMAGED_SIGN,
            f"`{other[1]}` stands before an atom; LED writes a backquote",
            Span(*other.span()),
            f"taken as `` `{other[2]} ``",
        )
        self._put(PieceKind.ATOM, f"`{_ascii(other[2])}", other.end())
        return True

    def _break(self) -> bool:
        found = self._match(signs.BREAK)
        if found is None:
            return False
        if self.environments and self.environments[-1] in signs.CASES:
            self._put(PieceKind.SIGN, ";", found.end())
        self.at = found.end()
        return True

    def _command(self) -> bool:
        braced = self._match(signs.BRACED_ROWS)
        if braced:
            self.environments.append("cases")
            self.at = braced.end()
            return True
        found = self._match(signs.NAMED)
        if found:
            self._named(found[1], found.end())
            return True
        escaped = self._match(signs.ESCAPED)
        if escaped:
            self._put(PieceKind.SIGN, escaped[1], escaped.end())
        return escaped is not None

    def _named(self, name: str, end: int) -> None:
        if name in {"begin", "end"}:
            self._environment(name, end)
        elif name in {"left", "right"} and self.text[end : end + 2].strip()[:1] == ".":
            self.at = self.text.index(".", end) + 1
        elif name == "tag":
            found = signs.TAG.match(self.text, end, self.end)
            if found:
                self._put(PieceKind.TAG, found[1], found.end())
            self.at = max(self.at, end)
        elif name in signs.SILENT or name in signs.WRAPPERS:
            self.at = end
        elif name in signs.WITH_ARGUMENT:
            found = signs.ARGUMENT.match(self.text, end, self.end)
            self.at = found.end() if found else end
        elif name in {"frac", "dfrac", "tfrac"}:
            self._fraction(end)
        elif name in {"mathcal", "mathscr", "mathbb", "mathfrak"}:
            self._letter(end)
        elif not self._sign_named(name, end):
            place = Span(self.at, end)
            self._say(
                codes.UNKNOWN_COMMAND, f"the command `\\{name}` is not known", place, "left out"
            )
            self.at = end

    def _fraction(self, end: int) -> None:
        r"""``\frac{a}{b}``: the group that closes writes the stroke, the next one the bracket."""
        self.at = end
        if self.text[end : end + 1] == "{":
            self._put(PieceKind.SIGN, "(", end + 1)
            self.closers.append("frac")

    def _letter(self, end: int) -> None:
        found = signs.ARGUMENT.match(self.text, end, self.end)
        if found and found[1].strip() == "P":
            self._put(PieceKind.WORD, "Pow", found.end())
        self.at = max(self.at, end)

    def _sign_named(self, name: str, end: int) -> bool:
        """Put what the command or the character *name* writes, if it is a sign."""
        if name in signs.SINGLE:
            sign = signs.SINGLE[name]
            self._several(("{", "}") if sign == "{}" else (sign,), end)
        elif name in signs.BIG:
            self._put(PieceKind.WORD, signs.BIG[name], end)
            below = self._match(signs.UNDER)
            if below:
                # The sentence below a big sign: `_{c \in S}`.
                self._put(PieceKind.SIGN, "[", below.end(), start=below.end() - 1)
                self.closers.append("]")
        elif name in signs.AROUND:
            self._several(signs.AROUND[name], end)
        else:
            return False
        return True

    def _several(self, texts: tuple[str, ...], end: int) -> None:
        start = self.at
        for text in texts:
            kind = PieceKind.WORD if text[0].isalpha() else PieceKind.SIGN
            self._put(kind, text, end, start=start)

    def _environment(self, name: str, end: int) -> None:
        found = signs.ENVIRONMENT.match(self.text, end, self.end)
        if found is None:
            self.at = end
            return
        self.at = found.end()
        if name == "begin":
            self.environments.append(found[1])
            columns = signs.COLUMNS.match(self.text, self.at, self.end)
            if columns and found[1] in {"array", "tabular"}:
                self.at = columns.end()
        elif self._is_open(found[1]):
            ended = self.environments.pop()
            if ended in signs.CASES and self.pieces and self.pieces[-1].text == ";":
                self.pieces.pop()

    def _is_open(self, name: str) -> bool:
        """Whether the environment *name* is open; rows behind a brace are cases."""
        while self.environments:
            last = self.environments[-1]
            if last == name or (last == "cases" and name in signs.ROWS):
                return True
            if name not in self.environments:
                return False
            self.environments.pop()
        return False

    def _numeral(self) -> bool:
        repeating = self._match(signs.REPEATING)
        found = repeating or self._match(signs.NUMERAL)
        if found is None:
            return False
        text = f"{repeating[1]}({repeating[2]}..)" if repeating else found[0]
        self._put(PieceKind.NUMERAL, text, found.end())
        return True

    def _word(self) -> bool:
        found = self._match(signs.WORD)
        if found is None:
            return False
        text, end = _ascii(found[0].replace("\\_", "_")), found.end()
        if text in signs.REMNANTS and text not in self.known and self._remnant(text, end):
            return True
        below = signs.SUBSCRIPT.match(self.text, end, self.end)
        if below:
            text, end = f"{text}_{below[1]}", below.end()
        self._put(PieceKind.WORD, text, end)
        return True

    def _remnant(self, text: str, end: int) -> bool:
        name = signs.REMNANTS[text]
        takes_group = name in signs.WRAPPERS or name in {"begin", "tag", "frac"}
        if takes_group and not self.text[end : end + 2].lstrip().startswith("{"):
            return False
        place = Span(self.at, end)
        self._named(name, end)
        self._say(
            codes.LATEX_REMNANT,
            f"`{text}` is what is left of the command `\\{name}`",
            place,
            f"read as `\\{name}`",
            notes=(f"no name `{text}` is defined, and `\\{name[0]}` was taken as one sign",),
        )
        return True

    def _group(self) -> bool:
        char = self.text[self.at]
        if char == "{":
            if self._is_set():
                self._put(PieceKind.SIGN, "{", self.at + 1)
                self.closers.append("}")
            else:
                self.closers.append(None)
                self.at += 1
            return True
        if char != "}":
            return False
        closer = self.closers.pop() if self.closers else None
        if closer == "frac":
            self._several((")", "/"), self.at + 1)
            if self.text[self.at : self.at + 1] == "{":
                self._put(PieceKind.SIGN, "(", self.at + 1)
                self.closers.append(")")
        elif closer is not None:
            self._put(PieceKind.SIGN, closer, self.at + 1)
        else:
            self.at += 1
        return True

    def _is_set(self) -> bool:
        """Whether braces without backslashes are those of a set: they print as nothing."""
        found = signs.LISTED.match(self.text, self.at, self.end)
        before = self.text[max(self.at - 30, 0) : self.at]
        if found is None or signs.AFTER_COMMAND.search(before):
            return False
        place = Span(*found.span())
        self._say(
            codes.DAMAGED_SIGN, "these braces have lost their backslashes", place, "taken as a set"
        )
        return True

    def _script(self) -> bool:
        """``^{n}`` needs brackets in the source form; the alignment sign is nothing."""
        char = self.text[self.at]
        if char == "&":
            self.at += 1
            return True
        simple = self._match(signs.SIMPLE_POWER)
        if simple:
            start = self.at
            self._put(PieceKind.SIGN, "^", start + 1)
            kind = PieceKind.NUMERAL if simple[1].isdigit() else PieceKind.WORD
            self._put(kind, simple[1], simple.end(), start=simple.start(1))
            return True
        if char == "^" and self.text[self.at + 1 : self.at + 2] == "{":
            self._several(("^", "("), self.at + 2)
            self.closers.append(")")
            return True
        return False

    def _sign(self) -> bool:
        if self._sign_named(self.text[self.at], self.at + 1):
            return True
        apart = self._match(signs.DEFINES)
        if apart:
            self._put(PieceKind.SIGN, ":=", apart.end())
            return True
        found = next((each for each in signs.SIGNS if self.text.startswith(each, self.at)), None)
        if found is None or self.at + len(found) > self.end:
            return False
        self._put(PieceKind.SIGN, ".." if found == "..." else found, self.at + len(found))
        return True


def _ascii(word: str) -> str:
    """*word* in plain letters: print sets names in letters of their own, as 𝑥 and 𝐱."""
    return word if word.isascii() else unicodedata.normalize("NFKC", word)
