"""The states of a system as pictures: boards, layers of pieces, marks.

The layout is the same for all states of a machine. A set of pairs that players point
at, or that pieces stand on, is a board; stored subsets of it are layers of pieces;
``View`` overrides. No code here knows a particular game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import TypeAlias

from zermelo.core.machine import Fault, Turn
from zermelo.core.picture import (
    Board,
    Cell,
    Edge,
    Figure,
    Legend,
    Mark,
    Picture,
    Point,
    Sketch,
    beside,
    sketched,
)
from zermelo.core.state import State
from zermelo.core.values import (
    UNSET,
    Atom,
    Other,
    TruthValue,
    Unset,
    Value,
    in_order,
    sort_key,
    to_text,
)
from zermelo.languages.sections import figure
from zermelo.languages.sections.figure import is_pair, is_single
from zermelo.languages.sections.ir import (
    Card,
    Expr,
    PowerSet,
    Ref,
    System,
    Variable,
    VariableRole,
    ViewLayer,
)
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.walk import refs

MOST_CELLS = 2000
"""A set with more members is not drawn."""
WIDEST_GAP = 30
"""Coordinates further apart than this are drawn side by side."""
Cells: TypeAlias = frozenset[Value]


class _LayerKind(Enum):
    """What the value of a layer is."""

    SET = "a set of cells"
    POINT = "one cell"
    LABELLED = "tuples of a cell's components and what stands there"


@dataclass(frozen=True, slots=True)
class Layer:
    """Pieces that look alike: a mark on every cell of *cells*."""

    name: str
    mark: str
    tone: int
    """Layers of one owner have one tone; faces choose the colours."""
    cells: Expr
    kind: _LayerKind = _LayerKind.SET
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """A board and the layers on it."""

    name: str
    cells: Cells
    layers: tuple[Layer, ...] = ()
    edges: Cells = frozenset()
    """Of a figure those cells that join two others."""


@dataclass(frozen=True, slots=True)
class BoardLayout:
    """The boards, and the variables that stand on none of them."""

    boards: tuple[BoardPlan, ...]
    beside: tuple[str, ...]
    figures: tuple[BoardPlan, ...] = ()


def picture(
    machine: Interpreter, state: State, *, last: Turn | None = None, plan: BoardLayout | None = None
) -> Picture:
    """*state* as a picture, with the cells of the *last* turn marked.

    *plan* is the layout of the machine, for callers that draw many states of it.
    """
    plan = plan or board_layout(machine)
    return replace(
        beside(machine.signature, state, plan.beside),
        boards=tuple(_board(board, machine, state, last=last) for board in plan.boards),
        figures=tuple(_figure(each, machine, state, last=last) for each in plan.figures),
        legend=tuple(each for board in plan.boards for each in _legend(board)),
    )


def _legend(board: BoardPlan) -> Iterator[Legend]:
    for layer in board.layers:
        if layer.name and layer.kind is not _LayerKind.LABELLED:
            yield Legend(Mark(layer.mark, layer.tone), layer.name, layer.owner)


def sketch(machine: Interpreter, state: State, plan: BoardLayout) -> Sketch:
    """*state* in very little room: without what the colours of a drawing say, turn and result."""
    system = machine.system
    told = {system.result}
    if len(system.players) > 1:
        told |= {name for player in system.players for name in refs(player.turn)}
    return sketched(picture(machine, state, plan=plan), told=told)


def _board(plan: BoardPlan, machine: Interpreter, state: State, *, last: Turn | None) -> Board:
    marks = _marks(plan, machine, state)
    marked = _last_cells(plan, machine, state, last=last, marks=marks)
    is_grid = any(isinstance(cell, tuple) for cell in plan.cells)
    pairs = [cell if isinstance(cell, tuple) else (UNSET, cell) for cell in plan.cells]
    rows = _axis([pair[0] for pair in pairs]) if is_grid else [UNSET]
    columns = _axis([pair[1] for pair in pairs])
    if machine.system.view.rows_up:
        rows.reverse()
    return Board(
        plan.name,
        tuple(map(to_text, rows)) if is_grid else ("",),
        tuple(map(to_text, columns)),
        tuple(
            tuple(
                Cell(tuple(marks.get(cell, ())), cell in marked, cell)
                if cell in plan.cells
                else None
                for column in columns
                for cell in [(row, column) if is_grid else column]
            )
            for row in rows
        ),
    )


def _figure(plan: BoardPlan, machine: Interpreter, state: State, *, last: Turn | None) -> Figure:
    marks = _marks(plan, machine, state)
    marked = _last_cells(plan, machine, state, last=last, marks=marks)

    def cell(value: Value) -> Cell:
        return Cell(tuple(marks.get(value, ())), value in marked, value)

    points = in_order(plan.cells - plan.edges)
    spots = figure.spots(points, rows_up=machine.system.view.rows_up)
    places = {value: number for number, value in enumerate(points)}
    return Figure(
        plan.name,
        tuple(Point(spots[each], to_text(each), cell(each)) for each in points),
        tuple(
            Edge((places[start], places[end]), to_text(each), cell(each))
            for each in in_order(plan.edges)
            for start, end in [figure.ends(each)]
        ),
        tuple(_legend(plan)),
    )


def _axis(coordinates: Sequence[Value]) -> list[Value]:
    """The coordinates in order, with the whole numbers between them where the gaps are small."""
    ordered = sorted(set(coordinates), key=sort_key)
    whole = [c for c in ordered if isinstance(c, int)]
    if len(whole) < len(ordered) or whole[-1] - whole[0] > WIDEST_GAP:
        return ordered
    return list(range(whole[0], whole[-1] + 1))


# What stands in the cells


def _marks(plan: BoardPlan, machine: Interpreter, state: State) -> dict[Value, list[Mark]]:
    marks: dict[Value, list[Mark]] = {}
    for layer in plan.layers:
        for cell, text in _pieces(layer, machine, state):
            marks.setdefault(cell, []).append(Mark(text, layer.tone))
    view = machine.system.view.cell
    if view is None:
        return marks
    for cell in in_order(plan.cells):
        values = cell if view.is_tuple and isinstance(cell, tuple) else (cell,)
        names = dict(zip(view.names, values, strict=False))
        text = cell_text(machine.evaluate(view.text, state, names))
        if text:
            marks.setdefault(cell, []).append(Mark(text))
    return marks


def _pieces(layer: Layer, machine: Interpreter, state: State) -> list[tuple[Value, str]]:
    value = machine.evaluate(layer.cells, state, {})
    if isinstance(value, Fault | Unset):
        return []
    if not isinstance(value, frozenset):
        return [(value, layer.mark)]
    if layer.kind is _LayerKind.LABELLED:
        return [(cell, to_text(what)) for cell, what in map(_labelled, in_order(value))]
    return [(cell, layer.mark) for cell in in_order(value)]


def cell_text(value: Value | Fault) -> str:
    """What is written in a cell for *value*; nothing for what is empty, unset or false.

    >>> from zermelo.core.values import TRUE
    >>> cell_text(frozenset({5})), cell_text(frozenset()), cell_text(TRUE)
    ('5', '', '●')
    """
    match value:
        case Fault():
            return "?"
        case Unset() | TruthValue(holds=False):
            return ""
        case TruthValue():
            return "●"
        case frozenset():
            return " ".join(map(cell_text, in_order(value)))
        case int() | Fraction() | Atom() | tuple() | Other():
            return to_text(value)


def _last_cells(
    plan: BoardPlan,
    machine: Interpreter,
    state: State,
    *,
    last: Turn | None,
    marks: Mapping[Value, list[Mark]],
) -> frozenset[Value]:
    """The cells that the last move pointed at; if it pointed at none, those that changed."""
    if last is None or last.after != state:
        return frozenset()
    pointed = frozenset(last.move.arguments) & plan.cells
    if pointed:
        return pointed
    before = _marks(plan, machine, last.before)
    return frozenset(cell for cell in plan.cells if before.get(cell) != marks.get(cell))


def board_layout(machine: Interpreter) -> BoardLayout:
    """How the states of *machine* are drawn."""
    system = machine.system
    boards = _boards(machine)
    shown = [v for v in system.stored if v.name not in system.view.hidden]
    plans: list[BoardPlan] = []
    used: set[str] = set()
    for board in boards:
        layers = _layers(board, [v for v in shown if v.name not in used], machine)
        used.update(layer.name for layer in layers)
        if layers or system.view.cell is not None:
            plans.append(replace(board, layers=layers))
    figures = [replace(each, layers=_layers(each, shown, machine)) for each in _figures(machine)]
    if system.view.layers:
        used.update(_name_of(layer.cells) for layer in system.view.layers)
    elif system.view.cell is not None:
        used.update(v.name for v in shown if any(_kind(v, board, machine) for board in boards))
    return BoardLayout(
        tuple(plans), tuple(v.name for v in shown if v.name not in used), tuple(figures)
    )


# Boards


def _boards(machine: Interpreter) -> list[BoardPlan]:
    view = machine.system.view
    if view.board is not None:
        cells = members(view.board, machine)
        return [BoardPlan(_name_of(view.board), cells)] if cells else []
    found = _largest([board for board in _candidates(machine) if board.cells])
    pairs = [board for board in found if all(map(is_pair, board.cells))]
    return pairs or [board for board in found if all(map(is_single, board.cells))]


def _figures(machine: Interpreter) -> Iterator[BoardPlan]:
    """The sets of lines between points that players point at, or of which variables are made."""
    system = machine.system
    domains = [p.domain for move in system.moves for p in move.parameters]
    domains += [v.domain for v in system.stored if v.domain is not None]
    if system.view.board is not None:
        domains = [system.view.board]
    bases = dict.fromkeys(_base(domain, system) for domain in domains)
    plans = [BoardPlan(_name_of(base), members(base, machine)) for base in bases]
    for each in _largest([plan for plan in plans if plan.cells]):
        if all(map(figure.is_edge, each.cells)):
            points = frozenset(point for edge in each.cells for point in figure.ends(edge))
            yield replace(each, cells=each.cells | points, edges=each.cells)


def _candidates(machine: Interpreter) -> Iterator[BoardPlan]:
    """The sets that players point at, then those that pieces stand on."""
    system = machine.system

    def board(domain: Expr) -> BoardPlan:
        base = _base(domain, system)
        return BoardPlan(_name_of(base), members(base, machine))

    yield from (board(p.domain) for move in system.moves for p in move.parameters)
    for found in (board(v.domain) for v in system.stored if v.domain is not None):
        if all(map(is_pair, found.cells)):
            yield found
        elif all(map(_is_labelled_pair, found.cells)):
            yield replace(found, cells=frozenset(map(_cell_of, found.cells)))


def _base(domain: Expr, system: System) -> Expr:
    """The set whose members the values of *domain* are, or consist of, in any state."""
    expr = domain.base if isinstance(domain, PowerSet) else domain
    # A document may say that a variable is a subset of itself; that is wrong, and no way to a base.
    passed: set[Expr] = set()
    while (
        isinstance(expr, Ref)
        and expr not in passed
        and (variable := system.variable(expr.name)) is not None
        and isinstance(variable.domain, PowerSet)
    ):
        passed.add(expr)
        expr = variable.domain.base
    return expr


def members(expr: Expr, machine: Interpreter) -> Cells:
    """The members of a set that is small enough to be drawn; else none."""
    size = machine.evaluate(Card(expr), machine.initial, {})
    if not isinstance(size, int) or not 0 < size <= MOST_CELLS:
        return frozenset()
    value = machine.evaluate(expr, machine.initial, {})
    return value if isinstance(value, frozenset) else frozenset()


def _name_of(expr: Expr) -> str:
    return expr.name if isinstance(expr, Ref) else ""


def _largest(boards: Sequence[BoardPlan]) -> list[BoardPlan]:
    """The *boards* that lie in no other one; of equal ones the first."""
    return [
        board
        for index, board in enumerate(boards)
        if not any(board.cells < other.cells for other in boards)
        and not any(board.cells == other.cells for other in boards[:index])
    ]


# Layers


def _layers(
    board: BoardPlan, variables: Sequence[Variable], machine: Interpreter
) -> tuple[Layer, ...]:
    system = machine.system
    if system.view.layers:
        return tuple(_viewed(system.view.layers, system))
    if system.view.cell is not None:
        return ()
    fitting = [(v, kind) for v in variables if (kind := _kind(v, board, machine)) is not None]
    marks = _letters([variable.name for variable, _ in fitting])
    names = [player.name for player in system.players]
    layers: list[Layer] = []
    for number, ((variable, kind), mark) in enumerate(zip(fitting, marks, strict=True)):
        owner = _owner(variable.name, system)
        tone = len(names) + number if owner is None else names.index(owner)
        layers.append(Layer(variable.name, mark, tone, Ref(variable.name), kind, owner))
    return tuple(layers)


def _viewed(layers: Sequence[ViewLayer], system: System) -> Iterator[Layer]:
    names = [player.name for player in system.players]
    for index, layer in enumerate(layers):
        name = _name_of(layer.cells)
        owner = layer.player or _owner(name or layer.mark, system)
        tone = names.index(owner) if owner in names else index
        yield Layer(name, layer.mark, tone, layer.cells, _LayerKind.SET, owner)


def _kind(variable: Variable, board: BoardPlan, machine: Interpreter) -> _LayerKind | None:
    if variable.role is not VariableRole.STORED or variable.domain is None:
        return None
    values = members(_base(variable.domain, machine.system), machine)
    is_set = isinstance(variable.domain, PowerSet)
    if not values:
        return None
    if values <= board.cells:
        if is_set:
            return _LayerKind.SET
        return _LayerKind.POINT if board.edges or all(map(is_pair, values)) else None
    if is_set and all(map(_is_labelled_pair, values)):
        return _LayerKind.LABELLED if frozenset(map(_cell_of, values)) <= board.cells else None
    return None


def _is_labelled_pair(value: Value) -> bool:
    """Whether *value* is ``(row, column, what)`` or ``((row, column), what)``."""
    if not isinstance(value, tuple):
        return False
    match value:
        case (cell, what):
            return is_pair(cell) and is_single(what)
        case (row, column, what):
            return is_pair((row, column)) and is_single(what)
        case _:
            return False


def _cell_of(value: Value) -> Value:
    match value:
        case (tuple() as cell, _):
            return cell
        case tuple():
            return value[:2]
        case _:
            return value


def _labelled(value: Value) -> tuple[Value, Value]:
    """The cell of a labelled pair, and what stands there.

    >>> _labelled((1, 2, Atom("king"))), _labelled(((1, 2), 9))
    (((1, 2), king), ((1, 2), 9))
    """
    what = value[-1] if isinstance(value, tuple) else value
    return _cell_of(value), what


def _owner(name: str, system: System) -> str | None:
    """The player whose name and the layer's begin alike, if there is one."""
    said = name.lower()
    owners = [
        player.name
        for player in system.players
        if said.startswith(player.name.lower()) or player.name.lower().startswith(said)
    ]
    return owners[0] if len(owners) == 1 and said else None


# Marks


def _letters(names: Sequence[str]) -> list[str]:
    """One letter for each name, as early in it as can be while all are different.

    >>> _letters(["Uno", "Dos"]), _letters(["P_1", "P_2"]), _letters(["white", "wolf"])
    (['U', 'D'], ['1', '2'], ['h', 'o'])
    """
    marks: list[str] = []
    for name in names:
        first = name[:1].lower()
        alike = [other for other in names if other != name and other[:1].lower() == first]
        common = max((_common(name, other) for other in alike), default=0)
        taken = {mark.lower() for mark in marks}
        letters = [c for c in name[common:] + name[:common] + _SPARE if c.isalnum()]
        marks.append(next((c for c in letters if c.lower() not in taken), "?"))
    return marks


_SPARE = "abcdefghijklmnopqrstuvwxyz0123456789"


def _common(left: str, right: str) -> int:
    """The number of letters in which both names begin alike."""
    pairs = zip(left.lower(), right.lower(), strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(left), len(right)))
