"""``zermelo net``: what is asked of Petri nets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from zermelo import api
from zermelo.core.machine import Move
from zermelo.core.nets.words import Words
from zermelo.faces.cli.jsonable import json_text, print_json
from zermelo.faces.cli.loading import NOT_FINE, exit_code, found, load, load_machine
from zermelo.faces.cli.options import Settings, document, examples
from zermelo.faces.cli.progress import stopper
from zermelo.play.prose import BLANK, Line, Piece, Tone, line

INTERRUPTED: Final = 130
_LISTED_ON_SCREEN: Final = 5
COMPILED: Final = "compiled code"
"""What runs as a rule; of anything else it is said."""


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


@command.command(
    "report",
    epilog=examples(
        "zermelo net report mine.net",
        "zermelo net report mine.net --json",
        "zermelo net report mine.pnml --most 10 --output -",
    ),
)
@click.option(
    "--output",
    metavar="FILE",
    help="Where the report goes instead of NAME.txt; `-` is the screen.",
)
@click.option(
    "--most",
    type=click.IntRange(min=0),
    help="List at most so many terminal nodes and components; all are counted.",
)
@click.option("--states", type=click.IntRange(min=1), help="How many states to take in.")
@click.option(
    "--json",
    "is_json",
    is_flag=True,
    help="The report as one JSON object, printed or, with --output, in that file.",
)
@document
def report(
    *,
    name: str,
    output: str | None,
    most: int | None,
    states: int | None,
    is_json: bool,
    settings: Settings,
) -> int:
    """Write the report on the reachability graph into NAME.txt.

    It has the number of nodes, arcs and strongly connected components, and lists the terminal
    nodes and the nontrivial terminal components, each with its marking. A component is
    nontrivial when it has an arc inside, a loop at one node included.
    """
    game, _ = load_machine(name, settings)
    words = Words(api.net_of(game))
    with stopper() as listener:
        made = api.net_report(game, most=most, limits=api.Limits(states=states), listener=listener)
    code = INTERRUPTED if listener.is_asked else exit_code(game, settings)
    code = code or (NOT_FINE if made.fault is not None else 0)
    if is_json and output in (None, "-"):
        print_json(api.net_report_json(made, words.net))
        return code
    if is_json:
        text = f"{json_text(api.net_report_json(made, words.net))}\n"
    else:
        text = "\n".join(_report(made, words)) + "\n"
    if output == "-":
        settings.screen.write(text)
        return code
    path = Path(output) if output is not None else _beside(name)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"`{path}` could not be written: {error.strerror}") from error
    settings.screen.show(_summary(made))
    settings.screen.say(f"Wrote {path}.")
    return code


def _beside(name: str) -> Path:
    """NAME.txt beside a file; here for a net of the library."""
    path = Path(name)
    return path.with_suffix(".txt") if path.is_file() else Path(f"{path.name}.txt")


def _summary(made: api.NetReport) -> Iterator[Line]:
    for label, number in _counts(made):
        yield line(f"{number:>12,}  {label}")
    yield from _caveats(made)


def _counts(made: api.NetReport) -> list[tuple[str, int]]:
    return [
        ("nodes", made.nodes),
        ("arcs", made.arcs),
        ("strongly connected components", made.components),
        ("terminal nodes", made.terminal_nodes),
        ("nontrivial terminal components", made.nontrivial_terminal),
        ("most tokens in a place", made.most_in_a_place),
        ("most tokens in a marking", made.most_in_a_marking),
    ]


def _caveats(made: api.NetReport | api.StateSpace) -> Iterator[Line]:
    if made.unbounded is not None:
        yield BLANK
        yield from _pumping(made.unbounded)
    elif made.cut is not None:
        yield line(Piece(f"Not complete: {made.cut}.", Tone.BAD))
    if made.fault is not None:
        yield line(Piece(_faulty(made), Tone.BAD), hang=2)


def _faulty(made: api.NetReport | api.StateSpace) -> str:
    """In how many markings a fault stops a firing, and the first of them."""
    where = "1 marking" if made.faulty == 1 else f"{made.faulty:,} markings"
    return f"In {where} a fault stops a firing: {made.fault}."


def _pumping(pumped: api.Pumping) -> Iterator[Line]:
    grows = ", ".join(f"`{name}`" for name in pumped.grows)
    yield line(Piece(f"The net is unbounded: {grows} can get ever more tokens.", Tone.BAD))
    if pumped.play:
        yield line(f"After {_play(pumped.play)}", indent=2, hang=4)
    yield line(f"repeat {_play(pumped.moves)}", indent=2, hang=4)


def _play(moves: tuple[Move, ...]) -> str:
    return ", ".join(str(move).removesuffix("()") for move in moves)


def _report(made: api.NetReport, words: Words) -> Iterator[str]:
    """The lines of NAME.txt."""
    yield f"Reachability graph of {made.name}"
    yield ""
    for label, number in _counts(made):
        yield f"{label[0].upper()}{label[1:]}: {number}"
    if made.unbounded is not None:
        yield f"The net is unbounded in {', '.join(made.unbounded.grows)}."
        yield f"  after:  {_play(made.unbounded.play) or 'nothing'}"
        yield f"  repeat: {_play(made.unbounded.moves)}"
    if made.cut is not None:
        yield f"Not complete: {made.cut}."
    if made.fault is not None:
        yield _faulty(made)
    yield ""
    yield _heading("Terminal nodes", made.terminal_nodes, len(made.terminal))
    for node in made.terminal:
        yield f"  node {node.number}: {words.marking(node.state)}"
    yield ""
    yield _heading("Nontrivial terminal components", made.nontrivial_terminal, len(made.traps))
    for trap in made.traps:
        nodes = "1 node" if trap.size == 1 else f"{trap.size} nodes"
        yield f"  component {trap.number} ({nodes}):"
        for node in trap.nodes:
            yield f"    node {node.number}: {words.marking(node.state)}"
        if trap.size > len(trap.nodes):
            yield f"    … and {trap.size - len(trap.nodes)} more nodes"


def _heading(what: str, count: int, listed: int) -> str:
    if count == listed:
        return f"{what}: {count}"
    return f"{what}: {count}, of which the first {listed} are listed"


@command.command(
    "states",
    epilog=examples(
        "zermelo net states mine.pnml",
        "zermelo net states mine.pnml --threads 2 --json",
    ),
)
@click.option("--states", type=click.IntRange(min=1), help="Stop at so many states.")
@click.option("--seconds", type=click.FloatRange(min=0), help="Stop after so many seconds.")
@click.option("--threads", type=click.IntRange(min=1), help="How many threads; all cores.")
@click.option("--json", "is_json", is_flag=True, help="Print the counts as one JSON object.")
@document
def states(
    *,
    name: str,
    states: int | None,
    seconds: float | None,
    threads: int | None,
    is_json: bool,
    settings: Settings,
) -> int:
    """Count the reachable markings as the Model Checking Contest asks for it.

    Prints the number of states, of arcs (one for each binding that fires), and the most tokens
    in a place and in a marking, colours summed over.
    """
    from zermelo.faces.cli.resources import cores  # noqa: PLC0415 - only this command needs it

    game, _ = load_machine(name, settings)
    api.net_of(game)
    limits = api.Limits(states=states, seconds=seconds)
    with stopper() as listener:
        made = api.state_space(game, limits=limits, listener=listener, threads=threads or cores())
    code = INTERRUPTED if listener.is_asked else exit_code(game, settings)
    code = code or (NOT_FINE if made.fault is not None else 0)
    if is_json:
        print_json({"name": game.name, **api.state_space_json(made)})
        return code
    screen = settings.screen
    for label, number in (
        ("STATES", made.states),
        ("TRANSITIONS", made.arcs),
        ("MAX_TOKEN_IN_PLACE", made.most_in_a_place),
        ("MAX_TOKEN_PER_MARKING", made.most_in_a_marking),
    ):
        screen.say(f"STATE_SPACE {label} {number} TECHNIQUES EXPLICIT")
    screen.show(_caveats(made))
    if made.machine != COMPILED and made.unbounded is None:
        settings.errors.say(Piece(f"Ran on {made.machine}.", Tone.FAINT))
    return code


@command.command(
    "shape",
    epilog=examples(
        "zermelo net shape mine.net --game rules.md --mapping board.toml",
    ),
)
@click.option(
    "--game",
    "other",
    required=True,
    metavar="FILE|NAME",
    help="The game in another document, whose wins and draws count.",
)
@click.option(
    "--mapping",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Says which token components are which cells of the game.",
)
@click.option("--json", "is_json", is_flag=True, help="Print the answer as one JSON object.")
@document
def shape(*, name: str, other: str, mapping: Path, is_json: bool, settings: Settings) -> int:
    """Check the shape of the reachability graph against a game.

    Asked for are: as many components as nodes; terminal nodes and won boards one to one;
    nontrivial terminal components and drawn boards one to one. Exit code 1 if one fails.
    """
    game, _ = load_machine(name, settings)
    api.net_of(game)
    found(other)
    rules = load(other, settings)
    if rules.system is None:
        raise click.UsageError(f"`{other}` gives no system; `zermelo check {other}` says why")
    with stopper() as listener:
        made = api.net_shape(game, rules, mapping, listener=listener)
    if listener.is_asked:
        return INTERRUPTED
    if is_json:
        print_json({"name": game.name, "game": rules.name, **api.net_shape_json(made)})
    else:
        settings.screen.show(_shape(made))
    return exit_code(game, settings) if made.holds else NOT_FINE


def _shape(made: api.Shape) -> Iterator[Line]:
    yield _verdict(
        f"{made.nodes:,} nodes and {made.components:,} components",
        holds=made.are_components_single,
    )
    for what, one, compared in (
        ("terminal nodes", "won boards", made.wins),
        ("nontrivial terminal components", "drawn boards", made.draws),
    ):
        yield _verdict(
            f"{compared.found:,} {what} and {compared.wanted:,} {one}, one to one",
            holds=compared.is_one_to_one,
        )
        for words, boards in (
            ("nothing stands for", compared.missing),
            ("the game does not end so on", compared.extra),
            ("several stand for", compared.twice),
        ):
            for board in boards[:_LISTED_ON_SCREEN]:
                yield line(f"{words} {api.board_text(board)}", indent=4, hang=6)
            if len(boards) > _LISTED_ON_SCREEN:
                yield line(f"… and {len(boards) - _LISTED_ON_SCREEN:,} more", indent=4)
    if made.cut is not None:
        yield line(Piece(f"Not complete: {made.cut}.", Tone.BAD))
    yield BLANK
    yield line("The graph has the shape." if made.holds else "The graph does not have the shape.")


def _verdict(text: str, *, holds: bool) -> Line:
    mark = Piece("holds ", Tone.GOOD) if holds else Piece("fails ", Tone.BAD)
    return line(mark, f" {text}")


@command.command(
    "draw",
    epilog=examples(
        "zermelo net draw mine.net --output mine.svg",
        "zermelo net draw mine.pnml --format dot | dot -Tpdf > mine.pdf",
    ),
)
@click.option(
    "--format",
    "written_as",
    type=click.Choice(["svg", "dot"]),
    help="SVG is drawn here and for small nets; DOT is for Graphviz.",
)
@click.option(
    "--output",
    metavar="FILE",
    help="Write it into this file instead of printing it; its ending can stand for --format.",
)
@document
def draw(*, name: str, written_as: str | None, output: str | None, settings: Settings) -> int:
    """Draw the net itself: its places with their tokens, its transitions, the arcs.

    `zermelo graph` draws its reachability graph.
    """
    ending = Path(output).suffix.lower().removeprefix(".") if output else ""
    chosen = written_as or {"svg": "svg", "dot": "dot", "gv": "dot"}.get(ending, "svg")
    game, _ = load_machine(name, settings)
    text = "\n".join(api.net_lines(game, chosen)) + "\n"
    if output is None or output == "-":
        click.echo(text, nl=False)
        return exit_code(game, settings)
    try:
        Path(output).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise click.UsageError(f"`{output}` could not be written: {error.strerror}") from error
    settings.screen.say(f"Wrote {output}.")
    return exit_code(game, settings)
