"""Two checkouts of this repository, measured beside each other with the same commands.

    python benchmarks/compare.py OLD [NEW] [--runs 9] [--only WORD]

OLD and NEW are roots of checkouts; NEW is this one if not given. Each command runs in both in
turn, each checkout with a cache of its own that a first run fills; the table has the medians of
processor time and of wall time and their ratios. Exit code 1 if a ratio of processor times is
above the most (`--most`, 1.10).
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parents[1]
COMMANDS: Final[Mapping[str, str]] = {
    "start": "--version",
    "games": "games",
    "explain a document": "explain four-quadrants",
    "check tic-tac-toe": "check tic-tac-toe",
    "check pegs": "check pegs",
    "check an LED program": "check tic-tac-toe-led",
    "check a net": "check tic-tac-toe-net",
    "readings": "readings pegs",
    "explore tic-tac-toe": "explore tic-tac-toe --threads 1",
    "explore pegs": "explore pegs --threads 1 --states 3000000",
    "explore connect four": "explore benchmarks/documents/connect-four-4x5.md --threads 1",
    "explore with symmetry": "explore tic-tac-toe --symmetry --threads 1",
    "count plays": "explore tic-tac-toe --plays --threads 1",
    "solve tic-tac-toe": "solve tic-tac-toe --threads 1",
    "solve pegs": "solve pegs --threads 1",
    "graph": "graph pegs --states 30000 --json",
    "graph of a net": "graph tic-tac-toe-net --json",
    "states of a net": "net states tic-tac-toe-net",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path, nargs="?", default=HERE)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--only", default="")
    parser.add_argument("--most", type=float, default=1.10)
    asked = parser.parse_args()
    print("| | old | new | processor | wall |\n| --- | --: | --: | --: | --: |")
    slow = []
    with tempfile.TemporaryDirectory() as caches:
        for name, command in COMMANDS.items():
            if asked.only not in name:
                continue
            old, new = (
                _Checkout(root, Path(caches) / str(number))
                for number, root in enumerate((asked.old, asked.new))
            )
            pairs = [(old.run(command), new.run(command)) for _ in range(asked.runs + 1)][1:]
            busy, wall = ([tuple(side[at] for side in pair) for pair in pairs] for at in (0, 1))
            before, after = (statistics.median(side) for side in zip(*busy, strict=True))
            waited = [statistics.median(side) for side in zip(*wall, strict=True)]
            ratio = after / before
            slow += [name] * (ratio > asked.most)
            row = f"| {name} | {before:.2f} s | {after:.2f} s | {ratio:.2f}× |"
            print(f"{row} {waited[1] / waited[0]:.2f}× |", flush=True)
    if slow:
        print(f"Slower than {asked.most:.2f}×: {', '.join(slow)}.")
    return int(bool(slow))


class _Checkout:
    def __init__(self, root: Path, cache: Path) -> None:
        self._root = root.resolve()
        self._environment = {
            **os.environ,
            "PYTHONPATH": str(self._root / "src"),
            "HOME": str(cache),
            "NO_COLOR": "1",
        }

    def run(self, command: str) -> tuple[float, float]:
        """The processor time and the wall time that *command* takes."""
        arguments = [sys.executable, "-P", "-m", "zermelo", *command.split()]
        before, began = os.times(), time.perf_counter()
        subprocess.run(
            arguments,
            cwd=self._root,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        after = os.times()
        busy = after.children_user + after.children_system
        return (
            busy - before.children_user - before.children_system,
            time.perf_counter() - began,
        )


if __name__ == "__main__":
    sys.exit(main())
