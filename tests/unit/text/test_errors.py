"""Names nearly right are found, and found the same way one by one and among many."""

from random import Random

import pytest

from zermelo.text.budget import budget, similar
from zermelo.text.errors import SimilarNames, nearest


@pytest.mark.parametrize("seed", range(20))
def test_the_nearest_of_many_names_are_those_found_one_by_one(seed: int) -> None:
    chance = Random(seed)
    lengths = (1, 2, 3, 5, 8, 23, 24, 25, 26, 27)
    letters = "abAB"[: chance.randint(1, 4)]
    names = ["".join(chance.choices(letters, k=chance.choice(lengths))) for _ in range(60)]
    known = SimilarNames(names)

    for name in [*names, *(each[1:] + "b" for each in names)]:
        assert known.nearest(name) == nearest(name, names)


def test_many_unknown_names_among_many_known_ones_take_steps_for_both_and_not_for_each_pair() -> (
    None
):
    def steps(count: int) -> int:
        known = SimilarNames(f"known{number * 7919 % 99_991:05}" for number in range(count))
        with budget() as spent:
            for number in range(count):
                similar(f"other{number * 6101 % 99_991:05}", known)
        return spent.spent

    assert steps(200) < 3 * steps(100)


def test_the_same_names_are_sorted_once() -> None:
    known = SimilarNames(("one", "two"))

    assert known.over(("one", "two")) is known
    assert known.over(("one", "three")).nearest("thre") == ("three",)
