"""A file is replaced whole or not at all, and a place is worked on by one process."""

import errno
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.project import SOURCE
from zermelo.files.writing import InUse, Lock, replace

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


@pytest.mark.parametrize("call", ["fsync", "replace", "fchmod"])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt()])
def test_a_fault_at_any_call_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, error: BaseException
) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(OLD)

    def fail(*_arguments: object) -> None:
        raise error

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(type(error)):
        replace(path, NEW)
    monkeypatch.undo()

    assert path.read_bytes() == OLD
    assert names(tmp_path) == ["a.md"]


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
