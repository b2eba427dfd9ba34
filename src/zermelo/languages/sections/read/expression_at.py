"""What stands at a place of a document: the smallest expression there, and what binds its names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.printer import to_text
from zermelo.languages.sections.read.grammar.traversal import (
    expressions_in,
    inside,
    is_free,
    membership,
    mentioned,
    parts,
    statements,
)
from zermelo.text.editing import BoundName, ExpressionAt
from zermelo.text.source import NOWHERE, Span


def expression_at(document: tree.SectionsDocument, span: Span) -> ExpressionAt | None:
    """The smallest expression or name of *document* that covers *span*."""
    for section in document.sections:
        for item in section.items:
            if isinstance(item, tree.SyntaxNode):
                found = _in_item(item, span)
                if found is not None:
                    return found
    return None


@dataclass(frozen=True, slots=True)
class _Place:
    """An expression, and the names that are bound around it."""

    expr: tree.Expr
    bound: tuple[BoundName, ...] = ()


def _in_item(item: tree.SectionItem, span: Span) -> ExpressionAt | None:
    for place in _roots(item):
        if place.expr.span != NOWHERE and place.expr.span.covers(span):
            return _smallest(place, span)
    return None


def _roots(item: tree.SectionItem) -> Iterator[_Place]:
    """The names and the whole expressions of *item*."""
    match item:
        case tree.SetDefinition(name=name, value=value, index=index):
            bound = () if index is None else (BoundName(index, f"the index of {name}"),)
            if index is None:
                yield _Place(tree.Name(name, span=item.name_span))
            yield _Place(value, bound)
        case tree.Declaration() | tree.Initial():
            yield from _names(item)
            yield _Place(item.domain if isinstance(item, tree.Declaration) else item.value)
        case tree.Fact(formula=formula):
            yield _Place(formula)
        case tree.FunctionDefinition(parameters=parameters, body=body):
            yield from _parameters(item.name, parameters)
            yield _Place(body, _bound_by(item.name, parameters))
        case tree.Procedure(parameters=parameters, body=statements_):
            yield from _parameters(item.name, parameters)
            yield from _in_body(statements_, _bound_by(item.name, parameters))
        case _:
            pass


def _in_body(body: Iterable[tree.Statement], bound: tuple[BoundName, ...]) -> Iterator[_Place]:
    for statement in statements(body):
        match statement:
            case tree.Declaration():
                yield from _names(statement)
            case tree.Assign(target=target):
                yield _Place(target, bound)
            case _:
                pass
    for expr in expressions_in(body):
        yield _Place(expr, bound)


def _names(item: tree.Declaration | tree.Initial) -> Iterator[_Place]:
    for name, span in zip(item.names, item.name_spans, strict=False):
        yield _Place(tree.Name(name, span=span))


def _parameters(name: str, parameters: tuple[tree.Parameter, ...]) -> Iterator[_Place]:
    bound = _bound_by(name, parameters)
    for each in parameters:
        if each.domain is not None:
            yield _Place(each.domain)
        yield _Place(tree.Name(each.name, span=each.span), bound)


def _bound_by(name: str, parameters: tuple[tree.Parameter, ...]) -> tuple[BoundName, ...]:
    """The parameters of *name*; one without a set is the variable of that name."""
    return tuple(
        BoundName(each.name, f"a parameter of {name}, {_range(each.relation, each.domain)}")
        for each in parameters
        if each.domain is not None
    )


def _range(relation: tree.DeclaredRelation | None, domain: tree.Expr) -> str:
    is_subset = relation in {tree.DeclaredRelation.SUBSET, tree.DeclaredRelation.FUNCTION}
    return f"{'a subset' if is_subset else 'a member'} of {to_text(domain)}"


def _smallest(place: _Place, span: Span) -> ExpressionAt:
    """The innermost expression around *span*."""
    while True:
        inner = next(
            (each for each in parts(place.expr) if each.span != NOWHERE and each.span.covers(span)),
            None,
        )
        if inner is None:
            break
        place = _Place(inner, (*place.bound, *_binds(place.expr, inner)))
    bound = {each.name: each for each in place.bound if is_free(each.name, place.expr)}
    return ExpressionAt(to_text(place.expr), place.expr.span, tuple(bound.values()))


def _binds(outer: tree.Expr, inner: tree.Expr) -> Iterator[BoundName]:
    """The names that *outer* binds in its part *inner*."""
    match outer:
        case tree.Quantified(variables=names, domain=domain) if inner is not domain:
            word = "every" if outer.quantifier is tree.Quantifier.ALL else "some"
        case tree.Folded(domain=domain) if inner is not domain:
            names, word = outer.variables, "every"
        case tree.SetBuilder(result=result, domain=domain) if inner is not domain:
            names, word = tuple(sorted(mentioned(result))), "any"
        case _:
            return
    for name in names:
        of = domain or _said_of(name, outer)
        yield BoundName(name, f"{word} {'value' if of is None else f'member of {to_text(of)}'}")


def _said_of(name: str, outer: tree.Expr) -> tree.Expr | None:
    """The set that *outer* says *name* to be in, where it does not say it at once."""
    for each in inside(outer):
        found = membership(each)
        if found is not None and isinstance(found[0], tree.Name) and found[0].text == name:
            return found[1]
    return None
