"""What is written of a graph does not depend on what makes the moves, nor on when it is there."""

from pathlib import Path

import pytest

from tests.support.project import ROOT
from zermelo.api import loading, questions
from zermelo.api.game import Game
from zermelo.api.loaded import playable_model
from zermelo.core.adapter import MachineExpander
from zermelo.core.expander import Expander, with_room
from zermelo.core.graph import Graph, GraphFormat
from zermelo.core.limits import Limits
from zermelo.engines.graph.build import graph_of
from zermelo.engines.space import staged
from zermelo.engines.space.exploration import explore
from zermelo.engines.space.store import small

LIBRARY = [game.path for game in loading.games()]
WRITTEN = [
    path
    for folder in ("tests/documents", "tests/documents/nets")
    for path in sorted((ROOT / folder).iterdir())
    if path.suffix in {".md", ".txt", ".tex", ".net", ".pnml"}
]
NEAR = Limits(depth=2, states=300)
FEW = Limits(states=60)


def loaded(path: Path) -> Game:
    game = loading.load(path)
    if not game.is_loaded:
        pytest.skip("it gives no system")
    return game


def text(game: Game, found: Graph) -> str:
    return "\n".join(questions.graph_lines(game, found, GraphFormat.JSON))


@pytest.mark.parametrize("path", [*LIBRARY, *WRITTEN], ids=lambda path: path.name)
def test_arcs_are_in_canonical_order_whatever_makes_the_moves(path: Path) -> None:
    game = loaded(path)
    model = playable_model(game)
    initial = model.machine().initial
    plain = MachineExpander(model.machine())

    compiled = with_room(model.expander(), lambda each: graph_of(each, initial, limits=NEAR))

    assert text(game, compiled) == text(game, graph_of(plain, initial, limits=NEAR))


@pytest.mark.parametrize("name", ["capture.md", "elevator.net"])
def test_a_graph_is_the_same_when_compiled_code_comes_at_once_and_when_it_never_does(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path,) = [path for path in WRITTEN if path.name == name]
    monkeypatch.setattr(staged, "COMPILE_DELAY", 1e9)
    monkeypatch.setattr(staged, "LOAD_DELAY", 1e9)
    game = loaded(path)
    late = text(game, questions.graph(game, limits=NEAR))
    monkeypatch.setattr(staged, "COMPILE_DELAY", -1.0)
    monkeypatch.setattr(staged, "LOAD_DELAY", -1.0)
    monkeypatch.setattr(staged, "COMPILER_ALONE", 600.0)

    game = loaded(path)
    at_once = questions.graph(game, limits=NEAR)

    assert text(game, at_once) == late


@pytest.mark.parametrize("name", ["capture.md", "elevator.net", "queens.net"])
def test_a_limit_of_states_leaves_out_the_same_states_whatever_makes_the_moves(name: str) -> None:
    (path,) = [path for path in WRITTEN if path.name == name]
    model = playable_model(loaded(path))
    initial = model.machine().initial

    def counted(expander: Expander) -> tuple[object, ...]:
        found = explore(expander, small(expander.words), start=expander.pack(initial), limits=FEW)
        plays = [(str(each.outcome), each.count, each.play) for each in found.endings]
        return found.by_depth, found.moves, plays, found.stuck

    plain = counted(MachineExpander(model.machine()))

    assert with_room(model.expander(), counted) == plain
