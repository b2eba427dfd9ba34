"""A page and its session: inputs come as they are made, frames go out as they are due."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, TypeVar

from starlette.websockets import WebSocket

from zermelo.faces.web import messages
from zermelo.faces.web.limits import (
    MESSAGES_PER_SECOND,
    MOST_AT_ONCE,
    MOST_REFUSED,
    MOST_WAITING,
    PIECE_SECONDS,
    Allowance,
)
from zermelo.faces.web.messages import Cursor, Message, Pause, Refusal, Restart, Step
from zermelo.faces.web.page.requests import sentence
from zermelo.faces.web.session import Session
from zermelo.faces.web.worker import Worker
from zermelo.text.diagnostic import Json
from zermelo.text.errors import ZermeloError

BUSY_AFTER: Final = 0.5
"""Seconds after which a page is told that a frame takes long."""
SENT_AWAY: Final = 4009
"""The code with which a page is sent away that says too much."""
NO_PROGRAM: Final = 4004
"""The code with which a page is sent away that wants a program which is not there, or broken."""
LOOKING: Final = 1.0
"""Seconds between two looks at the file of a program while time stands still."""

_T = TypeVar("_T")


class _SentAway(Exception):
    """The page has said too much; why."""


class Conversation:
    """What goes to and fro between the page behind *socket* and its session.

    *worker* computes for it, and *session* gives it there: making it may take long.
    """

    def __init__(self, socket: WebSocket, worker: Worker, session: Callable[[], Session]) -> None:
        self._socket = socket
        self._worker = worker
        self._give = session
        self._waiting: list[Message] = []
        self._taken: deque[Message] = deque()
        """Those that are being obeyed, a piece at a time."""
        self._no_steps = False
        """Whether the steps among these are given up."""
        self._news = asyncio.Event()
        self._is_over = False
        self._parts: set[asyncio.Task[None]] = set()

    async def hold(self, greeting: dict[str, Json]) -> None:
        """Talk until the page is gone; *greeting* goes out with the first frame."""
        if self._is_over:
            return
        # A page that goes is noticed from the first moment on, and all that was begun for it
        # is given up.
        self._parts = {
            asyncio.create_task(self._listen()),
            asyncio.create_task(self._talk(greeting)),
        }
        try:
            done, _ = await asyncio.wait(self._parts, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.leave()
            await asyncio.gather(*self._parts, return_exceptions=True)
        try:
            for part in done:
                if not part.cancelled():
                    part.result()
        except _SentAway as away:
            await self._socket.close(SENT_AWAY, str(away))
        except ZermeloError as error:
            # There is no session: the document is no program, or a broken one.
            await self._send(_text({"broken": sentence(error)}))
            await self._socket.close(NO_PROGRAM, "This program cannot run.")

    def leave(self) -> None:
        """End it, also before it began."""
        self._is_over = True
        for part in self._parts:
            part.cancel()

    async def _listen(self) -> None:
        """Take every message in its order, none lost and none twice."""
        allowance = Allowance(most=MOST_AT_ONCE, per_second=MESSAGES_PER_SECOND)
        refused = 0
        while True:
            got = await self._socket.receive()
            if got["type"] != "websocket.receive":
                return
            # Who talks too fast is read more slowly, so that the others are heard too.
            while wait := allowance.take():
                await asyncio.sleep(wait)
            said = messages.from_data(got.get("text"))
            if not isinstance(said, Refusal):
                self._take(said)
                continue
            refused += 1
            if refused > MOST_REFUSED:
                raise _SentAway("This page sent too much that means nothing. Load it again.")
            await self._send(_text({"refused": said.reason}))

    def _take(self, message: Message) -> None:
        if isinstance(message, Pause | Restart):
            # Who asks for many slow frames must be able to think better of it.
            self._no_steps = True
            self._waiting = [Pause() if each == Step() else each for each in self._waiting]
        waiting = self._waiting
        if isinstance(message, Cursor) and waiting and isinstance(waiting[-1], Cursor):
            # Where the cursor was in between, no frame can see.
            waiting[-1] = message
        elif len(waiting) + len(self._taken) < MOST_WAITING:
            waiting.append(message)
        else:
            raise _SentAway("This page sent more than the program can take. Load it again.")
        self._news.set()

    async def _talk(self, greeting: dict[str, Json]) -> None:
        session = await self._patiently(self._give)
        await self._tell(lambda: {**greeting, **session.everything()})
        clock = asyncio.get_running_loop()
        due = clock.time()
        while True:
            period = session.period
            idle = LOOKING if session.is_watching else None
            await self._wait(idle if period is None else due - clock.time())
            now = clock.time()
            is_due = period is not None and now >= due
            if not self._taken:
                self._taken.extend(self._waiting)
                self._waiting = []
                self._no_steps = False
            await self._tell(partial(session.advance, self._piece(), is_due=is_due))
            if not self._taken and not self._waiting:
                self._news.clear()
            if period is None or is_due:
                # What was missed is not made up for: a slow program is slow, not jumpy.
                due = max(due + (session.period or 0), now)

    def _piece(self) -> Iterator[Message]:
        """Some of what was taken, asked for where it is obeyed: as much as its time allows.

        So nobody waits for more than one slow frame, and a page that is gone for no other.
        """
        end = time.monotonic() + PIECE_SECONDS
        while self._taken and not self._is_over:
            message = self._taken.popleft()
            yield Pause() if self._no_steps and message == Step() else message
            if time.monotonic() >= end:
                return

    async def _wait(self, seconds: float | None) -> None:
        """Wait until the next frame is due, or the page has said something."""
        try:
            async with asyncio.timeout(None if seconds is None else max(seconds, 0)):
                await self._news.wait()
        except TimeoutError:
            pass

    async def _tell(self, work: Callable[[], dict[str, Json]]) -> None:
        """Tell the page what *work* gives, if that is anything."""
        # A large picture is written where it was made, since that takes its time too.
        text = await self._patiently(lambda: _text(work()))
        if text != _NOTHING:
            await self._send(text)

    async def _patiently(self, work: Callable[[], _T]) -> _T:
        task = asyncio.create_task(self._worker.ask(work))
        try:
            done, _ = await asyncio.wait({task}, timeout=BUSY_AFTER)
            if not done:
                await self._send(_text({"busy": True}))
                await asyncio.wait({task})
                await self._send(_text({"busy": False}))
            return task.result()
        finally:
            task.cancel()

    async def _send(self, text: str) -> None:
        await self._socket.send_text(text)


def _text(message: dict[str, Json]) -> str:
    return json.dumps(message, ensure_ascii=False, allow_nan=False)


_NOTHING: Final = _text({})
