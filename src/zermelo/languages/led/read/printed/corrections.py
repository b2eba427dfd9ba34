"""What is put right in printed formulas before they are read as definitions.

Errata stand under a heading *Errata*, one on a line, and are made among the pieces of
formulas, so that they may be written as print shows the formula or as source form does.
Formulas that are printed twice are taken once, and numbers that were lost or misread are
found from their neighbours. Equations behind ``where`` may run off the page: what reads the
page then makes an end up, which repeats itself, defines what is defined already, and stops
in the middle.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from zermelo.languages.led.read.printed import pieces as reading
from zermelo.languages.led.read.printed.formulas import Formula, Part
from zermelo.languages.led.read.printed.layout import StretchKind
from zermelo.languages.led.read.printed.pieces import PieceKind, PrintedPiece
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.prose import listing
from zermelo.text.source import Source, Span

# Errata

_MOST_ERRATA: Final = 200
_LONGEST_ERRATUM: Final = 1_000

_ERRATA_HEADING: Final = re.compile(r"^\s*(?:#+\s*)?(?:\d+\.?\s*)?Errata\s*:?\s*$")
_OTHER_HEADING: Final = re.compile(r"^\s*#+\s")
_ERRATUM: Final = re.compile(
    r"\s*(?:[-*]\s+)?(?P<quote>[\"“«`'])(?P<old>.+?)[\"”»`']\s*(?:→|⇒|->|=>|\bbecomes\b)\s*"
    r"[\"“«`'](?P<new>.*?)[\"”»`']\s*(?::\s*(?P<reason>[^\"”»]*))?$"
)


@dataclass(frozen=True, slots=True)
class _Erratum:
    old: tuple[PrintedPiece, ...]
    new: tuple[PrintedPiece, ...]
    span: Span


def with_errata(
    source: Source, parts: Sequence[Part], *, as_written: bool
) -> Checked[tuple[Part, ...]]:
    result = list(parts)
    said: list[Diagnostic] = []
    for erratum in () if as_written else islice(_errata(source, parts), _MOST_ERRATA):
        is_used = False
        for at, part in enumerate(result):
            if isinstance(part, Formula):
                changed = _replaced(part.pieces, erratum)
                if changed:
                    result[at] = replace(part, pieces=changed)
                    is_used = True
        if not is_used:
            said.append(_unused(source, erratum))
    return Checked(tuple(result), tuple(said))


def _errata(source: Source, parts: Sequence[Part]) -> Iterator[_Erratum]:
    for part in parts:
        if isinstance(part, Formula) or part.what is not StretchKind.PROSE:
            continue
        is_inside = False
        first, last = source.line_of(part.span.start), source.line_of(part.span.end)
        for number in range(first, last + 1):
            line, span = source.line(number), source.line_span(number)
            if _ERRATA_HEADING.match(line):
                is_inside = True
            elif _OTHER_HEADING.match(line):
                is_inside = False
            is_short = len(line) <= _LONGEST_ERRATUM
            found = _ERRATUM.match(line) if is_inside and is_short else None
            if found:
                old, new = (
                    Span(span.start + found.start(group), span.start + found.end(group))
                    for group in ("old", "new")
                )
                yield _Erratum(_pieces(source, old), _pieces(source, new), span)


def _pieces(source: Source, span: Span) -> tuple[PrintedPiece, ...]:
    return tuple(p for p in reading.read(source, span).pieces if p.kind is not PieceKind.TAG)


def _replaced(pieces: tuple[PrintedPiece, ...], erratum: _Erratum) -> tuple[PrintedPiece, ...]:
    """*pieces* with the erratum made wherever its words stand; empty if they stand nowhere."""
    wanted = [piece.text for piece in erratum.old]
    size = len(wanted)
    if not size:
        return ()
    result: list[PrintedPiece] = []
    at = 0
    is_found = False
    while at < len(pieces):
        window = pieces[at : at + size]
        if [piece.text for piece in window] == wanted:
            place = window[0].span.to(window[-1].span)
            result += (replace(piece, span=place) for piece in erratum.new)
            at += size
            is_found = True
        else:
            result.append(pieces[at])
            at += 1
    return tuple(result) if is_found and result else ()


def _unused(source: Source, erratum: _Erratum) -> Diagnostic:
    words = source.slice(erratum.old[0].span.to(erratum.old[-1].span)) if erratum.old else ""
    return Diagnostic(
        codes.ERRATUM_WITHOUT_PLACE,
        f"`{words}` does not occur in the formulas of this document",
        primary=Label(erratum.span, "this erratum changes nothing"),
        help="write the words as they stand in one formula, or remove the erratum",
    )


# Copies and numbers: the n-th definition has the number n


def without_copies(formulas: Sequence[Formula]) -> Checked[tuple[Formula, ...]]:
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
    mine, yours = ([piece.text for piece in each.pieces[1:]] for each in (first, second))
    size = min(len(mine), len(yours))
    return size >= 2 and mine[:size] == yours[:size] and size * 2 > max(len(mine), len(yours))


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
    result: list[Formula] = []
    said: list[Diagnostic] = []
    before = 0
    for at, formula in enumerate(formulas):
        number = _number(formulas, at, before)
        remark = _remark(formula, number, before)
        if remark:
            said.append(remark)
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


def _remark(formula: Formula, number: int, before: int) -> Diagnostic | None:
    head = formula.pieces[0].span
    place = formula.number_span or head
    if formula.number is None:
        return Diagnostic(
            codes.FORMULA_NUMBER_LOST,
            f"the definition of `{formula.name}` has no number",
            primary=Label(head, f"taken as formula ({number})"),
            notes=("formulas are numbered in order, and its neighbours have their numbers",),
        )
    if formula.number != number:
        return Diagnostic(
            codes.FORMULA_NUMBER_DAMAGED,
            f"the number ({formula.number}) is out of order",
            primary=Label(place, f"taken as ({number})"),
            notes=(f"the formula before it is ({before})",),
        )
    if number > before + 1:
        missing = f"({before + 1})" if number == before + 2 else f"({before + 1}) to ({number - 1})"
        return Diagnostic(
            codes.FORMULA_LOST,
            f"formula {missing} is not in this document",
            primary=Label(place, f"follows ({before})"),
            help="write it where it belongs, as a display with its number",
        )
    return None


# Equations

_BEFORE_VALUE: Final = frozenset({"{", ",", ":=", ";", "U"})
_BEHIND_VALUE: Final = frozenset({"}", ",", ";", "if", "otherwise", "where", "U", ""})


@dataclass(frozen=True, slots=True)
class Equation:
    """A conjunct behind ``where``; *name* is what it defines, empty if that cannot be told."""

    pieces: tuple[PrintedPiece, ...]
    name: str
    is_sound: bool
    """Whether it can be understood by itself."""


@dataclass(frozen=True, slots=True)
class WholeEquations:
    """A formula with the equations that are used, and those that are in doubt."""

    pieces: tuple[PrintedPiece, ...]
    doubtful: tuple[tuple[PrintedPiece, ...], ...] = ()
    said: tuple[Diagnostic, ...] = ()


def with_whole_equations(
    formula: Formula,
    *,
    defined: Collection[str],
    is_sound: Callable[[Sequence[PrintedPiece]], bool],
    as_written: bool,
) -> WholeEquations:
    """*formula* without equations that cannot be meant; *defined* is what the program defines.

    *as_written* keeps every equation that can be understood and defines something new.
    """
    at = next((i for i, piece in enumerate(formula.pieces) if piece.text == "where"), None)
    if at is None:
        return WholeEquations(formula.pieces)
    head, clause = formula.pieces[:at], formula.pieces[at + 1 :]
    equations = tuple(_equation(each, is_sound) for each in _conjuncts(clause))
    faults = [_fault(equations, i, defined) for i in range(len(equations))]
    if not any(faults):
        return WholeEquations(formula.pieces)
    first = next(i for i, fault in enumerate(faults) if fault)
    good = tuple(each for each, fault in zip(equations, faults, strict=True) if not fault)
    kept = good
    if _runs_off(head, equations, faults) and not as_written:
        first = _beginning(equations, first)
        kept = equations[:first]
    has_one = {"", *defined, *(each.name for each in kept)}
    lost = dict.fromkeys(each.name for each in equations if each.name not in has_one)
    said = _said(formula, equations[first:], faults[first:], lost=tuple(lost))
    doubtful = tuple(each.pieces for each in good if each not in kept)
    return WholeEquations((*head, *_joined(formula.pieces[at], kept)), doubtful, (said,))


def _runs_off(
    head: Sequence[PrintedPiece], equations: Sequence[Equation], faults: Sequence[str]
) -> bool:
    """Whether the end is lost: the last equation is no good, and something has no equation."""
    if not faults[-1]:
        return False
    if not equations[-1].is_sound:
        return True
    members = {piece.text for piece in _members(head)}
    return bool(members - {each.name for each in equations})


def _members(head: Sequence[PrintedPiece]) -> Iterator[PrintedPiece]:
    """The names in a formula that stand for values of their own: members, cases, operands."""
    for at, piece in enumerate(head):
        behind = head[at + 1].text if at + 1 < len(head) else ""
        before = head[at - 1].text if at else ""
        if piece.is_name and before in _BEFORE_VALUE and behind in _BEHIND_VALUE:
            yield piece


def _conjuncts(pieces: Sequence[PrintedPiece]) -> Iterator[tuple[PrintedPiece, ...]]:
    """What stands between ∧ outside of brackets."""
    current: list[PrintedPiece] = []
    depth = 0
    for piece in pieces:
        depth += piece.nesting
        if piece.kind is PieceKind.SIGN and piece.text == "&" and depth <= 0:
            yield tuple(current)
            current = []
            depth = 0
        else:
            current.append(piece)
    yield tuple(current)


def _equation(
    pieces: tuple[PrintedPiece, ...], is_sound: Callable[[Sequence[PrintedPiece]], bool]
) -> Equation:
    is_named = len(pieces) >= 2 and pieces[0].is_name and pieces[1].text == "="
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


def _joined(where: PrintedPiece, equations: Sequence[Equation]) -> Iterator[PrintedPiece]:
    for at, equation in enumerate(equations):
        first = equation.pieces[0]
        text, kind = ("where", PieceKind.WORD) if at == 0 else ("&", PieceKind.SIGN)
        yield PrintedPiece(kind, text, where.span if at == 0 else first.span)
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
    names = listing(f"`{name}`" for name in lost)
    is_lost = f"; what defines {names} is lost" if lost else ""
    return Diagnostic(
        codes.EQUATION_NOT_WHOLE,
        f"the equations behind `where`{number} run off the page",
        primary=Label(span, f"cannot be meant from here on{is_lost}"),
        notes=tuple(f"in one of these equations {fault}" for fault in wrong[:3]),
    )
