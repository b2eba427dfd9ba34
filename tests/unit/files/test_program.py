"""Which program runs is told from its modules, as long as these are those that were loaded."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from zermelo.files import program
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


def test_a_process_began_before_its_first_line() -> None:
    """Also where it has waited since, which no clock of the processor counts."""
    source = Path(program.__file__).parents[2]
    waits = (
        "import sys, time; first = time.time(); time.sleep(0.5)\n"
        f"sys.path.insert(0, {str(source)!r})\n"
        "from zermelo.files.program import begun\nprint(begun(), first)"
    )
    before = time.time()
    told = subprocess.check_output([sys.executable, "-c", waits], text=True, timeout=120)
    began, first = map(float, told.split())

    assert before - 1.0 < began <= first
