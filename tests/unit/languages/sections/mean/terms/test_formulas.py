"""Expressions beside a document are read in the words of its system."""

from tests.support.elaboration import game, system
from zermelo.core.values import NUMBER, Atom
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.terms.formulas import resolve_expression
from zermelo.languages.sections.read.grammar import tree

SYSTEM = system(
    game(
        sets="H_n : {x ∈ P | x < n}",
        variables="over ∈ B",
        facts="over ↔ (Free = ∅)",
        more="size(s ⊆ P) = |s|\nGameOver(over)\n  result ∈ {all gone}\n  over → result = all gone",
    )
)


def resolved(expr: tree.Expr) -> ir.Expr | None:
    """*expr* in the words of the system."""
    return resolve_expression(expr, SYSTEM, {"x": NUMBER}).value


def test_names_are_those_of_the_system() -> None:
    assert resolved(tree.Name("Free")) == ir.Ref("Free")
    assert resolved(tree.Name("P")) == ir.Ref("P")
    assert resolved(tree.Name("x")) == ir.Local("x")


def test_words_are_the_values_of_the_system() -> None:
    assert resolved(tree.WordRun(("all", "gone"))) == ir.Literal(Atom("all gone"))


def test_functions_and_families_are_applied() -> None:
    size = tree.Apply("size", (tree.Name("Mine"),))

    assert resolved(size) == ir.Apply("size", (ir.Ref("Mine"),))
    assert resolved(tree.Name("H_2")) == ir.Apply("H", (ir.Literal(2),))


def test_types_decide_as_in_the_document() -> None:
    difference = tree.Binary(tree.BinaryOp.MINUS, tree.Name("P"), tree.Name("Mine"))

    assert resolved(difference) == ir.Binary(ir.Op.DIFFERENCE, ir.Ref("P"), ir.Ref("Mine"))


def test_a_name_of_nothing_is_said() -> None:
    found = resolve_expression(tree.Name("Fre"), SYSTEM, {})

    assert found.value is None
    assert [d.message for d in found.diagnostics] == [
        "`Fre` is used here, but nothing of that name is declared"
    ]
    assert found.diagnostics[0].help == "write `Free`, or declare `Fre`"
