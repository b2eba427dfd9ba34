"""What all tests share: the option that rewrites expected text."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--update-golden`; the difference it makes is reviewed like code."""
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite the expected text of golden files and of commands shown in the documentation",
    )


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether expected text is rewritten instead of compared."""
    return bool(request.config.getoption("--update-golden"))
