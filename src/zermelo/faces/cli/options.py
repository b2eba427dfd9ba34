"""The options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from typing import Final, TypeVar

import click
from click.shell_completion import CompletionItem

from zermelo.faces.cli.screen import Screen, screen
from zermelo.files.beside import READING_FILE

R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the shared options say."""

    screen: Screen
    errors: Screen
    readings: Mapping[str, str] = field(default_factory=dict)
    reading_file: Path | None = None
    """Says how the document is read, instead of the file that may stand beside it."""
    as_written: bool = False
    strict: bool = False


def examples(*commands: str) -> str:
    """The examples at the end of a command's help; the sign in front keeps their lines."""
    return "\n".join(["\b", "Examples:", *(f"  {command}" for command in commands)])


def looks(function: Callable[..., R]) -> Callable[..., R]:
    """Add the options that say how things look; *function* gets ``settings``."""

    @wraps(function)
    def call(*, color: str, is_ascii: bool, debug: bool, **rest: object) -> R:
        del debug  # ``main`` looks for it: it sees the faults
        settings = Settings(
            screen=screen(color=color, is_ascii=is_ascii),
            errors=screen(color=color, is_ascii=is_ascii, is_error=True),
        )
        return function(settings=settings, **rest)

    return _with(_LOOKS, call)


def document(function: Callable[..., R]) -> Callable[..., R]:
    """Add the document, how it is read and how things look; *function* gets ``settings``."""

    @wraps(function)
    def call(
        *,
        color: str,
        is_ascii: bool,
        debug: bool,
        readings: GivenReadings,
        as_written: bool,
        strict: bool,
        **rest: object,
    ) -> R:
        del debug  # ``main`` looks for it: it sees the faults
        settings = Settings(
            screen=screen(color=color, is_ascii=is_ascii),
            errors=screen(color=color, is_ascii=is_ascii, is_error=True),
            readings=readings.choices,
            reading_file=readings.file,
            as_written=as_written,
            strict=strict,
        )
        return function(settings=settings, **rest)

    return _with((*_DOCUMENT, *_LOOKS), call)


def _with(
    options: Sequence[Callable[[Callable[..., R]], Callable[..., R]]], function: Callable[..., R]
) -> Callable[..., R]:
    for option in reversed(options):
        function = option(function)
    return function


@dataclass(frozen=True, slots=True)
class GivenReadings:
    """What ``--reading``, or one like it, says: choices by the names of readings, and a file."""

    choices: Mapping[str, str]
    file: Path | None = None


def _readings(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> GivenReadings:
    files = [value for value in values if value.endswith(READING_FILE) and "=" not in value]
    pairs = [(value, *value.partition("=")) for value in values if value not in files]
    wrong = [value for value, name, _, choice in pairs if not (name.strip() and choice.strip())]
    if wrong:
        raise click.BadParameter(
            f"`{wrong[0]}` is neither of the form NAME=CHOICE nor a file that ends in "
            f"{READING_FILE}; `zermelo readings FILE` lists names and choices",
            ctx=context,
            param=parameter,
        )
    if len(files) > 1:
        said = "one file says how a document is read, and more than one is named"
        raise click.BadParameter(said, ctx=context, param=parameter)
    file = Path(files[0]) if files else None
    return GivenReadings({name.strip(): choice.strip() for _, name, _, choice in pairs}, file)


def _keep_nothing(context: click.Context, parameter: click.Parameter, value: object) -> None:
    del parameter
    if value and not context.resilient_parsing:
        from zermelo.fast import cache  # noqa: PLC0415 - help needs none

        cache.use(cache.Cache(None))


def reading_option(name: str, told: str) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """An option *name* like ``--reading``, for one of several documents."""
    return click.option(
        name,
        metavar="NAME=CHOICE|FILE",
        shell_complete=files,
        multiple=True,
        callback=_readings,
        help=told,
    )


def with_readings(settings: Settings, given: GivenReadings) -> Settings:
    """*settings* in which what is *given* for one document goes before what is for all."""
    return replace(
        settings,
        readings={**settings.readings, **given.choices},
        reading_file=given.file or settings.reading_file,
    )


# What a shell completes


_TYPED_AS_IT_IS: Final = re.compile(r"[\w+@%][\w.+@%-]*")
"""A name that is no option, not hidden, and needs no quotes."""


def documents(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """What may stand for a document that begins with *incomplete*: games of the library, and files.

    The shell itself lists files better, with their folders and with signs that must be quoted; but
    it does so only where nothing else is offered.
    """
    from zermelo.api import loading  # noqa: PLC0415 - help needs none

    named = [
        CompletionItem(game.name, help=game.summary.replace("`", ""))
        for game in loading.games()
        if game.name.startswith(incomplete)
    ]
    return named + _entries(incomplete) if named else files(context, parameter, incomplete)


def files(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Leaves it to the shell to list the files whose names begin with *incomplete*."""
    del context, parameter
    return [CompletionItem(incomplete, type="file")]


def _entries(incomplete: str) -> list[CompletionItem]:
    """What lies in this folder and can be typed as it is."""
    try:
        found = sorted(Path().iterdir())
    except OSError:
        # A folder that cannot be listed has nothing to offer.
        return []
    return [
        CompletionItem(f"{each.name}/" if each.is_dir() else each.name)
        for each in found
        if each.name.startswith(incomplete) and _TYPED_AS_IT_IS.fullmatch(each.name)
    ]


_LOOKS: Final = (
    click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        show_default=True,
        help="Colours; `auto` means in a terminal, unless NO_COLOR is set.",
    ),
    click.option("--ascii", "is_ascii", is_flag=True, help="Use nothing but ASCII."),
    click.option("--debug", is_flag=True, hidden=True, help="Show where our faults happen."),
)
_DOCUMENT: Final = (
    click.argument("name", metavar="FILE|NAME|-", shell_complete=documents),
    click.option(
        "--reading",
        "readings",
        metavar="NAME=CHOICE|FILE",
        shell_complete=files,
        multiple=True,
        callback=_readings,
        help="Decide a reading, as in --reading 'order=at once'; may be repeated. For nets and LED "
        "programs also a file with such lines, as in --reading mine.reading.",
    ),
    click.option(
        "--as-written",
        is_flag=True,
        help="Leave errata, and repairs of print that change the meaning, aside.",
    ),
    click.option("--strict", is_flag=True, help="Count warnings as errors."),
    click.option(
        "--no-cache",
        is_flag=True,
        expose_value=False,
        callback=_keep_nothing,
        help="Use and keep nothing of earlier runs: no compiled code, no reports, no trials of "
        "readings.",
    ),
)
