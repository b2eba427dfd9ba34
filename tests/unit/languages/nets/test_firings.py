"""The token game by hand, and firings as they are typed."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.pnml import (
    colour,
    coloured_arc,
    coloured_place,
    cyclic,
    declared,
    document,
    everything,
    var,
    variable,
)
from tests.support.prod import BUFFER, PHILOSOPHERS
from zermelo.api import loading
from zermelo.core.prompt import Prompt
from zermelo.core.state import Move
from zermelo.languages.nets.explain import NetCommentary
from zermelo.languages.nets.firings import find
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.play import notation
from zermelo.play.dialogue import PlayDialogue
from zermelo.play.session import Session
from zermelo.text.errors import MoveAmbiguous, MoveError, MoveNotAllowed, MoveNotUnderstood

LOOP = "#place p mk(<..>)\n#trans stay\nin { p: <..>; } out { p: <..>; }\n#endtr\n"
LIGHTS = document(
    declared(cyclic("light", "red", "green"), variable("x", "light"))
    + coloured_place("lamps", "light", everything("light"))
    + coloured_place("out", "light", colour("red"))
    + '<transition id="dim"/>'
    + coloured_arc("lamps", "dim", var("x")),
    "symmetricnet",
)


def _machine(text: str = PHILOSOPHERS, name: str = "some.net") -> TokenGame:
    machine = loading.load_text(text, name=name).machine
    assert isinstance(machine, TokenGame)
    return machine


def _prompt(machine: TokenGame, *, seed: int = 0) -> Prompt:
    return Prompt(PlayDialogue(Session(NetCommentary(machine)), seed=seed))


@pytest.mark.parametrize(
    "text", ["3", "left 3", "left(3)", "left p=3", "left <p: 3>", "LEFT 3", "left p = 3"]
)
def test_a_firing_is_typed_in_many_ways(text: str) -> None:
    machine = _machine()

    assert find(text, machine, machine.initial) == Move("left", (3,))
    assert notation.from_text(text, NetCommentary(machine), machine.initial) == Move("left", (3,))


def test_of_one_firing_it_is_said_that_only_one_is_enabled() -> None:
    machine = _machine(LOOP)

    with pytest.raises(MoveNotUnderstood, match="there is no firing 2: only 1 is enabled"):
        find("2", machine, machine.initial)


def test_of_four_firings_three_are_named_and_one_is_counted() -> None:
    machine = _machine(PHILOSOPHERS.replace("n 3", "n 4"))

    with pytest.raises(MoveAmbiguous) as caught:
        find("left", machine, machine.initial)
    assert str(caught.value) == (
        "`left` could mean `left <p: 1>`, `left <p: 2>` or `left <p: 3>` and 1 other; say more"
    )


def test_what_is_clear_may_be_left_out() -> None:
    machine = _machine(BUFFER)

    assert find("produce", machine, machine.initial) == Move("produce")


def test_colours_have_names() -> None:
    machine = _machine(LIGHTS, "lights.pnml")

    assert find("dim green", machine, machine.initial) == Move("dim", (1,))
    assert "2  dim <x: green>" in _prompt(machine).ask("moves")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("left", "`left` could mean `left <p: 1>`, `left <p: 2>` or `left <p: 3>`; say more"),
        ("lefd 1", "there is no transition `lefd`; did you mean `left`?"),
        ("left q=1", "`left` has `p`, and no `q`"),
        ("left 1 2", "`left` has only p"),
        ("7", "there is no firing 7: they are numbered 1 to 3"),
    ],
)
def test_what_is_no_firing_is_said(text: str, said: str) -> None:
    machine = _machine()
    with pytest.raises(MoveError) as caught:
        find(text, machine, machine.initial)

    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("right 1", "`right 1` is not enabled: `hungry` is empty"),
        (
            "left 9",
            "`left 9` is not enabled; for other values it is: "
            "`left <p: 1>`, `left <p: 2>` and `left <p: 3>`",
        ),
    ],
)
def test_what_is_not_enabled_is_said_with_the_reason(text: str, said: str) -> None:
    machine = _machine()
    with pytest.raises(MoveNotAllowed) as caught:
        find(text, machine, machine.initial)

    assert str(caught.value) == said


def test_a_firing_shows_what_it_changed() -> None:
    said = _prompt(_machine()).ask("left 1")

    assert "▸ thinking  <.2.> + <.3.>   (<.1.> went)" in said
    assert "▸ hungry    <.1.>   (<.1.> came)" in said
    assert "    eating    empty" in said
    assert "3 firings enabled:" in said


def test_where_nothing_is_enabled_the_net_is_stuck_and_not_over() -> None:
    prompt = _prompt(_machine())
    for text in ("left 1", "left 2", "left 3"):
        said = prompt.ask(text)

    assert said.endswith("Nothing is enabled.")
    assert prompt.ask("random") == "Nothing is enabled."


def test_a_firing_that_changes_nothing_counts() -> None:
    prompt = _prompt(_machine(LOOP))

    assert "1. stay  (the marking stays as it is)" in prompt.ask("stay")
    assert prompt.interaction.prompt == "1> "


def test_the_lot_is_the_same_for_the_same_seed() -> None:
    one, other, third = (_prompt(_machine(), seed=seed).ask("random 6") for seed in (3, 3, 4))

    assert one == other != third


@given(st.text(alphabet="leftrighn p=:<>(),0123'-", max_size=20))
@settings(max_examples=100, deadline=None)
def test_any_text_is_a_firing_or_is_said_not_to_be_one(text: str) -> None:
    with suppress(MoveError):
        find(text, PHILOSOPHERS_GAME, PHILOSOPHERS_GAME.initial)


PHILOSOPHERS_GAME = _machine()
