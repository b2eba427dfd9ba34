"""The file beside a document that says from outside how it is read, who plays it, how it looks.

``NAME.reading`` belongs to ``NAME.net`` and ``NAME.led``. It has the sections *Reading* and *View*
that a document with sections has in itself, with a line ``name: choice`` for each decision::

    Reading
      players: x when turn has <.1.>, o when turn has <.2.>
      stuck player: loses   // who cannot move has let the other finish
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.headings import SectionKind, heading
from zermelo.text.lines import Setting, lines, setting
from zermelo.text.source import Source, Span

_SECTIONS: Final = (SectionKind.READING, SectionKind.VIEW)


@dataclass(frozen=True, slots=True)
class ReadingFile:
    """What stands in such a file."""

    source: Source
    readings: tuple[Setting, ...] = ()
    view: tuple[Setting, ...] = ()

    def located(self, said: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """What is *said* of its settings, with the file in which their places are."""
        return located(said, self.source)


def located(said: Iterable[Diagnostic], source: Source) -> tuple[Diagnostic, ...]:
    return tuple(replace(each, source=source) for each in said)


def parse(source: Source) -> Checked[ReadingFile]:
    """What the file *source* says; before its first heading everything is prose."""
    found: dict[SectionKind, list[Setting]] = {kind: [] for kind in _SECTIONS}
    said: list[Diagnostic] = []
    section: SectionKind | None = None
    for line in lines(source):
        opened = heading(source.line(line.number))
        if opened is not None:
            section = opened.kind
            if section not in found:
                said.append(_other_section(section, line.span))
        elif section in found and not line.is_empty:
            each = setting(source, line, section)
            if isinstance(each, Diagnostic):
                said.append(each)
            else:
                found[section].append(each)
    readings, view = (tuple(found[kind]) for kind in _SECTIONS)
    if not (readings or view or said):
        said.append(_silent())
    return Checked(ReadingFile(source, readings, view), located(said, source))


def _other_section(kind: SectionKind, span: Span) -> Diagnostic:
    return Diagnostic(
        codes.READING_FILE_NOT_USED,
        f"the file beside a document has no section {kind.value}",
        Label(span, "what stands below it is left out"),
        notes=("its sections are `Reading` and `View`",),
        help="leave this section to the document",
    )


def _silent() -> Diagnostic:
    return Diagnostic(
        codes.READING_FILE_NOT_USED,
        "the file beside the document decides nothing",
        notes=("before the first heading everything is prose",),
        help="write the line `Reading`, and below it a line such as `players: A when …, B when …`",
    )
