"""Wherever the time is over, the answer is right, or says that it is partial and how far it got.

The clock jumps at its first look, at its second, and so on: each look is a place where a limit of
time can be met. The same is done with listeners, which ask to stop or are interrupted.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
import pytest

from tests.support.command import Ran, zermelo
from tests.support.expanders import interpreter
from tests.support.injection import (
    PointListener,
    Points,
    asks_to_stop,
    clock_that_jumps,
    every_point,
    is_interrupted,
    memory_that_fills,
)
from tests.support.project import ROOT
from tests.support.small_documents import heap_text
from zermelo.api import language_commands, loading, questions
from zermelo.api.game import Game
from zermelo.core.arrays import Rows
from zermelo.core.limits import INTERRUPTED, Limits
from zermelo.core.space import ExploreOptions, space_json
from zermelo.engines.space import staged
from zermelo.engines.space.adaptive_store import AdaptiveStore
from zermelo.engines.space.exploration import explore
from zermelo.faces.cli.main import COMMANDS as MAIN
from zermelo.faces.cli.main import cli
from zermelo.languages.sections.compile.kernel import Kernel, kernel
from zermelo.text.budget import OutOfTime

HEAP = heap_text(4)
NET = str(ROOT / "tests/documents/nets/buffer.net")
OF_THE_RUN = {"seconds", "phases", "estimate", "bytes", "store", "machine"}
TIME_OVER = 124


@pytest.fixture
def heap(tmp_path: Path) -> str:
    path = tmp_path / "heap.md"
    path.write_text(HEAP, encoding="utf-8")
    return str(path)


def told(data: Mapping[str, Any]) -> dict[str, Any]:
    """What was found, without how it was found."""
    return {name: value for name, value in data.items() if name not in OF_THE_RUN}


def is_part(counts: list[int], of: list[int]) -> bool:
    """Whether *counts* by depth are right but for the deepest, of which some may be missing."""
    *full, last = counts
    return full == of[: len(full)] and len(counts) <= len(of) and last <= of[len(full)]


def holds_less(part: Mapping[str, int], whole: Mapping[str, int]) -> bool:
    return all(whole.get(name, 0) >= count for name, count in part.items())


def check_space(found: Mapping[str, Any], whole: Mapping[str, Any]) -> None:
    if found["complete"] and "untold" not in found:
        assert told(found) == told(whole)
        return
    why = f"{found['cut']}; {found.get('untold')}"
    assert "5 seconds" in why or "the time was over" in why or found["cut"] == whole["cut"]
    if found["complete"]:
        assert found["by_depth"] == whole["by_depth"]
        assert found["endings"] == whole["endings"]
    assert is_part(found["by_depth"], whole["by_depth"])
    assert len(found["over_by_depth"]) == len(found["by_depth"])
    assert all(a <= b for a, b in zip(found["over_by_depth"], whole["over_by_depth"], strict=False))
    assert found["states"] == sum(found["by_depth"])
    assert found["moves"] <= whole["moves"]
    assert holds_less(found["endings"], whole["endings"])
    # A shortest play is right, whatever else was not seen.
    assert found["shortest"].items() <= whole["shortest"].items()
    assert found.get("longest") in (None, whole.get("longest"))
    assert holds_less(found.get("fired", {}), whole["fired"])


def check_solution(found: Mapping[str, Any], whole: Mapping[str, Any]) -> None:
    if found["complete"]:
        assert told(found) == told(whole)
    else:
        assert found["cut"] == "stopped after 5 seconds"
        assert found["value"] == "unknown"


def check_graph(found: Mapping[str, Any], whole: Mapping[str, Any]) -> None:
    if found["complete"]:
        assert told(found) == told(whole)
        return
    assert found["cut"] == "stopped after 5 seconds"
    assert is_part(found["by_depth"], whole["by_depth"])
    assert found["nodes"] <= whole["nodes"]
    assert found["arcs"] <= whole["arcs"]
    assert found["open"] > 0


def check_report(found: Mapping[str, Any], whole: Mapping[str, Any]) -> None:
    said = [each["code"] for each in found["diagnostics"]]
    assert set(said) <= {each["code"] for each in whole["diagnostics"]}
    space = found["space"]
    if not space["complete"]:
        assert "seconds" in space["cut"]
        assert is_part(space["by_depth"], whole["space"]["by_depth"])
        assert space["states"] == sum(space["by_depth"])


def check_rows(found: list[Any], whole: list[Any]) -> None:
    assert found == whole[: len(found)]


def check_states(found: Mapping[str, Any], whole: Mapping[str, Any]) -> None:
    if found["complete"]:
        assert told(found) == told(whole)
        return
    assert found["cut"] == "stopped after 5 seconds"
    assert found["states"] <= whole["states"]
    assert found["arcs"] <= whole["arcs"]


def check_net_report(found: Mapping[str, Any], whole: Mapping[str, Any]) -> None:
    if found["complete"]:
        assert told(found) == told(whole)
        return
    assert found["cut"] == "stopped after 5 seconds"
    assert found["nodes"] <= whole["nodes"]
    assert found["arcs"] <= whole["arcs"]


def check_comparison(found: Mapping[str, Any], whole: Mapping[str, Any]) -> None:
    if found["cut"] is None:
        assert found == whole
        return
    assert found["cut"] == "stopped after 5 seconds"
    assert found["equal"] is None
    assert found["positions"] <= whole["positions"]


def check_mutants(found: Mapping[str, Any], whole: Mapping[str, Any]) -> None:
    if found["cut"] is None and all(each["cut"] is None for each in found["mutants"]):
        assert found == whole
        return
    # A comparison that the time cut short decides nothing; no other is touched by it.
    for tried, right in zip(found["mutants"], whole["mutants"], strict=False):
        if tried["cut"] is None:
            assert tried == right
        else:
            assert (tried["kind"], tried["words"], tried["line"]) == (
                right["kind"],
                right["words"],
                right["line"],
            )
            assert tried["equal"] is not True
            assert "5 seconds" in tried["cut"]
    told_apart = {at for at, each in enumerate(found["mutants"]) if each["equal"] is False}
    if found["plays"]:
        assert {at for each in found["plays"] for at in each["kills"]} == told_apart
    else:
        assert found["cut"] is not None or not told_apart


COMMANDS: dict[str, tuple[tuple[str, ...], Callable[[Any, Any], None]]] = {
    "explore": (("explore", "HEAP", "--json", "--plays", "--rules"), check_space),
    "explore to a depth": (("explore", "HEAP", "--json", "--depth", "2"), check_space),
    "solve": (("solve", "HEAP", "--json"), check_solution),
    "graph": (("graph", "HEAP", "--json"), check_graph),
    "check": (("check", "HEAP", "--json"), check_report),
    "readings": (("readings", "HEAP", "--json"), check_rows),
    "compare": (("compare", "HEAP", "HEAP", "--json"), check_comparison),
    "mutants": (("mutants", "HEAP", "--json"), check_mutants),
    "net states": (("net", "states", NET, "--json"), check_states),
    "net explore": (("explore", NET, "--json", "--plays", "--rules"), check_space),
    "net graph": (("graph", NET, "--json"), check_graph),
    "net report": (("net", "report", NET, "--json", "--output", "-"), check_net_report),
}
LEAVE_UNDECIDED = ("compare", "mutants")
"""Which end with another code where the time left something undecided:"""
UNDECIDED = 1
EVERY_SEVENTH = ("mutants",)
"""Which look at the clock in each of many comparisons: all of them would take half a minute."""
SECONDS_A_MOVE = ("play",)
"""Whose seconds are not about the whole command."""


def test_every_command_whose_time_can_be_limited_is_tested() -> None:
    groups = {name: cli.get_command(click.Context(cli), name) for name in MAIN}
    found = {
        f"{name} {inner}".strip()
        for name, group in groups.items()
        for inner, command in (
            group.commands.items() if isinstance(group, click.Group) else [("", group)]
        )
        if command is not None and any("--seconds" in each.opts for each in command.params)
    }
    tested = {
        " ".join(arguments[:2] if arguments[0] == "net" else arguments[:1])
        for arguments, _ in COMMANDS.values()
    }

    assert found == tested | set(SECONDS_A_MOVE)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_clock_that_jumps_at_any_look_leaves_a_right_answer(name: str, heap: str) -> None:
    arguments, check = COMMANDS[name]
    given = [heap if each == "HEAP" else each for each in arguments]

    def ran(points: Points) -> Ran:
        with clock_that_jumps(points):
            return zermelo(*given, "--seconds", "5")

    whole = ran(Points())
    assert whole.code == 0, whole.err
    ends = set()
    fine = {0, UNDECIDED} if name in LEAVE_UNDECIDED else {0}

    def run(points: Points) -> None:
        found = ran(points)
        ends.add(found.code)
        if found.code == TIME_OVER:
            assert found.out == ""
            assert "zermelo: the 5 seconds were over while" in " ".join(found.err.split())
        else:
            assert found.code in fine, found.err
            check(found.json, whole.json)

    points = every_point(run, step=7 if name in EVERY_SEVENTH else 1)

    assert points > 10
    assert ends == fine | {TIME_OVER}


# Memory


def test_memory_that_fills_within_an_expansion_is_heeded_by_the_interpreter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(staged, "COMPILE_DELAY", 1e9)
    monkeypatch.setattr(staged, "LOAD_DELAY", 1e9)
    game = loading.load("tic-tac-toe")
    limits = Limits(depth=4, memory=10**9)
    whole = (1, 9, 72, 252, 756)

    def run(points: Points) -> None:
        with memory_that_fills(points):
            found = questions.explore(game, limits=limits)
        # The first look is for how much there was at the beginning.
        if points.has_happened and points.at != 1:
            assert found.cut == "1,000 MB of memory are not enough for more"
        assert is_part(list(found.by_depth), list(whole))

    assert every_point(run) > 3


# Listeners


@pytest.fixture(scope="module")
def heap_game() -> Game:
    return loading.load_text(HEAP)


@pytest.fixture(scope="module")
def net_game() -> Game:
    return loading.load(NET)


def _explored(game: Game, listener: PointListener) -> str | None:
    everything = ExploreOptions(rules=True, complete_plays=True)
    found = questions.explore(game, listener=listener, wishes=everything)
    whole = questions.explore(game, wishes=everything)
    assert is_part(list(found.by_depth), list(whole.by_depth))
    if found.is_complete:
        data, other = told(space_json(found)), told(space_json(whole))
        assert {**data, "untold": None}.items() <= {**other, "untold": None}.items()
    return found.cut or found.untold


def _checked(game: Game, listener: PointListener) -> str | None:
    report = questions.check(game, listener=listener)
    assert report.checkup is not None
    return report.checkup.space.cut


def _net_states(game: Game, listener: PointListener) -> str | None:
    (command,) = [each for each in language_commands.commands("net") if each.name == "states"]
    options = {"json": True, "states": None, "seconds": None, "threads": None}
    found = language_commands.answer(game, command, NET, options, listener=listener)
    assert isinstance(found.json, dict)
    cut = found.json["cut"]
    return None if cut is None else str(cut)


ASKING: dict[str, Callable[[Game, PointListener], str | None]] = {
    "explore": _explored,
    "solve": lambda game, listener: questions.solve(game, listener=listener).cut,
    "graph": lambda game, listener: questions.graph(game, listener=listener).overview.cut,
    "check": _checked,
    "net": _net_states,
}


@pytest.mark.parametrize("name", ASKING)
def test_a_listener_that_stops_at_any_call_leaves_a_right_answer(
    name: str, heap_game: Game, net_game: Game
) -> None:
    game = net_game if name == "net" else heap_game
    ask = ASKING[name]

    def run(points: Points) -> None:
        cut = ask(game, PointListener(points, asks_to_stop))
        assert cut == (INTERRUPTED if points.has_happened else None)

    every_point(run)


@pytest.mark.parametrize("name", ASKING)
def test_a_listener_that_is_interrupted_at_any_call_leaves_the_game_as_it_was(
    name: str, heap_game: Game, net_game: Game
) -> None:
    game = net_game if name == "net" else heap_game
    ask = ASKING[name]

    def run(points: Points) -> None:
        listener = PointListener(points, is_interrupted)
        if points.at is not None and not _is_interrupted(ask, game, listener):
            assert not points.has_happened
        assert ask(game, PointListener(Points(), asks_to_stop)) is None

    every_point(run)


def _is_interrupted(
    ask: Callable[[Game, PointListener], str | None], game: Game, listener: PointListener
) -> bool:
    try:
        ask(game, listener)
    except KeyboardInterrupt:
        return True
    return False


# The library, and compiled code


def test_reading_within_no_time_is_refused_by_the_library() -> None:
    with pytest.raises(OutOfTime, match="the time was over while reading"):
        loading.load_text(HEAP, seconds=0.0)


def test_an_exploration_of_the_library_counts_from_its_own_beginning(heap_game: Game) -> None:
    found = questions.explore(heap_game, limits=Limits(seconds=60))

    assert found.is_complete
    assert found.run is not None
    assert sum(found.run.phases.values()) == pytest.approx(found.run.seconds, abs=0.05)


LAMPS = """
Applicable Sets
  L : {1..10}
System Variables
  lit ⊆ L
System Initialization
  lit = ∅
System States and Behavior
Light(p ∈ L)
  p ∉ lit → lit = lit ∪ {p}
"""
BY_DEPTH = (1, 10, 45, 120, 210, 252, 210, 120, 45, 10, 1)


@pytest.fixture(scope="module")
def lamps() -> tuple[Kernel, Rows]:
    """All states that there can be are reached, so that levels are kept as bitmaps."""
    machine = interpreter(loading.load_text(LAMPS))
    made = kernel(machine)
    assert isinstance(made, Kernel)
    return made, made.pack(machine.initial)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_clock_that_jumps_leaves_right_counts_on_compiled_code(
    lamps: tuple[Kernel, Rows], threads: int
) -> None:
    expander, start = lamps

    def run(points: Points) -> None:
        # States move into a bitmap early, so that every kind of level is cut short.
        store = AdaptiveStore(expander, threads=threads, many=30)
        with clock_that_jumps(points):
            found = explore(expander, store, start=start, limits=Limits(seconds=5), threads=threads)
        assert is_part(list(found.by_depth), list(BY_DEPTH))
        assert found.states == sum(found.by_depth)
        if found.is_complete:
            assert found.by_depth == BY_DEPTH
            assert found.moves == 10 * 2**9
        else:
            assert found.cut == "stopped after 5 seconds"
            assert found.by_depth[: found.full_depth + 1] == BY_DEPTH[: found.full_depth + 1]

    every_point(run)
