"""Where statements begin: the questions a conclusion asks before it goes on.

``turn = ¬turn ∧ moves = moves + 1`` is two assignments, ``flag = a ∧ b`` is one.
What decides is what stands behind the ``∧``.
"""

from __future__ import annotations

from zermelo.languages.sections.read.grammar.cursor import Cursor

_ENDS = frozenset(("", "∧", ",", ";", ")", "]", "}"))


def begins_conjunct(cursor: Cursor, at: int) -> bool:
    """Whether an assignment, step, call or nested rule begins at *at*."""
    return (
        names_end(cursor, at) is not None
        or is_step(cursor, at)
        or is_call(cursor, at)
        or is_tuple_target(cursor, at)
        or is_nested(cursor, at)
    )


def names_end(cursor: Cursor, at: int) -> int | None:
    """The place of the ``=`` behind ``a`` or ``a, b`` at *at*, if that is what stands there."""
    while cursor.word(at):
        at += 1
        if cursor.sign(at) == "=":
            return at
        if cursor.sign(at) != ",":
            return None
        at += 1
    return None


def is_step(cursor: Cursor, at: int) -> bool:
    """Whether ``name++`` or ``name--`` stands at *at*."""
    return bool(cursor.word(at)) and cursor.sign(at + 1) in {"++", "--"}


def is_call(cursor: Cursor, at: int) -> bool:
    """Whether a call of a procedure stands at *at*, with nothing more behind it."""
    name = cursor.word(at)
    close = cursor.closer.get(at + 1)
    if not name or cursor.sign(at + 1) != "(" or close is None:
        return False
    if name in cursor.names.procedures:
        return True
    is_other = name in cursor.names.functions or name in cursor.names.declared
    return not is_other and ends(cursor, close + 1)


def is_tuple_target(cursor: Cursor, at: int) -> bool:
    """Whether ``(a, b) =`` stands at *at*."""
    close = cursor.closer.get(at)
    if cursor.sign(at) != "(" or close is None or cursor.sign(close + 1) != "=":
        return False
    inside = range(at + 1, close)
    return len(inside) > 1 and all(
        bool(cursor.word(place)) if (place - at) % 2 else cursor.sign(place) == ","
        for place in inside
    )


def is_nested(cursor: Cursor, at: int) -> bool:
    """Whether a rule or a conclusion in brackets stands at *at*."""
    while cursor.sign(at) in {"(", "[", "{"}:
        close = cursor.closer.get(at)
        if close is None or is_tuple_target(cursor, at) or not ends(cursor, close + 1):
            return False
        arrow = next_arrow(cursor, at + 1, close)
        begin = at + 1 if arrow is None else arrow + 1
        if _begins_simple(cursor, begin):
            return True
        at = begin
    return False


def _begins_simple(cursor: Cursor, at: int) -> bool:
    return (
        names_end(cursor, at) is not None
        or is_step(cursor, at)
        or is_call(cursor, at)
        or is_tuple_target(cursor, at)
    )


def next_arrow(cursor: Cursor, start: int, end: int) -> int | None:
    """The first ``→`` from *start* up to *end* that stands in no bracket there."""
    arrow = cursor.arrows[start] if start < len(cursor.arrows) else None
    return arrow if arrow is not None and arrow < end else None


def ends(cursor: Cursor, at: int) -> bool:
    """Whether a conjunct can end before *at*."""
    if at >= len(cursor.tokens):
        return True
    return cursor.infix(at)[0] in _ENDS and (cursor.infix(at)[0] != "" or not cursor.word(at))
