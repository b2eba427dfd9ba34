"""What changed in meaning between two versions of a document, in sentences.

Systems are compared, not texts: another notation, order of sections or prose is no change. What
was renamed is told as removed and added, since nothing says that it is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import TypeVar

from zermelo.core.machine import Fault
from zermelo.core.values import Value, to_text
from zermelo.languages.sections import ir
from zermelo.languages.sections.printer import statement_to_text
from zermelo.languages.sections.printer import to_text as formula
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.walk import conjuncts
from zermelo.text.prose import count, listing

T = TypeVar("T", ir.SetDefinition, ir.Variable, ir.Function, ir.Procedure)

_MOST_NAMED = 6
"""Members of a set that are named as new or gone."""
_MOST_LISTED = 5_000
"""Sets of so many members are compared member by member, larger ones by how they are written."""


def changes(before: Interpreter, after: Interpreter) -> tuple[str, ...]:
    """What *after* says otherwise than *before*, in the order of the sections."""
    old, new = before.system, after.system
    return (
        *_sets(before, after),
        *_named("variable", old.variables, new.variables, _variable),
        *_named("function", old.functions, new.functions, _function),
        *_invariants(old, new),
        *_end(old, new),
        *_named("procedure", old.procedures, new.procedures, _procedure),
        *_players(old, new),
        *_readings(old, new),
    )


def _named(
    noun: str,
    old: Sequence[T],
    new: Sequence[T],
    changed: Callable[[T, T], Iterator[str]],
) -> Iterator[str]:
    before: dict[str, T] = {each.name: each for each in old}
    after: dict[str, T] = {each.name: each for each in new}
    for name in dict.fromkeys((*before, *after)):
        if name not in after:
            yield f"the {noun} `{name}` is gone"
        elif name not in before:
            yield f"the {noun} `{name}` is new"
        elif before[name] != after[name]:
            yield from changed(before[name], after[name])


# Sets


def _sets(before: Interpreter, after: Interpreter) -> Iterator[str]:
    """A set changed if its members did, if only as it is made of others that did."""

    def changed(old: ir.SetDefinition, new: ir.SetDefinition) -> Iterator[str]:
        values = _value(before, old), _value(after, new)
        if isinstance(values[0], frozenset) and values[0] == values[1]:
            return
        yield f"the set `{old.name}` {_members(*values) or _was(old.value, new.value)}"

    yield from _named("set", before.system.sets, after.system.sets, changed)
    known = {each.name: each for each in after.system.sets}
    for old in before.system.sets:
        new = known.get(old.name)
        if new is not None and new == old:
            values = _value(before, old), _value(after, new)
            if values[0] != values[1] and (told := _members(*values)):
                yield f"the set `{old.name}`, made of others, {told}"


def _value(machine: Interpreter, definition: ir.SetDefinition) -> Value | Fault:
    """The set itself; of a large one the number of its members, which says less."""
    size = machine.evaluate(ir.Card(ir.Ref(definition.name)), machine.initial, {})
    if isinstance(size, int) and size <= _MOST_LISTED:
        return machine.evaluate(ir.Ref(definition.name), machine.initial, {})
    return size


def _members(old: Value | Fault, new: Value | Fault) -> str | None:
    """Which members are gone and new; ``None`` where that cannot be told."""
    if not (isinstance(old, frozenset) and isinstance(new, frozenset)):
        return None
    gone, come = old - new, new - old
    told = [
        f"{verb} {_few(members)}"
        for verb, members in (("has lost", gone), ("has got", come))
        if members
    ]
    return listing(told)


def _few(members: frozenset[Value]) -> str:
    if len(members) > _MOST_NAMED:
        return count(len(members), "member")
    return listing([f"`{to_text(each)}`" for each in sorted(members, key=to_text)])


# What is declared and defined


def _was(old: ir.Expr, new: ir.Expr) -> str:
    return f"was `{formula(old)}` and is `{formula(new)}`"


def _optional(what: str, old: ir.Expr | None, new: ir.Expr | None) -> Iterator[str]:
    match old, new:
        case None, None:
            return
        case None, ir.Node():
            yield f"{what} is new: `{formula(new)}`"
        case ir.Node(), None:
            yield f"{what} is gone; it was `{formula(old)}`"
        case ir.Node(), ir.Node() if old != new:
            yield f"{what} {_was(old, new)}"


def _variable(old: ir.Variable, new: ir.Variable) -> Iterator[str]:
    if old.role is not new.role:
        yield f"the variable `{old.name}` was {old.role.value} and is {new.role.value}"
    yield from _optional(f"the domain of `{old.name}`", old.domain, new.domain)
    yield from _optional(f"the first value of `{old.name}`", old.initial, new.initial)
    yield from _optional(f"the fact that defines `{old.name}`", old.definition, new.definition)


def _function(old: ir.Function, new: ir.Function) -> Iterator[str]:
    if old.parameters != new.parameters:
        yield f"the parameters of `{old.name}` {_heads(old.parameters, new.parameters)}"
    yield from _optional(f"the value of `{old.name}`", old.body, new.body)


def _heads(old: tuple[ir.Parameter, ...], new: tuple[ir.Parameter, ...]) -> str:
    first, second = (
        ", ".join(f"{each.name} ∈ {formula(each.domain)}" for each in parameters)
        for parameters in (old, new)
    )
    return f"were `({first})` and are `({second})`"


def _invariants(old: ir.System, new: ir.System) -> Iterator[str]:
    kept = [each.formula for each in new.invariants]
    known = [each.formula for each in old.invariants]
    yield from (
        f"the fact `{each.text}` is gone" for each in old.invariants if each.formula not in kept
    )
    yield from (
        f"the fact `{each.text}` is new" for each in new.invariants if each.formula not in known
    )


def _end(old: ir.System, new: ir.System) -> Iterator[str]:
    yield from _optional("when play is over", old.over, new.over)


# Rules


def _procedure(old: ir.Procedure, new: ir.Procedure) -> Iterator[str]:
    if old.parameters != new.parameters:
        yield f"the parameters of `{old.name}` {_heads(old.parameters, new.parameters)}"
    yield from _statements(old.name, old.body, new.body)


def _statements(
    name: str, old: Sequence[ir.Statement], new: Sequence[ir.Statement]
) -> Iterator[str]:
    """What became of the statements of the procedure *name*, those that stayed left out."""
    texts = [[statement_to_text(each) for each in body] for body in (old, new)]
    matcher = SequenceMatcher(None, texts[0], texts[1], autojunk=False)
    for kind, first, last, start, end in matcher.get_opcodes():
        gone, come = list(old[first:last]), list(new[start:end])
        if kind == "equal":
            continue
        for before, after in zip(gone, come, strict=False):
            yield from _statement(name, before, after)
        shared = min(len(gone), len(come))
        yield from (
            f"{_which(name, each)} is gone: `{statement_to_text(each)}`" for each in gone[shared:]
        )
        yield from (
            f"{_which(name, each)} is new: `{statement_to_text(each)}`" for each in come[shared:]
        )


def _which(name: str, statement: ir.Statement) -> str:
    if isinstance(statement, ir.Rule):
        return f"rule {statement.label} of `{name}`"
    return f"a line of `{name}`"


def _statement(name: str, old: ir.Statement, new: ir.Statement) -> Iterator[str]:
    if not (isinstance(old, ir.Rule) and isinstance(new, ir.Rule)):
        texts = statement_to_text(old), statement_to_text(new)
        yield f"{_which(name, old)} was `{texts[0]}` and is `{texts[1]}`"
        return
    where = _which(name, old)
    if old.label != new.label:
        where = f"{where}, now {new.label},"
    told = list(_guards(where, old.guard, new.guard))
    if old.conclusion != new.conclusion:
        first, second = (" ∧ ".join(map(statement_to_text, each.conclusion)) for each in (old, new))
        told.append(f"{where} concluded `{first}` and concludes `{second}`")
    if old.lines is not new.lines:
        told.append(f"the lines of {where} were read {old.lines.value} and are {new.lines.value}")
    yield from told


def _guards(where: str, old: ir.Expr, new: ir.Expr) -> Iterator[str]:
    """What a guard asks for more or no longer, or else how it was and is."""
    if old == new:
        return
    before, after = conjuncts(old), conjuncts(new)
    gone = [each for each in before if each not in after]
    come = [each for each in after if each not in before]
    if not gone and not come:
        yield f"{where} asks for the same in another order"
    elif not come:
        yield f"{where} no longer asks for {_formulas(gone)}"
    elif not gone:
        yield f"{where} asks for {_formulas(come)} as well"
    else:
        yield f"{where} asked for {_formulas(gone)} and asks for {_formulas(come)} instead"


def _formulas(items: Sequence[ir.Expr]) -> str:
    return listing([f"`{formula(each)}`" for each in items])


# Who plays, and how it is read


def _players(old: ir.System, new: ir.System) -> Iterator[str]:
    before, after = ({each.name: each for each in system.players} for system in (old, new))
    for name in dict.fromkeys((*before, *after)):
        if name not in after:
            yield f"the player `{name}` is gone"
        elif name not in before:
            yield f"the player `{name}` is new"
        else:
            yield from _player(before[name], after[name])
    if old.draws != new.draws:
        yield f"a draw is told by {_words(new.draws)} instead of {_words(old.draws)}"


def _player(old: ir.PlayerRule, new: ir.PlayerRule) -> Iterator[str]:
    yield from _optional(f"the turn of {old.name}", old.turn, new.turn)
    for verb, before, after in (("wins", old.wins, new.wins), ("loses", old.loses, new.loses)):
        if before != after:
            yield f"{old.name} {verb} with {_words(after)} instead of {_words(before)}"


def _words(values: Sequence[Value]) -> str:
    return listing([f"`{to_text(each)}`" for each in values]) or "no result"


def _readings(old: ir.System, new: ir.System) -> Iterator[str]:
    before, after = ({each.name: each.choice for each in system.readings} for system in (old, new))
    for name, choice in after.items():
        if name in before and before[name] != choice and name != "players":
            yield f"the reading `{name}` was `{before[name]}` and is `{choice}`"
