"""``zermelo explore``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from zermelo import api
from zermelo.core.vocabulary import Vocabulary
from zermelo.faces.cli.jsonable import print_json
from zermelo.faces.cli.loading import exit_code, load_machine
from zermelo.faces.cli.options import Settings, document, examples
from zermelo.faces.cli.progress import stopper
from zermelo.faces.cli.resources import budgets, threads
from zermelo.faces.cli.spaces import class_lines, run_lines, verdict_lines, vocabulary
from zermelo.faces.cli.words import readings_line
from zermelo.languages.sections.ir import System
from zermelo.text.prose import BLANK, Line, Piece, Tone, line
from zermelo.text.render import Json

INTERRUPTED = 130
"""The exit code of a run that Ctrl-C cut short."""
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
    help="Keep what was found in this folder, and go on from there the next time.",
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
    is_json: bool,
    settings: Settings,
    **resources: float | None,
) -> int:
    """Count states, endings and plays.

    Every state that can be reached is counted once; plays are counted as sequences of moves. A
    count that was cut short, by a limit or by Ctrl-C, says so. With --symmetry only one state of
    each class is looked at; the counts are the same, and the classes are counted too.
    """
    if rules and symmetry:
        raise click.UsageError("--rules looks into every move; leave out --symmetry")
    game, machine = load_machine(name, settings)
    limits = _limits(depth, states, resources)
    wishes = api.Wishes(rules=rules, complete_plays=plays == COMPLETE)
    is_by_length = plays is not None and plays != COMPLETE
    counted = None
    space = None
    with stopper() as listener:
        if plays is not None and is_by_length:
            counted = api.plays(game, plays, listener=listener)
        if not is_by_length or depth is not None or states is not None:
            space = api.explore(
                game,
                limits=limits,
                listener=listener,
                threads=int(resources["threads"] or 1),
                wishes=wishes,
                checkpoint=checkpoint,
                symmetry=symmetry_of if symmetry else None,
            )
    code = INTERRUPTED if listener.is_asked else exit_code(game, settings)
    if is_json:
        print_json(_json(game, space, counted, wishes))
        return code
    screen = settings.screen
    screen.show([readings_line(machine.system, screen)])
    if space is not None:
        screen.show([BLANK, *_space_lines(space, machine.system, wishes, vocabulary(game))])
    if counted is not None:
        screen.show([BLANK, *_play_lines(counted, vocabulary(game))])
    return code


def _limits(
    depth: int | None, states: int | None, resources: dict[str, float | None]
) -> api.Limits:
    memory = resources["memory"]
    return api.Limits(
        states=states,
        depth=depth,
        seconds=resources["seconds"],
        memory=None if memory is None else int(memory),
    )


def _json(
    game: api.Game,
    space: api.Space | None,
    counted: api.PlayCounts | None,
    wishes: api.Wishes,
) -> Json:
    data: dict[str, Json] = {"name": game.name}
    if wishes.complete_plays:
        data["plays"] = None
    if space is not None:
        data.update(api.space_json(space))
    if counted is not None:
        data["plays"] = list(counted.counts)
        data["plays_complete"] = counted.is_complete
    data["readings"] = {reading.name: reading.choice for reading in game.readings}
    return data


def _space_lines(
    space: api.Space, system: System, wishes: api.Wishes, words: Vocabulary
) -> Iterator[Line]:
    heads = [f"{words.move}s", f"{words.state}s"]
    columns = [[f"{at:,}" for at in range(len(space.by_depth))], [f"{n:,}" for n in space.by_depth]]
    if words.stuck is None:
        heads.append("over")
        columns.append([f"{over:,}" if over else "" for over in space.over_by_depth])
    yield from _table(heads, list(zip(*columns, strict=True)))
    yield BLANK
    yield from verdict_lines(space, system, words)
    yield from class_lines(space)
    yield from run_lines(space, system, wishes, words)


def _play_lines(counted: api.PlayCounts, words: Vocabulary) -> Iterator[Line]:
    rows = [(f"{length:,}", f"{plays:,}") for length, plays in enumerate(counted.counts, 1)]
    yield from _table((f"{words.move}s", "plays"), rows)
    if counted.cut is not None:
        yield line(f"Counting was cut short: {counted.cut}.", indent=2)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[Line]:
    """Numbers in columns, to the right."""
    sizes = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]

    def row(cells: Sequence[str]) -> str:
        return "  ".join(f"{cell:>{size}}" for cell, size in zip(cells, sizes, strict=True))

    yield line(Piece(row(heads), Tone.FAINT), indent=2)
    for cells in rows:
        yield line(row(cells), indent=2)
