"""Laws of formulas as MathML: they say what was written, at its place, and are never markup."""

from __future__ import annotations

import html
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.strategies import EXPRESSIONS, STATEMENTS
from zermelo.languages.sections.read.grammar import parser, tree
from zermelo.languages.sections.read.grammar.cursor import DeclaredNames, Parsed
from zermelo.languages.sections.read.grammar.lexer import lex
from zermelo.languages.sections.read.grammar.maths import to_maths
from zermelo.languages.sections.read.grammar.printer import to_text
from zermelo.languages.sections.read.grammar.traversal import inside
from zermelo.languages.sections.read.grammar.tree import Expr, Statement
from zermelo.text.editing import Form, MathNode, MathTag
from zermelo.text.source import Source, Span

UNHURRIED = settings(deadline=None)
NOBODY = DeclaredNames()


def typed(node: MathNode) -> str:
    """What *node* shows, as it would be typed."""
    inner = [typed(child) for child in node.children]
    match node.tag:
        case MathTag.SUPERSCRIPT:
            return f"{inner[0]}^{{{inner[1]}}}"
        case MathTag.SUBSCRIPT:
            return f"{inner[0]}_{inner[1]}"
        case MathTag.UNDER:
            return f"{inner[0]}_{{{inner[1]}}}"
        case MathTag.OPERATOR:
            return f" {node.text}" if node.form is Form.POSTFIX else f" {node.text} "
        case MathTag.WORDS:
            return html.escape(node.text, quote=False)
        case _:
            return node.text + "".join(inner)


def without_blanks(text: str) -> str:
    return "".join(html.unescape(text).split())


def has_power(node: MathNode) -> bool:
    return any(each.tag is MathTag.SUPERSCRIPT for each in node.nodes())


@UNHURRIED
@given(EXPRESSIONS)
def test_what_a_formula_shows_reads_back_as_the_formula(expr: Expr) -> None:
    text = typed(to_maths(expr))
    source = Source("<law>", text)
    tokens, said = lex(source, Span(0, len(text)))

    assert said == ()
    assert parser.expression(source, tokens, NOBODY) == Parsed(expr)


@UNHURRIED
@given(EXPRESSIONS | STATEMENTS)
def test_a_formula_shows_what_is_printed_in_unicode(node: Expr | Statement) -> None:
    shown = to_maths(node)
    if has_power(shown):
        # Exponents are set higher, without the brackets that they need on the line.
        return

    assert without_blanks(typed(shown)) == without_blanks(to_text(node))


@UNHURRIED
@given(EXPRESSIONS)
def test_every_subterm_has_an_element_with_its_place(expr: Expr) -> None:
    text = to_text(expr)
    source = Source("<law>", text)
    read = parser.expression(source, lex(source, Span(0, len(text)))[0], NOBODY).value
    assert read is not None

    spans = {node.span for node in to_maths(read).nodes()}

    assert {each.span for each in inside(read)} <= spans


@UNHURRIED
@given(st.text(min_size=1), st.text(min_size=1))
def test_no_name_or_text_becomes_markup(name: str, words: str) -> None:
    value = tree.WordRun((words,), quoted=True)
    formula = tree.Compare(tree.Name(name), ((tree.CompareOp.EQ, value),))
    shown = to_maths(formula)

    read = ElementTree.fromstring(shown.to_xml())

    assert [each.tag for each in read.iter()] == [each.tag.value for each in shown.nodes()]


def test_script_in_a_name_is_text() -> None:
    hostile = "<img src=x onerror=alert(1)>"

    shown = to_maths(tree.Name(hostile))

    assert shown == MathNode(MathTag.NAME, hostile)
    assert shown.to_xml() == '<mi class="long">&lt;img src=x onerror=alert(1)&gt;</mi>'
    assert shown.to_json() == {"tag": "mi", "text": hostile}


def test_what_is_too_wide_is_stacked() -> None:
    part = tree.Compare(tree.Name("position"), ((tree.CompareOp.IN, tree.Name("Occupied")),))

    narrow, wide = to_maths(tree.And((part, part))), to_maths(tree.And((part,) * 5))

    assert narrow.tag is MathTag.ROW
    assert wide.tag is MathTag.TABLE
    assert len(wide.children) == 5
    assert wide.content == "∧".join(["position∈Occupied"] * 5)


def test_brackets_are_high_only_around_several_lines() -> None:
    part = tree.Compare(tree.Name("position"), ((tree.CompareOp.IN, tree.Name("Occupied")),))
    low = to_maths(tree.SetOf((tree.Name("a"), tree.Name("b"))))
    high = to_maths(tree.Quantified(tree.Quantifier.ALL, ("w",), None, tree.And((part,) * 5)))

    def high_signs(of: MathNode) -> list[str]:
        return [each.text for each in of.nodes() if each.is_stretchy]

    assert high_signs(low) == []
    assert high_signs(high) == ["(", ")"]
