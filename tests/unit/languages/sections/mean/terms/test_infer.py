"""Types decide what symbols mean, and clashes are said in words."""

import pytest

from tests.support.elaboration import body, errors, game, only, said, system
from zermelo.core.types import NUMBER, TRUTH, SetType, TupleType
from zermelo.languages.sections import ir


def guard(text: str, **parts: str) -> str:
    """The guard *text* as it is understood."""
    described = system(game(rules=f"{text} → Mine = Mine ∪ {{pos}}", **parts))
    (rule,) = body(described, "Take")
    return rule.removesuffix(" → Mine = Mine ∪ {pos}")


def test_equality_of_truth_values_is_equivalence() -> None:
    described = system(game(variables="ok ∈ B", initial="ok = true", rules="ok = true → Mine = P"))

    procedure = described.procedure("Take")
    assert procedure is not None
    (rule,) = procedure.body
    assert isinstance(rule, ir.Rule)
    assert rule.guard == ir.Binary(ir.Op.IFF, ir.Ref("ok"), ir.Literal(value=True))


def test_minus_is_a_difference_of_sets_and_of_numbers() -> None:
    described = system(game(rules="pos − 1 ∈ P − Mine → Mine = Mine ∪ {pos}"))

    procedure = described.procedure("Take")
    assert procedure is not None
    (rule,) = procedure.body
    assert isinstance(rule, ir.Rule)
    assert rule.guard == ir.Binary(
        ir.Op.IN,
        ir.Binary(ir.Op.MINUS, ir.Local("pos"), ir.Literal(1)),
        ir.Binary(ir.Op.DIFFERENCE, ir.Ref("P"), ir.Ref("Mine")),
    )


def test_bars_are_the_size_of_a_set_and_the_absolute_value_of_a_number() -> None:
    described = system(game(rules="|Mine| < |pos − 4| → Mine = Mine ∪ {pos}"))

    procedure = described.procedure("Take")
    assert procedure is not None
    (rule,) = procedure.body
    assert isinstance(rule, ir.Rule)
    assert isinstance(rule.guard, ir.Binary)
    assert isinstance(rule.guard.left, ir.Card)
    assert isinstance(rule.guard.right, ir.Abs)


def test_a_product_of_three_sets_has_triples_and_brackets_make_pairs() -> None:
    described = system(game(sets="X : P × P × P\nY : (P × P) × P"))

    types = {s.name: s.type for s in described.sets}

    assert types["X"] == SetType(TupleType((NUMBER, NUMBER, NUMBER)))
    assert types["Y"] == SetType(TupleType((TupleType((NUMBER, NUMBER)), NUMBER)))


def test_a_chain_of_comparisons_is_a_conjunction() -> None:
    assert guard("0 < pos < 3") == "0 < pos ∧ pos < 3"


def test_a_truth_value_may_equal_a_comparison() -> None:
    text = guard("ok = pos ∈ Free", variables="ok ∈ B", initial="ok = true")

    assert text == "(ok ↔ pos ∈ Free)"


def test_a_comparison_may_equal_a_truth_value() -> None:
    assert guard("pos ∈ Free = true") == "(pos ∈ Free ↔ true)"


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("Mine = 3", "`=` compares `Mine`, a set of numbers, with `3`, a number"),
        ("Mine < 3", "`<` needs a number, but `Mine` is a set of numbers"),
        ("pos ∧ true ∈ Mine", "`∈` compares `true`, a truth value, with `Mine`, a set of numbers"),
        ("(1, 2) ∈ P", "`∈` compares `(1, 2)`, a pair of numbers, with `P`, a set of numbers"),
        ("|true| = 1", "`| |` needs a set, but `true` is a truth value"),
        ("(1, 2) + 1 > 0", "`+` needs a number, but `(1, 2)` is a pair of numbers"),
        ("{1, true} ⊆ P", "this set lists `1`, a number, beside `true`, a truth value"),
    ],
)
def test_kinds_that_do_not_go_together_are_said_in_words(written: str, message: str) -> None:
    assert errors(game(rules=f"{written} → Mine = ∅")) == [message]


def test_a_clash_names_the_places_of_both_sides() -> None:
    found = only(
        game(variables="ok ∈ B", initial="ok = true", rules="Mine = ok → Mine = ∅"), "Z401"
    )

    assert [label.text for label in found.secondary] == [
        "`Mine` is declared here",
        "`ok` is declared here",
    ]


def test_one_cause_is_said_once() -> None:
    text = game(rules="pos ∈ Free → Mine = (Mine + 1) ∪ {pos}")

    assert len(errors(text)) == 1


def test_braces_that_are_missing_are_added() -> None:
    text = game(rules="pos ∈ Free → Mine = Mine ∪ pos")

    assert body(system(text), "Take") == ["pos ∈ Free → Mine = Mine ∪ {pos}"]
    assert len(said(text, "Z407")) == 1


def test_a_member_cannot_be_a_subset_but_a_member() -> None:
    assert guard("pos ⊆ Free") == "pos ∈ Free"
    assert guard("Mine ∈ P") == "Mine ⊆ P"


def test_zero_and_one_are_truth_values_where_these_stand() -> None:
    text = game(variables="ok ∈ B", initial="ok = 0", rules="ok = 1 → Mine = ∅")

    assert len(said(text, "Z408")) == 2
    assert body(system(text), "Take") == ["(ok ↔ true) → Mine = ∅"]


def test_a_variable_with_the_values_zero_and_one_may_be_a_truth_value() -> None:
    text = game(variables="ok ∈ {0, 1}", initial="ok = 0", rules="¬ok → Mine = ∅ ∧ ok = ¬ok")

    described = system(text)

    ok = described.variable("ok")
    assert ok is not None
    assert ok.type == TRUTH
    assert not errors(text)


def test_a_variable_with_the_values_zero_and_one_may_be_a_number() -> None:
    text = game(variables="ok ∈ {0, 1}", initial="ok = 0", rules="ok = 0 → Mine = ∅ ∧ ok = 1 − ok")

    described = system(text)

    ok = described.variable("ok")
    assert ok is not None
    assert ok.type == NUMBER


def test_braces_in_a_line_of_latex_are_latex() -> None:
    text = game(rules="$pos \\in Free \\rightarrow Mine = Mine \\cup pos$")

    fix = only(text, "Z407").fix

    assert fix is not None
    assert fix.replacement == "\\{pos\\}"


@pytest.mark.parametrize(("written", "size"), [("P²", 2), ("P^2", 2), ("P^3", 3), ("{1, 2}^2", 2)])
def test_a_power_of_a_set_is_a_product(written: str, size: int) -> None:
    text = game(sets=f"G : {written}", variables="X ⊆ G", initial="X = ∅")

    described = system(text)

    x = described.variable("X")
    assert x is not None
    assert x.type == SetType(TupleType((NUMBER,) * size))
    assert not errors(text)


def test_a_power_of_a_number_stays_a_number() -> None:
    assert guard("pos^2 < 5") == "pos^2 < 5"
