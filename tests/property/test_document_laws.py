"""Laws of whole documents: what is printed reads back, and no text raises."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.support.document_strategies import DOCUMENTS
from tests.support.project import TESTS
from tests.support.strategies import TEXTS
from zermelo.api.languages import row_of
from zermelo.languages.sections.read.document import parse
from zermelo.languages.sections.read.grammar.document_printer import to_text
from zermelo.languages.sections.read.grammar.tree import SectionsDocument
from zermelo.text.codes import Severity
from zermelo.text.decoding import accept, decode
from zermelo.text.diagnostic import apply_fixes
from zermelo.text.headings import SectionKind
from zermelo.text.render import as_json, full, one_line
from zermelo.text.source import Notation, Source

PATHS = sorted(
    path for path in (TESTS / "documents").iterdir() if path.suffix in {".md", ".txt", ".tex"}
)
WRITTEN = [path.read_text(encoding="utf-8") for path in PATHS]
NOTATIONS = st.sampled_from(Notation)
HEADINGS = st.sampled_from([f"\n{kind.value}\n" for kind in SectionKind] + ["\nMove(p ∈ P)\n"])


UNHURRIED = settings(deadline=None)
"""A deadline would measure how busy the machine is."""


def read(text: str) -> SectionsDocument:
    found = parse(Source("<law>", text), as_written=True)
    assert found.value is not None
    return found.value


@UNHURRIED
@given(DOCUMENTS, NOTATIONS)
def test_a_document_that_was_printed_reads_back(
    document: SectionsDocument, notation: Notation
) -> None:
    assert read(to_text(document, notation)) == document


@UNHURRIED
@given(DOCUMENTS, NOTATIONS)
def test_formatting_twice_is_formatting_once(
    document: SectionsDocument, notation: Notation
) -> None:
    once = to_text(document, notation)

    assert to_text(read(once), notation) == once


@UNHURRIED
@given(DOCUMENTS)
def test_a_document_that_was_printed_has_no_faults_of_form(document: SectionsDocument) -> None:
    found = parse(Source("<law>", to_text(document)), as_written=True)

    assert [each.message for each in found.diagnostics if each.is_error] == []


@pytest.mark.parametrize("path", PATHS, ids=[path.name for path in PATHS])
@pytest.mark.parametrize("notation", Notation, ids=lambda notation: notation.value)
def test_what_people_wrote_reads_back_in_every_notation(path: Path, notation: Notation) -> None:
    document = read(path.read_text(encoding="utf-8"))

    printed = to_text(document, notation)

    assert read(printed) == document
    assert to_text(read(printed), notation) == printed


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A document with a few places cut out, doubled or filled with signs."""
    text = draw(st.sampled_from(WRITTEN))
    for _ in range(draw(st.integers(1, 5))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 40)))
        text = text[:start] + draw(TEXTS | st.just(text[start:end] * 2)) + text[end:]
    return text


@UNHURRIED
@given(st.lists(TEXTS | HEADINGS, max_size=12).map("\n".join) | damaged())
@example("System Facts\n" + "(" * 500)
@example("Applicable Sets\n" + "|" * 300)
def test_no_text_raises_and_everything_said_has_a_place_in_it(text: str) -> None:
    accepted = accept(text, "<law>").value
    if accepted is None:
        return
    row_of(accepted)

    found = parse(accepted)

    assert found.value is not None or any(each.is_error for each in found.diagnostics)
    for each in found.diagnostics:
        labels = [*([each.primary] if each.primary else []), *each.secondary]
        assert all(0 <= label.span.start <= label.span.end <= len(text) for label in labels)
        one_line(each, accepted)
        as_json(each, accepted)
    full(found.diagnostics, accepted)
    apply_fixes(accepted, found.diagnostics)


@UNHURRIED
@given(st.binary(max_size=200))
def test_no_bytes_raise(data: bytes) -> None:
    found = decode(data, "<law>")

    has_error = any(each.code.severity is Severity.ERROR for each in found.diagnostics)
    assert (found.value is None) == has_error


@UNHURRIED
@given(damaged())
def test_every_item_lies_within_its_section(text: str) -> None:
    found = parse(Source("<law>", text)).value
    for section in found.sections if found else ():
        assert all(section.span.covers(item.span) for item in section.items)
