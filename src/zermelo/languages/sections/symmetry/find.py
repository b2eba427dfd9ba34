"""The symmetries of a system: found on its turn written out, proved on it, tried on samples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from zermelo.core.layout import Layout, Unpackable, layout
from zermelo.engines.space.orbits.structure import Structure, generators, order, recognised
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry.automorphisms import automorphisms
from zermelo.languages.sections.symmetry.beyond import BeyondError
from zermelo.languages.sections.symmetry.graph import graph
from zermelo.languages.sections.symmetry.ground import Bit, Ground
from zermelo.languages.sections.symmetry.grounding import ground
from zermelo.languages.sections.symmetry.prove import Prover
from zermelo.languages.sections.symmetry.samples import agrees
from zermelo.languages.sections.symmetry.text import with_text
from zermelo.languages.sections.symmetry.words import words
from zermelo.packing.groups import Group


class Of(Enum):
    """What a symmetry leaves as it is."""

    TURN = "turn"
    """What a whole turn does."""
    TEXT = "text"
    """The rules as they are written, too."""


@dataclass(frozen=True, slots=True)
class Symmetries:
    """The symmetries of a system, proved."""

    bits: tuple[Bit, ...]
    """What the claims say that they permute."""
    generators: tuple[Mapping[int, int], ...]
    """Permutations of claims, by their places in *bits*, from which all are made."""
    structure: Structure | None
    """How the group is built up, as far as it can be used."""
    order: int
    """How many were found and proved."""
    words: tuple[str, ...]
    """What they do."""
    why_not: str | None = None
    """Why nothing could be found out, if so."""

    @property
    def used(self) -> int:
        """How many of them can be used."""
        return order(self.structure)

    @property
    def sentence(self) -> str:
        """What they do and how many they are."""
        if self.why_not is not None:
            return f"no symmetry could be looked for: {self.why_not}"
        if self.used == 1:
            return "there is no symmetry"
        said = f"{', '.join(self.words)}: {self.used:,}"
        return said if self.used == self.order else f"{said} of {self.order:,} are used"


def symmetries(machine: Interpreter, of: Of = Of.TURN) -> Symmetries:
    """The symmetries of *machine*."""
    places = layout(machine)
    if isinstance(places, Unpackable):
        return _none(places.reason)
    try:
        return _found(machine, ground(machine, places), places, of)
    except BeyondError as beyond:
        return _none(beyond.reason)


def _none(reason: str) -> Symmetries:
    return Symmetries((), (), None, 1, (), reason)


def _found(machine: Interpreter, system: Ground, places: Layout, of: Of) -> Symmetries:
    prover = Prover(system)
    drawn = graph(system)
    if of is Of.TEXT:
        drawn = with_text(drawn, machine, system)
    found = automorphisms(drawn, prover.holds, is_whole=of is Of.TEXT)
    live = system.live
    at = {claim: place for place, claim in enumerate(live)}
    bits = tuple(system.bits[claim] for claim in live)
    moved = [tuple(at[g.get(claim, claim)] for claim in live) for g in found.generators]
    structure = recognised(Group(len(live), moved))
    used = tuple(generators(structure))
    if not _are_proved(used, live, prover) or not agrees(machine, places, bits, used):
        return _none("what was found was not borne out")
    return Symmetries(
        bits=bits,
        generators=used,
        structure=structure,
        order=found.order,
        words=words(bits, used, structure, order(structure)),
    )


def _are_proved(used: Iterable[Mapping[int, int]], live: tuple[int, ...], prover: Prover) -> bool:
    """Whether everything that is used is proved, each permutation by itself."""
    return all(prover.holds({live[a]: live[b] for a, b in each.items()}) for each in used)
