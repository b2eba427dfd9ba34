"""Exploring on a device: the same counts as on the host, level by level.

Each launch follows a part of a level, so that none runs for long; between launches the clock is
looked at, and whoever listens is told. Plays are traced afterwards by the host, which asks the
device for the levels of states; of small spaces it gets all states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from zermelo.core.arrays import Numbers, Rows
from zermelo.core.expander import Expander
from zermelo.core.limits import (
    INTERRUPTED,
    UNLIMITED,
    Limits,
    Listener,
    Progress,
    by_clock,
    out_of_time,
)
from zermelo.core.signature import RuleName
from zermelo.core.space import DEFAULT_OPTIONS, ExploreOptions, Space
from zermelo.engines.space import device_loops as loops
from zermelo.engines.space.device_store import SLOTS, DeviceStore, Followed, NotOnDevice
from zermelo.engines.space.exploration import STATES_TO_PEEL, SpaceReport
from zermelo.engines.space.level_counts import CountedLevels, LevelCounts, least
from zermelo.engines.space.store import StateStore, store_for
from zermelo.fast.device import Device, DeviceFailed
from zermelo.text import budget
from zermelo.text.budget import EXPLORING, TRACING

_FIRST_BUDGET: Final = 64
"""How many states each thread follows in the first launch of a level,"""
_SECONDS_A_LAUNCH: Final = 0.25
"""and as many more later as take about so long."""
_MOST_TIMES: Final = 4
_MOST_BUDGET: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class OnDevice:
    """A device that explores, and why it does."""

    device: Device
    reason: str
    slots: int | None = None
    """How many slots the table has at first, if that is not left to the exploration."""


def why_not(limits: Limits, wishes: ExploreOptions) -> str | None:
    """Why a device does not do what is asked for; ``None`` where it does."""
    if limits.states is not None or limits.depth is not None:
        return "a limit of states or of depth was given"
    if wishes.complete_plays:
        return "complete plays are to be counted"
    return None


def explore_on_device(
    expander: Expander,
    on: OnDevice,
    *,
    start: Rows,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    threads: int = 1,
    wishes: ExploreOptions = DEFAULT_OPTIONS,
    spent: float = 0.0,
) -> Space:
    """The states that can be reached from *start*; raises ``NotOnDevice`` if the host has to.

    The host traces plays, by so many *threads*.
    """
    reason = why_not(limits, wishes)
    if reason is not None:
        raise NotOnDevice(reason)
    if limits.began is None:
        limits = replace(limits, began=budget.now())
    try:
        with budget.phase(EXPLORING):
            store = DeviceStore(
                on.device,
                expander,
                rules=wishes.rules,
                slots=SLOTS if on.slots is None else on.slots,
            )
            sweep = DeviceSweep(expander, store, limits=limits, listener=listener, spent=spent)
            found = sweep.run(start)
            told: StateStore = store
            if store.states <= STATES_TO_PEEL:
                told = _on_host(expander, store, threads)
        report = SpaceReport(
            expander, told, found, start, None, limits, listener, fired_before=sweep.fired
        )
        with budget.phase(TRACING), budget.budget(until=limits.last, is_last=True):
            space = report.space(wishes, threads)
    except DeviceFailed as failure:
        raise NotOnDevice(str(failure)) from failure
    run = space.run
    assert run is not None, "it is always told how an exploration was done"
    machine = f"{run.machine} on {on.device.name}, {on.reason}"
    run = replace(run, machine=machine, store=store.note, bytes=store.bytes)
    store.free()
    return replace(space, run=run)


def _on_host(expander: Expander, store: DeviceStore, threads: int) -> StateStore:
    """The states of *store* in the memory of the host, where they are asked for much faster."""
    host = store_for(expander, threads=threads)
    for rows in store.levels_and_rows():
        host.insert(rows)
        host.seal()
    return host


class DeviceSweep:
    """One exploration on a device while it runs."""

    def __init__(
        self,
        expander: Expander,
        store: DeviceStore,
        *,
        limits: Limits = UNLIMITED,
        listener: Listener | None = None,
        spent: float = 0.0,
    ) -> None:
        self._expander = expander
        self._store = store
        self._limits = limits
        self._listener = listener
        self._began = budget.now() - spent
        self._found = CountedLevels(seconds=spent)
        self._fired = np.zeros(store.code.rules, dtype=np.int64)
        self._budget = _FIRST_BUDGET
        self.launches = 0
        self.longest_launch = 0.0
        self.device_seconds = 0.0
        """What all launches that follow states took together."""

    @property
    def fired(self) -> Mapping[RuleName, int] | None:
        """In how many moves each rule fired, if that was counted."""
        if not self._store.code.rules or self._found.cut is not None:
            return None
        return dict(zip(self._expander.rules, self._fired.tolist(), strict=True))

    def run(self, start: Rows) -> CountedLevels:
        """Follow one level after another until nothing is new, or the time is over."""
        found, store = self._found, self._store
        store.start(start)
        places = 1
        while True:
            counts = LevelCounts()
            found.levels.append(counts)
            new, places = self._level(places, counts)
            store.seal_level(new)
            if not new or found.cut is not None:
                break
            found.full_depth += 1
        if found.cut is not None and new:
            found.levels.append(LevelCounts())
            self._judge(places, found.levels[-1], is_fresh=True)
        found.seconds = budget.now() - self._began
        return found

    def _level(self, places: int, counts: LevelCounts) -> tuple[int, int]:
        """Follow a level; how many states are new, and the places of the queue that they take.

        Where the time is over, the states that are left are only judged.
        """
        new = taken = 0
        is_fresh, is_left, is_inserted = True, True, True
        while is_left or not is_inserted:
            if is_inserted and self.launches and self._is_asked_to_stop(new):
                self._judge(places, counts, is_fresh=is_fresh)
                break
            limit = self._limit(new, taken)
            fields = {loops.IS_FRESH: int(is_fresh), loops.LIMIT: limit, loops.TAKEN: taken}
            got = self._launch(places, counts, fields, expands=is_inserted)
            if is_inserted:
                is_fresh, is_left = False, bool(got.counts[loops.LEFT])
            is_inserted = not got.counts[loops.LEFT_TO_INSERT]
            new += int(got.counts[loops.NEW])
            taken = min(got.taken, limit)
        return new, taken

    def _judge(self, places: int, counts: LevelCounts, *, is_fresh: bool) -> None:
        """Count the endings among states that were reached and are not followed."""
        is_left = True
        while is_left:
            fields = {loops.IS_FRESH: int(is_fresh), loops.ONLY_JUDGES: 1}
            got = self._launch(places, counts, fields)
            is_left, is_fresh = bool(got.counts[loops.LEFT]), False

    def _launch(
        self, places: int, counts: LevelCounts, fields: dict[int, int], *, expands: bool = True
    ) -> Followed:
        """Launch once, take in what was counted, and choose how much the next launch does."""
        got = self._store.follow(
            places,
            {
                loops.LEVEL: len(self._store.by_depth) + 1,
                loops.IS_GRADED: int(self._found.is_graded),
                loops.BUDGET: self._budget,
                **fields,
            },
            expands=expands,
        )
        self._take_in(counts, got.counts, got.faulty)
        self.launches += 1
        self.device_seconds += got.seconds
        self.longest_launch = max(self.longest_launch, got.seconds)
        if got.seconds > 2 * _SECONDS_A_LAUNCH:
            self._budget = max(1, int(self._budget * _SECONDS_A_LAUNCH / got.seconds))
        elif got.seconds < _SECONDS_A_LAUNCH / _MOST_TIMES and self._budget < _MOST_BUDGET:
            self._budget *= 2
        return got

    def _limit(self, new: int, taken: int) -> int:
        """How many places of the queue may be taken until something has to become larger."""
        store = self._store
        # What all threads take at once, and may not need.
        air = loops.HANDFUL * store.insert_threads
        if store.room_left(new) <= air:
            store.grow()
        if store.queue_rows <= taken + air:
            # A little at a time, as this is what the memory of large spaces depends on.
            store.extend_queue(store.queue_rows + taken // 128 + 1)
        most = min(store.queue_rows, taken + store.room_left(new))
        return most // loops.HANDFUL * loops.HANDFUL

    def _take_in(self, counts: LevelCounts, tally: Numbers, faulty: int) -> None:
        if tally[loops.IS_UNSURE]:
            raise NotOnDevice("only the interpreter can follow some states")
        if tally[loops.IS_ODD]:
            raise NotOnDevice("all bits of a word are set in some states")
        counts.followed += int(tally[loops.FOLLOWED])
        counts.moves += int(tally[loops.MOVES])
        counts.earlier += int(tally[loops.EARLIER])
        code = self._store.code
        buckets = tally[loops.TALLIES : loops.TALLIES + code.buckets]
        for bucket in np.flatnonzero(buckets).tolist():
            outcome, player = divmod(bucket, code.players + 1)
            if outcome:
                counts.over += Counter({outcome - 1: int(buckets[bucket])})
            else:
                counts.stuck += Counter({player - 1: int(buckets[bucket])})
        if faulty:
            counts.faulty += faulty
            rows = [tuple(row) for row in self._store.faulty_rows(faulty).tolist()]
            counts.faulty_rows = least(counts.faulty_rows + rows)
        self._fired += tally[loops.TALLIES + code.buckets :]

    def _is_asked_to_stop(self, new: int) -> bool:
        """Look at the clock and tell whoever listens; whether to stop, which is noted."""
        limits, store = self._limits, self._store
        left = limits.time_left()
        if left is not None and left < 0:
            self._found.cut = out_of_time(limits)
        elif self._listener is not None:
            told = Progress(
                depth=self._found.full_depth,
                states=store.states + new,
                frontier=store.by_depth[-1] + new,
                seconds=budget.now() - self._began,
                bytes=store.bytes,
                estimate=by_clock(limits),
            )
            if self._listener(told):
                self._found.cut = INTERRUPTED
        return self._found.cut is not None
