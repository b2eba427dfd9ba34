"""Documents as games: reading them, and settling what they leave open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from zermelo.api.consequences import in_spite_of
from zermelo.api.library import find
from zermelo.core.interpreter import Interpreter
from zermelo.core.ir import Reading, System
from zermelo.core.machine import Machine, Move, State
from zermelo.engines import findings
from zermelo.engines.as_json import reading_json
from zermelo.engines.observe import Effort, Observation, observe
from zermelo.engines.trial import Trials
from zermelo.meaning import players, readings, sections
from zermelo.meaning.items import items
from zermelo.meaning.readings import Choice
from zermelo.syntax import tree
from zermelo.syntax.dialects import detect
from zermelo.syntax.dialects import sections as dialect
from zermelo.text import render
from zermelo.text.diagnostic import Checked, Diagnostic
from zermelo.text.errors import DocumentNotUsable
from zermelo.text.render import Json
from zermelo.text.source import Source

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
        return Interpreter(system_of(self))

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
        *in_spite_of(build.said + final.diagnostics, findings.of_settlement(system, settled)),
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


def system_of(game: Game) -> System:
    """The system of *game*; raises ``DocumentNotUsable`` if there is none."""
    if game.system is None:
        first = next((each for each in game.diagnostics if each.is_error), None)
        why = "" if first is None else f": {render.one_line(first, game.source)}"
        raise DocumentNotUsable(f"nothing to play could be made of {game.source.name}{why}")
    return game.system
