"""What all tests share: the option that rewrites expected text."""

import signal

import pytest


def pytest_configure() -> None:
    """Let Ctrl-C be heard by the programs that tests start.

    A shell that starts the tests in the background lets them and their children ignore it.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


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
