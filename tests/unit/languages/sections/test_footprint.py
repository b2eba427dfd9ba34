"""What is read and written, looked through definitions, functions and helpers."""

from __future__ import annotations

from tests.support.systems import (
    NATURAL,
    TRUE,
    defined,
    helper,
    lit,
    loc,
    member,
    move,
    named_set,
    numbers,
    parameters,
    plus,
    ref,
    rule,
    set_,
    stored,
    system,
)
from zermelo.languages.sections.ir import Apply, Call, Function
from zermelo.languages.sections.walk import Footprint, Footprints, calls, recursive

SYSTEM = system(
    named_set("N", numbers(1, 3)),
    stored("a", NATURAL, lit(0)),
    stored("b", NATURAL, lit(0)),
    stored("c", NATURAL, lit(0)),
    defined("sum", plus(ref("a"), ref("b"))),
    defined("twice", plus(ref("sum"), ref("sum"))),
    Function("more", parameters(x=NATURAL), plus(loc("x"), ref("c"))),
    Function("again", parameters(x=NATURAL), Apply("again", (loc("x"),))),
    move("Go", parameters(k=ref("N")), rule("1", TRUE, Call("Help", (loc("k"),)))),
    helper(
        "Help",
        parameters(k=NATURAL),
        set_("c", ref("twice")),
        rule("1", member(loc("k"), ref("N")), Call("Help", (lit(1),))),
    ),
)
FOOTPRINTS = Footprints(SYSTEM)


def test_reading_a_definition_reads_what_it_is_computed_from() -> None:
    assert FOOTPRINTS.of(ref("twice")).reads == {"twice", "sum", "a", "b"}


def test_applying_a_function_reads_what_its_body_reads() -> None:
    assert FOOTPRINTS.of(Apply("more", (ref("a"),))).reads == {"a", "c"}
    assert FOOTPRINTS.of(Apply("again", (ref("a"),))).reads == {"a"}


def test_sets_are_no_variables() -> None:
    assert FOOTPRINTS.of(ref("N")) == Footprint()


def test_calling_a_procedure_does_what_its_helpers_do() -> None:
    expected = Footprint(frozenset({"twice", "sum", "a", "b"}), frozenset({"c"}))

    assert FOOTPRINTS.of_procedure("Go") == expected


def test_a_variable_changes_the_definitions_that_read_it() -> None:
    assert FOOTPRINTS.dependents() == {
        "a": ("sum", "twice"),
        "b": ("sum", "twice"),
        "c": (),
        "sum": ("sum", "twice"),
        "twice": ("twice",),
    }


def test_who_calls_itself_is_found() -> None:
    edges = {p.name: calls(p) for p in SYSTEM.procedures}

    assert recursive(edges) == {"Help"}
