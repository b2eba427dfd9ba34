"""Machines with very many threads, and one that is simulated on this machine.

A program on a device is a `Unit` whose exports take, after their arguments, the number of the
thread that runs them, how many threads there are, and the address of some words of memory that
belong to the thread alone. Whoever launches one names the export and the number of threads.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from zermelo.fast import jit
from zermelo.fast.bits import address
from zermelo.fast.jit import Unit


class DeviceFailed(RuntimeError):
    """A device cannot do what it was asked for; the text is one sentence that says why."""


class NoRoomOnDevice(DeviceFailed):
    """There is not so much memory on the device, or others use it."""


class Memory(Protocol):
    """Some bytes on a device, as long as this object lives."""

    @property
    def address(self) -> int: ...

    @property
    def size(self) -> int:
        """How many bytes there are."""
        ...

    def fill(self, byte: int) -> None: ...

    def write(self, array: npt.NDArray[Any], at: int = 0) -> None:
        """Copy *array* to the device, from the byte *at* on."""
        ...

    def read(self, array: npt.NDArray[Any], at: int = 0) -> None:
        """Fill *array* with what is on the device from the byte *at* on."""
        ...

    def take(self, other: "Memory", size: int) -> None:
        """Copy the first *size* bytes of *other*, which is on the same device."""
        ...

    def free(self) -> None: ...


class Program(Protocol):
    """A unit on a device."""

    def threads(self, name: str) -> int:
        """How many threads run the export *name* at the same time."""
        ...

    def launch(self, steps: Sequence[tuple[str, int]], *arguments: int) -> float:
        """Run exports one after another, each by at least so many threads; the seconds it took."""
        ...


class Device(Protocol):
    """A machine that programs are launched on."""

    @property
    def name(self) -> str: ...

    @property
    def swaps_pairs(self) -> bool:
        """Whether 128 bits are compared and swapped in one step."""
        ...

    def free_bytes(self) -> int: ...

    def memory(self, size: int) -> Memory:
        """So many bytes; raises `NoRoomOnDevice`."""
        ...

    def program(self, unit: Unit, own: int) -> Program:
        """*unit* made ready, with *own* words for each thread."""
        ...


class HostMemory:
    """Some bytes of this machine, as if they were on a device."""

    def __init__(self, size: int) -> None:
        # Pairs of words begin at multiples of 16.
        self._room = np.zeros(size // 8 + 4, dtype=np.int64)
        self.size = size
        first = -address(self._room) % 16 // 8
        self._bytes = self._room[first : first + size // 8 + 2].view(np.uint8)[:size]
        self.address = address(self._room) + 8 * first

    def fill(self, byte: int) -> None:
        self._bytes[:] = byte

    def write(self, array: npt.NDArray[Any], at: int = 0) -> None:
        data = np.ascontiguousarray(array).view(np.uint8).reshape(-1)
        self._bytes[at : at + len(data)] = data

    def read(self, array: npt.NDArray[Any], at: int = 0) -> None:
        there = array.view(np.uint8).reshape(-1)
        there[:] = self._bytes[at : at + len(there)]

    def take(self, other: Memory, size: int) -> None:
        assert isinstance(other, HostMemory), "both are on this machine"
        self._bytes[:size] = other._bytes[:size]  # noqa: SLF001 - another of this class

    def free(self) -> None:
        self._room = np.zeros(0, dtype=np.int64)
        self._bytes = np.zeros(0, dtype=np.uint8)
        self.size = 0


_WORKERS: Final = 4


class _HostProgram:
    def __init__(self, unit: Unit, own: int, threads: int, *, native: bool) -> None:
        self._functions = jit.load(unit, native=native)
        self._own = own
        self._threads = threads

    def threads(self, name: str) -> int:  # noqa: ARG002 - it is the same for all
        return self._threads

    def launch(self, steps: Sequence[tuple[str, int]], *arguments: int) -> float:
        for name, threads in steps:
            self._run(name, threads, *arguments)
        return 0.0

    def _run(self, name: str, threads: int, *arguments: int) -> None:
        function = self._functions[name]
        failures: list[BaseException] = []

        def work(worker: int) -> None:
            own = np.zeros(max(1, self._own), dtype=np.int64)
            # From the last to the first: no result may depend on the order of threads.
            for thread in range(threads - 1 - worker, -1, -_WORKERS):
                function(*arguments, thread, threads, address(own))

        run_all([partial(work, worker) for worker in range(_WORKERS)], failures)
        if failures:
            raise failures[0]


def run_all(works: Sequence[Callable[[], None]], failures: list[BaseException]) -> None:
    with ThreadPoolExecutor(len(works)) as pool:
        for each in [pool.submit(work) for work in works]:
            failure = each.exception()
            if failure is not None:
                failures.append(failure)


class HostDevice:
    """This machine as a device: *threads* are simulated, by a few that are real.

    Its programs are native code, or Python if that is asked for. It is slower than exploring
    without it: it is there so that what runs on a device can be held to what runs here.
    """

    def __init__(
        self, *, threads: int = 64, native: bool = True, pairs: bool = True, room: int = 1 << 30
    ) -> None:
        self._threads = threads
        self._native = native
        self._room = room
        self._taken: list[HostMemory] = []
        self._lock = threading.Lock()
        self.swaps_pairs = pairs

    @property
    def name(self) -> str:
        return f"{self._threads:,} simulated threads"

    def free_bytes(self) -> int:
        with self._lock:
            return self._room - sum(each.size for each in self._taken)

    def memory(self, size: int) -> HostMemory:
        if size > self.free_bytes():
            raise NoRoomOnDevice(f"{self.name} have no {size:,} bytes left")
        made = HostMemory(size)
        with self._lock:
            self._taken.append(made)
        return made

    def program(self, unit: Unit, own: int) -> Program:
        return _HostProgram(unit, own, self._threads, native=self._native)
