"""Lists every pinned dependency with its licence and its hashes, and says what is not in order.

Comes in: requirements/*.txt, what the installed packages say of themselves, and the manifest of
the modules that the page ships (see `vendor.py`).
Goes out: docs/reference/dependencies.md.

    PYTHONPATH=src:. python tools/licences.py          # exit code 1 if something is not in order

A test fails when the page is not what this would write, and when something is not in order.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from email.message import Message
from importlib import metadata
from typing import Final

from tests.support.project import DOCS, ROOT, place
from tools import vendor
from zermelo.files.writing import replace

PAGE: Final = DOCS / "reference" / "dependencies.md"
REQUIREMENTS: Final = ROOT / "requirements"

PERMISSIVE: Final = frozenset(
    {
        "0BSD",
        "Apache-2.0",
        "Apache-2.0 WITH LLVM-exception",
        "BSD",  # One of the two below; a classifier does not say which.
        "BSD-2-Clause",
        "BSD-3-Clause",
        "CC0-1.0",
        "ISC",
        "MIT",
        "MIT-CMU",
        "PSF-2.0",
        "Zlib",
    }
)
"""Licences that what is given to users may have."""
OF_TOOLS: Final = PERMISSIVE | {"MPL-2.0"}
"""Licences that what only runs the tests may have: it is not given to anybody."""

USES: Final[Mapping[str, str]] = {
    "run": "What the program needs",
    "notebook": "What notebooks may use",
    "test": "What tests need",
}
"""The files of requirements, each with what it is for; a package is listed at the first."""

# Packages that do not state an expression have one of these classifiers.
_CLASSIFIED: Final[Mapping[str, str]] = {
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
    "License :: OSI Approved :: BSD License": "BSD",
    "License :: OSI Approved :: ISC License (ISCL)": "ISC",
    "License :: OSI Approved :: MIT License": "MIT",
    "License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "License :: OSI Approved :: Python Software Foundation License": "PSF-2.0",
}
# Older ones have a field for anything; it counts where it is a name, and not a text to be judged.
_NAMED: Final[Mapping[str, str]] = {"Apache 2.0": "Apache-2.0", **{each: each for each in OF_TOOLS}}
_ENTRY: Final = re.compile(r"(?P<name>[\w.-]+)==(?P<version>[\w.+!-]+)(?P<rest>[^\n]*(?:\n[ ].*)*)")
_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})(?![0-9a-f])")

_HEAD: Final = """\
# Dependencies

<!-- Written by tools/licences.py from requirements/ and the installed packages; do not edit. -->

Every version is pinned in `requirements/`, with the SHA-256 digests that its archives may have.
This page counts them; an archive with another digest is not installed.
What the program needs, or uses in a notebook, has a permissive licence.
What only runs its tests may be under the Mozilla Public License, too: no user is given it.
"""


@dataclass(frozen=True, slots=True)
class Dependency:
    """A pinned package."""

    name: str
    version: str
    licence: str | None
    """As an SPDX expression; ``None`` if the package does not say, or another version is here."""
    hashes: int
    use: str
    """The first file of requirements that has it."""


def dependencies() -> tuple[Dependency, ...]:
    """Everything in requirements/, what the program needs first."""
    found: dict[str, Dependency] = {}
    for use in USES:
        for each in pinned((REQUIREMENTS / f"{use}.txt").read_text("utf-8"), use=use):
            found.setdefault(each.name, each)
    return tuple(found.values())


def pinned(text: str, *, use: str) -> Iterator[Dependency]:
    """The packages that a file of requirements pins."""
    for entry in _ENTRY.finditer(text):
        name, version = entry["name"], entry["version"]
        hashes = len(set(_HASH.findall(entry["rest"])))
        yield Dependency(name, version, _installed(name, version), hashes, use)


def _installed(name: str, version: str) -> str | None:
    try:
        found = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return None
    assert isinstance(found, Message), "metadata is a message"
    return licence(found) if found["Version"] == version else None


def licence(said: Message) -> str | None:
    """The licence that a package states: an expression, a name, or what its classifiers say."""
    stated = said.get("License-Expression") or _NAMED.get(str(said.get("License", "")).strip())
    if stated:
        return str(stated)
    classified = [_CLASSIFIED.get(str(each)) for each in said.get_all("Classifier", [])]
    found = [each for each in classified if each is not None]
    return " OR ".join(found) or None


def complaints(of: Iterable[Dependency]) -> Iterator[str]:
    """What is not in order."""
    for each in of:
        if not each.hashes:
            yield f"{each.name} {each.version} has no hash"
        if each.licence is None:
            yield f"{each.name} {each.version} is not installed here, or does not say its licence"
            continue
        allowed = OF_TOOLS if each.use == "test" else PERMISSIVE
        if not _is_allowed(each.licence, allowed):
            yield f"{each.name} {each.version} is under {each.licence}"


def _is_allowed(expression: str, allowed: frozenset[str]) -> bool:
    """Whether an SPDX expression without brackets can be met with *allowed* licences.

    >>> _is_allowed("MIT AND PSF-2.0", PERMISSIVE), _is_allowed("MIT AND GPL-3.0", PERMISSIVE)
    (True, False)
    >>> _is_allowed("GPL-3.0 OR MIT", PERMISSIVE)
    True
    """
    return any(
        all(part.strip() in allowed for part in choice.split(" AND "))
        for choice in expression.split(" OR ")
    )


def page(of: Iterable[Dependency]) -> str:
    """The page that lists them."""
    every = list(of)
    parts = [_HEAD]
    for use, title in USES.items():
        parts += [f"\n## {title}\n", "| package | version | licence | hashes |"]
        parts += ["| --- | --- | --- | --- |"]
        parts += [
            f"| {each.name} | {each.version} | {each.licence or 'not known'} | {each.hashes} |"
            for each in every
            if each.use == use
        ]
    parts += _shipped()
    return "\n".join(parts) + "\n"


def _shipped() -> list[str]:
    """The modules of others that are part of the page."""
    listed = json.loads((vendor.FOLDER / vendor.MANIFEST).read_text("utf-8"))
    rows = (f"| {each['name']} | {each['version']} | {each['licence']} |" for each in listed)
    return [
        "\n## What the page ships\n",
        "These modules lie in the package with their licences, as `tools/vendor.py` fetched them.",
        "A manifest beside them has their digests, and a test compares them.\n",
        "| module | version | licence |",
        "| --- | --- | --- |",
        *rows,
    ]


def main() -> int:
    found = dependencies()
    wrong = list(complaints(found))
    print("\n".join(wrong) or f"{len(found)} dependencies are in order")
    if not wrong:
        replace(PAGE, page(found).encode())
        print(f"wrote {place(PAGE)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
