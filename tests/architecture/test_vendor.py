"""The modules of others are what was fetched, need nothing from outside, and are small."""

import hashlib
import json
import re
import zlib
from pathlib import Path
from typing import TypedDict

import pytest

from tools import vendor


class Listed(TypedDict):
    """A package in the manifest."""

    name: str
    version: str
    licence: str
    files: dict[str, str]


MANIFEST: list[Listed] = json.loads((vendor.FOLDER / vendor.MANIFEST).read_text("utf-8"))
MODULES = sorted(vendor.FOLDER.glob("*.js"))
REGISTRIES = re.compile(r"npmjs|registry\.|unpkg|jsdelivr|esm\.sh|skypack|cdnjs|yarnpkg", re.I)
LARGEST = 400_000
"""Bytes of all modules, compressed one by one as a server sends them."""


def test_the_manifest_lists_every_file_with_its_digest() -> None:
    listed = {name: digest for each in MANIFEST for name, digest in each["files"].items()}
    there = {
        path.relative_to(vendor.FOLDER).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in vendor.FOLDER.rglob("*")
        if path.is_file() and path.name != vendor.MANIFEST
    }

    assert listed == there


def test_the_manifest_has_the_versions_that_are_pinned() -> None:
    assert {each["name"]: each["version"] for each in MANIFEST} == dict(vendor.PINNED)


def test_every_module_has_a_licence_that_may_be_given_away_with_its_text() -> None:
    for each in MANIFEST:
        assert each["licence"] in vendor.ALLOWED
        texts = [name for name in each["files"] if name.startswith("licences/")]
        assert len(texts) == 1
        assert "Permission is hereby granted" in (vendor.FOLDER / texts[0]).read_text("utf-8")


@pytest.mark.parametrize("path", MODULES, ids=[path.name for path in MODULES])
def test_every_import_is_a_file_beside_the_module(path: Path) -> None:
    text = path.read_text("utf-8")
    names = [found["name"] for found in vendor.IMPORT.finditer(text)]

    assert all(name.startswith("./") for name in names)
    assert all((path.parent / name).is_file() for name in names)
    # No other form of import escapes the expression above.
    assert len(re.findall(r"^import\b", text, re.M)) == len(
        [each for each in vendor.IMPORT.finditer(text) if each["head"].startswith("import")]
    )
    assert not re.search(r"\bimport\s*\(", text)


@pytest.mark.parametrize("path", MODULES, ids=[path.name for path in MODULES])
def test_no_module_names_a_registry_or_runs_text_as_code(path: Path) -> None:
    text = path.read_text("utf-8")

    assert not REGISTRIES.search(text)
    assert not re.search(r"\beval\(|new Function\(", text)


def test_all_modules_are_small_enough_for_the_page() -> None:
    assert sum(len(zlib.compress(path.read_bytes(), 9)) for path in MODULES) < LARGEST


def test_an_import_that_is_not_fetched_is_refused() -> None:
    with pytest.raises(SystemExit, match="left-pad"):
        vendor.rewritten("import pad from 'left-pad';", {"crelt": "1"})


def test_imports_over_several_lines_and_for_effect_are_rewritten() -> None:
    known = {"crelt": "1", "@lezer/common": "1"}
    module = (
        'import {\n  a,\n  b\n} from "@lezer/common";\n'
        "import 'crelt';\nexport { c } from 'crelt';\n"
    )

    assert vendor.rewritten(module, known) == (
        'import {\n  a,\n  b\n} from "./lezer-common.js";\n'
        "import './crelt.js';\nexport { c } from './crelt.js';\n"
    )
