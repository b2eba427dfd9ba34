"""What engines answer, as JSON values."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from zermelo.core.machine import Ending, Move
from zermelo.core.space import Run, Space
from zermelo.engines.check.trial import Row
from zermelo.languages.sections.ir import Reading
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
    data: dict[str, Json] = {
        "states": space.states,
        "by_depth": list(space.by_depth),
        "over_by_depth": list(space.over_by_depth),
        "moves": space.moves,
        "endings": _endings(space),
        "stuck": 0 if space.stuck is None else space.stuck.count,
        "complete": space.is_complete,
        "cut": space.cut,
        "shortest": _shortest(space),
    }
    if space.longest is not None:
        play = space.longest.play
        data["longest"] = None if play is None else _play(play)
        data["cycles"] = space.longest.has_cycles
    if space.complete_plays is not None:
        data["plays"] = space.complete_plays
    if space.fired is not None:
        data["fired"] = {f"{name} {rule}": count for (name, rule), count in space.fired.items()}
    if space.faults:
        data["faulty"] = space.faulty
    if space.run is not None:
        data.update(_run(space.run))
    if space.classes is not None:
        data["classes"] = space.classes.count
        data["classes_by_depth"] = list(space.classes.by_depth)
        data["positions"] = space.states
        data["symmetries"] = space.classes.symmetries
        data["symmetry"] = space.classes.words
    return data


def _endings(space: Space) -> dict[str, Json]:
    counts: dict[str, int] = {}
    for each in space.endings:
        counts[str(each.outcome)] = counts.get(str(each.outcome), 0) + each.count
    return dict(counts)


def _shortest(space: Space) -> dict[str, Json]:
    plays: dict[str, Json] = {}
    for each in space.endings:
        plays.setdefault(str(each.outcome), _play(each.play))
    if space.stuck is not None:
        plays.setdefault(str(Ending.STUCK.value), _play(space.stuck.play))
    return plays


def _run(run: Run) -> dict[str, Json]:
    guess = run.estimate
    return {
        "seconds": round(run.seconds, 3),
        "threads": run.threads,
        "machine": run.machine,
        "store": run.store,
        "bytes": run.bytes,
        "estimate": None if guess is None else dataclasses.asdict(guess),
    }


def _play(moves: Sequence[Move]) -> list[Json]:
    return [str(move) for move in moves]
