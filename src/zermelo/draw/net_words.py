"""What is written at the nodes and the arcs of a drawn net."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from zermelo.languages.nets.ir import Arc, Const, Net, Place, Transition
from zermelo.languages.nets.printer import expr_text, terms_text
from zermelo.languages.nets.words import bag_text
from zermelo.text.source import width

LONGEST: Final = 28
"""Letters of a name or of tokens that are shown; the tooltips have them all."""
MOST_GATES: Final = 2
"""More gates than this are not written out."""

Ends: TypeAlias = tuple[int, int]
"""An arc, as the numbers of the nodes that it leads from and to; places come first."""


@dataclass(frozen=True, slots=True)
class Link:
    """What an arc says."""

    text: str
    has_two_heads: bool


def clipped(text: str, most: int = LONGEST) -> str:
    """*text*, cut where it would be too long for a drawing.

    >>> clipped("a rather long name of a place", 24)
    'a rather long name of a …'
    """
    return text if width(text) <= most else f"{text[: most - 1].rstrip()} …"


def clipped_sum(text: str, most: int = LONGEST) -> str:
    """*text*, cut after one of its summands where it would be too long.

    >>> clipped_sum("<.1,1.> + <.2,2.> + <.3,3.> + <.4,4.>")
    '<.1,1.> + <.2,2.> + …'
    """
    if width(text) <= most:
        return text
    end = text.rfind(" + ", 0, most - 1)
    while end > 0 and text[:end].count("(") != text[:end].count(")"):
        end = text.rfind(" + ", 0, end)
    return f"{text[:end]} + …" if end > 0 and text[:end].endswith(".>") else clipped(text, most)


def node_lines(node: Place | Transition) -> tuple[str, ...]:
    """What is written at a node: gates only where they fit whole."""
    name = clipped(node.label or node.name)
    if isinstance(node, Place):
        is_told = bool(node.arity) and len(node.initial) > 0
        return (name, clipped_sum(bag_text(node.initial, node))) if is_told else (name,)
    gates = tuple(map(expr_text, node.gates))
    if len(gates) > MOST_GATES or any(width(each) > LONGEST for each in gates):
        return name, "gate …"
    return (name, *gates)


def links(net: Net) -> Iterator[tuple[Ends, Link]]:
    """The arcs between numbered nodes."""
    number = {place.name: at for at, place in enumerate(net.places)}
    for at, transition in enumerate(net.transitions, len(net.places)):
        taken, put = _texts(transition.inputs), _texts(transition.outputs)
        for name, text in taken.items():
            yield (number[name], at), Link(text, put.get(name) == text)
        for name, text in put.items():
            if taken.get(name) != text:
                yield (at, number[name]), Link(text, has_two_heads=False)


def _texts(arcs: Iterable[Arc]) -> dict[str, str]:
    """The inscription of each place; empty for one black token."""
    found: dict[str, list[Arc]] = {}
    for arc in arcs:
        found.setdefault(arc.place, []).append(arc)
    texts = {}
    for name, here in found.items():
        terms = [term for arc in here for term in arc.terms]
        is_black = all(not term.components for term in terms)
        counts = [term.multiplicity for term in terms]
        if is_black and all(isinstance(each, Const) for each in counts):
            total = sum(each.value for each in counts if isinstance(each, Const))
            texts[name] = "" if total == 1 else str(total)
        else:
            texts[name] = terms_text(terms)
    return texts
