"""Text of every notation becomes the same tokens."""

from __future__ import annotations

import pytest

from tests.support.formulas import lexed, texts, tokens
from zermelo.languages.sections.read.grammar.lexer import lex
from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind
from zermelo.text import codes
from zermelo.text.diagnostic import Fix
from zermelo.text.source import Source, Span


def test_a_line_of_latex_and_the_same_line_in_unicode_and_ascii_have_the_same_tokens() -> None:
    expected = ["posn", "∈", "free", "∧", "¬", "turn", "→", "A", "=", "A", "∪", "{", "posn", "}"]

    assert texts("posn ∈ free ∧ ¬turn → A = A ∪ {posn}") == expected
    assert (
        texts(
            r"$\text{posn} \in \text{free} \wedge \neg \text{turn} \rightarrow"
            r" \mathbf{A} = \mathbf{A} \cup \{\text{posn}\}$"
        )
        == expected
    )
    assert texts(r"posn ∈ free /\ ~turn -> A = A ∪ {posn}") == expected


def test_words_that_may_be_signs_stay_words_for_the_parser_to_decide() -> None:
    (a, word, b) = tokens("a and b")

    assert word == Token(TokenKind.NAME, "and", Span(2, 5), blank_before=True)
    assert (a.kind, b.kind) == (TokenKind.NAME, TokenKind.NAME)


@pytest.mark.parametrize(
    ("typed", "sign"),
    [
        *((spelling, "∧") for spelling in ("∧", "/\\", "&&", "\\land", "\\wedge", "&")),
        *((spelling, "∨") for spelling in ("∨", "\\/", "\\lor", "\\vee")),
        *((spelling, "→") for spelling in ("->", "=>", "⇒", "\\to", "\\implies", "\\Rightarrow")),
        *((spelling, "↔") for spelling in ("<->", "<=>", "⇔", "\\iff", "\\Leftrightarrow")),
        *((spelling, "≠") for spelling in ("!=", "<>", "/=", "=/=", "\\ne", "\\neq", "\\not =")),
        *((spelling, "∉") for spelling in ("∉", "\\notin", "\\not\\in", "\\not \\in", "∈\u0338")),
        *((spelling, "⊆") for spelling in ("\\subseteq", "&sube;")),
        *((spelling, "⊈") for spelling in ("\\nsubseteq", "\\not\\subseteq")),
        *((spelling, "≤") for spelling in ("<=", "=<", "\\le", "\\leq", "\\leqslant", "&le;")),
        *((spelling, "≥") for spelling in (">=", "\\ge", "\\geq", "\\geqslant")),
        *((spelling, "<") for spelling in ("&lt;", "\\lt")),
        *((spelling, "−") for spelling in ("-", "–", "−")),
        *((spelling, "∖") for spelling in ("\\setminus", "\\backslash", "\\")),
        *((spelling, "=") for spelling in (":=", "==", "≔")),
        *((spelling, "..") for spelling in ("...", "…", "\\ldots", "\\dots")),
        *((spelling, "|") for spelling in ("∣", "\\mid", "\\vert", "\\lvert", "\\rvert")),
        *((spelling, "mod") for spelling in ("\\mod", "\\bmod", "%")),
        *((spelling, "·") for spelling in ("*", "\\cdot", "⋅")),
        *((spelling, "×") for spelling in ("\\times", "&times;")),
    ],
)
def test_a_sign_has_one_text_however_it_is_typed(typed: str, sign: str) -> None:
    assert texts(f"a {typed} b") == ["a", sign, "b"]


@pytest.mark.parametrize(
    "typed",
    [
        "ℤ⁺",
        "Z⁺",
        "Z^+",
        r"\mathbb{Z}^+",
        r"\mathbf{Z}^{+}",
        "Z<sup>+</sup>",
        r"\mathbb Z_{>0}",
        "ℕ⁺",
    ],
)
def test_the_positive_integers_are_one_sign_however_they_are_typed(typed: str) -> None:
    assert texts(f"x ∈ {typed} ∪ A") == ["x", "∈", "ℤ⁺", "∪", "A"]


@pytest.mark.parametrize("typed", ["𝒫(S)", r"\mathcal{P}(S)", r"\mathscr P(S)", r"\wp(S)", "℘(S)"])
def test_a_power_set_in_script_is_a_sign(typed: str) -> None:
    assert texts(typed) == ["𝒫", "(", "S", ")"]


def test_a_bold_p_is_a_name() -> None:
    assert texts(r"\mathbf{P}(S) 𝐏(S)") == ["P", "(", "S", ")", "P", "(", "S", ")"]


@pytest.mark.parametrize("typed", ["C_1", "C_{1}", "C₁", "C<sub>1</sub>", r"\mathbf{C}_1"])
def test_a_subscript_is_part_of_its_name(typed: str) -> None:
    assert texts(typed) == ["C_1"]


def test_a_subscript_that_is_a_formula_stays_apart() -> None:
    assert texts("x_{i+1}") == ["x", "_", "{", "i", "+", "1", "}"]


def test_several_small_digits_are_one_number() -> None:
    assert texts("C₁₂ + 10¹²") == ["C_12", "+", "10", "^", "12"]


@pytest.mark.parametrize("typed", ["∑_{a∈w} a", r"\sum_{a \in w} a", r"\sum\limits_{a∈w} a"])
def test_the_limit_of_a_sum_stands_in_braces_behind_its_mark(typed: str) -> None:
    assert texts(typed) == ["∑", "_", "{", "a", "∈", "w", "}", "a"]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("**R**: {1}", ["R", ":", "{", "1", "}"]),
        ("*aTurn* ∈ **B**", ["aTurn", "∈", "B"]),
        ("_aTurn_ ∈ B", ["aTurn", "∈", "B"]),
        ("`turn` = true", ["turn", "=", "true"]),
        (r"$$\land \ aTurn = \neg aTurn$$", ["∧", "aTurn", "=", "¬", "aTurn"]),
        (r"\(a\) \[b\]", ["a", "b"]),
        (r"\left( a \right) \quad b \hspace{1.5cm} c~d", ["(", "a", ")", "b", "c", "d"]),
        (r"a &= b \\ c &= d \in e", ["a", "=", "b", "c", "=", "d", "∈", "e"]),
        (r"\begin{aligned} a \land b \end{aligned}", ["a", "∧", "b"]),
        (r"{\bf P} \cup {\it Q}", ["P", "∪", "Q"]),
        ("a&emsp;∧&nbsp;b<br>c <b>d</b>", ["a", "∧", "b", "c", "d"]),
        ("\ufeff𝐹𝑟𝑒𝑒\ufe0e = ﬁt\u200b", ["Free", "=", "fit"]),
        (r"my\_name + A' − α", ["my_name", "+", "A'", "−", "α"]),
    ],
)
def test_what_only_says_how_things_look_is_passed_over(typed: str, expected: list[str]) -> None:
    assert texts(typed) == expected


def test_a_star_between_blanks_multiplies() -> None:
    assert texts("2 * a + b*c") == ["2", "·", "a", "+", "b", "·", "c"]


def test_a_comparison_is_no_tag() -> None:
    assert texts("a <b> c") == ["a", "<", "b", ">", "c"]


def test_a_tilde_negates_before_an_operand_and_is_a_blank_behind_a_word() -> None:
    assert texts("~turn ∧ ~(a) ∨ Beta~Wins") == [
        *("¬", "turn", "∧", "¬", "(", "a", ")", "∨", "Beta", "Wins")
    ]


def test_a_backslash_between_operands_is_a_difference_unless_the_line_is_latex() -> None:
    assert texts(r"A \ B, A\B, A\(B)") == [
        "A",
        "∖",
        "B",
        ",",
        "A",
        "∖",
        "B",
        ",",
        "A",
        "∖",
        "(",
        "B",
        ")",
    ]
    assert texts(r"A \cup B \ wins") == ["A", "∪", "B", "wins"]


def test_a_fraction_is_a_quotient_in_brackets() -> None:
    assert texts(r"\frac{a - 1}{3} + ½") == [
        *("(", "(", "a", "−", "1", ")", "/", "(", "3", ")", ")", "+", "(", "1", "/", "2", ")")
    ]


def test_a_brace_behind_a_raised_sign_groups() -> None:
    assert texts(r"2^{n+1} \{2\}") == ["2", "^", "(", "n", "+", "1", ")", "{", "2", "}"]


@pytest.mark.parametrize(
    "typed", ['"R wins"', "“R wins”", "‘R wins’", "'R wins'", "«R wins»", "``R wins''", "„R  wins“"]
)
def test_a_text_in_quotation_marks_is_one_token(typed: str) -> None:
    (token,) = tokens(typed)

    assert (token.kind, token.text) == (TokenKind.TEXT, "R wins")
    assert token.span == Span(0, len(typed))


def test_an_apostrophe_in_a_word_opens_no_text() -> None:
    assert texts("Player B's turn") == ["Player", "B's", "turn"]


def test_ranges_are_no_decimals() -> None:
    assert texts("{0..36} 1.5") == ["{", "0", "..", "36", "}", "1.5"]


def test_a_token_covers_the_characters_that_were_typed() -> None:
    source = Source("test", r"  $\text{posn} \subseteq \mathbb{Z}^{+}$")

    found, _ = lex(source, Span(2, len(source.text)))

    assert [source.slice(token.span) for token in found] == [
        "posn",
        r"\subseteq",
        r"\mathbb{Z}^{+}",
    ]


def test_a_token_says_whether_a_blank_stands_before_it() -> None:
    assert [token.blank_before for token in tokens(r" P (a,\quad b)")] == [
        *(False, True, False, False, True, False)
    ]


def test_an_unknown_command_is_named_and_read_as_a_name() -> None:
    text = r"a \in \subsetq"

    (said,) = lexed(text)

    assert said.code is codes.UNKNOWN_COMMAND
    assert "`\\subsetq`" in said.message
    assert said.help == "if a sign is meant, write `\\subset`"


def test_an_unknown_command_is_named_once() -> None:
    assert len(lexed(r"\in \foo \foo")) == 1


def test_an_unknown_character_is_named_and_the_rest_is_still_read() -> None:
    found, said = lex(Source("test", "a ? b"), Span(0, 5))

    assert [token.text for token in found] == ["a", "b"]
    assert [each.code for each in said] == [codes.UNKNOWN_CHARACTER]
    assert "U+003F" in said[0].message


@pytest.mark.parametrize(
    ("typed", "sign"), [("a \u0338∈ B", "∉"), ("a \u0338= b", "≠"), ("a \u0338⊆ B", "⊈")]
)
def test_a_stroke_before_its_sign_is_put_on_it_and_said(typed: str, sign: str) -> None:
    found, (said,) = lex(Source("test", typed), Span(0, len(typed)))

    assert [token.text for token in found][1] == sign
    assert said.code is codes.DAMAGED_SIGN
    assert said.fix == Fix(Span(2, 4), sign)


def test_a_quotation_mark_without_a_partner_is_passed_over_and_said() -> None:
    found, (said,) = lex(Source("test", '{"draw, won}'), Span(0, 12))

    assert [token.text for token in found] == ["{", "draw", ",", "won", "}"]
    assert said.code is codes.QUOTE_NOT_CLOSED
