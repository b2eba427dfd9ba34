"""Ids of a PNML document are names as XML has them, and each belongs to one thing."""

from hypothesis import given
from hypothesis import strategies as st

from zermelo.languages.nets.ir import Net, Place
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.write.pnml import Ids, as_name, is_name

NAMES = st.text(st.sampled_from("ab1_-. :é·<\x00"), max_size=4)


def _ids(names: list[str]) -> list[str]:
    made = Ids(Net("n", tuple(Place(name, 0, Bag()) for name in names), ()))
    return [made.of("place", name) for name in names]


def test_good_ids_come_first() -> None:
    assert _ids(["a b", "a_b", "", "n", "-a"]) == ["a_b_2", "a_b", "_", "n", "_-a"]


def test_what_is_asked_again_is_the_same() -> None:
    made = Ids(Net("n", (), ()))

    assert [made.of("sort", 1, "n"), made.of("sort", 2, "n"), made.of("sort", 1, "m")] == [
        *("n_2", "n_3", "n_2")
    ]
    assert made.of("net", "") == "n"


@given(st.text())
def test_any_text_has_a_name(text: str) -> None:
    assert is_name(as_name(text))
    assert as_name(as_name(text)) == as_name(text)


@given(st.lists(NAMES, unique=True, max_size=6))
def test_ids_are_different_and_stay(names: list[str]) -> None:
    found = _ids(names)

    assert len(set(found)) == len(found)
    assert all(map(is_name, found))
    assert _ids(found) == found
    assert all(name == id_ for name, id_ in zip(names, found, strict=True) if is_name(name))
