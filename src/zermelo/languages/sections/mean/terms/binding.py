"""Names that quantifiers, builders and sums bind, and the sets they range over.

Works on trees: it finds which conjunct says where a bound name comes from, so that
``∃w (w ∈ W ∧ φ)`` and ``{(x, y) | x ∈ A ∧ y ∈ B}`` have domains like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.traversal import inside, parts
from zermelo.languages.sections.read.grammar.tree import CompareOp, Quantifier

_LESS = frozenset({CompareOp.LT, CompareOp.LE})
_GREATER = frozenset({CompareOp.GT, CompareOp.GE})
IsKnown: TypeAlias = Callable[[str], bool]
"""Whether a name means something around the expression."""


@dataclass(frozen=True, slots=True)
class Generator:
    """Names and the set their values come from, as a formula says."""

    names: tuple[str, ...]
    domain: tree.Expr
    is_tuple: bool = False
    is_exact: bool = True
    """Whether the formula says nothing more, so that the binder makes it superfluous."""


@dataclass(frozen=True, slots=True)
class FoundGenerator:
    """Where a bound name comes from, and what is left to be tested."""

    generator: Generator
    rest: tree.Expr | None
    """``None`` when nothing is left."""
    is_conjunct: bool = True
    """Whether it was a conjunct of the whole body, not the condition of an implication."""


def conjuncts(expr: tree.Expr) -> tuple[tree.Expr, ...]:
    """The operands of a conjunction, nested ones taken apart, or the expression itself."""
    if isinstance(expr, tree.And):
        return tuple(c for operand in expr.operands for c in conjuncts(operand))
    return (expr,)


def conjunction(operands: Sequence[tree.Expr]) -> tree.Expr | None:
    """The conjunction of *operands*; ``None`` if there are none."""
    if len(operands) < 2:
        return operands[0] if operands else None
    return tree.And(tuple(operands), span=operands[0].span.to(operands[-1].span))


def mentions(expr: tree.Expr, names: Sequence[str]) -> bool:
    """Whether one of *names* stands in *expr*, also as the index of a family."""
    wanted = set(names)
    for node in inside(expr):
        match node:
            case tree.Name(text=text) if text in wanted or index_of(text) in wanted:
                return True
            case tree.WordRun(words=words) if wanted.intersection(words):
                return True
            case tree.Apply(name=name) if name in wanted:
                return True
    return False


def index_of(name: str) -> str | None:
    """What stands after the last ``_`` of *name*.

    >>> index_of("H_n"), index_of("H")
    ('n', None)
    """
    base, mark, index = name.rpartition("_")
    return index if mark and base and index else None


def pattern(expr: tree.Expr) -> tuple[str, ...] | None:
    """The names of a pattern: one name or a tuple of names; ``None`` if it is neither."""
    items = expr.items if isinstance(expr, tree.TupleOf) else (expr,)
    names = tuple(item.text for item in items if isinstance(item, tree.Name))
    return names if len(names) == len(items) else None


def unfolded(
    shape: tree.TupleOf, domain: tree.Expr
) -> tuple[tuple[Generator, ...], tuple[tree.Expr, ...]]:
    """The generators of a pattern with tuples inside, and what its other parts must equal.

    ``((x, y), k) ∈ D`` binds ``(x, y)``, under that name, and k; then x and y are the
    components of the one member of ``{(x, y)}``. A part that is neither is compared.
    """
    names: list[str] = []
    inner: list[Generator] = []
    tests: list[tree.Expr] = []
    for place, item in enumerate(shape.items, 1):
        if isinstance(item, tree.Name):
            names.append(item.text)
            continue
        name = f"({', '.join(bound_in(item))})" if isinstance(item, tree.TupleOf) else f"·{place}"
        whole = tree.Name(name, span=item.span)
        names.append(name)
        if isinstance(item, tree.TupleOf):
            deeper, more = unfolded(item, tree.SetOf((whole,), span=item.span))
            inner += deeper
            tests += more
        else:
            same = ((CompareOp.EQ, item),)
            tests.append(tree.Compare(whole, same, span=item.span))
    first = Generator(tuple(names), domain, is_tuple=True)
    return (first, *inner), tuple(tests)


def bound_in(shape: tree.Expr) -> tuple[str, ...]:
    """The names that a pattern binds, also inside the tuples in it."""
    match shape:
        case tree.Name(text=text):
            return (text,)
        case tree.TupleOf(items=items):
            return tuple(dict.fromkeys(name for item in items for name in bound_in(item)))
        case _:
            return ()


def generator(formula: tree.Expr, names: Sequence[str]) -> Generator | None:
    """What *formula* says about where *names* come from, if it says it of them alone."""
    if not isinstance(formula, tree.Compare):
        return None
    left, (op, right) = formula.first, formula.rest[0]
    is_exact = len(formula.rest) == 1
    if op in {CompareOp.IN, CompareOp.SUBSET}:
        domain = right if op is CompareOp.IN else tree.PowerSet(right, span=right.span)
        sides = [(left, right, domain)]
    elif op is CompareOp.EQ and is_exact:
        # ``x = e`` and ``e = x``: the one member of ``{e}``.
        sides = [(a, b, tree.SetOf((b,), span=b.span)) for a, b in ((left, right), (right, left))]
    else:
        return None
    for side, other, domain in sides:
        bound = pattern(side)
        if bound is not None and set(bound) <= set(names) and not mentions(other, bound):
            is_tuple = isinstance(side, tree.TupleOf)
            return Generator(bound, domain, is_tuple=is_tuple, is_exact=is_exact)
    return None


def find(names: Sequence[str], body: tree.Expr) -> FoundGenerator | None:
    """Where *names*, or some of them, come from by what *body* says."""
    operands = conjuncts(body)
    direct = [(g, i) for i, o in enumerate(operands) if (g := generator(o, names)) is not None]
    if direct:
        # A set named by ∈ says what the author had in mind; an equation only happens to pin a name.
        best, place = min(direct, key=lambda pair: isinstance(pair[0].domain, tree.SetOf))
        rest = [o for i, o in enumerate(operands) if i != place or not best.is_exact]
        return FoundGenerator(best, conjunction(rest))
    match body:
        case tree.Implies(left=left, right=right):
            found = find(names, left)
            if found is None:
                return None
            then: tree.Expr = right
            if found.rest is not None:
                then = tree.Implies(found.rest, right, span=found.rest.span.to(right.span))
            return replace(found, rest=then, is_conjunct=False)
        case tree.Or(operands=cases):
            first, *others = [find(names, case) for case in cases]
            if first is None or any(f is None or f.generator != first.generator for f in others):
                return None
            return replace(first, rest=body)
        case _:
            return _deeper(names, body, operands)


def _deeper(
    names: Sequence[str], body: tree.Expr, operands: Sequence[tree.Expr]
) -> FoundGenerator | None:
    """Below an inner quantifier: ``∃x ∃y (x ∈ A ∧ …)``."""
    for operand in operands:
        inner = operand.operand if isinstance(operand, tree.Not) else operand
        if not isinstance(inner, tree.Quantified):
            continue
        free = [n for n in names if n not in inner.variables]
        found = find(free, inner.body) if free else None
        if found is not None and not mentions(found.generator.domain, inner.variables):
            return replace(found, rest=body)
    return None


def joined(
    quantifier: Quantifier, variables: Sequence[str], body: tree.Expr
) -> tree.Quantified | None:
    """``∃x ∃y φ`` as ``∃x, y φ``, where a tuple in φ says where x and y come from together."""
    if not isinstance(body, tree.Quantified) or body.quantifier is not quantifier:
        return None
    if body.domain is not None or set(variables).intersection(body.variables):
        return None
    names = (*variables, *body.variables)
    found = find(names, body.body)
    if found is None:
        return joined(quantifier, names, body.body)
    is_told = set(found.generator.names).intersection(variables)
    return replace(body, variables=names) if is_told else None


def bounds(name: str, body: tree.Expr, waiting: Sequence[str] = ()) -> tree.Expr | None:
    """``{low..high}`` if comparisons in *body* bound *name* from below and above.

    Bounds with names that are *waiting* for sets of their own are none.
    """
    low: tree.Expr | None = None
    high: tree.Expr | None = None
    for left, op, right in _links(body):
        if pattern(left) == (name,):
            limit, is_high, is_low = right, op in _LESS, op in _GREATER
        elif pattern(right) == (name,):
            limit, is_high, is_low = left, op in _GREATER, op in _LESS
        else:
            continue
        if mentions(limit, (name, *waiting)):
            continue
        if is_high:
            high = high or limit
        if is_low:
            low = low or limit
    if low is None or high is None:
        return None
    span = low.span.to(high.span)
    return tree.SetOf((tree.Range(low, high, span=span),), span=span)


def _links(body: tree.Expr) -> Iterator[tuple[tree.Expr, CompareOp, tree.Expr]]:
    """The comparisons that hold wherever *body* holds: of its conjuncts or its condition."""
    condition = body.left if isinstance(body, tree.Implies) else body
    for operand in conjuncts(condition):
        if isinstance(operand, tree.Compare):
            terms = (operand.first, *(right for _, right in operand.rest))
            for at, (op, right) in enumerate(operand.rest):
                yield terms[at], op, right
                # In `1 ≤ i < j ≤ 4` the 4 bounds i as well.
                way = next((way for way in (_LESS, _GREATER) if op in way), frozenset())
                for further, last in operand.rest[at + 1 :]:
                    if further not in way:
                        break
                    yield terms[at], op, last


def next_generator(
    waiting: Sequence[str], conditions: Sequence[tree.Expr]
) -> tuple[int | None, Generator] | None:
    """The next set that can be listed: it needs no name that is still waiting."""
    found: list[tuple[bool, int, Generator]] = []
    for place, condition in enumerate(conditions):
        source = generator(condition, waiting)
        if source is not None and not mentions(source.domain, waiting):
            found.append((isinstance(source.domain, tree.PowerSet), place, source))
    if found:
        _, place, nearest = min(found, key=lambda f: f[:2])
        return place, nearest
    together = conjunction(conditions)
    for name in waiting:
        limits = None if together is None else bounds(name, together, waiting)
        if limits is not None:
            return None, Generator((name,), limits)
    return None


def builder_names(builder: tree.SetBuilder, is_known: IsKnown) -> tuple[str, ...]:
    """The names that *builder* binds, in the order in which they are met."""
    bound: dict[str, None] = {}
    is_shape = isinstance(builder.result, tree.Name | tree.TupleOf)
    if builder.domain is not None:
        bound.update(dict.fromkeys(bound_in(builder.result)))
    elif pattern(builder.result) is not None:
        # What is declared, and not in the condition, is used: the number n in `{(n, c) | c ∈ C}`.
        bound.update(
            (n, None)
            for n in bound_in(builder.result)
            if not is_known(n) or mentions(builder.condition, (n,))
        )
    else:
        bound.update((n, None) for n in bound_in(builder.result) if not is_known(n))
    if builder.domain is None or not is_shape:
        for operand in conjuncts(builder.condition):
            bound.update(dict.fromkeys(_generated(operand, is_known)))
    return tuple(bound)


def _generated(formula: tree.Expr, is_known: IsKnown) -> tuple[str, ...]:
    """The unknown names that *formula* says a set for."""
    if not isinstance(formula, tree.Compare) or formula.rest[0][0] is not CompareOp.IN:
        return ()
    names = pattern(formula.first)
    return tuple(n for n in names or () if not is_known(n))


def scoped(
    expr: tree.Expr, bound: frozenset[str], is_known: IsKnown
) -> Iterator[tuple[tree.Expr, frozenset[str]]]:
    """*expr* and everything inside it, each with the names bound around it."""
    yield expr, bound
    names: tuple[str, ...]
    bodies: tuple[tree.Expr, ...]
    match expr:
        case tree.Quantified(domain=domain, body=body) | tree.Folded(domain=domain, body=body):
            names, bodies = expr.variables, (body,)
        case tree.SetBuilder(result=result, domain=domain, condition=condition):
            names = builder_names(expr, lambda n: n in bound or is_known(n))
            bodies = (result, condition)
        case _:
            names, domain, bodies = (), None, parts(expr)
    if domain is not None:
        yield from scoped(domain, bound, is_known)
    inner = bound.union(names)
    for part in bodies:
        yield from scoped(part, inner, is_known)
