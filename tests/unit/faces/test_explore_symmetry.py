"""``zermelo explore --symmetry``: classes, the positions they stand for, and what is alike."""

from pathlib import Path

from tests.support.command import zermelo
from tests.support.project import TESTS

DOCUMENTS = TESTS / "documents"


def test_classes_positions_and_symmetries_are_in_the_json() -> None:
    ran = zermelo("explore", "tic-tac-toe", "--symmetry", "--json")

    assert ran.code == 0
    assert ran.json["classes"] == 765
    assert ran.json["positions"] == ran.json["states"] == 5_478
    assert ran.json["symmetries"] == 8
    assert ran.json["symmetry"] == "the board may be turned and mirrored"
    assert ran.json["endings"] == {"X wins": 626, "O wins": 316, "draw": 16}
    assert sum(ran.json["classes_by_depth"]) == 765
    assert "fired" not in ran.json


def test_plays_are_counted_by_classes_too() -> None:
    ran = zermelo("explore", "tic-tac-toe", "--symmetry", "--plays", "--json")

    assert ran.json["plays"] == 255_168


def test_it_is_said_in_words() -> None:
    ran = zermelo("explore", str(DOCUMENTS / "capture.md"), "--symmetry")

    assert "Symmetry: 1, 2, 3 and 4 may be permuted: 24." in ran.out
    assert "4 classes were looked at; they stand for 29 positions." in ran.out


def test_without_a_symmetry_every_state_is_a_class() -> None:
    ran = zermelo("explore", str(DOCUMENTS / "three-players.md"), "--symmetry", "--json")

    assert ran.json["symmetries"] == 1
    assert ran.json["classes"] == ran.json["positions"] == ran.json["states"]
    assert ran.json["symmetry"] == "there is no symmetry"


def test_without_being_asked_for_there_are_no_classes() -> None:
    ran = zermelo("explore", str(DOCUMENTS / "capture.md"), "--json")

    assert "classes" not in ran.json


def test_rules_are_not_counted_by_classes() -> None:
    ran = zermelo("explore", "tic-tac-toe", "--symmetry", "--rules")

    assert ran.code == 2
    assert "--rules looks into every move; leave out --symmetry" in ran.err


def test_an_exploration_by_classes_is_kept_and_not_mixed_with_another(tmp_path: Path) -> None:
    folder = str(tmp_path / "kept")
    first = zermelo(
        "explore", "tic-tac-toe", "--symmetry", "--depth", "3", "--checkpoint", folder, "--json"
    )

    again = zermelo("explore", "tic-tac-toe", "--symmetry", "--checkpoint", folder, "--json")
    other = zermelo("explore", "tic-tac-toe", "--checkpoint", folder, "--json")

    assert first.json["classes"] == 1 + 3 + 12 + 38
    assert (again.json["classes"], again.json["positions"]) == (765, 5_478)
    assert other.code == 2
    assert "is of another use of symmetries" in " ".join(other.err.split())
