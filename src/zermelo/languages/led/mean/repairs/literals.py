"""Atoms and strings that print damaged.

Atoms lost their backquotes, one operand is printed in place of another, and strings lost
their blanks, since print sets them as if they were formulas.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, TypeAlias

from zermelo.languages.led.mean.repairs.rewriting import (
    NameUses,
    changed_definition,
    joined,
    operands,
    place,
    prose_before,
    renamed,
    with_definitions,
)
from zermelo.languages.led.read import tree
from zermelo.languages.led.read.tree import Definition, Expr, LiterateProgram, Sign, nodes, walk
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.prose import listing
from zermelo.text.source import Span

_JOINING: Final = (Sign.OR, Sign.AND, Sign.UNION, Sign.INTERSECTION)


def with_backquotes(document: LiterateProgram) -> Checked[LiterateProgram]:
    """*document* with names that nothing defines taken as the atoms they must be."""
    names = NameUses(document)
    known = {
        node.name: definition
        for definition in reversed(document.definitions)
        for node in nodes(definition)
        if isinstance(node, tree.AtomName)
    }
    said: list[Diagnostic] = []
    result: list[Definition] = []
    for definition in document.definitions:
        lost = [each for each in names.undefined(definition) if each.name in known]
        result.append(_as_atoms(definition, {each.name for each in lost}))
        for name in dict.fromkeys(each.name for each in lost):
            spots = [each for each in lost if each.name == name]
            said.append(_backquote(definition, spots, known[name]))
    return Checked(with_definitions(document, result), tuple(said))


def _as_atoms(definition: Definition, lost: set[str]) -> Definition:
    def change(expr: Expr) -> Expr | None:
        if isinstance(expr, tree.Identifier) and expr.name in lost:
            return tree.AtomName(expr.name, span=expr.span)
        return None

    return changed_definition(definition, change) if lost else definition


def _backquote(
    definition: Definition, spots: Sequence[tree.Identifier], known: Definition
) -> Diagnostic:
    name = spots[0].name
    return Diagnostic(
        codes.LOST_BACKQUOTE,
        f"`{name}` in {place(definition)} has lost its backquote",
        primary=Label(spots[0].span, f"taken as the atom `` `{name} ``"),
        secondary=tuple(Label(each.span, "and here") for each in spots[1:]),
        notes=(f"nothing defines `{name}`, and the atom `` `{name} `` stands in {place(known)}",),
    )


def with_siblings(document: LiterateProgram) -> Checked[LiterateProgram]:
    """*document* in which an operand that is printed twice is taken as its sibling once.

    Siblings are atoms that stand in the same places elsewhere: where a formula has both
    ``f(`a)`` and ``f(`b)``, `` `a `` and `` `b `` are siblings.
    """
    family = _AtomFamilies(document)
    said: list[Diagnostic] = []
    result: list[Definition] = []
    for definition in document.definitions:
        change = partial(_distinct, definition=definition, family=family, said=said)
        result.append(changed_definition(definition, change))
    return Checked(with_definitions(document, result), tuple(said))


class _AtomFamilies:
    """The atoms of a program that stand in each other's places."""

    def __init__(self, document: LiterateProgram) -> None:
        self.document = document
        self.evidence: dict[str, dict[str, list[Definition]]] = {}
        seen: dict[object, dict[str, Definition]] = {}
        for definition in document.definitions:
            for form, atom in _forms(definition):
                for other, where in seen.get(form, {}).items():
                    if other != atom:
                        self._note(other, atom, (where, definition))
                        self._note(atom, other, (where, definition))
                seen.setdefault(form, {}).setdefault(atom, definition)

    def _note(self, atom: str, sibling: str, where: tuple[Definition, Definition]) -> None:
        found = self.evidence.setdefault(atom, {}).setdefault(sibling, [])
        found += (each for each in where if each not in found)

    def siblings(self, atom: str) -> Mapping[str, list[Definition]]:
        """The siblings of *atom*, with the formulas that show it."""
        return self.evidence.get(atom, {})


def _forms(definition: Definition) -> list[tuple[object, str]]:
    """The calls and tuples with one atom in them: what they are around it, and the atom."""
    found: list[tuple[object, str]] = []
    for node in nodes(definition):
        if isinstance(node, tree.CallExpr | tree.TupleExpr):
            atoms = _atoms(node)
            if len(atoms) == 1:
                found.append((renamed(node, tree.AtomName, atoms[0], ""), atoms[0]))
    found += [
        (("value of", definition.name), branch.value.name)
        for branch in definition.branches
        if isinstance(branch.value, tree.AtomName)
    ]
    return found


def _atoms(expr: Expr) -> list[str]:
    return sorted({each.name for each in walk(expr) if isinstance(each, tree.AtomName)})


def _distinct(
    expr: Expr, definition: Definition, family: _AtomFamilies, said: list[Diagnostic]
) -> Expr | None:
    """*expr* with its operands made distinct; ``None`` if there is nothing to do here."""
    if not isinstance(expr, tree.BinaryExpr) or expr.sign not in _JOINING:
        return None
    parts = list(operands(expr, expr.sign))
    is_changed = False
    for at, part in enumerate(parts):
        first = next((each for each in parts[:at] if each == part), None)
        new = None if first is None else _sibling(part, parts, family)
        if first is None or new is None:
            continue
        parts[at] = renamed(part, tree.AtomName, *new)
        said.append(_repeated(definition, (first, part), new, family))
        is_changed = True
    return joined(parts, expr.sign) if is_changed else None


def _sibling(part: Expr, parts: Sequence[Expr], family: _AtomFamilies) -> tuple[str, str] | None:
    """The one atom in *part* and the one sibling of it with which *part* is not there yet."""
    found = [
        (atom, other)
        for atom in _atoms(part)
        for other in family.siblings(atom)
        if renamed(part, tree.AtomName, atom, other) not in parts
    ]
    return found[0] if len(found) == 1 else None


def _repeated(
    definition: Definition, same: tuple[Expr, Expr], new: tuple[str, str], family: _AtomFamilies
) -> Diagnostic:
    atom, other = new
    shown = listing(place(each) for each in family.siblings(atom)[other])
    notes = [f"`` `{atom} `` and `` `{other} `` stand in each other's places in {shown}"]
    sentence = _sentence(prose_before(definition, family.document), atom, other)
    if sentence:
        notes.append(f"the text before it says: {sentence}")
    return Diagnostic(
        codes.SAME_OPERAND_PRINTED,
        f"both operands in {place(definition)} are the same",
        primary=Label(same[1].span, f"taken with `` `{other} `` in place of `` `{atom} ``"),
        secondary=(Label(same[0].span, "the same"),),
        notes=tuple(notes),
        help="`--as-written` keeps the formula as it is printed",
    )


def _sentence(text: str, *words: str) -> str:
    """The last sentence of *text* in which all *words* occur by themselves."""
    sentences = re.split(r"(?<=[.!?])\s+|\n\s*\n", text)
    for sentence in reversed(sentences):
        if all(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", sentence) for word in words):
            return " ".join(sentence.split())
    return ""


# Strings

SHORTEST: Final = 3
LONGEST: Final = 80
MOST_QUOTED: Final = 1000
"""How many words in quotation marks are compared with a string."""

_QUOTED: Final = re.compile(r"[\"“”]([^\"“”\n]{1,200})[\"“”]|``([^`'\n]{1,200})''")


_Spelling: TypeAlias = tuple[str, Span]
"""How prose spells a string, and where."""


def with_blanks(document: LiterateProgram) -> Checked[LiterateProgram]:
    """*document* with strings spelt as the prose around them spells them."""
    said: list[Diagnostic] = []
    result: list[Definition] = []
    quoted = [
        (part, found.span())
        for part in document.parts
        if isinstance(part, tree.Prose)
        for found in _QUOTED.finditer(part.text)
    ][:MOST_QUOTED]
    for at, definition in enumerate(document.parts):
        if isinstance(definition, Definition):
            spelling = partial(_spelling, near=_near(document, at), quoted=quoted)
            change = partial(_spelt, definition=definition, spelling=spelling, said=said)
            result.append(changed_definition(definition, change))
    return Checked(with_definitions(document, result), tuple(said))


def _spelt(
    expr: Expr,
    definition: Definition,
    spelling: Callable[[str], _Spelling | None],
    said: list[Diagnostic],
) -> Expr | None:
    if not isinstance(expr, tree.StringLiteral) or (found := spelling(expr.value)) is None:
        return None
    text, span = found
    said.append(
        Diagnostic(
            codes.LOST_BLANKS,
            f'the string "{expr.value}" in {place(definition)} has lost its blanks',
            primary=Label(expr.span, f'taken as "{text}"'),
            secondary=(Label(span, "spelt like this here"),),
        )
    )
    return tree.StringLiteral(text, span=expr.span)


def _near(document: LiterateProgram, at: int) -> list[tree.Prose]:
    before, behind = reversed(document.parts[:at]), document.parts[at:]
    found = (
        next((part for part in parts if isinstance(part, tree.Prose)), None)
        for parts in (before, behind)
    )
    return [each for each in found if each is not None]


def _spelling(
    text: str, near: list[tree.Prose], quoted: list[tuple[tree.Prose, tuple[int, int]]]
) -> _Spelling | None:
    """How *text* is spelt with blanks: in prose near it, or between quotation marks."""
    if not SHORTEST <= len(text) <= LONGEST or re.search(r"\s", text):
        return None
    letters = ("['’′]" if char in "'’" else re.escape(char) for char in text)
    pattern = re.compile(r"(?<!\w)" + r"\s*".join(letters) + r"(?!\w)")
    spellings = [
        *(found for prose in near for found in _matches(pattern, prose)),
        *(found for prose, within in quoted for found in _matches(pattern, prose, within=within)),
    ]
    if any(found == text for found, _ in spellings):
        return None
    return spellings[0] if spellings else None


def _matches(
    pattern: re.Pattern[str], prose: tree.Prose, *, within: tuple[int, int] | None = None
) -> list[_Spelling]:
    start, end = within or (0, len(prose.text))
    return [
        (
            " ".join(found.group().replace("’", "'").split()),
            Span(prose.span.start + found.start(), prose.span.start + found.end()),
        )
        for found in pattern.finditer(prose.text, start, end)
    ]
