"""What the texts of a finished play say: each is judged for itself, and then all together.

Whom a text names may stand anywhere in it. A text that speaks of a player, or of winning, and
does not say who wins is *open*: it counts as a draw, and people are asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from zermelo.core.machine import DRAWS, LOSES, NOBODY, WINS, Ending, Outcome, words_of
from zermelo.core.values import Value

Words: TypeAlias = tuple[str, ...]

_DENIES: Final = frozenset({"not", "never", "cannot", "t", "without"})
_BARE: Final = frozenset({"player", "the", "it", "is", "congratulations", "bravo", "hurray"})
"""Beside the name of a player these change nothing."""
_NOUNS: Final = frozenset(
    {"draw", "tie", "win", "winner", "victory", "victor", "loss", "loser", "defeat", "stalemate"}
    | {"deadlock", "game"}
)
"""What an article may stand before: ``a`` is then nobody's name."""
_CLAUSE: Final = re.compile(r"[,;.!?\n]+|\s[-–—]+\s")
_VERDICT: Final = re.compile(r"(?P<name>.+?)\s+(?:(?P<wins>wins?|won)|loses?|lost)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who wins and who loses, players by their numbers; or that nobody does."""

    winners: frozenset[int] = frozenset()
    losers: frozenset[int] = frozenset()
    is_draw: bool = False
    is_open: bool = False
    """Whether it is not said for whom it is good: it counts as a draw until it is."""
    is_bare: bool = False
    """Whether there is a name, and nothing that says what becomes of it."""

    @property
    def decides(self) -> bool:
        return not self.is_open and (self.is_draw or bool(self.winners or self.losers))


DRAW: Final = Verdict(is_draw=True)
OPEN: Final = Verdict(is_open=True)
NOTHING: Final = Verdict()
"""Of a text that speaks of nobody, and not of winning."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges the texts of finished plays of the players that have these names."""

    names: tuple[tuple[str, ...], ...]
    """The names of each player, the first that one it is called by."""
    given: Mapping[str, Verdict]
    """What a person said about a text, by its words."""
    names_somebody: bool
    """Whether some texts say who wins: then one that speaks of nobody tells of a draw."""

    def outcome(self, verdict: Verdict, result: Value) -> Outcome:
        """How play ended by *verdict*, which *result* stands for."""
        everybody = range(len(self.names))
        winners, losers = verdict.winners, verdict.losers
        if not winners and len(losers) + 1 == len(self.names) == 2:
            winners = frozenset(everybody) - losers
        if not (winners or losers) or len(winners) == len(self.names):
            return Outcome(Ending.DRAW, result=result)
        ending = Ending.WIN if winners else Ending.LOSS
        losers = frozenset(everybody) - winners if winners else losers
        return Outcome(ending, self._called(winners), self._called(losers), result)

    def _called(self, players: frozenset[int]) -> tuple[str, ...]:
        return tuple(self.names[each][0] for each in sorted(players))

    def texts(self, texts: Sequence[str], *, is_measure: Callable[[str], bool]) -> Verdict:
        """What *texts*, shown at the same time, say together.

        A number or another value that is printed, a *measure*, names a player only beside a
        text that says what becomes of the player.
        """
        found = [(text, self.text(text)) for text in texts]
        deciding = [each for _, each in found if each.decides and not each.is_bare]
        if deciding:
            return _together(deciding)
        speaking = [text for text, each in found if each != NOTHING]
        bare = [each for text, each in found if each.is_bare and not is_measure(text)]
        if len(bare) == len(speaking) and bare:
            return _together(bare)
        is_told = len(speaking) > 1 or not all(map(is_measure, speaking))
        if speaking and is_told:
            joined = self._sentence(_words(" ".join(speaking)))
            return OPEN if joined is None or not joined.decides or joined.is_bare else joined
        return DRAW if self.names_somebody else OPEN

    def text(self, text: str) -> Verdict:
        """What *text* says by itself."""
        words = _words(text)
        said = self.given.get(" ".join(words))
        if said is not None:
            return said
        whole = self._sentence(words)
        if whole is not None:
            return whole
        clauses = [self._sentence(_words(part)) for part in _CLAUSE.split(text)]
        told = [each or OPEN for each in clauses if each is not NOTHING]
        return _together(told) if told else OPEN

    def _sentence(self, words: Words) -> Verdict | None:
        """What a sentence with these *words* says; ``None`` if it speaks of several things."""
        mentions = self._mentions(words)
        named = frozenset(mentions.values())
        rest = [word for at, word in enumerate(words) if at not in mentions]
        wins, loses = not WINS.isdisjoint(rest), not LOSES.isdisjoint(rest)
        has_verb = wins or loses
        drawn = NOBODY if has_verb else DRAWS
        if not drawn.isdisjoint(rest) or ("no" in rest and not named):
            return DRAW if not named or len(named) == len(self.names) > 1 else OPEN
        if not named:
            return OPEN if has_verb else NOTHING
        if not _DENIES.isdisjoint(rest) or "no" in rest:
            return OPEN
        if not has_verb:
            is_bare = len(named) == 1 and _BARE.issuperset(rest)
            return Verdict(named, is_bare=True) if is_bare else OPEN
        if wins and loses:
            return None
        if len(named) > 1:
            verb = next(at for at, word in enumerate(words) if word in WINS | LOSES)
            named = frozenset(player for at, player in mentions.items() if at < verb)
        if not named:
            return None
        return Verdict(named) if wins else Verdict(losers=named)

    def _mentions(self, words: Words) -> dict[int, int]:
        """The players that are named, by the places of their names; by other names if they must."""
        found = self._named(words, [names[:1] for names in self.names])
        return found or self._named(words, [names[1:] for names in self.names])

    def _named(self, words: Words, names: Sequence[Sequence[str]]) -> dict[int, int]:
        found: dict[int, int] = {}
        spelled = [(_words(name), player) for player, each in enumerate(names) for name in each]
        for name, player in sorted(spelled, key=lambda pair: -len(pair[0])):
            # What two players are called says nothing.
            if any(name == other and player != theirs for other, theirs in spelled):
                continue
            for at in range(len(words) - len(name) + 1):
                places = range(at, at + len(name))
                is_free = bool(name) and not any(place in found for place in places)
                if is_free and words[at : at + len(name)] == name and not _is_article(words, at):
                    found.update(dict.fromkeys(places, player))
        return found

    def named(self, text: str) -> tuple[int, ...]:
        """The players that *text* names."""
        return tuple(sorted(set(self._mentions(_words(text)).values())))

    def said(self, choice: str) -> Verdict | None:
        """What a person says a text means: ``x wins``, ``x loses``, ``draw``."""
        if not DRAWS.isdisjoint(_words(choice)):
            return DRAW
        winners, losers = set[int](), set[int]()
        for piece in re.split(r"\s*,\s*|\s+and\s+", choice.strip()):
            match = _VERDICT.fullmatch(piece)
            named = None if match is None else self._named(_words(match["name"]), self.names)
            if match is None or not named or len(set(named.values())) != 1:
                return None
            (winners if match["wins"] else losers).update(named.values())
        return None if winners & losers else Verdict(frozenset(winners), frozenset(losers))


def text_key(text: str) -> str:
    """*text* as it is looked for: its words in small letters.

    >>> text_key("“Game over: O!”")
    'game over o'
    """
    return " ".join(_words(text))


def _words(text: str) -> Words:
    plain = re.sub(r"[`\"“”()\[\]{}?;]", " ", text)
    return tuple(word.casefold() for word in words_of(plain))


def _is_article(words: Words, at: int) -> bool:
    return words[at] == "a" and at + 1 < len(words) and words[at + 1] in _NOUNS


def _together(verdicts: Iterable[Verdict]) -> Verdict:
    """What *verdicts* say at once; open if they contradict each other."""
    found = list(verdicts)
    winners = frozenset().union(*(each.winners for each in found))
    losers = frozenset().union(*(each.losers for each in found))
    is_draw = any(each.is_draw for each in found)
    if any(each.is_open for each in found) or winners & losers or (is_draw and winners | losers):
        return OPEN
    return Verdict(winners, losers, is_draw)
