"""What every system satisfies, however it was made; tests hold the stages before to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, get_args

from zermelo.languages.sections import ir, walk
from zermelo.languages.sections.ir import Expr, Ref, System
from zermelo.languages.sections.walk import calls, parts, recursive

_STATEMENTS: Final = get_args(ir.Statement)


def flaws(system: System) -> tuple[str, ...]:
    """Everything that *system* does not satisfy, as sentences; none for a good one."""
    return tuple(dict.fromkeys(_Inspection(system).flaws()))


class _Inspection:
    """Goes through one system."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._sets = {definition.name for definition in system.sets}
        self._variables = {variable.name: variable for variable in system.variables}
        self._functions = {function.name: function for function in system.functions}
        self._procedures = {procedure.name: procedure for procedure in system.procedures}
        self._circular = recursive({p.name: calls(p) for p in system.procedures})

    def flaws(self) -> Iterator[str]:
        system = self._system
        names = [*(each.name for each in system.sets), *(v.name for v in system.variables)]
        yield from _repeated("the name {}", names)
        yield from _repeated("the value function {}", (f.name for f in system.functions))
        yield from _repeated("the procedure {}", (p.name for p in system.procedures))
        for definition in system.sets:
            yield from self._in_expr(definition.value, f"the set {definition.name}")
        for variable in system.variables:
            yield from self._in_variable(variable)
        for function in system.functions:
            yield from self._in_function(function)
        for procedure in system.procedures:
            yield from self._in_procedure(procedure)
        yield from self._in_the_rest()
        yield from self._cycles()
        yield from self._in_roles()

    # Names

    def _in_expr(
        self, expr: Expr, where: str, names: frozenset[str] = frozenset()
    ) -> Iterator[str]:
        for name in sorted(walk.free_locals(expr) - names):
            yield f"{where} uses the local {name}, which has no value there"
        for part in parts(expr):
            yield from self._in_part(part, where)

    def _in_part(self, part: ir.Node, where: str) -> Iterator[str]:
        match part:
            case ir.Literal(bool()):
                yield f"{where} has a truth value of Python's, which equals a number"
            case Ref(name) if name not in self._sets and name not in self._variables:
                yield f"{where} names {name}, which is no set and no variable"
            case ir.Apply(name, arguments):
                function = self._functions.get(name)
                if function is None:
                    yield f"{where} applies {name}, which is no value function"
                elif len(function.parameters) != len(arguments):
                    yield f"{where} applies {name} to {len(arguments)} arguments"
            case ir.Comprehension(binders=()):
                yield f"{where} has a builder that binds no name"
            case ir.Comprehension(binders=binders):
                yield from (flaw for binder in binders for flaw in _in_binder(binder, where))
            case ir.Quantified(binder=binder) | ir.Fold(binder=binder):
                yield from _in_binder(binder, where)
            case _:
                return

    # Parts

    def _in_variable(self, variable: ir.Variable) -> Iterator[str]:
        where = f"the variable {variable.name}"
        is_defined = variable.role is ir.VariableRole.DEFINED
        if is_defined and variable.definition is None:
            yield f"{where} is defined, and has no definition"
        if is_defined and variable.initial is not None:
            yield f"{where} is defined, and has a first value"
        if not is_defined and variable.definition is not None:
            yield f"{where} is {variable.role.value}, and has a definition"
        for expr in (variable.domain, variable.initial, variable.definition):
            if expr is not None:
                yield from self._in_expr(expr, where)

    def _in_function(self, function: ir.Function) -> Iterator[str]:
        where = f"the value function {function.name}"
        names = [parameter.name for parameter in function.parameters]
        yield from self._in_parameters(function.parameters, where)
        yield from self._in_expr(function.body, where, frozenset(names))

    def _in_procedure(self, procedure: ir.Procedure) -> Iterator[str]:
        where = f"the procedure {procedure.name}"
        yield from self._in_parameters(procedure.parameters, where)
        yield from _repeated(
            "the rule {} of " + where, (r.label for r in walk.rules_of(procedure.body))
        )
        inside = [part for statement in procedure.body for part in parts(statement)]
        given = [n for p in inside if isinstance(p, ir.Let | ir.Declare) for n in p.names]
        names = frozenset((*(p.name for p in procedure.parameters), *given))
        for part in inside:
            if isinstance(part, _STATEMENTS):
                yield from self._in_statement(part, where, names)

    def _in_parameters(self, parameters: tuple[ir.Parameter, ...], where: str) -> Iterator[str]:
        names = [parameter.name for parameter in parameters]
        yield from _repeated("the parameter {} of " + where, names)
        for at, parameter in enumerate(parameters):
            yield from self._in_expr(parameter.domain, where, frozenset(names[:at]))

    def _in_statement(
        self, statement: ir.Statement, where: str, names: frozenset[str]
    ) -> Iterator[str]:
        for part in walk.children(statement):
            if isinstance(part, walk.EXPRESSIONS):
                yield from self._in_expr(part, where, names)
        match statement:
            case ir.Assign(variable):
                yield from self._in_assignment(variable, where)
            case ir.Call(procedure, arguments):
                yield from self._in_call(procedure, len(arguments), where)
            case ir.Let(given, is_tuple) if len(given) != 1 and not is_tuple:
                yield f"{where} gives one value to {len(given)} names"
            case _:
                return

    def _in_assignment(self, name: str, where: str) -> Iterator[str]:
        variable = self._variables.get(name)
        if variable is None:
            yield f"{where} assigns {name}, which is no variable"
        elif variable.role is ir.VariableRole.DEFINED:
            yield f"{where} assigns {name}, which is defined"

    def _in_call(self, name: str, count: int, where: str) -> Iterator[str]:
        called = self._procedures.get(name)
        if called is None:
            yield f"{where} calls {name}, which is no procedure"
            return
        # No other procedure calls a move, unless both are in one circle of calls.
        if called.role is not ir.ProcedureRole.HELPER and name not in self._circular:
            yield f"{where} calls {name}, which is no helper"
        if len(called.parameters) != count:
            yield f"{where} calls {name} with {count} arguments"

    def _in_the_rest(self) -> Iterator[str]:
        system = self._system
        for invariant in system.invariants:
            yield from self._in_expr(invariant.formula, "an invariant")
        if system.over is not None:
            yield from self._in_expr(system.over, "the end of play")
        if system.result is not None and system.result not in self._variables:
            yield f"the result is {system.result}, which is no variable"
        yield from _repeated("the player {}", (player.name for player in system.players))
        for player in system.players:
            yield from self._in_expr(player.turn, f"the player {player.name}")

    # Structure

    def _cycles(self) -> Iterator[str]:
        definitions = {s.name: s.value for s in self._system.sets}
        definitions |= {v.name: v.definition for v in self._system.variables if v.definition}
        edges = {name: walk.refs(expr) for name, expr in definitions.items()}
        for name in sorted(recursive(edges)):
            yield f"{name} is defined by itself"

    def _in_roles(self) -> Iterator[str]:
        ends = [p for p in self._system.procedures if p.role is ir.ProcedureRole.END]
        if len(ends) > 1:
            yield f"there are {len(ends)} ends"
        for procedure in ends:
            if procedure.parameters:
                yield f"the end {procedure.name} has parameters"
        called = frozenset(name for p in self._system.procedures for name in calls(p))
        for procedure in self._system.procedures:
            if procedure.role is ir.ProcedureRole.HELPER and procedure.name not in called:
                yield f"nobody calls the helper {procedure.name}"


def _in_binder(binder: ir.Binder, where: str) -> Iterator[str]:
    if not binder.names or (len(binder.names) > 1 and not binder.is_tuple):
        yield f"{where} binds {len(binder.names)} names in one"


def _repeated(what: str, names: Iterable[str]) -> Iterator[str]:
    for name, count in Counter(names).items():
        if count > 1:
            yield f"{what.format(name)} is there {count} times"
