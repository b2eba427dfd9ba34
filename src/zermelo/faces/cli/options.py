"""The options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Final, TypeVar

import click

from zermelo.faces.cli.screen import Screen, screen

R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the shared options say."""

    screen: Screen
    errors: Screen
    readings: Mapping[str, str] = field(default_factory=dict)
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
        readings: Mapping[str, str],
        as_written: bool,
        strict: bool,
        **rest: object,
    ) -> R:
        del debug  # ``main`` looks for it: it sees the faults
        settings = Settings(
            screen=screen(color=color, is_ascii=is_ascii),
            errors=screen(color=color, is_ascii=is_ascii, is_error=True),
            readings=readings,
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


def _readings(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> Mapping[str, str]:
    pairs = [(value, *value.partition("=")) for value in values]
    wrong = [value for value, name, _, choice in pairs if not (name.strip() and choice.strip())]
    if wrong:
        raise click.BadParameter(
            f"`{wrong[0]}` is not of the form NAME=CHOICE; `zermelo readings FILE` lists both",
            ctx=context,
            param=parameter,
        )
    return {name.strip(): choice.strip() for _, name, _, choice in pairs}


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
    click.argument("name", metavar="FILE|NAME|-"),
    click.option(
        "--reading",
        "readings",
        metavar="NAME=CHOICE",
        multiple=True,
        callback=_readings,
        help="Decide a reading, as in --reading 'order=at once'; may be repeated.",
    ),
    click.option(
        "--as-written",
        is_flag=True,
        help="Leave errata, and repairs of print that change the meaning, aside.",
    ),
    click.option("--strict", is_flag=True, help="Count warnings as errors."),
)
