"""Fetches the ES modules of others that the page uses, and makes them run without a build.

Comes in: the packages named below, fetched by name and version with npm.
Goes out: `src/zermelo/faces/web/static/vendor/`: one file a module, with its imports rewritten
to files beside it, the text of each licence, and `manifest.json` with versions and digests.

    PYTHONPATH=src:. python tools/vendor.py            # fetch and write
    PYTHONPATH=src:. python tools/vendor.py --compare  # exit code 1 if fetching gives other files

Whoever runs Zermelo needs neither npm nor a network: the files are part of the package.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.support.project import PACKAGE, place
from zermelo.files.writing import replace

FOLDER: Final = PACKAGE / "faces" / "web" / "static" / "vendor"
MANIFEST: Final = "manifest.json"

# npm's tag "latest" of the package "codemirror" is of version 5, so the parts are named one by one.
PINNED: Final[Mapping[str, str]] = {
    "@codemirror/autocomplete": "6.20.4",
    "@codemirror/commands": "6.11.1",
    "@codemirror/language": "6.13.1",
    "@codemirror/lint": "6.9.7",
    "@codemirror/search": "6.7.2",
    "@codemirror/state": "6.7.6",
    "@codemirror/streamparser": "6.0.0",
    "@codemirror/view": "6.43.15",
    "@lezer/common": "1.5.5",
    "@lezer/highlight": "1.2.5",
    "@marijn/find-cluster-break": "1.0.4",
    "crelt": "1.0.7",
    "style-mod": "4.1.4",
    "w3c-keyname": "2.2.8",
}
"""What is fetched: every module that one of these imports is among them."""
ALLOWED: Final = frozenset({"MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "0BSD"})

# A statement that imports or exports from another module begins a line of these files.
IMPORT: Final = re.compile(
    r"""^(?P<head>(?:import|export)\b[^;'"]*?\bfrom\s*|import\s*)(?P<quote>['"])(?P<name>[^'"]+)(?P=quote)""",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Fetched:
    """A package as it was published."""

    name: str
    version: str
    licence: str
    module: str
    """The text of the module that importing the package gives."""
    licence_text: str


def file_of(name: str) -> str:
    """The file of the package *name*.

    >>> file_of("@codemirror/state"), file_of("crelt")
    ('codemirror-state.js', 'crelt.js')
    """
    return name.removeprefix("@").replace("/", "-") + ".js"


def rewritten(module: str, known: Mapping[str, str]) -> str:
    """*module* with each import of a package replaced by the file beside it.

    >>> rewritten("import { a } from 'crelt';", {"crelt": "1.0.7"})
    "import { a } from './crelt.js';"
    """

    def local(found: re.Match[str]) -> str:
        name = found["name"]
        if name not in known:
            raise SystemExit(f"`{name}` is imported, and not among the packages to fetch")
        return f"{found['head']}{found['quote']}./{file_of(name)}{found['quote']}"

    return IMPORT.sub(local, module)


def fetched(name: str, version: str, folder: Path) -> Fetched:
    """The package *name*, fetched by npm, which compares it with the digest of its index."""
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm is needed to fetch the modules; Debian's package `npm` has it")
    command = [npm, "pack", f"{name}@{version}", "--ignore-scripts", "--silent"]
    done = subprocess.run(
        command, cwd=folder, check=True, capture_output=True, encoding="utf-8", timeout=120
    )
    archive = folder / done.stdout.split()[-1]
    with tarfile.open(archive) as opened:
        texts = {
            member.name.partition("/")[2]: _text(opened, member)
            for member in opened.getmembers()
            if member.isfile()
        }
    about = json.loads(texts["package.json"])
    entry = about.get("exports", {}).get("import") or about["module"]
    licence_file = next(each for each in texts if each.upper().startswith(("LICENSE", "LICENCE")))
    return Fetched(
        name, version, about["license"], texts[entry.removeprefix("./")], texts[licence_file]
    )


def _text(archive: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    opened = archive.extractfile(member)
    assert opened is not None, "it is a file"
    return opened.read().decode("utf-8", "replace")


def files(packages: Iterator[Fetched]) -> Iterator[tuple[str, bytes]]:
    """Every file of the folder, the manifest last."""
    listed = []
    for each in packages:
        if each.licence not in ALLOWED:
            raise SystemExit(f"{each.name} is under {each.licence}")
        module = rewritten(each.module, PINNED).encode()
        name = file_of(each.name)
        licence_file = f"licences/{name.removesuffix('.js')}.txt"
        listed.append(
            {
                "name": each.name,
                "version": each.version,
                "licence": each.licence,
                "files": {
                    name: hashlib.sha256(module).hexdigest(),
                    licence_file: hashlib.sha256(each.licence_text.encode()).hexdigest(),
                },
            }
        )
        yield name, module
        yield licence_file, each.licence_text.encode()
    yield MANIFEST, (json.dumps(listed, indent=2) + "\n").encode()


def main() -> int:
    parser = argparse.ArgumentParser(description="fetch the modules of others that the page uses")
    parser.add_argument("--compare", action="store_true", help="write nothing; say what differs")
    is_compared = parser.parse_args().compare
    differing = []
    with tempfile.TemporaryDirectory() as folder:
        packages = (fetched(name, version, Path(folder)) for name, version in PINNED.items())
        for name, content in files(packages):
            path = FOLDER / name
            if is_compared:
                if not path.is_file() or path.read_bytes() != content:
                    differing.append(name)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            replace(path, content)
    if differing:
        print("fetching gives something else for " + ", ".join(differing))
    else:
        print(f"{place(FOLDER)} {'is what is fetched' if is_compared else 'is written'}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
