"""C's expressions, out of tokens."""

import pytest

from tests.support.prod import codes_of
from zermelo.languages.nets import ir
from zermelo.languages.nets.read.prod.expressions import ExpressionReader, NotUnderstood
from zermelo.languages.nets.read.prod.preprocessor import Preprocessor
from zermelo.languages.nets.read.prod.sources import DocumentFiles, NetTexts
from zermelo.text.source import Source


def parsed(text: str) -> ir.Expr:
    """The expression that *text* writes."""
    texts = NetTexts()
    return ExpressionReader(
        Preprocessor(texts, DocumentFiles(), []).run(texts.add(Source("t", text)))
    ).expression()


def shown(expr: ir.Expr) -> str:
    """*expr* with all its brackets."""
    match expr:
        case ir.Const(value):
            return str(value)
        case ir.Var(text):
            return text
        case ir.Unary(op, operand):
            return f"({op.value}{shown(operand)})"
        case ir.Binary(op, left, right):
            return f"({shown(left)}{op.value}{shown(right)})"
        case ir.Conditional(test, yes, no):
            return f"({shown(test)}?{shown(yes)}:{shown(no)})"
        case ir.Element(table, indexes):
            return table + "".join(f"[{shown(each)}]" for each in indexes)
        case ir.Call(function, arguments):
            return f"{function}({','.join(map(shown, arguments))})"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a+b*c-d", "((a+(b*c))-d)"),
        ("a-b-c", "((a-b)-c)"),
        ("a<<1+b", "(a<<(1+b))"),
        ("a<b==c>d", "((a<b)==(c>d))"),
        ("a&b==c", "(a&(b==c))"),
        ("a|b^c&d", "(a|(b^(c&d)))"),
        ("a||b&&c", "(a||(b&&c))"),
        ("a?b:c?d:e", "(a?b:(c?d:e))"),
        ("!a&&-b", "((!a)&&(-b))"),
        ("-a%b", "((-a)%b)"),
        ("(a+b)*c", "((a+b)*c)"),
        ("t[i][j+1]", "t[i][(j+1)]"),
        ("f(a,g(b))", "f(a,g(b))"),
        ("f()", "f()"),
        ("'a'+0x10", "(97+16)"),
    ],
)
def test_operators_bind_as_in_c(text: str, expected: str) -> None:
    assert shown(parsed(text)) == expected


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "Z250"),
        ("a+", "Z250"),
        ("(a", "Z250"),
        ("t[1", "Z250"),
        ("f(1", "Z250"),
        ("a?b", "Z250"),
        ("a=1", "Z162"),
        ("a++", "Z162"),
        ("*a", "Z162"),
        ("08", "Z254"),
        ("'ab'", "Z254"),
        ("(" * 200 + "1" + ")" * 200, "Z208"),
        ("1" + "/1" * 5000, "Z208"),
        ("!" * 5000 + "1", "Z208"),
    ],
)
def test_what_is_no_expression_is_said(text: str, code: str) -> None:
    with pytest.raises(NotUnderstood) as fault:
        parsed(text)

    assert fault.value.said.code.id == code


def test_a_long_conjunction_is_not_deep() -> None:
    assert ir.depth(parsed("&&".join("abc" for _ in range(1000)))) <= 11


def test_an_equals_sign_is_asked_about() -> None:
    assert "Z162" in codes_of("#place p mk(<.1.>)\n#trans t\nin { p: <.x.>; }\ngate x = 1;\n#endtr")


@pytest.mark.parametrize(
    ("text", "what", "span", "help_"),
    [
        ("(int)3", "a cast", (0, 5), "leave it out: all numbers have a sign and 64 bits"),
        ("1+(unsigned long)a", "a cast", (2, 17), "leave it out: all numbers have a sign and 64 "),
        ("(char *)a", "a cast", (0, 8), "leave it out: all numbers have a sign and 64 bits"),
        ("(int", "a cast", (0, 4), "leave it out: all numbers have a sign and 64 bits"),
        ("(1,2)", "the comma operator", (2, 3), "write only the last one: the others would"),
        ("t[1,2]", "the comma operator", (3, 4), "each index has brackets of its own, as in "),
        ("sizeof(int)", "`sizeof`", (0, 6), "write the number itself"),
        ("sizeof a", "`sizeof`", (0, 6), "write the number itself"),
        ('"abc"', "a text", (0, 5), "a token has whole numbers; `#enum` and `#define` give them"),
        ("a.b", "a member of a structure", (1, 2), ""),
        ("f(a)->b", "a member of a structure", (4, 6), ""),
    ],
)
def test_what_only_c_has_is_named(text: str, what: str, span: tuple[int, int], help_: str) -> None:
    with pytest.raises(NotUnderstood) as fault:
        parsed(text)

    said = fault.value.said
    assert said.code.id == "Z162"
    assert said.message == f"{what} is C's, and no part of a net's expressions here"
    assert said.primary is not None
    assert (said.primary.span.start, said.primary.span.end) == span
    assert (said.help or "").startswith(help_)
