"""Tokens, markings and firings as they are written, with the names of colours if they have any."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final

from zermelo.core.state import Move, State
from zermelo.core.values import Value, to_text
from zermelo.languages.nets.ir import Net, Place, Variable
from zermelo.languages.nets.run.bags import Bag, Token

_LONGEST: Final = 24


def number_text(number: int, names: Sequence[str] | None, low: int) -> str:
    """A component of a token: its name, if its values have names from *low* on.

    >>> number_text(2, None, 0), number_text(2, ("red", "green"), 1)
    ('2', 'green')
    """
    at = number - low
    return names[at] if names is not None and 0 <= at < len(names) else str(number)


def value_text(value: Value, variable: Variable) -> str:
    if isinstance(value, int):
        return number_text(value, variable.names, variable.low or 0)
    return to_text(value)


def colours(place: Place, at: int) -> tuple[tuple[str, ...] | None, int]:
    """The names of the values of a component of *place*, if it has any, and the first value."""
    names = place.colours[at] if at < len(place.colours) else None
    return names, 0 if place.low is None else place.low[at]


def token_text(token: Token, place: Place) -> str:
    parts = [number_text(number, *colours(place, at)) for at, number in enumerate(token)]
    return f"<.{','.join(parts)}.>"


def bag_text(bag: Bag, place: Place) -> str:
    """What lies in *place*; ``empty`` if nothing does."""
    terms = [f"{'' if count == 1 else count}{token_text(token, place)}" for token, count in bag]
    return " + ".join(terms) or "empty"


def bag_in(state: State, at: int) -> Bag:
    found = state.values[at]
    assert isinstance(found, Bag), "a marking is made of bags"
    return found


_SHOWN: Final = 12
"""Of a longer list of firings or places only the ends are shown."""


def play_text(moves: Sequence[Move], write: Callable[[Move], str]) -> str:
    """*moves* one after another; one that comes again at once is written once, with its number.

    >>> play_text([Move("a"), *[Move("b")] * 5_000, Move("a")], lambda move: move.name)
    'a, b (5,000 times), a'
    """
    runs = [(move, sum(1 for _ in same)) for move, same in groupby(moves)]
    shown = [
        write(move) if times == 1 else f"{write(move)} ({times:,} times)" for move, times in runs
    ]
    if len(shown) > _SHOWN:
        left_out = sum(times for _, times in runs[_SHOWN - 2 : -2])
        shown = [*shown[: _SHOWN - 2], f"… {left_out:,} more …", *shown[-2:]]
    return ", ".join(shown) or "nothing"


class Words:
    """How the markings and firings of one net are written."""

    def __init__(self, net: Net) -> None:
        self.net = net
        self._transitions = {each.name: each for each in net.transitions}

    def places(self, state: State, *, is_marked: bool = False) -> tuple[tuple[Place, str], ...]:
        """Each place with what lies in it; if *is_marked*, those that are not empty."""
        return tuple(
            (place, bag_text(bag, place))
            for at, place in enumerate(self.net.places)
            if len(bag := bag_in(state, at)) or not is_marked
        )

    def marking(self, state: State) -> str:
        marked = self.places(state, is_marked=True)
        return ", ".join(f"{place.name}: {bag}" for place, bag in marked) or "no tokens"

    def firing(self, move: Move) -> str:
        """A firing: the transition, and the values of its variables.

        >>> from zermelo.languages.nets.ir import Transition, Variable
        >>> eats = Transition("left", (Variable("p"),))
        >>> Words(Net("table", (), (eats,))).firing(Move("left", (3,)))
        'left <p: 3>'
        """
        transition = self._transitions.get(move.name)
        if transition is None or len(transition.variables) != len(move.arguments):
            return str(move)
        if not move.arguments:
            return move.name
        bound = zip(transition.variables, move.arguments, strict=True)
        return f"{move.name} <{', '.join(f'{v.name}: {value_text(x, v)}' for v, x in bound)}>"

    def among(self, moves: Sequence[Move]) -> list[str]:
        """Firings of one marking: long ones only with the values that tell them apart there.

        What is written can be typed. A transition with one firing is clear by its name.
        """
        found = []
        for move in moves:
            text = self.firing(move)
            if len(text) > _LONGEST and move.name in self._transitions:
                others = [each.arguments for each in moves if each.name == move.name]
                text = self._told_apart(move, others)
            found.append(text)
        return found

    def _told_apart(self, move: Move, others: Sequence[tuple[Value, ...]]) -> str:
        bound = zip(self._transitions[move.name].variables, move.arguments, strict=True)
        kept = [
            f"{variable.name}: {value_text(value, variable)}"
            for at, (variable, value) in enumerate(bound)
            if any(each[at] != value for each in others)
        ]
        return f"{move.name} <{', '.join(kept)}>" if kept else move.name

    def short(self, move: Move) -> str:
        """A firing for a picture: without its values where these take much room."""
        text = self.firing(move)
        return text if len(text) <= _LONGEST else f"{move.name} <…>"
