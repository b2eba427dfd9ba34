"""Two checkouts beside each other: here the same one twice."""

import sys

import pytest

from benchmarks import compare
from tests.support.project import ROOT


@pytest.fixture(autouse=True)
def only_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "COMMANDS", {"start": "--version"})


def run(monkeypatch: pytest.MonkeyPatch, *options: str) -> int:
    monkeypatch.setattr(sys, "argv", ["compare.py", str(ROOT), "--runs", "1", *options])
    return compare.main()


def test_each_command_has_a_row_with_both_times_and_their_ratio(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(monkeypatch, "--most", "1000")

    row = capsys.readouterr().out.splitlines()[-1]
    assert code == 0
    assert row.startswith("| start | ")
    assert row.count("×") == 2


def test_what_has_become_too_slow_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(monkeypatch, "--most", "0")

    assert code == 1
    assert capsys.readouterr().out.endswith("Slower than 0.00×: start.\n")
