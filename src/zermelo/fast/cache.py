"""A folder of what was made once and need not be made again: code, reports on documents.

One file for each key, sealed with it (`zermelo.files.sealed`): a file that is damaged, of another
format, or of another key is removed, and what it had is made again. Files are written whole and
moved into place, so that several runs may share the folder. There is a bound on the size; what was
not used for longest goes first. A folder that cannot be read or written is no fault: then nothing
is kept.

Machine code from here is run as it is, and a digest does not tell who wrote it. What keeps other
people's code out is that the folder is ours and closed to others, as are the files
(`zermelo.files.private`). That is looked at before each use; where it is not so, nothing is read
and nothing is kept, and ``why_unused`` says why.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from zermelo.files import private
from zermelo.files.private import NotPrivate, PrivateFolder
from zermelo.files.sealed import Format, NotUsable
from zermelo.files.writing import PART, replace

FORMAT: Final = Format("cache", 2, "remove it, and it is made again")
"""The format of the files. Those of another version lie in another folder beside it."""

LIMIT: Final = 256 * 2**20
"""How many bytes a cache may take up unless told otherwise."""

_KEY: Final = re.compile(r"[0-9a-f]{64}")
"""Names of other forms in the folder are not ours to remove."""
_ABANDONED: Final = 3600.0
"""Seconds after which a file that was never moved into place belongs to nobody any more."""


@dataclass(frozen=True, slots=True)
class Held:
    """How much a cache has."""

    files: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Cache:
    """Bytes by key, a SHA-256 digest in hexadecimal, kept in *folder*; None keeps nothing."""

    folder: Path | None
    limit: int = LIMIT
    keeps_findings: bool = False
    """Whether what was found out about documents is kept too: reports, trials of readings."""
    _refusals: list[str] = field(default_factory=list, compare=False, repr=False)

    @property
    def why_unused(self) -> str | None:
        """Why the folder was not used, where that was because it is not ours alone."""
        return self._refusals[0] if self._refusals else None

    def get(self, key: str) -> bytes | None:
        """What was put under *key*, if it is still there and all of it is as it was."""
        with contextlib.suppress(OSError, NotPrivate), self._opened() as folder:
            content = self._read(folder, _checked(key))
            if content is None:
                folder.remove(key)
            return content
        return None

    def has(self, key: str) -> bool:
        """Whether there is something under *key*; a look at the folder, not into the file."""
        with contextlib.suppress(OSError, NotPrivate), self._opened() as folder:
            return folder.is_file(_checked(key))
        return False

    def put(self, key: str, content: bytes) -> None:
        """Keep *content* under *key*, if it is not more than all that may be kept."""
        data = FORMAT.seal({"key": _checked(key)}, content)
        if len(data) > self.limit:
            return
        # A full disk, a missing or a read-only home: the run goes on without a cache.
        with contextlib.suppress(OSError, NotPrivate), self._opened(makes=True) as folder:
            if not folder.is_file(key):
                folder.remove(key)
            replace(folder.path / key, data, is_synced=False)
            self._shrink(folder, newest=key)

    def held(self) -> Held:
        """How much is kept; raises ``NotPrivate`` where the folder is not ours alone."""
        with contextlib.suppress(FileNotFoundError), self._opened() as folder:
            sizes = [size for _, _, size in _files(folder)]
            return Held(len(sizes), sum(sizes))
        return Held(0, 0)

    def clear(self) -> Held:
        """Remove all that is kept; how much that was. Raises what ``held`` does."""
        with contextlib.suppress(FileNotFoundError), self._opened() as folder:
            files = _files(folder)
            for _, name, _ in files:
                folder.remove(name)
            return Held(len(files), sum(size for _, _, size in files))
        return Held(0, 0)

    @property
    def place(self) -> Path | None:
        """The folder in which the files are; ``None`` where nothing is kept."""
        return None if self.folder is None else self.folder / f"v{FORMAT.version}"

    @contextlib.contextmanager
    def _opened(self, *, makes: bool = False) -> Iterator[PrivateFolder]:
        place = self.place
        if place is None:
            raise FileNotFoundError("nothing is kept")
        if makes:
            private.make(place)
        try:
            with private.opened(place) as folder:
                yield folder
        except NotPrivate as refusal:
            self._refusals[:] = [str(refusal)]
            raise

    def _read(self, folder: PrivateFolder, key: str) -> bytes | None:
        """What is sealed under *key*; None if the file there cannot be used."""
        handle = folder.open(key)
        if handle is None:
            return None
        with os.fdopen(handle, "rb") as file:
            if os.fstat(handle).st_size > self.limit:
                return None
            try:
                content = FORMAT.open(file.read(), {"key": key}, key)
            except NotUsable:
                return None
            # So that what is used is not taken for old.
            with contextlib.suppress(OSError):
                os.utime(handle)
            return content

    def _shrink(self, folder: PrivateFolder, *, newest: str) -> None:
        """Remove what was not used for longest, until the rest is well within the limit."""
        files = _files(folder)
        size = sum(each for _, _, each in files)
        if size <= self.limit:
            return
        for _, name, each in sorted(files):
            # Some air below the limit, so that not every single file counts the folder's files.
            if size <= self.limit * 3 // 4:
                return
            if name != newest:
                with contextlib.suppress(OSError):
                    folder.remove(name)
                size -= each


def _files(folder: PrivateFolder) -> list[tuple[float, str, int]]:
    """The files that are kept: when each was last used, its name, its size.

    What was begun long ago and never moved into place is removed.
    """
    files = []
    now = time.time()
    with os.scandir(folder.handle) as entries:
        for entry in entries:
            # Another run may remove it at the same time.
            with contextlib.suppress(OSError):
                about = entry.stat(follow_symlinks=False)
                if _KEY.fullmatch(entry.name):
                    files.append((about.st_mtime, entry.name, about.st_size))
                elif entry.name.endswith(PART) and now - about.st_mtime > _ABANDONED:
                    folder.remove(entry.name)
    return files


def _checked(key: str) -> str:
    if not _KEY.fullmatch(key):
        raise ValueError(f"a key of the cache is a digest in hexadecimal, not {key!r}")
    return key


def home() -> Path | None:
    """Where the cache is unless told otherwise; None where nobody has a home."""
    try:
        return Path.home() / ".cache" / "zermelo"
    except RuntimeError:
        return None


_standard: list[Cache] = []


def standard() -> Cache:
    if not _standard:
        _standard.append(Cache(home()))
    return _standard[0]


def use(cache: Cache | None) -> None:
    """Make *cache* the standard one; None goes back to the one in the home folder."""
    _standard[:] = [] if cache is None else [cache]
