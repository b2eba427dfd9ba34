"""``zermelo play``."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Final, TypedDict, Unpack

import click

from zermelo.api import questions
from zermelo.api.game import Game
from zermelo.api.loaded import model_of
from zermelo.core.commentary import Commentary, verdict_json
from zermelo.core.limits import Limits
from zermelo.core.machine import Machine, Turn, state_json, value_json
from zermelo.core.state import Move
from zermelo.faces.cli.loading import exit_code, load_machine, readings_line, text_in
from zermelo.faces.cli.options import Settings, document, examples, files
from zermelo.faces.cli.progress import interruptible, threads, usual_memory
from zermelo.faces.cli.prompt import converse, show
from zermelo.faces.cli.screen import print_json
from zermelo.play import notation
from zermelo.play import session as plays
from zermelo.play.advice import AdvisedPlayer, Adviser, Opponent, RandomPlayer, Skill
from zermelo.play.dialogue import PlayDialogue
from zermelo.play.lines import refused_line
from zermelo.play.session import Session, move_text, outcome_text
from zermelo.text.budget import listing_within
from zermelo.text.diagnostic import Json
from zermelo.text.errors import MoveError, UsageError
from zermelo.text.prose import Line, Piece, Tone, line, listing

PERSON: Final = "person"
PERFECT: Final = Skill.PERFECT.value
SEARCH: Final = Skill.SEARCH.value
MCTS: Final = Skill.MCTS.value
RANDOM: Final = "random"
SECONDS: Final = 2.0
SOLVING_SECONDS: Final = 120.0
"""Seconds that solving for a perfect opponent may take."""


class _Thinking(TypedDict):
    """What the options say of how opponents and hints think."""

    seconds: float
    solution: str | None
    seed: int | None
    threads: int


@click.command(
    "play",
    epilog=examples(
        "zermelo play mine.md",
        "zermelo play mine.md --opponent search --seconds 5",
        "zermelo play mine.md --opponent random --seed 7",
        "zermelo play mine.md --moves moves.txt --json",
    ),
)
@click.option(
    "--opponent",
    "--against",
    type=click.Choice([PERSON, PERFECT, SEARCH, MCTS, RANDOM]),
    default=PERSON,
    show_default=True,
    help="Who plays the other side: a person too; perfect, if the game can be solved; search, "
    "which proves forced wins; mcts, which tries random plays; or random.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=SECONDS,
    show_default=True,
    help="How long search and mcts, and a hint, may think about a move. To prepare for the first "
    f"one takes up to {questions.PREPARING:.0f} seconds more.",
)
@click.option(
    "--solution",
    metavar="FILE",
    shell_complete=files,
    help="With --opponent perfect: what `zermelo solve --output` wrote, so that nothing is solved.",
)
@click.option(
    "--seed",
    type=int,
    help="Of random and mcts: the same seed gives the same play. Another one each time, which is "
    "shown, if not said.",
)
@threads
@click.option("--as", "as_player", metavar="PLAYER", help="Whom you play; the first, if not said.")
@click.option(
    "--moves",
    "moves_file",
    metavar="FILE|-",
    shell_complete=files,
    help="Play these moves, one a line, and say how it ended. A saved play will do.",
)
@click.option(
    "--anyway",
    is_flag=True,
    help="With --moves: make the moves of a saved play though the document, or how it is read, "
    "is not as it was.",
)
@click.option("--json", "is_json", is_flag=True, help="With --moves: print one JSON object.")
@click.option(
    "--animate",
    type=click.FloatRange(min=0, max=60),
    metavar="SECONDS",
    help="Nets: show firings drawn by lot, each for so long; --steps says how many.",
)
@click.option(
    "--steps",
    type=click.IntRange(min=1, max=100_000),
    default=100,
    show_default=True,
    help="With --animate: how many firings.",
)
@document
def command(
    *,
    name: str,
    opponent: str,
    as_player: str | None,
    moves_file: str | None,
    anyway: bool,
    is_json: bool,
    animate: float | None,
    steps: int,
    settings: Settings,
    **thinking: Unpack[_Thinking],
) -> int:
    """Play the system of a document.

    Type moves in any natural form: 3 4, (3,4), 6,2 5,2 or (7,1)->(6,2). Other things to type are
    moves, hint, values, why MOVE, log, history, state, undo, redo, restart, rules, save FILE,
    load FILE, readings, help and quit. Without a terminal, the same lines are read from standard
    input. A net is played as the token game: type the number of a firing or a transition with
    values, or `random N`.
    """
    if is_json and moves_file is None:
        raise click.UsageError("--json needs --moves FILE")
    if anyway and moves_file is None:
        raise click.UsageError("--anyway needs --moves FILE; a prompt has `load FILE anyway`")
    if thinking["solution"] is not None and opponent != PERFECT:
        raise click.UsageError("--solution is for --opponent perfect")
    game, machine = load_machine(name, settings)
    words = model_of(game).words
    if moves_file is not None:
        with listing_within():
            played = _play_list(_moves(moves_file, machine, settings, is_anyway=anyway), words)
            if is_json:
                print_json(_json(played))
            else:
                _show(played, settings)
        return exit_code(game, settings)
    if animate is not None and not words.runs_by_itself:
        raise click.UsageError(f"--animate goes with nets, and {name} is none")
    seed = _seed_of_today() if thinking["seed"] is None else thinking["seed"]
    advice = cache(partial(_adviser, game, thinking, seed))
    is_alone = opponent == PERSON
    person = None if is_alone else _person(machine, as_player)
    other = None if is_alone else _opponent(opponent, advice, seed=seed)
    dialogue = PlayDialogue(
        Session(words),
        opponents={} if other is None else {n: other for n in game.players if n != person},
        # What was solved for the opponent is known to the person too.
        adviser=partial(advice, Skill.PERFECT if opponent == PERFECT else Skill.BEST),
        preface=[readings_line(machine.signature, settings.screen)],
        # `random N` and films are the same each time: nobody is surprised by them.
        seed=thinking["seed"] or 0,
        listening=interruptible,
    )
    if animate is None:
        converse(dialogue, settings.screen)
    else:
        show(dialogue.film(steps), settings.screen, seconds=animate)
    return exit_code(game, settings)


def _adviser(game: Game, thinking: _Thinking, seed: int, skill: Skill) -> Adviser:
    """Somebody with this *skill*; who plays perfectly knows what was kept, if anything."""
    kept = thinking["solution"] if skill is Skill.PERFECT else None
    with interruptible() as listener:
        return questions.adviser(
            game,
            skill,
            seconds=thinking["seconds"],
            seed=seed,
            threads=thinking["threads"],
            solution=None if kept is None else questions.open_solution(game, Path(kept)),
            limits=Limits(seconds=SOLVING_SECONDS, memory=usual_memory()),
            listener=listener,
        )


def _seed_of_today() -> int:
    """A seed that nobody chose, short enough to be typed again."""
    return secrets.randbelow(1_000_000)


def _opponent(name: str, advice: Callable[[Skill], Adviser], *, seed: int) -> Opponent:
    return RandomPlayer(seed) if name == RANDOM else AdvisedPlayer(advice(Skill(name)))


def _person(machine: Machine, as_player: str | None) -> str:
    names = [player.name for player in machine.signature.players]
    if not names:
        tip = machine.signature.players_help
        raise click.UsageError(
            f"the document does not say who plays; {tip}"
            if tip
            else "nothing in the document is played for, so there is nobody to play against"
        )
    if len(names) == 1:
        raise click.UsageError(
            f"{names[0]} plays alone, so there is nobody to play against; `hint` helps"
        )
    chosen = as_player or names[0]
    person = next((name for name in names if name.lower() == chosen.lower()), None)
    if person is None:
        raise click.UsageError(f"there is no player `{chosen}`; the players are {listing(names)}")
    return person


# A list of moves


@dataclass(frozen=True, slots=True)
class _RefusedMove:
    index: int
    text: str
    reason: str
    move: Move | None


@dataclass(frozen=True, slots=True)
class _Played:
    session: Session
    refused: Sequence[_RefusedMove]
    texts: Sequence[str]


def _moves(name: str, machine: Machine, settings: Settings, *, is_anyway: bool) -> list[str]:
    """The moves in the file called *name*, one a line; ``#`` begins a comment.

    A saved play is of this document as it is read, unless its moves are to be made anyway.
    """
    text = text_in(name)
    if text.startswith(plays.FIRST_WORDS):
        saved = _saved(name, text)
        changed = plays.why_not_here(saved, machine)
        if changed is not None and not is_anyway:
            raise click.UsageError(f"`{name}`: {changed}; --anyway makes its moves here")
        if changed is not None:
            settings.errors.say(f"zermelo: {changed}")
        return list(saved.moves)
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    return [line for line in lines if line]


def _saved(name: str, text: str) -> plays.SavedPlay:
    try:
        return plays.read_saved(text)
    except UsageError as error:
        raise click.UsageError(f"`{name}`: {error}") from error


def _play_list(texts: Sequence[str], words: Commentary) -> _Played:
    session = Session(words)
    refused: list[_RefusedMove] = []
    for index, text in enumerate(texts):
        move: Move | None = None
        try:
            move = notation.from_text(text, words, session.state)
            session.make(move)
        except MoveError as error:
            refused.append(_RefusedMove(index, text, str(error), move))
    return _Played(session, refused, texts)


def _json(played: _Played) -> Json:
    session = played.session
    signature = session.machine.signature
    outcome = session.outcome
    result = session.state[signature.result] if signature.result in session.state.names else None
    is_over = outcome is not None and outcome.is_over
    return {
        "outcome": None if outcome is None else outcome_text(outcome),
        "over": is_over,
        "winners": [] if outcome is None else list(outcome.winners),
        "result": None if result is None else value_json(result),
        "player": None if outcome is not None else session.player,
        "refused": [each.index for each in played.refused],
        "reasons": [each.reason for each in played.refused],
        "moves": [str(move) for move in session.moves],
        "state": state_json(session.state),
        "facts": {name: value_json(value) for name, value in session.machine.facts(session.state)},
        "readings": {reading.name: reading.choice for reading in signature.readings},
        **(verdict_json(session.words.verdict(session.turns, session.state)) if is_over else {}),
    }


def _show(played: _Played, settings: Settings) -> None:
    """The moves with their players, what was refused, the last position and the outcome."""
    screen = settings.screen
    session = Session(played.session.words)
    refused = {each.index: each for each in played.refused}
    runs_by_itself = session.words.runs_by_itself
    if not runs_by_itself:
        screen.show([readings_line(session.machine.signature, screen)])
    last: Turn | None = None
    for index, text in enumerate(played.texts):
        said = _refusal(refused[index], session) if index in refused else None
        if said is None:
            who = session.player
            last = session.make_text(text)
            said = _move_line(last, session, who=who)
        screen.show([line(f"{index + 1:3}. ", *said.pieces, hang=0 if runs_by_itself else 5)])
    show(PlayDialogue(session).position(None if last is None else last.before), screen)


def _move_line(turn: Turn, session: Session, *, who: str | None) -> Line:
    shown = Piece(move_text(turn.move, session.words), Tone.FORMULA)
    return line(Piece(f"{who}: " if who else "", Tone.STRONG), shown)


def _refusal(refused: _RefusedMove, session: Session) -> Line:
    if refused.move is None:
        return line(f"{refused.reason}.")
    return refused_line(session, refused.move, reason=refused.reason)
