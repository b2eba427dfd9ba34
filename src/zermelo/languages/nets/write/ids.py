"""The ids of a written PNML document: names as XML has them, each for one thing only.

What has such an id already keeps it; written and read again, everything has the same.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from typing import Final

from zermelo.languages.nets.ir import Net

# Namespaces in XML 1.0, production 4, and XML 1.0, productions 4 and 4a: names without colons.
_FIRST: Final = (
    "A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d"
    "\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_OTHER: Final = _FIRST + "0-9.\u00b7\u0300-\u036f\u203f\u2040-"
_GOOD: Final = re.compile(f"[{_FIRST}][{_OTHER}]*")
_BAD: Final = re.compile(f"[^{_OTHER}]")


def is_name(text: str) -> bool:
    """Whether *text* can be an id.

    >>> is_name("p1"), is_name("1p"), is_name("my net"), is_name("xs:id")
    (True, False, False, False)
    """
    return _GOOD.fullmatch(text) is not None


def as_name(text: str) -> str:
    """*text* if it can be an id, or else something like it that can.

    >>> as_name("p1"), as_name("1p"), as_name("my net")
    ('p1', '_1p', 'my_net')
    """
    plain = _BAD.sub("_", text)
    return plain if is_name(plain) else f"_{plain}"


class Ids:
    """The ids of one document."""

    def __init__(self, net: Net) -> None:
        self._known: dict[tuple[str, Hashable], str] = {}
        self._taken: set[str] = set()
        wanted: list[tuple[str, Hashable, str]] = [
            *(("place", each.name, each.name) for each in net.places),
            *(("transition", each.name, each.name) for each in net.transitions),
            ("net", "", net.label or net.name),
            *_arcs(net),
        ]
        # Good ones first, so that none of them has to make room for one that is made.
        for kind, key, name in wanted:
            if is_name(name) and name not in self._taken:
                self.of(kind, key, name)
        for kind, key, name in wanted:
            self.of(kind, key, name)

    def of(self, kind: str, key: Hashable, wanted: str = "") -> str:
        """The id of the *key* of its *kind*; the first time as near to *wanted* as can be."""
        if (kind, key) not in self._known:
            plain = as_name(wanted)
            found, number = plain, 2
            while found in self._taken:
                found, number = f"{plain}_{number}", number + 1
            self._known[kind, key] = found
            self._taken.add(found)
        return self._known[kind, key]


def _arcs(net: Net) -> Iterable[tuple[str, Hashable, str]]:
    for transition in net.transitions:
        for at, arc in enumerate(transition.inputs):
            name = arc.label or f"{arc.place}-to-{transition.name}"
            yield "arc", (transition.name, True, at), name
        for at, arc in enumerate(transition.outputs):
            name = arc.label or f"{transition.name}-to-{arc.place}"
            yield "arc", (transition.name, False, at), name
