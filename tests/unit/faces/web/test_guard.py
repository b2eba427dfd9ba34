"""Only pages of the server itself may talk to it."""

import asyncio
from functools import partial

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zermelo.faces.web.entry import Keys
from zermelo.faces.web.guard import Guard, policy
from zermelo.faces.web.limits import MOST_REQUESTS

HERE = "127.0.0.1:8000"
KEYS = Keys()


async def _hello(scope: Scope, _receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


def _answer(kind: str, *, path: str = "/open", **headers: str) -> Message:
    """The first thing that a guarded server answers to a request with these *headers*."""
    return asyncio.run(_ask(_guard(_hello), kind, path=path, **headers))


def _guard(app: ASGIApp) -> Guard:
    return Guard(app, names=("localhost",), keys=KEYS, open_to_all={"/open"})


async def _ask(guard: Guard, kind: str, *, path: str = "/open", **headers: str) -> Message:
    sent: list[Message] = []
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    await guard({"type": kind, "path": path, "headers": raw}, receive, send)
    return sent[0]


def _cookie(host: str = HERE) -> str:
    return KEYS.cookie(host).partition(";")[0]


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
        {"host": "[::1%25; script-src *]:8000"},
        {"host": HERE, "origin": "http://elsewhere.example"},
        {"host": HERE, "origin": "http://127.0.0.1:9000"},
        {"host": HERE, "origin": "null"},
        {"host": HERE, "sec_fetch_site": "cross-site", "sec_fetch_dest": "image"},
    ],
)
def test_pages_from_elsewhere_are_refused(headers: dict[str, str]) -> None:
    assert _answer("http", **headers)["status"] == 403


def test_a_connection_of_its_own_page_is_taken() -> None:
    answer = _answer("websocket", host=HERE, origin=f"http://{HERE}", cookie=_cookie())

    assert answer["type"] == "websocket.accept"


@pytest.mark.parametrize("origin", ["http://elsewhere.example", "null", "http://127.0.0.1:9000"])
def test_a_connection_from_elsewhere_is_refused(origin: str) -> None:
    answer = _answer("websocket", host=HERE, origin=origin, cookie=_cookie())

    assert answer["type"] == "websocket.close"


def test_a_connection_that_does_not_say_where_it_comes_from_is_refused() -> None:
    assert _answer("websocket", host=HERE, cookie=_cookie())["type"] == "websocket.close"


@pytest.mark.parametrize("path", ["/open", "/engine"])
def test_a_connection_of_somebody_who_was_not_let_in_is_refused(path: str) -> None:
    answer = _answer("websocket", path=path, host=HERE, origin=f"http://{HERE}")

    assert answer["type"] == "websocket.close"


def test_only_those_who_were_let_in_get_what_is_not_for_all() -> None:
    assert _answer("http", path="/page", host=HERE)["status"] == 403
    assert _answer("http", path="/page", host=HERE, cookie=_cookie())["status"] == 200
    assert _answer("http", path="/page", host="localhost:8000", cookie=_cookie())["status"] == 200


def test_the_cookie_of_another_port_or_another_run_lets_nobody_in() -> None:
    for cookie in (
        _cookie("127.0.0.1:9000"),
        Keys().cookie(HERE).partition(";")[0],
        f"zermelo-8000={KEYS.token}",
        "zermelo-8000=",
        "zermelo-8000",
        "",
        "zermelo-8000=\xff",
    ):
        assert _answer("http", path="/page", host=HERE, cookie=cookie)["status"] == 403


def test_a_false_cookie_beside_the_right_one_locks_nobody_out() -> None:
    cookie = f"a=b; zermelo-8000=false;{_cookie()}; zermelo-8000=wrong"

    assert _answer("http", path="/page", host=HERE, cookie=cookie)["status"] == 200


def test_headers_that_contradict_each_other_are_refused() -> None:
    guard = _guard(_hello)
    for twice in (b"host", b"origin"):
        headers = [(b"host", HERE.encode()), (b"origin", f"http://{HERE}".encode())]
        sent: list[Message] = []

        async def send(message: Message, sent: list[Message] = sent) -> None:
            sent.append(message)

        async def receive() -> Message:
            return {"type": "http.request"}

        scope = {
            "type": "http",
            "path": "/open",
            "headers": [*headers, (twice, b"http://elsewhere.example")],
        }
        asyncio.run(guard(scope, receive, send))
        assert sent[0]["status"] == 403


def test_so_many_requests_are_answered_at_a_time() -> None:
    async def main() -> None:
        may_end = asyncio.Event()

        async def slow(scope: Scope, receive: Receive, send: Send) -> None:
            await may_end.wait()
            await _hello(scope, receive, send)

        guard = _guard(slow)
        ask = partial(_ask, guard, "http", host=HERE)
        asked = [asyncio.create_task(ask(cookie=_cookie())) for _ in range(MOST_REQUESTS)]
        # Whoever has no cookie is not among them.
        strangers = [asyncio.create_task(ask()) for _ in range(MOST_REQUESTS)]
        await asyncio.sleep(0)
        refused = await ask(cookie=_cookie())
        may_end.set()
        answers = await asyncio.gather(*asked, *strangers)
        later = await ask(cookie=_cookie())

        assert refused["status"] == 503
        assert {each["status"] for each in (*answers, later)} == {200}

    asyncio.run(asyncio.wait_for(main(), timeout=20))


def test_a_request_that_ends_with_a_fault_is_counted_no_more() -> None:
    async def broken(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise BrokenPipeError

    async def main() -> None:
        guard = _guard(broken)
        for _ in range(MOST_REQUESTS + 1):
            with pytest.raises(BrokenPipeError):
                await _ask(guard, "http", host=HERE, cookie=_cookie())

    asyncio.run(main())


def test_a_page_may_use_only_what_comes_from_here() -> None:
    headers = dict(_answer("http", host=HERE)["headers"])

    assert headers[b"content-security-policy"] == policy(HERE).encode()
    assert "default-src 'none'" in policy(HERE)
    assert "unsafe" not in policy(HERE)


def test_a_refusal_may_be_kept_nowhere_and_does_nothing() -> None:
    headers = dict(_answer("http", host="elsewhere.example")["headers"])

    assert headers[b"cache-control"] == b"no-store"
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"content-security-policy"] == b"default-src 'none'; frame-ancestors 'none'"
