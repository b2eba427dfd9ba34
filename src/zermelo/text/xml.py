"""Text of documents in files of XML: nothing in it is taken for syntax."""

from __future__ import annotations

import re
from typing import Final

# What XML 1.0 has no way to write, not even as a reference.
_NOT_IN_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def for_xml(text: str) -> str:
    """*text* between tags or in a quoted attribute.

    >>> for_xml('a < "b" & c')
    'a &lt; &quot;b&quot; &amp; c'
    """
    clean = _NOT_IN_XML.sub("\ufffd", text)
    for sign, written in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        clean = clean.replace(sign, written)
    return clean
