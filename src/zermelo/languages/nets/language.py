"""Petri nets as a row of the table of languages."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from zermelo.core.language import Language, Request, Understood
from zermelo.languages.nets.commands import COMMANDS, NOT_A_NET
from zermelo.languages.nets.game.board import NO_BOARD, view
from zermelo.languages.nets.game.rules import NO_RULES, refuse_unknown, rules
from zermelo.languages.nets.ir import Net
from zermelo.languages.nets.model import NetModel, WrittenNet
from zermelo.languages.nets.read.pnml import document, xml
from zermelo.languages.nets.read.prod import document as reader
from zermelo.languages.nets.read.prod import meaning
from zermelo.languages.nets.recognise import is_prod
from zermelo.text import reading_file
from zermelo.text.decoding import hidden_characters, is_pnml
from zermelo.text.diagnostic import Checked
from zermelo.text.editing import SourceToken
from zermelo.text.source import Source


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without a search for circles in memory: a tree has none, and a large one is all searched."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def read(source: Source, request: Request) -> Understood:
    named = source.name.lower().endswith(".pnml")
    if is_pnml(source.text) or (named and not is_prod(source.text)):
        with _uncollected():
            meant = xml.read(source).then(lambda root: document.elaborate(root, source))
    else:
        meant = _prod(source, request)
    net = meant.value
    if net is None:
        refuse_unknown(request.given, document=source.name)
        return Understood(None, meant.diagnostics)
    played = _played(net, source, request)
    written = WrittenNet(net, source.name)
    return Understood(played.value, (*meant.diagnostics, *played.diagnostics), document=written)


def _played(net: Net, source: Source, request: Request) -> Checked[NetModel]:
    """The model of *net*, with what the file beside it and a caller say of who plays it."""
    given = request.given
    if request.reading_file is None:
        return Checked(NetModel(net, rules(net, (), given, document=source.name).value or NO_RULES))
    parsed = reading_file.parse(request.reading_file)
    file = parsed.value
    assert file is not None, "a text without any settings is a file, too"
    found = rules(net, file.readings, given, document=source.name)
    seen = view(net, file.view)
    said = file.located((*found.diagnostics, *seen.diagnostics))
    model = NetModel(net, found.value or NO_RULES, seen.value or NO_BOARD)
    return Checked(model, (*parsed.diagnostics, *said))


def _prod(source: Source, request: Request) -> Checked[Net]:
    """The net in *source*, with what it includes and the C beside it."""
    parsed = reader.parse(source, request.path)
    written = parsed.value
    if written is None:
        return Checked(None, parsed.diagnostics)
    # What was read beside the document has not been looked at yet.
    hidden = [
        each
        for text in written.texts.all[1:]
        for each in hidden_characters(text.source.text, start=text.start)
    ]
    said = written.texts.located((*parsed.diagnostics, *hidden))
    if any(each.is_error for each in said):
        return Checked(None, said)
    meant = meaning.elaborate(written)
    return Checked(meant.value, (*said, *meant.diagnostics))


def tokens(source: Source) -> tuple[SourceToken, ...]:
    from zermelo.languages.nets.read.source_tokens import source_tokens  # noqa: PLC0415 - only editors ask

    return source_tokens(source)


LANGUAGE: Final = Language(
    read,
    COMMANDS,
    ("pnml", "prod", "dot"),
    takes_reading_file=True,
    refusal=NOT_A_NET,
    tokens=tokens,
)
