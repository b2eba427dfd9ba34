"""Documents that grow in one dimension at a time, and documents that ask for endless work."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Final


def sections(
    *,
    before: str = "",
    sets: str = "",
    variables: str = "",
    facts: str = "",
    starts: str = "",
    rules: str = "",
    behind: str = "",
) -> str:
    """A small document with sections, with more lines put into them."""
    return f"""{before}
Applicable Sets
  R : {{1..3}}
  B : {{true, false}}
{sets}
System Variables
  X ⊆ R
  n ∈ R
{variables}
System Facts
  full ↔ X = R
{facts}
System Initialization
  X = ∅
  n = 1
{starts}
System States and Behavior
Move(p ∈ R)
  p ∉ X → X = X ∪ {{p}}
{rules}
GameOver(full)
  result ∈ {{draw}}
  full → result = draw
{behind}
"""


def led(code: str, *, before: str = "") -> str:
    return f"{before}\n\n/$\na := 1\nf(x) := x + a\n{code}\n$/\n"


def _lines(count: int, line: Callable[[int], str]) -> str:
    return "\n".join(map(line, range(count)))


def _joined(count: int, sign: str, part: Callable[[int], str]) -> str:
    return sign.join(map(part, range(count)))


SECTIONS: Final[Mapping[str, Callable[[int], str]]] = {
    "variables": lambda n: sections(
        variables=_lines(n, lambda i: f"  v{i} ∈ R"), starts=_lines(n, lambda i: f"  v{i} = 1")
    ),
    "sets": lambda n: sections(sets=_lines(n, lambda i: f"  S{i} : {{1..{i % 5 + 2}}}")),
    "facts": lambda n: sections(facts=_lines(n, lambda i: f"  f{i} ↔ {i % 3 + 1} ∈ X")),
    "rules": lambda n: sections(rules=_lines(n, lambda i: f"  p ∈ X ∧ n = {i % 3} → n = 2")),
    "equal rules": lambda n: sections(rules=_lines(n, lambda _: "  p ∉ X → X = X ∪ {p}")),
    "equal sets": lambda n: sections(sets=_lines(n, lambda _: "  S : {1..3}")),
    "procedures": lambda n: sections(
        rules=_lines(n, lambda i: f"Move{i}(p ∈ R)\n  p ∉ X → X = X ∪ {{p}}")
    ),
    "functions": lambda n: sections(rules=_lines(n, lambda i: f"g{i}(a ∈ R) = a + {i % 3}")),
    "parameters": lambda n: sections(
        rules=f"Go({_joined(n, ', ', lambda i: f'a{i} ∈ B')})\n  a0 → n = 2"
    ),
    "length of a guard": lambda n: sections(
        rules=f"  {_joined(n, ' ∧ ', lambda i: f'{i % 3} ∉ X')} → n = 2"
    ),
    "length of a list": lambda n: sections(sets=f"  S : {{{_joined(n, ', ', 'w{}'.format)}}}"),
    "errata": lambda n: sections(
        behind="Errata\n" + _lines(n, lambda _: '  "n = 1" → "n = 1": because')
    ),
    "blank lines": lambda n: sections(before="\n" * n),
    "blanks before a rule": lambda n: sections(rules=" " * n + "p ∈ X → n = 2"),
    "prose": lambda n: sections(before=_lines(n, lambda _: "Some words about it.")),
    "prose among rules": lambda n: sections(rules=_lines(n, lambda _: "Some words about it.")),
    "length of a name": lambda n: sections(variables=f"  {'v' * n} ∈ R"),
    "unknown names": lambda n: sections(rules=_lines(n, lambda i: f"  u{i} ∈ X → n = 2")),
    "brackets": lambda n: sections(rules=f"  {'(' * n}p ∈ X{')' * n} → n = 2"),
    "negations": lambda n: sections(facts=f"  t ↔ {'¬' * n}full"),
    "readings": lambda n: sections(behind="Reading\n" + _lines(n, lambda i: f"  zz{i}: x")),
    "view": lambda n: sections(behind="View\n" + _lines(n, lambda i: f"  zz{i}: x")),
    "headings": lambda n: sections(behind=_lines(n, lambda _: "System Facts")),
    "locals": lambda n: sections(rules=_lines(n, lambda i: f"  l{i} = n")),
    "lines that are nothing": lambda n: sections(rules=_lines(n, lambda _: "  ∧ ∈ ) (")),
}
"""By what grows."""

LED: Final[Mapping[str, Callable[[int], str]]] = {
    "constants": lambda n: led(_lines(n, lambda i: f"c{i} := {i}")),
    "functions": lambda n: led(_lines(n, lambda i: f"f{i}(x) := x + {i}")),
    "a chain": lambda n: led("d0 := 1\n" + _lines(n, lambda i: f"d{i + 1} := d{i} + 1")),
    "pieces of code": lambda n: _lines(n, lambda i: f"Words.\n\n/$\nc{i} := {i}\n$/\n"),
    "prose": lambda n: led("", before="some words\n" * n),
    "length of a text": lambda n: led(f's := "{"x" * n}"'),
    "texts": lambda n: led(_lines(n, lambda i: f's{i} := "word {i}"')),
    "length of a sum": lambda n: led(f"s := {_joined(n, ' + ', str)}"),
    "length of a condition": lambda n: led(f"p(x) iff {_joined(n, ' & ', 'x > {}'.format)}"),
    "length of a tuple": lambda n: led(f"s := ({_joined(n, ', ', str)})"),
    "length of a set": lambda n: led(f"s := {{{_joined(n, ', ', str)}}}"),
    "cases": lambda n: led("g(x) :=\n" + _joined(n, ";\n", lambda i: f"  {i} if x = {i}")),
    "brackets": lambda n: led(f"s := {'(' * n}1{')' * n}"),
    "parameters": lambda n: led(f"g({_joined(n, ', ', 'x{}'.format)}) := x0"),
    "length of a name": lambda n: led(f"{'a' * n} := 1"),
    "equal definitions": lambda n: led(_lines(n, lambda _: "e := 1")),
    "blanks": lambda n: led(f"e := {' ' * n}1"),
    "lines that are nothing": lambda n: led(_lines(n, lambda _: "e := ) ( :=")),
    "printed formulas": lambda n: _lines(n, lambda i: f"$$c{i} := {i} ({i})$$\n"),
}


def bombs(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """The names and texts of *count* documents that ask for a lot of work, by lot."""
    source = random.Random(seed)
    for number in range(count):
        if source.random() < 0.3:
            code = "\n".join(source.choice(_LED_BOMBS)(source, i) for i in range(3))
            yield f"{number}.led", led(code)
            continue
        parts: dict[str, list[str]] = {}
        for index in range(source.randint(1, 4)):
            place, make = source.choice(_BOMBS)
            parts.setdefault(place, []).append(make(source, index))
        parts.setdefault("sets", []).append("  K : {1..1000}\n  L : {1..60}")
        yield f"{number}.md", sections(**{place: "\n".join(rows) for place, rows in parts.items()})


_Maker = Callable[[random.Random, int], str]


def _quantifiers(source: random.Random) -> str:
    names = [f"a{i}" for i in range(source.randint(1, 4))]
    bound = "".join(f"{source.choice('∀∃')}{name} ∈ {source.choice('KL')}: " for name in names)
    return f"{bound}{' + '.join(names)} {source.choice('<>=')} {source.choice((-1, 0, 9_999))}"


def _nested(source: random.Random, index: int) -> str:
    opening, closing = source.choice((("(", ")"), ("{", "}"), ("|", "|"), ("𝒫(", ")"), ("¬(", ")")))
    depth = source.choice((30, 39, 45, 300, 4_000))
    return f"  nested{index} = {opening * depth}n{closing * depth}"


def _power(source: random.Random, index: int) -> str:
    return f"  power{index} = {source.choice((9, 10))}^9^9^{index}"


def _subsets(source: random.Random, index: int) -> str:
    return f"  some{index} ↔ ∃w ∈ 𝒫({{1..{source.randint(9, 40)}}}): |w| = 50"


def _sum(source: random.Random, index: int) -> str:
    return f"  sum{index} = ∑ a ∈ K: ∑ b ∈ L: 1/(a·b + {source.randint(1, 99)})"


def _triples(source: random.Random, index: int) -> str:
    return f"  t{index} = {{(a, b, c) | a ∈ K, b ∈ K, c ∈ {source.choice('KL')}}}"


def _pairs(source: random.Random, index: int) -> str:
    without = f"({index}, {source.randint(1, 9)})"
    return f"  t{index} = (K × K) ∖ {{{without}}}\n  n ∈ t{index} → n = 2"


def _parameters(source: random.Random, index: int) -> str:
    return f"Go{index}(a ∈ K, b ∈ {source.choice('KL')})\n  a·b mod 7 = {index} → n = 2"


def _recursion(source: random.Random, index: int) -> str:
    again = f"g{index}(a + {source.randint(0, 3)})"
    return f"g{index}(a ∈ ℕ) = g{index}(a + 1) + {again}"


def _helpers(source: random.Random, index: int) -> str:
    def helper(k: int) -> str:
        call = f"  h{index}x{k + 1}(q)"
        return f"h{index}x{k}(q ∈ R)\n{call}\n{call}"

    return _lines(source.randint(9, 40), helper)


def _doubled(source: random.Random, index: int) -> str:
    name = f"D{index}x"
    more = _lines(source.randint(3, 30), lambda k: f"  {name}{k + 1} : {name}{k} × {name}{k}")
    return f"  {name}0 : {{1, 2}}\n{more}"


def _product(source: random.Random, index: int) -> str:
    return f"  Q{index} : {source.choice('KL')} × {source.choice('KL')} × L"


def _chain(source: random.Random, index: int) -> str:
    return _lines(source.randint(9, 1_500), lambda k: f"  C{index}x{k} : C{index}x{k + 1}")


def _errata(source: random.Random, index: int) -> str:
    longer = " ".join("n" * (index + 2))
    return "Errata\n" + _lines(source.randint(1, 40), lambda _: f'  "n" → "{longer}": why')


_BOMBS: Final[tuple[tuple[str, _Maker], ...]] = (
    ("facts", lambda source, index: f"  fact{index} ↔ {_quantifiers(source)}"),
    *(("facts", each) for each in (_nested, _power, _subsets, _sum)),
    *(("rules", each) for each in (_triples, _pairs, _parameters, _recursion, _helpers)),
    *(("sets", each) for each in (_doubled, _product, _chain)),
    ("behind", _errata),
)


def _led_pairs(source: random.Random, index: int) -> str:
    first = f"x in {{1..{source.randint(9, 9_999)}}}"
    return f"b{index} := |{{(x, y) : {first} & y in {{1..9999}}}}|"


def _led_recursion(source: random.Random, index: int) -> str:
    name = f"b{index}"
    return f"{name}(x) := {name}(x + 1) + {source.randint(0, 9)}\nc{index} := {name}(1)"


def _led_growth(source: random.Random, index: int) -> str:
    name = f"b{index}"
    return f"{name}(s) := {name}(s + s)\nc{index} := {name}((1, {source.randint(0, 9)}))"


_LED_BOMBS: Final[tuple[_Maker, ...]] = (
    _led_pairs,
    _led_recursion,
    _led_growth,
    lambda source, index: f"b{index} := {source.randint(2, 9)}^9^9^9",
    lambda source, index: f"b{index} := {'(' * source.randint(30, 5_000)}1",
    lambda source, index: f"b{index} := {'9' * source.randint(9, 9_000)}",
)
