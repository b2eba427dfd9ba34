"""What compiled programs do no oftener than they must."""

import pytest

from tests.support.led import program
from zermelo.core.values import Value
from zermelo.languages.led.run.calls import Meter
from zermelo.languages.led.run.closure_builder import Compiler
from zermelo.languages.led.run.evaluator import ProgramEvaluator
from zermelo.languages.led.run.pretty import pp
from zermelo.languages.led.run.values import Erroneous


def steps(code: str, name: str = "c", *arguments: Value) -> int:
    """The least number of steps that suffices for the value of *name*, to the next power of 2."""
    most = 1
    while isinstance(ProgramEvaluator(program(code), steps=most).value(name, arguments), Erroneous):
        most *= 2
        assert most < 1 << 24
    return most


def test_quantifiers_stop_at_the_first_member_that_decides() -> None:
    assert steps("c := some x in {1..10^9}. x = 5") <= 32
    assert steps("c := all x in {1..10^9}. x < 5") <= 32


def test_where_stops_at_the_first_solution() -> None:
    assert steps("c := n where n in {1..10^9} & n * n > 50") <= 64


def test_membership_of_an_interval_lists_nothing() -> None:
    assert steps("c := 5 in {1..10^9}") <= 2


def test_what_needs_no_name_is_evaluated_once() -> None:
    # The inner sum takes some thousand steps; a thousand times that would be millions.
    code = "c := Sum[x in {1..1000}] (x + (Sum[y in {1..1000}] y))"

    assert steps(code) <= 8192


def test_several_names_range_over_a_set_that_is_made_once() -> None:
    assert steps("c := some x, y in {z | z in {1..100}}. x + y > 1000") <= 1 << 15


def test_a_function_with_a_loop_is_not_evaluated_again_at_the_same_arguments() -> None:
    code = "c := Sum[x in {1..100}] (f(1)) f(n) := Sum[y in {1..1000}] (y * n)"

    assert steps(code) <= 8192


def test_definitions_are_compiled_when_they_are_needed() -> None:
    compiler = Compiler(program("a := b b := 1 c := 2"), Meter())

    compiler.code("c")

    assert [code.name for code in compiler.codes()] == ["c"]
    assert compiler.code("d") is None


@pytest.mark.parametrize("size", [1_000_001, 10**30])
def test_sets_that_are_too_large_are_not_made(size: int) -> None:
    found = ProgramEvaluator(program(f"c := {{1..{size}}}")).value("c")

    assert isinstance(found, Erroneous)
    assert found.reason.endswith("has too many members to be listed")


@pytest.mark.parametrize(
    "work",
    [
        "Sum[x in {1..100}] (" + "+".join(["x * x"] * 60) + ")",
        "some x in {1..100}. " + "+".join(["x"] * 60) + " < 0",
        "|Pow({1..10})|",
        "|{1..100} * {1..100}|",
        "{x | x in {1..1000}} \\ {1}",
        "{x | x in {1..1000}} nrsec {1}",
        "all x in {1..10}. {y | y in {1..200}} = {y | y in {2..201}}",
        "randSeq(1, 1000)",
        "prettyPrint(randSeq(1, 100))",
        "(7^200000) mod (3^100000)",
        "all x in {1..10}. |{b, x}| = 2",
    ],
)
def test_what_takes_long_is_paid_for(work: str) -> None:
    code = f"c := {work} b := g(9) g(n) := (1, 2) if n = 0; g(n - 1) + g(n - 1) otherwise"

    assert steps(code) >= 1024


def test_what_is_kept_by_long_arguments_is_paid_for() -> None:
    code = "f(t) := Sum[x in {1}] |t|"

    assert steps(code, "f", tuple(range(10_000))) >= 2048


def test_inner_names_hide_outer_ones() -> None:
    code = "f(x) := {x + (Sum[y in {1, 2}] y) | z in {x}} g(x) iff some x in {5}. x = 5"
    evaluator = ProgramEvaluator(program(code))

    assert pp(evaluator.value("f", (10,))) == "{13}"
    assert pp(evaluator.value("g", (1,))) == "true"
