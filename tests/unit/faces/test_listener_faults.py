"""Whatever happens while a run tells how far it is: its answer is right, or said to be partial.

An interruption, a second one, and a standard error that cannot be written to are made to
happen at the first call of the listener, then at the second, and so on until there is none.
"""

import errno
import io
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from itertools import count
from pathlib import Path

import pytest

from tests.support.command import Ran
from tests.support.prod import PHILOSOPHERS
from tests.support.project import SOURCE
from tests.support.small_documents import heap_text
from zermelo.core.limits import Progress
from zermelo.engines.check import observe
from zermelo.faces.cli import progress, prompt
from zermelo.faces.cli.main import run
from zermelo.text import budget

HEAP = heap_text(3)
COMMANDS = ["explore heap.md", "solve heap.md", "graph heap.md", "net report table.net"]
CHECKS = ["check heap.md", "check table.net --json", "check table.net --one-line"]
MOST = 100
"""More calls than any of these runs makes."""


class Terminal(io.TextIOWrapper):
    """A standard error that a person seems to see, until it cannot be written to."""

    def __init__(self, *, breaks_at: int | None = None, error: int = errno.EIO) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", newline="")
        self.writes = 0
        self._breaks_at = breaks_at
        self._error = error

    def isatty(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        self.writes += 1
        if self.is_broken:
            raise OSError(self._error, os.strerror(self._error))
        return super().write(text)

    @property
    def is_broken(self) -> bool:
        return self._breaks_at is not None and self.writes >= self._breaks_at


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "heap.md").write_text(HEAP, encoding="utf-8")
    (tmp_path / "table.net").write_text(PHILOSOPHERS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    # Every call is shown, however soon it comes after the one before.
    monkeypatch.setattr(progress, "SECONDS_BETWEEN", 0.0)
    monkeypatch.setattr(observe, "_NODES_BETWEEN_REPORTS", 4)


def _ran(command: str, terminal: Terminal) -> Ran:
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    with redirect_stdout(out), redirect_stderr(terminal):
        code = run(command.split())
    out.seek(0)
    err = b"" if terminal.is_broken else terminal.buffer.getvalue()  # type: ignore[attr-defined]  # it is a BytesIO
    return Ran(code, _untimed(out.read()), err.decode())


def _untimed(text: str) -> str:
    return re.sub(r"\d+(\.\d+)? s\b", "some s", text)


def _injected(
    command: str,
    monkeypatch: pytest.MonkeyPatch,
    fault: Callable[[progress.InterruptListener], None],
) -> Iterator[Ran]:
    """What comes of *fault* at the first call of the listener, at the second, and so on."""
    told = progress.InterruptListener.__call__
    for at in count(1):
        calls = 0

        def call(self: progress.InterruptListener, given: Progress, at: int = at) -> bool:
            nonlocal calls
            calls += 1
            if calls == at:
                fault(self)
            return told(self, given)

        with monkeypatch.context() as patch:
            patch.setattr(progress.InterruptListener, "__call__", call)
            ran = _ran(command, Terminal())
        if calls < at:
            assert at > 1, "nobody listened"
            return
        assert at < MOST
        yield ran


@pytest.mark.parametrize("command", [*COMMANDS, *CHECKS])
def test_an_interruption_at_any_call_gives_all_or_says_that_it_does_not(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(listener: progress.InterruptListener) -> None:
        listener.is_asked = True

    whole = _ran(command, Terminal())
    assert whole.code == 0

    for ran in _injected(command, monkeypatch, ask):
        assert ran.code == 130
        assert ran.out == whole.out or "interrupted" in ran.out + ran.err
        assert "Traceback" not in ran.err


@pytest.mark.parametrize("command", [*COMMANDS, *CHECKS])
def test_a_second_interruption_at_any_call_ends_it_without_an_answer(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: progress.InterruptListener) -> None:
        raise KeyboardInterrupt

    for ran in _injected(command, monkeypatch, interrupt):
        assert (ran.code, ran.out) == (130, "")
        assert "Traceback" not in ran.err


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("error", [errno.EIO, errno.EPIPE, errno.ENOSPC])
def test_a_run_goes_on_when_nobody_can_see_how_far_it_is(command: str, error: int) -> None:
    whole = _ran(command, Terminal())
    for at in range(1, MOST):
        terminal = Terminal(breaks_at=at, error=error)
        ran = _ran(command, terminal)

        assert (ran.code, ran.out) == (whole.code, whole.out)
        if not terminal.is_broken:
            assert at > 1, "nothing was shown"
            return
    raise AssertionError("it never ends")


@pytest.mark.parametrize("at", [1, 2, 40])
def test_a_check_goes_on_when_nobody_can_see_how_far_it_is(at: int) -> None:
    whole = _ran("check tic-tac-toe", Terminal())
    terminal = Terminal(breaks_at=at)

    assert _ran("check tic-tac-toe", terminal).out == whole.out
    assert terminal.is_broken


def test_what_takes_long_before_there_is_anything_to_count_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(progress, "SECONDS_BEFORE_RATES", 0.01)
    terminal = Terminal()

    with redirect_stderr(terminal), budget.timed(), budget.budget(until=budget.now() + 1_000):
        with progress.phases(), budget.phase("reading"):
            while not terminal.writes:
                time.sleep(0.01)
        written = terminal.writes
        time.sleep(0.1)

    # It is taken away when that is over, and nobody goes on writing.
    assert terminal.writes == written
    shown = terminal.buffer.getvalue().decode()  # type: ignore[attr-defined]  # it is a BytesIO
    assert shown.startswith("\r  at most 17 min left; reading")
    assert re.search(r"\r +\r$", shown)


TYPED = ["moves", "1", "nonsense", "undo", "hint", "state", "2"]


@pytest.mark.parametrize("command", ["play heap.md", "play table.net", "repl heap.md"])
def test_an_interruption_at_any_prompt_ends_it_quietly(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prompt, "is_interactive", lambda: True)

    def answered(lines: list[str]) -> Ran:
        left = iter(lines)

        def typed(_: str) -> str:
            for text in left:
                return text
            raise KeyboardInterrupt

        monkeypatch.setattr("builtins.input", typed)
        return _ran(command, Terminal())

    before = ""
    for at in range(len(TYPED) + 1):
        ran = answered(TYPED[:at])

        assert ran.code == 130
        assert "Traceback" not in ran.err
        # What was answered until then is there, and nothing else.
        assert ran.out.startswith(before)
        before = ran.out
    assert "nonsense" in before


@pytest.mark.parametrize("command", ["explore heap.md", "check heap.md"])
def test_who_is_started_not_to_be_interrupted_is_not(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = _ran(command, Terminal())
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        for ran in _injected(command, monkeypatch, lambda _: signal.raise_signal(signal.SIGINT)):
            assert (ran.code, ran.out) == (whole.code, whole.out)
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("columns", ["1", "2", "0", "-5", "many"])
def test_the_terminal_may_have_any_width(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("TERM", "dumb")

    ran = _ran("graph heap.md", Terminal())

    assert ran.code == 0
    assert "strongly connected" in " ".join(ran.out.split())


# Streams of a process


def _process(command: str, redirected: str) -> tuple[int, str, str]:
    ran = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" -P -m zermelo {command} {redirected}', sys.executable],
        env={**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONUTF8": "1"},
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=120,
    )
    return ran.returncode, _untimed(ran.stdout), ran.stderr


@pytest.mark.parametrize("redirected", ["2>/dev/full", "2>&-", "2>&- <&-"])
def test_a_standard_error_that_is_full_or_closed_loses_nothing(redirected: str) -> None:
    whole = _process("explore heap.md", "")

    assert _process("explore heap.md", redirected) == whole
    assert _process("explore nothing.md", redirected)[:2] == (2, "")


def test_an_answer_that_cannot_be_written_is_said() -> None:
    code, _, err = _process("explore heap.md", ">/dev/full")

    assert (code, err) == (2, "zermelo: the answer cannot be written: No space left on device\n")
    assert _process("explore heap.md", ">/dev/full 2>/dev/full") == (2, "", "")


def test_a_standard_output_that_is_closed_is_like_one_that_is_not_read() -> None:
    assert _process("explore heap.md", ">&-") == (141, "", "")
