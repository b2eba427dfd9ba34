"""Files that come with the package: games, and the pages of diagnostics."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from zermelo.api.languages import LANGUAGES
from zermelo.text.errors import UsageError
from zermelo.text.suggest import nearest


def data_folder(kind: str) -> Path:
    """The folder of games or pages: inside an installed package, or in the repository."""
    here = Path(__file__).parent.parent
    installed = here / "data" / kind
    if installed.is_dir():
        return installed
    repository = here.parent.parent
    return repository / ("games" if kind == "games" else "docs/reference/diagnostics")


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
    """The document in *folder*: it has the folder's name, and an ending of its language."""
    named = (folder / f"{folder.name}{ending}" for row in LANGUAGES for ending in row.endings)
    return next((path for path in named if path.is_file()), None)


def _summary(folder: Path) -> str:
    """The first sentence of a game's README, behind its title."""
    path = folder / "README.md"
    if not path.is_file():
        return ""
    lines = path.read_text(encoding="utf-8").splitlines()
    words = (line.strip() for line in lines if line.strip() and not line.startswith("#"))
    return next(words, "")
