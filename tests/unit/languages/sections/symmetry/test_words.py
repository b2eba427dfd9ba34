"""Symmetries in words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from zermelo.engines.space.orbits.structure import generators, order, recognised
from zermelo.languages.sections.symmetry.board import Board
from zermelo.languages.sections.symmetry.ground import Bit
from zermelo.languages.sections.symmetry.words import words
from zermelo.packing.groups import Group

Move = Callable[[int, int], tuple[int, int]]


def said(board: Board, *moves: Move) -> str:
    """What is said about the group that these moves of cells generate."""
    bits = [Bit("X", cell, is_member=True) for cell in board.cells]
    structure = recognised(Group(len(bits), [board.images(move) for move in moves]))
    return ", ".join(words(bits, tuple(generators(structure)), structure, order(structure)))


SQUARE = Board((1, 2, 3), (1, 2, 3))
LONG = Board((1, 2), (1, 2, 3, 4))


@pytest.mark.parametrize(
    ("board", "moves", "sentence"),
    [
        (SQUARE, [lambda r, c: (c, 2 - r), lambda r, c: (r, 2 - c)], "turned and mirrored"),
        (SQUARE, [lambda r, c: (c, 2 - r)], "turned by quarters"),
        (SQUARE, [lambda r, c: (2 - r, 2 - c)], "turned by a half"),
        (SQUARE, [lambda r, c: (r, 2 - c)], "mirrored left to right"),
        (SQUARE, [lambda r, c: (2 - r, c)], "mirrored top to bottom"),
        (LONG, [lambda r, c: (r, 3 - c)], "mirrored left to right"),
        (
            LONG,
            [lambda r, c: (r, 3 - c), lambda r, c: (1 - r, c)],
            "mirrored left to right and top to bottom",
        ),
        (SQUARE, [lambda r, c: (2 - c, 2 - r)], "mirrored in the rising diagonal"),
        (
            SQUARE,
            [lambda r, c: (c, r), lambda r, c: (2 - c, 2 - r)],
            "mirrored in both diagonals",
        ),
    ],
)
def test_a_board_is_turned_or_mirrored(board: Board, moves: list[Move], sentence: str) -> None:
    assert said(board, *moves) == f"the board may be {sentence}"


def test_rows_and_columns_are_permuted() -> None:
    first_rows: Move = lambda r, c: ({0: 1, 1: 0}.get(r, r), c)  # noqa: E731 - a table of moves
    turned_rows: Move = lambda r, c: ((r + 1) % 3, c)  # noqa: E731
    exchanged: Move = lambda r, c: (c, r)  # noqa: E731

    assert said(SQUARE, first_rows, turned_rows) == "rows 1–3 may be permuted"
    assert said(SQUARE, exchanged) == "rows and columns may be exchanged"
    assert said(SQUARE, first_rows, turned_rows, exchanged) == (
        "rows 1–3 may be permuted, columns 1–3 may be permuted, rows and columns may be exchanged"
    )


def test_things_that_are_no_board_are_named() -> None:
    bits = [Bit("Left", number, is_member=True) for number in range(1, 13)]
    structure = recognised(Group(12, [(1, *range(2, 12), 0), (1, 0, *range(2, 12))]))

    found = words(bits, tuple(generators(structure)), structure, order(structure))

    assert found == ("1, 2, 3 and 9 others may be permuted",)


def test_variables_that_are_exchanged_are_named() -> None:
    bits = [Bit(name, number, is_member=True) for name in ("One", "Two") for number in (1, 2, 3)]
    structure = recognised(Group(6, [(3, 4, 5, 0, 1, 2)]))

    found = words(bits, tuple(generators(structure)), structure, order(structure))

    assert found == ("One and Two may be exchanged",)
