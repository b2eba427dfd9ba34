"""Documents and plays that are kept, and how a file of an earlier version is brought up."""

import sqlite3
from pathlib import Path

import pytest

from zermelo.faces.web.page import store as stores
from zermelo.faces.web.page.store import FILE, VERSION, Store
from zermelo.text.errors import UsageError


def test_a_document_that_was_added_is_there_for_the_next_run(tmp_path: Path) -> None:
    first = Store(tmp_path / "kept")
    name = first.add("a.md", "Applicable Sets\n")
    first.keep_play(name, "{}", "tree")
    first.close()

    second = Store(tmp_path / "kept")
    found = second.find(name)

    assert found is not None
    assert (found.name, found.text) == ("a.md", "Applicable Sets\n")
    assert (second.play(name, "{}"), second.play(name, '{"order": "at once"}')) == ("tree", None)
    assert second.recent() == [(name, "a.md")]
    assert (tmp_path / "kept" / FILE).stat().st_mode & 0o077 == 0


def test_the_same_text_is_the_same_document() -> None:
    store = Store(None)

    assert store.add("a.md", "x") == store.add("a.md", "x")
    assert store.add("a.md", "x") != store.add("b.md", "x")
    assert len(store.recent()) == 2


def test_a_change_takes_the_place_of_what_was_changed_with_its_play() -> None:
    store = Store(None)
    first = store.add("a.md", "x")
    store.keep_play(first, "{}", "tree")

    second = store.add("a.md", "y", replaces=first)

    assert store.find(first) is None
    assert store.play(second, "{}") == "tree"


def test_the_oldest_documents_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "MOST_DOCUMENTS", 2)
    store = Store(None)

    names = [store.add("a.md", text) for text in "xyz"]

    assert [store.find(name) is None for name in names] == [True, False, False]


def test_the_oldest_plays_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "MOST_PLAYS", 2)
    store = Store(None)

    for readings in "xyz":
        store.keep_play("pegs", readings, "tree")

    assert [store.play("pegs", readings) for readings in "xyz"] == [None, "tree", "tree"]


def test_a_play_of_the_library_stays_with_its_game() -> None:
    store = Store(None)
    store.keep_play("pegs", "{}", "tree")

    store.add("a.md", "x", replaces="pegs")

    assert store.play("pegs", "{}") == "tree"


def test_a_disk_that_fails_is_told_in_a_sentence(tmp_path: Path) -> None:
    store = Store(tmp_path)
    other = sqlite3.connect(tmp_path / FILE)
    other.execute("DROP TABLE documents")
    other.execute("DROP TABLE plays")
    other.close()

    for use in (store.recent, lambda: store.add("a.md", "x"), lambda: store.play("pegs", "{}")):
        with pytest.raises(UsageError, match="what is kept cannot be read or written: no such"):
            use()
    store.close()


def test_the_library_and_named_files_are_where_they_are(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_text("one", encoding="utf-8")
    store = Store(None, [path])
    (name,) = store.files

    path.write_text("two", encoding="utf-8")

    library, named = store.find("pegs"), store.find(name)
    assert library is not None
    assert library.path is not None
    assert named is not None
    assert named.text == "two"
    assert store.find("../pegs") is None
    path.unlink()
    with pytest.raises(UsageError, match=r"mine\.md cannot be read"):
        store.find(name)


def digest(store: Store, name: str) -> str:
    """The digest of a file as the page is told it."""
    return str(store.in_file(name)["digest"])


def test_only_a_named_file_is_written(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_text("one", encoding="utf-8")
    store = Store(None, [path])
    (name,) = store.files

    store.save(name, "two ∈ three", was=digest(store, name))

    assert path.read_text(encoding="utf-8") == "two ∈ three"
    for other in ("pegs", store.add("a.md", "x"), str(path)):
        with pytest.raises(UsageError, match="only a file that was named"):
            store.save(other, "three", was="two")


def test_what_was_written_into_a_file_meanwhile_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_text("one", encoding="utf-8")
    store = Store(None, [path])
    (name,) = store.files
    first = digest(store, name)
    second = store.save(name, "two", was=first)
    assert second == digest(store, name) != first

    with pytest.raises(UsageError, match=r"mine\.md is not saved: something else was written"):
        store.save(name, "three", was=first)

    assert path.read_text(encoding="utf-8") == "two"
    path.unlink()
    with pytest.raises(UsageError, match=r"mine\.md cannot be read: No such file"):
        store.save(name, "three", was=second)


@pytest.mark.parametrize(
    ("before", "after", "returns"),
    [
        (b"one\r\ntwo\r\n", b"one\r\nthree\r\n", True),
        (b"\xef\xbb\xbfone\ntwo\n", b"\xef\xbb\xbfone\nthree\n", False),
        (b"one", b"one\nthree\n", False),
    ],
)
def test_a_file_keeps_the_ends_of_its_lines_and_the_mark_at_its_beginning(
    tmp_path: Path, before: bytes, after: bytes, *, returns: bool
) -> None:
    path = tmp_path / "mine.md"
    path.write_bytes(before)
    store = Store(None, [path])
    (name,) = store.files
    assert store.in_file(name)["returns"] == returns

    store.save(name, "one\nthree\n", was=digest(store, name))

    assert path.read_bytes() == after


def test_a_new_file_has_the_tables_of_this_version(tmp_path: Path) -> None:
    Store(tmp_path).close()

    base = sqlite3.connect(tmp_path / FILE)
    assert base.execute("PRAGMA user_version").fetchone() == (VERSION,) == (2,)
    tables = base.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    assert [name for (name,) in tables] == ["documents", "plays"]
    base.close()


def test_a_file_is_brought_from_each_version_to_the_next(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first = Store(tmp_path)
    name = first.add("a.md", "x")
    first.close()
    added = "ALTER TABLE documents ADD COLUMN note TEXT NOT NULL DEFAULT '';"
    monkeypatch.setattr(stores, "VERSION", VERSION + 1)
    monkeypatch.setattr(stores, "_MIGRATIONS", (*stores._MIGRATIONS, added))  # noqa: SLF001

    second = Store(tmp_path)

    found = second.find(name)
    assert found is not None
    assert found.text == "x"
    second.close()
    base = sqlite3.connect(tmp_path / FILE)
    assert base.execute("PRAGMA user_version").fetchone() == (VERSION + 1,)
    base.close()


@pytest.mark.parametrize("data", [b"no database at all, but a long text" * 40])
def test_a_file_that_is_none_of_ours_is_left_alone(tmp_path: Path, data: bytes) -> None:
    (tmp_path / FILE).write_bytes(data)

    with pytest.raises(UsageError, match="cannot be used"):
        Store(tmp_path)

    assert (tmp_path / FILE).read_bytes() == data


def test_a_file_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    base = sqlite3.connect(tmp_path / FILE)
    base.execute("PRAGMA user_version = 9")
    base.close()

    with pytest.raises(UsageError, match="a newer program has written it"):
        Store(tmp_path)


def test_plays_of_the_first_version_are_kept_with_their_digests(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(stores, "VERSION", 1)
    base = stores._opened(tmp_path)  # noqa: SLF001
    base.execute("INSERT INTO plays VALUES ('a', '{}', 'tree', 1.0)")
    base.commit()
    base.close()
    monkeypatch.setattr(stores, "VERSION", 2)

    assert Store(tmp_path).play("a", "{}") == "tree"


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE documents SET text = 'other'",
        "UPDATE documents SET name = 'other.md'",
        "UPDATE documents SET text = x'00ff'",
        "UPDATE documents SET text = CAST(x'ff41' AS TEXT)",
    ],
)
def test_a_document_that_was_changed_where_it_is_kept_is_refused(
    tmp_path: Path, change: str
) -> None:
    store = Store(tmp_path)
    name = store.add("a.md", "Applicable Sets\n")
    _changed(tmp_path, change)

    with pytest.raises(UsageError, match=r"is damaged where it is kept|cannot be read"):
        store.find(name)

    store.forget(name)
    assert store.find(name) is None


@pytest.mark.parametrize("change", ["tree = 'other'", "tree = x'00'", "digest = ''"])
def test_a_play_that_was_changed_where_it_is_kept_is_refused(tmp_path: Path, change: str) -> None:
    store = Store(tmp_path)
    store.keep_play("a", "{}", "tree")
    _changed(tmp_path, f"UPDATE plays SET {change}")

    with pytest.raises(UsageError, match="the play that was kept is damaged"):
        store.play("a", "{}")

    # What is played next takes its place.
    store.keep_play("a", "{}", "new")
    assert store.play("a", "{}") == "new"


def _changed(folder: Path, how: str) -> None:
    base = sqlite3.connect(folder / FILE)
    base.execute(how)
    base.commit()
    base.close()


def test_of_a_file_without_end_only_a_part_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.md"
    with path.open("wb") as file:
        file.write(b"System Facts\n")
        file.truncate(3_000_000_000)
    store = Store(None, [path])
    (name,) = store.files

    with pytest.raises(UsageError, match=r"large\.md cannot be read"):
        store.find(name)


def test_what_others_could_read_is_no_place_to_keep_documents(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)

    with pytest.raises(UsageError, match=r"is open to other users; close it with `chmod 700"):
        Store(folder)
    folder.chmod(0o700)
    Store(folder).close()
