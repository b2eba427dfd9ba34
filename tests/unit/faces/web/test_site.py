"""What the server gives out: its page, pictures and sounds beside the program, and games."""

import asyncio
import json
import os
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.types import ASGIApp, Message

from tests.support.easel_sessions import COUNT, session
from zermelo.faces import web as package
from zermelo.faces.web.entry import Keys
from zermelo.faces.web.limits import MOST_FILE, MOST_LEFT, MOST_PAGES, PIECE
from zermelo.faces.web.page.desk import Desk
from zermelo.faces.web.page.store import Store
from zermelo.faces.web.site import (
    OPEN_TO_ALL,
    TOO_MANY,
    FileResponse,
    Program,
    Served,
    beside,
    site,
)

HOST = "127.0.0.1:8000"
KEYS = Keys()
COOKIE = KEYS.cookie(HOST).partition(";")[0]
LONG = 20
"""Seconds that nothing here takes."""


def _site(folder: Path | None = None) -> ASGIApp:
    program = Program(lambda: session(COUNT), folder)
    return site(Served(Store(None), Desk(), {"file-program": program}), names=(), keys=KEYS)


def _get(
    app: ASGIApp, path: str, *, cookie: str = COOKIE, post: bytes | None = None, query: bytes = b""
) -> tuple[int, dict[str, str], bytes]:
    """What the server answers to a request for *path*."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": post or b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET" if post is None else "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "root_path": "",
        "headers": [(b"host", HOST.encode()), (b"cookie", cookie.encode())],
    }

    async def main() -> None:
        await app(scope, receive, send)

    asyncio.run(main())
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], headers, b"".join(each.get("body", b"") for each in sent[1:])


class Wire:
    """A connection with the engine, as a page has it."""

    def __init__(self, app: ASGIApp, name: str = "", *, instead: str = "") -> None:
        self._to: asyncio.Queue[Message] = asyncio.Queue()
        self._from: asyncio.Queue[Message] = asyncio.Queue()
        self._to.put_nowait({"type": "websocket.connect"})
        scope = {
            "type": "websocket",
            "path": "/easel/file-program/engine",
            "raw_path": b"/easel/file-program/engine",
            "query_string": f"session={name}&instead={instead}".encode(),
            "root_path": "",
            "headers": [
                (b"host", HOST.encode()),
                (b"origin", f"http://{HOST}".encode()),
                (b"cookie", COOKIE.encode()),
            ],
            "subprotocols": [],
        }
        self._task = asyncio.create_task(self._serve(app, scope))

    async def _serve(self, app: ASGIApp, scope: dict[str, Any]) -> None:
        await app(scope, self._to.get, self._from.put)

    async def hear(self, name: str) -> Any:  # noqa: ANN401 (JSON has every shape)
        """The next thing that is told under *name*."""
        async with asyncio.timeout(LONG):
            while True:
                message = await self._from.get()
                if message["type"] == "websocket.close":
                    return message["code"]
                told = json.loads(message.get("text") or "{}")
                if name in told:
                    return told[name]

    def say(self, **message: object) -> None:
        """Say something to the engine."""
        self.say_text(json.dumps(message))

    def say_text(self, text: str) -> None:
        """Say anything at all."""
        self._to.put_nowait({"type": "websocket.receive", "text": text})

    async def close(self) -> None:
        """Close the page."""
        self._to.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await self._task


def run(talk: Callable[[ASGIApp], Awaitable[None]]) -> None:
    """Have this *talk* with a new server."""

    async def main() -> None:
        await talk(_site())

    asyncio.run(main())


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/static/main.js", "text/javascript; charset=utf-8"),
        ("/static/tokens.css", "text/css; charset=utf-8"),
        ("/static/icon.svg", "image/svg+xml"),
        ("/static/easel/view.js", "text/javascript; charset=utf-8"),
        ("/api/library", "application/json"),
        ("/api/openapi.json", "application/json"),
    ],
)
def test_the_page_and_its_parts_are_there(path: str, kind: str) -> None:
    status, headers, body = _get(_site(), path)

    assert (status, headers["content-type"]) == (200, kind)
    assert body


def test_all_files_of_the_page_are_served() -> None:
    folder = Path(package.__file__).parent / "static"
    parts = [each.relative_to(folder) for each in folder.rglob("*") if each.is_file()]

    assert len(parts) > 15
    assert {_get(_site(), f"/static/{each}")[0] for each in parts} == {200}


# Who is let in


@pytest.mark.parametrize("cookie", ["", "zermelo-8000=wrong", Keys().cookie(HOST)])
@pytest.mark.parametrize(
    "path",
    [
        *("/static/index.html", "/static/main.js", "/static/page.css", "/static/easel/view.js"),
        *("/easel/file-program/", "/easel/program/files/a.png", "/easel/program/engine"),
        *("/api/library", "/api/openapi.json", "/api/documents/pegs", "/api/ask/read"),
        *("/x", "/enter/", "//", "/static", "/static/", "/health/"),
    ],
)
def test_nobody_gets_anything_of_the_program_before_being_let_in(path: str, cookie: str) -> None:
    status, headers, body = _get(_site(), path, cookie=cookie)

    assert status == 403
    assert body.startswith(b"This is only for the browser in which the address was opened")
    assert headers["cache-control"] == "no-store"


def test_who_is_not_let_in_gets_the_page_that_says_how() -> None:
    inside, outside = _get(_site(), "/")[2], _get(_site(), "/", cookie="")[2]

    assert b'src="static/main.js"' in inside
    assert b'src="static/enter.js"' in outside
    assert b"main.js" not in outside


def test_what_is_open_to_all_holds_nothing_of_the_program() -> None:
    for path in OPEN_TO_ALL:
        assert b"count" not in _get(_site(), path, cookie="")[2].lower()


def test_the_token_is_given_for_a_cookie() -> None:
    status, headers, body = _get(_site(), "/enter", cookie="", post=KEYS.token.encode())
    cookie = headers["set-cookie"].partition(";")[0]

    assert (status, body) == (204, b"")
    assert KEYS.token not in headers["set-cookie"]
    assert _get(_site(), "/static/main.js", cookie=cookie)[0] == 200
    assert _get(_site(), "/enter", cookie=cookie)[0] == 204
    assert _get(_site(), "/enter", cookie="")[0] == 403


@pytest.mark.parametrize("token", [b"", b"wrong", b"x" * 10_000, b"\xff\xfe"])
def test_a_wrong_token_is_given_for_a_sentence(token: bytes) -> None:
    status, headers, body = _get(_site(), "/enter", cookie="", post=token)

    assert status == 403
    assert "set-cookie" not in headers
    assert body.startswith(b"The token in this address is not the one")


@pytest.mark.parametrize("path", ["/", "/static/main.js", "/enter"])
def test_the_token_elsewhere_in_the_address_lets_nobody_in(path: str) -> None:
    for query in (f"token={KEYS.token}", KEYS.token):
        _, headers, body = _get(_site(), path, cookie="", query=query.encode())
        assert "set-cookie" not in headers
        assert b"main.js" not in body


@pytest.mark.parametrize(
    "path",
    [
        *("/static/server.py", "/static/../server.py", "/static//etc/passwd", "/static/easel"),
        *("/x", "//", "/easel/none/", "/api/x", "/api/documents/none", "/static/easel/../main.js"),
    ],
)
def test_nothing_else_is_there(path: str) -> None:
    assert _get(_site(), path)[0] == 404


def test_the_page_asks_nobody_else_for_anything() -> None:
    folder = Path(package.__file__).parent / "static"
    for part in folder.rglob("*.*"):
        if "vendor" in part.parts:
            # Comments there name where they come from; the policy forbids to ask.
            continue
        body = part.read_text(encoding="utf-8")
        assert "://" not in re.sub(r"http://www\.w3\.org/(2000/svg|1998/Math/MathML)", "", body), (
            part
        )


def test_pictures_and_sounds_beside_the_program_are_there(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "a b.PNG").write_bytes(b"png")

    status, headers, body = _get(_site(tmp_path), "/easel/file-program/files/more/a b.PNG")

    assert (status, headers["content-type"], body) == (200, "image/png", b"png")


@pytest.mark.parametrize(
    "name",
    ["secret.txt", "../out.png", "/etc/passwd", "link.png", "folder.png", "", "\0", "none.png"],
)
def test_other_files_are_not(tmp_path: Path, name: str) -> None:
    home = tmp_path / "home"
    (home / "folder.png").mkdir(parents=True)
    (home / "secret.txt").write_text("secret")
    (tmp_path / "out.png").write_bytes(b"png")
    (home / "link.png").symlink_to(tmp_path / "out.png")

    assert beside(home, name) is None


def test_a_pipe_keeps_nobody_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")

    assert beside(tmp_path, "pipe.png") is None


def test_a_file_that_is_too_large_is_not_there(tmp_path: Path) -> None:
    for size, is_there in ((MOST_FILE, True), (MOST_FILE + 1, False)):
        with (tmp_path / "large.png").open("wb") as file:
            file.truncate(size)
        found = beside(tmp_path, "large.png")
        assert (found is not None) is is_there
        if found is not None:
            found[0].close()


def test_a_large_file_comes_in_pieces(tmp_path: Path) -> None:
    content = bytes(range(256)) * 1000
    (tmp_path / "large.png").write_bytes(content)
    sizes: list[int] = []

    async def main() -> None:
        async def send(message: Message) -> None:
            sizes.append(len(message.get("body", b"")))

        found = beside(tmp_path, "large.png")
        assert found is not None
        await FileResponse(*found)({}, _nothing, send)
        assert found[0].closed

    asyncio.run(main())
    assert (max(sizes), sum(sizes)) == (PIECE, len(content))


async def _nothing() -> Message:
    return {"type": "http.disconnect"}


def test_a_program_without_a_folder_has_no_files() -> None:
    assert beside(None, "a.png") is None


def test_a_click_comes_back_as_a_state() -> None:
    async def talk(app: ASGIApp) -> None:
        page = Wire(app)
        assert await page.hear("state") == "0"
        page.say(do="click", x=5, y=6)
        assert await page.hear("state") == "1"
        await page.close()

    run(talk)


def test_nonsense_is_answered_and_changes_nothing() -> None:
    async def talk(app: ASGIApp) -> None:
        page = Wire(app)
        assert await page.hear("state") == "0"
        for text in ("", "{", "[]", '{"do": "fly"}', '{"do": "click", "x": -1, "y": 1e400}'):
            page.say_text(text)
            assert await page.hear("refused")
        page.say(do="click", x=5, y=6)
        assert await page.hear("state") == "1"
        await page.close()

    run(talk)


def test_a_page_that_comes_back_finds_its_game() -> None:
    async def talk(app: ASGIApp) -> None:
        page = Wire(app)
        name = await page.hear("session")
        page.say(do="click", x=5, y=6)
        assert await page.hear("state") == "1"
        await page.close()

        again = Wire(app, name)
        assert await again.hear("state") == "1"
        other = Wire(app)
        assert await other.hear("state") == "0"
        await again.close()
        await other.close()

    run(talk)


def test_a_game_that_nobody_knows_is_a_new_one() -> None:
    async def talk(app: ASGIApp) -> None:
        page = Wire(app, "unknown")
        assert await page.hear("session") != "unknown"
        await page.close()

    run(talk)


def test_the_games_of_the_last_pages_that_were_closed_are_remembered() -> None:
    async def talk(app: ASGIApp) -> None:
        names = []
        for _ in range(MOST_LEFT + 2):
            page = Wire(app)
            names.append(await page.hear("session"))
            await page.close()

        for name, is_known in ((names[0], False), (names[-1], True)):
            page = Wire(app, name)
            assert (await page.hear("session") == name) is is_known
            await page.close()

    run(talk)


def test_there_is_room_for_so_many_pages() -> None:
    async def talk(app: ASGIApp) -> None:
        pages = [Wire(app) for _ in range(MOST_PAGES)]
        for page in pages:
            await page.hear("session")
        assert await Wire(app).hear("session") == TOO_MANY

        await pages[0].close()
        late = Wire(app)
        assert isinstance(await late.hear("session"), str)
        for page in (*pages[1:], late):
            await page.close()

    run(talk)


def test_a_page_that_comes_back_has_its_own_place_however_full_it_is() -> None:
    async def talk(app: ASGIApp) -> None:
        left = []
        for _ in range(MOST_LEFT):
            page = Wire(app)
            left.append(await page.hear("session"))
            await page.close()
        pages = [Wire(app) for _ in range(MOST_PAGES)]
        for each in pages:
            await each.hear("session")

        back = [Wire(app, name) for name in left]
        assert [await each.hear("session") for each in back] == left
        # But nobody else comes in for it, and nobody comes back whose game is forgotten.
        assert await Wire(app).hear("session") == TOO_MANY
        assert await Wire(app, "forgotten").hear("session") == TOO_MANY
        for each in (*pages, *back):
            await each.close()

    run(talk)


@pytest.mark.parametrize("is_noticed", [True, False])
def test_a_page_that_is_loaded_again_begins_anew_in_its_place(*, is_noticed: bool) -> None:
    async def talk(app: ASGIApp) -> None:
        pages = [Wire(app) for _ in range(MOST_PAGES)]
        names = [await each.hear("session") for each in pages]
        pages[0].say(do="click", x=5, y=6)
        assert await pages[0].hear("state") == "1"
        gone = pages.pop(0)
        if is_noticed:
            await gone.close()
            pages.append(Wire(app))
            assert isinstance(await pages[-1].hear("session"), str)
            await pages.pop().close()

        again = Wire(app, instead=names[0])
        name = await again.hear("session")
        assert isinstance(name, str)
        assert name not in names
        again.say(do="click", x=5, y=6)
        assert await again.hear("state") == "1"
        assert await Wire(app).hear("session") == TOO_MANY
        for each in (*pages, again, *(() if is_noticed else (gone,))):
            await each.close()

    run(talk)


def test_pages_that_come_at_the_same_moment_are_all_counted() -> None:
    async def talk(app: ASGIApp) -> None:
        for _ in range(2):
            pages = [Wire(app) for _ in range(200)]
            told = [await page.hear("session") for page in pages]
            assert sum(isinstance(each, str) for each in told) == MOST_PAGES
            assert told.count(TOO_MANY) == 200 - MOST_PAGES
            for page, each in zip(pages, told, strict=True):
                if isinstance(each, str):
                    await page.close()

    run(talk)
