"""The golden runner: Markdown files whose blocks say what goes in and what must come out.

Comes in: a folder of such files. Goes out: cases, and for each a comparison with what was made.
With `pytest --update-golden` the expected block is rewritten, and the difference is reviewed.
"""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.markdown import Fence, fences, with_bodies
from tests.support.project import place


@dataclass(frozen=True, slots=True)
class GoldenCase:
    """One golden file."""

    path: Path
    title: str
    """Its first heading."""
    blocks: Mapping[str, str]
    """The text of each block under the first word of its info string."""
    options: Mapping[str, Mapping[str, str]]
    """The `name=value` words behind it."""

    @property
    def name(self) -> str:
        """The file's name without its ending, which is also the test's."""
        return self.path.stem

    def only(self, prefix: str) -> str:
        """The name of the one block whose name starts with *prefix*."""
        names = [name for name in self.blocks if name.startswith(prefix)]
        if len(names) != 1:
            found = ", ".join(names) or "none"
            raise AssertionError(f"{place(self.path)}: one `{prefix}` block is needed, not {found}")
        return names[0]


def cases(folder: Path) -> list[GoldenCase]:
    """The golden files of *folder*, in the order of their names."""
    return [read(path) for path in sorted(folder.glob("*.md"))]


def read(path: Path) -> GoldenCase:
    """The golden file at *path*."""
    text = path.read_text(encoding="utf-8")
    blocks: dict[str, str] = {}
    options: dict[str, Mapping[str, str]] = {}
    for block in fences(text):
        if block.kind in blocks:
            where = f"{place(path)}:{block.line}"
            raise AssertionError(f"{where}: a second `{block.kind}` block; each has its own name")
        blocks[block.kind] = block.body
        options[block.kind] = block.options
    return GoldenCase(path, _title(text), blocks, options)


def check(case: GoldenCase, block_name: str, actual: str, *, update: bool) -> None:
    """Compare *actual* with a block of *case*, or with *update* put it there.

    Line breaks at the end do not matter; every other character does.
    """
    actual = _ended(actual)
    if update:
        _write(case, block_name, actual)
        return
    if block_name not in case.blocks:
        pytest.fail(
            f"{place(case.path)}: no `{block_name}` block; `pytest --update-golden` adds it",
            pytrace=False,
        )
    expected = _ended(case.blocks[block_name])
    if actual != expected:
        difference = _difference(expected, actual)
        pytest.fail(f"{place(case.path)}: {block_name}\n{difference}", pytrace=False)


def _title(text: str) -> str:
    headings = (line for line in text.splitlines() if line.startswith("# "))
    return next(headings, "").removeprefix("# ").strip()


def _ended(text: str) -> str:
    stripped = text.rstrip("\n")
    return f"{stripped}\n" if stripped else ""


def _difference(expected: str, actual: str) -> str:
    return "\n".join(
        difflib.unified_diff(
            expected.splitlines(), actual.splitlines(), "expected", "actual", lineterm=""
        )
    )


def _write(case: GoldenCase, block_name: str, actual: str) -> None:
    text = case.path.read_text(encoding="utf-8")
    existing = _block(text, block_name)
    if existing is None:
        marks = _marks(actual)
        new = f"{text.rstrip()}\n\n{marks}{block_name}\n{actual}{marks}\n"
    else:
        new = with_bodies(text, {existing.line: actual})
    if new != text:
        case.path.write_text(new, encoding="utf-8")


def _block(text: str, block_name: str) -> Fence | None:
    return next((block for block in fences(text) if block.kind == block_name), None)


def _marks(body: str) -> str:
    # A fence must be longer than any inside it.
    marks = "```"
    while marks in body:
        marks += "`"
    return marks
