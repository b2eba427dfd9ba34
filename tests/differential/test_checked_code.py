"""Kernels and engines under the checker touch nothing but their own, and count what they count."""

from __future__ import annotations

import json
import subprocess
import sys
from tempfile import TemporaryDirectory

import pytest

from tests.support.engine_runs import Figures, figures
from tests.support.project import ROOT
from zermelo.fast import jit

GAMES = ("tic-tac-toe", "pegs", "pawns", "four-quadrants", "tic-tac-toe-led", "tic-tac-toe-net")
DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "tests/documents").iterdir()
    if path.suffix in {".md", ".txt", ".tex"}
)
NETS = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "tests/documents/nets").iterdir()
    if path.suffix in {".net", ".pnml"}
)

pytestmark = pytest.mark.skipif(jit.available() is not None, reason="there is no compiler here")


def checked_figures(documents: tuple[str, ...]) -> dict[str, Figures]:
    """What the engines say of *documents*, under the checker, in a process of its own."""
    with TemporaryDirectory() as home:  # Compiled code is kept there.
        done = subprocess.run(
            [sys.executable, "-m", "tests.support.engine_runs", "--checked", *documents],
            env={"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "HOME": home},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Figures] = {}
    for line in done.stdout.splitlines():
        found |= json.loads(line)
    return found


def plain_figures(document: str) -> object:
    """The same without checks, as it looks when it was written as JSON."""
    return json.loads(json.dumps(figures(document)))


@pytest.fixture(scope="module")
def games() -> dict[str, Figures]:
    """What the engines say of all games, in one process, which compiles their loops once."""
    return checked_figures(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_on_every_game_of_the_library_nothing_is_touched_that_must_not_be(
    games: dict[str, Figures], name: str
) -> None:
    assert games[name] == plain_figures(name)


@pytest.mark.long
@pytest.mark.parametrize("names", [DOCUMENTS[::2], DOCUMENTS[1::2], NETS[::2], NETS[1::2]])
def test_on_documents_of_every_construct_neither(names: list[str]) -> None:
    found = checked_figures(tuple(names))

    assert found == {name: plain_figures(name) for name in names}
    assert all("explored by 1" in told for told in found.values())
