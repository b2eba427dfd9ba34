"""What there is to say about an LED program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from zermelo.api.game import Game
from zermelo.api.led_tests import led_differences
from zermelo.api.report import Report
from zermelo.core.progress import Listener
from zermelo.core.walk import Limits
from zermelo.engines.check.check import DEFAULT_LIMITS, Checkup
from zermelo.engines.check.check import check as check_by_playing
from zermelo.languages.led import findings as led_findings
from zermelo.languages.led.easel.drawing import picture
from zermelo.languages.led.easel.pictures import Folder
from zermelo.languages.led.run.frames import Frames
from zermelo.languages.sections import findings
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic

_MOVES: Final = 100_000
"""Inputs that begin anew lead to nothing new, so that more of them can be looked at."""
_STATES_REVIEWED: Final = 6_000
"""Of so many states, the nearest, it is looked at how they are drawn."""


def check_program(game: Game, *, limits: Limits, listener: Listener | None) -> Report:
    """What there is to say about the program of *game*, with what playing it shows."""
    if game.system is None:
        return Report(game, (*game.diagnostics, *led_differences(game)), None)
    machine = game.machine
    assert isinstance(machine, Frames), "a program runs frame by frame"
    if limits == DEFAULT_LIMITS:
        limits = replace(limits, moves=_MOVES)
    checkup = check_by_playing(machine, limits=limits, listener=listener)
    # What it means that nothing has an effect is no reading of a program.
    found = [
        replace(each, help=None) if each.code is codes.STUCK else each
        for each in findings.of_checkup(machine.system, checkup)
    ]
    found += (*_drawn(game, machine, checkup), *led_differences(game))
    return Report(game, (*game.diagnostics, *found), checkup)


def _drawn(game: Game, machine: Frames, checkup: Checkup) -> Sequence[Diagnostic]:
    """What drawing the states of an LED program shows, and the cases of its definitions."""
    walk = checkup.space.walk
    folder = Folder(game.folder)
    return led_findings.of_states(
        machine,
        walk.nodes[:_STATES_REVIEWED],
        play=walk.play,
        look=lambda images: picture(images, machine.program, folder=folder).faults,
        is_complete=checkup.is_complete and walk.reached <= _STATES_REVIEWED,
    )
