"""Values, changes and parts of guards as people read them: short, and in the document's words."""

from __future__ import annotations

from collections.abc import Iterable

from zermelo.core.machine import Change, Conjunct, Fault
from zermelo.core.values import Value, in_order
from zermelo.core.values import to_text as value_text
from zermelo.languages.sections.ir import Expr, Literal, Rule
from zermelo.languages.sections.printer import statement_to_text
from zermelo.languages.sections.printer import to_text as expr_text
from zermelo.text.prose import Line, Piece, Tone, count, line, listing, tied
from zermelo.text.source import width

LONGEST_SET = 44
"""Sets whose text is longer are named by the number of their members."""
WIDEST_PART = 36
"""Evidence stands in one column beside parts up to this width."""

HOLDS = "✓"
FAILS = "✗"
NOT_REACHED = "·"
CHANGED = "▸"


def short(value: Value | Fault) -> str:
    """*value* in full when it is small, else its size.

    >>> short(frozenset({2, 1})), short(frozenset(range(20)))
    ('{1, 2}', '20 members')
    """
    if isinstance(value, Fault):
        return f"no value ({value.message})"
    if is_large(value) and isinstance(value, frozenset):
        return count(len(value), "member")
    return value_text(value)


def is_large(value: Value | Fault) -> bool:
    """Whether *value* is a set that is named by the number of its members."""
    return isinstance(value, frozenset) and len(value_text(value)) > LONGEST_SET


def change_text(change: Change) -> str:
    """What became of a variable.

    >>> change_text(Change("free", frozenset({1, 2, 3}), frozenset({1, 3})))
    'free loses 2: {1, 3}'
    >>> change_text(Change("turn", True, False))
    'turn becomes false'
    """
    difference = difference_text(change)
    if not difference:
        return f"{change.variable} becomes {short(change.after)}"
    return f"{change.variable} {difference}: {short(change.after)}"


def difference_text(change: Change) -> str:
    """What a set lost and gained; nothing if one of the values is no set.

    >>> difference_text(Change("A", frozenset({(1, 1)}), frozenset({(2, 1)})))
    'loses (1, 1) and gains (2, 1)'
    """
    before, after = change.before, change.after
    if not isinstance(before, frozenset) or not isinstance(after, frozenset):
        return ""
    lost, gained = before - after, after - before
    parts = [f"{verb} {_some(part)}" for verb, part in (("loses", lost), ("gains", gained)) if part]
    return " and ".join(parts)


def _some(items: frozenset[Value]) -> str:
    return short(items) if is_large(items) else listing(map(value_text, in_order(items)))


def rule_text(rule: Rule) -> str:
    """*rule* in the document's own words; in the canonical notation where those are LaTeX."""
    words = " ".join(rule.text.split())
    return statement_to_text(rule) if not words or _MARKUP & set(words) else words


_MARKUP = frozenset("\\$&`")


def conjunct_lines(conjuncts: Iterable[Conjunct], *, indent: int) -> Iterable[Line]:
    """Each part of a guard: whether it holds, and the values it looked at."""
    parts = list(conjuncts)
    texts = [expr_text(part.expr) for part in parts]
    column = max((width(text) for text in texts if width(text) <= WIDEST_PART), default=0)
    for part, text in zip(parts, texts, strict=True):
        gap = " " * max(column - width(text), 0) + "   "
        yield line(
            _sign(part.holds),
            Piece(f" {text}", Tone.FAINT if part.holds is None else Tone.PLAIN),
            Piece(f"{gap}{values_text(part)}".rstrip(), Tone.FAINT),
            indent=indent,
            hang=4,
        )


def _sign(holds: bool | None) -> Piece:  # noqa: FBT001 (it is the value shown, not an option)
    if holds is None:
        return Piece(NOT_REACHED, Tone.FAINT)
    return Piece(HOLDS, Tone.GOOD) if holds else Piece(FAILS, Tone.BAD)


def values_text(part: Conjunct) -> str:
    """The values that a part of a guard looked at, as evidence."""
    if part.holds is None:
        return "not reached"
    shown = [
        tied(f"{expr_text(expr)} {'has' if is_large(value) else '='} {short(value)}")
        for expr, value in part.operands
        if not isinstance(expr, Literal) and not _is_itself(expr, part.expr)
    ]
    return ", ".join(dict.fromkeys(shown))


def lack_pieces(part: Conjunct) -> tuple[Piece, ...]:
    """A part that does not hold, as the end of a sentence: what was needed, and what is."""
    formula = expr_text(part.expr)
    known = {
        to_formula: short(value) for expr, value in part.operands if (to_formula := expr_text(expr))
    }
    if formula in known:
        return Piece(formula, Tone.FORMULA), Piece(f", which is {known[formula]}")
    values = values_text(part)
    return Piece(formula, Tone.FORMULA), Piece(f" ({values})" if values else "")


def _is_itself(expr: Expr, whole: Expr) -> bool:
    """A truth value that is the whole part says nothing that its sign does not."""
    return expr == whole
