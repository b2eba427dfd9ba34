"""Which files beside a document were looked at, and how they were.

What was found out about a document holds as long as the document is the same, and every file that
was looked at on the way. Whoever looks for a file beside a document tells it here, whether there
is one or not; whoever wants to keep what was found out notes it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Final

READING_FILE: Final = ".reading"
"""The end of the name of a file that says how the document beside it is read."""
_AT_ONCE: Final = 1 << 20
_LARGE: Final = 16 << 20
"""Of a file with more bytes the system is asked whether it is the same: nobody reads all of it."""
_NOTES: Final[ContextVar[dict[str, str] | None]] = ContextVar("notes", default=None)


def reading_file_of(document: Path) -> Path:
    """Where the file is that says how *document* is read, if there is one.

    >>> reading_file_of(Path("games/mine.net")).as_posix()
    'games/mine.reading'
    """
    return document.with_suffix(READING_FILE)


@contextmanager
def noted() -> Iterator[dict[str, str]]:
    """The files that are looked at from now on, each with how it was."""
    notes: dict[str, str] = {}
    token = _NOTES.set(notes)
    try:
        yield notes
    finally:
        _NOTES.reset(token)


def look(path: Path) -> None:
    """Note that what is found out depends on *path*: a file, a folder's names, or that none is."""
    notes = _NOTES.get()
    if notes is not None and str(path) not in notes:
        notes[str(path)] = how_it_is(path)


def how_it_is(path: Path) -> str:
    """What is at *path* now, where links lead included; another text whenever that changes."""
    # Imported where files are noted: whoever only loads a document notes none.
    from zermelo.files.sealed import digest_of  # noqa: PLC0415

    try:
        real = os.path.realpath(path)
        if Path(real).is_dir():
            return f"folder {real} {digest_of(_names(Path(real))).hex()}"
        with Path(real).open("rb") as file:
            if not Path(real).is_file():
                return f"no file {real}"
            about = os.fstat(file.fileno())
            if about.st_size > _LARGE:
                times = f"{about.st_mtime_ns} {about.st_ctime_ns}"
                return f"large file {real} {about.st_ino} {about.st_size} {times}"
            return f"file {real} {digest_of(iter(lambda: file.read(_AT_ONCE), b'')).hex()}"
    except (OSError, ValueError, RuntimeError) as error:
        # Also a name that is none, or a loop of links.
        return f"nothing {type(error).__name__}"


def _names(folder: Path) -> Iterator[bytes]:
    for path in sorted(folder.iterdir()):
        yield os.fsencode(path.name) + b"\0"
