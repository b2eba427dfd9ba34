"""The words for what perfect play leads to."""

from zermelo.engines.solve.values import Forced, Kind, Value, agreed


def test_a_value_is_told_with_its_distance() -> None:
    assert str(Value(Kind.WIN, "A", 3)) == "win in 3"
    assert str(Value(Kind.ENDLESS)) == "endless"


def test_the_other_side_sees_the_opposite() -> None:
    assert [kind.opposite for kind in (Kind.WIN, Kind.LOSS, Kind.DRAW, Kind.ENDLESS)] == [
        Kind.LOSS,
        Kind.WIN,
        Kind.DRAW,
        Kind.ENDLESS,
    ]


def test_two_scorings_agree_on_what_is_the_same_in_both() -> None:
    one = Value(Kind.WIN, "A", 3, (Forced("A", Kind.WIN, 3), Forced("B", Kind.LOSS, 3)))
    two = Value(Kind.WIN, "A", 5, (Forced("A", Kind.WIN, 5), Forced("B", Kind.LOSS, 5)))

    both = agreed((("loses", one), ("draws", two)))

    assert (both.kind, both.winner, both.plies) == (Kind.WIN, "A", None)
    assert both.forced == (Forced("A", Kind.WIN, None), Forced("B", Kind.LOSS, None))
    assert both.scored == (("loses", one), ("draws", two))


def test_where_two_scorings_differ_nothing_is_known() -> None:
    one = Value(Kind.WIN, "A", 3, (Forced("A", Kind.WIN, 3),))
    two = Value(Kind.DRAW, None, 3, (Forced("A", Kind.DRAW, 3),))

    both = agreed((("loses", one), ("draws", two)))

    assert (both.kind, both.winner, both.plies) == (Kind.UNKNOWN, None, None)
    assert both.forced == (Forced("A", Kind.UNKNOWN),)
