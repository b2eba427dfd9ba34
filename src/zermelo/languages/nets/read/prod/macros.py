"""Macros, and what they stand for.

A macro does not expand inside itself: each token remembers the macros that it came
from, so expansion ends whatever stands in them. How much may come out is bounded too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from zermelo.languages.nets.read.prod.lexer import NetToken, TokenKind
from zermelo.text import codes
from zermelo.text.codes import Code
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.prose import count
from zermelo.text.source import Span

MOST_TOKENS: Final = 300_000
MOST_LEVELS: Final = 100


@dataclass(frozen=True, slots=True)
class Macro:
    """``#define name(parameters) body``; without *parameters* there are no brackets."""

    name: str
    parameters: tuple[str, ...] | None
    body: tuple[NetToken, ...]
    span: Span

    def says_the_same(self, other: Macro) -> bool:
        mine, theirs = ([(t.kind, t.text) for t in each.body] for each in (self, other))
        return self.parameters == other.parameters and mine == theirs


class Macros:
    """The macros that are defined, and their expansion."""

    def __init__(self, said: list[Diagnostic]) -> None:
        self._said = said
        self._known: dict[str, Macro] = {}
        self.names: dict[str, None] = {}
        """The names of all macros that were ever defined, in their order."""
        self.leading_back: dict[str, None] = {}
        """The macros that were found inside what they stand for, so that they are names there."""
        self._made = 0
        self._level = 0
        self.is_too_much = False

    def __contains__(self, name: str) -> bool:
        return name in self._known

    def define(self, macro: Macro) -> None:
        before = self._known.get(macro.name)
        if before is not None and not before.says_the_same(macro):
            self._said.append(
                Diagnostic(
                    codes.MACRO_TWICE,
                    f"the macro `{macro.name}` is defined a second time, as something else",
                    primary=Label(macro.span, "from here on this holds"),
                    secondary=(Label(before.span, "defined here first"),),
                    help=f"write `#undef {macro.name}` before it if that is meant",
                )
            )
        self._known[macro.name] = macro
        self.names[macro.name] = None

    def undefine(self, name: str) -> None:
        self._known.pop(name, None)

    def expanded(self, tokens: Iterable[NetToken]) -> list[NetToken]:
        """*tokens* with every macro replaced by what it stands for; nothing if that is too much."""
        try:
            return self._expanded(tokens)
        except _TooMuchError as fault:
            self._level = 0
            if not self.is_too_much:
                self._say(codes.MACROS_WITHOUT_BOUND, str(fault), fault.token, _SMALLER)
            self.is_too_much = True
            return []

    def _expanded(self, tokens: Iterable[NetToken]) -> list[NetToken]:
        waiting = list(tokens)[::-1]
        made: list[NetToken] = []
        if self._level > MOST_LEVELS and waiting:
            raise _TooMuchError(_TOO_DEEP, waiting[-1])
        while waiting:
            token = waiting.pop()
            macro = self._known.get(token.text) if token.kind is TokenKind.NAME else None
            if macro is None or token.text in token.hidden:
                made.append(token)
                if macro is not None:
                    self.leading_back[token.text] = None
                continue
            body = self._body(macro, token, waiting)
            if body is None:
                made.append(token)
            else:
                waiting.extend(reversed(body))
        return made

    def _count(self, tokens: int, use: NetToken) -> None:
        self._made += tokens
        if self._made > MOST_TOKENS:
            raise _TooMuchError(_WITHOUT_BOUND, use)

    def _body(self, macro: Macro, use: NetToken, waiting: list[NetToken]) -> list[NetToken] | None:
        """What *macro* stands for at *use*; ``None`` where it is not being used."""
        if macro.parameters is None:
            hidden = use.hidden | {macro.name}
            self._count(len(macro.body), use)
            return [_at(each, use, hidden | each.hidden) for each in macro.body]
        following = next((t for t in reversed(waiting) if t.kind is not TokenKind.LINE_END), None)
        if following is None or not following.is_sign("("):
            return None
        taken = _arguments(waiting)
        if taken is None:
            words = f"the brackets behind the macro `{macro.name}` are not closed"
            self._say(codes.MACRO_NOT_USABLE, words, use, "write `)` behind its arguments")
            return []
        arguments, end = taken
        if not macro.parameters and arguments == [[]]:
            arguments = []
        if len(arguments) != len(macro.parameters):
            words = (
                f"the macro `{macro.name}` is given {count(len(arguments), 'argument')}, "
                f"and has {count(len(macro.parameters), 'parameter')}"
            )
            form = f"`{macro.name}({', '.join(macro.parameters)})`"
            self._say(codes.MACRO_NOT_USABLE, words, use, f"it is defined as {form}")
            return []
        hidden = (use.hidden & end.hidden) | {macro.name}
        return self._filled(macro, use, dict(zip(macro.parameters, arguments, strict=True)), hidden)

    def _filled(
        self,
        macro: Macro,
        use: NetToken,
        given: Mapping[str, list[NetToken]],
        hidden: frozenset[str],
    ) -> list[NetToken]:
        values: dict[str, list[NetToken]] = {}
        body: list[NetToken] = []
        for each in macro.body:
            if each.kind is TokenKind.NAME and each.text in given:
                if each.text not in values:
                    self._level += 1
                    values[each.text] = self._expanded(given[each.text])
                    self._level -= 1
                self._count(len(values[each.text]), use)
                body.extend(replace(t, hidden=t.hidden | hidden) for t in values[each.text])
            else:
                self._count(1, use)
                body.append(_at(each, use, hidden | each.hidden))
        return body

    def _say(self, code: Code, message: str, token: NetToken, help_: str) -> None:
        self._said.append(Diagnostic(code, message, Label(token.span, "used here"), help=help_))


class _TooMuchError(Exception):
    """What macros stand for is more than is read; *token* is where that is seen."""

    def __init__(self, message: str, token: NetToken) -> None:
        super().__init__(message)
        self.token = token


_TOO_DEEP: Final = f"macros are used inside each other more than {MOST_LEVELS} levels deep"
_WITHOUT_BOUND: Final = f"the macros of this net stand for more than {MOST_TOKENS:,} tokens"
_SMALLER: Final = "a function of C, or an interval such as `<.1..n.>`, says much in few words"


def _at(token: NetToken, use: NetToken, hidden: frozenset[str]) -> NetToken:
    return NetToken(token.kind, token.text, use.span, hidden)


def _arguments(waiting: list[NetToken]) -> tuple[list[list[NetToken]], NetToken] | None:
    arguments: list[list[NetToken]] = [[]]
    depth = 0
    while waiting:
        token = waiting.pop()
        if token.is_sign("("):
            depth += 1
            if depth == 1:
                continue
        elif token.is_sign(")"):
            depth -= 1
            if depth == 0:
                return arguments, token
        elif token.is_sign(",") and depth == 1:
            arguments.append([])
            continue
        if token.kind is not TokenKind.LINE_END:
            arguments[-1].append(token)
    return None
