"""Writes the examples and the index of the diagnostic pages.

Comes in: the golden cases tests/golden/diagnostics/Zxxx-*.md and the table of codes.
Goes out: in each docs/reference/diagnostics/Zxxx.md everything from the heading "Example" on, and
index.md.

    PYTHONPATH=src:. python tools/pages.py
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tests.support.markdown import fences
from tests.support.project import DOCS, TESTS, place
from zermelo.files.writing import replace
from zermelo.text import codes
from zermelo.text.codes import Code

CASES: Final = TESTS / "golden" / "diagnostics"
PAGES: Final = DOCS / "reference" / "diagnostics"

HEADING: Final = "## Example"

_RANGES: Final[Mapping[str, str]] = {
    "Z1": "Reading the document: its form, its sections, damage",
    "Z2": "Symbols and grammar",
    "Z3": "Names",
    "Z4": "Types and sets",
    "Z5": "Facts, initialisation, rules, roles, readings",
    "Z6": "While running",
    "Z7": "Lints",
    "Z9": "Our fault",
}

_INDEX_HEAD: Final = """\
# Diagnostics

<!-- Written by tools/pages.py from src/zermelo/text/codes.py; do not edit. -->

Everything Zermelo says about a document has a code, and every code has a page.
`zermelo explain Z301` prints one.

An *error* is about something that cannot be used.
A *warning* is about something that was assumed, and says what.
A *note* is about something worth knowing.
"""


def pages() -> Iterator[tuple[Path, str]]:
    """Every file that is written here, with the text it should have."""
    for code in sorted(codes.ALL):
        path = PAGES / f"{code}.md"
        if path.is_file():
            cases = [case.read_text("utf-8") for case in sorted(CASES.glob(f"{code}-*.md"))]
            yield path, with_example(path.read_text("utf-8"), cases)
    yield PAGES / "index.md", index(codes.ALL)


def with_example(page: str, cases: list[str]) -> str:
    r"""The text of *page* that ends with the examples of *cases*.

    >>> case = "# Z1: t\n\nWords.\n\n```spec\na\n```\n\n```diagnostics\nb\n```\n"
    >>> once = with_example("# Z1\n", [case])
    >>> once == with_example(once, [case])
    True
    """
    kept = page.split(f"\n{HEADING}", maxsplit=1)[0].rstrip()
    if not cases:
        return f"{kept}\n"
    shown = "\n\n".join(_example(case) for case in cases)
    return f"{kept}\n\n{HEADING}{'s' if len(cases) > 1 else ''}\n\n{shown}\n"


def index(every: Mapping[str, Code]) -> str:
    """The page that lists *every* code."""
    lines = [_INDEX_HEAD]
    for prefix, title in _RANGES.items():
        found = [code for id_, code in sorted(every.items()) if id_.startswith(prefix)]
        if found:
            lines.append(f"## {prefix}xx: {title}\n")
            lines.append("| code | usually | what it is |\n| --- | --- | --- |")
            lines.extend(
                f"| [{code.id}]({code.id}.md) | {code.severity.value} | {code.title} |"
                for code in found
            )
            lines.append("")
    return "\n".join(lines)


def main() -> None:
    """Write what is not current."""
    for path, text in pages():
        if not path.is_file() or path.read_text("utf-8") != text:
            replace(path, text.encode())
            print(f"wrote {place(path)}")


def _example(case: str) -> str:
    blocks = {block.kind: block for block in fences(case)}
    parts = [_words(case)]
    for kind in ("spec", "reading", "diagnostics"):
        if kind in blocks:
            marks = blocks[kind].marks
            parts.append(f"{marks}text\n{blocks[kind].body}{marks}")
    return "\n\n".join(part for part in parts if part)


def _words(case: str) -> str:
    """What a case says before its first block, without its title."""
    before = case.split("```", maxsplit=1)[0].splitlines()
    return "\n".join(line for line in before if not line.startswith("# ")).strip()


if __name__ == "__main__":
    main()
