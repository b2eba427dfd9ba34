"""Result words that begin with the name of a player: ``Black captures``, ``ann busts``.

What stands behind the name is a verb that may be unknown. Names come from what is
known of the seats, and else from words that differ only in how they begin.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from zermelo.core.values import Atom
from zermelo.languages.sections.mean.players.outcomes import ResultWord, Verb
from zermelo.languages.sections.mean.players.seats import Seat, begins

_GAINS: Final = frozenset(
    {"more", "most", "ahead", "leads", "triumphs", "prevails", "survives", "succeeds", "best"}
)
_FAILS: Final = frozenset(
    {"bust", "busts", "busted", "out", "fails", "failed", "dies", "died", "dead", "resigns"}
    | {"trapped", "caught", "stuck", "eliminated", "falls", "worst"}
)
_NOUNS: Final = frozenset({"player", "players", "side", "team", "colour", "color"})
_NEUTRAL: Final = frozenset(
    {"equal", "equals", "equality", "even", "full", "level", "balanced", "balance", "same"}
    | {"blocked", "undecided", "quits", "split", "peace"}
)


def named_words(seats: Sequence[Seat], words: Sequence[ResultWord]) -> tuple[ResultWord, ...]:
    """*words*, those without a known verb taken apart into a player's name and the rest."""
    silent = [word for word in words if word.verb is Verb.SILENT]
    return tuple(_parted(seats, word, silent) if word in silent else word for word in words)


def sounds_drawn(word: ResultWord) -> bool:
    """Whether a word that names nobody is likely to say that nobody wins."""
    return any(token in _NEUTRAL for token in word.tokens)


def _parted(seats: Sequence[Seat], word: ResultWord, silent: Sequence[ResultWord]) -> ResultWord:
    names = [n for seat in seats for n in _names_of(seat) if begins(word.text, n)]
    if names:
        length = len(max(names, key=len))
    else:
        others = [other.text for other in silent if other is not word]
        length = len(word.text) - len(_shared_end(word.text, others))
    stem, rest = word.text[:length].strip(), word.text[length:].strip()
    if not stem or not rest or set(rest.casefold().split()) <= _NOUNS:
        return word
    return replace(word, stem=stem, verb=_verb(rest), rest=rest)


def _names_of(seat: Seat) -> Iterable[str]:
    """The names that a seat is known by: a given one, the turn's value or name, its sets."""
    if seat.name is not None:
        yield seat.name
    if isinstance(seat.value, Atom):
        yield seat.value.name
    yield from seat.owned_sets
    yield from seat.tokens


def _shared_end(text: str, others: Iterable[str]) -> str:
    """The longest run of words at the end of *text*, not all of it, that others end with too."""
    words = text.split()
    for start in range(1, len(words)):
        end = " " + " ".join(words[start:])
        if any(other.casefold().endswith(end.casefold()) for other in others):
            return end
    return ""


def _verb(rest: str) -> Verb:
    tokens = set(rest.casefold().split())
    if tokens & _FAILS:
        return Verb.LOSES
    return Verb.WINS if tokens & _GAINS else Verb.SILENT
