"""What a shell offers after the Tab key; bash is asked as it asks itself."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.project import SOURCE

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")

# As bash does it: the words of the line, the number of the one that is completed, the function.
_TAB = """
eval "$(_ZERMELO_COMPLETE=bash_source zermelo)"
compopt() { local IFS=' '; printf 'compopt %s\\n' "$*"; }
COMP_WORDS=("$@")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_zermelo_completion zermelo
printf '%s\\n' "${COMPREPLY[@]}"
"""

Tab = Callable[..., list[str]]


@pytest.fixture
def tab(tmp_path: Path) -> Tab:
    """What bash offers for the last of the words of a line, in a folder with a few files."""
    program, folder = tmp_path / "bin" / "zermelo", tmp_path / "here"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m zermelo "$@"\n', "utf-8")
    program.chmod(0o755)
    (folder / "peg-solutions").mkdir(parents=True)
    for name in ("pegs-of-mine.md", "pegs of mine.md", "*.md", ".hidden", "-x", "mine.md"):
        folder.joinpath(name).touch()

    def offered(*words: str) -> list[str]:
        done = subprocess.run(
            ["bash", "--norc", "-c", _TAB, "bash", *words],
            cwd=folder,
            env={
                "PATH": f"{program.parent}:{os.environ['PATH']}",
                "PYTHONPATH": str(SOURCE),
                "HOME": str(tmp_path),
                "LC_ALL": "C.UTF-8",
            },
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=True,
        )
        assert done.stderr == ""
        return done.stdout.splitlines()

    return offered


def test_commands_are_offered(tab: Tab) -> None:
    assert tab("zermelo", "ex") == ["explain", "explore", "export"]


def test_games_of_the_library_are_offered_before_files(tab: Tab) -> None:
    assert tab("zermelo", "play", "peg") == ["pegs", "peg-solutions/", "pegs-of-mine.md"]


def test_where_nothing_is_typed_all_games_and_what_needs_no_quotes_are_offered(tab: Tab) -> None:
    offered = tab("zermelo", "check", "")

    assert {"four-quadrants", "pegs", "tic-tac-toe", "tic-tac-toe-led", "tic-tac-toe-net"} <= set(
        offered
    )
    assert offered[-3:] == ["mine.md", "peg-solutions/", "pegs-of-mine.md"]


@pytest.mark.parametrize(
    "line",
    [
        ("zermelo", "solve", "min"),
        ("zermelo", "net", "report", "peg-solutions/"),
        ("zermelo", "graph", "pegs", "--output", "p"),
        ("zermelo", "new", "peg"),
    ],
    ids=" ".join,
)
def test_where_only_files_fit_the_shell_lists_them_itself(tab: Tab, line: tuple[str, ...]) -> None:
    # `-o default` is what bash does with words that nobody completes: files and folders.
    assert tab(*line) == ["compopt -o default", ""]


def test_choices_of_options_are_offered(tab: Tab) -> None:
    assert tab("zermelo", "graph", "pegs", "--format", "") == [
        "dot",
        "aut",
        "graphml",
        "svg",
        "json",
    ]
