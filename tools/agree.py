"""Compares kernels with what defines their meaning, on many random documents, and keeps the result.

    PYTHONPATH=src:. .venv/bin/python tools/agree.py --documents 10000 --nets 2000

draws systems (written as documents and read back, taken as they are, and probes of large formulas)
and nets, each from a number of its own, and asks a kernel and the interpreter about many states of
each: the moves that are legal, the states after them, the moves that a fault stops and by which
kind of fault, who is in turn, whether and how it is over, and how often each rule fires. Of LED,
values that closures give are compared with those that walking the tree gives.

Most kernels run as Python, which is the same generated code without LLVM; every eleventh is
compiled. What was compared is counted in tests/differential/agreement.txt, which is written unless
`--only` asks for none; `--add` goes on from there. A difference is printed with its document, and
then the exit code is 1. The tests run the first of the same documents.
"""

from __future__ import annotations

import argparse
import datetime
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final, TypeAlias

from tests.support import comparisons
from zermelo.fast import cache

ROOT: Final = Path(__file__).resolve().parents[1]
RESULT: Final = ROOT / "tests/differential/agreement.txt"
KINDS: Final = ("document", "net", "expression")
Work: TypeAlias = tuple[str, int, int]
"""A kind of document, the number of the first, and how many."""


def main() -> int:
    """Compare, print what differs, and write down what was compared."""
    options = _options()
    tally, ends = _kept() if options.add else (Counter(), dict.fromkeys(KINDS, 0))
    works = [work for _, work in sorted(_pieces(options, ends))]
    differences: list[str] = []
    text = ""
    with ProcessPoolExecutor(options.processes) as pool:
        for at, (counts, found) in enumerate(pool.map(_piece, works), 1):
            kind, first, count = works[at - 1]
            ends[kind] = first + count
            tally += counts
            differences += found
            for each in found:
                print(each, flush=True)
            text = "\n".join(_written(ends, tally, differences))
            if not options.only:
                # After each piece, so that a run may be ended when it has lasted long enough.
                RESULT.write_text(text, encoding="utf-8")
            print(f"{at} of {len(works)} pieces", flush=True)
    print(text)
    return 1 if differences else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--documents", type=int, default=500, help="how many systems")
    parser.add_argument("--nets", type=int, default=100, help="how many nets")
    parser.add_argument("--expressions", type=int, default=500, help="how many LED expressions")
    parser.add_argument("--add", action="store_true", help="go on where the kept result ends")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--only", action="store_true", help="write no result")
    return parser.parse_args()


def _pieces(options: argparse.Namespace, ends: Mapping[str, int]) -> Iterator[tuple[float, Work]]:
    """Pieces of work, each with how much of its kind comes before it."""
    for kind in KINDS:
        count = getattr(options, f"{kind}s")
        for at in range(0, count, comparisons.PIECE):
            size = min(comparisons.PIECE, count - at)
            yield at / count, (kind, ends[kind] + at, size)


def _kept() -> tuple[Counter[str], dict[str, int]]:
    """The counts of the kept result, and where it ends."""
    tally: Counter[str] = Counter()
    ends = dict.fromkeys(KINDS, 0)
    for line in RESULT.read_text(encoding="utf-8").splitlines():
        name, _, number = line.rpartition("  ")
        if name.startswith("up to "):
            ends[name.split()[2]] = int(number)
        elif number.strip().replace(",", "").isdigit() and not name.startswith("differences"):
            tally[name.strip()] = int(number.replace(",", ""))
    return tally, ends


def _piece(work: Work) -> tuple[Counter[str], list[str]]:
    # Nobody will ask for this code again.
    cache.use(cache.Cache(None))
    kind, first, count = work
    tally: Counter[str] = Counter()
    differences = []
    for number in range(first, first + count):
        try:
            found = comparisons.compare(kind, number, tally)
        except Exception:  # noqa: BLE001 - neither of the two may raise, and the others are compared
            found = traceback.format_exc(limit=-6)
        if found is not None:
            differences.append(f"{kind} {number}: {found}\n")
    return tally, differences


def summary(tally: Counter[str]) -> list[str]:
    """The counts, one a line."""
    width = max(map(len, tally), default=0)
    return [f"{name:{width}}  {tally[name]:>11,}" for name in sorted(tally)]


def _written(ends: Mapping[str, int], tally: Counter[str], differences: list[str]) -> Iterator[str]:
    yield "Kernels and what defines their meaning, compared on random documents by tools/agree.py."
    yield f"date         {datetime.datetime.now(tz=datetime.UTC).date()}"
    yield f"differences  {len(differences)}"
    yield from (f"up to {kind}  {ends[kind]}" for kind in KINDS)
    yield ""
    yield from summary(tally)
    yield ""


if __name__ == "__main__":
    sys.exit(main())
