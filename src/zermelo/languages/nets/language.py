"""Petri nets as a row of the table of languages."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from zermelo.core.language import Language, Request, Understood
from zermelo.core.signature import no_such_reading
from zermelo.languages.nets.commands import COMMANDS, NOT_A_NET
from zermelo.languages.nets.ir import Net
from zermelo.languages.nets.model import NetModel, WrittenNet
from zermelo.languages.nets.read.pnml import document, xml
from zermelo.languages.nets.read.prod import document as reader
from zermelo.languages.nets.read.prod import meaning
from zermelo.languages.nets.recognise import is_prod
from zermelo.text.decoding import hidden_characters, is_pnml
from zermelo.text.diagnostic import Checked
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
    for name in request.given:
        # The rules of nets leave nothing open.
        raise no_such_reading(name.strip(), source.name, {})
    named = source.name.lower().endswith(".pnml")
    if is_pnml(source.text) or (named and not is_prod(source.text)):
        with _uncollected():
            meant = xml.read(source).then(lambda root: document.elaborate(root, source))
    else:
        meant = _prod(source, request)
    net = meant.value
    if net is None:
        return Understood(None, meant.diagnostics)
    written = WrittenNet(net, source.name)
    return Understood(NetModel(net), meant.diagnostics, document=written)


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


LANGUAGE: Final = Language(read, COMMANDS, ("pnml", "prod", "dot"), NOT_A_NET)
