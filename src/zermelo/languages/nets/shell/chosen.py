"""Which nodes of a graph a typed set has, as one truth value a node.

Conditions that only count tokens are decided on packed markings, many at a time.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, assert_never

import numpy as np

from zermelo.core.expander import Rows
from zermelo.core.machine import State
from zermelo.engines.graph.components import Truths
from zermelo.engines.graph.reachability import Reachability
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.shell.sets import (
    Both,
    Compared,
    Content,
    Count,
    Counted,
    Either,
    Has,
    InComponent,
    Named,
    Not,
    OneNode,
    Register,
    Relation,
    Sets,
)
from zermelo.languages.nets.tokens import tokens
from zermelo.languages.nets.words import bag_in
from zermelo.text.errors import UsageError

NODES_AT_ONCE: Final = 1 << 14

_NUMBERS: Final[Mapping[Relation, Callable[[Any, Any], Any]]] = {
    Relation.EQ: operator.eq,
    Relation.NE: operator.ne,
    Relation.LE: operator.le,
    Relation.GE: operator.ge,
    Relation.LT: operator.lt,
    Relation.GT: operator.gt,
}


def chosen(graph: Reachability, wanted: Sets, registers: Sequence[Truths]) -> Truths:
    """The nodes of *graph* that are in the set *wanted*; *registers* hold the sets kept so far."""
    match wanted:
        case Not(operand):
            return ~chosen(graph, operand, registers)
        case Both(left, right):
            return chosen(graph, left, registers) & chosen(graph, right, registers)
        case Either(left, right):
            return chosen(graph, left, registers) | chosen(graph, right, registers)
        case Register(number):
            if not 1 <= number <= len(registers):
                raise UsageError(f"there is no set %{number} yet")
            return registers[number - 1]
        case Named(name):
            return named(graph, name)
        case OneNode(number):
            return _one(graph, number)
        case InComponent(number):
            return _component(graph, number)
        case Counted() | Compared() | Has():
            return _by_marking(graph, wanted)
        case _:
            assert_never(wanted)


def _one(graph: Reachability, number: int) -> Truths:
    found = np.zeros(graph.nodes, dtype=np.bool_)
    found[checked(graph, number)] = True
    return found


def _component(graph: Reachability, number: int) -> Truths:
    size = len(graph.sizes)
    if not 0 <= number < size:
        raise UsageError(f"there is no component {number}: {_numbered(size)}")
    return np.asarray(graph.labels == number)


def named(graph: Reachability, name: str) -> Truths:
    """The set with a name of its own."""
    if name == "terminal":
        return graph.is_terminal
    if name == "traps":
        is_trap = graph.is_terminal_component & graph.is_nontrivial
        return np.asarray(is_trap[graph.labels])
    return np.ones(graph.nodes, dtype=np.bool_)


def checked(graph: Reachability, number: int) -> int:
    """*number*, if a node has it."""
    if not 0 <= number < graph.nodes:
        raise UsageError(f"there is no node {number}: {_numbered(graph.nodes)}")
    return number


def _numbered(size: int) -> str:
    return "the only one is 0" if size == 1 else f"they are numbered 0 to {size - 1}"


def _by_marking(graph: Reachability, wanted: Counted | Compared | Has) -> Truths:
    pieces = []
    for first in range(0, graph.nodes, NODES_AT_ONCE):
        rows = graph.rows[first : first + NODES_AT_ONCE]
        if isinstance(wanted, Counted):
            counts = tokens(graph.expander, rows)
            compare = _NUMBERS[wanted.relation]
            pieces.append(compare(_count(wanted.left, counts), _count(wanted.right, counts)))
        else:
            holds = [_holds(wanted, graph.expander.unpack(row)) for row in rows]
            pieces.append(np.array(holds, dtype=np.bool_))
    return np.concatenate(pieces)


def _count(count: Count, counts: Rows) -> Rows:
    total = np.full(len(counts), count.number, dtype=np.int64)
    for place in count.places:
        total = total + counts[:, place].astype(np.int64)
    return total


def _holds(wanted: Compared | Has, state: State) -> bool:
    if isinstance(wanted, Has):
        here = bag_in(state, wanted.place)
        times = sum(
            count
            for token, count in here
            if all(w in (None, g) for w, g in zip(wanted.pattern, token, strict=True))
        )
        return times >= max(wanted.times, 1)
    left, right = _content(wanted.left, state), _content(wanted.right, state)
    match wanted.relation:
        case Relation.EQ:
            return left == right
        case Relation.NE:
            return left != right
        case Relation.LE:
            return _is_in(left, right)
        case Relation.GE:
            return _is_in(right, left)
        case Relation.LT:
            return left != right and _is_in(left, right)
        case Relation.GT:
            return left != right and _is_in(right, left)


def _content(content: Content, state: State) -> Bag:
    if not content.places:
        return content.bag
    if len(content.places) == 1 and not len(content.bag):
        return bag_in(state, content.places[0])
    counts = dict(content.bag)
    for at in content.places:
        for token, count in bag_in(state, at):
            counts[token] = counts.get(token, 0) + count
    return Bag.of(counts)


def _is_in(small: Bag, large: Bag) -> bool:
    counts = dict(large)
    return all(counts.get(token, 0) >= count for token, count in small)
