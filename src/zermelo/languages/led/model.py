"""An LED program, understood: it answers questions, and runs frame by frame if it is a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Final

from zermelo.core.limits import Limits, Listener
from zermelo.core.model import Model, WrittenDocument
from zermelo.core.services import Engines, Evidence
from zermelo.core.signature import Signature, without_players
from zermelo.core.stage import MOST_KEPT
from zermelo.languages.led import findings
from zermelo.languages.led.easel.console import Console, shown_differences, typed_expression
from zermelo.languages.led.easel.drawing import picture
from zermelo.languages.led.easel.pictures import Folder
from zermelo.languages.led.easel.stage import MOST_STEPS
from zermelo.languages.led.easel.window import Window
from zermelo.languages.led.explain import ProgramCommentary
from zermelo.languages.led.ir import Program
from zermelo.languages.led.read import printer, weave
from zermelo.languages.led.read.tree import LiterateProgram
from zermelo.languages.led.run.evaluator import ProgramEvaluator
from zermelo.languages.led.run.frames import Frames
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.errors import DocumentNotUsable
from zermelo.text.source import Notation, Source

_MOVES: Final = 100_000
"""Inputs that begin anew lead to nothing new, so that more of them can be looked at."""
_STATES_REVIEWED: Final = 6_000
"""Of so many states, the nearest, it is looked at how they are drawn."""


class ProgramModel(Model):
    """The model of an LED program."""

    def __init__(
        self,
        program: Program,
        document: LiterateProgram,
        source: Source,
        *,
        frames: Frames | None,
        folder: Path | None = None,
    ) -> None:
        self.program = program
        self.document = document
        self.source = source
        self.frames = frames
        """``None`` if it is no game. What is known of states is the same for all, who share it."""
        self.folder = folder

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ProgramModel) and self.signature == other.signature

    def __hash__(self) -> int:
        return hash(self.signature.fingerprint)

    @property
    def signature(self) -> Signature:
        if self.frames is not None:
            return self.frames.signature
        return Signature(
            name=self.program.name,
            variables=(),
            moves=(),
            fingerprint=self.program.fingerprint,
            prose=self.program.prose,
            unplayable=(
                f"{self.source.name} is an LED program, but no game: a game defines "
                "`initialState` and `newState`; `zermelo repl` answers questions about it"
            ),
        )

    @cached_property
    def words(self) -> ProgramCommentary:
        return ProgramCommentary(self.program, self.machine() if self.frames else None, self.folder)

    def machine(self) -> Frames:
        if self.frames is None:
            raise DocumentNotUsable(self.signature.unplayable or "")
        return self.frames

    def unplayed_findings(self) -> Iterator[Diagnostic]:
        return shown_differences(self.program, self.document, self.source, folder=self.folder)

    def why_no_symmetries(self) -> str:
        return "symmetries are found only in documents with sections"

    def check_limits(self, limits: Limits) -> Limits:
        return replace(limits, moves=_MOVES)

    def findings(self, evidence: Evidence) -> Iterator[Diagnostic]:
        checkup, folder = evidence.checkup, Folder(self.folder)
        walk = checkup.space.walk
        yield from findings.of_checkup(checkup)
        yield from self.unplayed_findings()
        yield from findings.of_states(
            self.machine(),
            walk.nodes[:_STATES_REVIEWED],
            play=walk.play,
            look=lambda images: picture(images, self.program, folder=folder).faults,
            is_complete=checkup.is_complete and walk.reached <= _STATES_REVIEWED,
        )

    def why_not_solved(self) -> str | None:
        frames = self.frames
        if frames is not None and frames.rules.unsaid:
            asked = next(findings.unsaid(frames, frames.rules.unsaid))
            return f"who wins is not known: {asked.message}; {asked.help}"
        return without_players(self.signature)

    def interaction(
        self,
        engines: Engines,  # noqa: ARG002 - programs answer by themselves
        *,
        limits: Limits,  # noqa: ARG002 - as above
        listener: Listener | None,  # noqa: ARG002 - as above
    ) -> Console:
        parse = partial(typed_expression, self.program)
        return Console(self.program, parse, source=self.source, folder=self.folder)

    def stage(self, folder: Path | None, *, most_kept: int = MOST_KEPT) -> Window:
        evaluator = ProgramEvaluator(self.program, steps=MOST_STEPS)
        return Window(evaluator, folder=folder, most_kept=most_kept)


class WrittenProgram(WrittenDocument):
    """An LED program as it was written."""

    def __init__(self, document: LiterateProgram, source: Source) -> None:
        super().__init__(source.name)
        self._document = document
        self.title = source.name

    def format_text(self, notation: Notation | None) -> str:
        if notation is Notation.LATEX:
            return weave.latex(self._document, title=self.title)
        return printer.document(self._document, to=notation or Notation.ASCII)

    def export_text(self, form: str) -> str:
        return self.format_text(Notation.ASCII) if form == "led" else super().export_text(form)

    def why_not_replaced(self, notation: Notation | None) -> str | None:
        if notation is Notation.LATEX:
            what, to = "the program by what is woven from it", "latex --output NEW.tex"
        elif self._document.is_printed:
            what, to = "the printed program by its source form", "led --output NEW.led"
        else:
            return None
        return f"--write would replace {what}; use `zermelo export FILE --to {to}`"

    def lost(self, said: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
        """The definitions that could not be read; a printed program is mended instead."""
        if self._document.is_printed:
            return ()
        return tuple(each for each in said if each.is_error and each.code.id.startswith("Z2"))
