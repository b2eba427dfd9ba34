"""What a solution is pinned to: the meaning of a document, whatever else is in it."""

import numpy as np
import pytest

from tests.support.expanders import HEAP, heap, interpreter, listed
from zermelo.api import loading
from zermelo.core.adapter import MachineExpander
from zermelo.core.layout import layout_json
from zermelo.engines.solve.solution_file import file_rows, packing


def identity_of(text: str, **readings: str) -> str:
    game = loading.load_text(text, readings={n.replace("_", " "): c for n, c in readings.items()})
    return game.machine.signature.meaning()


FIVE = HEAP.replace("SIZE", "5")


def test_the_same_meaning_has_the_same_identity() -> None:
    assert identity_of(FIVE) == identity_of(f"Some words before it.\n{FIVE}")


@pytest.mark.parametrize(
    "other",
    [
        FIVE.replace("{1, 2}", "{1, 2, 3}"),
        FIVE.replace("n ≤ heap", "n < heap"),
        FIVE.replace("heap = 5", "heap = 4"),
        FIVE.replace("over ↔ (heap = 0)", "over ↔ (heap = 1)"),
        FIVE.replace("over ∧ first → result = Second wins", "over ∧ first → result = First wins"),
        FIVE.replace(
            "First when first, Second when ¬first", "First when ¬first, Second when first"
        ),
    ],
)
def test_another_meaning_has_another_identity(other: str) -> None:
    assert other != FIVE
    assert identity_of(other) != identity_of(FIVE)


def test_another_reading_has_another_identity() -> None:
    assert identity_of(FIVE, stuck_player="loses") != identity_of(FIVE, stuck_player="draws")


def test_rows_that_are_packed_are_those_of_the_file() -> None:
    expander = listed(heap(5))
    rows = expander.pack(interpreter(heap(5)).initial).reshape(1, -1)

    assert file_rows(expander).to_file(rows) is rows
    assert file_rows(expander).from_file(rows) is rows
    assert layout_json(packing(expander))[0] == {
        "variable": "heap",
        "values": {"from": 0, "to": 5},
        "place": [0, 0, 3],
        "presence": None,
    }


def test_rows_that_are_mere_numbers_are_packed_for_the_file() -> None:
    game = loading.load("tests/documents/naturals.md")
    machine = interpreter(game)
    expander = MachineExpander(machine)
    assert expander.layout is None
    states = [
        machine.initial,
        *(machine.after(machine.initial, m) for m in machine.legal(machine.initial)),
    ]
    rows = np.array([expander.pack(state) for state in states])

    packed = file_rows(expander).to_file(rows)

    assert packed.shape[1] == packing(expander).words
    assert (file_rows(expander).from_file(packed) == rows).all()
