"""Texts: expressions in a game's names, documents in canonical form, pages of diagnostics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zermelo.api.data import data_folder
from zermelo.api.games import Game, system_of
from zermelo.core import ir
from zermelo.core.ir import System
from zermelo.meaning import sections
from zermelo.syntax import document_printer, lexer, parser
from zermelo.syntax.printer import Notation
from zermelo.text import codes, fixes
from zermelo.text.diagnostic import Checked, Diagnostic
from zermelo.text.errors import DocumentNotUsable, UsageError
from zermelo.text.source import Source, Span
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


def _known_names(system: System) -> parser.Names:
    functions = frozenset(each.name for each in system.functions)
    procedures = frozenset(each.name for each in system.procedures)
    sets = frozenset(each.name for each in system.sets)
    variables = frozenset(each.name for each in system.variables)
    return parser.Names(sets | variables | functions, procedures, functions)


def format_text(game: Game, *, to: Notation = Notation.UNICODE) -> str:
    """The document of *game* in canonical form and the notation *to*."""
    if game.document is None:
        raise DocumentNotUsable(f"{game.source.name} could not be read")
    return document_printer.to_text(game.document, to)


def fixed(source: Source, diagnostics: Sequence[Diagnostic]) -> str:
    """The text of *source* with every fix of *diagnostics* made."""
    return fixes.apply_fixes(source, diagnostics)


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
