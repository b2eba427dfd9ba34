"""Code with checks stops where it would touch what is not its own, and says where."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.support.expanders import compiled, heap
from tests.support.project import SOURCE
from zermelo.fast import bits, checked, jit
from zermelo.fast.cache import Cache
from zermelo.fast.translate import to_llvm
from zermelo.packing.runner import Runner, functions_of

UNIT = jit.Unit(
    name="demo",
    source="""\
def fill(p, n):
    for i in range(n + 1):
        put(p, i)
    return n

def put(p, i):
    store(p, i, i)

def ask(code):
    return call2(code, 1, 2)

def seek(p):
    while load(p, 0) == 0:
        p = p + 8
    return 1

def shifted(x, k):
    return x << k

def half(x, k):
    return x // k

def total(x, y):
    return x + y

def last_byte(p, n):
    return load_any(p, n - 8) + load8(p, n)
""",
    exports=("fill", "ask", "seek", "shifted", "half", "total", "last_byte"),
)
"""`fill` writes one word too many."""

pytestmark = pytest.mark.skipif(jit.available() is not None, reason="there is no compiler here")


@pytest.fixture
def native() -> Iterator[dict[str, jit.Compiled]]:
    with checked.checks():
        yield jit.compile_unit(UNIT, Cache(None))


@pytest.fixture(params=["native", "plain"])
def either(request: pytest.FixtureRequest) -> Iterator[dict[str, jit.Compiled]]:
    with checked.checks():
        is_native = request.param == "native"
        yield jit.compile_unit(UNIT, Cache(None)) if is_native else jit.plain(UNIT)


def stopped(call: Callable[[], int]) -> str:
    """What is said when *call* does what it must not; addresses are masked."""
    with pytest.raises(checked.NotAllowed) as told:
        call()
    return re.sub(r"0x[0-9a-f]+", "0x…", str(told.value))


def test_a_store_one_word_too_far_is_caught_with_its_function_and_line(
    either: dict[str, jit.Compiled],
) -> None:
    words = np.zeros(10, dtype=np.int64)

    assert either["fill"].on(words, 9) == 9
    told = stopped(lambda: either["fill"].on(words, 10))

    assert told.startswith("demo: put, line 7: ")
    assert told.endswith(
        "8 bytes at 0x… are in no array that is alive; 0 bytes from the end of one of 80 bytes"
    )
    assert words.tolist() == list(range(10))


def test_the_line_is_shown(native: dict[str, jit.Compiled]) -> None:
    told = stopped(lambda: native["fill"].on(np.zeros(2, dtype=np.int64), 2))

    assert "`store(p, i, i)`" in told


def test_what_goes_on_until_it_finds_something_stops_where_the_array_ends(
    either: dict[str, jit.Compiled],
) -> None:
    told = stopped(lambda: either["seek"].on(np.zeros(5, dtype=np.int64)))

    assert told.startswith("demo: seek, line 13: ")


def test_all_bytes_of_a_word_must_belong_to_an_array(either: dict[str, jit.Compiled]) -> None:
    some = np.zeros(11, dtype=np.uint8)

    assert either["last_byte"].on(some, 10) == 0
    assert "line 27" in stopped(lambda: either["last_byte"].on(some, 11))
    assert "line 27" in stopped(lambda: either["last_byte"].on(some, 7))


def test_an_address_without_code_is_not_called(either: dict[str, jit.Compiled]) -> None:
    assert stopped(lambda: either["ask"](4096)).endswith("there is no code at 0x…")


def test_code_that_is_alive_is_called(native: dict[str, jit.Compiled]) -> None:
    callback = bits.Callback(lambda a, b: 10 * a + b, 2)

    assert native["ask"](callback.address) == 12
    assert native["ask"](native["total"].address) == 3
    place = callback.address
    del callback
    assert stopped(lambda: native["ask"](place)).endswith("there is no code at 0x…")


def test_memory_of_an_array_that_has_died_is_not_touched(either: dict[str, jit.Compiled]) -> None:
    words = np.zeros(10, dtype=np.int64)
    place = bits.address(words)
    assert either["fill"](place, 9) == 9
    del words

    assert "are in no array that is alive" in stopped(lambda: either["fill"](place, 9))


def test_a_view_is_as_good_as_its_array(either: dict[str, jit.Compiled]) -> None:
    words = np.zeros((4, 5), dtype=np.int64)

    assert either["fill"].on(words[2], 4) == 4
    assert words[2].tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("shifted", (1, 64), "line 18: `return x << k`: 1 is shifted by 64"),
        ("shifted", (1, 63), "line 18: `return x << k`: with 1 and 63 the result leaves 64 bits"),
        ("half", (7, 0), "line 21: `return x // k`: 7 is divided by 0"),
        (
            "total",
            (2**62, 2**62),
            f"line 24: `return x + y`: with {2**62} and {2**62} the result leaves 64 bits",
        ),
    ],
)
def test_what_python_would_do_otherwise_is_said(
    native: dict[str, jit.Compiled], name: str, given: tuple[int, int], said: str
) -> None:
    assert stopped(lambda: native[name](*given)) == f"demo: {name}, {said}"
    assert native[name](12, 3) == {"shifted": 96, "half": 4, "total": 15}[name]


def test_after_a_fault_code_runs_again(native: dict[str, jit.Compiled]) -> None:
    words = np.zeros(3, dtype=np.int64)
    for _ in range(2):
        stopped(lambda: native["fill"].on(words, 3))
        assert native["fill"].on(words, 2) == 2


def test_threads_come_and_go_with_arrays_of_their_own(native: dict[str, jit.Compiled]) -> None:
    wrong: list[object] = []

    def work(size: int) -> None:
        for _ in range(200):
            words = np.zeros(size, dtype=np.int64)
            if native["fill"].on(words, size - 1) != size - 1 or words[-1] != size - 1:
                wrong.append(size)

    threads = [threading.Thread(target=work, args=(size,)) for size in (3, 50, 700)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert wrong == []


def test_a_kernel_without_room_for_its_moves_is_caught() -> None:
    game = heap(5)
    with checked.checks():
        made = compiled(game)
        code = functions_of("kernel", made.source, "1", is_compiled=True)
        start = made.pack(game.machine.initial).reshape(1, -1)
        # It says that no state has a move, and two of them are legal.
        runner = Runner(code, (), source=made.source, words=made.words, most_moves=0, capacity=1)

        told = stopped(
            lambda: len(runner.expand(start, lambda _: pytest.fail("nothing is open")).states)
        )

    assert told.startswith("kernel: turn_0, line ")
    assert "`store(out, 0, " in told
    assert told.endswith("0 bytes from the end of one of 8 bytes")


def test_without_checks_the_code_is_as_it_was() -> None:
    plain = to_llvm(UNIT.source, {})
    with checked.checks() as checker:
        assert to_llvm(UNIT.source, {}) == plain
        assert to_llvm(UNIT.source, {}, checks=checker.source) != plain


def test_code_with_checks_is_kept_under_a_key_of_its_own(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    jit.compile_unit(UNIT, cache)
    assert jit.is_ready(UNIT, cache)

    with checked.checks():
        assert not jit.is_ready(UNIT, cache)
        jit.compile_unit(UNIT, cache)
        functions = jit.compile_unit(UNIT, cache)
        stopped(lambda: functions["fill"].on(np.zeros(1, dtype=np.int64), 1))


def test_the_command_checks_where_the_environment_asks_for_it() -> None:
    code = (
        "import sys\nfrom zermelo.faces.cli import main\nfrom zermelo.fast import jit\n"
        "try:\n    main.main(['--version'])\nexcept SystemExit:\n    print(len(jit._CHECKERS))"
    )
    for value, said in (("", "0"), ("1", "1")):
        found = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONPATH": str(SOURCE), "ZERMELO_CHECKED": value},
            capture_output=True,
            text=True,
            check=True,
        )
        assert found.stdout.split()[-1] == said
