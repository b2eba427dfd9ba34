"""The texts that one net is written in, and the files beside it from which they may come.

All of them are one long row of characters, of which the document itself is the first stretch.
What is said about a place in an included file is said at the directive that includes it, with
the file and the line in a note. Nothing outside the document's own folder is ever read.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Final

from zermelo.files.beside import look
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import Source, Span

MOST_BYTES: Final = 1_000_000
MOST_C_FILES: Final = 50
_NO_FILE: Final = "there is no such file"
_NO_TEXT: Final = "it is not a text in UTF-8"
_HELP: Final = {
    _NO_FILE: "it is looked for beside the file that includes it",
    _NO_TEXT: "save it as plain text in UTF-8",
}


@dataclass(frozen=True, slots=True)
class NetText:
    """One text, where it begins in the row, and the place that includes it."""

    source: Source
    start: int
    included_at: Span | None = None
    """In the row; ``None`` for the document itself, and for C files beside it."""

    def words(self, first: Span, last: Span) -> str:
        return " ".join(self.source.text[first.start - self.start : last.end - self.start].split())


@dataclass(slots=True)
class NetTexts:
    """The texts of one net."""

    all: list[NetText] = field(default_factory=list)

    def add(self, source: Source, included_at: Span | None = None) -> NetText:
        last = self.all[-1] if self.all else None
        start = last.start + len(last.source.text) + 1 if last else 0
        text = NetText(source, start, included_at)
        self.all.append(text)
        return text

    def text_at(self, offset: int) -> NetText:
        at = bisect_right(self.all, offset, key=lambda each: each.start) - 1
        return self.all[max(at, 0)]

    def in_document(self, span: Span) -> Span | None:
        """The place in the document itself that leads to *span*; ``None`` if there is none."""
        at: Span | None = span
        while at is not None:
            text = self.text_at(at.start)
            if text is self.all[0]:
                return Span(at.start, min(at.end, len(text.source.text)))
            at = text.included_at
        return None

    def described(self, span: Span) -> str:
        text = self.text_at(span.start)
        offset = span.start - text.start
        line, column = text.source.line_of(offset), text.source.column_of(offset)
        return f"{text.source.name}:{line}:{column}: `{text.source.line(line).strip()}`"

    def located(self, diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        return tuple(dict.fromkeys(self._located(each) for each in diagnostics))

    def _located(self, said: Diagnostic) -> Diagnostic:
        labels = (*((said.primary,) if said.primary else ()), *said.secondary)
        elsewhere = [each for each in labels if not self._is_in_document(each.span)]
        if not elsewhere:
            return said
        notes = [
            f"in {self.described(each.span)}{f', {each.text}' if each.text else ''}"
            for each in elsewhere
        ]
        primary = self._moved(said.primary)
        secondary = (self._moved(each) for each in said.secondary)
        fix = said.fix if said.fix and self._is_in_document(said.fix.span) else None
        return replace(
            said,
            primary=primary,
            secondary=tuple(each for each in secondary if each and each != primary),
            notes=(*notes, *said.notes),
            fix=fix,
        )

    def _moved(self, label: Label | None) -> Label | None:
        if label is None or self._is_in_document(label.span):
            return label
        span = self.in_document(label.span)
        return None if span is None else Label(span, "in what is included here")

    def _is_in_document(self, span: Span) -> bool:
        return self.text_at(span.start) is self.all[0]


@dataclass(frozen=True, slots=True)
class FileNotRead:
    """Why a file is not read, in words."""

    reason: str
    is_outside: bool = False

    @property
    def help(self) -> str | None:
        if self.is_outside:
            return "put the file beside the document, or into a folder there"
        return _HELP.get(self.reason)


@dataclass(frozen=True, slots=True)
class DocumentFiles:
    """The files that a document may read: those in its folder and below."""

    document: Path | None = None
    main: Source | None = None

    def read(self, name: str, *, beside: str) -> Source | FileNotRead:
        """The file that *name* names in the text called *beside*.

        Names of the sources are paths from the document's folder.
        """
        if "\0" in name or not name:
            return FileNotRead("that is no name of a file")
        if _leads_out(PurePosixPath(beside).parent / name):
            return FileNotRead("it is outside the document's folder", is_outside=True)
        if self.document is None:
            if self.main is not None and name == self.main.name:
                return self.main
            return FileNotRead("the document is not a file, so there is nothing beside it")
        root = self.document.parent.resolve()
        look(root / PurePosixPath(beside).parent / name)
        try:
            path = (root / PurePosixPath(beside).parent / name).resolve()
        except (OSError, RuntimeError):
            return FileNotRead("its name leads nowhere")
        if not path.is_relative_to(root):
            return FileNotRead("it is outside the document's folder", is_outside=True)
        return _read(path, path.relative_to(root).as_posix())

    @property
    def folder(self) -> str | None:
        """The name of the folder for files of C: ``NAME.src`` beside ``NAME.net``."""
        return None if self.document is None else f"{self.document.stem}.src"

    def c_sources(self) -> tuple[str, ...]:
        if self.document is None or self.folder is None:
            return ()
        folder = self.document.parent / self.folder
        look(folder)
        try:
            found = sorted(each.name for each in folder.iterdir() if each.suffix == ".c")
        except OSError:
            return ()
        return tuple(f"{folder.name}/{name}" for name in found[:MOST_C_FILES])


def _leads_out(path: PurePosixPath) -> bool:
    """Whether the words of *path* alone lead out of the folder it starts in."""
    depth = 0
    for part in path.parts:
        depth += {"..": -1, ".": 0}.get(part, 1)
        if depth < 0:
            return True
    return path.is_absolute()


def _read(path: Path, name: str) -> Source | FileNotRead:
    try:
        if not path.is_file():
            return FileNotRead(_NO_FILE)
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as fault:
        return FileNotRead(f"it cannot be read: {(fault.strerror or 'no reason is given').lower()}")
    if len(data) > MOST_BYTES:
        return FileNotRead(f"it has more than {MOST_BYTES:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return FileNotRead(_NO_TEXT)
    return Source(name, text.replace("\r\n", "\n").replace("\r", "\n"))
