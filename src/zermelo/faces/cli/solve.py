"""``zermelo solve``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Final

import click

from zermelo.api import questions
from zermelo.core.limits import Resumed
from zermelo.core.signature import Signature, Stuck
from zermelo.core.space import resumed_json
from zermelo.core.state import Move
from zermelo.engines.solve.values import (
    Solved,
    Value,
    ValueKind,
    Verification,
    counted_rows,
    sentences,
    solution_json,
)
from zermelo.faces.cli.loading import NOT_FINE, exit_code, load_machine, output_file, readings_line
from zermelo.faces.cli.options import Settings, document, examples
from zermelo.faces.cli.progress import (
    INTERRUPTED,
    announce,
    answer_is_there,
    budgets,
    interruptible,
    keeps_in,
    limits,
    say_how_to_go_on,
    threads,
    time_text,
)
from zermelo.faces.cli.screen import print_json
from zermelo.play import notation
from zermelo.text import budget
from zermelo.text.prose import BLANK, Line, Piece, Tone, count, heading, line, listing, tied

_MOST_MOVES: Final = 60
"""First moves that are shown."""
_MOST_PLIES: Final = 40
"""Moves of the principal line that are shown."""
_SCORED: Final[Mapping[str, str]] = {
    "loses": "If a stuck player loses",
    "draws": "If a stuck player makes it a draw",
}


def solution_lines(solution: Solved) -> Iterator[Line]:
    """The value, the principal line, the first moves, and the counts."""
    yield from _value_lines(solution)
    for note in solution.notes:
        yield line(f"Note: {note}.", hang=2)
    if solution.is_complete:
        yield BLANK
        yield from _principal_lines(solution)
        yield from _move_lines(solution)
        yield from _count_lines(solution)
    yield from _effort_lines(solution)


def verification_lines(verified: Verification) -> Iterator[Line]:
    checked = f"{count(verified.states, 'state')} and {count(verified.moves, 'move')}"
    if verified.is_right:
        yield line(
            Piece("Verified", Tone.GOOD),
            f": the value of each of {checked} follows from the values after it.",
            hang=2,
        )
        return
    for each in verified.wrong:
        where = "" if each.state is None else f" in the state {each.state}"
        yield line(Piece("Wrong", Tone.BAD), f"{where}: {each.why}.", hang=2)
    if verified.cut is not None:
        yield line(f"Not verified in full, {verified.cut} after {checked}.", hang=2)


# The value


def _value_lines(solution: Solved) -> Iterator[Line]:
    value = solution.root
    if not solution.is_complete:
        yield line(Piece("The value is not known", Tone.STRONG), f": {solution.cut}.", hang=2)
        return
    if not value.scored:
        yield from (line(each, hang=2) for each in _said(value, solution))
        return
    passes = solution.signature.stuck is Stuck.PASSES
    yield line(
        f"In {count(solution.stuck, 'position')} {'everybody' if passes else 'somebody'} is stuck, "
        "and the document does not say what becomes of it (reading `stuck player`). "
        "So it is scored both ways.",
        hang=2,
    )
    ways = [(_SCORED[name], [*_said(scored, solution)]) for name, scored in value.scored]
    if ways[0][1] == ways[1][1]:
        ways = [("Either way", ways[0][1])]
    for way, said in ways:
        for each in said:
            yield line(f"{way}: ", each, indent=2, hang=2)


def _said(value: Value, solution: Solved) -> Iterator[Piece]:
    return (Piece(each, Tone.STRONG) for each in sentences(value, solution.signature))


# Moves


def _principal_lines(solution: Solved) -> Iterator[Line]:
    found = solution.line()
    if not found.moves:
        return
    is_shared = len(solution.signature.players) > 2
    yield heading(
        "A play in which each plays for itself" if is_shared else "A play without a mistake"
    )
    signature = solution.signature
    shown = [
        _move_text(move, who, signature)
        for move, who in zip(found.moves[:_MOST_PLIES], found.players, strict=False)
    ]
    text = ", ".join(shown)
    if len(found.moves) > _MOST_PLIES:
        text += f" and {len(found.moves) - _MOST_PLIES:,} more"
    if found.returns_to is not None:
        back = (
            "the beginning" if found.returns_to == 0 else f"where it was after {found.returns_to}"
        )
        text += f"; that leads back to {back}, and so on"
    yield line(Piece(text, Tone.FORMULA), indent=2)
    yield BLANK


def _move_text(move: Move, who: str | None, signature: Signature) -> str:
    shown = notation.to_text(move, signature)
    is_alone = len(signature.players) == 1
    return tied(shown if who is None or is_alone else f"{who} {shown}")


def _move_lines(solution: Solved) -> Iterator[Line]:
    moves = solution.moves()
    if not moves:
        return
    groups: dict[str, list[str]] = {}
    for each in moves:
        shown = tied(notation.to_text(each.move, solution.signature))
        groups.setdefault(_value_text(each.value), []).append(shown)
    who = "" if len(solution.signature.players) == 1 else f", for {solution.player}"
    yield heading(f"The first moves{who}")
    ranked = sorted(
        {_value_text(each.value): _rank(each.value) for each in moves}.items(),
        key=lambda item: item[1],
    )
    for text, _ in ranked:
        alike = groups[text]
        more = f" and {len(alike) - _MOST_MOVES:,} more" if len(alike) > _MOST_MOVES else ""
        yield line(
            Piece(text, Tone.STRONG),
            f" ({len(alike):,}): " if len(alike) > 1 else ": ",
            Piece(", ".join(alike[:_MOST_MOVES]) + more, Tone.FORMULA),
            indent=2,
            hang=4,
        )
    yield BLANK


def _value_text(value: Value) -> str:
    if value.scored and (value.kind is ValueKind.UNKNOWN or value.plies is None):
        return " / ".join(f"{scored} if stuck {name}" for name, scored in value.scored)
    return str(value)


def _rank(value: Value) -> tuple[int, int]:
    """Orders values, the best first."""
    if value.scored:
        value = value.scored[0][1]
    order = [ValueKind.WIN, ValueKind.DRAW, ValueKind.ENDLESS, ValueKind.LOSS, ValueKind.UNKNOWN]
    plies = value.plies or 0
    return order.index(value.kind), -plies if value.kind is ValueKind.LOSS else plies


# Counts


def _count_lines(solution: Solved) -> Iterator[Line]:
    yield heading("Positions by value, for the player in turn")
    names = [name for name, _ in solution.root.scored]
    heads = ["", *(f"stuck {name}" for name in names)] if names else ["", ""]
    rows = list(counted_rows(solution))
    sizes = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    if names:
        yield line(Piece(_row(heads, sizes), Tone.FAINT), indent=2)
    for row in rows:
        yield line(_row(row, sizes), indent=2)
    yield from _winner_lines(solution)
    yield BLANK


def _row(cells: Sequence[str], sizes: Sequence[int]) -> str:
    first, *rest = cells
    return "  ".join(
        [f"{first:<{sizes[0]}}", *(f"{c:>{s}}" for c, s in zip(rest, sizes[1:], strict=True))]
    )


def _winner_lines(solution: Solved) -> Iterator[Line]:
    if len(solution.signature.players) < 2:
        return
    for at, each in enumerate(solution.counted[: max(1, len(solution.root.scored))]):
        way = f" ({solution.root.scored[at][0]})" if solution.root.scored else ""
        won = [f"{name} in {number:,}" for name, number in each.by_winner.items()]
        yield line(f"Won{way}: {listing(won)}.", indent=2, hang=2)


def _effort_lines(solution: Solved) -> Iterator[Line]:
    if not solution.is_complete:
        was = "was" if solution.classes == 1 else "were"
        yield _faint(f"{count(solution.classes, 'state')} {was} looked at.")
        return
    took = f" in {time_text(solution.seconds)}" if solution.seconds else ""
    yield _faint(
        f"{count(solution.states, 'position')}, "
        f"{solution.signature.all_reached(is_whole=True)}; "
        f"solved {solution.method}{took}."
    )
    if solution.symmetries > 1:
        yield _faint(
            f"Of states that are alike one was looked at, {solution.classes:,} in all. "
            f"Symmetry: {solution.symmetry}: {solution.symmetries:,}."
        )


def _faint(text: str) -> Line:
    return line(Piece(text, Tone.FAINT), hang=2)


@click.command(
    "solve",
    epilog=examples(
        "zermelo solve mine.md",
        "zermelo solve mine.md --output mine.solution",
        "zermelo solve mine.md mine.solution",
        "zermelo solve mine.md mine.solution --verify",
        "zermelo solve mine.md --seconds 60 --memory 2G",
        "zermelo solve mine.md --seconds 600 --checkpoint kept",
    ),
)
@click.option("--states", type=click.IntRange(min=1), help="How many states to look at.")
@budgets
@threads
@click.option(
    "--checkpoint",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Keep what was found in this folder; the same command goes on from there.",
)
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
    checkpoint: Path | None,
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

    A value that is not known, since a limit or Ctrl-C cut it short, is told as such. With
    --checkpoint what was found until then is kept in a folder, every few seconds too, and the same
    command goes on from there; --seconds are those of each run.

    Exit codes: 0 all is well, 1 --verify found something wrong or a part of the document had an
    error, 2 there is no system.
    """
    if solution is not None and (output is not None or checkpoint is not None):
        option = "--output" if output is not None else "--checkpoint"
        raise click.UsageError(f"{option} keeps what was solved; leave out the file to read from")
    keeps_in(checkpoint)
    game, machine = load_machine(name, settings)
    # Who solves for an hour learns first that the output cannot be written.
    output_file(None if output is None else str(output), name)
    verified = None
    told: list[Resumed] = []
    with _output(output) as keep, interruptible() as listener:
        if solution is None:
            found = questions.solve(
                game,
                limits=limits(resources, states=states),
                threads=int(resources["threads"] or 1),
                symmetry=symmetry,
                listener=listener,
                checkpoint=checkpoint,
                announce=partial(_announce, settings, told),
            )
            say_how_to_go_on(settings, checkpoint, found.cut)
            _keep(found, output, keep, settings)
        else:
            found = questions.open_solution(game, solution)
        if verify and found.is_complete:
            verified = questions.verify_solution(
                game, found, file=solution or output, listener=listener
            )
    # What was found is told to its end, also where the system itself is asked for it.
    with budget.budget(is_last=True):
        if is_json:
            data = {**solution_json(found), **resumed_json(told[-1] if told else None)}
            print_json(data if verified is None else {**data, "verified": verified.to_json()})
        else:
            screen = settings.screen
            screen.show([readings_line(machine.signature, screen), BLANK, *solution_lines(found)])
            if verified is not None:
                screen.show([BLANK, *verification_lines(verified)])
    if listener.is_asked:
        return INTERRUPTED
    code = exit_code(game, settings, cut=found.cut)
    return code if verified is None or verified.is_right else NOT_FINE


def _keep(
    found: Solved, output: Path | None, keep: Callable[[Solved], None], settings: Settings
) -> None:
    if output is not None and found.is_complete:
        answer_is_there()
        with budget.budget(is_last=True):
            keep(found)
    elif output is not None:
        settings.errors.say(f"zermelo: nothing was written to {output}, as there are no values")


def _announce(settings: Settings, told: list[Resumed], resumed: Resumed) -> None:
    """Say from where it goes on, and note it for whoever asks for JSON."""
    announce(settings, resumed)
    told.append(resumed)


def _output(path: Path | None) -> AbstractContextManager[Callable[[Solved], None]]:
    """What writes the solution, to a file that nobody else writes from the beginning on."""
    return nullcontext(lambda _: None) if path is None else questions.solution_output(path)
