"""What an exploration found, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zermelo import api
from zermelo.core.machine import Ending, Move
from zermelo.core.vocabulary import OF_GAMES, OF_NETS, Vocabulary
from zermelo.faces.cli.resources import memory_text, time_text
from zermelo.languages.sections.ir import System
from zermelo.play import notation
from zermelo.text.prose import Line, Piece, Tone, count, line, tied

MOST_SHOWN = 12
"""Moves of a play that are shown."""
MANY = 10_000
"""Of larger explorations it is said how they were done."""


def vocabulary(game: api.Game) -> Vocabulary:
    """The words for the states and moves of *game*."""
    return OF_GAMES if game.net is None else OF_NETS


def play_text(moves: Sequence[Move], system: System) -> str:
    """A play as evidence, its middle left out when it is long."""
    if not moves:
        return "no move"
    shown = [tied(notation.to_text(move, system)) for move in moves]
    if len(shown) > MOST_SHOWN:
        left_out = len(shown) - MOST_SHOWN
        shown = [*shown[: MOST_SHOWN - 2], f"… {left_out} more …", *shown[-2:]]
    return ", ".join(shown)


def verdict_lines(space: api.Space, system: System, words: Vocabulary = OF_GAMES) -> Iterator[Line]:
    """How much was seen, whether that was all, and how plays end."""
    states = count(space.states, words.state)
    if space.is_complete:
        yield line(f"{states}, all that can be reached.", indent=2, hang=4)
    else:
        yield line(
            f"{states} {'was' if space.states == 1 else 'were'} "
            f"looked at, not all: {space.cut}. "
            f"Up to {count(space.full_depth, words.move)} deep they are all there.",
            indent=2,
            hang=4,
        )
    for ending in space.endings:
        if ending.outcome.ending is Ending.STUCK:
            continue
        yield line(
            Piece(str(ending.outcome), Tone.STRONG),
            f": {count(ending.count, 'state')}; first after ",
            f"{count(len(ending.play), 'move')}: ",
            Piece(play_text(ending.play, system), Tone.FORMULA),
            indent=2,
            hang=4,
        )
    if space.stuck is not None:
        why = " not over and without a move" if words.stuck is None else ""
        yield line(
            Piece(words.stuck or "stuck", Tone.STRONG),
            f": {count(space.stuck.count, words.state)}{why}; first after ",
            Piece(play_text(space.stuck.play, system), Tone.FORMULA),
            indent=2,
            hang=4,
        )
    for found in space.faults:
        yield line(
            Piece(found.fault.message, Tone.BAD),
            f" (in {found.fault.procedure}); first after ",
            Piece(play_text(found.play, system), Tone.FORMULA),
            indent=2,
            hang=4,
        )


def class_lines(space: api.Space) -> Iterator[Line]:
    """The classes that were looked at, where symmetries were asked for."""
    used = space.classes
    if used is None:
        return
    if used.symmetries == 1:
        yield line(f"Symmetry: {used.words}.", indent=2, hang=4)
        return
    yield line(f"Symmetry: {used.words}: {used.symmetries:,}.", indent=2, hang=4)
    yield line(
        f"{count(used.count, 'class', 'classes')} were looked at; "
        f"they stand for {count(space.states, 'position')}.",
        indent=2,
        hang=4,
    )


def run_lines(
    space: api.Space, system: System, wishes: api.Wishes, words: Vocabulary = OF_GAMES
) -> Iterator[Line]:
    """How long plays can become, what *wishes* ask for, and how it was done."""
    if space.longest is not None:
        yield line(*_length(space.longest, system, words), indent=2, hang=4)
    if wishes.complete_plays:
        yield line(_plays(space), indent=2, hang=4)
    if wishes.rules:
        for (procedure, rule), moves in (space.fired or {}).items():
            yield line(f"Rule {rule} of {procedure} fired in {count(moves, 'move')}.", indent=2)
    if space.run is not None and space.states >= MANY:
        looked_at = space.states if space.classes is None else space.classes.count
        yield line(Piece(_run(space.run, looked_at), Tone.FAINT), indent=2, hang=4)


def _plays(space: api.Space) -> str:
    if space.complete_plays is not None:
        return f"{count(space.complete_plays, 'complete play')}."
    if space.cut is not None:
        why = f"not all was seen: {space.cut}"
    elif space.longest is None:
        why = "interrupted"
    else:
        why = "there is no longest one"
    return f"Complete plays were not counted: {why}."


def _run(run: api.Run, states: int) -> str:
    rate = states / max(run.seconds, 1e-9)
    return (
        f"{time_text(run.seconds)}, {rate:,.0f} states a second, {count(run.threads, 'thread')}, "
        f"on {run.machine}; {memory_text(run.bytes)} for {run.store}."
    )


def _length(longest: api.Longest, system: System, words: Vocabulary) -> Iterator[str | Piece]:
    if longest.play is None:
        yield f"Plays can go on without end: some {words.state}s come again."
        return
    yield f"Plays have at most {count(len(longest.play), words.move)}: "
    yield Piece(play_text(longest.play, system), Tone.FORMULA)
