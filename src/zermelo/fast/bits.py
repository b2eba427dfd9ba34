"""The primitives of compiled code, in plain Python: words of memory, bits, and calls by address.

A function that is to be compiled (see `zermelo.fast.jit`) uses whole numbers and nothing else. It
names memory by its address, an array's `ctypes.data`, and reaches it through the primitives below.
In compiled code each of them is one or two instructions; here they do the same, slowly, so that
the same function runs without a compiler and both can be compared.

Every value is a signed 64-bit number in both worlds. `+`, `-` and `*` on numbers that may leave
64 bits go through `add`, `sub` and `mul`, which wrap; `&`, `|`, `^`, `~`, `>>` (arithmetic) and
comparisons are the same everywhere. A function may divide (`//` and `%` round down) but never by 0.

    >>> bit(63) == -(2**63)
    True
    >>> shr(-1, 60), popcount(-1), lowest(12), rest(12), highest(12)
    (15, 64, 2, 8, 3)
"""

import ctypes
import itertools
import threading
from collections.abc import Callable, Mapping
from types import MappingProxyType
from weakref import WeakValueDictionary

_MASK = (1 << 64) - 1
_SIGN = 1 << 63


def signed(x: int) -> int:
    """*x* modulo 2⁶⁴, as a signed number."""
    return ((x + _SIGN) & _MASK) - _SIGN


# Memory.


def load(p: int, i: int) -> int:
    """The 64-bit word number *i* from the address *p* on."""
    return ctypes.c_int64.from_address(p + 8 * i).value


def store(p: int, i: int, v: int) -> None:
    """Write *v* into the 64-bit word number *i* from *p* on."""
    ctypes.c_int64.from_address(p + 8 * i).value = v


def load_any(p: int, i: int) -> int:
    """The 64-bit word that begins *i* bytes from *p* on, wherever that is."""
    return ctypes.c_int64.from_address(p + i).value


def store_any(p: int, i: int, v: int) -> None:
    """Write *v* into the 64-bit word that begins *i* bytes from *p* on, wherever that is."""
    ctypes.c_int64.from_address(p + i).value = v


def load32(p: int, i: int) -> int:
    """The 32-bit word number *i* from *p* on, without sign."""
    return ctypes.c_uint32.from_address(p + 4 * i).value


def store32(p: int, i: int, v: int) -> None:
    """Write the lower half of *v* into the 32-bit word number *i* from *p* on."""
    ctypes.c_uint32.from_address(p + 4 * i).value = v & 0xFFFFFFFF


def load16(p: int, i: int) -> int:
    """The 16-bit word number *i* from *p* on, without sign."""
    return ctypes.c_uint16.from_address(p + 2 * i).value


def store16(p: int, i: int, v: int) -> None:
    """Write the lowest 16 bits of *v* into the 16-bit word number *i* from *p* on."""
    ctypes.c_uint16.from_address(p + 2 * i).value = v & 0xFFFF


def load8(p: int, i: int) -> int:
    """The byte number *i* from *p* on, without sign."""
    return ctypes.c_uint8.from_address(p + i).value


def store8(p: int, i: int, v: int) -> None:
    """Write the lowest byte of *v* into the byte number *i* from *p* on."""
    ctypes.c_uint8.from_address(p + i).value = v & 0xFF


def prefetch(p: int, i: int) -> None:
    """Announce that the 64-bit word number *i* from *p* on is wanted soon; changes nothing."""


# Memory that several threads share. One lock stands for the processor's atomicity.

_ATOMIC = threading.Lock()


def peek(p: int, i: int) -> int:
    """Like `load`, but sees at once what other threads published (acquire)."""
    return load(p, i)


def publish(p: int, i: int, v: int) -> None:
    """Like `store`, and whoever sees it sees all that was written before (release)."""
    store(p, i, v)


def peek32(p: int, i: int) -> int:
    """Like `load32`, but sees at once what other threads published (acquire)."""
    return load32(p, i)


def publish32(p: int, i: int, v: int) -> None:
    """Like `store32`, and whoever sees it sees all that was written before (release)."""
    store32(p, i, v)


def peek16(p: int, i: int) -> int:
    """Like `load16`, but sees at once what other threads published (acquire)."""
    return load16(p, i)


def publish16(p: int, i: int, v: int) -> None:
    """Like `store16`, and whoever sees it sees all that was written before (release)."""
    store16(p, i, v)


def peek8(p: int, i: int) -> int:
    """Like `load8`, but sees at once what other threads published (acquire)."""
    return load8(p, i)


def publish8(p: int, i: int, v: int) -> None:
    """Like `store8`, and whoever sees it sees all that was written before (release)."""
    store8(p, i, v)


def cas(p: int, i: int, old: int, new: int) -> int:
    """The 64-bit word number *i*; if it is *old*, *new* takes its place in the same step."""
    with _ATOMIC:
        before = load(p, i)
        if before == old:
            store(p, i, new)
        return before


def cas32(p: int, i: int, old: int, new: int) -> int:
    """The 32-bit word number *i*; if it is *old*, *new* takes its place in the same step."""
    with _ATOMIC:
        before = load32(p, i)
        if before == old & 0xFFFFFFFF:
            store32(p, i, new)
        return before


def fetch_add(p: int, i: int, v: int) -> int:
    """The 64-bit word number *i*, to which *v* is added (wrapping) in the same step."""
    with _ATOMIC:
        before = load(p, i)
        store(p, i, signed(before + v))
        return before


def fetch_or(p: int, i: int, v: int) -> int:
    """The 64-bit word number *i*, into which the bits of *v* are set in the same step."""
    with _ATOMIC:
        before = load(p, i)
        store(p, i, before | v)
        return before


def pause() -> None:
    """Tell the processor that the thread waits for another one."""


# Bits and numbers.


def popcount(x: int) -> int:
    """How many of the 64 bits of *x* are set."""
    return (x & _MASK).bit_count()


def lowest(x: int) -> int:
    """The number of the lowest set bit of *x*; 64 when none is set."""
    return ((x & -x).bit_length() - 1) if x else 64


def highest(x: int) -> int:
    """The number of the highest set bit of *x*; −1 when none is set."""
    return (x & _MASK).bit_length() - 1


def rest(x: int) -> int:
    """*x* without its lowest set bit."""
    return signed(x & (x - 1))


def bit(k: int) -> int:
    """The number in which bit *k* is set; *k* counts modulo 64."""
    return signed(1 << (k & 63))


def shl(x: int, k: int) -> int:
    """The bits of *x* moved up by *k* modulo 64; what leaves is lost."""
    return signed(x << (k & 63))


def shr(x: int, k: int) -> int:
    """The bits of *x* moved down by *k* modulo 64, with zeros from above."""
    return signed((x & _MASK) >> (k & 63))


def mul(x: int, y: int) -> int:
    """The product modulo 2⁶⁴."""
    return signed(x * y)


def add(x: int, y: int) -> int:
    """The sum modulo 2⁶⁴."""
    return signed(x + y)


def sub(x: int, y: int) -> int:
    """The difference modulo 2⁶⁴."""
    return signed(x - y)


def high(x: int, y: int) -> int:
    """The upper 64 bits of the 128-bit product of *x* and *y*, both taken without sign."""
    return signed(((x & _MASK) * (y & _MASK)) >> 64)


def below(x: int, y: int) -> int:
    """1 if *x* is less than *y*, both taken without sign, otherwise 0."""
    return int((x & _MASK) < (y & _MASK))


def pick(c: int, x: int, y: int) -> int:
    """*x* if *c* is not 0, otherwise *y*; both are computed, and nothing is jumped over."""
    return x if c else y


# Calls by address. Native addresses are positive; Python functions get negative ones.

Function = Callable[..., int]

_FUNCTIONS: WeakValueDictionary[int, "Registered"] = WeakValueDictionary()
_NUMBERS = itertools.count(1)


class Registered:
    """A Python function with an address of its own, good as long as this object lives."""

    __slots__ = ("__weakref__", "address", "function")

    def __init__(self, function: Function) -> None:
        self.function = function
        self.address = -next(_NUMBERS)
        _FUNCTIONS[self.address] = self


def call(address: int, *arguments: int) -> int:
    """What the function at *address* gives for *arguments*, be it Python or native."""
    if address < 0:
        return int(_FUNCTIONS[address].function(*arguments))
    return prototype(len(arguments))(address)(*arguments)


def prototype(count: int) -> Callable[[int], Callable[..., int]]:
    """What makes a native address callable from Python with *count* arguments.

    The call releases Python's lock, so that Python threads run native code at the same time.
    """
    return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * count)


def call0(f: int) -> int:
    """What the function at the address *f* gives."""
    return call(f)


def call1(f: int, a: int) -> int:
    """What the function at the address *f* gives for one argument."""
    return call(f, a)


def call2(f: int, a: int, b: int) -> int:
    """What the function at the address *f* gives for two arguments."""
    return call(f, a, b)


def call3(f: int, a: int, b: int, c: int) -> int:
    """What the function at the address *f* gives for three arguments."""
    return call(f, a, b, c)


def call4(f: int, a: int, b: int, c: int, d: int) -> int:
    """What the function at the address *f* gives for four arguments."""
    return call(f, a, b, c, d)


def call5(f: int, a: int, b: int, c: int, d: int, e: int) -> int:
    """What the function at the address *f* gives for five arguments."""
    return call(f, a, b, c, d, e)


def call6(f: int, a: int, b: int, c: int, d: int, e: int, g: int) -> int:
    """What the function at the address *f* gives for six arguments."""
    return call(f, a, b, c, d, e, g)


def call7(f: int, a: int, b: int, c: int, d: int, e: int, g: int, h: int) -> int:
    """What the function at the address *f* gives for seven arguments."""
    return call(f, a, b, c, d, e, g, h)


def call8(f: int, a: int, b: int, c: int, d: int, e: int, g: int, h: int, i: int) -> int:
    """What the function at the address *f* gives for eight arguments."""
    return call(f, a, b, c, d, e, g, h, i)


PRIMITIVES: Mapping[str, Callable[..., int | None]] = MappingProxyType(
    {
        function.__name__: function
        for group in (
            (load, store, load32, store32, load16, store16, load8, store8, prefetch),
            (load_any, store_any),
            (peek, publish, peek32, publish32, peek16, publish16, peek8, publish8),
            (cas, cas32, fetch_add, fetch_or, pause),
            (popcount, lowest, highest, rest, bit, shl, shr, mul, add, sub, high, below, pick),
            (call0, call1, call2, call3, call4, call5, call6, call7, call8),
        )
        for function in group
    }
)
"""Every primitive by its name: the names that the source of a unit may use."""
