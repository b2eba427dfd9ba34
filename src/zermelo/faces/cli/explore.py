"""``zermelo explore``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from zermelo import api
from zermelo.core.ir import System
from zermelo.faces.cli.jsonable import print_json
from zermelo.faces.cli.loading import exit_code, load_machine
from zermelo.faces.cli.options import Settings, document, examples
from zermelo.faces.cli.progress import stopper
from zermelo.faces.cli.spaces import verdict_lines
from zermelo.faces.cli.words import readings_line
from zermelo.play.prose import BLANK, Line, Piece, Tone, line
from zermelo.text.render import Json

STATES = 20_000
INTERRUPTED = 130
"""The exit code of a run that Ctrl-C cut short."""


@click.command(
    "explore",
    epilog=examples(
        "zermelo explore mine.md --depth 3",
        "zermelo explore mine.md --states 1000000",
        "zermelo explore mine.md --plays 4",
    ),
)
@click.option("--depth", type=click.IntRange(min=0), help="How many moves deep to go.")
@click.option(
    "--states",
    type=click.IntRange(min=1),
    help=f"How many states to look at; {STATES:,} if neither this nor --depth is given.",
)
@click.option("--plays", type=click.IntRange(min=0), help="Count plays of up to this many moves.")
@click.option("--json", "is_json", is_flag=True, help="Print one JSON object.")
@document
def command(
    *,
    name: str,
    depth: int | None,
    states: int | None,
    plays: int | None,
    is_json: bool,
    settings: Settings,
) -> int:
    """Count states, endings and plays.

    States are counted once each; plays are counted as sequences of moves. A count that was cut
    short says so.
    """
    game, machine = load_machine(name, settings)
    counted = None
    space = None
    with stopper() as listener:
        if plays is not None:
            counted = api.plays(game, plays, listener=listener)
        if plays is None or depth is not None or states is not None:
            most = states if states is not None or depth is not None else STATES
            limits = api.Limits(states=most, depth=depth)
            space = api.explore(game, limits=limits, listener=listener)
    code = INTERRUPTED if listener.is_asked else exit_code(game, settings)
    if is_json:
        print_json(_json(game, space, counted))
        return code
    screen = settings.screen
    screen.show([readings_line(machine.system, screen)])
    if space is not None:
        screen.show([BLANK, *_space_lines(space, machine.system)])
    if counted is not None:
        screen.show([BLANK, *_play_lines(counted)])
    return code


def _json(game: api.Game, space: api.Space | None, counted: api.PlayCounts | None) -> Json:
    data: dict[str, Json] = {"name": game.name}
    if space is not None:
        data.update(api.space_json(space))
    if counted is not None:
        data["plays"] = list(counted.counts)
        data["plays_complete"] = counted.is_complete
    data["readings"] = {reading.name: reading.choice for reading in game.readings}
    return data


def _space_lines(space: api.Space, system: System) -> Iterator[Line]:
    rows = [
        (f"{depth:,}", f"{states:,}", f"{over:,}" if over else "")
        for depth, (states, over) in enumerate(
            zip(space.by_depth, space.over_by_depth, strict=True)
        )
    ]
    yield from _table(("moves", "states", "over"), rows)
    yield BLANK
    yield from verdict_lines(space, system)


def _play_lines(counted: api.PlayCounts) -> Iterator[Line]:
    rows = [(f"{length:,}", f"{plays:,}") for length, plays in enumerate(counted.counts, 1)]
    yield from _table(("moves", "plays"), rows)
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
