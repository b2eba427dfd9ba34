"""How long a step takes: every kind of expression and statement, worked out very often.

    python -m tools.steps [part of a name …]

A step, as ``zermelo.text.budget`` counts them, is to be about a quarter of a microsecond whatever
a document does: the answer to a document must not depend on the clock, and is to take ten seconds
of a processor at most. For each kind of work this writes a document that does it and little else,
reads and checks it within some million steps, and prints how many microseconds each took. What is
above the ceiling is marked with ``!!``: there the charge in the code is too low. Nothing here is a
test, since it goes by the clock; ``tests/quality/test_endless.py`` compares the same documents'
steps with the calls of functions that they take.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from typing import Final

from tests.support.growing import sections
from zermelo.api import loading, questions
from zermelo.core.limits import Limits
from zermelo.text import budget

STEPS: Final = 1_500_000
CEILING: Final = 0.38
"""Microseconds."""


def many(body: str, *, sets: str = "", facts: str = "") -> str:
    """A document in which *body*, a formula of x and y that is false, is worked out often."""
    return sections(
        sets=f"  N : {{1..900}}\n{sets}",
        facts=f"{facts}\n  f ↔ ∃x ∈ N: ∃y ∈ N: {body}",
        rules="  f → n = 2",
    )


def turns(rules: str, *, sets: str = "", variables: str = "", starts: str = "") -> str:
    """A document whose moves are made often."""
    return f"""
Applicable Sets
  R : {{1..30}}
  B : {{true, false}}
{sets}
System Variables
  X ⊆ R
  n ∈ ℕ
  m ∈ ℕ
{variables}
System Facts
  full ↔ X = R
System Initialization
  X = ∅
  n = 1
  m = 0
{starts}
System States and Behavior
Move(p ∈ R)
  p ∉ X → X = X ∪ {{p}}
{rules}
GameOver(full)
  result ∈ {{draw}}
  full → result = draw
"""


def lines(count: int, line: Callable[[int], str]) -> str:
    return "\n".join(map(line, range(count)))


def chain(count: int) -> str:
    """Names of which each stands for two of the one before."""
    return "  C0 : {1..5000}\n" + lines(
        count, lambda i: f"  C{i + 1} : C{i} ∪ {{{i + 6000}..9999}}"
    )


BIG: Final = "  big = 2^4000 + 1\n  odd = 3^2500"
EXPRESSIONS: Final[Mapping[str, str]] = {
    "number": many("x = 0"),
    "sum": many("x + y = 0"),
    "product": many("x · y = 0"),
    "difference": many("x − y = 1000"),
    "remainder": many("x mod y = −1"),
    "quotient": many("x / y = −1"),
    "quotient of large numbers": many("(big + x) / (odd + y) = −1", facts=BIG),
    "product of large numbers": many("(odd + x) · y = −1", facts="  odd = 3^2500"),
    "product of numbers of half the size": many("(h + x) · (h + y) = −1", facts="  h = 2^2000 + 1"),
    "remainder of large numbers": many(
        "(big + x) mod (h + y) = −1", facts=BIG + "\n  h = 2^2000 + 1"
    ),
    "sum of large numbers": many("big + x + y = −1", facts=BIG),
    "comparison of large numbers": many("big + x < odd", facts=BIG),
    "power": many("x^2 = −1"),
    "large power": many("(x + 3)^400 = −1"),
    "power of a fraction": many("(x / 7)^(−3) = −1"),
    "large power of a fraction": many("((3·x + 1) / 3)^300 = −1"),
    "fractions": many("x / 7 + y / 11 = −1"),
    "large fractions": many("r + x / 7 = −1", facts="  r = 1 / (2^4000 + 1)"),
    "rounding": many("⌊x / 7⌋ = −1"),
    "absolute value": many("|x − y| = −1"),
    "chain of comparisons": many("0 < x < y < 0"),
    "conjunction": many("x > 0 ∧ y > 0 ∧ x < 0"),
    "disjunction": many("x < 0 ∨ y < 0 ∨ x = 0"),
    "implication": many("¬(x > 0 → y > 0)"),
    "equivalence": many("(x > 0) ↔ (y < 0)"),
    "pair": many("(x, y) = (0, 0)"),
    "long tuple": many(f"({', '.join(['x'] * 60)}) = (y, y)"),
    "nested tuple": many("((x, y), (x, (y, y))) = ((0, 0), (0, (0, 0)))"),
    "set of two": many("{x, y} = {0}"),
    "set of many": many(f"{{{', '.join(f'x + {i}' for i in range(50))}}} = {{0}}"),
    "range": many("{x..x + 9} = {0}"),
    "long range": many("{x..x + 3000} = {y..y + 2999}"),
    "set of ranges": many("{x..x + 9, y..y + 9, 1..9} = {0}"),
    "set of many ranges": many(
        f"{{{', '.join(f'x + {9 * i}..x + {9 * i + 5}' for i in range(60))}}} = {{0}}"
    ),
    "member of a set": many("x ∉ N"),
    "member of a range": many("x + y ∈ {−9..−1}"),
    "member of a product": many("(x, y) ∉ N × N"),
    "member of a power set": many("{x, y} ∉ 𝒫(N)"),
    "member of named unions": many("x ∉ C12 ∧ y = 0", sets=chain(12)),
    "member of a long named union": many("x ∉ C60 ∧ y = 0", sets=chain(60)),
    "member of a selection": many("x ∈ {z ∈ {1..5000} | z > 9000}"),
    "union": many("{x} ∪ {y} = ∅"),
    "union of long sets": many("S ∪ T = ∅ ∧ x = y", sets="  S : {1..2000}\n  T : {1000..3000}"),
    "intersection": many("{x} ∩ {y} = {0}"),
    "intersection of long sets": many("S ∩ T = ∅", sets="  S : {1..2000}\n  T : {1000..3000}"),
    "intersection of ranges": many("{x..x + 3000} ∩ {y + 50..y + 3000} = ∅"),
    "intersection of long ranges": many("{x..x + 9000} ∩ {y..y + 9000} = {0}"),
    "difference of long sets": many("S − T = ∅", sets="  S : {1..2000}\n  T : {1000..3000}"),
    "equality of long sets": many("S ∪ {x} ≠ T ∪ {x}", sets="  S : {1..2000}\n  T : {1..2000}"),
    "equality of equal sets": many("S ≠ T", sets="  S : {1..2000}\n  T : {1..1000} ∪ {1001..2000}"),
    "equality of long ranges": many("{x..9000} = {y..9001}"),
    "inclusion": many("{x, y} ⊆ {0}"),
    "inclusion of long sets": many("T ⊆ S", sets="  S : {1..2000}\n  T : {1..2000} ∪ {5000}"),
    "inclusion of ranges": many("{x..x + 9} ⊆ {y + 20..y + 30}"),
    "inclusion of a long range": many("S ⊈ C5", sets=chain(5) + "\n  S : {1..4000}"),
    "proper inclusion": many("T ⊂ S", sets="  S : {1..2000}\n  T : {1..2000}"),
    "product of sets": many("{x} × {y} = ∅"),
    "power set": many("𝒫({x, y}) = ∅"),
    "power set of ten": many("𝒫({x..x + 9}) = ∅"),
    "size of a set": many("|N| = x + y + 1000"),
    "size of a range": many("|{x..9000}| = −y"),
    "size of a union of ranges": many("|{x..9000} ∪ {y..9000}| = −y"),
    "size of a product": many("|N × N × {x..9000}| = −1"),
    "size of subsets": many("|{z ∈ 𝒫({x..x + 30}) | |z| = 2}| = −1"),
    "size of many subsets": many("|{z ∈ 𝒫({1..4000}) | |z| ≤ 300}| = −1"),
    "selection": many("{z ∈ {1..9} | z > x + y} = {0}"),
    "long selection": many("{z ∈ N | z > x + y} = {0}"),
    "image": many("{z + x | z ∈ {1..9}} = {0}"),
    "pairs": many("{(z, v) | z ∈ {1..9}, v ∈ {1..9}} = {(x, y)}"),
    "selection of pairs": many("{(z, v) ∈ {1..9} × {1..9} | z > v + x} = {(x, y)}"),
    "∃": many("∃z ∈ {1..9}: z = x + y + 9"),
    "∃ over one": many("∃z ∈ {x}: z = 0"),
    "∃ over pairs": many("∃(z, v) ∈ {1..9} × {1..9}: z = v + x + 9"),
    "∃ bounded": many("∃z ∈ ℕ: z < 9 ∧ z > x + 8"),
    "∀": many("∀z ∈ {1..9}: z > x + y + 9"),
    "∃ in ∃": many("∃a ∈ {x}: ∃b ∈ {a}: ∃c ∈ {b}: ∃d ∈ {c}: d = 0"),
    "sum of many": many("∑_{z ∈ {1..9}} (z + x) = 0"),
    "product of many": many("∏_{z ∈ {1..9}} (z + x) = 0"),
    "product of very many": many("∏_{z ∈ {1..300}} (z + x) = 0"),
    "sum of fractions": many("∑_{z ∈ {1..300}} (1 / (z + x)) = 0"),
    "function": many("g(x, y) = 0") + "g(a ∈ ℕ, b ∈ ℕ) = a + b\n",
    "function of a variable": many("g(x, y) = 0") + "g(a ∈ ℕ, b ∈ ℕ) = a + b + n\n",
    "recursion": many("g(x) = −1") + "g(a ∈ ℤ) = ∑_{z ∈ {b ∈ {1} | a > 0}} (1 + g(a − 1))\n",
    "fact": many("s = −1 ∧ x = y", facts="  s = n + 1"),
    "no value in ∃": many("1 / (x − x) = y"),
    "no value in ∀": many("∀z ∈ {1..9}: 1 / (x − x) = y"),
    "no value in a selection": many("{z ∈ {1..9} | 1 / (x − x) = y} = {0}"),
    "no value in a sum": many("∑_{z ∈ {1..9}} (1 / (x − x)) = y"),
    "no value with a long formula": many(
        f"1 / (x − x) = {' + '.join(f'y · {i} · {i}' for i in range(300))}"
    ),
    "no number": many("x / 0 + {z ∈ N | z > x} = y"),
    "a long set that is no number": many(
        "∃z ∈ {S ∪ {x + 5000}}: z + 1 = 0", sets="  S : {1..4000}"
    ),
    "words": many("w ∉ W ∧ x = y", sets="  W : {ex, oh}", facts="  w = ex"),
}
STATEMENTS: Final[Mapping[str, str]] = {
    "rules that do not fire": turns(lines(40, lambda i: f"  n = {i} + 5000 → m = 1")),
    "rules that fire": turns(lines(40, lambda i: f"  n > 0 → m = {i}")),
    "equal rules": turns(lines(300, lambda _: "  p ∉ X → X = X ∪ {p}")),
    "assignments": turns(lines(40, lambda i: f"  m = {i} + n")),
    "assignments together": turns("  n > 0 → " + " ∧ ".join(f"m = {i}" for i in range(40))),
    "local names": turns(lines(40, lambda i: f"  l{i} = {i} + n")),
    "declared local names": turns(
        lines(20, lambda i: f"  l{i} = {i} + n") + "\n" + lines(20, lambda i: f"  l{i} ∈ ℕ")
    ),
    "tuples of local names": turns(lines(40, lambda i: f"  (a{i}, b{i}) = (n, m)")),
    "calls": turns(lines(40, lambda i: f"  Help({i})") + "\nHelp(a ∈ ℕ)\n  m = a"),
    "calls that are skipped": turns(
        lines(40, lambda i: f"  Help({i})") + "\nHelp(a ∈ {9..9})\n  m = a"
    ),
    "calls of calls": turns(
        "  H0(1)\n"
        + lines(11, lambda i: f"H{i}(a ∈ ℕ)\n  H{i + 1}(a)\n  H{i + 1}(a)")
        + "\nH11(a ∈ ℕ)\n  m = a"
    ),
    "recursion of calls": turns("  Help(200)\nHelp(a ∈ ℤ)\n  a > 0 → Help(a − 1)\n  m = a"),
    "many variables": turns(
        lines(20, lambda i: f"  Help({i})") + "\nHelp(a ∈ ℕ)\n  m = a",
        variables=lines(200, lambda i: f"  v{i} ∈ R"),
        starts=lines(200, lambda i: f"  v{i} = 1"),
    ),
    "many moves": turns("Other(a, b ∈ R)\n  a ∉ X ∧ b ∉ X → X = X ∪ {a, b}"),
    "moves without effect": turns("Other(a, b ∈ R)\n  a > b + 100 + n → X = X ∪ {a, b}"),
    "moves that fail": turns("Other(a, b ∈ R)\n  n > 0 → m = 1 / (a − a)"),
    "values outside": turns("Other(a, b ∈ R)\n  n > 0 → X = {a + b + 100}"),
    "long values": turns(
        "  Y = Y ∪ {p + n}", sets="  L : {1..4000}", variables="  Y ⊆ L", starts="  Y = L"
    ),
    "long values that fail": turns(
        "  Y = Y ∪ {p + 5000}", sets="  L : {1..4000}", variables="  Y ⊆ L", starts="  Y = L"
    ),
    "long values that conflict": turns(
        "  n > 0 → Y = L − {p}\n  n > 0 → Y = L − {p + 1}",
        sets="  L : {1..4000}",
        variables="  Y ⊆ L",
        starts="  Y = L",
    ),
    "doubled tuples": turns(
        "  t0 = (n, m)\n"
        + lines(14, lambda i: f"  t{i + 1} = (t{i}, t{i})")
        + "\n  t14 = t13 → m = 1"
    ),
    "doubled tuples in sets": turns(
        "  t0 = (n, p)\n"
        + lines(30, lambda i: f"  t{i + 1} = (t{i}, t{i})")
        + "\n  t30 ∈ {t29} → m = 1"
    ),
    "nested sets": turns(
        "  s0 = {n, p}\n"
        + lines(30, lambda i: f"  s{i + 1} = {{s{i}}}")
        + "\n  s30 = {s30} → m = 1"
    ),
}
DOCUMENTS: Final[Mapping[str, str]] = {**EXPRESSIONS, **STATEMENTS}


def measure(name: str, document: str) -> bool:
    """Print how long a step of *document* takes; whether that is within the ceiling."""
    with budget.timed(), budget.budget(steps=10 * STEPS) as spent:
        began = time.process_time()
        with budget.budget(steps=STEPS) as first:
            game = loading.load_text(document)
        read = time.process_time() - began
        began = time.process_time()
        looked = 0.0
        if game.is_loaded:
            questions.check(game, limits=Limits(states=20_000, moves=20_000, steps=3 * STEPS))
            looked = time.process_time() - began
    checked = spent.spent - first.spent
    each = (_each(read, first.spent), _each(looked, checked))
    is_fine = all(micros is None or micros <= CEILING for micros in each)
    told = "  ".join(
        f"{what} {steps / 1e6:5.2f}M {'' if micros is None else f'{micros:.2f}':>5}"
        for what, steps, micros in zip(("read", "check"), (first.spent, checked), each, strict=True)
    )
    said = "" if game.is_loaded else "  ".join(d.message for d in game.diagnostics if d.is_error)
    print(f"{'  ' if is_fine else '!!'} {told}  {name:34} {said[:90]}", flush=True)
    return is_fine


def _each(seconds: float, steps: int) -> float | None:
    """Microseconds a step; ``None`` where there were too few to tell."""
    return None if steps < STEPS // 10 else seconds / steps * 1e6


def main() -> int:
    wanted = sys.argv[1:]
    loading.load_text(sections())
    chosen = {n: d for n, d in DOCUMENTS.items() if not wanted or any(w in n for w in wanted)}
    results = [measure(name, document) for name, document in chosen.items()]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
