"""Nets in DOT, the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zermelo.draw.escape import for_dot
from zermelo.draw.net_words import clipped
from zermelo.languages.nets.ir import Net, Place, Transition
from zermelo.languages.nets.printer import expr_text, terms_text
from zermelo.languages.nets.words import bag_text

MOST_DOTS: Final = 4


def lines(net: Net) -> Iterator[str]:
    """The lines of the file."""
    yield f"digraph {for_dot(net.name)} {{"
    yield '  node [fontname="sans-serif", fontsize=11];'
    yield '  edge [fontname="sans-serif", fontsize=9, color="#66727f"];'
    for at, place in enumerate(net.places):
        yield f"  p{at} [{_place(place)}];"
    for at, transition in enumerate(net.transitions):
        yield f"  t{at} [{_transition(transition)}];"
    number = {place.name: at for at, place in enumerate(net.places)}
    for at, transition in enumerate(net.transitions):
        back = [(arc.place, terms_text(arc.terms)) for arc in transition.outputs]
        for arc in transition.inputs:
            same = arc.place, terms_text(arc.terms)
            is_test = same in back
            if is_test:
                back.remove(same)
            yield f"  p{number[arc.place]} -> t{at}{_inscription(same[1], is_test=is_test)};"
        for name, text in back:
            yield f"  t{at} -> p{number[name]}{_inscription(text)};"
    yield "}"


def _place(place: Place) -> str:
    held = len(place.initial)
    dots = "●" * held if held <= MOST_DOTS else str(held)
    tooltip = for_dot(f"{place.name}: {bag_text(place.initial, place)}")
    name = for_dot(place.label or place.name)
    return f'shape="circle", label={for_dot(dots)}, xlabel={name}, tooltip={tooltip}'


def _transition(transition: Transition) -> str:
    gates = " && ".join(expr_text(gate) for gate in transition.gates)
    tooltip = f", tooltip={for_dot(f'gate {gates}')}" if gates else ""
    name = for_dot(transition.label or transition.name)
    return f'shape="box", style="filled", fillcolor="#eceff2", label={name}{tooltip}'


def _inscription(text: str, *, is_test: bool = False) -> str:
    """The attributes of an arc; one that takes what it puts back has two heads."""
    found = [] if text == "<..>" else [f"label={for_dot(clipped(text, 60))}"]
    if is_test:
        found.append('dir="both"')
    return f" [{', '.join(found)}]" if found else ""
