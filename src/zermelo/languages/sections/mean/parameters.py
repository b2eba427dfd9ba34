"""The parameters of procedures: the sets they range over, said or found by how they are used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.core.types import UNKNOWN, SetType, Type
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.items import Items
from zermelo.languages.sections.mean.terms import binding, walk
from zermelo.languages.sections.mean.terms.hints import type_by_use
from zermelo.languages.sections.mean.terms.infer import Inference
from zermelo.languages.sections.mean.terms.typed import Scope, Typed, is_known, item_type
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.read.grammar import tree
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label, Severity


@dataclass(slots=True)
class Parameters:
    """Finds the parameters of the procedures of a document."""

    document: Items
    inference: Inference
    end: str | None
    """The procedure that is called after every move, and is given nothing."""

    def kept(self, procedure: tree.Procedure) -> tuple[int, ...]:
        """The places of the parameters that are parameters.

        One without a domain that has the name of a variable is that variable.
        """
        if procedure.name == self.end:
            return ()
        return tuple(
            place
            for place, parameter in enumerate(procedure.parameters)
            if parameter.domain is not None or not self._is_variable(parameter.name)
        )

    def _is_variable(self, name: str) -> bool:
        names = self.inference.names
        return names.aliases.get(name, name) in names.variables

    def lost(self, procedure: tree.Procedure) -> frozenset[str]:
        """The parameters of the end that are no variables: nobody gives them a value."""
        if procedure.name != self.end:
            return frozenset()
        found = [p for p in procedure.parameters if not self._is_variable(p.name)]
        for parameter in found:
            self.inference.report.say(
                Diagnostic(
                    codes.PARAMETER_WITHOUT_SET,
                    f"`{procedure.name}` is called after every move, "
                    f"and nothing gives it a value for `{parameter.name}`",
                    primary=Label(parameter.span, "no variable of this name"),
                    help=f"declare `{parameter.name}` as a variable, or leave it out",
                    severity=Severity.ERROR,
                )
            )
        return frozenset(parameter.name for parameter in found)

    def of(self, procedure: tree.Procedure, *, is_move: bool) -> tuple[ir.Parameter, ...] | None:
        """The parameters of *procedure*; ``None`` if a move's cannot be known."""
        found: list[ir.Parameter] = []
        for place in self.kept(procedure):
            parameter = self._parameter(procedure, place, is_move=is_move)
            if parameter is None:
                return None
            found.append(parameter)
        return tuple(found)

    def _parameter(
        self, procedure: tree.Procedure, place: int, *, is_move: bool
    ) -> ir.Parameter | None:
        item = procedure.parameters[place]
        definitions = self.inference.definitions
        source = _declared(procedure.parameters[place:])
        if source is not None and source.domain is not None:
            found = definitions.domain(source.relation, source.domain)
            if found.expr is not None:
                return ir.Parameter(item.name, found.expr, found.type)
        guess = self._by_guard(procedure, item)
        if guess is not None:
            if source is None:
                self._say_assumed(item, guess)
            return ir.Parameter(item.name, guess.expr, item_type(guess.type))
        kind = self._by_calls(procedure, place)
        if not is_known(kind):
            kind = type_by_use(item.name, tuple(walk.expressions_in(procedure.body)))
        if is_move:
            if source is None:
                self._say_unknown(item)
            return None
        return ir.Parameter(item.name, definitions.anything(kind, item.span), kind)

    def _by_guard(self, procedure: tree.Procedure, item: tree.Parameter) -> Typed | None:
        """The set that a guard or a declaration asks the parameter to be in."""
        for domain in _asked(procedure, item.name):
            with self.inference.report.quiet():
                before = self.inference.report.faults
                whole = self.inference.typed(domain, Scope())
                is_usable = self.inference.report.faults == before
            if is_usable and isinstance(whole.type, SetType):
                return self._constant(whole)
        return None

    def _constant(self, whole: Typed) -> Typed:
        """The set itself, or for a variable the set whose subset it is."""
        names = self.inference.names
        if isinstance(whole.expr, ir.Ref) and whole.expr.name in names.variables:
            domain = self.inference.definitions.variable(whole.expr.name).expr
            if isinstance(domain, ir.PowerSet):
                return Typed(domain.base, whole.type)
        return whole

    def _by_calls(self, procedure: tree.Procedure, place: int) -> Type:
        """The type of what callers give."""
        report = self.inference.report
        for caller in self.document.procedures:
            scope = self.inference.definitions.parameters_scope(caller)
            for call in walk.statements(caller.body):
                if not isinstance(call, tree.Call) or call.name != procedure.name:
                    continue
                for argument in call.arguments[place : place + 1]:
                    with report.quiet():
                        kind = self.inference.typed(argument, scope).type
                    if is_known(kind):
                        return kind
        return UNKNOWN

    def _say_assumed(self, item: tree.Parameter, whole: Typed) -> None:
        text = to_text(whole.expr)
        self.inference.report.say(
            Diagnostic(
                codes.PARAMETER_WITHOUT_SET,
                f"`{item.name}` has no set; it is taken from `{text}`, as the rules ask",
                primary=Label(item.span, "from which set?"),
                help=f"write `{item.name} ∈ {text}`",
            )
        )

    def _say_unknown(self, item: tree.Parameter) -> None:
        self.inference.report.say(
            Diagnostic(
                codes.PARAMETER_WITHOUT_SET,
                f"nothing says which values `{item.name}` can have",
                primary=Label(item.span, "from which set?"),
                help=f"write `{item.name} ∈ S` with the set S that players choose from",
                severity=Severity.ERROR,
            )
        )


def _declared(parameters: tuple[tree.Parameter, ...]) -> tree.Parameter | None:
    """The parameter that names the set of the first one: itself, or the next in ``a, b ∈ S``."""
    return next((p for p in parameters if p.domain is not None), None)


def _asked(procedure: tree.Procedure, name: str) -> Iterator[tree.Expr]:
    for statement in walk.statements(procedure.body):
        if isinstance(statement, tree.Declaration) and name in statement.names:
            yield statement.domain
    for guard in walk.guards_in(procedure.body):
        found = binding.find((name,), guard)
        if found is not None and not isinstance(found.generator.domain, tree.SetOf):
            yield found.generator.domain
