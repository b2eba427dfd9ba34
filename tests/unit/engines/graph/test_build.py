"""Reachability graphs have the nodes and arcs that plain programs count."""

import time
from collections import deque

import numpy as np
import pytest

from tests.support.expanders import listed as expander_of
from tests.support.graphs import CORRIDOR, corridor, graph
from tests.support.models import Compiling
from tests.support.project import TESTS
from tests.support.systems import (
    countdown,
    end,
    eq,
    lit,
    loc,
    lt,
    move,
    numbers,
    parameters,
    plus,
    ref,
    rule,
    set_,
    squares,
    stored,
    system,
)
from zermelo.api import loading, questions
from zermelo.core.adapter import MachineExpander
from zermelo.core.limits import Limits, Progress
from zermelo.core.machine import Ending, Machine
from zermelo.core.signature import Stuck
from zermelo.core.state import Move, State
from zermelo.engines.graph import build
from zermelo.engines.graph.build import graph_of, graph_of_model
from zermelo.engines.graph.reachability import Reachability
from zermelo.engines.space import staged, state_index, sweep
from zermelo.languages.sections.compile.kernel import Kernel, kernel
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.run.interpreter import Interpreter

LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


def noughts_and_crosses() -> tuple[int, int]:
    """The positions and moves of three in a row, by a plain program that knows only that game."""

    def is_over(cells: str) -> bool:
        return " " not in cells or any(
            {cells[int(i)] for i in one} in ({"x"}, {"o"}) for one in LINES
        )

    nodes, arcs, waiting = {" " * 9}, 0, [" " * 9]
    while waiting:
        cells = waiting.pop()
        mark = "xo"[(9 - cells.count(" ")) % 2]
        free = [] if is_over(cells) else [at for at in range(9) if cells[at] == " "]
        after = [cells[:at] + mark + cells[at + 1 :] for at in free]
        arcs += len(after)
        waiting += [each for each in after if each not in nodes]
        nodes.update(after)
    return len(nodes), arcs


def listed(machine: Machine) -> tuple[dict[State, int], list[tuple[int, Move, int]]]:
    """The states of *machine*, nearest first, and its moves, one at a time."""
    numbers_of = {machine.initial: 0}
    arcs: list[tuple[int, Move, int]] = []
    waiting = deque([machine.initial])
    while waiting:
        state = waiting.popleft()
        for step in machine.legal(state):
            after = machine.after(state, step)
            if after not in numbers_of:
                numbers_of[after] = len(numbers_of)
                waiting.append(after)
            arcs.append((numbers_of[state], step, numbers_of[after]))
    return numbers_of, arcs


def arcs_of(found: Reachability) -> list[tuple[int, Move, int]]:
    return [
        (source, step, target)
        for source in range(found.nodes)
        for step, target in found.steps(source)
    ]


def test_three_in_a_row_has_the_graph_that_a_plain_program_counts() -> None:
    overview = questions.graph(loading.load("tic-tac-toe")).overview

    assert noughts_and_crosses() == (5478, 16167)
    assert (overview.nodes, overview.arcs) == (5478, 16167)
    assert overview.by_depth == (1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78)
    assert [(str(each.outcome), each.count) for each in overview.terminal] == [
        ("X wins", 626),
        ("O wins", 316),
        ("draw", 16),
    ]
    assert (overview.components, overview.nontrivial, overview.is_acyclic) == (5478, 0, True)
    assert overview.terminal_components == 626 + 316 + 16


@pytest.mark.parametrize("name", ["capture.md", "three-players.md", "naturals.md"])
def test_nodes_and_arcs_are_those_of_the_machine_one_by_one(name: str) -> None:
    game = loading.load(TESTS / "documents" / name)
    states, arcs = listed(game.machine)

    found = graph_of(expander_of(game), game.machine.initial)

    assert [found.state(number) for number in range(found.nodes)] == list(states)
    assert arcs_of(found) == arcs


def test_how_many_states_are_expanded_at_once_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = graph(squares())
    monkeypatch.setattr(build, "FEWEST_AT_ONCE", 1)
    monkeypatch.setattr(sweep, "SMALL_PIECE", 1)

    single = graph(squares())

    assert arcs_of(single) == arcs_of(whole)
    assert single.levels.tolist() == whole.levels.tolist()
    assert single.arrivals.tolist() == whole.arrivals.tolist()


@pytest.mark.parametrize("of", [countdown(), squares(), corridor()], ids=["heap", "board", "doors"])
def test_a_kernel_gives_the_graph_that_the_interpreter_gives(of: System) -> None:
    code = kernel(Interpreter(of), compiled=False)
    assert isinstance(code, Kernel)

    fast, slow = graph_of(code, code.initial), graph(of)

    assert arcs_of(fast) == arcs_of(slow)
    assert fast.overview == slow.overview


def test_a_faster_expander_takes_over_when_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staged, "COMPILE_DELAY", -1.0)
    fast = MachineExpander(Interpreter(squares()), note="fast")
    asked: list[str] = []

    def faster() -> MachineExpander:
        asked.append("once")
        return fast

    def patient(progress: Progress, /) -> bool:
        # Nothing is begun before the other thread is done.
        while progress.depth == 1 and not asked:
            time.sleep(0.001)
        return False

    found = graph_of_model(Compiling(squares(), faster), listener=patient)

    assert asked == ["once"]
    assert found.cut is None
    assert arcs_of(found) == arcs_of(graph(squares()))


def test_without_a_faster_expander_the_slow_one_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staged, "COMPILE_DELAY", -1.0)

    found = graph_of_model(Compiling(corridor(), lambda: "nothing fits"))

    assert found.overview == graph(corridor()).overview


def test_cycles_and_what_is_never_left_are_found() -> None:
    overview = graph(corridor()).overview

    assert (overview.nodes, overview.arcs, overview.loops) == (6, 9, 0)
    assert overview.by_depth == (1, 2, 1, 1, 1)
    assert (overview.components, overview.nontrivial, overview.on_cycles) == (2, 2, 6)
    assert overview.is_acyclic is False
    assert overview.terminal == ()
    assert overview.cycle is not None
    assert overview.cycle.play == ()
    assert overview.cycle.moves == (Move("Left"), Move("Right"))
    assert overview.largest.component.size == 4
    assert (overview.terminal_components, overview.nontrivial_terminal) == (1, 1)
    trap = overview.first_nontrivial_terminal
    assert trap is not None
    assert trap.component.size == 2
    assert trap.play == (Move("Right"), Move("Right"), Move("Drop"))


def test_a_document_gives_the_same_graph_as_the_system_made_by_hand() -> None:
    game = loading.load_text(CORRIDOR)
    found = graph_of(expander_of(game), game.machine.initial)

    assert arcs_of(found) == arcs_of(graph(corridor()))


def test_components_are_linked_as_their_nodes_are() -> None:
    found = graph(corridor())

    (link,) = found.links()

    assert (link.source, link.target, link.arcs, link.move) == (0, 1, 1, Move("Drop"))
    assert [found.component(number).is_terminal for number in range(2)] == [False, True]


def test_a_loop_is_an_arc_and_makes_a_component_nontrivial() -> None:
    bouncing = system(
        stored("at", numbers(1, 3), lit(1)),
        move("Bounce", (), rule("1", lt(ref("at"), lit(3)), set_("at", lit(3)))),
        move("Go", (), rule("1", eq(ref("at"), lit(1)), set_("at", lit(2)))),
        end(rule("1", eq(ref("at"), lit(3)), set_("at", lit(2)))),
    )
    overview = graph(bouncing).overview

    # Whoever bounces at 2 is put back by the end: the move was legal, the state is the same.
    assert (overview.nodes, overview.arcs, overview.loops) == (2, 3, 1)
    assert (overview.components, overview.nontrivial, overview.nontrivial_terminal) == (2, 1, 1)
    assert overview.cycle is not None
    assert overview.cycle.play == (Move("Bounce"),)
    assert overview.cycle.moves == (Move("Bounce"),)


@pytest.mark.parametrize(
    ("stuck", "ending"),
    [(Stuck.REPORTED, Ending.STUCK), (Stuck.DRAWS, Ending.DRAW)],
)
def test_stuck_nodes_are_terminal_and_end_as_they_are_read(stuck: Stuck, ending: Ending) -> None:
    walk = system(
        stored("at", numbers(0, 3), lit(0)),
        move(
            "Go",
            parameters(n=numbers(1, 2)),
            rule("1", eq(ref("at"), lit(0)), set_("at", plus(ref("at"), loc("n")))),
        ),
        stuck=stuck,
    )

    overview = graph(walk).overview

    assert [(each.outcome.ending, each.count) for each in overview.terminal] == [(ending, 2)]
    assert overview.terminal[0].play == (Move("Go", (1,)),)


def test_a_node_tells_its_state_depth_player_and_outcome() -> None:
    found = graph(countdown(2))
    nodes = [found.node(number) for number in range(found.nodes)]

    assert [str(node.state) for node in nodes] == [
        "heap = 2, turn = true, result = unset",
        "heap = 1, turn = false, result = unset",
        "heap = 0, turn = false, result = A wins",
        "heap = 0, turn = true, result = B wins",
    ]
    assert [node.depth for node in nodes] == [0, 1, 1, 2]
    assert [node.player for node in nodes] == ["A", "B", "B", "A"]
    assert [node.outcome and str(node.outcome) for node in nodes] == [
        None,
        None,
        "A wins",
        "B wins",
    ]
    assert found.play(3) == (Move("Take", (1,)), Move("Take", (1,)))


# Limits


def test_a_graph_cut_at_a_depth_has_every_arc_between_its_nodes() -> None:
    whole = graph(corridor())

    found = graph(corridor(), Limits(depth=2))

    assert found.cut == "stopped after 2 moves"
    assert found.overview.by_depth == (1, 2, 1)
    assert arcs_of(found) == [arc for arc in arcs_of(whole) if max(arc[0], arc[2]) < 4]
    assert found.is_open.tolist() == [False, False, False, True]


def test_a_graph_cut_at_a_number_of_states_has_the_first_ones() -> None:
    whole = graph(squares())

    found = graph(squares(), Limits(states=10))

    assert found.cut == "stopped at 10 states"
    assert found.rows.tolist() == whole.rows[:10].tolist()
    assert arcs_of(found) == [arc for arc in arcs_of(whole) if max(arc[0], arc[2]) < 10]


def test_a_graph_that_limits_do_not_cut_is_complete() -> None:
    assert graph(corridor(), Limits(depth=4, states=6)).cut is None


def test_a_graph_cut_short_claims_nothing_of_what_lies_beyond() -> None:
    overview = graph(corridor(), Limits(depth=1)).overview

    assert not overview.is_complete
    assert overview.open == 1
    assert (overview.terminal, overview.terminal_components) == ((), 0)
    assert graph(countdown(), Limits(depth=1)).overview.is_acyclic is None


def test_a_limit_of_moves_stops_before_it_is_passed() -> None:
    found = graph(corridor(), Limits(moves=4))

    # Two moves at the start and one on its left; the two on its right would be too many.
    assert found.cut == "stopped after making 4 moves"
    assert len(found.moves) == 3
    assert found.is_open.tolist() == [False, False, True]


@pytest.mark.parametrize(
    "limits",
    [
        Limits(),
        Limits(states=30),
        Limits(depth=3),
        Limits(moves=50),
        *(Limits(memory=16_500 + 250 * more) for more in range(12)),
        Limits(states=25, memory=17_500),
        Limits(moves=40, memory=17_500),
    ],
)
@pytest.mark.parametrize("many", [0, 20])
def test_compiled_numbering_and_calls_of_any_size_change_nothing(
    limits: Limits, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = graph(squares(), limits)
    monkeypatch.setattr(build, "FEWEST_AT_ONCE", 1)
    monkeypatch.setattr(sweep, "SMALL_PIECE", 3)
    monkeypatch.setattr(state_index, "MANY", many)

    by_three = graph(squares(), limits)

    assert arcs_of(by_three) == arcs_of(whole)
    assert by_three.rows.tolist() == whole.rows.tolist()
    assert by_three.arrivals.tolist() == whole.arrivals.tolist()
    assert by_three.levels.tolist() == whole.levels.tolist()
    assert by_three.is_open.tolist() == whole.is_open.tolist()
    assert by_three.cut == whole.cut
    assert by_three.overview == whole.overview


def test_arcs_take_few_bytes() -> None:
    found = graph(squares())

    assert (found.arcs.targets.itemsize, found.moves.itemsize) == (4, 1)


def test_a_limit_of_memory_cuts_between_two_nodes() -> None:
    whole = graph(squares())

    found = graph(squares(), Limits(memory=18_000))

    assert found.cut == "stopped at 0.018 MB of memory"
    assert 1 < found.nodes < whole.nodes
    followed = int(np.argmax(found.is_open))
    assert arcs_of(found) == [arc for arc in arcs_of(whole) if arc[0] < followed]


def test_a_limit_of_memory_is_a_safety_stop() -> None:
    found = graph(squares(), Limits(memory=1_000))

    assert found.cut == "stopped at 0.001 MB of memory"
    assert found.nodes == 1


def test_a_listener_stops_the_run_and_learns_how_far_it_is() -> None:
    told: list[Progress] = []

    def listener(progress: Progress, /) -> bool:
        told.append(progress)
        return len(told) > 2

    machine = Interpreter(squares())
    found = graph_of(MachineExpander(machine), machine.initial, listener=listener)

    assert found.cut == "interrupted"
    assert [each.states for each in told] == [1, 5, 17]
    assert found.overview.by_depth == (1, 4, 12)
    assert found.is_open.tolist() == [False] * 5 + [True] * 12
