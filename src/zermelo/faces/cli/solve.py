"""``zermelo solve``."""

from __future__ import annotations

from pathlib import Path

import click

from zermelo import api
from zermelo.faces.cli.jsonable import print_json
from zermelo.faces.cli.loading import NOT_FINE, exit_code, load_machine
from zermelo.faces.cli.options import Settings, document, examples
from zermelo.faces.cli.progress import stopper
from zermelo.faces.cli.resources import budgets, threads
from zermelo.faces.cli.solutions import solution_lines, verification_lines
from zermelo.faces.cli.words import readings_line
from zermelo.text.prose import BLANK

INTERRUPTED = 130
"""The exit code of a run that Ctrl-C cut short."""


@click.command(
    "solve",
    epilog=examples(
        "zermelo solve mine.md",
        "zermelo solve mine.md --output mine.solution",
        "zermelo solve mine.md mine.solution",
        "zermelo solve mine.md mine.solution --verify",
        "zermelo solve mine.md --seconds 60 --memory 2G",
    ),
)
@click.option("--states", type=click.IntRange(min=1), help="How many states to look at.")
@budgets
@threads
@click.option(
    "--symmetry/--no-symmetry",
    default=True,
    show_default=True,
    help="Whether of states that are alike only one is looked at, where that helps.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="SOLUTION",
    help="Keep the values of all states in this file.",
)
@click.option(
    "--verify",
    is_flag=True,
    help="Check every value against those of the states that follow, by other code.",
)
@click.option("--json", "is_json", is_flag=True, help="Print one JSON object.")
@document
@click.argument(
    "solution",
    required=False,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="[SOLUTION]",
)
def command(
    *,
    name: str,
    solution: Path | None,
    states: int | None,
    symmetry: bool,
    output: Path | None,
    verify: bool,
    is_json: bool,
    settings: Settings,
    **resources: float | None,
) -> int:
    """Find out who wins, and how soon, from every state.

    Prints the value of the game, a play in which nobody makes a mistake, the first moves with
    their values, and how many positions have which value. With a file SOLUTION, which --output
    wrote, nothing is solved again: the values are taken from there.

    A value that is not known, since a limit or Ctrl-C cut it short, is told as such.

    Exit codes: 0 all is well, 1 --verify found something wrong or a part of the document had an
    error, 2 there is no system.
    """
    if solution is not None and output is not None:
        raise click.UsageError("--output keeps what was solved; leave out the file to read from")
    game, machine = load_machine(name, settings)
    verified = None
    with stopper() as listener:
        if solution is None:
            found = api.solve(
                game,
                limits=_limits(states, resources),
                threads=int(resources["threads"] or 1),
                symmetry=symmetry,
                listener=listener,
            )
            if output is not None:
                _keep(found, output, settings)
        else:
            found = api.open_solution(game, solution)
        if verify and found.is_complete:
            verified = api.verify_solution(game, found, file=solution or output, listener=listener)
    if is_json:
        data = api.solution_json(found)
        print_json(data if verified is None else {**data, "verified": verified.to_json()})
    else:
        screen = settings.screen
        screen.show([readings_line(machine.system, screen), BLANK, *solution_lines(found)])
        if verified is not None:
            screen.show([BLANK, *verification_lines(verified)])
    if listener.is_asked:
        return INTERRUPTED
    return exit_code(game, settings) if verified is None or verified.is_right else NOT_FINE


def _keep(found: api.Solved, output: Path, settings: Settings) -> None:
    if found.is_complete:
        api.keep_solution(found, output)
    else:
        settings.errors.say(f"zermelo: nothing was written to {output}, as there are no values")


def _limits(states: int | None, resources: dict[str, float | None]) -> api.Limits:
    memory = resources["memory"]
    return api.Limits(
        states=states,
        seconds=resources["seconds"],
        memory=None if memory is None else int(memory),
    )
