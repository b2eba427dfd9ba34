"""Which names a definition uses, and which of them nothing defines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from zermelo.languages.led.mean.repairs.rebuild import nodes, operands, walk
from zermelo.languages.led.read import tree
from zermelo.languages.led.read.tree import Definition, Document, Expr, Sign
from zermelo.languages.led.run.easel import BUILTINS

ENGINE = frozenset({"initialState", "newState", "images", "sounds"})
"""What the game engine asks for, so that no definition needs to use it."""


@dataclass(frozen=True)
class Names:
    """The definitions of a program by their names, and their uses."""

    document: Document

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
            if not self.uses[name] and name not in ENGINE
        )

    def undefined(self, definition: Definition) -> tuple[tree.Name, ...]:
        """The names in *definition* that nothing defines, wherever they stand."""
        bound = local_names(definition)
        return tuple(
            node
            for node in nodes(definition)
            if isinstance(node, tree.Name)
            and node.name not in bound
            and node.name not in self.definitions
            and node.name not in BUILTINS
        )


def used(definition: Definition) -> Iterator[str]:
    """The names that *definition* uses, as often as they stand there."""
    for node in nodes(definition):
        if isinstance(node, tree.Name | tree.Call):
            yield node.name


def local_names(definition: Definition) -> frozenset[str]:
    """The parameters of *definition*, its names of ``where``, and the names it binds."""
    found = set(definition.parameters)
    found.update(name for name, _ in equations(definition))
    for node in nodes(definition):
        match node:
            case tree.Quantified():
                found.update(node.names)
            case tree.Comprehension() | tree.Big():
                found.update(_bound(node.condition))
            case _:
                pass
    return frozenset(found)


def _bound(condition: Expr) -> Iterator[str]:
    """The names that solving *condition* may give values."""
    for node in walk(condition):
        if isinstance(node, tree.Binary) and node.sign in {Sign.IN, Sign.EQ}:
            for each in walk(node.left):
                if isinstance(each, tree.Name):
                    yield each.name


def equations(definition: Definition) -> Sequence[tuple[str, tree.Binary]]:
    """The equations behind ``where``, with the names they define."""
    if definition.where is None:
        return ()
    return [
        (part.left.name, part)
        for part in operands(definition.where, Sign.AND)
        if isinstance(part, tree.Binary)
        and part.sign is Sign.EQ
        and isinstance(part.left, tree.Name)
    ]


def lost_members(definition: Definition, names: Names) -> tuple[str, ...]:
    """The members of the set that *definition* lists which nothing defines."""
    undefined = {each.name for each in names.undefined(definition)}
    named = (item.name for item in items_of(definition) if isinstance(item, tree.Name))
    return tuple(name for name in named if name in undefined)


def items_of(definition: Definition) -> tuple[Expr, ...]:
    """The members of the set that *definition* lists."""
    if len(definition.branches) != 1:
        return ()
    value = definition.branches[0].value
    return value.items if isinstance(value, tree.SetOf) else ()
