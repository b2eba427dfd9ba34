"""Where the dialect D3 of LED, the translator to SequenceL, would do something else.

Each kind of difference is told once, with the places where it matters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from zermelo.languages.led import ir
from zermelo.languages.led.mean.names import Remark
from zermelo.languages.led.mean.sentences import unbracketed
from zermelo.languages.led.read import tree
from zermelo.languages.led.read.tree import Expr, Sign, nodes
from zermelo.languages.led.run.analysis import Dependence, inside
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label, Report


def differences(
    document: tree.LiterateProgram,
    program: ir.Program,
    dependences: Mapping[str, Dependence],
    *,
    report: Report,
) -> None:
    found = [node for definition in document.definitions for node in nodes(definition)]
    if not document.is_printed:
        # Print shows no brackets but those that are needed.
        _brackets(document, found).tell(report)
    _short_tuples(found).tell(report)
    _strings(found).tell(report)
    _coordinates(found).tell(report)
    if program.is_game:
        _order(program, dependences).tell(report)
        _hidden(document).tell(report)
        _images(program, dependences, report)


def _brackets(document: tree.LiterateProgram, found: Sequence[Expr]) -> Remark:
    """Where ``(e)`` stands, and a tuple could."""
    values = [branch.value for each in document.definitions for branch in each.branches]
    places = [*values, *(place for node in found for place in _tuple_places(node))]
    return Remark(
        codes.LED_ONE_TUPLE,
        "D3 takes these brackets for a tuple with one component; here they only group",
        "a tuple in D3",
        help="leave the brackets out, if the program shall run in D3 too",
        spans=[each.span for each in places if isinstance(each, tree.Bracketed)],
    )


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


def _short_tuples(found: Sequence[Expr]) -> Remark:
    short = (node for node in found if isinstance(node, tree.TupleExpr) and len(node.items) < 2)
    return Remark(
        codes.WIDER_THAN_LED,
        "D3 prints tuples with one component or none like this, and does not read them",
        "not in D3",
        help="for D3, write a slice of a longer tuple, as in `(1, 2)[1..1]` or `(1, 2)[2..1]`",
        spans=[node.span for node in short],
    )


def _strings(found: Sequence[Expr]) -> Remark:
    remark = Remark(
        codes.LED_EQUAL_STRINGS,
        "in D3 no string is equal to another, not even to itself; here they are compared",
        "false in D3",
    )
    for node in found:
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


def _coordinates(found: Sequence[Expr]) -> Remark:
    points = (node for node in found if isinstance(node, tree.CallExpr) and node.name == "point")
    return Remark(
        codes.LED_COORDINATES,
        "D3 takes only the numerator of a coordinate that is not whole; here it counts as it is",
        "not a whole number",
        spans=[
            each.span
            for point in points
            for each in point.arguments
            if isinstance(each, tree.Numeral) and each.value.denominator != 1
        ],
    )


# Games


def _order(program: ir.Program, dependences: Mapping[str, Dependence]) -> Remark:
    remark = Remark(
        codes.LED_DEFINED_LATER,
        "D3 wants what depends on the state or the mouse defined before it is used",
        "defined further down",
    )
    seen: set[str] = set()
    for definition in program.definitions:
        seen.add(definition.name)
        remark.spans += [
            called.span
            for called in _called(definition)
            if called.name not in seen and dependences[called.name] != Dependence()
        ]
    return remark


def _called(definition: ir.ProgramDefinition) -> Iterator[ir.Global]:
    for case in definition.cases:
        for expr in (case.value, case.guard):
            if expr is not None:
                yield from (piece for piece in inside(expr) if isinstance(piece, ir.Global))


def _hidden(document: tree.LiterateProgram) -> Remark:
    return Remark(
        codes.LED_HIDDEN_PARAMETER,
        "D3 gives the definitions of a game parameters `S` and `I` of its own",
        "collides with them in D3",
        help="take another name, if the program shall run in D3 too",
        spans=[each.name_span for each in document.definitions if {"S", "I"} & {*each.parameters}],
    )


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
