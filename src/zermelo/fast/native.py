"""Native code without a compiler: LLVM modules made into object code, and object code loaded.

Needs llvmlite and nothing else, so a command that finds its code in the cache starts soon.
"""

import functools
import threading
from collections.abc import Iterable, Mapping
from typing import Final

# llvmlite says nothing about its types.
import llvmlite  # type: ignore[import-untyped]
import llvmlite.binding as llvm  # type: ignore[import-untyped]

_LOCK = threading.Lock()


@functools.cache
def host() -> str:
    """What object code depends on besides its source: the processor and the versions of LLVM."""
    version = ".".join(map(str, llvm.llvm_version_info))
    features = llvm.get_host_cpu_features().flatten()
    place = (llvm.get_process_triple(), llvm.get_host_cpu_name(), features)
    return "\n".join((llvmlite.__version__, version, *place))


def target_machine() -> llvm.TargetMachine:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple = llvm.get_process_triple()
    options = {"reloc": "static"} if triple.startswith("x86") else {}
    return llvm.Target.from_triple(triple).create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        codemodel="jitdefault",
        jit=True,
        **options,
    )


def object_code(text: str, exports: Iterable[str], level: int = 2) -> bytes:
    """The module written as *text*, with all but *exports* hidden, optimised and translated."""
    machine = target_machine()
    module = llvm.parse_assembly(text)
    module.verify()
    hide(module, frozenset(exports))
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = level > 2
    options.slp_vectorization = level > 2
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


def ptx(text: str, exports: Iterable[str], chip: int, version: int) -> str:
    """The module written as *text* in the language of GPUs by NVIDIA, for *chip* and newer ones.

    *chip* is a compute capability without its point, *version* that of the language, likewise.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(PTX_TRIPLE).create_target_machine(
        cpu=f"sm_{chip}", features=f"+ptx{version}", opt=3
    )
    # Read without it, words would be taken to lie at multiples of 4 only.
    layout = f'target datalayout = "{machine.target_data}"\ntarget triple = "{PTX_TRIPLE}"\n'
    module = llvm.parse_assembly(layout + text)
    module.verify()
    hide(module, frozenset(exports))
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(module, builder)
    return str(machine.emit_assembly(module))


PTX_TRIPLE: Final = "nvptx64-nvidia-cuda"


def hide(module: llvm.ModuleRef, exports: frozenset[str]) -> None:
    """Let LLVM inline and forget everything of *module* that is not in *exports*."""
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name in exports else "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"


class NotLoadable(RuntimeError):
    """What was given is no object code, or has not the functions that it should have."""


class Loaded:
    """Object code in memory; it goes away with this object, so whoever calls it holds this.

    LLVM tells what is no object code, or is cut short. Object code that is whole but wrong can end
    the process already here, before it is called: whoever gives it must know where it is from.
    """

    def __init__(self, code: bytes, symbols: Iterable[str]) -> None:
        with _LOCK:
            file = llvm.ObjectFileRef.from_data(code)
            if not file:
                file.detach()
                raise NotLoadable("these bytes are no object code")
            machine = target_machine()
            self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
            self._engine.add_object_file(file)
            self._engine.finalize_object()
            self.addresses: Mapping[str, int] = {
                symbol: self._engine.get_function_address(symbol) for symbol in symbols
            }
        for symbol, address in self.addresses.items():
            if not address:
                raise NotLoadable(f"this object code has no function {symbol}")
