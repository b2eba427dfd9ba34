"""Code for what is claimed of states: facts that are to hold, and properties."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from zermelo.core.expander import MOST_CLAIMS
from zermelo.core.layout import Choice, Layout, Mask, Shape, placed
from zermelo.core.values import FALSE, TRUE, Value
from zermelo.languages.sections.compile.emitter import Emitter
from zermelo.languages.sections.compile.generated_code import ClaimCode, MoveCodes
from zermelo.languages.sections.compile.registers import Bound, CodeScope, loaded
from zermelo.languages.sections.ir import STUCK_HERE, legal_of
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.walk import free_locals

_BYTES: int = 8


def claim_code(machine: Interpreter, layout: Layout, moves: Sequence[MoveCodes]) -> ClaimCode:
    """The code of what the system of *machine* claims; raises ``Refused`` where there is none."""
    formulas = machine.system.claims[:MOST_CLAIMS]
    asks_for_moves = any(map(free_locals, formulas))
    packed = _packed_moves(moves) if asks_for_moves else None
    emitter = Emitter(machine, layout, counts_guards=False)
    function = emitter.begun("broken(tab, row)")
    slots = emitter.judged(function)
    names: dict[str, Bound] = {}
    if packed is not None:
        behind = f"(row + {_BYTES * layout.words})"
        there = loaded(packed, function.writer, behind)
        names = {name: Bound(slot.rep()) for name, slot in there.items()}
    function.writer.emit("found = 0")
    for number, formula in enumerate(formulas):
        truth = emitter.undoubted(function, formula, CodeScope(slots, slots, names))
        function.writer.stop(f"not ({truth.code})", (f"found |= {1 << number}",))
    function.writer.emit("return found")
    source, tables = emitter.written(function)
    return ClaimCode(source, tables, packed)


def _packed_moves(moves: Sequence[MoveCodes]) -> Layout:
    """Where it is told which moves are legal, and whether somebody is stuck.

    Bits are in the order of the codes of moves, which is the canonical one of arguments.
    """
    shapes: dict[str, Shape] = {STUCK_HERE: Choice((FALSE, TRUE))}
    for each in moves:
        members: tuple[Value, ...]
        match each.values:
            case ():
                shapes[legal_of(each.name)] = Choice((FALSE, TRUE))
                continue
            case (values,):
                members = values
            case several:
                members = tuple(product(*several))
        shapes[legal_of(each.name)] = Mask(members)
    return placed(shapes)
