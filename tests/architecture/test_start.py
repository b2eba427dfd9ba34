"""Starting is fast: what is heavy is imported when it is used."""

import os
import subprocess
import sys

import pytest

from tests.support.project import SOURCE

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
