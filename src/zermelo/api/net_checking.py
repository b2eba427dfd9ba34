"""What there is to say about a net."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from zermelo.api.game import Game
from zermelo.api.net_questions import seen_further
from zermelo.api.report import Report
from zermelo.core.progress import Listener
from zermelo.core.walk import Limits
from zermelo.engines.check.check import DEFAULT_LIMITS
from zermelo.engines.check.check import check as check_by_playing
from zermelo.languages.nets import findings as net_findings
from zermelo.languages.nets.run.bounds import is_bounded
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.languages.nets.unbounded import pumping
from zermelo.text.diagnostic import Diagnostic

_STATES_OF_ENDLESS: Final = 1_000
"""Of a net that is known to be unbounded more states show nothing more."""
_FURTHER: Final = Limits(states=1_000_000, seconds=20.0)
"""How far the graph of a net is built to see what never fires."""


def check_net(game: Game, *, limits: Limits, listener: Listener | None) -> Report:
    """What there is to say about the net of *game*, with what the token game shows."""
    machine = game.machine
    assert isinstance(machine, TokenGame), "a net runs as the token game"
    net = machine.net
    pumped = None if is_bounded(net) else pumping(machine)
    if pumped is not None and limits == DEFAULT_LIMITS:
        limits = replace(limits, states=_STATES_OF_ENDLESS)
    checkup = check_by_playing(machine, limits=limits, listener=listener)
    seen = net_findings.seen_in(checkup.space, net)
    if pumped is None and not seen.is_complete:
        seen, pumped = seen_further(game, limits=_FURTHER, listener=listener)
    found = net_findings.of_net(
        net, seen, faults=checkup.faults, pumped=pumped, said=game.diagnostics
    )
    placed = (_in_document(each, game) for each in found)
    return Report(game, (*game.diagnostics, *placed), checkup)


def _in_document(said: Diagnostic, game: Game) -> Diagnostic:
    """*said* without a place that is in another file, which the document includes."""
    label = said.primary
    is_there = label is None or label.span.end <= len(game.source.text)
    return said if is_there else replace(said, primary=None)
