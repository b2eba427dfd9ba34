"""Files that come with the package: games, and the pages of diagnostics."""

from __future__ import annotations

from pathlib import Path


def data_folder(kind: str) -> Path:
    """The folder of games or pages: inside an installed package, or in the repository."""
    here = Path(__file__).parent.parent
    installed = here / "data" / kind
    if installed.is_dir():
        return installed
    repository = here.parent.parent
    return repository / ("games" if kind == "games" else "docs/reference/diagnostics")
