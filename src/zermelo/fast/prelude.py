"""The primitives of `zermelo.fast.bits` in LLVM's language, for each target.

A target is a kind of machine that units are compiled for. The text of a unit is the same for all of
them; what differs is how a primitive is written, and which there are.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

PREFIX = "primitive_"
"""What the names of the primitives start with in compiled code."""


def _at(kind: str) -> str:
    """The place of number *b* of the words of a *kind* from the address *a* on."""
    return f"%q = inttoptr i64 %a to ptr\n%r = getelementptr {kind}, ptr %q, i64 %b\n"


def _memory(width: int) -> dict[str, tuple[int, str]]:
    """Reading and writing words of *width* bits, with the number of operands of each."""
    kind = f"i{width}"
    widened = f"%w = zext {kind} %v to i64\nret i64 %w"
    narrowed = f"%v = trunc i64 %c to {kind}\n"
    return {
        f"load{width}": (2, f"{_at(kind)}%v = load {kind}, ptr %r\n{widened}"),
        f"store{width}": (3, f"{_at(kind)}{narrowed}store {kind} %v, ptr %r\nret i64 0"),
    }


def _fetch(operation: str, order: str) -> tuple[int, str]:
    return 3, f"{_at('i64')}%v = atomicrmw {operation} ptr %r, i64 %c {order}\nret i64 %v"


def _shared(scope: str, order: str) -> dict[str, tuple[int, str]]:
    """Memory that the threads within *scope* share.

    *order* is that of words which are data themselves: nothing else is told by them.
    """
    seen, told = f"{scope}acquire", f"{scope}release"
    return {
        "peek": (2, f"{_at('i64')}%v = load atomic i64, ptr %r {seen}, align 8\nret i64 %v"),
        "peek32": (
            2,
            f"{_at('i32')}%v = load atomic i32, ptr %r {seen}, align 4\n"
            "%w = zext i32 %v to i64\nret i64 %w",
        ),
        "publish": (3, f"{_at('i64')}store atomic i64 %c, ptr %r {told}, align 8\nret i64 0"),
        "cas": (
            4,
            f"{_at('i64')}%x = cmpxchg ptr %r, i64 %c, i64 %d {scope}{order}\n"
            "%v = extractvalue { i64, i1 } %x, 0\nret i64 %v",
        ),
        "cas32": (
            4,
            f"{_at('i32')}%o = trunc i64 %c to i32\n%n = trunc i64 %d to i32\n"
            f"%x = cmpxchg ptr %r, i32 %o, i32 %n {scope}acq_rel acquire\n"
            "%v = extractvalue { i32, i1 } %x, 0\n%w = zext i32 %v to i64\nret i64 %w",
        ),
    }


_CAS128_HOST = (
    6,
    f"{_at('i128')}"
    "%o0 = zext i64 %c to i128\n%o1 = zext i64 %d to i128\n%o2 = shl i128 %o1, 64\n"
    "%o = or i128 %o0, %o2\n"
    "%n0 = zext i64 %e to i128\n%n1 = zext i64 %f to i128\n%n2 = shl i128 %n1, 64\n"
    "%n = or i128 %n0, %n2\n"
    "%x = cmpxchg ptr %r, i128 %o, i128 %n acq_rel acquire\n"
    "%y = extractvalue { i128, i1 } %x, 1\n%v = zext i1 %y to i64\nret i64 %v",
)
_CAS128_PTX = (
    6,
    f"{_at('i128')}%s = ptrtoint ptr %r to i64\n"
    '%x = call { i64, i64 } asm sideeffect "{\\0A\\09.reg .b128 before, old, new;\\0A\\09'
    "mov.b128 old, {$3, $4};\\0A\\09mov.b128 new, {$5, $6};\\0A\\09"
    "atom.relaxed.gpu.global.cas.b128 before, [$2], old, new;\\0A\\09"
    'mov.b128 {$0, $1}, before;\\0A\\09}", "=l,=l,l,l,l,l,l,~{memory}"'
    "(i64 %s, i64 %c, i64 %d, i64 %e, i64 %f)\n"
    "%y = extractvalue { i64, i64 } %x, 0\n%z = extractvalue { i64, i64 } %x, 1\n"
    "%p = icmp eq i64 %y, %c\n%t = icmp eq i64 %z, %d\n%u = and i1 %p, %t\n"
    "%v = zext i1 %u to i64\nret i64 %v",
)


def _binary(operation: str) -> tuple[int, str]:
    return 2, f"%v = {operation} i64 %a, %b\nret i64 %v"


def _call(count: int) -> tuple[int, str]:
    operands = ", ".join(f"i64 %{letter}" for letter in "bcdef"[:count])
    return count + 1, f"%q = inttoptr i64 %a to ptr\n%v = call i64 %q({operands})\nret i64 %v"


_EVERYWHERE: Mapping[str, tuple[int, str]] = {
    "load": (2, f"{_at('i64')}%v = load i64, ptr %r\nret i64 %v"),
    "store": (3, f"{_at('i64')}store i64 %c, ptr %r\nret i64 0"),
    **_memory(32),
    **_memory(16),
    **_memory(8),
    "load_any": (2, f"{_at('i8')}%v = load i64, ptr %r, align 1\nret i64 %v"),
    "store_any": (3, f"{_at('i8')}store i64 %c, ptr %r, align 1\nret i64 0"),
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
}


@dataclass(frozen=True, slots=True)
class Target:
    """A kind of machine that units are compiled for."""

    name: str
    bodies: Mapping[str, tuple[int, str]]
    """The primitives that it has: the number of operands and the body of each."""


HOST = Target(
    "this machine",
    MappingProxyType(
        {
            **_EVERYWHERE,
            **_shared("", "acq_rel acquire"),
            "fetch_add": _fetch("add", "acq_rel"),
            "fetch_or": _fetch("or", "acq_rel"),
            "cas128": _CAS128_HOST,
            # Read, keep in all caches, data: the three numbers of `llvm.prefetch`.
            "prefetch": (
                2,
                f"{_at('i64')}call void @llvm.prefetch.p0(ptr %r, i32 0, i32 3, i32 1)\nret i64 0",
            ),
            "call2": _call(2),
            "call5": _call(5),
        }
    ),
)
_GPU = {
    **_EVERYWHERE,
    **_shared('syncscope("device") ', "monotonic monotonic"),
    "fetch_add": _fetch("add", 'syncscope("device") monotonic'),
    "fetch_or": _fetch("or", 'syncscope("device") monotonic'),
    # So many threads have others to run until memory answers: announcing it made them slower.
    "prefetch": (2, "ret i64 0"),
}
PTX = Target("a GPU", MappingProxyType(_GPU))
"""GPUs by NVIDIA. There are no calls by address: what is called is compiled together."""
PTX_90 = Target("a GPU", MappingProxyType({**_GPU, "cas128": _CAS128_PTX}))
"""Those of compute capability 9.0 and above, which swap 128 bits in one step."""


_DECLARATIONS = """\
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
"""


def operand_count(name: str) -> int:
    return HOST.bodies[name][0]


def primitive_definitions(names: Iterable[str], target: Target = HOST) -> str:
    texts = [_DECLARATIONS]
    for name in names:
        count, body = target.bodies[name]
        parameters = ", ".join(f"i64 %{letter}" for letter in "abcdefghi"[:count])
        head = f"define internal i64 @{PREFIX}{name}({parameters}) alwaysinline nounwind"
        texts.append(f"{head} {{\n{body}\n}}\n")
    return "".join(texts)


KERNEL_DECLARATIONS: Final = """\
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
"""


def kernel(name: str, count: int, *, own: int, threads: int) -> str:
    """What is launched on a GPU to run the function *name* of a unit, which takes *count* numbers.

    The last three of them are the thread's number, how many there are, and its *own* memory.
    """
    given = [f"i64 %a{number}" for number in range(count - 3)]
    passed = ", ".join((*given, "i64 %thread", "i64 %threads", "i64 %own"))
    return f"""\
define ptx_kernel void @kernel_{name}({", ".join(given)}) nounwind "nvvm.maxntid"="{threads}" {{
%memory = alloca [{max(1, own)} x i64], align 16
%own = ptrtoint ptr %memory to i64
%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
%n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
%b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
%m = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
%first = mul i32 %b, %n
%t32 = add i32 %first, %t
%n32 = mul i32 %n, %m
%thread = zext i32 %t32 to i64
%threads = zext i32 %n32 to i64
%result = call i64 @zermelo_{name}({passed})
ret void
}}
"""
