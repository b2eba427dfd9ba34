"""A cache keeps what it can, trusts nothing that is damaged, and never stops a run."""

import os
import threading
from pathlib import Path

import pytest

from zermelo.fast import cache as cache_module
from zermelo.fast.cache import Cache

BLOBS = {"code": b"\x00\n\xff" * 100, "counts": b"{}", "empty": b""}


def files(folder: Path) -> list[Path]:
    """All files below *folder*."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_what_is_put_is_there(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "new" / "folder")
    assert cache.get("a1") is None
    assert not cache.has("a1")

    cache.put("a1", BLOBS)

    assert cache.get("a1") == BLOBS
    assert cache.has("a1")
    assert cache.get("a2") is None


def test_a_later_put_replaces_an_earlier_one(tmp_path: Path) -> None:
    cache = Cache(tmp_path)

    cache.put("a", {"x": b"1"})
    cache.put("a", {"x": b"2"})

    assert cache.get("a") == {"x": b"2"}
    assert len(files(tmp_path)) == 1


@pytest.mark.parametrize("size", [0, 1, 20, 60, 200])
def test_a_file_cut_short_is_not_trusted(tmp_path: Path, size: int) -> None:
    cache = Cache(tmp_path)
    cache.put("a", BLOBS)
    (file,) = files(tmp_path)
    file.write_bytes(file.read_bytes()[:size])

    assert cache.get("a") is None
    assert not file.exists()


@pytest.mark.parametrize("place", [0, 20, 50, -1])
def test_a_changed_byte_is_noticed(tmp_path: Path, place: int) -> None:
    cache = Cache(tmp_path)
    cache.put("a", BLOBS)
    (file,) = files(tmp_path)
    data = bytearray(file.read_bytes())
    data[place] ^= 1
    file.write_bytes(data)

    assert cache.get("a") is None


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path, limit=4500)
    for i, name in enumerate("abcd"):
        cache.put(name, {"x": bytes(1000)})
        os.utime(tmp_path / "v1" / name, (i, i))
    assert cache.get("a") is not None

    cache.put("e", {"x": bytes(1000)})

    # `a` was used just now; `b` and `c` are the oldest, and three quarters of the limit are left.
    assert [path.name for path in files(tmp_path)] == ["a", "d", "e"]


def test_what_is_larger_than_the_limit_is_kept_alone(tmp_path: Path) -> None:
    cache = Cache(tmp_path, limit=100)

    cache.put("a", {"x": bytes(1000)})
    cache.put("b", {"x": bytes(1000)})

    assert [path.name for path in files(tmp_path)] == ["b"]


def test_a_part_left_by_a_killed_run_is_removed_in_time(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("a", BLOBS)
    old, fresh = tmp_path / "v1" / "x.part", tmp_path / "v1" / "y.part"
    old.write_bytes(b"half")
    os.utime(old, (0, 0))
    fresh.write_bytes(b"half")

    cache.put("b", BLOBS)

    assert [path.name for path in files(tmp_path)] == ["a", "b", "y.part"]


def test_a_folder_that_cannot_be_made_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = Cache(tmp_path / "file" / "folder")

    cache.put("a", BLOBS)

    assert cache.get("a") is None


def test_no_folder_keeps_nothing() -> None:
    cache = Cache(None)

    cache.put("a", BLOBS)

    assert cache.get("a") is None
    assert not cache.has("a")


def test_a_key_is_never_a_path(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="letters and digits"):
        Cache(tmp_path).put("../a", BLOBS)


def test_threads_that_write_one_key_leave_one_whole_file(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    seen: list[object] = []

    def work(number: int) -> None:
        for _ in range(30):
            cache.put("a", {"x": bytes([number]) * 5000})
            seen.append(cache.get("a"))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    wholes = [{"x": bytes([number]) * 5000} for number in range(4)]
    assert all(each in wholes for each in seen)
    assert len(files(tmp_path)) == 1


def test_the_standard_cache_is_in_the_home_folder_unless_told_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    before = cache_module.standard()

    assert cache_module.home() == tmp_path / ".cache" / "zermelo"
    cache_module.use(Cache(tmp_path))
    assert cache_module.standard().folder == tmp_path
    cache_module.use(None)
    assert cache_module.standard().folder == tmp_path / ".cache" / "zermelo"
    cache_module.use(before)


def test_nobody_needs_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", homeless)

    assert cache_module.home() is None
