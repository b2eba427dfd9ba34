"""Tests here need a GPU, so they run only where `-m gpu` asks for them."""

import pytest


def pytest_ignore_collect(config: pytest.Config) -> bool | None:
    """Leave this folder out unless its mark was asked for."""
    return None if config.getoption("markexpr") == "gpu" else True
