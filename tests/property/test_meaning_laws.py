"""Laws of meaning: no tree raises, and what comes out is a well-formed system."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.strategies import EXPRESSIONS, FUNCTIONS, NAMES, PROCEDURES, STATEMENTS
from tests.support.wellformed import flaws
from zermelo.languages.sections.mean.document import elaborate
from zermelo.languages.sections.mean.terms.formulas import resolve_expression
from zermelo.languages.sections.read.grammar import tree
from zermelo.text.headings import SectionKind
from zermelo.text.source import Source

SOURCE = Source("document.md", "")
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])

_NAMES = st.lists(NAMES, min_size=1, max_size=2, unique=True).map(tuple)
_RELATIONS = st.sampled_from(tree.DeclaredRelation)
_PARAMETERS = st.lists(
    st.builds(tree.Parameter, NAMES) | st.builds(tree.Parameter, NAMES, _RELATIONS, EXPRESSIONS),
    max_size=2,
    unique_by=lambda parameter: parameter.name,
).map(tuple)
_ITEMS = (
    st.builds(tree.SetDefinition, NAMES, EXPRESSIONS)
    | st.builds(tree.SetDefinition, st.just("H"), EXPRESSIONS, st.just("n"))
    | st.builds(tree.Declaration, _NAMES, _RELATIONS, EXPRESSIONS)
    | st.builds(tree.Fact, EXPRESSIONS)
    | st.builds(tree.Initial, _NAMES, EXPRESSIONS)
    | st.builds(tree.FunctionDefinition, FUNCTIONS, _PARAMETERS, EXPRESSIONS)
    | st.builds(
        tree.Procedure, PROCEDURES, _PARAMETERS, st.lists(STATEMENTS, max_size=3).map(tuple)
    )
)
DOCUMENTS = st.lists(_ITEMS, min_size=1, max_size=8).map(
    lambda items: tree.SectionsDocument((), (tree.Section(SectionKind.BEHAVIOUR, tuple(items)),))
)


@QUICK
@given(DOCUMENTS)
def test_no_document_raises_and_every_system_is_well_formed(
    document: tree.SectionsDocument,
) -> None:
    system = elaborate(document, SOURCE, choices={}).value

    assert system is None or flaws(system) == ()


@QUICK
@given(DOCUMENTS)
def test_a_document_means_the_same_each_time(document: tree.SectionsDocument) -> None:
    first = elaborate(document, SOURCE, choices={})
    second = elaborate(document, SOURCE, choices={})

    assert first == second


@QUICK
@given(DOCUMENTS, EXPRESSIONS)
def test_no_expression_beside_a_document_raises(
    document: tree.SectionsDocument, expr: tree.Expr
) -> None:
    system = elaborate(document, SOURCE, choices={}).value

    if system is not None:
        found = resolve_expression(expr, system, {})
        assert found.value is not None or found.diagnostics
