"""What a page may ask: a record for each question, read from JSON with names, kinds and bounds.

The records are the interface: what comes is held against their fields, and the description of the
interface (OpenAPI) is made from the same fields.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NoReturn, TypeAlias, get_args, get_origin
from typing import get_type_hints as hints

from zermelo.text.budget import LimitReached
from zermelo.text.diagnostic import Json
from zermelo.text.errors import UsageError, ZermeloError

MOST_BYTES: Final = 2_000_000
"""Of what a page asks: a document of a million characters fits."""
MOST_TEXT: Final = 1_000_000
MOST_NAME: Final = 200
MOST_MOVES: Final = 5_000
MOST_MOVE: Final = 2_000
MOST_STATE: Final = 20_000
MOST_READINGS: Final = 200
MOST_PINNED: Final = 8
MOST_ROWS: Final = 200
"""States of a trace that are told at once."""
LONGEST_SECONDS: Final = 60


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it is kept: its text, and the file it came from, if it is one."""

    name: str
    text: str
    path: Path | None = None
    reading_file: Path | None = None
    """The file that says how it is read, where that is not the one with its name."""
    title: str = ""
    """What it is called where it is not called by itself, as in the library."""


class NotAsked(UsageError):
    """What came is no question; the text says why."""


def _text(most: int = MOST_NAME) -> str:
    made: str = field(metadata={"most": most})
    return made


def _number(low: int, high: int, usual: int) -> int:
    made: int = field(default=usual, metadata={"low": low, "high": high})
    return made


@dataclass(frozen=True, slots=True, kw_only=True)
class AddDocument:
    """Keep a document that somebody wrote, dropped or pasted, and say what it is called."""

    name: str = _text()
    text: str = _text(MOST_TEXT)
    replaces: str = ""
    """The document that this one was made of by a change, which is kept no longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveFile:
    """Write a text into the file that a document came from, if it holds what it was known to."""

    document: str = _text()
    text: str = _text(MOST_TEXT)
    was: str = _text()
    """The digest of what the file held, which came with the document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadDocument:
    """Say what there is to say about a document, and what can be played in it."""

    document: str = _text()
    readings: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class AtPosition:
    """A question about the position after some moves."""

    document: str = _text()
    readings: dict[str, str] = field(default_factory=dict)
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowPosition(AtPosition):
    """The board, whose turn it is, and the moves that can be made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowTypical(ReadDocument):
    """A position as it may come up in the middle of a play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteDocument(ReadDocument):
    """What an editor shows of a document: tokens, diagnostics, mathematics, signs to type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowValue(AtPosition):
    """What stands at a place of the text, and its value in the position."""

    start: int = _number(0, MOST_TEXT, 0)
    end: int = _number(0, MOST_TEXT, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskWhy(AtPosition):
    """Why a move can or cannot be made."""

    move: str = _text(MOST_MOVE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowRules(AtPosition):
    """Every rule that the last move tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowTrace(AtPosition):
    """The states of the play, with what changed, and the values of pinned expressions."""

    pinned: tuple[str, ...] = field(default=(), metadata={"length": MOST_PINNED})
    first: int = _number(0, MOST_MOVES, 0)
    """The number of the first state that is asked for."""
    count: int = _number(1, MOST_ROWS, MOST_ROWS)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowDiagram(AtPosition):
    """The document as a drawing, with what the position has in it and the moves of its boxes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeHandOut(AtPosition):
    """A file to hand out: the position, the play as a strip, or the document itself."""

    what: Literal["position", "strip", "document"] = "position"
    format: Literal["svg", "png", "pdf", "latex", "html"] = "svg"
    coordinates: Literal["with", "without"] = "with"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowAround(AtPosition):
    """The states that can be reached in a few moves, ply by ply; or all, if they are few."""

    plies: int = _number(1, 6, 2)
    extent: Literal["near", "all"] = "near"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseMove(AtPosition):
    """The move that a player of this kind makes."""

    player: Literal["random", "search", "mcts", "perfect"] = "search"
    seconds: int = _number(1, LONGEST_SECONDS, 2)
    seed: int = _number(0, 2**31 - 1, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyInState(ReadDocument):
    """The move of whoever is to move in a state, if that is one of those who have *seats*."""

    state: str = _text(MOST_STATE)
    seats: dict[str, str] = field(default_factory=dict)
    """The players who are no persons, each with the kind of player that chooses for them."""
    seconds: int = _number(1, LONGEST_SECONDS, 2)
    seed: int = _number(0, 2**31 - 1, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeMoves(AtPosition):
    """What each move leads to under perfect play, or what is known of it."""

    seconds: int = _number(1, LONGEST_SECONDS, 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPlay(AtPosition):
    """Where the value of the position changed in the course of a play, and the better move."""

    seconds: int = _number(1, LONGEST_SECONDS, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckDocument(ReadDocument):
    """Everything there is to say about a document, with what playing it shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareReadings(ReadDocument):
    """The first play in which a document differs from itself under other readings."""

    others: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepPlay(AtPosition):
    """Keep the lines that were tried in a document."""

    tree: str = _text(MOST_TEXT)


Question: TypeAlias = (
    ReadDocument
    | WriteDocument
    | ShowValue
    | ShowPosition
    | ShowTypical
    | AskWhy
    | ShowRules
    | ShowTrace
    | ShowAround
    | ShowDiagram
    | MakeHandOut
    | ChooseMove
    | ReplyInState
    | JudgeMoves
    | ReviewPlay
    | CheckDocument
    | CompareReadings
)
"""What is worked out from a document alone."""

SHORT: Final[Mapping[str, type[Question]]] = {
    "read": ReadDocument,
    "write": WriteDocument,
    "value": ShowValue,
    "position": ShowPosition,
    "typical": ShowTypical,
    "why": AskWhy,
    "rules": ShowRules,
    "trace": ShowTrace,
    "around": ShowAround,
    "diagram": ShowDiagram,
    "handout": MakeHandOut,
}
"""Questions that are answered at once."""
LONG: Final[Mapping[str, type[Question]]] = {
    "choose": ChooseMove,
    "reply": ReplyInState,
    "judge": JudgeMoves,
    "review": ReviewPlay,
    "check": CheckDocument,
    "compare": CompareReadings,
}
"""Questions that may take long: they tell how far they have come, and can be given up."""


def read(kind: type, data: bytes | str) -> Any:  # noqa: ANN401 - what *kind* says
    """The record of this *kind* that *data* writes in JSON; ``NotAsked`` if it is none.

    >>> read(ReadDocument, '{"document": "mine"}')
    ReadDocument(document='mine', readings={})
    >>> read(ReadDocument, '{"document": 5}')
    Traceback (most recent call last):
    zermelo.faces.web.page.requests.NotAsked: `document` is a text
    """
    if len(data) > MOST_BYTES:
        raise NotAsked(f"a question has at most {MOST_BYTES:,} bytes")
    try:
        said = json.loads(data, object_pairs_hook=_object, parse_constant=_constant)
    except NotAsked:
        raise
    except (ValueError, RecursionError):
        raise NotAsked("a question is one object in JSON") from None
    return record(kind, said)


def record(kind: type, said: object) -> Any:  # noqa: ANN401 - what *kind* says
    """The record of this *kind* that the JSON value *said* is."""
    if not isinstance(said, dict):
        raise NotAsked("a question is one object in JSON")
    known = {each.name: each for each in fields(kind)}
    unknown = next((name for name in said if name not in known), None)
    if unknown is not None:
        raise NotAsked(f"`{str(unknown)[:40]}` is no part of this question")
    missing = next((n for n, each in known.items() if n not in said and _is_needed(each)), None)
    if missing is not None:
        raise NotAsked(f"`{missing}` is missing")
    kinds = _kinds(kind)
    return kind(**{n: _value(v, kinds[n], known[n]) for n, v in said.items()})


def _is_needed(each: Field[Any]) -> bool:
    return each.default is MISSING and each.default_factory is MISSING


@cache
def _kinds(kind: type) -> Mapping[str, Any]:
    return hints(kind)


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise NotAsked("a name stands twice in an object")
    return found


def _constant(name: str) -> NoReturn:
    raise NotAsked(f"{name} is no number of JSON")


def _value(value: object, kind: Any, about: Field[Any]) -> object:  # noqa: ANN401 - a type
    name, bounds = about.name, about.metadata
    if kind is str:
        return _string(value, name, bounds.get("most", MOST_NAME))
    if kind is int:
        low, high = bounds["low"], bounds["high"]
        # What is true or false is a whole number too in Python.
        if type(value) is not int or not low <= value <= high:
            raise NotAsked(f"`{name}` is a whole number from {low} to {high}")
        return value
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise NotAsked(f"`{name}` is one of {', '.join(get_args(kind))}")
        return value
    if get_origin(kind) is tuple:
        most = bounds.get("length", MOST_MOVES)
        if not isinstance(value, list) or len(value) > most:
            raise NotAsked(f"`{name}` is a list of at most {most:,} texts")
        return tuple(_string(each, name, MOST_MOVE) for each in value)
    if get_origin(kind) is dict:
        if not isinstance(value, dict) or len(value) > MOST_READINGS:
            raise NotAsked(f"`{name}` is an object of at most {MOST_READINGS} texts")
        return {
            _string(key, name, MOST_NAME): _string(each, name, MOST_NAME)
            for key, each in value.items()
        }
    raise AssertionError(kind)


def _string(value: object, name: str, most: int) -> str:
    if not isinstance(value, str):
        raise NotAsked(f"`{name}` is a text")
    if len(value) > most:
        raise NotAsked(f"`{name}` has at most {most:,} characters")
    # Half of a pair of characters, which no file and no database takes.
    if any("\ud800" <= each <= "\udfff" for each in value):
        raise NotAsked(f"`{name}` has a character that is none")
    return value


def sentence(error: ZermeloError) -> str:
    """Why there is no answer."""
    if isinstance(error, LimitReached):
        return f"This takes too long to work out: {error}."
    text = str(error)
    return text if text.endswith(".") else f"{text}."


# The description of the interface


def schema(kind: type) -> dict[str, Json]:
    """The JSON schema of the records of this *kind*."""
    kinds = _kinds(kind)
    return {
        "type": "object",
        "description": (kind.__doc__ or "").split("\n", 1)[0],
        "additionalProperties": False,
        "required": [each.name for each in fields(kind) if _is_needed(each)],
        "properties": {each.name: _schema(kinds[each.name], each) for each in fields(kind)},
    }


def _schema(kind: Any, about: Field[Any]) -> dict[str, Json]:  # noqa: ANN401 - a type
    bounds = about.metadata
    if kind is str:
        return {"type": "string", "maxLength": bounds.get("most", MOST_NAME)}
    if kind is int:
        return {"type": "integer", "minimum": bounds["low"], "maximum": bounds["high"]}
    if get_origin(kind) is Literal:
        return {"type": "string", "enum": list(get_args(kind))}
    if get_origin(kind) is tuple:
        items: dict[str, Json] = {"type": "string", "maxLength": MOST_MOVE}
        return {"type": "array", "items": items, "maxItems": bounds.get("length", MOST_MOVES)}
    values: dict[str, Json] = {"type": "string", "maxLength": MOST_NAME}
    return {"type": "object", "additionalProperties": values, "maxProperties": MOST_READINGS}
