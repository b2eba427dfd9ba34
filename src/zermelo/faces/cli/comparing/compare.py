"""``zermelo compare``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import click

from zermelo.api import comparing
from zermelo.api.game import Game
from zermelo.core.state import Move
from zermelo.engines.compare.comparison import (
    Comparison,
    Contrast,
    Parting,
    comparison_json,
    when_after,
)
from zermelo.faces.cli.loading import FINE, NOT_FINE, load_machine
from zermelo.faces.cli.options import (
    GivenReadings,
    Settings,
    document,
    documents,
    examples,
    files,
    reading_option,
    with_readings,
)
from zermelo.faces.cli.progress import INTERRUPTED, answer_is_there, budgets, interruptible, limits
from zermelo.faces.cli.screen import print_json
from zermelo.play.lines import play_text
from zermelo.text.prose import BLANK, Line, Piece, Tone, capital, count, line
from zermelo.text.source import width

_WIDEST_HEAD: Final = 24
"""Longer names are not written above a column."""
_UNALIGNED: Final = (
    "No first move of the two has the same name and arguments; --mapping FILE says which are one."
)


@click.command(
    "compare",
    epilog=examples(
        "zermelo compare before.md after.md",
        'zermelo compare mine.md --reading-b "order=at once"',
        "zermelo compare mine.led mine.net --mapping moves.toml",
        "zermelo compare mine.md mine.net --reading-b mine.reading --moves-only",
    ),
)
@click.option("--states", type=click.IntRange(min=1), help="How many positions to compare.")
@click.option("--depth", type=click.IntRange(min=0), help="How many moves deep to go.")
@budgets
@click.option(
    "--mapping",
    metavar="FILE",
    shell_complete=files,
    help="Which moves and players of the two are the same, as a file in TOML.",
)
@click.option("--moves-only", is_flag=True, help="Leave out who wins and who is in turn.")
@click.option("--first", "first_only", is_flag=True, help="Stop at the first difference.")
@reading_option("--reading-a", "Decide a reading of the first document only.")
@reading_option("--reading-b", "Decide a reading of the second document only.")
@click.option("--json", "is_json", is_flag=True, help="Print one JSON object.")
@document
@click.argument("other", metavar="[OTHER]", required=False, shell_complete=documents)
def command(
    *,
    name: str,
    other: str | None,
    states: int | None,
    depth: int | None,
    mapping: str | None,
    moves_only: bool,
    first_only: bool,
    reading_a: GivenReadings,
    reading_b: GivenReadings,
    is_json: bool,
    settings: Settings,
    **resources: float | None,
) -> int:
    """Say whether two documents are the same game, or which play tells them apart.

    They are the same if every play of one is a play of the other, with the same player in turn and
    the same outcome: all positions that one play leads to are compared. Otherwise the shortest play
    after which they differ is shown, and how many positions differ, and how. Without OTHER, two
    readings of one document are compared.

    Moves are matched by name and arguments. Another document, an LED program or a net may call them
    otherwise: --mapping names a file that says which are the same, and which are left out.
    """
    if other is None and reading_a == reading_b:
        raise click.UsageError(
            "name two documents, or two readings of one, as in --reading-b 'order=at once'"
        )
    game, _ = load_machine(name, with_readings(settings, reading_a))
    beside, _ = load_machine(other or name, with_readings(settings, reading_b))
    with interruptible() as listener:
        found = comparing.compare(
            game,
            beside,
            mapping=mapping,
            moves_only=moves_only,
            first_only=first_only,
            limits=limits(resources, states=states, depth=depth),
            listener=listener,
        )
    answer_is_there()
    code = FINE if found.is_equal else NOT_FINE
    if listener.is_asked:
        code = INTERRUPTED
    if is_json:
        print_json(comparison_json(found))
        return code
    settings.screen.show(_lines(found, game, beside))
    return code


def _lines(found: Comparison, game: Game, other: Game) -> Iterator[Line]:
    first, second = found.names
    shortest = found.shortest
    if shortest is None:
        said = _verdict(found)
        yield line(Piece(said if found.is_equal else capital(said), Tone.STRONG), hang=2)
    else:
        told = f"{first} and {second} differ, first {when_after(shortest.play)}:"
        yield line(Piece(told, Tone.STRONG), hang=2)
        yield from _play(found, shortest, game, other)
        if not found.is_first_only:
            yield BLANK
            yield from _statistics(found)
        if found.positions == 1 and shortest.parting is Parting.MOVE:
            yield line(_UNALIGNED, indent=2, hang=2)
        if found.cut is not None:
            yield line(f"Not all was compared: {found.cut}.", indent=2)
        if found.unsaid is not None:
            yield line(f"{capital(found.unsaid)}.", indent=2)
    yield from _changes(found)


def _verdict(found: Comparison) -> str:
    """What is said where no difference was found."""
    if found.is_equal:
        return f"{found.verdict}, and no play tells them apart."
    seen = count(found.positions, "position")
    return f"{found.verdict}. No difference was found in {seen}."


def _play(found: Comparison, shortest: Contrast, game: Game, other: Game) -> Iterator[Line]:
    """The play as each of the two writes it, and what each says after it."""
    texts = [
        _moves(play, each) for play, each in ((shortest.play, game), (shortest.other_play, other))
    ]
    if shortest.play and texts[0] == texts[1]:
        yield line(Piece(texts[0], Tone.FORMULA), indent=4, hang=2)
    elif shortest.play:
        for name, text in zip(found.names, texts, strict=True):
            yield line(f"{name}: ", Piece(text, Tone.FORMULA), indent=4, hang=2)
    for name, said in zip(found.names, (shortest.first, shortest.second), strict=True):
        yield line(f"{name}: {said}", indent=2, hang=2)


def _moves(play: Sequence[Move], game: Game) -> str:
    assert game.model is not None, "what was compared runs"
    return play_text(play, game.model.signature)


def _statistics(found: Comparison) -> Iterator[Line]:
    """How many positions differ in each way, with the length of the shortest play."""
    heads = first, second = found.names
    if found.sizes is not None:
        yield line(
            f"Some move has several results: of {found.sizes[0]:,} positions of {first} and "
            f"{found.sizes[1]:,} of {second}, {found.differing:,} have no like in the other.",
            indent=2,
            hang=2,
        )
        return
    compared = count(found.positions, "position")
    yield line(f"{found.differing:,} of {compared} that both reach by one play differ:", indent=2)
    rows = [
        ("positions", *(heads if _are_short(heads) else ("first", "second")), "moves"),
        *((f"{each.positions:,}", *_said(each), f"{len(each.play):,}") for each in found.contrasts),
    ]
    sizes = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for at, (number, *texts, moves) in enumerate(rows):
        cells = [f"{number:>{sizes[0]}}"]
        cells += [
            text + " " * (size - width(text)) for text, size in zip(texts, sizes[1:3], strict=True)
        ]
        text = "  ".join([*cells, f"{moves:>{sizes[3]}}"])
        yield line(Piece(text, Tone.FAINT if at == 0 else Tone.PLAIN), indent=4)


def _are_short(names: tuple[str, str]) -> bool:
    return max(map(width, names)) <= _WIDEST_HEAD


def _said(each: Contrast) -> tuple[str, str]:
    """What both say there, of a move only its name."""
    if each.move is None:
        return each.first, each.second
    text, name = str(each.move), each.move.name
    return each.first.replace(text, name, 1), each.second.replace(text, name, 1)


def _changes(found: Comparison) -> Iterator[Line]:
    if not found.changes:
        return
    yield BLANK
    yield line(Piece("What the second says otherwise", Tone.HEADING))
    for each in found.changes:
        yield line(f"- {capital(each)}.", indent=2, hang=2)
    if found.is_equal:
        yield line("None of this changes play.", indent=2)
