"""Two ways to explore agree: one state after another, and level by level on packed states."""

from pathlib import Path

import pytest

from tests.support.project import ROOT
from tests.support.understood import system_of
from zermelo.api import loading
from zermelo.core.adapter import MachineExpander
from zermelo.core.limits import Limits
from zermelo.core.space import ExploreOptions, Space
from zermelo.engines.check import check as one_by_one
from zermelo.engines.space.exploration import explore
from zermelo.engines.space.store import small
from zermelo.languages.sections.compile.kernel import Kernel, kernel
from zermelo.languages.sections.run.interpreter import Interpreter

DOCUMENTS = sorted(
    path
    for path in (ROOT / "tests" / "documents").iterdir()
    if path.suffix in {".md", ".txt", ".tex"}
)
RULES = ExploreOptions(rules=True)
COUNTED = (
    "states",
    "by_depth",
    "over_by_depth",
    "endings",
    "stuck",
    "full_depth",
    "cut",
)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_both_find_the_same_space(path: Path) -> None:
    game = loading.load(str(path))
    machine = Interpreter(system_of(game))

    for limits in (Limits(states=150), Limits(depth=2)):
        agree(machine, limits)


def agree(machine: Interpreter, limits: Limits) -> None:
    """Explore *machine* in both ways."""
    expander = MachineExpander(machine)
    found = explore(
        expander, small(expander.words), start=expander.pack(machine.initial), limits=limits
    )

    plain = one_by_one.explore(machine, limits=limits)
    assert said(found) == said(plain)
    if plain.is_complete:
        assert found.moves == plain.moves
        assert {each.fault: each.count for each in found.faults} == {
            each.fault: each.count for each in plain.faults
        }


def said(space: Space) -> dict[str, object]:
    data = {name: getattr(space, name) for name in COUNTED}
    data["endings"] = set(space.endings)
    return data


@pytest.mark.parametrize(
    "name", ["family.md", "nested.txt", "three-players.md", "capture.md", "stacked.md"]
)
def test_a_kernel_in_python_finds_the_same_space(name: str) -> None:
    game = loading.load(str(ROOT / "tests" / "documents" / name))
    machine = Interpreter(system_of(game))
    fast = kernel(machine, compiled=False)
    assert isinstance(fast, Kernel)
    slow = MachineExpander(machine)
    limits = Limits(depth=3)

    kernels, interpreters = (
        explore(
            each, small(each.words), start=each.pack(machine.initial), limits=limits, wishes=RULES
        )
        for each in (fast, slow)
    )

    assert said(kernels) == said(interpreters)
    assert kernels.fired == interpreters.fired
