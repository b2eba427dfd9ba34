"""The wheel is whole: an installed program has its library and its pages."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.project import ROOT


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel would install, and nothing of this repository."""
    built = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(built)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,) = built.glob("*.whl")
    target = tmp_path_factory.mktemp("site")
    zipfile.ZipFile(wheel).extractall(target)
    return target


def _output(installed: Path, *arguments: str, typed: str = "") -> str:
    """What the installed program prints."""
    script = f"import sys; sys.path.insert(0, {str(installed)!r}); import zermelo.__main__ as m; "
    script += f"sys.argv = ['zermelo', *{list(arguments)!r}]; m.main()"
    done = subprocess.run(
        [sys.executable, "-I", "-c", script],
        input=typed,
        cwd=installed,
        check=True,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        env={"PYTHONIOENCODING": "utf-8", "PATH": "", "PYTHONUTF8": "1"},
    )
    return done.stdout


def test_an_installed_program_plays_a_game_of_its_library(installed: Path) -> None:
    printed = _output(installed, "play", "pegs", typed="5 2 2\nquit\n")

    assert "│ 5 │" in printed or "│[5]│" in printed


def test_an_installed_program_explains_a_code(installed: Path) -> None:
    assert _output(installed, "explain", "Z301").startswith("Z301: a name that is not declared")


def test_an_installed_program_weaves_the_led_program_of_its_library(installed: Path) -> None:
    assert _output(installed, "export", "tic-tac-toe-led", "--to", "latex").startswith("\\document")
