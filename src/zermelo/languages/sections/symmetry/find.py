"""The symmetries of a system: found on its grounded turn, proved on it, tried on samples, in words.

The proof does not need the samples; they would show an error in what the proof stands on:
what follows the image of a state is the image of what follows it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import factorial, prod
from typing import Final, assert_never

from zermelo.core.layout import Layout, Mask, Unpackable
from zermelo.core.state import State
from zermelo.core.symmetry import (
    Bit,
    Copies,
    Direct,
    Images,
    ListedMembers,
    Preserved,
    Structure,
    Symmetric,
    Symmetries,
    no_symmetries,
    order,
)
from zermelo.core.values import UNSET, Value, in_order, to_text
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry.automorphisms import automorphisms
from zermelo.languages.sections.symmetry.board_symmetry import CellGrid, cell_grid
from zermelo.languages.sections.symmetry.claim_graph import claim_graph, with_text
from zermelo.languages.sections.symmetry.formulas import GroundingError
from zermelo.languages.sections.symmetry.grounding import GroundSystem, Prover, ground
from zermelo.packing.permutation_groups import PermutationGroup, generators_of, structure_of
from zermelo.text.prose import listing

_MOST_NAMED: Final = 9
"""Of more things than this only some are named."""
_PLAYS: Final = 3
_LENGTH: Final = 12
_TURNS: Final = 400
"""So many successors are compared at most."""
_TRIED: Final = 12
"""So many permutations are tried."""
_SEED: Final = 1908


def symmetries(machine: Interpreter, of: Preserved = Preserved.TURN) -> Symmetries:
    places = machine.layout
    if isinstance(places, Unpackable):
        return no_symmetries(places.reason)
    try:
        return _found(machine, ground(machine, places), places, of)
    except GroundingError as beyond:
        return no_symmetries(beyond.reason)


def _found(machine: Interpreter, system: GroundSystem, places: Layout, of: Preserved) -> Symmetries:
    prover = Prover(system)
    drawn = claim_graph(system)
    if of is Preserved.TEXT:
        drawn = with_text(drawn, machine, system)
    found = automorphisms(drawn, prover.holds, is_whole=of is Preserved.TEXT)
    live = system.live
    at = {claim: place for place, claim in enumerate(live)}
    bits = tuple(system.bits[claim] for claim in live)
    moved = [tuple(at[g.get(claim, claim)] for claim in live) for g in found.generators]
    structure = structure_of(PermutationGroup(len(live), moved))
    used = tuple(generators_of(structure))
    are_proved = all(prover.holds({live[a]: live[b] for a, b in each.items()}) for each in used)
    if not are_proved or not agrees_on_samples(machine, places, bits, used):
        return no_symmetries("what was found was not borne out")
    return Symmetries(
        bits=bits,
        generators=used,
        structure=structure,
        order=found.order,
        words=in_words(bits, used, structure, order(structure)),
    )


def in_words(
    bits: Sequence[Bit],
    generators: Sequence[Mapping[int, int]],
    structure: Structure | None,
    order: int,
) -> tuple[str, ...]:
    """What the symmetries with these *generators* do, in words; without their number."""
    if order == 1:
        return ("there is no symmetry",)
    found = _of_board(bits, generators, order)
    return tuple(_of_structure(bits, structure) if found is None else found)


# A board


def _of_board(
    bits: Sequence[Bit], generators: Sequence[Mapping[int, int]], order: int
) -> list[str] | None:
    """The symmetries as those of a board, if that is all there is."""
    values = [bit.value for bit in bits if isinstance(bit.value, tuple)]
    board = cell_grid(list(dict.fromkeys(values))) if values else None
    if board is None:
        return None
    moved = [_on_cells(bits, generator, board) for generator in generators]
    if any(each is None for each in moved):
        return None
    group = PermutationGroup(len(board.cells), (each for each in moved if each is not None))
    if group.order != order:
        return None
    words = _permuted(board, group)
    return _mirrored(board, group) if words is None else words


def _on_cells(bits: Sequence[Bit], generator: Mapping[int, int], board: CellGrid) -> Images | None:
    """What a permutation of claims does to the cells; ``None`` when it treats them unevenly."""
    at: dict[Value, int] = {cell: number for number, cell in enumerate(board.cells)}
    images: dict[int, int] = {}
    for place, bit in enumerate(bits):
        if bit.value in at:
            image = at.get(bits[generator.get(place, place)].value)
            if image is None or images.setdefault(at[bit.value], image) != image:
                return None
    if not len(images) == len(set(images.values())) == len(at):
        return None
    return tuple(images[number] for number in range(len(at)))


def _permuted(board: CellGrid, group: PermutationGroup) -> list[str] | None:
    """Rows and columns that may be permuted at will, if that is all there is."""
    rows = _classes(
        len(board.rows), lambda a, b: board.images(lambda r, c: (_swapped(r, a, b), c)) in group
    )
    columns = _classes(
        len(board.columns), lambda a, b: board.images(lambda r, c: (r, _swapped(c, a, b))) in group
    )
    found = [_class("rows", board.rows, each) for each in rows]
    found += [_class("columns", board.columns, each) for each in columns]
    size = prod(factorial(len(each)) for each in (*rows, *columns))
    if board.is_square and board.images(lambda r, c: (c, r)) in group:
        found.append("rows and columns may be exchanged")
        size *= 2
    has_more_than_pairs = any(len(each) > 2 for each in (*rows, *columns))
    return found if size == group.order and has_more_than_pairs else None


def _mirrored(board: CellGrid, group: PermutationGroup) -> list[str] | None:
    height, width = len(board.rows) - 1, len(board.columns) - 1
    has_sides = board.images(lambda r, c: (r, width - c)) in group
    has_ends = board.images(lambda r, c: (height - r, c)) in group
    has_half = board.images(lambda r, c: (height - r, width - c)) in group
    has_quarter = board.is_square and board.images(lambda r, c: (c, height - r)) in group
    has_diagonal = board.is_square and board.images(lambda r, c: (c, r)) in group
    has_other = board.is_square and board.images(lambda r, c: (width - c, height - r)) in group
    said = [
        (8, has_quarter and has_sides, "the board may be turned and mirrored"),
        (4, has_quarter, "the board may be turned by quarters"),
        (4, has_sides and has_ends, "the board may be mirrored left to right and top to bottom"),
        (4, has_diagonal and has_other, "the board may be mirrored in both diagonals"),
        (2, has_sides, "the board may be mirrored left to right"),
        (2, has_ends, "the board may be mirrored top to bottom"),
        (2, has_half, "the board may be turned by a half"),
        (2, has_diagonal, "rows and columns may be exchanged"),
        (2, has_other, "the board may be mirrored in the rising diagonal"),
    ]
    return next(([text] for size, holds, text in said if holds and size == group.order), None)


def _swapped(number: int, one: int, other: int) -> int:
    return {one: other, other: one}.get(number, number)


def _classes(count: int, is_swap: Callable[[int, int], bool]) -> list[tuple[int, ...]]:
    """Numbers that may be swapped with each other."""
    found: list[list[int]] = []
    for number in range(count):
        place = next((each for each in found if is_swap(each[0], number)), None)
        if place is None:
            found.append([number])
        else:
            place.append(number)
    return [tuple(each) for each in found if len(each) > 1]


def _class(noun: str, names: Sequence[int], numbers: tuple[int, ...]) -> str:
    chosen = [names[number] for number in numbers]
    is_run = chosen == list(range(chosen[0], chosen[-1] + 1))
    text = f"{chosen[0]}–{chosen[-1]}" if is_run and len(chosen) > 2 else listing(map(str, chosen))
    return f"{noun} {text} may be permuted"


# Anything else


def _of_structure(bits: Sequence[Bit], structure: Structure | None) -> Iterator[str]:
    match structure:
        case None:
            return
        case Symmetric(points):
            yield _of_points(bits, points)
        case ListedMembers(claims, members):
            names = _names(bits, claims)
            yield f"{listing(_some(names))} may change places in {len(members):,} ways"
        case Copies(copies, inside, tops):
            groups = ["{" + ", ".join(_some(_names(bits, copy))) + "}" for copy in copies]
            ways = "" if tops is None else f" in {len(tops):,} ways"
            yield f"{listing(groups)} may be permuted as wholes{ways}"
            if inside is not None:
                within = " and ".join(_of_structure([bits[claim] for claim in copies[0]], inside))
                yield f"in the first of them, and likewise in the others, {within}"
        case Direct(parts):
            for part in parts:
                yield from _of_structure(bits, part)
        case _:
            assert_never(structure)


def _of_points(bits: Sequence[Bit], points: tuple[tuple[int, ...], ...]) -> str:
    names = [_name(bits, point) for point in points]
    how = "exchanged" if len(points) == 2 else "permuted"
    if len(set(names)) == len(names):
        return f"{listing(_some(names))} may be {how}"
    # Each point is several values, which go together.
    firsts = [to_text(bits[point[0]].value) for point in points]
    return f"{listing(_some(firsts))} may be {how}, and what belongs to them with them"


def _name(bits: Sequence[Bit], point: tuple[int, ...]) -> str:
    """What a point is: a value if it has only one, else the variable it is in."""
    values = list(dict.fromkeys(bits[claim].value for claim in point))
    if len(values) == 1:
        return to_text(values[0])
    names = list(dict.fromkeys(bits[claim].variable for claim in point))
    return names[0] if len(names) == 1 else to_text(values[0])


def _names(bits: Sequence[Bit], claims: Sequence[int]) -> tuple[str, ...]:
    values = frozenset(bits[claim].value for claim in claims)
    return tuple(map(to_text, in_order(values)))


def _some(names: Sequence[str]) -> Sequence[str]:
    if len(names) <= _MOST_NAMED:
        return names
    return [*names[:3], f"{len(names) - 3} others"]


def agrees_on_samples(
    machine: Interpreter,
    layout: Layout,
    bits: Sequence[Bit],
    generators: Sequence[Mapping[int, int]],
) -> bool:
    """Whether *machine* shows the symmetries on states met in a few random plays."""
    tried = generators[:: max(1, len(generators) // _TRIED)]
    left = _TURNS
    for state in _states(machine):
        following = {machine.after(state, move) for move in machine.legal(state)}
        for generator in tried:
            image = image_of(state, layout, bits, generator)
            wanted = {image_of(each, layout, bits, generator) for each in following}
            if {machine.after(image, move) for move in machine.legal(image)} != wanted or (
                machine.outcome(image) != machine.outcome(state)
            ):
                return False
            left -= len(following)
        if left <= 0:
            break
    return all(
        image_of(machine.initial, layout, bits, each) == machine.initial for each in generators
    )


def _states(machine: Interpreter) -> list[State]:
    source = random.Random(_SEED)
    found = {machine.initial: None}
    for _ in range(_PLAYS):
        state = machine.initial
        for _ in range(_LENGTH):
            moves = machine.legal(state)
            if not moves:
                break
            state = machine.after(state, source.choice(moves))
            found[state] = None
    states = list(found)
    source.shuffle(states)
    return states


def image_of(
    state: State, layout: Layout, bits: Sequence[Bit], generator: Mapping[int, int]
) -> State:
    values: dict[str, Value] = dict(state.items())
    sets: dict[str, set[Value]] = {
        name: set(value)
        for name in {bit.variable for bit in bits}
        if isinstance(value := values[name], frozenset)
        and isinstance(layout.field(name).shape, Mask)
    }
    image = dict(values)
    held = [_holds(values, bit) for bit in bits]
    for place, target in generator.items():
        there = bits[target]
        if not there.is_member:
            if held[place]:
                image[there.variable] = there.value
        elif there.value is not UNSET:
            members = sets.setdefault(there.variable, set())
            (members.add if held[place] else members.discard)(there.value)
    for name, members in sets.items():
        if image[name] is not UNSET:
            image[name] = frozenset(members)
    return State(tuple(image[name] for name in state.names), state.names)


def _holds(values: Mapping[str, Value], bit: Bit) -> bool:
    value = values[bit.variable]
    if bit.is_member and bit.value is not UNSET:
        return isinstance(value, frozenset) and bit.value in value
    if bit.is_member:
        return value is not UNSET
    return value == bit.value and type(value) is type(bit.value)
