"""What ties results to players besides their names; who is who was found by reading."""

import pytest

from tests.support.meaning import codes_of, with_players
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.printer import to_text

CELLS = """
Applicable Sets
  P : {1..4}
  B : {true, false}
System Variables
  R, S, Free ⊆ P
  turn, over, joined, split ∈ B
System Facts
  Free = P − (R ∪ S)
  joined ↔ {1, 2} ⊆ R ∨ {3, 4} ⊆ R
  split ↔ {1, 3} ⊆ S ∨ {2, 4} ⊆ S
  over ↔ joined ∨ split ∨ Free = ∅
System Initialization
  R, S = ∅
  turn = true
System States and Behavior
Put(p ∈ P)
  turn ∧ p ∈ Free → R = R ∪ {p} ∧ turn = ¬turn
  ¬turn ∧ p ∈ Free → S = S ∪ {p} ∧ turn = ¬turn
GameOver(over)
  result ∈ {Kim wins, Lee wins, draw}
  joined → result = Lee wins
  split → result = Kim wins
  over ∧ ¬joined ∧ ¬split → result = draw
"""

EDGES = """
Applicable Sets
  P : {1..4}
  B : {true, false}
System Variables
  Edges ⊆ P
  turn, over ∈ B
  moves ∈ {0..6}
System Facts
  over ↔ moves = 6 ∨ {1, 2} ⊆ Edges
System Initialization
  Edges = ∅
  turn = true
  moves = 0
System States and Behavior
Step(p ∈ P)
  turn ∧ p ∉ Edges → Edges = Edges ∪ {p} ∧ turn = false ∧ moves = moves + 1
  ¬turn ∧ p ∈ Edges → Edges = Edges − {p} ∧ turn = true ∧ moves = moves + 1
GameOver(over)
  result ∈ {Kim wins, Lee wins}
  {1, 2} ⊆ Edges → result = Lee wins
  ¬({1, 2} ⊆ Edges) → result = Kim wins
Reading
  order: at once
"""

HEAPS = """
Applicable Sets
  B : {true, false}
System Variables
  a, b ∈ {0..3}
  t, over ∈ B
System Facts
  over ↔ a = 0 ∨ b = 0
System Initialization
  a, b = 3
  t = true
System States and Behavior
KimTakes(n ∈ {1, 2})
  t ∧ n ≤ b → b = b − n ∧ t = false
LeeTakes(n ∈ {1, 2})
  ¬t ∧ n ≤ a → a = a − n ∧ t = true
GameOver(over)
  result ∈ {Kim wins, Lee wins}
  b = 0 → result = Kim wins
  a = 0 → result = Lee wins
"""


def players(text: str) -> tuple[dict[str, str], System, list[str]]:
    """When each moves, the system, and the codes of what was said."""
    checked = with_players(text)
    assert checked.value is not None
    found = {p.name: to_text(p.turn) for p in checked.value.players}
    return found, checked.value, codes_of(checked.diagnostics)


def evidence(system: System) -> list[str]:
    return [line for player in system.players for line in player.evidence]


def test_rules_tell_who_is_who_through_facts_and_it_is_said_that_nothing_else_does() -> None:
    found, system, said = players(CELLS)

    assert found == {"Lee": "turn", "Kim": "¬turn"}
    assert evidence(system) == [
        "`Lee wins`: its rule looks at `R`, which gets more in no other turns",
        "`Kim wins`: its rule looks at `S`, which gets more in no other turns",
    ]
    assert said == ["Z544"]
    assert system.unsaid is None
    assert [r.choice for r in system.readings if r.name == "players"] == [
        "Lee when turn, Kim when ¬turn"
    ]


@pytest.mark.parametrize(
    "prose", ["Whoever joins first loses.", "A misère game.", "Avoid to join your cells."]
)
def test_rules_tell_nothing_where_something_is_to_be_avoided(prose: str) -> None:
    _, system, said = players(f"{prose}\n{CELLS}")

    assert said == ["Z540"]
    assert system.unsaid is not None


def test_a_rule_about_one_player_alone_tells_nothing() -> None:
    text = CELLS.replace("  split → result = Kim wins\n", "").replace(
        "over ∧ ¬joined ∧ ¬split → result = draw", "over ∧ ¬joined → result = Kim wins"
    )

    found, system, said = players(text)

    assert found == {"Lee": "turn", "Kim": "¬turn"}
    assert said == ["Z540"]
    assert system.unsaid is not None


def test_a_player_who_only_removes_is_known_by_what_gets_less() -> None:
    found, system, said = players(EDGES)

    assert found == {"Lee": "turn", "Kim": "¬turn"}
    assert evidence(system) == [
        "`Lee wins`: its rule looks at `Edges`, which gets more in no other turns",
        "`Kim wins`: its rule looks at `Edges`, which gets less in no other turns",
    ]
    assert said == ["Z544"]


def test_a_move_that_is_called_like_somebody_is_theirs() -> None:
    found, system, said = players(HEAPS)

    assert found == {"Kim": "t", "Lee": "¬t"}
    assert evidence(system) == [
        "`Kim wins`: `KimTakes` is called in no other turns",
        "`Lee wins`: `LeeTakes` is called in no other turns",
    ]
    assert said == []


@pytest.mark.parametrize(
    ("prose", "first"),
    [
        ("Kim plays R and Lee plays S.", "Kim"),
        ("Kim's cells are R; Lee has S.", "Kim"),
        ("S belongs to Kim, R belongs to Lee. Whoever joins their cells loses.", "Lee"),
        ("Kim begins.", "Kim"),
        ("Lee moves first", "Lee"),
        ("Kim goes second, and Lee is patient.", "Lee"),
    ],
)
def test_the_document_may_say_in_words_who_is_who(prose: str, first: str) -> None:
    found, system, said = players(f"{prose}\n{CELLS}")

    assert next(iter(found)) == first
    assert any("the document says" in line for line in evidence(system))
    assert said == []


@pytest.mark.parametrize(
    "prose", ["Kim does not play R.", "Kim plays against R.", "Kim and Lee play R and S."]
)
def test_other_words_about_players_tell_nothing(prose: str) -> None:
    assert players(f"{prose}\n{CELLS}")[0] == {"Lee": "turn", "Kim": "¬turn"}


def test_names_that_begin_with_the_letters_of_scores_are_theirs() -> None:
    text = HEAPS.replace("KimTakes", "Take").replace("LeeTakes", "Get")
    text = text.replace("b − n", "b + n").replace("a − n", "a + n").replace("a, b = 3", "a, b = 0")
    text = text.replace("n ≤ b", "b + n ≤ 3").replace("n ≤ a", "a + n ≤ 3")
    text = text.replace("Kim", "Ben").replace("Lee", "Anna")
    text = text.replace("a = 0 ∨ b = 0", "a = 3 ∨ b = 3")
    # Who has most loses: the rules say the opposite of the letters.
    text = text.replace("b = 0 → result = Ben", "a = 3 → result = Ben")
    text = text.replace("a = 0 → result = Anna", "b = 3 → result = Anna")

    found, _, said = players(text)

    assert found == {"Ben": "t", "Anna": "¬t"}
    assert said == []
