"""C's expressions as generated code give what the token game gives."""

from __future__ import annotations

import pytest

from tests.support.net_agreement import agree
from tests.support.understood import net_of
from zermelo.api import loading
from zermelo.languages.nets.compile.kernel import kernel
from zermelo.languages.nets.ir import Net


def net_with(expr: str, gate: str = "1") -> Net:
    """A net whose tokens become *expr* of a number from 0 to 14 and one from −6 to 8."""
    game = loading.load_text(
        "#place p lo(<.0,-6.>) hi(<.14,8.>) mk(<.3,-4.> + <.14,8.> + <.0,5.>)\n"
        "#place q lo(<.-1000000.>) hi(<.1000000.>)\n"
        "#trans t\nin { p: <.k,n.>; }\n"
        f"out {{ p: <.(k + 1) % 15, -n.>; q: <.{expr}.>; }}\ngate n > -6 && n < 7 && ({gate});\n"
        "#endtr\n",
        name="test.net",
    )
    return net_of(game)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(
    ("expr", "gate"),
    [
        ("1 << k", "1"),
        ("n << k", "1"),
        ("n >> k", "1"),
        ("1000 >> k", "1"),
        ("(n << 3) >> k", "1"),
        ("77 << k & 255", "1 << k & 5461"),
        # What has no value is left to the token game.
        ("1 << n", "n >= 0"),
        ("9 >> n", "1"),
    ],
)
def test_shifts_by_numbers_that_vary(expr: str, gate: str, *, compiled: bool) -> None:
    found = net_with(expr, gate)

    assert agree(found, compiled=compiled), kernel(found, compiled=False)


def test_a_shift_that_may_grow_too_large_is_left_to_the_token_game() -> None:
    assert kernel(net_with("1 << k * 5"), compiled=False) == "a number may become too large"


def test_a_shift_that_never_has_a_value_is_left_to_the_token_game() -> None:
    assert isinstance(kernel(net_with("1 << k + 70"), compiled=False), str)


@pytest.mark.parametrize("compiled", [False, True])
def test_long_chains_and_ladders(*, compiled: bool) -> None:
    rungs = " ".join(f"k == {at} ? n - {at} :" for at in range(60))

    assert agree(net_with(f"{rungs} 0"), compiled=compiled)
    assert agree(net_with(f"k{'+n-k' * 300}"), compiled=compiled)
