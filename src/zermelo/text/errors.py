"""The exceptions, which mean that we are wrong or were called wrongly; and names nearly right.

A fault in a document is never one of these: it is a ``Diagnostic``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final


class ZermeloError(Exception):
    """Base of everything raised on purpose."""


class UsageError(ZermeloError, ValueError):
    """The API was called wrongly; the message says how to call it. Also a ``ValueError``."""


class MoveError(UsageError):
    """A move that cannot be made as it was given; it is one of the three below."""


class MoveNotAllowed(MoveError):
    """A move of this system that has no effect in this state."""


class MoveNotUnderstood(MoveError):
    """What is no move of this system."""


class MoveAmbiguous(MoveError):
    """What could be one of several moves."""


class DocumentNotUsable(UsageError):
    """A system was asked for, but the document does not give one."""


class TooLargeToPack(UsageError):
    """A number that the document does not bound has become too large to be packed."""


class InternalError(ZermeloError):
    """We are wrong; the message says what should have held."""


MOST = 3


def nearest(name: str, candidates: Iterable[str], *, limit: int | None = None) -> tuple[str, ...]:
    """The candidates close to *name*, nearest first, three at the most.

    Close is two edits, of short names one, or what *limit* says.

    >>> nearest("turn", ["bTurn", "over", "moves"])
    ('bTurn',)
    """
    if limit is None:
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


class SimilarNames:
    """Names that others may be slips of, kept so that only those that resemble are compared.

    Two names are few edits apart only where taking as many letters from each can leave the same,
    so names are found by what is left of them. Many unknown names and many known ones then take
    little more than both of them together.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._given = tuple(names)
        self.names = tuple(dict.fromkeys(self._given))
        self.steps = 0
        """How many names and parts of names were looked at so far."""
        self._long = [name for name in self.names if len(name) > _LONG]
        self._left: dict[int, dict[str, list[str]]] = {}

    def over(self, names: tuple[str, ...]) -> SimilarNames:
        """These, if *names* are the same ones, and else those."""
        return self if names == self._given else SimilarNames(names)

    def nearest(self, name: str) -> tuple[str, ...]:
        """As ``nearest`` of these names.

        >>> SimilarNames(["bTurn", "over", "moves"]).nearest("turn")
        ('bTurn',)
        """
        limit = 1 if len(name) <= 2 else 2
        found: list[str] = []
        for most in range(limit + 1):
            # In the order in which they would be told, so that it is soon enough of them.
            for other in sorted(self._resembling(name, most).difference(found)):
                self.steps += _COMPARED
                if nearest(name, (other,), limit=most):
                    found.append(other)
                if len(found) == MOST:
                    return tuple(found)
        return tuple(found)

    def _resembling(self, name: str, most: int) -> set[str]:
        """Those that can be at most so many edits away."""
        found = {other for other in self._long if abs(len(other) - len(name)) <= most}
        if len(name) <= _LONG + most:
            left = self._left_of_all(most)
            for part in _shortened(name.lower(), most):
                self.steps += 1
                found.update(left.get(part, ()))
        self.steps += len(found)
        return found

    def _left_of_all(self, most: int) -> Mapping[str, Sequence[str]]:
        """The names by what is left of them without so many letters or fewer."""
        if most not in self._left:
            made = self._left[most] = {}
            for name in self.names:
                if len(name) <= _LONG:
                    for part in _shortened(name.lower(), most):
                        self.steps += 1
                        made.setdefault(part, []).append(name)
        return self._left[most]


_LONG: Final = 24
"""Longer names have too many parts; they are compared one by one."""
_COMPARED: Final = 80
"""To compare two names takes about as many steps."""


def _shortened(word: str, most: int) -> set[str]:
    """*word* without *most* letters or fewer.

    >>> sorted(_shortened("abc", 1))
    ['ab', 'abc', 'ac', 'bc']
    """
    found = {word}
    for _ in range(most):
        found |= {part[:at] + part[at + 1 :] for part in found for at in range(len(part))}
    return found


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
