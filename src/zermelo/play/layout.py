"""What of a system is drawn, and how: boards, layers of pieces, marks.

Comes in: a machine. Goes out: a ``Layout``, the same for all its states. A set of
pairs that players point at, or that pieces stand on, is a board; stored subsets of
it are layers of pieces; ``View`` overrides. No code here knows a particular game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TypeAlias

from zermelo.core.machine import Machine
from zermelo.core.values import Atom, Value
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

MOST_CELLS = 2000
"""A set with more members is not drawn."""

Cells: TypeAlias = frozenset[Value]


class LayerKind(Enum):
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
    kind: LayerKind = LayerKind.SET
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """A board and the layers on it."""

    name: str
    cells: Cells
    layers: tuple[Layer, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """The boards, and the variables that stand on none of them."""

    boards: tuple[BoardPlan, ...]
    beside: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Board:
    name: str
    cells: Cells


def layout(machine: Machine) -> Layout:
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
            plans.append(BoardPlan(board.name, board.cells, layers))
    if system.view.layers:
        used.update(_names(system.view.layers))
    elif system.view.cell is not None:
        used.update(v.name for v in shown if _fits_any(v, boards, machine))
    return Layout(tuple(plans), tuple(v.name for v in shown if v.name not in used))


def is_pair(value: Value) -> bool:
    """Whether *value* is a pair of numbers or words, such as a row and a column."""
    return isinstance(value, tuple) and len(value) == 2 and all(map(is_single, value))


def is_single(value: Value) -> bool:
    """Whether *value* is a number or a word."""
    return isinstance(value, int | Fraction | Atom) and not isinstance(value, bool)


# Boards


def _boards(machine: Machine) -> list[_Board]:
    view = machine.system.view
    if view.board is not None:
        members = _members(view.board, machine)
        return [_Board(_name_of(view.board), members)] if members else []
    found = _largest(list(_candidates(machine)))
    pairs = [board for board in found if all(map(is_pair, board.cells))]
    return pairs or [board for board in found if all(map(is_single, board.cells))]


def _candidates(machine: Machine) -> Iterator[_Board]:
    """The sets that players point at, then those that pieces stand on."""
    system = machine.system
    pointed = [p.domain for move in system.moves for p in move.parameters]
    stood_on = [v.domain for v in system.stored if v.domain is not None]
    for expr in pointed:
        yield from _candidate(_base(expr, system), machine)
    for expr in stood_on:
        for board in _candidate(_base(expr, system), machine):
            if all(map(is_pair, board.cells)):
                yield board
            elif all(map(_is_labelled_pair, board.cells)):
                yield _Board(board.name, frozenset(map(_cell_of, board.cells)))


def _candidate(expr: Expr, machine: Machine) -> Iterator[_Board]:
    members = _members(expr, machine)
    if members:
        yield _Board(_name_of(expr), members)


def _base(domain: Expr, system: System) -> Expr:
    """The set whose members the values of *domain* are, or consist of."""
    return _widest(domain.base if isinstance(domain, PowerSet) else domain, system)


def _widest(expr: Expr, system: System) -> Expr:
    """A set that has all members *expr* has in any state."""
    variable = system.variable(expr.name) if isinstance(expr, Ref) else None
    if variable is not None and isinstance(variable.domain, PowerSet):
        return _widest(variable.domain.base, system)
    return expr


def _members(expr: Expr, machine: Machine) -> Cells:
    """The members of a set that is small enough to be drawn; else none."""
    size = machine.evaluate(Card(expr), machine.initial, {})
    if not isinstance(size, int) or not 0 < size <= MOST_CELLS:
        return frozenset()
    members = machine.evaluate(expr, machine.initial, {})
    return members if isinstance(members, frozenset) else frozenset()


def _name_of(expr: Expr) -> str:
    return expr.name if isinstance(expr, Ref) else ""


def _largest(boards: Sequence[_Board]) -> list[_Board]:
    """The *boards* that lie in no other one; of equal ones the first."""
    kept: list[_Board] = []
    for index, board in enumerate(boards):
        is_part = any(
            board.cells < other.cells or (board.cells == other.cells and at < index)
            for at, other in enumerate(boards)
        )
        if not is_part:
            kept.append(board)
    return kept


# Layers


def _layers(board: _Board, variables: Sequence[Variable], machine: Machine) -> tuple[Layer, ...]:
    system = machine.system
    if system.view.layers:
        return tuple(_viewed(system.view.layers, system))
    if system.view.cell is not None:
        return ()
    fitting = [(v, kind) for v in variables if (kind := _kind(v, board, machine)) is not None]
    marks = _marks([variable.name for variable, _ in fitting])
    return tuple(
        _layer(variable, system, kind=kind, mark=mark, number=number)
        for number, ((variable, kind), mark) in enumerate(zip(fitting, marks, strict=True))
    )


def _layer(variable: Variable, system: System, *, kind: LayerKind, mark: str, number: int) -> Layer:
    """The layer of *variable*, the board's layer of this *number*, in its owner's tone."""
    names = [player.name for player in system.players]
    owner = _owner(variable.name, system)
    tone = len(names) + number if owner is None else names.index(owner)
    return Layer(variable.name, mark, tone, Ref(variable.name), kind, owner)


def _viewed(layers: Sequence[ViewLayer], system: System) -> Iterator[Layer]:
    names = [player.name for player in system.players]
    for index, layer in enumerate(layers):
        name = _name_of(layer.cells)
        owner = layer.player or _owner(name or layer.mark, system)
        tone = names.index(owner) if owner in names else index
        yield Layer(name, layer.mark, tone, layer.cells, LayerKind.SET, owner)


def _fits_any(variable: Variable, boards: Sequence[_Board], machine: Machine) -> bool:
    return any(_kind(variable, board, machine) is not None for board in boards)


def _kind(variable: Variable, board: _Board, machine: Machine) -> LayerKind | None:
    if variable.role is not VariableRole.STORED or variable.domain is None:
        return None
    members = _members(_base(variable.domain, machine.system), machine)
    is_set = isinstance(variable.domain, PowerSet)
    if not members:
        return None
    if members <= board.cells:
        if is_set:
            return LayerKind.SET
        return LayerKind.POINT if all(map(is_pair, members)) else None
    if is_set and all(map(_is_labelled_pair, members)):
        return LayerKind.LABELLED if frozenset(map(_cell_of, members)) <= board.cells else None
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
    """The cell of a labelled pair."""
    match value:
        case (tuple() as cell, _):
            return cell
        case tuple():
            return value[:2]
        case _:
            return value


def labelled(value: Value) -> tuple[Value, Value]:
    """The cell of a labelled pair, and what stands there.

    >>> labelled((1, 2, Atom("king"))), labelled(((1, 2), 9))
    (((1, 2), king), ((1, 2), 9))
    """
    what = value[-1] if isinstance(value, tuple) else value
    return _cell_of(value), what


def _names(layers: Sequence[ViewLayer]) -> set[str]:
    return {_name_of(layer.cells) for layer in layers}


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


def _marks(names: Sequence[str]) -> list[str]:
    """One letter for each name, as early in it as can be while all are different.

    >>> _marks(["Uno", "Dos"]), _marks(["P_1", "P_2"]), _marks(["white", "wolf"])
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
