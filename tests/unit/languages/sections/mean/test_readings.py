"""The table of readings, and choices from documents and callers."""

import pytest

from tests.support.project import DOCS
from zermelo.core.signature import WrongReading
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.readings import Choice
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.lines import Setting
from zermelo.text.source import Span


def said(diagnostics: tuple[Diagnostic, ...]) -> list[str]:
    return [diagnostic.code.id for diagnostic in diagnostics]


def test_a_document_chooses_by_the_canonical_name() -> None:
    checked = readings.from_settings([Setting("Order of  EndGame", "At-once")])

    assert checked.value == {"order of EndGame": Choice("at once", "document")}


def test_a_choice_keeps_its_reason_and_place() -> None:
    setting = Setting("flag ok", "fresh", "set and reset", value_span=Span(8, 13))

    checked = readings.from_settings([setting])

    assert checked.value == {"flag ok": Choice("fresh", "document", Span(8, 13), "set and reset")}


def test_an_unknown_reading_is_told_with_the_nearest_name() -> None:
    checked = readings.from_settings([Setting("ordre", "at once", key_span=Span(0, 5))])

    assert said(checked.diagnostics) == ["Z530"]
    assert checked.diagnostics[0].help == "write `order`"
    assert checked.value == {}


def test_an_unknown_choice_is_told_with_all_choices() -> None:
    checked = readings.from_settings([Setting("stuck player", "cries")])

    assert said(checked.diagnostics) == ["Z531"]
    assert checked.diagnostics[0].notes == (
        "the choices are `reported`, `loses`, `wins`, `draws`, `passes`",
    )


def test_a_reading_chosen_twice_is_told_and_the_last_choice_counts() -> None:
    settings = [Setting("end", "when over"), Setting("end", "when a result is known")]

    checked = readings.from_settings(settings)

    assert said(checked.diagnostics) == ["Z532"]
    assert checked.value is not None
    assert checked.value["end"].text == "when a result is known"


def test_an_undeclared_name_is_another_or_its_own_variable() -> None:
    good = readings.FromCaller({"undeclared turn": "is bTurn"}, "a.md")
    own = readings.FromCaller({"undeclared turn": "own variable"}, "a.md")
    bad = readings.FromCaller({"undeclared turn": "forgotten"}, "a.md")

    assert good.choices == {"undeclared turn": Choice("is bTurn", "caller")}
    assert own.choices == {"undeclared turn": Choice("own variable", "caller")}
    with pytest.raises(WrongReading, match="`forgotten` is no choice of the reading `undeclared"):
        bad.compare(None)


def test_answers_of_any_form_are_taken_as_they_stand() -> None:
    given = {"players": "A when turn, B when ¬turn", "Occ starts at": "∅"}

    assert readings.FromCaller(given, "a.md").choices == {
        "players": Choice("A when turn, B when ¬turn", "caller"),
        "Occ starts at": Choice("∅", "caller"),
    }


def test_a_caller_comes_before_the_document_and_the_document_before_play() -> None:
    merged = readings.merged(
        {"order": Choice("at once", "caller")},
        {"order": Choice("in order", "document"), "end": Choice("when over", "document")},
        {"end": Choice("when a result is known", "play"), "flag ok": Choice("fresh", "play")},
    )

    assert {name: choice.decided_by for name, choice in merged.items()} == {
        "order": "caller",
        "end": "document",
        "flag ok": "play",
    }


def test_without_a_choice_a_reading_has_its_default_and_the_table_s_reason() -> None:
    reading = readings.decide("stuck player", ("reported", "loses"), given={})

    assert (reading.choice, reading.decided_by) == ("reported", "default")
    assert reading.reason == "the document gives no result to a player who has no move"


def test_a_choice_that_this_document_does_not_have_is_not_taken() -> None:
    given = {"order": Choice("at once", "document")}

    reading = readings.decide("order", ("in order", "facts frozen"), given=given)

    assert (reading.choice, reading.decided_by) == ("in order", "default")


def test_an_answer_of_any_form_joins_the_choices() -> None:
    given = {"Occ starts at": Choice("P", "caller")}

    reading = readings.decide("Occ starts at", ("∅",), given=given)

    assert (reading.choice, reading.choices) == ("P", ("∅", "P"))


def test_a_reading_about_a_name_that_does_not_exist_is_told() -> None:
    given = {
        "flag okk": Choice("fresh", "document", Span(1, 2)),
        "order": Choice("at once", "play"),
    }

    found = readings.unknown_subjects(given, variables=["ok"], procedures=["Move"])

    assert said(found) == ["Z533"]
    assert found[0].help == "write `flag ok: fresh`"


def test_every_kind_has_a_reason_and_an_answer() -> None:
    assert all(kind.reason and (kind.choices or kind.form) for kind in readings.KINDS)


def test_names_of_readings_are_told_apart() -> None:
    names = [
        "order",
        "order of Move",
        "role of Tidy",
        "flag ok",
        "undeclared turn",
        "Occ starts at",
    ]
    names += ["values of moves", "result A wins", "players", "value outside"]

    kinds = [kind.name for name in names if (kind := readings.kind_of(name))]

    assert kinds == [
        "order",
        "order of NAME",
        "role of NAME",
        "flag NAME",
        "undeclared NAME",
        "NAME starts at",
        "values of NAME",
        "result NAME",
        "players",
        "value outside",
    ]
    assert readings.subject_of("result A wins") == "A wins"
    assert codes.UNKNOWN_READING.id == "Z530"


@pytest.mark.parametrize("kind", readings.KINDS, ids=lambda kind: kind.name)
def test_every_reading_and_choice_is_in_the_reference(kind: readings.ReadingKind) -> None:
    page = (DOCS / "reference" / "language" / "readings.md").read_text(encoding="utf-8")

    assert kind.name.split(" NAME")[0].split(" WORD")[0] in page
    assert [each for each in kind.choices if f"`{each}`" not in page] == []
