"""What the server serves: the page, the files beside the program, and the engine."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from zermelo.faces.web.conversation import Conversation
from zermelo.faces.web.guard import Guard
from zermelo.faces.web.session import Session
from zermelo.faces.web.worker import Worker

MOST_PAGES: Final = 24
"""Pages that can show a program at a time."""
MOST_LEFT: Final = 4
"""Games that are remembered after their page is gone, since it may come back."""
TOO_MANY: Final = 4008
"""The code with which a page is sent away."""
MOST_BYTES: Final = 16_000_000
"""The largest file beside the program that a page gets."""

_HOME: Final = "index.html"
_PAGE: Final[Mapping[str, str]] = {
    _HOME: "text/html",
    "style.css": "text/css",
    "icon.svg": "image/svg+xml",
    "main.js": "text/javascript",
    "picture.js": "text/javascript",
    "sound.js": "text/javascript",
    "keys.js": "text/javascript",
    "timeline.js": "text/javascript",
    "connection.js": "text/javascript",
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


@dataclass(slots=True)
class _Place:
    """A session, and what computes for it."""

    session: Session
    worker: Worker
    talk: Conversation | None = None
    """With the page that shows it, if there is one."""


class _Site:
    def __init__(self, new_session: Callable[[], Session], folder: Path | None) -> None:
        self._new_session = new_session
        self._folder = folder
        self._places: dict[str, _Place] = {}

    async def page(self, request: Request) -> Response:
        name = request.path_params.get("name", _HOME)
        if name not in _PAGE:
            return PlainTextResponse("There is no such page.\n", status_code=404)
        body = files("zermelo.faces.web").joinpath("static", name).read_bytes()
        return Response(body, media_type=_PAGE[name])

    async def file(self, request: Request) -> Response:
        found = beside(self._folder, request.path_params["path"])
        if found is None:
            return PlainTextResponse("There is no such file beside the program.\n", status_code=404)
        path, media = found
        return Response(path.read_bytes(), media_type=media)

    async def engine(self, socket: WebSocket) -> None:
        await socket.accept()
        name = socket.query_params.get("session", "")
        if name not in self._places:
            name = secrets.token_urlsafe(12)
            if not self._make_room():
                reason = "Too many pages show this program. Close some of them."
                await socket.close(TOO_MANY, reason)
                return
            worker = Worker()
            self._places[name] = _Place(await worker.ask(self._new_session), worker)
        # The session that was used last is the last to be forgotten.
        place = self._places.pop(name)
        self._places[name] = place
        if place.talk is not None:
            # The page comes back before anybody has noticed that it was gone.
            place.talk.leave()
        talk = place.talk = Conversation(socket, place.session, place.worker)
        try:
            await talk.hold({"session": name})
        except (WebSocketDisconnect, OSError):
            # The page went while something was on the way to it.
            pass
        finally:
            if place.talk is talk:
                place.talk = None

    def _make_room(self) -> bool:
        """Whether there is room for one more game; those of old closed pages are forgotten."""
        left = [name for name, place in self._places.items() if place.talk is None]
        for name in left[:-MOST_LEFT]:
            self._places.pop(name).worker.close()
        return len(self._places) - min(len(left), MOST_LEFT) < MOST_PAGES


def site(
    new_session: Callable[[], Session], *, folder: Path | None, names: Iterable[str]
) -> Starlette:
    """A server's answers: each page gets a session of its own from *new_session*.

    *folder* is where the program's files are; *names* are the names of this machine.
    """
    pages = _Site(new_session, folder)
    return Starlette(
        routes=[
            Route("/", pages.page),
            Route("/files/{path:path}", pages.file),
            WebSocketRoute("/engine", pages.engine),
            Route("/{name}", pages.page),
        ],
        middleware=[Middleware(Guard, names=frozenset(names))],
    )


def beside(folder: Path | None, name: str) -> tuple[Path, str] | None:
    """The picture or sound *name* in *folder*, with its kind; ``None`` for anything else."""
    if folder is None:
        return None
    try:
        home = folder.resolve()
        path = (home / name).resolve()
        media = _MEDIA.get(path.suffix.lower())
        fits = path.is_relative_to(home) and path.is_file() and path.stat().st_size <= MOST_BYTES
    except (OSError, ValueError, RuntimeError):
        # No name of a file, or a loop of links.
        return None
    return (path, media) if fits and media is not None else None
