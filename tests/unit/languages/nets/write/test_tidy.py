"""Shorter expressions have the same values and the same faults."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.prod import net
from tests.support.random_nets import EXPRESSIONS
from zermelo.core.machine import FaultError
from zermelo.languages.nets.ir import Const, Expr, Net
from zermelo.languages.nets.printer import expr_text
from zermelo.languages.nets.run.evaluate import Evaluator
from zermelo.languages.nets.write.c import simplified

DOCUMENT = """\
int table[3] = {1, 0, 2};
int doubled(int n) { if (n > 3) return 0; return n + n; }
#place p mk(<.1,2.>)
#trans t
in { p: <.x,y.>; }
"""


def gate(text: str) -> Expr:
    return net(f"{DOCUMENT}gate {text};\n#endtr\n").transitions[0].gates[0]


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("1 * x", "x"),
        ("x * 1 + 0", "x"),
        ("-1 * x", "-x"),
        ("x + -3", "x - 3"),
        ("x - -3", "x + 3"),
        ("+x", "x"),
        ("0 * x + y", "y"),
        ("0 * (x / y)", "0 * (x / y)"),
        ("1 && x == y", "x == y"),
        ("1 && x", "1 && x"),
        ("0 || x < y", "x < y"),
        ("1 - (x < y)", "x >= y"),
        ("1 - !x", "!!x"),
        ("y + -2 * (x == 1)", "y - 2 * (x == 1)"),
        ("y + -2 * x", "y + -2 * x"),
        ("(x == 1) - (x == 1 && y == 2)", "x == 1 && y != 2"),
        ("(1 ? x : y) + (0 ? x : 2)", "x + 2"),
        ("doubled(2 * 1 + x * 1)", "doubled(2 + x)"),
    ],
)
def test_what_changes_nothing_is_left_out(text: str, short: str) -> None:
    assert expr_text(simplified(gate(text))).replace("!(!x)", "!!x") == short


NET = net(f"{DOCUMENT}#endtr\n")


@given(EXPRESSIONS, st.integers(-3, 3), st.integers(-3, 3))
@settings(max_examples=200, deadline=None)
def test_values_and_faults_stay(expr: Expr, x: int, y: int) -> None:
    bound = {"x": x, "y": y}

    assert _value(NET, simplified(expr), bound) == _value(NET, expr, bound)


def test_what_has_no_value_is_left_as_it_is() -> None:
    assert expr_text(simplified(gate("x + 1 / 0"))) == "x + 1 / 0"
    assert simplified(Const(7)) == Const(7)


def _value(found: Net, expr: Expr, bound: dict[str, int]) -> object:
    try:
        return Evaluator(found).value(expr, bound)
    except FaultError as stop:
        return stop.fault().kind
