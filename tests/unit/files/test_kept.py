"""Work kept in a folder: one description, and every file that it names is as it says."""

import json
from pathlib import Path

import pytest

from zermelo.files.kept import Kept, locked_folder
from zermelo.files.sealed import Format, NotUsable
from zermelo.files.writing import InUse
from zermelo.text.errors import UsageError

NOTES = Format("notes", 3, "write them again")
OWNER = {"document": "heap"}


def notes(folder: Path) -> Kept:
    return Kept(folder, "notes", NOTES, OWNER)


def kept(folder: Path, text: bytes = b"2 1") -> Kept:
    made = notes(folder)
    made.describe({"count": 2}, {"moves": made.write("moves", [text[:1], text[1:]])})
    return made


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_was_kept_is_given_back(tmp_path: Path) -> None:
    kept(tmp_path)

    found = notes(tmp_path).read()

    assert found is not None
    assert found.content == {"count": 2}
    assert b"".join(notes(tmp_path).chunks(found.files["moves"], 2)) == b"2 1"


def test_nothing_was_kept_in_an_empty_folder(tmp_path: Path) -> None:
    assert notes(tmp_path).read() is None


def test_what_is_kept_anew_has_new_names_and_the_old_files_go(tmp_path: Path) -> None:
    kept(tmp_path)
    assert names(tmp_path) == ["notes-moves-000001.data", "notes.sealed"]

    kept(tmp_path, b"3")

    assert names(tmp_path) == ["notes-moves-000002.data", "notes.sealed"]


def test_files_of_another_description_stay(tmp_path: Path) -> None:
    other = Kept(tmp_path, "others", NOTES, OWNER)
    other.describe({}, {"a": other.write("a", [b"a"])})

    kept(tmp_path)

    assert other.read() is not None


def test_a_file_that_is_not_described_is_not_believed(tmp_path: Path) -> None:
    made = kept(tmp_path)

    made.write("moves", [b"9 9 9"])

    found = notes(tmp_path).read()
    assert found is not None
    assert found.files["moves"].size == 3


@pytest.mark.parametrize(
    "text", ["[]", "{}", '{"content": 7, "files": {}}', '{"content": {}, "files": {"a": [1]}}']
)
def test_a_description_that_nobody_writes_is_refused(tmp_path: Path, text: str) -> None:
    json.loads(text)
    (tmp_path / "notes.sealed").write_bytes(NOTES.seal(OWNER, text.encode()))

    with pytest.raises(NotUsable, match="none that this program writes; write them again"):
        notes(tmp_path).read()


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")

    with pytest.raises(UsageError, match="cannot be used: "):
        locked_folder(tmp_path / "file", "it").__enter__()


def test_a_folder_is_for_one_at_a_time(tmp_path: Path) -> None:
    one = tmp_path / "one"
    with locked_folder(one, "the notes"), pytest.raises(InUse, match="works on the notes"):
        locked_folder(one, "the notes").__enter__()
    with locked_folder(one, "the notes"):
        assert names(one) == ["lock"]


def test_a_description_that_is_longer_than_any_is_refused(tmp_path: Path) -> None:
    made = kept(tmp_path)
    with (tmp_path / "notes.sealed").open("ab") as file:
        file.truncate(3_000_000_000)

    with pytest.raises(NotUsable, match="its description has more than 16,000,000 bytes; write"):
        made.read()
