"""Samples show what a wrong proof would let through."""

from __future__ import annotations

from tests.support.project import TESTS
from zermelo import api
from zermelo.core.layout import Layout, layout
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry.find import symmetries
from zermelo.languages.sections.symmetry.samples import agrees, moved


def machine(name: str) -> tuple[Interpreter, Layout]:
    path = TESTS / "documents" / f"{name}.md"
    system = api.load(path if path.exists() else name).system
    assert system is not None
    made = Interpreter(system)
    places = layout(made)
    assert isinstance(places, Layout)
    return made, places


def test_what_is_proved_is_borne_out() -> None:
    made, places = machine("tic-tac-toe")
    found = symmetries(made)

    assert agrees(made, places, found.bits, found.generators)


def test_what_is_no_symmetry_is_not_borne_out() -> None:
    made, places = machine("tic-tac-toe")
    bits = symmetries(made).bits
    at = {(bit.variable, bit.value): place for place, bit in enumerate(bits)}
    one, other = at["X", (1, 1)], at["X", (1, 2)]

    assert not agrees(made, places, bits, [{one: other, other: one}])


def test_the_image_of_a_state_has_its_values_moved() -> None:
    made, places = machine("invariant")
    found = symmetries(made)
    state = made.after(made.initial, made.legal(made.initial)[1])

    (swap,) = found.generators
    image = moved(state, places, found.bits, swap)

    assert str(state) == ("Near = {cabbage, wolf}, Far = {goat, man}, boat = far, result = unset")
    assert str(image) == ("Near = {cabbage, goat}, Far = {man, wolf}, boat = far, result = unset")
