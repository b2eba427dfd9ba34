"""A state as a picture: boards with pieces, lamps, and what stands beside them.

Comes in: a machine, a state, and the turn that led to it. Goes out: a ``Picture``,
which is data; the faces draw it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from zermelo.core.machine import Fault, Machine, State, Turn
from zermelo.core.values import UNSET, Atom, Other, Unset, Value, in_order, sort_key, to_text
from zermelo.play.layout import BoardPlan, Layer, LayerKind, Layout, labelled, layout

WIDEST_GAP = 30
"""Coordinates further apart than this are drawn side by side."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What a cell shows."""

    text: str
    tone: int | None = None
    """Marks of one tone belong together; ``None`` belongs to nobody."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a board."""

    marks: tuple[Mark, ...] = ()
    is_last: bool = False
    """Whether the last move pointed at it or changed it."""


@dataclass(frozen=True, slots=True)
class Board:
    """A grid; ``None`` where it has a hole. A row of single values has no row labels."""

    name: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Cell | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A variable that stands on no board, with its value."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Lamp:
    """A truth value."""

    name: str
    is_lit: bool


@dataclass(frozen=True, slots=True)
class Legend:
    """What a mark stands for."""

    mark: Mark
    name: str
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """A state, ready to be drawn."""

    boards: tuple[Board, ...] = ()
    legend: tuple[Legend, ...] = ()
    lamps: tuple[Lamp, ...] = ()
    entries: tuple[Entry, ...] = ()


def picture(
    machine: Machine, state: State, *, last: Turn | None = None, plan: Layout | None = None
) -> Picture:
    """*state* as a picture, with the cells of the *last* turn marked.

    *plan* is the layout of the machine, for callers that draw many states of it.
    """
    plan = plan or layout(machine)
    values = [(name, state[name]) for name in plan.beside]
    return Picture(
        boards=tuple(_board(board, machine, state, last=last) for board in plan.boards),
        legend=tuple(
            Legend(Mark(layer.mark, layer.tone), layer.name, layer.owner)
            for board in plan.boards
            for layer in board.layers
            if layer.name and layer.kind is not LayerKind.LABELLED
        ),
        lamps=tuple(Lamp(name, value) for name, value in values if isinstance(value, bool)),
        entries=tuple(
            Entry(name, state.show(value))
            for name, value in values
            if not isinstance(value, bool) and not _is_silent(name, value, machine)
        ),
    )


def _is_silent(name: str, value: Value, machine: Machine) -> bool:
    """Whether *value* is a result that is not known yet."""
    is_result = name == machine.system.result
    return isinstance(value, Unset) or (is_result and value == frozenset())


def _board(plan: BoardPlan, machine: Machine, state: State, *, last: Turn | None) -> Board:
    marks = _marks(plan, machine, state)
    marked = _last_cells(plan, machine, state, last=last, marks=marks)
    is_grid = any(isinstance(cell, tuple) for cell in plan.cells)
    rows = _axis([_row(cell) for cell in plan.cells]) if is_grid else [UNSET]
    columns = _axis([_column(cell) for cell in plan.cells])
    if machine.system.view.rows_up:
        rows.reverse()
    return Board(
        plan.name,
        tuple(map(to_text, rows)) if is_grid else ("",),
        tuple(map(to_text, columns)),
        tuple(
            tuple(
                Cell(tuple(marks.get(cell, ())), cell in marked) if cell in plan.cells else None
                for column in columns
                for cell in [(row, column) if is_grid else column]
            )
            for row in rows
        ),
    )


def _row(cell: Value) -> Value:
    return cell[0] if isinstance(cell, tuple) else UNSET


def _column(cell: Value) -> Value:
    return cell[1] if isinstance(cell, tuple) else cell


def _axis(coordinates: Sequence[Value]) -> list[Value]:
    """The coordinates in order, with the whole numbers between them where the gaps are small."""
    ordered = sorted(set(coordinates), key=sort_key)
    whole = [c for c in ordered if isinstance(c, int)]
    if len(whole) < len(ordered) or whole[-1] - whole[0] > WIDEST_GAP:
        return ordered
    return list(range(whole[0], whole[-1] + 1))


# What stands in the cells


def _marks(plan: BoardPlan, machine: Machine, state: State) -> dict[Value, list[Mark]]:
    marks: dict[Value, list[Mark]] = {}
    for layer in plan.layers:
        for cell, text in _pieces(layer, machine, state):
            marks.setdefault(cell, []).append(Mark(text, layer.tone))
    for cell, mark in _written(plan, machine, state).items():
        marks.setdefault(cell, []).append(mark)
    return marks


def _pieces(layer: Layer, machine: Machine, state: State) -> list[tuple[Value, str]]:
    value = machine.evaluate(layer.cells, state, {})
    if isinstance(value, Fault | Unset):
        return []
    if not isinstance(value, frozenset):
        return [(value, layer.mark)]
    if layer.kind is LayerKind.LABELLED:
        return [(cell, to_text(what)) for cell, what in map(labelled, in_order(value))]
    return [(cell, layer.mark) for cell in in_order(value)]


def _written(plan: BoardPlan, machine: Machine, state: State) -> Mapping[Value, Mark]:
    """What the document's view says to write in each cell."""
    view = machine.system.view.cell
    if view is None:
        return {}
    written: dict[Value, Mark] = {}
    for cell in in_order(plan.cells):
        parts = cell if view.is_tuple and isinstance(cell, tuple) else (cell,)
        names = dict(zip(view.names, parts, strict=False))
        text = cell_text(machine.evaluate(view.text, state, names))
        if text:
            written[cell] = Mark(text)
    return written


def cell_text(value: Value | Fault) -> str:
    """What is written in a cell for *value*; nothing for what is empty, unset or false.

    >>> cell_text(frozenset({5})), cell_text(frozenset()), cell_text(True)
    ('5', '', '●')
    """
    match value:
        case Fault():
            return "?"
        case Unset() | False:
            return ""
        case True:
            return "●"
        case frozenset():
            return " ".join(map(cell_text, in_order(value)))
        case int() | Fraction() | Atom() | tuple() | Other():
            return to_text(value)


def _last_cells(
    plan: BoardPlan,
    machine: Machine,
    state: State,
    *,
    last: Turn | None,
    marks: Mapping[Value, Sequence[Mark]],
) -> frozenset[Value]:
    """The cells that the last move pointed at; if it pointed at none, those that changed."""
    if last is None or last.after != state:
        return frozenset()
    pointed = frozenset(last.move.arguments) & plan.cells
    if pointed:
        return pointed
    before = _marks(plan, machine, last.before)
    return frozenset(c for c in plan.cells if before.get(c, []) != list(marks.get(c, [])))
