"""Folders that belong to us alone, for what is run or believed as it lies there.

A folder is private when it is ours and closed to everybody else, and when nobody else can put
another one in its place: on the way to it there is no folder of another user, and none that others
may write to, unless, as in `/tmp`, they cannot move there what is not theirs. Root may do
everything and is trusted.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from zermelo.text.errors import UsageError

ALONE: Final = 0o700
"""The permissions of a private folder: everything for its owner, nothing for others."""
_OTHERS: Final = 0o077
_WRITE: Final = 0o022
_ROOT: Final = 0


class NotPrivate(UsageError):
    """Others may look into a folder or change what is in it; the text says how to close it."""


@dataclass(frozen=True, slots=True)
class PrivateFolder:
    """A private folder that is open: its path without links, and a handle that is it."""

    path: Path
    handle: int

    def open(self, name: str) -> int | None:
        """A handle to read the file *name* of ours; ``None`` if what is there is none.

        Links are not followed, and a pipe is not waited for.
        """
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        handle = os.open(name, flags, dir_fd=self.handle)
        # What was opened is looked at, and not what has its name a moment later.
        if _is_file_of_ours(os.fstat(handle)):
            return handle
        os.close(handle)
        return None

    def is_file(self, name: str) -> bool:
        """Whether *name* is a file of ours."""
        about = self._about(name)
        return about is not None and _is_file_of_ours(about)

    def remove(self, name: str) -> None:
        """Remove *name*, whatever it is but a folder that has something in it."""
        about = self._about(name)
        if about is not None and stat.S_ISDIR(about.st_mode):
            os.rmdir(name, dir_fd=self.handle)
        elif about is not None:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name, dir_fd=self.handle)

    def _about(self, name: str) -> os.stat_result | None:
        try:
            return os.stat(name, dir_fd=self.handle, follow_symlinks=False)
        except FileNotFoundError:
            return None


@contextlib.contextmanager
def opened(folder: Path) -> Iterator[PrivateFolder]:
    """*folder*, if it is private: ``NotPrivate`` if it is not, ``OSError`` where there is none."""
    if not hasattr(os, "geteuid"):
        raise NotPrivate(f"this system does not say whose {folder} is")
    path = Path(os.path.realpath(folder))
    for above in path.parents:
        _check_above(above, above.stat())
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        _check(path, os.fstat(handle))
        yield PrivateFolder(path, handle)
    finally:
        os.close(handle)


def make(folder: Path) -> None:
    """Make *folder*, and what is missing on the way to it, for us alone."""
    path = Path(os.path.realpath(folder))
    for each in (*reversed(path.parents), path):
        if not each.is_dir():
            each.mkdir(ALONE, exist_ok=True)


def _check(path: Path, about: os.stat_result) -> None:
    if about.st_uid != os.geteuid():
        raise NotPrivate(f"{path} belongs to another user")
    if about.st_mode & _OTHERS:
        raise NotPrivate(f"{path} is open to other users; close it with `chmod 700 {path}`")


def _check_above(path: Path, about: os.stat_result) -> None:
    if about.st_uid not in {_ROOT, os.geteuid()}:
        raise NotPrivate(f"{path}, which it is in, belongs to another user")
    if about.st_mode & _WRITE and not about.st_mode & stat.S_ISVTX:
        raise NotPrivate(
            f"{path}, which it is in, can be changed by other users; "
            f"close it with `chmod go-w {path}`"
        )


def _is_file_of_ours(about: os.stat_result) -> bool:
    return stat.S_ISREG(about.st_mode) and about.st_uid == os.geteuid()
