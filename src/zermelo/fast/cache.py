"""A folder of compiled code: what was made once is not made again.

One file for each key, written whole under another name and then moved into place, so that several
runs may share the folder; a checksum, so that a damaged file is made again and never trusted; a
bound on the size, what was not used for longest going first. A folder that cannot be read or
written is no fault: then nothing is kept.
"""

import contextlib
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

VERSION = "1"
"""The format of the files. Another version lives in another folder beside it."""

LIMIT = 256 * 2**20
"""How many bytes a cache may take up unless told otherwise."""

_MAGIC = b"Zermelo cache\n"
_DIGEST = hashlib.sha256().digest_size
_ABANDONED = 3600.0
"""Seconds after which a file that was never moved into place belongs to nobody any more."""


@dataclass(frozen=True, slots=True)
class Cache:
    """Named blobs of bytes by key, kept in *folder*; None keeps nothing."""

    folder: Path | None
    limit: int = LIMIT

    def get(self, key: str) -> dict[str, bytes] | None:
        """What was put under *key*, if it is still there and undamaged."""
        if self.folder is None:
            return None
        path = self._path(key)
        try:
            blobs = _unwrapped(path.read_bytes())
        except OSError:
            return None
        with contextlib.suppress(OSError):
            if blobs is None:
                path.unlink(missing_ok=True)
            else:
                os.utime(path)
        return blobs

    def has(self, key: str) -> bool:
        """Whether there is something under *key*; a look at the folder, not into the file."""
        return self.folder is not None and self._path(key).exists()

    def put(self, key: str, blobs: Mapping[str, bytes]) -> None:
        if self.folder is None:
            return
        path = self._path(key)
        # A full disk, a missing or a read-only home: the run goes on without a cache.
        with contextlib.suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write(path, _wrapped(blobs))
            self._shrink(path)

    def _path(self, key: str) -> Path:
        if not key.isalnum():
            raise ValueError(f"a key of the cache has letters and digits only, not {key!r}")
        assert self.folder is not None
        return self.folder / f"v{VERSION}" / key

    def _shrink(self, newest: Path) -> None:
        """Remove what was not used for longest, until the rest is well within the limit."""
        files = []
        now = time.time()
        for path in newest.parent.iterdir():
            with contextlib.suppress(OSError):
                about = path.stat()
                if not path.suffix:
                    files.append((about.st_mtime, path.name, about.st_size))
                elif now - about.st_mtime > _ABANDONED:
                    path.unlink(missing_ok=True)
        size = sum(each for _, _, each in files)
        if size <= self.limit:
            return
        for _, name, each in sorted(files):
            # Some air below the limit, so that not every single file counts the folder's files.
            if size <= self.limit * 3 // 4:
                return
            if name != newest.name:
                with contextlib.suppress(OSError):
                    (newest.parent / name).unlink(missing_ok=True)
                size -= each


def home() -> Path | None:
    """Where the cache is unless told otherwise; None where nobody has a home."""
    try:
        return Path.home() / ".cache" / "zermelo"
    except RuntimeError:
        return None


_standard: list[Cache] = []


def standard() -> Cache:
    return _standard[0] if _standard else Cache(home())


def use(cache: Cache | None) -> None:
    """Make *cache* the standard one; None goes back to the one in the home folder."""
    _standard[:] = [] if cache is None else [cache]


def _wrapped(blobs: Mapping[str, bytes]) -> bytes:
    head = json.dumps([[name, len(blob)] for name, blob in blobs.items()]).encode() + b"\n"
    content = head + b"".join(blobs.values())
    return _MAGIC + hashlib.sha256(content).digest() + content


def _unwrapped(data: bytes) -> dict[str, bytes] | None:
    """The blobs in *data*; None when it is not what `_wrapped` made."""
    start = len(_MAGIC) + _DIGEST
    content = data[start:]
    if data[:start] != _MAGIC + hashlib.sha256(content).digest():
        return None
    position = content.index(b"\n") + 1
    blobs = {}
    for name, size in json.loads(content[:position]):
        blobs[str(name)] = content[position : position + size]
        position += size
    return blobs


def _write(path: Path, data: bytes) -> None:
    """Write *data* to *path* so that others see all of it or nothing."""
    handle, name = tempfile.mkstemp(suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink(missing_ok=True)
        raise
