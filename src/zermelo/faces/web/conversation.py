"""A page and its session: inputs come as they are made, frames go out as they are due."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from zermelo.faces.web import messages
from zermelo.faces.web.messages import Message
from zermelo.faces.web.session import Session
from zermelo.faces.web.worker import Worker
from zermelo.text.diagnostic import Json

BUSY_AFTER: Final = 0.5
"""Seconds after which a page is told that a frame takes long."""
MOST_WAITING: Final = 100_000
"""Messages that may wait while a frame takes long."""


class Conversation:
    """What goes to and fro between the page behind *socket* and *session*."""

    def __init__(self, socket: WebSocket, session: Session, worker: Worker) -> None:
        self._socket = socket
        self._session = session
        self._worker = worker
        self._waiting: list[Message] = []
        self._news = asyncio.Event()
        self._parts: set[asyncio.Task[None]] = set()

    async def hold(self, greeting: dict[str, Json]) -> None:
        """Talk until the page is gone; *greeting* goes out with the first frame."""
        everything = await self._worker.ask(self._session.everything)
        await self._send({**greeting, **everything})
        self._parts = {asyncio.create_task(self._listen()), asyncio.create_task(self._talk())}
        try:
            done, _ = await asyncio.wait(self._parts, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.leave()
            await asyncio.gather(*self._parts, return_exceptions=True)
        for part in done:
            if not part.cancelled():
                part.result()

    def leave(self) -> None:
        for part in self._parts:
            part.cancel()

    async def _listen(self) -> None:
        """Take every message in its order, none lost and none twice."""
        try:
            while len(self._waiting) < MOST_WAITING:
                message = messages.from_text(await self._socket.receive_text())
                if message is not None:
                    self._waiting.append(message)
                    self._news.set()
        except (WebSocketDisconnect, KeyError):
            # The page was closed, or sent bytes, which none of ours does.
            return

    async def _talk(self) -> None:
        clock = asyncio.get_running_loop()
        due = clock.time()
        while True:
            period = self._session.period
            await self._wait(None if period is None else due - clock.time())
            now = clock.time()
            is_due = period is not None and now >= due
            taken, self._waiting = self._waiting, []
            self._news.clear()
            news = await self._patiently(taken, is_due=is_due)
            if period is None or is_due:
                # What was missed is not made up for: a slow program is slow, not jumpy.
                due = max(due + (self._session.period or 0), now)
            if news:
                await self._send(news)

    async def _wait(self, seconds: float | None) -> None:
        """Wait until the next frame is due, or the page has said something."""
        try:
            async with asyncio.timeout(None if seconds is None else max(seconds, 0)):
                await self._news.wait()
        except TimeoutError:
            pass

    async def _patiently(self, taken: list[Message], *, is_due: bool) -> dict[str, Json]:
        work = partial(self._session.advance, taken, is_due=is_due)
        task = asyncio.create_task(self._worker.ask(work))
        try:
            done, _ = await asyncio.wait({task}, timeout=BUSY_AFTER)
            if done:
                return task.result()
            await self._send({"busy": True})
            return {**await task, "busy": False}
        finally:
            task.cancel()

    async def _send(self, message: dict[str, Json]) -> None:
        await self._socket.send_text(json.dumps(message, ensure_ascii=False, allow_nan=False))
