"""Starting is fast: what is heavy is imported when it is used."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.project import ROOT, SOURCE

# What a program that only reads a document must not pay for.
HEAVY = ("PIL", "llvmlite", "numpy", "starlette", "uvicorn", "websockets")
# What a program that uses the package, not its command line, must not pay for.
FACES = ("click", "rich", "textual")


@pytest.mark.parametrize("package", HEAVY + FACES)
def test_importing_the_package_does_not_import(package: str) -> None:
    code = f"import sys, zermelo; print({package!r} in sys.modules)"

    answer = python("-c", code)

    assert answer.stdout == "False\n", answer.stderr


def test_help_is_shown_without_what_is_heavy() -> None:
    answer = python("-X", "importtime", "-m", "zermelo", "--help")

    assert answer.returncode == 0, "\n".join(answer.stderr.splitlines()[-3:])
    assert answer.stdout.startswith("Usage: zermelo"), answer.stdout
    imported = {
        line.rpartition("|")[2].strip().split(".")[0] for line in answer.stderr.splitlines()
    }
    assert not imported & set(HEAVY)


def test_an_environment_behind_a_link_is_never_cleared(tmp_path: Path) -> None:
    checkout, others = tmp_path / "checkout", tmp_path / "others"
    shutil.copytree(ROOT / "tools", checkout / "tools")
    shutil.copytree(ROOT / "requirements", checkout / "requirements")
    shutil.copy(ROOT / "zermelo", checkout / "zermelo")
    others.mkdir()
    (others / "theirs").write_text("kept", encoding="utf-8")
    (checkout / ".venv").symlink_to(others)

    done = subprocess.run(
        [checkout / "zermelo", "--help"], capture_output=True, encoding="utf-8", check=False
    )

    assert done.returncode == 2
    assert "is a link to an environment" in done.stderr
    assert (others / "theirs").read_text(encoding="utf-8") == "kept"


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    """What a new interpreter, which sees the package's source, answers."""
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "NO_COLOR": "1", "PYTHONUTF8": "1"}
    return subprocess.run(
        [sys.executable, "-P", *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
