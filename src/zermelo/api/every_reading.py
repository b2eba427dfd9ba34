"""Every open choice of a document changed alone: how large it is then, who wins, where it parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, product

from zermelo.api import questions
from zermelo.api.comparing import compare
from zermelo.api.game import Game
from zermelo.api.loaded import playable_model
from zermelo.core.limits import CHECK_LIMITS, UNLIMITED, Limits, Listener, asked
from zermelo.core.signature import Reading, WrongReading
from zermelo.engines.compare.comparison import Comparison, comparison_json
from zermelo.engines.solve.values import standing
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Json
from zermelo.text.prose import count

_CHECKED = replace(CHECK_LIMITS, states=4_000, moves=4_000, steps=6_000_000)
"""How far each reading is played for findings: less than one document alone."""


@dataclass(frozen=True, slots=True)
class ReadingTried:
    """A document under one choice, or two, other than what is taken."""

    choices: Mapping[str, str]
    """What is changed; nothing for the row of what is taken."""
    size: str | None
    """How many states there are, in words; ``None`` where nothing can be played."""
    states: int | None
    value: str | None
    """What perfect play leads to, or why that is not known."""
    findings: tuple[str, ...]
    """The codes of what playing shows to be wrong."""
    comparison: Comparison | None
    """How it differs from what is taken; ``None`` for that itself, and where nothing is played."""

    def to_json(self) -> dict[str, Json]:
        return {
            "choices": dict(self.choices),
            "states": self.states,
            "size": self.size,
            "value": self.value,
            "findings": list(self.findings),
            "comparison": None if self.comparison is None else comparison_json(self.comparison),
        }


def every_reading(
    game: Game,
    *,
    pairs: bool = False,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
) -> Iterator[ReadingTried]:
    """What is taken, then each choice of each reading changed alone, and in *pairs* if asked for.

    The limits of states and memory hold for each of them, that of seconds for all together:
    ``LimitReached`` is raised where it is over.
    """
    with asked(limits) as within:
        for choices in ({}, *varied(game.readings, pairs=pairs)):
            other = _reread(game, choices) if choices else game
            yield _tried(game, other, choices, within, listener)


def varied(readings: tuple[Reading, ...], *, pairs: bool) -> Iterator[Mapping[str, str]]:
    """Each choice that is not taken, alone; then with each such choice of another reading."""
    others = [
        (each.name, tuple(choice for choice in each.choices if choice != each.choice))
        for each in readings
    ]
    open_ones = [(name, choices) for name, choices in others if choices]
    yield from ({name: choice} for name, choices in open_ones for choice in choices)
    if pairs:
        for (one, firsts), (other, seconds) in combinations(open_ones, 2):
            yield from ({one: a, other: b} for a, b in product(firsts, seconds))


def _reread(game: Game, choices: Mapping[str, str]) -> Game:
    """*game* with these *choices*, and all others as they are taken, as far as there are such."""
    taken = {each.name: each.choice for each in game.readings if len(each.choices) > 1}
    try:
        return game.with_reading({**taken, **choices})
    except WrongReading:
        # Some readings are there only under the choice that is being changed.
        return game.with_reading(choices)


def _tried(
    game: Game,
    other: Game,
    choices: Mapping[str, str],
    limits: Limits,
    listener: Listener | None,
) -> ReadingTried:
    if not other.is_loaded:
        codes = tuple(dict.fromkeys(each.code.id for each in other.diagnostics if each.is_error))
        return ReadingTried(choices, None, None, None, codes, None)
    space = questions.explore(other, limits=limits, listener=listener)
    size = count(space.states, "state")
    if not space.is_complete:
        size = f"at least {size} ({space.cut})"
    comparison = None
    if choices:
        comparison = compare(game, other, first_only=True, limits=limits, listener=listener)
    return ReadingTried(
        choices,
        size,
        space.states,
        _value(other, limits, listener),
        _findings(other, limits, listener),
        comparison,
    )


def _value(game: Game, limits: Limits, listener: Listener | None) -> str:
    reason = playable_model(game).why_not_solved()
    if reason is not None:
        return f"not known: {reason}"
    solved = questions.solve(game, limits=limits, listener=listener)
    return standing(solved.root) if solved.is_complete else f"not known: {solved.cut}"


def _findings(game: Game, limits: Limits, listener: Listener | None) -> tuple[str, ...]:
    within = replace(_CHECKED, seconds=limits.seconds, began=limits.began)
    report = questions.check(game, limits=within, listener=listener)
    wrong = [each for each in report.diagnostics if each.level is not Severity.NOTE]
    return tuple(dict.fromkeys(each.code.id for each in wrong))
