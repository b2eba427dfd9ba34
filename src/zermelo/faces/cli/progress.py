"""How far a long run has come, on standard error, where a person sees it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import click

from zermelo.core.limits import (
    SECONDS_HELP,
    Estimate,
    Limits,
    MetAgain,
    NoWayOn,
    Progress,
    Resumed,
    excess,
)
from zermelo.faces.cli.options import Settings
from zermelo.faces.cli.screen import screen
from zermelo.files.kept import is_kept_in
from zermelo.text import budget
from zermelo.text.budget import Watch
from zermelo.text.prose import count
from zermelo.text.source import visible

R = TypeVar("R")

INTERRUPTED: Final = 130
"""The exit code of a run that Ctrl-C cut short."""
OUT_OF_TIME: Final = 124
"""The exit code where the time was over before there was an answer, as of ``timeout``."""
_SHARE_OF_EXCESS: Final = 0.9
_UNITS: Final = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY_UNITS: Final = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_SIZE: Final = re.compile(r"(?P<number>\d+(\.\d+)?)\s*(?P<unit>[kmgt]?)(?P<binary>i?)b?", re.I)
_SHARE: Final = 0.75
"""How much of the free memory a run takes if nobody says how much it may."""
_CGROUP: Final = Path("/sys/fs/cgroup")


def cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def usual_memory(share: float = _SHARE) -> int | None:
    """The memory that a run takes at most if nobody says; ``None`` when it is not known."""
    known = [found for found in (_free_memory(), _group_memory()) if found is not None]
    return int(min(known) * share) if known else None


def _free_memory() -> int | None:
    path = Path("/proc/meminfo")
    if not path.is_file():
        return None
    found = re.search(r"^MemAvailable:\s*(\d+) kB", path.read_text(encoding="ascii"), re.M)
    return None if found is None else int(found[1]) << 10


def _group_memory() -> int | None:
    """What is left of the memory that a container gives."""
    most, used = _number(_CGROUP / "memory.max"), _number(_CGROUP / "memory.current")
    return None if most is None or used is None else max(0, most - used)


def _number(path: Path) -> int | None:
    try:
        text = path.read_text(encoding="ascii").strip()
    except OSError:
        return None
    return int(text) if text.isdigit() else None


def _size(context: click.Context, parameter: click.Parameter, value: str) -> int:
    """The number of bytes that `2G`, `500M` or `1.5GiB` says."""
    found = _SIZE.fullmatch(value.strip())
    if found is None:
        raise click.BadParameter(
            f"`{value}` is no amount of memory; write `2G` or `500M`",
            ctx=context,
            param=parameter,
        )
    unit = found["unit"].lower()
    factor = _BINARY_UNITS[unit] if found["binary"] and unit else _UNITS[unit]
    return int(float(found["number"]) * factor)


def threads(function: Callable[..., R]) -> Callable[..., R]:
    """Add ``--threads``; *function* gets ``threads``."""
    return click.option(
        "--threads",
        type=click.IntRange(min=1),
        default=cores,
        help="How many threads work; as many as there are cores if not given.",
    )(function)


def budgets(function: Callable[..., R]) -> Callable[..., R]:
    """Add ``--memory`` and ``--seconds``; *function* gets ``memory`` and ``seconds``."""
    return memory(seconds("--time")(function))


_SHARES: Final = {0.75: "three quarters", 0.5: "half"}


def memory(function: Callable[..., R], *, share: float = _SHARE) -> Callable[..., R]:
    """Add ``--memory``; *function* gets ``memory``: this *share* of what is free if not said."""

    def size(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
        return usual_memory(share) if value is None else _size(context, parameter, value)

    return click.option(
        "--memory",
        metavar="SIZE",
        callback=size,
        help=f"How much memory states may take, as in 2G; {_SHARES[share]} of what is free "
        "if not given.",
    )(function)


def seconds(*more: str) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """An option ``--seconds``, also called *more*; the command's function gets ``seconds``."""
    return click.option(
        "--seconds",
        *more,
        "seconds",
        type=click.FloatRange(min=0),
        callback=end_after,
        help=SECONDS_HELP,
    )


def end_after(
    context: click.Context, parameter: click.Parameter, value: float | None
) -> float | None:
    """Let the time of this command be over after so many seconds from its beginning on."""
    del parameter
    left, watch = budget.current(), budget.watch()
    if value is not None and left is not None and watch is not None:
        left.until = watch.began + value
        running = running_of(context)
        if running is not None and running.watchdog is not None:
            running.watchdog.start(watch, value)
    return value


class Watchdog:
    """Ends the process where work does not look at the clock: the last resort.

    It leaves nine tenths of what a limit may be exceeded by to whoever does look.
    """

    def __init__(self) -> None:
        self._is_done = threading.Event()
        self._waiting: threading.Thread | None = None
        self.told: Progress | None = None
        """How far things were when that was last told."""
        self.folder: Path | None = None
        """Where what is found is kept, if it is."""

    def start(self, watch: Watch, seconds: float) -> None:
        last = watch.began + seconds + _SHARE_OF_EXCESS * excess(seconds)
        self._waiting = threading.Thread(
            target=self._wait, args=(watch, seconds, last), name="watchdog", daemon=True
        )
        self._waiting.start()

    def stop(self) -> None:
        self._is_done.set()
        if self._waiting is not None:
            self._waiting.join()

    def _wait(self, watch: Watch, seconds: float, last: float) -> None:
        if self._is_done.wait(max(0.0, last - budget.now())):
            return
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")
        said = out_of_time_text(seconds, watch.phase, self.told, self.folder)
        screen(is_error=True).say(f"zermelo: {said}")
        sys.stderr.flush()
        os._exit(OUT_OF_TIME)


@dataclass(frozen=True, slots=True)
class Running:
    """The command line at hand."""

    arguments: tuple[str, ...]
    watchdog: Watchdog | None


def running_of(context: click.Context) -> Running | None:
    """The command line that *context* is of; ``None`` where a command was called in another way."""
    found = context.find_root().obj
    return found if isinstance(found, Running) else None


def _watchdog() -> Watchdog | None:
    context = click.get_current_context(silent=True)
    running = None if context is None else running_of(context)
    return None if running is None else running.watchdog


def answer_is_there() -> None:
    """What is left is to write the answer, which is never ended half way."""
    watchdog = _watchdog()
    if watchdog is not None:
        watchdog.stop()


def keeps_in(folder: Path | str | None) -> None:
    """What this command finds is kept in *folder*, if there is one."""
    watchdog = _watchdog()
    if watchdog is not None and folder is not None:
        watchdog.folder = Path(folder)


def out_of_time_text(
    seconds: float, phase: str, told: Progress | None = None, folder: Path | None = None
) -> str:
    """That the time of a command was over before it had an answer.

    What was kept in *folder* until then is still there.

    >>> out_of_time_text(5, "reading")
    'the 5 seconds were over while reading, and nothing was counted; --seconds gives it more'
    """
    counted = "nothing was counted"
    if told is not None and told.states:
        were = "was" if told.states == 1 else "were"
        counted = f"{count(told.states, 'state')} {were} counted, {count(told.depth, 'move')} deep"
    were = "second was" if seconds == 1 else "seconds were"
    said = f"the {seconds:g} {were} over while {phase}, and {counted}; --seconds gives it more"
    if folder is None or not is_kept_in(folder):
        return said
    return f"{said}. What was kept in {folder} before is there; the same command goes on from it"


def limits(
    resources: dict[str, float | None], *, states: int | None = None, depth: int | None = None
) -> Limits:
    """What the options of ``budgets`` and these two allow."""
    most, watch = resources.get("memory"), budget.watch()
    return Limits(
        states=states,
        depth=depth,
        seconds=resources["seconds"],
        memory=None if most is None else int(most),
        began=None if watch is None else watch.began,
    )


def memory_text(size: float) -> str:
    """An amount of memory in words.

    >>> memory_text(123), memory_text(45_600_000), memory_text(7.8e9)
    ('123 bytes', '46 MB', '7.8 GB')
    """
    for name, unit in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= unit:
            digits = 1 if size < 10 * unit else 0
            return f"{size / unit:,.{digits}f} {name}"
    return f"{size:,.0f} bytes"


def time_text(seconds: float) -> str:
    """A time in words.

    >>> time_text(0.4), time_text(42.3), time_text(600), time_text(50_000)
    ('0.4 s', '42 s', '10 min', '14 h')
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h"


# Runs that are kept in a folder


def announce(settings: Settings, resumed: Resumed) -> None:
    """Say from where a run goes on."""
    if resumed.values:
        settings.errors.say(
            f"zermelo: {resumed.values:,} of {count(resumed.states, 'state')} have their values"
        )
        return
    settings.errors.say(
        f"zermelo: going on from {resumed.folder}: {count(resumed.states, 'state')}, "
        f"{count(resumed.levels, 'level')} complete, after {time_text(resumed.seconds)}"
    )


def say_how_to_go_on(settings: Settings, folder: Path | str | None, cut: str | None) -> None:
    """Say of a run that was *cut* short, if it was, how it goes on from *folder*, if it is kept."""
    running = running_of(click.get_current_context())
    if folder is None or cut is None or running is None or isinstance(cut, NoWayOn):
        return
    if not is_kept_in(Path(folder)):
        return
    how = f"with more --{cut.limit}, or without it, " if isinstance(cut, MetAgain) else ""
    settings.errors.say(f"zermelo: what was found is kept in {folder}; {how}this goes on from it:")
    # In one line, so that it can be copied.
    settings.errors.write(visible(f"  {shlex.join(['zermelo', *running.arguments])}"))


SECONDS_BETWEEN = 0.2
SECONDS_BEFORE_RATES = 1.0
"""Before this an average says nothing."""
LONG = 10.0
"""Seconds for which it is worth waiting knowingly."""


def progress_text(progress: Progress, most: int | None = None) -> str:
    """How long a run may still take, what it is doing, and how far it has come.

    What matters most comes first, and what does not fit into *most* characters is left out.

    >>> told = Progress(depth=5, states=2_000_000, frontier=900_000, seconds=4.0)
    >>> progress_text(told)
    '  exploring: 2,000,000 states, 5 moves deep, 900,000 waiting, 500,000 a second'
    >>> progress_text(told, 70)
    '  exploring: 2,000,000 states, 5 moves deep, 900,000 waiting'
    """
    told = progress.estimate
    left = all_in = size = ""
    if told is not None and progress.seconds >= SECONDS_BEFORE_RATES:
        left = f"{left_text(told)}; "
        all_in = f" of {states_text(told)}" if told.states is not None else ""
        size = "" if not all_in or told.bytes is None else f" ({memory_text(told.bytes)})"
    if not progress.states:
        return f"  {left}{progress.phase}"
    phase = f"{progress.phase}: " if progress.phase else ""
    states = count(progress.states, "state")
    if all_in:
        states = f"{progress.states:,}{all_in} states{size}"
    text = f"  {left}{phase}{states}"
    parts = [f"{count(progress.depth, 'move')} deep"]
    if progress.seconds >= SECONDS_BEFORE_RATES:
        parts += [f"{progress.frontier:,} waiting"] if progress.frontier else []
        parts.append(f"{progress.rate:,.0f} a second")
    for part in parts:
        longer = f"{text}, {part}"
        if most is not None and len(longer) > most:
            break
        text = longer
    return text


def phase_text(phase: str, seconds_left: float | None) -> str:
    """What is being done while there is nothing to count, and how long it may still take.

    >>> phase_text("reading", None), phase_text("compiling", 2.5)
    ('  reading', '  at most 2.5 s left; compiling')
    """
    if seconds_left is None:
        return f"  {phase}"
    return f"  {left_text(Estimate(max(0.0, seconds_left), is_bound=True))}; {phase}"


def left_text(estimate: Estimate) -> str:
    """How long a run may still take.

    >>> left_text(Estimate(12.3)), left_text(Estimate(4000.0, is_bound=True))
    ('about 12 s left', 'at most 67 min left')
    """
    how = "at most" if estimate.is_bound else "about"
    return f"{how} {time_text(estimate.seconds_left)} left"


def states_text(estimate: Estimate) -> str:
    """How many states there may be.

    >>> states_text(Estimate(12.3, 24_000_000)), states_text(Estimate(12.3, 24, is_bound=True))
    ('perhaps 24,000,000', 'at most 24')
    """
    how = "at most" if estimate.is_bound else "perhaps"
    return f"{how} {estimate.states:,}"


def _is_long(progress: Progress) -> bool:
    """Whether it will take so long that even those should know who see no ticker."""
    if progress.estimate is None or progress.seconds < SECONDS_BEFORE_RATES:
        return False
    return progress.estimate.states is not None and progress.estimate.seconds_left > LONG


class Ticker:
    """Shows progress in one line that is written over."""

    def __init__(self) -> None:
        self._last = 0.0
        self._width = 0

    def __call__(self, progress: Progress, /) -> None:
        if progress.seconds - self._last < SECONDS_BETWEEN:
            return
        self._last = progress.seconds
        self.write(progress_text(progress, self._most))

    def write(self, text: str) -> None:
        """Show *text* in the place of what was shown before."""
        # A line that is broken could not be written over.
        text = text[: self._most]
        self._width = max(self._width, len(text))
        _show(f"\r{text:{self._width}}")

    @property
    def _most(self) -> int:
        return max(0, shutil.get_terminal_size().columns - 1)

    def clear(self) -> None:
        if self._width:
            _show("\r" + " " * self._width + "\r")


def _show(text: str) -> None:
    """Write *text* to standard error, if that can be.

    What a run finds is not lost because nobody sees how far it is.
    """
    with suppress(OSError):
        sys.stderr.write(text)
        sys.stderr.flush()


class InterruptListener:
    """Asks a run to stop with what it has found once Ctrl-C was pressed; a second one ends it."""

    def __init__(self, shown: Ticker | None, watchdog: Watchdog | None = None) -> None:
        self._shown = shown
        self._watchdog = watchdog
        self._has_said = False
        self.is_asked = False
        """Whether Ctrl-C was pressed."""

    def __call__(self, progress: Progress, /) -> bool:
        """Take note of *progress*; whether to stop."""
        if self._watchdog is not None:
            self._watchdog.told = progress
        if self._shown is not None:
            self._shown(progress)
        elif not self._has_said and _is_long(progress):
            self._has_said = True
            _show(f"{progress_text(progress)}\n")
        return self.is_asked

    def ask(self, *_: object) -> None:
        self.is_asked = True
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def interruptible() -> Iterator[InterruptListener]:
    """A listener that shows progress, and that Ctrl-C makes ask for a stop."""
    with ticker() as shown:
        asking = InterruptListener(shown, _watchdog())
        before = signal.getsignal(signal.SIGINT)
        if before is not signal.SIG_IGN:
            # Who starts a program so that it is not interrupted gets what they want.
            signal.signal(signal.SIGINT, asking.ask)
        try:
            yield asking
        finally:
            signal.signal(signal.SIGINT, before)
    answer_is_there()


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


@contextmanager
def phases() -> Iterator[None]:
    """Name what takes long before there is anything to count, to a person who waits for it."""
    watch, limit = budget.watch(), budget.current()
    if watch is None or not sys.stderr.isatty():
        yield
        return
    shown = Ticker()
    is_done = threading.Event()

    def tell() -> None:
        while not is_done.wait(SECONDS_BEFORE_RATES):
            until = None if limit is None else limit.until
            shown.write(phase_text(watch.phase, None if until is None else until - budget.now()))

    telling = threading.Thread(target=tell, name="phases", daemon=True)
    telling.start()
    try:
        yield
    finally:
        is_done.set()
        telling.join()
        shown.clear()
