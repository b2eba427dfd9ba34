"""Sets that must be listed, and whether they can be."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from math import prod

from zermelo.languages.sections import ir
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.run.domains import SizeEstimator
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.run.ranges import count, only
from zermelo.languages.sections.run.sets import LIST_LIMIT, Size, exactly, magnitude, product_size
from zermelo.languages.sections.walk import conjuncts, free_locals, rules_of
from zermelo.text import codes
from zermelo.text.budget import STEPS_TO_LIST, OverBudget, budget
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Diagnostic, Label, Report

_BOUNDING = frozenset({ir.Op.LT, ir.Op.LE, ir.Op.GT, ir.Op.GE, ir.Op.EQ, ir.Op.IN, ir.Op.SUBSET})


def check(binder: ir.Binder, condition: ir.Expr, *, sizes: SizeEstimator, report: Report) -> None:
    """Say so if the set that *binder* ranges over is too large to be listed.

    Only the part counts that *condition* leaves: numbers between bounds, sets of some size.
    """
    known = sizes.size(binder.domain)
    if known is not None and known.exceeds(LIST_LIMIT) and not binder.is_tuple:
        known = _narrowed(binder, condition, known, sizes)
    if known is None or not known.exceeds(LIST_LIMIT):
        return
    report.unusable()
    name = ", ".join(binder.names)
    ranges = f"`{name}` ranges over `{to_text(binder.domain)}`, which"
    if known.is_infinite:
        report.tell(
            codes.INFINITE_LISTED,
            f"{ranges} is infinite",
            Label(binder.domain.span, "cannot be listed"),
            help=f"say how large `{name}` can be, as in `{name} ≤ 9`, or take a finite set",
        )
        return
    report.tell(
        codes.SET_TOO_LARGE,
        f"{ranges} has {known.text} members",
        Label(binder.domain.span, f"{known.text} members"),
        notes=(f"sets of more than {LIST_LIMIT:,} members are not listed",),
        help="take a smaller set, or test membership only",
    )


def _narrowed(
    binder: ir.Binder, condition: ir.Expr, whole: Size, sizes: SizeEstimator
) -> Size | None:
    """The size of what *condition* leaves of a large set; ``None`` if that depends on the state."""
    (name,) = binder.names
    local = ir.Local(name)
    terms = (local,) if _has_large_base(binder.domain, sizes) else (local, ir.Card(local))
    for conjunct in conjuncts(condition):
        if not isinstance(conjunct, ir.Binary) or conjunct.op not in _BOUNDING:
            continue
        left, right = conjunct.left, conjunct.right
        for term, limit in ((left, right), (right, left)):
            is_about = term in terms and name not in free_locals(limit)
            if is_about and not _is_number(limit):
                return None
    part = sizes.size(ir.Comprehension(local, (binder,), condition))
    return whole if part is None else part


def _has_large_base(domain: ir.Expr, sizes: SizeEstimator) -> bool:
    """Whether even the subsets with one member are too many."""
    if not isinstance(domain, ir.PowerSet):
        return False
    base = sizes.size(domain.base)
    return base is not None and base.exceeds(LIST_LIMIT)


def _is_number(limit: ir.Expr) -> bool:
    return isinstance(limit, ir.Literal | ir.Negate | ir.Range) or (
        isinstance(limit, ir.Binary) and limit.op not in _BOUNDING and not free_locals(limit)
    )


def large(name: str, value: ir.Expr, *, sizes: SizeEstimator) -> Diagnostic | None:
    """What to say of a defined set that can be tested for membership and never listed."""
    known = sizes.size(value)
    if known is None or known.is_infinite or not known.exceeds(LIST_LIMIT):
        return None
    return Diagnostic(
        codes.SET_TOO_LARGE,
        f"`{name}` has {known.text} members; it can be tested for membership, and not listed",
        primary=Label(value.span, f"{known.text} members"),
        notes=(f"sets of more than {LIST_LIMIT:,} members are not listed",),
        severity=Severity.WARNING,
    )


def arguments(system: ir.System) -> tuple[dict[str, Diagnostic], tuple[str, ...]]:
    """What to say of moves whose arguments are too many to be tried, and no guard bounds them.

    Behind it those of which it is no use to try it in any state.
    """
    values = {definition.name: definition.value for definition in system.sets}
    sizes = SizeEstimator(values.get)
    products = {move.name: _product(move, sizes) for move in system.moves}
    large = {name: size for name, size in products.items() if size and size.exceeds(LIST_LIMIT)}
    if not large:
        return {}, ()
    bounded = _bounded(Interpreter(system), large.keys())
    unbounded = [m for m in system.moves if m.name in large.keys() - bounded]
    hopeless = tuple(move.name for move in unbounded if _is_hopeless(move, sizes))
    unlisted = set(hopeless)
    if large.keys() - unlisted:
        # Where trying takes too long it is not known; whoever lists the moves is told then.
        with suppress(OverBudget), budget(steps=STEPS_TO_LIST):
            machine = Interpreter(replace(system, unlisted=hopeless))
            stopped = machine.faults(machine.initial)
            unlisted |= {m.name for m in stopped if not m.arguments} & large.keys()
    said = {
        move.name: _too_many(move, large[move.name], sizes)
        for move in system.moves
        if move.name in unlisted
    }
    return said, hopeless


def _bounded(machine: Interpreter, names: Iterable[str]) -> frozenset[str]:
    """The moves of which only a few arguments can have an effect, in the first state at least."""
    first = {name: only(value) for name, value in machine.initial.items()}
    found: set[str] = set()
    for name in names:
        with suppress(OverBudget), budget(steps=STEPS_TO_LIST):
            sizes = [count(asked) for asked in machine.arguments_asked(name, first).values()]
            if all(sizes) and prod(size or 0 for size in sizes) <= LIST_LIMIT:
                found.add(name)
    return frozenset(found)


def _is_hopeless(move: ir.Procedure, sizes: SizeEstimator) -> bool:
    """Whether so many arguments are left after some guard that it is no use to try."""
    known = {p.name: sizes.size(p.domain) for p in move.parameters}
    if any(isinstance(statement, ir.Assign | ir.Call) for statement in move.body):
        # What stands outside the rules is done whatever the arguments are.
        return True
    for rule in rules_of(move.body):
        waiting = [name for name, size in known.items() if size is not None]
        for conjunct in conjuncts(rule.guard):
            match conjunct:
                case ir.Binary(ir.Op.IN | ir.Op.SUBSET, member, _):
                    found = free_locals(member)
                    waiting = [name for name in waiting if name not in found]
                case ir.Binary(ir.Op.EQ):
                    bound = [name for name in waiting if name in free_locals(conjunct)]
                    waiting = [name for name in waiting if name not in bound[:1]]
                case _:
                    pass
        rest = [size for name in waiting if (size := known[name]) is not None]
        if len(rest) > 1 and product_size(rest).exceeds(1000 * LIST_LIMIT):
            return True
    return False


def _product(move: ir.Procedure, sizes: SizeEstimator) -> Size | None:
    found = [sizes.size(parameter.domain) for parameter in move.parameters]
    known = [size for size in found if size is not None]
    if len(known) == 1:
        return known[0]
    return product_size(known) if known else None


def _too_many(move: ir.Procedure, size: Size, sizes: SizeEstimator) -> Diagnostic:
    worst = max(
        move.parameters,
        key=lambda p: magnitude(sizes.size(p.domain) or exactly(0)),
    )
    return Diagnostic(
        codes.INFINITE_LISTED if size.is_infinite else codes.SET_TOO_LARGE,
        f"`{move.name}` can be called with {size.text} different arguments, "
        "and its rules do not narrow them down",
        primary=Label(worst.domain.span, f"`{worst.name}` ranges over this"),
        notes=(f"more than {LIST_LIMIT:,} cannot be tried",),
        help=f"take a smaller set, or begin the rules with a condition such as `{worst.name} ∈ S`",
    )
