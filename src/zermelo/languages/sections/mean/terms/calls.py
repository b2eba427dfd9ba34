"""Value functions and families with their arguments."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.core.types import UNKNOWN, words
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.terms import operators
from zermelo.languages.sections.mean.terms.definitions import Definitions, Expressions
from zermelo.languages.sections.mean.terms.names import Table
from zermelo.languages.sections.mean.terms.typed import Scope, Typed, fits, nothing
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.read.grammar import tree
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label, Report
from zermelo.text.source import NOWHERE, Span
from zermelo.text.suggest import nearest


@dataclass(slots=True)
class Calls:
    """Applies functions and families; *expressions* does the rest."""

    names: Table
    definitions: Definitions
    expressions: Expressions
    report: Report

    def call(self, name: str, arguments: tuple[tree.Expr, ...], span: Span, scope: Scope) -> Typed:
        """The function or family called *name* at *arguments*."""
        function = self.definitions.function(name)
        wanted = self._size(name)
        if wanted != len(arguments):
            return self._wrong_number(name, wanted, len(arguments), span=span)
        if function is None:
            return self._call_of_open(name, arguments, span, scope)
        values: list[ir.Expr] = []
        for parameter, argument in zip(function.parameters, arguments, strict=True):
            before = self.report.faults
            value = self.expressions.typed(argument, scope, expected=parameter.type)
            value = operators.fitted(value, parameter.type, report=self.report)
            if not fits(value.type, parameter.type) and self.report.faults == before:
                self._say_argument(name, parameter, value)
            values.append(value.expr)
        return Typed(ir.Apply(name, tuple(values), span=span), function.type)

    def _call_of_open(
        self, name: str, arguments: tuple[tree.Expr, ...], span: Span, scope: Scope
    ) -> Typed:
        """A function that calls itself has no type yet; one that is broken cannot be used."""
        if self.definitions.is_done(name):
            self.report.unusable()
            return nothing(span)
        values = tuple(self.expressions.typed(a, scope).expr for a in arguments)
        return Typed(ir.Apply(name, values, span=span), UNKNOWN)

    def _say_argument(self, name: str, parameter: ir.Parameter, value: Typed) -> None:
        self.report.unusable()
        self.report.say(
            Diagnostic(
                codes.KINDS_CLASH,
                f"`{name}` takes {words(parameter.type)} as `{parameter.name}`, "
                f"and `{to_text(value.expr)}` is {words(value.type)}",
                primary=Label(value.span, words(value.type)),
                secondary=self.place(name, "defined here"),
            )
        )

    def _size(self, name: str) -> int:
        """How many arguments the function or family called *name* takes."""
        if name in self.names.families:
            return 1
        return len(self.names.functions[name].parameters)

    def _wrong_number(self, name: str, wanted: int, given: int, *, span: Span) -> Typed:
        self.report.unusable()
        self.report.say(
            Diagnostic(
                codes.WRONG_NUMBER,
                f"`{name}` takes {_arguments(wanted)}, and {given} "
                f"{'is' if given == 1 else 'are'} given",
                primary=Label(span, _arguments(given)),
                secondary=self.place(name, "defined here"),
            )
        )
        return nothing(span)

    def unknown(self, expr: tree.Apply) -> Typed:
        """What stands for a function that is not defined."""
        self.report.unusable()
        near = nearest(expr.name, [*self.names.functions, *self.names.families])
        is_procedure = expr.name in self.names.procedures
        self.report.say(
            Diagnostic(
                codes.UNKNOWN_FUNCTION,
                f"`{expr.name}` is a procedure, and has no value"
                if is_procedure
                else f"`{expr.name}` is used like a function, but none of that name is defined",
                primary=Label(head_of(expr), "no value function"),
                secondary=self.place(near[0], "a function of nearly this name")
                if near
                else self.place(expr.name, "this is what it is"),
                help=f"write `{near[0]}`" if near else f"define `{expr.name}(…) = …`",
            ),
            once=expr.name,
        )
        return nothing(expr.span)

    def place(self, name: str, text: str) -> tuple[Label, ...]:
        """A label where *name* is declared."""
        place = self.names.place(self.names.aliases.get(name, name))
        return () if place is None else (Label(place, text),)


def head_of(expr: tree.Apply) -> Span:
    """Where the name before the brackets stands."""
    return expr.span if expr.name_span == NOWHERE else expr.name_span


def _arguments(count: int) -> str:
    return "1 argument" if count == 1 else f"{count} arguments"
