"""Text of documents in the files of other programs: nothing in it is taken for syntax."""

from __future__ import annotations

import re
from typing import Final

_BREAKS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def for_dot(text: str) -> str:
    r"""*text* as a quoted string of DOT, quotes included.

    In labels Graphviz reads backslashes and the entities of HTML, so both are spelled out.

    >>> print(for_dot('a "b" \\N &lt; c'))
    "a \"b\" \\N &amp;lt; c"
    """
    clean = in_one_line(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{clean}"'


def in_one_line(text: str) -> str:
    r"""*text* without breaks of lines and other signs that steer a program.

    >>> in_one_line("a\r\nb")
    'a b'
    """
    return _BREAKS.sub(" ", text)
