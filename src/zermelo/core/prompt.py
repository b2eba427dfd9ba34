"""The one prompt: what somebody types is looked up in a table of commands, or answered as it is.

A word means the same at every prompt, with and without a colon before it. Without one, a
name of the document comes first. Lines that begin with ``#`` are comments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias, assert_never

from zermelo.core.picture import Picture
from zermelo.core.signature import OF_GAMES, Nouns
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.errors import MoveNotUnderstood, UsageError, nearest
from zermelo.text.prose import Line, Piece, Tone, line
from zermelo.text.source import Source


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Text that is shown as it is and not broken, so that it can be compared."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Short texts, as many in a row as there is room for."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TwoColumns:
    """Rows of two pieces each, the second ones below each other."""

    rows: tuple[tuple[Piece, Piece], ...]


@dataclass(frozen=True, slots=True)
class TypedRemarks:
    """What is wrong with a text that was typed, with the places."""

    diagnostics: tuple[Diagnostic, ...]
    source: Source


@dataclass(frozen=True, slots=True)
class FilmStep:
    """One step of many: where it can be, it is shown for a moment in place of the one before."""

    shown: tuple[Shown, ...]
    is_last: bool = False


Shown: TypeAlias = Line | Picture | Verbatim | SideBySide | TwoColumns | TypedRemarks | FilmStep


@dataclass(frozen=True, slots=True)
class PromptCommand:
    """Something that can be typed besides what a document gives names to."""

    name: str
    usage: str
    summary: str
    run: Callable[[str], Iterable[Shown]]
    """The answer, given what follows the name; a ``UsageError`` is shown as one."""
    other_names: tuple[str, ...] = ()


class Interaction(Protocol):
    """What is particular to a prompt."""

    @property
    def prompt(self) -> str: ...

    @property
    def forms(self) -> tuple[tuple[str, str], ...]:
        """What can be typed that is no command, each with a summary."""
        ...

    @property
    def commands(self) -> tuple[PromptCommand, ...]: ...

    def greeting(self, *, invites: bool) -> Iterable[Shown]:
        """What is said at first; *invites* where a person is there to type."""
        ...

    def claims(self, text: str) -> bool:
        """Whether *text*, which begins with the name of a command, speaks of the document."""
        ...

    def completions(self) -> Iterable[str]:
        """What makes sense to type here besides commands: moves, and names of the document."""
        ...

    def answer(self, text: str) -> Iterable[Shown] | None:
        """The answer to *text*, which is no command; ``None`` if it should have been one."""
        ...


# The words that mean the same at every prompt: how they are typed, and what they do.
_SHARED: Final[Mapping[str, tuple[str, str]]] = {
    "moves": ("moves", "the moves that are possible"),
    "hint": ("hint", "the best move that is known, and what it is worth"),
    "values": ("values", "every move, and what it is worth"),
    "why": ("why MOVE", "why a move can or cannot be made"),
    "log": ("log", "what was done last, step by step, also for a refused move"),
    "history": ("history", "the moves so far"),
    "state": ("state", "the present state in full"),
    "board": ("board", "the position again"),
    "undo": ("undo [N]", "take the last move back, or the last N"),
    "redo": ("redo [N]", "make it again"),
    "restart": ("restart", "back to the first state"),
    "random": ("random [N]", "make moves by lot, N of them; each is shown"),
    "rules": ("rules", "what the document says, in plain words"),
    "readings": ("readings", "what was decided where the document is open"),
    "save": ("save FILE", "write the play to a file"),
    "load": ("load FILE", "go on with a play from a file"),
    "help": ("help", "this"),
    "quit": ("quit", "leave; so does the end of input"),
}
_OTHER_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "board": ("b",),
    "help": ("h", "?"),
    "quit": ("q", "exit"),
}


def shared_command(
    name: str,
    run: Callable[[str], Iterable[Shown]],
    *,
    nouns: Nouns = OF_GAMES,
    summary: str | None = None,
) -> PromptCommand:
    """The command that is called *name* at every prompt; a *summary* of its own says more.

    >>> shared_command("undo", lambda _: (), nouns=Nouns("marking", "firing")).summary
    'take the last firing back, or the last N'
    """
    usage, usual = _SHARED[name]
    return PromptCommand(
        name,
        usage.replace("MOVE", nouns.move.upper()),
        nouns.renamed(usual) if summary is None else summary,
        run,
        _OTHER_NAMES.get(name, ()),
    )


def number_typed(text: str, *, most: int = 100_000) -> int:
    """How often *text*, which follows a command, asks for it; ``UsageError`` if it does not.

    >>> number_typed(""), number_typed("3")
    (1, 3)
    """
    if not text:
        return 1
    if not text.isdecimal() or int(text[:9]) > most:
        raise UsageError(f"`{text}` is no number up to {most:,}")
    return int(text)


class Prompt:
    """Answers one line after the other."""

    def __init__(self, interaction: Interaction) -> None:
        self.interaction = interaction
        self.is_left = False
        self._commands: tuple[PromptCommand, ...] = (
            *interaction.commands,
            shared_command("help", self._help),
            shared_command("quit", self._quit),
        )
        self._by_name = {
            name: each for each in self._commands for name in (each.name, *each.other_names)
        }

    def answer(self, typed: str) -> Iterator[Shown]:
        """The answer to a line; parts of it come as soon as they are known."""
        text = typed.strip()
        if not text or text.startswith("#"):
            return
        try:
            yield from self._answer(text)
        except MoveNotUnderstood as error:
            word = text.partition(" ")[0].lower()
            near = () if word in self._by_name else nearest(word, self._names)
            hint = f" If it was a command, did you mean `{near[0]}`?" if near else ""
            yield line(Piece(_sentence(error), Tone.BAD), hint)
        except UsageError as error:
            yield line(Piece(_sentence(error), Tone.BAD))

    def completions(self, start: str) -> list[str]:
        """What a line that begins with *start* may go on to be: commands, and what fits here."""
        wanted = start.casefold()
        known = (*self._names, *self.interaction.completions())
        return [each for each in dict.fromkeys(known) if each.casefold().startswith(wanted)]

    def ask(self, typed: str) -> str:
        """The answer to a line as plain text, without pictures."""
        return "\n".join(_texts(self.answer(typed)))

    def _answer(self, text: str) -> Iterable[Shown]:
        colon = ":" if text.startswith(":") else ""
        word, _, rest = text.removeprefix(":").partition(" ")
        command = self._by_name.get(word.lower())
        if command is not None and (colon or not self.interaction.claims(text)):
            return command.run(rest.strip())
        answer = None if colon else self.interaction.answer(text)
        return (self._unknown(word, colon),) if answer is None else answer

    def _unknown(self, word: str, colon: str) -> Line:
        near = nearest(word.lower(), self._names)
        hint = f"did you mean `{colon}{near[0]}`?" if near else f"see `{colon}help`."
        return line(Piece(f"There is no command `{colon}{word}`; {hint}", Tone.BAD))

    @property
    def _names(self) -> list[str]:
        return [each.name for each in self._commands]

    def _help(self, _: str) -> Iterator[Shown]:
        rows = [
            *self.interaction.forms,
            *((each.usage, each.summary) for each in self._commands),
        ]
        size = max(len(usage) for usage, _ in rows)
        for usage, summary in rows:
            yield line(
                Piece(f"{usage:{size}}", Tone.STRONG), f"  {summary}", indent=2, hang=size + 2
            )
        yield line(
            "A command may begin with a colon, as in `:help`; it must where the document has "
            "something of that name."
        )

    def _quit(self, _: str) -> Iterable[Shown]:
        self.is_left = True
        return ()


def _texts(answer: Iterable[Shown]) -> Iterator[str]:
    for part in answer:
        match part:
            case Line() | Verbatim():
                yield part.text
            case SideBySide(texts):
                yield from (f"  {text}" for text in texts)
            case TwoColumns(rows):
                yield from (f"  {first.text}  {second.text}" for first, second in rows)
            case TypedRemarks(diagnostics, _):
                yield from (each.message for each in diagnostics)
            case FilmStep(shown, _):
                yield from _texts(shown)
            case Picture():
                pass
            case _:
                assert_never(part)


def _sentence(error: UsageError) -> str:
    said = str(error)
    return said if said.endswith("?") else f"{said}."


# Transcripts: what was typed, what was answered, and whether it still is

# What stands between the lines of a session and belongs to none: rules, fences, timings.
_BETWEEN: Final = re.compile(r"\s*|[-=_*~ ]{3,}|```.*|\w+ engine took.*")


@dataclass(frozen=True, slots=True)
class Exchange:
    """A line that was typed, and the answer to it."""

    line: int
    """The number of the line, from 1."""
    typed: str
    answer: str | None
    """``None`` if the transcript does not show one."""


@dataclass(frozen=True, slots=True)
class AnswerDifference:
    """An answer that is not the one in the transcript."""

    exchange: Exchange
    answer: str


def exchanges(text: str, prompt: str) -> list[Exchange]:
    r"""What was typed behind a *prompt* and answered in *text*; everything else is passed over.

    >>> exchanges('Tests\n-----\ncmd:>pp(a)\n"1"\n\nLED engine took: 43 secs.\n', "cmd:>")
    [Exchange(line=3, typed='pp(a)', answer='"1"')]
    """
    found: list[Exchange] = []
    rows = text.splitlines()
    at = 0
    while at < len(rows):
        row = rows[at].strip()
        at += 1
        if not row.startswith(prompt):
            continue
        start = at
        while at < len(rows) and not _is_end(rows[at], prompt):
            at += 1
        answer = "\n".join(each.rstrip() for each in rows[start:at])
        found.append(Exchange(start, row.removeprefix(prompt).strip(), answer or None))
    return found


def _is_end(row: str, prompt: str) -> bool:
    return row.strip().startswith(prompt) or _BETWEEN.fullmatch(row) is not None


def differences(
    session: Iterable[Exchange], answer: Callable[[str], str]
) -> Iterator[AnswerDifference]:
    """Where *answer* says something else than *session*, one after the other."""
    for exchange in session:
        said = answer(exchange.typed)
        if exchange.answer is not None and said != exchange.answer.strip():
            yield AnswerDifference(exchange, said)
