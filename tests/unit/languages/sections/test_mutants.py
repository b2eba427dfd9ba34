"""Misreadings are made from the meaning of a document, one thing at a time, and are well formed."""

from __future__ import annotations

import pytest

from tests.support.wellformed import flaws
from zermelo.api import loading
from zermelo.languages.sections import mutants
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.language import SystemModel
from zermelo.languages.sections.mutants import misreadings

DOCUMENT = """\
Applicable Sets
  N : {1..3}
  P : N × N
  L : {{(1, 1), (1, 2)}, {(2, 1), (2, 2)}}
  B : {true, false}
System Variables
  A ⊆ P
  turn, over ∈ B
System Facts
  over ↔ (∃l ∈ L: l ⊆ A)
System Initialization
  A = ∅
  turn = true
System States and Behavior
Put(r ∈ N, c ∈ N)
  r < 3 ∧ (r, c) ∉ A → A = A ∪ {(r, c)} ∧ turn = ¬turn
  turn ∧ r = 3 ∨ c = 3 → turn = ¬turn
GameOver(over)
  result ∈ {Ann wins, Bob wins}
  ¬turn → result = Ann wins
  turn → result = Bob wins
Reading
  order: in order
  players: Ann when turn, Bob when ¬turn
"""


def _system(text: str) -> System:
    model = loading.load_text(text, name="document.md").model
    assert isinstance(model, SystemModel)
    return model.system


def _words(kind: str) -> list[str]:
    return [each.words for each in misreadings(_system(DOCUMENT)) if each.kind == kind]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (mutants.ELSE_IF, ["`Put`", "`GameOver`"]),
        (
            mutants.REGROUPED,
            [
                "rule 2 of `Put`: `turn ∧ r = 3 ∨ c = 3` read as `turn ∧ (r = 3 ∨ c = 3)`",
            ],
        ),
        (mutants.BOUND, ["rule 1 of `Put`: `r < 3` read as `r ≤ 3`"]),
        (
            mutants.QUANTIFIER,
            ["the fact that defines `over`: `∃l ∈ L: l ⊆ A` read as `∀l ∈ L: l ⊆ A`"],
        ),
        (mutants.EQUAL, ["the fact that defines `over`: `l ⊆ A` read as `l = A`"]),
        (
            mutants.NO_RULE,
            [
                "rule 1 of `Put`: left out, `r < 3 ∧ (r, c) ∉ A → A = A ∪ {(r, c)} ∧ turn = ¬turn`",
                "rule 2 of `Put`: left out, `turn ∧ r = 3 ∨ c = 3 → turn = ¬turn`",
                "rule 1 of `GameOver`: left out, `¬turn → result = Ann wins`",
                "rule 2 of `GameOver`: left out, `turn → result = Bob wins`",
            ],
        ),
        (
            mutants.NO_CONJUNCT,
            [
                "rule 1 of `Put`: `r < 3 ∧ (r, c) ∉ A` read as `(r, c) ∉ A`",
                "rule 1 of `Put`: `r < 3 ∧ (r, c) ∉ A` read as `r < 3`",
                "rule 2 of `Put`: `turn ∧ r = 3` read as `r = 3`",
                "rule 2 of `Put`: `turn ∧ r = 3` read as `turn`",
            ],
        ),
        (
            mutants.SWAPPED,
            [
                "rule 1 of `Put`: `(r, c)` read as `(c, r)`",
                "rule 1 of `Put`: `(r, c)` read as `(c, r)`",
            ],
        ),
        (
            mutants.RULE_ORDER,
            ["`Put`: rule 2 before rule 1", "`GameOver`: rule 2 before rule 1"],
        ),
        (
            mutants.FACTS,
            [
                "`Put`: its rules facts frozen instead of in order",
                "`Put`: its rules at once instead of in order",
                "`GameOver`: its rules facts frozen instead of in order",
                "`GameOver`: its rules at once instead of in order",
            ],
        ),
    ],
)
def test_each_kind_of_misreading_is_made_where_it_can_be(kind: str, words: list[str]) -> None:
    found = _words(kind)

    if kind == mutants.ELSE_IF:
        words = [f"{each}: a rule is tried only if none before it holds" for each in words]
    assert found == words


@pytest.mark.parametrize("name", ["tic-tac-toe", "pegs", "pawns", "four-quadrants"])
def test_every_misreading_of_a_library_game_is_a_good_system_and_none_is_made_twice(
    name: str,
) -> None:
    model = loading.load(name).model
    assert isinstance(model, SystemModel)

    found = list(misreadings(model.system))

    assert found
    assert not [each.words for each in found if flaws(each.system)]
    assert len({(each.system.procedures, *_rest(each.system)) for each in found}) == len(found)
    assert model.system not in [each.system for each in found]


def _rest(system: System) -> tuple[object, ...]:
    return system.functions, tuple(each.definition for each in system.variables)
