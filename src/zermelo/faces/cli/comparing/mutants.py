"""``zermelo mutants``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from zermelo.api import mutating
from zermelo.api.game import Game
from zermelo.api.mutating import Mutants, MutantTried
from zermelo.core.state import Move
from zermelo.engines.compare.comparison import Contrast, when_after
from zermelo.faces.cli.loading import FINE, NOT_FINE, load_machine
from zermelo.faces.cli.options import Settings, document, examples
from zermelo.faces.cli.progress import INTERRUPTED, answer_is_there, budgets, interruptible, limits
from zermelo.faces.cli.screen import print_json
from zermelo.play.lines import play_text
from zermelo.text.prose import BLANK, Line, Piece, Tone, count, heading, line


@click.command(
    "mutants",
    epilog=examples(
        "zermelo mutants mine.md",
        "zermelo mutants mine.md --states 1000000 --seconds 60",
        "zermelo mutants mine.md --json",
    ),
)
@click.option(
    "--states",
    type=click.IntRange(min=1),
    default=mutating.USUAL.states,
    show_default=True,
    help="How many positions of each misreading to compare.",
)
@budgets
@click.option("--json", "is_json", is_flag=True, help="Print one JSON object.")
@document
def command(
    *, name: str, states: int, is_json: bool, settings: Settings, **resources: float | None
) -> int:
    """Misread a document in every small way, and find the plays that show it.

    Each misreading changes one thing: rules as else-if, brackets, < for ≤, ∃ for ∀, ∈ for ⊆, a rule
    or a condition left out, row and column swapped, the order of rules, facts frozen or not. Those
    that are the same game are parts of the document that no play exercises; for each of the others
    the shortest play is shown that tells it apart, and few plays that together tell all apart:
    whoever implements the document should try these.
    """
    game, _ = load_machine(name, settings)
    with interruptible() as listener:
        found = mutating.mutants(game, limits=limits(resources, states=states), listener=listener)
    answer_is_there()
    code = FINE if found.cut is None and not found.undecided else NOT_FINE
    if listener.is_asked:
        code = INTERRUPTED
    if is_json:
        print_json(found.to_json())
        return code
    settings.screen.show(_lines(found, game))
    return code


def _lines(found: Mutants, game: Game) -> Iterator[Line]:
    yield line(Piece(f"{found.name}: {found.summary}.", Tone.STRONG), hang=2)
    if found.different:
        yield from (BLANK, heading("Told apart"))
        for each in found.different:
            yield from _mutant(each)
            if each.comparison.shortest is not None:
                yield _shortest(each.comparison.shortest, game)
    if found.equal:
        yield from (BLANK, heading("The same game, which is proved: no play exercises this"))
        for each in found.equal:
            yield from _mutant(each)
    if found.undecided:
        yield from (BLANK, heading("Undecided"))
        for each in found.undecided:
            yield from _mutant(each)
            yield line(f"{each.comparison.cut}.", indent=6)
    yield from _plays(found, game)
    if found.cut is not None:
        yield line(f"Not all was compared: {found.cut}.")


def _mutant(each: MutantTried) -> Iterator[Line]:
    yield line(
        Piece(each.mutant.kind, Tone.STRONG),
        f", line {each.line}: {each.mutant.words}",
        indent=2,
        hang=4,
    )


def _shortest(shortest: Contrast, game: Game) -> Line:
    played = f" ({_text(shortest.play, game)})" if shortest.play else ""
    told = f"{when_after(shortest.play)}{played}: {shortest.first}; misread, {shortest.second}."
    return line(told, indent=6, hang=2)


def _plays(found: Mutants, game: Game) -> Iterator[Line]:
    if not found.plays:
        return
    yield BLANK
    if len(found.plays) == 1:
        yield heading("One play that tells all of them apart")
    else:
        yield heading(f"{len(found.plays):,} plays that together tell all of them apart")
    for number, each in enumerate(found.plays, 1):
        yield line(
            f"{number}. ",
            Piece(_text(each.play, game), Tone.FORMULA),
            f": {count(len(each.kills), 'misreading')}",
            indent=2,
            hang=3,
        )
    yield line(_how_few(found), indent=2, hang=2)


def _how_few(found: Mutants) -> str:
    if found.is_smallest:
        return "This is the smallest set of plays that does, which is proved."
    chosen = f"They were chosen among {count(found.considered, 'play')}, the shortest to each"
    if found.is_least:
        return f"{chosen}; no fewer of these do, but other plays might."
    return f"{chosen}; whether fewer of these do is not known."


def _text(play: Sequence[Move], game: Game) -> str:
    assert game.model is not None, "what was misread runs"
    return play_text(play, game.model.signature)
