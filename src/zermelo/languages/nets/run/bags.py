"""Finite bags of tokens: what lies in a place of a net."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from zermelo.core.values import Other, SortKey

Token: TypeAlias = tuple[int, ...]
"""A token: whole numbers; the black token has none."""


@dataclass(frozen=True, slots=True)
class Bag(Other):
    """So many of each token, in the order of the tokens; none with the count 0."""

    counts: tuple[tuple[Token, int], ...] = ()

    @staticmethod
    def of(counts: Mapping[Token, int] | Iterable[tuple[Token, int]]) -> Bag:
        return Bag(tuple(sorted((token, n) for token, n in dict(counts).items() if n)))

    def __len__(self) -> int:
        return sum(count for _, count in self.counts)

    def __iter__(self) -> Iterator[tuple[Token, int]]:
        return iter(self.counts)

    def sort_key(self) -> SortKey:
        return (len(self), self.counts)

    def __str__(self) -> str:
        return " + ".join(_term(token, count) for token, count in self.counts) or "empty"


def _term(token: Token, count: int) -> str:
    times = "" if count == 1 else str(count)
    return f"{times}<.{','.join(map(str, token))}.>"
