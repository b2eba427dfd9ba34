"""What a net in PROD's language means.

A part that cannot be used makes the whole net unusable, for a net without it is another
net; everything else that is wrong is said too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import product
from math import prod

from zermelo.languages.nets import ir
from zermelo.languages.nets.read.prod import tree
from zermelo.languages.nets.read.prod.c_functions import lower_functions
from zermelo.languages.nets.read.prod.c_meaning import CCode, CScope, NotUsable
from zermelo.languages.nets.read.prod.document import ProdDocument
from zermelo.languages.nets.read.prod.expressions import meant
from zermelo.languages.nets.read.prod.lints import lints
from zermelo.languages.nets.read.prod.sources import NetTexts
from zermelo.languages.nets.run.bags import Bag, Token
from zermelo.languages.nets.run.evaluate import variables_in_order, variables_of
from zermelo.text import codes
from zermelo.text.codes import Code
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.prose import count
from zermelo.text.source import NOWHERE, Span

MOST_TOKENS = 1_000_000
MOST_COUNT = 1 << 62
_NEGATIVE = "a negative number of tokens cannot be written here"
_MOST_SUGGESTIONS = 10
"""Where more is wrong than this, near names are no longer looked for: that takes long."""


def elaborate(written: ProdDocument) -> Checked[ir.Net]:
    elaborator = _Elaborator(written.document, written.texts)
    net = elaborator.net()
    said = written.texts.located(elaborator.said)
    if any(each.is_error for each in said):
        return Checked(None, said)
    return Checked(net, (*said, *lints(net, written.document)))


@dataclass(slots=True)
class _TransitionVariables:
    """The variables of a transition, in the order in which they are met."""

    where: dict[str, Span] = field(default_factory=dict)
    matched: set[str] = field(default_factory=set)
    """Those that stand alone in a tuple of an input, or in a ``let``."""

    def meet(self, expr: ir.Expr, span: Span) -> None:
        for name in variables_in_order(expr):
            self.where.setdefault(name, span)


class _Elaborator:
    def __init__(self, document: tree.NetDocument, texts: NetTexts) -> None:
        self._document = document
        self._texts = texts
        self._code = CCode(document, lambda span: texts.in_document(span) or NOWHERE)
        self._arities: dict[str, tuple[int, Span]] = {}
        """How long the tuples of each place are, and where that is seen first."""
        self._no_constants: set[str] = set()
        self._without_value: list[tuple[str, Diagnostic]] = []
        self.said: list[Diagnostic] = []

    def net(self) -> ir.Net:
        self._check_names("place", self._document.places)
        self._check_names("transition", self._document.transitions)
        self._find_arities()
        transitions = [self._transition(each) for each in self._document.transitions]
        places = [self._place(each) for each in self._document.places]
        lower_functions(self._code)
        self._code.say_unused()
        # A name that should have been defined is said once.
        self.said.extend(
            each for name, each in self._without_value if name not in self._no_constants
        )
        self.said.extend(self._code.said)
        tables, functions = self._code.used
        return ir.Net(
            self._document.name,
            tuple(places),
            tuple(transitions),
            functions,
            tables,
            fingerprint=_fingerprint(self._texts),
        )

    def _check_names(
        self, what: str, named: Iterable[tree.PlaceDirective | tree.TransitionDirective]
    ) -> None:
        seen: dict[str, Span] = {}
        for each in named:
            if each.name in seen:
                self._say(
                    codes.NET_NAME_TWICE,
                    f"there is a second {what} called `{each.name}`",
                    each.span,
                    "give one of them another name, or leave one out",
                    label="this one",
                    other=Label(seen[each.name], "the first one"),
                )
            seen.setdefault(each.name, each.span)

    def _find_arities(self) -> None:
        places = {each.name for each in self._document.places}
        for place in self._document.places:
            bounds = [each for each in (place.low, place.high) if each is not None]
            self._see(place.name, (*bounds, *(term.tuple for term in place.initial)))
        for transition in self._document.transitions:
            for arc in (*transition.inputs, *transition.outputs):
                if arc.place not in places:
                    self._say_unknown(arc, places)
                self._see(arc.place, (term.tuple for term in arc.marking))

    def _see(self, place: str, tuples: Iterable[tree.Tuple]) -> None:
        for each in tuples:
            length = len(each.components)
            known, first = self._arities.setdefault(place, (length, each.span))
            if known != length:
                usual = count(known, "component")
                self._say(
                    codes.OTHER_ARITY,
                    f"tuples of `{place}` have {usual}, and this one {length}",
                    each.span,
                    "all tuples of a place have the same length; should this be another place?",
                    label=count(length, "component"),
                    other=Label(first, usual),
                )

    def _say_unknown(self, arc: tree.Arc, places: Iterable[str]) -> None:
        near = meant(arc.place, places) if len(self.said) < _MOST_SUGGESTIONS else None
        span = Span(arc.span.start, arc.span.start + len(arc.place))
        words, help_ = f"there is no place `{arc.place}`", near or f"write `#place {arc.place}`"
        self._say(codes.UNKNOWN_PLACE, words, span, help_, label="not declared")

    def _place(self, written: tree.PlaceDirective) -> ir.Place:
        arity, _ = self._arities.get(written.name, (0, NOWHERE))
        low, high = self._bound(written.low), self._bound(written.high)
        initial = self._initial(written)
        if low is not None and high is not None and any(map(int.__gt__, low, high)):
            words = f"no token fits between `lo` and `hi` of `{written.name}`"
            self._say(codes.EMPTY_BOUNDS, words, written.span)
        outside = next((token for token, _ in initial if _is_outside(token, low, high)), None)
        if outside is not None:
            lies = f"{Bag(((outside, 1),))} lies in `{written.name}` at first"
            words = f"{lies}, and is outside its `lo` and `hi`"
            self._say(codes.TOKEN_OUTSIDE_AT_FIRST, words, written.span)
        return ir.Place(written.name, arity, initial, low, high, span=self._at(written.span))

    def _bound(self, written: tree.Tuple | None) -> tuple[int, ...] | None:
        if written is None:
            return None
        numbers: list[int] = []
        for each in written.components:
            if isinstance(each, ir.Interval):
                self._say(codes.NOT_CONSTANT, "a bound is one number, not an interval", each.span)
                return None
            number = self._number(each)
            if number is None:
                return None
            numbers.append(number)
        return tuple(numbers)

    def _initial(self, written: tree.PlaceDirective) -> Bag:
        total: dict[Token, int] = {}
        for term in written.initial:
            times = 1 if term.multiplicity is None else self._number(term.multiplicity)
            ranges = [self._range(each) for each in term.tuple.components]
            known = [each for each in ranges if each is not None]
            if times is None or len(known) < len(ranges):
                return Bag()
            size = prod(max(each.stop - each.start, 0) for each in known)
            if not 0 <= times <= MOST_COUNT or size + len(total) > MOST_TOKENS:
                words, help_ = _NEGATIVE, "leave it out: only tokens that are written lie there"
                if times > 0:
                    words = "a place cannot hold so many tokens"
                    help_ = f"{MOST_TOKENS:,} different ones are the most, and 2⁶² of each"
                self._say(codes.NOT_CONSTANT, words, term.span, help_)
                return Bag()
            for token in product(*known):
                total[token] = total.get(token, 0) + times
        return Bag.of(total)

    def _range(self, written: ir.Component) -> range | None:
        if not isinstance(written, ir.Interval):
            number = self._number(written)
            return None if number is None else range(number, number + 1)
        low, high = self._number(written.low), self._number(written.high)
        return None if low is None or high is None else range(low, high + 1)

    def _number(self, written: ir.Expr) -> int | None:
        try:
            expr = self._code.expr(written, CScope(is_open=True))
            names = sorted(variables_of(expr))
            if names:
                self._say_not_constant(names[0], written.span)
                return None
            lower_functions(self._code)
            return self._code.number(expr, written.span)
        except NotUsable as fault:
            self._say_refused(fault, written)
            return None

    def _say_not_constant(self, name: str, span: Span) -> None:
        if name in self._no_constants:
            return
        self._no_constants.add(name)
        words = f"`{name}` is no constant, and this number must be known from the start"
        help_ = self._code.stands_for_itself(name) or meant(name, self._code.names)
        help_ = help_ or f"write `#define {name} …` above"
        self._say(codes.NOT_CONSTANT, words, span, help_, label="not known")

    def _transition(self, written: tree.TransitionDirective) -> ir.Transition:
        names = _TransitionVariables()
        inputs = [self._arc(each, names, is_input=True) for each in written.inputs]
        lets = [self._let(each, names) for each in written.lets]
        outputs = [self._arc(each, names, is_input=False) for each in written.outputs]
        gates = [self._expr(each) for each in written.gates]
        for gate, at in zip(gates, written.gates, strict=True):
            names.meet(gate, at.span)
        for name, span in names.where.items():
            if name not in names.matched:
                self._say_without_value(name, span, written)
        variables = (ir.Variable(name, span=self._at(at)) for name, at in names.where.items())
        return ir.Transition(
            written.name,
            tuple(variables),
            tuple(inputs),
            tuple(outputs),
            tuple(lets),
            tuple(gates),
            span=self._at(written.span),
        )

    def _arc(self, written: tree.Arc, names: _TransitionVariables, *, is_input: bool) -> ir.Arc:
        terms = tuple(self._term(each, names, is_input=is_input) for each in written.marking)
        return ir.Arc(written.place, terms, span=self._at(written.span))

    def _let(self, written: tree.LetClause, names: _TransitionVariables) -> ir.Let:
        found: list[str] = []
        for each in written.tuple.components:
            expr = ir.Const(0) if isinstance(each, ir.Interval) else self._expr(each)
            if isinstance(expr, ir.Var):
                found.append(expr.name)
                names.where.setdefault(expr.name, each.span)
                names.matched.add(expr.name)
            else:
                words = "only variables stand in the tuple of a `let`"
                self._say(codes.LET_NOT_UNDERSTOOD, words, each.span)
        terms = tuple(self._term(each, names, is_input=False) for each in written.marking)
        lengths = {len(each.components) for each in terms} - {len(written.tuple.components)}
        if lengths:
            words = (
                f"the tuple of this `let` has {count(len(written.tuple.components), 'name')}, "
                f"and its tokens have {count(min(lengths), 'component')}"
            )
            self._say(codes.LET_NOT_UNDERSTOOD, words, written.tuple.span)
        return ir.Let(tuple(found), terms, span=self._at(written.span))

    def _term(
        self, written: tree.TupleTerm, names: _TransitionVariables, *, is_input: bool
    ) -> ir.Term:
        one = ir.Const(1, span=self._at(written.span))
        times = one if written.multiplicity is None else self._expr(written.multiplicity)
        if isinstance(times, ir.Const) and times.value < 0:
            help_ = "what a firing takes stands in `in`, and what it puts in `out`"
            self._say(codes.NUMBER_NOT_WHOLE, _NEGATIVE, written.span, help_)
        names.meet(times, written.span)
        components = tuple(self._component(each) for each in written.tuple.components)
        for component, at in zip(components, written.tuple.components, strict=True):
            parts = ir.parts(component) if isinstance(component, ir.Interval) else (component,)
            for part in parts:
                names.meet(part, at.span)
            if is_input and isinstance(component, ir.Var) and times != ir.Const(0):
                names.matched.add(component.name)
        return ir.Term(times, components, span=self._at(written.span))

    def _component(self, written: ir.Component) -> ir.Component:
        if isinstance(written, ir.Interval):
            low, high = self._expr(written.low), self._expr(written.high)
            return ir.Interval(low, high, span=self._at(written.span))
        return self._expr(written)

    def _expr(self, written: ir.Expr) -> ir.Expr:
        try:
            return self._code.expr(written, CScope(is_open=True))
        except NotUsable as fault:
            self._say_refused(fault, written)
            return ir.Const(0)

    def _say_refused(self, fault: NotUsable, written: ir.Expr) -> None:
        self.said.extend(fault.said)
        self._code.say_refused(written)

    def _say_without_value(
        self, name: str, span: Span, transition: tree.TransitionDirective
    ) -> None:
        is_first = len(self.said) + len(self._without_value) < _MOST_SUGGESTIONS
        near = meant(name, self._code.names) if is_first else None
        alone = f"let `{name}` stand alone in a tuple of an input, as in `<.{name}.>`"
        said = Diagnostic(
            codes.VARIABLE_WITHOUT_VALUE,
            f"the variable `{name}` of `{transition.name}` gets no value",
            primary=Label(span, "used here"),
            notes=(
                "a variable takes its values from tokens, where it stands alone in a tuple of "
                "an input, or from a `let`",
            ),
            help=self._code.stands_for_itself(name)
            or near
            or f"{alone}, or write `let <.{name}.> <= …;`",
        )
        self._without_value.append((name, said))

    def _at(self, span: Span) -> Span:
        return self._code.place(span)

    def _say(
        self,
        code: Code,
        message: str,
        span: Span,
        help_: str | None = None,
        *,
        label: str = "",
        other: Label | None = None,
    ) -> None:
        others = () if other is None else (other,)
        self.said.append(Diagnostic(code, message, Label(span, label), others, help=help_))


def _is_outside(token: Token, low: tuple[int, ...] | None, high: tuple[int, ...] | None) -> bool:
    below = low is not None and any(map(int.__lt__, token, low))
    return below or (high is not None and any(map(int.__gt__, token, high)))


def _fingerprint(texts: NetTexts) -> str:
    digest = hashlib.sha256()
    for each in texts.all:
        digest.update(f"{each.source.name}\0{len(each.source.text)}\0".encode())
        digest.update(each.source.text.encode())
    return digest.hexdigest()
