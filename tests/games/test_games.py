"""Every game of the library against what is known of it.

What the entries of `expected.toml` mean is said in the README beside this file.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TypeAlias

import pytest

from zermelo.api import loading, questions
from zermelo.api.game import Game
from zermelo.api.loading import LibraryGame
from zermelo.core.limits import Limits
from zermelo.core.machine import Machine
from zermelo.core.state import State

Entry: TypeAlias = Mapping[str, object]

KINDS = ("space", "states", "plays", "value", "possible", "refused")


def entries(kind: str) -> list[object]:
    """The entries of one *kind* of all games, as parameters of a test."""
    return list(_entries(kind))


def _entries(kind: str) -> Iterator[object]:
    for game in loading.games():
        known = tomllib.loads((game.path.parent / "expected.toml").read_text("utf-8"))
        for number, entry in enumerate(known.get(kind, ()), start=1):
            marks = [pytest.mark.slow] if entry.get("slow") else []
            yield pytest.param(game.name, entry, id=f"{game.name}-{kind}-{number}", marks=marks)


def game_of(name: str, entry: Entry) -> Game:
    """The game an entry is about, with its readings."""
    readings = entry.get("readings", {})
    assert isinstance(readings, dict)
    return loading.load(name, readings=readings)


def numbers(entry: Entry, key: str) -> tuple[int, ...]:
    """The list of numbers under *key*."""
    listed = entry[key]
    assert isinstance(listed, list)
    return tuple(listed)


def moves_of(entry: Entry) -> list[str]:
    """The moves of a play, as they are printed."""
    listed = entry["moves"]
    assert isinstance(listed, list)
    return listed


def play(machine: Machine, moves: list[str]) -> State:
    """The state after *moves*."""
    state = machine.initial
    for text in moves:
        move = next((each for each in machine.legal(state) if str(each) == text), None)
        assert move is not None, f"{text} is not legal in {state}"
        state = machine.after(state, move)
    return state


def complete_plays(machine: Machine) -> int:
    """How many plays lead from the beginning to an end, in a game without cycles."""
    ended, level = 0, {machine.initial: 1}
    while level:
        following: dict[State, int] = defaultdict(int)
        for state, plays in level.items():
            moves = machine.legal(state)
            ended += 0 if moves else plays
            for move in moves:
                following[machine.after(state, move)] += plays
        level = following
    return ended


@pytest.mark.parametrize("game", loading.games(), ids=lambda game: game.name)
def test_what_is_known_has_a_source(game: LibraryGame) -> None:
    known = tomllib.loads((game.path.parent / "expected.toml").read_text("utf-8"))

    assert set(known) <= set(KINDS)
    assert all(entry.get("source") for kind in KINDS for entry in known.get(kind, ()))


@pytest.mark.parametrize("game", loading.games(), ids=lambda game: game.name)
def test_a_game_of_the_library_has_no_fault(game: LibraryGame) -> None:
    loaded = loading.load(game.name)

    assert loaded.is_loaded
    assert [said.message for said in loaded.diagnostics if said.is_error] == []
    assert all(reading.decided_by != "default" for reading in loaded.readings), (
        "every reading of a library game is decided in its document"
    )


@pytest.mark.parametrize(("name", "entry"), entries("space"))
def test_a_game_has_the_space_it_should(name: str, entry: Entry) -> None:
    game = game_of(name, entry)

    space = questions.explore(game)

    assert space.is_complete
    assert space.states == entry["states"]
    assert {str(each.outcome): each.count for each in space.endings} == entry["endings"]
    assert (0 if space.stuck is None else space.stuck.count) == entry["stuck"]
    if "complete_plays" in entry:
        assert complete_plays(game.machine) == entry["complete_plays"]


@pytest.mark.parametrize(("name", "entry"), entries("value"))
def test_a_game_has_the_value_it_should(name: str, entry: Entry) -> None:
    solution = questions.solve(game_of(name, entry), threads=2)

    assert solution.is_complete
    assert solution.root.kind.value == entry["value"]
    assert solution.root.winner == entry.get("winner")
    assert solution.root.plies == entry["plies"]
    assert solution.states == entry["positions"]
    if "won" in entry:
        assert solution.counted[0].by_winner == entry["won"]
    if "classes" in entry:
        assert solution.classes == entry["classes"]


@pytest.mark.parametrize(("name", "entry"), entries("states"))
def test_a_game_has_the_positions_it_should(name: str, entry: Entry) -> None:
    expected = numbers(entry, "by_depth")

    space = questions.explore(game_of(name, entry), limits=Limits(depth=len(expected) - 1))

    assert space.by_depth[: len(expected)] == expected
    if "over_by_depth" in entry:
        assert space.over_by_depth[: len(expected)] == numbers(entry, "over_by_depth")


@pytest.mark.parametrize(("name", "entry"), entries("plays"))
def test_a_game_has_the_plays_it_should(name: str, entry: Entry) -> None:
    expected = numbers(entry, "by_length")

    counted = questions.plays(game_of(name, entry), len(expected))

    assert counted.counts == expected


@pytest.mark.parametrize(("name", "entry"), entries("possible"))
def test_a_known_play_is_possible(name: str, entry: Entry) -> None:
    machine = game_of(name, entry).machine

    last = play(machine, moves_of(entry))

    if "outcome" in entry:
        assert str(machine.outcome(last)) == entry["outcome"]


@pytest.mark.parametrize(("name", "entry"), entries("refused"))
def test_a_known_mistake_is_refused(name: str, entry: Entry) -> None:
    machine = game_of(name, entry).machine
    *before, last = moves_of(entry)

    state = play(machine, before)

    assert last not in [str(move) for move in machine.legal(state)]
