"""Macros, and what they stand for.

A macro does not expand inside itself: each token remembers the macros that it came
from, so expansion ends whatever stands in them. How much may come out is bounded too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from zermelo.languages.nets.read.prod.lexer import NetToken, TokenKind, counted
from zermelo.text import codes
from zermelo.text.codes import Code
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import Span

MOST_TOKENS: Final = 300_000
"""So many tokens may come out of all macros of a net."""
MOST_LEVELS: Final = 100
"""So deep may uses of macros stand inside each other's arguments."""


@dataclass(frozen=True, slots=True)
class Macro:
    """``#define name(parameters) body``; without *parameters* there are no brackets."""

    name: str
    parameters: tuple[str, ...] | None
    body: tuple[NetToken, ...]
    span: Span

    def says_the_same(self, other: Macro) -> bool:
        """Whether *other* stands for the same tokens."""
        mine = [(each.kind, each.text) for each in self.body]
        return self.parameters == other.parameters and mine == [
            (each.kind, each.text) for each in other.body
        ]


class Macros:
    """The macros that are defined, and their expansion."""

    def __init__(self, said: list[Diagnostic]) -> None:
        self._said = said
        self._known: dict[str, Macro] = {}
        self._ever: dict[str, None] = {}
        self._leading_back: dict[str, None] = {}
        self._made = 0
        self._level = 0
        self.is_too_much = False
        """Whether the macros stand for more than is read."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all macros that were ever defined, in their order."""
        return tuple(self._ever)

    @property
    def leading_back(self) -> tuple[str, ...]:
        """The macros that were found inside what they stand for, so that they are names there."""
        return tuple(self._leading_back)

    def __contains__(self, name: str) -> bool:
        return name in self._known

    def define(self, macro: Macro) -> None:
        before = self._known.get(macro.name)
        if before is not None and not before.says_the_same(macro):
            self._said.append(_twice(macro, before))
        self._known[macro.name] = macro
        self._ever[macro.name] = None

    def undefine(self, name: str) -> None:
        self._known.pop(name, None)

    def expanded(self, tokens: Iterable[NetToken]) -> list[NetToken]:
        """*tokens* with every macro replaced by what it stands for; nothing if that is too much."""
        try:
            return self._expanded(tokens)
        except _TooMuchError as fault:
            self._level = 0
            self._say(codes.MACROS_WITHOUT_BOUND, str(fault), fault.token, help_=_SMALLER)
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
                    self._leading_back[token.text] = None
                continue
            body = self._body(macro, token, waiting)
            if body is None:
                made.append(token)
                continue
            waiting.extend(reversed(body))
        return made

    def _count(self, tokens: int, use: NetToken) -> None:
        """Count *tokens* that come out of a macro, before they do."""
        self._made += tokens
        if self._made > MOST_TOKENS:
            raise _TooMuchError(_WITHOUT_BOUND, use)

    def _body(self, macro: Macro, use: NetToken, waiting: list[NetToken]) -> list[NetToken] | None:
        """What *macro* stands for at *use*; ``None`` where it is not being used."""
        if macro.parameters is None:
            hidden = use.hidden | {macro.name}
            self._count(len(macro.body), use)
            return [_at(each, use, hidden | each.hidden) for each in macro.body]
        if not _opens(waiting):
            return None
        taken = _arguments(waiting)
        if taken is None:
            words = f"the brackets behind the macro `{macro.name}` are not closed"
            self._say(codes.MACRO_NOT_USABLE, words, use, help_="write `)` behind its arguments")
            return []
        arguments, end = taken
        if not macro.parameters and arguments == [[]]:
            arguments = []
        if len(arguments) != len(macro.parameters):
            words = (
                f"the macro `{macro.name}` is given {counted(len(arguments), 'argument')}, "
                f"and has {counted(len(macro.parameters), 'parameter')}"
            )
            form = f"`{macro.name}({', '.join(macro.parameters)})`"
            self._say(codes.MACRO_NOT_USABLE, words, use, help_=f"it is defined as {form}")
            return []
        hidden = (use.hidden & end.hidden) | {macro.name}
        return self._filled(macro, use, arguments, hidden)

    def _filled(
        self,
        macro: Macro,
        use: NetToken,
        arguments: Sequence[list[NetToken]],
        hidden: frozenset[str],
    ) -> list[NetToken]:
        """The body of *macro* with *arguments* in the places of the parameters."""
        values: dict[str, list[NetToken]] = {}
        body: list[NetToken] = []
        for each in macro.body:
            if each.kind is TokenKind.NAME and each.text in (macro.parameters or ()):
                if each.text not in values:
                    at = (macro.parameters or ()).index(each.text)
                    self._level += 1
                    values[each.text] = self._expanded(arguments[at])
                    self._level -= 1
                self._count(len(values[each.text]), use)
                body.extend(replace(t, hidden=t.hidden | hidden) for t in values[each.text])
            else:
                self._count(1, use)
                body.append(_at(each, use, hidden | each.hidden))
        return body

    def _say(self, code: Code, message: str, token: NetToken, *, help_: str | None = None) -> None:
        label = Label(token.span, "used here")
        said = Diagnostic(code, message, primary=label, help=help_)
        if code is codes.MACROS_WITHOUT_BOUND:
            if self.is_too_much:
                return
            self.is_too_much = True
        self._said.append(said)


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


def _opens(waiting: list[NetToken]) -> bool:
    """Whether the next token that is no line end is an opening bracket."""
    for token in reversed(waiting):
        if token.kind is not TokenKind.LINE_END:
            return token.is_sign("(")
    return False


def _arguments(waiting: list[NetToken]) -> tuple[list[list[NetToken]], NetToken] | None:
    """Take the arguments in brackets off *waiting*, with the bracket that closes them."""
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


def _twice(macro: Macro, before: Macro) -> Diagnostic:
    return Diagnostic(
        codes.MACRO_TWICE,
        f"the macro `{macro.name}` is defined a second time, as something else",
        primary=Label(macro.span, "from here on this holds"),
        secondary=(Label(before.span, "defined here first"),),
        help=f"write `#undef {macro.name}` before it if that is meant",
    )
