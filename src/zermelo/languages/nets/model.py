"""A Petri net, understood: the token game, and compiled code for many markings at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from zermelo.core.expander import Expander
from zermelo.core.limits import Limits, Listener
from zermelo.core.model import Model, Readiness, WrittenDocument
from zermelo.core.picture import Diagram
from zermelo.core.prompt import Interaction
from zermelo.core.services import Engines, Evidence
from zermelo.core.signature import Signature, Stuck, without_players
from zermelo.core.space import EndKnown
from zermelo.languages.nets import drawing, findings
from zermelo.languages.nets.answers import bounded_line, boundedness_json, pumping_lines
from zermelo.languages.nets.explain import NetCommentary
from zermelo.languages.nets.game.board import NO_BOARD, BoardView
from zermelo.languages.nets.game.rules import NO_RULES, RESULTS_HELP, NetRules
from zermelo.languages.nets.ir import Net
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.languages.nets.unbounded import GrowthWatch, Pumping, pumping
from zermelo.languages.nets.words import play_text
from zermelo.languages.nets.write import pnml, prod
from zermelo.text.budget import LimitReached, OverBudget
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.errors import UsageError
from zermelo.text.prose import Line
from zermelo.text.source import Notation

_STATES_OF_ENDLESS: Final = 1_000
"""Of a net that is known to be unbounded more states show nothing more."""
_FURTHER: Final = Limits(
    states=300_000, depth=2_000, moves=3_000_000, steps=3_000_000, memory=200_000_000
)
"""How far compiled code looks where the token game did not see all: for about a second or two.

Each depth takes a moment, however few markings there are; steps are counted where nothing could be
compiled.
"""
_FEWEST: Final = 50
_PARTS: Final = 200
"""Of a net with more places and transitions fewer firings are looked at, for each takes longer."""


@dataclass(frozen=True)
class NetModel(Model):
    """The model of a net."""

    net: Net
    rules: NetRules = NO_RULES
    """Who plays it; without players the model is the token game."""
    view: BoardView = NO_BOARD

    @cached_property
    def game(self) -> TokenGame:
        return TokenGame(self.net, self.rules)

    @property
    def token_game(self) -> NetModel:
        """The net alone, whoever plays it: what is asked of its graph is asked of this."""
        return NetModel(self.net) if self.rules.turns else self

    @property
    def signature(self) -> Signature:
        return self.game.signature

    @cached_property
    def words(self) -> NetCommentary:
        return NetCommentary(self.game, self.view)

    def machine(self) -> TokenGame:
        return TokenGame(self.net, self.rules)

    def expander(self) -> Expander:
        # A net that is only read needs no generated code.
        from zermelo.core.adapter import MachineExpander  # noqa: PLC0415
        from zermelo.languages.nets.compile.kernel import kernel  # noqa: PLC0415

        made = kernel(self.net, self.rules)
        if not isinstance(made, str):
            return made
        return MachineExpander(self.machine(), f"the token game, as {made}", reason=made)

    def generated(self) -> Expander | None:
        from zermelo.languages.nets.compile.kernel import kernel  # noqa: PLC0415 - as above

        made = kernel(self.net, self.rules, compiled=False)
        return None if isinstance(made, str) else made

    def readiness(self) -> Readiness:
        return Readiness.TO_COMPILE

    @cached_property
    def _pumped(self) -> Pumping | None:
        """What shows without an engine that there is no end of markings, if anything does.

        It raises ``LimitReached``, so that what was not looked at is not kept as an answer.
        """
        return pumping(self.token_game.game)

    def _known_pumping(self) -> Pumping | None:
        try:
            return self._pumped
        except LimitReached:
            return None

    def why_no_symmetries(self) -> str:
        return "symmetries are found only in documents with sections"

    def check_limits(self, limits: Limits) -> Limits:
        limits = self._for_size(limits)
        is_endless = self._known_pumping() is not None
        return replace(limits, states=_STATES_OF_ENDLESS) if is_endless else limits

    def _for_size(self, limits: Limits) -> Limits:
        parts = len(self.net.places) + len(self.net.transitions)
        if limits.moves is None or parts <= _PARTS:
            return limits
        moves = max(1, limits.moves * _PARTS // parts)
        # Each marking may have as many firings as there are transitions, and all are held at once.
        states = max(_FEWEST, moves // max(1, len(self.net.transitions)))
        return replace(limits, moves=moves, states=min(limits.states or states, states))

    def findings(self, evidence: Evidence) -> Iterator[Diagnostic]:
        # Who only reads a net needs no arrays.
        from zermelo.languages.nets.questions import seen_further  # noqa: PLC0415

        checkup = evidence.checkup
        yield from findings.of_game(self.game, checkup.space)
        pumped = self._known_pumping()
        seen = findings.seen_in(checkup.space, self.net)
        if self.rules.turns:
            seen = findings.seen_beyond(self.game, checkup.space, seen)
        if pumped is None and not seen.is_complete:
            limits = self._for_size(_FURTHER)
            # Where the steps do not suffice, what was seen before is what is known.
            with contextlib.suppress(OverBudget):
                seen, pumped = seen_further(
                    self.token_game, evidence.engines(), limits=limits, listener=evidence.listener
                )
        found = findings.of_net(
            self.net, seen, faults=checkup.faults, pumped=pumped, said=evidence.said
        )
        for each in found:
            yield _in_document(each, evidence.source_length)

    def why_not_solved(self) -> str | None:
        if self.rules.turns and not self.rules.results and self.rules.stuck is Stuck.REPORTED:
            return f"who wins {self.signature.name} is not known; {RESULTS_HELP}"
        return without_players(self.signature)

    def interaction(
        self, engines: Engines, *, limits: Limits, listener: Listener | None
    ) -> Interaction:
        from zermelo.languages.nets.questions import OF_ENDLESS, net_graph  # noqa: PLC0415 - as above
        from zermelo.languages.nets.shell.shell import Shell  # noqa: PLC0415 - as above

        graph, watch = net_graph(
            self.token_game, engines, limits=limits, listener=listener, of_endless=OF_ENDLESS
        )
        return Shell(graph, self.net, watch.found)

    def end_watch(self, limits: Limits, listener: Listener | None) -> NetEndWatch | None:
        # A play may stop before what could be repeated for ever is.
        return None if self.rules.turns else NetEndWatch(self.game, limits, listener)


class NetEndWatch(GrowthWatch):
    """Says at the end of an exploration whether the net is bounded."""

    def __init__(self, game: TokenGame, limits: Limits, listener: Listener | None) -> None:
        self._is_limited = any(
            limit is not None for limit in (limits.states, limits.depth, limits.seconds)
        )
        super().__init__(game, limits=limits, listener=listener, stops=not self._is_limited)

    def told(self, cut: str | None, /) -> EndKnown:
        known, found = self.end(cut), self.found
        lines: tuple[Line, ...] = ()
        if found is not None:
            if not self._is_limited:
                raise UsageError(
                    f"the net is unbounded: {found.words} when {play_text(found.moves, str)} is "
                    f"repeated{_after(found)}; explore a part of it with --states or --depth"
                )
            lines = tuple(pumping_lines(found))
        elif cut is not None:
            lines = (bounded_line(known, self.nodes),)
        return EndKnown(lines, boundedness_json(known, found))


def _after(found: Pumping) -> str:
    return f" after {play_text(found.play, str)}" if found.play else ""


_FORMS: Final = (
    "as PNML (`--to pnml`), in PROD's language (`--to prod`) or as a picture (`--to dot`)"
)
_OTHER_FORMS: Final = {
    "latex": "as LaTeX",
    "html": "as a page",
    "unicode": "with the signs of mathematics",
    "led": "as an LED program",
}


class WrittenNet(WrittenDocument):
    """A net as other programs read it."""

    def __init__(self, net: Net, name: str) -> None:
        super().__init__(name)
        self._net = net

    def format_text(self, notation: Notation | None) -> str:
        raise UsageError(self.why_not_replaced(notation))

    def why_not_replaced(self, notation: Notation | None) -> str:  # noqa: ARG002 - in none
        return (
            f"{self.name} is a net, and a net has no canonical form as a text; "
            f"`zermelo export` writes it {_FORMS}"
        )

    def export_text(self, form: str) -> str:
        if form in _OTHER_FORMS:
            what = _OTHER_FORMS[form]
            raise UsageError(f"{self.name} is a net, and a net is not written {what}, but {_FORMS}")
        writer = pnml if form == "pnml" else prod
        return "\n".join(writer.lines(self._net)) + "\n"

    def diagram(self, *, in_rows: bool) -> Diagram:
        return drawing.diagram_in_rows(self._net) if in_rows else drawing.diagram(self._net)


def _in_document(said: Diagnostic, length: int) -> Diagnostic:
    """*said* without a place that is in another file, which the document includes."""
    is_there = said.primary is None or said.primary.span.end <= length
    return said if is_there else replace(said, primary=None)
