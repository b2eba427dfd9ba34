"""Tokens become trees: one function for each kind of line.

Each gives what it understood, the tokens that were left over, and what it has to
say. Nothing here raises on any text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias, TypeVar

from zermelo.languages.sections.read.grammar import statements, syntax_errors, tree
from zermelo.languages.sections.read.grammar.cursor import DeclaredNames, Parsed, TokenCursor
from zermelo.languages.sections.read.grammar.expressions import ExpressionParser
from zermelo.languages.sections.read.grammar.sets_in_words import described
from zermelo.languages.sections.read.grammar.statements import names_list
from zermelo.languages.sections.read.grammar.tokens import Token
from zermelo.languages.sections.read.grammar.traversal import depth, expressions, is_free
from zermelo.languages.sections.read.grammar.tree import Expr
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Fix, Label
from zermelo.text.source import Source, Span

_SET_SIGNS: Final = frozenset(("ℕ", "ℤ", "ℤ⁺", "𝒫"))
_RELATIONS: Final = {"∈": tree.DeclaredRelation.IN, "⊆": tree.DeclaredRelation.SUBSET}
_KEYWORDS: Final = frozenset(("procedure", "function", "Procedure", "Function"))
T = TypeVar("T")
Reader: TypeAlias = Callable[[Source, Sequence[Token], DeclaredNames], Parsed[T]]
DEPTH: Final = 200
"""How deep a tree may be: other stages walk down it."""


def rejoined(
    source: Source, tokens: Sequence[Token], names: DeclaredNames
) -> tuple[tuple[Token, ...], tuple[Diagnostic, ...]]:
    """*tokens* with declared names put together that copying has split, and what was split."""
    cursor = TokenCursor(source, tokens, names)
    return cursor.tokens, tuple(cursor.said)


def _domains(parameters: Sequence[tree.Parameter]) -> tuple[Expr, ...]:
    return tuple(item.domain for item in parameters if item.domain is not None)


def _reader(
    rule: Callable[[ExpressionParser], T | None], parts_of: Callable[[T], tuple[Expr, ...]]
) -> Reader[T]:
    """What *rule* makes of tokens, if no part of it is too deep, with what is left over."""

    def read(source: Source, tokens: Sequence[Token], names: DeclaredNames) -> Parsed[T]:
        parser = ExpressionParser(source, tokens, names)
        value = rule(parser)
        if value is not None:
            deepest = next((expr for expr in parts_of(value) if depth(expr) > DEPTH), None)
            if deepest is not None:
                parser.said.append(_too_deep(deepest))
                value = None
        said = tuple(parser.said)
        if value is None or parser.peek() is None:
            return Parsed(value, (), said)
        rest = parser.tokens[parser.at :]
        syntax_errors.rest(parser)
        return Parsed(value, rest, said, tuple(parser.said[len(said) :]))

    return read


def _too_deep(expr: Expr) -> Diagnostic:
    return Diagnostic(
        codes.TOO_DEEP,
        f"this formula has more than {DEPTH} levels",
        primary=Label(expr.span, "too deep to be worked with"),
        help="give a part of it a name of its own, or list what it joins in one set",
    )


# set-definition = name ( ":" | "=" ) ( description | formula { "," formula } )
def _set_definition(parser: ExpressionParser) -> tree.SetDefinition | None:
    """``P : R × C``; a subscript that the value mentions makes a family."""
    start = parser.at
    token = parser.peek()
    if token is None or not (parser.word(start) or parser.sign(start) in _SET_SIGNS):
        syntax_errors.set_name_missing(parser)
        return None
    parser.at += 1
    if not parser.take(":", "="):
        syntax_errors.operator_missing(parser, "`:` or `=`")
        return None
    found = described(parser, token.text)
    value = _listed(parser) if found is None else found.value
    if value is None:
        return None
    name, index = _without_index(token.text, value)
    return tree.SetDefinition(
        name, value, index, span=parser.span_from(start), name_span=token.span
    )


def _listed(parser: ExpressionParser) -> Expr | None:
    """A formula; several in a row have lost the braces around them."""
    start = parser.at
    first = parser.formula()
    if first is None:
        return None
    items = [first]
    while parser.sign(parser.at) == "," and _begins_alike(parser, start, parser.at + 1):
        parser.at += 1
        item = parser.formula()
        if item is None:
            return None
        items.append(item)
    if len(items) == 1:
        return first
    span = parser.span_from(start)
    parser.said.append(_braces_lost(parser, span, is_latex=parser.written(start) == "\\{"))
    return tree.SetOf(tuple(items), span=span)


def _begins_alike(parser: ExpressionParser, start: int, at: int) -> bool:
    def beginning(place: int) -> str:
        text = parser.tokens[place].text if place < len(parser.tokens) else ""
        return "0" if text.isdigit() else text

    return beginning(start) in {"{", "(", "0"} and beginning(start) == beginning(at)


def _braces_lost(parser: ExpressionParser, span: Span, *, is_latex: bool) -> Diagnostic:
    opener, closer = ("\\{", "\\}") if is_latex else ("{", "}")
    return Diagnostic(
        codes.BRACES_LOST,
        "a list without braces around it is read as the set of what it lists",
        primary=Label(span, "read as if braces stood around it"),
        help=f"write `{opener}` before it and `{closer}` behind it",
        fix=Fix(span, f"{opener}{parser.source.slice(span)}{closer}"),
    )


def _without_index(name: str, value: Expr) -> tuple[str, str | None]:
    base, _, subscript = name.rpartition("_")
    is_letter = len(subscript) == 1 and subscript.isalpha()
    if base and is_letter and is_free(subscript, value):
        return base, subscript
    return name, None


# initial = name { "," name } "=" formula
def _initial(parser: ExpressionParser) -> tree.Initial | None:
    """``a, b = ∅``, also ``a = b = ∅`` where all of them are variables."""
    start = parser.at
    opener = next((at for at in range(start, len(parser.tokens)) if parser.sign(at) == "("), -1)
    if parser.prefix(start) == "∀" or opener == start + 1:
        return _initial_place(parser)
    names = names_list(parser)
    if names is None:
        return None
    if not parser.take_infix("=", ":", "↔"):
        syntax_errors.initial_sign_missing(parser)
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


# initial = [ "∀" name [ "∈" sum ] ":" ] name "(" formula { "," formula } ")" "=" formula
def _initial_place(parser: ExpressionParser) -> tree.Initial | None:
    """``heap(1) = 3``, and for all places ``heap(i) = 3``, perhaps with ``∀i ∈ I:`` before it."""
    start = parser.at
    over = None
    if parser.prefix(parser.at) == "∀":
        parser.at += 1
        if not _bound_names(parser):
            return None
        over = parser.sum() if parser.take_infix("∈") else None
        if not parser.take(":", ","):
            syntax_errors.other_than(parser, "`:`")
            return None
    name = parser.word(parser.at)
    place = parser.tokens[min(parser.at, len(parser.tokens) - 1)].span
    if not name or parser.sign(parser.at + 1) != "(" or parser.sign(parser.at + 2) == ")":
        syntax_errors.other_than(parser, "a function at a place, as in `f(1)`,")
        return None
    parser.at += 1
    arguments = parser.arguments()
    if arguments is None:
        return None
    if not parser.take_infix("="):
        syntax_errors.initial_sign_missing(parser)
        return None
    value = parser.formula()
    if value is None:
        return None
    return tree.Initial(
        (name,), value, arguments, over, span=parser.span_from(start), name_spans=(place,)
    )


def _bound_names(parser: ExpressionParser) -> bool:
    """The names behind a quantifier, perhaps in brackets."""
    is_tuple = bool(parser.take("("))
    if names_list(parser) is None:
        return False
    if is_tuple and not parser.take(")"):
        syntax_errors.other_than(parser, "`)`")
        return False
    return True


def _fact(parser: ExpressionParser) -> tree.Fact | None:
    formula = parser.formula()
    return None if formula is None else tree.Fact(formula, span=parser.span_from(0))


# head = name "(" [ parameter { "," parameter } ] ")" [ ":" ]
def _head(parser: ExpressionParser) -> tree.Procedure | None:
    """``Move(prev, next ∈ P):``, a procedure without its body."""
    start = parser.at
    if parser.word(parser.at) in _KEYWORDS and parser.word(parser.at + 1):
        parser.at += 1
    token = parser.peek()
    if token is None or not parser.word(parser.at) or parser.sign(parser.at + 1) != "(":
        syntax_errors.head_not_understood(parser)
        return None
    opener = parser.at + 1
    parser.at += 2
    parameters: tuple[tree.Parameter, ...] = ()
    if not parser.take(")"):
        found = parser.inside(lambda: _parameters(parser))
        if found is None or not syntax_errors.closed(parser, opener):
            return None
        parameters = found
    parser.take(":")
    span = parser.span_from(start)
    return tree.Procedure(token.text, parameters, (), span=span, name_span=token.span)


# parameters = name { "," name } [ ( "∈" | "⊆" ) sum ] { "," … }
def _parameters(parser: ExpressionParser) -> tuple[tree.Parameter, ...] | None:
    parameters: list[tree.Parameter] = []
    waiting: list[Token] = []
    while not (parameters or waiting) or parser.take(",", ";"):
        token = parser.peek()
        if token is None or not parser.word(parser.at):
            syntax_errors.operand_missing(parser)
            return None
        parser.at += 1
        waiting.append(token)
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


# function = head "=" formula
def _function(parser: ExpressionParser) -> tree.FunctionDefinition | None:
    """``lines(a ⊆ P) = |a|``; only the first ``=`` defines."""
    start = parser.at
    found = _head(parser)
    if found is None:
        return None
    if not parser.take("=", "↔"):
        syntax_errors.operator_missing(parser, "`=` and what the function gives")
        return None
    body = parser.formula()
    if body is None:
        return None
    return tree.FunctionDefinition(
        found.name,
        found.parameters,
        body,
        span=parser.span_from(start),
        name_span=found.name_span,
    )


expression: Reader[Expr] = _reader(ExpressionParser.formula, expressions)
"""A term or formula, ``→`` and ``↔`` included."""
declaration = _reader(statements.declaration, expressions)
"""``a, b ∈ S`` or ``a, b ⊆ S``."""
set_definition = _reader(_set_definition, lambda found: (found.value,))
"""``P : R × C``, also with ``=``, also described in words."""
initial = _reader(_initial, lambda found: (found.value,))
"""``a, b = ∅``."""
fact = _reader(_fact, lambda found: (found.formula,))
"""A formula that holds always."""
head = _reader(_head, lambda found: _domains(found.parameters))
"""``Move(prev, next ∈ P):``."""
function = _reader(_function, lambda found: (found.body, *_domains(found.parameters)))
"""``lines(a ⊆ P) = |a|``."""
statement: Reader[tree.Statement] = _reader(statements.statement, expressions)
"""A rule, an assignment, a step, a call or a local declaration."""
