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


class TooLargeToPack(UsageError):
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
    lower = name.lower()
    # One edit brings at most one letter, and takes at most one away.
    letters = set(lower)
    others = {
        other
        for other in candidates
        if other != name and len(letters.symmetric_difference(other.lower())) <= 2 * limit
    }
    scored = sorted((distance(lower, other.lower(), most=limit), other) for other in others)
    return tuple(other for score, other in scored if score <= limit)[:MOST]


def distance(left: str, right: str, *, most: int | None = None) -> int:
    """The number of single-letter edits and swaps between *left* and *right*.

    Where they are more than *most*, it is some number above that, found sooner.

    >>> distance("free", "fere"), distance("turn", "bturn")
    (1, 1)
    """
    if most is None:
        most = max(len(left), len(right))
    beyond = most + 1
    if abs(len(left) - len(right)) > most:
        return beyond
    # Only places that lie at most so far apart can be the same letter.
    before: dict[int, int] = {}
    row = {j: j for j in range(min(most, len(right)) + 1)}
    for i, a in enumerate(left, 1):
        after: dict[int, int] = {0: i} if i <= most else {}
        for j in range(max(1, i - most), min(len(right), i + most) + 1):
            b = right[j - 1]
            best = min(
                row.get(j, beyond) + 1,
                after.get(j - 1, beyond) + 1,
                row.get(j - 1, beyond) + (a != b),
            )
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                best = min(best, before.get(j - 2, beyond) + 1)
            after[j] = best
        if min(after.values(), default=beyond) > most:
            return beyond
        before, row = row, after
    return row.get(len(right), beyond)
