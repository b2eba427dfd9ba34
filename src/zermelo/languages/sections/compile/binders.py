"""Code for what binds names: builders, quantifiers and sums."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from zermelo.languages.sections.compile import arithmetic
from zermelo.languages.sections.compile.conditions import NO, YES, negated
from zermelo.languages.sections.compile.reps import (
    Bits,
    Chosen,
    Known,
    Never,
    Num,
    Ratio,
    Refused,
    Rep,
    Truth,
    members,
    possible,
)
from zermelo.languages.sections.compile.scope import Bound, Scope
from zermelo.languages.sections.compile.sets import SetCode
from zermelo.languages.sections.ir import (
    Binder,
    Comprehension,
    Expr,
    Fold,
    FoldKind,
    Quantified,
    QuantifierKind,
)
from zermelo.languages.sections.printer import is_pattern
from zermelo.packing.code import Mark, Writer


class BinderCode(SetCode, ABC):
    """Writes code for binders; what stands in them is left to whoever knows all expressions."""

    def __init__(self, writer: Writer) -> None:
        super().__init__(writer)
        self._failing: dict[str, bool] = {}
        """The quantifiers whose bodies may fail, by the variable that notes it."""

    @abstractmethod
    def truth(self, expr: Expr, scope: Scope) -> Truth:
        """*expr* as a truth value."""

    @abstractmethod
    def number(self, expr: Expr, scope: Scope) -> Num | Ratio | Never:
        """*expr* as a number."""

    @abstractmethod
    def as_set(self, expr: Expr, scope: Scope) -> Rep:
        """*expr* as a set."""

    @abstractmethod
    def settled(self, expr: Expr, scope: Scope) -> Rep:
        """*expr* as a value: a set becomes bits."""

    def comprehension(self, expr: Comprehension, scope: Scope) -> Rep:
        """A builder."""
        first = expr.binders[0]
        is_selection = len(set(first.names)) == len(first.names) and is_pattern(expr.result, first)
        if len(expr.binders) == 1 and is_selection:
            domain = self.as_set(first.domain, scope)
            return self._selection(domain, first, expr.condition, scope)
        return self._built(expr, scope)

    def _selection(self, domain: Rep, binder: Binder, condition: Expr, scope: Scope) -> Rep:
        if isinstance(domain, Never):
            return domain

        def holds(item: Rep) -> Truth:
            return self._with_bound(binder, item, scope, lambda inner: self.truth(condition, inner))

        chosen = Chosen(domain, holds)
        values = members(domain)
        # Variables that the condition reads may change later: listed at once where possible.
        return chosen if values is None else self.cover(chosen, values).bits

    def _with_bound(
        self, binder: Binder, item: Rep, scope: Scope, act: Callable[[Scope], Truth]
    ) -> Truth:
        """What *act* gives where the names of *binder* stand for *item*, if it has the shape."""
        if not binder.is_tuple:
            return act(scope.nested({binder.names[0]: Bound(item)}))
        parts = self.components(item, len(binder.names))
        if parts is None:
            return NO
        names = {name: Bound(part) for name, part in zip(binder.names, parts, strict=True)}
        inner = scope.nested(names)
        if len(names) == len(binder.names):
            return act(inner)
        same = YES
        for name, part in zip(binder.names, parts, strict=True):
            test = self.equal(names[name].rep, part) if names[name].rep is not part else YES
            same = test if same == YES else Truth(f"({same.code} and {test.code})")
        return self.guarded(same, lambda: act(inner))

    def _built(self, expr: Comprehension, scope: Scope) -> Rep:
        """A builder with a result of its own: each combination of members sets a bit."""
        mark = self.writer.mark()
        found: list[Bits] = []

        def deeper(at: int, inner: Scope) -> None:
            if at < len(expr.binders):
                binder = expr.binders[at]
                self._each_bound(binder, inner, lambda more: deeper(at + 1, more))
                return
            truth = self.truth(expr.condition, inner)
            head = f"e == 0 and {truth.code}" if self.writer.may_fail else truth.code
            with self.writer.block(f"if {head}"):
                self._collect(self.settled(expr.result, inner), found)

        deeper(0, scope)
        if not found:
            return Known(frozenset())
        if any(each.universe != found[0].universe for each in found):
            raise Refused("a builder whose members are of several kinds", expr)
        self.writer.put(mark, [f"{word} = 0" for word in found[0].words])
        return found[0]

    def _collect(self, result: Rep, found: list[Bits]) -> None:
        values = possible(result)
        if values is None:
            raise Refused("a builder with too many possible members")
        if not found:
            count = max(1, -(-len(values) // 64))
            found.append(Bits(tuple(self.writer.name("m") for _ in range(count)), values))
        elif not frozenset(values) <= frozenset(found[0].universe):
            raise Refused("a builder whose members are of several kinds")
        at = self.index(result, found[0].universe)
        self.set_bit(found[0], at.code)

    def _each_bound(
        self, binder: Binder, scope: Scope, act: Callable[[Scope], None], unless: str = ""
    ) -> None:
        domain = self.as_set(binder.domain, scope)

        def body(item: Rep) -> None:
            def with_names(inner: Scope) -> Truth:
                act(inner)
                return YES

            self._with_bound(binder, item, scope, with_names)

        if not isinstance(domain, Never):
            self.each(domain, body, unless=unless, once=True)

    def fold(self, expr: Fold, scope: Scope) -> Rep:
        """``∑`` and ``∏``."""
        total = self.writer.name("n")
        is_sum = expr.kind is FoldKind.SUM
        self.writer.emit(f"{total} = {0 if is_sum else 1}")
        domain = self.as_set(expr.binder.domain, scope)
        values = members(domain)
        if values is None:
            raise Refused("a sum over a set with too many possible members", expr)
        bounds: list[Num] = []

        def body(inner: Scope) -> None:
            term = self.number(expr.body, inner)
            if isinstance(term, Ratio):
                raise Refused("a sum of fractions", expr)
            if isinstance(term, Num):
                bounds.append(term)
                sign = "+" if is_sum else "*"
                self.writer.emit(f"{total} = {total} {sign} {term.code}")

        def step(item: Rep) -> None:
            def with_names(inner: Scope) -> Truth:
                body(inner)
                return YES

            self._with_bound(expr.binder, item, scope, with_names)

        if not isinstance(domain, Never):
            self.each(domain, step, once=True)
        return arithmetic.folded(total, bounds, len(values), is_sum=is_sum)

    def quantified(self, expr: Quantified, scope: Scope) -> Truth:
        """∃ looks for a member that makes the body true, ∀ for one that makes it false."""
        wanted = expr.kind is QuantifierKind.SOME
        domain = self.as_set(expr.binder.domain, scope)
        if isinstance(domain, Never):
            return NO
        outer = self.writer.may_fail
        found, failed = self.writer.name("q"), self.writer.name("f")
        start = self.writer.mark()
        self.writer.may_fail = False

        def body(item: Rep) -> None:
            self.writer.may_fail = False
            at = self.writer.mark()
            truth = self._with_bound(
                expr.binder, item, scope, lambda inner: self._sign(expr.body, inner, wanted=wanted)
            )
            if truth == NO and not self.writer.may_fail:
                return
            self._note(truth, found, failed, at)

        self.each(domain, body, unless=found)
        can_fail = self._failing.pop(failed, False)
        inits = [f"{found} = False"] + ([f"{failed} = 0"] if can_fail else [])
        if not outer:
            self.writer.put(start, inits)
        else:
            # Nothing is gone through after an error.
            self.writer.put(start, [f"{found} = e != 0", *inits[1:]])
        self.writer.may_fail = outer
        if can_fail:
            head = f"{failed} != 0 and not {found}"
            with self.writer.block(f"if {head}"):
                self.writer.emit(f"e = {failed}")
            self.writer.may_fail = True
        return Truth(found) if wanted else Truth(f"(not {found})")

    def _sign(self, body: Expr, scope: Scope, *, wanted: bool) -> Truth:
        truth = self.truth(body, scope)
        return truth if wanted else negated(truth)

    def _note(self, truth: Truth, found: str, failed: str, at: Mark) -> None:
        """Note what the body gave for one member: found, an error, or nothing."""
        if not self.writer.may_fail:
            self.writer.emit(f"{found} = {truth.code}")
            return
        self._failing[failed] = True
        self.writer.put(at, ["e = 0"])
        with self.writer.block("if e == 0"):
            self.writer.emit(f"{found} = {truth.code}")
        with self.writer.block(f"elif {failed} == 0"):
            self.writer.emit(f"{failed} = e")
        self.writer.emit("e = 0")
        self.writer.may_fail = False
