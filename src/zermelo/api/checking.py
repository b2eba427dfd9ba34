"""What there is to say about a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.api.consequences import has_lost_something, in_spite_of
from zermelo.api.games import Game
from zermelo.core.interpreter import Interpreter
from zermelo.core.ir import Reading
from zermelo.engines import findings
from zermelo.engines.as_json import space_json
from zermelo.engines.check import DEFAULT_LIMITS, Checkup
from zermelo.engines.check import check as check_by_playing
from zermelo.engines.progress import Listener
from zermelo.engines.symmetry import lopsided
from zermelo.engines.trial import FLAG
from zermelo.engines.walk import Limits
from zermelo.meaning import readings
from zermelo.text import render
from zermelo.text.diagnostic import Diagnostic, Severity
from zermelo.text.render import Json


@dataclass(frozen=True, slots=True)
class Report:
    """What there is to say about a game, what playing it showed included."""

    game: Game
    diagnostics: tuple[Diagnostic, ...]
    checkup: Checkup | None
    """What playing showed; ``None`` when there is no system."""

    @property
    def is_complete(self) -> bool:
        """Whether every reachable state was looked at."""
        return self.checkup is not None and self.checkup.is_complete

    @property
    def is_in_spite_of_errors(self) -> bool:
        """Whether a part of the document could not be used, so that playing shows less of it.

        What may be a mere consequence of that, as a rule that never fired, is not said.
        """
        return self.checkup is not None and has_lost_something(self.diagnostics)

    def to_json(self) -> dict[str, Json]:
        """The report as JSON values."""
        said = [render.as_json(each, self.game.source) for each in self.diagnostics]
        space = None if self.checkup is None else space_json(self.checkup.space)
        return {**self.game.to_json(), "diagnostics": said, "space": space}


def check(
    game: Game, *, limits: Limits = DEFAULT_LIMITS, listener: Listener | None = None
) -> Report:
    """What there is to say about *game*, with what playing it shows."""
    if game.system is None or game.trials is None:
        return Report(game, game.diagnostics, None)
    build = game.trials.machine
    flags = [each.name for each in game.readings if _is_fresh_flag(each)]
    taken = {each.name: each.choice for each in game.readings}
    kept = build({**taken, **dict.fromkeys(flags, readings.KEPT)}) if flags else None
    checkup = check_by_playing(game.machine, kept=kept, limits=limits, listener=listener)
    found = in_spite_of(game.diagnostics, findings.of_checkup(game.system, checkup))
    found += lopsided.of_symmetry(Interpreter(game.system))
    return Report(game, (*game.diagnostics, *found), checkup)


def _is_fresh_flag(reading: Reading) -> bool:
    return reading.name.startswith(FLAG) and reading.choice == readings.FRESH


def exit_code(
    game: Game, diagnostics: Sequence[Diagnostic] | None = None, *, strict: bool = False
) -> int:
    """0 for a system without errors, 1 for one with errors, 2 for none.

    *strict* counts warnings as errors. *diagnostics* are the game's if not given.
    """
    if game.system is None:
        return 2
    counted = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    said = game.diagnostics if diagnostics is None else diagnostics
    return int(any(each.level in counted for each in said))
