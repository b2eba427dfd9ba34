"""How fast a GPU explores beside all cores of its machine: `python -m benchmarks.gpu`.

Measured is the exploration alone, from the first state on the device to all counts on the host, in
a table that is cleared; what is compiled and linked before does not count. The median of some runs
is told, and beside it what the cores of the machine take for the same with their own table.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from zermelo.api.loading import load
from zermelo.core.expander import Expander
from zermelo.engines.space.device_exploration import DeviceSweep
from zermelo.engines.space.device_store import DeviceStore
from zermelo.engines.space.level_counts import CountedLevels, count_levels
from zermelo.engines.space.store import store_for
from zermelo.fast import cuda

DOCUMENTS = Path(__file__).parent / "documents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A document with its figures, and the least that a GPU is to do."""

    name: str
    document: str
    states: int
    moves: int | None
    bar: float
    """Millions of states a second."""
    slots: int
    rules: bool = False
    cards: int | None = None
    """What `n` is defined to be, where it is."""
    most_bytes: float | None = None
    """The most bytes that a state may take."""


CASES = (
    Case(name="pegs", document="pegs", states=16_183_522, moves=None, bar=900, slots=1 << 25),
    Case(
        name="pegs, with fired rules",
        document="pegs",
        states=16_183_522,
        moves=None,
        bar=0,
        slots=1 << 25,
        rules=True,
    ),
    # Kanban with n cards: the Model Checking Contest counts as many.
    Case(
        name="kanban, 8 cards",
        document="kanban.net",
        states=133_865_325,
        moves=None,
        bar=200,
        slots=1 << 28,
        cards=8,
    ),
    Case(
        name="connect four, 5 rows and 6 columns",
        document="connect-four-5x6.md",
        states=2_818_972_642,
        moves=None,
        bar=600,
        slots=1 << 32,
        most_bytes=16,
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What some runs took, and how they were done."""

    name: str
    states: int
    moves: int
    depth: int
    seconds: float
    """The median."""
    all_seconds: tuple[float, ...]
    clearing: float
    rate: float
    """Millions of states a second."""
    bar: float
    bytes_a_state: float
    launches: int
    longest_launch: float
    registers: int
    own_bytes: int
    threads: int
    host_seconds: float | None
    host_threads: int
    ratio: float | None


def expander_of(case: Case, folder: Path) -> tuple[Expander, object]:
    document = case.document
    if document.endswith((".md", ".net")):
        text = (DOCUMENTS / document).read_text()
        if case.cards is not None:
            text = text.replace("#define n 5", f"#define n {case.cards}")
        path = folder / document
        path.write_text(text)
        document = str(path)
    model = load(document).model
    assert model is not None, "the document is understood"
    return model.expander(), model.machine().initial


def figures(found: CountedLevels) -> tuple[object, ...]:
    """What was counted, level by level."""
    return tuple(
        (each.followed, each.moves, dict(each.over), dict(each.stuck), each.faulty)
        for each in found.levels
    )


def measured(case: Case, gpu: cuda.Gpu, folder: Path, *, runs: int, threads: int) -> Measured:
    expander, initial = expander_of(case, folder)
    start = expander.pack(initial)  # type: ignore[arg-type] # the state that it began with
    store = DeviceStore(gpu, expander, rules=case.rules, slots=case.slots)
    took, clearing, said = [], [], []
    for _ in range(runs + 1):
        began = time.perf_counter()
        store.clear()
        clearing.append(time.perf_counter() - began)
        sweep = DeviceSweep(expander, store)
        began = time.perf_counter()
        found = sweep.run(start)
        took.append(time.perf_counter() - began)
        said.append((figures(found), store.states, sweep.fired))
    assert all(each == said[0] for each in said), f"{case.name}: the runs differ"
    states = store.states
    assert states == case.states, f"{case.name}: {states:,} states, not {case.states:,}"
    host = None
    if threads:
        kept = store_for(expander, threads=threads)
        began = time.perf_counter()
        beside = count_levels(expander, kept, start=start, threads=threads)
        host = time.perf_counter() - began
        assert figures(beside) == said[0][0], f"{case.name}: the processor counts otherwise"
        assert kept.by_depth == store.by_depth, f"{case.name}: the levels differ"
    median = statistics.median(took[1:])
    program = store.program
    assert isinstance(program, cuda.GpuProgram)
    made = Measured(
        name=case.name,
        states=states,
        moves=sum(each.moves for each in found.levels),
        depth=found.full_depth,
        seconds=median,
        all_seconds=tuple(took),
        clearing=statistics.median(clearing),
        rate=states / median / 1e6,
        bar=case.bar,
        bytes_a_state=store.bytes / states,
        launches=sweep.launches,
        longest_launch=sweep.longest_launch,
        registers=program.registers("expand"),
        own_bytes=program.own_bytes("expand"),
        threads=store.threads,
        host_seconds=host,
        host_threads=threads,
        ratio=None if host is None else host / median,
    )
    store.free()
    return made


def lines(results: list[Measured], about: str) -> Iterator[str]:
    yield about
    yield ""
    yield "| | states | median | M states/s | bar | bytes a state | cores | ratio |"
    yield "| --- | --: | --: | --: | --: | --: | --: | --: |"
    for each in results:
        host = "" if each.host_seconds is None else f"{each.host_seconds:.2f} s"
        ratio = "" if each.ratio is None else f"{each.ratio:.1f}×"
        yield (
            f"| {each.name} | {each.states:,} | {each.seconds * 1000:,.1f} ms | {each.rate:,.0f} | "
            f"{each.bar:,.0f} | {each.bytes_a_state:.2f} | {host} | {ratio} |"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="cases whose name begins so")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=Path())
    given = parser.parse_args()
    gpu = cuda.gpu()
    if isinstance(gpu, cuda.NoGpu):
        print(gpu.reason, file=sys.stderr)
        return 1
    today = datetime.now(tz=UTC).date().isoformat()
    about = (
        f"Measured on {today}: {gpu.name}, driver for CUDA {cuda.driver_version()}; "
        f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}."
    )
    results = []
    for case in CASES:
        if given.only is None or case.name.startswith(given.only):
            results.append(measured(case, gpu, given.out, runs=given.runs, threads=given.threads))
            print(json.dumps(asdict(results[-1])), flush=True)
    text = "\n".join(lines(results, about))
    print(text)
    (given.out / "gpu.md").write_text(text + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
