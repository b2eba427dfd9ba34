"""The table of languages: the one place that knows which there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from zermelo.core.language import Language, Likeness
from zermelo.core.model import NoSuchForm
from zermelo.languages.led import recognise as led
from zermelo.languages.nets import recognise as nets
from zermelo.languages.sections import recognise as sections
from zermelo.text.decoding import is_pnml
from zermelo.text.errors import UsageError
from zermelo.text.source import Source


@dataclass(frozen=True, slots=True)
class Row:
    """A language: how it is told from others, and the language itself.

    It is imported when a document is written in it: who reads one needs no other.
    """

    name: str
    endings: tuple[str, ...]
    """The endings of its files, each with its dot."""
    likeness: Callable[[Source], Likeness]
    load: Callable[[], Language]


def _sections() -> Language:
    from zermelo.languages.sections.language import LANGUAGE  # noqa: PLC0415 - see Row

    return LANGUAGE


def _led() -> Language:
    from zermelo.languages.led.language import LANGUAGE  # noqa: PLC0415 - see Row

    return LANGUAGE


def _nets() -> Language:
    from zermelo.languages.nets.language import LANGUAGE  # noqa: PLC0415 - see Row

    return LANGUAGE


LANGUAGES: Final = (
    Row("sections", (".md",), sections.likeness, _sections),
    Row("led", (".led",), led.likeness, _led),
    Row("nets", (".net", ".pnml"), nets.likeness, _nets),
)


def refused(error: NoSuchForm) -> UsageError:
    """The refusal in the words of the language that has the form which was asked for."""
    known = (row.load() for row in LANGUAGES)
    said = next(each.refusal for each in known if error.form in each.forms)
    return UsageError(said.format(name=error.name))


def row_of(source: Source) -> Row:
    if is_pnml(source.text):
        # Which its first lines tell; to look for what makes it a document takes longer than that.
        return next(row for row in LANGUAGES if ".pnml" in row.endings)
    return max(LANGUAGES, key=lambda row: row.likeness(source))


def language_of(source: Source) -> Language:
    return row_of(source).load()
