"""Sets of nodes as they are typed."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.prod import BUFFER, PHILOSOPHERS
from tests.support.understood import net_of
from zermelo.api import loading
from zermelo.languages.nets.game.conditions import (
    Compared,
    Comparison,
    Complement,
    Content,
    Count,
    Counted,
    Has,
    InComponent,
    Intersection,
    NamedSet,
    OneNode,
    Register,
    Sets,
    Union,
    parse,
)
from zermelo.languages.nets.ir import Net
from zermelo.languages.nets.run.bags import Bag
from zermelo.text.errors import UsageError


def _net(text: str) -> Net:
    return net_of(loading.load_text(text, name="some.net"))


PHILOSOPHERS_NET = _net(PHILOSOPHERS)
THINKING, HUNGRY, EATING, FORK = range(4)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("fork == empty", Compared(Content(Bag(), (FORK,)), Comparison.EQ, Content(Bag()))),
        ("fork = empty", Compared(Content(Bag(), (FORK,)), Comparison.EQ, Content(Bag()))),
        (
            "hungry == <.1.> + <.2.>",
            Compared(
                Content(Bag(), (HUNGRY,)),
                Comparison.EQ,
                Content(Bag((((1,), 1), ((2,), 1)))),
            ),
        ),
        (
            "2<.1.> <= fork",
            Compared(Content(Bag((((1,), 2),))), Comparison.LE, Content(Bag(), (3,))),
        ),
        ("|thinking| >= 2", Counted(Count(0, (THINKING,)), Comparison.GE, Count(2))),
        ("|fork| + |eating| != 3", Counted(Count(0, (FORK, EATING)), Comparison.NE, Count(3))),
        ("<.2.> in fork", Has(FORK, (2,), 1)),
        ("3*<._.> in fork", Has(FORK, (None,), 3)),
        ("hungry has <.1.>", Has(HUNGRY, (1,), 1)),
        ('"hungry" has <.-1.>', Has(HUNGRY, (-1,), 1)),
        ("%2 & terminal", Intersection(Register(2), NamedSet("terminal"))),
        ("not %1 | @7", Union(Complement(Register(1)), OneNode(7))),
        ("!(@@3 || traps)", Complement(Union(InComponent(3), NamedSet("traps")))),
        (
            "%1 | |fork| > 0 && %2",
            Union(
                Register(1),
                Intersection(Counted(Count(0, (FORK,)), Comparison.GT, Count(0)), Register(2)),
            ),
        ),
    ],
)
def test_a_set_is_read(text: str, meant: Sets) -> None:
    assert parse(text, PHILOSOPHERS_NET) == meant


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("forks == empty", "there is no place `forks`; did you mean `fork`?"),
        ("fork ==", "the name of a place is missing at the end of `fork ==`"),
        ("fork", "`==`, `!=`, `<=`, `>=`, `<` or `>` is missing at the end of `fork`"),
        ("(fork == empty", "`)` for `(` is missing at the end of `(fork == empty`"),
        ("fork has <.1,2.>", "tokens of `fork` have 1 component, and this one has 2"),
        ("fork == <._.>", "`_` stands for any number only with `has` and `in`"),
        ("fork == empty fork", "`&&` or `||` is missing before `fork` of `fork == empty fork`"),
        ("|fork| == 1 $", "`$` in `|fork| == 1 $` is no sign of a condition"),
        ("empty == <.1.>", "`empty == <.1.>` names no place"),
        ("", "a condition is missing at the end of ``"),
        ("!" * 200 + "%1", "there are too many negations within each other"),
        ("(" * 200, "there are too many brackets within each other"),
    ],
)
def test_what_is_no_set_is_said(text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(text, PHILOSOPHERS_NET)

    assert str(caught.value) == said


def test_black_tokens_have_no_components() -> None:
    found = parse("full == 2<..>", _net(BUFFER))

    assert found == Compared(Content(Bag(), (1,)), Comparison.EQ, Content(Bag((((), 2),))))


@given(st.text(alphabet='%@|&!()<>=.,+*_"-019 forkhungyptyinmsa', max_size=40))
@settings(max_examples=200, deadline=None)
def test_any_text_is_a_set_or_is_said_not_to_be_one(text: str) -> None:
    with suppress(UsageError):
        parse(text, PHILOSOPHERS_NET)
