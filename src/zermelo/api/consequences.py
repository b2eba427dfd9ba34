"""What merely follows from an error is not said."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.languages.sections import findings
from zermelo.text.diagnostic import Diagnostic


def in_spite_of(said: Sequence[Diagnostic], found: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """What playing has *found*, without mere consequences of errors that were *said* before."""
    if not has_lost_something(said):
        return tuple(found)
    return tuple(each for each in found if each.code not in findings.CONSEQUENCES)


def has_lost_something(said: Sequence[Diagnostic]) -> bool:
    """Whether a part of the document could not be used."""
    return any(each.is_error and each.code not in findings.BY_PLAYING for each in said)
