"""The parts of the documentation that a tool writes are what it would write now."""

from pathlib import Path

import pytest

from tests.support.project import DOCS, place
from tools import pages, symbols_reference
from zermelo.core.limits import CHECK_LIMITS
from zermelo.languages.sections.read import document
from zermelo.languages.sections.read.grammar import cursor
from zermelo.languages.sections.run import operators, procedures, sets
from zermelo.play import notation, session
from zermelo.text import decoding

WRITTEN = list(pages.pages())


def current(path: Path, text: str, *, update: bool) -> None:
    """Compare the file at *path* with *text*, or with *update* write it."""
    if update:
        path.write_text(text, encoding="utf-8")
    assert path.read_text("utf-8") == text, (
        f"{place(path)} is not current; `pytest tests/documentation --update-golden` writes it"
    )


@pytest.mark.parametrize(("path", "text"), WRITTEN, ids=[place(path) for path, _ in WRITTEN])
def test_a_diagnostic_page_shows_its_golden_case(
    path: Path, text: str, *, update_golden: bool
) -> None:
    current(path, text, update=update_golden)


def test_the_symbols_page_has_the_tables_of_the_program(*, update_golden: bool) -> None:
    page = symbols_reference.PAGE

    current(page, symbols_reference.page(page.read_text("utf-8")), update=update_golden)


def test_the_limits_page_has_the_limits_of_the_program() -> None:
    text = (DOCS / "reference" / "language" / "limits.md").read_text("utf-8")
    numbers = (
        decoding.MOST_BYTES,
        decoding.MOST_LINES,
        cursor.NESTING,
        document.MOST_ERRATA,
        sets.LIST_LIMIT,
        operators.DEPTH_LIMIT,
        operators.WORK_LIMIT,
        procedures.CALL_LIMIT,
        notation.LONGEST,
        session.LARGEST_SAVED,
        CHECK_LIMITS.states,
        CHECK_LIMITS.moves,
    )

    lacking = [number for number in numbers if f"{number:,}" not in text]

    assert f"2^{sets.MAX_BITS}" in text
    assert not lacking, f"limits.md does not mention {lacking}"
