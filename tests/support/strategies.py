"""Random trees of the whole grammar, for laws."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.traversal import conjuncts, disjuncts, first_name
from zermelo.languages.sections.read.grammar.tree import Expr, Statement
from zermelo.text.source import NOWHERE

NAMES = st.sampled_from(["a", "b", "Alpha", "posn", "C_1", "H_n", "x", "U", "A'", "α", "β_2", "é"])
"""Names of variables and sets, some of them spelt like signs."""
FUNCTIONS = st.sampled_from(["f", "lines", "P", "Check_2"])
PROCEDURES = st.sampled_from(["Expand", "Remove", "go"])
WORDS = st.sampled_from(["Beta", "Wins", "draw", "R", "lost", "1", "2"])


def _names(least: int, most: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(NAMES, min_size=least, max_size=most, unique=True).map(tuple)


def _tuples(
    items: st.SearchStrategy[Expr], least: int, most: int = 3
) -> st.SearchStrategy[tuple[Expr, ...]]:
    return st.lists(items, min_size=least, max_size=most).map(tuple)


def _words() -> st.SearchStrategy[Expr]:
    first = st.sampled_from(["Beta", "Wins", "draw", "2"])
    rest = st.lists(st.sampled_from(["Wins", "lost", "R"]), min_size=1, max_size=2)
    run = st.builds(lambda head, tail: tree.WordRun((head, *tail)), first, rest)
    quoted = st.lists(st.sampled_from(["Beta", "and", "x", "won!"]), max_size=3).map(tuple)
    return run | st.builds(tree.WordRun, quoted, st.just(value=True))


_NUMBERS = st.integers(0, 99) | st.integers(1, 400).map(lambda n: Fraction(2 * n + 1, 8))
LEAVES: st.SearchStrategy[Expr] = (
    st.builds(tree.Name, NAMES)
    | st.builds(tree.NumberLiteral, _NUMBERS)
    | st.builds(tree.TruthLiteral, st.booleans())
    | st.builds(tree.NumberSet, st.sampled_from(tree.NumberSetKind))
    | st.builds(tree.EmptySet)
    | _words()
)


def _folded(
    aggregate: tree.Aggregate, variable: str, domain: Expr | None, body: Expr
) -> tree.Folded:
    """A sum; without a limit the name that runs is the first one in its body."""
    return tree.Folded(aggregate, variable if domain else first_name(body), domain, body)


def _and(operands: tuple[Expr, ...]) -> tree.And:
    """A conjunction; one inside it becomes part of it."""
    return tree.And(tuple(part for operand in operands for part in conjuncts(operand)))


def _or(operands: tuple[Expr, ...]) -> tree.Or:
    """A disjunction; one inside it becomes part of it."""
    return tree.Or(tuple(part for operand in operands for part in disjuncts(operand)))


def _terms(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    items = inner | st.builds(tree.Range, inner, inner)
    return (
        st.builds(tree.SetOf, _tuples(items, 1))
        | st.builds(tree.TupleOf, _tuples(inner, 2))
        | st.builds(tree.SetBuilder, inner, st.none() | inner, inner)
        | st.builds(tree.Binary, st.sampled_from(tree.BinaryOp), inner, inner)
        | st.builds(tree.Product, _tuples(inner, 2))
        | st.builds(tree.Negate, inner)
        | st.builds(tree.BarsAround, inner)
        | st.builds(tree.Floor, inner)
        | st.builds(tree.Ceiling, inner)
        | st.builds(tree.PowerSet, inner)
        | st.builds(tree.Component, inner, st.integers(1, 12))
        | st.builds(tree.Apply, FUNCTIONS, _tuples(inner, 0))
        | st.builds(_folded, st.sampled_from(tree.Aggregate), NAMES, st.none() | inner, inner)
    )


def _formulas(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    links = st.tuples(st.sampled_from(tree.CompareOp), inner)
    chain = st.lists(links, min_size=1, max_size=2).map(tuple)
    return (
        st.builds(tree.Compare, inner, chain)
        | st.builds(tree.Not, inner)
        | st.builds(_and, _tuples(inner, 2))
        | st.builds(_or, _tuples(inner, 2))
        | st.builds(tree.Implies, inner, inner)
        | st.builds(tree.Iff, inner, inner)
        | st.builds(
            tree.Quantified,
            st.sampled_from(tree.Quantifier),
            _names(1, 3),
            st.none() | inner,
            inner,
        )
        | st.builds(
            tree.Quantified,
            st.sampled_from(tree.Quantifier),
            _names(2, 3),
            inner,
            inner,
            st.just(value=True),
        )
    )


EXPRESSIONS: st.SearchStrategy[Expr] = st.recursive(
    LEAVES, lambda inner: _terms(inner) | _formulas(inner), max_leaves=12
)
"""Expressions of every kind."""


def _targets() -> st.SearchStrategy[tree.Name | tree.TupleOf]:
    single = st.builds(tree.Name, NAMES)
    several = _names(2, 3).map(lambda names: tree.TupleOf(tuple(map(tree.Name, names))))
    return single | several


def _changed(name: str, places: tuple[Expr, ...], value: Expr) -> tree.Assign:
    """``name(places) = value``."""
    target = tree.Name(name)
    return tree.Assign(target, tree.overridden(target, places, value, NOWHERE))


SIMPLE: st.SearchStrategy[Statement] = (
    st.builds(tree.Assign, _targets(), EXPRESSIONS)
    | st.builds(_changed, NAMES, _tuples(EXPRESSIONS, 1, 2), EXPRESSIONS)
    | st.builds(tree.StepByOne, NAMES, st.booleans())
    | st.builds(tree.ProcedureCall, PROCEDURES, _tuples(EXPRESSIONS, 0, 2))
)


def _can_be_a_guard(expr: Expr) -> bool:
    """No text reads as a guard that is a set of one formula: its braces are brackets."""
    match expr:
        case tree.SetOf((tree.Compare() | tree.And() | tree.Or() | tree.Not(),)):
            return False
        case _:
            return True


GUARDS = EXPRESSIONS.filter(_can_be_a_guard)
RULES: st.SearchStrategy[tree.Rule] = st.recursive(
    st.builds(tree.Rule, GUARDS, st.lists(SIMPLE, min_size=1, max_size=3).map(tuple)),
    lambda inner: st.builds(
        tree.Rule, GUARDS, st.lists(SIMPLE | inner, min_size=1, max_size=2).map(tuple)
    ),
    max_leaves=3,
)
STATEMENTS: st.SearchStrategy[Statement] = (
    SIMPLE
    | RULES
    | st.builds(
        tree.Declaration,
        _names(1, 3),
        st.sampled_from((tree.DeclaredRelation.IN, tree.DeclaredRelation.SUBSET)),
        EXPRESSIONS,
    )
)
"""Statements of every kind that is a formula."""

SIGNS = st.sampled_from(
    [
        *"∧∨¬→↔∀∃∑∈∉⊆⊂∪∩∖×−+·/^=≠<≤>≥|()[]{}⌊⌋⌈⌉∅ℕℤ𝒫,;:._~!&*'\"$`%@#?\\ ̸\u200b…•—ƒ²₁",
        *("\\in", "\\cup ", "\\{", "\\}", "\\frac{", "\\text{", "\\mathbf{P}", "\\sum_{", "\\not"),
        *("->", "<=>", "..", "++", "--", "&lt;", "<sub>", "</sub>", "<br>", "//", "\\foo", "\n"),
        *("a", "b", "x", "U", "Free", "F ree", "f", "P", "Z", "N", "12", "6", "3.5", "and", "or"),
        *("not", "in", "mod", "sum", "such that", "set of", "is", "positive integers", "1 to 9"),
        *("true", "B wins", " ", "  ", "x ∈ S", "{x | ", "∃x ∈ S: ", "turn = ¬turn", " → "),
    ]
)
TEXTS = st.lists(SIGNS, max_size=25).map("".join)
"""Texts that look a little like formulas and mostly are none."""

_LINES = st.sampled_from(
    [
        r"$\mathbf{J} : \{(1, 1), (2, 2)\}, \{(1, 3), (2, 2)\}$",
        r"$\text{xposn}, \text{oposn} \subseteq \mathbf{P}$",
        r"$(\text{posn} \in \text{free}) \rightarrow \text{turn} = \neg \text{turn}$",
        r"$\text{lines}(\text{p} \subseteq \mathbf{P}) = |\mathcal{P}(\text{p}) \cap \text{w}|$",
        r"- **S**: $\{(x, y) \in \mathbf{P} \mid x \mod 2 = y \mod 2\}$",
        "over ↔ (|Alpha| = 0 ∨ Alpha f = ∅ ∧ |Alpha Y = 0 ∨ |Beta − E| = 0)",
        r"$$ok \wedge next \not \in \mathbf{S} \qquad \rightarrow \quad ok = \neg ok$$",
        "A : A is the set of positive integers x such that x is less than 4",
        "T : {(1,1),(1,2),(1,3)} Top Side of the Matrix (1st Row)",
        "ok ∈ V (Can be 1 or 0 (T or F))",
        "over ↔ (∃w(w ∈ W ∧ |w| = 3 ∧ ∑a∈w a < 15) ∨ ∀w (w ∈ W ∧ ∑a∈w a = 15))",
        "peg ∈ Peg ∧ pos ∈ Free → ok = ¬ok ∧ Occ = Occ ∪ {pos} ∧ (a → b = 1) ∧ Expand(pos)",
        "NextPlayerMove(peg ∈ P, pos ∈ S):",
        "{x ∈ 𝒫(S) | |x| = 3} − {{(1,1),(2,2),(3,3)}, {(1,3),(2,2),(3,1)}}",
    ]
)


@st.composite
def _damaged(draw: st.DrawFn) -> str:
    """A line of a document with a few pieces lost or put in."""
    line = draw(_LINES)
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(line)))
        end = min(len(line), start + draw(st.integers(0, 4)))
        line = line[:start] + draw(st.just("") | SIGNS) + line[end:]
    return line


DAMAGED = _damaged()
"""Lines as documents have them, damaged."""
