"""A program that is started in the background does not hear Ctrl-C, and tests there do not hang."""

import os
import signal
import subprocess
import sys
import urllib.request

import pytest

from tests.support.project import SOURCE

ROOT = SOURCE.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONUTF8": "1"}


def _ignore() -> None:
    """What a shell does for a command with ``&`` behind it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@pytest.mark.slow
def test_tests_of_interruptions_pass_in_the_background() -> None:
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
            *("tests/terminal/test_play.py", "-k", "interruption"),
        ],
        cwd=ROOT,
        env=ENVIRONMENT,
        preexec_fn=_ignore,
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )

    assert ran.returncode == 0, ran.stdout
    assert " passed" in ran.stdout


def test_a_server_in_the_background_goes_on() -> None:
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "zermelo", "easel", "tic-tac-toe-led", "--no-browser"],
        env=ENVIRONMENT,
        preexec_fn=_ignore,  # noqa: PLW1509 - nothing else runs in this process
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        address = server.stdout.readline().partition(" is at ")[2].partition("#")[0]
        for _ in range(3):
            with urllib.request.urlopen(address, timeout=60) as answer:
                assert answer.status == 200
            server.send_signal(signal.SIGINT)
        server.terminate()

        assert server.wait(timeout=60) == -signal.SIGTERM
