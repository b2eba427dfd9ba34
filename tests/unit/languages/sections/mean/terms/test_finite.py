"""Only sets that must be listed are refused, with their size, at once."""

import time

import pytest

from tests.support.elaboration import body, errors, game, said, system
from zermelo.core.state import Move
from zermelo.languages.sections.run.interpreter import Interpreter

BOARD = "S : {1..6} × {1..6}\nT : {1..1000}"


@pytest.mark.parametrize(
    ("domain", "members"),
    [
        ("𝒫(𝒫(S))", "2^(2^36)"),
        ("{1..10^9}", "1,000,000,000"),
        ("T × T × T × T × T", "1,000,000,000,000,000"),
        ("𝒫(S)", "68,719,476,736"),
    ],
)
def test_a_set_that_must_be_listed_and_is_too_large_is_refused_with_the_number(
    domain: str, members: str
) -> None:
    begin = time.perf_counter()

    found = errors(game(sets=BOARD, rules=f"(∃x ∈ {domain}: x = x) → Mine = P"))

    assert len(found) == 1
    assert found[0].endswith(f"which has {members} members")
    assert time.perf_counter() - begin < 5


@pytest.mark.parametrize(
    "formula",
    [
        "Mine ∈ 𝒫(𝒫(P) ∪ {P}) ∨ Mine ∈ 𝒫(P)",
        "{S} ⊆ 𝒫(S)",
        "pos ∈ {1..10^9}",
        "pos ∈ ℕ",
        "∃x ∈ ℕ: x < 4 ∧ x ∈ P",
        "∃w (w ⊆ S ∧ |w| = 3 ∧ (1, 1) ∈ w)",
        "|{x ∈ 𝒫(S) | |x| = 2}| > 3",
    ],
)
def test_what_need_not_be_listed_is_not_refused(formula: str) -> None:
    found = errors(game(sets=BOARD, rules=f"{formula} → Mine = P"))

    assert [message for message in found if "members" in message or "infinite" in message] == []


def test_an_infinite_set_without_bounds_is_refused() -> None:
    assert errors(game(rules="(∃x ∈ ℕ: x + x = pos) → Mine = P")) == [
        "`x` ranges over `ℕ`, which is infinite"
    ]


def test_a_large_set_that_is_only_defined_is_a_warning_with_the_number() -> None:
    text = game(sets="Big : {1..10^9}", rules="pos ∈ Big ∩ Free → Mine = Mine ∪ {pos}")

    assert errors(text) == []
    assert said(text, "Z403") == [
        "`Big` has 1,000,000,000 members; it can be tested for membership, and not listed"
    ]


def test_a_move_with_too_many_arguments_is_not_listed() -> None:
    text = game(more="Jump(x ∈ {1..10^9})\n  x > 5 → Mine = P")

    assert errors(text) == [
        "`Jump` can be called with 1,000,000,000 different arguments, "
        "and its rules do not narrow them down"
    ]
    machine = Interpreter(system(text))
    assert {move.name for move in machine.legal(machine.initial)} == {"Take"}
    assert list(machine.faults(machine.initial)) == [Move("Jump")]


def test_a_move_whose_guards_bound_its_arguments_stays() -> None:
    text = game(more="Jump(x ∈ ℕ)\n  x ∈ Free → Mine = P")

    assert errors(text) == []
    assert body(system(text), "Jump") == ["x ∈ Free → Mine = P"]
