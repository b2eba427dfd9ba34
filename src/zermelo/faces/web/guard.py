"""Who may talk to the server: pages that it served itself, and no others.

A page of somebody else that is open in the same browser can send requests to this
machine. It cannot choose the headers ``Host`` and ``Origin``, so these decide: the host
must be a name of this machine that nobody else can point here, and the origin, where
there is one, must be the same host.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from ipaddress import ip_address
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HEADERS: Final[Mapping[str, str]] = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    # The page is small, and an old one with a new server would be a riddle.
    "cache-control": "no-store",
}
_REFUSED: Final = "This server answers only to its own pages.\n"


class Guard:
    """Lets only requests through that come from a page of this server, and says so to browsers."""

    def __init__(self, app: ASGIApp, *, names: Iterable[str]) -> None:
        self._app = app
        self._names = frozenset(names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        host = headers.get("host", "")
        if not is_ours(host, self._names) or not _is_same(headers, host, scope["type"]):
            await _refuse(scope, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                more = {**_HEADERS, "content-security-policy": policy(host)}
                message["headers"] = [
                    *message.get("headers", []),
                    *((name.encode(), value.encode()) for name, value in more.items()),
                ]
            await send(message)

        await self._app(scope, receive, send_with_headers)


def is_ours(host: str, names: frozenset[str]) -> bool:
    """Whether *host* is one of *names* or an address in numbers, with or without a port.

    A name could be somebody else's that points here for the purpose; numbers cannot.

    >>> is_ours("127.0.0.1:8000", frozenset()), is_ours("localhost:8000", frozenset({"localhost"}))
    (True, True)
    >>> is_ours("games.example:8000", frozenset({"localhost"}))
    False
    """
    name, separator, port = host.rpartition(":")
    if not separator or not port.isdecimal():
        name = host
    name = name.lower()
    if name in names:
        return True
    try:
        ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def policy(host: str) -> str:
    """What a page of this server may do: use what comes from here, and nothing else."""
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            f"connect-src 'self' ws://{host}",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )


def _is_same(headers: Mapping[str, str], host: str, kind: str) -> bool:
    """Whether the request comes from a page of *host*, or from no page at all.

    A browser always says where a websocket comes from. Who follows a link to the page comes
    from elsewhere and may see it; what is asked for behind a page's back may not be had.
    """
    origin = headers.get("origin")
    if origin is not None:
        return origin.lower() == f"http://{host}".lower()
    is_visit = headers.get("sec-fetch-dest") == "document"
    return kind == "http" and (
        is_visit or headers.get("sec-fetch-site", "none") in {"none", "same-origin"}
    )


async def _refuse(scope: Scope, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": ""})
        return
    await send(
        {
            "type": "http.response.start",
            "status": 403,
            "headers": [(b"content-type", b"text/plain; charset=utf-8")],
        }
    )
    await send({"type": "http.response.body", "body": _REFUSED.encode()})
