"""Kernels of documents, compiled to machine code, do what the interpreter does."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.support.agreement import answers, assert_agree, some_states
from tests.support.project import ROOT
from tests.support.understood import system_of
from zermelo.api import loading
from zermelo.core.expander import Expander
from zermelo.core.state import State
from zermelo.fast import jit
from zermelo.languages.sections.compile.kernel import Kernel, kernel
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.run.interpreter import Interpreter

DOCUMENTS = (
    "tests/documents/capture.md",
    "tests/documents/chain.txt",
    "tests/documents/family.md",
    "tests/documents/flood.md",
    "tests/documents/lamps.md",
    "tests/documents/nested.txt",
    "tests/documents/only-ascii.txt",
    "tests/documents/pawns-5x3.md",
    "tests/documents/three-players.md",
    "tests/documents/words.md",
    "games/four-quadrants/four-quadrants.md",
    "games/pegs/pegs.md",
    "games/tic-tac-toe/tic-tac-toe.md",
)
COUNTED: dict[str, dict[str, Any]] = tomllib.loads(
    (ROOT / "tests/documents/expected.toml").read_text(encoding="utf-8")
)
"""What is known of some of them by other means."""
SMALL = [name for name in DOCUMENTS if "states" in COUNTED.get(Path(name).name, {})]

pytestmark = pytest.mark.skipif(jit.available() is not None, reason="there is no compiler here")


@cache
def described(name: str) -> System:
    """The system that the document at *name* describes."""
    return system_of(loading.load(ROOT / name))


@cache
def compiled(name: str) -> Kernel:
    """Its kernel, made once for all tests."""
    made = kernel(Interpreter(described(name)), compiled=True)
    assert isinstance(made, Kernel), made
    return made


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_compiled_kernel_does_what_the_interpreter_does(name: str) -> None:
    assert_agree(Interpreter(described(name)), compiled(name))


@pytest.mark.parametrize("name", DOCUMENTS[:3])
def test_a_twin_does_the_same_and_keeps_its_own_answers(name: str) -> None:
    first = compiled(name)
    states = some_states(Interpreter(described(name)), Random(1))
    twin = first.twin()
    rows = np.array([first.pack(state) for state in states])
    kept = first.expand(rows)
    counts, after = kept.counts.tolist(), kept.states.tolist()

    assert answers(twin, states[::-1]) == answers(compiled(name).twin(), states[::-1])
    assert (kept.counts.tolist(), kept.states.tolist()) == (counts, after)
    assert answers(twin, states) == answers(first, states)


@pytest.mark.parametrize("name", SMALL)
def test_a_compiled_kernel_comes_to_the_states_that_were_counted_by_other_means(name: str) -> None:
    assert (
        _by_depth(compiled(name), Interpreter(described(name)).initial)
        == COUNTED[Path(name).name]["by_depth"]
    )


def _by_depth(expander: Expander, initial: State) -> list[int]:
    frontier = expander.pack(initial).reshape(1, -1)
    seen = {row.tobytes() for row in frontier}
    found: list[int] = []
    while len(frontier):
        found.append(len(frontier))
        after = np.unique(expander.expand(frontier).states, axis=0)
        frontier = np.array([row for row in after if row.tobytes() not in seen], dtype=np.int64)
        seen |= {row.tobytes() for row in frontier}
    return found
