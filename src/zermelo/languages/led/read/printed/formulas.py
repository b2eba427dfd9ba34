"""From stretches of a printed document to its formulas, each with its number.

A formula is one definition: it begins with a head and ``:=`` or *iff*, and goes on over
displays, words that join them and mathematics within lines, up to the next head or the
next prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, takewhile
from typing import Final, TypeAlias

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


_WORDS: Final = frozenset({StretchKind.PROSE, StretchKind.SESSION})
_GOES_ON: Final = frozenset(
    {
        *("where", "iff", "if", "otherwise", ";", "&", "V", "U", "sec", "=>", "<=>", "+", "-"),
        *("*", "/", "mod", "=", "/=", "<", ">", "<=", ">=", "in", "sub", ":=", "\\", ",", "."),
    }
)
_HEAD: Final = re.compile(
    r"(?<!\w)[\d_]*+([^\W\d_]\w*+)\s*+(?:\\left\s*+)?(?:\([^()]{0,80}+\))?(?:\\quad|\\ |\s)*+:="
)


def formulas(source: Source, stretches: Sequence[Stretch]) -> PrintedParts:
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
        if stretch.what in _WORDS:
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
    if stretch.what in _WORDS:
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
    """The longest run of up to five names that ends with *piece* and is one word elsewhere."""
    if not piece.is_name:
        return ()
    run = list(takewhile(lambda each: each.is_name, before[:-5:-1]))
    for count in range(len(run), 0, -1):
        parts = (*reversed(run[:count]), piece)
        if "".join(part.text for part in parts) in words:
            return parts
    return ()


def _split(joined: str, span: Span) -> Diagnostic:
    return Diagnostic(
        codes.SPLIT_WORD,
        f"the name `{joined}` is split here",
        primary=Label(span, f"taken as `{joined}`"),
        notes=(f"`{joined}` is written as one word elsewhere",),
    )


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
        is_numeral = digits.kind is PieceKind.NUMERAL and digits.text.isdigit()
        if not is_numeral or len(digits.text) > 5:
            return False
        if stretch.what is StretchKind.GLUE or len(pieces) == count == 3:
            return True
        before = pieces[-4] if len(pieces) > 3 else None
        if len(pieces) != count or before is None or before.text in _GOES_ON:
            return False
        is_next = self._last < int(digits.text) <= self._last + 3
        return is_next and pieces[-3].is_after_blank


def _close(group: list[tuple[Stretch, tuple[PrintedPiece, ...]]], result: PrintedParts) -> None:
    current: list[PrintedPiece] = []
    above: int | None = None
    number: list[PrintedPiece] = []
    for stretch, printed in group:
        pieces = _defining(printed, stretch)
        starts = _starts(pieces)
        if result.has_numbers_first and pieces and not _without_tags(pieces):
            _flush(current, result, number)
            number.extend(pieces)
            continue
        if starts[:1] == (0,):
            _flush(current, result, number)
        if not current and not starts:
            above = _above(pieces, result) if above is None else above
            if above is not None:
                part = result.parts[above]
                assert isinstance(part, Formula)  # it was looked for
                told = (*part.pieces, *_without_tags(pieces))
                result.parts[above] = replace(part, pieces=told)
                continue
        above = None
        if starts or _goes_on(current, pieces):
            current.extend(pieces)
        elif stretch.what is not StretchKind.GLUE and _without_tags(pieces):
            _flush(current, result, number)
            result.said.extend(_stray(stretch))
            result.parts.append(Stretch(StretchKind.PROSE, stretch.span))
        else:
            current.extend(_tags(pieces))
    _flush(current, result, number)
    group.clear()


def _tags(pieces: Iterable[PrintedPiece]) -> list[PrintedPiece]:
    return [piece for piece in pieces if piece.kind is PieceKind.TAG]


def _without_tags(pieces: Iterable[PrintedPiece]) -> list[PrintedPiece]:
    return [piece for piece in pieces if piece.kind is not PieceKind.TAG]


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
    if at >= len(pieces) or not pieces[at].is_name:
        return None
    at += 1
    if at < len(pieces) and pieces[at].text == "(":
        at += 1
        while at < len(pieces) and (pieces[at].is_name or pieces[at].text == ","):
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
        depth = max(depth + piece.nesting, 0)
        behind = _behind_head(pieces, at) if depth == 0 else None
        if behind is not None and behind < len(pieces) and pieces[behind].text in {":=", "iff"}:
            result.append(at)
    return tuple(result)


def _goes_on(current: Sequence[PrintedPiece], pieces: Sequence[PrintedPiece]) -> bool:
    if not pieces:
        return False
    if _behind_head(pieces, 0) == len(pieces):
        return True
    told = _without_tags(current)
    return bool(told) and (
        pieces[0].text in _GOES_ON
        or told[-1].text in _GOES_ON
        or not _without_tags(pieces)
        or sum(piece.nesting for piece in told) > 0
    )


def _above(pieces: Sequence[PrintedPiece], result: PrintedParts) -> int | None:
    """The formula that *pieces* belong to, if they are a ``where`` that prose stands before."""
    if not pieces or pieces[0].text != "where":
        return None
    for at, part in reversed(list(enumerate(result.parts))):
        if isinstance(part, Formula):
            return None if any(piece.text == "where" for piece in part.pieces) else at
    return None


def _flush(current: list[PrintedPiece], result: PrintedParts, number: list[PrintedPiece]) -> None:
    """Make formulas of the pieces read so far; *number* stood before them."""
    if not current:
        return
    current.extend(number)
    number.clear()
    starts = _starts(current)
    if not starts:
        _headless(current, result)
    for start, end in pairwise((*starts, len(current))):
        own = current[start:end]
        tag = next(iter(_tags(own)), None)
        number_, span = (int(tag.text), tag.span) if tag else (None, None)
        result.parts.append(Formula(tuple(_without_tags(own)), number_, span))
    current.clear()


def _headless(current: Sequence[PrintedPiece], result: PrintedParts) -> None:
    """A number that stands alone belongs to the formula above; anything else is said."""
    tags, told = _tags(current), _without_tags(current)
    part = result.parts[-1] if result.parts else None
    if tags and isinstance(part, Formula) and part.number is None:
        result.parts[-1] = replace(part, number=int(tags[0].text), number_span=tags[0].span)
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
