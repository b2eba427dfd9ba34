"""Statements of a procedure: rules, assignments, steps, calls, local declarations.

``=`` assigns at the head of a conjunct of a conclusion and compares elsewhere.
Functions give ``None`` when something cannot be understood; then the reason has
been said.
"""

from __future__ import annotations

from typing import Final

from zermelo.languages.sections.read.grammar import syntax_errors, tree
from zermelo.languages.sections.read.grammar.cursor import Mode
from zermelo.languages.sections.read.grammar.expressions import ExpressionParser
from zermelo.languages.sections.read.grammar.tree import Expr, Statement
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label

_GUARD: Final = Mode(is_guard=True)
_VALUE: Final = Mode(is_guard=True, is_conclusion=True)
_RELATIONS: Final = {
    "∈": tree.DeclaredRelation.IN,
    "⊆": tree.DeclaredRelation.SUBSET,
    "⊂": tree.DeclaredRelation.SUBSET,
}
_CONNECTIVES: Final = frozenset(("∧", "∨", "↔", "→", "=", "≠", "<", "≤", ">", "≥"))


# statement = ( formula "→" conclusion ) | declaration | conclusion
def statement(parser: ExpressionParser) -> Statement | None:
    """One statement; several assignments in a line are a rule whose guard is ``true``."""
    if parser.next_arrow(parser.at, len(parser.tokens)) is not None:
        return rule(parser)
    if not parser.begins_conjunct(parser.at):
        said = len(parser.said)
        found = _local_declaration(parser)
        if found is None and len(parser.said) == said:
            _guard_alone(parser)
        return found
    start = parser.at
    statements = conclusion(parser)
    if statements is None:
        return None
    if len(statements) == 1:
        return statements[0]
    span = parser.span_from(start)
    return tree.Rule(tree.TruthLiteral(value=True, span=span), statements, span=span)


def _local_declaration(parser: ExpressionParser) -> tree.Declaration | None:
    if not declares(parser, parser.at):
        return None
    mark = parser.mark()
    found = declaration(parser)
    if parser.infix(parser.at)[0] in _CONNECTIVES:
        parser.back_to(mark)
        return None
    return found


def _guard_alone(parser: ExpressionParser) -> None:
    start = parser.at
    said = len(parser.said)
    if parser.formula() is None or any(fault.is_error for fault in parser.said[said:]):
        return
    parser.fail(
        codes.GUARD_WITHOUT_CONCLUSION,
        "this condition has no arrow and no conclusion behind it",
        parser.span_from(start),
        label="what happens when it holds?",
        advice="write `→` and what is assigned, as in `ok → turn = ¬turn`",
    )


# rule = formula "→" conclusion
def rule(parser: ExpressionParser) -> tree.Rule | None:
    """``guard → conclusion``; outside brackets the arrow is the rule's."""
    start = parser.at
    guard = _guard(parser)
    if guard is None:
        return None
    if parser.peek() is None:
        parser.fail(
            codes.GUARD_WITHOUT_CONCLUSION,
            "this guard has an arrow, but no conclusion behind it",
            parser.tokens[parser.at - 1].span,
            label="nothing behind it",
        )
        return None
    statements = conclusion(parser)
    if statements is None:
        return None
    if parser.infix(parser.at)[0] == "→":
        _second_arrow(parser, start)
        return None
    return tree.Rule(guard, statements, span=parser.span_from(start))


def _guard(parser: ExpressionParser) -> Expr | None:
    """The guard; its arrow is passed."""
    if parser.infix(parser.at)[0] == "→":
        parser.fail(
            codes.CONCLUSION_WITHOUT_GUARD,
            "this conclusion has no guard before its arrow",
            parser.here(),
            label="nothing before it",
            advice="write the condition before the arrow, or leave the arrow out",
        )
        return None
    guard = parser.under(_GUARD, parser.formula)
    if guard is None:
        return None
    if not parser.take_infix("→"):
        syntax_errors.operator_missing(parser, "an operator or `→`")
        return None
    return _without_braces(guard)


def _without_braces(guard: Expr) -> Expr:
    """``{n ∉ X} → …``: no set is a condition, so braces around one are brackets."""
    match guard:
        case tree.SetOf((tree.Compare() | tree.And() | tree.Or() | tree.Not() as inner,)):
            return inner
        case _:
            return guard


def _second_arrow(parser: ExpressionParser, start: int) -> None:
    first = parser.next_arrow(start, parser.at)
    labels = () if first is None else (Label(parser.tokens[first].span, "the first arrow"),)
    parser.fail(
        codes.SECOND_ARROW,
        "this rule has a second arrow",
        parser.here(),
        label="the second arrow",
        secondary=labels,
        advice="put a rule inside a rule in brackets: `a → (b → c = 1)`",
    )


# conclusion = conjunct { ( "∧" | "," | ";" ) conjunct }
def conclusion(parser: ExpressionParser) -> tuple[Statement, ...] | None:
    statements: list[Statement] = []
    while True:
        conjunct = _conjunct(parser)
        if conjunct is None:
            return None
        statements.extend(conjunct)
        before = parser.at
        separator = parser.take_infix("∧", ",", ";")
        if not separator:
            return tuple(statements)
        if separator != "∧" and not parser.begins_conjunct(parser.at):
            parser.at = before
            return tuple(statements)


# conjunct = names "=" formula | name ( "++" | "--" ) | call | "(" ( rule | conclusion ) ")"
def _conjunct(parser: ExpressionParser) -> tuple[Statement, ...] | None:
    start = parser.at
    equals = parser.names_end(start)
    if equals is not None:
        return _assignments(parser, equals)
    if parser.is_tuple_target(start):
        return _tuple_assignment(parser)
    if parser.is_applied_target(start):
        return _function_assignment(parser)
    if parser.is_step(start):
        parser.at += 2
        is_up = parser.sign(start + 1) == "++"
        return (tree.StepByOne(parser.word(start), is_up, span=parser.span_from(start)),)
    if parser.is_call(start):
        return _call(parser)
    if parser.is_nested(start):
        return _nested(parser)
    if parser.next_arrow(start, len(parser.tokens)) is not None:
        return _bare_rule(parser)
    _nothing_assigned(parser)
    return None


def _assignments(parser: ExpressionParser, equals: int) -> tuple[Statement, ...] | None:
    start = parser.at
    targets = [
        tree.Name(parser.word(at), span=parser.tokens[at].span) for at in range(start, equals, 2)
    ]
    parser.at = equals + 1
    value = _value(parser, targets[-1].text)
    if value is None:
        return None
    span = parser.span_from(start)
    return tuple(tree.Assign(target, value, span=span) for target in targets)


def _tuple_assignment(parser: ExpressionParser) -> tuple[Statement, ...] | None:
    start = parser.at
    close = parser.closer[start]
    names = tuple(
        tree.Name(parser.word(at), span=parser.tokens[at].span) for at in range(start + 1, close, 2)
    )
    parser.at = close + 1
    target = tree.TupleOf(names, span=parser.span_from(start))
    parser.at += 1
    value = _value(parser, "the names in the brackets")
    if value is None:
        return None
    return (tree.Assign(target, value, span=parser.span_from(start)),)


def _function_assignment(parser: ExpressionParser) -> tuple[Statement, ...] | None:
    """``f(i) = e``: the function gets another value at one place, and keeps the others."""
    start = parser.at
    name = tree.Name(parser.word(start), span=parser.tokens[start].span)
    parser.at += 1
    arguments = parser.arguments()
    if not arguments:
        return None
    parser.at += 1
    value = _value(parser, name.text)
    if value is None:
        return None
    span = parser.span_from(start)
    return (tree.Assign(name, tree.overridden(name, arguments, value, span), span=span),)


def _value(parser: ExpressionParser, name: str) -> Expr | None:
    """The right side of an assignment; a ``∧`` that is part of it is said."""
    start = parser.at
    value = parser.under(_VALUE, parser.formula)
    if isinstance(value, tree.And | tree.Or):
        joints = [at for at in parser.outermost(start, parser.at) if parser.infix(at)[0] == "∧"]
        if joints:
            joint = joints[0]
            following = parser.tokens[min(joint + 1, len(parser.tokens) - 1)].span
            parser.fail(
                codes.CONDITION_IN_CONCLUSION,
                f"what stands behind this `{parser.written(joint)}` assigns nothing, "
                f"so it is read as part of the value of `{name}`",
                parser.tokens[joint].span.to(following),
                label="not an assignment",
                advice="put the value in brackets, or move the condition before the arrow",
            )
    return value


def _call(parser: ExpressionParser) -> tuple[Statement, ...] | None:
    start = parser.at
    parser.at += 1
    arguments = parser.arguments()
    if arguments is None:
        return None
    return (tree.ProcedureCall(parser.word(start), arguments, span=parser.span_from(start)),)


def _nested(parser: ExpressionParser) -> tuple[Statement, ...] | None:
    opener = parser.at
    found = parser.inside(lambda: _in_brackets(parser, opener))
    return found if found is not None and syntax_errors.closed(parser, opener) else None


def _in_brackets(parser: ExpressionParser, opener: int) -> tuple[Statement, ...] | None:
    parser.at += 1
    if parser.next_arrow(parser.at, parser.closer[opener]) is None:
        return conclusion(parser)
    inner = rule(parser)
    return None if inner is None else (inner,)


def _bare_rule(parser: ExpressionParser) -> tuple[Statement, ...] | None:
    start = parser.at
    inner = parser.inside(lambda: rule(parser))
    if inner is None:
        return None
    parser.fail(
        codes.RULE_WITHOUT_BRACKETS,
        "a second condition and arrow are read as a rule inside this rule",
        parser.span_from(start),
        label="the inner rule",
        advice="put the inner rule in brackets, or begin a new line with it",
    )
    return (inner,)


def _nothing_assigned(parser: ExpressionParser) -> None:
    start = parser.at
    found = parser.under(_VALUE, parser.formula)
    if found is None:
        return
    span = parser.span_from(start)
    parser.fail(
        codes.NOTHING_ASSIGNED,
        f"`{parser.source.slice(span)}` in a conclusion assigns nothing",
        span,
        label="an assignment or a call was looked for",
        advice=_assignment_meant(found),
    )


def _assignment_meant(found: Expr) -> str:
    match found:
        case tree.Compare(tree.Name(item), ((tree.CompareOp.IN, tree.Name(collection)),)):
            change = f"{collection} = {collection} ∪ {{{item}}}"
            return f"to put `{item}` into `{collection}` write `{change}`"
        case tree.Iff(tree.Name(name), _):
            return f"to give `{name}` a value write `{name} = …`"
        case tree.Not(tree.Name(name)):
            return f"to make `{name}` false write `{name} = false`, to change it `{name} = ¬{name}`"
        case tree.Name(name):
            return f"to make `{name}` true write `{name} = true`"
        case _:
            return "write what changes as `name = new value`"


def declares(parser: ExpressionParser, at: int) -> bool:
    """Whether ``a, b ∈`` or ``a, b ⊆`` stands at *at*."""
    while parser.word(at):
        at += 1
        if parser.infix(at)[0] in _RELATIONS:
            return True
        if parser.sign(at) != ",":
            return False
        at += 1
    return False


# declaration = name { "," name } ( "∈" | "⊆" ) sum
def declaration(parser: ExpressionParser) -> tree.Declaration | None:
    start = parser.at
    names = names_list(parser)
    if names is None:
        return None
    if parser.take(":"):
        return _function_declaration(parser, start, names)
    sign_at = parser.at
    sign = parser.take_infix(*_RELATIONS)
    if not sign:
        _relation_missing(parser)
        return None
    if sign == "⊂":
        parser.said.append(
            Diagnostic(
                codes.PROPER_SUBSET_DECLARED,
                "a proper subset is declared here; it is read as a subset",
                primary=Label(parser.tokens[sign_at].span, "read as `⊆`"),
                notes=("with a proper subset the whole set would never be allowed as a value",),
                help="write `⊆`",
            )
        )
    domain_at = parser.at
    domain = parser.sum()
    if domain is None:
        return None
    return tree.Declaration(
        tuple(name.text for name in names),
        _RELATIONS[sign],
        _without_comment(parser, domain, domain_at),
        span=parser.span_from(start),
        name_spans=tuple(name.span for name in names),
    )


# declaration = name { "," name } ":" sum "→" sum
def _function_declaration(
    parser: ExpressionParser, start: int, names: tuple[tree.Name, ...]
) -> tree.Declaration | None:
    domain_at = parser.at
    domain = parser.sum()
    if domain is None:
        return None
    if not parser.take_infix("→"):
        syntax_errors.other_than(parser, "`→`", advice="a function is declared as `f : A → B`")
        return None
    values = parser.sum()
    if values is None:
        return None
    return tree.Declaration(
        tuple(name.text for name in names),
        tree.DeclaredRelation.FUNCTION,
        tree.Product((domain, values), span=parser.span_from(domain_at)),
        span=parser.span_from(start),
        name_spans=tuple(name.span for name in names),
    )


# names = name { ( "," | "and" ) name }
def names_list(parser: ExpressionParser) -> tuple[tree.Name, ...] | None:
    names: list[tree.Name] = []
    while not names or parser.take(",", ";") or (parser.word(parser.at) and parser.take_infix("∧")):
        token = parser.peek()
        if token is None or not parser.word(parser.at):
            syntax_errors.other_than(parser, "a name")
            return None
        names.append(tree.Name(token.text, span=token.span))
        parser.at += 1
    return tuple(names)


def _relation_missing(parser: ExpressionParser) -> None:
    advice = "a declaration says where the values lie: `turn ∈ B`, `Free ⊆ P`"
    if parser.sign(parser.at) in {"=", ":"}:
        advice = f"{advice}; a first value belongs under System Initialization"
    syntax_errors.other_than(parser, "`∈` or `⊆`", advice=advice)


def _without_comment(parser: ExpressionParser, domain: Expr, start: int) -> Expr:
    """The set of a declaration without words that nobody declared behind it."""
    declared = parser.names.declared
    if isinstance(domain, tree.WordRun) and not domain.quoted:
        first, *others = domain.words
        if first in declared and declared.isdisjoint(others):
            parser.at = start + 1
            return tree.Name(first, span=parser.tokens[start].span)
    return domain
