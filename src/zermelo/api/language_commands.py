"""What languages answer by themselves: their own commands, and their own prompts."""

from __future__ import annotations

from collections.abc import Mapping

from zermelo.api.languages import LANGUAGES
from zermelo.api.loaded import Loaded, model_of, playable_model
from zermelo.core.language import Answer, Call, Command, OptionValue, OtherDocument
from zermelo.core.limits import UNLIMITED, Announce, Limits, Listener, asked
from zermelo.core.prompt import Interaction


def interaction(
    game: Loaded, *, limits: Limits = UNLIMITED, listener: Listener | None = None
) -> Interaction | None:
    """What the language of *game* answers at a prompt of its own.

    ``None`` where questions are asked in the course of a play. A graph that is asked about is
    built first, as far as the *limits* go.
    """
    # What computes with arrays is imported when it is used.
    from zermelo.api.engines import AllEngines  # noqa: PLC0415

    with asked(limits) as within:
        return model_of(game).interaction(AllEngines(), limits=within, listener=listener)


def commands(group: str) -> tuple[Command, ...]:
    """The commands of the languages in the *group* of that name."""
    found = (each for row in LANGUAGES for each in row.load().commands)
    return tuple(each for each in found if each.group == group)


def answer(
    game: Loaded,
    command: Command,
    document: str,
    options: Mapping[str, OptionValue | OtherDocument],
    *,
    listener: Listener,
    threads: int = 1,
    announce: Announce | None = None,
) -> Answer:
    """What *command* says of *game*, which was named *document*; see ``explore``."""
    # What computes with arrays is imported when it is used.
    from zermelo.api.engines import AllEngines  # noqa: PLC0415

    model = playable_model(game)
    call = Call(document, game.source, model, options, AllEngines(), listener, threads, announce)
    return command.run(call)
