"""What ties the words of results to those who take turns, besides their names.

What a rule asks for is brought about by whoever changes what it looks at; what it asks of
members may come true in the turns of one player only; a move may be called like somebody, and
only one player makes it; and the document may say in words who plays what, and who begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from zermelo.core.machine import Verb
from zermelo.core.state import State
from zermelo.core.values import FALSE, TRUE, Atom, sort_key
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.results import (
    BY_RULES,
    Clue,
    ResultWord,
    Seat,
    is_number,
    tokens,
)
from zermelo.languages.sections.mean.terms.leanings import Lean, Leanings
from zermelo.languages.sections.mean.turns import (
    MOST_TURNS,
    Evaluate,
    Turns,
    evaluator,
    is_comparison,
    mover_of,
)
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.walk import Footprints, conjuncts, free_locals, parts

_MEMBERSHIP: Final = {ir.Op.IN, ir.Op.SUBSET, ir.Op.PROPER_SUBSET}
_TWO: Final = 2
_OFTEN_ENOUGH: Final = 3
"""So often something must be seen that is to tell who is who."""
_BY_MOVES: Final = 5
_BY_PROSE: Final = 8
_HAS: Final = frozenset(
    {"plays", "play", "playing", "is", "has", "have", "owns", "uses", "places", "puts", "marks"}
    | {"moves", "controls", "gets", "holds", "s", "belongs", "belong", "as"}
    | {"takes", "adds", "removes", "fills", "writes", "draws", "leads", "means"}
)
_DENIES: Final = frozenset(
    {"not", "never", "no", "nor", "neither", "against", "beats", "opponent", "opponents", "unless"}
    | {"loses", "lose", "lost", "avoid", "avoids", "wins", "win", "other", "cannot", "if", "after"}
)
_FIRST: Final = re.compile(
    r"(begins?|starts?|opens|(moves|goes|plays|is|acts) first|has the first (move|turn))\b"
)
_SECOND: Final = re.compile(r"((moves|goes|plays|is|acts) second|has the second (move|turn))\b")
_LOSING: Final = re.compile(
    r"\b(mis[eè]re|avoid\w*|lose[rs]?|lost|losing|poison\w*|must not|penalt\w+)\b", re.IGNORECASE
)
_CLAUSE: Final = re.compile(r"[.;,:()]\s|[.;,:()]$|\s(?:and|while|whereas|but)\s|\n")
_Changes: TypeAlias = Mapping[tuple[str, Lean], frozenset[int]]


def clues(
    system: ir.System, turns: Turns, *, seats: Sequence[Seat], words: Sequence[ResultWord]
) -> tuple[Clue, ...]:
    """What ties *words* to *seats*, by what was played and by what the document says in words."""
    seen = _Seen(system, turns[:MOST_TURNS], seats)
    return (
        *_brought_about(system, seen, words),
        *_made_true(system, seen, words),
        *_made_by_one(seen, words),
        *_in_words(system, seen, words),
    )


def speaks_of_losing(system: ir.System) -> bool:
    """Whether the document says in words that something is to be avoided."""
    return any(_LOSING.search(row) for row in system.prose)


class _Seen:
    """The turns that were played, by who made them."""

    def __init__(self, system: ir.System, turns: Turns, seats: Sequence[Seat]) -> None:
        self.seats = seats
        self._initial = Interpreter(system).initial
        self.evaluate: Evaluate = evaluator(system)
        self.asked = {n.name for s in seats for n in parts(s.turn) if isinstance(n, ir.Ref)}
        """The variables that tell whose turn it is."""
        movers = ((mover_of(seats, self.evaluate, turn[0]), turn) for turn in turns)
        self.turns = [(mover, turn) for mover, turn in movers if mover is not None]

    @property
    def first(self) -> int | None:
        """Who is to move in the first state."""
        return mover_of(self.seats, self.evaluate, self._initial)

    def changes(self) -> _Changes:
        """Who was seen to let a variable have more, or less; what is neither is both."""
        found: dict[tuple[str, Lean], set[int]] = {}
        for mover, (before, _, after) in self.turns:
            for name, lean in _changed(before, after):
                found.setdefault((name, lean), set()).add(mover)
        return {key: frozenset(movers) for key, movers in found.items()}


def _changed(before: State, after: State) -> Iterator[tuple[str, Lean]]:
    for (name, old), (_, new) in zip(before.items(), after.items(), strict=True):
        if isinstance(old, frozenset) and isinstance(new, frozenset):
            if new - old:
                yield name, Lean.MORE
            if old - new:
                yield name, Lean.LESS
        elif is_number(old) and is_number(new) and old != new:
            yield name, Lean.MORE if sort_key(new) > sort_key(old) else Lean.LESS
        elif old != new:
            yield name, Lean.MORE
            yield name, Lean.LESS


# Rules


@dataclass(frozen=True, slots=True)
class _Driver:
    """Who alone brings about a part of what a rule asks for, and by changing what."""

    seat: int
    variable: str
    lean: Lean
    is_changed_by_others: bool
    """Whether others change the variable too, the other way."""

    @property
    def evidence(self) -> str:
        gets = "gets more" if self.lean is Lean.MORE else "gets less"
        does = gets if self.is_changed_by_others else "changes"
        does = gets if self.lean is Lean.MORE else does
        return f"its rule looks at `{self.variable}`, which {does} in no other turns"


def _brought_about(system: ir.System, seen: _Seen, words: Sequence[ResultWord]) -> Iterator[Clue]:
    """Who brings about what the rules of a winner ask for, if that is one of them only."""
    if not seen.turns:
        return
    leanings = Leanings(system)
    changes = seen.changes()
    for word in words:
        if word.verb not in {Verb.WINS, Verb.SILENT}:
            continue
        asked = [part for guard in word.guards for part in leanings.conjuncts(guard)]
        drivers = [d for part in asked for d in _drivers(leanings, part, changes, seen)]
        if len({driver.seat for driver in drivers}) == 1:
            yield Clue(word.text, drivers[0].seat, BY_RULES, drivers[0].evidence)


def _drivers(
    leanings: Leanings, part: ir.Expr, changes: _Changes, seen: _Seen
) -> Iterator[_Driver]:
    """The one who brings *part* about, if nobody else does."""
    leans = sorted(leanings.of(part), key=lambda lean: (lean[0], lean[1].value))
    if any(name in seen.asked for name, _ in leans):
        return
    movers = frozenset(seat for lean in leans for seat in changes.get(lean, ()))
    if len(movers) == 1:
        (seat,) = movers
        name, lean = next(lean for lean in reversed(leans) if changes.get(lean))
        others = any(changes.get((name, way), movers) != movers for way in Lean)
        yield _Driver(seat, name, lean, others)


def _made_true(system: ir.System, seen: _Seen, words: Sequence[ResultWord]) -> Iterator[Clue]:
    """The seats in whose turns alone what the rules of a winner ask for came true.

    Only what is asked of members tells something: numbers grow whoever moves, and so the last
    move may always be the same player's; and a rule that asks whose turn it is holds after the
    turns of another.
    """
    footprints = Footprints(system)
    told = [
        (word.text, part)
        for word in words
        if word.verb is Verb.WINS
        for guard in word.guards
        for part in conjuncts(guard)
        if _asks_for_members(part)
        and not free_locals(part)
        and footprints.reads((part,)).isdisjoint(seen.asked)
    ]
    by_word: dict[str, list[int]] = {}
    for mover, (before, _, after) in seen.turns if told else ():
        for text, guard in told:
            if seen.evaluate(guard, before) is FALSE and seen.evaluate(guard, after) is TRUE:
                by_word.setdefault(text, []).append(mover)
    for text, found in by_word.items():
        if len(set(found)) == 1 and len(found) >= _OFTEN_ENOUGH:
            why = "what its rule asks for comes true in no other turns"
            yield Clue(text, found[0], BY_RULES, why)


def _asks_for_members(formula: ir.Expr) -> bool:
    nodes = tuple(parts(formula))
    has_tests = any(isinstance(n, ir.Binary) and n.op in _MEMBERSHIP for n in nodes)
    return has_tests and not any(isinstance(n, ir.Card) or is_comparison(n) for n in nodes)


def _made_by_one(seen: _Seen, words: Sequence[ResultWord]) -> Iterator[Clue]:
    """Moves that are called like somebody, and made in the turns of one player only."""
    makers: dict[str, set[int]] = {}
    for mover, (_, move, _) in seen.turns:
        makers.setdefault(move.name, set()).add(mover)
    for name, movers in makers.items():
        for word in words:
            if len(movers) == 1 and word.stem and tokens(word.stem) <= tokens(name):
                why = f"`{name}` is called in no other turns"
                yield Clue(word.text, min(movers), _BY_MOVES, why)


# What the document says in words


def _in_words(system: ir.System, seen: _Seen, words: Sequence[ResultWord]) -> Iterator[Clue]:
    clauses = [c.strip() for row in system.prose for c in _CLAUSE.split(row) if c.strip()]
    stems = {word.stem.casefold() for word in words if word.stem}
    for clause in clauses:
        said = tokens(clause)
        named = [stem for stem in stems if tokens(stem) and tokens(stem) <= said]
        if len(named) != 1:
            continue
        for seat in _seats_meant(clause, said, seen):
            for word in words:
                if word.stem.casefold() == named[0]:
                    yield Clue(word.text, seat, _BY_PROSE, f"the document says “{clause}”")


def _seats_meant(clause: str, said: frozenset[str], seen: _Seen) -> Iterable[int]:
    """The seat that *clause* speaks of: by when it moves, or by what it owns; one at most."""
    if said & _DENIES:
        return ()
    lower, count, first = clause.casefold(), len(seen.seats), seen.first
    if _FIRST.search(lower):
        return () if first is None else (first,)
    if _SECOND.search(lower):
        return () if first is None or count != _TWO else (1 - first,)
    written = set(re.findall(r"\w+", clause))
    found = [i for i, seat in enumerate(seen.seats) if written & set(_marks_of(seat))]
    return found if len(found) == 1 and said & _HAS else ()


def _marks_of(seat: Seat) -> Iterator[str]:
    yield from seat.owned
    if isinstance(seat.value, Atom):
        yield seat.value.name
