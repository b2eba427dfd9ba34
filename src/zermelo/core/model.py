"""The waist: a document understood, in any language.

A language turns a text into a ``Model``. Engines ask it for a machine, an expander and
its symmetries; faces ask it for its words. Nobody else asks in which language it was
written: what only some languages can is refused by the others, in a sentence.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from zermelo.core.commentary import Commentary
from zermelo.core.expander import Expander
from zermelo.core.limits import Limits, Listener
from zermelo.core.machine import Machine
from zermelo.core.observation import Answered, Checkup
from zermelo.core.picture import Diagram
from zermelo.core.prompt import Interaction
from zermelo.core.services import Engines, Evidence
from zermelo.core.signature import Signature
from zermelo.core.space import EndWatch
from zermelo.core.stage import MOST_KEPT, NoWindow, Stage
from zermelo.core.symmetry import Invariants, Preserved, Symmetries, no_symmetries
from zermelo.text.diagnostic import Checked, Diagnostic
from zermelo.text.editing import ExpressionAt, MathBlock
from zermelo.text.errors import UsageError
from zermelo.text.source import Notation, Source, Span


class Readiness(Enum):
    """Whether compiled code is at hand."""

    NONE = "none"
    """There is never any; an expander is an adapter around the machine."""
    TO_COMPILE = "to compile"
    KEPT = "kept"
    """It was compiled before, and is only loaded."""


class Model(ABC):
    """What a document means, and how it runs."""

    @property
    @abstractmethod
    def signature(self) -> Signature: ...

    @property
    @abstractmethod
    def words(self) -> Commentary:
        """What it says of itself and of plays, with a machine of its own."""

    @abstractmethod
    def machine(self) -> Machine:
        """A machine, which shares nothing that changes with any other."""

    def expander(self) -> Expander:
        """Compiled code, or an adapter around the machine whose ``reason`` says why."""
        # Whoever only reads a document needs no arrays.
        from zermelo.core.adapter import MachineExpander  # noqa: PLC0415

        return MachineExpander(self.machine(), reason="its language is not compiled")

    def generated(self) -> Expander | None:
        """The code that would be compiled, run as Python: it is there sooner, and slower.

        ``None`` where there is none.
        """
        return None

    def readiness(self) -> Readiness:
        """What ``expander`` would cost."""
        return Readiness.NONE

    @abstractmethod
    def why_no_symmetries(self) -> str | None:
        """The reason why symmetries are not looked for, where they never are."""

    def symmetries(self, of: Preserved = Preserved.TURN) -> Symmetries:  # noqa: ARG002 - for those that have some
        """The symmetries, proved; none, with the reason, where they cannot be looked for."""
        return no_symmetries(self.why_no_symmetries() or "")

    def invariants(self) -> Invariants:
        """What holds in every reachable state, proved; nothing where it is not looked for."""
        return Invariants(why_not="nothing is known of its states")

    # Checking

    def asking(self, texts: Iterable[str]) -> Checked[Model]:  # noqa: ARG002 - for those that can
        """The same model with properties to be decided, each written as in its language."""
        raise UsageError(
            f"no properties can be asked of {self.signature.name}: only documents "
            "with sections have them"
        )

    def unplayed_findings(self) -> Iterable[Diagnostic]:
        """What is wrong with a document that gives nothing to play; see ``findings``."""
        return ()

    def suspecting(self) -> Model:
        """The same model with what a check looks for in every state beside what is claimed."""
        return self

    def still_said(
        self,
        said: Iterable[Diagnostic],
        checkup: Checkup,  # noqa: ARG002 - for those that use it
    ) -> tuple[Diagnostic, ...]:
        """Of what was *said* of the document, that which playing has not answered."""
        return tuple(said)

    def answered(
        self,
        said: Sequence[Diagnostic],
        source: Source,  # noqa: ARG002 - for those that use it
    ) -> tuple[tuple[Diagnostic, ...], tuple[Answered, ...]]:
        """What of *said* the document does not say to be intended, and what it does."""
        return tuple(said), ()

    def check_limits(self, limits: Limits) -> Limits:
        """How far the usual check goes, if *limits* are the usual ones."""
        return limits

    @abstractmethod
    def findings(self, evidence: Evidence) -> Iterable[Diagnostic]:
        """What playing showed to be wrong, as *evidence* has it.

        Looking for it may take more than is left: what was given before is said, so what takes
        little comes first.
        """

    def end_watch(
        self,
        limits: Limits,  # noqa: ARG002 - for those that need them
        listener: Listener | None,  # noqa: ARG002 - as above
    ) -> EndWatch | None:
        """What looks beside an exploration for its end, in the name of its *listener*.

        ``None`` where every document has finitely many states.
        """
        return None

    def why_not_solved(self) -> str | None:
        """The reason why solving would say nothing, if nobody is known to play."""
        return None

    # Beside another

    def changes(self, other: Model) -> tuple[str, ...]:  # noqa: ARG002 - for those that can tell
        """What *other*, another version of the document, says otherwise, in sentences."""
        return ()

    def mutants(self) -> Iterator[Mutant]:
        """Small misreadings of the document, made from its meaning; none where none are made."""
        return iter(())

    # A prompt of its own

    def interaction(
        self,
        engines: Engines,  # noqa: ARG002 - for those that need them
        *,
        limits: Limits,  # noqa: ARG002 - as above
        listener: Listener | None,  # noqa: ARG002 - as above
    ) -> Interaction | None:
        """What is answered at a prompt of its own; ``None`` where questions belong to a play.

        A graph that is asked about is built first, as far as the *limits* go.
        """
        return None

    # A window

    def stage(
        self,
        folder: Path | None,  # noqa: ARG002 - as above
        *,
        most_kept: int = MOST_KEPT,  # noqa: ARG002 - as above
    ) -> Stage:
        """What runs it in a window, frame by frame, with pictures from *folder*.

        The states that it keeps have together at most *most_kept* parts.
        """
        raise NoWindow(f"{self.signature.name} has no frames, so no window can show it")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A document misread in one small thing."""

    kind: str
    """What was got wrong, as `a rule dropped`; many have the same."""
    words: str
    """What is read otherwise, and where."""
    span: Span
    """The place in the document."""
    model: Model


NOTATIONS = {"latex": Notation.LATEX, "unicode": Notation.UNICODE}
"""The forms for other programs that are notations."""


class NoSuchForm(UsageError):
    """A document was asked for a form that only documents in other languages have."""

    def __init__(self, name: str, form: str) -> None:
        super().__init__(f"{name} cannot be written as {form}")
        self.name = name
        self.form = form


class WrittenDocument(ABC):
    """What can be written again, in other forms too."""

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def format_text(self, notation: Notation | None) -> str:
        """The document in canonical form, in this *notation* or the usual one.

        ``UsageError`` says what to use instead where it has none.
        """

    def export_text(self, form: str) -> str:
        if form in NOTATIONS:
            return self.format_text(NOTATIONS[form])
        raise NoSuchForm(self.name, form)

    def why_not_replaced(self, notation: Notation | None) -> str | None:  # noqa: ARG002 - for those that have one
        """The reason why what is written must not replace the document, if there is one."""
        return None

    def lost(self, said: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:  # noqa: ARG002 - as above
        """Of what was *said*, that which tells of parts that writing would lose."""
        return ()

    def diagram(self, *, in_rows: bool) -> Diagram:  # noqa: ARG002 - as above
        """The document as a drawing, *in_rows* or as another program lays it out."""
        raise NoSuchForm(self.name, "dot")

    def mathematics(self) -> tuple[MathBlock, ...]:
        """The document as mathematics; nothing where it is no mathematics."""
        return ()

    def expression_at(self, span: Span) -> ExpressionAt | None:  # noqa: ARG002 - as above
        """The smallest expression around *span*, if there is one."""
        return None
