"""Texts: expressions in a game's names, documents in canonical form, pages of diagnostics."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from zermelo.api.languages import refused
from zermelo.api.loaded import Loaded, playable_model
from zermelo.api.loading import data_folder
from zermelo.core.commentary import TypedExpression
from zermelo.core.model import NoSuchForm, WrittenDocument
from zermelo.text import codes, diagnostic
from zermelo.text.budget import STEPS_OF_AN_ANSWER, budget
from zermelo.text.diagnostic import Checked, Diagnostic
from zermelo.text.errors import DocumentNotUsable, UsageError, nearest
from zermelo.text.source import Notation, Source


def expression(game: Loaded, text: str) -> Checked[TypedExpression]:
    """The expression that *text* writes, in the names of *game*; places are in *text*."""
    typed = playable_model(game).words.expression(text)
    if typed.value is None and not typed.diagnostics:
        raise UsageError(f"{game.source.name} is no document with sections")
    return typed


class TextFormat(Enum):
    """What a document can be written as."""

    LATEX = "latex"
    """Sections: an article. LED: prose and numbered formulas, woven."""
    UNICODE = "unicode"
    HTML = "html"
    """A document with sections as a page to be printed, with its formulas in MathML."""
    LED = "led"
    """The source form of an LED program."""
    PNML = "pnml"
    """A net, for other programs."""
    PROD = "prod"
    """A net in PROD's language."""
    DOT = "dot"
    """A picture of a net, for Graphviz."""


def format_text(game: Loaded, *, to: Notation | None = None) -> str:
    """The document of *game* in canonical form and the notation *to*.

    Without a notation a document with sections has the signs of mathematics, and an
    LED program its source form.
    """
    with budget(steps=STEPS_OF_AN_ANSWER):
        return document_of(game).format_text(to)


def export_text(game: Loaded, to: TextFormat) -> str:
    """The document of *game* as other programs read it."""
    if to in {TextFormat.PNML, TextFormat.PROD, TextFormat.DOT}:
        playable_model(game)  # Says whether anything was understood before it asks for a net.
    if to is TextFormat.DOT:
        return picture_text(game, to.value)
    try:
        return document_of(game).export_text(to.value)
    except NoSuchForm as error:
        raise refused(error) from error


def document_of(game: Loaded) -> WrittenDocument:
    """The document of *game* as it was written; ``DocumentNotUsable`` if it was not read."""
    if game.document is None:
        raise DocumentNotUsable(f"{game.source.name} could not be read")
    return game.document


def picture_text(game: Loaded, form: str) -> str:
    """The document of *game* as a drawing: ``svg`` for small ones, or ``dot`` for Graphviz."""
    from zermelo.draw import dot, svg  # noqa: PLC0415 - as above

    try:
        diagram = document_of(game).diagram(in_rows=form == "svg")
    except NoSuchForm as error:
        raise refused(error) from error
    lines = svg.lines(diagram) if form == "svg" else dot.diagram_lines(diagram)
    return "\n".join(lines) + "\n"


def fixed(source: Source, diagnostics: Sequence[Diagnostic]) -> str:
    """The text of *source* with every fix of *diagnostics* made."""
    return diagnostic.apply_fixes(source, diagnostics)


def page(code: str) -> str:
    """The page that explains the diagnostic *code*; raises ``UsageError`` if there is none."""
    key = code.strip().upper()
    path = data_folder("pages") / f"{key}.md"
    if key not in codes.ALL or not path.is_file():
        near = ", ".join(nearest(key, codes.ALL))
        hint = f"; near it: {near}" if near else ""
        raise UsageError(f"there is no diagnostic with the code `{code}`{hint}")
    return path.read_text(encoding="utf-8")


def our_fault(error: BaseException) -> Diagnostic:
    """What to say when *error* shows that the program is wrong, and not the document."""
    return Diagnostic(
        codes.OUR_FAULT,
        "the program made a mistake; the document is not to blame",
        notes=(f"{type(error).__name__}: {error}",),
        help="please report it, with the document and the command",
    )
