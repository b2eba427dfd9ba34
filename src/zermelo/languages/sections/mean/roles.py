"""What each procedure is for: the moves, the helpers, the end.

Found before names are resolved. Names decide only where what the procedures do leaves a tie.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from zermelo.core.machine import LOSES, WINS, words_of
from zermelo.languages.sections.ir import ProcedureRole
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.items import (
    Outline,
    ProcedureOutline,
    outline,
    spelling,
)
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.mean.results import tells_an_end, tokens
from zermelo.languages.sections.read.grammar import traversal, tree
from zermelo.text import codes
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Checked, Diagnostic, Label, label_at
from zermelo.text.prose import listing
from zermelo.text.source import Span

_END_NAMES: Final = ("over", "end", "result", "finish", "win", "judge", "outcome", "decide")
_OVER_NAMES: Final = (
    *("over", "done", "finish", "finished", "end", "ended", "ends", "solved", "won", "wins"),
    *("goal", "success"),
)
_RESULT_NAMES: Final = ("result", "winner", "outcome", "verdict", "loser", "victor", "victim")


@dataclass(frozen=True, slots=True)
class Roles:
    """What the procedures of a document are for."""

    procedures: Mapping[str, ProcedureRole]
    end: str | None
    """The procedure that decides the result and is called after every move."""
    over: str | None
    """The variable that says that play is over."""
    result: str | None
    """The variable that says how it ended; it may be declared inside the end, or nowhere."""


VARIABLE_ROLES: Final = (readings.END_ROLE, readings.VARIABLE)
_Shapes: TypeAlias = tuple[ProcedureOutline, ...]


def roles(document: tree.SectionsDocument, *, given: Mapping[str, Choice]) -> Checked[Roles]:
    """The roles of the procedures of *document*; there is always a value.

    What *given* says of a role, as ``role of Reset``, comes before what the procedures show.
    """
    seen = outline(document)
    roots, found = _roots(seen)
    told = _told(seen, given)
    free = tuple(shape for shape in roots if shape.name not in told)
    ends = [shape for shape in seen.shapes if told.get(shape.name) is ProcedureRole.END]
    end = ends[0] if ends else _end(seen, free)
    moves = tuple(
        shape
        for shape in seen.shapes
        if told.get(shape.name) is ProcedureRole.MOVE
        or (shape in free and shape is not end and not _is_spare_end(seen, shape))
    )
    if not ends and end is not None and not moves and not _boolean_parameters(seen, end):
        moves, end = (end,), None
    found += _spare_ends(seen, free, moves=moves, end=end)
    found += tuple(_second_end(other, ends[0], given) for other in ends[1:])
    said = _said(seen, given)
    over = _over(seen, said, moves=moves, end=end)
    result = _result(seen, said, moves=moves, end=end)
    if not moves:
        found += (_no_move(seen),)
    elif end is None:
        found += _no_end(seen, over=over, result=result, said=said)
    by_name = {shape.name: ProcedureRole.HELPER for shape in seen.shapes}
    by_name.update((shape.name, ProcedureRole.MOVE) for shape in moves)
    if end is not None:
        by_name[end.name] = ProcedureRole.END
    return Checked(Roles(by_name, end.name if end else None, over, result), found)


PROCEDURE_ROLES: Final = {
    readings.MOVE: ProcedureRole.MOVE,
    readings.END_ROLE: ProcedureRole.END,
    readings.HELPER: ProcedureRole.HELPER,
}


def _told(seen: Outline, given: Mapping[str, Choice]) -> dict[str, ProcedureRole]:
    """The roles that the document's Reading or a caller gives to procedures."""
    chosen = {shape.name: given.get(readings.role_of(shape.name)) for shape in seen.shapes}
    return {
        name: PROCEDURE_ROLES[choice.text]
        for name, choice in chosen.items()
        if choice is not None and choice.text in PROCEDURE_ROLES
    }


def _said(seen: Outline, given: Mapping[str, Choice]) -> Mapping[str, bool]:
    """The variables of which it is said whether they tell of the end, as in ``alarm: end``."""
    chosen = {name: given.get(readings.role_of(name)) for name in seen.variables}
    return {
        name: choice.text == readings.END_ROLE
        for name, choice in chosen.items()
        if choice is not None and choice.text in VARIABLE_ROLES
    }


def _roots(seen: Outline) -> tuple[_Shapes, tuple[Diagnostic, ...]]:
    """The procedures that no other calls; of a circle of calls that nobody enters, the first."""
    called = {name for shape in seen.shapes for name in shape.calls - {shape.name}}
    roots = [shape for shape in seen.shapes if shape.name not in called]
    reached = _reached(seen, roots)
    found: list[Diagnostic] = []
    for shape in seen.shapes:
        if shape.name not in reached:
            roots.append(shape)
            found.append(_circle(shape))
            reached |= _reached(seen, (shape,))
    return tuple(roots), tuple(found)


def _reached(seen: Outline, start: Iterable[ProcedureOutline]) -> set[str]:
    by_name = {shape.name: shape for shape in seen.shapes}
    reached: set[str] = set()
    waiting = list(start)
    while waiting:
        shape = waiting.pop()
        if shape.name not in reached:
            reached.add(shape.name)
            waiting.extend(by_name[name] for name in shape.calls if name in by_name)
    return reached


# The end


def _end(seen: Outline, roots: _Shapes) -> ProcedureOutline | None:
    """The procedure that decides the result; where several do, the one that does most of it."""
    scored = [
        (score, _hints(shape.name, _END_NAMES), at, shape)
        for at, shape in enumerate(roots)
        if (score := _end_score(seen, shape, roots)) > 0
    ]
    return max(scored, key=lambda entry: entry[:3])[3] if scored else None


def _end_score(seen: Outline, shape: ProcedureOutline, roots: _Shapes) -> int:
    """How much shows that *shape* decides the result; setting a word alone shows nothing."""
    others = [other for other in roots if other is not shape]
    takes_over = 4 if _boolean_parameters(seen, shape) else 0
    judges = 0
    marks = {name for name in _marks(seen, shape) if _hints(name, _RESULT_NAMES)}
    for name in sorted(_word_variables(seen, shape) | marks):
        if name in shape.declarations:
            judges = max(judges, 3)
        elif _is_verdict(seen, name, shape) and not _is_steered(seen, name, shape, others):
            judges = max(judges, 2 if any(name in o.assigned for o in others) else 3)
    tests_a_fact = any(seen.is_truth(name) and name in seen.defined for name in shape.tested)
    hinted = tests_a_fact and _hints(shape.name, _END_NAMES)
    if not takes_over and not judges and not hinted:
        return 0
    chooses = 5 if _choices(seen, shape) else -2
    return takes_over + judges + int(tests_a_fact) - chooses


def _is_steered(
    seen: Outline, name: str, shape: ProcedureOutline, others: Iterable[ProcedureOutline]
) -> bool:
    """Whether *name* guides *others*, and is no result that only *shape* gives."""
    if not any(name in other.tested for other in others):
        return False
    tells = _tells_the_end(seen, name, _given_words(seen, name, shape))
    return not tells or any(name in other.assigned for other in others)


def _is_verdict(seen: Outline, name: str, shape: ProcedureOutline) -> bool:
    """Whether the variable *name* says how play ended.

    Its name or its words tell it, or it has no value before *shape*, and no other, gives it one.
    """
    words = (*seen.words_of(name, shape), *_given_words(seen, name, shape))
    tells = _tells_the_end(seen, name, words)
    if name in seen.initial:
        return tells and (_hints(name, _RESULT_NAMES) or not _is_left(seen, name))
    is_own = not any(name in other.assigned for other in seen.shapes if other is not shape)
    return tells or (is_own and name not in shape.tested and not _choices(seen, shape))


def _is_left(seen: Outline, name: str) -> bool:
    """Whether *name* changes again when it has got another than its first value.

    A status such as `lost` of a line may be left again: then it is none in which play ends.
    """
    first = seen.initial[name]
    given = [a.value for shape in seen.shapes for a in shape.assignments if a.name == name]
    equations = [
        part.rest[0][1]
        for shape in seen.shapes
        for guard in _guards(shape)
        for part in traversal.inside(guard)
        if isinstance(part, tree.Compare) and part.first == tree.Name(name) and part.rest
    ]
    return first in given or any(value != first for value in equations)


def _spelled(value: tree.Expr | None) -> str:
    return spelling(value) if isinstance(value, tree.Name | tree.WordRun) else ""


def _tells_the_end(seen: Outline, name: str, words: Iterable[tree.Name | tree.WordRun]) -> bool:
    """Whether a variable is called as results are, or one of its *words* says how play ended.

    The word it starts at does not: nothing has ended then, and `none` may be an empty hand.
    """
    if _hints(name, _RESULT_NAMES) or not tokens(name).isdisjoint(WINS | LOSES):
        return True
    first = _spelled(seen.initial.get(name))
    return any(tells_an_end(text) for text in map(spelling, words) if text != first)


def _boolean_parameters(seen: Outline, shape: ProcedureOutline) -> tuple[str, ...]:
    """The parameters that are truth-valued variables of the system, as in ``GameOver(over)``."""
    return tuple(p.name for p in shape.procedure.parameters if seen.is_truth(p.name))


def _choices(seen: Outline, shape: ProcedureOutline) -> tuple[str, ...]:
    """The parameters that a player would choose."""
    return tuple(
        p.name
        for p in shape.procedure.parameters
        if not seen.is_truth(p.name) and (p.domain is not None or p.name not in seen.variables)
    )


def _word_variables(seen: Outline, shape: ProcedureOutline) -> set[str]:
    """The names with words as values that *shape* assigns."""
    return {
        a.name
        for a in shape.assignments
        if a.name not in shape.parameters
        and (seen.words_of(a.name, shape) or seen.is_word_value(a.value, shape))
    }


def _is_spare_end(seen: Outline, shape: ProcedureOutline) -> bool:
    return bool(_boolean_parameters(seen, shape)) and not _choices(seen, shape)


def _spare_ends(
    seen: Outline, roots: _Shapes, *, moves: _Shapes, end: ProcedureOutline | None
) -> tuple[Diagnostic, ...]:
    if end is None:
        return ()
    return tuple(
        Diagnostic(
            codes.SECOND_END,
            f"`{shape.name}` is called by nobody: players choose nothing in it, "
            f"and the end is `{end.name}`",
            primary=Label(_place(shape), "never called"),
            secondary=(Label(_place(end), "called after every move"),),
            help=f"call `{shape.name}` in `{end.name}`, or put its rules there",
        )
        for shape in roots
        if shape is not end and shape not in moves and _is_spare_end(seen, shape)
    )


def _second_end(
    other: ProcedureOutline, end: ProcedureOutline, given: Mapping[str, Choice]
) -> Diagnostic:
    """That *other* is said to be the end as well."""
    place = given[readings.role_of(other.name)].span
    first = label_at(given[readings.role_of(end.name)].span, "this one is taken")
    return Diagnostic(
        codes.SECOND_END,
        f"`{other.name}` and `{end.name}` are both said to be the end; `{end.name}` is taken, "
        f"and nobody calls `{other.name}`",
        primary=label_at(place, "not followed") or Label(_place(other), "never called"),
        secondary=() if first is None else (first,),
        help=f"call `{other.name}` in `{end.name}`, or put its rules there",
    )


# The variables over and result


def _over(
    seen: Outline, said: Mapping[str, bool], *, moves: _Shapes, end: ProcedureOutline | None
) -> str | None:
    told = [name for name, is_end in said.items() if is_end and seen.is_truth(name)]
    given = _boolean_parameters(seen, end) if end is not None else ()
    if told or given:
        return (*told, *given)[0]
    scored = [
        (score, _is_called(name, _OVER_NAMES), name)
        for name in sorted({*seen.variables, *seen.defined, *seen.assigned}.difference(said))
        if seen.is_truth(name) and (score := _over_score(seen, name, moves=moves, end=end)) > 0
    ]
    return max(scored, key=lambda entry: entry[:2])[2] if scored else None


def _over_score(seen: Outline, name: str, *, moves: _Shapes, end: ProcedureOutline | None) -> int:
    """How much shows that play is over when *name* holds; that it is a fact shows nothing."""
    in_end = end is not None and name in end.tested
    forbids = _forbids(name, moves)
    allows = any(asks(guard, name, positive=True) for m in moves for guard in _guards(m))
    starts_true = seen.initial.get(name) == tree.TruthLiteral(value=True)
    is_fact = name in seen.defined
    if not is_fact and (name not in seen.assigned or is_toggled(seen, name)):
        return 0
    shown = (2 + is_fact) * in_end + 2 * forbids + _is_called(name, _OVER_NAMES)
    return shown - 3 * allows - starts_true


def _forbids(name: str, moves: _Shapes) -> bool:
    """Whether nothing can be done when *name* holds, and more is done than to let it hold."""
    rules = [rule for move in moves for rule in move.procedure.body if isinstance(rule, tree.Rule)]
    others = [
        rule
        for rule in rules
        if any(each.name != name for each in traversal.assignments((rule,)))
        or any(isinstance(each, tree.ProcedureCall) for each in traversal.statements((rule,)))
    ]
    return bool(others) and all(asks(rule.guard, name, positive=False) for rule in others)


def _guards(shape: ProcedureOutline) -> Iterator[tree.Expr]:
    return traversal.guards_in(shape.procedure.body)


def asks(guard: tree.Expr, name: str, *, positive: bool) -> bool:
    """Whether *guard* has *name*, or its negation, among its conjuncts."""
    this = tree.Name(name)
    equation = tree.Compare(this, ((tree.CompareOp.EQ, tree.TruthLiteral(value=positive)),))
    wanted = (this if positive else tree.Not(this), equation)
    return any(part in wanted for part in traversal.conjuncts(guard))


def is_toggled(seen: Outline, name: str) -> bool:
    return any(
        a.name == name and a.value == tree.Not(tree.Name(name))
        for shape in seen.shapes
        for a in shape.assignments
    )


def _result(
    seen: Outline, said: Mapping[str, bool], *, moves: _Shapes, end: ProcedureOutline | None
) -> str | None:
    told = [name for name, is_end in said.items() if is_end and not seen.is_truth(name)]
    if told:
        return told[0]
    for shapes in (() if end is None else (end,), seen.shapes):
        scored = [
            (score, _hints(name, _RESULT_NAMES), name)
            for shape in shapes
            for name in sorted(
                (_word_variables(seen, shape) | _marks(seen, shape)).difference(said)
            )
            if _may_be_result(seen, name, shape, is_end=shape is end)
            if (score := _result_score(seen, name, shape=shape, moves=moves)) > 0
        ]
        if scored:
            return max(scored, key=lambda entry: entry[:2])[2]
    return None


def _may_be_result(seen: Outline, name: str, shape: ProcedureOutline, *, is_end: bool) -> bool:
    """Whether *name* tells how play ended; what other procedures set must show it by its words."""
    is_own = not any(name in other.assigned for other in seen.shapes if other is not shape)
    is_declared = name in shape.declarations
    return is_declared or (is_end and is_own) or _is_verdict(seen, name, shape)


def _result_score(seen: Outline, name: str, *, shape: ProcedureOutline, moves: _Shapes) -> int:
    words = [*seen.words_of(name, shape), *_given_words(seen, name, shape)]
    tells = _tells_the_end(seen, name, words)
    steers = any(name in move.tested for move in moves)
    score = 2 if words else 1
    return score + (name in shape.declarations) + 2 * tells - 2 * steers


def _given_words(
    seen: Outline, name: str, shape: ProcedureOutline
) -> tuple[tree.Name | tree.WordRun, ...]:
    """The words that *shape* gives the variable *name*."""
    return tuple(
        node
        for a in shape.assignments
        if a.name == name and a.value is not None and seen.is_word_value(a.value, shape)
        for node in traversal.inside(a.value)
        if isinstance(node, tree.Name | tree.WordRun)
    )


def _marks(seen: Outline, shape: ProcedureOutline) -> set[str]:
    """The variables that *shape* gives nothing but numbers, as in ``winner = 2``.

    One that is called as results are may be computed, as in ``winner = 3 − turn``.
    """
    values: dict[str, list[tree.Expr | None]] = {}
    for a in shape.assignments:
        if a.name in seen.variables or a.name in shape.declarations:
            values.setdefault(a.name, []).append(a.value if a.guards else None)
    return {
        name
        for name, given in values.items()
        if (_hints(name, _RESULT_NAMES) or all(isinstance(v, tree.NumberLiteral) for v in given))
        and not any(name in other.assigned for other in seen.shapes if other is not shape)
        and not any(_asks_for_more(seen, name, other) for other in seen.shapes)
    }


def _asks_for_more(seen: Outline, name: str, shape: ProcedureOutline) -> bool:
    """Whether *shape* asks for *name* otherwise than whether it has its first value still."""
    first = seen.initial.get(name)
    awaited = tree.Compare(tree.Name(name), ((tree.CompareOp.EQ, first),)) if first else None
    parts = [part for guard in _guards(shape) for part in traversal.conjuncts(guard)]
    others = (part for part in parts if part != awaited)
    return any(name in traversal.names_in(part) for part in others)


# What there is to say


def _no_move(seen: Outline) -> Diagnostic:
    primary, tip = None, "write one under `System States and Behavior`"
    if seen.shapes:
        place = _place(seen.shapes[0])
        primary = Label(place, "decides how play ends; it is called after every move")
        tip = "write another procedure whose parameters range over sets"
    return Diagnostic(
        codes.NO_MOVE,
        "no procedure is a move: there is nothing that players can do",
        primary=primary,
        notes=("a move is a procedure that no other procedure calls",),
        help=f"{tip}, as in `NextPlayerMove(pos ∈ P)`, with its rules below",
    )


def _no_end(
    seen: Outline, *, over: str | None, result: str | None, said: Mapping[str, bool]
) -> tuple[Diagnostic, ...]:
    if over is not None and result is not None:
        return ()
    hint = "a fact can say when play is over, as in `over ↔ (moves = 9)`"
    notes: tuple[str, ...] = ()
    if over is not None:
        told = f"no procedure decides a result; play stops when `{over}` holds"
        hint = "a result says who won, as in `GameOver(over)` with rules that set `result`"
    elif result is not None:
        told = f"no variable says when play is over; it stops when `{result}` is known"
    else:
        told = "nothing says when play is over; it ends only when no move is left"
        if facts := [name for name in _asked_by_nobody(seen) if name not in said]:
            names = listing([f"`{name}`" for name in facts])
            notes = (f"no rule asks for {names}, and nothing shows that play is over then",)
            hint = f"if that is meant, say so in a Reading section: `{facts[0]}: end`"
        elif words := [each for each in _words_of_an_end(seen) if each[0] not in said]:
            name, word = words[0]
            notes = (f"`{name}` may be `{word}`, and nothing shows that play is over then",)
            hint = f"if that is meant, say so with a fact: `over ↔ {name} = {word}`"
    return (Diagnostic(codes.NO_END, told, notes=notes, help=hint, severity=Severity.NOTE),)


def _asked_by_nobody(seen: Outline) -> list[str]:
    """The truth-valued facts that nothing reads: to be looked at, or to end the play."""
    bodies = (shape.procedure.body for shape in seen.shapes)
    exprs = [expr for body in bodies for expr in traversal.expressions_in(body)]
    exprs += [fact.formula for fact in seen.facts]
    read = Counter(name for expr in exprs for name in traversal.names_in(expr))
    # A fact is read once where it is defined.
    return [name for name in sorted(seen.defined) if seen.is_truth(name) and read[name] == 1]


def _words_of_an_end(seen: Outline) -> Iterator[tuple[str, str]]:
    """The variables that start at one word and may hold another that speaks of an end."""
    for name, first in seen.initial.items():
        for word in map(spelling, seen.words_of(name)):
            if word != _spelled(first) and tells_an_end(word):
                yield name, word


def _circle(shape: ProcedureOutline) -> Diagnostic:
    return Diagnostic(
        codes.CIRCLE_OF_CALLS,
        f"`{shape.name}` is taken for a move, but is called by procedures that it calls",
        primary=Label(_place(shape), "assumed to be a move"),
        notes=("a move is a procedure that no other calls, and every procedure here is called",),
        help="write a procedure for players that calls it",
    )


def _place(shape: ProcedureOutline) -> Span:
    return shape.procedure.name_span.or_else(shape.procedure.span)


def _is_called(name: str, words: tuple[str, ...]) -> bool:
    """Whether one of the *words* is a word of *name*, or its last letters after `is` or `game`.

    >>> _is_called("gameOver", ("over",)), _is_called("isover", ("over",))
    (True, True)
    >>> _is_called("overheated", ("over",)), _is_called("cover", ("over",))
    (False, False)
    """
    found = [word.casefold() for word in words_of(name)]
    return any(f"{start}{word}" in found for word in words for start in ("", "is", "game"))


def _hints(name: str, hints: tuple[str, ...]) -> bool:
    lower = name.casefold()
    return any(hint in lower for hint in hints)
