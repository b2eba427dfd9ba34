"""``zermelo explore``: what it prints, what bounds it, and how it goes on after a kill."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.support.command import zermelo
from tests.support.project import SOURCE
from tests.support.small_documents import heap_text
from zermelo.api import loading, questions
from zermelo.core.space import ExploreOptions
from zermelo.engines.space.checkpoint import KEEPING, Checkpoint
from zermelo.faces.cli.progress import Watchdog, out_of_time_text
from zermelo.text import budget

TIC_TAC_TOE = "tic-tac-toe"
HEAP = heap_text(5)
RING = """\
Applicable Sets
  H : {0..5}
  B : {true, false}
System Variables
  at ∈ H
  over ∈ B
System Facts
  over ↔ (at = 5)
System Initialization
  at = 0
System States and Behavior
Walk(to ∈ {0, 1, 2, 5})
  at ≠ 5 → at = to
"""


@pytest.fixture
def heap(tmp_path: Path) -> str:
    path = tmp_path / "heap.md"
    path.write_text(HEAP, encoding="utf-8")
    return str(path)


@pytest.fixture
def ring(tmp_path: Path) -> str:
    path = tmp_path / "ring.md"
    path.write_text(RING, encoding="utf-8")
    return str(path)


def test_everything_is_explored_if_nothing_bounds_it() -> None:
    ran = zermelo("explore", TIC_TAC_TOE, "--plays", "--json").json

    assert ran["states"] == 5478
    assert ran["plays"] == 255_168
    assert ran["by_depth"] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert ran["endings"] == {"X wins": 626, "O wins": 316, "draw": 16}
    assert ran["moves"] == 16167
    assert (ran["stuck"], ran["complete"], ran["cut"], ran["cycles"]) == (0, True, None, False)
    assert [len(ran["shortest"][each]) for each in ran["endings"]] == [5, 6, 9]
    assert len(ran["longest"]) == 9


def test_the_json_says_how_it_was_done(heap: str) -> None:
    ran = zermelo("explore", heap, "--json").json

    assert ran["seconds"] >= 0
    assert ran["threads"] >= 1
    assert ran["bytes"] > 0
    assert "interpreter" in ran["machine"]
    assert "table" in ran["store"]
    assert ran["readings"]["end"] == "when over"


def test_complete_plays_are_counted_on_request(heap: str) -> None:
    # 1 1 1 1 1; four with one 2; three with two of them
    ran = zermelo("explore", heap, "--plays", "--json")

    assert ran.json["plays"] == 8
    assert "8 complete plays." in zermelo("explore", heap, "--plays").out
    assert "plays" not in zermelo("explore", heap, "--json").json


def test_plays_are_counted_by_length_on_request(heap: str) -> None:
    ran = zermelo("explore", heap, "--plays", "6", "--json").json

    # of three moves all but 2 2 2; of four 1 1 1 1 and the four with one 2; of five 1 1 1 1 1
    assert ran["plays"] == [2, 4, 7, 5, 1, 0]
    assert "states" not in ran


def test_where_there_are_cycles_complete_plays_have_no_number(ring: str) -> None:
    ran = zermelo("explore", ring, "--plays", "--json").json

    assert ran["plays"] is None
    assert (ran["cycles"], ran["longest"]) == (True, None)
    told = zermelo("explore", ring, "--plays").out
    assert "Plays can go on without end" in told
    assert "Complete plays were not counted: there is no longest one." in told


def test_a_number_of_plays_is_a_number(heap: str) -> None:
    ran = zermelo("explore", "--plays", heap)

    assert ran.code == 2
    assert "is no number of moves" in ran.err.replace("\n", " ")


def test_rules_are_counted_on_request(heap: str) -> None:
    told = zermelo("explore", heap, "--rules")

    assert "  Rule 1 of Take fired in 14 moves.\n" in told.out
    assert zermelo("explore", heap, "--json").json["fired"]["Take 1"] == 14


@pytest.mark.parametrize("threads", ["1", "2"])
def test_threads_and_a_limit_of_states_give_the_same(threads: str) -> None:
    ran = zermelo("explore", TIC_TAC_TOE, "--states", "1000", "--threads", threads, "--json").json

    assert ran["states"] == 1000
    assert ran["by_depth"] == [1, 9, 72, 252, 666]
    assert (ran["complete"], ran["cut"]) == (False, "stopped at 1,000 states")


def test_a_budget_of_time_or_memory_that_is_hit_is_said() -> None:
    late = zermelo("explore", TIC_TAC_TOE, "--seconds", "0")
    assert late.code == 124
    assert "the 0 seconds were over while reading, and nothing was counted" in late.err

    small = zermelo("explore", TIC_TAC_TOE, "--memory", "12k", "--json").json
    assert small["complete"] is False
    assert small["cut"] == "12 kB of memory are not enough for more"


def test_an_amount_of_memory_has_a_unit(heap: str) -> None:
    ran = zermelo("explore", heap, "--memory", "much")

    assert ran.code == 2
    assert "`much` is no amount of memory; write `2G` or `500M`" in ran.err.replace("\n", " ")


def test_a_folder_of_another_document_is_refused(heap: str, ring: str, tmp_path: Path) -> None:
    folder = str(tmp_path / "kept")
    assert zermelo("explore", heap, "--checkpoint", folder).code == 0

    ran = zermelo("explore", ring, "--checkpoint", folder)

    assert ran.code == 2
    assert "is of another document" in ran.err.replace("\n", " ")


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "zermelo", *arguments],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + 60
    while not path.exists() and time.monotonic() < until and process.poll() is None:
        time.sleep(0.02)
    assert path.exists()


def test_an_exploration_goes_on_after_a_kill(tmp_path: Path) -> None:
    # one level after another: the first are kept before the last are reached
    folder = tmp_path / "kept"
    process = start("explore", TIC_TAC_TOE, "--checkpoint", str(folder))
    wait_for(folder / "exploration.sealed", process)
    process.kill()
    process.communicate()

    again = start("explore", TIC_TAC_TOE, "--checkpoint", str(folder), "--json")
    out, err = again.communicate()

    assert again.returncode == 0, err
    ran = json.loads(out)
    assert (ran["states"], ran["complete"]) == (5478, True)
    assert ran["endings"] == {"X wins": 626, "O wins": 316, "draw": 16}
    assert ran["moves"] == 16167


def test_an_interruption_gives_what_was_found(tmp_path: Path) -> None:
    # four-quadrants has far more states than can be listed
    folder = tmp_path / "kept"
    process = start("explore", "four-quadrants", "--checkpoint", str(folder), "--memory", "300M")
    wait_for(folder / "exploration.sealed", process)

    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=100)

    assert process.returncode == 130
    assert "not all: interrupted." in out
    command = f"zermelo explore four-quadrants --checkpoint {folder} --memory 300M"
    assert f"\n  {command}\n" in said


def test_the_same_command_goes_on_and_says_from_where(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    cut = zermelo("explore", TIC_TAC_TOE, "--checkpoint", str(folder), "--states", "1000")
    seconds = ("--seconds", "100", "--json")

    ran = zermelo("explore", TIC_TAC_TOE, "--checkpoint", str(folder), *seconds)

    assert "with more --states, or without it, this goes on" in " ".join(cut.err.split())
    assert f"going on from {folder}: 1,000 states, 3 levels complete" in " ".join(ran.err.split())
    assert (ran.json["states"], ran.json["complete"]) == (5478, True)
    assert ran.json["resumed"]["states"] == 1000
    assert ran.json["resumed"]["seconds"] > 0


@pytest.mark.parametrize(
    ("command", "option", "value"),
    [
        ("explore", "states", "100"),
        ("explore", "depth", "2"),
        ("explore", "memory", "1k"),
        ("solve", "memory", "1k"),
    ],
)
def test_a_limit_that_would_be_met_again_is_named(
    tmp_path: Path, command: str, option: str, value: str
) -> None:
    kept = ("--checkpoint", str(tmp_path / "kept"))

    ran = zermelo(command, TIC_TAC_TOE, *kept, f"--{option}", value)

    assert f"with more --{option}, or without it, this goes on" in " ".join(ran.err.split())


def test_a_limit_that_a_net_would_meet_again_is_named(tmp_path: Path) -> None:
    kept = ("--checkpoint", str(tmp_path / "kept"))

    ran = zermelo("net", "states", "tic-tac-toe-net", *kept, "--states", "100")

    assert "with more --states, or without it, this goes on" in " ".join(ran.err.split())


def test_the_library_explores_as_the_command_does() -> None:
    space = questions.explore(loading.load_text(HEAP), wishes=ExploreOptions(complete_plays=True))

    assert space.by_depth == (1, 2, 3, 3, 1)
    assert space.complete_plays == 8


CHAIN = """
Applicable Sets
  N : {0..100}
System Variables
  at ∈ N
System Initialization
  at = 0
System States and Behavior
Step(n ∈ {1})
  at < 100 → at = at + n
"""


def test_many_levels_are_shown_shortened_and_told_in_full_as_json() -> None:
    shown = zermelo("explore", "-", typed=CHAIN)
    rows = [line.split() for line in shown.out.splitlines() if line.strip()[:1].isdigit()]
    levels = [int(row[0]) for row in rows if len(row) == 2]

    assert levels == [*range(10), 22, 36, 50, 63, 77, *range(91, 101)]
    assert shown.out.count("…\n") == 6
    assert "101 rows; --json has them all" in shown.out
    assert zermelo("explore", "-", "--json", typed=CHAIN).json["by_depth"] == [1] * 101


def test_up_to_forty_levels_are_all_shown() -> None:
    shown = zermelo("explore", "-", "--depth", "39", typed=CHAIN).out

    assert "rows;" not in shown
    assert "\n     39       1\n" in shown


def test_a_kept_exploration_that_is_deeper_than_asked_for_goes_no_further(tmp_path: Path) -> None:
    folder = str(tmp_path / "kept")
    assert zermelo("explore", TIC_TAC_TOE, "--checkpoint", folder, "--depth", "5").code == 0

    ran = zermelo("explore", TIC_TAC_TOE, "--checkpoint", folder, "--depth", "3", "--json").json

    # 1 + 9 + 72 + 252 + 756 + 1,260: see expected.toml of the game.
    assert ran["states"] == 2350
    assert not ran["complete"]


def test_a_folder_that_has_more_states_than_asked_for_is_told(tmp_path: Path) -> None:
    folder = str(tmp_path / "kept")
    first = zermelo("explore", TIC_TAC_TOE, "--checkpoint", folder, "--states", "1000", "--json")
    assert first.json["cut"] == "stopped at 1,000 states"

    ran = zermelo("explore", TIC_TAC_TOE, "--checkpoint", folder, "--states", "500", "--json")

    assert ran.json["states"] == 1000
    assert ran.json["cut"] == "stopped, as 1,000 states were kept before"
    assert "with more --states" in " ".join(ran.err.split())
    # What is complete is complete, however little was asked for.
    assert zermelo("explore", TIC_TAC_TOE, "--checkpoint", folder).code == 0
    assert zermelo("explore", TIC_TAC_TOE, "--checkpoint", folder, "--states", "9", "--json").json[
        "complete"
    ]


def test_a_folder_is_refused_where_nothing_is_kept_of_plays(tmp_path: Path, heap: str) -> None:
    folder = tmp_path / "kept"

    ran = zermelo("explore", heap, "--plays", "3", "--checkpoint", str(folder))

    assert ran.code == 2
    assert "--plays 3 counts plays, of which nothing is kept; leave out" in ran.err
    assert not folder.exists()
    more = ("--depth", "2", "--checkpoint", str(folder))
    assert zermelo("explore", heap, "--plays", "3", *more).code == 0
    assert folder.exists()


def test_how_to_go_on_is_said_only_where_something_is_kept(
    tmp_path: Path, heap: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "kept"
    nothing = out_of_time_text(5, "compiling", None, folder)
    assert nothing.endswith("--seconds gives it more")

    # The first time nothing can be kept, as nothing was found in no time at all.
    monkeypatch.setattr(Checkpoint, "keep", lambda *_: None)
    ran = zermelo("explore", heap, "--depth", "1", "--checkpoint", str(folder))
    assert (ran.code, "kept in" in ran.err) == (0, False)
    monkeypatch.undo()

    ran = zermelo("explore", heap, "--depth", "1", "--checkpoint", str(folder))
    assert "what was found is kept in" in " ".join(ran.err.split())
    said = out_of_time_text(5, "keeping what was found", None, folder)
    assert f"What was kept in {folder} before is there" in said


def test_a_process_that_is_ended_while_it_keeps_says_how_to_go_on(
    tmp_path: Path, heap: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where keeping takes longer than a limit may be exceeded, it is ended in its midst."""
    folder = tmp_path / "kept"
    assert zermelo("explore", heap, "--depth", "1", "--checkpoint", str(folder)).code == 0
    phases: list[str] = []
    monkeypatch.setattr(
        Checkpoint,
        "_keep",
        lambda *_: phases.append("" if (watch := budget.watch()) is None else watch.phase),
    )
    assert zermelo("explore", heap, "--checkpoint", str(folder)).code == 0
    assert set(phases) == {KEEPING}

    codes: list[int] = []
    is_ended = threading.Event()

    def leave(code: int) -> None:
        codes.append(code)
        is_ended.set()

    monkeypatch.setattr(os, "_exit", leave)
    watchdog = Watchdog()
    watchdog.folder = folder
    watch = budget.Watch(budget.now() - 100.0)
    watch.turn_to(KEEPING)
    watchdog.start(watch, 5.0)

    assert is_ended.wait(60)
    assert codes == [124]
    said = " ".join(capsys.readouterr().err.split())
    assert "the 5 seconds were over while keeping what was found" in said
    assert f"What was kept in {folder} before is there" in said
