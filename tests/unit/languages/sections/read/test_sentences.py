"""Sets in words are understood under every heading, and what is not used is said."""

import pytest

from zermelo.api.loading import load_text
from zermelo.core.values import to_text
from zermelo.languages.sections.language import SystemModel

TEXT = """Applicable Sets
  P : {1, 2, 3}
  {sets}
System Variables
  Mine ⊆ P
  {variables}
System Facts
  {facts}
System Initialization
  {initial}
System States and Behavior
Take(p ∈ P)
  p ∉ Mine → Mine = Mine ∪ {p}
"""
EMPTY = {"sets": "", "variables": "", "facts": "|Mine| ≤ 3", "initial": "Mine = ∅"}


def document(**lines: str) -> str:
    text = TEXT
    for place, line in {**EMPTY, **lines}.items():
        text = text.replace(f"{{{place}}}", line)
    return text


def value(text: str, name: str) -> str:
    """What *name* is in the first state of *text*."""
    game = load_text(text)
    assert isinstance(game.model, SystemModel)
    typed = game.model.words.expression(name)
    assert typed.value is not None, [each.message for each in game.diagnostics]
    found = typed.value.value(game.machine.initial)
    return to_text(found)  # type: ignore[arg-type]


def codes(text: str) -> list[str]:
    return [each.code.id for each in load_text(text).diagnostics if each.code.id[:2] == "Z1"]


@pytest.mark.parametrize("place", ["sets", "variables", "facts", "initial"])
@pytest.mark.parametrize("mark", ["", "- ", "• "])
@pytest.mark.parametrize(
    ("words", "members"),
    [
        ("A is the set of positive integers x such that x is less than 4", "{1, 2, 3}"),
        ("A is the set of positive integers x such that x is less than 4.", "{1, 2, 3}"),
        ("A : numbers 1 to 9", "{1, 2, 3, 4, 5, 6, 7, 8, 9}"),
        (
            "A is a relation on P that is reflexive, symmetric, antisymmetric and transitive.",
            "{(1, 1), (2, 2), (3, 3)}",
        ),
        ("A is the power set of P.", "{∅, {1}, {2}, {3}, {1, 2}, {1, 3}, {2, 3}, {1, 2, 3}}"),
    ],
)
def test_a_set_in_words_is_understood_under_every_heading(
    place: str, mark: str, words: str, members: str
) -> None:
    line = f"{mark}{words}"
    text = document(**{place: line if place != "initial" else f"{line}\n  Mine = ∅"})

    assert value(text, "A") == members
    assert codes(text) == ([] if place == "sets" else ["Z111"])


def test_a_sentence_under_the_facts_defines_a_variable() -> None:
    text = document(variables="Big ⊆ P", facts="Big is the set of integers from 2 to 3.")

    assert value(text, "Big") == "{2, 3}"
    assert codes(text) == []


def test_a_sentence_under_the_initialization_gives_a_first_value() -> None:
    assert value(document(initial="Mine is the empty set."), "Mine") == "∅"


def test_a_sentence_under_the_variables_declares_a_number() -> None:
    text = document(variables="n is a positive integer.", initial="Mine = ∅\n  n = 2")

    assert value(text, "n") == "2"
    assert codes(text) == []


@pytest.mark.parametrize("place", ["variables", "facts"])
def test_a_set_in_words_that_are_not_understood_is_said_under_every_heading(place: str) -> None:
    assert codes(document(**{place: "Stones is the set of all stones."})) == ["Z119"]


@pytest.mark.parametrize("place", ["sets", "variables", "facts"])
def test_a_sentence_about_a_declared_name_is_said_not_to_be_used(place: str) -> None:
    assert codes(document(**{place: "Mine never has more than two members."})) == ["Z128"]


def test_what_explains_the_line_above_it_is_no_sentence_of_its_own() -> None:
    text = document(facts="|Mine| ≤ 3\n    - Mine is never larger than the board.")

    assert codes(text) == []


def test_lines_taken_as_prose_are_counted_and_listed() -> None:
    game = load_text(document(facts="The players share what is left.\n  |Mine| ≤ 3"))
    assert game.model is not None

    assert game.model.words.prose() == 1
    listed = [each.text.strip() for each in game.model.words.explain()]
    assert "8: The players share what is left." in listed


def test_a_comment_is_not_taken_as_prose() -> None:
    game = load_text(document(facts="// The players share what is left.\n  |Mine| ≤ 3"))
    assert game.model is not None

    assert game.model.words.prose() == 0
