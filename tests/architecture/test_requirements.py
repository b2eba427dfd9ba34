"""What is installed is what was looked at: pinned, with hashes, from no particular place."""

import re
import tomllib

import pytest

from tests.support.project import ROOT

PIN = re.compile(
    r"^(?P<name>[\w.-]+)==(?P<version>\S+)(?P<hashes>(?: \\\n    --hash=sha256:\w{64})+)$"
)


def test_run_requires_what_the_package_depends_on() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert asked_for("run") == project["dependencies"]


def test_the_extra_for_notebooks_is_pinned_too() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert asked_for("notebook") == project["optional-dependencies"]["notebook"]


@pytest.mark.parametrize("name", ["run", "notebook", "test"])
def test_every_requirement_is_pinned_with_hashes_and_nothing_else(name: str) -> None:
    entries = entries_of(name)

    assert [entry for entry in entries if not PIN.match(entry)] == []


def test_the_environment_of_the_tests_has_the_pins_of_the_program() -> None:
    assert set(entries_of("run")) <= set(entries_of("test"))
    assert set(entries_of("notebook")) <= set(entries_of("test"))


def asked_for(name: str) -> list[str]:
    """What a file of requirements asks for, before it is pinned."""
    lines = (ROOT / "requirements" / f"{name}.in").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and line[0] not in "#-"]


def entries_of(name: str) -> list[str]:
    """The entries of a requirements file, each with its hashes."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    return re.split(r"\n(?=\S)", text.strip())
