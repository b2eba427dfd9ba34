"""A text that only speaks of a net is told apart from a net."""

from __future__ import annotations

from zermelo.languages.nets.read.prod import document
from zermelo.text import codes
from zermelo.text.source import Source


def test_an_assignment_is_no_net() -> None:
    text = "Make a high-level Petri net\n\nThe net should be written for PROD.\n"

    found = document.parse(Source("assignment.txt", text))

    assert found.value is None
    assert [each.code for each in found.diagnostics] == [codes.NO_NET]
