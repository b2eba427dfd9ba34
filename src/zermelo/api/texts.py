"""Texts: expressions in a game's names, documents in canonical form, pages of diagnostics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import assert_never

from zermelo.api.data import data_folder
from zermelo.api.game import Game, system_of
from zermelo.api.net_questions import net_lines
from zermelo.languages.led.read import tree as led_tree
from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.mean import document as sections
from zermelo.languages.sections.read.grammar import document_printer, lexer, parser, tree
from zermelo.languages.sections.read.grammar.cursor import DeclaredNames
from zermelo.text import codes, diagnostic
from zermelo.text.diagnostic import Checked, Diagnostic
from zermelo.text.errors import DocumentNotUsable, UsageError
from zermelo.text.source import Notation, Source, Span
from zermelo.text.suggest import nearest


def expression(
    game: Game, text: str, *, names: Mapping[str, ir.Parameter] | None = None
) -> Checked[ir.Expr]:
    """The expression that *text* writes, in the names of *game*; places are in *text*."""
    system = system_of(game)
    source = Source("expression", text)
    tokens, said = lexer.lex(source, Span(0, len(text)))
    known = _known_names(system)
    parsed = parser.expression(source, tokens, known)
    said = (*said, *parsed.diagnostics, *(parsed.trouble if parsed.rest else ()))
    if parsed.value is None or parsed.rest:
        return Checked(None, said)
    local_types = {name: each.type for name, each in (names or {}).items()}
    resolved = sections.resolve_expression(parsed.value, system, local_types)
    return Checked(resolved.value, (*said, *resolved.diagnostics))


def _known_names(system: System) -> DeclaredNames:
    functions = frozenset(each.name for each in system.functions)
    procedures = frozenset(each.name for each in system.procedures)
    sets = frozenset(each.name for each in system.sets)
    variables = frozenset(each.name for each in system.variables)
    return DeclaredNames(sets | variables | functions, procedures, functions)


class TextFormat(Enum):
    """What a document can be written as."""

    LATEX = "latex"
    """Sections: the formulas in LaTeX. LED: prose and numbered formulas, woven."""
    UNICODE = "unicode"
    LED = "led"
    """The source form of an LED program."""
    PNML = "pnml"
    """A net, for other programs."""
    PROD = "prod"
    """A net in PROD's language."""
    DOT = "dot"
    """A picture of a net, for Graphviz."""


def format_text(game: Game, *, to: Notation | None = None) -> str:
    """The document of *game* in canonical form and the notation *to*.

    Without a notation a document with sections has the signs of mathematics, and an
    LED program its source form.
    """
    document = game.document
    match document:
        case None:
            raise _nothing_to_write(game)
        case tree.Document():
            return document_printer.to_text(document, to or Notation.UNICODE)
        case led_tree.LiterateProgram():
            from zermelo.languages.led.read import printer, weave  # noqa: PLC0415 - of one dialect

            if to is Notation.LATEX:
                return weave.latex(document, title=game.name)
            return printer.document(document, to=to or Notation.ASCII)
        case _:
            raise UsageError(f"{game.source.name} is a net, and has no canonical form as a text")


def export_text(game: Game, to: TextFormat) -> str:
    """The document of *game* as other programs read it."""
    match to:
        case TextFormat.LATEX:
            return format_text(game, to=Notation.LATEX)
        case TextFormat.UNICODE:
            return format_text(game, to=Notation.UNICODE)
        case TextFormat.LED:
            if game.document is not None and not isinstance(
                game.document, led_tree.LiterateProgram
            ):
                raise UsageError(f"{game.source.name} is no LED program")
            return format_text(game, to=Notation.ASCII)
        case TextFormat.PNML | TextFormat.PROD | TextFormat.DOT:
            return "\n".join(net_lines(game, to.value)) + "\n"
        case _:
            assert_never(to)


def _nothing_to_write(game: Game) -> DocumentNotUsable:
    return DocumentNotUsable(f"{game.source.name} could not be read")


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
