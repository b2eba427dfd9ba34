"""Random small systems: every statement and order, over sets that can be tried out whole."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from tests.support.systems import (
    FALSE,
    TRUTHS,
    both,
    braces,
    declare,
    defined,
    either,
    eq,
    flag,
    ge,
    helper,
    le,
    let,
    let_pair,
    lit,
    loc,
    meet,
    member,
    minus,
    move,
    named_set,
    ne,
    no,
    numbers,
    outside,
    pair,
    parameters,
    plus,
    ref,
    rule,
    set_,
    some,
    stored,
    subset,
    system,
    those,
    union,
    without,
)
from zermelo.core.values import Value, truth
from zermelo.languages.sections.ir import (
    Apply,
    Binary,
    Call,
    Card,
    Expr,
    Function,
    Op,
    Order,
    Outside,
    PowerSet,
    Procedure,
    Product,
    Statement,
    System,
)
from zermelo.languages.sections.run.sets import (
    AnySet,
    Both,
    Either,
    NumberInterval,
    Subsets,
    Without,
)

N = ref("N")
"""The numbers 1 to 3."""
ORDERS = st.sampled_from(Order)

Strategy = st.SearchStrategy


@st.composite
def _numbers(draw: st.DrawFn, names: tuple[str, ...], depth: int = 1) -> Expr:
    """Expressions for numbers, some of them outside every set, some without a value."""
    kind = draw(st.integers(0, 6)) if depth else 0
    if kind < 4:
        atoms: list[Expr] = [*map(loc, names), *map(loc, names), lit(1), lit(2), ref("k"), ref("c")]
        return draw(st.sampled_from(atoms))
    if kind == 4:
        return Card(draw(_sets(names, 0)))
    make: Callable[[Expr, Expr], Expr] = draw(st.sampled_from([plus, minus, _quotient]))
    return make(draw(_numbers(names, 0)), draw(_numbers(names, 0)))


def _quotient(left: Expr, right: Expr) -> Expr:
    return Binary(Op.DIVIDE, left, right)


@st.composite
def _sets(draw: st.DrawFn, names: tuple[str, ...], depth: int = 1) -> Expr:
    """Expressions for sets of numbers."""
    kind = draw(st.integers(0, 5)) if depth else 0
    if kind < 3:
        return draw(st.sampled_from([ref("s"), ref("t"), ref("d"), ref("e"), N]))
    if kind == 3:
        return braces(draw(_numbers(names)))
    left = draw(_sets(names, 0))
    if kind == 4:
        return those("z", left, ge(loc("z"), draw(_numbers(names, 0))))
    make: Callable[[Expr, Expr], Expr] = draw(st.sampled_from([union, meet, without]))
    return make(left, draw(st.one_of(_sets(names, 0), _numbers(names, 0).map(braces))))


@st.composite
def _truths(draw: st.DrawFn, names: tuple[str, ...], depth: int = 2) -> Expr:
    """Formulas."""
    kind = draw(st.integers(0, 9)) if depth else draw(st.integers(0, 6))
    if kind < 2:
        flags: list[Expr] = [ref("b"), ref("f"), ref("g"), no(ref("f"))]
        return draw(st.sampled_from(flags))
    if kind < 5:
        return draw(_relations(names))
    if kind == 5:
        return draw(_pairs(names))
    if kind == 6:
        return Apply("Has", (draw(_numbers(names)),))
    left = draw(_truths(names, depth - 1))
    if kind == 7:
        return some("z", draw(_sets(names)), either(left, eq(loc("z"), draw(_numbers(names)))))
    ways: list[Callable[..., Expr]] = [both, both, either, _negated]
    made: Expr = draw(st.sampled_from(ways))(left, draw(_truths(names, depth - 1)))
    return made


def _negated(left: Expr, right: Expr) -> Expr:
    return no(both(left, right))


@st.composite
def _relations(draw: st.DrawFn, names: tuple[str, ...]) -> Expr:
    make: Callable[[Expr, Expr], Expr] = draw(
        st.sampled_from([member, member, outside, eq, eq, ne, le, subset])
    )
    left = draw(_sets(names) if make is subset else _numbers(names))
    return make(left, draw(_numbers(names) if make in {eq, ne, le} else _sets(names)))


@st.composite
def _pairs(draw: st.DrawFn, names: tuple[str, ...]) -> Expr:
    """Formulas about pairs."""
    items = pair(draw(_numbers(names, 0)), draw(_numbers(names, 0)))
    if draw(st.booleans()):
        return eq(items, pair(draw(_numbers(names, 0)), draw(_numbers(names, 0))))
    return member(items, Product((draw(_sets(names, 0)), draw(_sets(names, 0)))))


@st.composite
def _assignments(draw: st.DrawFn, names: tuple[str, ...]) -> Statement:
    name = draw(st.sampled_from(["s", "t", "c", "f", "g", "f", "g", "b"]))
    if name in {"s", "t"}:
        return set_(name, draw(_sets(names)))
    return set_(name, draw(_numbers(names, 0) if name == "c" else _truths(names, 1)))


@st.composite
def _statements(
    draw: st.DrawFn, names: tuple[str, ...], helpers: tuple[str, ...], label: str
) -> tuple[Statement, ...]:
    """A body or a conclusion; locals are usable after they have got a value."""
    found: list[Statement] = []
    for at in range(1, draw(st.integers(1, 3)) + 1):
        kind = draw(st.integers(0, 9))
        if kind == 0:
            found.append(let("u", draw(_numbers(names))))
            names = tuple(dict.fromkeys((*names, "u")))
        elif kind == 1:
            value = pair(draw(_numbers(names)), draw(_numbers(names, 0)))
            found.append(let_pair(("u", "v"), value))
            names = tuple(dict.fromkeys((*names, "u", "v")))
        elif kind == 2 and helpers:
            found.append(Call(draw(st.sampled_from(helpers)), (draw(_numbers(names)),)))
        elif kind <= 6 and len(label) < 4:
            conclusion = draw(_statements(names, helpers, f"{label}{at}."))
            found.append(rule(f"{label}{at}", draw(_truths(names)), *conclusion))
        else:
            found.append(draw(_assignments(names)))
    return tuple(found)


@st.composite
def _bodies(draw: st.DrawFn, names: tuple[str, ...], label: str) -> tuple[Statement, ...]:
    """Statements without a guard, flags above all, and then rules that ask for the arguments."""
    before: list[Statement] = []
    for _ in range(draw(st.integers(0, 3))):
        kind = draw(st.integers(0, 4))
        if kind < 2:
            given = draw(st.sampled_from(["u", "v"]))
            before.append(let(given, draw(_numbers(names))))
            names = tuple(dict.fromkeys((*names, given)))
        else:
            name = draw(st.sampled_from(["f", "g"]))
            value = draw(st.one_of(_relations(names), _truths(names, 1)))
            before.append(set_(name, value))
    return (*before, *draw(_rules(names, label)), *draw(_rules(names, f"{label}0.")))


@st.composite
def _rules(draw: st.DrawFn, names: tuple[str, ...], label: str) -> tuple[Statement, ...]:
    found: list[Statement] = []
    for at in range(1, draw(st.integers(0, 2)) + 1):
        flags: list[Expr] = [ref("f"), no(ref("f")), ref("g"), no(ref("g"))]
        told = draw(st.sampled_from(flags))
        asked = draw(st.one_of(_relations(names), _pairs(names), _truths(names, 1)))
        guard = draw(st.sampled_from([asked, both(told, asked), both(asked, told), told]))
        changed = braces(draw(_numbers(names, 0)))
        found.append(rule(f"{label}{at}", guard, set_("t", changed)))
        if draw(st.booleans()):
            renamed = let("u", draw(_numbers(names)))
            found.insert(0, rule(f"{label}{at}0", told, renamed))
            names = tuple(dict.fromkeys((*names, "u")))
    return tuple(found)


@st.composite
def systems(draw: st.DrawFn) -> System:
    """Systems with one move ``M(p, q)`` over N × N and a helper ``H``."""
    order, outside_value = draw(ORDERS), draw(st.sampled_from(Outside))
    helpers = draw(st.sampled_from([(), ("H",)]))
    inner = draw(st.one_of(_statements(("h",), helpers, "1."), _bodies(("h",), "1.")))
    body = draw(
        st.one_of(
            _statements(("p", "q"), ("H",), ""),
            _bodies(("p", "q"), ""),
            _bodies(("p", "q"), ""),
        )
    )
    if draw(st.booleans()):
        body = (*body, Call("H", (draw(_numbers(("p", "q"))),)), *draw(_rules(("p", "q"), "9.")))
    if draw(st.booleans()):
        body = (declare(N, "u"), *body)
    procedures: tuple[Procedure, ...] = (
        move("M", parameters(p=N, q=N), *body, order=order, values_outside=outside_value),
        helper("H", parameters(h=N), *inner, order=draw(ORDERS), values_outside=outside_value),
    )
    return system(
        named_set("N", numbers(1, 3)),
        stored("s", PowerSet(N), lit(draw(_subsets()))),
        stored("t", PowerSet(N), lit(draw(_subsets()))),
        stored("b", TRUTHS, lit(truth(draw(st.booleans())))),
        stored("c", numbers(0, 3), lit(draw(st.integers(0, 3)))),
        stored("k", numbers(0, 3), lit(draw(st.integers(0, 3)))),
        flag("f"),
        flag("g", FALSE),
        defined("d", without(N, ref("s"))),
        defined("e", those("z", N, either(member(loc("z"), ref("t")), ref("f")))),
        Function("Has", parameters(x=N), both(member(loc("x"), ref("s")), no(ref("g")))),
        *procedures,
    )


UNIVERSE = range(-1, 5)


def sets_of_numbers() -> Strategy[AnySet]:
    """Sets of numbers within ``UNIVERSE``, listed and not, put together in every way."""
    low, high = UNIVERSE[0], UNIVERSE[-1]
    listed: Strategy[AnySet] = st.frozensets(st.integers(low, high))
    within: Strategy[AnySet] = st.builds(
        NumberInterval, st.integers(low, high), st.integers(low, high)
    )
    return st.recursive(st.one_of(listed, within), _combined, max_leaves=5)


def sets_of_sets() -> Strategy[AnySet]:
    """Sets of sets of numbers."""
    listed: Strategy[AnySet] = st.frozensets(st.frozensets(st.integers(0, 3)), max_size=4)
    power: Strategy[AnySet] = st.builds(Subsets, sets_of_numbers())
    return st.recursive(st.one_of(listed, power), _combined, max_leaves=4)


def _combined(inner: Strategy[AnySet]) -> Strategy[AnySet]:
    return st.one_of(*(st.builds(kind, inner, inner) for kind in (Either, Both, Without)))


def _subsets() -> Strategy[Value]:
    return st.frozensets(st.integers(1, 3))
