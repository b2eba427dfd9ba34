"""Who is let in: whoever has the address that the terminal shows, and then their browser.

Everybody on a machine can reach a port of it. So the address carries a token behind ``#``, in
the part that a browser sends to nobody: it is in no request, no log and no ``Referer``. The
page that is served first takes it out of the address, sends it here once, and gets a cookie.
Everything else is only for those who have the cookie.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Final

from zermelo.faces.web.limits import MOST_WRONG, WRONG_PER_SECOND, Allowance

_BYTES: Final = 32
"""Of a secret: 256 bits, which nobody guesses."""
_USUAL_PORT: Final = "80"
"""The port of an address that names none."""


class Answer(Enum):
    """What is said to somebody who shows a token."""

    COME_IN = "come in"
    USED = (
        "This address was for one visit, and somebody has come in with it. Open the address that "
        "the terminal shows; if it was not you who came in, end the program and start it again."
    )
    WRONG = (
        "The token in this address is not the one of the program that runs here. It may be that "
        "of an earlier run, or not all of it."
    )
    TOO_OFTEN = "Too many wrong addresses were tried. Wait a little, and open the right one."


class Keys:
    """The secrets of one run of the server: the token in its address, and what a cookie holds.

    The token is good as long as the server runs, for another tab, another browser and a
    private window; who can read the terminal may come in. A token for a single visit is in
    the address with which a browser is started, since other people on the machine may read
    that in the list of processes.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.token = _secret()
        self.single = _secret()
        self._pass = _secret()
        self._is_single_used = False
        self._wrong = Allowance(most=MOST_WRONG, per_second=WRONG_PER_SECOND, clock=clock)

    def enter(self, token: bytes) -> Answer:
        """Whether somebody with *token* is let in.

        Wrong ones are counted, but never keep out the right one: nobody can guess it, and
        nobody should be able to lock its owner out.
        """
        if _is_same(token, self.token):
            return Answer.COME_IN
        if _is_same(token, self.single):
            if self._is_single_used:
                return Answer.USED
            self._is_single_used = True
            return Answer.COME_IN
        return Answer.TOO_OFTEN if self._wrong.take() else Answer.WRONG

    def cookie(self, host: str) -> str:
        """What a browser is to keep that reaches the server as *host*."""
        return f"{_name(host)}={self._pass}; Path=/; HttpOnly; SameSite=Strict"

    def is_known(self, cookies: Iterable[str], host: str) -> bool:
        """Whether one of the headers *cookies* says that its browser was let in.

        One right cookie is enough: a server at another port can give the browser a second one
        of the same name, and must not be able to lock anybody out.
        """
        start = f"{_name(host)}="
        given = (each.strip() for line in cookies for each in line.split(";"))
        shown = [each.removeprefix(start) for each in given if each.startswith(start)]
        return any(_is_same(each.encode("latin-1", "replace"), self._pass) for each in shown)


def _name(host: str) -> str:
    """What the cookie is called: browsers keep those of all ports of a machine together.

    The port is the one that the browser sees, which is another behind a tunnel.
    """
    _, separator, port = host.rpartition(":")
    return f"zermelo-{port if separator and port.isdecimal() else _USUAL_PORT}"


def _secret() -> str:
    return secrets.token_hex(_BYTES)


def _is_same(shown: bytes, secret: str) -> bool:
    """Whether they are equal, in a time that does not tell how much of them is."""
    return secrets.compare_digest(shown, secret.encode())
