"""Tokens, markings and firings in words."""

from zermelo.core.state import Move, State
from zermelo.languages.nets.ir import Net, Place, Transition, Variable
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.words import Words, bag_text, token_text

LAMP = Place("lamp", 2, Bag(), (0, 5), (1, 9), (("red", "green"), None))
DARK = Place("dark", 0, Bag((((), 2),)))
NET = Net(
    "lamps",
    (LAMP, DARK),
    (
        Transition("switch", (Variable("c", 0, 1, ("red", "green")), Variable("n"))),
        Transition("wait"),
    ),
)
WORDS = Words(NET)


def test_colours_have_their_names_and_numbers_are_numbers() -> None:
    assert token_text((1, 7), LAMP) == "<.green,7.>"
    assert bag_text(Bag((((0, 5), 1), ((1, 5), 3))), LAMP) == "<.red,5.> + 3<.green,5.>"
    assert bag_text(Bag(), LAMP) == "empty"


def test_a_marking_lists_what_is_marked() -> None:
    marking = State((Bag(), Bag((((), 2),))), ("lamp", "dark"))

    assert WORDS.marking(marking) == "dark: 2<..>"
    assert WORDS.marking(State((Bag(), Bag()), ("lamp", "dark"))) == "no tokens"
    assert [text for _, text in WORDS.places(marking)] == ["empty", "2<..>"]


def test_a_firing_has_the_values_of_its_variables() -> None:
    assert WORDS.firing(Move("switch", (1, 4))) == "switch <c: green, n: 4>"
    assert WORDS.firing(Move("wait")) == "wait"
    assert WORDS.short(Move("switch", (1, 400_000))) == "switch <…>"


def test_long_firings_have_the_values_that_tell_them_apart() -> None:
    near, far = Move("switch", (1, 400_000)), Move("switch", (1, 700_000))

    assert WORDS.among([near, far, Move("wait")]) == [
        "switch <n: 400000>",
        "switch <n: 700000>",
        "wait",
    ]
    assert WORDS.among([near]) == ["switch"]
    assert WORDS.among([Move("switch", (1, 4))]) == ["switch <c: green, n: 4>"]


def test_what_is_no_firing_of_the_net_is_shown_as_it_is() -> None:
    assert WORDS.firing(Move("other", (1,))) == "other(1)"
