"""Findings that a play shows, and the documents on which they stay silent."""

from __future__ import annotations

import pytest

from tests.support.golden import cases
from tests.support.project import TESTS
from zermelo.api import loading, questions
from zermelo.api.questions import Report
from zermelo.core.limits import CHECK_LIMITS, UNLIMITED, Limits
from zermelo.text.diagnostic import Diagnostic

SHOWN = frozenset({"Z616", "Z617", "Z618", "Z621", "Z622", "Z623", "Z624", "Z625", "Z626"})
TEXTS = {
    case.name[:4]: case.blocks["spec"]
    for case in cases(TESTS / "golden" / "diagnostics")
    if case.name[:4] in SHOWN and case.name != "Z621-in-a-function"
}
"""The small documents in which each is found."""
DRAWN = "X ∪ O = P ∧ (∀l ∈ Lines: l ⊈ X ∧ l ⊈ O) → result = draw"
FAULTLESS = (
    "chomp.tex",
    "kayles.md",
    "hex.md",
    "columns.md",
    "stones.txt",
    "two-heaps.txt",
    "jugs.md",
    "wolf-goat-cabbage.md",
    "lamps.md",
    "traffic.md",
)


def checked(text: str, *, limits: Limits = CHECK_LIMITS, wide: Limits | None = None) -> Report:
    return questions.check(loading.load_text(text), limits=limits, wide=wide)


def said(report: Report) -> set[str]:
    return {each.code.id for each in report.diagnostics}


def found(report: Report, code: str) -> list[Diagnostic]:
    return [each for each in report.diagnostics if each.code.id == code]


def changed(code: str, *changes: tuple[str, str]) -> Report:
    text = TEXTS[code]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return checked(text)


def test_every_kind_has_a_document_that_shows_it() -> None:
    assert TEXTS.keys() == SHOWN


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("Z616", [("O wins\nReading", f"O wins\n  {DRAWN}\nReading")]),
        ("Z617", [("at = 6 → at = 5", "at = 6 → at = 3")]),
        ("Z617", [("players: first when first, second when ¬first", "players: alone")]),
        ("Z618", [("over ↔ X ∪ O = P", "over ↔ X ∪ O = P ∨ ∃l ∈ Lines: l ⊆ X ∨ l ⊆ O")]),
        ("Z621", [("X ∈ Lines", "(∃l ∈ Lines: l ⊆ X)"), ("O ∈ Lines", "(∃l ∈ Lines: l ⊆ O)")]),
        ("Z622", [("right = right + 1 ∧ first", "right = right ∧ first")]),
        ("Z623", [("turn ∧ A ∪ C = P ∨ 3 ∈ A ∪ C", "(turn ∧ A ∪ C = P) ∨ 3 ∈ A ∪ C")]),
        ("Z624", [("(sum = 7)", "(sum ≥ 7)")]),
        ("Z624", [("(sum = 7)", "(sum = 7 ∨ sum > 7)")]),
        ("Z624", [("{1, 2}", "{1}")]),
        ("Z625", [("  turn ∧ Has", "  Has"), ("¬turn ∧ Has", "Has")]),
        (
            "Z625",
            [("  turn ∧ Has", "  ¬turn ∧ Has"), ("  ¬turn ∧ HasLine(O)", "  turn ∧ HasLine(O)")],
        ),
        ("Z626", [("sum ≥ 12", "sum ≥ 8")]),
        ("Z626", [("{0..9}", "{0..12}")]),
    ],
)
def test_a_document_without_that_fault_is_silent(code: str, changes: list[tuple[str, str]]) -> None:
    assert code not in said(changed(code, *changes))


def test_groupings_that_agree_in_every_reachable_state_are_silent() -> None:
    # Whenever it is the turn of A both have taken as many, so that the board is full or not.
    report = changed("Z623", ("∨ 3 ∈ A ∪ C", "∨ A ∪ C = P"))

    assert "Z623" not in said(report)
    assert report.is_complete


def test_that_two_results_may_be_set_is_said_only_as_long_as_it_is_open() -> None:
    text = TEXTS["Z622"].replace("right = right + 1 ∧ first", "right = right ∧ first")
    game = loading.load_text(text)

    assert "Z716" in {each.code.id for each in game.diagnostics}
    assert said(checked(text)).isdisjoint({"Z716", "Z622"})
    assert "Z716" in said(checked(text, limits=Limits(states=2)))
    assert "Z622" in said(checked(TEXTS["Z622"]))
    assert "Z716" not in said(checked(TEXTS["Z622"]))


def test_compiled_code_shows_what_is_far_from_the_start() -> None:
    text = TEXTS["Z621"]
    wide = checked(text, limits=Limits(states=30), wide=UNLIMITED)

    (first, second) = found(wide, "Z621")

    assert wide.checkup is not None
    assert wide.checkup.space.states == 30
    assert "after 7 moves" in first.message
    assert "after 8 moves" in second.message


def test_a_player_who_cannot_win_is_named() -> None:
    text = TEXTS["Z616"].replace("∃l ∈ Lines: l ⊆ O → result = O wins", "O = P → result = O wins")
    (never,) = found(checked(text), "Z614")

    assert "so O cannot win, whatever happens" in never.notes


@pytest.mark.parametrize("name", FAULTLESS)
def test_documents_without_faults_have_no_such_finding(name: str) -> None:
    report = questions.check(loading.load(TESTS / "documents" / name), wide=None)

    assert said(report).isdisjoint(SHOWN)


def test_the_library_has_a_game_without_findings() -> None:
    path = TESTS.parent / "games" / "tic-tac-toe" / "tic-tac-toe.md"

    assert questions.check(loading.load(path), wide=None).diagnostics == ()


def test_the_states_in_which_a_line_is_missed_are_counted_by_hand() -> None:
    lines = [{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 4, 7}, {2, 5, 8}, {3, 6, 9}, {1, 5, 9}, {3, 5, 7}]

    def over(x: frozenset[int], o: frozenset[int]) -> bool:
        return x in lines or o in lines or len(x | o) == 9

    states = {(frozenset[int](), frozenset[int]())}
    waiting = list(states)
    while waiting:
        x, o = waiting.pop()
        if over(x, o):
            continue
        for cell in set(range(1, 10)) - x - o:
            after = (x | {cell}, o) if len(x) == len(o) else (x, o | {cell})
            if after not in states:
                states.add(after)
                waiting.append(after)
    missed = [x for x, o in states if any(line <= x for line in lines) and not over(x, o)]
    (first, _) = found(checked(TEXTS["Z621"]), "Z621")

    assert f"so it is in {len(missed)} states" in first.notes
