"""The state that stands for its class: the same for all of the class, and the sizes are exact."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.core.layout import Place
from zermelo.core.symmetry import Copies, Direct, ListedMembers, Structure, Symmetric, order
from zermelo.engines.space.orbits.emit import emit
from zermelo.engines.space.orbits.sorting import Bits, Coded, Columns, Single, Spot, sort
from zermelo.fast import jit
from zermelo.fast.jit import Unit
from zermelo.packing.permutation_groups import PermutationGroup, generators_of

SQUARE = tuple(PermutationGroup(4, [(1, 2, 3, 0), (2, 1, 0, 3)]).members(8) or ())
TURNS = tuple(tuple((at + by) % 3 for at in range(3)) for by in range(3))

STRUCTURES: dict[str, tuple[Structure, int]] = {
    "points": (Symmetric(((0,), (1,), (2,), (3,))), 4),
    "points with two slots": (Symmetric(((0, 4), (1, 5), (2, 6), (3, 7))), 8),
    "points with five slots": (
        Symmetric(tuple(tuple(range(at, 15, 3)) for at in range(3))),
        15,
    ),
    "a list": (ListedMembers((0, 1, 2, 3), SQUARE), 4),
    "a list beside others": (ListedMembers((1, 2, 4, 5), SQUARE), 6),
    "copies": (Copies(((0, 1), (2, 3), (4, 5)), Symmetric(((0,), (1,))), None), 6),
    "copies of lists": (
        Copies(((0, 1, 2, 3), (4, 5, 6, 7)), ListedMembers((0, 1, 2, 3), SQUARE), None),
        8,
    ),
    "copies with a list above": (
        Copies(((0, 1), (2, 3), (4, 5)), Symmetric(((0,), (1,))), TURNS),
        6,
    ),
    "copies of copies": (
        Copies(
            ((0, 1, 2, 3), (4, 5, 6, 7)),
            Copies(((0, 1), (2, 3)), Symmetric(((0,), (1,))), None),
            None,
        ),
        8,
    ),
    "a product": (
        Direct((Symmetric(((0,), (1,), (2,))), ListedMembers((3, 4, 5, 6), SQUARE))),
        7,
    ),
}


def every_row(count: int) -> Bits:
    codes = np.arange(1 << count)
    return (codes[:, None] >> np.arange(count) & 1).astype(np.uint8)


def classes(structure: Structure, count: int) -> dict[tuple[int, ...], int]:
    """For each row the number of its class, found by following the generators."""
    moves = [[g.get(at, at) for at in range(count)] for g in generators_of(structure)]
    found: dict[tuple[int, ...], int] = {}
    for row in map(tuple, every_row(count).tolist()):
        waiting = [] if row in found else [row]
        number = len(set(found.values()))
        while waiting:
            at = waiting.pop()
            if at not in found:
                found[at] = number
                for move in moves:
                    image = [0] * count
                    for here, there in enumerate(move):
                        image[there] = at[here]
                    waiting.append(tuple(image))
    return found


@pytest.mark.parametrize("name", [name for name, (_, count) in STRUCTURES.items() if count <= 8])
def test_two_rows_have_the_same_form_when_they_are_in_one_class_and_only_then(name: str) -> None:
    structure, count = STRUCTURES[name]
    rows = every_row(count)
    before = [tuple(row) for row in rows.tolist()]
    class_of = classes(structure, count)

    sizes = sort(structure, rows)

    forms = [tuple(row) for row in rows.tolist()]
    pairs = {(form, class_of[row]) for form, row in zip(forms, before, strict=True)}
    assert len(pairs) == len(set(forms)) == len(set(class_of.values()))
    assert all(class_of[form] == class_of[row] for form, row in zip(forms, before, strict=True))
    counted = Counter(class_of.values())
    assert [counted[class_of[row]] for row in before] == sizes.tolist()


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.data(), st.sampled_from(sorted(STRUCTURES)))
def test_the_form_is_constant_on_classes(data: st.DataObject, name: str) -> None:
    structure, count = STRUCTURES[name]
    row = data.draw(st.lists(st.integers(0, 1), min_size=count, max_size=count))
    chosen = data.draw(st.lists(st.sampled_from(list(generators_of(structure))), max_size=6))
    image = list(row)
    for generator in chosen:
        moved = list(image)
        for here, there in generator.items():
            moved[there] = image[here]
        image = moved
    rows = np.array([row, image], dtype=np.uint8)

    sizes = sort(structure, rows)

    assert rows[0].tolist() == rows[1].tolist()
    assert sizes[0] == sizes[1]


def test_sizes_beyond_a_machine_word_are_exact() -> None:
    structure = Symmetric(tuple((at,) for at in range(80)))
    rows = np.zeros((1, 80), dtype=np.uint8)
    rows[0, :40] = 1

    assert order(structure) > 1 << 64
    assert sort(structure, rows).tolist() == [107_507_208_733_336_176_461_620]


# Compiled code


def spots(count: int, shuffle: int) -> list[Spot]:
    """Bits scattered over two words."""
    places = np.random.default_rng(shuffle).permutation(120)[:count]
    return [Single(int(place) // 60, int(place) % 60) for place in places]


def written(columns: Columns, bits: Bits) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    rows = np.full((len(bits), 2), -(1 << 63), dtype=np.int64)
    columns.write(rows, bits)
    return rows


@pytest.mark.parametrize("name", STRUCTURES)
def test_code_does_what_arrays_do(name: str) -> None:
    structure, count = STRUCTURES[name]
    columns = Columns(spots(count, len(name)))
    bits = every_row(count) if count <= 8 else every_row(count)[::97]
    rows = written(columns, bits)
    wanted_sizes = sort(structure, bits)

    emitted = emit(structure, columns.spots, 2)

    assert emitted is not None
    unit = Unit(name="test", source=emitted.source, exports=("canonical", "sizes"))
    code = jit.plain(unit)
    tables = np.array(emitted.tables, dtype=np.int64)
    sizes = np.empty(len(rows), dtype=np.int64)
    few = np.ascontiguousarray(rows[:64])
    code["sizes"](few.ctypes.data, sizes.ctypes.data, len(few), tables.ctypes.data)
    code["canonical"](few.ctypes.data, len(few), tables.ctypes.data)
    assert few.tolist() == written(columns, bits)[:64].tolist()
    assert sizes[:64].tolist() == wanted_sizes[:64].tolist()


@pytest.mark.parametrize(
    "structure",
    [
        Symmetric(tuple((at, 40 + at) for at in range(40))),
        ListedMembers(tuple(range(80)), (tuple(range(80)), tuple(reversed(range(80))))),
        Copies((tuple(range(40)), tuple(range(40, 80))), None, None),
    ],
    ids=["points", "list", "copies"],
)
def test_code_does_the_same_when_the_atoms_need_several_words(structure: Structure) -> None:
    columns = Columns(spots(80, 3))
    bits = np.random.default_rng(5).integers(0, 2, size=(20, 80)).astype(np.uint8)
    rows = written(columns, bits)
    emitted = emit(structure, columns.spots, 2)
    if order(structure) >= 1 << 62:
        assert emitted is None
        return
    sort(structure, bits)

    assert emitted is not None
    code = jit.plain(Unit(name="test", source=emitted.source, exports=("canonical",)))
    tables = np.array(emitted.tables or (0,), dtype=np.int64)
    code["canonical"](rows.ctypes.data, len(rows), tables.ctypes.data)

    assert rows.tolist() == written(columns, bits).tolist()


def test_a_variable_that_names_a_cell_moves_with_the_cell() -> None:
    """Three cells in a mask, and a variable whose value is one of them or none."""
    place = Place(0, 10, 2)
    columns = Columns(
        [Single(0, 0), Single(0, 1), Single(0, 2), *(Coded(place, c) for c in range(3))]
    )
    structure = Symmetric(((0, 3), (1, 4), (2, 5)))
    rows = np.array([[mask | code << 10] for mask in range(8) for code in range(4)], dtype=np.int64)
    bits = columns.read(rows)
    sort(structure, bits)
    emitted = emit(structure, columns.spots, 1)
    assert emitted is not None
    code = jit.plain(Unit(name="test", source=emitted.source, exports=("canonical",)))
    tables = np.array(emitted.tables, dtype=np.int64)
    sorted_rows = rows.copy()
    columns.write(sorted_rows, bits)

    code["canonical"](rows.ctypes.data, len(rows), tables.ctypes.data)

    assert rows.tolist() == sorted_rows.tolist()
    # One cell or none is in the mask in 2 ways, two or three in 2; named: in it, not in it, none.
    assert len({row[0] for row in rows.tolist()}) == 4 + 2 + 2 + 2
