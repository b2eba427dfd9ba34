"""Sets with a few members too many or too few for the symmetry of the board.

A printed list of lines with one wrong in it is still a list of lines; that the
board is no longer symmetric tells which. What is said is proved: without these
members, or with them, the system has symmetries that it has not now.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Final, TypeVar, cast

from zermelo.core.layout import Layout, Mask, layout
from zermelo.core.machine import Fault
from zermelo.core.values import Value, in_order, to_text
from zermelo.languages.sections.footprint import Footprints
from zermelo.languages.sections.ir import Expr, Literal, Node, Ref, SetOf, System
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry.beyond import BeyondError
from zermelo.languages.sections.symmetry.board import Board, board_of, moved
from zermelo.languages.sections.symmetry.ground import Ground
from zermelo.languages.sections.symmetry.grounding import ground
from zermelo.languages.sections.symmetry.prove import Prover
from zermelo.languages.sections.walk import free_locals, parts
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import Span

T = TypeVar("T")

_MOST: Final = 3
"""A few members."""
_SHARE: Final = 4
"""Few among so many times as many."""


@dataclass(frozen=True, slots=True)
class Lopsided:
    """A set that breaks the symmetry of a board, and what would mend it."""

    expr: Expr
    """The set as the document writes it."""
    name: str | None
    """What the document calls it, if it has a name."""
    span: Span
    board: Board
    missing: tuple[Value, ...]
    extra: tuple[Value, ...]
    twice: tuple[Value, ...]
    """Members that are listed twice."""
    left: int
    """How many of the board's symmetries the system has."""
    mended: int
    """How many it would have."""


def of_symmetry(machine: Interpreter) -> tuple[Diagnostic, ...]:
    """What there is to say about sets that break the symmetry of the board."""
    return tuple(_diagnostic(each) for each in lopsided(machine))


def lopsided(machine: Interpreter) -> tuple[Lopsided, ...]:
    """The sets of *machine* that a few members keep from being symmetric."""
    places = layout(machine)
    if not isinstance(places, Layout):
        return ()
    found: list[Lopsided] = []
    for board in _boards(places):
        for name, expr, span in _sets(machine.system):
            known = {each.name for each in found}
            if not any(isinstance(part, Ref) and part.name in known for part in parts(expr)):
                found += _looked_into(machine, places, board, name=name, expr=expr, span=span)
    return tuple(found)


def _sets(system: System) -> Iterator[tuple[str | None, Expr, Span]]:
    """The sets with names, and those that are listed where they are used."""
    for definition in system.sets:
        yield definition.name, definition.value, definition.span
    places: list[Node] = [function.body for function in system.functions]
    places += [v.definition for v in system.variables if v.definition is not None]
    places += [statement for p in system.procedures for statement in p.body]
    inner: set[int] = set()
    for place in places:
        for part in parts(place):
            if isinstance(part, SetOf) and id(part) not in inner and not free_locals(part):
                inner.update(map(id, parts(part)))
                yield None, part, part.span


def _boards(places: Layout) -> list[Board]:
    """The boards that variables are subsets of."""
    sets = dict.fromkeys(f.shape.members for f in places.fields if isinstance(f.shape, Mask))
    boards = [board_of(members) for members in sets]
    return [board for board in boards if board is not None]


def _looked_into(
    machine: Interpreter,
    places: Layout,
    board: Board,
    *,
    name: str | None,
    expr: Expr,
    span: Span,
) -> Iterator[Lopsided]:
    if Footprints(machine.system).of(expr).reads:
        return
    value = machine.evaluate(expr, machine.initial, {})
    if isinstance(value, Fault) or not isinstance(value, frozenset):
        return
    mended = _mended(value, board)
    if mended is None:
        return
    missing, extra = in_order(mended - value), in_order(value - mended)
    before = _survivors(machine, places, board)
    other = Interpreter(_replaced(machine.system, expr, Literal(mended)))
    after = _survivors(other, places, board)
    if before is None or after is None or after < 2 * before:
        return
    yield Lopsided(
        expr,
        name,
        span,
        board,
        tuple(missing),
        tuple(extra),
        _listed_twice(machine, expr),
        before,
        after,
    )


def _mended(value: frozenset[Value], board: Board) -> frozenset[Value] | None:
    """*value* with a few members more or less that every symmetry of *board* keeps."""
    cells = frozenset[Value](board.cells)
    if not value or not all(_is_made_of(member, cells) for member in value):
        return None
    symmetries = board.symmetries()
    mended, changes, seen = value, 0, set[Value]()
    for member in in_order(value):
        if member in seen:
            continue
        orbit = frozenset(moved(member, each) for each in symmetries)
        seen |= orbit
        missing, there = orbit - value, orbit & value
        changes += min(len(missing), len(there))
        mended = mended | missing if len(missing) <= len(there) else mended - there
    return mended if 0 < changes <= min(_MOST, len(value) // _SHARE) else None


def _is_made_of(member: Value, cells: frozenset[Value]) -> bool:
    if member in cells:
        return True
    return isinstance(member, frozenset) and bool(member) and member <= cells


def _replaced(whole: T, node: Node, by: Node) -> T:
    """*whole*, a system or a part of one, with *node* in it replaced."""
    # What is made has the type of what it is made of: only a set of the same type is replaced.
    return cast("T", _with(whole, node, by))


def _with(whole: object, node: Node, by: Node) -> object:
    if whole is node:
        return by
    if isinstance(whole, tuple):
        items = tuple(_with(item, node, by) for item in whole)
        return items if any(a is not b for a, b in zip(items, whole, strict=True)) else whole
    if not is_dataclass(whole) or isinstance(whole, type):
        return whole
    values = {each.name: getattr(whole, each.name) for each in fields(whole)}
    changed = {
        name: made for name, old in values.items() if (made := _with(old, node, by)) is not old
    }
    return replace(whole, **changed) if changed else whole


def _survivors(machine: Interpreter, places: Layout, board: Board) -> int | None:
    """How many of the symmetries of *board* are symmetries of *machine*."""
    try:
        system = ground(machine, places)
    except BeyondError:
        return None
    prover = Prover(system)
    return sum(
        1
        for each in board.symmetries()
        if (claims := _claims(system, each)) is not None and prover.holds(claims)
    )


def _claims(system: Ground, cells: Mapping[Value, Value]) -> dict[int, int] | None:
    """A map of cells as a permutation of claims."""
    at = {(system.bits[a].variable, system.bits[a].value): a for a in system.live}
    found: dict[int, int] = {}
    for (variable, value), claim in at.items():
        image = at.get((variable, moved(value, cells)))
        if image is None:
            return None
        found[claim] = image
    return found


def _listed_twice(machine: Interpreter, expr: Expr) -> tuple[Value, ...]:
    if not isinstance(expr, SetOf):
        return ()
    seen: set[Value] = set()
    twice: dict[Value, None] = {}
    for item in expr.items:
        value = machine.evaluate(item, machine.initial, {})
        if not isinstance(value, Fault):
            if value in seen:
                twice[value] = None
            seen.add(value)
    return tuple(twice)


# Words


def _diagnostic(found: Lopsided) -> Diagnostic:
    name, whole = _name(found), len(found.board.symmetries())
    if found.missing:
        what = f"{_listing(found.missing)} {_is(found.missing)} missing"
    else:
        what = f"{_listing(found.extra)} {_has(found.extra)} no counterpart"
    return Diagnostic(
        code=codes.LOPSIDED,
        message=f"{name} breaks the symmetry of the board: {what}",
        primary=Label(found.span, f"{found.left} of {whole} symmetries are left"),
        notes=tuple(_notes(found)),
        help=_help(found),
    )


def _notes(found: Lopsided) -> Iterator[str]:
    whole = len(found.board.symmetries())
    how_many = f"all {whole}" if found.mended == whole else f"{found.mended} of the {whole}"
    ways = "turns and reflections" if found.board.is_square else "half turn and reflections"
    change = "with" if found.missing else "without"
    them = "it" if len(found.missing or found.extra) == 1 else "them"
    yield (
        f"{change} {them}, {how_many} symmetries of the {found.board} board ({ways}) "
        "would leave the system as it is"
    )
    if found.missing and found.extra:
        yield f"{_listing(found.extra)} {_has(found.extra)} no counterpart either"
    for member in found.twice:
        yield f"{to_text(member)} is listed twice"


def _help(found: Lopsided) -> str:
    name = "it" if found.name is None else f"`{found.name}`"
    if found.missing and len(found.twice) == len(found.missing) == 1:
        return (
            f"write {to_text(found.missing[0])} in {name} in the place of the second "
            f"{to_text(found.twice[0])}"
        )
    if found.missing:
        return f"add {_listing(found.missing)} to {name}, if it was forgotten"
    return f"see whether {_listing(found.extra)} belongs to {name}"


def _name(found: Lopsided) -> str:
    return "a set" if found.name is None else f"`{found.name}`"


def _listing(values: tuple[Value, ...]) -> str:
    return " and ".join(map(to_text, values))


def _is(values: tuple[Value, ...]) -> str:
    return "is" if len(values) == 1 else "are"


def _has(values: tuple[Value, ...]) -> str:
    return "has" if len(values) == 1 else "have"
