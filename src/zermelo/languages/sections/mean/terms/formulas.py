"""Expressions inside the lines of a Reading or View section, and those a caller gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from zermelo.core.types import Type
from zermelo.languages.sections import ir
from zermelo.languages.sections.read.grammar import parser, tree
from zermelo.languages.sections.read.grammar.cursor import DeclaredNames
from zermelo.languages.sections.read.grammar.lexer import lex
from zermelo.languages.sections.walk import rebuilt
from zermelo.text.diagnostic import Checked, Diagnostic
from zermelo.text.source import NOWHERE, Source, Span

Resolve: TypeAlias = Callable[[tree.Expr, Mapping[str, Type]], Checked[ir.Expr]]
"""Resolves an expression against a system, with the types of the names bound around it."""

_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def formula(
    text: str, start: int | None, *, system: ir.System, resolve: Resolve, names: Mapping[str, Type]
) -> Checked[ir.Expr]:
    """The expression that *text* is, in the words of *system*.

    *start* is where it stands in the document, ``None`` if it does not stand there.
    """
    # Blanks in front give every token its place in the document.
    source = Source("formula", " " * (start or 0) + text)
    tokens, said = lex(source, Span(start or 0, len(source.text)))
    read = parser.expression(source, tokens, _names(system, names))
    said += read.diagnostics
    if read.value is None or read.rest:
        return _placed(Checked(None, said), start)
    resolved = resolve(read.value, names)
    return _placed(Checked(resolved.value, said + resolved.diagnostics), start)


def pieces(text: str, start: int | None) -> tuple[tuple[str, int | None], ...]:
    """*text* split at the commas that stand in no brackets, each piece with its place.

    >>> pieces("A when f(x, y), B", 10)
    (('A when f(x, y)', 10), ('B', 26))
    """
    cuts, depth = [-1], 0
    for at, char in enumerate(text):
        depth = max(0, depth + _BRACKETS.get(char, 0))
        if char == "," and depth == 0:
            cuts.append(at)
    found = []
    for left, right in zip(cuts, [*cuts[1:], len(text)], strict=True):
        piece = text[left + 1 : right]
        blanks = len(piece) - len(piece.lstrip())
        found.append((piece.strip(), None if start is None else start + left + 1 + blanks))
    return tuple(found)


def without_places(expr: ir.Expr) -> ir.Expr:
    """*expr* with no place in the document."""
    return replace(rebuilt(expr, without_places), span=NOWHERE)


def _names(system: ir.System, bound: Mapping[str, Type]) -> DeclaredNames:
    known = [s.name for s in system.sets] + [v.name for v in system.variables]
    functions = frozenset(f.name for f in system.functions)
    return DeclaredNames(
        declared=frozenset(known) | functions | frozenset(bound), functions=functions
    )


def _placed(found: Checked[ir.Expr], start: int | None) -> Checked[ir.Expr]:
    if start is not None:
        return found
    value = None if found.value is None else without_places(found.value)
    return Checked(value, tuple(_unplaced(d) for d in found.diagnostics))


def _unplaced(diagnostic: Diagnostic) -> Diagnostic:
    return replace(diagnostic, primary=None, secondary=(), fix=None)
