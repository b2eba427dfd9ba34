"""A system as the text of a sections document, its readings included."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.core.values import TRUTH, Atom
from zermelo.languages.sections.ir import (
    Parameter,
    PowerSet,
    Procedure,
    ProcedureRole,
    System,
    Variable,
    VariableRole,
)
from zermelo.languages.sections.printer import statement_to_text, to_text


def document_of(system: System) -> str:
    """The document that says what *system* is; readings and players stand in its Reading.

    What a document cannot say (a comparison with the unset value, an order for
    each helper's values outside) is written all the same, for people.
    """
    return "\n".join(
        [
            "Applicable Sets",
            *_indented(f"{each.name} : {to_text(each.value)}" for each in system.sets),
            "System Variables",
            *_indented(_declarations(system)),
            "System Facts",
            *_indented(_facts(system)),
            "System Initialization",
            *_indented(_first_values(system)),
            "System States and Behavior",
            *_functions(system),
            *(line for each in system.procedures for line in _procedure(each, system)),
            "Reading",
            *_indented(_readings(system)),
            "",
        ]
    )


def _indented(lines: Iterator[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _declarations(system: System) -> Iterator[str]:
    for variable in system.variables:
        if variable.domain is None:
            domain = "∈ {true, false}" if variable.type == TRUTH else None
        elif isinstance(variable.domain, PowerSet):
            domain = f"⊆ {to_text(variable.domain.base)}"
        else:
            domain = f"∈ {to_text(variable.domain)}"
        if domain is not None:
            yield f"{variable.name} {domain}"
    if system.over is not None:
        yield "over ∈ {true, false}"


def _facts(system: System) -> Iterator[str]:
    for variable in system.variables:
        if variable.definition is not None:
            yield f"{variable.name} {_defines(variable)} ({to_text(variable.definition)})"
    yield from (to_text(each.formula) for each in system.invariants)
    if system.over is not None:
        yield f"over ↔ ({to_text(system.over)})"


def _defines(variable: Variable) -> str:
    return "↔" if variable.type == TRUTH else "="


def _first_values(system: System) -> Iterator[str]:
    for variable in system.variables:
        if variable.initial is not None:
            yield f"{variable.name} = {to_text(variable.initial)}"


def _functions(system: System) -> Iterator[str]:
    for each in system.functions:
        yield f"{each.name}({_parameters(each.parameters)}) = ({to_text(each.body)})"


def _parameters(parameters: tuple[Parameter, ...]) -> str:
    return ", ".join(_parameter(each) for each in parameters)


def _parameter(parameter: Parameter) -> str:
    domain = parameter.domain
    if isinstance(domain, PowerSet):
        return f"{parameter.name} ⊆ {to_text(domain.base)}"
    return f"{parameter.name} ∈ {to_text(domain)}"


def _procedure(procedure: Procedure, system: System) -> Iterator[str]:
    given = _parameters(procedure.parameters)
    if procedure.role is ProcedureRole.END and system.over is not None:
        given = "over"
    yield f"{procedure.name}({given})"
    for statement in procedure.body:
        yield f"  {statement_to_text(statement)}"


def _readings(system: System) -> Iterator[str]:
    for each in system.procedures:
        yield f"order of {each.name}: {each.order.value}"
    for variable in system.variables:
        if variable.role is not VariableRole.DEFINED:
            kept = "fresh" if variable.role is VariableRole.FLAG else "kept"
            yield f"flag {variable.name}: {kept}"
    outsides = {each.outside.value for each in system.procedures}
    yield f"value outside: {min(outsides, default='skip')}"
    yield f"input without effect: {system.no_effect.value}"
    yield f"stuck player: {system.stuck.value}"
    if system.players:
        when = ", ".join(f"{each.name} when {to_text(each.turn)}" for each in system.players)
        yield f"players: {when}"
    for player in system.players:
        yield from (f"result {_word(w)}: {player.name} wins" for w in player.wins)
        yield from (f"result {_word(w)}: {player.name} loses" for w in player.loses)
    yield from (f"result {_word(w)}: draw" for w in system.draws)


def _word(value: object) -> str:
    return value.name if isinstance(value, Atom) else str(value)
