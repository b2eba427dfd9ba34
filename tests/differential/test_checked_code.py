"""Kernels and engines under the checker touch nothing but their own, and count what they count."""

from __future__ import annotations

import json
import subprocess
import sys

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


def checked_figures(documents: tuple[str, ...]) -> dict[str, Figures | str]:
    """What the engines say of *documents*, under the checker, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.engine_runs", "--checked", *documents],
        env={"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "HOME": str(ROOT / "absent")},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return {name: told for line in done.stdout.splitlines() for name, told in _pair(line)}


def _pair(line: str) -> list[tuple[str, Figures | str]]:
    return list(json.loads(line).items())


def plain_figures(document: str) -> object:
    """The same without checks, as it looks when it was written as JSON."""
    return json.loads(json.dumps(figures(document)))


@pytest.mark.parametrize("name", GAMES)
def test_on_every_game_of_the_library_nothing_is_touched_that_must_not_be(name: str) -> None:
    assert checked_figures((name,)) == {name: plain_figures(name)}


@pytest.mark.slow
@pytest.mark.parametrize("names", [DOCUMENTS[::2], DOCUMENTS[1::2], NETS[::2], NETS[1::2]])
def test_on_documents_of_every_construct_neither(names: list[str]) -> None:
    found = checked_figures(tuple(names))

    assert found == {name: plain_figures(name) for name in names}
    assert all("explored by 1" in told for told in found.values())
