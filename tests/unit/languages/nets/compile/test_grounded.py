"""Firings that are the same in every marking: written out, and in tables."""

from __future__ import annotations

from unittest import mock

from tests.support.net_agreement import agree
from zermelo.api.engines import AllEngines
from zermelo.languages.nets.compile import emit
from zermelo.languages.nets.compile.kernel import NetKernel, kernel
from zermelo.languages.nets.ir import Arc, Const, Net, Place, Term, Transition, Var, Variable
from zermelo.languages.nets.model import NetModel
from zermelo.languages.nets.questions import state_space
from zermelo.languages.nets.run import ground
from zermelo.languages.nets.run.bags import Bag


def arc(place: str, count: int = 1) -> Arc:
    return Arc(place, (Term(Const(count), ()),))


def ring(size: int, tokens: int) -> Net:
    """Tokens that go around."""
    places = tuple(
        Place(f"p{at}", 0, Bag((((), tokens),)) if at == 0 else Bag()) for at in range(size)
    )
    transitions = tuple(
        Transition(f"t{at}", inputs=(arc(f"p{at}"),), outputs=(arc(f"p{(at + 1) % size}"),))
        for at in range(size)
    )
    return Net("ring", places, transitions)


def test_many_transitions_are_fired_from_a_table() -> None:
    net = ring(200, 2)
    made = kernel(net)
    assert isinstance(made, NetKernel)
    assert "fire_plain" in made.source

    found = state_space(NetModel(net), AllEngines())

    # C(201, 2) ways to share two tokens out; each has one firing for each place with tokens
    assert (found.states, found.arcs) == (20100, 200 + 2 * 19900)


def test_weights_loops_and_rooms_that_grow_are_as_the_token_game_has_them() -> None:
    net = Net(
        "weights",
        (Place("a", 0, Bag((((), 5),))), Place("b", 0, Bag())),
        (
            Transition("test", inputs=(arc("a", 2),), outputs=(arc("a", 2),)),
            Transition("more", inputs=(arc("a", 3),), outputs=(arc("b", 6), arc("a"))),
            Transition("much", outputs=(arc("b", 1000),)),
            Transition("none", inputs=(arc("b", 0),), outputs=(arc("a", 0),)),
        ),
    )
    with mock.patch.object(emit, "MOST_WRITTEN", 0):
        assert agree(net)
        assert agree(net, compiled=True)


def coloured(size: int) -> Net:
    """Tokens of so many colours that swap places with black ones."""
    colours = tuple((colour,) for colour in range(size))
    around = Term(Const(1), (Var("x"),))
    return Net(
        "coloured",
        (
            Place("a", 1, Bag(tuple((each, 1) for each in colours)), (0,), (size - 1,)),
            Place("b", 1, Bag(), (0,), (size - 1,)),
            Place("c", 0, Bag((((), 2),))),
        ),
        (
            Transition(
                "over",
                (Variable("x"),),
                inputs=(Arc("a", (around,)), arc("c")),
                outputs=(Arc("b", (around,)),),
            ),
            Transition(
                "back",
                (Variable("x"),),
                inputs=(Arc("b", (around,)),),
                outputs=(Arc("a", (around,)), arc("c")),
            ),
        ),
    )


def test_firings_of_colours_are_written_out_without_a_branch() -> None:
    net = coloured(20)
    made = kernel(net)
    assert isinstance(made, NetKernel)
    assert "if" not in made.source[made.source.index("def fire_short") :].split("return n")[0]
    assert made.words == 1

    found = state_space(NetModel(net), AllEngines())

    # at most 2 of 20 are in b: 1 + 20 + 190 markings
    assert (found.states, found.arcs) == (211, 20 + 20 * 20 + 190 * 2)
    assert (found.most_in_a_place, found.most_in_a_marking) == (20, 22)


def test_markings_of_many_words_are_fired_with_a_branch() -> None:
    net = coloured(100)

    assert agree(net, compiled=True)


def test_places_that_may_be_too_small_are_looked_at_first() -> None:
    net = Net(
        "growing",
        (Place("a", 0, Bag((((), 1),))), Place("b", 0, Bag())),
        (Transition("more", inputs=(arc("a"),), outputs=(arc("a"), arc("b", 3))),),
    )

    assert agree(net, compiled=True)


def test_many_transitions_stay_in_a_table_however_few_bindings_are_written_out() -> None:
    with mock.patch.object(ground, "MOST_BINDINGS", 1):
        made = kernel(ring(201, 2), compiled=False)

    assert isinstance(made, NetKernel)
    assert "fire_plain" in made.source
    assert "def fire_0" not in made.source


def test_firings_that_need_the_same_place_are_passed_over_together() -> None:
    places = tuple(Place(f"p{at}", 0, Bag((((), 2),)) if at == 0 else Bag()) for at in range(50))
    transitions = tuple(
        Transition(f"t{at}_{to}", inputs=(arc(f"p{at}"),), outputs=(arc(f"p{to}"),))
        for at in range(50)
        for to in ((at + 1) % 50, (at + 7) % 50, (at + 20) % 50, (at + 33) % 50)
    )
    net = Net("steps", places, (*transitions, Transition("none"), Transition("rest")))

    made = kernel(net)
    assert isinstance(made, NetKernel)

    found = state_space(NetModel(net), AllEngines())

    # two tokens in 50 places: 50 · 51 / 2 markings; 4 steps from each place with a token, and
    # two transitions that are always enabled
    assert (found.states, found.arcs) == (1275, 50 * 4 + 1225 * 8 + 2 * 1275)
    assert agree(net)


def test_counters_of_a_whole_word_are_refused() -> None:
    net = Net(
        "wide",
        (Place("a", 0, Bag((((), 1 << 62),))), Place("b", 0, Bag())),
        (Transition("more", inputs=(arc("a"),), outputs=(arc("b", 4),)),),
    )

    assert kernel(net) == "the tokens of `b` are too many to be counted in a word"
