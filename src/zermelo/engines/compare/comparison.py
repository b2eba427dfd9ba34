"""What comparing two models gives: that they are one game, or where plays of them part."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from zermelo.core.state import Move, number_of, play_to_text
from zermelo.text.diagnostic import Json
from zermelo.text.prose import count


class Parting(Enum):
    """How two positions after the same play can differ; the value says it in words."""

    OUTCOME = "another outcome"
    PLAYER = "another player in turn"
    MOVE = "a move that is legal in one only"
    RESULT = "a result of a move that the other does not have"


@dataclass(frozen=True, slots=True)
class Contrast:
    """Positions that differ in one way, with the shortest play to one of them.

    The play is told twice, as each of the two writes its moves.
    """

    parting: Parting
    first: str
    """What the first of the two says there, as `X wins` or `the play goes on`."""
    second: str
    positions: int
    play: tuple[Move, ...]
    other_play: tuple[Move, ...]
    move: Move | None = None
    """The move that is legal in one only after the play."""

    def __str__(self) -> str:
        """How they differ after the play.

        >>> play = (Move("Take", (2,)),)
        >>> print(Contrast(Parting.OUTCOME, "draw", "the play goes on", 3, play, play))
        after 1 move (Take(2)): draw / the play goes on
        """
        when = f"{when_after(self.play)} ({play_to_text(self.play)})" if self.play else AT_ONCE
        return f"{when}: {self.first} / {self.second}"


AT_ONCE = "at the beginning"


def when_after(play: tuple[Move, ...]) -> str:
    """When something is so that is so after *play*.

    >>> when_after(()), when_after((Move("Pass"),))
    ('at the beginning', 'after 1 move')
    """
    return f"after {number_of(play)}" if play else AT_ONCE


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Comparison:
    """Two models compared, each play of the one beside the same play of the other."""

    names: tuple[str, str]
    positions: int
    """How many pairs of positions were compared, each after some play that both have."""
    by_depth: tuple[int, ...]
    """How many of them after plays of each length; empty where classes were compared."""
    contrasts: tuple[Contrast, ...]
    """The ways in which they differ, that with the shortest play first."""
    cut: str | None = None
    """Why not all was compared."""
    unsaid: str | None = None
    """What could not be compared, as one of them does not say it."""
    sizes: tuple[int, int] | None = None
    """How many positions each has, where a move has several results and classes were compared."""
    is_first_only: bool = False
    """Whether it ended at the first difference, so that the others are not counted."""
    changes: tuple[str, ...] = ()
    """What the second document says otherwise than the first, in sentences."""

    @property
    def differing(self) -> int:
        """How many of the compared positions differ."""
        return sum(each.positions for each in self.contrasts)

    @property
    def shortest(self) -> Contrast | None:
        """The first difference, after the shortest play that shows one."""
        return self.contrasts[0] if self.contrasts else None

    @property
    def is_equal(self) -> bool | None:
        """Whether they are the same; ``None`` where that was not decided."""
        if self.contrasts:
            return False
        return None if self.cut is not None or self.unsaid is not None else True

    @property
    def verdict(self) -> str:
        """The answer in a sentence."""
        first, second = self.names
        compared = count(self.positions, "position")
        match self.is_equal:
            case True:
                return f"{first} and {second} are the same on moves and outcomes: {compared}"
            case None:
                why = self.cut or self.unsaid
                return f"undecided whether {first} and {second} are the same: {why}"
            case _:
                assert self.shortest is not None, "what differs differs somewhere"
                return f"{first} and {second} differ, first {when_after(self.shortest.play)}"

    def __repr__(self) -> str:
        return f"<Comparison: {self.verdict}>"

    def __str__(self) -> str:
        """The answer, and a line for each way in which they differ."""
        lines = [f"{self.verdict}."]
        if self.contrasts and not self.is_first_only:
            compared = count(self.positions, "position")
            lines.append(f"{self.differing:,} of {compared} compared differ:")
        lines += [f"  {each.positions:,} × {each}" for each in self.contrasts]
        if self.contrasts and self.cut is not None:
            lines.append(f"Not all was compared: {self.cut}.")
        return "\n".join(lines)


def comparison_json(found: Comparison) -> dict[str, Json]:
    return {
        "first": found.names[0],
        "second": found.names[1],
        "equal": found.is_equal,
        "positions": found.positions,
        "by_depth": list(found.by_depth),
        "differing": found.differing,
        "differences": [
            {
                "kind": each.parting.name.lower(),
                "first": each.first,
                "second": each.second,
                "positions": each.positions,
                "play": [str(move) for move in each.play],
                "other_play": [str(move) for move in each.other_play],
                "move": None if each.move is None else str(each.move),
            }
            for each in found.contrasts
        ],
        "cut": found.cut,
        "unsaid": found.unsaid,
        "changes": list(found.changes),
    }
