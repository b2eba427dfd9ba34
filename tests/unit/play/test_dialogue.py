"""A play at a prompt."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeGuard

import pytest

from tests.support.boards import rows
from tests.support.models import words
from zermelo.core.limits import Listener, Progress
from zermelo.core.picture import Picture
from zermelo.core.prompt import Prompt, Shown
from zermelo.core.state import State
from zermelo.engines.solve.values import ValueKind
from zermelo.play.advice import Advice, Advised, AdvisedPlayer, RandomPlayer
from zermelo.play.dialogue import PlayDialogue
from zermelo.play.session import Session
from zermelo.text.budget import SEARCHING
from zermelo.text.prose import Line


def prompt(*, evaluates: bool = False, against: str | None = None, seed: int = 0) -> Prompt:
    """A play on three by three cells, which may be *against* a random player of that name."""
    opponents = {} if against is None else {against: RandomPlayer(3)}
    session = Session(words(rows()))
    return Prompt(PlayDialogue(session, opponents=opponents, evaluates=evaluates, seed=seed))


def shown(prompt: Prompt, typed: str) -> list[Shown]:
    return list(prompt.answer(typed))


def test_a_move_is_made_and_the_position_shown() -> None:
    answer = shown(prompt(), "1 1")

    assert sum(isinstance(each, Picture) for each in answer) == 1
    assert prompt().ask("1 1").splitlines()[0] == "Cross: (1, 1)"
    assert prompt().ask("1 1").endswith("Nought to move.")


def test_a_play_begins_with_how_one_wins() -> None:
    first = [each.text for each in prompt().interaction.greeting(invites=True) if has_text(each)]

    assert "Cross wins when ∃r ∈ N: {r} × N ⊆ Cross." in first
    against = prompt(against="Cross").interaction.greeting(invites=True)
    said = [each.text for each in against if has_text(each)]
    assert said[1] == "You (Nought) win when ∃r ∈ N: {r} × N ⊆ Nought."
    assert said[2] == "Cross wins when ∃r ∈ N: {r} × N ⊆ Cross."


def has_text(part: Shown) -> TypeGuard[Line]:
    return isinstance(part, Line)


class Solver:
    """Solves first, and is told how far a search has come."""

    name = "solver"

    def __init__(self) -> None:
        self.preparation = "solving first"

    def values(self, state: State, *, listener: Listener | None = None) -> Advised:
        if listener is not None:
            listener(Progress(1, 2, 0, 1.0, phase=SEARCHING))
            listener(Progress(1, 2, 0, 1.0))
        self.preparation = ""
        moves = tuple(Advice(move, ValueKind.UNKNOWN) for move in MACHINE.legal(state)[:2])
        return Advised(moves, "a guess", left_out=7)

    hint = values


MACHINE = words(rows()).machine


def test_advice_says_what_it_does_first_and_who_is_thinking() -> None:
    told: list[str] = []
    solver = Solver()

    @contextmanager
    def listening() -> Iterator[Listener]:
        def listen(progress: Progress, /) -> bool | None:
            told.append(progress.phase)
            return None

        yield listen

    asked = Prompt(
        PlayDialogue(
            Session(words(rows())),
            opponents={"Nought": AdvisedPlayer(solver)},
            adviser=lambda: solver,
            listening=listening,
        )
    )
    assert asked.ask("values").splitlines() == [
        "Solving first …",
        "  (1, 1)  not known",
        "  (1, 2)  not known",
        "  and 7 moves more, which did no better",
        "A guess.",
    ]
    assert not asked.ask("values").startswith("Solving")
    asked.ask("3 3")
    assert told == ["thinking", "exploring"] * 2 + ["Nought is thinking", "exploring"]


def test_the_prompt_is_whose_turn_it_is() -> None:
    asked = prompt()
    assert asked.interaction.prompt == "Cross> "

    asked.ask("1 1")

    assert asked.interaction.prompt == "Nought> "


def test_moves_are_taken_back_and_made_again_several_at_a_time() -> None:
    asked = prompt()
    for typed in ("1 1", "2 2", "3 3"):
        asked.ask(typed)

    assert asked.ask("undo 2").endswith("Nought to move.")
    assert asked.ask("history") == "   1. (1, 1)"
    assert asked.ask("redo 5").splitlines()[0] == "Made 2 moves again; there were no more."
    assert asked.ask("undo x") == "`x` is no number up to 100,000."
    assert asked.ask("restart").endswith("Cross to move.")
    assert asked.ask("undo") == "There is nothing to take back."


def test_moves_by_lot_depend_on_the_seed_and_end_with_the_play() -> None:
    one, other = prompt(seed=1), prompt(seed=1)

    assert one.ask("random 3") == other.ask("random 3")
    assert "The play is over: " in one.ask("random 9")
    assert one.interaction.prompt == "over> "
    assert one.ask("moves") == "No move is possible."


def test_an_opponent_answers_and_undo_takes_both_moves_back() -> None:
    asked = prompt(against="Nought")

    said = asked.ask("2 2").splitlines()
    assert said[1].startswith("Nought (random player, seed 3): ")
    assert asked.interaction.prompt == "Cross> "
    asked.ask("undo")
    assert asked.ask("history") == "No move has been made yet."


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("1 + 2", "3"),
        ("turn", "true"),
        ("Place((1, 1))", "Cross: (1, 1)"),
        ("2 2", "Cross: (2, 2)"),
        ("undo", "There is nothing to take back."),
        (":undo", "There is nothing to take back."),
        ("why", "say which move: `why MOVE`."),
        ("why 1 1", "(1, 1) can be made."),
        (":nothing", "There is no command `:nothing`; see `:help`."),
    ],
)
def test_where_it_evaluates_a_line_may_be_an_expression(typed: str, said: str) -> None:
    assert prompt(evaluates=True).ask(typed).splitlines()[0] == said


def test_only_saved_plays_are_written_over(tmp_path: Path) -> None:
    notes, play = tmp_path / "notes", tmp_path / "play"
    notes.write_text("zermelo play mine.md --moves x\n")
    play.write_text("zermelo play\n")

    assert prompt().ask(f"save {notes}").endswith("exists and is no saved play; it was left alone.")
    assert prompt().ask(f"save {play}") == f"Saved 0 moves in {play}."


@pytest.mark.parametrize("typed", ["save ~nobody-has-this-name/x", "load a\0b", "save a\0b"])
def test_a_name_that_no_file_can_have_is_said_and_the_play_goes_on(typed: str) -> None:
    asked = prompt()
    asked.ask("1 1")

    assert asked.ask(typed).endswith(("there is no such user.", "that no file can have."))
    assert asked.ask("history") == "   1. (1, 1)"
