"""C's operators on signed 64-bit numbers."""

import pytest

from zermelo.languages.nets.ir import BinaryOp, UnaryOp
from zermelo.languages.nets.run.arithmetic import HIGHEST, LOWEST, NoValue, binary, unary


@pytest.mark.parametrize(
    ("op", "left", "right", "value"),
    [
        # Division goes towards 0, and the rest has the sign of the left side (C11, 6.5.5).
        ("/", 7, 2, 3),
        ("/", -7, 2, -3),
        ("/", 7, -2, -3),
        ("/", -7, -2, 3),
        ("%", 7, 3, 1),
        ("%", -7, 3, -1),
        ("%", 7, -3, 1),
        ("<<", 3, 4, 48),
        (">>", -8, 1, -4),
        ("&", 12, 10, 8),
        ("|", 12, 10, 14),
        ("^", 12, 10, 6),
        ("<", 1, 2, 1),
        (">=", 1, 2, 0),
        ("!=", 1, 2, 1),
        ("&&", 3, 0, 0),
        ("||", 0, -1, 1),
        ("+", HIGHEST - 1, 1, HIGHEST),
        ("-", LOWEST + 1, 1, LOWEST),
    ],
)
def test_an_operator_has_the_value_that_c_gives_it(
    op: str, left: int, right: int, value: int
) -> None:
    assert binary(BinaryOp(op), left, right) == value


@pytest.mark.parametrize(
    ("op", "left", "right"),
    [
        ("+", HIGHEST, 1),
        ("-", LOWEST, 1),
        ("*", HIGHEST, 2),
        ("/", LOWEST, -1),
        ("/", 1, 0),
        ("%", 1, 0),
        ("<<", 1, 63),
        ("<<", 1, 64),
        ("<<", 1, -1),
        (">>", 1, 64),
    ],
)
def test_what_c_leaves_undefined_has_no_value(op: str, left: int, right: int) -> None:
    with pytest.raises(NoValue):
        binary(BinaryOp(op), left, right)


def test_operators_on_one_number() -> None:
    assert [unary(op, 5) for op in UnaryOp] == [-5, 5, 0, -6]
    assert unary(UnaryOp.NOT, 0) == 1
    with pytest.raises(NoValue, match="does not fit"):
        unary(UnaryOp.NEGATE, LOWEST)
