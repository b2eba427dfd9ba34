"""What is generated for a system, and where it is kept beside the compiled code.

A system that was compiled before needs no emitter: its code is read, and the object code found by
it. A fingerprint is made of everything that the system says, readings included, and of the modules
that generate code, so that no code outlives either of them. Nothing here loads what generates code.

What the system itself tells is not kept: the names of its moves and rules, the layout of its
states. The rest is data and nothing that could be run: a line of JSON, and the numbers of the
tables as bytes. It is taken for what it should be only after all of it was looked at.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import sys
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate
from math import prod
from pathlib import Path
from typing import Any, Final, TypeAlias

from zermelo.core.layout import Layout
from zermelo.core.machine import Ending, Outcome
from zermelo.core.values import MOST_LISTED, Value
from zermelo.fast.cache import Cache, standard
from zermelo.files.program import digest_of_modules
from zermelo.languages.sections.ir import NoEffect, Procedure, System
from zermelo.languages.sections.walk import rules_of
from zermelo.packing.json_values import Unfit, expect, expect_list, from_json, to_json
from zermelo.text.diagnostic import Json
from zermelo.text.source import Span

MOST_MOVES: Final = MOST_LISTED
MOST_RULES: Final = 62
_MAKERS: Final = ("core", "packing", "languages")
"""The packages whose code decides what is generated."""

Universes: TypeAlias = tuple[tuple[Value, ...], ...]
"""The values that each parameter of a move may have, in canonical order."""


@dataclass(frozen=True, slots=True)
class MoveCodes:
    """A move and the codes of its calls: from *first* on, mixed radix over its parameters."""

    name: str
    values: Universes
    first: int

    @property
    def size(self) -> int:
        return prod(map(len, self.values))


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


@dataclass(frozen=True, slots=True)
class ClaimCode:
    """The code that tells which claims are broken in a state.

    ``broken(tab, row)`` gives them as bits by their numbers. Behind the packed state *row* has what
    its moves tell, packed as *moves* says, where a property asks for it.
    """

    source: str
    tables: tuple[int, ...]
    moves: Layout | None


def assembled(
    system: System,
    layout: Layout,
    *,
    source: str,
    tables: tuple[int, ...],
    universes: Sequence[Universes],
    outcomes: tuple[Outcome, ...],
    guards: int | None = None,
) -> GeneratedCode:
    """Code of *system* with what the system tells of it; *universes* are those of its moves."""
    *firsts, total = accumulate((prod(map(len, each)) for each in universes), initial=0)
    return GeneratedCode(
        source=source,
        tables=tables,
        layout=layout,
        entries=tuple(
            MoveCodes(move.name, values, first)
            for move, values, first in zip(moves(system), universes, firsts, strict=True)
        ),
        costly=total if system.no_effect is NoEffect.COSTS_THE_TURN else None,
        most_moves=total + 1,
        outcomes=outcomes,
        rules=rules(system),
        guards=guards,
    )


def moves(system: System) -> list[Procedure]:
    """The moves of *system*; their canonical order is that of their names, then of arguments."""
    return sorted(system.moves, key=lambda each: each.name)


def rules(system: System) -> tuple[tuple[str, str], ...]:
    """The rules that are counted as they fire; none where they are too many for one number."""
    found = tuple((p.name, rule.label) for p in system.procedures for rule in rules_of(p.body))
    return found if len(found) <= MOST_RULES else ()


def kept(system: System, layout: Layout, cache: Cache | None = None) -> GeneratedCode | None:
    """The code that is kept for *system*, whose states have this *layout*."""
    key = fingerprint(system)
    content = None if key is None else (cache or standard()).get(key)
    return None if content is None else decoded(system, layout, content)


def keep(system: System, code: GeneratedCode, cache: Cache | None = None) -> None:
    key = fingerprint(system)
    if key is not None:
        (cache or standard()).put(key, encoded(code))


def is_kept(system: System, cache: Cache | None = None) -> bool:
    """Whether something is kept for *system*; a look at the folder, not into the file."""
    key = fingerprint(system)
    return key is not None and (cache or standard()).has(key)


# What is kept, as bytes


def encoded(code: GeneratedCode) -> bytes:
    """*code* as bytes, but for what the system tells."""
    said = [
        code.source,
        [[[to_json(v) for v in values] for values in entry.values] for entry in code.entries],
        [_outcome_to_json(outcome) for outcome in code.outcomes],
    ]
    return json.dumps(said).encode() + b"\n" + _swapped(array("q", code.tables)).tobytes()


def decoded(system: System, layout: Layout, content: bytes) -> GeneratedCode | None:
    """The code that was made into *content*; ``None`` if that is not code for *system*."""
    line, _, numbers = content.partition(b"\n")
    tables = array("q")
    try:
        source, universes, outcomes = expect_list(json.loads(line), 3)
        # The numbers of the tables are whatever eight bytes can be.
        tables.frombytes(numbers)
        return assembled(
            system,
            layout,
            source=expect(str, source),
            tables=tuple(_swapped(tables)),
            universes=_universes_from_json(system, universes),
            outcomes=tuple(map(_outcome_from_json, expect_list(outcomes))),
        )
    except (Unfit, ValueError, RecursionError):
        return None


def _universes_from_json(system: System, data: Json) -> list[Universes]:
    found = []
    called = moves(system)
    for move, axes in zip(called, expect_list(data, len(called)), strict=True):
        lists = [expect_list(values) for values in expect_list(axes, len(move.parameters))]
        found.append(tuple(tuple(map(from_json, values)) for values in lists))
    if sum(prod(map(len, values)) for values in found) > MOST_MOVES:
        raise Unfit
    return found


def _outcome_to_json(outcome: Outcome) -> Json:
    result = [] if outcome.result is None else [to_json(outcome.result)]
    return [outcome.ending.value, outcome.winners, outcome.losers, result]


def _outcome_from_json(data: Json) -> Outcome:
    ending, winners, losers, result = expect_list(data, 4)
    return Outcome(
        Ending(expect(str, ending)),
        tuple(expect(str, name) for name in expect_list(winners)),
        tuple(expect(str, name) for name in expect_list(losers)),
        from_json(expect_list(result, 1)[0]) if expect_list(result) else None,
    )


def _swapped(numbers: array[int]) -> array[int]:
    """*numbers*, the bytes of each turned round where the machine has its highest byte first."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


# By what it is kept


def fingerprint(system: System) -> str | None:
    """What tells the code of *system* from that of any other; ``None`` if that cannot be told."""
    made_by = makers()
    if made_by is None:
        return None
    said = hashlib.sha256()
    # What is asked of states changes none of them.
    for part in _parts(dataclasses.replace(system, properties=(), suspicions=(), intended=())):
        said.update(part)
    return hashlib.sha256(b"emitted" + made_by + said.digest()).hexdigest()


@functools.cache
def makers() -> bytes | None:
    """A digest of the modules that generate code, if it can be told which were loaded."""
    package = Path(__file__).parents[3]
    files = (path for name in _MAKERS for path in (package / name).rglob("*.py"))
    return digest_of_modules(package, files)


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
