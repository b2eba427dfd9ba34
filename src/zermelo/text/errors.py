"""The exceptions. They mean that we are wrong, or were called wrongly.

A fault in a document is never one of these: it is a ``Diagnostic``.
"""


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
