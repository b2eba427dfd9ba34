"""Who plays a net, said from outside."""

from pathlib import Path

import pytest

from tests.support.prod import HEAP
from tests.support.project import ROOT
from zermelo.api import loading, questions
from zermelo.api.game import Game
from zermelo.api.loaded import playable_model
from zermelo.core.machine import Ending
from zermelo.core.signature import BY_CALLER, BY_FILE, WrongReading
from zermelo.core.state import Move
from zermelo.engines.solve.values import ValueKind
from zermelo.languages.nets.model import NetModel
from zermelo.text.errors import MoveNotAllowed, UsageError

TURNS = "first when turn has <.1.>, second when turn has <.2.>"
GAMES = ROOT / "games" / "tic-tac-toe-net"


def _heap(**readings: str) -> Game:
    given = {name.replace("_", " "): choice for name, choice in readings.items()}
    return loading.load_text(HEAP, name="heap.net", readings={"players": TURNS, **given})


def _beside(folder: Path, text: str, net: str = HEAP) -> Game:
    (folder / "heap.net").write_text(net, encoding="utf-8")
    (folder / "heap.reading").write_text(text, encoding="utf-8")
    return loading.load(folder / "heap.net")


def test_a_file_beside_a_net_says_who_plays_it(tmp_path: Path) -> None:
    game = _beside(
        tmp_path, f"Reading\n  players: {TURNS}\n  stuck player: loses  // nothing left\n"
    )

    assert game.players == ("first", "second")
    assert [(each.name, each.decided_by, each.reason) for each in game.readings] == [
        ("players", BY_FILE, ""),
        ("stuck player", BY_FILE, "nothing left"),
    ]
    assert not game.diagnostics


def test_a_caller_counts_before_the_file(tmp_path: Path) -> None:
    _beside(tmp_path, f"Reading\n  players: {TURNS}\n  stuck player: loses\n")

    game = loading.load(tmp_path / "heap.net", readings={"stuck player": "draws"})

    (_, stuck) = game.readings
    assert (stuck.choice, stuck.decided_by) == ("draws", BY_CALLER)


def test_a_file_that_is_named_counts_instead_of_the_one_beside(tmp_path: Path) -> None:
    _beside(tmp_path, f"Reading\n  players: {TURNS}\n")
    other = tmp_path / "other.reading"
    other.write_text("Reading\n  players: Solver\n", encoding="utf-8")

    assert loading.load(tmp_path / "heap.net", reading_file=other).players == ("Solver",)


def test_the_player_in_turn_follows_from_the_marking() -> None:
    machine = _heap().machine
    after = machine.after(machine.initial, Move("one", (1,)))

    names = [machine.player(state) for state in (machine.initial, after)]

    assert [each.name for each in names if each] == ["first", "second"]


def test_a_result_ends_the_play() -> None:
    # With one token left the player in turn could go on, had the other not won already.
    machine = _heap(first_wins="|heap| == 1 && turn has <.2.>").machine
    after = machine.after(machine.initial, Move("two", (1,)))

    outcome = machine.outcome(after)

    assert outcome is not None
    assert (outcome.ending, outcome.winners, outcome.losers) == (
        Ending.WIN,
        ("first",),
        ("second",),
    )
    assert machine.is_over(after)
    assert machine.legal(after) == ()
    assert machine.faults(after) == {}
    with pytest.raises(MoveNotAllowed, match="the play is over"):
        machine.after(after, Move("one", (2,)))


@pytest.mark.parametrize(
    ("stuck", "ending", "winners"),
    [
        ("loses", Ending.WIN, ("second",)),
        ("draws", Ending.DRAW, ()),
        ("reported", Ending.STUCK, ()),
    ],
)
def test_a_stuck_player_loses_or_draws(
    stuck: str, ending: Ending, winners: tuple[str, ...]
) -> None:
    machine = _heap(stuck_player=stuck).machine
    state = machine.initial
    for move in (Move("one", (1,)), Move("two", (2,))):
        state = machine.after(state, move)

    outcome = machine.outcome(state)

    assert outcome is not None
    assert (outcome.ending, outcome.winners) == (ending, winners)


def test_the_heap_of_three_is_solved() -> None:
    # By hand: one and two, or two and one, are taken, and then nothing is left.
    value = questions.solve(_heap(stuck_player="loses")).root

    assert (value.kind, value.plies) == (ValueKind.LOSS, 2)


@pytest.mark.parametrize(
    ("net", "positions", "counts", "plies"),
    [
        # Counted by a program of its own, which plays on tuples of nine numbers.
        ("tic-tac-toe-net", 5549, (2469, 1851, 1229), 6),
        ("tic-tac-toe-diagonal", 5478, (2836, 1068, 1574), 8),
    ],
)
def test_tic_tac_toe_as_a_net_is_solved(
    net: str, positions: int, counts: tuple[int, int, int], plies: int
) -> None:
    game = loading.load(GAMES / f"{net}.net", reading_file=GAMES / "players.reading")

    solution = questions.solve(game)

    kinds = (ValueKind.WIN, ValueKind.DRAW, ValueKind.LOSS)
    assert (solution.root.kind, solution.root.plies) == (ValueKind.DRAW, plies)
    assert tuple(solution.counted[0].by_kind[kind] for kind in kinds) == counts
    assert solution.states == positions


def test_without_players_solving_says_what_to_write() -> None:
    with pytest.raises(UsageError, match="write `players: NAME when CONDITION") as caught:
        questions.solve(loading.load_text(HEAP, name="heap.net"))

    assert "ends in `.reading`" in str(caught.value)


def test_without_results_solving_says_what_to_write() -> None:
    with pytest.raises(
        UsageError, match="who wins heap is not known; write `NAME wins: CONDITION`"
    ):
        questions.solve(_heap())


@pytest.mark.parametrize(
    ("name", "choice", "sentence"),
    [
        ("players", "first, second", "this does not say who plays, and when"),
        ("players", "a when all, a when all", "a player is named twice"),
        ("players", "a when nosuch has <.1.>", "there is no place `nosuch`"),
        ("first wins", "%1", "`%1` is about a graph, and not about one marking"),
        ("third wins", "all", "nobody is called `third`"),
        ("stuck player", "passes", "no choice of the reading `stuck player`"),
        ("order", "at once", "heap.net has no reading `order`"),
    ],
)
def test_a_caller_is_told_what_cannot_be_used(name: str, choice: str, sentence: str) -> None:
    with pytest.raises(WrongReading) as raised:
        loading.load_text(HEAP, name="heap.net", readings={"players": TURNS, name: choice})

    assert sentence in str(raised.value)


@pytest.mark.parametrize(
    ("line", "code", "column"),
    [
        ("players: first, second", "Z541", 12),
        ("first wins: |heep| == 1", "Z665", 15),
        ("third wins: all", "Z542", 3),
        ("stuck player: passes", "Z531", 17),
        ("colour: red", "Z530", 3),
    ],
)
def test_a_line_of_the_file_that_cannot_be_used_is_said_at_its_place(
    tmp_path: Path, line: str, code: str, column: int
) -> None:
    text = f"Reading\n  {line}\n"
    if not line.startswith("players"):
        text += f"  players: {TURNS}\n"

    (said,) = _beside(tmp_path, text).diagnostics

    assert said.code.id == code
    assert said.source is not None
    assert said.source.name == "heap.reading"
    assert said.primary is not None
    assert said.source.line_of(said.primary.span.start) == 2
    assert said.source.column_of(said.primary.span.start) == column


def test_a_line_that_cannot_be_used_leaves_the_others(tmp_path: Path) -> None:
    game = _beside(
        tmp_path, f"Reading\n  players: {TURNS}\n  first wins: |\n  stuck player: draws\n"
    )

    assert [each.name for each in game.readings] == ["players", "stuck player"]


def test_it_is_asked_for_where_it_is_nobodys_turn() -> None:
    game = loading.load_text(
        HEAP,
        name="heap.net",
        readings={"players": "a when |heap| == 3, b when |heap| == 2", "stuck player": "loses"},
    )

    found = questions.check(game).diagnostics

    assert [(each.code.id, each.message) for each in found] == [("Z666", "it is nobody's turn")]


def test_two_results_at_once_are_told_with_the_play() -> None:
    game = _heap(first_wins="|heap| == 1", draw="heap == <..>")

    (found,) = questions.check(game).diagnostics

    assert found.code.id == "Z667"
    assert found.message == "`first wins` and `draw` hold at once"
    assert found.notes[0] == "after two <t: 1>"


def test_the_graph_of_a_net_is_the_same_whoever_plays_it() -> None:
    game = _heap(first_wins="|heap| == 1")
    model = playable_model(game)

    plain = playable_model(loading.load_text(HEAP, name="heap.net"))

    # By hand: 3, 2, 1 with either player in turn, and 0 with the first; the net goes on from 1.
    assert game.explore().states == 5
    assert loading.load_text(HEAP, name="heap.net").explore().states == 6
    assert isinstance(model, NetModel)
    assert model.token_game == plain


def test_a_transition_that_fires_only_beyond_the_end_is_no_dead_one() -> None:
    net = HEAP + "#trans rest\nin { turn: <.t.>; }\nout { turn: <.t.>; }\ngate t == 2;\n#endtr\n"
    readings = {"players": TURNS, "draw": "enabled rest"}

    game = loading.load_text(net, name="heap.net", readings=readings)

    assert not questions.check(game).diagnostics


def test_the_name_of_a_transition_is_enough_where_the_marking_decides_its_values() -> None:
    signature = playable_model(_heap()).signature

    assert [each.name_suffices for each in signature.moves] == [True, True]


def test_the_name_of_a_transition_is_not_enough_where_it_has_a_choice() -> None:
    net = "#place p mk(<.1.> + <.2.>)\n#trans take\nin { p: <.x.>; }\n#endtr\n"
    game = loading.load_text(net, name="some.net", readings={"players": "Solver"})

    assert [each.name_suffices for each in playable_model(game).signature.moves] == [False]


@pytest.mark.parametrize(
    "when",
    [
        "|heap| == 0",
        "heap == empty",
        "heap has <..>",
        "enabled two",
        "!(terminal || turn has <._.>)",
    ],
)
def test_a_net_with_players_is_compiled(when: str) -> None:
    made = playable_model(_heap(first_wins=when, stuck_player="loses")).expander()

    assert made.reason is None
    assert made.note == "compiled code"
    assert [str(each) for each in made.outcomes] == ["first wins"]


def test_what_only_a_firing_tells_is_compiled_and_asked_where_it_stays_open() -> None:
    game = loading.load(GAMES / "tic-tac-toe-net.net", reading_file=GAMES / "players.reading")
    made = playable_model(game).expander()

    assert made.reason is None
    # Loops that look at one state at a time take every verdict for one, and −1 is none.
    assert made.native is None
    # As many as in expected.toml, which other programs have counted.
    assert questions.solve(game).states == 5549


def test_how_one_wins_is_told_by_the_conditions_and_by_being_stuck() -> None:
    game = _heap(first_wins="|heap| == 0", draw="|heap| == 1", stuck_player="loses")
    told = playable_model(game).words.aim()

    assert [(each.ending, each.players, each.conditions) for each in told.goals] == [
        (
            Ending.WIN,
            ("first",),
            ("|heap| == 0", "it is second's turn and nothing can fire"),
        ),
        (Ending.DRAW, (), ("|heap| == 1",)),
        (Ending.WIN, ("second",), ("it is first's turn and nothing can fire",)),
    ]


def test_a_gate_that_keeps_a_transition_from_firing_is_shown() -> None:
    gated = HEAP.replace("#trans two\n", "#trans two\ngate t == 2;\n")
    game = loading.load_text(gated, name="heap.net")

    with pytest.raises(MoveNotAllowed, match="and it has a gate that asks for `t == 2`"):
        game.play("two")
