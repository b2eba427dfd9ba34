"""Programs of which a part could not be read, and would be lost if they were written."""

from __future__ import annotations

from zermelo import api
from zermelo.faces.cli.diagnostics import show_diagnostics
from zermelo.faces.cli.options import Settings


def is_damaged(game: api.Game, name: str, settings: Settings) -> bool:
    """Whether writing the program of *game* would lose a definition; if so, it is said.

    Documents with sections keep as prose what could not be read.
    """
    if not isinstance(game.document, api.LedDocument) or game.document.is_printed:
        return False
    lost = [each for each in game.diagnostics if each.is_error and each.code.id.startswith("Z2")]
    if lost:
        show_diagnostics(lost, game.source, settings.errors)
        settings.errors.say(
            f"zermelo: {name} has definitions that could not be read; mend them first. "
            "Nothing was written."
        )
    return bool(lost)
