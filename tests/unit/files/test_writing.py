"""A file is replaced whole or not at all, and a place is worked on by one process."""

import errno
import os
import signal
import stat
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.faults import FAULTS, Fault, every_fault
from tests.support.project import SOURCE
from zermelo.files.writing import PART, InUse, Lock, create, replace, sync_folder

OLD, NEW = b"the old text\n", b"the new text, which is longer\n"


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_the_new_content_replaces_the_old(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(OLD)

    replace(path, [NEW, b"more"])

    assert path.read_bytes() == NEW + b"more"
    assert names(tmp_path) == ["a.md"]


def test_what_can_be_made_again_need_not_be_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)

    replace(tmp_path / "a.md", NEW, is_synced=False)
    assert not synced
    replace(tmp_path / "b.md", NEW)

    # the file and its folder
    assert len(synced) == 2
    assert (tmp_path / "a.md").read_bytes() == NEW


def test_permissions_stay_and_new_files_follow_the_umask(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_bytes(OLD)
    old.chmod(0o640)
    before = os.umask(0o027)
    try:
        replace(old, NEW)
        replace(new, NEW)
    finally:
        os.umask(before)

    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert stat.S_IMODE(new.stat().st_mode) == 0o640


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(OLD)
    link.symlink_to("target")

    replace(link, NEW)

    assert link.is_symlink()
    assert target.read_bytes() == NEW


def test_what_is_no_plain_file_is_written_to() -> None:
    replace(Path("/dev/null"), NEW)

    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize("write", [replace, create])
@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_fault_at_any_operation_leaves_old_or_new(
    tmp_path: Path, write: Callable[[Path, bytes], None], fault: Fault
) -> None:
    path = tmp_path / "a.md"

    def prepare() -> None:
        path.unlink(missing_ok=True)
        for part in tmp_path.glob(f".*{PART}"):
            part.unlink()
        if write is replace:
            path.write_bytes(OLD)

    old = OLD if write is replace else None
    operations = set()
    for trial in every_fault(tmp_path, prepare, lambda: write(path, NEW), [fault]):
        operations.add(trial.operation.partition(" ")[0])
        found = path.read_bytes() if path.exists() else None
        assert found in {old, NEW}, trial
        assert trial.error is not None or found == NEW, trial
        if not trial.operation.startswith("unlink"):
            assert names(tmp_path) == (["a.md"] if found is not None else []), trial
    expected = {"open", "write", "fsync", "close"}
    assert operations >= (expected | {"replace", "fchmod"} if write is replace else expected)


def test_what_writes_in_place_is_found_out(tmp_path: Path) -> None:
    path = tmp_path / "a.md"

    found = set()
    for _ in every_fault(tmp_path, lambda: naive(path, OLD), lambda: naive(path, NEW)):
        found.add(path.read_bytes())

    assert b"" in found
    assert NEW[: len(NEW) // 2] in found


def naive(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def test_a_fault_in_the_middle_of_the_content_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(OLD)

    def parts() -> Iterator[bytes]:
        yield NEW
        raise OSError(errno.ENOSPC, "full")

    with pytest.raises(OSError, match="full"):
        replace(path, parts())

    assert path.read_bytes() == OLD
    assert names(tmp_path) == ["a.md"]


# Odd places


def test_a_link_to_nothing_gets_its_target(tmp_path: Path) -> None:
    folder, link = tmp_path / "other", tmp_path / "link"
    folder.mkdir()
    link.symlink_to("other/target")

    replace(link, NEW)

    assert link.readlink() == Path("other/target")
    assert (folder / "target").read_bytes() == NEW


def test_another_hard_link_keeps_the_old_content(tmp_path: Path) -> None:
    path, other = tmp_path / "a", tmp_path / "b"
    path.write_bytes(OLD)
    other.hardlink_to(path)

    replace(path, NEW)

    assert (path.read_bytes(), other.read_bytes()) == (NEW, OLD)


@pytest.mark.parametrize("mode", [0o444, 0o400])
def test_a_protected_file_is_left_alone(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a"
    path.write_bytes(OLD)
    path.chmod(mode)

    with pytest.raises(PermissionError, match="it is protected against writing"):
        replace(path, NEW)

    assert path.read_bytes() == OLD


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(path.read_bytes()))
    reader.start()

    replace(path, [NEW, OLD])
    reader.join()

    assert got == [NEW + OLD]
    assert names(tmp_path) == ["pipe"]


def test_an_open_stream_is_written_to_where_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with path.open("wb", buffering=0) as file:
        file.write(OLD)
        replace(Path(f"/dev/fd/{file.fileno()}"), NEW)
        file.write(OLD)

    assert path.read_bytes() == OLD + NEW + OLD


@pytest.mark.parametrize("name", ["a" * 255, "é" * 127, "\N{GRINNING FACE}" * 63])
@pytest.mark.parametrize("write", [replace, create])
def test_the_longest_names_there_are_can_be_written(
    tmp_path: Path, name: str, write: Callable[[Path, bytes], None]
) -> None:
    write(tmp_path / name, NEW)

    assert (tmp_path / name).read_bytes() == NEW


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("mode", [0o600, 0o664])
def test_the_owner_stays(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a"
    path.write_bytes(OLD)
    os.chown(path, 1234, 5678)
    path.chmod(mode)

    replace(path, NEW)

    found = path.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (1234, 5678, mode)


def test_where_the_group_cannot_stay_it_gets_no_more_than_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_bytes(OLD)
    path.chmod(0o664)
    real = os.fstat

    def of_another(handle: int) -> os.stat_result:
        found = list(real(handle))
        found[stat.ST_GID] += 1
        return os.stat_result(found)

    def refuse(*_arguments: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "fstat", of_another)
    monkeypatch.setattr(os, "fchown", refuse)
    replace(path, NEW)
    monkeypatch.undo()

    assert stat.S_IMODE(path.stat().st_mode) == 0o644


# Who may do what: user::rw-, user:1234:rw-, group::---, mask::rw-, other::---
ACCESS = struct.pack("<I", 2) + b"".join(
    struct.pack("<HHI", *entry)
    for entry in (
        (1, 6, 0xFFFFFFFF),
        (2, 6, 1234),
        (4, 0, 0xFFFFFFFF),
        (16, 6, 0xFFFFFFFF),
        (32, 0, 0xFFFFFFFF),
    )
)


@pytest.fixture
def with_access_list(tmp_path: Path) -> Path:
    path = tmp_path / "a"
    path.write_bytes(OLD)
    try:
        os.setxattr(path, "system.posix_acl_access", ACCESS)
    except OSError:
        pytest.skip("this file system keeps no lists of who may read a file")
    return path


def test_the_list_of_who_may_read_it_stays(with_access_list: Path) -> None:
    replace(with_access_list, NEW)

    assert with_access_list.read_bytes() == NEW
    assert os.getxattr(with_access_list, "system.posix_acl_access") == ACCESS


def test_without_the_list_of_who_may_read_it_nothing_is_written(
    with_access_list: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object) -> None:
        raise OSError(errno.ENOTSUP, "not here")

    monkeypatch.setattr(os, "setxattr", refuse)
    with pytest.raises(OSError, match="its list of who may read it cannot be kept"):
        replace(with_access_list, NEW)

    assert with_access_list.read_bytes() == OLD


@pytest.mark.parametrize("broken", [errno.EIO, errno.ENOSPC])
def test_a_disk_that_fails_is_not_called_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: int
) -> None:
    def fail(_handle: int) -> None:
        raise OSError(broken, "broken")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="broken"):
        sync_folder(tmp_path)


def test_a_file_system_that_syncs_no_folders_is_taken_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_handle: int) -> None:
        raise OSError(errno.EINVAL, "not here")

    monkeypatch.setattr(os, "fsync", fail)
    sync_folder(tmp_path)


def test_two_writers_at_once_leave_the_file_of_one(tmp_path: Path) -> None:
    path = tmp_path / "a"
    contents = [bytes([letter]) * 200_000 for letter in b"abcd"]

    def write(data: bytes) -> None:
        for _ in range(10):
            replace(path, data)

    writers = [threading.Thread(target=write, args=(data,)) for data in contents]
    for writer in writers:
        writer.start()
    seen = set()
    while any(writer.is_alive() for writer in writers):
        if path.exists():
            seen.add(path.read_bytes())
    for writer in writers:
        writer.join()

    assert path.read_bytes() in contents
    assert seen <= set(contents)
    assert names(tmp_path) == ["a"]


def test_one_of_two_who_make_a_file_is_told_that_it_exists(tmp_path: Path) -> None:
    path = tmp_path / "a"
    told: list[bool] = []

    def make(data: bytes) -> None:
        try:
            create(path, data)
            told.append(True)
        except FileExistsError:
            told.append(False)

    makers = [threading.Thread(target=make, args=(bytes([n]) * 1000,)) for n in range(8)]
    for maker in makers:
        maker.start()
    for maker in makers:
        maker.join()

    assert sorted(told) == [False] * 7 + [True]
    assert names(tmp_path) == ["a"]


def test_a_file_is_made_where_there_are_no_hard_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object) -> None:
        raise OSError(errno.EPERM, "not here")

    monkeypatch.setattr(os, "link", refuse)
    create(tmp_path / "a", NEW)

    assert (tmp_path / "a").read_bytes() == NEW
    assert names(tmp_path) == ["a"]


HOLDER = """
import sys
from pathlib import Path
from zermelo.files.writing import Lock
with Lock(Path(sys.argv[1]), "the folder"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_lock_tells_who_holds_it_and_dies_with_its_holder(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"PYTHONPATH": str(SOURCE)},
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(InUse, match=f"process {holder.pid} works on the folder"):
            Lock(path, "the folder").__enter__()
        holder.send_signal(signal.SIGKILL)

    with Lock(path, "the folder"):
        assert path.read_text() == f"{os.getpid()}\n"
    assert not path.exists()


def test_a_lock_can_be_taken_again(tmp_path: Path) -> None:
    for _ in range(2):
        with Lock(tmp_path / "lock", "it"), pytest.raises(InUse):
            Lock(tmp_path / "lock", "it").__enter__()
