"""Properties: what a document, or whoever asks, wants to know of all states.

A property is `always`, `sometimes` or `never` and a formula in the names of the document. Beside
these the formula may ask for the moves of a state: `legal(Move(a))` and `legal(Move)`, `stuck`,
`over` and `turn of A`, unless the document has such names itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from zermelo.core.signature import Asked
from zermelo.core.values import FALSE, TRUTH, SetType, TupleType, Type
from zermelo.languages.sections.ir import (
    STUCK_HERE,
    Expr,
    Literal,
    Local,
    Not,
    Parameter,
    Procedure,
    Property,
    System,
    legal_of,
)
from zermelo.languages.sections.mean.terms.formulas import pieces, typed_expression
from zermelo.languages.sections.walk import rebuilt
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.lines import Setting
from zermelo.text.prose import count, listing
from zermelo.text.source import NOWHERE, Span

MOST_PROPERTIES: Final = 40
_ASKED: Final = re.compile(r"\s*(always|sometimes|never)\b[\s:]*(.*\S)\s*", re.IGNORECASE | re.S)
_LEGAL: Final = re.compile(r"\blegal\s*\(")
_CALL: Final = re.compile(r"\s*(\w+)\s*(?:\((.*)\))?\s*", re.S)
_HELP: Final = "write `always`, `sometimes` or `never`, and a formula, as in `never stuck`"


def with_properties(
    system: System, settings: Iterable[Setting] = (), texts: Iterable[str] = ()
) -> Checked[System]:
    """*system* with the properties of its document, or those that *texts* add to it."""
    found = list(system.properties)
    said: list[Diagnostic] = []
    asked = [(f"{each.key} {each.value}", each.span) for each in settings]
    for text, span in (*asked, *((text, NOWHERE) for text in texts)):
        if len(found) == MOST_PROPERTIES:
            said.append(_too_many(span))
            break
        made = _property(system, text, span)
        if isinstance(made, Diagnostic):
            said.append(made)
        else:
            found.append(made)
    return Checked(replace(system, properties=tuple(found)), tuple(said))


def _too_many(span: Span) -> Diagnostic:
    return Diagnostic(
        codes.TOO_LARGE,
        f"there are more than {MOST_PROPERTIES} properties",
        primary=None if span == NOWHERE else Label(span, "not asked, nor what follows"),
        help="ask for some of them with `--property`",
    )


def _property(system: System, text: str, span: Span) -> Property | Diagnostic:
    match = _ASKED.fullmatch(text)
    if match is None:
        return _not_understood(text, span, "it does not say how often", _HELP)
    asked = Asked(match[1].casefold())
    formula = _Formula(system)
    try:
        written = formula.with_names(match[2])
    except _NoSuch as found:
        return _not_understood(text, span, str(found), found.help)
    typed = typed_expression(system, written, names=formula.parameters, expected=TRUTH)
    if typed.value is None:
        errors = [each for each in typed.diagnostics if each.is_error] or typed.diagnostics
        why = errors[0].message if errors else "it is no formula"
        return _not_understood(text, span, why, errors[0].help if errors else None)
    expr = formula.with_meanings(typed.value)
    if asked is not Asked.ALWAYS:
        expr = Not(expr, span=expr.span)
    return Property(asked, expr, " ".join(text.split()), span=span)


def _not_understood(text: str, span: Span, why: str, help_: str | None) -> Diagnostic:
    return Diagnostic(
        codes.PROPERTY_NOT_UNDERSTOOD,
        f"the property `{' '.join(text.split())}` is not understood: {why}",
        primary=None if span == NOWHERE else Label(span, "not asked"),
        help=help_,
    )


class _NoSuch(Exception):
    """A property names something that is not there."""

    def __init__(self, message: str, help_: str) -> None:
        super().__init__(message)
        self.help = help_


@dataclass(frozen=True, slots=True)
class _Meaning:
    expr: Expr
    type: Type


class _Formula:
    """A formula whose own words are replaced by names, and the names later by what they mean."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._known = {
            *(each.name for each in system.sets),
            *(each.name for each in system.variables),
            *(each.name for each in system.functions),
        }
        self._meanings: dict[str, _Meaning] = {}

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        return {
            name: Parameter(name, Literal(frozenset()), each.type)
            for name, each in self._meanings.items()
        }

    def with_names(self, text: str) -> str:
        """*text* with a name for everything in it that only properties have."""
        text = self._legal(self._turns(text))
        over = self._system.over or Literal(FALSE)
        for word, meaning in (("stuck", Local(STUCK_HERE)), ("over", over)):
            if word not in self._known and re.search(rf"\b{word}\b", text):
                text = re.sub(rf"\b{word}\b", self._name(meaning, TRUTH), text)
        return text

    def with_meanings(self, expr: Expr) -> Expr:
        match expr:
            case Local(name) if name in self._meanings:
                return self._meanings[name].expr
            case _:
                return rebuilt(expr, self.with_meanings)

    def _name(self, expr: Expr, kind: Type) -> str:
        name = "asked" + "abcdefghijklmnopqrstuvwxyz"[len(self._meanings) % 26]
        while name in self._known or name in self._meanings:
            name += "x"
        self._meanings[name] = _Meaning(expr, kind)
        return name

    def _turns(self, text: str) -> str:
        players = sorted(self._system.players, key=lambda each: -len(each.name))
        for each in players:
            said = re.compile(rf"\bturn\s+of\s+{re.escape(each.name)}(?!\w)")
            if said.search(text):
                text = said.sub(self._name(each.turn, TRUTH), text)
        left = re.search(r"\bturn\s+of\s+(\S+)", text)
        if left is not None:
            names = listing([each.name for each in players]) or "not known"
            raise _NoSuch(f"there is no player `{left[1]}`", f"the players are {names}")
        return text

    def _legal(self, text: str) -> str:
        while (found := _LEGAL.search(text)) is not None and "legal" not in self._known:
            end = _closing(text, found.end())
            call = None if end is None else _CALL.fullmatch(text[found.end() : end])
            if call is None or end is None:
                raise _NoSuch("`legal` asks for a move", "write `legal(Move)` or `legal(Move(a))`")
            text = f"{text[: found.start()]}({self._called(call)}){text[end + 1 :]}"
        return text

    def _called(self, call: re.Match[str]) -> str:
        move = next((each for each in self._system.moves if each.name == call[1]), None)
        if move is None:
            names = listing([each.name for each in self._system.moves]) or "none"
            raise _NoSuch(f"there is no move `{call[1]}`", f"the moves are {names}")
        name = self._name(Local(legal_of(move.name)), _type(move))
        arguments = (call[2] or "").strip()
        given = len(pieces(arguments, None)) if arguments else 0
        if given not in {0, len(move.parameters)}:
            wanted = count(len(move.parameters), "argument")
            raise _NoSuch(f"`{move.name}` takes {wanted}", f"write `legal({move.name})` for any")
        if not move.parameters:
            return name
        if not arguments:
            return f"{name} ≠ ∅"
        return f"({arguments}) ∈ {name}"


def _type(move: Procedure) -> Type:
    match move.parameters:
        case ():
            return TRUTH
        case (one,):
            return SetType(one.type)
        case several:
            return SetType(TupleType(tuple(each.type for each in several)))


def _closing(text: str, start: int) -> int | None:
    """Where the bracket is closed that was opened before *start*."""
    level = 1
    for at in range(start, len(text)):
        level += {"(": 1, ")": -1}.get(text[at], 0)
        if level == 0:
            return at
    return None
