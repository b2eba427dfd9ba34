"""One broken line never switches a document off, and nothing is dropped in silence.

Every line of every document with sections is deleted, cut in half, doubled and misspelt, one at
a time; what is left must still be a system, and say everything that it is without.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from zermelo.core.language import Request
from zermelo.languages.sections import language
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.language import SystemDraft
from zermelo.languages.sections.read import document as reader
from zermelo.languages.sections.read.grammar import traversal, tree
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.lines import is_table_rule, lines
from zermelo.text.source import Source, Span

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    path
    for folder in ("games/four-quadrants", "games/pawns", "games/pegs", "games/tic-tac-toe")
    for path in (ROOT / folder).glob("*.md")
    if path.stem == path.parent.name
) + sorted(
    path for path in (ROOT / "tests/documents").iterdir() if path.suffix in {".md", ".txt", ".tex"}
)
_LAYOUT = re.compile(r"\\(?:begin|end|section|subsection)\{[^}]*\}")
SAMPLED = 4
"""How many broken lines of each document are tried in every run."""


@dataclass(frozen=True)
class Fault:
    """A document with one line broken."""

    how: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line} {self.how}"


def faults(text: str) -> Iterator[Fault]:
    lines = text.splitlines(keepends=True)
    first = next((at for at, line in enumerate(lines) if "Sets" in line), 0)
    for at, line in enumerate(lines):
        if at <= first or not line.strip():
            continue
        for how, broken in _broken(line):
            yield Fault(how, at + 1, "".join((*lines[:at], broken, *lines[at + 1 :])))


def _broken(line: str) -> Iterator[tuple[str, str]]:
    margin = len(line) - len(line.lstrip())
    yield "deleted", ""
    yield "cut in half", line[: margin + max(1, len(line.strip()) // 2)] + "\n"
    yield "doubled", line + line
    names = list(re.finditer(r"[A-Za-z]{2,}", line))
    if names:
        middle = names[len(names) // 2]
        yield "misspelt", line[: middle.end()] + "qx" + line[middle.end() :]


def complaints(text: str) -> list[str]:
    """What is wrong with how the document *text* is understood."""
    source = Source("document.md", text)
    parsed = reader.parse(source)
    if parsed.value is None:
        return [] if parsed.diagnostics else ["it is no document, and nothing says why"]
    understood = language.read(source, Request({}, as_written=False))
    draft = understood.draft
    if not isinstance(draft, SystemDraft) or draft.first.value is None:
        return ["there is no system"]
    said = (*draft.said, *draft.first.diagnostics)
    system = draft.first.value
    return [
        *_without_moves(system, said),
        *_lines_in_silence(parsed.value, system, source, said),
        *_parts_in_silence(system, said),
        *_said_twice(source, said),
    ]


def _without_moves(system: System, said: tuple[Diagnostic, ...]) -> Iterator[str]:
    if not system.moves and not any(each.is_error for each in said):
        yield "there is no move, and no error says why"


def _lines_in_silence(
    document: tree.SectionsDocument, system: System, source: Source, said: tuple[Diagnostic, ...]
) -> Iterator[str]:
    """Lines that are part of nothing, and lines that were not read without a word."""
    listed = {line for each in said for note in each.notes for line in _lines_in(note)}
    spans: list[Span] = []
    for section in document.sections:
        spans.append(source.line_span(source.line_of(section.span.start)))
        for item in section.items:
            inner = traversal.statements(item.body) if isinstance(item, tree.Procedure) else ()
            spans += [item.span, *(each.span for each in inner)]
            for each in (item, *inner):
                line = source.line_of(each.span.start)
                is_said = line in listed or any(_is_about(one, each.span) for one in said)
                if isinstance(each, tree.Unparsed) and not is_said:
                    yield f"nothing is said of `{each.text}`"
    used = {
        number
        for span in spans
        for number in range(source.line_of(span.start), source.line_of(span.end) + 1)
    }
    used |= {number for number, _ in system.sentences}
    used |= set(reader.heading_lines(source, lines(source)))
    first = source.line_of(document.sections[0].span.start)
    for number in range(first, text_lines(source) + 1):
        words = _LAYOUT.sub("", source.line(number)).strip(" \t$\\[]`#\n")
        if words and number not in used and not _is_head_or_rule(source, number):
            yield f"nothing is made of line {number}: {source.line(number).strip()}"


def _is_head_or_rule(source: Source, number: int) -> bool:
    """Whether a line is the header of a table, or the rule below it or below a heading."""
    below = source.line(number + 1) if number < source.line_count else ""
    is_rule = set(source.line(number).strip()) in ({"-"}, {"="})
    return is_rule or is_table_rule(source.line(number)) or is_table_rule(below)


def _lines_in(note: str) -> Iterator[int]:
    """The numbers of the lines that *note* lists."""
    for first, last in re.findall(r"lines? (\d+)(?: to (\d+))?", note):
        yield from range(int(first), int(last or first) + 1)


def text_lines(source: Source) -> int:
    return source.line_of(len(source.text))


def _is_about(said: Diagnostic, span: Span) -> bool:
    labels = [label for label in (said.primary, *said.secondary) if label is not None]
    return any(span.covers(label.span) or label.span.covers(span) for label in labels)


def _parts_in_silence(system: System, said: tuple[Diagnostic, ...]) -> Iterator[str]:
    notes = [note for each in said for note in each.notes]
    lines = {line for note in notes for line in _lines_in(note)}
    for part in system.left_out:
        is_listed = any(part.what in note or note.endswith(" more") for note in notes)
        own = set(_lines_in(part.what))
        is_listed = is_listed or bool(own and own <= lines)
        if not is_listed:
            yield f"{part.what} is left out in silence"


def _said_twice(source: Source, said: tuple[Diagnostic, ...]) -> Iterator[str]:
    """Places of which two errors tell: one of them is a consequence."""
    places: dict[Span, Diagnostic] = {}
    for each in dict.fromkeys(said):
        if not each.is_error or each.primary is None:
            continue
        other = places.setdefault(each.primary.span, each)
        if other is not each:
            line = source.line_of(each.primary.span.start)
            yield f"line {line}: {other.code.id} {other.message} / {each.code.id} {each.message}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_a_broken_line_is_said_and_the_rest_is_a_system(path: Path) -> None:
    every = list(faults(path.read_text(encoding="utf-8")))
    chosen = random.Random(path.name).sample(every, min(SAMPLED, len(every)))

    found = {str(fault): complaints(fault.text) for fault in chosen}

    assert {fault: said for fault, said in found.items() if said} == {}


@pytest.mark.long
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_broken_line_is_said_and_the_rest_is_a_system(path: Path) -> None:
    every = faults(path.read_text(encoding="utf-8"))

    found = {str(fault): complaints(fault.text) for fault in every}

    assert {fault: said for fault, said in found.items() if said} == {}
