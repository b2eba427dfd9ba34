"""C becomes declarations."""

import pytest

from zermelo.languages.nets import ir
from zermelo.languages.nets.read.prod import tree
from zermelo.languages.nets.read.prod.document import parse
from zermelo.text.source import Source

NET = "#place p mk(<..>)\n#trans t\nin { p: <..>; }\n#endtr\n"


def declared(text: str) -> tuple[tree.Declaration, ...]:
    """What *text*, with a net behind it, declares."""
    checked = parse(Source("t.net", f"{text}\n{NET}"))
    assert checked.value is not None
    assert not [each.message for each in checked.diagnostics if each.is_error]
    return checked.value.document.declarations


def test_functions_and_tables_are_read() -> None:
    [table, number, function, prototype, outer] = declared(
        "static const int t[2][2] = {{1, 2}, {3, 4}};\nlong k = 5;\n"
        "int f(int a, long b) { return a + b; }\nint g(void);\nextern int h[];"
    )

    assert isinstance(table, tree.CVariable)
    assert table.dimensions == (ir.Const(2), ir.Const(2))
    assert number == tree.CVariable("k", (), ir.Const(5))
    sum_ = ir.Binary(ir.BinaryOp.PLUS, ir.Var("a"), ir.Var("b"))
    assert function == tree.CFunction("f", ("a", "b"), tree.Block((ir.Return(sum_),)))
    assert prototype == tree.CFunction("g", ())
    assert outer == tree.CVariable("h", (None,), None, is_extern=True)


def test_constants_of_an_enumeration_count_upwards() -> None:
    [a, b, c] = declared("enum { A, B = 4, C };")

    assert a == tree.CVariable("A", (), ir.Const(0))
    assert b == tree.CVariable("B", (), ir.Const(4))
    assert c == tree.CVariable("C", (), ir.Binary(ir.BinaryOp.PLUS, ir.Const(4), ir.Const(1)))


def test_steps_and_assignments_with_an_operator_are_assignments() -> None:
    [function] = declared("int f(int a) { a += 2; a++; --a; a = 3; f(1); ; return (int)a; }")

    assert isinstance(function, tree.CFunction)
    assert function.body is not None
    one = ir.Const(1)
    assert function.body.body == (
        tree.Assignment(ir.Var("a"), ir.BinaryOp.PLUS, ir.Const(2)),
        tree.Assignment(ir.Var("a"), ir.BinaryOp.PLUS, one),
        tree.Assignment(ir.Var("a"), ir.BinaryOp.MINUS, one),
        tree.Assignment(ir.Var("a"), None, ir.Const(3)),
        ir.Evaluate(ir.Call("f", (one,))),
        ir.Return(ir.Var("a")),
    )


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("int f(int *p) { return 1; }", "an array or a pointer as a parameter"),
        ("int f(int p[]) { return 1; }", "an array or a pointer as a parameter"),
        ("int *p;", "a pointer"),
        ("int f(int a) { return *a; }", "a pointer"),
        ("int f(int a) { return &a; }", "an address"),
        ("int f(int a) { return sizeof(a); }", "`sizeof`"),
        ("double f(int a) { return a; }", "a function whose value is no integer"),
        ("void f(int a) { a = 1; }", "a function without a value"),
        ("int f(double a) { return 1; }", "a parameter that is no integer"),
        ("int f(int a, ...) { return 1; }", "a function with any number of arguments"),
        ("int f(int a) { return a++; }", "`++` inside an expression"),
        ("int f(int a) { return a = 1; }", "an assignment inside an expression"),
        ("int f(int a) { return a, 1; }", "a comma between expressions"),
        ("int f(int a) { goto x; x: return 1; }", "`goto`"),
        (
            "int f(int a) { static int b; return b; }",
            "a local variable that is `static` or `extern`",
        ),
        ("int f(int a) { return 1.5; }", "a number with a fraction"),
        ('int f(int a) { return "x"; }', "a text"),
        ("int f(int a) { return; }", "a `return` without a value"),
        ("int f(a) int a; { return 1; }", "a function head of the old style"),
        ("struct s { int a; };", "a declaration of a type"),
        ("int f(int a) { struct s { int b; } c; return c.b; }", "a variable that is no integer"),
        ("int t[2] = {[1] = 3};", "a value with the name of its place"),
        ("typedef double d;", "a type that is no integer"),
        ("int f(int a) { switch (a) return 1; return 2; }", "a `switch` without braces"),
        ("int f(int a) { switch (a) { a = 1; } return 2; }", "a statement before the first `case`"),
        ("int f(int a) { return " + "!" * 150 + "a; }", "what is nested more than 120 levels deep"),
    ],
)
def test_what_is_outside_the_safe_part_is_named(text: str, what: str) -> None:
    found = [each.what for each in declared(text) if isinstance(each, tree.OutsideSubset)]

    assert found == [what]


def test_a_refusal_has_its_place() -> None:
    text = "int f(int a) {\n  return a\n    + sizeof(a);\n}\n"

    [found] = declared(text)

    assert text[found.span.start : found.span.end] == "sizeof"


@pytest.mark.parametrize("text", ["int f(", "words of prose", "}", "int int;", "(" * 3000, "= 3;"])
def test_what_is_no_c_is_said_at_its_place(text: str) -> None:
    found = parse(Source("t.net", f"{text}\n{NET}")).diagnostics

    assert [each.code.id for each in found] == ["Z163"]
    assert found[0].primary is not None


def test_types_of_headers_are_known() -> None:
    [function] = declared("#include <stdint.h>\nuint32_t f(bool a) { int64_t b = a; return b; }")

    assert isinstance(function, tree.CFunction)
