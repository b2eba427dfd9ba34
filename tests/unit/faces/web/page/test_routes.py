"""The interface over HTTP: documents come and go, and what is odd is refused with a sentence."""

import asyncio
import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest
from starlette.types import Message

from zermelo.faces.web import limits
from zermelo.faces.web.entry import Keys
from zermelo.faces.web.page.description import description
from zermelo.faces.web.page.desk import Desk
from zermelo.faces.web.page.requests import MOST_BYTES
from zermelo.faces.web.page.store import Store
from zermelo.faces.web.site import Served, site

HOST = "127.0.0.1:8000"
KEYS = Keys()
COOKIE = KEYS.cookie(HOST).partition(";")[0]


def ask(
    path: str,
    body: object = None,
    *,
    store: Store | None = None,
    method: str = "",
    query: bytes = b"",
    headers: Mapping[str, str] = MappingProxyType({}),
    stays: bool = True,
) -> tuple[int, Any]:
    """What a server answers: the status, and the JSON; whoever does not stay goes at once."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    sent: list[Message] = []
    pieces = [data[at : at + 65_536] for at in range(0, len(data), 65_536)] or [b""]

    async def receive() -> Message:
        if not pieces:
            if stays:
                await asyncio.Event().wait()
            return {"type": "http.disconnect"}
        piece = pieces.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

    async def send(message: Message) -> None:
        sent.append(message)

    given = {"host": HOST, "cookie": COOKIE, **headers}
    scope = {
        "type": "http",
        "method": method or ("GET" if body is None else "POST"),
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
    }

    async def main() -> None:
        desk = Desk(clerks=1)
        try:
            await site(Served(store or Store(None), desk), names=(), keys=KEYS)(
                scope, receive, send
            )
        finally:
            await desk.end()

    asyncio.run(main())
    told = b"".join(each.get("body", b"") for each in sent[1:])
    is_json = any(value == b"application/json" for _, value in sent[0]["headers"])
    return sent[0]["status"], json.loads(told) if is_json else told.decode()


def say(path: str, said: Message) -> list[Message]:
    """What a server answers on a socket to the first thing that is *said*."""
    sent: list[Message] = []
    coming: list[Message] = [{"type": "websocket.connect"}, said]

    async def receive() -> Message:
        return coming.pop(0) if coming else {"type": "websocket.disconnect", "code": 1000}

    async def send(message: Message) -> None:
        sent.append(message)

    given = {"host": HOST, "cookie": COOKIE, "origin": f"http://{HOST}"}
    scope = {
        "type": "websocket",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "subprotocols": [],
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
    }

    async def main() -> None:
        desk = Desk(clerks=1)
        try:
            served = site(Served(Store(None), desk), names=(), keys=KEYS)
            await served(scope, receive, send)
        finally:
            await desk.end()

    asyncio.run(main())
    return sent


def test_a_question_that_is_no_text_is_refused() -> None:
    _, told, closed = say("/api/work/solve", {"type": "websocket.receive", "bytes": b"\0"})

    assert "refused" in json.loads(told["text"])
    assert closed["type"] == "websocket.close"


def test_the_library_has_pictures_to_come_and_what_is_known() -> None:
    status, told = ask("/api/library")

    games = {each["document"]: each for each in told["games"]}
    assert status == 200
    assert games["tic-tac-toe"]["known"] == ["5,478 positions", "a draw with perfect play"]
    assert games["pegs"]["title"] == "Pegs"
    assert games["pegs"]["sentences"][0].startswith("Two players, A and B,")
    assert (told["recent"], told["files"]) == ([], [])


def test_a_document_is_added_asked_about_and_forgotten() -> None:
    store = Store(None)
    _, library = ask("/api/documents/tic-tac-toe")
    status, told = ask("/api/documents", {"name": "mine.md", "text": library["text"]}, store=store)
    name = told["document"]

    assert status == 200
    assert ask(f"/api/documents/{name}", store=store)[1]["name"] == "mine.md"
    status, told = ask("/api/ask/position", {"document": name, "moves": ["1 1"]}, store=store)
    assert (status, told["player"]) == (200, "O")
    assert ask(f"/api/documents/{name}", store=store, method="DELETE")[0] == 200
    assert ask(f"/api/documents/{name}", store=store)[0] == 404


def test_a_play_is_kept_for_its_document_and_readings() -> None:
    store = Store(None)

    assert ask("/api/plays", {"document": "pegs", "tree": "lines"}, store=store)[0] == 200

    assert ask("/api/plays/pegs", store=store) == (200, {"tree": "lines"})
    assert ask("/api/plays/pawns", store=store) == (200, {"tree": None})
    other = {"document": "pegs", "tree": "others", "readings": {"order": "at once"}}
    ask("/api/plays", other, store=store)
    query = b"readings=%7B%22order%22%3A%22at%20once%22%7D"
    assert ask("/api/plays/pegs", store=store, query=query) == (200, {"tree": "others"})
    assert ask("/api/plays/pegs", store=store) == (200, {"tree": "lines"})
    assert ask("/api/plays/pegs", query=b"readings=%7B")[0] == 400
    gone = ask("/api/plays", {"document": "none", "tree": "lines"}, store=store)
    assert gone == (200, {"kept": False})


@pytest.mark.parametrize(
    ("path", "body", "status", "why"),
    [
        ("/api/ask/read", {"document": "none"}, 404, "There is no such document here any more."),
        ("/api/ask/fly", {"document": "pegs"}, 404, "There is no such question."),
        ("/api/ask/read", b"{", 400, "a question is one object in JSON"),
        ("/api/ask/read", {"document": "pegs", "x": 1}, 400, "`x` is no part of this question"),
        ("/api/documents", b"x" * (MOST_BYTES + 1), 400, "at most 2,000,000 bytes"),
        (
            "/api/ask/read",
            {"document": "pegs", "readings": {"oder": "x"}},
            422,
            "pegs.md has no reading `oder`; did you mean `order`?",
        ),
        ("/api/plays", {"document": "pegs"}, 400, "`tree` is missing"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_a_sentence(
    path: str, body: object, status: int, why: str
) -> None:
    found, told = ask(path, body)

    assert found == status
    assert why in told["refused"]


@pytest.mark.parametrize(
    "headers",
    [
        {"cookie": ""},
        {"cookie": "zermelo-8000=wrong"},
        {"origin": "http://elsewhere.test"},
        {"host": "elsewhere.test"},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_strangers_and_other_sites_get_nothing(headers: dict[str, str]) -> None:
    for path, body in (("/api/library", None), ("/api/ask/read", {"document": "pegs"})):
        status, told = ask(path, body, headers=headers)
        assert status == 403
        assert told.startswith("This ")


def test_too_many_questions_are_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits.Allowance, "take", lambda _: 1.0)

    assert ask("/api/ask/read", {"document": "pegs"}) == (
        429,
        {"refused": "Too many questions come at once. Wait a second, and ask again."},
    )


def test_the_interface_is_described_and_anybody_may_ask_whether_it_is_well() -> None:
    _, told = ask("/api/openapi.json")

    assert told == json.loads(json.dumps(description()))
    assert "/api/ask/position" in told["paths"]
    names = {"choose", "reply", "judge", "review", "check", "compare"}
    assert set(told["x-work"]) == names
    assert ask("/health", headers={"cookie": ""}) == (200, "well\n")


def test_a_question_is_given_up_when_whoever_asked_has_gone() -> None:
    question = {"document": "pegs"}

    assert ask("/api/ask/read", question, stays=False) == (204, "")
    assert ask("/api/ask/read", question)[0] == 200
