"""Value functions are written once, and called wherever they are applied."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path
from unittest import mock

from tests.support.agreement import assert_agree
from tests.support.small_documents import document, meant
from zermelo import explore, load
from zermelo.languages.sections.compile import value_functions
from zermelo.languages.sections.compile.kernel import Kernel, kernel
from zermelo.languages.sections.run.interpreter import Interpreter

REVERSI = """\
Applicable Sets
  N : {1..4}
  P : N × N
  D : {−1, 0, 1} × {−1, 0, 1} − {(0, 0)}
  B : {true, false}
System Variables
  Black, White, Free ⊆ P
  turn, over ∈ B
System Facts
  Free = P − (Black ∪ White)
  over ↔ (∀p ∈ Free: Turned(p, Black, White) = ∅) ∧ (∀p ∈ Free: Turned(p, White, Black) = ∅)
System Initialization
  Black = {(2, 3), (3, 2)}
  White = {(2, 2), (3, 3)}
  turn = true
System States and Behavior
Turned(p ∈ P, own ⊆ P, opp ⊆ P) = {(u, v) ∈ opp | ∃(x, y) ∈ {p}: ∃(dx, dy) ∈ D: ∃k ∈ {1, 2}: \
∃m ∈ {2, 3}: (k < m ∧ (u, v) = (x + k · dx, y + k · dy) ∧ (x + m · dx, y + m · dy) ∈ own ∧ \
∀j ∈ {1, 2}: (j < m → (x + j · dx, y + j · dy) ∈ opp))}
Put(p ∈ P)
  turn ∧ p ∈ Free ∧ Turned(p, Black, White) ≠ ∅ → Black = Black ∪ {p} ∪ Turned(p, Black, White) \
∧ White = White − Turned(p, Black, White) ∧ turn = ¬turn
  ¬turn ∧ p ∈ Free ∧ Turned(p, White, Black) ≠ ∅ → White = White ∪ {p} ∪ Turned(p, White, Black) \
∧ Black = Black − Turned(p, White, Black) ∧ turn = ¬turn
GameOver(over)
  result ∈ {Black wins, White wins, draw}
  over ∧ |Black| = |White| → result = draw
  over ∧ |Black| > |White| → result = Black wins
  over ∧ |Black| < |White| → result = White wins
Reading
  stuck player: passes
"""

Position = tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]


def moves(own: frozenset[tuple[int, int]], other: frozenset[tuple[int, int]]) -> list[Position]:
    """What can follow in Reversi, by a plain program: who moved last comes second."""
    found = []
    for x, y in set(product(range(4), repeat=2)) - own - other:
        turned: set[tuple[int, int]] = set()
        for dx, dy in product((-1, 0, 1), repeat=2):
            line = []
            at = (x + dx, y + dy)
            while at in other and at not in line:
                line.append(at)
                at = (at[0] + dx, at[1] + dy)
            if at in own:
                turned.update(line)
        if turned:
            found.append((other - turned, own | turned | {(x, y)}))
    return found


def reversi() -> tuple[int, Counter[int]]:
    """How many positions there are, and by how much the first player has more at the end."""
    first = (frozenset({(1, 2), (2, 1)}), frozenset({(1, 1), (2, 2)}), True)
    seen, waiting = {first}, [first]
    ends: Counter[int] = Counter()
    while waiting:
        own, other, is_first = waiting.pop()
        after = [(a, b, not is_first) for a, b in moves(own, other)]
        if not after and moves(other, own):
            after = [(other, own, not is_first)]
        if not after:
            ahead = (len(own) - len(other)) * (1 if is_first else -1)
            ends[(ahead > 0) - (ahead < 0)] += 1
        new = set(after) - seen
        seen |= new
        waiting += new
    return len(seen), ends


def test_reversi_is_explored_on_code_that_is_short(tmp_path: Path) -> None:
    states, ends = reversi()
    (tmp_path / "reversi.md").write_text(REVERSI, "utf-8")

    made = kernel(Interpreter(meant(REVERSI)))
    space = explore(load(tmp_path / "reversi.md"))

    assert isinstance(made, Kernel)
    # one that gives the set, and one that only tells whether it has members
    assert made.source.count("def value_") == 2
    assert len(made.source.splitlines()) < 600
    assert space.states == states == 62_789
    assert {str(ending.outcome): ending.count for ending in space.endings} == {
        "Black wins": ends[1],
        "White wins": ends[-1],
        "draw": ends[0],
    }


def test_a_guard_and_its_conclusion_call_a_function_once() -> None:
    made = kernel(Interpreter(meant(REVERSI)), compiled=False)

    assert isinstance(made, Kernel)
    turn = made.source.partition("def turn_0(")[2].partition("\ndef ")[0]
    # the set for each player's rule, and whether there is one for each part of `over`
    assert turn.count("= value_0(") == 2
    assert turn.count("= value_1(") == 2


def test_what_a_guard_computed_is_not_used_where_it_was_not_run() -> None:
    described = meant(
        document(
            "Near(p ∈ Many) = {q ∈ some | ∃r ∈ {1, 2, 3}: (q = p + r ∨ q = p − r)}",
            "Put(p ∈ Many)",
            "  p ∉ some ∧ Near(p) ≠ ∅ → some = some ∪ {p} ∪ Near(p)",
            "  p ∈ some ∨ |Near(p)| = 2 → some = (some ∪ {1}) − Near(p)",
            "  |Near(p)| = 1 ∧ p > 4 → some = Near(p)",
            sets="Many : {1..12}",
            variables="some ⊆ Many",
            first="left = {1}\nsome = {1, 7}",
        )
    )
    machine = Interpreter(described)

    for is_compiled in (False, True):
        with mock.patch.object(value_functions, "FEWEST_LINES", 0):
            made = kernel(machine, compiled=is_compiled)
        assert isinstance(made, Kernel)
        assert_agree(machine, made)


def test_a_function_reads_variables_as_they_are_when_it_is_called() -> None:
    described = meant(
        document(
            "Few(p ∈ Many) = {q ∈ some | ∃r ∈ some: (q + r = p ∨ q · r = p ∨ q − r = p)}",
            "Put(p ∈ Many)",
            "  Few(p) = ∅ → some = some ∪ {p}",
            "  Few(p) ≠ ∅ ∧ p ∉ some → some = Few(p)",
            "  |Few(p)| = 1 → some = some − Few(p)",
            sets="Many : {1..40}",
            variables="some ⊆ Many",
            first="left = {1}\nsome = {1}",
        )
    )
    machine = Interpreter(described)

    for is_compiled in (False, True):
        with mock.patch.object(value_functions, "FEWEST_LINES", 0):
            made = kernel(machine, compiled=is_compiled)
        assert isinstance(made, Kernel)
        assert "def value_0(" in made.source
        assert_agree(machine, made)
