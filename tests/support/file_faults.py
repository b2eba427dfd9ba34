"""File operations that are counted, and one of which fails or is the last thing a process does.

Counted are those on files below one folder: opening, writing, syncing, renaming, removing, making
and listing.
"""

from __future__ import annotations

import errno
import io
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

_CALLS: Final = (
    "open",
    "fsync",
    "replace",
    "rename",
    "unlink",
    "mkdir",
    "fchmod",
    "truncate",
    "listdir",
)


class FileOperations:
    """Counts operations on files below *folder*; at number *last*, from 1, *happens* is called."""

    def __init__(self, folder: Path, last: int | None, happens: Callable[[], None]) -> None:
        self._folder = os.fspath(folder)
        self._last = last
        self._happens = happens
        self.count = 0

    def meet(self, *arguments: object) -> None:
        if any(self._is_below(each) for each in arguments):
            self.count += 1
            if self.count == self._last:
                self._happens()

    def _is_below(self, argument: object) -> bool:
        if isinstance(argument, int) and not isinstance(argument, bool):
            try:
                argument = Path(f"/proc/self/fd/{argument}").readlink()
            except OSError:
                return False
        if not isinstance(argument, str | os.PathLike):
            return False
        return str(os.fspath(argument)).startswith(self._folder)

    @contextmanager
    def watched(self) -> Iterator[FileOperations]:
        with pytest.MonkeyPatch.context() as patch:
            for name in _CALLS:
                patch.setattr(os, name, self._wrapped(getattr(os, name)))
            # What a kill leaves behind is whole without it, and it takes most of the time.
            patch.setattr(os, "fsync", self._wrapped(lambda _: None))
            patch.setattr(io, "open", self._opening(io.open))
            yield self

    def _wrapped(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - any call
            self.meet(*arguments)
            return call(*arguments, **named)

        return wrapped

    def _opening(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(file: Any, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - any call
            self.meet(file)
            stream = call(file, *arguments, **named)
            return _Stream(stream, self) if self._is_below(file) and stream.writable() else stream

        return wrapped


class _Stream:
    """A file whose writes are counted, each before and after the half of it is on its way."""

    def __init__(self, stream: Any, operations: FileOperations) -> None:  # noqa: ANN401 - a file
        self._stream = stream
        self._operations = operations

    def write(self, data: bytes) -> int:
        half = len(data) // 2
        self._operations.meet(self._stream.name)
        self._stream.write(data[:half])
        self._stream.flush()
        self._operations.meet(self._stream.name)
        self._stream.write(data[half:])
        return len(data)

    def writelines(self, parts: Any) -> None:  # noqa: ANN401 - an iterable
        for part in parts:
            self.write(part)

    def __enter__(self) -> _Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a file has
        return getattr(self._stream, name)


def full_disk() -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def ended(work: Callable[[], object]) -> bool:
    """Do *work* in a process of its own; whether it ended by itself."""
    child = os.fork()
    if not child:
        try:
            work()
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the work itself failed"
    return not os.WIFSIGNALED(status)
