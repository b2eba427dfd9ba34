"""``zermelo check``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import click
from click.core import ParameterSource

from zermelo.api import loading, questions, texts
from zermelo.api.game import Game
from zermelo.api.questions import Report
from zermelo.core import limits as cut_by
from zermelo.core.commentary import reading_lines
from zermelo.core.limits import CHECK_LIMITS, WIDE_LIMITS, Limits
from zermelo.core.model import Model
from zermelo.core.observation import Answer, Checkup, PropertyVerdict, among_reachable
from zermelo.core.space import Space
from zermelo.core.state import play_to_text
from zermelo.faces.cli.kept import reports
from zermelo.faces.cli.kept.reports import KeptReport
from zermelo.faces.cli.loading import (
    STANDARD_INPUT,
    found,
    load,
    output_file,
    rewrite,
    write,
)
from zermelo.faces.cli.options import Settings, document, examples, files
from zermelo.faces.cli.progress import (
    INTERRUPTED,
    cores,
    interruptible,
    limits,
    memory,
    seconds,
)
from zermelo.faces.cli.screen import MOST_SHOWN, json_for_output, show_diagnostics, summary
from zermelo.files import beside
from zermelo.play.lines import verdict_lines
from zermelo.text import render
from zermelo.text.diagnostic import Json
from zermelo.text.prose import BLANK, Line, Piece, Tone, count, heading, line, listing

_SHARE_OF_LOOKING: Final = 0.8
"""How much of the time that is given goes into looking at states."""
MOST_ROUNDS: Final = 8
"""How often a document is read again to find fixes that wait for others."""


@click.command(
    "check",
    epilog=examples(
        "zermelo check mine.md",
        "zermelo check mine.md --one-line",
        "zermelo check mine.md --fix",
        "zermelo check mine.md --report mine.html",
        'zermelo check mine.md --property "never stuck"',
        "cat mine.md | zermelo check - --json",
    ),
)
@click.option("--json", "is_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "line", "json"]),
    default="text",
    show_default=True,
    help="How diagnostics are shown.",
)
@click.option("--one-line", is_flag=True, help="The same as --format line.")
@click.option(
    "--all",
    "is_all",
    is_flag=True,
    help=f"Show every diagnostic, not only the {MOST_SHOWN} most severe. JSON and single lines "
    "always have all of them.",
)
@click.option(
    "--property",
    "properties",
    multiple=True,
    metavar="TEXT",
    help='Decide a property: "always", "sometimes" or "never", and a formula. Repeatable.',
)
@click.option(
    "--report",
    "page",
    metavar="FILE",
    shell_complete=files,
    help="Write it into this file as well, as a page of HTML with every play drawn.",
)
@click.option("--fix", is_flag=True, help="Write the certain fixes into the file.")
@click.option(
    "--states",
    type=click.IntRange(min=1),
    help="How many states to look at, however long it takes.",
)
@seconds()
@partial(memory, share=0.5)
@document
def command(
    *,
    name: str,
    is_json: bool,
    form: str,
    one_line: bool,
    is_all: bool,
    fix: bool,
    properties: tuple[str, ...],
    page: str | None,
    states: int | None,
    settings: Settings,
    **resources: float | None,
) -> int:
    """Read a document, try it out, and say what is wrong.

    First come the diagnostics, then what playing shows. A document with few states
    is played through. Of a larger one the states near the start and some plays to
    the end are looked at, and then compiled code goes through all states, for at
    most 20 seconds and half of the free memory. --states bounds that by a number,
    so that the answer is the same on every machine; with --seconds all of it takes
    no longer. Ctrl-C ends the playing, and what was found is said.

    A property is decided in every state: it holds, it fails, or it is undecided
    where not all states could be looked at. Its formula has the names of the
    document, and legal(Move), legal(Move(a)), stuck, over and turn of A. A
    document asks for properties of its own in a section Properties.

    Exit codes: 0 there is no error, 1 there is one or a property fails, 2 there is
    no system at all. With --strict warnings count as errors.
    """
    look = _Look(is_json=is_json, form="line" if one_line else form, is_all=is_all, states=states)
    look = replace(look, properties=properties, page=output_file(page, name))
    source = click.get_current_context().get_parameter_source("memory")
    is_usual = resources["seconds"] is None and source is ParameterSource.DEFAULT
    # What is fixed is another document; who says how long it may take wants it to be done anew.
    key = _key(name, settings, look) if is_usual and not fix and page is None else None
    known = None if key is None else reports.kept(key)
    if known is not None:
        known.print(settings.screen)
        return known.code
    screen = reports.copying(settings.screen)
    with beside.noted() as notes:
        code = _checked(name, replace(settings, screen=screen), look, resources, fix=fix)
    # What another program has made of the document meanwhile may be what was read.
    if key is not None and code != INTERRUPTED and _key(name, settings, look) == key:
        reports.keep(key, KeptReport(tuple(screen.rows), code), notes)
    return code


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """What is looked at, and how it is shown."""

    is_json: bool
    form: str
    is_all: bool
    states: int | None
    properties: tuple[str, ...] = ()
    page: str | None = None
    """The file for a page of HTML, if one is wanted."""


def _key(name: str, settings: Settings, look: _Look) -> str | None:
    """Under what the report is kept; ``None`` where it is not."""
    if name == STANDARD_INPUT:
        return None
    place = found(name)
    options: dict[str, Json] = {
        "name": name,
        "readings": dict(settings.readings),
        "reading file": None if settings.reading_file is None else str(settings.reading_file),
        "as written": settings.as_written,
        "strict": settings.strict,
        "json": look.is_json,
        "form": look.form,
        "all": look.is_all,
        "states": look.states,
        "properties": list(look.properties),
    }
    path = place if isinstance(place, Path) else loading.find(place).path
    return reports.key_of(path, options, settings.screen)


def _checked(
    name: str,
    settings: Settings,
    look: _Look,
    resources: dict[str, float | None],
    *,
    fix: bool = False,
) -> int:
    """Read the document, try it out, show what there is to say, and give the exit code."""
    game = load(name, settings)
    if fix:
        game = _fixed(name, game, settings)
    states = look.states
    with interruptible() as listener:
        report = questions.check(
            game,
            limits=_limits(resources, states),
            wide=_wide_limits(resources, states),
            listener=listener,
            threads=cores(),
            properties=look.properties,
        )
    if listener.is_asked and not _is_cut(report):
        report = replace(report, cut=cut_by.INTERRUPTED)
    if look.page is not None:
        # Few want a page.
        from zermelo.api.check_page import check_page  # noqa: PLC0415

        write(look.page, check_page(game, report, document=name).encode())
        settings.errors.say(f"Wrote {look.page}.")
    if look.is_json or look.form == "json":
        settings.screen.write(json_for_output(report.to_json()))
    elif look.form == "line":
        for diagnostic in render.in_order(report.diagnostics):
            settings.screen.write(settings.screen.spelled(render.one_line(diagnostic, game.source)))
        if listener.is_asked:
            settings.errors.say("zermelo: interrupted; not everything was tried out")
    else:
        _show(report, settings, is_all=look.is_all)
    if listener.is_asked:
        return INTERRUPTED
    return questions.exit_code(
        game, report.diagnostics, strict=settings.strict, properties=report.properties
    )


def _is_cut(report: Report) -> bool:
    """Whether *report* says that it is not of everything that was to be looked at."""
    is_all = report.checkup is None or report.checkup.counted.cut is None
    return report.cut is not None or not is_all


def _limits(resources: dict[str, float | None], states: int | None) -> Limits:
    """How far to look: as usual, but for what is said."""
    usual = CHECK_LIMITS
    if states is not None and states < (usual.states or 0):
        usual = replace(usual, states=states, moves=None)
    if resources["seconds"] is None:
        return usual
    found = limits({**resources, "memory": None})
    return replace(found, states=usual.states, moves=usual.moves)


def _wide_limits(resources: dict[str, float | None], states: int | None) -> Limits | None:
    """How far compiled code looks, where that is not all; ``None`` where it is not wanted."""
    if states is not None and states <= (CHECK_LIMITS.states or 0):
        return None
    found = limits(resources, states=states)
    if found.seconds is not None:
        # What is found has to be told within the time, too.
        return replace(found, seconds=round(found.seconds * _SHARE_OF_LOOKING, 1))
    if states is not None:
        return found
    # They begin to count when it does.
    return replace(found, seconds=WIDE_LIMITS.seconds, began=None)


def _fixed(name: str, game: Game, settings: Settings) -> Game:
    """The document with its certain fixes made, in the file too."""
    if name == STANDARD_INPUT or not isinstance(found(name), Path):
        raise click.UsageError("--fix writes into a file of yours; give the name of one")
    path, first = Path(name), game
    made: list[str] = []
    # Where two fixes touch, the second is made when the new text is read.
    for _ in range(MOST_ROUNDS):
        text = texts.fixed(game.source, game.diagnostics)
        if text == game.source.text:
            break
        after = loading.load_text(
            text,
            name=path.name,
            readings=settings.readings,
            reading_file=settings.reading_file,
            as_written=settings.as_written,
            path=path,
        )
        left = {(each.code, each.message) for each in after.diagnostics}
        made += [
            render.one_line(each, game.source)
            for each in render.in_order(game.diagnostics)
            if each.fix is not None and (each.code, each.message) not in left
        ]
        game = after
    if game is not first:
        rewrite(path, game.source.text, first.source)
    if made:
        settings.errors.say(f"Made {count(len(made), 'fix', 'fixes')} in {name}:")
        settings.errors.show(line(each, indent=2, hang=2) for each in made[:MOST_SHOWN])
        if len(made) > MOST_SHOWN:
            settings.errors.show([line(f"and {len(made) - MOST_SHOWN:,} more", indent=2)])
    else:
        settings.errors.say("Nothing that can be fixed with certainty.")
    return game


def _show(report: Report, settings: Settings, *, is_all: bool) -> None:
    screen = settings.screen
    game = report.game
    if report.diagnostics:
        rest = None if is_all else "--all"
        show_diagnostics(report.diagnostics, game.source, screen, rest=rest)
        screen.write()
    screen.show(_system_lines(report))
    screen.say(Piece(f"{game.source.name}: {summary(report.diagnostics)}.", Tone.STRONG))


def _system_lines(report: Report) -> Iterator[Line]:
    game, checkup = report.game, report.checkup
    has_errors = any(each.is_error for each in report.diagnostics)
    if game.model is not None and not game.is_loaded and not has_errors:
        yield from game.model.words.unplayed()
        yield from _cut_lines(report)
        yield BLANK
        return
    if game.model is None or checkup is None:
        yield line(Piece("There is no system to try out.", Tone.BAD))
        return
    own = game.model.words.checked(checkup.counted, in_spite=report.is_in_spite_of_errors)
    if own is not None:
        yield from own
        yield from _cut_lines(report)
        yield BLANK
        return
    signature = game.model.signature
    yield heading("What was understood")
    moves = [
        move.name
        if move.name_suffices
        else f"{move.name}({', '.join(p.name for p in move.parameters)})"
        for move in signature.moves
    ]
    yield line(f"Moves: {listing(moves) or 'none'}.", indent=2, hang=4)
    if game.players or signature.players_help:
        yield line(f"Players: {listing(game.players) or 'not known'}.", indent=2, hang=4)
    yield from _taken_lines(report, game.model)
    yield BLANK
    yield heading("What playing shows")
    if report.is_in_spite_of_errors:
        yield line(
            "Played in spite of the errors above, so what follows may be due to them.", indent=2
        )
    yield from verdict_lines(checkup.counted, signature)
    yield from _wide_lines(checkup.wide)
    yield from _confirmed_lines(report, checkup)
    yield from _cut_lines(report)
    yield BLANK
    if report.properties:
        yield heading("Properties")
        for each in report.properties:
            yield from _property_lines(each)
        yield BLANK


_TONES: Final = {Answer.HOLDS: Tone.GOOD, Answer.FAILS: Tone.BAD, Answer.UNDECIDED: Tone.STRONG}


def _property_lines(verdict: PropertyVerdict) -> Iterator[Line]:
    answer = Piece(verdict.answer.value, _TONES[verdict.answer])
    yield line(
        Piece(verdict.text, Tone.FORMULA), ": ", answer, f", {verdict.why}.", indent=2, hang=4
    )
    shown = verdict.shown_by
    if shown is not None:
        yield line(f"play: {play_to_text(shown.play)}", indent=4, hang=4)
        yield line(f"then: {shown.state}", indent=4, hang=4)
        if shown.fault is not None:
            yield line(f"there {shown.fault.message}", indent=4, hang=4)


def _confirmed_lines(report: Report, checkup: Checkup) -> Iterator[Line]:
    facts = report.confirmed
    if facts:
        where = among_reachable(checkup.counted.states).replace("in any of", "in all of")
        named = listing([f"`{each}`" for each in facts])
        yield line(f"{named} {'holds' if len(facts) == 1 else 'hold'} {where}.", indent=2, hang=4)


def _taken_lines(report: Report, model: Model) -> Iterator[Line]:
    """How the document is read, what it answers, and what is no formula."""
    for reading in report.game.readings:
        first, *_ = reading_lines(reading)
        yield first
    for answer in report.answered:
        yield line(f"intended: {answer}", indent=2, hang=4)
    prose = model.words.prose()
    if prose:
        told = f"{count(prose, 'line')} under the headings taken as prose"
        yield line(f"{told}: `zermelo explain` lists them.", indent=2, hang=4)


def _wide_lines(wide: Space | None) -> Iterator[Line]:
    """What compiled code has counted besides, where it looked at all."""
    if wide is None:
        return
    if wide.longest is not None:
        if wide.longest.play is None:
            yield line("Plays can go round, and on without end.", indent=2, hang=4)
        else:
            most = count(len(wide.longest.play), "move")
            yield line(f"Plays have at most {most}.", indent=2, hang=4)
    if wide.classes is not None and wide.classes.symmetries > 1:
        classes = count(wide.classes.count, "class", "classes")
        yield line(f"Of the states that are alike one was looked at: {classes}.", indent=2, hang=4)


def _cut_lines(report: Report) -> Iterator[Line]:
    if report.cut is not None:
        more = "--seconds gives it more time"
        yield line(f"It was not looked into further: {report.cut}; {more}.", indent=2, hang=4)
