"""The server of an Easel program in a thread, and connections with it that keep to no rules."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import threading
import time
import urllib.request
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from tests.support.easel_sessions import COUNT, session
from zermelo.faces.web.connections import Config, Server
from zermelo.faces.web.entry import Keys
from zermelo.faces.web.page.desk import Desk
from zermelo.faces.web.page.store import Store
from zermelo.faces.web.session import Session
from zermelo.faces.web.site import Program, Served, site

PATIENCE = 30.0
"""Seconds that nothing here takes."""


class Reachable(Protocol):
    """A server, as far as a connection needs to know it."""

    @property
    def host(self) -> str: ...

    @property
    def port(self) -> int: ...

    @property
    def cookie(self) -> str: ...

    @property
    def wires(self) -> list[Wire]: ...


@dataclass(frozen=True)
class Elsewhere:
    """A server in another process, into which one has come."""

    port: int
    cookie: str
    wires: list[Wire] = field(default_factory=list)

    @property
    def host(self) -> str:
        """The host of its address."""
        return f"127.0.0.1:{self.port}"


@contextmanager
def come_in(port: int, token: str) -> Iterator[Elsewhere]:
    """Show the *token* to the server at *port*, as the first page does."""
    address = f"http://127.0.0.1:{port}/enter"
    request = urllib.request.Request(address, data=token.encode(), method="POST")
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        cookie = answer.headers["set-cookie"].partition(";")[0]
    server = Elsewhere(port, cookie)
    try:
        yield server
    finally:
        for wire in server.wires:
            wire.close()


class Running:
    """A server that runs, and how to reach it."""

    def __init__(self, new_session: Callable[[], Session], folder: Path | None) -> None:
        self.keys = Keys()
        self.wires: list[Wire] = []
        """All that were opened, and are closed with it."""
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.host = f"127.0.0.1:{self.port}"
        programs = {"file-program": Program(new_session, folder)}
        app = site(Served(Store(None), Desk(), programs), names=(), keys=self.keys)
        self.server = Server(Config(app, self.keys))
        self._loop: Future[asyncio.AbstractEventLoop] = Future()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def cookie(self) -> str:
        """What a browser keeps that was let in."""
        return self.keys.cookie(self.host).partition(";")[0]

    @property
    def connections(self) -> int:
        """How many there are now."""
        return len(self.server.server_state.connections)

    def let_pass(self, seconds: float) -> None:
        """Let the server believe that so many *seconds* have passed, and look around."""

        async def look() -> None:
            now = asyncio.get_running_loop().time()
            self.server.end_the_idle(now)
            self.server.end_the_idle(now + seconds)

        self.do(look())

    def do(self, work: Coroutine[None, None, None]) -> None:
        """Do something where the server does its work."""
        loop = self._loop.result(timeout=PATIENCE)
        asyncio.run_coroutine_threadsafe(work, loop).result(timeout=PATIENCE)

    def stop(self) -> None:
        """End it."""
        self.server.should_exit = True
        self._thread.join(timeout=PATIENCE)
        assert not self._thread.is_alive()

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop.set_result(asyncio.get_running_loop())
        await self.server.serve(sockets=[self._listening])


@contextmanager
def running(
    new_session: Callable[[], Session] = lambda: session(COUNT), *, folder: Path | None = None
) -> Iterator[Running]:
    """A server for games from *new_session*."""
    server = Running(new_session, folder)
    try:
        yield server
    finally:
        for wire in server.wires:
            wire.close()
        server.stop()


class Wire:
    """A connection with a server, byte by byte."""

    def __init__(self, server: Reachable) -> None:
        self.server = server
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        server.wires.append(self)
        self._got = b""

    def send(self, data: bytes) -> None:
        """Send these bytes."""
        self.socket.sendall(data)

    def upgrade(
        self, *, cookie: str | None = None, origin: str | None = None, more: str = ""
    ) -> int:
        """Ask for the engine, as a page does; the status of the answer."""
        self.send(
            (
                f"GET /easel/file-program/engine HTTP/1.1\r\nHost: {self.server.host}\r\n"
                "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                f"Origin: {origin or f'http://{self.server.host}'}\r\n"
                f"Cookie: {self.server.cookie if cookie is None else cookie}\r\n{more}\r\n"
            ).encode()
        )
        return self.status()

    def status(self) -> int:
        """The status of the next answer."""
        return int(self._until(b"\r\n\r\n").split(b" ", 2)[1])

    def frame(self, code: int, data: bytes, *, is_last: bool = True) -> None:
        """Send one frame of WebSocket."""
        mask = os.urandom(4)
        if len(data) < 126:
            size = bytes([0x80 | len(data)])
        elif len(data) < 1 << 16:
            size = b"\xfe" + len(data).to_bytes(2, "big")
        else:
            size = b"\xff" + len(data).to_bytes(8, "big")
        body = bytes(each ^ mask[at % 4] for at, each in enumerate(data))
        self.send(bytes([(0x80 if is_last else 0) | code]) + size + mask + body)

    def say(self, text: str) -> None:
        """Send a text."""
        self.frame(1, text.encode())

    def hear(self) -> tuple[int, bytes]:
        """The next frame: its code and what is in it."""
        first, size = self._take(2)
        if size == 126:
            size = int.from_bytes(self._take(2), "big")
        elif size == 127:
            size = int.from_bytes(self._take(8), "big")
        return first & 15, self._take(size)

    def told(self, name: str) -> Any:  # noqa: ANN401 (JSON has every shape)
        """The next thing that is told under *name*; the code and the reason of a farewell."""
        while True:
            code, data = self.hear()
            if code == 8:
                return int.from_bytes(data[:2], "big"), data[2:].decode()
            said = json.loads(data) if code == 1 else {}
            if name in said:
                return said[name]

    def rest(self) -> bytes:
        """All that comes until the server ends the connection."""
        try:
            while piece := self.socket.recv(65_536):
                self._got += piece
        except ConnectionResetError:
            pass
        return self._got

    def close(self, *, is_abrupt: bool = False) -> None:
        """End it without a word, or with a reset."""
        if is_abrupt:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.socket.close()

    def _take(self, count: int) -> bytes:
        while len(self._got) < count:
            self._more()
        data, self._got = self._got[:count], self._got[count:]
        return data

    def _until(self, end: bytes) -> bytes:
        while end not in self._got:
            self._more()
        data, _, self._got = self._got.partition(end)
        return data

    def _more(self) -> None:
        piece = self.socket.recv(65_536)
        if not piece:
            raise EOFError(self._got)
        self._got += piece


def eventually(happens: Callable[[], bool]) -> bool:
    """Whether something *happens* that must, sooner or later."""
    deadline = time.monotonic() + PATIENCE
    while not happens():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
