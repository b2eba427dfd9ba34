"""Ctrl-C ends the command with 130 and output that is not read with 141, at any moment."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.project import SOURCE
from zermelo.faces.cli.main import PIPE_CLOSED
from zermelo.faces.cli.progress import INTERRUPTED

# Python imports this before anything else. It tells when the imports of the package begin, and
# interrupts the process at one of them.
HOOK = """
import os, signal, sys

class Hook:
    made = 0
    is_begun = False

    def find_spec(self, name, path=None, target=None):
        # The first module that the package asks for itself.
        if name.startswith("zermelo.") and not self.is_begun:
            self.is_begun = True
            if "TELL" in os.environ:
                os.write(int(os.environ["TELL"]), b"!")
        self.made += self.is_begun
        if self.is_begun and self.made == int(os.environ.get("INTERRUPT_AT", "0")):
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Hook())
"""
BY_SIGNAL = -signal.SIGINT
"""Python was ending already, and let the system end it; shells say 130 for this, too."""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "sitecustomize.py").write_text(HOOK)
    path = os.pathsep.join([str(tmp_path), str(SOURCE)])
    return {**os.environ, "PYTHONPATH": path, "NO_COLOR": "1"}


COMMANDS = [["explain", "tic-tac-toe"], ["check", "tic-tac-toe-net", "--states", "100"]]


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each[0])
def test_an_interrupt_at_any_import_ends_quietly(
    environment: dict[str, str], command: list[str]
) -> None:
    ended = 0
    # The first ones each, then one in thirty.
    for at in [1, 2, 3, *range(4, 2000, 31)]:
        ran = subprocess.run(
            [sys.executable, "-m", "zermelo", *command],
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env={**environment, "INTERRUPT_AT": str(at)},
            timeout=120,
        )
        if ran.returncode == 0:
            break
        assert (ran.returncode, ran.stderr.strip()) == (INTERRUPTED, ""), f"at import {at}"
        ended += 1
    assert ended > 5


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS[:1], ids=lambda each: each[0])
def test_an_interrupt_at_any_moment_ends_quietly(
    environment: dict[str, str], command: list[str]
) -> None:
    ends = set()
    for moment in range(0, 1200, 20):
        reader, writer = os.pipe()
        with subprocess.Popen(
            [sys.executable, "-m", "zermelo", *command],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env={**environment, "TELL": str(writer)},
            pass_fds=[writer],
        ) as process:
            os.close(writer)
            assert os.read(reader, 1) == b"!"
            os.close(reader)
            time.sleep(moment / 1000)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=120)
        assert "Traceback" not in said, f"after {moment} ms"
        assert "Exception ignored" not in said, f"after {moment} ms"
        assert process.returncode in {0, INTERRUPTED, BY_SIGNAL}, f"after {moment} ms: {said}"
        ends.add(process.returncode)
        if process.returncode == 0:
            break
    assert INTERRUPTED in ends


def test_a_script_called_zermelo_ends_quietly_too(
    environment: dict[str, str], tmp_path: Path
) -> None:
    script = tmp_path / "zermelo"
    script.write_text("import sys\nfrom zermelo.faces.cli.main import main\nsys.exit(main())\n")
    # Python puts the folder of a script in front, where its own name must not be in the way.
    for at in (1, 2, 60):
        ran = subprocess.run(
            [sys.executable, "-P", str(script), "games"],
            check=False,
            capture_output=True,
            text=True,
            env={**environment, "INTERRUPT_AT": str(at)},
            timeout=120,
        )
        assert (ran.returncode, ran.stderr) == (INTERRUPTED, "")


@pytest.mark.parametrize("option", ["-m", "-Pm"])
def test_a_document_called_like_the_program_changes_nothing(
    environment: dict[str, str], option: str
) -> None:
    ran = subprocess.run(
        [sys.executable, option, "zermelo", "explain", "zermelo"],
        check=False,
        capture_output=True,
        text=True,
        env={**environment, "INTERRUPT_AT": "30"},
        timeout=120,
    )

    assert (ran.returncode, ran.stderr) == (INTERRUPTED, "")


def test_who_imports_the_library_gets_a_keyboard_interrupt(environment: dict[str, str]) -> None:
    program = "try:\n    from zermelo import load\nexcept KeyboardInterrupt:\n    print('caught')"

    ran = subprocess.run(
        [sys.executable, "-c", program],
        check=False,
        capture_output=True,
        text=True,
        env={**environment, "INTERRUPT_AT": "20"},
        timeout=120,
    )

    assert (ran.returncode, ran.stdout) == (0, "caught\n")


def test_an_interrupt_that_is_ignored_from_the_start_stays_ignored(
    environment: dict[str, str],
) -> None:
    ran = subprocess.run(
        ["sh", "-c", f"trap '' INT; exec {sys.executable} -m zermelo --version"],
        check=False,
        capture_output=True,
        text=True,
        env={**environment, "INTERRUPT_AT": "20"},
        timeout=120,
    )

    assert (ran.returncode, ran.stderr) == (0, "")


# Output that nobody reads


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        "--help",
        "explain tic-tac-toe",
        "graph tic-tac-toe --depth 1 --format dot",
        "net draw tic-tac-toe-net -o /dev/stdout",
        "nosuch",
    ],
)
@pytest.mark.parametrize("closed", ["out", "err", "both", "in", "pipe", "both to a pipe"])
def test_a_closed_stream_gives_no_traceback(
    command: str, closed: str, environment: dict[str, str]
) -> None:
    if closed.endswith("pipe"):
        reader, writer = os.pipe()
        os.close(reader)
        out, err = writer, writer if closed.startswith("both") else subprocess.PIPE
        redirections = ""
    else:
        out, err = subprocess.PIPE, subprocess.PIPE
        redirections = {"out": ">&-", "err": "2>&-", "both": ">&- 2>&-", "in": "<&-"}[closed]
    ran = subprocess.run(
        ["sh", "-c", f"exec {sys.executable} -m zermelo {command} {redirections}"],
        check=False,
        stdout=out,
        stderr=err,
        text=True,
        env=environment,
        timeout=120,
    )
    if closed.endswith("pipe"):
        os.close(writer)

    said = ran.stderr or ""
    assert "Traceback" not in said
    assert "Exception ignored" not in said
    assert "fault of ours" not in said
    if command == "nosuch":
        assert ran.returncode == (PIPE_CLOSED if closed == "both to a pipe" else 2)
    elif closed in {"err", "in"}:
        assert ran.returncode == 0
    else:
        assert ran.returncode == PIPE_CLOSED
