"""LED programs as people write them: prose, and code between ``/$`` and ``$/``.

The prose is kept as it stands, with the lines of an interpreter's session that it shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from zermelo.languages.led.read import parser, printed
from zermelo.languages.led.read.printed.layout import transcript_entries
from zermelo.languages.led.read.tree import Definition, LiterateProgram, Part, Prose
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.headings import SectionKind, heading
from zermelo.text.lines import Setting, lines, setting
from zermelo.text.render import in_order
from zermelo.text.source import Source, Span

OPENING: Final = "/$"
CLOSING: Final = "$/"
MOST_SAID: Final = 200
"""How many things are said about the text of one program."""

_DISPLAY: Final = re.compile(
    r"\$\$|\\\[|\\tag\b|\\begin\s*\{(?:equation|align|gather|display|cases)"
)
_NUMBER_AT_END: Final = re.compile(r"\(\d{1,3}\)[ \t]*$")
_DEFINES: Final = re.compile(r":=|≔|≡|\biff\b")


def parse(source: Source, *, as_written: bool = False) -> Checked[LiterateProgram]:
    """The program that *source* is, in source form or as it is printed.

    *as_written* leaves printed formulas as they stand, damage included.
    """
    if OPENING in source.text:
        return _limited(_literate(source))
    if not is_printed(source.text):
        return _limited(_bare(source))
    read = printed.parse(source, as_written=as_written)
    if read.value is None:
        return read
    said = list(read.diagnostics)
    program = replace(read.value, readings=_readings(source, (), said))
    return Checked(program, tuple(in_order(said)))


def is_printed(text: str) -> bool:
    """Whether *text* shows its definitions as formulas, with numbers or in LaTeX.

    >>> is_printed("$$fontSize := 36 (17)$$"), is_printed("fontSize := 36")
    (True, False)
    """
    if not _DEFINES.search(text) or OPENING in text:
        return False
    return bool(_DISPLAY.search(text)) or _numbered(text) > 1


def _numbered(text: str) -> int:
    """How many lines of *text* define something and end with a number in brackets."""
    numbers = ((line, _NUMBER_AT_END.search(line[-_LONGEST_END:])) for line in text.split("\n"))
    ends = ((line, len(line[:-_LONGEST_END]) + found.start()) for line, found in numbers if found)
    return sum(1 for line, end in ends if _DEFINES.search(line, 0, end))


_LONGEST_END: Final = 1_000


def _limited(checked: Checked[LiterateProgram]) -> Checked[LiterateProgram]:
    said = checked.diagnostics
    if len(said) <= MOST_SAID:
        return checked
    last = replace(
        said[MOST_SAID - 1],
        notes=(f"{len(said) - MOST_SAID:,} more things to say about this program are left out",),
    )
    return Checked(checked.value, (*said[: MOST_SAID - 1], last))


# Source form


@dataclass(frozen=True, slots=True)
class CodeRegion:
    """A stretch of code, with its marks."""

    span: Span
    code: Span


def _literate(source: Source) -> Checked[LiterateProgram]:
    regions, said = code_regions(source)
    code = "\n".join(source.slice(each.code) for each in regions)
    defined = parser.names_in(code)
    parts: list[Part] = []
    at = 0
    for region in regions:
        parts += _prose(source, Span(at, region.span.start), said)
        read = parser.definitions(source, region.code, defined=defined)
        parts += read.value or ()
        said += read.diagnostics
        at = region.span.end
    parts += _prose(source, Span(at, len(source.text)), said)
    document = LiterateProgram(
        tuple(parts),
        readings=_readings(source, regions, said),
        damaged=_damaged(code, parts),
    )
    if all(isinstance(part, Prose) for part in parts) and not said:
        said.append(_no_code())
    return Checked(document, tuple(in_order(said)))


def _damaged(code: str, parts: Sequence[Part]) -> frozenset[str]:
    return parser.heads_in(code) - {part.name for part in parts if isinstance(part, Definition)}


def code_regions(source: Source) -> tuple[list[CodeRegion], list[Diagnostic]]:
    """The stretches of code; one that is not closed ends at the next one, or with the text."""
    found: list[CodeRegion] = []
    said: list[Diagnostic] = []
    text = source.text
    at = text.find(OPENING)
    while at >= 0:
        closing = text.find(CLOSING, at + 2)
        again = len(text) if closing < 0 else _opened_again(text, at + 2, closing)
        if again >= 0:
            said.append(_not_closed(source, at))
            found.append(CodeRegion(Span(at, again), Span(at + 2, again)))
        else:
            found.append(CodeRegion(Span(at, closing + 2), Span(at + 2, closing)))
        at = text.find(OPENING, found[-1].span.end)
    return found, said


def _opened_again(text: str, start: int, end: int) -> int:
    """Where code begins once more between *start* and *end*, outside of strings; -1: nowhere."""
    at = text.find(OPENING, start, end)
    while at >= 0 and text.count('"', start, at) % 2:
        at = text.find(OPENING, at + 2, end)
    return at


def _not_closed(source: Source, at: int) -> Diagnostic:
    return Diagnostic(
        codes.REGION_NOT_CLOSED,
        f"the code that begins on line {source.line_of(at)} is not closed",
        Label(Span(at, at + 2), "code begins here"),
        help="put `$/` where the code ends; `/$` begins code wherever it stands, in prose too",
    )


def _no_code() -> Diagnostic:
    return Diagnostic(
        codes.NO_CODE,
        "this program has no definitions",
        help="write them between `/$` and `$/`, as in `/$ initialState := {} $/`",
    )


def _prose(source: Source, span: Span, said: list[Diagnostic]) -> Iterator[Part]:
    if span.start >= span.end:
        return
    shown = transcript_entries(source, span) if "cmd:>" in source.slice(span) else Checked(())
    said += shown.diagnostics
    at = span.start
    for each in (*(shown.value or ()), None):
        words = Span(at, span.end if each is None else each.span.start)
        if words.start < words.end:
            yield Prose(source.slice(words), span=words)
        if each is not None:
            yield each
            at = each.span.end


def _bare(source: Source) -> Checked[LiterateProgram]:
    """A text without marks, taken as code from beginning to end."""
    if not _DEFINES.search(source.text):
        return Checked(None, (_no_code(),))
    read = parser.definitions(source, Span(0, len(source.text)))
    parts = read.value or ()
    note = Diagnostic(
        codes.CODE_WITHOUT_MARKS,
        "there is no `/$` in this program, so all of it is taken as code",
        Label(parts[0].span, "the first definition") if parts else None,
        help="put the code between `/$` and `$/`; what stands outside is prose",
    )
    document = LiterateProgram(parts, damaged=_damaged(source.text, parts))
    return Checked(document, tuple(in_order((note, *read.diagnostics))))


# Readings


def _readings(
    source: Source, regions: Sequence[CodeRegion], said: list[Diagnostic]
) -> tuple[Setting, ...]:
    """What the sections called Reading decide: lines ``name: choice`` below the heading."""
    numbers = set(_reading_lines(source, regions))
    if not numbers:
        return ()
    found: list[Setting] = []
    for line in lines(source):
        if line.number in numbers and not line.is_empty:
            each = setting(source, line, SectionKind.READING)
            if isinstance(each, Diagnostic):
                said.append(each)
            else:
                found.append(each)
    return tuple(found)


_SETTING: Final = re.compile(
    r"\s*(?:[-*•]\s+|\\item\s+)?[`*]*[A-Za-z][\w ,()]*+(?:[\"“][^\"“”]*+[\"”])?[`*]*+\s*+:"
)


def _reading_lines(source: Source, regions: Sequence[CodeRegion]) -> Iterator[int]:
    """The numbers of the lines below a heading Reading, up to the first that is no setting."""
    in_code = {
        number
        for region in regions
        for number in range(source.line_of(region.span.start), source.line_of(region.span.end) + 1)
    }
    is_inside = False
    for number in range(1, source.line_count + 1):
        text = source.line(number)
        if number in in_code:
            is_inside = False
            continue
        kind = heading(text)
        if kind is not None:
            is_inside = kind.kind is SectionKind.READING
        elif is_inside and _SETTING.match(text):
            yield number
        elif is_inside and text.strip() and not text.lstrip().startswith(("\\", "%")):
            is_inside = False
