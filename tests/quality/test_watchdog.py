"""A command whose work never looks at the clock is ended, and says what it was doing."""

import subprocess
import sys

import pytest

from tests.support.project import SOURCE

ALONE = """
from zermelo.core.limits import Progress
from zermelo.faces.cli.progress import Watchdog
from zermelo.text import budget

with budget.timed(), budget.phase("{phase}"):
    watchdog = Watchdog()
    watchdog.told = {told}
    watchdog.start(budget.watch(), 0.1)
    while True:
        pass
"""
WHOLE = """
from zermelo.api import loading
from zermelo.faces.cli.main import main

def endless(*_):
    while True:
        pass

loading._load = endless
main(["explore", "tic-tac-toe", "--json", "--seconds", "1"])
"""


def ended(script: str) -> str:
    """What a process says that runs *script* and is ended by its watchdog."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", script],
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        env={"PYTHONPATH": str(SOURCE), "PYTHONUTF8": "1"},
    )
    assert (done.returncode, done.stdout) == (124, "")
    return done.stderr


@pytest.mark.parametrize(
    ("phase", "told", "said"),
    [
        ("reading", "None", "nothing was counted"),
        ("exploring", "Progress(3, 1234, 0, 0.1)", "1,234 states were counted, 3 moves deep"),
    ],
)
def test_work_that_never_looks_at_the_clock_is_ended(phase: str, told: str, said: str) -> None:
    shown = ended(ALONE.format(phase=phase, told=told))

    assert " ".join(shown.split()) == (
        f"zermelo: the 0.1 seconds were over while {phase}, and {said}; --seconds gives it more"
    )
    assert all(len(row) <= 80 for row in shown.splitlines())


def test_a_command_has_a_watchdog() -> None:
    assert ended(WHOLE).startswith("zermelo: the 1 second was over while ")


SLOWLY_SAID = """
import time
from zermelo.faces.cli import screen
from zermelo.faces.cli.main import main

write = screen.Screen.show

def slow(self, *given):
    write(self, *given)
    time.sleep(3)

screen.Screen.show = slow
main(["explore", "tic-tac-toe", "--seconds", "0.01"])
"""


def test_that_the_time_is_over_is_said_once() -> None:
    assert ended(SLOWLY_SAID).count("over while") == 1


SLOWLY_READ = """
import time
from zermelo.faces.cli import screen
from zermelo.faces.cli.main import main

write = screen.Screen.show

def slow(self, *given):
    screen.Screen.show = write
    time.sleep(6)
    write(self, *given)

screen.Screen.show = slow
main(["{command}", "tic-tac-toe", "--seconds", "6"])
"""


@pytest.mark.slow
@pytest.mark.parametrize("command", ["check", "readings"])
def test_an_answer_that_is_there_is_written_to_its_end(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", SLOWLY_READ.format(command=command)],
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        env={"PYTHONPATH": str(SOURCE), "PYTHONUTF8": "1"},
    )

    assert done.stdout
    assert (done.returncode, done.stderr) == (0, "")
