"""What is written as PNML is the same net when it is read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support import pnml as made
from tests.support.pnml import colour, cyclic, document, term, var
from zermelo import api
from zermelo.core.nets.ir import Net
from zermelo.exchange import pnml
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


def test_arithmetic_that_symmetric_nets_lack_is_named() -> None:
    game = api.load_text(
        "#place p lo(<.0.>) hi(<.9.>) mk(<.1.>)\n"
        "#trans t\nin { p: <.x.>; } out { p: <.x * 2.>; }\n#endtr\n",
        name="double.net",
    )

    with pytest.raises(UsageError, match="C's arithmetic"):
        list(pnml.lines(api.net_of(game)))
