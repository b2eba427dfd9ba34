"""Documents with sections as a row of the table of languages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final

from zermelo.core.language import Language, Request, Understood
from zermelo.core.machine import Machine
from zermelo.core.model import Model, WrittenDocument
from zermelo.core.observation import Observation, Settlement, Verdict, in_spite_of
from zermelo.core.signature import BY_CALLER, BY_PLAY, KEPT, Reading
from zermelo.core.state import Move, State
from zermelo.languages.sections import findings, judge
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.mean import document as meaning
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.items import items
from zermelo.languages.sections.mean.players import with_players
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.model import SystemModel
from zermelo.languages.sections.read import document as reader
from zermelo.languages.sections.read.grammar import document_printer, tree
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.text.diagnostic import Checked, Diagnostic
from zermelo.text.source import Notation, Source


def read(source: Source, request: Request) -> Understood:
    """The document in *source*, with its open readings to be tried by playing."""
    parsed = reader.parse(source, as_written=request.as_written)
    caller = readings.from_caller(request.given)
    said = (*parsed.diagnostics, *caller.diagnostics)
    if parsed.value is None:
        return Understood(None, said)
    draft = SystemDraft(parsed.value, source, caller.value or {}, said=said)
    written = WrittenSections(parsed.value, source.name)
    if not draft.is_usable:
        unique = tuple(dict.fromkeys((*said, *draft.first.diagnostics)))
        return Understood(None, unique, document=written)
    return Understood(None, said, draft, written)


class WrittenSections(WrittenDocument):
    """A document with sections as it was written."""

    def __init__(self, document: tree.SectionsDocument, name: str) -> None:
        super().__init__(name)
        self._document = document

    def format_text(self, notation: Notation | None) -> str:
        return document_printer.to_text(self._document, notation or Notation.UNICODE)


class SystemDraft:
    """What makes a machine of a document for any choice of its readings."""

    def __init__(
        self,
        document: tree.SectionsDocument,
        source: Source,
        caller: Mapping[str, Choice],
        *,
        said: tuple[Diagnostic, ...] = (),
    ) -> None:
        self._document = document
        self._source = source
        self._caller = caller
        self._said = said
        """What there is to say about the document before it is known what it means."""
        self._like: System | None = None
        """The system whose players the machines have, once they are known."""
        self.first = self._meaning({})

    @property
    def is_usable(self) -> bool:
        """Whether it means anything under the usual readings."""
        return self.first.value is not None

    @property
    def readings(self) -> tuple[Reading, ...]:
        return () if self.first.value is None else self.first.value.readings

    def machine(self, choices: Mapping[str, str]) -> Interpreter | None:
        tried = {name: Choice(text, BY_CALLER) for name, text in choices.items()}
        chosen = {**self._caller, **tried}
        system = meaning.elaborate(self._document, self._source, choices=chosen).value
        if system is None:
            return None
        if self._like is not None:
            system = replace(system, players=self._like.players, draws=self._like.draws)
        return Interpreter(system)

    def judge(
        self,
        machine: Machine,
        *,
        flags: frozenset[str],
        seen: Observation,
        kept: Observation | None,
    ) -> Verdict:
        assert isinstance(machine, Interpreter), "drafts make interpreters"
        return judge.judge(machine, flags=flags, seen=seen, kept=kept)

    def flags_seen(
        self, observation: Observation, candidates: Iterable[str], *, initial: State
    ) -> frozenset[str]:
        return judge.flags_seen(observation, candidates, initial=initial)

    def seen_changing(self, observation: Observation) -> frozenset[str]:
        return judge.seen_changing(observation)

    def settled(
        self, settlement: Settlement, observe: Callable[[Machine], Observation]
    ) -> Checked[Model]:
        found = {
            name: Choice(choice, BY_PLAY, reason=settlement.reasons.get(name, ""))
            for name, choice in settlement.choices.items()
        }
        final = self._meaning(found) if found else self.first
        if final.value is None:
            return Checked(None, final.diagnostics)
        system = _without_ordinary(final.value)
        machine = Interpreter(system)
        said = (
            *final.diagnostics,
            *in_spite_of(
                self._said + final.diagnostics, findings.of_settlement(system, settlement)
            ),
            *findings.of_start(machine),
        )
        given = self._given(found)
        turns: tuple[tuple[State, Move, State], ...] = ()
        # Turns tell who the players are, unless that is said.
        if readings.PLAYERS not in given:
            turns = _turns(settlement.seen or observe(machine))
        named = with_players(system, turns, given=given)
        if named.value is None:
            return Checked(None, (*said, *named.diagnostics))
        self._like = named.value
        return Checked(SystemModel(named.value), (*said, *named.diagnostics))

    def _meaning(self, found: Mapping[str, Choice]) -> Checked[System]:
        """What the document means when playing has *found* these choices."""
        chosen = readings.merged(found, self._caller)
        return meaning.elaborate(self._document, self._source, choices=chosen)

    def _given(self, found: Mapping[str, Choice]) -> Mapping[str, Choice]:
        """All choices, those of the document's own Reading section included."""
        said = readings.from_settings(items(self._document).readings).value or {}
        return readings.merged(found, said, self._caller)


def _without_ordinary(system: System) -> System:
    """*system* without a word on variables that playing found to be no flags at all."""
    ordinary = (KEPT, BY_PLAY)
    listed = tuple(r for r in system.readings if (r.choice, r.decided_by) != ordinary)
    return replace(system, readings=listed)


def _turns(seen: Observation) -> tuple[tuple[State, Move, State], ...]:
    return tuple(
        (step.turn.before, step.turn.move, step.turn.after)
        for step in seen.steps
        if step.turn.after is not None
    )


LANGUAGE: Final = Language(read)
