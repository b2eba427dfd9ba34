"""Directives become places, transitions and constants."""

import pytest

from tests.support.prod import codes_of, said
from zermelo.languages.nets import ir
from zermelo.languages.nets.read.prod import tree
from zermelo.languages.nets.read.prod.document import parse
from zermelo.text.source import Source


def document(text: str) -> tree.NetDocument:
    """The net that *text* writes, which is understood."""
    checked = parse(Source("document.net", text))
    assert checked.value is not None
    assert not [each for each in checked.diagnostics if each.is_error]
    return checked.value.document


def test_a_place_has_bounds_and_a_marking_in_any_order() -> None:
    one, two = tree.Tuple((ir.Const(1),)), tree.Tuple((ir.Const(2),))

    for text in (
        "#place p lo(<.1.>) hi(<.2.>) mk(2<.1.>)",
        "#place p mk(2<.1.>) hi(<.2.>) lo(<.1.>)",
        "#place p mk ( 2 <. 1 .> ) \\\n  lo(<.1.>) \\\n  hi(<.2.>)",
        "#place p\n  lo(<.1.>)\n  hi(<.2.>)\n  mk(2 * <.1.>)\n",
    ):
        [place] = document(text).places
        assert place == tree.PlaceDirective("p", one, two, (tree.TupleTerm(one, ir.Const(2)),))


@pytest.mark.parametrize(
    ("text", "multiplicity"),
    [
        ("<..>", None),
        ("3<..>", ir.Const(3)),
        ("2*<..>", ir.Const(2)),
        ("(n)<..>", ir.Var("n")),
        ("n<..>", ir.Var("n")),
        ("2*3<..>", ir.Binary(ir.BinaryOp.TIMES, ir.Const(2), ir.Const(3))),
        ("z[0] <. .>", ir.Element("z", (ir.Const(0),))),
        ("f(1)*<..>", ir.Call("f", (ir.Const(1),))),
    ],
)
def test_a_multiplicity_is_a_number_or_an_expression(
    text: str, multiplicity: ir.Expr | None
) -> None:
    [place] = document(f"#place p mk({text})").places

    assert place.initial == (tree.TupleTerm(tree.Tuple(), multiplicity),)


def test_a_component_may_be_an_interval() -> None:
    [place] = document("#place p mk(<.1..n, 2 .. 3+1, -1.>)").places

    [term] = place.initial
    assert term.tuple.components == (
        ir.Interval(ir.Const(1), ir.Var("n")),
        ir.Interval(ir.Const(2), ir.Binary(ir.BinaryOp.PLUS, ir.Const(3), ir.Const(1))),
        ir.Unary(ir.UnaryOp.NEGATE, ir.Const(1)),
    )


def test_clauses_may_stand_in_any_order_and_be_absent() -> None:
    [first, second, third] = document(
        "#trans a\ngate x;\nout { q: <.x.> + <.y.>; }\nlet <.y.> <= <.1..2.>;\ngate y;\n"
        "in { p: <.x.>; }\n#endtr\n#trans b\n#endtr\n#trans c in { p: <.x.>; } #endtr\n"
    ).transitions

    assert [arc.place for arc in first.inputs] == ["p"]
    assert len(first.outputs[0].marking) == 2
    assert first.gates == (ir.Var("x"), ir.Var("y"))
    assert first.lets[0].tuple == tree.Tuple((ir.Var("y"),))
    assert second == tree.TransitionDirective("b")
    assert third.inputs == first.inputs


def test_the_last_semicolon_of_a_clause_may_be_missing() -> None:
    [transition] = document("#trans t\nin { p: <..>; q: <..> }\n#endtr").transitions

    assert [arc.place for arc in transition.inputs] == ["p", "q"]


def test_constants_are_listed_one_a_line_or_several() -> None:
    found = document("#enum A\n#enum B C\n#enum D, E\n#place p")

    assert [each.name for each in found.constants] == ["A", "B", "C", "D", "E"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("#place", "Z250"),
        ("#place 3", "Z250"),
        ("#place p q", "Z250"),
        ("#place p mk(<..>) mk(<..>)", "Z250"),
        ("#place p mk(3)", "Z250"),
        ("#place p mk(<..)", "Z250"),
        ("#place p mk(<.1,.>)", "Z250"),
        ("#place p mk(<.1.> - <.1.>)", "Z250"),
        ("#place p ;", "Z250"),
        ("#place p cp(20)", "Z251"),
        ("#queue p", "Z251"),
        ("#place (2) p", "Z252"),
        ("#enum", "Z250"),
        ("#endtr", "Z250"),
        ("#trans t\nin { p<9; }\n#endtr", "Z251"),
        ("#trans t\nin { p: reset; }\n#endtr", "Z251"),
        ("#trans t\nin { p1: p2; }\n#endtr", "Z251"),
        ("#trans t\nloss { p; }\n#endtr", "Z251"),
        ("#trans t\nin { p: <..>;\n#endtr", "Z250"),
        ("#trans t\nin p: <..>;\n#endtr", "Z250"),
        ("#trans t\nout { : <..>; }\n#endtr", "Z250"),
        ("#trans t\nlet <.x.> = <.1.>;\n#endtr", "Z250"),
        ("#trans t\ngate ;\n#endtr", "Z250"),
        ("#trans t\ngaet x;\n#endtr", "Z250"),
        ("#trans t\n3;\n#endtr", "Z250"),
        ("#trans t\nin { p: <..>; }", "Z255"),
        ("#precedence t", "Z154"),
        ("#tester t", "Z154"),
        ("#ltl x", "Z154"),
        ("#tarns t", "Z153"),
    ],
)
def test_what_is_not_understood_is_said_once(line: str, code: str) -> None:
    others = "#place p\n#place r\n#trans u\nin { r: <..>; }\n#endtr\n" if "#place" in line else ""

    found = [each.code.id for each in parse(Source("t.net", f"{others}{line}\n")).diagnostics]

    assert found == [code]


def test_reading_goes_on_behind_what_is_not_understood() -> None:
    text = (
        "#place p mk(3)\n#trans t\nin { p }\n#endtr\n#place q mk(4)\n#trans u\nin { q }\n#endtr\n"
    )

    assert codes_of(text) == ["Z250"] * 4


def test_a_misspelt_clause_is_suggested() -> None:
    [found] = said("#place p mk(<..>)\n#trans t\ngte 1;\n#endtr")

    assert found.help == "is `gate` meant?"


def test_a_directive_whose_form_is_not_known_is_named() -> None:
    [found] = [each for each in said("#place p\n#monitor x\n") if each.code.id == "Z154"]

    assert found.message == (
        "PROD has verification on the fly, but the form of `#monitor` is not known here"
    )


def test_gates_are_not_joined_by_commas() -> None:
    [found] = said("#place p mk(<.1.>)\n#trans t\nin { p: <.x.>; }\ngate x > 0, x < 2;\n#endtr")

    assert found.message == "the comma operator is C's, and no part of a net's expressions here"
    assert found.help == "write `&&` where both must hold"
