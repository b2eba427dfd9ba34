"""What a solution is pinned to: the meaning of a system, and the layout of its states."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import assert_never

import numpy as np

from zermelo.core.expander import Expander, Rows
from zermelo.core.layout import Choice, Count, Layout, Mask, Shape
from zermelo.core.listed import Listed
from zermelo.core.values import to_text as value_text
from zermelo.languages.sections.ir import Expr, Procedure, System, Variable
from zermelo.languages.sections.printer import statement_to_text, to_text
from zermelo.text.errors import UsageError
from zermelo.text.render import Json


def identity(system: System) -> str:
    """A digest of everything that decides what the states of *system* are worth."""
    parts: list[object] = [
        [(each.name, to_text(each.value)) for each in system.sets],
        [_variable(each) for each in system.variables],
        [(f.name, [p.name for p in f.parameters], to_text(f.body)) for f in system.functions],
        [_procedure(each) for each in system.procedures],
        _expr(system.over),
        system.result,
        [value_text(each) for each in system.draws],
        [
            (p.name, to_text(p.turn), [*map(value_text, p.wins)], [*map(value_text, p.loses)])
            for p in system.players
        ],
        (system.no_effect.value, system.stuck.value),
    ]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _expr(expr: Expr | None) -> str | None:
    return None if expr is None else to_text(expr)


def _variable(variable: Variable) -> object:
    said = (variable.domain, variable.initial, variable.definition)
    return (variable.name, variable.role.value, [_expr(each) for each in said])


def _procedure(procedure: Procedure) -> object:
    parameters = [(each.name, to_text(each.domain)) for each in procedure.parameters]
    body = [statement_to_text(each) for each in procedure.body]
    how = (procedure.role.value, procedure.order.value, procedure.outside.value)
    return (procedure.name, how, parameters, body)


def packing(expander: Expander) -> Layout:
    """Where the variables lie in a packed state; raises ``UsageError`` if they cannot be packed."""
    if expander.layout is not None:
        return expander.layout
    why = "its states are only numbered"
    if isinstance(expander, Listed):
        if isinstance(expander.packing, Layout):
            return expander.packing
        why = expander.packing.reason
    raise UsageError(f"the solution cannot be kept in a file: {why}")


def layout_json(found: Layout) -> list[Json]:
    """*found* as JSON values."""
    return [
        {
            "variable": field.variable,
            "values": _shape_json(field.shape),
            "place": [field.place.word, field.place.shift, field.place.width],
            "presence": None
            if field.presence is None
            else [field.presence.word, field.presence.shift, field.presence.width],
        }
        for field in found.fields
    ]


def _shape_json(shape: Shape) -> Json:
    match shape:
        case Mask(members):
            return {"subset of": [value_text(each) for each in members]}
        case Count(low, high):
            return {"from": low, "to": high}
        case Choice(values):
            return {"one of": [value_text(each) for each in values]}
        case _:
            assert_never(shape)


@dataclass(frozen=True, slots=True)
class Bridge:
    """Leads from an expander's rows to those of a file and back.

    They are the same where the expander packs states.
    """

    expander: Expander
    layout: Layout

    def to_file(self, rows: Rows) -> Rows:
        """The rows of a file for *rows* of the expander."""
        if self.expander.layout is not None:
            return rows
        try:
            packed = [self.layout.pack(self.expander.unpack(row)) for row in rows]
        except ValueError as error:
            raise UsageError("a number is too large to be kept in a file") from error
        return np.array(packed, dtype=np.int64).reshape(len(packed), self.layout.words)

    def from_file(self, rows: Rows) -> Rows:
        """The rows of the expander for *rows* of a file."""
        if self.expander.layout is not None:
            return rows
        found = [self.expander.pack(self.layout.unpack(row.tolist())) for row in rows]
        return np.array(found, dtype=np.int64).reshape(len(found), self.expander.words)


def bridge(expander: Expander) -> Bridge:
    """The bridge to files of *expander*; raises ``UsageError`` if states cannot be packed."""
    return Bridge(expander, packing(expander))
