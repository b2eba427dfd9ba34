"""Faults at every file operation of some work, one after the other.

``every_fault`` runs the work again and again: first its first file operation fails, then its
second, and so on until a run has no more; and so for each kind of fault. What is counted are
operations on files below one folder, so that libraries and caches are left in peace. A new process
that is killed at one of its operations is started with ``killed_at``.
"""

from __future__ import annotations

import builtins
import errno
import io
import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Generic, Self, TypeVar
from unittest import mock

from tests.support.project import ROOT, SOURCE

T = TypeVar("T")

PATH_CALLS: Final = ("replace", "rename", "link", "unlink", "remove", "mkdir", "rmdir", "truncate")
HANDLE_CALLS: Final = ("write", "fsync", "fchmod", "fchown", "ftruncate")
NEEDS_ROOM: Final = frozenset({"open", "write", "fsync", "mkdir", "link", "close"})
"""What a disk that has become full goes on refusing; removing and renaming work."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens at an operation: instead of it, or right after it."""

    name: str
    happen: Callable[[], BaseException]
    is_after: bool = False
    stays: bool = False
    """Whether later operations that need room fail as well."""

    def __str__(self) -> str:
        return self.name


def system_error(number: int) -> Callable[[], OSError]:
    return lambda: OSError(number, os.strerror(number))


def _kill() -> BaseException:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("nobody lives after this")


FAULTS: Final = (
    Fault("full disk", system_error(errno.ENOSPC)),
    Fault("full disk from then on", system_error(errno.ENOSPC), stays=True),
    Fault("broken disk", system_error(errno.EIO)),
    Fault("not allowed", system_error(errno.EACCES)),
    Fault("interrupt before", KeyboardInterrupt),
    Fault("interrupt after", KeyboardInterrupt, is_after=True),
)


@dataclass(frozen=True, slots=True)
class Trial(Generic[T]):
    """A run of some work in which one operation had a fault."""

    fault: Fault
    number: int
    operation: str
    """What had the fault, as in ``fsync .a.md.0f….part``."""
    result: T | None
    error: BaseException | None

    def __str__(self) -> str:
        return f"{self.fault} at operation {self.number}, {self.operation}"


def every_fault(
    folder: Path,
    prepare: Callable[[], None],
    work: Callable[[], T],
    faults: Sequence[Fault] = FAULTS,
) -> Iterator[Trial[T]]:
    """Every run of *work* with a fault at one of its operations below *folder*.

    Before each, *prepare* makes everything as it was.
    """
    for fault in faults:
        for number in itertools.count(1):
            prepare()
            operations = Operations(folder, number, fault)
            result, error = None, None
            try:
                with operations:
                    result = work()
            except BaseException as raised:  # noqa: BLE001 - it is what the test looks at
                error = raised
            if len(operations.made) < number:
                assert error is None, f"without a fault: {error!r}"
                assert number > 1, "the work has no file operation"
                break
            yield Trial(fault, number, operations.made[number - 1], result, error)


class Operations:
    """Counts the file operations below a folder while it is entered, and lets one have a fault."""

    def __init__(self, folder: Path, at: int = 0, fault: Fault = FAULTS[0]) -> None:
        self.made: list[str] = []
        self._folder = folder.resolve()
        self._at = at
        self._fault = fault
        self._names: dict[int, str] = {}
        self._patches: list[Any] = []

    def __enter__(self) -> Self:
        self._patch(os, "open", self._os_open)
        self._patch(os, "close", self._os_close)
        for name in PATH_CALLS:
            self._patch(os, name, self._path_call(name, getattr(os, name)))
        for name in HANDLE_CALLS:
            self._patch(os, name, self._handle_call(name, getattr(os, name)))
        self._real_open = io.open
        self._patch(io, "open", self._open)
        self._patch(builtins, "open", self._open)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for patch in reversed(self._patches):
            patch.stop()

    def _patch(self, of: object, name: str, function: object) -> None:
        patch = mock.patch.object(of, name, function)
        patch.start()
        self._patches.append(patch)

    def reach(self, operation: str, of: str, do: Callable[[], Any]) -> Any:  # noqa: ANN401
        """Do the next operation, or what is to happen instead."""
        self.made.append(f"{operation} {Path(of).name}")
        number = len(self.made)
        is_hit = number == self._at or (
            self._fault.stays and 0 < self._at < number and operation in NEEDS_ROOM
        )
        # What closes is closed however that ends.
        if is_hit and not self._fault.is_after and operation != "close":
            raise self._fault.happen()
        result = do()
        if is_hit:
            if operation == "open" and isinstance(result, int):
                self._real_close(result)
            raise self._fault.happen()
        return result

    def _is_below(self, path: object) -> bool:
        if not isinstance(path, str | bytes | os.PathLike):
            return False
        # A link is where it is, not where it leads.
        given = Path(os.fsdecode(path))
        return (given.parent.resolve() / given.name).is_relative_to(self._folder)

    # What stands for the functions of the system.

    _real_os_open = staticmethod(os.open)
    _real_close = staticmethod(os.close)

    def _os_open(self, path: Any, flags: int, *rest: Any, **more: Any) -> int:  # noqa: ANN401
        if not self._is_below(path):
            return self._real_os_open(path, flags, *rest, **more)
        name = os.fsdecode(path)
        handle = self.reach("open", name, lambda: self._real_os_open(path, flags, *rest, **more))
        assert isinstance(handle, int)
        self._names[handle] = name
        return handle

    def _os_close(self, handle: int) -> None:
        name = self._names.pop(handle, None)
        if name is None:
            self._real_close(handle)
        else:
            self.reach("close", name, lambda: self._real_close(handle))

    def _path_call(self, operation: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: Any, *rest: Any, **more: Any) -> Any:  # noqa: ANN401
            if not self._is_below(path):
                return real(path, *rest, **more)
            return self.reach(operation, os.fsdecode(path), lambda: real(path, *rest, **more))

        return call

    def _handle_call(self, operation: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(handle: int, *rest: Any) -> Any:  # noqa: ANN401
            name = self._names.get(handle)
            if name is None:
                return real(handle, *rest)
            return self.reach(operation, name, lambda: real(handle, *rest))

        return call

    def _open(
        self,
        file: Any,  # noqa: ANN401
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        closefd: bool = True,  # noqa: FBT001, FBT002 - the signature of what it stands for
        opener: Any = None,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        is_ours = file in self._names if isinstance(file, int) else self._is_below(file)
        if not is_ours:
            return self._real_open(
                file, mode, buffering, encoding, errors, newline, closefd, opener
            )
        plain = mode.replace("b", "").replace("t", "")
        # All of them are opened through ``os.open``, which counts.
        raw = _Raw(self, file, plain, closefd, opener or _opened)
        if buffering == 0:
            return raw
        kind = io.BufferedRandom if "+" in mode else io.BufferedReader
        buffered = kind(raw) if "+" in mode or "r" in mode else io.BufferedWriter(raw)
        if "b" in mode:
            return buffered
        return io.TextIOWrapper(buffered, encoding, errors, newline)

    def name_of(self, handle: int) -> str | None:
        return self._names.get(handle)

    def forget(self, handle: int) -> None:
        self._names.pop(handle, None)


def _opened(name: str, flags: int) -> int:
    return os.open(name, flags, 0o666)


class _Raw(io.FileIO):
    """An open file whose reads, writes and end are counted."""

    def __init__(self, operations: Operations, *arguments: Any) -> None:  # noqa: ANN401
        self._operations = operations
        super().__init__(*arguments)
        self._file = operations.name_of(self.fileno()) or str(arguments[0])

    def _reach(self, operation: str, do: Callable[[], Any]) -> Any:  # noqa: ANN401
        return self._operations.reach(operation, self._file, do)

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401
        return int(self._reach("read", lambda: io.FileIO.readinto(self, buffer)))

    def readall(self) -> bytes:
        return bytes(self._reach("read", lambda: io.FileIO.readall(self)))

    def write(self, data: Any) -> int:  # noqa: ANN401
        try:
            return int(self._reach("write", lambda: io.FileIO.write(self, data)))
        except OSError:
            # A disk that is full has taken a part.
            super().write(memoryview(data)[: len(data) // 2])
            raise

    def truncate(self, size: int | None = None) -> int:
        return int(self._reach("truncate", lambda: io.FileIO.truncate(self, size)))

    def close(self) -> None:
        if self.closed:
            return
        if self.closefd:
            self._operations.forget(self.fileno())
        self._reach("close", super().close)


# Kills


def killed_at(number: int, folder: Path, arguments: Sequence[str]) -> int:
    """How a new ``zermelo`` ends that is killed before its operation *number* below *folder*.

    Files are then as a kill right after the operation before would have left them.
    """
    return subprocess.run(
        [sys.executable, "-m", "tests.support.faults", folder, str(number), *arguments],
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": f"{SOURCE}{os.pathsep}{ROOT}"},
        timeout=120,
    ).returncode


def _main(folder: str, number: str, *arguments: str) -> None:
    from zermelo.faces.cli.main import main  # noqa: PLC0415 - for the new process alone

    with Operations(Path(folder), int(number), Fault("kill", _kill)):
        main(arguments)


if __name__ == "__main__":
    _main(*sys.argv[1:])
