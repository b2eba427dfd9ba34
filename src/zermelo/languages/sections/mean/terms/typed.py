"""Expressions with their types, and the names that are bound around them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from zermelo.core.types import UNKNOWN, SetType, TupleType, Type, Unknown, unify
from zermelo.core.values import UNSET
from zermelo.languages.sections import ir
from zermelo.text.source import Span


@dataclass(frozen=True, slots=True)
class Typed:
    """An expression of a system, its type, and where that type comes from."""

    expr: ir.Expr
    type: Type
    origin: Span | None = None
    """The declaration that gives the type, if a name was written."""

    @property
    def span(self) -> Span:
        """The place in the document."""
        return self.expr.span


def nothing(span: Span) -> Typed:
    """What stands for an expression that cannot be used; nothing complains about it."""
    return Typed(ir.Literal(UNSET, span=span), UNKNOWN)


@dataclass(frozen=True, slots=True)
class Scope:
    """The parameters, locals and bound variables around an expression."""

    types: Mapping[str, Type] = field(default_factory=dict)
    procedure: str | None = None
    """The procedure that the expression stands in."""
    is_domain: bool = False
    """Whether a set stands here: a name that is both a set and a variable is the set."""
    broken: frozenset[str] = frozenset()
    """Locals whose definition cannot be used."""
    lists_words: bool = False
    """Whether undeclared names in braces are words: in definitions and declarations."""

    def bind(self, names: Iterable[str], types: Iterable[Type]) -> Scope:
        """The scope inside which *names* are bound."""
        return replace(self, types={**self.types, **dict(zip(names, types, strict=True))})

    def has(self, name: str) -> bool:
        """Whether *name* is bound here."""
        return name in self.types


def item_type(kind: Type) -> Type:
    """The type of the members of a set of type *kind*."""
    return kind.item if isinstance(kind, SetType) else UNKNOWN


def component_types(kind: Type, size: int) -> tuple[Type, ...]:
    """The types of the components of a tuple of type *kind* that should have *size* of them."""
    if isinstance(kind, TupleType) and len(kind.items) == size:
        return kind.items
    return (UNKNOWN,) * size


def joined(types: Iterable[Type]) -> Type | None:
    """The type that all *types* are, or ``None`` if there is none."""
    result: Type = UNKNOWN
    for kind in types:
        both = unify(result, kind)
        if both is None:
            return None
        result = both
    return result


def fits(kind: Type, expected: Type) -> bool:
    """Whether a value of type *kind* can stand where *expected* is looked for."""
    return unify(kind, expected) is not None


def is_known(kind: Type) -> bool:
    """Whether anything is known about *kind*."""
    return not isinstance(kind, Unknown)
