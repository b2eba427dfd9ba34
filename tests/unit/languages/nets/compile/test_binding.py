"""Bindings that compiled code finds: every one, and each once."""

from __future__ import annotations

import pytest

from tests.support.net_agreement import agree
from tests.support.understood import net_of
from zermelo.api import loading
from zermelo.languages.nets.compile.kernel import NetKernel, kernel

BOUNDS = "lo(<.0,0.>) hi(<.3,3.>) "


def agrees(text: str) -> bool:
    """Whether there is a kernel, which then says the same as the token game."""
    net = net_of(loading.load_text(text, name="test.net"))
    return agree(net)


@pytest.mark.parametrize("bounds", ["", "lo(<.0,0.>) hi(<.99,99.>) ", BOUNDS])
def test_a_token_that_only_tells_a_part_gives_no_binding_twice(bounds: str) -> None:
    # Three tokens have y = 1, and x + 1 does not tell which of them it is before x is known.
    assert agrees(
        f"#place p {bounds}mk(<.1,1.> + <.2,1.> + <.3,1.>)\n"
        "#trans t\nin { p: <.x + 1,y.> + <.x,y.>; }\n#endtr\n"
    )


@pytest.mark.parametrize("bounds", ["", BOUNDS])
def test_a_component_is_compared_once_its_variable_has_a_value(bounds: str) -> None:
    # Both tokens have x = 3; for the first one x % 2 is another number.
    assert agrees(
        f"#place p {bounds}mk(<.0,3.> + <.1,3.>)\n#trans t\nin {{ p: <.x % 2,x.>; }}\n#endtr\n"
    )


def test_tokens_that_need_each_other_s_variables_are_left_to_the_token_game() -> None:
    text = "#place p mk(<.1,1.>)\n#trans t\nin { p: <.x + y,y.> + <.y + x,x.>; }\n#endtr\n"
    net = net_of(loading.load_text(text, name="test.net"))

    assert kernel(net, compiled=False) == "a variable of `t` gets its value from nowhere"


@pytest.mark.parametrize("bounds", ["", BOUNDS])
def test_the_tokens_of_an_interval_give_values(bounds: str) -> None:
    assert agrees(
        f"#place p {bounds}mk(<.1..2,1.> + <.1,2.>)\n"
        "#trans t\nin { p: <.1..2,f.>; } out { p: <.0,f.>; }\n#endtr\n"
    )


@pytest.mark.parametrize("bounds", ["", "lo(<.0.>) hi(<.9.>) "])
def test_so_many_tokens_as_a_let_says_give_values(bounds: str) -> None:
    assert agrees(
        f"#place p {bounds}mk(3<.1.> + <.2.>)\n"
        "#trans t\nlet <.n.> <= <.1..2.>;\nin { p: (n)<.h.>; }\n#endtr\n"
    )


def test_a_number_of_tokens_that_may_be_none_gives_no_value() -> None:
    text = (
        "#place p lo(<.0.>) hi(<.9.>) mk(<.1.>)\n"
        "#trans t\nlet <.n.> <= <.0..1.>;\nin { p: (n)<.h.>; }\n#endtr\n"
    )
    net = net_of(loading.load_text(text, name="test.net"))

    assert not isinstance(kernel(net, compiled=False), NetKernel)
