"""No file is read whole because somebody gives it: whatever it is for, there is a bound."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.prod import HEAP
from tests.support.project import ROOT, SOURCE
from tests.support.small_documents import heap_text
from zermelo.faces.cli.kept import reports
from zermelo.faces.cli.screen import Screen
from zermelo.fast import cache
from zermelo.files.beside import how_it_is
from zermelo.text.decoding import MOST_BYTES_OF_XML

SIZE = 3_000_000_000
SECONDS = 6.0
MEMORY = 400 << 20
# A process begins with the memory of the one that starts it, which is large where tests run.
MEASURED = """
import json, resource, subprocess, sys
ran = subprocess.run(sys.argv[1:], stderr=subprocess.STDOUT)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
seconds = used.ru_utime + used.ru_stime
print(json.dumps([ran.returncode, seconds, used.ru_maxrss << 10]), file=sys.stderr)
"""
LED = "/$\na := 1\n$/\n"
GAMES = ROOT / "games"


def large(path: Path, begin: bytes = b"") -> Path:
    """A file of 3 GB, which takes no room on the disk."""
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as file:
        file.write(begin)
        file.truncate(SIZE)
    return path


GIVEN = {
    "a document": ("large.md", b"System Facts\n", ("check", "large.md")),
    "a net": ("large.pnml", b"<?xml version='1.0'?><pnml>", ("check", "large.pnml")),
    "a file that a net includes": ("more.h", b"int a;\n", ("check", "including.net")),
    "a reading beside a net": ("plain.reading", b"Reading\n", ("check", "plain.net")),
    "a reading that is named": (
        "some.reading",
        b"Reading\n",
        ("explain", "plain.net", "--reading", "some.reading"),
    ),
    "a list of moves": ("moves.txt", b"1\n", ("play", "heap.md", "--moves", "moves.txt")),
    "a saved play": (
        "saved.txt",
        b"zermelo play 2\n",
        ("play", "heap.md", "--moves", "saved.txt"),
    ),
    "a list of inputs": ("inputs.txt", b"frame\n", ("easel", "some.led", "--script", "inputs.txt")),
    "a transcript": ("asked.txt", b"cmd:>1\n", ("repl", "some.led", "--transcript", "asked.txt")),
    "a mapping": (
        "board.toml",
        b"",
        (
            *("net", "shape", str(GAMES / "tic-tac-toe-net/tic-tac-toe-net.net")),
            *("--game", "tic-tac-toe", "--mapping", "board.toml"),
        ),
    ),
    "a checkpoint": (
        "kept/exploration.sealed",
        b"zermelo exploration 2\n",
        ("explore", "heap.md", "--checkpoint", "kept"),
    ),
    "a solution": ("heap.solution", b"zermelo solution\n", ("solve", "heap.md", "heap.solution")),
}


@pytest.mark.parametrize("what", GIVEN)
def test_a_file_of_three_gigabytes_is_answered_at_once(tmp_path: Path, what: str) -> None:
    (tmp_path / "heap.md").write_text(heap_text(3), "utf-8")
    (tmp_path / "some.led").write_text(LED, "utf-8")
    (tmp_path / "plain.net").write_text(HEAP, "utf-8")
    (tmp_path / "including.net").write_text(f'#include "more.h"\n{HEAP}', "utf-8")
    name, begin, command = GIVEN[what]
    large(tmp_path / name, begin)

    running = subprocess.run(
        [sys.executable, "-P", "-c", MEASURED, sys.executable, "-P", "-m", "zermelo", *command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(SOURCE), "ZERMELO_CACHE": str(tmp_path / "cache"), "HOME": "/"},
    )
    code, seconds, memory = json.loads(running.stderr)

    assert code in {1, 2}, running.stdout.decode()
    assert seconds < SECONDS
    assert memory < MEMORY


def test_of_a_document_that_is_too_large_no_report_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = cache.Cache(tmp_path / "kept", keeps_findings=True)
    monkeypatch.setattr(cache, "_standard", [kept])
    path = tmp_path / "some.pnml"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES_OF_XML)
    assert reports.key_of(path, {}, Screen()) is not None

    with path.open("ab") as file:
        file.write(b"\n")
    assert reports.key_of(path, {}, Screen()) is None


def test_a_large_file_beside_a_document_is_told_from_another_without_being_read(
    tmp_path: Path,
) -> None:
    path = large(tmp_path / "picture.png")
    first = how_it_is(path)

    assert first == how_it_is(path)
    with path.open("r+b") as file:
        file.write(b"other")
    assert first != how_it_is(path)
