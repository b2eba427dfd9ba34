"""What is told of the games of the library: their titles, what they are, and what is known.

A game is given by its document; what is told stands in the README and ``expected.toml`` beside it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from zermelo.text.prose import count, listing


def title(document: Path) -> str:
    """The title of the game's README."""
    readme = document.with_name("README.md")
    path = readme if readme.is_file() else document
    rows = path.read_text(encoding="utf-8").splitlines()
    return next((row.lstrip("# ") for row in rows if row.startswith("# ")), document.stem)


def sentences(document: Path) -> tuple[str, ...]:
    """The first paragraph of its README: what is done, and how one wins."""
    readme = document.with_name("README.md")
    rows = readme.read_text(encoding="utf-8").splitlines() if readme.is_file() else []
    told: list[str] = []
    for row in rows:
        if row.strip() and not row.startswith("#"):
            told.append(row.strip().replace("`", ""))
        elif told:
            break
    return tuple(told)


def known(document: Path) -> Iterator[str]:
    """What is known of a game, as sentences; the sources are in its ``expected.toml``."""
    facts = _facts(document)
    plays = _numbers(facts.get("plays", ()), "by_length")
    if plays:
        yield f"Plays of 1 to {len(plays)} moves: {_listed(plays)}."
    states = _numbers(facts.get("states", ()), "by_depth")
    if states:
        yield f"Positions after 0 to {len(states) - 1} moves: {_listed(states)}."


def summary(document: Path) -> Iterator[str]:
    """The same in a few words: how many positions there are, and what perfect play leads to."""
    facts = _facts(document)
    value = next((each for each in facts.get("value", ()) if "readings" not in each), {})
    space = next((each for each in facts.get("space", ()) if "readings" not in each), {})
    positions = value.get("positions", space.get("states"))
    if isinstance(positions, int):
        yield count(positions, "position")
    told = _WITH_PERFECT_PLAY.get(str(value.get("value")))
    if told is not None:
        yield f"{told} with perfect play"


_WITH_PERFECT_PLAY: Final = {
    "win": "the first player wins",
    "loss": "the second player wins",
    "draw": "a draw",
}


def _facts(document: Path) -> Mapping[str, Sequence[Mapping[str, object]]]:
    path = document.with_name("expected.toml")
    found = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {key: entries for key, entries in found.items() if isinstance(entries, list)}


def _numbers(entries: Sequence[Mapping[str, object]], key: str) -> list[int]:
    """The longest list of numbers called *key* among *entries*."""
    found = [entry[key] for entry in entries if isinstance(entry.get(key), list)]
    lists = [[n for n in each if isinstance(n, int)] for each in found if isinstance(each, list)]
    return max(lists, key=len, default=[])


def _listed(numbers: Sequence[int]) -> str:
    return listing([f"{number:,}" for number in numbers])


TEMPLATE: Final = """\
# A game of my own

Everything before the first heading is prose. Change what you like, then try
    zermelo check FILE      what is wrong with it
    zermelo play FILE       play it
    zermelo explain FILE    what it says, in plain words

Applicable Sets
// Lines that begin with // are comments. Every symbol has an ASCII spelling as well:
// in for ∈, subset for ⊆, union for ∪, and for ∧, or for ∨, not for ¬, -> for →.
  N : {1, 2, 3}  // rows and columns
  P : N × N  // the board: a set of pairs that players point at
  B : {true, false}
  Rows : {{1} × N, {2} × N, {3} × N}
  Columns : {N × {1}, N × {2}, N × {3}}
  Diagonals : {{(1, 1), (2, 2), (3, 3)}, {(1, 3), (2, 2), (3, 1)}}
  Lines : Rows ∪ Columns ∪ Diagonals

System Variables
  Cross, Nought, Free ⊆ P  // the cells of each player, and the others
  turn ∈ B  // true when it is the turn of Cross
  line, over ∈ B

System Facts
// A fact holds always. No rule assigns these variables: they are computed.
  Free = P − (Cross ∪ Nought)
  line ↔ ∃w ∈ Lines: (w ⊆ Cross ∨ w ⊆ Nought)
  over ↔ (line ∨ Free = ∅)

System Initialization
  Cross, Nought = ∅
  turn = true

System States and Behavior
// A move: the player names a cell. Where no rule changes anything, the move is refused.
Place(pos ∈ P)
  turn ∧ pos ∈ Free → Cross = Cross ∪ {pos} ∧ turn = ¬turn
  ¬turn ∧ pos ∈ Free → Nought = Nought ∪ {pos} ∧ turn = ¬turn
// The end: called after every move. It decides the result.
GameOver(over)
  result ∈ {Cross wins, Nought wins, draw}
  line ∧ ¬turn → result = Cross wins  // who made the line has just moved
  line ∧ turn → result = Nought wins
  over ∧ ¬line → result = draw

Reading
// Where a document leaves something open, a reading decides it: see zermelo readings FILE.
  order: in order  // after the first rule pos is no longer in Free, so the second does not fire
  players: Cross when turn, Nought when ¬turn

View
  board: P
  piece X: Cross
  piece O: Nought
"""
"""A small game with comments, to begin with and to change."""
