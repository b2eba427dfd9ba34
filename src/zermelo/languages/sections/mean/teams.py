"""Players who win together: teams that share results, and games in which all win or all lose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from zermelo.core.machine import WINS, Verb
from zermelo.core.values import TRUE, Atom
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.results import ResultWord, Seat, is_like, says_together
from zermelo.languages.sections.mean.turns import (
    MOST_TURNS,
    Turns,
    changed_functions,
    evaluator,
    grown,
    mover_of,
)
from zermelo.languages.sections.printer import to_text

EVERYBODY: Final = "Everybody"
_Group: TypeAlias = frozenset[int]


@dataclass(frozen=True, slots=True)
class Meaning:
    """Who wins and who loses with a result; nobody, if it is a draw."""

    winners: tuple[str, ...]
    losers: tuple[str, ...]


DRAW: Final = Meaning((), ())


# Teams


def teams(
    system: ir.System, turns: Turns, seats: tuple[Seat, ...], words: Sequence[ResultWord]
) -> tuple[Seat, ...]:
    """*seats*, those joined who share a result; as they are where nothing tells of teams.

    Results name teams if there are fewer names than seats, none of them a seat's own, and
    each is that of a set which grows in the turns of some, or is made of their names.
    """
    stems = list(dict.fromkeys(w.stem.casefold() for w in words if _may_name(w)))
    own = {seat.value.name.casefold() for seat in seats if isinstance(seat.value, Atom)}
    if not 2 <= len(stems) < len(seats) or own.intersection(stems):
        return seats
    adders = _adders(system, turns, seats)
    groups = {stem: _group(stem, adders, seats) for stem in stems}
    joined = sorted(index for group in groups.values() for index in group)
    if joined != list(range(len(seats))) or not all(groups.values()):
        return seats
    first = sorted(groups.items(), key=lambda entry: min(entry[1]))
    return tuple(_joined([seats[i] for i in sorted(group)], stem) for stem, group in first)


def _may_name(word: ResultWord) -> bool:
    return bool(word.stem) and word.verb is not Verb.DRAWS and not word.is_fate


def _adders(system: ir.System, turns: Turns, seats: tuple[Seat, ...]) -> dict[str, _Group]:
    """Those in whose turns a variable got more, by the variable's name in small letters."""
    evaluate = evaluator(system)
    found: dict[str, set[int]] = {}
    functions = changed_functions(system)
    for before, _, after in turns[:MOST_TURNS]:
        mover = mover_of(seats, evaluate, before)
        more = grown(before, after, functions=functions)
        for name in more if mover is not None else ():
            found.setdefault(name.casefold(), set()).add(mover or 0)
    return {name: frozenset(movers) for name, movers in found.items()}


def _group(stem: str, adders: Mapping[str, _Group], seats: tuple[Seat, ...]) -> _Group:
    """Those whom the name of a team means."""
    like = {group for name, group in adders.items() if is_like(name, stem)}
    if len(like) == 1:
        return min(like, key=sorted)
    names = [s.value.name.casefold() if isinstance(s.value, Atom) else "" for s in seats]
    letters = [*stem] if all(len(name) == 1 for name in names) else _words(stem)
    named = frozenset(i for i, name in enumerate(names) if name in letters)
    return named if len(named) == len(letters) else frozenset()


def _words(stem: str) -> list[str]:
    return [word for word in stem.replace("-", " ").split() if word != "and"]


def _joined(members: Sequence[Seat], stem: str) -> Seat:
    if len(members) == 1:
        return members[0]
    values = [seat.value for seat in members]
    first = members[0].turn
    if isinstance(first, ir.Binary) and first.op is ir.Op.EQ and None not in values:
        listed = tuple(ir.Literal(value) for value in values if value is not None)
        turn: ir.Expr = ir.Binary(ir.Op.IN, first.left, ir.SetOf(listed))
    else:
        turn = ir.Or(tuple(seat.turn for seat in members))
    return Seat(turn, tokens=(stem,))


# All together


def shared_words(words: Sequence[ResultWord], prose: Iterable[str]) -> tuple[ResultWord, ...]:
    """The words with which all win or all lose, if no other word says who wins.

    `victory` and `defeat` are such words where the document says that all work together.
    """
    is_said = says_together(prose)
    shared = [word for word in words if word.is_shared or (is_said and word.is_fate)]
    # `we win` and `they win` are two sides.
    if len({w.stem.casefold() for w in shared if w.verb is Verb.WINS}) > 1:
        return ()
    others = [w for w in words if w not in shared and w.verb is not Verb.DRAWS]
    return () if others else tuple(shared)


def shared_meaning(words: Sequence[ResultWord], names: Sequence[str]) -> dict[str, Meaning]:
    """What *words* mean for all of those with *names*, by the text of the word."""
    everybody = tuple(names)
    return {
        word.text: Meaning((), everybody)
        if word.tokens.isdisjoint(WINS) and not word.is_solved
        else Meaning(everybody, ())
        for word in words
    }


def is_for_all(people: Sequence[Seat], meaning: Mapping[str, Meaning]) -> bool:
    """Whether with each result all win, all lose or nobody does either, and some decide."""
    names = {str(seat.name) for seat in people}
    decided = [each for each in meaning.values() if each != DRAW]
    return (
        len(people) > 1
        and bool(decided)
        and all(set(each.winners) == names or set(each.losers) == names for each in decided)
    )


def as_one(
    people: Sequence[Seat], meaning: Mapping[str, Meaning], words: Sequence[ResultWord]
) -> ir.PlayerRule:
    """The one side that *people* are who win and lose together."""
    known = [(w.value, meaning[w.text]) for w in words if w.text in meaning]
    return ir.PlayerRule(
        EVERYBODY,
        ir.Literal(TRUE),
        wins=tuple(value for value, means in known if means.winners),
        loses=tuple(value for value, means in known if means.losers),
        evidence=tuple(f"{seat.name} moves when `{to_text(seat.turn)}`" for seat in people),
    )
