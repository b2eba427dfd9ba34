"""The code that judges a marking: whose turn it is, and whether and how the play is over.

Conditions become numbers, 1 where they hold, worked out one after the other from the words of the
marking. Of the results that hold together, a table tells which outcome that is. Whether a
transition is enabled that has no plain form is tried out beside the tables, and where the code
leaves that open, the verdict is −1: only the token game can tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, assert_never

from zermelo.core.expander import PLAYER_BITS
from zermelo.core.machine import Outcome, outcome_of_result
from zermelo.core.signature import Signature
from zermelo.fast.bits import signed
from zermelo.languages.nets.compile.packing import Counters, Packing, Slots, index
from zermelo.languages.nets.game.conditions import (
    Compared,
    Comparison,
    Complement,
    Content,
    Count,
    Counted,
    Enabled,
    Has,
    InComponent,
    Intersection,
    NamedSet,
    OneNode,
    Pattern,
    Register,
    Sets,
    Union,
)
from zermelo.languages.nets.game.rules import NetRules
from zermelo.languages.nets.run.bags import Token
from zermelo.packing.code import Refused, Tables

MOST_RESULTS: Final = 8
"""Words for results; of each set of them the table has an outcome."""
MOST_TERMS: Final = 4_000
"""Fields that the conditions look at in all, so that the code stays short."""
MOST_TRIED: Final = 1 << 16
"""Firings for which there is room where it is tried whether there are some."""
_TERMS_OF_A_LINE: Final = 16
NOBODY: Final = """
def successors(tab, row, out, moves, fires):
    return legal(tab, row, out, moves, fires)


def verdict(tab, row):
    return 0
""".strip()
_SUCCESSORS: Final = f"""
def successors(tab, row, out, moves, fires):
    judged = verdict(tab, row)
    if judged < 0:
        return -1
    if judged >= {1 << PLAYER_BITS}:
        return 0
    return legal(tab, row, out, moves, fires)
""".strip()
_SIGNS: Final[Mapping[Comparison, str]] = {each: each.value for each in Comparison}


@dataclass(frozen=True, slots=True)
class EnabledCode:
    """How code finds out whether a transition can fire."""

    conditions: tuple[str, ...] = ()
    """Conditions on words, of which one must hold; or else"""
    function: str | None = None
    """the function that writes its firings,"""
    most: int = 0
    """how many these are at most, and"""
    is_sure: bool = True
    """whether it always can tell."""


@dataclass(frozen=True, slots=True)
class VerdictCode:
    """The functions that judge, and the outcomes that they speak of."""

    source: str
    outcomes: tuple[Outcome, ...] = ()
    is_sure: bool = True
    """Whether no verdict is left to the token game."""


def verdict_code(
    rules: NetRules,
    signature: Signature,
    packing: Packing,
    tables: Tables,
    enabled: Mapping[str, EnabledCode],
) -> VerdictCode:
    """How markings are judged by *rules*; raises ``Refused`` with the reason."""
    if not rules.turns:
        return VerdictCode(NOBODY)
    if len(rules.results) > MOST_RESULTS or len(rules.turns) >= 1 << PLAYER_BITS:
        raise Refused("who plays and who wins is said by too many conditions")
    writer = _ConditionWriter(packing, tables, enabled)
    turns = ["1" if each.when is None else writer.condition(each.when) for each in rules.turns]
    results = [writer.condition(each.when) for each in rules.results]
    numbers: dict[Outcome, int] = {}
    table = [0]
    for mask in range(1, 1 << len(results)):
        words = [each.word for at, each in enumerate(rules.results) if mask >> at & 1]
        outcome = outcome_of_result(signature, words[0] if len(words) == 1 else frozenset(words))
        table.append(numbers.setdefault(outcome, len(numbers)) + 1)
    place = tables.place(table)
    lines = [
        *writer.lines,
        f"turns = {' + '.join(turns)}",
        "player = 0",
        "if turns == 1:",
        f"    player = {' + '.join(f'{at} * {each}' for at, each in enumerate(turns, 1))}",
        f"results = {' | '.join(f'shl({each}, {at})' for at, each in enumerate(results)) or '0'}",
        f"return player | shl(load(tab, {place} + results), {PLAYER_BITS})",
    ]
    loads = [f"w{word} = load(row, {word})" for word in sorted(writer.words)]
    judged = "\n".join(f"    {line}" for line in (*loads, *lines))
    source = f"def verdict(tab, row):\n{judged}\n\n\n{_SUCCESSORS}"
    return VerdictCode(source, tuple(numbers), writer.is_sure)


class _ConditionWriter:
    """Writes conditions as assignments to variables that are 0 or 1."""

    def __init__(
        self, packing: Packing, tables: Tables, enabled: Mapping[str, EnabledCode]
    ) -> None:
        self.lines: list[str] = []
        self._packing = packing
        self._tables = tables
        self._enabled = enabled
        self._fireable: dict[str, str] = {}
        self.is_sure = True
        self._left = MOST_TERMS
        self._variables = 0
        self._word_names = {f"w{word}": word for word in range(packing.words)}

    @property
    def words(self) -> set[int]:
        """The words that the lines look at; where firings are asked for, all of them."""
        text = "\n".join(self.lines)
        return {word for name, word in self._word_names.items() if f"({name}" in text}

    def condition(self, wanted: Sets) -> str:
        """The variable that is 1 where a marking is in *wanted*."""
        match wanted:
            case Complement(operand):
                return self._noted(f"{self.condition(operand)} ^ 1")
            case Intersection(left, right):
                return self._noted(f"{self.condition(left)} & {self.condition(right)}")
            case Union(left, right):
                return self._noted(f"{self.condition(left)} | {self.condition(right)}")
            case Enabled(transition):
                return self._can_fire(transition)
            case NamedSet(name):
                every = () if name == "all" else tuple(map(self._can_fire, self._enabled))
                return self._noted(f"{self._joined('|', every)} ^ 1")
            case Counted(left, relation, right):
                sums = self._number(left), self._number(right)
                return self._noted(f"({sums[0]} {_SIGNS[relation]} {sums[1]})")
            case Has():
                return self._has(wanted)
            case Compared():
                return self._compared(wanted)
            case Register() | OneNode() | InComponent():
                raise Refused("a condition is about nodes of a graph")
            case _:
                assert_never(wanted)

    def _has(self, wanted: Has) -> str:
        packed = self._packing.places[wanted.place]
        if isinstance(packed, Slots):
            fields = list(self._slots(packed, wanted.pattern))
        else:
            fields = [
                self._field(packed, token)
                for token in _tokens(packed)
                if all(w in (None, g) for w, g in zip(wanted.pattern, token, strict=True))
            ]
        return self._noted(f"({self._joined('+', fields)} >= {max(wanted.times, 1)})")

    def _slots(self, packed: Slots, pattern: Pattern) -> Iterator[str]:
        """For each slot whether a token of this form is in it."""
        mask = code = packed.present
        parts = zip(pattern, packed.low, packed.sizes, packed.bits, packed.shifts(), strict=True)
        for number, low, size, bits, shift in parts:
            if number is None:
                continue
            if not 0 <= number - low < size:
                return
            mask |= (1 << bits) - 1 << shift
            code |= number - low << shift
        for at in range(packed.array.count):
            self._spend()
            word, first = packed.array.at(at)
            yield f"((w{word} & {signed(mask << first)}) == {signed(code << first)})"

    def _compared(self, wanted: Compared) -> str:
        left, right = self._content(wanted.left), self._content(wanted.right)
        tokens = dict.fromkeys((*left, *right))
        pairs = [(left.get(token, "0"), right.get(token, "0")) for token in tokens]
        is_same = self._joined("&", [f"({a} == {b})" for a, b in pairs], empty="1")
        match wanted.relation:
            case Comparison.EQ:
                return is_same
            case Comparison.NE:
                return self._noted(f"{is_same} ^ 1")
            case Comparison.LE | Comparison.LT:
                is_in = self._joined("&", [f"({a} <= {b})" for a, b in pairs], empty="1")
            case Comparison.GE | Comparison.GT:
                is_in = self._joined("&", [f"({a} >= {b})" for a, b in pairs], empty="1")
        if wanted.relation in {Comparison.LE, Comparison.GE}:
            return is_in
        return self._noted(f"{is_in} & ({is_same} ^ 1)")

    def _content(self, content: Content) -> dict[Token, str]:
        """How many of each token, as an expression; of others there are none."""
        found: dict[Token, list[str]] = {}
        for token, number in content.bag:
            found.setdefault(token, []).append(str(number))
        for place in content.places:
            packed = self._counters(place)
            for token in _tokens(packed):
                found.setdefault(token, []).append(self._field(packed, token))
        return {token: f"({' + '.join(parts)})" for token, parts in found.items()}

    def _number(self, counted: Count) -> str:
        parts = [str(counted.number)]
        for place in counted.places:
            packed = self._packing.places[place]
            array = packed.array
            ones: dict[int, int] = {}
            for at in range(array.count):
                word, shift = array.at(at)
                if isinstance(packed, Slots) or array.width == 1:
                    # A slot that is taken has its highest bit set.
                    ones[word] = ones.get(word, 0) | 1 << (shift + array.width - 1)
                else:
                    self._spend()
                    parts.append(f"(shr(w{word}, {shift}) & {(1 << array.width) - 1})")
            parts += [f"popcount(w{word} & {signed(mask)})" for word, mask in ones.items()]
        return self._joined("+", parts)

    def _can_fire(self, transition: str) -> str:
        if transition not in self._fireable:
            self._fireable[transition] = self._fired(self._enabled[transition])
        return self._fireable[transition]

    def _fired(self, enabled: EnabledCode) -> str:
        if enabled.function is None:
            for _ in enabled.conditions:
                self._spend()
            return self._joined("|", enabled.conditions)
        if enabled.most > MOST_TRIED:
            raise Refused("a condition asks for a transition with too many firings")
        states = self._tables.reserve(enabled.most * self._packing.words)
        moves = self._tables.reserve(enabled.most)
        # Written out, so that who runs this elsewhere sees that the tables are written to.
        self.lines.append(f"store(tab, {moves}, 0)")
        room = f"tab + {8 * states}, tab + {8 * moves}"
        firings = self._noted(f"{enabled.function}(tab, row, {room}, 0)")
        if not enabled.is_sure:
            self.is_sure = False
            self.lines += [f"if {firings} < 0:", "    return -1"]
        return self._noted(f"({firings} > 0)")

    def _counters(self, place: int) -> Counters:
        packed = self._packing.places[place]
        if not isinstance(packed, Counters):
            raise Refused(f"the tokens of `{packed.place.name}`, which a condition names, are many")
        return packed

    def _field(self, packed: Counters, token: Token) -> str:
        self._spend()
        word, shift = packed.array.at(index(token, packed))
        return f"(shr(w{word}, {shift}) & {packed.most})"

    def _spend(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise Refused("the conditions on who plays and wins look at too many tokens")

    def _joined(self, sign: str, parts: Sequence[str], *, empty: str = "0") -> str:
        """*parts* with *sign* between them, some at a time; an expression is not nested deeply."""
        if not parts:
            return self._noted(empty)
        name = self._noted(f" {sign} ".join(parts[:_TERMS_OF_A_LINE]))
        for at in range(_TERMS_OF_A_LINE, len(parts), _TERMS_OF_A_LINE):
            more = f" {sign} ".join(parts[at : at + _TERMS_OF_A_LINE])
            name = self._noted(f"{name} {sign} {more}")
        return name

    def _noted(self, expression: str) -> str:
        self._variables += 1
        name = f"c{self._variables}"
        self.lines.append(f"{name} = {expression}")
        return name


def _tokens(packed: Counters) -> Iterator[Token]:
    """Every token that a place can hold."""
    ranges = zip(packed.low, packed.sizes, strict=True)
    return product(*(range(low, low + size) for low, size in ranges))
