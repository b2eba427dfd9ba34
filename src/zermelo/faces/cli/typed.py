"""Lines that a person types at a prompt, or that come through a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module

import click

from zermelo.faces.cli.screen import Screen, is_interactive


def typed_lines(screen: Screen, prompt: Callable[[], str], *, mark: str = "> ") -> Iterator[str]:
    """The lines up to the end of input; in a terminal each after a prompt, with history.

    *mark* stands between the prompt and what is typed.
    """
    if not is_interactive():
        for line in sys.stdin:
            yield line.strip()
        return
    with suppress(ImportError):
        import_module("readline")
    while True:
        try:
            line = input(_painted(f"{prompt()}{mark}", screen))
        except EOFError:
            click.echo()
            return
        yield line.strip()


def _painted(prompt: str, screen: Screen) -> str:
    """*prompt* in bold, with the signs that keep readline from counting its colours."""
    text = screen.spelled(prompt)
    if not screen.has_colour:
        return text
    return f"\001{click.style('', bold=True, reset=False)}\002{text}\001{click.style('')}\002"
