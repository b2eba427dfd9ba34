"""Small documents that ask for a lot of work, of every language.

Whoever reads them must come to an end soon: what they ask for is refused with its number, or is
never done. Each is made from a number, and has four thousand letters or fewer.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from tests.support.growing import (
    SORTED,
    colours,
    declared,
    joined,
    led,
    lines,
    net,
    place,
    pnml,
    sections,
    transition,
)

LONGEST: Final = 4_000
_Chance = random.Random
_Part = Callable[[_Chance], str]


def bombs(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """The names and texts of *count* documents, every kind about equally often."""
    chance = random.Random(seed)
    kinds = list(KINDS)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        yield made(kind, number, chance)


def made(kind: str, number: int, chance: _Chance) -> tuple[str, str]:
    """The name and the text of a document of this *kind*, by lot."""
    suffix, make = KINDS[kind]
    while True:
        text = make(chance)
        if len(text) <= LONGEST:
            return f"{number}-{kind.replace(' ', '-')}{suffix}", text


def _in(where: str) -> Callable[[_Part], _Part]:
    """A document with sections that has such a part, and some sets."""

    def wrapped(part: _Part) -> _Part:
        def make(chance: _Chance) -> str:
            parts = {"sets": "  K : {1..1000}\n  L : {1..60}\n", where: ""}
            parts[where] += part(chance)
            # What nothing reads may never be computed.
            names = re.findall(r"^  (\w+) [=↔]", parts[where], re.MULTILINE)
            if where == "facts" and names:
                parts["rules"] = f"  p ∈ X ∧ {names[-1]} = {names[-1]} → n = 2"
            return sections(**parts)

        return make

    return wrapped


def _quantifiers(chance: _Chance) -> str:
    names = [f"a{i}" for i in range(chance.randint(1, 4))]
    bound = "".join(f"{chance.choice('∀∃')}{name} ∈ {chance.choice('KL')}: " for name in names)
    return (
        f"  some ↔ {bound}{' + '.join(names)} {chance.choice('<>=')} {chance.choice((-1, 0, 9999))}"
    )


def _nested(chance: _Chance) -> str:
    opening, closing = chance.choice(
        (("(", ")"), ("{", "}"), ("|", "|"), ("𝒫(", ")"), ("¬(", ")"), ("⌊", "⌋"), ("R(", ")"))
    )
    depth = chance.choice((12, 25, 39, 45, 300))
    return f"  nested = {opening * depth}n{closing * depth}"


def _power(chance: _Chance) -> str:
    tower = "^".join(str(chance.choice((2, 3, 9, 10))) for _ in range(chance.randint(3, 9)))
    return f"  power = {tower}\n  other = (2^{chance.choice((900, 99_999, 10**12))}) mod 7"


def _squares(chance: _Chance) -> str:
    sign = chance.choice(("·", "+", "^", "−"))
    more = lines(chance.randint(9, 60), lambda i: f"  w{i + 1} = w{i} {sign} w{i}")
    return f"  w0 = n + {chance.choice((2, 9, 10**30))}\n{more}"


def _pairs_of_pairs(chance: _Chance) -> str:
    form = chance.choice(("(w{0}, w{0})", "{{w{0}, {{w{0}}}}}", "w{0} × w{0}", "w{0} ∪ {{w{0}}}"))
    first = "X" if "∪" in form or "×" in form else "n"
    more = lines(chance.randint(9, 60), lambda i: f"  w{i + 1} = {form.format(f'{i}')}")
    return f"  w0 = {first}\n{more}"


def _subsets(chance: _Chance) -> str:
    return f"  some ↔ ∃w ∈ 𝒫({{1..{chance.randint(9, 40)}}}): |w| = 50"


def _sums(chance: _Chance) -> str:
    fold = chance.choice("∑∏")
    body = f"1/(a·b + {chance.randint(1, 99)})"
    return f"  total = {fold} a ∈ K: {fold} b ∈ {chance.choice('KL')}: {body}"


def _chain(chance: _Chance, sign: str, term: str) -> str:
    return joined(chance.randint(100, 250), sign, term.format)


def _words(chance: _Chance) -> str:
    run = " ".join("a" * chance.randint(10, 900))
    declared_ = lines(chance.randint(2, 20), lambda i: f"  {'a' * (i + 1)} ∈ R")
    return f"{declared_}\nSystem Facts\n  t ↔ n = {run} z"


def _triples(chance: _Chance) -> str:
    return f"  t = {{(a, b, c) | a ∈ K, b ∈ K, c ∈ {chance.choice('KL')}}}"


def _without(chance: _Chance) -> str:
    return f"  t = (K × K) ∖ {{({chance.randint(1, 9)}, 2)}}\n  n ∈ t → n = 2"


def _parameters(chance: _Chance) -> str:
    names = joined(chance.randint(2, 9), ", ", lambda i: f"a{i} ∈ {chance.choice('KL')}")
    return f"Go({names})\n  a0·a1 mod 7 = {chance.randint(0, 6)} → n = 2"


def _recursion(chance: _Chance) -> str:
    return f"g(a ∈ ℕ) = g(a + 1) + g(a + {chance.randint(0, 3)})\n  g(p) = 1 → n = 2"


def _doubled_functions(chance: _Chance) -> str:
    count = chance.randint(9, 60)
    sign = chance.choice("+·−")
    more = lines(count, lambda i: f"g{i + 1}(a ∈ R) = g{i}(a) {sign} g{i}(a)")
    return f"g0(a ∈ R) = a\n{more}\nGo(p ∈ R)\n  g{count}(p) = 7 → n = 2"


def _helpers(chance: _Chance) -> str:
    def helper(k: int) -> str:
        return f"h{k}(q ∈ R)\n  h{k + 1}(q)\n  h{k + 1}(q)"

    return lines(chance.randint(9, 40), helper) + "\nGo(p ∈ R)\n  h0(p)"


def _locals(chance: _Chance) -> str:
    form = chance.choice(("l{0} + l{0}", "(l{0}, l{0})", "l{0} · l{0}", "{{l{0}}}"))
    more = lines(chance.randint(9, 60), lambda i: f"  l{i + 1} = {form.format(i)}")
    return f"  l0 = p + 7\n{more}"


def _doubled_sets(chance: _Chance) -> str:
    form = chance.choice(
        ("D{0} × D{0}", "D{0} ∪ D{0}", "{{x + y | x ∈ D{0}, y ∈ D{0}}}", "𝒫(D{0})", "D{0} ∖ D{0}")
    )
    more = lines(chance.randint(3, 40), lambda k: f"  D{k + 1} : {form.format(k)}")
    return f"  D0 : {{1, 2}}\n{more}"


def _products(chance: _Chance) -> str:
    count = chance.randint(2, 30)
    factors = joined(count, " × ", lambda _: chance.choice("KL"))
    return f"  Q : {factors}\nSystem Variables\n  q ∈ Q\n  Z ⊆ Q"


def _ranges(chance: _Chance) -> str:
    high = chance.choice((10**5, 10**7, 10**12, 10**40))
    first = chance.choice(("V ⊆ W", "V ∈ W", "V ⊆ 𝒫(W)", "V ⊆ W × W"))
    return f"  W : {{{chance.choice((1, -high))}..{high}}}\nSystem Variables\n  {first}"


def _starts(chance: _Chance) -> str:
    value = chance.choice(
        ("K × K", "𝒫(L)", "{x ∈ K | x mod 2 = 0} × L", "{1..10000000}", "L × L × L")
    )
    return f"\nSystem Variables\n  big ⊆ {value}\nSystem Initialization\n  big = {value}"


def _set_chain(chance: _Chance) -> str:
    return lines(chance.randint(9, 280), lambda k: f"  C{k} : C{k + 1}")


def _families(chance: _Chance) -> str:
    count = chance.choice((9, 1000, 10**6))
    return f"  F_i : {{x ∈ {{1..{count}}} | x mod i = 0}}\n  G : F_3 × F_5 × F_7"


def _errata(chance: _Chance) -> str:
    longer = " ".join("n" * chance.randint(2, 6))
    rows = lines(chance.randint(1, 40), lambda _: f'  "n" → "{longer}": why')
    return f"Errata\n{rows}"


def _other_errata(chance: _Chance) -> str:
    rows = lines(
        chance.randint(9, 90), lambda i: f'  "{chr(97 + i % 26)}" → "{chr(98 + i % 25)}": why'
    )
    return f"Errata\n{rows}"


def _views(chance: _Chance) -> str:
    board = chance.choice(("K × K", "L × L", "K × L", "{1..100000} × K", "𝒫(L)"))
    text = chance.choice(("r·c", "{x ∈ K | x < r}", "(r, c, (r, c))", "r^c^r"))
    return f"View\n  board: {board}\n  piece X: {board}\n  cell (r, c): {text}"


def _players(chance: _Chance) -> str:
    rows = joined(chance.randint(9, 150), ", ", lambda i: f"P{i} when n = {i}")
    return f"Reading\n  players: {rows}"


def _variables(chance: _Chance) -> str:
    count = chance.randint(20, 60)
    starts = lines(count, lambda i: f"  v{i} = 1")
    rules = lines(count, lambda i: f"Do{i}(p ∈ R)\n  v{i} ≠ p → v{i} = p")
    return (
        lines(count, lambda i: f"  v{i} ∈ R")
        + f"\nSystem Initialization\n{starts}\nSystem States and Behavior\n{rules}"
    )


def _builders(chance: _Chance) -> str:
    inner = "X"
    for i in range(chance.randint(3, 30)):
        inner = f"{{x{i} ∈ {inner} | ∃y{i} ∈ {chance.choice(('K', 'L', 'R'))}: y{i} > x{i}}}"
    return f"  t ↔ {inner} = ∅"


def _quantified_domains(chance: _Chance) -> str:
    inner = "R"
    for i in range(chance.randint(3, 25)):
        names = ", ".join(f"z{i}n{k}" for k in range(chance.randint(1, 3)))
        inner = f"{{q{i} ∈ R | ∃{names} ∈ {inner}: z{i}n0 = q{i}}}"
    return f"  t ↔ {inner} = ∅"


def _compared(chance: _Chance) -> str:
    inner = "n"
    for _ in range(chance.randint(5, 35)):
        inner = f"({inner} = 1 = 2)"
    return f"  t ↔ {inner}"


def _twins(chance: _Chance) -> str:
    """Two values that were made apart, are equal, and double with every name."""
    form = chance.choice(
        ("{{{0}, {{{0}}}}}", "{{({0}, {0})}}", "{0} ∪ {{{0}}}", "{{x ∪ {{x}} | x ∈ {{{0}}}}}")
    )
    count = chance.randint(9, 40)

    def chain(name: str) -> str:
        rows = lines(count, lambda i: f"  {name}{i + 1} = {form.format(f'{name}{i}')}")
        return f"  {name}0 = {{n}}\n{rows}"

    asked = chance.choice(("w{0} = v{0}", "w{0} ∈ {{v{0}}}", "|{{w{0}, v{0}}}| = 1"))
    return f"{chain('w')}\n{chain('v')}\n  same ↔ {asked.format(count)}"


def _single_products(chance: _Chance) -> str:
    rows = lines(chance.randint(9, 40), lambda i: f"  D{i + 1} : D{i} × D{i}")
    return f"  D0 : {{1}}\n{rows}\n  E : {{x | x ∈ D9, ∃y ∈ D9: x = y}}"


def _wide_moves(chance: _Chance) -> str:
    names = joined(3, ", ", lambda i: f"a{i} ∈ {{1..{chance.choice((60, 100))}}}")
    return f"Go({names})\n  a0 + a1 + a2 > n → n = 2"


_SECTIONS: Final[Mapping[str, tuple[str, _Part]]] = {
    "twins": ("facts", _twins),
    "single products": ("sets", _single_products),
    "wide moves": ("rules", _wide_moves),
    "quantifiers": ("facts", _quantifiers),
    "nested": ("facts", _nested),
    "power": ("facts", _power),
    "squares": ("facts", _squares),
    "pairs of pairs": ("facts", _pairs_of_pairs),
    "subsets": ("facts", _subsets),
    "sums": ("facts", _sums),
    "alternation": ("facts", lambda c: f"  t ↔ {_chain(c, ' ∨ ', 'n = {}')}"),
    "conjunction": ("rules", lambda c: f"  {_chain(c, ' ∧ ', 'n ≠ {}')} → n = 2"),
    "equivalence": ("facts", lambda c: f"  t ↔ {_chain(c, ' ↔ ', 'full')}"),
    "implication": ("facts", lambda c: f"  t ↔ ({_chain(c, ' → ', 'full')})"),
    "union": ("facts", lambda c: f"  t ↔ X = {_chain(c, ' ∪ ', '{{{}}}')}"),
    "number": ("facts", lambda c: f"  t ↔ n = {'9' * c.randint(300, 3000)}"),
    "words": ("variables", _words),
    "triples": ("rules", _triples),
    "without": ("rules", _without),
    "parameters": ("rules", _parameters),
    "recursion": ("rules", _recursion),
    "doubled functions": ("rules", _doubled_functions),
    "helpers": ("rules", _helpers),
    "locals": ("rules", _locals),
    "doubled sets": ("sets", _doubled_sets),
    "products": ("sets", _products),
    "ranges": ("sets", _ranges),
    "starts": ("sets", _starts),
    "chain of sets": ("sets", _set_chain),
    "families": ("sets", _families),
    "errata": ("behind", _errata),
    "other errata": ("behind", _other_errata),
    "view": ("behind", _views),
    "players": ("behind", _players),
    "variables": ("variables", _variables),
    "builders": ("facts", _builders),
    "domains": ("facts", _quantified_domains),
    "compared": ("facts", _compared),
}


def _led_doubled(chance: _Chance) -> str:
    form = chance.choice(
        ("(d{0}, d{0})", "d{0} U {{d{0}}}", "d{0} * d{0}", "d{0} + d{0}", "{{d{0}, {{d{0}}}}}")
    )
    first = "{}" if "U" in form else "7"
    return f"d0 := {first}\n" + lines(
        chance.randint(9, 60), lambda i: f"d{i + 1} := {form.format(i)}"
    )


def _led_functions(chance: _Chance) -> str:
    count = chance.randint(9, 60)
    more = lines(count, lambda i: f"g{i + 1}(x) := g{i}(x) {chance.choice('+*')} g{i}(x)")
    return f"g0(x) := x\n{more}\nb := g{count}(2)"


def _led_where(chance: _Chance) -> str:
    count = chance.randint(9, 60)
    rows = joined(count, " & ", lambda i: f"y{i + 1} = (y{i}, y{i})")
    return f"g(x) := y{count} where y0 = x & {rows}\nb := g(1)"


def _led_sets(chance: _Chance) -> str:
    return chance.choice(
        (
            "b := Pow({1..40})",
            "b := Pow(Pow({1..9}))",
            "b := |Pow({1..30})|",
            f"b := {{1..{10 ** chance.randint(5, 40)}}}",
            "b := Sum[x in {1..9999} & y in {1..9999}] x*y",
            "b := U[x in {1..9999}] {1..x}",
            "b := {(x, y, z) | x in {1..999} & y in {1..999} & z in {1..999}}",
            "p iff all x in {1..9999}. some y in {1..9999}. x + y = 0\nb := 1 if p; 2 otherwise",
            "b := {x | x in Pow({1..30}) & |x| = 2}",
        )
    )


def _led_game(chance: _Chance) -> str:
    state = chance.choice(
        (
            "(currentState, currentState)",
            "currentState U {currentState}",
            "{1..1000000}",
            "currentState * currentState + 2",
        )
    )
    images = chance.choice(
        (
            "{segment(point(x, y), point(y, x), BLACK) | x in {1..999} & y in {1..999}}",
            '{text("x", point(x, 1), 9, BLACK) | x in {1..99999}}',
            "images",
            "{}",
        )
    )
    first = chance.choice(("2", "{}", "{1..99999}", "2^9999"))
    return f"ledGame\ninitialState := {first}\nnewState := {state}\nimages := {images}"


def _led_tests(chance: _Chance) -> str:
    asked = chance.choice(("2^9^9^9", "|Pow({1..40})|", "h(1)", "{1..10000000}"))
    return led("h(x) := h(x + 1)", before=f"cmd:>pp({asked})\n1\n" * chance.randint(1, 40))


def _led_mouse(chance: _Chance) -> str:
    """An answer that differs at very many points of the screen."""
    value = chance.choice(
        (
            "mouseX * mouseY",
            "(mouseX^2 + mouseY^2) mod 251",
            "Sum[k in {1..300}] floor(mouseX * k / 7) mod 3",
            "|{k | k in {1..400} & (mouseX - k)^2 + (mouseY - k)^2 < 100 * k}|",
        )
    )
    step = f"{value} + currentState if mouseClicked; currentState otherwise"
    return f"ledGame\ninitialState := 0\nnewState := {step}\nimages := {{}}"


_LED: Final[Mapping[str, _Part]] = {
    "mouse": _led_mouse,
    "pairs": lambda c: f"b := |{{(x, y) | x in {{1..{c.randint(9, 9_999)}}} & y in {{1..9999}}}}|",
    "recursion": lambda c: f"b(x) := b(x + 1) + {c.randint(0, 9)}\nc := b(1)",
    "growth": lambda c: f"b(s) := b(s + s)\nc := b((1, {c.randint(0, 9)}))",
    "power": lambda c: f"b := {c.randint(2, 9)}^9^9^9\nc := 2^{10 ** c.randint(3, 30)}",
    "brackets": lambda c: f"b := {'(' * c.randint(30, 3_000)}1",
    "digits": lambda c: f"b := {'9' * c.randint(9, 3_000)}",
    "decimals": lambda c: f"b := .{'3' * c.randint(9, 390)}({'7' * c.randint(1, 99)}..)",
    "alternation": lambda c: f"p(x) iff {_chain(c, ' V ', 'x = {}')}\nb := 1 if p(3); 2 otherwise",
    "sum": lambda c: f"b := {_chain(c, ' + ', '{}')}",
    "union": lambda c: f"b := {_chain(c, ' U ', '{{{}}}')}",
    "arrows": lambda c: f"p(x) iff {_chain(c, ' => ', 'x = {}')}",
    "names": lambda c: f"p iff some {_chain(c, ', ', 'x{}')} in {{1..9}}. x0 = 10",
    "doubled": _led_doubled,
    "functions": _led_functions,
    "where": _led_where,
    "sets": _led_sets,
    "game": _led_game,
}


def _macros(chance: _Chance) -> str:
    form = chance.choice(("m{0} m{0}", "m{0} + m{0}", "(m{0} * m{0})", "m{0}, m{0}"))
    count = chance.randint(9, 60)
    more = lines(count, lambda i: f"#define m{i + 1} {form.format(i)}")
    return net(before=f"#define m0 1\n{more}", places=f"#place p mk((m{count})<.1.>)")


def _macro_calls(chance: _Chance) -> str:
    depth = chance.choice((5, 20, 90, 300))
    body = chance.choice(("x x", "(x + x)", "f(x)"))
    return net(
        before=f"#define f(x) {body}", places=f"#place p mk(({'f(' * depth}1{')' * depth})<.1.>)"
    )


def _tokens(chance: _Chance) -> str:
    high = chance.choice((99, 9_999, 10**9, 10**18))
    many = chance.choice((1, 10**9, 9223372036854775807, 10**30))
    inner = chance.choice((f"<.0..{high}.>", f"<.0..{high},0..{high}.>", f"{many}<.1.>"))
    width = inner.count("..") or 1
    low, top = ",".join("0" * width), ",".join([str(high)] * width)
    return net(
        places=f"#place p lo(<.{low}.>) hi(<.{top}.>) mk({inner})\n#place q",
        transitions=transition("u", f"in {{ p: <.{joined(width, ',', 'x{}'.format)}.>; }}"),
    )


def _bindings(chance: _Chance) -> str:
    count, high = chance.randint(2, 9), chance.choice((9, 99, 9_999))
    rows = lines(count, lambda i: f"let <.y{i}.> <= <.0..{high}.>;")
    total = joined(count, " + ", "y{}".format)
    gate = chance.choice((f"{total} == {count * high}", f"{total} < 0", "1"))
    return net(
        transitions=transition("u", f"in {{ a: <.x.>; }} out {{ a: <.x.>; }}\n{rows}\ngate {gate};")
    )


def _matches(chance: _Chance) -> str:
    count, high = chance.randint(2, 7), chance.choice((9, 50, 300))
    taken = joined(count, " + ", "<.y{}.>".format)
    gate = f"{joined(count, ' + ', 'y{}'.format)} == {chance.choice((-1, 7))}"
    return net(
        places=f"#place p lo(<.0.>) hi(<.{high}.>) mk(<.0..{high}.>)",
        transitions=transition("u", f"in {{ p: {taken}; }} gate {gate};"),
    )


def _outputs(chance: _Chance) -> str:
    high = chance.choice((999, 10**6, 10**12))
    return net(
        places=f"#place p lo(<.0.>) hi(<.{high}.>)",
        transitions=transition("u", f"in {{ a: <.x.>; }} out {{ p: <.0..{high}.>; }}"),
    )


def _c_code(chance: _Chance) -> str:
    body = chance.choice(
        (
            "while (1) x = x + 1; return x;",
            "return f(x + 1) + f(x + 1);",
            "return x < 1 ? 1 : f(x - 1) + f(x - 1);",
            "int i; int j; for (i = 0; i < 99999; i = i + 1) "
            "for (j = 0; j < 99999; j = j + 1) x = x + j; return x;",
            "int t[9999999]; t[0] = x; return t[0];",
            "return x * x * x * x;",
        )
    )
    use = chance.choice(("gate f(x + 60) == 1;", "gate f(f(x)) > 0;"))
    return net(
        before=f"int f(int x) {{ {body} }}",
        places=f"#place p mk((f(60))<.1.>) lo(<.0.>) hi(<.{chance.choice((9, 99999))}.>)",
        transitions=transition("u", f"in {{ a: <.x.>; }} {use}"),
    )


def _tables(chance: _Chance) -> str:
    size = chance.choice(("9999999", "9999][9999", "10][10][10][10][10][10][10"))
    return net(before=f"int t[{size}];\nint u[{size}] = {{1}};")


def _pump(chance: _Chance) -> str:
    count = chance.randint(3, 22)
    places = lines(count, lambda i: f"#place on{i} mk(<..>)\n#place off{i}")
    toggles = lines(
        count,
        lambda i: (
            transition(f"up{i}", f"in {{ on{i}: <..>; }} out {{ off{i}: <..>; }}")
            + "\n"
            + transition(f"down{i}", f"in {{ off{i}: <..>; }} out {{ on{i}: <..>; }}")
        ),
    )
    pump = transition("w", "out { s: <..>; }")
    return net(places=f"{places}\n#place s", transitions=f"{toggles}\n{pump}")


def _independent(chance: _Chance) -> str:
    count = chance.randint(20, 90)
    return net(places=lines(count, lambda i: f"#place p{i} mk(9999<..>)"))


def _long_gate(chance: _Chance) -> str:
    sign = chance.choice((" && ", " || ", " + ", " ? 1 : "))
    chain = joined(chance.randint(50, 200), sign, lambda i: f"x != {i}")
    tail = " ? 1 : 0" if sign == " ? 1 : " else ""
    return net(transitions=transition("u", f"in {{ a: <.x.>; }} gate {chain}{tail};"))


_PROD: Final[Mapping[str, _Part]] = {
    "macros": _macros,
    "macro calls": _macro_calls,
    "tokens": _tokens,
    "bindings": _bindings,
    "matches": _matches,
    "outputs": _outputs,
    "C": _c_code,
    "tables": _tables,
    "pump": _pump,
    "independent": _independent,
    "gate": _long_gate,
}


def _number(value: int) -> str:
    return f"<numberconstant value='{value}'><positive/></numberconstant>"


def _element(name: str, inside: str) -> str:
    return f"<{name}>{inside}</{name}>"


def _multiple(count: int, term: str) -> str:
    return _element("numberof", _sub(_number(count), term))


def _sub(*terms: str) -> str:
    return "".join(f"<subterm>{each}</subterm>" for each in terms)


def _range(high: int) -> str:
    return f'<finiteintrange start="0" end="{high}"/>'


def _named_sort(name: str, inside: str) -> str:
    return f'<namedsort id="{name}" name="{name}">{inside}</namedsort>'


def _user(name: str) -> str:
    return f'<usersort declaration="{name}"/>'


def _coloured(chance: _Chance) -> str:
    high = chance.choice((9, 999, 10**6, 10**12))
    count = chance.randint(1, 9)
    product = _element("productsort", _user("S") * count)
    every = _multiple(chance.choice((1, 10**30)), _element("all", _user("T")))
    kind = _element("type", _element("structure", _user("T")))
    marking = _element("hlinitialMarking", _element("structure", every))
    variables = joined(
        count, "", lambda i: f'<variabledecl id="x{i}" name="x{i}">{_user("S")}</variabledecl>'
    )
    taken = _element("tuple", _sub(*(f'<variable refvariable="x{i}"/>' for i in range(count))))
    inscription = _element("hlinscription", _element("structure", _multiple(1, taken)))
    return pnml(
        place("p", kind + marking)
        + '<transition id="t"/>'
        + f'<arc id="a" source="p" target="t">{inscription}</arc>',
        kind="symmetricnet",
        before=declared(_named_sort("S", _range(high)) + _named_sort("T", product) + variables),
    )


def _products_of_products(chance: _Chance) -> str:
    count = chance.randint(2, 20)
    more = joined(
        count,
        "",
        lambda i: _named_sort(
            f"T{i + 1}", f"<productsort>{_user(f'T{i}')}{_user(f'T{i}')}</productsort>"
        ),
    )
    return pnml(
        place("p", f"<type><structure>{_user(f'T{count}')}</structure></type>"),
        kind="symmetricnet",
        before=declared(_named_sort("T0", _range(chance.choice((1, 9)))) + more),
    )


def _nested_terms(chance: _Chance) -> str:
    every = _element("all", _user("S"))
    term = _multiple(1, '<useroperator declaration="c0"/>')
    for _ in range(chance.randint(2, 12)):
        operator = chance.choice(("add", "subtract", "scalarproduct"))
        terms = (_number(10**9), term) if operator == "scalarproduct" else (term, every)
        term = _element(operator, _sub(*terms))
    marking = _element("hlinitialMarking", _element("structure", term))
    return pnml(place("p", SORTED + marking), kind="symmetricnet", before=declared(colours(3)))


def _black(chance: _Chance) -> str:
    many = 10 ** chance.choice((9, 18, 19, 400, 3000))
    marking = f"<initialMarking><text>{many}</text></initialMarking>"
    taken = f"<inscription><text>{10 ** chance.choice((1, 18, 30))}</text></inscription>"
    return pnml(
        place("p", marking)
        + '<transition id="t"/>'
        + f'<arc id="a" source="p" target="t">{taken}</arc><arc id="b" source="t" target="p"/>'
    )


def _pages(chance: _Chance) -> str:
    depth = chance.randint(9, 120)
    return pnml("".join(f'<page id="g{i}">' for i in range(depth)) + place("p") + "</page>" * depth)


def _references(chance: _Chance) -> str:
    count = chance.randint(2, 60)
    end = chance.choice((place(f"r{count}"), ""))
    chain = joined(
        count, "", lambda i: f'<referencePlace id="r{i}" ref="r{(i + 1) % (count + bool(end))}"/>'
    )
    return pnml(chain + end)


def _unconnected(chance: _Chance) -> str:
    marked = "<initialMarking><text>1</text></initialMarking>"
    return pnml(joined(chance.randint(9, 40), "", lambda i: place(f"p{i}", marked)))


_PNML: Final[Mapping[str, _Part]] = {
    "coloured": _coloured,
    "products": _products_of_products,
    "terms": _nested_terms,
    "black": _black,
    "pages": _pages,
    "references": _references,
    "unconnected": _unconnected,
}


def _program(part: _Part) -> _Part:
    return lambda chance: led(part(chance))


KINDS: Final[Mapping[str, tuple[str, _Part]]] = {
    **{f"sections {name}": (".md", _in(at)(part)) for name, (at, part) in _SECTIONS.items()},
    **{f"led {name}": (".led", _program(part)) for name, part in _LED.items()},
    "led tests": (".led", _led_tests),
    **{f"prod {name}": (".net", part) for name, part in _PROD.items()},
    **{f"pnml {name}": (".pnml", part) for name, part in _PNML.items()},
}
"""By name: the ending of the file, and what makes its text."""
