"""The import rule: data flows one way, so imports point one way."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.support.project import PACKAGE, SOURCE, modules, place

# Parts may import those in the rows above them, and no other in their own row.
# Type-only and function-level imports count. A language is a part of its own.
ROWS: tuple[tuple[str, ...], ...] = (
    ("text",),
    ("files",),
    ("fast",),
    ("core",),
    ("packing",),
    ("languages.sections", "languages.led", "languages.nets", "engines", "draw"),
    ("play",),
    ("api",),
    ("faces", "__init__"),
    ("__main__",),
)
MAY_IMPORT = {
    part: {other for above in ROWS[:number] for other in above}
    for number, row in enumerate(ROWS)
    for part in row
} | {"languages": set()}

MODULES = modules(PACKAGE)


@pytest.mark.parametrize("path", MODULES, ids=[place(path) for path in MODULES])
def test_a_module_imports_only_what_its_layer_may(path: Path) -> None:
    layer = part(module_name(path))
    assert layer in MAY_IMPORT, f"{layer} is a new part: give it a place in ROWS"

    wrong = [
        f"{place(path)}:{line}: {layer} may not import {part(name)}"
        for line, name in imports(path.read_text(encoding="utf-8"))
        if part(name) != layer and part(name) not in MAY_IMPORT[layer]
    ]

    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("path", MODULES, ids=[place(path) for path in MODULES])
def test_a_module_hides_no_import(path: Path) -> None:
    wrong = [f"{place(path)}:{line}: {why}" for line, why in hidden(path.read_text("utf-8"))]

    assert not wrong, "\n".join(wrong)


def test_modules_import_each_other_without_cycles() -> None:
    graph = module_graph({module_name(path): path.read_text("utf-8") for path in MODULES})

    cycle = first_cycle(graph)

    assert not cycle, "these modules import each other: " + " → ".join(cycle)


def test_every_form_of_import_is_seen() -> None:
    source = (
        "import zermelo\n"
        "import zermelo.text.source, os\n"
        "from zermelo import api\n"
        "from zermelo.core import ir\n"
        "def later():\n"
        "    import zermelo.meaning.names\n"
        "    importlib.import_module('zermelo.kernels')\n"
    )

    assert list(imports(source)) == [
        (1, "zermelo"),
        (2, "zermelo.text.source"),
        (3, "zermelo.api"),
        (4, "zermelo.core.ir"),
        (6, "zermelo.meaning.names"),
        (7, "zermelo.kernels"),
    ]


def test_relative_and_type_only_imports_are_found() -> None:
    source = "from . import names\nif typing.TYPE_CHECKING:\n    import os\n"

    assert [line for line, _ in hidden(source)] == [1, 2]


def test_a_cycle_of_modules_is_found() -> None:
    sources = {
        "zermelo.a": "from zermelo.b import x",
        "zermelo.b": "def f():\n    from zermelo import c",
        "zermelo.c": "import zermelo.a",
    }

    assert set(first_cycle(module_graph(sources))) == set(sources)


def part(name: str) -> str:
    """The part of the package that the module *name* belongs to.

    >>> part("zermelo.core.values"), part("zermelo.languages.nets.ir"), part("zermelo")
    ('core', 'languages.nets', '__init__')
    """
    _, *parts = name.split(".")
    depth = 2 if parts[:1] == ["languages"] else 1
    return ".".join(parts[:depth]) or "__init__"


def imports(source: str) -> Iterator[tuple[int, str]]:
    """What *source* imports of the package, in full, with the line of each.

    `from a import b` gives `a.b`, which is a module or a name in one.
    """
    found = [
        (node.lineno, name)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.stmt | ast.expr)
        for name in imported(node)
        if name == "zermelo" or name.startswith("zermelo.")
    ]
    yield from sorted(found)


def imported(node: ast.AST) -> list[str]:
    """The names that the one statement or call *node* imports."""
    match node:
        case ast.Import(names=aliases):
            return [alias.name for alias in aliases]
        case ast.ImportFrom(module=str(module), level=0, names=aliases):
            return [f"{module}.{alias.name}" for alias in aliases]
        case ast.Call(
            func=ast.Name(id="import_module" | "__import__") | ast.Attribute(attr="import_module"),
            args=[ast.Constant(value=str(name)), *_],
        ):
            return [name]
        case _:
            return []


def hidden(source: str) -> Iterator[tuple[int, str]]:
    """The imports in *source* that the rule could not see, with the line of each."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.ImportFrom(level=level) if level:
                yield node.lineno, "relative import; write the full name"
            case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
                yield node.lineno, "type-only import; if it makes a cycle, the type has no place"
            case _:
                pass


def module_name(path: Path) -> str:
    """The name under which the file at *path* is imported."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def module_graph(sources: dict[str, str]) -> dict[str, set[str]]:
    """Which module of *sources* imports which."""
    return {
        name: {owner(target, sources) for _, target in imports(source)} - {name}
        for name, source in sources.items()
    }


def owner(name: str, sources: dict[str, str]) -> str:
    """The module that *name* is, or is in."""
    return name if name in sources or "." not in name else name.rpartition(".")[0]


def first_cycle(graph: dict[str, set[str]]) -> list[str]:
    """A cycle in *graph*, each module imported by the next; empty if there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []
