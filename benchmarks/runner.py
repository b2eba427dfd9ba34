"""All benchmarks in one run: which there are, the machine they ran on, the table."""

from __future__ import annotations

import argparse
import os
import platform
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.cases import (
    connect_four,
    easel,
    four_quadrants,
    guards,
    nets,
    pawns,
    pegs_explore,
    pegs_solve,
    pegs_spin,
    playouts,
    quick,
    reversi,
    starting,
)
from benchmarks.measure import Missing
from benchmarks.table import Row, around_table, markdown, put_into
from benchmarks.tools import Tools

CASES: Mapping[str, Callable[[Tools], Iterator[Row]]] = {
    "pegs-explore": pegs_explore.rows,
    "pegs-spin": pegs_spin.rows,
    "pegs-solve": pegs_solve.rows,
    "four-quadrants": four_quadrants.rows,
    "connect-four": connect_four.rows,
    "pawns": pawns.rows,
    "reversi": reversi.rows,
    "playouts": playouts.rows,
    "guards": guards.rows,
    "starting": starting.rows,
    "quick": quick.rows,
    "easel": easel.rows,
    "nets": nets.rows,
}


def main(arguments: Sequence[str]) -> int:
    """Run what was asked for; 0 if no goal was missed."""
    asked = _parser().parse_args(arguments)
    if asked.out is not None:
        around_table(asked.out)  # said at once, not after all that was measured
    with TemporaryDirectory() as folder:
        tools = Tools(
            build=(asked.build or Path(folder)).absolute(),
            open_spiel=asked.openspiel,
            snakes_python=asked.snakes,
            runs=asked.runs,
            is_busy=asked.busy,
        )
        rows = list(_rows(asked.only or list(CASES), tools))
    text = f"{machine(tools)}\n\n{markdown(rows)}"
    print(text)
    if asked.out is not None:
        put_into(asked.out, text)
    return 1 if any(row.is_met is False for row in rows) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks/run.py", description="Prints the ratios.")
    parser.add_argument("--only", action="append", choices=list(CASES), help="may be repeated")
    parser.add_argument("--out", type=Path, help="write the table into this file, too")
    parser.add_argument("--runs", type=int, default=3, help="the fastest of so many runs counts")
    parser.add_argument("--build", type=Path, help="keep what is compiled in this folder")
    parser.add_argument(
        "--openspiel", type=Path, metavar="PYTHON", help="a Python that has open_spiel"
    )
    parser.add_argument("--snakes", type=Path, metavar="PYTHON", help="a Python that has snakes")
    parser.add_argument(
        "--busy", action="store_true", help="others use the machine: count processor time"
    )
    return parser


def _rows(names: Sequence[str], tools: Tools) -> Iterator[Row]:
    for name in names:
        print(f"{name} …", flush=True)
        try:
            for row in CASES[name](tools):
                print(f"  {row.what}: {row.ours} / {row.theirs} {row.ratio}", flush=True)
                yield row
        except Missing as missing:
            print(f"  {missing}", flush=True)
            yield Row(name, "", f"not measured: {missing}", "", "")


def machine(tools: Tools) -> str:
    """The machine and the programs, in one paragraph."""
    cpu = _found(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo")) or platform.processor()
    memory = _found(r"MemTotal:\s*(\d+)", Path("/proc/meminfo"))
    size = f", {int(memory) / 2**20:.0f} GiB" if memory else ""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    what = "processor time, while others used the machine" if tools.is_busy else "in one run"
    return (
        f"Measured on {datetime.now(UTC):%d %B %Y}, {what}: {cpu}, {cores} cores{size}, "
        f"{platform.system()}; {', '.join(tools.versions())}."
    )


def _found(pattern: str, path: Path) -> str | None:
    if not path.is_file():
        return None
    found = re.search(pattern, path.read_text(encoding="utf-8"))
    return found[1].strip() if found else None
