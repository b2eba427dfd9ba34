"""Going through a program."""

from tests.support.led import program
from zermelo.languages.led import ir
from zermelo.languages.led.run.analysis import binds, free, inside, large, pieces

X, Y = ir.Local("x"), ir.Local("y")
ONE = ir.Literal(1)


def test_everything_is_visited_from_left_to_right() -> None:
    expr = ir.BinaryOperation(
        ir.Op.PLUS, ir.MakeTuple((X, ONE)), ir.UnaryOperation(ir.UnaryOp.SIZE, Y)
    )

    assert [each for each in inside(expr) if isinstance(each, ir.Local)] == [X, Y]


def test_bound_names_are_not_free() -> None:
    domain = ir.MakeRange(ONE, Y)
    member = ir.Member(ir.NewName("x"), domain)

    assert binds(member) == ("x",)
    assert free(ir.Comprehension(X, member)) == {"y"}
    assert free(ir.Quantification(ir.Quantifier.ALL, ("x",), domain, X)) == {"y"}
    assert free(ir.BinaryOperation(ir.Op.PLUS, X, ir.Comprehension(X, member))) == {"x", "y"}


def test_definitions_that_take_work_are_known() -> None:
    code = "c := 1 f(x) := x + c g(x) := {y | y in x} h(x) := k(x) k(x) := h(x) m(x) := f(g(x))"

    assert large(program(code)) == {"c", "g", "h", "k"}


def test_a_definition_has_its_clause_and_its_cases() -> None:
    (definition,) = program("c := a if a > 1; 0 otherwise where a = 2").definitions

    assert {type(each) for each in pieces(definition)} >= {
        ir.Is,
        ir.NewName,
        ir.BinaryOperation,
        ir.Local,
    }
