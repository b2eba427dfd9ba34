"""Repairs of printed programs, one kind after the other."""

import pytest

from zermelo.languages.led.mean.repairs import repaired
from zermelo.languages.led.read import document, printer
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.source import Source


def mended(text: str, *, as_written: bool = False) -> tuple[dict[str, str], list[Diagnostic]]:
    source = Source("text", text)
    parsed = document.parse(source, as_written=as_written).value
    assert parsed is not None
    found = repaired(parsed, source, as_written=as_written)
    assert found.value is not None
    shown = {
        each.name: " ".join(printer.definition(each).split()) for each in found.value.definitions
    }
    return shown, list(found.diagnostics)


def codes(said: list[Diagnostic]) -> list[str]:
    return [each.code.id for each in said]


def test_source_form_is_left_alone() -> None:
    shown, said = mended("/$ colours := {`red}  c := red  d := 2 + 1 mod 3 $/")

    assert shown["c"] == "c := red"
    assert said == []


LAMP = r"""
$$p(k, c) \quad \text{iff} \quad (k, c) \in S \tag{1}$$

$$S := \{(`on, 1), (`off, 1)\} \tag{2}$$

$$known(c) \quad \text{iff} \quad p(on, c) \lor p(on, c) \tag{3}$$
"""


def test_an_atom_gets_its_backquote_and_its_sibling() -> None:
    shown, said = mended(LAMP)

    assert shown["known"] == "known(c) iff p(`on, c) V p(`off, c)"
    assert codes(said) == ["Z137", "Z138"]


def test_as_written_an_atom_gets_its_backquote_only() -> None:
    shown, said = mended(LAMP, as_written=True)

    assert shown["known"] == "known(c) iff p(`on, c) V p(`on, c)"
    assert codes(said) == ["Z137"]


def test_of_three_siblings_the_one_that_is_missing_is_taken() -> None:
    shown, _ = mended(
        r"""
$$every := \{f(`a), f(`b), f(`c)\} \tag{1}$$

$$f(k) := (k, 1) \tag{2}$$

$$g := \{f(`a)\} \cup \{f(`b)\} \cup \{f(`b)\} \tag{3}$$
"""
    )

    assert shown["g"] == "g := {f(`a)} U {f(`b)} U {f(`c)}"


def test_a_repeated_operand_without_a_sibling_is_left() -> None:
    shown, said = mended(r"$$p(c) \quad \text{iff} \quad q(c) \lor q(c) \tag{1}$$")

    assert shown["p"] == "p(c) iff q(c) V q(c)"
    assert said == []


@pytest.mark.parametrize("prose", ['It says "you are out".', "Then you are out of the game."])
def test_a_string_is_spelt_as_the_prose_spells_it(prose: str) -> None:
    shown, said = mended(f'{prose}\n\n$$a := "youareout" \\tag{{1}}$$')

    assert shown["a"] == 'a := "you are out"'
    assert codes(said) == ["Z141"]


def test_a_string_that_the_prose_has_as_one_word_stays() -> None:
    shown, said = mended('The "into" and what goes in to it.\n\n$$a := "into" \\tag{1}$$')

    assert shown["a"] == 'a := "into"'
    assert said == []


def test_a_half_is_no_lost_bracket_where_brackets_are_printed() -> None:
    shown, said = mended(
        r"$$a(x) := \lfloor x + 1 / 2 \rfloor \tag{1}$$"
        + "\n\n"
        + r"$$b(x) := (x + 1) / 2 \tag{2}$$"
    )

    assert shown["a"] == "a(x) := floor(x + 1 / 2)"
    assert said == []


def test_a_quotient_in_a_text_without_brackets_is_pointed_out_and_kept() -> None:
    shown, said = mended(r"$$a(x) := \lfloor x + 1 / 2 \rfloor \tag{1}$$")

    assert shown["a"] == "a(x) := floor(x + 1 / 2)"
    assert codes(said) == ["Z144"]


def test_brackets_that_an_answer_asks_for_are_put() -> None:
    text = '$$f(a, b) := a - b - 1 \\tag{1}$$\n\n$$g := f(9, 4) \\tag{2}$$\n\ncmd:>pp(g)\n"6"\n'

    assert mended(text)[0]["f"] == "f(a, b) := a - (b - 1)"
    assert mended(text, as_written=True)[0]["f"] == "f(a, b) := a - b - 1"


def test_brackets_stay_lost_where_no_way_gives_the_answer() -> None:
    text = '$$f(a, b) := a - b - 1 \\tag{1}$$\n\n$$g := f(9, 4) \\tag{2}$$\n\ncmd:>pp(g)\n"7"\n'

    shown, said = mended(text)

    assert shown["f"] == "f(a, b) := a - b - 1"
    assert said == []


def test_a_program_without_an_end_is_not_tried_for_ever() -> None:
    lines = ["$$f(n) := 1 + f(n + 1) \\times 2 - 1 \\mod 3 \\tag{1}$$"]
    lines += [f"$$a_{n} := f({n}) \\tag{{{n}}}$$" for n in range(2, 30)]

    _, said = mended("\n\n".join(lines))

    assert codes(said) == ["Z144"]


LOST = r"""
$$picture := \{a, b, other\} \tag{1}$$

where $a = 1 \land b = 2 \land b = 2 \land b =$
"""


def test_members_that_nothing_shows_are_left_out_and_named() -> None:
    shown, said = mended(LOST)

    assert shown["picture"] == "picture := {a} where a = 1"
    assert [(each.code.id, each.is_error) for each in said] == [("Z142", True)]
    assert said[0].message == "`b` and `other` in (1) have no equations"


def test_the_erratum_that_is_offered_can_be_used() -> None:
    _, said = mended(LOST)
    assert said[0].help is not None
    line = said[0].help.split("the line ")[1].replace("…", "7", 1).replace("…", "8", 1)

    shown, after = mended(f"{LOST}\n## Errata\n\n{line}\n")

    assert shown["picture"] == "picture := {a, 7, 8} where a = 1"
    assert after == []


def test_a_condition_that_nothing_completes_loses_its_last_piece() -> None:
    text = r"$$p(x, y) \quad \text{iff} \quad x > 1 \land x < 2 \land y > 3 \land y \tag{1}$$"

    shown, said = mended(text)

    assert shown["p"] == "p(x, y) iff x > 1 & x < 2 & y > 3"
    assert codes(said) == ["Z143"]


def test_a_condition_is_completed_by_functions_too() -> None:
    text = r"""
$$low(c) := 2 \times c \tag{1}$$

$$high(c) := 3 \times c \tag{2}$$

$$between(c, x) \quad \text{iff} \quad x > low(c) \land x \tag{3}$$
"""

    assert mended(text)[0]["between"] == "between(c, x) iff x > low(c) & x < high(c)"
