"""Definitions of LED: tokens become a tree.

Nothing separates definitions but where the next head begins, and a head is always
known by the ``:=`` or ``iff`` behind it. So the heads are found first, and a
definition that is damaged takes none of the others with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Final

from zermelo.languages.led.read.cursor import BEFORE_HEADS, NotUnderstoodError, ParseCursor
from zermelo.languages.led.read.expressions import OLDER_INFIX
from zermelo.languages.led.read.expressions import expression as read_expression
from zermelo.languages.led.read.lexer import EMPTY, RESERVED, Lexeme, LexemeKind, lex
from zermelo.languages.led.read.tree import Branch, Definition, Expr, GameSwitch, depth, expressions
from zermelo.text import codes
from zermelo.text.budget import spend
from zermelo.text.diagnostic import Checked, Diagnostic, Fix, Label
from zermelo.text.source import Source, Span

DEPTH: Final = 200
"""How many levels an expression may have, so that everything that walks it comes back."""

_DEFINES: Final = frozenset((":=", "iff"))
_ENDS: Final = frozenset((")", "]", "}", "|", "otherwise", "true", "false", "ledGame", EMPTY))
"""Signs that an operand or a definition ends with."""
_HEAD: Final = re.compile(
    r"(?<!\w)[\d_]*+([^\W\d_]\w*+)\s*+(?:(\([^()]*+\))\s*+)?(?::=|≔|≡|\biff\b)"
)


def definitions(
    source: Source, span: Span, *, defined: frozenset[str] | None = None
) -> Checked[tuple[Definition | GameSwitch, ...]]:
    """The definitions and game switches of *source* within *span*; damaged ones are left out.

    *defined* are the names of the whole program, where *span* is only a part of it.
    """
    tokens, said = lex(source, span)
    names = names_in(source.slice(span)) if defined is None else defined
    read = definitions_of(source, tokens, defined=names)
    return Checked(read.value, (*said, *read.diagnostics))


def definitions_of(
    source: Source, tokens: Sequence[Lexeme], *, defined: frozenset[str]
) -> Checked[tuple[Definition | GameSwitch, ...]]:
    parts: list[Definition | GameSwitch] = []
    complaints: list[Diagnostic] = []
    for own, sign in _pieces(source, tokens):
        cursor = ParseCursor(source, own, defined)
        with suppress(NotUnderstoodError):
            parts.append(_definition(cursor, sign))
        complaints += cursor.said
    return Checked(tuple(parts), tuple(complaints))


def expression(source: Source) -> Checked[Expr]:
    tokens, said = lex(source, Span(0, len(source.text)))
    cursor = ParseCursor(source, tokens, frozenset())
    try:
        if not tokens:
            raise cursor.fail(codes.OPERAND_MISSING, "there is no expression here", Span(0, 0))
        value = read_expression(cursor)
        if cursor.sign() in _DEFINES:
            raise cursor.fail(
                codes.FORMULA_NOT_UNDERSTOOD,
                "a definition stands in the program, and this is about an expression",
                cursor.here(),
                advice="ask for a value, as in `f(1) + 2`",
            )
        if cursor.peek() is not None:
            raise cursor.stray("an operator or the end of the expression")
        _not_too_deep(cursor, (value,))
    except NotUnderstoodError:
        return Checked(None, (*said, *cursor.said))
    is_sound = not any(each.is_error for each in said)
    return Checked(value if is_sound else None, (*said, *cursor.said))


def heads_in(code: str) -> frozenset[str]:
    """The names that *code* defines.

    >>> sorted(heads_in("f(x) := x + 1  g iff true"))
    ['f', 'g']
    """
    return frozenset(name for name, _ in _HEAD.findall(code))


def names_in(code: str) -> frozenset[str]:
    """The names that *code* defines, and those of its parameters.

    >>> sorted(names_in("f(x) := x + 1  g iff true"))
    ['f', 'g', 'x']
    """
    heads = (" ".join(head) for head in _HEAD.findall(code))
    return frozenset(name for head in heads for name in re.findall(r"\w+", head))


# Where definitions begin


def _pieces(
    source: Source, tokens: Sequence[Lexeme]
) -> Iterator[tuple[Sequence[Lexeme], int | None]]:
    """The tokens of each definition with the place of its ``:=`` or ``iff`` among them.

    A switch has none, nor has what stands before the first definition or behind a switch.
    """
    starts = [*_starts(source, tokens), (len(tokens), None)]
    if starts[0][0] > 0:
        yield tokens[: starts[0][0]], None
    for (start, sign), (end, _) in pairwise(starts):
        if sign is not None:
            yield tokens[start:end], sign - start
            continue
        yield tokens[start : start + 1], None
        if end > start + 1:
            yield tokens[start + 1 : end], None


def _starts(source: Source, tokens: Sequence[Lexeme]) -> Iterator[tuple[int, int | None]]:
    """Where each head begins and where its sign stands, which a game switch has not."""
    taken = 0
    for at, token in enumerate(tokens):
        if token.kind is not LexemeKind.SIGN:
            continue
        if token.text == "ledGame":
            yield at, None
            taken = at + 1
        elif _is_meant_to_define(source, tokens, at, taken):
            yield _head_start(tokens, at, taken), at
            taken = at + 1


def _is_meant_to_define(source: Source, tokens: Sequence[Lexeme], sign: int, taken: int) -> bool:
    """Whether the sign at *sign* defines, or is a ``=`` behind a head that begins a line.

    Where an operand ends just before, or nothing stands, no program has a name.
    """
    if tokens[sign].text != "=":
        return tokens[sign].text in _DEFINES
    start = _head_start(tokens, sign, taken)
    if start == sign or tokens[start].kind is not LexemeKind.NAME:
        return False
    if start == 0:
        return True
    before = tokens[start - 1]
    begins_line = "\n" in source.text[before.span.end : tokens[start].span.start]
    is_sign = before.kind is LexemeKind.SIGN or before.text in OLDER_INFIX
    ends_operand = not is_sign or before.text in _ENDS
    # Behind `where`, an `&` was forgotten rather.
    if not begins_line or not ends_operand:
        return False
    spend(start - taken, "looking for definitions")
    return not any(each.is_sign("where") for each in tokens[taken:start])


def _head_start(tokens: Sequence[Lexeme], sign: int, taken: int) -> int:
    """Where the head before the sign at *sign* begins; nothing before *taken* is its part."""
    at = sign - 1
    if at < taken:
        return sign
    if tokens[at].is_sign(")"):
        level = 0
        while at >= taken:
            level += tokens[at].is_sign(")") - tokens[at].is_sign("(")
            if level == 0:
                break
            at -= 1
        at -= 1
    if at < taken:
        return sign
    is_name = tokens[at].kind in {LexemeKind.NAME, LexemeKind.DAMAGED}
    return at if is_name or tokens[at].text in RESERVED else sign


# definition = head (":=" | "iff") body [ "where" iff ]
def _definition(cursor: ParseCursor, place: int | None) -> Definition | GameSwitch:
    """The switch, or the definition whose sign is the token number *place*."""
    if cursor.sign() == "ledGame" and place is None:
        token = cursor.next()
        return GameSwitch(cursor.written(token), span=token.span)
    if place is None:
        raise _no_definition(cursor)
    name, parameters = _head(cursor, place)
    sign = cursor.next()
    if sign.text == "=":
        cursor.said.append(
            Diagnostic(
                codes.NO_DEFINITION,
                f"`{name.text}` is defined with `:=`, not with `=`",
                Label(sign.span, "`=` compares two values"),
                help="write `:=` for a value, or `iff` for a truth value",
                fix=Fix(sign.span, ":="),
            )
        )
    if cursor.peek() is None:
        raise cursor.fail(
            codes.OPERAND_MISSING,
            f"`{name.text}` has no value",
            sign.span,
            label="nothing behind it but the next definition or the end",
            advice="`<=>` says that two truth values are equal; `iff` begins a definition",
        )
    branches = _branches(cursor)
    where = _where(cursor) if cursor.take("where") else None
    if cursor.peek() is not None:
        raise cursor.stray("an operator or the next definition")
    value = Definition(
        name.text,
        parameters,
        branches,
        where,
        is_relation=sign.text == "iff",
        name_span=name.span,
        span=cursor.since(0),
    )
    _not_too_deep(cursor, expressions(value))
    return value


def _where(cursor: ParseCursor) -> Expr:
    value = read_expression(cursor)
    mark = cursor.sign() in {",", ";"}
    if cursor.word(mark) and cursor.sign(mark + 1) == "=":
        raise cursor.fail(
            codes.FORMULA_NOT_UNDERSTOOD,
            "there is no `&` between these equations",
            cursor.here(),
            label="the equation before it ends before this",
            advice="write `where x = 1 & y = 2`",
        )
    return value


def _no_definition(cursor: ParseCursor) -> NotUnderstoodError:
    first = cursor.tokens[0]
    if any(token.kind is LexemeKind.DAMAGED for token in cursor.tokens):
        return NotUnderstoodError()
    name = first.text if first.kind is LexemeKind.NAME else ""
    if name.lower() in {"ledgame", "isgame"}:
        message = f"`{name}` is no definition, and not `ledGame` either"
        label = "`ledGame` says that the program is a game"
        advice = "write `ledGame`: capitals count"
    elif name in BEFORE_HEADS and len(cursor.tokens) == 1:
        message = f"`{name}` stands before the head of a definition"
        label = "leave this out"
        advice = "a definition begins with its head: `f(x) := x + 1`"
    elif name and cursor.sign(1):
        message = f"`{name}` stands here without `:=` or `iff`"
        label = "a definition was looked for"
        advice = "write it as in `f(x) := x + 1` or `p(x) iff x > 1`"
    else:
        message = "this is no definition"
        label = "a name and `:=` or `iff` were looked for"
        advice = "write it as in `f(x) := x + 1` or `p(x) iff x > 1`; words stand outside the code"
    return cursor.fail(codes.NO_DEFINITION, message, first.span, label=label, advice=advice)


# head = name [ "(" name { "," name } ")" ]
def _head(cursor: ParseCursor, sign: int) -> tuple[Lexeme, tuple[str, ...]]:
    if not cursor.word():
        raise _no_name(cursor, sign)
    name = cursor.next()
    if cursor.at == sign:
        return name, ()
    cursor.next()
    if cursor.at == sign - 1:
        cursor.next()
        cursor.say_empty_brackets(name.text, cursor.since(0))
        return name, ()
    parameters: list[str] = []
    while cursor.word() and cursor.sign(1) in {",", ")"}:
        parameters.append(cursor.next().text)
        if cursor.next().text == ")" and cursor.at == sign:
            return name, tuple(parameters)
    is_value = cursor.peek() is not None and not cursor.word() and cursor.sign() not in {",", ")"}
    raise cursor.fail(
        codes.HEAD_NOT_UNDERSTOOD,
        f"the parameters of `{name.text}` are not understood",
        cursor.here(),
        label="a name was looked for",
        advice="parameters are names; for a certain value write a case: "
        f"`{name.text}(x) := e1 if x = 0; e2 otherwise`"
        if is_value
        else "parameters are names with commas between them: `f(x, y)`",
    )


def _no_name(cursor: ParseCursor, sign: int) -> NotUnderstoodError:
    token, first = cursor.tokens[sign], cursor.tokens[0]
    if sign > 0 and first.text in RESERVED:
        message = f"`{first.text}` is a word of the language and cannot be defined"
        return cursor.fail(
            codes.HEAD_NOT_UNDERSTOOD, message, first.span, label="take another name"
        )
    return cursor.fail(
        codes.HEAD_NOT_UNDERSTOOD,
        f"there is no head before this `{cursor.written(token)}`",
        token.span,
        label="a name was looked for before it",
        advice="write it as in `f(x, y) := x + y`",
    )


# body = iff | branch { ";" branch }
# branch = iff "if" iff | iff "otherwise"
def _branches(cursor: ParseCursor) -> tuple[Branch, ...]:
    first = _branch(cursor, is_only=True)
    branches = [first]
    while cursor.take(";"):
        branches.append(_branch(cursor, is_only=False))
    if len(branches) > 1 and first.guard is None and not first.is_otherwise:
        raise _no_condition(cursor, first.span)
    return tuple(branches)


def _branch(cursor: ParseCursor, *, is_only: bool) -> Branch:
    start = cursor.at
    value = read_expression(cursor)
    if cursor.take("if"):
        guard = read_expression(cursor)
        _not_another_case(cursor)
        return Branch(value, guard, span=cursor.since(start))
    if cursor.take("otherwise"):
        return Branch(value, None, is_otherwise=True, span=cursor.since(start))
    if not is_only:
        if cursor.peek() is not None and cursor.sign() not in {";", "where"}:
            raise cursor.stray("`if` or `otherwise`")
        raise _no_condition(cursor, cursor.since(start))
    return Branch(value, span=cursor.since(start))


def _not_another_case(cursor: ParseCursor) -> None:
    if (
        cursor.peek() is None
        or cursor.sign() in {";", "where"}
        or cursor.word() in {"else", "then"}
    ):
        return
    if any(each.is_sign("if", "otherwise") for each in cursor.tokens[cursor.at :]):
        raise cursor.fail(
            codes.CASES_NOT_UNDERSTOOD,
            "there is no `;` between these cases",
            cursor.here(),
            label="the case before it ends before this",
            advice="write `e1 if p; e2 otherwise`",
        )


def _no_condition(cursor: ParseCursor, span: Span) -> NotUnderstoodError:
    return cursor.fail(
        codes.CASES_NOT_UNDERSTOOD,
        "this case does not say when it is taken",
        span,
        label="`if` or `otherwise` was looked for behind it",
        advice="write `e if p` for a case, and `e otherwise` for the last one",
    )


def _not_too_deep(cursor: ParseCursor, parts: Sequence[Expr]) -> None:
    deepest = next((each for each in parts if depth(each) > DEPTH), None)
    if deepest is not None:
        raise cursor.fail(
            codes.TOO_DEEP,
            f"this expression has more than {DEPTH} levels",
            deepest.span,
            label="too deep to be worked with",
            advice="give a part of it a name of its own, or list what it joins in one set",
        )
