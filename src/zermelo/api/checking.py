"""What there is to say about a game, what playing it shows included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.api.game import Game
from zermelo.core.limits import Limits, Listener
from zermelo.core.machine import Machine
from zermelo.core.observation import Checkup, has_lost_something
from zermelo.core.services import Evidence
from zermelo.core.signature import FLAG, FRESH, KEPT
from zermelo.core.space import space_json
from zermelo.engines.check.check import DEFAULT_LIMITS
from zermelo.engines.check.check import check as check_by_playing
from zermelo.text import render
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Diagnostic, Json


@dataclass(frozen=True, slots=True)
class Report:
    """What there is to say about a game, what playing it showed included."""

    game: Game
    diagnostics: tuple[Diagnostic, ...]
    checkup: Checkup | None
    """What playing showed; ``None`` when there is nothing to play."""

    @property
    def is_complete(self) -> bool:
        return self.checkup is not None and self.checkup.is_complete

    @property
    def is_in_spite_of_errors(self) -> bool:
        """Whether a part of the document could not be used, so that playing shows less of it.

        What may be a mere consequence of that, as a rule that never fired, is not said.
        """
        return self.checkup is not None and has_lost_something(self.diagnostics)

    def to_json(self) -> dict[str, Json]:
        said = [render.as_json(each, self.game.source) for each in self.diagnostics]
        space = None if self.checkup is None else space_json(self.checkup.space)
        return {**self.game.to_json(), "diagnostics": said, "space": space}


def check(
    game: Game, *, limits: Limits = DEFAULT_LIMITS, listener: Listener | None = None
) -> Report:
    # What computes with arrays is imported when it is used: reading a document needs none of it.
    from zermelo.api.engines import AllEngines  # noqa: PLC0415

    model = game.model
    if model is None:
        return Report(game, game.diagnostics, None)
    if not game.is_loaded:
        return Report(game, (*game.diagnostics, *model.unplayed_findings()), None)
    if limits == DEFAULT_LIMITS:
        limits = model.check_limits(limits)
    checkup = check_by_playing(game.machine, kept=_kept(game), limits=limits, listener=listener)
    evidence = Evidence(
        checkup=checkup,
        said=game.diagnostics,
        source_length=len(game.source.text),
        engines=AllEngines(),
        listener=listener,
    )
    return Report(game, (*game.diagnostics, *model.findings(evidence)), checkup)


def _kept(game: Game) -> Machine | None:
    """The machine in which flags are kept, if the document has flags."""
    flags = [
        each.name for each in game.readings if each.name.startswith(FLAG) and each.choice == FRESH
    ]
    taken = {each.name: each.choice for each in game.readings}
    return game.trials.machine({**taken, **dict.fromkeys(flags, KEPT)}) if flags else None


def exit_code(
    game: Game, diagnostics: Sequence[Diagnostic] | None = None, *, strict: bool = False
) -> int:
    """0 for a document without errors, 1 for one with errors, 2 for one that means nothing.

    *strict* counts warnings as errors. *diagnostics* are the game's if not given.
    """
    if game.model is None:
        return 2
    counted = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    said = game.diagnostics if diagnostics is None else diagnostics
    return int(any(each.level in counted for each in said))
