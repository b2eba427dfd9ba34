"""Whether a net is unbounded: some play can be repeated for ever, with more tokens each time.

A marking that holds all tokens of one before it on the same play, and more, shows it: what
was fired between the two can be fired again, since more tokens never disable anything. The
search goes deep, to the firings that make more tokens first, and does not follow what another
marking covers. Where all firings can be written out, compiled code searches; elsewhere the token
game does, which also finds numbers in tokens that go on and on.

A search runs beside an exploration, in slices, and what it takes is charged to the same limits.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, Protocol

from zermelo.core.limits import INTERRUPTED, Limits, Listener, Progress
from zermelo.core.state import Move, State
from zermelo.languages.nets.ir import Net, Place
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.run.bounds import is_bounded
from zermelo.languages.nets.run.ground import Spot, grounded
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.languages.nets.run.shifting import Shifting
from zermelo.text import budget
from zermelo.text.budget import LimitReached
from zermelo.text.prose import listing

FEW: Final = 1_000
"""Markings that are searched before anything else is known."""
_FEW_COMPILED: Final = 10_000
"""The same where compiled code does it."""
_ENDLESS: Final = 1 << 62
_MOST_PLAYED: Final = 8_000
"""More are not looked at by the token game, which is slow."""
_PARTS: Final = 500
"""Of a net with more places and transitions fewer markings are looked at, for each takes longer."""
_DEEPEST: Final = 3_000
_STEPS_A_NODE: Final = 10_000
_LEAST_STEPS: Final = 50_000_000
"""Steps of compiled code that a search of so many markings may take."""
_STEPS_TO_LOOK_BACK: Final = 1
_COMPILED_STEPS: Final = 64
"""So many of them are one step of the budget."""
_SLICE: Final = 4_000_000
"""Steps between two looks at the clock; some hundredths of a second."""
_MORE_NODES: Final = 2_000
"""Markings that are looked at after the first growth, for other places that grow."""
_SHARE: Final = 0.25
"""The part of the time that a search takes beside an exploration."""
_FIRST_SECONDS: Final = 0.2
_SECONDS_A_SLICE: Final = 0.05
_MOST_NAMED: Final = 20
"""Of more places only so many are named."""
_TRIED: Final = 4
"""Markings before one at hand that are tried for numbers that go on, the nearest ones."""


class Boundedness(Enum):
    """What is known of the number of markings."""

    BOUNDED = "bounded"
    UNBOUNDED = "unbounded"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Pumping:
    """A play to a marking, and firings that lead from it to a larger one."""

    play: tuple[Move, ...]
    """To the marking from which the firings can be repeated."""
    moves: tuple[Move, ...]
    before: State
    after: State
    grows: tuple[str, ...]
    """The places that have more tokens each time."""
    moves_on: tuple[str, ...] = ()
    """The places in which tokens have other numbers each time, without end."""
    also: tuple[str, ...] = ()
    """Other places that can get ever more tokens, by what these places give."""

    @property
    def first_place(self) -> str:
        return (*self.grows, *self.moves_on)[0]

    @property
    def words(self) -> str:
        """What goes on without end, in which places."""
        told = []
        if self.grows:
            told.append(f"{_named(self.grows)} can get ever more tokens")
        if self.moves_on:
            where = _named(self.moves_on)
            told.append(f"numbers in {where} go on as far as 64 bits hold them")
        return " and ".join(told)


def _named(places: Sequence[str]) -> str:
    shown = [f"`{name}`" for name in places[:_MOST_NAMED]]
    if len(places) > _MOST_NAMED:
        shown.append(f"{len(places) - _MOST_NAMED:,} other places")
    return listing(shown)


class _Search(Protocol):
    """A search that can be continued."""

    @property
    def found(self) -> Pumping | None: ...

    @property
    def nodes(self) -> int: ...

    @property
    def least(self) -> int:
        """So many markings are looked at in no time."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to look at, or there is no room to go on."""
        ...

    @property
    def is_bounded(self) -> bool:
        """Whether all there is was looked at, without growth."""
        ...

    def run(self, nodes: int, until: float | None) -> None:
        """Go on up to so many markings, or until that time."""


class GrowthSearch:
    """Looks for what shows that a net is unbounded; what it finds does not depend on the clock."""

    def __init__(self, game: TokenGame) -> None:
        self._game = game
        self._search: _Search | None = None
        self.has_bounded_tokens = is_bounded(game.net)
        self._by_form = self.has_bounded_tokens and all(map(_has_bounds, game.net.places))
        self._is_spent = False

    @property
    def found(self) -> Pumping | None:
        return None if self._search is None else self._search.found

    @property
    def nodes(self) -> int:
        return 0 if self._search is None else self._search.nodes

    @property
    def is_over(self) -> bool:
        """Whether more searching would find nothing more."""
        if self._by_form or self._is_spent or self.found is not None:
            return True
        return self._search is not None and self._search.is_over

    @property
    def boundedness(self) -> Boundedness:
        if self.found is not None:
            return Boundedness.UNBOUNDED
        is_known = self._by_form or (self._search is not None and self._search.is_bounded)
        return Boundedness.BOUNDED if is_known else Boundedness.UNDECIDED

    def _played(self) -> _PlayedSearch:
        # Where only numbers can go on, they do so soon.
        return _PlayedSearch(self._game, FEW if self.has_bounded_tokens else _MOST_PLAYED)

    def run(self, *, nodes: int | None = None, until: float | None = None) -> None:
        """Go on up to so many markings in all, and until that time of ``time.monotonic``.

        Fewer than can be looked at in no time are not worth stopping for.
        """
        if self.is_over:
            return
        search = self._search
        if search is None:
            search = self._search = _written_out(self._game) or self._played()
        search.run(_ENDLESS if nodes is None else max(nodes, search.least), until)
        is_out_of_time = until is not None and budget.now() >= until
        self._is_spent = nodes is not None and not is_out_of_time


def _has_bounds(place: Place) -> bool:
    return place.arity == 0 or (place.low is not None and place.high is not None)


def pumping(game: TokenGame, *, nodes: int = FEW) -> Pumping | None:
    """A play of the net that can be pumped, if one is found among so many markings."""
    search = GrowthSearch(game)
    search.run(nodes=nodes)
    return search.found


# By compiled code


def _written_out(game: TokenGame) -> _CompiledSearch | None:
    """A search on the firings of a net, if all of them can be written out."""
    firings = grounded(game.net)
    if any(each is None for each in firings):
        return None
    spots: dict[Spot, int] = {}
    for at, place in enumerate(game.net.places):
        for token, _ in place.initial:
            spots.setdefault((at, token), len(spots))
    moves: list[tuple[int, Move, Mapping[Spot, int], Mapping[Spot, int]]] = []
    for transition, written in zip(game.net.transitions, firings, strict=True):
        for each in written or ():
            for spot in (*each.taken, *each.put):
                spots.setdefault(spot, len(spots))
            more = sum(each.put.values()) - sum(each.taken.values())
            moves.append((more, Move(transition.name, each.values), each.taken, each.put))
    # Those that make the most tokens come first.
    moves.sort(key=lambda move: (move[0], move[1].sort_key()), reverse=True)
    return _CompiledSearch(game.net, spots, [move[1:] for move in moves])


class _CompiledSearch:
    """The search by compiled code, on the number of each token in each place."""

    least = _FEW_COMPILED

    def __init__(
        self,
        net: Net,
        spots: Mapping[Spot, int],
        firings: list[tuple[Move, Mapping[Spot, int], Mapping[Spot, int]]],
    ) -> None:
        # Who only reads a net needs no arrays.
        from zermelo.languages.nets.compile.coverability import (  # noqa: PLC0415
            Coverability,
            Firing,
            Growth,
            Status,
        )

        self._net = net
        self._spots = list(spots)
        self._moves = [move for move, _, _ in firings]
        made = []
        for _, taken, put in firings:
            change = {spots[spot]: count for spot, count in put.items()}
            for spot, count in taken.items():
                change[spots[spot]] = change.get(spots[spot], 0) - count
            needs = tuple((spots[spot], count) for spot, count in taken.items())
            made.append(Firing(needs, tuple((at, by) for at, by in change.items() if by)))
        there = [dict(place.initial) for place in net.places]
        initial = [there[at].get(token, 0) for at, token in spots]
        self._cover = Coverability(initial, made)
        self._done = Status.DONE
        self._growth: Growth | None = None
        self.found: Pumping | None = None

    @property
    def nodes(self) -> int:
        return self._cover.nodes

    @property
    def is_over(self) -> bool:
        return self._cover.is_over

    @property
    def is_bounded(self) -> bool:
        return self._cover.status is self._done and self.found is None

    def run(self, nodes: int, until: float | None) -> None:
        most = _LEAST_STEPS + _STEPS_A_NODE * nodes
        while not self.is_over and self.nodes < nodes and self._cover.steps < most:
            before = self._cover.steps
            self._cover.run(nodes=nodes, steps=min(_SLICE, most - before))
            spent = (self._cover.steps - before) // _COMPILED_STEPS
            budget.spend(spent, "looking for what grows")
            if self._cover.growth is not None:
                self.found = self._pumping()
                return
            if until is not None and budget.now() >= until:
                return

    def _pumping(self) -> Pumping:
        growth = self._cover.growth
        assert growth is not None, "growth was found"
        names = tuple(place.name for place in self._net.places)
        grows = [
            at
            for at, (old, new) in enumerate(zip(growth.before, growth.after, strict=True))
            if new > old
        ]
        found = Pumping(
            play=tuple(self._moves[at] for at in growth.play),
            moves=tuple(self._moves[at] for at in growth.repeat),
            before=self._state(growth.before, names),
            after=self._state(growth.after, names),
            grows=self._places(grows),
        )
        nodes = self.nodes + _MORE_NODES
        self._cover.run(nodes=nodes, steps=_SLICE)
        others = [name for name in self._places(self._cover.unlimited()) if name not in found.grows]
        return replace(found, also=tuple(others))

    def _places(self, numbers: list[int]) -> tuple[str, ...]:
        """The names of the places in which these tokens lie, in the order of the net."""
        there = sorted({self._spots[at][0] for at in numbers})
        return tuple(self._net.places[at].name for at in there)

    def _state(self, numbers: tuple[int, ...], names: tuple[str, ...]) -> State:
        bags: list[dict[tuple[int, ...], int]] = [{} for _ in names]
        for (at, token), number in zip(self._spots, numbers, strict=False):
            bags[at][token] = number
        return State(tuple(Bag.of(bag) for bag in bags), names)


# By the token game


@dataclass(slots=True)
class _Step:
    """A marking on the play that is being followed, and the firings that are left in it."""

    state: State
    size: int
    sizes: tuple[int, ...]
    move: Move | None
    left: list[Move] = field(default_factory=list)


class _PlayedSearch:
    """The search by the token game."""

    least = FEW

    def __init__(self, game: TokenGame, most: int) -> None:
        self._game = game
        self._shifting = Shifting(game.net)
        parts = len(game.net.places) + len(game.net.transitions)
        self._most = most * _PARTS // max(_PARTS, parts)
        self._seen = {game.initial}
        self._path = [self._step(game.initial, None)]
        self._was_cut = False
        self.found: Pumping | None = None

    @property
    def nodes(self) -> int:
        return len(self._seen)

    @property
    def is_over(self) -> bool:
        return not self._path or self.nodes >= self._most

    @property
    def is_bounded(self) -> bool:
        return not self._path and not self._was_cut and self.found is None

    def run(self, nodes: int, until: float | None) -> None:
        while not self.is_over and self.nodes < nodes and self.found is None:
            self._go_on()
            if until is not None and budget.now() >= until:
                return

    def _go_on(self) -> None:
        here = self._path[-1]
        if not here.left:
            self._path.pop()
            return
        if len(self._path) > _DEEPEST:
            self._was_cut = True
            self._path.pop()
            return
        move = here.left.pop()
        budget.spend(_STEPS_TO_LOOK_BACK * len(self._path), "looking for what grows")
        state = self._game.after(here.state, move)
        if state in self._seen:
            return
        self._seen.add(state)
        step = self._step(state, move)
        self.found = self._covered(step) or self._shifted(step)
        self._path.append(step)

    def _step(self, state: State, move: Move | None) -> _Step:
        sizes = _sizes(state)
        return _Step(state, sum(sizes), sizes, move, self._growing(state))

    def _growing(self, state: State) -> list[Move]:
        """The firings in *state*, those that make the most tokens last."""
        game = self._game
        firings = [(sum(_sizes(game.after(state, move))), move) for move in game.legal(state)]
        return [move for _, move in sorted(firings, key=lambda item: (item[0], item[1].sort_key()))]

    def _covered(self, step: _Step) -> Pumping | None:
        for at in reversed(range(len(self._path))):
            # Whoever covers another one has more tokens.
            before = self._path[at]
            grows = before.size < step.size and _larger(before.state, step.state)
            if grows:
                return self._pumping(at, step, grows, ())
        return None

    def _shifted(self, step: _Step) -> Pumping | None:
        """A round of firings after which the numbers in tokens are others, if one ends here."""
        tried = 0
        for at in reversed(range(len(self._path))):
            before = self._path[at]
            if any(a > b for a, b in zip(before.sizes, step.sizes, strict=True)):
                budget.spend(2 + (len(step.sizes) >> 3), "looking for what grows")
                continue
            tried += 1
            if tried > _TRIED:
                return None
            moves = [each.move for each in self._path[at + 1 :] if each.move is not None]
            assert step.move is not None, "only the first marking has none before it"
            shown = self._shifting.shown(before.state, [*moves, step.move], step.state)
            if shown is not None:
                return self._pumping(at, step, shown.grows, shown.moves_on)
        return None

    def _pumping(
        self, at: int, step: _Step, grows: tuple[str, ...], moves_on: tuple[str, ...]
    ) -> Pumping:
        moves = [each.move for each in (*self._path, step) if each.move is not None]
        return Pumping(
            play=tuple(moves[:at]),
            moves=tuple(moves[at:]),
            before=self._path[at].state,
            after=step.state,
            grows=grows,
            moves_on=moves_on,
        )


def _sizes(state: State) -> tuple[int, ...]:
    return tuple(len(bag) for bag in state.values if isinstance(bag, Bag))


def _larger(before: State, after: State) -> tuple[str, ...]:
    """The places with more tokens *after*, if no place has lost any."""
    grows = []
    for (name, old), new in zip(before.items(), after.values, strict=True):
        assert isinstance(old, Bag), "a marking is made of bags"
        assert isinstance(new, Bag), "a marking is made of bags"
        if old == new:
            continue
        counts = dict(new)
        if any(counts.get(token, 0) < count for token, count in old):
            return ()
        grows.append(name)
    return tuple(grows)


# Beside an exploration


class GrowthWatch:
    """Searches beside an exploration, whenever that tells how far it has come."""

    def __init__(
        self, game: TokenGame, *, limits: Limits, listener: Listener | None, stops: bool
    ) -> None:
        """*stops* says whether the exploration is of no use once the net is known to be unbounded.

        The *listener* hears what the exploration tells.
        """
        self._began = budget.now()
        self._search = GrowthSearch(game)
        self._limits = limits
        self._listener = listener
        self._stops = stops
        self._spent = 0.0
        self.known = self._search.boundedness
        """What was known when the exploration was over."""
        self._is_counted = limits.steps is not None
        """Whether steps bound all of it, so that no clock may decide how far each comes."""
        self._nodes: int | None = None
        if limits.states is not None or limits.depth is not None:
            self._nodes = limits.states or FEW

    @property
    def found(self) -> Pumping | None:
        return self._search.found

    @property
    def nodes(self) -> int:
        return self._search.nodes

    def begin(self) -> None:
        """Search for a moment, before anything is explored."""
        if self._search.has_bounded_tokens:
            return
        if self._is_counted:
            self._go_on(None, nodes=FEW)
        else:
            self._go_on(_FIRST_SECONDS)

    def __call__(self, progress: Progress, /) -> bool:
        """Search for a while, and tell whoever listens; whether to stop."""
        elapsed = budget.now() - self._began
        # Where only numbers could go on, an exploration that is over soon need not wait.
        is_due = self._spent < _SHARE * (elapsed - self._search.has_bounded_tokens)
        if is_due and not self._is_counted:
            self._go_on(_SECONDS_A_SLICE)
        if self._stops and self.found is not None:
            return True
        return self._listener is not None and bool(self._listener(progress))

    def end(self, cut: str | None) -> Boundedness:
        """What is known when the exploration is over, which was *cut* for that reason.

        Where it ended at a limit of states, the search goes to its own limit, so that the answer
        does not depend on how fast either was.
        """
        if cut is None and self.found is None:
            self.known = Boundedness.BOUNDED
            return self.known
        if cut != INTERRUPTED and self._nodes is not None:
            self._go_on(None)
        self.known = self._search.boundedness
        return self.known

    def _go_on(self, seconds: float | None, *, nodes: int | None = None) -> None:
        began = budget.now()
        ends = [] if seconds is None else [began + seconds]
        if self._limits.seconds is not None:
            ends.append(self._limits.until or self._began + self._limits.seconds)
        until = min(ends, default=None)
        if until is None or until > began:
            # Whoever reached a limit here has nothing to say; who explores notices it, too.
            with contextlib.suppress(LimitReached):
                self._search.run(nodes=nodes or self._nodes, until=until)
        self._spent += budget.now() - began
