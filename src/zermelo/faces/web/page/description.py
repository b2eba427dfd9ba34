"""The interface of the page in OpenAPI, made from the records that hold what comes against it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from zermelo.api import loading
from zermelo.faces.web.page.requests import (
    LONG,
    MOST_NAME,
    SHORT,
    AddDocument,
    KeepPlay,
    SaveFile,
    schema,
)
from zermelo.text.diagnostic import Json

_TEXT: Final[Mapping[str, Json]] = {"type": "string"}
_LIST: Final[Mapping[str, Json]] = {"type": "array", "items": {"type": "object"}}


def description() -> dict[str, Json]:
    """The interface over HTTP; long questions are described with the others."""
    known = {"document": _TEXT, "name": _TEXT, "text": _TEXT}
    library = {"games": _LIST, "recent": _LIST, "files": _LIST, "template": _TEXT}
    paths: dict[str, Json] = {
        "/api/library": {
            "get": _described("The games of the library, and what was opened last.", library)
        },
        "/api/documents": {
            "post": _described("Keep a document.", {"document": _TEXT}, AddDocument)
        },
        "/api/documents/{name}": {
            "parameters": [_NAMED],
            "get": _described("The text of a document.", known, is_named=True),
            "delete": _described("Keep a document no longer.", {"forgotten": _YES}, is_named=True),
        },
        "/api/files": {
            "post": _described(
                "Write a file that was named at the start.", {"digest": _TEXT}, SaveFile
            )
        },
        "/api/plays": {"post": _described("Keep the lines that were tried.", {}, KeepPlay)},
        "/api/plays/{name}": {
            "parameters": [_NAMED, _READINGS],
            "get": _described("The lines that were tried.", {"tree": _ANY_TEXT}, is_named=True),
        },
    }
    for name, kind in SHORT.items():
        paths[f"/api/ask/{name}"] = {"post": _described(_first_line(kind), {}, kind)}
    work: dict[str, Json] = {name: schema(kind) for name, kind in LONG.items()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Zermelo", "version": "1"},
        "paths": paths,
        # OpenAPI knows no WebSocket: the first message to /api/work/NAME is one of these.
        "x-work": work,
    }


_YES: Final[Mapping[str, Json]] = {"type": "boolean"}
_ANY_TEXT: Final[Mapping[str, Json]] = {"type": ["string", "null"]}
_NAMED: Final[dict[str, Json]] = {
    "name": "name",
    "in": "path",
    "required": True,
    "description": "What a document is called.",
    "schema": {"type": "string", "minLength": 1, "maxLength": MOST_NAME},
}
_READINGS: Final[dict[str, Json]] = {
    "name": "readings",
    "in": "query",
    "description": "An object in JSON: readings by their names.",
    "schema": {"type": "string"},
}


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").split("\n", 1)[0]


def _described(
    summary: str,
    answer: Mapping[str, Mapping[str, Json]],
    kind: type | None = None,
    *,
    is_named: bool = False,
) -> dict[str, Json]:
    refusal = _answer("Refused, with a sentence that says why.", {"refused": _TEXT})
    plain: dict[str, Json] = {"text/plain": {"schema": {"type": "string"}}}
    answers: dict[str, Json] = {
        "200": _answer("The answer.", answer),
        "403": {"description": "Not let in.", "content": plain},
        "429": refusal,
        "503": {"description": "Too much is being asked at the moment.", "content": plain},
    }
    if kind is not None or is_named:
        answers |= {"400": refusal, "404": _missing(refusal, plain), "422": refusal}
    told: dict[str, Json] = {"summary": summary, "responses": answers}
    if kind is not None:
        asked: dict[str, Json] = {"schema": schema(kind)}
        if kind in SHORT.values() and not _needs_more(kind):
            # Every server has the library.
            asked["examples"] = {
                game.name: {"value": {"document": game.name}} for game in loading.games()
            }
        told["requestBody"] = {"required": True, "content": {"application/json": asked}}
    return told


def _needs_more(kind: type) -> bool:
    """Whether such a question needs more than a document."""
    return schema(kind)["required"] != ["document"]


def _answer(words: str, parts: Mapping[str, Mapping[str, Json]]) -> dict[str, Json]:
    """An object that has at least these *parts*."""
    shape: dict[str, Json] = {
        "type": "object",
        "required": [*parts],
        "properties": {name: {**each} for name, each in parts.items()},
    }
    return {"description": words, "content": {"application/json": {"schema": shape}}}


def _missing(refusal: dict[str, Json], plain: dict[str, Json]) -> dict[str, Json]:
    """Nothing is there: no such document, or no such address."""
    content = refusal["content"]
    assert isinstance(content, dict)
    return {**refusal, "content": {**content, **plain}}
