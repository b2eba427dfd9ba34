"""Which result word belongs to which player, and what the players are called."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from zermelo.core.values import Atom, Value
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.players.outcomes import ResultWord, Verb
from zermelo.languages.sections.walk import parts

_WEAK: Final = 3
"""Scores up to this one come from rules and single letters, not from names."""

_TURN_WORDS: Final = frozenset(
    {"turn", "turns", "move", "moves", "to", "is", "s", "player", "play", "plays", "go", "goes"}
)
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth")


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table: when it is to move, and what is known of who sits there."""

    turn: ir.Expr
    value: Value | None = None
    """The value of the turn variable, where it is one variable."""
    owned: tuple[str, ...] = ()
    """The variables that grow in this seat's turns only."""
    owned_sets: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    """Of a Boolean as ``redTurn`` the ``red``, at the seat that moves when it holds."""
    name: str | None = None
    """The name the document's Reading gives, later the name found."""


@dataclass(frozen=True, slots=True)
class Belonging:
    """Words given to seats."""

    seat_by_word: Mapping[str, int]
    """By the text of the word."""
    assumed: tuple[str, ...] = ()
    """Stems given to seats only by their order."""
    unknown: tuple[ResultWord, ...] = ()
    """Words that are nobody's, or say nothing of winning, as far as the document says."""


def belonging(seats: Sequence[Seat], words: Sequence[ResultWord]) -> Belonging:
    """Whose word each of *words* is; words that say draw are left out."""
    named = [word for word in words if word.verb is not Verb.DRAWS]
    found = _by_score(seats, named)
    _same_stem(named, found)
    open_words = [word for word in named if word.text not in found]
    open_seats = [i for i in range(len(seats)) if i not in found.values()]
    stems = _stems(open_words)
    assumed: tuple[str, ...] = ()
    if stems and len(stems) <= len(open_seats) and _are_players(open_words, stems, open_seats):
        order = sorted(stems, key=str.casefold)
        for word in open_words:
            if word.stem:
                found[word.text] = open_seats[_index(order, word.stem)]
        if len(open_seats) > 1:
            assumed = tuple(order)
    open_verbs = _open_verbs(named, found, count=len(seats))
    unknown = tuple(word for word in named if word.text not in found or word in open_verbs)
    return Belonging(found, assumed, unknown)


def _open_verbs(
    words: Sequence[ResultWord], found: Mapping[str, int], *, count: int
) -> Sequence[ResultWord]:
    """The words whose verb may be good or bad; if each seat has one such word, it is good."""
    silent = [w for w in words if w.rest and w.verb is Verb.SILENT and w.text in found]
    return () if sorted(found[w.text] for w in silent) == list(range(count)) else silent


def _by_score(seats: Sequence[Seat], words: Sequence[ResultWord]) -> dict[str, int]:
    """The words that are tied to one seat more than to any other.

    Of words tied to a seat by their rules only, those of one name can be right.
    """
    tied: list[tuple[ResultWord, int, int]] = []
    for word in words:
        scores = [_score(seat, word, seats=seats, words=words) for seat in seats]
        top = max(scores, default=0)
        if top > 0 and scores.count(top) == 1:
            tied.append((word, scores.index(top), top))
    found: dict[str, int] = {}
    for word, index, top in tied:
        rivals = [
            score
            for other, seat, score in tied
            if seat == index and other.stem.casefold() != word.stem.casefold()
        ]
        if top > _WEAK or all(top > rival for rival in rivals):
            found[word.text] = index
    return found


def _same_stem(words: Sequence[ResultWord], found: dict[str, int]) -> None:
    """Give a word to the seat that another word of the same stem has."""
    known = {w.stem.casefold(): found[w.text] for w in words if w.text in found and w.stem}
    for word in words:
        if word.text not in found and word.stem.casefold() in known:
            found[word.text] = known[word.stem.casefold()]


def _stems(words: Sequence[ResultWord]) -> list[str]:
    stems: dict[str, str] = {}
    for word in words:
        if word.stem:
            stems.setdefault(word.stem.casefold(), word.stem)
    return list(stems.values())


def _index(order: Sequence[str], stem: str) -> int:
    return next(i for i, other in enumerate(order) if other.casefold() == stem.casefold())


def _are_players(words: Sequence[ResultWord], stems: Sequence[str], seats: Sequence[int]) -> bool:
    """Whether words without a seat look like names of players: a verb, or one for each seat."""
    has_verb = all(word.verb is not Verb.SILENT for word in words if word.stem)
    return has_verb or len(stems) == len(seats)


def _score(
    seat: Seat, word: ResultWord, *, seats: Sequence[Seat], words: Sequence[ResultWord]
) -> int:
    """How strongly *word* is tied to *seat*; names first, then sets, then its rule."""
    stem = word.stem.casefold()
    if seat.name is not None and begins(word.text, seat.name):
        return 10
    if isinstance(seat.value, Atom) and stem and seat.value.name.casefold() == stem:
        return 6
    if _names_number(seat, word, seats=seats, words=words):
        return 6
    if any(name.casefold() == stem for name in seat.owned):
        return 5
    if stem and any(_starts(name.casefold(), stem) for name in seat.owned):
        return 4
    if stem in seat.tokens or _is_ordinal_of(word, seats.index(seat), words=words):
        return 3
    score = 2 * _mentions_only(seat, word, seats=seats)
    return score + any(stem.startswith(token) for token in seat.tokens)


def _is_ordinal_of(word: ResultWord, index: int, *, words: Sequence[ResultWord]) -> bool:
    """Whether *word* says ``first`` or ``Player 1`` for the seat that moves first, and so on."""
    ranks = [_ordinal(other.stem) for other in words if other.stem]
    return None not in ranks and _ordinal(word.stem) == index + 1


def _ordinal(stem: str) -> int | None:
    lower = stem.casefold()
    if lower in _ORDINALS:
        return _ORDINALS.index(lower) + 1
    match = re.fullmatch(r"(?:player|p|no|number)?\s*(\d)(?:st|nd|rd|th)?(?:\s+player)?", lower)
    first = re.fullmatch(rf"({'|'.join(_ORDINALS)}) player|player ({'|'.join(_ORDINALS)})", lower)
    if first is not None:
        return _ORDINALS.index(first[1] or first[2]) + 1
    return None if match is None else int(match[1])


def begins(text: str, name: str) -> bool:
    """Whether *text* begins with the whole word or words *name*.

    >>> begins("Black captures", "black"), begins("Blackbird", "Black")
    (True, False)
    """
    lower, start = text.casefold(), name.casefold()
    return lower.startswith(start) and not lower[len(start) : len(start) + 1].isalpha()


def _starts(name: str, stem: str) -> bool:
    return name.startswith(stem) or (len(name) > 1 and stem.startswith(name))


def _names_number(
    seat: Seat, word: ResultWord, *, seats: Sequence[Seat], words: Sequence[ResultWord]
) -> bool:
    """Whether the word's number is the seat's, and numbers of words are values of the turn."""
    digits = [re.findall(r"\d+", other.stem) for other in words if other.stem]
    values = {str(other.value) for other in seats if _is_number(other.value)}
    mine = re.findall(r"\d+", word.stem)
    return (
        bool(mine)
        and all(len(found) == 1 and found[0] in values for found in digits)
        and _is_number(seat.value)
        and mine[0] == str(seat.value)
    )


def _mentions_only(seat: Seat, word: ResultWord, *, seats: Sequence[Seat]) -> bool:
    """Whether the rules that set *word* look at what this seat owns and no other does."""
    if word.verb is Verb.LOSES:
        return False
    seen = {n.name for guard in word.guards for n in parts(guard) if isinstance(n, ir.Ref)}
    looked_at = [other for other in seats if seen & set(other.owned)]
    return looked_at == [seat]


def _is_number(value: Value | None) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def named(seats: Sequence[Seat], words: Sequence[ResultWord], found: Belonging) -> tuple[Seat, ...]:
    """*seats*, each with a name: from words, from the turn's value, from sets, or a number."""
    if len(seats) == 1:
        said = [w.stem for w in words if w.stem and w.verb in {Verb.WINS, Verb.LOSES}]
        name = said[0] if len({stem.casefold() for stem in said}) == 1 else "Player"
        return (replace(seats[0], name=seats[0].name or name),)
    result: list[Seat] = []
    for index, seat in enumerate(seats):
        taken = {other.name for other in result}
        choices = (*_names(seat, index, words=words, found=found), f"Player {index + 1}")
        name = next((c for c in choices if c and c not in taken), f"Player {index + 1}")
        result.append(replace(seat, name=name))
    return tuple(result)


def _names(
    seat: Seat, index: int, *, words: Sequence[ResultWord], found: Belonging
) -> tuple[str | None, ...]:
    """What a seat may be called, best first."""
    mine = [w for w in words if found.seat_by_word.get(w.text) == index and w.stem]
    stems = [w.stem for w in sorted(mine, key=lambda w: w.verb is not Verb.WINS)]
    by_word = stems[0] if stems else None
    if by_word is not None and by_word.isdigit():
        by_word = f"Player {by_word}"
    by_value = seat.value.name if isinstance(seat.value, Atom) else None
    by_set = seat.owned_sets[0] if seat.owned_sets else None
    by_number = f"Player {seat.value}" if _is_number(seat.value) else None
    return (seat.name, by_word, by_value, by_set, by_number)


def tokens_of(variable: str) -> tuple[str, ...]:
    """The words in the name of a turn variable that may name who moves when it holds.

    >>> tokens_of("redTurn"), tokens_of("turn"), tokens_of("white_moves")
    (('red',), (), ('white',))
    """
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", variable)
    words = re.split(r"[\s_]+", spaced.casefold())
    return tuple(word for word in words if word and word not in _TURN_WORDS)
