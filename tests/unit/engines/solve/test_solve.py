"""Solving: the value of every state is what brute force finds, cycles and several players too."""

import numpy as np
import pytest
from hypothesis import given, settings

from tests.support.expanders import compiled, heap, interpreter, listed
from tests.support.played_graphs import (
    DRAWN,
    NAMES,
    OPEN,
    OnGraph,
    Played,
    Spot,
    graphs,
    spot_state,
    values,
    won_by,
)
from tests.support.project import TESTS
from zermelo.api import loading, questions
from zermelo.core.adapter import MachineExpander
from zermelo.core.limits import INTERRUPTED, Limits
from zermelo.core.machine import Ending, Outcome
from zermelo.core.signature import Stuck
from zermelo.core.state import State
from zermelo.engines.solve.solution import Solution
from zermelo.engines.solve.solve import solve
from zermelo.engines.solve.values import Value, ValueKind
from zermelo.languages.sections.run.interpreter import Interpreter

DOCUMENTS = TESTS / "documents"
FIRST = np.array([0], dtype=np.int64)


def solved(played: Played) -> Solution:
    return solve(OnGraph(played), FIRST, threads=1)


def check_all(played: Played, solution: Solution) -> None:
    """Every value is that of brute force, for each player and each way to score the stuck."""
    for scoring in solution.scorings:
        for player in range(played.players):
            expected = values(played, player, scoring)
            for spot, (kind, plies) in expected.items():
                value = solution.value(spot_state(spot))
                scored = dict(value.scored).get(scoring.value, value)
                forced = {each.player: each for each in scored.forced}[NAMES[player]]
                assert (forced.kind, forced.plies) == (kind, plies), (spot, player, scoring)


@settings(max_examples=300, deadline=None)
@given(graphs())
def test_every_value_is_that_of_brute_force(played: Played) -> None:
    solution = solved(played)

    assert solution.is_complete
    assert solution.states == len(played.reachable)
    check_all(played, solution)


@settings(max_examples=150, deadline=None)
@given(graphs())
def test_going_over_all_states_finds_the_same(played: Played) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("zermelo.engines.solve.solve.MOST_MOVES", -1)
        check_all(played, solved(played))


@settings(max_examples=150, deadline=None)
@given(graphs(is_layered=True))
def test_every_value_of_a_layered_graph_is_that_of_brute_force(played: Played) -> None:
    solution = solved(played)

    assert solution.method == "backwards, level by level"
    check_all(played, solution)


@settings(max_examples=60, deadline=None)
@given(graphs())
def test_positions_are_counted_by_their_value_for_the_player_in_turn(played: Played) -> None:
    solution = solved(played)

    for counted, scoring in zip(solution.counted, solution.scorings, strict=False):
        expected: dict[ValueKind, int] = {}
        for spot in played.reachable:
            mover = 0 if played.players == 1 else played.spots[spot].player
            kind, _ = values(played, mover, scoring)[spot]
            expected[kind] = expected.get(kind, 0) + 1
        assert dict(counted.by_kind) == expected


@settings(max_examples=60, deadline=None)
@given(graphs())
def test_a_principal_line_has_the_length_of_its_value(played: Played) -> None:
    solution = solved(played)
    line = solution.line()
    if played.players > 2 or len(solution.scorings) > 1:
        return

    match solution.root:
        case Value(ValueKind.ENDLESS):
            assert line.returns_to is not None
        case Value(plies=plies):
            assert len(line.moves) == plies
            assert line.returns_to is None


# By hand


def test_whoever_can_win_wins_as_soon_as_possible() -> None:
    # From 0 to the end at 1, or round by 2 and 3.
    played = Played(
        (Spot(0, (2, 1)), Spot(1, (), won_by(0)), Spot(1, (3,)), Spot(0, (1,))),
    )

    assert solved(played).root == solved(played).value(spot_state(0))
    assert str(solved(played).root) == "win in 1"
    assert [str(each.value) for each in solved(played).moves()] == ["win in 3", "win in 1"]


def test_whoever_loses_loses_as_late_as_possible() -> None:
    played = Played(
        (Spot(0, (1, 2)), Spot(1, (), won_by(1)), Spot(1, (3,)), Spot(0, (1,))),
    )

    solution = solved(played)

    assert (str(solution.root), solution.root.winner) == ("loss in 3", "B")
    assert solution.best(spot_state(0)) == solution.moves()[1].move


def test_play_without_end_is_told_apart_from_a_draw_by_rule() -> None:
    # B can go back, or stop with a draw; at 3 nothing but going round is left.
    drawn = Played((Spot(0, (1,)), Spot(1, (0, 2)), Spot(0, (), DRAWN)))
    endless = Played((Spot(0, (1,)), Spot(1, (0,))))

    assert str(solved(drawn).root) == "draw in 2"
    assert str(solved(endless).root) == "endless"
    assert solved(endless).line().returns_to == 0


def test_a_move_may_leave_the_same_player_in_turn() -> None:
    # A moves twice; were it B's turn at 1, B would choose the draw.
    played = Played(
        (Spot(0, (1,)), Spot(0, (2, 3)), Spot(1, (), DRAWN), Spot(1, (), won_by(0))),
    )

    assert str(solved(played).root) == "win in 2"


def test_a_stuck_player_is_scored_both_ways_where_nothing_is_said() -> None:
    played = Played((Spot(0, (1,)), Spot(1)), stuck=Stuck.REPORTED)

    root = solved(played).root

    assert root.kind is ValueKind.UNKNOWN
    assert [(name, str(value)) for name, value in root.scored] == [
        ("loses", "win in 1"),
        ("draws", "draw in 1"),
    ]


@pytest.mark.parametrize(
    ("stuck", "value"), [(Stuck.LOSES, "win in 1"), (Stuck.DRAWS, "draw in 1")]
)
def test_a_stuck_player_is_scored_as_the_reading_says(stuck: Stuck, value: str) -> None:
    played = Played((Spot(0, (1,)), Spot(1)), stuck=stuck)

    assert str(solved(played).root) == value
    assert solved(played).root.scored == ()


def test_an_end_that_names_nobody_counts_as_a_draw_and_that_is_said() -> None:
    solution = solved(Played((Spot(0, (1,)), Spot(1, (), OPEN))))

    assert str(solution.root) == "draw in 1"
    assert solution.notes == ("plays that end without a result are counted as draws",)


def test_what_never_happens_is_not_spoken_of() -> None:
    # The open end cannot be reached.
    solution = solved(Played((Spot(0, (1,)), Spot(1, (), DRAWN), Spot(1, (), OPEN))))

    assert solution.notes == ()


def test_distances_may_be_longer_than_one_byte_tells() -> None:
    long = 150
    spots = [Spot(0, (at + 1, max(at - 1, 0))) for at in range(long)]

    solution = solve(OnGraph(Played((*spots, Spot(0, (), won_by(0, 1))), players=1)), FIRST)

    assert solution.root.plies == long
    assert solution.value(spot_state(long - 70)).plies == 70


def test_where_nobody_is_in_turn_there_is_no_value_and_it_is_said_what_is_missing() -> None:
    solution = solved(Played((Spot(0, (1,)), Spot(-1, (2,)), Spot(0, (), DRAWN))))

    assert solution.root.kind is ValueKind.UNKNOWN
    assert not solution.is_complete
    assert solution.cut is not None
    assert "players: A when turn, B when ¬turn" in solution.cut


def test_without_players_there_is_no_value() -> None:
    solution = solved(Played((Spot(-1),), players=0))

    assert solution.cut is not None
    assert "players: A when turn" in solution.cut
    assert solution.line().moves == ()


# Limits


def test_too_few_states_give_no_value() -> None:
    solution = solve(
        OnGraph(Played((Spot(0, (1,)), Spot(1, (2,)), Spot(0)))), FIRST, limits=Limits(states=2)
    )

    assert (solution.root.kind, solution.is_complete) == (ValueKind.UNKNOWN, False)
    assert solution.cut == "stopped at 2 states"
    assert solution.states == 2


def test_whoever_listens_can_stop_it() -> None:
    solution = solve(OnGraph(Played((Spot(0, (1,)), Spot(1)))), FIRST, listener=lambda _: True)

    assert (solution.root.kind, solution.cut) == (ValueKind.UNKNOWN, INTERRUPTED)


# Documents


@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_a_heap_of_a_multiple_of_three_is_lost(size: int) -> None:
    expander = listed(heap(size))
    first = expander.pack(interpreter(heap(size)).initial)

    root = solve(expander, first).root

    assert root.kind is (ValueKind.LOSS if size % 3 == 0 else ValueKind.WIN)


def test_a_kernel_and_several_threads_find_the_same() -> None:
    game = heap(40)
    machine = interpreter(game)
    slow, fast = listed(game), compiled(game, native=False)

    one = solve(slow, slow.pack(machine.initial))
    two = solve(fast, fast.pack(machine.initial), threads=3)

    assert (one.root, one.counted, one.line()) == (two.root, two.counted, two.line())


def test_tic_tac_toe_is_a_draw() -> None:
    game = loading.load("tic-tac-toe")
    counts = {ValueKind.WIN: 0, ValueKind.DRAW: 0, ValueKind.LOSS: 0}
    for value in plain_tic_tac_toe().values():
        counts[(ValueKind.LOSS, ValueKind.DRAW, ValueKind.WIN)[value + 1]] += 1

    solution = questions.solve(game, threads=1)

    assert (solution.root.kind, solution.root.plies) == (ValueKind.DRAW, 9)
    assert solution.states == 5478
    assert dict(solution.counted[0].by_kind) == counts


LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


def plain_tic_tac_toe() -> dict[str, int]:
    """The value of each position for whoever is to move, as anybody would program it."""
    found: dict[str, int] = {}

    def value(cells: str) -> int:
        if cells in found:
            return found[cells]
        mover, other = "XO" if cells.count("X") == cells.count("O") else "OX"
        if any(all(cells[int(at)] == other for at in line) for line in LINES):
            best = -1
        elif " " not in cells:
            best = 0
        else:
            best = max(
                -value(cells[:at] + mover + cells[at + 1 :]) for at in range(9) if cells[at] == " "
            )
        found[cells] = best
        return best

    value(" " * 9)
    return found


@pytest.mark.parametrize(
    "name",
    [
        "boxes.md",
        "capture.md",
        "invariant.md",
        "naturals.md",
        "nested.txt",
        "only-ascii.txt",
        "only-latex.tex",
        "three-players.md",
        "words.md",
    ],
)
def test_every_value_of_a_document_is_that_of_brute_force(name: str) -> None:
    machine = interpreter(loading.load(DOCUMENTS / name))
    expander = MachineExpander(machine)
    played, states = drawn_out(machine)

    solution = solve(expander, expander.pack(machine.initial), threads=1)

    assert solution.states == len(states)
    for scoring in solution.scorings:
        for player in range(played.players):
            expected = values(played, player, scoring)
            for spot, state in enumerate(states):
                value = solution.value(state)
                scored = dict(value.scored).get(scoring.value, value)
                forced = scored.forced[player]
                assert (forced.kind, forced.plies) == expected[spot]


def drawn_out(machine: Interpreter) -> tuple[Played, list[State]]:
    """The graph of a document, and its states."""
    names = [player.name for player in machine.system.players]
    states = [machine.initial]
    spots: list[Spot] = []
    for state in states:
        after = [machine.after(state, move) for move in machine.legal(state)]
        states += [each for each in dict.fromkeys(after) if each not in states]
        player = machine.player(state)
        spots.append(
            Spot(
                -1 if player is None else names.index(player.name),
                tuple(states.index(each) for each in after),
                renamed(machine.outcome(state), names),
            )
        )
    return Played(tuple(spots), len(names), machine.system.stuck), states


def renamed(outcome: Outcome | None, names: list[str]) -> Outcome | None:
    if outcome is None or outcome.ending is Ending.STUCK:
        return None
    winners = tuple(NAMES[names.index(name)] for name in outcome.winners)
    losers = tuple(NAMES[names.index(name)] for name in outcome.losers)
    return Outcome(outcome.ending, winners, losers)


def test_a_name_of_a_player_is_told_with_its_win() -> None:
    solution = questions.solve(loading.load(DOCUMENTS / "words.md"))

    assert solution.root.winner == "deep red"
    assert {each.player: str(each.kind.value) for each in solution.root.forced} == {
        "deep red": "win",
        "amber": "loss",
        "pale green": "loss",
    }
