"""Sorts of symmetric nets: which are one sort, and which have no colours."""

from __future__ import annotations

import pytest

from tests.support import pnml as made
from tests.support.pnml import colour, cyclic, declared, document, term, var
from zermelo.languages.nets.read.pnml.sorts import NUMBER, TRUTH, Base, agree, sort_text
from zermelo.languages.nets.run.machine import TokenGame

LIGHT = Base(0, 1, ("red", "green"), "light", "enumeration red green")
SIDE = Base(0, 1, ("left", "right"), "side", "enumeration left right")
RING = cyclic("ring", "a", "b", "c")


def named(name: str, inner: str) -> str:
    """The declaration of a sort."""
    return f'<namedsort id="{name}" name="{name}">{inner}</namedsort>'


def numbers(low: int, high: int) -> str:
    """A range of numbers."""
    return f'<finiteintrange start="{low}" end="{high}"/>'


def number(value: int, low: int, high: int) -> str:
    """A number of a range."""
    inner = numbers(low, high)
    return f'<finiteintrangeconstant value="{value}">{inner}</finiteintrangeconstant>'


def said(place: str, *declarations: str) -> list[str]:
    """What is said about a net with one place."""
    found = made.read(document(declared(*declarations) + place, "symmetricnet"))
    assert (found.value is None) is bool(found.diagnostics)
    return [each.message for each in found.diagnostics]


@pytest.mark.parametrize(
    ("first", "second", "are_one"),
    [
        ((LIGHT,), (LIGHT,), True),
        ((LIGHT,), (SIDE,), False),
        ((LIGHT,), (TRUTH,), False),
        ((LIGHT,), (Base(0, 1),), False),
        ((Base(0, 1),), (Base(0, 1, name="bit"),), True),
        ((Base(0, 1),), (Base(0, 2),), False),
        ((Base(2, 2, kind=NUMBER),), (Base(0, 2),), True),
        ((Base(0, 1),), (Base(2, 2, kind=NUMBER),), False),
        ((Base(1, 1, kind=NUMBER),), (LIGHT,), False),
        ((LIGHT, SIDE), (LIGHT, SIDE), True),
        ((LIGHT, SIDE), (SIDE, LIGHT), False),
        ((), (LIGHT,), False),
        ((), (), True),
    ],
)
def test_enumerations_are_told_apart_and_ranges_are_not(
    first: tuple[Base, ...], second: tuple[Base, ...], *, are_one: bool
) -> None:
    assert agree(first, second) is agree(second, first) is are_one


def test_what_sorts_are_called() -> None:
    long = Base(0, 3, ("a", "b", "c", "d"))

    assert [sort_text(each) for each in [(), (LIGHT, Base(2, 5)), (long,), (LIGHT,)]] == [
        "dot",
        "light × 2..5",
        "a, b, c, …",
        "light",
    ]


def test_two_names_of_one_sort_are_one_sort() -> None:
    alias = named("circle", made.user("ring"))
    pair = named("pair", f"<productsort>{made.user('ring')}{made.user('circle')}</productsort>")
    place = made.coloured_place("p", "pair", term("tuple", colour("a"), colour("b")))

    assert said(place, alias, RING, pair) == []


def test_a_range_with_a_name_and_without_are_one_sort() -> None:
    place = made.coloured_place("p", "small", number(2, 0, 3))

    assert said(place, named("small", numbers(0, 3))) == []


@pytest.mark.parametrize(
    ("sort", "marking", "message"),
    [
        ("light", colour("b"), "the term is of sort `ring`, and the place `p` of sort `light`"),
        (
            "pair",
            term("tuple", colour("a"), colour("red")),
            "the term is of sort `ring × light`, and the place `p` of sort `light × ring`",
        ),
        ("small", number(1, 0, 2), "the term is of sort `0..2`, and the place `p` of sort `small`"),
        ("dot", colour("a"), "the term is of sort `ring`, and the place `p` of sort `dot`"),
        (
            "ring",
            "<dotconstant/>",
            "the term is of sort `dot`, and the place `p` of sort `ring`",
        ),
        (
            "ring",
            made.everything("light"),
            "the term is of sort `light`, and the place `p` of sort `ring`",
        ),
    ],
)
def test_a_colour_of_another_sort_is_said_with_both_sorts(
    sort: str, marking: str, message: str
) -> None:
    product = f"<productsort>{made.user('light')}{made.user('ring')}</productsort>"
    declarations = (
        RING,
        cyclic("light", "red", "green"),
        named("pair", product),
        named("small", numbers(0, 3)),
    )

    assert said(made.coloured_place("p", sort, marking), *declarations) == [message]


def test_a_range_that_ends_before_it_starts_holds_nothing() -> None:
    place = made.coloured_place("p", "none", made.everything("none"))

    assert said(place, named("none", numbers(5, 2))) == ["the range from 5 to 2 holds no number"]


def groups(*members: str, base: str = "small") -> str:
    """A partition whose groups have these members."""
    inner = "".join(
        f'<partitionelement id="g{at}" name="g{at}">{each}</partitionelement>'
        for at, each in enumerate(members)
    )
    return f'<partition id="size" name="size">{made.user(base)}{inner}</partition>'


def of_group(inner: str) -> str:
    """The group that a colour is in."""
    return (
        f'<partitionelementof refpartition="size"><subterm>{inner}</subterm></partitionelementof>'
    )


def grouped(partition: str, *, low: int = 0, other: str = "g1") -> str:
    """A net that takes numbers of one group only, from *low* to *low* + 2."""
    guard = term("equality", of_group(var("n")), colour(other))
    inside = (
        made.coloured_place("p", "small", made.everything("small"))
        + f'<transition id="t"><condition><structure>{guard}</structure></condition></transition>'
        + made.coloured_arc("p", "t", var("n"))
    )
    sorts = named("small", numbers(low, low + 2))
    declarations = declared(sorts, RING, partition, made.variable("n", "small"))
    return document(declarations + inside, "symmetricnet")


@pytest.mark.parametrize("low", [0, 4])
def test_numbers_of_a_range_may_be_put_into_groups(low: int) -> None:
    members = [number(low + at, low, low + 2) for at in range(3)]
    net = made.net(grouped(groups(members[1], members[0] + members[2]), low=low))
    machine = TokenGame(net)

    assert [move.arguments for move in machine.legal(machine.initial)] == [(low,), (low + 2,)]


@pytest.mark.parametrize(
    ("partition", "message"),
    [
        (groups(number(0, 0, 2), number(1, 0, 2)), "`<partition>` lacks the group of 1 colours"),
        (
            groups(number(0, 0, 2) + number(1, 0, 2), number(1, 0, 2) + number(2, 0, 2)),
            "`1` is put into a group of `size` twice",
        ),
        (
            groups(number(0, 0, 2), number(1, 0, 3)),
            "a colour of sort `0..3` is put into a group of those of sort `small`",
        ),
        (
            groups(number(0, 0, 2), colour("a")),
            "a colour of sort `ring` is put into a group of those of sort `small`",
        ),
        (
            groups(colour("a") + colour("b"), colour("c"), base="ring"),
            "the term is of sort `small`, and must be of sort `ring`",
        ),
    ],
)
def test_what_is_wrong_with_groups_is_said(partition: str, message: str) -> None:
    found = made.read(grouped(partition))

    assert found.value is None
    assert [each.message for each in found.diagnostics] == [message]


def test_sorts_that_grow_without_bound_are_refused() -> None:
    """Forty products of two within each other would have 2^40 factors."""
    doubled = [
        named(f"s{at}", f"<productsort>{made.user(f's{at + 1}') * 2}</productsort>")
        for at in range(40)
    ]
    sorts = (*doubled, named("s40", made.user("ring")), RING)

    found = made.read(document(declared(*sorts) + made.coloured_place("p", "s0"), "symmetricnet"))

    (diagnostic,) = found.diagnostics
    assert diagnostic.primary is not None
    assert diagnostic.primary.text == "products of more than 1,000 sorts are not read"
