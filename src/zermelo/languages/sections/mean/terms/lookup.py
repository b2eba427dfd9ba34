"""What a name stands for: alone, in a run of words, or with brackets behind it.

``X(y)`` is a function, a family, the power set, a lost minus, or a set tested like a function.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from zermelo.core.values import (
    NUMBER,
    TRUTH,
    UNKNOWN,
    UNSET,
    WORD,
    Atom,
    SetType,
    Type,
    Unknown,
    unify,
    words,
)
from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import Op
from zermelo.languages.sections.mean.items import TRUTH_LETTERS, spelling
from zermelo.languages.sections.mean.terms import operators
from zermelo.languages.sections.mean.terms.binding import index_of
from zermelo.languages.sections.mean.terms.definitions import Definitions, Elaborate
from zermelo.languages.sections.mean.terms.names import NameTable, Stranger, Word
from zermelo.languages.sections.mean.terms.operators import (
    Settle,
    Typed,
    TypeScope,
    fits,
    item_type,
    nothing,
)
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.printer import to_text as to_unicode
from zermelo.text import codes
from zermelo.text.budget import similar, spend
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Fix, Label, Report
from zermelo.text.errors import SimilarNames
from zermelo.text.prose import count
from zermelo.text.source import NOWHERE, Span

_NUMBER: Final = re.compile("[0-9]{1,18}")
_STEPS_OF_A_NAME: Final = 8
_LETTERS_OF_A_STEP: Final = 64
_EXTREMES: Final = frozenset({"min", "max"})
_POWER_SET_NAMES: Final = frozenset({"p", "pow", "power", "powerset", "ps"})
_BOLD: Final = {ord("A") + i: ord("𝐀") + i for i in range(26)} | {
    ord("a") + i: ord("𝐚") + i for i in range(26)
}


@dataclass(slots=True)
class Lookup:
    """Resolves names; *typed* elaborates the expressions in brackets behind them."""

    names: NameTable
    definitions: Definitions
    report: Report
    typed: Elaborate
    settle: Settle
    """Says how a formula is read whose sides are of unlike kinds."""
    _known: SimilarNames = field(default_factory=lambda: SimilarNames(()))

    def name(self, expr: tree.Name, scope: TypeScope, expected: Type) -> Typed:
        """A name: bound here, of the system, a family at an index, or a word."""
        text = expr.text
        if not scope.has(text):
            text = self.names.aliases.get(text, text)
        if text in scope.broken:
            self.report.unusable(*scope.broken[text])
            return nothing(expr.span)
        word = self.names.words.find(text)
        is_word = expected == WORD and scope.lists_words and word is not None
        if scope.has(text) and not is_word:
            return Typed(ir.Local(text, span=expr.span), scope.types[text])
        if word is not None and expected == WORD and word.atom.name == text:
            return self._word(word, expr)
        found = self._declared(text, expr, scope)
        if found is not None:
            return found
        family = self.names.family_of(text)
        if family is not None:
            index = index_of(expr.text) or ""
            at: tree.Expr = (
                tree.NumberLiteral(int(index), span=expr.span)
                if index.isdecimal()
                else tree.Name(index, span=expr.span)
            )
            return self._call(family, (at,), expr.span, scope)
        if text in TRUTH_LETTERS and expected == TRUTH:
            return self._truth_letter(expr)
        if word is not None:
            return self._word(word, expr)
        return self._stranger(expr, expected)

    def _truth_letter(self, expr: tree.Name) -> Typed:
        self.report.tell(
            codes.LETTER_AS_TRUTH,
            "`T` and `F` are taken as true and false",
            Label(expr.span, "a truth value"),
            help="write `true` and `false`",
            once="letters",
        )
        return Typed(ir.Literal(TRUTH_LETTERS[expr.text], span=expr.span), TRUTH)

    def _declared(self, text: str, expr: tree.Name, scope: TypeScope) -> Typed | None:
        is_twin = text in self.names.twins
        if text in self.names.variables and not (is_twin and scope.is_domain):
            domain = self.definitions.variable(text)
            origin = self.names.variables[text].span
            return Typed(ir.Ref(text, span=expr.span), domain.type, origin)
        if text in self.names.sets:
            value = self.definitions.set_called(text)
            if value is None:
                self.report.unusable(*self.definitions.causes(text))
                return nothing(expr.span)
            name = bold(text) if is_twin else text
            return Typed(ir.Ref(name, span=expr.span), value.type, self.names.sets[text].name_span)
        if text in self.names.guessed_sets:
            return self.typed(self.names.guessed_sets[text], scope, UNKNOWN)
        if text in self.names.functions:
            return self._call(text, (), expr.span, scope)
        if text in self.names.families or text in self.names.procedures:
            return self._bare(text, expr.span)
        return None

    def _bare(self, text: str, span: Span) -> Typed:
        self.report.unusable()
        is_family = text in self.names.families
        what = "a family of sets" if is_family else "a procedure"
        self.report.tell(
            codes.KINDS_CLASH,
            f"`{text}` is {what}, and a value is needed here",
            Label(span, what),
            *self._labels(text, "defined here"),
            help=f"write it with an index, as in `{text}_1`" if is_family else None,
        )
        return nothing(span)

    def _word(self, word: Word, expr: tree.Name | tree.WordRun) -> Typed:
        written = spelling(expr)
        if written != word.atom.name:
            self.report.tell(
                codes.OTHER_CAPITALS,
                f"`{written}` is written `{word.atom.name}` where it is listed",
                Label(expr.span, "other capitals or blanks"),
                *(() if word.span == NOWHERE else (Label(word.span, "listed here"),)),
                notes=("they are taken as the same value",),
                help=f"write `{word.atom.name}`",
                fix=operators.fix(expr.span, word.atom.name),
            )
        return Typed(ir.Literal(word.atom, span=expr.span), WORD)

    def _stranger(self, expr: tree.Name, expected: Type) -> Typed:
        if expr.text.casefold() == "unset":
            return Typed(ir.Literal(UNSET, span=expr.span), UNKNOWN)
        if expr.text in self.names.lost:
            self.report.unusable(self.names.lost[expr.text])
            return nothing(expr.span)
        known = self.names.strangers.get(expr.text)
        is_value = expected == WORD or (
            known is not None and known.may_be_word and isinstance(expected, Unknown)
        )
        if is_value:
            return self._new_word(expr, expr.text)
        self.report.unusable()
        self._say_stranger(expr.text, known, expr.span)
        return nothing(expr.span)

    def _everything(self) -> SimilarNames:
        """All that has a name by now."""
        everything = (
            *self.names.variables,
            *self.names.sets,
            *self.names.functions,
            *(word.atom.name for word in self.names.words),
        )
        self._known = self._known.over(everything)
        return self._known

    def _say_stranger(self, name: str, known: Stranger | None, span: Span) -> None:
        if self.report.has_said(codes.UNKNOWN_NAME, once=name):
            return
        near = [n for n in similar(name, self._everything()) if min(len(n), len(name)) > 1]
        times = 1 if known is None else len({use.span for use in known.uses})
        first = span if known is None else known.uses[0].span
        self.report.tell(
            codes.UNKNOWN_NAME,
            f"`{name}` is used here, but nothing of that name is declared",
            Label(first, "not declared"),
            *self._labels(near[0], "a name like it") if near else (),
            notes=() if times < 2 else (f"`{name}` is used {times} times in this document",),
            help=f"write `{near[0]}`, or declare `{name}`"
            if near
            else f"declare `{name}` as a set or a variable",
            severity=Severity.ERROR,
            once=name,
        )

    def _new_word(self, expr: tree.Name | tree.WordRun, text: str) -> Typed:
        near = self.names.words.near(text)
        if near is not None:
            self.report.tell(
                codes.NEW_WORD,
                f"`{text}` is listed nowhere; it is taken as `{near.atom.name}`",
                Label(expr.span, "listed nowhere"),
                Label(near.span, "a value of nearly this name"),
                help=f"write `{near.atom.name}`",
                fix=operators.fix(expr.span, near.atom.name),
            )
            return Typed(ir.Literal(near.atom, span=expr.span), WORD)
        self.report.tell(
            codes.NEW_WORD,
            f"`{text}` is listed nowhere; it is taken as a value",
            Label(expr.span, "listed nowhere"),
            help=f"add `{text}` to the set of the values it belongs to",
            once=text,
        )
        return Typed(ir.Literal(Atom(text), span=expr.span), WORD)

    def run(self, expr: tree.WordRun, scope: TypeScope, expected: Type) -> Typed:
        """A run of words: a value, a name split by blanks, or sets whose operator was lost."""
        text = spelling(expr)
        word = self.names.words.find(text)
        if word is not None:
            return self._word(word, expr)
        if expr.quoted:
            return self._new_word(expr, text)
        if expected == NUMBER and _NUMBER.fullmatch(expr.words[0]):
            return self._counted(expr)
        parts = self._segments(expr.words, scope)
        if parts is not None and len(parts) == 1:
            return self._split(parts[0], expr, scope, expected)
        if parts is not None:
            with self.report.quiet():
                kinds = [self.name(tree.Name(part), scope, UNKNOWN).type for part in parts]
            if all(isinstance(kind, SetType | Unknown) for kind in kinds):
                return self._lost(parts, expr, scope)
        return self._new_word(expr, text)

    def _counted(self, expr: tree.WordRun) -> Typed:
        """A number with what is counted behind it, where a number is looked for."""
        number = expr.words[0]
        self.report.tell(
            codes.NUMBER_WITH_NOUN,
            f"`{spelling(expr)}` is taken as `{number}`, and the rest as what is counted",
            Label(expr.span, "a number is looked for here"),
            help=f"write `{number}`",
            fix=operators.fix(expr.span, number),
        )
        return Typed(ir.Literal(int(number), span=expr.span), NUMBER)

    def _segments(self, run: Sequence[str], scope: TypeScope) -> tuple[str, ...] | None:
        """The names that *run* consists of, if its words, joined here and there, are all names."""
        # From the end, so that no rest of the run is looked at twice; of several ways the one
        # whose first name is longest is taken.
        found: dict[int, tuple[str, ...]] = {len(run): ()}
        for start in reversed(range(len(run))):
            for end, rest in found.items():
                name = "".join(run[start:end])
                spend(_STEPS_OF_A_NAME + len(name) // _LETTERS_OF_A_STEP, "looking for names")
                if scope.has(name) or self.names.is_declared(name):
                    found[start] = (name, *rest)
                    break
        return found.get(0)

    def _split(self, name: str, expr: tree.WordRun, scope: TypeScope, expected: Type) -> Typed:
        self.report.tell(
            codes.OTHER_CAPITALS,
            f"`{spelling(expr)}` is taken as `{name}`, split by a blank",
            Label(expr.span, "one name"),
            *self._labels(name, "declared here"),
            help=f"write `{name}`",
            fix=operators.fix(expr.span, name),
        )
        return self.name(tree.Name(name, span=expr.span), scope, expected)

    def _lost(self, parts: Sequence[str], expr: tree.WordRun, scope: TypeScope) -> Typed:
        meant = " − ".join(parts)
        self.report.tell(
            codes.LOST_OPERATOR,
            f"between `{parts[0]}` and `{parts[1]}` an operator was lost; `{meant}` is assumed",
            Label(expr.span, "two sets side by side"),
            notes=("a minus is the sign that is lost most often",),
            help=f"write `{meant}`",
            fix=operators.fix(expr.span, meant),
        )
        result = self.name(tree.Name(parts[0], span=expr.span), scope, UNKNOWN)
        for part in parts[1:]:
            right = self.name(tree.Name(part, span=expr.span), scope, result.type)
            result = operators.binary(
                tree.BinaryOp.MINUS,
                result,
                right,
                span=expr.span,
                report=self.report,
                settle=self.settle,
            )
        return result

    def applied(self, expr: tree.Apply, scope: TypeScope, expected: Type) -> Typed:
        """``f(x)``: a function, a family, the power set, a lost minus, or a set tested like one."""
        name = self.names.aliases.get(expr.name, expr.name)
        if name in self.names.functions or name in self.names.families:
            return self._call(name, expr.arguments, expr.span, scope)
        if name.lower() in _EXTREMES and not self.names.is_declared(name) and expr.arguments:
            return self._extreme(expr, scope)
        # Few documents have functions that are no value functions of their own.
        from zermelo.languages.sections.mean.terms import built_ins  # noqa: PLC0415

        if not self.names.is_declared(name) and not scope.has(name):
            made = built_ins.applied(expr, scope, self.typed, self.report)
            if made is not None:
                return made
        at_place = self._at(expr, name, scope)
        if at_place is not None:
            return at_place
        if len(expr.arguments) == 1:
            return self._beside(expr, name, scope, expected)
        return self._unknown(expr)

    def _at(self, expr: tree.Apply, name: str, scope: TypeScope) -> Typed | None:
        """``f(x)`` where f is a variable or set of pairs: the value that it pairs x with."""
        if not (scope.has(name) or self.names.is_set(name) or name in self.names.variables):
            return None
        from zermelo.languages.sections.mean.terms import built_ins  # noqa: PLC0415 - as above

        with self.report.quiet():
            relation = self.name(tree.Name(name, span=_head(expr)), scope, UNKNOWN)
        ends = built_ins.ends_of(relation)
        if ends is None or not expr.arguments:
            return None
        one = expr.arguments[0]
        place = tree.TupleOf(expr.arguments, span=expr.span) if expr.arguments[1:] else one
        with self.report.quiet():
            kind = self.typed(place, scope, ends[0]).type
        if not self._is_function(name) and not fits(kind, ends[0]):
            return None
        before = self.report.faults
        given = operators.must_fit(
            self.typed(place, scope, ends[0]),
            ends[0],
            lambda text, its: f"`{name}` takes {words(ends[0])}, and {text} is {its}",
            *self._labels(name, "declared here"),
            faults=before,
            report=self.report,
        )
        relation = self.name(tree.Name(name, span=_head(expr)), scope, UNKNOWN)
        return built_ins.value_at(relation, given, expr.span)

    def _is_function(self, name: str) -> bool:
        """Whether *name* is declared as ``name : A → B``."""
        entry = self.names.variables.get(name)
        declared = None if entry is None else entry.declaration
        return declared is not None and declared.relation is tree.DeclaredRelation.FUNCTION

    def _beside(self, expr: tree.Apply, name: str, scope: TypeScope, expected: Type) -> Typed:
        """``X(y)`` where X is no function."""
        is_name = scope.has(name) or self.names.is_set(name) or name in self.names.variables
        is_power = name.casefold() in _POWER_SET_NAMES
        if not is_name and not is_power:
            return self._unknown(expr)
        this = tree.Name(name, span=_head(expr))
        with self.report.quiet():
            inner = self.typed(expr.arguments[0], scope, UNKNOWN)
            whole = self.name(this, scope, UNKNOWN) if is_name else None
        if whole is not None and not isinstance(whole.type, SetType | Unknown):
            return self._unknown(expr)
        if not isinstance(inner.type, SetType | Unknown):
            return self._tested(expr, name, inner.type, whole, scope)
        as_power, as_minus = _fitting(inner, whole, expected, is_power=is_power)
        if as_power and as_minus:
            text = to_unicode(expr.arguments[0])
            self.report.tell(
                codes.POWER_SET_OR_MINUS,
                f"`{name}(…)` can be the power set, or `{name} − (…)` with its minus lost",
                Label(expr.span, "taken as the power set"),
                *self._labels(name, "a set too"),
                help=f"write `𝒫({text})`, or `{name} − ({text})`",
            )
        if not as_power:
            return self._lost_minus(expr, name, scope, expected)
        if name in self.names.sets or name in self.names.variables:
            self._say_power_letter(name, expr.span)
        return self.typed(tree.PowerSet(expr.arguments[0], span=expr.span), scope, expected)

    def _tested(
        self, expr: tree.Apply, name: str, kind: Type, whole: Typed | None, scope: TypeScope
    ) -> Typed:
        """``Free(pos)``: the set tested like a predicate."""
        if whole is None or not fits(kind, item_type(whole.type)):
            return self._unknown(expr)
        member = self.typed(expr.arguments[0], scope, UNKNOWN)
        text = f"{to_text(member.expr)} ∈ {name}"
        self.report.tell(
            codes.MEMBERSHIP_AS_CALL,
            f"`{name}` is a set and no function; `{text}` is assumed",
            Label(expr.span, "a set, written like a function"),
            *self._labels(name, "declared here"),
            help=f"write `{text}`",
            fix=operators.fix(expr.span, text),
        )
        right = self.name(tree.Name(name, span=_head(expr)), scope, UNKNOWN)
        return Typed(ir.Binary(Op.IN, member.expr, right.expr, span=expr.span), TRUTH)

    def _lost_minus(self, expr: tree.Apply, name: str, scope: TypeScope, expected: Type) -> Typed:
        left = self.name(tree.Name(name, span=_head(expr)), scope, expected)
        right = self.typed(expr.arguments[0], scope, left.type)
        inside = to_text(right.expr)
        meant = f"{name} − {inside}" if isinstance(right.expr, ir.Ref) else f"{name} − ({inside})"
        why = "a minus is the sign that is lost most often"
        if name.casefold() in _POWER_SET_NAMES:
            why = f"the power set would be {words(SetType(right.type))}, which does not fit here"
        self.report.tell(
            codes.LOST_OPERATOR,
            f"after `{name}` an operator was lost; `{meant}` is assumed",
            Label(expr.span, "two sets side by side"),
            notes=(why,),
            help=f"write `{meant}`",
            fix=self._minus_fix(expr),
        )
        return operators.binary(
            tree.BinaryOp.MINUS,
            left,
            right,
            span=expr.span,
            report=self.report,
            settle=self.settle,
        )

    def _minus_fix(self, expr: tree.Apply) -> Fix | None:
        head = _head(expr)
        if head in {NOWHERE, expr.span}:
            return None
        has_blank = self.report.source.text[head.end : head.end + 1].isspace()
        return Fix(Span(head.end, head.end), " −" if has_blank else " − ")

    def _say_power_letter(self, name: str, span: Span) -> None:
        """Note, once, that one letter stands for a set and for the power set."""
        self.report.tell(
            codes.POWER_SET_LETTER,
            f"`{name}` is a set, and also the letter of the power set",
            Label(span, "here it is the power set"),
            *self._labels(name, "here it is a set"),
            help="write `𝒫` for the power set",
            once=name,
        )

    def _call(
        self, name: str, arguments: tuple[tree.Expr, ...], span: Span, scope: TypeScope
    ) -> Typed:
        function = self.definitions.function(name)
        is_family = name in self.names.families
        wanted = 1 if is_family else len(self.names.functions[name].parameters)
        given = len(arguments)
        if wanted != given:
            self.report.unusable()
            self.report.tell(
                codes.WRONG_NUMBER,
                wrong_number(name, wanted, given),
                Label(span, count(given, "argument")),
                *self._labels(name, "defined here"),
            )
            return nothing(span)
        if function is None:
            # A function that calls itself has no type yet; one that is broken cannot be used.
            if self.definitions.is_done(name):
                self.report.unusable(*self.definitions.causes(name))
                return nothing(span)
            values = [self.typed(argument, scope, UNKNOWN) for argument in arguments]
        else:
            heads = zip(function.parameters, arguments, strict=True)
            values = [self._argument(name, head, argument, scope) for head, argument in heads]
        made = ir.Apply(name, tuple(value.expr for value in values), span=span)
        return Typed(made, UNKNOWN if function is None else function.type)

    def _argument(
        self, name: str, parameter: ir.Parameter, argument: tree.Expr, scope: TypeScope
    ) -> Typed:
        before = self.report.faults
        needs = f"`{name}` takes {words(parameter.type)} as `{parameter.name}`"
        return operators.must_fit(
            self.typed(argument, scope, parameter.type),
            parameter.type,
            lambda text, its: f"{needs}, and {text} is {its}",
            *self._labels(name, "defined here"),
            faults=before,
            report=self.report,
        )

    def _extreme(self, expr: tree.Apply, scope: TypeScope) -> Typed:
        """``min(a, b)`` or ``max(S)``: the one member that is beyond none; of ∅ it has no value."""
        span = expr.span
        among = expr.arguments[0]
        if len(expr.arguments) > 1:
            among = tree.SetOf(expr.arguments, span=span)
        this, other = tree.Name("·this", span=span), tree.Name("·other", span=span)
        op = tree.CompareOp.LE if expr.name.lower() == "min" else tree.CompareOp.GE
        first = tree.Compare(this, ((op, other),), span=span)
        every = tree.Quantified(tree.Quantifier.ALL, (other.text,), among, first, span=span)
        best = self.typed(tree.SetBuilder(this, among, every, span=span), scope, SetType(NUMBER))
        return Typed(ir.Only(best.expr, span=span), NUMBER)

    def _unknown(self, expr: tree.Apply) -> Typed:
        if expr.name in self.names.lost:
            self.report.unusable(self.names.lost[expr.name])
            return nothing(expr.span)
        self.report.unusable()
        near = similar(expr.name, [*self.names.functions, *self.names.families])
        why = f"`{expr.name}` is used like a function, but none of that name is defined"
        if expr.name in self.names.procedures:
            why = f"`{expr.name}` is a procedure, and has no value"
        self.report.tell(
            codes.UNKNOWN_FUNCTION,
            why,
            Label(_head(expr), "no value function"),
            *self._labels(near[0], "a function of nearly this name")
            if near
            else self._labels(expr.name, "this is what it is"),
            help=f"write `{near[0]}`" if near else f"define `{expr.name}(…) = …`",
            once=expr.name,
        )
        return nothing(expr.span)

    def _labels(self, name: str, text: str) -> tuple[Label, ...]:
        return self.names.labels(self.names.aliases.get(name, name), text)


def bold(name: str) -> str:
    """*name* in bold letters, for a set that shares its name with a variable.

    >>> bold("B"), bold("β")
    ('𝐁', 'β′')
    """
    letters = name.translate(_BOLD)
    return letters if letters != name else f"{name}′"


def _fitting(
    inner: Typed, whole: Typed | None, expected: Type, *, is_power: bool
) -> tuple[bool, bool]:
    """Whether the power set of *inner*, and whether ``whole − inner``, fit in this place."""
    if whole is None:
        return True, False
    power = SetType(inner.type if isinstance(inner.type, SetType) else SetType(UNKNOWN))
    as_power = is_power and fits(power, expected)
    rest = unify(whole.type, inner.type)
    # P(P) of the set P itself is never P − P.
    as_minus = rest is not None and fits(rest, expected) and inner.expr != whole.expr
    return (as_power, as_minus) if as_power or as_minus else (is_power, not is_power)


def _head(expr: tree.Apply) -> Span:
    """Where the name before the brackets stands."""
    return expr.name_span.or_else(expr.span)


def wrong_number(name: str, wanted: int, given: int) -> str:
    are = "is" if given == 1 else "are"
    return f"`{name}` takes {count(wanted, 'argument')}, and {given} {are} given"
