"""Folders in which work is kept: files of data, and a sealed description that names all of them.

Files of data get new names each time. The description is replaced when they are whole and on
disk, and only then those that it does not name any more are removed. So at every moment there
is one description, and every file that it names is as it says.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from zermelo.files.sealed import Format, NotUsable, digest_of
from zermelo.files.writing import PART, Lock, replace, sync_folder
from zermelo.text.errors import UsageError

SEALED: Final = ".sealed"
DATA: Final = ".data"
LOCK: Final = "lock"
_AT_ONCE: Final = 1 << 20
_LONGEST: Final = 16_000_000
"""Bytes of a description: it has a line or two for each level, and no states."""


@contextmanager
def locked_folder(folder: Path, what: str) -> Iterator[None]:
    """Make *folder*, and keep every other process from it; *what* is named in the message."""
    with contextlib.ExitStack() as held:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            held.enter_context(Lock(folder / LOCK, what))
        except OSError as error:
            raise UsageError(f"{folder} cannot be used: {error.strerror}") from error
        yield


def is_kept_in(folder: Path) -> bool:
    """Whether there is something in *folder* that one may go on from."""
    try:
        return any(path.suffix == SEALED for path in folder.iterdir())
    except OSError:
        return False


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file of data as the description names it."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Description:
    """What was kept: a content, and the files that belong to it by what they are for."""

    content: Mapping[str, Any]
    files: Mapping[str, KeptFile]


class Kept:
    """One description in a folder, with its files; several may share a folder."""

    def __init__(
        self, folder: Path, name: str, form: Format, belongs_to: Mapping[str, str]
    ) -> None:
        self._folder = folder
        self._name = name
        self._form = form
        self._belongs_to = belongs_to
        self._serial = 0

    @property
    def _path(self) -> Path:
        return self._folder / f"{self._name}{SEALED}"

    @property
    def _where(self) -> str:
        return f"the {self._name} in {self._folder}"

    # Writing; an ``OSError`` leaves what was kept before.

    def write(self, label: str, parts: Iterable[bytes]) -> KeptFile:
        """Write a new file of data, which counts once ``describe`` names it."""
        self._serial = max(self._serial, self._last_serial()) + 1
        name = f"{self._name}-{label}-{self._serial:06}{DATA}"
        path = self._folder / name
        try:
            with path.open("xb") as file:
                digest = digest_of(_written(file, parts))
                size = file.tell()
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            with contextlib.suppress(OSError):
                path.unlink()
            raise
        return KeptFile(name, size, digest.hex())

    def describe(self, content: Mapping[str, Any], files: Mapping[str, KeptFile]) -> None:
        """Let *content* with *files* be what is kept; whatever was kept before is removed."""
        named = {label: [file.name, file.size, file.sha256] for label, file in files.items()}
        text = json.dumps({"content": content, "files": named}, indent=1).encode()
        sync_folder(self._folder)
        replace(self._path, self._form.seal(self._belongs_to, text))
        self._remove_unnamed({file.name for file in files.values()})

    def _remove_unnamed(self, named: set[str]) -> None:
        for path in self._folder.iterdir():
            is_data = path.name.startswith(f"{self._name}-") and path.suffix == DATA
            is_part = path.name.startswith(f".{self._path.name}.") and path.suffix == PART
            if (is_data and path.name not in named) or is_part:
                # What stays is not named, so it does no harm; the next time it is tried again.
                with contextlib.suppress(OSError):
                    path.unlink()

    def _last_serial(self) -> int:
        if self._serial:
            return self._serial
        names = self._folder.glob(f"{self._name}-*{DATA}")
        ends = (path.stem.rpartition("-")[2] for path in names)
        return max((int(end) for end in ends if end.isascii() and end.isdecimal()), default=0)

    # Reading

    def read(self) -> Description | None:
        """What was kept, after every file of it was compared; ``None`` if nothing was.

        Raises ``NotUsable`` if it is not what was written, or belongs to something else.
        """
        try:
            with self._path.open("rb") as opened:
                data = opened.read(_LONGEST + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise NotUsable(f"{self._where} cannot be read: {error.strerror}") from error
        if len(data) > _LONGEST:
            raise self.damaged(f"its description has more than {_LONGEST:,} bytes")
        text = self._form.open(data, self._belongs_to, self._where)
        try:
            found = json.loads(text)
            content = dict(found["content"])
            files = {
                str(label): KeptFile(str(name), int(size), str(sha256))
                for label, (name, size, sha256) in found["files"].items()
            }
        except (
            ValueError,
            KeyError,
            TypeError,
            AttributeError,
            OverflowError,
            RecursionError,
        ) as error:
            raise self.damaged("its description is none that this program writes") from error
        for file in files.values():
            self._check(file)
        return Description(content, files)

    def chunks(self, file: KeptFile, size: int) -> Iterator[bytes]:
        """The content of *file*, *size* bytes at a time."""
        try:
            with (self._folder / file.name).open("rb") as stream:
                while data := stream.read(size):
                    yield data
        except OSError as error:
            raise self.damaged(f"{file.name} cannot be read: {error.strerror}") from error

    def damaged(self, how: str) -> NotUsable:
        return NotUsable(f"{self._where} is damaged: {how}; {self._form.advice}")

    def _check(self, file: KeptFile) -> None:
        path = self._folder / file.name
        try:
            size = path.stat().st_size if path.is_file() else None
        except OSError as error:
            raise self.damaged(f"{file.name} cannot be read: {error.strerror}") from error
        if Path(file.name).name != file.name or size is None:
            raise self.damaged(f"{file.name} is missing")
        if size != file.size:
            raise self.damaged(f"{file.name} has not the size that it was written with")
        if digest_of(self.chunks(file, _AT_ONCE)).hex() != file.sha256:
            raise self.damaged(f"{file.name} has other bytes than were written")


def _written(file: BinaryIO, parts: Iterable[bytes]) -> Iterator[bytes]:
    """The *parts*, each after it was written."""
    for part in parts:
        file.write(part)
        yield part
