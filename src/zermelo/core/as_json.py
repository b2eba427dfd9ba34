"""Values and states as JSON."""

from __future__ import annotations

from fractions import Fraction

from zermelo.core.machine import Fault, State
from zermelo.core.values import Atom, Other, Unset, Value, in_order, to_text
from zermelo.text.render import Json


def value_json(value: Value | Fault) -> Json:
    """*value* as JSON: tuples and sets are lists, sets in their canonical order.

    >>> value_json(frozenset({(2, True), (1, False)}))
    [[1, False], [2, True]]
    """
    match value:
        case bool() | int():
            return value
        case Fraction() | Other():
            return to_text(value)
        case Atom(name):
            return name
        case Unset() | Fault():
            return None
        case tuple():
            return [value_json(item) for item in value]
        case frozenset():
            return [value_json(item) for item in in_order(value)]


def state_json(state: State) -> dict[str, Json]:
    """*state* as JSON, by the names of its variables."""
    return {name: value_json(value) for name, value in state.items()}
