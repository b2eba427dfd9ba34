"""Hostile documents are answered with the number, and take little memory."""

import subprocess
import sys

import pytest

from tests.support.project import SOURCE

DOCUMENT = """
Applicable Sets
  P : {{1..6}} × {{1..6}}
  K : {{1..1000}}
  B : {{true, false}}
System Variables
  X ⊆ P
  over ∈ B
System Facts
  over ↔ ({fact})
System Initialization
  X = ∅
System States and Behavior
Move(p ∈ P)
  p ∉ X → X = X ∪ {{p}}
GameOver(over)
  result ∈ {{full}}
  over → result = full
"""

MEMORY = 200 * 2**20

SCRIPT = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_DATA, ({MEMORY}, {MEMORY}))
from zermelo.api import loading
game = loading.load_text(sys.stdin.read())
for each in game.diagnostics:
    print(each.code.id, each.message)
machine = game.machine
print(len(machine.legal(machine.initial)), "moves")
"""


def said_of(fact: str) -> str:
    """What is said of a document with *fact*, by a process that may use 200 MB."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=DOCUMENT.format(fact=fact),
        check=True,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        env={"PYTHONPATH": str(SOURCE), "PYTHONUTF8": "1"},
    )
    return done.stdout


@pytest.mark.parametrize(
    ("fact", "size"),
    [
        ("∃w ∈ 𝒫(𝒫(P)): |w| = |X|", "2^(2^36)"),
        ("∃n ∈ {1..10^9}: n mod 7 = |X|", "1,000,000,000"),
        ("∃t ∈ K × K × K × K × K: |X| = 1", "1,000,000,000,000,000"),
    ],
)
def test_a_set_too_large_to_be_listed_is_refused_with_its_size(fact: str, size: str) -> None:
    said = said_of(fact)

    assert "Z403" in said
    assert size in said


@pytest.mark.parametrize(
    "fact",
    ["X ∈ 𝒫(P) ∧ |X| = 9", "|𝒫(X) ∩ {{(1, 1)}, {(1, 2)}}| = 2", "|X| ∈ ℕ ∧ X = P"],
)
def test_a_set_that_need_not_be_listed_is_not(fact: str) -> None:
    assert said_of(fact).splitlines()[-1] == "36 moves"
    assert "Z403" not in said_of(fact)
