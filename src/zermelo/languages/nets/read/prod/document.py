"""Nets in PROD's language: texts become a net as it was written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from zermelo.languages.nets.read.prod import tree
from zermelo.languages.nets.read.prod.c_part import declarations
from zermelo.languages.nets.read.prod.files import Files, NotRead
from zermelo.languages.nets.read.prod.parser import parse as parse_tokens
from zermelo.languages.nets.read.prod.preprocessor import Preprocessor
from zermelo.languages.nets.read.prod.texts import Texts
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.source import Source, Span

_DIRECTIVE: Final = re.compile(r"^[ \t]*#[ \t]*[a-z]+", re.MULTILINE)
_PROSE: Final = re.compile(r"[A-Za-z]+ [a-z]+ [a-z]+ [a-z]+")


@dataclass(frozen=True, slots=True)
class Written:
    """A net as it was written, and all the texts it is written in."""

    document: tree.Document
    texts: Texts


def parse(source: Source, path: Path | None = None) -> Checked[Written]:
    """The net in *source*; where that is a file, *path* is its place.

    What is said has its places in the row of ``Written.texts``, and
    ``Texts.located`` moves them into the document.
    """
    if not _DIRECTIVE.search(source.text) and _PROSE.search(source.text):
        return Checked(None, (_only_words(source),))
    said: list[Diagnostic] = []
    texts, files = Texts(), Files(path, source)
    preprocessor = Preprocessor(texts, files, said)
    tokens = preprocessor.run(texts.add(source))
    if preprocessor.macros.is_too_much:
        # What was left out because of that is missing everywhere else.
        too_much = [each for each in said if each.code is codes.MACROS_WITHOUT_BOUND]
        return Checked(None, texts.located(too_much))
    parts = parse_tokens(tokens, said)
    declared = [*declarations(parts.c, said)]
    for name in files.c_sources():
        declared.extend(_beside(name, texts, files, said))
    if not parts.places and not parts.transitions and not said:
        said.append(_nothing(source))
    name = source.name.rpartition("/")[2].rpartition(".")[0] or source.name
    document = tree.Document(
        name,
        tuple(parts.places),
        tuple(parts.transitions),
        tuple(parts.constants),
        tuple(declared),
        preprocessor.macros.names,
        preprocessor.macros.leading_back,
        files.folder,
    )
    return Checked(Written(document, texts), tuple(_once(said)))


def _beside(
    name: str, texts: Texts, files: Files, said: list[Diagnostic]
) -> tuple[tree.Declaration, ...]:
    """What the C file called *name* declares."""
    found = files.read(name, beside="")
    if isinstance(found, NotRead):
        code = codes.FILE_OUTSIDE if found.is_outside else codes.FILE_NOT_INCLUDED
        said.append(Diagnostic(code, f"`{name}` cannot be read: {found.reason}", help=found.help))
        return ()
    tokens = Preprocessor(texts, files, said).run(texts.add(found))
    return declarations(tokens, said)


def _once(said: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """*said* with only the first word on how numbers are read."""
    is_said = False
    for each in said:
        if each.code is not codes.UNSIGNED_AS_SIGNED or not is_said:
            yield each
        is_said = is_said or each.code is codes.UNSIGNED_AS_SIGNED


def _only_words(source: Source) -> Diagnostic:
    first = len(source.text) - len(source.text.lstrip())
    end = source.text.find("\n", first)
    return Diagnostic(
        codes.NO_NET,
        "this text speaks of a net, and none is written in it",
        primary=Label(Span(first, end if end >= 0 else len(source.text))),
        notes=("no line begins with `#place` or `#trans`",),
        help="write the net in PROD's language, with lines such as `#place p mk(<..>)`; "
        "`zermelo games` names a net to look at",
    )


def _nothing(source: Source) -> Diagnostic:
    return Diagnostic(
        codes.NO_NET,
        "there is no place and no transition in this net",
        primary=Label(Span(0, min(1, len(source.text)))),
        help="write `#place NAME mk(<..>)` and `#trans NAME … #endtr`, each on lines of its own",
    )
