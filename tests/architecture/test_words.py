"""No code knows a particular game, and no file knows the machine it was written on."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.support.project import DOCS, PACKAGE, ROOT, SOURCE, TESTS, modules, place

# Words of single documents. Code that needs one has learned a game by heart.
GAME_WORDS = re.compile(
    r"\b(pegs?|pawns?|four.?quadrants?|xposn|oposn|aTurn|tic.?tac.?toe)\b", re.IGNORECASE
)
# A path that only one machine has. The sign before it rules out `docs/work/` and `</root>`.
MACHINE_PATHS = re.compile(r"(?<![\w.<~/-])/(?:work/|root\b)")


def test_no_code_knows_a_particular_game() -> None:
    wrong = [found for path in modules(PACKAGE) for found in matches(GAME_WORDS, path)]

    assert not wrong, "words of a particular game:\n" + "\n".join(wrong)


def test_no_file_knows_this_machine() -> None:
    wrong = [found for path in texts() for found in matches(MACHINE_PATHS, path)]

    assert not wrong, "paths of one machine:\n" + "\n".join(wrong)


def texts() -> Iterator[Path]:
    """The files that readers of the repository see."""
    for folder in (
        SOURCE,
        TESTS,
        DOCS,
        *(ROOT / name for name in ("tools", "games", "benchmarks")),
    ):
        for path in sorted(folder.rglob("*")):
            hidden = any(part.startswith(".") or part == "__pycache__" for part in path.parts)
            if path.is_file() and not hidden:
                yield path
    yield from sorted(ROOT.glob("*.md"))
    yield from (ROOT / name for name in ("zermelo", "check", "pyproject.toml"))


def matches(pattern: re.Pattern[str], path: Path) -> Iterator[str]:
    """The lines of the file at *path* that *pattern* is found in; none if it holds no text."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if pattern.search(line):
            yield f"{place(path)}:{number}: {line.strip()}"
