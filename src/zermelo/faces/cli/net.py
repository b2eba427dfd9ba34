"""Commands that belong to one language, made from what it says of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from zermelo.api import language_commands, texts
from zermelo.api.game import Game
from zermelo.core.language import Answer, Command, Option, OptionKind, OtherDocument
from zermelo.faces.cli.loading import (
    NOT_FINE,
    exit_code,
    found,
    load,
    load_machine,
    output_file,
    write,
)
from zermelo.faces.cli.options import Settings, document, examples
from zermelo.faces.cli.progress import (
    INTERRUPTED,
    InterruptListener,
    announce,
    cores,
    end_after,
    interruptible,
    keeps_in,
    say_how_to_go_on,
)
from zermelo.faces.cli.screen import print_data, print_json


@click.group(
    "net",
    epilog=examples(
        "zermelo net report mine.net",
        "zermelo net states mine.pnml",
        "zermelo net draw mine.net --output mine.svg",
    ),
)
def command() -> None:
    """Ask a Petri net: states, graph, shape, picture.

    A net is a file in PROD's language (`NAME.net`) or in PNML.
    """


def click_command(asked: Command) -> click.Command:
    """The command of the command line for *asked*."""

    def run(*, name: str, settings: Settings, **options: Any) -> int:  # noqa: ANN401 - click's values
        return _run(asked, name, settings, options)

    called: Callable[..., int] = document(run)
    for option in reversed(asked.options):
        called = _option(option)(called)
    made = click.command(
        asked.name, help=inspect.cleandoc(asked.help), epilog=examples(*asked.examples)
    )
    return made(called)


def _option(option: Option) -> Callable[[Callable[..., int]], Callable[..., int]]:
    kinds: Mapping[OptionKind, Mapping[str, Any]] = {
        OptionKind.FLAG: {"is_flag": True},
        OptionKind.COUNT: {"type": click.IntRange(min=1)},
        OptionKind.NUMBER: {"type": click.IntRange(min=0)},
        OptionKind.SECONDS: {"type": click.FloatRange(min=0), "callback": end_after},
        OptionKind.TEXT: {},
        OptionKind.CHOICE: {"type": click.Choice(option.choices)},
        OptionKind.EXISTING_FILE: {"type": click.Path(exists=True, dir_okay=False, path_type=Path)},
        OptionKind.DOCUMENT: {},
    }
    return click.option(
        *option.flags,
        option.name,
        help=option.help,
        required=option.is_required,
        metavar=option.metavar,
        **kinds[option.kind],
    )


def _run(asked: Command, name: str, settings: Settings, options: Mapping[str, Any]) -> int:
    # A net leaves nothing open: readings are of the document that is compared with it.
    is_compared = any(option.kind is OptionKind.DOCUMENT for option in asked.options)
    game, _ = load_machine(name, replace(settings, readings={}) if is_compared else settings)
    given = {
        option.name: _other(options[option.name], settings)
        if option.kind is OptionKind.DOCUMENT
        else options[option.name]
        for option in asked.options
    }
    # An output that cannot be written is refused before the work.
    output_file(options.get("output"), name)
    keeps_in(options.get("checkpoint"))
    with interruptible() as listener:
        answer = language_commands.answer(
            game,
            asked,
            name,
            given,
            listener=listener,
            threads=cores(),
            announce=partial(announce, settings),
        )
    say_how_to_go_on(settings, answer.kept_in, answer.cut)
    _show(answer, game, name, settings)
    return _code(answer, game, settings, listener)


def _other(name: str, settings: Settings) -> OtherDocument:
    """The document that an option names."""
    found(name)
    other = load(name, settings)
    if other.model is None or not other.is_loaded:
        raise click.UsageError(f"`{name}` gives no system; `zermelo check {name}` says why")
    return OtherDocument(other.name, other.source.name, other.model)


def _code(answer: Answer, game: Game, settings: Settings, listener: InterruptListener) -> int:
    if listener.is_asked:
        return INTERRUPTED
    return exit_code(game, settings) or (NOT_FINE if answer.is_wrong else 0)


def _show(answer: Answer, game: Game, name: str, settings: Settings) -> None:
    screen = settings.screen
    if answer.json is not None:
        print_json(answer.json)
        return
    if answer.picture is not None:
        text = texts.picture_text(game, answer.picture)
        file = output_file(answer.picture_file, name)
        if file is None:
            print_data(text)
            return
        write(file, text.encode())
        screen.say(f"Wrote {file}.")
        return
    if answer.text is not None:
        print_data(answer.text)
        return
    written = {output_file(path, name): text for path, text in answer.files.items()}
    for path, text in written.items():
        if path is None:
            print_data(text)
        else:
            write(path, text.encode())
    screen.show(answer.lines)
    for path in written:
        if path is not None:
            screen.say(f"Wrote {path}.")
    settings.errors.show(answer.notes)


for _asked in language_commands.commands("net"):
    command.add_command(click_command(_asked))
