"""The page in the browser: a server on this machine, with the engine behind it."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import uvicorn

from zermelo.api.game import Game
from zermelo.api.loaded import model_of
from zermelo.core.stage import FRAMES_PER_SECOND
from zermelo.faces.web.connections import Config, Server
from zermelo.faces.web.entry import Keys
from zermelo.faces.web.log import Log
from zermelo.faces.web.page.desk import Desk
from zermelo.faces.web.page.requests import Document
from zermelo.faces.web.page.store import Store
from zermelo.faces.web.site import Program, Served, session_of, site
from zermelo.text.errors import UsageError
from zermelo.text.source import visible

LOOPBACK: Final = "127.0.0.1"
PROGRAM: Final = "file-program"
"""What a program is called in addresses that was started with the server."""
_NAMES: Final = ("localhost", "ip6-localhost")
_TURN: Final = 0.000_5
"""Seconds for which a thread computes before another one may; Python's own choice is ten times
that, which two dozen busy pages make too long for everybody else."""
_ANY: Final = {"", "0.0.0.0", "::"}


@dataclass(frozen=True, slots=True)
class Listening:
    """Where a server listens, and whether it opens a browser."""

    host: str = LOOPBACK
    port: int = 0
    open_browser: bool = True
    log: Log = field(default_factory=Log)


def serve(
    game: Game,
    *,
    host: str = LOOPBACK,
    port: int = 0,
    open_browser: bool = True,
    path: Path | None = None,
    reading_file: Path | None = None,
    frames_per_second: float = FRAMES_PER_SECOND,
    say: Callable[[str], None] | None = None,
) -> None:
    """Show the program *game* on its canvas, in the browser, until Ctrl-C is pressed.

    The server listens at *host*, which is this machine and no other unless said, and at
    *port*, or at any free one. The program was read from *path*, beside which its pictures and
    sounds are: what is changed there is shown. It runs at *frames_per_second* until a page asks
    for another speed. What there is to tell goes to *say*, by default to standard output: the
    address too, which lets in whoever opens it.
    """
    folder = None if path is None else path.parent
    name = visible(model_of(game).stage(folder).name)  # Says what is missing before all else.
    store = Store(
        None, named={PROGRAM: Document(game.source.name, game.source.text, path, reading_file)}
    )
    new_session = partial(session_of, store, PROGRAM, frames_per_second=frames_per_second)
    served = Served(store, Desk(), {PROGRAM: Program(new_session, folder)})
    _serve(served, Listening(host, port, open_browser), f"run/{PROGRAM}", name, say or _print)


def serve_page(
    *,
    host: str = LOOPBACK,
    port: int = 0,
    open_browser: bool = True,
    data: Path | None = None,
    documents: Sequence[Path] = (),
    log: Log | None = None,
    say: Callable[[str], None] | None = None,
) -> None:
    """Serve the page until Ctrl-C is pressed; see ``serve``. What is done goes to *log*, too.

    What was opened is kept in the folder *data*, if there is one. The page begins with the first
    of *documents*, or with the library.
    """
    store = Store(data, documents)
    first = next((f"play/{name}" for name in store.files), "")
    served = Served(store, Desk())
    try:
        listening = Listening(host, port, open_browser, log or Log())
        _serve(served, listening, first, "Zermelo", say or _print)
    finally:
        store.close()


def _serve(
    served: Served, listening: Listening, start: str, name: str, tell: Callable[[str], None]
) -> None:
    """Serve until Ctrl-C is pressed; the address leads to *start*."""
    keys, host = Keys(), listening.host
    log = listening.log
    server = Server(Config(site(served, names=_names(host), keys=keys, log=log), keys))
    behind = f"/{start}" if start else ""
    with _listen(host, listening.port) as bound:
        address = _address(host, bound.getsockname()[1])
        tell(f"{name} is at {address}#{keys.token}{behind}")
        tell("Ctrl-C ends it.")
        log.say("started", host=host, port=bound.getsockname()[1])
        if listening.open_browser and has_screen():
            # A browser that is started may take its time to answer.
            visit = f"{address}#{keys.single}{behind}"
            threading.Thread(target=webbrowser.open, args=(visit,), daemon=True).start()
        elif listening.open_browser:
            tell("There is no screen here to open a browser on; open the address yourself.")
        # uvicorn raises it again when all pages have been told.
        with suppress(KeyboardInterrupt), _taking_short_turns():
            asyncio.run(_until_ended(server, served, bound))
    log.say("ended")
    tell("ended.")


async def _until_ended(server: uvicorn.Server, served: Served, bound: socket.socket) -> None:
    try:
        await server.serve(sockets=[bound])
    finally:
        await served.desk.end()


@contextmanager
def _taking_short_turns() -> Iterator[None]:
    """Let threads take turns more often, so that pages and Ctrl-C are heard while many compute."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(_TURN)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else "there is no such port"
        raise UsageError(f"nothing can listen at {host}, port {port}: {reason}") from error


def _address(host: str, port: int) -> str:
    shown = "localhost" if host in _ANY else host
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"


def _names(host: str) -> set[str]:
    """What this machine is called by those who can reach it at *host*."""
    return {*_NAMES, socket.gethostname().lower() if host in _ANY else host.lower()}


def has_screen() -> bool:
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _print(text: str) -> None:
    print(text, flush=True)
