"""Symmetries brought to the states of an expander."""

from __future__ import annotations

from zermelo.core.expander import Expander
from zermelo.engines.space.orbits.reduced import Reduced
from zermelo.engines.space.orbits.reduction import Reduction
from zermelo.languages.sections.symmetry.find import Symmetries


def reduction(found: Symmetries, expander: Expander) -> Reduction | None:
    """The symmetries that were *found*, for the states of *expander*; ``None`` if of no use."""
    if expander.layout is None or found.used <= 1:
        return None
    return Reduction(found.structure, found.bits, expander.layout, words=found.words)


def reduced(found: Symmetries, expander: Expander) -> Expander:
    """*expander* with the symmetries that were *found*, or itself if they are of no use."""
    used = reduction(found, expander)
    return expander if used is None else Reduced(expander, used)
