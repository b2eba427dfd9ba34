"""Answers of a document to findings."""

from __future__ import annotations

from pathlib import Path

from tests.support.command import zermelo
from tests.support.golden import cases
from tests.support.project import TESTS
from zermelo.api import loading, questions
from zermelo.api.questions import Report

MISSED = next(
    case.blocks["spec"]
    for case in cases(TESTS / "golden" / "diagnostics")
    if case.name == "Z621-exact"
).rstrip()


def checked(*lines: str, text: str = MISSED) -> Report:
    added = "".join(f"\n  {line}" for line in lines)
    return questions.check(loading.load_text(f"{text}{added}\n"), wide=None)


def said(report: Report) -> list[str]:
    return [each.code.id for each in report.diagnostics]


def test_a_finding_that_is_intended_is_not_said() -> None:
    one = checked("intended: Z621 at X ∈ Lines → result // exactly three")
    both = checked("intended: Z621 at X ∈ Lines →", "intended: Z621 at `O  ∈ Lines →`")

    assert said(checked()) == ["Z621", "Z621"]
    assert said(one) == ["Z621"]
    assert [str(each) for each in one.answered] == ["Z621 at X ∈ Lines → result (exactly three)"]
    assert said(both) == []


def test_an_answer_is_about_one_kind_of_finding() -> None:
    assert said(checked("intended: Z613 at X ∈ Lines → result")) == ["Z621", "Z621"]


def test_an_answer_lapses_when_its_line_changes() -> None:
    line = "intended: Z621 at X ∈ Lines → result = X wins"
    changed = MISSED.replace("X ∈ Lines → result", "X  ∈ Lines ∧ ¬turn → result")

    report = checked(line, text=changed)

    assert sorted(said(report)) == ["Z556", "Z621", "Z621"]


def test_a_line_that_answers_nothing_is_said() -> None:
    report = checked("intended: everything", "intended: Z999 at X")

    assert said(report).count("Z120") == 2


def test_the_command_tells_what_is_intended(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    answers = "\n  intended: Z621 at X ∈ Lines →\n  intended: Z621 at O ∈ Lines → // so it is\n"
    path.write_text(MISSED + answers, encoding="utf-8")

    ran = zermelo("check", str(path), "--strict")

    assert ran.code == 0
    assert "intended: Z621 at O ∈ Lines → (so it is)" in ran.out
