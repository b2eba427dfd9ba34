"""States of a model, and the moves between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from zermelo.core.values import Value, sort_key, to_text


@dataclass(frozen=True, slots=True)
class State:
    """The values of all stored variables."""

    values: tuple[Value, ...]
    names: tuple[str, ...] = field(compare=False, repr=False)
    show: Callable[[Value], str] = field(default=to_text, compare=False, repr=False)
    """Writes a value in the notation of the document's dialect."""

    def __getitem__(self, name: str) -> Value:
        return self.values[self.names.index(name)]

    def items(self) -> Iterator[tuple[str, Value]]:
        """Each variable with its value, in the document's order."""
        return zip(self.names, self.values, strict=True)

    def __str__(self) -> str:
        return ", ".join(f"{name} = {self.show(value)}" for name, value in self.items())


NO_EFFECT_MOVE = "input without effect"
PASS_MOVE = "pass"


@dataclass(frozen=True, slots=True)
class Move:
    """A procedure that players call, with its arguments.

    Two pseudo-moves have no procedure: ``NO_EFFECT_MOVE`` where an input without
    effect costs the turn, and ``PASS_MOVE`` where a stuck player passes.
    """

    name: str
    arguments: tuple[Value, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(to_text, self.arguments))})"

    def sort_key(self) -> tuple[object, ...]:
        return (self.name, tuple(map(sort_key, self.arguments)))


_MOST_SHOWN: Final = 8


def play_to_text(moves: Sequence[Move]) -> str:
    """*moves* in a sentence; of many only the first and the last.

    >>> play_to_text((Move("Take", (2,)), Move("Pass")))
    'Take(2), Pass()'
    >>> play_to_text(())
    'no move at all'
    >>> play_to_text([Move("Take", (n,)) for n in range(20)])
    'Take(0), Take(1), Take(2), Take(3), … 14 more …, Take(18), Take(19)'
    """
    shown = [str(move) for move in moves]
    if len(shown) > _MOST_SHOWN:
        first, last = shown[: _MOST_SHOWN - 4], shown[-2:]
        shown = [*first, f"… {len(shown) - len(first) - len(last)} more …", *last]
    return ", ".join(shown) or "no move at all"


def number_of(moves: Sequence[Move]) -> str:
    """The length of a play in words.

    >>> number_of(()), number_of((Move("Pass"),))
    ('no move', '1 move')
    """
    match len(moves):
        case 0:
            return "no move"
        case 1:
            return "1 move"
        case count:
            return f"{count:,} moves"
