"""Documents with sections as games: reading them, and settling what they leave open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from zermelo.api.consequences import in_spite_of
from zermelo.api.game import Game, Request
from zermelo.core.machine import Machine, Move, State
from zermelo.engines.check.observe import Effort, Observation, observe
from zermelo.engines.check.trial import Trials
from zermelo.languages.sections import findings
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.mean import document as sections
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.items import items
from zermelo.languages.sections.mean.players import players
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.read import document as dialect
from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.text.diagnostic import Checked, Diagnostic
from zermelo.text.source import Source

_TURNS_FOR_PLAYERS = Effort(states=40, turns=200, plays=4, tries=500)


def read(source: Source, request: Request, said: tuple[Diagnostic, ...] = ()) -> Game:
    """The game in *source*; *said* is what there was to say about its text."""
    parsed = dialect.parse(source, as_written=request.as_written)
    caller = readings.from_caller(request.given)
    said = (*said, *parsed.diagnostics, *caller.diagnostics)
    if parsed.value is None:
        return Game(source, None, said, request.given, request.as_written)
    build = _Builder(parsed.value, source, caller.value or {}, said=said)
    trials = Trials(build)
    meant = _settled(build, trials)
    build.like = meant.value
    said = tuple(dict.fromkeys((*said, *meant.diagnostics)))
    return Game(
        source,
        meant.value,
        said,
        request.given,
        request.as_written,
        document=parsed.value,
        trials=trials,
    )


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
