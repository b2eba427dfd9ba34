"""Explorations on disk, so that one that was stopped, or killed, can go on.

A folder has one file for the states of each level, one for those of the level that is being
built, and ``exploration.json``, which names them with their checksums and says what was
counted and of which system. Files are written beside their place and moved into it when they
are whole; ``exploration.json`` comes last, so the folder is right at every moment.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import numpy as np

from zermelo.core.arrays import Rows
from zermelo.core.expander import Expander
from zermelo.engines.space.level_counts import CountedLevels, LevelCounts
from zermelo.engines.space.orbits.reduction import Reduction
from zermelo.engines.space.store import StateStore, followed
from zermelo.text.diagnostic import Json
from zermelo.text.errors import UsageError

NAME: Final = "exploration.json"
FORMAT: Final = "zermelo exploration 1"
_SECONDS_BETWEEN: Final = 2.0
_SHARE: Final = 0.1
"""Keeping takes at most this share of the time."""
_STATES_AT_ONCE: Final = 1 << 16


def _explored(expander: Expander, reduction: Reduction | None) -> dict[str, Json]:
    """Of what an exploration with *expander* is: it goes on only with the same.

    The layout says where the variables lie in a packed state.
    """
    signature, layout = expander.signature, expander.layout
    if layout is None:
        raise UsageError(
            "the states of this system are not packed, so an exploration cannot be kept"
        )
    places = [
        f"{field.variable} {type(field.shape).__name__} {field.place} {field.presence}"
        for field in layout.fields
    ]
    if reduction is not None:
        places.append(f"{reduction.order} {reduction.words}")
    return {
        "document": signature.name,
        "fingerprint": signature.fingerprint,
        "readings": {reading.name: reading.choice for reading in signature.readings},
        "layout": hashlib.sha256("\n".join(places).encode()).hexdigest(),
    }


class Checkpoint:
    """A folder in which an exploration is kept."""

    def __init__(
        self, folder: Path, expander: Expander, reduction: Reduction | None = None
    ) -> None:
        self._folder = folder
        self._explored = _explored(expander, reduction)
        self._expander = expander
        self._files: list[dict[str, Json]] = []
        self._last: float | None = None
        self._took = 0.0
        self._moves = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{folder} cannot be made: {error.strerror}") from error

    def is_due(self) -> bool:
        if self._last is None:
            return True
        return time.monotonic() - self._last > max(_SECONDS_BETWEEN, self._took / _SHARE)

    def keep(self, found: CountedLevels, store: StateStore) -> None:
        began = time.monotonic()
        if store.moves != self._moves:
            self._files, self._moves = [], store.moves
        try:
            for level in range(len(self._files), len(store.by_depth)):
                pieces = store.pieces(level, _STATES_AT_ONCE)
                rows = map(store.rows, pieces)
                self._files.append(self._write_states(f"level-{level:04}.states", rows))
            # Under a new name: until it is named in the description, the old one is the right one.
            stems = (path.stem.partition("-")[2] for path in self._folder.glob("pending-*.states"))
            last = max((int(stem) for stem in stems if stem.isdigit()), default=0)
            name = f"pending-{last + 1:04}.states"
            pending = self._write_states(name, store.pending(_STATES_AT_ONCE))
            described: dict[str, Json] = {
                "format": FORMAT,
                **self._explored,
                "outcomes": [str(outcome) for outcome in self._expander.outcomes],
                "counted": _counted_json(found),
                "levels": list(self._files),
                "pending": pending,
            }
            self._write(NAME, [json.dumps(described, indent=1).encode()])
            for path in self._folder.glob("pending-*.states*"):
                if path.name != name:
                    path.unlink()
        except OSError as error:
            raise UsageError(
                f"the exploration cannot be kept in {self._folder}: {error.strerror}"
            ) from error
        self._last = time.monotonic()
        self._took = self._last - began

    def resume(self, store: StateStore) -> CountedLevels | None:
        """Fill *store* with the states that were kept; ``None`` when there are none yet."""
        path = self._folder / NAME
        if not path.exists():
            return None
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            self._check_origin(data)
            files = list(data["levels"])
            for described in files:
                self._read_states(described, store)
                store.seal()
            self._read_states(data["pending"], store)
            found = _counted(data["counted"])
        except UsageError:
            raise
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UsageError(self._damaged(f"{NAME} is not as it was written")) from error
        self._files = files
        self._check_outcomes(data, found, store)
        return found

    # Writing

    def _write_states(self, name: str, pieces: Iterable[Rows]) -> dict[str, Json]:
        parts = (np.ascontiguousarray(rows, dtype="<i8").tobytes() for rows in pieces)
        size, digest = self._write(name, parts)
        return {"file": name, "states": size // (self._expander.words * 8), "sha256": digest}

    def _write(self, name: str, parts: Iterable[bytes]) -> tuple[int, str]:
        """Write *parts* one after another; how many bytes they have, and their checksum."""
        digest, size = hashlib.sha256(), 0
        path = self._folder / f"{name}.new"
        with path.open("wb") as file:
            for part in parts:
                digest.update(part)
                size += file.write(part)
            file.flush()
            os.fsync(file.fileno())
        path.replace(self._folder / name)
        return size, digest.hexdigest()

    # Reading

    def _read_states(self, described: Mapping[str, Json], store: StateStore) -> None:
        name, states, words = str(described["file"]), described["states"], self._expander.words
        path = self._folder / Path(name).name
        if not path.is_file():
            raise UsageError(self._damaged(f"{name} is missing"))
        if path.stat().st_size != int(str(states)) * words * 8:
            raise UsageError(self._damaged(f"{name} has not the size that it was written with"))
        digest = hashlib.sha256()
        with path.open("rb") as file:
            while data := file.read(_STATES_AT_ONCE * words * 8):
                digest.update(data)
                rows = np.frombuffer(data, dtype="<i8").reshape(-1, words).astype(np.int64)
                store.insert(rows)
        if digest.hexdigest() != described["sha256"]:
            raise UsageError(self._damaged(f"{name} has other bytes than were written"))

    def _check_origin(self, data: Mapping[str, Json]) -> None:
        expected, where = self._explored, f"the exploration in {self._folder}"
        if data["format"] != FORMAT:
            raise UsageError(f"{where} was kept by another version of the program")
        if data["fingerprint"] != expected["fingerprint"]:
            raise UsageError(
                f"{where} is of another document, or of this one before it was changed: "
                f"{data['document']}"
            )
        readings = data["readings"]
        if readings != expected["readings"]:
            raise UsageError(f"{where} is of the same document with other readings: {readings}")
        if data["layout"] != expected["layout"]:
            raise UsageError(
                f"{where} has its states packed in another way, or with other symmetries"
            )

    def _check_outcomes(
        self, data: Mapping[str, Json], found: CountedLevels, store: StateStore
    ) -> None:
        """Make sure that the numbers of outcomes mean the same as when they were counted."""
        # The interpreter numbers outcomes in the order in which it meets them.
        if self._expander.native is None:
            for level, tally in enumerate(found.levels):
                for rows in followed(store, level, tally.followed):
                    self._expander.judge(rows)
        known = [str(outcome) for outcome in self._expander.outcomes]
        kept = data["outcomes"]
        if not isinstance(kept, list) or known[: len(kept)] != kept:
            raise UsageError(self._damaged("its outcomes are not those of the document"))

    def _damaged(self, what: str) -> str:
        return (
            f"the exploration in {self._folder} is damaged: {what}; "
            "remove the folder to begin again"
        )


# What was counted, as JSON values


def _counted_json(found: CountedLevels) -> dict[str, Json]:
    return {
        "levels": [_level_json(tally) for tally in found.levels],
        "full_depth": found.full_depth,
        "seconds": found.seconds,
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


def _counted(data: Mapping[str, object]) -> CountedLevels:
    levels = data["levels"]
    if not isinstance(levels, list):
        raise TypeError("levels are listed")
    return CountedLevels(
        levels=[_level(each) for each in levels],
        full_depth=int(str(data["full_depth"])),
        seconds=float(str(data["seconds"])),
    )


def _level(data: Mapping[str, object]) -> LevelCounts:
    rows = data["faulty_rows"]
    if not isinstance(rows, list):
        raise TypeError("rows are listed")
    return LevelCounts(
        followed=int(str(data["followed"])),
        moves=int(str(data["moves"])),
        earlier=int(str(data["earlier"])),
        over=_counter(data["over"]),
        stuck=_counter(data["stuck"]),
        faulty=int(str(data["faulty"])),
        faulty_rows=[tuple(map(int, row)) for row in rows],
        positions=int(str(data["positions"])),
    )


def _counter(data: object) -> Counter[int]:
    if not isinstance(data, dict):
        raise TypeError("counts have names")
    return Counter({int(number): int(count) for number, count in data.items()})
