"""Documents with sections as a row of the table of languages: how they are read and run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from zermelo.core.commentary import Commentary
from zermelo.core.expander import Expander
from zermelo.core.language import Language, Request, Understood
from zermelo.core.machine import Machine
from zermelo.core.model import Model, Mutant, Readiness, WrittenDocument
from zermelo.core.observation import (
    Answered,
    Checkup,
    Observation,
    Settlement,
    Verdict,
    in_spite_of,
)
from zermelo.core.services import Evidence
from zermelo.core.signature import BY_CALLER, BY_PLAY, KEPT, Reading, Signature
from zermelo.core.symmetry import Invariants, Preserved, Symmetries, no_symmetries
from zermelo.core.values import TRUE
from zermelo.languages.sections import findings, judge
from zermelo.languages.sections.ir import STUCK_HERE, Expr, Invariant, Literal, System
from zermelo.languages.sections.mean import document as meaning
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.items import items
from zermelo.languages.sections.mean.players import with_players
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.read import document as reader
from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.walk import free_locals, substituted
from zermelo.text.diagnostic import Checked, Diagnostic, with_left_out, without_echoes
from zermelo.text.editing import ExpressionAt, MathBlock, SourceToken, TypedSymbol
from zermelo.text.lines import Setting
from zermelo.text.source import Notation, Source, Span

HTML: Final = "html"
"""What only such documents are written as."""


def read(source: Source, request: Request) -> Understood:
    """The document in *source*, with its open readings to be tried by playing."""
    parsed = reader.parse(source, as_written=request.as_written)
    caller = readings.FromCaller(request.given, source.name)
    said = parsed.diagnostics
    if parsed.value is None:
        caller.compare(None)
        return Understood(None, said)
    draft = SystemDraft(parsed.value, source, caller, said=said)
    caller.compare(None if draft.first.value is None else draft.readings)
    written = WrittenSections(parsed.value, source)
    if draft.first.value is None:
        unique = tuple(dict.fromkeys((*said, *draft.first.diagnostics)))
        return Understood(None, unique, document=written)
    return Understood(None, draft.said, draft, written)


@dataclass(frozen=True)
class SystemModel(Model):
    """The model of a document with sections."""

    system: System

    @cached_property
    def interpreter(self) -> Interpreter:
        return Interpreter(self.system)

    @property
    def signature(self) -> Signature:
        return self.interpreter.signature

    @cached_property
    def words(self) -> Commentary:
        # A document that is only read needs no words about it.
        from zermelo.languages.sections.explain.commentary import (  # noqa: PLC0415
            SystemCommentary,
        )

        return SystemCommentary(self.interpreter)

    def machine(self) -> Interpreter:
        return Interpreter(self.system)

    def expander(self) -> Expander:
        # A document that is only read needs neither generated code nor arrays.
        from zermelo.core.adapter import MachineExpander  # noqa: PLC0415
        from zermelo.languages.sections.compile.kernel import Kernel, kernel  # noqa: PLC0415

        made = kernel(self.machine())
        if isinstance(made, Kernel):
            return made
        named = f"the interpreter, as {made.reason}"
        return MachineExpander(self.machine(), named, reason=made.reason)

    def generated(self) -> Expander | None:
        from zermelo.languages.sections.compile.kernel import Kernel, kernel  # noqa: PLC0415 - as above

        made = kernel(self.machine(), compiled=False)
        return made if isinstance(made, Kernel) else None

    def readiness(self) -> Readiness:
        from zermelo.languages.sections.compile import generated_code  # noqa: PLC0415 - as above

        return Readiness.KEPT if generated_code.is_kept(self.system) else Readiness.TO_COMPILE

    def why_no_symmetries(self) -> None:
        return None

    def why_not_solved(self) -> str | None:
        unsaid = self.system.unsaid
        if not self.system.players:
            return "it has no goals: no rule sets a result, so no state is better than another"
        return None if unsaid is None else f"who wins is not known: {unsaid}"

    def symmetries(self, of: Preserved = Preserved.TURN) -> Symmetries:
        from zermelo.languages.sections.symmetry.find import symmetries  # noqa: PLC0415 - as above

        # Whether somebody is stuck they preserve in any case.
        asked = self.system.claims[len(self.system.invariants) :]
        if not asked:
            return symmetries(self.machine(), of)
        images: dict[str, Expr] = {STUCK_HERE: Literal(TRUE)}
        formulas = [substituted(each, images, {}) for each in asked]
        if any(each is None or free_locals(each) for each in formulas):
            return no_symmetries("a property asks for single moves")
        claims = tuple(Invariant(each, "") for each in formulas if each is not None)
        system = replace(self.system, invariants=(*self.system.invariants, *claims))
        return symmetries(Interpreter(system), of)

    def asking(
        self, texts: Iterable[str] = (), *, settings: Iterable[Setting] = ()
    ) -> Checked[Model]:
        from zermelo.languages.sections.properties import with_properties  # noqa: PLC0415 - as above

        found = with_properties(self.system, settings, texts)
        return Checked(SystemModel(found.value or self.system), found.diagnostics)

    def invariants(self) -> Invariants:
        from zermelo.languages.sections.invariants.find import invariants  # noqa: PLC0415 - as above

        return invariants(self.machine())

    def findings(self, evidence: Evidence) -> Iterator[Diagnostic]:
        from zermelo.languages.sections import suspicions  # noqa: PLC0415 - as above
        from zermelo.languages.sections.symmetry import board_symmetry  # noqa: PLC0415 - as above

        found = (
            *findings.of_checkup(self.system, evidence.checkup),
            *suspicions.of_checkup(self.machine(), evidence.checkup),
        )
        is_assumed = findings.is_assumed(self.machine(), evidence.said)
        yield from in_spite_of(evidence.said, found, is_assumed=is_assumed)
        yield from board_symmetry.symmetry_diagnostics(self.machine())

    def suspecting(self) -> SystemModel:
        from zermelo.languages.sections.suspicions import suspicions  # noqa: PLC0415 - as above

        found = suspicions(self.system)
        return SystemModel(replace(self.system, suspicions=found)) if found else self

    def still_said(self, said: Iterable[Diagnostic], checkup: Checkup) -> tuple[Diagnostic, ...]:
        from zermelo.languages.sections.suspicions import still_said  # noqa: PLC0415 - as above

        return still_said(self.system, said, checkup)

    def answered(
        self, said: Sequence[Diagnostic], source: Source
    ) -> tuple[tuple[Diagnostic, ...], tuple[Answered, ...]]:
        if not self.system.intended:
            return tuple(said), ()
        from zermelo.languages.sections.intended import answered  # noqa: PLC0415 - as above

        return answered(self.system.intended, said, source)

    def changes(self, other: Model) -> tuple[str, ...]:
        from zermelo.languages.sections.changes import changes  # noqa: PLC0415 - as above

        return changes(self.machine(), other.machine()) if isinstance(other, SystemModel) else ()

    def mutants(self) -> Iterator[Mutant]:
        from zermelo.languages.sections.mutants import misreadings  # noqa: PLC0415 - as above

        for each in misreadings(self.system):
            yield Mutant(each.kind, each.words, each.span, SystemModel(each.system))


class WrittenSections(WrittenDocument):
    """A document with sections as it was written."""

    def __init__(self, document: tree.SectionsDocument, source: Source) -> None:
        super().__init__(source.name)
        self._document = document
        self._source = source

    def format_text(self, notation: Notation | None) -> str:
        # A document that is only read is not written.
        from zermelo.languages.sections.read.grammar import document_printer  # noqa: PLC0415

        return document_printer.to_text(self._document, notation or Notation.UNICODE)

    def export_text(self, form: str) -> str:
        if form == HTML:
            from zermelo.text.math_page import html_page  # noqa: PLC0415 - as above

            return html_page(self.mathematics(), title=self.name)
        if form != Notation.LATEX.value:
            return super().export_text(form)
        from zermelo.languages.sections.read.article import article  # noqa: PLC0415 - as above

        return article(self._document, title=self.name)

    def mathematics(self) -> tuple[MathBlock, ...]:
        from zermelo.languages.sections.read.mathematics import blocks  # noqa: PLC0415 - as above

        return blocks(self._document, self._source)

    def expression_at(self, span: Span) -> ExpressionAt | None:
        from zermelo.languages.sections.read.expression_at import (  # noqa: PLC0415 - as above
            expression_at,
        )

        return expression_at(self._document, span)


class SystemDraft:
    """What makes a machine of a document for any choice of its readings."""

    flags_seen = staticmethod(judge.flags_seen)
    seen_changing = staticmethod(judge.seen_changing)

    def __init__(
        self,
        document: tree.SectionsDocument,
        source: Source,
        caller: readings.FromCaller,
        *,
        said: tuple[Diagnostic, ...] = (),
    ) -> None:
        self._document = document
        self._source = source
        self._caller = caller
        self._like: System | None = None
        """The system whose players the machines have, once they are known."""
        self.said = said
        """What there is to say about the form of the document."""
        self.first = self._meaning({})
        if self.first.value is not None:
            self.said = with_left_out(said, self.first.value.left_out)
            # What is left out makes errors of some of it, of which others may be echoes.
            self.first = self._without_echoes(self.first)

    @property
    def readings(self) -> tuple[Reading, ...]:
        return () if self.first.value is None else self.first.value.readings

    def machine(self, choices: Mapping[str, str]) -> Interpreter | None:
        tried = {name: Choice(text, BY_CALLER) for name, text in choices.items()}
        chosen = {**self._caller.choices, **tried}
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
        found_out = (*findings.of_settlement(system, settlement), *findings.of_start(machine))
        before = self.said + final.diagnostics
        is_assumed = findings.is_assumed(machine, before)
        said = (
            *findings.with_what_follows(machine, final.diagnostics),
            *in_spite_of(before, found_out, is_assumed=is_assumed),
        )
        # All choices, those of the document's own Reading section included.
        own = readings.from_settings(items(self._document).readings).value or {}
        given = readings.merged(found, own, self._caller.choices)
        # Turns tell who the players are, unless that and whose results are whose is said.
        named = with_players(system, (), given=given) if readings.PLAYERS in given else None
        if named is None or named.value is None or named.value.unsaid is not None:
            turns = observe(machine).turns if settlement.turns is None else settlement.turns
            named = with_players(system, turns, given=given)
        if named.value is None:
            return Checked(None, (*said, *named.diagnostics))
        self._caller.compare_players(named.value.readings, named.diagnostics)
        self._like = named.value
        settings = items(self._document).properties
        if not settings:
            return Checked(SystemModel(named.value), (*said, *named.diagnostics))
        asked = SystemModel(named.value).asking(settings=settings)
        return Checked(asked.value, (*said, *named.diagnostics, *asked.diagnostics))

    def _meaning(self, found: Mapping[str, Choice]) -> Checked[System]:
        """What the document means when playing has *found* these choices."""
        chosen = readings.merged(found, self._caller.choices)
        return self._without_echoes(meaning.elaborate(self._document, self._source, choices=chosen))

    def _without_echoes(self, meant: Checked[System]) -> Checked[System]:
        return Checked(meant.value, without_echoes(self.said, meant.diagnostics))


def tokens(source: Source) -> tuple[SourceToken, ...]:
    from zermelo.languages.sections.read.source_tokens import source_tokens  # noqa: PLC0415 - only editors ask

    return source_tokens(source)


def typed_symbols() -> tuple[TypedSymbol, ...]:
    from zermelo.languages.sections.read.source_tokens import symbols  # noqa: PLC0415 - as above

    return symbols()


LANGUAGE: Final = Language(
    read,
    forms=(HTML,),
    refusal="{name} is no document with sections, which alone are written as a page",
    tokens=tokens,
    symbols=typed_symbols,
)
