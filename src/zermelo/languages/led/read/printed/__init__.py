"""LED programs in print: formulas with numbers among prose."""

from __future__ import annotations

from zermelo.languages.led.read.printed.reader import parse

__all__ = ["parse"]
