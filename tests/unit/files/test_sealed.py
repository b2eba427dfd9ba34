"""A sealed content is given back only when every byte of its file is as it was written."""

import pytest

from zermelo.files.sealed import Format, NotUsable

NOTE = Format("note", 2, "write it again")
OWNER = {"document": "heap", "reading": "order = in order"}
DATA = NOTE.seal(OWNER, b"2\n1\n")


def test_what_was_sealed_is_given_back() -> None:
    assert NOTE.open(DATA, OWNER, "`n`") == b"2\n1\n"


@pytest.mark.parametrize("at", range(len(DATA)))
@pytest.mark.parametrize("change", [b"", b"x", b"\n", b"\xff0"])
def test_any_changed_byte_is_refused(at: int, change: bytes) -> None:
    change = change if DATA[at : at + 1] != change else b"y"
    damaged = DATA[:at] + change + DATA[at + 1 :]

    with pytest.raises(NotUsable, match=r"`n` .*; write it again"):
        NOTE.open(damaged, OWNER, "`n`")


@pytest.mark.parametrize("length", range(len(DATA)))
def test_a_part_is_refused(length: int) -> None:
    with pytest.raises(NotUsable):
        NOTE.open(DATA[:length], OWNER, "`n`")


def test_another_version_is_named() -> None:
    old = Format("note", 1, "").seal(OWNER, b"")

    with pytest.raises(NotUsable, match="has version 1 of its format, and this program reads 2"):
        NOTE.open(old, OWNER, "`n`")


def test_what_belongs_to_something_else_is_refused() -> None:
    with pytest.raises(
        NotUsable, match="`n` is of another reading, order = in order; write it again"
    ):
        NOTE.open(DATA, {**OWNER, "reading": "order = at once"}, "`n`")
