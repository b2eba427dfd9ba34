"""A document in plain words: its sets, variables, facts, rules, readings and players."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.core.commentary import readings_lines
from zermelo.core.signature import Stuck
from zermelo.core.values import SetType, TruthType, Unknown, Value, in_order
from zermelo.core.values import to_text as value_text
from zermelo.core.values import words as type_words
from zermelo.languages.sections import ir
from zermelo.languages.sections.explain.sentences import condition, rule_sentence, statement_clause
from zermelo.languages.sections.explain.turn_log import rule_text
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.text.prose import BLANK, Line, Piece, Tone, count, heading, line, listing

_MOST_LISTED = 12
"""Sets with more members are shown by their first and last ones."""
_MOST_PROSE = 20
"""Lines of prose that are shown."""
_MOST_SORTED = 10_000
"""Of sets with more members only their number is shown."""

_NUMBERS = {
    ir.NumberSetKind.NATURAL: "natural numbers, 0 included",
    ir.NumberSetKind.INTEGER: "whole numbers",
    ir.NumberSetKind.POSITIVE: "positive integers",
}
_ORDERS = {
    ir.Order.IN_ORDER: "one after the other; each sees what the rules before it changed",
    ir.Order.FACTS_FROZEN: (
        "one after the other; each sees what the rules before it changed, "
        "but facts keep the values they had at the call"
    ),
    ir.Order.AT_ONCE: "all at once, on the state before the call",
    ir.Order.BY_CASES: (
        "one after the other; each sees what the rules before it changed, "
        "but of rules that exclude each other by a variable one at most is run"
    ),
}
_ROLES = {
    ir.ProcedureRole.MOVE: "a move",
    ir.ProcedureRole.HELPER: "called by others",
    ir.ProcedureRole.END: "the end of every turn",
}
_STUCK = {
    Stuck.REPORTED: (
        "A player who cannot move although the play is not over is stuck: "
        "it ends there, and the document does not say for whom."
    ),
    Stuck.LOSES: "A player who cannot move loses.",
    Stuck.WINS: "A player who cannot move wins.",
    Stuck.DRAWS: "When a player cannot move, the play is drawn.",
    Stuck.PASSES: "A player who cannot move passes.",
}


def explain(machine: Interpreter) -> tuple[Line, ...]:
    system = machine.system
    found = [line(Piece(system.name, Tone.HEADING), " in plain words")]
    for part in (
        _sets(machine),
        _variables(machine),
        _facts(system),
        _functions(system),
        _turn(system),
        _procedures(system),
        _ending(system),
        _players(system),
        readings_lines(machine.signature),
        _left_out(system),
        _sentences(system),
        _prose(system),
    ):
        lines = list(part)
        if lines:
            found += [BLANK, *lines]
    return tuple(found)


# Sets


def _sets(machine: Interpreter) -> Iterator[Line]:
    if machine.system.sets:
        yield heading("Sets")
    for definition in machine.system.sets:
        members = f" {_members(definition, machine)}."
        yield line(Piece(definition.name, Tone.STRONG), members, indent=2, hang=4)
        if definition.note:
            yield line(Piece(definition.note, Tone.FAINT), indent=6, hang=2)


def _members(definition: ir.SetDefinition, machine: Interpreter) -> str:
    match definition.value:
        case ir.NumberSet(kind):
            return f"is the set of {_NUMBERS[kind]}"
        case ir.PowerSet(base):
            return f"is the set of all subsets of {to_text(base)}"
        case _:
            pass
    written = to_text(definition.value)
    size = machine.evaluate(ir.Card(ir.Ref(definition.name)), machine.initial, {})
    if not isinstance(size, int) or _is_listed(definition.value):
        return f"is {written}"
    return f"is {written}, {count(size, 'member')}{_shown(definition.name, size, machine)}"


def _is_listed(value: ir.Expr) -> bool:
    """Whether the document lists the members itself."""
    match value:
        case ir.Literal():
            return True
        case ir.SetOf(items) | ir.TupleOf(items):
            return all(map(_is_listed, items))
        case _:
            return False


def _shown(name: str, size: int, machine: Interpreter) -> str:
    members = machine.evaluate(ir.Ref(name), machine.initial, {}) if size <= _MOST_SORTED else None
    if not isinstance(members, frozenset) or not members:
        return ""
    shown = [value_text(member) for member in in_order(members)]
    if len(shown) <= _MOST_LISTED:
        return f": {', '.join(shown)}"
    return f", from {shown[0]} to {shown[-1]}"


# Variables and facts


def _variables(machine: Interpreter) -> Iterator[Line]:
    variables = machine.system.variables
    if variables:
        yield heading("Variables")
    for variable in variables:
        told = f" {_domain(variable)}{_first(variable, machine)}."
        yield line(Piece(variable.name, Tone.STRONG), told, indent=2, hang=4)


def _domain(variable: ir.Variable) -> str:
    match variable.domain:
        case None:
            kind = variable.type
            return "has no declared set" if isinstance(kind, Unknown) else f"is {type_words(kind)}"
        case ir.PowerSet(base):
            return f"is a subset of {to_text(base)}"
        case _ if isinstance(variable.type, TruthType):
            return "is true or false"
        case domain if isinstance(variable.type, SetType):
            return f"is one of the sets in {to_text(domain)}"
        case domain:
            return f"is in {to_text(domain)}"


def _first(variable: ir.Variable, machine: Interpreter) -> str:
    match variable.role:
        case ir.VariableRole.DEFINED:
            return "; it is a fact, computed from the others"
        case ir.VariableRole.FLAG:
            start = "" if variable.initial is None else f" at {_written(variable.initial)}"
            return f"; it is a flag, which starts every turn afresh{start}"
        case ir.VariableRole.STORED:
            value = machine.initial[variable.name]
            if variable.initial is None:
                return "; at first it has no value"
            if value == frozenset():
                return "; at first it is empty"
            written = to_text(variable.initial)
            shown = written if isinstance(value, frozenset) else value_text(value)
            return f"; at first it is {shown}"


def _written(initial: ir.Expr) -> str:
    return value_text(initial.value) if isinstance(initial, ir.Literal) else to_text(initial)


def _facts(system: ir.System) -> Iterator[Line]:
    defined = [v for v in system.variables if v.definition is not None]
    if defined or system.invariants:
        yield heading("Facts, which hold always")
    for variable in defined:
        yield line(_definition(variable), indent=2, hang=4)
    for invariant in system.invariants:
        checked = f"{condition(invariant.formula)}."
        yield line("It is checked in every state that ", checked, indent=2, hang=4)
        yield line(Piece(invariant.text, Tone.FORMULA), indent=6, hang=2)


def _definition(variable: ir.Variable) -> str:
    if variable.definition is None:
        return variable.name
    if isinstance(variable.type, TruthType):
        return f"{variable.name} is true exactly when {condition(variable.definition)}."
    return f"{variable.name} is always {to_text(variable.definition)}."


def _functions(system: ir.System) -> Iterator[Line]:
    if system.functions:
        yield heading("Functions")
    for function in system.functions:
        head = Piece(f"{function.name}({_parameters(function)})", Tone.STRONG)
        yield line(head, f" stands for {to_text(function.body)}.", indent=2, hang=4)


# Turns and rules


def _turn(system: ir.System) -> Iterator[Line]:
    if not system.moves:
        return
    yield heading("A turn" if system.players else "A step")
    for move in system.moves:
        yield line(_call(move, is_played=bool(system.players)), indent=2, hang=2)
    yield line(_effect(system), indent=2, hang=2)


def _call(move: ir.Procedure, *, is_played: bool) -> str:
    if not move.parameters:
        return f"The player may call {move.name}." if is_played else f"{move.name} may be called."
    chosen = [f"{p.name} from {to_text(p.domain)}" for p in move.parameters]
    if is_played:
        return f"The player chooses {listing(chosen)}, and {move.name} is called."
    verb = "is" if len(chosen) == 1 else "are"
    return f"{listing(chosen)} {verb} chosen, and {move.name} is called."


def _effect(system: ir.System) -> str:
    end = f", and {system.end.name} is called" if system.end is not None else ""
    if system.no_effect is ir.NoEffect.COSTS_THE_TURN:
        return f"A move that changes nothing costs the turn{end} all the same."
    return f"If that changes something, the move counts{end}; if it changes nothing, it is refused."


def _procedures(system: ir.System) -> Iterator[Line]:
    for index, procedure in enumerate(system.procedures):
        if index:
            yield BLANK
        yield from _procedure(procedure)


def _procedure(procedure: ir.Procedure) -> Iterator[Line]:
    head = f"{procedure.name}({_parameters(procedure)})" if procedure.parameters else procedure.name
    yield line(Piece(head, Tone.HEADING), f": {_ROLES[procedure.role]}")
    if sum(isinstance(statement, ir.Rule) for statement in procedure.body) > 1:
        yield line(f"Its rules are tried {_ORDERS[procedure.order]}.", indent=2, hang=2)
    for statement in procedure.body:
        yield from _statement(statement)


def _statement(statement: ir.Statement) -> Iterator[Line]:
    if isinstance(statement, ir.Rule):
        number = f"{statement.label}. "
        said = rule_sentence(statement)
        yield line(Piece(number, Tone.STRONG), said, indent=2, hang=len(number))
        yield line(Piece(rule_text(statement), Tone.FORMULA), indent=7, hang=2)
    else:
        yield line(f"{statement_clause(statement)}.", indent=2, hang=2)


def _parameters(procedure: ir.Procedure | ir.Function) -> str:
    return ", ".join(
        f"{p.name} ⊆ {to_text(p.domain.base)}"
        if isinstance(p.domain, ir.PowerSet)
        else f"{p.name} ∈ {to_text(p.domain)}"
        for p in procedure.parameters
    )


# The end, the players, the readings


def _ending(system: ir.System) -> Iterator[Line]:
    if not system.players:
        yield heading("How it ends")
        yield line("It stops where nothing that can be called changes anything.", indent=2)
        return
    yield heading("How a play ends")
    if system.over is None:
        yield line("The document does not say when a play is over.", indent=2, hang=2)
    else:
        yield line(f"It is over when {condition(system.over)}.", indent=2, hang=2)
    yield line(_STUCK[system.stuck], indent=2, hang=2)


def _players(system: ir.System) -> Iterator[Line]:
    if system.players:
        yield heading("Players")
    for player in system.players:
        does = f" {_player(player, system)}."
        yield line(Piece(player.name, Tone.STRONG), does, indent=2, hang=4)
        for evidence in player.evidence:
            yield line(Piece(evidence, Tone.FAINT), indent=4, hang=2)
    if system.draws and system.result is not None:
        yield line(f"It is a draw when {_results(system.result, system.draws)}.", indent=2, hang=4)


def _player(player: ir.PlayerRule, system: ir.System) -> str:
    is_alone = len(system.players) == 1
    parts = [] if is_alone else [f"moves when {condition(player.turn)}"]
    if system.result is not None and player.wins:
        parts.append(f"wins when {_results(system.result, player.wins)}")
    if system.result is not None and player.loses:
        parts.append(f"loses when {_results(system.result, player.loses)}")
    return listing(parts) if parts else "plays alone"


def _results(result: str, values: tuple[Value, ...]) -> str:
    return f"{result} is {listing(map(value_text, values), last='or')}"


def _left_out(system: ir.System) -> Iterator[Line]:
    if system.left_out:
        yield heading("Left out because of errors")
        parts = dict.fromkeys(part.what for part in system.left_out)
        yield from (line(f"- {part}", indent=2, hang=4) for part in parts)


def _sentences(system: ir.System) -> Iterator[Line]:
    if system.sentences:
        yield heading("Lines taken as prose, which no rule uses")
    for number, text in system.sentences:
        yield line(f"{number}: ", Piece(text, Tone.FAINT), indent=2, hang=4)


def _prose(system: ir.System) -> Iterator[Line]:
    """What the document says besides its formulas, as far as it has not been told."""
    told = {definition.note for definition in system.sets}
    told.update(text for _, text in system.sentences)
    rows = [row.strip() for row in system.prose if row.strip() and row.strip() not in told]
    if rows:
        yield heading("What the document says in its own words")
    for row in rows[:_MOST_PROSE]:
        yield line(Piece(row, Tone.FAINT), indent=2, hang=2)
    if len(rows) > _MOST_PROSE:
        yield line(f"and {count(len(rows) - _MOST_PROSE, 'line')} more", indent=2)
