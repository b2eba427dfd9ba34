"""Documents that grow in one dimension at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


def lines(count: int, line: Callable[[int], str]) -> str:
    return "\n".join(map(line, range(count)))


def joined(count: int, sign: str, part: Callable[[int], str]) -> str:
    return sign.join(map(part, range(count)))


SECTIONS: Final[Mapping[str, Callable[[int], str]]] = {
    "variables": lambda n: sections(
        variables=lines(n, lambda i: f"  v{i} ∈ R"), starts=lines(n, lambda i: f"  v{i} = 1")
    ),
    "sets": lambda n: sections(sets=lines(n, lambda i: f"  S{i} : {{1..{i % 5 + 2}}}")),
    "a chain of sets": lambda n: sections(
        sets=lines(n, lambda i: f"  C{i} : C{i + 1}") + f"\n  C{n} : {{1..3}}"
    ),
    "a chain of sets without an end": lambda n: sections(
        sets=lines(n, lambda i: f"  C{i} : C{i + 1}")
    ),
    "a chain of unions": lambda n: sections(
        sets="  C0 : {1..3}\n" + lines(n, lambda i: f"  C{i + 1} : C{i} ∪ {{{i + 4}}}")
    ),
    "similar names": lambda n: sections(
        variables=lines(n, lambda i: f"  value{i} ∈ R"),
        rules=lines(n, lambda i: f"  valu{i} ∈ X → n = 2"),
    ),
    "similar names of sets": lambda n: sections(
        sets=lines(n, lambda i: f"  Squares{i} : {{1..3}}"),
        variables=lines(n, lambda i: f"  v{i} ∈ Square{i}"),
    ),
    "facts": lambda n: sections(facts=lines(n, lambda i: f"  f{i} ↔ {i % 3 + 1} ∈ X")),
    "rules": lambda n: sections(rules=lines(n, lambda i: f"  p ∈ X ∧ n = {i % 3} → n = 2")),
    "equal rules": lambda n: sections(rules=lines(n, lambda _: "  p ∉ X → X = X ∪ {p}")),
    "equal sets": lambda n: sections(sets=lines(n, lambda _: "  S : {1..3}")),
    "procedures": lambda n: sections(
        rules=lines(n, lambda i: f"Move{i}(p ∈ R)\n  p ∉ X → X = X ∪ {{p}}")
    ),
    "functions": lambda n: sections(rules=lines(n, lambda i: f"g{i}(a ∈ R) = a + {i % 3}")),
    "parameters": lambda n: sections(
        rules=f"Go({joined(n, ', ', lambda i: f'a{i} ∈ B')})\n  a0 → n = 2"
    ),
    "length of a guard": lambda n: sections(
        rules=f"  {joined(n, ' ∧ ', lambda i: f'{i % 3} ∉ X')} → n = 2"
    ),
    "length of a list": lambda n: sections(sets=f"  S : {{{joined(n, ', ', 'w{}'.format)}}}"),
    "errata": lambda n: sections(
        behind="Errata\n" + lines(n, lambda _: '  "n = 1" → "n = 1": because')
    ),
    "blank lines": lambda n: sections(before="\n" * n),
    "blanks before a rule": lambda n: sections(rules=" " * n + "p ∈ X → n = 2"),
    "prose": lambda n: sections(before=lines(n, lambda _: "Some words about it.")),
    "prose among rules": lambda n: sections(rules=lines(n, lambda _: "Some words about it.")),
    "length of a name": lambda n: sections(variables=f"  {'v' * n} ∈ R"),
    "unknown names": lambda n: sections(rules=lines(n, lambda i: f"  u{i} ∈ X → n = 2")),
    "brackets": lambda n: sections(rules=f"  {'(' * n}p ∈ X{')' * n} → n = 2"),
    "negations": lambda n: sections(facts=f"  t ↔ {'¬' * n}full"),
    "readings": lambda n: sections(behind="Reading\n" + lines(n, lambda i: f"  zz{i}: x")),
    "view": lambda n: sections(behind="View\n" + lines(n, lambda i: f"  zz{i}: x")),
    "headings": lambda n: sections(behind=lines(n, lambda _: "System Facts")),
    "locals": lambda n: sections(rules=lines(n, lambda i: f"  l{i} = n")),
    "lines that are nothing": lambda n: sections(rules=lines(n, lambda _: "  ∧ ∈ ) (\n")),
    "a chain of facts": lambda n: sections(
        variables=lines(n, lambda i: f"  w{i} ∈ B"),
        facts="  w0 ↔ 1 ∈ X\n" + lines(n - 1, lambda i: f"  w{i + 1} ↔ w{i}"),
    ),
    "a chain of facts, the last one first": lambda n: sections(
        variables=lines(n + 1, lambda i: f"  w{i} ∈ B"),
        facts=lines(n, lambda i: f"  w{i} ↔ ¬w{i + 1}") + f"\n  w{n} ↔ 1 ∈ X",
    ),
    "a circle of facts": lambda n: sections(
        variables=lines(n, lambda i: f"  w{i} ∈ B"),
        facts=lines(n, lambda i: f"  w{i} ↔ w{(i + 1) % n}"),
    ),
    "a chain of functions": lambda n: sections(
        rules="g0(a ∈ R) = a\n" + lines(n, lambda i: f"g{i + 1}(a ∈ R) = g{i}(a)")
    ),
    "a chain of procedures": lambda n: sections(
        rules=lines(n, lambda i: f"h{i}(q ∈ R)\n  h{i + 1}(q)") + f"\nh{n}(q ∈ R)\n  n = q"
    ),
    "invariants": lambda n: sections(facts=lines(n, lambda i: f"  |X| < {i + 9}")),
    "facts in one line": lambda n: sections(
        facts=f"  {joined(n, ' ∧ ', lambda i: f'|X| < {i + 9}')}"
    ),
    "equal facts": lambda n: sections(facts=lines(n, lambda _: "  full ↔ X = R")),
    "equal variables": lambda n: sections(variables=lines(n, lambda _: "  v ∈ R")),
    "equal procedures": lambda n: sections(
        rules=lines(n, lambda _: "Go(p ∈ R)\n  p ∉ X → X = X ∪ {p}")
    ),
    "equal starts": lambda n: sections(starts=lines(n, lambda i: f"  n = {i % 3 + 1}")),
    "variables in one line": lambda n: sections(
        variables=f"  {joined(n, ', ', 'v{}'.format)} ∈ R",
        starts=f"  {joined(n, ', ', 'v{}'.format)} = 1",
    ),
    "variables without a first value": lambda n: sections(
        variables=lines(n, lambda i: f"  v{i} ∈ R")
    ),
    "variables that rules assign": lambda n: sections(
        variables=lines(n, lambda i: f"  v{i} ∈ B"),
        starts=lines(n, lambda i: f"  v{i} = false"),
        rules=lines(n, lambda i: f"  p ∈ X → v{i} = ¬v{i}"),
    ),
    "length of a conclusion": lambda n: sections(
        variables=lines(n, lambda i: f"  v{i} ∈ B"),
        starts=lines(n, lambda i: f"  v{i} = false"),
        rules=f"  p ∈ X → {joined(n, ' ∧ ', lambda i: f'v{i} = true')}",
    ),
    "length of an alternation": lambda n: sections(
        facts=f"  t ↔ {joined(n, ' ∨ ', lambda i: f'n = {i}')}"
    ),
    "length of a sum": lambda n: sections(facts=f"  t ↔ n = {joined(n, ' + ', str)}"),
    "length of a product": lambda n: sections(facts=f"  t ↔ n = {joined(n, ' · ', str)}"),
    "length of a union": lambda n: sections(
        facts=f"  t ↔ X = {joined(n, ' ∪ ', lambda i: f'{{{i}}}')}"
    ),
    "length of a comparison": lambda n: sections(facts=f"  t ↔ {joined(n, ' ≤ ', str)}"),
    "length of a tuple": lambda n: sections(
        facts=f"  t ↔ ({joined(n, ', ', str)}) = ({joined(n, ', ', str)})"
    ),
    "length of a number": lambda n: sections(facts=f"  t ↔ n = {'7' * n}"),
    "length of a text": lambda n: sections(sets=f'  S : {{"{"x" * n}", "y"}}'),
    "sets in a set": lambda n: sections(
        sets=f"  S : {{{joined(n, ', ', lambda i: f'{{{i}, {i + 1}}}')}}}"
    ),
    "tuples in a set": lambda n: sections(
        sets=f"  S : {{{joined(n, ', ', lambda i: f'({i}, {i + 1})')}}}"
    ),
    "braces": lambda n: sections(facts=f"  t ↔ X = {'{' * n}1{'}' * n}"),
    "bars": lambda n: sections(facts=f"  t ↔ n = {'|' * n}n{'|' * n}"),
    # One bracket alone is mended by another repair than many.
    "brackets without an end": lambda n: sections(facts=f"  t ↔ {'(' * (n + 4)}n = 1"),
    "ends of brackets": lambda n: sections(facts=f"  t ↔ n = 1{')' * n}"),
    "quantifiers side by side": lambda n: sections(
        facts=f"  t ↔ {joined(n, ' ∧ ', lambda i: f'(∃y{i} ∈ R: y{i} = n)')}"
    ),
    "conditions of a set": lambda n: sections(
        facts=f"  t ↔ X = {{y ∈ R | {joined(n, ' ∧ ', lambda i: f'y ≠ {i + 4}')}}}"
    ),
    "arrows": lambda n: sections(facts=f"  t ↔ ({joined(n, ' → ', lambda _: 'full')})"),
    "equivalences": lambda n: sections(facts=f"  t ↔ {joined(n, ' ↔ ', lambda _: 'full')}"),
    "powers": lambda n: sections(facts=f"  t ↔ n = {joined(n, '^', lambda _: '1')}"),
    "words of a name": lambda n: sections(sets=f"  S : {{{joined(n, ' ', 'w{}'.format)}}}"),
    "functions not known": lambda n: sections(rules=lines(n, lambda i: f"  u{i}(p) → n = 2")),
    "lines below a rule": lambda n: sections(
        rules="  p ∈ X\n" + lines(n, lambda i: f"    ∧ n ≠ {i + 4}") + "\n    → n = 2"
    ),
    "errata of one line": lambda n: sections(
        behind="Errata\n"
        + lines(
            n,
            lambda i: f'  "n = {i + 1}" → "n = {i + 2}": because',
        ),
    ),
    "pieces of a view": lambda n: sections(
        behind="View\n" + lines(n, lambda i: f"  piece {chr(65 + i % 26)}: X")
    ),
    "players": lambda n: sections(
        behind=f"Reading\n  players: {joined(n, ', ', lambda i: f'P{i} when n = {i}')}"
    ),
    "results": lambda n: sections(
        variables=f"  result ∈ {{{joined(n, ', ', lambda i: f'end {i}')}}}",
        rules=lines(n, lambda i: f"  n = {i} → result = end {i}"),
    ),
    "comments": lambda n: sections(rules=lines(n, lambda i: f"  % words {i}")),
    "sections of one kind": lambda n: sections(
        behind=lines(n, lambda i: f"System Variables\n  v{i} ∈ R\nSystem Facts\n  v{i} = 1")
    ),
}
"""By what grows."""

LED: Final[Mapping[str, Callable[[int], str]]] = {
    "constants": lambda n: led(lines(n, lambda i: f"c{i} := {i}")),
    "functions": lambda n: led(lines(n, lambda i: f"f{i}(x) := x + {i}")),
    "a chain": lambda n: led("d0 := 1\n" + lines(n, lambda i: f"d{i + 1} := d{i} + 1")),
    "pieces of code": lambda n: lines(n, lambda i: f"Words.\n\n/$\nc{i} := {i}\n$/\n"),
    "prose": lambda n: led("", before="some words\n" * n),
    "length of a text": lambda n: led(f's := "{"x" * n}"'),
    "texts": lambda n: led(lines(n, lambda i: f's{i} := "word {i}"')),
    "length of a sum": lambda n: led(f"s := {joined(n, ' + ', str)}"),
    "length of a condition": lambda n: led(f"p(x) iff {joined(n, ' & ', 'x > {}'.format)}"),
    "length of a tuple": lambda n: led(f"s := ({joined(n, ', ', str)})"),
    "length of a set": lambda n: led(f"s := {{{joined(n, ', ', str)}}}"),
    "cases": lambda n: led("g(x) :=\n" + joined(n, ";\n", lambda i: f"  {i} if x = {i}")),
    "brackets": lambda n: led(f"s := {'(' * n}1{')' * n}"),
    "parameters": lambda n: led(f"g({joined(n, ', ', 'x{}'.format)}) := x0"),
    "length of a name": lambda n: led(f"{'a' * n} := 1"),
    "equal definitions": lambda n: led(lines(n, lambda _: "e := 1")),
    "blanks": lambda n: led(f"e := {' ' * n}1"),
    "lines that are nothing": lambda n: led(lines(n, lambda _: "e := ) ( :=")),
    "printed formulas": lambda n: lines(n, lambda i: f"$$c{i} := {i} ({i})$$\n"),
    "unknown names": lambda n: led(lines(n, lambda i: f"u{i} := zz{i} + 1")),
    "unknown names in one line": lambda n: led(f"u := {joined(n, ' + ', 'zz{}'.format)}"),
    "unknown names of functions": lambda n: led(lines(n, lambda i: f"u{i}(x) := zz{i}(x)")),
    "where": lambda n: led(f"g(x) := y0 where {joined(n, ' & ', lambda i: f'y{i} = x + {i}')}"),
    "a chain of where": lambda n: led(
        f"g(x) := y{n} where y0 = x & {joined(n, ' & ', lambda i: f'y{i + 1} = y{i} + 1')}"
    ),
    "a chain of where, the last one first": lambda n: led(
        f"g(x) := y0 where {joined(n, ' & ', lambda i: f'y{i} = y{i + 1}')} & y{n} = x"
    ),
    "where not known": lambda n: led(
        f"g(x) := y0 where {joined(n, ' & ', lambda i: f'y{i} = y{i + 1}')}"
    ),
    "a chain of functions": lambda n: led(
        "g0(x) := x\n" + lines(n, lambda i: f"g{i + 1}(x) := g{i}(x) + 1")
    ),
    "a circle of constants": lambda n: led(lines(n, lambda i: f"d{i} := d{(i + 1) % n} + 1")),
    "a circle of functions": lambda n: led(lines(n, lambda i: f"g{i}(x) := g{(i + 1) % n}(x - 1)")),
    "relations": lambda n: led(lines(n, lambda i: f"p{i}(x) iff x = {i}")),
    "length of an alternation": lambda n: led(f"p(x) iff {joined(n, ' V ', 'x = {}'.format)}"),
    "arrows": lambda n: led(f"p(x) iff {joined(n, ' => ', 'x = {}'.format)}"),
    "powers": lambda n: led(f"s := {joined(n, '^', lambda _: '1')}"),
    "length of a union": lambda n: led(f"s := {joined(n, ' U ', lambda i: f'{{{i}}}')}"),
    "length of a number": lambda n: led(f"s := {'7' * n}"),
    "length of a fraction": lambda n: led(f"s := .{'7' * n}"),
    "indices": lambda n: led(f"s := (1, 2){'[1]' * n}"),
    "arguments": lambda n: led(
        f"g({joined(n, ', ', 'x{}'.format)}) := x0\ns := g({joined(n, ', ', str)})"
    ),
    "negations": lambda n: led(f"p iff {'~' * n}true"),
    "braces": lambda n: led(f"s := {'{' * n}1{'}' * n}"),
    "bars": lambda n: led(f"s := {'|' * n}1{'|' * n}"),
    "brackets without an end": lambda n: led(f"s := {'(' * n}1"),
    "quantifiers side by side": lambda n: led(
        f"p iff {joined(n, ' & ', lambda i: f'(some x{i} in {{1..3}}. x{i} = 2)')}"
    ),
    "names of a quantifier": lambda n: led(
        f"p iff some {joined(n, ', ', 'x{}'.format)} in {{1}}. x0 = 1"
    ),
    "conditions of a set": lambda n: led(
        f"s := {{x | x in {{1..3}} & {joined(n, ' & ', lambda i: f'x /= {i + 4}')}}}"
    ),
    "tests": lambda n: led("", before=lines(n, lambda i: f"cmd:>pp(f({i}))\n{i + 1}\n")),
    "readings": lambda n: led("") + "\nReading\n" + lines(n, lambda i: f"  zz{i}: x"),
    "pictures": lambda n: led(
        "ledGame\ninitialState := 0\nnewState := currentState\nimages := {"
        + joined(n, ", ", lambda i: f"segment(point({i}, 0), point(0, {i}), BLACK)")
        + "}"
    ),
    "sentences": lambda n: lines(n, lambda i: f"Let c{i} be the number {i}."),
}


def net(*, places: str = "", transitions: str = "", before: str = "") -> str:
    """A small net in PROD's language, with more put into it."""
    return f"""{before}
#place a lo(<.0.>) hi(<.3.>) mk(<.1.>)
#place b lo(<.0.>) hi(<.3.>)
{places}
#trans t
in {{ a: <.x.>; }} out {{ b: <.x.>; }}
#endtr
{transitions}
"""


def transition(name: str, body: str) -> str:
    return f"#trans {name}\n{body}\n#endtr"


PROD: Final[Mapping[str, Callable[[int], str]]] = {
    "places": lambda n: net(places=lines(n, lambda i: f"#place p{i} lo(<.0.>) hi(<.3.>)")),
    "equal places": lambda n: net(places=lines(n, lambda _: "#place p lo(<.0.>) hi(<.3.>)")),
    "transitions": lambda n: net(
        transitions=lines(n, lambda i: transition(f"u{i}", "in { a: <.x.>; } out { b: <.x.>; }"))
    ),
    "equal transitions": lambda n: net(
        transitions=lines(n, lambda _: transition("u", "in { a: <.x.>; } out { b: <.x.>; }"))
    ),
    "places and transitions": lambda n: net(
        places=lines(n + 1, lambda i: f"#place p{i} lo(<.0.>) hi(<.3.>)"),
        transitions=lines(
            n,
            lambda i: transition(f"u{i}", f"in {{ p{i}: <.x.>; }} out {{ p{i + 1}: <.x.>; }}"),
        ),
    ),
    "arcs": lambda n: net(
        places=lines(n, lambda i: f"#place p{i} lo(<.0.>) hi(<.3.>)"),
        transitions=transition(
            "u", f"in {{ a: <.x.>; {joined(n, ' ', lambda i: f'p{i}: <.x.>;')} }}"
        ),
    ),
    "arcs to one place": lambda n: net(
        transitions=transition(
            "u", f"in {{ a: <.x.>; }} out {{ {joined(n, ' ', lambda _: 'b: <.x.>;')} }}"
        ),
    ),
    "variables": lambda n: net(
        places=f"#place p lo(<.{joined(n, ',', lambda _: '0')}.>) "
        f"hi(<.{joined(n, ',', lambda _: '1')}.>)",
        transitions=transition("u", f"in {{ p: <.{joined(n, ',', 'x{}'.format)}.>; }}"),
    ),
    "gates": lambda n: net(
        transitions=transition(
            "u", "in { a: <.x.>; }\n" + lines(n, lambda i: f"gate x != {i + 4};")
        )
    ),
    "length of a gate": lambda n: net(
        transitions=transition(
            "u", f"in {{ a: <.x.>; }} gate {joined(n, ' && ', lambda i: f'x != {i + 4}')};"
        )
    ),
    "lets": lambda n: net(
        transitions=transition(
            "u", "in { a: <.x.>; }\n" + lines(n, lambda i: f"let <.y{i}.> <= <.1.>;")
        )
    ),
    "a chain of lets": lambda n: net(
        transitions=transition(
            "u",
            "in { a: <.y0.>; }\n" + lines(n, lambda i: f"let <.y{i + 1}.> <= <.y{i}.>;"),
        )
    ),
    "terms of a marking": lambda n: net(
        places=f"#place p lo(<.0.>) hi(<.{n}.>) mk({joined(n, ' + ', '<.{}.>'.format)})"
    ),
    "terms of an arc": lambda n: net(
        places=f"#place p lo(<.0.>) hi(<.{n}.>)",
        transitions=transition(
            "u", f"in {{ a: <.x.>; }} out {{ p: {joined(n, ' + ', '<.{}.>'.format)}; }}"
        ),
    ),
    "macros": lambda n: net(before=lines(n, lambda i: f"#define m{i} {i}")),
    "equal macros": lambda n: net(before=lines(n, lambda _: "#define m 1")),
    "a chain of macros": lambda n: net(
        before="#define m0 1\n" + lines(n, lambda i: f"#define m{i + 1} m{i}"),
        places=f"#place p mk(m{n}<.0.>) lo(<.0.>) hi(<.1.>)",
    ),
    "arguments of a macro": lambda n: net(
        before=f"#define m({joined(n, ',', 'x{}'.format)}) x0",
        places=f"#place p mk(m({joined(n, ',', str)})<.0.>) lo(<.0.>) hi(<.1.>)",
    ),
    "constants": lambda n: net(before=lines(n, lambda i: f"#enum c{i}")),
    "conditions": lambda n: net(before="#if 1\n" * n + "#endif\n" * n),
    "a ladder of conditions": lambda n: net(
        before="#if 0\n" + lines(n, lambda _: "#elif 0") + "\n#endif"
    ),
    "functions": lambda n: net(before=lines(n, lambda i: f"int f{i}(int x) {{ return x + {i}; }}")),
    "a chain of functions": lambda n: net(
        before="int f0(int x) { return x; }\n"
        + lines(n, lambda i: f"int f{i + 1}(int x) {{ return f{i}(x); }}")
    ),
    "statements": lambda n: net(
        before=f"int f(int x) {{ int y; {joined(n, ' ', lambda i: f'y = x + {i};')} return y; }}"
    ),
    "cases": lambda n: net(
        before="int f(int x) { switch (x) { "
        + joined(n, " ", lambda i: f"case {i}: return {i};")
        + " } return 0; }"
    ),
    "a ladder": lambda n: net(
        before=f"int f(int x) {{ return {joined(n, '', lambda i: f'x == {i} ? {i} : ')}0; }}"
    ),
    "numbers of a table": lambda n: net(before=f"int t[] = {{{joined(n, ', ', str)}}};"),
    "brackets": lambda n: net(before=f"int f(int x) {{ return {'(' * n}x{')' * n}; }}"),
    "comments": lambda n: net(before=lines(n, lambda i: f"/* words {i} */ // more")),
    "blank lines": lambda n: net(before="\n" * n),
    "length of a name": lambda n: net(places=f"#place {'p' * n}"),
    "length of a number": lambda n: net(before=f"#define m {'7' * n}"),
    "lines joined": lambda n: net(places="#place p \\\n" + " \\\n" * n),
    "unknown places": lambda n: net(
        transitions=lines(n, lambda i: transition(f"u{i}", f"in {{ q{i}: <.x.>; }}"))
    ),
    "unknown functions": lambda n: net(
        transitions=transition("u", "in { a: <.x.>; }\n" + lines(n, lambda i: f"gate zz{i}(x);"))
    ),
    "unknown directives": lambda n: net(before=lines(n, lambda i: f"#zz{i} word")),
    "lines that are nothing": lambda n: net(before=lines(n, lambda _: ") ( :=")),
}


def pnml(parts: str, *, kind: str = "ptnet", before: str = "") -> str:
    """A small net in PNML, with more *parts*, and declarations *before* its page."""
    return f"""<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="net" type="http://www.pnml.org/version-2009/grammar/{kind}">{before}<page id="page">
{parts}
</page></net></pnml>
"""


def place(name: object, inside: str = "") -> str:
    return f'<place id="{name}">{inside}</place>'


def declared(inside: str) -> str:
    structure = f"<structure><declarations>{inside}</declarations></structure>"
    return f"<declaration>{structure}</declaration>"


def colours(count: int) -> str:
    named = joined(count, "", lambda i: f'<feconstant id="c{i}" name="c{i}"/>')
    sort = f"<cyclicenumeration>{named}</cyclicenumeration>"
    return f'<namedsort id="S" name="S">{sort}</namedsort>'


SORTED: Final = '<type><structure><usersort declaration="S"/></structure></type>'


def _marked(inside: str) -> str:
    marking = f"<hlinitialMarking><structure>{inside}</structure></hlinitialMarking>"
    return pnml(place("p", SORTED + marking), kind="symmetricnet", before=declared(colours(3)))


def _guarded(inside: str, *, count: int = 1) -> str:
    variables = joined(
        count,
        "",
        lambda i: f'<variabledecl id="x{i}" name="x{i}"><usersort declaration="S"/></variabledecl>',
    )
    variable = '<subterm><variable refvariable="x0"/></subterm>'
    one = "<subterm><numberconstant value='1'><positive/></numberconstant></subterm>"
    term = f"<structure><numberof>{one}{variable}</numberof></structure>"
    condition = f"<condition><structure>{inside}</structure></condition>" if inside else ""
    return pnml(
        place("p", SORTED)
        + f'<transition id="t">{condition}</transition>'
        + f'<arc id="a" source="p" target="t"><hlinscription>{term}</hlinscription></arc>',
        kind="symmetricnet",
        before=declared(colours(3) + variables),
    )


_EQUAL: Final = (
    '<equality><subterm><variable refvariable="x0"/></subterm>'
    '<subterm><variable refvariable="x0"/></subterm></equality>'
)
_COLOUR: Final = (
    "<numberof><subterm><numberconstant value='1'><positive/></numberconstant></subterm>"
    '<subterm><useroperator declaration="c0"/></subterm></numberof>'
)

PNML: Final[Mapping[str, Callable[[int], str]]] = {
    "places": lambda n: pnml(lines(n, lambda i: place(f"p{i}"))),
    "equal places": lambda n: pnml(lines(n, lambda _: place("p"))),
    "transitions": lambda n: pnml(lines(n, lambda i: f'<transition id="t{i}"/>')),
    "arcs": lambda n: pnml(
        '<transition id="t"/>'
        + lines(n, lambda i: place(f"p{i}") + f'<arc id="a{i}" source="p{i}" target="t"/>')
    ),
    "arcs between two": lambda n: pnml(
        place("p")
        + '<transition id="t"/>'
        + lines(n, lambda i: f'<arc id="a{i}" source="p" target="t"/>')
    ),
    "arcs to nowhere": lambda n: pnml(
        lines(n, lambda i: f'<arc id="a{i}" source="p{i}" target="t{i}"/>')
    ),
    "pages": lambda n: pnml(lines(n, lambda i: f'<page id="g{i}">{place(f"p{i}")}</page>')),
    "pages in pages": lambda n: pnml(
        joined(n, "", lambda i: f'<page id="g{i}">') + place("p") + "</page>" * n
    ),
    "references": lambda n: pnml(
        place("p0") + lines(n, lambda i: f'<referencePlace id="p{i + 1}" ref="p0"/>')
    ),
    "a chain of references": lambda n: pnml(
        place("p0") + lines(n, lambda i: f'<referencePlace id="p{i + 1}" ref="p{i}"/>')
    ),
    "a circle of references": lambda n: pnml(
        lines(n, lambda i: f'<referencePlace id="p{i}" ref="p{(i + 1) % n}"/>')
    ),
    "names": lambda n: pnml(
        lines(n, lambda i: place(f"p{i}", f"<name><text>place {i}</text></name>"))
    ),
    "length of a name": lambda n: pnml(place("p", f"<name><text>{'x' * n}</text></name>")),
    "length of an id": lambda n: pnml(place("p" * n)),
    "length of a number": lambda n: pnml(
        place("p", f"<initialMarking><text>{'7' * n}</text></initialMarking>")
    ),
    "attributes": lambda n: pnml('<place id="p" ' + joined(n, " ", "a{0}='{0}'".format) + "/>"),
    "comments": lambda n: pnml(lines(n, lambda i: f"<!-- words {i} -->")),
    "unknown elements": lambda n: pnml(lines(n, lambda i: f"<zz{i}/>")),
    "elements in elements": lambda n: pnml("<zz>" * n + "</zz>" * n),
    "graphics": lambda n: pnml(
        place("p", "<graphics>" + '<position x="1" y="2"/>' * n + "</graphics>")
    ),
    "nets": lambda n: pnml(place("p")).replace(
        "</pnml>", '<net id="more" type="x"></net>' * n + "</pnml>"
    ),
    "colours": lambda n: pnml(place("p", SORTED), kind="symmetricnet", before=declared(colours(n))),
    "sorts": lambda n: pnml(
        place("p", SORTED),
        kind="symmetricnet",
        before=declared(
            colours(3)
            + joined(
                n,
                "",
                lambda i: (
                    f'<namedsort id="S{i}" name="S{i}"><usersort declaration="S"/></namedsort>'
                ),
            )
        ),
    ),
    "a chain of sorts": lambda n: pnml(
        place("p", SORTED.replace('"S"', f'"S{n}"')),
        kind="symmetricnet",
        before=declared(
            colours(3).replace('id="S"', 'id="S0"')
            + joined(
                n,
                "",
                lambda i: (
                    f'<namedsort id="S{i + 1}" name="S{i + 1}">'
                    f'<usersort declaration="S{i}"/></namedsort>'
                ),
            )
        ),
    ),
    "variables": lambda n: _guarded("", count=n),
    "length of a condition": lambda n: _guarded(f"<and>{f'<subterm>{_EQUAL}</subterm>' * n}</and>"),
    "depth of a condition": lambda n: _guarded(
        "<not><subterm>" * n + _EQUAL + "</subterm></not>" * n
    ),
    "terms of a marking": lambda n: _marked(f"<add>{f'<subterm>{_COLOUR}</subterm>' * n}</add>"),
}
