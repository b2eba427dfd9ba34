"""How far a long question is, for whoever asks it from Python.

In a notebook that is a bar, a display that is written anew in its place; on a stream that is given,
a line. Nothing is shown of what is answered soon, and nothing is left when it is over.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from types import ModuleType
from typing import Final, Protocol, TextIO

from zermelo.core.limits import Listener, Progress
from zermelo.text.prose import count
from zermelo.text.render import shown_in_xml

SOON: Final = 0.5
"""Seconds before anything is shown,"""
BETWEEN: Final = 0.2
"""and between one look and the next."""


class Display(Protocol):
    """Where progress is shown."""

    def show(self, progress: Progress, /) -> None: ...

    def clear(self) -> None: ...


@contextmanager
def shown(listener: Listener | None, *, wanted: bool | TextIO) -> Iterator[Listener | None]:
    """A listener that shows progress and tells *listener*, while a question is being answered.

    It is shown in a notebook if it is *wanted*, and else in a line of the stream that is given.
    """
    place: Display | None = None if wanted is False else _notebook(sys.modules.get("IPython"))
    if place is None and not isinstance(wanted, bool):
        place = TerminalLine(wanted)
    if place is None:
        yield listener
        return
    try:
        yield _Now(place, listener)
    finally:
        place.clear()


class _Now:
    """Shows progress now and then, and hands it on."""

    def __init__(self, place: Display, listener: Listener | None) -> None:
        self._place = place
        self._listener = listener
        self._next = SOON

    def __call__(self, progress: Progress, /) -> bool | None:
        if progress.seconds >= self._next:
            self._next = progress.seconds + BETWEEN
            self._place.show(progress)
        return None if self._listener is None else self._listener(progress)


def text_of(progress: Progress) -> str:
    """How far a run has come, in a line.

    >>> text_of(Progress(depth=5, states=2_000_000, frontier=900_000, seconds=4.0))
    'exploring: 2,000,000 states, 5 moves deep'
    """
    guess = progress.estimate
    left = ""
    if guess is not None:
        how = "at most" if guess.is_bound else "about"
        left = f", {how} {timedelta(seconds=round(guess.seconds_left))} left"
    states, deep = count(progress.states, "state"), f"{count(progress.depth, 'move')} deep"
    return f"{progress.phase}: {states}, {deep}{left}"


def share_of(progress: Progress) -> float | None:
    """Which part of the states has been reached, if it can be told.

    >>> share_of(Progress(depth=5, states=20, frontier=9, seconds=4.0)) is None
    True
    """
    guess = progress.estimate
    if guess is None or not guess.states:
        return None
    return min(1.0, progress.states / guess.states)


@dataclass(frozen=True, slots=True)
class TerminalLine:
    """A line of a terminal that is written over."""

    stream: TextIO

    def show(self, progress: Progress, /) -> None:
        most = max(0, shutil.get_terminal_size().columns - 1)
        self._write(f"\r\x1b[K{text_of(progress)[:most]}")

    def clear(self) -> None:
        self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        self.stream.write(text)
        self.stream.flush()


class NotebookBar:
    """A bar in the output of a cell, which is there from the first time that it is shown."""

    def __init__(self, ipython: ModuleType) -> None:
        self._display: Callable[..., object] = ipython.display.display
        self._update: Callable[..., object] | None = None

    def show(self, progress: Progress, /) -> None:
        self._draw({"text/plain": text_of(progress), "text/html": bar(progress)})

    def clear(self) -> None:
        if self._update is not None:
            self._draw({"text/plain": "", "text/html": ""})

    def _draw(self, shown: dict[str, str]) -> None:
        if self._update is not None:
            self._update(shown, raw=True)
            return
        handle = self._display(shown, raw=True, display_id=True)
        self._update = getattr(handle, "update", None)


def bar(progress: Progress) -> str:
    """A bar as HTML, which any notebook shows without further libraries.

    >>> bar(Progress(depth=1, states=9, frontier=8, seconds=1.0))
    '<progress max="1"></progress> exploring: 9 states, 1 move deep'
    """
    share = share_of(progress)
    value = "" if share is None else f' value="{share:.3f}"'
    return f'<progress max="1"{value}></progress> {shown_in_xml(text_of(progress))}'


def _notebook(ipython: ModuleType | None) -> NotebookBar | None:
    """The notebook in which this runs: what has a kernel, which no terminal has."""
    shell = None if ipython is None else ipython.get_ipython()
    if ipython is None or getattr(shell, "kernel", None) is None:
        return None
    return NotebookBar(ipython)
