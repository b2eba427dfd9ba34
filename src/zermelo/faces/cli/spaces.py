"""What an exploration found, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zermelo import api
from zermelo.core.ir import System
from zermelo.core.machine import Ending, Move
from zermelo.play import notation
from zermelo.play.prose import Line, Piece, Tone, count, line, tied

MOST_SHOWN = 12
"""Moves of a play that are shown."""


def play_text(moves: Sequence[Move], system: System) -> str:
    """A play as evidence, its middle left out when it is long."""
    if not moves:
        return "no move"
    shown = [tied(notation.to_text(move, system)) for move in moves]
    if len(shown) > MOST_SHOWN:
        left_out = len(shown) - MOST_SHOWN
        shown = [*shown[: MOST_SHOWN - 2], f"… {left_out} more …", *shown[-2:]]
    return ", ".join(shown)


def verdict_lines(space: api.Space, system: System) -> Iterator[Line]:
    """How much was seen, whether that was all, and how plays end."""
    if space.is_complete:
        yield line(f"{count(space.states, 'state')}, all that can be reached.", indent=2, hang=4)
    else:
        yield line(
            f"{count(space.states, 'state')} were looked at, not all: {space.cut}. "
            f"Up to {count(space.full_depth, 'move')} deep they are all there.",
            indent=2,
            hang=4,
        )
    for ending in space.endings:
        if ending.outcome.ending is Ending.STUCK:
            continue
        yield line(
            Piece(str(ending.outcome), Tone.STRONG),
            f": {count(ending.count, 'state')}; first after ",
            f"{count(len(ending.play), 'move')}: ",
            Piece(play_text(ending.play, system), Tone.FORMULA),
            indent=2,
            hang=4,
        )
    if space.stuck is not None:
        yield line(
            Piece("stuck", Tone.STRONG),
            f": {count(space.stuck.count, 'state')} not over and without a move; first after ",
            Piece(play_text(space.stuck.play, system), Tone.FORMULA),
            indent=2,
            hang=4,
        )
    for found in space.faults:
        yield line(
            Piece(found.fault.message, Tone.BAD),
            f" (in {found.fault.procedure}); first after ",
            Piece(play_text(found.play, system), Tone.FORMULA),
            indent=2,
            hang=4,
        )
