"""Work on the markings of a net, begun again with more room each time one does not fit.

A net that is found to be unbounded in between would never be done.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from zermelo.core.expander import Expander, TooNarrow
from zermelo.core.listed import Listed
from zermelo.core.machine import Machine
from zermelo.engines.nets.unbounded import FEW, Pumping, pumping

T = TypeVar("T")


def unless_endless(
    machine: Machine, expander: Expander, work: Callable[[Expander], T], *, is_bounded: bool
) -> T | Pumping:
    """What *work* gives on *expander* or a wider one, or what shows that the net is unbounded.

    That is not looked for if *is_bounded*.
    """
    most = FEW
    found = None if is_bounded else pumping(machine)
    while found is None:
        try:
            return work(expander)
        except TooNarrow as narrow:
            most *= 4
            found = None if is_bounded else pumping(machine, most=most)
            expander = _wider(machine, narrow)
    return found


def with_any_room(machine: Machine, expander: Expander, work: Callable[[Expander], T]) -> T:
    """What *work* gives on *expander* or a wider one, at last on the token game."""
    while True:
        try:
            return work(expander)
        except TooNarrow as narrow:
            expander = _wider(machine, narrow)


def _wider(machine: Machine, narrow: TooNarrow) -> Expander:
    made = narrow.wider()
    return Listed(machine, f"the token game, as {made}") if isinstance(made, str) else made
