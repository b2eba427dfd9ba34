"""The token game: which firings are enabled, and where they lead.

The counts of the three nets are those that were checked by hand and with Maria.
"""

import pytest

from tests.support.prod import BUFFER, PHILOSOPHERS, Counts, counts, machine, marking
from zermelo.core.machine import Ending, FaultKind
from zermelo.core.signature import Stuck
from zermelo.core.state import Move
from zermelo.languages.nets.explain import NetCommentary
from zermelo.languages.nets.ir import (
    Arc,
    Const,
    Interval,
    Net,
    Place,
    Term,
    Transition,
    Var,
    Variable,
)
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.text.errors import MoveNotAllowed, MoveNotUnderstood
from zermelo.text.prose import plain_text


def moves(text: str) -> list[str]:
    """The firings that are enabled at first, as they are printed."""
    game = machine(text)
    return list(map(str, game.legal(game.initial)))


def test_a_bounded_buffer_has_16_nodes_and_28_arcs() -> None:
    assert counts(machine(BUFFER)) == Counts(16, 28, 0, 0)


def test_three_philosophers_have_14_nodes_27_arcs_and_one_deadlock() -> None:
    assert counts(machine(PHILOSOPHERS)) == Counts(14, 27, 1, 0)


def test_a_state_is_one_bag_for_each_place() -> None:
    game = machine(PHILOSOPHERS)

    state = game.after(game.initial, Move("left", (2,)))

    assert marking(state) == {
        "thinking": "<.1.> + <.3.>",
        "hungry": "<.2.>",
        "fork": "<.1.> + <.3.>",
    }
    assert state["eating"] == Bag()


def test_a_variable_on_two_inputs_takes_one_value() -> None:
    text = """
    #place p mk(<.1,2.> + <.1,3.> + <.2,2.>)
    #place q mk(<.2,7.> + <.3,8.>)
    #trans t
    in { p: <.x,y.>; q: <.y,z.>; }
    #endtr
    """

    assert moves(text) == ["t(1, 2, 7)", "t(1, 3, 8)", "t(2, 2, 7)"]


def test_a_variable_twice_in_one_tuple_asks_for_equal_components() -> None:
    text = "#place p mk(<.1,2.> + <.2,2.>)\n#trans t\nin { p: <.x,x.>; }\n#endtr"

    assert moves(text) == ["t(2)"]


def test_several_terms_take_several_tokens() -> None:
    text = "#place p mk(2<.1.> + <.2.>)\n#trans t\nin { p: <.x.> + <.y.>; }\n#endtr"

    assert moves(text) == ["t(1, 1)", "t(1, 2)", "t(2, 1)"]


def test_two_arcs_from_one_place_take_the_sum() -> None:
    text = "#place p mk(<.1.>)\n#trans t\nin { p: <.x.>; p: <.y.>; }\n#endtr"

    assert moves(text) == []


def test_a_multiplicity_may_be_computed_and_may_be_zero() -> None:
    text = """
    #place p mk(3<.1.> + <.2.>)
    #place n mk(<.0.> + <.2.>)
    #trans t
    in { p: (k)<.x.> + <.x.>; n: <.k.>; }
    #endtr
    """

    # Of 1 there are three, so k + 1 may be 1 or 3; of 2 there is one.
    assert moves(text) == ["t(0, 1)", "t(0, 2)", "t(2, 1)"]


def test_a_negative_multiplicity_disables() -> None:
    text = (
        "#place p mk(<.1.> + <.3.>)\n#place q\n#trans t\n"
        "in { p: <.x.>; }\nout { q: (2 - x)<..>; }\n#endtr"
    )

    assert moves(text) == ["t(1)"]


def test_an_interval_on_an_input_asks_for_all_its_tokens() -> None:
    text = (
        "#place p mk(<.1..3.>)\n#place n mk(<.2..4.>)\n#trans t\n"
        "in { p: <.1..k.>; n: <.k.>; }\n#endtr"
    )

    assert moves(text) == ["t(2)", "t(3)"]


def test_gates_are_a_conjunction() -> None:
    text = (
        "#place p mk(<.1..6.>)\n#trans t\nin { p: <.x.>; }\ngate x % 2 == 0;\ngate x > 2;\n#endtr"
    )

    assert moves(text) == ["t(4)", "t(6)"]


def test_a_let_gives_values_and_restricts_them() -> None:
    text = """
    #place p mk(<.1.> + <.2.> + <.3.>)
    #trans t
    let <.x, y.> <= <.1, 5.> + <.3, 6..7.> + 0<.2, 8.>;
    in { p: <.x.>; }
    #endtr
    """

    assert moves(text) == ["t(1, 5)", "t(3, 6)", "t(3, 7)"]


def test_a_let_may_use_what_another_gives() -> None:
    text = (
        "#place p mk(<..>)\n#trans t\nlet <.y.> <= <.x.> + <.x+1.>;\n"
        "let <.x.> <= <.1.> + <.5.>;\nin { p: <..>; }\n#endtr"
    )

    assert moves(text) == ["t(1, 1)", "t(2, 1)", "t(5, 5)", "t(6, 5)"]


def test_a_firing_that_changes_nothing_is_a_firing() -> None:
    game = machine("#place p mk(<..>)\n#trans t\nin { p: <..>; }\nout { p: <..>; }\n#endtr")

    assert counts(game) == Counts(1, 1, 0, 1)
    turn = game.turn(game.initial, Move("t"))
    assert turn.after == game.initial
    assert turn.has_effect


def test_a_transition_without_inputs_is_always_enabled() -> None:
    game = machine("#place p\n#trans t\nout { p: <..>; }\n#endtr")

    state = game.after(game.after(game.initial, Move("t")), Move("t"))

    assert marking(state) == {"p": "2<..>"}


def test_where_nothing_is_enabled_the_net_is_stuck() -> None:
    game = machine("#place p\n#trans t\nin { p: <..>; }\n#endtr")

    outcome = game.outcome(game.initial)

    assert outcome is not None
    assert outcome.ending is Ending.STUCK
    assert not game.is_over(game.initial)
    assert game.player(game.initial) is None
    assert game.signature.stuck is Stuck.REPORTED


def test_a_token_outside_the_bounds_is_a_fault_that_names_place_token_and_firing() -> None:
    game = machine(
        "#place p lo(<.0.>) hi(<.2.>) mk(<.1..2.>)\n#trans up\n"
        "in { p: <.x.>; }\nout { p: <.x+1.>; }\n#endtr"
    )

    [(move, fault)] = game.faults(game.initial).items()

    assert str(move) == "up(2)"
    assert fault.kind is FaultKind.OUTSIDE
    assert fault.message == "up(2) puts <.3.> into `p`, where `lo` is <.0.> and `hi` is <.2.>"
    assert list(map(str, game.legal(game.initial))) == ["up(1)"]


def test_a_fault_counts_only_where_nothing_else_disables_the_firing() -> None:
    game = machine(
        "#place p mk(<.0..2.>)\n#place q\n"
        "#trans guarded\nin { p: <.x.>; }\nout { q: <.6/x.>; }\n"
        "gate 6 / x > 1;\ngate x > 0;\n#endtr\n"
        "#trans open\nin { p: <.x.>; }\nout { q: <.6/x.>; }\n#endtr\n"
    )

    assert list(map(str, game.legal(game.initial))) == [
        "guarded(1)",
        "guarded(2)",
        "open(1)",
        "open(2)",
    ]
    assert {str(move): fault.message for move, fault in game.faults(game.initial).items()} == {
        "open(0)": "6 / 0 is a division by 0"
    }


def test_a_variable_of_a_finite_sort_that_no_input_binds_takes_all_its_values() -> None:
    black = Term(Const(1), ())
    transition = Transition(
        "t",
        (Variable("x", 1, 3),),
        (Arc("p", (black,)),),
        (Arc("q", (Term(Const(1), (Var("x"),)),)),),
    )
    places = (Place("p", 0, Bag((((), 1),))), Place("q", 1, Bag()))

    game = TokenGame(Net("n", places, (transition,)))

    assert list(map(str, game.legal(game.initial))) == ["t(1)", "t(2)", "t(3)"]


def test_a_sum_with_a_negative_number_of_a_token_disables() -> None:
    # all the colours but x, of which there are 1 to 3; only the token 2 is missing
    all_but = Arc(
        "p", (Term(Const(1), (Interval(Const(1), Const(3)),)), Term(Const(-1), (Var("x"),)))
    )
    places = (Place("p", 1, Bag((((1,), 1), ((3,), 1)))), Place("q", 1, Bag()))
    transition = Transition("t", (Variable("x", 0, 3),), (all_but,))

    game = TokenGame(Net("n", places, (transition,)))

    assert list(map(str, game.legal(game.initial))) == ["t(2)"]


def test_a_move_that_is_not_enabled_is_refused() -> None:
    game = machine(PHILOSOPHERS)

    with pytest.raises(MoveNotAllowed, match="not enabled"):
        game.after(game.initial, Move("right", (1,)))
    with pytest.raises(MoveNotUnderstood):
        game.after(game.initial, Move("left"))
    assert game.turn(game.initial, Move("right", (1,))).after is None


def test_a_turn_tells_the_values_of_the_variables_and_the_places_that_change() -> None:
    game = machine(PHILOSOPHERS)

    turn = game.turn(game.initial, Move("left", (2,)))

    told = plain_text(tuple(NetCommentary(game).steps(turn))).splitlines()
    assert told[0] == "p = 2"
    assert [line.split()[1] for line in told[1:]] == ["thinking", "hungry", "fork"]


def test_the_signature_lists_places_and_transitions() -> None:
    signature = machine(PHILOSOPHERS).signature

    assert signature.variables == ("thinking", "hungry", "eating", "fork")
    assert [(each.name, [p.name for p in each.parameters]) for each in signature.moves] == [
        ("left", ["p"]),
        ("right", ["p"]),
        ("finish", ["p"]),
    ]
