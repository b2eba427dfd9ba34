"""Every command and example that the documentation shows is run, and does what the page says.

In README.md and docs/: blocks `console` show commands and what they print, a line `…` alone
standing for any number of lines; `console exit=1` says how the last command of the block ends. A
block with `file=NAME` is a file that the page's commands can use, and so is everything in games/.
Blocks `python` with `>>>` are doctests, one after the other.
"""

import difflib
import doctest
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.console import PROMPT, Command, agrees, body, commands
from tests.support.markdown import Fence, fences, lines_of, with_bodies
from tests.support.project import DOCS, ROOT, SOURCE, place

PAGES = [path for path in [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))] if path.is_file()]
TIMEOUT = 120


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command printed, and how it ended."""

    lines: tuple[str, ...]
    exit_code: int


def blocks(page: Path, *kinds: str) -> list[Fence]:
    """The fenced blocks of *page* of these *kinds*."""
    return [block for block in fences(page.read_text(encoding="utf-8")) if block.kind in kinds]


WITH_COMMANDS = [page for page in PAGES if blocks(page, "console")]
WITH_EXAMPLES = [
    page for page in PAGES if any(">>>" in block.body for block in blocks(page, "python"))
]


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=[place(page) for page in WITH_COMMANDS])
def test_the_commands_of_a_page_do_what_it_says(
    page: Path, tmp_path: Path, *, update_golden: bool
) -> None:
    directory = prepared(page, tmp_path)
    faults: list[str] = []
    bodies: dict[int, str] = {}

    for block in blocks(page, "console"):
        faults.extend(strays(page, block))
        ran = [(command, run(page, command, directory)) for command in commands(block)]
        bodies[block.line] = body((command, result.lines) for command, result in ran)
        for command, result in ran:
            is_last = command is ran[-1][0]
            exit_code = int(block.options.get("exit", "0")) if is_last else 0
            is_rewritten = update_golden and not command.is_open
            faults.extend(complaints(page, command, result, exit_code, is_rewritten=is_rewritten))

    if update_golden and not faults:
        rewrite(page, bodies)
    if faults:
        pytest.fail("\n\n".join(faults), pytrace=False)


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=[place(page) for page in WITH_EXAMPLES])
def test_the_python_examples_of_a_page_do_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(prepared(page, tmp_path))
    faults: list[str] = []
    # A page is read from top to bottom, so a later block knows the names of an earlier one.
    names: dict[str, object] = {}

    for block in blocks(page, "python"):
        example = doctest.DocTestParser().get_doctest(
            block.body, names, place(page), place(page), block.line
        )
        doctest.DocTestRunner(verbose=False).run(example, out=faults.append, clear_globs=False)
        names = example.globs

    if faults:
        pytest.fail("".join(faults), pytrace=False)


def prepared(page: Path, folder: Path) -> Path:
    """A directory in *folder* with the files that *page* shows, and the library of games."""
    directory = folder / "page"
    directory.mkdir()
    if (ROOT / "games").is_dir():
        (directory / "games").symlink_to(ROOT / "games", target_is_directory=True)
    for block in fences(page.read_text(encoding="utf-8")):
        name = block.options.get("file")
        if name is not None:
            path = inside(directory, name)
            assert path is not None, f"{place(page)}:{block.line}: {name} is outside the page"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.body, encoding="utf-8")
    return directory


def inside(directory: Path, name: str) -> Path | None:
    """The path of *name* in *directory*, unless it leads out of it."""
    path = Path(name)
    return None if path.is_absolute() or ".." in path.parts else directory / path


def strays(page: Path, block: Fence) -> Iterator[str]:
    """What stands before the first command of *block*, or instead of it."""
    if not block.body.startswith(PROMPT):
        yield f"{place(page)}:{block.line}: a console block starts with a command, after `{PROMPT}`"


def run(page: Path, command: Command, directory: Path) -> Ran:
    """What *command* does in *directory*. There is no shell, so a page cannot do harm."""
    where = f"{place(page)}:{command.line}"
    assert not command.shell_signs, f"{where}: only a shell knows {command.shell_signs}"
    match command.words:
        case ("zermelo" | "./zermelo", *arguments):
            return zermelo(where, arguments, directory)
        case ("cat", *names):
            return cat(where, names, directory)
        case words:
            raise AssertionError(f"{where}: neither `zermelo` nor `cat`: {' '.join(words)}")


def zermelo(where: str, arguments: list[str], directory: Path) -> Ran:
    """What the program does, seen as in a terminal: both streams in the order they were written."""
    try:
        result = subprocess.run(
            [sys.executable, "-P", "-m", "zermelo", *arguments],
            cwd=directory,
            env=environment(directory),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise AssertionError(f"{where}: not done after {TIMEOUT} seconds") from None
    return Ran(lines_of(result.stdout), result.returncode)


def cat(where: str, names: list[str], directory: Path) -> Ran:
    """The files of these *names*, one after the other."""
    lines: list[str] = []
    for name in names:
        path = inside(directory, name)
        assert path is not None, f"{where}: {name} is outside the page"
        assert path.is_file(), f"{where}: the page has no file {name}"
        lines.extend(lines_of(path.read_text(encoding="utf-8")))
    return Ran(tuple(lines), 0)


def environment(directory: Path) -> Mapping[str, str]:
    """What the program sees of the environment: no colours, a known width, an empty home."""
    home = directory.parent / "home"
    home.mkdir(exist_ok=True)
    # Hashing stays random: what a page shows may not depend on it.
    passed = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    return passed | {
        "HOME": str(home),
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "COLUMNS": "100",
        "LINES": "40",
        "PYTHONPATH": str(SOURCE),
        "PYTHONUNBUFFERED": "1",
    }


def complaints(
    page: Path, command: Command, result: Ran, exit_code: int, *, is_rewritten: bool
) -> Iterator[str]:
    """How what *command* did differs from what *page* says."""
    where = f"{place(page)}:{command.line}: {PROMPT}{command.text}"
    if result.exit_code != exit_code:
        printed = "\n".join(result.lines)
        yield f"{where}\nexit code {result.exit_code}, not {exit_code}, after printing\n{printed}"
    elif not is_rewritten and not agrees(command.expected, result.lines):
        difference = difflib.unified_diff(
            command.expected, result.lines, "page", "printed", lineterm=""
        )
        yield f"{where}\n" + "\n".join(difference)


def rewrite(page: Path, bodies: Mapping[int, str]) -> None:
    """Put *bodies* into the blocks of *page* that open at these lines."""
    old = page.read_text(encoding="utf-8")
    new = with_bodies(old, bodies)
    if new != old:
        page.write_text(new, encoding="utf-8")
