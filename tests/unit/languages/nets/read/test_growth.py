"""Nets twice as large take little more than twice the work, whatever it is that is larger.

Work is counted in calls of functions, Python's own and built-in ones, while a net is read and told.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from zermelo.api import loading
from zermelo.text import budget

LITTLE_MORE = 2.4
PNML = (
    '<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">'
    '<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">{}'
    "</page></net></pnml>"
)


def prod_places(n: int) -> str:
    return "".join(f"#place p{at} mk(<..>)\n" for at in range(n)) + prod_transitions(1)


def prod_transitions(n: int) -> str:
    text = "#place p mk(<..>)\n"
    for at in range(n):
        text += f"#trans t{at} in {{ p: <..>; }} out {{ p: <..>; }} #endtr\n"
    return text


def prod_parts(n: int) -> str:
    return "".join(
        f"#place p{at} mk(<..>)\n#trans t{at} in {{ p{at}: <..>; }} out {{ }} #endtr\n"
        for at in range(n)
    )


def prod_arcs(n: int) -> str:
    places = "".join(f"#place p{at} mk(<..>)\n" for at in range(n))
    arcs = " ".join(f"p{at}: <..>;" for at in range(n))
    return f"{places}#trans t in {{ {arcs} }} out {{ {arcs} }} #endtr\n"


def prod_tokens(n: int) -> str:
    tokens = " + ".join(f"<.{at}.>" for at in range(n))
    return f"#place p mk({tokens})\n#trans t in {{ p: <.x.>; }} out {{ p: <.x.>; }} #endtr\n"


def prod_names(n: int) -> str:
    name = "p" * 20 * n
    return prod_transitions(5).replace("p:", f"{name}:").replace("place p", f"place {name}")


def prod_conditions(n: int) -> str:
    gate = " && ".join(f"x != {at}" for at in range(1, n))
    return (
        f"#place p mk(<.0.>)\n#trans t in {{ p: <.x.>; }} out {{ p: <.x.>; }} gate {gate}; #endtr\n"
    )


def prod_macros(n: int) -> str:
    macros = "".join(f"#define M{at} {at}\n" for at in range(n))
    places = "".join(f"#place p{at} mk(<.M{at}.>)\n" for at in range(n))
    return macros + places


def pnml_parts(n: int) -> str:
    return PNML.format(
        "".join(
            f'<place id="p{at}"><initialMarking><text>1</text></initialMarking></place>'
            f'<transition id="t{at}"/><arc id="a{at}" source="p{at}" target="t{at}"/>'
            for at in range(n)
        )
    )


def pnml_arcs(n: int) -> str:
    places = "".join(f'<place id="p{at}"/>' for at in range(n))
    arcs = "".join(f'<arc id="a{at}" source="p{at}" target="t"/>' for at in range(n))
    return PNML.format(f'{places}<transition id="t"/>{arcs}')


def pnml_references(n: int) -> str:
    """A way over n references, gone n times."""
    ways = "".join(f'<referencePlace id="r{at + 1}" ref="r{at}"/>' for at in range(n))
    arcs = "".join(
        f'<transition id="t{at}"/><arc id="a{at}" source="r{n}" target="t{at}"/>'
        f'<arc id="b{at}" target="r{n}" source="t{at}"/>'
        for at in range(n)
    )
    return PNML.format(f'<place id="r0"/>{ways}{arcs}')


def pnml_missing(n: int) -> str:
    places = "".join(f'<place id="place{at}"/>' for at in range(n))
    arcs = "".join(f'<arc id="a{at}" source="plase{at}" target="t"/>' for at in range(n))
    return PNML.format(f'{places}<transition id="t"/>{arcs}')


def pnml_pages(n: int) -> str:
    return PNML.format("".join(f'<page id="g{at}"><place id="p{at}"/></page>' for at in range(n)))


def pnml_names(n: int) -> str:
    return pnml_parts(5).replace('"p', '"' + "p" * 20 * n)


GROWTHS: list[tuple[Callable[[int], str], int, str]] = [
    (prod_places, 200, "net"),
    (prod_transitions, 200, "net"),
    (prod_parts, 200, "net"),
    (prod_arcs, 200, "net"),
    (prod_tokens, 200, "net"),
    (prod_names, 200, "net"),
    (prod_conditions, 100, "net"),
    (prod_macros, 200, "net"),
    (pnml_parts, 200, "pnml"),
    (pnml_arcs, 200, "pnml"),
    (pnml_references, 200, "pnml"),
    (pnml_missing, 200, "pnml"),
    (pnml_pages, 200, "pnml"),
    (pnml_names, 200, "pnml"),
]


def told(text: str, ending: str) -> None:
    """Read *text*, say what it means, and look at its first firings."""
    game = loading.load_text(text, name=f"some.{ending}")
    if game.model is None:
        return
    assert game.model.words.explain()
    machine = game.model.machine()
    assert machine.legal(machine.initial) is not None


def calls(text: str, ending: str) -> int:
    count = 0

    def counted(_: FrameType, event: str, __: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        told(text, ending)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("growth", GROWTHS, ids=[made.__name__ for made, _, _ in GROWTHS])
def test_twice_the_size_takes_little_more_than_twice_the_work(
    growth: tuple[Callable[[int], str], int, str],
) -> None:
    made, size, ending = growth
    told(made(10), ending)
    small, large = calls(made(size), ending), calls(made(2 * size), ending)
    assert large < LITTLE_MORE * small, (small, large)


def test_elements_are_charged_to_the_budget() -> None:
    with budget.budget(steps=10**9) as left:
        loading.load_text(pnml_parts(100), name="some.pnml")
    assert left.spent > 300
