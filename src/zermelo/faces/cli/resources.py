"""What a long run may use of the machine: cores, memory, time."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import click

R = TypeVar("R")

_UNITS: Final = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY_UNITS: Final = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_SIZE: Final = re.compile(r"(?P<number>\d+(\.\d+)?)\s*(?P<unit>[kmgt]?)(?P<binary>i?)b?", re.I)
_SHARE: Final = 0.75
"""How much of the free memory a run takes if nobody says how much it may."""
_CGROUP: Final = Path("/sys/fs/cgroup")


def cores() -> int:
    """How many cores the process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def usual_memory() -> int | None:
    """The memory that a run takes at most if nobody says; ``None`` when it is not known."""
    known = [found for found in (_free_memory(), _group_memory()) if found is not None]
    return int(min(known) * _SHARE) if known else None


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


def _memory(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    """The number of bytes that `2G`, `500M` or `1.5GiB` says."""
    if value is None:
        return usual_memory()
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
    memory = click.option(
        "--memory",
        metavar="SIZE",
        callback=_memory,
        help="How much memory states may take, as in 2G; three quarters of what is free "
        "if not given.",
    )
    seconds = click.option(
        "--seconds",
        "--time",
        "seconds",
        type=click.FloatRange(min=0),
        help="How many seconds to go on.",
    )
    return memory(seconds(function))


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
