"""How one wins: what the rules that set the result ask for, and what the document says of its goal.

Nothing is made up: conditions are guards as they are written, and words are quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from zermelo.core.commentary import Aim, Goal
from zermelo.core.machine import Ending, outcome_of_result
from zermelo.core.signature import Signature
from zermelo.core.values import TRUE, Value
from zermelo.languages.sections.ir import (
    And,
    Assign,
    Binary,
    Expr,
    Literal,
    Op,
    Procedure,
    Ref,
    Rule,
    SetOf,
    Statement,
    System,
)
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.walk import conjuncts

_LONGEST: Final = 160
"""A longer guard is named by its rule."""
_ENDINGS: Final = (Ending.WIN, Ending.LOSS, Ending.DRAW)
_LONGEST_QUOTED: Final = 240
_GOAL_WORDS: Final = re.compile(r"\b(goal|aim|objective|object of the game)\b", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"[^.!?]+[.!?]?")


@dataclass(frozen=True, slots=True)
class _Setting:
    """A rule that sets the result."""

    value: Value
    procedure: str
    rule: str
    guard: tuple[Expr, ...]


def aim(system: System, signature: Signature) -> Aim:
    """Who wins, loses or draws when, by the rules of *system*."""
    conditions: dict[tuple[Ending, tuple[str, ...]], list[str]] = {}
    for setting in _settings(system):
        outcome = outcome_of_result(signature, setting.value)
        if outcome.ending in _ENDINGS:
            who = outcome.winners if outcome.ending is Ending.WIN else outcome.losers
            conditions.setdefault((outcome.ending, who), []).append(_condition(setting))
    goals = [
        Goal(ending, players, tuple(dict.fromkeys(each)))
        for (ending, players), each in conditions.items()
    ]
    names = [player.name for player in signature.players]
    goals.sort(key=lambda goal: (_ENDINGS.index(goal.ending), *map(names.index, goal.players)))
    return Aim(tuple(goals), over=_over(system) if goals else "", quoted=_quoted(system))


def _settings(system: System) -> Iterator[_Setting]:
    for procedure in system.procedures:
        yield from _in_body(procedure, procedure.body, (), None, system)


def _in_body(
    procedure: Procedure,
    body: Iterable[Statement],
    guard: tuple[Expr, ...],
    rule: Rule | None,
    system: System,
) -> Iterator[_Setting]:
    for statement in body:
        match statement:
            case Rule():
                around = (*guard, *conjuncts(statement.guard))
                yield from _in_body(procedure, statement.conclusion, around, statement, system)
            case Assign(variable, value) if variable == system.result and rule is not None:
                for each in _values(value, system):
                    yield _Setting(each, procedure.name, rule.label, guard)
            case _:
                pass


def _values(value: Expr, system: System) -> Iterator[Value]:
    """The values that the result gets, as far as they stand there."""
    match value:
        case Literal(known):
            yield known
        case SetOf(items):
            yield from (item.value for item in items if isinstance(item, Literal))
        case Binary(Op.UNION, Ref(name), SetOf() as added) if name == system.result:
            yield from _values(added, system)
        case _:
            pass


def _condition(setting: _Setting) -> str:
    """What a rule asks for, with the guards of those around it."""
    needed = [part for part in setting.guard if part != Literal(TRUE)]
    if not needed:
        return f"{setting.procedure} is called"
    text = to_text(needed[0] if len(needed) == 1 else And(tuple(needed)))
    return text if len(text) <= _LONGEST else f"rule {setting.rule} of {setting.procedure} fires"


def _over(system: System) -> str:
    """When play is over, if that is said of something else than the result."""
    if not isinstance(system.over, Ref):
        return ""
    variable = system.variable(system.over.name)
    if variable is None or variable.definition is None:
        return ""
    text = to_text(variable.definition)
    return text if len(text) <= _LONGEST else ""


def _quoted(system: System) -> str:
    """The first sentence of the document's words that speaks of a goal."""
    words = " ".join(" ".join(system.prose).split())
    for found in _SENTENCE.finditer(words):
        sentence = found[0].strip(" -–—•*#")
        if _GOAL_WORDS.search(sentence) and len(sentence) <= _LONGEST_QUOTED:
            return sentence
    return ""
