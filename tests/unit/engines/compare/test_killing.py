"""Few plays that tell a model from its misreadings: exact, and called least only when proved."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tests.support.small_documents import heap_text
from zermelo.api import loading
from zermelo.core.state import Move
from zermelo.engines.compare.killing import cover, distinct, needs, tells_apart

ONE, TWO = Move("Take", (1,)), Move("Take", (2,))


def _fewest(killed: list[frozenset[int]]) -> int:
    """How many are needed, by trying all choices of them."""
    every = frozenset().union(*killed)
    return next(
        size
        for size in range(len(killed) + 1)
        for chosen in combinations(killed, size)
        if frozenset().union(*chosen) == every
    )


@given(st.lists(st.frozensets(st.integers(0, 9), max_size=5), max_size=8))
def test_a_cover_kills_all_and_no_fewer_plays_do(killed: list[frozenset[int]]) -> None:
    found = cover(killed)

    every: frozenset[int] = frozenset().union(*killed)
    assert frozenset().union(*(killed[at] for at in found.plays)) == every
    assert found.is_least
    assert len(found.plays) == _fewest(killed)


def test_a_play_that_another_begins_with_is_left_out() -> None:
    assert distinct([(ONE,), (ONE, TWO), (TWO,), (ONE, TWO)]) == ((ONE, TWO), (TWO,))


def test_a_play_tells_apart_by_what_is_legal_who_is_in_turn_and_how_it_ends() -> None:
    reading = "Reading\n  players: first when first, second when ¬first\n"
    text = heap_text(3) + reading
    heap = loading.load_text(text).machine
    strict = loading.load_text(text.replace("n ≤ heap →", "n < heap →")).machine
    turned = loading.load_text(text.replace("first = ¬first", "first = (n = 1)")).machine
    lost = loading.load_text(
        text.replace("over ∧ first → result = second", "over ∧ first → result = first")
    ).machine

    assert not tells_apart(heap, heap, (ONE, TWO))
    assert tells_apart(heap, strict, (ONE, TWO))
    assert tells_apart(heap, turned, (ONE,))
    assert tells_apart(heap, lost, (ONE, TWO))
    assert not tells_apart(heap, lost, (ONE, ONE, ONE))
    # What both refuse ends the play.
    assert not tells_apart(heap, strict, (Move("Take", (7,)), ONE, TWO))


def test_two_plays_are_needed_where_no_play_ends_both_ways() -> None:
    text = heap_text(3)
    heap = loading.load_text(text).machine
    no_first = loading.load_text(text.replace("over ∧ ¬first → result = first wins", "")).machine
    no_second = loading.load_text(text.replace("over ∧ first → result = second wins", "")).machine
    strict = loading.load_text(text.replace("n ≤ heap →", "n < heap →")).machine
    killed = [frozenset({0}), frozenset({1})]

    assert needs(2, heap, {0: no_first, 1: no_second}, killed)
    # One play does for these two: `1, 1, 1` takes the last one, which the other refuses.
    assert not needs(2, heap, {0: no_first, 1: strict}, killed)
    assert needs(1, heap, {0: no_first}, killed)
