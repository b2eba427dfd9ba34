"""How a group of symmetries is built up, so that it is used by sorting and not by listing.

A group may be a product of others; it may permute some points at will; it may
permute copies of something, each copy with symmetries of its own (a wreath
product); or it has few members, which are listed. Each of these is found by its
order: a group inside another of the same order is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import factorial, prod
from typing import Final, TypeAlias, assert_never

from zermelo.packing.groups import Group, Images

FEW: Final = 128
"""A group with at most so many members is listed before anything else is tried."""
MOST_LISTED: Final = 5_040
MOST_FIRST: Final = 12
"""By so many claims most members of a list are told to be of no use for a state."""


@dataclass(frozen=True, slots=True)
class Symmetric:
    """Points that may be permuted at will; each is some claims, in the same order."""

    points: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """Some claims with the permutations of them: where each claim, as listed, goes."""

    claims: tuple[int, ...]
    members: tuple[Images, ...]


@dataclass(frozen=True, slots=True)
class Copies:
    """Copies of something, permuted at will or as listed, each with symmetries of its own."""

    copies: tuple[tuple[int, ...], ...]
    """The claims of each copy, in the same order."""
    inside: Structure | None
    """The symmetries of a copy; its claims are places in a copy."""
    tops: tuple[Images, ...] | None
    """The permutations of the copies; ``None`` when all are."""


@dataclass(frozen=True, slots=True)
class Direct:
    """Several that have nothing to do with each other."""

    parts: tuple[Structure, ...]


Structure: TypeAlias = Symmetric | Listed | Copies | Direct


def order(structure: Structure | None) -> int:
    """How many symmetries *structure* has."""
    match structure:
        case None:
            return 1
        case Symmetric(points):
            return factorial(len(points))
        case Listed(_, members):
            return len(members)
        case Copies(copies, inside, tops):
            above = factorial(len(copies)) if tops is None else len(tops)
            return prod(order(inside) for _ in copies) * above
        case Direct(parts):
            return prod(map(order, parts))
        case _:
            assert_never(structure)


def generators(structure: Structure | None) -> Iterator[dict[int, int]]:
    """Permutations of claims that generate the group, to be proved each by itself."""
    match structure:
        case None:
            return
        case Symmetric(points):
            for one, other in pairwise(points):
                yield _swap(one, other)
        case Listed(claims, members):
            for member in _generating(members):
                yield {a: claims[image] for a, image in zip(claims, member, strict=True)}
        case Copies(copies, inside, tops):
            yield from _generators_of_copies(copies, inside, tops)
        case Direct(parts):
            for part in parts:
                yield from generators(part)
        case _:
            assert_never(structure)


def _generators_of_copies(
    copies: tuple[tuple[int, ...], ...],
    inside: Structure | None,
    tops: tuple[Images, ...] | None,
) -> Iterator[dict[int, int]]:
    for copy in copies:
        for generator in generators(inside):
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
    """A few of *members* from which all are made."""
    degree = len(members[0])
    chosen: list[Images] = []
    made = {tuple(range(degree))}
    for member in members:
        if member not in made:
            chosen.append(member)
            made = set(Group(degree, chosen).members(len(members)) or ())
    return chosen


def _swap(one: tuple[int, ...], other: tuple[int, ...]) -> dict[int, int]:
    there = dict(zip(one, other, strict=True))
    return there | {b: a for a, b in there.items()}


# Recognising


def recognised(group: Group) -> Structure | None:
    """How *group* is built up; of a group that is not understood, as much as is."""
    if group.order <= FEW:
        moved = tuple(sorted(point for orbit in group.orbits() for point in orbit))
        return _component(group, moved) if moved else None
    parts = [found for points in _components(group) if (found := _component(group, points))]
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else Direct(tuple(parts))


def _components(group: Group) -> list[tuple[int, ...]]:
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


def _component(group: Group, points: Sequence[int]) -> Structure | None:
    """What the group does to *points*, in terms of them."""
    found = _alone(group.on(points))
    return None if found is None else _translated(found, points)


def _alone(group: Group) -> Structure | None:
    """A group that is no product."""
    points = _points(group)
    if points is not None and factorial(len(points)) == group.order:
        return Symmetric(points)
    if group.order <= FEW:
        return _listed(group)
    copies = _copies(group)
    if copies is not None:
        return copies
    return _listed(group) if group.order <= MOST_LISTED else _a_part(group)


def _listed(group: Group) -> Structure | None:
    """The members, of the points in an order in which the first few go among themselves."""
    first: list[int] = []
    for orbit in sorted(group.orbits(), key=lambda each: (-len(each), each)):
        if len(first) + len(orbit) <= MOST_FIRST:
            first += orbit
    claims = (*first, *(point for point in range(group.degree) if point not in set(first)))
    members = group.on(claims).members(MOST_LISTED)
    return None if members is None else Listed(claims, members)


def _points(group: Group) -> tuple[tuple[int, ...], ...] | None:
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


def _parallel(group: Group, orbit: Sequence[int], other: Sequence[int]) -> dict[int, int] | None:
    """A map from one orbit onto another that the group respects."""
    if len(orbit) != len(other):
        return None
    for image in other:
        found = _respected(group, orbit[0], image)
        if found is not None and len(set(found.values())) == len(found):
            return found
    return None


def _respected(group: Group, point: int, image: int) -> dict[int, int] | None:
    found = {point: image}
    waiting = [point]
    for at in waiting:
        for generator in group.generators:
            there, wanted = generator[at], generator[found[at]]
            if found.setdefault(there, wanted) != wanted:
                return None
            if there not in waiting:
                waiting.append(there)
    return found


# Copies


def _copies(group: Group) -> Copies | None:
    for orbit in group.orbits():
        for blocks in group.block_systems(orbit):
            found = _as_copies(group, blocks)
            if found is not None:
                return found
    return None


def _as_copies(group: Group, blocks: tuple[tuple[int, ...], ...]) -> Copies | None:
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
    return Copies(tuple(sorted(copies)) if is_full else copies, recognised(inside), listed)


def _whole_blocks(
    group: Group, blocks: tuple[tuple[int, ...], ...]
) -> tuple[tuple[int, ...], ...] | None:
    """*blocks* with the points of other orbits that go where each goes."""
    block_of = {point: at for at, block in enumerate(blocks) for point in block}
    whole = [list(block) for block in blocks]
    pairs = tuple((g, tuple(block_of[g[block[0]]] for block in blocks)) for g in group.generators)
    for orbit in group.orbits():
        if orbit[0] in block_of:
            continue
        found = next(
            (
                match
                for at in range(len(blocks))
                if (match := _assigned(orbit[0], at, pairs)) is not None
            ),
            None,
        )
        if found is None:
            return None
        for point in orbit:
            whole[found[point]].append(point)
    return tuple(tuple(block) for block in whole)


def _assigned(
    point: int, block: int, pairs: tuple[tuple[Images, Images], ...]
) -> dict[int, int] | None:
    """A block for each point of an orbit, such that points go where their blocks go."""
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


def _a_part(group: Group) -> Structure | None:
    """Of a group that is not understood, some members that can be used."""
    swaps = _swapped_points(group)
    few = next((part for part in group.stabilisers() if part.order <= MOST_LISTED), None)
    listed = None if few is None or few.order == 1 else _listed(few)
    return max((swaps, listed), key=order)


def _swapped_points(group: Group) -> Structure | None:
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


def _is_swap(group: Group, one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    swap = _swap(one, other)
    return tuple(swap.get(point, point) for point in range(group.degree)) in group


def _translated(structure: Structure, points: Sequence[int]) -> Structure:
    """*structure* with its claims, which are places in *points*, replaced by what stands there."""

    def there(claims: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(points[claim] for claim in claims)

    match structure:
        case Symmetric(inner):
            return Symmetric(tuple(map(there, inner)))
        case Listed(claims, members):
            return Listed(there(claims), members)
        case Copies(copies, inside, tops):
            return Copies(tuple(map(there, copies)), inside, tops)
        case Direct(parts):
            return Direct(tuple(_translated(part, points) for part in parts))
        case _:
            assert_never(structure)
