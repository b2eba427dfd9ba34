"""How rules run: the three orders, conclusions, locals, helpers and recursion."""

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
    declare,
    defined,
    end,
    eq,
    flag,
    flags,
    helper,
    let,
    let_pair,
    lit,
    loc,
    lt,
    member,
    minus,
    move,
    named_set,
    no,
    numbers,
    outside,
    pair,
    parameters,
    plus,
    ref,
    rule,
    set_,
    squares,
    stored,
    system,
    union,
    without,
)
from zermelo.core.machine import FaultKind
from zermelo.core.state import Move
from zermelo.languages.sections.ir import (
    Call,
    Order,
    Outside,
    Parameter,
    PowerSet,
    Procedure,
    Product,
    Statement,
    System,
    Variable,
)
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.run.procedures import CallEvent, RuleEvent

GO = Move("Go")
IN_ORDER, FROZEN, AT_ONCE = Order.IN_ORDER, Order.FACTS_FROZEN, Order.AT_ONCE


def go(*body: Statement, order: Order = Order.IN_ORDER) -> Procedure:
    return move("Go", (), *body, order=order)


def after(*parts: Variable | Procedure, given: Move = GO) -> str:
    """The state after the one move, or the fault that stops it."""
    machine = Interpreter(system(*parts))
    turn = machine.turn(machine.initial, given)
    if turn.fault is not None:
        return f"{turn.fault.kind.value}: {turn.fault.message}"
    return str(turn.after)


def counters(**values: int) -> tuple[Variable, ...]:
    return tuple(stored(name, NATURAL, lit(value)) for name, value in values.items())


def once(variable: str) -> Statement:
    return set_(variable, plus(ref(variable), lit(1)))


# The three orders


def test_in_order_each_rule_sees_earlier_effects() -> None:
    body = (rule("1", TRUE, once("a")), rule("2", eq(ref("a"), lit(1)), once("b")))

    assert after(*counters(a=0, b=0), go(*body)) == "a = 1, b = 1"


def test_in_order_facts_are_live() -> None:
    body = (rule("1", TRUE, once("a")), rule("2", eq(ref("fact"), lit(1)), once("b")))

    assert after(*counters(a=0, b=0), defined("fact", ref("a")), go(*body)) == "a = 1, b = 1"


def test_with_facts_frozen_variables_are_live_and_facts_are_those_of_the_call() -> None:
    body = (
        rule("1", TRUE, once("a")),
        rule("2", eq(ref("fact"), lit(0)), once("b")),
        rule("3", eq(ref("a"), lit(1)), once("c")),
    )

    assert (
        after(*counters(a=0, b=0, c=0), defined("fact", ref("a")), go(*body, order=FROZEN))
        == "a = 1, b = 1, c = 1"
    )


def test_frozen_facts_stay_so_in_helpers() -> None:
    body = (rule("1", TRUE, once("a")), Call("Help", ()))
    help_ = helper("Help", (), rule("1", eq(ref("fact"), lit(0)), once("b")))

    assert (
        after(*counters(a=0, b=0), defined("fact", ref("a")), go(*body, order=FROZEN), help_)
        == "a = 1, b = 1"
    )


def test_the_end_sees_fresh_facts() -> None:
    last = end(rule("1", eq(ref("fact"), lit(1)), once("b")), order=FROZEN)

    assert (
        after(*counters(a=0, b=0), defined("fact", ref("a")), go(once("a"), order=FROZEN), last)
        == "a = 1, b = 1"
    )


def test_at_once_all_guards_and_right_sides_see_the_state_before() -> None:
    body = (
        rule("1", TRUE, set_("a", ref("b"))),
        rule("2", eq(ref("a"), lit(1)), set_("b", ref("a"))),
    )

    assert after(*counters(a=1, b=2), go(*body, order=AT_ONCE)) == "a = 2, b = 1"


def test_at_once_two_rules_that_assign_different_values_conflict() -> None:
    body = (rule("1", TRUE, set_("a", lit(1))), rule("2", TRUE, set_("a", lit(2))))

    assert (
        after(*counters(a=0), go(*body, order=AT_ONCE))
        == "conflict: rule 1 gives `a` the value 1, and rule 2 2"
    )


def test_at_once_two_rules_that_assign_the_same_value_agree() -> None:
    body = (rule("1", TRUE, set_("a", lit(1))), rule("2", TRUE, set_("a", lit(1))))

    assert after(*counters(a=0), go(*body, order=AT_ONCE)) == "a = 1"


def test_at_once_a_rule_that_keeps_a_value_conflicts_with_one_that_changes_it() -> None:
    body = (rule("1", TRUE, set_("a", lit(1))), rule("2", TRUE, set_("a", ref("a"))))

    assert after(*counters(a=0), go(*body, order=AT_ONCE)).startswith("conflict")


def test_at_once_nested_rules_see_the_old_state() -> None:
    body = (rule("1", TRUE, once("a"), rule("1.1", eq(ref("a"), lit(0)), once("b"))),)

    assert after(*counters(a=0, b=0), go(*body, order=AT_ONCE)) == "a = 1, b = 1"


def test_at_once_effects_of_calls_conflict_like_rules() -> None:
    help_ = helper("Help", (), set_("a", lit(2)))
    body = (rule("1", TRUE, set_("a", lit(1))), rule("2", TRUE, Call("Help", ())))

    assert after(*counters(a=0), go(*body, order=AT_ONCE), help_).startswith("conflict")


def test_at_once_a_call_sees_the_old_state_and_runs_in_its_own_order() -> None:
    help_ = helper("Help", (), once("b"), rule("1", eq(ref("b"), lit(1)), set_("c", ref("a"))))
    body = (rule("1", TRUE, set_("a", lit(7))), rule("2", TRUE, Call("Help", ())))

    assert after(*counters(a=0, b=0, c=5), go(*body, order=AT_ONCE), help_) == "a = 7, b = 1, c = 0"


def test_effects_of_an_at_once_helper_are_seen_after_its_call() -> None:
    help_ = helper("Help", (), once("a"), rule("1", eq(ref("a"), lit(0)), once("b")), order=AT_ONCE)
    body = (Call("Help", ()), rule("1", eq(ref("a"), lit(1)), once("c")))

    assert after(*counters(a=0, b=0, c=0), go(*body), help_) == "a = 1, b = 1, c = 1"


@pytest.mark.parametrize(("order", "states"), [(IN_ORDER, 15), (FROZEN, 33), (AT_ONCE, 33)])
def test_a_fact_read_after_it_changed_makes_the_order_matter(order: Order, states: int) -> None:
    """In order, the rule that passes the turn asks for a cell that is free no more."""
    machine = Interpreter(squares(order))
    found, waiting = set(), [machine.initial]
    while waiting:
        state = waiting.pop()
        if state not in found:
            found.add(state)
            waiting.extend(machine.after(state, at) for at in machine.legal(state))

    assert len(found) == states


def test_a_flag_passed_from_rule_to_rule_needs_them_in_order() -> None:
    in_order, at_once = Interpreter(flags()), Interpreter(flags(AT_ONCE))

    assert in_order.legal(in_order.initial) == (Move("Step", (1, 2)),)
    assert at_once.legal(at_once.initial) == ()


def taking(order: Order, *more: Statement) -> System:
    """Two rules that take a cell and pass the turn, one for each player."""

    def takes(cells: str) -> tuple[Statement, ...]:
        return (
            set_(cells, union(ref(cells), braces(loc("pos")))),
            set_("turn", no(ref("turn"))),
        )

    free = member(loc("pos"), ref("Free"))
    return system(
        named_set("P", numbers(1, 2)),
        stored("A", PowerSet(ref("P")), EMPTY),
        stored("B", PowerSet(ref("P")), EMPTY),
        stored("turn", TRUTHS, TRUE),
        defined("Free", without(ref("P"), union(ref("A"), ref("B")))),
        move(
            "Take",
            parameters(pos=ref("P")),
            rule("1", both(ref("turn"), free), *takes("A")),
            rule("2", both(no(ref("turn")), free), *takes("B")),
            *more,
            order=order,
        ),
    )


@pytest.mark.parametrize(
    ("order", "state"),
    [
        (IN_ORDER, "A = {1}, B = ∅, turn = false"),
        (FROZEN, "A = {1}, B = {1}, turn = true"),
        (AT_ONCE, "A = {1}, B = ∅, turn = false"),
    ],
)
def test_facts_frozen_gives_a_cell_to_both_where_the_turn_passes_between_rules(
    order: Order, state: str
) -> None:
    machine = Interpreter(taking(order))

    assert str(machine.after(machine.initial, Move("Take", (1,)))) == state


@pytest.mark.parametrize(
    ("order", "state"),
    [
        (IN_ORDER, "None"),
        # The second rule has passed the turn back already, so the third does not fire.
        (FROZEN, "A = {1}, B = {1}, turn = true"),
        (AT_ONCE, "A = {1}, B = ∅, turn = false"),
    ],
)
def test_only_at_once_is_right_where_a_later_rule_undoes_an_earlier_one(
    order: Order, state: str
) -> None:
    """The third rule takes back what the first one just gave, and passes the turn again."""
    undo = rule(
        "3",
        both(no(ref("turn")), member(loc("pos"), ref("A"))),
        set_("A", without(ref("A"), braces(loc("pos")))),
        set_("turn", no(ref("turn"))),
    )
    machine = Interpreter(taking(order, undo))

    assert str(machine.turn(machine.initial, Move("Take", (1,))).after) == state


# Conclusions


def test_assignments_of_a_conclusion_share_the_state_before_it() -> None:
    swap = rule("1", TRUE, set_("a", ref("b")), set_("b", ref("a")))

    assert after(*counters(a=1, b=2), go(swap)) == "a = 2, b = 1"


def test_what_follows_a_call_or_nested_rule_sees_what_stands_to_its_left() -> None:
    body = rule(
        "1",
        TRUE,
        once("a"),
        rule("1.1", eq(ref("a"), lit(1)), once("b")),
        set_("c", plus(ref("a"), ref("b"))),
        set_("a", ref("c")),
    )

    assert after(*counters(a=0, b=0, c=0), go(body)) == "a = 2, b = 1, c = 2"


def test_a_call_sees_what_stands_to_its_left() -> None:
    help_ = helper("Help", (), set_("b", ref("a")))

    assert (
        after(*counters(a=0, b=0), go(rule("1", TRUE, once("a"), Call("Help", ()))), help_)
        == "a = 1, b = 1"
    )


def test_nested_rules_run_only_when_the_one_around_them_fires() -> None:
    body = rule("1", FALSE, rule("1.1", TRUE, once("a")))

    assert after(*counters(a=0), go(body)) == "None"


def test_a_statement_without_a_guard_always_runs() -> None:
    assert after(*counters(a=0, b=0), go(once("a"), set_("b", ref("a")))) == "a = 1, b = 1"


# Locals


def test_a_tuple_is_taken_apart_into_locals() -> None:
    body = (
        let_pair(("x", "y"), loc("cell")),
        let("z", plus(loc("x"), loc("y"))),
        rule("1", TRUE, set_("a", loc("z"))),
    )
    cells = Product((numbers(1, 3), numbers(1, 3)))

    assert (
        after(
            *counters(a=0),
            move("Go", (Parameter("cell", cells),), *body),
            given=Move("Go", ((2, 3),)),
        )
        == "a = 5"
    )


def test_changing_a_parameter_changes_it_only_here() -> None:
    count = let("k", plus(loc("k"), lit(1)))
    help_ = helper("Help", parameters(k=NATURAL), count, set_("a", loc("k")))
    body = (Call("Help", (loc("k"),)), set_("b", loc("k")))

    assert (
        after(
            *counters(a=0, b=0),
            move("Go", parameters(k=numbers(1, 9)), *body),
            help_,
            given=Move("Go", (5,)),
        )
        == "a = 6, b = 5"
    )


def test_locals_that_a_rule_gives_are_there_for_its_nested_rules() -> None:
    body = rule("1", TRUE, let("g", plus(ref("a"), lit(3))), rule("1.1", TRUE, set_("a", loc("g"))))

    assert after(*counters(a=1), go(body)) == "a = 4"


def test_a_local_without_a_value_is_a_fault() -> None:
    body = (rule("1", FALSE, let("g", lit(1))), rule("2", TRUE, set_("a", loc("g"))))

    assert after(*counters(a=0), go(*body)) == "undefined: `g` has no value here"


# Values outside


def climbing(outside_value: Outside) -> tuple[Variable | Procedure, ...]:
    """Looks at the cells above and below: beyond the board there are none."""
    mark = set_("marked", union(ref("marked"), braces(loc("m"))))
    body = (
        declare(numbers(1, 3), "up", "down"),
        let("up", plus(loc("k"), lit(1))),
        let("down", minus(loc("k"), lit(1))),
        rule("1", lt(loc("up"), lit(9)), once("a")),
        rule("2", TRUE, set_("b", loc("down"))),
        rule("3", TRUE, once("c"), Call("Mark", (loc("up"),)), Call("Mark", (loc("down"),))),
    )
    return (
        *counters(a=0, b=0, c=0),
        stored("marked", PowerSet(numbers(1, 9)), EMPTY),
        move("Go", parameters(k=numbers(1, 3)), *body, values_outside=outside_value),
        helper("Mark", parameters(m=NATURAL), mark),
    )


def test_rules_and_calls_that_use_a_local_outside_its_declaration_are_skipped() -> None:
    parts = climbing(Outside.SKIP)

    assert after(*parts, given=Move("Go", (2,))) == "a = 1, b = 1, c = 1, marked = {1, 3}"
    assert after(*parts, given=Move("Go", (3,))) == "a = 0, b = 2, c = 1, marked = {2}"
    assert after(*parts, given=Move("Go", (1,))) == "a = 1, b = 0, c = 1, marked = {2}"


def test_a_skipped_rule_or_call_says_why() -> None:
    machine = Interpreter(system(*climbing(Outside.SKIP)))

    events = machine.turn(machine.initial, Move("Go", (3,))).events

    skipped = [e.skipped for e in events if isinstance(e, RuleEvent | CallEvent) and e.skipped]
    assert skipped == ["`up` is 4, which is not in {1..3}"] * 2


def test_a_local_outside_its_declaration_may_stop_the_turn() -> None:
    assert (
        after(*climbing(Outside.STOP), given=Move("Go", (3,)))
        == "outside: `up` is 4, which is not in {1..3}"
    )


def test_what_is_computed_from_a_local_outside_is_outside_too() -> None:
    body = (
        declare(numbers(1, 3), "u"),
        let("u", lit(9)),
        let("w", plus(loc("u"), lit(1))),
        rule("1", outside(loc("w"), EMPTY), once("a")),
        once("b"),
    )

    assert after(*counters(a=0, b=0), go(*body)) == "a = 0, b = 1"


def test_a_declaration_holds_wherever_it_stands() -> None:
    body = (
        let("u", lit(9)),
        rule("1", eq(loc("u"), lit(9)), once("a")),
        declare(numbers(1, 3), "u"),
    )

    assert after(*counters(a=0), go(*body)) == "None"


def test_a_call_with_an_argument_outside_the_parameters_set_is_skipped_or_stops() -> None:
    help_ = helper("Help", parameters(m=numbers(1, 3)), once("a"))
    stops = helper("Help", parameters(m=numbers(1, 3)), once("a"), values_outside=Outside.STOP)
    body = (Call("Help", (lit(4),)), once("b"))

    assert after(*counters(a=0, b=0), go(*body), help_) == "a = 0, b = 1"
    assert (
        after(*counters(a=0, b=0), go(*body), stops) == "outside: `m` is 4, which is not in {1..3}"
    )


# Recursion


def test_helpers_may_call_themselves() -> None:
    """Marks everything from where it stands down to 1."""
    down = helper(
        "Down",
        parameters(k=numbers(1, 300)),
        set_("s", union(ref("s"), braces(loc("k")))),
        Call("Down", (minus(loc("k"), lit(1)),)),
    )
    machine = Interpreter(
        system(
            stored("s", PowerSet(NATURAL), EMPTY),
            move("Go", (), Call("Down", (lit(300),))),
            down,
        )
    )

    assert machine.after(machine.initial, GO)["s"] == frozenset(range(1, 301))


def test_helpers_may_call_each_other() -> None:
    even = helper(
        "Even",
        parameters(k=NATURAL),
        rule("1", eq(loc("k"), lit(0)), set_("a", lit(1))),
        Call("Odd", (minus(loc("k"), lit(1)),)),
    )
    odd = helper("Odd", parameters(k=NATURAL), Call("Even", (minus(loc("k"), lit(1)),)))

    assert after(*counters(a=0), go(Call("Even", (lit(6),))), even, odd) == "a = 1"
    assert after(*counters(a=0), go(Call("Even", (lit(7),))), even, odd) == "None"


def test_a_recursion_without_end_is_a_fault() -> None:
    again = helper("Again", (), Call("Again", ()))

    assert (
        after(*counters(a=0), go(Call("Again", ())), again)
        == "endless: calls are nested more than 1,000 deep"
    )


def test_calls_without_number_are_a_fault() -> None:
    """Each call makes two more, fourteen deep."""
    twice = helper(
        "Twice",
        parameters(k=NATURAL),
        rule(
            "1",
            lt(loc("k"), lit(14)),
            Call("Twice", (plus(loc("k"), lit(1)),)),
            Call("Twice", (plus(loc("k"), lit(1)),)),
        ),
    )

    assert (
        after(*counters(a=0), go(Call("Twice", (lit(0),))), twice)
        == "endless: one turn made more than 20,000 calls"
    )


def test_a_fault_in_a_helper_names_the_helper_and_its_rule() -> None:
    help_ = helper("Help", (), rule("2", TRUE, set_("a", plus(TRUE, lit(1)))))
    machine = Interpreter(system(*counters(a=0), go(rule("1", TRUE, Call("Help", ()))), help_))

    fault = machine.turn(machine.initial, GO).fault

    assert fault is not None
    assert (fault.kind, fault.procedure, fault.rule) == (FaultKind.UNDEFINED, "Help", "2")


def test_a_flag_set_by_a_helper_guides_the_rules_after_its_call() -> None:
    found = helper("Find", parameters(k=NATURAL), rule("1", lt(loc("k"), lit(3)), set_("ok", TRUE)))
    body = (set_("ok", FALSE), Call("Find", (loc("k"),)), rule("1", ref("ok"), set_("a", loc("k"))))
    asked = move("Go", parameters(k=numbers(1, 4)), *body)
    machine = Interpreter(system(*counters(a=0), flag("ok"), asked, found))

    assert machine.legal(machine.initial) == (Move("Go", (1,)), Move("Go", (2,)))


def test_pairs_are_values() -> None:
    assert (
        after(
            stored("a", Product((NATURAL, NATURAL)), pair(lit(0), lit(0))),
            go(set_("a", pair(lit(1), lit(2)))),
        )
        == "a = (1, 2)"
    )
