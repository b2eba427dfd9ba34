"""A language in which documents are written, as one row of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from pathlib import Path
from typing import Protocol, TypeAlias

from zermelo.core.limits import Announce, Limits, Listener
from zermelo.core.machine import Machine
from zermelo.core.model import Model, WrittenDocument
from zermelo.core.observation import Observation, Settlement, Verdict
from zermelo.core.services import Engines
from zermelo.core.signature import Reading
from zermelo.core.state import State
from zermelo.text import budget
from zermelo.text.diagnostic import Checked, Diagnostic, Json
from zermelo.text.editing import SourceToken, TypedSymbol
from zermelo.text.prose import Line
from zermelo.text.source import Source

OptionValue: TypeAlias = str | int | float | bool | Path | None


class OptionKind(Enum):
    """What the value of an option is."""

    FLAG = "flag"
    COUNT = "count"
    """A whole number from 1 on."""
    NUMBER = "number"
    """A whole number from 0 on."""
    SECONDS = "seconds"
    TEXT = "text"
    CHOICE = "choice"
    EXISTING_FILE = "existing file"
    DOCUMENT = "document"
    """Another document, which the face loads."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command."""

    name: str
    """The name under which the command finds its value."""
    flags: tuple[str, ...]
    kind: OptionKind
    help: str
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class OtherDocument:
    """A document that an option names, loaded."""

    name: str
    file: str
    """What it is called in messages."""
    model: Model


@dataclass(frozen=True, slots=True)
class Call:
    """A command that was asked for."""

    document: str
    """The document as it was named; ``-`` is standard input."""
    source: Source
    model: Model
    options: Mapping[str, OptionValue | OtherDocument]
    engines: Engines
    listener: Listener
    threads: int
    """How many threads there are for the asking."""
    announce: Announce | None = None
    """Is told from where a run goes on that was kept."""

    def text(self, name: str) -> str | None:
        value = self.options.get(name)
        return value if isinstance(value, str) else None

    def number(self, name: str) -> int | None:
        value = self.options.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def seconds(self, name: str) -> float | None:
        value = self.options.get(name)
        return float(value) if isinstance(value, int | float) else None

    def limits(self) -> Limits:
        """What its options *states* and *seconds* allow, from the beginning of the command on."""
        watch = budget.watch()
        return Limits(
            states=self.number("states"),
            seconds=self.seconds("seconds"),
            began=None if watch is None else watch.began,
        )

    def is_set(self, name: str) -> bool:
        return self.options.get(name) is True


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command says; a face shows it."""

    lines: tuple[Line, ...] = ()
    json: Json = None
    """Printed instead of the lines, if it is there."""
    text: str | None = None
    """A file's content, which goes to standard output as it is."""
    files: Mapping[str, str] = field(default_factory=dict)
    """What is to be written, by the name of the file; said after the lines."""
    picture: str | None = None
    """The document is to be drawn in this form, and"""
    picture_file: str | None = None
    """written into this file instead of printed."""
    notes: tuple[Line, ...] = ()
    """What goes to standard error."""
    is_wrong: bool = False
    """Whether something does not hold."""
    kept_in: str | None = None
    """The folder in which what was found is kept, if it is, and"""
    cut: str | None = None
    """why the run that goes on from there stopped."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a language: ``zermelo GROUP NAME DOCUMENT``."""

    group: str
    name: str
    help: str
    """The first sentence is its summary."""
    examples: tuple[str, ...]
    run: Callable[[Call], Answer]
    options: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """How a document is to be read."""

    given: Mapping[str, str] = field(default_factory=dict)
    """The readings that the caller chose."""
    as_written: bool = False
    """Whether the document's errata are left out."""
    path: Path | None = None
    """Where the document stands, if it is a file; others may stand beside it."""
    plays: bool = True
    """Whether a program is played to find out what it leaves open."""
    reading_file: Source | None = None
    """What the file beside the document says of how it is read, if there is one."""


class Draft(Protocol):
    """A document that was read, and whose open readings are to be tried by playing."""

    @property
    def readings(self) -> tuple[Reading, ...]:
        """What it leaves open, with the usual choices."""
        ...

    def machine(self, choices: Mapping[str, str]) -> Machine | None:
        """What runs under these *choices*; ``None`` when nothing does."""
        ...

    def judge(
        self,
        machine: Machine,
        *,
        flags: frozenset[str],
        seen: Observation,
        kept: Observation | None,
    ) -> Verdict:
        """What speaks against *machine*, of which this was *seen*.

        *flags* guide the rules of one turn only; *kept* was observed with their values kept.
        """
        ...

    def flags_seen(
        self, observation: Observation, candidates: Iterable[str], *, initial: State
    ) -> frozenset[str]:
        """Which of the *candidates* only guide the rules of one turn."""
        ...

    def seen_changing(self, observation: Observation) -> frozenset[str]:
        """The variables that got another value in some turn, if only in passing."""
        ...

    def settled(
        self, settlement: Settlement, observe: Callable[[Machine], Observation]
    ) -> Checked[Model]:
        """The model with the choices of *settlement*; *observe* plays a machine for a while."""
        ...


@dataclass(frozen=True, slots=True)
class Understood:
    """What was made of a document; a draft is settled by playing it."""

    model: Model | None
    diagnostics: tuple[Diagnostic, ...] = ()
    draft: Draft | None = None
    document: WrittenDocument | None = None
    """What was written, where it was read as far as that."""


def no_tokens(source: Source) -> tuple[SourceToken, ...]:  # noqa: ARG001 - for those that have some
    """What a language says that is not shown in colours."""
    return ()


def no_symbols() -> tuple[TypedSymbol, ...]:
    """What a language says whose signs are on every keyboard."""
    return ()


@dataclass(frozen=True, slots=True)
class Language:
    """What the rest of the program knows of a language."""

    read: Callable[[Source, Request], Understood]
    commands: tuple[Command, ...] = ()
    """What can be asked of its documents only."""
    forms: tuple[str, ...] = ()
    """What its documents only can be written as."""
    takes_reading_file: bool = False
    """Whether a file beside the document may say how it is read."""
    refusal: str = ""
    """What is said of a document *name* in another language that was asked for one of these."""
    tokens: Callable[[Source], tuple[SourceToken, ...]] = no_tokens
    """What stands where in a text, however broken that is, for whoever shows it in colours."""
    symbols: Callable[[], tuple[TypedSymbol, ...]] = no_symbols
    """The signs that are typed by a name."""


class Likeness(IntEnum):
    """How much a text looks as if it was written in a language; the most like it is read so."""

    NONE = 0
    DEFAULT = 1
    ENDING = 2
    """Only the name of its file says so."""
    LOOSE = 3
    DIRECTIVES = 4
    HEADINGS = 5
    MARKED = 6
    CERTAIN = 7
