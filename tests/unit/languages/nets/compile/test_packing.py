"""Markings as words, and the room in them."""

from __future__ import annotations

from tests.support.net_agreement import agree
from tests.support.understood import net_of, state_space
from zermelo.api import loading
from zermelo.languages.nets.compile.kernel import kernel
from zermelo.languages.nets.ir import Net


def net_in(text: str) -> Net:
    game = loading.load_text(text, name="test.net")
    return net_of(game)


def test_a_token_below_the_only_bound_of_its_place_is_a_fault_in_the_kernel_too() -> None:
    down = "#trans t\nin { c: <.x.>; } out { c: <.x-1.>; }\n#endtr\n"

    assert agree(net_in(f"#place c lo(<.0.>) mk(<.1.>)\n{down}"))
    assert agree(net_in(f"#place c hi(<.5.>) mk(<.1.>)\n{down}"))


def test_a_token_of_many_components_without_bounds_fits() -> None:
    turned = "#trans t\nin { p: <.a,b,c,d,e,f,g,h,i.>; } out { p: <.b,c,d,e,f,g,h,i,a.>; }\n#endtr"
    net = net_in(f"#place p mk(<.0,1,2,3,4,5,6,7,40.>)\n{turned}\n")

    assert not isinstance(kernel(net, compiled=False), str)
    assert agree(net)


def test_a_difference_of_any_sums_is_computed_for_each_colour() -> None:
    text = (
        '<pnml><net id="n" type="symmetricnet"><declaration><structure><declarations>'
        '<namedsort id="C"><cyclicenumeration><feconstant id="a"/><feconstant id="b"/>'
        '<feconstant id="c"/></cyclicenumeration></namedsort>'
        '<variabledecl id="x"><usersort declaration="C"/></variabledecl>'
        "</declarations></structure></declaration>"
        '<page id="g"><place id="p"><type><structure><usersort declaration="C"/></structure></type>'
        "<hlinitialMarking><structure><numberof><subterm><numberconstant value='2'/></subterm>"
        "<subterm><all><usersort declaration='C'/></all></subterm></numberof></structure>"
        "</hlinitialMarking></place><transition id='t'/><arc id='k' source='p' target='t'>"
        "<hlinscription><structure><subtract><subterm><add><subterm><variable refvariable='x'/>"
        "</subterm><subterm><all><usersort declaration='C'/></all></subterm></add></subterm>"
        "<subterm><all><usersort declaration='C'/></all></subterm></subtract></structure>"
        "</hlinscription></arc></page></net></pnml>"
    )
    game = loading.load_text(text, name="test.pnml")

    assert agree(net_of(game))
    assert state_space(game).states == 27


def test_more_tokens_than_there_are_slots_are_not_counted_one_by_one() -> None:
    take = "#trans t\nin { p: 99999999999<.x.>; } out { q: <.x.>; }\n#endtr\n"

    assert agree(net_in(f"#place p mk(2<.1.>)\n#place q\n{take}"))
