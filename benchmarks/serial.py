"""The serial part of an exploration: how much of its processor time lies outside parallel loops.

    PYTHONPATH=src python -m benchmarks.serial DOCUMENT {table,own,layers} THREADS

Threads make the moves of pieces, read and insert states, and count them; the rest (levels that
are ended, a numbering that is looked for, Python between pieces) is done by one at a time. It is
counted in processor time, so that others who use the machine change little, and that two cores
show what sixteen would wait for.
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from zermelo.api import loading
from zermelo.api.loaded import playable_model
from zermelo.core.model import Model
from zermelo.engines.space import store
from zermelo.engines.space.adaptive_store import AdaptiveStore
from zermelo.engines.space.bitmap_store import BitmapStore
from zermelo.engines.space.layered_store import LayeredStore, layered
from zermelo.engines.space.level_counts import LevelCounts, count_levels

_ROOM = 1 << 34


def made(kind: str, model: Model, threads: int) -> store.StateStore:
    """The store that was asked for."""
    expander = model.expander()
    if kind == "own":
        return AdaptiveStore(expander, threads=threads, prove=model.invariants)
    found = None
    if kind == "layers":
        found = layered(expander, model.invariants(), threads=threads, memory=_ROOM)
    if kind == "layers" and found is None:
        raise SystemExit("it has no layers: no potential was found, or there are too many numbers")
    table = store.large(expander.words, threads=threads, why="asked for", layout=expander.layout)
    return found or table


class ParallelTime:
    """The processor time that all threads spend in some methods."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()
        self._lock = threading.Lock()

    def watch(self, kind: type[Any], *names: str) -> None:
        """Time the methods of *kind* with these *names* from now on."""
        for name in names:
            setattr(kind, name, self._timed(getattr(kind, name), name))

    def _timed(self, method: Callable[..., Any], name: str) -> Callable[..., Any]:
        def timed(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - whatever the method takes
            began = time.thread_time()
            try:
                return method(*given, **named)
            finally:
                with self._lock:
                    self.spent[name] += int(1e9 * (time.thread_time() - began))

        return timed


def main() -> None:
    """Explore a document and print where the time went."""
    parser = argparse.ArgumentParser(description="Prints the serial share of an exploration.")
    parser.add_argument("document")
    parser.add_argument("store", choices=("table", "own", "layers"))
    parser.add_argument("threads", type=int)
    asked = parser.parse_args()
    model = playable_model(loading.load(asked.document))
    states = made(asked.store, model, asked.threads)
    expander = model.expander()
    parallel = ParallelTime()
    parallel.watch(type(expander), "expand")
    tables: type[Any] = type(store.large(1, threads=1, why="asked for"))
    parallel.watch(tables, "insert", "rows")
    parallel.watch(BitmapStore, "insert", "rows")
    parallel.watch(LayeredStore, "insert", "rows")
    parallel.watch(LevelCounts, "follow")
    began, spent = time.perf_counter(), time.process_time()
    start = expander.pack(model.machine().initial)
    count_levels(expander, states, start=start, threads=asked.threads)
    wall, total = time.perf_counter() - began, time.process_time() - spent
    inside = parallel.spent.total() / 1e9
    print(
        json.dumps(
            {
                "states": states.states,
                "seconds": round(wall, 3),
                "processor": round(total, 3),
                "parallel": round(inside, 3),
                "serial share": round(1 - inside / total, 3),
            }
        )
    )


if __name__ == "__main__":
    main()
