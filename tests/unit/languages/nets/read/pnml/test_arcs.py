"""Arcs of other kinds, references in a circle, and markings below nothing are said."""

from __future__ import annotations

import pytest

from tests.support import pnml as made
from tests.support.pnml import arc, colour, cyclic, declared, document, place, term, times
from zermelo.text import codes

TWO = place("p", 2) + place("q") + '<transition id="t"/>' + arc("p", "t") + arc("t", "q", 3)
ENDS = 'id="i" source="q" target="t"'


@pytest.mark.parametrize(
    ("inside", "tag", "label"),
    [
        (f'<arc {ENDS}><type value="inhibitor"/></arc>', "type", "inhibitor arcs"),
        (f"<arc {ENDS}><type><text>reset</text></type></arc>", "type", "reset arcs"),
        (f"<arc {ENDS}><arctype><text>read</text></arctype></arc>", "arctype", "read arcs"),
        (f'<arc {ENDS} type="transport"/>', "arc", "transport arcs"),
        (f"<inhibitorArc {ENDS}/>", "inhibitorArc", "arcs of this kind"),
        (f'<page id="g"><resetArc {ENDS}/></page>', "resetArc", "arcs of this kind"),
    ],
)
def test_arcs_of_other_kinds_are_not_understood(inside: str, tag: str, label: str) -> None:
    found = made.read(document(TWO + inside))

    assert found.value is None
    (said,) = found.diagnostics
    assert said.primary is not None
    assert (said.code, said.message, said.primary.text) == (
        codes.PNML_UNKNOWN,
        f"`<{tag}>` is not understood here",
        f"{label} are not read",
    )


@pytest.mark.parametrize(
    "inside",
    ['<type value="normal"/>', "<type><text>normal</text></type>", "<arctype/>"],
)
def test_an_arc_may_say_that_it_is_a_plain_one(inside: str) -> None:
    assert made.read(document(TWO + f"<arc {ENDS}>{inside}</arc>")).diagnostics == ()


def test_an_arc_with_the_id_of_a_place_is_not_dropped_without_a_word() -> None:
    found = made.read(document(TWO + '<arc id="q" source="q" target="t"/>'))

    assert found.value is None
    assert [each.message for each in found.diagnostics] == ["two parts of the net have the id `q`"]


@pytest.mark.parametrize(
    ("refers", "shown"),
    [
        ({"r1": "r2", "r2": "r1"}, "`r1` → `r2` → `r1`"),
        ({"r1": "r1"}, "`r1` → `r1`"),
        ({"r1": "r2", "r2": "r3", "r3": "r2"}, "`r2` → `r3` → `r2`"),
        (
            {f"r{at}": f"r{at % 7 + 1}" for at in range(1, 8)},
            "`r1` → `r2` → `r3` → `r4` → `r5` → …",
        ),
    ],
)
def test_references_that_go_in_a_circle_are_called_so(refers: dict[str, str], shown: str) -> None:
    references = "".join(f'<referencePlace id="{a}" ref="{b}"/>' for a, b in refers.items())

    found = made.read(document(TWO + references + arc("r1", "t")))

    assert [(each.code, each.message) for each in found.diagnostics] == [
        (codes.PNML_NOTHING_THERE, f"the references {shown} go in a circle")
    ]


def test_a_marking_below_nothing_is_said_with_its_colour() -> None:
    less = term("subtract", made.everything("ring"), times(2, colour("b")))
    inside = declared(cyclic("ring", "a", "b", "c")) + made.coloured_place("p", "ring", less)

    found = made.read(document(inside, "symmetricnet"))

    assert [(each.code, each.message) for each in found.diagnostics] == [
        (codes.PNML_NUMBER, "the first marking of `p` has less than none of <.b.>")
    ]


def test_more_tokens_on_an_arc_than_can_be_counted_are_said() -> None:
    inside = (
        declared(cyclic("ring", "a"))
        + made.coloured_place("p", "ring")
        + '<transition id="t"/>'
        + made.coloured_arc("t", "p", times(2**63, colour("a")))
    )

    found = made.read(document(inside, "symmetricnet"))

    assert [each.code for each in found.diagnostics] == [codes.PNML_NUMBER]


def test_pages_may_be_nested_deep() -> None:
    net = made.net(document("<page id='g'>" * 2000 + TWO + "</page>" * 2000))

    assert [each.name for each in net.places] == ["p", "q"]
