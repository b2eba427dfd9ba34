"""Modules stay small, say what they are, and leave talking to the faces."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.project import PACKAGE, TESTS, modules, place

LONGEST = 800

# What only a face may touch: the terminal and the environment.
CALLS = {"print", "input", "breakpoint"}
MEMBERS = {
    "sys": {"stdin", "stdout", "stderr", "argv", "exit"},
    "os": {"environ", "environb", "getenv", "putenv"},
}

# The command line begins with the first line of the package: Ctrl-C can come while it is imported.
BEGINS = {"__init__.py", "__main__.py"}
BELOW_FACES = [
    path
    for path in modules(PACKAGE)
    if path.relative_to(PACKAGE).parts[0] not in {"faces", *BEGINS}
]


def test_no_module_is_too_long() -> None:
    lengths = sorted(
        ((line_count(path), place(path)) for path in modules(PACKAGE) + modules(TESTS)),
        reverse=True,
    )

    longest = "\n".join(f"{length:5} {name}" for length, name in lengths[:10])
    assert all(length <= LONGEST for length, _ in lengths), f"the ten longest modules:\n{longest}"


def test_every_public_module_says_what_it_is() -> None:
    silent = [place(path) for path in modules(PACKAGE) if is_public(path) and not says(path)]

    assert not silent, "these modules have no docstring:\n" + "\n".join(silent)


@pytest.mark.parametrize("path", BELOW_FACES, ids=[place(path) for path in BELOW_FACES])
def test_only_faces_talk_to_the_outside(path: Path) -> None:
    wrong = [f"{place(path)}:{line}: {what}" for line, what in talk(path.read_text("utf-8"))]

    assert not wrong, "only faces may use these:\n" + "\n".join(wrong)


def test_nothing_reads_a_format_that_can_run_code() -> None:
    unsafe = {"pickle", "marshal", "shelve", "dill", "cloudpickle"}
    used = [
        f"{place(path)}: {name}"
        for path in modules(PACKAGE)
        for name in imported(path.read_text("utf-8"))
        if name.partition(".")[0] in unsafe
    ]

    assert not used, "a crafted file of these formats runs what it says:\n" + "\n".join(used)


def imported(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=aliases):
                yield from (alias.name for alias in aliases)
            case ast.ImportFrom(module=str(module)):
                yield module
            case _:
                pass


def test_addresses_of_arrays_come_from_one_place_that_the_checker_knows() -> None:
    """What takes an address in another way hides an array from the checker of native code."""
    known = {"fast/bits.py", "fast/checked.py"}
    wrong = [
        place(path)
        for path in modules(PACKAGE)
        if ".ctypes.data" in path.read_text("utf-8")
        and path.relative_to(PACKAGE).as_posix() not in known
    ]

    assert not wrong, "use `fast.bits.address` in\n" + "\n".join(wrong)


def test_nobody_moves_the_limit_of_recursion() -> None:
    """It is one for all threads: who needs more of the stack goes on in a thread of its own."""
    moved = re.compile(r"setrecursionlimit|threading\.stack_size")
    found = [place(path) for path in modules(PACKAGE) if moved.search(path.read_text("utf-8"))]

    assert not found


def test_every_form_of_talk_is_seen() -> None:
    source = (
        "print(1)\n"
        "sys.stdout.write('x')\n"
        "home = os.environ['HOME']\n"
        "from os import getenv\n"
        "answer = input()\n"
        "log = print\n"
    )

    assert sorted(talk(source)) == [
        (1, "print"),
        (2, "sys.stdout"),
        (3, "os.environ"),
        (4, "os.getenv"),
        (5, "input"),
        (6, "print"),
    ]


def line_count(path: Path) -> int:
    """The number of lines of the file at *path*."""
    return len(path.read_text(encoding="utf-8").splitlines())


def is_public(path: Path) -> bool:
    """Whether no part of the module's name says that it is private."""
    names = [part.removesuffix(".py") for part in path.relative_to(PACKAGE).parts]
    return not any(name.startswith("_") and not name.startswith("__") for name in names)


def says(path: Path) -> bool:
    """Whether the module has a docstring, or is empty and has nothing to say."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return not tree.body or ast.get_docstring(tree) is not None


def talk(source: str) -> Iterator[tuple[int, str]]:
    """Where *source* touches the terminal or the environment, and by what."""
    nodes = list(ast.walk(ast.parse(source)))
    # A parameter of that name (the input of a frame) is something else.
    parameters = {node.arg for node in nodes if isinstance(node, ast.arg)}
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Load()) if name in CALLS - parameters:
                yield node.lineno, name
            case ast.Attribute(value=ast.Name(id=module), attr=name) if name in MEMBERS.get(
                module, set()
            ):
                yield node.lineno, f"{module}.{name}"
            case ast.ImportFrom(module=str(module), names=aliases):
                for alias in aliases:
                    if alias.name in MEMBERS.get(module, set()):
                        yield node.lineno, f"{module}.{alias.name}"
            case _:
                pass
