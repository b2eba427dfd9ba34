"""What variables can become, and which arguments can have an effect, before anything is played.

A procedure is gone through with ranges instead of values: at a rule the way splits into one on
which its guard holds and one on which it does not, and ways on which flags, words and truth values
are the same are joined again. Turns are repeated until nothing new comes, where numbers that keep
growing jump to the next number that the document mentions. What is found has every reachable
value in it, so it is a proof that there are no others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from zermelo.core.signature import Stuck
from zermelo.core.values import UNSET, Atom, TruthValue, Value, truth
from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import Expr
from zermelo.languages.sections.run import ranges
from zermelo.languages.sections.run.procedures import Program, Routine
from zermelo.languages.sections.run.range_logic import Known, Origin, RangeLogic, join_known
from zermelo.languages.sections.run.ranges import (
    ANYTHING,
    EITHER,
    NOTHING,
    Between,
    Range,
    SetWithin,
    TupleWithin,
    hull,
    join,
    meet,
    members_of,
    only,
    the_value,
)
from zermelo.languages.sections.walk import (
    bodies,
    conjuncts,
    free_locals,
    parts,
    refs,
    substituted,
)
from zermelo.text.budget import spend

_MOST_WAYS: Final = 24
"""So many ways through a procedure are kept apart."""
_DEEPEST_CALL: Final = 8
_PATIENT_ROUNDS: Final = 3
"""After so many rounds numbers that grow jump."""
_MOST_ROUNDS: Final = 60
_NARROWING_ROUNDS: Final = 3
_EXPRESSIONS_OF_A_CALL: Final = 20_000
_EXPRESSIONS_OF_ALL: Final = 80_000
"""So many expressions are looked at; of what is left then, nothing is known."""


@dataclass(frozen=True, slots=True)
class Way:
    """How far a procedure was gone through, and what is known there.

    A local has a name of its own for each time it is given a value, so that what is found out
    later is known of what it was made of, too.
    """

    known: Known
    names: Mapping[str, str] = field(default_factory=dict)
    """For each local that the procedure sees the name that is its own."""
    written: frozenset[str] = frozenset()
    """The variables that were given values since the call began."""
    before: frozenset[str] = frozenset()
    """Those that were before, by whoever called."""
    entry: Mapping[str, Range] | None = None
    """What the variables were when rules that are read at once were begun, if they are."""
    pending: Mapping[str, Range] = field(default_factory=dict)
    """What such rules have given values."""

    @property
    def values(self) -> Mapping[str, Range]:
        """The variables as they are after what was done so far."""
        return {**self.known.variables, **self.pending}


@dataclass(slots=True)
class Effects:
    """The ranges of the arguments with which something is written."""

    parameters: tuple[str, ...] = ()
    found: dict[str, Range] = field(default_factory=dict)

    def add(self, known: Known) -> None:
        for name in self.parameters:
            given = known.locals.get(_given(name), ANYTHING)
            self.found[name] = join(self.found.get(name, NOTHING), given)


def _given(parameter: str) -> str:
    """The name of an argument itself, whatever its parameter is given later."""
    return f"{parameter}·0"


class RangeTurns:
    """Goes through the procedures of one system."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.system = program.system
        self.logic = RangeLogic(program.expressions, program.system)
        self.footprints = program.expressions.footprints
        self.stored = frozenset(variable.name for variable in program.system.stored)
        self._images: dict[tuple[int, tuple[tuple[str, str], ...]], tuple[Expr, Expr | None]] = {}
        self._declared = {p.name: _declared(p) for p in program.system.procedures}

    def asked(self, routine: Routine, values: Mapping[str, Range]) -> Mapping[str, Range]:
        """The arguments of a move that can have an effect where variables are in these ranges."""
        effects = Effects(routine.parameters)
        self.logic.begin(_EXPRESSIONS_OF_A_CALL)
        self._called(routine, values, effects)
        return {name: effects.found.get(name, NOTHING) for name in routine.parameters}

    def turned(self, values: Mapping[str, Range]) -> list[Mapping[str, Range]]:
        """What the variables can be after a turn that begins with these ranges."""
        begun = [values] if self.system.no_effect is ir.NoEffect.COSTS_THE_TURN else []
        for move in self.system.moves:
            ways = self._called(self.program.routines[move.name], values, None)
            begun += [self._held(way, values) for way in ways if way.written & self.stored]
        end = self.system.end
        if end is None:
            return begun
        routine = self.program.routines[end.name]
        return [
            self._held(way, each) for each in begun for way in self._called(routine, each, None)
        ]

    def _held(self, way: Way, before: Mapping[str, Range]) -> Mapping[str, Range]:
        """The variables, with those that are not what they were *before* held to their sets."""
        values = dict(way.values)
        for variable in self.system.stored:
            name, domain = variable.name, variable.domain
            if name in way.written and domain is not None:
                inside = members_of(self.logic.value(domain, Known(values)))
                values[name] = meet(values[name], join(inside, before[name]))
        return values

    def _called(
        self, routine: Routine, values: Mapping[str, Range], effects: Effects | None
    ) -> list[Way]:
        if NOTHING in values.values():
            return []
        way = Way(Known(values))
        for parameter in routine.procedure.parameters:
            domain = self.seen(parameter.domain, way)
            inside = ANYTHING if domain is None else members_of(self.logic.value(domain, way.known))
            if inside == NOTHING:
                return []
            known = way.known.with_local(_given(parameter.name), inside)
            names = {**way.names, parameter.name: _given(parameter.name)}
            way = replace(way, known=known, names=names)
        return _Walk(self, effects, values).body(routine.procedure, way, 0)

    def seen(self, expr: Expr, way: Way) -> Expr | None:
        """*expr* with the locals by their own names; ``None`` if one of them has none."""
        used = free_locals(expr)
        if not used:
            return expr
        if not used <= way.names.keys():
            return None
        key = (id(expr), tuple((name, way.names[name]) for name in sorted(used)))
        if key not in self._images:
            images: dict[str, Expr] = {name: ir.Local(own) for name, own in key[1]}
            # The expression is kept, so that no other can get its identity.
            self._images[key] = (expr, substituted(expr, images, {}))
        return self._images[key][1]

    def without_facts(self, known: Known) -> Known:
        """*known* without what was made of facts, where two procedures may see them differently."""
        if not self.program.can_freeze:
            return known
        facts = {variable.name for variable in self.system.variables if variable.definition}
        origins = {n: o for n, o in known.origins.items() if not self._reads(o.expr) & facts}
        terms = {t: r for t, r in known.terms.items() if not self._reads(t) & facts}
        return replace(known, origins=origins, terms=terms)

    def _reads(self, expr: Expr) -> frozenset[str]:
        return self.footprints.of(expr).reads

    def declared(self, procedure: ir.Procedure) -> Mapping[str, tuple[Expr, ...]]:
        return self._declared[procedure.name]


def _declared(procedure: ir.Procedure) -> Mapping[str, tuple[Expr, ...]]:
    """The locals that a procedure declares, each with its sets."""
    found: dict[str, tuple[Expr, ...]] = {}
    for part in parts(procedure):
        if isinstance(part, ir.Declare):
            for name in part.names:
                found[name] = (*found.get(name, ()), part.domain)
    return found


class _Walk:
    """One call of a move or of the end, with all it calls."""

    def __init__(
        self, turns: RangeTurns, effects: Effects | None, begun: Mapping[str, Range]
    ) -> None:
        self._turns = turns
        self._logic = turns.logic
        self._effects = effects
        self._begun = begun
        """What the variables were when the call began."""
        self._fresh = 0

    def body(self, procedure: ir.Procedure, way: Way, depth: int) -> list[Way]:
        ways = self._steps(procedure, procedure.body, [self._entered(procedure, way)], depth)
        settled = [replace(each.known, variables=each.values) for each in ways]
        return [
            replace(each, known=known, entry=None, pending={})
            for each, known in zip(ways, settled, strict=True)
        ]

    def _entered(self, procedure: ir.Procedure, way: Way) -> Way:
        known = self._turns.without_facts(way.known)
        entry = known.variables if procedure.order is ir.Order.AT_ONCE else None
        if procedure.order is ir.Order.FACTS_FROZEN:
            known = replace(known, frozen=self._begun, changed=way.before)
        else:
            known = replace(known, frozen=None, changed=frozenset())
        return replace(way, known=known, entry=entry, pending={})

    def _steps(
        self,
        procedure: ir.Procedure,
        statements: Iterable[ir.Statement],
        ways: list[Way],
        depth: int,
    ) -> list[Way]:
        for statement in statements:
            self._fresh += 1
            number = self._fresh
            after: list[Way] = []
            for way in ways:
                spend(_STEPS_OF_A_STATEMENT, "finding what values there can be")
                after += self._step(procedure, statement, way, depth, number)
            ways = merged(after)
        return ways

    def _step(
        self,
        procedure: ir.Procedure,
        statement: ir.Statement,
        way: Way,
        depth: int,
        number: int,
    ) -> list[Way]:
        match statement:
            case ir.Declare():
                return [way]
            case ir.Assign() | ir.Let():
                after = self._together((statement,), way, number)
                return [*after, way] if self._may_skip(procedure, statement.value) else after
            case ir.Call():
                return self._call(procedure, statement, way, depth)
            case ir.Rule():
                return self._rule(procedure, statement, way, depth, number)

    def _may_skip(self, procedure: ir.Procedure, node: ir.Node) -> bool:
        return bool(free_locals(node) & self._turns.declared(procedure).keys())

    # Rules

    def _rule(
        self, procedure: ir.Procedure, rule: ir.Rule, way: Way, depth: int, number: int
    ) -> list[Way]:
        guard = self._turns.seen(rule.guard, way)
        may_skip = any(
            isinstance(part, ir.Local) and part.name in self._turns.declared(procedure)
            for part in parts(rule)
        )
        holding: Known | None = way.known
        other: Known | None = way.known
        if guard is not None:
            holding = self._logic.refine(guard, way.known)
            other = way.known if may_skip else self._logic.refine(guard, way.known, holds=False)
        if holding is not None:
            holding = self._inside_declared(procedure, rule, replace(way, known=holding))
        found = [] if other is None else [replace(way, known=other)]
        if self._reads_unset(rule, way):
            # What has no value costs its rule, and the rules below it apply all the same.
            found.append(way)
        if holding is None:
            return found
        together, rest = _split(rule.conclusion)
        ways = self._together(together, replace(way, known=holding), number)
        for statement in rest:
            # A value outside its declaration ends the rule where it is used.
            found += ways if may_skip else []
            ways = self._steps(procedure, (statement,), ways, depth)
        return found + ways

    def _reads_unset(self, rule: ir.Rule, way: Way) -> bool:
        reads = self._turns.footprints.of
        read = {
            name for part in parts(rule) if isinstance(part, ir.Ref) for name in reads(part).reads
        }
        known = way.known.variables
        return any(name in known and ranges.has(known[name], UNSET) for name in read)

    def _inside_declared(self, procedure: ir.Procedure, rule: ir.Rule, way: Way) -> Known | None:
        """What is known if every declared local that the rule uses is in its set."""
        together, _ = _split(rule.conclusion)
        used = frozenset().union(*(free_locals(statement.value) for statement in together))
        used = used.union(*map(_always_read, conjuncts(rule.guard)))
        known: Known | None = way.known
        for name, domains in self._turns.declared(procedure).items():
            for domain in domains if name in used and name in way.names else ():
                inside = self._turns.seen(domain, way)
                if known is not None and inside is not None:
                    within = members_of(self._logic.value(inside, known))
                    known = self._logic.narrow(ir.Local(way.names[name]), within, known)
        return known

    # Statements

    def _together(
        self, statements: tuple[ir.Assign | ir.Let, ...], way: Way, number: int
    ) -> list[Way]:
        """Statements whose right sides all see what was before the first of them."""
        images = [self._turns.seen(statement.value, way) for statement in statements]
        values = [
            ANYTHING if image is None else self._logic.value(image, way.known) for image in images
        ]
        splits = [(way.known, values)]
        for at, (statement, image) in enumerate(zip(statements, images, strict=True)):
            if image is not None and values[at] == EITHER and isinstance(statement, ir.Assign):
                splits = self._split(splits, at, image)
        found = []
        for known, given in splits:
            after = replace(way, known=known)
            # Locals first: they are made of what was before the assignments.
            for statement, image, value in zip(statements, images, given, strict=True):
                if isinstance(statement, ir.Let):
                    after = self._let(statement, image, value, after, number)
            for statement, value in zip(statements, given, strict=True):
                if isinstance(statement, ir.Assign):
                    after = self._assigned(statement.variable, value, after)
            found.append(after)
        return found

    def _split(
        self, splits: list[tuple[Known, list[Range]]], at: int, image: Expr
    ) -> list[tuple[Known, list[Range]]]:
        """What is known where a truth value becomes true, and where it becomes false."""
        if len(splits) > _MOST_WAYS:
            return splits
        found = []
        for known, given in splits:
            for holds in (True, False):
                after = self._logic.refine(image, known, holds=holds)
                if after is not None:
                    found.append((after, [*given[:at], only(truth(holds)), *given[at + 1 :]]))
        return found

    def _let(self, let: ir.Let, image: Expr | None, value: Range, way: Way, number: int) -> Way:
        count = len(let.names) if let.is_tuple else 0
        known, names = way.known, dict(way.names)
        for at, name in enumerate(let.names):
            own = f"{name}·{number}"
            found = ranges.component(value, at, count) if count else value
            known = known.forgetting(frozenset({own})).with_local(own, found)
            if image is not None and own not in free_locals(image):
                origins = {**known.origins, own: Origin(image, at, count)}
                known = replace(known, origins=origins)
            names[name] = own
        return replace(way, known=known, names=names)

    def _assigned(self, variable: str, value: Range, way: Way) -> Way:
        is_same = the_value(value) is not None and value == self._begun[variable]
        if self._effects is not None and variable in self._turns.stored and not is_same:
            self._effects.add(way.known)
        written = way.written | {variable}
        if way.entry is not None:
            return replace(way, written=written, pending={**way.pending, variable: value})
        known = way.known
        kept = {
            name: origin
            for name, origin in known.origins.items()
            if variable not in self._turns.footprints.of(origin.expr).reads
        }
        reads = self._turns.footprints.of
        known = replace(
            known,
            variables={**known.variables, variable: value},
            origins=kept,
            terms={t: r for t, r in known.terms.items() if variable not in reads(t).reads},
            changed=known.changed if known.frozen is None else known.changed | {variable},
        )
        return replace(way, known=known, written=written)

    def _call(self, procedure: ir.Procedure, call: ir.Call, way: Way, depth: int) -> list[Way]:
        routine = self._turns.program.routines.get(call.procedure)
        if routine is None or len(routine.parameters) != len(call.arguments):
            return []
        if depth >= _DEEPEST_CALL:
            return [self._unknown(call, way)]
        can_skip = routine.procedure.outside is ir.Outside.SKIP
        found = [way] if can_skip or self._may_skip(procedure, call) else []
        inside = self._with_arguments(routine, call, way)
        if inside is None:
            return found
        return found + [
            self._back(way, after) for after in self.body(routine.procedure, inside, depth + 1)
        ]

    def _with_arguments(self, routine: Routine, call: ir.Call, way: Way) -> Way | None:
        """The way into a call, whose arguments are in the sets of the parameters."""
        before = way.before | way.written
        inside = replace(way, names={}, written=frozenset(), before=before)
        for parameter, argument in zip(routine.procedure.parameters, call.arguments, strict=True):
            self._fresh += 1
            image = self._turns.seen(argument, way)
            value = ANYTHING if image is None else self._logic.value(image, inside.known)
            let = ir.Let((parameter.name,), is_tuple=False, value=argument)
            inside = self._let(let, image, value, inside, self._fresh)
            domain = self._turns.seen(parameter.domain, inside)
            if domain is not None:
                within = members_of(self._logic.value(domain, inside.known))
                own = ir.Local(inside.names[parameter.name])
                known = self._logic.narrow(own, within, inside.known)
                if known is None:
                    return None
                inside = replace(inside, known=known)
        return inside

    def _back(self, before: Way, after: Way) -> Way:
        """The way behind a call, where the caller sees its own names again."""
        known = replace(
            self._turns.without_facts(after.known),
            frozen=before.known.frozen,
            changed=before.known.changed
            if before.known.frozen is None
            else before.known.changed | after.written,
        )
        written = before.written | after.written
        if before.entry is None:
            return replace(before, known=known, written=written)
        new = {name: after.values[name] for name in after.written}
        # What the call did is not seen yet, nor is what was made of it.
        same = before.known
        known = replace(known, variables=same.variables, origins=same.origins, terms=same.terms)
        pending = {**before.pending, **new}
        return replace(before, known=known, written=written, pending=pending)

    def _unknown(self, call: ir.Call, way: Way) -> Way:
        """What is known after a call that is not gone through."""
        for name in sorted(self._turns.footprints.of_procedure(call.procedure).writes):
            way = self._assigned(name, ANYTHING, way)
        return way


def _split(
    conclusion: tuple[ir.Statement, ...],
) -> tuple[tuple[ir.Assign | ir.Let, ...], tuple[ir.Statement, ...]]:
    """The statements before the first call or nested rule, and the others."""
    stated = tuple(s for s in conclusion if not isinstance(s, ir.Declare))
    together: list[ir.Assign | ir.Let] = []
    for statement in stated:
        if not isinstance(statement, ir.Assign | ir.Let):
            break
        together.append(statement)
    return tuple(together), stated[len(together) :]


def _always_read(conjunct: Expr) -> frozenset[str]:
    """The locals whose values are needed to decide *conjunct*."""
    match conjunct:
        case ir.Local(name):
            return frozenset({name})
        case ir.Not(operand) | ir.Negate(operand):
            return _always_read(operand)
        case ir.TupleOf(items) | ir.SetOf(items):
            return frozenset().union(*map(_always_read, items))
        case ir.Binary(op, left, right) if op not in {ir.Op.IMPLIES, ir.Op.IFF}:
            return _always_read(left) | _always_read(right)
        case _:
            return frozenset()


def merged(ways: list[Way]) -> list[Way]:
    """*ways* with those joined on which truth values and words are the same."""
    groups: dict[tuple[object, ...], list[Way]] = {}
    for way in ways:
        groups.setdefault(_key(way), []).append(way)
    if len(groups) > _MOST_WAYS:
        groups = {(): ways}
    return [_joined(group) for group in groups.values()]


def _key(way: Way) -> tuple[object, ...]:
    return (_flags(way.values), tuple(way.names.items()), way.written if way.pending else None)


def _plain(found: Range) -> Value | None:
    """The one truth value or word that is possible."""
    value = the_value(found)
    is_plain = isinstance(value, TruthValue | Atom) or value is UNSET
    return value if is_plain else None


def _joined(ways: list[Way]) -> Way:
    first = ways[0]
    if len(ways) == 1:
        return first
    pending = dict(first.pending)
    for way in ways[1:]:
        for name in {*pending, *way.pending}:
            one = pending.get(name, first.known.variables[name])
            pending[name] = join(one, way.pending.get(name, way.known.variables[name]))
    names = {n: own for n, own in first.names.items() if all(w.names.get(n) == own for w in ways)}
    return replace(
        first,
        known=join_known([way.known for way in ways]),
        names=names,
        written=frozenset().union(*(way.written for way in ways)),
        pending=pending,
    )


_STEPS_OF_A_STATEMENT: Final = 20


# Turn after turn


def reachable(turns: RangeTurns, first: Mapping[str, Value]) -> Mapping[str, Range]:
    """What each stored variable can be in any state that turns lead to from the *first* one.

    Nothing is said if too many turns would have to be gone through to know.
    """
    return _Reach(turns, first).found()


class _Reach:
    """Turns repeated until nothing new comes."""

    def __init__(self, turns: RangeTurns, first: Mapping[str, Value]) -> None:
        self._turns = turns
        self._first = {name: only(value) for name, value in first.items()}
        self._steps = _mentioned(turns, first.values())
        self._at: dict[tuple[object, ...], Mapping[str, Range]] = {}
        self._is_apart = True

    def found(self) -> Mapping[str, Range]:
        self._turns.logic.begin(_EXPRESSIONS_OF_ALL)
        self._at = self._grouped([self._first])
        for number in range(_MOST_ROUNDS):
            after = self._after()
            if self._turns.logic.is_spent():
                return {}
            if not self._grow(after, jumps=number >= _PATIENT_ROUNDS):
                break
        else:
            return {}
        for _ in range(_NARROWING_ROUNDS):
            self._at = self._after()
        if self._turns.logic.is_spent():
            return {}
        whole = _joined_values(self._at.values())
        return {name: whole[name] for name in self._turns.stored}

    def _after(self) -> dict[tuple[object, ...], Mapping[str, Range]]:
        """The first state, and what a turn leads to from any that is known."""
        found: list[Mapping[str, Range]] = [self._first]
        for values in self._at.values():
            going = self._going(values)
            found += [] if going is None else self._turns.turned(going)
            found += [] if going is None else self._passed(going)
        possible = [values for values in found if NOTHING not in values.values()]
        return self._grouped([self._reset(values) for values in possible])

    def _going(self, values: Mapping[str, Range]) -> Mapping[str, Range] | None:
        """What is known where play goes on: it is not over, or that cannot be said."""
        over = self._turns.system.over
        if over is None or not self._turns.logic.is_sure(over, Known(values)):
            return values
        known = self._turns.logic.refine(over, Known(values), holds=False)
        return None if known is None else known.variables

    def _passed(self, values: Mapping[str, Range]) -> list[Mapping[str, Range]]:
        """Where a player without a move passes, only what says whose turn it is changes."""
        system = self._turns.system
        if system.stuck is not Stuck.PASSES:
            return []
        turn = {name for player in system.players for name in refs(player.turn)}
        changed = dict(values)
        for variable in system.stored:
            if variable.name in turn and variable.domain is not None:
                domain = self._turns.logic.value(variable.domain, Known(values))
                changed[variable.name] = join(values[variable.name], members_of(domain))
        return [changed]

    def _reset(self, values: Mapping[str, Range]) -> Mapping[str, Range]:
        """Flags begin every turn as they began the first."""
        return {n: r if n in self._turns.stored else self._first[n] for n, r in values.items()}

    def _grow(
        self, after: Mapping[tuple[object, ...], Mapping[str, Range]], *, jumps: bool
    ) -> bool:
        has_grown = False
        for key, values in after.items():
            before = self._at.get(key)
            if before is None:
                self._at[key] = values
                has_grown = True
                continue
            wider = _join_values(before, values)
            if jumps:
                wider = {n: self._widened(before[n], wider[n]) for n in before}
            if wider != before:
                self._at[key] = wider
                has_grown = True
        return has_grown

    def _grouped(
        self, found: list[Mapping[str, Range]]
    ) -> dict[tuple[object, ...], Mapping[str, Range]]:
        """States that agree in truth values and words together, as long as these are few."""
        groups: dict[tuple[object, ...], Mapping[str, Range]] = {}
        for values in found:
            key = _flags(values) if self._is_apart else ()
            before = groups.get(key)
            groups[key] = values if before is None else _join_values(before, values)
        if len({*groups, *self._at}) <= _MOST_WAYS:
            return groups
        self._is_apart = False
        self._at = {(): _joined_values(self._at.values())} if self._at else {}
        return {(): _joined_values(groups.values())}

    def _widened(self, before: Range, after: Range) -> Range:
        """*after*, with ends that have moved moved on to the next number that is mentioned."""
        if before == after:
            return after
        one, other = hull(before), hull(after)
        match one, other:
            case Between(), Between():
                low, high = other.low, other.high
                if low is not None and (one.low is None or low < one.low):
                    low = max((n for n in self._steps if n <= low), default=None)
                if high is not None and (one.high is None or high > one.high):
                    high = min((n for n in self._steps if n >= high), default=None)
                return Between(low, high, other.is_whole)
            case SetWithin(left), SetWithin(right):
                return SetWithin(self._widened(left, right))
            case TupleWithin(left), TupleWithin(right) if len(left) == len(right):
                return TupleWithin(tuple(map(self._widened, left, right)))
            case _:
                return after


def _flags(values: Mapping[str, Range]) -> tuple[object, ...]:
    return tuple((n, v) for n, r in values.items() if (v := _plain(r)) is not None)


def _join_values(one: Mapping[str, Range], other: Mapping[str, Range]) -> dict[str, Range]:
    return {name: join(found, other[name]) for name, found in one.items()}


def _joined_values(found: Iterable[Mapping[str, Range]]) -> Mapping[str, Range]:
    first, *others = found
    for other in others:
        first = _join_values(first, other)
    return first


def _mentioned(turns: RangeTurns, first: Iterable[Value]) -> tuple[int, ...]:
    """The numbers that a system mentions, and those beside them."""
    system = turns.system
    nodes = [part for body in bodies(system) for part in parts(body)]
    nodes += [part for each in system.sets for part in parts(each.value)]
    nodes += [] if system.over is None else list(parts(system.over))
    found = {node.value for node in nodes if isinstance(node, ir.Literal)} | set(first)
    for node in nodes:
        if isinstance(node, ir.Card):
            size = the_value(turns.logic.value(node, Known({})))
            found |= set() if size is None else {size}
    numbers = {value for value in found if type(value) is int}
    return tuple(sorted({n + beside for n in numbers for beside in (-1, 0, 1)}))
