"""Boards and their symmetries, and sets that a few members keep from being symmetric.

A printed list of lines with one wrong in it is still a list of lines; that the
board is no longer symmetric tells which. What is said is proved: without these
members, or with them, the system has symmetries that it has not now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Final, TypeAlias, cast

from zermelo.core.layout import Layout, Mask
from zermelo.core.machine import Fault
from zermelo.core.symmetry import Images
from zermelo.core.values import Value, in_order, to_text
from zermelo.languages.sections.ir import Expr, Literal, Node, SetOf, System
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry.formulas import GroundingError
from zermelo.languages.sections.symmetry.grounding import GroundSystem, Prover, ground
from zermelo.languages.sections.walk import Footprints, bodies, free_locals, parts, refs
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
        return tuple((row, column) for row in self.rows for column in self.columns)

    @property
    def is_square(self) -> bool:
        return len(self.rows) == len(self.columns)

    def images(self, move: Callable[[int, int], tuple[int, int]]) -> Images:
        """The permutation of cells by what becomes of the numbers of row and column."""
        width = len(self.columns)
        moved = (move(row, column) for row in range(len(self.rows)) for column in range(width))
        return tuple(row * width + column for row, column in moved)

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
            case (int(row), int(column)):
                pairs.append((row, column))
            case _:
                return None
    rows = tuple(sorted({row for row, _ in pairs}))
    columns = tuple(sorted({column for _, column in pairs}))
    board = CellGrid(rows, columns)
    is_whole = min(len(rows), len(columns)) > 1 and set(board.cells) == set(pairs)
    return board if is_whole else None


def with_cells_moved(value: Value, cells: Mapping[Value, Value]) -> Value:
    """*value* with every cell in it replaced by where it goes."""
    if isinstance(value, tuple):
        moved = cells.get(value)
        return tuple(with_cells_moved(item, cells) for item in value) if moved is None else moved
    if isinstance(value, frozenset):
        return frozenset(with_cells_moved(item, cells) for item in value)
    return value


_MOST: Final = 3
"""A few members."""
_SHARE: Final = 4
"""Few among so many times as many."""


@dataclass(frozen=True, slots=True)
class BrokenSymmetry:
    """A set that breaks the symmetry of a board, and what would mend it."""

    name: str | None
    span: Span
    board: CellGrid
    missing: tuple[Value, ...]
    extra: tuple[Value, ...]
    twice: tuple[Value, ...]
    left: int
    """How many of the board's symmetries the system has."""
    mended: int
    """How many it would have."""


def symmetry_diagnostics(machine: Interpreter) -> Iterator[Diagnostic]:
    return map(_diagnostic, broken_symmetries(machine))


def broken_symmetries(machine: Interpreter) -> Iterator[BrokenSymmetry]:
    """The sets of *machine* that a few members keep from being symmetric."""
    places = machine.layout
    if not isinstance(places, Layout):
        return
    known: set[str | None] = set()
    for board in _boards(places):
        for name, expr, span in _sets(machine.system):
            if known.isdisjoint(refs(expr)):
                for each in _looked_into(machine, places, board, name=name, expr=expr, span=span):
                    known.add(each.name)
                    yield each


def _sets(system: System) -> Iterator[tuple[str | None, Expr, Span]]:
    """The sets with names, and those that are listed where they are used."""
    for definition in system.sets:
        yield definition.name, definition.value, definition.span
    inner: set[int] = set()
    for body in bodies(system):
        for part in parts(body):
            if isinstance(part, SetOf) and id(part) not in inner and not free_locals(part):
                inner.update(map(id, parts(part)))
                yield None, part, part.span


def _boards(places: Layout) -> list[CellGrid]:
    """The boards that variables are subsets of."""
    sets = dict.fromkeys(f.shape.members for f in places.fields if isinstance(f.shape, Mask))
    return [board for members in sets if (board := cell_grid(members)) is not None]


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
    before = _survivors(machine, places, board)
    # Only a set is replaced, by a set of the same type.
    system = cast("System", _with(machine.system, expr, Literal(mended)))
    after = _survivors(Interpreter(system), places, board)
    if before is None or after is None or after < 2 * before:
        return
    yield BrokenSymmetry(
        name,
        span,
        board,
        missing=tuple(in_order(mended - value)),
        extra=tuple(in_order(value - mended)),
        twice=_listed_twice(machine, expr),
        left=before,
        mended=after,
    )


def _mended(value: frozenset[Value], board: CellGrid) -> frozenset[Value] | None:
    """*value* with a few members more or less that every symmetry of *board* keeps."""
    cells = frozenset[Value](board.cells)
    if not value or not all(
        member in cells or (isinstance(member, frozenset) and member and member <= cells)
        for member in value
    ):
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


def _with(whole: object, node: Node, by: Node) -> object:
    """*whole*, a system or a part of one, with *node* in it replaced."""
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
    maps = [_claims(system, each) for each in board.symmetries()]
    return sum(prover.holds(claims) for claims in maps if claims is not None)


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
    found = [machine.evaluate(item, machine.initial, {}) for item in expr.items]
    values = [value for value in found if not isinstance(value, Fault)]
    return tuple(dict.fromkeys(v for at, v in enumerate(values) if v in values[:at]))


# Words


def _diagnostic(found: BrokenSymmetry) -> Diagnostic:
    name = "a set" if found.name is None else f"`{found.name}`"
    whole = len(found.board.symmetries())
    if found.missing:
        what = f"{_listing(found.missing)} {'is' if len(found.missing) == 1 else 'are'} missing"
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


def _listing(values: tuple[Value, ...]) -> str:
    return " and ".join(map(to_text, values))


def _has(values: tuple[Value, ...]) -> str:
    return "has" if len(values) == 1 else "have"
