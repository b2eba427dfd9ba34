"""A document with very many faults is answered with those that matter most."""

import json
from pathlib import Path

import pytest

from tests.support.command import zermelo as run
from zermelo.faces.cli.screen import MOST_SHOWN
from zermelo.text import codes
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.render import json_text, most_severe
from zermelo.text.source import Span

MANY = 1_000
NET = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">\n'
    '<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">\n'
    + "".join(f'<arc id="a{at}" source="u{at}" target="v{at}"/>\n' for at in range(MANY))
    + "</page></net></pnml>\n"
)
HOW = "shows all."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A net with very many faults."""
    made = tmp_path / "many.pnml"
    made.write_text(NET, "utf-8")
    return made


def _shown(text: str) -> int:
    return text.count("error[Z272]")


def test_a_person_is_shown_the_first_and_told_of_the_others(path: Path) -> None:
    ran = run("check", str(path))

    assert _shown(ran.out) == MOST_SHOWN
    said = " ".join(ran.out.split())
    assert f"there are {MANY - MOST_SHOWN} errors more, and `--all` {HOW}" in said
    assert ran.out.endswith("many.pnml: 1,000 errors.\n")


def test_who_asks_for_all_is_shown_all(path: Path) -> None:
    ran = run("check", str(path), "--all")

    assert _shown(ran.out) == MANY
    assert HOW not in ran.out


def test_programs_get_all_of_them(path: Path) -> None:
    assert len(json.loads(run("check", str(path), "--json").out)["diagnostics"]) == MANY
    assert len(run("check", str(path), "--one-line").out.splitlines()) == MANY


@pytest.mark.parametrize("command", ["explore", "play", "format", "graph"])
def test_other_commands_say_which_command_shows_them(path: Path, command: str) -> None:
    ran = run(command, str(path))

    assert _shown(ran.err) == MOST_SHOWN
    assert f"`zermelo check {path} --all` {HOW}" in " ".join(ran.err.split())


def test_errors_come_before_warnings_and_these_before_notes() -> None:
    notes = [_at(Severity.NOTE, place) for place in range(3)]
    warnings = [_at(Severity.WARNING, place) for place in range(1)]
    errors = [_at(Severity.ERROR, place) for place in (7, 3)]

    shown = most_severe([*notes, *warnings, *errors], 4)

    assert shown == [errors[1], errors[0], *warnings, notes[0]]


def _at(severity: Severity, place: int) -> Diagnostic:
    label = Label(Span(place, place + 1))
    return Diagnostic(codes.UNKNOWN_NAME, f"at {place}", label, severity=severity)


def test_json_stands_in_one_line_where_it_fits() -> None:
    row = ["x" * 42, "y" * 46]
    assert len(json.dumps(row)) == 96
    assert json_text(row) == json.dumps(row)
    assert json_text([*row, 1]).splitlines() == [
        "[",
        f'  "{row[0]}",',
        f'  "{row[1]}",',
        "  1",
        "]",
    ]
    # Two blanks before it are too many.
    assert json_text({"a": [row]}).count("\n") == 7
    assert json_text([[], {}, [[1, {"a": None}]]]) == '[[], {}, [[1, {"a": null}]]]'
