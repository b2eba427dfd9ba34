"""Whether two models are the same on moves and outcomes; if not, after which shortest play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from zermelo.core.adapter import MachineExpander
from zermelo.core.expander import Expander, offered
from zermelo.core.limits import UNLIMITED, Limits, Listener, why_stopped
from zermelo.core.model import Model, Readiness
from zermelo.core.signature import Signature
from zermelo.engines.compare.alignment import UNALIGNED, Alignment
from zermelo.engines.compare.comparison import Comparison
from zermelo.engines.compare.product import SeveralResults, by_pairs
from zermelo.engines.compare.refinement import refined
from zermelo.engines.compare.sides import Shared, Side, SideTooNarrow
from zermelo.text import budget
from zermelo.text.budget import LimitReached

_NEAR: Final = 100
"""So many pairs are compared on the machines themselves before anything is compiled."""


def compare_models(
    first: Model,
    second: Model,
    *,
    alignment: tuple[Alignment, Alignment] = (UNALIGNED, UNALIGNED),
    moves_only: bool = False,
    first_only: bool = False,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
) -> Comparison:
    """*first* beside *second*, within *limits*.

    With *moves_only* who wins and who is in turn is not compared; with *first_only* it ends at
    the first difference.
    """
    models = (first, second)
    unsaid = None if moves_only else _unsaid(first.signature, second.signature)
    has_outcomes = not moves_only and unsaid is None

    def compared(expanders: tuple[Expander, Expander], within: Limits) -> Comparison:
        return _compared(
            models,
            expanders,
            alignment,
            limits=within,
            listener=listener,
            has_outcomes=has_outcomes,
            first_only=first_only,
        )

    found = Comparison(
        names=(first.signature.name, second.signature.name),
        positions=0,
        by_depth=(),
        contrasts=(),
        is_first_only=first_only,
    )
    try:
        near = _near(models, limits)
        if near is not None:
            slow = (MachineExpander(first.machine()), MachineExpander(second.machine()))
            found = compared(slow, near)
        if near is None or (near != limits and found.cut is not None and found.positions >= _NEAR):
            with budget.phase(budget.COMPILING):
                fast = [budget.within_time(each.expander, budget.COMPILING) for each in models]
            found = compared((fast[0], fast[1]), limits)
    except LimitReached as stop:
        found = replace(found, cut=why_stopped(stop, limits))
    return replace(found, unsaid=unsaid)


def _near(models: tuple[Model, Model], limits: Limits) -> Limits | None:
    """How far the machines themselves are asked first; ``None`` where that would gain nothing."""
    if all(each.readiness() is Readiness.NONE for each in models):
        return None
    is_far = limits.states is None or limits.states > _NEAR
    return replace(limits, states=_NEAR) if is_far else limits


def _unsaid(first: Signature, second: Signature) -> str | None:
    """What cannot be compared as one of the two does not say who plays."""
    if bool(first.players) == bool(second.players):
        return None
    silent = second if first.players else first
    return f"{silent.name} does not say who plays, so only moves were compared"


def _compared(
    models: tuple[Model, Model],
    expanders: tuple[Expander, Expander],
    alignment: tuple[Alignment, Alignment],
    *,
    limits: Limits,
    listener: Listener | None,
    has_outcomes: bool,
    first_only: bool,
) -> Comparison:
    first, second = (each.machine().initial for each in models)
    work: Callable[..., Comparison] = by_pairs
    while True:
        shared = Shared.of(compares_outcomes=has_outcomes)
        one, other = (
            Side(expander, said, shared)
            for expander, said in zip(expanders, alignment, strict=True)
        )
        try:
            return work((one, other), (first, second), limits, listener, first_only=first_only)
        except SeveralResults:
            work = refined
        except SideTooNarrow as stop:
            wide = offered(stop.narrow)
            expanders = (wide, expanders[1]) if stop.side is one else (expanders[0], wide)
