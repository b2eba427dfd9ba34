"""Which program runs is told from its modules, as long as these are those that were loaded."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.project import ROOT, SOURCE
from zermelo.files.program import begun, digest_of_modules

SOON = 3600.0


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "core" / "rules.py"
    path.parent.mkdir()
    path.write_text("one")
    return path


def test_a_digest_tells_modules_apart_by_name_and_by_text(tmp_path: Path, module: Path) -> None:
    later = time.time() + SOON
    first = digest_of_modules(tmp_path, [module], before=later)

    assert first is not None
    assert digest_of_modules(tmp_path, [module], before=later) == first
    module.write_text("two")
    assert digest_of_modules(tmp_path, [module], before=later) not in {first, None}
    module.write_text("one")
    moved = module.rename(module.with_name("turns.py"))
    assert digest_of_modules(tmp_path, [moved], before=later) not in {first, None}


def test_modules_that_were_written_since_are_not_told_from_those_that_were_loaded(
    tmp_path: Path, module: Path
) -> None:
    assert digest_of_modules(tmp_path, [module]) is None


def test_a_module_that_came_with_its_old_time_is_not_taken_for_the_one_that_was_loaded(
    tmp_path: Path, module: Path
) -> None:
    os.utime(module, (100.0, 100.0))

    assert module.stat().st_mtime < begun()
    assert digest_of_modules(tmp_path, [module]) is None


def test_what_is_no_file_has_no_digest(tmp_path: Path) -> None:
    later = time.time() + SOON

    assert digest_of_modules(tmp_path, [tmp_path / "nowhere"], before=later) is None
    assert digest_of_modules(tmp_path, [], before=later) is None


def test_a_process_is_as_old_as_it_is() -> None:
    """Also where it has waited since, which no clock of the processor counts."""
    waits = (
        "import sys, time; first = time.time(); time.sleep(0.5)\n"
        f"sys.path.insert(0, {str(SOURCE)!r})\n"
        "from zermelo.files.program import age\nprint(time.time() - age(), first)"
    )
    before = time.time()
    told = subprocess.check_output([sys.executable, "-c", waits], text=True, timeout=120)
    began, first = map(float, told.split())

    assert before - 1.0 < began <= first


INSTALLS = """
import shutil, sys, time
from pathlib import Path
folder = Path(sys.argv[1])
shutil.copytree(sys.argv[2], folder / "zermelo")
time.sleep(0.05)
sys.path.insert(0, str(folder))
import zermelo
game = zermelo.load(sys.argv[3])
if sys.argv[4] == "changed":
    (folder / "zermelo" / "core" / "model.py").touch()
try:
    print(zermelo.explore(game, checkpoint=folder / "kept").states)
except zermelo.UsageError as refused:
    print(refused)
"""


@pytest.mark.parametrize(
    ("then", "answer"),
    [("explores", "5478"), ("changed", "a part of this program was changed after it was started")],
)
def test_who_installs_the_package_and_then_imports_it_can_keep_what_is_found(
    tmp_path: Path, then: str, answer: str
) -> None:
    """As in a notebook, whose process is older than the package."""
    game = ROOT / "games/tic-tac-toe/tic-tac-toe.md"
    told = subprocess.check_output(
        [sys.executable, "-P", "-c", INSTALLS, tmp_path, SOURCE / "zermelo", game, then],
        text=True,
        timeout=120,
        env={"ZERMELO_CACHE": "off", "PYTHONUTF8": "1"},
    )

    assert told.startswith(answer)
