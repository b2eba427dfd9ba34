"""How much the server takes, of everything that somebody else may send or hold.

Each number is far above what pages need, and far below what would hurt the machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

# Pages

MOST_PAGES: Final = 24
"""Pages that can show a program at a time."""
MOST_LEFT: Final = 4
"""Games that are remembered after their page is gone, since it may come back.

Its place is its own until then, so that there may be so many pages more.
"""
MOST_KEPT: Final = 1_000_000
"""Parts of the states of one game that are kept to go back to: some 60 MB."""

# Connections

MOST_CONNECTIONS: Final = 256
"""Connections at a time, whatever they are for; one more ends the oldest without the cookie."""
MOST_REQUESTS: Final = 200
"""Requests with the cookie that are being answered at a time."""
MOST_STRANGERS: Final = 16
"""Requests without it that are; who comes as one more ends the oldest."""
MOST_HEAD: Final = 16_384
"""Bytes of a request without its body."""
MOST_ENTRY: Final = 256
"""Bytes of a body; only the token is ever sent in one."""
REQUEST_SECONDS: Final = 10.0
"""How long a connection may take to ask for something."""
ANSWER_SECONDS: Final = 300.0
"""How long it may take to read an answer."""
CLOSING_SECONDS: Final = 5.0
"""How long it may take to end."""
PING_SECONDS: Final = 20.0
"""How often a page is asked whether it is there, and how long it may take to say so."""

# Files

MOST_FILE: Final = 16_000_000
"""Bytes of a file beside the program."""
PIECE: Final = 65_536
"""Bytes of it that are held in memory at a time."""

# Messages

MOST_MESSAGE: Final = 32_768
"""Characters of a message to a program: one may carry the state to go on from."""
MOST_TYPED: Final = 1_000
"""Characters of a line at the prompt, or of an expression that is watched."""
MOST_WATCHED: Final = 12
"""Expressions that a page watches."""
MOST_FRAME: Final = 262_144
"""Bytes of any message: a question about a position has all its moves in it."""
MOST_FRAGMENTS: Final = 16
"""Pieces in which a message may come."""
MESSAGES_PER_SECOND: Final = 500.0
"""How fast messages are read in the long run."""
MOST_AT_ONCE: Final = 5_000
"""Messages that may come faster than that."""
MOST_WAITING: Final = 10_000
"""Messages that may wait while a frame takes long."""
PIECE_SECONDS: Final = 0.1
"""How long messages are obeyed before the page is told what came of them, and heard again."""
MOST_REFUSED: Final = 50
"""Messages without a meaning after which a page is sent away."""
MOST_CLICKS: Final = 10_000
"""Clicks that may wait for their frames."""
LONGEST_KEY: Final = 8
"""Characters in the name of a key."""
MOST_FRAMES: Final = 2**53
"""Above it a browser cannot count."""
SLOWEST: Final = 1 / 64
FASTEST: Final = 8.0

# Questions

QUESTIONS_PER_SECOND: Final = 200.0
"""How many questions are answered in the long run."""
MOST_QUESTIONS: Final = 1_000
"""Questions that may come faster than that."""
MOST_WORKING: Final = 32
"""Long questions at a time, of all pages together."""

# Tokens

WRONG_PER_SECOND: Final = 1.0
"""How many wrong tokens are looked at in the long run."""
MOST_WRONG: Final = 20
"""Wrong tokens that may come faster than that."""


class Allowance:
    """So many at once, and so many a second in the long run.

    >>> now = iter([0.0, 0.0, 0.0, 0.0, 2.0]).__next__
    >>> three = Allowance(most=3, per_second=0.5, clock=now)
    >>> [three.take() for _ in range(4)]
    [0.0, 0.0, 0.0, 0.0]
    """

    def __init__(
        self, *, most: float, per_second: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._per_second = per_second
        self._clock = clock
        self._left = most
        self._then = clock()

    def take(self) -> float:
        """Take one; the seconds until there is one to take, 0 if there was."""
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._then) * self._per_second)
        self._then = now
        if self._left >= 1:
            self._left -= 1
            return 0.0
        return (1 - self._left) / self._per_second
