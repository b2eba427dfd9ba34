"""Units: compiled once, kept, and the same with and without a compiler."""

import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from tests.support.project import SOURCE
from zermelo.fast import bits, jit
from zermelo.fast.bits import load, store
from zermelo.fast.cache import Cache
from zermelo.fast.translate import NotAUnit
from zermelo.text import budget
from zermelo.text.budget import LimitReached

SUM = jit.Unit(
    name="sum",
    source=(
        "def total(p, n):\n    s = 0\n    for i in range(n):\n        s += term(load(p, i))\n"
        "    return s\ndef term(x):\n    return x * K"
    ),
    exports=("total",),
    constants=(("K", 3),),
    inline=("term",),
)


def doubled(p: int, n: int) -> int:
    """Twice each of *n* words."""
    for i in range(n):
        store(p, i, load(p, i) * 2)
    return n


@pytest.mark.parametrize("is_native", [False, True])
def test_a_unit_runs_with_and_without_a_compiler(is_native: bool) -> None:  # noqa: FBT001
    words = np.arange(10, dtype=np.int64)

    functions = jit.load(SUM, native=is_native)

    assert functions["total"](words.ctypes.data, 10) == 135
    assert functions["total"].is_native == is_native


def test_functions_of_a_module_become_a_unit() -> None:
    unit = jit.unit_of("doubled", [doubled], exports=["doubled"])
    words = np.array([1, -2, 3], dtype=np.int64)

    for functions in (jit.plain(unit), jit.compile_unit(unit, Cache(None))):
        assert functions["doubled"](words.ctypes.data, 3) == 3

    assert words.tolist() == [4, -8, 12]


def test_what_was_compiled_is_not_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path)
    assert not jit.is_ready(SUM, cache)
    jit.compile_unit(SUM, cache)
    assert jit.is_ready(SUM, cache)

    def no_compiler(unit: jit.Unit) -> bytes:
        raise AssertionError(unit.name)

    monkeypatch.setattr(jit, "object_code", no_compiler)
    words = np.arange(4, dtype=np.int64)

    assert jit.compile_unit(SUM, cache)["total"](words.ctypes.data, 4) == 18


def test_damaged_code_is_made_again(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    jit.compile_unit(SUM, cache)
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    good = file.read_bytes()
    file.write_bytes(good[:-40] + b"damaged code, which must not run in any way"[:40])
    words = np.arange(4, dtype=np.int64)

    assert jit.compile_unit(SUM, cache)["total"](words.ctypes.data, 4) == 18
    assert file.read_bytes() == good


def test_code_of_a_compiler_that_was_replaced_meanwhile_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path)
    monkeypatch.setattr(jit, "_compiler", lambda: None)
    words = np.arange(4, dtype=np.int64)

    assert jit.compile_unit(SUM, cache)["total"](words.ctypes.data, 4) == 18
    assert not list(tmp_path.iterdir())
    assert not jit.is_ready(SUM, cache)


def test_code_of_another_unit_is_made_again(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    other = jit.Unit(name="other", source="def f(x):\n    return x", exports=("f",))
    jit.compile_unit(other, cache)
    (of_other,) = (path for path in tmp_path.rglob("*") if path.is_file())
    jit.compile_unit(SUM, cache)
    (of_sum,) = (path for path in tmp_path.rglob("*") if path.is_file() and path != of_other)
    good = of_sum.read_bytes()
    words = np.arange(4, dtype=np.int64)

    of_sum.write_bytes(of_other.read_bytes())
    assert jit.kept_unit(SUM, cache) is None
    assert jit.compile_unit(SUM, cache)["total"](words.ctypes.data, 4) == 18
    assert of_sum.read_bytes() == good


def test_what_is_no_code_is_made_again_though_its_digest_is_right(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    other = jit.Unit(name="other", source="def f(x):\n    return x", exports=("f",))
    jit.compile_unit(SUM, cache)
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    good = file.read_bytes()
    words = np.arange(4, dtype=np.int64)

    for crafted in (b"", b"no code", jit.object_code(SUM)[:-1], jit.object_code(other)):
        cache.put(file.name, crafted)
        assert jit.kept_unit(SUM, cache) is None
        assert jit.compile_unit(SUM, cache)["total"](words.ctypes.data, 4) == 18
        assert file.read_bytes() == good


def test_parameters_are_counted_without_a_parser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (
        "def none() -> int:\n    return 7\n\n\n"
        "def many(\n    a: int,\n    b: int,\n    c: int,\n) -> int:\n    return a * b + c\n"
    )
    unit = jit.Unit(name="heads", source=source, exports=("none", "many"))
    jit.compile_unit(unit, Cache(tmp_path))

    monkeypatch.setattr(jit, "signatures", None)
    functions = jit.kept_unit(unit, Cache(tmp_path))

    assert functions is not None
    assert functions["none"]() == 7
    assert functions["many"](2, 3, 4) == 10
    with pytest.raises(TypeError):
        functions["many"](2, 3)


def test_parameters_that_only_a_parser_could_count_are_refused() -> None:
    for head in ("def f(x: dict[int, int]):", "def f(x: (1)):"):
        unit = jit.Unit(name="u", source=f"{head}\n    return x", exports=("f",))

        with pytest.raises(NotAUnit, match="u: a parameter is a name, with one word"):
            jit.check(unit)


def test_two_processes_share_one_cache(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path\n"
        "from zermelo.fast import jit\n"
        "from zermelo.fast.cache import Cache\n"
        "source = 'def f(x):\\n    return x * x'\n"
        "for n in range(8):\n"
        "    unit = jit.Unit(name=f'u{n}', source=source, exports=('f',))\n"
        f"    print(jit.compile_unit(unit, Cache(Path({str(tmp_path)!r})))['f'](n + 1))\n"
    )

    runs = [
        subprocess.Popen(
            [sys.executable, "-c", code],
            stdout=subprocess.PIPE,
            text=True,
            env={"PYTHONPATH": str(SOURCE)},
        )
        for _ in range(2)
    ]

    squares = "1\n4\n9\n16\n25\n36\n49\n64\n"
    assert [run.communicate(timeout=60)[0] for run in runs] == [squares, squares]
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 8


def test_units_that_differ_have_different_fingerprints() -> None:
    def unit(**changes: object) -> jit.Unit:
        parts = {"name": "u", "source": "def f(x):\n    return x", "exports": ("f",)}
        return jit.Unit(**{**parts, **changes})  # type: ignore[arg-type] # the fields by name

    units = [
        unit(),
        unit(name="v"),
        unit(source="def f(x):\n    return 1"),
        unit(constants=(("K", 1),)),
        unit(constants=(("K", 2),)),
        unit(inline=("f",)),
        unit(version="2"),
        unit(level=3),
    ]

    assert len({each.fingerprint for each in units}) == len(units)
    assert unit().fingerprint == unit().fingerprint


def test_an_export_that_is_not_there_is_named() -> None:
    unit = jit.Unit(name="u", source="def f(x):\n    return x", exports=("g",))

    with pytest.raises(NotAUnit, match="u: no function is called g"):
        jit.compile_unit(unit, Cache(None))
    with pytest.raises(NotAUnit, match="u: no function is called g"):
        jit.plain(unit)


def test_without_a_compiler_python_runs_the_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "available", lambda: "there is none")
    unit = jit.Unit(name="alone", source="def f(x):\n    return x + 1", exports=("f",))

    assert not jit.load(unit)["f"].is_native
    assert jit.load(unit)["f"](41) == 42
    with pytest.raises(jit.NotCompiled, match="there is none"):
        jit.compile_unit(unit)


def test_code_that_is_too_long_is_not_compiled() -> None:
    """Python reads it in one go, and nobody could look at the clock meanwhile."""
    rows = "".join(f"    x = x + {n}\n" for n in range(40_000))
    unit = jit.Unit(name="long", source=f"def f(x):\n{rows}    return x\n", exports=("f",))

    with pytest.raises(jit.NotCompiled, match=r"and at most 500,000 are compiled"):
        jit.compile_unit(unit)


def test_native_code_runs_in_threads_at_the_same_time() -> None:
    # Each waits for the other: with Python's lock held, neither would ever end.
    source = (
        "def meet(p, mine, other):\n"
        "    fetch_or(p, mine, 1)\n"
        "    while fetch_or(p, other, 0) == 0:\n"
        "        pass\n"
    )
    unit = jit.Unit(name="meeting", source=source, exports=("meet",))
    meet = jit.compile_unit(unit, Cache(None))["meet"]
    words = np.zeros(2, dtype=np.int64)

    threads = [
        threading.Thread(target=meet, args=(words.ctypes.data, i, 1 - i), daemon=True)
        for i in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)

    assert not any(thread.is_alive() for thread in threads)


def test_loops_that_become_calls_of_the_c_library_are_loaded() -> None:
    source = "def clear(p, n):\n    for i in range(n):\n        store(p, i, 0)\n    return n"
    unit = jit.Unit(name="clear", source=source, exports=("clear",), level=3)
    words = np.ones(1000, dtype=np.int64)

    jit.compile_unit(unit, Cache(None))["clear"](words.ctypes.data, 999)

    assert words.tolist() == [0] * 999 + [1]


def test_a_python_function_lives_as_long_as_its_unit() -> None:
    functions = jit.plain(SUM)
    address = functions["total"].address
    assert bits.call(address, 0, 0) == 0

    del functions

    with pytest.raises(KeyError):
        bits.call(address, 0, 0)


@pytest.mark.parametrize("word", [0, 1, -1, 5, -(2**63), 2**63 - 1, 0x0123456789ABCDEF])
@pytest.mark.parametrize("by", [0, 1, 7, 31, 62, 63])
def test_shifts_written_out_in_python_give_what_the_primitives_give(word: int, by: int) -> None:
    source = f"def up(x):\n    return shl(x + 0, {by})\ndef down(x):\n    return shr(x + 0, {by})"
    made = jit.plain(jit.Unit(name="shifts", source=source, exports=("up", "down")))

    assert made["up"](word) == bits.shl(word, by)
    assert made["down"](word) == bits.shr(word, by)


def test_loops_that_are_metered_end_with_the_budget() -> None:
    source = "def go(n):\n    i = 0\n    while i < n:\n        i = i + 1\n    return i"
    unit = jit.Unit(name="rounds", source=source, exports=("go",))
    metered, free = jit.plain(unit, is_metered=True)["go"], jit.plain(unit)["go"]

    with budget.budget(steps=100_000) as spent:
        assert metered(1_000) == 1_000
        assert spent.spent > 5_000
        with pytest.raises(LimitReached):
            metered(1_000_000)
        assert free(1_000_000) == 1_000_000
