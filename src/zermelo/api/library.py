"""The games that come with the package."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from zermelo.api.data import data_folder
from zermelo.text.errors import UsageError
from zermelo.text.suggest import nearest

_ENDINGS: Final = (".md", ".led", ".net", ".pnml")
"""Of documents with sections, LED programs and nets."""


@dataclass(frozen=True, slots=True)
class LibraryGame:
    """A game that comes with the package."""

    name: str
    path: Path
    """Its document."""
    summary: str
    """What it is, in one sentence."""


def games() -> tuple[LibraryGame, ...]:
    """The games of the library, by name."""
    folder = data_folder("games")
    found = (
        (each, _document(each)) for each in sorted(folder.iterdir() if folder.is_dir() else ())
    )
    return tuple(LibraryGame(each.name, path, _summary(each)) for each, path in found if path)


def find(name: str) -> LibraryGame:
    """The game of the library called *name*; raises ``UsageError`` if there is none."""
    known = {each.name: each for each in games()}
    if name in known:
        return known[name]
    near = nearest(name, known)
    listed = ", ".join(near or known) or "none"
    raise UsageError(
        f"there is no file and no game of the library called `{name}`; "
        f"{'near it' if near else 'the library has'}: {listed}"
    )


def _document(folder: Path) -> Path | None:
    """The document in *folder*: it has the folder's name, and the ending of its dialect."""
    named = (folder / f"{folder.name}{ending}" for ending in _ENDINGS)
    return next((path for path in named if path.is_file()), None)


def _summary(folder: Path) -> str:
    """The first sentence of a game's README, behind its title."""
    path = folder / "README.md"
    if not path.is_file():
        return ""
    lines = path.read_text(encoding="utf-8").splitlines()
    words = (line.strip() for line in lines if line.strip() and not line.startswith("#"))
    return next(words, "")
