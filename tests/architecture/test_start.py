"""Starting is fast: what is heavy is imported when it is used."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import zermelo
from tests.support.project import PACKAGE, ROOT, SOURCE

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


def test_importing_the_package_imports_no_other_module_of_it() -> None:
    code = "import sys, zermelo; print([name for name in sys.modules if 'zermelo.' in name])"

    answer = python("-c", code)

    assert answer.stdout == "[]\n", answer.stderr


def test_help_reads_nothing_that_documents_are_read_with() -> None:
    code = (
        "import sys; from zermelo.faces.cli.main import run; run(['--help']); "
        "print(*(name for name in sys.modules if name.startswith('zermelo.')))"
    )

    answer = python("-c", code)

    parts = {name.split(".")[1] for name in answer.stdout.splitlines()[-1].split()}
    assert parts == {"core", "faces", "files", "text"}


def test_types_are_told_of_every_public_name_and_of_no_other() -> None:
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    places = {
        alias.name: node.module
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }

    assert places == zermelo._PLACES  # type: ignore[attr-defined] # noqa: SLF001 - what is tested
    assert sorted(places) == sorted(zermelo.__all__)


@pytest.mark.parametrize("name", zermelo.__all__)
def test_a_public_name_is_what_its_module_has(name: str) -> None:
    assert getattr(zermelo, name) is not None
    assert name in dir(zermelo)


def test_a_name_that_is_not_public_is_not_there() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'lode'"):
        _ = zermelo.lode  # type: ignore[attr-defined]


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
