"""Nets written for these tests, with numbers that were found by other means."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.support.understood import net_report, state_space
from zermelo.api import loading

HERE = Path(__file__).parent
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads(
    (HERE / "expected.toml").read_text(encoding="utf-8")
)
BOUNDED = sorted(name for name, known in EXPECTED.items() if "states" in known)
SHAPED = sorted(name for name, known in EXPECTED.items() if "components" in known)


def test_every_net_here_has_an_expectation_with_its_reason() -> None:
    nets = {path.name for path in HERE.iterdir() if path.suffix in {".net", ".pnml"}}

    assert nets == set(EXPECTED)
    assert all(known["why"] for known in EXPECTED.values())


@pytest.mark.parametrize("name", BOUNDED)
def test_a_net_has_the_markings_and_firings_that_were_counted(name: str) -> None:
    known = EXPECTED[name]
    game = loading.load(HERE / name)
    assert [each.message for each in game.diagnostics if each.is_error] == []

    found = state_space(game)

    assert found.machine == "compiled code"
    assert found.is_complete
    assert (found.states, found.arcs) == (known["states"], known["arcs"])
    assert found.terminal == known.get("terminal", found.terminal)


@pytest.mark.parametrize("name", SHAPED)
def test_a_net_has_the_components_that_were_counted(name: str) -> None:
    assert net_report(loading.load(HERE / name)).components == EXPECTED[name]["components"]


def test_a_net_that_makes_ever_more_tokens_is_said_to_be_unbounded() -> None:
    found = state_space(loading.load(HERE / "unbounded-colours.pnml"))

    assert found.unbounded is not None
    assert found.unbounded.grows
    assert not found.is_complete
