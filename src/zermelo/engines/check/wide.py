"""What every reachable state shows, on compiled code, where the interpreter has seen only some.

States that are alike by the text of the rules are looked at once: what one of them shows, and
which rules fire in it, holds for all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from zermelo.core.expander import MOST_CLAIMS
from zermelo.core.limits import Limits, Listener, asked
from zermelo.core.machine import Machine
from zermelo.core.model import Model, Readiness
from zermelo.core.observation import BrokenInvariant, Checkup, PlayEnd
from zermelo.core.space import ClaimBroken, ExploreOptions, FaultFound, Space
from zermelo.core.symmetry import Preserved
from zermelo.engines.check.check import results_of
from zermelo.engines.space.staged import explore_model
from zermelo.text.budget import LimitReached
from zermelo.text.errors import UsageError


def is_worth_it(model: Model, checkup: Checkup) -> bool:
    """Whether states of *model* are left that compiled code could look at.

    Where a state has more moves than can be listed, it could list them no better.
    """
    is_sections = model.why_no_symmetries() is None
    return is_sections and not checkup.is_complete and model.readiness() is not Readiness.NONE


def look_wide(
    model: Model,
    checkup: Checkup,
    *,
    limits: Limits,
    listener: Listener | None = None,
    threads: int = 1,
) -> Checkup:
    """*checkup* with what is shown by all states that are reached within *limits*."""
    try:
        with asked(limits) as within:
            wide = explore_model(
                model,
                alike=Preserved.TEXT,
                limits=within,
                listener=listener,
                threads=threads,
                wishes=ExploreOptions(rules=True, claims=bool(model.signature.claims)),
            )
    except (UsageError, LimitReached):
        # States have no room in packed ones, or the time was over before any was followed: what
        # the interpreter saw is what is known.
        return checkup
    if wide.states <= checkup.space.states and not wide.is_complete:
        return checkup
    reached = results_of(ending.outcome for ending in wide.endings)
    fires = wide.fires or {}
    return replace(
        checkup,
        wide=wide,
        faults=_joined(checkup.faults, wide.faults),
        broken=_broken(model.machine(), checkup.broken, wide.broken),
        has_seen_all_claims=wide.is_complete
        and (wide.broken is not None or not model.signature.claims)
        and len(model.signature.claims) <= MOST_CLAIMS,
        stuck=checkup.stuck or _stuck(model.machine(), wide),
        never_fired=tuple(rule for rule in checkup.never_fired if not fires.get(rule, False)),
        never_reached=tuple(value for value in checkup.never_reached if value not in reached),
        has_end=checkup.has_end or bool(wide.endings),
        has_seen_all_rules=wide.is_complete and fires.keys() >= set(model.signature.rules),
    )


def _joined(first: Iterable[FaultFound], more: Iterable[FaultFound]) -> tuple[FaultFound, ...]:
    found = {each.fault: each for each in first}
    for each in more:
        found.setdefault(each.fault, each)
    return tuple(found.values())


def _broken(
    machine: Machine,
    near: tuple[BrokenInvariant, ...],
    wide: tuple[ClaimBroken, ...] | None,
) -> tuple[BrokenInvariant, ...]:
    """Where claims are broken, with the counts of all states where these were looked at."""
    found = {each.invariant: each for each in near}
    for each in wide or ():
        fault = machine.broken(each.state).get(each.claim)
        made = BrokenInvariant(each.claim, each.state, fault, each.play, each.count)
        known = found.get(each.claim)
        found[each.claim] = made if known is None else replace(known, count=each.count)
    return tuple(found.values())


def _stuck(machine: Machine, wide: Space) -> PlayEnd | None:
    found = wide.stuck
    if found is None or found.state is None or machine.faults(found.state):
        return None
    return PlayEnd(found.state, None, found.play)
