"""What the server did, line by line in JSON: for programs that watch it, and for whoever asks why.

No line has a token, a cookie or anything of a document in it: only what was asked for, how it was
answered, and how long that took.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, TextIO

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zermelo.text.diagnostic import Json

LONGEST_PATH: Final = 200


class Log:
    """Writes events into a *stream*; without one, nowhere."""

    def __init__(
        self, stream: TextIO | None = None, *, clock: Callable[[], float] = time.time
    ) -> None:
        self._stream = stream
        self._clock = clock
        self._lock = threading.Lock()

    def say(self, event: str, **about: Json) -> None:
        """Write that *event* happened, with what there is to say of it."""
        if self._stream is None:
            return
        at = datetime.fromtimestamp(self._clock(), UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"at": at, "event": event, **about}, ensure_ascii=True)
        with self._lock:
            self._stream.write(line + "\n")
            self._stream.flush()


class Logged:
    """Writes a line for every request and every connection of a page, when it has ended."""

    def __init__(self, app: ASGIApp, *, log: Log) -> None:
        self._app = app
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let it be answered, and write how."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        began = time.monotonic()
        ended: dict[str, Json] = {}

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start":
                ended["status"] = message["status"]
            elif message["type"] == "websocket.close":
                ended["code"] = message.get("code", 1000)
            await send(message)

        try:
            await self._app(scope, receive, noting)
        except Exception as error:
            ended["fault"] = type(error).__name__
            raise
        finally:
            about: dict[str, Json] = {"path": scope["path"][:LONGEST_PATH], **ended}
            if scope["type"] == "http":
                about = {"method": scope["method"], **about}
            seconds = round(time.monotonic() - began, 4)
            kind = "request" if scope["type"] == "http" else "connection"
            self._log.say(kind, **about, seconds=seconds)
