"""Code for passing: where nobody's move has an effect, the next player who can move is in turn.

Whose turn it is is changed by trying the values of the variables that tell it, in order, as the
interpreter does; a domain that depends on the state, or too many values, are left to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Final, assert_never

from zermelo.core.expander import FAULTY
from zermelo.core.layout import Choice, Count, Field, Layout, Mask, Shape
from zermelo.core.values import Value, in_order
from zermelo.languages.sections.compile.registers import RegisterCode, Slot, loaded, packed
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.walk import Footprints
from zermelo.packing.code import Writer

_MOST_TRIED: Final = 64
"""Values of the variables that tell whose turn it is, taken together."""


def turn_values(
    machine: Interpreter, footprints: Footprints
) -> tuple[tuple[str, ...], list[tuple[Value, ...]]] | None:
    """The variables that tell whose turn it is, and all their values together, in order.

    ``None`` where these depend on the state, or are too many.
    """
    names = machine.turn_variables()
    found: list[list[Value]] = []
    for name in names:
        variable = machine.system.variable(name)
        if variable is None or variable.domain is None or footprints.of(variable.domain).reads:
            return None
        domain = machine.evaluate(variable.domain, machine.initial, {})
        if not isinstance(domain, frozenset):
            return None
        found.append(in_order(domain))
    if not names or prod(map(len, found)) > _MOST_TRIED:
        return None
    return names, list(product(*found))


class PassCode:
    """Writes ``legal`` around ``effective``, which gives the moves that have an effect.

    A state in which another player is in turn is written where the first successor would be, and
    looked at there. The first move found overwrites it: what comes after that says nothing any
    more, but that there is a move is known by then, and the state is written again.
    """

    def __init__(self, writer: Writer, slots: RegisterCode, layout: Layout, players: int) -> None:
        self._writer = writer
        self._slots = slots
        self._layout = layout
        self._players = players

    def write(
        self, names: Sequence[str], values: Sequence[tuple[Value, ...]], *, code: int
    ) -> None:
        writer = self._writer
        words = range(self._layout.words)
        writer.emit("found = effective(tab, row, out, moves, fires)")
        writer.stop(f"found < 0 or found % {FAULTY} != 0", ("return found",))
        writer.emit(*(f"store(out, {at}, load(row, {at}))" for at in words), "r = 0", "p = 0")
        for _ in range(self._players - 1):
            writer.emit("p = in_turn(tab, out)")
            writer.stop("p == 0", ("return found",))
            writer.emit(f"p = p % {self._players} + 1")
            with writer.block("while p != 0"):
                self._try(names, values)
            kept = [writer.keep(f"load(out, {at})", "s") for at in words]
            writer.emit("r = effective(tab, out, out, moves, 0)")
            writer.stop("r < 0", ("return -1",))
            with writer.block(f"if r % {FAULTY} != 0"):
                writer.emit(*(f"store(out, {at}, {word})" for at, word in enumerate(kept)))
                writer.emit(f"store(moves, 0, {code})")
                writer.when("fires != 0", "store(fires, 0, 0)")
                writer.emit("return found + 1")
        writer.emit("return found")

    def _try(self, names: Sequence[str], values: Sequence[tuple[Value, ...]]) -> None:
        """Write *values* into the state that is looked at, until it is the next player's turn."""
        writer = self._writer
        slots = loaded(self._layout, writer, "out")
        fields = {field.variable: field for field in self._layout.fields}
        for each in values:
            given = dict(zip(names, each, strict=True))
            if not all(_fits(fields[name].shape, value) for name, value in given.items()):
                # Packed states have no room for it: only the interpreter can go on.
                writer.emit("return -1")
                return
            written = {name: self._given(fields[name], value) for name, value in given.items()}
            words = packed(self._layout, {**slots, **written})
            writer.emit(*(f"store(out, {at}, {word})" for at, word in enumerate(words)))
            writer.stop("in_turn(tab, out) == p", ("break",))
        writer.emit("return found")

    def _given(self, field: Field, value: Value) -> Slot:
        slot = self._slots.variable(field.shape, value)
        return slot if field.presence is None else replace(slot, presence="1")


def _fits(shape: Shape, value: Value) -> bool:
    """Whether a packed state has room for *value*."""
    match shape:
        case Mask(members):
            return isinstance(value, frozenset) and value <= frozenset(members)
        case Count(low, high):
            return type(value) is int and low <= value <= high
        case Choice(values):
            return value in values
        case _:
            assert_never(shape)
