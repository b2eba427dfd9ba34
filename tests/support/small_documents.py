"""Small documents with sets and variables to write rules about."""

from __future__ import annotations

from tests.support.random_systems import read
from zermelo.languages.sections.ir import System


def document(
    *rules: str,
    sets: str = "",
    variables: str = "",
    first: str = "left = ∅",
    facts: str = "",
    reading: str = "",
) -> str:
    """A document with the sets ``Nums``, ``Cells`` and ``More``, and ``left`` and ``turn``."""
    return "\n".join(
        [
            "Applicable Sets",
            *_lines("Nums : {1..3}", "Cells : Nums × Nums", "More : Nums ∪ {0}", sets),
            "System Variables",
            *_lines("left ⊆ Nums", "turn ∈ {true, false}", variables),
            "System Facts",
            *_lines(facts),
            "System Initialization",
            *_lines("turn = true", first),
            "System States and Behavior",
            *rules,
            "Reading",
            *_lines("flag turn: kept", "players: one when turn, two when ¬turn", reading),
            "",
        ]
    )


def heap_text(size: int) -> str:
    """One or two are taken from a heap of *size*, and whoever takes the last wins."""
    return f"""\
Applicable Sets
  H : {{0..{size}}}
  B : {{true, false}}
System Variables
  heap ∈ H
  first, over ∈ B
System Facts
  over ↔ (heap = 0)
System Initialization
  heap = {size}
  first = true
System States and Behavior
Take(n ∈ {{1, 2}})
  n ≤ heap → heap = heap − n ∧ first = ¬first
GameOver(over)
  result ∈ {{first wins, second wins}}
  over ∧ first → result = second wins
  over ∧ ¬first → result = first wins
"""


def _lines(*texts: str) -> list[str]:
    return [f"  {line.strip()}" for text in texts for line in text.splitlines() if line.strip()]


def meant(text: str) -> System:
    """The system that *text* describes."""
    found = read(text)
    assert found is not None
    return found
