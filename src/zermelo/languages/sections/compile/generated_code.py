"""What is generated for a system, and where it is kept beside the compiled code.

A system that was compiled before needs no emitter: its code is read, and the object code found by
it. A fingerprint is made of everything that the system says, readings included, and of the modules
that generate code, so that no code outlives either of them. Nothing here loads what generates code.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import pickle
import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from math import prod
from pathlib import Path
from typing import Any, Final

from zermelo.core.layout import Layout
from zermelo.core.machine import Outcome
from zermelo.core.values import Value
from zermelo.fast.cache import Cache, standard
from zermelo.languages.sections.ir import Expr, System
from zermelo.text.source import Span

_MAKERS: Final = ("core", "packing", "languages")
"""The packages whose code decides what is generated."""
_BEGUN: Final = time.time() - time.process_time()
"""When this process began, or a little later."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A parameter and all values that it may have, in canonical order."""

    name: str
    values: tuple[Value, ...]
    domain: Expr
    is_static: bool
    """Whether its set is the same in every state."""
    is_whole: bool = True
    """Whether *values* are all values it may have, and not only those that can have an effect."""


@dataclass(frozen=True, slots=True)
class MoveCodes:
    """A move and the codes of its calls: from *first* on, mixed radix over its axes."""

    name: str
    axes: tuple[Axis, ...]
    first: int

    @property
    def size(self) -> int:
        return prod(len(axis.values) for axis in self.axes)


@dataclass(frozen=True, slots=True)
class GeneratedCode:
    """Generated code with what is needed to use it."""

    source: str
    tables: tuple[int, ...]
    layout: Layout
    entries: tuple[MoveCodes, ...]
    costly: int | None
    """The code of the input without effect, where it costs the turn."""
    most_moves: int
    outcomes: tuple[Outcome, ...]
    rules: tuple[tuple[str, str], ...]
    guards: int | None


def kept(system: System, cache: Cache | None = None) -> GeneratedCode | None:
    key = fingerprint(system)
    blobs = None if key is None else (cache or standard()).get(key)
    if blobs is None:
        return None
    # The folder holds machine code that is run as it is: whoever can write there is trusted.
    try:
        found = pickle.loads(blobs["emitted"])
    except (AttributeError, ImportError, pickle.UnpicklingError):
        # Values of a kind that is not there any more.
        return None
    return found if isinstance(found, GeneratedCode) else None


def keep(system: System, code: GeneratedCode, cache: Cache | None = None) -> None:
    key = fingerprint(system)
    if key is not None:
        (cache or standard()).put(key, {"emitted": pickle.dumps(code, protocol=5)})


def is_kept(system: System, cache: Cache | None = None) -> bool:
    """Whether something is kept for *system*; a look at the folder, not into the file."""
    key = fingerprint(system)
    return key is not None and (cache or standard()).has(key)


def fingerprint(system: System) -> str | None:
    """What tells the code of *system* from that of any other; ``None`` if that cannot be told."""
    made_by = makers()
    if made_by is None:
        return None
    said = hashlib.sha256()
    for part in _parts(system):
        said.update(part)
    return hashlib.sha256(b"emitted" + made_by + said.digest()).hexdigest()


@functools.cache
def makers() -> bytes | None:
    """A digest of the modules that generate code, if it can be told which were loaded."""
    return digest(Path(__file__).parents[3], before=_BEGUN)


def digest(package: Path, *, before: float) -> bytes | None:
    """A digest of the modules of *package* that generate code; ``None`` where they are no files.

    Also where one was not written *before* a time: a process that began then may have loaded
    another one.
    """
    files = sorted(path for name in _MAKERS for path in (package / name).rglob("*.py"))
    found = hashlib.sha256()
    try:
        for path in files:
            if path.stat().st_mtime >= before:
                return None
            text = path.read_bytes()
            found.update(f"{path.relative_to(package)} {len(text)} ".encode())
            found.update(text)
    except OSError:
        return None
    return found.digest() if files else None


def _parts(value: object) -> Iterator[bytes]:
    """*value* as bytes that are those of no other value, but for where it stands in a text."""
    if isinstance(value, Span):
        yield b"."
    elif isinstance(value, Enum):
        yield _named(type(value)) + value.name.encode() + b";"
    elif dataclasses.is_dataclass(value):
        yield _named(type(value))
        for each in dataclasses.fields(value):
            yield from _parts(getattr(value, each.name))
        yield b")"
    elif isinstance(value, tuple):
        yield b"(%d " % len(value)
        for each in value:
            yield from _parts(each)
    elif isinstance(value, frozenset):
        yield b"{%d " % len(value)
        yield from sorted(b"".join(_parts(each)) for each in value)
    else:
        text = repr(value).encode("utf-8", "surrogatepass")
        yield b"%s%d %s" % (_named(type(value)), len(text), text)


def _named(kind: type[Any]) -> bytes:
    return f"{kind.__module__}.{kind.__qualname__} ".encode()
