"""Measures the plan of the source: how many modules, how deep, how far languages leak.

    PYTHONPATH=src .venv/bin/python tools/measure.py [ROOT] [--json | --places]

Comes in: the root of a checkout, by default this one. Goes out: a table in Markdown, each measure
with its ceiling. The functions below are the definitions of the measures. All but one read the
source and run nothing of it; what an import loads is found by importing in a new interpreter.
`--places` lists where each number comes from: every question for a language, the longest chain of
imports, the names of classes. Exit code 1 if a part named in ``PARTS`` is nowhere to be found.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final, TypeAlias

HERE: Final = Path(__file__).resolve().parents[1]
PACKAGE: Final = "zermelo"
SHORT: Final = 100
"""A module of fewer lines is short."""
OFTEN: Final = 3
"""A name that so many classes share is used too often."""

TABLE: Final = "zermelo.api.languages"
"""The one table of languages."""
BEFORE_TABLE: Final = (
    "zermelo.api.games",
    "zermelo.api.led",
    "zermelo.api.nets",
    "zermelo.api.sections",
)
"""Where documents are told apart and read in a checkout that has no such table."""
LANGUAGES: Final = (
    "zermelo.languages",
    # Where languages are as long as they have no folder of their own.
    "zermelo.syntax",
    "zermelo.meaning",
    "zermelo.core.interpreter",
    "zermelo.core.led",
    "zermelo.core.nets",
    "zermelo.kernels",
    "zermelo.engines.led_findings",
    "zermelo.engines.led_manner",
    "zermelo.engines.nets",
    "zermelo.exchange.net_dot",
    "zermelo.exchange.net_layout",
    "zermelo.exchange.net_rows",
    "zermelo.exchange.net_svg",
    "zermelo.exchange.net_words",
    "zermelo.exchange.pnml",
    "zermelo.exchange.pnml_ids",
    "zermelo.exchange.prod",
    "zermelo.exchange.prod_code",
    "zermelo.exchange.prod_tidy",
    "zermelo.play.easel",
    "zermelo.play.explain_led",
    "zermelo.play.nets",
)
"""The modules, and the folders of modules, that are about one language."""
ALL_HAVE: Final = frozenset({"system", "model", "document", "folder", "path", "reason"})
"""What a game of any language can lack: its document could not be read, or is no file."""
KINDS: Final = frozenset({"dialect", "language"})
"""What says of a game in which language it is written."""
KIND_CLASSES: Final = frozenset({"Dialect", "Language"})
"""What an attribute of that kind is one of."""
WITHOUT_GAMES: Final = ("zermelo.text", "zermelo.fast")
"""Folders to which no game comes: what has the name of a game's field there is something else."""
NAMES: Final = frozenset({"sections", "led", "net", "nets", "prod", "pnml"})
"""How a text in the source can name a language."""

Place: TypeAlias = tuple[str, int, str]
"""A module, a line, and what stands there."""


@dataclass(frozen=True, slots=True)
class Part:
    """Something that should be there once: what counts as one, and those there are.

    Each is the place of a definition, ``module:name`` without the folders, or several, newest
    first. Parts become one by having one place: whoever merges two puts it first in both.
    """

    title: str
    counts: str
    places: tuple[tuple[str, ...], ...]


PARTS: Final = (
    Part(
        "planners of bindings",
        "chooses the order in which the parameters of a move, or the variables of a transition, "
        "get their values, and what each is taken from",
        (
            ("binding_plan:BindingPlan", "queries:Query"),
            ("binding_plan:BindingPlan", "arguments:_Loops"),
            ("binding_plan:BindingPlan", "matching:Matcher"),
            ("binding_plan:BindingPlan", "binding:Binding"),
        ),
    ),
    Part(
        "sweeps",
        "goes from a first state through all that follow, nearest first, and keeps which were met",
        (
            ("sweep:Sweep", "walk:Walk"),
            ("sweep:Sweep", "survey:survey"),
            ("sweep:Sweep", "graphing:graph_of"),
            ("sweep:Sweep", "explore:plays"),
        ),
    ),
    Part(
        "layouts",
        "gives the nodes of a graph places on a page, and curves to its arcs",
        (("layout:layout", "graph_layout:drawing"), ("layout:layout", "net_layout:net_drawing")),
    ),
    Part(
        "C expression readers",
        "makes the tree of an expression in C, of tokens or of what another parser found",
        (
            ("expressions:ExpressionReader", "expressions:Cursor"),
            ("expressions:ExpressionReader", "c_convert:Converter"),
        ),
    ),
)


@dataclass(frozen=True)
class Module:
    """A file of the package, read."""

    name: str
    path: Path
    text: str
    is_package: bool = False
    """Whether it is the ``__init__.py`` of a folder, which is not counted as a module."""

    @cached_property
    def tree(self) -> ast.Module:
        """The text, parsed."""
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of the tree."""
        return tuple(ast.walk(self.tree))

    @property
    def lines(self) -> int:
        """How many lines it has, of any kind."""
        return len(self.text.splitlines())

    @cached_property
    def imports(self) -> tuple[tuple[int, str, str], ...]:
        """The line, the target and the local name of each import, wherever it stands.

        `from a import b` has the target `a.b`, which is a module or a name in one.
        """
        return tuple(each for node in self.nodes for each in imported(node))

    @cached_property
    def targets(self) -> Mapping[str, str]:
        """What the names that it imports stand for."""
        return {local: target for _, target, local in self.imports if local}


@dataclass(frozen=True)
class Source:
    """All modules of a package, by name."""

    root: Path
    modules: Mapping[str, Module]
    fields: frozenset[str] = field(default=frozenset())
    """What only the games of some languages have; see ``optional_fields``."""

    @property
    def counted(self) -> tuple[Module, ...]:
        """The modules without the ``__init__.py`` of folders."""
        return tuple(each for each in self.modules.values() if not each.is_package)

    def owner(self, target: str) -> str:
        """The module that *target* is, or is in."""
        while target not in self.modules and "." in target:
            target = target.rpartition(".")[0]
        return target

    def resolved(self, target: str) -> str:
        """*target* where it is defined, whoever hands it on."""
        for _ in range(len(self.modules)):
            owner = self.owner(target)
            rest = target[len(owner) + 1 :]
            first, _, more = rest.partition(".")
            if owner not in self.modules or first not in self.modules[owner].targets:
                return target
            found = self.modules[owner].targets[first]
            target = f"{found}.{more}" if more else found
        return target


def read(root: Path) -> Source:
    """The package of the checkout at *root*."""
    folder = root / "src"
    found: dict[str, Module] = {}
    for path in sorted((folder / PACKAGE).rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        found[name] = Module(name, path, path.read_text(encoding="utf-8"), is_package)
    return Source(root, found, optional_fields(found.values()))


def imported(node: ast.AST) -> list[tuple[int, str, str]]:
    """The line, the target and the local name of what *node* imports of the package.

    >>> [imported(node) for node in ast.parse('''
    ... import zermelo.core as waist, os
    ... from zermelo import api
    ... ''').body]
    [[(2, 'zermelo.core', 'waist')], [(3, 'zermelo.api', 'api')]]
    """
    found: list[tuple[int, str, str]] = []
    match node:
        case ast.Import(names=aliases):
            found = [(node.lineno, each.name, each.asname or "") for each in aliases]
        case ast.ImportFrom(module=str(module), names=aliases):
            found = [
                (node.lineno, f"{module}.{each.name}", each.asname or each.name) for each in aliases
            ]
        case ast.Call(
            func=ast.Name(id="import_module" | "__import__") | ast.Attribute(attr="import_module"),
            args=[ast.Constant(value=str(name)), *_],
        ):
            found = [(node.lineno, name, "")]
        case _:
            pass
    return [each for each in found if is_within(each[1], (PACKAGE,))]


def is_within(name: str, places: Iterable[str]) -> bool:
    """Whether the module *name* is one of *places* or in one.

    >>> is_within("zermelo.core.ir", ["zermelo.core"]), is_within("zermelo.cores", ["zermelo.core"])
    (True, False)
    """
    return any(name == place or name.startswith(f"{place}.") for place in places)


# Size


def short(source: Source) -> tuple[str, ...]:
    """The modules of fewer than 100 lines."""
    return tuple(each.name for each in source.counted if each.lines < SHORT)


def code_lines(module: Module) -> int:
    """The lines of *module* without blank lines, comments, docstrings and imports.

    A docstring is any statement that is only a string, so that what describes a field is one too.
    Imports within functions are imports. What is left of a line counts.

    >>> code_lines(Module("zermelo.lines", Path(), '''
    ... # why
    ... from os import (
    ...     path,
    ... )
    ... LONGEST = 3  # lines
    ... "How long it may be."
    ... def text():
    ...     "What it gives."
    ...     return (
    ...         "a")
    ... '''))
    4
    """
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(module.text).readline):
        if token.type not in skipped and token.type != tokenize.ENDMARKER:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in module.nodes:
        if isinstance(node, ast.stmt) and _is_import_or_docstring(node):
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def _is_import_or_docstring(node: ast.stmt) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant(value=str())):
            return True
        case _:
            return False


def folders(source: Source) -> Counter[str]:
    """How many modules lie in each folder, without those in folders below it."""
    return Counter(each.name.rpartition(".")[0] for each in source.counted)


def shared_class_names(source: Source) -> dict[str, int]:
    """The names that three classes or more have, and how many; an underscore before it is no name.

    Classes within classes and functions count.
    """
    names = Counter(
        node.name.lstrip("_")
        for module in source.modules.values()
        for node in module.nodes
        if isinstance(node, ast.ClassDef)
    )
    return {name: count for name, count in names.most_common() if count >= OFTEN}


# Imports


def longest_chain(source: Source) -> tuple[str, ...]:
    """The most modules of which each imports the next; its length is the depth of the graph.

    Imports within functions count, and `__init__.py` is a module where it is imported by name:
    who imports `a.b.c` does not import `a.b`. Raises ``CycleError`` if modules import each other.
    """
    graph = {
        module.name: {source.owner(target) for _, target, _ in module.imports}
        & (source.modules.keys() - {module.name})
        for module in source.modules.values()
    }
    chains: dict[str, tuple[str, ...]] = {}
    for name in TopologicalSorter(graph).static_order():
        below = max((chains[each] for each in sorted(graph[name])), key=len, default=())
        chains[name] = (name, *below)
    return max(chains.values(), key=len, default=())


def loaded(root: Path, code: str) -> tuple[str, ...]:
    """Our modules in ``sys.modules`` after *code* in a new interpreter, `__init__.py` included."""
    show = f"import sys; print(*(m for m in sys.modules if m.split('.')[0] == {PACKAGE!r}))"
    answer = subprocess.run(
        [sys.executable, "-P", "-c", f"{code}\n{show}"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root / "src"), "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return tuple(sorted(answer.stdout.split()))


# Questions for a language


def questions(source: Source) -> tuple[Place, ...]:
    """The lines that ask for the language of a document, outside languages and the one table.

    A question is

    - `isinstance`, `issubclass` or a comparison of types with a class that a language defines, and
      a `match` with one among its patterns, but no assertion, which only claims;
    - a comparison or a `match` with a member of `Dialect`;
    - whether there is something that only games of some languages have: a field of `Game` or
      `Model` that may be `None`, or a local name for it, compared with `None`, taken for a truth
      value, or looked for by `hasattr` or `getattr`;
    - every use of an attribute that says which language it is: `game.dialect`;
    - a comparison with the name of a language, as text;
    - every import from `zermelo.languages`.

    A line counts once.

    >>> face = '''from zermelo import api
    ... from zermelo.languages.nets import TokenGame
    ... def shown(game):
    ...     assert isinstance(game.machine, api.Frames)
    ...     program = game.program
    ...     if program is None or game.net:
    ...         return game.dialect is Dialect.LED
    ...     match game.machine:
    ...         case TokenGame():
    ...             return True
    ...     return isinstance(game.machine, api.Frames)
    ... '''
    >>> api = "from zermelo.core.led.frames import Frames"
    >>> texts = {"zermelo.faces.shown": face, "zermelo.api": api}
    >>> modules = {name: Module(name, Path(), text) for name, text in texts.items()}
    >>> found = questions(Source(Path(), modules, fields=frozenset({"net", "program"})))
    >>> [line for _, line, _ in found]
    [2, 6, 7, 8, 11]
    """
    tables = (TABLE,) if TABLE in source.modules else BEFORE_TABLE
    found = {
        (module.name, line): words
        for module in source.modules.values()
        if not is_within(module.name, (*LANGUAGES, *tables))
        for line, words in _Asker(source, module).questions()
    }
    return tuple((name, line, words) for (name, line), words in sorted(found.items()))


def optional_fields(modules: Iterable[Module]) -> frozenset[str]:
    """The fields of classes `Game` and `Model` that may be ``None``, as another language has none.

    >>> game = '''class Game:
    ...     system: System | None
    ...     net: Net | None
    ...     name: str'''
    >>> optional_fields([Module("zermelo.api.game", Path(), game)])
    frozenset({'net'})
    """
    return frozenset(
        field.target.id
        for module in modules
        if not is_within(module.name, LANGUAGES)
        for node in module.nodes
        if isinstance(node, ast.ClassDef) and node.name in {"Game", "Model"}
        for field in node.body
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if "None" in ast.unparse(field.annotation) and field.target.id not in ALL_HAVE
    )


class _Asker:
    """Finds the questions of one module."""

    def __init__(self, source: Source, module: Module) -> None:
        self._source = source
        self._module = module
        self._fields = frozenset[str]() if is_within(module.name, WITHOUT_GAMES) else source.fields
        self._claims = {id(node.test) for node in module.nodes if isinstance(node, ast.Assert)}
        self._aliases = {
            target.id
            for node in module.nodes
            if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr)
            if isinstance(node.value, ast.Attribute) and node.value.attr in self._fields
            for target in (node.targets if isinstance(node, ast.Assign) else (node.target,))
            if isinstance(target, ast.Name)
        }

    def questions(self) -> Iterator[tuple[int, str]]:
        """The line and the text of each question."""
        for line, target, _ in self._module.imports:
            if is_within(target, ("zermelo.languages",)):
                yield line, f"import of {target}"
        for node in self._module.nodes:
            if id(node) in self._claims:
                continue
            if isinstance(node, ast.stmt | ast.expr) and self._asks(node):
                asked = node.subject if isinstance(node, ast.Match) else node
                yield node.lineno, ast.unparse(asked).splitlines()[0]
            for test in _truths(node):
                if self._is_field(test):
                    yield test.lineno, ast.unparse(test)

    def _asks(self, node: ast.stmt | ast.expr) -> bool:
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kinds]):
                return self._names_language(kinds)
            case ast.Call(
                func=ast.Name(id="hasattr" | "getattr"), args=[_, ast.Constant(value=name), *_]
            ):
                return name in self._fields | KINDS
            case ast.Compare(left=left, comparators=others):
                return self._compares(left, *others)
            case ast.Match(subject=subject, cases=cases):
                patterns = [part for case in cases for part in ast.walk(case.pattern)]
                return self._is_field(subject) or any(map(self._is_asked_by, patterns))
            case ast.Attribute(attr=name, ctx=ast.Load()):
                return name in KINDS
            case _:
                return False

    def _is_asked_by(self, pattern: ast.AST) -> bool:
        match pattern:
            case ast.MatchClass(cls=cls):
                return self._names_language(cls)
            case ast.MatchValue(value=value):
                return self._compares(value)
            case _:
                return False

    def _compares(self, *operands: ast.expr) -> bool:
        has_none = any(isinstance(each, ast.Constant) and each.value is None for each in operands)
        has_type = any(_is_type(each) for each in operands)
        return any(
            self._is_kind(each)
            or (has_type and self._names_language(each))
            or (has_none and self._is_field(each))
            or (isinstance(each, ast.Constant) and each.value in NAMES)
            for each in operands
        )

    def _is_field(self, node: ast.expr) -> bool:
        match node:
            case ast.Attribute(attr=name):
                return name in self._fields
            case ast.Name(id=name):
                return name in self._aliases
            case ast.NamedExpr(value=value):
                return self._is_field(value)
            case _:
                return False

    def _is_kind(self, node: ast.expr) -> bool:
        """Whether *node* is a member of a class that tells languages apart, or has one in it."""
        return any(
            isinstance(part, ast.Attribute) and _last(part.value) in KIND_CLASSES
            for part in ast.walk(node)
        )

    def _names_language(self, node: ast.expr) -> bool:
        """Whether *node* is, or has in it, a name that is defined in a language."""
        return any(
            is_within(self._source.resolved(target), LANGUAGES)
            for part in ast.walk(node)
            if isinstance(part, ast.Name | ast.Attribute)
            if (target := self._target(part)) is not None
        )

    def _target(self, node: ast.expr) -> str | None:
        match node:
            case ast.Name(id=name):
                return self._module.targets.get(name)
            case ast.Attribute(value=value, attr=name):
                target = self._target(value)
                return None if target is None else f"{target}.{name}"
            case _:
                return None


def _last(node: ast.expr) -> str | None:
    """The last name in *node*: `c` of `a.b.c`."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return None


def _is_type(node: ast.expr) -> bool:
    """Whether *node* asks for the class of something."""
    match node:
        case ast.Call(func=ast.Name(id="type")) | ast.Attribute(attr="__class__"):
            return True
        case _:
            return False


def _truths(node: ast.AST) -> list[ast.expr]:
    """What *node* takes for a truth value."""
    match node:
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            return [test]
        case ast.BoolOp(values=values) | ast.comprehension(ifs=values):
            return values
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return [operand]
        case ast.Call(func=ast.Name(id="bool"), args=[value]):
            return [value]
        case _:
            return []


# Parts that should be there once


def found_parts(source: Source, part: Part) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The definitions that *part* names, each once, and the places that name none."""
    defined: dict[str, list[str]] = {}
    for module in source.counted:
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                key = f"{module.name.rpartition('.')[2]}:{node.name}"
                defined.setdefault(key, []).append(f"{module.name}:{node.name}")
    found: dict[str, None] = {}
    missing: list[str] = []
    for places in part.places:
        here = next((defined[place] for place in places if place in defined), None)
        if here is None:
            missing.append(places[0])
        else:
            found.update(dict.fromkeys(here))
    return tuple(found), tuple(missing)


def prompts(source: Source) -> tuple[Place, ...]:
    """The loops over what somebody types, in which each line is answered.

    What reads a line calls ``input``. A generator of lines that does is no prompt, but each loop
    over what it gives is; any other function that calls ``input`` is one itself.
    """
    functions = [
        (module, node)
        for module in source.counted
        if "input(" in module.text
        for node in module.nodes
        if isinstance(node, ast.FunctionDef) and _calls(node, {"input"})
    ]
    generators = {node.name for _, node in functions if _is_generator(node)}
    direct = [
        (module.name, node.lineno, node.name)
        for module, node in functions
        if not _is_generator(node)
    ]
    loops = [
        (module.name, node.iter.lineno, ast.unparse(node.iter))
        for module in source.counted
        for node in module.nodes
        if isinstance(node, ast.For | ast.comprehension) and _calls(node.iter, generators)
    ]
    return tuple(sorted([*direct, *loops]))


def _calls(node: ast.AST, names: Collection[str | None]) -> bool:
    return any(isinstance(part, ast.Call) and _last(part.func) in names for part in ast.walk(node))


def _is_generator(node: ast.FunctionDef) -> bool:
    return any(isinstance(part, ast.Yield | ast.YieldFrom) for part in ast.walk(node))


# The table


@dataclass(frozen=True, slots=True)
class Measure:
    """A row of the table: one number or several of one kind, and the most that each may be."""

    title: str
    values: tuple[int, ...]
    ceilings: tuple[int, ...]
    places: tuple[str, ...] = ()
    """Where the numbers come from, for whoever wants to lower them."""

    def __str__(self) -> str:
        now = " / ".join(f"{value:,}" for value in self.values)
        after = " / ".join(f"≤ {value:,}" if value > 1 else f"{value}" for value in self.ceilings)
        return f"| {self.title} | {now} | {after} |"


def measures(source: Source) -> tuple[Measure, ...]:
    """Every measure of *source*."""
    modules = source.modules.values()
    shorts, sizes, chain = short(source), folders(source), longest_chain(source)
    asked, names, typed = questions(source), shared_class_names(source), prompts(source)
    at_import = loaded(source.root, "import zermelo")
    at_load = loaded(source.root, "import zermelo; zermelo.load('tic-tac-toe')")
    parts = {part.title: found_parts(source, part)[0] for part in PARTS}
    return (
        Measure(
            "modules, without `__init__.py` / those under 100 lines",
            (len(source.counted), len(shorts)),
            (360, 40),
            shorts,
        ),
        Measure(
            "lines in `src` / without blank lines, comments, docstrings, imports",
            (sum(each.lines for each in modules), sum(code_lines(each) for each in modules)),
            (91_000, 64_000),
        ),
        Measure(
            "modules in one folder",
            (max(sizes.values(), default=0),),
            (20,),
            tuple(f"{name}: {count}" for name, count in sizes.most_common()),
        ),
        Measure(
            "questions for a dialect outside `languages/` and the one table",
            (len(asked),),
            (0,),
            _shown(asked),
        ),
        Measure("depth of the import graph", (len(chain),), (22,), chain),
        Measure(
            'our modules in `sys.modules` after `import zermelo` / after `load("tic-tac-toe")`',
            (len(at_import), len(at_load)),
            (60, 120),
            at_load,
        ),
        Measure(
            "class names used three times or more",
            (len(names),),
            (20,),
            tuple(f"{name}: {count}" for name, count in names.items()),
        ),
        Measure(
            " / ".join((*parts, "prompts")),
            (*(len(found) for found in parts.values()), len(typed)),
            (1,) * (len(parts) + 1),
            (*(each for found in parts.values() for each in found), *_shown(typed)),
        ),
    )


def _shown(places: Iterable[Place]) -> tuple[str, ...]:
    return tuple(f"{name}:{line}: {words}" for name, line, words in places)


def main() -> int:
    """Print the measures of one checkout."""
    parser = argparse.ArgumentParser(description="Measures the plan of the source.")
    parser.add_argument("root", type=Path, nargs="?", default=HERE, metavar="ROOT")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="the numbers and their places, as JSON")
    form.add_argument("--places", action="store_true", help="where each number comes from, too")
    options = parser.parse_args()
    source = read(options.root.resolve())
    rows = measures(source)
    if options.json:
        print(json.dumps([_as_json(row) for row in rows], indent=2, ensure_ascii=False))
    else:
        print("| measure | now | ceiling |", "|---|--:|--:|", *rows, sep="\n")
    if options.places:
        for row in rows:
            print(f"\n{row.title}", *(f"    {place}" for place in row.places), sep="\n")
    missing = [place for part in PARTS for place in found_parts(source, part)[1]]
    for place in missing:
        print(f"{place} is named in PARTS and is not there: say where it went", file=sys.stderr)
    return 1 if missing else 0


def _as_json(row: Measure) -> dict[str, object]:
    return {
        "measure": row.title,
        "now": row.values,
        "ceiling": row.ceilings,
        "places": row.places,
    }


if __name__ == "__main__":
    sys.exit(main())
