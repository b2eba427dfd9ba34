"""Where the dialect D3 of LED, the translator to SequenceL, would do something else.

Each kind of difference is told once, with the places where it matters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from zermelo.languages.led import ir
from zermelo.languages.led.mean.names import Remark
from zermelo.languages.led.mean.sentences import unbracketed
from zermelo.languages.led.read import tree
from zermelo.languages.led.read.tree import Expr, Sign, children, expressions
from zermelo.languages.led.run.analysis import Dependence, inside
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label, Report
from zermelo.text.source import Span

_HIDDEN = frozenset({"S", "I"})


def differences(
    document: tree.LiterateProgram,
    program: ir.Program,
    dependences: Mapping[str, Dependence],
    *,
    report: Report,
) -> None:
    """Say where D3 would do something else with *program*."""
    if not document.is_printed:
        # Print shows no brackets but those that are needed.
        _brackets(document).tell(report)
    _short_tuples(document).tell(report)
    _strings(document).tell(report)
    _coordinates(document).tell(report)
    if program.is_game:
        _order(program, dependences).tell(report)
        _hidden(document).tell(report)
        _images(program, dependences, report)


def nodes(document: tree.LiterateProgram) -> Iterator[Expr]:
    """Every expression of *document*, with everything inside."""
    waiting = [
        each for definition in document.definitions for each in reversed(expressions(definition))
    ][::-1]
    while waiting:
        at = waiting.pop()
        yield at
        waiting.extend(reversed(children(at)))


# `(e)` where a tuple could stand


def _brackets(document: tree.LiterateProgram) -> Remark:
    remark = Remark(
        codes.LED_ONE_TUPLE,
        "D3 takes these brackets for a tuple with one component; here they only group",
        "a tuple in D3",
        help="leave the brackets out, if the program shall run in D3 too",
    )
    for definition in document.definitions:
        remark.spans += [
            branch.value.span
            for branch in definition.branches
            if isinstance(branch.value, tree.Bracketed)
        ]
    for node in nodes(document):
        remark.spans += [
            each.span for each in _tuple_places(node) if isinstance(each, tree.Bracketed)
        ]
    return remark


def _tuple_places(node: Expr) -> tuple[Expr, ...]:
    """The parts of *node* where a term of any kind can stand."""
    match node:
        case tree.BinaryExpr(Sign.EQ | Sign.NE, left, right):
            return (left, right)
        case tree.BinaryExpr(Sign.PLUS, tree.Bracketed() as left, tree.Bracketed() as right):
            return (left, right)
        case tree.BinaryExpr(Sign.IN, left, _):
            return (left,)
        case tree.CallExpr(arguments=items) | tree.TupleExpr(items) | tree.SetExpr(items):
            return items
        case tree.SetBuilder(result, _):
            return (result,)
        case _:
            return ()


def _short_tuples(document: tree.LiterateProgram) -> Remark:
    remark = Remark(
        codes.WIDER_THAN_LED,
        "D3 prints tuples with one component or none like this, and does not read them",
        "not in D3",
        help="for D3, write a slice of a longer tuple, as in `(1, 2)[1..1]` or `(1, 2)[2..1]`",
    )
    remark.spans += [
        node.span
        for node in nodes(document)
        if isinstance(node, tree.TupleExpr) and len(node.items) < 2
    ]
    return remark


def _strings(document: tree.LiterateProgram) -> Remark:
    remark = Remark(
        codes.LED_EQUAL_STRINGS,
        "in D3 no string is equal to another, not even to itself; here they are compared",
        "false in D3",
    )
    for node in nodes(document):
        match node:
            case tree.BinaryExpr(Sign.EQ | Sign.NE, left, right):
                sides: tuple[Expr, ...] = (left, right)
            case tree.BinaryExpr(Sign.IN, left, _):
                sides = (left,)
            case _:
                continue
        if any(isinstance(unbracketed(side), tree.StringLiteral) for side in sides):
            remark.spans.append(node.span)
    return remark


def _coordinates(document: tree.LiterateProgram) -> Remark:
    remark = Remark(
        codes.LED_COORDINATES,
        "D3 takes only the numerator of a coordinate that is not whole; here it counts as it is",
        "not a whole number",
    )
    for node in nodes(document):
        if isinstance(node, tree.CallExpr) and node.name == "point":
            remark.spans += [
                each.span
                for each in node.arguments
                if isinstance(each, tree.Numeral) and each.value.denominator != 1
            ]
    return remark


# Games


def _order(program: ir.Program, dependences: Mapping[str, Dependence]) -> Remark:
    remark = Remark(
        codes.LED_DEFINED_LATER,
        "D3 wants what depends on the state or the mouse defined before it is used",
        "defined further down",
    )
    seen: set[str] = set()
    for definition in program.definitions:
        remark.spans += [
            span
            for name, span in _called(definition)
            if name not in seen and name != definition.name and dependences[name] != Dependence()
        ]
        seen.add(definition.name)
    return remark


def _called(definition: ir.ProgramDefinition) -> Iterator[tuple[str, Span]]:
    for case in definition.cases:
        for expr in (case.value, case.guard):
            if expr is not None:
                for piece in inside(expr):
                    if isinstance(piece, ir.Global):
                        yield piece.name, piece.span


def _hidden(document: tree.LiterateProgram) -> Remark:
    remark = Remark(
        codes.LED_HIDDEN_PARAMETER,
        "D3 gives the definitions of a game parameters `S` and `I` of its own",
        "collides with them in D3",
        help="take another name, if the program shall run in D3 too",
    )
    remark.spans += [
        definition.name_span
        for definition in document.definitions
        if _HIDDEN & set(definition.parameters)
    ]
    return remark


def _images(program: ir.Program, dependences: Mapping[str, Dependence], report: Report) -> None:
    images = program.definition("images")
    if images is None or not dependences["images"].on_input:
        return
    report.say(
        Diagnostic(
            codes.LED_IMAGES_BY_MOUSE,
            "in D3 images depend on the state only; here they may depend on the input too",
            Label(images.name_span, "depends on the mouse or the keys"),
        )
    )
