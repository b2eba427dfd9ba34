"""Long rows of operands mean the same however they are grouped, and are nowhere deep."""

import pytest

from tests.support.prod import net
from tests.unit.languages.nets.read.prod.test_expressions import parsed, shown
from zermelo.languages.nets import ir
from zermelo.languages.nets.ir import Const
from zermelo.languages.nets.read.prod.expressions import MOST_LEANING, MOST_RUNGS, ladder
from zermelo.languages.nets.read.prod.preprocessor import condition_value

LONG = 3000


def test_short_chains_lean_to_the_left() -> None:
    text = "a" + "-a" * MOST_LEANING

    assert shown(parsed(text)) == "(" * MOST_LEANING + "a" + "-a)" * MOST_LEANING


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1" + "+1" * LONG, 1 + LONG),
        ("1" + "-1" * LONG, 1 - LONG),
        ("5" + "-3+2" * LONG, 5 - LONG),
        ("5" + "+3-2-1+4" * LONG, 5 + 4 * LONG),
        ("-1" + "*-1" * LONG, -1),
        ("0" + "|1|4" * LONG, 5),
        ("0" + "^1" * LONG, LONG % 2),
        ("7" + "&3" * LONG, 3),
        ("0" + "||0" * LONG, 0),
        ("1" + "&&1" * LONG, 1),
    ],
)
def test_long_chains_have_the_same_value_and_are_not_deep(text: str, expected: int) -> None:
    found = parsed(text)

    assert condition_value(found) == expected
    assert ir.depth(found) <= 20


@pytest.mark.parametrize("rungs", [1, MOST_RUNGS, MOST_RUNGS + 1, 100, 1000])
def test_a_ladder_gives_what_its_first_test_that_holds_gives(rungs: int) -> None:
    def made(at: int) -> ir.Expr:
        steps = [(ir.Const(int(each >= at)), ir.Const(each)) for each in range(rungs)]
        return ladder(steps, ir.Const(-1))

    assert ir.depth(made(0)) <= MOST_RUNGS + 10
    assert [condition_value(made(at)) for at in (0, rungs // 2, rungs - 1)] == [
        0,
        rungs // 2,
        rungs - 1,
    ]
    assert condition_value(made(rungs)) == -1


def test_c_functions_may_be_as_long() -> None:
    rungs = " ".join(f"a == {at} ? {at + 7} :" for at in range(500))
    c = (
        f"int f(int a) {{ return {rungs} -1; }}\n"
        f"int g(int a) {{ return a{'+a' * 999}; }}\n"
        f"enum {{ {', '.join(f'E{at}' for at in range(500))} }};\n"
    )
    net_text = "#place p mk(<.f(499), f(500), g(3), E499.>)\n#trans t\nin { p: <.a, b, c, d.>; }\n"

    found = net(f"{c}{net_text}#endtr\n")

    assert found.places[0].initial.counts == (((506, -1, 3000, 499), 1),)


def test_a_long_sum_of_numbers_is_one_number() -> None:
    gate = f"gate 1{'+1' * 149};"

    found = net(f"#place p mk(<.1.>)\n#trans t\nin {{ p: <.x.>; }}\n{gate}\n#endtr\n")

    assert found.transitions[0].gates == (Const(150),)
