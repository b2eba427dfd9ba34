"""Lines of documents: what is understood, what is left over, what is too much."""

from __future__ import annotations

import time

import pytest

from tests.support.formulas import (
    A,
    P,
    S,
    a,
    declared,
    expression,
    marked,
    n,
    read,
    texts,
    understood,
    x,
    y,
)
from zermelo.languages.sections.read.grammar import parser
from zermelo.languages.sections.read.grammar.printer import to_text
from zermelo.languages.sections.read.grammar.traversal import depth
from zermelo.languages.sections.read.grammar.tree import (
    And,
    Apply,
    BarsAround,
    Compare,
    CompareOp,
    DeclaredRelation,
    EmptySet,
    Fact,
    FunctionDefinition,
    Initial,
    Name,
    NumberLiteral,
    Parameter,
    PowerSet,
    Product,
    SetBuilder,
    SetDefinition,
    SetOf,
    TruthLiteral,
    TupleOf,
)
from zermelo.text import codes


def test_what_is_left_over_comes_with_what_to_say_if_it_is_no_comment() -> None:
    text = "a ∪ b) ∧ c"

    parsed = read(parser.expression, text, declared())

    assert parsed.value == expression("a ∪ b")
    assert [token.text for token in parsed.rest] == texts(") ∧ c")
    assert parsed.diagnostics == ()
    (said,) = parsed.trouble
    assert said.code is codes.BRACKET_NOT_OPENED
    assert marked(text, said) == ")"


def test_a_fault_in_a_bracket_that_could_be_a_comment_is_kept() -> None:
    parsed = read(parser.expression, "Free = P (A ∪ )", declared("Free", "P", "A"))

    assert parsed.value == expression("Free = P")
    assert [said.message for said in parsed.trouble] == ["`∪` has nothing behind it"]


def test_a_dash_and_words_that_nobody_declared_are_left_for_a_comment() -> None:
    parsed = read(parser.expression, "a ∈ S - one of the cells", declared("a", "S"))

    assert parsed.value == expression("a ∈ S")
    assert [token.text for token in parsed.rest][:2] == ["−", "one"]


def test_a_fact_is_a_formula_with_its_arrow() -> None:
    parsed = read(parser.fact, "over ↔ (a → b)", declared())

    assert parsed.value == Fact(expression("over ↔ (a → b)"))


def test_a_formula_nested_more_than_forty_levels_deep_is_refused() -> None:
    assert expression("(" * 40 + "a" + ")" * 40) == expression("a")

    parsed = read(parser.expression, "(" * 41 + "a" + ")" * 41, declared())

    assert [said.code for said in parsed.diagnostics] == [codes.TOO_DEEP]


def test_a_tree_of_more_than_two_hundred_levels_is_refused() -> None:
    assert depth(expression(" ∪ ".join(["a"] * 200))) == 200

    parsed = read(parser.expression, " ∪ ".join(["a"] * 201), declared())

    assert [said.code for said in parsed.diagnostics] == [codes.TOO_DEEP]


def test_a_long_conjunction_is_not_deep() -> None:
    assert depth(expression(" ∧ ".join(["a"] * 500))) == 2


@pytest.mark.parametrize(
    "piece",
    [
        *("(", "|", "¬", "−", "a (", "a ∪ ", "a → ", "∃x ∈ S: ", "∃x (", "∑_{a∈", "a^", "a = ¬"),
        *("{x | ", "{1, …, ", "a ≡ ", "f(", "a 6= ", "“", "\\frac{", "<b>", "*a ", "a - b c "),
        *("a, ", "g → (", "(a, b) = (", "\\foo ", "9", "a_"),
    ],
)
def test_a_long_text_takes_time_in_proportion_to_its_length(piece: str) -> None:
    def seconds(count: int) -> float:
        started = time.process_time()
        read(parser.statement, piece * count, declared("S"))
        return time.process_time() - started

    seconds(10)
    short = min(seconds(50) for _ in range(3))
    long = min(seconds(1000) for _ in range(2))

    # Twenty times as long: a quadratic step would take four hundred times as long.
    assert long < 100 * short + 0.05


LINES = {
    # a 6×6 game of lines, in LaTeX
    r"$\text{free} = \mathbf{P} - (\text{xposn} \cup \text{oposn})$": (
        "free = P − (xposn ∪ oposn)"
    ),
    r"$\text{over} \leftrightarrow (\text{moves} = 36)$": "over ↔ moves = 36",
    # a 7×5 game of pawns, from a scan
    "over ↔ (|Alpha| = 0 ∨ Alpha f = ∅ ∧ |Alpha − Y| = 0)": (
        "over ↔ |Alpha| = 0 ∨ Alpha ≠ ∅ ∧ |Alpha − Y| = 0"
    ),
    # a 3×3 game of pegs and sums, in plain text
    "Peg = P − (One ∪ Two ∪ Three)": "Peg = P − (One ∪ Two ∪ Three)",
    "W = {One} ∪ {Two} ∪ {Three}": "W = {One} ∪ {Two} ∪ {Three}",
    "over ↔ (∃w(w ∈ W ∧ |w| = 3 ∧ ∑a∈w a < 15) ∨ ∀w (w ∈ W ∧ |w| = 3 ∧ ∑a∈w a = 15))": (
        "over ↔ ∃w (w ∈ W ∧ |w| = 3 ∧ ∑_{a ∈ w} a < 15) ∨ ∀w (w ∈ W ∧ |w| = 3 ∧ ∑_{a ∈ w} a = 15)"
    ),
}
RULES = {
    r"$(\text{posn} \in \text{free} \wedge \text{turn}) \rightarrow"
    r" \text{xposn} = \text{xposn} \cup \{\text{posn}\}$": (
        "posn ∈ free ∧ turn → xposn = xposn ∪ {posn}"
    ),
    r"$\text{posn} \in \text{free} \rightarrow (\text{turn} = \neg \text{turn}"
    r" \wedge \text{moves} = \text{moves} + 1)$": (
        "posn ∈ free → turn = ¬turn ∧ moves = moves + 1"
    ),
    r"$(\text{over} \wedge (|\text{result} \cap \{\text{ex}, \text{oh}\}| = 2 \vee"
    r" \text{result} = \emptyset)) \rightarrow \text{result} = \{\text{draw}\}$": (
        "over ∧ (|result ∩ {ex, oh}| = 2 ∨ result = ∅) → result = {draw}"
    ),
    r"$$aTurn \land prev \in Alpha \land a = c + 1 \land (d = b \lor d = b + 1)"
    r" \quad \rightarrow \quad ok = \neg ok$$": (
        "aTurn ∧ prev ∈ Alpha ∧ a = c + 1 ∧ (d = b ∨ d = b + 1) → ok = ¬ok"
    ),
    r"$$ok \wedge aTurn \wedge next \not \in \mathbf{S} \qquad \rightarrow \quad ok = \neg ok$$": (  # noqa: RUF027
        "ok ∧ aTurn ∧ next ∉ S → ok = ¬ok"
    ),
    "ok ∧ pos ∈ T            → One = One ∪ {peg} ∧ next = ¬next": (
        "ok ∧ pos ∈ T → One = One ∪ {peg} ∧ next = ¬next"
    ),
    "over ∧ turn ∧ ∀w, (w ∈ W ∧ |w| = 3 ∧ ∑_{a∈w}a = 15)   → result = A wins": (
        "over ∧ turn ∧ ∀w (w ∈ W ∧ |w| = 3 ∧ ∑_{a ∈ w} a = 15) → result = A wins"
    ),
}


@pytest.mark.parametrize(("line", "canonical"), LINES.items())
def test_facts_of_documents_are_understood(line: str, canonical: str) -> None:
    parsed = read(parser.expression, line, declared())

    assert parsed.value is not None
    assert to_text(parsed.value) == canonical


@pytest.mark.parametrize(("line", "canonical"), RULES.items())
def test_rules_of_documents_are_understood(line: str, canonical: str) -> None:
    parsed = read(parser.statement, line, declared())

    assert parsed.diagnostics == ()
    assert parsed.value is not None
    assert to_text(parsed.value) == canonical


ONE, TWO, THREE = NumberLiteral(1), NumberLiteral(2), NumberLiteral(3)
PAIRS = SetOf((SetOf((ONE, TWO)), SetOf((TWO, THREE))))


@pytest.mark.parametrize(
    "typed", ["P : R × C", "P:R × C", "P = R x C", r"$\mathbf P : R \times C$"]
)
def test_a_set_is_defined_by_a_colon_or_an_equals_sign(typed: str) -> None:
    product = Product((Name("R"), Name("C")))

    assert understood(read(parser.set_definition, typed, declared())) == SetDefinition("P", product)


def test_words_behind_a_set_are_left_for_a_comment() -> None:
    text = "T : {(1,2)} Top Side of the Matrix (1st Row)"

    parsed = read(parser.set_definition, text, declared())

    assert parsed.value == SetDefinition("T", SetOf((TupleOf((ONE, TWO)),)))
    assert [token.text for token in parsed.rest][:3] == ["Top", "Side", "of"]


@pytest.mark.parametrize(
    ("typed", "fixed"),
    [
        ("{1, 2}, {2, 3}", "{{1, 2}, {2, 3}}"),
        (r"\{1, 2\}, \{2, 3\}", r"\{\{1, 2\}, \{2, 3\}\}"),
    ],
)
def test_a_list_of_sets_has_lost_its_braces_and_the_fix_puts_them_back(
    typed: str, fixed: str
) -> None:
    parsed = read(parser.set_definition, f"J : {typed}", declared())

    assert parsed.value == SetDefinition("J", PAIRS)
    (said,) = parsed.diagnostics
    assert said.code is codes.BRACES_LOST
    assert said.fix is not None
    assert said.fix.replacement == fixed


def test_a_comma_before_words_lists_nothing() -> None:
    parsed = read(parser.set_definition, "P : {1, 2}, the cells", declared())

    assert parsed.value == SetDefinition("P", SetOf((ONE, TWO)))
    assert parsed.diagnostics == ()
    assert [token.text for token in parsed.rest] == [",", "the", "cells"]


def test_a_subscript_that_the_set_mentions_makes_a_family() -> None:
    condition = And((Compare(n, ((CompareOp.IN, A),)), Compare(x, ((CompareOp.EQ, n),))))
    value = SetBuilder(TupleOf((x, y)), None, condition)

    parsed = read(parser.set_definition, "H_n : {(x, y) | n ∈ A ∧ x = n}", declared())

    assert understood(parsed) == SetDefinition("H", value, "n")


def test_a_subscript_that_the_set_binds_itself_is_part_of_the_name() -> None:
    parsed = read(parser.set_definition, "H_n : {n ∈ A | n > 1}", declared())

    value = SetBuilder(n, A, Compare(n, ((CompareOp.GT, ONE),)))
    assert understood(parsed) == SetDefinition("H_n", value)


def test_a_number_as_subscript_is_part_of_the_name() -> None:
    parsed = read(parser.set_definition, "C₁ : {1}", declared())

    assert understood(parsed) == SetDefinition("C_1", SetOf((ONE,)))


def test_several_variables_may_get_one_initial_value() -> None:
    parsed = read(parser.initial, "Uno, Dos = ∅", declared())

    assert understood(parsed) == Initial(("Uno", "Dos"), EmptySet())


def test_a_chain_gives_all_variables_in_it_the_last_value() -> None:
    parsed = read(parser.initial, "ok = over = false", declared("ok", "over"))

    assert understood(parsed) == Initial(("ok", "over"), TruthLiteral(value=False))


def test_an_initial_value_without_its_sign_is_told_what_to_write() -> None:
    parsed = read(parser.initial, "turn ∈ B", declared())

    (said,) = parsed.diagnostics
    assert said.message == "`∈` stands where `=` and a first value were looked for"


def test_the_names_of_an_initial_value_know_their_places() -> None:
    parsed = read(parser.initial, "Uno, Dos = ∅", declared())

    assert parsed.value is not None
    assert [(span.start, span.end) for span in parsed.value.name_spans] == [(0, 3), (5, 8)]


@pytest.mark.parametrize("typed", ["Move(prev, next ∈ P)", "Move (prev, next ∈ P):"])
def test_parameters_before_a_relation_share_its_set(typed: str) -> None:
    head = understood(read(parser.head, typed, declared()))

    assert (head.name, head.parameters) == (
        "Move",
        (Parameter("prev", DeclaredRelation.IN, P), Parameter("next", DeclaredRelation.IN, P)),
    )


def test_each_parameter_may_have_a_set_of_its_own_or_none() -> None:
    found = [
        understood(read(parser.head, typed, declared())).parameters
        for typed in ("Move(a ∈ A, s ⊆ S)", "GameOver(over)", "Pass()")
    ]

    assert found == [
        (Parameter("a", DeclaredRelation.IN, A), Parameter("s", DeclaredRelation.SUBSET, S)),
        (Parameter("over"),),
        (),
    ]


def test_a_head_knows_the_place_of_its_name() -> None:
    head = understood(read(parser.head, "Move(a)", declared()))

    assert (head.name_span.start, head.name_span.end) == (0, 4)


def test_only_the_first_equals_sign_of_a_function_defines() -> None:
    parsed = read(parser.function, "Check(m ⊆ S) = |m| = 3 ∧ Count(m) = 1", declared())

    m = Name("m")
    body = And(
        (
            Compare(BarsAround(m), ((CompareOp.EQ, THREE),)),
            Compare(Apply("Count", (m,)), ((CompareOp.EQ, ONE),)),
        )
    )
    assert understood(parsed) == FunctionDefinition(
        "Check", (Parameter("m", DeclaredRelation.SUBSET, S),), body
    )


def test_a_parameter_may_range_over_sets_of_sets() -> None:
    parsed = read(parser.function, "f(a ⊆ 𝒫(P)) = a", declared())

    domain = Parameter("a", DeclaredRelation.SUBSET, PowerSet(P))
    assert understood(parsed) == FunctionDefinition("f", (domain,), a)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("Move", "the head of a procedure is a name and its parameters in brackets"),
        ("Move(a ∈ P", "this `(` is not closed"),
        ("Move(a,)", "`,` has nothing behind it"),
    ],
)
def test_a_head_that_is_not_understood_is_told_why(typed: str, message: str) -> None:
    parsed = read(parser.head, typed, declared())

    assert [said.message for said in parsed.diagnostics] == [message]


@pytest.mark.parametrize("text", ["↔ (a = 0)", "heap() = 3", "∀(i, j ∈ I: heap(i) = 3"])
def test_a_first_value_at_a_place_that_is_not_understood_is_said(text: str) -> None:
    parsed = read(parser.initial, text, declared("heap", "I"))

    assert parsed.value is None
    assert [said.code for said in parsed.diagnostics] == [codes.FORMULA_NOT_UNDERSTOOD]
