"""Two games compared: whether they are the same, after which play they differ, what changed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from zermelo.api.loaded import Loaded, playable_model
from zermelo.core.limits import UNLIMITED, Limits, Listener, asked
from zermelo.core.model import Model
from zermelo.engines.compare.comparison import Comparison
from zermelo.text import budget
from zermelo.text.budget import LimitReached
from zermelo.text.errors import UsageError


def compare(
    game: Loaded,
    other: Loaded,
    *,
    mapping: str | Path | Mapping[str, object] | None = None,
    moves_only: bool = False,
    first_only: bool = False,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
) -> Comparison:
    """Whether *game* and *other* are the same on moves and outcomes, as far as *limits* go.

    Moves are the same if they have the same names and arguments; *mapping*, a file in TOML or
    what it holds, aligns other names. With *moves_only* who wins and who is in turn is left
    out; with *first_only* the answer ends with the shortest play that tells them apart.
    """
    # What computes with arrays is imported when it is used: reading a document needs none of it.
    from zermelo.engines.compare.alignment import alignments  # noqa: PLC0415
    from zermelo.engines.compare.compare import compare_models  # noqa: PLC0415

    first, second = playable_model(game), playable_model(other)
    data = _tables(Path(mapping)) if isinstance(mapping, str | Path) else mapping or {}
    source = str(mapping) if isinstance(mapping, str | Path) else "the mapping"
    aligned = alignments(data, (first.signature, second.signature), source=source)
    with asked(limits) as within:
        found = compare_models(
            first,
            second,
            alignment=aligned,
            moves_only=moves_only,
            first_only=first_only,
            limits=within,
            listener=listener,
        )
        changes = _changes(first, second, within)
    return replace(found, names=_names(game, other), changes=changes)


def _changes(first: Model, second: Model, limits: Limits) -> tuple[str, ...]:
    """What the second says otherwise; nothing where telling it would take too long."""
    try:
        with budget.budget(until=limits.last, is_last=True):
            return first.changes(second)
    except LimitReached:
        return ()


def _names(game: Loaded, other: Loaded) -> tuple[str, str]:
    """What the two are called; of one document the readings in which they differ are told."""
    if game.name != other.name:
        return game.name, other.name
    theirs = {each.name: each.choice for each in other.readings}
    ours = {each.name: each.choice for each in game.readings}
    told = [
        ", ".join(f"{name}: {choice}" for name, choice in own.items() if than.get(name) != choice)
        for own, than in ((ours, theirs), (theirs, ours))
    ]
    if any(told):
        first, second = (f"{game.name} with {each}" if each else game.name for each in told)
        return first, second
    if game.source.name != other.source.name:
        return game.source.name, other.source.name
    return game.name, f"the other {game.name}"


def _tables(path: Path) -> Mapping[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"{path} could not be read: {reason}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not a text in UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\((at .*)\)$", str(error))
        where = f" {place[1]}" if place else ""
        raise UsageError(f"{path} is no TOML: it is not understood{where}") from error
    except RecursionError as error:
        raise UsageError(f"{path} has too many brackets within each other") from error
