"""Two models of which some move has several results, compared by refining a partition.

All positions of both are put into classes: first by outcome and player in turn, then again and
again by the classes that their moves lead to, until no class is split. Positions of one class are
the same on moves and outcomes, whatever is played (they are bisimilar). Classes are numbered
exactly; nothing is told apart or taken for the same by a hash.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from zermelo.core.arrays import Numbers, Piece, Rows, Truths
from zermelo.core.layout import WORD
from zermelo.core.limits import Limits, Listener
from zermelo.core.state import Move, State
from zermelo.engines.compare.comparison import Comparison, Contrast, Parting
from zermelo.engines.compare.product import COMPARING, legal_in_one
from zermelo.engines.compare.sides import Side
from zermelo.engines.space.state_index import StateIndex
from zermelo.engines.space.sweep import Follower, NumberedLevels, Sweep, Swept
from zermelo.text import budget

_BYTES_A_STATE = 64


class _LabelledGraph(NumberedLevels, Follower):
    """The states of a side and its moves by label."""

    def __init__(self, side: Side, initial: State, limits: Limits) -> None:
        super().__init__([0, 1])
        self._side = side
        self._limits = limits
        layout = side.expander.layout
        self._nodes = StateIndex(
            side.expander.words, last_bits=WORD if layout is None else layout.last_bits
        )
        self._nodes.take(side.expander.pack(initial).reshape(1, -1))
        self._parts: list[tuple[Numbers, ...]] = []
        self._verdicts: list[Rows] = []
        self._sweep: Sweep | None = None

    @property
    def states(self) -> int:
        return self._nodes.size

    def over_memory(self, most: int) -> str | None:
        taken = self.states * (_BYTES_A_STATE + 16 * self._side.expander.words)
        taken += 32 * sum(len(part[0]) for part in self._parts)
        return f"stopped at {most / 1e6:,g} MB of memory" if taken > most else None

    def follow(self, _: int, piece: Piece) -> None:
        found = self._side.follow(self._nodes.rows(*piece))
        most = self._limits.states
        room = None if most is None else most - self.states
        targets = self._nodes.take(found.states, room=room)
        assert self._sweep is not None, "states are followed in a sweep"
        if most is not None and len(targets) and int(targets.min()) < 0:
            self._sweep.stop(f"stopped at {most:,} positions")
        self._parts.append((piece[0] + found.sources, found.labels, targets, found.moves))
        self._verdicts.append(np.column_stack([found.outcomes, found.players]))

    def run(self, listener: Listener | None) -> str | None:
        """Find all; the reason why that was cut short, if it was."""
        found = Swept()
        is_native = self._side.expander.native is not None
        self._sweep = Sweep(
            self, found, limits=self._limits, listener=listener, is_native=is_native
        )
        with budget.phase(COMPARING):
            self._sweep.run([self])
        self.seal()
        return found.cut

    def arcs(self) -> tuple[Numbers, ...]:
        """Sources, labels, targets and codes of moves, source by source."""
        return tuple(np.concatenate(each) for each in zip(*self._parts, strict=True))

    def verdicts(self) -> Rows:
        return np.concatenate(self._verdicts)


@dataclass(frozen=True, slots=True)
class _Union:
    """The graphs of both sides as one: the second's states come after the first's."""

    offsets: Numbers
    labels: Numbers
    targets: Numbers
    codes: Numbers
    verdicts: Rows
    split: int
    """The number of the first state of the second side."""

    def leaving(self, node: int) -> slice:
        return slice(int(self.offsets[node]), int(self.offsets[node + 1]))


def refined(
    sides: tuple[Side, Side],
    initial: tuple[State, State],
    limits: Limits,
    listener: Listener | None,
    *,
    first_only: bool,
) -> Comparison:
    """The two *sides* compared by classes of their positions."""
    names = (sides[0].expander.signature.name, sides[1].expander.signature.name)
    graphs = [_LabelledGraph(side, one, limits) for side, one in zip(sides, initial, strict=True)]
    cut = next((why for each in graphs if (why := each.run(listener)) is not None), None)
    sizes = (graphs[0].states, graphs[1].states)
    if cut is not None:
        return Comparison(
            names=names,
            positions=sum(sizes),
            by_depth=(),
            contrasts=(),
            cut=cut,
            sizes=sizes,
            is_first_only=first_only,
        )
    union = _union(graphs)
    rounds = _rounds(union)
    contrasts: tuple[Contrast, ...] = ()
    last = rounds[-1]
    if last[0] != last[union.split]:
        parted = _Parted(union, rounds, sides)
        contrasts = (parted.contrast(_without_like(last, union.split)),)
    return Comparison(
        names=names,
        positions=sum(sizes),
        by_depth=(),
        contrasts=contrasts,
        sizes=sizes,
        is_first_only=first_only,
    )


def _union(graphs: list[_LabelledGraph]) -> _Union:
    split = graphs[0].states
    (sources, labels, targets, codes), others = (each.arcs() for each in graphs)
    sources = np.concatenate([sources, others[0] + split])
    verdicts = np.concatenate([each.verdicts() for each in graphs])
    offsets = np.zeros(len(verdicts) + 1, dtype=np.int64)
    np.cumsum(np.bincount(sources, minlength=len(verdicts)), out=offsets[1:])
    return _Union(
        offsets,
        np.concatenate([labels, others[1]]),
        np.concatenate([targets, others[2] + split]),
        np.concatenate([codes, others[3]]),
        verdicts,
        split,
    )


def _rounds(union: _Union) -> list[Numbers]:
    """The class of each state after each round, until no class is split any more."""
    classes = np.unique(union.verdicts, axis=0, return_inverse=True)[1].reshape(-1)
    found = [classes]
    while True:
        budget.look(COMPARING)
        after = _split(union, classes)
        if int(after.max()) == int(classes.max()):
            return found
        classes = after
        found.append(classes)


def _split(union: _Union, classes: Numbers) -> Numbers:
    """The classes of states whose class, and whose moves' classes, are the same."""
    nodes = len(classes)
    sources = np.repeat(np.arange(nodes), np.diff(union.offsets))
    steps: Rows = np.column_stack([sources, union.labels, classes[union.targets]])
    # What moves lead to is a set, in one order.
    steps = np.unique(steps, axis=0)
    kinds = np.unique(steps[:, 1:], axis=0, return_inverse=True)[1].reshape(-1)
    counts = np.bincount(steps[:, 0], minlength=nodes)
    starts = np.cumsum(counts) - counts
    made = classes
    # The sequences of what leaves each state are numbered one place after another.
    for place in range(int(counts.max(initial=0)) + 1):
        is_there: Truths = counts > place
        here = np.full(nodes, -1, dtype=np.int64)
        here[is_there] = kinds[starts[is_there] + place]
        made = np.unique(np.column_stack([made, here]), axis=0, return_inverse=True)[1].reshape(-1)
    return made


def _without_like(classes: Numbers, split: int) -> int:
    """How many positions of either side are in a class that the other has no position in."""
    first, second = classes[:split], classes[split:]
    return int((~np.isin(first, second)).sum() + (~np.isin(second, first)).sum())


class _Parted:
    """The shortest way to tell the beginnings apart, where they are in different classes."""

    def __init__(self, union: _Union, rounds: list[Numbers], sides: tuple[Side, Side]) -> None:
        self._union = union
        self._rounds = rounds
        self._sides = sides

    def contrast(self, positions: int) -> Contrast:
        nodes = [0, self._union.split]
        plays: list[list[Move]] = [[], []]
        while (apart := self._apart(*nodes)) > 0:
            at, arc = self._telling(nodes, apart)
            replies = self._arcs(nodes[1 - at], int(self._union.labels[arc]))
            move = self._sides[at].move(int(self._union.codes[arc]))
            if not len(replies):
                words = legal_in_one(move, is_first=at == 0)
                return replace(self._told(Parting.MOVE, words, positions, plays), move=move)
            plays[at].append(move)
            target = int(self._union.targets[arc])
            # Whoever has to match the result does so for as long as that can be done.
            reply = max(
                replies, key=lambda each: self._apart(target, int(self._union.targets[each]))
            )
            plays[1 - at].append(self._sides[1 - at].move(int(self._union.codes[reply])))
            nodes[at], nodes[1 - at] = target, int(self._union.targets[reply])
        first, second = (self._union.verdicts[node].tolist() for node in nodes)
        if first[0] != second[0]:
            texts = [
                s.outcome_text(v[0]) for s, v in zip(self._sides, (first, second), strict=True)
            ]
            return self._told(Parting.OUTCOME, (texts[0], texts[1]), positions, plays)
        texts = [s.player_text(v[1]) for s, v in zip(self._sides, (first, second), strict=True)]
        return self._told(Parting.PLAYER, (texts[0], texts[1]), positions, plays)

    def _told(
        self, parting: Parting, words: tuple[str, str], positions: int, plays: list[list[Move]]
    ) -> Contrast:
        first, second = words
        return Contrast(parting, first, second, positions, tuple(plays[0]), tuple(plays[1]))

    def _apart(self, one: int, other: int) -> int:
        """The first round after which the two are in different classes; many if there is none."""
        return next(
            (at for at, each in enumerate(self._rounds) if each[one] != each[other]),
            len(self._rounds),
        )

    def _telling(self, nodes: list[int], apart: int) -> tuple[int, int]:
        """The side with a move, and the move, to whose result the other side has none like it."""
        before = self._rounds[apart - 1]
        for at in (0, 1):
            leaving = self._union.leaving(nodes[1 - at])
            known = set(
                zip(
                    self._union.labels[leaving].tolist(),
                    before[self._union.targets[leaving]].tolist(),
                    strict=True,
                )
            )
            mine = self._union.leaving(nodes[at])
            for arc in range(mine.start, mine.stop):
                step = (int(self._union.labels[arc]), int(before[self._union.targets[arc]]))
                if step not in known:
                    return at, arc
        raise AssertionError("states of different classes have a move that tells them apart")

    def _arcs(self, node: int, label: int) -> list[int]:
        leaving = self._union.leaving(node)
        return [
            arc for arc in range(leaving.start, leaving.stop) if self._union.labels[arc] == label
        ]
