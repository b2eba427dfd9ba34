"""Connections of the server, none of which is held without end.

uvicorn speaks HTTP and WebSocket. Here stands what it leaves open: how many connections
there are, and what becomes of those that do not ask, do not read, or do not end.
"""

from __future__ import annotations

import asyncio
import socket
from asyncio.transports import Transport
from typing import Final, cast

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from zermelo.faces.web.limits import (
    ANSWER_SECONDS,
    CLOSING_SECONDS,
    MOST_CONNECTIONS,
    MOST_FRAGMENTS,
    MOST_HEAD,
    MOST_MESSAGE,
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


class Http(H11Protocol):
    """A connection for requests, if there is room for one."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as uvicorn's
        """Begin, or end at once; nothing is waited for before it is counted."""
        if len(self.connections) < MOST_CONNECTIONS:
            super().connection_made(transport)
            return
        self.transport = transport
        transport.write(_FULL)
        transport.close()


class Socket(WebSocketsSansIOProtocol):
    """A connection with a page."""

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


class Server(uvicorn.Server):
    """A server that ends connections on which nothing happens, and itself at once."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._watched: dict[object, tuple[object, float]] = {}
        """What each connection was seen to do, and since when."""

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
            # There is none before the first request.
            cycle = cast(RequestResponseCycle | None, connection.cycle)
            if cycle is None or cycle.response_complete:
                return ("asking", cycle), REQUEST_SECONDS
            return ("reading", cycle), ANSWER_SECONDS
        case _:
            # Pings find pages that are gone.
            return "talking", None


def config(app: Starlette) -> uvicorn.Config:
    """How *app* is served."""
    return uvicorn.Config(
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
        ws_max_size=MOST_MESSAGE,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        # What stays on this machine need not be small.
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=1,
    )
