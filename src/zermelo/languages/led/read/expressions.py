"""Expressions of LED: one ladder of operators from ``<=>`` down to names and numerals.

Every program that the dialect D3 reads is read as D3 reads it. What is read beyond
D3 gets a note that says what D3 wants.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from zermelo.languages.led.read import tree
from zermelo.languages.led.read.cursor import CLOSERS, RANGE, NotUnderstoodError, ParseCursor
from zermelo.languages.led.read.lexer import EMPTY, Lexeme, LexemeKind, other_spelling, value_of
from zermelo.languages.led.read.tree import PRECEDENCES, Expr, Precedence, Prefix, Sign
from zermelo.text import codes
from zermelo.text.budget import spend
from zermelo.text.diagnostic import Diagnostic, Fix, Label
from zermelo.text.source import Span

_SIGNS: Final = {sign.value: sign for sign in Sign}
_BIG: Final = {sign.value: sign for sign in tree.BigSign}
_QUANTIFIERS: Final = {sign.value: sign for sign in tree.QuantifierSign}
_CALLED: Final = {"floor": Prefix.FLOOR, "ceil": Prefix.CEILING, "Pow": Prefix.POWER_SET}
_ROUNDED: Final = {"⌊": Prefix.FLOOR, "⌈": Prefix.CEILING}
_OLDER_TRUTHS: Final = {"True": "true", "False": "false"}
OLDER_INFIX: Final = {
    "or": "V", "and": "&", "union": "U", "nrsec": "sec", "subeq": "sub", "implies": "=>",
}  # fmt: skip
"""Words that other dialects have between operands."""
_OLDER_BIG: Final = {"Union": "U", "Nrsec": "Sec"}
_LONG: Final = 40
"""More columns than that are no help in an example."""
_OPERAND_SIGNS: Final = frozenset(
    {*"({|+-~", EMPTY, "true", "false", *_ROUNDED, *_BIG, *_CALLED, *_QUANTIFIERS}
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
    _pass_operator(cursor, sign)
    level = PRECEDENCES[sign]
    if level is Precedence.RELATION:
        # On the right side `~` and quantifiers may stand too.
        is_truth = cursor.sign() == "~" or cursor.sign() in _QUANTIFIERS
        right = expression(cursor, Precedence.NOT if is_truth else Precedence.SUM)
        _not_chained(cursor, left, sign, right)
    elif level is Precedence.POWER:
        right = expression(cursor, Precedence.PREFIX)
    else:
        is_right = level in tree.RIGHT_ASSOCIATIVE
        right = expression(cursor, level if is_right else Precedence(level + 1))
    return tree.BinaryExpr(sign, left, right, span=cursor.since(start))


def _infix(cursor: ParseCursor) -> Sign | None:
    if cursor.sign():
        return _SIGNS.get(cursor.sign())
    # Behind an operand D3 reads a name only where the next definition begins.
    older = OLDER_INFIX.get(cursor.word())
    return _SIGNS[older] if older and _starts_operand(cursor, 1) else None


def _pass_operator(cursor: ParseCursor, sign: Sign | tree.BigSign) -> Lexeme:
    """Pass the token that writes *sign*, which may be a word of an older dialect."""
    token = cursor.next()
    if token.kind is LexemeKind.NAME:
        cursor.said.append(other_spelling(token.text, sign.value, token.span))
    return token


def _starts_operand(cursor: ParseCursor, ahead: int) -> bool:
    token = cursor.peek(ahead)
    if token is None or token.kind is LexemeKind.DAMAGED:
        return False
    return token.kind is not LexemeKind.SIGN or token.text in _OPERAND_SIGNS


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


def _operand(cursor: ParseCursor, level: Precedence) -> Expr:
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
    is_wide = cursor.sign() == "~"
    body = expression(cursor, Precedence.NOT if is_wide else Precedence.RELATION)
    if is_wide:
        cursor.said.append(
            Diagnostic(
                codes.WIDER_THAN_LED,
                f"D3 does not read `~` behind `{sign.value}` without brackets",
                Label(body.span, "D3 wants this in brackets"),
                fix=Fix(body.span, f"({cursor.source.slice(body.span)})"),
            )
        )
    span = cursor.since(start)
    return tree.QuantifiedExpr(sign, names, domain, body, is_tuple=is_tuple, span=span)


def _bound(cursor: ParseCursor, sign: tree.QuantifierSign) -> tuple[str, ...]:
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


def _components(cursor: ParseCursor, sign: tree.QuantifierSign) -> tuple[str, ...]:
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


def _stop(cursor: ParseCursor, sign: tree.QuantifierSign, start: int) -> None:
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
        place = Span(token.span.start + 1, token.span.end)
        cursor.tokens[cursor.at] = Lexeme(LexemeKind.NUMBER, token.text[1:], place)
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
    token = _pass_operator(cursor, sign)
    opener = cursor.peek()
    if opener is None or not cursor.take("["):
        raise cursor.fail(
            codes.FORMULA_NOT_UNDERSTOOD,
            f"`{cursor.written(token)}` stands where a value was looked for",
            token.span,
            label=f"`{sign.value}` joins two sets, or has a condition in `[` and `]` behind it"
            if sign is tree.BigSign.UNION
            else "a condition in `[` and `]` was looked for behind it",
            advice=f"write it as in `{sign.value}[x in S] f(x)`",
        )
    condition = _inside(cursor, opener)
    body = expression(cursor, Precedence.PREFIX)
    return tree.BigExpr(sign, condition, body, span=cursor.since(start))


def _inside(cursor: ParseCursor, opener: Lexeme) -> Expr:
    cursor.deeper(2)
    value = expression(cursor)
    cursor.close(opener)
    cursor.higher(2)
    return value


# primary = simple { "[" iff [ ".." iff ] "]" }
_STEPS_OF_AN_OPERAND: Final = 40


def _primary(cursor: ParseCursor) -> Expr:
    spend(_STEPS_OF_AN_OPERAND, "reading expressions", cursor.here())
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
        cursor.say_empty_brackets(token.text, span)
        return tree.Identifier(token.text, span=span)
    if cursor.sign() == "(":
        opener = cursor.next()
        cursor.deeper(2)
        arguments = [expression(cursor)]
        while cursor.take(","):
            arguments.append(expression(cursor))
        cursor.close(opener)
        cursor.higher(2)
        return tree.CallExpr(token.text, tuple(arguments), span=cursor.since(start))
    truth = _OLDER_TRUTHS.get(token.text)
    if truth and token.text not in cursor.defined:
        cursor.said.append(other_spelling(token.text, truth, token.span))
        return tree.TruthName(truth == "true", span=token.span)
    return tree.Identifier(token.text, span=token.span)


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
    if len(items) == 1:
        return tree.Bracketed(items[0], span=span)
    return tree.TupleExpr(tuple(items), span=span)


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
    return tree.TruthName(token.text == "true", span=token.span)


_OPENING: Final[dict[str, Callable[[ParseCursor], Expr]]] = {
    "(": _round, "{": _set, "|": _bars, "floor": _called, "ceil": _called, "Pow": _called,
    "⌊": _rounded, "⌈": _rounded, "true": _truth, "false": _truth,
    EMPTY: lambda cursor: tree.SetExpr((), span=cursor.next().span),
}  # fmt: skip
