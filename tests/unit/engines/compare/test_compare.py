"""Two models are compared exactly: plays that both have, who is in turn, outcomes, limits."""

from __future__ import annotations

import pytest

from tests.support.small_documents import heap_text
from zermelo.api import comparing, loading
from zermelo.api.game import Game
from zermelo.core.limits import Limits, Progress
from zermelo.core.state import Move
from zermelo.engines.compare.comparison import Parting
from zermelo.text.errors import UsageError

HEAP = heap_text(5)


def _game(text: str = HEAP, name: str = "heap.md") -> Game:
    return loading.load_text(text, name=name)


def test_a_game_is_the_same_as_itself() -> None:
    found = comparing.compare(_game(), _game())

    assert found.is_equal
    # heap 5 to 0 with either player: (5, first) and no more with 5, (4, second) …: counted by hand
    # as in explore: 5; 4 3; 3 2 1 (first); 2 1 0; 1 0; 0, players in turn.
    assert found.positions == _game().explore(progress=False).states
    assert found.differing == 0
    assert repr(found) == (
        "<Comparison: heap and the other heap are the same on moves and outcomes: 10 positions>"
    )


def test_a_move_that_is_legal_in_one_only_is_named_after_the_shared_play() -> None:
    other = HEAP.replace("n ≤ heap →", "n < heap →")

    found = comparing.compare(_game(), _game(other, "other.md"))

    shortest = found.shortest
    assert shortest is not None
    assert shortest.parting is Parting.MOVE
    # With two left both may be taken in one only; with one left, also after two moves, nobody can
    # move in the other, but that play comes later in the order of moves.
    assert shortest.play == shortest.other_play == (Move("Take", (1,)), Move("Take", (2,)))
    assert shortest.move == Move("Take", (2,))
    assert (shortest.first, shortest.second) == ("Take(2) is legal", "Take(2) is not legal")
    assert found.is_equal is False


def test_the_statistics_count_every_pair_once_by_how_it_differs() -> None:
    other = HEAP.replace(
        "over ∧ first → result = second wins", "over ∧ first → result = first wins"
    )

    found = comparing.compare(_game(), _game(other, "other.md"))

    # Of the states with an empty heap one has `first` in turn: the one that differs.
    assert [
        (each.parting, each.first, each.second, each.positions) for each in found.contrasts
    ] == [(Parting.OUTCOME, "second wins", "first wins", 1)]
    assert found.differing == 1


def test_another_player_in_turn_is_a_difference() -> None:
    other = HEAP.replace("heap = heap − n ∧ first = ¬first", "heap = heap − n ∧ first = (n = 1)")
    reading = "Reading\n  players: first when first, second when ¬first\n"

    found = comparing.compare(_game(HEAP + reading), _game(other + reading, "other.md"))

    shortest = found.shortest
    assert shortest is not None
    assert shortest.parting is Parting.PLAYER
    assert shortest.play == (Move("Take", (1,)),)
    assert (shortest.first, shortest.second) == ("second is in turn", "first is in turn")


def test_names_are_aligned_by_a_mapping_and_many_moves_may_be_one() -> None:
    other = (
        HEAP.replace("Take(n ∈ {1, 2})", "Draw(n ∈ {1, 2})")
        .replace("first wins", "Ann wins")
        .replace("second wins", "Bob wins")
        + "Reading\n  players: Ann when first, Bob when ¬first\n"
    )
    game, renamed = _game(), _game(other, "other.md")
    mapping = {"second": {"moves": {"Draw": "Take"}, "players": {"Ann": "first", "Bob": "second"}}}

    assert comparing.compare(game, renamed).is_equal is False
    assert comparing.compare(game, renamed, mapping=mapping).is_equal


SPLIT = """\
Applicable Sets
  S : {0..4}
  B : {true, false}
System Variables
  at ∈ S
  over ∈ B
System Facts
  over ↔ at ∈ {3, 4}
System Initialization
  at = 0
System States and Behavior
%s
GameOver(over)
  result ∈ {left, right}
  at = 3 → result = left
  at = 4 → result = right
Reading
  order: at once
  players: Ann when at ≥ 0
"""
# `go` leads to 1 or 2, from which only one end each is reached; or first to 1, and then to both.
EARLY = (
    SPLIT
    % """\
Go1(n ∈ {1, 2})
  at = 0 → at = n
End(n ∈ {3, 4})
  at = 1 ∧ n = 3 → at = 3
  at = 2 ∧ n = 4 → at = 4
"""
)
LATE = (
    SPLIT
    % """\
Go1(n ∈ {1})
  at = 0 → at = n
End(n ∈ {3, 4})
  at = 1 ∧ n = 3 → at = 3
  at = 1 ∧ n = 4 → at = 4
"""
)
ONE_LABEL = {"moves": {"Go1": "go()", "End": "end()"}}


def test_where_a_move_has_several_results_classes_of_positions_are_refined() -> None:
    early, late = _game(EARLY, "early.md"), _game(LATE, "late.md")
    both = {"first": ONE_LABEL, "second": ONE_LABEL}

    same = comparing.compare(early, early, mapping=both)
    assert same.is_equal
    assert same.sizes == (5, 5)
    found = comparing.compare(early, late, mapping=both)

    # The plays are the same, go and end, and so are the outcomes; but after `go` the early one
    # has decided already. By hand: 0, 1 and 2 of the one and 0 and 1 of the other have no like.
    assert found.is_equal is False
    assert found.sizes == (5, 4)
    assert found.differing == 5
    shortest = found.shortest
    assert shortest is not None
    assert [move.name for move in shortest.play] == ["Go1", "End"]
    assert [move.name for move in shortest.other_play] == ["Go1", "End"]
    assert {shortest.first, shortest.second} == {"over: left", "over: right"}


def test_a_limit_leaves_it_undecided_and_says_so() -> None:
    found = comparing.compare(_game(), _game(), limits=Limits(states=3))

    assert found.is_equal is None
    assert found.cut == "stopped at 3 positions"
    assert str(found).startswith("undecided whether heap and the other heap are the same")


def test_time_that_is_over_leaves_it_undecided() -> None:
    found = comparing.compare(_game(), _game(), limits=Limits(seconds=0.0))

    assert found.is_equal is None
    assert found.cut == "stopped after 0 seconds"


def test_a_difference_within_the_limits_is_a_difference() -> None:
    other = HEAP.replace("n ≤ heap →", "n ≤ heap ∧ n = 1 →")

    found = comparing.compare(_game(), _game(other, "other.md"), limits=Limits(depth=0))

    assert found.is_equal is False
    assert found.shortest is not None
    assert (found.shortest.play, found.shortest.move) == ((), Move("Take", (2,)))


def test_whoever_listens_may_stop_it() -> None:
    seen: list[Progress] = []

    def listen(progress: Progress) -> bool:
        seen.append(progress)
        return True

    found = comparing.compare(_game(), _game(), listener=listen)

    assert seen
    assert found.cut == "interrupted"
    assert found.is_equal is None


@pytest.mark.parametrize(
    ("mapping", "said"),
    [
        ({"third": {}}, "the mapping: a mapping has no table `third`"),
        ({"first": {"move": {}}}, "`first` has no key `move`; did you mean `moves`?"),
        ({"first": {"moves": {"Tale": "x"}}}, "heap has no move `Tale`; did you mean `Take`?"),
        ({"first": {"hide": "Take"}}, "`first.hide` is not a list of moves"),
        ({"first": {"moves": {"Take": 3}}}, "`first.moves`: `Take` stands for no text in quotes"),
        ({"second": {"players": {"Ann": "A"}}}, "heap has no player `Ann`"),
        ({"first": {"moves": {"Take(": "x"}}}, "`Take(` is no move"),
        ({"first": 1}, "`first` is no table"),
    ],
)
def test_a_mapping_that_is_wrong_is_refused_in_a_sentence(
    mapping: dict[str, object], said: str
) -> None:
    with pytest.raises(UsageError, match="mapping") as raised:
        comparing.compare(_game(), _game(), mapping=mapping)

    assert said in str(raised.value)


def test_hidden_moves_are_not_made_and_not_missed() -> None:
    other = HEAP.replace(
        "GameOver(over)", "Wait(n ∈ {0})\n  heap > n → heap = heap ∧ first = ¬first\nGameOver(over)"
    )
    game, waiting = _game(), _game(other, "waiting.md")

    assert comparing.compare(game, waiting).is_equal is False
    assert comparing.compare(game, waiting, mapping={"second": {"hide": ["Wait"]}}).is_equal
