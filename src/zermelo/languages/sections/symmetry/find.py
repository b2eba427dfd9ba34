"""The symmetries of a system: found on its grounded turn, proved on it, tried on samples, in words.

The proof does not need the samples; they would show an error in what the proof stands on:
what follows the image of a state is the image of what follows it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import factorial
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
    """The symmetries of *machine*."""
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
    if not _are_proved(used, live, prover) or not agrees_on_samples(machine, places, bits, used):
        return no_symmetries("what was found was not borne out")
    return Symmetries(
        bits=bits,
        generators=used,
        structure=structure,
        order=found.order,
        words=in_words(bits, used, structure, order(structure)),
    )


def _are_proved(used: Iterable[Mapping[int, int]], live: tuple[int, ...], prover: Prover) -> bool:
    """Whether everything that is used is proved, each permutation by itself."""
    return all(prover.holds({live[a]: live[b] for a, b in each.items()}) for each in used)


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
    if found is not None:
        return tuple(found)
    return tuple(_of_structure(bits, structure))


# A board


def _of_board(
    bits: Sequence[Bit], generators: Sequence[Mapping[int, int]], order: int
) -> list[str] | None:
    """The symmetries as those of a board, if that is all there is."""
    board = _board(bits)
    if board is None:
        return None
    moved = [_on_cells(bits, generator, board) for generator in generators]
    if any(each is None for each in moved):
        return None
    group = PermutationGroup(len(board.cells), (each for each in moved if each is not None))
    if group.order != order:
        return None
    found = _permuted(board, group)
    if found is None:
        found = _mirrored(board, group)
    return found


def _board(bits: Sequence[Bit]) -> CellGrid | None:
    values = [bit.value for bit in bits if isinstance(bit.value, tuple)]
    return cell_grid(list(dict.fromkeys(values))) if values else None


def _on_cells(bits: Sequence[Bit], generator: Mapping[int, int], board: CellGrid) -> Images | None:
    """What a permutation of claims does to the cells; ``None`` when it treats them unevenly."""
    at: dict[Value, int] = {cell: number for number, cell in enumerate(board.cells)}
    images: dict[int, int] = {}
    for place, bit in enumerate(bits):
        here = at.get(bit.value)
        there = bits[generator.get(place, place)].value
        if here is None:
            continue
        image = at.get(there)
        if image is None or images.setdefault(here, image) != image:
            return None
    if sorted(images) != sorted(images.values()) or len(images) != len(at):
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
    size = 1
    for each in (*rows, *columns):
        size *= factorial(len(each))
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
    said = {
        (8, True): "the board may be turned and mirrored",
        (4, has_quarter): "the board may be turned by quarters",
        (4, has_sides and has_ends): "the board may be mirrored left to right and top to bottom",
        (4, has_diagonal and has_other): "the board may be mirrored in both diagonals",
        (2, has_sides): "the board may be mirrored left to right",
        (2, has_ends): "the board may be mirrored top to bottom",
        (2, has_half): "the board may be turned by a half",
        (2, has_diagonal): "rows and columns may be exchanged",
        (2, has_other): "the board may be mirrored in the rising diagonal",
    }
    has_eight = has_quarter and has_sides
    if group.order == 8 and not has_eight:
        return None
    return next(
        ([text] for (size, holds), text in said.items() if size == group.order and holds), None
    )


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
    text = f"{chosen[0]}–{chosen[-1]}" if is_run and len(chosen) > 2 else _listing(map(str, chosen))
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
            yield f"{_some(names)} may change places in {len(members):,} ways"
        case Copies(copies, inside, tops):
            yield from _of_copies(bits, copies, inside, tops)
        case Direct(parts):
            for part in parts:
                yield from _of_structure(bits, part)
        case _:
            assert_never(structure)


def _of_copies(
    bits: Sequence[Bit],
    copies: tuple[tuple[int, ...], ...],
    inside: Structure | None,
    tops: tuple[Images, ...] | None,
) -> Iterator[str]:
    groups = ["{" + _some(_names(bits, copy), joint=", ") + "}" for copy in copies]
    ways = "permuted as wholes" if tops is None else f"permuted as wholes in {len(tops):,} ways"
    yield f"{_listing(groups)} may be {ways}"
    if inside is not None:
        within = " and ".join(_of_structure([bits[claim] for claim in copies[0]], inside))
        yield f"in the first of them, and likewise in the others, {within}"


def _of_points(bits: Sequence[Bit], points: tuple[tuple[int, ...], ...]) -> str:
    names = [_name(bits, point) for point in points]
    how = "exchanged" if len(points) == 2 else "permuted"
    if len(set(names)) == len(names):
        return f"{_some(names)} may be {how}"
    # Each point is several values, which go together.
    firsts = [to_text(bits[point[0]].value) for point in points]
    return f"{_some(firsts)} may be {how}, and what belongs to them with them"


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


def _some(names: Sequence[str], *, joint: str = " and ") -> str:
    if len(names) <= _MOST_NAMED:
        return _listing(names, joint=joint)
    return f"{', '.join(names[:3])}{joint}{len(names) - 3} others"


def _listing(items: Iterable[str], *, joint: str = " and ") -> str:
    named = list(items)
    if len(named) < 2:
        return "".join(named)
    return f"{', '.join(named[:-1])}{joint}{named[-1]}"


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
            if {machine.after(image, move) for move in machine.legal(image)} != wanted:
                return False
            if machine.outcome(image) != machine.outcome(state):
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
    """The image of *state*."""
    values: dict[str, Value] = dict(state.items())
    sets: dict[str, set[Value]] = {}
    for bit in bits:
        field = layout.field(bit.variable)
        value = values[bit.variable]
        if isinstance(field.shape, Mask) and isinstance(value, frozenset):
            sets.setdefault(bit.variable, set(value))
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
