"""Text without a structure is a number of black tokens, or is refused."""

from __future__ import annotations

import pytest

from tests.support import pnml as made
from tests.support.pnml import cyclic, declared, document, var
from zermelo.languages.nets.ir import Const
from zermelo.text import codes

KIND = "<type><structure>{}</structure></type>"
LESS = "only the text `{}` is there, and no `<structure>` that says the same"


def marked(sort: str, text: str) -> str:
    """A place whose first marking has no structure."""
    marking = f"<hlinitialMarking><text>{text}</text></hlinitialMarking>"
    return f'<place id="p">{KIND.format(made.user(sort))}{marking}</place>'


def with_arc(sort: str, inscription: str) -> str:
    """A place, and an arc with *inscription* from it."""
    return (
        f'<place id="p">{KIND.format(made.user(sort))}</place><transition id="t"/>'
        f'<arc id="a" source="p" target="t">{inscription}</arc>'
    )


def coloured(inside: str) -> str:
    """A symmetric net with a sort and a variable."""
    sorts = declared(cyclic("ring", "a", "b"), made.variable("x", "ring"))
    return document(sorts + inside, "symmetricnet")


@pytest.mark.parametrize(
    ("text", "count"), [("3", 3), ("3'dot", 3), ("dot", 1), ("2`dot", 2), ("0", 0), ("", 0)]
)
def test_a_number_of_black_tokens_needs_no_structure(text: str, count: int) -> None:
    assert len(made.net(coloured(marked("dot", text))).places[0].initial) == count


@pytest.mark.parametrize(("text", "count"), [("2'dot", 2), ("2", 2), ("", 1)])
def test_a_number_on_an_arc_needs_no_structure(text: str, count: int) -> None:
    inscription = f"<hlinscription><text>{text}</text></hlinscription>"

    net = made.net(coloured(with_arc("dot", inscription)))

    (term,) = net.transitions[0].inputs[0].terms
    assert term.multiplicity == Const(count)


def guarded(text: str) -> str:
    """A transition whose condition has no structure."""
    return f'<transition id="t"><condition><text>{text}</text></condition></transition>'


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        (marked("ring", "ring.all"), LESS.format("ring.all")),
        (marked("ring", "3"), LESS.format("3")),
        (marked("dot", "as many as needed"), LESS.format("as many as needed")),
        (guarded("x = a"), LESS.format("x = a")),
        (
            with_arc("ring", "<hlinscription><text>x</text></hlinscription>"),
            LESS.format("x"),
        ),
        (
            with_arc("dot", "<hlinscription><text>n'dot</text></hlinscription>"),
            LESS.format("n'dot"),
        ),
        ('<place id="p"><type><text>ring</text></type></place>', LESS.format("ring")),
        (with_arc("ring", ""), "`<arc>` lacks an inscription"),
    ],
)
def test_any_other_text_alone_is_refused(inside: str, message: str) -> None:
    found = made.read(coloured(inside))

    assert found.value is None
    assert [(each.code, each.message) for each in found.diagnostics] == [
        (codes.PNML_MISSING, message)
    ]


@pytest.mark.parametrize("inside", [marked("ring", ""), guarded(""), guarded("  ")])
def test_an_empty_text_says_nothing(inside: str) -> None:
    assert made.read(coloured(inside)).diagnostics == ()


def test_black_tokens_in_a_coloured_place_are_said() -> None:
    marking = "<initialMarking><text>3</text></initialMarking>"

    found = made.read(coloured(f'<place id="p">{KIND.format(made.user("ring"))}{marking}</place>'))

    assert [(each.code, each.message) for each in found.diagnostics] == [
        (codes.PNML_SORTS, "black tokens are put into the place `p` of sort `ring`")
    ]


def test_a_place_without_a_type_is_called_so() -> None:
    inside = made.place("p") + '<transition id="t"/>' + made.coloured_arc("t", "p", var("x"))

    found = made.read(coloured(inside))

    assert [(each.code, each.message) for each in found.diagnostics] == [
        (
            codes.PNML_MISSING,
            "the place `p` has no `<type>`, and a term of sort `ring` is for it",
        )
    ]
