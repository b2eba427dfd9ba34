"""Records what every command says of every document, and shows where it says something else.

Comes in: the games of the library and the documents below ``tests/documents``. Goes out: one text
file a document in ``tests/recordings``, which has each command with its exit code, its output and
the files it wrote; or, compared with such files, the differences, and exit code 1 if there is one.

    PYTHONPATH=src:. .venv/bin/python tools/recordings.py --compare             everything
    PYTHONPATH=src:. .venv/bin/python tools/recordings.py --compare library     a part, or NAME …
    PYTHONPATH=src:. .venv/bin/python tools/recordings.py --update [PART …]
    PYTHONPATH=src:. .venv/bin/python tools/recordings.py --update --whole --folder before
    PYTHONPATH=src:. .venv/bin/python tools/recordings.py --compare --whole --folder before

``--processes N`` takes N documents at a time.

A long output is recorded as its first lines and a fingerprint; with ``--whole`` all of it is, which
shows what has changed in it. All commands on a document run in one process, on one thread, with
limits that count work. The clock they ask stands all but still, so that none runs out of time, and
no code is compiled because something took long: the same text is recorded on a slow machine and on
a fast one.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import itertools
import multiprocessing
import os
import re
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from unittest import mock

from PIL import Image

from tests.support.command import Ran, zermelo
from tests.support.project import ROOT, TESTS, place
from tools.recorded_commands import (
    LONG,
    OUT,
    WITHOUT_DOCUMENT,
    Asked,
    Plan,
    Subject,
    first_questions,
    questions,
    subjects,
    walk,
)
from zermelo.files.writing import replace

FOLDER: Final = TESTS / "recordings"
LIBRARY: Final = "library"
LONGEST: Final[Mapping[bool, tuple[int, int]]] = {True: (200, 60), False: (60, 20)}
"""Of which number of lines on an output is shortened, and to how many, in the library or not."""
TICK: Final = 1e-6
"""Seconds by which the clock goes on whenever it is asked."""
_WIDTH: Final = "80"
_BLOCK: Final = re.compile(r"^(?=\$ zermelo )", re.M)
_MASKS: Final = (
    (re.compile(r'("(?:seconds|bytes|threads|rate)": )[\d.e+-]+'), r"\1_"),
    (re.compile(r',\s*"phases": \{[^}]*\}'), ""),
    (re.compile(r"\b\d[\d,.]* (s|min|h|[kMG]B|bytes|threads?|states a second)\b"), r"_ \1"),
    (re.compile(r"(zermelo|Python) \d+\.\d+\.\d+\S*"), r"\1 _"),
)


def masked(text: str) -> str:
    r"""*text* without what another run or another machine would say otherwise.

    >>> masked('solved in 0.2 s on 2 threads, with 12 MB')
    'solved in _ s on _ threads, with _ MB'
    >>> masked('{"states": 5478, "seconds": 0.236}')
    '{"states": 5478, "seconds": _}'
    >>> masked("\x1b[1mX\x1b[0m")
    '\\e[1mX\\e[0m'
    """
    for pattern, kept in _MASKS:
        text = pattern.sub(kept, text)
    return text.replace("\x1b", r"\e").replace("\r", r"\r").replace("\0", r"\0")


def shortened(text: str, *, longest: int, kept: int) -> str:
    """*text*; of one with more than *longest* lines the first *kept*, and a fingerprint of all.

    >>> print(shortened("a b c d".replace(" ", chr(10)), longest=3, kept=1))
    a
    [4 lines, sha256 f729ae0cbcc8241ebb6918af712a88d5]
    """
    lines = text.splitlines()
    if len(lines) <= longest:
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()
    return "\n".join([*lines[:kept], f"[{len(lines)} lines, sha256 {digest[:32]}]"])


class Recorder:
    """Runs commands on one document in a folder of its own, and writes down what they said."""

    def __init__(self, *, longest: tuple[int, int] | None) -> None:
        self._longest = longest
        self._known: dict[Path, bytes] = {}
        self._blocks: list[str] = []

    @property
    def text(self) -> str:
        """All that was recorded."""
        return "\n".join(self._blocks)

    def ask(self, asked: Asked) -> Ran:
        """Run one command, and record it."""
        typed = "".join(f"{line}\n" for line in asked.typed)
        ran = zermelo(*asked.arguments, typed=typed)
        lines = [f"$ zermelo {shlex.join(asked.arguments)}"]
        lines += [f"< {line}" for line in asked.typed]
        lines += [f"exit {ran.code}"]
        lines += self._shown("", ran.out)
        lines += self._shown("standard error:", ran.err)
        for path in self._written():
            lines += self._shown(f"{path.as_posix()}:", _content(path))
        self._blocks.append("".join(f"{line}\n" for line in lines))
        return ran

    def _shown(self, heading: str, text: str) -> list[str]:
        if not text:
            return []
        text = masked(text)
        if self._longest is not None:
            longest, kept = self._longest
            text = shortened(text, longest=longest, kept=kept)
        # A line that looks like the beginning of a block would be one when the file is read.
        body = [f"\\{line}" if line.startswith("$ zermelo ") else line for line in text.split("\n")]
        if body[-1] == "":
            del body[-1]
        return [*([heading] if heading else []), *body]

    def _written(self) -> Iterator[Path]:
        """The files below the folder for output that are new, or not what they were."""
        for path in sorted(Path(OUT).rglob("*")):
            if path.is_file():
                data = path.read_bytes()
                if self._known.get(path) != data:
                    self._known[path] = data
                    yield path


def _content(path: Path) -> str:
    """What a file says; of a picture what it shows, of other files that are no text only that."""
    if path.suffix == ".png":
        with Image.open(path) as picture:
            shown = hashlib.sha256(picture.convert("RGBA").tobytes()).hexdigest()
            return f"[a picture of {picture.width} × {picture.height}, sha256 {shown[:32]}]"
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError:
        return "[no text]"


def recording(of: Subject | Sequence[Asked], *, longest: tuple[int, int] | None = None) -> str:
    """What every command says of a document, or what some commands say, shortened to *longest*."""
    with _workplace():
        recorder = Recorder(longest=longest)
        if not isinstance(of, Subject):
            for asked in of:
                recorder.ask(asked)
            return recorder.text
        subject = of
        shutil.copyfile(subject.path, Path(OUT) / f"copy{subject.path.suffix}")
        answers = [recorder.ask(asked) for asked in first_questions(subject)]
        plan = Plan(subject, found=walk(answers[0].out))
        for asked in questions(plan):
            recorder.ask(asked)
        return recorder.text


@contextmanager
def _workplace() -> Iterator[None]:
    """A scratch folder with the documents, where the clock and the screen are always the same."""
    ticks = itertools.count()

    def clock() -> float:
        return next(ticks) * TICK

    with (
        tempfile.TemporaryDirectory() as scratch,
        chdir(scratch),
        mock.patch.dict(os.environ, {"COLUMNS": _WIDTH, "LINES": "24", "TERM": "dumb"}),
        mock.patch("time.monotonic", clock),
    ):
        shutil.copytree(ROOT / "games", "games")
        shutil.copytree(TESTS / "documents", "tests/documents")
        Path(OUT).mkdir()
        Path("inputs.txt").write_text(EASEL_INPUTS, encoding="utf-8")
        yield


EASEL_INPUTS: Final = "frame 2\nclick 150 650\nmove 10 20\nkey A\nclick 500 330\nsnapshot last\n"


def differences(recorded: str, said: str) -> list[str]:
    """The commands that are new, gone, or say something else, each with what differs."""
    before, after = _blocks(recorded), _blocks(said)
    found: list[str] = []
    for command in [*after, *(each for each in before if each not in after)]:
        old, new = before.get(command, ()), after.get(command, ())
        if old != new:
            lines = difflib.unified_diff(old, new, "recorded", "said now", n=2, lineterm="")
            found.append("\n".join([command, *lines]))
    return found


def _blocks(text: str) -> dict[str, Sequence[str]]:
    """What was recorded under each command with what was typed."""
    found: dict[str, Sequence[str]] = {}
    for block in _BLOCK.split(text):
        lines = block.rstrip("\n").split("\n")
        size = next((at for at, line in enumerate(lines) if line.startswith("exit ")), 0)
        command = "\n".join(lines[:size])
        # The same command may be asked again when it has changed something.
        while command in found:
            command += "\n(again)"
        found[command] = lines[size:]
    found.pop("", None)
    return found


@dataclass(frozen=True, slots=True)
class Part:
    """One file of the recordings."""

    name: str
    of: Subject | Sequence[Asked]
    """A document, or commands without one."""

    @property
    def is_library(self) -> bool:
        """Whether `./check` compares it."""
        return self.name.startswith(f"{LIBRARY}/")

    def file(self, folder: Path = FOLDER) -> Path:
        """Where it is recorded."""
        return folder / f"{self.name}.txt"

    def compared(self, *, folder: Path = FOLDER, is_whole: bool = False) -> list[str]:
        """Where the program says something else than was recorded."""
        path = self.file(folder)
        recorded = path.read_text(encoding="utf-8") if path.is_file() else ""
        return differences(recorded, self._said(is_whole=is_whole))

    def update(self, *, folder: Path = FOLDER, is_whole: bool = False) -> None:
        """Record it anew."""
        path = self.file(folder)
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(path, self._said(is_whole=is_whole).encode())

    def _said(self, *, is_whole: bool) -> str:
        return recording(self.of, longest=None if is_whole else LONGEST[self.is_library])


def parts() -> list[Part]:
    """All parts, those of the library first."""
    return [
        Part(f"{LIBRARY}/general", WITHOUT_DOCUMENT),
        *(Part(subject.recorded_as, subject) for subject in subjects()),
        Part("long", LONG),
    ]


def _chosen(names: Sequence[str]) -> list[Part]:
    """The parts whose names begin with one of *names*, or are one's last word; all without any."""
    found = [
        part
        for part in parts()
        if not names or any(part.name.startswith(n) or part.name.endswith(f"/{n}") for n in names)
    ]
    if not found:
        sys.exit(f"no recording is called so; there are: {' '.join(p.name for p in parts())}")
    return found


@dataclass(frozen=True, slots=True)
class _Work:
    """One part that is to be compared or recorded."""

    part: Part
    folder: Path
    is_update: bool
    is_whole: bool


def _done(work: _Work) -> tuple[list[str], str]:
    """Do it: the differences found, and a line that says how it went."""
    began = time.perf_counter()
    found: list[str] = []
    if work.is_update:
        work.part.update(folder=work.folder, is_whole=work.is_whole)
    else:
        found = work.part.compared(folder=work.folder, is_whole=work.is_whole)
    took = f"{time.perf_counter() - began:.1f} s"
    said = "recorded" if work.is_update else f"{len(found)} differences" if found else "same"
    return found, f"{place(work.part.file(work.folder))}: {said}, {took}"


def _all_done(work: Sequence[_Work], *, processes: int) -> Iterator[tuple[list[str], str]]:
    """Do all of it, some at a time; the answers come in the order of the parts."""
    if processes == 1:
        yield from map(_done, work)
        return
    # Started anew and not forked: a fork would take over locks and threads of this process.
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap(_done, work)


def main() -> int:
    """Compare or update the recordings that were asked for."""
    parser = argparse.ArgumentParser(description="What every command says of every document.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--compare", action="store_true", help="show what is said otherwise now")
    what.add_argument("--update", action="store_true", help="write down what is said now")
    parser.add_argument("--whole", action="store_true", help="shorten nothing")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the recordings are")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="how many at a time")
    parser.add_argument("names", nargs="*", metavar="PART", help="library, documents, or a name")
    options = parser.parse_args()
    folder: Path = options.folder.resolve()
    if options.whole and folder == FOLDER:
        parser.error("--whole needs a --folder of its own")
    work = [
        _Work(part, folder, is_update=options.update, is_whole=options.whole)
        for part in _chosen(options.names)
    ]
    failed = 0
    for found, said in _all_done(work, processes=options.processes):
        print("\n\n".join([*found, said]), flush=True)
        failed += bool(found)
    if failed:
        print(f"{failed} recordings differ; --update writes down what is said now.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
