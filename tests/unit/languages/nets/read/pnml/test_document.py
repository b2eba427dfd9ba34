"""PNML documents mean nets, and what cannot be used is said at its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import pnml as made
from tests.support.pnml import arc, colour, cyclic, document, place, term, times, var
from zermelo.core.state import Move
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.text import codes
from zermelo.text.codes import Code

TWO = place("p", 2) + place("q") + '<transition id="t"/>' + arc("p", "t") + arc("t", "q", 3)


def coloured(inside: str, *declarations: str) -> str:
    """A symmetric net."""
    return document(inside + made.declared(*declarations), "symmetricnet")


def test_a_plain_net_moves_black_tokens() -> None:
    machine = TokenGame(made.net(document(f'<page id="one">{TWO}</page>')))

    after = machine.after(machine.initial, Move("t"))

    assert [str(bag) for bag in after.values] == ["<..>", "3<..>"]


def test_pages_may_stand_in_pages_and_refer_to_each_other() -> None:
    inner = (
        '<page id="inner"><referencePlace id="p2" ref="p1"/><referencePlace id="p1" ref="p"/>'
        '<transition id="t"/><arc id="a" source="p2" target="t"/></page>'
    )

    net = made.net(document(f'<page id="outer">{place("p", 1)}{inner}</page>'))

    assert [each.place for each in net.transitions[0].inputs] == ["p"]


RING = cyclic("ring", "a", "b", "c")


@pytest.mark.parametrize(
    ("tag", "after"),
    [("successor", ["<.0.>", "<.1.>"]), ("predecessor", ["<.1.>", "<.2.>"])],
)
def test_neighbours_go_round_in_a_circle(tag: str, after: list[str]) -> None:
    inside = (
        made.coloured_place("p", "ring", term("add", times(1, colour("a")), colour("c")))
        + made.coloured_place("q", "ring")
        + '<transition id="t"/>'
        + made.coloured_arc("p", "t", var("x"))
        + made.coloured_arc("t", "q", term(tag, var("x")))
    )
    machine = TokenGame(made.net(coloured(inside, RING, made.variable("x", "ring"))))

    found = [machine.after(machine.initial, move)["q"] for move in machine.legal(machine.initial)]

    assert sorted(map(str, found)) == after


def test_what_is_taken_off_a_sum_must_be_in_it() -> None:
    """``all - x - y``: with x = y there would be less than none of it, so x and y differ."""
    inside = (
        made.coloured_place("p", "ring", made.everything("ring"))
        + '<transition id="t"/>'
        + made.coloured_arc("p", "t", term("subtract", made.everything("ring"), var("x"), var("y")))
    )
    net = made.net(coloured(inside, RING, made.variable("x", "ring"), made.variable("y", "ring")))
    machine = TokenGame(net)

    pairs = [move.arguments for move in machine.legal(machine.initial)]

    assert sorted(pairs) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]


def test_all_inside_a_tuple_is_a_sum() -> None:
    pair = (
        '<namedsort id="pair" name="pair"><productsort><usersort declaration="ring"/>'
        '<usersort declaration="ring"/></productsort></namedsort>'
    )
    inside = made.coloured_place("p", "pair", term("tuple", colour("b"), made.everything("ring")))

    net = made.net(coloured(inside, RING, pair))

    assert net.places[0].initial == Bag((((1, 0), 1), ((1, 1), 1), ((1, 2), 1)))


def test_conditions_and_ranges_of_numbers() -> None:
    numbers = '<namedsort id="small" name="small"><finiteintrange start="2" end="5"/></namedsort>'
    three = (
        '<finiteintrangeconstant value="3"><finiteintrange start="2" end="5"/>'
        "</finiteintrangeconstant>"
    )
    guard = term("or", term("lessthan", var("n"), three), term("equality", var("n"), three))
    inside = (
        made.coloured_place("p", "small", made.everything("small"))
        + f'<transition id="t"><condition><structure>{guard}</structure></condition></transition>'
        + made.coloured_arc("p", "t", var("n"))
    )
    machine = TokenGame(made.net(coloured(inside, numbers, made.variable("n", "small"))))

    assert [move.arguments for move in machine.legal(machine.initial)] == [(2,), (3,)]


def test_a_partition_puts_colours_into_groups() -> None:
    groups = (
        '<partition id="side" name="side"><usersort declaration="ring"/>'
        '<partitionelement id="left" name="left"><useroperator declaration="a"/>'
        '<useroperator declaration="b"/></partitionelement>'
        '<partitionelement id="right" name="right"><useroperator declaration="c"/>'
        "</partitionelement></partition>"
    )
    of = '<partitionelementof refpartition="side"><subterm>{}</subterm></partitionelementof>'
    guard = term("equality", of.format(var("x")), of.format(var("y")))
    inside = (
        made.coloured_place("p", "ring", made.everything("ring"))
        + f'<transition id="t"><condition><structure>{guard}</structure></condition></transition>'
        + made.coloured_arc("p", "t", term("add", var("x"), var("y")))
    )
    net = made.net(
        coloured(inside, RING, groups, made.variable("x", "ring"), made.variable("y", "ring"))
    )
    machine = TokenGame(net)

    assert [m.arguments for m in machine.legal(machine.initial)] == [(0, 1), (1, 0)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<html><body/></html>", codes.PNML_NOT_A_NET),
        ("<pnml></pnml>", codes.PNML_NOT_A_NET),
        (document("", "queueingnet"), codes.PNML_OTHER_KIND),
        (document(place("p") + place("p")), codes.PNML_DECLARED_TWICE),
        (document(TWO + arc("p", "nowhere")), codes.PNML_NOTHING_THERE),
        (document(TWO + arc("p", "q")), codes.PNML_UNKNOWN),
        (
            document('<place id="p"><initialMarking><text>many</text></initialMarking></place>'),
            codes.PNML_NUMBER,
        ),
        (document("<place/>"), codes.PNML_MISSING),
        (coloured(made.coloured_place("p", "none")), codes.PNML_NOTHING_THERE),
        (
            coloured(made.coloured_place("p", "dot", made.everything("ring")), RING),
            codes.PNML_SORTS,
        ),
        (
            coloured(made.coloured_place("p", "ring", times(2**64, colour("a"))), RING),
            codes.PNML_NUMBER,
        ),
    ],
)
def test_what_is_wrong_is_said(text: str, code: Code) -> None:
    found = made.read(text)

    assert found.value is None
    assert code in [each.code for each in found.diagnostics]


def test_a_group_with_a_colour_of_another_sort_is_said() -> None:
    groups = (
        '<partition id="side" name="side"><usersort declaration="ring"/>'
        '<partitionelement id="left" name="left"><useroperator declaration="d"/>'
        "</partitionelement></partition>"
    )
    of = '<partitionelementof refpartition="side"><subterm>{}</subterm></partitionelementof>'
    guard = term("equality", of.format(var("x")), of.format(var("x")))
    inside = (
        made.coloured_place("p", "ring", colour("a"))
        + f'<transition id="t"><condition><structure>{guard}</structure></condition></transition>'
        + made.coloured_arc("p", "t", var("x"))
    )

    found = made.read(
        coloured(inside, RING, cyclic("other", "d"), groups, made.variable("x", "ring"))
    )

    assert found.value is None
    assert found.diagnostics


def test_a_first_marking_outside_its_sort_is_said() -> None:
    empty = '<namedsort id="none" name="none"><finiteintrange start="9" end="3"/></namedsort>'
    four = (
        '<finiteintrangeconstant value="4"><finiteintrange start="0" end="9"/>'
        "</finiteintrangeconstant>"
    )

    found = made.read(coloured(made.coloured_place("p", "none", four), empty))

    assert found.value is None
    assert found.diagnostics


@pytest.mark.parametrize("kind", ["ptnet", "symmetricnet", "pt-hlpng"])
def test_the_kinds_that_are_read(kind: str) -> None:
    assert made.read(document(TWO, kind)).diagnostics == ()


@pytest.mark.parametrize("kind", ["highlevelnet", "pnmlcoremodel", "coremodel", "PTNet"])
def test_other_kinds_of_nets_are_not_read(kind: str) -> None:
    found = made.read(document(TWO, kind))

    assert found.value is None
    assert [each.message for each in found.diagnostics] == [
        f"`{kind}` is a kind of net that is not read"
    ]


def test_a_kind_that_is_no_address_is_said_as_it_stands() -> None:
    text = document(TWO).replace(f"{made.GRAMMAR}/ptnet", "P/T net")

    assert [each.message for each in made.read(text).diagnostics] == [
        "`P/T net` is a kind of net that is not read"
    ]


def test_of_two_arcs_with_one_id_none_is_dropped_without_a_word() -> None:
    found = made.read(document(TWO + arc("p", "t")))

    assert found.value is None
    assert [each.message for each in found.diagnostics] == [
        "two parts of the net have the id `p-t`"
    ]


def test_a_second_net_is_left_out() -> None:
    text = document(TWO).replace("</pnml>", '<net id="other"/></pnml>')

    found = made.read(text)

    assert found.value is not None
    assert [each.code for each in found.diagnostics] == [codes.PNML_SECOND_NET]


@given(st.lists(st.integers(0, 400), max_size=4), st.sampled_from("<>&\"'/x 0"))
def test_a_damaged_document_is_never_a_traceback(places: list[int], sign: str) -> None:
    text = document(f'<page id="one">{TWO}</page>')
    for number in places:
        at = number % len(text)
        text = text[:at] + sign + text[at + 1 :]

    found = made.read(text)

    assert found.value is not None or found.diagnostics
