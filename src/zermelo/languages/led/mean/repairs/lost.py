"""What is lost at the end of a formula, found from a formula like it.

An equation behind ``where`` that is missing, and a condition that is cut off.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeGuard

from zermelo.languages.led.mean.repairs.rewriting import (
    NameUses,
    equations,
    joined,
    lost_members,
    operands,
    place,
    quoted,
    renamed,
    used,
    with_definitions,
    with_equations,
)
from zermelo.languages.led.read import tree
from zermelo.languages.led.read.printer import expression as shown
from zermelo.languages.led.read.tree import Definition, Expr, LiterateProgram, Sign, walk
from zermelo.languages.led.run.built_ins import BUILTINS
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label

MOST_CUT: Final = 100
"""How many conditions are completed; a text with more of them is no program."""

_COMPARING: Final = frozenset({Sign.LT, Sign.GT, Sign.LE, Sign.GE})
_OTHER_WAY: Final = {Sign.LT: Sign.GT, Sign.GT: Sign.LT, Sign.LE: Sign.GE, Sign.GE: Sign.LE}


def with_doubtful(document: LiterateProgram) -> Checked[LiterateProgram]:
    """*document* with doubtful equations for names that have no other.

    Members of sets are left out: for them there may be better evidence.
    """
    said: list[Diagnostic] = []
    names = NameUses(document)
    for definition in document.definitions:
        if not definition.doubtful:
            continue
        members = set(lost_members(definition, names))
        lost = {each.name: each for each in names.undefined(definition)}
        found = {
            each.left.name: each
            for each in reversed(definition.doubtful)
            if isinstance(each, tree.BinaryExpr)
            and isinstance(each.left, tree.Identifier)
            and each.left.name in lost.keys() - members
        }
        if not found:
            continue
        document = _replaced(document, definition, with_equations(definition, found.values()))
        said += (_in_doubt(definition, lost[name], each) for name, each in found.items())
    return Checked(document, tuple(said))


def _in_doubt(
    definition: Definition, name: tree.Identifier, equation: tree.BinaryExpr
) -> Diagnostic:
    return Diagnostic(
        codes.EQUATION_LOST,
        f"the equation of `{name.name}` in {place(definition)} is in doubt",
        primary=Label(equation.span, "used, since there is no other"),
        secondary=(Label(name.span, "used here"),),
        notes=("from here on the equations repeat themselves or are not whole",),
    )


def with_lost_equations(document: LiterateProgram) -> Checked[LiterateProgram]:
    """*document* with equations that were lost found from their siblings.

    A name in one case of a definition has no equation, another case's has one. That one's
    right side, with a definition that nobody uses in place of the one that only it uses,
    is what was lost.
    """
    said: list[Diagnostic] = []
    names = NameUses(document)
    for name in [each.name for each in document.definitions]:
        found = _found(names, name)
        while found is not None:
            document, remark = found
            said.append(remark)
            names = NameUses(document)
            found = _found(names, name)
    return Checked(document, tuple(said))


def _found(names: NameUses, name: str) -> tuple[LiterateProgram, Diagnostic] | None:
    """The program with one more equation in the definition of *name*, if one can be found."""
    definition = names.definitions[name]
    for lost in dict.fromkeys(each.name for each in names.undefined(definition)):
        analogy = _analogy(definition, lost, names)
        if analogy is None:
            continue
        spot = definition.name_span
        left = tree.Identifier(lost, span=spot)
        equation = tree.BinaryExpr(Sign.EQ, left, analogy.right, span=spot)
        new = with_equations(definition, [equation])
        document = _replaced(names.document, definition, new)
        return document, _found_equation(definition, lost, analogy)
    return None


def _replaced(document: LiterateProgram, old: Definition, new: Definition) -> LiterateProgram:
    made = [new if each is old else each for each in document.definitions]
    return with_definitions(document, made)


@dataclass(frozen=True, slots=True)
class _Analogy:
    """The right side of a lost equation, and what it was made from."""

    right: Expr
    sibling: str
    stands_for: Definition
    unused: Definition


def _analogy(definition: Definition, lost: str, names: NameUses) -> _Analogy | None:
    known = dict(equations(definition))
    values = [
        each.value.name for each in definition.branches if isinstance(each.value, tree.Identifier)
    ]
    if lost not in values:
        return None
    for sibling in (name for name in values if name in known):
        right = known[sibling].right
        for node in walk(right):
            own = names.definitions.get(node.name) if isinstance(node, tree.Identifier) else None
            if own is None or names.uses[own.name] != (definition.name,):
                continue
            if list(used(definition)).count(own.name) != 1:
                continue
            unused = _like(own, lost, names)
            if unused is not None:
                new = renamed(right, tree.Identifier, own.name, unused.name)
                return _Analogy(new, sibling, own, unused)
    return None


def _like(own: Definition, lost: str, names: NameUses) -> Definition | None:
    """The one unused definition of the same form as *own* that is most like *lost* by name."""
    found = [
        each
        for each in names.unused
        if len(each.parameters) == len(own.parameters) and _form(each) == _form(own)
    ]
    ranked = sorted(
        ((len(_words(each.name) & _words(lost)), each.name, each) for each in found),
        key=lambda one: (-one[0], one[1]),
    )
    if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
        return None
    return ranked[0][2]


def _form(definition: Definition) -> tuple[object, ...]:
    """What a definition is made of at the top: cases or not, and the kind of its first value."""
    value = definition.branches[0].value
    inner = value.items[0] if isinstance(value, tree.SetExpr) and value.items else value
    called = inner.name if isinstance(inner, tree.CallExpr) and inner.name in BUILTINS else ""
    return (len(definition.branches) > 1, type(value), type(inner), called)


def _words(name: str) -> set[str]:
    """The words that a name consists of.

    >>> sorted(_words("endOfDayReport"))
    ['day', 'end', 'of', 'report']
    """
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+", name)}


def _found_equation(definition: Definition, lost: str, found: _Analogy) -> Diagnostic:
    spot = next(
        branch.value.span
        for branch in definition.branches
        if isinstance(branch.value, tree.Identifier) and branch.value.name == lost
    )
    return Diagnostic(
        codes.EQUATION_LOST,
        f"`{lost}` in {place(definition)} has no equation",
        primary=Label(spot, f"taken as `{shown(found.right)}`"),
        secondary=(Label(found.unused.name_span, "no formula uses this"),),
        notes=(
            f"`{found.sibling}` is `{found.stands_for.name}` with the same beside it",
            f"`{found.unused.name}` of {place(found.unused)} is of the same form as "
            f"`{found.stands_for.name}` of {place(found.stands_for)}, and nothing uses it",
        ),
    )


# Conditions that are cut off


@dataclass(frozen=True, slots=True)
class _CutFormula:
    """A condition whose last comparison is not whole."""

    before: tuple[Expr, ...]
    left: Expr
    sign: Sign | None
    """``None`` where it was lost, too."""
    begun: str
    """What is left of the name on the right."""
    last: Expr


def completed(document: LiterateProgram) -> Checked[LiterateProgram]:
    """*document* with conditions that are cut off completed from those like them."""
    said: list[Diagnostic] = []
    names = NameUses(document)
    for definition in document.definitions:
        cut = _cut(definition, names)
        if cut is None or len(said) >= MOST_CUT:
            continue
        sign, model = _sign(cut, definition, document)
        right = None if sign is None else _right(cut, definition, names)
        if sign is None or right is None:
            condition = joined(cut.before, Sign.AND)
            said.append(_incomplete(definition, cut))
        else:
            span = cut.last.span
            whole = tree.BinaryExpr(sign, cut.left, replace(right, span=span), span=span)
            condition = joined((*cut.before, whole), Sign.AND)
            said.append(_completed(definition, cut, whole, model))
        branch = replace(definition.branches[0], value=condition)
        document = _replaced(document, definition, replace(definition, branches=(branch,)))
    return Checked(document, tuple(said))


def _cut(definition: Definition, names: NameUses) -> _CutFormula | None:
    if len(definition.branches) != 1 or definition.branches[0].guard is not None:
        return None
    parts = operands(definition.branches[0].value, Sign.AND)
    if len(parts) < 2:
        return None
    *before, last = parts
    if last in [each.left for each in before if _is_comparison(each)]:
        return _CutFormula(tuple(before), last, None, "", last)
    if _is_comparison(last) and last.right in names.undefined(definition):
        return _CutFormula(tuple(before), last.left, last.sign, shown(last.right), last)
    return None


def _is_comparison(expr: Expr) -> TypeGuard[tree.BinaryExpr]:
    return isinstance(expr, tree.BinaryExpr) and expr.sign in _COMPARING


def _sign(
    cut: _CutFormula, definition: Definition, document: LiterateProgram
) -> tuple[Sign | None, Definition | None]:
    """The relation that was lost, and the formula that shows it, if another one does."""
    wanted = [_compared(each) for each in cut.before]
    for other in document.definitions:
        if other.name == definition.name or len(other.branches) != 1:
            continue
        parts = operands(other.branches[0].value, Sign.AND)
        at = len(wanted)
        if len(parts) > at and [_compared(each) for each in parts[:at]] == wanted:
            part = parts[at]
            if isinstance(part, tree.BinaryExpr) and part.left == cut.left:
                return cut.sign or part.sign, other
    if cut.sign is not None:
        return cut.sign, None
    own = [
        part for part in cut.before if isinstance(part, tree.BinaryExpr) and part.left == cut.left
    ]
    return (_OTHER_WAY.get(own[0].sign) if len(own) == 1 else None), None


def _compared(expr: Expr) -> object:
    """What a condition compares, and how; not with what."""
    return (expr.sign, expr.left) if _is_comparison(expr) else expr


def _right(cut: _CutFormula, definition: Definition, names: NameUses) -> Expr | None:
    """What the last comparison compares with: what the others compare with, continued."""
    others = [each.right for each in cut.before if isinstance(each, tree.BinaryExpr)]
    named = [
        each
        for each in others
        if isinstance(each, tree.Identifier | tree.CallExpr) and each.name in names.definitions
    ]
    siblings = [names.definitions[each.name] for each in named]
    if not siblings:
        return None
    in_use = {definition.name, *used(definition)}
    forms = set(map(_skeleton, siblings))
    candidates = [
        each
        for each in names.document.definitions
        if each.name not in in_use and each.name.startswith(cut.begun) and _skeleton(each) in forms
    ]
    chosen = _nearest(candidates, siblings)
    return None if chosen is None else replace(named[-1], name=chosen.name)


def _skeleton(definition: Definition) -> object:
    """The form of a definition and its value, whatever numbers and names it has."""
    return (len(definition.parameters), *map(type, walk(definition.branches[0].value)))


def _nearest(candidates: Sequence[Definition], siblings: Sequence[Definition]) -> Definition | None:
    """The one that shares most words with *siblings* and stands nearest to them."""

    def key(each: Definition) -> tuple[int, int]:
        shared = max(len(_words(each.name) & _words(other.name)) for other in siblings)
        away = min(abs((each.number or 0) - (other.number or 0)) for other in siblings)
        return (-shared, away)

    ranked = sorted(candidates, key=key)
    if not ranked or (len(ranked) > 1 and key(ranked[0]) == key(ranked[1])):
        return None
    return ranked[0]


def _completed(
    definition: Definition, cut: _CutFormula, whole: tree.BinaryExpr, model: Definition | None
) -> Diagnostic:
    others = [shown(each.right) for each in cut.before if isinstance(each, tree.BinaryExpr)]
    notes = [
        f"the other conditions compare with {quoted(others)}, and "
        f"`{shown(whole.right)}` is the one of that kind that is left"
    ]
    if model is not None:
        notes.insert(0, f"{place(model)} has the same conditions, and goes on so")
    return Diagnostic(
        codes.FORMULA_CUT_OFF,
        f"{place(definition)} is cut off behind `{shown(cut.last)}`",
        primary=Label(cut.last.span, f"taken as `{shown(whole)}`"),
        secondary=() if model is None else (Label(model.name_span, "a formula like it"),),
        notes=tuple(notes),
    )


def _incomplete(definition: Definition, cut: _CutFormula) -> Diagnostic:
    return Diagnostic(
        codes.FORMULA_CUT_OFF,
        f"{place(definition)} is cut off behind `{shown(cut.last)}`",
        primary=Label(cut.last.span, "left out: nothing shows how it goes on"),
        help=f"put `Errata` below the program, and in it "
        f'"{shown(joined((*cut.before, cut.last), Sign.AND))}" → "the whole condition": reason',
    )
