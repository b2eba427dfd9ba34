"""The one table of signs."""

from __future__ import annotations

from collections import Counter

from zermelo.languages.sections.read.grammar.symbols import (
    CLOSERS,
    COMMANDS,
    NEGATED,
    OPERAND_STARTS,
    SYMBOLS,
)
from zermelo.languages.sections.read.grammar.tree import (
    Aggregate,
    BinaryOp,
    CompareOp,
    DeclaredRelation,
    NumberSetKind,
    Quantifier,
)


def test_no_spelling_means_two_signs() -> None:
    spellings = Counter(
        spelling for symbol in SYMBOLS for spelling in {symbol.text, *symbol.unicode, *symbol.ascii}
    )
    commands = Counter(command for symbol in SYMBOLS for command in symbol.latex)
    words = Counter(word for symbol in SYMBOLS for word in symbol.words)

    assert max(spellings.values()) == 1
    assert max(commands.values()) == 1
    assert max(words.values()) == 1


def test_every_sign_of_the_tree_is_in_the_table() -> None:
    texts = {symbol.text for symbol in SYMBOLS}
    kinds = (Aggregate, BinaryOp, CompareOp, NumberSetKind, Quantifier, DeclaredRelation)

    assert {member.value for kind in kinds for member in kind} <= texts
    assert {*NEGATED, *NEGATED.values(), *CLOSERS, *CLOSERS.values(), *OPERAND_STARTS} <= texts


def test_every_sign_can_be_typed_in_ascii() -> None:
    untypable = [
        symbol.text
        for symbol in SYMBOLS
        if not symbol.ascii and not symbol.latex and not symbol.words
    ]

    # The first has a form of its own, `Z^+`; the second is never part of a formula.
    assert untypable == ["ℤ⁺", "—"]


def test_commands_are_known_without_their_backslash() -> None:
    assert COMMANDS["cup"] == "∪"
