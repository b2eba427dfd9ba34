"""What is asked of nets only: commands as data, which a face runs and prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final, TypeAlias

from zermelo.core.language import Answer, Call, Command, Option, OptionKind, OtherDocument
from zermelo.core.limits import SECONDS_HELP
from zermelo.core.space import resumed_json
from zermelo.languages.nets.answers import (
    Explored,
    ListedNode,
    NetReport,
    Shape,
    StateSpace,
    board_text,
    bounded_line,
    pumping_lines,
    report_json,
    shape_json,
    state_space_json,
)
from zermelo.languages.nets.model import NetModel
from zermelo.languages.nets.words import Words
from zermelo.text.errors import UsageError
from zermelo.text.prose import BLANK, Line, Piece, Tone, count, line, listing
from zermelo.text.render import json_text

NOT_A_NET: Final = (
    "{name} is not a net; this asks for a file in PROD's language (.net) or PNML (.pnml)"
)
STANDARD_INPUT: Final = "-"
_LISTED_ON_SCREEN: Final = 5
COMPILED: Final = "compiled code"
PART: Final = "The part that was looked at"
FOLLOWED: Final = "from those whose firings were all followed"
TRAP: Final = "nontrivial terminal component"
Counted: TypeAlias = tuple[str, str, int]
"""What one thing and several are called, and how many there are."""


def _net(call: Call) -> NetModel:
    if not isinstance(call.model, NetModel):
        raise UsageError(NOT_A_NET.format(name=call.source.name))
    return call.model.token_game


def report(call: Call) -> Answer:
    # What computes with arrays is imported when it is used.
    from zermelo.languages.nets.questions import net_report  # noqa: PLC0415

    model = _net(call)
    words = Words(model.net)
    made = net_report(
        model,
        call.engines,
        most=call.number("most"),
        limits=call.limits(),
        listener=call.listener,
    )
    output = call.text("output")
    if output is None and call.document == STANDARD_INPUT:
        output = "-"
    data = report_json(made, words.net)
    if call.is_set("json") and output in (None, "-"):
        return Answer(json=data, is_wrong=_is_wrong(made))
    text = f"{json_text(data)}\n" if call.is_set("json") else "\n".join(_report(made, words)) + "\n"
    if output == "-":
        return Answer(text=text, is_wrong=_is_wrong(made))
    if output is None:
        # Beside a file; here for a net of the library.
        path = Path(call.document)
        output = str(path.with_suffix(".txt") if path.is_file() else Path(f"{path.name}.txt"))
    lines = tuple(_counted(made, _counts(made)))
    return Answer(lines, files={output: text}, is_wrong=_is_wrong(made))


def _is_wrong(made: Explored) -> bool:
    return made.unbounded is not None or made.fault is not None


def states(call: Call) -> Answer:
    from zermelo.languages.nets.questions import state_space  # noqa: PLC0415 - as above

    model = _net(call)
    folder = call.text("checkpoint")
    with ExitStack() as held:
        kept = None
        if folder is not None:
            kept = held.enter_context(call.engines.kept(Path(folder), call.announce))
        made = state_space(
            model,
            call.engines,
            limits=call.limits(),
            listener=call.listener,
            threads=call.number("threads") or call.threads,
            kept=kept,
        )
    resumed = None if kept is None else kept.resumed
    cut = made.cut if made.unbounded is None and kept is not None else None
    if call.is_set("json"):
        name = {"name": model.signature.name}
        data = {**name, **state_space_json(made), **resumed_json(resumed)}
        return Answer(json=data, is_wrong=_is_wrong(made), kept_in=folder, cut=cut)
    notes: tuple[Line, ...] = ()
    if made.machine != COMPILED and made.unbounded is None:
        notes = (line(Piece(f"Ran on {made.machine}.", Tone.FAINT)),)
    return Answer(
        tuple(_space(made)), notes=notes, is_wrong=_is_wrong(made), kept_in=folder, cut=cut
    )


def shape(call: Call) -> Answer:
    from zermelo.languages.nets.questions import net_shape  # noqa: PLC0415 - as above

    model = _net(call)
    game, mapping = call.options["game"], call.options["mapping"]
    assert isinstance(game, OtherDocument), "the option names a document"
    assert isinstance(mapping, Path), "the option names a file"
    made = net_shape(model, game, mapping, call.engines, listener=call.listener)
    if call.is_set("json"):
        names = {"name": model.signature.name, "game": game.name}
        return Answer(json={**names, **shape_json(made)}, is_wrong=not made.holds)
    return Answer(tuple(_shape(made)), is_wrong=not made.holds)


def draw(call: Call) -> Answer:
    output = call.text("output")
    ending = Path(output).suffix.lower().removeprefix(".") if output else ""
    chosen = call.text("format") or {"svg": "svg", "dot": "dot", "gv": "dot"}.get(ending, "svg")
    _net(call)
    return Answer(picture=chosen, picture_file=None if output in (None, "-") else output)


def _counts(made: NetReport) -> list[Counted]:
    return [
        ("node", "nodes", made.nodes),
        ("arc", "arcs", made.arcs),
        ("strongly connected component", "strongly connected components", made.components),
        ("terminal node", "terminal nodes", made.terminal_nodes),
        (TRAP, f"{TRAP}s", made.nontrivial_terminal),
        *_most(made),
    ]


def _most(made: Explored) -> tuple[Counted, Counted]:
    place, marking = "most tokens in a place", "most tokens in a marking"
    return (place, place, made.most_in_a_place), (marking, marking, made.most_in_a_marking)


def _counted(made: Explored, counts: Sequence[Counted]) -> Iterator[Line]:
    """The *counts*, called what they are: those of all there is, or of a part."""
    if not made.is_complete:
        yield from _incomplete(made)
        yield line(f"{PART}:")
    for noun, plural, number in counts:
        digits, _, words = count(number, noun, plural).partition(" ")
        yield line(f"{digits:>12}  {words}")
    yield from _fault(made)


def _incomplete(made: Explored) -> Iterator[Line]:
    if made.unbounded is not None:
        yield from pumping_lines(made.unbounded)
    elif made.cut is not None:
        yield line(Piece(f"Not complete: {made.cut}.", Tone.BAD))
        yield bounded_line(made.boundedness, made.searched)


def _fault(made: Explored) -> Iterator[Line]:
    if made.fault is not None:
        yield line(Piece(_faulty(made), Tone.BAD), hang=2)


def _faulty(made: Explored) -> str:
    least = "" if made.is_complete else "at least "
    return f"In {least}{count(made.faulty, 'marking')} a fault stops a firing: {made.fault}."


def _report(made: NetReport, words: Words) -> Iterator[str]:
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
        yield f"  {_node(node, words)}"
    yield ""
    yield _heading(
        f"Nontrivial terminal components{where}", made.nontrivial_terminal, len(made.traps)
    )
    for trap in made.traps:
        yield f"  component {trap.number} ({count(trap.size, 'node')}):"
        for node in trap.nodes:
            yield f"    {_node(node, words)}"
        if trap.size > len(trap.nodes):
            yield f"    … and {count(trap.size - len(trap.nodes), 'more node')}"


def _node(node: ListedNode, words: Words) -> str:
    firings = listing(words.firing(move) for move in node.stopped)
    why = f"  (a fault stops {firings})" if firings else ""
    return f"node {node.number}: {words.marking(node.state)}{why}"


def _heading(what: str, number: int, listed: int) -> str:
    if number == listed:
        return f"{what}: {number}"
    if not listed:
        return f"{what}: {number}, of which none is listed"
    some = "the first is" if listed == 1 else f"the first {listed} are"
    return f"{what}: {number}, of which {some} listed"


def _space(made: StateSpace) -> Iterator[Line]:
    """The counts in the form of the contest, which has no word for those of a part."""
    if made.unbounded is not None:
        yield from pumping_lines(made.unbounded)
        return
    if not made.is_complete:
        states = ("state reached", "states reached", made.states)
        arcs = (f"arc {FOLLOWED}", f"arcs {FOLLOWED}", made.arcs)
        yield from _counted(made, [states, arcs, *_most(made)])
        return
    for label, number in (
        ("STATES", made.states),
        ("TRANSITIONS", made.arcs),
        ("MAX_TOKEN_IN_PLACE", made.most_in_a_place),
        ("MAX_TOKEN_PER_MARKING", made.most_in_a_marking),
    ):
        yield line(f"STATE_SPACE {label} {number} TECHNIQUES EXPLICIT")
    yield from _fault(made)


def _shape(made: Shape) -> Iterator[Line]:
    yield _verdict(
        f"{count(made.nodes, 'node')} and {count(made.components, 'component')}",
        holds=made.are_components_single,
    )
    for what, one, compared in (
        ("terminal node", "won board", made.wins),
        (TRAP, "drawn board", made.draws),
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
                yield line(f"{words} {board_text(board)}", indent=4, hang=6)
            if len(boards) > _LISTED_ON_SCREEN:
                yield line(f"… and {len(boards) - _LISTED_ON_SCREEN:,} more", indent=4)
    if made.cut is not None:
        yield line(Piece(f"Not complete: {made.cut}.", Tone.BAD))
    yield BLANK
    yield line("The graph has the shape." if made.holds else "The graph does not have the shape.")


def _verdict(text: str, *, holds: bool) -> Line:
    mark = Piece("holds ", Tone.GOOD) if holds else Piece("fails ", Tone.BAD)
    return line(mark, f" {text}")


_JSON: Final = "Print the counts as one JSON object."

COMMANDS: Final = (
    Command(
        group="net",
        name="report",
        help="""Write the report on the reachability graph into NAME.txt.

    It has the number of nodes, arcs and strongly connected components, and lists the terminal
    nodes and the nontrivial terminal components, each with its marking. A component is
    nontrivial when it has an arc inside, a loop at one node included. Exit code 1 if the net is
    unbounded, or a fault stops a firing; what is counted of a graph that is not complete is the
    part that was looked at.
    """,
        examples=(
            "zermelo net report mine.net",
            "zermelo net report mine.net --json",
            "zermelo net report mine.pnml --most 10 --output -",
        ),
        run=report,
        options=(
            Option(
                "output",
                ("-o", "--output"),
                OptionKind.TEXT,
                "Where the report goes instead of NAME.txt; `-` is the screen, and is usual for "
                "a net from standard input.",
                metavar="FILE",
            ),
            Option(
                "most",
                ("--most",),
                OptionKind.NUMBER,
                "List at most so many terminal nodes and components; all are counted.",
            ),
            Option("states", ("--states",), OptionKind.COUNT, "How many states to take in."),
            Option("seconds", ("--seconds",), OptionKind.SECONDS, SECONDS_HELP),
            Option(
                "json",
                ("--json",),
                OptionKind.FLAG,
                "The report as one JSON object, printed or, with --output, in that file.",
            ),
        ),
    ),
    Command(
        group="net",
        name="states",
        help="""Count the reachable markings as the Model Checking Contest asks for it.

    Prints the number of states, of arcs (one for each binding that fires), and the most tokens
    in a place and in a marking, colours summed over, in the form of the contest only if all
    markings were reached. Exit code 1 if the net is unbounded, or a fault stops a firing.
    """,
        examples=(
            "zermelo net states mine.pnml",
            "zermelo net states mine.pnml --threads 2 --json",
            "zermelo net states mine.pnml --seconds 600 --checkpoint kept",
        ),
        run=states,
        options=(
            Option("states", ("--states",), OptionKind.COUNT, "Stop at so many states."),
            Option("seconds", ("--seconds",), OptionKind.SECONDS, SECONDS_HELP),
            Option("threads", ("--threads",), OptionKind.COUNT, "How many threads; all cores."),
            Option(
                "checkpoint",
                ("--checkpoint",),
                OptionKind.TEXT,
                "Keep what was found in this folder; the same command goes on from there.",
                metavar="DIR",
            ),
            Option("json", ("--json",), OptionKind.FLAG, _JSON),
        ),
    ),
    Command(
        group="net",
        name="shape",
        help="""Check the shape of the reachability graph against a game.

    Asked for are: as many components as nodes; terminal nodes and won boards one to one;
    nontrivial terminal components and drawn boards one to one. Exit code 1 if one fails.
    """,
        examples=("zermelo net shape mine.net --game rules.md --mapping board.toml",),
        run=shape,
        options=(
            Option(
                "game",
                ("--game",),
                OptionKind.DOCUMENT,
                "The game in another document, whose wins and draws count.",
                metavar="FILE|NAME",
                is_required=True,
            ),
            Option(
                "mapping",
                ("--mapping",),
                OptionKind.EXISTING_FILE,
                "Says which token components are which cells of the game.",
                is_required=True,
            ),
            Option("json", ("--json",), OptionKind.FLAG, "Print the answer as one JSON object."),
        ),
    ),
    Command(
        group="net",
        name="draw",
        help="""Draw the net itself: its places with their tokens, its transitions, the arcs.

    `zermelo graph` draws its reachability graph.
    """,
        examples=(
            "zermelo net draw mine.net --output mine.svg",
            "zermelo net draw mine.pnml --format dot | dot -Tpdf > mine.pdf",
        ),
        run=draw,
        options=(
            Option(
                "format",
                ("--format",),
                OptionKind.CHOICE,
                "SVG is drawn here and for small nets; DOT is for Graphviz.",
                choices=("svg", "dot"),
            ),
            Option(
                "output",
                ("-o", "--output"),
                OptionKind.TEXT,
                "Write it into this file instead of printing it; its ending can stand for "
                "--format.",
                metavar="FILE",
            ),
        ),
    ),
)
