"""What the server serves: the page, programs on their canvas, and the files beside these."""

from __future__ import annotations

import asyncio
import os
import re
import stat
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import BinaryIO, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from zermelo.api import loading
from zermelo.api.game import Game
from zermelo.api.loaded import model_of
from zermelo.core.stage import FRAMES_PER_SECOND
from zermelo.faces.web.conversation import LOOKING, NO_PROGRAM
from zermelo.faces.web.entry import Answer, Keys
from zermelo.faces.web.guard import NOT_LET_IN, Guard, is_known
from zermelo.faces.web.limits import MOST_ENTRY, MOST_FILE, MOST_KEPT, PIECE, REQUEST_SECONDS
from zermelo.faces.web.log import Log, Logged
from zermelo.faces.web.page.desk import Desk
from zermelo.faces.web.page.requests import Document, sentence
from zermelo.faces.web.page.routes import PageRoutes
from zermelo.faces.web.page.store import Store
from zermelo.faces.web.places import Places
from zermelo.faces.web.session import ReadAgain, Session
from zermelo.text.errors import UsageError, ZermeloError
from zermelo.text.prose import count
from zermelo.text.source import Source

TOO_MANY: Final = 4008
"""The code with which a page is sent away for which there is no room."""
NO_ROOM: Final = "Too many pages show this program. Close some of them."
_HOME: Final = "index.html"
_ENTRY: Final = "enter.html"
_NAME: Final = re.compile(r"(?:[a-z][a-z0-9-]*/)*[a-zA-Z][a-zA-Z0-9_.-]*")
"""What the parts of the page are called; no name leads out of their folder."""
_KINDS: Final[Mapping[str, str]] = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".txt": "text/plain",
    ".woff2": "font/woff2",
}
OPEN_TO_ALL: Final = frozenset(
    {
        "/",
        "/enter",
        "/health",
        "/static/enter.js",
        "/static/tokens.css",
        "/static/enter.css",
        "/static/icon.svg",
    }
)
"""The page on which one comes in and what it is made of; nothing of a document is in it."""
_STATUS: Final[Mapping[Answer, int]] = {
    Answer.COME_IN: 204,
    Answer.USED: 403,
    Answer.WRONG: 403,
    Answer.TOO_OFTEN: 429,
}
_MEDIA: Final[Mapping[str, str]] = {
    ".png": "image/png",
    ".gif": "image/gif",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".bmp": "image/bmp",
    ".webp": "image/webp",
    ".wav": "audio/wav",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".flac": "audio/flac",
    ".m4a": "audio/mp4",
}


@dataclass(frozen=True, slots=True)
class Program:
    """A program that runs on its canvas, and where its pictures and sounds are."""

    new_session: Callable[[], Session]
    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class Served:
    """What a server has to show: documents, and programs that were started with it."""

    store: Store
    desk: Desk
    programs: Mapping[str, Program] = field(default_factory=dict)


class _Site:
    def __init__(self, served: Served, keys: Keys) -> None:
        self._served = served
        self._places = Places()
        self._keys = keys

    async def home(self, request: Request) -> Response:
        return _part(_HOME if self._is_known(request) else _ENTRY)

    async def part(self, request: Request) -> Response:
        return _part(request.path_params["path"])

    async def health(self, request: Request) -> Response:
        del request
        return PlainTextResponse("well\n")

    async def enter(self, request: Request) -> Response:
        """Let somebody in who shows a token, or tell them whether they are in."""
        if request.method != "POST":
            if self._is_known(request):
                return Response(status_code=204)
            return PlainTextResponse(f"{NOT_LET_IN}\n", status_code=403)
        answer = self._keys.enter(await _body(request))
        if answer is not Answer.COME_IN:
            return PlainTextResponse(f"{answer.value}\n", status_code=_STATUS[answer])
        cookie = self._keys.cookie(request.headers["host"])
        return Response(status_code=204, headers={"set-cookie": cookie})

    # Programs on their canvas

    async def file(self, request: Request) -> Response:
        program = self._program(request.path_params["name"])
        folder = None if program is None else program.folder
        found = beside(folder, request.path_params["path"])
        if found is None:
            return PlainTextResponse("There is no such file beside the program.\n", status_code=404)
        return FileResponse(*found)

    async def engine(self, socket: WebSocket) -> None:
        program = self._program(socket.path_params["name"])
        if program is None:
            await socket.accept()
            await socket.close(NO_PROGRAM, "There is no such program any more.")
            return
        # The place is taken before anything is waited for.
        asked = socket.query_params
        taken = self._places.take(
            asked.get("session", ""), socket, program.new_session, instead=asked.get("instead", "")
        )
        try:
            await socket.accept()
            if taken is None:
                await socket.close(TOO_MANY, NO_ROOM)
            else:
                place, talk = taken
                await talk.hold({"session": place.name})
        except (WebSocketDisconnect, OSError):
            # The page went while something was on the way to it.
            pass
        finally:
            if taken is not None:
                self._places.leave(*taken)

    def _program(self, name: str) -> Program | None:
        """The program called *name*: one that was started, or a document that is kept."""
        if name in self._served.programs:
            return self._served.programs[name]
        try:
            document = self._served.store.find(name)
        except UsageError:
            return None
        if document is None:
            return None
        folder = None if document.path is None else document.path.parent
        return Program(partial(session_of, self._served.store, name), folder)

    def _is_known(self, request: Request) -> bool:
        return is_known(request.scope, self._keys)


def session_of(store: Store, name: str, *, frames_per_second: float = FRAMES_PER_SECOND) -> Session:
    """A new run of the program in the document *name*; ``ZermeloError`` says why there is none.

    Its text may be changed in the page, and its file elsewhere: it goes on with what is new.
    """
    document = store.find(name)
    if document is None:
        raise UsageError("there is no such program any more")
    found = _loaded(document)
    stage = model_of(found).stage(_folder(document), most_kept=MOST_KEPT)
    return Session(
        stage,
        found.source,
        frames_per_second=frames_per_second,
        read=partial(_read_again, store, name),
        changed=None if document.path is None else _watch(document.path),
    )


def _loaded(document: Document) -> Game:
    game = loading.load_text(
        document.text,
        name=document.name,
        path=document.path,
        reading_file=document.reading_file,
        plays=False,
    )
    if game.model is None:
        raise UsageError(_errors(game))
    return game


def _errors(game: Game) -> str:
    errors = sum(each.is_error for each in game.diagnostics)
    return f"there {'is' if errors == 1 else 'are'} {count(errors, 'error')} in the text"


def _read_again(store: Store, name: str, other: str) -> ReadAgain:
    """The program as the document *other* has it, or as *name* has it now."""
    try:
        document = store.find(other or name)
        if document is None:
            raise UsageError("there is no such program any more")
        if document.path is None:
            # What was changed in the page still has its pictures beside the file it came from.
            document = replace(document, path=getattr(store.find(name), "path", None))
        game = _loaded(document)
        # What could be read of a broken text might run, and would not be what somebody means.
        if any(each.is_error for each in game.diagnostics):
            raise UsageError(_errors(game))
        stage = model_of(game).stage(_folder(document), most_kept=MOST_KEPT)
    except ZermeloError as error:
        return ReadAgain(None, Source(name, ""), sentence(error))
    return ReadAgain(stage, game.source)


def _folder(document: Document) -> Path | None:
    return None if document.path is None else document.path.parent


def _watch(path: Path) -> Callable[[], bool]:
    """What says, looking at most once in a while, whether the file at *path* was changed."""
    known, then = _mark(path), time.monotonic()

    def has_changed() -> bool:
        nonlocal known, then
        if time.monotonic() - then < LOOKING:
            return False
        then, before = time.monotonic(), known
        known = _mark(path)
        return known is not None and known != before

    return has_changed


def _mark(path: Path) -> tuple[int, int] | None:
    """What changes when the file at *path* does; ``None`` while there is none."""
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size


def site(served: Served, *, names: Iterable[str], keys: Keys, log: Log | None = None) -> Starlette:
    """The answers of a server that has *served* to show.

    *names* are the names of this machine; *keys* say who is let in; *log* hears what is done.
    """
    pages = _Site(served, keys)
    guard = Middleware(Guard, names=frozenset(names), keys=keys, open_to_all=OPEN_TO_ALL)
    return Starlette(
        routes=[
            Route("/", pages.home),
            Route("/enter", pages.enter, methods=["GET", "POST"]),
            Route("/health", pages.health),
            Route("/static/{path:path}", pages.part),
            Route("/easel/{name}/files/{path:path}", pages.file),
            WebSocketRoute("/easel/{name}/engine", pages.engine),
            *PageRoutes(served.store, served.desk).routes(),
        ],
        middleware=[Middleware(Logged, log=log or Log()), guard],
    )


def beside(folder: Path | None, name: str) -> tuple[BinaryIO, str] | None:
    """The picture or sound *name* in *folder*, open, with its kind; ``None`` for all else."""
    if folder is None:
        return None
    try:
        home = folder.resolve()
        path = (home / name).resolve()
        media = _MEDIA.get(path.suffix.lower())
        if media is None or not path.is_relative_to(home):
            return None
        # What was a file may be a link or a pipe by now, which lead elsewhere or to no end.
        file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
    except (OSError, ValueError, RuntimeError):
        # No name of a file, or a loop of links.
        return None
    found = os.fstat(file.fileno())
    if not stat.S_ISREG(found.st_mode) or found.st_size > MOST_FILE:
        file.close()
        return None
    return file, media


class FileResponse(Response):
    """A file, a little of it at a time, so that who reads slowly does not fill the memory."""

    def __init__(self, file: BinaryIO, media: str) -> None:
        super().__init__(media_type=media)
        # Its size may change on the way, so none is promised.
        del self.headers["content-length"]
        self._file = file

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Send it, and close it however that ends."""
        with self._file as file:
            start = {"status": self.status_code, "headers": self.raw_headers}
            await send({"type": "http.response.start", **start})
            left = MOST_FILE
            while left > 0 and (piece := file.read(min(left, PIECE))):
                left -= len(piece)
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b""})


def _part(name: str) -> Response:
    kind = _KINDS.get(Path(name).suffix)
    part = files("zermelo.faces.web").joinpath("static", name) if _NAME.fullmatch(name) else None
    if kind is None or part is None or not part.is_file():
        return PlainTextResponse("There is no such page.\n", status_code=404)
    return Response(part.read_bytes(), media_type=kind)


async def _body(request: Request) -> bytes:
    """What a request carries, as far as it is not too much to be a token."""
    body = b""
    try:
        async with asyncio.timeout(REQUEST_SECONDS):
            async for piece in request.stream():
                body += piece
                if len(body) > MOST_ENTRY:
                    return b""
    except (ClientDisconnect, TimeoutError):
        return b""
    return body
