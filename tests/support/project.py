"""Where the parts of this repository are."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"
PACKAGE = SOURCE / "zermelo"
TESTS = ROOT / "tests"
DOCS = ROOT / "docs"


def modules(folder: Path) -> list[Path]:
    """The Python files below *folder*, in one order everywhere."""
    return sorted(folder.rglob("*.py"))


def place(path: Path) -> str:
    """The name of *path* as messages give it: from the root of the repository."""
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.as_posix()


def stray_files(folder: Path = ROOT) -> frozenset[str]:
    """The files below *folder* that git neither has nor ignores; none where there is no git."""
    git = shutil.which("git")
    if git is None:
        return frozenset()
    listed = subprocess.run(
        [git, "ls-files", "--others", "--exclude-standard", "-z"],
        cwd=folder,
        check=False,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    return frozenset(listed.stdout.split("\0")) - {""}
