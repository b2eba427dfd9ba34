r"""What an editor asks about a document: tokens, diagnostics, mathematics, symbols, values.

Every place is a pair of offsets, which count characters of the text as it was read: without a
mark of byte order, and with ``\n`` at the end of lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from zermelo.api.languages import language_of
from zermelo.api.loaded import Loaded
from zermelo.core.machine import Fault
from zermelo.core.state import State
from zermelo.core.values import Value
from zermelo.text.budget import STEPS_OF_AN_ANSWER, OverBudget, budget
from zermelo.text.decoding import accept
from zermelo.text.diagnostic import Diagnostic, Fix, Json, Label
from zermelo.text.editing import ExpressionAt, MathBlock, SourceToken, TypedSymbol
from zermelo.text.prose import count
from zermelo.text.render import in_order
from zermelo.text.source import Source, Span, visible

LONGEST_VALUE: Final = 2_000
"""Of a longer value only the beginning is shown."""


def tokens(text: str, *, name: str = "document.md") -> tuple[SourceToken, ...]:
    """The tokens of *text*, which is called *name*; none of a text that cannot be read."""
    source = accept(text, name).value
    if source is None:
        return ()
    try:
        with budget(steps=STEPS_OF_AN_ANSWER):
            return language_of(source).tokens(source)
    except OverBudget:
        return ()


def symbols(text: str, *, name: str = "document.md") -> tuple[TypedSymbol, ...]:
    """The signs that are typed by a name in the language of *text*."""
    return language_of(Source(name, text)).symbols()


def mathematics(game: Loaded) -> tuple[MathBlock, ...]:
    """The document of *game* as mathematics; nothing of one that is none, or was not read."""
    if game.document is None:
        return ()
    with budget(steps=STEPS_OF_AN_ANSWER):
        return game.document.mathematics()


def diagnostics_json(game: Loaded) -> list[Json]:
    """What there is to say about the document of *game*, by its places."""
    return [diagnostic_json(each) for each in in_order(game.diagnostics)]


def diagnostic_json(diagnostic: Diagnostic) -> dict[str, Json]:
    """*diagnostic* as an editor shows it; one about another file has no place."""
    here = diagnostic.source is None
    primary = diagnostic.primary if here else None
    return {
        "code": diagnostic.code.id,
        "severity": diagnostic.level.value,
        "span": None if primary is None else _place(primary.span),
        "message": visible(diagnostic.message),
        "label": "" if primary is None else visible(primary.text),
        "labels": [_label(each) for each in diagnostic.secondary] if here else [],
        "notes": [visible(note) for note in diagnostic.notes],
        "help": None if diagnostic.help is None else visible(diagnostic.help),
        "file": None if diagnostic.source is None else visible(diagnostic.source.name),
        "fix": _fix(diagnostic.fix) if here else None,
    }


def _place(span: Span) -> list[Json]:
    return [span.start, span.end]


def _label(label: Label) -> dict[str, Json]:
    return {"span": _place(label.span), "text": visible(label.text)}


def _fix(fix: Fix | None) -> dict[str, Json] | None:
    """An edit: what is put in the place of what."""
    return None if fix is None else {"span": _place(fix.span), "replacement": fix.replacement}


@dataclass(frozen=True, slots=True)
class ValueAt:
    """What stands at a place, and its value in a state, or why it has none."""

    text: str
    span: Span
    value: str | None = None
    note: str = ""

    def to_json(self) -> dict[str, Json]:
        return {
            "text": visible(self.text),
            "span": _place(self.span),
            "value": None if self.value is None else visible(self.value),
            "note": visible(self.note),
        }


def value_at(game: Loaded, span: Span, state: State | None = None) -> ValueAt | None:
    """What stands at *span* of the document, with its value in *state*, or at the beginning.

    ``None`` where no expression stands.
    """
    found = None if game.document is None else game.document.expression_at(span)
    if found is None:
        return _name_at(game, span, state)
    if found.bound:
        roles = "; ".join(f"{each.name} is {each.role}" for each in found.bound)
        return ValueAt(found.text, found.span, note=roles)
    if not game.is_loaded:
        return ValueAt(found.text, found.span, note="the document has to be mended first")
    return _evaluated(game, found, state)


def _evaluated(game: Loaded, found: ExpressionAt, state: State | None) -> ValueAt:
    assert game.model is not None, "it is loaded"
    here = game.machine.initial if state is None else state
    try:
        with budget(steps=STEPS_OF_AN_ANSWER):
            typed = game.model.words.expression(found.text)
            if typed.value is None:
                why = next((each.message for each in typed.diagnostics), "")
                return ValueAt(found.text, found.span, note=why)
            return _shown(found.text, found.span, typed.value.value(here), here)
    except OverBudget:
        return ValueAt(found.text, found.span, note="its value is too large to be worked out here")


def _shown(text: str, span: Span, value: Value | Fault, state: State) -> ValueAt:
    if isinstance(value, Fault):
        return ValueAt(text, span, note=value.message)
    shown = state.show(value)
    if len(shown) > LONGEST_VALUE:
        shown = f"{shown[:LONGEST_VALUE]}…"
    members = count(len(value), "member") if isinstance(value, frozenset) else ""
    return ValueAt(text, span, shown, note=members)


def _name_at(game: Loaded, span: Span, state: State | None) -> ValueAt | None:
    """The variable or fact whose name stands at *span*."""
    if not game.is_loaded:
        return None
    here = game.machine.initial if state is None else state
    known: Mapping[str, Value | Fault] = {**dict(game.machine.facts(here)), **dict(here.items())}
    for token in language_of(game.source).tokens(game.source):
        if token.span.covers(span):
            text = game.source.slice(token.span)
            return _shown(text, token.span, known[text], here) if text in known else None
    return None
