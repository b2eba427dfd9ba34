"""Only pages of the server itself may talk to it."""

import asyncio

import pytest
from starlette.types import Message, Receive, Scope, Send

from zermelo.faces.web.guard import Guard, policy

HERE = "127.0.0.1:8000"


async def _hello(scope: Scope, _receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


def _answer(kind: str, **headers: str) -> Message:
    """The first thing that a guarded server answers to a request with these *headers*."""
    sent: list[Message] = []
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    guard = Guard(_hello, names=("localhost",))
    asyncio.run(guard({"type": kind, "headers": raw}, receive, send))
    return sent[0]


@pytest.mark.parametrize(
    "headers",
    [
        {"host": HERE},
        {"host": "localhost:8000"},
        {"host": "LOCALHOST"},
        {"host": "[::1]:8000"},
        {"host": HERE, "origin": f"http://{HERE}"},
        {"host": HERE, "sec_fetch_site": "same-origin"},
        {"host": HERE, "sec_fetch_site": "cross-site", "sec_fetch_dest": "document"},
    ],
)
def test_its_own_pages_are_answered(headers: dict[str, str]) -> None:
    assert _answer("http", **headers)["status"] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"host": ""},
        {"host": "elsewhere.example:8000"},
        {"host": "127.0.0.1.elsewhere.example"},
        {"host": HERE, "origin": "http://elsewhere.example"},
        {"host": HERE, "origin": "http://127.0.0.1:9000"},
        {"host": HERE, "origin": "null"},
        {"host": HERE, "sec_fetch_site": "cross-site", "sec_fetch_dest": "image"},
    ],
)
def test_pages_from_elsewhere_are_refused(headers: dict[str, str]) -> None:
    assert _answer("http", **headers)["status"] == 403


def test_a_connection_of_its_own_page_is_taken() -> None:
    answer = _answer("websocket", host=HERE, origin=f"http://{HERE}")

    assert answer["type"] == "websocket.accept"


@pytest.mark.parametrize("origin", ["http://elsewhere.example", "null", "http://127.0.0.1:9000"])
def test_a_connection_from_elsewhere_is_refused(origin: str) -> None:
    assert _answer("websocket", host=HERE, origin=origin)["type"] == "websocket.close"


def test_a_connection_that_does_not_say_where_it_comes_from_is_refused() -> None:
    assert _answer("websocket", host=HERE)["type"] == "websocket.close"


def test_a_page_may_use_only_what_comes_from_here() -> None:
    headers = dict(_answer("http", host=HERE)["headers"])

    assert headers[b"content-security-policy"] == policy(HERE).encode()
    assert "default-src 'none'" in policy(HERE)
    assert "unsafe" not in policy(HERE)
