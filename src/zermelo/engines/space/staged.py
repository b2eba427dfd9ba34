"""Exploring without waiting for a compiler: first on a slow expander, then on a fast one.

Small spaces are done before a fast expander could have been made. When an
exploration takes longer, one is made beside it; once it is there the exploration
begins again on it, which loses little.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from zermelo.core.adapter import MachineExpander
from zermelo.core.arrays import Rows
from zermelo.core.expander import Expander, with_room
from zermelo.core.limits import UNLIMITED, Announce, Limits, Listener, Progress, Resumed
from zermelo.core.model import Model, Readiness
from zermelo.core.space import DEFAULT_OPTIONS, Classes, ExploreOptions, Space
from zermelo.core.state import State
from zermelo.core.symmetry import Preserved, Symmetries
from zermelo.engines.space import store
from zermelo.engines.space.adaptive_store import AdaptiveStore, Prove, store_for_exploring
from zermelo.engines.space.checkpoint import Checkpoint
from zermelo.engines.space.device_choice import DeviceWish, explored_somewhere
from zermelo.engines.space.device_exploration import explore_on_device, why_not
from zermelo.engines.space.exploration import explore
from zermelo.engines.space.level_counts import CountedLevels
from zermelo.engines.space.orbits.reduction import Reduction, reduced, usable_reduction
from zermelo.text import budget
from zermelo.text.budget import COMPILING, FINDING_SYMMETRIES

T = TypeVar("T")
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
    """Makes a fast expander."""

    make: MakeExpander
    is_kept: bool
    """Whether it was made before, by this run or another, and has only to be loaded."""

    def __call__(self) -> Expander | str:
        return self.make()


def faster_of(model: Model) -> ExpanderCompiler | None:
    """What makes the compiled code of *model*; ``None`` where there never is any."""
    # Asked once: whether code was kept is told by a fingerprint of the whole document.
    readiness = model.readiness()
    if readiness is Readiness.NONE:
        return None

    def made() -> Expander | str:
        expander = model.expander()
        return expander if expander.reason is None else expander.reason

    return ExpanderCompiler(made, readiness is Readiness.KEPT)


def explore_model(
    model: Model,
    *,
    alike: Preserved | None = None,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    threads: int = 1,
    wishes: ExploreOptions = DEFAULT_OPTIONS,
    checkpoint: Path | None = None,
    announce: Announce | None = None,
    device: DeviceWish = DeviceWish.CPU,
) -> Space:
    """The reachable states of *model*, within *limits*, explored where *device* says.

    One state is looked at for all that the symmetries which preserve *alike* make alike.
    """
    machine = model.machine()
    symmetries = None
    if alike is not None:
        with budget.phase(FINDING_SYMMETRIES):
            symmetries = budget.within_time(lambda: model.symmetries(alike), FINDING_SYMMETRIES)
    space = explore_in_stages(
        MachineExpander(machine),
        faster_of(model),
        initial=machine.initial,
        symmetries=symmetries,
        limits=limits,
        listener=listener,
        threads=threads,
        wishes=wishes,
        checkpoint=checkpoint,
        announce=announce,
        device=device,
        prove=model.invariants,
    )
    if symmetries is None or space.classes is not None:
        return space
    alone = Classes(
        count=space.states, by_depth=space.by_depth, symmetries=1, words=symmetries.sentence
    )
    return replace(space, classes=alone)


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
    announce: Announce | None = None,
    device: DeviceWish = DeviceWish.CPU,
    prove: Prove | None = None,
) -> Space:
    """The states that can be reached from *initial*, within *limits*.

    With *symmetries* one state is looked at for all that are alike. An exploration that
    is kept in the folder *checkpoint* is expected to be long, and runs on the fast
    expander from the beginning; if it goes on, *announce* is told from where. What *prove*
    finds out is used to number the states.
    """
    began = budget.now()

    def explored(
        expander: Expander,
        states: store.StateStore | None = None,
        *,
        heard: Listener | None = listener,
        threads: int = threads,
        spent: float = 0.0,
        kept: Checkpoint | None = None,
    ) -> Space:
        by = None if symmetries is None else usable_reduction(symmetries, expander)
        if kept is not None:
            expander = kept.open(expander, by)
        if states is None:
            states = store_for_exploring(
                reduced(expander, by), threads=threads, limits=limits, prove=prove
            )
        start = expander.pack(initial)
        space = explore(
            expander,
            states,
            start=start,
            limits=limits,
            listener=heard,
            threads=threads,
            wishes=wishes,
            reduction=by,
            begun=None if kept is None else resumed(kept, states, start, by, spent=spent),
            checkpoints=kept,
            spent=spent,
        )
        return space if kept is None else _with_resumption(space, kept.resumed)

    if checkpoint is not None:
        # The states of a device are not kept in files.
        device = DeviceWish.CPU
        with Checkpoint(checkpoint, announce) as folder:
            with budget.phase(COMPILING):
                made = slow if faster is None else budget.within_time(faster, COMPILING)
            expander = slow if isinstance(made, str) else made
            return with_room(
                expander,
                lambda each: explored(each, spent=budget.now() - began, kept=folder),
            )

    def explored_fast(expander: Expander) -> Space:
        spent = budget.now() - began
        return explored_somewhere(
            device,
            on_host=lambda heard: explored(expander, heard=heard, spent=spent),
            on_gpu=lambda on: explore_on_device(
                expander,
                on,
                start=expander.pack(initial),
                limits=limits,
                listener=listener,
                threads=threads,
                wishes=wishes,
                spent=budget.now() - began,
            ),
            why_not="symmetries are used" if symmetries else why_not(limits, wishes),
            listener=listener,
        )

    is_bounded = limits.depth is not None or limits.states is not None
    if device is DeviceWish.GPU and faster is not None:
        # Nothing but compiled code runs there.
        with budget.phase(COMPILING):
            ready = budget.within_time(faster, COMPILING)
        if not isinstance(ready, str):
            return with_room(ready, explored_fast)
    switch = CompilerSwitch(faster, listener, is_bounded=is_bounded)
    space = switch.first(
        lambda heard: explored(slow, store.small(slow.words), heard=heard, threads=1)
    )
    if isinstance(space, Taken):
        return with_room(space.expander, explored_fast)
    return _told_of_compiler(space, switch.reason, device)


def _told_of_compiler(space: Space, reason: str | None, device: DeviceWish) -> Space:
    """*space*, which the interpreter explored, with the *reason* why nothing faster did."""
    run = space.run
    if run is None:
        return space
    if device is DeviceWish.GPU:
        why = (
            "only compiled code runs there" if reason is None else f"nothing was compiled: {reason}"
        )
        run = replace(run, not_on_gpu=why)
    if reason is not None:
        run = replace(run, machine=f"{run.machine}, as nothing could be compiled: {reason}")
    return replace(space, run=run)


def resumed(
    kept: Checkpoint,
    states: store.StateStore,
    start: Rows,
    by: Reduction | None = None,
    *,
    spent: float = 0.0,
) -> CountedLevels | None:
    """What was kept, now in *states*; ``None`` if nothing was.

    The order of states is kept too, as it says how far they were followed. This run has
    *spent* so many seconds until now; those of earlier ones do not count for its limits.
    """
    if isinstance(states, AdaptiveStore):
        states.is_fixed = True
    try:
        found = kept.resume(states, start if by is None else by.one(start))
    finally:
        if isinstance(states, AdaptiveStore):
            states.is_fixed = False
    if found is not None:
        found.seconds = spent
    return found


def _with_resumption(space: Space, resumed: Resumed | None) -> Space:
    return space if space.run is None else replace(space, run=replace(space.run, resumed=resumed))


class _Switched(Exception):
    """A fast expander is there, so the slow exploration is over."""

    def __init__(self, expander: Expander) -> None:
        super().__init__()
        self.expander = expander


@dataclass(frozen=True, slots=True)
class Taken:
    """The fast expander, for which work on the slow one was stopped."""

    expander: Expander


class CompilerSwitch:
    """Stops work on a slow expander as soon as a fast one is there."""

    def __init__(
        self, faster: MakeExpander | None, listener: Listener | None, *, is_bounded: bool = True
    ) -> None:
        self._faster = faster
        self._delay = COMPILE_DELAY if is_bounded else min(COMPILE_DELAY, UNBOUNDED_COMPILE_DELAY)
        if isinstance(faster, ExpanderCompiler) and faster.is_kept:
            self._delay = min(self._delay, LOAD_DELAY)
        self._listener = listener
        self._began: float | None = None
        """When somebody first looked."""
        self._is_stopped = False
        self._maker: threading.Thread | None = None
        self._made: Expander | str | BaseException | None = None
        self.reason: str | None = None
        """Why there is no fast expander, if that is known."""

    def first(self, work: Callable[[Listener], T]) -> T | Taken:
        """What *work* gives on the slow expander, unless a fast one is there before.

        What was found so far is thrown away then: the fast expander finds it again in no time.
        The compiler is asked after also while one state is worked on, which may take long.
        """
        try:
            with budget.budget() as within:
                within.heard = self._ask
                return work(self._listen)
        except _Switched as switched:
            return Taken(switched.expander)

    def _listen(self, progress: Progress, /) -> bool:
        """Take note of *progress*; whether to stop.

        What it may come to is not told: it would not take so long on a fast expander.
        """
        if self._faster is not None and self.reason is None:
            progress = replace(progress, estimate=None)
        if self._listener is not None and self._listener(progress):
            self._is_stopped = True
            return True
        self._ask()
        return False

    def _ask(self) -> None:
        """Let a fast expander be made if this takes long; raises ``_Switched`` when it is there.

        What was asked to stop ends with what it has found, and does not begin again.
        """
        if self._is_stopped:
            return
        if self._maker is None:
            self._began = self._began or budget.now()
            if self._faster is None or budget.now() - self._began <= self._delay:
                return
            # Whoever has the answer before the compiler is done does not wait for it. At first
            # it gets Python for itself: code that was compiled before is there at once then.
            self._maker = threading.Thread(target=self._make, args=(self._faster,), daemon=True)
            self._maker.start()
            end = budget.end()
            left = COMPILER_ALONE if end is None else min(COMPILER_ALONE, end - budget.now())
            with budget.phase(COMPILING):
                self._maker.join(max(left, 0.0))
        if isinstance(self._made, BaseException):
            raise self._made
        if isinstance(self._made, str):
            self.reason = self._made
        elif self._made is not None:
            raise _Switched(self._made)

    def _make(self, faster: MakeExpander) -> None:
        """Make the fast expander, in a thread: what goes wrong is raised where one waits for it."""
        try:
            self._made = faster()
        except BaseException as error:  # noqa: BLE001 - raised again by the next who asks
            self._made = error
