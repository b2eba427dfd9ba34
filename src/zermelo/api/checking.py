"""What there is to say about a game."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.api.consequences import in_spite_of
from zermelo.api.detect import Dialect
from zermelo.api.game import Game
from zermelo.api.report import Report
from zermelo.core.progress import Listener
from zermelo.core.walk import Limits
from zermelo.engines.check.check import DEFAULT_LIMITS
from zermelo.engines.check.check import check as check_by_playing
from zermelo.engines.check.trial import FLAG
from zermelo.languages.sections import findings
from zermelo.languages.sections.ir import Reading
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry import lopsided
from zermelo.text.diagnostic import Diagnostic, Severity


def check(
    game: Game, *, limits: Limits = DEFAULT_LIMITS, listener: Listener | None = None
) -> Report:
    """What there is to say about *game*, with what playing it shows."""
    # What other dialects need is imported when a document is written in one of them.
    if game.dialect is Dialect.LED:
        from zermelo.api.led_checking import check_program  # noqa: PLC0415

        return check_program(game, limits=limits, listener=listener)
    if game.net is not None:
        from zermelo.api.net_checking import check_net  # noqa: PLC0415

        return check_net(game, limits=limits, listener=listener)
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

    A program that is no game, and so no system, counts as one. *strict* counts warnings
    as errors. *diagnostics* are the game's if not given.
    """
    if game.system is None and game.program is None:
        return 2
    counted = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    said = game.diagnostics if diagnostics is None else diagnostics
    return int(any(each.level in counted for each in said))
