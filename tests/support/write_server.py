"""A server on loopback for the parts of the view that writes, with the policy of the page."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import zermelo
from tests.support.project import PACKAGE, TESTS
from zermelo.api import writing
from zermelo.text.diagnostic import Json
from zermelo.text.source import Span

STATIC: Final = PACKAGE / "faces" / "web" / "static"
PAGE: Final = TESTS / "browser" / "write_page"
POLICY: Final = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_TYPES: Final = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}


class _Answers:
    """What is said of the text that was read last."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.game = zermelo.load_text(text, name=name)

    def answer(self, path: str, said: dict[str, Json]) -> Json:
        match path:
            case "/first":
                known = writing.symbols(self.text, name=self.name)
                return {"text": self.text, "symbols": [each.to_json() for each in known]}
            case "/read":
                self.text = str(said["text"])
                self.game = zermelo.load_text(self.text, name=self.name)
                found = writing.tokens(self.text, name=self.name)
                return {
                    "tokens": [each.to_json() for each in found],
                    "diagnostics": writing.diagnostics_json(self.game),
                    "mathematics": [each.to_json() for each in writing.mathematics(self.game)],
                }
            case "/value":
                span = said["span"]
                assert isinstance(span, list)
                value = writing.value_at(self.game, Span(*map(int, span)))
                return None if value is None else value.to_json()
            case _:
                raise AssertionError(path)


@contextmanager
def write_page(text: str, *, name: str = "document.md") -> Iterator[str]:
    """The address of a page with the parts, and *text* in them."""
    answers = _Answers(text, name)
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.removeprefix("/static")
            folder = PAGE if path == self.path else STATIC
            file = folder / ("index.html" if path == "/" else path.lstrip("/"))
            if not file.is_file():
                self._send(404, b"", "text/plain")
                return
            self._send(200, file.read_bytes(), _TYPES.get(Path(path).suffix, "text/html"))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            with lock:
                answer = answers.answer(self.path, json.loads(body))
            self._send(200, json.dumps(answer).encode(), "application/json")

        def _send(self, status: int, content: bytes, kind: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Content-Security-Policy", POLICY)
            self.send_header("X-Content-Type-Options", "nosniff")
            # A page that was closed does not wait for the rest.
            with suppress(ConnectionError):
                self.end_headers()
                self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """Tests say what they have to say."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=10)
