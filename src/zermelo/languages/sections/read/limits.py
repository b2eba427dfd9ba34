"""Limits of sums that stand on the line below.

In print the limit ``a∈w`` stands under its sum; in plain text it is a line of
its own, in about the column of the sum it belongs to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind
from zermelo.languages.sections.read.rows import Row


def joined(rows: Sequence[Row]) -> tuple[Row, ...]:
    """*rows* with every limit put behind its sum, where a parser looks for it."""
    done: list[Row] = []
    for row in rows:
        limits = _limits(row.tokens)
        if done and limits and not row.line.is_after_blank:
            above = done[-1]
            tokens = _with_limits(above.tokens, limits)
            if tokens is not None:
                done[-1] = replace(above, tokens=tokens)
                continue
        done.append(row)
    return tuple(done)


def _limits(tokens: tuple[Token, ...]) -> list[tuple[Token, ...]]:
    """The limits ``name ∈ name`` that *tokens* consist of; none if there is anything else."""
    if not tokens or len(tokens) % 3:
        return []
    found = [tokens[index : index + 3] for index in range(0, len(tokens), 3)]
    for name, relation, domain in found:
        if name.kind is not TokenKind.NAME or domain.kind is not TokenKind.NAME:
            return []
        if relation.text not in {"∈", "in"}:
            return []
    return found


def _with_limits(
    tokens: tuple[Token, ...], limits: list[tuple[Token, ...]]
) -> tuple[Token, ...] | None:
    """*tokens* with *limits* behind the sums that have none, in order; none if they do not fit."""
    places = [
        index + 1
        for index, token in enumerate(tokens)
        if token.kind is TokenKind.SYMBOL and token.text in {"∑", "∏"}
        if not _has_limit(tokens, index + 1)
    ]
    if len(places) != len(limits):
        return None
    for place, limit in zip(places, limits, strict=True):
        if place < len(tokens) and limit[0].text not in {
            token.text for token in tokens[place : place + 12]
        }:
            return None
    result: list[Token] = []
    at = 0
    for place, limit in zip(places, limits, strict=True):
        result += [*tokens[at:place], *limit]
        at = place
    return (*result, *tokens[at:])


def _has_limit(tokens: tuple[Token, ...], at: int) -> bool:
    if at < len(tokens) and tokens[at].text in {"_", "{"}:
        return True
    return at + 1 < len(tokens) and tokens[at + 1].text in {"∈", "in"}
