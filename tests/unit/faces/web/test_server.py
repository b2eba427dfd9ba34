"""The server as a process: it says where it is, answers its pages, and ends with a word."""

import asyncio
import re
import urllib.error
import urllib.request
import webbrowser
from contextlib import suppress
from pathlib import Path
from queue import Queue

import pytest

from tests.support.browser import Server, served
from tests.support.easel_server import Wire, come_in
from tests.support.easel_sessions import COUNT
from zermelo.api import loading
from zermelo.faces.web.server import serve
from zermelo.text.errors import DocumentNotUsable, UsageError


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program in a file."""
    path = tmp_path / "count.led"
    path.write_text(COUNT, encoding="utf-8")
    return path


def _status(address: str, **headers: str) -> int:
    request = urllib.request.Request(address, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code


def test_a_server_says_where_it_is_answers_and_ends_with_a_word(program: Path) -> None:
    with served(program) as server:
        assert re.fullmatch(
            r"http://127\.0\.0\.1:\d+/#[0-9a-f]{64}/run/file-program", server.address
        )
        assert _status(server.root) == 200
        assert _status(server.root, Host="elsewhere.example") == 403

        said, code = server.interrupt()

    assert said == f"count is at {server.address}\nCtrl-C ends it.\nended.\n"
    assert code == 0


SLOW = """
/$ ledGame
initialState := 0
newState := |{(x,y,z) | x in {1..200} & y in {1..200} & z in {1..200} & x*y+z = 17}|
            if mouseClicked; currentState otherwise
images := {} $/
"""

STRANGE = [
    b"",
    b"\x00" * 5_000,
    b"GET / HTTP/1.1\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET /%00%ff%fe HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET /files/%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: HOST\r\nCookie: COOKIE\r\n\r\n",
    b"GET http://elsewhere.example/ HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"POST /enter HTTP/1.1\r\nHost: HOST\r\nContent-Length: 99999999\r\n\r\n" + b"x" * 100_000,
    b"POST /enter HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST /enter HTTP/1.1\r\nHost: HOST\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n",
    b"GET /api/work/x HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
    b"GET /api/work/x HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
]


def test_strangers_and_busy_pages_are_no_business_of_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "slow.led"
    path.write_text(SLOW, encoding="utf-8")
    with served(path) as server, come_in(server.port, server.token) as inside:
        for said in STRANGE:
            for is_abrupt in (False, True):
                wire = Wire(inside)
                host, cookie = inside.host.encode(), inside.cookie.encode()
                with suppress(OSError):
                    wire.send(said.replace(b"HOST", host).replace(b"COOKIE", cookie))
                wire.close(is_abrupt=is_abrupt)
        for at in range(10):
            page = Wire(inside)
            assert page.upgrade() == 101
            page.frame(1, [b'{"do": "click", "x": 1, "y": 1}', b"\xff", b"{"][at % 3])
            page.close(is_abrupt=at % 2 == 0)
        pages = [Wire(inside) for _ in range(30)]
        for page in pages:
            assert page.upgrade() == 101
        for page in pages:
            with suppress(OSError):
                page.say('{"do": "click", "x": 1, "y": 1}')

        told, code = server.interrupt()

    assert told == f"slow is at {server.address}\nCtrl-C ends it.\nended.\n"
    assert code == 0


def test_a_browser_is_started_with_another_token_than_the_printed_one(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others on the machine may read how a browser was started."""
    opened: Queue[str] = Queue()
    said: list[str] = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(webbrowser, "open", opened.put)
    monkeypatch.setattr(asyncio, "run", lambda serving: serving.close())

    serve(loading.load(str(program)), say=said.append)

    root, _, token = said[0].removeprefix("count is at ").partition("#")
    there, _, single = opened.get(timeout=20).partition("#")
    assert there == root
    assert (len(single), len(token)) == (81, 81)
    assert single != token


def test_a_port_that_is_taken_is_said(program: Path) -> None:
    with served(program) as first, pytest.raises(AssertionError, match="nothing can listen at"):
        Server("easel", str(program), "--no-browser", port=first.port)


def test_a_document_that_is_no_program_is_refused() -> None:
    game = loading.load("pegs")

    with pytest.raises(DocumentNotUsable, match="has no frames"):
        serve(game, open_browser=False)


def test_a_program_that_draws_nothing_is_refused() -> None:
    game = loading.load_text("/$ a := 1 $/", name="a.led")

    with pytest.raises(UsageError, match="does not define `initialState`, `newState` and `images`"):
        serve(game, open_browser=False)
