"""What all tests share: the option that rewrites expected text, and a checkout left as it was."""

import os
import signal

import pytest

from tests.support.project import stray_files

_STRAY = pytest.StashKey[frozenset[str]]()


def pytest_configure(config: pytest.Config) -> None:
    """Let programs that tests start hear Ctrl-C and keep no reports; note what is in the checkout.

    A shell that starts the tests in the background lets them and their children ignore it.
    """
    config.stash[_STRAY] = stray_files()
    # What a command says is what this program says now, and nothing that it said before.
    os.environ["ZERMELO_REPORTS"] = "off"
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail where tests have left files in the checkout that git neither has nor ignores."""
    if hasattr(session.config, "workerinput"):  # Whoever started the workers looks.
        return
    before = session.config.stash[_STRAY]
    left = sorted(stray_files() - before)
    if left:
        writer = session.config.get_terminal_writer()
        writer.line(f"\nfiles that tests left in the checkout: {', '.join(left)}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


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
