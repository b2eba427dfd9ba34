"""The lines of a Reading or View section: ``key: value``, with the reason behind it."""

from __future__ import annotations

from zermelo.languages.sections.read.grammar.tree import SectionKind, Setting
from zermelo.languages.sections.read.lines import Line
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import Source, Span

_EXAMPLES = {
    SectionKind.READING: "write a setting such as `order: in order` or `end: when over`",
    SectionKind.VIEW: "write a setting such as `board: P` or `rows: up`",
}


def setting(source: Source, line: Line, kind: SectionKind) -> Setting | Diagnostic:
    """The setting on *line*, or what is wrong with it."""
    text = source.slice(line.span)
    colon = _colon(text)
    key = text[: max(colon, 0)].strip(" *_`")
    value = text[colon + 1 :].strip(" *_`") if colon >= 0 else ""
    if not key or not value:
        return Diagnostic(
            codes.SETTING_NOT_UNDERSTOOD,
            f"this line of the {kind.value} section is no setting",
            primary=Label(line.span, "looked for: a name, a colon, a choice"),
            help=_EXAMPLES.get(kind),
        )
    key_start = line.span.start + text.index(key)
    value_start = line.span.start + text.index(value, colon + 1)
    return Setting(
        " ".join(key.split()),
        " ".join(value.split()),
        line.comment,
        key_span=Span(key_start, key_start + len(key)),
        value_span=Span(value_start, value_start + len(value)),
        span=line.span,
    )


def _colon(text: str) -> int:
    """The place of the first colon outside brackets and quotation marks; -1 if there is none."""
    level = 0
    is_quoted = False
    for place, char in enumerate(text):
        if char in '"“”':
            is_quoted = not is_quoted
        elif char in "([{":
            level += 1
        elif char in ")]}":
            level -= 1
        elif char in ":：" and level <= 0 and not is_quoted:
            return place
    return -1
