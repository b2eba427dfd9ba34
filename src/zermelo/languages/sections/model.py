"""A document with sections, understood: its system, and how it runs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from zermelo.core.commentary import Commentary
from zermelo.core.expander import Expander
from zermelo.core.model import Model, Readiness
from zermelo.core.observation import in_spite_of
from zermelo.core.services import Evidence
from zermelo.core.signature import Signature
from zermelo.core.symmetry import Preserved, Symmetries
from zermelo.languages.sections import findings
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.text.diagnostic import Diagnostic


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

    def readiness(self) -> Readiness:
        from zermelo.languages.sections.compile import generated_code  # noqa: PLC0415 - as above

        return Readiness.KEPT if generated_code.is_kept(self.system) else Readiness.TO_COMPILE

    def why_no_symmetries(self) -> None:
        return None

    def symmetries(self, of: Preserved = Preserved.TURN) -> Symmetries:
        from zermelo.languages.sections.symmetry.find import symmetries  # noqa: PLC0415 - as above

        return symmetries(self.machine(), of)

    def findings(self, evidence: Evidence) -> tuple[Diagnostic, ...]:
        from zermelo.languages.sections.symmetry import board_symmetry  # noqa: PLC0415 - as above

        found = findings.of_checkup(self.system, evidence.checkup)
        return (
            *in_spite_of(evidence.said, found),
            *board_symmetry.symmetry_diagnostics(self.machine()),
        )
