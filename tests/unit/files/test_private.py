"""A folder is used for what is trusted only if nobody else can change what is in it."""

import os
import stat
from pathlib import Path

import pytest

from zermelo.files import private
from zermelo.files.private import NotPrivate

NOBODY = 65534
is_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


def test_a_folder_is_made_for_us_alone(tmp_path: Path) -> None:
    folder = tmp_path / "one" / "two"
    before = os.umask(0)
    try:
        private.make(folder)
    finally:
        os.umask(before)

    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
    with private.opened(folder) as found:
        assert found.path == folder


def test_to_make_what_is_there_changes_nothing(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)

    private.make(tmp_path)

    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


@pytest.mark.parametrize("mode", [0o777, 0o755, 0o750, 0o701, 0o1777])
def test_a_folder_that_others_may_look_into_is_not_private(tmp_path: Path, mode: int) -> None:
    tmp_path.chmod(mode)

    with (
        pytest.raises(
            NotPrivate, match=f"is open to other users; close it with `chmod 700 {tmp_path}"
        ),
        private.opened(tmp_path),
    ):
        pass


@pytest.mark.parametrize("mode", [0o775, 0o757])
def test_nor_is_one_that_others_could_replace(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "above" / "between" / "folder"
    private.make(folder)
    (tmp_path / "above").chmod(mode)

    with (
        pytest.raises(NotPrivate, match=r"above, which it is in, .* `chmod go-w .*above`"),
        private.opened(folder),
    ):
        pass


@pytest.mark.parametrize("mode", [0o755, 0o1777])
def test_folders_where_others_only_look_or_add_are_no_danger(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "folder"
    private.make(folder)
    tmp_path.chmod(mode)

    with private.opened(folder) as found:
        assert found.path == folder


@is_root
def test_a_folder_of_another_user_is_not_private(tmp_path: Path) -> None:
    folder = tmp_path / "above" / "folder"
    private.make(folder)
    os.chown(folder, NOBODY, NOBODY)

    with pytest.raises(NotPrivate, match="folder belongs to another user"), private.opened(folder):
        pass

    os.chown(folder, 0, 0)
    os.chown(folder.parent, NOBODY, NOBODY)
    with (
        pytest.raises(NotPrivate, match="above, which it is in, belongs to another user"),
        private.opened(folder),
    ):
        pass


def test_a_link_is_followed_before_anything_is_looked_at(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    private.make(folder)
    (tmp_path / "link").symlink_to(folder)

    with private.opened(tmp_path / "link") as found:
        assert found.path == folder

    folder.chmod(0o777)
    with pytest.raises(NotPrivate, match="folder is open"), private.opened(tmp_path / "link"):
        pass


def test_what_is_no_folder_is_a_fault_of_the_file_system(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")

    for name in ("nothing", "file", "loop"):
        with pytest.raises(OSError, match=name), private.opened(tmp_path / name):
            pass


def test_a_system_without_owners_has_no_private_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "geteuid")

    with pytest.raises(NotPrivate, match="does not say whose"), private.opened(tmp_path):
        pass


def test_only_plain_files_are_opened(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"data")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")

    with private.opened(tmp_path) as folder:
        handle = folder.open("file")
        assert handle is not None
        assert os.read(handle, 10) == b"data"
        os.close(handle)
        assert folder.open("folder") is None
        # nobody writes into it, and nobody waits
        assert folder.open("pipe") is None
        with pytest.raises(OSError, match="link"):
            folder.open("link")
        kinds = {name: folder.is_file(name) for name in ("file", "link", "folder", "pipe", "none")}
    assert kinds == {"file": True, "link": False, "folder": False, "pipe": False, "none": False}


@is_root
def test_a_file_of_another_user_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"data")
    os.chown(tmp_path / "file", NOBODY, NOBODY)

    with private.opened(tmp_path) as folder:
        assert folder.open("file") is None
        assert not folder.is_file("file")


def test_whatever_is_in_the_way_is_removed(tmp_path: Path) -> None:
    kept = tmp_path.parent / f"{tmp_path.name}-kept"
    kept.write_bytes(b"kept")
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(kept)
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")

    with private.opened(tmp_path) as folder:
        for name in ("file", "link", "folder", "pipe", "nothing"):
            folder.remove(name)

    assert not list(tmp_path.iterdir())
    assert kept.read_bytes() == b"kept"
