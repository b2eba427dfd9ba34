"""The words for what perfect play leads to."""

from zermelo.engines.solve.values import ForcedValue, Value, ValueKind, agreed


def test_a_value_is_told_with_its_distance() -> None:
    assert str(Value(ValueKind.WIN, "A", 3)) == "win in 3"
    assert str(Value(ValueKind.ENDLESS)) == "endless"


def test_the_other_side_sees_the_opposite() -> None:
    assert [
        kind.opposite for kind in (ValueKind.WIN, ValueKind.LOSS, ValueKind.DRAW, ValueKind.ENDLESS)
    ] == [
        ValueKind.LOSS,
        ValueKind.WIN,
        ValueKind.DRAW,
        ValueKind.ENDLESS,
    ]


def test_two_scorings_agree_on_what_is_the_same_in_both() -> None:
    one = Value(
        ValueKind.WIN,
        "A",
        3,
        (ForcedValue("A", ValueKind.WIN, 3), ForcedValue("B", ValueKind.LOSS, 3)),
    )
    two = Value(
        ValueKind.WIN,
        "A",
        5,
        (ForcedValue("A", ValueKind.WIN, 5), ForcedValue("B", ValueKind.LOSS, 5)),
    )

    both = agreed((("loses", one), ("draws", two)))

    assert (both.kind, both.winner, both.plies) == (ValueKind.WIN, "A", None)
    assert both.forced == (
        ForcedValue("A", ValueKind.WIN, None),
        ForcedValue("B", ValueKind.LOSS, None),
    )
    assert both.scored == (("loses", one), ("draws", two))


def test_where_two_scorings_differ_nothing_is_known() -> None:
    one = Value(ValueKind.WIN, "A", 3, (ForcedValue("A", ValueKind.WIN, 3),))
    two = Value(ValueKind.DRAW, None, 3, (ForcedValue("A", ValueKind.DRAW, 3),))

    both = agreed((("loses", one), ("draws", two)))

    assert (both.kind, both.winner, both.plies) == (ValueKind.UNKNOWN, None, None)
    assert both.forced == (ForcedValue("A", ValueKind.UNKNOWN),)
