"""Which nodes of a graph are in a set of markings that somebody typed.

Conditions that only count tokens are decided on packed markings, many at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

import numpy as np

from zermelo.core.arrays import Rows, Truths
from zermelo.core.services import ArrayGraph
from zermelo.languages.nets.game.conditions import (
    COMPARED_NUMBERS,
    Compared,
    Complement,
    Count,
    Counted,
    Enabled,
    Has,
    InComponent,
    Intersection,
    NamedSet,
    OneNode,
    Register,
    Sets,
    Union,
    holds_of_tokens,
)
from zermelo.languages.nets.tokens import tokens
from zermelo.text.errors import UsageError

NODES_AT_ONCE: Final = 1 << 14


def chosen(graph: ArrayGraph, wanted: Sets, registers: Sequence[Truths]) -> Truths:
    """The nodes of *graph* that are in the set *wanted*; *registers* hold the sets kept so far."""
    match wanted:
        case Complement(operand):
            return ~chosen(graph, operand, registers)
        case Intersection(left, right):
            return chosen(graph, left, registers) & chosen(graph, right, registers)
        case Union(left, right):
            return chosen(graph, left, registers) | chosen(graph, right, registers)
        case Register(number):
            return _kept(registers, number)
        case NamedSet(name):
            return named_set(graph, name)
        case OneNode(number):
            return np.asarray(np.arange(graph.nodes) == checked(graph, number))
        case InComponent(number):
            return _component(graph, number)
        case Enabled(transition):
            return _enabled(graph, transition)
        case Counted() | Compared() | Has():
            return _by_marking(graph, wanted)
        case _:
            assert_never(wanted)


def _kept(registers: Sequence[Truths], number: int) -> Truths:
    if not 1 <= number <= len(registers):
        raise UsageError(f"there is no set %{number} yet")
    return registers[number - 1]


def _enabled(graph: ArrayGraph, transition: str) -> Truths:
    """The nodes from which an arc of *transition* leads."""
    codes, at = np.unique(graph.moves, return_inverse=True)
    names = [graph.expander.move(int(code)).name == transition for code in codes]
    sources = np.repeat(np.arange(graph.nodes), np.diff(graph.arcs.offsets))
    found = np.zeros(graph.nodes, dtype=np.bool_)
    found[sources[np.array(names, dtype=np.bool_)[at]]] = True
    return found


def _component(graph: ArrayGraph, number: int) -> Truths:
    size = len(graph.sizes)
    if not 0 <= number < size:
        raise UsageError(f"there is no component {number}: {_numbered(size)}")
    return np.asarray(graph.labels == number)


def named_set(graph: ArrayGraph, name: str) -> Truths:
    if name == "terminal":
        return graph.is_terminal
    if name == "traps":
        is_trap = graph.is_terminal_component & graph.is_nontrivial
        return np.asarray(is_trap[graph.labels])
    return np.ones(graph.nodes, dtype=np.bool_)


def checked(graph: ArrayGraph, number: int) -> int:
    if not 0 <= number < graph.nodes:
        raise UsageError(f"there is no node {number}: {_numbered(graph.nodes)}")
    return number


def _numbered(size: int) -> str:
    return "the only one is 0" if size == 1 else f"they are numbered 0 to {size - 1}"


def _by_marking(graph: ArrayGraph, wanted: Counted | Compared | Has) -> Truths:
    pieces = []
    for first in range(0, graph.nodes, NODES_AT_ONCE):
        rows = graph.rows[first : first + NODES_AT_ONCE]
        if isinstance(wanted, Counted):
            counts = tokens(graph.expander, rows)
            compare = COMPARED_NUMBERS[wanted.relation]
            pieces.append(compare(_count(wanted.left, counts), _count(wanted.right, counts)))
        else:
            holds = [holds_of_tokens(wanted, graph.expander.unpack(row)) for row in rows]
            pieces.append(np.array(holds, dtype=np.bool_))
    return np.concatenate(pieces)


def _count(count: Count, counts: Rows) -> Rows:
    total = np.full(len(counts), count.number, dtype=np.int64)
    for place in count.places:
        total = total + counts[:, place].astype(np.int64)
    return total
