"""Every diagnostic, word for word: a document goes in, the message comes out."""

from pathlib import Path

import pytest

from tests.support.golden import GoldenCase, cases, check
from tests.support.project import TESTS
from zermelo.api import loading, questions, texts
from zermelo.text import render
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.errors import InternalError
from zermelo.text.source import Source

CASES = cases(TESTS / "golden" / "diagnostics")


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_document_gets_the_diagnostic_it_should(
    case: GoldenCase, tmp_path: Path, *, update_golden: bool
) -> None:
    # A document may have other faults; its file's name says which one is looked at.
    code = case.name.split("-")[0]
    block = case.only("spec")
    name = case.options[block].get("file", "document.md")
    source = Source(name, case.blocks[block])
    beside: Path | None = None
    if "reading" in case.blocks:
        beside = tmp_path / Path(name).with_suffix(".reading").name
        beside.write_text(case.blocks["reading"], encoding="utf-8")

    said = all_said(code, source, beside)

    shown = tuple(each for each in said if each.code.id == code)
    assert shown, f"{code} is not among {[each.code.id for each in said]}"
    check(case, "diagnostics", render.full(shown, source), update=update_golden)


def all_said(code: str, source: Source, beside: Path | None) -> tuple[Diagnostic, ...]:
    """What is said about a document with a reading file *beside* it, or none.

    What only playing shows is looked for where *code* asks.
    """
    if code == "Z901":
        return (texts.our_fault(InternalError("a state has a value for each of its variables")),)
    game = loading.load_text(source.text, name=source.name, reading_file=beside)
    is_shown_by_checking = code.startswith("Z6") or code in {"Z547", "Z556", "Z723"}
    return questions.check(game).diagnostics if is_shown_by_checking else game.diagnostics
