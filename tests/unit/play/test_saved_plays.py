"""Saved plays."""

from dataclasses import replace

import pytest

from tests.support.boards import picks, rows
from tests.support.models import played, words
from zermelo.languages.sections.ir import System
from zermelo.play.session import SavedPlay, read_saved, replay, saved_play, saved_text
from zermelo.text.errors import UsageError


def saved(system: System, *moves: str) -> SavedPlay:
    return saved_play(played(system, *moves))


def test_a_play_is_saved_as_text() -> None:
    assert saved_text(saved(rows(), "1 1", "2 2")) == (
        "zermelo play\n"
        "document: rows\n"
        "fingerprint: 0123abcd\n"
        "reading: order = in order\n"
        "moves:\n"
        "(1, 1)\n"
        "(2, 2)\n"
    )


def test_what_was_saved_is_read_back() -> None:
    play = saved(picks(), "blue", "-2", "pass")

    assert read_saved(saved_text(play)) == play


def test_a_play_goes_on_where_it_was_saved() -> None:
    play = saved(rows(), "1 1", "2 2")

    replayed = replay(play, words(rows()))

    assert replayed.warnings == ()
    assert saved_play(replayed.session) == play


def test_comments_and_blank_lines_are_skipped() -> None:
    text = "zermelo play\n# mine\ndocument: rows\n\nmoves:\n# first\n1 1\n"

    assert read_saved(text).moves == ("1 1",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "this is no saved play: its first line is not `zermelo play`"),
        ("# A game\n", "this is no saved play: its first line is not `zermelo play`"),
        ("zermelo play\n(1, 1)\n", "this saved play is cut short: it has no line `moves:`"),
    ],
)
def test_a_text_that_is_no_saved_play_is_named(text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_saved(text)

    assert str(caught.value) == said


def test_a_changed_document_is_noticed() -> None:
    play = saved(rows(), "1 1")

    replayed = replay(play, words(replace(rows(), fingerprint="another")))

    assert replayed.warnings == ("`rows` has changed since this play was saved",)
    assert len(replayed.session.turns) == 1


def test_another_document_is_noticed_and_the_play_stops_where_it_must() -> None:
    play = saved(picks(), "blue")

    replayed = replay(play, words(rows()))

    assert replayed.stopped_at == 1
    assert replayed.warnings[0] == "this play was saved from `picks`, and this is `rows`"
    assert replayed.warnings[1].startswith(
        "stopped at move 1 of 1, after 0 moves: `Pick(blue)` is no move here"
    )


def test_a_move_that_is_refused_now_stops_the_play_there() -> None:
    play = replace(saved(rows(), "1 1", "2 2"), moves=("(1, 1)", "(1, 1)", "(3, 3)"))

    replayed = replay(play, words(rows()))

    assert replayed.stopped_at == 2
    assert replayed.warnings == (
        "stopped at move 2 of 3, after 1 move: (1, 1) has no effect here, so it is refused",
    )


def test_another_reading_is_noticed() -> None:
    play = replace(saved(rows()), readings=(("order", "at once"),))

    assert replay(play, words(rows())).warnings == (
        "it was saved with the reading `order = at once`, and now it is `in order`",
    )
