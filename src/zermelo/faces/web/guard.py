"""Who may talk to the server: pages that it served itself to those whom it let in.

A page of somebody else that is open in the same browser can send requests to this
machine. It cannot choose the headers ``Host`` and ``Origin``, so these decide: the host
must be a name of this machine that nobody else can point here, and the origin, where
there is one, must be the same host. Other programs on this machine can choose them; they
do not have the cookie (``entry.py``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from ipaddress import ip_address
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zermelo.faces.web.entry import Keys
from zermelo.faces.web.limits import MOST_HEAD, MOST_REQUESTS

_HEADERS: Final[Mapping[str, str]] = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    # The page is small, and an old one with a new server would be a riddle. What is only for
    # those who were let in is kept nowhere either.
    "cache-control": "no-store",
}
_NOT_OURS: Final = "This server answers only to its own pages."
NOT_LET_IN: Final = (
    "This is only for the browser in which the address was opened that the terminal shows. "
    "Open that address, all of it, with what stands behind the #."
)
_TOO_LONG: Final = "No page of this server asks for something in so many words."
_TOO_MANY: Final = "Too many requests are being answered. Wait a little, and load the page again."


class Guard:
    """Lets only requests through that come from a page of this server, and says so to browsers.

    *open_to_all* are the paths that may be had by everybody.
    """

    def __init__(
        self, app: ASGIApp, *, names: Iterable[str], keys: Keys, open_to_all: Collection[str]
    ) -> None:
        self._app = app
        self._names = frozenset(names)
        self._keys = keys
        self._open_to_all = open_to_all
        self._requests = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "websocket":
            if self._refusal(scope) is None:
                await self._app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008, "reason": ""})
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope)
        # Of strangers there are few (``connections.py``), and they are not counted among those
        # who were let in, so that they keep nobody out.
        counted = int(is_known(scope, self._keys))
        if refusal is None and self._requests + counted > MOST_REQUESTS:
            refusal = (503, _TOO_MANY)
        if refusal is not None:
            await _refuse(*refusal, send)
            return
        self._requests += counted
        try:
            await self._app(scope, receive, _with_headers(send, policy(_host(scope))))
        finally:
            self._requests -= counted

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """The status and the sentence with which a request is refused; ``None`` if it is not."""
        if _size(scope) > MOST_HEAD:
            return 431, _TOO_LONG
        host = _host(scope)
        if not is_ours(host, self._names) or not _is_same(scope, host):
            return 403, _NOT_OURS
        if scope["path"] in self._open_to_all and scope["type"] == "http":
            return None
        return None if is_known(scope, self._keys) else (403, NOT_LET_IN)


def is_known(scope: Scope, keys: Keys) -> bool:
    """Whether a request comes from a browser that was let in."""
    return keys.is_known(values(scope, b"cookie"), _host(scope))


def values(scope: Scope, name: bytes) -> list[str]:
    """What the headers called *name* say, which is in lower case."""
    return [value.decode("latin-1") for each, value in scope["headers"] if each == name]


def _size(scope: Scope) -> int:
    """How long a request is; uvicorn counts only those that come in several parts."""
    headers = sum(len(name) + len(value) for name, value in scope["headers"])
    return headers + len(scope["path"]) + len(scope.get("query_string", b""))


def _host(scope: Scope) -> str:
    return _only(scope, b"host") or ""


def _only(scope: Scope, name: bytes) -> str | None:
    """The one header called *name*; several that differ are as good as a false one."""
    found = set(values(scope, name))
    return None if not found else found.pop() if len(found) == 1 else ""


def is_ours(host: str, names: frozenset[str]) -> bool:
    """Whether *host* is one of *names* or an address in numbers, with or without a port.

    A name could be somebody else's that points here for the purpose; numbers cannot.

    >>> is_ours("127.0.0.1:8000", frozenset()), is_ours("localhost:8000", frozenset({"localhost"}))
    (True, True)
    >>> is_ours("games.example:8000", frozenset({"localhost"}))
    False
    """
    name, separator, port = host.rpartition(":")
    if not separator or not (port.isascii() and port.isdecimal()):
        name = host
    name = name.lower()
    if name in names:
        return True
    try:
        address = ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    # What stands behind a % in such an address may be any text.
    return "%" not in str(address)


def policy(host: str) -> str:
    """What a page of this server may do: use what comes from here, and nothing else."""
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' blob:",
            f"connect-src 'self' ws://{host}",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )


_POLICY_OF_NOTHING: Final = "default-src 'none'; frame-ancestors 'none'"


def _is_same(scope: Scope, host: str) -> bool:
    """Whether the request comes from a page of *host*, or from no page at all.

    A browser always says where a websocket comes from. Who follows a link to the page comes
    from elsewhere and may see it; what is asked for behind a page's back may not be had.
    """
    origin = _only(scope, b"origin")
    if origin is not None:
        return origin.lower() == f"http://{host}".lower()
    is_visit = _only(scope, b"sec-fetch-dest") == "document"
    site = _only(scope, b"sec-fetch-site")
    return scope["type"] == "http" and (is_visit or site in {None, "none", "same-origin"})


def _with_headers(send: Send, content_policy: str) -> Send:
    more = {**_HEADERS, "content-security-policy": content_policy}

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [
                *message.get("headers", []),
                *((name.encode(), value.encode("latin-1")) for name, value in more.items()),
            ]
        await send(message)

    return send_with_headers


async def _refuse(status: int, sentence: str, send: Send) -> None:
    body = f"{sentence}\n".encode()
    say = _with_headers(send, _POLICY_OF_NOTHING)
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
    ]
    await say({"type": "http.response.start", "status": status, "headers": headers})
    await say({"type": "http.response.body", "body": body})
