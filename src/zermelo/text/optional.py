"""Libraries that are used if they are there; what brings them is said where they are not."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from zermelo.text.errors import UsageError

EXTRA = "pip install zermelo[notebook]"


def optional_library(name: str, *, wanted_for: str) -> ModuleType:
    """The library called *name*, imported now; raises ``UsageError`` where it is not installed.

    >>> optional_library("no_such_library", wanted_for="a table")
    Traceback (most recent call last):
      ...
    zermelo.text.errors.UsageError: a table needs no_such_library, which is not installed here; \
`pip install zermelo[notebook]` brings it
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        # One that is there, and lacks something itself, is another matter.
        if missing.name != name:
            raise
        raise UsageError(
            f"{wanted_for} needs {name}, which is not installed here; `{EXTRA}` brings it"
        ) from missing
