"""Generates the code of one transition: fields of markings, tests, and loops.

Words of a marking that are used only at places known beforehand are kept in variables;
others are reached through memory. ``row`` is the marking, ``made`` the one that follows.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field

from zermelo.languages.nets.compile.expressions import ExpressionWriter, RangedCode, constant
from zermelo.languages.nets.compile.function_tables import FunctionTables
from zermelo.languages.nets.compile.packing import Counters, Packing, Slots
from zermelo.languages.nets.ir import Net, Transition
from zermelo.packing.code import Tables, Writer


@dataclass(slots=True)
class TransitionWriter:
    """Writes the code of one transition."""

    net: Net
    transition: Transition
    packing: Packing
    tables: Tables
    beforehand: FunctionTables
    most: int = 1
    """How many bindings one marking can have."""
    writer: Writer = field(init=False)
    expressions: ExpressionWriter = field(init=False)

    def __post_init__(self) -> None:
        self.writer = Writer(self.tables)
        self.expressions = ExpressionWriter(self.net, self.writer, self.beforehand)

    def words(self) -> list[int]:
        """The words that are kept in variables: those of places at its arcs."""
        arcs = (*self.transition.inputs, *self.transition.outputs)
        used = {self.packing.of(arc.place).array.word for arc in arcs}
        return sorted(used - self.packing.in_memory)

    def field(self, packed: Counters | Slots, index: str, base: str) -> str:
        word, shift = self._position(packed, index)
        mask = (1 << packed.array.width) - 1
        return f"(shr({self._word(word, base)}, {shift}) & {mask})"

    def _position(self, packed: Counters | Slots, index: str) -> tuple[str, str]:
        array = packed.array
        if array.is_in_one_word:
            shift = str(array.shift) if index == "0" else f"{array.shift} + {index} * {array.width}"
            return str(array.word), shift
        per = array.per_word
        return f"{array.word} + ({index}) // {per}", f"(({index}) % {per}) * {array.width}"

    def _word(self, word: str, base: str) -> str:
        if self._is_kept(word):
            return f"w{word}" if base == "row" else f"u{word}"
        return f"load({base}, {word})"

    def _is_kept(self, word: str) -> bool:
        return word.isdigit() and int(word) not in self.packing.in_memory

    def change(self, packed: Counters | Slots, index: str, by: str) -> None:
        """Add the number *by* to a field of the marking that is being made."""
        word, shift = self._position(packed, index)
        word = self.writer.keep(word)
        changed = f"add({self._word(word, 'made')}, shl({by}, {shift}))"
        is_kept = self._is_kept(word)
        self.writer.emit(f"u{word} = {changed}" if is_kept else f"store(made, {word}, {changed})")

    def only_if(self, condition: str, blocks: ExitStack) -> None:
        blocks.enter_context(self.writer.block(f"if {condition}"))

    def within(self, number: RangedCode, low: int, size: int, blocks: ExitStack) -> RangedCode:
        """*number*, where it is a possible component; elsewhere there is no such token."""
        high = low + size - 1
        if low <= number.low and number.high <= high:
            return number
        kept = self.writer.keep(number.code)
        self.only_if(f"({kept} >= {low} and {kept} <= {high})", blocks)
        return RangedCode(kept, max(low, number.low), min(high, number.high))


def mixed(code: str, number: RangedCode, low: int, size: int) -> str:
    """The mixed-radix number *code* with one more digit."""
    digit = f"({number.code} - {low})" if low else number.code
    if number.is_constant:
        digit = constant(number.low - low).code
    return digit if code == "0" else f"({code} * {size} + {digit})"
