"""Programs that answer: values, undefined values, and what is computed how often."""

import sys

import pytest

from tests.support.led import program
from zermelo.core.values import Value
from zermelo.languages.led.run.analysis import Dependence
from zermelo.languages.led.run.built_ins import Input
from zermelo.languages.led.run.evaluator import ProgramEvaluator, explained
from zermelo.languages.led.run.pretty import pp
from zermelo.languages.led.run.values import Arranged, Erroneous, Text
from zermelo.text import budget
from zermelo.text.source import Source


def ask(code: str, name: str = "c", *arguments: Value, steps: int = 1_000_000) -> str:
    """How the value of *name* prints in the program *code*."""
    return pp(ProgramEvaluator(program(code), steps=steps).value(name, arguments))


def why(code: str, name: str = "c", *arguments: Value, steps: int = 1_000_000) -> list[str]:
    """Why *name* has no value."""
    found = ProgramEvaluator(program(code), steps=steps).value(name, arguments)
    assert isinstance(found, Erroneous)
    return explained(found)


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("c := 1 if false; 2 if true; 3 otherwise", "2"),
        ("c := a + b where a = 1 & b = a + 1", "3"),
        ("c := a where a = b + 1 & b = 1", "2"),
        ("c := a + b where (a, b) = (1, 2)", "3"),
        ("c := a where a in {5, 6} & a > 5", "6"),
        ("c := f(2) f(n) := n * g(n) g(n) := n + 1", "6"),
        ("c := false & 1/0 = 1", "false"),
        ("c := false => 1/0 = 1", "true"),
        ("c := {x | x in {1..3} V x = 7}", "{1, 2, 3, 7}"),
        ("c := Sum[x in {1, 2} V x in {2, 3}] x", "6"),
        ("c := Sum[x in {1, 2} & y in {1, 2}] x", "6"),
        ("c := {x | (x, x) in {(1, 1), (1, 2)}}", "{1}"),
        ("c := {x | (x, 2) in {(1, 1), (1, 2), 5, (1, 2, 3)}}", "{1}"),
        ("c := some x, y in {1, 2}. x + y = 4", "true"),
        ("c := all x, y in {1, 2}. (all x in {x}. x <= 2)", "true"),
        ("c := 7 in {1..10^9}", "true"),
        ("c := 1/2 in {0..1}", "false"),
        ("c := t[2..3] + t[1..1] where t = (1, 2, 3)", "(2, 3, 1)"),
        ("c := t + (4) where t = (1, 2)", "(1, 2, 4)"),
        ("c := Sec[x in {1, 2}] {x..3}", "{2, 3}"),
        ("c := f(3, 4) where k = 1 f(a, b) := |{a, b}| + k where k = 10", "12"),
    ],
)
def test_a_constant_has_its_value(code: str, printed: str) -> None:
    assert ask(code) == printed


def test_a_name_of_where_is_computed_only_where_it_is_needed() -> None:
    assert ask("c := f(0) f(n) := 1 if n = 0; r otherwise where r = f(n - 1)") == "1"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("c := 1 if false", ["none of the cases of `c` holds", "in `c`"]),
        ("c := f(0) f(x) := 1/x", ["1 is divided by 0", "in `f(0)`", "in `c`"]),
        ("c := d d := c", ["`c` is defined by itself", "in `d`", "in `c`"]),
        ("c := f(1) f(x) := f(x)", ["`f(1)` is defined by itself", "in `f(1)`", "in `c`"]),
        ("c := a where a in {}", ["nothing fits what `where` asks for", "in `c`"]),
        ("c := true V 1/0 = 1", ["1 is divided by 0", "in `c`"]),
        ("c := 1 & true", ["`&` needs a truth value, and got 1", "in `c`"]),
        ("c := 1 if 2", ["`if` needs a truth value, and got 2", "in `c`"]),
        ("c := {x | x in 3}", ["a set is needed here, and this is 3", "in `c`"]),
        ("c := Sum[x in {1}] {x}", ["`Sum` needs numbers, and got {1}", "in `c`"]),
        ("c := U[x in {1}] x", ["`U[..]` needs sets, and got 1", "in `c`"]),
        ("c := Pow({1..40})", ["the power set of 40 members is too large to be listed", "in `c`"]),
    ],
)
def test_a_value_that_is_undefined_says_why(code: str, reason: list[str]) -> None:
    assert why(code) == reason


def test_the_place_is_the_smallest_piece_without_a_value() -> None:
    code = "c := {1, 2 + f(3)} f(x) := x * (x / 0)"
    found = ProgramEvaluator(program(code)).value("c")

    assert isinstance(found, Erroneous)
    source = Source("demo.led", f"/$\n{code}\n$/\n")
    assert explained(found, source)[1] == "at line 2: x / 0"


def test_a_deep_recursion_is_evaluated() -> None:
    code = "c := fact(2000) / fact(1999) fact(n) := 1 if n = 0; n * fact(n - 1) otherwise"
    limit = sys.getrecursionlimit()

    assert ask(code) == "2000"
    assert sys.getrecursionlimit() == limit


def test_limits_of_a_deep_recursion_are_no_value() -> None:
    code = "c := f(3000) f(n) := 0 if n = 0; 1 + f(n - 1) otherwise"
    evaluator = ProgramEvaluator(program(code))

    def many() -> list[Value]:
        return [evaluator.value("f", (depth,)) for depth in range(3000, 3100)]

    with budget.budget(room=budget.Room(0, 0)), pytest.raises(budget.OutOfRoom):
        many()
    with budget.budget(steps=5_000), pytest.raises(budget.OverBudget):
        ProgramEvaluator(program(code)).value("c")
    assert evaluator.value("c") == 3000


@pytest.mark.parametrize(
    ("twice", "reason"),
    [
        ("(y, 1)", "a value with more than 200 tuples or sets inside each other"),
        ("y U {y}", "a value with more than 1,000,000 parts"),
        ("{y}", "a value with more than 200 tuples or sets inside each other"),
        ("((y, y), (y, y))", "a value with more than 1,000,000 parts"),
    ],
)
def test_values_are_not_nested_without_an_end(twice: str, reason: str) -> None:
    """Python would look for such a tuple with C's stack, until there is none left."""
    rounds = " ".join(f"g{n}(y) := g{n - 1}(g{n - 1}(y))" for n in range(1, 20))

    assert why(f"c := {{g19({{1}})}} g0(y) := {twice} {rounds}", steps=10**9)[0] == reason


def test_a_recursion_without_an_end_is_told() -> None:
    assert why("c := f(0) f(n) := f(n + 1)")[0] == (
        "`f` calls itself, one call inside the other, without an end in sight"
    )


def test_work_without_an_end_is_told() -> None:
    code = "c := some x in {1..10^9}. x < 0"

    assert why(code, steps=1000) == ["this took more than 1,000 steps", "in `c`"]


def test_numbers_that_explode_are_told() -> None:
    code = "c := f(40) f(n) := 3 if n = 0; f(n - 1) * f(n - 1) otherwise"

    assert "binary digits" in why(code)[0]


def test_values_are_computed_once() -> None:
    # Without results that are kept this would take 2^60 calls.
    code = "c := fib(60) fib(n) := n if n < 2; fib(n - 1) + fib(n - 2) otherwise"

    assert ask(code, steps=1000) == "1548008755920"


def test_equal_sets_in_another_order_are_told_apart_where_they_print() -> None:
    evaluator = ProgramEvaluator(program("f(A) := {x + 1 | x in A}"))

    assert pp(evaluator.value("f", (Arranged([1, 2]),))) == "{2, 3}"
    assert pp(evaluator.value("f", (Arranged([2, 1]),))) == "{3, 2}"


GAME = """ledGame
initialState := 0
steps := currentState + add
add := 1 if mouseClicked & mouseX > 10; 10 if "A" in keys; 0 otherwise
newState := steps
images := {text(strgToVal(prettyPrint(currentState)), point(mouseX, mouseY), 10, dBlack)}
twice := 2 * currentState
"""


def test_a_frame_has_its_state_and_its_input() -> None:
    evaluator = ProgramEvaluator(program(GAME))
    click, key, nothing = Input(clicked=True, x=20), Input(keys=Arranged([Text("A")])), Input()

    values = [evaluator.value("newState", state=5, input=each) for each in (click, key, nothing)]

    assert values == [6, 15, 5]
    assert evaluator.value("twice", state=5) == 10
    assert evaluator.value("twice", state=6) == 12
    assert isinstance(evaluator.value("twice"), Erroneous)


def test_dependences_go_through_definitions() -> None:
    evaluator = ProgramEvaluator(program(GAME))
    names = ("initialState", "twice", "add", "steps")

    assert [evaluator.dependence(name) for name in names] == [
        Dependence(),
        Dependence(on_state=True),
        Dependence(on_input=True),
        Dependence(on_state=True, on_input=True),
    ]


def test_what_is_not_there_is_undefined() -> None:
    evaluator = ProgramEvaluator(program("f(x) := x"))

    assert isinstance(evaluator.value("g"), Erroneous)
    assert isinstance(evaluator.value("f"), Erroneous)
