"""A page hears of frames as they come, and of those that take long."""

import asyncio
import json
import threading
from collections.abc import Iterable
from typing import Any, cast

import pytest
from starlette.websockets import WebSocket

from zermelo.faces.web import conversation
from zermelo.faces.web.conversation import SENT_AWAY, Conversation
from zermelo.faces.web.limits import MOST_REFUSED
from zermelo.faces.web.messages import Click, Cursor, Message, Pause, Restart, Step
from zermelo.faces.web.session import Session
from zermelo.faces.web.worker import Worker
from zermelo.text.diagnostic import Json


class Slow:
    """A session in which a click takes as long as the test wants."""

    period = None
    is_watching = False

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
        self.says: asyncio.Queue[str | bytes | None] = asyncio.Queue()
        self.hears: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def receive(self) -> dict[str, Any]:
        said = await self.says.get()
        if said is None:
            return {"type": "websocket.disconnect"}
        return {"type": "websocket.receive", "text" if isinstance(said, str) else "bytes": said}

    async def send_text(self, text: str) -> None:
        await self.hears.put(json.loads(text))

    async def close(self, code: int, reason: str) -> None:
        await self.hears.put({"code": code, "reason": reason})


def test_a_page_is_told_when_a_frame_takes_long() -> None:
    async def main() -> list[dict[str, Any]]:
        page, session = Page(), Slow()
        talk = _talk(page, session)
        heard = [await page.hears.get()]
        page.says.put_nowait('{"do": "click", "x": 1, "y": 2}')
        heard.append(await page.hears.get())
        session.may_end.set()
        heard += [await page.hears.get(), await page.hears.get()]
        page.says.put_nowait(None)
        await talk
        assert session.done == [Click(1, 2)]
        return heard

    heard = asyncio.run(asyncio.wait_for(main(), timeout=20))

    assert heard == [{"hello": True, "frame": 0}, {"busy": True}, {"busy": False}, {"frame": 1}]


def test_a_page_is_told_while_its_game_is_being_made() -> None:
    async def main() -> None:
        page, may_begin = Page(), threading.Event()

        def make() -> Session:
            may_begin.wait(timeout=20)
            return cast(Session, Slow())

        talk = asyncio.create_task(Conversation(_socket(page), Worker(), make).hold({}))
        assert await page.hears.get() == {"busy": True}
        may_begin.set()
        assert await page.hears.get() == {"busy": False}
        assert await page.hears.get() == {"frame": 0}
        page.says.put_nowait(None)
        await talk

    asyncio.run(asyncio.wait_for(main(), timeout=20))


def test_a_page_that_goes_while_its_game_is_being_made_is_noticed() -> None:
    async def main() -> None:
        page, may_begin = Page(), threading.Event()

        def make() -> Session:
            may_begin.wait(timeout=20)
            return cast(Session, Slow())

        talk = asyncio.create_task(Conversation(_socket(page), Worker(), make).hold({}))
        page.says.put_nowait(None)
        await talk
        may_begin.set()

    asyncio.run(asyncio.wait_for(main(), timeout=20))


def test_nonsense_is_answered_and_a_page_that_says_much_of_it_is_sent_away() -> None:
    async def main() -> None:
        page, session = Page(), Slow()
        talk = _talk(page, session)
        await page.hears.get()
        for at in range(MOST_REFUSED):
            page.says.put_nowait("fly" if at % 2 else b"fly")
            assert "refused" in await page.hears.get()
        page.says.put_nowait("fly")
        assert (await page.hears.get())["code"] == SENT_AWAY
        await talk

    asyncio.run(asyncio.wait_for(main(), timeout=20))


def test_a_page_that_says_more_than_can_wait_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversation, "MOST_WAITING", 3)

    async def main() -> None:
        page, session = Page(), Slow()
        talk = _talk(page, session)
        await page.hears.get()
        # One is being done, and the cursor is only where it was last.
        page.says.put_nowait('{"do": "click", "x": 1, "y": 1}')
        assert await page.hears.get() == {"busy": True}
        for x in range(50):
            page.says.put_nowait(f'{{"do": "cursor", "x": {x}, "y": 1}}')
        for x in range(3):
            page.says.put_nowait(f'{{"do": "click", "x": {x}, "y": 1}}')
        assert (await page.hears.get())["code"] == SENT_AWAY
        await talk
        session.may_end.set()

    asyncio.run(asyncio.wait_for(main(), timeout=20))


def test_where_the_cursor_was_in_between_is_passed_over() -> None:
    async def main() -> None:
        page, session = Page(), Slow()
        talk = _talk(page, session)
        await page.hears.get()
        page.says.put_nowait('{"do": "click", "x": 1, "y": 1}')
        assert await page.hears.get() == {"busy": True}
        for x in range(50):
            page.says.put_nowait(f'{{"do": "cursor", "x": {x}, "y": 1}}')
        page.says.put_nowait('{"do": "step"}')
        page.says.put_nowait('{"do": "cursor", "x": 7, "y": 7}')
        while not page.says.empty():
            await asyncio.sleep(0)
        session.may_end.set()
        while (await page.hears.get()).get("frame") != 4:
            pass
        page.says.put_nowait(None)
        await talk
        assert session.done == [Click(1, 1), Cursor(49, 1), Step(), Cursor(7, 7)]

    asyncio.run(asyncio.wait_for(main(), timeout=20))


def test_a_page_that_talks_too_fast_is_read_more_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversation, "MOST_AT_ONCE", 5)
    monkeypatch.setattr(conversation, "MESSAGES_PER_SECOND", 0.001)

    async def main() -> None:
        page, session = Page(), Slow()
        session.may_end.set()
        talk = _talk(page, session)
        for x in range(20):
            page.says.put_nowait(f'{{"do": "click", "x": {x}, "y": 1}}')
        while len(session.done) < 5:
            await page.hears.get()
        # One more has been read, and waits until it may be taken.
        assert page.says.qsize() == 20 - 5 - 1
        talk.cancel()
        await asyncio.gather(talk, return_exceptions=True)
        assert len(session.done) == 5

    asyncio.run(asyncio.wait_for(main(), timeout=20))


def test_many_steps_are_made_in_pieces_and_the_page_is_told_of_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(conversation, "PIECE_SECONDS", 0.0)

    async def main() -> None:
        page, session = Page(), Slow()
        talk = _talk(page, session)
        await page.hears.get()
        for _ in range(20):
            page.says.put_nowait('{"do": "step"}')
        while not page.says.empty():
            await asyncio.sleep(0)
        session.may_end.set()
        heard = [await page.hears.get() for _ in range(20)]
        page.says.put_nowait(None)
        await talk
        assert heard == [{"frame": at + 1} for at in range(20)]

    asyncio.run(asyncio.wait_for(main(), timeout=20))


@pytest.mark.parametrize("wish", ["pause", "restart"])
def test_steps_that_wait_are_given_up_for_who_stops_them(wish: str) -> None:
    async def main() -> None:
        page, session = Page(), Slow()
        talk = _talk(page, session)
        await page.hears.get()
        for each in ("step", "step", "step"):
            page.says.put_nowait(f'{{"do": "{each}"}}')
        assert await page.hears.get() == {"busy": True}
        for each in ("step", wish, "step"):
            page.says.put_nowait(f'{{"do": "{each}"}}')
        while not page.says.empty():
            await asyncio.sleep(0)
        session.may_end.set()
        while (await page.hears.get()).get("frame") != 6:
            pass
        page.says.put_nowait(None)
        await talk
        stop = Pause() if wish == "pause" else Restart()
        assert session.done == [Step(), Pause(), Pause(), Pause(), stop, Step()]

    asyncio.run(asyncio.wait_for(main(), timeout=20))


def test_steps_are_given_up_when_the_page_is_gone() -> None:
    async def main() -> None:
        page, session = Page(), Slow()
        worker = Worker()
        held = Conversation(_socket(page), worker, lambda: cast(Session, session))
        talk = asyncio.create_task(held.hold({}))
        await page.hears.get()
        for _ in range(1_000):
            page.says.put_nowait('{"do": "step"}')
        assert await page.hears.get() == {"busy": True}
        page.says.put_nowait(None)
        await talk
        session.may_end.set()
        # The worker has time for another, and did the one that it was at.
        await worker.ask(lambda: None)
        assert session.done == [Step()]

    asyncio.run(asyncio.wait_for(main(), timeout=20))


def test_a_conversation_ends_when_the_page_comes_back_elsewhere() -> None:
    async def main() -> None:
        page, session = Page(), Slow()
        held = Conversation(_socket(page), Worker(), lambda: cast(Session, session))
        task = asyncio.create_task(held.hold({}))
        await page.hears.get()
        held.leave()
        await task

        # Also if it had not begun yet.
        await held.hold({})

    asyncio.run(asyncio.wait_for(main(), timeout=20))


def _talk(page: Page, session: Slow) -> asyncio.Task[None]:
    held = Conversation(_socket(page), Worker(), lambda: cast(Session, session))
    return asyncio.create_task(held.hold({"hello": True}))


def _socket(page: Page) -> WebSocket:
    return cast(WebSocket, page)
