"""LED programs understood: what names mean, and what is said about them."""

import pytest

from zermelo.languages.led import ir
from zermelo.languages.led.mean.elaborate import elaborate, expression
from zermelo.languages.led.read import document as led
from zermelo.languages.led.read import parser
from zermelo.languages.led.run.evaluator import ProgramEvaluator
from zermelo.languages.led.run.pretty import pp
from zermelo.text.diagnostic import Checked
from zermelo.text.source import Source


def read(code: str) -> Checked[ir.Program]:
    """The program that *code* is."""
    source = Source("folder/demo.led", f"/$\n{code}\n$/\n")
    document = led.parse(source).value
    assert document is not None
    return elaborate(document, source)


def said(code: str) -> list[str]:
    """The codes of all that is said about *code*."""
    return [each.code.id for each in read(code).diagnostics]


def value(code: str, typed: str) -> str:
    """How the expression *typed* prints in the program *code*."""
    program = read(code).value
    assert program is not None
    source = Source("typed", typed)
    parsed = parser.expression(source).value
    assert parsed is not None
    meant = expression(parsed, program, source).value
    assert meant is not None
    return pp(ProgramEvaluator(program).expression(meant))


def test_a_program_has_the_name_of_its_file_and_its_definitions_in_order() -> None:
    program = read("ledGame b := a a := 1").value

    assert program is not None
    assert program.name == "demo"
    assert program.is_game
    assert [each.name for each in program.definitions] == ["b", "a"]
    assert len(program.fingerprint) == 64


def test_a_parameter_hides_a_constant() -> None:
    assert value("x := 3 f(x) := x + 1", "f(10)") == "11"


def test_a_name_of_where_hides_a_constant() -> None:
    assert value("x := 3 f(n) := x + n where x = 10", "f(1)") == "11"


def test_a_constant_is_compared_in_a_sentence() -> None:
    assert value("x := 3", "{x | x in {1, 2, 3}}") == "{3}"
    assert said("x := 3 c := {x | x in {1, 2, 3}}") == ["Z743"]


def test_a_program_may_use_a_name_of_the_engine_for_itself() -> None:
    assert value("text(x) := x + 1", "text(1)") == "2"
    assert value("f(point) := point + 1", "f(1)") == "2"
    assert value("c := {keys | keys in {1, 2}}", "c") == "{1, 2}"


def test_names_of_the_engine_answer_with_an_underscore_in_a_game() -> None:
    game = "ledGame initialState := 7 newState := currentState images := {}"

    assert value(game, "initialState_") == "7"
    assert value(game, "point_(1, 2) = point(1, 2)") == "true"
    assert value("initialState := 7", "initialState_") == "ERRONEOUS VALUE"


@pytest.mark.parametrize(
    ("code", "codes"),
    [
        ("c := 1 + 2", []),
        ("c := d", ["Z330"]),
        ("c := d + d * d", ["Z330"]),
        ("c := f(1)", ["Z331"]),
        ("f(x) := x(1)", ["Z331"]),
        ("f(x) := x c := f", ["Z332"]),
        ("c := point(1)", ["Z332"]),
        ("f(x) := x f(x) := x + 1", ["Z333"]),
        ("f(x, x) := x", ["Z335"]),
        ("c := mouseX", ["Z336"]),
        ("c := {x | x < 3}", ["Z580"]),
        ("c := {x | x in S}", ["Z330"]),
        ("c := x where x = x + 1", ["Z580"]),
        ("c := {1 | x = 1 V y = 2}", ["Z580"]),
        ("f(p, q) iff p V q V p", ["Z711"]),
        ("f(p) iff (p) & p", ["Z711"]),
        ("f(p) := p + p", []),
        ("ledGame initialState := 1 newState := 2", ["Z581"]),
        ("ledGame initialState := mouseX newState := 2 images := {}", ["Z581"]),
    ],
)
def test_a_fault_is_told_once(code: str, codes: list[str]) -> None:
    assert said(code) == codes


def test_two_equal_definitions_are_only_warned_about() -> None:
    (twice,) = read("f(x) := x f(x) := x").diagnostics

    assert not twice.is_error


def test_definitions_with_faults_do_not_take_the_others_with_them() -> None:
    code = "a := b c := 1 + 2 f(x) := y"

    assert value(code, "c") == "3"
    assert value(code, "a") == "ERRONEOUS VALUE"


def test_an_expression_that_is_typed_gets_its_own_complaints() -> None:
    program = read("width := 3").value
    assert program is not None
    source = Source("typed", "widht + 1")
    parsed = parser.expression(source).value
    assert parsed is not None

    (complaint,) = expression(parsed, program, source).diagnostics

    assert complaint.help == "write `width`, or define `widht := …`"


def helps(code: str) -> list[str | None]:
    """The help of all that is said about *code*."""
    return [each.help for each in read(code).diagnostics]


def test_what_uses_a_damaged_definition_is_not_complained_about() -> None:
    assert said("f(x) := x +\ng := f(1)\nh := {z | z in S & f(z) = 1}\nS := {1, 2") == []


def test_a_set_with_its_parts_turned_round_gets_the_form_that_led_has() -> None:
    code = "S := {1..9} evens := {x in S | x mod 2 = 0}"

    assert said(code) == ["Z580"]
    assert helps(code) == ["write `{x | x in S & x mod 2 = 0}`"]


def test_the_set_of_truth_values_of_a_relation_is_no_fault() -> None:
    assert value("S := {1, 2}", "{x in S | x in {2, 3}}") == "{true, false}"


@pytest.mark.parametrize(
    ("code", "help_"),
    [
        ("a := max(3, 4)", "define it: `max(x, y) := x if x >= y; y otherwise`"),
        ("a := min({3, 4})", "define it: `min(A) := m where m in A & (all x in A. m <= x)`"),
        ("a := length((1, 2))", "write `|x|` for the size of a number, a set or a tuple"),
        ("a := not(true)", "write `~(p)` for not"),
        ("f(X) := x + 1", "write `X`, or define `x := …`"),
    ],
)
def test_what_people_expect_gets_advice(code: str, help_: str) -> None:
    assert helps(code) == [help_]


def test_the_advice_about_extremes_can_be_followed() -> None:
    least = "min(A) := m where m in A & (all x in A. m <= x)"
    most = "max(x, y) := x if x >= y; y otherwise"

    assert value(f"{least} {most}", "(min({3, 2, 4}), max(3, 4))") == "(2, 4)"


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("t + (u)", "(1, 2, (3, 4))"),
        ("t + ((3, 4))", "(1, 2, (3, 4))"),
        ("(u) + t", "((3, 4), 1, 2)"),
        ("t + (u[1])", "(1, 2, 3)"),
        ("t + (u + t)", "(1, 2, 3, 4, 1, 2)"),
        ("(t + u) + t", "(1, 2, 3, 4, 1, 2)"),
        ("t + (1 + 2)", "(1, 2, 3)"),
        ("1 + (2)", "3"),
    ],
)
def test_brackets_that_group_nothing_beside_a_tuple_make_one_component(
    typed: str, printed: str
) -> None:
    assert value("t := (1, 2) u := (3, 4)", typed) == printed


@pytest.mark.parametrize(
    "code",
    [
        "s(A) := Sum[x in A] x + Prod[x in A] x^2",
        "s(A) iff (some x in A. x = 1) & (all x in A. x = 1)",
        "s(A) := {Sum[x in A] x} U {x | x in A & x > 1}",
        "s(x) := Sum[y in x] y",
    ],
)
def test_a_name_that_is_bound_anew_is_not_the_one_of_the_binder_before(code: str) -> None:
    assert said(code) == []


@pytest.mark.parametrize(
    ("code", "typed", "printed"),
    [
        ("f(A) := 0 if A = {}; x otherwise where x in A", "(f({}), f({7}))", "(0, 7)"),
        ("f(t) := 0 if |t| = 0; x otherwise where (x, y) = t", "(f(()), f((5, 6)))", "(0, 5)"),
        ("f(A) := x where x in A & x > 2", "f({1, 2, 3, 4})", "3"),
        ("f(A) := x where x in A & x > 2", "f({1, 2})", "ERRONEOUS VALUE"),
        ("f(n) := 1 where n > 0", "f(1)", "1"),
        ("f(n) := 1 where n > 0", "f(0)", "ERRONEOUS VALUE"),
        ("f(n) := m where m in {1..9} & n > 0 & m > n", "f(4)", "5"),
    ],
)
def test_a_where_is_solved_when_one_of_its_names_is_needed(
    code: str, typed: str, printed: str
) -> None:
    assert value(code, typed) == printed


def test_an_implication_that_takes_in_what_binds_gets_brackets() -> None:
    code = "S := {1, 2} c := {x | x in S & x > 1 => x = 2}"

    assert helps(code) == ["put what belongs together in brackets: `x in S & (x > 1 => x = 2)`"]
    assert value("S := {1, 2}", "{x | x in S & (x > 1 => x = 2)}") == "{1, 2}"
