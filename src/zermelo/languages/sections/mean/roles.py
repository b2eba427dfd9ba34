"""What each procedure is for, by what it does: the moves, the helpers, the end.

Comes in a tree, before names are resolved; goes out who is a move, who is the
end, and which variables say that play is over and how it ended. Names decide
only where what the procedures do leaves a tie.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from zermelo.languages.sections.ir import ProcedureRole
from zermelo.languages.sections.mean.outline import Outline, Shape, outline
from zermelo.languages.sections.mean.terms import walk
from zermelo.languages.sections.read.grammar import tree
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label, Severity
from zermelo.text.source import NOWHERE, Span

_END_NAMES: Final = ("over", "end", "result", "finish", "win", "judge", "outcome", "decide")
_OVER_NAMES: Final = ("over", "done", "finish", "ended")
_RESULT_NAMES: Final = ("result", "winner", "outcome", "verdict")
_RESULT_WORDS: Final = ("win", "won", "lose", "lost", "draw", "tie", "solved", "fail")


@dataclass(frozen=True, slots=True)
class Roles:
    """What the procedures of a document are for."""

    procedures: Mapping[str, ProcedureRole]
    """Each procedure by name."""
    end: str | None
    """The procedure that decides the result and is called after every move."""
    over: str | None
    """The variable that says that play is over."""
    result: str | None
    """The variable that says how it ended; it may be declared inside the end, or nowhere."""


def roles(document: tree.Document) -> Checked[Roles]:
    """The roles of the procedures of *document*; there is always a value."""
    seen = outline(document)
    roots, found = _roots(seen)
    end = _end(seen, roots)
    moves = tuple(shape for shape in roots if shape is not end and not _is_spare_end(seen, shape))
    if end is not None and not moves and not _boolean_parameters(seen, end):
        moves, end = (end,), None
    found += _spare_ends(seen, roots, moves=moves, end=end)
    over = _over(seen, moves=moves, end=end)
    result = _result(seen, moves=moves, end=end)
    if not moves:
        found += (_no_move(seen),)
    elif end is None:
        found += _no_end(over, result)
    names = {shape.name for shape in moves}
    by_name = {
        shape.name: ProcedureRole.END
        if end is not None and shape.name == end.name
        else (ProcedureRole.MOVE if shape.name in names else ProcedureRole.HELPER)
        for shape in seen.shapes
    }
    return Checked(Roles(by_name, end.name if end else None, over, result), found)


def _roots(seen: Outline) -> tuple[tuple[Shape, ...], tuple[Diagnostic, ...]]:
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


def _reached(seen: Outline, start: Iterable[Shape]) -> set[str]:
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


def _end(seen: Outline, roots: tuple[Shape, ...]) -> Shape | None:
    """The procedure that decides the result; where several do, the one that does most of it."""
    scored = [
        (score, _hints(shape.name, _END_NAMES), at, shape)
        for at, shape in enumerate(roots)
        if (score := _end_score(seen, shape, roots)) > 0
    ]
    return max(scored, key=lambda entry: entry[:3])[3] if scored else None


def _end_score(seen: Outline, shape: Shape, roots: tuple[Shape, ...]) -> int:
    others = [other for other in roots if other is not shape]
    takes_over = 4 if _boolean_parameters(seen, shape) else 0
    judges = 0
    for name in sorted(_word_variables(seen, shape)):
        if name in shape.declarations:
            judges = max(judges, 3)
        elif not any(name in other.tested for other in others):
            judges = max(judges, 2 if any(name in o.assigned for o in others) else 3)
    tests_a_fact = any(seen.is_truth(name) and name in seen.defined for name in shape.tested)
    hinted = tests_a_fact and _hints(shape.name, _END_NAMES)
    if not takes_over and not judges and not hinted:
        return 0
    chooses = 5 if _choices(seen, shape) else -2
    return takes_over + judges + int(tests_a_fact) - chooses


def _boolean_parameters(seen: Outline, shape: Shape) -> tuple[str, ...]:
    """The parameters that are truth-valued variables of the system, as in ``GameOver(over)``."""
    return tuple(p.name for p in shape.procedure.parameters if seen.is_truth(p.name))


def _choices(seen: Outline, shape: Shape) -> tuple[str, ...]:
    """The parameters that a player would choose."""
    return tuple(
        p.name
        for p in shape.procedure.parameters
        if not seen.is_truth(p.name) and (p.domain is not None or p.name not in seen.variables)
    )


def _word_variables(seen: Outline, shape: Shape) -> set[str]:
    """The names with words as values that *shape* assigns."""
    return {
        a.name
        for a in shape.assignments
        if a.name not in shape.parameters
        and (seen.words_of(a.name, shape) or seen.is_word_value(a.value, shape))
    }


def _is_spare_end(seen: Outline, shape: Shape) -> bool:
    return bool(_boolean_parameters(seen, shape)) and not _choices(seen, shape)


def _spare_ends(
    seen: Outline, roots: tuple[Shape, ...], *, moves: tuple[Shape, ...], end: Shape | None
) -> tuple[Diagnostic, ...]:
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
        if end is not None
        and shape is not end
        and shape not in moves
        and _is_spare_end(seen, shape)
    )


# The variables over and result


def _over(seen: Outline, *, moves: tuple[Shape, ...], end: Shape | None) -> str | None:
    """The variable that says that play is over."""
    given = _boolean_parameters(seen, end) if end is not None else ()
    if given:
        return given[0]
    names = sorted(
        name for name in {*seen.variables, *seen.defined, *seen.assigned} if seen.is_truth(name)
    )
    scored = [
        (score, _hints(name, _OVER_NAMES), name)
        for name in names
        if (score := _over_score(seen, name, moves=moves, end=end)) > 0
    ]
    return max(scored, key=lambda entry: entry[:2])[2] if scored else None


def _over_score(seen: Outline, name: str, *, moves: tuple[Shape, ...], end: Shape | None) -> int:
    in_end = end is not None and name in end.tested
    forbids = any(_tests(shape, name, positive=False) for shape in moves)
    allows = any(_tests(shape, name, positive=True) for shape in moves)
    starts_true = seen.initial.get(name) == tree.Truth(value=True)
    if name in seen.defined:
        score = 1 + 3 * in_end + 2 * forbids
    elif name in seen.assigned and not _is_toggled(seen, name):
        score = 2 * in_end + 2 * forbids + _hints(name, _OVER_NAMES)
    else:
        return 0
    return score - 3 * allows - starts_true


def _tests(shape: Shape, name: str, *, positive: bool) -> bool:
    """Whether a guard has *name*, or its negation, among its conjuncts."""
    wanted: tuple[tree.Expr, ...] = (
        (tree.Name(name), tree.Compare(tree.Name(name), ((tree.CompareOp.EQ, _TRUE),)))
        if positive
        else (
            tree.Not(tree.Name(name)),
            tree.Compare(tree.Name(name), ((tree.CompareOp.EQ, tree.Truth(value=False)),)),
        )
    )
    return any(
        part in wanted for guard in walk.guards_in(shape.procedure.body) for part in _and(guard)
    )


_TRUE: Final = tree.Truth(value=True)


def _and(expr: tree.Expr) -> tuple[tree.Expr, ...]:
    return expr.operands if isinstance(expr, tree.And) else (expr,)


def _is_toggled(seen: Outline, name: str) -> bool:
    return any(
        a.name == name and a.value == tree.Not(tree.Name(name))
        for shape in seen.shapes
        for a in shape.assignments
    )


def _result(seen: Outline, *, moves: tuple[Shape, ...], end: Shape | None) -> str | None:
    """The variable that says how play ended."""
    for shapes in (() if end is None else (end,), seen.shapes):
        scored = [
            (score, _hints(name, _RESULT_NAMES), name)
            for shape in shapes
            for name in sorted(_word_variables(seen, shape) | _marks(seen, shape))
            if (score := _result_score(seen, name, shape=shape, moves=moves)) > 0
        ]
        if scored:
            return max(scored, key=lambda entry: entry[:2])[2]
    return None


def _result_score(seen: Outline, name: str, *, shape: Shape, moves: tuple[Shape, ...]) -> int:
    words = list(seen.words_of(name, shape))
    words += [
        node
        for a in shape.assignments
        if a.name == name and a.value is not None and seen.is_word_value(a.value, shape)
        for node in walk.inside(a.value)
        if isinstance(node, tree.Name | tree.Words)
    ]
    tells = any(_hints(_text(word), _RESULT_WORDS) for word in words)
    steers = any(name in move.tested for move in moves)
    score = 2 if words else 1
    return score + (name in shape.declarations) + 2 * tells - 2 * steers


def _marks(seen: Outline, shape: Shape) -> set[str]:
    """The variables that *shape* gives nothing but numbers, as in ``winner = 2``."""
    values: dict[str, list[tree.Expr | None]] = {}
    for a in shape.assignments:
        if a.name in seen.variables or a.name in shape.declarations:
            values.setdefault(a.name, []).append(a.value if a.guards else None)
    return {
        name
        for name, given in values.items()
        if all(isinstance(value, tree.Number) for value in given)
        and not any(name in other.assigned for other in seen.shapes if other is not shape)
        and not any(name in other.tested for other in seen.shapes)
    }


# What there is to say


def _no_move(seen: Outline) -> Diagnostic:
    if not seen.shapes:
        return Diagnostic(
            codes.NO_MOVE,
            "no procedure is a move: there is nothing that players can do",
            notes=("a move is a procedure that no other procedure calls",),
            help="write one under `System States and Behavior`, "
            "as in `NextPlayerMove(pos ∈ P)`, with its rules below",
        )
    first = seen.shapes[0]
    return Diagnostic(
        codes.NO_MOVE,
        "no procedure is a move: there is nothing that players can do",
        primary=Label(_place(first), "decides how play ends; it is called after every move"),
        notes=("a move is a procedure that no other procedure calls",),
        help="write another procedure whose parameters range over sets, "
        "as in `NextPlayerMove(pos ∈ P)`, with its rules below",
    )


def _no_end(over: str | None, result: str | None) -> tuple[Diagnostic, ...]:
    if over is not None and result is not None:
        return ()
    if over is not None:
        said = f"no procedure decides a result; play stops when `{over}` holds"
        hint = "a result says who won, as in `GameOver(over)` with rules that set `result`"
    elif result is not None:
        said = f"no variable says when play is over; it stops when `{result}` is known"
        hint = "a fact can say when play is over, as in `over ↔ (moves = 9)`"
    else:
        said = "nothing says when play is over; it ends only when no move is left"
        hint = "a fact can say when play is over, as in `over ↔ (moves = 9)`"
    return (Diagnostic(codes.NO_END, said, help=hint, severity=Severity.NOTE),)


def _circle(shape: Shape) -> Diagnostic:
    return Diagnostic(
        codes.CIRCLE_OF_CALLS,
        f"`{shape.name}` is taken for a move, but is called by procedures that it calls",
        primary=Label(_place(shape), "assumed to be a move"),
        notes=("a move is a procedure that no other calls, and every procedure here is called",),
        help="write a procedure for players that calls it",
    )


def _place(shape: Shape) -> Span:
    span = shape.procedure.name_span
    return shape.procedure.span if span == NOWHERE else span


def _hints(name: str, hints: tuple[str, ...]) -> bool:
    lower = name.casefold()
    return any(hint in lower for hint in hints)


def _text(word: tree.Name | tree.Words) -> str:
    return word.text if isinstance(word, tree.Name) else " ".join(word.words)
