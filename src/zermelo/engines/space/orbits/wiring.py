"""Bits gathered from the words of a row and scattered back, as source text.

What each byte contributes is looked up in a table, unless bits keep their
distances, when a mask and a shift do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from zermelo.core.layout import Place
from zermelo.engines.space.orbits.columns import Single, Spot

Move: TypeAlias = tuple[int, int]
"""From this bit to that bit."""

_BYTE: Final = 8


class Wiring:
    """Where the claims of a row are, and the tables by which they are moved."""

    def __init__(self, spots: Sequence[Spot]) -> None:
        self._spots = spots
        self._known: dict[tuple[int, ...], int] = {}
        self.tables: list[int] = []
        """All tables, one after another."""

    def gathered(self, name: str, wanted: list[tuple[int, int]]) -> list[str]:
        """Make *name* a number with these claims at these places."""
        by_word: dict[int, list[Move]] = {}
        coded: dict[Place, list[tuple[int, int]]] = {}
        for claim, place in wanted:
            spot = self._spots[claim]
            if isinstance(spot, Single):
                by_word.setdefault(spot.word, []).append((spot.shift, place))
            else:
                coded.setdefault(spot.place, []).append((spot.code, place))
        terms = [self.moved(f"w{word}", moves, 64) for word, moves in sorted(by_word.items())]
        for field, codes in coded.items():
            entries = [0] * (1 << field.width)
            for code, to in codes:
                entries[code] |= 1 << to
            table = self.table(entries)
            terms.append(f"load(tables, {table} + {_field(field)})")
        return [f"{name} = {' | '.join(terms)}"]

    def scattered(self, name: str, claims: Iterable[int], at: dict[int, int]) -> list[str]:
        """Write the bits of *name* into the words of the row."""
        by_word: dict[int, list[Move]] = {}
        coded: dict[Place, list[tuple[int, int]]] = {}
        for claim in claims:
            spot = self._spots[claim]
            if isinstance(spot, Single):
                by_word.setdefault(spot.word, []).append((at[claim], spot.shift))
            else:
                coded.setdefault(spot.place, []).append((spot.code, at[claim]))
        lines: list[str] = []
        for word, moves in sorted(by_word.items()):
            mask = sum(1 << to for _, to in moves)
            moved = self.moved(name, moves, 64)
            lines.append(f"w{word} = w{word} & {signed(~mask)} | {moved}")
        for place, codes in coded.items():
            kept = signed(~(((1 << place.width) - 1) << place.shift))
            for code, bit in codes:
                value = signed(code << place.shift)
                lines += [
                    f"if shr({name}, {bit}) & 1:",
                    f"    w{place.word} = w{place.word} & {kept} | {value}",
                ]
        return lines

    def moved(self, name: str, moves: list[Move], width: int) -> str:
        """The bits of *name* that are moved, each where it goes."""
        shifts: dict[int, int] = {}
        for here, there in moves:
            shifts[there - here] = shifts.get(there - here, 0) | 1 << here
        bytes_touched = {here // _BYTE for here, _ in moves}
        if len(shifts) <= len(bytes_touched) + 1:
            return " | ".join(_shifted(name, by, mask) for by, mask in sorted(shifts.items()))
        terms = []
        table = byte_table(moves, width)
        for byte in sorted(bytes_touched):
            offset = self.table(table[256 * byte : 256 * (byte + 1)])
            terms.append(f"load(tables, {offset} + (shr({name}, {_BYTE * byte}) & 255))")
        return " | ".join(terms)

    def table(self, values: Sequence[int]) -> int:
        """The place of a table with these values."""
        key = tuple(signed(value) for value in values)
        if key not in self._known:
            self._known[key] = len(self.tables)
            self.tables += key
        return self._known[key]


def _shifted(name: str, by: int, mask: int) -> str:
    masked = f"({name} & {signed(mask)})"
    if by == 0:
        return masked
    return f"shl({masked}, {by})" if by > 0 else f"shr({masked}, {-by})"


def _field(place: Place) -> str:
    return f"(shr(w{place.word}, {place.shift}) & {(1 << place.width) - 1})"


def byte_table(moves: Iterable[Move], width: int) -> list[int]:
    """For each byte of a number and each of its values where its bits go."""
    table = [0] * (256 * -(-width // _BYTE))
    for here, there in moves:
        byte, bit = divmod(here, _BYTE)
        for value in range(256):
            if value >> bit & 1:
                table[256 * byte + value] |= 1 << there
    return table


def signed(value: int) -> int:
    """The bits of *value* as a signed word."""
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value
