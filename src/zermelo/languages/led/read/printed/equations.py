"""The equations behind ``where`` as print shows them, which may run off the page.

A line that is too long for its page has no end in print, and what reads the page makes
one up: it repeats itself, defines what is defined already, and stops in the middle.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from zermelo.languages.led.read.lexer import RESERVED
from zermelo.languages.led.read.printed.formulas import Formula
from zermelo.languages.led.read.printed.pieces import Kind, Piece
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label

_BEFORE_VALUE: Final = frozenset({"{", ",", ":=", ";", "U"})
_BEHIND_VALUE: Final = frozenset({"}", ",", ";", "if", "otherwise", "where", "U", ""})


@dataclass(frozen=True, slots=True)
class Equation:
    """A conjunct behind ``where``; *name* is what it defines, empty if that cannot be told."""

    pieces: tuple[Piece, ...]
    name: str
    is_sound: bool
    """Whether it can be understood by itself."""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A formula with the equations that are used, and those that are in doubt."""

    pieces: tuple[Piece, ...]
    doubtful: tuple[tuple[Piece, ...], ...] = ()
    said: tuple[Diagnostic, ...] = ()


def cleaned(
    formula: Formula,
    *,
    defined: Collection[str],
    is_sound: Callable[[Sequence[Piece]], bool],
    as_written: bool,
) -> Cleaned:
    """*formula* without equations that cannot be meant; *defined* is what the program defines.

    *as_written* keeps every equation that can be understood and defines something new.
    """
    at = next((i for i, piece in enumerate(formula.pieces) if piece.text == "where"), None)
    if at is None:
        return Cleaned(formula.pieces)
    head, clause = formula.pieces[:at], formula.pieces[at + 1 :]
    equations = tuple(_equation(each, is_sound) for each in _conjuncts(clause))
    faults = [_fault(equations, i, defined) for i in range(len(equations))]
    if not any(faults):
        return Cleaned(formula.pieces)
    first = next(i for i, fault in enumerate(faults) if fault)
    good = tuple(each for each, fault in zip(equations, faults, strict=True) if not fault)
    kept = good
    if _runs_off(head, equations, faults) and not as_written:
        first = _beginning(equations, first)
        kept = equations[:first]
    said = _said(formula, equations[first:], faults[first:], lost=_lost(equations, kept, defined))
    doubtful = tuple(each.pieces for each in good if each not in kept)
    return Cleaned((*head, *_joined(formula.pieces[at], kept)), doubtful, (said,))


def _runs_off(head: Sequence[Piece], equations: Sequence[Equation], faults: Sequence[str]) -> bool:
    """Whether the end is lost: the last equation is no good, and something has no equation."""
    if not faults[-1]:
        return False
    if not equations[-1].is_sound:
        return True
    members = {piece.text for piece in _members(head)}
    return bool(members - {each.name for each in equations})


def _members(head: Sequence[Piece]) -> Iterator[Piece]:
    """The names in a formula that stand for values of their own: members, cases, operands."""
    for at, piece in enumerate(head):
        behind = head[at + 1].text if at + 1 < len(head) else ""
        before = head[at - 1].text if at else ""
        is_name = piece.kind is Kind.WORD and piece.text not in RESERVED
        if is_name and before in _BEFORE_VALUE and behind in _BEHIND_VALUE:
            yield piece


def _conjuncts(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, ...]]:
    """What stands between ∧ outside of brackets."""
    current: list[Piece] = []
    depth = 0
    for piece in pieces:
        if piece.kind is Kind.SIGN and piece.text in "([{":
            depth += 1
        elif piece.kind is Kind.SIGN and piece.text in ")]}":
            depth -= 1
        if piece.kind is Kind.SIGN and piece.text == "&" and depth <= 0:
            yield tuple(current)
            current = []
            depth = 0
        else:
            current.append(piece)
    yield tuple(current)


def _equation(pieces: tuple[Piece, ...], is_sound: Callable[[Sequence[Piece]], bool]) -> Equation:
    is_named = (
        len(pieces) >= 2
        and pieces[0].kind is Kind.WORD
        and pieces[0].text not in RESERVED
        and pieces[1].text == "="
    )
    name = pieces[0].text if is_named else ""
    right = pieces[2:] if is_named else pieces
    # D3 wants equations; other sentences are solved too, but a name alone says nothing.
    says_something = len(right) > 0 and (is_named or len(pieces) > 2)
    return Equation(pieces, name, says_something and is_sound(right))


def _fault(equations: Sequence[Equation], at: int, defined: Collection[str]) -> str:
    """Why the equation at *at* cannot be meant, empty if it can."""
    equation = equations[at]
    if not equation.is_sound:
        return "it is not whole"
    if not equation.name:
        return ""
    if any(each.name == equation.name for each in equations[:at]):
        return f"`{equation.name}` has an equation already"
    if equation.name in defined:
        return f"`{equation.name}` has a formula of its own"
    if any(piece.text == equation.name for piece in equation.pieces[2:]):
        return f"it defines `{equation.name}` by itself"
    return ""


def _beginning(equations: Sequence[Equation], first: int) -> int:
    """Where the damage began: what is repeated at once was made up already."""
    name = equations[first].name
    while first > 0 and name and equations[first - 1].name == name:
        first -= 1
    return first


def _lost(
    equations: Sequence[Equation], kept: Sequence[Equation], defined: Collection[str]
) -> tuple[str, ...]:
    names = dict.fromkeys(each.name for each in equations if each.name)
    has_one = {*defined, *(each.name for each in kept)}
    return tuple(name for name in names if name not in has_one)


def _joined(where: Piece, equations: Sequence[Equation]) -> Iterator[Piece]:
    """``where`` and *equations* with ∧ between them; nothing if there are none."""
    for at, equation in enumerate(equations):
        first = equation.pieces[0]
        text, kind = ("where", Kind.WORD) if at == 0 else ("&", Kind.SIGN)
        yield Piece(kind, text, where.span if at == 0 else first.span)
        yield from equation.pieces


def _said(
    formula: Formula,
    equations: Sequence[Equation],
    faults: Sequence[str],
    *,
    lost: Sequence[str],
) -> Diagnostic:
    pieces = [piece for each in equations for piece in each.pieces]
    span = pieces[0].span.to(pieces[-1].span) if pieces else formula.span
    number = "" if formula.number is None else f" of ({formula.number})"
    wrong = tuple(dict.fromkeys(fault for fault in faults if fault))
    is_lost = f"; what defines {_listed(lost)} is lost" if lost else ""
    return Diagnostic(
        codes.EQUATION_NOT_WHOLE,
        f"the equations behind `where`{number} run off the page",
        primary=Label(span, f"cannot be meant from here on{is_lost}"),
        notes=tuple(f"in one of these equations {fault}" for fault in wrong[:3]),
    )


def _listed(names: Sequence[str]) -> str:
    *others, last = (f"`{name}`" for name in names)
    return f"{', '.join(others)} and {last}" if others else last
