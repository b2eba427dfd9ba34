"""Mappings as files say them: what is wrong with one is said with its key."""

from pathlib import Path

import pytest

from tests.support.prod import PHILOSOPHERS
from tests.support.project import ROOT
from tests.support.understood import net_shape
from zermelo.api import loading
from zermelo.languages.nets.mapping import cells_of
from zermelo.text.errors import UsageError

LIBRARY = ROOT / "games" / "tic-tac-toe-net"
PLACE = 'place = "board"\n'
NINE = [f"({row},{column})" for row in (1, 2, 3) for column in (1, 2, 3)]
CELLS = f"cells = {NINE}\n"
VALUES = 'values = { 1 = "X", 2 = "O" }\n'
_PLACE_IS = 'the name of a place, as in `place = "board"`'
_CELLS_ARE = 'a list with the cell of each component, as in `cells = ["(1,1)", "(1,2)"]`'
_VALUES_ARE = 'a table of numbers and sets, as in `values = { 1 = "X", 2 = "O" }`'


def _said(path: Path, net: str | None = None) -> str:
    game = (
        loading.load(LIBRARY / "tic-tac-toe-net.net")
        if net is None
        else loading.load_text(net, name="other.net")
    )
    with pytest.raises(UsageError) as caught:
        net_shape(game, loading.load(LIBRARY / "rules-as-written.md"), path)
    return str(caught.value)


@pytest.mark.parametrize(
    ("mapping", "said"),
    [
        ("", f": `place` is missing: it is {_PLACE_IS}"),
        (PLACE + VALUES, f": `cells` is missing: it is {_CELLS_ARE}"),
        (PLACE + CELLS, f": `values` is missing: it is {_VALUES_ARE}"),
        ("place = 3\n" + CELLS + VALUES, f": `place` is something else than {_PLACE_IS}"),
        (PLACE + "cells = 3\n" + VALUES, f": `cells` is something else than {_CELLS_ARE}"),
        (PLACE + "cells = []\n" + VALUES, f": `cells` is empty: it is {_CELLS_ARE}"),
        (PLACE + CELLS + "values = [1]", f": `values` is something else than {_VALUES_ARE}"),
        (PLACE + CELLS + "values = {}", f": `values` is empty: it is {_VALUES_ARE}"),
        (
            PLACE + CELLS + VALUES + "color = 1",
            ": a mapping has no key `color`; it has `place`, `cells` and `values`",
        ),
        (
            'place = "nope"\n' + CELLS + VALUES,
            ": `place`: the net has no place `nope`; it has `board` and `turn`",
        ),
        (
            'place = "boadr"\n' + CELLS + VALUES,
            ": `place`: the net has no place `boadr`; did you mean `board`?",
        ),
        (
            PLACE + 'cells = ["(1,1)", "(9,9)"]\n' + VALUES,
            ": `cells`: the game has no cell `(9,9)` in `X`; it has `(1,1)`, `(1,2)`, `(1,3)`, "
            "`(2,1)`, `(2,2)`, `(2,3)` and 3 more",
        ),
        (
            PLACE + "cells = [true]\n" + VALUES,
            ": `cells`: `true` is no cell; they are texts in quotes",
        ),
        (
            PLACE + 'cells = ["(1,1)", "(1, 1)"]\n' + VALUES,
            ": `cells` has the cell `(1, 1)` twice",
        ),
        (
            PLACE + 'cells = ["(1,1)"]\n' + VALUES,
            ": `cells` has 1 cell, and tokens of `board` have 9 components",
        ),
        (PLACE + CELLS + 'values = { one = "X" }', ": `values`: `one` is no whole number"),
        (
            PLACE + CELLS + "values = { 1 = 3 }",
            ": `values`: 1 stands for `3`, which is no name of a set",
        ),
        (
            PLACE + CELLS + 'values = { 1 = "Y" }',
            ": `values`: the game has no set `Y`; it has `X` and `O`",
        ),
        (
            PLACE + CELLS + 'values = { 7 = "X" }',
            ": `values`: no component of `board` can be 7; they are from 0 to 2",
        ),
        (PLACE + CELLS + 'values = { 1 = "X", 01 = "O" }', ": `values` has the number 1 twice"),
        (PLACE + CELLS + 'values = { 1 = "X", 2 = "X" }', ": `values` has the set `X` twice"),
        ("place = ", " is no TOML: it is not understood at its end"),
        ("place ?", " is no TOML: it is not understood at line 1, column 7"),
        (PLACE + PLACE, " is no TOML: a key stands there twice at line 2, column 16"),
        (
            'values = { 1 = "X", 1 = "O" }',
            " is no TOML: a key stands there twice at line 1, column 28",
        ),
        ("place = " + "[" * 9_000, " has too many brackets within each other"),
    ],
)
def test_what_is_wrong_is_said_with_the_file_and_the_key(
    tmp_path: Path, mapping: str, said: str
) -> None:
    path = tmp_path / "board.toml"
    path.write_text(mapping, encoding="utf-8")

    assert _said(path) == f"{path}{said}"


def test_a_file_may_be_no_text_and_may_not_be_there(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    assert _said(path) == f"{path} could not be read: no such file or directory"

    path.write_bytes(b"\xff\xfe")
    assert _said(path) == f"{path} is not a text in UTF-8"


def test_the_mapping_of_another_net_names_a_place_that_is_not_there() -> None:
    path = LIBRARY / "board.toml"

    assert _said(path, PHILOSOPHERS) == (
        f"{path}: `place`: the net has no place `board`; it has `thinking`, `hungry`, `eating` "
        "and `fork`"
    )


@pytest.mark.parametrize(
    ("net", "said"),
    [
        ("#place board mk(<..>)\n", "tokens of `board` are black, and have no components"),
        (
            "#place board mk(2<.0,0,0,0,0,0,0,0,0.>)\n",
            "one token of `board` is the board, and a marking has 2<.0,0,0,0,0,0,0,0,0.> there",
        ),
    ],
)
def test_the_place_has_one_token_with_components(net: str, said: str) -> None:
    path = LIBRARY / "board.toml"
    transition = "#trans stay\nin { board: <..>; } out { board: <..>; }\n#endtr\n"
    if "0" in net:
        transition = transition.replace("<..>", f"<.{','.join('abcdefghi')}.>")

    assert _said(path, net + transition) == f"{path}: `place`: {said}"


def test_a_game_without_sets_has_no_cells() -> None:
    net = loading.load(LIBRARY / "tic-tac-toe-net.net")

    with pytest.raises(UsageError, match=r"tic-tac-toe-net\.net has no variables that are sets"):
        net_shape(net, net, LIBRARY / "board.toml")


def test_cells_are_known_by_how_they_are_written() -> None:
    assert cells_of([(1, 2), -3]) == {"(1,2)": (1, 2), "\N{MINUS SIGN}3": -3}
