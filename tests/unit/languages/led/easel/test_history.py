"""What is kept of each frame."""

from zermelo.languages.led.easel.stage import Changes


def test_a_value_is_known_in_every_frame_until_it_changes() -> None:
    changes: Changes[str] = Changes()
    for frame, value in enumerate("aaabbc"):
        changes.put(frame, value)

    assert [changes.at(frame) for frame in range(6)] == list("aaabbc")
    assert changes.first == 0


def test_what_comes_after_a_frame_that_is_put_again_is_dropped() -> None:
    changes: Changes[str] = Changes()
    for frame, value in enumerate("abcd"):
        changes.put(frame, value)

    changes.put(2, "x")

    assert [changes.at(frame) for frame in range(4)] == ["a", "b", "x", "x"]


def test_the_oldest_changes_are_forgotten_when_there_are_too_many() -> None:
    changes: Changes[int] = Changes(most=100)
    for frame in range(1000):
        changes.put(frame, frame)

    assert 899 <= changes.first <= 925
    assert changes.at(999) == 999
    assert changes.at(changes.first) == changes.first


def test_large_values_are_forgotten_sooner() -> None:
    changes: Changes[int] = Changes(most_parts=100)
    for frame in range(20):
        changes.put(frame, frame, parts=30)

    assert changes.first >= 17


def test_one_value_is_kept_however_large_it_is() -> None:
    changes: Changes[str] = Changes(most_parts=10)
    changes.put(0, "small")

    changes.put(1, "large", parts=1000)

    assert changes.first == 1
    assert changes.at(5) == "large"
