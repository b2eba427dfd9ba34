"""What changed in meaning between two versions of a document is said in sentences."""

from __future__ import annotations

import pytest

from zermelo.api import comparing, loading

BEFORE = """\
Applicable Sets
  N : {0..4}
  Steps : {1, 2}
  B : {true, false}
System Variables
  n ∈ N
  turn, over ∈ B
System Facts
  over ↔ n = 0
System Initialization
  n = 4
  turn = true
System States and Behavior
Take(k ∈ Steps)
  k ≤ n ∧ ¬over → n = n − k ∧ turn = ¬turn
GameOver(over)
  result ∈ {A wins, B wins}
  over ∧ ¬turn → result = A wins
  over ∧ turn → result = B wins
Reading
  order: in order
  players: A when turn, B when ¬turn
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{1, 2}", "{1, 2, 3}", "the set `Steps` has got `3`"),
        ("{1, 2}", "{2, 3}", "the set `Steps` has lost `1` and has got `3`"),
        ("n = 4", "n = 3", "the first value of `n` was `4` and is `3`"),
        ("over ↔ n = 0", "over ↔ n ≤ 1", "the fact that defines `over` was `n = 0` and is `n ≤ 1`"),
        ("k ≤ n ∧ ¬over →", "k ≤ n →", "rule 1 of `Take` no longer asks for `¬over`"),
        ("k ≤ n ∧", "k ≤ n ∧ k > 1 ∧", "rule 1 of `Take` asks for `k > 1` as well"),
        ("k ≤ n ∧", "k < n ∧", "rule 1 of `Take` asked for `k ≤ n` and asks for `k < n` instead"),
        (
            "n = n − k ∧ turn = ¬turn",
            "n = n − k",
            "rule 1 of `Take` concluded `n = n − k ∧ turn = ¬turn` and concludes `n = n − k`",
        ),
        (
            "  over ∧ turn → result = B wins\n",
            "",
            "rule 2 of `GameOver` is gone: `over ∧ turn → result = B wins`",
        ),
        (
            "order: in order",
            "order: at once",
            "the reading `order` was `in order` and is `at once`",
        ),
        ("k ∈ Steps", "k ∈ N", "the parameters of `Take` were `(k ∈ Steps)` and are `(k ∈ N)`"),
        ("  N : {0..4}", "  M : {7}\n  N : {0..4}", "the set `M` is new"),
    ],
)
def test_each_change_has_its_sentence(old: str, new: str, said: str) -> None:
    assert old in BEFORE
    before = loading.load_text(BEFORE, name="before.md")
    after = loading.load_text(BEFORE.replace(old, new, 1), name="after.md")

    changes = comparing.compare(before, after).changes

    assert said in changes
    assert len(changes) == 1


def test_another_way_to_write_the_same_is_no_change() -> None:
    other = BEFORE.replace("{1, 2}", "{2, 1}").replace("{0..4}", "{0, 1, 2, 3, 4}")
    other = other.replace("System Facts", "Some words in between.\n\nSystem Facts")

    found = comparing.compare(
        loading.load_text(BEFORE, name="before.md"), loading.load_text(other, name="after.md")
    )

    assert found.changes == ()
    assert found.is_equal


def test_a_set_that_is_made_of_one_that_changed_is_told_too() -> None:
    before = BEFORE.replace("  B :", "  Pairs : Steps × {1}\n  B :")

    found = comparing.compare(
        loading.load_text(before, name="before.md"),
        loading.load_text(before.replace("{1, 2}", "{1}"), name="after.md"),
    )

    assert found.changes == (
        "the set `Steps` has lost `2`",
        "the set `Pairs`, made of others, has lost `(2, 1)`",
    )
