"""``zermelo graph``."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import click

from zermelo.api import questions
from zermelo.api.game import Game
from zermelo.core.graph import GraphFormat, Overview, overview_json
from zermelo.core.limits import Limits
from zermelo.core.machine import Ending, Outcome
from zermelo.core.signature import Nouns, Signature
from zermelo.core.state import Move
from zermelo.draw.graph_diagram import MOST_NODES
from zermelo.engines.solve.values import Solved
from zermelo.faces.cli.loading import (
    exit_code,
    load_machine,
    output_file,
    readings_line,
    write,
)
from zermelo.faces.cli.options import Settings, document, examples, files
from zermelo.faces.cli.progress import (
    INTERRUPTED,
    InterruptListener,
    budgets,
    cores,
    interruptible,
    limits,
)
from zermelo.faces.cli.screen import print_data, print_json
from zermelo.play.lines import play_text
from zermelo.text import budget
from zermelo.text.budget import OutOfTime
from zermelo.text.prose import BLANK, Line, Piece, Tone, count, line

STATES: Final = 100_000
_SHARE_OF_DRAWING: Final = 0.2
"""The part of the time that is left to a drawing, where values are looked for before."""
ENDINGS: Final[Mapping[str, GraphFormat]] = {
    ".dot": GraphFormat.DOT,
    ".gv": GraphFormat.DOT,
    ".aut": GraphFormat.AUT,
    ".graphml": GraphFormat.GRAPHML,
    ".svg": GraphFormat.SVG,
    ".json": GraphFormat.JSON,
}
"""What a file's name says of its format."""


@click.command(
    "graph",
    epilog=examples(
        "zermelo graph mine.md",
        "zermelo graph mine.md --depth 3 --output mine.svg",
        "zermelo graph mine.md --format aut > mine.aut",
        "zermelo graph mine.md --components --format dot",
        "zermelo graph mine.md --values --depth 2 --output mine.svg",
        "zermelo graph mine.md --symmetry --depth 3 --output mine.svg",
        "zermelo graph mine.md --seconds 60 --memory 2G",
    ),
)
@click.option(
    "--format",
    "written_as",
    type=click.Choice([each.value for each in GraphFormat]),
    help="Write the graph itself; without this it is summed up in words.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=files,
    help="Write the graph into this file; its ending can stand for --format.",
)
@click.option("--depth", type=click.IntRange(min=0), help="How many moves deep to go.")
@click.option(
    "--states",
    type=click.IntRange(min=1),
    help=f"How many states to take in; {STATES:,} if neither this nor --depth is given.",
)
@budgets
@click.option(
    "--components",
    "of_components",
    is_flag=True,
    help="The graph of the strongly connected components; in words, a list of them.",
)
@click.option(
    "--values",
    "has_values",
    is_flag=True,
    help="Solve the game, and write at each node of a dot or svg who wins, and how soon.",
)
@click.option(
    "--symmetry", is_flag=True, help="Let one node stand for all states that are alike, and count."
)
@click.option("--json", "is_json", is_flag=True, help="Print the summary as one JSON object.")
@document
def command(
    *,
    name: str,
    written_as: str | None,
    output: str | None,
    depth: int | None,
    states: int | None,
    of_components: bool,
    has_values: bool,
    symmetry: bool,
    is_json: bool,
    settings: Settings,
    **resources: float | None,
) -> int:
    """Build the graph of states and moves.

    Its nodes are the states that can be reached, its arcs the legal moves. The summary counts
    both, the strongly connected components, the nodes and components that are terminal, and the
    cycles, and shows a shortest play to the first of each. The graph can be written as DOT, AUT,
    GraphML and JSON, and a small one drawn by ply as SVG. With --values the pictures say at each
    node what perfect play leads to, for which all states are solved, also those that are not
    drawn. With --symmetry a node stands for all states that are alike, and says for how many; arcs
    are the moves of one of them. A graph that was cut short says so.
    """
    chosen = _format(written_as, output)
    if is_json and chosen is not None:
        raise click.UsageError(
            "--json prints the summary, and --format json the graph itself; they exclude each other"
        )
    if symmetry and of_components:
        raise click.UsageError(
            "--symmetry and --components both draw many states as one; they exclude each other"
        )
    if has_values:
        _refuse_values(chosen, of_components=of_components)
    output = output_file(output, name)
    game, machine = load_machine(name, settings)
    within = limits(resources, states=_most(states, depth, chosen), depth=depth)
    with interruptible() as listener:
        alike = "turn" if symmetry else None
        found = questions.graph(game, limits=within, listener=listener, symmetry=alike)
        with budget.phase("summing up"), budget.budget(until=within.last, is_last=True):
            overview = found.overview
        # What is drawn is there before its values are looked for, which may take all of the time.
        solution = _solved(game, _most_of(within), settings, listener) if has_values else None
    code = INTERRUPTED if listener.is_asked else exit_code(game, settings, cut=overview.cut)
    if chosen is not None:
        with budget.budget(until=within.last, is_last=True):
            texts = questions.graph_lines(
                game, found, chosen, of_components=of_components, solution=solution
            )
            _say_cut(overview, settings)
            _write(texts, output)
        if output is not None:
            settings.screen.say(f"Wrote {output}: {_size(overview, of_components=of_components)}.")
    elif is_json:
        readings = {reading.name: reading.choice for reading in game.readings}
        print_json({"name": game.name, **overview_json(overview), "readings": readings})
    else:
        screen = settings.screen
        screen.show([readings_line(machine.signature, screen), BLANK])
        told = _Summary(overview, machine.signature, machine.signature.nouns)
        screen.show(told.lines())
        if of_components:
            screen.show(told.component_lines())
    return code


def _format(written_as: str | None, output: str | None) -> GraphFormat | None:
    if written_as is not None:
        return GraphFormat(written_as)
    if output is None:
        return None
    found = ENDINGS.get(Path(output).suffix.lower())
    if found is None:
        known = ", ".join(ENDINGS)
        raise click.UsageError(
            f"the name `{output}` does not say in which format to write (it could by {known}); "
            "--format does"
        )
    return found


def _refuse_values(chosen: GraphFormat | None, *, of_components: bool) -> None:
    if chosen is None or not chosen.is_picture:
        raise click.UsageError(
            "--values are written into pictures: add --format dot or --format svg, or an --output "
            "with such an ending; `zermelo solve` says in words who wins"
        )
    if of_components:
        raise click.UsageError(
            "--values are those of states, and --components draws many as one; they exclude each "
            "other"
        )


def _most_of(within: Limits) -> Limits:
    """The time and memory of *within* for all states, with some time left to draw."""
    left = within.time_left()
    seconds = within.seconds
    if seconds is not None and left is not None:
        seconds = round(seconds - _SHARE_OF_DRAWING * max(left, 0.0), 1)
    return Limits(seconds=seconds, memory=within.memory, began=within.began)


def _solved(
    game: Game, within: Limits, settings: Settings, listener: InterruptListener
) -> Solved | None:
    """The values of all states, which need more of them than are drawn; says if there are none."""
    try:
        solution = questions.solve(game, limits=within, threads=cores(), listener=listener)
    except OutOfTime:
        settings.errors.say(
            Piece("The values are not known: the time was over; the picture has none.", Tone.FAINT)
        )
        return None
    if solution.is_complete:
        return solution
    settings.errors.say(
        Piece(f"The values are not known: {solution.cut}; the picture has none.", Tone.FAINT)
    )
    return None


def _most(states: int | None, depth: int | None, chosen: GraphFormat | None) -> int | None:
    """How many states to take in; for a drawing no more than show that it is too large."""
    if states is not None:
        return states
    if chosen is GraphFormat.SVG:
        return MOST_NODES + 1
    return None if depth is not None else STATES


def _write(texts: Iterable[str], output: str | None) -> None:
    """Write the lines *texts*; files for other programs are UTF-8 wherever they go."""
    parts = (f"{text}\n".encode() for text in texts)
    if output is not None:
        write(output, parts)
        return
    if sys.stdout.isatty():
        for text in texts:
            print_data(text)
        return
    sys.stdout.flush()
    sys.stdout.buffer.writelines(parts)
    sys.stdout.buffer.flush()


def _say_cut(overview: Overview, settings: Settings) -> None:
    if overview.cut is not None:
        settings.errors.say(
            Piece(f"The graph is not complete: {overview.cut}; the file says so.", Tone.FAINT)
        )


def _size(overview: Overview, *, of_components: bool) -> str:
    if of_components:
        return count(overview.components, "component")
    return f"{count(overview.nodes, 'node')} and {count(overview.arcs, 'arc')}"


# The summary


class _Summary:
    """A graph in words."""

    def __init__(self, overview: Overview, signature: Signature, words: Nouns) -> None:
        self._overview = overview
        self._signature = signature
        self._words = words

    def lines(self) -> Iterator[Line]:
        """What there is, and what is terminal or comes again."""
        size = _size(self._overview, of_components=False)
        if self._overview.is_complete:
            is_whole = self._overview.faulty is None
            yield _line(f"{size}, {self._signature.all_reached(is_whole=is_whole)}.")
        else:
            yield _line(f"{size}, not all: {self._overview.cut}.")
            yield _line(
                f"From {count(self._overview.open, 'node')} arcs lead to {self._words.state}s that "
                "are not in the graph; what follows holds within it."
            )
        yield from self._alike_lines()
        yield BLANK
        yield from self._terminal_lines()
        yield BLANK
        yield from self._cycle_lines()
        if self._overview.faulty is not None:
            yield BLANK
            yield _line(
                Piece(self._overview.faulty.fault.message, Tone.BAD),
                f" (in {self._overview.faulty.fault.procedure}): arcs may be missing at "
                f"{count(self._overview.faulty.count, 'node')}; first after ",
                Piece(play_text(self._overview.faulty.play, self._signature), Tone.FORMULA),
            )

    def _alike_lines(self) -> Iterator[Line]:
        alike = self._overview.alike
        if alike is not None:
            yield _line(f"Symmetry: {alike.symmetry}.")
            states = self._words.counted_states(alike.states)
            yield _line(f"The nodes stand for {states}; arcs are the moves of one of each class.")

    def _terminal_lines(self) -> Iterator[Line]:
        if not self._overview.terminal:
            yield _line("No terminal nodes.")
            return
        yield _line(f"{count(self._overview.terminal_nodes, 'terminal node')}:")
        for found in self._overview.terminal:
            yield line(
                *self._outcome(found.outcome),
                f": {count(found.count, 'node')}; first ",
                *self._play(found.play),
                indent=4,
                hang=2,
            )

    def _cycle_lines(self) -> Iterator[Line]:
        whole = count(self._overview.components, "strongly connected component")
        if self._overview.cycle is None:
            where = "" if self._overview.is_complete else "within the graph "
            yield _line(f"{whole}, each of one node: {where}there are no cycles.")
            return
        largest = self._overview.largest
        yield _line(
            f"{whole}; the largest has {count(largest.component.size, 'node')}, first reached ",
            *self._play(largest.play),
        )
        yield _line(
            f"{count(self._overview.on_cycles, 'node')} on cycles, in "
            f"{count(self._overview.nontrivial, 'nontrivial component')}; the first, ",
            *self._play(self._overview.cycle.play),
            ", leads back to itself by "
            if self._overview.alike is None
            else f", leads back to a {self._words.state} that is alike by ",
            Piece(play_text(self._overview.cycle.moves, self._signature), Tone.FORMULA),
        )
        trap = self._overview.first_nontrivial_terminal
        if trap is None:
            said = (
                "is terminal: each can be left"
                if self._overview.is_complete
                else "is known to be terminal"
            )
            yield _line(f"No nontrivial component {said}.")
            return
        is_one = self._overview.nontrivial_terminal == 1
        said = (
            "is terminal, and play in it never ends; it"
            if is_one
            else ("are terminal, and play in them never ends; the first")
        )
        yield _line(
            f"{count(self._overview.nontrivial_terminal, 'nontrivial component')} {said} has "
            f"{count(trap.component.size, 'node')}, first reached ",
            *self._play(trap.play),
        )

    def component_lines(self) -> Iterator[Line]:
        """The components that have a cycle, one by one."""
        if not self._overview.nontrivial_found:
            return
        yield BLANK
        yield _line("Nontrivial components:")
        for found in self._overview.nontrivial_found:
            component = found.component
            rest = "terminal" if component.is_terminal else "open" if component.is_open else "left"
            yield line(
                f"{component.number}: ",
                Piece(count(component.size, "node"), Tone.STRONG),
                f", {_HOW[rest]}; first reached ",
                *self._play(found.play),
                indent=4,
                hang=2,
            )
        more = self._overview.nontrivial - len(self._overview.nontrivial_found)
        if more:
            yield line(f"and {more:,} more", indent=4)

    def _play(self, moves: tuple[Move, ...]) -> tuple[str | Piece, ...]:
        if not moves:
            return ("at the start",)
        return f"after {count(len(moves), self._words.move)}: ", Piece(
            play_text(moves, self._signature), Tone.FORMULA
        )

    def _outcome(self, outcome: Outcome) -> tuple[str | Piece, ...]:
        if outcome.ending is not Ending.STUCK:
            return (Piece(str(outcome), Tone.STRONG),)
        if self._words.stuck is not None:
            return (Piece(self._words.stuck, Tone.STRONG),)
        return Piece(str(outcome), Tone.STRONG), ", not over and without a move"


_HOW: Final = {
    "terminal": "terminal",
    "open": "not all of what follows it is in the graph",
    "left": "can be left",
}


def _line(*parts: str | Piece) -> Line:
    return line(*parts, indent=2, hang=2)
