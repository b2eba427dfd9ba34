"""``zermelo cache``."""

from __future__ import annotations

import click

from zermelo.faces.cli.options import Settings, examples, looks
from zermelo.faces.cli.progress import memory_text
from zermelo.fast.cache import Held, standard
from zermelo.text.prose import count, tied


@click.command("cache", epilog=examples("zermelo cache", "zermelo cache clear"))
@click.argument("action", type=click.Choice(["clear"]), required=False)
@looks
def command(*, action: str | None, settings: Settings) -> int:
    """Say where results of earlier runs are kept, and how much; `clear` removes them.

    Compiled code, reports of `check`, and what playing found out about readings: all
    of it can be made again. ZERMELO_CACHE names another folder, or is `off`
    to keep nothing; with --no-cache a command neither uses nor keeps anything.
    """
    cache = standard()
    if cache.place is None:
        settings.screen.say("Nothing is kept: ZERMELO_CACHE is `off`.")
        return 0
    if action == "clear":
        settings.screen.say(f"Removed {_text(cache.clear())} from {cache.place}.")
        return 0
    settings.screen.say(
        f"{cache.place} has {_text(cache.held())}, of at most {memory_text(cache.limit)}."
    )
    settings.screen.say(f"{tied('`zermelo cache clear`')} removes what is there.")
    return 0


def _text(held: Held) -> str:
    return f"{count(held.files, 'file')} with {memory_text(held.bytes)}"
