"""The files beside a document: what it includes, and C in the folder ``NAME.src``.

Nothing outside the document's own folder is ever read, whatever a name or a link says.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from zermelo.text.source import Source

MOST_BYTES: Final = 1_000_000
MOST_C_FILES: Final = 50
_NO_FILE: Final = "there is no such file"
_NO_TEXT: Final = "it is not a text in UTF-8"
_HELP: Final = {
    _NO_FILE: "it is looked for beside the file that includes it",
    _NO_TEXT: "save it as plain text in UTF-8",
}


@dataclass(frozen=True, slots=True)
class NotRead:
    """Why a file is not read, in words."""

    reason: str
    is_outside: bool = False

    @property
    def help(self) -> str | None:
        """What can be done about it."""
        if self.is_outside:
            return "put the file beside the document, or into a folder there"
        return _HELP.get(self.reason)


@dataclass(frozen=True, slots=True)
class Files:
    """The files that a document may read: those in its folder and below."""

    document: Path | None = None
    """Where the document stands; ``None`` when it is no file."""
    main: Source | None = None
    """The document itself."""

    def read(self, name: str, *, beside: str) -> Source | NotRead:
        """The file that *name* names in the text called *beside*.

        Names of the sources are paths from the document's folder.
        """
        if "\0" in name or not name:
            return NotRead("that is no name of a file")
        if _leads_out(PurePosixPath(beside).parent / name):
            return NotRead("it is outside the document's folder", is_outside=True)
        if self.document is None:
            if self.main is not None and name == self.main.name:
                return self.main
            return NotRead("the document is not a file, so there is nothing beside it")
        root = self.document.parent.resolve()
        try:
            path = (root / PurePosixPath(beside).parent / name).resolve()
        except (OSError, RuntimeError):
            return NotRead("its name leads nowhere")
        if not path.is_relative_to(root):
            return NotRead("it is outside the document's folder", is_outside=True)
        return _read(path, path.relative_to(root).as_posix())

    @property
    def folder(self) -> str | None:
        """The name of the folder for files of C: ``NAME.src`` beside ``NAME.net``."""
        return None if self.document is None else f"{self.document.stem}.src"

    def c_sources(self) -> tuple[str, ...]:
        """The names of the C files in that folder."""
        if self.document is None or self.folder is None:
            return ()
        folder = self.document.parent / self.folder
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


def _read(path: Path, name: str) -> Source | NotRead:
    try:
        if not path.is_file():
            return NotRead(_NO_FILE)
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as fault:
        return NotRead(f"it cannot be read: {(fault.strerror or 'no reason is given').lower()}")
    if len(data) > MOST_BYTES:
        return NotRead(f"it has more than {MOST_BYTES:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return NotRead(_NO_TEXT)
    return Source(name, text.replace("\r\n", "\n").replace("\r", "\n"))
