"""XML is read with its places, and a document can do no harm."""

from __future__ import annotations

import pytest

from zermelo.languages.nets.read.pnml import xml
from zermelo.text import codes
from zermelo.text.source import Source, Span

BOMB = """<?xml version="1.0"?>
<!DOCTYPE pnml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<pnml>&b;</pnml>"""
OUTSIDE = '<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/hostname">]><p>&x;</p>'


def test_elements_know_their_place_and_their_text() -> None:
    source = Source("x.pnml", "<a>\n  <b:ünd x='1'>one <c/>two</b:ünd>\n</a>")

    root = xml.read(source).value

    assert root is not None
    child = root.children[0]
    assert (child.tag, child.attributes, child.text) == ("ünd", {"x": "1"}, "one two")
    assert source.text[child.span.start : child.span.end] == "<b:ünd"
    assert root.find("ünd", "c") is not None
    assert root.find("c") is None


@pytest.mark.parametrize("text", [BOMB, OUTSIDE])
def test_entities_and_other_files_are_never_read(text: str) -> None:
    found = xml.read(Source("x.pnml", text))

    assert found.value is None
    assert [each.code for each in found.diagnostics] == [codes.XML_DOCTYPE]


def test_what_is_not_well_formed_is_said_where_it_is() -> None:
    found = xml.read(Source("x.pnml", "<a>\n<b></a>"))

    assert found.value is None
    (said,) = found.diagnostics
    assert said.code is codes.XML_NOT_WELL_FORMED
    assert said.primary is not None
    assert said.primary.span.start >= 7


def test_nesting_has_a_bound() -> None:
    found = xml.read(Source("x.pnml", "<a>" * (xml.MOST_DEEP + 1)))

    assert [each.code for each in found.diagnostics] == [codes.TOO_DEEP]


@pytest.mark.parametrize(
    "text",
    ["<a id='{}'/>", "<a {}='1'/>", "<a><{}/></a>", "<a><name><text>{}</text></name></a>"],
)
def test_names_have_a_bound(text: str) -> None:
    """Whatever is said of a net quotes its names."""
    fits = xml.read(Source("x.pnml", text.format("p" * xml.MOST_LETTERS)))
    found = xml.read(Source("x.pnml", text.format("p" * (xml.MOST_LETTERS + 1))))

    assert fits.value is not None
    (said,) = found.diagnostics
    assert said.code is codes.TOO_LARGE
    assert said.message == "this name has 10,001 characters, and at most 10,000 are read"


def test_another_encoding_in_the_first_line_changes_nothing() -> None:
    text = '<?xml version="1.0" encoding="ISO-8859-1"?><a name="é"/>'

    root = xml.read(Source("x.pnml", text)).value

    assert root is not None
    assert root.get("name") == "é"
    assert root.span == Span(text.index("<a"), text.index("<a") + 2)
