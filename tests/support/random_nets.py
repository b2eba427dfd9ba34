"""Random nets: few places and transitions, and every construct that markings can be made of."""

from __future__ import annotations

from hypothesis import strategies as st

from zermelo.core.values import Atom
from zermelo.languages.nets import ir
from zermelo.languages.nets.game import conditions
from zermelo.languages.nets.game.rules import NetRules, Result, Turns
from zermelo.languages.nets.ir import BinaryOp, Const, Interval, UnaryOp, Var
from zermelo.languages.nets.run.bags import Bag

_OPERATORS = (
    BinaryOp.PLUS,
    BinaryOp.MINUS,
    BinaryOp.TIMES,
    BinaryOp.MOD,
    BinaryOp.DIVIDE,
    BinaryOp.EQ,
    BinaryOp.NE,
    BinaryOp.LT,
    BinaryOp.LE,
    BinaryOp.AND,
    BinaryOp.OR,
    BinaryOp.BIT_AND,
    BinaryOp.BIT_OR,
    BinaryOp.BIT_XOR,
)
TABLE = ir.Table("table", (3,), (1, 0, 2))
DOUBLED = ir.Function(
    "doubled",
    ("n",),
    (
        ir.If(ir.Binary(BinaryOp.GT, Var("n"), Const(3)), (ir.Return(Const(0)),)),
        ir.Return(ir.Binary(BinaryOp.PLUS, Var("n"), Var("n"))),
    ),
)


NAMES = ("x", "y")


def _extended(inner: st.SearchStrategy[ir.Expr]) -> st.SearchStrategy[ir.Expr]:
    return st.one_of(
        st.builds(ir.Binary, st.sampled_from(_OPERATORS), inner, inner),
        st.builds(ir.Unary, st.sampled_from(UnaryOp), inner),
        st.builds(ir.Conditional, inner, inner, inner),
        st.builds(lambda index: ir.Element("table", (index,)), inner),
        st.builds(lambda given: ir.Call("doubled", (given,)), inner),
    )


# Made once: making strategies takes longer than drawing from them.
_VARIABLES: st.SearchStrategy[ir.Expr] = st.sampled_from(NAMES).map(Var)
_NUMBERS: st.SearchStrategy[ir.Expr] = st.integers(-1, 4).map(Const)
_PLAIN = st.one_of(_NUMBERS, _VARIABLES, _VARIABLES, _VARIABLES)
EXPRESSIONS = st.recursive(st.one_of(_NUMBERS, _VARIABLES), _extended, max_leaves=4)
"""C's expressions in the variables ``NAMES``."""


@st.composite
def places(draw: st.DrawFn, name: str) -> ir.Place:
    """A place with a few tokens."""
    arity = draw(st.integers(0, 2))
    has_bounds = arity == 0 or draw(st.booleans()) or draw(st.booleans())
    low = tuple(draw(st.integers(-1, 1)) for _ in range(arity))
    high = tuple(each + draw(st.integers(0, 3)) for each in low)
    tokens = st.tuples(*(st.integers(a, b) for a, b in zip(low, high, strict=True)))
    counts = draw(st.dictionaries(tokens, st.integers(1, 2), max_size=2))
    return ir.Place(
        name,
        arity,
        Bag.of(counts),
        low=low if has_bounds and arity else None,
        high=high if has_bounds and arity else None,
    )


@st.composite
def terms(draw: st.DrawFn, place: ir.Place, *, is_input: bool) -> ir.Term:
    """A term of an arc at *place*."""
    parts: list[ir.Component] = []
    for _ in range(place.arity):
        kind = draw(st.integers(0, 9))
        if kind == 0:
            parts.append(Interval(Const(draw(st.integers(0, 1))), Const(draw(st.integers(0, 2)))))
        elif kind <= (7 if is_input else 4):
            parts.append(draw(_PLAIN))
        else:
            parts.append(draw(EXPRESSIONS))
    times: ir.Expr = Const(draw(st.sampled_from((1, 1, 1, 2))))
    if draw(st.integers(0, 9)) == 0:
        times = draw(EXPRESSIONS)
    return ir.Term(times, tuple(parts))


@st.composite
def transitions(draw: st.DrawFn, known: tuple[ir.Place, ...], name: str) -> ir.Transition:
    """A transition between these places."""
    inputs = draw(st.lists(st.sampled_from(known), max_size=2, unique=True))
    outputs = draw(st.lists(st.sampled_from(known), max_size=2, unique=True))

    def arc(place: ir.Place, *, is_input: bool) -> ir.Arc:
        made = draw(st.lists(terms(place, is_input=is_input), min_size=1, max_size=2))
        if draw(st.integers(0, 7)) == 0 and len(made) == 2:
            made[1] = ir.Term(Const(-1), made[1].components)
        return ir.Arc(place.name, tuple(made))

    taken = tuple(arc(each, is_input=True) for each in inputs)
    put = tuple(arc(each, is_input=False) for each in outputs)
    has_sorts = draw(st.booleans())
    alone = {
        part.name
        for each in taken
        if not any(term.multiplicity == Const(-1) for term in each.terms)
        for term in each.terms
        if isinstance(term.multiplicity, Const)
        and not any(isinstance(part, Interval) for part in term.components)
        for part in term.components
        if isinstance(part, Var)
    }
    # Mostly a variable that no token can give a value to has a sort, as it must have.
    is_careless = draw(st.integers(0, 9)) == 7
    variables = tuple(
        ir.Variable(each, 0, 2)
        if has_sorts or not (each in alone or is_careless)
        else ir.Variable(each)
        for each in NAMES
    )
    lets: tuple[ir.Let, ...] = ()
    if draw(st.integers(0, 3)) == 0:
        tokens = draw(st.lists(st.integers(0, 2), min_size=1, max_size=3))
        lets = (ir.Let(("x",), tuple(ir.Term(Const(1), (Const(n),)) for n in tokens)),)
    gates = tuple(draw(st.lists(EXPRESSIONS, max_size=1)))
    return ir.Transition(
        name,
        variables,
        taken,
        put,
        lets,
        gates,
    )


@st.composite
def nets(draw: st.DrawFn) -> ir.Net:
    """A net with a few places and transitions."""
    known = tuple(draw(places(f"p{at}")) for at in range(draw(st.integers(1, 3))))
    made = tuple(draw(transitions(known, f"t{at}")) for at in range(draw(st.integers(1, 3))))
    return ir.Net("random", known, made, (DOUBLED,), (TABLE,))


@st.composite
def _simple_conditions(draw: st.DrawFn, net: ir.Net) -> conditions.Sets:
    at = draw(st.integers(0, len(net.places) - 1))
    arity = net.places[at].arity
    relation = draw(st.sampled_from(conditions.Comparison))
    match draw(st.integers(0, 4)):
        case 0:
            number = conditions.Count(draw(st.integers(0, 3)))
            return conditions.Counted(conditions.Count(0, (at,)), relation, number)
        case 1:
            parts = st.one_of(st.none(), st.integers(-1, 4))
            pattern = draw(st.tuples(*[parts] * arity))
            return conditions.Has(at, pattern, draw(st.integers(0, 2)))
        case 2:
            tokens = st.tuples(*[st.integers(-1, 4)] * arity)
            bag = Bag.of(draw(st.dictionaries(tokens, st.integers(1, 2), max_size=2)))
            here = conditions.Content(Bag.of({}), (at,))
            return conditions.Compared(here, relation, conditions.Content(bag))
        case 3:
            return conditions.Enabled(draw(st.sampled_from(net.transitions)).name)
        case _:
            return conditions.NamedSet(draw(st.sampled_from(("all", "terminal"))))


def _conditions(net: ir.Net) -> st.SearchStrategy[conditions.Sets]:
    return st.recursive(
        _simple_conditions(net),
        lambda inner: st.one_of(
            st.builds(conditions.Complement, inner),
            st.builds(conditions.Intersection, inner, inner),
            st.builds(conditions.Union, inner, inner),
        ),
        max_leaves=3,
    )


@st.composite
def played_nets(draw: st.DrawFn) -> tuple[ir.Net, NetRules]:
    """A net, and who plays it and wins, by conditions of every kind."""
    net = draw(nets())
    when = _conditions(net)
    turns = tuple(Turns(name, draw(st.one_of(st.none(), when))) for name in ("a", "b"))
    words = ("a wins", "b wins", "draw")[: draw(st.integers(0, 3))]
    return net, NetRules(turns, tuple(Result(Atom(word), draw(when)) for word in words))
