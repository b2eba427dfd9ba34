"""What means nothing in a PNML document is said once, and what the standard allows is not."""

from __future__ import annotations

from tests.support.pnml import arc, document, place, read
from zermelo.text import codes

TOOL = '<toolspecific tool="t" version="1"><anything><place id="p"/></anything></toolspecific>'
LOOKS = '<name><text>a name</text><graphics/></name><graphics><position x="1" y="2"/></graphics>'
NET = place("p", 2) + '<transition id="t"/>' + arc("p", "t")


def test_each_kind_is_said_once_at_its_first_place() -> None:
    strange = '<foo/><xi:include href="other"/><page id="two"><foo/><foo/></page>'

    found = read(document(f'<page id="one">{NET}{strange}</page>'))

    assert found.value is not None
    assert {each.code for each in found.diagnostics} == {codes.PNML_PASSED_OVER}
    assert [(each.message, each.primary and each.primary.text) for each in found.diagnostics] == [
        ("`<foo>` has no meaning inside `<page>`, and is passed over", "and 2 more of this kind"),
        ("`<xi:include>` has no meaning inside `<page>`, and is passed over", ""),
    ]


def test_a_part_that_is_misspelt_is_said_with_what_may_be_meant() -> None:
    text = document(NET).replace("initialMarking", "initialmarking")

    (said,) = read(text).diagnostics

    assert said.message == "`<initialmarking>` has no meaning inside `<place>`, and is passed over"
    assert said.help == "did you mean `<initialMarking>`?"


def test_numbers_in_the_elements_of_older_documents_are_said() -> None:
    text = document(NET).replace("text>", "value>")

    (said,) = read(text).diagnostics

    assert said.message == "`<value>` has no meaning inside `<initialMarking>`, and is passed over"


def test_what_the_standard_allows_is_not_said() -> None:
    inner = NET.replace("<initialMarking>", f"{LOOKS}{TOOL}<initialMarking>{TOOL}<graphics/>")
    text = document(f'{LOOKS}{TOOL}<page id="one">{LOOKS}{TOOL}{inner}</page>')

    assert read(text).diagnostics == ()


def test_pages_may_be_as_deep_as_documents_are() -> None:
    pages = 150
    text = document('<page id="a">' * pages + "<foo/>" + "</page>" * pages)

    assert codes.PNML_PASSED_OVER in [each.code for each in read(text).diagnostics]
