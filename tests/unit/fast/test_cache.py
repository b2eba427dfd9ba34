"""A cache keeps what it can, trusts nothing that is not its own, and never stops a run."""

import errno
import hashlib
import os
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.project import SOURCE
from zermelo.fast import cache as cache_module
from zermelo.fast.cache import FORMAT, Cache
from zermelo.files import writing

CONTENT = b"\x00\n\xff" * 100
A, B, C, D, E = (each * 64 for each in "abcde")
NOBODY = 65534


def files(folder: Path) -> list[Path]:
    """All files below *folder*."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def sealed(key: str, content: bytes) -> bytes:
    """A file as somebody writes it who knows the format, by hand."""
    rest = b'{"key": "%s"}\n%s' % (key.encode(), content)
    return b"zermelo cache 2\n%s\n%s" % (hashlib.sha256(rest).hexdigest().encode(), rest)


def test_what_is_put_is_there(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "new" / "folder")
    assert cache.get(A) is None
    assert not cache.has(A)

    cache.put(A, CONTENT)

    assert cache.get(A) == CONTENT
    assert cache.has(A)
    assert cache.get(B) is None


def test_a_file_says_its_format_its_digest_and_its_key(tmp_path: Path) -> None:
    Cache(tmp_path).put(A, CONTENT)

    assert (tmp_path / "v2" / A).read_bytes() == sealed(A, CONTENT)


def test_a_later_put_replaces_an_earlier_one(tmp_path: Path) -> None:
    cache = Cache(tmp_path)

    cache.put(A, b"1")
    cache.put(A, b"2")

    assert cache.get(A) == b"2"
    assert len(files(tmp_path)) == 1


# Files that are not what was put


def test_a_file_cut_short_anywhere_is_not_trusted(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    whole = sealed(A, b"abc")
    cache.put(A, b"abc")
    path = tmp_path / "v2" / A

    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        assert cache.get(A) is None
        assert not path.exists()


def test_a_bit_changed_anywhere_is_noticed(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    whole = sealed(A, b"abc")
    cache.put(A, b"abc")
    path = tmp_path / "v2" / A

    for place in range(len(whole)):
        data = bytearray(whole)
        data[place] ^= 1
        path.write_bytes(data)
        assert cache.get(A) is None
        assert not path.exists()


@pytest.mark.parametrize(
    "data",
    [
        sealed(B, CONTENT),
        sealed(A, CONTENT) + b"more",
        sealed(A, CONTENT).replace(b"cache 2", b"cache 1"),
        sealed(A, CONTENT).replace(b"cache 2", b"cache 3"),
        sealed(A, CONTENT).replace(b"cache", b"other"),
        b"Zermelo cache\n" + hashlib.sha256(CONTENT).digest() + CONTENT,
        FORMAT.seal({}, CONTENT),
        FORMAT.seal({"document": A}, CONTENT),
        b"\x80\x04.",
    ],
    ids=["key", "longer", "older", "newer", "kind", "first", "nobody's", "document's", "pickle"],
)
def test_a_file_of_something_else_is_removed_and_made_again(tmp_path: Path, data: bytes) -> None:
    cache = Cache(tmp_path)
    cache.put(A, CONTENT)
    path = tmp_path / "v2" / A
    path.write_bytes(data)

    assert cache.get(A) is None
    assert not path.exists()
    cache.put(A, CONTENT)
    assert cache.get(A) == CONTENT


def test_a_file_under_the_key_of_another_is_not_taken_for_it(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put(A, b"of a")
    cache.put(B, b"of b")
    shutil.copy(tmp_path / "v2" / A, tmp_path / "v2" / B)

    assert cache.get(B) is None
    assert cache.get(A) == b"of a"


def link(path: Path) -> None:
    good = path.parent / "elsewhere"
    good.write_bytes(sealed(A, b"crafted"))
    path.symlink_to(good)


def foreign(path: Path) -> None:
    path.write_bytes(sealed(A, b"crafted"))
    os.chown(path, NOBODY, NOBODY)


@pytest.mark.parametrize(
    "put_there",
    [
        Path.mkdir,
        os.mkfifo,
        link,
        lambda path: os.mknod(path, stat.S_IFSOCK | 0o600),
        lambda path: path.symlink_to(path.name),
        pytest.param(
            foreign, marks=pytest.mark.skipif(os.geteuid() != 0, reason="only root gives away")
        ),
    ],
    ids=["folder", "pipe", "link", "socket", "loop", "foreign"],
)
def test_what_is_no_file_of_ours_is_neither_read_nor_written_to(
    tmp_path: Path, put_there: Callable[[Path], None]
) -> None:
    cache = Cache(tmp_path)
    cache.put(B, b"")
    path = tmp_path / "v2" / A

    put_there(path)
    assert not cache.has(A)
    cache.put(A, CONTENT)
    assert cache.get(A) == CONTENT

    path.unlink()
    put_there(path)
    assert cache.get(A) is None
    assert not cache.has(A)
    linked = tmp_path / "v2" / "elsewhere"
    assert not linked.exists() or linked.read_bytes() == sealed(A, b"crafted")


def test_a_folder_with_something_in_it_stays(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put(B, b"")
    inside = tmp_path / "v2" / A / "file"
    inside.parent.mkdir()
    inside.touch()

    assert cache.get(A) is None
    cache.put(A, CONTENT)

    assert inside.exists()
    assert [path.name for path in files(tmp_path)] == ["file", B]


# Folders


@pytest.mark.parametrize("mode", [0o777, 0o755, 0o770])
def test_a_folder_that_is_open_to_others_is_not_used_and_that_is_said(
    tmp_path: Path, mode: int
) -> None:
    cache = Cache(tmp_path)
    cache.put(A, CONTENT)
    folder = tmp_path / "v2"
    folder.chmod(mode)

    assert cache.get(A) is None
    assert not cache.has(A)
    cache.put(B, CONTENT)

    assert cache.why_unused == (
        f"{folder} is open to other users; close it with `chmod 700 {folder}`"
    )
    assert [path.name for path in files(tmp_path)] == [A]
    folder.chmod(0o700)
    closed = Cache(tmp_path)
    assert (closed.get(A), closed.why_unused) == (CONTENT, None)


def test_what_is_kept_is_kept_for_us_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        Cache(tmp_path / "new").put(A, CONTENT)
    finally:
        os.umask(before)

    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("new", "new/v2")] == [0o700] * 2


def test_a_folder_that_cannot_be_made_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = Cache(tmp_path / "file" / "folder")

    cache.put(A, CONTENT)

    assert cache.get(A) is None
    assert cache.why_unused is None


@pytest.mark.parametrize("step", ["_made", "replace"])
def test_a_full_disk_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    cache = Cache(tmp_path)
    cache.put(A, CONTENT)

    def full(*_arguments: object, **_options: object) -> None:
        raise OSError(errno.ENOSPC, "no space left on device")

    where = {"_made": writing, "replace": Path}[step]
    monkeypatch.setattr(where, step, full)
    cache.put(A, b"other")
    cache.put(B, b"other")

    assert cache.get(A) == CONTENT
    assert cache.get(B) is None
    assert cache.why_unused is None


def test_no_folder_keeps_nothing() -> None:
    cache = Cache(None)

    cache.put(A, CONTENT)

    assert cache.get(A) is None
    assert not cache.has(A)
    assert cache.why_unused is None


@pytest.mark.parametrize("key", ["../a", "a", "A" * 64, "a" * 63, "a" * 65, f"{A}\n", ""])
def test_a_key_is_a_digest(tmp_path: Path, key: str) -> None:
    cache = Cache(tmp_path)
    cache.put(A, CONTENT)

    with pytest.raises(ValueError, match="a digest in hexadecimal"):
        cache.put(key, CONTENT)
    with pytest.raises(ValueError, match="a digest in hexadecimal"):
        cache.get(key)


# Size


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path, limit=5000)
    for i, key in enumerate((A, B, C, D)):
        cache.put(key, bytes(1000))
        os.utime(tmp_path / "v2" / key, (i, i))
    assert cache.get(A) is not None

    cache.put(E, bytes(1000))

    # `a` was used just now; `b` and `c` are the oldest, and three quarters of the limit are left.
    assert [path.name for path in files(tmp_path)] == [A, D, E]


def test_what_is_larger_than_the_limit_is_neither_kept_nor_read(tmp_path: Path) -> None:
    Cache(tmp_path).put(A, bytes(1000))
    small = Cache(tmp_path, limit=1000)

    assert small.get(A) is None
    small.put(B, bytes(1000))

    assert not files(tmp_path)


def test_files_that_are_not_its_own_stay_in_a_folder(tmp_path: Path) -> None:
    cache = Cache(tmp_path, limit=1500)
    cache.put(A, bytes(1000))
    (tmp_path / "v2" / "letter").write_bytes(bytes(5000))

    cache.put(B, bytes(1000))

    assert [path.name for path in files(tmp_path)] == [B, "letter"]


def test_a_part_left_by_a_killed_run_is_removed_in_time(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put(A, CONTENT)
    old, fresh = tmp_path / "v2" / ".x.part", tmp_path / "v2" / ".y.part"
    old.write_bytes(b"half")
    os.utime(old, (0, 0))
    fresh.write_bytes(b"half")

    cache.put(B, CONTENT)

    assert [path.name for path in files(tmp_path)] == [".y.part", A, B]


# Several at once


def test_threads_that_write_one_key_leave_one_whole_file(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    seen: list[object] = []

    def work(number: int) -> None:
        for _ in range(30):
            cache.put(A, bytes([number]) * 5000)
            seen.append(cache.get(A))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    wholes = [bytes([number]) * 5000 for number in range(4)]
    assert len(seen) == 120
    assert all(each in wholes for each in seen)
    assert len(files(tmp_path)) == 1


def test_processes_that_write_and_damage_one_key_read_only_what_was_put(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from zermelo.fast.cache import Cache\n"
        "folder, number = Path(sys.argv[1]), int(sys.argv[2])\n"
        "cache, key = Cache(folder), 'a' * 64\n"
        "found = set()\n"
        "for n in range(60):\n"
        "    cache.put(key, bytes([number]) * 5000)\n"
        "    if n % 7 == number:\n"
        "        (folder / 'v2' / key).write_bytes(b'damaged')\n"
        "    found.add(cache.get(key))\n"
        "wholes = {bytes([each]) * 5000 for each in range(3)}\n"
        "print(found <= wholes | {None} and bool(found & wholes))\n"
    )
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path), str(number)],
            stdout=subprocess.PIPE,
            text=True,
            env={"PYTHONPATH": str(SOURCE)},
        )
        for number in range(3)
    ]

    assert [run.communicate(timeout=120)[0] for run in runs] == ["True\n"] * 3
    assert len(files(tmp_path)) <= 1


# The standard one


def test_the_standard_cache_is_in_the_home_folder_unless_told_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(cache_module, "_standard", [])

    assert cache_module.home() == tmp_path / ".cache" / "zermelo"
    assert cache_module.standard().folder == tmp_path / ".cache" / "zermelo"
    cache_module.use(Cache(tmp_path))
    assert cache_module.standard().folder == tmp_path
    cache_module.use(None)
    assert cache_module.standard().folder == tmp_path / ".cache" / "zermelo"
    # what it has to say is said by the same one
    assert cache_module.standard() is cache_module.standard()


def test_nobody_needs_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", homeless)

    assert cache_module.home() is None
