"""Operators in a row, and the ways to bracket them."""

from zermelo.languages.led.mean.repairs.brackets import barred, chains, has_brackets
from zermelo.languages.led.read import parser, printer, tree
from zermelo.languages.led.read.tree import Sign
from zermelo.text.source import Source, Span


def definitions(text: str) -> tuple[tree.Definition, ...]:
    read = parser.definitions(Source("text", text), Span(0, len(text)))
    assert read.value is not None
    return tuple(each for each in read.value if isinstance(each, tree.Definition))


def ways(text: str) -> list[str]:
    (chain,) = chains(definitions(text)[0])
    return [printer.expression(chain.bracketed(shape)) for shape in chain.shapes()]


def test_three_operands_have_two_bracketings_and_the_printed_one_is_first() -> None:
    assert ways("f := a + b / 2") == ["a + b / 2", "(a + b) / 2"]


def test_five_operands_have_fourteen_bracketings() -> None:
    # The Catalan number of 4 operators.
    assert len(set(ways("f(c) := 150 + 100 * c - 1 mod 3"))) == 14
    assert "150 + 100 * ((c - 1) mod 3)" in ways("f(c) := 150 + 100 * c - 1 mod 3")


def test_brackets_are_counted_and_so_are_quotients_of_numerals() -> None:
    (chain,) = chains(definitions("f(c) := c - 1 mod 3")[0])
    printed, other = chain.shapes()

    assert (chain.brackets(printed), chain.pairs(printed)) == (0, 1)
    assert (chain.brackets(other), chain.pairs(other)) == (1, 0)
    assert chain.pairs(printed, frozenset({Sign.DIVIDE})) == 0


def test_shapes_of_the_same_value_are_known() -> None:
    (chain,) = chains(definitions("f := a - b + c")[0])

    assert len({chain.sample(shape) for shape in chain.shapes()}) == 2


def test_sums_and_products_alone_cannot_have_lost_anything() -> None:
    assert list(chains(definitions("f := a + b + c + d")[0])) == []
    assert list(chains(definitions("f := a * b")[0])) == []


def test_a_chain_inside_another_is_one_of_its_own() -> None:
    found = list(chains(definitions("f(c) := 600 - 100 * floor(c - 1 / 3)")[0]))

    assert [len(each.operands) for each in found] == [3, 3]


def test_bars_are_compared_with_formulas_of_the_same_form() -> None:
    own = definitions("f(c) := 6 - 2 * |c / 3|  g(c) := 7 - 2 * floor(c / 3)  h(c) := |c|")

    assert [(each.definition.name, each.model.name) for each in barred(own)] == [("f", "g")]


def test_brackets_that_group_are_seen() -> None:
    assert has_brackets(definitions("f := (a + b) / 2"))
    assert not has_brackets(definitions("f := (a, b)  g := {x | (x = 1)}"))
