"""Repairs of printed LED programs, each with its evidence: none is made silently."""

from __future__ import annotations

from zermelo.languages.led.mean.repairs.repair import repaired

__all__ = ["repaired"]
