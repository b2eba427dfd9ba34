"""The server as a process: it says where it is, answers its pages, and ends with a word."""

import re
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.support.browser import Server, served
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
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/#[0-9a-f]{64}", server.address)
        assert _status(server.root) == 200
        assert _status(server.root, Host="elsewhere.example") == 403

        said, code = server.interrupt()

    assert said == f"count is at {server.address}\nCtrl-C ends it.\nended.\n"
    assert code == 0


def test_a_port_that_is_taken_is_said(program: Path) -> None:
    with served(program) as first, pytest.raises(AssertionError, match="nothing can listen at"):
        Server(program, port=first.port)


def test_a_document_that_is_no_program_is_refused() -> None:
    game = loading.load("pegs")

    with pytest.raises(DocumentNotUsable, match="has no frames"):
        serve(game, open_browser=False)


def test_a_program_that_draws_nothing_is_refused() -> None:
    game = loading.load_text("/$ a := 1 $/", name="a.led")

    with pytest.raises(UsageError, match="does not define `initialState`, `newState` and `images`"):
        serve(game, open_browser=False)
