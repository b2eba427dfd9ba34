"""Work on the markings of a net, begun again with more room each time one does not fit.

A net that is found to be unbounded in between would never be done.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from zermelo.core.expander import Expander, TooNarrow, with_room
from zermelo.core.listed import Listed
from zermelo.core.machine import Machine
from zermelo.core.progress import Listener, Progress
from zermelo.core.walk import UNLIMITED, Limits
from zermelo.languages.nets.unbounded import FEW, MANY, Pumping, pumping

T = TypeVar("T")


def unless_endless(
    machine: Machine,
    expander: Expander,
    work: Callable[[Expander], T],
    *,
    is_bounded: bool,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
) -> T | Pumping:
    """What *work* gives on *expander* or a wider one, or what shows that the net is unbounded.

    That is not looked for if *is_bounded*, nor longer than *limits* and *listener* allow.
    """
    look = partial(
        pumping, machine, is_enough=partial(_is_enough, time.monotonic(), limits, listener)
    )
    most = FEW
    found = None if is_bounded else look(most=most)
    while found is None:
        try:
            return work(expander)
        except TooNarrow as narrow:
            if not is_bounded and most < MANY:
                most = min(4 * most, MANY)
                found = look(most=most)
            expander = runs(machine, narrow.wider())
    return found


def with_any_room(machine: Machine, expander: Expander, work: Callable[[Expander], T]) -> T:
    """What *work* gives on *expander* or a wider one, at last on the token game."""
    return with_room(expander, work, wider=lambda narrow: runs(machine, narrow.wider()))


def runs(machine: Machine, made: Expander | str) -> Expander:
    """What was *made*, or the token game, which says why there is nothing faster."""
    return Listed(machine, f"the token game, as {made}") if isinstance(made, str) else made


def _is_enough(began: float, limits: Limits, listener: Listener | None, states: int) -> bool:
    seconds = time.monotonic() - began
    if limits.seconds is not None and seconds > limits.seconds:
        return True
    told = Progress(depth=0, states=states, frontier=0, seconds=seconds, bytes=0, estimate=None)
    return listener is not None and bool(listener(told))
