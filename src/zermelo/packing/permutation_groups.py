"""Groups of permutations given by generators, and how such a group is built up.

The order is found with a chain of stabilisers filled by random products of the
generators (Sims 1970; random filling after Leon 1980), from a fixed seed. Where
the random filling stops early the order comes out too small, never too large;
nothing that is used rests on it, for what is used is proved by itself.

A group is used by sorting and not by listing where its structure is recognised. Each kind of
structure is found by its order: a group inside another of the same order is the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from math import factorial, prod
from typing import Final, assert_never

from zermelo.core.symmetry import Copies, Direct, Images, ListedMembers, Structure, Symmetric, order

FEW: Final = 128
"""A group with at most so many members is listed before anything else is tried."""
MOST_LISTED: Final = 5_040
MOST_FIRST: Final = 12
"""By so many claims most members of a list are told to be of no use for a state."""
_ENOUGH: Final = 24
"""After so many random elements that show nothing new the chain counts as full."""
_MIXING: Final = 10
_SEED: Final = 1913


class PermutationGroup:
    """A group of permutations of the points 0 … degree − 1."""

    def __init__(self, degree: int, generators: Iterable[Images]) -> None:
        self.degree = degree
        identity = tuple(range(degree))
        self.generators = tuple(dict.fromkeys(g for g in generators if g != identity))

    @cached_property
    def _chain(self) -> _StabiliserChain:
        return _StabiliserChain(self)

    @property
    def order(self) -> int:
        return self._chain.order()

    def __contains__(self, images: Images) -> bool:
        return self._chain.has(images)

    def stabilisers(self) -> list[PermutationGroup]:
        """The members that leave one point where it is, then those that leave two, and so on."""
        return [
            PermutationGroup(self.degree, generators) for generators in self._chain.generators()
        ]

    def orbit(self, point: int) -> tuple[int, ...]:
        return tuple(sorted(self.transversal(point)))

    def transversal(self, point: int) -> dict[int, Images]:
        """For each place *point* is taken to, a member that takes it there."""
        found = {point: tuple(range(self.degree))}
        _extend(found, self.generators)
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

    def on(self, points: Sequence[int]) -> PermutationGroup:
        """What it does to *points*, which it takes to themselves, numbered as they stand."""
        at = {point: number for number, point in enumerate(points)}
        return PermutationGroup(
            len(points), (tuple(at[g[p]] for p in points) for g in self.generators)
        )

    def on_blocks(self, blocks: Sequence[Sequence[int]]) -> PermutationGroup:
        """What it does to *blocks*, which it takes to each other."""
        block_of = {point: at for at, block in enumerate(blocks) for point in block}
        return PermutationGroup(
            len(blocks), (tuple(block_of[g[block[0]]] for block in blocks) for g in self.generators)
        )

    def block_stabiliser(
        self, blocks: Sequence[Sequence[int]]
    ) -> tuple[PermutationGroup, list[Images]]:
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
        return PermutationGroup(self.degree, kept), [ways[at] for at in sorted(ways)]

    def members(self, most: int) -> tuple[Images, ...] | None:
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
    back = [0] * len(images)
    for point, image in enumerate(images):
        back[image] = point
    return tuple(back)


class _StabiliserChain:
    """A chain of stabilisers of points, one after another."""

    def __init__(self, group: PermutationGroup) -> None:
        self._identity = tuple(range(group.degree))
        self._group = group
        self._base: list[int] = []
        self._gens: list[list[Images]] = []
        self._ways: list[dict[int, Images]] = []
        self._fill()

    def order(self) -> int:
        return prod(len(ways) for ways in self._ways)

    def generators(self) -> list[list[Images]]:
        """Generators of the stabilisers, the larger ones first."""
        return [list(generators) for generators in self._gens[1:]]

    def has(self, element: Images) -> bool:
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
                    _extend(self._ways[above], self._gens[above])
                return True
            element = after(inverse(way), element)
        return False


def _extend(ways: dict[int, Images], generators: Iterable[Images]) -> None:
    """Add ways to all points to which *generators* take those that have one."""
    waiting = list(ways)
    for at in waiting:
        for generator in generators:
            image = generator[at]
            if image not in ways:
                ways[image] = after(generator, ways[at])
                waiting.append(image)


def generators_of(structure: Structure | None) -> Iterator[dict[int, int]]:
    """Permutations of claims that generate the group, to be proved each by itself."""
    match structure:
        case None:
            return
        case Symmetric(points):
            for one, other in pairwise(points):
                yield _swap(one, other)
        case ListedMembers(claims, members):
            for member in _generating(members):
                yield {a: claims[image] for a, image in zip(claims, member, strict=True)}
        case Copies(copies, inside, tops):
            yield from _generators_of_copies(copies, inside, tops)
        case Direct(parts):
            for part in parts:
                yield from generators_of(part)
        case _:
            assert_never(structure)


def _generators_of_copies(
    copies: tuple[tuple[int, ...], ...], inside: Structure | None, tops: tuple[Images, ...] | None
) -> Iterator[dict[int, int]]:
    for copy in copies:
        for generator in generators_of(inside):
            yield {copy[a]: copy[image] for a, image in generator.items()}
    if tops is None:
        for one, other in pairwise(copies):
            yield _swap(one, other)
        return
    for top in _generating(tops):
        yield {
            a: b
            for copy, image in zip(copies, top, strict=True)
            for a, b in zip(copy, copies[image], strict=True)
        }


def _generating(members: tuple[Images, ...]) -> list[Images]:
    degree = len(members[0])
    chosen: list[Images] = []
    made = {tuple(range(degree))}
    for member in members:
        if member not in made:
            chosen.append(member)
            made = set(PermutationGroup(degree, chosen).members(len(members)) or ())
    return chosen


def _swap(one: tuple[int, ...], other: tuple[int, ...]) -> dict[int, int]:
    there = dict(zip(one, other, strict=True))
    return there | {b: a for a, b in there.items()}


# Recognising


def structure_of(group: PermutationGroup) -> Structure | None:
    """How *group* is built up; of a group that is not understood, as much as is."""
    if group.order <= FEW:
        moved = tuple(sorted(point for orbit in group.orbits() for point in orbit))
        return _component(group, moved) if moved else None
    parts = [found for points in _components(group) if (found := _component(group, points))]
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else Direct(tuple(parts))


def _components(group: PermutationGroup) -> list[tuple[int, ...]]:
    """The points moved, parted so that the group is the product of what it does to each part."""
    orbits = group.orbits()
    if prod(group.on(orbit).order for orbit in orbits) == group.order:
        return orbits
    linked = {at: at for at in range(len(orbits))}
    for a in range(len(orbits)):
        for b in range(a):
            both = group.on((*orbits[a], *orbits[b])).order
            if both != group.on(orbits[a]).order * group.on(orbits[b]).order:
                one, other = linked[a], linked[b]
                linked = {at: other if to == one else to for at, to in linked.items()}
    joined: dict[int, list[int]] = {}
    for at, to in linked.items():
        joined.setdefault(to, []).extend(orbits[at])
    found = [tuple(sorted(points)) for points in joined.values()]
    if prod(group.on(points).order for points in found) == group.order:
        return found
    return [tuple(sorted(point for orbit in orbits for point in orbit))]


def _component(group: PermutationGroup, points: Sequence[int]) -> Structure | None:
    found = _alone(group.on(points))
    return None if found is None else _translated(found, points)


def _alone(group: PermutationGroup) -> Structure | None:
    points = _points(group)
    if points is not None and factorial(len(points)) == group.order:
        return Symmetric(points)
    if group.order <= FEW:
        return _listed(group)
    copies = _copies(group)
    if copies is not None:
        return copies
    return _listed(group) if group.order <= MOST_LISTED else _a_part(group)


def _listed(group: PermutationGroup) -> Structure | None:
    """The members, of the points in an order in which the first few go among themselves."""
    first: list[int] = []
    for orbit in sorted(group.orbits(), key=lambda each: (-len(each), each)):
        if len(first) + len(orbit) <= MOST_FIRST:
            first += orbit
    claims = (*first, *(point for point in range(group.degree) if point not in set(first)))
    members = group.on(claims).members(MOST_LISTED)
    return None if members is None else ListedMembers(claims, members)


def _points(group: PermutationGroup) -> tuple[tuple[int, ...], ...] | None:
    """The orbits side by side, if the group does the same to each."""
    orbits = group.orbits()
    first = orbits[0]
    columns = [first]
    for orbit in orbits[1:]:
        match = _parallel(group, first, orbit)
        if match is None:
            return None
        columns.append(tuple(match[point] for point in first))
    return tuple(sorted(zip(*columns, strict=True)))


def _parallel(
    group: PermutationGroup, orbit: Sequence[int], other: Sequence[int]
) -> dict[int, int] | None:
    """A map from one orbit onto another that the group respects."""
    if len(orbit) != len(other):
        return None
    pairs = tuple((generator, generator) for generator in group.generators)
    for image in other:
        found = _assigned(orbit[0], image, pairs)
        if found is not None and len(set(found.values())) == len(found):
            return found
    return None


# Copies


def _copies(group: PermutationGroup) -> Copies | None:
    for orbit in group.orbits():
        for blocks in group.block_systems(orbit):
            found = _as_copies(group, blocks)
            if found is not None:
                return found
    return None


def _as_copies(group: PermutationGroup, blocks: tuple[tuple[int, ...], ...]) -> Copies | None:
    """The group as copies of which each holds one of *blocks*, if it is that."""
    whole = _whole_blocks(group, blocks)
    if whole is None:
        return None
    tops = group.on_blocks(whole)
    kept, ways = group.block_stabiliser(whole)
    inside = kept.on(whole[0])
    if inside.order ** len(whole) * tops.order != group.order:
        return None
    is_full = tops.order == factorial(len(whole))
    listed = None if is_full else tops.members(MOST_LISTED)
    if listed is None and not is_full:
        return None
    copies = tuple(tuple(way[point] for point in whole[0]) for way in ways)
    return Copies(tuple(sorted(copies)) if is_full else copies, structure_of(inside), listed)


def _whole_blocks(
    group: PermutationGroup, blocks: tuple[tuple[int, ...], ...]
) -> tuple[tuple[int, ...], ...] | None:
    """*blocks* with the points of other orbits that go where each goes."""
    block_of = {point: at for at, block in enumerate(blocks) for point in block}
    whole = [list(block) for block in blocks]
    pairs = tuple((g, tuple(block_of[g[block[0]]] for block in blocks)) for g in group.generators)
    for orbit in group.orbits():
        if orbit[0] in block_of:
            continue
        matches = (_assigned(orbit[0], at, pairs) for at in range(len(blocks)))
        found = next((match for match in matches if match is not None), None)
        if found is None:
            return None
        for point in orbit:
            whole[found[point]].append(point)
    return tuple(tuple(block) for block in whole)


def _assigned(
    point: int, block: int, pairs: tuple[tuple[Images, Images], ...]
) -> dict[int, int] | None:
    """A block for each point of an orbit, such that points go where their blocks go.

    *pairs* say where a generator takes points, and where blocks.
    """
    found = {point: block}
    waiting = [point]
    for at in waiting:
        for generator, on_blocks in pairs:
            there, wanted = generator[at], on_blocks[found[at]]
            if there not in found:
                found[there] = wanted
                waiting.append(there)
            elif found[there] != wanted:
                return None
    return found


def _a_part(group: PermutationGroup) -> Structure | None:
    swaps = _swapped_points(group)
    few = next((part for part in group.stabilisers() if part.order <= MOST_LISTED), None)
    listed = None if few is None or few.order == 1 else _listed(few)
    return max((swaps, listed), key=order)


def _swapped_points(group: PermutationGroup) -> Structure | None:
    """The points that may be swapped with each other, all else left where it is."""
    points = _points(group)
    if points is None:
        return None
    classes: list[list[tuple[int, ...]]] = []
    for point in points:
        place = next((each for each in classes if _is_swap(group, each[0], point)), None)
        if place is None:
            classes.append([point])
        else:
            place.append(point)
    parts = tuple(Symmetric(tuple(each)) for each in classes if len(each) > 1)
    return Direct(parts) if parts else None


def _is_swap(group: PermutationGroup, one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    swap = _swap(one, other)
    return tuple(swap.get(point, point) for point in range(group.degree)) in group


def _translated(structure: Structure, points: Sequence[int]) -> Structure:
    """*structure* with its claims, which are places in *points*, replaced by what stands there."""

    def there(claims: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(points[claim] for claim in claims)

    match structure:
        case Symmetric(inner):
            return Symmetric(tuple(map(there, inner)))
        case ListedMembers(claims, members):
            return ListedMembers(there(claims), members)
        case Copies(copies, inside, tops):
            return Copies(tuple(map(there, copies)), inside, tops)
        case Direct(parts):
            return Direct(tuple(_translated(part, points) for part in parts))
        case _:
            assert_never(structure)
