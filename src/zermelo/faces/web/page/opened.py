"""A document that is open in a process: the turns that were made in it, and who advises there."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from typing import Final, TypeAlias

from zermelo.api import questions
from zermelo.api.game import Game
from zermelo.api.loaded import playable_model
from zermelo.core.commentary import Commentary
from zermelo.core.limits import Limits, Listener
from zermelo.core.machine import Turn
from zermelo.core.state import Move, State
from zermelo.core.values import Value
from zermelo.play import notation
from zermelo.play.advice import Adviser, Skill
from zermelo.play.session import Session, refusal
from zermelo.text.diagnostic import Json
from zermelo.text.errors import MoveError

MOST_TURNS: Final = 4_000
"""Turns of one document that it remembers."""
SOLVING: Final = Limits(seconds=60.0, memory=1 << 30)
"""How far a game is solved for a perfect player."""

Answer: TypeAlias = dict[str, Json]


class OpenGame:
    """A document that is open, and the turns that were made in it."""

    def __init__(self, game: Game, title: str = "") -> None:
        self.game = game
        self.title = title
        self._turns: OrderedDict[tuple[str, ...], Turn] = OrderedDict()
        self._advisers: dict[tuple[Skill, int], Adviser] = {}
        self._is_small: bool | None = None

    @cached_property
    def named_sets(self) -> tuple[tuple[str, Value], ...]:
        """The sets to which the document gives a name."""
        return tuple(self.words.named_sets())

    @property
    def words(self) -> Commentary:
        return playable_model(self.game).words

    def session(self, moves: Sequence[str]) -> Session:
        """The play of *moves*; raises ``MoveError`` for one that cannot be made."""
        session = Session(self.words)
        for at in range(len(moves)):
            key = tuple(moves[: at + 1])
            turn = self._turns.get(key)
            if turn is None:
                turn = session.attempt(self.move(moves[at], session.state))
                if turn.after is None:
                    raise MoveError(f"move {at + 1} is not made: {refusal(session.machine, turn)}")
                self._turns[key] = turn
                if len(self._turns) > MOST_TURNS:
                    self._turns.popitem(last=False)
            session.take(turn)
        return session

    def move(self, text: str, state: State) -> Move:
        """The move that *text* is: one that can be made, or what somebody might have typed."""
        legal = self.words.machine.legal(state)
        found = next((each for each in legal if str(each) == text), None)
        return found or notation.from_text(text, self.words, state)

    def adviser(self, skill: Skill, seconds: int, listener: Listener | None) -> Adviser:
        """Somebody with this *skill*, who keeps what was found for the next question."""
        key = (skill, seconds if skill is not Skill.PERFECT else 0)
        if key not in self._advisers:
            self._advisers[key] = questions.adviser(
                self.game, skill, seconds=seconds, limits=SOLVING, listener=listener
            )
        return self._advisers[key]

    def is_small(self, most: int) -> bool:
        """Whether no more than so many states can be reached."""
        if self._is_small is None:
            self._is_small = self._has_at_most(most)
        return self._is_small

    def _has_at_most(self, most: int) -> bool:
        machine = self.words.machine
        known = {machine.initial}
        row = [machine.initial]
        while row:
            state = row.pop()
            for move in machine.legal(state):
                after = machine.turn(state, move).after
                if after is not None and after not in known:
                    known.add(after)
                    row.append(after)
                if len(known) > most:
                    return False
        return True
