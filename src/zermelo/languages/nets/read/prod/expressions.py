"""C's integer expressions, out of tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, assert_never

from zermelo.languages.nets.read.prod import tree
from zermelo.languages.nets.read.prod.chains import Operand, joined, ladder
from zermelo.languages.nets.read.prod.numbers import character, number
from zermelo.languages.nets.read.prod.tokens import Kind, Token
from zermelo.text import codes
from zermelo.text.diagnostic import Code, Diagnostic, Label
from zermelo.text.source import Span

MOST_LEVELS: Final = 100

STRENGTHS: Final[Mapping[str, int]] = {
    "||": 1,
    "&&": 2,
    "|": 3,
    "^": 4,
    "&": 5,
    "==": 6,
    "!=": 6,
    "<": 7,
    ">": 7,
    "<=": 7,
    ">=": 7,
    "<<": 8,
    ">>": 8,
    "+": 9,
    "-": 9,
    "*": 10,
    "/": 10,
    "%": 10,
}
"""How strongly each operator binds; all of them group to the left."""
_MULTIPLYING: Final = 10
# Names that only a cast has behind an opening bracket.
_TYPES: Final = frozenset(
    {"int", "long", "short", "char", "signed", "unsigned", "_Bool", "void", "float", "double"}
    | {"const", "volatile", "struct", "union", "enum"}
)
_ASSIGNMENTS: Final = frozenset(
    {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|=", "++", "--"}
)


class NotUnderstood(Exception):
    """Parsing cannot go on here; carries what there is to say."""

    def __init__(self, said: Diagnostic) -> None:
        super().__init__(said.message)
        self.said = said


class Cursor:
    """A place in a row of tokens, which has an end, and the expression that begins there.

    Line ends are passed over.
    """

    def __init__(self, tokens: Sequence[Token], *, at: int = 0) -> None:
        self._tokens = tokens
        self.at = at
        self._level = 0

    # Tokens

    @property
    def now(self) -> Token:
        """The token that is next, line ends apart."""
        return self._tokens[self._next()]

    @property
    def is_at_line_end(self) -> bool:
        """Whether nothing more stands on this line."""
        return self._tokens[self.at].kind in (Kind.LINE_END, Kind.END)

    @property
    def before(self) -> Token:
        """The token that was taken last."""
        return self._tokens[max(self.at - 1, 0)]

    def peek(self) -> Token:
        """The token behind the next one, line ends apart."""
        return Cursor(self._tokens, at=min(self._next() + 1, len(self._tokens) - 1)).now

    def take(self) -> Token:
        """The next token; the row moves on unless it is at its end."""
        at = self._next()
        token = self._tokens[at]
        if token.kind is not Kind.END:
            self.at = at + 1
        return token

    def _next(self) -> int:
        at = self.at
        while self._tokens[at].kind is Kind.LINE_END:
            at += 1
        return at

    def takes(self, *texts: str) -> bool:
        """Take the next token if it is one of these signs."""
        if self.now.is_sign(*texts):
            self.take()
            return True
        return False

    def expect(self, sign: str, *, after: str) -> Token:
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
        """That the next token does not fit."""
        token = self.now
        span = token.span
        if token.kind in (Kind.END, Kind.DIRECTIVE) and token is not self.before:
            end = self.before.span.end
            span = Span(max(end - 1, 0), end)
            label = "behind this" if label else ""
        return NotUnderstood(Diagnostic(code, message, primary=Label(span, label), help=help_))

    def name(self, what: str) -> Token:
        """Take a name, which is that of *what*."""
        if self.now.kind is Kind.NAME:
            return self.take()
        raise self.fault(f"the name of {what} is missing here", f"{shown(self.now)} is no name")

    # Expressions

    def expression(self) -> tree.Expr:
        """An expression."""
        start = self.now
        found = self._whole()
        if self._level == 0 and depth(found) > MOST_LEVELS:
            raise self._too_deep(start)
        return found

    def _whole(self) -> tree.Expr:
        rungs: list[tuple[tree.Expr, tree.Expr]] = []
        while True:
            test = self._binary(1)
            if not self.takes("?"):
                self._check_assignment()
                return ladder(rungs, test)
            self._deeper()
            yes = self.expression()
            self._level -= 1
            self.expect(":", after="in `… ? … : …`")
            rungs.append((test, yes))

    def product(self) -> tree.Expr:
        """An expression without operators weaker than ``*``: a multiplicity."""
        return self._binary(_MULTIPLYING)

    def _binary(self, least: int) -> tree.Expr:
        left = self._unary()
        while (strength := self._strength()) >= least:
            self._deeper()
            others: list[Operand] = []
            while self._strength() == strength:
                sign = self.take().text
                others.append((sign, self._binary(strength + 1)))
            self._level -= 1
            left = joined(left, others)
        return left

    def _strength(self) -> int:
        """How strongly the operator binds that is next; 0 where there is none."""
        token = self.now
        if token.kind is not Kind.SIGN or (token.text == "*" and self.peek().is_sign("<.")):
            return 0
        return STRENGTHS.get(token.text, 0)

    def _unary(self) -> tree.Expr:
        if self.now.is_sign("-", "+", "!", "~"):
            sign = self.take()
            self._deeper()
            operand = self._unary()
            self._level -= 1
            return tree.Unary(sign.text, operand, span=sign.span.to(operand.span))
        if self.now.is_sign("*", "&", "++", "--"):
            raise self.fault(
                "an expression of a net has no effects and no pointers",
                f"`{self.now.text}` cannot stand here",
                code=codes.OUTSIDE_C_SUBSET,
            )
        return self._postfix()

    def _postfix(self) -> tree.Expr:
        token = self.now
        if self.takes("("):
            self._check_cast(token)
            self._deeper()
            inner = self.expression()
            self.check_comma("write only the last one: the others would have no effect")
            end = self.expect(")", after="behind this expression")
            self._level -= 1
            return replace(inner, span=token.span.to(end.span))
        if token.kind in (Kind.NUMBER, Kind.CHARACTER):
            return self._number()
        if token.kind is Kind.TEXT:
            help_ = "a token has whole numbers; `#enum` and `#define` give them names"
            raise outside("a text", token.span, help_)
        if token.kind is not Kind.NAME:
            raise self._missing(token)
        if token.text == "sizeof":
            raise outside("`sizeof`", token.span, "write the number itself")
        self.take()
        found = self._named(token)
        if self.now.is_sign(".", "->"):
            raise outside("a member of a structure", self.now.span, None)
        return found

    def _missing(self, token: Token) -> NotUnderstood:
        before = self.before
        help_ = "write a number, a name, or an expression in brackets"
        if before.is_sign(">"):
            help_ = "is `.>` meant, the end of a tuple?"
        elif before.kind is Kind.SIGN and before.text in STRENGTHS:
            help_ = f"write what stands on the right of `{before.text}`, or leave it out"
        return self.fault(
            "an expression is missing here", f"{shown(token)} begins none", help_=help_
        )

    def _named(self, token: Token) -> tree.Expr:
        if self.now.is_sign("("):
            return self._call(token)
        if self.now.is_sign("["):
            return self._index(token)
        return tree.Name(token.text, span=token.span)

    def _check_cast(self, start: Token) -> None:
        if self.now.kind is not Kind.NAME or self.now.text not in _TYPES:
            return
        end = self.take()
        while not end.is_sign(")") and self._goes_on_as_type(self.now):
            end = self.take()
        help_ = "leave it out: all numbers have a sign and 64 bits"
        raise outside("a cast", start.span.to(end.span), help_)

    def _goes_on_as_type(self, token: Token) -> bool:
        return token.kind is Kind.NAME or token.is_sign("*", ")")

    def check_comma(self, help_: str) -> None:
        """Say what C's comma operator is, if it stands here."""
        if self.now.is_sign(","):
            raise outside("the comma operator", self.now.span, help_)

    def _number(self) -> tree.Expr:
        token = self.now
        read = number if token.kind is Kind.NUMBER else character
        value = read(token.text)
        if isinstance(value, str):
            raise self.fault(value, "this number", code=codes.NUMBER_NOT_WHOLE)
        self.take()
        return tree.Number(value, span=token.span)

    def _call(self, function: Token) -> tree.Expr:
        self.take()
        self._deeper()
        arguments: list[tree.Expr] = []
        while not self.now.is_sign(")"):
            arguments.append(self.expression())
            if not self.takes(","):
                break
        end = self.expect(")", after=f"behind the arguments of `{function.text}`")
        self._level -= 1
        return tree.Call(function.text, tuple(arguments), span=function.span.to(end.span))

    def _index(self, table: Token) -> tree.Expr:
        indexes: list[tree.Expr] = []
        end = table
        while self.takes("["):
            self._deeper()
            indexes.append(self.expression())
            self.check_comma("each index has brackets of its own, as in `[1][2]`")
            end = self.expect("]", after="behind this index")
            self._level -= 1
        return tree.Index(table.text, tuple(indexes), span=table.span.to(end.span))

    def _check_assignment(self) -> None:
        if self.now.kind is Kind.SIGN and self.now.text in _ASSIGNMENTS:
            raise self.fault(
                "an expression of a net has no effects",
                f"`{self.now.text}` would assign",
                code=codes.OUTSIDE_C_SUBSET,
                help_="write `==` to compare" if self.now.text == "=" else None,
            )

    def _deeper(self) -> None:
        self._level += 1
        if self._level > MOST_LEVELS:
            raise self._too_deep(self.now)

    def _too_deep(self, token: Token) -> NotUnderstood:
        words = f"this is nested more than {MOST_LEVELS} levels deep"
        label = Label(token.span, "too deep here")
        help_ = "write a part of it as a function of C"
        return NotUnderstood(Diagnostic(codes.TOO_DEEP, words, primary=label, help=help_))


def outside(what: str, span: Span, help_: str | None) -> NotUnderstood:
    """That *what* is C's, and cannot be written in a net's expressions."""
    return NotUnderstood(
        Diagnostic(
            codes.OUTSIDE_C_SUBSET,
            f"{what} is C's, and no part of a net's expressions here",
            primary=Label(span, "not read"),
            help=help_,
        )
    )


def depth(expr: tree.Expr) -> int:
    """How many levels *expr* has, counted without going down by recursion."""
    level: list[tree.Expr] = [expr]
    count = 0
    while level:
        count += 1
        level = [part for each in level for part in parts(each)]
    return count


def parts(expr: tree.Expr) -> tuple[tree.Expr, ...]:
    """The expressions that *expr* is made of."""
    match expr:
        case tree.Number() | tree.Name():
            return ()
        case tree.Unary(_, operand):
            return (operand,)
        case tree.Binary(_, left, right):
            return (left, right)
        case tree.Conditional(test, yes, no):
            return (test, yes, no)
        case tree.Index(_, inner) | tree.Call(_, inner):
            return inner
        case _:
            assert_never(expr)


def shown(token: Token) -> str:
    """*token* in a message."""
    match token.kind:
        case Kind.END:
            return "the end of the document"
        case Kind.LINE_END:
            return "the end of the line"
        case Kind.DIRECTIVE:
            return f"`#{token.text}`"
        case _:
            return f"`{token.text}`"
