"""Fixes applied to a text."""

from __future__ import annotations

from collections.abc import Iterable

from zermelo.text.diagnostic import Diagnostic, Fix
from zermelo.text.source import Source


def apply_fixes(source: Source, diagnostics: Iterable[Diagnostic]) -> str:
    """The text of *source* with every fix of *diagnostics* made.

    Of two fixes that touch the same characters the earlier one is made; the
    other finds its place again when the new text is read.
    """
    parts: list[str] = []
    at = 0
    for fix in _compatible(each.fix for each in diagnostics if each.fix):
        parts += (source.text[at : fix.span.start], fix.replacement)
        at = fix.span.end
    return "".join(parts) + source.text[at:]


def _compatible(fixes: Iterable[Fix]) -> list[Fix]:
    kept: list[Fix] = []
    for fix in sorted(set(fixes), key=lambda each: (each.span, each.replacement)):
        if not kept or fix.span.start > kept[-1].span.end or _follows(fix, kept[-1]):
            kept.append(fix)
    return kept


def _follows(later: Fix, earlier: Fix) -> bool:
    """Whether *later* begins where *earlier* ends and both replace something."""
    return later.span.start == earlier.span.end and not (
        later.span.start == later.span.end or earlier.span.start == earlier.span.end
    )
