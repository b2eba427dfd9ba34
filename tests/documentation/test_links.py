"""Every link from a page of this repository to another leads to a page and a heading of it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.project import DOCS, ROOT, place

PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *ROOT.glob("games/*/README.md")])

_LINK = re.compile(r"\[[^\]\n]*\]\(([^()\s]+)\)")
_FENCE = re.compile(r"^(`{3,})[^\n]*\n.*?^\1\s*$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=[place(page) for page in PAGES])
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    wrong = [target for target in links(page) if not leads_somewhere(page, target)]

    assert not wrong, f"{place(page)}: {', '.join(wrong)}"


def test_a_heading_has_the_anchor_that_browsers_look_for() -> None:
    assert anchor("How playing decides") == "how-playing-decides"
    assert anchor("`zermelo check FILE --json`") == "zermelo-check-file---json"


def links(page: Path) -> Iterator[str]:
    """The targets of the links of *page* that lead to files here; those in blocks are none."""
    for target in _LINK.findall(_FENCE.sub("", page.read_text("utf-8"))):
        if "://" not in target:
            yield target


def leads_somewhere(page: Path, target: str) -> bool:
    """Whether *target*, in *page*, is a file and, behind a `#`, a heading in it."""
    name, _, heading = target.partition("#")
    path = (page.parent / name).resolve() if name else page
    if not path.is_file():
        return False
    return not heading or heading in anchors(path)


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of *page*."""
    return {anchor(title) for title in _HEADING.findall(_FENCE.sub("", page.read_text("utf-8")))}


def anchor(title: str) -> str:
    """What a link to a heading with this *title* says behind its `#`."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
