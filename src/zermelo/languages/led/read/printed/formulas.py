"""From stretches of a printed document to its formulas, each with its number.

A formula is one definition: it begins with a head and ``:=`` or *iff*, and goes on over
displays, words that join them and mathematics within lines, up to the next head or the
next prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from zermelo.languages.led.read.lexer import RESERVED
from zermelo.languages.led.read.printed import pieces as reading
from zermelo.languages.led.read.printed.layout import Stretch, StretchKind
from zermelo.languages.led.read.printed.pieces import PieceKind, PrintedPiece
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import Source, Span


@dataclass(frozen=True, slots=True)
class Formula:
    """A definition as it is printed."""

    pieces: tuple[PrintedPiece, ...]
    number: int | None = None
    number_span: Span | None = None

    @property
    def name(self) -> str:
        return self.pieces[0].text

    @property
    def span(self) -> Span:
        return self.pieces[0].span.to(self.pieces[-1].span)


Part: TypeAlias = Formula | Stretch


@dataclass(slots=True)
class PrintedParts:
    """The parts of a document in order: formulas, prose and sessions."""

    parts: list[Part] = field(default_factory=list)
    said: list[Diagnostic] = field(default_factory=list)
    has_numbers_first: bool = False
    """Whether numbers stand before their formulas."""


_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")
_GOES_ON: Final = frozenset(
    {
        *("where", "iff", "if", "otherwise", ";", "&", "V", "U", "sec", "=>", "<=>", "+", "-"),
        *("*", "/", "mod", "=", "/=", "<", ">", "<=", ">=", "in", "sub", ":=", "\\", ",", "."),
    }
)
_HEAD: Final = re.compile(
    r"([^\W\d_]\w*)\s*(?:\\left)?\s*(?:\([^()]{0,80}\))?\s*(?:\\quad|\\ |\s)*:="
)


def formulas(source: Source, stretches: Sequence[Stretch]) -> PrintedParts:
    """The formulas of *stretches*, with what stands between them."""
    known = frozenset(found[1] for found in _HEAD.finditer(source.text))
    result = PrintedParts()
    group: list[tuple[Stretch, tuple[PrintedPiece, ...]]] = []
    numbers = _FormulaNumbers()
    read = [_read(source, each, known, result.said) for each in stretches]
    words = frozenset(
        piece.text for pieces in read for piece in pieces if piece.kind is PieceKind.WORD
    )
    result.has_numbers_first = _is_number_first(stretches, read)
    for stretch, pieces in zip(stretches, read, strict=True):
        if stretch.what in {StretchKind.PROSE, StretchKind.SESSION}:
            _close(group, result)
            result.parts.append(stretch)
        else:
            whole = _whole_names(pieces, words, result.said)
            group.append((stretch, numbers.found(stretch, whole)))
    _close(group, result)
    return result


def _read(
    source: Source, stretch: Stretch, known: frozenset[str], said: list[Diagnostic]
) -> tuple[PrintedPiece, ...]:
    if stretch.what in {StretchKind.PROSE, StretchKind.SESSION}:
        return ()
    is_latex = stretch.what is not StretchKind.PLAIN
    read = reading.read(source, stretch.span, known=known, is_latex=is_latex)
    said.extend(read.said)
    return read.pieces


def _is_number_first(stretches: Sequence[Stretch], read: Sequence[Sequence[PrintedPiece]]) -> bool:
    """Whether the first number stands before the first formula."""
    for stretch, pieces in zip(stretches, read, strict=True):
        texts = [piece.text for piece in pieces]
        if stretch.what is StretchKind.GLUE and texts[:1] == ["("] and texts[2:3] == [")"]:
            return True
        if ":=" in texts or "iff" in texts:
            return False
    return False


def _whole_names(
    pieces: Sequence[PrintedPiece], words: frozenset[str], said: list[Diagnostic]
) -> tuple[PrintedPiece, ...]:
    """*pieces* with names that print has split put together: two names never stand side by side."""
    result: list[PrintedPiece] = []
    for piece in pieces:
        parts = _split_name(result, piece, words)
        if not parts:
            result.append(piece)
            continue
        del result[len(result) - len(parts) + 1 :]
        joined = "".join(part.text for part in parts)
        span = parts[0].span.to(piece.span)
        said.append(_split(joined, span))
        result.append(replace(parts[0], text=joined, span=span))
    return tuple(result)


def _split_name(
    before: Sequence[PrintedPiece], piece: PrintedPiece, words: frozenset[str]
) -> tuple[PrintedPiece, ...]:
    """The longest run of names up to *piece* that is one word elsewhere."""
    if not _is_name(piece):
        return ()
    run = _run(before)
    for start in range(len(run)):
        parts = (*run[start:], piece)
        if "".join(part.text for part in parts) in words:
            return parts
    return ()


def _run(pieces: Sequence[PrintedPiece]) -> Sequence[PrintedPiece]:
    """The names side by side at the end of *pieces*, at most four."""
    count = 0
    while count < min(4, len(pieces)) and _is_name(pieces[-1 - count]):
        count += 1
    return pieces[len(pieces) - count :]


def _split(joined: str, span: Span) -> Diagnostic:
    return Diagnostic(
        codes.SPLIT_WORD,
        f"the name `{joined}` is split here",
        primary=Label(span, f"taken as `{joined}`"),
        notes=(f"`{joined}` is written as one word elsewhere",),
    )


def _is_name(piece: PrintedPiece) -> bool:
    return piece.kind is PieceKind.WORD and piece.text not in RESERVED


class _FormulaNumbers:
    """The numbers of formulas seen so far."""

    def __init__(self) -> None:
        self._last = 0

    def found(self, stretch: Stretch, pieces: tuple[PrintedPiece, ...]) -> tuple[PrintedPiece, ...]:
        """*pieces* with a number in brackets at the end as a number of a formula."""
        result: list[PrintedPiece] = []
        for piece in pieces:
            result.append(piece)
            if self._is_number(stretch, result, len(pieces)):
                opening, digits, closing = result[-3:]
                span = opening.span.to(closing.span)
                result[-3:] = [replace(digits, kind=PieceKind.TAG, span=span)]
            if result[-1].kind is PieceKind.TAG:
                self._last = int(result[-1].text)
        return tuple(result)

    def _is_number(self, stretch: Stretch, pieces: Sequence[PrintedPiece], count: int) -> bool:
        """Whether ``(n)`` at the end of *pieces* numbers a formula and is no argument."""
        if len(pieces) < 3 or [pieces[-3].text, pieces[-1].text] != ["(", ")"]:
            return False
        digits = pieces[-2]
        if (
            digits.kind is not PieceKind.NUMERAL
            or not digits.text.isdigit()
            or len(digits.text) > 5
        ):
            return False
        if stretch.what is StretchKind.GLUE or len(pieces) == count == 3:
            return True
        before = pieces[-4] if len(pieces) > 3 else None
        if len(pieces) != count or before is None or before.text in _GOES_ON:
            return False
        is_next = self._last < int(digits.text) <= self._last + 3
        return is_next and pieces[-3].is_after_blank


def _close(group: list[tuple[Stretch, tuple[PrintedPiece, ...]]], result: PrintedParts) -> None:
    """Make formulas of *group*, and empty it."""
    current: list[PrintedPiece] = []
    above: int | None = None
    number: list[PrintedPiece] = []
    for stretch, printed in group:
        pieces = _defining(printed, stretch)
        starts = _starts(pieces)
        if result.has_numbers_first and pieces and all(p.kind is PieceKind.TAG for p in pieces):
            _flush(current, result, number)
            number.extend(pieces)
            continue
        if starts[:1] == (0,):
            _flush(current, result, number)
        if not current and not starts:
            above = _above(pieces, result) if above is None else above
            if above is not None:
                _attach(pieces, result, above)
                continue
        above = None
        if starts or _goes_on(current, pieces):
            current.extend(pieces)
        elif stretch.what is not StretchKind.GLUE and any(
            p.kind is not PieceKind.TAG for p in pieces
        ):
            _flush(current, result, number)
            result.said.extend(_stray(stretch))
            result.parts.append(Stretch(StretchKind.PROSE, stretch.span))
        else:
            current.extend(piece for piece in pieces if piece.kind is PieceKind.TAG)
    _flush(current, result, number)
    group.clear()


def _defining(pieces: tuple[PrintedPiece, ...], stretch: Stretch) -> tuple[PrintedPiece, ...]:
    """*pieces* in which ⇔ or ≡ behind a head, or between displays, defines."""
    if stretch.what is StretchKind.GLUE:
        signs = [0]
    else:
        heads = [0, *(at + 1 for at, piece in enumerate(pieces) if piece.kind is PieceKind.TAG)]
        signs = [at for at in (_behind_head(pieces, head) for head in heads) if at is not None]
    return tuple(
        replace(piece, kind=PieceKind.WORD, text="iff")
        if piece.text == "<=>" and at in signs
        else piece
        for at, piece in enumerate(pieces)
    )


def _behind_head(pieces: Sequence[PrintedPiece], at: int) -> int | None:
    """Where the sign stands that defines, if a head is at *at*: a name, or with parameters."""
    if at >= len(pieces) or not _is_name(pieces[at]):
        return None
    at += 1
    if at < len(pieces) and pieces[at].text == "(":
        at += 1
        while at < len(pieces) and (_is_name(pieces[at]) or pieces[at].text == ","):
            at += 1
        if at >= len(pieces) or pieces[at].text != ")":
            return None
        at += 1
    return at


def _starts(pieces: Sequence[PrintedPiece]) -> tuple[int, ...]:
    """Where definitions begin in *pieces*, outside all brackets."""
    result: list[int] = []
    depth = 0
    for at, piece in enumerate(pieces):
        if piece.kind is PieceKind.SIGN and piece.text in _OPENING:
            depth += 1
        elif piece.kind is PieceKind.SIGN and piece.text in _CLOSING:
            depth = max(depth - 1, 0)
        behind = _behind_head(pieces, at) if depth == 0 else None
        if behind is not None and behind < len(pieces) and pieces[behind].text in {":=", "iff"}:
            result.append(at)
    return tuple(result)


def _goes_on(current: Sequence[PrintedPiece], pieces: Sequence[PrintedPiece]) -> bool:
    """Whether *pieces* belong to the formula that is being read."""
    told = [piece for piece in current if piece.kind is not PieceKind.TAG]
    if not pieces:
        return False
    if not told:
        return _behind_head(pieces, 0) == len(pieces)
    return (
        pieces[0].text in _GOES_ON
        or told[-1].text in _GOES_ON
        or all(piece.kind is PieceKind.TAG for piece in pieces)
        or _depth(told) > 0
        or _behind_head(pieces, 0) == len(pieces)
    )


def _depth(pieces: Sequence[PrintedPiece]) -> int:
    opened = sum(p.kind is PieceKind.SIGN and p.text in _OPENING for p in pieces)
    return opened - sum(p.kind is PieceKind.SIGN and p.text in _CLOSING for p in pieces)


def _above(pieces: Sequence[PrintedPiece], result: PrintedParts) -> int | None:
    """The formula that *pieces* belong to, if they are a ``where`` that prose stands before."""
    if not pieces or pieces[0].text != "where":
        return None
    for at in range(len(result.parts) - 1, -1, -1):
        part = result.parts[at]
        if isinstance(part, Formula):
            return None if any(piece.text == "where" for piece in part.pieces) else at
    return None


def _attach(pieces: Sequence[PrintedPiece], result: PrintedParts, above: int) -> None:
    """Put *pieces* behind the formula *above*."""
    part = result.parts[above]
    assert isinstance(part, Formula)  # it was looked for
    told = (piece for piece in pieces if piece.kind is not PieceKind.TAG)
    result.parts[above] = replace(part, pieces=(*part.pieces, *told))


def _flush(current: list[PrintedPiece], result: PrintedParts, number: list[PrintedPiece]) -> None:
    """Make formulas of the pieces read so far; *number* stood before them."""
    if not current:
        return
    current.extend(number)
    number.clear()
    starts = _starts(current)
    if not starts:
        _headless(current, result)
        current.clear()
        return
    for start, end in zip(starts, (*starts[1:], len(current)), strict=True):
        own = current[start:end]
        tags = [piece for piece in own if piece.kind is PieceKind.TAG]
        told = tuple(piece for piece in own if piece.kind is not PieceKind.TAG)
        tag = tags[0] if tags else None
        formula = Formula(told, int(tag.text) if tag else None, tag.span if tag else None)
        result.parts.append(formula)
    current.clear()


def _headless(current: Sequence[PrintedPiece], result: PrintedParts) -> None:
    """A number that stands alone belongs to the formula above; anything else is said."""
    tags = [piece for piece in current if piece.kind is PieceKind.TAG]
    last = next((at for at in range(len(result.parts) - 1, -1, -1)), None)
    part = result.parts[last] if last is not None else None
    if tags and last is not None and isinstance(part, Formula) and part.number is None:
        result.parts[last] = replace(part, number=int(tags[0].text), number_span=tags[0].span)
    told = [piece for piece in current if piece.kind is not PieceKind.TAG]
    if told:
        span = told[0].span.to(told[-1].span)
        result.said.extend(_stray(Stretch(StretchKind.DISPLAY, span)))


def _stray(stretch: Stretch) -> Iterator[Diagnostic]:
    if stretch.what in {StretchKind.DISPLAY, StretchKind.PLAIN}:
        yield Diagnostic(
            codes.FORMULA_IN_PROSE,
            "this formula defines nothing",
            primary=Label(stretch.span, "taken as prose"),
            help="a definition is a head, `:=` or `iff`, and a body",
        )
