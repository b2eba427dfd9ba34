"""Processes that answer questions, and who gets which: the server itself works nothing out.

Short questions go to a few processes that stay; a document always goes to the same one, which
remembers it. What may take long gets a process of its own for its document, which keeps what was
found for the next question, and ends when it is given up and does not listen, when others need
the room, or after a while without questions.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Any, Final

from zermelo.faces.web.page.requests import Document, Question
from zermelo.text.diagnostic import Json

SHORT_SECONDS: Final = 30.0
"""After which a question that should be quick is given up, with the process that has it."""
LONG_SECONDS: Final = 300.0
GIVING_UP: Final = 2.0
"""Seconds that a process has to give up by itself."""
MOST_LONG: Final = 4
"""Processes for what may take long."""
IDLE_SECONDS: Final = 600.0
MOST_WAITING: Final = 200
"""Questions that may wait for one process."""
_LONGEST_LINE: Final = 64 << 20

_BUSY: Final = "Too much is being worked out at the moment. Wait a little, and ask again."
_NO_PROCESS: Final = "This machine starts no process that could work this out."
_ENDED: Final = "What worked this out has ended: it may have taken too much memory. Ask again."
_TOO_LONG: Final = "This took too long, and was given up."

Tell = Callable[[dict[str, Json]], Awaitable[None]]


class Refused(Exception):
    """Why there is no answer, in a sentence."""


class Clerk:
    """One process that answers questions, started when it is asked first."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Queue[dict[str, Any]]] = {}
        self._turn = asyncio.Lock()
        self._asked: tuple[Process, asyncio.Queue[dict[str, Any]]] | None = None
        """The process that has a question, and who waits for its answer."""
        self._reader: asyncio.Task[None] | None = None
        self.used = 0.0

    @property
    def is_busy(self) -> bool:
        return self._turn.locked()

    async def ask(
        self, name: str, question: Question, document: Document, *, seconds: float, tell: Tell
    ) -> dict[str, Json]:
        """The answer; what comes before it goes to *tell*. Who is cancelled gives it up."""
        if len(self._waiting) >= MOST_WAITING:
            raise Refused(_BUSY)
        number = next(self._numbers)
        news = self._waiting[number] = asyncio.Queue()
        try:
            async with self._turn:
                try:
                    process = await self._running()
                except OSError as error:
                    raise Refused(f"{_NO_PROCESS} ({error.strerror})") from None
                self._asked = process, news
                self.used = asyncio.get_running_loop().time()
                about = asdict(document)
                asked = {"id": number, "ask": name, "question": asdict(question), "document": about}
                try:
                    await self._say(process, asked)
                except OSError:
                    raise Refused(_ENDED) from None
                try:
                    async with asyncio.timeout(seconds):
                        return await self._answer(news, tell)
                except TimeoutError:
                    await self._give_up(process, number, news)
                    raise Refused(_TOO_LONG) from None
                except Refused:
                    raise
                except BaseException:
                    # Whoever asked is gone, or cannot be told how far it is.
                    await asyncio.shield(self._give_up(process, number, news))
                    raise
        finally:
            del self._waiting[number]

    async def _answer(self, news: asyncio.Queue[dict[str, Any]], tell: Tell) -> dict[str, Json]:
        while True:
            message = await news.get()
            if "answer" in message:
                found: dict[str, Json] = message["answer"]
                return found
            if "refused" in message:
                raise Refused(message["refused"])
            await tell({"progress": message["progress"]})

    async def _give_up(
        self, process: Process, number: int, news: asyncio.Queue[dict[str, Any]]
    ) -> None:
        """Let it stop by itself, so that what it found is kept; if it does not, end it."""
        with suppress(OSError):
            await self._say(process, {"give up": number})
        try:
            async with asyncio.timeout(GIVING_UP):
                while "progress" in await news.get():
                    continue
        except TimeoutError:
            self.close()

    async def _say(self, process: Process, message: dict[str, Any]) -> None:
        assert process.stdin is not None
        process.stdin.write(json.dumps(message, ensure_ascii=False, default=str).encode() + b"\n")
        await process.stdin.drain()

    async def _running(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "zermelo.faces.web.page.analyst"),
                stdin=PIPE,
                stdout=PIPE,
                limit=_LONGEST_LINE,
                # Ctrl-C is for the server, which ends the others.
                start_new_session=True,
                env={**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": _import_path()},
            )
            self._reader = asyncio.create_task(self._read(self._process))
        return self._process

    async def _read(self, process: Process) -> None:
        assert process.stdout is not None
        try:
            async for text in process.stdout:
                message = json.loads(text)
                news = self._waiting.get(message["id"])
                if news is not None:
                    news.put_nowait(message)
        except ValueError:
            # A line longer than any answer.
            self.close()
        await process.wait()
        if self._asked is not None and self._asked[0] is process:
            self._asked[1].put_nowait({"refused": _ENDED})

    def close(self) -> None:
        """End the process, whatever it does."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()

    async def end(self) -> None:
        """End the process, and wait until it has."""
        self.close()
        if self._reader is not None:
            await self._reader


class Desk:
    """Gives each question to a process."""

    def __init__(self, clerks: int = 2) -> None:
        self._short = [Clerk() for _ in range(clerks)]
        self._long: dict[str, Clerk] = {}

    async def short(self, name: str, question: Question, document: Document) -> dict[str, Json]:
        """The answer to a question that is answered at once."""
        at = int(_key(document), 16) % len(self._short)
        return await self._short[at].ask(
            name, question, document, seconds=SHORT_SECONDS, tell=_nothing
        )

    async def long(
        self, name: str, question: Question, document: Document, tell: Tell
    ) -> dict[str, Json]:
        """The answer to a question that may take long; *tell* hears how far it has come."""
        clerk = self._clerk(f"{_key(document)} {sorted(question.readings.items())}")
        try:
            return await clerk.ask(name, question, document, seconds=LONG_SECONDS, tell=tell)
        finally:
            asyncio.get_running_loop().call_later(IDLE_SECONDS, self._end_idle)

    def _clerk(self, key: str) -> Clerk:
        for other in [k for k, c in self._long.items() if not c.is_busy]:
            if key not in self._long and len(self._long) >= MOST_LONG:
                self._long.pop(other).close()
        if key not in self._long:
            if len(self._long) >= MOST_LONG:
                raise Refused(_BUSY)
            self._long[key] = Clerk()
        # The one that was used last stands at the end.
        clerk = self._long.pop(key)
        self._long[key] = clerk
        return clerk

    def _end_idle(self) -> None:
        """End the processes that nobody has asked anything for a while."""
        now = asyncio.get_running_loop().time()
        for key, clerk in list(self._long.items()):
            if not clerk.is_busy and now - clerk.used >= IDLE_SECONDS:
                self._long.pop(key).close()

    async def end(self) -> None:
        """End all processes."""
        await asyncio.gather(*(clerk.end() for clerk in (*self._short, *self._long.values())))


def _import_path() -> str:
    """Where a process finds this package, wherever that was found from."""
    given = os.environ.get("PYTHONPATH")
    home = str(Path(__file__).parents[4])
    return f"{home}{os.pathsep}{given}" if given else home


def _key(document: Document) -> str:
    said = f"{document.path}\0{document.name}\0{document.text}".encode()
    return blake2b(said, digest_size=8).hexdigest()


async def _nothing(message: dict[str, Json]) -> None:
    del message
