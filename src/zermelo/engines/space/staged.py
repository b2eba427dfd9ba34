"""Exploring without waiting for a compiler: first on a slow expander, then on a fast one.

Small spaces are done before a fast expander could have been made. When an
exploration takes longer, one is made beside it; once it is there the exploration
begins again on it, which loses little.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

from zermelo.core.adapter import MachineExpander
from zermelo.core.expander import Expander, with_room
from zermelo.core.limits import UNLIMITED, Limits, Listener, Progress
from zermelo.core.model import Model, Readiness
from zermelo.core.space import DEFAULT_OPTIONS, Classes, ExploreOptions, Space
from zermelo.core.state import State
from zermelo.core.symmetry import Preserved, Symmetries
from zermelo.engines.space import store
from zermelo.engines.space.adaptive_store import AdaptiveStore, store_for_exploring
from zermelo.engines.space.checkpoint import Checkpoint
from zermelo.engines.space.exploration import explore
from zermelo.engines.space.level_counts import CountedLevels
from zermelo.engines.space.orbits.reduction import Reduction, reduced, usable_reduction

COMPILE_DELAY: Final = 0.4
"""Seconds after which an exploration on the interpreter is worth a faster machine."""

UNBOUNDED_COMPILE_DELAY: Final = 0.05
"""The same where nothing bounds the exploration, so that it may well be long."""
LOAD_DELAY: Final = 0.02
"""The same where the faster machine was made before, and has only to be loaded."""
COMPILER_ALONE: Final = 0.5
"""Seconds for which the exploration makes room for whoever makes it."""

MakeExpander: TypeAlias = Callable[[], Expander | str]
"""What makes a fast expander, or says why there can be none."""


@dataclass(frozen=True, slots=True)
class ExpanderCompiler:
    """A ``Faster`` that knows whether its expander was made before, by this run or another."""

    make: MakeExpander
    is_ready: Callable[[], bool]

    def __call__(self) -> Expander | str:
        """The fast expander, or why there can be none."""
        return self.make()


def faster_of(model: Model) -> ExpanderCompiler | None:
    """What makes the compiled code of *model*; ``None`` where there never is any."""
    if model.readiness() is Readiness.NONE:
        return None

    def made() -> Expander | str:
        expander = model.expander()
        return expander if expander.reason is None else expander.reason

    return ExpanderCompiler(made, lambda: model.readiness() is Readiness.KEPT)


def explore_model(
    model: Model,
    *,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    threads: int = 1,
    wishes: ExploreOptions = DEFAULT_OPTIONS,
    checkpoint: Path | None = None,
) -> Space:
    """The reachable states of *model*, within *limits*."""
    machine = model.machine()
    return explore_in_stages(
        MachineExpander(machine),
        faster_of(model),
        initial=machine.initial,
        limits=limits,
        listener=listener,
        threads=threads,
        wishes=wishes,
        checkpoint=checkpoint,
    )


def explore_in_stages(
    slow: Expander,
    faster: MakeExpander | None,
    *,
    initial: State,
    symmetries: Symmetries | None = None,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    threads: int = 1,
    wishes: ExploreOptions = DEFAULT_OPTIONS,
    checkpoint: Path | None = None,
) -> Space:
    """The states that can be reached from *initial*, within *limits*.

    With *symmetries* one state is looked at for all that are alike. An exploration that
    is kept in the folder *checkpoint* is expected to be long, and runs on the fast
    expander from the beginning.
    """

    def used(expander: Expander) -> Reduction | None:
        return None if symmetries is None else usable_reduction(symmetries, expander)

    if checkpoint is not None:
        made = slow if faster is None else faster()
        expander = slow if isinstance(made, str) else made
        by = used(expander)
        kept = Checkpoint(checkpoint, expander, by)
        states = store_for_exploring(reduced(expander, by), threads=threads, limits=limits)
        begun = _resumed(kept, states)
        return explore(
            expander,
            states,
            start=expander.pack(initial),
            limits=limits,
            listener=listener,
            threads=threads,
            wishes=wishes,
            reduction=by,
            begun=begun,
            checkpoints=kept,
        )
    is_bounded = limits.depth is not None or limits.states is not None
    switch = CompilerSwitch(faster, listener, is_bounded=is_bounded)
    began = time.monotonic()
    try:
        space = explore(
            slow,
            store.small(slow.words),
            start=slow.pack(initial),
            limits=limits,
            listener=switch.listen,
            wishes=wishes,
            reduction=used(slow),
        )
        return _with_reason(space, switch.reason)
    except _Switched as switched:
        # What was found so far is thrown away: the fast expander finds it again in no time.
        fast = switched.expander

    def on(expander: Expander) -> Space:
        by = used(expander)
        return explore(
            expander,
            store_for_exploring(reduced(expander, by), threads=threads, limits=limits),
            start=expander.pack(initial),
            limits=limits,
            listener=listener,
            threads=threads,
            wishes=wishes,
            reduction=by,
            spent=time.monotonic() - began,
        )

    return with_room(fast, on)


def _resumed(kept: Checkpoint, states: store.StateStore) -> CountedLevels | None:
    """What was kept; the order of its states is kept too, as it says how far they were followed."""
    if not isinstance(states, AdaptiveStore):
        return kept.resume(states)
    states.is_fixed = True
    try:
        return kept.resume(states)
    finally:
        states.is_fixed = False


def explore_classes(
    model: Model,
    of: Preserved,
    *,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    threads: int = 1,
    wishes: ExploreOptions = DEFAULT_OPTIONS,
    checkpoint: Path | None = None,
) -> Space:
    """The same, with one state looked at for all that the symmetries of *model* make alike."""
    machine = model.machine()
    found = model.symmetries(of)
    space = explore_in_stages(
        MachineExpander(machine),
        faster_of(model),
        initial=machine.initial,
        symmetries=found,
        limits=limits,
        listener=listener,
        threads=threads,
        wishes=wishes,
        checkpoint=checkpoint,
    )
    if space.classes is not None:
        return space
    alone = Classes(count=space.states, by_depth=space.by_depth, symmetries=1, words=found.sentence)
    return replace(space, classes=alone)


def _with_reason(space: Space, reason: str | None) -> Space:
    """*space*, which says why it was explored slowly."""
    if reason is None or space.run is None:
        return space
    run = replace(space.run, machine=f"{space.run.machine}, as nothing could be compiled: {reason}")
    return replace(space, run=run)


class _Switched(Exception):
    """A fast expander is there, so the slow exploration is over."""

    def __init__(self, expander: Expander) -> None:
        super().__init__()
        self.expander = expander


class CompilerSwitch:
    """A listener that stops an exploration as soon as a fast expander is there."""

    def __init__(
        self, faster: MakeExpander | None, listener: Listener | None, *, is_bounded: bool = True
    ) -> None:
        self._faster = faster
        self._delay = COMPILE_DELAY if is_bounded else min(COMPILE_DELAY, UNBOUNDED_COMPILE_DELAY)
        self._is_ready = faster.is_ready if isinstance(faster, ExpanderCompiler) else None
        """Asked once, as it takes a moment."""
        self._listener = listener
        self._maker: threading.Thread | None = None
        self._made: Expander | str | None = None
        self.taken: Expander | None = None
        """The fast expander, if the exploration was stopped for it."""
        self.reason: str | None = None
        """Why there is none, if that is known."""

    def __call__(self, progress: Progress, /) -> bool:
        """Take note of *progress*; whether to stop."""
        if self._listener is not None and self._listener(progress):
            return True
        if self._faster is not None and self._maker is None and self._is_time(progress.seconds):
            # Whoever has the answer before the compiler is done does not wait for it. At first
            # it gets Python for itself: code that was compiled before is there at once then.
            self._maker = threading.Thread(target=self._make, args=(self._faster,), daemon=True)
            self._maker.start()
            self._maker.join(COMPILER_ALONE)
        if isinstance(self._made, str):
            self.reason = self._made
        else:
            self.taken = self._made
        return self.taken is not None

    def listen(self, progress: Progress, /) -> bool:
        """The same for an exploration of which nothing is wanted any more when it is stopped so.

        What it may come to is not told: it would not take so long on a fast expander.
        """
        if self._faster is not None and self.reason is None:
            progress = replace(progress, estimate=None)
        is_stopped = self(progress)
        if self.taken is not None:
            raise _Switched(self.taken)
        return is_stopped

    def _is_time(self, seconds: float) -> bool:
        """Whether the exploration has taken so long that a fast expander is worth it."""
        if self._is_ready is not None and seconds > LOAD_DELAY:
            if self._is_ready():
                self._delay = min(self._delay, LOAD_DELAY)
            self._is_ready = None
        return seconds > self._delay

    def _make(self, faster: MakeExpander) -> None:
        self._made = faster()
