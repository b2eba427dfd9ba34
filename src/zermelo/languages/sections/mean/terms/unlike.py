"""Formulas whose sides are of unlike kinds: what is said of them, and how they are meant.

Such a formula has a value: ``L − D`` is ``L`` where no member of ``D`` is of the kind of the
members of ``L``. It is evaluated as written, unless braces around a side, or another sign, make
the kinds fit and playing or a person chooses that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from zermelo.core.signature import SIDES, Reading, not_a_choice
from zermelo.core.values import words
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.readings import AS_WRITTEN, Choice
from zermelo.languages.sections.mean.terms.operators import (
    OtherFormula,
    Typed,
    UnlikeFormula,
    declared,
)
from zermelo.languages.sections.printer import to_text
from zermelo.text import codes
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Label, Report
from zermelo.text.prose import listing

_LONGEST: Final = 40
_NOT_IN_A_NAME: Final = frozenset("=:\n")


class UnlikeSides:
    """The formulas of one document whose sides are of unlike kinds."""

    def __init__(self, report: Report, given: Mapping[str, Choice]) -> None:
        self._report = report
        self._given = given
        self._readings: dict[str, Reading] = {}

    @property
    def readings(self) -> tuple[Reading, ...]:
        """What they leave open, in the order in which they were met."""
        return tuple(self._readings.values())

    def settled(self, found: UnlikeFormula) -> Typed:
        """The formula that *found* is read as; says so."""
        reading = self._reading(found) if found.others else None
        chosen = None
        if reading is not None:
            chosen = next((o for o in found.others if o.text == reading.choice), None)
        self._say(found, reading, chosen)
        return found.written if chosen is None else chosen.formula

    def _reading(self, found: UnlikeFormula) -> Reading:
        name = self._name(found)
        choices = (AS_WRITTEN, *(other.text for other in found.others))
        given = self._given
        if name in given:
            wanted = _plain(given[name].text)
            text = next((c for c in choices if _plain(c) == wanted), None)
            if text is None:
                place = given[name].span
                self._report.say(
                    not_a_choice(name, given[name].text, choices=choices, span=place), once=name
                )
            given = {} if text is None else {name: _with_text(given[name], text)}
        reading = readings.decide(name, choices, given=given, span=found.span)
        if not self._report.is_quiet:
            self._readings.setdefault(name, reading)
        return reading

    def _name(self, found: UnlikeFormula) -> str:
        a, b = to_text(found.left.expr), to_text(found.right.expr)
        # `=` parts a reading from its choice on the command line.
        subject = f"{a} and {b}" if found.sign == "=" else f"{a} {found.sign} {b}"
        if len(subject) > _LONGEST or not _NOT_IN_A_NAME.isdisjoint(subject):
            source = self._report.source
            line = source.line_of(found.span.start)
            subject = f"line {line} column {source.column_of(found.span.start)}"
        return f"{SIDES}{subject}"

    def _say(
        self, found: UnlikeFormula, reading: Reading | None, chosen: OtherFormula | None
    ) -> None:
        a, b = to_text(found.left.expr), to_text(found.right.expr)
        kinds = f"{words(found.left.type)}, and `{b}` is {words(found.right.type)}"
        value = found.outcome if chosen is None else f"it is read as `{chosen.instead}`"
        notes: tuple[str, ...] = ()
        advice = "write values of the same kind on both sides"
        if reading is not None:
            others = listing([f"`{other.instead}`" for other in found.others], last="or")
            advice = f"write {others} if that was meant"
            if not reading.is_chosen:
                line = f"{reading.name}: {found.others[0].text}"
                notes = (f"`{line}` in Reading chooses that without a change of the formula",)
        self._report.tell(
            codes.UNLIKE_KINDS,
            f"`{a}` is {kinds}; {value}",
            Label(found.span, f"`{found.sign}` between values of unlike kinds"),
            *declared(found.left),
            *declared(found.right),
            notes=notes,
            help=advice if chosen is None else f"write `{chosen.instead}`",
            fix=None if chosen is None else chosen.fix,
            severity=Severity.NOTE if reading is not None and reading.is_chosen else None,
        )


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", text).strip("`").replace("-", "−")


def _with_text(choice: Choice, text: str) -> Choice:
    return Choice(text, choice.decided_by, choice.span, choice.reason)
