"""Values as numbers: what they tell, their order, and how they change from move to move."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.engines.solve.codes import Coding, coding_for
from zermelo.engines.solve.values import ValueKind

CODINGS = [Coding(1), Coding(2), Coding(4)]
PLIES = st.integers(0, 61)


def each_way(coding: Coding) -> list[int]:
    """Codes from the worst to the best."""
    return [
        coding.code(ValueKind.LOSS, 0),
        coding.code(ValueKind.LOSS, 9),
        coding.code(ValueKind.ENDLESS),
        coding.code(ValueKind.DRAW, 9),
        coding.code(ValueKind.DRAW, 0),
        coding.code(ValueKind.WIN, 9),
        coding.code(ValueKind.WIN, 0),
    ]


@pytest.mark.parametrize("coding", CODINGS)
def test_codes_are_ordered_as_the_seeker_likes_them(coding: Coding) -> None:
    assert each_way(coding) == sorted(each_way(coding))


@pytest.mark.parametrize("coding", CODINGS)
def test_turned_round_wins_and_losses_change_places(coding: Coding) -> None:
    codes = np.array(each_way(coding), dtype=coding.dtype)

    told = [coding.decoded(int(code)) for code in coding.turned(codes)]

    assert told == [(kind.opposite, plies) for kind, plies in map(coding.decoded, map(int, codes))]
    assert (coding.turned(coding.turned(codes)) == codes).all()


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("kind", [ValueKind.LOSS, ValueKind.DRAW, ValueKind.WIN])
@given(plies=PLIES)
def test_one_move_earlier_every_distance_is_longer(
    coding: Coding, kind: ValueKind, plies: int
) -> None:
    codes = np.array([coding.code(kind, plies)], dtype=coding.dtype)

    assert coding.decoded(int(codes[0])) == (kind, plies)
    assert coding.decoded(int(coding.before(codes)[0])) == (kind, plies + 1)


@pytest.mark.parametrize("coding", CODINGS)
def test_play_without_end_stays_so(coding: Coding) -> None:
    codes = np.array([coding.endless], dtype=coding.dtype)

    assert coding.before(codes)[0] == coding.endless
    assert coding.decoded(coding.endless) == (ValueKind.ENDLESS, None)
    assert coding.decoded(coding.unknown) == (ValueKind.UNKNOWN, None)


@pytest.mark.parametrize("wider", CODINGS[1:])
@given(
    kind=st.sampled_from(
        [ValueKind.LOSS, ValueKind.DRAW, ValueKind.WIN, ValueKind.ENDLESS, ValueKind.UNKNOWN]
    ),
    plies=PLIES,
)
def test_wider_codes_tell_the_same(wider: Coding, kind: ValueKind, plies: int) -> None:
    narrow = Coding(1)
    codes = np.array([narrow.code(kind, plies)], dtype=narrow.dtype)

    widened = narrow.widened(codes, wider)

    assert widened.dtype == wider.dtype
    assert wider.decoded(int(widened[0])) == narrow.decoded(int(codes[0]))


def test_the_smallest_coding_that_suffices_is_taken() -> None:
    # 6 bits tell distances up to 63, 14 bits up to 16,383; one is left over.
    assert [coding_for(distance).size for distance in (0, 62, 63, 16_382, 16_383)] == [
        1,
        1,
        2,
        2,
        4,
    ]
