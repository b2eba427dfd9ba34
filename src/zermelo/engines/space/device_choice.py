"""Whether the host explores or a GPU: what was wished for, what there is, what is worth it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, TypeAlias

from zermelo.core.limits import Listener, Progress
from zermelo.core.space import Space
from zermelo.engines.space.device_exploration import OnDevice
from zermelo.engines.space.device_store import NotOnDevice
from zermelo.fast import cuda
from zermelo.fast.device import Device

WORTH_IT: Final = 2_000_000
"""From so many states on a GPU is quicker, with all that has to be made ready for it."""


class DeviceWish(Enum):
    """Where an exploration is to run."""

    CPU = "cpu"
    GPU = "gpu"
    AUTO = "auto"


FindDevice: TypeAlias = Callable[[], Device | cuda.NoGpu]
OnHost: TypeAlias = Callable[[Listener | None], Space]
OnGpu: TypeAlias = Callable[[OnDevice], Space]


class _WorthIt(Exception):
    """So many states were found that a GPU is to begin again."""

    def __init__(self, device: Device) -> None:
        super().__init__()
        self.device = device


@dataclass(slots=True)
class _Watch:
    """Listens to the host until there are so many states that a GPU is worth it."""

    listener: Listener | None
    find: FindDevice
    is_tried: bool = False

    def __call__(self, progress: Progress, /) -> bool:
        if not self.is_tried and progress.states >= WORTH_IT:
            self.is_tried = True
            device = self.find()
            if not isinstance(device, cuda.NoGpu):
                raise _WorthIt(device)
        return self.listener is not None and bool(self.listener(progress))


def explored_somewhere(
    wish: DeviceWish,
    *,
    on_host: OnHost,
    on_gpu: OnGpu,
    why_not: str | None,
    listener: Listener | None,
    find: FindDevice = cuda.gpu,
) -> Space:
    """What the host or a GPU finds, as is wished for; *why_not* says why a GPU cannot."""
    match wish:
        case DeviceWish.CPU:
            return on_host(listener)
        case DeviceWish.GPU:
            return _asked_for(on_host, on_gpu, why_not, listener, find)
        case DeviceWish.AUTO:
            if why_not is not None:
                return on_host(listener)
            try:
                return on_host(_Watch(listener, find))
            except _WorthIt as found:
                reason = f"as there are more than {WORTH_IT:,} states"
                on = OnDevice(found.device, reason)
            return _tried(on_host, on_gpu, on, listener)


def _asked_for(
    on_host: OnHost,
    on_gpu: OnGpu,
    why_not: str | None,
    listener: Listener | None,
    find: FindDevice,
) -> Space:
    device = cuda.NoGpu(why_not) if why_not is not None else find()
    if isinstance(device, cuda.NoGpu):
        return _noted(on_host(listener), device.reason)
    return _tried(on_host, on_gpu, OnDevice(device, "as asked for"), listener)


def _tried(on_host: OnHost, on_gpu: OnGpu, on: OnDevice, listener: Listener | None) -> Space:
    try:
        return on_gpu(on)
    except NotOnDevice as refusal:
        return _noted(on_host(listener), str(refusal))


def _noted(space: Space, reason: str) -> Space:
    """*space*, which the host explored for this *reason*."""
    if space.run is None:
        return space
    return replace(space, run=replace(space.run, not_on_gpu=reason))
