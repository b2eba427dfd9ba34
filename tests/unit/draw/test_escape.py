"""Text of documents cannot leave its place in a file."""

import html
import re
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from zermelo.draw.dot import for_dot, in_one_line
from zermelo.draw.formats import for_aut
from zermelo.text.render import for_xml


@given(st.text(st.characters(codec="utf-8")))
def test_xml_reads_back_what_was_written(text: str) -> None:
    written = for_xml(text)

    inner = ElementTree.fromstring(f'<a b="{written}">{written}</a>')

    # What XML cannot write is replaced, and its readers make one kind of line end of all.
    allowed = [sign for sign in text if sign in "\t\n\r" or sign >= " "]
    kept = "".join(sign for sign in text if sign in allowed and sign not in "\ufffe\uffff")
    assert (inner.text or "").replace("\ufffd", "") == kept.replace("\ufffd", "").replace(
        "\r\n", "\n"
    ).replace("\r", "\n")


@given(st.text())
def test_a_dot_string_ends_only_at_its_end(text: str) -> None:
    written = for_dot(text)
    inner = written[1:-1]

    assert (written[0], written[-1]) == ('"', '"')
    assert re.fullmatch(r'(?:[^"\\\n]|\\["\\])*', inner)
    assert html.unescape(re.sub(r"\\(.)", r"\1", inner)) == in_one_line(text)


@given(st.text())
def test_an_aut_label_has_no_quote_and_no_break(text: str) -> None:
    inner = for_aut(text)[1:-1]

    assert '"' not in inner
    assert len(inner.splitlines()) <= 1


def test_signs_that_steer_a_program_are_blanks() -> None:
    assert in_one_line("a\x1b[31m\x00b\u2028c\x85d") == "a [31m b c d"
