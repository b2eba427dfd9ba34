"""Values of functions that are computed while code is written, and how long that may take."""

from __future__ import annotations

import pytest

from tests.support.net_agreement import agree
from tests.support.prod import net
from zermelo.languages.nets.compile import function_tables as module
from zermelo.languages.nets.compile.function_tables import MOST_STEPS, NOTHING, FunctionTables
from zermelo.languages.nets.compile.kernel import NetKernel, kernel

USE = "#trans t\nin { p: <.v.>; } out { r: <.f(v).>; }\n#endtr\n"
PLACES = "#place p mk(<.3.>)\n#place r\n"
ENDLESS = f"int f(int n) {{ while (1) ; return 1; }}\n{PLACES}{USE}"
LONG = "int f(int n) { int i = 0; while (i < 900000) i++; return 1; }\n" + PLACES + USE
COLLATZ = (
    "int f(int n) { int i = 0;\n"
    "  while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; i++; } return i; }\n"
    "#place p mk(<.1..20.>)\n#place r\n"
    "#trans t\nin { p: <.v.>; } out { r: <.f(v).>; } gate v > 17;\n#endtr\n"
)


def test_a_table_has_the_values_of_all_arguments_the_last_one_fastest() -> None:
    made = net(f"int f(int a, int b) {{ return 10 * a + b; }}\n{PLACES}{USE}".replace("v)", "v,v)"))
    ahead = FunctionTables(made)

    assert ahead.table(made.functions[0], (range(1, 3), range(4, 6))) == (14, 15, 24, 25)


def test_each_call_and_each_statement_is_a_step_and_a_table_is_made_once() -> None:
    made = net(f"int f(int n) {{ int a = n; a += 1; return a; }}\n{PLACES}{USE}")
    ahead = FunctionTables(made)

    # a call, a declaration and an assignment, for each of ten values
    assert ahead.table(made.functions[0], (range(10),)) == tuple(range(1, 11))
    assert ahead.steps == 30
    ahead.table(made.functions[0], (range(10),))
    assert ahead.steps == 30


def test_a_value_that_takes_long_is_left_to_the_token_game() -> None:
    made = net(f"int f(int n) {{ while (n == 1) ; return 7 / n; }}\n{PLACES}{USE}")

    assert FunctionTables(made).table(made.functions[0], (range(-1, 3),)) == (
        -7,
        NOTHING,
        NOTHING,
        3,
    )


def test_nothing_is_computed_any_more_when_all_steps_are_taken() -> None:
    made = net(ENDLESS)
    ahead = FunctionTables(made)

    # each value takes 1,001 steps before it is given up
    assert ahead.table(made.functions[0], (range(256),)) is None
    assert ahead.steps == MOST_STEPS + 1
    assert ahead.table(made.functions[0], (range(1),)) is None
    assert ahead.steps <= MOST_STEPS + 2


def test_a_function_of_long_expressions_counts_for_more() -> None:
    sums = f"({'+'.join('n' for _ in range(30))})"
    made = net(f"int f(int n) {{ return {'+'.join(sums for _ in range(30))}; }}\n{PLACES}{USE}")
    ahead = FunctionTables(made)

    # 900 names, 899 sums and a statement, each with its place, are counted as 90 steps
    assert ahead.table(made.functions[0], (range(10),)) == tuple(range(0, 9000, 900))
    assert ahead.steps == 10 * (90 + 1)


@pytest.mark.parametrize("text", [ENDLESS, LONG])
def test_a_function_that_takes_long_for_all_values_has_no_code(text: str) -> None:
    reason = kernel(net(text), compiled=False)

    assert reason == "`f` takes too long to be computed beforehand"


def test_a_function_without_end_for_some_values_has_code() -> None:
    made = net(COLLATZ)

    assert isinstance(kernel(made, compiled=False), NetKernel)
    assert agree(made)


def test_a_short_function_of_many_values_is_written_out_when_no_steps_are_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_STEPS", 3)
    made = net(
        "int f(int n) { if (n > 5) return 0; return n + 1; }\n"
        "#place p mk(<.3.>)\n#trans t\nin { p: <.v.>; } out { p: <.f(v).>; }\n#endtr\n"
    )

    assert isinstance(kernel(made, compiled=False), NetKernel)
    assert agree(made)


@pytest.mark.parametrize("joined", ["x == {0} ? {0} / y : ({1})", "x / y && ({1})"])
def test_code_grows_only_as_fast_as_what_is_nested(joined: str) -> None:
    expr = "1"
    for at in range(30):
        expr = joined.format(at, expr)
    made = net(
        "#place q lo(<.0,0.>) hi(<.40,40.>) mk(<.1,2.>)\n"
        f"#trans t\nin {{ q: <.x,y.>; }} out {{ q: <.{expr}, x.>; }}\n#endtr\n"
    )

    found = kernel(made, compiled=False)

    assert isinstance(found, NetKernel)
    # one for each division, one for no room, one for all of it
    assert found.source.count("return -1") == 32
