"""Several texts as one row, and what is said about them."""

from zermelo.languages.nets.read.prod.sources import NetTexts
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Fix, Label
from zermelo.text.source import Source, Span


def row() -> NetTexts:
    """A document that includes a file, which includes another."""
    texts = NetTexts()
    texts.add(Source("main.net", 'a\n#include "b"\n'))
    b = texts.add(Source("b", 'one\n#include "c"\n'), Span(2, 14))
    texts.add(Source("c", "two\nthree\n"), Span(b.start + 4, b.start + 16))
    return texts


def test_a_place_in_an_included_file_leads_to_the_directive_in_the_document() -> None:
    texts = row()
    c = texts.all[2]

    assert texts.in_document(Span(0, 1)) == Span(0, 1)
    assert texts.in_document(Span(c.start + 4, c.start + 9)) == Span(2, 14)
    assert texts.described(Span(c.start + 4, c.start + 9)) == "c:2:1: `three`"


def test_a_text_that_nothing_includes_has_no_place_in_the_document() -> None:
    texts = row()
    beside = texts.add(Source("x.c", "int a;\n"))
    said = Diagnostic(codes.C_NOT_UNDERSTOOD, "words", Label(Span(beside.start, beside.start + 3)))

    [found] = texts.located([said])

    assert found.primary is None
    assert found.notes == ("in x.c:1:1: `int a;`",)


def test_what_is_said_about_the_document_itself_stays_as_it_is() -> None:
    said = Diagnostic(codes.MACRO_TWICE, "words", Label(Span(0, 1)), fix=Fix(Span(0, 1), "b"))

    assert row().located([said, said]) == (said,)
