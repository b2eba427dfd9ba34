"""The exceptions, which mean that we are wrong or were called wrongly; and names nearly right.

A fault in a document is never one of these: it is a ``Diagnostic``.
"""

from __future__ import annotations

from collections.abc import Iterable


class ZermeloError(Exception):
    """Base of everything raised on purpose."""


class UsageError(ZermeloError, ValueError):
    """The API was called wrongly; the message says how to call it. Also a ``ValueError``."""


class MoveNotAllowed(UsageError):
    """A move of this system that has no effect in this state."""


class MoveNotUnderstood(UsageError):
    """A text that is no move of this system."""


class DocumentNotUsable(UsageError):
    """A system was asked for, but the document does not give one."""


class OutOfRoom(UsageError):
    """A number that the document does not bound has become too large to be packed."""


class InternalError(ZermeloError):
    """We are wrong; the message says what should have held."""


MOST = 3


def nearest(name: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """The candidates close to *name*, nearest first, three at the most.

    >>> nearest("turn", ["bTurn", "over", "moves"])
    ('bTurn',)
    """
    limit = 1 if len(name) <= 2 else 2
    scored = sorted(
        (distance(name.lower(), other.lower()), other) for other in set(candidates) if other != name
    )
    return tuple(other for score, other in scored if score <= limit)[:MOST]


def distance(left: str, right: str) -> int:
    """The number of single-letter edits and swaps between *left* and *right*.

    >>> distance("free", "fere"), distance("turn", "bturn")
    (1, 1)
    """
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        after = [i]
        for j, b in enumerate(right, 1):
            best = min(row[j] + 1, after[j - 1] + 1, row[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                best = min(best, before[j - 2] + 1)
            after.append(best)
        before, row = row, after
    return row[-1]
