"""Who plays, and whose result is whose."""

import pytest

from tests.support.meaning import codes_of, meant, with_players
from zermelo.core.values import to_text as shown
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.mean import players
from zermelo.languages.sections.printer import to_text

TWO = """
Applicable Sets
  P : {1..4}
  B : {true, false}
System Variables
  xposn, oposn ⊆ P
  turn, over ∈ B
  result ⊆ {ex, oh, draw}
System Facts
  over ↔ (xposn ∪ oposn = P)
System Initialization
  xposn, oposn, result = ∅
  turn = true
System States and Behavior
Take(p ∈ P)
  turn ∧ p ∉ xposn ∪ oposn → xposn = xposn ∪ {p} ∧ turn = false
  ¬turn ∧ p ∉ xposn ∪ oposn → oposn = oposn ∪ {p} ∧ turn = true
EndGame(over)
  over ∧ 1 ∈ xposn → result = {ex}
  over ∧ 1 ∈ oposn → result = {oh}
  over ∧ result = ∅ → result = {draw}
"""

HEAP = """
Applicable Sets
  H : {0..5}
  B : {true, false}
System Variables
  heap ∈ H
  turn, over ∈ B
System Facts
  over ↔ (heap = 0)
System Initialization
  heap = 5
  turn = true
System States and Behavior
Take(n ∈ {1, 2})
  n ≤ heap → heap = heap − n ∧ turn = ¬turn
GameOver(over)
  result ∈ {A wins, B wins}
  over ∧ turn → result = B wins
  over ∧ ¬turn → result = A wins
"""

THREE = """
Applicable Sets
  P : {1..6}
  B : {true, false}
System Variables
  reds, greens, blues ⊆ P
  turn ∈ {red, green, blue}
  over ∈ B
System Facts
  over ↔ (reds ∪ greens ∪ blues = P)
System Initialization
  reds, greens, blues = ∅
  turn = green
System States and Behavior
Take(p ∈ P)
  ¬over ∧ p ∉ reds ∪ greens ∪ blues → Give(p)
Give(p ∈ P)
  next = turn
  turn = red → reds = reds ∪ {p} ∧ next = green
  turn = green → greens = greens ∪ {p} ∧ next = blue
  turn = blue → blues = blues ∪ {p} ∧ next = red
  turn = next
GameOver(over)
  result ∈ {red wins, green wins, blue wins, tie}
  over ∧ 1 ∈ reds → result = red wins
  over ∧ 1 ∈ greens → result = green wins
  over ∧ 1 ∈ blues → result = blue wins
"""


def found(text: str, choices: dict[str, str] | None = None) -> System:
    value = with_players(text, choices).value
    assert value is not None
    return value


def said(text: str, choices: dict[str, str] | None = None) -> list[str]:
    return codes_of(with_players(text, choices).diagnostics)


def table(system: System) -> dict[str, tuple[str, str, str]]:
    """Each player: when to move, what wins, what loses."""
    return {
        p.name: (
            to_text(p.turn),
            ", ".join(map(shown, p.wins)),
            ", ".join(map(shown, p.loses)),
        )
        for p in system.players
    }


def test_players_are_named_by_the_words_whose_rules_look_at_their_sets() -> None:
    system = found(TWO)

    assert table(system) == {"ex": ("turn", "ex", ""), "oh": ("¬turn", "oh", "")}
    assert [shown(value) for value in system.draws] == ["draw"]
    assert said(TWO) == []


def test_players_are_named_by_words_that_begin_with_their_sets() -> None:
    text = TWO.replace("xposn", "Alpha").replace("oposn", "Beta")
    text = text.replace("ex", "Alpha Wins").replace("oh", "Beta loses")

    assert table(found(text)) == {
        "Alpha": ("turn", "Alpha Wins", ""),
        "Beta": ("¬turn", "", "Beta loses"),
    }


def test_players_without_words_are_named_by_their_sets() -> None:
    text = TWO[: TWO.index("EndGame")]

    assert list(table(found(text))) == ["xposn", "oposn"]


def test_who_is_who_is_asked_once_when_nothing_tells_it() -> None:
    checked = with_players(HEAP)

    assert codes_of(checked.diagnostics) == ["Z540"]
    assert checked.value is not None
    assert table(checked.value) == {"A": ("turn", "A wins", ""), "B": ("¬turn", "B wins", "")}
    question = checked.diagnostics[0]
    assert question.message == "who is A and who is B is not said"
    assert question.help is not None
    assert "`players: A when turn, B when ¬turn`" in question.help


def test_what_is_asked_is_an_open_reading() -> None:
    system = found(HEAP)

    reading = next(r for r in system.readings if r.name == "players")
    assert reading.choice == "A when turn, B when ¬turn"
    assert reading.choices == ("A when turn, B when ¬turn", "B when turn, A when ¬turn")
    assert reading.decided_by == "default"


def test_the_reading_says_who_is_who() -> None:
    choices = {"players": "B when turn, A when ¬turn"}

    assert table(found(HEAP, choices)) == {
        "B": ("turn", "B wins", ""),
        "A": ("¬turn", "A wins", ""),
    }
    assert said(HEAP, choices) == []


def test_names_alone_are_enough_in_the_order_of_play() -> None:
    choices = {"players": "B, A"}

    assert table(found(HEAP, choices)) == {
        "B": ("turn", "B wins", ""),
        "A": ("¬turn", "A wins", ""),
    }


def test_the_reading_of_the_document_is_taken_with_its_place() -> None:
    text = HEAP + "Reading\n  players: B when turn, A when ¬turn\n"

    assert list(table(found(text))) == ["B", "A"]


@pytest.mark.parametrize(
    "line", ["A when, B when ¬turn", "A when ∧, B when ¬turn", "A when turn, B", "A, B, C"]
)
def test_players_that_are_not_understood_are_told_and_found_instead(line: str) -> None:
    assert "Z541" in said(HEAP, {"players": line})
    assert [to_text(p.turn) for p in found(HEAP, {"players": line}).players] == ["turn", "¬turn"]


def test_a_first_state_of_two_players_is_told() -> None:
    assert said(HEAP, {"players": "A when turn, B when heap > 2"}) == ["Z543"]


def test_three_players_take_turns_by_words() -> None:
    assert table(found(THREE)) == {
        "green": ("turn = green", "green wins", ""),
        "blue": ("turn = blue", "blue wins", ""),
        "red": ("turn = red", "red wins", ""),
    }
    assert [shown(v) for v in found(THREE).draws] == ["tie"]


def test_three_players_take_turns_by_a_remainder() -> None:
    text = """
Applicable Sets
  P : {1..6}
  B : {true, false}
System Variables
  first, second, third ⊆ P
  n ∈ {0..6}
  over ∈ B
System Facts
  over ↔ (n = 6)
System Initialization
  first, second, third = ∅
  n = 0
System States and Behavior
Take(p ∈ P)
  p ∉ first ∪ second ∪ third → Give(p) ∧ n = n + 1
Give(p ∈ P)
  n mod 3 = 0 → first = first ∪ {p}
  n mod 3 = 1 → second = second ∪ {p}
  n mod 3 = 2 → third = third ∪ {p}
"""

    assert table(found(text)) == {
        "first": ("n mod 3 = 0", "", ""),
        "second": ("n mod 3 = 1", "", ""),
        "third": ("n mod 3 = 2", "", ""),
    }


def test_players_may_be_told_apart_by_a_comparison() -> None:
    text = """
Applicable Sets
  P : {1..4}
  B : {true, false}
System Variables
  x, o ⊆ P
  over ∈ B
System Facts
  over ↔ (x ∪ o = P)
System Initialization
  x, o = ∅
System States and Behavior
PlaceX(p ∈ P)
  |x| = |o| ∧ p ∉ x ∪ o → x = x ∪ {p}
PlaceO(p ∈ P)
  |x| > |o| ∧ p ∉ x ∪ o → o = o ∪ {p}
"""

    assert list(table(found(text))) == ["x", "o"]


def test_two_booleans_may_say_whose_turn_it_is() -> None:
    text = """
Applicable Sets
  P : {1..6}
  B : {true, false}
System Variables
  a, b, c ⊆ P
  aTurn, bTurn, over ∈ B
System Facts
  over ↔ (a ∪ b ∪ c = P)
System Initialization
  a, b, c = ∅
  aTurn = true
  bTurn = false
System States and Behavior
Take(p ∈ P)
  p ∉ a ∪ b ∪ c → Give(p)
Give(p ∈ P)
  was = aTurn
  wasB = bTurn
  was → a = a ∪ {p} ∧ aTurn = false ∧ bTurn = true
  wasB → b = b ∪ {p} ∧ bTurn = false
  ¬was ∧ ¬wasB → c = c ∪ {p} ∧ aTurn = true
"""

    assert list(table(found(text))) == ["a", "b", "c"]


def test_a_puzzle_has_one_player() -> None:
    text = """
Applicable Sets
  P : {1..3}
  B : {true, false}
System Variables
  lit ⊆ P
  over ∈ B
System Facts
  over ↔ (lit = P)
System Initialization
  lit = ∅
System States and Behavior
Switch(p ∈ P)
  p ∉ lit → lit = lit ∪ {p}
GameOver(over)
  result ∈ {solved, failed}
  over → result = solved
"""

    system = found(text)

    assert table(system) == {"Player": ("true", "solved", "failed")}
    assert said(text) == []


def test_a_counter_without_a_goal_has_no_player() -> None:
    text = """
System Variables
  n ∈ {0..3}
System Initialization
  n = 0
System States and Behavior
Step()
  n < 3 → n = n + 1
Back()
  n > 0 → n = n − 1
"""

    assert list(table(found(text))) == []


def test_a_word_that_is_nobody_s_is_asked_for() -> None:
    text = TWO.replace("draw", "checkmate")

    checked = with_players(text)

    assert codes_of(checked.diagnostics) == ["Z540"]
    assert checked.diagnostics[0].help == "add to the Reading section `result checkmate: draw`"


def test_the_reading_says_whose_result_a_word_is() -> None:
    text = TWO.replace("draw", "checkmate")

    system = found(text, {"result checkmate": "oh loses"})

    assert table(system)["oh"] == ("¬turn", "oh", "checkmate")
    assert said(text, {"result checkmate": "oh loses"}) == []
    assert [shown(v) for v in found(text, {"result checkmate": "draw"}).draws] == ["checkmate"]


@pytest.mark.parametrize(
    "choices", [{"result chess": "oh wins"}, {"result ex": "nobody in particular"}]
)
def test_a_result_that_is_not_understood_is_told(choices: dict[str, str]) -> None:
    assert said(TWO, choices) == ["Z542"]


def test_numbers_as_results_name_the_players_of_those_numbers() -> None:
    text = """
Applicable Sets
  H : {0..5}
  B : {true, false}
System Variables
  heap ∈ H
  player ∈ {1, 2}
  winner ∈ {0, 1, 2}
  over ∈ B
System Facts
  over ↔ (heap = 0)
System Initialization
  heap = 5
  player = 1
  winner = 0
System States and Behavior
Take(n ∈ {1, 2})
  n ≤ heap → heap = heap − n ∧ player = 3 − player
GameOver(over)
  over ∧ player = 1 → winner = 2
  over ∧ player = 2 → winner = 1
"""

    assert table(found(text)) == {
        "Player 1": ("player = 1", "1", ""),
        "Player 2": ("player = 2", "2", ""),
    }


def test_without_turns_the_rules_tell_who_plays() -> None:
    system = meant(TWO)

    checked = players.with_players(system, [], given={})

    assert checked.value is not None
    assert list(table(checked.value)) == ["ex", "oh"]


def test_a_turn_that_the_end_passes_on_is_the_turn() -> None:
    text = TWO.replace(" ∧ turn = false", "").replace(" ∧ turn = true", "")
    text += "  ¬over → turn = ¬turn\n"

    assert list(table(found(text))) == ["ex", "oh"]


def test_a_rule_that_looks_at_one_set_does_not_outweigh_a_name() -> None:
    text = TWO.replace("xposn", "Alpha").replace("oposn", "Beta")
    text = text.replace("ex", "Alpha Wins").replace("oh", "Beta Wins")
    text = text.replace("1 ∈ Alpha", "1 ∉ Beta")
    text = text.replace("Alpha = Alpha ∪ {p}", "Alpha = {p}")

    assert list(table(found(text))) == ["Alpha", "Beta"]


def test_ordinals_are_the_order_of_play() -> None:
    text = HEAP.replace("A wins", "second player wins").replace("B wins", "first player wins")

    assert said(text) == []
    assert list(table(found(text))) == ["first player", "second player"]


def test_the_name_of_the_turn_names_who_moves_when_it_holds() -> None:
    text = HEAP.replace("turn", "white_moves").replace("A wins", "Black wins")
    text = text.replace("B wins", "White wins")

    assert said(text) == []
    assert list(table(found(text))) == ["White", "Black"]


def test_a_puzzle_with_two_sides_has_one_player() -> None:
    text = """
Applicable Sets
  Thing : {wolf, goat, man}
  V : {true, false}
System Variables
  Near, Far ⊆ Thing
  boat ∈ {near, far}
  over ∈ V
System Facts
  over ↔ Near = ∅
System Initialization
  Near = Thing
  Far = ∅
  boat = near
System States and Behavior
Cross(what ∈ Thing)
  boat = near ∧ what ∈ Near → Near = Near − {what} ∧ Far = Far ∪ {what} ∧ boat = far
  boat = far ∧ what ∈ Far → Far = Far − {what} ∧ Near = Near ∪ {what} ∧ boat = near
End(over)
  result ∈ {across}
  over → result = across
"""

    system = found(text, {"order": "at once"})

    assert table(system) == {"Player": ("true", "across", "")}


def test_named_players_whose_results_have_other_names_are_asked_for_their_results() -> None:
    checked = with_players(HEAP, {"players": "Zoe when turn, Max when ¬turn"})

    assert codes_of(checked.diagnostics) == ["Z540"]
    assert checked.diagnostics[0].help == (
        "add to the Reading section `result A wins: Zoe wins` and `result B wins: Max wins`"
    )


@pytest.mark.parametrize("text", [TWO, HEAP, THREE], ids=["two", "heap", "three"])
def test_a_document_that_lost_a_line_still_has_players(text: str) -> None:
    lines = text.splitlines()

    for index in range(len(lines)):
        rest = "\n".join(lines[:index] + lines[index + 1 :])
        checked = players.with_players(meant(rest), [], given={})

        assert checked.value is not None
        assert checked.value.players


def test_rivals_without_turns_are_asked_for_and_nobody_wins() -> None:
    text = HEAP.replace(" ∧ turn = ¬turn", "").replace("over ∧ turn →", "over ∧ heap = 0 →")
    text = text.replace("over ∧ ¬turn →", "over ∧ heap = 1 →")

    checked = with_players(text)

    assert codes_of(checked.diagnostics) == ["Z540"]
    assert checked.diagnostics[0].message == "A and B can win, but nothing says whose turn it is"
    assert checked.value is not None
    assert table(checked.value) == {"Player": ("true", "", "")}


def test_a_counter_says_nothing_about_turns() -> None:
    text = """
Applicable Sets
  B : {true, false}
System Variables
  n ∈ {0..5}
  over ∈ B
System Facts
  over ↔ (n = 5)
System Initialization
  n = 0
System States and Behavior
Step()
  n < 5 → n = n + 1
GameOver(over)
  result ∈ {odd, even}
  over ∧ n = 5 → result = odd
  over ∧ n = 4 → result = even
"""

    assert [to_text(p.turn) for p in found(text).players] == ["true"]


CAPTURES = """
Applicable Sets
  P : {1..4}
  V : {true, false}
System Variables
  Black, White ⊆ P
  turn, over ∈ V
System Facts
  over ↔ (Black ∪ White = P)
System Initialization
  Black, White = ∅
  turn = true
System States and Behavior
Take(p ∈ P)
  turn ∧ p ∉ Black ∪ White → Black = Black ∪ {p} ∧ turn = false
  ¬turn ∧ p ∉ Black ∪ White → White = White ∪ {p} ∧ turn = true
EndGame(over)
  result ∈ {Black captures, White captures, full}
  over ∧ 1 ∈ Black → result = Black captures
  over ∧ 1 ∈ White → result = White captures
"""


def outcomes(system: System) -> dict[str, tuple[list[str], list[str]]]:
    """What each player wins and loses with."""
    return {
        p.name: ([shown(v) for v in p.wins], [shown(v) for v in p.loses]) for p in system.players
    }


def test_a_result_belongs_to_the_player_whose_set_begins_it() -> None:
    checked = with_players(CAPTURES)

    assert checked.value is not None
    assert outcomes(checked.value) == {
        "Black": (["Black captures"], []),
        "White": (["White captures"], []),
    }
    (asked,) = checked.diagnostics
    assert asked.message == (
        "what `Black captures` and `White captures` mean is not said; what `full` means is not said"
    )
    assert asked.notes == (
        "assumed: with `Black captures` Black wins and with `White captures` White wins",
        "assumed: a draw, as everybody has another word: `full`",
    )
    assert asked.help is not None
    assert asked.help.endswith("`result full: draw`")


def test_two_verbs_of_one_player_are_asked_for() -> None:
    checked = with_players(CAPTURES.replace("full}", "Black encircles}"))

    assert checked.value is not None
    assert outcomes(checked.value) == {"Black": ([], []), "White": ([], [])}
    (asked,) = checked.diagnostics
    assert asked.notes == (
        "assumed: nobody wins and nobody loses with "
        "`Black captures`, `White captures` and `Black encircles`",
    )


def test_what_a_verb_means_can_be_told() -> None:
    told = {"result Black captures": "Black wins", "result White captures": "White wins"}

    checked = with_players(CAPTURES, {**told, "result full": "draw"})

    assert checked.diagnostics == ()


BUSTS = """
Applicable Sets
  K : {1..4}
System Variables
  Used ⊆ K
  who ∈ {ann, bob, cid}
  over ∈ {true, false}
System Facts
  over ↔ (Used = K)
System Initialization
  Used = ∅
  who = ann
System States and Behavior
Draw(card ∈ K)
  card ∉ Used ∧ who = ann → Used = Used ∪ {card} ∧ who = bob
  card ∉ Used ∧ who = bob → Used = Used ∪ {card} ∧ who = cid
  card ∉ Used ∧ who = cid → Used = Used ∪ {card} ∧ who = ann
EndGame(over)
  result ∈ {“ann busts”, “bob busts”, “cid busts”}
  over ∧ who = bob → result = “ann busts”
  over ∧ who = cid → result = “bob busts”
  over ∧ who = ann → result = “cid busts”
"""


def test_a_losing_verb_behind_the_turns_word_is_a_loss_and_said() -> None:
    checked = with_players(BUSTS, {"order": "at once"})

    assert checked.value is not None
    assert outcomes(checked.value) == {
        "ann": ([], ["ann busts"]),
        "bob": ([], ["bob busts"]),
        "cid": ([], ["cid busts"]),
    }
    (asked,) = checked.diagnostics
    assert asked.help is not None
    assert "`result ann busts: ann loses`" in asked.help


def test_words_that_differ_in_how_they_begin_begin_with_names() -> None:
    text = CAPTURES.replace("Black captures", "Red has more").replace(
        "White captures", "Blue has more"
    )

    checked = with_players(text)

    assert checked.value is not None
    assert sorted(p.name for p in checked.value.players) == ["Blue", "Red"]


FERRY = """
Applicable Sets
  Bank : {near, far}
  Thing : {goat, man}
  V : {true, false}
System Variables
  Near, Far ⊆ Thing
  boat ∈ Bank
  over ∈ V
System Facts
  over ↔ Near = ∅
System Initialization
  Near = Thing
  Far = ∅
  boat = near
System States and Behavior
Cross(what ∈ Thing)
  boat = near ∧ what ∈ Near → Near = Near − {what} ∧ Far = Far ∪ {what} ∧ boat = far
  boat = far ∧ what ∈ Far → Far = Far − {what} ∧ Near = Near ∪ {what} ∧ boat = near
End(over)
  result ∈ {across}
  over → result = across
"""


def test_two_sides_of_a_puzzle_with_one_result_are_one_player() -> None:
    checked = with_players(FERRY, {"order": "at once"})

    assert checked.value is not None
    assert len(checked.value.players) == 1


PARITY = """
Applicable Sets
  P : {1..4}
System Variables
  used ⊆ P
  turn, over ∈ {true, false}
  moves ∈ {0..4}
System Facts
  over ↔ moves = 4
System Initialization
  used = ∅
  turn = true
  moves = 0
System States and Behavior
Take(m ∈ P)
  turn ∧ m ∈ {1, 3} ∨ ¬turn ∧ m ∈ {2, 4} → used = used ∪ {m} ∧ moves = moves + 1 ∧ turn = ¬turn
GameOver(over)
  result ∈ {plain wins, fancy wins}
  1 ∈ used → result = fancy wins
  1 ∉ used → result = plain wins
"""


def test_whose_turns_make_the_rule_of_a_winner_true_is_assumed_and_asked_for() -> None:
    checked = with_players(PARITY)

    assert checked.value is not None
    first, second = checked.value.players
    assert (first.name, second.name) == ("fancy", "plain")
    assert first.evidence == ("`fancy wins`: what its rule asks for comes true in no other turns",)
    assert second.evidence == ()
    # A number that is to be avoided would be written in the same way.
    assert checked.value.unsaid is not None
    assert checked.value.unsaid.startswith("who is fancy and who is plain is not said; add to")


def test_a_rule_that_asks_whose_turn_it_is_tells_nobody_apart() -> None:
    text = PARITY.replace("1 ∈ used →", "turn →").replace("1 ∉ used →", "¬turn →")
    checked = with_players(text)

    assert checked.value is not None
    assert checked.value.unsaid is not None
    assert checked.value.unsaid.startswith("who is fancy and who is plain is not said; add to")


def test_whoever_a_loser_is_has_lost() -> None:
    text = """
Applicable Sets
  H : {0..5}
  P : {Ada, Bea}
System Variables
  heap ∈ H
  player ∈ P
  over ∈ {true, false}
System Facts
  over ↔ heap = 0
System Initialization
  heap = 5
  player = Ada
System States and Behavior
Take(n ∈ {1, 2})
  n ≤ heap ∧ player = Ada → heap = heap − n ∧ player = Bea
  n ≤ heap ∧ player = Bea → heap = heap − n ∧ player = Ada
GameOver(over)
  loser ∈ {Ada, Bea}
  over → loser = player
"""
    checked = with_players(text, {"order": "at once"})

    assert checked.value is not None
    assert outcomes(checked.value) == {"Ada": ([], ["Ada"]), "Bea": ([], ["Bea"])}
