"""Symmetries found: permutations of a graph's claims that a proof accepts.

Vertices are told apart by colours that are refined by the colours around them.
Then one claim after another is singled out until all are told apart, and each
claim that might take the place of one singled out is tried in it. Colours are
numbers made by mixing, so they could only ever hide a symmetry, never make one:
what is found is proved before it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

Colours: TypeAlias = npt.NDArray[np.uint64]
Permutation: TypeAlias = Mapping[int, int]
"""Where claims go; those that stay are left out."""

MOST_TRIES: Final = 4_000
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)
_OTHER: Final = np.uint64(0xC2B2AE3D27D4EB4F)
_MARK: Final = np.uint64(0xD6E8FEB86659FD93)


@dataclass(slots=True)
class ClaimGraph:
    """Vertices with colours, and edges with labels."""

    colours: list[Hashable] = field(default_factory=list)
    edges: list[tuple[int, int, Hashable]] = field(default_factory=list)
    claims: dict[int, int] = field(default_factory=dict)
    """The vertex of each claim."""

    def vertex(self, colour: Hashable, *edges: tuple[int, Hashable]) -> int:
        """A new vertex, with *edges* from it to others."""
        self.colours.append(colour)
        made = len(self.colours) - 1
        self.edges += ((made, target, label) for target, label in edges)
        return made

    def edge(self, source: int, target: int, label: Hashable) -> None:
        self.edges.append((source, target, label))


@dataclass(frozen=True, slots=True)
class RefinementLevel:
    """A step of the way on which claims are singled out."""

    before: Colours
    claim: int
    cell: tuple[int, ...]
    """The claims that look like it."""
    after: Colours


@dataclass(frozen=True, slots=True)
class AutomorphismGroup:
    """Generators of a group of symmetries."""

    generators: tuple[Permutation, ...]
    order: int
    is_complete: bool
    """Whether everything that might be a symmetry was tried."""


def automorphisms(
    graph: ClaimGraph, is_proved: Callable[[Permutation], bool], *, is_whole: bool = False
) -> AutomorphismGroup:
    """The permutations of claims that *is_proved* accepts.

    With *is_whole* only those that *graph* allows too, which may say more than the proof.
    """
    return _AutomorphismSearch(graph, is_proved, is_whole=is_whole).found()


class _AutomorphismSearch:
    def __init__(
        self, graph: ClaimGraph, is_proved: Callable[[Permutation], bool], *, is_whole: bool
    ) -> None:
        self._is_proved = is_proved
        self._is_whole = is_whole
        self._claims = tuple(graph.claims)
        self._vertices = np.array([graph.claims[a] for a in self._claims], dtype=np.int64)
        self._at = {claim: at for at, claim in enumerate(self._claims)}
        self._sources, self._labels, self._ends = _arrays(graph)
        self._first = self._refined(_numbered(graph.colours))
        self._tries = 0

    def found(self) -> AutomorphismGroup:
        """Generators, from the last claim singled out to the first."""
        generators: list[Permutation] = []
        order = 1
        levels = self._levels()
        for depth, level in reversed(list(enumerate(levels))):
            orbit = _orbit(level.claim, generators)
            hopeless: set[int] = set()
            for other in level.cell:
                if other in orbit or other in hopeless:
                    continue
                image = self._single_out(level.before, other)
                found = self._matched(levels, depth, image)
                if found is None:
                    hopeless |= _orbit(other, generators)
                else:
                    generators.append(found)
                    orbit = _orbit(level.claim, generators)
            order *= len(orbit)
        return AutomorphismGroup(tuple(generators), order, self._tries < MOST_TRIES)

    # The way down

    def _levels(self) -> list[RefinementLevel]:
        levels: list[RefinementLevel] = []
        colours = self._first
        while cells := [cell for cell in self._cells(colours).values() if len(cell) > 1]:
            cell = min(cells, key=lambda cell: (len(cell), cell))
            after = self._single_out(colours, cell[0])
            levels.append(RefinementLevel(colours, cell[0], cell, after))
            colours = after
        return levels

    def _cells(self, colours: Colours) -> dict[int, tuple[int, ...]]:
        cells: dict[int, list[int]] = {}
        for claim, colour in zip(self._claims, colours[self._vertices].tolist(), strict=True):
            cells.setdefault(colour, []).append(claim)
        return {colour: tuple(cell) for colour, cell in cells.items()}

    # Matching

    def _matched(
        self, levels: list[RefinementLevel], depth: int, image: Colours
    ) -> Permutation | None:
        """A symmetry that takes the claims singled out so far to those of *image*."""
        self._tries += 1
        level = levels[depth]
        if self._tries > MOST_TRIES or not np.array_equal(np.sort(level.after), np.sort(image)):
            return None
        here, there = self._cells(level.after), self._cells(image)
        guess = _guess(here, there)
        if guess is not None and self._is_accepted(guess):
            return guess
        if depth + 1 == len(levels):
            return None
        following = levels[depth + 1]
        colour = int(level.after[self._vertices[self._at[following.claim]]])
        cell = there.get(colour, ())
        for other in sorted(cell, key=lambda claim: (claim != following.claim, claim)):
            found = self._matched(levels, depth + 1, self._single_out(image, other))
            if found is not None:
                return found
        return None

    def _is_accepted(self, guess: Permutation) -> bool:
        is_allowed = not self._is_whole or np.array_equal(
            np.sort(self._marked({})), np.sort(self._marked(guess))
        )
        return is_allowed and self._is_proved(guess)

    def _marked(self, images: Permutation) -> Colours:
        """The colours when every claim is singled out, each as the one that goes to it."""
        colours = self._first.copy()
        for at, claim in enumerate(self._claims):
            colours[self._vertices[self._at[images.get(claim, claim)]]] ^= _MARK + np.uint64(2 * at)
        return self._refined(colours)

    # Colours

    def _single_out(self, colours: Colours, claim: int) -> Colours:
        marked = colours.copy()
        marked[self._vertices[self._at[claim]]] ^= _MARK
        return self._refined(marked)

    def _refined(self, colours: Colours) -> Colours:
        count = len(np.unique(colours))
        while True:
            around = _mixed(colours[self._sources] ^ self._labels)
            sums = np.zeros(len(around) + 1, dtype=np.uint64)
            np.cumsum(around, out=sums[1:])
            finer = _mixed(colours * _OTHER + (sums[self._ends[1:]] - sums[self._ends[:-1]]))
            now = len(np.unique(finer))
            if now == count:
                return finer
            colours, count = finer, now


def _arrays(graph: ClaimGraph) -> tuple[npt.NDArray[np.int64], Colours, npt.NDArray[np.int64]]:
    """For each vertex, one after another, its neighbours and what they are to it."""
    both = [(target, source, (label, 0)) for source, target, label in graph.edges]
    both += [(source, target, (label, 1)) for source, target, label in graph.edges]
    labels = _numbered([label for _, _, label in both])
    heads = np.array([head for head, _, _ in both], dtype=np.int64)
    sources = np.array([source for _, source, _ in both], dtype=np.int64)
    order = np.argsort(heads, kind="stable")
    ends = np.searchsorted(heads[order], np.arange(len(graph.colours) + 1))
    return sources[order], labels[order], ends.astype(np.int64)


def _numbered(labels: list[Hashable]) -> Colours:
    """A number for each label, the same for the same."""
    known: dict[Hashable, int] = {}
    numbers = [known.setdefault(label, len(known)) for label in labels]
    return _mixed(np.array(numbers, dtype=np.uint64) * _ODD + _OTHER)


def _mixed(numbers: Colours) -> Colours:
    mixed: Colours = numbers ^ (numbers >> np.uint64(31))
    mixed *= _ODD
    mixed ^= mixed >> np.uint64(29)
    mixed *= _OTHER
    mixed ^= mixed >> np.uint64(32)
    return mixed


def _guess(
    here: Mapping[int, tuple[int, ...]], there: Mapping[int, tuple[int, ...]]
) -> Permutation | None:
    """Claims to claims of the same colour; where several share one, each stays if it can."""
    moved: dict[int, int] = {}
    for colour, cell in here.items():
        other = there.get(colour, ())
        if len(other) != len(cell):
            return None
        stay = set(cell) & set(other)
        leaving = [claim for claim in cell if claim not in stay]
        moved.update(zip(leaving, [a for a in other if a not in stay], strict=True))
    return {claim: image for claim, image in moved.items() if claim != image}


def _orbit(claim: int, generators: list[Permutation]) -> set[int]:
    orbit, waiting = {claim}, [claim]
    while waiting:
        at = waiting.pop()
        for generator in generators:
            image = generator.get(at, at)
            if image not in orbit:
                orbit.add(image)
                waiting.append(image)
    return orbit
