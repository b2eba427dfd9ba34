"""Values, moves and states as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

import click

from zermelo.core.machine import Fault, State
from zermelo.core.values import Atom, Unset, Value, in_order, to_text
from zermelo.faces.cli.screen import can_write
from zermelo.text.render import Json

WIDEST: Final = 96


def value_json(value: Value | Fault) -> Json:
    """*value* as JSON: tuples and sets are lists, sets in their canonical order.

    >>> value_json(frozenset({(2, True), (1, False)}))
    [[1, False], [2, True]]
    """
    match value:
        case bool() | int():
            return value
        case Fraction():
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


def print_json(data: Json) -> None:
    """Write *data* for another program to read."""
    text = json_text(data)
    # Where a stream knows no Unicode, JSON has a spelling of its own for it.
    click.echo(text if can_write(sys.stdout) else json.dumps(data, indent=2))


def json_text(data: Json, *, indent: int = 0) -> str:
    """*data* as JSON, in which what fits stands in one line.

    >>> print(json_text({"over": False, "cells": [[1, 2], [3, 4]]}))
    {"over": false, "cells": [[1, 2], [3, 4]]}
    """
    whole = json.dumps(data, ensure_ascii=False)
    if indent + len(whole) <= WIDEST or isinstance(data, str) or not data:
        return whole
    inner, outer = "\n" + " " * (indent + 2), "\n" + " " * indent
    if isinstance(data, Mapping):
        parts = [
            f"{json.dumps(key, ensure_ascii=False)}: {json_text(value, indent=indent + 2)}"
            for key, value in data.items()
        ]
        return "{" + inner + f",{inner}".join(parts) + outer + "}"
    if isinstance(data, Sequence):
        parts = [json_text(value, indent=indent + 2) for value in data]
        return "[" + inner + f",{inner}".join(parts) + outer + "]"
    return whole
