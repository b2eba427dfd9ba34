"""A document as a page to be read and printed: one file of HTML, with its formulas in MathML.

The page needs nothing else and asks for nothing: no script, no address, no font.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, assert_never

from zermelo.text.editing import BlockKind, MathBlock
from zermelo.text.render import shown_in_xml

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
_DEEPEST: Final = 3
_STYLE: Final = """\
:root { color-scheme: light dark; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1.25rem;
  font: 1.0625rem/1.5 "Iowan Old Style", Palatino, "URW Palladio L", Georgia, serif; }
h1 { font-weight: 500; font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 2rem 0 0.5rem; padding-bottom: 0.2rem; border-bottom: 1px solid; font-weight: 500;
  font-size: 1.1875rem; break-after: avoid; }
p { margin: 0.5rem 0; white-space: pre-line; }
.formula, .setting { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 1.5rem;
  margin: 0.4rem 0; break-inside: avoid; overflow-x: auto; }
.level-1 { margin-left: 1.75rem; }
.level-2 { margin-left: 3.5rem; }
.level-3 { margin-left: 5.25rem; }
math { margin: 0; font-family: "STIX Two Math", "Latin Modern Math", "Cambria Math",
  "DejaVu Math TeX Gyre", math; }
math[display="block"] { display: block math; width: max-content; text-align: start; }
mi.long { font-family: inherit; font-style: italic; } mtext { font-family: inherit; }
mtd { padding: 0.125rem 0; text-align: start; }
small { font-style: italic; opacity: 0.75; }
pre, .setting code { font: 0.875rem/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, monospace; }
pre { margin: 0.5rem 0; padding: 0.25rem 0.75rem; border-left: 3px solid; white-space: pre-wrap; }
@page { margin: 2cm; }
@media print { body { max-width: none; margin: 0; padding: 0; font-size: 11pt; } }"""


def html_page(blocks: Iterable[MathBlock], *, title: str) -> str:
    """*blocks* as a page; *title* is used where they have none."""
    shown = list(blocks)
    titles = (each.text for each in shown if each.kind is BlockKind.TITLE)
    named = next(titles, None)
    heading = [] if named is not None else [f"<h1>{shown_in_xml(title)}</h1>"]
    head = (
        "<!doctype html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{shown_in_xml(named or title)}</title>",
        f"<style>\n{_STYLE}\n</style>",
    )
    return "\n".join(chain(head, heading, map(_block, shown), ["</html>", ""]))


def _block(block: MathBlock) -> str:
    text = shown_in_xml(block.text)
    level = f" level-{min(block.level, _DEEPEST)}" if block.level else ""
    match block.kind:
        case BlockKind.TITLE:
            return f"<h1>{text}</h1>"
        case BlockKind.HEADING:
            return f"<h2>{text}</h2>"
        case BlockKind.PROSE:
            return f'<p class="prose{level}">{text}</p>'
        case BlockKind.SOURCE:
            return f'<pre class="source{level}">{text}</pre>'
        case BlockKind.FORMULA | BlockKind.SETTING:
            inside = "".join(_inside(block))
            return f'<div class="{block.kind.value}{level}">{inside}</div>'
        case _:
            assert_never(block.kind)


def _inside(block: MathBlock) -> Iterator[str]:
    if block.math is None:
        yield f"<code>{shown_in_xml(block.text)}</code>"
    else:
        yield f'<math display="block">{block.math.to_xml()}</math>'
    if block.note:
        yield f"<small>{shown_in_xml(block.note)}</small>"
