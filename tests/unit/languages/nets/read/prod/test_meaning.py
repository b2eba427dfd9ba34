"""What a net in PROD's language means."""

from pathlib import Path

import pytest

from tests.support.prod import codes_of, counts, machine, net, said, written
from tests.support.understood import net_of
from zermelo.languages.nets.ir import Binary, BinaryOp, Const, Term, Var


def test_an_initial_marking_is_computed() -> None:
    found = net(
        "#define n 3\nint twice(int x) { return 2 * x; }\n"
        "#place p mk(<.1..n, 0.> + 2<.n, 0.> + (twice(1) - 2)<.9, 9.> + <.twice(n), -1.>)\n"
        "#trans t\nin { p: <.x, y.>; }\n#endtr\n"
    )

    assert str(found.places[0].initial) == "<.1,0.> + <.2,0.> + 3<.3,0.> + <.6,-1.>"
    assert found.places[0].arity == 2


def test_constants_are_numbered_downwards() -> None:
    found = net(
        "#enum A\n#enum B\n#enum C\n#place p mk(<.A - B, B - C, A - C.>)\n"
        "#trans t\nin { p: <.x, y, z.>; }\n#endtr"
    )

    assert str(found.places[0].initial) == "<.1,1,2.>"


def test_variables_stand_in_the_order_in_which_they_are_met() -> None:
    [transition] = net(
        "#place p mk(<.1,2.>)\n#place q\n"
        "#trans t\nout { q: <.c, b, a.>; }\nin { p: <.b, a.>; }\nlet <.c.> <= <.a.>;\ngate a < c;\n"
        "#endtr"
    ).transitions

    assert [each.name for each in transition.variables] == ["b", "a", "c"]


def test_expressions_of_constants_are_computed() -> None:
    [transition] = net(
        "#define n 3\n#place p mk(<.1.>)\n"
        "#trans t\nin { p: <.x.>; }\nout { p: <.n * 2 + x.>; }\ngate n > 2 && x;\n#endtr"
    ).transitions

    assert transition.outputs[0].terms == (
        Term(Const(1), (Binary(BinaryOp.PLUS, Const(6), Var("x")),)),
    )


def test_a_name_is_a_variable_of_its_own_transition_only() -> None:
    found = net(
        "#place p mk(<.1.>)\n#trans t\nin { p: <.x.>; }\n#endtr\n"
        "#trans u\nin { p: <.y.>; }\nout { p: <.y.>; }\n#endtr"
    )

    assert [[v.name for v in each.variables] for each in found.transitions] == [["x"], ["y"]]


@pytest.mark.parametrize(
    ("clauses", "code"),
    [
        ("in { nowhere: <.x.>; }", "Z350"),
        ("in { p: <.x, y.>; }", "Z590"),
        ("in { p: <..>; }", "Z590"),
        ("in { p: <.x+1.>; }", "Z591"),
        ("in { p: <.1..x.>; }", "Z591"),
        ("in { p: (x)<.1.>; }", "Z591"),
        ("in { p: 0<.x.>; }", "Z591"),
        ("out { p: <.x.>; }", "Z591"),
        ("gate x;", "Z591"),
        ("in { p: (-1)<.x.>; }", "Z254"),
        ("let <.3.> <= <.1.>;", "Z595"),
        ("let <.1..3.> <= <.1.>;", "Z595"),
        ("let <.x.> <= <.1,2.>;", "Z595"),
        ("in { p: <.f(1).>; }", "Z352"),
        ("in { p: <.t[1].>; }", "Z353"),
        ("in { p: <.g.>; }", "Z354"),
        ("in { p: <.g(1, 2).>; }", "Z354"),
        ("in { p: <.g[1].>; }", "Z354"),
        ("in { p: <.T.>; }", "Z354"),
        ("in { p: <.T(1).>; }", "Z354"),
        ("in { p: <.T[1][2].>; }", "Z354"),
        ("in { p: <.A[1].>; }", "Z354"),
    ],
)
def test_a_transition_that_cannot_be_used_says_why(clauses: str, code: str) -> None:
    text = (
        "#enum A\nint g(int x) { return x; }\nint T[2] = {1, 2};\n"
        f"#place p mk(<.1.>)\n#trans t\n{clauses}\n#endtr"
    )

    assert [each.code.id for each in said(text) if each.is_error] == [code]


@pytest.mark.parametrize(
    ("attributes", "code"),
    [
        ("mk(<.x.>)", "Z592"),
        ("mk(<.1/0.>)", "Z592"),
        ("mk((-1)<.1.>)", "Z592"),
        ("mk(<.1..9999999.>)", "Z592"),
        ("mk(<.1..2000, 1..2000.>)", "Z592"),
        ("lo(<.x.>)", "Z592"),
        ("hi(<.1..2.>)", "Z592"),
        ("lo(<.0,0.>) mk(<.1.>)", "Z590"),
        ("lo(<.0.>) mk(<.-1.>)", "Z593"),
        ("hi(<.3.>) mk(<.1..4.>)", "Z593"),
        ("mk(<.f(1).>)", "Z352"),
    ],
)
def test_a_place_that_cannot_be_used_says_why(attributes: str, code: str) -> None:
    found = said(f"#place p {attributes}\n#trans t\nin {{ p: <.x.>; }}\n#endtr")

    assert code in [each.code.id for each in found if each.is_error]


def test_names_given_twice_are_said() -> None:
    assert "Z351" in codes_of("#place p\n#trans t\nin { p: <..>; }\n#endtr\n#trans t\n#endtr")
    assert "Z351" in codes_of("#enum A\n#enum A\n#place p\n#trans t\nin { p: <..>; }\n#endtr")
    assert "Z351" in codes_of("int a = 1;\nint a = 2;\n#place p\n#trans t\nin { p: <..>; }\n#endtr")


def test_a_folded_net_takes_its_tables_from_the_folder_beside_it(tmp_path: Path) -> None:
    text = """\
#enum C
#enum A
#place s mk(<. A .> + 2 <. C .>)
#place q
#enum T2
#enum T1
extern unsigned long z[1];
extern unsigned long y[2][1];
#trans u
let <. t, x .> <= <. T2, A .> + <. T1, C .> ;
in  { q : ( z [ 0 ] ) <. t .> ;  s : <. x .> ; }
out { q : ( z [ 0 ] ) <. t .> ;  s : <. y [ T2 - t ] [ 0 ] .> ; }
#endtr
"""
    tables = '#include "_enum.h"\nunsigned long z[1] = {0};\nunsigned long y[2][1] = {{C}, {A}};\n'

    game = written(tmp_path, {"fold.net": text, "fold.src/tables.c": tables})

    # Three tokens, each A or C: 0 to 3 of them are A, and either kind can become the other.
    found = counts(game.machine)
    assert (found.nodes, found.arcs, found.terminal) == (4, 6, 0)


def test_the_fingerprint_covers_what_is_included(tmp_path: Path) -> None:
    main = '#include "n.h"\n#place p mk(<.n.>)\n#trans t\nin { p: <.x.>; }\n#endtr\n'

    first = net_of(written(tmp_path, {"main.net": main, "n.h": "#define n 1\n"}))
    second = net_of(written(tmp_path, {"main.net": main, "n.h": "#define n 2\n"}))

    assert first is not None
    assert second is not None
    assert first.fingerprint != second.fingerprint


def test_near_names_are_suggested() -> None:
    [found] = [each for each in said("#define EMPTY 0\n#place p mk(<.EMPTI.>)") if each.is_error]

    assert found.help == "is `EMPTY` meant?"


def test_a_variable_may_stand_only_in_a_let_and_in_outputs() -> None:
    game = machine(
        "#place p mk(<..>)\n#place q\n"
        "#trans t\nlet <.x.> <= <.1..3.>;\nin { p: <..>; }\nout { q: <.x.>; }\n#endtr"
    )

    assert list(map(str, game.legal(game.initial))) == ["t(1)", "t(2)", "t(3)"]


def test_a_name_that_should_be_a_constant_is_said_once() -> None:
    found = said(
        "#place p lo(<.z.>) hi(<.z.>) mk(<.z.>)\n#trans t\nin { p: <.x.>; }\ngate x > z;\n#endtr\n"
    )

    assert [(each.code.id, each.help) for each in found if each.is_error] == [
        ("Z592", "write `#define z …` above")
    ]
