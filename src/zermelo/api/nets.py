"""Nets as games: documents in PROD's language and in PNML."""

from __future__ import annotations

from functools import partial

from zermelo.api.detect import Dialect
from zermelo.api.game import Game, Request
from zermelo.languages.nets.ir import Net
from zermelo.languages.nets.read.pnml import document, xml
from zermelo.languages.nets.read.prod import document as dialect
from zermelo.languages.nets.read.prod import meaning
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.languages.nets.run.skeleton import skeleton
from zermelo.text.diagnostic import Checked, Diagnostic
from zermelo.text.source import Source


def read(
    source: Source, request: Request, said: tuple[Diagnostic, ...] = (), *, kind: Dialect
) -> Game:
    """The game in *source*, a net of *kind*; *said* is what there was to say about its text."""
    if kind is Dialect.PNML:
        meant = xml.read(source).then(lambda root: document.elaborate(root, source))
    else:
        meant = _prod(source, request)
    net = meant.value
    said = (*said, *meant.diagnostics)
    if net is None:
        return Game(source, None, said, request.given, request.as_written, dialect=kind)
    return Game(
        source,
        skeleton(net),
        said,
        request.given,
        request.as_written,
        dialect=kind,
        net=net,
        start=partial(TokenGame, net),
    )


def _prod(source: Source, request: Request) -> Checked[Net]:
    """The net in *source*, with what it includes and the C beside it."""
    parsed = dialect.parse(source, request.path)
    written = parsed.value
    if written is None:
        return Checked(None, parsed.diagnostics)
    said = written.texts.located(parsed.diagnostics)
    if any(each.is_error for each in said):
        return Checked(None, said)
    meant = meaning.elaborate(written)
    return Checked(meant.value, (*said, *meant.diagnostics))
