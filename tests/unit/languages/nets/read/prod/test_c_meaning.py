"""What the C of a net means."""

from pathlib import Path

import pytest

from tests.support.prod import net, said, written
from zermelo.languages.nets.ir import Function, If, Table, While

USE = "\n#place p mk(<.1.>)\n#trans t\nin { p: <.x.>; }\nout { p: <.EXPR.>; }\n#endtr\n"


def using(c: str, expr: str) -> str:
    """A net with this *c* that uses *expr*."""
    return f"#define EXPR {expr}\n{c}{USE}"


@pytest.mark.parametrize(
    ("c", "dimensions", "values"),
    [
        ("int t[3] = {1, 2};", (3,), (1, 2, 0)),
        ("int t[] = {1, 2};", (2,), (1, 2)),
        ("int t[2][2] = {{1}, {2, 3}};", (2, 2), (1, 0, 2, 3)),
        ("int t[2][2] = {1, 2, 3};", (2, 2), (1, 2, 3, 0)),
        ("int t[][2] = {1, 2, {3}};", (2, 2), (1, 2, 3, 0)),
        ("enum { N = 2 };\nint t[N + 1] = {N};", (3,), (2, 0, 0)),
        ("int k = 4;\nint t[2] = {k, -k};", (2,), (4, -4)),
        ("int t[2];", (2,), (0, 0)),
    ],
)
def test_a_table_has_its_values_and_zeros_behind_them(
    c: str, dimensions: tuple[int, ...], values: tuple[int, ...]
) -> None:
    index = "[x]" * len(dimensions)

    [table] = net(using(c, f"t{index}")).tables

    assert table == Table("t", dimensions, values)


def test_a_number_is_put_in_where_it_is_used() -> None:
    found = net(using("int k = 2 * 21;", "k"))

    assert found.tables == ()
    assert [str(each) for each in found.transitions[0].variables[0].name] == ["x"]


def test_only_what_is_used_is_understood() -> None:
    c = "int f(int a) { return g(a); }\nint g(int a) { return a; }\nint h(int a) { return *a; }"

    found = net(using(c, "f(x)"))

    assert [each.name for each in found.functions] == ["f", "g"]


def test_a_switch_becomes_a_loop_of_one_round() -> None:
    [function] = net(
        using("int f(int a) { switch (a) { case 1: return 2; default: break; } return 3; }", "f(x)")
    ).functions

    assert isinstance(function, Function)
    assert isinstance(function.body[0], While)
    assert not function.body[0].tests_first
    assert any(isinstance(each, If) for each in function.body[0].body)


@pytest.mark.parametrize(
    ("c", "expr", "code"),
    [
        ("int k = 1;\nint f(int a) { k = a; return a; }", "f(x)", "Z162"),
        ("int t[2];\nint f(int a) { t[0] = a; return a; }", "f(x)", "Z162"),
        ("int f(int a) { break; return a; }", "f(x)", "Z162"),
        ("int f(int a) { continue; return a; }", "f(x)", "Z162"),
        (
            "int f(int a) { while (a) { switch (a) { case 1: continue; } a--; } return a; }",
            "f(x)",
            "Z162",
        ),
        ("int f(int *a) { return 1; }", "f(x)", "Z162"),
        ("int *k;", "k", "Z162"),
        ("int f(int a) { return b; }", "f(x)", "Z353"),
        ("int f(int a) { return g(a); }", "f(x)", "Z352"),
        ("int g(int a);\nint f(int a) { return g(a); }", "f(x)", "Z352"),
        ("int t[2] = {1, 2, 3};", "t[x]", "Z592"),
        ("int t[2] = {{1}, {2}};", "t[x]", "Z592"),
        ("int t[] ;", "t[x]", "Z592"),
        ("int t[0];", "t[x]", "Z592"),
        ("int t[9999999];", "t[x]", "Z592"),
        ("int t[2] = 3;", "t[x]", "Z354"),
        ("int k = {1, 2};", "k", "Z354"),
        ("int k = 1 / 0;", "k", "Z592"),
        ("int a = b;\nint b = a;", "a", "Z353"),
        ("int f(int a) { int t[99999]; return t[a]; }", "f(x)", "Z592"),
        ("int f(int a) { return a[0]; }", "f(x)", "Z354"),
        ("int f(int a) { int t[2]; return t; }", "f(x)", "Z354"),
        ("int f(int a) { int t[2]; t[0][1] = 3; return 1; }", "f(x)", "Z354"),
    ],
)
def test_what_cannot_be_used_is_said(c: str, expr: str, code: str) -> None:
    assert [each.code.id for each in said(using(c, expr)) if each.is_error] == [code]


def test_what_is_not_used_is_only_warned_about(tmp_path: Path) -> None:
    net_text = "#place p mk(<..>)\n#trans t\nin { p: <..>; }\n#endtr\n"
    c = '#include <stdio.h>\nint show(int a) { printf("%d", a); return 0; }\n'

    game = written(tmp_path, {"main.net": net_text, "main.src/show.c": c})

    assert game.is_loaded
    warned = [each for each in game.diagnostics if each.code.id == "Z162"]
    assert [each.level.value for each in warned] == ["warning"]
    assert "main.src/show.c:2:" in warned[0].notes[0]


@pytest.mark.parametrize(
    "body",
    [
        "const int k = 1; k = 2; return k;",
        "const int k = 1; k++; return k;",
        "int const k[2] = {1, 2}; k[0] += 1; return k[0];",
        "int j = 0; { const int k = 1; for (; j < 3; k++) j++; } return j;",
    ],
)
def test_what_is_const_is_not_given_another_value(body: str) -> None:
    [found] = said(using(f"int f(int a) {{ {body} }}", "f(x)"))

    assert found.code.id == "Z354"
    assert found.message == "`k` is `const`, so it cannot be given another value"


def test_a_const_parameter_is_not_given_another_value() -> None:
    [found] = said(using("int f(const int a) { a = 2; return a; }", "f(x)"))

    assert found.message == "`a` is `const`, so it cannot be given another value"


def test_a_local_that_hides_a_const_one_is_another_one() -> None:
    c = "int f(const int a) { const int k = a; { int k = 2, a = 1; k = a; a++; } return k; }"

    assert said(using(c, "f(x)")) == ()


def test_what_is_missing_is_said_once() -> None:
    c = "int f(int a) { return z + a; }\nint g(int a) { return a - z; }\n"

    found = said(using(c, "f(x) + g(x)"))
    assert [each.message for each in found] == ["`z` is defined nowhere"]
    assert found[0].primary is not None
    # in the function that comes first
    assert found[0].primary.span.start == len("#define EXPR f(x) + g(x)\nint f(int a) { return ")
    found = said("extern int t[2];\n#place p mk(<.t[0].> + <.t[1].>)\n#place q mk(<.h(h(1)).>)\n")
    assert [each.message for each in found if each.is_error] == [
        "`t` is defined nowhere",
        "`h` is defined nowhere",
    ]


def test_what_is_outside_is_said_once() -> None:
    found = said(
        "void f(int a) { }\n#place p mk(<.1.>)\n"
        "#trans t\nin { p: <.x.>; }\ngate f(x);\ngate f(1);\n#endtr\n"
    )

    assert [each.message for each in found] == [
        "a function without a value is outside the part of C that is read here"
    ]


def test_the_folder_for_c_is_named_where_the_net_is_a_file(tmp_path: Path) -> None:
    text = using("", "f(x)")

    [found] = written(tmp_path, {"mini.net": text}).diagnostics
    assert found.help == (
        "define it in the net, or in a file with the ending `.c` in the folder `mini.src` beside it"
    )
    [found] = said(text)
    assert found.help == "define it in the net"


def test_all_constants_share_the_steps_that_may_be_taken() -> None:
    c = "int f(int a) { int i = 0; while (i < 200000) i++; return a; }\n"
    places = "".join(f"#place p{at} mk(<.f({at}).>)\n" for at in range(4))

    found = [each for each in said(c + places) if each.is_error]

    # one takes 400,002 steps: a call, a declaration, and two in each round
    assert [each.message for each in found] == ["this takes more than 1,000,000 steps"] * 2


def test_all_parts_of_an_expression_that_are_outside_are_said() -> None:
    c = "int f(int *a) { return 1; }\nint h(int a) { static int n; return n; }"

    found = said(using(c, "f(x) + h(x)"))

    assert [(each.code.id, each.is_error) for each in found] == [("Z162", True), ("Z162", True)]


@pytest.mark.parametrize(
    ("macros", "expr"),
    [("#define A B\n#define B A\n", "t[A]"), ("#define F(x) F(x+1)\n", "F(x)")],
)
def test_a_macro_that_stands_for_itself_is_not_thought_misspelt(macros: str, expr: str) -> None:
    helps = [each.help for each in said(f"{macros}{using('int t[3];', expr)}")]

    assert len(helps) == 1
    assert "stands for itself in the end" in (helps[0] or "")


def test_a_local_number_hides_a_table_of_that_name() -> None:
    c = "int y[3] = {1, 2, 3};\nint f(int a) { int y = 1; y[a] = 5; return y; }"

    assert [each.message for each in said(using(c, "f(x)"))] == ["`y` is no table"]
