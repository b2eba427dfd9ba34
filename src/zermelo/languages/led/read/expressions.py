"""Expressions of LED: one ladder of operators from ``<=>`` down to names and numerals.

Every program that the dialect D3 reads is read as D3 reads it. What is read beyond
D3 gets a note that says what D3 wants.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from zermelo.languages.led.read import tree
from zermelo.languages.led.read.cursor import CLOSERS, RANGE, NotUnderstoodError, ParseCursor
from zermelo.languages.led.read.lexer import EMPTY, Lexeme, LexemeKind, value_of
from zermelo.languages.led.read.tree import (
    PRECEDENCES,
    RIGHT_ASSOCIATIVE,
    BigSign,
    Expr,
    Precedence,
    Prefix,
    QuantifierSign,
    Sign,
)
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Fix, Label
from zermelo.text.source import Span

_SIGNS: Final = {sign.value: sign for sign in Sign}
_BIG: Final = {sign.value: sign for sign in BigSign}
_QUANTIFIERS: Final = {sign.value: sign for sign in QuantifierSign}
_CALLED: Final = {
    "floor": Prefix.FLOOR,
    "ceil": Prefix.CEILING,
    "Pow": Prefix.POWER_SET,
}
_ROUNDED: Final = {"⌊": Prefix.FLOOR, "⌈": Prefix.CEILING}
_TRUTHS: Final = {"true": True, "false": False}
_OLDER_TRUTHS: Final = {"True": "true", "False": "false"}
OLDER_INFIX: Final = {
    "or": "V", "and": "&", "union": "U", "nrsec": "sec", "subeq": "sub", "implies": "=>",
}  # fmt: skip
"""Words that other dialects have between operands."""
_OLDER_BIG: Final = {"Union": "U", "Nrsec": "Sec"}
_LONG: Final = 40
"""More columns than that are no help in an example."""
_OPERAND_SIGNS: Final = frozenset(
    ["(", "{", "|", "+", "-", "~", EMPTY, *_ROUNDED, *_BIG, *_CALLED, *_QUANTIFIERS, *_TRUTHS]
)


def expression(cursor: ParseCursor, level: Precedence = Precedence.IFF) -> Expr:
    """The expression that begins here and whose operators bind at least as *level* does."""
    cursor.deeper()
    start = cursor.at
    left = _operand(cursor, level)
    while True:
        sign = _infix(cursor)
        if sign is None or PRECEDENCES[sign] < level:
            break
        left = _joined(cursor, left, sign, start=start)
    cursor.higher()
    return left


# iff = implies [ "<=>" iff ]            or = and { "V" and }
# implies = or [ "=>" implies ]          and = not { "&" not }
# relation = sum [ relop sum ]           sum = product { ("+" | "-" | "U" | "\") product }
# product = prefix { ("*" | "/" | "mod" | "sec") prefix }
# power = primary [ "^" prefix ]
def _joined(cursor: ParseCursor, left: Expr, sign: Sign, *, start: int) -> Expr:
    """*left* with the operator here and what stands behind it."""
    _passed_infix(cursor, sign)
    level = PRECEDENCES[sign]
    if level is Precedence.RELATION:
        right = _related(cursor)
        _not_chained(cursor, left, sign, right)
    elif level is Precedence.POWER:
        right = expression(cursor, Precedence.PREFIX)
    else:
        right = expression(cursor, level if level in RIGHT_ASSOCIATIVE else Precedence(level + 1))
    return tree.BinaryExpr(sign, left, right, span=cursor.since(start))


def _infix(cursor: ParseCursor) -> Sign | None:
    """The operator here, behind an operand."""
    if cursor.sign():
        return _SIGNS.get(cursor.sign())
    # Behind an operand D3 reads a name only where the next definition begins.
    older = OLDER_INFIX.get(cursor.word())
    return _SIGNS[older] if older and _starts_operand(cursor, 1) else None


def _passed_infix(cursor: ParseCursor, sign: Sign) -> None:
    token = cursor.next()
    if token.kind is LexemeKind.NAME:
        _older(cursor, token, sign.value)


def _older(cursor: ParseCursor, token: Lexeme, meant: str) -> None:
    cursor.note(
        f"`{token.text}` is written `{meant}` in D3",
        token.span,
        label=f"read as `{meant}`",
        fix=Fix(token.span, meant),
    )


def _starts_operand(cursor: ParseCursor, ahead: int) -> bool:
    token = cursor.peek(ahead)
    if token is None or token.kind is LexemeKind.DAMAGED:
        return False
    return token.kind is not LexemeKind.SIGN or token.text in _OPERAND_SIGNS


def _related(cursor: ParseCursor) -> Expr:
    """The right side of a relation, where ``~`` and quantifiers may stand too."""
    is_truth = cursor.sign() == "~" or cursor.sign() in _QUANTIFIERS
    return expression(cursor, Precedence.NOT if is_truth else Precedence.SUM)


def _not_chained(cursor: ParseCursor, left: Expr, first: Sign, right: Expr) -> None:
    second = _infix(cursor)
    if second is None or PRECEDENCES[second] is not Precedence.RELATION:
        return
    a, b = (cursor.source.slice(each.span) for each in (left, right))
    if len(a) + len(b) > _LONG:
        a, b = "a", "b"
    raise cursor.fail(
        codes.CHAINED_RELATIONS,
        f"a second relation `{second.value}` behind `{first.value}`",
        cursor.here(),
        label="relations do not chain",
        advice=f"join two relations with `&`: `{a} {first.value} {b} & {b} {second.value} …`",
    )


def _wider(cursor: ParseCursor, what: str, level: Precedence) -> Expr:
    """An expression where D3 reads none without brackets, with a note that says so."""
    start = cursor.at
    value = expression(cursor, level)
    span = cursor.since(start)
    cursor.said.append(
        Diagnostic(
            codes.WIDER_THAN_LED,
            f"D3 does not read {what} without brackets",
            Label(span, "D3 wants this in brackets"),
            fix=Fix(span, f"({cursor.source.slice(span)})"),
        )
    )
    return value


def _operand(cursor: ParseCursor, level: Precedence) -> Expr:
    """What stands before the first operator: a prefix with its operand, or a primary."""
    start = cursor.at
    sign = cursor.sign()
    if sign == "~" and level <= Precedence.NOT:
        cursor.next()
        # not = "~" not | relation
        operand = expression(cursor, Precedence.NOT)
        return tree.UnaryExpr(Prefix.NOT, operand, span=cursor.since(start))
    if sign in _QUANTIFIERS and level <= Precedence.RELATION:
        return _quantified(cursor)
    if sign in {"-", "+"} and level <= Precedence.PREFIX:
        cursor.next()
        # prefix = ("-" | "+") prefix | big | power
        operand = expression(cursor, Precedence.PREFIX)
        return tree.UnaryExpr(Prefix(sign), operand, span=cursor.since(start))
    if _big(cursor) and level <= Precedence.PREFIX:
        return _big_operator(cursor)
    return _primary(cursor)


# quantifier = ("some" | "all") (names | "(" names ")") "in" sum "." not
# names = name { "," name }
def _quantified(cursor: ParseCursor) -> Expr:
    start = cursor.at
    sign = _QUANTIFIERS[cursor.next().text]
    is_tuple = cursor.sign() == "("
    names = _components(cursor, sign) if is_tuple else _bound(cursor, sign)
    if not cursor.take("in"):
        raise cursor.fail(
            codes.FORMULA_NOT_UNDERSTOOD,
            f"`{sign.value}` needs a set to range over",
            cursor.here(),
            label="`in` was looked for",
            advice=f"write it as in `{sign.value} x in S. p(x)`",
        )
    domain = expression(cursor, Precedence.SUM)
    _stop(cursor, sign, start)
    what = f"`~` behind `{sign.value}`"
    is_wide = cursor.sign() == "~"
    body = (
        _wider(cursor, what, Precedence.NOT) if is_wide else expression(cursor, Precedence.RELATION)
    )
    span = cursor.since(start)
    return tree.QuantifiedExpr(sign, names, domain, body, is_tuple=is_tuple, span=span)


def _bound(cursor: ParseCursor, sign: QuantifierSign) -> tuple[str, ...]:
    names: list[str] = []
    while cursor.word():
        names.append(cursor.next().text)
        if not cursor.take(","):
            return tuple(names)
    raise cursor.fail(
        codes.OPERAND_MISSING,
        f"`{sign.value}` binds names, and here is none",
        cursor.here(),
        label="a name was looked for",
        advice=f"write it as in `{sign.value} x, y in S. p(x, y)`",
    )


def _components(cursor: ParseCursor, sign: QuantifierSign) -> tuple[str, ...]:
    """The names in brackets that a quantifier binds to the components of a tuple."""
    start = cursor.at
    opener = cursor.next()
    names = _bound(cursor, sign)
    cursor.close(opener)
    cursor.said.append(
        Diagnostic(
            codes.WIDER_THAN_LED,
            f"D3 binds single names behind `{sign.value}`",
            Label(cursor.since(start), "the components of a tuple"),
            help=f"for D3, write `{sign.value} m in S. p(m[1], m[2])`",
        )
    )
    return names


def _stop(cursor: ParseCursor, sign: QuantifierSign, start: int) -> None:
    """Pass the stop behind the domain of a quantifier."""
    token = cursor.peek()
    if cursor.take("."):
        return
    if (
        token
        and token.kind is LexemeKind.NUMBER
        and token.text.startswith(".")
        and "(" not in token.text
    ):
        # `S.5 < x`: the longest match takes the stop for a part of the numeral.
        shorter = Lexeme(
            LexemeKind.NUMBER, token.text[1:], Span(token.span.start + 1, token.span.end)
        )
        cursor.tokens[cursor.at] = shorter
        return
    ranges = " ".join(cursor.source.slice(cursor.since(start)).split())
    if len(ranges) > _LONG:
        ranges = f"{sign.value} x in S"
    raise cursor.fail(
        codes.FORMULA_NOT_UNDERSTOOD,
        f"there is no `.` behind the set of this `{sign.value}`",
        cursor.here(),
        label="`.` was looked for",
        secondary=(Label(cursor.since(start), "ranges over this"),),
        advice=f"for another set write `{ranges}. {sign.value} y in T. p`"
        if cursor.sign() == ","
        else f"write it as in `{ranges}. p`, where `p` is one relation or stands in brackets",
    )


def _big(cursor: ParseCursor) -> str:
    """The operator here that ranges over the solutions of a sentence, if there is one."""
    if cursor.sign() in _BIG:
        return cursor.sign()
    word = cursor.word()
    if word in _OLDER_BIG and word not in cursor.defined and cursor.sign(1) == "[":
        return _OLDER_BIG[word]
    return ""


# big = ("U" | "Sec" | "Sum" | "Prod") "[" iff "]" prefix
def _big_operator(cursor: ParseCursor) -> Expr:
    start = cursor.at
    sign = _BIG[_big(cursor)]
    token = cursor.next()
    if token.kind is LexemeKind.NAME:
        _older(cursor, token, sign.value)
    opener = cursor.peek()
    if opener is None or not cursor.take("["):
        raise cursor.fail(
            codes.FORMULA_NOT_UNDERSTOOD,
            f"`{cursor.written(token)}` stands where a value was looked for",
            token.span,
            label=f"`{sign.value}` joins two sets, or has a condition in `[` and `]` behind it"
            if sign is BigSign.UNION
            else "a condition in `[` and `]` was looked for behind it",
            advice=f"write it as in `{sign.value}[x in S] f(x)`",
        )
    condition = _inside(cursor, opener)
    body = expression(cursor, Precedence.PREFIX)
    return tree.BigExpr(sign, condition, body, span=cursor.since(start))


def _inside(cursor: ParseCursor, opener: Lexeme) -> Expr:
    """The expression behind *opener*, up to what closes it."""
    cursor.deeper(2)
    value = expression(cursor)
    cursor.close(opener)
    cursor.higher(2)
    return value


# primary = simple { "[" iff [ ".." iff ] "]" }
def _primary(cursor: ParseCursor) -> Expr:
    start = cursor.at
    value = _simple(cursor)
    while cursor.sign() == "[":
        opener = cursor.next()
        cursor.deeper(2)
        low = expression(cursor)
        high = expression(cursor) if cursor.take("..") else None
        cursor.close(opener)
        cursor.higher(2)
        span = cursor.since(start)
        value = (
            tree.IndexExpr(value, low, span=span)
            if high is None
            else tree.SliceExpr(value, low, high, span=span)
        )
    return value


def _simple(cursor: ParseCursor) -> Expr:
    token = cursor.peek()
    if token is None:
        raise cursor.operand_missing()
    match token.kind:
        case LexemeKind.NAME:
            return _named(cursor)
        case LexemeKind.NUMBER:
            cursor.next()
            return tree.Numeral(value_of(token.text), token.text, span=token.span)
        case LexemeKind.TEXT:
            cursor.next()
            return tree.StringLiteral(token.text, span=token.span)
        case LexemeKind.ATOM:
            cursor.next()
            return tree.AtomName(token.text, span=token.span)
        case LexemeKind.SIGN if token.text in _OPENING:
            return _OPENING[token.text](cursor)
    raise cursor.operand_missing()


# named = name [ "(" iff { "," iff } ")" ]
def _named(cursor: ParseCursor) -> Expr:
    start = cursor.at
    token = cursor.next()
    if cursor.sign() == "(" and cursor.sign(1) == ")":
        cursor.at += 2
        span = cursor.since(start)
        cursor.note(
            f"D3 writes `{token.text}` without brackets",
            span,
            label="empty brackets",
            fix=Fix(span, token.text),
        )
        return tree.Identifier(token.text, span=span)
    if cursor.sign() == "(":
        opener = cursor.next()
        arguments = _listed(cursor, opener)
        return tree.CallExpr(token.text, arguments, span=cursor.since(start))
    truth = _OLDER_TRUTHS.get(token.text)
    if truth and token.text not in cursor.defined:
        _older(cursor, token, truth)
        return tree.TruthName(truth == "true", span=token.span)
    return tree.Identifier(token.text, span=token.span)


def _listed(cursor: ParseCursor, opener: Lexeme) -> tuple[Expr, ...]:
    """Expressions with commas between them, up to what closes *opener*."""
    cursor.deeper(2)
    items = [expression(cursor)]
    while cursor.take(","):
        items.append(expression(cursor))
    cursor.close(opener)
    cursor.higher(2)
    return tuple(items)


# round = "(" iff { "," iff } ")" | "(" ")" | "(" iff "," ")"
def _round(cursor: ParseCursor) -> Expr:
    start = cursor.at
    opener = cursor.next()
    if cursor.take(")"):
        return tree.TupleExpr((), span=cursor.since(start))
    cursor.deeper(2)
    items = [expression(cursor)]
    while cursor.take(","):
        # A tuple of one component, as it is printed.
        if len(items) == 1 and cursor.take(")"):
            cursor.higher(2)
            return tree.TupleExpr(tuple(items), span=cursor.since(start))
        items.append(expression(cursor))
    cursor.close(opener)
    cursor.higher(2)
    span = cursor.since(start)
    return (
        tree.Bracketed(items[0], span=span)
        if len(items) == 1
        else tree.TupleExpr(tuple(items), span=span)
    )


# set = "{" "}" | "{" iff { "," iff } "}" | "{" iff ".." iff "}" | "{" iff "|" iff "}"
def _set(cursor: ParseCursor) -> Expr:
    start = cursor.at
    opener = cursor.next()
    if cursor.take("}"):
        return tree.SetExpr((), span=cursor.since(start))
    cursor.deeper(2)
    first = expression(cursor)
    if cursor.take(".."):
        high = expression(cursor)
        if cursor.sign() == ",":
            raise cursor.fail(
                codes.FORMULA_NOT_UNDERSTOOD,
                "a range stands alone in its braces",
                cursor.here(),
                label="`}` was looked for",
                secondary=(Label(opener.span, "opened here"),),
                advice=RANGE,
            )
        cursor.close(opener)
        value: Expr = tree.RangeExpr(first, high, span=cursor.since(start))
    elif cursor.take("|"):
        condition = expression(cursor)
        cursor.close(opener)
        value = tree.SetBuilder(first, condition, span=cursor.since(start))
    else:
        items = [first]
        while cursor.take(","):
            items.append(expression(cursor))
        if cursor.sign() == "|" and len(items) > 1:
            raise _several_results(cursor, items)
        cursor.close(opener)
        value = tree.SetExpr(tuple(items), span=cursor.since(start))
    cursor.higher(2)
    return value


def _several_results(cursor: ParseCursor, items: list[Expr]) -> NotUnderstoodError:
    span = items[0].span.to(items[-1].span)
    return cursor.fail(
        codes.FORMULA_NOT_UNDERSTOOD,
        "before the bar of a set stands one value",
        span,
        label=f"{len(items)} values",
        advice=f"write a tuple, as in `{{({cursor.source.slice(span)}) | …}}`",
    )


# bars = "|" iff "|"
def _bars(cursor: ParseCursor) -> Expr:
    start = cursor.at
    opener = cursor.next()
    cursor.deeper(2)
    operand = expression(cursor)
    cursor.higher(2)
    if cursor.take("|"):
        return tree.BarsExpr(operand, span=cursor.since(start))
    if cursor.peek() is not None and cursor.sign() not in CLOSERS.values():
        raise cursor.stray("an operator or `|`", secondary=(Label(opener.span, "opened here"),))
    raise cursor.fail(
        codes.BAR_NOT_CLOSED,
        "this bar is not closed",
        opener.span,
        label="opened here",
        advice="bars come in pairs, as in `|A| = 3`",
    )


# called = ("floor" | "ceil" | "Pow") "(" iff ")"
def _called(cursor: ParseCursor) -> Expr:
    start = cursor.at
    token = cursor.next()
    opener = cursor.peek()
    if opener is None or not cursor.take("("):
        raise cursor.fail(
            codes.FORMULA_NOT_UNDERSTOOD,
            f"`{token.text}` needs brackets around its operand",
            cursor.here(),
            label="`(` was looked for",
            advice=f"write it as in `{token.text}(x)`",
        )
    operand = _inside(cursor, opener)
    return tree.UnaryExpr(_CALLED[token.text], operand, span=cursor.since(start))


# rounded = "⌊" iff "⌋" | "⌈" iff "⌉"
def _rounded(cursor: ParseCursor) -> Expr:
    start = cursor.at
    opener = cursor.next()
    operand = _inside(cursor, opener)
    return tree.UnaryExpr(_ROUNDED[opener.text], operand, span=cursor.since(start))


def _truth(cursor: ParseCursor) -> Expr:
    token = cursor.next()
    return tree.TruthName(_TRUTHS[token.text], span=token.span)


def _empty(cursor: ParseCursor) -> Expr:
    return tree.SetExpr((), span=cursor.next().span)


_OPENING: Final[dict[str, Callable[[ParseCursor], Expr]]] = {
    "(": _round, "{": _set, "|": _bars, "floor": _called, "ceil": _called, "Pow": _called,
    "⌊": _rounded, "⌈": _rounded, "true": _truth, "false": _truth, EMPTY: _empty,
}  # fmt: skip
