"""The lines of the other sections: sets, initial values, heads, value functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from zermelo.languages.sections.read.grammar import complaints, tree
from zermelo.languages.sections.read.grammar.described import described
from zermelo.languages.sections.read.grammar.formulas import Formulas
from zermelo.languages.sections.read.grammar.statements import names_list
from zermelo.languages.sections.read.grammar.tree import Expr
from zermelo.languages.sections.read.grammar.walk import is_free
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Fix, Label
from zermelo.text.source import Span

_SET_SIGNS: Final = frozenset(("ℕ", "ℤ", "ℤ⁺", "𝒫"))
_RELATIONS: Final = {"∈": tree.Relation.IN, "⊆": tree.Relation.SUBSET}
_KEYWORDS: Final = frozenset(("procedure", "function", "Procedure", "Function"))


@dataclass(frozen=True, slots=True)
class Head:
    """``name(parameters)``, with or without a colon behind it (the colon is used up)."""

    name: str
    parameters: tuple[tree.Parameter, ...]
    name_span: Span


# set-definition = name ( ":" | "=" ) ( description | formula { "," formula } )
def set_definition(parser: Formulas) -> tree.SetDefinition | None:
    """``P : R × C``; a subscript that the value mentions makes a family."""
    start = parser.at
    token = parser.peek()
    if token is None or not (parser.word(start) or parser.sign(start) in _SET_SIGNS):
        complaints.set_name_missing(parser)
        return None
    parser.at += 1
    if not parser.take(":", "="):
        complaints.operator_missing(parser, "`:` or `=`")
        return None
    value = _set_value(parser, token.text)
    if value is None:
        return None
    name, index = _family(token.text, value)
    return tree.SetDefinition(
        name, value, index, span=parser.span_from(start), name_span=token.span
    )


def _set_value(parser: Formulas, name: str) -> Expr | None:
    found = described(parser, name)
    if found is None or found.value is not None:
        return found.value if found else _listed(parser)
    return None


def _listed(parser: Formulas) -> Expr | None:
    """A formula; several in a row have lost the braces around them."""
    start = parser.at
    first = parser.formula()
    if first is None:
        return None
    items = [first]
    kind = parser.tokens[start]
    while parser.sign(parser.at) == "," and _begins_alike(parser, start, parser.at + 1):
        parser.at += 1
        item = parser.formula()
        if item is None:
            return None
        items.append(item)
    if len(items) == 1 or not (kind.text in {"{", "("} or kind.text.isdigit()):
        return first
    span = parser.span_from(start)
    parser.said.append(_braces_lost(parser, span, is_latex=parser.written(start) == "\\{"))
    return tree.SetOf(tuple(items), span=span)


def _begins_alike(parser: Formulas, start: int, at: int) -> bool:
    first = parser.tokens[start]
    if first.text not in {"{", "("} and not first.text.isdigit():
        return False
    following = parser.tokens[at] if at < len(parser.tokens) else None
    return following is not None and (
        following.text == first.text or (following.text.isdigit() and first.text.isdigit())
    )


def _braces_lost(parser: Formulas, span: Span, *, is_latex: bool) -> Diagnostic:
    opener, closer = ("\\{", "\\}") if is_latex else ("{", "}")
    return Diagnostic(
        codes.BRACES_LOST,
        "a list without braces around it is read as the set of what it lists",
        primary=Label(span, "read as if braces stood around it"),
        help=f"write `{opener}` before it and `{closer}` behind it",
        fix=Fix(span, f"{opener}{parser.source.slice(span)}{closer}"),
    )


def _family(name: str, value: Expr) -> tuple[str, str | None]:
    base, _, subscript = name.rpartition("_")
    is_letter = len(subscript) == 1 and subscript.isalpha()
    if base and is_letter and is_free(subscript, value):
        return base, subscript
    return name, None


# initial = name { "," name } "=" formula
def initial(parser: Formulas) -> tree.Initial | None:
    """``a, b = ∅``, also ``a = b = ∅`` where all of them are variables."""
    start = parser.at
    names = names_list(parser)
    if names is None:
        return None
    if not parser.take_infix("=", ":", "↔"):
        complaints.initial_sign_missing(parser)
        return None
    while parser.word(parser.at) in parser.names.declared and parser.sign(parser.at + 1) == "=":
        names = (*names, tree.Name(parser.word(parser.at), span=parser.tokens[parser.at].span))
        parser.at += 2
    value = parser.formula()
    if value is None:
        return None
    return tree.Initial(
        tuple(name.text for name in names),
        value,
        span=parser.span_from(start),
        name_spans=tuple(name.span for name in names),
    )


# head = name "(" [ parameter { "," parameter } ] ")" [ ":" ]
def head(parser: Formulas) -> Head | None:
    """``Move(prev, next ∈ P):``."""
    if parser.word(parser.at) in _KEYWORDS and parser.word(parser.at + 1):
        parser.at += 1
    token = parser.peek()
    if token is None or not parser.word(parser.at) or parser.sign(parser.at + 1) != "(":
        complaints.head_not_understood(parser)
        return None
    opener = parser.at + 1
    parser.at += 2
    if parser.take(")"):
        parser.take(":")
        return Head(token.text, (), token.span)
    parameters = parser.inside(lambda: _parameters(parser))
    if parameters is None or not complaints.closed(parser, opener):
        return None
    parser.take(":")
    return Head(token.text, parameters, token.span)


# parameters = name { "," name } [ ( "∈" | "⊆" ) sum ] { "," … }
def _parameters(parser: Formulas) -> tuple[tree.Parameter, ...] | None:
    parameters: list[tree.Parameter] = []
    waiting: list[tree.Name] = []
    while not (parameters or waiting) or parser.take(",", ";"):
        names = _one_name(parser)
        if names is None:
            return None
        waiting.append(names)
        sign = parser.take_infix(*_RELATIONS)
        if not sign:
            continue
        domain = parser.sum()
        if domain is None:
            return None
        parameters.extend(
            tree.Parameter(name.text, _RELATIONS[sign], domain, span=name.span.to(domain.span))
            for name in waiting
        )
        waiting = []
    parameters.extend(tree.Parameter(name.text, span=name.span) for name in waiting)
    return tuple(parameters)


def _one_name(parser: Formulas) -> tree.Name | None:
    token = parser.peek()
    if token is None or not parser.word(parser.at):
        complaints.operand_missing(parser)
        return None
    parser.at += 1
    return tree.Name(token.text, span=token.span)


# function = head "=" formula
def function(parser: Formulas) -> tree.Function | None:
    """``lines(a ⊆ P) = |a|``; only the first ``=`` defines."""
    start = parser.at
    found = head(parser)
    if found is None:
        return None
    if not parser.take("=", "↔"):
        complaints.operator_missing(parser, "`=` and what the function gives")
        return None
    body = parser.formula()
    if body is None:
        return None
    return tree.Function(
        found.name,
        found.parameters,
        body,
        span=parser.span_from(start),
        name_span=found.name_span,
    )
