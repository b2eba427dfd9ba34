"""Statements of a procedure: rules, assignments, steps, calls, local declarations."""

from __future__ import annotations

import pytest

from tests.support.formulas import A, S, a, b, c, declared, marked, read, statement, x
from zermelo.languages.sections.read.grammar import parser
from zermelo.languages.sections.read.grammar.cursor import DeclaredNames
from zermelo.languages.sections.read.grammar.tree import (
    And,
    Apply,
    Assign,
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
    Declaration,
    DeclaredRelation,
    EmptySet,
    Name,
    Not,
    NumberLiteral,
    Or,
    ProcedureCall,
    Quantified,
    Quantifier,
    Rule,
    SetOf,
    StepByOne,
    TruthLiteral,
    TupleOf,
    WordRun,
)
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic

turn, moves, ok = Name("turn"), Name("moves"), Name("ok")
FLIP = Assign(turn, Not(turn))
COUNT = Assign(moves, Binary(BinaryOp.PLUS, moves, NumberLiteral(1)))


def complaints(text: str, names: DeclaredNames | None = None) -> tuple[Diagnostic, ...]:
    parsed = read(parser.statement, text, names or declared())
    assert parsed.value is None
    return parsed.diagnostics


@pytest.mark.parametrize(
    "typed",
    [
        "ok → turn = ¬turn ∧ moves = moves + 1",
        "ok → (turn = ¬turn ∧ moves = moves + 1)",
        "(ok) -> turn = ~turn and moves = moves + 1",
        "ok => turn := not turn, moves = moves + 1",
        r"ok \rightarrow turn = \neg turn; moves = moves + 1",
        "ok → (turn = ¬turn) ∧ (moves = moves + 1)",
    ],
)
def test_a_conclusion_is_a_list_of_assignments_however_it_is_written(typed: str) -> None:
    assert statement(typed) == Rule(ok, (FLIP, COUNT))


@pytest.mark.parametrize("formula", ["∅ ⊂ ∅", "a ∧ b", "a ∨ b", "¬a"])
@pytest.mark.parametrize("braces", ["{%s}", "({%s})", "{(%s)}", r"\{%s\}"])
def test_braces_around_a_whole_guard_are_brackets(formula: str, braces: str) -> None:
    assert statement(f"{braces % formula} → Remove()") == statement(f"{formula} → Remove()")


def test_braces_in_braces_around_a_guard_are_a_set() -> None:
    rule = statement("{{∅ ⊂ ∅}} → Remove()")

    guard = Compare(EmptySet(), ((CompareOp.PROPER_SUBSET, EmptySet()),))
    assert rule == Rule(SetOf((SetOf((guard,)),)), (ProcedureCall("Remove", ()),))


def test_outside_brackets_the_arrow_is_the_rules() -> None:
    domain = Compare(x, ((CompareOp.GT, NumberLiteral(3)),))
    guard = Quantified(Quantifier.SOME, ("x",), S, domain)

    assert statement("∃x ∈ S: x > 3 → turn = ¬turn") == Rule(guard, (FLIP,))


def test_a_value_may_be_words() -> None:
    assert statement("ok → result = B wins ∧ turn = ¬turn") == Rule(
        ok, (Assign(Name("result"), WordRun(("B", "wins"))), FLIP)
    )


def test_steps_and_calls_stand_among_assignments() -> None:
    assert statement("ok → x++ ∧ a-- ∧ Expand(x) ∧ turn = ¬turn") == Rule(
        ok,
        (
            StepByOne("x", is_up=True),
            StepByOne("a", is_up=False),
            ProcedureCall("Expand", (x,)),
            FLIP,
        ),
    )


def test_a_rule_in_brackets_is_part_of_a_conclusion() -> None:
    inner = Rule(Compare(A, ((CompareOp.SUBSET, S),)), (Assign(b, NumberLiteral(1)),))

    assert statement("ok → a = b ∧ (A ⊆ S → b = 1)") == Rule(ok, (Assign(a, b), inner))
    assert statement("ok → (a → (b → c = 1))") == Rule(
        ok, (Rule(a, (Rule(b, (Assign(c, NumberLiteral(1)),)),)),)
    )


def test_a_rule_without_brackets_in_a_conclusion_is_read_as_part_of_it_and_said() -> None:
    parsed = read(parser.statement, "ok → a = b ∧ A ⊆ S → b = 1", declared())

    assert parsed.value == statement("ok → a = b ∧ (A ⊆ S → b = 1)")
    assert [said.code for said in parsed.diagnostics] == [codes.RULE_WITHOUT_BRACKETS]


def test_what_assigns_nothing_is_part_of_the_value_before_it_and_said() -> None:
    text = "ok → a = b ∧ c"

    parsed = read(parser.statement, text, declared())

    assert parsed.value == Rule(ok, (Assign(a, And((b, c))),))
    (said,) = parsed.diagnostics
    assert said.code is codes.CONDITION_IN_CONCLUSION
    assert marked(text, said) == "∧ c"


def test_a_conjunction_in_brackets_is_a_value_without_a_word() -> None:
    assert statement("ok → a = (b ∧ c) ∧ turn = ¬turn") == Rule(ok, (Assign(a, And((b, c))), FLIP))
    assert statement("ok → a = (b ∨ c)") == Rule(ok, (Assign(a, Or((b, c))),))


def test_only_the_first_equals_sign_assigns() -> None:
    assert statement("a = b = c") == Assign(a, Compare(b, ((CompareOp.EQ, c),)))


def test_a_tuple_of_names_may_be_assigned() -> None:
    assert statement("(a, b) = prev") == Assign(TupleOf((a, b)), Name("prev"))
    assert statement("ok → (a, b) = prev ∧ c = a") == Rule(
        ok, (Assign(TupleOf((a, b)), Name("prev")), Assign(c, a))
    )


def test_names_before_a_relation_are_a_local_declaration() -> None:
    assert statement("u, d ∈ M") == Declaration(("u", "d"), DeclaredRelation.IN, Name("M"))
    assert statement("result ∈ {B wins, A wins}") == Declaration(
        ("result",), DeclaredRelation.IN, SetOf((WordRun(("B", "wins")), WordRun(("A", "wins"))))
    )


def test_statements_may_stand_without_a_guard() -> None:
    assert statement("found = false") == Assign(Name("found"), TruthLiteral(value=False))
    assert statement("Remove(x)") == ProcedureCall("Remove", (x,))
    assert statement("pos++") == StepByOne("pos", is_up=True)


def test_several_assignments_without_a_guard_are_a_rule_that_always_holds() -> None:
    assert statement("a, b = ∅") == Rule(
        TruthLiteral(value=True), (Assign(a, EmptySet()), Assign(b, EmptySet()))
    )


def test_a_value_function_is_no_call() -> None:
    names = DeclaredNames(frozenset(("Check", "a")), frozenset(), frozenset(("Check",)))

    parsed = read(parser.statement, "ok → a = b ∧ Check(a)", names)

    assert parsed.value == Rule(ok, (Assign(a, And((b, Apply("Check", (a,))))),))


def test_a_guard_alone_is_said_to_lack_its_conclusion() -> None:
    assert [said.code for said in complaints("ok ∧ a ∈ S")] == [codes.GUARD_WITHOUT_CONCLUSION]
    assert [said.code for said in complaints("ok ∧ a →")] == [codes.GUARD_WITHOUT_CONCLUSION]


def test_an_arrow_alone_is_said_to_lack_its_guard() -> None:
    assert [said.code for said in complaints("→ a = 1")] == [codes.CONCLUSION_WITHOUT_GUARD]


def test_a_second_arrow_is_pointed_at() -> None:
    (said,) = complaints("ok → a = 1 → b = 2")

    assert said.code is codes.SECOND_ARROW
    assert said.primary is not None
    assert said.primary.span.start == 11


@pytest.mark.parametrize(
    ("conclusion", "help_text"),
    [
        ("pos ∈ S", "to put `pos` into `S` write `S = S ∪ {pos}`"),
        ("a", "to make `a` true write `a = true`"),
        ("¬a", "to make `a` false write `a = false`, to change it `a = ¬a`"),
        ("a ↔ b", "to give `a` a value write `a = …`"),
        ("a + 1", "write what changes as `name = new value`"),
    ],
)
def test_a_conclusion_that_assigns_nothing_is_told_how_to(conclusion: str, help_text: str) -> None:
    (said,) = complaints(f"ok → {conclusion}")

    assert said.code is codes.NOTHING_ASSIGNED
    assert said.help == help_text


def test_a_proper_subset_in_a_declaration_is_read_as_a_subset_and_said() -> None:
    parsed = read(parser.declaration, "A ⊂ S", declared())

    assert parsed.value == Declaration(("A",), DeclaredRelation.SUBSET, S)
    assert [said.code for said in parsed.diagnostics] == [codes.PROPER_SUBSET_DECLARED]


def test_a_declaration_without_its_sign_is_told_what_to_write() -> None:
    parsed = read(parser.declaration, "turn = true", declared())

    (said,) = parsed.diagnostics
    assert said.message == "`=` stands where `∈` or `⊆` was looked for"
    assert said.help is not None
    assert "System Initialization" in said.help


def test_names_of_a_declaration_may_be_joined_by_a_word() -> None:
    parsed = read(parser.declaration, "A, B and C ⊆ S", declared())

    assert parsed.value == Declaration(("A", "B", "C"), DeclaredRelation.SUBSET, S)


def test_words_behind_the_set_of_a_declaration_are_left_for_a_comment() -> None:
    parsed = read(parser.declaration, "ok ∈ V (Can be 1 or 0 (T or F))", declared("V", "ok"))

    assert parsed.value == Declaration(("ok",), DeclaredRelation.IN, Name("V"))
    assert [token.text for token in parsed.rest][:3] == ["(", "Can", "be"]

    parsed = read(parser.declaration, "ok ∈ V whether it is fine", declared("V", "ok"))

    assert parsed.value == Declaration(("ok",), DeclaredRelation.IN, Name("V"))
    assert [token.text for token in parsed.rest] == ["whether", "it", "is", "fine"]
