"""What the page asks of the server: the library, documents, plays, and questions about them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextlib import suppress
from typing import Any, Final, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from zermelo.api import library, loading
from zermelo.api.languages import LANGUAGES
from zermelo.faces.web.limits import (
    MOST_QUESTIONS,
    MOST_WORKING,
    QUESTIONS_PER_SECOND,
    REQUEST_SECONDS,
    Allowance,
)
from zermelo.faces.web.page.description import description
from zermelo.faces.web.page.desk import Desk, Refused
from zermelo.faces.web.page.requests import (
    LONG,
    MOST_BYTES,
    SHORT,
    AddDocument,
    Document,
    KeepPlay,
    NotAsked,
    ReadDocument,
    SaveFile,
    read,
    record,
    sentence,
)
from zermelo.faces.web.page.store import Store
from zermelo.text.diagnostic import Json
from zermelo.text.errors import UsageError

NO_SUCH_DOCUMENT: Final = "There is no such document here any more. Open it again from its file."
_TOO_OFTEN: Final = "Too many questions come at once. Wait a second, and ask again."
_TOO_MANY: Final = "Too much is being worked out at the moment. Wait a little, and ask again."

_T = TypeVar("_T")


class PageRoutes:
    """Answers to the page; *store* has the documents, and *desk* works out what is asked."""

    def __init__(self, store: Store, desk: Desk) -> None:
        self._store = store
        self._desk = desk
        self._allowance = Allowance(most=MOST_QUESTIONS, per_second=QUESTIONS_PER_SECOND)
        self._working = 0

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/api/library", self._library),
            Route("/api/openapi.json", self._description),
            Route("/api/documents", self._add, methods=["POST"]),
            Route("/api/documents/{name}", self._document, methods=["GET", "DELETE"]),
            Route("/api/files", self._save, methods=["POST"]),
            Route("/api/plays", self._keep, methods=["POST"]),
            Route("/api/plays/{name}", self._play),
            Route("/api/ask/{question}", self._ask, methods=["POST"]),
            WebSocketRoute("/api/work/{question}", self._work),
        ]

    async def _library(self, request: Request) -> Response:
        async def show(_: bytes) -> Json:
            return self._listed()

        return await self._answered(request, show)

    def _listed(self) -> dict[str, Json]:
        games: list[Json] = [
            {
                "document": game.name,
                "title": library.title(game.path),
                "sentences": list(library.sentences(game.path)),
                "known": list(library.summary(game.path)),
                "language": _language(game.path.suffix),
            }
            for game in loading.games()
        ]
        recent: list[Json] = [{"document": key, "name": name} for key, name in self._store.recent()]
        files: list[Json] = [
            {"document": key, "name": path.name} for key, path in self._store.files.items()
        ]
        return {"games": games, "recent": recent, "files": files, "template": library.TEMPLATE}

    async def _description(self, request: Request) -> Response:
        del request
        return JSONResponse(description())

    async def _add(self, request: Request) -> Response:
        async def add(body: bytes) -> Json:
            asked = read(AddDocument, body)
            return {"document": self._store.add(asked.name, asked.text, replaces=asked.replaces)}

        return await self._answered(request, add)

    async def _document(self, request: Request) -> Response:
        name = request.path_params["name"]

        async def show(_: bytes) -> Json:
            found = self._found(name)
            told: dict[str, Json] = {"document": name, "name": found.name, "text": found.text}
            return {**told, **self._store.in_file(name)}

        async def forget(_: bytes) -> Json:
            self._store.forget(name)
            return {"forgotten": True}

        return await self._answered(request, forget if request.method == "DELETE" else show)

    async def _save(self, request: Request) -> Response:
        async def save(body: bytes) -> Json:
            asked = read(SaveFile, body)
            return {"digest": self._store.save(asked.document, asked.text, was=asked.was)}

        return await self._answered(request, save)

    async def _keep(self, request: Request) -> Response:
        async def keep(body: bytes) -> Json:
            asked = read(KeepPlay, body)
            # Of a document that was changed meanwhile nothing is to be kept.
            is_there = self._store.find(asked.document) is not None
            if is_there:
                self._store.keep_play(asked.document, _key(asked.readings), asked.tree)
            return {"kept": is_there}

        return await self._answered(request, keep)

    async def _play(self, request: Request) -> Response:
        async def show(_: bytes) -> Json:
            said = {"document": request.path_params["name"]}
            told = request.query_params.get("readings", "{}").encode()
            asked = record(ReadDocument, {**said, "readings": _json(told)})
            return {"tree": self._store.play(asked.document, _key(asked.readings))}

        return await self._answered(request, show)

    async def _ask(self, request: Request) -> Response:
        name = request.path_params["question"]
        kind = SHORT.get(name)
        if kind is None:
            return _refusal(404, "There is no such question.")

        async def ask(body: bytes) -> Json:
            question = read(kind, body)
            work = self._desk.short(name, question, self._found(question.document))
            return await _unless_gone(request.receive, work)

        return await self._answered(request, ask)

    async def _answered(
        self, request: Request, answer: Callable[[bytes], Awaitable[Json]]
    ) -> Response:
        if self._allowance.take():
            return _refusal(429, _TOO_OFTEN)
        try:
            return JSONResponse(await answer(await _body(request)))
        except NotAsked as error:
            return _refusal(400, str(error))
        except _NoDocument:
            return _refusal(404, NO_SUCH_DOCUMENT)
        except UsageError as error:
            return _refusal(422, sentence(error))
        except Refused as refused:
            return _refusal(422, str(refused))
        except _Gone:
            # Nobody hears it; what was begun has been given up.
            return Response(status_code=204)

    async def _work(self, socket: WebSocket) -> None:
        """One long question: the page asks it, hears how far it is, and may go at any moment."""
        await socket.accept()
        kind = LONG.get(socket.path_params["question"])
        if kind is None or self._allowance.take() or self._working >= MOST_WORKING:
            with suppress(WebSocketDisconnect, OSError):
                await socket.send_json({"refused": "No such question." if not kind else _TOO_MANY})
                await socket.close()
            return
        self._working += 1
        try:
            await self._worked(socket, kind)
        except (WebSocketDisconnect, OSError, _Gone):
            # The page went; what was begun for it has been given up.
            pass
        finally:
            self._working -= 1

    async def _worked(self, socket: WebSocket, kind: type) -> None:
        async with asyncio.timeout(REQUEST_SECONDS):
            got = await socket.receive()
        if got["type"] != "websocket.receive":
            return
        # What is no text is refused like a text that says nothing.
        said = got.get("text") or ""
        try:
            question = read(kind, said)
            document = self._found(question.document)
            name = socket.path_params["question"]
            work = self._desk.long(name, question, document, socket.send_json)
            told: dict[str, Json] = {"answer": await _unless_gone(socket.receive, work)}
        except _NoDocument:
            told = {"refused": NO_SUCH_DOCUMENT}
        except UsageError as error:
            told = {"refused": sentence(error)}
        except Refused as refused:
            told = {"refused": str(refused)}
        await socket.send_json(told)
        await socket.close()

    def _found(self, name: str) -> Document:
        found = self._store.find(name)
        if found is None:
            raise _NoDocument
        return found


def _key(readings: Mapping[str, str]) -> str:
    """The same text for the same readings, in whatever order they come."""
    return json.dumps(readings, sort_keys=True)


def _json(data: bytes) -> object:
    try:
        return json.loads(data)
    except ValueError:
        raise NotAsked("`readings` is an object in JSON") from None


class _NoDocument(Exception):
    """A document was asked for that is not there."""


class _Gone(Exception):
    """Whoever asked wants no answer any more."""


async def _unless_gone(
    receive: Callable[[], Awaitable[MutableMapping[str, Any]]], work: Awaitable[_T]
) -> _T:
    """What *work* gives; it is given up when *receive* says that the page goes or says more."""
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(receive())
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
    finally:
        for each in (working, leaving):
            each.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)
    raise _Gone


async def _body(request: Request) -> bytes:
    body = bytearray()
    try:
        async with asyncio.timeout(REQUEST_SECONDS):
            async for piece in request.stream():
                body += piece
                if len(body) > MOST_BYTES:
                    raise NotAsked(f"a question has at most {MOST_BYTES:,} bytes")
    except (ClientDisconnect, TimeoutError):
        raise NotAsked("the question did not come to its end") from None
    return bytes(body)


def _refusal(status: int, reason: str) -> Response:
    return JSONResponse({"refused": reason}, status_code=status)


def _language(ending: str) -> str:
    return next((row.name for row in LANGUAGES if ending in row.endings), "")
