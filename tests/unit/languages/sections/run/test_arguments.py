"""Which arguments are tried: those that the guards leave, and never the whole product."""

from __future__ import annotations

from tests.support.systems import (
    EMPTY,
    NATURAL,
    TRUE,
    TRUTHS,
    both,
    braces,
    either,
    eq,
    flag,
    helper,
    le,
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
    stored,
    subset,
    system,
    union,
    without,
)
from zermelo.core.machine import FaultKind
from zermelo.core.state import Move
from zermelo.core.values import truth
from zermelo.languages.sections.ir import (
    Apply,
    Call,
    Card,
    Expr,
    Function,
    Order,
    PowerSet,
    Procedure,
    Product,
    SetDefinition,
    Statement,
    Variable,
)
from zermelo.languages.sections.run.interpreter import Interpreter

BOARD = Product((numbers(1, 50), numbers(1, 50)))
"""2,500 cells: two of them make 6,250,000 pairs."""


def moves(machine: Interpreter) -> list[str]:
    return list(map(str, machine.legal(machine.initial)))


def board(*more: SetDefinition | Variable | Function | Procedure) -> Interpreter:
    """A board with two pieces."""
    return Interpreter(
        system(
            named_set("P", BOARD),
            stored("Mine", PowerSet(ref("P")), braces(lit((1, 1)), lit((2, 2)))),
            stored("last", NATURAL, lit(0)),
            stored("turn", TRUTHS, TRUE),
            *more,
        )
    )


def step(guard: Expr, *before: Statement, order: Order = Order.IN_ORDER) -> Procedure:
    """Moves a piece of mine from one cell to another."""
    moved = union(without(ref("Mine"), braces(loc("source"))), braces(loc("target")))
    return move(
        "Step",
        parameters(source=ref("P"), target=ref("P")),
        *before,
        rule("1", guard, set_("Mine", moved)),
        order=order,
    )


def test_membership_and_an_equation_leave_one_argument_each() -> None:
    guard = both(member(loc("source"), ref("Mine")), eq(loc("target"), pair(lit(9), lit(9))))
    machine = board(step(guard))

    assert moves(machine) == ["Step((1, 1), (9, 9))", "Step((2, 2), (9, 9))"]
    assert machine.examined < 10


def test_conditions_that_no_state_changes_are_tabulated_once() -> None:
    """From 200 × 200 combinations a table is made; the next state uses it."""
    row = numbers(1, 200)
    machine = Interpreter(
        system(
            stored("at", NATURAL, lit(7)),
            move(
                "Step",
                parameters(source=row, target=row),
                rule(
                    "1",
                    both(
                        eq(loc("source"), ref("at")),
                        either(
                            eq(loc("target"), plus(loc("source"), lit(1))),
                            eq(plus(loc("target"), lit(1)), loc("source")),
                        ),
                    ),
                    set_("at", loc("target")),
                ),
            ),
        )
    )

    assert moves(machine) == ["Step(7, 6)", "Step(7, 8)"]
    first = machine.examined
    assert len(machine.legal(machine.after(machine.initial, Move("Step", (7, 8))))) == 2
    assert machine.examined - first < 20


def test_components_of_a_parameter_are_understood() -> None:
    guard = both(
        ref("turn"),
        member(pair(loc("a"), loc("b")), ref("Mine")),
        eq(loc("target"), pair(plus(loc("a"), lit(1)), loc("b"))),
    )
    machine = board(step(guard, let_pair(("a", "b"), loc("source"))))

    assert moves(machine) == ["Step((1, 1), (2, 1))", "Step((2, 2), (3, 2))"]
    assert machine.examined < 20


def test_two_parameters_may_come_from_one_set_of_pairs() -> None:
    row = numbers(1, 50)
    machine = board(
        move(
            "Take",
            parameters(r=row, c=row),
            rule("1", member(pair(loc("r"), loc("c")), ref("Mine")), set_("Mine", EMPTY)),
        )
    )

    assert moves(machine) == ["Take(1, 1)", "Take(2, 2)"]
    assert machine.examined < 10


def test_conditions_without_parameters_are_decided_once() -> None:
    guard = both(no(ref("turn")), outside(loc("source"), ref("Mine")), TRUE)
    machine = board(step(guard))

    assert moves(machine) == []
    assert machine.examined == 1


def test_a_disjunction_is_taken_apart_where_each_part_says_where_a_parameter_is() -> None:
    far = eq(loc("target"), pair(lit(9), lit(9)))
    guard = either(
        both(ref("turn"), member(loc("source"), ref("Mine")), far),
        both(eq(loc("source"), pair(lit(5), lit(5))), far),
    )
    machine = board(step(guard))

    assert moves(machine) == [
        "Step((1, 1), (9, 9))",
        "Step((2, 2), (9, 9))",
        "Step((5, 5), (9, 9))",
    ]
    assert machine.examined < 20


def test_what_a_value_function_says_is_understood() -> None:
    can = Function(
        "can",
        parameters(x=ref("P"), y=ref("P")),
        both(member(loc("x"), ref("Mine")), eq(loc("y"), pair(lit(9), lit(9)))),
    )
    machine = board(can, step(Apply("can", (loc("source"), loc("target")))))

    assert len(moves(machine)) == 2
    assert machine.examined < 10


def test_helpers_are_looked_into() -> None:
    guard = both(member(loc("x"), ref("Mine")), eq(loc("y"), pair(lit(9), lit(9))))
    machine = board(
        move(
            "Step",
            parameters(source=ref("P"), target=ref("P")),
            Call("Go", (loc("source"), loc("target"))),
        ),
        helper(
            "Go",
            parameters(x=ref("P"), y=ref("P")),
            rule("1", guard, set_("Mine", without(ref("Mine"), braces(loc("x"))))),
        ),
    )

    assert len(moves(machine)) == 2
    assert machine.examined < 10


def test_a_flag_that_a_statement_sets_from_the_arguments_is_looked_through() -> None:
    guard = both(member(loc("source"), ref("Mine")), eq(loc("target"), pair(lit(9), lit(9))))
    machine = board(flag("ok"), step(ref("ok"), set_("ok", guard)))

    assert len(moves(machine)) == 2
    assert machine.examined < 10


def test_statements_that_do_not_depend_on_the_arguments_are_run_first() -> None:
    guard = both(ref("ok"), member(loc("source"), ref("Mine")), eq(loc("target"), loc("source")))
    machine = board(flag("ok"), step(guard, set_("ok", no(ref("turn")))))

    assert moves(machine) == []
    assert machine.examined == 1


def test_a_statement_that_changes_a_stored_variable_makes_every_argument_a_move() -> None:
    machine = board(
        move(
            "Go",
            parameters(k=numbers(1, 3)),
            set_("last", plus(ref("last"), lit(1))),
        )
    )

    assert moves(machine) == ["Go(1)", "Go(2)", "Go(3)"]


def test_a_stored_variable_that_takes_the_argument_makes_the_others_moves() -> None:
    machine = Interpreter(
        system(
            stored("last", NATURAL, lit(2)),
            move("Go", parameters(k=numbers(1, 3)), set_("last", loc("k"))),
        )
    )

    assert moves(machine) == ["Go(1)", "Go(3)"]


def test_at_once_an_earlier_statement_is_not_seen_by_a_guard() -> None:
    guard = both(no(ref("ok")), member(loc("source"), ref("Mine")))
    at_once = both(guard, eq(loc("target"), pair(lit(9), lit(9))))
    machine = board(flag("ok"), step(at_once, set_("ok", TRUE), order=Order.AT_ONCE))

    assert len(moves(machine)) == 2


# Parameters over infinite sets


def heap(guard: Expr) -> Interpreter:
    return Interpreter(
        system(
            stored("heap", NATURAL, lit(3)),
            stored("s", PowerSet(numbers(1, 40)), numbers(1, 3)),
            move(
                "Take",
                parameters(n=NATURAL),
                rule("1", guard, set_("heap", minus(ref("heap"), loc("n")))),
            ),
        )
    )


def test_a_parameter_over_all_numbers_is_bounded_by_a_comparison() -> None:
    assert moves(heap(le(loc("n"), ref("heap")))) == ["Take(1)", "Take(2)", "Take(3)"]


def test_a_parameter_over_all_numbers_is_bounded_by_a_finite_set() -> None:
    assert moves(heap(member(loc("n"), ref("s")))) == ["Take(1)", "Take(2)", "Take(3)"]


def test_a_parameter_that_nothing_bounds_is_a_fault_of_the_whole_move() -> None:
    machine = heap(lt(ref("heap"), loc("n")))

    assert moves(machine) == []
    fault = machine.faults(machine.initial)[Move("Take")]
    assert (fault.kind, fault.message) == (
        FaultKind.UNLISTED,
        "`n` ranges over infinitely many values, and no condition of the rules leaves"
        " finitely many of them",
    )


def test_a_parameter_for_sets_is_bounded_by_inclusion_and_by_size() -> None:
    machine = Interpreter(
        system(
            stored("s", PowerSet(numbers(1, 40)), numbers(1, 3)),
            move(
                "Drop",
                parameters(x=PowerSet(numbers(1, 40))),
                let("size", Card(loc("x"))),
                rule(
                    "1",
                    both(subset(loc("x"), ref("s")), eq(Card(loc("x")), lit(2))),
                    set_("s", without(ref("s"), loc("x"))),
                ),
            ),
        )
    )

    assert moves(machine) == ["Drop({1, 2})", "Drop({1, 3})", "Drop({2, 3})"]


def test_what_cannot_be_decided_beforehand_is_tried() -> None:
    """The second conjunct has no value where the first does not hold; no move is lost."""
    machine = Interpreter(
        system(
            stored("n", NATURAL, lit(0)),
            move(
                "Go",
                parameters(k=numbers(0, 2)),
                rule(
                    "1",
                    both(
                        lt(lit(0), loc("k")),
                        eq(Apply("half", (loc("k"),)), lit(3)),
                    ),
                    set_("n", loc("k")),
                ),
            ),
            Function("half", parameters(x=NATURAL), plus(loc("x"), lit(1))),
        )
    )

    assert moves(machine) == ["Go(2)"]


def test_a_local_that_depends_on_the_arguments_is_not_taken_for_a_rules_own() -> None:
    """``u`` depends on the flag, the flag on the argument; the rule gives ``u`` again."""
    machine = Interpreter(
        system(
            stored("t", PowerSet(numbers(1, 3)), EMPTY),
            flag("f"),
            move(
                "Go",
                parameters(k=numbers(1, 3)),
                set_("f", lt(loc("k"), lit(3))),
                let("u", ref("f")),
                rule("1", no(ref("turn")), let("u", loc("u"))),
                rule("2", no(ref("turn")), set_("t", braces(loc("k")))),
            ),
            stored("turn", TRUTHS, lit(truth(holds=False))),
        )
    )

    assert moves(machine) == ["Go(1)", "Go(2)", "Go(3)"]
