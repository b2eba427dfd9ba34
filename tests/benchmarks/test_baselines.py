"""The programs that Zermelo is measured beside give the same figures as Zermelo."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from benchmarks.cases import connect_four, four_quadrants, pegs_explore, reversi
from benchmarks.measure import Missing, measured
from benchmarks.runner import main
from benchmarks.table import BEGIN, END, Row, at_least, at_most, markdown, put_into
from benchmarks.tools import HERE, Tools
from zermelo import explore, load

needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
needs_spin = pytest.mark.skipif(shutil.which("spin") is None, reason="spin is not installed")


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("build")


def answer(build: Path, name: str, *words: str) -> dict[str, Any]:
    return dict(Tools(build).baseline(name, *words).answer)


@needs_compiler
def test_the_program_for_pegs_counts_the_first_levels(build: Path) -> None:
    found = answer(build, "pegs_explore", "1024", "4")

    assert found["by_depth"] == pegs_explore.BY_DEPTH[:5]


@needs_compiler
def test_the_program_for_reversi_counts_as_zermelo_does(build: Path) -> None:
    found = answer(build, "reversi_explore")

    assert found["by_depth"] == reversi.BY_DEPTH
    assert explore(load(HERE / "documents" / "reversi-4x4.md")).by_depth == tuple(reversi.BY_DEPTH)
    assert (found["black"], found["white"], found["draws"]) == (2683, 2730, 755)


@needs_compiler
def test_the_program_for_connect_four_counts_every_position(build: Path) -> None:
    found = answer(build, "connect_four_solve")

    # the number of positions is John Tromp's, for 5 columns and 4 rows
    assert (found["states"], found["value"]) == (connect_four.STATES, "draw")
    assert sum(found["by_value"].values()) == connect_four.STATES


@needs_compiler
@pytest.mark.parametrize("size", ["4x3", "5x3", "4x4"])
def test_the_program_for_pawns_finds_the_values_that_zermelo_finds(build: Path, size: str) -> None:
    found = answer(build, "pawns_solve", *size.split("x"))
    solved = load(HERE / "documents" / f"pawns-{size}.md").solve()

    assert (solved.states, solved.stuck) == (found["states"], found["stuck"])
    for counted, scoring in zip(solved.counted, ("loses", "draws"), strict=False):
        by_value = {kind.value: count for kind, count in counted.by_kind.items()}
        assert {"win": 0, "draw": 0, "loss": 0, **by_value} == found[scoring]


@needs_compiler
@pytest.mark.parametrize("end", ["full", "known"])
def test_the_program_for_four_quadrants_finds_a_draw(build: Path, end: str) -> None:
    found = answer(build, "four_quadrants_solve", end)

    assert found["value"] == "draw"
    if end == "full":
        assert found["classes"] == four_quadrants.CLASSES
        assert found["positions"] == four_quadrants.POSITIONS


@needs_compiler
def test_the_program_for_nets_counts_as_the_contest_does(build: Path) -> None:
    found = answer(build, "net_explore", "philosophers", "5")

    # the Model Checking Contest's figures for Philosophers-PT-000005
    assert (found["states"], found["arcs"]) == (243, 945)
    # with one card a machine, as the literature on this net has it
    assert answer(build, "net_explore", "kanban", "1")["states"] == 160


@needs_compiler
def test_random_plays_of_tic_tac_toe_end_as_they_should(build: Path) -> None:
    found = answer(build, "playouts", "tic-tac-toe", "100000", "7")

    # 737 of 1260, 121 of 420 and 16 of 126 in the long run: a standard deviation is below 160
    assert abs(found["first"] - 58_492) < 1000
    assert abs(found["second"] - 28_810) < 1000
    assert abs(found["draws"] - 12_698) < 1000


@needs_compiler
@pytest.mark.parametrize("size", [6, 8])
def test_random_plays_of_breakthrough_have_a_winner(build: Path, size: int) -> None:
    found = answer(build, "playouts", f"breakthrough-{size}x{size}", "1000")

    assert found["first"] + found["second"] == 1000
    assert found["draws"] == 0


@needs_spin
def test_spin_reads_the_model_of_pegs(tmp_path: Path) -> None:
    done = subprocess.run(
        ["spin", "-a", str(HERE / "spin" / "pegs.pml")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "pan.c").exists()


def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(Missing, match="no-such-program"):
        measured([tmp_path / "no-such-program"])


def test_a_program_that_takes_too_long_is_stopped() -> None:
    with pytest.raises(Missing, match="not done after 0 s"):
        measured(["sleep", "60"], limit=0.01)


def test_what_a_program_says_is_measured() -> None:
    found = measured(["echo", json.dumps({"seconds": 2.5, "bytes": 10})])

    assert (found.seconds, found.bytes) == (2.5, 10)
    assert found.wall > 0
    assert found.resident > 0


def test_a_ratio_says_whether_the_goal_is_met() -> None:
    slow, fast = ("3 s", 3.0), ("2 s", 2.0)

    assert at_most("x", slow, fast, 1.5) == Row("x", "3 s", "2 s", "1.50×", "≤ 1.5×", is_met=True)
    assert at_most("x", slow, fast, 1.4).is_met is False
    assert at_least("x", fast, slow, 1.5) == Row("x", "2 s", "3 s", "1.50×", "≥ 1.5×", is_met=True)
    assert at_least("x", fast, slow, 1.6).is_met is False


def test_the_table_is_put_between_the_markers(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")

    put_into(path, markdown([Row("a", "1 s", "2 s", "0.50×", "≤ 1×", is_met=True)]))

    text = path.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{BEGIN}\n\n| | ours |")
    assert "| a | 1 s | 2 s | 0.50× | ≤ 1× | ✓ |" in text
    assert text.endswith(f"{END}\nafter\n")


def test_where_no_table_can_go_is_said_before_anything_is_measured(tmp_path: Path) -> None:
    plain = tmp_path / "README.md"
    plain.write_text("no markers\n", encoding="utf-8")

    with pytest.raises(SystemExit, match="there is no file"):
        main(["--out", str(tmp_path / "other.md")])
    with pytest.raises(SystemExit, match="has no lines"):
        main(["--out", str(plain)])
