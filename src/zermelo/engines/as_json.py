"""What engines answer, as JSON values."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.core.ir import Reading
from zermelo.core.machine import Move
from zermelo.engines.explore import Space
from zermelo.engines.trial import Row
from zermelo.text.render import Json


def reading_json(reading: Reading) -> dict[str, Json]:
    """*reading* as JSON values."""
    return {
        "name": reading.name,
        "choice": reading.choice,
        "choices": list(reading.choices),
        "reason": reading.reason,
        "decided_by": reading.decided_by,
    }


def row_json(row: Row) -> dict[str, Json]:
    """*row* of a table of readings as JSON values."""
    difference = row.difference
    return {
        "choices": dict(row.choices),
        "playable": row.playable,
        "why": list(row.why),
        "taken": row.taken,
        "play": None if row.play is None else _play(row.play),
        "difference": None
        if difference is None
        else {
            "play": _play(difference.play),
            "taken": difference.taken,
            "other": difference.other,
            "shortest": difference.is_shortest,
        },
    }


def space_json(space: Space) -> dict[str, Json]:
    """*space* as JSON values."""
    return {
        "states": space.states,
        "by_depth": list(space.by_depth),
        "over_by_depth": list(space.over_by_depth),
        "moves": space.moves,
        "endings": [
            {"outcome": str(each.outcome), "count": each.count, "play": _play(each.play)}
            for each in space.endings
        ],
        "stuck": 0 if space.stuck is None else space.stuck.count,
        "complete": space.is_complete,
        "cut": space.cut,
    }


def _play(moves: Sequence[Move]) -> list[Json]:
    return [str(move) for move in moves]
