"""What is written as PNML is the same net when it is read."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.support import pnml as made
from tests.support.pnml import colour, cyclic, document, term, var
from tests.support.understood import net_of
from zermelo.api import loading
from zermelo.languages.nets.ir import Net
from zermelo.languages.nets.printer import expr_text
from zermelo.languages.nets.write import pnml
from zermelo.text.errors import UsageError

PLAIN = document(
    made.place("p", 2) + made.place("q") + '<transition id="t"><name><text>a &lt; b</text></name>'
    "</transition>" + made.arc("p", "t", 2) + made.arc("t", "q")
)
COLOURED = document(
    made.coloured_place("p", "pair", term("tuple", colour("a"), made.everything("ring")))
    + made.coloured_place("q", "ring")
    + made.coloured_place("d", "dot", made.times(2, "<dotconstant/>"))
    + '<transition id="t"><condition><structure>'
    + term("and", term("inequality", var("x"), colour("b")), term("not", "<false/>"))
    + "</structure></condition></transition>"
    + made.coloured_arc("p", "t", term("tuple", var("x"), term("predecessor", var("y"))))
    + made.coloured_arc("t", "q", term("subtract", made.everything("ring"), var("y")))
    + made.coloured_arc("d", "t", "<dotconstant/>")
    + made.declared(
        cyclic("ring", "a", "b", "c"),
        '<namedsort id="pair" name="pair"><productsort><usersort declaration="ring"/>'
        '<usersort declaration="ring"/></productsort></namedsort>',
        made.variable("x", "ring"),
        made.variable("y", "ring"),
    ),
    "symmetricnet",
)


def without_fingerprint(net: Net) -> Net:
    return replace(net, fingerprint="")


@pytest.mark.parametrize("text", [PLAIN, COLOURED], ids=["plain", "coloured"])
def test_reading_what_was_written_gives_the_same_net(text: str) -> None:
    net = without_fingerprint(made.net(text))

    again = made.net("\n".join(pnml.lines(net)))

    assert without_fingerprint(again) == net


ODD = """\
#place a lo(<.0.>) hi(<.1.>) mk(<.0.>)
#place b lo(<.0.>) hi(<.2.>)
#place x
#trans a
in { a: <.x.>; } out { x: <..>; }
#endtr
#trans t
in { b: <.x.>; b: <.y.>; } out { a: <.0.>; }
gate x != y;
#endtr
"""


def ids(text: str) -> list[str]:
    return re.findall(r' id="([^"]*)"', text)


def written(net: Net) -> str:
    return "\n".join(pnml.lines(net))


def test_ids_are_names_and_each_is_there_once() -> None:
    net = replace(net_of(loading.load_text(ODD, name="my net.net")), name="my net")

    text = written(net)

    # The transition makes room for the place `a`, the variables for the place `x`.
    assert ids(text) == [
        *("my_net", "page", "a", "b", "x", "a_2", "t"),
        *("a-to-a", "a-to-x", "b-to-t", "b-to-t_2", "t-to-a"),
        *("sort1", "sort2", "x_2", "y", "x_3"),
    ]
    assert "<name><text>my net</text></name>" in text
    assert '<transition id="a_2">\n        <name><text>a</text></name>' in text
    assert '<variabledecl id="x_2" name="x">' in text
    assert '<variabledecl id="x_3" name="x_3">' in text


@pytest.mark.parametrize("text", [ODD, PLAIN, COLOURED], ids=["odd", "plain", "coloured"])
def test_what_is_written_a_second_time_has_the_same_ids(text: str) -> None:
    name = "net.net" if text is ODD else "net.pnml"
    once = made.net(written(net_of(loading.load_text(text, name=name))))

    twice = made.net(written(once))

    assert written(twice) == written(once)


def test_ids_that_are_good_are_kept_and_others_are_made_like_them() -> None:
    text = (
        document(
            '<place id="1 a"/><place id="_1_a"/><place id="net"/><transition id="größe">'
            "<name><text>size</text></name></transition>"
            '<arc id="first arc" source="1 a" target="größe"/>'
            '<arc id="α-2" source="größe" target="_1_a"/>'
        )
        .replace('<net id="net"', '<net id="net.1"')
        .replace("<place", "<name><text>A net</text></name><place", 1)
    )

    again = written(made.net(text))

    assert ids(again) == ["net.1", "page", "_1_a_2", "_1_a", "net", "größe", "first_arc", "α-2"]
    assert "<name><text>A net</text></name>" in again
    assert '<place id="_1_a_2">\n        <name><text>1 a</text></name>' in again
    assert '<arc id="first_arc" source="_1_a_2" target="größe">' in again


def test_a_partition_is_written_with_its_groups() -> None:
    heat = f'<partitionelementof refpartition="heat"><subterm>{var("x")}</subterm>'
    text = document(
        made.coloured_place("p", "hue", colour("r"))
        + '<transition id="t"><condition><structure>'
        + term("equality", f"{heat}</partitionelementof>", colour("warm"))
        + "</structure></condition></transition>"
        + made.coloured_arc("p", "t", var("x"))
        + made.declared(
            cyclic("other", "k", "l", "m"),
            cyclic("hue", "r", "g", "b"),
            '<partition id="heat" name="Heat"><usersort declaration="hue"/>'
            '<partitionelement id="cold" name="Cold"><useroperator declaration="b"/>'
            '</partitionelement><partitionelement id="warm" name="Warm">'
            '<useroperator declaration="r"/><useroperator declaration="g"/></partitionelement>'
            "</partition>",
            made.variable("x", "hue"),
        ),
        "symmetricnet",
    )
    net = made.net(text)

    again = written(net)

    assert (
        '<partition id="heat" name="Heat"><usersort declaration="sort1"/>'
        '<partitionelement id="heat.0" name="Cold"><useroperator declaration="sort1.2"/>'
        '</partitionelement><partitionelement id="heat.1" name="Warm">' in again
    )
    assert f"{heat}</partitionelementof></subterm>" in again
    assert '<subterm><useroperator declaration="heat.1"/></subterm></equality>' in again
    assert [expr_text(gate) for gate in made.net(again).transitions[0].gates] == ["x ∈ Warm"]
    assert without_fingerprint(made.net(again)) == without_fingerprint(net)


@pytest.mark.parametrize("low", [0, 4])
def test_a_partition_of_a_range_is_written_with_its_numbers(low: int) -> None:
    ends = f'<finiteintrange start="{low}" end="{low + 1}"/>'
    members = [
        f'<finiteintrangeconstant value="{low + at}">{ends}</finiteintrangeconstant>'
        for at in range(2)
    ]
    size = f'<partitionelementof refpartition="size"><subterm>{var("n")}</subterm>'
    text = document(
        made.coloured_place("p", "small", made.everything("small"))
        + '<transition id="t"><condition><structure>'
        + term("equality", f"{size}</partitionelementof>", colour("large"))
        + "</structure></condition></transition>"
        + made.coloured_arc("p", "t", var("n"))
        + made.declared(
            f'<namedsort id="small" name="small">{ends}</namedsort>',
            '<partition id="size" name="size"><usersort declaration="small"/>'
            f'<partitionelement id="little" name="little">{members[0]}</partitionelement>'
            f'<partitionelement id="large" name="large">{members[1]}</partitionelement>'
            "</partition>",
            made.variable("n", "small"),
        ),
        "symmetricnet",
    )
    net = made.net(text)

    again = written(net)

    assert f'<partitionelement id="size.1" name="large">{members[1]}</partitionelement>' in again
    assert without_fingerprint(made.net(again)) == without_fingerprint(net)


def test_arithmetic_that_symmetric_nets_lack_is_named() -> None:
    game = loading.load_text(
        "#place p lo(<.0.>) hi(<.9.>) mk(<.1.>)\n"
        "#trans t\nin { p: <.x.>; } out { p: <.x * 2.>; }\n#endtr\n",
        name="double.net",
    )

    with pytest.raises(UsageError, match="C's arithmetic"):
        list(pnml.lines(net_of(game)))


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ("out { q: <.x.>; }", "the variable `x`, which is used in two sorts, has no form"),
        ("gate x != 4;", "4 in a sort from 0 to 3 has no form"),
    ],
)
def test_what_is_of_another_sort_is_named(inside: str, words: str) -> None:
    game = loading.load_text(
        "#place p lo(<.0.>) hi(<.3.>) mk(<.1.>)\n#place q lo(<.0.>) hi(<.9.>)\n"
        f"#trans t\nin {{ p: <.x.>; }} {inside}\n#endtr\n",
        name="sorts.net",
    )

    with pytest.raises(UsageError, match=words):
        list(pnml.lines(net_of(game)))
