"""C's expressions and types: what functions and tables have beyond the expressions of a net.

What is C and outside the part that is read is parsed all the same, and remembered as a refusal;
what is no C is a fault. A place in C is one token: of a call or an element its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias, TypeVar

from zermelo.languages.nets import ir
from zermelo.languages.nets.ir import BinaryOp, UnaryOp
from zermelo.languages.nets.read.prod import tree
from zermelo.languages.nets.read.prod.expressions import (
    ASSIGNMENTS,
    ExpressionReader,
    NotUnderstood,
)
from zermelo.languages.nets.read.prod.lexer import NetToken, TokenKind, character, number
from zermelo.text import codes
from zermelo.text.budget import Stack
from zermelo.text.codes import Code
from zermelo.text.source import NOWHERE, Span

T = TypeVar("T")
MOST_NESTED: Final = 120
CALLS_OF_A_LEVEL: Final = 16
"""How many of Python's calls it takes to read what is one level deeper."""

_INTEGERS: Final = frozenset({"int", "long", "short", "char", "signed", "unsigned", "_Bool"})
_TYPES: Final = _INTEGERS | {"void", "float", "double", "_Complex", "__int128"}
_QUALIFIERS: Final = frozenset({"const", "volatile", "restrict", "_Atomic"})
_STORAGES: Final = frozenset(
    {"auto", "register", "static", "extern", "typedef", "_Thread_local", "inline", "_Noreturn"}
)
_TAGGED: Final = frozenset({"struct", "union", "enum"})
_BEGINS_A_TYPE: Final = _TYPES | _QUALIFIERS | _STORAGES | _TAGGED
KEYWORDS: Final = _BEGINS_A_TYPE | {
    *("break", "case", "continue", "default", "do", "else", "for", "goto", "if", "return"),
    *("sizeof", "switch", "while", "_Static_assert", "offsetof", "_Alignof", "_Generic"),
}
# Names of types that headers of C would give.
_HEADER_TYPES: Final = (
    *(f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64, "ptr")),
    "size_t",
    "bool",
)
_FRACTION: Final = re.compile(r"[0-9]+(\.[0-9]+([eE][0-9]+)?|[eE][0-9]+)[fFlL]?")
_BINARY_NUMBER: Final = re.compile(r"0[bB][01]+[uUlL]*")

Refusal: TypeAlias = tuple[str, Span]


@dataclass(slots=True)
class CSpecifiers:
    """The words before what is declared: ``static const unsigned long``."""

    storage: set[str] = field(default_factory=set)
    qualifiers: set[str] = field(default_factory=set)
    types: list[str] = field(default_factory=list)
    span: Span = NOWHERE
    tag: str = ""
    """``struct``, ``union`` or ``enum``; the place is that behind the first two."""
    enumerators: tuple[tree.CVariable, ...] = ()


class CParameter(NamedTuple):
    """A parameter of a function."""

    types: CSpecifiers
    declarator: CDeclarator
    problem: str = ""
    """Why there is no parameter that could be read, known from its form alone."""


class CPart(NamedTuple):
    """``[size]``, ``(parameters)`` or ``*`` beside a name, told apart by the first sign."""

    sign: str
    size: ir.Expr | None = None
    parameters: tuple[CParameter, ...] = ()


class CDeclarator(NamedTuple):
    """What is declared: its name, and what it is made of, from the name outwards."""

    name: str
    span: Span
    made_of: tuple[CPart, ...] = ()

    @property
    def is_function(self) -> bool:
        return bool(self.made_of) and self.made_of[0].sign == "("


class _Effect(NamedTuple):
    """An expression that gives a value to a variable, which only a statement may do."""

    placeholder: ir.Expr
    """Stands for it in an expression around it."""
    statement: tree.Assignment
    refusal: Refusal | None


class CExpressionReader(ExpressionReader):
    """Parses expressions and types of C.

    The first thing outside the part that is read is the refusal of the declaration it stands in.
    """

    def __init__(self, tokens: Sequence[NetToken]) -> None:
        super().__init__(tokens)
        self.unsigned: Span | None = None
        self._types = dict.fromkeys(_HEADER_TYPES, True)
        """Names of types, and whether each of them is an integer."""
        self._refusal: Refusal | None = None
        self._effect: _Effect | None = None
        self._nested = 0
        self._is_too_deep = False
        # Brackets inside of brackets take a few calls each, and are no level of their own.
        self._stack = Stack()
        self._stack.begin()

    def fault(
        self,
        message: str = "",
        label: str = "",
        *,
        code: Code = codes.C_NOT_UNDERSTOOD,
        help_: str | None = None,
    ) -> NotUnderstood:
        """That the next token does not fit; what would fit is not said."""
        del message, label, code, help_
        return no_c(self.now.span)

    def name(self, what: str = "") -> NetToken:
        if self.now.kind is TokenKind.NAME and self.now.text in KEYWORDS:
            raise self.fault(what)
        return super().name(what)

    def _refuse(self, what: str, span: Span) -> None:
        self._refusal = self._refusal or (what, span)

    def _is_integer(self, types: CSpecifiers) -> bool:
        if types.tag:
            return False
        if "unsigned" in types.types and self.unsigned is None and self._refusal is None:
            self.unsigned = types.span
        return all(each in _INTEGERS or self._types.get(each, False) for each in types.types)

    def _begins_declaration(self) -> bool:
        return self._is_type(self.now)

    def _is_type(self, token: NetToken) -> bool:
        return token.kind is TokenKind.NAME and (
            token.text in _BEGINS_A_TYPE or token.text in self._types
        )

    def _specifiers(self) -> CSpecifiers:
        found = CSpecifiers()
        while self._begins_declaration():
            word = self.now
            if word.text in self._types and (found.types or found.tag):
                break
            self.take()
            if word.text in _QUALIFIERS:
                found.qualifiers.add(word.text)
            elif word.text in _STORAGES:
                found.storage.add(word.text)
            else:
                if found.tag or (found.types and word.text in _TAGGED):
                    raise no_c(word.span)
                if not found.types:
                    found.span = word.span
                if word.text in _TAGGED:
                    found.tag = word.text
                    found.span = word.span if word.text == "enum" else self.now.span
                    found.enumerators = self._tagged(word.text)
                else:
                    found.types.append(word.text)
        return found

    def _tagged(self, tag: str) -> tuple[tree.CVariable, ...]:
        has_name = self.now.kind is TokenKind.NAME and self.now.text not in KEYWORDS
        if has_name:
            self.take()
        if not self.now.is_sign("{"):
            if not has_name:
                raise self.fault()
            return ()
        if tag != "enum":
            self._skip_brackets()
            return ()
        self.take()
        return self._enumerators()

    def _enumerators(self) -> tuple[tree.CVariable, ...]:
        found: list[tree.CVariable] = []
        base: ir.Expr = ir.Const(0)
        more = 0
        while True:
            name = self.name()
            if self.takes("="):
                base, more = self.expression(), 0
            value = base
            if more:
                value = ir.Binary(
                    BinaryOp.PLUS, base, ir.Const(more, span=name.span), span=name.span
                )
            if self._refusal is None:
                found.append(tree.CVariable(name.text, (), value, span=name.span))
            more += 1
            if not self.takes(",") or self.now.is_sign("}"):
                break
        self.expect("}")
        return tuple(found)

    def _declarator(self, *, is_abstract: bool = False, start: Span = NOWHERE) -> CDeclarator:
        """What is declared here; where it *is_abstract*, its name may be missing."""
        pointers: list[Span] = []
        while self.now.is_sign("*"):
            pointers.append(self.take().span)
            while self.now.kind is TokenKind.NAME and self.now.text in _QUALIFIERS:
                self.take()
        found = CDeclarator("", start)
        if self.now.is_sign("(") and not (
            is_abstract and (self.peek().is_sign(")") or self._is_type(self.peek()))
        ):
            self.take()
            found = self._declarator(is_abstract=is_abstract, start=start)
            self.expect(")")
        elif not is_abstract or self.now.kind is TokenKind.NAME:
            name = self.name()
            found = CDeclarator(name.text, name.span)
        while self.now.is_sign("[", "("):
            made_of = self._dimension() if self.now.is_sign("[") else self._parameters()
            found = found._replace(made_of=(*found.made_of, made_of))
        if pointers and not found.made_of and found.name:
            found = found._replace(span=pointers[-1])
        return found._replace(made_of=found.made_of + (CPart("*"),) * len(pointers))

    def _dimension(self) -> CPart:
        self.take()
        while self.now.kind is TokenKind.NAME and self.now.text in _QUALIFIERS | {"static"}:
            self.take()
        size = self.expression() if self._begins_expression() else None
        self.expect("]")
        return CPart("[", size)

    def _parameters(self) -> CPart:
        self.take()
        found: list[CParameter] = []
        if not self.now.is_sign(")"):
            read = self._parameter if self._begins_declaration() else self._old_parameter
            found = self._listed(read)
        self.expect(")")
        return CPart("(", parameters=tuple(found))

    def _listed(self, read: Callable[[], T]) -> list[T]:
        found = [read()]
        while self.takes(","):
            found.append(read())
        return found

    def _parameter(self) -> CParameter:
        start = self.now.span
        if self.takes("..."):
            declared = CDeclarator("", start)
            return CParameter(CSpecifiers(), declared, "a function with any number of arguments")
        if not self._begins_declaration():
            raise no_c(self._tokens[-1].span)
        types = self._specifiers()
        return CParameter(types, self._declarator(is_abstract=True, start=start))

    def _old_parameter(self) -> CParameter:
        name = self.name()
        declared = CDeclarator(name.text, name.span)
        return CParameter(CSpecifiers(), declared, "a function head of the old style")

    def _skip_brackets(self) -> None:
        level = 0
        while True:
            token = self.take()
            level += token.is_sign("(", "{") - token.is_sign(")", "}")
            if token.kind is TokenKind.END:
                raise self.fault()
            if level <= 0:
                return

    def _check_depth(self, found: ir.Expr, start: NetToken) -> None:
        del start
        self._is_too_deep = self._is_too_deep or self._nested + ir.depth(found) > MOST_NESTED

    def _deeper(self) -> None:
        self._level += 1

    def _begins_expression(self) -> bool:
        token = self.now
        if token.kind is TokenKind.NAME:
            return token.text == "sizeof" or not (
                token.text in KEYWORDS or token.text in self._types
            )
        return token.kind in (
            TokenKind.NUMBER,
            TokenKind.CHARACTER,
            TokenKind.TEXT,
        ) or token.is_sign("(", "-", "+", "!", "~", "*", "&", "++", "--")

    def _between(self) -> ir.Expr:
        """An expression that may be followed by others and commas, which is not read."""
        before = self._refusal
        found, *others = self._listed(self.expression)
        if others:
            self._refusal = before or ("a comma between expressions", first_place(found))
        return found

    def _not_assigned(self, expr: ir.Expr) -> ir.Expr:
        if self.now.kind is not TokenKind.SIGN or self.now.text not in ASSIGNMENTS:
            return expr
        sign = self.take().text[:-1]
        value = self.expression()
        op = BinaryOp(sign) if sign else None
        return self._gives(expr, op, value, "an assignment inside an expression")

    def _gives(self, target: ir.Expr, op: BinaryOp | None, value: ir.Expr, what: str) -> ir.Expr:
        """That *target* gets another value, which is refused inside an expression."""
        span = first_place(target)
        refusal = self._refusal
        if not isinstance(target, ir.Var | ir.Element):
            refusal = refusal or ("an assignment to something that is no variable", span)
            target = ir.Var("")
        statement = tree.Assignment(target, op, value, span=span)
        self._effect = _Effect(ir.Const(0, span=span), statement, refusal)
        self._refuse(what, span)
        return self._effect.placeholder

    def _unary(self) -> ir.Expr:
        return self._stack.deeper(CALLS_OF_A_LEVEL, self._operand)

    def _operand(self) -> ir.Expr:
        before, sign = self._refusal, self.now
        if sign.is_sign("(") and self._is_type(self.peek()):
            return self._cast()
        if sign.is_name("sizeof"):
            self.take()
            if self.now.is_sign("(") and self._is_type(self.peek()):
                self._type_name()
            else:
                self._unary()
            self._refusal = before or ("`sizeof`", sign.span)
            return ir.Const(0, span=sign.span)
        if not sign.is_sign("-", "+", "!", "~", "*", "&", "++", "--"):
            return self._postfix()
        self.take()
        self._deeper()
        operand = self._unary()
        self._level -= 1
        if sign.text in ("++", "--"):
            return self._step(sign, operand)
        if sign.text in ("*", "&"):
            what = "a pointer" if sign.text == "*" else "an address"
            self._refusal = before or (what, first_place(operand))
            return ir.Const(0, span=operand.span)
        return ir.Unary(UnaryOp(sign.text), operand, span=operand.span)

    def _step(self, sign: NetToken, target: ir.Expr) -> ir.Expr:
        one, op = ir.Const(1, span=first_place(target)), BinaryOp(sign.text[0])
        return self._gives(target, op, one, f"`{sign.text}` inside an expression")

    def _cast(self) -> ir.Expr:
        before, start = self._refusal, self.now
        types, declared = self._type_name()
        if self.now.is_sign("{"):
            self._init()
            self._refusal = before or ("a literal of a structure or an array", start.span)
            return self._suffixed(ir.Const(0, span=start.span))
        is_integer = not declared.made_of and self._is_integer(types)
        if not is_integer:
            self._refuse("a cast to something that is no integer", start.span)
        operand, self._effect = self._unary(), None
        return operand

    def _type_name(self) -> tuple[CSpecifiers, CDeclarator]:
        self.take()
        types, declared = self._specifiers(), self._declarator(is_abstract=True)
        if declared.name or not (types.types or types.tag):
            raise self.fault()
        self.expect(")")
        return types, declared

    def _postfix(self) -> ir.Expr:
        token = self.now
        found: ir.Expr
        if self.takes("("):
            self._deeper()
            found = self._between()
            self._level -= 1
            self.expect(")")
        elif token.kind in (TokenKind.NUMBER, TokenKind.CHARACTER):
            found = self._number()
        elif token.kind is TokenKind.TEXT:
            while self.now.kind is TokenKind.TEXT:
                self.take()
            self._refuse("a text", token.span)
            found = ir.Const(0, span=token.span)
        elif self._begins_expression():
            found = ir.Var(self.take().text, span=token.span)
        else:
            # The end of the text: what is missing may belong anywhere before it.
            raise no_c(self._tokens[-1].span)
        return self._suffixed(found)

    def _suffixed(self, found: ir.Expr) -> ir.Expr:
        """*found* with the indexes, arguments and signs that stand behind it."""
        while self.now.is_sign("[", "(", ".", "->", "++", "--"):
            sign, span = self.take(), first_place(found)
            self._deeper()
            match sign.text:
                case "[":
                    found = self._indexed(found)
                case "(":
                    found = self._called(found)
                case "." | "->":
                    self.name()
                    self._refuse("a member of a structure", span)
                    found = ir.Const(0, span=span)
                case _:
                    found = self._step(sign, found)
            self._level -= 1
        return found

    def _indexed(self, table: ir.Expr) -> ir.Expr:
        index = self._between()
        self.expect("]")
        match table:
            case ir.Var(name):
                return ir.Element(name, (index,), span=table.span)
            case ir.Element(name, indexes):
                return ir.Element(name, (*indexes, index), span=table.span)
            case _:
                self._refuse("an index into something that is no table", first_place(table))
                return table

    def _called(self, function: ir.Expr) -> ir.Expr:
        arguments: list[ir.Expr] = []
        if not self.now.is_sign(")"):
            arguments = self._listed(self.expression)
        self.expect(")")
        if isinstance(function, ir.Var):
            return ir.Call(function.name, tuple(arguments), span=function.span)
        self._refuse("a call of something that is no function", first_place(function))
        return function

    def _number(self) -> ir.Expr:
        token = self.take()
        value = (number if token.kind is TokenKind.NUMBER else character)(token.text)
        if isinstance(value, int):
            return ir.Const(value, span=token.span)
        if _FRACTION.fullmatch(token.text):
            self._refuse("a number with a fraction", token.span)
        elif (
            token.kind is TokenKind.CHARACTER
            or value.endswith("64 bits")
            or _BINARY_NUMBER.fullmatch(token.text)
        ):
            self._refuse(f"a number that has no 64-bit value ({value})", token.span)
        else:
            raise no_c(token.span)
        return ir.Const(0, span=token.span)

    def _init(self) -> tree.Init:
        return self._stack.deeper(CALLS_OF_A_LEVEL, self._values)

    def _values(self) -> tree.Init:
        start = self.now
        if not self.takes("{"):
            return self.expression()
        items: list[tree.Init] = []
        while not self.now.is_sign("}"):
            if self.now.is_sign("[", "."):
                self._designators()
            items.append(self._init())
            if not self.takes(","):
                break
        self.expect("}")
        return tree.InitList(tuple(items), span=first_place(items[0]) if items else start.span)

    def _designators(self) -> None:
        self._refuse("a value with the name of its place", NOWHERE)
        while self.now.is_sign("[", "."):
            if self.takes("["):
                self.expression()
                self.expect("]")
            else:
                self.take()
                self.name()
        self.expect("=")


def first_place(written: tree.Init) -> Span:
    """The place of the first token of *written*, signs and brackets apart."""
    while True:
        match written:
            case ir.Binary(_, first, _) | ir.Unary(_, first) | ir.Conditional(first):
                written = first
            case _:
                return written.span


def no_c(span: Span, label: str = "not understood") -> NotUnderstood:
    return NotUnderstood(
        codes.C_NOT_UNDERSTOOD,
        "what stands between the directives of a net is read as C, and this is not understood",
        span,
        label,
        "a net consists of `#place` and `#trans … #endtr`; C functions and tables may stand "
        "between them",
    )
