"""Values of LED programs: kinds are apart, sets keep the order of their members."""

from fractions import Fraction

from zermelo.core.values import FALSE, TRUE, Atom, Value, sort_key, truth
from zermelo.languages.led.run.values import EMPTY, Arranged, Erroneous, Text, Undefined
from zermelo.text.source import Span


def test_a_set_keeps_the_order_in_which_its_members_came() -> None:
    assert list(Arranged([3, 1, 3, 2])) == [3, 1, 2]
    assert Arranged([3, 1]) == Arranged([1, 3]) == frozenset({1, 3})
    assert hash(Arranged([3, 1])) == hash(Arranged([1, 3]))


def test_a_set_of_different_members_is_made_as_it_stands() -> None:
    made = Arranged.of(dict.fromkeys([2, 1]))

    assert made.order == (2, 1)
    assert made == Arranged([1, 2])


def test_values_of_different_kinds_are_different() -> None:
    kinds: list[Value] = [
        1,
        TRUE,
        FALSE,
        Atom("a"),
        Text("a"),
        (1,),
        EMPTY,
        Arranged([1]),
        Fraction(1, 2),
    ]

    assert all((a == b) is (i == j) for i, a in enumerate(kinds) for j, b in enumerate(kinds))
    assert len(Arranged(kinds)) == len(kinds)


def test_truth_is_pythons_truth() -> None:
    assert [truth(each) for each in (True, False)] == [TRUE, FALSE]
    assert sorted([TRUE, FALSE], key=sort_key) == [FALSE, TRUE]


def test_an_undefined_value_keeps_the_innermost_place() -> None:
    fault = Undefined("nothing").at(Span(3, 4)).at(Span(0, 9))

    assert fault.span == Span(3, 4)
    assert str(Erroneous(fault.reason, fault.span)) == "ERRONEOUS VALUE"
