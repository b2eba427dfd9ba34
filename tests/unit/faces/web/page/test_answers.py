"""What a page is told of a document: positions, reasons, traces, values, findings."""

from typing import Any

import pytest

from zermelo.faces.web.page.answers import Answers
from zermelo.faces.web.page.requests import (
    AskWhy,
    CheckDocument,
    ChooseMove,
    CompareReadings,
    Document,
    JudgeMoves,
    Question,
    ReadDocument,
    ReviewPlay,
    ShowAround,
    ShowPosition,
    ShowRules,
    ShowTrace,
    ShowTypical,
)
from zermelo.faces.web.page.store import Store
from zermelo.text.errors import MoveError, UsageError

ANSWERS = Answers()
HEAP = """\
Applicable Sets
  H : {0, 1, 2, 3}
  N : {1, 2}
System Variables
  heap ∈ H
  first, over ∈ {true, false}
System Facts
  over ↔ heap = 0
System Initialization
  heap = 3
  first = true
System States and Behavior
Take(n ∈ N)
  n ≤ heap → heap = heap − n ∧ first = ¬first
GameOver(over)
  result ∈ {first wins, second wins}
  over ∧ first → result = second wins
  over ∧ ¬first → result = first wins
"""
CORNER, MIDDLE, SIDE = "Mark((1, 1))", "Mark((2, 2))", "Mark((1, 2))"


def _of_library(name: str) -> Document:
    found = Store(None).find(name)
    assert found is not None
    return found


def _asked(question: Question) -> dict[str, Any]:
    return ANSWERS.answer(question, _of_library(question.document))


def test_a_document_is_told_with_its_players_its_moves_and_how_one_wins() -> None:
    told = _asked(ReadDocument(document="tic-tac-toe"))

    assert (told["name"], told["language"], told["loaded"]) == ("tic-tac-toe", "sections", True)
    assert told["title"] == "Tic-tac-toe"
    # Its own title is another than that of the library.
    assert _asked(ReadDocument(document="pegs"))["title"] == "Pegs"
    pegs = ANSWERS.answer(ReadDocument(document="p"), Document("p.md", "# CCDSTRU\n\nA game.\n"))
    assert pegs["title"] == "CCDSTRU"
    assert told["players"] == ["X", "O"]
    assert told["moves"] == [{"name": "Mark", "parameters": ["pos"]}]
    assert told["aim"][0]["pieces"][0] == ["X wins", "strong"]


def test_a_position_has_cells_with_places_and_moves_with_cells() -> None:
    told = _asked(ShowPosition(document="tic-tac-toe", moves=(CORNER,)))

    (board,) = told["picture"]["boards"]
    assert board["cells"][0][0] == {
        "marks": [{"text": "X", "tone": 0}],
        "last": True,
        "place": "(1, 1)",
    }
    assert board["cells"][0][1] == {"marks": [], "last": False, "place": "(1, 2)"}
    assert (told["player"], told["over"], told["count"]) == ("O", False, 8)
    assert told["legal"][0] == {
        "move": SIDE,
        "text": "(1, 2)",
        "name": "Mark",
        "parameters": ["pos"],
        "arguments": ["(1, 2)"],
        "cells": [[0, 0, 1]],
    }
    assert told["played"] == [{"move": CORNER, "text": "(1, 1)", "player": "X"}]
    assert "│[X]│" in told["picture"]["text"]


def test_moves_with_two_cells_and_moves_with_a_number_name_their_cells() -> None:
    pawns = _asked(ShowPosition(document="pawns"))["legal"][0]
    pegs = _asked(ShowPosition(document="pegs"))["legal"][0]

    assert (pawns["arguments"], pawns["cells"]) == (["(6, 2)", "(5, 1)"], [[0, 5, 1], [0, 4, 0]])
    assert (pegs["parameters"], pegs["cells"]) == (["peg", "pos"], [None, [0, 0, 0]])


def test_a_move_may_be_written_as_it_is_typed() -> None:
    told = _asked(ShowPosition(document="tic-tac-toe", moves=("2 2",)))

    assert told["played"][0]["move"] == MIDDLE


def test_a_play_that_is_over_says_what_decided_it() -> None:
    told = _asked(ShowPosition(document="tic-tac-toe", moves=("1 1", "2 1", "1 2", "2 2", "1 3")))

    assert (told["over"], told["outcome"], told["winners"]) == (True, "X wins", ["X"])
    assert told["legal"] == []
    assert "Decided by rule" in str(told["ending"])


def test_a_play_that_cannot_be_made_is_refused_at_its_move() -> None:
    with pytest.raises(MoveError, match=r"move 2 is not made: \(1, 1\) has no effect here"):
        _asked(ShowPosition(document="tic-tac-toe", moves=(CORNER, CORNER)))


def test_an_illegal_move_is_told_with_the_part_that_fails_and_its_value() -> None:
    told = _asked(AskWhy(document="tic-tac-toe", moves=(CORNER,), move="Mark (1, 1)"))

    said = "".join(text for text, _ in told["sentence"][0]["pieces"]).replace("\xa0", " ")
    assert not told["possible"]
    assert "has no effect here, so it is refused: rule 2 needs pos ∈ Free (pos = (1, 1)" in said
    assert told["lines"]


def test_the_rules_that_a_move_tried_are_told_with_whether_they_held() -> None:
    told = _asked(ShowRules(document="tic-tac-toe", moves=(CORNER,)))

    said = [line for stage in told["stages"] for line in stage["lines"]]
    tones = {tone for line in said for _, tone in line["pieces"]}
    assert {"good", "bad", "changed"} <= tones
    # The rule that puts the cross there is done before the turn is passed on.
    changing = [stage["picture"] for stage in told["stages"] if stage["changed"]]
    (board,) = changing[0]["boards"]
    assert [cell["marks"] for cell in board["cells"][0]] == [[{"text": "X", "tone": 0}], [], []]
    assert _asked(ShowRules(document="tic-tac-toe"))["stages"] == []


def test_a_long_trace_is_told_in_pieces() -> None:
    told = _asked(ShowTrace(document="tic-tac-toe", moves=(CORNER, MIDDLE, SIDE), first=2, count=1))

    assert (told["first"], told["count"], len(told["rows"])) == (2, 4, 1)
    assert (told["rows"][0]["move"], told["rows"][0]["changed"]) == (
        "(2, 2)",
        ["O", "turn", "Free"],
    )


def test_a_small_graph_is_told_whole_from_anywhere_in_it() -> None:
    heap = Document("heap.md", HEAP)
    near = ANSWERS.answer(ShowAround(document="heap", moves=("Take(1)",), plies=1), heap)
    told: Any = ANSWERS.answer(ShowAround(document="heap", moves=("Take(1)",), extent="all"), heap)

    # By hand: 3 first, 2 second, 1 first, 1 second, 0 first, 0 second; and six ways to take.
    assert near["small"] is True
    assert (len(told["nodes"]), len(told["arcs"]), told["cut"]) == (6, 6, False)
    assert [node["moves"] for node in told["nodes"] if node["here"]] == [["Take(1)"]]
    assert _asked(ShowAround(document="tic-tac-toe"))["small"] is False


def test_a_board_is_shaded_by_facts_and_by_named_sets_of_cells() -> None:
    told = _asked(ShowPosition(document="pawns"))

    # The cells of the two sides, the dark ones, and those where nothing stands.
    names = {each["name"]: len(each["cells"]) for each in told["shades"]}
    assert (names["E"], names["Y"], names["Free"]) == (5, 5, 25)
    assert "P" not in names


def test_a_trace_has_each_state_what_changed_and_what_was_pinned() -> None:
    told = _asked(ShowTrace(document="tic-tac-toe", moves=(CORNER, MIDDLE), pinned=("|Free|",)))

    assert [row["pinned"] for row in told["rows"]] == [["9"], ["8"], ["7"]]
    assert told["rows"][1]["changed"] == ["X", "turn", "Free"]
    assert told["rows"][2]["values"]["O"] == "{(2, 2)}"
    with pytest.raises(UsageError):
        _asked(ShowTrace(document="tic-tac-toe", pinned=("|Fre|",)))


def test_the_graph_around_a_position_has_its_states_by_ply() -> None:
    told = _asked(ShowAround(document="tic-tac-toe", moves=(CORNER,), plies=2))

    # By hand: one, then 8 answers, then pairs of a cross and a nought that share no cell: X has
    # 2 of 8 cells left for each O, and 8 · 7 orders give as many different boards.
    plies = [node["ply"] for node in told["nodes"]]
    assert [plies.count(each) for each in range(3)] == [1, 8, 56]
    assert len(told["arcs"]) == 8 + 56
    assert told["cut"] is False
    assert _asked(ShowAround(document="four-quadrants", plies=2))["cut"] is True


def test_a_typical_position_is_the_same_each_time_and_in_the_middle() -> None:
    first, second = (_asked(ShowTypical(document="pawns")) for _ in range(2))

    assert first == second
    assert first["plies"] > 2


def test_values_are_for_who_is_to_move_and_best_first() -> None:
    told = _asked(JudgeMoves(document="tic-tac-toe", moves=(CORNER, SIDE)))

    # Well known: after a corner and the side beside it, X wins with three of the seven moves.
    assert told["value"] == "X to move: wins in 5 plies"
    assert [each["kind"] for each in told["moves"]] == ["win"] * 3 + ["draw"] * 4
    assert all(each["proved"] for each in told["moves"])
    # Without a mistake it is over after these five plies, and each move of the line can be made.
    line = tuple(each["move"] for each in told["line"])
    end = _asked(ShowPosition(document="tic-tac-toe", moves=(CORNER, SIDE, *line)))
    assert (len(line), end["outcome"]) == (5, "X wins")


def test_a_review_finds_the_move_that_gave_the_game_away() -> None:
    told = _asked(ReviewPlay(document="tic-tac-toe", moves=(CORNER, SIDE)))

    assert [each["mistake"] for each in told["moves"]] == [False, True]
    assert told["moves"][1]["best"]["move"] == MIDDLE


@pytest.mark.parametrize("player", ["random", "search", "perfect"])
def test_whoever_plays_makes_a_move_that_can_be_made(player: str) -> None:
    question = ChooseMove(document="tic-tac-toe", moves=(CORNER,), seconds=1)
    object.__setattr__(question, "player", player)
    told = _asked(question)

    made = _asked(ShowPosition(document="tic-tac-toe", moves=(CORNER, told["move"])))
    assert made["played"][1]["player"] == "O"
    # After a corner only the middle does not lose.
    assert player == "random" or told["move"] == MIDDLE


def test_findings_open_at_their_plays() -> None:
    told = _asked(CheckDocument(document="tic-tac-toe"))

    assert told["complete"]
    shortest = {each["text"]: len(each["moves"]) for each in told["plays"]}
    assert shortest == {"X wins": 5, "O wins": 6, "draw": 9}
    for each in told["plays"]:
        end = _asked(ShowPosition(document="tic-tac-toe", moves=tuple(each["moves"])))
        assert end["outcome"] == each["text"]


def test_a_finding_has_the_play_that_leads_to_it() -> None:
    text = HEAP.replace("over ↔ heap = 0\n", "over ↔ heap = 0\n  heap ≠ 1\n")

    told: Any = ANSWERS.answer(CheckDocument(document="heap"), Document("heap.md", text))

    (broken,) = [each for each in told["diagnostics"] if each["code"] == "Z605"]
    assert broken["play"] == ["Take(2)"]


def test_another_reading_is_told_with_the_first_play_where_it_matters() -> None:
    told = _asked(CompareReadings(document="four-quadrants", readings={"order": "in order"}))

    # Read in order, the cell is not free any more when the turn would be passed on.
    assert (told["equal"], told["moves"]) == (False, ["NextPlayerMove((1, 1))"])
    assert (told["before"], told["after"]) == ("oh is in turn", "ex is in turn")
    same = {"order": "at once"}
    assert _asked(CompareReadings(document="tic-tac-toe", readings=same))["equal"] is True


def test_a_document_with_faults_is_told_with_them_and_gives_nothing_to_play() -> None:
    broken = Document("a.md", "Just a few words.\n")

    told = ANSWERS.answer(ReadDocument(document="a"), broken)

    diagnostics: Any = told["diagnostics"]
    assert told["loaded"] is False
    assert any(each["severity"] == "error" for each in diagnostics)
    with pytest.raises(UsageError):
        ANSWERS.answer(ShowPosition(document="a"), broken)


def test_a_net_is_played_by_its_firings() -> None:
    told = _asked(ShowPosition(document="tic-tac-toe-net"))

    assert (told["noun"], told["player"]) == ("firing", "x")
    # The board is that of the file of readings in its folder; a firing stands for what it changes.
    assert told["legal"][4]["name"] == "m22"
    assert told["legal"][4]["cells"] == [[0, 1, 1]]
    fired = _asked(ShowPosition(document="tic-tac-toe-net", moves=(told["legal"][4]["move"],)))
    (board,) = fired["picture"]["boards"]
    assert [mark["text"] for mark in board["cells"][1][1]["marks"]] == ["x"]


def test_facts_that_are_sets_of_cells_can_shade_the_board() -> None:
    told = _asked(ShowPosition(document="tic-tac-toe", moves=(CORNER,)))

    (free,) = told["shades"]
    assert free["name"] == "Free"
    assert len(free["cells"]) == 8
    assert [0, 0, 0] not in free["cells"]


def test_a_program_is_drawn_with_its_shapes() -> None:
    told = _asked(ShowPosition(document="tic-tac-toe-led"))

    kinds = [each["kind"] for each in told["picture"]["canvas"]["shapes"]]
    assert kinds.count("text") >= 2
    assert told["player"] == "x"
