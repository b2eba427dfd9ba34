"""Properties: what is asked of all states, decided by interpreter and compiled code."""

from __future__ import annotations

import json
from dataclasses import replace
from math import comb
from pathlib import Path

import numpy as np
import pytest

from tests.support.command import zermelo
from tests.support.expanders import HEAP, heap
from zermelo.api import loading, questions
from zermelo.api.game import Game
from zermelo.core.adapter import MachineExpander
from zermelo.core.limits import UNLIMITED, Limits
from zermelo.core.observation import Answer, PropertyVerdict, property_verdicts
from zermelo.languages.sections.compile.kernel import Kernel, kernel
from zermelo.languages.sections.language import SystemModel
from zermelo.text.errors import UsageError

NEAR = Limits(states=10**6)
FEW = Limits(states=20)
RARE = "A = {1, 2} × {1..4}"
CELLS = """
Applicable Sets
  P : {1..4} × {1..4}
  B : {true, false}
System Variables
  A, C ⊆ P
  turn, over ∈ B
System Facts
  over ↔ |A ∪ C| = 16
  A ∩ C = ∅
System Initialization
  A, C = ∅
  turn = true
System States and Behavior
Put(p ∈ P)
  turn ∧ p ∉ A ∪ C → A = A ∪ {p} ∧ turn = ¬turn
  ¬turn ∧ p ∉ A ∪ C → C = C ∪ {p} ∧ turn = ¬turn
GameOver(over)
  result ∈ {draw}
  over → result = draw
Reading
  players: A when turn, C when ¬turn
  order: at once
"""
STATES = sum(comb(16, taken) * comb(taken, taken // 2) for taken in range(17))
"""So many ways to choose the cells that are taken, and which of them the second player has."""


def decided(game: Game, *texts: str, limits: Limits = NEAR) -> tuple[PropertyVerdict, ...]:
    return questions.check(game, limits=limits, wide=None, properties=texts).properties


def answer(game: Game, text: str) -> Answer:
    (found,) = decided(game, text)
    return found.answer


def stuck_heap() -> Game:
    """A heap of seven from which two are taken at a time: the last one stays."""
    return loading.load_text(HEAP.replace("SIZE", "7").replace("{1, 2}", "{2}"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("always heap ≤ 7", Answer.HOLDS),
        ("always: heap ≤ 6", Answer.FAILS),
        ("never heap = 8", Answer.HOLDS),
        ("never heap = 0", Answer.FAILS),
        ("sometimes heap = 3", Answer.HOLDS),
        ("sometimes heap = 0 ∧ ¬over", Answer.FAILS),
        ("never stuck", Answer.HOLDS),
        ("always over ∨ legal(Take)", Answer.HOLDS),
        ("always legal(Take(2)) ↔ heap ≥ 2", Answer.HOLDS),
        ("always ∀n ∈ {1, 2}: legal(Take(n)) ↔ n ≤ heap", Answer.HOLDS),
        ("always turn of First ↔ first", Answer.HOLDS),
        ("never turn of First ∧ turn of Second", Answer.HOLDS),
        ("sometimes over ∧ turn of Second", Answer.HOLDS),
    ],
)
def test_a_property_is_decided_in_every_state(text: str, expected: Answer) -> None:
    assert answer(heap(7), text) is expected


def test_a_player_who_cannot_move_is_stuck() -> None:
    (found,) = decided(stuck_heap(), "never stuck")

    assert (found.answer, found.count) == (Answer.FAILS, 1)
    assert found.shown_by is not None
    assert [str(move) for move in found.shown_by.play] == ["Take(2)", "Take(2)", "Take(2)"]


def test_the_states_are_counted_in_which_a_formula_holds() -> None:
    # First and second meet each number of 0 to 5 in turn, and 7 and 6 only by who begins.
    found, other = decided(heap(7), "sometimes heap ≤ 1", "always heap > 1")

    assert (found.answer, found.count, found.states) == (Answer.HOLDS, 4, 14)
    assert (other.answer, other.count) == (Answer.FAILS, 4)


def test_what_was_not_seen_in_some_states_is_undecided() -> None:
    game = loading.load_text(CELLS)

    unseen, seen = decided(game, f"never {RARE}", "never |A| = 1", limits=FEW)

    assert (unseen.answer, seen.answer) == (Answer.UNDECIDED, Answer.FAILS)


@pytest.mark.parametrize(
    ("text", "expected", "count"),
    [
        ("always |A| − |C| ∈ {0, 1}", Answer.HOLDS, None),
        ("always |A ∪ C| < 16", Answer.FAILS, comb(16, 8)),
        ("sometimes |A ∪ C| = 1", Answer.HOLDS, 16),
        ("never (1, 1) ∈ A ∧ |A| = 1 ∧ C = ∅", Answer.FAILS, 1),
        ("never stuck", Answer.HOLDS, None),
        ("always ∀p ∈ P: over ∨ p ∈ A ∪ C ∨ legal(Put(p))", Answer.HOLDS, None),
        ("sometimes |A ∪ C| = 15 ∧ legal(Put((4, 4)))", Answer.HOLDS, comb(15, 7)),
    ],
)
def test_compiled_code_decides_it_in_all_states(
    text: str, expected: Answer, count: int | None
) -> None:
    game = loading.load_text(CELLS)

    report = questions.check(game, limits=FEW, wide=UNLIMITED, properties=[text])

    (found,) = report.properties
    assert (found.answer, found.states) == (expected, STATES)
    # One state stands for all that are alike where the property does not tell them apart.
    assert found.count in {None, count}
    assert report.confirmed == ("A ∩ C = ∅",)


@pytest.mark.parametrize("native", [True, False])
def test_kernels_tell_what_the_interpreter_does(native: bool) -> None:  # noqa: FBT001 - a case
    texts = (
        "always heap ≤ 4",
        "never stuck",
        "always legal(Take)",
        "never ∃n ∈ {1, 2}: legal(Take(n)) ∧ heap − n = 3",
        "always 12 / heap < 13",
        "sometimes over",
    )
    model = heap(9).model
    assert model is not None
    asked = model.asking(texts).value
    assert isinstance(asked, SystemModel)
    slow = MachineExpander(asked.machine())
    made = kernel(asked.machine(), compiled=native)
    assert isinstance(made, Kernel)
    states = [asked.machine().initial]
    for state in states:
        after = [asked.machine().after(state, move) for move in asked.machine().legal(state)]
        states += [each for each in after if each not in states]

    rows = np.array([made.pack(state) for state in states])
    listed = np.array([slow.pack(state) for state in states])

    assert len(states) == 18
    assert made.broken(rows).tolist() == slow.broken(listed).tolist()
    assert np.bitwise_or.reduce(made.broken(rows)) == 0b111101


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("heap ≤ 7", "it does not say how often"),
        ("always hepa ≤ 7", "`hepa` is used here"),
        ("always heap", "this is a number, where a truth value is asked for"),
        ("always legal(Give)", "there is no move `Give`; the moves are Take"),
        ("always legal(Take(1, 2))", "`Take` takes 1 argument"),
        ("never turn of Third", "there is no player `Third`; the players are "),
        ("never (heap", "is not closed"),
    ],
)
def test_a_property_that_is_not_understood_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(UsageError, match="is not understood") as found:
        decided(heap(3), text)
    assert why in str(found.value)


def test_a_document_asks_for_properties_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "heap.md"
    asked = (
        "Properties\n  always heap ≤ 7 // there are no more\n  never: stuck\n  sometimes heap = 6\n"
    )
    path.write_text(HEAP.replace("SIZE", "7") + asked, encoding="utf-8")

    ran = zermelo("check", str(path))

    assert ran.code == 0
    assert "always heap ≤ 7: holds, in all 14 reachable states." in ran.out
    assert "never stuck: holds, in all 14 reachable states." in ran.out
    assert "sometimes heap = 6: holds, seen after 1 move, and in 1 state altogether." in ran.out


def test_the_exit_code_tells_that_a_property_fails(tmp_path: Path) -> None:
    path = tmp_path / "heap.md"
    path.write_text(HEAP.replace("SIZE", "7"), encoding="utf-8")

    fails = zermelo("check", str(path), "--json", "--property", "never heap = 6")
    holds = zermelo("check", str(path), "--property", "never heap = 8")
    wrong = zermelo("check", str(path), "--property", "never heap = = 8")

    assert (fails.code, holds.code, wrong.code) == (1, 0, 2)
    (verdict,) = json.loads(fails.out)["properties"]
    assert (verdict["answer"], verdict["play"], verdict["count"]) == ("fails", ["Take(1)"], 1)


def test_an_undecided_property_counts_as_an_error_only_if_strict(tmp_path: Path) -> None:
    path = tmp_path / "cells.md"
    path.write_text(CELLS, encoding="utf-8")
    asked = ("check", str(path), "--states", "20", "--property", f"never {RARE}")

    assert zermelo(*asked).code == 0
    assert zermelo(*asked, "--strict").code == 1


def test_only_states_count_in_which_a_property_was_looked_at() -> None:
    game = loading.load_text(CELLS)
    report = questions.check(game, limits=FEW, wide=UNLIMITED, properties=[f"never {RARE}"])
    model, checkup = game.model, report.checkup
    assert model is not None
    assert checkup is not None
    assert checkup.wide is not None

    unlooked = replace(
        checkup, broken=(), has_seen_all_claims=False, wide=replace(checkup.wide, broken=None)
    )
    asked = model.asking([f"never {RARE}"]).value
    assert asked is not None
    (verdict,) = property_verdicts(asked.signature, unlooked)

    assert (verdict.answer, verdict.states) == (Answer.UNDECIDED, 20)


def test_so_many_properties_are_asked_at_most() -> None:
    asked = "".join(f"  never heap = {number}\n" for number in range(10, 60))
    game = loading.load_text(f"{HEAP.replace('SIZE', '7')}Properties\n{asked}")

    report = questions.check(game, wide=None)

    assert len(report.properties) == 40
    assert [each.message for each in report.diagnostics if each.code.id == "Z103"] == [
        "there are more than 40 properties"
    ]
