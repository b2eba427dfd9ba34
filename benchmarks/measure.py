"""Running a program and knowing what it took: its answer, its time, its memory."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from resource import struct_rusage
from typing import Any


@dataclass(frozen=True, slots=True)
class Ended:
    """A process that has ended."""

    said: str
    wall: float
    resident: int
    processor: float
    """Seconds of processor time, of all its threads together."""


class Missing(Exception):
    """Something that a benchmark needs is not here, or does not do what it should."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One run of a program."""

    answer: Mapping[str, Any]
    """What it printed: one JSON object."""
    seconds: float
    """The time it says its work took, or the time of the process if it does not say."""
    wall: float
    """The time of the whole process, its start included."""
    resident: int
    """The most memory the process ever had, in bytes."""
    share: float
    """How much of a core the process had, on average; more than 1 with several threads."""

    def without_waiting(self) -> Measured:
        """The same as if nobody else had used the machine: what one thread takes of a core."""
        share = min(1.0, self.share)
        return replace(self, seconds=self.seconds * share, wall=self.wall * share)

    @property
    def bytes(self) -> int:
        """What it says it held at its peak, or the memory of the process if it does not say."""
        held: int = self.answer.get("bytes") or self.resident
        return held


def run(
    command: Sequence[str | Path],
    *,
    limit: float,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Ended:
    """What *command* printed and took."""
    words = [str(word) for word in command]
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as complained:
        began = time.perf_counter()
        try:
            process = subprocess.Popen(
                words,
                stdout=said,
                stderr=complained,
                env={**os.environ, **(environment or {})},
                cwd=folder,
            )
        except OSError as error:
            raise Missing(str(error)) from error
        # The process is waited for by hand: only `wait4` tells its memory and nobody else's.
        status, usage = _waited_for(process, limit)
        wall = time.perf_counter() - began
        said.seek(0)
        complained.seek(0)
        if status != 0:
            last = complained.read().decode(errors="replace").strip().splitlines()[-1:] or ["-"]
            raise Missing(f"`{Path(words[0]).name} {' '.join(words[1:])}`: {last[0]}")
        processor = usage.ru_utime + usage.ru_stime
        return Ended(said.read().decode(), wall, usage.ru_maxrss * 1024, processor)


def _waited_for(process: subprocess.Popen[bytes], limit: float) -> tuple[int, struct_rusage]:
    deadline = time.monotonic() + limit
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage
        if time.monotonic() > deadline:
            process.kill()
            os.wait4(process.pid, 0)
            process.returncode = -9
            raise Missing(f"not done after {limit:.0f} s")
        time.sleep(0.002)


def measured(
    command: Sequence[str | Path],
    *,
    limit: float = 1200,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Measured:
    """One run of a *command* that prints one JSON object."""
    ended = run(command, limit=limit, environment=environment, folder=folder)
    return told(ended, json.loads(ended.said))


def told(ended: Ended, answer: Mapping[str, Any]) -> Measured:
    """A process that has ended, with the *answer* found in what it said."""
    seconds = answer.get("seconds", ended.wall)
    share = ended.processor / ended.wall
    return Measured(answer, seconds, ended.wall, ended.resident, share)


def best(runs: int, *programs: Callable[[], Measured]) -> list[Measured]:
    """The fastest run of each of *programs*; they take turns, so that all meet the same weather."""
    rounds = [[program() for program in programs] for _ in range(runs)]
    return [min(column, key=lambda each: each.seconds) for column in zip(*rounds, strict=True)]


def expect(found: Measured, **figures: object) -> None:
    """Stop unless the answer has these *figures*: a fast wrong answer is no measurement."""
    for name, figure in figures.items():
        if found.answer.get(name) != figure:
            raise Missing(f"{name} is {found.answer.get(name)!r} and should be {figure!r}")
