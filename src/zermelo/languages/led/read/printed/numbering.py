"""The numbers of printed formulas: the n-th definition has the number n.

Numbers that were lost or misread are found from their neighbours, and formulas that are
printed twice are taken once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zermelo.languages.led.read.printed.formulas import Formula
from zermelo.languages.led.read.printed.pieces import Piece
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label


def once(formulas: Sequence[Formula]) -> Checked[tuple[Formula, ...]]:
    """*formulas* without copies: a copy may have lost the first letters of its name."""
    result: list[Formula] = []
    said: list[Diagnostic] = []
    at_name: dict[str, int] = {}
    for formula in formulas:
        # Only the formula just before it can have swallowed letters of its name.
        candidates = (at_name.get(formula.name), len(result) - 1 if result else None)
        at = next(
            (at for at in candidates if at is not None and _is_copy(result[at], formula)), None
        )
        if at is None:
            at_name.setdefault(formula.name, len(result))
            result.append(formula)
            continue
        said.append(_twice(result[at], formula))
        result[at] = _longer(result[at], formula)
    return Checked(tuple(result), tuple(said))


def _is_copy(first: Formula, second: Formula) -> bool:
    """Whether *second* says the same as *first*, as far as both go."""
    if first.name != second.name and (
        second.number is not None or not first.name.endswith(second.name)
    ):
        return False
    mine, yours = _texts(first.pieces[1:]), _texts(second.pieces[1:])
    size = min(len(mine), len(yours))
    return size >= 2 and mine[:size] == yours[:size] and size * 2 > max(len(mine), len(yours))


def _texts(pieces: Sequence[Piece]) -> list[str]:
    return [piece.text for piece in pieces]


def _longer(first: Formula, second: Formula) -> Formula:
    """The more complete copy, under the first one's name and number."""
    if len(second.pieces) <= len(first.pieces):
        return first
    number = first.number if first.number is not None else second.number
    return replace(first, pieces=(first.pieces[0], *second.pieces[1:]), number=number)


def _twice(first: Formula, second: Formula) -> Diagnostic:
    notes: tuple[str, ...] = ()
    if first.name != second.name:
        lost = first.name[: -len(second.name)]
        notes = (f"the copy lost the `{lost}` of its name, and says the same otherwise",)
    return Diagnostic(
        codes.PRINTED_TWICE,
        f"the definition of `{first.name}` is printed twice",
        primary=Label(second.span, "this copy is left out"),
        secondary=(Label(first.pieces[0].span, "here first"),),
        notes=notes,
    )


def numbered(formulas: Sequence[Formula]) -> Checked[tuple[Formula, ...]]:
    """*formulas*, each with its number."""
    result: list[Formula] = []
    said: list[Diagnostic] = []
    before = 0
    for at, formula in enumerate(formulas):
        number = _number(formulas, at, before)
        said += _remarks(formula, number, before)
        result.append(replace(formula, number=number))
        before = number
    return Checked(tuple(result), tuple(said))


def _number(formulas: Sequence[Formula], at: int, before: int) -> int:
    """The number of the formula at *at*: as printed, unless its neighbours agree on another."""
    own = formulas[at].number
    expected = before + 1
    if own is None or own == expected:
        return expected
    following = [each.number for each in formulas[at + 1 : at + 3]]
    is_misread = own <= before or expected + 1 in following[:1] or expected + 2 in following[1:]
    return expected if is_misread else own


def _remarks(formula: Formula, number: int, before: int) -> list[Diagnostic]:
    head = formula.pieces[0].span
    if formula.number is None:
        return [
            Diagnostic(
                codes.FORMULA_NUMBER_LOST,
                f"the definition of `{formula.name}` has no number",
                primary=Label(head, f"taken as formula ({number})"),
                notes=("formulas are numbered in order, and its neighbours have their numbers",),
            )
        ]
    if formula.number != number:
        place = formula.number_span or head
        return [
            Diagnostic(
                codes.FORMULA_NUMBER_DAMAGED,
                f"the number ({formula.number}) is out of order",
                primary=Label(place, f"taken as ({number})"),
                notes=(f"the formula before it is ({before})",),
            )
        ]
    if number > before + 1:
        missing = f"({before + 1})" if number == before + 2 else f"({before + 1}) to ({number - 1})"
        return [
            Diagnostic(
                codes.FORMULA_LOST,
                f"formula {missing} is not in this document",
                primary=Label(formula.number_span or head, f"follows ({before})"),
                help="write it where it belongs, as a display with its number",
            )
        ]
    return []
