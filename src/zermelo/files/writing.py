"""Files that are written whole or not at all, and locks that die with who holds them.

A file is written beside its place, synced, and moved there, and then its folder is synced: a full
disk, a kill or a loss of power at any moment leaves the old file or the new one, never a part.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from zermelo.text.errors import UsageError

PART: Final = ".part"
"""The ending of a file that is being written; one that is left over belongs to nobody."""


def replace(path: Path, data: bytes | Iterable[bytes], *, is_synced: bool = True) -> None:
    """Make *data* the whole content of *path*; an ``OSError`` leaves what was there as it was.

    A link is followed, and the permissions of a file that is replaced stay. What is no plain file,
    such as a terminal or a pipe, is written to as it is. What can be made again need not be
    *is_synced*: others still see all of it or nothing, but a loss of power may leave a part.
    """
    parts = [data] if isinstance(data, bytes) else data
    path = path.resolve() if path.is_symlink() else path
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            stream.writelines(parts)
        return
    with _beside(path) as name:
        with Path(name).open("wb") as file:
            file.writelines(parts)
            file.flush()
            if is_synced:
                os.fsync(file.fileno())
        Path(name).replace(path)
    if is_synced:
        sync_folder(path.parent)


@contextlib.contextmanager
def _beside(path: Path) -> Iterator[str]:
    """The name of a new empty file in the folder of *path*, which is gone at the end."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=PART, dir=path.parent)
    try:
        os.fchmod(handle, _mode(path))
        os.close(handle)
        yield name
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _mode(path: Path) -> int:
    """The permissions that a file at *path* has, or would be made with."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        allowed = os.umask(0o077)
        os.umask(allowed)
        return 0o666 & ~allowed


def sync_folder(folder: Path) -> None:
    """Let the names in *folder* be on disk too, where its file system can do so."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        # Some file systems of other machines cannot; there nothing more can be promised.
        with contextlib.suppress(OSError):
            os.fsync(handle)
    finally:
        os.close(handle)


class InUse(UsageError):
    """Another process works on the same."""


class Lock:
    """A lock on a place, held by one process; whoever else asks is told so.

    The system lets go of it when its holder ends, however that happens.
    """

    def __init__(self, path: Path, what: str) -> None:
        self._path = path
        self._what = what
        self._handle: int | None = None

    def __enter__(self) -> Self:
        import fcntl  # noqa: PLC0415 - not there on every system, and nobody else needs it

        while True:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                holder = os.read(handle, 20).decode("ascii", "replace").strip()
                os.close(handle)
                who = f"process {holder}" if holder.isdecimal() else "another process"
                raise InUse(
                    f"{who} works on {self._what}; wait for it, or choose another place"
                ) from error
            except OSError:
                # A file system without locks: then there is none.
                self._handle = handle
                return self
            # The last holder may have removed the file between the two calls.
            if _is_at(handle, self._path):
                break
            os.close(handle)
        self._handle = handle
        # It is held also where the disk has no room for saying by whom.
        with contextlib.suppress(OSError):
            os.truncate(handle, 0)
            os.write(handle, f"{os.getpid()}\n".encode())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._handle is not None:
            with contextlib.suppress(OSError):
                self._path.unlink()
            os.close(self._handle)
            self._handle = None


def _is_at(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
