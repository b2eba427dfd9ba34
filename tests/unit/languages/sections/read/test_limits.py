"""Limits of sums on the line below."""

from __future__ import annotations

import pytest

from zermelo.languages.sections.read.grammar.lexer import lex
from zermelo.languages.sections.read.limits import joined
from zermelo.languages.sections.read.rows import Row
from zermelo.text.lines import lines
from zermelo.text.source import Source


def rows(text: str) -> list[str]:
    source = Source("document.md", text)
    lexed = [Row(line, *lex(source, line.span)) for line in lines(source)]
    return [" ".join(token.text for token in row.tokens) for row in joined(lexed)]


def test_a_limit_is_put_behind_its_sum() -> None:
    assert rows("|w| = 3 ∧ ∑a < 15 → r = 1\n            a∈w") == [
        "| w | = 3 ∧ ∑ a ∈ w a < 15 → r = 1"
    ]


def test_two_limits_belong_to_two_sums_in_order() -> None:
    assert rows("∑a < ∑b\n a∈w  b∈v") == ["∑ a ∈ w a < ∑ b ∈ v b"]


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\na ∈ w",
        "∑a∈w a < 15\na ∈ w",
        "∑a < 15\n\na ∈ w",
        "∑a < 15\na = w",
        "∑a < 15\nb ∈ w",
    ],
)
def test_other_lines_are_no_limits(text: str) -> None:
    assert len(rows(text)) == 2
