"""``zermelo readings``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from zermelo.api import questions
from zermelo.api.every_reading import ReadingTried, every_reading
from zermelo.api.game import Game
from zermelo.core.commentary import readings_lines
from zermelo.core.limits import Limits, why_stopped
from zermelo.core.signature import Signature
from zermelo.engines.check.trials import Row, row_json
from zermelo.engines.compare.comparison import when_after
from zermelo.faces.cli.loading import exit_code, load_machine
from zermelo.faces.cli.options import Settings, document, examples
from zermelo.faces.cli.progress import (
    INTERRUPTED,
    answer_is_there,
    budgets,
    interruptible,
    limits,
)
from zermelo.faces.cli.screen import print_json
from zermelo.play.lines import play_text
from zermelo.text.budget import LimitReached
from zermelo.text.prose import BLANK, Line, Piece, Tone, heading, line, listing
from zermelo.text.source import width

WIDEST_TITLE = 44
"""Verdicts stand in one column behind titles up to this width."""


@click.command(
    "readings",
    epilog=examples(
        "zermelo readings mine.md",
        "zermelo readings mine.md --exhaustive",
        'zermelo play mine.md --reading "order=at once"',
    ),
)
@click.option("--json", "is_json", is_flag=True, help="Print a list of JSON objects.")
@click.option(
    "--exhaustive",
    is_flag=True,
    help="Change each choice alone: how many states there are then, what is wrong with it, who "
    "wins, and the shortest play that tells it from what is taken.",
)
@click.option("--pairs", is_flag=True, help="With --exhaustive: change two choices at a time, too.")
@click.option(
    "--states",
    type=click.IntRange(min=1),
    default=1_000_000,
    show_default=True,
    help="With --exhaustive: how many states of each to look at.",
)
@budgets
@document
def command(
    *,
    name: str,
    is_json: bool,
    exhaustive: bool,
    pairs: bool,
    states: int,
    settings: Settings,
    **resources: float | None,
) -> int:
    """Try every way a document can be read, by playing it.

    Documents do not say how their rules are to be evaluated. This shows which ways are playable
    and why, which one is taken, and the first play at which the others differ from it.

    With --exhaustive every choice is compared with the one taken over all positions, or as many as
    --states allows, and not only as far as trial plays go.
    """
    if pairs and not exhaustive:
        raise click.UsageError("--pairs belongs to --exhaustive")
    game, machine = load_machine(name, settings)
    if exhaustive:
        return _exhaustive(
            game, settings, limits(resources, states=states), pairs=pairs, is_json=is_json
        )
    tried = questions.tried_readings(game, limits=limits(resources))
    answer_is_there()
    if tried.cut is not None:
        settings.errors.say(f"zermelo: not all was tried: {tried.cut}")
    if is_json:
        print_json([row_json(row) for row in tried.rows])
        return exit_code(game, settings)
    screen = settings.screen
    screen.show([*readings_lines(machine.signature), BLANK, heading("What playing says of each")])
    screen.show(_lines(tried.rows, machine.signature))
    return exit_code(game, settings)


def _exhaustive(
    game: Game, settings: Settings, within: Limits, *, pairs: bool, is_json: bool
) -> int:
    rows: list[ReadingTried] = []
    cut = None
    with interruptible() as listener:
        try:
            for row in every_reading(game, pairs=pairs, limits=within, listener=listener):
                if listener.is_asked:
                    break
                rows.append(row)
                if not is_json:
                    # Each may take a while, so it is shown when it is there.
                    settings.screen.show(_tried_lines(row, game, rows[0]))
        except LimitReached as stop:
            cut = why_stopped(stop, within)
    if cut is not None or listener.is_asked:
        settings.errors.say(f"zermelo: not all was tried: {cut or 'interrupted'}")
    if is_json:
        print_json([row.to_json() for row in rows])
    return INTERRUPTED if listener.is_asked else exit_code(game, settings)


def _tried_lines(row: ReadingTried, game: Game, taken: ReadingTried) -> Iterator[Line]:
    title = "; ".join(f"{name}: {choice}" for name, choice in row.choices.items())
    if row is not taken:
        yield BLANK
    yield line(Piece(title or "As it is taken", Tone.HEADING))
    if row.size is None:
        yield line(f"Nothing can be played: {', '.join(row.findings)}.", indent=2)
        return
    yield line(f"{row.size}; value: {row.value}.", indent=2, hang=2)
    if row is taken or row.findings != taken.findings:
        found = ", ".join(row.findings) or "nothing"
        yield line(f"What playing finds: {found}.", indent=2, hang=2)
    yield from _parting(row, game)


def _parting(row: ReadingTried, game: Game) -> Iterator[Line]:
    found = row.comparison
    if found is None or game.model is None:
        return
    if found.shortest is None:
        same = "The same game as the one taken, which is proved."
        open_ = f"No play was found that tells it from the one taken: {found.cut or found.unsaid}."
        yield line(same if found.is_equal else open_, indent=2, hang=2)
        return
    first = found.shortest
    played = play_text(first.play, game.model.signature)
    told = f" ({played})" if first.play else ""
    yield line(
        f"It first differs {when_after(first.play)}{told}: here {first.second}; "
        f"as taken, {first.first}.",
        indent=2,
        hang=2,
    )


def _lines(rows: Sequence[Row], signature: Signature) -> Iterator[Line]:
    if not rows:
        yield line("The document leaves nothing open that playing could decide.", indent=2)
    taken = next((row for row in rows if row.taken), None)
    alike = [row for row in rows if _is_like(row, taken)]
    shown = _grouped([row for row in rows if row not in alike])
    titles = [" or ".join(_title(row, taken) for row in group) for group in shown]
    column = min(max(map(width, titles), default=0), WIDEST_TITLE)
    for index, (group, title) in enumerate(zip(shown, titles, strict=True)):
        row = group[0]
        if index:
            yield BLANK
        yield _verdict(row, title + " " * max(column - width(title), 0))
        yield from _why(row, taken)
        yield from _difference(row, signature)
    if alike:
        others = listing([f"`{_title(row, taken)}`" for row in alike], last="or")
        yield BLANK
        yield line(f"No play that was tried tells what is taken from {others}.", indent=4, hang=2)


def _grouped(rows: Sequence[Row]) -> list[list[Row]]:
    """*rows*, those together of which the same is said."""
    groups: list[list[Row]] = []
    for row in rows:
        said = (row.taken, row.playable, row.why, row.difference)
        same = (g for g in groups if (g[0].taken, g[0].playable, g[0].why, g[0].difference) == said)
        if (group := next(same, None)) is not None:
            group.append(row)
        else:
            groups.append([row])
    return groups


def _is_like(row: Row, taken: Row | None) -> bool:
    """Whether nothing that was seen tells *row* from what is taken."""
    if taken is None or row.taken or row.difference is not None:
        return False
    return row.playable == taken.playable


def _title(row: Row, taken: Row | None) -> str:
    """What *row* chooses; of rows that are not taken, only what they choose otherwise."""
    same = {} if taken is None or row.taken else taken.choices
    shown = [
        f"{name}: {choice}" for name, choice in row.choices.items() if same.get(name) != choice
    ]
    return "; ".join(shown)


def _verdict(row: Row, title: str) -> Line:
    verdict = Piece("playable", Tone.GOOD) if row.playable else Piece("not playable", Tone.BAD)
    mark = Piece("▸ " if row.taken else "  ", Tone.CHANGED)
    end = Piece(", taken" if row.taken else "", Tone.CHANGED)
    return line(mark, Piece(title, Tone.STRONG), "   ", verdict, end, indent=2, hang=4)


def _why(row: Row, taken: Row | None) -> Iterator[Line]:
    said = row.why
    if taken is not None and not row.taken and set(taken.why) <= set(row.why):
        yield line("All that is said of the one taken can be said of this.", indent=6)
        said = tuple(sentence for sentence in row.why if sentence not in taken.why)
    for sentence in said:
        yield line(f"{sentence[:1].upper()}{sentence[1:].rstrip('.')}.", indent=6, hang=2)


def _difference(row: Row, signature: Signature) -> Iterator[Line]:
    if row.difference is None:
        return
    first = "It first" if row.difference.is_shortest else "It"
    yield line(
        f"{first} differs after ",
        Piece(play_text(row.difference.play, signature), Tone.FORMULA),
        f": here {row.difference.other}; as taken, {row.difference.taken}.",
        indent=6,
        hang=2,
    )
