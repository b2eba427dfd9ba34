"""C functions that are written out where they are called give what the token game gives."""

from __future__ import annotations

from unittest import mock

import pytest

from tests.support.net_agreement import agree
from tests.support.understood import net_of
from zermelo.api import loading
from zermelo.languages.nets.compile import expressions
from zermelo.languages.nets.compile.kernel import kernel
from zermelo.languages.nets.ir import Net

PLACE = "#place p lo(<.0,0.>) hi(<.9,9.>) mk(<.3,4.>)\n"
TRANSITION = "#trans t\nin { p: <.x,y.>; } out { p: <.f(x,y) % 10, x.>; }\n#endtr\n"
BODIES = {
    "branches": "if (a > b) return a - b; else if (a == b) return 7; return b - a;",
    "a loop that varies": "int i, s = 0; for (i = 0; i < a; i++) s += b; return s;",
    "a count": "int i, s = 0; for (i = 0; i < 12; i++) if (i % (a + 1) == b) s++; return s;",
    "break": "int i; for (i = 0; i < 20; i++) { if (i * 2 > a) break; } return i;",
    "continue": "int i, s = 0; for (i = 0; i < 9; i++) { if (i == b) continue; s++; } return s;",
    "do": "int n = 0; do { n++; a = a / 2; } while (a > 0); return n;",
    "an array": "int q[3] = {1, a, b}; q[0] = q[1] + q[2]; return q[0] + q[2];",
    "an index outside": "int i, q[2] = {1, 2}; for (i = 0; i < b; i++) q[i] = a; return 1;",
    "a division by 0": "return 9 / (a - 3);",
    "no value at the end": "if (a > 5) return 1;",
    "a call of another": "return g(a) + g(b + 1);",
    "a shadowed name": "int x = a; { int y = x + 1; x = y; } return x;",
}


def net_with(body: str) -> Net:
    functions = f"int g(int n) {{ return n * n; }}\nint f(int a, int b) {{ {body} }}\n"
    game = loading.load_text(f"{functions}{PLACE}{TRANSITION}", name="test.net")
    return net_of(game)


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_a_function_that_is_written_out_gives_the_same(body: str) -> None:
    with mock.patch.object(expressions, "MOST_VALUES", 0):
        assert agree(net_with(body)), kernel(net_with(body), compiled=False)


def test_a_function_without_end_is_left_to_the_token_game() -> None:
    with mock.patch.object(expressions, "MOST_VALUES", 0):
        reason = kernel(net_with("while (a >= 0) a++; return a;"), compiled=False)

    assert reason == "the functions that it calls are too long to be written out"


def test_a_recursion_that_may_go_deep_is_left_to_the_token_game() -> None:
    with mock.patch.object(expressions, "MOST_VALUES", 0):
        reason = kernel(net_with("return a == b ? 0 : f(a, b + 1);"), compiled=False)

    assert isinstance(reason, str)
