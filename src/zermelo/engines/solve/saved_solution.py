"""Solutions kept in files, and taken from them again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from zermelo.core.arrays import Numbers, Rows
from zermelo.core.expander import Expander
from zermelo.core.limits import Listener
from zermelo.core.signature import Signature, Stuck
from zermelo.core.state import State
from zermelo.engines.solve.codes import Codes, Coding, Objective
from zermelo.engines.solve.levels import ValuesInMemory
from zermelo.engines.solve.solution import Solution
from zermelo.engines.solve.solution_file import (
    FileRows,
    NotASolution,
    SolutionFile,
    file_rows,
    keys_for,
    layout_json,
    write,
)
from zermelo.engines.solve.values import CountedValues, Solved, ValueKind, Verification
from zermelo.engines.solve.verify import verify
from zermelo.engines.space.orbits.reduction import Reduction
from zermelo.text.errors import UsageError

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
    rows, numbers = _all_states(stored, way)
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
        "counted": [_counted_json(each) for each in solution.counted],
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
    write(path, header, rows, [column[numbers] for column in stored.columns])


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
    way = _bridge_to(file, expander)
    stored = ValuesInFile(file, way, _reduction_of(file, reducing))
    return Solution(
        expander,
        expander.pack(initial),
        objectives_in(file),
        stored,
        counted=tuple(_counted(each) for each in file.header["counted"]),
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
    _bridge_to(file, expander)
    reduction = _reduction_of(file, None if reducing is None else lambda: reducing(expander))
    return verify(file, expander, expander.pack(initial), reduction=reduction, listener=listener)


def _bridge_to(file: SolutionFile, expander: Expander) -> FileRows:
    way = file_rows(expander)
    if layout_json(way.layout) != file.header["layout"]:
        raise _another_version(file)
    return way


def _reduction_of(
    file: SolutionFile, reducing: Callable[[], Reduction | None] | None
) -> Reduction | None:
    """The symmetries that *file* was made with."""
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
    """Raise ``NotASolution`` unless *file* was made for *system* as it is read."""
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


def objectives_in(file: SolutionFile) -> tuple[Objective, ...]:
    """Whose values are in *file*."""
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


def _all_states(stored: ValuesInMemory, way: FileRows) -> tuple[Rows, Numbers]:
    """All states, packed, and their numbers."""
    space = stored.space
    rows: list[Rows] = []
    numbers: list[Numbers] = []
    for level in range(space.depth):
        for piece in space.pieces(level):
            part = space.store.rows(piece)
            numbers.append(space.own_numbers(piece, part))
            rows.append(way.to_file(part))
    return np.ascontiguousarray(np.concatenate(rows)), np.concatenate(numbers)


def _counted_json(counted: CountedValues) -> dict[str, Any]:
    return {
        "by_kind": {kind.value: str(count) for kind, count in counted.by_kind.items()},
        "by_winner": {name: str(count) for name, count in counted.by_winner.items()},
    }


def _counted(data: dict[str, Any]) -> CountedValues:
    return CountedValues(
        {ValueKind(kind): int(count) for kind, count in data["by_kind"].items()},
        {name: int(count) for name, count in data["by_winner"].items()},
    )
