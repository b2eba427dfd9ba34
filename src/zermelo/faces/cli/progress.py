"""How far a long run has come, on standard error, where a person sees it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from zermelo import api

SECONDS_BETWEEN = 0.2


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
        text = f"  {progress.states:,} states, {progress.depth} moves deep"
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
        self.is_asked = False
        """Whether Ctrl-C was pressed."""

    def __call__(self, progress: api.Progress, /) -> bool:
        """Take note of *progress*; whether to stop."""
        if self._shown is not None:
            self._shown(progress)
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
