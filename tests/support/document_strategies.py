"""Random documents with sections, for laws.

Every name that is used is declared, and values stand where a document has them:
what words such as ``Top Side`` mean beside a formula is not a question of laws.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from hypothesis import strategies as st

from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.tree import Expr, Statement
from zermelo.text.headings import SectionKind
from zermelo.text.lines import Setting

ItemT = TypeVar("ItemT", bound=tree.Item)

SETS = ("P", "R", "Cell", "H_1", "N")
VARIABLES = ("turn", "Free", "x", "U", "posn", "a", "b")
_FUNCTIONS = ("lines", "Check_2")
_PROCEDURES = ("Move", "GameOver", "Expand")
_TEXT = st.sampled_from(
    [
        "Top Side of the Matrix (1st Row)",
        "why",
        "see http://example.org // and there",
        "x = 1 is meant",
        "System Facts",
        "∧ and → are signs",
        "(unclosed",
        "100 % sure: yes",
        "- a dash",
        "`code` and **bold**",
    ]
)
_NOTES = st.just("") | _TEXT
_SET_NAMES = st.builds(tree.Name, st.sampled_from(SETS))
_VARIABLE_NAMES = st.builds(tree.Name, st.sampled_from(VARIABLES))
_NUMBERS = st.builds(tree.NumberLiteral, st.integers(0, 40))
_TUPLES = st.lists(_NUMBERS | _VARIABLE_NAMES, min_size=2, max_size=3).map(
    lambda items: tree.TupleOf(tuple(items))
)
_WORDS = st.sampled_from([("Beta", "Wins"), ("no", "one", "wins")]).map(tree.WordRun)
_MEMBERS: st.SearchStrategy[Expr] = _NUMBERS | _VARIABLE_NAMES | _TUPLES | _WORDS
_SET_OPERATORS = st.sampled_from(
    [
        tree.BinaryOp.UNION,
        tree.BinaryOp.INTERSECTION,
        tree.BinaryOp.MINUS,
        tree.BinaryOp.DIFFERENCE,
    ]
)


def _larger_sets(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    condition = st.builds(
        lambda left, right: tree.Compare(left, ((tree.CompareOp.LE, right),)),
        _VARIABLE_NAMES,
        _NUMBERS,
    )
    return (
        st.builds(tree.Binary, _SET_OPERATORS, inner, inner)
        | st.builds(tree.PowerSet, inner)
        | st.builds(tree.SetBuilder, _VARIABLE_NAMES, inner, condition)
    )


SET_VALUES: st.SearchStrategy[Expr] = st.recursive(
    _SET_NAMES
    | st.builds(tree.EmptySet)
    | st.lists(_MEMBERS, min_size=1, max_size=3).map(lambda items: tree.SetOf(tuple(items))),
    _larger_sets,
    max_leaves=4,
)
_RELATIONS = st.sampled_from(
    [tree.CompareOp.EQ, tree.CompareOp.NE, tree.CompareOp.IN, tree.CompareOp.NOT_IN]
)
_ATOMS: st.SearchStrategy[Expr] = (
    _VARIABLE_NAMES
    | st.builds(
        lambda left, op, right: tree.Compare(left, ((op, right),)),
        _VARIABLE_NAMES | _TUPLES | st.builds(tree.BarsAround, SET_VALUES),
        _RELATIONS,
        SET_VALUES,
    )
    | st.builds(tree.Apply, st.sampled_from(_FUNCTIONS), st.tuples(SET_VALUES))
)


def _larger_formulas(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    unlike = st.tuples(inner, _ATOMS)
    return (
        st.builds(tree.Not, inner)
        | unlike.filter(lambda pair: not isinstance(pair[0], tree.And)).map(tree.And)
        | unlike.filter(lambda pair: not isinstance(pair[0], tree.Or)).map(tree.Or)
        | st.builds(
            tree.Quantified, st.sampled_from(tree.Quantifier), st.just(("w",)), SET_VALUES, inner
        )
    )


FORMULAS: st.SearchStrategy[Expr] = st.recursive(_ATOMS, _larger_formulas, max_leaves=4)
_FACTS = FORMULAS.filter(lambda formula: not isinstance(formula, tree.Name | tree.Apply)) | (
    st.builds(tree.Iff, _VARIABLE_NAMES, FORMULAS) | st.builds(tree.Implies, FORMULAS, FORMULAS)
)


def _noted(items: st.SearchStrategy[ItemT]) -> st.SearchStrategy[ItemT]:
    return st.builds(lambda item, note: replace(item, note=note), items, _NOTES)


def _names(pool: tuple[str, ...], most: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(pool), min_size=1, max_size=most, unique=True).map(tuple)


PROSE = st.lists(_TEXT, min_size=1, max_size=3).map(lambda lines: tree.Prose(tuple(lines)))
_VALUES = SET_VALUES | FORMULAS | _NUMBERS | _WORDS
_ASSIGNMENTS: st.SearchStrategy[Statement] = (
    st.builds(tree.Assign, _VARIABLE_NAMES, _VALUES)
    | st.builds(tree.StepByOne, st.sampled_from(VARIABLES), st.booleans())
    | st.builds(tree.ProcedureCall, st.sampled_from(_PROCEDURES), st.tuples(_VARIABLE_NAMES))
)
_SIMPLE = _noted(_ASSIGNMENTS)


def _rules(inner: st.SearchStrategy[Statement]) -> st.SearchStrategy[tree.Rule]:
    """Rules whose conclusion begins with a statement; words may stand inside."""
    rest = st.lists(inner | PROSE, max_size=2)
    return _noted(
        st.builds(
            lambda guard, first, more: tree.Rule(guard, (first, *more)),
            FORMULAS,
            _ASSIGNMENTS,
            rest,
        )
    )


RULES: st.SearchStrategy[Statement] = st.recursive(
    _rules(_SIMPLE), lambda inner: _rules(inner | _SIMPLE), max_leaves=3
)
_TIES = (tree.DeclaredRelation.IN, tree.DeclaredRelation.SUBSET)
_DECLARATIONS = _noted(
    st.builds(tree.Declaration, _names(VARIABLES, 3), st.sampled_from(_TIES), SET_VALUES)
)
_FUNCTION_VARIABLES = _noted(
    st.builds(
        tree.Declaration,
        _names(VARIABLES, 2),
        st.just(tree.DeclaredRelation.FUNCTION),
        st.tuples(SET_VALUES, SET_VALUES).map(tree.Product),
    )
)
BODIES = st.lists(_SIMPLE | RULES | PROSE | _DECLARATIONS, max_size=4).map(tuple)
_PARAMETERS = st.lists(
    st.builds(
        tree.Parameter,
        st.sampled_from(VARIABLES),
        st.sampled_from(_TIES),
        SET_VALUES,
    ),
    min_size=1,
    max_size=2,
    unique_by=lambda parameter: parameter.name,
).map(tuple)


_SETTINGS = st.builds(
    Setting,
    st.sampled_from(["order", "order of GameOver", "cell (r, c)", "flag ok"]),
    st.sampled_from(["in order", "A when turn, B when ¬turn", "{x ∈ P | x > 1}"]),
    _NOTES,
)
_PROPERTIES = st.builds(
    Setting,
    st.sampled_from(["always", "sometimes", "never"]),
    st.sampled_from(["stuck", "∀p ∈ P: legal(Move(p))", "|Alpha| ≤ 3", "turn of A"]),
    _NOTES,
)
_ERRATA = st.builds(
    tree.Erratum,
    st.sampled_from(["bTurn ∈ B", 'say "no"', "|Alpha Y|"]),
    st.sampled_from(["turn ∈ B", "Free"]),
    st.sampled_from(["", "the rules say turn", "a: b"]),
)
_ANY_SET = tree.SetOf((tree.NumberLiteral(1),))
_ANY_PARAMETER = tree.Parameter("posn", tree.DeclaredRelation.IN, tree.Name("P"))
_KNOWN: dict[SectionKind, tuple[tree.SectionItem, ...]] = {
    SectionKind.SETS: tuple(tree.SetDefinition(name, _ANY_SET) for name in SETS),
    SectionKind.VARIABLES: (tree.Declaration(VARIABLES, tree.DeclaredRelation.IN, tree.Name("P")),),
    SectionKind.FACTS: (),
    SectionKind.INITIALISATION: (),
    SectionKind.BEHAVIOUR: (
        *(tree.FunctionDefinition(name, (_ANY_PARAMETER,), _ANY_SET) for name in _FUNCTIONS),
        *(tree.Procedure(name, (_ANY_PARAMETER,), ()) for name in _PROCEDURES),
    ),
    SectionKind.READING: (),
    SectionKind.ERRATA: (),
    SectionKind.VIEW: (),
    SectionKind.PROPERTIES: (),
}
"""What stands in every document, so that each name in it is declared."""
_DEFINITIONS = st.builds(tree.SetDefinition, st.sampled_from(["A", "E", "Rows"]), SET_VALUES)
_NEW_FUNCTIONS = st.builds(
    tree.FunctionDefinition, st.just("new"), _PARAMETERS, FORMULAS | SET_VALUES
)
_NEW_PROCEDURES = st.builds(tree.Procedure, st.just("Next"), _PARAMETERS, BODIES)
_NEW: dict[SectionKind, st.SearchStrategy[tree.SectionItem]] = {
    SectionKind.SETS: _noted(_DEFINITIONS) | PROSE,
    SectionKind.VARIABLES: _DECLARATIONS | _FUNCTION_VARIABLES | PROSE,
    SectionKind.FACTS: _noted(st.builds(tree.Fact, _FACTS)) | PROSE,
    SectionKind.INITIALISATION: _noted(st.builds(tree.Initial, _names(VARIABLES, 2), _VALUES))
    | PROSE,
    SectionKind.BEHAVIOUR: _noted(_NEW_FUNCTIONS) | _noted(_NEW_PROCEDURES),
    SectionKind.READING: _SETTINGS | PROSE,
    SectionKind.ERRATA: _ERRATA | PROSE,
    SectionKind.VIEW: _SETTINGS | PROSE,
    SectionKind.PROPERTIES: _PROPERTIES | PROSE,
}
_PREAMBLE = st.sampled_from(
    [(), ("# A title", "", "Due: August 1"), ("- Sets T and M are rows", "x = 1")]
)


@st.composite
def _documents(draw: st.DrawFn) -> tree.SectionsDocument:
    chosen = draw(st.sampled_from(SectionKind))
    most = 1 if chosen is SectionKind.BEHAVIOUR else 3
    items = draw(st.lists(_NEW[chosen], min_size=1, max_size=most))
    sections = tuple(
        tree.Section(kind, (*known, *(items if kind is chosen else ())))
        for kind, known in _KNOWN.items()
    )
    return tree.SectionsDocument(draw(_PREAMBLE), sections)


DOCUMENTS: st.SearchStrategy[tree.SectionsDocument] = _documents()
"""Documents with every section, of which one has items that are drawn."""
