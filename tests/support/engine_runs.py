"""What every engine that runs compiled code says of a document, in figures.

    python -m tests.support.engine_runs [--checked] document …

prints them as JSON, one line a document; *--checked*, all code runs under the checker.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import ExitStack
from unittest import mock

from zermelo.api import loading
from zermelo.api.loaded import playable_model
from zermelo.core.expander import Expander, with_room
from zermelo.core.limits import Limits
from zermelo.core.model import Model
from zermelo.core.space import ExploreOptions, Space
from zermelo.core.state import State
from zermelo.engines.graph import components
from zermelo.engines.graph.build import graph_of
from zermelo.engines.search.mcts import think
from zermelo.engines.search.playouts import playouts
from zermelo.engines.search.search import AlphaBetaSearch, SearchLimits
from zermelo.engines.solve import levels
from zermelo.engines.solve.solve import lacking, solve, usable
from zermelo.engines.space.adaptive_store import AdaptiveStore
from zermelo.engines.space.exploration import explore
from zermelo.engines.space.orbits.reduction import Reduction
from zermelo.engines.space.store import StateStore, store_for
from zermelo.fast import checked

Figures = dict[str, object]

DEPTH = 3
STATES = 6_000


def figures(document: str) -> Figures:
    """The figures of the engines on the compiled code of *document*, within small limits."""
    model = playable_model(loading.load(document))
    initial = model.machine().initial
    with ExitStack() as stack:
        # All loops are compiled, however few states there are.
        stack.enter_context(mock.patch.object(levels, "MANY", 0))
        stack.enter_context(mock.patch.object(components, "MANY", 0))
        return with_room(
            model.expander(), lambda expander: dict(_figures(model, expander, initial))
        )


def _figures(model: Model, expander: Expander, initial: State) -> Iterator[tuple[str, object]]:
    yield "runs", expander.note
    alike = usable(model, expander, is_urgent=True)
    yield from _explored(expander, initial, alike)
    yield from _solved(expander, initial, alike)
    graph = graph_of(expander, initial, limits=Limits(states=STATES, depth=_depth(expander) + 1))
    turned = graph.arcs.turned()
    yield "graph", [len(graph.arcs.targets), len(graph.sizes), int(turned.offsets.sum())]
    yield from _searched(expander, initial)


def _depth(expander: Expander) -> int:
    """How deep to go: where no kernel is compiled, there is little to see, and it takes long."""
    return DEPTH if expander.native is not None else 1


def _explored(
    expander: Expander, initial: State, alike: Reduction | None
) -> Iterator[tuple[str, object]]:
    limits = Limits(depth=_depth(expander), states=20 * STATES)
    wishes = ExploreOptions(rules=True)
    start = expander.pack(initial)

    def space(store: StateStore, threads: int, reduction: Reduction | None = None) -> Space:
        return explore(
            expander,
            store,
            start=start,
            limits=limits,
            threads=threads,
            wishes=wishes,
            reduction=reduction,
        )

    for threads in (1, 2):
        found = space(store_for(expander, threads=threads), threads)
        counts = [found.states, found.moves, list(found.by_depth), list(found.over_by_depth)]
        yield f"explored by {threads}", counts
    found = space(AdaptiveStore(expander, threads=2, many=100), 2)
    yield "explored into bitmaps", [found.states, list(found.by_depth)]
    if alike is not None:
        found = space(store_for(expander, threads=2), 2, alike)
        yield "explored by symmetry", [found.states, found.classes and found.classes.count]


def _solved(
    expander: Expander, initial: State, alike: Reduction | None
) -> Iterator[tuple[str, object]]:
    if lacking(expander.signature) is not None or expander.native is None:
        return
    first = expander.pack(initial)
    for reduction in dict.fromkeys((None, alike)):
        found = solve(expander, first, limits=Limits(states=STATES), threads=2, reduction=reduction)
        yield f"solved, {reduction is not None}", [found.cut, str(found.counted), found.stuck]


def _searched(expander: Expander, initial: State) -> Iterator[tuple[str, object]]:
    count = 5 if expander.native is None else 100
    played = playouts(expander, initial, count=count, longest=200, threads=2)
    yield "played", [played.count, played.plies, played.longest]
    if len(expander.signature.players) == 2 and expander.native is not None:
        search = AlphaBetaSearch(expander, memory=1 << 16)
        found = search.find(initial, effort=SearchLimits(depth=3, nodes=20_000))
        yield "searched", [str(found.move), str(found.proof)]
        thought = think(expander, initial, effort=SearchLimits(nodes=100), seed=1)
        yield "thought", [thought.plays, len(thought.moves)]


def main() -> None:
    """Print the figures of the documents that are named."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--checked", action="store_true")
    parser.add_argument("documents", nargs="+")
    options = parser.parse_args()
    if options.checked:
        checked.turn_on()
    for document in options.documents:
        print(json.dumps({document: figures(document)}), flush=True)  # noqa: T201 - for tests


if __name__ == "__main__":
    main()
