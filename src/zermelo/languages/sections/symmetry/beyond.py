"""What cannot be written out over the claims of a state."""

from __future__ import annotations


class BeyondError(Exception):
    """A part of the system cannot be written out; it says which, in words.

    It never leaves this package: a system of which a part cannot be written
    out has no symmetries that are proved, and the report says why.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class SkippedError(Exception):
    """A local is outside its declaration, so the rule or call that uses it is skipped."""
