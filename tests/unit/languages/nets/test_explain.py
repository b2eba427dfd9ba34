"""Nets in plain words, and what checking says of them."""

from tests.support import pnml as made
from tests.support.pnml import colour, cyclic, document, term, var
from tests.support.prod import BUFFER, PHILOSOPHERS
from tests.support.understood import net_of
from zermelo.api import loading, questions
from zermelo.languages.nets.explain import checked_lines, explain_net, sketch
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.languages.nets.words import Words
from zermelo.text.prose import plain_text


def _explained(text: str) -> str:
    machine = loading.load_text(text, name="some.net").machine
    assert isinstance(machine, TokenGame)
    return plain_text(explain_net(machine))


def test_places_transitions_and_invariants_are_told() -> None:
    said = _explained(PHILOSOPHERS)

    assert "A high-level net: 4 places and 3 transitions; 6 tokens at first." in said
    assert "thinking: numbers from <.1.> to <.3.>; at first <.1.> + <.2.> + <.3.>." in said
    assert (
        "right for any p takes <.p.> from hungry and <.p % 3 + 1.> from fork, and puts <.p.> "
        "into eating." in said
    )
    assert "The net is bounded" in said
    assert " = 3 in every marking." in said


COLOURED = document(
    made.coloured_place("p", "pair", term("tuple", colour("r"), made.everything("hue")))
    + made.coloured_place("q", "hue")
    + made.coloured_place("n", "small")
    + '<transition id="t"><condition><structure>'
    + term(
        "and",
        term("equality", term("successor", var("x")), var("x")),
        term("greaterthan", var("y"), colour("g")),
        term(
            "equality",
            f'<partitionelementof refpartition="heat"><subterm>{var("y")}</subterm>'
            "</partitionelementof>",
            colour("low"),
        ),
        term(
            "not",
            term(
                "inequality",
                colour("high"),
                f'<partitionelementof refpartition="heat"><subterm>{var("x")}</subterm>'
                "</partitionelementof>",
            ),
        ),
    )
    + "</structure></condition></transition>"
    + made.coloured_arc("p", "t", term("tuple", var("x"), term("predecessor", var("y"))))
    + made.coloured_arc("t", "p", term("tuple", colour("b"), made.everything("hue")))
    + made.coloured_arc("t", "q", term("subtract", made.everything("hue"), var("y")))
    + made.coloured_arc("t", "n", term("successor", term("successor", var("i"))))
    + made.declared(
        cyclic("hue", "r", "g", "b").replace('name="r"', 'name="red"'),
        '<namedsort id="pair" name="pair"><productsort><usersort declaration="hue"/>'
        '<usersort declaration="hue"/></productsort></namedsort>',
        '<namedsort id="small" name="small"><finiteintrange start="3" end="5"/></namedsort>',
        '<partition id="heat" name="heat"><usersort declaration="hue"/>'
        '<partitionelement id="low" name="cold"><useroperator declaration="b"/>'
        '</partitionelement><partitionelement id="high" name="warm">'
        '<useroperator declaration="r"/><useroperator declaration="g"/></partitionelement>'
        "</partition>",
        made.variable("x", "hue"),
        made.variable("y", "hue"),
        made.variable("i", "small"),
    ),
    "symmetricnet",
)


def test_colours_and_their_neighbours_and_groups_have_their_names() -> None:
    said = plain_text(explain_net(TokenGame(made.net(COLOURED))))

    assert (
        "t for any x among red … b, y among red … b and i in 3..5 takes <.x,y--1.> from p, and "
        "puts <.b,all.> into p, <.all.> − <.y.> into q and <.i++1++1.> into n." in said
    )
    assert "only if x++1 == x && y > g && y ∈ cold && !(x ∉ warm)" in said


def test_black_tokens_are_counted() -> None:
    said = _explained(BUFFER)

    assert "A place/transition net: 6 places and 4 transitions; 5 tokens at first." in said
    assert "free: black tokens; at first 3 tokens." in said
    assert "full: black tokens; at first empty." in said


def test_what_the_form_does_not_show_is_said() -> None:
    said = _explained("#place p\n#trans make\nout { p: <..>; }\n#endtr\n")

    assert "The form does not show that `p` cannot get ever more tokens" in said


def test_a_check_counts_markings_and_tells_of_the_stuck_ones() -> None:
    report = questions.check(loading.load_text(PHILOSOPHERS, name="some.net"))
    assert report.checkup is not None

    said = plain_text(checked_lines(net_of(report.game), report.checkup.space, is_in_spite=False))

    assert "14 markings and 27 firings, all that can be reached." in said
    assert "In 1 marking nothing is enabled; the first comes after 3 firings" in said


def test_a_sketch_has_the_marked_places() -> None:
    machine = loading.load_text(BUFFER, name="some.net").machine
    assert isinstance(machine, TokenGame)

    assert sketch(Words(machine.net), machine.initial) == ("3 free + p0 + c0",)


def test_of_many_firings_the_first_are_listed_and_the_others_counted() -> None:
    game = loading.load_text(
        "#place p lo(<.1.>) hi(<.35.>) mk(<.1..35.>)\n#trans t\nin { p: <.x.>; }\n#endtr\n",
        name="some.net",
    )
    assert game.model is not None

    said = plain_text(game.model.words.moves_in_lines(game.machine.initial) or ())

    assert "35 firings enabled:" in said
    assert "and 5 more" in said
