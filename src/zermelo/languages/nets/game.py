"""The token game by hand: markings, what is enabled, what a firing changes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from zermelo.core.machine import Move, State, Turn
from zermelo.languages.nets import firings
from zermelo.languages.nets.ir import Place
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.languages.nets.words import Words, bag_in, bag_text
from zermelo.play.session import Session
from zermelo.text.errors import MoveNotUnderstood
from zermelo.text.prose import Line, Piece, Tone, count, line

MOST_PLACES: Final = 24
"""Of more places only those that hold tokens, or have changed, are shown."""
MOST_LISTED: Final = 30
"""Firings that are listed."""


class Player:
    """Somebody who fires transitions, and takes firings back."""

    def __init__(self, machine: TokenGame, *, seed: int = 0) -> None:
        self.session = Session(machine)
        self._machine = machine
        self._words = Words(machine.net)
        self._lot = random.Random(seed)

    @property
    def fired(self) -> int:
        """How many firings there were."""
        return len(self.session.turns)

    def fire(self, text: str) -> Turn:
        """Fire what *text* means; see ``firings.find``."""
        return self.session.make(firings.find(text, self._machine, self.session.state))

    def drawn(self) -> Turn | None:
        """Fire one of the enabled firings, drawn by lot; ``None`` if nothing is enabled."""
        enabled = self.session.legal
        return self.session.make(self._lot.choice(enabled)) if enabled else None

    def title(self, *, is_film: bool = False) -> Iterator[Line]:
        """What is played, and what can be typed unless it is a film to be looked at."""
        net = self._machine.net
        yield line(Piece(net.name, Tone.HEADING))
        size = f"{count(len(net.places), 'place')} and {count(len(net.transitions), 'transition')}."
        if is_film:
            yield line(size)
            return
        first = next(iter(self.session.legal), None)
        such = "" if first is None else f", as in `{self._words.firing(first)}`"
        yield line(
            f"{size} Type the number of a firing, or a transition with its values{such}; "
            "`random N` fires by lot, and `help` lists what else there is.",
        )

    def position(self, turn: Turn | None = None) -> Iterator[Line]:
        """The marking, with what *turn* changed, and what is enabled."""
        state = self.session.state
        yield from self.marking(None if turn is None else turn.before)
        yield from self.enabled(state)

    def marking(self, before: State | None = None) -> Iterator[Line]:
        """What lies where; what is different from *before* stands out."""
        state, places = self.session.state, self._machine.net.places
        size = max((len(place.name) for place in places), default=0)
        hidden = 0
        for at, place in enumerate(places):
            bag = bag_in(state, at)
            old = bag if before is None else bag_in(before, at)
            if len(places) > MOST_PLACES and not len(bag) and bag == old:
                hidden += 1
                continue
            yield _place(place, old, bag, size=min(size, 30))
        if hidden:
            yield line(Piece(f"{count(hidden, 'place')} empty", Tone.FAINT), indent=2)

    def enabled(self, state: State) -> Iterator[Line]:
        """What is enabled, numbered."""
        enabled = self._machine.legal(state)
        for move, fault in self._machine.faults(state).items():
            said = f"{self._words.firing(move)} cannot fire: {fault.message}"
            yield line(Piece(said, Tone.BAD), indent=2, hang=2)
        if not enabled:
            yield line(Piece("Nothing is enabled.", Tone.STRONG))
            return
        yield line(f"{count(len(enabled), 'firing')} enabled:")
        for number, move in enumerate(enabled[:MOST_LISTED], 1):
            yield line(
                f"{number:3}  ", Piece(self._words.firing(move), Tone.FORMULA), indent=1, hang=5
            )
        if len(enabled) > MOST_LISTED:
            yield line(f"and {len(enabled) - MOST_LISTED:,} more", indent=6)

    def firing(self, turn: Turn) -> Line:
        """A firing that was made."""
        is_idle = turn.after == turn.before
        return line(
            f"{self.fired}. ",
            Piece(self._words.firing(turn.move), Tone.FORMULA),
            "  (the marking stays as it is)" if is_idle else "",
        )

    def named(self, turn: Turn) -> str:
        """The firing of *turn*."""
        return self._words.firing(turn.move)

    def history(self) -> Iterator[Line]:
        """The firings so far."""
        if not self.session.turns:
            yield line("Nothing has been fired yet.")
        for number, turn in enumerate(self.session.turns, 1):
            yield line(f"{number:4}. ", Piece(self._words.firing(turn.move), Tone.FORMULA), hang=6)

    def why(self, text: str) -> Iterator[Line]:
        """Whether *text* can fire, and why not."""
        try:
            move: Move = firings.find(text, self._machine, self.session.state)
        except MoveNotUnderstood as error:
            yield line(Piece(f"{error}.", Tone.BAD))
            return
        yield line(Piece(self._words.firing(move), Tone.FORMULA), " is enabled; it would make")
        after = self._machine.after(self.session.state, move)
        for at, place in enumerate(self._machine.net.places):
            old, new = bag_in(self.session.state, at), bag_in(after, at)
            if old != new:
                yield _place(place, old, new, size=len(place.name))


def _place(place: Place, old: Bag, new: Bag, *, size: int) -> Line:
    name = f"{place.name:{size}}  "
    held = bag_text(new, place)
    if old == new:
        tone = Tone.FAINT if not len(new) else Tone.PLAIN
        return line(f"  {name}", Piece(held, tone), indent=2, hang=size + 4)
    return line(
        Piece(f"▸ {name}", Tone.CHANGED),
        Piece(held, Tone.CHANGED),
        Piece(f"   {_difference(place, old, new)}", Tone.FAINT),
        indent=2,
        hang=size + 4,
    )


def _difference(place: Place, old: Bag, new: Bag) -> str:
    """What came and what went."""
    before, after = dict(old), dict(new)
    tokens = sorted(before.keys() | after.keys())
    came = Bag.of({t: max(0, after.get(t, 0) - before.get(t, 0)) for t in tokens})
    went = Bag.of({t: max(0, before.get(t, 0) - after.get(t, 0)) for t in tokens})
    parts = [f"{bag_text(came, place)} came"] if len(came) else []
    parts += [f"{bag_text(went, place)} went"] if len(went) else []
    return f"({', '.join(parts)})"
