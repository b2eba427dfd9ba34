"""Tokens counted in packed markings, more of them than are counted at a time."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.understood import net_of
from zermelo.api import loading
from zermelo.core.state import State
from zermelo.languages.nets.compile.kernel import AT_ONCE, NetKernel, kernel
from zermelo.languages.nets.run.bags import Bag

NET = """
#place black mk(5<..>)
#place few lo(<.0.>) hi(<.2.>)
#place many
#place one lo(<.1.>) hi(<.40.>) mk(<.1..40.>)
#trans t
out { few: <.0.>; many: <.1.>; }
#endtr
"""
"""A counter, three counters, slots, and forty bits."""


@pytest.mark.parametrize("is_compiled", [True, False])
@pytest.mark.parametrize("count", [0, 1, AT_ONCE, AT_ONCE + 1])
def test_every_marking_is_looked_at(*, is_compiled: bool, count: int) -> None:
    net = net_of(loading.load_text(NET, name="test.net"))
    made = kernel(net, compiled=is_compiled)
    assert isinstance(made, NetKernel)
    names = tuple(place.name for place in net.places)
    usual = State((Bag((((), 2),)), Bag((((1,), 3),)), Bag(), Bag((((7,), 1),))), names)
    last = State(
        (Bag(), Bag((((0,), 1), ((2,), 1))), Bag((((-3,), 2), ((5,), 4))), Bag((((40,), 1),))),
        names,
    )
    rows = np.array([made.pack(usual)] * (count - 1) + [made.pack(last)] * (count > 0))
    rows = rows.reshape(count, made.words)

    assert made.tokens(rows)[-1:].tolist() == ([[0, 2, 6, 1]] if count else [])
    assert made.most_tokens(rows) == ((6, 9) if count else (0, 0))
