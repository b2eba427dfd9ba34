"""The program that runs: how old its process is, and a digest of its modules.

What is kept by one program is nothing to another one. Which one runs is told from the files of its
modules, and only where these are known to be those that were loaded: they are older than the
import of the package. Its process may be older than they are, as that of a notebook that installs
the package and then imports it.
"""

from __future__ import annotations

import functools
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from zermelo.files.sealed import digest_of

_START_TIME: Final = 19
"""Where, behind the name of a process, Linux tells when it began, in ticks."""
_COARSE: Final = 0.02
"""Seconds by which the time of a file may be before that at which it was written."""


def age() -> float:
    """How many seconds ago this process began; fewer where the system does not tell."""
    try:
        fields = Path("/proc/self/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        began = int(fields[_START_TIME]) / os.sysconf("SC_CLK_TCK")
        return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - began)
    except (OSError, AttributeError, ValueError, IndexError):
        return time.process_time()


def begun() -> float:
    """When the first module of the package was loaded, as times of files are told."""
    # It is loaded, as every module of a package is after it; to import it would turn imports round.
    imported: float = sys.modules[__name__.partition(".")[0]].IMPORTED_AT
    return imported - _COARSE


@functools.cache
def digest_of_program() -> bytes | None:
    """A digest of all modules of this program, and of the Python that runs it."""
    package = Path(__file__).parents[1]
    found = digest_of_modules(package, package.rglob("*.py"))
    return None if found is None else digest_of([sys.version.encode(), found])


def digest_of_modules(
    package: Path, files: Iterable[Path], *, before: float | None = None
) -> bytes | None:
    """A digest of *files*, which are modules of *package*; ``None`` if they are no files.

    Also where one was not there as it is *before* a time, that at which the package was imported
    if it is not said: then another one may have been loaded, and what that makes must not be
    taken for what this one makes.
    """
    latest = begun() if before is None else before
    parts: list[bytes] = []
    try:
        for path in sorted(files):
            about = path.stat()
            # Who copies a file with its times, or moves it here, changes the second one only.
            if max(about.st_mtime, about.st_ctime) >= latest:
                return None
            text = path.read_bytes()
            parts += [f"{path.relative_to(package)} {len(text)} ".encode(), text]
    except OSError:
        return None
    return digest_of(parts) if parts else None
