"""The parts of the documentation that a tool writes are what it would write now."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from tests.support.project import DOCS, place
from tools import pages, symbols_reference
from zermelo.core import values
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
    rows = {
        "size of a document": f"{decoding.MOST_BYTES:,} bytes and {decoding.MOST_LINES:,} lines",
        "nesting of brackets, quantifiers and the like in one formula": f"{cursor.NESTING:,}",
        "errata of a document": f"{document.MOST_ERRATA:,}",
        "members of a set that has to be listed": f"{sets.LIST_LIMIT:,}",
        "size of a number": f"below 2^{sets.MAX_BITS}",
        "components of a tuple, those of its components included": f"{values.MOST_COMPONENTS:,}",
        "depth of calls in one turn": f"{operators.DEPTH_LIMIT:,}",
        "calls in one turn": f"{procedures.CALL_LIMIT:,}",
        "moves of a state that are listed": f"{values.MOST_LISTED:,}",
        "length of a typed move": f"{notation.LONGEST:,} characters",
        "length of a saved play": f"{session.LARGEST_SAVED:,} characters",
    }

    lacking = [row for row in rows.items() if f"| {row[0]} | {row[1]} |" not in text]

    assert not lacking, f"limits.md does not have the rows {lacking}"
    assert f"looks at {CHECK_LIMITS.states:,} states, makes {CHECK_LIMITS.moves:,} moves" in text


LIMITS = re.findall(
    r"^\| (?P<what>[^|]+) \| (?P<number>[\d,]+)[^|]*\| `(?P<module>[\w.]+)\.(?P<name>\w+)` \|$",
    (DOCS / "explanation" / "threat-model.md").read_text("utf-8"),
    re.MULTILINE,
)


@pytest.mark.parametrize(("what", "number", "module", "name"), LIMITS)
def test_the_threat_model_has_the_limits_of_the_program(
    what: str, number: str, module: str, name: str
) -> None:
    assert number == f"{getattr(import_module(module), name):,}", what


def test_the_threat_model_has_every_row_of_its_table_compared() -> None:
    text = (DOCS / "explanation" / "threat-model.md").read_text("utf-8")

    assert len(LIMITS) == text.count("| `zermelo.") > 20
