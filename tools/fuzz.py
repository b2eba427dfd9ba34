"""Looks for a text that makes reading raise, with atheris, for as long as you let it.

No document may raise, whatever is in it: what is wrong with it is a diagnostic. The tests look
for exceptions for a few seconds with hypothesis; this looks longer, and is led by coverage.
It goes from bytes to a system and to the text of every message; nothing is played, which would
take too long under atheris. Atheris is no requirement of the project; in an environment of its own:

    python3.11 -m venv fuzz-venv
    fuzz-venv/bin/pip install -r requirements/run.txt
    fuzz-venv/bin/pip install atheris
    PYTHONPATH=src fuzz-venv/bin/python tools/fuzz.py -max_total_time=600

Arguments are libFuzzer's; without a folder for its corpus, the documents of games/ and
tests/documents/ are where it starts. An input that raises or takes too long is written to a file
`crash-…` or `timeout-…`, and given as an argument it is tried again.
"""

from __future__ import annotations

import importlib
import shutil
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
SEEDS: Final = ("games/*/*.md", "tests/documents/*.md", "tests/documents/*.t*")
MISSING: Final = 2
LONGEST_INPUT: Final = 8192
SECONDS: Final = 20
"""What one input may take; atheris makes everything several times slower."""


def read(data: bytes) -> None:
    """Read *data* as a document: every stage gives a value or says why not, whatever *data* is."""
    # Atheris can only follow what is imported after it has been told to.
    from zermelo.api.languages import row_of  # noqa: PLC0415
    from zermelo.languages.sections.mean import document as meaning  # noqa: PLC0415
    from zermelo.languages.sections.read import document  # noqa: PLC0415
    from zermelo.text import decoding, render  # noqa: PLC0415

    decoded = decoding.decode(data, "fuzz.md")
    source = decoded.value
    if source is None or row_of(source).name != "sections":
        return
    parsed = document.parse(source)
    said = parsed.diagnostics
    if parsed.value is not None:
        said = (*said, *meaning.elaborate(parsed.value, source, choices={}).diagnostics)
    render.full(said, source)


def main() -> int:
    """Run until libFuzzer stops; 2 when atheris is missing."""
    atheris = _atheris()
    if atheris is None:
        print(
            "tools/fuzz.py needs atheris, which is not installed here; "
            "its first lines say how to install it",
            file=sys.stderr,
        )
        return MISSING
    with atheris.instrument_imports(include=["zermelo"]):
        importlib.import_module("zermelo.api")
    with tempfile.TemporaryDirectory() as folder:
        atheris.Setup(_arguments(sys.argv, Path(folder)), read)
        atheris.Fuzz()
    return 0


def _atheris() -> ModuleType | None:
    try:
        return importlib.import_module("atheris")
    except ModuleNotFoundError:
        return None


def _arguments(given: list[str], folder: Path) -> list[str]:
    """The arguments for libFuzzer: those *given*, our limits, and a corpus to start from."""
    arguments = [*given]
    names = {each.partition("=")[0] for each in given}
    for name, value in (("-max_len", LONGEST_INPUT), ("-timeout", SECONDS)):
        if name not in names:
            arguments.append(f"{name}={value}")
    if all(each.startswith("-") for each in given[1:]):
        arguments.append(str(_corpus(folder)))
    return arguments


def _corpus(folder: Path) -> Path:
    """The project's own documents, each a file of *folder*."""
    for pattern in SEEDS:
        for path in sorted(ROOT.glob(pattern)):
            shutil.copy(path, folder / f"{path.parent.name}-{path.name}")
    return folder


if __name__ == "__main__":
    sys.exit(main())
