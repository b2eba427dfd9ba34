"""Explorations on disk: one that was stopped goes on, and nothing else is taken for it."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.support.drawn import Drawn, grid
from zermelo.core.layout import Layout
from zermelo.core.limits import Listener
from zermelo.core.signature import Reading, Signature
from zermelo.core.space import Space
from zermelo.engines.space.checkpoint import NAME, Checkpoint
from zermelo.engines.space.exploration import explore
from zermelo.engines.space.store import small
from zermelo.text.errors import UsageError

START = np.zeros(1, dtype=np.int64)
GRID = grid(30)
OVER = frozenset({29, 30 * 29, 400})


def run(folder: Path, drawn: Drawn | None = None, listener: Listener | None = None) -> Space:
    drawn = drawn or Drawn(GRID, over=OVER, faulty=frozenset({33}))
    kept, store = Checkpoint(folder, drawn), small(1)
    begun = kept.resume(store)
    return explore(drawn, store, start=START, listener=listener, checkpoints=kept, begun=begun)


def said(found: Space) -> list[object]:
    return [getattr(found, name) for name in Space.__dataclass_fields__ if name != "run"]


def stopped(folder: Path, states: int) -> None:
    """Leave an exploration in *folder* that was stopped after so many states."""
    assert run(folder, listener=lambda progress: progress.states >= states).cut == "interrupted"


@pytest.mark.parametrize("states", [1, 3, 100, 450, 880])
def test_an_exploration_goes_on_where_it_was_stopped(tmp_path: Path, states: int) -> None:
    stopped(tmp_path, states)

    assert said(run(tmp_path)) == said(run(tmp_path / "never stopped"))


def test_states_are_not_followed_twice(tmp_path: Path) -> None:
    stopped(tmp_path, 800)
    drawn = Drawn(GRID, over=OVER, faulty=frozenset({33}))

    kept, store = Checkpoint(tmp_path, drawn), small(1)
    begun = kept.resume(store)

    assert begun is not None
    assert sum(level.followed for level in begun.levels) > 700
    assert store.states >= 800


def test_a_finished_exploration_is_there_at_once(tmp_path: Path) -> None:
    first = run(tmp_path)

    assert said(run(tmp_path)) == said(first)


def test_a_run_that_breaks_down_leaves_what_it_kept(tmp_path: Path) -> None:
    class Breaks(Drawn):
        def is_late(self) -> bool:
            return self.expanded > 500

    drawn = Breaks(GRID, over=OVER, faulty=frozenset({33}))

    def listener(_: object) -> bool:
        if drawn.is_late():
            raise KeyboardInterrupt
        return False

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, drawn, listener)

    assert said(run(tmp_path)) == said(run(tmp_path / "never stopped"))


def test_half_written_files_do_no_harm(tmp_path: Path) -> None:
    stopped(tmp_path, 300)
    (tmp_path / "level-0099.states.new").write_bytes(b"half")
    (tmp_path / "pending-9999.states").write_bytes(b"never named")
    (tmp_path / f"{NAME}.new").write_bytes(b"{")

    assert run(tmp_path).is_complete


def test_another_document_is_refused(tmp_path: Path) -> None:
    class Other(Drawn):
        @property
        def signature(self) -> Signature:
            return replace(super().signature, name="other", fingerprint="other")

    stopped(tmp_path, 300)

    with pytest.raises(UsageError, match="is of another document, or of this one before"):
        run(tmp_path, Other(GRID))


def test_other_readings_are_refused(tmp_path: Path) -> None:
    class Reread(Drawn):
        @property
        def signature(self) -> Signature:
            reading = Reading("order", "at once", ("in order", "at once"), "", "caller")
            return replace(super().signature, readings=(reading,))

    stopped(tmp_path, 300)

    with pytest.raises(UsageError, match="is of the same document with other readings"):
        run(tmp_path, Reread(GRID))


def test_states_that_are_not_packed_cannot_be_kept(tmp_path: Path) -> None:
    class Loose(Drawn):
        @property
        def layout(self) -> Layout | None:
            return None

    with pytest.raises(UsageError, match="cannot be kept"):
        Checkpoint(tmp_path, Loose(GRID))


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("level-0003.states", "has other bytes than were written"),
        (NAME, "is not as it was written"),
    ],
)
def test_damage_is_noticed(tmp_path: Path, name: str, what: str) -> None:
    stopped(tmp_path, 300)
    data = bytearray((tmp_path / name).read_bytes())
    data[5] ^= 64

    (tmp_path / name).write_bytes(data)

    with pytest.raises(UsageError, match=what):
        run(tmp_path)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda path: path.unlink(), "is missing"),
        (lambda path: path.write_bytes(path.read_bytes()[:-8]), "has not the size"),
    ],
)
def test_a_file_that_was_lost_or_cut_is_noticed(tmp_path: Path, change, what: str) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    stopped(tmp_path, 300)

    change(tmp_path / "level-0004.states")

    with pytest.raises(UsageError, match=what):
        run(tmp_path)


def test_another_format_is_refused(tmp_path: Path) -> None:
    stopped(tmp_path, 300)
    data = json.loads((tmp_path / NAME).read_text("utf-8"))
    data["format"] = "zermelo exploration 0"

    (tmp_path / NAME).write_text(json.dumps(data), "utf-8")

    with pytest.raises(UsageError, match="another version"):
        run(tmp_path)
