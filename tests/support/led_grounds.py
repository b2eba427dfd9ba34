"""Random LED expressions without names of a program, for laws about their values."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from zermelo.core.values import FALSE, TRUE, Atom, Value, number
from zermelo.languages.led import ir
from zermelo.languages.led.run.values import Text

_VALUES: st.SearchStrategy[Value] = st.one_of(
    st.integers(-3, 4),
    st.builds(lambda n, d: number(Fraction(n, d)), st.integers(-5, 5), st.integers(1, 4)),
    st.sampled_from([TRUE, FALSE, Atom("a"), Atom("b"), Text("a"), Text("")]),
)
_NAMES = ("x", "y", "z")
_NUMERIC = (ir.Op.PLUS, ir.Op.MINUS, ir.Op.TIMES, ir.Op.DIVIDE, ir.Op.MOD)
_SETS = (ir.Op.UNION, ir.Op.INTERSECTION, ir.Op.DIFFERENCE, ir.Op.TIMES)
_ORDER = (ir.Op.LT, ir.Op.GT, ir.Op.LE, ir.Op.GE, ir.Op.EQ, ir.Op.NE)


@st.composite
def grounds(draw: st.DrawFn, names: tuple[str, ...] = (), depth: int = 3) -> ir.Expr:
    """An expression of any kind, whose local names are *names*; it need not have a value."""
    return draw(
        st.one_of(
            numbers(names, depth), sets(names, depth), tests(names, depth), tuples(names, depth)
        )
    )


def leaves(names: tuple[str, ...]) -> st.SearchStrategy[ir.Expr]:
    """A value or a name."""
    literals = st.builds(ir.Literal, _VALUES)
    return literals | st.builds(ir.Local, st.sampled_from(names)) if names else literals


@st.composite
def numbers(draw: st.DrawFn, names: tuple[str, ...], depth: int) -> ir.Expr:
    """An expression that is mostly a number."""
    small: st.SearchStrategy[ir.Expr] = st.builds(ir.Literal, st.integers(-3, 5))
    if depth <= 0:
        return draw(st.one_of(small, leaves(names)))
    less = numbers(names, depth - 1)
    options = [
        small,
        st.builds(ir.BinaryOperation, st.sampled_from(_NUMERIC), less, less),
        st.builds(
            ir.BinaryOperation,
            st.just(ir.Op.POWER),
            less,
            st.builds(ir.Literal, st.integers(-2, 3)),
        ),
        st.builds(
            ir.UnaryOperation,
            st.sampled_from([ir.UnaryOp.NEGATE, ir.UnaryOp.FLOOR, ir.UnaryOp.CEILING]),
            less,
        ),
        st.builds(ir.UnaryOperation, st.just(ir.UnaryOp.SIZE), grounds(names, depth - 1)),
        st.builds(ir.Index, tuples(names, depth - 1), st.builds(ir.Literal, st.integers(0, 3))),
        bigs(names, depth, [ir.BigOp.SUM, ir.BigOp.PRODUCT]),
    ]
    found: ir.Expr = draw(st.one_of(*options))
    return found


@st.composite
def tuples(draw: st.DrawFn, names: tuple[str, ...], depth: int) -> ir.Expr:
    """An expression that is mostly a tuple."""
    parts = st.lists(numbers(names, depth - 1), min_size=2, max_size=3)
    plain = parts.map(lambda items: ir.MakeTuple(tuple(items)))
    if depth <= 0:
        return draw(plain)
    less = tuples(names, depth - 1)
    ends = st.builds(ir.Literal, st.integers(0, 4))
    return draw(
        st.one_of(
            plain,
            st.builds(ir.BinaryOperation, st.just(ir.Op.PLUS), less, less),
            st.builds(ir.Slice, less, ends, ends),
        )
    )


@st.composite
def sets(draw: st.DrawFn, names: tuple[str, ...], depth: int) -> ir.Expr:
    """An expression that is mostly a set."""
    if depth <= 0:
        items = st.lists(leaves(names), max_size=3).map(lambda found: ir.MakeSet(tuple(found)))
        ends = st.builds(ir.Literal, st.integers(-1, 3))
        return draw(items | st.builds(ir.MakeRange, ends, ends))
    less = sets(names, depth - 1)
    few = st.lists(grounds(names, depth - 1), max_size=3).map(
        lambda found: ir.MakeSet(tuple(found))
    )
    return draw(
        st.one_of(
            few,
            st.builds(ir.BinaryOperation, st.sampled_from(_SETS), less, less),
            st.builds(ir.UnaryOperation, st.just(ir.UnaryOp.POWER_SET), sets(names, 0)),
            comprehensions(names, depth),
            bigs(names, depth, [ir.BigOp.UNION, ir.BigOp.INTERSECTION]),
        )
    )


@st.composite
def tests(draw: st.DrawFn, names: tuple[str, ...], depth: int) -> ir.Expr:
    """An expression that is mostly true or false."""
    if depth <= 0:
        return ir.Literal(draw(st.sampled_from([TRUE, FALSE])))
    less = tests(names, depth - 1)
    number_, any_, set_ = (
        numbers(names, depth - 1),
        grounds(names, depth - 1),
        sets(names, depth - 1),
    )
    found: ir.Expr = draw(
        st.one_of(
            st.builds(ir.BinaryOperation, st.sampled_from(_ORDER), number_, number_),
            st.builds(ir.BinaryOperation, st.sampled_from([ir.Op.EQ, ir.Op.NE]), any_, any_),
            st.builds(ir.BinaryOperation, st.just(ir.Op.IN), any_, set_),
            st.builds(ir.BinaryOperation, st.just(ir.Op.SUBSET), set_, set_),
            st.builds(ir.BinaryOperation, st.sampled_from([ir.Op.OR, ir.Op.IFF]), less, less),
            st.builds(ir.Conjunction, less, less),
            st.builds(ir.Implication, less, less),
            st.builds(ir.UnaryOperation, st.just(ir.UnaryOp.NOT), less),
            quantified(names, depth),
        )
    )
    return found


@st.composite
def quantified(draw: st.DrawFn, names: tuple[str, ...], depth: int) -> ir.Expr:
    """A quantifier."""
    bound = tuple(draw(st.lists(st.sampled_from(_NAMES), min_size=1, max_size=2, unique=True)))
    return ir.Quantification(
        draw(st.sampled_from(ir.Quantifier)),
        bound,
        draw(sets(names, 0)),
        draw(tests(tuple(dict.fromkeys((*names, *bound))), depth - 1)),
    )


@st.composite
def comprehensions(draw: st.DrawFn, names: tuple[str, ...], depth: int) -> ir.Expr:
    """A set by its members' form."""
    sentence, inner = draw(sentences(names, depth - 1))
    return ir.Comprehension(draw(grounds(inner, depth - 1)), sentence)


@st.composite
def bigs(draw: st.DrawFn, names: tuple[str, ...], depth: int, ops: list[ir.BigOp]) -> ir.Expr:
    """An operator over solutions."""
    op = draw(st.sampled_from(ops))
    sentence, inner = draw(sentences(names, depth - 1))
    is_number = op in (ir.BigOp.SUM, ir.BigOp.PRODUCT)
    body = numbers(inner, depth - 2) if is_number else sets(inner, depth - 2)
    return ir.Big(op, sentence, draw(body))


@st.composite
def sentences(
    draw: st.DrawFn, names: tuple[str, ...], depth: int
) -> tuple[ir.Sentence, tuple[str, ...]]:
    """A sentence that can be solved, and the names behind it; it binds those that are new."""
    new = [name for name in _NAMES if name not in names]
    if not new or draw(st.integers(0, 4)) == 0:
        return ir.Holds(draw(tests(names, depth))), names
    name = new[0]
    after = (*names, name)
    match draw(st.sampled_from(["member", "is", "both", "either", "pair"])):
        case "is":
            return ir.Is(ir.NewName(name), draw(grounds(names, depth))), after
        case "both":
            left: ir.Sentence = ir.Member(ir.NewName(name), draw(sets(names, 0)))
            right, last = draw(sentences(after, depth - 1))
            return ir.BothHold(left, right), last
        case "either":
            left = ir.Member(ir.NewName(name), draw(sets(names, 0)))
            return ir.EitherHolds(left, ir.Is(ir.NewName(name), draw(grounds(names, 0)))), after
        case "pair":
            other = draw(st.sampled_from(new[1:] or new))
            second = ir.NewName(other) if other != name else ir.Same(ir.Literal(1))
            pattern = ir.TuplePattern((ir.NewName(name), second))
            domain = ir.BinaryOperation(ir.Op.TIMES, draw(sets(names, 0)), draw(sets(names, 0)))
            return ir.Member(pattern, domain), tuple(dict.fromkeys((*after, other)))
        case _:
            return ir.Member(ir.NewName(name), draw(sets(names, depth - 1))), after
