"""Locals of C that are read before they have a value."""

import pytest

from tests.support.prod import said

NET = "#place p mk(<.1.>)\n#trans t\nin { p: <.x.>; }\nout { p: <.f(x).>; }\n#endtr\n"


def unset(body: str) -> list[str]:
    """The locals that a function with this *body* reads too early."""
    found = [each for each in said(f"int f(int a) {{ {body} }}\n{NET}") if each.code.id == "Z765"]
    assert all(each.message.endswith("is read before it is given a value") for each in found)
    return [each.message.split("`")[1] for each in found]


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("int s; return s;", ["s"]),
        ("int s; return a && s;", ["s"]),
        ("int s, t; s = t; return s;", ["t"]),
        ("int s; s += 1; return s;", ["s"]),
        ("int s; s++; return s;", ["s"]),
        ("int s, i; for (i = 0; i < a; i++) s += i; return s;", ["s"]),
        ("int s; while (s < a) s++; return a;", ["s"]),
        ("int s; if (a) return s; s = 1; return s;", ["s"]),
        ("int s; if (a) { int t = s; return t; } return 0;", ["s"]),
        ("int s; { int s = 1; a = s; } return s;", ["s"]),
        ("int t[2] = {1, 2}, s; return t[s];", ["s"]),
        ("int s; switch (s) { case 1: return 1; } return 0;", ["s"]),
        ("int s, t; if (a) t = 1; else a = 2; return s;", ["s"]),
    ],
)
def test_what_is_read_too_early_on_every_way_is_found(body: str, names: list[str]) -> None:
    assert unset(body) == names


@pytest.mark.parametrize(
    "body",
    [
        "int s = 1; return s;",
        "int s; s = a; return s;",
        "int s; if (a) s = 1; return s;",
        "int s; if (a) s = 1; else return 0; return s;",
        "int s; if (a) s = 1; else s = 2; return s;",
        "int s, i; for (i = 0; i < a; i++) s = i; return s;",
        "int s; do { s = a; } while (s < 0); return s;",
        "int s; do { if (a) continue; s = 1; } while (s); return s;",
        "int s; switch (a) { case 1: s = 1; break; case 2: s = 2; } return s;",
        "int s; switch (a) { case 1: s = 1; case 2: return s; } return 0;",
        "int s; { s = 1; int s = 2; a = s; } return s;",
        "int s[2]; return s[0];",
        "int i; for (int i = 0; i < a; i++) a = i; i = 1; return i;",
    ],
)
def test_what_may_have_a_value_is_not_remarked(body: str) -> None:
    assert unset(body) == []


def test_a_function_that_is_not_used_is_not_looked_at() -> None:
    c = "int g(int a) { int s; return s; }\nint f(int a) { return a; }\n"

    assert said(c + NET) == ()
