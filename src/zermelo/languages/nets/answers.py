"""What is said about a net, as records and JSON: its state space, its graph, the shape of that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from zermelo.core.state import Move, State
from zermelo.core.values import Value, in_order, to_text
from zermelo.languages.nets.ir import Net
from zermelo.languages.nets.unbounded import Boundedness, Pumping
from zermelo.languages.nets.words import Words, play_text
from zermelo.text.diagnostic import Json
from zermelo.text.prose import Line, Piece, Tone, count, line, listing


@dataclass(frozen=True, slots=True, kw_only=True)
class Explored:
    """What is said of all markings that were looked at; *cut* says why these are not all."""

    most_in_a_place: int
    most_in_a_marking: int
    unbounded: Pumping | None
    cut: str | None
    boundedness: Boundedness = Boundedness.UNDECIDED
    searched: int = 0
    """Markings among which was looked for what shows that the net is unbounded."""
    faulty: int = 0
    """Markings in which a fault stops a firing."""
    fault: str | None = None

    @property
    def is_complete(self) -> bool:
        return self.cut is None


@dataclass(frozen=True, slots=True, kw_only=True)
class StateSpace(Explored):
    """What the contest of model checkers asks of a net.

    If it is not complete, all figures are those of the part that was looked at: the markings
    that were reached, and the arcs of those whose firings were all followed. Of an unbounded
    net that is the first marking.
    """

    states: int
    arcs: int
    """Firings, each binding of each marking for itself."""
    by_depth: tuple[int, ...]
    terminal: int
    seconds: float
    machine: str
    bytes: int
    """Memory for the markings at the peak."""


@dataclass(frozen=True, slots=True)
class ListedNode:
    """A node of the graph with its marking."""

    number: int
    state: State
    play: tuple[Move, ...]
    stopped: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Trap:
    """A nontrivial terminal component: play goes on in it, and never leaves it."""

    number: int
    size: int
    nodes: tuple[ListedNode, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NetReport(Explored):
    """The reachability graph of a net, and what is terminal in it.

    If it is not complete, all figures are those of the part that was looked at. What is
    terminal in that part is terminal in the whole.
    """

    name: str
    nodes: int
    arcs: int
    loops: int
    components: int
    terminal_nodes: int
    nontrivial_terminal: int
    terminal: tuple[ListedNode, ...]
    traps: tuple[Trap, ...]


Board: TypeAlias = tuple[tuple[str, frozenset[Value]], ...]
"""Which cells each of the game's sets has."""


@dataclass(frozen=True, slots=True)
class Correspondence:
    """Boards of the net beside boards of the game: one to one if nothing is listed."""

    wanted: int
    """Boards of the game."""
    found: int
    """What stands for them in the net."""
    missing: tuple[Board, ...]
    """Boards of the game that nothing in the net stands for."""
    extra: tuple[Board, ...]
    """Boards in the net that the game does not have so."""
    twice: tuple[Board, ...]
    """Boards that several things in the net stand for."""

    @property
    def is_one_to_one(self) -> bool:
        return not (self.missing or self.extra or self.twice)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Whether a graph has the shape, condition by condition."""

    nodes: int
    components: int
    wins: Correspondence
    draws: Correspondence
    cut: str | None

    @property
    def are_components_single(self) -> bool:
        return self.nodes == self.components

    @property
    def holds(self) -> bool:
        return (
            self.cut is None
            and self.are_components_single
            and self.wins.is_one_to_one
            and self.draws.is_one_to_one
        )


def state_space_json(space: StateSpace) -> dict[str, Json]:
    return {
        "states": space.states,
        "arcs": space.arcs,
        "by_depth": list(space.by_depth),
        "terminal_nodes": space.terminal,
        "most_tokens_in_a_place": space.most_in_a_place,
        "most_tokens_in_a_marking": space.most_in_a_marking,
        "faulty": space.faulty,
        "fault": space.fault,
        **boundedness_json(space.boundedness, space.unbounded),
        "complete": space.is_complete,
        "cut": space.cut,
        "seconds": round(space.seconds, 3),
        "machine": space.machine,
    }


def report_json(found: NetReport, net: Net) -> dict[str, Json]:
    words = Words(net)
    return {
        "name": found.name,
        "nodes": found.nodes,
        "arcs": found.arcs,
        "loops": found.loops,
        "components": found.components,
        "terminal_nodes": found.terminal_nodes,
        "nontrivial_terminal_components": found.nontrivial_terminal,
        "most_tokens_in_a_place": found.most_in_a_place,
        "most_tokens_in_a_marking": found.most_in_a_marking,
        "faulty": found.faulty,
        "fault": found.fault,
        "complete": found.is_complete,
        "cut": found.cut,
        **boundedness_json(found.boundedness, found.unbounded),
        "terminal": [_node_json(each, words) for each in found.terminal],
        "nontrivial_terminal": [
            {
                "component": each.number,
                "size": each.size,
                "nodes": [_node_json(node, words) for node in each.nodes],
            }
            for each in found.traps
        ],
    }


def _node_json(node: ListedNode, words: Words) -> dict[str, Json]:
    return {
        "node": node.number,
        "marking": {place.name: bag for place, bag in words.places(node.state, is_marked=True)},
        "stopped": [str(move) for move in node.stopped],
    }


def boundedness_json(known: Boundedness, pumped: Pumping | None) -> dict[str, Json]:
    return {"boundedness": known.value, "pumping": None if pumped is None else _pumping(pumped)}


def _pumping(pumped: Pumping) -> Json:
    return {
        "play": [str(move) for move in pumped.play],
        "repeat": [str(move) for move in pumped.moves],
        "grows": list(pumped.grows),
        "moves_on": list(pumped.moves_on),
        "also_grows": list(pumped.also),
    }


def pumping_lines(pumped: Pumping) -> Iterator[Line]:
    """What shows that a net is unbounded."""
    yield line(Piece(f"The net is unbounded: {pumped.words}.", Tone.BAD), hang=2)
    if pumped.play:
        yield line(f"after {play_text(pumped.play, _firing)}", indent=2, hang=4)
    yield line(f"repeat {play_text(pumped.moves, _firing)}", indent=2, hang=4)
    if pumped.also:
        also = listing(f"`{name}`" for name in pumped.also)
        yield line(f"By that {also} can get ever more tokens, too.", indent=2, hang=4)


def _firing(move: Move) -> str:
    return str(move).removesuffix("()")


def bounded_line(known: Boundedness, searched: int) -> Line:
    """What is known where not all markings were looked at, and nothing was found that grows."""
    if known is Boundedness.BOUNDED:
        return line("The net is bounded.")
    among = f" among {count(searched, 'marking')}" if searched else ""
    return line(f"Whether the net is bounded is open: nothing that grows was found{among}.", hang=2)


def shape_json(found: Shape) -> dict[str, Json]:
    return {
        "holds": found.holds,
        "nodes": found.nodes,
        "components": found.components,
        "components_are_single": found.are_components_single,
        "wins": _correspondence_json(found.wins),
        "draws": _correspondence_json(found.draws),
        "complete": found.cut is None,
        "cut": found.cut,
    }


def _correspondence_json(found: Correspondence) -> dict[str, Json]:
    return {
        "one_to_one": found.is_one_to_one,
        "in_the_game": found.wanted,
        "in_the_net": found.found,
        "missing": [board_text(board) for board in found.missing],
        "extra": [board_text(board) for board in found.extra],
        "twice": [board_text(board) for board in found.twice],
    }


def board_text(board: Board) -> str:
    return ", ".join(
        f"{name} = {{{', '.join(map(to_text, in_order(cells)))}}}" for name, cells in board
    )
