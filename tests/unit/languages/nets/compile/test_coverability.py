"""The search for growth, held against Karp and Miller's construction written plainly."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from zermelo.languages.nets.compile.coverability import Coverability, Firing, Status

Change = tuple[tuple[int, ...], tuple[int, ...]]
"""What a transition takes, and what it puts, place by place."""
OMEGA = float("inf")


def unlimited_places(initial: Sequence[int], transitions: Sequence[Change]) -> set[int] | None:
    """The places that the tree of Karp and Miller gives any number; ``None`` if it is large."""
    start = tuple(float(number) for number in initial)
    waiting: list[tuple[tuple[float, ...], ...]] = [(start,)]
    found: set[int] = set()
    looked_at = 0
    while waiting:
        branch = waiting.pop()
        looked_at += 1
        if looked_at > 3_000:
            return None
        here = branch[-1]
        found |= {at for at, number in enumerate(here) if number == OMEGA}
        if here in branch[:-1]:
            continue
        for taken, put in transitions:
            if all(number >= needed for number, needed in zip(here, taken, strict=True)):
                after = [n - t + p for n, t, p in zip(here, taken, put, strict=True)]
                for old in branch:
                    if all(o <= n for o, n in zip(old, after, strict=True)):
                        after = [OMEGA if n > o else n for o, n in zip(old, after, strict=True)]
                waiting.append((*branch, tuple(after)))
    return found


def firing(change: Change) -> Firing:
    taken, put = change
    return Firing(
        taken=tuple((at, number) for at, number in enumerate(taken) if number),
        change=tuple(
            (at, p - t) for at, (t, p) in enumerate(zip(taken, put, strict=True)) if p != t
        ),
    )


def random_net(seed: int) -> tuple[list[int], list[Change]]:
    lot = random.Random(seed)
    places = lot.randint(1, 4)
    weights = (0, 0, 0, 0, 1, 1, 1, 2)

    def bag() -> tuple[int, ...]:
        return tuple(lot.choice(weights) for _ in range(places))

    initial = [lot.choice((0, 0, 1, 1, 2, 3)) for _ in range(places)]
    return initial, [(bag(), bag()) for _ in range(lot.randint(1, 4))]


def to_the_end(search: Coverability) -> None:
    while not search.is_over:
        search.run(nodes=100_000, steps=10_000_000)


def fires(marking: Sequence[int], transitions: Sequence[Change], play: Sequence[int]) -> list[int]:
    now = list(marking)
    for number in play:
        taken, put = transitions[number]
        assert all(n >= t for n, t in zip(now, taken, strict=True)), "the firing is enabled"
        now = [n - t + p for n, t, p in zip(now, taken, put, strict=True)]
    return now


@pytest.mark.parametrize("part", range(4))
def test_the_same_places_are_unlimited_as_in_the_tree_of_karp_and_miller(part: int) -> None:
    unbounded = bounded = 0
    for seed in range(1_000 * part, 1_000 * part + 1_000):
        initial, transitions = random_net(seed)
        expected = unlimited_places(initial, transitions)
        if expected is None:
            continue
        search = Coverability(initial, [firing(each) for each in transitions])
        to_the_end(search)
        assert search.status is Status.DONE
        assert set(search.unlimited()) == expected, seed
        assert (search.growth is not None) == bool(expected), seed
        unbounded += bool(expected)
        bounded += not expected
    assert unbounded > 200
    assert bounded > 200


def test_what_shows_growth_can_be_fired_again_and_again() -> None:
    shown = 0
    for seed in range(4_000, 5_000):
        initial, transitions = random_net(seed)
        search = Coverability(initial, [firing(each) for each in transitions])
        search.run(nodes=10_000, steps=1_000_000)
        if search.growth is None:
            continue
        shown += 1
        found = search.growth
        before = fires(initial, transitions, found.play)
        after = fires(before, transitions, found.repeat)
        assert (tuple(before), tuple(after)) == (found.before, found.after)
        assert after != before
        for _ in range(3):
            assert all(o <= n for o, n in zip(before, after, strict=True))
            before, after = after, fires(after, transitions, found.repeat)
    assert shown > 200


def test_a_search_in_slices_finds_what_one_in_one_go_finds() -> None:
    for seed in range(300):
        initial, transitions = random_net(seed)
        firings = [firing(each) for each in transitions]
        whole, sliced = Coverability(initial, firings), Coverability(initial, firings)
        whole.run(nodes=500, steps=10**9)
        while sliced.growth is None and not sliced.is_over and sliced.nodes < 500:
            sliced.run(nodes=500, steps=3)
        assert (whole.growth, whole.nodes) == (sliced.growth, sliced.nodes), seed


def test_python_finds_what_compiled_code_finds() -> None:
    for seed in range(60):
        initial, transitions = random_net(seed)
        firings = [firing(each) for each in transitions]
        fast, slow = Coverability(initial, firings), Coverability(initial, firings, native=False)
        fast.run(nodes=40, steps=10_000)
        slow.run(nodes=40, steps=10_000)
        assert (fast.growth, fast.nodes, fast.steps) == (slow.growth, slow.nodes, slow.steps), seed


def test_growth_after_many_firings_is_found() -> None:
    # A counter runs down, and only then a place can be filled for ever.
    deep = 20_000
    transitions: list[Change] = [
        ((1, 0, 0, 0), (0, 1, 0, 0)),
        ((0, deep, 0, 0), (0, 0, 1, 0)),
        ((0, 0, 1, 0), (0, 0, 1, 1)),
    ]
    search = Coverability([deep, 0, 0, 0], [firing(each) for each in transitions])
    search.run(nodes=10**6, steps=10**9)
    assert search.growth is not None
    assert search.growth.repeat == (2,)
    assert len(search.growth.play) == deep + 1


def test_a_search_without_room_says_so() -> None:
    # Twelve switches and as many states as they have positions.
    many = 24
    transitions: list[Change] = []
    for at in range(0, many, 2):
        on, off = [0] * many, [0] * many
        on[at], off[at + 1] = 1, 1
        transitions += [(tuple(on), tuple(off)), (tuple(off), tuple(on))]
    firings = [firing(each) for each in transitions]
    search = Coverability([1, 0] * (many // 2), firings, most_bytes=100_000)
    to_the_end(search)
    assert search.status is Status.FULL
    assert search.growth is None
    whole = Coverability([1, 0] * (many // 2), firings)
    to_the_end(whole)
    assert (whole.status, whole.nodes) == (Status.DONE, 4096)


def test_a_place_with_more_tokens_than_are_counted_is_not_looked_at() -> None:
    search = Coverability([1 << 50], [Firing(taken=((0, 1),), change=((0, -1),))])
    assert search.run(nodes=10, steps=10) is Status.FULL
