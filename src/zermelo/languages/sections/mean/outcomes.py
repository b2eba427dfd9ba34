"""Results that variables tell: ``annWon`` and ``bobWon``, ``solved``, ``status = fox won``.

A document may say who won without a variable for the result. Then it gets one, and an end that
sets it, written as a person would write them; all that follows knows of one kind of result only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from zermelo.core.machine import DRAWS, LOSES, WINS, spaced
from zermelo.languages.sections.ir import ProcedureRole
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.items import Outline, ProcedureOutline, outline, spelling
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.mean.results import FAILED, SOLVED, tells_an_end, tokens
from zermelo.languages.sections.mean.roles import Roles, asks, is_toggled
from zermelo.languages.sections.read.grammar import traversal, tree
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, label_at
from zermelo.text.headings import SectionKind
from zermelo.text.prose import listing
from zermelo.text.source import NOWHERE, Span

_TELLING: Final = WINS | LOSES | SOLVED | FAILED | DRAWS
_NOTHING_SAID: Final = frozenset({"is", "has", "have", "the", "game"})
_NEW_NAMES: Final = ("result", "outcome", "verdict")
_OVER_NAMES: Final = ("over", "ended", "finished")
_END_NAMES: Final = ("Outcome", "EndOfPlay")


@dataclass(frozen=True, slots=True)
class _Told:
    """A condition that says how play ended, and the words for it."""

    name: str
    condition: tree.Expr
    words: tuple[str, ...]
    span: Span

    @property
    def value(self) -> tree.Name | tree.WordRun:
        return tree.Name(self.words[0]) if len(self.words) == 1 else tree.WordRun(self.words)


def with_result(
    document: tree.SectionsDocument, roles: Roles, *, given: Mapping[str, Choice]
) -> Checked[tree.SectionsDocument]:
    """*document* with the result that its variables tell, if it has none of its own."""
    seen = outline(document)
    moves = [s for s in seen.shapes if roles.procedures.get(s.name) is ProcedureRole.MOVE]
    if roles.result is not None or not moves:
        return Checked(document, ())
    judges, told = _by_words(seen, moves, given)
    if not told:
        told = tuple(_by_truths(seen, moves, roles=roles, given=given))
    if not told:
        return Checked(document, ())
    end = judges[0].name if judges else roles.end
    is_over = roles.over is not None and roles.over not in {each.name for each in told}
    over = str(roles.over) if is_over else _unused(_OVER_NAMES, seen)
    result = _unused(_NEW_NAMES, seen)
    made = _Made(told, result=result, over=over, has_over=is_over)
    new_end = end or _unused(_END_NAMES, seen)
    sections = [made.in_section(section, end) for section in document.sections]
    added = [] if end is not None else [made.procedure(new_end)]
    if not is_over:
        sections.append(tree.Section(SectionKind.FACTS, (made.fact(), made.declaration())))
    sections.append(tree.Section(SectionKind.BEHAVIOUR, tuple(added)))
    return Checked(replace(document, sections=tuple(sections)), (_said(told),))


def _unused(names: Iterable[str], seen: Outline) -> str:
    taken = {*seen.sets, *seen.variables, *seen.initial, *seen.assigned, *seen.functions}
    taken |= {shape.name for shape in seen.shapes}
    free = [name for name in names if name not in taken]
    return free[0] if free else f"{next(iter(names))}_"


def _said(told: tuple[_Told, ...]) -> Diagnostic:
    listed = listing([f"`{' '.join(each.words)}` when `{_text(each)}` holds" for each in told])
    names = dict.fromkeys(each.name for each in told)
    return Diagnostic(
        codes.TOLD_RESULT,
        f"the document has no result of its own; play ends with {listed}",
        primary=label_at(told[0].span, "says how play ended"),
        help="if that is not meant, say so in a Reading section: "
        + listing([f"`{name}: variable`" for name in names]),
    )


def _text(told: _Told) -> str:
    is_truth = isinstance(told.condition, tree.Name)
    return told.name if is_truth else f"{told.name} = {' '.join(told.words)}"


@dataclass(frozen=True, slots=True)
class _Made:
    """What is written into the document."""

    told: tuple[_Told, ...]
    result: str
    over: str
    has_over: bool

    def statements(self) -> tuple[tree.Statement, ...]:
        words = tree.SetOf(tuple(each.value for each in self.told))
        declared = tree.Declaration((self.result,), tree.DeclaredRelation.IN, words)
        rules = (
            tree.Rule(each.condition, (tree.Assign(tree.Name(self.result), each.value),))
            for each in self.told
        )
        return (declared, *rules)

    def procedure(self, name: str) -> tree.Procedure:
        return tree.Procedure(name, (tree.Parameter(self.over),), self.statements())

    def fact(self) -> tree.Fact:
        conditions = tuple(each.condition for each in self.told)
        holds = conditions[0] if len(conditions) == 1 else tree.Or(conditions)
        return tree.Fact(tree.Iff(tree.Name(self.over), holds))

    def declaration(self) -> tree.Declaration:
        truths = tree.SetOf((tree.TruthLiteral(value=True), tree.TruthLiteral(value=False)))
        return tree.Declaration((self.over,), tree.DeclaredRelation.IN, truths)

    def in_section(self, section: tree.Section, end: str | None) -> tree.Section:
        return replace(section, items=tuple(self._in_item(item, end) for item in section.items))

    def _in_item(self, item: tree.SectionItem, end: str | None) -> tree.SectionItem:
        if not isinstance(item, tree.Procedure) or item.name != end:
            return item
        has_it = any(parameter.name == self.over for parameter in item.parameters)
        more = () if has_it else (tree.Parameter(self.over),)
        body = (*item.body, *self.statements())
        return replace(item, parameters=(*item.parameters, *more), body=body)


# Truth values


def _by_truths(
    seen: Outline, moves: list[ProcedureOutline], *, roles: Roles, given: Mapping[str, Choice]
) -> Iterator[_Told]:
    """The truth values that are called as results are, and that no move asks for."""
    names = sorted({*seen.variables, *seen.defined, *seen.assigned}, key=_place_in(seen))
    for name in names:
        words = tuple(word for word in spaced(name).split() if word not in _NOTHING_SAID)
        if (
            words
            and not tokens(name).isdisjoint(_TELLING)
            and seen.is_truth(name)
            and readings.role_of(name) not in given
            and _is_lasting(seen, name)
            and not _is_used(name, moves)
            and (roles.over is not None or _ends_all(name, moves))
        ):
            declared = seen.variables.get(name)
            lower = tuple(word.casefold() if at else word for at, word in enumerate(words))
            yield _Told(name, tree.Name(name), lower, declared.span if declared else NOWHERE)


def _place_in(seen: Outline) -> Callable[[str], tuple[int, str]]:
    """The order in which *seen* declares variables; those that it does not declare come first."""
    order: dict[str, int] = {}
    for name, declaration in seen.variables.items():
        order[name] = declaration.span.start + declaration.names.index(name)
    return lambda name: (order.get(name, 0), name)


def _is_lasting(seen: Outline, name: str) -> bool:
    """Whether *name* holds by a fact, or gets true and never false again."""
    if seen.initial.get(name) == tree.TruthLiteral(value=True) or is_toggled(seen, name):
        return False
    given = [a.value for s in seen.shapes for a in s.assignments if a.name == name]
    lasting = all(value == tree.TruthLiteral(value=True) for value in given)
    return name in seen.defined or (bool(given) and lasting)


def _is_used(name: str, moves: Iterable[ProcedureOutline]) -> bool:
    guards = (guard for move in moves for guard in traversal.guards_in(move.procedure.body))
    return any(asks(guard, name, positive=True) for guard in guards)


def _ends_all(name: str, moves: Iterable[ProcedureOutline]) -> bool:
    guards = [guard for move in moves for guard in traversal.guards_in(move.procedure.body)]
    return bool(guards) and all(asks(guard, name, positive=False) for guard in guards)


# Words


def _by_words(
    seen: Outline, moves: list[ProcedureOutline], given: Mapping[str, Choice]
) -> tuple[list[ProcedureOutline], tuple[_Told, ...]]:
    """The words of a status with which nothing can be done any more, and who gives only these."""
    for name in seen.variables:
        words = {spelling(word) for word in seen.words_of(name)}
        first = seen.initial.get(name)
        is_said = readings.role_of(name) in given
        if is_said or not words or not isinstance(first, tree.Name | tree.WordRun):
            continue
        asked = {text for move in moves for guard in _guards(move) for text in _asked(guard, name)}
        last = {text for s in seen.shapes for text in _given(s, name)} & words - asked
        judges = [m for m in moves if m.assigned == {name} and _given(m, name) <= last]
        others = [move for move in moves if move not in judges]
        is_steered = bool(others) and all(
            any(_asked(part, name) for part in traversal.conjuncts(rule.guard))
            for move in others
            for rule in move.procedure.body
            if isinstance(rule, tree.Rule)
        )
        if is_steered and spelling(first) in asked and any(map(tells_an_end, last)):
            span = seen.variables[name].span
            this = tree.Name(name)
            listed = [w for w in seen.words_of(name) if spelling(w) in last]
            told = tuple(
                _Told(
                    name,
                    tree.Compare(this, ((tree.CompareOp.EQ, word),)),
                    tuple(spelling(word).split()),
                    span,
                )
                for word in listed
            )
            return judges, told
    return [], ()


def _guards(shape: ProcedureOutline) -> Iterator[tree.Expr]:
    return traversal.guards_in(shape.procedure.body)


def _asked(guard: tree.Expr, name: str) -> set[str]:
    """The words that *guard* asks the variable *name* to be."""
    return {
        spelling(value)
        for part in traversal.inside(guard)
        if isinstance(part, tree.Compare) and part.first == tree.Name(name)
        for op, value in part.rest
        if op is tree.CompareOp.EQ and isinstance(value, tree.Name | tree.WordRun)
    }


def _given(shape: ProcedureOutline, name: str) -> set[str]:
    """The words that *shape* gives the variable *name*."""
    return {
        spelling(a.value)
        for a in shape.assignments
        if a.name == name and isinstance(a.value, tree.Name | tree.WordRun)
    }
