"""Processes that answer: what takes long tells how far it is, can be given up, and hurts nobody."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from zermelo.faces.web.page import desk as desks
from zermelo.faces.web.page.desk import Desk, Refused
from zermelo.faces.web.page.requests import (
    ChooseMove,
    Document,
    JudgeMoves,
    ReadDocument,
    ShowPosition,
)
from zermelo.faces.web.page.store import Store

LONG = 60
"""Seconds that nothing here takes."""


def with_desk(talk: Callable[[Desk], Awaitable[None]]) -> None:
    async def main() -> None:
        desk = Desk(clerks=1)
        try:
            async with asyncio.timeout(LONG):
                await talk(desk)
        finally:
            await desk.end()

    asyncio.run(main())


def _document(name: str) -> Document:
    found = Store(None).find(name)
    assert found is not None
    return found


def test_a_question_is_answered_by_another_process_or_refused_with_a_sentence() -> None:
    async def talk(desk: Desk) -> None:
        pegs = _document("pegs")
        told = await desk.short("position", ShowPosition(document="pegs"), pegs)
        assert told["player"] == "A"
        with pytest.raises(Refused, match="`nothing` is no move here"):
            await desk.short("position", ShowPosition(document="pegs", moves=("nothing",)), pegs)

    with_desk(talk)


def test_what_takes_long_tells_how_far_it_is_and_can_be_given_up() -> None:
    heard: list[dict[str, Any]] = []

    async def talk(desk: Desk) -> None:
        pawns = _document("pawns")

        async def tell(message: dict[str, Any]) -> None:
            heard.append(message["progress"])

        work = asyncio.create_task(desk.long("judge", JudgeMoves(document="pawns"), pawns, tell))
        while len(heard) < 2:
            await asyncio.sleep(0.05)
        began = asyncio.get_running_loop().time()
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        assert asyncio.get_running_loop().time() - began < 2 * desks.GIVING_UP

    with_desk(talk)
    assert heard[-1]["states"] > 0
    assert set(heard[-1]) == {"phase", "states", "seconds", "left"}


def test_a_question_that_should_be_quick_and_is_not_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(desks, "SHORT_SECONDS", 0.01)
    monkeypatch.setattr(desks, "GIVING_UP", 0.01)

    async def talk(desk: Desk) -> None:
        with pytest.raises(Refused, match="This took too long, and was given up"):
            await desk.short("read", ReadDocument(document="pegs"), _document("pegs"))
        # Another process answers the next one.
        monkeypatch.setattr(desks, "SHORT_SECONDS", LONG)
        told = await desk.short("read", ReadDocument(document="pegs"), _document("pegs"))
        assert told["loaded"] is True

    with_desk(talk)


def test_a_process_that_nobody_asks_any_more_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desks, "IDLE_SECONDS", 0.05)
    question = ChooseMove(document="pegs", player="random")

    async def talk(desk: Desk) -> None:
        assert "move" in await desk.long("choose", question, _document("pegs"), _unheard)
        (clerk,) = desk._long.values()  # noqa: SLF001
        process = clerk._process  # noqa: SLF001
        assert process is not None
        await process.wait()
        assert not desk._long  # noqa: SLF001

    with_desk(talk)


def test_a_machine_that_starts_no_process_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(*_: object, **__: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(asyncio, "create_subprocess_exec", full)

    async def talk(desk: Desk) -> None:
        with pytest.raises(Refused, match="This machine starts no process"):
            await desk.short("read", ReadDocument(document="pegs"), _document("pegs"))

    with_desk(talk)


async def _unheard(message: dict[str, Any]) -> None:
    del message


def test_documents_that_want_too_much_are_refused_and_the_next_one_is_answered() -> None:
    nested = "Applicable Sets\n  A : " + "𝒫(" * 30 + "{1, 2}" + ")" * 30 + "\n"

    async def talk(desk: Desk) -> None:
        told = await desk.short("read", ReadDocument(document="x"), Document("x.md", nested))
        assert told["loaded"] is False
        assert (await desk.short("read", ReadDocument(document="pegs"), _document("pegs")))[
            "loaded"
        ]

    with_desk(talk)
