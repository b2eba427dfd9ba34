"""Groups of permutations given by generators.

The order is found with a chain of stabilisers filled by random products of the
generators (Sims 1970; random filling after Leon 1980), from a fixed seed. Where
the random filling stops early the order comes out too small, never too large;
nothing that is used rests on it, for what is used is proved by itself.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final, TypeAlias

Images: TypeAlias = tuple[int, ...]
"""A permutation of 0, 1, …: where each point goes."""

_ENOUGH: Final = 24
"""After so many random elements that show nothing new the chain counts as full."""
_MIXING: Final = 10
_SEED: Final = 1913


class Group:
    """A group of permutations of the points 0 … degree − 1."""

    def __init__(self, degree: int, generators: Iterable[Images]) -> None:
        self.degree = degree
        identity = tuple(range(degree))
        self.generators = tuple(dict.fromkeys(g for g in generators if g != identity))

    @cached_property
    def _chain(self) -> _Chain:
        return _Chain(self)

    @property
    def order(self) -> int:
        """How many members it has."""
        return self._chain.order()

    def __contains__(self, images: Images) -> bool:
        return self._chain.has(images)

    def stabilisers(self) -> list[Group]:
        """The members that leave one point where it is, then those that leave two, and so on."""
        return [Group(self.degree, generators) for generators in self._chain.generators()]

    def orbit(self, point: int) -> tuple[int, ...]:
        """Where its members take *point*."""
        return tuple(sorted(self.transversal(point)))

    def transversal(self, point: int) -> dict[int, Images]:
        """For each place *point* is taken to, a member that takes it there."""
        found = {point: tuple(range(self.degree))}
        waiting = [point]
        for at in waiting:
            for generator in self.generators:
                image = generator[at]
                if image not in found:
                    found[image] = after(generator, found[at])
                    waiting.append(image)
        return found

    def orbits(self) -> list[tuple[int, ...]]:
        """The points that are moved, those together that are taken to each other."""
        seen: set[int] = set()
        found: list[tuple[int, ...]] = []
        for point in range(self.degree):
            if point not in seen:
                orbit = self.orbit(point)
                seen.update(orbit)
                if len(orbit) > 1:
                    found.append(orbit)
        return found

    def on(self, points: Sequence[int]) -> Group:
        """What it does to *points*, which it takes to themselves, numbered as they stand."""
        at = {point: number for number, point in enumerate(points)}
        return Group(len(points), (tuple(at[g[p]] for p in points) for g in self.generators))

    def on_blocks(self, blocks: Sequence[Sequence[int]]) -> Group:
        """What it does to *blocks*, which it takes to each other."""
        block_of = {point: at for at, block in enumerate(blocks) for point in block}
        return Group(
            len(blocks), (tuple(block_of[g[block[0]]] for block in blocks) for g in self.generators)
        )

    def block_stabiliser(self, blocks: Sequence[Sequence[int]]) -> tuple[Group, list[Images]]:
        """The members that keep the first block, and one for each block that takes it there."""
        block_of = {point: at for at, block in enumerate(blocks) for point in block}
        first = blocks[0][0]
        ways: dict[int, Images] = {0: tuple(range(self.degree))}
        waiting = [0]
        for at in waiting:
            for generator in self.generators:
                image = block_of[generator[ways[at][first]]]
                if image not in ways:
                    ways[image] = after(generator, ways[at])
                    waiting.append(image)
        # Schreier's lemma: these generate the stabiliser.
        kept = (
            after(inverse(ways[block_of[g[ways[at][first]]]]), after(g, ways[at]))
            for at in ways
            for g in self.generators
        )
        return Group(self.degree, kept), [ways[at] for at in sorted(ways)]

    def members(self, most: int) -> tuple[Images, ...] | None:
        """All members, if they are at most so many."""
        identity = tuple(range(self.degree))
        found = {identity: None}
        waiting = [identity]
        for member in waiting:
            for generator in self.generators:
                image = after(generator, member)
                if image not in found:
                    if len(found) >= most:
                        return None
                    found[image] = None
                    waiting.append(image)
        return tuple(sorted(found))

    def block_systems(self, orbit: Sequence[int]) -> list[tuple[tuple[int, ...], ...]]:
        """Ways to part *orbit* into blocks that are taken to blocks, the fewest blocks first."""
        found: dict[tuple[tuple[int, ...], ...], None] = {}
        for other in orbit[1:]:
            blocks = self._least_blocks(orbit, orbit[0], other)
            if len(blocks) > 1:
                found[blocks] = None
        found[tuple((point,) for point in orbit)] = None
        return sorted(found, key=lambda blocks: (len(blocks), blocks))

    def _least_blocks(
        self, orbit: Sequence[int], one: int, other: int
    ) -> tuple[tuple[int, ...], ...]:
        """The finest blocks of which one holds both points."""
        parent = {point: point for point in orbit}

        def root(point: int) -> int:
            while parent[point] != point:
                parent[point] = parent[parent[point]]
                point = parent[point]
            return point

        waiting = [(one, other)]
        while waiting:
            a, b = waiting.pop()
            a, b = root(a), root(b)
            if a != b:
                parent[max(a, b)] = min(a, b)
                waiting += [(g[a], g[b]) for g in self.generators]
        blocks: dict[int, list[int]] = {}
        for point in orbit:
            blocks.setdefault(root(point), []).append(point)
        return tuple(tuple(block) for block in blocks.values())


def after(second: Images, first: Images) -> Images:
    """First *first*, then *second*.

    >>> after((1, 0, 2), (0, 2, 1))
    (1, 2, 0)
    """
    return tuple([second[point] for point in first])


def inverse(images: Images) -> Images:
    """The permutation that takes everything back."""
    back = [0] * len(images)
    for point, image in enumerate(images):
        back[image] = point
    return tuple(back)


class _Chain:
    """A chain of stabilisers of points, one after another."""

    def __init__(self, group: Group) -> None:
        self._identity = tuple(range(group.degree))
        self._group = group
        self._base: list[int] = []
        self._gens: list[list[Images]] = []
        self._ways: list[dict[int, Images]] = []
        self._fill()

    def order(self) -> int:
        product = 1
        for ways in self._ways:
            product *= len(ways)
        return product

    def generators(self) -> list[list[Images]]:
        """Generators of the stabilisers, the larger ones first."""
        return [list(generators) for generators in self._gens[1:]]

    def has(self, element: Images) -> bool:
        """Whether *element* is a member."""
        for base, ways in zip(self._base, self._ways, strict=True):
            way = ways.get(element[base])
            if way is None:
                return False
            element = after(inverse(way), element)
        return element == self._identity

    def _fill(self) -> None:
        for generator in self._group.generators:
            self._sift(generator)
        vain = 0
        for element in self._random():
            if vain >= _ENOUGH:
                return
            vain = 0 if self._sift(element) else vain + 1

    def _random(self) -> Iterator[Images]:
        """Random members, by product replacement (Celler and others 1995)."""
        if not self._group.generators:
            return
        source = random.Random(_SEED)
        pool = list(self._group.generators)
        while len(pool) < 12:
            pool.append(pool[len(pool) % len(self._group.generators)])
        count = 0
        while True:
            i, j = source.sample(range(len(pool)), 2)
            other = pool[j] if source.random() < 0.5 else inverse(pool[j])
            pool[i] = after(other, pool[i]) if source.random() < 0.5 else after(pool[i], other)
            count += 1
            if count > _MIXING * len(pool):
                yield pool[i]

    def _sift(self, element: Images) -> bool:
        """Take *element* in; whether it showed something new."""
        for level in range(len(self._base) + 1):
            if element == self._identity:
                return False
            if level == len(self._base):
                moved = next(p for p, image in enumerate(element) if p != image)
                self._base.append(moved)
                self._gens.append([])
                self._ways.append({moved: self._identity})
            image = element[self._base[level]]
            way = self._ways[level].get(image)
            if way is None:
                for above in range(level + 1):
                    self._gens[above].append(element)
                    self._extend(above)
                return True
            element = after(inverse(way), element)
        return False

    def _extend(self, level: int) -> None:
        ways = self._ways[level]
        waiting = list(ways)
        for at in waiting:
            for generator in self._gens[level]:
                image = generator[at]
                if image not in ways:
                    ways[image] = after(generator, ways[at])
                    waiting.append(image)
