"""What each primitive of `zermelo.fast.bits` is in native code, as functions in LLVM's language.

LLVM inlines every one of them where it is called, so that nothing of the call remains. What the
instructions mean is said in LLVM's language reference, https://llvm.org/docs/LangRef.html.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

PREFIX = "zermelo.bits."
"""What the names of the primitives start with in native code."""


def _memory(width: int) -> dict[str, tuple[int, str]]:
    """Reading and writing words of *width* bits, with the number of operands of each."""
    kind = f"i{width}"
    suffix = "" if width == 64 else str(width)
    place = f"%q = inttoptr i64 %a to ptr\n%r = getelementptr {kind}, ptr %q, i64 %b\n"
    widen = "ret i64 %v" if width == 64 else f"%w = zext {kind} %v to i64\nret i64 %w"

    def narrowed(value: str, name: str) -> str:
        if width == 64:
            return f"{name} = add i64 {value}, 0"
        return f"{name} = trunc i64 {value} to {kind}"

    narrow = narrowed("%c", "%v")
    align = f"align {width // 8}"
    return {
        f"load{suffix}": (2, f"{place}%v = load {kind}, ptr %r\n{widen}"),
        f"store{suffix}": (3, f"{place}{narrow}\nstore {kind} %v, ptr %r\nret i64 0"),
        f"peek{suffix}": (2, f"{place}%v = load atomic {kind}, ptr %r acquire, {align}\n{widen}"),
        f"publish{suffix}": (
            3,
            f"{place}{narrow}\nstore atomic {kind} %v, ptr %r release, {align}\nret i64 0",
        ),
        f"cas{suffix}": (
            4,
            f"{place}{narrowed('%c', '%o')}\n{narrowed('%d', '%n')}\n"
            f"%x = cmpxchg ptr %r, {kind} %o, {kind} %n acq_rel acquire\n"
            f"%v = extractvalue {{ {kind}, i1 }} %x, 0\n{widen}",
        ),
    }


def _fetch(operation: str) -> tuple[int, str]:
    return 3, (
        "%q = inttoptr i64 %a to ptr\n%r = getelementptr i64, ptr %q, i64 %b\n"
        f"%v = atomicrmw {operation} ptr %r, i64 %c acq_rel\nret i64 %v"
    )


def _binary(operation: str) -> tuple[int, str]:
    return 2, f"%v = {operation} i64 %a, %b\nret i64 %v"


def _call(count: int) -> tuple[int, str]:
    operands = ", ".join(f"i64 %{letter}" for letter in "bcdefghi"[:count])
    return count + 1, f"%q = inttoptr i64 %a to ptr\n%v = call i64 %q({operands})\nret i64 %v"


_ANYWHERE = "%q = inttoptr i64 %a to ptr\n%r = getelementptr i8, ptr %q, i64 %b\n"

_BITS: dict[str, tuple[int, str]] = {
    "load_any": (2, f"{_ANYWHERE}%v = load i64, ptr %r, align 1\nret i64 %v"),
    "store_any": (3, f"{_ANYWHERE}store i64 %c, ptr %r, align 1\nret i64 0"),
    # Read, keep in all caches, data: the three numbers of `llvm.prefetch`.
    "prefetch": (
        2,
        "%q = inttoptr i64 %a to ptr\n%r = getelementptr i64, ptr %q, i64 %b\n"
        "call void @llvm.prefetch.p0(ptr %r, i32 0, i32 3, i32 1)\nret i64 0",
    ),
    # A fence is known on every processor; the special instructions for waiting gain little more.
    "pause": (0, "fence acquire\nret i64 0"),
    "fetch_add": _fetch("add"),
    "fetch_or": _fetch("or"),
    "popcount": (1, "%v = call i64 @llvm.ctpop.i64(i64 %a)\nret i64 %v"),
    "lowest": (1, "%v = call i64 @llvm.cttz.i64(i64 %a, i1 false)\nret i64 %v"),
    "highest": (
        1,
        "%n = call i64 @llvm.ctlz.i64(i64 %a, i1 false)\n%v = sub i64 63, %n\nret i64 %v",
    ),
    "rest": (1, "%n = sub i64 %a, 1\n%v = and i64 %a, %n\nret i64 %v"),
    "bit": (1, "%k = and i64 %a, 63\n%v = shl i64 1, %k\nret i64 %v"),
    "shl": (2, "%k = and i64 %b, 63\n%v = shl i64 %a, %k\nret i64 %v"),
    "shr": (2, "%k = and i64 %b, 63\n%v = lshr i64 %a, %k\nret i64 %v"),
    "mul": _binary("mul"),
    "add": _binary("add"),
    "sub": _binary("sub"),
    "high": (
        2,
        "%x = zext i64 %a to i128\n%y = zext i64 %b to i128\n%p = mul i128 %x, %y\n"
        "%h = lshr i128 %p, 64\n%v = trunc i128 %h to i64\nret i64 %v",
    ),
    "below": (2, "%x = icmp ult i64 %a, %b\n%v = zext i1 %x to i64\nret i64 %v"),
    "pick": (3, "%x = icmp ne i64 %a, 0\n%v = select i1 %x, i64 %b, i64 %c\nret i64 %v"),
}

_DECLARATIONS = """\
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
"""

_BODIES: Mapping[str, tuple[int, str]] = MappingProxyType(
    _memory(64)
    | _memory(32)
    | _memory(16)
    | _memory(8)
    | _BITS
    | {f"call{count}": _call(count) for count in range(9)}
)


def operands(name: str) -> int:
    """How many operands the primitive *name* has."""
    return _BODIES[name][0]


def definitions(names: Iterable[str]) -> str:
    """The primitives *names* in LLVM's language."""
    texts = [_DECLARATIONS]
    for name in names:
        count, body = _BODIES[name]
        parameters = ", ".join(f"i64 %{letter}" for letter in "abcdefghi"[:count])
        head = f'define internal i64 @"{PREFIX}{name}"({parameters}) alwaysinline nounwind'
        texts.append(f"{head} {{\n{body}\n}}\n")
    return "".join(texts)
