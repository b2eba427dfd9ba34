"""What a driver answers becomes a value or one sentence; no GPU is needed to see that."""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from zermelo.fast import cuda
from zermelo.fast.cuda import Chip, NoGpu
from zermelo.fast.device import NoRoomOnDevice


class Library:
    """A driver's library with one GPU, which answers as it is told to."""

    def __init__(self, **answers: int) -> None:
        self.answers = {"cuDriverGetVersion": 13_000, "cuDeviceGetCount": 1, **answers}
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Callable[..., int]:
        if not name.startswith("cu"):
            raise AttributeError(name)

        def function(*arguments: Any) -> int:  # noqa: ANN401 - as C takes them
            self.calls.append(name)
            failure = self.answers.get(f"{name}_fails", 0)
            if failure:
                return failure
            if name == "cuDeviceGetName":
                arguments[0].value = b"Some GPU"
            elif name == "cuGetErrorString":
                arguments[1]._obj.value = b"words of the driver"  # noqa: SLF001 - what byref holds
            elif name == "cuDeviceGetAttribute":
                which = {16: "processors", 75: "major", 76: "minor", 20: "mode"}[arguments[1]]
                usual = {"processors": 10, "major": 9, "minor": 0, "mode": 0}[which]
                arguments[0]._obj.value = self.answers.get(which, usual)  # noqa: SLF001
            elif arguments and hasattr(arguments[0], "_obj"):
                arguments[0]._obj.value = self.answers.get(name, 64)  # noqa: SLF001
            return 0

        return function


def used(monkeypatch: pytest.MonkeyPatch, library: Library) -> None:
    """Let *library* be the driver of this machine."""
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(ctypes, "CDLL", lambda _: library)
        found = cuda.opened()
    monkeypatch.setattr(cuda, "_standard", lambda: found)


def test_without_a_driver_there_is_no_gpu_and_no_error() -> None:
    assert cuda.opened("no-such-library.so") == NoGpu(
        "no driver for a GPU by NVIDIA was found (no-such-library.so)"
    )


def test_a_driver_that_is_too_old_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    used(monkeypatch, Library(cuDriverGetVersion=11_080))

    assert cuda.gpu() == NoGpu(
        "the driver of the GPU is too old: it knows CUDA 11.8, and 12.4 is the oldest that will do"
    )


def test_what_the_driver_refuses_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    used(monkeypatch, Library(cuInit_fails=100))

    assert cuda.chips() == NoGpu("the GPU cannot be used: there is none (cuInit, error 100)")


def test_what_has_no_words_here_has_those_of_the_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    used(monkeypatch, Library(cuInit_fails=999))

    assert cuda.chips() == NoGpu("the GPU cannot be used: words of the driver (cuInit, error 999)")


def test_the_gpus_of_a_machine_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    used(monkeypatch, Library(cuDeviceTotalMem_v2=1 << 30))

    assert cuda.chips() == (
        Chip(number=0, name="Some GPU", capability=90, multiprocessors=10, bytes=1 << 30),
    )
    assert cuda.driver_version() == "13.0"


def test_a_driver_without_a_gpu_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    used(monkeypatch, Library(cuDeviceGetCount=0))

    assert cuda.gpu() == NoGpu("the driver knows of no GPU")


def test_a_gpu_that_is_too_old_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    used(monkeypatch, Library(major=6, minor=1))

    assert cuda.gpu() == NoGpu(
        "Some GPU is too old: its compute capability is 6.1, and 7.5 is the least that will do"
    )


def test_a_gpu_that_is_closed_to_programs_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    used(monkeypatch, Library(mode=2))

    assert cuda.gpu() == NoGpu("Some GPU is closed to programs that compute")


def test_a_gpu_that_others_have_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    used(monkeypatch, Library(cuDevicePrimaryCtxRetain_fails=46))

    assert cuda.trial() == (
        "the GPU cannot be used: another program has it for itself "
        "(cuDevicePrimaryCtxRetain, error 46)"
    )


def test_memory_that_is_not_there_is_told_from_other_faults(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    used(monkeypatch, Library(cuMemAlloc_v2_fails=2))
    gpu = cuda.gpu()
    assert not isinstance(gpu, NoGpu)

    with pytest.raises(NoRoomOnDevice, match="it has not so much memory left"):
        gpu.memory(1 << 40)


def test_a_gpu_that_computes_wrongly_does_not_work(monkeypatch: pytest.MonkeyPatch) -> None:
    # The driver says yes to everything, and no number is ever added up.
    used(monkeypatch, Library())

    assert cuda.trial() == "it gave 0 as the sum of the first 1,000 numbers"


def test_a_program_that_stops_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    used(monkeypatch, Library(cuEventSynchronize_fails=700))

    assert cuda.trial() == (
        "the GPU cannot be used: the program touched memory that is not its own "
        "(cuEventSynchronize, error 700)"
    )


def test_nothing_is_copied_beyond_what_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    used(monkeypatch, Library())
    gpu = cuda.gpu()
    assert not isinstance(gpu, NoGpu)
    memory = gpu.memory(16)

    with pytest.raises(AssertionError, match="within the memory"):
        memory.write(np.zeros(3, dtype=np.int64))
