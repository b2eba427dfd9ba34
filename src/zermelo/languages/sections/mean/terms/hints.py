"""What can be told about a name from how it is used: its type, or the set of an index."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from zermelo.core.types import NUMBER, TRUTH, UNKNOWN, SetType, Type
from zermelo.languages.sections.mean.items import Items
from zermelo.languages.sections.mean.terms import binding, walk
from zermelo.languages.sections.mean.terms.typed import is_known
from zermelo.languages.sections.read.grammar import tree


def expressions(document: Items) -> Iterator[tree.Expr]:
    """Every outermost expression of *document*."""
    yield from (definition.value for definition in document.sets)
    yield from (declaration.domain for declaration in document.declarations)
    yield from (fact.formula for fact in document.facts)
    yield from (initial.value for initial in document.initials)
    yield from (function.body for function in document.functions)
    heads = [function.parameters for function in document.functions]
    heads += [procedure.parameters for procedure in document.procedures]
    for parameter in (parameter for head in heads for parameter in head):
        if parameter.domain is not None:
            yield parameter.domain
    for procedure in document.procedures:
        yield from walk.expressions_in(procedure.body)


def index_set_in(index: str, value: tree.Expr) -> tree.Expr | None:
    """The set that the index of a family ranges over, if its members' conditions say so."""
    for node in walk.inside(value):
        if isinstance(node, tree.Builder):
            found = binding.find((index,), node.condition)
            if found is not None and not isinstance(found.generator.domain, tree.SetOf):
                return found.generator.domain
            if found is None and (limits := binding.bounds(index, node.condition)) is not None:
                return limits
    return None


def index_set_by_use(
    family: str, document: Items, *, is_set: Callable[[str], bool]
) -> tree.Expr | None:
    """The set that quantifiers take indices of *family* from, or the indices that are used."""
    used: list[tree.Number] = []
    for expr in expressions(document):
        for node in walk.inside(expr):
            match node:
                case tree.Quantified(variables=names, domain=tree.Name() as domain):
                    if _indexes(family, names, node.body) and is_set(domain.text):
                        return domain
                case tree.Name(text=text) if text.startswith(f"{family}_"):
                    index = binding.index_of(text) or ""
                    if index.isdecimal():
                        used.append(tree.Number(int(index), span=node.span))
                case _:
                    pass
    if not used:
        return None
    numbers = sorted(dict.fromkeys(used), key=lambda n: n.value)
    return tree.SetOf(tuple(numbers), span=used[0].span)


def _indexes(family: str, names: tuple[str, ...], body: tree.Expr) -> bool:
    wanted = {f"{family}_{name}" for name in names}
    return any(isinstance(n, tree.Name) and n.text in wanted for n in walk.inside(body))


def type_by_use(name: str, exprs: tuple[tree.Expr, ...]) -> Type:
    """The type of *name*, by the operators it stands beside."""
    for expr in exprs:
        for node in walk.inside(expr):
            kind = _type_in(node, name)
            if is_known(kind):
                return kind
    return UNKNOWN


_SET_OPERATORS = frozenset(
    {tree.BinaryOp.UNION, tree.BinaryOp.INTERSECTION, tree.BinaryOp.DIFFERENCE}
)
_ORDERS = frozenset({tree.CompareOp.LT, tree.CompareOp.LE, tree.CompareOp.GT, tree.CompareOp.GE})
_INCLUSIONS = frozenset({tree.CompareOp.SUBSET, tree.CompareOp.NOT_SUBSET})


def _type_in(node: tree.Expr, name: str) -> Type:
    this = tree.Name(name)
    match node:
        case tree.Bars(operand=operand) | tree.PowerSet(operand=operand) if operand == this:
            return SetType(UNKNOWN)
        case tree.Folded(domain=domain) if domain == this:
            return SetType(NUMBER)
        case tree.Binary(op=op, left=left, right=right) if this in {left, right}:
            return _type_of_operand(op)
        case tree.Not(operand=operand) if operand == this:
            return TRUTH
        case tree.And(operands=operands) | tree.Or(operands=operands) if this in operands:
            return TRUTH
        case tree.Compare():
            return _type_in_comparison(node, this)
        case _:
            return UNKNOWN


def _type_of_operand(op: tree.BinaryOp) -> Type:
    if op in _SET_OPERATORS:
        return SetType(UNKNOWN)
    return UNKNOWN if op is tree.BinaryOp.MINUS else NUMBER


def _type_in_comparison(node: tree.Compare, this: tree.Name) -> Type:
    left = node.first
    for op, right in node.rest:
        if op in _ORDERS and this in {left, right}:
            return NUMBER
        if op in _INCLUSIONS and this in {left, right}:
            return SetType(UNKNOWN)
        if op in {tree.CompareOp.IN, tree.CompareOp.NOT_IN} and right == this:
            return SetType(UNKNOWN)
        if op is tree.CompareOp.EQ and this in {left, right}:
            other = right if left == this else left
            if isinstance(other, tree.Number):
                return NUMBER
            if isinstance(other, tree.Truth):
                return TRUTH
        left = right
    return UNKNOWN


def is_used_as_truth(names: frozenset[str], document: Items) -> bool:
    """Whether a variable called one of *names* stands where truth values stand, and only there."""
    uses = [_truth_use(node, names) for expr in expressions(document) for node in walk.inside(expr)]
    guards = [g for p in document.procedures for g in walk.guards_in(p.body)]
    is_guard = any(isinstance(g, tree.Name) and g.text in names for g in guards)
    return (True in uses or is_guard) and False not in uses


def _truth_use(node: tree.Expr, names: frozenset[str]) -> bool | None:
    """Whether one of *names* is an operand of a connective; ``False`` if of arithmetic."""

    def has(*operands: tree.Expr) -> bool:
        return any(isinstance(o, tree.Name) and o.text in names for o in operands)

    match node:
        case tree.Not(operand=operand) if has(operand):
            return True
        case tree.And(operands=operands) | tree.Or(operands=operands) if has(*operands):
            return True
        case tree.Implies(left=left, right=right) | tree.Iff(left=left, right=right):
            return True if has(left, right) else None
        case tree.Binary(left=left, right=right) if has(left, right):
            return False
        case _:
            return None
