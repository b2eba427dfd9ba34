"""What all repairs of printed programs share: changed trees, names and their uses, words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from zermelo.languages.led.read import tree
from zermelo.languages.led.read.tree import Definition, Expr, LiterateProgram, Sign, nodes
from zermelo.languages.led.run.built_ins import BUILTINS, GAME_NAMES
from zermelo.text.prose import listing

Change: TypeAlias = Callable[[Expr], Expr | None]
"""What to put in place of an expression; ``None`` to look inside it."""


def changed(expr: Expr, change: Change) -> Expr:
    """*expr* with *change* made from the outside in."""
    new = change(expr)
    if new is not None:
        return new
    parts = tree.children(expr)
    after = tuple(changed(each, change) for each in parts)
    if all(old is new for old, new in zip(parts, after, strict=True)):
        return expr
    return tree.with_children(expr, after)


def changed_definition(definition: Definition, change: Change) -> Definition:
    branches = tuple(
        replace(
            branch,
            value=changed(branch.value, change),
            guard=None if branch.guard is None else changed(branch.guard, change),
        )
        for branch in definition.branches
    )
    where = None if definition.where is None else changed(definition.where, change)
    return replace(definition, branches=branches, where=where)


def with_definitions(
    document: LiterateProgram, definitions: Sequence[Definition]
) -> LiterateProgram:
    following = iter(definitions)
    parts = tuple(
        next(following) if isinstance(part, Definition) else part for part in document.parts
    )
    return replace(document, parts=parts)


def renamed(
    expr: Expr, kind: type[tree.Identifier] | type[tree.AtomName], old: str, new: str
) -> Expr:
    """*expr* with *new* for the names or the atoms *old*."""

    def change(node: Expr) -> Expr | None:
        return replace(node, name=new) if isinstance(node, kind) and node.name == old else None

    return changed(expr, change)


def operands(expr: Expr, sign: Sign) -> tuple[Expr, ...]:
    """What *sign* joins in *expr*, from left to right; brackets end it."""
    found: list[Expr] = []
    open_ = [expr]
    while open_:
        here = open_.pop()
        if isinstance(here, tree.BinaryExpr) and here.sign is sign:
            open_ += [here.right, here.left]
        else:
            found.append(here)
    return tuple(found)


def joined(parts: Sequence[Expr], sign: Sign) -> Expr:
    result = parts[0]
    for part in parts[1:]:
        result = tree.BinaryExpr(sign, result, part, span=result.span.to(part.span))
    return result


def with_equations(definition: Definition, added: Iterable[Expr]) -> Definition:
    """*definition* with the equations *added* behind those it has."""
    before = () if definition.where is None else operands(definition.where, Sign.AND)
    return replace(definition, where=joined((*before, *added), Sign.AND))


# Names


@dataclass(frozen=True)
class NameUses:
    """The definitions of a program by their names, and their uses."""

    document: LiterateProgram

    @cached_property
    def definitions(self) -> Mapping[str, Definition]:
        """The definitions by their names; the first one counts."""
        found: dict[str, Definition] = {}
        for each in self.document.definitions:
            found.setdefault(each.name, each)
        return found

    @cached_property
    def uses(self) -> Mapping[str, tuple[str, ...]]:
        """For each definition the names of those whose formulas use it."""
        found: dict[str, dict[str, None]] = {name: {} for name in self.definitions}
        for each in self.document.definitions:
            bound = local_names(each)
            for name in used(each):
                if name in found and name not in bound and name != each.name:
                    found[name][each.name] = None
        return {name: tuple(users) for name, users in found.items()}

    @cached_property
    def unused(self) -> tuple[Definition, ...]:
        """The definitions that no formula uses and the engine does not ask for."""
        return tuple(
            each
            for name, each in self.definitions.items()
            if not self.uses[name] and name not in GAME_NAMES
        )

    def undefined(self, definition: Definition) -> tuple[tree.Identifier, ...]:
        """The names in *definition* that nothing defines, wherever they stand."""
        bound = local_names(definition)
        return tuple(
            node
            for node in nodes(definition)
            if isinstance(node, tree.Identifier)
            and node.name not in bound
            and node.name not in self.definitions
            and node.name not in BUILTINS
        )


def used(definition: Definition) -> Iterator[str]:
    for node in nodes(definition):
        if isinstance(node, tree.Identifier | tree.CallExpr):
            yield node.name


def local_names(definition: Definition) -> frozenset[str]:
    """The parameters of *definition*, its names of ``where``, and the names it binds."""
    found = set(definition.parameters)
    found.update(name for name, _ in equations(definition))
    for node in nodes(definition):
        match node:
            case tree.QuantifiedExpr():
                found.update(node.names)
            case tree.SetBuilder() | tree.BigExpr():
                found.update(_bound(node.condition))
            case _:
                pass
    return frozenset(found)


def _bound(condition: Expr) -> Iterator[str]:
    """The names that solving *condition* may give values."""
    for node in tree.walk(condition):
        if isinstance(node, tree.BinaryExpr) and node.sign in {Sign.IN, Sign.EQ}:
            for each in tree.walk(node.left):
                if isinstance(each, tree.Identifier):
                    yield each.name


def equations(definition: Definition) -> Sequence[tuple[str, tree.BinaryExpr]]:
    """The equations behind ``where``, with the names they define."""
    if definition.where is None:
        return ()
    return [
        (part.left.name, part)
        for part in operands(definition.where, Sign.AND)
        if isinstance(part, tree.BinaryExpr)
        and part.sign is Sign.EQ
        and isinstance(part.left, tree.Identifier)
    ]


def lost_members(definition: Definition, names: NameUses) -> tuple[str, ...]:
    """The members of the set that *definition* lists which nothing defines."""
    undefined = {each.name for each in names.undefined(definition)}
    named = (item.name for item in items_of(definition) if isinstance(item, tree.Identifier))
    return tuple(name for name in named if name in undefined)


def items_of(definition: Definition) -> tuple[Expr, ...]:
    """The members of the set that *definition* lists."""
    if len(definition.branches) != 1:
        return ()
    value = definition.branches[0].value
    return value.items if isinstance(value, tree.SetExpr) else ()


# Words


def place(definition: Definition) -> str:
    """*definition* by its number, or else by its name."""
    return f"`{definition.name}`" if definition.number is None else f"({definition.number})"


def quoted(names: Iterable[str]) -> str:
    return listing(f"`{name}`" for name in names)


def prose_before(definition: Definition, document: LiterateProgram) -> str:
    """The last prose of *document* before *definition*, empty if there is none."""
    before = ""
    for part in document.parts:
        if isinstance(part, Definition) and part.name == definition.name:
            break
        if isinstance(part, tree.Prose):
            before = part.text
    return before
