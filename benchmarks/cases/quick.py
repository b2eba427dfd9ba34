"""How soon there is an answer: an import, the help, and a check of a document, new and unchanged.

Processor time of whole processes, with Python's own modules compiled before as they are for whoever
starts the program a second time.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.table import Row, below, seconds
from benchmarks.tools import ROOT, Tools

PAGE_LONG = frozenset({"tic-tac-toe", "tic-tac-toe-led", "tic-tac-toe-net"})
"""The games with goals when they are new; the others have more states or longer turns."""
NEW = ("0.8 s", 0.8)
UNCHANGED = ("0.4 s", 0.4)
STARTED = ("0.15 s", 0.15)


def rows(tools: Tools) -> Iterator[Row]:
    """Starting, and each game of the library."""
    with TemporaryDirectory() as folder:
        home = Path(folder)
        for what, words in (
            ("import zermelo", ("-c", "import zermelo")),
            ("zermelo --help", ("-P", "-m", "zermelo", "--help")),
        ):
            taken = least(tools, home, *words)
            yield below(f"`{what}`", seconds(taken), taken, STARTED)
        for game in sorted(path.name for path in (ROOT / "games").iterdir() if path.is_dir()):
            check = ("-P", "-m", "zermelo", "check", game)
            new = least(tools, home, *check, "--no-cache")
            what = f"`zermelo check {game}`, new"
            if game in PAGE_LONG:
                yield below(what, seconds(new), new, NEW)
            else:
                yield Row(what, seconds(new), "", "", "")
            again = least(tools, home, *check)
            yield below("… unchanged", seconds(again), again, UNCHANGED)


def least(tools: Tools, home: Path, *words: str) -> float:
    """The least processor time of some runs of Python with *words*, after one that warms up."""
    tools.processor(*words, home=home)
    return min(tools.processor(*words, home=home) for _ in range(tools.runs))
