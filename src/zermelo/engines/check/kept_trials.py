"""What playing has decided about the open readings of a document, kept for the next time.

A settlement is kept beside the compiled code under a digest of the program, of the document and of
what its caller decided, with the steps that it took: these count again, so that a document which
is too much work is so every time. It is data, a line of JSON, looked at before it is used.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from zermelo.core.observation import Difference, Objection, Point, Settlement, Verdict
from zermelo.core.state import Move, State
from zermelo.fast.cache import standard
from zermelo.files.program import digest_of_program
from zermelo.files.sealed import digest_of, json_bytes
from zermelo.packing.json_values import Unfit, expect, expect_list, from_json, to_json
from zermelo.text.diagnostic import Json

_KIND: Final = "trials 1"


@dataclass(frozen=True, slots=True)
class KeptTrials:
    """What was decided, and how many steps that took."""

    settlement: Settlement
    steps: int


def key_of(document: Json) -> str | None:
    """Under what the trials of *document*, with all that they depend on, are kept, if they are."""
    program = digest_of_program() if standard().keeps_findings else None
    if program is None:
        return None
    return digest_of([json_bytes([_KIND, program.hex(), document])]).hex()


def kept(key: str) -> KeptTrials | None:
    """The trials that are kept under *key*."""
    data = standard().get(key)
    try:
        return None if data is None else _trials(json.loads(data))
    except (Unfit, ValueError, RecursionError):
        return None


def keep(key: str, trials: KeptTrials) -> None:
    """Keep *trials* under *key*, unless a value in them has no form in which it could be kept."""
    try:
        said = _trials_json(trials)
    except (Unfit, RecursionError):
        return
    standard().put(key, json_bytes(said))


# What is kept, as JSON


def _trials_json(trials: KeptTrials) -> Json:
    found = trials.settlement
    return {
        "steps": trials.steps,
        "choices": dict(found.choices),
        "reasons": dict(found.reasons),
        "verdict": None if found.verdict is None else _verdict_json(found.verdict),
        # Their order is that in which they were tried.
        "against": [[order, _verdict_json(each)] for order, each in found.against.items()],
        "undecided": [
            [name, choice, _play_json(each.play), each.taken, each.other, each.is_shortest]
            for name, (choice, each) in found.undecided.items()
        ],
        **_turns_json(found),
    }


def _trials(data: Json) -> KeptTrials:
    found = expect(dict, data)
    if found.keys() != _FIELDS:
        raise Unfit
    verdict = found["verdict"]
    return KeptTrials(
        Settlement(
            _texts(found["choices"]),
            _texts(found["reasons"]),
            None if verdict is None else _verdict(verdict),
            dict(map(_judged, expect_list(found["against"]))),
            _turns(found["names"], found["states"], found["turns"]),
            dict(map(_undecided, expect_list(found["undecided"]))),
        ),
        expect(int, found["steps"]),
    )


_FIELDS: Final = frozenset(
    {
        "steps",
        "choices",
        "reasons",
        "verdict",
        "against",
        "undecided",
        "names",
        "states",
        "turns",
    }
)


def _texts(data: Json) -> Mapping[str, str]:
    return {name: expect(str, text) for name, text in expect(dict, data).items()}


def _judged(data: Json) -> tuple[str, Verdict]:
    order, verdict = expect_list(data, 2)
    return expect(str, order), _verdict(verdict)


def _undecided(data: Json) -> tuple[str, tuple[str, Difference]]:
    name, choice, play, taken, other, is_shortest = expect_list(data, 6)
    difference = Difference(
        _play(play), expect(str, taken), expect(str, other), expect(bool, is_shortest)
    )
    return expect(str, name), (expect(str, choice), difference)


def _verdict_json(verdict: Verdict) -> Json:
    return [
        [_point_json(each) for each in verdict.reasons],
        [_point_json(each) for each in verdict.marks],
        None if verdict.shortest is None else _play_json(verdict.shortest),
        verdict.states,
        verdict.is_played,
    ]


def _verdict(data: Json) -> Verdict:
    reasons, marks, shortest, states, is_played = expect_list(data, 5)
    return Verdict(
        tuple(map(_point, expect_list(reasons))),
        tuple(map(_point, expect_list(marks))),
        None if shortest is None else _play(shortest),
        expect(int, states),
        expect(bool, is_played),
    )


def _point_json(point: Point) -> Json:
    play = None if point.play is None else _play_json(point.play)
    return [point.kind.name, point.text, point.weight, play]


def _point(data: Json) -> Point:
    kind, text, weight, play = expect_list(data, 4)
    if kind not in Objection.__members__:
        raise Unfit
    return Point(
        Objection[expect(str, kind)],
        expect(str, text),
        expect(int, weight),
        None if play is None else _play(play),
    )


def _play_json(play: tuple[Move, ...]) -> Json:
    return [_move_json(move) for move in play]


def _play(data: Json) -> tuple[Move, ...]:
    return tuple(map(_move, expect_list(data)))


def _move_json(move: Move) -> Json:
    return [move.name, *map(to_json, move.arguments)]


def _move(data: Json) -> Move:
    name, *arguments = expect_list(data) or [None]
    return Move(expect(str, name), tuple(map(from_json, arguments)))


def _turns_json(settlement: Settlement) -> dict[str, Json]:
    """The turns that were made, each state written once and called by its number."""
    if settlement.turns is None:
        return {"names": [], "states": [], "turns": None}
    numbers: dict[State, int] = {}
    turns: list[Json] = []
    for before, move, after in settlement.turns:
        first, last = (numbers.setdefault(each, len(numbers)) for each in (before, after))
        turns.append([first, _move_json(move), last])
    names = next((list(state.names) for state in numbers), [])
    return {
        "names": names,
        "states": [[to_json(value) for value in state.values] for state in numbers],
        "turns": turns,
    }


def _turns(names: Json, states: Json, turns: Json) -> tuple[tuple[State, Move, State], ...] | None:
    if turns is None:
        return None
    named = tuple(expect(str, name) for name in expect_list(names))
    rows = (expect_list(row, len(named)) for row in expect_list(states))
    known = dict(enumerate(State(tuple(map(from_json, row)), named) for row in rows))
    found = []
    for turn in expect_list(turns):
        before, move, after = expect_list(turn, 3)
        first, last = known.get(expect(int, before)), known.get(expect(int, after))
        if first is None or last is None:
            raise Unfit
        found.append((first, _move(move), last))
    return tuple(found)
