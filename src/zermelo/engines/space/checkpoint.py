"""Explorations on disk, so that one that was stopped, or killed, can go on.

A folder has files with the states of the levels that are complete, one with those of the level
that is being built, and ``exploration.sealed``, which names them with their digests and says
what was counted and of what (see ``files.kept``). Nothing of it is used before all of it was
compared, and nothing is counted on before the states in the store are those of the files.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import numpy as np

from zermelo.core.adapter import MachineExpander
from zermelo.core.arrays import Rows
from zermelo.core.expander import Expander
from zermelo.core.layout import Unpackable
from zermelo.core.limits import Announce, Resumed
from zermelo.core.machine import Outcome
from zermelo.core.values import to_text
from zermelo.engines.space.level_counts import MOST_FAULTY, CountedLevels, LevelCounts
from zermelo.engines.space.orbits.reduction import Reduction, reduced
from zermelo.engines.space.store import StateStore
from zermelo.files.kept import Description, Kept, KeptFile, locked_folder
from zermelo.files.program import digest_of_modules
from zermelo.files.sealed import Format, NotUsable, digest_of
from zermelo.text import budget
from zermelo.text.diagnostic import Json
from zermelo.text.errors import UsageError

ADVICE: Final = "remove the folder to begin again, or choose another one"
FORMAT: Final = Format("exploration", 2, ADVICE)
NAME: Final = "exploration"
FORMER: Final = "exploration.json"
"""What described an exploration in version 1."""
PENDING: Final = "pending"
KEEPING: Final = "keeping what was found"
GOING_ON: Final = "reading what was kept"
_SECONDS_BETWEEN: Final = 2.0
_SHARE: Final = 0.1
"""Keeping takes at most this share of the time."""
_STATES_AT_ONCE: Final = 1 << 16
_BYTES: Final = 8
_WORD: Final = 1 << 63
_PROGRAM: Final = ("core", "engines", "fast", "languages", "packing", "text")
"""The parts of the program on which it depends what is counted."""


@cache
def program() -> str:
    """A digest of the program that counts: half of a count by another one proves nothing."""
    root = Path(__file__).parents[2]
    paths = [path for part in _PROGRAM for path in (root / part).rglob("*.py")]
    if not paths:
        # Modules in an archive.
        try:
            return version("zermelo")
        except PackageNotFoundError:
            return "unknown"
    found = digest_of_modules(root, paths)
    if found is None:
        raise UsageError(
            "a part of this program was changed after it was started, so it is not known what "
            "counts here, and nothing can be kept; start it again"
        )
    return found.hex()


def belonging(expander: Expander, reduction: Reduction | None) -> dict[str, str]:
    """Of what an exploration with *expander* is: it goes on only with the same."""
    signature = expander.signature
    names = ", ".join(sorted(reading.name for reading in signature.readings))
    return {
        "document": signature.name,
        "text of the document": signature.fingerprint,
        "set of readings": names,
        **{f"choice of the reading `{each.name}`": each.choice for each in signature.readings},
        "understanding of the document": signature.meaning(),
        "use of symmetries": _symmetries(reduction),
        "kind of machine": "an interpreter" if expander.native is None else "compiled code",
        "version of the program": program(),
    }


def _symmetries(reduction: Reduction | None) -> str:
    return "none" if reduction is None else f"{reduction.order}: {', '.join(reduction.words)}"


class Pace:
    """How often something is kept: every few seconds, and for a small share of the time."""

    def __init__(self) -> None:
        self._last: float | None = None
        self._took = 0.0

    def is_due(self) -> bool:
        if self._last is None:
            return True
        return budget.now() - self._last > max(_SECONDS_BETWEEN, self._took / _SHARE)

    def note(self, began: float) -> None:
        """It was kept, from the time *began* until now."""
        self._last = budget.now()
        self._took = self._last - began


class Checkpoint:
    """A folder in which an exploration is kept; only one process has it at a time.

    ``open`` says what to explore with, ``resume`` fills a store; then it is asked to ``keep``.
    """

    def __init__(self, folder: Path, announce: Announce | None = None) -> None:
        self.folder = folder
        self.resumed: Resumed | None = None
        self.announce = announce
        self._held = ExitStack()
        self._kept: Kept | None = None
        self._expander: Expander | None = None
        self._reduction: Reduction | None = None
        self._described: Description | None = None
        self._segments: list[tuple[KeptFile, int]] = []
        """The files with complete levels, and how many levels each has."""
        self._pace = Pace()
        self._moves = 0
        self.belongs_to: Mapping[str, str] = {}

    def __enter__(self) -> Self:
        self._held.enter_context(locked_folder(self.folder, f"the {NAME} in {self.folder}"))
        if (self.folder / FORMER).exists():
            self._held.close()
            raise NotUsable(
                f"the {NAME} in {self.folder} has version 1 of its format, and this program "
                f"reads {FORMAT.version}; {ADVICE}"
            )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._held.close()

    def open(self, expander: Expander, reduction: Reduction | None = None) -> Expander:
        """What goes on with what is kept in the place of *expander*, which may be itself.

        Raises ``NotUsable`` if what is kept is damaged, or of something else.
        """
        if expander.row_form is None:
            reason = expander.reason
            if isinstance(expander, MachineExpander) and isinstance(expander.packing, Unpackable):
                reason = expander.packing.reason
            why = f", as {reason}" if reason else ""
            raise UsageError(
                f"the states of this system are only numbered{why}, so an exploration of it "
                "cannot be kept; leave out the folder"
            )
        self.belongs_to = belonging(expander, reduction)
        self._reduction = reduction
        self._kept = Kept(self.folder, NAME, FORMAT, self.belongs_to)
        self._segments, self.resumed = [], None
        self._described = self._kept.read()
        self._expander = expander
        if self._described is not None:
            form = self._described.content.get("form")
            try:
                fitting = expander.in_form(str(form))
            except UsageError as error:
                raise self._kept.damaged(str(error)) from error
            if fitting is None:
                # With so little room it ended before: it begins again, and is kept anew.
                self._described = None
            else:
                self._expander = fitting
        return self._expander

    @property
    def _opened(self) -> tuple[Kept, Expander]:
        assert self._kept is not None, "it was opened"
        assert self._expander is not None, "it was opened"
        return self._kept, self._expander

    @property
    def levels_digest(self) -> str:
        """A digest of the states of all complete levels, in their order."""
        names = "".join(f"{file.sha256} {levels}\n" for file, levels in self._segments)
        return digest_of([names.encode()]).hex()

    # Keeping

    def is_due(self) -> bool:
        return self._pace.is_due()

    def keep(self, found: CountedLevels, store: StateStore) -> None:
        with budget.phase(KEEPING):
            self._keep(found, store)

    def _keep(self, found: CountedLevels, store: StateStore) -> None:
        began = budget.now()
        kept, expander = self._opened
        if store.moves != self._moves:
            self._segments, self._moves = [], store.moves
        try:
            self._write_levels(store)
            pending = kept.write(PENDING, _bytes(store.pending(_STATES_AT_ONCE)))
            content = {
                "form": expander.row_form,
                "words": expander.words,
                # Others may have been met in states that were not counted.
                "outcomes": list(map(_outcome_text, expander.outcomes[: _outcomes(found)])),
                "sizes": list(store.by_depth),
                "segments": [levels for _, levels in self._segments],
                **_counted_json(found, before=self._seconds_before),
            }
            files = {str(at): file for at, (file, _) in enumerate(self._segments)}
            kept.describe(content, {**files, PENDING: pending})
        except OSError as error:
            raise UsageError(
                f"the exploration cannot be kept in {self.folder}: {error.strerror}; what was "
                "kept before is still there"
            ) from error
        self._pace.note(began)

    @property
    def _seconds_before(self) -> float:
        return 0.0 if self.resumed is None else self.resumed.seconds

    def _write_levels(self, store: StateStore) -> None:
        """Write the levels that have been completed since the last time."""
        first, last = sum(levels for _, levels in self._segments), len(store.by_depth)
        if first < last:
            file = self._opened[0].write(f"level-{first:04}", _level_bytes(store, first, last))
            self._segments.append((file, last - first))

    # Going on

    def resume(self, store: StateStore, start: Rows) -> CountedLevels | None:
        """Fill *store* with the states that were kept; ``None`` when there are none yet.

        *start* is the first state. After a ``NotUsable`` nothing may be made of the store.
        """
        described = self._described
        if described is None:
            return None
        kept, expander = self._opened
        self._described = None
        try:
            read = _read(
                described,
                words=expander.words,
                players=len(expander.signature.players),
                order=None if self._reduction is None else self._reduction.order,
            )
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            raise kept.damaged(f"what it counted cannot be: {error}") from error
        self._fill(store, read)
        first = np.asarray(start, dtype=np.int64).reshape(1, -1)
        if not np.array_equal(store.rows(store.pieces(0, 1)[0]), first):
            raise kept.damaged("it begins with another state")
        self._check_counted(read, store)
        self._segments, self._moves = read.segments, store.moves
        self.resumed = Resumed(
            folder=str(self.folder),
            states=store.states,
            levels=read.found.full_depth,
            seconds=read.seconds,
        )
        if self.announce is not None:
            self.announce(self.resumed)
        return read.found

    def _fill(self, store: StateStore, read: _Read) -> None:
        kept, _ = self._opened
        rows = (part for file, _ in read.segments for part in self._rows(file))
        tallies = iter(read.found.levels)
        again, tally = LevelCounts(), next(tallies, LevelCounts())
        for part in _cut(rows, read.sizes):
            store.insert(part.rows)
            self._judge(part.rows[: tally.followed - again.followed], again, tally, read)
            if part.is_last:
                store.seal()
                is_same = (again.over, again.positions) == (tally.over, tally.positions)
                if self._opened[1].native is not None and not is_same:
                    raise kept.damaged("its plays end otherwise than those of the document")
                again, tally = LevelCounts(), next(tallies, LevelCounts())
        for each in self._rows(read.pending):
            store.insert(each)
        # A state that is there twice, or in another place, would be followed twice or not at all.
        if store.by_depth != tuple(read.sizes):
            raise kept.damaged("some state is in it twice")
        first = 0
        for file, levels in read.segments:
            if digest_of(_level_bytes(store, first, first + levels)).hex() != file.sha256:
                raise kept.damaged("its states are not in the order in which they were followed")
            first += levels
        if digest_of(_bytes(store.pending(_STATES_AT_ONCE))).hex() != read.pending.sha256:
            raise kept.damaged("some state of its last level is in it twice")

    def _rows(self, file: KeptFile) -> Iterator[Rows]:
        kept, expander = self._opened
        walked = reduced(expander, self._reduction)
        for data in kept.chunks(file, _STATES_AT_ONCE * expander.words * _BYTES):
            budget.look(GOING_ON)
            rows = np.frombuffer(data, dtype="<i8").reshape(-1, expander.words).astype(np.int64)
            if not walked.are_states(rows):
                raise kept.damaged("something in it is no state of this document")
            yield rows

    def _judge(self, rows: Rows, again: LevelCounts, tally: LevelCounts, read: _Read) -> None:
        """Count where plays end *again*, for which no moves are made, by compiled code.

        The interpreter, for which that would take longer than a run may have, numbers outcomes in
        the order in which it meets them: it looks where there are some, until it knows all.
        """
        _, expander = self._opened
        if expander.native is None:
            if tally.over and len(expander.outcomes) < len(read.outcomes):
                expander.judge(rows)
            again.followed += len(rows)
            return
        sizes = None if self._reduction is None else self._reduction.sizes(rows)
        again.judge(expander.judge(rows), sizes)
        again.followed += len(rows)

    def _check_counted(self, read: _Read, store: StateStore) -> None:
        """Make sure that faults and outcomes are those of the document."""
        kept, expander = self._opened
        for level, tally in enumerate(read.found.levels):
            faulty = np.array(tally.faulty_rows, dtype=np.int64).reshape(-1, expander.words)
            if (store.levels(faulty) != level).any():
                raise kept.damaged("it has faults in states that there are not")
        known = [_outcome_text(outcome) for outcome in expander.outcomes]
        if known[: len(read.outcomes)] != read.outcomes:
            raise kept.damaged("its outcomes are not those of the document")


def _outcomes(found: CountedLevels) -> int:
    """How many outcomes there are, by number, up to the last one that was counted."""
    return 1 + max((number for level in found.levels for number in level.over), default=-1)


# States as bytes


def _bytes(pieces: Iterable[Rows]) -> Iterator[bytes]:
    return (np.ascontiguousarray(rows, dtype="<i8").tobytes() for rows in pieces)


def _level_bytes(store: StateStore, first: int, last: int) -> Iterator[bytes]:
    """The states of some levels, in the order of the store."""
    for level in range(first, last):
        yield from _bytes(map(store.rows, store.pieces(level, _STATES_AT_ONCE)))


@dataclass(frozen=True, slots=True)
class _Part:
    """Some states of one level, and whether they are its last ones."""

    rows: Rows
    is_last: bool


def _cut(pieces: Iterable[Rows], sizes: Iterable[int]) -> Iterator[_Part]:
    """The states of *pieces* by levels of these *sizes*."""
    left = iter(sizes)
    wanted = next(left, 0)
    for rows in pieces:
        at = 0
        while at < len(rows):
            taken = min(wanted, len(rows) - at)
            wanted -= taken
            yield _Part(rows[at : at + taken], wanted == 0)
            at += taken
            if not wanted:
                wanted = next(left, 0)


def _outcome_text(outcome: Outcome) -> str:
    """All of *outcome*: two that differ have different texts."""
    result = "" if outcome.result is None else to_text(outcome.result)
    return " | ".join(
        (outcome.ending.value, ", ".join(outcome.winners), ", ".join(outcome.losers), result)
    )


# What was counted, as JSON values


@dataclass(frozen=True, slots=True)
class _Read:
    """What a description says, after it was found to be possible."""

    found: CountedLevels
    seconds: float
    sizes: list[int]
    segments: list[tuple[KeptFile, int]]
    pending: KeptFile
    outcomes: list[str]


def _counted_json(found: CountedLevels, *, before: float) -> dict[str, Json]:
    return {
        "levels": [_level_json(tally) for tally in found.levels],
        "full_depth": found.full_depth,
        "seconds": before + found.seconds,
    }


def _level_json(tally: LevelCounts) -> dict[str, Json]:
    return {
        "followed": tally.followed,
        "moves": tally.moves,
        "earlier": tally.earlier,
        "over": {str(number): count for number, count in tally.over.items()},
        "stuck": {str(number): count for number, count in tally.stuck.items()},
        "faulty": tally.faulty,
        "faulty_rows": [list(row) for row in tally.faulty_rows],
        "positions": tally.positions,
    }


def _read(described: Description, *, words: int, players: int, order: int | None) -> _Read:
    """What *described* says; raises ``ValueError`` and the like if it cannot be.

    *order* is the number of symmetries, if they are used.
    """
    content, files = described.content, described.files
    outcomes = [str(each) for each in content["outcomes"]]
    sizes = [_whole(each, least=1) for each in content["sizes"]]
    levels = [
        _level(each, words=words, outcomes=len(outcomes), players=players)
        for each in content["levels"]
    ]
    full_depth = _whole(content["full_depth"])
    seconds = float(content["seconds"])
    segments = [
        (files[str(at)], _whole(count, least=1)) for at, count in enumerate(content["segments"])
    ]
    pending = files[PENDING]
    _hold(
        {
            "the words of a state": content["words"] == words,
            "the time": math.isfinite(seconds) and seconds >= 0,
            "the first level": sizes[:1] == [1],
            "the number of levels": len(sizes) == full_depth + 1
            and full_depth <= len(levels) <= full_depth + 1
            and sum(count for _, count in segments) == len(sizes),
        }
    )
    _hold(
        {
            "the states that were followed": all(
                tally.followed == size
                for tally, size in zip(levels[:full_depth], sizes, strict=False)
            )
            and all(tally.followed <= sizes[full_depth] for tally in levels[full_depth:]),
            "the sizes of its files": _are_of_size(segments, sizes, words)
            and pending.size % (words * _BYTES) == 0
            and len(files) == len(segments) + 1,
            "the positions": all(_are_positions(tally, order) for tally in levels),
            # Some move leads to every state of the next level.
            "the moves": all(
                tally.moves >= size for tally, size in zip(levels, sizes[1:], strict=False)
            ),
        }
    )
    found = CountedLevels(levels=levels, full_depth=full_depth, seconds_before=seconds)
    return _Read(found, seconds, sizes, segments, pending, outcomes)


def _are_positions(tally: LevelCounts, order: int | None) -> bool:
    """Whether the ends and the moves of a level can be those of so many positions."""
    positions = tally.followed if order is None else tally.positions
    ends = tally.over.total() + tally.stuck.total()
    # Whatever is no end has a move at least.
    has_moves = positions - ends <= tally.moves
    is_counted = tally.positions == 0 if order is None else positions <= order * tally.followed
    return has_moves and is_counted and tally.followed <= positions and ends <= positions


def _are_of_size(segments: list[tuple[KeptFile, int]], sizes: list[int], words: int) -> bool:
    first = 0
    for file, levels in segments:
        if file.size != sum(sizes[first : first + levels]) * words * _BYTES:
            return False
        first += levels
    return True


def _hold(facts: Mapping[str, bool]) -> None:
    for name, holds in facts.items():
        if not holds:
            raise ValueError(name)


def _level(data: Mapping[str, Any], *, words: int, outcomes: int, players: int) -> LevelCounts:
    rows = [
        tuple(_whole(word, least=-_WORD, most=_WORD - 1) for word in row)
        for row in data["faulty_rows"]
    ]
    found = LevelCounts(
        followed=_whole(data["followed"]),
        moves=_whole(data["moves"]),
        earlier=_whole(data["earlier"]),
        over=_counter(data["over"], first=0, end=outcomes),
        stuck=_counter(data["stuck"], first=-1, end=players),
        faulty=_whole(data["faulty"]),
        faulty_rows=rows,
        positions=_whole(data["positions"]),
    )
    _hold(
        {
            "the states with faults": len(rows) == min(found.faulty, MOST_FAULTY)
            and all(len(row) == words for row in rows)
            and all(before < after for before, after in pairwise(rows))
            and found.faulty <= found.followed,
        }
    )
    return found


def _counter(data: Mapping[str, Any], *, first: int, end: int) -> Counter[int]:
    numbers = {_whole(int(number), least=first, most=end - 1): data[number] for number in data}
    return Counter({number: _whole(count) for number, count in numbers.items()})


def _whole(value: object, *, least: int = 0, most: int | None = None) -> int:
    if type(value) is not int or value < least or (most is not None and value > most):
        raise ValueError("a number")
    return value
