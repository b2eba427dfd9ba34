"""The browser that the tests of one module share.

Playwright runs a loop in the thread of the tests as long as it is open, where other tests
would start their own.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.support.browser import CHROMIUM, NO_CHROMIUM, PATIENCE, chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, without a window."""
    if CHROMIUM is None:
        pytest.skip(NO_CHROMIUM)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright, chromium(playwright) as opened:
        yield opened
