"""Transcripts of an interpreter: what was typed, what was answered, and whether it still is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

PROMPT: Final = "cmd:>"

# What stands between the lines of a session and belongs to none: rules, fences, timings.
_BETWEEN: Final = re.compile(r"\s*|[-=_*~ ]{3,}|```.*|LED engine took.*")


@dataclass(frozen=True, slots=True)
class Exchange:
    """A line that was typed, and the answer to it."""

    line: int
    """The number of the line, from 1."""
    typed: str
    answer: str | None
    """``None`` if the transcript does not show one."""


@dataclass(frozen=True, slots=True)
class Difference:
    """An answer that is not the one in the transcript."""

    exchange: Exchange
    answer: str


def exchanges(text: str) -> list[Exchange]:
    r"""What was typed and answered in *text*; everything else is passed over.

    >>> exchanges('Tests\n-----\ncmd:>pp(a)\n"1"\n\nLED engine took: 43 secs.\n')
    [Exchange(line=3, typed='pp(a)', answer='"1"')]
    """
    found: list[Exchange] = []
    rows = text.splitlines()
    at = 0
    while at < len(rows):
        row = rows[at].strip()
        at += 1
        if not row.startswith(PROMPT):
            continue
        start = at
        while at < len(rows) and not _is_end(rows[at]):
            at += 1
        answer = "\n".join(each.rstrip() for each in rows[start:at])
        found.append(Exchange(start, row.removeprefix(PROMPT).strip(), answer or None))
    return found


def _is_end(row: str) -> bool:
    return row.strip().startswith(PROMPT) or _BETWEEN.fullmatch(row) is not None


def differences(session: Iterable[Exchange], answer: Callable[[str], str]) -> Iterator[Difference]:
    """Where *answer* says something else than *session*, one after the other."""
    for exchange in session:
        said = answer(exchange.typed)
        if exchange.answer is not None and said != exchange.answer.strip():
            yield Difference(exchange, said)
