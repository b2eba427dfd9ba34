"""Printed programs as documents."""

from hypothesis import given
from hypothesis import strategies as st

from zermelo.languages.led.read import printer, tree
from zermelo.languages.led.read.printed import parse
from zermelo.text.diagnostic import Checked
from zermelo.text.source import Source


def read(text: str, *, as_written: bool = False) -> Checked[tree.LiterateProgram]:
    return parse(Source("text", text), as_written=as_written)


def definitions(text: str, *, as_written: bool = False) -> list[str]:
    document = read(text, as_written=as_written).value
    found = () if document is None else document.definitions
    return [" ".join(f"({each.number}) {printer.definition(each)}".split()) for each in found]


def codes(text: str) -> list[str]:
    return [each.code.id for each in read(text).diagnostics]


def test_a_head_and_its_body_may_stand_apart() -> None:
    assert definitions("$$p(c)$$\n iff  $c \\in S$  (2)") == ["(2) p(c) iff c in S"]


def test_a_where_clause_may_follow_the_number() -> None:
    text = "$$a := b + 1 \\tag{1}$$\n\nwhere $b = 2$\n\n$$c := 3 \\tag{2}$$"

    assert definitions(text) == ["(1) a := b + 1 where b = 2", "(2) c := 3"]


def test_a_where_clause_may_follow_words() -> None:
    text = "$$a := b + 1 \\tag{1}$$\n\nAs above.\n\nwhere $b = 2$"

    assert definitions(text) == ["(1) a := b + 1 where b = 2"]


def test_a_number_in_brackets_at_the_end_is_the_number_of_the_formula() -> None:
    assert definitions("$$a := 36 (1)$$\n\n$$b := f(2)$$\n(2)\n\n$$c := 3$$\n\n$$(3)$$") == [
        "(1) a := 36",
        "(2) b := f(2)",
        "(3) c := 3",
    ]


def test_numbers_may_stand_before_their_formulas() -> None:
    text = "(1) $a := 1$\n\n(2) $p(c)$ iff $c = a$\n\nWords.\n\n(3) $b := 2$"

    assert definitions(text) == ["(1) a := 1", "(2) p(c) iff c = a", "(3) b := 2"]
    assert codes(text) == []


def test_several_definitions_may_share_a_display() -> None:
    text = r"\begin{align} a &:= 1 \tag{1} \\ p(c) &\equiv c = a \tag{2} \end{align}"

    assert definitions(text) == ["(1) a := 1", "(2) p(c) iff c = a"]


def test_equivalence_behind_a_head_defines() -> None:
    assert definitions("$$p \\equiv q \\Leftrightarrow r \\tag{1}$$") == ["(1) p iff q <=> r"]


def test_a_number_that_is_lost_is_found_from_its_neighbours() -> None:
    text = "$$a := 1 \\tag{1}$$\n\n$$b := 2$$\n\n$$c := 3 \\tag{3}$$"

    assert definitions(text) == ["(1) a := 1", "(2) b := 2", "(3) c := 3"]
    assert codes(text) == ["Z131"]


def test_a_number_out_of_order_is_corrected_and_a_gap_is_said() -> None:
    misread = "$$a := 1 \\tag{1}$$\n\n$$b := 2 \\tag{7}$$\n\n$$c := 3 \\tag{3}$$"
    gap = "$$a := 1 \\tag{1}$$\n\n$$c := 3 \\tag{4}$$"

    assert definitions(misread)[1] == "(2) b := 2"
    assert codes(misread) == ["Z132"]
    assert definitions(gap)[1] == "(4) c := 3"
    assert codes(gap) == ["Z145"]


def test_of_two_copies_the_longer_one_counts() -> None:
    text = "$whole := 1 + 2 + 3$ $\\langle 1 \\rangle hole := 1 + 2 + 3 + 4$"

    assert definitions(text) == ["(1) whole := 1 + 2 + 3 + 4"]


def test_a_split_name_is_put_together_if_it_is_one_word_elsewhere() -> None:
    text = "$$gameOver := 1 \\tag{1}$$\n\n$$b := game Over + 1 \\tag{2}$$"

    assert definitions(text)[1] == "(2) b := gameOver + 1"
    assert codes(text) == ["Z109"]


def test_equations_that_are_merely_repeated_are_left_out() -> None:
    text = "$$a := b + c \\tag{1}$$\n\nwhere $b = 1 \\land b = 1 \\land c = 2$"

    assert definitions(text) == ["(1) a := b + c where b = 1 & c = 2"]
    assert codes(text) == ["Z136"]


def test_equations_that_run_off_the_page_end_before_the_damage() -> None:
    text = "$$a := \\{b, c\\} \\tag{1}$$\n\nwhere $b = 1 \\land c = 2 \\land c = 2 \\land c = ($"

    assert definitions(text) == ["(1) a := {b, c} where b = 1"]
    assert definitions(text, as_written=True) == ["(1) a := {b, c} where b = 1 & c = 2"]


def test_a_formula_without_its_end_is_read_as_far_as_it_goes() -> None:
    text = "$$a := p \\land q < ($$\n(1)\n\n$$b := 2$$\n(2)"

    assert definitions(text) == ["(1) a := p & q", "(2) b := 2"]
    assert codes(text) == ["Z143"]


def test_a_game_is_known_without_its_switch() -> None:
    game = read("$$newState := currentState \\tag{1}$$").value
    plain = read("$$total := 1 \\tag{1}$$").value

    assert game is not None
    assert game.is_game
    assert plain is not None
    assert not plain.is_game


def test_the_lines_of_a_session_become_tests() -> None:
    text = '$$a := 1 \\tag{1}$$\n\n```\ncmd:>pp(a)\n"1"\ncmd:>pp(b)\n"{1," 2}"\n___\n```\n'
    document = read(text).value

    assert document is not None
    tests = [part for part in document.parts if isinstance(part, tree.TranscriptEntry)]
    assert [(each.typed, each.answer) for each in tests] == [("pp(a)", "1"), ("pp(b)", "{1, 2}")]
    assert codes(text) == ["Z134"]


def test_errata_are_made_unless_the_text_is_wanted_as_written() -> None:
    text = '$$a := 1 \\times 2 \\tag{1}$$\n\n## Errata\n\n"1 * 2" → "3 * 4": a slip\n'

    assert definitions(text) == ["(1) a := 3 * 4"]
    assert definitions(text, as_written=True) == ["(1) a := 1 * 2"]


def test_an_erratum_without_a_place_is_said() -> None:
    assert codes('$$a := 1 \\tag{1}$$\n\n## Errata\n\n"b := 2" → "b := 3": a slip\n') == ["Z121"]


def test_a_display_that_defines_nothing_is_prose() -> None:
    text = "$$a := 1 \\tag{1}$$\n\nFor example\n\n$$1 + 2 = 3$$\n\n$$b := 2 \\tag{2}$$"

    assert definitions(text) == ["(1) a := 1", "(2) b := 2"]
    assert codes(text) == ["Z123"]


def test_a_text_without_formulas_says_so() -> None:
    found = read("Nothing here.")

    assert found.value is None
    assert [each.is_error for each in found.diagnostics] == [True]


PARTS = st.sampled_from(
    [
        *("$$", "$", "a", "f(x)", ":=", "iff", " where ", "\\land", "\\{", "}", "{", "|", "(", ")"),
        *("\\begin{cases}", "\\end{cases}", "\\\\", "&", "1", "(2)", "\\tag{3}", "\n", "\n\n", '"'),
        *(
            "`",
            "\\lfloor",
            "\\rfloor",
            "ext{ iff }",
            "cmd:>",
            "```",
            "=",
            ",",
            "\\frac{",
            "^{",
            "_{",
        ),
    ]
)


@given(st.lists(PARTS, max_size=40))
def test_any_text_is_read_without_a_fault_of_ours(parts: list[str]) -> None:
    read("$$a := 1$$ " + " ".join(parts))
