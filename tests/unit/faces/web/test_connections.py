"""Connections on this machine: so many, none without end, and none that harms the others."""

import asyncio
import json
import socket
import threading
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.support.easel_server import PATIENCE, Running, Wire, eventually, running
from tests.support.easel_sessions import COUNT, session
from tests.support.page_messages import random_message
from zermelo.faces.web import connections
from zermelo.faces.web.limits import (
    CLOSING_SECONDS,
    MOST_CONNECTIONS,
    MOST_FRAGMENTS,
    MOST_FRAME,
    MOST_PAGES,
    MOST_REFUSED,
    MOST_REQUESTS,
    MOST_STRANGERS,
    REQUEST_SECONDS,
)
from zermelo.faces.web.session import Session
from zermelo.faces.web.site import NO_ROOM, TOO_MANY

CLICK = '{"do": "click", "x": 1, "y": 1}'


def _page(server: Running) -> Wire:
    """A page that was let in and has its game."""
    page = Wire(server)
    assert page.upgrade() == 101
    assert isinstance(page.told("session"), str)
    return page


# So many


def test_of_two_hundred_pages_at_once_only_so_many_are_served() -> None:
    async def come(server: Running) -> Counter[str]:
        gate = asyncio.Barrier(200)
        leave = asyncio.Event()
        answers: Counter[str] = Counter()

        async def one() -> None:
            await gate.wait()
            async with connect(
                f"ws://{server.host}/easel/file-program/engine",
                origin=f"http://{server.host}",  # type: ignore[arg-type]  # a NewType of theirs
                additional_headers={"Cookie": server.cookie},
                proxy=None,
                open_timeout=PATIENCE,
            ) as page:
                told: set[str] = set()
                with suppress(ConnectionClosed):
                    while "session" not in told:
                        told |= set(json.loads(await page.recv()))
                is_served = "session" in told
                answers["served" if is_served else f"{page.close_code} {page.close_reason}"] += 1
                if answers.total() == 200:
                    leave.set()
                await leave.wait()

        await asyncio.wait_for(asyncio.gather(*(one() for _ in range(200))), PATIENCE * 2)
        return answers

    with running() as server:
        before = threading.active_count()
        for _ in range(2):
            answers = asyncio.run(come(server))
            assert answers == {"served": MOST_PAGES, f"{TOO_MANY} {NO_ROOM}": 200 - MOST_PAGES}
            assert eventually(lambda: server.connections == 0)
        # The threads of the games that are remembered are left.
        assert eventually(lambda: threading.active_count() <= before + 4)


@pytest.mark.parametrize("way", ["close frame", "end", "reset", "half"])
def test_a_place_is_free_again_however_a_page_goes(way: str) -> None:
    with running() as server:
        for _ in range(2):
            pages = [_page(server) for _ in range(MOST_PAGES)]
            late = Wire(server)
            assert late.upgrade() == 101
            assert late.told("session") == (TOO_MANY, NO_ROOM)
            late.close()
            for page in pages:
                if way == "close frame":
                    page.frame(8, b"\x03\xe8")
                    page.rest()
                elif way == "half":
                    page.socket.shutdown(socket.SHUT_WR)
                    page.rest()
                page.close(is_abrupt=way == "reset")
            assert eventually(lambda: server.connections == 0)


def test_a_connection_too_many_is_told_so_and_closed() -> None:
    with running() as server:
        crowd = [Wire(server) for _ in range(MOST_CONNECTIONS)]
        for each in crowd:
            each.send(_entry(server, "GET", cookie=server.cookie))
            assert each.status() == 204

        assert b"503" in Wire(server).rest().split(b"\r\n")[0]

        crowd.pop().close()
        assert eventually(lambda: server.connections == MOST_CONNECTIONS - 1)
        page = _page(server)
        for each in (*crowd, page):
            each.close()


# Strangers keep nobody out


def _entry(server: Running, method: str, *, cookie: str = "", body: str | None = None) -> bytes:
    """A request of the page on which one comes in; without a *body*, one that never comes."""
    size = f"Content-Length: {len(server.keys.token)}\r\n" if method == "POST" else ""
    head = f"{method} /enter HTTP/1.1\r\nHost: {server.host}\r\nCookie: {cookie}\r\n{size}\r\n"
    return f"{head}{body or ''}".encode()


def test_connections_that_say_nothing_keep_nobody_out() -> None:
    with running() as server:
        page = _page(server)
        crowd = [Wire(server) for _ in range(MOST_CONNECTIONS + 20)]

        # Also one more page, and somebody who has only the token yet.
        other = _page(server)
        late = Wire(server)
        late.send(_entry(server, "POST", body=server.keys.token))
        assert late.status() == 204
        for each in (page, other):
            each.say(CLICK)
            assert each.told("state") == "1"
        # The first of those who said nothing made room.
        assert crowd[0].rest() == b""
        assert server.connections <= MOST_CONNECTIONS + 1


def test_requests_without_the_cookie_have_little_room_and_keep_nobody_out() -> None:
    with running() as server:
        crowd = [Wire(server) for _ in range(2 * MOST_REQUESTS)]
        for each in crowd:
            each.send(_entry(server, "POST"))
        assert eventually(lambda: server.connections == MOST_STRANGERS)

        inside, outside = Wire(server), Wire(server)
        inside.send(_entry(server, "GET", cookie=server.cookie))
        assert inside.status() == 204
        outside.send(_entry(server, "POST", body=server.keys.token))
        assert outside.status() == 204
        page = _page(server)
        page.say(CLICK)
        assert page.told("state") == "1"
        assert sum(each.rest() == b"" for each in crowd[: -MOST_STRANGERS + 1]) >= MOST_REQUESTS


def test_answers_that_a_stranger_does_not_read_keep_nobody_out() -> None:
    ask = b"GET /static/tokens.css HTTP/1.1\r\nHost: %s\r\n\r\n"
    with running() as server:
        crowd = [Wire(server) for _ in range(MOST_STRANGERS + 2)]
        for each in crowd:
            each.socket.settimeout(0.05)
            with suppress(OSError):
                while True:
                    # Until nothing more goes out, as nothing is taken in.
                    each.send(ask % server.host.encode() * 1_000)
            each.socket.settimeout(PATIENCE)

        inside, outside = Wire(server), Wire(server)
        inside.send(_entry(server, "GET", cookie=server.cookie))
        assert inside.status() == 204
        outside.send(_entry(server, "POST", body=server.keys.token))
        assert outside.status() == 204


# None without end


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: 127", b"POST /enter HTTP/1.1\r\n"])
def test_who_does_not_ask_is_not_waited_for(said: bytes) -> None:
    with running() as server:
        wire = Wire(server)
        wire.send(said)
        assert eventually(lambda: server.connections == 1)

        server.let_pass(REQUEST_SECONDS / 2)
        assert server.connections == 1
        # More of the same is no request either.
        wire.send(b"X")
        server.let_pass(REQUEST_SECONDS)

        assert eventually(lambda: server.connections == 0)


def test_who_sends_the_token_slowly_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "ANSWER_SECONDS", 20.0)
    with running() as server:
        wire = Wire(server)
        head = f"POST /enter HTTP/1.1\r\nHost: {server.host}\r\nContent-Length: 64\r\n\r\n"
        wire.send(head.encode())
        assert eventually(lambda: server.connections == 1)
        wire.send(b"x")

        server.let_pass(10)
        assert server.connections == 1
        server.let_pass(20)

        assert eventually(lambda: server.connections == 0)


def test_a_page_is_left_alone_as_long_as_it_likes() -> None:
    with running() as server:
        page = _page(server)
        server.let_pass(1_000_000)

        page.say(CLICK)
        assert page.told("state") == "1"
        page.close()


def test_a_page_that_pings_and_reads_nothing_is_given_up() -> None:
    """The answers fill what there is between it and the server, and then it must go."""
    with running() as server:
        page = _page(server)
        ping = b"\x89\xfd" + bytes(4) + bytes(125)

        def ping_on() -> None:
            for _ in range(100_000):
                page.send(ping * 100)

        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            ping_on()

        assert eventually(lambda: server.connections == 0)


def test_a_connection_that_does_not_end_is_ended() -> None:
    with running() as server:
        page = _page(server)

        async def end_with_much_unsent() -> None:
            (connection,) = server.server.server_state.connections
            connection.transport.write(bytes(50_000_000))
            connection.transport.close()

        server.do(end_with_much_unsent())
        server.let_pass(CLOSING_SECONDS / 2)
        assert server.connections == 1
        server.let_pass(CLOSING_SECONDS)

        assert eventually(lambda: server.connections == 0)
        page.close()


def test_a_server_ends_though_a_page_reads_nothing() -> None:
    with running() as server:
        page = _page(server)

        async def send_much() -> None:
            (connection,) = server.server.server_state.connections
            connection.transport.write(bytes(50_000_000))

        server.do(send_much())
        server.stop()
        page.close()


# None that harms the others


def test_a_frame_that_takes_for_ever_keeps_neither_other_pages_nor_the_end_waiting() -> None:
    may_end = threading.Event()
    first = iter([True])

    def new_session() -> Session:
        if next(first, False):
            may_end.wait(timeout=PATIENCE)
        return session(COUNT)

    with running(new_session) as server:
        stuck = Wire(server)
        assert stuck.upgrade() == 101
        assert stuck.told("busy") is True
        page = _page(server)
        page.say(CLICK)
        assert page.told("state") == "1"

        server.stop()
        may_end.set()
        assert stuck.rest().endswith((1012).to_bytes(2, "big"))
        page.close()


def test_a_few_hundred_random_messages_are_answered_or_end_the_page() -> None:
    random = Random(7)
    with running() as server:
        ends: Counter[int] = Counter()
        for _ in range(12):
            page = _page(server)
            for _ in range(MOST_REFUSED + 1):
                page.say('{"do": "pause", "now": 1}' if random.random() < 0.5 else _short(random))
            for _ in range(MOST_REFUSED + 1):
                page.say("nonsense")
            answer = page.told("nothing")
            ends[answer[0]] += 1
            page.close()
        assert ends == {4009: 12}
        page = _page(server)
        page.say(CLICK)
        assert page.told("state") == "1"
        page.close()


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        ([(1, b"\xff\xfe", True)], 1007),
        ([(1, b"\xc3", False), (0, b"\x28", True)], 1007),
        ([(1, b"x" * (MOST_FRAME + 1), True)], 1009),
        ([(1, b"x" * 60_000, False), *[(0, b"x" * 60_000, False)] * 4], 1009),
        ([(0, b"x", True)], 1002),
        ([(3, b"x", True)], 1002),
        ([(9, b"x" * 126, True)], 1002),
        ([(8, b"x", True)], 1002),
    ],
)
def test_frames_that_break_the_rules_end_the_page(
    frames: list[tuple[int, bytes, bool]], code: int
) -> None:
    with running() as server:
        page = _page(server)
        for kind, data, is_last in frames:
            page.frame(kind, data, is_last=is_last)

        assert page.told("nothing")[0] == code
        page.close()
        assert eventually(lambda: server.connections == 0)


def test_a_message_in_a_few_pieces_is_one_and_in_many_is_none() -> None:
    with running() as server:
        page = _page(server)
        page.frame(1, b'{"do": "cli', is_last=False)
        page.frame(9, b"ping")
        page.frame(0, b'ck", "x": 1, "y": 1}')
        assert page.told("state") == "1"

        page.frame(1, b"", is_last=False)
        for _ in range(MOST_FRAGMENTS):
            page.frame(0, b"", is_last=False)
        page.rest()
        page.close()
        assert eventually(lambda: server.connections == 0)


def test_bytes_are_refused_with_a_word() -> None:
    with running() as server:
        page = _page(server)
        page.frame(2, CLICK.encode())

        assert page.told("refused") == "a message is a text"
        page.close()


_HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"\x00\xff\x16\x03\r\n", 400),
        (b"GET / HTTP/9.9\r\n\r\n", 403),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (_HEAD + b"Host: localhost\r\n\r\n", 400),
        (_HEAD + b"X: " + b"x" * 20_000 + b"\r\n\r\n", 431),
        (_HEAD + b"X: x\r\n" * 10_000 + b"\r\n", 431),
        (_HEAD.replace(b"/ ", b"/" + b"x" * 20_000 + b" ") + b"\r\n", 431),
        (_HEAD.replace(b"/ ", b"/?" + b"x" * 20_000 + b" ") + b"\r\n", 431),
        (_HEAD.replace(b"GET", b"DELETE") + b"\r\n", 405),
    ],
)
def test_what_no_page_asks_is_refused(head: bytes, status: int) -> None:
    with running() as server:
        wire = Wire(server)
        wire.send(head)

        assert wire.status() == status


def test_a_head_without_an_end_is_refused() -> None:
    with running() as server:
        wire = Wire(server)
        wire.send(_HEAD)

        def go_on() -> None:
            for _ in range(100_000):
                wire.send(b"X: x\r\n" * 1_000)

        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            go_on()
        assert eventually(lambda: server.connections == 0)


@pytest.mark.parametrize(
    "more",
    ["".join(f"X-{at}: x\r\n" for at in range(200)), f"X: {'x' * 9_000}\r\n"],
    ids=["many headers", "a long header"],
)
def test_a_page_with_an_odd_head_is_refused_and_ended(more: str) -> None:
    with running() as server:
        assert Wire(server).upgrade(more=more) == 400
        assert eventually(lambda: server.connections == 0)


# Who is let in


def test_nobody_reaches_the_engine_without_the_cookie_or_from_elsewhere() -> None:
    with running() as server, running() as other:
        for cookie, origin in (
            ("", None),
            (other.cookie, None),
            (other.keys.cookie(server.host), None),
            (f"zermelo-{server.port}={server.keys.token}", None),
            (server.cookie, "http://elsewhere.example"),
            (server.cookie, f"http://{other.host}"),
            (server.cookie, "null"),
        ):
            assert Wire(server).upgrade(cookie=cookie, origin=origin) == 403

        both = f"{server.cookie}; {other.cookie}"
        for each in (server, other):
            wire = Wire(each)
            assert wire.upgrade(cookie=both) == 101
            wire.close()


def test_a_picture_comes_whole_to_those_who_were_let_in(tmp_path: Path) -> None:
    content = bytes(range(256)) * 4_000
    (tmp_path / "a.png").write_bytes(content)
    with running(folder=tmp_path) as server:
        for cookie, is_let_in in ((server.cookie, True), ("", False)):
            wire = Wire(server)
            wire.send(
                f"GET /easel/file-program/files/a.png HTTP/1.0\r\nHost: {server.host}\r\n"
                f"Cookie: {cookie}\r\n\r\n".encode()
            )
            head, _, body = wire.rest().partition(b"\r\n\r\n")
            assert (b" 200 " in head.split(b"\r\n")[0], body == content) == (is_let_in, is_let_in)


def _short(random: Random) -> str:
    while len(text := random_message(random).encode("utf-8", "replace")) > 1_000:
        pass
    return text.decode()
