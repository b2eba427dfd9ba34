"""Which names sentences bind, and which have to wait."""

import pytest

from zermelo.languages.led.mean.sentences import binds_all, candidates, conjuncts, names_in, needs
from zermelo.languages.led.read import parser
from zermelo.languages.led.read.tree import Expr
from zermelo.text.source import Source


def read(text: str) -> Expr:
    """The expression that *text* writes."""
    found = parser.expression(Source("typed", text)).value
    assert found is not None
    return found


def new(name: str) -> bool:
    """Small letters are new names here, capitals are not."""
    return name.islower()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("x in S", "x"),
        ("(x, (y, z)) in S", "xyz"),
        ("x = 3 & y in S", "xy"),
        ("x in S V x = 3", "x"),
        ("3 = x", "x"),
        ("f(3) = x", "x"),
        ("S = x", ""),
        ("x < 3", ""),
        ("~(x in S)", ""),
        ("(x in S) & ((y = 2))", "xy"),
    ],
)
def test_names_are_bound_where_a_sentence_can_bind_them(text: str, names: str) -> None:
    assert candidates(read(text), new) == frozenset(names)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("x in S & x < 3", "x"),
        ("x < 3 & x in S", "x"),
        ("y = x + 1 & x in S", "xy"),
        ("x in S & y in f(x) & (x, y, z) in T", "xyz"),
        ("x = y & y in S", "xy"),
        ("x in S V (x in T & y = x)", None),
        ("x = 1 & y = 2 V y = 3 & x = 4", "xy"),
        ("x in {x}", None),
        ("x = x + 1", None),
        ("x + 1 = 3", None),
        ("x in S & {y | y in T} = {x}", "x"),
    ],
)
def test_parts_wait_for_the_names_that_they_need(text: str, names: str | None) -> None:
    unbound = frozenset("xyz") & names_in(read(text))

    assert binds_all(read(text), unbound) == (None if names is None else frozenset(names))


def test_what_an_inner_sentence_binds_is_not_needed_from_outside() -> None:
    wanted = frozenset("xyz")

    assert needs(read("{y | y in f(x)}"), wanted) == {"x"}
    assert needs(read("some x in y. x > z"), wanted) == {"y", "z"}
    assert needs(read("Sum[x in {1..y}] x"), wanted) == {"y"}


def test_conjunctions_are_taken_apart_through_brackets() -> None:
    assert len(conjuncts(read("a & (b & (c V d)) & e"))) == 4
