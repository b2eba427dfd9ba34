r"""Writes the tables of docs/reference/language/symbols.md from the table of symbols.

Comes in: `zermelo.languages.sections.read.grammar.symbols`, and the page with its words.
Goes out: the page, with a table between each pair of markers. Run it after changing the symbols:

    PYTHONPATH=src:. python tools/symbols_reference.py
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from tests.support.project import DOCS, place
from zermelo.files.writing import replace
from zermelo.languages.sections.read.grammar.symbols import (
    DROPPED_ARGUMENT,
    FUNCTION_WORDS,
    GREEK,
    IGNORED,
    KEPT_ARGUMENT,
    NEGATED,
    SYMBOLS,
    VALUE_WORDS,
    Symbol,
)

PAGE: Final = DOCS / "reference" / "language" / "symbols.md"

_MARKED: Final = re.compile(
    r"(?P<begin><!-- begin (?P<name>[\w ]+) -->\n).*?(?P<end><!-- end (?P=name) -->)", re.DOTALL
)
_STROKE: Final = "\N{COMBINING LONG SOLIDUS OVERLAY}"


def page(text: str) -> str:
    r"""The page whose words are *text*, with its tables as they should be.

    >>> "`mod`" in page("<!-- begin signs -->\n<!-- end signs -->\n")
    True
    """
    tables = {
        "signs": _signs(),
        "values": _values(),
        "functions": _functions(),
        "strokes": _strokes(),
        "kept": _commands(KEPT_ARGUMENT),
        "dropped": _commands(DROPPED_ARGUMENT),
        "ignored": _commands(IGNORED),
        "letters": _commands(GREEK),
    }
    return _MARKED.sub(lambda part: part["begin"] + tables[part["name"]] + part["end"], text)


def main() -> None:
    """Write the page."""
    replace(PAGE, page(PAGE.read_text("utf-8")).encode())
    print(f"wrote {place(PAGE)}")


def _signs() -> str:
    headings = ("sign", "other Unicode", "LaTeX", "ASCII signs", "ASCII words")
    return _table(headings, map(_sign_row, SYMBOLS))


def _sign_row(symbol: Symbol) -> tuple[str, ...]:
    return (
        _code([symbol.text]),
        _code(symbol.unicode),
        _code(f"\\{name}" for name in symbol.latex),
        _code(symbol.ascii),
        _code(symbol.words),
    )


def _values() -> str:
    rows = ((_code(words), _code([text])) for text, words in _spellings(VALUE_WORDS).items())
    return _table(("words", "value"), rows)


def _functions() -> str:
    brackets = {"⌊": "⌊x⌋", "⌈": "⌈x⌉", "𝒫": "𝒫(x)", "|": "|x|"}
    rows = (
        (_code(f"{word}(x)" for word in words), _code([brackets[text]]))
        for text, words in _spellings(FUNCTION_WORDS).items()
    )
    return _table(("words", "meaning"), rows)


def _strokes() -> str:
    rows = (
        (_code([f"\\not {_command(text)}"]), _code([f"{text}{_STROKE}"]), _code([negated]))
        for text, negated in NEGATED.items()
    )
    return _table(("LaTeX", "Unicode", "sign"), rows)


def _spellings(meanings: Mapping[str, str]) -> dict[str, list[str]]:
    """The words that mean each thing, in the order of the table."""
    words: dict[str, list[str]] = {}
    for word, text in meanings.items():
        words.setdefault(text, []).append(word)
    return words


def _command(text: str) -> str:
    symbol = next(each for each in SYMBOLS if each.text == text)
    return f"\\{symbol.latex[0]}" if symbol.latex and not text.isascii() else text


def _commands(names: Iterable[str]) -> str:
    in_order = sorted(names, key=lambda name: (name.casefold(), name))
    return ", ".join(f"`\\{name}`" for name in in_order) + "\n"


def _code(texts: Iterable[str]) -> str:
    r"""The *texts* as code in a cell of a table, where a bar must be escaped.

    >>> _code(["|", "∣"])
    '`\\|` `∣`'
    """
    return " ".join(f"`{text}`".replace("|", "\\|") for text in texts)


def _table(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [headings, tuple("---" for _ in headings), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


if __name__ == "__main__":
    main()
