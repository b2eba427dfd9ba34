"""Names that are used and not declared: what each of them most probably is.

A local, a declared name spelled in another way, a variable of its own, the set of
truth values, a value nobody listed; or nothing that can be known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from zermelo.core.machine import words_of
from zermelo.core.signature import Reading
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.items import TRUTH_SETS, Items, outline
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.mean.roles import Roles
from zermelo.languages.sections.mean.terms.names import NameTable, Stranger, VariableEntry
from zermelo.languages.sections.mean.terms.operators import fix
from zermelo.languages.sections.mean.terms.uses import Use, UsePlace, mentioned, uses
from zermelo.languages.sections.read.grammar import tree
from zermelo.text import codes
from zermelo.text.budget import similar, spend
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Checked, Diagnostic, Label, Report
from zermelo.text.errors import SimilarNames, distance
from zermelo.text.headings import SectionKind
from zermelo.text.prose import listing
from zermelo.text.source import Span

_GIVEN_A_VALUE = frozenset({UsePlace.ASSIGNED, UsePlace.INITIAL, UsePlace.DEFINED})


_TURNS: Final = frozenset({"turn", "player", "mover"})


def with_names_of_movers(document: tree.SectionsDocument) -> Checked[tree.SectionsDocument]:
    """*document*, in which an undeclared turn that is given names of variables holds these names.

    In `turn = rabbit` with a variable `rabbit` nobody means the place of the rabbit.
    """
    seen = outline(document)
    variables = {*seen.variables, *seen.initial, *seen.assigned}
    added: list[tree.SectionItem] = []
    said: list[Diagnostic] = []
    for name in sorted(variables - {*seen.variables, *seen.sets, *seen.defined}):
        given = [a.value for shape in seen.shapes for a in shape.assignments if a.name == name]
        values = [each for each in (seen.initial.get(name), *given) if each is not None]
        words = dict.fromkeys(v for v in values if isinstance(v, tree.Name))
        are_names = len(values) > len(given) and all(isinstance(v, tree.Name) for v in values)
        is_turn = not _TURNS.isdisjoint(word.casefold() for word in words_of(name))
        if not is_turn or not are_names or len(words) < 2 or None in given:
            continue
        if not {word.text for word in words} <= variables - {name}:
            continue
        shown = [f"`{word.text}`" for word in words]
        domain = tree.SetOf(tuple(words), span=values[0].span)
        added.append(tree.Declaration((name,), tree.DeclaredRelation.IN, domain, span=domain.span))
        said.append(
            Diagnostic(
                codes.ASSUMED_SET,
                f"`{name}` is not declared; it is taken to hold one of the names {listing(shown)}, "
                "and not their values",
                primary=Label(values[0].span, "a name"),
                help=f"declare `{name} ∈ {{{', '.join(word.text for word in words)}}}`",
            )
        )
    if not added:
        return Checked(document, ())
    section = tree.Section(SectionKind.VARIABLES, tuple(added))
    return Checked(replace(document, sections=(*document.sections, section)), tuple(said))


@dataclass(frozen=True, slots=True)
class SettledNames:
    """The names of a document, undeclared ones included, and the readings that took."""

    table: NameTable
    readings: tuple[Reading, ...]


def settle(
    document: Items, names: NameTable, *, roles: Roles, report: Report, given: Mapping[str, Choice]
) -> SettledNames:
    every = list(uses(document, names.is_declared))
    work = _Work(names, roles, report, given, mentioned(document, every))
    by_name: dict[str, list[Use]] = {}
    for use in every:
        if not work.is_explained(use):
            by_name.setdefault(use.name, []).append(use)
    for name, found in list(by_name.items()):
        if work.is_local(name, found):
            del by_name[name]
            for use in found:
                work.locals.setdefault(use.procedure, set()).add(name)
    for name, found in by_name.items():
        work.settle(name, found)
    return SettledNames(work.table(), tuple(work.readings))


@dataclass(slots=True)
class _Work:
    names: NameTable
    roles: Roles
    report: Report
    given: Mapping[str, Choice]
    mentioned: frozenset[str]
    """Names that are used somewhere, not only declared."""
    readings: list[Reading] = field(default_factory=list)
    variables: dict[str, VariableEntry] = field(default_factory=dict)
    locals: dict[str | None, set[str]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    guessed: dict[str, tree.Expr] = field(default_factory=dict)
    strangers: dict[str, Stranger] = field(default_factory=dict)
    _variables: _Declared = field(init=False)
    _variables_and_sets: _Declared = field(init=False)
    _idle: _Declared = field(init=False)

    def __post_init__(self) -> None:
        variables = tuple(self.names.variables)
        self._variables = _Declared(variables)
        self._variables_and_sets = _Declared((*variables, *self.names.sets))
        self._idle = _Declared(tuple(filter(self._is_idle, variables)))

    def table(self) -> NameTable:
        variables: dict[str, VariableEntry] = {}
        for name, entry in self.names.variables.items():
            called = self.renamed.get(name, name)
            variables[called] = replace(entry, name=called)
        return replace(
            self.names,
            variables={**variables, **self.variables},
            locals={p: own.union(self.locals.get(p, ())) for p, own in self.names.locals.items()},
            aliases={**self.aliases, **self.renamed},
            guessed_sets=self.guessed,
            strangers=self.strangers,
        )

    def is_explained(self, use: Use) -> bool:
        """Whether a declaration, local or of the system, or an enumeration explains *use*."""
        if self.names.is_declared(use.name):
            return True
        if use.procedure is not None and use.name in self.names.locals.get(use.procedure, ()):
            return True
        if use.place in _GIVEN_A_VALUE:
            return False
        word = self.names.words.find(use.name)
        return word is not None and (word.atom.name == use.name or len(use.name) > 1)

    def settle(self, name: str, found: Sequence[Use]) -> None:
        if name.casefold() in TRUTH_SETS and all(u.place is UsePlace.DOMAIN for u in found):
            self._guess_truth_set(name, found[0].span)
            return
        has_value = any(use.place in _GIVEN_A_VALUE for use in found)
        if name in self.names.lost:
            # What was to tell of it was not understood, which is said there.
            if has_value:
                self.variables[name] = VariableEntry(name, None, found[0].span)
            return
        other = self._alike(name, found, has_value=has_value)
        if other is not None:
            self._take_as(name, other, found, has_value=has_value)
        elif has_value:
            self._own_variable(name, found)
        else:
            may_be_word = all(use.is_listed or use.is_whole for use in found)
            self.strangers[name] = Stranger(tuple(found), may_be_word)

    def is_local(self, name: str, found: Sequence[Use]) -> bool:
        """Whether only procedures use *name*, and each gives it a value before reading it."""
        if name in {self.roles.result, self.roles.over}:
            return False
        first: dict[str | None, Use] = {}
        for use in found:
            first.setdefault(use.procedure, use)
        if None in first:
            return False
        given = {
            procedure.name
            for procedure in self.names.procedures.values()
            if procedure.name in first and any(p.name == name for p in procedure.parameters)
        }
        if given:
            # What one procedure is given and another sets is shared between them.
            return given == first.keys()
        return all(use.place is UsePlace.ASSIGNED for use in first.values())

    def _guess_truth_set(self, name: str, span: Span) -> None:
        items = (tree.TruthLiteral(value=value, span=span) for value in (True, False))
        self.guessed[name] = tree.SetOf(tuple(items), span=span)
        self.report.tell(
            codes.ASSUMED_SET,
            f"`{name}` is not defined; it is taken as the set of truth values",
            Label(span, "not defined"),
            help=f"add `{name} : {{true, false}}` to the sets",
        )

    def _alike(self, name: str, found: Sequence[Use], *, has_value: bool) -> str | None:
        """The declared name that *name* most probably is."""
        variables = self.names.variables
        chosen = self.given.get(readings.undeclared(name))
        if chosen is not None and chosen.text.startswith("is "):
            other = chosen.text.removeprefix("is ").strip()
            if other in variables:
                return other
        near = self._idle.akin(name)
        known = self._variables if has_value else self._variables_and_sets
        own = () if has_value or near is not None else self._own(found)
        near = near or known.same_letters(name) or _Declared(own).same_letters(name)
        if near is not None or (has_value and len(found) > 1):
            return near
        slips = [slip for slip in (known.slip(name), _Declared(own).slip(name)) if slip is not None]
        return min(
            slips, key=lambda slip: (distance(name.lower(), slip.lower()), slip), default=None
        )

    def _own(self, found: Sequence[Use]) -> list[str]:
        """The parameters and locals of the one procedure that uses a name."""
        owners = {use.procedure for use in found}
        owner = self.names.procedures.get(found[0].procedure or "")
        if len(owners) > 1 or owner is None:
            return []
        return [*(p.name for p in owner.parameters), *sorted(self.locals.get(owner.name, ()))]

    def _is_idle(self, name: str) -> bool:
        return name in self.names.variables and name not in self.mentioned

    def _take_as(self, name: str, other: str, found: Sequence[Use], *, has_value: bool) -> None:
        if not has_value or other not in self.names.variables:
            self.aliases[name] = other
            self._say_taken_as(name, other, found)
            return
        reading = readings.decide(
            readings.undeclared(name),
            (f"is {other}", readings.OWN_VARIABLE),
            given=self.given,
            reason=f"`{name}` is used and not declared, "
            f"and `{other}` is declared{' and not used' if self._is_idle(other) else ''}",
            span=found[0].span,
        )
        self.readings.append(reading)
        if reading.choice == readings.OWN_VARIABLE:
            self.variables[name] = VariableEntry(name, None, found[0].span)
        elif self._is_idle(other):
            self.renamed[other] = name
        else:
            self.aliases[name] = other
        self._say_taken_as(name, other, found, is_chosen=reading.is_chosen)

    def _say_taken_as(
        self, name: str, other: str, found: Sequence[Use], *, is_chosen: bool = False
    ) -> None:
        is_idle = self._is_idle(other)
        note = f"`{name}` is used {_times(len({use.span for use in found}))} in this document"
        note += f", `{other}` only in its declaration" if is_idle else f"; it is taken as `{other}`"
        is_same = name.casefold() == other.casefold()
        kind = "set" if self.names.is_set(other) else "variable"
        self.report.tell(
            codes.OTHER_CAPITALS if is_same else codes.UNKNOWN_NAME,
            f"`{name}` is used here, but no {kind} of that name is declared",
            Label(found[0].span, "not declared"),
            *self.names.labels(other, f"a {kind} of nearly this name"),
            notes=(note,),
            help=f"rename the declaration to `{name}`" if is_idle else f"write `{other}`",
            fix=fix(self.names.place(other), name) if is_idle else fix(found[0].span, other),
            severity=Severity.NOTE if is_chosen else None,
        )

    def _own_variable(self, name: str, found: Sequence[Use]) -> None:
        self.variables[name] = VariableEntry(name, None, found[0].span)
        places = {use.place for use in found}
        is_result = name == self.roles.result and UsePlace.INITIAL not in places
        span = found[0].span
        if not is_result and UsePlace.DEFINED in places and UsePlace.ASSIGNED not in places:
            code = codes.FACT_ON_UNKNOWN
            span = next(use.span for use in found if use.place is UsePlace.DEFINED)
            message = f"this fact defines `{name}`, but no variable of that name is declared"
            note = "it is taken as a variable that is computed from this fact"
        else:
            code = codes.UNKNOWN_NAME
            is_assigned = is_result or UsePlace.ASSIGNED in places
            how = "assigned" if is_assigned else "given an initial value"
            message = f"`{name}` is {how}, but no variable of that name is declared"
            note = f"it is taken as a variable of its own, used {_times(len(found))}"
        self.report.tell(
            code,
            message,
            Label(span, "not declared"),
            notes=(note,),
            help=f"declare `{name}` among the variables",
        )


class _Declared:
    """Declared names, kept so that those like an unknown one are found without comparing all."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._long = SimilarNames(name for name in names if len(name) > 1)

    def akin(self, name: str) -> str | None:
        """The one that is nearly *name*, or that *name* is a part of."""
        if len(name) < 2:
            return None
        near = similar(name, self._long)
        if near or len(name) == 2:
            return next(iter(near), None)
        low = name.casefold()
        spend(len(low), "looking for similar names")
        ends = {low[at:] for at in range(len(low) - 1)}
        found = {at for end in ends for at in self._places.get(end, ())}
        found.update(self._ending.get(low, ()))
        return self._names[min(found)] if found else None

    def same_letters(self, name: str) -> str | None:
        """The one that differs only in capitals; single letters differ on purpose."""
        places = self._places.get(name.casefold()) if len(name) > 1 else None
        return None if places is None else self._names[places[0]]

    def slip(self, name: str) -> str | None:
        """The one that is so near that *name* is probably a slip of the pen."""
        near = similar(name, self._long)
        if not near or len(name) < 2 or len(name) + len(near[0]) < 5:
            return None
        steps = distance(name.casefold(), near[0].casefold())
        return near[0] if steps == 1 or (steps == 2 and len(name) > 5) else None

    @cached_property
    def _places(self) -> Mapping[str, Sequence[int]]:
        """Where each name stands, whatever its capitals."""
        found: dict[str, list[int]] = {}
        for at, name in enumerate(self._names):
            found.setdefault(name.casefold(), []).append(at)
        return found

    @cached_property
    def _ending(self) -> Mapping[str, Sequence[int]]:
        """Where the names stand that end with some letters."""
        found: dict[str, list[int]] = {}
        for at, name in enumerate(self._names):
            low = name.casefold()
            spend(len(low), "looking for similar names")
            for start in range(len(low) if len(low) > 1 else 0):
                found.setdefault(low[start:], []).append(at)
        return found


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
