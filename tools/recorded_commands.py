"""Which commands are recorded, and of which documents; ``recordings.py`` runs them.

Comes in: the files of the repository. Goes out: documents, and for each a list of commands with
limits that count states, moves and firings, never seconds. Commands that a document's language
does not have are asked too: what they answer is part of the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from tests.support.project import ROOT, TESTS

OUT: Final = "out"
"""The folder for what commands write; what is in it is recorded."""
COMMANDS: Final = (
    *("play", "step", "explain", "check", "readings", "explore", "graph", "solve", "format"),
    *("easel", "export", "net", "repl", "games", "new"),
)
NET_COMMANDS: Final = ("report", "states", "shape", "draw")
_ARC: Final = re.compile(r'\((\d+), "(.*)", (\d+)\)')


class Language(Enum):
    """What a document is written in."""

    SECTIONS = "sections"
    LED = "LED"
    NET = "net"


@dataclass(frozen=True, slots=True)
class Asked:
    """A command with what is typed into it."""

    arguments: tuple[str, ...]
    typed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """A document of which commands are asked."""

    path: Path
    language: Language
    name: str
    """How commands call it: a game of the library, or a path from the root."""
    recorded_as: str

    @property
    def is_library(self) -> bool:
        """Whether it is a game of the library."""
        return self.path.is_relative_to(ROOT / "games") and self.path.stem == self.path.parent.name

    @property
    def is_slow(self) -> bool:
        """Whether fewer commands are asked, as each takes long."""
        return self.path.stem in SLOW

    @property
    def is_very_slow(self) -> bool:
        """Whether only one command of each kind is asked, as reading alone takes long."""
        return self.path.stem in VERY_SLOW

    @property
    def is_small(self) -> bool:
        """Whether it can be solved, so that no advice runs into a limit of time."""
        return self.path.stem in SMALL or self.is_tiny

    @property
    def is_tiny(self) -> bool:
        """Whether it can be solved in a moment, and is proved by searching too."""
        return self.path.stem in TINY


SLOW: Final = frozenset(
    {
        *("four-quadrants", "pawns", "pegs", "tic-tac-toe-led"),
        *("rules-as-written", "rules-with-diagonal", "stacked", "family", "nested"),
        *("pawns-5x3", "printed-lines", "lamps"),
    }
)
VERY_SLOW: Final = frozenset({"boxes", "chain", "flood", "scan", "tiles"})
PLAYS: Final[Mapping[str, tuple[str, ...]]] = {
    "four-quadrants": tuple(
        f"NextPlayerMove({cell})" for cell in ("(4, 1)", "(3, 6)", "(4, 2)", "(3, 5)", "(4, 3)")
    ),
    "pawns": (
        "NextPlayerMove((6, 4), (5, 4))",
        "NextPlayerMove((2, 2), (3, 2))",
        "NextPlayerMove((6, 2), (5, 3))",
        "NextPlayerMove((2, 4), (3, 3))",
    ),
    "pegs": (
        "NextPlayerMove(5, (2, 2))",
        "NextPlayerMove(6, (1, 1))",
        "NextPlayerMove(4, (2, 3))",
        "NextPlayerMove(7, (1, 2))",
    ),
    "tic-tac-toe": tuple(
        f"Mark({cell})" for cell in ("(2, 2)", "(2, 3)", "(2, 1)", "(3, 1)", "(1, 3)", "(3, 2)")
    ),
    "tic-tac-toe-led": ("click(250, 550)", "click(250, 650)", "click(350, 450)", "click(1, 1)"),
    "tic-tac-toe-net": ("m22(0, 0, 0, 0, 0, 0, 0, 0, 0, 1)", "m23(0, 0, 0, 0, 1, 0, 0, 0, 0, 2)"),
}
"""Plays of games whose first states have more moves than the beginning of their graph shows."""
SMALL: Final = frozenset({"tic-tac-toe", "capture"})
TINY: Final = frozenset({"invariant", "naturals", "three-players", "words", "only-latex"})


def subjects() -> list[Subject]:
    """Every document, those of the library first."""
    paths = [*(ROOT / "games").rglob("*"), *(TESTS / "documents").rglob("*")]
    found = [_subject(path) for path in sorted(paths)]
    return sorted(
        (each for each in found if each is not None), key=lambda each: not each.is_library
    )


def _subject(path: Path) -> Subject | None:
    """The document at *path*; ``None`` for what lies beside documents."""
    language = _language(path)
    # Beside an LED program lies the transcript of a session with it.
    is_transcript = path.name == "transcript.txt" or path.with_suffix(".led").is_file()
    is_transcript &= path.suffix == ".txt"
    if language is None or is_transcript or path.name == "README.md":
        return None
    place = path.relative_to(ROOT)
    if path.stem == path.parent.name:
        return Subject(path, language, path.stem, f"library/{path.stem}")
    recorded_as = f"documents/{'-'.join(place.parts[1:])}".replace("documents-", "")
    return Subject(path, language, place.as_posix(), recorded_as)


def _language(path: Path) -> Language | None:
    if path.parent.name == "printed" and path.suffix == ".txt":
        return Language.LED
    return {
        ".md": Language.SECTIONS,
        ".txt": Language.SECTIONS,
        ".tex": Language.SECTIONS,
        ".led": Language.LED,
        ".net": Language.NET,
        ".pnml": Language.NET,
    }.get(path.suffix)


def walk(aut: str, *, longest: int = 4) -> tuple[str, ...]:
    r"""The labels on a way through a graph in the format AUT, which takes a middle arc each time.

    >>> walk('des (0, 3, 3)\n(0, "a()", 1)\n(0, "b()", 2)\n(2, "c()", 1)')
    ('b()', 'c()')
    """
    arcs: dict[str, list[tuple[str, str]]] = {}
    for found in _ARC.finditer(aut):
        if not found[2].startswith("not complete"):
            arcs.setdefault(found[1], []).append((found[2], found[3]))
    at, labels = "0", list[str]()
    while at in arcs and len(labels) < longest:
        label, at = arcs[at][len(arcs[at]) // 2]
        labels.append(label)
    return tuple(labels)


@dataclass(frozen=True, slots=True)
class Plan:
    """A document, and moves that can be made in it one after the other."""

    subject: Subject
    found: tuple[str, ...]
    """Moves that were found; of wide games they are too few."""

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves to be made."""
        return PLAYS.get(self.subject.name, self.found)

    @property
    def first(self) -> str:
        """The first move, or something that is none."""
        return self.moves[0] if self.moves else "1 1"

    def asked(self, command: str, *options: str, typed: Sequence[str] = ()) -> Asked:
        """*command*, whose words stand before the document, and *options* behind it."""
        return Asked((*command.split(), self.subject.name, *options), tuple(typed))

    def both(self, command: str, *options: str, typed: Sequence[str] = ()) -> Iterator[Asked]:
        """The same as text and as JSON."""
        yield self.asked(command, *options, typed=typed)
        yield self.asked(command, *options, "--json", typed=typed)


def first_questions(subject: Subject) -> list[Asked]:
    """What is asked first: the beginning of the graph, whose arcs are moves to be made."""
    states = "15" if subject.is_slow or subject.is_very_slow else "60"
    return [Plan(subject, ()).asked("graph", "--format", "aut", "--states", states)]


def questions(plan: Plan) -> Iterator[Asked]:
    """All other commands that are asked of a document."""
    if plan.subject.is_very_slow:
        yield from _of_each_kind(plan)
        return
    yield from _of_the_text(plan)
    yield from _of_the_space(plan)
    yield from _of_play(plan)
    match plan.subject.language:
        case Language.SECTIONS:
            yield from _of_sections(plan)
        case Language.LED:
            yield from _of_led(plan)
        case Language.NET:
            yield from _of_net(plan)
    if not plan.subject.is_slow:
        yield from _refused(plan)


def _of_each_kind(plan: Plan) -> Iterator[Asked]:
    """One command of each kind."""
    states = ("--states", "100")
    yield plan.asked("explain")
    yield plan.asked("check", *states)
    yield plan.asked("explore", *states, "--threads", "1", "--json")
    yield plan.asked("solve", *states, "--threads", "1")
    yield plan.asked("export", "--to", "latex")
    yield plan.asked("step", *plan.moves[:1])
    yield plan.asked("play", typed=("moves", *plan.moves[:2], "log", "state", "undo"))


def _of_the_text(plan: Plan) -> Iterator[Asked]:
    """What the document says, and how else it can be written."""
    states = ("--states", "100" if plan.subject.is_slow else "300")
    yield plan.asked("explain")
    yield from plan.both("check", *states)
    if plan.subject.name not in LONG_TO_TRY:
        yield plan.asked("readings")
    formats = ("unicode", "ascii", "latex", "led", "pnml", "prod", "dot")
    if plan.subject.is_slow:
        yield plan.asked("format")
        yield plan.asked("export", "--to", "latex")
        return
    yield plan.asked("explain", "--ascii")
    yield plan.asked("explain", "--color", "always", "--strict")
    if plan.subject.language is not Language.NET:
        yield plan.asked("explain", "--as-written")
        yield plan.asked("check", *states, "--one-line", "--as-written")
        yield plan.asked("check", *states, "--one-line", "--strict")
    yield plan.asked("readings", "--json")
    for notation in formats[:3]:
        yield plan.asked("format", "--to", notation)
    for notation in formats[1:]:
        yield plan.asked("export", "--to", notation)
    copy = f"{OUT}/copy{plan.subject.path.suffix}"
    yield Asked(("format", copy, "--write"))
    yield Asked(("check", copy, *states, "--fix"))


def _of_the_space(plan: Plan) -> Iterator[Asked]:
    """States, the graph and the values."""
    is_slow = plan.subject.is_slow
    states = ("--threads", "1", "--states", "100" if is_slow else "300")
    few = ("--states", "12")
    yield plan.asked("explore", *states, "--json", "--rules")
    yield plan.asked("graph", *few)
    yield from plan.both("solve", *states)
    if is_slow:
        yield plan.asked("graph", *few, "--format", "dot")
        return
    yield plan.asked("explore", *states)
    yield plan.asked("explore", *states, "--plays")
    yield from plan.both("explore", "--threads", "1", "--depth", "2", "--plays", "2")
    yield from plan.both("explore", *states, "--symmetry")
    yield plan.asked("explore", *states, "--symmetry", "--symmetry-of", "text")
    yield plan.asked("explore", *states, "--checkpoint", "checkpoint", "--json")
    yield plan.asked("graph", "--states", "300", "--json")
    yield plan.asked("graph", "--depth", "2", "--states", "100", "--components")
    for form in ("dot", "graphml", "svg", "json"):
        yield plan.asked("graph", *few, "--format", form)
    yield plan.asked("graph", *few, "--components", "--format", "dot", "--output", f"{OUT}/g.dot")
    if plan.subject.is_small:
        kept = f"{OUT}/kept"
        yield plan.asked("solve", "--threads", "1", "--verify", "--output", kept)
        yield plan.asked("solve", kept, "--json", "--verify")


def _of_play(plan: Plan) -> Iterator[Asked]:
    """Moves that are made, typed or listed."""
    listed = (*plan.moves, "nonsense 1", plan.first)
    yield plan.asked("step", *plan.moves[:2])
    yield plan.asked("step", plan.first, "nonsense")
    yield plan.asked("play", "--moves", "-", "--json", typed=listed)
    if plan.subject.is_slow:
        return
    yield plan.asked("play", "--moves", "-", "--ascii", typed=listed)
    yield plan.asked("step", *plan.moves[:1], "--ascii")
    yield plan.asked("step", *plan.moves[:1], "--color", "always")


def _of_sections(plan: Plan) -> Iterator[Asked]:
    second = plan.moves[1] if len(plan.moves) > 1 else "2 2"
    saved = f"{OUT}/play.txt"
    yield plan.asked(
        "play",
        typed=(
            *("help", "moves", f"why {plan.first}", "log", plan.first, "log", "state", second),
            *("nonsense", "undo", "redo", "board", "readings", f"save {saved}", "undo"),
            *(f"load {saved}", "load nothing.txt", f"why {plan.first}", "quit"),
        ),
    )
    yield plan.asked(
        "repl",
        typed=(
            *(":help", ":state", "1 + 2 · 3", "{1, 2} ∪ {3}", "∃x ∈ {1, 2}: x > 1", "nonsense("),
            *(plan.first, ":log", ":moves", ":undo", f":why {plan.first}", ":nonsense", ":quit"),
        ),
    )
    yield plan.asked("play", "--opponent", "random", "--seed", "7", typed=(plan.first, "undo"))
    if plan.subject.is_small:
        perfect = ("--opponent", "perfect", "--solution", f"{OUT}/kept")
        yield plan.asked("play", *perfect, typed=("hint", "values", plan.first, "hint", "quit"))
    if plan.subject.is_tiny:
        yield plan.asked("play", "--threads", "1", typed=("hint", "values", plan.first, "hint"))
        yield plan.asked("solve", "--threads", "1", "--no-symmetry", "--json")
        yield plan.asked("repl", typed=(":hint", ":values"))
        for opponent in ("perfect", "search"):
            options = ("--opponent", opponent, "--threads", "1", "--seconds", "1000")
            yield plan.asked("play", *options, typed=(plan.first, "hint", "quit"))


def _of_led(plan: Plan) -> Iterator[Asked]:
    path = plan.subject.path
    yield plan.asked("play", typed=("help", "moves", *plan.moves[:2], "state", "undo", "nonsense"))
    yield plan.asked(
        "repl",
        typed=(
            *(":help", "1 + 2", "pp({1, 2} U {3})", "initialState", "pp(initialState)"),
            *("nonsense(", "nosuchname", ":nonsense", "1/3"),
        ),
    )
    transcripts = (path.with_suffix(".txt"), path.with_name("transcript.txt"))
    for transcript in transcripts:
        if transcript != path and transcript.is_file():
            name = transcript.relative_to(ROOT).as_posix()
            yield plan.asked("repl", "--transcript", name)
    yield plan.asked("easel", "--script", "inputs.txt", "--output", f"{OUT}/frames")
    yield plan.asked("easel", "--script", "inputs.txt", "--json")


def _of_net(plan: Plan) -> Iterator[Asked]:
    transition = plan.first.partition("(")[0]
    saved = f"{OUT}/play.txt"
    yield plan.asked(
        "play",
        typed=(
            *("help", "1", "history", "random 5", "undo 2", "redo", f"why {transition}"),
            *("nonsense", f"save {saved}", "restart", plan.first, f"load {saved}", "quit"),
        ),
    )
    yield plan.asked("play", "--animate", "0", "--steps", "4", "--seed", "3")
    yield plan.asked(
        "repl",
        typed=(
            *("help", "statistics", "look", "succ", "goto 1", "pred", "path 3", "terminal"),
            *("components", "component 0", "traps", "query terminal", "show %1", "!%1", "net"),
            *("nonsense", "goto 999999999", "query nonsense == 1", "quit"),
        ),
    )
    states = ("--states", "2000")
    yield from plan.both("net states", *states, "--threads", "1")
    yield plan.asked("net report", *states, "--most", "5", "--output", "-")
    yield plan.asked("net report", *states, "--most", "5", "--json")
    yield plan.asked("net report", *states, "--output", f"{OUT}/report.txt")
    yield plan.asked("net draw")
    yield plan.asked("net draw", "--output", f"{OUT}/net.dot")


def _refused(plan: Plan) -> Iterator[Asked]:
    """What is for documents in another language."""
    language = plan.subject.language
    if language is not Language.NET:
        yield plan.asked("net states")
        yield plan.asked("net report", "--output", "-")
        yield plan.asked("net draw")
        yield plan.asked("play", "--animate", "0", "--steps", "1")
    if language is not Language.LED:
        yield plan.asked("easel", "--script", "inputs.txt")
        yield plan.asked("repl", "--transcript", "inputs.txt")
    if language is not Language.SECTIONS:
        yield plan.asked("play", "--opponent", "random", "--seed", "7", typed=(plan.first,))
    yield plan.asked("explain", "--reading", "nonsense")


WITHOUT_DOCUMENT: Final = (
    Asked(("--help",)),
    Asked(("--version",)),
    *(Asked((command, "--help")) for command in COMMANDS),
    *(Asked(("net", command, "--help")) for command in NET_COMMANDS),
    *(Asked((command,)) for command in ("play", "net", "net states", "new")),
    *(Asked((command, "no-such-game")) for command in ("play", "check", "repl", "easel")),
    Asked(("explian",)),
    Asked(("solve", "tic-tac-to")),
    Asked(("explain", "games")),
    Asked(("explain", "Z301")),
    Asked(("explain", "Z402", "--ascii")),
    Asked(("explain", "Z999")),
    Asked(("games",)),
    Asked(("games", "--json")),
    Asked(("new", f"{OUT}/new.md")),
    Asked(("new", f"{OUT}/new.md")),
    Asked(("check", f"{OUT}/new.md", "--states", "300")),
    Asked(("explore", f"{OUT}/new.md", "--states", "300", "--threads", "1")),
    Asked(("check", "-"), ("System Variables", "  x ∈ {1..3}", "System Initialization", "  x = 9")),
    Asked(("check", "-", "--json"), ("",)),
    Asked(("play", "tic-tac-toe", "--json")),
    Asked(("play", "tic-tac-toe", "--solution", "nothing")),
    Asked(("play", "tic-tac-toe", "--opponent", "random", "--as", "Z")),
    Asked(("graph", "tic-tac-toe", "--json", "--format", "dot")),
    Asked(("explore", "tic-tac-toe", "--plays", "x")),
    Asked(("explore", "tic-tac-toe", "--rules", "--symmetry")),
    Asked(("solve", "tic-tac-toe", "nothing")),
    Asked(("solve", "tic-tac-toe", "--memory", "much")),
    Asked(("export", "tic-tac-toe")),
    Asked(("easel", "tic-tac-toe-led", "--json")),
)

_NET: Final = "games/tic-tac-toe-net"
_SHAPED: Final = ("--mapping", f"{_NET}/board.toml")
LONG_TO_TRY: Final = ("pawns", "pegs")
"""Games with so many readings that trying them takes long."""
LONG: Final = (
    Asked(("readings", "pawns")),
    *(Asked(("readings", game, "--json")) for game in ("pegs", "four-quadrants")),
    *(
        Asked(("explore", game, "--symmetry", "--states", "300", "--threads", "1"))
        for game in (*LONG_TO_TRY, "four-quadrants")
    ),
    Asked(("play", "tic-tac-toe", "--threads", "1"), ("hint", "values")),
    Asked(("net", "shape", "tic-tac-toe-net", "--game", f"{_NET}/rules-as-written.md", *_SHAPED)),
    Asked(
        (
            *("net", "shape", "tic-tac-toe-net", "--game", f"{_NET}/rules-with-diagonal.md"),
            *(*_SHAPED, "--json"),
        )
    ),
    Asked(
        (
            *("net", "shape", f"{_NET}/tic-tac-toe-diagonal.net"),
            *("--game", f"{_NET}/rules-with-diagonal.md", *_SHAPED),
        )
    ),
)
"""Commands on games of the library that take too long for `./check`."""
