"""Expressions with every name resolved: a tree goes in, what it means comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Final

from zermelo.core.values import Atom, number, truth
from zermelo.languages.led import ir
from zermelo.languages.led.mean import sentences
from zermelo.languages.led.mean.names import DefinedNames, Remark, UnknownNames
from zermelo.languages.led.mean.sentences import candidates, conjuncts, needs, unbracketed
from zermelo.languages.led.read import tree
from zermelo.languages.led.read.tree import Expr, Sign
from zermelo.languages.led.run import values
from zermelo.languages.led.run.built_ins import BUILTINS, ENVIRONMENT
from zermelo.text import codes
from zermelo.text.budget import similar, spend
from zermelo.text.diagnostic import Diagnostic, Label, Report
from zermelo.text.errors import SimilarNames
from zermelo.text.source import Span

_STEPS_OF_AN_EXPRESSION: Final = 40

Local = frozenset[str]


class Resolver:
    """Resolves the expressions of one program."""

    def __init__(self, names: DefinedNames, report: Report) -> None:
        self.names = names
        self.report = report
        self.unknown = UnknownNames()
        self.used: dict[str, None] = {}
        """The names of the engine that were used."""
        self.further = Remark(
            codes.LED_SOLVED_FURTHER,
            "D3 does not solve this sentence; here it is solved",
            "not in D3",
            help="D3 solves `x = t`, `(x, y) = t` and `x in S` from left to right, and in `where` "
            "only `x = t`",
        )
        self.outside = Remark(
            codes.LED_ONLY_IN_GAMES,
            "the state and the input have values only in a game",
            "no value here",
            help="write `ledGame` where the code begins",
        )
        self.fixed = Remark(
            codes.LED_NOT_NEW,
            "this name has a value already, so that it is compared and not bound",
            "a parameter, a constant or a name bound outside",
            help="take a name here that is used nowhere else",
        )
        self.beyond = Remark(codes.LED_BEYOND_D3, "", "known here, not in D3")
        self._advice: str | None = None
        """What to write for the set that is being resolved, if its parts are turned round."""
        self._ended: dict[str, tree.BigExpr | tree.QuantifiedExpr] = {}
        """Names of sums and quantifiers before this place, each with what bound it."""

    def tell(self) -> None:
        self.unknown.tell(self.names, self.report)
        beyond = [name for name in self.used if not BUILTINS[name].in_d3]
        listed = ", ".join(f"`{name}`" for name in beyond)
        self.beyond.message = f"D3 does not give programs {listed}"
        for remark in (self.further, self.outside, self.beyond, self.fixed):
            remark.tell(self.report)

    def begin_definition(self) -> None:
        self._ended.clear()

    # Expressions

    def expr(self, expr: Expr, local: Local) -> ir.Expr:
        """What *expr* means, where the names *local* have values."""
        spend(_STEPS_OF_AN_EXPRESSION, "working out what expressions mean", expr.span)
        match expr:
            case tree.Numeral(value):
                return ir.Literal(number(value), span=expr.span)
            case tree.StringLiteral(text):
                return ir.Literal(values.Text(text), span=expr.span)
            case tree.AtomName(name):
                return ir.Literal(Atom(name), span=expr.span)
            case tree.TruthName(holds):
                return ir.Literal(truth(holds), span=expr.span)
            case tree.Identifier(name):
                return self._name(name, expr.span, local)
            case tree.CallExpr():
                return self._call(expr, local)
            case tree.Bracketed(inner):
                return self.expr(inner, local)
            case _:
                return self._compound(expr, local)

    def _compound(self, expr: Expr, local: Local) -> ir.Expr:
        match expr:
            case tree.TupleExpr(items):
                return ir.MakeTuple(self._all(items, local), span=expr.span)
            case tree.SetExpr(items):
                return ir.MakeSet(self._all(items, local), span=expr.span)
            case tree.IndexExpr(base, index):
                return ir.Index(self.expr(base, local), self.expr(index, local), span=expr.span)
            case tree.SliceExpr(base, low, high):
                return ir.Slice(*self._all((base, low, high), local), span=expr.span)
            case tree.RangeExpr(low, high):
                return ir.MakeRange(self.expr(low, local), self.expr(high, local), span=expr.span)
            case tree.UnaryExpr(sign, operand):
                op = ir.UnaryOp(sign.value)
                return ir.UnaryOperation(op, self.expr(operand, local), span=expr.span)
            case tree.BarsExpr(operand):
                return ir.UnaryOperation(ir.UnaryOp.SIZE, self.expr(operand, local), span=expr.span)
            case tree.BinaryExpr():
                return self._binary(expr, local)
            case _:
                return self._binding(expr, local)

    def _all(self, exprs: tuple[Expr, ...], local: Local) -> tuple[ir.Expr, ...]:
        return tuple(self.expr(each, local) for each in exprs)

    def _binary(self, expr: tree.BinaryExpr, local: Local) -> ir.Expr:
        left, right = self.expr(expr.left, local), self.expr(expr.right, local)
        match expr.sign:
            case Sign.AND:
                return ir.Conjunction(left, right, span=expr.span)
            case Sign.IMPLIES:
                return ir.Implication(left, right, span=expr.span)
            case Sign.PLUS:
                return ir.BinaryOperation(_plus(expr), left, right, span=expr.span)
            case sign:
                return ir.BinaryOperation(ir.Op(sign.value), left, right, span=expr.span)

    def _binding(self, expr: Expr, local: Local) -> ir.Expr:
        match expr:
            case tree.SetBuilder(result, condition):
                self._turned(expr, local)
                sentence, inner = self.sentence(condition, local, used_in=result)
                return ir.Comprehension(self.expr(result, inner), sentence, span=expr.span)
            case tree.BigExpr(sign, condition, body):
                sentence, inner = self.sentence(condition, local, used_in=body)
                op = ir.BigOp(sign.value)
                big = ir.Big(op, sentence, self.expr(body, inner), span=expr.span)
                self._ended.update(dict.fromkeys(inner - local, expr))
                return big
            case tree.QuantifiedExpr(is_tuple=True):
                return self.expr(sentences.unfolded(expr), local)
            case tree.QuantifiedExpr(sign, names, domain, body):
                within = self.expr(domain, local)
                self._bind(names)
                meant = (within, self.expr(body, local | set(names)))
                self._ended.update(dict.fromkeys(names, expr))
                return ir.Quantification(ir.Quantifier(sign.value), names, *meant, span=expr.span)
            case _:
                raise AssertionError(expr)

    # Names

    def _name(self, written: str, span: Span, local: Local) -> ir.Expr:
        if written in self._ended and (written in local or written in self.names.arities):
            self._behind(written, span)
        if written in local:
            return ir.Local(written, span=span)
        name = self.names.meant(written)
        known = self._known(name, (), span)
        if known is not None:
            return known
        binder = self._ended.get(name)
        hint = None if binder is None else self._reach(binder)
        self.unknown.name(name, span, local=local, hint=hint)
        return ir.Undefined(f"`{name}` is not defined", span=span)

    def _known(self, name: str, arguments: tuple[ir.Expr, ...], span: Span) -> ir.Expr | None:
        """What the program or the engine defines as *name*, at *arguments*."""
        arity = self.names.arities.get(name)
        if arity is None and name in BUILTINS:
            arity = BUILTINS[name].arity
        if arity is None:
            return None
        if arity != len(arguments):
            return self._does_not_fit(name, arity, len(arguments), span)
        if name in self.names.arities:
            return ir.Global(name, arguments, span=span)
        self.used[name] = None
        if not BUILTINS[name].in_d3:
            self.beyond.spans.append(span)
        if name in ENVIRONMENT and not self.names.is_game:
            self.outside.spans.append(span)
        return ir.Builtin(name, arguments, span=span)

    def _bind(self, names: Iterable[str]) -> None:
        for name in names:
            self._ended.pop(name, None)

    def _behind(self, name: str, span: Span) -> None:
        binder = self._ended.pop(name)
        self.report.say(
            Diagnostic(
                codes.LED_BEHIND_BINDER,
                f"this `{name}` is not the one that `{binder.sign.value}` binds",
                Label(span, "a parameter or a constant of the program"),
                secondary=(Label(binder.span, "bound in here only"),),
                help=self._reach(binder),
            )
        )

    def _reach(self, binder: tree.BigExpr | tree.QuantifiedExpr) -> str:
        body = self._written(binder.body)
        word = f"{binder.sign.value}[..]" if isinstance(binder, tree.BigExpr) else binder.sign.value
        return f"`{word}` reaches only to `{body}`; put all that it is about in brackets"

    def _written(self, expr: Expr) -> str:
        return " ".join(self.report.source.slice(expr.span).split())

    def _call(self, expr: tree.CallExpr, local: Local) -> ir.Expr:
        arguments = self._all(expr.arguments, local)
        name = self.names.meant(expr.name)
        known = self._known(name, arguments, expr.span)
        if known is not None:
            return known
        if name in local:
            self.report.say(
                Diagnostic(
                    codes.LED_UNKNOWN_FUNCTION,
                    f"`{name}` is a value here, not a function",
                    Label(expr.span, "called"),
                    help=f"`{name}[1]` is the first component of a tuple",
                )
            )
        else:
            self.unknown.function(name, expr.span, arguments=len(arguments))
        return ir.Undefined(f"`{name}` is not defined as a function", span=expr.span)

    def _does_not_fit(self, name: str, arity: int, count: int, span: Span) -> ir.Expr:
        wants, given = _arguments(arity), _arguments(count)
        message = f"`{name}` takes {wants} and is given {given}"
        place = self.names.places.get(name)
        defined = () if place is None else (Label(place, f"defined with {wants}"),)
        here = Label(span, f"{given} here")
        self.report.say(Diagnostic(codes.LED_WRONG_NUMBER, message, here, secondary=defined))
        return ir.Undefined(message, span=span)

    # Sentences

    def _is_new(self, local: Local) -> Callable[[str], bool]:
        return lambda name: name not in local and self.names.is_new(name)

    def sentence(self, expr: Expr, local: Local, *, used_in: Expr) -> tuple[ir.Sentence, Local]:
        """*expr* as a sentence to be solved for *used_in*, and the local names behind it."""
        is_new = self._is_new(local)
        self._not_new(expr, local, used_in)
        # A name in both places is meant to be bound, even where nothing binds it.
        names = sentences.names_in(expr) - BUILTINS.keys()
        meant = needs(used_in, frozenset(filter(is_new, names)))
        return self._solved(expr, local, candidates(expr, is_new) | meant)

    def _not_new(self, expr: Expr, local: Local, used_in: Expr) -> None:
        """Say where a name looks as if it were bound, and has a value already."""
        result = unbracketed(used_in)
        for part in conjuncts(expr):
            if isinstance(part, tree.BinaryExpr) and part.sign is Sign.IN:
                if not isinstance(part.left, tree.Identifier):
                    continue
                name = part.left.name
                is_result = isinstance(result, tree.Identifier) and result.name == name
                is_constant = name not in local and name in self.names.arities
                if (is_result and name in local) or (
                    is_constant and name in sentences.names_in(result)
                ):
                    self.fixed.spans.append(part.left.span)

    def where(self, expr: Expr, local: Local) -> tuple[ir.Sentence, Local]:
        """The clause ``where`` *expr*, and the local names of its definition."""
        unbound = candidates(expr, self._is_new(local)) | self._given_names(expr, local)
        return self._solved(expr, local, unbound)

    def _given_names(self, where: Expr, local: Local) -> Local:
        """Names that ``where`` gives a value, also if they are defined elsewhere."""
        found = set()
        for part in conjuncts(where):
            if isinstance(part, tree.BinaryExpr) and part.sign is Sign.EQ:
                left = unbracketed(part.left)
                if isinstance(left, tree.Identifier) and left.name not in local | ENVIRONMENT:
                    found.add(left.name)
                    continue
            self.further.spans.append(part.span)
        return frozenset(found)

    def _solved(self, expr: Expr, local: Local, unbound: Local) -> tuple[ir.Sentence, Local]:
        waiting = sentences.Waiting(conjuncts(expr), unbound)
        parts: list[ir.Sentence] = []
        while waiting.parts:
            unbound = waiting.unbound
            ready = waiting.pop()
            if ready is None:
                parts.append(self._stuck([*waiting.parts.values()], unbound))
                local |= unbound
                break
            if not ready.is_first:
                # D3 solves from left to right only.
                self.further.spans.append(ready.part.span)
            parts.append(self._part(ready.part, local, unbound))
            local |= ready.names
            self._bind(ready.names)
        return reduce(lambda a, b: ir.BothHold(a, b, span=expr.span), parts), local

    def _part(self, part: Expr, local: Local, unbound: Local) -> ir.Sentence:
        """A part of a sentence that can be solved, the names *unbound* being new."""
        if not needs(part, unbound) or not isinstance(part, tree.BinaryExpr):
            return ir.Holds(self.expr(part, local), span=part.span)
        match part.sign:
            case Sign.EQ:
                side, value = sentences.bound_side(part)
                if side is not unbracketed(part.left):
                    self.further.spans.append(part.span)
                pattern = self._pattern(side, local, set(unbound))
                return ir.Is(pattern, self.expr(value, local), span=part.span)
            case Sign.IN:
                if not isinstance(unbracketed(part.left), tree.Identifier):
                    self.further.spans.append(part.span)
                pattern = self._pattern(part.left, local, set(unbound))
                return ir.Member(pattern, self.expr(part.right, local), span=part.span)
            case _:
                left, _ = self._solved(part.left, local, unbound)
                right, _ = self._solved(part.right, local, unbound)
                return ir.EitherHolds(left, right, span=part.span)

    def _pattern(self, expr: Expr, local: Local, unbound: set[str]) -> ir.Pattern:
        expr = unbracketed(expr)
        match expr:
            case tree.Identifier(name) if name in unbound:
                # A name that stands twice is bound by its first place.
                unbound.discard(name)
                return ir.NewName(name, span=expr.span)
            case tree.TupleExpr(items):
                patterns: list[ir.Pattern] = []
                for item in items:
                    before = set(unbound)
                    patterns.append(self._pattern(item, local, unbound))
                    local |= before - unbound
                return ir.TuplePattern(tuple(patterns), span=expr.span)
            case _:
                return ir.Same(self.expr(expr, local), span=expr.span)

    def _turned(self, expr: tree.SetBuilder, local: Local) -> None:
        """Note a set such as ``{x in S | p(x)}``, in which nothing gives `x` its values."""
        result = unbracketed(expr.result)
        if not isinstance(result, tree.BinaryExpr) or result.sign is not Sign.IN:
            return
        is_new = self._is_new(local)
        wanted = needs(expr.condition, candidates(result, is_new))
        if wanted - candidates(expr.condition, is_new):
            member, domain, condition = map(self._written, (result.left, result, expr.condition))
            self._advice = f"write `{{{member} | {domain} & {condition}}}`"

    def _grouped(self, part: Expr) -> str | None:
        """What to write where an implication takes in what binds its names."""
        if not isinstance(part, tree.BinaryExpr) or part.sign not in {Sign.IMPLIES, Sign.IFF}:
            return None
        first, *rest = conjuncts(part.left)
        if not rest or not isinstance(first, tree.BinaryExpr) or first.sign is not Sign.IN:
            return None
        binds = self.report.source.slice(first.span)
        says = self.report.source.slice(Span(rest[0].span.start, part.span.end))
        return " ".join(f"put what belongs together in brackets: `{binds} & ({says})`".split())

    def _stuck(self, waiting: list[Expr], unbound: Local) -> ir.Sentence:
        told: set[str] = set()
        known = SimilarNames(self.names.known())
        for part in waiting:
            names = sorted(needs(part, unbound))
            if told.issuperset(names):
                continue
            told.update(names)
            near = similar(names[0], known) if names else ()
            near = tuple(each for each in near if len(each) > 1)
            advice, self._advice = self._advice or self._grouped(part), None
            listed = " and ".join(f"`{name}`" for name in names)
            self.report.say(
                Diagnostic(
                    codes.LED_NOT_SOLVABLE,
                    f"this does not say which values {listed} can have",
                    Label(part.span, "cannot be solved"),
                    notes=(
                        "a name gets its values from `x = t`, `(x, y) = t`, `x in S` or "
                        "`(x, y) in S`, on both sides of a `V`, and not by way of itself",
                    ),
                    help=advice
                    if advice
                    else f"write `{near[0]}`, or give {listed} a set to be in"
                    if near
                    else f"put a sentence such as `{names[0] if names else 'x'} in S` before it",
                )
            )
        span = waiting[0].span
        reason = "the names of this sentence have no values"
        return ir.Holds(ir.Undefined(reason, span=span), span=span)


def _plus(expr: tree.BinaryExpr) -> ir.Op:
    """Which of the operators that ``+`` writes is meant, by the brackets beside it."""
    left, right = (isinstance(side, tree.Bracketed) for side in (expr.left, expr.right))
    if left and not right and not _is_sum(expr.left):
        return ir.Op.PREPEND
    if right and not left and not _is_sum(expr.right):
        return ir.Op.APPEND
    return ir.Op.JOIN if left or right else ir.Op.PLUS


def _is_sum(expr: Expr) -> bool:
    """Whether brackets around *expr* group something beside a ``+``."""
    inner = unbracketed(expr)
    return isinstance(inner, tree.BinaryExpr) and inner.sign is Sign.PLUS


def _arguments(count: int) -> str:
    return ("no arguments", "1 argument")[count] if count < 2 else f"{count} arguments"
