"""``zermelo compare``: what it prints, how it ends, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import zermelo
from tests.support.small_documents import heap_text

HEAP = heap_text(5)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("heap.md").write_text(HEAP, encoding="utf-8")
    Path("copy.md").write_text(HEAP.replace("first wins", "First wins"), encoding="utf-8")
    Path("strict.md").write_text(HEAP.replace("n ≤ heap →", "n < heap →"), encoding="utf-8")
    Path("other.md").write_text(HEAP.replace("Take(", "Pick("), encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_two_documents_of_one_game_are_equal() -> None:
    ran = zermelo("compare", "heap.md", "heap.md")

    assert ran.code == 0
    assert " ".join(ran.out.split()) == (
        "heap and the other heap are the same on moves and outcomes: 10 positions, "
        "and no play tells them apart."
    )


@pytest.mark.usefixtures("folder")
def test_a_difference_is_shown_with_its_play_and_counted() -> None:
    ran = zermelo("compare", "heap.md", "strict.md")

    assert ran.code == 1
    assert (
        ran.out
        == """\
heap and strict differ, first after 2 moves:
    1, 2
  heap: Take(2) is legal
  strict: Take(2) is not legal

  4 of 8 positions that both reach by one play differ:
    positions  heap              strict             moves
            2  Take is legal     Take is not legal      2
            2  the play goes on  stuck                  2

What the second says otherwise
  - Rule 1 of `Take` asked for `n ≤ heap` and asks for `n < heap` instead.
"""
    )


@pytest.mark.usefixtures("folder")
def test_json_has_all_of_it() -> None:
    ran = zermelo("compare", "heap.md", "strict.md", "--json")

    assert ran.code == 1
    assert ran.json["equal"] is False
    # By hand: with 2 left the last two may be taken in one of them only, with 1 left nobody can
    # move in the other; either player may be in turn.
    assert (ran.json["positions"], ran.json["differing"]) == (8, 4)
    assert ran.json["differences"] == [
        {
            "kind": "move",
            "first": "Take(2) is legal",
            "second": "Take(2) is not legal",
            "positions": 2,
            "play": ["Take(1)", "Take(2)"],
            "other_play": ["Take(1)", "Take(2)"],
            "move": "Take(2)",
        },
        {
            "kind": "outcome",
            "first": "the play goes on",
            "second": "stuck",
            "positions": 2,
            "play": ["Take(2)", "Take(2)"],
            "other_play": ["Take(2)", "Take(2)"],
            "move": None,
        },
    ]
    assert ran.json["changes"] == [
        "rule 1 of `Take` asked for `n ≤ heap` and asks for `n < heap` instead"
    ]


@pytest.mark.usefixtures("folder")
def test_two_readings_of_one_document_are_compared() -> None:
    ran = zermelo("compare", "tic-tac-toe", "--reading-b", "order=facts frozen", "--first")

    assert ran.code == 1
    assert ran.out.splitlines()[:2] == [
        "tic-tac-toe with order: in order and tic-tac-toe with order: facts frozen",
        "  differ, first after 1 move:",
    ]


@pytest.mark.usefixtures("folder")
def test_one_document_read_in_one_way_is_nothing_to_compare() -> None:
    ran = zermelo("compare", "heap.md")

    assert ran.code == 2
    assert "name two documents, or two readings of one" in ran.err


@pytest.mark.usefixtures("folder")
def test_other_names_of_moves_are_told_and_a_mapping_aligns_them() -> None:
    ran = zermelo("compare", "heap.md", "other.md")
    assert ran.code == 1
    assert "No first move of the two has the same name and arguments" in ran.out
    Path("names.toml").write_text('[second.moves]\nPick = "Take"\n', encoding="utf-8")

    assert zermelo("compare", "heap.md", "other.md", "--mapping", "names.toml").code == 0


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "names.toml could not be read: no such file or directory"),
        ("[second", "names.toml is no TOML: it is not understood at end of document"),
        ('[second.moves]\nPack = "Take"\n', "other has no move `Pack`; did you mean `Pick`?"),
    ],
)
def test_a_mapping_that_cannot_be_used_ends_with_a_sentence(text: str | None, said: str) -> None:
    if text is not None:
        Path("names.toml").write_text(text, encoding="utf-8")

    ran = zermelo("compare", "heap.md", "other.md", "--mapping", "names.toml")

    assert ran.code == 2
    assert said in " ".join(ran.err.split())


@pytest.mark.usefixtures("folder")
def test_what_was_not_decided_says_so() -> None:
    ran = zermelo("compare", "heap.md", "heap.md", "--states", "3")

    assert ran.code == 1
    assert " ".join(ran.out.split()) == (
        "Undecided whether heap and the other heap are the same: stopped at 3 positions. "
        "No difference was found in 3 positions."
    )
