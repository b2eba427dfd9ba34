"""What looks wrong in a net that can be used."""

import pytest

from tests.support.prod import BUFFER, PHILOSOPHERS, codes_of

LOOP = "#trans loop\nin { p: <..>; }\nout { p: <..>; }\n#endtr\n"


@pytest.mark.parametrize("text", [BUFFER, PHILOSOPHERS])
def test_a_sound_net_gets_no_remark(text: str) -> None:
    assert codes_of(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"#place p mk(<..>)\n#place q\n{LOOP}", ["Z760"]),
        (f"#place p mk(<..>)\n{LOOP}#trans t\n#endtr\n", ["Z761"]),
        (f"#place p\n{LOOP}", ["Z762"]),
        (f"#place p mk(<..>)\n{LOOP}#trans t\nin {{ p: <..>; }}\ngate 1 > 2;\n#endtr", ["Z763"]),
        # u would be enabled by t, which never is.
        (
            "#place p\n#place q\n#place r mk(<..>)\n#trans t\nin { p: <..>; }\nout { q: <..>; }\n"
            "#endtr\n#trans u\nin { q: <..>; r: <..>; }\n#endtr",
            ["Z762", "Z762"],
        ),
        # Nothing is taken where the multiplicity is 0, or may be.
        ("#place p\n#place q mk(<.0.>)\n#trans t\nin { p: (k)<..>; q: <.k.>; }\n#endtr", []),
    ],
)
def test_what_never_happens_is_remarked(text: str, expected: list[str]) -> None:
    assert codes_of(text) == expected


@pytest.mark.parametrize(
    ("name", "is_near"),
    [("EMPY", True), ("empty", True), ("x", False), ("full", False), ("EMPTY", False)],
)
def test_a_variable_nearly_called_like_a_constant_is_remarked(name: str, *, is_near: bool) -> None:
    text = f"#define EMPTY 0\n#place p mk(<.0.>)\n#trans t\nin {{ p: <.{name}.>; }}\n#endtr"

    assert codes_of(text) == (["Z764"] if is_near else [])
