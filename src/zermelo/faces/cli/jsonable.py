"""JSON as it is printed."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Final

import click

from zermelo.faces.cli.screen import can_write
from zermelo.text.render import Json

WIDEST: Final = 96


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
