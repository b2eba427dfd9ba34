"""Functions on whole numbers, compiled: source text goes in, callable native code comes out.

A `Unit` is a text of Python functions whose parameters and results are signed 64-bit numbers. They
call each other and the primitives of `zermelo.fast.bits`, and use the unit's named constants.

What a function may contain: assignments, `if`, `while`, `for … in range(…)`, `break`, `continue`,
`return`, the operators on whole numbers, comparisons, `and`, `or`, `not`, conditional expressions,
`min`, `max` and `abs`. A function that ends without `return` gives 0, and so does a bare `return`.
`x // 0` gives 0 in native code and stops Python, so units do not divide by 0.
"""

import ast
import contextlib
import functools
import hashlib
import importlib
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Protocol

from zermelo.fast import bits
from zermelo.fast.cache import Cache, standard
from zermelo.fast.prelude import KERNEL_DECLARATIONS, PTX, PTX_90, kernel
from zermelo.fast.translate import WATCH, NotAUnit, signatures, symbol, to_llvm
from zermelo.files.program import digest_of_modules
from zermelo.text.budget import COMPILING, Meter, within_time

MOST_LETTERS: Final = 500_000
"""Of a source: Python reads it in one go, in which nobody can look at the clock."""


class NotCompiled(RuntimeError):
    """There is no compiler, or it does not work; the text says why. `plain` still runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Functions that are compiled together.

    Small helpers are inlined without being asked; *inline* names those that must be.
    """

    name: str
    source: str
    exports: tuple[str, ...]
    constants: tuple[tuple[str, int], ...] = ()
    inline: tuple[str, ...] = ()
    version: str = ""
    level: int = 2
    """How hard LLVM tries: 0 to 3. Level 3 also uses vectors."""

    @property
    def fingerprint(self) -> str:
        """A text that differs for units that differ in anything that matters to their code."""
        parts = (self.name, self.version, self.source, self.exports, self.constants)
        text = repr((*parts, self.inline, self.level))
        return hashlib.sha256(text.encode()).hexdigest()


def unit_of(
    name: str,
    functions: Sequence[Callable[..., object]],
    *,
    exports: Sequence[str],
    constants: Mapping[str, int] | None = None,
    inline: Sequence[str] = (),
    level: int = 2,
) -> Unit:
    source = "\n".join(_written(function.__module__)[function.__name__] for function in functions)
    return Unit(
        name=name,
        source=source,
        exports=tuple(exports),
        constants=tuple(sorted((constants or {}).items())),
        inline=tuple(inline),
        level=level,
    )


@functools.cache
def _written(module: str) -> Mapping[str, str]:
    """The functions of *module* as they are written there, by name.

    `inspect.getsource` would do, but looks for the end of each function sign by sign.
    """
    lines = inspect.findsource(importlib.import_module(module))[0]
    return {
        node.name: "".join(lines[node.lineno - 1 : node.end_lineno])
        for node in ast.parse("".join(lines)).body
        if isinstance(node, ast.FunctionDef)
    }


@dataclass(frozen=True, slots=True)
class Compiled:
    """A function that runs: native, or plain Python under an address that `bits.call` knows.

    The address is good as long as this object lives. A native call releases Python's lock.
    """

    name: str
    address: int
    function: Callable[..., int] = field(repr=False)
    owner: object = field(repr=False)

    @property
    def is_native(self) -> bool:
        return self.address > 0

    def __call__(self, *arguments: int) -> int:
        return self.function(*arguments)

    def on(self, *arguments: Any) -> int:  # noqa: ANN401 - arrays have no name here
        """The same with numbers and arrays, of which it gets the addresses."""
        return self.function(
            *(each if isinstance(each, int) else bits.address(each) for each in arguments)
        )


class Checker(bits.Watcher, Protocol):
    """What lets code be compiled with checks: `zermelo.fast.checked` has one."""

    @property
    def source(self) -> str:
        """The functions that checked code calls, as the source of a unit."""
        ...

    def watched(self, unit: Unit, functions: Mapping[str, Compiled]) -> dict[str, Compiled]:
        """The exports of *unit*, made of its compiled *functions*; they raise."""
        ...

    def primitives(self) -> Mapping[str, Callable[..., int | None]]:
        """Primitives with checks, for code that runs as Python."""
        ...


_CHECKERS: list[Checker] = []


def check_with(checker: Checker | None) -> None:
    """Compile with the checks of *checker* from now on; what was compiled stays as it is."""
    _CHECKERS[:] = [] if checker is None else [checker]
    bits.watch(checker)
    load.cache_clear()


@functools.cache
def available() -> str | None:
    """Why nothing can be compiled here; None when it can."""
    try:
        importlib.import_module("llvmlite.binding")
    except ImportError as error:
        return f"llvmlite, which turns loops into native code, cannot be used: {error}"
    except OSError as error:
        return f"llvmlite is installed, but LLVM itself cannot be loaded: {error}"
    return None


def plain(unit: Unit, *, is_metered: bool = False) -> dict[str, Compiled]:
    """The functions of *unit* that are exported, as Python.

    Where they are *metered*, each round of a loop takes steps from the budget of whoever calls,
    and ``LimitReached`` may end a call anywhere.
    """
    _signatures(unit)
    functions = _functions(unit, is_metered=is_metered)
    result = {}
    for name in unit.exports:
        owner = bits.Registered(functions[name])
        result[name] = Compiled(name, owner.address, functions[name], owner)
    return result


def compile_unit(unit: Unit, cache: Cache | None = None) -> dict[str, Compiled]:
    """The functions of *unit* that are exported, as native code; kept in the standard cache.

    Where `NotCompiled` is raised, the caller takes `plain`.
    """
    if len(unit.source) > MOST_LETTERS:
        raise NotCompiled(
            f"the code of {unit.name} has {len(unit.source):,} characters, and at most "
            f"{MOST_LETTERS:,} are compiled"
        )
    found = kept_unit(unit, cache)
    if found is not None:
        return found
    counts = _signatures(unit)
    code = object_code(unit)
    try:
        made = _usable(unit, code, counts)
    except RuntimeError as error:
        raise NotCompiled(f"LLVM does not load the code of {unit.name}: {error}") from error
    key = _key(unit)
    if key is not None:
        (cache or standard()).put(key, code)
    return made


def kept_unit(unit: Unit, cache: Cache | None = None) -> dict[str, Compiled] | None:
    """The same, if it was compiled before: its source tells where it is, and is not read."""
    key = _key(unit)
    code = None if key is None else (cache or standard()).get(key)
    counts = _counts(unit)
    if code is None or not counts.keys() >= set(unit.exports):
        return None
    try:
        return _usable(unit, code, counts)
    except RuntimeError:
        return None


def _usable(unit: Unit, code: bytes, counts: Mapping[str, int]) -> dict[str, Compiled]:
    """The functions in *code*, watched where native code is checked."""
    if not _CHECKERS:
        return _loaded(unit, code, counts)
    extended = replace(unit, exports=(*unit.exports, WATCH))
    return _CHECKERS[0].watched(unit, _loaded(extended, code, {**counts, WATCH: 2}))


def _loaded(unit: Unit, code: bytes, counts: Mapping[str, int]) -> dict[str, Compiled]:
    from zermelo.fast import native  # noqa: PLC0415 - needs llvmlite, and 50 ms

    loaded = native.Loaded(code, [symbol(name) for name in unit.exports])
    result = {}
    for name in unit.exports:
        address = loaded.addresses[symbol(name)]
        function = bits.prototype(counts[name])(address)
        result[name] = Compiled(name, address, function, loaded)
    return result


_HEAD: Final = re.compile(r"^def (\w+)\(([^()]*)\)", re.MULTILINE)


def _counts(unit: Unit) -> dict[str, int]:
    """How many parameters each function has, as `_signatures` says but without a parser."""
    return {
        name: sum(bool(each.strip()) for each in parameters.split(","))
        for name, parameters in _HEAD.findall(unit.source)
    }


def _signatures(unit: Unit) -> dict[str, int]:
    counts = signatures(unit.source)
    for name in (*unit.exports, *unit.inline):
        if name not in counts:
            raise NotAUnit(f"{unit.name}: no function is called {name}")
    if counts != _counts(unit):
        raise NotAUnit(f"{unit.name}: a parameter is a name, with one word as its type at most")
    return counts


@functools.lru_cache(maxsize=256)
def load(unit: Unit, *, native: bool = True) -> Mapping[str, Compiled]:
    """The functions of *unit*, once for the whole process: native if possible and asked for."""
    if native:
        with contextlib.suppress(NotCompiled):
            return MappingProxyType(compile_unit(unit))
    return MappingProxyType(plain(unit))


def is_ready(unit: Unit, cache: Cache | None = None) -> bool:
    """Whether the native code of *unit* is at hand without compiling anything."""
    key = None if available() else _key(unit)
    return key is not None and (cache or standard()).has(key)


def _key(unit: Unit) -> str | None:
    """What tells the code of *unit* on this machine from any other; None if that is not known."""
    why = available()
    if why:
        raise NotCompiled(why)
    from zermelo.fast import native  # noqa: PLC0415 - as above

    compiler = _compiler()
    if compiler is None:
        return None
    text = "\n".join((unit.fingerprint, native.host(), compiler.hex(), _checks()))
    return hashlib.sha256(text.encode()).hexdigest()


@functools.cache
def _compiler() -> bytes | None:
    """A digest of the modules that make code, so that no old code outlives them."""
    folder = Path(__file__).parent
    names = ("jit.py", "translate.py", "prelude.py", "native.py")
    return digest_of_modules(folder, (folder / name for name in names))


def _checks() -> str:
    return _CHECKERS[0].source if _CHECKERS else ""


def check(unit: Unit) -> None:
    """Raise `NotAUnit` if *unit* could not be compiled; needs no compiler."""
    _signatures(unit)
    to_llvm(unit.source, dict(unit.constants), unit.inline)


def object_code(unit: Unit) -> bytes:
    from zermelo.fast import native  # noqa: PLC0415 - as above

    checks = _checks()
    text = to_llvm(unit.source, dict(unit.constants), unit.inline, checks=checks)
    names = [symbol(name) for name in ((*unit.exports, WATCH) if checks else unit.exports)]
    try:
        # Nothing interrupts LLVM.
        return within_time(lambda: native.object_code(text, names, unit.level), COMPILING)
    except RuntimeError as error:
        raise NotCompiled(f"LLVM does not take the code of {unit.name}: {error}") from error


def ptx(unit: Unit, chip: int, *, own: int, threads: int, cache: Cache | None = None) -> str:
    """The exports of *unit* as kernels for a GPU by NVIDIA of this compute capability, or newer.

    An export takes its arguments, then the number of its thread, how many threads there are, and
    the address of *own* words that belong to the thread; a kernel takes the arguments alone, and
    is run by groups of *threads*. It is kept like native code.
    """
    why = available()
    if why:
        raise NotCompiled(why)
    from zermelo.fast import native  # noqa: PLC0415 - as above

    # What is made for the first chip of a kind runs on the others, and LLVM knows that one.
    chip = CHIP_WITH_PAIRS if chip >= CHIP_WITH_PAIRS else OLDEST_CHIP
    compiler = _compiler()
    parts = (unit.fingerprint, native.host(), str((chip, own, threads)))
    key = None
    if compiler is not None:
        key = hashlib.sha256("\n".join((*parts, compiler.hex())).encode()).hexdigest()
    kept = None if key is None else (cache or standard()).get(key)
    if kept is not None:
        return kept.decode()
    target = PTX_90 if chip == CHIP_WITH_PAIRS else PTX
    counts = _signatures(unit)
    text = to_llvm(unit.source, dict(unit.constants), unit.inline, target=target)
    kernels = [kernel(name, counts[name], own=own, threads=threads) for name in unit.exports]
    names = [f"kernel_{name}" for name in unit.exports]
    text = "\n".join((text, KERNEL_DECLARATIONS, *kernels))
    try:
        made = within_time(lambda: native.ptx(text, names, chip, PTX_VERSION), COMPILING)
    except RuntimeError as error:
        raise NotCompiled(f"LLVM does not take the code of {unit.name}: {error}") from error
    if key is not None:
        (cache or standard()).put(key, made.encode())
    return made


CHIP_WITH_PAIRS: Final = 90
"""From this compute capability on 128 bits are swapped in one step."""
OLDEST_CHIP: Final = 75
PTX_VERSION: Final = 84
"""What drivers for CUDA 12.4 and later take."""


class _Inlined(ast.NodeTransformer):
    """Shifts by so many bits that they are known, without a call: Python's calls take longest."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(ast.Name("shr"), [word, ast.Constant(int(by))]) if 0 < by < _WORD:
                return _shifted(f"(0 & {_ALL}) >> {by}", word)
            case ast.Call(ast.Name("shl"), [word, ast.Constant(int(by))]) if 0 <= by < _WORD:
                return _shifted(f"(((0 << {by}) + {_SIGN}) & {_ALL}) - {_SIGN}", word)
            case _:
                return node


class _Metered(ast.NodeTransformer):
    """Loops that count their rounds."""

    NAME: Final = "_round"

    def visit_While(self, node: ast.While) -> ast.AST:
        return self._counted(node)

    def visit_For(self, node: ast.For) -> ast.AST:
        return self._counted(node)

    def _counted(self, node: ast.While | ast.For) -> ast.AST:
        self.generic_visit(node)
        called = ast.Call(ast.Name(self.NAME, ast.Load()), [], [])
        node.body.insert(0, ast.copy_location(ast.Expr(called), node.body[0]))
        return node


_STEPS_OF_A_ROUND: Final = 8
_RUNNING: Final = "trying the document out"
_WORD: Final = 64
_ALL: Final = (1 << _WORD) - 1
_SIGN: Final = 1 << (_WORD - 1)


def _shifted(written: str, word: ast.expr) -> ast.expr:
    """The expression *written* with *word* where the innermost operation has a 0."""
    inner = outer = ast.parse(written, mode="eval").body
    while isinstance(inner, ast.BinOp) and isinstance(inner.left, ast.BinOp):
        inner = inner.left
    assert isinstance(inner, ast.BinOp)
    inner.left = word
    return outer


def _functions(unit: Unit, *, is_metered: bool) -> dict[str, Callable[..., int]]:
    tree = ast.parse(unit.source)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not isinstance(node.body[-1], ast.Return):
            node.body.append(ast.copy_location(ast.Return(), node.body[-1]))
    for each in ast.walk(tree):
        if isinstance(each, ast.Return) and each.value is None:
            each.value = ast.copy_location(ast.Constant(0), each)
    if not _CHECKERS:
        tree = _Inlined().visit(tree)
    namespace: dict[str, object] = {**bits.PRIMITIVES, **dict(unit.constants)}
    if is_metered:
        tree = _Metered().visit(tree)
        namespace[_Metered.NAME] = functools.partial(Meter(_RUNNING).go, _STEPS_OF_A_ROUND)
    namespace |= _CHECKERS[0].primitives() if _CHECKERS else {}
    # The text is our own: made by our emitters, never a document's.
    exec(compile(ast.fix_missing_locations(tree), f"<{unit.name}>", "exec"), namespace)
    return {name: namespace[name] for name in unit.exports}  # type: ignore[misc] # they are defs
