"""What a name or a run of words stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.core.types import UNKNOWN, WORD, SetType, Type, Unknown
from zermelo.core.values import UNSET, Atom
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.terms import operators
from zermelo.languages.sections.mean.terms.binding import index_of
from zermelo.languages.sections.mean.terms.calls import Calls
from zermelo.languages.sections.mean.terms.definitions import Definitions, Expressions
from zermelo.languages.sections.mean.terms.names import Stranger, Table
from zermelo.languages.sections.mean.terms.typed import Scope, Typed, nothing
from zermelo.languages.sections.mean.terms.words import Word, spelling
from zermelo.languages.sections.read.grammar import tree
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Fix, Label, Report, Severity
from zermelo.text.source import NOWHERE, Span
from zermelo.text.suggest import nearest


@dataclass(slots=True)
class Lookup:
    """Resolves names; *expressions* does the rest."""

    names: Table
    definitions: Definitions
    expressions: Expressions
    report: Report
    calls: Calls

    def name(self, expr: tree.Name, scope: Scope, expected: Type) -> Typed:
        """A name: bound here, of the system, a family at an index, or a word."""
        text = expr.text
        if not scope.has(text):
            text = self.names.aliases.get(text, text)
        if text in scope.broken:
            self.report.unusable()
            return nothing(expr.span)
        if scope.has(text) and not (expected == WORD and self._lists(text, scope)):
            return Typed(ir.Local(text, span=expr.span), scope.types[text])
        word = self.names.words.find(text)
        if word is not None and expected == WORD and word.atom.name == text:
            return self._word(word, expr)
        found = self._declared(text, expr, scope)
        if found is not None:
            return found
        family = self.names.family_of(text)
        if family is not None:
            return self._member_of_family(family, expr, scope)
        if word is not None:
            return self._word(word, expr)
        return self._stranger(expr, expected)

    def _lists(self, text: str, scope: Scope) -> bool:
        return scope.lists_words and self.names.words.find(text) is not None

    def _declared(self, text: str, expr: tree.Name, scope: Scope) -> Typed | None:
        is_twin = text in self.names.twins
        if text in self.names.variables and not (is_twin and scope.is_domain):
            domain = self.definitions.variable(text)
            origin = self.names.variables[text].span
            return Typed(ir.Ref(text, span=expr.span), domain.type, origin)
        if text in self.names.sets:
            return self._set(text, expr.span)
        if text in self.names.guessed_sets:
            return self.expressions.typed(self.names.guessed_sets[text], scope)
        if text in self.names.functions:
            return self.calls.call(text, (), expr.span, scope)
        if text in self.names.families or text in self.names.procedures:
            return self._bare(text, expr.span)
        return None

    def _set(self, text: str, span: Span) -> Typed:
        value = self.definitions.set_called(text)
        if value is None:
            self.report.unusable()
            return nothing(span)
        name = bold(text) if text in self.names.twins else text
        return Typed(ir.Ref(name, span=span), value.type, self.names.sets[text].name_span)

    def _bare(self, text: str, span: Span) -> Typed:
        self.report.unusable()
        is_family = text in self.names.families
        what = "a family of sets" if is_family else "a procedure"
        self.report.say(
            Diagnostic(
                codes.KINDS_CLASH,
                f"`{text}` is {what}, and a value is needed here",
                primary=Label(span, what),
                secondary=self._place(text, "defined here"),
                help=f"write it with an index, as in `{text}_1`" if is_family else None,
            )
        )
        return nothing(span)

    def _member_of_family(self, family: str, expr: tree.Name, scope: Scope) -> Typed:
        index = index_of(expr.text) or ""
        at: tree.Expr = (
            tree.Number(int(index), span=expr.span)
            if index.isdecimal()
            else tree.Name(index, span=expr.span)
        )
        return self.calls.call(family, (at,), expr.span, scope)

    def _word(self, word: Word, expr: tree.Name | tree.Words) -> Typed:
        written = spelling(expr)
        if written != word.atom.name:
            self.report.say(
                Diagnostic(
                    codes.OTHER_CAPITALS,
                    f"`{written}` is written `{word.atom.name}` where it is listed",
                    primary=Label(expr.span, "other capitals or blanks"),
                    secondary=() if word.span == NOWHERE else (Label(word.span, "listed here"),),
                    notes=("they are taken as the same value",),
                    help=f"write `{word.atom.name}`",
                    fix=_fix(expr.span, word.atom.name),
                )
            )
        return Typed(ir.Literal(word.atom, span=expr.span), WORD)

    def _stranger(self, expr: tree.Name, expected: Type) -> Typed:
        if expr.text.casefold() == "unset":
            return Typed(ir.Literal(UNSET, span=expr.span), UNKNOWN)
        known = self.names.strangers.get(expr.text)
        is_value = expected == WORD or (
            known is not None and known.may_be_word and isinstance(expected, Unknown)
        )
        if is_value:
            return self._new_word(expr, expr.text)
        self.report.unusable()
        self.say_stranger(expr.text, known, expr.span)
        return nothing(expr.span)

    def say_stranger(self, name: str, known: Stranger | None, span: Span) -> None:
        """Say, once a name, that nothing explains it."""
        everything = [
            *self.names.variables,
            *self.names.sets,
            *self.names.functions,
            *(word.atom.name for word in self.names.words),
        ]
        near = [n for n in nearest(name, everything) if min(len(n), len(name)) > 1]
        count = 1 if known is None else len({use.span for use in known.uses})
        first = span if known is None else known.uses[0].span
        self.report.say(
            Diagnostic(
                codes.UNKNOWN_NAME,
                f"`{name}` is used here, but nothing of that name is declared",
                primary=Label(first, "not declared"),
                secondary=self._place(near[0], "a name like it") if near else (),
                notes=() if count < 2 else (f"`{name}` is used {count} times in this document",),
                help=f"write `{near[0]}`, or declare `{name}`"
                if near
                else f"declare `{name}` as a set or a variable",
                severity=Severity.ERROR,
            ),
            once=name,
        )

    def _new_word(self, expr: tree.Name | tree.Words, text: str) -> Typed:
        near = self.names.words.near(text)
        if near is not None:
            self.report.say(
                Diagnostic(
                    codes.NEW_WORD,
                    f"`{text}` is listed nowhere; it is taken as `{near.atom.name}`",
                    primary=Label(expr.span, "listed nowhere"),
                    secondary=(Label(near.span, "a value of nearly this name"),),
                    help=f"write `{near.atom.name}`",
                    fix=_fix(expr.span, near.atom.name),
                )
            )
            return Typed(ir.Literal(near.atom, span=expr.span), WORD)
        self.report.say(
            Diagnostic(
                codes.NEW_WORD,
                f"`{text}` is listed nowhere; it is taken as a value",
                primary=Label(expr.span, "listed nowhere"),
                help=f"add `{text}` to the set of the values it belongs to",
            ),
            once=text,
        )
        return Typed(ir.Literal(Atom(text), span=expr.span), WORD)

    def run(self, expr: tree.Words, scope: Scope, expected: Type) -> Typed:
        """A run of words: a value, a name split by blanks, or sets whose operator was lost."""
        text = spelling(expr)
        word = self.names.words.find(text)
        if word is not None:
            return self._word(word, expr)
        if expr.quoted:
            return self._new_word(expr, text)
        parts = self._segments(expr.words, scope)
        if parts is not None and len(parts) == 1:
            return self._split(parts[0], expr, scope, expected)
        if parts is not None and self._are_sets(parts, scope):
            return self._lost(parts, expr, scope)
        return self._new_word(expr, text)

    def _segments(self, run: Sequence[str], scope: Scope) -> tuple[str, ...] | None:
        """The names that *run* consists of, if its words, joined here and there, are all names."""
        if not run:
            return ()
        for size in range(len(run), 0, -1):
            name = "".join(run[:size])
            if scope.has(name) or self.names.is_declared(name):
                rest = self._segments(run[size:], scope)
                if rest is not None:
                    return (name, *rest)
        return None

    def _split(self, name: str, expr: tree.Words, scope: Scope, expected: Type) -> Typed:
        self.report.say(
            Diagnostic(
                codes.OTHER_CAPITALS,
                f"`{spelling(expr)}` is taken as `{name}`, split by a blank",
                primary=Label(expr.span, "one name"),
                secondary=self._place(name, "declared here"),
                help=f"write `{name}`",
                fix=_fix(expr.span, name),
            )
        )
        return self.name(tree.Name(name, span=expr.span), scope, expected)

    def _are_sets(self, parts: Sequence[str], scope: Scope) -> bool:
        with self.report.quiet():
            kinds = [self.name(tree.Name(part), scope, UNKNOWN).type for part in parts]
        return all(isinstance(kind, SetType | Unknown) for kind in kinds)

    def _lost(self, parts: Sequence[str], expr: tree.Words, scope: Scope) -> Typed:
        meant = " − ".join(parts)
        self.report.say(
            Diagnostic(
                codes.LOST_OPERATOR,
                f"between `{parts[0]}` and `{parts[1]}` an operator was lost; `{meant}` is assumed",
                primary=Label(expr.span, "two sets side by side"),
                notes=("a minus is the sign that is lost most often",),
                help=f"write `{meant}`",
                fix=_fix(expr.span, meant),
            )
        )
        result = self.name(tree.Name(parts[0], span=expr.span), scope, UNKNOWN)
        for part in parts[1:]:
            right = self.name(tree.Name(part, span=expr.span), scope, result.type)
            result = operators.binary(
                tree.BinaryOp.MINUS, result, right, span=expr.span, report=self.report
            )
        return result

    def _place(self, name: str, text: str) -> tuple[Label, ...]:
        place = self.names.place(self.names.aliases.get(name, name))
        return () if place is None else (Label(place, text),)


def _fix(span: Span, text: str) -> Fix | None:
    return None if span == NOWHERE else Fix(span, text)


def bold(name: str) -> str:
    """*name* in bold letters, for a set that shares its name with a variable.

    >>> bold("B"), bold("β")
    ('𝐁', 'β′')
    """
    letters = "".join(_bold_letter(c) for c in name)
    return letters if letters != name else f"{name}′"


def _bold_letter(letter: str) -> str:
    if "A" <= letter <= "Z":
        return chr(ord("𝐀") + ord(letter) - ord("A"))
    if "a" <= letter <= "z":
        return chr(ord("𝐚") + ord(letter) - ord("a"))
    return letter
