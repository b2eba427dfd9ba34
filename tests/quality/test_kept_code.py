"""Code that is kept: whatever is done to its folder, what is counted stays right."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from tests.support.project import ROOT, SOURCE

GAME = ROOT / "games" / "tic-tac-toe" / "tic-tac-toe.md"
NET = ROOT / "games" / "tic-tac-toe-net" / "tic-tac-toe-net.net"
DIAGONAL = ROOT / "games" / "tic-tac-toe-net" / "tic-tac-toe-diagonal.net"

COUNT = """
import sys
from pathlib import Path

import zermelo
from zermelo.engines.space.exploration import explore
from zermelo.engines.space.store import store_for
from zermelo.fast import cache

cache.use(cache.Cache(Path(sys.argv[1])))
for path in sys.argv[2:]:
    model = zermelo.load(path).model
    expander = model.expander()
    assert expander.note == "compiled code", expander.note
    start = expander.pack(model.machine().initial).reshape(1, -1)
    print(explore(expander, store_for(expander, threads=1), start=start).states)
"""


def environment(**more: str) -> dict[str, str]:
    """What a new process is told; nothing of how this one keeps code."""
    own = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {**own, "PYTHONPATH": str(SOURCE), "PYTHONUTF8": "1", "COLUMNS": "80", **more}


def begun(folder: Path, *documents: Path) -> subprocess.Popen[str]:
    """A process that counts the states of *documents* in compiled code kept in *folder*."""
    return subprocess.Popen(
        [sys.executable, "-c", COUNT, str(folder), *map(str, documents)],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def counts(folder: Path, *documents: Path) -> list[int]:
    run = begun(folder, *documents)
    out, err = run.communicate(timeout=300)
    assert run.returncode == 0, err
    return [int(line) for line in out.split()]


def explored(folder: str, **more: str) -> subprocess.CompletedProcess[str]:
    """What `zermelo explore` says of tic-tac-toe, with code kept in *folder*."""
    return subprocess.run(
        [sys.executable, "-m", "zermelo", "explore", str(GAME), "--json"],
        env=environment(ZERMELO_CACHE=folder, **more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=True,
    )


def contents(folder: Path) -> dict[str, bytes]:
    """All files of the cache in *folder*, by their names."""
    return {path.name: path.read_bytes() for path in (folder / "v2").iterdir()}


@pytest.fixture(scope="module")
def variant(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same game with fewer lines: its code has the same form."""
    path = tmp_path_factory.mktemp("variant") / "rows.md"
    text = GAME.read_text("utf-8")
    changed = text.replace("Rows ∪ Columns ∪ Diagonals", "Rows ∪ Diagonals")
    assert changed != text
    path.write_text(changed, "utf-8")
    return path


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, variant: Path) -> Mapping[Path, Path]:
    """Of each document a folder in which its code was kept."""
    folders = {each: tmp_path_factory.mktemp("kept") for each in (GAME, variant, NET, DIAGONAL)}
    found = {each: counts(folder, each) for each, folder in folders.items()}
    assert found == {GAME: [5478], variant: [5691], NET: [5549], DIAGONAL: [5478]}
    return folders


def test_code_under_the_keys_of_another_document_is_not_used(
    tmp_path: Path, filled: Mapping[Path, Path], variant: Path
) -> None:
    for first, second, right in ((GAME, variant, [5478, 5691]), (NET, DIAGONAL, [5549, 5478])):
        ones, others = contents(filled[first]), contents(filled[second])
        shared = ones.keys() & others.keys()
        own, foreign = ones.keys() - shared, others.keys() - shared
        folder = tmp_path / first.stem
        shutil.copytree(filled[first], folder)
        shutil.copytree(filled[second], folder, dirs_exist_ok=True)
        # each has one file of its own: generated code, or of a net the object code
        (here,), (there,) = own, foreign
        (folder / "v2" / here).write_bytes(others[there])
        (folder / "v2" / there).write_bytes(ones[here])

        assert counts(folder, first, second) == right
        # and it was made again
        assert contents(folder) == {**ones, **others}


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 16
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def pickled(path: Path) -> None:
    # what an older program would have run
    path.write_bytes(b"cos\n_exit\n(I7\ntR.")


def replaced_by_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def replaced_by_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def replaced_by_a_link(path: Path) -> None:
    path.rename(path.with_suffix(".moved"))
    path.symlink_to(path.with_suffix(".moved").name)


@pytest.mark.parametrize(
    "damages",
    [
        (flipped, pickled, replaced_by_a_folder, replaced_by_a_pipe),
        (replaced_by_a_link, cut, emptied, pickled),
        (replaced_by_a_pipe, replaced_by_a_link, flipped, emptied),
    ],
)
def test_what_is_damaged_is_made_again(
    tmp_path: Path, filled: Mapping[Path, Path], damages: Sequence[Callable[[Path], None]]
) -> None:
    folder = tmp_path / "kept"
    shutil.copytree(filled[GAME], folder)
    for path, damage in zip(sorted((folder / "v2").iterdir()), damages, strict=True):
        damage(path)

    assert counts(folder, GAME) == [5478]

    for path in (folder / "v2").glob("*.moved"):
        path.unlink()
    assert contents(folder) == contents(filled[GAME])


def test_processes_that_begin_at_once_share_what_they_make(
    tmp_path: Path, filled: Mapping[Path, Path]
) -> None:
    runs = [begun(tmp_path / "kept", GAME) for _ in range(3)]

    assert [run.communicate(timeout=300)[0] for run in runs] == ["5478\n"] * 3
    assert contents(tmp_path / "kept") == contents(filled[GAME])


# As a user meets it


@pytest.mark.parametrize("folder", ["off", "/dev/null/kept"])
def test_without_a_folder_the_answer_is_the_same(tmp_path: Path, folder: str) -> None:
    ran = explored(folder, HOME=str(tmp_path), XDG_CACHE_HOME=str(tmp_path))

    assert (json.loads(ran.stdout)["states"], ran.stderr) == (5478, "")
    assert not list(tmp_path.iterdir())


def test_a_folder_that_others_could_change_is_not_used_and_that_is_said_once(
    tmp_path: Path, filled: Mapping[Path, Path]
) -> None:
    shutil.copytree(filled[GAME] / "v2", tmp_path / "v2")
    before = contents(tmp_path)
    (tmp_path / "v2").chmod(0o777)

    ran = explored(str(tmp_path), COLUMNS="1000")

    assert json.loads(ran.stdout)["states"] == 5478
    said = " ".join(ran.stderr.split())
    assert said == (
        "zermelo: compiled code and reports are not kept, as others could change it: "
        f"{tmp_path}/v2 is open to other users; close it with `chmod 700 {tmp_path}/v2`. "
        "Or set ZERMELO_CACHE to another folder, or to `off`."
    )
    assert contents(tmp_path) == before
    (tmp_path / "v2").chmod(0o700)
    assert explored(str(tmp_path)).stderr == ""
