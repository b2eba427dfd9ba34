"""Saved plays: believed when every line is as it was saved, of this document, read in this way."""

from dataclasses import replace

import pytest

from tests.support.boards import picks, rows
from tests.support.models import played, words
from zermelo.languages.sections.ir import System
from zermelo.play.session import (
    SavedPlay,
    read_saved,
    replay,
    saved_play,
    saved_text,
    why_not_here,
)
from zermelo.text.errors import UsageError

EDITED = (
    "; to play its moves, keep only the lines after `moves:` and give that file to `zermelo play "
    "--moves`"
)
CHANGED = f"this saved play was changed after it was saved{EDITED}"


def saved(system: System, *moves: str) -> SavedPlay:
    return saved_play(played(system, *moves))


def refused(text: str) -> str:
    with pytest.raises(UsageError) as caught:
        read_saved(text)
    return str(caught.value)


def test_a_play_is_saved_as_text() -> None:
    assert saved_text(saved(rows(), "1 1", "2 2")) == (
        "zermelo play 2\n"
        "document: rows\n"
        "fingerprint: 0123abcd\n"
        "reading: order = in order\n"
        "moves:\n"
        "(1, 1)\n"
        "(2, 2)\n"
        "checksum: 15607be5799169fa6ba87a4f798186f92356aeae8d77e6f9bea6b8268cc52548\n"
    )


def test_what_was_saved_is_read_back() -> None:
    play = saved(picks(), "blue", "-2", "pass")

    assert read_saved(saved_text(play)) == play


def test_the_line_ends_of_another_system_change_nothing() -> None:
    play = saved(rows(), "1 1", "2 2")
    text = saved_text(play)

    for same in (text.replace("\n", "\r\n"), text.rstrip(), f"\ufeff{text}\n"):
        assert read_saved(same) == play


def test_a_play_goes_on_where_it_was_saved() -> None:
    play = saved(rows(), "1 1", "2 2")

    replayed = replay(play, words(rows()))

    assert why_not_here(play, words(rows()).machine) is None
    assert replayed.warnings == ()
    assert saved_play(replayed.session) == play


def test_no_sign_can_be_changed_and_none_left_out_unnoticed() -> None:
    text = saved_text(saved(rows(), "1 1", "2 2"))

    for at in range(len(text) - 1):
        for sign in ("", "x", "9", "\n", "é"):
            if text[at] != sign:
                assert refused(text[:at] + sign + text[at + 1 :])


def test_lines_that_are_added_left_out_or_exchanged_are_noticed() -> None:
    lines = saved_text(saved(rows(), "1 1", "2 2")).splitlines(keepends=True)

    assert refused("".join([*lines[:6], "(3, 3)\n", *lines[6:]])) == CHANGED
    assert refused("".join([*lines[:5], *lines[6:]])) == CHANGED
    assert refused("".join([*lines[:5], lines[6], lines[5], lines[7]])) == CHANGED
    assert refused("".join([*lines[:6], "# mine\n", *lines[6:]])) == CHANGED


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "this is no saved play: its first line is not `zermelo play 2`"),
        ("# A game\n", "this is no saved play: its first line is not `zermelo play 2`"),
        ("zermelo plays\n", "this is no saved play: its first line is not `zermelo play 2`"),
        (
            "zermelo play\ndocument: rows\nmoves:\n(1, 1)\n",
            "this saved play has version 1 of its format, and this program reads 2" + EDITED,
        ),
        (
            "zermelo play 3\nmoves:\n",
            "this saved play has version 3 of its format, and this program reads 2" + EDITED,
        ),
        (
            "zermelo play 2\nmoves:\n(1, 1)\n",
            "this saved play is cut short: its last line is no checksum" + EDITED,
        ),
    ],
)
def test_a_text_that_is_no_saved_play_is_named(text: str, said: str) -> None:
    assert refused(text) == said


def test_every_beginning_of_a_play_is_refused() -> None:
    text = saved_text(saved(rows(), "1 1"))

    for length in range(len(text) - 1):
        assert refused(text[:length])


def test_a_changed_document_is_noticed() -> None:
    play = saved(rows(), "1 1")
    changed = words(replace(rows(), fingerprint="another"))

    assert why_not_here(play, changed.machine) == "`rows` has changed since this play was saved"
    assert len(replay(play, changed).session.turns) == 1


def test_another_document_is_noticed_and_the_play_stops_where_it_must() -> None:
    play = saved(picks(), "blue")

    replayed = replay(play, words(rows()))

    assert why_not_here(play, words(rows()).machine) == (
        "this play was saved from `picks`, and this is `rows`"
    )
    assert replayed.stopped_at == 1
    assert replayed.warnings[0].startswith(
        "stopped at move 1 of 1, after 0 moves: `Pick(blue)` is no move here"
    )


def test_a_move_that_is_refused_now_stops_the_play_there() -> None:
    play = replace(saved(rows(), "1 1", "2 2"), moves=("(1, 1)", "(1, 1)", "(3, 3)"))

    replayed = replay(play, words(rows()))

    assert replayed.stopped_at == 2
    assert replayed.warnings == (
        "stopped at move 2 of 3, after 1 move: (1, 1) has no effect here, so it is refused",
    )


def test_another_reading_is_noticed_with_the_option_that_gives_it() -> None:
    play = replace(saved(rows()), readings=(("order", "at once"),))

    assert why_not_here(play, words(rows()).machine) == (
        "this play was saved with the reading `order = at once`; begin with "
        "--reading 'order=at once' for the same"
    )


def test_other_open_readings_are_noticed() -> None:
    play = replace(saved(rows()), readings=())

    assert why_not_here(play, words(rows()).machine) == (
        "this play was saved when other readings were open, as with or without errata"
    )
