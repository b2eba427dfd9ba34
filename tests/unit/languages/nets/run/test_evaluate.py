"""The values of expressions and functions of nets."""

import pytest

from tests.support.prod import net
from zermelo.core.machine import ExhaustedError, FaultError, FaultKind
from zermelo.languages.nets.ir import Call, Const, Expr, Interval, Transition, Var
from zermelo.languages.nets.run.evaluate import Evaluator
from zermelo.text.source import NOWHERE

FUNCTIONS = """\
int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }
int odd_squares(int k) {
    int sum = 0;
    for (int i = 0; i < k; i++) { if (i % 2 == 0) continue; sum += i * i; }
    return sum;
}
int first_over(int k) { int i = 0; while (1) { if (i * i > k) break; ++i; } return i; }
int down(int n) { int r = 0; do { r = r * 10 + n; n--; } while (n > 0); return r; }
int sorts(int x) {
    int r = 0;
    switch (x) { case 1: r = 10; break; case 2: case 3: r = 20; default: r += 5; }
    return r;
}
int grid(int n) { int a[3][2] = {{1, 2}, {3}}; a[2][1] = n; a[0][0] += 4;
    return a[0][0] * 100 + a[1][1] * 10 + a[2][1]; }
int shadow(int x) { int y = 1; { int y = 2; x += y; } return x * 10 + y; }
int forever(int n) { while (1) n = n; return n; }
int deeper(int n) { return deeper(n + 1); }
int falls(int n) { if (n) return 1; }
int over(int n) { int a[2]; a[n] = 1; return a[n]; }
int next[4] = {1, 2, 3, 0};
#place p mk(<.0.>)
#trans t
in { p: <.n.>; }
out { p: <.FORM.>; }
#endtr
"""


def value(form: str, number: int = 0) -> int:
    """The value of *form* where `n` is *number*."""
    found = net(f"#define FORM {form}\n{FUNCTIONS}")
    return Evaluator(found).value(output(found.transitions[0]), {"n": number})


def output(transition: Transition) -> Expr:
    """The expression that *transition* puts into its place."""
    component = transition.outputs[0].terms[0].components[0]
    assert not isinstance(component, Interval)
    return component


@pytest.mark.parametrize(
    ("form", "number", "expected"),
    [
        ("fib(n)", 15, 610),
        ("gcd(n, 18)", 48, 6),
        ("odd_squares(n)", 6, 1 + 9 + 25),
        ("first_over(n)", 50, 8),
        ("down(n)", 4, 4321),
        ("down(n)", 0, 0),
        ("grid(n)", 7, 507),
        ("shadow(n)", 3, 51),
        ("next[n]", 3, 0),
        ("sorts(n)", 1, 10),
        ("sorts(n)", 2, 25),
        ("sorts(n)", 3, 25),
        ("sorts(n)", 9, 5),
        ("n ? 10 / n : -1", 0, -1),
        ("n && 10 / n > 2", 0, 0),
        ("n == 0 || 10 / n > 2", 0, 1),
        ("-n + ~n + !n", 2, -5),
        ("'a' + 0x10 + 010", 0, 97 + 16 + 8),
        ("1 + 2 * 3 - 8 / 2 % 3", 0, 6),
        ("1 << 2 + 1", 0, 8),
        ("1 | 2 ^ 3 & 2", 0, 1),
        ("5 > 3 == 1", 0, 1),
    ],
)
def test_an_expression_has_the_value_that_c_gives_it(form: str, number: int, expected: int) -> None:
    assert value(form, number) == expected


@pytest.mark.parametrize(
    ("form", "kind", "words"),
    [
        ("forever(n)", FaultKind.ENDLESS, "1,000,000 steps"),
        ("deeper(n)", FaultKind.ENDLESS, "1000 calls"),
        ("falls(n)", FaultKind.UNDEFINED, "without returning"),
        ("over(n - 1)", FaultKind.UNDEFINED, "no element -1"),
        ("next[n + 4]", FaultKind.UNDEFINED, "no element 4: its indexes are 0 to 3"),
        ("1 / n", FaultKind.UNDEFINED, "division by 0"),
        ("9223372036854775807 + 1 + n", FaultKind.UNDEFINED, "does not fit"),
    ],
)
def test_what_has_no_value_is_a_fault_that_says_why(form: str, kind: FaultKind, words: str) -> None:
    with pytest.raises(FaultError, match=words) as fault:
        value(form)

    assert fault.value.kind is kind


def test_names_that_nobody_knows_have_no_value() -> None:
    evaluator = Evaluator(net(f"#define FORM n\n{FUNCTIONS}"))

    for expr in (Var("x"), Call("nothing", (Const(1),))):
        with pytest.raises(FaultError):
            evaluator.value(expr)


def test_steps_are_counted_altogether_beside_those_of_one_value() -> None:
    made = net(f"#define FORM forever(n)\n{FUNCTIONS}")
    evaluator = Evaluator(made, most=100, altogether=250)
    forever = next(each for each in made.functions if each.name == "forever")

    for taken in (101, 202):
        with pytest.raises(FaultError, match="this takes more than 100 steps"):
            evaluator.call(forever, (0,))
        assert evaluator.steps == taken
    for taken in (251, 252):
        with pytest.raises(ExhaustedError, match="all of this takes more than 250 steps"):
            evaluator.call(forever, (0,))
        assert evaluator.steps == taken


def test_steps_of_others_are_counted_too() -> None:
    evaluator = Evaluator(net(f"#define FORM n\n{FUNCTIONS}"), most=10)

    evaluator.spend(10, NOWHERE)
    with pytest.raises(FaultError, match="more than 10 steps"):
        evaluator.spend(1, NOWHERE)
    evaluator.begin()
    evaluator.spend(10, NOWHERE)
