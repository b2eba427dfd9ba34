"""Lines of documents: what is understood, what is left over, what is too much."""

from __future__ import annotations

import time

import pytest

from tests.support.formulas import declared, expression, marked, read, texts
from zermelo.languages.sections.read.grammar import parser
from zermelo.languages.sections.read.grammar.printer import to_text
from zermelo.languages.sections.read.grammar.tree import Fact
from zermelo.languages.sections.read.grammar.walk import depth
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
    r"$$ok \wedge aTurn \wedge next \not \in \mathbf{S} \qquad \rightarrow \quad ok = \neg ok$$": (
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
