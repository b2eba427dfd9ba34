"""The primitives of compiled code, in plain Python: words of memory, bits, and calls by address.

A function that is to be compiled (see `zermelo.fast.jit`) names memory by its address, which
`address` tells of an array. In compiled code each primitive is one or two instructions; here they
do the same, slowly, so that the function runs without a compiler and both can be compared.

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
from typing import Any, Protocol
from weakref import WeakValueDictionary

_MASK = (1 << 64) - 1
_SIGN = 1 << 63


def signed(x: int) -> int:
    """*x* modulo 2⁶⁴, as a signed number."""
    return ((x + _SIGN) & _MASK) - _SIGN


# Addresses, and who wants to know of them (see `zermelo.fast.checked`).


class Watcher(Protocol):
    """Is told of all memory and all code whose address is given to compiled code."""

    def array(self, array: Any) -> None: ...  # noqa: ANN401 - arrays have no name here

    def code(self, address: int, owner: object) -> None:
        """There is code at *address* as long as *owner* lives."""
        ...


_WATCHERS: list[Watcher] = []


def watch(watcher: Watcher | None) -> None:
    """Tell *watcher*, and nobody else."""
    _WATCHERS[:] = [] if watcher is None else [watcher]


def address(array: Any) -> int:  # noqa: ANN401 - as above
    """Where *array* begins; compiled code may touch all of it as long as it lives."""
    for watcher in _WATCHERS:
        watcher.array(array)
    return int(array.ctypes.data)


# Memory.


def load(p: int, i: int) -> int:
    """The 64-bit word number *i* from the address *p* on; narrower ones have no sign."""
    return ctypes.c_int64.from_address(p + 8 * i).value


def store(p: int, i: int, v: int) -> None:
    ctypes.c_int64.from_address(p + 8 * i).value = v


def load_any(p: int, i: int) -> int:
    """The 64-bit word that begins *i* bytes from *p* on, wherever that is."""
    return ctypes.c_int64.from_address(p + i).value


def store_any(p: int, i: int, v: int) -> None:
    ctypes.c_int64.from_address(p + i).value = v


def load32(p: int, i: int) -> int:
    return ctypes.c_uint32.from_address(p + 4 * i).value


def store32(p: int, i: int, v: int) -> None:
    ctypes.c_uint32.from_address(p + 4 * i).value = v & 0xFFFFFFFF


def load16(p: int, i: int) -> int:
    return ctypes.c_uint16.from_address(p + 2 * i).value


def store16(p: int, i: int, v: int) -> None:
    ctypes.c_uint16.from_address(p + 2 * i).value = v & 0xFFFF


def load8(p: int, i: int) -> int:
    return ctypes.c_uint8.from_address(p + i).value


def store8(p: int, i: int, v: int) -> None:
    ctypes.c_uint8.from_address(p + i).value = v & 0xFF


def prefetch(p: int, i: int) -> None:
    """Announce that the 64-bit word number *i* from *p* on is wanted soon; changes nothing."""


# Memory that several threads share. One lock stands for the processor's atomicity.

_ATOMIC = threading.Lock()


def peek32(p: int, i: int) -> int:
    """Like `load32`, but sees at once what other threads published (acquire)."""
    return load32(p, i)


def cas32(p: int, i: int, old: int, new: int) -> int:
    """The 32-bit word number *i*; if it is *old*, *new* takes its place in the same step."""
    with _ATOMIC:
        before = load32(p, i)
        if before == old & 0xFFFFFFFF:
            store32(p, i, new)
        return before


def peek(p: int, i: int) -> int:
    """Like `load`, but sees at once what other threads published (acquire)."""
    return load(p, i)


def publish(p: int, i: int, v: int) -> None:
    """Like `store`, and whoever sees it sees all that was stored before (release)."""
    store(p, i, v)


def cas(p: int, i: int, old: int, new: int) -> int:
    """The 64-bit word number *i*; if it is *old*, *new* takes its place in the same step."""
    with _ATOMIC:
        before = load(p, i)
        if before == old:
            store(p, i, new)
        return before


def cas128(p: int, i: int, old: int, old_high: int, new: int, new_high: int) -> int:
    """1 if the pair number *i* of 64-bit words was the old one, and the new one took its place.

    A pair begins at a multiple of 16.
    """
    with _ATOMIC:
        if load(p, 2 * i) != old or load(p, 2 * i + 1) != old_high:
            return 0
        store(p, 2 * i, new)
        store(p, 2 * i + 1, new_high)
        return 1


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


# Bits and numbers; whatever leaves 64 bits is lost, and places of bits count modulo 64.


def popcount(x: int) -> int:
    return (x & _MASK).bit_count()


def lowest(x: int) -> int:
    return ((x & -x).bit_length() - 1) if x else 64


def highest(x: int) -> int:
    """The number of the highest set bit of *x*; −1 when none is set, where `lowest` has 64."""
    return (x & _MASK).bit_length() - 1


def rest(x: int) -> int:
    return signed(x & (x - 1))


def bit(k: int) -> int:
    return signed(1 << (k & 63))


def shl(x: int, k: int) -> int:
    return signed(x << (k & 63))


def shr(x: int, k: int) -> int:
    """The bits of *x* moved down by *k*, with zeros from above."""
    return signed((x & _MASK) >> (k & 63))


def mul(x: int, y: int) -> int:
    return signed(x * y)


def add(x: int, y: int) -> int:
    return signed(x + y)


def sub(x: int, y: int) -> int:
    return signed(x - y)


def high(x: int, y: int) -> int:
    """The upper 64 bits of the 128-bit product of *x* and *y*, both taken without sign."""
    return signed(((x & _MASK) * (y & _MASK)) >> 64)


def below(x: int, y: int) -> int:
    """1 if *x* is less than *y*, both taken without sign, otherwise 0."""
    return int((x & _MASK) < (y & _MASK))


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


class Callback:
    """A Python function at a native address, good as long as this object lives."""

    __slots__ = ("__weakref__", "address", "function")

    def __init__(self, function: Function, count: int) -> None:
        self.function = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * count)(function)
        self.address = ctypes.cast(self.function, ctypes.c_void_p).value or 0
        for watcher in _WATCHERS:
            watcher.code(self.address, self)


def call(code: int, *arguments: int) -> int:
    if code < 0:
        return int(_FUNCTIONS[code].function(*arguments))
    return prototype(len(arguments))(code)(*arguments)


def prototype(count: int) -> Callable[[int], Callable[..., int]]:
    """What makes a native address callable with *count* arguments, without Python's lock."""
    return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * count)


def call2(f: int, a: int, b: int) -> int:
    return call(f, a, b)


def call5(f: int, a: int, b: int, c: int, d: int, e: int) -> int:
    return call(f, a, b, c, d, e)


PRIMITIVES: Mapping[str, Callable[..., int | None]] = MappingProxyType(
    {
        function.__name__: function
        for group in (
            (load, store, load32, store32, load16, store16, load8, store8, prefetch),
            (load_any, store_any, peek32, cas32, fetch_add, fetch_or, call2, call5),
            (peek, publish, cas, cas128),
            (popcount, lowest, highest, rest, bit, shl, shr, mul, add, sub, high, below),
        )
        for function in group
    }
)
"""Every primitive by its name: the names that the source of a unit may use."""
