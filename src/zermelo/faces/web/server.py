"""An LED program in the browser: a server on this machine, with the engine behind it."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from zermelo.api.game import Game
from zermelo.api.loaded import model_of
from zermelo.core.stage import FRAMES_PER_SECOND
from zermelo.faces.web.entry import Keys
from zermelo.faces.web.limits import MOST_KEPT
from zermelo.faces.web.session import Session
from zermelo.text.errors import UsageError
from zermelo.text.source import visible

LOOPBACK: Final = "127.0.0.1"
_NAMES: Final = ("localhost", "ip6-localhost")
_TURN: Final = 0.000_5
"""Seconds for which a thread computes before another one may; Python's own choice is ten times
that, which two dozen busy pages make too long for everybody else."""
_ANY: Final = {"", "0.0.0.0", "::"}


def serve(
    game: Game,
    *,
    host: str = LOOPBACK,
    port: int = 0,
    open_browser: bool = True,
    folder: Path | None = None,
    frames_per_second: float = FRAMES_PER_SECOND,
    say: Callable[[str], None] | None = None,
) -> None:
    """Show *game* in the browser until Ctrl-C is pressed.

    The server listens at *host*, which is this machine and no other unless said, and at
    *port*, or at any free one. Picture and sound files come from *folder*. A program runs at
    *frames_per_second* until a page asks for another speed. What there is to tell goes to
    *say*, by default to standard output: the address too, which lets in whoever opens it.
    """
    # Only who serves pays for it.
    from zermelo.faces.web.connections import Config, Server  # noqa: PLC0415
    from zermelo.faces.web.site import site  # noqa: PLC0415

    model = model_of(game)
    name = visible(model.stage(folder).name)  # Says what is missing before anything listens.

    def new_session() -> Session:
        stage = model.stage(folder, most_kept=MOST_KEPT)
        return Session(stage, game.source, frames_per_second=frames_per_second)

    tell = say or _print
    keys = Keys()
    app = site(new_session, folder=folder, names=_names(host), keys=keys)
    server = Server(Config(app, keys))
    with _listen(host, port) as listening:
        address = _address(host, listening.getsockname()[1])
        tell(f"{name} is at {address}#{keys.token}")
        tell("Ctrl-C ends it.")
        if open_browser and _has_screen():
            # A browser that is started may take its time to answer.
            visit = f"{address}#{keys.single}"
            threading.Thread(target=webbrowser.open, args=(visit,), daemon=True).start()
        elif open_browser:
            tell("There is no screen here to open a browser on; open the address yourself.")
        # uvicorn raises it again when all pages have been told.
        with suppress(KeyboardInterrupt), _taking_short_turns():
            asyncio.run(server.serve(sockets=[listening]))
    tell("ended.")


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


def _has_screen() -> bool:
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _print(text: str) -> None:
    print(text, flush=True)
