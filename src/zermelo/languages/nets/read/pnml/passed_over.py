"""Elements of a PNML document that say nothing here: each kind of them is told once.

What the standard lets stand there without a meaning of its own, such as graphics and
what belongs to one program, is not told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from zermelo.languages.nets.read.pnml.xml import Element
from zermelo.languages.nets.read.wrong import not_understood
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import Source
from zermelo.text.suggest import nearest

PARTS: Final = frozenset(
    {"place", "transition", "arc", "page", "referencePlace", "referenceTransition"}
)
_ANYWHERE: Final = frozenset({"name", "graphics", "toolspecific"})
_PAGE: Final = PARTS | _ANYWHERE | {"declaration"}
_TERM: Final = frozenset({"text", "structure", "graphics", "toolspecific"})
_NUMBER: Final = frozenset({"text", "graphics", "toolspecific"})
_INSIDE: Final[Mapping[str, frozenset[str]]] = {
    "pnml": frozenset({"net", "toolspecific"}),
    "net": _PAGE,
    "page": _PAGE,
    "place": _ANYWHERE | {"initialMarking", "type", "hlinitialMarking"},
    "transition": _ANYWHERE | {"condition"},
    "arc": _ANYWHERE | {"inscription", "hlinscription", "type", "arctype", "arcType"},
    "referencePlace": _ANYWHERE,
    "referenceTransition": _ANYWHERE,
    "initialMarking": _NUMBER,
    "inscription": _NUMBER,
    "hlinitialMarking": _TERM,
    "hlinscription": _TERM,
    "condition": _TERM,
    "type": _TERM,
    "declaration": _TERM,
}


def passed_over(root: Element, source: Source) -> Iterator[Diagnostic]:
    """A warning for each kind of element that stands where it means nothing, at its first place.

    Arcs by another name are not understood, for a net without them is another net.
    """
    found: dict[str, list[tuple[Element, Element]]] = {}
    for parent, child in _strangers(root):
        found.setdefault(_written(child, source), []).append((parent, child))
    for name, places in found.items():
        parent, first = places[0]
        if first.get("source") and first.get("target"):
            yield not_understood(first, "arcs of this kind").diagnostic
            continue
        near = nearest(first.tag, sorted(_INSIDE[parent.tag]))
        yield Diagnostic(
            codes.PNML_PASSED_OVER,
            f"`<{name}>` has no meaning inside `<{parent.tag}>`, and is passed over",
            primary=Label(
                first.span, f"and {len(places) - 1} more of this kind" if len(places) > 1 else ""
            ),
            help=f"did you mean `<{near[0]}>`?"
            if near
            else "what only one program needs stands in `<toolspecific>`",
        )


def _strangers(root: Element) -> Iterator[tuple[Element, Element]]:
    """What stands in an element that does not have it, on pages within pages too."""
    waiting = [(root, child) for child in reversed(root.children)]
    while waiting:
        parent, child = waiting.pop()
        if child.tag not in _INSIDE[parent.tag]:
            yield parent, child
        elif child.tag in _INSIDE:
            waiting += [(child, inner) for inner in reversed(child.children)]


def _written(element: Element, source: Source) -> str:
    """The name of *element* as the document has it, with its prefix."""
    return source.text[element.span.start + 1 : element.span.end]
