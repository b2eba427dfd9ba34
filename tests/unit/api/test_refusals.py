"""What only some languages can is refused by the others, each time in a sentence."""

from collections.abc import Callable

import pytest

from tests.support.command import zermelo
from tests.support.project import ROOT
from zermelo.api import loading, questions, texts
from zermelo.api.game import Game
from zermelo.api.loaded import playable_model
from zermelo.api.texts import TextFormat
from zermelo.core.limits import Limits
from zermelo.core.stage import NoWindow
from zermelo.text.errors import DocumentNotUsable, UsageError
from zermelo.text.source import Notation

ANSWERS = "/$\nsquare(n) := n*n\n$/"
PLAYERS = ROOT / "games" / "tic-tac-toe-net" / "players.reading"
UNBOUNDED = "#place p\n#trans make\nout { p: <..>; }\n#endtr\n"


def test_solving_a_net_says_how_players_are_said_for_a_net() -> None:
    with pytest.raises(UsageError, match="it is not known who plays tic-tac-toe-net") as caught:
        questions.solve(loading.load("tic-tac-toe-net"))

    assert "write `players: NAME when CONDITION, NAME when CONDITION`" in str(caught.value)
    assert "ends in `.reading`" in str(caught.value)


def test_the_command_line_ends_with_2_where_nobody_plays() -> None:
    for arguments in ((), ("--json",)):
        ran = zermelo("solve", "tic-tac-toe-net", *arguments)

        assert (ran.code, ran.out) == (2, "")
        assert "it is not known who plays tic-tac-toe-net" in ran.err


@pytest.mark.parametrize("opponent", ["random", "search", "mcts", "perfect"])
def test_nobody_can_be_played_against_where_nobody_plays(opponent: str) -> None:
    ran = zermelo("play", "tic-tac-toe-net", "--opponent", opponent, typed="quit\n")

    said = " ".join(ran.err.split())
    assert (ran.code, ran.out) == (2, "")
    assert "write `players: NAME when CONDITION, NAME when CONDITION`" in said


@pytest.mark.parametrize("opponent", ["random", "perfect"])
def test_a_net_is_played_against_an_opponent_where_players_are_said(opponent: str) -> None:
    ran = zermelo(
        *("play", "tic-tac-toe-net", "--reading", str(PLAYERS), "--opponent", opponent),
        typed="m22\nquit\n",
    )

    assert (ran.code, ran.err) == (0, "")
    assert "x: m22\no (" in ran.out
    assert "│ x │" in ran.out


def test_a_program_without_players_names_its_readings() -> None:
    game = loading.load("tic-tac-toe-led", readings={"players": "nobody"})

    with pytest.raises(UsageError, match="--reading 'players=one player'"):
        questions.solve(game)


@pytest.mark.parametrize("name", ["tic-tac-toe-led", "tic-tac-toe-net"])
def test_symmetries_are_those_of_documents_with_sections(name: str) -> None:
    game = loading.load(name)
    with pytest.raises(UsageError, match="only in documents with sections"):
        questions.explore(game, limits=Limits(states=10), symmetry="turn")

    found = playable_model(game).symmetries()
    assert found.why_not == "symmetries are found only in documents with sections"


@pytest.mark.parametrize("name", ["tic-tac-toe", "tic-tac-toe-net"])
def test_only_programs_run_in_a_window(name: str) -> None:
    with pytest.raises(NoWindow, match=f"{name} has no frames"):
        playable_model(loading.load(name)).stage(None)


@pytest.mark.parametrize("name", ["tic-tac-toe", "tic-tac-toe-led"])
@pytest.mark.parametrize("form", ["pnml", "prod", "dot"])
def test_only_nets_are_written_as_nets(name: str, form: str) -> None:
    with pytest.raises(UsageError, match="is not a net"):
        texts.export_text(loading.load(name), TextFormat(form))


def test_what_was_not_understood_says_so_before_a_net_is_asked_for() -> None:
    for game in (loading.load_text("Nothing here.\n"), loading.load_text(ANSWERS, name="a.led")):
        with pytest.raises(DocumentNotUsable):
            texts.export_text(game, TextFormat.PNML)


@pytest.mark.parametrize(
    ("form", "not_written"),
    [
        ("latex", "as LaTeX"),
        ("unicode", "with the signs of mathematics"),
        ("led", "as an LED program"),
    ],
)
def test_a_net_says_which_formats_it_is_written_in(form: str, not_written: str) -> None:
    with pytest.raises(
        UsageError, match=f"is not written {not_written}, but as PNML .*prod.* or .*dot"
    ):
        texts.export_text(loading.load("tic-tac-toe-net"), TextFormat(form))


@pytest.mark.parametrize("notation", [None, *Notation])
def test_a_net_has_no_canonical_form(notation: Notation | None) -> None:
    with pytest.raises(UsageError, match=r"no canonical form as a text; `zermelo export` writes"):
        texts.format_text(loading.load("tic-tac-toe-net"), to=notation)


def test_only_programs_have_a_source_form() -> None:
    with pytest.raises(UsageError, match=r"pegs\.md is no LED program"):
        texts.export_text(loading.load("pegs"), TextFormat.LED)


def test_nets_have_no_expressions() -> None:
    with pytest.raises(UsageError, match="is no document with sections"):
        texts.expression(loading.load("tic-tac-toe-net"), "1 + 1")


def test_a_net_without_end_is_not_explored_without_limits() -> None:
    game = loading.load_text(UNBOUNDED, name="some.net")

    with pytest.raises(UsageError, match="the net is unbounded"):
        questions.explore(game)
    assert questions.explore(game, limits=Limits(states=5)).states == 5


def test_a_program_that_is_no_game_is_not_played() -> None:
    game = loading.load_text(ANSWERS, name="answers.led")

    assert game.model is not None
    asked: list[Callable[[Game], object]] = [
        questions.explore,
        questions.graph,
        questions.solve,
        questions.readings_table,
        lambda game: game.machine,
        lambda game: questions.plays(game, 1),
    ]
    for ask in asked:
        with pytest.raises(DocumentNotUsable, match=r"answers\.led is an LED program, but no game"):
            ask(game)


@pytest.mark.parametrize("name", ["tic-tac-toe-led", "tic-tac-toe-net"])
def test_other_languages_leave_no_rules_open(name: str) -> None:
    assert questions.readings_table(loading.load(name)) == ()
