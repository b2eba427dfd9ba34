"""The first of the random documents that `tools/agree.py` compares, and what it found once."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tests.support import comparisons
from tests.support.project import ROOT

KEPT = ROOT / "tests/differential/agreement.txt"


@pytest.mark.parametrize(("kind", "count"), [("document", 40), ("net", 30), ("expression", 50)])
def test_the_first_ones_agree(kind: str, count: int) -> None:
    tally: Counter[str] = Counter()

    found = [comparisons.compare(kind, number, tally) for number in range(count)]

    assert [each for each in found if each is not None] == []


def test_what_is_compared_is_counted() -> None:
    tally: Counter[str] = Counter()

    for number in range(24, 36):
        assert comparisons.compare("document", number, tally) is None

    assert tally["documents compared"] + tally["documents without a kernel"] == 12
    assert tally["documents: probes"] == 3
    assert tally["documents: texts read"] == 3
    assert tally["kernels compiled by LLVM"] == 1
    assert min(tally["states"], tally["legal moves"], tally["rules fired"]) > 0


def test_the_kept_result_has_no_difference() -> None:
    text = KEPT.read_text(encoding="utf-8")

    assert re.search(r"^differences  0$", text, re.MULTILINE)
