"""What the server did is written line by line, and nothing of what nobody else should know."""

import asyncio
import io
import json

import pytest
from starlette.types import Message, Receive, Scope, Send

from zermelo.faces.web.log import Log, Logged


def _lines(path: str, *, has_fault: bool = False) -> list[dict[str, object]]:
    stream = io.StringIO()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        del scope, receive
        if has_fault:
            raise KeyError("secret")
        await send({"type": "http.response.start", "status": 204, "headers": []})

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        del message

    headers = [(b"cookie", b"zermelo-80=secret")]
    scope = {"type": "http", "method": "GET", "path": path, "headers": headers}
    logged = Logged(app, log=Log(stream, clock=lambda: 0.0))
    asyncio.run(logged(scope, receive, send))
    return [json.loads(each) for each in stream.getvalue().splitlines()]


def test_a_request_is_a_line() -> None:
    (line,) = _lines("/api/library")

    assert line.pop("seconds") is not None
    assert line == {
        "at": "1970-01-01T00:00:00.000+00:00",
        "event": "request",
        "method": "GET",
        "path": "/api/library",
        "status": 204,
    }


def test_a_line_stays_one_and_has_an_end() -> None:
    (line,) = _lines("/a\nb\u2028" + "x" * 1_000)

    assert len(str(line["path"])) == 200


def test_a_fault_is_named_and_not_quoted(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyError):
        _lines("/", has_fault=True)
    assert "secret" not in capsys.readouterr().err


def test_without_a_stream_nothing_is_written() -> None:
    Log().say("started", port=1)
