"""What playing the token game shows about nets."""

from pathlib import Path

from zermelo.api import loading, questions

UNBOUNDED = "#place p\n#trans make\nout { p: <..>; }\n#endtr\n"


def _said(text: str) -> dict[str, str]:
    report = questions.check(loading.load_text(text, name="some.net"))
    return {each.code.id: each.message for each in report.diagnostics}


def test_a_fault_is_not_also_a_transition_that_never_fires() -> None:
    said = _said(
        "#place p mk(<.0.>)\n#trans share\nin { p: <.x.>; } out { p: <.1 / x.>; }\n#endtr\n"
    )

    assert set(said) == {"Z651"}


def test_an_unbounded_net_is_told_with_what_can_be_repeated() -> None:
    report = questions.check(loading.load_text(UNBOUNDED, name="some.net"))

    (found,) = report.diagnostics
    assert found.code.id == "Z652"
    assert found.notes[0] == "repeat make"


def test_the_only_marking_is_not_called_several() -> None:
    said = _said(
        "#place p lo(<.1.>) hi(<.9.>) mk(<.1.>)\n#place q lo(<.1.>) hi(<.9.>)\n"
        "#trans t\nin { p: <.x.>; } out { q: <.x.>; }\ngate x > 5;\n#endtr\n"
    )

    assert said["Z653"] == "`t` never fires in the only reachable marking"
    assert said["Z654"] == "`q` is empty in the only reachable marking"


def test_what_the_form_shows_is_not_said_twice() -> None:
    said = _said(
        "#place p mk(<..>)\n#place never\n"
        "#trans go\nin { p: <..>; } out { p: <..>; }\n#endtr\n"
        "#trans no\nin { never: <..>; } out { p: <..>; }\n#endtr\n"
    )

    assert "Z762" in said
    assert "Z653" not in said


def test_a_fault_in_an_included_file_stands_where_it_is_included(tmp_path: Path) -> None:
    (tmp_path / "part.inc").write_text(
        "#trans up\nin { p: <.x.>; }  out { p: <.x + 1.>; }\n#endtr\n", encoding="utf-8"
    )
    net = tmp_path / "whole.net"
    net.write_text(
        '#place p lo(<.1.>) hi(<.2.>) mk(<.1.>)\n#include "part.inc"\n', encoding="utf-8"
    )

    report = questions.check(loading.load(net))

    (found,) = (each for each in report.diagnostics if each.code.id == "Z650")
    assert found.primary is not None
    place = found.primary.span
    assert report.game.source.text[place.start : place.end] == '"part.inc"'


def test_stuck_markings_are_nothing_to_warn_about() -> None:
    assert not _said(
        "#place p mk(<..>)\n#place q\n#trans t\nin { p: <..>; } out { q: <..>; }\n#endtr\n"
    )


def test_what_has_no_end_gets_other_help_than_what_has_no_value() -> None:
    net = "#place p mk(<.1.>)\n#trans t\n{}in {{ p: <.x.>; }} out {{ p: <.{}.>; }}\n#endtr\n"
    helps = []
    for text in (
        "int f(int x) { return f(x + 1); }\n" + net.format("", "f(x)"),
        net.format("let <.a, b.> <= <.1..1000, 0..1000.>;\n", "x"),
        net.format("", "1 / (x - 1)"),
    ):
        report = questions.check(loading.load_text(text, name="some.net"))
        [said] = [each for each in report.diagnostics if each.code.id == "Z651"]
        helps.append(said.help)

    assert helps == [
        "give loops and recursions an end, or the transition fewer values to try",
        "write shorter intervals, or a variable that an input gives its value",
        "let a `gate` say first when it has a value",
    ]
