"""Conjuncts say where bound names come from."""

from zermelo.languages.sections.mean.terms import binding
from zermelo.languages.sections.mean.terms.binding import Generator
from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.tree import (
    And,
    Compare,
    CompareOp,
    Implies,
    Name,
    NumberLiteral,
    TupleOf,
)

X, Y, A = Name("x"), Name("y"), Name("A")
X_IN_A = Compare(X, ((CompareOp.IN, A),))
SMALL = Compare(X, ((CompareOp.LT, NumberLiteral(9)),))


def test_a_conjunct_that_names_a_set_is_taken_and_left_out_of_the_rest() -> None:
    found = binding.find(("x",), And((SMALL, X_IN_A)))

    assert found is not None
    assert found.generator == Generator(("x",), A)
    assert found.rest == SMALL
    assert found.is_conjunct


def test_a_condition_of_an_implication_is_no_conjunct_of_the_whole() -> None:
    found = binding.find(("x",), Implies(X_IN_A, SMALL))

    assert found is not None
    assert found.rest == SMALL
    assert not found.is_conjunct


def test_a_set_that_depends_on_the_name_says_nothing_about_it() -> None:
    depends = Compare(X, ((CompareOp.IN, tree.SetOf((X,))),))

    assert binding.find(("x",), depends) is None


def test_an_equation_is_taken_only_if_no_set_is_named() -> None:
    equation = Compare(X, ((CompareOp.EQ, Y),))

    both = binding.find(("x",), And((equation, X_IN_A)))
    alone = binding.find(("x",), equation)

    assert both is not None
    assert both.generator.domain == A
    assert alone is not None
    assert alone.generator.domain == tree.SetOf((Y,))


def test_comparisons_bound_a_number_from_both_sides() -> None:
    chain = Compare(NumberLiteral(1), ((CompareOp.LE, X), (CompareOp.LE, NumberLiteral(9))))

    assert binding.bounds("x", chain) == tree.SetOf(
        (tree.Range(NumberLiteral(1), NumberLiteral(9)),)
    )
    assert binding.bounds("x", SMALL) is None


def test_a_pattern_with_a_tuple_inside_is_unfolded() -> None:
    shape = TupleOf((TupleOf((X, Y)), NumberLiteral(1)))

    generators, tests = binding.unfolded(shape, A)

    assert generators == (
        Generator(("(x, y)", "·2"), A, is_tuple=True),
        Generator(("x", "y"), tree.SetOf((Name("(x, y)"),)), is_tuple=True),
    )
    assert tests == (Compare(Name("·2"), ((CompareOp.EQ, NumberLiteral(1)),)),)


def test_names_bound_around_an_expression_are_known() -> None:
    some = tree.Quantified(tree.Quantifier.SOME, ("x",), A, Compare(X, ((CompareOp.LT, Y),)))

    around = {
        node.text: bound
        for node, bound in binding.scoped(some, frozenset(), lambda _: False)
        if isinstance(node, Name)
    }

    assert around == {"A": frozenset(), "x": {"x"}, "y": {"x"}}
