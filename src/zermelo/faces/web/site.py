"""What the server serves: the page, the files beside the program, and the engine."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Callable, Iterable, Mapping
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

from zermelo.faces.web.entry import Answer, Keys
from zermelo.faces.web.guard import NOT_LET_IN, Guard, is_known
from zermelo.faces.web.limits import MOST_ENTRY, MOST_FILE, PIECE, REQUEST_SECONDS
from zermelo.faces.web.places import Places
from zermelo.faces.web.session import Session

TOO_MANY: Final = 4008
"""The code with which a page is sent away for which there is no room."""
NO_ROOM: Final = "Too many pages show this program. Close some of them."

_HOME: Final = "index.html"
_ENTRY: Final = "enter.html"
_PAGE: Final[Mapping[str, str]] = {
    _HOME: "text/html",
    _ENTRY: "text/html",
    "style.css": "text/css",
    "icon.svg": "image/svg+xml",
    "main.js": "text/javascript",
    "enter.js": "text/javascript",
    "picture.js": "text/javascript",
    "sound.js": "text/javascript",
    "keys.js": "text/javascript",
    "timeline.js": "text/javascript",
    "connection.js": "text/javascript",
}
OPEN_TO_ALL: Final = frozenset(
    {"/", "/enter", "/enter.html", "/enter.js", "/style.css", "/icon.svg"}
)
"""The page on which one comes in and what it is made of; nothing of the program is in it."""
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


class _Site:
    def __init__(self, new_session: Callable[[], Session], folder: Path | None, keys: Keys) -> None:
        self._places = Places(new_session)
        self._folder = folder
        self._keys = keys

    async def home(self, request: Request) -> Response:
        return _part(_HOME if self._is_known(request) else _ENTRY)

    async def part(self, request: Request) -> Response:
        return _part(request.path_params["name"])

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

    async def file(self, request: Request) -> Response:
        found = beside(self._folder, request.path_params["path"])
        if found is None:
            return PlainTextResponse("There is no such file beside the program.\n", status_code=404)
        return FileResponse(*found)

    async def engine(self, socket: WebSocket) -> None:
        # The place is taken before anything is waited for.
        asked = socket.query_params
        taken = self._places.take(
            asked.get("session", ""), socket, instead=asked.get("instead", "")
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

    def _is_known(self, request: Request) -> bool:
        return is_known(request.scope, self._keys)


def site(
    new_session: Callable[[], Session], *, folder: Path | None, names: Iterable[str], keys: Keys
) -> Starlette:
    """A server's answers: each page gets a session of its own from *new_session*.

    *folder* is where the program's files are; *names* are the names of this machine; *keys*
    say who is let in.
    """
    pages = _Site(new_session, folder, keys)
    guard = Middleware(Guard, names=frozenset(names), keys=keys, open_to_all=OPEN_TO_ALL)
    return Starlette(
        routes=[
            Route("/", pages.home),
            Route("/enter", pages.enter, methods=["GET", "POST"]),
            Route("/files/{path:path}", pages.file),
            WebSocketRoute("/engine", pages.engine),
            Route("/{name}", pages.part),
        ],
        middleware=[guard],
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
    if name not in _PAGE:
        return PlainTextResponse("There is no such page.\n", status_code=404)
    body = files("zermelo.faces.web").joinpath("static", name).read_bytes()
    return Response(body, media_type=_PAGE[name])


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
