"""Terms of symmetric nets: conditions compare what is of one sort, and nesting has a bound."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support import pnml as made
from tests.support.pnml import colour, cyclic, declared, document, term, times, var
from zermelo.languages.nets.ir import Binary, BinaryOp, Const, Unary, UnaryOp, Var, depth
from zermelo.languages.nets.read.pnml.terms import MOST_DEEP
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.text import codes

PAIR = (
    '<namedsort id="pair" name="pair"><productsort><usersort declaration="ring"/>'
    '<usersort declaration="ring"/></productsort></namedsort>'
)
DECLARED = declared(
    cyclic("ring", "a", "b", "c"),
    cyclic("light", "red", "green", "off"),
    PAIR,
    made.variable("x", "ring"),
    made.variable("y", "light"),
    made.variable("xx", "pair"),
    made.variable("black", "dot"),
    '<variabledecl id="truth" name="truth"><bool/></variabledecl>',
)
IS_A = term("equality", var("x"), colour("a"))
NOT_B = term("inequality", var("x"), colour("b"))


def guarded(condition: str) -> str:
    """A net that takes the colours of a ring for which *condition* holds."""
    inside = (
        made.coloured_place("p", "ring", made.everything("ring"))
        + f'<transition id="t"><condition><structure>{condition}</structure></condition>'
        + "</transition>"
        + made.coloured_arc("p", "t", var("x"))
    )
    return document(DECLARED + inside, "symmetricnet")


def taken(condition: str) -> list[tuple[object, ...]]:
    """The values of variables for which *condition* holds."""
    machine = TokenGame(made.net(guarded(condition)))
    return [tuple(move.arguments) for move in machine.legal(machine.initial)]


def nested(made_of: Callable[[str], str], inner: str, times_over: int) -> str:
    """A term in a term in a term …."""
    for _ in range(times_over):
        inner = made_of(inner)
    return inner


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        (
            term("equality", var("x"), var("y")),
            "a colour of sort `ring` is compared with one of sort `light`",
        ),
        (
            term("lessthan", var("y"), colour("b")),
            "a colour of sort `light` is compared with one of sort `ring`",
        ),
        (
            term("inequality", var("xx"), var("x")),
            "a colour of sort `ring × ring` is compared with one of sort `ring`",
        ),
        (var("x"), "the term is of sort `ring`, and must be of sort `bool`"),
        (var("xx"), "the term is of sort `ring × ring`, and must be of sort `bool`"),
        (var("black"), "the term is of sort `dot`, and must be of sort `bool`"),
        (colour("red"), "the term is of sort `light`, and must be of sort `bool`"),
    ],
)
def test_conditions_of_other_sorts_are_said(condition: str, message: str) -> None:
    found = made.read(guarded(condition))

    assert found.value is None
    assert [(each.code, each.message) for each in found.diagnostics] == [
        (codes.PNML_SORTS, message)
    ]


def test_a_variable_that_is_true_or_false_is_a_condition() -> None:
    assert taken(var("truth")) == [(0, 1), (1, 1), (2, 1)]


@pytest.mark.parametrize("is_left", [False, True])
def test_sums_may_be_nested_two_by_two(*, is_left: bool) -> None:
    """Of ``a`` 1,200 times 1 and once 3, less twice 1; of ``b`` once 1."""

    def added(inner: str) -> str:
        return term("add", *((inner, colour("a")) if is_left else (colour("a"), inner)))

    least = term("subtract", times(3, colour("a")), colour("a"), colour("a"))
    sums = nested(added, term("add", least, colour("b")), 1200)

    net = made.net(document(DECLARED + made.coloured_place("p", "ring", sums), "symmetricnet"))

    assert net.places[0].initial == Bag((((0,), 1201), ((1,), 1)))


def test_what_is_taken_off_what_is_taken_off_is_added() -> None:
    """4 a − 2 (3 a − 2 a) is 2 a."""
    inner = times(2, term("subtract", times(3, colour("a")), times(2, colour("a"))))
    marking = term("subtract", times(4, colour("a")), inner)

    net = made.net(document(DECLARED + made.coloured_place("p", "ring", marking), "symmetricnet"))

    assert net.places[0].initial == Bag((((0,), 2),))


@pytest.mark.parametrize(
    ("tag", "last", "expected"),
    [("or", IS_A, [(0,), (2,)]), ("and", IS_A, [(0,)]), ("and", NOT_B, [(0,), (2,)])],
)
def test_conditions_may_be_nested_two_by_two(
    tag: str, last: str, expected: list[tuple[int]]
) -> None:
    assert taken(nested(lambda inner: term(tag, inner, NOT_B), last, 1200)) == expected
    assert taken(nested(lambda inner: term(tag, NOT_B, inner), last, 1200)) == expected


def test_many_operands_make_no_deep_expression() -> None:
    """32 in a chain, 32 chains in a chain, and two of these: 31 + 31 + 1 steps and a comparison."""
    net = made.net(guarded(term("or", *[IS_A] * 2000)))

    (gate,) = net.transitions[0].gates
    assert depth(gate) == 31 + 31 + 1 + 2


@pytest.mark.parametrize(
    "condition",
    [
        nested(lambda inner: term("not", inner), IS_A, 2000),
        nested(lambda inner: term("or", term("and", inner, IS_A), IS_A), IS_A, 1000),
        nested(lambda inner: term("or", term("and", inner, *[IS_A] * 9), IS_A), IS_A, 20),
        term("equality", nested(lambda inner: term("successor", inner), var("x"), 2000), var("x")),
        term("equality", nested(lambda inner: term("tuple", inner), var("x"), 2000), var("x")),
    ],
)
def test_what_is_nested_too_deeply_is_said(condition: str) -> None:
    found = made.read(guarded(condition))

    assert found.value is None
    (said,) = found.diagnostics
    assert said.code is codes.TOO_DEEP
    assert said.help is not None


def test_an_operator_that_is_defined_by_itself_is_said() -> None:
    itself = (
        '<namedoperator id="o" name="o"><def><useroperator declaration="o"/></def></namedoperator>'
    )

    found = made.read(
        document(
            DECLARED.replace("</declarations>", f"{itself}</declarations>")
            + made.coloured_place("p", "ring", colour("o")),
            "symmetricnet",
        )
    )

    assert [each.code for each in found.diagnostics] == [codes.TOO_DEEP]


def test_the_depth_of_an_expression() -> None:
    both = Binary(BinaryOp.AND, Unary(UnaryOp.NOT, Var("x")), Const(1))

    assert [depth(Var("x")), depth(both), depth(Unary(UnaryOp.NOT, both))] == [1, 3, 4]
    assert MOST_DEEP == 150
