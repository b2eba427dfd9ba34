"""GPUs by NVIDIA, through the library of their driver.

Nothing else has to be installed: the driver takes programs as text (PTX), which `zermelo.fast.jit`
makes. Whatever the driver refuses becomes a `DeviceFailed` whose text is one sentence; where there
is no driver, or one that cannot be used, `devices` says so.
"""

import ctypes
import functools
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from zermelo.fast import jit
from zermelo.fast.bits import address
from zermelo.fast.device import DeviceFailed, Memory, NoRoomOnDevice
from zermelo.fast.jit import CHIP_WITH_PAIRS, OLDEST_CHIP, NotCompiled, Unit

LIBRARY: Final = "libcuda.so.1"
OLDEST: Final = 12_040
"""The oldest version of CUDA whose driver takes our programs: 12.4."""
GROUP: Final = 128
"""So many threads are run together."""
_OUT_OF_MEMORY: Final = 2
_LOG: Final = 8192
_JIT_ERROR_LOG, _JIT_ERROR_LOG_SIZE = 5, 6
_MULTIPROCESSORS, _MAJOR, _MINOR, _MODE = 16, 75, 76, 20
_PROHIBITED: Final = 2
_WORDS: Final[Mapping[int, str]] = {
    2: "it has not so much memory left; other programs may use it",
    46: "another program has it for itself",
    100: "there is none",
    101: "there is no such GPU",
    218: "the driver does not take the program",
    222: "the driver is too old for the program",
    700: "the program touched memory that is not its own",
    702: "a launch took too long",
    719: "the program was stopped by the driver",
    803: "the driver does not fit the library that belongs to it",
    804: "the driver does not fit this GPU",
}


@dataclass(frozen=True, slots=True)
class Chip:
    """A GPU of this machine."""

    number: int
    name: str
    capability: int
    """Its compute capability, without the point."""
    multiprocessors: int
    bytes: int


@dataclass(frozen=True, slots=True)
class NoGpu:
    """Why no GPU can be used here, in one sentence without its full stop."""

    reason: str


class Driver:
    """The driver's library; each call is checked."""

    def __init__(self, library: Any) -> None:  # noqa: ANN401 - a library of C
        self._library = library

    def call(self, name: str, *arguments: Any) -> None:  # noqa: ANN401 - as C takes them
        code = getattr(self._library, name)(*arguments)
        if code:
            kind = NoRoomOnDevice if code == _OUT_OF_MEMORY else DeviceFailed
            raise kind(f"the GPU cannot be used: {self._words(code)} ({name}, error {code})")

    def number(self, name: str, *arguments: Any) -> int:  # noqa: ANN401 - as above
        """What the function *name* writes to its first argument, a 32-bit number."""
        found = ctypes.c_int(0)
        self.call(name, ctypes.byref(found), *arguments)
        return found.value

    def word(self, name: str, *arguments: Any) -> int:  # noqa: ANN401 - as above
        """The same for a 64-bit number, an address or a handle."""
        found = ctypes.c_uint64(0)
        self.call(name, ctypes.byref(found), *arguments)
        return found.value

    def _words(self, code: int) -> str:
        if code in _WORDS:
            return _WORDS[code]
        text = ctypes.c_char_p(None)
        self._library.cuGetErrorString(code, ctypes.byref(text))
        return (text.value or b"an error without a name").decode(errors="replace")


def opened(name: str = LIBRARY) -> Driver | NoGpu:
    """The driver, begun; or why there is none."""
    try:
        library = ctypes.CDLL(name)
    except OSError:
        return NoGpu(f"no driver for a GPU by NVIDIA was found ({name})")
    driver = Driver(library)
    try:
        driver.call("cuInit", 0)
        version = driver.number("cuDriverGetVersion")
    except (DeviceFailed, AttributeError) as failure:
        return NoGpu(str(failure))
    if version < OLDEST:
        return NoGpu(
            f"the driver of the GPU is too old: it knows CUDA {_version(version)}, and "
            f"{_version(OLDEST)} is the oldest that will do"
        )
    return driver


def _version(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"


@functools.cache
def _standard() -> Driver | NoGpu:
    return opened()


def driver_version() -> str | None:
    """The version of CUDA that the driver knows; ``None`` without a driver."""
    driver = _standard()
    return None if isinstance(driver, NoGpu) else _version(driver.number("cuDriverGetVersion"))


def chips(driver: Driver | NoGpu | None = None) -> tuple[Chip, ...] | NoGpu:
    """The GPUs of this machine; or why there is none that can be used."""
    driver = driver or _standard()
    if isinstance(driver, NoGpu):
        return driver
    try:
        found = [_chip(driver, at) for at in range(driver.number("cuDeviceGetCount"))]
    except DeviceFailed as failure:
        return NoGpu(str(failure))
    return tuple(found) or NoGpu("the driver knows of no GPU")


def _chip(driver: Driver, number: int) -> Chip:
    handle = driver.number("cuDeviceGet", number)
    name = ctypes.create_string_buffer(128)
    driver.call("cuDeviceGetName", name, len(name), handle)

    def attribute(which: int) -> int:
        return driver.number("cuDeviceGetAttribute", which, handle)

    return Chip(
        number=number,
        name=name.value.decode(errors="replace"),
        capability=10 * attribute(_MAJOR) + attribute(_MINOR),
        multiprocessors=attribute(_MULTIPROCESSORS),
        bytes=driver.word("cuDeviceTotalMem_v2", handle),
    )


def gpu(number: int = 0) -> "Gpu | NoGpu":
    """The GPU of this *number*, ready to be used; or why it is not."""
    driver = _standard()
    found = chips(driver)
    if isinstance(found, NoGpu) or isinstance(driver, NoGpu):
        return found if isinstance(found, NoGpu) else NoGpu("there is no driver")
    if number >= len(found):
        return NoGpu(f"there is no GPU number {number}")
    chip = found[number]
    if chip.capability < OLDEST_CHIP:
        return NoGpu(
            f"{chip.name} is too old: its compute capability is {chip.capability / 10:.1f}, and "
            f"{OLDEST_CHIP / 10:.1f} is the least that will do"
        )
    why = jit.available()
    if why is not None:
        return NoGpu(why)
    try:
        return Gpu(driver, chip)
    except DeviceFailed as failure:
        return NoGpu(str(failure))


_TRIAL: Final = Unit(
    name="trial",
    source="""
def trial(numbers, thread, threads, own):
    at = thread
    while at < load(numbers, 0):
        store(own, 0, at + 1)
        fetch_add(numbers, 1, load(own, 0))
        at = at + threads
""",
    exports=("trial",),
)
_TRIAL_COUNT: Final = 1000


def trial(number: int = 0) -> str | None:
    """Why the GPU of this *number* does not work; ``None`` if it adds up some numbers rightly."""
    found = gpu(number)
    if isinstance(found, NoGpu):
        return found.reason
    try:
        numbers = np.array([_TRIAL_COUNT, 0], dtype=np.int64)
        memory = found.memory(numbers.nbytes)
        memory.write(numbers)
        found.program(_TRIAL, 1).launch([("trial", GROUP)], memory.address)
        memory.read(numbers)
    except DeviceFailed as failure:
        return str(failure)
    if int(numbers[1]) != _TRIAL_COUNT * (_TRIAL_COUNT + 1) // 2:
        return f"it gave {int(numbers[1]):,} as the sum of the first {_TRIAL_COUNT:,} numbers"
    return None


class Gpu:
    """A GPU with the context in which this process uses it."""

    def __init__(self, driver: Driver, chip: Chip) -> None:
        self.chip = chip
        self.driver = driver
        handle = driver.number("cuDeviceGet", chip.number)
        if driver.number("cuDeviceGetAttribute", _MODE, handle) == _PROHIBITED:
            raise DeviceFailed(f"{chip.name} is closed to programs that compute")
        self._context = driver.word("cuDevicePrimaryCtxRetain", handle)
        weakref.finalize(self, driver.call, "cuDevicePrimaryCtxRelease_v2", handle)
        self.enter()

    def enter(self) -> None:
        """Let the thread that calls use this GPU."""
        self.driver.call("cuCtxSetCurrent", ctypes.c_void_p(self._context))

    @property
    def name(self) -> str:
        return self.chip.name

    @property
    def swaps_pairs(self) -> bool:
        return self.chip.capability >= CHIP_WITH_PAIRS

    def free_bytes(self) -> int:
        self.enter()
        free, total = ctypes.c_uint64(0), ctypes.c_uint64(0)
        self.driver.call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value

    def memory(self, size: int) -> "GpuMemory":
        self.enter()
        return GpuMemory(self, size)

    def program(self, unit: Unit, own: int) -> "GpuProgram":
        self.enter()
        try:
            text = jit.ptx(unit, self.chip.capability, own=own, threads=GROUP)
        except NotCompiled as failure:
            raise DeviceFailed(str(failure)) from failure
        return GpuProgram(self, text, unit.exports)


class GpuMemory:
    """Some bytes of a GPU."""

    def __init__(self, gpu: Gpu, size: int) -> None:
        self._gpu = gpu
        self.size = size
        self.address = gpu.driver.word("cuMemAlloc_v2", ctypes.c_size_t(max(16, size)))
        self._end = weakref.finalize(
            self, gpu.driver.call, "cuMemFree_v2", ctypes.c_uint64(self.address)
        )

    def fill(self, byte: int) -> None:
        size = ctypes.c_size_t(self.size)
        self._call("cuMemsetD8_v2", self._place(0), ctypes.c_ubyte(byte), size)
        self._call("cuCtxSynchronize")

    def write(self, array: npt.NDArray[Any], at: int = 0) -> None:
        data = np.ascontiguousarray(array)
        self._check(at, data.nbytes)
        there = ctypes.c_void_p(address(data))
        self._call("cuMemcpyHtoD_v2", self._place(at), there, ctypes.c_size_t(data.nbytes))

    def read(self, array: npt.NDArray[Any], at: int = 0) -> None:
        assert array.flags.c_contiguous, "an array is filled from its beginning to its end"
        self._check(at, array.nbytes)
        here = ctypes.c_void_p(address(array))
        self._call("cuMemcpyDtoH_v2", here, self._place(at), ctypes.c_size_t(array.nbytes))

    def take(self, other: Memory, size: int) -> None:
        self._check(0, size)
        source = ctypes.c_uint64(other.address)
        self._call("cuMemcpyDtoD_v2", self._place(0), source, ctypes.c_size_t(size))
        self._call("cuCtxSynchronize")

    def free(self) -> None:
        self._gpu.enter()
        self._end()
        self.size = 0

    def _check(self, at: int, size: int) -> None:
        assert 0 <= at <= at + size <= self.size, "what is copied lies within the memory"

    def _place(self, at: int) -> ctypes.c_uint64:
        return ctypes.c_uint64(self.address + at)

    def _call(self, name: str, *arguments: Any) -> None:  # noqa: ANN401 - as above
        self._gpu.enter()
        self._gpu.driver.call(name, *arguments)


class GpuProgram:
    """A program that the driver has taken."""

    def __init__(self, gpu: Gpu, text: str, names: Sequence[str]) -> None:
        self._gpu = gpu
        driver = gpu.driver
        module = self._loaded(text)
        weakref.finalize(self, driver.call, "cuModuleUnload", ctypes.c_void_p(module))
        self._functions = {
            name: driver.word(
                "cuModuleGetFunction", ctypes.c_void_p(module), f"kernel_{name}".encode()
            )
            for name in names
        }
        self._events = [driver.word("cuEventCreate", 0) for _ in range(2)]
        for event in self._events:
            weakref.finalize(self, driver.call, "cuEventDestroy_v2", ctypes.c_void_p(event))

    def _loaded(self, text: str) -> int:
        log = ctypes.create_string_buffer(_LOG)
        options = (ctypes.c_int * 2)(_JIT_ERROR_LOG, _JIT_ERROR_LOG_SIZE)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), _LOG)
        data = ctypes.create_string_buffer(text.encode())
        try:
            return self._gpu.driver.word("cuModuleLoadDataEx", data, 2, options, values)
        except DeviceFailed as failure:
            said = " ".join(log.value.decode(errors="replace").split())
            raise DeviceFailed(f"{failure}: {said}" if said else str(failure)) from failure

    def threads(self, name: str) -> int:
        self._gpu.enter()
        function = ctypes.c_void_p(self._functions[name])
        groups = self._gpu.driver.number(
            "cuOccupancyMaxActiveBlocksPerMultiprocessor", function, GROUP, ctypes.c_size_t(0)
        )
        return max(1, groups) * GROUP * self._gpu.chip.multiprocessors

    def registers(self, name: str) -> int:
        """How many registers each thread has."""
        return self._attribute(name, 4)

    def own_bytes(self, name: str) -> int:
        """How much memory of its own each thread has, with what it has no registers for."""
        return self._attribute(name, 3)

    def _attribute(self, name: str, which: int) -> int:
        function = ctypes.c_void_p(self._functions[name])
        return self._gpu.driver.number("cuFuncGetAttribute", which, function)

    def launch(self, steps: Sequence[tuple[str, int]], *arguments: int) -> float:
        self._gpu.enter()
        driver = self._gpu.driver
        values = [ctypes.c_int64(each) for each in arguments]
        pointers = (ctypes.c_void_p * len(values))(*[ctypes.addressof(each) for each in values])
        first, last = (ctypes.c_void_p(each) for each in self._events)
        driver.call("cuEventRecord", first, None)
        for name, threads in steps:
            function = ctypes.c_void_p(self._functions[name])
            sizes = (-(-threads // GROUP), 1, 1, GROUP, 1, 1, 0)
            driver.call("cuLaunchKernel", function, *sizes, None, pointers, None)
        driver.call("cuEventRecord", last, None)
        driver.call("cuEventSynchronize", last)
        took = ctypes.c_float(0)
        driver.call("cuEventElapsedTime", ctypes.byref(took), first, last)
        return took.value / 1000
