"""The prompt in a terminal, or at the end of a pipe: lines are read, and answers are shown."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Final, assert_never

import click

from zermelo.core.picture import Picture
from zermelo.core.prompt import (
    FilmStep,
    Interaction,
    Prompt,
    Shown,
    SideBySide,
    TwoColumns,
    TypedRemarks,
    Verbatim,
)
from zermelo.draw.text_board import draw
from zermelo.faces.cli.screen import Screen, is_interactive, show_diagnostics
from zermelo.text.budget import STEPS_OF_AN_ANSWER, budget, listing_within
from zermelo.text.prose import Line, Piece, Tone, line
from zermelo.text.source import width

FILM: Final = 0.3
"""Seconds for which each step of a film stands at a prompt."""
CLEAR: Final = "\033[H\033[2J"


def converse(interaction: Interaction, screen: Screen, *, greets_on: Screen | None = None) -> None:
    """Answer what is typed until somebody leaves or the input ends.

    *greets_on* is where the greeting goes that no person at a terminal is there to read.
    """
    is_typed = is_interactive()
    greeted = screen if is_typed or greets_on is None else greets_on
    with budget(steps=STEPS_OF_AN_ANSWER), listing_within():
        greeting = list(interaction.greeting(invites=is_typed))
    show(greeting, greeted)
    prompt = Prompt(interaction)
    for text in _typed_lines(screen, prompt):
        try:
            with listing_within():
                show(prompt.answer(text), screen, seconds=FILM if is_typed else None)
        except KeyboardInterrupt:
            if not is_typed:
                raise
            screen.write()
            screen.say("Stopped.")
        if prompt.is_left:
            return


def _typed_lines(screen: Screen, prompt: Prompt) -> Iterator[str]:
    """The lines up to the end of input; in a terminal each after a prompt, with history."""
    if not is_interactive():
        yield from sys.stdin
        return
    _complete_with_tab(prompt)
    while True:
        try:
            text = input(_painted(prompt.interaction.prompt, screen))
        except EOFError:
            click.echo()
            return
        yield text


def _complete_with_tab(prompt: Prompt) -> None:
    """Let the Tab key complete commands and moves, where the system has a library for lines."""
    try:
        import readline  # noqa: PLC0415 - there is none on some systems
    except ImportError:
        return
    found: list[str] = []

    def completion(start: str, number: int) -> str | None:
        if number == 0:
            with budget(steps=STEPS_OF_AN_ANSWER), listing_within():
                found[:] = prompt.completions(start)
        return found[number] if number < len(found) else None

    # A move may have blanks and brackets, so that what is completed is the whole line.
    readline.set_completer_delims("")
    readline.set_completer(completion)
    # What macOS has in its place is told in another way.
    is_libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")


def _painted(prompt: str, screen: Screen) -> str:
    """*prompt* in bold, with the signs that keep readline from counting its colours."""
    text = screen.spelled(prompt)
    if not screen.has_colour:
        return text
    return f"\001{click.style('', bold=True, reset=False)}\002{text}\001{click.style('')}\002"


# Answers


def show(answer: Iterable[Shown], screen: Screen, *, seconds: float | None = None) -> None:
    """Show the parts of an *answer* as they come.

    A step of a film stands for so many *seconds*, in a terminal in place of the one before.
    """
    for part in answer:
        if isinstance(part, FilmStep):
            _show_step(part, screen, seconds)
        else:
            _show_part(part, screen)


def _show_step(step: FilmStep, screen: Screen, seconds: float | None) -> None:
    if seconds is not None and is_interactive():
        click.echo(CLEAR, nl=False)
    show(step.shown, screen)
    if seconds is not None and not step.is_last:
        time.sleep(seconds)


def _show_part(
    part: Line | Picture | Verbatim | SideBySide | TwoColumns | TypedRemarks, screen: Screen
) -> None:
    match part:
        case Line():
            screen.show([part])
        case Picture():
            for row in draw(part, screen):
                screen.write(row)
        case Verbatim(text, tone):
            for row in text.split("\n"):
                said = screen.spelled(row)
                screen.write(screen.styled(said, fg="red") if tone is Tone.BAD else said)
        case SideBySide(texts):
            _show_side_by_side([screen.spelled(text) for text in texts], screen)
        case TwoColumns(rows):
            screen.show(_aligned(rows, screen))
        case TypedRemarks(diagnostics, source):
            show_diagnostics(diagnostics, source, screen, rest=None)
        case _:
            assert_never(part)


def _show_side_by_side(texts: list[str], screen: Screen) -> None:
    size = max(map(width, texts), default=0) + 3
    columns = max((screen.width - 2) // size, 1)
    for start in range(0, len(texts), columns):
        row = texts[start : start + columns]
        screen.write("  " + "".join(text + " " * (size - width(text)) for text in row).rstrip())


def _aligned(rows: Iterable[tuple[Piece, Piece]], screen: Screen) -> Iterator[Line]:
    spelled = [(screen.spelled(first.text), first.tone, second) for first, second in rows]
    size = max((width(text) for text, _, _ in spelled), default=0)
    for text, tone, second in spelled:
        first = Piece(text + " " * (size - width(text)), tone)
        yield line(first, "  ", second, indent=2, hang=size + 2)
