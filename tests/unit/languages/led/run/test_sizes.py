"""How large values are."""

from zermelo.core.values import TRUE, Atom, Value
from zermelo.languages.led.run.values import Arranged, Text, size


def test_sets_tuples_and_their_parts_count_one_each() -> None:
    moves = Arranged([(Atom("x"), 1), (Atom("o"), 5)])

    assert size(moves, most=100) == 7
    assert size(TRUE, most=100) == 1
    assert size(3, most=100) == 1


def test_long_numbers_and_texts_count_more() -> None:
    # 1000 bits are 15 words of 64 bits, 80 letters are 10 words of 8.
    assert size(2**1000, most=100) == 16
    assert size(Text("a" * 80), most=100) == 11


def test_counting_stops_just_beyond_the_limit() -> None:
    doubled: Value = (1, 1)
    for _ in range(200):
        doubled = (doubled, doubled)

    assert size(doubled, most=1000) == 1001
    assert size(tuple(range(5000)), most=1000) == 1001
