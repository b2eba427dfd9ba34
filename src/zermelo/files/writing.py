"""Files that are written whole or not at all, and locks that die with who holds them.

A file is written beside its place, synced, and moved there, and then its folder is synced: a full
disk, a kill or a loss of power at any moment leaves the old file or the new one, never a part.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from zermelo.files.sealed import digest_of
from zermelo.text.errors import UsageError

PART: Final = ".part"
"""The ending of a file that is being written; one that a kill left over belongs to nobody."""

_ACCESS_LIST: Final = "system.posix_acl_access"
"""The extended attribute with which Linux keeps who else may read and write a file."""

_MOST_LINKS: Final = 40
_LONGEST_NAME: Final = 160
"""Bytes of a name that a lock has whole in its own."""
_LONGEST_BEGINNING: Final = 20
"""Characters of a name that begin that of its part: at most 80 of the 255 bytes it may have."""


def replace(
    path: Path,
    data: bytes | Iterable[bytes],
    *,
    instead_of: bytes | None = None,
    is_synced: bool = True,
) -> None:
    """Make *data* the whole content of *path*; an ``OSError`` says in its ``strerror`` why not.

    What was there is whole then. A link is followed, also to where there is nothing yet; a file
    that is replaced keeps its permissions and its owner where that is allowed, while another hard
    link to it keeps the old content. A file that is protected against writing is left alone.
    What is no plain file, such as a terminal, a pipe or ``/dev/stdout``, is written to as it is.

    *instead_of* is what the file is known to have: if it has something else by now, it is kept.
    What can be made again need not be *is_synced*: others still see all of it or nothing, but a
    loss of power may leave a part.
    """
    parts = [data] if isinstance(data, bytes) else data
    found = find(path)
    if isinstance(found, Stream):
        with found.opened() as stream:
            stream.writelines(parts)
        return
    with _beside(found, parts, is_synced=is_synced) as part:
        if instead_of is not None and _content(found.path) != instead_of:
            raise OSError(errno.ESTALE, "it was changed by another program meanwhile")
        part.replace(found.path)
    if is_synced:
        sync_folder(found.path.parent)


def create(path: Path, data: bytes | Iterable[bytes]) -> None:
    """Make a new file at *path*; a ``FileExistsError`` if there is something, however it came."""
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    _look_into(path.parent)
    with _beside(Place(path, None), [data] if isinstance(data, bytes) else data) as part:
        try:
            os.link(part, path)
        except FileExistsError:
            raise
        except OSError:
            # A file system without hard links.
            if os.path.lexists(path):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
            part.replace(path)
        else:
            # The new file is there, whole; that its other name stays is no reason to complain.
            with contextlib.suppress(OSError):
                part.unlink()
    sync_folder(path.parent)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a plain file is, or is to be."""

    path: Path
    old: os.stat_result | None


@dataclass(frozen=True, slots=True)
class Stream:
    """What is there already and only takes bytes: the number of a stream of ours, or a path."""

    of: int | Path

    def opened(self) -> io.BufferedWriter:
        """It, ready to be written to; a number stays open when this is closed."""
        if isinstance(self.of, int):
            return open(self.of, "wb", closefd=False)
        return self.of.open("wb")


def find(path: Path) -> Place | Stream:
    """Where *path* leads; an ``OSError`` if ``replace`` could not write there.

    Who is going to work for long asks this first.
    """
    for _ in range(_MOST_LINKS):
        number = _descriptor(path)
        if number is not None:
            return Stream(number)
        if not path.is_symlink():
            break
        path = path.parent / path.readlink()
    try:
        old = path.stat()
    except FileNotFoundError:
        _look_into(path.parent)
        return Place(path, None)
    if stat.S_ISDIR(old.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder; name a file in it")
    if not stat.S_ISREG(old.st_mode):
        return Stream(path)
    # The system lets root write everywhere, but whoever protected a file meant it.
    if not old.st_mode & 0o222 or not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "it is protected against writing")
    _look_into(path.parent)
    return Place(path, old)


def _look_into(folder: Path) -> None:
    """Refuse a *folder* in which no file can be made, in words."""
    if not folder.is_dir():
        raise FileNotFoundError(errno.ENOENT, f"there is no folder {folder}")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(
            errno.EACCES, f"a new file is written first, and the folder {folder} takes none"
        )


def _descriptor(path: Path) -> int | None:
    """The number of the open stream that *path* stands for, as ``/dev/fd/1`` does."""
    if not path.name.isdecimal():
        return None
    folder = os.path.realpath(path.parent)
    own = {"/dev/fd", f"/proc/{os.getpid()}/fd"}
    return int(path.name) if folder in own else None


@contextlib.contextmanager
def _beside(place: Place, parts: Iterable[bytes], *, is_synced: bool = True) -> Iterator[Path]:
    """A new file with *parts* beside *place*; it is gone if what follows fails."""
    path = place.path
    part = path.with_name(f".{path.name[:_LONGEST_BEGINNING]}.{os.urandom(8).hex()}{PART}")
    # Its name is known before it exists: an interrupt between the two leaves nothing.
    try:
        with _made(part, is_private=place.old is not None) as file:
            file.writelines(parts)
            file.flush()
            if place.old is not None:
                _take_over(file.fileno(), path, place.old)
            if is_synced:
                os.fsync(file.fileno())
        yield part
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def _made(part: Path, *, is_private: bool) -> io.BufferedWriter:
    """The new file *part*; a private one is to get the permissions of another first."""

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags, 0o600 if is_private else 0o666)

    return open(part, "xb", opener=opener)


def _take_over(handle: int, path: Path, old: os.stat_result) -> None:
    """Give a new file the owner, the permissions and the attributes of the one at *path*."""
    mode = stat.S_IMODE(old.st_mode) & 0o777
    new = os.fstat(handle)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid) and not _given(handle, old):
        # It stays in another group, which gets no more than everybody has.
        mode &= 0o707 | (mode & 0o007) << 3
    os.fchmod(handle, mode)
    for name in _attributes(path):
        try:
            os.setxattr(handle, name, os.getxattr(path, name))
        except OSError as error:
            # Without the list others could read what they may not; the rest can be missed.
            if name == _ACCESS_LIST:
                raise OSError(error.errno, "its list of who may read it cannot be kept") from error


def _given(handle: int, old: os.stat_result) -> bool:
    """Whether a file got the group of *old*; its owner too, where we may give files away."""
    for owner in (old.st_uid, -1):
        with contextlib.suppress(PermissionError):
            os.fchown(handle, owner, old.st_gid)
            return True
    return False


def _attributes(path: Path) -> list[str]:
    """The names of the extended attributes of *path*, where there are such."""
    try:
        return os.listxattr(path) if hasattr(os, "listxattr") else []
    except OSError:
        return []


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def sync_folder(folder: Path) -> None:
    """Let the names in *folder* be on disk too, where its file system and its owner let us."""
    try:
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        # There nothing more can be promised; a disk that fails is another matter.
        if error.errno not in _CANNOT_SYNC:
            raise


_CANNOT_SYNC: Final = frozenset(
    {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.EBADF, errno.EACCES, errno.EPERM}
)


def lock_beside(path: Path) -> Path:
    """Where the lock of the file *path* is: beside it, under a name that no system finds too long.

    >>> lock_beside(Path("kept/heap.solution")).name
    '.heap.solution.lock'
    """
    name = path.name
    if len(os.fsencode(name)) > _LONGEST_NAME:
        name = f"{name[:_LONGEST_BEGINNING]}.{digest_of([os.fsencode(name)]).hex()}"
    return path.with_name(f".{name}.lock")


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
