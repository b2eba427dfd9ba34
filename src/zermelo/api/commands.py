"""Prompts: what can be typed about a document in its own language."""

from __future__ import annotations

from collections.abc import Mapping

from zermelo.api.game import Game, model_of, playable_model
from zermelo.api.languages import LANGUAGES
from zermelo.core.language import Answer, Call, Command, OptionValue, OtherDocument
from zermelo.core.limits import UNLIMITED, Limits, Listener
from zermelo.core.prompt import Interaction
from zermelo.text.errors import DocumentNotUsable


def interaction(
    game: Game, *, limits: Limits = UNLIMITED, listener: Listener | None = None
) -> Interaction | None:
    """What the language of *game* answers at a prompt of its own.

    ``None`` where questions are asked in the course of a play. A graph that is asked about is
    built first, as far as the *limits* go.
    """
    # What computes with arrays is imported when it is used.
    from zermelo.api.engines import AllEngines  # noqa: PLC0415

    return model_of(game).interaction(AllEngines(), limits=limits, listener=listener)


def commands(group: str) -> tuple[Command, ...]:
    """The commands of the languages in the *group* of that name."""
    found = (each for row in LANGUAGES for each in row.load().commands)
    return tuple(each for each in found if each.group == group)


def answer(
    game: Game,
    command: Command,
    document: str,
    options: Mapping[str, OptionValue | OtherDocument],
    *,
    listener: Listener,
    threads: int = 1,
) -> Answer:
    """What *command* says of *game*, which was named *document*."""
    # What computes with arrays is imported when it is used.
    from zermelo.api.engines import AllEngines  # noqa: PLC0415

    model = playable_model(game)
    call = Call(document, game.source, model, options, AllEngines(), listener, threads)
    return command.run(call)


def picture_text(game: Game, form: str) -> str:
    """The document of *game* as a drawing: ``svg`` for small ones, or ``dot`` for Graphviz."""
    from zermelo.draw import dot, svg  # noqa: PLC0415 - as above

    if game.document is None:
        raise DocumentNotUsable(f"{game.source.name} could not be read")
    diagram = game.document.diagram(in_rows=form == "svg")
    lines = svg.lines(diagram) if form == "svg" else dot.diagram_lines(diagram)
    return "\n".join(lines) + "\n"
