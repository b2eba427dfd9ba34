"""Explorations of nets are kept, also where markings turn out to need more room."""

from pathlib import Path

import pytest

from zermelo.api import loading, questions
from zermelo.api.game import Game
from zermelo.core.limits import Limits, Resumed
from zermelo.languages.nets.compile.packing import Room, room_in
from zermelo.text.errors import UsageError

GROWING = """\
#place a lo(<.0.>) hi(<.20.>) mk(<.0.>)
#trans more
in { a: <.x.>; }
out { a: <.x+1.>; }
gate x < 20;
#endtr
#place b mk(<.1.>)
#trans twice
in { b: <.y.>; }
out { b: <.y*2.>; }
gate y < 5000;
#endtr
"""
"""Nothing says how large the numbers in `b` become: 21 · 14 markings."""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    path = tmp_path / "growing.net"
    path.write_text(GROWING, "utf-8")
    return loading.load(path)


def test_a_net_goes_on_with_the_room_that_it_needed(game: Game, tmp_path: Path) -> None:
    whole = questions.explore(game)
    told: list[Resumed] = []
    for depth in (3, 8, 12, 20, None):
        found = questions.explore(
            game, limits=Limits(depth=depth), checkpoint=tmp_path / "kept", announce=told.append
        )
        assert found.by_depth[: len(found.by_depth)] == whole.by_depth[: len(found.by_depth)]

    assert (found.states, found.moves, found.cut) == (whole.states, whole.moves, None)
    assert found.states == 294
    assert [each.levels for each in told] == [3, 8, 12, 20]


def test_room_is_read_again_and_compared() -> None:
    less = Room({"a": 15}, {"b": ((-64, 959),)})
    more = Room({"a": 30}, {"b": ((-64, 4000),)})

    assert more.holds(less)
    assert more.holds(Room())
    assert not less.holds(more)
    assert not Room().holds(less)


@pytest.mark.parametrize("text", ["", "[]", "[[{}]]", "7", '[[{"a": "x"}, {}]]', "[[[], {}]]"])
def test_what_is_no_form_is_refused(text: str, game: Game) -> None:
    assert game.model is not None
    with pytest.raises(UsageError, match="packed in another way than here"):
        game.model.expander().in_form(text)
    with pytest.raises(ValueError, match=r".*"):
        room_in(text)
