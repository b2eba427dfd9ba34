"""Connections of the server, none of which is held without end.

uvicorn speaks HTTP and WebSocket. Here stands what it leaves open: how many connections
there are, and what becomes of those that do not ask, do not read, or do not end.

Everybody on a machine can connect. Where there are too many, it is never one that showed the
cookie that has to go: the oldest of the others does, and who was let in, or comes to be, finds
room however many strangers there are.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
from asyncio.transports import Transport
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, cast

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from zermelo.faces.web.entry import Keys
from zermelo.faces.web.guard import is_known
from zermelo.faces.web.limits import (
    ANSWER_SECONDS,
    CLOSING_SECONDS,
    MOST_CONNECTIONS,
    MOST_FRAGMENTS,
    MOST_FRAME,
    MOST_HEAD,
    MOST_STRANGERS,
    PING_SECONDS,
    REQUEST_SECONDS,
)

_LEAVE_SECONDS: Final = 0.4
"""How long pages may take leave when the server ends."""
_BAD_TEXT: Final = 1007
"""The code for a text that is none."""
_FULL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\n"
    b"content-type: text/plain; charset=utf-8\r\n"
    b"connection: close\r\n\r\n"
    b"Too many connections are open. Wait a little, and load the page again.\n"
)

_ODD: Final = (
    b"HTTP/1.1 400 Bad Request\r\n"
    b"content-type: text/plain; charset=utf-8\r\n"
    b"connection: close\r\n\r\n"
    b"No page of this server asks like that.\n"
)


class Config(uvicorn.Config):
    """How a server runs, and who is let in there."""

    def __init__(self, app: Starlette, keys: Keys) -> None:
        super().__init__(
            app,
            http=Http,
            ws=Socket,
            log_level="error",
            log_config=None,
            access_log=False,
            server_header=False,
            # Nobody stands between a page and us who could say where it comes from.
            proxy_headers=False,
            lifespan="off",
            backlog=MOST_CONNECTIONS,
            h11_max_incomplete_event_size=MOST_HEAD,
            ws_max_size=MOST_FRAME,
            ws_ping_interval=PING_SECONDS,
            ws_ping_timeout=PING_SECONDS,
            # What stays on this machine need not be small.
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=1,
        )
        self.keys = keys


class Http(H11Protocol):
    """A connection for requests, if there is room for one."""

    is_known = False
    """Whether the last request had the cookie."""
    is_given_up = False
    began = 0.0

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as uvicorn's
        """Begin, or end at once; nothing is waited for before it is counted."""
        self.began = self.loop.time()
        if len(self.connections) < MOST_CONNECTIONS or _end_oldest(_strangers(self.connections)):
            super().connection_made(transport)
            return
        self.transport = transport
        transport.write(_FULL)
        transport.close()

    def handle_events(self) -> None:
        """Take what came; a request that begins is counted if it is that of a stranger."""
        before = self.cycle
        super().handle_events()
        if self.cycle is before:
            return
        self.is_known = is_known(dict(self.scope), cast(Config, self.config).keys)
        if not self.is_known:
            asking = [
                each
                for each in _strangers(self.connections)
                if isinstance(each, Http) and each.is_answered
            ]
            if len(asking) > MOST_STRANGERS:
                _end_oldest(asking)

    @property
    def is_answered(self) -> bool:
        """Whether a request is on the way, in or out."""
        cycle = cast(RequestResponseCycle | None, self.cycle)
        return cycle is not None and not cycle.response_complete


class Socket(WebSocketsSansIOProtocol):
    """A connection with a page."""

    is_given_up = False
    began = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin in the place of the request that asked for it."""
        self.began = self.loop.time()
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """Take what came; the first of it is the whole request of the page, or none at all."""
        super().data_received(data)
        if not self.handshake_initiated and not self.transport.is_closing():
            self.transport.write(_ODD)
            self.transport.close()

    def handle_cont(self, event: Frame) -> None:
        """Take one more piece of a message; they may be empty, so their number is bounded."""
        if len(self.frames) < MOST_FRAGMENTS:
            super().handle_cont(event)
        else:
            self.transport.abort()

    def handle_ping(self) -> None:
        """Answer a ping, unless the answers to those before were not read."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.transport.abort()

    def send_receive_event_to_app(self) -> None:
        """Pass a message on, if it is a text or bytes."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                # A fault of the page, which is no business of the terminal's.
                self.frames = []
                self.conn.fail(_BAD_TEXT)
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()


def _strangers(connections: Iterable[object]) -> list[Http | Socket]:
    """Those that have not shown the cookie, or are ending."""
    return [
        each
        for each in connections
        if (isinstance(each, Http) and not each.is_known)
        or (isinstance(each, Socket) and (not each.handshake_complete or each.close_sent))
        if not each.is_given_up
    ]


def _end_oldest(connections: Sequence[Http | Socket]) -> bool:
    """End the one of *connections* that began first, if there is any."""
    if not connections:
        return False
    oldest = min(connections, key=lambda each: each.began)
    # It is among those of the server until its end was noticed.
    oldest.is_given_up = True
    oldest.transport.abort()
    return True


class Server(uvicorn.Server):
    """A server that ends connections on which nothing happens, and itself at once."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._watched: dict[object, tuple[object, float]] = {}
        """What each connection was seen to do, and since when."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let Ctrl-C end it, unless it was started so that this is ignored."""
        is_ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        with super().capture_signals():
            if is_ignored and threading.current_thread() is threading.main_thread():
                signal.signal(signal.SIGINT, signal.SIG_IGN)
            yield

    async def on_tick(self, counter: int) -> bool:
        """Look around now and then."""
        if counter % 10 == 0:
            self.end_the_idle(asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    def end_the_idle(self, now: float) -> None:
        """End the connections that have done one thing for too long."""
        watched: dict[object, tuple[object, float]] = {}
        for each in list(self.server_state.connections):
            doing, patience = _doing(each)
            before, since = self._watched.get(each, (None, now))
            since = since if doing == before else now
            watched[each] = doing, since
            if patience is not None and now - since >= patience:
                each.transport.abort()
        self._watched = watched

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take leave of pages, without waiting for those that do not answer."""
        asyncio.get_running_loop().call_later(_LEAVE_SECONDS, self._abort_all)
        await super().shutdown(sockets)

    def _abort_all(self) -> None:
        for each in list(self.server_state.connections):
            each.transport.abort()


def _doing(connection: object) -> tuple[object, float | None]:
    """What *connection* is doing, and the seconds that it may."""
    match connection:
        case Http() | Socket() if connection.transport.is_closing():
            return "ending", CLOSING_SECONDS
        case Http():
            if connection.is_answered:
                return ("reading", connection.cycle), ANSWER_SECONDS
            return ("asking", connection.cycle), REQUEST_SECONDS
        case _:
            # Pings find pages that are gone.
            return "talking", None
