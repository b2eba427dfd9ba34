"""Whose turn it is: the least that has to be known of a state to tell who may change what.

A ``Selector`` is found by rules and by turns that were played: an expression with a few
values, one for each player, and the sets that grow under each of them only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final, TypeAlias

from zermelo.core.machine import Fault, Verb
from zermelo.core.signature import Stuck
from zermelo.core.state import Move, State
from zermelo.core.values import (
    FALSE,
    TRUE,
    Atom,
    NumberType,
    SetType,
    TruthType,
    TruthValue,
    Value,
    WordType,
    in_order,
    sort_key,
)
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.results import (
    Seat,
    is_number,
    listed,
    names_players,
    result_words,
    says_together,
    tokens,
)
from zermelo.languages.sections.printer import changed_places
from zermelo.languages.sections.run.domains import estimated_size
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.walk import (
    Footprints,
    conjuncts,
    effects,
    free_locals,
    parts,
    rules_of,
)

MOST_VALUES: Final = 8
MOST_TURNS: Final = 400
_KNOWN_STATES: Final = 2 * MOST_TURNS
_MOST_EVALUATED: Final = 1000
_MOST_PAIRED: Final = 6
_SIDES: Final = 2
_OFTEN: Final = 0.6
_SOMETIMES: Final = 0.3
_TURN_NAMES: Final = ("turn", "player", "mover")
_NO_TURNS: Final = frozenset({"return", "overturn", "saturn", "remover"})
_SIDE_WORDS: Final = frozenset({"who", "whose", "side"})
_TURN_WORDS: Final = frozenset({"go", "goes", "move", "moves", "moving", "active", "current"})
Turns: TypeAlias = Sequence[tuple[State, Move, State]]
"""Turns seen while playing: the state before, the move, the state after."""
Evaluate: TypeAlias = Callable[[ir.Expr, State], Value | None]
_Values: TypeAlias = tuple[Value, ...]
_COMPARISONS: Final = {ir.Op.EQ, ir.Op.NE, ir.Op.LT, ir.Op.LE, ir.Op.GT, ir.Op.GE}


@dataclass(frozen=True, slots=True)
class Selector:
    """What decides who moves."""

    exprs: tuple[ir.Expr, ...]
    """One expression, or a few whose values count together."""
    values: tuple[_Values, ...]
    """The values that occur, in the order of play: the first to move first."""
    owned: Mapping[_Values, tuple[str, ...]] = field(hash=False)
    """The variables that grow only under a value, by value, in the document's order."""
    apart: Mapping[_Values, tuple[str, ...]] = field(default_factory=dict, hash=False)
    """The variables that change only under a value, be it that they get more or less, by value."""

    def turn(self, values: _Values) -> ir.Expr:
        tests = tuple(_test(expr, value) for expr, value in zip(self.exprs, values, strict=True))
        return tests[0] if len(tests) == 1 else ir.And(tests)

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(e.name for e in self.exprs if isinstance(e, ir.Ref))


def _test(expr: ir.Expr, value: Value) -> ir.Expr:
    match value:
        case TruthValue(holds=True):
            return expr
        case TruthValue():
            return ir.Not(expr)
        case _:
            return ir.Binary(ir.Op.EQ, expr, ir.Literal(value))


def has_goals(system: ir.System) -> bool:
    """Whether the document says what is played for: a lift, a lock and a queue only run."""
    ends = system.result is not None or system.over is not None
    return ends or system.stuck is not Stuck.REPORTED


def selector(system: ir.System, turns: Turns) -> Selector | None:
    """What decides who moves in *system*; ``None`` when nothing does: there is one player."""
    found = _SelectorSearch(system, turns).best()
    if found is None and turns and names_players(result_words(system)):
        # The turns that were seen show nobody else moving; the rules may still tell.
        return _SelectorSearch(system, ()).best()
    return found


@dataclass(frozen=True, slots=True)
class _Rated:
    """A selector and how well it explains what was played."""

    selector: Selector
    rate: float
    """The share of turns after which somebody else is to move."""
    links: int
    """How many of its values own something that the result looks at."""
    is_tested: bool
    has_name: bool

    @property
    def owner_count(self) -> int:
        return len(self.selector.owned)

    @property
    def by_owners(self) -> tuple[float, ...]:
        """Better is greater, for selectors under which different things grow.

        What is called a turn goes before what merely changes with it, as the card on the table.
        """
        called = [
            e for e in self.selector.exprs if isinstance(e, ir.Ref) and is_called_turn(e.name)
        ]
        return (bool(called), self.links, self.owner_count, self.has_name, self.rate)

    @property
    def by_rate(self) -> tuple[float, ...]:
        """Better is greater, for selectors whose players change the same things."""
        return (self.has_name, self.rate, -len(self.selector.values))


class _SelectorSearch:
    def __init__(self, system: ir.System, turns: Turns) -> None:
        self._system = system
        self._turns = turns[:MOST_TURNS]
        functions = changed_functions(system)
        self._grown = [
            grown(before, after, functions=functions) for before, _, after in self._turns
        ]
        self._changed = [_changed(before, after) for before, _, after in self._turns]
        self._evaluate = evaluator(system)
        self._initial = Interpreter(system).initial
        decisive = (
            guard
            for procedure in system.procedures
            for effect in effects(system, procedure)
            if effect.assign.variable == system.result
            for guard in effect.guards
        )
        self._looked_at = Footprints(system).reads(decisive)
        words = result_words(system)
        self._has_players = names_players(words)
        self._names = len(
            {w.stem.casefold() for w in words if w.verb is not Verb.DRAWS and not w.is_fate}
        )
        # A puzzle may have two sides as well, and then its results name no player.
        is_shared = says_together(system.prose)
        self._may_have_several = self._has_players or not words or is_shared
        # Whoever cannot move loses to somebody, or wins against somebody; and one is not together.
        is_decided = not words and system.stuck in {Stuck.LOSES, Stuck.WINS}
        self._has_others = is_decided or is_shared
        self._has_goals = has_goals(system)
        self._sets = {v.name for v in system.variables if isinstance(v.type, SetType)}

    def best(self) -> Selector | None:
        singles = self._all_rated((expr,) for expr in self._candidates())
        owning = [r for r in singles if self._is_owning(r, at_least=2)]
        # Rules alone tell less than play, so without play a name counts first.
        best = max(
            owning, key=lambda r: (not self._turns and r.has_name, *r.by_owners), default=None
        )
        variables = [r.selector.exprs[0] for r in singles if r.selector.variables][:_MOST_PAIRED]
        at_least = best.owner_count + 1 if best else 2
        pairs = self._all_rated(combinations(variables, 2))
        paired = [r for r in pairs if self._is_owning(r, at_least=at_least)]
        if paired:
            return max(paired, key=lambda r: r.by_owners).selector
        if best is not None:
            return best.selector
        often = [
            r
            for r in (*singles, *(p for p in pairs if self._has_a_name_each(p)))
            # Two of three: rules ask for it, it is called so, and there must be several players.
            if r.is_tested + r.has_name + (self._has_players or self._has_others) >= 2
            and (r.is_tested or self._turns)
            and r.rate >= _OFTEN
            and not is_comparison(r.selector.exprs[0])
        ]
        best = max(often, key=lambda r: (self._has_a_name_each(r), *r.by_rate), default=None)
        return None if best is None else best.selector

    def _has_a_name_each(self, rated: _Rated) -> bool:
        """Whether the results name as many as take turns, and more than two."""
        return 2 < len(rated.selector.values) == self._names

    def _all_rated(self, candidates: Iterable[tuple[ir.Expr, ...]]) -> list[_Rated]:
        rated = map(self._rated, candidates)
        return [each for each in rated if each is not None]

    def _is_owning(self, rated: _Rated, *, at_least: int) -> bool:
        is_possible = rated.has_name or self._has_players or self._may_have_sides(rated)
        return is_possible and rated.owner_count >= at_least and rated.rate >= _SOMETIMES

    def _may_have_sides(self, rated: _Rated) -> bool:
        """Whether several may take turns by *rated* though no result names a player.

        Then each value must have something that changes under it only: a boat decides which bank
        gets somebody, but every crossing changes both banks, whoever rows. And what grows must be
        such a thing: what is taken up in one step and laid down in the next is nobody's.
        A condition on the pieces is what they take turns by only if it compares theirs.
        """
        found = rated.selector
        has_sides = self._has_goals or self._are_pieces(rated)
        is_apart = len(found.apart) >= len(found.values)
        own = [
            value
            for value, names in found.owned.items()
            if set(names) & set(found.apart.get(value, ()))
        ]
        if not (self._may_have_several and has_sides and is_apart and len(own) >= _SIDES):
            return False
        if not any(is_comparison(expr) for expr in found.exprs):
            return True
        compared = {n.name for e in found.exprs for n in parts(e) if isinstance(n, ir.Ref)}
        return sum(not compared.isdisjoint(names) for names in found.owned.values()) >= _SIDES

    def _are_pieces(self, rated: _Rated) -> bool:
        """Whether each of those who would take turns has a set of their own that grows.

        Where nothing is played for, a variable that goes round is the phase of a lift or of a
        protocol, and the counters that go up in some phases are nobody's.
        """
        owned = [rated.selector.owned.get(value, ()) for value in rated.selector.values]
        return rated.rate >= _OFTEN and all(not self._sets.isdisjoint(names) for names in owned)

    def _candidates(self) -> Iterator[ir.Expr]:
        """Variables with few values, then remainders and conditions that guards of moves test."""
        avoid = {self._system.result}
        if self._system.over is not None:
            avoid |= {n.name for n in parts(self._system.over) if isinstance(n, ir.Ref)}
            avoid |= set(_ending(self._system, self._system.over))
        for variable in self._system.variables:
            name = variable.name
            if name not in avoid and self._is_small(variable) and not self._is_carrier(variable):
                yield ir.Ref(name)
        guards = list(self._guards())
        nodes = (node for guard in guards for node in parts(guard))
        tests = (part for guard in guards for part in conjuncts(guard))
        found: list[ir.Expr] = [n for n in nodes if isinstance(n, ir.Binary) and _is_remainder(n)]
        found += [t for t in tests if is_comparison(t) and not free_locals(t)]
        yield from dict.fromkeys(found)

    def _guards(self) -> Iterator[ir.Expr]:
        for procedure in self._system.procedures:
            if procedure.role is not ir.ProcedureRole.END:
                for rule in rules_of(procedure.body):
                    yield rule.guard

    def _asked(self) -> Iterator[ir.Expr]:
        """What decides which rules apply, and what the result becomes."""
        for procedure in self._system.procedures:
            for rule in rules_of(procedure.body):
                yield rule.guard
            for effect in effects(self._system, procedure):
                if effect.assign.variable == self._system.result:
                    yield effect.assign.value

    def _is_small(self, variable: ir.Variable) -> bool:
        if variable.role is ir.VariableRole.FLAG:
            return False
        match variable.type:
            case TruthType():
                return True
            case WordType() | NumberType():
                return 2 <= len(self._domain(variable)) <= MOST_VALUES
            case _:
                return False

    def _is_carrier(self, variable: ir.Variable) -> bool:
        """Whether rules move the values of other variables through this one.

        The spare cell of a puzzle and the third variable of an exchange hold what others held,
        so their values are nobody's; only a name can say that turns are handed on like this.
        """
        if _sounds_like_turns(variable.name, self._domain(variable)):
            return False
        copies = [
            (effect.assign.variable, effect.assign.value.name)
            for procedure in self._system.procedures
            for effect in effects(self._system, procedure)
            if isinstance(effect.assign.value, ir.Ref)
        ]
        gets = any(to == variable.name != source for to, source in copies)
        gives = any(source == variable.name != to != self._system.result for to, source in copies)
        return gets and gives

    def _domain(self, variable: ir.Variable) -> tuple[Value, ...]:
        """The values *variable* may have, if they are few."""
        domain = variable.domain
        if domain is None:
            return ()
        values = tuple(listed(self._system, domain))
        sets = {definition.name: definition.value for definition in self._system.sets}
        size = None if values else estimated_size(domain, sets.get)
        if size is None or size.exceeds(_MOST_EVALUATED):
            return values
        found = self._evaluate(domain, self._initial)
        return tuple(in_order(found)) if isinstance(found, frozenset) else ()

    def _rated(self, exprs: tuple[ir.Expr, ...]) -> _Rated | None:
        if not self._turns:
            return self._rated_by_rules(exprs)
        before = [self._values(exprs, state) for state, _, _ in self._turns]
        after = [self._values(exprs, state) for _, _, state in self._turns]
        known = [
            (old, new, more, touched)
            for old, new, more, touched in zip(
                before, after, self._grown, self._changed, strict=True
            )
            if old is not None and new is not None
        ]
        steps = [(old, new) for old, new, _, _ in known]
        values = {value for step in steps for value in step}
        if not 2 <= len(values) <= MOST_VALUES or not _comes_round(steps):
            return None
        changed = sum(old != new for old, new in steps)
        own = _own(exprs)
        owned = owners(self._system, ((old, more - own) for old, _, more, _ in known))
        apart = owners(self._system, ((old, touched - own) for old, _, _, touched in known))
        order = self._in_order_of_play(exprs, steps)
        return self._judged(Selector(exprs, order, owned, apart), changed / len(steps))

    def _rated_by_rules(self, exprs: tuple[ir.Expr, ...]) -> _Rated | None:
        """Without turns, by what the guards allow to grow under each value."""
        if len(exprs) != 1:
            return None
        (expr,) = exprs
        if isinstance(expr, ir.Ref) and self._is_counter(expr.name):
            return None
        values = self._possible(expr)
        if not 2 <= len(values) <= MOST_VALUES:
            return None
        allowed = [
            ((value,), effect.assign)
            for move in self._system.moves
            for effect in effects(self._system, move)
            if effect.assign.variable not in _own(exprs)
            for value in values
            if all(allows(guard, expr, value) for guard in effect.guards)
        ]
        first = self._evaluate(expr, self._initial)
        order = sorted(values, key=lambda value: (value != first, sort_key(value)))
        more = ((at, frozenset({done.variable})) for at, done in allowed if _adds(done.value))
        owned = owners(self._system, more)
        apart = owners(self._system, ((at, frozenset({done.variable})) for at, done in allowed))
        return self._judged(Selector(exprs, tuple((v,) for v in order), owned, apart), 1.0)

    def _is_counter(self, name: str) -> bool:
        """Whether a variable holds numbers, and no guard of a move asks for one of them."""
        variable = self._system.variable(name)
        if variable is None or not isinstance(variable.type, NumberType):
            return False
        ref = ir.Ref(name)
        tests = (part for guard in self._guards() for part in conjuncts(guard))
        return not any(
            isinstance(t, ir.Binary) and t.op is ir.Op.EQ and t.left == ref for t in tests
        )

    def _possible(self, expr: ir.Expr) -> tuple[Value, ...]:
        match expr:
            case ir.Ref(name=name):
                variable = self._system.variable(name)
                if variable is None or isinstance(variable.type, TruthType):
                    return (TRUE, FALSE)
                return self._domain(variable)
            case ir.Binary(op=ir.Op.MOD, right=ir.Literal(value=int(count))):
                return tuple(range(count))
            case _:
                return (TRUE, FALSE)

    def _judged(self, found: Selector, rate: float) -> _Rated:
        links = sum(1 for names in found.owned.values() if self._looked_at & set(names))
        asked = [part for expr in self._asked() for part in parts(expr)]
        is_tested = all(expr in asked for expr in found.exprs)
        has_name = any(
            _sounds_like_turns(expr.name, values) and (self._has_goals or is_called_turn(expr.name))
            for expr, values in zip(found.exprs, zip(*found.values, strict=True), strict=True)
            if isinstance(expr, ir.Ref)
        )
        return _Rated(found, rate, links, is_tested, has_name)

    def _values(self, exprs: tuple[ir.Expr, ...], state: State) -> _Values | None:
        values = (self._evaluate(expr, state) for expr in exprs)
        known = tuple(value for value in values if value is not None)
        return known if len(known) == len(exprs) else None

    def _in_order_of_play(
        self, exprs: tuple[ir.Expr, ...], steps: list[tuple[_Values, _Values]]
    ) -> tuple[_Values, ...]:
        """The values under which somebody moved: the first state's, then who follows whom."""
        follows: dict[_Values, Counter[_Values]] = {}
        for old, new in steps:
            counts = follows.setdefault(old, Counter())
            if new != old:
                counts[new] += 1
        waiting = sorted(follows, key=sort_key)
        order: list[_Values] = []
        value = self._values(exprs, self._initial)
        while value in follows and value not in order:
            order.append(value)
            counts = follows[value]
            value = max(sorted(counts, key=sort_key), key=lambda v: counts[v], default=None)
        return (*order, *(v for v in waiting if v not in order))


def _comes_round(steps: list[tuple[_Values, _Values]]) -> bool:
    """Whether somebody's turn comes again, or there are only two values; counters only go on."""
    changes = {(old, new) for old, new in steps if old != new}
    left = {old for old, _ in changes}
    entered = {new for _, new in changes}
    return len(left | entered) <= 2 or left <= entered


def _sounds_like_turns(name: str, values: Iterable[Value]) -> bool:
    """Whether a variable is called as those that say whose turn it is; `moves` may be a counter.

    >>> _sounds_like_turns("redTurn", ()), _sounds_like_turns("moves", (1, 2))
    (True, False)
    """
    said, values = tokens(name), tuple(values)
    if is_called_turn(name) or not said.isdisjoint(_SIDE_WORDS):
        return True
    if "next" in said:
        # A truth value called so is often a flag.
        return bool(values) and all(isinstance(value, Atom) for value in values)
    return not said.isdisjoint(_TURN_WORDS) and not any(map(is_number, values))


def is_called_turn(name: str) -> bool:
    """Whether a variable is called a turn or a player, which says it without anything else.

    >>> is_called_turn("kimsTurn"), is_called_turn("redturn"), is_called_turn("returned")
    (True, True, False)
    """
    said = tokens(name) - _NO_TURNS
    return any(word.removesuffix("s").endswith(hint) for word in said for hint in _TURN_NAMES)


def _own(exprs: tuple[ir.Expr, ...]) -> frozenset[str]:
    return frozenset(expr.name for expr in exprs if isinstance(expr, ir.Ref))


def _ending(system: ir.System, over: ir.Expr) -> Iterator[str]:
    """The truth values that end the play by themselves: nobody moves under one of their values."""
    match over:
        case ir.Or(operands=operands):
            for operand in operands:
                yield from _ending(system, operand)
        case ir.Not(operand=ir.Ref(name=name)):
            yield name
        case ir.Ref(name=name):
            yield name
            variable = system.variable(name)
            if variable is not None and variable.definition is not None:
                yield from _ending(system, variable.definition)
        case _:
            pass


def _adds(value: ir.Expr) -> bool:
    sums = {ir.Op.UNION, ir.Op.PLUS}
    return any(isinstance(node, ir.Binary) and node.op in sums for node in parts(value))


def _is_remainder(node: ir.Binary) -> bool:
    match node:
        case ir.Binary(op=ir.Op.MOD, right=ir.Literal(value=int(count))):
            return 2 <= count <= MOST_VALUES and not free_locals(node)
        case _:
            return False


def is_comparison(expr: ir.Node) -> bool:
    return isinstance(expr, ir.Binary) and expr.op in _COMPARISONS


# What grows in a turn, and what guards allow to grow


def evaluator(system: ir.System) -> Evaluate:
    """Evaluates expressions without locals; ``None`` where there is no value."""
    machine = Interpreter(system)
    # Every fact is asked for in the same states, and facts may stand for each other.
    known: dict[int, tuple[State, Callable[[ir.Expr], Value | Fault]]] = {}

    def evaluate(expr: ir.Expr, state: State) -> Value | None:
        if isinstance(expr, ir.Ref) and expr.name in state.names:
            return state[expr.name]
        if id(state) not in known:
            if len(known) >= _KNOWN_STATES:
                known.clear()
            # The state is kept, so that no other can get its identity.
            known[id(state)] = (state, machine.in_state(state))
        value = known[id(state)][1](expr)
        return None if isinstance(value, Fault) else value

    return evaluate


def mover_of(seats: Sequence[Seat], evaluate: Evaluate, state: State) -> int | None:
    """The seat whose turn it is in *state*, if it is that of exactly one."""
    holding = [i for i, seat in enumerate(seats) if evaluate(seat.turn, state) is TRUE]
    return holding[0] if len(holding) == 1 else None


def changed_functions(system: ir.System) -> frozenset[str]:
    """The variables that rules change as functions, at a place: `heap(i) = heap(i) − 1`."""
    assigned = (e.assign for procedure in system.procedures for e in effects(system, procedure))
    return frozenset(
        assign.variable for assign in assigned if changed_places(assign.variable, assign.value)
    )


def grown(before: State, after: State, *, functions: Collection[str]) -> frozenset[str]:
    """The variables that got more: sets with new members, greater numbers, other places.

    A tuple is a place where a piece stands: whoever lets it stand elsewhere has moved it.
    A function to numbers got more where one of its numbers is greater: a heap that gets smaller
    has another pair, and no more in it.
    """
    names = []
    for (name, old), (_, new) in zip(before.items(), after.items(), strict=True):
        if isinstance(old, frozenset) and isinstance(new, frozenset):
            falls = name in functions and _only_falls(old - new, new - old)
            if new - old and not falls:
                names.append(name)
        elif isinstance(old, tuple) and isinstance(new, tuple):
            if new != old:
                names.append(name)
        elif is_number(old) and is_number(new) and sort_key(new) > sort_key(old):
            names.append(name)
    return frozenset(names)


def _only_falls(lost: frozenset[Value], got: frozenset[Value]) -> bool:
    """Whether the pairs *got* have smaller numbers in the places of the pairs *lost*."""
    before, after = _numbers_by_place(lost), _numbers_by_place(got)
    return before.keys() == after.keys() != set() and all(
        after[place] < number for place, number in before.items()
    )


def _numbers_by_place(pairs: frozenset[Value]) -> dict[Value, int]:
    """What a function gives its places; nothing where *pairs* are none of a function to numbers."""
    found: dict[Value, int] = {}
    for pair in pairs:
        match pair:
            case (place, int(number)) if place not in found:
                found[place] = number
            case _:
                return {}
    return found


def _changed(before: State, after: State) -> frozenset[str]:
    steps = zip(before.items(), after.items(), strict=True)
    return frozenset(name for (name, old), (_, new) in steps if old != new)


def owners(
    system: ir.System, grown_under: Iterable[tuple[_Values, frozenset[str]]]
) -> Mapping[_Values, tuple[str, ...]]:
    """The variables that grow under one value only, by value."""
    under: dict[str, set[_Values]] = {}
    for values, names in grown_under:
        for name in names:
            under.setdefault(name, set()).add(values)
    owned: dict[_Values, list[str]] = {}
    for variable in system.variables:
        values_of = under.get(variable.name, set())
        if len(values_of) == 1 and variable.name != system.result:
            (values,) = values_of
            owned.setdefault(values, []).append(variable.name)
    return {values: tuple(names) for values, names in owned.items()}


def passed_on(turns: Turns, owned: Sequence[tuple[str, ...]]) -> frozenset[str]:
    """The sets that get nothing but what the sets of others lose in the same turn.

    *owned* are the sets of each. What goes from a bag to a shelf and back is nobody's.
    """
    got: set[str] = set()
    kept: set[str] = set()
    for before, _, after in turns[:MOST_TURNS]:
        for mine in owned:
            others = (name for names in owned if names != mine for name in names)
            lost = {item for name in others for item in _without(before[name], after[name])}
            for name in mine:
                new = _without(after[name], before[name])
                if new:
                    (got if new <= lost else kept).add(name)
    return frozenset(got - kept)


def _without(value: Value, other: Value) -> frozenset[Value]:
    if isinstance(value, frozenset) and isinstance(other, frozenset):
        return value - other
    return frozenset()


def set_valued(system: ir.System, names: Iterable[str]) -> tuple[str, ...]:
    found = map(system.variable, names)
    return tuple(v.name for v in found if v is not None and isinstance(v.type, SetType))


def allows(guard: ir.Expr, expr: ir.Expr, value: Value) -> bool:
    """Whether *guard* can hold when *expr* has *value*, as far as one look tells."""
    return all(_holds(part, expr, value) is not False for part in conjuncts(guard))


def _holds(part: ir.Expr, expr: ir.Expr, value: Value) -> bool | None:
    match part:
        case ir.Not(operand=operand):
            inner = _holds(operand, expr, value)
            return None if inner is None else not inner
        case ir.Binary(op=ir.Op.EQ | ir.Op.IFF, left=left, right=ir.Literal(value=wanted)):
            return value == wanted if left == expr else None
        case ir.Binary(op=ir.Op.NE, left=left, right=ir.Literal(value=wanted)):
            return value != wanted if left == expr else None
        case _:
            return value.holds if part == expr and isinstance(value, TruthValue) else None
