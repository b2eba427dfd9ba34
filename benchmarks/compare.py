"""Two checkouts of this repository, measured beside each other with the same commands.

    python -m benchmarks.compare OLD [NEW] [--runs 9] [--only WORD]

OLD and NEW are roots of checkouts; NEW is this one if not given. Each command runs in both in
turn, each checkout with a cache of its own that a first run fills; the table has the medians of
processor time and of wall time and their ratios. Exit code 1 if a ratio of processor times is
above the most (`--most`, 1.10).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.measure import Ended, run

HERE: Final = Path(__file__).resolve().parents[1]
_LONGEST: Final = 600.0
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
    roots = [asked.old.resolve(), asked.new.resolve()]
    slow = []
    with tempfile.TemporaryDirectory() as caches:
        for name, command in COMMANDS.items():
            if asked.only not in name:
                continue
            turns = [
                [_run(root, command, Path(caches) / str(at)) for at, root in enumerate(roots)]
                for _ in range(asked.runs + 1)
            ][1:]
            before, after = (
                median(each.processor for each in side) for side in zip(*turns, strict=True)
            )
            waited = [median(each.wall for each in side) for side in zip(*turns, strict=True)]
            ratio = after / before
            slow += [name] * (ratio > asked.most)
            row = f"| {name} | {before:.2f} s | {after:.2f} s | {ratio:.2f}× |"
            print(f"{row} {waited[1] / waited[0]:.2f}× |", flush=True)
    if slow:
        print(f"Slower than {asked.most:.2f}×: {', '.join(slow)}.")
    return int(bool(slow))


def _run(root: Path, command: str, cache: Path) -> Ended:
    """What *command* takes in the checkout at *root*; one that fails is not measured."""
    return run(
        [sys.executable, "-P", "-m", "zermelo", *command.split()],
        limit=_LONGEST,
        environment={"PYTHONPATH": str(root / "src"), "HOME": str(cache), "NO_COLOR": "1"},
        folder=root,
    )


if __name__ == "__main__":
    sys.exit(main())
