"""``zermelo net``: what is asked of Petri nets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import click

from zermelo import api
from zermelo.core.machine import Move, State
from zermelo.faces.cli.jsonable import json_text, print_json
from zermelo.faces.cli.loading import (
    FINE,
    NOT_FINE,
    STANDARD_INPUT,
    exit_code,
    found,
    load,
    load_machine,
)
from zermelo.faces.cli.options import Settings, document, examples
from zermelo.faces.cli.progress import stopper
from zermelo.languages.nets.words import Words
from zermelo.text.prose import BLANK, Line, Piece, Tone, count, line, listing

INTERRUPTED: Final = 130
_LISTED_ON_SCREEN: Final = 5
COMPILED: Final = "compiled code"
"""What runs as a rule; of anything else it is said."""
PART: Final = "The part that was looked at"
FOLLOWED: Final = "from those whose firings were all followed"
"""Of which states a count that was cut short has the arcs."""
IN_A_PLACE: Final = "most tokens in a place"
IN_A_MARKING: Final = "most tokens in a marking"
Counted: TypeAlias = tuple[str, str, int]
"""What one thing and several are called, and how many there are."""


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
    "-o",
    "--output",
    metavar="FILE",
    help="Where the report goes instead of NAME.txt; `-` is the screen, and is usual for a net "
    "from standard input.",
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
    nontrivial when it has an arc inside, a loop at one node included. Exit code 1 if the net is
    unbounded, or a fault stops a firing; what is counted of a graph that is not complete is the
    part that was looked at.
    """
    game, _ = load_machine(name, settings)
    words = Words(api.net_of(game))
    with stopper() as listener:
        made = api.net_report(game, most=most, limits=api.Limits(states=states), listener=listener)
    code = INTERRUPTED if listener.is_asked else exit_code(game, settings) or _code(made)
    if output is None and name == STANDARD_INPUT:
        output = "-"
    if is_json and output in (None, "-"):
        print_json(api.net_report_json(made, words.net))
        return code
    if is_json:
        text = f"{json_text(api.net_report_json(made, words.net))}\n"
    else:
        text = "\n".join(_report(made, words)) + "\n"
    if output == "-":
        settings.screen.write(text.removesuffix("\n"))
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


def _code(made: api.NetReport | api.StateSpace) -> int:
    """How a command ends that has counted the markings of a net."""
    return NOT_FINE if made.unbounded is not None or made.fault is not None else FINE


def _summary(made: api.NetReport) -> Iterator[Line]:
    yield from _counted(made, _counts(made))


def _counts(made: api.NetReport) -> list[Counted]:
    return [
        ("node", "nodes", made.nodes),
        ("arc", "arcs", made.arcs),
        ("strongly connected component", "strongly connected components", made.components),
        ("terminal node", "terminal nodes", made.terminal_nodes),
        (
            "nontrivial terminal component",
            "nontrivial terminal components",
            made.nontrivial_terminal,
        ),
        (IN_A_PLACE, IN_A_PLACE, made.most_in_a_place),
        (IN_A_MARKING, IN_A_MARKING, made.most_in_a_marking),
    ]


def _counted(made: api.NetReport | api.StateSpace, counts: Sequence[Counted]) -> Iterator[Line]:
    """The *counts*, called what they are: those of all there is, or of a part."""
    if not made.is_complete:
        yield from _incomplete(made)
        yield line(f"{PART}:")
    for noun, plural, number in counts:
        digits, _, words = count(number, noun, plural).partition(" ")
        yield line(f"{digits:>12}  {words}")
    yield from _fault(made)


def _incomplete(made: api.NetReport | api.StateSpace) -> Iterator[Line]:
    """Why not everything was reached."""
    if made.unbounded is not None:
        yield from _pumping(made.unbounded)
    elif made.cut is not None:
        yield line(Piece(f"Not complete: {made.cut}.", Tone.BAD))


def _fault(made: api.NetReport | api.StateSpace) -> Iterator[Line]:
    if made.fault is not None:
        yield line(Piece(_faulty(made), Tone.BAD), hang=2)


def _faulty(made: api.NetReport | api.StateSpace) -> str:
    """In how many markings a fault stops a firing, and the first of them."""
    least = "" if made.is_complete else "at least "
    return f"In {least}{count(made.faulty, 'marking')} a fault stops a firing: {made.fault}."


def _pumping(pumped: api.Pumping) -> Iterator[Line]:
    grows = listing([f"`{name}`" for name in pumped.grows])
    yield line(Piece(f"The net is unbounded: {grows} can get ever more tokens.", Tone.BAD))
    if pumped.play:
        yield line(f"after {_play(pumped.play)}", indent=2, hang=4)
    yield line(f"repeat {_play(pumped.moves)}", indent=2, hang=4)


def _play(moves: tuple[Move, ...]) -> str:
    return ", ".join(str(move).removesuffix("()") for move in moves)


def _report(made: api.NetReport, words: Words) -> Iterator[str]:
    """The lines of NAME.txt."""
    yield f"Reachability graph of {made.name}"
    yield ""
    if not made.is_complete:
        yield from (each.text for each in _incomplete(made))
        yield ""
        yield f"{PART}:"
    indent = "" if made.is_complete else "  "
    for _, plural, number in _counts(made):
        yield f"{indent}{plural[0].upper()}{plural[1:]}: {number}"
    if made.fault is not None:
        yield _faulty(made)
    where = "" if made.is_complete else " in that part"
    yield ""
    yield _heading(f"Terminal nodes{where}", made.terminal_nodes, len(made.terminal))
    for node in made.terminal:
        yield f"  {_node(node.number, node.state, node.stopped, words)}"
    yield ""
    yield _heading(
        f"Nontrivial terminal components{where}", made.nontrivial_terminal, len(made.traps)
    )
    for trap in made.traps:
        yield f"  component {trap.number} ({count(trap.size, 'node')}):"
        for node in trap.nodes:
            yield f"    {_node(node.number, node.state, node.stopped, words)}"
        if trap.size > len(trap.nodes):
            yield f"    … and {count(trap.size - len(trap.nodes), 'more node')}"


def _node(number: int, state: State, stopped: Sequence[Move], words: Words) -> str:
    """A node with its marking, and with the firings that a fault stops in it."""
    firings = listing([words.firing(move) for move in stopped])
    why = f"  (a fault stops {firings})" if firings else ""
    return f"node {number}: {words.marking(state)}{why}"


def _heading(what: str, number: int, listed: int) -> str:
    if number == listed:
        return f"{what}: {number}"
    if not listed:
        return f"{what}: {number}, of which none is listed"
    some = "the first is" if listed == 1 else f"the first {listed} are"
    return f"{what}: {number}, of which {some} listed"


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
    in a place and in a marking, colours summed over, in the form of the contest only if all
    markings were reached. Exit code 1 if the net is unbounded, or a fault stops a firing.
    """
    from zermelo.faces.cli.resources import cores  # noqa: PLC0415 - only this command needs it

    game, _ = load_machine(name, settings)
    api.net_of(game)
    limits = api.Limits(states=states, seconds=seconds)
    with stopper() as listener:
        made = api.state_space(game, limits=limits, listener=listener, threads=threads or cores())
    code = INTERRUPTED if listener.is_asked else exit_code(game, settings) or _code(made)
    if is_json:
        print_json({"name": game.name, **api.state_space_json(made)})
        return code
    settings.screen.show(_space(made))
    if made.machine != COMPILED and made.unbounded is None:
        settings.errors.say(Piece(f"Ran on {made.machine}.", Tone.FAINT))
    return code


def _space(made: api.StateSpace) -> Iterator[Line]:
    """The counts in the form of the contest, which has no word for those of a part."""
    if made.unbounded is not None:
        yield from _pumping(made.unbounded)
        return
    if not made.is_complete:
        yield from _counted(
            made,
            [
                ("state reached", "states reached", made.states),
                (f"arc {FOLLOWED}", f"arcs {FOLLOWED}", made.arcs),
                (IN_A_PLACE, IN_A_PLACE, made.most_in_a_place),
                (IN_A_MARKING, IN_A_MARKING, made.most_in_a_marking),
            ],
        )
        return
    for label, number in (
        ("STATES", made.states),
        ("TRANSITIONS", made.arcs),
        ("MAX_TOKEN_IN_PLACE", made.most_in_a_place),
        ("MAX_TOKEN_PER_MARKING", made.most_in_a_marking),
    ):
        yield line(f"STATE_SPACE {label} {number} TECHNIQUES EXPLICIT")
    yield from _fault(made)


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
        f"{count(made.nodes, 'node')} and {count(made.components, 'component')}",
        holds=made.are_components_single,
    )
    for what, one, compared in (
        ("terminal node", "won board", made.wins),
        ("nontrivial terminal component", "drawn board", made.draws),
    ):
        yield _verdict(
            f"{count(compared.found, what)} and {count(compared.wanted, one)}, one to one",
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
    "-o",
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
