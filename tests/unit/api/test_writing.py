"""What an editor is told of a text: its tokens, diagnostics, mathematics, symbols and values."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings

import zermelo
from tests.support.project import ROOT, TESTS
from tests.support.strategies import DAMAGED, TEXTS
from zermelo.api import writing
from zermelo.api.languages import language_of
from zermelo.core.language import Request
from zermelo.text.editing import BlockKind
from zermelo.text.source import Source, Span

HEAP = """\
# A heap

Who takes the last one wins.

Applicable Sets
  H : {0..3}
  N : {1, 2}
  B : {true, false}
System Variables
  heap ∈ H
  first, over ∈ B
System Facts
  over ↔ heap = 0 // nothing is left
System Initialization
  heap = 3
  first = true
System States and Behavior
Take(n ∈ N)
  n ≤ heap → heap = heap − n ∧ first = ¬first
GameOver(over)
  result ∈ {first wins, second wins}
  over ∧ first → result = second wins
  over ∧ ¬first → result = first wins
Reading
  order: in order
"""
NET = """\
#place p mk(<.1.>)
#trans t
in { p: <.x.>; }
out { p: <.x+1.>; }
#endtr
"""
DOCUMENTS = sorted(
    path
    for folder in (ROOT / "games", TESTS / "documents")
    for path in folder.rglob("*")
    if path.suffix in {".md", ".txt", ".tex", ".led", ".net", ".pnml"}
)


def kinds(text: str, *, name: str = "document.md") -> dict[str, str]:
    """The kind of each word of *text*."""
    found = writing.tokens(text, name=name)
    return {text[each.span.start : each.span.end]: each.kind.value for each in found}


def place(text: str, words: str, *, behind: str = "") -> Span:
    at = text.index(words, text.index(behind))
    return Span(at, at + len(words))


# Tokens


def test_names_are_told_apart_by_what_the_document_declares_them_as() -> None:
    found = kinds(HEAP)

    assert found["H"] == "set"
    assert found["heap"] == "variable"
    assert found["Take"] == "procedure"
    assert found["n"] == "local"
    assert found["wins"] == "word"
    assert found["true"] == "constant"
    assert found["≤"] == "operator"
    assert found["{"] == "bracket"
    assert found["3"] == "number"
    assert found["order"] == "word"  # the value of a setting; its key stands before it
    assert "key" in {each.kind.value for each in writing.tokens(HEAP)}
    assert found["System Facts"] == "heading"
    assert found["// nothing is left"] == "comment"
    assert any(word.startswith("# A heap") and kind == "prose" for word, kind in found.items())


def test_tokens_of_latex_cover_the_commands() -> None:
    text = HEAP.replace("≤", r"\leq").replace("∈", r"\in")

    found = kinds(text)

    assert found[r"\leq"] == "operator"
    assert found[r"\in"] == "operator"


def test_an_led_program_has_tokens_between_its_marks_only() -> None:
    text = '# Title\nwords\n/$ f(x) := {x, `a, "t", 12} if x in S $/\nmore'

    assert kinds(text, name="a.led") == {
        "# Title": "heading",
        "words": "prose",
        "/$": "prose",
        "f": "variable",
        "(": "bracket",
        "x": "local",
        ")": "bracket",
        ":=": "operator",
        "{": "bracket",
        ",": "operator",
        "`a": "constant",
        '"t"': "text",
        "12": "number",
        "}": "bracket",
        "if": "keyword",
        "in": "keyword",
        "S": "local",
        "$/": "prose",
        "more": "prose",
    }


def test_a_net_has_directives_comments_and_declared_names() -> None:
    text = (
        "/* one */\n#place p mk(<.1.>)\n#trans t\nin { p: <.x.>; }\nout { p: <.x+1.>; }\n#endtr\n"
    )

    found = kinds(text, name="a.net")

    assert found["/* one */"] == "comment"
    assert found["#place"] == found["#trans"] == found["#endtr"] == "key"
    assert found["p"] == "variable"
    assert found["x"] == "local"
    assert found["in"] == found["out"] == "keyword"
    assert found["<."] == "bracket"
    assert found["1"] == "number"


def test_pnml_has_tags_and_values() -> None:
    text = '<?xml version="1.0"?>\n<pnml xmlns="u"><!-- c --><net id="n"/></pnml>\n'

    found = kinds(text, name="a.pnml")

    assert found["<net"] == "key"
    assert found['"n"'] == "text"
    assert found["<!-- c -->"] == "comment"
    assert found["id"] == "word"


@pytest.mark.parametrize("path", DOCUMENTS, ids=[path.name for path in DOCUMENTS])
def test_tokens_follow_each_other_within_the_text(path: Path) -> None:
    text = path.read_text("utf-8")

    spans = [each.span for each in writing.tokens(text, name=path.name)]

    assert all(span.start < span.end for span in spans)
    assert all(left.end <= right.start for left, right in pairwise(spans))
    assert not spans or spans[-1].end <= len(text)


@settings(deadline=None, max_examples=50)
@given(TEXTS | DAMAGED)
def test_no_text_keeps_an_editor_from_its_answers(words: str) -> None:
    text = HEAP.replace("heap − n", words, 1)

    game = zermelo.load_text(text)

    for token in writing.tokens(text):
        assert 0 <= token.span.start < token.span.end <= len(text)
    json.dumps([each.to_json() for each in writing.mathematics(game)])
    json.dumps(writing.diagnostics_json(game))


# Diagnostics


def test_a_diagnostic_has_its_place_and_its_fix_as_an_edit() -> None:
    text = HEAP.replace("n ≤ heap", "n ≤ haep", 1)

    said = writing.diagnostics_json(zermelo.load_text(text))

    unknown = next(each for each in said if isinstance(each, dict) and "haep" in str(each))
    assert unknown["severity"] == "warning"
    assert unknown["span"] == [place(text, "haep").start, place(text, "haep").end]
    fix = unknown["fix"]
    assert isinstance(fix, dict)
    assert fix["replacement"] == "heap"
    assert fix["span"] == unknown["span"]


def test_a_diagnostic_without_a_place_has_none() -> None:
    said = writing.diagnostics_json(zermelo.load_text("nothing at all"))

    assert [each["span"] for each in said if isinstance(each, dict)] == [None]


# Mathematics


def test_a_document_is_shown_block_by_block() -> None:
    shown = writing.mathematics(zermelo.load_text(HEAP))

    said = [
        (each.kind.value, each.level, each.text if each.math is None else each.math.content)
        for each in shown
    ]
    assert said[:5] == [
        ("title", 0, "A heap"),
        ("prose", 0, "Who takes the last one wins."),
        ("heading", 0, "Applicable Sets"),
        ("formula", 0, "H:{0..3}"),
        ("formula", 0, "N:{1,2}"),
    ]
    assert ("formula", 0, "Take(n∈N)") in said
    assert ("formula", 1, "n≤heap→heap=heap−n∧first=¬first") in said
    assert said[-1] == ("setting", 0, "order: in order")
    noted = [each.note for each in shown if each.note]
    assert noted == ["nothing is left"]


def test_what_was_not_understood_is_shown_as_it_stands() -> None:
    text = HEAP.replace("heap = 3", "heap = 3 ) ∪", 1)

    shown = writing.mathematics(zermelo.load_text(text))

    source = [each for each in shown if each.kind is BlockKind.SOURCE]
    assert [each.text for each in source] == ["heap = 3 ) ∪"]
    assert text[source[0].span.start : source[0].span.end] == "heap = 3 ) ∪"


@pytest.mark.parametrize("path", DOCUMENTS, ids=[path.name for path in DOCUMENTS])
def test_every_place_of_the_mathematics_lies_in_the_text(path: Path) -> None:
    source = Source(path.name, path.read_text("utf-8"))
    document = language_of(source).read(source, Request(path=path, plays=False)).document

    for block in () if document is None else document.mathematics():
        assert 0 <= block.span.start <= block.span.end <= len(source.text)
        for node in () if block.math is None else block.math.nodes():
            assert node.span is None or node.span.end <= len(source.text)
            assert bool(node.text) != bool(node.children)


# Symbols


def test_symbols_are_typed_by_their_commands() -> None:
    known = {each.text: each for each in writing.symbols(HEAP)}

    assert known["∈"].commands[0] == "in"
    assert "subseteq" in known["⊆"].commands
    assert "union" in known["∪"].spellings
    assert known["ε"].commands == ("epsilon", "varepsilon")
    assert {each.text for each in writing.symbols("/$ f := 1 $/", name="a.led")} >= {"∈", "∪", "¬"}
    assert writing.symbols("#place p\n", name="a.net") == ()


# Values


@pytest.mark.parametrize(
    ("words", "behind", "value", "note"),
    [
        ("heap", "Variables", "3", ""),
        ("heap", "n ≤ ", "3", ""),
        ("H", "Sets\n", "{0, 1, 2, 3}", "4 members"),
        ("heap = 0", "Facts", "false", ""),
        ("¬first", "Behavior", "false", ""),
        ("n", "  n ≤", None, "n is a parameter of Take, a member of N"),
        ("heap − n", "Behavior", None, "n is a parameter of Take, a member of N"),
        ("over", "GameOver(", "false", ""),
    ],
)
def test_what_stands_at_a_place_has_its_value_in_a_state(
    words: str, behind: str, value: str | None, note: str
) -> None:
    found = writing.value_at(zermelo.load_text(HEAP), place(HEAP, words, behind=behind))

    assert found is not None
    assert (found.text, found.value, found.note) == (words, value, note)


def test_a_value_follows_the_state() -> None:
    game = zermelo.load_text(HEAP)
    where = place(HEAP, "heap = 0", behind="Facts")

    found = writing.value_at(game, where, game.play("2", "1"))

    assert found is not None
    assert found.to_json() == {
        "text": "heap = 0",
        "span": [where.start, where.end],
        "value": "true",
        "note": "",
    }


def test_nothing_stands_in_prose_and_headings() -> None:
    game = zermelo.load_text(HEAP)

    assert writing.value_at(game, place(HEAP, "last one")) is None
    assert writing.value_at(game, place(HEAP, "System Facts")) is None


def test_a_name_that_a_quantifier_binds_is_said_to_be_bound() -> None:
    game = zermelo.load("pegs")
    text = game.source.text

    found = writing.value_at(game, place(text, "|w| = 3", behind="over ↔"))

    assert found is not None
    assert (found.value, found.note) == (None, "w is some member of W")


def test_names_of_an_led_program_and_of_a_net_have_values() -> None:
    led, net = zermelo.load("tic-tac-toe-led"), zermelo.load_text(NET, name="a.net")

    over = writing.value_at(led, place(led.source.text, "gameOver", behind="/$\ngameOver"))
    marked = writing.value_at(net, place(NET, "p", behind=" p mk"))

    assert over is not None
    assert over.value == "false"
    assert marked is not None
    assert (marked.text, marked.value) == ("p", "<.1.>")
    assert writing.value_at(net, place(NET, "x")) is None


def test_a_broken_document_has_places_and_no_values() -> None:
    game = replace(zermelo.load_text(HEAP), model=None)

    found = writing.value_at(game, place(HEAP, "heap = 0", behind="Facts"))

    assert found is not None
    assert found.value is None
    assert found.note == "the document has to be mended first"
