"""Inputs that nobody would write: made by grammars, and by changing those that somebody wrote.

Everything is drawn from a `Random`, so that a number leads to the same input again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random

from tests.support.comparisons import drawn_net
from tests.support.random_systems import system_by
from tests.support.system_text import document_of
from zermelo.languages.nets.ir import Net
from zermelo.languages.nets.write import pnml, prod
from zermelo.text.errors import UsageError

LONGEST = 4096
"""Inputs are cut to so many bytes: what only takes long has tests of its own."""

NETS = 100
"""So many nets are drawn; drawing them takes longer than anything else here."""

_TOKEN = re.compile(rb"[A-Za-z_]+|\d+|\s+|[\x80-\xff]+|.", re.DOTALL)

ODD: Sequence[bytes] = (
    b"",
    b"0",
    b"-1",
    b"9223372036854775807",
    b"18446744073709551616",
    b"1" + b"0" * 400,
    b"1e999",
    b"NaN",
    b"\x00",
    b"\xff",
    b"\xf0\x9f\x99\x82",
    b"\xe2\x80\xae",
    b"\xef\xbb\xbf",
    b"\r",
    b"\t",
    b"(" * 40,
    b"{" * 40,
    b"}",
    b"\\",
    b'"',
    b"null",
    b"true",
    b"{currentState}",
)
"""What is put where something else stood."""


def mutated(chance: Random, seeds: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    """One of *seeds*, changed once or some times; *words* are tokens of its language."""
    tokens = _TOKEN.findall(chance.choice(seeds))
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        tokens = chance.choice(_CHANGES)(chance, tokens, seeds, words)
    return b"".join(tokens)[:LONGEST]


def words_of(seeds: Sequence[bytes], *, most: int = 4000) -> list[bytes]:
    """The tokens of *seeds*, each once."""
    found = dict.fromkeys(token for seed in seeds for token in _TOKEN.findall(seed))
    return list(islice(found, most))


Change = Callable[[Random, list[bytes], Sequence[bytes], Sequence[bytes]], list[bytes]]


def _place(chance: Random, tokens: Sequence[bytes]) -> int:
    return chance.randrange(len(tokens) + 1)


def _delete(
    chance: Random, tokens: list[bytes], seeds: Sequence[bytes], words: Sequence[bytes]
) -> list[bytes]:
    del seeds, words
    at = _place(chance, tokens)
    return tokens[:at] + tokens[at + chance.choice((1, 1, 2, 8)) :]


def _insert(
    chance: Random, tokens: list[bytes], seeds: Sequence[bytes], words: Sequence[bytes]
) -> list[bytes]:
    del seeds
    at = _place(chance, tokens)
    return [*tokens[:at], chance.choice(words if chance.random() < 0.7 else ODD), *tokens[at:]]


def _replace(
    chance: Random, tokens: list[bytes], seeds: Sequence[bytes], words: Sequence[bytes]
) -> list[bytes]:
    del seeds
    at = _place(chance, tokens)
    return [*tokens[:at], chance.choice(words if chance.random() < 0.6 else ODD), *tokens[at + 1 :]]


def _swap(
    chance: Random, tokens: list[bytes], seeds: Sequence[bytes], words: Sequence[bytes]
) -> list[bytes]:
    del seeds, words
    if not tokens:
        return tokens
    first, second = chance.randrange(len(tokens)), chance.randrange(len(tokens))
    changed = list(tokens)
    changed[first], changed[second] = changed[second], changed[first]
    return changed


def _repeat(
    chance: Random, tokens: list[bytes], seeds: Sequence[bytes], words: Sequence[bytes]
) -> list[bytes]:
    del seeds, words
    at = _place(chance, tokens)
    part = tokens[at : at + chance.choice((1, 2, 5, 20))]
    return tokens[:at] + part * chance.choice((2, 2, 3, 12)) + tokens[at:]


def _move_line(
    chance: Random, tokens: list[bytes], seeds: Sequence[bytes], words: Sequence[bytes]
) -> list[bytes]:
    del seeds, words
    lines = b"".join(tokens).splitlines(keepends=True)
    if len(lines) < 2:
        return tokens
    line = lines.pop(chance.randrange(len(lines)))
    if chance.random() < 0.7:
        lines.insert(_place(chance, lines), line)
    return _TOKEN.findall(b"".join(lines))


def _splice(
    chance: Random, tokens: list[bytes], seeds: Sequence[bytes], words: Sequence[bytes]
) -> list[bytes]:
    """The beginning of one and the end of another."""
    del words
    other = _TOKEN.findall(chance.choice(seeds))
    return tokens[: _place(chance, tokens)] + other[_place(chance, other) :]


def _flip(
    chance: Random, tokens: list[bytes], seeds: Sequence[bytes], words: Sequence[bytes]
) -> list[bytes]:
    del seeds, words
    data = bytearray(b"".join(tokens))
    if data:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return _TOKEN.findall(bytes(data))


_CHANGES: Sequence[Change] = (
    _delete,
    _insert,
    _insert,
    _replace,
    _replace,
    _swap,
    _repeat,
    _move_line,
    _splice,
    _flip,
)


# Grammars


def sections_text(chance: Random) -> bytes:
    """A document with sections, of every construct."""
    return document_of(system_by(chance)).encode()


def prod_text(chance: Random) -> bytes:
    """A net in PROD's language."""
    return _written(prod.lines, chance)


def pnml_text(chance: Random) -> bytes:
    """A net in PNML."""
    return _written(pnml.lines, chance)


def _written(write: Callable[[Net], Iterator[str]], chance: Random) -> bytes:
    """Some net that can be written in this way; not every one can."""
    while True:
        try:
            return "\n".join(write(drawn_net(chance.randrange(NETS)))).encode()
        except UsageError:
            continue


_LED: dict[str, Sequence[str]] = {
    "program": (
        "/$\nledGame\n{d}\n{d}\n{d}\n$/\n",
        "/$\nledGame\ninitialState := {e}\nnewState := {e}\nimages := {e}\n$/\n",
        "A text.\n/$\n{d}\n{d}\n$/\nMore text.\n/$\n{d}\n$/\n",
    ),
    "d": (
        "{n} := {e}\n",
        "{n}({v}) := {e}\n",
        "{n}({v}) := {e} if {e}; {e} if {e}; {e} otherwise\n",
        "{n}({v},{v}) iff {e}\n",
        "{n} iff {e}\n",
    ),
    "e": (
        "{a}",
        "{a}",
        "{e} + {e}",
        "{e} - {e}",
        "{e} * {e}",
        "{e} / {e}",
        "{e} ^ {e}",
        "{e} mod {e}",
        "({e}, {e})",
        "{{{e}, {e}}}",
        "{{{e}..{e}}}",
        "{{{e} | {v} in {e} & {e}}}",
        "{e} U {e}",
        "{e} nrsec {e}",
        "{e} \\ {e}",
        "{e} in {e}",
        "{e} = {e}",
        "{e} < {e}",
        "~{e}",
        "{e} & {e}",
        "{e} V {e}",
        "some {v} in {e}. {e}",
        "all {v} in {e}. {e}",
        "Sum[{v} in {e}] {e}",
        "|{e}|",
        "{e}[{e}]",
        "{n}({e})",
        "{e} where {v} = {e}",
    ),
    "a": ("{v}", "{n}", "0", "1", "2", "-3", "2.5", "`a", '"text"', "{{}}", "currentState"),
    "n": ("f", "g", "initialState", "newState", "images", "sounds", "limit"),
    "v": ("x", "y", "z"),
}


def led_text(chance: Random) -> bytes:
    """An LED program."""
    return _expanded(chance, "program", 5).encode()


def _expanded(chance: Random, name: str, depth: int) -> str:
    options = _LED["a"] if name == "e" and depth <= 0 else _LED[name]
    parts = re.split(r"(\{\{|\}\}|\{[a-z]\})", chance.choice(options))
    made = [
        {"{{": "{", "}}": "}"}.get(part)
        or (_expanded(chance, part[1], depth - 1) if re.fullmatch(r"\{[a-z]\}", part) else part)
        for part in parts
    ]
    return "".join(made)
