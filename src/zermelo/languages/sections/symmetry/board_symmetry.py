"""Boards and their symmetries, and sets that a few members keep from being symmetric.

A printed list of lines with one wrong in it is still a list of lines; that the
board is no longer symmetric tells which. What is said is proved: without these
members, or with them, the system has symmetries that it has not now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Final, TypeAlias, TypeVar, cast

from zermelo.core.layout import Layout, Mask
from zermelo.core.machine import Fault
from zermelo.core.symmetry import Images
from zermelo.core.values import Value, in_order, to_text
from zermelo.languages.sections.footprint import Footprints
from zermelo.languages.sections.ir import Expr, Literal, Node, Ref, SetOf, System
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry.formulas import GroundingError
from zermelo.languages.sections.symmetry.grounding import GroundSystem, Prover, ground
from zermelo.languages.sections.walk import free_locals, parts
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import Span

Cell: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class CellGrid:
    """All pairs of a row and a column."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]

    def __str__(self) -> str:
        return f"{len(self.rows)}×{len(self.columns)}"

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells, row by row."""
        return tuple((row, column) for row in self.rows for column in self.columns)

    @property
    def is_square(self) -> bool:
        return len(self.rows) == len(self.columns)

    def images(self, move: Callable[[int, int], tuple[int, int]]) -> Images:
        """The permutation of cells by what becomes of the numbers of row and column."""
        width = len(self.columns)
        found: list[int] = []
        for row in range(len(self.rows)):
            for column in range(width):
                there = move(row, column)
                found.append(there[0] * width + there[1])
        return tuple(found)

    def symmetries(self) -> tuple[Mapping[Value, Value], ...]:
        """Its own symmetries as maps of cells: 8 of a square, 4 of another board."""
        height, width = len(self.rows) - 1, len(self.columns) - 1
        moves: list[Callable[[int, int], tuple[int, int]]] = [
            lambda r, c: (r, c),
            lambda r, c: (r, width - c),
            lambda r, c: (height - r, c),
            lambda r, c: (height - r, width - c),
        ]
        if self.is_square:
            moves += [
                lambda r, c: (c, r),
                lambda r, c: (c, height - r),
                lambda r, c: (width - c, r),
                lambda r, c: (width - c, height - r),
            ]
        cells = self.cells
        return tuple(
            {cell: cells[image] for cell, image in zip(cells, self.images(move), strict=True)}
            for move in moves
        )


def cell_grid(values: Sequence[Value]) -> CellGrid | None:
    """The board that *values* are the cells of, if they are."""
    pairs: list[Cell] = []
    for value in values:
        match value:
            case (int(row), int(column)) if not isinstance(row, bool):
                pairs.append((row, column))
            case _:
                return None
    rows = tuple(sorted({row for row, _ in pairs}))
    columns = tuple(sorted({column for _, column in pairs}))
    board = CellGrid(rows, columns)
    if len(rows) < 2 or len(columns) < 2 or set(board.cells) != set(pairs):
        return None
    return board


def with_cells_moved(value: Value, cells: Mapping[Value, Value]) -> Value:
    """*value* with every cell in it replaced by where it goes."""
    if isinstance(value, tuple):
        return (
            cells[value]
            if value in cells
            else tuple(with_cells_moved(item, cells) for item in value)
        )
    if isinstance(value, frozenset):
        return frozenset(with_cells_moved(item, cells) for item in value)
    return value


T = TypeVar("T")

_MOST: Final = 3
"""A few members."""
_SHARE: Final = 4
"""Few among so many times as many."""


@dataclass(frozen=True, slots=True)
class BrokenSymmetry:
    """A set that breaks the symmetry of a board, and what would mend it."""

    expr: Expr
    """The set as the document writes it."""
    name: str | None
    """What the document calls it, if it has a name."""
    span: Span
    board: CellGrid
    missing: tuple[Value, ...]
    extra: tuple[Value, ...]
    twice: tuple[Value, ...]
    """Members that are listed twice."""
    left: int
    """How many of the board's symmetries the system has."""
    mended: int
    """How many it would have."""


def symmetry_diagnostics(machine: Interpreter) -> tuple[Diagnostic, ...]:
    """What there is to say about sets that break the symmetry of the board."""
    return tuple(_diagnostic(each) for each in broken_symmetries(machine))


def broken_symmetries(machine: Interpreter) -> tuple[BrokenSymmetry, ...]:
    """The sets of *machine* that a few members keep from being symmetric."""
    places = machine.layout
    if not isinstance(places, Layout):
        return ()
    found: list[BrokenSymmetry] = []
    for board in _boards(places):
        for name, expr, span in _sets(machine.system):
            known = {each.name for each in found}
            if not any(isinstance(part, Ref) and part.name in known for part in parts(expr)):
                found += _looked_into(machine, places, board, name=name, expr=expr, span=span)
    return tuple(found)


def _sets(system: System) -> Iterator[tuple[str | None, Expr, Span]]:
    """The sets with names, and those that are listed where they are used."""
    for definition in system.sets:
        yield definition.name, definition.value, definition.span
    places: list[Node] = [function.body for function in system.functions]
    places += [v.definition for v in system.variables if v.definition is not None]
    places += [statement for p in system.procedures for statement in p.body]
    inner: set[int] = set()
    for place in places:
        for part in parts(place):
            if isinstance(part, SetOf) and id(part) not in inner and not free_locals(part):
                inner.update(map(id, parts(part)))
                yield None, part, part.span


def _boards(places: Layout) -> list[CellGrid]:
    """The boards that variables are subsets of."""
    sets = dict.fromkeys(f.shape.members for f in places.fields if isinstance(f.shape, Mask))
    boards = [cell_grid(members) for members in sets]
    return [board for board in boards if board is not None]


def _looked_into(
    machine: Interpreter,
    places: Layout,
    board: CellGrid,
    *,
    name: str | None,
    expr: Expr,
    span: Span,
) -> Iterator[BrokenSymmetry]:
    if Footprints(machine.system).of(expr).reads:
        return
    value = machine.evaluate(expr, machine.initial, {})
    if isinstance(value, Fault) or not isinstance(value, frozenset):
        return
    mended = _mended(value, board)
    if mended is None:
        return
    missing, extra = in_order(mended - value), in_order(value - mended)
    before = _survivors(machine, places, board)
    other = Interpreter(_replaced(machine.system, expr, Literal(mended)))
    after = _survivors(other, places, board)
    if before is None or after is None or after < 2 * before:
        return
    yield BrokenSymmetry(
        expr,
        name,
        span,
        board,
        tuple(missing),
        tuple(extra),
        _listed_twice(machine, expr),
        before,
        after,
    )


def _mended(value: frozenset[Value], board: CellGrid) -> frozenset[Value] | None:
    """*value* with a few members more or less that every symmetry of *board* keeps."""
    cells = frozenset[Value](board.cells)
    if not value or not all(_is_made_of(member, cells) for member in value):
        return None
    symmetries = board.symmetries()
    mended, changes, seen = value, 0, set[Value]()
    for member in in_order(value):
        if member in seen:
            continue
        orbit = frozenset(with_cells_moved(member, each) for each in symmetries)
        seen |= orbit
        missing, there = orbit - value, orbit & value
        changes += min(len(missing), len(there))
        mended = mended | missing if len(missing) <= len(there) else mended - there
    return mended if 0 < changes <= min(_MOST, len(value) // _SHARE) else None


def _is_made_of(member: Value, cells: frozenset[Value]) -> bool:
    if member in cells:
        return True
    return isinstance(member, frozenset) and bool(member) and member <= cells


def _replaced(whole: T, node: Node, by: Node) -> T:
    """*whole*, a system or a part of one, with *node* in it replaced."""
    # What is made has the type of what it is made of: only a set of the same type is replaced.
    return cast("T", _with(whole, node, by))


def _with(whole: object, node: Node, by: Node) -> object:
    if whole is node:
        return by
    if isinstance(whole, tuple):
        items = tuple(_with(item, node, by) for item in whole)
        return items if any(a is not b for a, b in zip(items, whole, strict=True)) else whole
    if not is_dataclass(whole) or isinstance(whole, type):
        return whole
    values = {each.name: getattr(whole, each.name) for each in fields(whole)}
    changed = {
        name: made for name, old in values.items() if (made := _with(old, node, by)) is not old
    }
    return replace(whole, **changed) if changed else whole


def _survivors(machine: Interpreter, places: Layout, board: CellGrid) -> int | None:
    """How many of the symmetries of *board* are symmetries of *machine*."""
    try:
        system = ground(machine, places)
    except GroundingError:
        return None
    prover = Prover(system)
    return sum(
        1
        for each in board.symmetries()
        if (claims := _claims(system, each)) is not None and prover.holds(claims)
    )


def _claims(system: GroundSystem, cells: Mapping[Value, Value]) -> dict[int, int] | None:
    """A map of cells as a permutation of claims."""
    at = {(system.bits[a].variable, system.bits[a].value): a for a in system.live}
    found: dict[int, int] = {}
    for (variable, value), claim in at.items():
        image = at.get((variable, with_cells_moved(value, cells)))
        if image is None:
            return None
        found[claim] = image
    return found


def _listed_twice(machine: Interpreter, expr: Expr) -> tuple[Value, ...]:
    if not isinstance(expr, SetOf):
        return ()
    seen: set[Value] = set()
    twice: dict[Value, None] = {}
    for item in expr.items:
        value = machine.evaluate(item, machine.initial, {})
        if not isinstance(value, Fault):
            if value in seen:
                twice[value] = None
            seen.add(value)
    return tuple(twice)


# Words


def _diagnostic(found: BrokenSymmetry) -> Diagnostic:
    name, whole = _name(found), len(found.board.symmetries())
    if found.missing:
        what = f"{_listing(found.missing)} {_is(found.missing)} missing"
    else:
        what = f"{_listing(found.extra)} {_has(found.extra)} no counterpart"
    return Diagnostic(
        code=codes.LOPSIDED,
        message=f"{name} breaks the symmetry of the board: {what}",
        primary=Label(found.span, f"{found.left} of {whole} symmetries are left"),
        notes=tuple(_notes(found)),
        help=_help(found),
    )


def _notes(found: BrokenSymmetry) -> Iterator[str]:
    whole = len(found.board.symmetries())
    how_many = f"all {whole}" if found.mended == whole else f"{found.mended} of the {whole}"
    ways = "turns and reflections" if found.board.is_square else "half turn and reflections"
    change = "with" if found.missing else "without"
    them = "it" if len(found.missing or found.extra) == 1 else "them"
    yield (
        f"{change} {them}, {how_many} symmetries of the {found.board} board ({ways}) "
        "would leave the system as it is"
    )
    if found.missing and found.extra:
        yield f"{_listing(found.extra)} {_has(found.extra)} no counterpart either"
    for member in found.twice:
        yield f"{to_text(member)} is listed twice"


def _help(found: BrokenSymmetry) -> str:
    name = "it" if found.name is None else f"`{found.name}`"
    if found.missing and len(found.twice) == len(found.missing) == 1:
        return (
            f"write {to_text(found.missing[0])} in {name} in the place of the second "
            f"{to_text(found.twice[0])}"
        )
    if found.missing:
        return f"add {_listing(found.missing)} to {name}, if it was forgotten"
    return f"see whether {_listing(found.extra)} belongs to {name}"


def _name(found: BrokenSymmetry) -> str:
    return "a set" if found.name is None else f"`{found.name}`"


def _listing(values: tuple[Value, ...]) -> str:
    return " and ".join(map(to_text, values))


def _is(values: tuple[Value, ...]) -> str:
    return "is" if len(values) == 1 else "are"


def _has(values: tuple[Value, ...]) -> str:
    return "has" if len(values) == 1 else "have"
