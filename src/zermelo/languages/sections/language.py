"""Documents with sections as a row of the table of languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from zermelo.core.language import Language, Request, Understood
from zermelo.core.machine import Machine
from zermelo.core.model import Model, WrittenDocument
from zermelo.core.observation import Observation, Settlement, Verdict, in_spite_of
from zermelo.core.signature import BY_CALLER, BY_PLAY, KEPT, Reading
from zermelo.languages.sections import findings, judge
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.mean import document as meaning
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.items import items
from zermelo.languages.sections.mean.players import with_players
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.model import SystemModel
from zermelo.languages.sections.read import document as reader
from zermelo.languages.sections.read.grammar import tree
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
    if draft.first.value is None:
        unique = tuple(dict.fromkeys((*said, *draft.first.diagnostics)))
        return Understood(None, unique, document=written)
    return Understood(None, said, draft, written)


class WrittenSections(WrittenDocument):
    """A document with sections as it was written."""

    def __init__(self, document: tree.SectionsDocument, name: str) -> None:
        super().__init__(name)
        self._document = document

    def format_text(self, notation: Notation | None) -> str:
        # A document that is only read is not written.
        from zermelo.languages.sections.read.grammar import document_printer  # noqa: PLC0415

        return document_printer.to_text(self._document, notation or Notation.UNICODE)


class SystemDraft:
    """What makes a machine of a document for any choice of its readings."""

    flags_seen = staticmethod(judge.flags_seen)
    seen_changing = staticmethod(judge.seen_changing)

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
        # Not a word on variables that playing found to be no flags at all.
        ordinary = (KEPT, BY_PLAY)
        listed = [r for r in final.value.readings if (r.choice, r.decided_by) != ordinary]
        system = replace(final.value, readings=tuple(listed))
        machine = Interpreter(system)
        found_out = tuple(findings.of_settlement(system, settlement))
        said = (
            *final.diagnostics,
            *in_spite_of(self._said + final.diagnostics, found_out),
            *findings.of_start(machine),
        )
        # All choices, those of the document's own Reading section included.
        own = readings.from_settings(items(self._document).readings).value or {}
        given = readings.merged(found, own, self._caller)
        # Turns tell who the players are, unless that is said.
        is_said = readings.PLAYERS in given
        steps = () if is_said else (settlement.seen or observe(machine)).steps
        turns = tuple(
            (step.turn.before, step.turn.move, step.turn.after)
            for step in steps
            if step.turn.after is not None
        )
        named = with_players(system, turns, given=given)
        if named.value is None:
            return Checked(None, (*said, *named.diagnostics))
        self._like = named.value
        return Checked(SystemModel(named.value), (*said, *named.diagnostics))

    def _meaning(self, found: Mapping[str, Choice]) -> Checked[System]:
        """What the document means when playing has *found* these choices."""
        chosen = readings.merged(found, self._caller)
        return meaning.elaborate(self._document, self._source, choices=chosen)


LANGUAGE: Final = Language(read)
