"""Quantifiers over tuples: ``some (x, y) in S. p(x, y)``, said without them.

There is a pair in S of which p holds if and only if the set of all such pairs is not
empty, and sentences in sets bind the components of tuples already.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import assert_never

from zermelo.languages.led.read import tree
from zermelo.languages.led.read.tree import Expr, Prefix, QuantifierSign, Sign
from zermelo.languages.led.read.walk import children, with_children


def unfolded(expr: tree.Quantified) -> Expr:
    """What *expr* says, which binds components; members that are no such tuples are left out.

    The names it binds get others that nobody can type: a sentence in a set binds only
    names that have no value, and a quantifier binds any.
    """
    span = expr.span
    fresh = {name: f"{name}′{span.start}" for name in expr.names}
    pattern = tree.TupleOf(
        tuple(tree.Name(fresh[name], span=span) for name in expr.names), span=span
    )
    member = tree.Binary(Sign.IN, pattern, expr.domain, span=span)
    body = _renamed(expr.body, fresh)
    match expr.sign:
        case QuantifierSign.SOME:
            sign = Sign.NE
        case QuantifierSign.ALL:
            sign = Sign.EQ
            body = tree.Unary(Prefix.NOT, body, span=body.span)
        case _:
            assert_never(expr.sign)
    condition = tree.Binary(Sign.AND, member, body, span=span)
    found = tree.Comprehension(tree.Number(Fraction(0), span=span), condition, span=span)
    return tree.Binary(sign, found, tree.SetOf((), span=span), span=span)


def _renamed(expr: Expr, fresh: Mapping[str, str]) -> Expr:
    """*expr* with other names, except where it binds a name itself."""
    match expr:
        case tree.Name(name):
            return replace(expr, name=fresh.get(name, name))
        case tree.Quantified(names=names):
            inner = {name: new for name, new in fresh.items() if name not in names}
            domain, body = _renamed(expr.domain, fresh), _renamed(expr.body, inner)
            return replace(expr, domain=domain, body=body)
        case _:
            parts = tuple(_renamed(each, fresh) for each in children(expr))
            return with_children(expr, parts)
