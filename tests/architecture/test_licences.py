"""Every dependency has a licence that is allowed and hashes that are checked, and is listed."""

from email.message import Message

import pytest

from tools import licences
from tools.licences import Dependency

FOUND = licences.dependencies()


def test_every_dependency_is_in_order() -> None:
    assert list(licences.complaints(FOUND)) == []


def test_every_pin_is_listed() -> None:
    for name in licences.USES:
        text = (licences.REQUIREMENTS / f"{name}.txt").read_text("utf-8")
        pins = {line.split("==")[0] for line in text.splitlines() if "==" in line}
        assert pins <= {each.name for each in FOUND}
        found = licences.pinned(text, use=name)
        assert sum(each.hashes for each in found) == text.count("--hash=sha256:")


def test_the_page_is_current() -> None:
    assert licences.PAGE.read_text("utf-8") == licences.page(FOUND), (
        "dependencies.md is not current; `PYTHONPATH=src:. python tools/licences.py` writes it"
    )


@pytest.mark.parametrize(
    ("dependency", "complaint"),
    [
        (Dependency("a", "1", "MIT", 0, use="run"), "a 1 has no hash"),
        (Dependency("a", "1", "GPL-3.0", 2, use="test"), "a 1 is under GPL-3.0"),
        (Dependency("a", "1", "MPL-2.0", 2, use="run"), "a 1 is under MPL-2.0"),
        (Dependency("a", "1", "MPL-2.0", 2, use="notebook"), "a 1 is under MPL-2.0"),
        (
            Dependency("a", "1", None, 2, use="run"),
            "a 1 is not installed here, or does not say its licence",
        ),
    ],
)
def test_what_is_not_in_order_is_said(dependency: Dependency, complaint: str) -> None:
    assert list(licences.complaints([dependency])) == [complaint]


def test_a_pin_is_read_with_its_hashes() -> None:
    hashes = [f"--hash=sha256:{letter * 64}" for letter in "ab"]
    text = " \\\n    ".join(["no-such-package==1.2", *hashes]) + "\n"

    (found,) = licences.pinned(text, use="run")

    assert found == Dependency("no-such-package", "1.2", None, 2, use="run")


def test_a_licence_is_an_expression_or_a_name_or_a_classifier() -> None:
    stated, named, classified, silent = Message(), Message(), Message(), Message()
    stated["License-Expression"] = "MIT AND Zlib"
    named["License"] = "Apache 2.0"
    classified["Classifier"] = "Programming Language :: Python"
    classified["Classifier"] = "License :: OSI Approved :: MIT License"
    silent["License"] = "see the file"

    assert [licences.licence(each) for each in (stated, named, classified, silent)] == [
        "MIT AND Zlib",
        "Apache-2.0",
        "MIT",
        None,
    ]
