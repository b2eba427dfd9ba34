"""Every diagnostic is shown once and explained once."""

from tests.support.project import DOCS, TESTS
from zermelo.text import codes

GOLDEN = TESTS / "golden" / "diagnostics"
PAGES = DOCS / "reference" / "diagnostics"


def test_every_code_has_a_golden_case() -> None:
    lacking = [code for code in sorted(codes.ALL) if not list(GOLDEN.glob(f"{code}-*.md"))]

    assert not lacking, f"no golden case in tests/golden/diagnostics/ for {', '.join(lacking)}"


def test_every_code_has_a_page() -> None:
    lacking = [code for code in sorted(codes.ALL) if not (PAGES / f"{code}.md").is_file()]

    assert not lacking, f"no page in docs/reference/diagnostics/ for {', '.join(lacking)}"


def test_every_golden_case_and_page_has_a_code() -> None:
    named = {path.stem.split("-")[0] for folder in (GOLDEN, PAGES) for path in folder.glob("Z*.md")}

    assert not named - set(codes.ALL)


def test_a_code_stands_under_its_own_id() -> None:
    wrong = [key for key, code in codes.ALL.items() if key != code.id]

    assert not wrong
