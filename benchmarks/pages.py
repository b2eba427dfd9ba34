"""Many pages at once, each playing: how long they wait for an answer.

    PYTHONPATH=src:. python benchmarks/pages.py --pages 200 --seconds 30

A server is started in a process of its own. Each page has a connection of its own, as a browser
keeps one: it asks for the position, thinks for a while, makes a move by lot, and begins anew where
a play is over. What is measured is the time from the question to the whole answer.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import time
from dataclasses import dataclass, field
from statistics import quantiles
from typing import Final
from urllib.parse import urlsplit

from tests.support.browser import Server, served_page
from zermelo.api import loading

THINKING: Final = (0.5, 2.5)
"""Seconds from an answer to the next move."""


@dataclass(slots=True)
class Heard:
    """What pages heard."""

    seconds: list[float] = field(default_factory=list)
    refused: int = 0
    plays: int = 0


class Page:
    """A page that plays *document* with somebody who moves by lot."""

    def __init__(self, server: Server, cookie: str, document: str, seed: int) -> None:
        self._host = urlsplit(server.root).netloc
        self._cookie = cookie
        self._document = document
        self._chance = random.Random(seed)

    async def play(self, heard: Heard, end: float) -> None:
        """Play until *end*."""
        host, _, port = self._host.partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        try:
            # Nobody opens two hundred pages in the same moment.
            await asyncio.sleep(self._chance.uniform(0, THINKING[1]))
            moves: list[str] = []
            while time.monotonic() < end:
                began = time.monotonic()
                status, answer = await self._ask(reader, writer, moves)
                heard.seconds.append(time.monotonic() - began)
                if status != 200:
                    heard.refused += 1
                elif answer["over"] or not answer["legal"]:
                    heard.plays += 1
                    moves = []
                else:
                    moves.append(self._chance.choice(answer["legal"])["move"])
                await asyncio.sleep(self._chance.uniform(*THINKING))
        finally:
            writer.close()

    async def _ask(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, moves: list[str]
    ) -> tuple[int, dict[str, list[dict[str, str]]]]:
        body = json.dumps({"document": self._document, "moves": moves}).encode()
        writer.write(
            f"POST /api/ask/position HTTP/1.1\r\nHost: {self._host}\r\nCookie: {self._cookie}\r\n"
            f"Origin: http://{self._host}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = int(head.partition("content-length:")[2].split("\r\n")[0])
        answer = await reader.readexactly(length)
        status = int(head.split()[1])
        return status, json.loads(answer) if status == 200 else {}


async def _entered(server: Server) -> str:
    """The cookie of a browser that came in."""
    host, _, port = urlsplit(server.root).netloc.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    token = server.token
    writer.write(
        f"POST /enter HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: {len(token)}\r\n\r\n"
        f"{token}".encode()
    )
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    writer.close()
    return head.partition("set-cookie: ")[2].partition(";")[0]


async def measured(server: Server, pages: int, seconds: float) -> Heard:
    """What *pages* heard in so many *seconds*; they share the games of the library."""
    cookie, heard = await _entered(server), Heard()
    games = [game.name for game in loading.games()]
    end = time.monotonic() + seconds
    players = [Page(server, cookie, games[at % len(games)], at) for at in range(pages)]
    await asyncio.gather(*(page.play(heard, end) for page in players))
    return heard


def main() -> None:
    """Measure, and print a row for the table in README.md."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30.0)
    asked = parser.parse_args()
    with served_page() as server:
        heard = asyncio.run(measured(server, asked.pages, asked.seconds))
    cuts = quantiles(heard.seconds, n=100)
    cells = [
        f"{asked.pages}",
        f"{len(os.sched_getaffinity(0))}",
        f"{len(heard.seconds):,}",
        f"{len(heard.seconds) / asked.seconds:.0f}",
        *(f"{1000 * each:.0f} ms" for each in (cuts[49], cuts[94], cuts[98], max(heard.seconds))),
        f"{heard.refused}",
    ]
    print("| pages | cores | questions | a second | median | 95 % | 99 % | longest | refused |")
    print("| --- " * len(cells) + "|")
    print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
