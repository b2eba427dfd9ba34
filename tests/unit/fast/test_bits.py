"""Every primitive gives in native code what it gives in Python."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from zermelo.fast import bits, jit
from zermelo.fast.cache import Cache

LEAST, MOST = -(2**63), 2**63 - 1
EDGES = (0, 1, 2, 3, 63, 64, 255, 2**31, 2**32 - 1, 2**32, MOST, LEAST, -1, -2, -64, LEAST + 1)

ONE = ("popcount", "lowest", "highest", "rest", "bit")
TWO = ("shl", "shr", "mul", "add", "sub", "high", "below")
READS = ("load", "load_any", "load32", "load16", "load8", "peek32", "peek")
WRITES = ("store", "store_any", "store32", "store16", "store8", "publish")
CHANGES = ("fetch_add", "fetch_or")
SWAPS = ("cas32", "cas")


def wrapped(names: tuple[str, ...], parameters: str) -> str:
    """A unit's source with one function for each of these primitives, which calls it."""
    return "\n".join(
        f"def do_{name}({parameters}):\n    return {name}({parameters})" for name in names
    )


SOURCE = "\n".join(
    (
        wrapped(ONE, "a"),
        wrapped((*TWO, *READS), "a, b"),
        wrapped(CHANGES, "a, b, c"),
        wrapped(SWAPS, "a, b, c, d"),
        wrapped(("cas128",), "a, b, c, d, e, f"),
        "\n".join(f"def do_{name}(a, b, c):\n    {name}(a, b, c)" for name in WRITES),
        "def do_nothing(a):\n    prefetch(a, 0)",
    )
)
NAMES = (*ONE, *TWO, *READS, *CHANGES, *SWAPS, "cas128", *WRITES, "nothing")
UNIT = jit.Unit(name="primitives", source=SOURCE, exports=tuple(f"do_{name}" for name in NAMES))


@pytest.fixture(scope="module")
def both() -> Callable[[str], tuple[jit.Compiled, jit.Compiled]]:
    plain, native = jit.plain(UNIT), jit.compile_unit(UNIT, Cache(None))
    return lambda name: (plain[f"do_{name}"], native[f"do_{name}"])


Both = Callable[[str], tuple[jit.Compiled, jit.Compiled]]


@pytest.mark.parametrize("name", ONE)
def test_bits_of_one_number_agree(both: Both, name: str) -> None:
    plain, native = both(name)

    assert [native(x) for x in EDGES] == [plain(x) for x in EDGES]


@pytest.mark.parametrize("name", TWO)
def test_bits_of_two_numbers_agree(both: Both, name: str) -> None:
    plain, native = both(name)
    pairs = list(product(EDGES, EDGES))

    assert [native(x, y) for x, y in pairs] == [plain(x, y) for x, y in pairs]


@pytest.mark.parametrize("name", READS)
def test_reading_agrees(both: Both, name: str) -> None:
    plain, native = both(name)
    memory = np.array(EDGES, dtype=np.int64)
    places = range(len(EDGES))

    assert [native(memory.ctypes.data, i) for i in places] == [
        plain(memory.ctypes.data, i) for i in places
    ]


@pytest.mark.parametrize("name", WRITES)
def test_writing_agrees(both: Both, name: str) -> None:
    memories = []
    for function in both(name):
        memory = np.full(2 * len(EDGES), 0x0123456789ABCDEF, dtype=np.int64)
        for i, x in enumerate(EDGES):
            assert function(memory.ctypes.data + 8, i, x) == 0
        memories.append(memory.tolist())

    assert memories[0] == memories[1]


@pytest.mark.parametrize("name", CHANGES)
def test_changes_in_one_step_agree(both: Both, name: str) -> None:
    results = []
    for function in both(name):
        memory = np.zeros(3, dtype=np.int64)
        befores = [function(memory.ctypes.data, 1, x) for x in EDGES]
        results.append((befores, memory.tolist()))

    assert results[0] == results[1]


@pytest.mark.parametrize("name", SWAPS)
def test_swaps_in_one_step_agree(both: Both, name: str) -> None:
    results = []
    for function in both(name):
        memory = np.array([7, -1, 9], dtype=np.int64)
        befores = [function(memory.ctypes.data, 2, *pair) for pair in product(EDGES, repeat=2)]
        results.append((befores, memory.tolist()))

    assert results[0] == results[1]


def test_pairs_are_swapped_as_a_whole(both: Both) -> None:
    for function in both("cas128"):
        room = np.zeros(8, dtype=np.int64)
        memory = room[room.ctypes.data // 8 % 2 :][:6]
        memory[:] = (1, 2, 3, 4, 5, 6)
        asked = [(3, 9, 7, 8), (9, 4, 7, 8), (3, 4, 7, -8), (3, 4, 0, 0), (7, -8, -1, 0)]

        assert [function(memory.ctypes.data, 1, *each) for each in asked] == [0, 0, 1, 0, 1]
        assert memory.tolist() == [1, 2, -1, 0, 5, 6]


def test_what_changes_nothing_changes_nothing(both: Both) -> None:
    memory = np.array([7], dtype=np.int64)

    assert [function(memory.ctypes.data) for function in both("nothing")] == [0, 0]
    assert memory.tolist() == [7]


def test_a_function_is_called_by_its_address_from_both_worlds() -> None:
    letters = "abcde"
    source = "\n".join(
        f"def sum{n}({', '.join(letters[:n])}):\n    return {' + '.join(('1', *letters[:n]))}\n"
        f"def use{n}({', '.join(('z', *letters[:n]))}):\n"
        f"    return call{n}({', '.join(('z', *letters[:n]))})"
        for n in (2, 5)
    )
    names = [f"{kind}{n}" for kind in ("sum", "use") for n in (2, 5)]
    unit = jit.Unit(name="calls", source=source, exports=tuple(names))
    plain, native = jit.plain(unit), jit.compile_unit(unit, Cache(None))

    for users, sums in ((native, native), (plain, plain), (plain, native)):
        answers = [users[f"use{n}"](sums[f"sum{n}"].address, *range(1, n + 1)) for n in (2, 5)]
        assert answers == [4, 16]


def test_every_primitive_is_tried_here() -> None:
    assert set(bits.PRIMITIVES) == (set(NAMES) - {"nothing"}) | {"call2", "call5", "prefetch"}


def test_the_address_of_a_python_function_is_not_a_native_one() -> None:
    function = bits.Registered(lambda x: x + 1)

    assert function.address < 0
    assert bits.call(function.address, 4) == 5
