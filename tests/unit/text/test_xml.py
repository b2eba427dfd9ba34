"""Text of documents in files of XML."""

import xml.etree.ElementTree as ET

import pytest

from zermelo.text.xml import for_xml


@pytest.mark.parametrize("text", ["a < b & c > d", '"quoted"', "</text>", "∪ ∅ 𝒫", "&amp;"])
def test_a_text_comes_back_as_it_was_from_content_and_attributes(text: str) -> None:
    read = ET.fromstring(f'<a b="{for_xml(text)}">{for_xml(text)}</a>')

    assert (read.text, read.attrib["b"]) == (text, text)


@pytest.mark.parametrize("sign", ["\x00", "\x1b", "\ud800", "\uffff"])
def test_a_sign_that_xml_cannot_write_is_replaced(sign: str) -> None:
    assert for_xml(f"a{sign}b") == "a\ufffdb"
