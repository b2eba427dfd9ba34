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

from zermelo.core.expander import Expander, with_room
from zermelo.core.listed import Listed
from zermelo.core.machine import State
from zermelo.core.progress import Listener, Progress
from zermelo.core.space import NOTHING_MORE, Classes, Space, Wishes
from zermelo.core.walk import UNLIMITED, Limits
from zermelo.engines.space import store
from zermelo.engines.space.adaptive import Adaptive, store_for_exploring
from zermelo.engines.space.checkpoint import Checkpoint
from zermelo.engines.space.exploration import explore
from zermelo.engines.space.orbits.use import reduced
from zermelo.engines.space.survey import Survey
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry.find import Of, symmetries

PATIENCE: Final = 0.4
"""Seconds after which an exploration on the interpreter is worth a faster machine."""

HASTE: Final = 0.05
"""The same where nothing bounds the exploration, so that it may well be long."""
READINESS: Final = 0.02
"""The same where the faster machine was made before, and has only to be loaded."""
HEAD_START: Final = 0.5
"""Seconds for which the exploration makes room for whoever makes it."""

Faster: TypeAlias = Callable[[], Expander | str]
"""What makes a fast expander, or says why there can be none."""


@dataclass(frozen=True, slots=True)
class Maker:
    """A ``Faster`` that knows whether its expander was made before, by this run or another."""

    make: Faster
    is_ready: Callable[[], bool]

    def __call__(self) -> Expander | str:
        """The fast expander, or why there can be none."""
        return self.make()


def explore_in_stages(
    slow: Expander,
    faster: Faster | None,
    *,
    initial: State,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    threads: int = 1,
    wishes: Wishes = NOTHING_MORE,
    checkpoint: Path | None = None,
) -> Space:
    """The states that can be reached from *initial*, within *limits*.

    An exploration that is kept in the folder *checkpoint* is expected to be long, and
    runs on the fast expander from the beginning.
    """
    if checkpoint is not None:
        made = slow if faster is None else faster()
        expander = slow if isinstance(made, str) else made
        kept = Checkpoint(checkpoint, expander)
        states = store_for_exploring(expander, threads=threads, limits=limits)
        begun = _resumed(kept, states)
        return explore(
            expander,
            states,
            start=expander.pack(initial),
            limits=limits,
            listener=listener,
            threads=threads,
            wishes=wishes,
            begun=begun,
            keeper=kept,
        )
    is_bounded = limits.depth is not None or limits.states is not None
    switch = Switch(faster, listener, haste=not is_bounded)
    began = time.monotonic()
    try:
        space = explore(
            slow,
            store.small(slow.words),
            start=slow.pack(initial),
            limits=limits,
            listener=switch.listen,
            wishes=wishes,
        )
        return _with_reason(space, switch.reason)
    except _Switched as switched:
        # What was found so far is thrown away: the fast expander finds it again in no time.
        fast = switched.expander
    return with_room(
        fast,
        lambda expander: explore(
            expander,
            store_for_exploring(expander, threads=threads, limits=limits),
            start=expander.pack(initial),
            limits=limits,
            listener=listener,
            threads=threads,
            wishes=wishes,
            spent=time.monotonic() - began,
        ),
    )


def _resumed(kept: Checkpoint, states: store.Store) -> Survey | None:
    """What was kept; the order of its states is kept too, as it says how far they were followed."""
    if not isinstance(states, Adaptive):
        return kept.resume(states)
    states.is_fixed = True
    try:
        return kept.resume(states)
    finally:
        states.is_fixed = False


def with_symmetries(
    machine: Interpreter,
    of: str,
    faster: Faster | None,
    *,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    threads: int = 1,
    wishes: Wishes = NOTHING_MORE,
    checkpoint: Path | None = None,
) -> Space:
    """The same, with one state looked at for all that the symmetries of *machine* make alike.

    *of* is ``turn`` or ``text``: what the symmetries leave as it is.
    """
    found = symmetries(machine, Of(of))

    def quicker() -> Expander | str:
        made = "" if faster is None else faster()
        return made if isinstance(made, str) else reduced(found, made)

    quick: Faster = Maker(quicker, faster.is_ready) if isinstance(faster, Maker) else quicker
    space = explore_in_stages(
        reduced(found, Listed(machine)),
        None if faster is None else quick,
        initial=machine.initial,
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


class Switch:
    """A listener that stops an exploration as soon as a fast expander is there."""

    def __init__(
        self, faster: Faster | None, listener: Listener | None, *, haste: bool = False
    ) -> None:
        self._faster = faster
        self._patience = min(PATIENCE, HASTE) if haste else PATIENCE
        self._is_ready = faster.is_ready if isinstance(faster, Maker) else None
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
            self._maker.join(HEAD_START)
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
        if self._is_ready is not None and seconds > READINESS:
            if self._is_ready():
                self._patience = min(self._patience, READINESS)
            self._is_ready = None
        return seconds > self._patience

    def _make(self, faster: Faster) -> None:
        self._made = faster()
