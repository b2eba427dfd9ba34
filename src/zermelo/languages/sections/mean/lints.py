"""What looks wrong in a document that can be used; always warnings or notes.

Lints of names and of formulas look at what was written; lints of rules look at
what it means, so that ``result`` or a flag is known when they speak.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, islice
from typing import Final, TypeAlias

from zermelo.core.values import SetType, TruthValue
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.readings import NO_EFFECT
from zermelo.languages.sections.mean.results import result_words
from zermelo.languages.sections.read.grammar import traversal, tree
from zermelo.languages.sections.walk import (
    Effect,
    conjuncts,
    effects,
    groups_of,
    parts,
    substituted,
)
from zermelo.text import codes
from zermelo.text.budget import spend
from zermelo.text.diagnostic import Diagnostic, Label, label_at
from zermelo.text.headings import SectionKind
from zermelo.text.lines import Setting
from zermelo.text.prose import listing
from zermelo.text.source import NOWHERE, Span


def rule_lints(system: ir.System) -> Iterator[Diagnostic]:
    for procedure in system.procedures:
        yield from _guards(procedure.body)
        yield from _same_guards(procedure.body)
        yield from _assigned_twice(procedure.body)
    if not system.left_out:
        yield from _results_never_set(system)
    yield from _results_set_twice(system)
    yield from _end_moves_on(system)
    yield from _merging_sets(system)
    yield from _sets_or_players(system)


# Guards


def _guards(body: tuple[ir.Statement, ...]) -> Iterator[Diagnostic]:
    for statement in body:
        if isinstance(statement, ir.Rule):
            tests = conjuncts(statement.guard)
            clash = next((p for p in _related(tests) if _excludes(*p)), None)
            never = next((t for t in tests if _is_never(t)), None)
            because = clash or (() if never is None else (never,))
            if because:
                yield _never_fires(statement, because)
            yield from _guards(statement.conclusion)


def _related(tests: tuple[ir.Expr, ...]) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    """The pairs of *tests*, in order, of which one may exclude the other by what it is about.

    Of tests that are the same two will do.
    """
    times: dict[ir.Expr, int] = {}
    tests = tuple(test for test in tests if _is_among_first(test, times))
    about: dict[object, list[int]] = {}
    everything: dict[int, None] = {}
    for at, test in enumerate(tests):
        plain = test.operand if isinstance(test, ir.Not) else test
        if isinstance(test, ir.Or | ir.Quantified):
            everything[at] = None
        elif isinstance(plain, ir.Binary):
            about.setdefault(plain.left, []).append(at)
            about.setdefault(frozenset((plain.left, plain.right)), []).append(at)
        about.setdefault(plain, []).append(at)
    for at, first in enumerate(tests):
        plain = first.operand if isinstance(first, ir.Not) else first
        if at in everything:
            others = list(range(at + 1, len(tests)))
        else:
            keys: list[object] = [plain]
            if isinstance(plain, ir.Binary):
                keys += [plain.left, frozenset((plain.left, plain.right))]
            found = {other for key in keys for other in about[key] if other > at}
            others = sorted(found.union(other for other in everything if other > at))
        spend(_STEPS_OF_A_PAIR * len(others), "comparing conditions", first.span)
        yield from ((first, tests[other]) for other in others)


_STEPS_OF_A_PAIR: Final = 16


def _is_among_first(test: ir.Expr, times: dict[ir.Expr, int]) -> bool:
    times[test] = times.get(test, 0) + 1
    return times[test] <= 2


def _never_fires(rule: ir.Rule, because: tuple[ir.Expr, ...]) -> Diagnostic:
    why = "these two cannot both hold" if len(because) == 2 else "this cannot hold"
    first, *others = [expr.span.or_else(rule.span) for expr in because]
    return Diagnostic(
        codes.NEVER_FIRES,
        f"rule {rule.label} can never apply: {why}",
        primary=Label(first, why),
        secondary=tuple(Label(span, "the other") for span in others if span != first),
        help="one of them was probably meant to be something else",
    )


def _is_never(test: ir.Expr) -> bool:
    match test:
        case (
            ir.Literal(value=TruthValue(holds=False))
            | ir.Binary(op=ir.Op.IN, right=ir.SetOf(items=()))
        ):
            return True
        case ir.Binary(op=ir.Op.NE | ir.Op.LT | ir.Op.GT, left=left, right=right):
            return left == right
        case _:
            return False


def _assigned_twice(body: tuple[ir.Statement, ...]) -> Iterator[Diagnostic]:
    """Assignments of one variable that see the same state, so that only the last counts."""
    for statement in body:
        if not isinstance(statement, ir.Rule):
            continue
        first: dict[str, ir.Assign] = {}
        groups = () if statement.lines is not ir.Lines.TOGETHER else groups_of(statement)
        for each in (step for group in groups for step in group):
            if not isinstance(each, ir.Assign):
                continue
            earlier = first.setdefault(each.variable, each)
            if earlier is not each:
                yield Diagnostic(
                    codes.ASSIGNED_TWICE,
                    f"`{each.variable}` is given two values in one conclusion",
                    primary=Label(each.span, "this one counts"),
                    secondary=(Label(earlier.span, "the first"),),
                    notes=("both see the state before the conclusion, so the first is lost",),
                    help="one of them may belong to another rule; "
                    "otherwise write one assignment for both",
                )
        yield from _assigned_twice(statement.conclusion)


def _same_guards(body: tuple[ir.Statement, ...]) -> Iterator[Diagnostic]:
    """Rules side by side with one guard that give one variable different values."""
    rules = [statement for statement in body if isinstance(statement, ir.Rule)]
    given = [
        {s.variable: s.value for s in rule.conclusion if isinstance(s, ir.Assign)} for rule in rules
    ]
    alike: dict[ir.Expr, list[int]] = {}
    for at, rule in enumerate(rules):
        alike.setdefault(rule.guard, []).append(at)
    for at, first in enumerate(rules):
        group = alike[first.guard]
        if group[:1] == [at] and all(given[other] == given[at] for other in group):
            group.clear()
        later = [other for other in group if other > at]
        spend(_STEPS_OF_A_PAIR * len(later), "comparing rules", first.span)
        for other, name in ((other, name) for other in later for name in given[at]):
            second = rules[other]
            if name in given[other] and given[at][name] != given[other][name]:
                yield Diagnostic(
                    codes.SAME_GUARD,
                    f"rules {first.label} and {second.label} have the same guard "
                    f"and give `{name}` different values",
                    primary=Label(second.span, f"gives `{name}` another value"),
                    secondary=(Label(first.span, "the same guard"),),
                    help="one of the guards was probably meant to be something else",
                )
    for rule in rules:
        yield from _same_guards(rule.conclusion)


# Results


def _results_never_set(system: ir.System) -> Iterator[Diagnostic]:
    variable = system.variable(system.result)
    if variable is None:
        return
    roots = [*system.moves, *((system.end,) if system.end else ())]
    assigns = [e.assign for procedure in roots for e in effects(system, procedure)]
    values = [assign.value for assign in assigns if assign.variable == variable.name]
    if not values or not all(_is_plain(value, variable.name) for value in values):
        return
    missing = [f"`{w.text}`" for w in result_words(system) if not w.guards and w.span == NOWHERE]
    if missing:
        yield Diagnostic(
            codes.RESULT_NEVER_SET,
            f"no rule sets `{variable.name}` to {' or '.join(missing)}",
            primary=label_at(variable.span, "lists it as a result"),
            help="write the rule that sets it, or remove it from the set",
        )


def _is_plain(value: ir.Expr, result: str) -> bool:
    """Whether *value* consists of words, sets of words and the result itself."""
    return all(
        isinstance(node, ir.Literal | ir.SetOf)
        or (isinstance(node, ir.Binary) and node.op is ir.Op.UNION)
        or node == ir.Ref(result)
        for node in parts(value)
    )


def _results_set_twice(system: ir.System) -> Iterator[Diagnostic]:
    end = system.end
    if end is None or system.result is None:
        return
    told = {
        statement.names[0]: statement.value
        for statement in end.body
        if isinstance(statement, ir.Let) and not statement.is_tuple
    }
    settings = [
        replace(effect, guards=tuple(substituted(g, told, {}) or g for g in effect.guards))
        for effect in effects(system, end)
        if effect.assign.variable == system.result and not _looks_back(effect)
    ]
    clashing: dict[Effect, None] = {}
    for first, second in combinations(settings, 2):
        spend(_STEPS_OF_A_PAIR, "comparing results", first.span)
        if first.assign.value != second.assign.value and not exclude(first.guards, second.guards):
            clashing |= {first: None, second: None}
    spans = sorted({effect.span for effect in clashing} - {NOWHERE})
    if clashing and any(span != NOWHERE for span in spans):
        labels = sorted({e.rule.label for e in clashing if e.rule is not None}, key=_by_number)
        yield Diagnostic(
            codes.RESULT_SET_TWICE,
            f"rules {listing(labels)} of `{end.name}` may apply in one call "
            f"and set `{system.result}` to different values; the last one decides",
            primary=Label(spans[-1], "decides if the others apply too") if spans else None,
            secondary=tuple(Label(span, "may apply as well") for span in spans[:-1]),
            help="make the guards exclude each other if the order should not matter",
        )


def _looks_back(effect: Effect) -> bool:
    """Whether a rule adds to the result it finds, or asks for it first."""
    result = ir.Ref(effect.assign.variable)
    exprs = (effect.assign.value, *effect.guards)
    return any(node == result for expr in exprs for node in parts(expr))


# The end


def _goes_on(effect: Effect, changed: set[str]) -> bool:
    """Whether calling the end once more, with nothing else done, may change something again."""
    exprs = (effect.assign.value, *effect.guards)
    return any(isinstance(n, ir.Ref) and n.name in changed for e in exprs for n in parts(e))


def _end_moves_on(system: ir.System) -> Iterator[Diagnostic]:
    """The end changes the state, though it cannot know whether the input did anything."""
    end = system.end
    if end is None:
        return
    stored = {v.name for v in system.stored} - {system.result}
    if system.over is not None:
        stored -= {n.name for n in parts(system.over) if isinstance(n, ir.Ref)}
    changed = {e.assign.variable for e in effects(system, end)} & stored
    # What the end does by what it leaves alone, it has done after the last input already.
    found = [
        e for e in effects(system, end) if e.assign.variable in stored and _goes_on(e, changed)
    ]
    names = list(dict.fromkeys(e.assign.variable for e in found))
    if not found or any(r.name == NO_EFFECT and r.is_chosen for r in system.readings):
        return
    is_refused = system.no_effect is ir.NoEffect.REFUSED
    now, other = ("refused", "costs the turn") if is_refused else ("costs the turn", "refused")
    is_called = "is not called" if is_refused else "is called"
    shown = listing([f"`{name}`" for name in names])
    first, *others = dict.fromkeys(e.span for e in found)
    yield Diagnostic(
        codes.END_MOVES_ON,
        f"`{end.name}` changes {shown}, whether or not the input did anything",
        primary=label_at(first, "also after an input without effect"),
        secondary=tuple(Label(span, "and here") for span in others if span != NOWHERE),
        notes=(
            f"read as `input without effect: {now}`: `{end.name}` {is_called} after such an input",
        ),
        help=f"to change it, write `input without effect: {other}` in the Reading section, "
        f"or change {shown} in the rules of the move",
    )


# Sets


def _merging_sets(system: ir.System) -> Iterator[Diagnostic]:
    for variable in system.variables:
        if variable.definition is None:
            continue
        named = map(system.variable, _listed_sets(variable.definition))
        sets = [v for v in named if v is not None and isinstance(v.type, SetType)]
        members = [v.name for v in sets]
        first = list({v.name: v.initial for v in sets}.values())
        alike = [v.name for v in sets if v.initial is not None and first.count(v.initial) > 1]
        if len(alike) > 1:
            yield Diagnostic(
                codes.EQUAL_SETS_MERGE,
                f"`{variable.name}` is a set of sets, so those of {listing(members)} "
                "that are equal count as one",
                primary=label_at(
                    variable.definition.span.or_else(variable.span), "equal sets merge"
                ),
                notes=(f"{listing(alike)} start as the same set",),
                help="nothing is lost if only members are asked for; "
                f"|{variable.name}| and sums over `{variable.name}` are smaller than they look",
            )


def _listed_sets(expr: ir.Expr) -> list[str]:
    """The variables that *expr*, a list of sets or a union of such lists, names."""
    match expr:
        case ir.SetOf(items=items):
            return [item.name for item in items if isinstance(item, ir.Ref)]
        case ir.Binary(op=ir.Op.UNION, left=left, right=right):
            return _listed_sets(left) + _listed_sets(right)
        case _:
            return []


def _sets_or_players(system: ir.System) -> Iterator[Diagnostic]:
    words = [w for w in result_words(system) if " " in w.text.strip()]
    found = [
        (definition, word)
        for definition in system.sets
        for word in words
        if word.text.split()[0] == definition.name
    ]
    if not found:
        return
    names = [f"`{name}`" for name in dict.fromkeys(d.name for d, _ in found)]
    shown = [f"`{text}`" for text in dict.fromkeys(w.text for _, w in found)]
    is_one = len(names) == 1
    yield Diagnostic(
        codes.SET_OR_PLAYER,
        f"{listing(names)} {'is a set, and begins' if is_one else 'are sets, and begin'} "
        f"the result{'' if len(shown) == 1 else 's'} {listing(shown)}",
        primary=label_at(found[0][1].span, "read as one value"),
        secondary=tuple(
            Label(span, "a set")
            for span in dict.fromkeys(definition.span for definition, _ in found)
            if span != NOWHERE
        ),
        help="another name for the set, or for the player, keeps them apart",
    )


def _by_number(label: str) -> tuple[tuple[int, str], ...]:
    return tuple((int(p) if p.isdigit() else 0, p) for p in label.split("."))


# Formulas that cannot both hold


_APART: Final = frozenset(
    frozenset(pair)
    for pair in (
        (ir.Op.EQ, ir.Op.NE),
        (ir.Op.EQ, ir.Op.LT),
        (ir.Op.EQ, ir.Op.GT),
        (ir.Op.LT, ir.Op.GT),
        (ir.Op.LT, ir.Op.GE),
        (ir.Op.GT, ir.Op.LE),
        (ir.Op.IN, ir.Op.NOT_IN),
        (ir.Op.SUBSET, ir.Op.NOT_SUBSET),
    )
)
"""Relations that cannot both hold between the same two things."""
_TURNED: Final = {
    ir.Op.EQ: ir.Op.EQ,
    ir.Op.NE: ir.Op.NE,
    ir.Op.LT: ir.Op.GT,
    ir.Op.GT: ir.Op.LT,
    ir.Op.LE: ir.Op.GE,
    ir.Op.GE: ir.Op.LE,
}


def exclude(left: Iterable[ir.Expr], right: Iterable[ir.Expr]) -> bool:
    """Whether one of the formulas *left* cannot hold together with one of *right*."""
    ours = [test for expr in left for test in _tests(expr)]
    others = [test for expr in right for test in _tests(expr)]
    spend(_STEPS_OF_A_PAIR * len(ours) * len(others), "comparing conditions")
    if any(_excludes(a, b) for a in ours for b in others):
        return True
    return any(_denies(a, others) for a in ours) or any(_denies(b, ours) for b in others)


def _denies(test: ir.Expr, others: Sequence[ir.Expr]) -> bool:
    """Whether *test* is ``¬(a ∧ b)``, and both a and b are among *others*."""
    match test:
        case ir.Not(operand=ir.And() as inner):
            return all(part in others for part in _tests(inner))
        case _:
            return False


def _excludes(left: ir.Expr, right: ir.Expr) -> bool:
    if left == ir.Not(right) or right == ir.Not(left):
        return True
    match left, right:
        case ir.Or(operands=cases), other if cases:
            return all(exclude((case,), (other,)) for case in cases)
        case _, ir.Or():
            return _excludes(right, left)
        case ir.Binary(), ir.Binary():
            return _are_apart(left, right)
        case ir.Quantified(), ir.Quantified():
            return _no_example(left, right) or _no_example(right, left)
        case (ir.Not(operand=ir.Binary() as inner), other) | (
            other,
            ir.Not(operand=ir.Binary() as inner),
        ):
            return _is_turned(inner, other)
        case _:
            return False


def _tests(expr: ir.Expr) -> tuple[ir.Expr, ...]:
    """What holds when *expr* holds: its conjuncts; of ``¬(a ∨ b)`` the ``¬a`` and the ``¬b``.

    Of ``a = true`` it is ``a``, and of ``a = false`` the ``¬a``.
    """
    found: list[ir.Expr] = []
    for part in conjuncts(expr):
        match part:
            case ir.Not(operand=ir.Or(operands=cases)):
                found += [test for case in cases for test in _tests(ir.Not(case))]
            case ir.Not(operand=ir.Not(operand=inner)):
                found += _tests(inner)
            case ir.Binary(op=ir.Op.IFF, left=inner, right=ir.Literal(value=TruthValue() as side)):
                found += _tests(inner if side.holds else ir.Not(inner))
            case _:
                found.append(part)
    return tuple(found)


def _is_turned(left: ir.Binary, right: ir.Expr) -> bool:
    """Whether ``a = b`` and ``b = a``, or the like, say the same."""
    return (
        isinstance(right, ir.Binary)
        and (left.left, left.right) == (right.right, right.left)
        and _TURNED.get(left.op) is right.op
    )


def _are_apart(left: ir.Binary, right: ir.Binary) -> bool:
    if (left.left, left.right) == (right.right, right.left) and right.op in _TURNED:
        return frozenset({left.op, _TURNED[right.op]}) in _APART
    if left.left != right.left:
        return False
    if left.right == right.right:
        return frozenset({left.op, right.op}) in _APART
    match left.right, right.right:
        case ir.Literal(value=int() | Fraction() as a), ir.Literal(value=int() | Fraction() as b):
            return _is_beyond(left.op, a, right.op, b) or _is_beyond(right.op, b, left.op, a)
        case ir.Literal(), ir.Literal():
            return left.op is right.op is ir.Op.EQ
        case _:
            return False


_AT_MOST: Final = frozenset({ir.Op.EQ, ir.Op.LE, ir.Op.LT})
_AT_LEAST: Final = frozenset({ir.Op.EQ, ir.Op.GE, ir.Op.GT})


def _is_beyond(low_op: ir.Op, low: int | Fraction, high_op: ir.Op, high: int | Fraction) -> bool:
    """Whether what is at most *low*, by its operator, cannot be at least *high*."""
    is_below = low_op in _AT_MOST and high_op in _AT_LEAST
    is_apart = low < high or (low == high and (low_op is ir.Op.LT or high_op is ir.Op.GT))
    return is_below and is_apart


def _no_example(some: ir.Quantified, every: ir.Quantified) -> bool:
    """Whether *some* asks for a member that *every* says there is not."""
    kinds = (some.kind, every.kind)
    if kinds != (ir.QuantifierKind.SOME, ir.QuantifierKind.ALL) or some.binder != every.binder:
        return False
    match every.body:
        case ir.Binary(op=ir.Op.IMPLIES, left=condition, right=then):
            has = _tests(some.body)
            return all(test in has for test in _tests(condition)) and exclude((then,), has)
        case body:
            return exclude((some.body,), (body,))


_DOUBLING: Final = frozenset(
    {
        tree.BinaryOp.UNION,
        tree.BinaryOp.INTERSECTION,
        tree.BinaryOp.EITHER,
        tree.BinaryOp.DIFFERENCE,
        tree.BinaryOp.MINUS,
        tree.BinaryOp.DIVIDE,
        tree.BinaryOp.MOD,
    }
)

Items: TypeAlias = Sequence[tree.SectionItem]
_SET_HEAD: Final = re.compile(r"[\W_]*+(?P<name>\w++)\W*?[:=]")


def lints(document: tree.SectionsDocument, system: ir.System) -> tuple[Diagnostic, ...]:
    """Everything that looks wrong, in the order of its places."""
    items = [item for section in document.sections for item in section.items]
    found = [
        *_unused_sets(document, items),
        *_unused_variables(items, system),
        *_same_operands(items),
        *_idle_assignments(items),
        *rule_lints(system),
    ]
    return tuple(sorted(found, key=_place))


def _place(said: Diagnostic) -> tuple[Span, str]:
    return NOWHERE if said.primary is None else said.primary.span, said.code.id


# Names


class _Mentions:
    """Where names are used in some items, or may be, where these were not understood."""

    def __init__(self, items: Items) -> None:
        self._users: dict[str, list[int]] = {}
        texts: list[str] = []
        self._starts: list[int] = []
        self._owners: list[int] = []
        length = 0
        for item in items:
            text = _unread_text(item)
            if text is None:
                for name in _names(item):
                    users = self._users.setdefault(name, [])
                    if not users or users[-1] != id(item):
                        users.append(id(item))
                continue
            self._starts.append(length)
            self._owners.append(id(item))
            texts.append(text)
            length += len(text) + 1
        self._sorted = sorted(self._users)
        self._text = "\n".join(texts)

    def any_of(self, name: str, *, but: tree.SectionItem | None = None) -> bool:
        """Whether an item uses *name*, apart from *but*."""
        if any(user != id(but) for user in self._users.get(name, ())):
            return True
        # A family H is used as H_n and as H_2.
        for used in islice(self._sorted, bisect_left(self._sorted, f"{name}_"), None):
            spend(2, "looking for uses of names")
            if not used.startswith(f"{name}_"):
                break
            if any(user != id(but) for user in self._users[used]):
                return True
        spend(len(self._text) >> 5, "looking for uses of names")
        pattern = rf"(?<!\w){re.escape(name)}(?![A-Za-z])"
        for found in re.finditer(pattern, self._text) if self._text else ():
            if self._owners[bisect_right(self._starts, found.start()) - 1] != id(but):
                return True
        return False


def _unread_text(item: tree.SectionItem) -> str | None:
    """The words of *item*, where it is no formula; prose and errata use nothing."""
    match item:
        case tree.Prose() | tree.Erratum():
            return ""
        case tree.Unparsed(text=text):
            return text
        case Setting(key=key, value=value):
            return f"{key} {value}"
        case _:
            return None


def _unused_sets(document: tree.SectionsDocument, items: Items) -> Iterator[Diagnostic]:
    mentions = _Mentions(items)
    for item, name, span in _defined_sets(document):
        if not mentions.any_of(name, but=item):
            yield Diagnostic(
                codes.UNUSED_SET,
                f"the set `{name}` is never used",
                primary=Label(span, "defined here, used nowhere"),
                help=f"remove `{name}`, or use it where it was meant to be used",
            )


def _defined_sets(document: tree.SectionsDocument) -> Iterator[tuple[tree.SectionItem, str, Span]]:
    """Every set that is defined, also in words that are not understood."""
    for section in document.sections:
        for item in section.items:
            match item:
                case tree.SetDefinition(name=name):
                    yield item, name, item.name_span.or_else(item.span)
                case tree.Unparsed(text=text) if section.kind is SectionKind.SETS:
                    if head := _SET_HEAD.match(text):
                        yield item, head["name"], item.span
                case _:
                    pass


def _unused_variables(items: Items, system: ir.System) -> Iterator[Diagnostic]:
    meant = {choice for reading in system.readings for choice in reading.choices}
    mentions = _Mentions([o for o in items if not isinstance(o, tree.Declaration | tree.Initial)])
    for item in items:
        if not isinstance(item, tree.Declaration):
            continue
        for index, name in enumerate(item.names):
            if f"is {name}" in meant or mentions.any_of(name):
                continue
            span = item.name_spans[index] if index < len(item.name_spans) else item.span
            yield Diagnostic(
                codes.UNUSED_VARIABLE,
                f"the variable `{name}` is never used",
                primary=Label(span, "no fact and no rule mentions it"),
                help=f"remove `{name}`, or use it where it was meant to be used",
            )


def _names(item: tree.SectionItem) -> Iterator[str]:
    for expr in _expressions(item):
        yield from traversal.names_in(expr)
        # ℕ may be defined like any other set
        yield from (n.kind.value for n in traversal.inside(expr) if isinstance(n, tree.NumberSet))
    if isinstance(item, tree.Procedure):
        yield from (parameter.name for parameter in item.parameters)
        yield from (assignment.name for assignment in traversal.assignments(item.body))
        for statement in traversal.statements(item.body):
            if isinstance(statement, tree.Unparsed):
                yield from re.findall(r"\w+", statement.text)


def _expressions(item: tree.SectionItem) -> Iterator[tree.Expr]:
    match item:
        case (
            tree.SetDefinition(value=expr)
            | tree.Initial(value=expr)
            | tree.Declaration(domain=expr)
            | tree.Fact(formula=expr)
        ):
            yield expr
        case tree.FunctionDefinition(parameters=parameters, body=value):
            yield from (p.domain for p in parameters if p.domain is not None)
            yield value
        case tree.Procedure(parameters=parameters, body=body):
            yield from (p.domain for p in parameters if p.domain is not None)
            yield from traversal.expressions_in(body)
        case Setting() | tree.Erratum() | tree.Prose() | tree.Unparsed():
            pass


# Formulas


def _same_operands(items: Items) -> Iterator[Diagnostic]:
    exprs = (expr for item in items for expr in _expressions(item))
    for node in (node for expr in exprs for node in traversal.inside(expr)):
        for sign, left, right in _twins(node):
            yield Diagnostic(
                codes.SAME_OPERANDS,
                f"both sides of this {sign} are the same",
                primary=Label(right.span, "the same as the left side"),
                secondary=(Label(left.span, "the left side"),),
                help="one of them was probably meant to be something else; if not, one is enough",
            )


def _twins(node: tree.Expr) -> Iterator[tuple[str, tree.Expr, tree.Expr]]:
    """Equal operands inside *node*, with the operator between them."""
    match node:
        case tree.Binary(op=op, left=left, right=right) if op in _DOUBLING and left == right:
            yield op.value, left, right
        case tree.Implies(left=left, right=right) if left == right:
            yield "→", left, right
        case tree.Iff(left=left, right=right) if left == right:
            yield "↔", left, right
        case tree.Compare(first=first, rest=rest):
            left = first
            for relation, right in rest:
                if left == right:
                    yield relation.value, left, right
                left = right
        case tree.And(operands=several):
            yield from _repeated("∧", several)
        case tree.Or(operands=several):
            yield from _repeated("∨", several)
        case _:
            pass


def _repeated(
    sign: str, operands: tuple[tree.Expr, ...]
) -> Iterator[tuple[str, tree.Expr, tree.Expr]]:
    first: dict[tree.Expr, int] = {}
    for index, operand in enumerate(operands):
        earlier = first.setdefault(operand, index)
        if earlier < index:
            yield sign, operands[earlier], operand


def _idle_assignments(items: Items) -> Iterator[Diagnostic]:
    procedures = [item for item in items if isinstance(item, tree.Procedure)]
    for statement in (s for p in procedures for s in traversal.statements(p.body)):
        match statement:
            case tree.Assign(target=tree.Name(text=name), value=tree.Name(text=same)) if (
                name == same
            ):
                message = f"`{name}` is given the value it has"
                tip = (
                    "remove it, or write the value that was meant; "
                    f"`{name} = ¬{name}` turns a truth value over"
                )
            case tree.Rule(conclusion=()):
                message = "nothing stands behind the arrow of this rule"
                tip = "write what the rule does, or remove it"
            case _:
                continue
        label = Label(statement.span, "changes nothing")
        yield Diagnostic(codes.CHANGES_NOTHING, message, label, help=tip)
