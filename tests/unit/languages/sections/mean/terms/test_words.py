"""Words are values where an enumeration lists them."""

from zermelo.core.values import Atom
from zermelo.languages.sections.mean.terms.names import (
    NameTable,
    VariableEntry,
    Vocabulary,
    Word,
    key,
    listed,
)
from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.tree import Name, SetOf
from zermelo.text.source import NOWHERE

NAMES = NameTable(
    sets={name: tree.SetDefinition(name, SetOf(())) for name in ("P", "Q")},
    families={},
    variables={"mine": VariableEntry("mine", None, NOWHERE)},
    functions={},
    procedures={},
    locals={},
)


def texts(*items: tree.Expr) -> list[str]:
    """The words among *items* listed in braces, with `x` bound around them."""
    found = listed(SetOf(items), frozenset({"x"}), NAMES)
    return [w.text if isinstance(w, Name) else " ".join(w.words) for w in found]


def test_undeclared_names_and_runs_of_words_are_words() -> None:
    assert texts(Name("red"), tree.WordRun(("pale", "green"))) == ["red", "pale green"]


def test_sets_and_bound_names_are_references() -> None:
    assert texts(Name("P"), Name("Q")) == []
    assert texts(Name("x")) == []


def test_a_set_among_words_is_a_word() -> None:
    assert texts(Name("P"), Name("nobody")) == ["P", "nobody"]


def test_a_variable_in_an_enumeration_is_a_word() -> None:
    assert texts(Name("mine"), Name("yours")) == ["mine", "yours"]


def test_words_inside_tuples_are_found() -> None:
    assert texts(tree.TupleOf((Name("red"), tree.NumberLiteral(1)))) == ["red"]


def test_capitals_blanks_and_hyphens_do_not_matter() -> None:
    words = Vocabulary({key("Beta Wins"): Word(Atom("Beta Wins"), NOWHERE)})

    assert words.find("beta  wins") == Word(Atom("Beta Wins"), NOWHERE)
    assert words.find("Beta-Wins") is not None
    assert words.find("Beta") is None


def test_a_near_word_is_found_if_there_is_only_one() -> None:
    one = Vocabulary({key("draw"): Word(Atom("draw"), NOWHERE)})
    two = Vocabulary({key(w): Word(Atom(w), NOWHERE) for w in ("win1", "win2")})

    assert one.near("drow") == Word(Atom("draw"), NOWHERE)
    assert two.near("win3") is None
