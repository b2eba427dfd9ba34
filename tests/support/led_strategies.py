"""Random LED programs, for laws."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from zermelo.languages.led.read import tree
from zermelo.languages.led.read.tree import BigSign, Expr, Prefix, QuantifierSign, Sign

NAMES = st.sampled_from(["a", "b", "S", "xMin", "if_x", "iffy", "mod2", "Vx", "or", "α"])
"""Identifiers, some of them nearly words of the language."""
_FUNCTIONS = st.sampled_from(["f", "point", "p"])
_STRINGS = st.sampled_from(["", "x", "x's turn", "two  blanks", "50% {of} $5_ #1", "a\\b"])
_NUMERALS = st.sampled_from(["0", "12", ".5", "21.7", "0.(3..)", ".3(145..)", "3.96(721..)", "007"])


def _number(text: str) -> tree.Numeral:
    whole, _, rest = text.partition(".")
    digits, _, block = rest.removesuffix("..)").partition("(")
    value = Fraction(int(whole or 0)) + Fraction(int(digits or 0), 10 ** len(digits))
    if block:
        value += Fraction(int(block), (10 ** len(block) - 1) * 10 ** len(digits))
    return tree.Numeral(value, text)


_LEAVES: st.SearchStrategy[Expr] = (
    st.builds(tree.Identifier, NAMES)
    | _NUMERALS.map(_number)
    | st.builds(tree.StringLiteral, _STRINGS)
    | st.builds(tree.AtomName, st.sampled_from(["x", "foo2"]))
    | st.builds(tree.TruthName, st.booleans())
)


def _items(
    items: st.SearchStrategy[Expr], least: int, most: int = 3
) -> st.SearchStrategy[tuple[Expr, ...]]:
    return st.lists(items, min_size=least, max_size=most).map(tuple)


def _larger(smaller: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    bound = st.lists(NAMES, min_size=1, max_size=2).map(tuple)
    return (
        st.builds(tree.CallExpr, _FUNCTIONS, _items(smaller, 1))
        | st.builds(tree.TupleExpr, _items(smaller, 2))
        | st.builds(tree.Bracketed, smaller)
        | st.builds(tree.IndexExpr, smaller, smaller)
        | st.builds(tree.SliceExpr, smaller, smaller, smaller)
        | st.builds(tree.SetExpr, _items(smaller, 0))
        | st.builds(tree.RangeExpr, smaller, smaller)
        | st.builds(tree.SetBuilder, smaller, smaller)
        | st.builds(tree.BigExpr, st.sampled_from(BigSign), smaller, smaller)
        | st.builds(tree.UnaryExpr, st.sampled_from(Prefix), smaller)
        | st.builds(tree.BarsExpr, smaller)
        | st.builds(tree.BinaryExpr, st.sampled_from(Sign), smaller, smaller)
        | st.builds(
            tree.QuantifiedExpr,
            st.sampled_from(QuantifierSign),
            bound,
            smaller,
            smaller,
            is_tuple=st.booleans(),
        )
    )


EXPRESSIONS: st.SearchStrategy[Expr] = st.recursive(_LEAVES, _larger, max_leaves=12)
"""Trees of the whole grammar, also such as nobody can type without further brackets."""


_SMALL: st.SearchStrategy[Expr] = st.recursive(_LEAVES, _larger, max_leaves=5)


@st.composite
def _definitions(draw: st.DrawFn) -> tree.Definition:
    name = draw(NAMES)
    parameters = draw(st.lists(NAMES, max_size=2, unique=True).map(tuple))
    values = draw(_items(_SMALL, 1))
    where = draw(st.none() | _SMALL)
    if len(values) == 1 and draw(st.booleans()):
        branches: tuple[tree.Branch, ...] = (tree.Branch(values[0]),)
    else:
        guards = [draw(st.none() | _SMALL) for _ in values]
        branches = tuple(
            tree.Branch(value, guard, is_otherwise=guard is None)
            for value, guard in zip(values, guards, strict=True)
        )
    return tree.Definition(name, parameters, branches, where, is_relation=draw(st.booleans()))


DEFINITIONS = _definitions()

_PROSE = st.sampled_from(["\n", "Some words.\n", "\n\\section{Rules}\n\n", "a $x$ b ", "1/2 \n"])
_CODE = DEFINITIONS | st.just(tree.GameSwitch())


@st.composite
def _documents(draw: st.DrawFn) -> tree.LiterateProgram:
    parts: list[tree.Part] = []
    for _ in range(draw(st.integers(1, 3))):
        parts += [tree.Prose(draw(_PROSE)), *draw(st.lists(_CODE, min_size=1, max_size=3))]
    parts.append(tree.Prose(draw(_PROSE)))
    return tree.LiterateProgram(tuple(parts))


DOCUMENTS = _documents()

_WORDS = """
a b x S f ( ) [ ] { } | , ; . .. := iff if otherwise where some all in sub sec mod true not _ é
U V & ~ => <=> = /= < > <= >= + - * / ^ \\ floor( ceil( Pow( Sum[ U[ Sec[ Prod[ or union !=
1 .5 0.(3..) "s" " `x ` /$ $/ $ ledGame #isGame cmd:> ∪ ∈ ∅ ⌊ ⌋ ∃ ≡ “ ” \\begin{cases}
"""
_PIECES = st.sampled_from([*_WORDS.split(), "\n", "\t", "Reading\n", "players: x\n"])

SCRAPS = st.lists(_PIECES, max_size=40).map(" ".join) | st.lists(_PIECES, max_size=40).map("".join)
"""Texts of signs and words of LED in any order."""
