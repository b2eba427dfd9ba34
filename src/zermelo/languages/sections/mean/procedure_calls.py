"""Calls of procedures: the arguments must fit the parameters."""

from __future__ import annotations

from zermelo.core.types import TupleType, words
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.parameters import Parameters
from zermelo.languages.sections.mean.terms import operators
from zermelo.languages.sections.mean.terms.infer import Inference
from zermelo.languages.sections.mean.terms.typed import Scope, fits
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.read.grammar import tree
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.suggest import nearest


def call(
    statement: tree.Call, scope: Scope, inference: Inference, *, parameters: Parameters
) -> tuple[ir.Statement, ...]:
    """*statement* as a statement of the system; nothing if it cannot be made."""
    names = inference.names
    callee = names.procedures.get(statement.name)
    if callee is None:
        _no_procedure(statement, inference)
        return ()
    kept = parameters.kept(callee)
    arguments = statement.arguments
    if len(arguments) == len(callee.parameters):
        arguments = tuple(arguments[place] for place in kept)
    with inference.report.quiet():
        heads = parameters.of(callee, is_move=False) or ()
    arguments = _bundled(arguments, heads)
    if len(arguments) != len(heads):
        _wrong_number(statement, len(heads), inference)
        return ()
    values = tuple(
        _argument(argument, head, scope, callee=callee.name, inference=inference)
        for argument, head in zip(arguments, heads, strict=True)
    )
    return (ir.Call(callee.name, values, span=statement.span),)


def _argument(
    argument: tree.Expr, head: ir.Parameter, scope: Scope, *, callee: str, inference: Inference
) -> ir.Expr:
    report = inference.report
    before = report.faults
    value = inference.typed(argument, scope, expected=head.type)
    value = operators.fitted(value, head.type, report=report)
    if not fits(value.type, head.type) and report.faults == before:
        report.unusable()
        report.say(
            Diagnostic(
                codes.KINDS_CLASH,
                f"`{callee}` takes {words(head.type)} as `{head.name}`, "
                f"and `{to_text(value.expr)}` is {words(value.type)}",
                primary=Label(value.span, words(value.type)),
            )
        )
    return value.expr


def _no_procedure(statement: tree.Call, inference: Inference) -> None:
    report = inference.report
    names = inference.names
    report.unusable()
    near = nearest(statement.name, names.procedures)
    report.say(
        Diagnostic(
            codes.UNKNOWN_FUNCTION,
            f"`{statement.name}` is called here, but no procedure of that name is written",
            primary=Label(statement.span, "no such procedure"),
            help=f"write `{near[0]}`" if near else f"write a procedure `{statement.name}(…)`",
        ),
        once=statement.name,
    )


def _wrong_number(statement: tree.Call, wanted: int, inference: Inference) -> None:
    report = inference.report
    report.unusable()
    given = len(statement.arguments)
    place = inference.names.place(statement.name)
    report.say(
        Diagnostic(
            codes.WRONG_NUMBER,
            f"`{statement.name}` takes {_arguments(wanted)}, and {given} "
            f"{'is' if given == 1 else 'are'} given",
            primary=Label(statement.span, _arguments(given)),
            secondary=() if place is None else (Label(place, "its head"),),
        )
    )


def _bundled(
    arguments: tuple[tree.Expr, ...], heads: tuple[ir.Parameter, ...]
) -> tuple[tree.Expr, ...]:
    """``Remove(a, b)`` where one pair is taken: the arguments are its components."""
    if len(heads) != 1 or len(arguments) < 2:
        return arguments
    kind = heads[0].type
    if isinstance(kind, TupleType) and len(kind.items) == len(arguments):
        span = arguments[0].span.to(arguments[-1].span)
        return (tree.TupleOf(arguments, span=span),)
    return arguments


def _arguments(count: int) -> str:
    return "1 argument" if count == 1 else f"{count} arguments"
