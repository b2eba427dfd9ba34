"""A solved model: the value of every reachable state, and the moves that keep it.

The values are in memory, or in a file to which they were saved and which is opened
again for the same document only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from zermelo.core.arrays import Numbers, Rows
from zermelo.core.expander import Expander, player_of
from zermelo.core.layout import layout_json
from zermelo.core.limits import Limits, Listener
from zermelo.core.signature import Signature, Stuck
from zermelo.core.state import Move, State
from zermelo.engines.graph.build import graph_of
from zermelo.engines.graph.tables import positions_table
from zermelo.engines.solve.codes import Codes, Coding, Objective, objectives_of
from zermelo.engines.solve.levels import ValuesInMemory
from zermelo.engines.solve.solution_file import (
    FileRows,
    NotASolution,
    SolutionFile,
    file_rows,
    write,
)
from zermelo.engines.solve.state_keys import keys_for
from zermelo.engines.solve.values import (
    UNKNOWN,
    CountedValues,
    ForcedValue,
    MoveValue,
    PrincipalLine,
    Solved,
    Value,
    ValueKind,
    Verification,
    agreed,
    counted_heads,
    counted_rows,
    summary,
)
from zermelo.engines.solve.verify import verify
from zermelo.engines.space.orbits.reduction import Reduction
from zermelo.text.errors import UsageError
from zermelo.text.render import html_table

MOST_IN_A_TABLE: Final = 1_000_000
"""Of a game with more positions a table has as many as are asked for."""
LONGEST: Final = 10_000
"""A line of play is followed for at most so many moves."""


class StoredValues(Protocol):
    """Where the codes of all states are."""

    @property
    def coding(self) -> Coding: ...

    def look_up(self, rows: Rows) -> list[Codes]:
        """For each objective the codes of *rows*; *not known* for states that are not there."""


@dataclass(frozen=True, repr=False)
class Solution:
    """The values of all reachable states of a system, or why they are not known."""

    expander: Expander
    first: Rows
    objectives: tuple[Objective, ...]
    stored: StoredValues | None
    """``None`` when there are no values."""
    counted: tuple[CountedValues, ...] = ()
    classes: int = 0
    reached: int = 0
    """How many states were reached where there are no values."""
    stuck: int = 0
    cut: str | None = None
    notes: tuple[str, ...] = ()
    symmetry: str = ""
    symmetries: int = 1
    method: str = ""
    seconds: float = 0.0

    def __repr__(self) -> str:
        return f"<Solution: {summary(self)}>"

    def __str__(self) -> str:
        """What is found out, and how many positions have which value."""
        rows = (f"  {'  '.join(row)}" for row in counted_rows(self))
        return "\n".join([f"{summary(self)}.", *rows])

    def _repr_html_(self) -> str:
        return html_table(counted_heads(self), counted_rows(self), caption=summary(self))

    @property
    def signature(self) -> Signature:
        return self.expander.signature

    @property
    def is_complete(self) -> bool:
        return self.cut is None

    @property
    def states(self) -> int:
        return self.counted[0].total if self.counted else self.reached or self.classes

    @property
    def scorings(self) -> tuple[Stuck, ...]:
        return tuple(dict.fromkeys(objective.stuck for objective in self.objectives))

    @property
    def player(self) -> str | None:
        return self._player_name(self.first)

    @property
    def root(self) -> Value:
        return self._values(self.first.reshape(1, -1))[0]

    def value(self, state: State | None = None) -> Value:
        row = self.first if state is None else self.expander.pack(state)
        return self._values(row.reshape(1, -1))[0]

    def moves(self, state: State | None = None) -> tuple[MoveValue, ...]:
        row = self.first if state is None else self.expander.pack(state)
        return tuple(each for each, _, _ in self._moves(row))

    def best(self, state: State | None = None) -> Move | None:
        found = self._best(self.first if state is None else self.expander.pack(state))
        return None if found is None else found[0].move

    def line(self, state: State | None = None) -> PrincipalLine:
        row = self.first if state is None else self.expander.pack(state)
        moves: list[Move] = []
        players: list[str | None] = []
        met = {row.tobytes(): 0}
        while len(moves) < LONGEST:
            found = self._best(row)
            if found is None:
                return PrincipalLine(tuple(moves), tuple(players))
            players.append(self._player_name(row))
            moves.append(found[0].move)
            row = found[1]
            if row.tobytes() in met:
                return PrincipalLine(tuple(moves), tuple(players), met[row.tobytes()])
            met[row.tobytes()] = len(moves)
        return PrincipalLine(tuple(moves), tuple(players))

    def to_pandas(self, *, states: int | None = None) -> Any:  # noqa: ANN401 - a DataFrame
        if not self.is_complete:
            raise UsageError(f"there are no values for a table: {self.cut}")
        if states is None and self.states > MOST_IN_A_TABLE:
            raise UsageError(
                f"{self.states:,} positions are too many for a table; `to_pandas(states=10_000)` "
                "has the 10,000 that are reached first"
            )
        found = graph_of(
            self.expander, self.expander.unpack(self.first), limits=Limits(states=states)
        )
        values = self._values(found.rows)
        told: dict[str, Sequence[object]] = {
            "value": [each.kind.value for each in values],
            "winner": [each.winner for each in values],
            "plies": [each.plies for each in values],
        }
        return positions_table(found, told)

    def _player_name(self, row: Rows) -> str | None:
        at = int(player_of(self.expander.judge(row.reshape(1, -1)))[0])
        players = self.signature.players
        if len(players) == 1:
            return players[0].name
        return players[at].name if at >= 0 else None

    def _best(self, row: Rows) -> tuple[MoveValue, Rows] | None:
        found = self._moves(row)
        if not found or self.stored is None or self.stored.coding.unknown in found[0][2]:
            return None
        best = max(liked for _, _, liked in found)
        return next((each, after) for each, after, liked in found if liked == best)

    def _moves(self, row: Rows) -> list[tuple[MoveValue, Rows, tuple[int, ...]]]:
        """Each move with its value, the state after it, and how much the mover likes it."""
        expansion = self.expander.expand(row.reshape(1, -1))
        after = expansion.states.copy()
        codes = expansion.moves.tolist()
        player = max(int(player_of(expansion.verdicts)[0]), 0)
        if not len(after):
            return []
        columns = self._look_up(after)
        found: list[tuple[MoveValue, Rows, tuple[int, ...]]] = []
        for at, code in enumerate(codes):
            words = [int(column[at]) for column in columns]
            value = self._told(words, player, later=1)
            move = MoveValue(self.expander.move(code), value)
            found.append((move, after[at], self._liked(words, player)))
        return found

    def _values(self, rows: Rows) -> list[Value]:
        players = np.maximum(player_of(self.expander.judge(rows)), 0).tolist()
        columns = self._look_up(rows)
        return [
            self._told([int(column[at]) for column in columns], player)
            for at, player in enumerate(players)
        ]

    def _look_up(self, rows: Rows) -> Sequence[Codes]:
        return [] if self.stored is None else self.stored.look_up(rows)

    def _liked(self, codes: Sequence[int], player: int) -> tuple[int, ...]:
        """How much *player* likes what these codes tell: more is better."""
        if self.stored is None:
            return ()
        players = len(self.signature.players)
        if players > 2:
            pairs = zip(codes, self.objectives, strict=True)
            return tuple(code for code, objective in pairs if objective.player == player)
        if players == 1 or player != 1:
            return tuple(codes)
        coding = self.stored.coding
        return tuple(coding.turned(np.array(codes, dtype=coding.dtype)).tolist())

    def _told(self, codes: Sequence[int], player: int, *, later: int = 0) -> Value:
        """The value that the codes of a state tell to *player*, *later* plies before it."""
        if self.stored is None or self.stored.coding.unknown in codes:
            return UNKNOWN
        names = [each.name for each in self.signature.players]
        by_scoring: dict[Stuck, list[ForcedValue]] = {}
        for objective, code in zip(self.objectives, codes, strict=True):
            kind, plies = self.stored.coding.decoded(code)
            plies = None if plies is None else plies + later
            forced = by_scoring.setdefault(objective.stuck, [])
            forced.append(ForcedValue(names[objective.player], kind, plies))
            if len(names) == 2:
                forced.append(ForcedValue(names[1], kind.opposite, plies))
        scored: list[tuple[str, Value]] = []
        for scoring, forced in by_scoring.items():
            mine = forced[min(player, len(forced) - 1)]
            winners = (each.player for each in (mine, *forced) if each.kind is ValueKind.WIN)
            value = Value(mine.kind, next(winners, None), mine.plies, tuple(forced))
            scored.append((scoring.value, value))
        return agreed(tuple(scored))


MANY: Final = 5_000
"""A file with more states than this is worth a fast expander when it is checked."""


def save(solution: Solved | None, path: Path) -> None:
    """Write *solution* to a file; raises ``UsageError`` if there are no values, or no room."""
    if not isinstance(solution, Solution) or solution.stored is None:
        why = None if solution is None else solution.cut
        raise UsageError(f"there are no values to keep: {why or 'nothing was solved'}")
    stored = solution.stored
    if not isinstance(stored, ValuesInMemory):
        raise UsageError("these values are in a file already")
    way = file_rows(solution.expander)
    parts: list[Rows] = []
    numbers: list[Numbers] = []
    space = stored.space
    for level in range(space.depth):
        for piece in space.pieces(level):
            part = space.store.rows(piece)
            numbers.append(space.own_numbers(piece, part))
            parts.append(way.to_file(part))
    rows = np.ascontiguousarray(np.concatenate(parts))
    plain = rows.view(np.uint64)
    varying = np.bitwise_or.reduce(plain ^ plain[:1], axis=0)
    keys = keys_for([int(word) for word in varying], [int(word) for word in plain[0]])
    header = {
        "name": solution.signature.name,
        "fingerprint": solution.signature.fingerprint,
        "identity": solution.signature.meaning(),
        "readings": {each.name: each.choice for each in solution.signature.readings},
        "players": [each.name for each in solution.signature.players],
        "seekers": [[each.player, each.stuck.value] for each in solution.objectives],
        "states": len(rows),
        "positions": str(solution.states),
        "counted": [
            {
                "by_kind": {kind.value: str(count) for kind, count in counted.by_kind.items()},
                "by_winner": {name: str(count) for name, count in counted.by_winner.items()},
            }
            for counted in solution.counted
        ],
        "stuck": solution.stuck,
        "symmetry": solution.symmetry,
        "symmetries": str(solution.symmetries),
        "notes": list(solution.notes),
        "method": solution.method,
        "layout": layout_json(way.layout),
        "key": {
            "runs": [[run.word, run.shift, run.width] for run in keys.runs],
            "fixed": list(keys.fixed),
        },
        "value_bytes": stored.coding.size,
    }
    places = np.concatenate(numbers)
    write(path, header, rows, [column[places] for column in stored.columns])


def opened(
    path: Path,
    expander: Expander,
    initial: State,
    reducing: Callable[[], Reduction | None] | None = None,
) -> Solution:
    """The solution in a file; raises ``NotASolution`` if it was made for something else.

    *reducing* finds the symmetries, which are asked for if the file has used them.
    """
    file = SolutionFile(path)
    check_fingerprint(file, expander.signature)
    way = _file_rows_for(file, expander)
    stored = ValuesInFile(file, way, _reduction_of(file, reducing))
    return Solution(
        expander,
        expander.pack(initial),
        objectives_in(file),
        stored,
        counted=tuple(
            CountedValues(
                {ValueKind(kind): int(count) for kind, count in counted["by_kind"].items()},
                {name: int(count) for name, count in counted["by_winner"].items()},
            )
            for counted in file.header["counted"]
        ),
        classes=file.states,
        stuck=file.header["stuck"],
        notes=tuple(file.header["notes"]),
        symmetry=file.header["symmetry"],
        symmetries=int(file.header["symmetries"]),
        method=file.header["method"],
    )


def verified(
    path: Path,
    slow: Expander,
    faster: Callable[[], Expander | str] | None,
    reducing: Callable[[Expander], Reduction | None] | None = None,
    *,
    initial: State,
    listener: Listener | None = None,
) -> Verification:
    """What the independent check of a file finds; large ones are checked by a fast expander."""
    file = SolutionFile(path)
    check_fingerprint(file, slow.signature)
    expander = slow
    if faster is not None and file.states > MANY:
        made = faster()
        expander = slow if isinstance(made, str) else made
    _file_rows_for(file, expander)
    reduction = _reduction_of(file, None if reducing is None else lambda: reducing(expander))
    return verify(file, expander, expander.pack(initial), reduction=reduction, listener=listener)


def _file_rows_for(file: SolutionFile, expander: Expander) -> FileRows:
    way = file_rows(expander)
    is_same = layout_json(way.layout) == file.header["layout"]
    if not is_same or len(file.header["key"]["fixed"]) != way.layout.words:
        raise _another_version(file)
    return way


def _reduction_of(
    file: SolutionFile, reducing: Callable[[], Reduction | None] | None
) -> Reduction | None:
    if file.header["symmetries"] == "1":
        return None
    found = None if reducing is None else reducing()
    if found is None:
        raise _another_version(file)
    rows = file.rows_at(np.arange(min(file.states, 256)))
    kept = rows.copy()
    found.canonical(kept)
    if not np.array_equal(rows, kept):
        raise _another_version(file)
    return found


def _another_version(file: SolutionFile) -> NotASolution:
    return NotASolution(
        f"`{file.path}` was written by a version of this program that keeps states in another "
        "way; solve the document again"
    )


def check_fingerprint(file: SolutionFile, signature: Signature) -> None:
    """Raise ``NotASolution`` unless *file* was made for the document as it is read."""
    header = file.header
    if header["fingerprint"] != signature.fingerprint:
        raise NotASolution(
            f"`{file.path}` is the solution of another document, or of another text of "
            f"{header['name']}; solve it again"
        )
    now = {each.name: each.choice for each in signature.readings}
    for name in sorted({*now, *header["readings"]}):
        then = header["readings"].get(name)
        if then != now.get(name):
            raise NotASolution(
                f"`{file.path}` was made under another reading: {name} was "
                f"{then or 'not open'}, and is {now.get(name) or 'not open'} now"
            )
    if header["identity"] != signature.meaning():
        raise NotASolution(
            f"`{file.path}` was made when the document was understood in another way, "
            "as with or without its errata; solve it again"
        )
    possible = [tuple(objectives_of(signature, has_stuck=has_stuck)) for has_stuck in (False, True)]
    names = [player.name for player in signature.players]
    if header["players"] != names or objectives_in(file) not in possible:
        raise NotASolution(f"`{file.path}` has not the values of those who play; solve it again")


def objectives_in(file: SolutionFile) -> tuple[Objective, ...]:
    return tuple(Objective(player, Stuck(stuck)) for player, stuck in file.header["seekers"])


@dataclass(frozen=True, slots=True)
class ValuesInFile:
    """The codes of all states in a file."""

    file: SolutionFile
    way: FileRows
    reduction: Reduction | None

    @property
    def coding(self) -> Coding:
        return self.file.coding

    def look_up(self, rows: Rows) -> list[Codes]:
        kept = rows.copy()
        if self.reduction is not None:
            self.reduction.canonical(kept)
        nothing = [self.coding.unknown] * len(self.file.header["seekers"])
        found: list[list[int]] = []
        for row in self.way.to_file(kept):
            place = self.file.place(row)
            found.append(nothing if place < 0 else self.file.codes_at(place))
        return list(np.array(found, dtype=self.coding.dtype).reshape(len(rows), -1).T)
