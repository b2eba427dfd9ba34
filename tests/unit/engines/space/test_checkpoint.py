"""Explorations on disk: one that was stopped goes on, and nothing else is taken for it."""

import contextlib
import hashlib
import itertools
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.drawn import WIDTH, Drawn, grid
from tests.support.file_faults import FileOperations, ended, full_disk, killed
from tests.support.project import SOURCE
from tests.support.small_documents import heap_text
from zermelo.api import loading, questions
from zermelo.core.layout import Layout
from zermelo.core.limits import UNLIMITED, Limits, Listener, Resumed
from zermelo.core.signature import Reading, Signature
from zermelo.core.space import Space
from zermelo.engines.space import checkpoint
from zermelo.engines.space.checkpoint import FORMAT, Checkpoint
from zermelo.engines.space.exploration import explore
from zermelo.engines.space.store import StateStore, small
from zermelo.files import program as files_program
from zermelo.files.sealed import NotUsable
from zermelo.files.writing import InUse
from zermelo.text.errors import UsageError

START = np.zeros(1, dtype=np.int64)
GRID = grid(30)
SMALL = grid(4)
TINY = grid(3)
OVER = frozenset({29, 30 * 29, 400})
DESCRIPTION = "exploration.sealed"
ADVICE = "remove the folder to begin again, or choose another one"


def run(
    folder: Path,
    drawn: Drawn | None = None,
    listener: Listener | None = None,
    limits: Limits = UNLIMITED,
) -> Space:
    drawn = drawn or Drawn(GRID, over=OVER, faulty=frozenset({33}))
    with Checkpoint(folder) as kept:
        store = small(1)
        kept.open(drawn)
        begun = kept.resume(store, START)
        return explore(
            drawn,
            store,
            start=START,
            limits=limits,
            listener=listener,
            checkpoints=kept,
            begun=begun,
        )


def said(found: Space) -> list[object]:
    return [getattr(found, name) for name in Space.__dataclass_fields__ if name != "run"]


def stopped(folder: Path, states: int) -> None:
    """Leave an exploration in *folder* that was stopped after so many states."""
    assert run(folder, listener=lambda progress: progress.states >= states).cut == "interrupted"


@pytest.mark.parametrize("states", [1, 3, 100, 450, 880])
def test_an_exploration_goes_on_where_it_was_stopped(tmp_path: Path, states: int) -> None:
    stopped(tmp_path / "one", states)

    assert said(run(tmp_path / "one")) == said(run(tmp_path / "never stopped"))


def test_states_are_not_followed_twice(tmp_path: Path) -> None:
    stopped(tmp_path, 800)
    drawn = Drawn(GRID, over=OVER, faulty=frozenset({33}))

    with Checkpoint(tmp_path) as kept:
        store = small(1)
        kept.open(drawn)
        begun = kept.resume(store, START)

    assert begun is not None
    assert sum(level.followed for level in begun.levels) > 700
    assert store.states >= 800


def test_a_finished_exploration_is_there_at_once(tmp_path: Path) -> None:
    first = run(tmp_path)
    drawn = Drawn(GRID, over=OVER, faulty=frozenset({33}))

    with Checkpoint(tmp_path) as kept:
        kept.open(drawn)
        begun = kept.resume(small(1), START)

    assert said(run(tmp_path)) == said(first)
    assert begun is not None
    assert drawn.expanded == 0


def test_from_where_it_goes_on_is_told(tmp_path: Path) -> None:
    run(tmp_path, limits=Limits(depth=7))
    told: list[Resumed] = []

    with Checkpoint(tmp_path, told.append) as kept:
        kept.open(Drawn(GRID))
        kept.resume(small(1), START)

    assert kept.resumed is not None
    assert told == [kept.resumed]
    assert (kept.resumed.folder, kept.resumed.states, kept.resumed.levels) == (str(tmp_path), 36, 7)
    assert kept.resumed.seconds > 0


def test_the_seconds_of_earlier_runs_do_not_count_for_a_limit(tmp_path: Path) -> None:
    stopped(tmp_path, 300)
    forge(tmp_path, lambda content: content.update(seconds=1e6))

    found = run(tmp_path, limits=Limits(seconds=600.0))

    assert found.is_complete
    assert found.run is not None
    assert found.run.seconds < 600


def test_a_run_that_breaks_down_leaves_what_it_kept(tmp_path: Path) -> None:
    drawn = Drawn(GRID, over=OVER, faulty=frozenset({33}))

    def listener(_: object) -> bool:
        if drawn.expanded > 500:
            raise KeyboardInterrupt
        return False

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "one", drawn, listener)

    assert said(run(tmp_path / "one")) == said(run(tmp_path / "never stopped"))


def test_files_that_nobody_names_are_removed(tmp_path: Path) -> None:
    stopped(tmp_path, 300)
    (tmp_path / "exploration-level-0099-000077.data").write_bytes(b"half")
    (tmp_path / f".{DESCRIPTION}.abc.part").write_bytes(b"{")
    (tmp_path / "notes.txt").write_bytes(b"mine")

    assert run(tmp_path).is_complete

    names = {path.name for path in tmp_path.iterdir()}
    assert "notes.txt" in names
    assert not {name for name in names if "000077" in name or ".part" in name}
    named = {name for name, _, _ in sealed(tmp_path)["files"].values()}
    assert names == {*named, DESCRIPTION, "notes.txt"}


# What is refused


def test_another_document_is_refused(tmp_path: Path) -> None:
    class Other(Drawn):
        @property
        def signature(self) -> Signature:
            return replace(super().signature, name="other", fingerprint="other")

    stopped(tmp_path, 300)

    with pytest.raises(NotUsable, match=f"is of another document, drawn; {ADVICE}"):
        run(tmp_path, Other(GRID))


def test_a_changed_document_is_refused(tmp_path: Path) -> None:
    class Changed(Drawn):
        @property
        def signature(self) -> Signature:
            return replace(super().signature, fingerprint="other")

    stopped(tmp_path, 300)

    with pytest.raises(NotUsable, match="is of another text of the document"):
        run(tmp_path, Changed(GRID))


def test_other_readings_are_refused(tmp_path: Path) -> None:
    class Read(Drawn):
        choice = "in order"

        @property
        def signature(self) -> Signature:
            reading = Reading("order", self.choice, ("in order", "at once"), "", "caller")
            return replace(super().signature, readings=(reading,))

    class Reread(Read):
        choice = "at once"

    run(tmp_path, Read(GRID), limits=Limits(depth=3))

    with pytest.raises(NotUsable, match="is of another choice of the reading `order`, in order"):
        run(tmp_path, Reread(GRID))
    with pytest.raises(NotUsable, match="is of another set of readings, order"):
        run(tmp_path, Drawn(GRID))


def test_another_meaning_of_the_same_text_is_refused(tmp_path: Path) -> None:
    class Mended(Drawn):
        @property
        def signature(self) -> Signature:
            return replace(super().signature, meaning=lambda: "with errata")

    stopped(tmp_path, 300)

    with pytest.raises(NotUsable, match="is of another understanding of the document"):
        run(tmp_path, Mended(GRID))


def test_another_program_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped(tmp_path, 300)
    monkeypatch.setattr(checkpoint, "program", lambda: "later")

    with pytest.raises(NotUsable, match="is of another version of the program"):
        run(tmp_path)


def test_a_program_that_was_changed_while_it_ran_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint.program.cache_clear()
    monkeypatch.setattr(files_program, "begun", lambda: 0.0)

    with pytest.raises(UsageError, match=r"was changed after it was started.*; start it again"):
        run(tmp_path)


def test_states_that_are_packed_in_another_way_are_refused(tmp_path: Path) -> None:
    class Wide(Drawn):
        @property
        def layout(self) -> Layout:
            layout = super().layout
            assert layout is not None
            field = layout.fields[0]
            return replace(layout, fields=(replace(field, place=replace(field.place, shift=1)),))

    stopped(tmp_path, 300)

    with pytest.raises(NotUsable, match="the states are packed in another way than here"):
        run(tmp_path, Wide(GRID))


def test_states_that_are_only_numbered_cannot_be_kept(tmp_path: Path) -> None:
    class Loose(Drawn):
        @property
        def layout(self) -> Layout | None:
            return None

    with pytest.raises(UsageError, match=r"are only numbered, so .* cannot be kept"):
        run(tmp_path, Loose(GRID))


def test_the_former_format_is_refused_with_advice(tmp_path: Path) -> None:
    (tmp_path / "exploration.json").write_text('{"format": "zermelo exploration 1"}', "utf-8")

    with pytest.raises(NotUsable, match=f"has version 1 of its format.* reads 2; {ADVICE}"):
        run(tmp_path)
    with pytest.raises(NotUsable, match="has version 1"):
        run(tmp_path)


def resume(folder: Path, store: StateStore) -> None:
    with Checkpoint(folder) as kept:
        kept.open(Drawn(SMALL))
        kept.resume(store, START)


def all_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.stat().st_size)


def test_no_byte_can_be_changed_unnoticed(tmp_path: Path) -> None:
    run(tmp_path, Drawn(SMALL), limits=Limits(depth=3))
    for path in all_files(tmp_path):
        data = path.read_bytes()
        step = max(1, len(data) // 60)
        for at in range(0, len(data), step):
            path.write_bytes(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :])
            store = small(1)
            with pytest.raises(NotUsable, match=ADVICE):
                resume(tmp_path, store)
            assert store.states == 0
        path.write_bytes(data)
    assert run(tmp_path, Drawn(SMALL)).states == 16


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda path: path.unlink(), "is missing"),
        (lambda path: path.write_bytes(path.read_bytes()[:-8]), "has not the size"),
        (lambda path: path.write_bytes(path.read_bytes()[:-1] + b"x"), "has other bytes"),
    ],
)
def test_a_file_that_was_lost_or_cut_is_noticed(
    tmp_path: Path, change: Callable[[Path], None], what: str
) -> None:
    stopped(tmp_path, 300)

    change(next(tmp_path.glob("exploration-level-0000-*.data")))

    with pytest.raises(NotUsable, match=what):
        run(tmp_path)


# Descriptions that were changed and sealed again


def sealed(folder: Path) -> Any:  # noqa: ANN401 - what JSON gives
    return json.loads((folder / DESCRIPTION).read_bytes().split(b"\n", 3)[3])


def forge(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the content of a description, with all digests right."""
    _, _, belongs, text = (folder / DESCRIPTION).read_bytes().split(b"\n", 3)
    found = json.loads(text)
    change(found["content"])
    made = FORMAT.seal(json.loads(belongs), json.dumps(found).encode())
    (folder / DESCRIPTION).write_bytes(made)


def put(name: str, value: object) -> Callable[[dict[str, Any]], object]:
    return lambda content: content.update({name: value})


@pytest.mark.parametrize(
    "change",
    [
        put("full_depth", 3),
        put("full_depth", 6),
        put("full_depth", -1),
        put("full_depth", "5"),
        put("full_depth", 10**30),
        put("sizes", [1, 2, 3, 4, 5, 5, 1]),
        put("sizes", [1, 2, 3, 4, 5]),
        put("sizes", []),
        put("sizes", [2, 1, 3, 4, 5, 6]),
        put("segments", []),
        put("segments", [7]),
        put("levels", []),
        put("levels", None),
        put("words", 2),
        put("seconds", float("nan")),
        put("seconds", -1.0),
        put("form", "[]"),
        put("outcomes", ["win | A |  | "]),
        lambda content: content["levels"][2].update(followed=2),
        lambda content: content["levels"][2].update(moves=-1),
        lambda content: content["levels"][2].update(moves=True),
        lambda content: content["levels"][2].update(over={"7": 1}),
        lambda content: content["levels"][2].update(over={"0": 4}),
        lambda content: content["levels"][2].update(stuck={"9": 1}),
        lambda content: content["levels"][2].update(faulty=1),
        lambda content: content["levels"][2].update(faulty_rows=[[1, 2]], faulty=1),
        lambda content: content["levels"][2].update(moves=1),
        lambda content: content["levels"][2].update(positions=3),
        lambda content: content["levels"][2].update(stuck={"0": 1, "1": 3}),
        lambda content: content["levels"][2].update(faulty_rows=[[777]], faulty=1),
        lambda content: content["levels"][2].update(faulty_rows=[[60], [60]], faulty=2),
        lambda content: content["levels"].pop(0),
        lambda content: content["levels"][2].pop("earlier"),
        lambda content: content.pop("levels"),
    ],
)
def test_what_cannot_have_been_counted_is_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    run(tmp_path, limits=Limits(depth=5))

    forge(tmp_path, change)

    with pytest.raises(NotUsable, match=ADVICE):
        run(tmp_path)


@pytest.mark.parametrize(
    ("order", "what"),
    [
        ([0, 1, 1, 3, 4, 5], "some state is in it twice"),
        ([1, 0, 2, 3, 4, 5], "it begins with another state"),
    ],
)
def test_states_that_were_not_kept_so_are_refused(
    tmp_path: Path, order: list[int], what: str
) -> None:
    run(tmp_path, Drawn(GRID), limits=Limits(depth=2))
    files = sealed(tmp_path)["files"]
    rows = b"".join((tmp_path / files[str(at)][0]).read_bytes() for at in range(len(files) - 1))
    states = [rows[at : at + 8] for at in range(0, len(rows), 8)]
    _, _, belongs, text = (tmp_path / DESCRIPTION).read_bytes().split(b"\n", 3)
    found = json.loads(text)
    at = 0
    for label in sorted(set(files) - {"pending"}):
        name, size, _ = files[label]
        data = b"".join(states[each] for each in order[at : at + size // 8])
        at += size // 8
        (tmp_path / name).write_bytes(data)
        found["files"][label][2] = hashlib.sha256(data).hexdigest()
    made = FORMAT.seal(json.loads(belongs), json.dumps(found).encode())
    (tmp_path / DESCRIPTION).write_bytes(made)

    with pytest.raises(NotUsable, match=what):
        run(tmp_path, Drawn(GRID))


def reseal(folder: Path, label: str, change: Callable[[bytes], bytes]) -> None:
    """Change a file of states, with all digests and sizes right."""
    _, _, belongs, text = (folder / DESCRIPTION).read_bytes().split(b"\n", 3)
    found = json.loads(text)
    name = found["files"][label][0]
    data = change((folder / name).read_bytes())
    (folder / name).write_bytes(data)
    found["files"][label][1:] = [len(data), hashlib.sha256(data).hexdigest()]
    made = FORMAT.seal(json.loads(belongs), json.dumps(found).encode())
    (folder / DESCRIPTION).write_bytes(made)


@pytest.mark.parametrize("word", [1 << WIDTH, -1, 1 << 62], ids=["above", "sign", "far above"])
@pytest.mark.parametrize("label", ["0", "pending"])
def test_bits_that_no_state_has_are_refused(tmp_path: Path, word: int, label: str) -> None:
    stopped(tmp_path, 300)
    strange = np.array([word], dtype="<i8").tobytes()

    reseal(tmp_path, label, lambda data: data[:-8] + strange)

    with pytest.raises(NotUsable, match=f"is no state of this document; {ADVICE}"):
        run(tmp_path)


def test_no_change_of_a_file_that_is_sealed_again_is_a_fault_of_ours(tmp_path: Path) -> None:
    """Whoever computes the digests too can write other states, but none that break the program."""
    game = loading.load_text(heap_text(9))
    plain = questions.explore(game).states
    questions.explore(game, checkpoint=tmp_path, limits=Limits(depth=3))
    kept = {path: path.read_bytes() for path in tmp_path.iterdir()}
    size = sum(path.stat().st_size for path in tmp_path.glob("exploration-level-0000-*"))
    for at, bit in itertools.product(range(size - 16, size), (1, 16, 128)):

        def change(data: bytes, at: int = at, bit: int = bit) -> bytes:
            return data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :]

        reseal(tmp_path, "0", change)
        with contextlib.suppress(NotUsable):
            assert questions.explore(game, checkpoint=tmp_path).states <= plain
        for path in tmp_path.iterdir():
            path.unlink()
        for path, data in kept.items():
            path.write_bytes(data)
    assert questions.explore(game, checkpoint=tmp_path).states == plain


def test_a_description_that_names_files_elsewhere_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    run(folder, limits=Limits(depth=3))
    _, _, belongs, text = (folder / DESCRIPTION).read_bytes().split(b"\n", 3)
    found = json.loads(text)
    found["files"]["0"][0] = "../" + found["files"]["0"][0]
    made = FORMAT.seal(json.loads(belongs), json.dumps(found).encode())
    (folder / DESCRIPTION).write_bytes(made)

    with pytest.raises(NotUsable, match="is missing"):
        run(folder)


# Faults and kills at every file operation


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let explorations be kept after every third look at the clock."""
    looks = itertools.cycle([False, False, True])
    monkeypatch.setattr(Checkpoint, "is_due", lambda _: next(looks))


@pytest.mark.usefixtures("often")
def test_a_full_disk_at_any_operation_is_said_and_loses_nothing(tmp_path: Path) -> None:
    expected = said(run(tmp_path / "whole", Drawn(TINY)))
    seen = 0
    for last in itertools.count(1):
        folder = tmp_path / str(last)
        run(folder, Drawn(TINY), limits=Limits(depth=1))
        with FileOperations(folder, last, full_disk).watched() as operations:
            try:
                done = said(run(folder, Drawn(TINY)))
            except UsageError as error:
                assert "No space left on device" in str(error)  # noqa: PT017 - or none is raised
                done = None
        assert done in (None, expected)
        assert said(run(folder, Drawn(TINY))) == expected
        seen += done is None
        if operations.count < last:
            break
    assert seen > 30


@pytest.mark.usefixtures("often")
def test_a_kill_at_any_operation_loses_nothing(tmp_path: Path) -> None:
    expected = said(run(tmp_path / "whole", Drawn(TINY)))
    for last in itertools.count(1):
        folder = tmp_path / str(last)

        def work(folder: Path = folder, last: int = last) -> None:
            with FileOperations(folder, last, killed).watched():
                run(folder, Drawn(TINY))

        is_done = ended(work)
        assert said(run(folder, Drawn(TINY))) == expected
        if is_done:
            break
    assert last > 30


# Two processes

HOLDER = """
import sys
from pathlib import Path
from zermelo.engines.space.checkpoint import Checkpoint
with Checkpoint(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_one_process_works_and_the_other_says_so(tmp_path: Path) -> None:
    stopped(tmp_path, 300)
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, tmp_path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"PYTHONPATH": str(SOURCE)},
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(InUse, match=f"process {holder.pid} works on the exploration in"):
            run(tmp_path)
        holder.kill()

    assert run(tmp_path).is_complete
    assert not (tmp_path / "lock").exists()


def test_plays_that_end_elsewhere_are_refused_where_code_is_compiled(tmp_path: Path) -> None:
    game = loading.load("tic-tac-toe")
    questions.explore(game, checkpoint=tmp_path, limits=Limits(depth=7))

    forge(tmp_path, lambda content: content["levels"][6]["over"].update({"0": 1}))

    with pytest.raises(NotUsable, match="its plays end otherwise than those of the document"):
        questions.explore(game, checkpoint=tmp_path)
