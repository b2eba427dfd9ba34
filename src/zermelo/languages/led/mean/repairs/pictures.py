"""Sets of images with members whose equations were lost.

Where the members that are left are lines between click regions, or around one, the other
lines of that kind are what was lost. Members that nothing shows are left out, and it is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from zermelo.core.values import Value
from zermelo.languages.led.ir import Program
from zermelo.languages.led.mean.repairs.click_regions import (
    Corner,
    GridLine,
    RegionGrid,
    corner,
    grids,
    line_of,
)
from zermelo.languages.led.mean.repairs.evidence import STEPS, Evidence
from zermelo.languages.led.mean.repairs.rewriting import (
    NameUses,
    changed_definition,
    equations,
    items_of,
    lost_members,
    place,
    prose_before,
    quoted,
    with_definitions,
    with_equations,
)
from zermelo.languages.led.read import tree
from zermelo.languages.led.read.printer import expression as shown
from zermelo.languages.led.read.tree import Branch, Definition, Expr, LiterateProgram, Sign, nodes
from zermelo.languages.led.run.evaluator import ProgramEvaluator
from zermelo.text import codes
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Checked, Diagnostic, Label

_HIDDEN: Final = "theMembers_"
_QUOTED: Final = re.compile(r"[\"“”]([^\"“”\n]{1,80})[\"“”]|``([^`'\n]{1,80})''")


def without_lost(document: LiterateProgram) -> LiterateProgram:
    names = NameUses(document)
    made = [_without(each, lost_members(each, names)) for each in document.definitions]
    return with_definitions(document, made)


def _without(definition: Definition, lost: Sequence[str]) -> Definition:
    if not lost:
        return definition

    def change(expr: Expr) -> Expr | None:
        if not isinstance(expr, tree.SetExpr):
            return None
        kept = tuple(
            each
            for each in expr.items
            if not (isinstance(each, tree.Identifier) and each.name in lost)
        )
        return replace(expr, items=kept)

    return changed_definition(definition, change)


def with_pictures(
    document: LiterateProgram, program_of: Callable[[LiterateProgram], Program | None]
) -> Checked[LiterateProgram]:
    """*document* with the members of sets that were lost, or without them."""
    names = NameUses(document)
    lost = {each.name: lost_members(each, names) for each in document.definitions}
    if not any(lost.values()):
        return Checked(document)
    album = _Album(document, program_of)
    said: list[Diagnostic] = []
    made: list[Definition] = []
    for definition in document.definitions:
        if not lost[definition.name]:
            made.append(definition)
            continue
        completed, remarks = album.completed(definition, lost[definition.name])
        made.append(completed)
        said += remarks
    return Checked(with_definitions(document, made), tuple(said))


@dataclass(frozen=True, slots=True)
class _Lines:
    """The lines that are left of a picture, and the grid they belong to."""

    grid: RegionGrid
    missing: tuple[GridLine, ...]
    model: tree.CallExpr
    """A line that is left, as it is written."""


class _Album:
    """What a program draws, as far as it is not lost."""

    def __init__(
        self, document: LiterateProgram, program_of: Callable[[LiterateProgram], Program | None]
    ) -> None:
        self.document = document
        rest = without_lost(document)
        members = [
            Definition(
                f"{_HIDDEN}{each.name}",
                (),
                (Branch(tree.TupleExpr((_number(0), *items_of(each)))),),
                where=each.where,
            )
            for each in rest.definitions
            if items_of(each)
        ]
        parts = (*rest.parts, *members)
        program = program_of(LiterateProgram(parts, is_printed=True)) or Program("", ())
        self.evaluator = ProgramEvaluator(program, steps=STEPS)
        self.program = program
        self.grids = grids(Evidence(rest, program_of).boxes(rest))
        self.constants = self._constants()
        self.names = NameUses(document)

    def _constants(self) -> Mapping[str, Value]:
        found: dict[str, Value] = {}
        for each in self.program.definitions:
            on = self.evaluator.dependence(each.name)
            is_hidden = each.name.startswith(_HIDDEN)
            if not each.parameters and not on.on_state and not on.on_input and not is_hidden:
                found[each.name] = self.evaluator.value(each.name)
        return found

    def completed(
        self, definition: Definition, lost: Sequence[str]
    ) -> tuple[Definition, list[Diagnostic]]:
        """*definition* with equations for *lost*, as far as they can be found."""
        new: dict[str, Expr] = {}
        notes: list[str] = []
        items = (each.name for each in items_of(definition) if isinstance(each, tree.Identifier))
        stems = {_stem(name) for name in items if name not in lost}
        family = [name for name in lost if _stem(name) in stems]
        lines = self._lines(definition, len(family))
        if lines is not None:
            for name, line in zip(family, lines.missing, strict=True):
                new[name] = self._segment(line, lines.model)
            notes.append(self._told(definition, lines))
            rest = [name for name in lost if name not in family]
            caption = self._caption(definition, lines) if len(rest) == 1 else None
            if caption is not None:
                new[rest[0]] = caption[0]
                notes.append(caption[1])
        left = [name for name in lost if name not in new]
        said: list[Diagnostic] = []
        if new:
            said.append(_found(definition, new, notes))
        if left:
            said.append(_missing(definition, left))
        return _without(_with_members(definition, new), left), said

    def _lines(self, definition: Definition, count: int) -> _Lines | None:
        """The lines that are missing, if those that are left show which."""
        value = self.evaluator.value(f"{_HIDDEN}{definition.name}")
        members = value[1:] if isinstance(value, tuple) else ()
        kept = [line_of(each) for each in members]
        known = [each for each in kept if each is not None]
        model = _model(definition)
        if not known or len(known) < len(kept) or model is None or not count:
            return None
        for grid in self.grids:
            family = grid.family(known, len(known) + count)
            is_level = known[-1].is_level
            missing = sorted(
                (each for each in family if each not in known),
                key=lambda each: each.is_level is not is_level,
            )
            if family and len(missing) == count:
                return _Lines(grid, tuple(missing), model)
        return None

    def _segment(self, line: GridLine, model: tree.CallExpr) -> Expr:
        is_named = isinstance(model.arguments[0], tree.Identifier)
        start, end = (self._point(each, is_named=is_named) for each in (line.start, line.end))
        return replace(model, arguments=(start, end, *model.arguments[2:]))

    def _point(self, at: Corner, *, is_named: bool) -> Expr:
        """A place, by the name that the program has for it where it names such places."""
        if is_named:
            for name, value in self.constants.items():
                if corner(value) == at:
                    return tree.Identifier(name)
        return tree.CallExpr("point", (_number(at[0]), _number(at[1])))

    def _caption(self, definition: Definition, lines: _Lines) -> tuple[Expr, str] | None:
        """The text in the middle, if the prose before *definition* has one in quotes."""
        sizes = [
            node.arguments[2]
            for each in self.document.definitions
            for node in nodes(each)
            if isinstance(node, tree.CallExpr) and node.name == "text" and len(node.arguments) == 4
        ]
        words = self._words(definition)
        if not sizes or words is None:
            return None
        center = tree.CallExpr("point", tuple(map(self._coordinate, lines.grid.middle)))
        size = max(sizes, key=sizes.count)
        color = lines.model.arguments[2]
        made = tree.CallExpr("text", (tree.StringLiteral(words), center, size, color))
        return made, f'the text before it puts "{words}" in it, and all texts have that size'

    def _coordinate(self, at: int) -> Expr:
        """A number, by the name of an unused constant that has this value."""
        for each in self.names.unused:
            if self.constants.get(each.name) == at and not each.parameters:
                return tree.Identifier(each.name)
        return _number(at)

    def _words(self, definition: Definition) -> str | None:
        """The only words in quotes of the prose before *definition*."""
        found = _QUOTED.findall(prose_before(definition, self.document))
        words = {first or second for first, second in found}
        return words.pop() if len(words) == 1 else None

    def _told(self, definition: Definition, lines: _Lines) -> str:
        region = place(self.names.definitions[lines.grid.name])
        rows, columns = len(lines.grid.ys) - 1, len(lines.grid.xs) - 1
        count = len(lines.missing)
        where = f"around the click region of {region}"
        if rows * columns > 1:
            where = f"between the {rows} × {columns} click regions of {region}"
        return (
            f"the lines that are left in {place(definition)} run {where}, and "
            f"{count} such {'line is' if count == 1 else 'lines are'} left"
        )


def _found(definition: Definition, new: Mapping[str, Expr], notes: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        codes.EQUATION_LOST,
        _no_equations(definition, new),
        primary=Label(definition.branches[0].value.span, "completed from the click regions"),
        notes=(*(f"`{name} = {shown(expr)}`" for name, expr in new.items()), *notes),
        help="if something else is meant, write an erratum",
    )


def _missing(definition: Definition, left: Sequence[str]) -> Diagnostic:
    body = shown(definition.branches[0].value)
    items = [shown(each) for each in items_of(definition)]
    filled = ["…" if each in left else each for each in items]
    return Diagnostic(
        codes.EQUATION_LOST,
        _no_equations(definition, left),
        primary=Label(definition.branches[0].value.span, "left out, since nothing shows them"),
        help="put a section `Errata` into the document, and in it the line "
        f'"{definition.name} := {body}" → "{definition.name} := '
        f'{{{", ".join(filled)}}}": what was lost',
        severity=Severity.ERROR,
    )


def _no_equations(definition: Definition, names: Collection[str]) -> str:
    has = "has no equation" if len(names) == 1 else "have no equations"
    return f"{quoted(names)} in {place(definition)} {has}"


def _stem(name: str) -> str:
    return name.rstrip("0123456789")


def _model(definition: Definition) -> tree.CallExpr | None:
    for _, equation in equations(definition):
        match equation.right:
            case tree.CallExpr("segment", (_, _, _)) as segment:
                return segment
            case _:
                pass
    return None


def _number(value: int) -> Expr:
    return tree.Numeral(Fraction(value), text=str(value))


def _with_members(definition: Definition, new: Mapping[str, Expr]) -> Definition:
    if not new:
        return definition
    span = definition.name_span
    names = [tree.Identifier(name, span=span) for name in new]
    sides = zip(names, new.values(), strict=True)
    made = [tree.BinaryExpr(Sign.EQ, left, right, span=span) for left, right in sides]
    return with_equations(definition, made)
