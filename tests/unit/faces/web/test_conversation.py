"""A page hears of frames as they come, and of those that take long."""

import asyncio
import json
import threading
from collections.abc import Iterable
from typing import Any, cast

from starlette.websockets import WebSocket, WebSocketDisconnect

from zermelo.faces.web.conversation import Conversation
from zermelo.faces.web.messages import Click, Message
from zermelo.faces.web.session import Session
from zermelo.faces.web.worker import Worker
from zermelo.text.diagnostic import Json


class Slow:
    """A session in which a click takes as long as the test wants."""

    period = None

    def __init__(self) -> None:
        self.may_end = threading.Event()
        self.done: list[Message] = []

    def everything(self) -> dict[str, Json]:
        return {"frame": 0}

    def advance(self, messages: Iterable[Message], *, is_due: bool) -> dict[str, Json]:
        assert not is_due
        for message in messages:
            self.may_end.wait(timeout=20)
            self.done.append(message)
        return {"frame": len(self.done)}


class Page:
    """A page: what it will say, and what it has heard."""

    def __init__(self) -> None:
        self.says: asyncio.Queue[str | None] = asyncio.Queue()
        self.hears: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def receive_text(self) -> str:
        said = await self.says.get()
        if said is None:
            raise WebSocketDisconnect
        return said

    async def send_text(self, text: str) -> None:
        await self.hears.put(json.loads(text))


def test_a_page_is_told_when_a_frame_takes_long() -> None:
    async def main() -> list[dict[str, Any]]:
        page, session = Page(), Slow()
        talk = _talk(page, session)
        heard = [await page.hears.get()]
        page.says.put_nowait('{"do": "click", "x": 1, "y": 2}')
        heard.append(await page.hears.get())
        session.may_end.set()
        heard.append(await page.hears.get())
        page.says.put_nowait(None)
        await talk
        assert session.done == [Click(1, 2)]
        return heard

    heard = asyncio.run(asyncio.wait_for(main(), timeout=20))

    assert heard == [{"hello": True, "frame": 0}, {"busy": True}, {"frame": 1, "busy": False}]


def test_a_conversation_ends_when_the_page_comes_back_elsewhere() -> None:
    async def main() -> None:
        page, session = Page(), Slow()
        held = Conversation(cast(WebSocket, page), cast(Session, session), Worker())
        task = asyncio.create_task(held.hold({}))
        await page.hears.get()
        held.leave()
        await task

    asyncio.run(asyncio.wait_for(main(), timeout=20))


def _talk(page: Page, session: Slow) -> asyncio.Task[None]:
    held = Conversation(cast(WebSocket, page), cast(Session, session), Worker())
    return asyncio.create_task(held.hold({"hello": True}))
