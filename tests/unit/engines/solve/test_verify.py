"""The independent check: it finds every value that is wrong."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.support.played_graphs import DRAWN, OnGraph, Played, Spot, graphs, won_by
from zermelo.engines.solve.levels import ValuesInMemory
from zermelo.engines.solve.solution import Solution, save
from zermelo.engines.solve.solution_file import SolutionFile
from zermelo.engines.solve.solve import solve
from zermelo.engines.solve.values import Verification
from zermelo.engines.solve.verify import verify

FIRST = np.array([0], dtype=np.int64)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mine.solution"


def with_code(solution: Solution, number: int, code: int) -> Solution:
    """*solution* with another code for one state."""
    stored = solution.stored
    assert isinstance(stored, ValuesInMemory)
    columns = [column.copy() for column in stored.columns]
    columns[0][number] = code
    return replace(solution, stored=replace(stored, columns=tuple(columns)))


def checked(played: Played, solution: Solution, path: Path) -> Verification:
    save(solution, path)
    return verify(SolutionFile(path), OnGraph(played), FIRST)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(played=graphs(), data=st.data())
def test_any_other_value_anywhere_is_found_wrong(
    played: Played, data: st.DataObject, path: Path
) -> None:
    solution = solve(OnGraph(played), FIRST, threads=1)
    assert isinstance(solution.stored, ValuesInMemory)
    number = data.draw(st.integers(0, solution.classes - 1))
    code = data.draw(st.integers(0, 255))
    assume(code != solution.stored.columns[0][number])

    found = checked(played, with_code(solution, number, code), path)

    assert not found.is_right
    assert found.wrong


def test_a_wrong_distance_is_told_with_the_right_one(path: Path) -> None:
    played = Played((Spot(0, (1,)), Spot(1, (), won_by(0))))
    solution = solve(OnGraph(played), FIRST)
    assert solution.stored is not None
    wrong = with_code(solution, 0, solution.stored.coding.code(solution.root.kind, 2))

    found = checked(played, wrong, path)

    assert [each.why for each in found.wrong] == ["for A the file says win in 2; it is win in 1"]
    assert str(found.wrong[0].state) == "spot = 0"
    assert found.to_json()["right"] is False


def test_a_file_without_the_first_state_is_wrong(path: Path) -> None:
    played = Played((Spot(0, (1,)), Spot(1, (), DRAWN), Spot(0, (1,))))
    save(solve(OnGraph(played), FIRST), path)

    found = verify(SolutionFile(path), OnGraph(played), np.array([2], dtype=np.int64))

    assert [each.why for each in found.wrong] == ["the first state is not in the file"]


def test_a_file_with_too_many_states_is_wrong(path: Path) -> None:
    played = Played((Spot(0, (1,)), Spot(1, (), DRAWN)))
    save(solve(OnGraph(played), FIRST), path)

    found = verify(SolutionFile(path), OnGraph(played), np.array([1], dtype=np.int64))

    assert [each.why for each in found.wrong] == ["1 states of the file cannot be reached"]


def test_a_file_with_too_few_states_is_wrong(path: Path) -> None:
    fewer = Played((Spot(0, (1,)), Spot(1, (), DRAWN), Spot(1, (), DRAWN)))
    more = Played((Spot(0, (1, 2)), Spot(1, (), DRAWN), Spot(1, (), DRAWN)))
    save(solve(OnGraph(fewer), FIRST), path)

    found = verify(SolutionFile(path), OnGraph(more), FIRST)

    assert [each.why for each in found.wrong] == ["a state after it is not in the file"]


def test_a_check_that_is_stopped_is_not_right(path: Path) -> None:
    played = Played((Spot(0, (1,)), Spot(1, (), DRAWN)))
    save(solve(OnGraph(played), FIRST), path)

    found = verify(SolutionFile(path), OnGraph(played), FIRST, listener=lambda _: True)

    assert (found.is_right, found.cut) == (False, "interrupted")
