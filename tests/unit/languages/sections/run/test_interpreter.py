"""Turns, legality, flags, stuck players and outcomes: the rulings, one a test."""

from __future__ import annotations

import pytest

from tests.support.systems import (
    EMPTY,
    FALSE,
    NATURAL,
    TRUE,
    TRUTHS,
    both,
    braces,
    countdown,
    defined,
    end,
    eq,
    flag,
    flags,
    ge,
    helper,
    le,
    lit,
    loc,
    lt,
    minus,
    move,
    named_set,
    no,
    numbers,
    parameters,
    plus,
    ref,
    rule,
    set_,
    squares,
    stored,
    system,
)
from zermelo.core.machine import Ending, FaultKind, Outcome
from zermelo.core.signature import Stuck
from zermelo.core.state import NO_EFFECT_MOVE, PASS_MOVE, Move, State
from zermelo.core.values import UNSET, Atom, truth
from zermelo.languages.sections.ir import (
    Binary,
    Call,
    Expr,
    NoEffect,
    Op,
    PlayerRule,
    PowerSet,
    ProcedureRole,
    System,
)
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.run.procedures import CallEvent, RuleEvent
from zermelo.text.errors import MoveNotAllowed, MoveNotUnderstood
from zermelo.text.source import Span

TAKE_ONE = Move("Take", (1,))
TAKE_TWO = Move("Take", (2,))


def play(machine: Interpreter, *moves: Move) -> State:
    state = machine.initial
    for at in moves:
        state = machine.after(state, at)
    return state


def reached(machine: Interpreter) -> dict[State, Outcome | None]:
    found: dict[State, Outcome | None] = {}
    waiting = [machine.initial]
    while waiting:
        state = waiting.pop()
        if state not in found:
            found[state] = machine.outcome(state)
            waiting.extend(machine.after(state, at) for at in machine.legal(state))
    return found


# Turns


def test_the_first_state_has_the_first_values_in_the_order_of_the_variables() -> None:
    assert str(Interpreter(countdown()).initial) == "heap = 5, turn = true, result = unset"


def test_first_values_may_be_given_by_those_of_others() -> None:
    machine = Interpreter(
        system(
            stored("a", NATURAL, plus(ref("b"), lit(1))),
            stored("b", NATURAL, ref("c")),
            defined("c", lit(6)),
        )
    )

    assert str(machine.initial) == "a = 7, b = 6"


def test_a_first_value_with_a_fault_leaves_the_variable_unset_and_is_told() -> None:
    machine = Interpreter(system(stored("a", NATURAL, Binary(Op.DIVIDE, lit(1), lit(0)))))

    assert machine.initial["a"] is UNSET
    assert [fault.kind for fault in machine.initial_faults] == [FaultKind.UNDEFINED]


def test_a_move_is_legal_when_its_procedure_changes_a_stored_variable() -> None:
    machine = Interpreter(countdown(heap=3))
    last = play(machine, TAKE_TWO)

    assert machine.legal(machine.initial) == (TAKE_ONE, TAKE_TWO)
    assert machine.legal(last) == (TAKE_ONE,)


def test_the_end_is_called_after_a_legal_move() -> None:
    state = play(Interpreter(countdown(heap=2)), TAKE_TWO)

    assert str(state) == "heap = 0, turn = false, result = A wins"


def test_legality_is_decided_before_the_end_runs() -> None:
    """The end changes ``n`` whatever the move did; an input that does nothing is no move."""
    machine = Interpreter(
        system(
            stored("on", TRUTHS, FALSE),
            stored("n", NATURAL, lit(0)),
            move("Set", parameters(b=TRUTHS), rule("1", loc("b"), set_("on", TRUE))),
            end(set_("n", plus(ref("n"), lit(1)))),
        )
    )

    assert machine.legal(machine.initial) == (Move("Set", (True,)),)
    assert machine.turn(machine.initial, Move("Set", (truth(holds=False),))).has_effect is False
    assert machine.turn(machine.initial, Move("Set", (truth(holds=False),))).after is None


def test_no_move_is_legal_in_a_state_that_is_over() -> None:
    machine = Interpreter(countdown(heap=2))
    over = play(machine, TAKE_TWO)

    assert machine.legal(over) == ()
    with pytest.raises(MoveNotAllowed, match="the play is over"):
        machine.after(over, TAKE_ONE)


def test_the_end_is_not_called_on_the_first_state() -> None:
    machine = Interpreter(
        system(stored("n", NATURAL, lit(0)), end(set_("n", lit(1))), over=eq(ref("n"), lit(0)))
    )

    assert str(machine.initial) == "n = 0"
    assert machine.outcome(machine.initial) == Outcome(Ending.OVER)


def test_a_move_without_parameters_is_called_with_none() -> None:
    machine = Interpreter(
        system(
            stored("turn", TRUTHS, TRUE),
            move("Pass", (), set_("turn", no(ref("turn")))),
        )
    )

    assert machine.legal(machine.initial) == (Move("Pass"),)


def test_legal_moves_are_in_canonical_order() -> None:
    machine = Interpreter(squares())

    assert list(map(str, machine.legal(machine.initial))) == [
        "Take((1, 1))",
        "Take((1, 2))",
        "Take((2, 1))",
        "Take((2, 2))",
    ]


def test_a_move_that_has_no_effect_is_not_allowed() -> None:
    machine = Interpreter(countdown(heap=1))

    with pytest.raises(MoveNotAllowed, match=r"Take\(2\) is not allowed: it has no effect here"):
        machine.after(machine.initial, TAKE_TWO)


def test_an_argument_outside_its_set_is_told_and_nothing_is_called() -> None:
    machine = Interpreter(countdown())

    turn = machine.turn(machine.initial, Move("Take", (3,)))

    assert turn.after is None
    assert turn.events == (
        CallEvent("Take", (("n", 3),), skipped="`n` is 3, which is not in {1..2}"),
    )


@pytest.mark.parametrize("unknown", [Move("Give", (1,)), Move("Take"), Move("Take", (1, 2))])
def test_what_is_no_move_of_the_system_is_not_understood(unknown: Move) -> None:
    machine = Interpreter(countdown())

    with pytest.raises(MoveNotUnderstood):
        machine.turn(machine.initial, unknown)


def test_every_state_of_a_whole_game_is_reached() -> None:
    outcomes = [str(outcome) for outcome in reached(Interpreter(squares())).values() if outcome]

    assert len(reached(Interpreter(squares()))) == 33
    assert sorted(outcomes) == ["draw"] * 4 + ["ex wins"] * 4


# Flags


def test_a_flag_starts_every_turn_at_its_first_value_and_is_no_part_of_the_state() -> None:
    machine = Interpreter(flags())

    assert machine.initial.names == ("at",)
    assert machine.legal(machine.initial) == (Move("Step", (1, 2)),)
    assert str(play(machine, Move("Step", (1, 2)), Move("Step", (2, 3)))) == "at = 3"


def test_an_input_that_changes_only_flags_is_no_move() -> None:
    machine = Interpreter(
        system(
            stored("n", NATURAL, lit(0)),
            flag("ok"),
            move("Set", parameters(b=TRUTHS), set_("ok", loc("b"))),
        )
    )

    assert machine.legal(machine.initial) == ()


def test_the_end_sees_the_flags_as_the_move_left_them() -> None:
    machine = Interpreter(
        system(
            stored("n", NATURAL, lit(0)),
            stored("seen", TRUTHS, FALSE),
            flag("ok"),
            move("Go", (), set_("n", plus(ref("n"), lit(1))), set_("ok", TRUE)),
            end(set_("seen", ref("ok"))),
        )
    )

    assert str(play(machine, Move("Go"))) == "n = 1, seen = true"


def test_a_flag_that_is_kept_is_part_of_the_state() -> None:
    machine = Interpreter(
        system(stored("ok", TRUTHS, FALSE), move("Set", (), set_("ok", TRUE))),
    )

    assert str(play(machine, Move("Set"))) == "ok = true"


# Values outside their sets


def grower(domain: Expr) -> System:
    return system(
        stored("n", domain, lit(0)),
        stored("last", NATURAL, lit(0)),
        move(
            "Add",
            parameters(k=numbers(1, 3)),
            rule("1", TRUE, set_("n", plus(ref("n"), loc("k"))), set_("last", loc("k"))),
        ),
    )


def test_a_turn_that_takes_a_variable_out_of_its_set_is_not_made() -> None:
    machine = Interpreter(grower(numbers(0, 2)))

    assert machine.legal(machine.initial) == (Move("Add", (1,)), Move("Add", (2,)))
    fault = machine.faults(machine.initial)[Move("Add", (3,))]
    assert (fault.kind, fault.message, fault.procedure, fault.rule) == (
        FaultKind.OUTSIDE,
        "`n` is 3, which is not in {0..2}",
        "Add",
        "1",
    )
    with pytest.raises(MoveNotAllowed, match="which is not in"):
        machine.after(machine.initial, Move("Add", (3,)))


def test_a_set_outside_its_set_is_told_as_a_subset() -> None:
    machine = Interpreter(
        system(
            named_set("P", numbers(1, 2)),
            stored("s", PowerSet(ref("P")), EMPTY),
            move("Go", (), set_("s", braces(lit(3)))),
        )
    )

    (fault,) = machine.faults(machine.initial).values()
    assert fault.message == "`s` is {3}, which is not a subset of P"


def test_only_changed_variables_are_held_to_their_sets() -> None:
    """``moves`` starts outside its set; the first move brings it inside."""
    machine = Interpreter(
        system(
            stored("moves", numbers(1, 9), lit(0)),
            stored("other", NATURAL, lit(0)),
            move("Count", (), set_("moves", plus(ref("moves"), lit(1)))),
            move("Other", (), set_("other", lit(1))),
        )
    )

    assert machine.legal(machine.initial) == (Move("Count"), Move("Other"))


def test_a_value_that_the_end_takes_out_of_its_set_stops_the_turn() -> None:
    machine = Interpreter(
        system(
            stored("a", NATURAL, lit(0)),
            stored("b", numbers(0, 1), lit(0)),
            move("Go", (), set_("a", lit(1))),
            end(rule("7", TRUE, set_("b", lit(2)))),
        )
    )

    (fault,) = machine.faults(machine.initial).values()
    assert (fault.kind, fault.procedure, fault.rule) == (FaultKind.OUTSIDE, "End", "7")
    assert machine.legal(machine.initial) == ()


def test_an_undefined_expression_stops_the_turn_and_names_the_rule() -> None:
    quotient = Binary(Op.DIVIDE, lit(6), loc("k"), span=Span(12, 17))
    machine = Interpreter(
        system(
            stored("n", NATURAL, lit(0)),
            move("Divide", parameters(k=numbers(0, 1)), rule("1", TRUE, set_("n", quotient))),
        )
    )

    turn = machine.turn(machine.initial, Move("Divide", (0,)))

    assert turn.after is None
    assert turn.fault is not None
    assert (turn.fault.kind, turn.fault.procedure, turn.fault.rule, turn.fault.span) == (
        FaultKind.UNDEFINED,
        "Divide",
        "1",
        quotient.span,
    )
    assert machine.legal(machine.initial) == (Move("Divide", (1,)),)


# Inputs without effect


def costly(heap: int) -> System:
    """A heap; the end passes the turn even after an input that did nothing."""
    return system(
        stored("heap", numbers(0, heap), lit(heap)),
        stored("turn", TRUTHS, TRUE),
        move(
            "Take",
            parameters(n=numbers(1, 2)),
            rule("1", le(loc("n"), ref("heap")), set_("heap", minus(ref("heap"), loc("n")))),
        ),
        end(set_("turn", no(ref("turn")))),
        over=eq(ref("heap"), lit(0)),
        no_effect=NoEffect.COSTS_THE_TURN,
    )


def test_where_an_input_without_effect_costs_the_turn_it_is_one_pseudo_move() -> None:
    machine = Interpreter(costly(1))

    assert machine.legal(machine.initial) == (TAKE_ONE, Move(NO_EFFECT_MOVE))
    assert str(play(machine, Move(NO_EFFECT_MOVE))) == "heap = 1, turn = false"


def test_where_every_input_has_an_effect_none_costs_the_turn_for_nothing() -> None:
    machine = Interpreter(costly(2))

    assert machine.legal(machine.initial) == (TAKE_ONE, TAKE_TWO)


def test_an_input_without_effect_that_the_end_ignores_costs_nothing() -> None:
    """It would lead back to the same state; it is no move."""
    machine = Interpreter(
        system(
            stored("n", numbers(0, 1), lit(0)),
            move("Set", parameters(b=TRUTHS), rule("1", loc("b"), set_("n", lit(1)))),
            no_effect=NoEffect.COSTS_THE_TURN,
        )
    )

    assert machine.legal(machine.initial) == (Move("Set", (True,)),)


def test_a_turn_without_effect_that_costs_the_turn_calls_the_end() -> None:
    machine = Interpreter(costly(1))

    turn = machine.turn(machine.initial, TAKE_TWO)

    assert turn.has_effect is False
    assert turn.after == play(machine, Move(NO_EFFECT_MOVE))
    assert [event.procedure for event in turn.events if isinstance(event, CallEvent)] == [
        "Take",
        "End",
    ]


# Stuck players


def blocked(stuck: Stuck, *, of_b: int = 2) -> System:
    """A takes ones while there are any, B twos: A is stuck when the ones are gone."""
    turns: dict[str, Expr] = {"A": ref("turn"), "B": no(ref("turn"))}
    return system(
        stored("ones", numbers(0, 9), lit(0)),
        stored("twos", numbers(0, 9), lit(of_b)),
        stored("turn", TRUTHS, TRUE),
        move(
            "One",
            (),
            rule(
                "1",
                both(ref("turn"), ge(ref("ones"), lit(1))),
                set_("ones", minus(ref("ones"), lit(1))),
                set_("turn", FALSE),
            ),
        ),
        move(
            "Two",
            (),
            rule(
                "1",
                both(no(ref("turn")), ge(ref("twos"), lit(1))),
                set_("twos", minus(ref("twos"), lit(1))),
                set_("turn", TRUE),
            ),
        ),
        *(PlayerRule(name, turn) for name, turn in turns.items()),
        stuck=stuck,
    )


def test_a_stuck_player_is_reported_and_has_no_move() -> None:
    machine = Interpreter(blocked(Stuck.REPORTED))

    assert machine.legal(machine.initial) == ()
    assert machine.outcome(machine.initial) == Outcome(Ending.STUCK)


def test_a_stuck_player_may_lose() -> None:
    machine = Interpreter(blocked(Stuck.LOSES))

    assert machine.outcome(machine.initial) == Outcome(Ending.WIN, ("B",), ("A",))


def test_a_stuck_player_may_win() -> None:
    machine = Interpreter(blocked(Stuck.WINS))

    assert machine.outcome(machine.initial) == Outcome(Ending.WIN, ("A",), ("B",))


def test_a_stuck_player_may_draw() -> None:
    machine = Interpreter(blocked(Stuck.DRAWS))

    assert machine.outcome(machine.initial) == Outcome(Ending.DRAW)


def test_a_stuck_player_may_pass_and_only_the_turn_changes() -> None:
    machine = Interpreter(blocked(Stuck.PASSES))
    state = play(machine, Move(PASS_MOVE))

    assert machine.legal(machine.initial) == (Move(PASS_MOVE),)
    assert str(state) == "ones = 0, twos = 2, turn = false"
    assert machine.legal(state) == (Move("Two"),)


def test_nobody_passes_when_no_other_player_can_move() -> None:
    machine = Interpreter(blocked(Stuck.PASSES, of_b=0))

    assert machine.legal(machine.initial) == ()
    assert machine.outcome(machine.initial) == Outcome(Ending.STUCK)


def test_a_move_that_leaves_the_turn_unchanged_gives_the_same_player_another() -> None:
    machine = Interpreter(
        system(
            stored("n", NATURAL, lit(0)),
            stored("turn", TRUTHS, TRUE),
            move("Go", (), set_("n", plus(ref("n"), lit(1)))),
            PlayerRule("A", ref("turn")),
            PlayerRule("B", no(ref("turn"))),
        )
    )

    after = play(machine, Move("Go"))

    assert [p.name for p in (machine.player(machine.initial), machine.player(after)) if p] == [
        "A",
        "A",
    ]


# Results


def test_result_is_unset_at_first_and_keeps_what_was_assigned_last() -> None:
    machine = Interpreter(countdown(heap=3))

    assert machine.initial["result"] is UNSET
    assert play(machine, TAKE_ONE, TAKE_TWO)["result"] == Atom("B wins")


def test_a_result_that_is_computed_decides_the_outcome_too() -> None:
    machine = Interpreter(
        system(
            stored("n", NATURAL, lit(0)),
            defined("result", plus(ref("n"), lit(1))),
            move("Go", (), set_("n", lit(1))),
            PlayerRule("A", TRUE, wins=(2,), loses=(3,)),
            over=eq(ref("n"), lit(1)),
            result="result",
        )
    )

    assert machine.outcome(play(machine, Move("Go"))) == Outcome(Ending.WIN, ("A",), (), 2)


# Helpers and the end are no moves


def test_only_moves_can_be_called_by_players() -> None:
    machine = Interpreter(countdown())

    assert [p.name for p in machine.system.procedures if p.role is ProcedureRole.END] == ["End"]
    with pytest.raises(MoveNotUnderstood):
        machine.turn(machine.initial, Move("End"))


# The log


def test_the_log_shows_every_rule_with_its_conjuncts_and_what_changed() -> None:
    machine = Interpreter(squares())

    turn = machine.turn(machine.initial, Move("Take", ((1, 1),)))
    rules = [event for event in turn.events if isinstance(event, RuleEvent)]

    assert [(e.procedure, e.rule.label, e.fired) for e in rules] == [
        ("Take", "1", True),
        ("Take", "2", False),
        ("Take", "3", True),
        ("End", "1", False),
        ("End", "2", False),
        ("End", "3", False),
    ]
    assert [c.holds for c in rules[1].conjuncts] == [True, False]
    assert [(c.variable, c.before, c.after) for c in rules[0].changes] == [
        ("X", frozenset(), frozenset({(1, 1)}))
    ]


def test_a_conjunct_after_one_that_fails_was_not_reached() -> None:
    machine = Interpreter(squares())
    turn = machine.turn(play(machine, Move("Take", ((1, 1),))), Move("Take", ((1, 1),)))

    first = turn.events[1]

    assert isinstance(first, RuleEvent)
    assert [conjunct.holds for conjunct in first.conjuncts] == [False, None]
    assert turn.has_effect is False


def test_the_log_and_the_plain_run_agree() -> None:
    machine = Interpreter(squares())

    for state in reached(machine):
        for at in machine.legal(state):
            assert machine.turn(state, at).after == machine.after(state, at)


def test_what_a_rule_runs_stands_after_it_in_the_log_and_deeper() -> None:
    machine = Interpreter(
        system(
            stored("n", NATURAL, lit(0)),
            move("Go", (), rule("1", lt(ref("n"), lit(9)), Call("Add", (lit(2),)))),
            helper("Add", parameters(k=NATURAL), set_("n", plus(ref("n"), loc("k")))),
        )
    )

    events = machine.turn(machine.initial, Move("Go")).events

    assert [type(event).__name__ for event in events] == [
        "CallEvent",
        "RuleEvent",
        "CallEvent",
        "SetEvent",
    ]
    assert [event.depth for event in events] == [0, 1, 2, 3]
