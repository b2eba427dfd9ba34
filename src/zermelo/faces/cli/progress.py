"""How far a long run has come, on standard error, where a person sees it."""

from __future__ import annotations

import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from zermelo import api
from zermelo.faces.cli.resources import memory_text, time_text

SECONDS_BETWEEN = 0.2
SECONDS_BEFORE_RATES = 1.0
"""Before this an average says nothing."""
LONG = 10.0
"""Seconds for which it is worth waiting knowingly."""


def progress_text(progress: api.Progress) -> str:
    """How far a run has come, and how far it may have to go.

    >>> progress_text(api.Progress(depth=5, states=2_000_000, frontier=900_000, seconds=4.0))
    '  2,000,000 states, 5 moves deep, 900,000 waiting, 500,000 a second'
    """
    text = f"  {progress.states:,} states, {progress.depth} moves deep"
    if progress.seconds < SECONDS_BEFORE_RATES:
        return text
    text += f", {progress.frontier:,} waiting, {progress.rate:,.0f} a second"
    if progress.estimate is None:
        return text
    return f"{text}; perhaps {estimate_text(progress.estimate)}"


def estimate_text(estimate: api.Estimate) -> str:
    """What a run may come to.

    >>> estimate_text(api.Estimate(24_000_000, 600_000_000, 12.3))
    '24,000,000 states in all, 12 s and 600 MB'
    """
    return (
        f"{estimate.states:,} states in all, {time_text(estimate.seconds)} "
        f"and {memory_text(estimate.bytes)}"
    )


def _is_long(progress: api.Progress) -> bool:
    """Whether it will take so long that even those should know who see no ticker."""
    if progress.estimate is None or progress.seconds < SECONDS_BEFORE_RATES:
        return False
    return progress.estimate.seconds - progress.seconds > LONG


class Ticker:
    """Shows progress in one line that is written over."""

    def __init__(self) -> None:
        self._last = 0.0
        self._width = 0

    def __call__(self, progress: api.Progress, /) -> None:
        """Take note of *progress*."""
        if progress.seconds - self._last < SECONDS_BETWEEN:
            return
        self._last = progress.seconds
        # A line that is broken could not be written over.
        text = progress_text(progress)[: shutil.get_terminal_size().columns - 1]
        self._width = max(self._width, len(text))
        sys.stderr.write(f"\r{text:{self._width}}")
        sys.stderr.flush()

    def clear(self) -> None:
        """Leave the line as it was."""
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()


class Stopper:
    """Asks a run to stop with what it has found once Ctrl-C was pressed; a second one ends it."""

    def __init__(self, shown: Ticker | None) -> None:
        self._shown = shown
        self._has_said = False
        self.is_asked = False
        """Whether Ctrl-C was pressed."""

    def __call__(self, progress: api.Progress, /) -> bool:
        """Take note of *progress*; whether to stop."""
        if self._shown is not None:
            self._shown(progress)
        elif not self._has_said and _is_long(progress):
            self._has_said = True
            sys.stderr.write(f"{progress_text(progress)}\n")
        return self.is_asked

    def ask(self, *_: object) -> None:
        """Note that Ctrl-C was pressed."""
        self.is_asked = True
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def stopper() -> Iterator[Stopper]:
    """A listener that shows progress, and that Ctrl-C makes ask for a stop."""
    with ticker() as shown:
        asking = Stopper(shown)
        before = signal.signal(signal.SIGINT, asking.ask)
        try:
            yield asking
        finally:
            signal.signal(signal.SIGINT, before)


@contextmanager
def ticker() -> Iterator[Ticker | None]:
    """A ticker while something long runs; ``None`` where nobody would see it."""
    if not sys.stderr.isatty():
        yield None
        return
    shown = Ticker()
    try:
        yield shown
    finally:
        shown.clear()
