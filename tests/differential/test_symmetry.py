"""One state of each class, and all states: what is counted is the same.

The counts of `tests/documents/expected.toml` were made without symmetries, by
programs that share no code with the package.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from typing import Any

import pytest

from tests.support.project import TESTS
from zermelo.api import loading, questions
from zermelo.core.values import to_text

DOCUMENTS = TESTS / "documents"
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads(
    (DOCUMENTS / "expected.toml").read_text(encoding="utf-8")
)
SMALL = sorted(name for name, known in EXPECTED.items() if known.get("states", 10_000) < 10_000)


@pytest.mark.parametrize("name", SMALL)
def test_classes_stand_for_as_many_positions_as_were_counted_by_other_means(name: str) -> None:
    known = EXPECTED[name]

    found = questions.explore(loading.load(DOCUMENTS / name), symmetry="turn")

    endings: Counter[str] = Counter()
    for each in found.endings:
        result = each.outcome.result
        endings["" if result is None else to_text(result)] += each.count
    assert found.states == known["states"]
    assert list(found.by_depth) == known["by_depth"]
    assert dict(endings) == known["endings"]
    assert (0 if found.stuck is None else found.stuck.count) == known.get("stuck", 0)
    assert found.classes is not None
    assert sum(found.classes.by_depth) == found.classes.count <= found.states


@pytest.mark.slow
@pytest.mark.parametrize(
    ("readings", "classes", "positions"),
    [
        ({}, 10_096_384, 24_072_650_378_629_801),
        ({"end": "when a result is known"}, 10_095_746, 24_072_643_933_713_833),
    ],
    ids=["when over", "when a result is known"],
)
def test_a_group_too_large_to_list_is_used_by_sorting(
    readings: dict[str, str], classes: int, positions: int
) -> None:
    """The counts are those of a program that was written independently for this one game."""
    found = questions.explore(
        loading.load("four-quadrants", readings=readings), symmetry="turn", threads=2
    )

    assert found.classes is not None
    assert found.classes.count == classes
    assert found.states == positions
