"""The stages joined up: from a text that a person wrote to a machine that plays.

A fault in a document never raises: what there is to say is in ``diagnostics``,
and the game has no system if nothing could be made of the document. Playing
with a system is a matter of four questions:

    >>> game = load_text('''
    ... Applicable Sets
    ...   H : {0..3}
    ...   B : {true, false}
    ... System Variables
    ...   heap ∈ H
    ...   first, over ∈ B
    ... System Facts
    ...   over ↔ (heap = 0)
    ... System Initialization
    ...   heap = 3
    ...   first = true
    ... System States and Behavior
    ... Take(n ∈ {1, 2})
    ...   n ≤ heap → heap = heap − n ∧ first = ¬first
    ... GameOver(over)
    ...   result ∈ {first wins, second wins}
    ...   over ∧ first → result = second wins
    ...   over ∧ ¬first → result = first wins
    ... ''')
    >>> machine = game.machine
    >>> print(machine.initial)
    heap = 3, first = true, result = unset
    >>> [str(move) for move in machine.legal(machine.initial)]
    ['Take(1)', 'Take(2)']
    >>> state = machine.after(machine.initial, Move("Take", (2,)))
    >>> print(machine.after(state, Move("Take", (1,))))
    heap = 0, first = true, result = second wins
    >>> explore(game).by_depth
    (1, 2, 2, 1)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from zermelo.core import ir
from zermelo.core.interpreter import Interpreter
from zermelo.core.ir import Player, Reading, System
from zermelo.core.machine import Machine, Move, Outcome, State
from zermelo.core.values import Value
from zermelo.engines import explore as exploring
from zermelo.engines import findings
from zermelo.engines.as_json import reading_json, row_json, space_json
from zermelo.engines.check import DEFAULT_LIMITS, Checkup
from zermelo.engines.check import check as check_by_playing
from zermelo.engines.explore import PlayCounts, Space
from zermelo.engines.observe import Effort, Observation, observe
from zermelo.engines.progress import Listener, Progress
from zermelo.engines.trial import FLAG, Row, Trials
from zermelo.engines.walk import UNLIMITED, Limits
from zermelo.meaning import players, readings, sections
from zermelo.meaning.items import items
from zermelo.meaning.readings import Choice
from zermelo.syntax import document_printer, lexer, parser, tree
from zermelo.syntax.dialects import detect
from zermelo.syntax.dialects import sections as dialect
from zermelo.syntax.printer import Notation
from zermelo.text import codes, fixes, render
from zermelo.text.diagnostic import Checked, Diagnostic, Severity
from zermelo.text.errors import DocumentNotUsable, UsageError
from zermelo.text.render import Json
from zermelo.text.source import Source, Span
from zermelo.text.suggest import nearest

__all__ = [
    "Diagnostic",
    "Game",
    "LibraryGame",
    "Limits",
    "Machine",
    "Move",
    "Notation",
    "Outcome",
    "PlayCounts",
    "Player",
    "Progress",
    "Reading",
    "Report",
    "Row",
    "Space",
    "State",
    "System",
    "Value",
    "check",
    "exit_code",
    "explore",
    "expression",
    "find",
    "fixed",
    "format_text",
    "games",
    "load",
    "load_bytes",
    "load_text",
    "our_fault",
    "page",
    "plays",
    "reading_json",
    "readings_table",
    "row_json",
    "space_json",
]

_TURNS_FOR_PLAYERS = Effort(states=40, turns=200, plays=4, tries=500)


@dataclass(frozen=True)
class Game:
    """A document, what was made of it, and what there is to say about it."""

    source: Source
    system: System | None
    """``None`` when nothing could be made of the document."""
    diagnostics: tuple[Diagnostic, ...] = ()
    given: Mapping[str, str] = field(default_factory=dict)
    """The readings that the caller chose."""
    as_written: bool = False
    """Whether the document's errata are left out."""
    document: tree.Document | None = field(default=None, repr=False, compare=False)
    trials: Trials | None = field(default=None, repr=False, compare=False)
    """The other ways to read the document."""

    @property
    def name(self) -> str:
        """What the document calls itself, or else the name of its file."""
        return self.source.name if self.system is None else self.system.name

    @property
    def is_loaded(self) -> bool:
        """Whether there is a system."""
        return self.system is not None

    @cached_property
    def machine(self) -> Machine:
        """The system, running; raises ``DocumentNotUsable`` if there is none."""
        return Interpreter(_system(self))

    @property
    def readings(self) -> tuple[Reading, ...]:
        """What the document leaves open, and how it is read."""
        return () if self.system is None else self.system.readings

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players."""
        return () if self.system is None else tuple(each.name for each in self.system.players)

    def to_json(self) -> dict[str, Json]:
        """What was made of the document, as JSON values."""
        moves = () if self.system is None else self.system.moves
        return {
            "loaded": self.is_loaded,
            "name": self.name,
            "diagnostics": [render.as_json(each, self.source) for each in self.diagnostics],
            "readings": [reading_json(each) for each in self.readings],
            "players": list(self.players),
            "moves": [
                {"name": move.name, "parameters": [each.name for each in move.parameters]}
                for move in moves
            ],
        }


@dataclass(frozen=True, slots=True)
class Report:
    """What there is to say about a game, what playing it showed included."""

    game: Game
    diagnostics: tuple[Diagnostic, ...]
    checkup: Checkup | None
    """What playing showed; ``None`` when there is no system."""

    @property
    def is_complete(self) -> bool:
        """Whether every reachable state was looked at."""
        return self.checkup is not None and self.checkup.is_complete

    @property
    def is_in_spite_of_errors(self) -> bool:
        """Whether a part of the document could not be used, so that playing shows less of it.

        What may be a mere consequence of that, as a rule that never fired, is not said.
        """
        return self.checkup is not None and _has_lost_something(self.diagnostics)

    def to_json(self) -> dict[str, Json]:
        """The report as JSON values."""
        said = [render.as_json(each, self.game.source) for each in self.diagnostics]
        space = None if self.checkup is None else space_json(self.checkup.space)
        return {**self.game.to_json(), "diagnostics": said, "space": space}


@dataclass(frozen=True, slots=True)
class LibraryGame:
    """A game that comes with the package."""

    name: str
    path: Path
    """Its document."""
    summary: str
    """What it is, in one sentence."""


# Loading


def load(
    name: str | Path, *, readings: Mapping[str, str] | None = None, as_written: bool = False
) -> Game:
    """The game in the file *name*, or the game of the library that is called *name*.

    *readings* decides what the document leaves open, by the name of the reading;
    *as_written* leaves its errata out.
    """
    path = Path(name)
    if not path.is_file():
        path = find(str(name)).path
    return load_bytes(path.read_bytes(), name=path.name, readings=readings, as_written=as_written)


def load_bytes(
    data: bytes,
    *,
    name: str,
    readings: Mapping[str, str] | None = None,
    as_written: bool = False,
) -> Game:
    """The game in *data*, which is what a file called *name* holds."""
    checked = detect.decode(data, name)
    return _load(checked, name=name, given=readings or {}, as_written=as_written)


def load_text(
    text: str,
    *,
    name: str = "document.md",
    readings: Mapping[str, str] | None = None,
    as_written: bool = False,
) -> Game:
    """The game that *text* describes; *name* is what messages call it."""
    checked = detect.accept(text, name)
    return _load(checked, name=name, given=readings or {}, as_written=as_written)


def games() -> tuple[LibraryGame, ...]:
    """The games of the library, by name."""
    folder = _data("games")
    return tuple(
        LibraryGame(each.name, each / f"{each.name}.md", _summary(each))
        for each in sorted(folder.iterdir() if folder.is_dir() else ())
        if (each / f"{each.name}.md").is_file()
    )


def find(name: str) -> LibraryGame:
    """The game of the library called *name*; raises ``UsageError`` if there is none."""
    known = {each.name: each for each in games()}
    if name in known:
        return known[name]
    near = nearest(name, known)
    listed = ", ".join(near or known) or "none"
    raise UsageError(
        f"there is no file and no game of the library called `{name}`; "
        f"{'near it' if near else 'the library has'}: {listed}"
    )


def _load(
    checked: Checked[Source], *, name: str, given: Mapping[str, str], as_written: bool
) -> Game:
    source = checked.value
    if source is None:
        return Game(Source(name, ""), None, checked.diagnostics, given, as_written)
    kind = detect.dialect(source)
    if kind is not detect.Dialect.SECTIONS:
        said = (*checked.diagnostics, detect.not_readable(kind))
        return Game(source, None, said, given, as_written)
    parsed = dialect.parse(source, as_written=as_written)
    caller = readings.from_caller(given)
    said = (*checked.diagnostics, *parsed.diagnostics, *caller.diagnostics)
    if parsed.value is None:
        return Game(source, None, said, given, as_written)
    build = _Builder(parsed.value, source, caller.value or {}, said=said)
    trials = Trials(build)
    meant = _settled(build, trials)
    build.like = meant.value
    said = tuple(dict.fromkeys((*said, *meant.diagnostics)))
    return Game(source, meant.value, said, given, as_written, parsed.value, trials)


def _settled(build: _Builder, trials: Trials) -> Checked[System]:
    """What a document means, with what is open decided by playing."""
    first = build.meaning({})
    if first.value is None:
        return first
    settled = trials.settle(first.value.readings)
    found = {
        name: Choice(choice, readings.PLAY, reason=settled.reasons.get(name, ""))
        for name, choice in settled.choices.items()
    }
    final = build.meaning(found) if found else first
    if final.value is None:
        return final
    system = _without_ordinary(final.value)
    said = (
        *final.diagnostics,
        *_in_spite_of(build.said + final.diagnostics, findings.of_settlement(system, settled)),
        *findings.of_start(Interpreter(system)),
    )
    given = build.given(found)
    named = players.infer(system, _turns(system, settled.seen, given=given), given=given)
    return Checked(named.value, (*said, *named.diagnostics))


def _without_ordinary(system: System) -> System:
    """*system* without a word on variables that playing found to be no flags at all."""
    ordinary = (readings.KEPT, readings.PLAY)
    listed = tuple(r for r in system.readings if (r.choice, r.decided_by) != ordinary)
    return replace(system, readings=listed)


def _turns(
    system: System, seen: Observation | None, *, given: Mapping[str, Choice]
) -> tuple[tuple[State, Move, State], ...]:
    """Turns from which the players can be told, unless it is said who they are."""
    if readings.PLAYERS in given:
        return ()
    if seen is None:
        seen = observe(Interpreter(system), effort=_TURNS_FOR_PLAYERS)
    return tuple(
        (step.turn.before, step.turn.move, step.turn.after)
        for step in seen.steps
        if step.turn.after is not None
    )


class _Builder:
    """What makes a machine of a document for any choice of its readings."""

    def __init__(
        self,
        document: tree.Document,
        source: Source,
        caller: Mapping[str, Choice],
        *,
        said: tuple[Diagnostic, ...] = (),
    ) -> None:
        self._document = document
        self._source = source
        self._caller = caller
        self.said = said
        """What there is to say about the document before it is known what it means."""
        self.like: System | None = None
        """The system whose players the machines have, once they are known."""

    def __call__(self, choices: Mapping[str, str]) -> Machine | None:
        tried = {name: Choice(text, readings.CALLER) for name, text in choices.items()}
        chosen = {**self._caller, **tried}
        system = sections.elaborate(self._document, self._source, choices=chosen).value
        if system is None:
            return None
        if self.like is not None:
            system = replace(system, players=self.like.players, draws=self.like.draws)
        return Interpreter(system)

    def meaning(self, found: Mapping[str, Choice]) -> Checked[System]:
        """What the document means when playing has *found* these choices."""
        chosen = readings.merged(found, self._caller)
        return sections.elaborate(self._document, self._source, choices=chosen)

    def given(self, found: Mapping[str, Choice]) -> Mapping[str, Choice]:
        """All choices, those of the document's own Reading section included."""
        said = readings.from_settings(items(self._document).readings).value or {}
        return readings.merged(found, said, self._caller)


def _system(game: Game) -> System:
    if game.system is None:
        first = next((each for each in game.diagnostics if each.is_error), None)
        why = "" if first is None else f": {render.one_line(first, game.source)}"
        raise DocumentNotUsable(f"nothing to play could be made of {game.source.name}{why}")
    return game.system


# Questions


def readings_table(game: Game) -> tuple[Row, ...]:
    """Every order of the rules and every other open choice, tried by playing."""
    system = _system(game)
    return () if game.trials is None else tuple(game.trials.rows(system.readings))


def explore(
    game: Game,
    *,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    count_rules: bool = False,
) -> Space:
    """The reachable states of *game*, within *limits*."""
    return exploring.explore(
        game.machine, limits=limits, listener=listener, count_rules=count_rules
    )


def plays(
    game: Game, length: int, *, limits: Limits = UNLIMITED, listener: Listener | None = None
) -> PlayCounts:
    """The number of plays of *game* of each length from 1 to *length*."""
    return exploring.plays(game.machine, length, limits=limits, listener=listener)


def check(
    game: Game, *, limits: Limits = DEFAULT_LIMITS, listener: Listener | None = None
) -> Report:
    """What there is to say about *game*, with what playing it shows."""
    if game.system is None or game.trials is None:
        return Report(game, game.diagnostics, None)
    build = game.trials.machine
    flags = [each.name for each in game.readings if _is_fresh_flag(each)]
    taken = {each.name: each.choice for each in game.readings}
    kept = build({**taken, **dict.fromkeys(flags, readings.KEPT)}) if flags else None
    checkup = check_by_playing(game.machine, kept=kept, limits=limits, listener=listener)
    found = _in_spite_of(game.diagnostics, findings.of_checkup(game.system, checkup))
    return Report(game, (*game.diagnostics, *found), checkup)


def _in_spite_of(said: Sequence[Diagnostic], found: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """What playing has *found*, without mere consequences of errors that were *said* before."""
    if not _has_lost_something(said):
        return tuple(found)
    return tuple(each for each in found if each.code not in findings.CONSEQUENCES)


def _has_lost_something(said: Sequence[Diagnostic]) -> bool:
    """Whether a part of the document could not be used."""
    return any(each.is_error and each.code not in findings.BY_PLAYING for each in said)


def _is_fresh_flag(reading: Reading) -> bool:
    return reading.name.startswith(FLAG) and reading.choice == readings.FRESH


def expression(
    game: Game, text: str, *, names: Mapping[str, ir.Parameter] | None = None
) -> Checked[ir.Expr]:
    """The expression that *text* writes, in the names of *game*; places are in *text*."""
    system = _system(game)
    source = Source("expression", text)
    tokens, said = lexer.lex(source, Span(0, len(text)))
    known = _known_names(system)
    parsed = parser.expression(source, tokens, known)
    said = (*said, *parsed.diagnostics, *(parsed.trouble if parsed.rest else ()))
    if parsed.value is None or parsed.rest:
        return Checked(None, said)
    local_types = {name: each.type for name, each in (names or {}).items()}
    resolved = sections.resolve_expression(parsed.value, system, local_types)
    return Checked(resolved.value, (*said, *resolved.diagnostics))


def _known_names(system: System) -> parser.Names:
    functions = frozenset(each.name for each in system.functions)
    procedures = frozenset(each.name for each in system.procedures)
    sets = frozenset(each.name for each in system.sets)
    variables = frozenset(each.name for each in system.variables)
    return parser.Names(sets | variables | functions, procedures, functions)


# Texts


def format_text(game: Game, *, to: Notation = Notation.UNICODE) -> str:
    """The document of *game* in canonical form and the notation *to*."""
    if game.document is None:
        raise DocumentNotUsable(f"{game.source.name} could not be read")
    return document_printer.to_text(game.document, to)


def fixed(source: Source, diagnostics: Sequence[Diagnostic]) -> str:
    """The text of *source* with every fix of *diagnostics* made."""
    return fixes.apply_fixes(source, diagnostics)


def page(code: str) -> str:
    """The page that explains the diagnostic *code*; raises ``UsageError`` if there is none."""
    key = code.strip().upper()
    path = _data("pages") / f"{key}.md"
    if key not in codes.ALL or not path.is_file():
        near = ", ".join(nearest(key, codes.ALL))
        hint = f"; near it: {near}" if near else ""
        raise UsageError(f"there is no diagnostic with the code `{code}`{hint}")
    return path.read_text(encoding="utf-8")


def our_fault(error: BaseException) -> Diagnostic:
    """What to say when *error* shows that the program is wrong, and not the document."""
    return Diagnostic(
        codes.OUR_FAULT,
        "the program made a mistake; the document is not to blame",
        notes=(f"{type(error).__name__}: {error}",),
        help="please report it, with the document and the command",
    )


def exit_code(
    game: Game, diagnostics: Sequence[Diagnostic] | None = None, *, strict: bool = False
) -> int:
    """0 for a system without errors, 1 for one with errors, 2 for none.

    *strict* counts warnings as errors. *diagnostics* are the game's if not given.
    """
    if game.system is None:
        return 2
    counted = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    said = game.diagnostics if diagnostics is None else diagnostics
    return int(any(each.level in counted for each in said))


# Data that comes with the package


def _data(kind: str) -> Path:
    """The folder of games or pages: inside an installed package, or in the repository."""
    here = Path(__file__).parent
    installed = here / "data" / kind
    if installed.is_dir():
        return installed
    repository = here.parent.parent
    return repository / ("games" if kind == "games" else "docs/reference/diagnostics")


def _summary(folder: Path) -> str:
    """The first sentence of a game's README, behind its title."""
    path = folder / "README.md"
    if not path.is_file():
        return ""
    lines = path.read_text(encoding="utf-8").splitlines()
    words = (line.strip() for line in lines if line.strip() and not line.startswith("#"))
    return next(words, "")
