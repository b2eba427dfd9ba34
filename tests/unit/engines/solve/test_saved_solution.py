"""Solutions in files: the same values, pinned to their document, and no damage goes unseen."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from tests.support.expanders import heap, interpreter, listed
from tests.support.file_faults import FileOperations, ended, full_disk, killed
from tests.support.played_graphs import OnGraph, Played, Spot, graphs, spot_state
from zermelo.api import loading, questions
from zermelo.engines.solve.solution import Solution, opened, save
from zermelo.engines.solve.solution_file import (
    BLOCK,
    NotASolution,
    SolutionFile,
    solution_output,
)
from zermelo.engines.solve.solve import solve
from zermelo.engines.solve.values import ValueKind
from zermelo.engines.solve.verify import verify
from zermelo.files.writing import InUse
from zermelo.text.errors import UsageError

FIRST = np.array([0], dtype=np.int64)

IN_TMP = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mine.solution"


@IN_TMP
@given(played=graphs())
def test_a_file_has_the_same_values_and_is_verified(played: Played, path: Path) -> None:
    expander = OnGraph(played)
    solution = solve(expander, FIRST, threads=1)

    save(solution, path)
    again = opened(path, expander, spot_state(0))

    assert again.counted == solution.counted
    assert again.line() == solution.line()
    for spot in range(len(played.spots)):
        assert again.value(spot_state(spot)) == solution.value(spot_state(spot))
    checked = verify(SolutionFile(path), expander, FIRST)
    assert checked.is_right
    assert checked.states == len(played.reachable)


def a_heap(path: Path, size: int) -> Solution:
    """The solution of a heap, kept."""
    game = heap(size)
    expander = listed(game)
    solution = solve(expander, expander.pack(interpreter(game).initial))
    save(solution, path)
    return solution


def test_a_state_that_cannot_be_reached_has_no_value(path: Path) -> None:
    expander = OnGraph(Played((Spot(0, (2,)), Spot(1), Spot(1))))
    save(solve(expander, FIRST), path)

    found = opened(path, expander, spot_state(0))

    assert found.value(spot_state(2)).kind is ValueKind.LOSS
    assert found.value(spot_state(1)).kind is ValueKind.UNKNOWN


def test_every_damaged_byte_is_seen(path: Path) -> None:
    expander = OnGraph(Played((Spot(0, (1,)), Spot(1, (2,)), Spot(0))))
    save(solve(expander, FIRST), path)
    whole = path.read_bytes()

    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(NotASolution):
            checked(path)


def checked(path: Path) -> SolutionFile:
    file = SolutionFile(path)
    file.check_all()
    return file


def test_a_block_is_checked_before_anything_is_read_from_it(path: Path) -> None:
    size = BLOCK + 200
    spots = [
        Spot(at % 2, tuple(x for x in (2 * at + 1, 2 * at + 2) if x < size)) for at in range(size)
    ]
    expander = OnGraph(Played(tuple(spots)))
    solution = solve(expander, FIRST)
    save(solution, path)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1  # at the end of the second block
    path.write_bytes(data)

    damaged = opened(path, expander, spot_state(0))

    assert damaged.root == solution.root
    with pytest.raises(NotASolution, match="is damaged: block 1 has another checksum"):
        damaged.value(spot_state(BLOCK))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "is empty"),
        (b"something else", "is not a solution that zermelo wrote"),
        (
            b"zermelo solution\x01\0\0\0" + bytes(60),
            "is a solution of version 1, and this program reads version 2; solve",
        ),
        (b"zermelo solution\x02\0\0\0" + bytes(60), "is damaged: its header has another digest"),
        (b"zermelo solution\x02\0\0\0\xff\xff\xff\xff" + bytes(60), "is damaged: its header has"),
    ],
)
def test_what_is_no_solution_is_refused(path: Path, data: bytes, why: str) -> None:
    path.write_bytes(data)

    with pytest.raises(NotASolution, match=why):
        SolutionFile(path)


def test_a_file_that_was_cut_off_is_refused(path: Path) -> None:
    a_heap(path, 5)
    path.write_bytes(path.read_bytes()[:-1])

    with pytest.raises(NotASolution, match="its length is not what its header says"):
        SolutionFile(path)


def test_a_solution_of_another_text_is_refused(path: Path) -> None:
    a_heap(path, 5)
    game = heap(6)

    with pytest.raises(NotASolution, match="the solution of another document"):
        opened(path, listed(game), interpreter(game).initial)


def test_a_solution_under_another_reading_is_refused(path: Path) -> None:
    # Nobody gets stuck here, but who may rely on that?
    text = heap_with_erratum()
    save(questions.solve(loading.load_text(text)), path)
    other = loading.load_text(text, readings={"stuck player": "loses"})

    with pytest.raises(NotASolution, match="stuck player was reported, and is loses now"):
        questions.open_solution(other, path)


def test_a_solution_with_or_without_errata_is_pinned_to_them(path: Path) -> None:
    text = heap_with_erratum()
    save(questions.solve(loading.load_text(text)), path)

    with pytest.raises(NotASolution, match="understood in another way"):
        questions.open_solution(loading.load_text(text, as_written=True), path)


def heap_with_erratum() -> str:
    return """
Applicable Sets
  H : {0..5}
  B : {true, false}
System Variables
  heap ∈ H
  first, over ∈ B
System Facts
  over ↔ (heap = 0)
System Initialization
  heap = 4
  first = true
System States and Behavior
Take(n ∈ {1, 2})
  n ≤ heap → heap = heap − n ∧ first = ¬first
GameOver(over)
  result ∈ {First wins, Second wins}
  over ∧ first → result = Second wins
  over ∧ ¬first → result = First wins
Reading
  players: First when first, Second when ¬first
Errata
  "heap = 4" → "heap = 5": there were five stones
"""


def test_where_nothing_was_solved_nothing_is_kept(path: Path) -> None:
    nothing = solve(OnGraph(Played((Spot(-1),), players=0)), FIRST)

    with pytest.raises(UsageError, match="there are no values to keep"):
        save(nothing, path)
    assert not path.exists()


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    solution = solve(OnGraph(Played((Spot(0),))), FIRST)

    with pytest.raises(UsageError, match="could not be written"):
        save(solution, tmp_path / "no" / "such" / "folder")


def test_states_that_are_not_packed_are_packed_for_the_file(path: Path) -> None:
    # `steps` of this document is a natural number without a bound.
    game = loading.load("tests/documents/lamps.md")
    solution = questions.solve(game)

    questions.keep_solution(solution, path)

    assert questions.open_solution(game, path).root == solution.root
    assert questions.verify_solution(game, file=path).is_right


# Faults, kills, and two processes


def test_a_fault_or_a_kill_at_any_operation_leaves_the_old_file(tmp_path: Path) -> None:
    old = tmp_path / "old.solution"
    a_heap(old, 5)
    expander = OnGraph(Played((Spot(0, (1,)), Spot(1, (2,)), Spot(0))))
    new = solve(expander, FIRST)
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "mine.solution"
    for last in itertools.count(1):
        path.write_bytes(old.read_bytes())
        with FileOperations(folder, last, full_disk).watched() as operations:
            try:
                save(new, path)
            except UsageError as error:
                assert "could not be written: No space left" in str(error)  # noqa: PT017
                if path.read_bytes() != old.read_bytes():
                    checked(path)
        assert [each.name for each in folder.iterdir()] == [path.name]

        def work(last: int = last) -> None:
            with FileOperations(folder, last, killed).watched():
                save(new, path)

        ended(work)
        checked(path)
        for each in folder.glob("*.part"):
            each.unlink()
        for each in folder.glob(".*.part"):
            each.unlink()
        if operations.count < last:
            break
    assert last > 5


def test_one_process_writes_a_solution_and_the_other_says_so(path: Path) -> None:
    with solution_output(path), pytest.raises(InUse, match="works on a solution in"):
        solution_output(path).__enter__()
    a_heap(path, 5)

    assert [each.name for each in path.parent.iterdir()] == [path.name]
