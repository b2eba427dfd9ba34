"""Which version of Zermelo this is."""

from __future__ import annotations

import tomllib
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path


def version() -> str:
    """The version: of the repository when it runs from one, else of the installed package."""
    project = Path(__file__).parents[4] / "pyproject.toml"
    if project.is_file():
        found = tomllib.loads(project.read_text(encoding="utf-8")).get("project", {})
        if found.get("name") == "zermelo":
            return str(found["version"])
    try:
        return installed_version("zermelo")
    except PackageNotFoundError:
        return "of unknown version"
