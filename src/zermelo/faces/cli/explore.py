"""``zermelo explore``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from zermelo.api import questions
from zermelo.api.game import Game
from zermelo.core.signature import OF_GAMES, Nouns, Signature
from zermelo.core.space import ExploreOptions, Longest, PlayCounts, Run, Space, space_json
from zermelo.faces.cli.loading import exit_code, load_machine, readings_line
from zermelo.faces.cli.options import Settings, document, examples
from zermelo.faces.cli.progress import (
    INTERRUPTED,
    announce,
    budgets,
    interruptible,
    keeps_in,
    limits,
    memory_text,
    say_how_to_go_on,
    threads,
    time_text,
)
from zermelo.faces.cli.screen import print_json
from zermelo.play.lines import play_text, verdict_lines
from zermelo.text.budget import EXPLORING
from zermelo.text.diagnostic import Json
from zermelo.text.prose import BLANK, Line, Piece, Tone, count, line

MANY = 10_000
"""Of larger explorations it is said how they were done."""
LONG_RUN = 1.0
"""Of runs that take so many seconds it is told what they were spent on,"""
WORTH_TELLING = 0.1
"""if that was this share of them."""
MOST_ROWS = 40
"""Longer tables are shortened:"""
END_ROWS = 10
"""so many rows at either end are shown,"""
ROWS_BETWEEN = 5
"""and so many between."""


def class_lines(space: Space) -> Iterator[Line]:
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
    space: Space, signature: Signature, wishes: ExploreOptions, words: Nouns = OF_GAMES
) -> Iterator[Line]:
    """How long plays can become, what *wishes* ask for, and how it was done."""
    if space.longest is not None:
        yield line(*_length(space.longest, signature, words), indent=2, hang=4)
    if wishes.complete_plays:
        yield line(_first_plays(space), indent=2, hang=4)
    if wishes.rules:
        for (procedure, rule), moves in (space.fired or {}).items():
            yield line(f"Rule {rule} of {procedure} fired in {count(moves, 'move')}.", indent=2)
    if space.run is not None and space.run.not_on_gpu is not None:
        yield line(f"The processor did it, and no GPU: {space.run.not_on_gpu}.", indent=2, hang=4)
    if space.run is not None and space.states >= MANY:
        looked_at = space.states if space.classes is None else space.classes.count
        yield line(Piece(_run(space.run, looked_at), Tone.FAINT), indent=2, hang=4)


def _first_plays(space: Space) -> str:
    if space.complete_plays is not None:
        return f"{count(space.complete_plays, 'complete play')}."
    if space.cut is not None:
        why = f"not all was seen: {space.cut}"
    elif space.longest is None:
        why = "interrupted"
    else:
        why = "there is no longest one"
    return f"Complete plays were not counted: {why}."


def _run(run: Run, states: int) -> str:
    rate = states / max(run.all_seconds, 1e-9)
    if run.resumed is None:
        rate = states / max(run.phases.get(EXPLORING, run.seconds), 1e-9)
    long = [
        f"{name} {time_text(seconds)}"
        for name, seconds in run.phases.items()
        if run.seconds >= LONG_RUN and seconds >= WORTH_TELLING * run.seconds
    ]
    took = time_text(run.seconds) + (f" ({', '.join(long)})" if long else "")
    if run.resumed is not None:
        took = f"{took}, {time_text(run.all_seconds)} with the runs before"
    return (
        f"{took}, {rate:,.0f} states a second, {count(run.threads, 'thread')}, "
        f"on {run.machine}; {memory_text(run.bytes)} for {run.store}."
    )


def _length(longest: Longest, signature: Signature, words: Nouns) -> Iterator[str | Piece]:
    if longest.play is None:
        yield f"Plays can go on without end: some {words.state}s come again."
        return
    yield f"Plays have at most {count(len(longest.play), words.move)}: "
    yield Piece(play_text(longest.play, signature), Tone.FORMULA)


COMPLETE = -1
"""What ``--plays`` means without a number."""


def _plays(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    if value is None or value == "":
        return None if value is None else COMPLETE
    if not value.isdecimal():
        raise click.BadParameter(
            f"`{value}` is no number of moves; write `--plays` behind the document to count "
            "complete plays",
            ctx=context,
            param=parameter,
        )
    return int(value)


@click.command(
    "explore",
    epilog=examples(
        "zermelo explore mine.md",
        "zermelo explore mine.md --depth 3",
        "zermelo explore mine.md --seconds 60 --memory 2G",
        "zermelo explore mine.md --checkpoint kept",
        "zermelo explore mine.md --symmetry",
        "zermelo explore mine.md --device gpu",
        "zermelo explore mine.md --plays",
        "zermelo explore mine.md --plays 4",
    ),
)
@click.option("--depth", type=click.IntRange(min=0), help="How many moves deep to go.")
@click.option("--states", type=click.IntRange(min=1), help="How many states to look at.")
@budgets
@threads
@click.option(
    "--checkpoint",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Keep what was found in this folder; the same command goes on from there.",
)
@click.option(
    "--symmetry", is_flag=True, help="Look at one state for all that are alike, and count all."
)
@click.option(
    "--symmetry-of",
    type=click.Choice(["turn", "text"]),
    default="turn",
    show_default=True,
    help="Whether states are alike by what a turn does, or by what the rules say word for word.",
)
@click.option(
    "--device",
    type=click.Choice(["cpu", "gpu", "auto"]),
    default="auto",
    show_default=True,
    help="Where to explore: on the processor, on a GPU, or on a GPU if there is one and "
    "there are many states.",
)
@click.option("--rules", is_flag=True, help="Count in how many moves each rule fired.")
@click.option(
    "--plays",
    is_flag=False,
    flag_value="",
    metavar="[N]",
    callback=_plays,
    help="Count complete plays; with N behind it, plays of 1, 2, … N moves.",
)
@click.option("--json", "is_json", is_flag=True, help="Print one JSON object.")
@document
def command(
    *,
    name: str,
    depth: int | None,
    states: int | None,
    plays: int | None,
    rules: bool,
    symmetry: bool,
    symmetry_of: str,
    checkpoint: Path | None,
    device: str,
    is_json: bool,
    settings: Settings,
    **resources: float | None,
) -> int:
    """Count states, endings and plays.

    Every state that can be reached is counted once; plays are counted as sequences of moves. A
    count that was cut short, by a limit or by Ctrl-C, says so. With --symmetry only one state of
    each class is looked at; the counts are the same, and the classes are counted too.

    With --checkpoint what was found is kept in a folder every few seconds and at the end. After a
    limit, Ctrl-C or a kill the same command goes on from there; --seconds are those of each run.

    A GPU counts the same as the processor; `zermelo devices` says whether there is one.
    """
    is_by_length = plays is not None and plays != COMPLETE
    is_explored = not is_by_length or depth is not None or states is not None
    _refuse_together(
        ("--rules looks into every move; leave out --symmetry", rules and symmetry),
        (
            "what a GPU finds is not kept; leave out --checkpoint",
            checkpoint is not None and device == "gpu",
        ),
        (
            f"--plays {plays} counts plays, of which nothing is kept; leave out --checkpoint",
            checkpoint is not None and not is_explored,
        ),
    )
    keeps_in(checkpoint)
    game, machine = load_machine(name, settings)
    wishes = ExploreOptions(rules=rules, complete_plays=plays == COMPLETE)
    counted = None
    space = None
    within = limits(resources, states=states, depth=depth)
    with interruptible() as listener:
        if plays is not None and is_by_length:
            bounds = replace(within, states=None, depth=None)
            counted = questions.plays(game, plays, limits=bounds, listener=listener)
        if is_explored:
            space = questions.explore(
                game,
                limits=within,
                listener=listener,
                threads=int(resources["threads"] or 1),
                wishes=wishes,
                checkpoint=checkpoint,
                announce=partial(announce, settings),
                symmetry=symmetry_of if symmetry else None,
                device=device,
            )
    cut = None if space is None else space.cut
    code = INTERRUPTED if listener.is_asked else exit_code(game, settings, cut=cut)
    if space is not None:
        say_how_to_go_on(settings, checkpoint, space.cut)
    if is_json:
        print_json(_json(game, space, counted, wishes))
        return code
    screen = settings.screen
    screen.show([readings_line(machine.signature, screen)])
    if space is not None:
        screen.show(
            [BLANK, *_space_lines(space, machine.signature, wishes, machine.signature.nouns)]
        )
        if listener.is_asked and space.is_complete and space.longest is None:
            screen.show([line("How long plays can be is not known: interrupted.", indent=2)])
    if counted is not None:
        screen.show([BLANK, *_play_lines(counted, machine.signature.nouns)])
    return code


def _refuse_together(*cases: tuple[str, bool]) -> None:
    """Refuse options that do not go together, in the words of the first case that holds."""
    for words, holds in cases:
        if holds:
            raise click.UsageError(words)


def _json(
    game: Game,
    space: Space | None,
    counted: PlayCounts | None,
    wishes: ExploreOptions,
) -> Json:
    data: dict[str, Json] = {"name": game.name}
    if wishes.complete_plays:
        data["plays"] = None
    if space is not None:
        data.update(space_json(space))
    if counted is not None:
        data["plays"] = list(counted.counts)
        data["plays_complete"] = counted.is_complete
    data["readings"] = {reading.name: reading.choice for reading in game.readings}
    return data


def _space_lines(
    space: Space, signature: Signature, wishes: ExploreOptions, words: Nouns
) -> Iterator[Line]:
    heads = [f"{words.move}s", f"{words.state}s"]
    columns = [[f"{at:,}" for at in range(len(space.by_depth))], [f"{n:,}" for n in space.by_depth]]
    if words.stuck is None:
        heads.append("over")
        columns.append([f"{over:,}" if over else "" for over in space.over_by_depth])
    yield from _table(heads, list(zip(*columns, strict=True)))
    yield BLANK
    yield from verdict_lines(space, signature, words)
    if space.end is not None:
        yield from (replace(each, indent=each.indent + 2) for each in space.end.lines)
    yield from class_lines(space)
    yield from run_lines(space, signature, wishes, words)


def _play_lines(counted: PlayCounts, words: Nouns) -> Iterator[Line]:
    rows = [(f"{length:,}", f"{plays:,}") for length, plays in enumerate(counted.counts, 1)]
    yield from _table((f"{words.move}s", "plays"), rows)
    if counted.cut is not None:
        yield line(f"Counting was cut short: {counted.cut}.", indent=2)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[Line]:
    """Numbers in columns, to the right; of many rows some."""
    sizes = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]

    def row(cells: Sequence[str]) -> str:
        return "  ".join(f"{cell:>{size}}" for cell, size in zip(cells, sizes, strict=True))

    yield line(Piece(row(heads), Tone.FAINT), indent=2)
    before = -1
    for at in shown_rows(len(rows)):
        if at > before + 1:
            yield line(Piece(f"{'…':>{sizes[0]}}", Tone.FAINT), indent=2)
        yield line(row(rows[at]), indent=2)
        before = at
    if len(rows) > MOST_ROWS:
        said = f"{len(rows):,} rows; --json has them all"
        yield line(Piece(said, Tone.FAINT), indent=2)


def shown_rows(count: int) -> list[int]:
    """Which of *count* rows are shown: all, or the first, some between, and the last ones.

    >>> shown_rows(3)
    [0, 1, 2]
    >>> shown_rows(20_000)[8:13], len(shown_rows(20_000)), shown_rows(20_000)[-1]
    ([8, 9, 3339, 6669, 9999], 25, 19999)
    """
    if count <= MOST_ROWS:
        return list(range(count))
    first, last = END_ROWS - 1, count - END_ROWS
    between = [
        first + (last - first) * at // (ROWS_BETWEEN + 1) for at in range(1, ROWS_BETWEEN + 1)
    ]
    return [*range(END_ROWS), *between, *range(last, count)]
