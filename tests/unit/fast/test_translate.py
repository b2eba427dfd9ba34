"""What Python's syntax means in native code: the same as in Python."""

import random
from itertools import product

import pytest

from zermelo.fast import jit
from zermelo.fast.cache import Cache
from zermelo.fast.translate import NotAUnit, signatures, to_llvm

NUMBERS = (0, 1, 2, 5, 7, -1, -3, -8, 100, 2**62, -(2**62))

# One function for each construct; every one is tried on all pairs of NUMBERS.
CONSTRUCTS = """
def comparisons(a, b):
    return (a == b) + 2 * (a != b) + 4 * (a < b) + 8 * (a <= b) + 16 * (a > b) + 32 * (a >= b)

def logic(a, b):
    return 100 * (a and b) + (b or a) if a < 100 and b < 100 else not a

def negations(a, b):
    return ~a ^ -(b >> 1)

def quotients(a, b):
    return a // b if b else 77

def remainders(a, b):
    return a % b if b else 77

def halves(a, b):
    return a // 8 + b % 16 - a // 7 + b % 5 + b // -3 + a % -4

def choice(a, b):
    if a < b:
        c = a
    elif a == b:
        return 17
    else:
        c = b
    return c & 0xFFFF

def extremes(a, b):
    return min(a, b, 3) ^ max(a, b) ^ abs(a >> 1)

def counting(a, b):
    s = 0
    for i in range(a & 15):
        for j in range(b & 7, i):
            s += i * j
            if s > 1000:
                break
        else_value = s
        s = else_value ^ i
    for i in range(10, a & 3, -2):
        s = s * 3 + i
    for i in range(2, 20, 5):
        if i == 7:
            continue
        s += i
        i = 0
    return s + i

def waiting(a, b):
    n = 0
    a = a & 0xFFFF
    while a != 0 and n < 40:
        if a & 1 and not b & 1:
            a = a >> 1
            n += 1
            continue
        a, n = a >> 2, n + 1
        if n == 30:
            break
    return n

def doing(a, b):
    "Assignments of each kind."
    x: int = a & 255
    x += b & 255
    x -= 3
    x *= 2
    x |= 64
    x &= ~1
    x ^= 5
    x <<= 2
    x >>= 1
    x //= 3
    x %= 1000
    pass
    return x

def constants(a, b):
    return K ^ a ^ True ^ -9223372036854775808 ^ b

def nothing(a, b):
    a = b

def ending(a, b):
    if a:
        return
    return 5

def recursion(a, b):
    return 1 if a <= 1 or a > 15 else a * recursion(a - 1, b)

def even(a, b):
    a &= 31
    return 1 if a == 0 else odd(a - 1, b)

def odd(a, b):
    return 0 if a == 0 else even(a - 1, b)

def memory_is_cleared(a, b):
    return a
"""


def names(source: str) -> tuple[str, ...]:
    """The functions that *source* defines."""
    return tuple(signatures(source))


CONSTRUCTS_UNIT = jit.Unit(
    name="constructs", source=CONSTRUCTS, exports=names(CONSTRUCTS), constants=(("K", -12345),)
)


@pytest.fixture(scope="module")
def native() -> dict[str, jit.Compiled]:
    return jit.compile_unit(CONSTRUCTS_UNIT, Cache(None))


@pytest.mark.parametrize("name", CONSTRUCTS_UNIT.exports)
def test_a_construct_means_what_it_means_in_python(
    native: dict[str, jit.Compiled], name: str
) -> None:
    plain = jit.plain(CONSTRUCTS_UNIT)[name]
    pairs = list(product(NUMBERS, NUMBERS))

    assert [native[name](*pair) for pair in pairs] == [wrapped(plain(*pair)) for pair in pairs]


def wrapped(x: int) -> int:
    """*x* as 64 bits hold it: these sums, unlike those of real units, may leave them."""
    return (x + 2**63) % 2**64 - 2**63


def test_a_division_by_nothing_gives_nothing_and_does_not_stop_the_processor() -> None:
    source = "def q(a, b):\n    return a // b\ndef r(a, b):\n    return a % b"
    unit = jit.Unit(name="division", source=source, exports=("q", "r"))

    native = jit.compile_unit(unit, Cache(None))

    assert [native["q"](5, 0), native["r"](5, 0)] == [0, 0]
    assert [native["q"](-(2**63), -1), native["r"](-(2**63), -1)] == [-(2**63), 0]


def test_long_sums_and_long_lists_of_cases_are_translated() -> None:
    cases = "".join(
        f"    {'el' * (i > 0)}if a == {i * i}:\n        return {i}\n" for i in range(400)
    )
    source = (
        f"def total(a):\n    return {' + '.join(['a'] * 900)}\ndef root(a):\n{cases}    return -1"
    )
    unit = jit.Unit(name="long", source=source, exports=("total", "root"))

    native = jit.compile_unit(unit, Cache(None))

    assert native["total"](3) == 2700
    assert [native["root"](a) for a in (0, 1, 2, 9, 399 * 399)] == [0, 1, -1, 3, 399]


# Random functions: every operator on every kind of operand, every statement inside every other.

BINARY = ("add({}, {})", "sub({}, {})", "mul({}, {})", "({} & {})", "({} | {})", "({} ^ {})")
OTHERS = (
    "shl({}, {} & 63)",
    "({} >> ({} & 63))",
    "({} // (({} & 1023) + 1))",
    "({} % (({} & 1023) + 1))",
    "min({}, {})",
    "({} and {})",
    "({} or {})",
    "(({}) < ({}))",
)


def random_value(chance: random.Random, depth: int) -> str:
    """An expression over the variables x, y and z."""
    if depth == 0 or chance.random() < 0.2:
        return chance.choice(("x", "y", "z", str(chance.randrange(-100, 100)), "K"))
    parts = [random_value(chance, depth - 1) for _ in range(3)]
    if chance.random() < 0.15:
        return "({} if {} else {})".format(*parts)
    if chance.random() < 0.2:
        return chance.choice(("popcount({})", "lowest({})", "(~{})", "(not {})")).format(parts[0])
    return chance.choice(BINARY + OTHERS).format(*parts)


def random_block(chance: random.Random, depth: int, indent: str) -> list[str]:
    """A few statements; every loop ends, since nothing but its counter decides that."""
    lines = []
    for _ in range(chance.randrange(1, 4)):
        kind = chance.random()
        name = chance.choice("xyz")
        if depth == 0 or kind < 0.5:
            lines.append(f"{indent}{name} = {random_value(chance, 3)}")
        elif kind < 0.75:
            lines.append(f"{indent}if {random_value(chance, 2)}:")
            lines += random_block(chance, depth - 1, indent + "    ")
            lines.append(f"{indent}else:")
            lines += random_block(chance, depth - 1, indent + "    ")
        else:
            lines.append(f"{indent}for n{depth} in range({chance.randrange(5)}):")
            lines += random_block(chance, depth - 1, indent + "    ")
            lines.append(f"{indent}    if {random_value(chance, 1)} == 3:")
            lines.append(f"{indent}        {chance.choice(('break', 'continue', 'return x'))}")
    return lines


def test_random_functions_give_the_same_in_both_worlds() -> None:
    chance = random.Random(1913)
    texts = [
        "\n".join(
            (
                f"def f{i}(x, y, z):",
                *random_block(chance, 3, "    "),
                "    return x ^ y ^ z",
            )
        )
        for i in range(25)
    ]
    source = "\n".join(texts)
    unit = jit.Unit(
        name="random", source=source, exports=names(source), constants=(("K", 2**40),), level=1
    )
    plain, native = jit.plain(unit), jit.compile_unit(unit, Cache(None))

    for name in unit.exports:
        for _ in range(20):
            numbers = [chance.choice((chance.getrandbits(64) - 2**63, *NUMBERS)) for _ in range(3)]
            assert native[name](*numbers) == plain[name](*numbers), (name, numbers)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("x = 1", "line 1: a unit has functions and nothing else"),
        ("def f(a=1):\n    return a", "line 1: a parameter has no default and no star"),
        ("def f(a):\n    return a / 2", "line 2: a unit has no Div"),
        ("def f(a):\n    return a ** 2", "line 2: a unit has no Pow"),
        ("def f(a):\n    return 1.5", "line 2: a unit has no Constant"),
        ("def f(a):\n    return 2**63", "line 2: a unit has no Pow"),
        ("def f(a):\n    return 9223372036854775808", "is not a signed 64-bit number"),
        ("def f(a):\n    return b", "line 2: b is neither a variable nor a constant"),
        ("def f(a):\n    return g(a)", "line 2: there is no function g"),
        ("def f(a):\n    return f(a, a)", "line 2: f takes 1 arguments, not 2"),
        ("def f(a):\n    for i in a:\n        pass", "counts through a range"),
        ("def f(a):\n    for i in range(0, 9, a):\n        pass", "by a constant step"),
        ("def f(a):\n    return 0 < a < 9", "compares two numbers"),
        ("def f(a):\n    a.b = 1", "only names are assigned to"),
        ("def f(a):\n    raise a", "line 2: a unit has no Raise"),
    ],
)
def test_what_cannot_be_compiled_is_named(source: str, why: str) -> None:
    with pytest.raises(NotAUnit) as refusal:
        to_llvm(source, {})

    assert why in str(refusal.value)
