"""C's integer expressions, out of tokens.

Long rows of operands, as in ``a + b + c + …`` and ``a ? x : b ? y : …``, are grouped around their
middle, so that what comes out is nowhere deep; short ones stay as C groups them. Of long sums
and products other parts than C's must fit in 64 bits; else nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from zermelo.languages.nets import ir
from zermelo.languages.nets.ir import BinaryOp, UnaryOp
from zermelo.languages.nets.printer import LEVELS
from zermelo.languages.nets.read.prod.lexer import NetToken, TokenKind, character, number
from zermelo.text import codes
from zermelo.text.codes import Code
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.errors import nearest
from zermelo.text.source import Span

MOST_LEVELS: Final = 100
MOST_LEANING: Final = 16
MOST_RUNGS: Final = 32
_STRENGTHS: Final = {op.value: level for op, level in LEVELS.items()}
# Names that only a cast has behind an opening bracket.
_TYPES: Final = frozenset(
    {"int", "long", "short", "char", "signed", "unsigned", "_Bool", "void", "float", "double"}
    | {"const", "volatile", "struct", "union", "enum"}
)
ASSIGNMENTS: Final = frozenset(
    {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|=", "++", "--"}
)
_DECIDING: Final = frozenset({BinaryOp.AND, BinaryOp.OR})
_GROUPED: Final = _DECIDING | {BinaryOp.BIT_OR, BinaryOp.BIT_XOR, BinaryOp.BIT_AND, BinaryOp.TIMES}
_SUMS: Final = {BinaryOp.PLUS: BinaryOp.MINUS, BinaryOp.MINUS: BinaryOp.PLUS}
Operand: TypeAlias = tuple[BinaryOp, ir.Expr]


class NotUnderstood(Exception):
    """Parsing cannot go on here; carries what there is to say."""

    def __init__(
        self,
        code: Code,
        message: str,
        span: Span,
        label: str = "",
        help_: str | None = None,
        *,
        notes: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message)
        self.said = Diagnostic(code, message, Label(span, label), notes=notes, help=help_)


class ExpressionReader:
    """A place in a row of tokens, which has an end, and the expression that begins there.

    Line ends are passed over.
    """

    def __init__(self, tokens: Sequence[NetToken]) -> None:
        self._tokens = tokens
        self.at = 0
        self._level = 0

    @property
    def now(self) -> NetToken:
        return self._tokens[self._next()]

    @property
    def is_at_line_end(self) -> bool:
        return self._tokens[self.at].kind in (TokenKind.LINE_END, TokenKind.END)

    @property
    def before(self) -> NetToken:
        return self._tokens[max(self.at - 1, 0)]

    def peek(self) -> NetToken:
        return self._tokens[self._next(min(self._next() + 1, len(self._tokens) - 1))]

    def take(self) -> NetToken:
        """The next token; the row moves on unless it is at its end."""
        at = self._next()
        token = self._tokens[at]
        if token.kind is not TokenKind.END:
            self.at = at + 1
        return token

    def _next(self, at: int | None = None) -> int:
        at = self.at if at is None else at
        while self._tokens[at].kind is TokenKind.LINE_END:
            at += 1
        return at

    def takes(self, *texts: str) -> bool:
        if self.now.is_sign(*texts):
            self.take()
            return True
        return False

    def expect(self, sign: str, *, after: str = "") -> NetToken:
        """Take *sign*; *after* says behind what it belongs, for the message."""
        if self.now.is_sign(sign):
            return self.take()
        raise self.fault(f"`{sign}` is missing {after}", f"`{sign}` belongs before this")

    def fault(
        self,
        message: str,
        label: str = "",
        *,
        code: Code = codes.NET_NOT_UNDERSTOOD,
        help_: str | None = None,
    ) -> NotUnderstood:
        token = self.now
        span = token.span
        if token.kind in (TokenKind.END, TokenKind.DIRECTIVE) and token is not self.before:
            end = self.before.span.end
            span = Span(max(end - 1, 0), end)
            label = "behind this" if label else ""
        return NotUnderstood(code, message, span, label, help_)

    def name(self, what: str) -> NetToken:
        if self.now.kind is TokenKind.NAME:
            return self.take()
        raise self.fault(f"the name of {what} is missing here", f"{shown(self.now)} is no name")

    def expression(self) -> ir.Expr:
        start = self.now
        found = self._whole()
        if self._level == 0:
            self._check_depth(found, start)
        return found

    def _check_depth(self, found: ir.Expr, start: NetToken) -> None:
        if ir.depth(found) > MOST_LEVELS:
            raise self._too_deep(start)

    def _whole(self) -> ir.Expr:
        rungs: list[tuple[ir.Expr, ir.Expr]] = []
        while True:
            test = self._binary(1)
            if not self.takes("?"):
                return self._not_assigned(ladder(rungs, test))
            self._deeper()
            yes = self._between()
            self._level -= 1
            self.expect(":", after="in `… ? … : …`")
            rungs.append((test, yes))

    def _between(self) -> ir.Expr:
        return self.expression()

    def product(self) -> ir.Expr:
        return self._binary(LEVELS[BinaryOp.TIMES])

    def _binary(self, least: int) -> ir.Expr:
        left = self._unary()
        while (strength := self._strength()) >= least:
            self._deeper()
            others: list[Operand] = []
            while self._strength() == strength:
                sign = BinaryOp(self.take().text)
                others.append((sign, self._binary(strength + 1)))
            self._level -= 1
            left = joined(left, others)
        return left

    def _strength(self) -> int:
        token = self.now
        if token.kind is not TokenKind.SIGN or (token.text == "*" and self.peek().is_sign("<.")):
            return 0
        return _STRENGTHS.get(token.text, 0)

    def _unary(self) -> ir.Expr:
        if self.now.is_sign("-", "+", "!", "~"):
            sign = self.take()
            self._deeper()
            operand = self._unary()
            self._level -= 1
            return ir.Unary(UnaryOp(sign.text), operand, span=sign.span.to(operand.span))
        if self.now.is_sign("*", "&", "++", "--"):
            raise self.fault(
                "an expression of a net has no effects and no pointers",
                f"`{self.now.text}` cannot stand here",
                code=codes.OUTSIDE_C_SUBSET,
            )
        return self._postfix()

    def _postfix(self) -> ir.Expr:
        token = self.now
        if self.takes("("):
            self._check_cast(token)
            self._deeper()
            inner = self.expression()
            self.check_comma("write only the last one: the others would have no effect")
            end = self.expect(")", after="behind this expression")
            self._level -= 1
            return replace(inner, span=token.span.to(end.span))
        if token.kind in (TokenKind.NUMBER, TokenKind.CHARACTER):
            return self._number()
        if token.kind is TokenKind.TEXT:
            help_ = "a token has whole numbers; `#enum` and `#define` give them names"
            raise outside("a text", token.span, help_)
        if token.kind is not TokenKind.NAME:
            raise self._missing(token)
        if token.text == "sizeof":
            raise outside("`sizeof`", token.span, "write the number itself")
        self.take()
        found = self._named(token)
        if self.now.is_sign(".", "->"):
            raise outside("a member of a structure", self.now.span, None)
        return found

    def _missing(self, token: NetToken) -> NotUnderstood:
        before = self.before
        help_ = "write a number, a name, or an expression in brackets"
        if before.is_sign(">"):
            help_ = "is `.>` meant, the end of a tuple?"
        elif before.kind is TokenKind.SIGN and before.text in _STRENGTHS:
            help_ = f"write what stands on the right of `{before.text}`, or leave it out"
        return self.fault(
            "an expression is missing here", f"{shown(token)} begins none", help_=help_
        )

    def _named(self, token: NetToken) -> ir.Expr:
        if self.takes("("):
            return self._call(token)
        if self.now.is_sign("["):
            return self._index(token)
        return ir.Var(token.text, span=token.span)

    def _check_cast(self, start: NetToken) -> None:
        if not self.now.is_name(*_TYPES):
            return
        end = self.take()
        while not end.is_sign(")") and (
            self.now.kind is TokenKind.NAME or self.now.is_sign("*", ")")
        ):
            end = self.take()
        help_ = "leave it out: all numbers have a sign and 64 bits"
        raise outside("a cast", start.span.to(end.span), help_)

    def check_comma(self, help_: str) -> None:
        if self.now.is_sign(","):
            raise outside("the comma operator", self.now.span, help_)

    def _number(self) -> ir.Expr:
        token = self.now
        read = number if token.kind is TokenKind.NUMBER else character
        value = read(token.text)
        if isinstance(value, str):
            raise self.fault(value, "this number", code=codes.NUMBER_NOT_WHOLE)
        self.take()
        return ir.Const(value, span=token.span)

    def _call(self, function: NetToken) -> ir.Expr:
        self._deeper()
        arguments: list[ir.Expr] = []
        while not self.now.is_sign(")"):
            arguments.append(self.expression())
            if not self.takes(","):
                break
        end = self.expect(")", after=f"behind the arguments of `{function.text}`")
        self._level -= 1
        return ir.Call(function.text, tuple(arguments), span=function.span.to(end.span))

    def _index(self, table: NetToken) -> ir.Expr:
        indexes: list[ir.Expr] = []
        end = table
        while self.takes("["):
            self._deeper()
            indexes.append(self.expression())
            self.check_comma("each index has brackets of its own, as in `[1][2]`")
            end = self.expect("]", after="behind this index")
            self._level -= 1
        return ir.Element(table.text, tuple(indexes), span=table.span.to(end.span))

    def _not_assigned(self, expr: ir.Expr) -> ir.Expr:
        """*expr*, behind which no sign may stand that would give it a value."""
        if self.now.kind is TokenKind.SIGN and self.now.text in ASSIGNMENTS:
            raise self.fault(
                "an expression of a net has no effects",
                f"`{self.now.text}` would assign",
                code=codes.OUTSIDE_C_SUBSET,
                help_="write `==` to compare" if self.now.text == "=" else None,
            )
        return expr

    def _deeper(self) -> None:
        self._level += 1
        if self._level > MOST_LEVELS:
            raise self._too_deep(self.now)

    def _too_deep(self, token: NetToken) -> NotUnderstood:
        words = f"this is nested more than {MOST_LEVELS} levels deep"
        help_ = "write a part of it as a function of C"
        return NotUnderstood(codes.TOO_DEEP, words, token.span, "too deep here", help_)


def outside(what: str, span: Span, help_: str | None) -> NotUnderstood:
    message = f"{what} is C's, and no part of a net's expressions here"
    return NotUnderstood(codes.OUTSIDE_C_SUBSET, message, span, "not read", help_)


def meant(name: str, known: Iterable[str]) -> str | None:
    near = nearest(name, known)
    return f"is `{near[0]}` meant?" if near else None


def shown(token: NetToken) -> str:
    match token.kind:
        case TokenKind.END:
            return "the end of the document"
        case TokenKind.LINE_END:
            return "the end of the line"
        case TokenKind.DIRECTIVE:
            return f"`#{token.text}`"
        case _:
            return f"`{token.text}`"


def joined(first: ir.Expr, others: Sequence[Operand]) -> ir.Expr:
    signs = {sign for sign, _ in others}
    is_short = len(others) <= MOST_LEANING
    if len(signs) == 1 and signs <= (_DECIDING if is_short else _GROUPED):
        return _grouped([first, *(operand for _, operand in others)], others[0][0])
    if not is_short and signs <= _SUMS.keys():
        return _summed([(BinaryOp.PLUS, first), *others])
    for sign, operand in others:
        first = _binary(sign, first, operand)
    return first


def ladder(rungs: Sequence[tuple[ir.Expr, ir.Expr]], last: ir.Expr) -> ir.Expr:
    if len(rungs) <= MOST_RUNGS:
        for test, yes in reversed(rungs):
            last = ir.Conditional(test, yes, last, span=test.span.to(last.span))
        return last
    middle = len(rungs) // 2
    any_test = _grouped([test for test, _ in rungs[:middle]], BinaryOp.OR)
    # Where one of these tests holds, the last of them needs no look.
    above = ladder(rungs[: middle - 1], rungs[middle - 1][1])
    below = ladder(rungs[middle:], last)
    return ir.Conditional(any_test, above, below, span=any_test.span.to(below.span))


def _grouped(operands: Sequence[ir.Expr], sign: BinaryOp) -> ir.Expr:
    if len(operands) == 1:
        return operands[0]
    middle = (len(operands) + 1) // 2
    return _binary(sign, _grouped(operands[:middle], sign), _grouped(operands[middle:], sign))


def _summed(terms: Sequence[Operand]) -> ir.Expr:
    if len(terms) == 1:
        return terms[0][1]
    middle = (len(terms) + 1) // 2
    sign, rest = terms[middle][0], terms[middle:]
    if sign is BinaryOp.MINUS:
        # a - b + c is a - (b - c).
        rest = [(_SUMS[each], operand) for each, operand in rest]
    return _binary(sign, _summed(terms[:middle]), _summed(rest))


def _binary(sign: BinaryOp, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return ir.Binary(sign, left, right, span=left.span.to(right.span))
