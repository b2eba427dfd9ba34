"""PROD's preprocessor: macros, files that are included, and conditions.

It leaves the directives of nets (``#place``, ``#trans``, ``#endtr``, ``#enum``) to the parser,
and those that are not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from zermelo.languages.nets import ir
from zermelo.languages.nets.ir import BinaryOp, UnaryOp
from zermelo.languages.nets.read.prod.expressions import ExpressionReader, NotUnderstood
from zermelo.languages.nets.read.prod.lexer import NetToken, TokenKind, lex
from zermelo.languages.nets.read.prod.macros import Macro, Macros
from zermelo.languages.nets.read.prod.sources import DocumentFiles, FileNotRead, NetText, NetTexts
from zermelo.languages.nets.run.arithmetic import NoValue, binary, unary
from zermelo.text import codes
from zermelo.text.budget import spend
from zermelo.text.codes import Code, Severity
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import Source, Span

MOST_INCLUDED: Final = 20
MOST_TEXTS: Final = 200
ENUM_HEADER: Final = "_enum.h"
"""The header that PROD makes of the ``#enum`` constants; they are known anyway."""
_STEPS_OF_A_TOKEN: Final = 24
_CONDITIONS: Final = frozenset({"if", "ifdef", "ifndef", "elif", "else", "endif"})
# These may also stand behind something else on a line.
_ANYWHERE: Final = frozenset({"endtr", "trans", "place", "enum"})


@dataclass(slots=True)
class _Condition:
    """An ``#if`` that is open."""

    span: Span
    is_active: bool
    was_taken: bool
    """Whether a part of it was read already, or none may be."""
    has_else: bool = False


class Preprocessor:
    """Prepares the texts of one net, or one C file beside it."""

    def __init__(self, texts: NetTexts, files: DocumentFiles, said: list[Diagnostic]) -> None:
        self._texts = texts
        self._files = files
        self._said = said
        self.macros = Macros(said)
        self._open: list[_Condition] = []
        self._made: list[NetToken] = []
        self._chunk: list[NetToken] = []
        self._depth = 0

    def run(self, text: NetText) -> list[NetToken]:
        self._made = []
        self._text(text)
        end = text.start + len(text.source.text)
        self._made.append(NetToken(TokenKind.END, "", Span(end, end)))
        spend(_STEPS_OF_A_TOKEN * len(self._made), "reading the net")
        return self._made

    def _text(self, text: NetText) -> None:
        outside = len(self._open)
        for line in _lines(lex(text, self._said)):
            if line[0].is_sign("#"):
                self._flush()
                self._directive(line, text)
            elif self._is_active:
                self._chunk.extend(line)
        self._flush()
        for condition in self._open[outside:]:
            self._say(
                codes.CONDITION_NOT_CLOSED,
                "this condition is not closed",
                condition.span,
                "write `#endif` where it ends",
            )
        del self._open[outside:]

    @property
    def _is_active(self) -> bool:
        return all(condition.is_active for condition in self._open)

    def _flush(self) -> None:
        if self._chunk:
            self._made.extend(self.macros.expanded(self._chunk))
            self._chunk = []

    def _directive(self, line: Sequence[NetToken], text: NetText) -> None:
        word = line[1] if len(line) > 1 else line[0]
        word = replace(word, span=line[0].span.to(word.span))
        rest = line[2:]
        if word.kind is TokenKind.NAME and word.text in _CONDITIONS:
            self._condition(word, rest)
            return
        # `# 12 "file"` is what another preprocessor leaves.
        if not self._is_active or word.kind in (TokenKind.LINE_END, TokenKind.NUMBER):
            return
        match word.text:
            case "define":
                self._define(word, rest)
            case "undef":
                if rest and rest[0].kind is TokenKind.NAME:
                    self.macros.undefine(rest[0].text)
            case "include":
                self._include(word, rest, text)
            case "error":
                words = text.words(rest[0].span, rest[-2].span) if len(rest) > 1 else ""
                self._say(codes.MACRO_NOT_USABLE, f"the document says: {words}", word.span)
            case "pragma" | "line" | "ident" | "warning":
                pass
            case _:
                self._made.append(NetToken(TokenKind.DIRECTIVE, word.text, word.span))
                self._made.extend(self.macros.expanded(rest))

    def _define(self, word: NetToken, rest: Sequence[NetToken]) -> None:
        if not rest or rest[0].kind is not TokenKind.NAME or rest[0].text == "defined":
            words, help_ = (
                "the name of the macro is missing here",
                "write `#define NAME what it is`",
            )
            self._say(codes.MACRO_NOT_USABLE, words, word.span, help_)
            return
        name, body = rest[0], list(rest[1:-1])
        parameters: tuple[str, ...] | None = None
        if body and body[0].is_sign("(") and body[0].span.start == name.span.end:
            close = next((at for at, each in enumerate(body) if each.is_sign(")")), None)
            found = None if close is None else _parameters(body[1:close])
            if close is None or found is None:
                words = f"the parameters of the macro `{name.text}` are not understood"
                help_ = f"write `#define {name.text}(a, b) …`, with different names in the brackets"
                self._say(codes.MACRO_NOT_USABLE, words, name.span, help_)
                return
            parameters, body = found, body[close + 1 :]
        pasted = next((each for each in body if each.is_sign("#", "##")), None)
        if pasted is not None:
            words = f"`{pasted.text}` in a macro makes new words of old ones, which is not read"
            help_ = "write the whole words; a table or a function of C can choose between them"
            self._say(codes.MACRO_NOT_USABLE, words, pasted.span, help_)
            return
        self.macros.define(Macro(name.text, parameters, tuple(body), name.span))

    def _condition(self, word: NetToken, rest: Sequence[NetToken]) -> None:
        match word.text:
            case "if" | "ifdef" | "ifndef":
                may = self._is_active
                holds = may and self._holds(word, rest)
                self._open.append(_Condition(word.span, holds, was_taken=holds or not may))
            case "elif" | "else":
                self._other_part(word, rest)
            case _:
                if self._open:
                    self._open.pop()
                else:
                    self._unmatched(word)

    def _other_part(self, word: NetToken, rest: Sequence[NetToken]) -> None:
        if not self._open or self._open[-1].has_else:
            self._unmatched(word)
            return
        condition = self._open[-1]
        condition.is_active = False
        holds = not condition.was_taken and (word.text == "else" or self._holds(word, rest))
        condition.is_active = holds
        condition.was_taken = condition.was_taken or holds
        condition.has_else = word.text == "else"

    def _unmatched(self, word: NetToken) -> None:
        self._say(
            codes.CONDITION_NOT_CLOSED,
            f"there is no `#if` that this `#{word.text}` belongs to",
            word.span,
            "leave it out, or write `#if`, `#ifdef` or `#ifndef` where its condition begins",
        )

    def _holds(self, word: NetToken, rest: Sequence[NetToken]) -> bool:
        if word.text in ("ifdef", "ifndef"):
            if not rest or rest[0].kind is not TokenKind.NAME:
                words = f"a name is missing behind `#{word.text}`"
                help_ = f"write `#{word.text} NAME`, or `#if` with a condition"
                self._say(codes.CONDITION_WITHOUT_VALUE, words, word.span, help_)
                return False
            return (rest[0].text in self.macros) == (word.text == "ifdef")
        tokens = self.macros.expanded(self._decided(rest[:-1]))
        if not tokens:
            words = f"the condition is missing behind `#{word.text}`"
            help_ = f"write a number or a comparison, as in `#{word.text} n > 2`"
            self._say(codes.CONDITION_WITHOUT_VALUE, words, word.span, help_)
            return False
        end = NetToken(TokenKind.END, "", Span(tokens[-1].span.end, tokens[-1].span.end))
        cursor = ExpressionReader([*tokens, end])
        try:
            condition = cursor.expression()
            if cursor.now.kind is not TokenKind.END:
                raise cursor.fault("the condition goes on behind its end", "not understood")
            return condition_value(condition) != 0
        except NotUnderstood as fault:
            self._said.append(fault.said)
        except NoCondition as why:
            span = rest[0].span.to(rest[-2].span)
            self._say(codes.CONDITION_WITHOUT_VALUE, str(why), span, why.help)
        return False

    def _decided(self, tokens: Sequence[NetToken]) -> Iterator[NetToken]:
        at = 0
        while at < len(tokens):
            if tokens[at].is_name("defined"):
                is_open = at + 1 < len(tokens) and tokens[at + 1].is_sign("(")
                named = at + 1 + is_open
                if named < len(tokens) and tokens[named].kind is TokenKind.NAME:
                    known = "1" if tokens[named].text in self.macros else "0"
                    yield NetToken(TokenKind.NUMBER, known, tokens[at].span)
                    at = named + 1 + is_open
                    continue
            yield tokens[at]
            at += 1

    def _include(self, word: NetToken, rest: Sequence[NetToken], text: NetText) -> None:
        shown = self.macros.expanded(rest[:-1])
        if shown and shown[0].is_sign("<"):
            name = "".join(each.text for each in shown[1:-1])
            words = f"`<{name}>` belongs to a C compiler, and is passed over"
            span, note = word.span.to(rest[-1].span), Severity.NOTE
            self._say(codes.FILE_NOT_INCLUDED, words, span, severity=note)
            return
        if len(shown) != 1 or shown[0].kind is not TokenKind.TEXT:
            words = "the file to be included is missing here"
            help_ = 'write `#include "NAME"` with quotes'
            self._say(codes.FILE_NOT_INCLUDED, words, word.span, help_)
            return
        name, span = shown[0].text[1:-1], shown[0].span
        if name.rpartition("/")[2] == ENUM_HEADER:
            return
        if self._depth >= MOST_INCLUDED or len(self._texts.all) >= MOST_TEXTS:
            words = f"files include each other here more than {MOST_INCLUDED} deep"
            if self._depth < MOST_INCLUDED:
                words = f"more than {MOST_TEXTS} files are included"
            self._say(codes.INCLUDED_TOO_DEEPLY, words, span, "does the file include itself?")
            return
        beside = "" if text is self._texts.all[0] else text.source.name
        found = self._files.read(name, beside=beside)
        if isinstance(found, FileNotRead):
            code = codes.FILE_OUTSIDE if found.is_outside else codes.FILE_NOT_INCLUDED
            words = f"`{name}` cannot be included: {found.reason}"
            self._say(code, words, span, found.help)
            return
        self._depth += 1
        self._text(self._texts.add(Source(found.name, found.text), span))
        self._depth -= 1

    def _say(
        self,
        code: Code,
        message: str,
        span: Span,
        help_: str | None = None,
        *,
        severity: Severity | None = None,
    ) -> None:
        self._said.append(Diagnostic(code, message, Label(span), help=help_, severity=severity))


def _lines(tokens: Sequence[NetToken]) -> Iterator[list[NetToken]]:
    """The lines of *tokens*; a directive of nets begins a new one wherever it stands."""
    line: list[NetToken] = []
    for at, token in enumerate(tokens):
        following = tokens[at + 1] if at + 1 < len(tokens) else token
        if token.is_sign("#") and line and following.is_name(*_ANYWHERE):
            yield [*line, NetToken(TokenKind.LINE_END, "\n", token.span)]
            line = []
        line.append(token)
        if token.kind is TokenKind.LINE_END:
            yield line
            line = []


def _parameters(tokens: Sequence[NetToken]) -> tuple[str, ...] | None:
    if not tokens:
        return ()
    names = tokens[::2]
    is_list = all(each.is_sign(",") for each in tokens[1::2]) and len(tokens) % 2 == 1
    if not is_list or not all(each.kind is TokenKind.NAME for each in names):
        return None
    found = tuple(each.text for each in names)
    return found if len(set(found)) == len(found) else None


class NoCondition(Exception):
    """A condition has no value; the message says why, and *help* what to do."""

    def __init__(self, message: str, help_: str | None = None) -> None:
        super().__init__(message)
        self.help = help_


def condition_value(expr: ir.Expr) -> int:
    """The value of *expr*, where a name that is no macro is 0; raises ``NoCondition``."""
    match expr:
        case ir.Const(number):
            return number
        case ir.Var():
            return 0
        case ir.Unary(UnaryOp.NEGATE, operand):
            return -condition_value(operand)
        case ir.Unary(op, operand):
            return unary(op, condition_value(operand))
        case ir.Binary(BinaryOp.AND, left, right):
            return int(condition_value(left) != 0 and condition_value(right) != 0)
        case ir.Binary(BinaryOp.OR, left, right):
            return int(condition_value(left) != 0 or condition_value(right) != 0)
        case ir.Binary(op, left, right):
            return _applied(op, condition_value(left), condition_value(right))
        case ir.Conditional(test, yes, no):
            return condition_value(yes) if condition_value(test) else condition_value(no)
        case ir.Element(name) | ir.Call(name):
            raise NoCondition(
                f"`{name}` is not known while the text is being prepared",
                "conditions know numbers, macros and `defined NAME`",
            )


def _applied(op: BinaryOp, left: int, right: int) -> int:
    if op in (BinaryOp.LEFT, BinaryOp.RIGHT) and not 0 <= right < 64:
        raise NoCondition(f"{left} {op.value} {right} shifts by too many places")
    try:
        return binary(op, left, right)
    except NoValue as why:
        ask_first = "names that are no macros are 0 here; `defined NAME && …` asks first"
        raise NoCondition(str(why), None if right else ask_first) from None
