"""The markings that a net can reach, counted: as many as there are, and the most tokens.

Goes in an expander that may have too little room for some marking; begins again on a
wider one then. A net that is found to be unbounded is not explored to the end, for
there is none.
"""

from __future__ import annotations

import time
from typing import Final

import numpy as np

from zermelo.core.expander import Expander
from zermelo.core.machine import Machine
from zermelo.core.progress import Listener
from zermelo.core.walk import UNLIMITED, Limits
from zermelo.engines.space.adaptive import store_for_exploring
from zermelo.engines.space.store import Store
from zermelo.engines.space.survey import Survey, survey
from zermelo.languages.nets.answers import StateSpace
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.tokens import first_fault, most_tokens
from zermelo.languages.nets.unbounded import Pumping
from zermelo.languages.nets.widening import unless_endless

_COUNTED: Final = 1 << 16
"""Markings whose tokens are counted in one go."""


def state_space(
    machine: Machine,
    expander: Expander,
    *,
    is_bounded: bool,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    threads: int = 1,
) -> StateSpace:
    """The markings of *machine*, found on *expander*; *is_bounded* if its form shows that it is."""
    began = time.monotonic()

    def count(expander: Expander) -> StateSpace:
        store = store_for_exploring(expander, threads=threads, limits=limits)
        counted = survey(
            expander,
            store,
            start=expander.pack(machine.initial),
            limits=limits,
            listener=listener,
            threads=threads,
            spent=time.monotonic() - began,
        )
        return _counted(expander, store, counted, threads=threads, began=began)

    found = unless_endless(
        machine, expander, count, is_bounded=is_bounded, limits=limits, listener=listener
    )
    return _endless(machine, found, began) if isinstance(found, Pumping) else found


def _counted(
    expander: Expander, store: Store, counted: Survey, *, threads: int, began: float
) -> StateSpace:
    levels = range(len(store.by_depth))
    pieces = [piece for level in levels for piece in store.pieces(level, _COUNTED)]
    in_a_place, in_a_marking = most_tokens(expander, store.rows, pieces, threads=threads)
    return StateSpace(
        states=store.states,
        arcs=sum(level.moves for level in counted.levels),
        by_depth=tuple(store.by_depth),
        terminal=sum(level.stuck.total() for level in counted.levels),
        most_in_a_place=in_a_place,
        most_in_a_marking=in_a_marking,
        unbounded=None,
        cut=counted.cut,
        seconds=time.monotonic() - began,
        machine=expander.note,
        bytes=store.bytes,
        faulty=sum(level.faulty for level in counted.levels),
        fault=_first_fault(expander, counted),
    )


def _first_fault(expander: Expander, counted: Survey) -> str | None:
    rows = [row for level in counted.levels for row in level.faulty_rows[:1]]
    return first_fault(expander, np.array(rows[0], dtype=np.int64)) if rows else None


def _endless(machine: Machine, found: Pumping, began: float) -> StateSpace:
    sizes = [len(bag) for bag in machine.initial.values if isinstance(bag, Bag)]
    return StateSpace(
        states=1,
        arcs=0,
        by_depth=(1,),
        terminal=0,
        most_in_a_place=max(sizes, default=0),
        most_in_a_marking=sum(sizes),
        unbounded=found,
        cut="the net is unbounded",
        seconds=time.monotonic() - began,
        machine="the token game",
        bytes=0,
    )
