"""A good move within a budget, and what can be proved of it.

That is a forced win or loss with its distance in plies, a draw if every line was followed
to its end, or that nothing was proved up to a depth. Deeper and deeper searches share one
table of what is known of the states they met; see ``search_loop`` for what makes it exact.

With two players the value is that of best play on both sides. With more, it is
what the player in turn can force against the others together; with one, the
shortest way to the goal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from zermelo.core.arrays import Numbers, Rows
from zermelo.core.expander import Expander, player_of
from zermelo.core.limits import INTERRUPTED, Listener, Progress
from zermelo.core.signature import Stuck
from zermelo.core.state import Move, State
from zermelo.engines.search import search_loop
from zermelo.engines.search.steps import NativeSteps
from zermelo.engines.solve.values import ValueKind
from zermelo.fast.bits import address
from zermelo.text import budget

_MEMORY: Final = 1 << 26
"""Bytes of the table, where the system is compiled."""
_MEMORY_PLAIN: Final = 1 << 22
_ROOM: Final = 1 << 16
_SLICE: Final = 1 << 15
_SLICE_PLAIN: Final = 16


@dataclass(frozen=True, slots=True)
class Proof:
    """What a search has proved of a state, for the player in turn."""

    kind: ValueKind
    """A draw only if every line was followed to its end; never endless."""
    plies: int | None = None
    """How many plies it takes to win, or until the loss."""
    depth: int = 0
    """Up to this many plies everything was searched; if nothing is known, nothing is forced."""
    depends_on_stuck: bool = False
    """Whether all that is open is what becomes of a stuck player: no search can tell more."""

    @property
    def is_settled(self) -> bool:
        """Whether a deeper search would show nothing else."""
        return self.kind is not ValueKind.UNKNOWN or self.depends_on_stuck


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchLimits:
    """How far a search may go. ``None`` means without bound."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What a search found in a state."""

    proof: Proof
    move: Move | None
    """The best move as far as is known; ``None`` where there is no move."""
    nodes: int
    """How many states were looked at, again and again counted each time."""
    seconds: float
    cut: str | None = None
    """The reason why the search stopped before the value was proved."""


@dataclass(frozen=True, slots=True)
class MoveProof:
    """A legal move, and what was proved of it for the player who makes it."""

    move: Move
    proof: Proof


class AlphaBetaSearch:
    """Searches in one system, which share what they find."""

    def __init__(self, expander: Expander, *, memory: int | None = None) -> None:
        self._expander = expander
        self._steps = NativeSteps(expander)
        self._slice = _SLICE if self._steps.is_native else _SLICE_PLAIN
        words = self._steps.words
        default = _MEMORY if self._steps.is_native else _MEMORY_PLAIN
        size = max(64, (memory or default) // (8 * (words + 1)))
        entries = 1 << (size.bit_length() - 1)
        room = self._steps.most_moves + _ROOM
        self._states: Rows = np.empty((room, words), dtype=np.int64)
        self._moves: Numbers = np.empty(room, dtype=np.int64)
        self._order: Numbers = np.empty(room, dtype=np.int64)
        self._frames: Numbers = np.zeros(
            (search_loop.DEEPEST + 2, search_loop.FRAME), dtype=np.int64
        )
        self._table: Numbers = np.zeros((entries, words + 1), dtype=np.int64)
        self._history: Numbers = np.zeros(2 * (search_loop.CODES + 1), dtype=np.int64)
        self._killers: Numbers = np.full(2 * (search_loop.DEEPEST + 2), -1, dtype=np.int64)
        self._block = self._prepared(room, entries)
        self._run = self._steps.functions(search_loop.unit())["search"]

    def find(
        self, state: State, *, effort: SearchLimits, listener: Listener | None = None
    ) -> Finding:
        """The best move in *state* and what is proved of it, within *effort*."""
        position = self._position(state)
        clock = _Clock(effort, self._block, listener)
        proof = Proof(ValueKind.UNKNOWN)
        if not position.moves:
            return clock.finding(proof, None)
        best = 0
        deepest = min(effort.depth or search_loop.DEEPEST, search_loop.DEEPEST)
        try:
            for depth in range(1, deepest + 1):
                best, proof = self._searched(position.row, depth, clock, side=position.side)
                if proof.is_settled:
                    return clock.finding(proof, position.moves[best])
            clock.cut = f"stopped after {deepest} plies"
        except _Cut as cut:
            clock.cut = str(cut)
        return clock.finding(proof, position.moves[best])

    def values(
        self, state: State, *, effort: SearchLimits, listener: Listener | None = None
    ) -> tuple[MoveProof, ...]:
        """The legal moves of *state* in canonical order, with what is proved of each."""
        position = self._position(state)
        clock = _Clock(effort, self._block, listener)
        found = [Proof(ValueKind.UNKNOWN) for _ in position.moves]
        deepest = min(effort.depth or search_loop.DEEPEST, search_loop.DEEPEST)
        try:
            for depth in range(1, deepest + 1):
                for at, row in enumerate(position.after):
                    if not found[at].is_settled:
                        _, proof = self._searched(row, depth - 1, clock, side=position.side)
                        plies = None if proof.plies is None else proof.plies + 1
                        found[at] = replace(proof, plies=plies, depth=proof.depth + 1)
                if all(proof.is_settled for proof in found):
                    break
        except _Cut as cut:
            clock.cut = str(cut)
        return tuple(MoveProof(*pair) for pair in zip(position.moves, found, strict=True))

    def first_safe(
        self, state: State, moves: Iterable[Move], *, depth: int, effort: SearchLimits
    ) -> Move | None:
        """The first of *moves* after which no loss is forced within *depth* plies from *state*.

        ``None`` if there is none, or if *effort* was not enough to tell.
        """
        position = self._position(state)
        clock = _Clock(effort, self._block, None)
        try:
            for move in moves:
                after = position.after[position.moves.index(move)]
                if self._is_safe(after, depth - 1, clock, side=position.side):
                    return move
        except _Cut:
            return None
        return None

    def _is_safe(self, after: Rows, depth: int, clock: _Clock, *, side: int) -> bool:
        for less in range(depth + 1):
            _, proof = self._searched(after, less, clock, side=side)
            if proof.is_settled:
                return proof.kind is not ValueKind.LOSS
        return True

    def line(self, state: State, finding: Finding) -> tuple[Move, ...]:
        """The moves of best play from *state*, where *finding* is a forced win or loss."""
        moves: list[Move] = []
        for plies in range(finding.proof.plies or 0, 0, -1):
            again = self.find(state, effort=SearchLimits(depth=plies))
            if again.move is None or again.proof.plies != plies:
                break
            moves.append(again.move)
            position = self._position(state)
            state = self._expander.unpack(position.after[position.moves.index(again.move)])
        return tuple(moves)

    def _prepared(self, room: int, entries: int) -> Numbers:
        block = self._steps.block(search_loop.BLOCK)
        block[search_loop.STATES] = address(self._states)
        block[search_loop.MOVES] = address(self._moves)
        block[search_loop.ORDER] = address(self._order)
        block[search_loop.ROOM] = room
        block[search_loop.MOST] = self._steps.most_moves
        block[search_loop.FRAMES] = address(self._frames)
        block[search_loop.TABLE] = address(self._table)
        block[search_loop.MASK] = entries - 1
        block[search_loop.HISTORY] = address(self._history)
        block[search_loop.KILLERS] = address(self._killers)
        stuck = self._expander.signature.stuck
        block[search_loop.LOOKS] = int(stuck in {Stuck.LOSES, Stuck.WINS})
        block[search_loop.STUCK] = (
            search_loop.TO_STUCK if stuck is Stuck.REPORTED else search_loop.TO_THE_END
        )
        return block

    def _position(self, state: State) -> _Position:
        row: Rows = np.ascontiguousarray(self._expander.pack(state), dtype=np.int64)
        expansion = self._expander.expand(row.reshape(1, -1))
        player = max(0, int(player_of(expansion.verdicts)[0]))
        if self._steps.players > 2 and player != self._block[search_loop.HERO]:
            # What one player can force against the others says nothing of another player.
            self._block[search_loop.HERO] = player
            self._table[:] = 0
        self._block[search_loop.AGE] = (self._block[search_loop.AGE] + 1) & 127
        side = 1 if player == self._block[search_loop.HERO] else -1
        moves = tuple(self._expander.move(int(code)) for code in expansion.moves)
        return _Position(row, side, moves, expansion.states.copy())

    def _searched(self, row: Rows, depth: int, clock: _Clock, *, side: int) -> tuple[int, Proof]:
        """The number of the best move in *row* and what is proved of it for *side*.

        Nothing less deep may decide it: only a win in *depth* plies, and a loss in as
        many, are then possible, and more need not be asked.
        """
        block = self._block
        far = search_loop.INFINITE
        self._frames[0, search_loop.F_ROW] = address(row)
        self._frames[0, search_loop.F_LOW] = depth - 1 - search_loop.WON if depth else -far
        self._frames[0, search_loop.F_HIGH] = search_loop.WON - depth if depth else far
        block[search_loop.LIMIT] = depth
        block[search_loop.PLY] = block[search_loop.TOP] = block[search_loop.BEST] = 0
        block[search_loop.MODE] = mode = search_loop.ENTER
        while mode != search_loop.DONE:
            clock.check(depth)
            mode = self._steps.run(self._run, block, clock.share(self._slice))
        best, reach = int(block[search_loop.BEST]), int(block[search_loop.REACH])
        score = side * int(block[search_loop.VALUE])
        if score > 0:
            return best, Proof(ValueKind.WIN, search_loop.WON - score, depth)
        if score < 0:
            return best, Proof(ValueKind.LOSS, search_loop.WON + score, depth)
        kind = ValueKind.DRAW if reach == search_loop.TO_THE_END else ValueKind.UNKNOWN
        is_about_stuck = reach == search_loop.TO_STUCK
        return best, Proof(kind, None, depth, depends_on_stuck=is_about_stuck)


@dataclass(frozen=True, slots=True)
class _Position:
    row: Rows
    side: int
    """1 where the hero moves, −1 elsewhere."""
    moves: tuple[Move, ...]
    after: Rows


class _Cut(Exception):
    """The budget is used up, or somebody asked to stop; the text says which."""


class _Clock:
    def __init__(self, effort: SearchLimits, block: Numbers, listener: Listener | None) -> None:
        self.cut: str | None = None
        self._effort = effort
        self._block = block
        self._listener = listener
        self._began = budget.now()
        self._first = int(block[search_loop.NODES])

    @property
    def nodes(self) -> int:
        return int(self._block[search_loop.NODES]) - self._first

    @property
    def seconds(self) -> float:
        return budget.now() - self._began

    def finding(self, proof: Proof, move: Move | None) -> Finding:
        return Finding(proof, move, self.nodes, self.seconds, self.cut)

    def share(self, size: int) -> int:
        """How many states to look at before the next check: *size*, or what is left."""
        return size if self._effort.nodes is None else min(size, self._effort.nodes - self.nodes)

    def check(self, depth: int) -> None:
        """Stop the search, at *depth* now, if it must go no further."""
        nodes, seconds = self.nodes, self.seconds
        if self._effort.nodes is not None and nodes >= self._effort.nodes:
            raise _Cut(f"stopped after looking at {nodes:,} states")
        if self._effort.seconds is not None and seconds >= self._effort.seconds:
            raise _Cut(f"stopped after {self._effort.seconds:g} seconds")
        if self._listener is not None and self._listener(
            Progress(depth, nodes, 0, seconds, phase=budget.SEARCHING)
        ):
            raise _Cut(INTERRUPTED)
