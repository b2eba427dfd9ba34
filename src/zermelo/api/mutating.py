"""The small misreadings of a game, and the plays that tell it from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from zermelo.api.loaded import Loaded, playable_model
from zermelo.core.limits import INTERRUPTED, Limits, Listener, Progress, asked
from zermelo.core.model import Model, Mutant
from zermelo.core.state import Move, play_to_text
from zermelo.engines.compare.comparison import Comparison, comparison_json
from zermelo.text import budget
from zermelo.text.budget import LimitReached
from zermelo.text.diagnostic import Json
from zermelo.text.errors import UsageError
from zermelo.text.prose import count, listing

USUAL = Limits(states=100_000)
"""How many positions of each misreading are compared if nobody says."""


@dataclass(frozen=True, slots=True)
class MutantTried:
    """A misreading, and how it compares with the document."""

    mutant: Mutant
    line: int
    """The line of the document."""
    comparison: Comparison

    def to_json(self) -> dict[str, Json]:
        return {
            "kind": self.mutant.kind,
            "words": self.mutant.words,
            "line": self.line,
            **{
                key: value
                for key, value in comparison_json(self.comparison).items()
                if key in {"equal", "positions", "differences", "cut"}
            },
        }


@dataclass(frozen=True, slots=True)
class KillingPlay:
    """A play, and the misreadings that it tells from the document."""

    play: tuple[Move, ...]
    kills: tuple[int, ...]
    """Their numbers in ``Mutants.tried``."""


@dataclass(frozen=True, slots=True, repr=False)
class Mutants:
    """The small misreadings of a game, compared with it."""

    name: str
    tried: tuple[MutantTried, ...]
    plays: tuple[KillingPlay, ...]
    """Few plays that together tell all apart that are known to differ."""
    considered: int
    """Among how many plays they were chosen: the shortest to each misreading."""
    is_least: bool
    """Whether it is proved that no fewer of these suffice,"""
    is_smallest: bool
    """and that no fewer plays of any kind do."""
    cut: str | None = None
    """Why not all misreadings were compared, or plays chosen."""

    @property
    def different(self) -> tuple[MutantTried, ...]:
        """Those that a play tells from the document."""
        return tuple(each for each in self.tried if each.comparison.is_equal is False)

    @property
    def equal(self) -> tuple[MutantTried, ...]:
        """Those that are the same game: what they change no play exercises."""
        return tuple(each for each in self.tried if each.comparison.is_equal)

    @property
    def undecided(self) -> tuple[MutantTried, ...]:
        return tuple(each for each in self.tried if each.comparison.is_equal is None)

    @property
    def summary(self) -> str:
        numbers = [
            f"{len(self.different):,} told apart",
            f"{len(self.equal):,} the same game",
            f"{len(self.undecided):,} undecided",
        ]
        return f"{count(len(self.tried), 'misreading')}: {listing(numbers)}"

    def __repr__(self) -> str:
        return f"<Mutants of {self.name}: {self.summary}>"

    def __str__(self) -> str:
        plays = [f"  {play_to_text(each.play)}: {len(each.kills):,}" for each in self.plays]
        return "\n".join([f"{self.name}: {self.summary}.", *plays])

    def to_json(self) -> dict[str, Json]:
        return {
            "name": self.name,
            "mutants": [each.to_json() for each in self.tried],
            "plays": [
                {"play": [str(move) for move in each.play], "kills": list(each.kills)}
                for each in self.plays
            ],
            "considered": self.considered,
            "least": self.is_least,
            "smallest": self.is_smallest,
            "cut": self.cut,
        }


def mutants(game: Loaded, *, limits: Limits = USUAL, listener: Listener | None = None) -> Mutants:
    """The small misreadings of *game*, each compared with it within *limits*.

    The limits of states and memory hold for each, that of seconds for all. Raises ``UsageError``
    where none can be made.
    """
    # What computes with arrays is imported when it is used: reading a document needs none of it.
    from zermelo.engines.compare.compare import compare_models  # noqa: PLC0415

    model = playable_model(game)
    tried: list[MutantTried] = []
    made = list(model.mutants())
    if not made:
        raise UsageError(
            f"no misreadings are made of {game.name}; they are of documents with sections, "
            "from their rules and facts"
        )
    stop = _Stop(listener)
    with asked(limits) as within:
        for mutant in made:
            left = within.time_left()
            if stop.is_asked or (left is not None and left < 0):
                break
            found = compare_models(
                model, mutant.model, first_only=True, limits=within, listener=stop
            )
            tried.append(MutantTried(mutant, game.source.line_of(mutant.span.start), found))
        cut = None
        if len(tried) < len(made):
            why = INTERRUPTED if stop.is_asked else "the time was over"
            cut = f"{why} after {len(tried):,} of {len(made):,} misreadings"
        chosen = _NONE
        try:
            with budget.budget(until=within.last, is_last=True):
                chosen = _killing(model, tried)
        except LimitReached:
            cut = f"{cut or 'the time was over'}, and no plays were chosen"
    return Mutants(
        game.name,
        tuple(tried),
        chosen.plays,
        chosen.considered,
        is_least=chosen.is_least,
        is_smallest=chosen.is_smallest,
        cut=cut,
    )


@dataclass(frozen=True, slots=True)
class _Chosen:
    plays: tuple[KillingPlay, ...]
    considered: int
    is_least: bool
    is_smallest: bool


_NONE: Final = _Chosen((), 0, is_least=False, is_smallest=False)


def _killing(model: Model, tried: Sequence[MutantTried]) -> _Chosen:
    """Few plays that tell all of *tried* apart that differ, chosen among the shortest."""
    from zermelo.engines.compare import killing  # noqa: PLC0415 - as above

    shortest = {
        at: killing.shown_by(each.comparison.shortest)
        for at, each in enumerate(tried)
        if each.comparison.shortest is not None
    }
    plays = killing.distinct(list(shortest.values()))
    original = model.machine()
    machines = {at: tried[at].mutant.model.machine() for at in shortest}
    killed = [
        frozenset(
            at
            for at, machine in machines.items()
            if play[: len(shortest[at])] == shortest[at]
            or killing.tells_apart(original, machine, play)
        )
        for play in plays
    ]
    chosen = killing.cover(killed)
    told = tuple(KillingPlay(plays[at], tuple(sorted(killed[at]))) for at in chosen.plays)
    is_smallest = killing.needs(len(told), original, machines, killed)
    return _Chosen(told, len(plays), chosen.is_least or is_smallest, is_smallest)


class _Stop:
    """A listener that remembers that a stop was asked for: it is one for all comparisons."""

    def __init__(self, listener: Listener | None) -> None:
        self._listener = listener
        self.is_asked = False

    def __call__(self, progress: Progress, /) -> bool:
        if self._listener is not None and self._listener(progress):
            self.is_asked = True
        return self.is_asked
