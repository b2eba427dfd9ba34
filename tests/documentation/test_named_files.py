"""Pages for whoever works on this name files that are there."""

import re
from pathlib import Path

import pytest

from tests.support.project import DOCS, ROOT, place

PAGES = [
    ROOT / "ARCHITECTURE.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "tools" / "README.md",
    *sorted((DOCS / "decisions").glob("*.md")),
    *sorted((DOCS / "explanation").glob("*.md")),
]
# A path to a Python file or, with a stroke at its end, to a folder.
NAMED = re.compile(r"`([\w./-]+(?:\.py|/))`")
IGNORED = {".git", ".venv", "__pycache__"}


@pytest.fixture(scope="module")
def there() -> set[str]:
    """Every file, and every folder with a stroke at its end, of the repository."""
    found = (path for path in ROOT.rglob("*") if not IGNORED & set(path.parts))
    return {f"/{path.relative_to(ROOT).as_posix()}{'/' * path.is_dir()}" for path in found}


@pytest.mark.parametrize("page", PAGES, ids=place)
def test_files_that_are_named_are_there(page: Path, there: set[str]) -> None:
    named = set(NAMED.findall(page.read_text(encoding="utf-8")))

    missing = {each for each in named if not any(path.endswith(f"/{each}") for path in there)}

    assert not missing


def test_a_file_that_is_not_there_is_seen() -> None:
    assert NAMED.findall("see `core/nothing.py`, `core/` and `a / b`") == [
        "core/nothing.py",
        "core/",
    ]
