"""Looks for an input that makes the program raise, for as long as you let it.

Nothing that comes from outside may raise, whatever it is: a document, a file of readings, a move, a
saved play, a solution, a checkpoint, kept code, a message of the page. What is wrong is a
diagnostic or a refusal. tests/support/fuzz_targets.py has the targets, and how to add one.

    PYTHONPATH=src:. .venv/bin/python tools/fuzz.py --seconds 600
    PYTHONPATH=src:. .venv/bin/python tools/fuzz.py --targets moves messages --cases 100000

make inputs by grammars and by changing those there are, each from a number, and count them. An
input that raises is written to the folder `--found`, and one that takes too long as well; given
as `--again FILE` with its target it is tried again. `--add` adds the counts to those in
tests/corpus/cases.txt. With atheris, which is no requirement of the project, inputs are led by
coverage; in an environment of its own:

    python3.11 -m venv fuzz-venv
    fuzz-venv/bin/pip install -r requirements/run.txt
    fuzz-venv/bin/pip install atheris hypothesis
    PYTHONPATH=src:. fuzz-venv/bin/python tools/fuzz.py --coverage read-sections -max_total_time=600

where what follows the target is libFuzzer's.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import FrameType, ModuleType
from typing import Final, NoReturn

ROOT: Final = Path(__file__).resolve().parents[1]
COUNTS: Final = ROOT / "tests/corpus/cases.txt"
MISSING: Final = 2
LONGEST_INPUT: Final = 4096
SLOW: Final = 10.0
"""Seconds of processor time that one input may take."""
SLOWER: Final = 30
"""So many times as long it may take where coverage is watched, beside whatever else runs."""
SLICE: Final = {
    "read-sections": 8,
    "use-sections": 2,
    "read": 20,
    "use": 10,
    "readings": 4,
    "solutions": 40,
    "checkpoints": 40,
    "cached-code": 100,
    "saved-plays": 400,
    "moves": 800,
    "messages": 8000,
}
"""How many inputs in a row a target gets: as many as take about as long as those of the others."""


class TooSlow(BaseException):
    """One input takes too long."""


def main() -> int:
    """Fuzz as the arguments say; 1 when something was found, 2 when atheris is missing."""
    if "--coverage" in sys.argv:
        return _by_coverage(sys.argv)
    options = _options()
    # Only now, so that atheris can follow what is imported.
    from tests.support import fuzz_targets  # noqa: PLC0415

    names = options.targets or list(fuzz_targets.TARGETS)
    if options.again is not None:
        fuzz_targets.attempt(names[0], options.again.read_bytes())
        return 0
    signal.signal(signal.SIGPROF, _stop)
    counts: Counter[str] = Counter()
    failures = 0
    began = time.monotonic()
    numbers = dict.fromkeys(names, options.first)
    while time.monotonic() - began < options.seconds and sum(counts.values()) < options.cases:
        for name in names:
            for _ in range(SLICE.get(name) or SLICE[name.partition("-")[0]]):
                data = fuzz_targets.case(name, numbers[name])
                numbers[name] += 1
                counts[name] += 1
                failures += _failed(fuzz_targets.attempt, name, data, options.found)
        _write(options, counts)
    print(*_lines(counts), f"{failures} found", sep="\n")
    return 1 if failures else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--targets", nargs="+", help="only these")
    parser.add_argument("--cases", type=int, default=sys.maxsize, help="so many inputs, or more")
    parser.add_argument("--seconds", type=float, default=60.0, help="for so long")
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--found", type=Path, default=Path("fuzz-found"), help="a folder")
    parser.add_argument("--again", type=Path, help="try this file again")
    parser.add_argument("--add", action="store_true", help="add to the counts that are kept")
    return parser.parse_args()


def _stop(_: int, __: FrameType | None) -> NoReturn:
    raise TooSlow


def _failed(attempt: object, name: str, data: bytes, folder: Path) -> bool:
    """Whether the target raises on *data*, or takes long; then the input is kept."""
    assert callable(attempt)
    # Again and again: what is raised while memory is tidied up is lost.
    signal.setitimer(signal.ITIMER_PROF, SLOW, 1.0)
    try:
        attempt(name, data)
    except (Exception, RecursionError, TooSlow) as error:  # noqa: BLE001 - that is what is looked for
        signal.setitimer(signal.ITIMER_PROF, 0)
        _keep(name, data, error, folder)
        return True
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return False


def _keep(name: str, data: bytes, error: BaseException, folder: Path) -> None:
    """Write *data* down, once for each place where the program raises."""
    frames = [
        f"{Path(frame.filename).name}:{frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    kind = type(error).__name__
    where = frames[-1].replace(":", "-").replace(".py", "")
    mark = "" if isinstance(error, TooSlow) else f"{where}-"
    label = f"{name}--{kind}-{mark}{hashlib.sha256(data).hexdigest()[:6]}"
    folder.mkdir(parents=True, exist_ok=True)
    if mark and list(folder.glob(f"{name}--{kind}-{mark}*")):
        return
    (folder / label).write_bytes(data)
    (folder / f"{label}.txt").write_text(
        f"{kind}: {error}\n" + " ".join(frames[-12:]) + "\n", encoding="utf-8"
    )
    print(f"{name}: {kind}: {str(error)[:200]} at {' '.join(frames[-3:])}", flush=True)


def _lines(counts: Counter[str]) -> list[str]:
    width = max(map(len, counts), default=0)
    rows = [f"{name:{width}}  {counts[name]:>11,}" for name in sorted(counts)]
    return [*rows, f"{'together':{width}}  {sum(counts.values()):>11,}"]


_BEFORE: Final[Counter[str]] = Counter()


def _write(options: argparse.Namespace, counts: Counter[str]) -> None:
    """Add *counts* to what was kept when this began."""
    if not options.add:
        return
    if not _BEFORE and COUNTS.is_file():
        for row in COUNTS.read_text(encoding="utf-8").splitlines():
            name, _, number = row.partition(" ")
            if name != "together" and number.replace(",", "").strip().isdigit():
                _BEFORE[name] = int(number.replace(",", ""))
    text = ["How many inputs tools/fuzz.py has tried of each kind.", ""]
    COUNTS.parent.mkdir(exist_ok=True)
    COUNTS.write_text("\n".join([*text, *_lines(_BEFORE + counts), ""]), encoding="utf-8")


# With atheris


def _by_coverage(arguments: Sequence[str]) -> int:
    atheris = _atheris()
    if atheris is None:
        print(
            "tools/fuzz.py --coverage needs atheris, which is not installed here; "
            "its first lines say how to install it",
            file=sys.stderr,
        )
        return MISSING
    at = arguments.index("--coverage")
    name, given = arguments[at + 1], [arguments[0], *arguments[1:at], *arguments[at + 2 :]]
    with atheris.instrument_imports(include=["zermelo"]):
        targets = importlib.import_module("tests.support.fuzz_targets")

    def attempt(data: bytes) -> None:
        targets.attempt(name, data)

    with tempfile.TemporaryDirectory() as folder:
        for number, seed in enumerate(targets.TARGETS[name].seeds()):
            (Path(folder) / str(number)).write_bytes(seed)
        limits = [f"-max_len={LONGEST_INPUT}", f"-timeout={SLOWER * SLOW:.0f}"]
        atheris.Setup([given[0], *limits, *given[1:], folder], attempt)
        atheris.Fuzz()
    return 0


def _atheris() -> ModuleType | None:
    try:
        return importlib.import_module("atheris")
    except ModuleNotFoundError:
        return None


if __name__ == "__main__":
    sys.exit(main())
