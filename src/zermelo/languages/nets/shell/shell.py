"""A shell over the reachability graph of a net, in the spirit of PROD's probe.

There is always a current node, and sets of nodes that were asked for are kept in registers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

import numpy as np

from zermelo.core.arrays import Truths
from zermelo.core.prompt import PromptCommand, number_typed, shared_command
from zermelo.core.services import ArrayGraph
from zermelo.core.state import Move
from zermelo.languages.nets import firings
from zermelo.languages.nets.explain import NetCommentary
from zermelo.languages.nets.game.conditions import NAMED, InComponent, parse
from zermelo.languages.nets.ir import Net
from zermelo.languages.nets.report import fault_in, most_in, stopped_in
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.languages.nets.shell.node_sets import checked, chosen, named_set
from zermelo.languages.nets.unbounded import Pumping
from zermelo.languages.nets.words import Words
from zermelo.text.errors import UsageError
from zermelo.text.prose import Line, Piece, Tone, count, line

MOST_NUMBERS: Final = 40
MOST_SHOWN: Final = 50
_COMPARED: Final = re.compile(r"[=!<>]=|[=>+]|<(?!\.)|has\b")
_FORMS: Final = (
    (
        "SET",
        "its nodes, kept as %1, %2 …; as in `fork == empty`, `|thinking| >= 2`, "
        "`hungry == <.1.> + <.2.>`, `<.2.> in turn`, `board has <.1,1,1,_,_.>`, `%1 & terminal` "
        "or `!%1 | @@3`, joined by && || ! and brackets",
    ),
)


class Shell:
    """A graph, the current node, and the sets that were kept."""

    def __init__(self, graph: ArrayGraph, net: Net, pumped: Pumping | None = None) -> None:
        self._graph = graph
        self._net = net
        self._words = Words(net)
        self._machine = TokenGame(net)
        self._pumped = pumped
        self._registers: list[Truths] = []
        self._left: list[int] = []
        self._undone: list[int] = []
        self.node = 0

    @property
    def prompt(self) -> str:
        return f"{self.node}> "

    @property
    def forms(self) -> tuple[tuple[str, str], ...]:
        return _FORMS

    @property
    def commands(self) -> tuple[PromptCommand, ...]:
        shared = partial(shared_command, nouns=self._machine.signature.nouns)
        undo = partial(self._back, self._left, self._undone, "take back")
        redo = partial(self._back, self._undone, self._left, "make again")
        return (
            self._own("statistics", "the graph in numbers", self._statistics, "stats", "stat"),
            self._own("look [N]", "the marking of the current node, or of node N", self._look),
            shared("state", self._look),
            self._own("succ [N]", "the arcs that leave a node", self._succ),
            shared("moves", self._succ),
            shared("why", self._why),
            self._own("pred [N]", "the arcs that lead to a node", self._pred),
            self._own("goto N", "make N the current node", self._goto, "go"),
            shared("undo", undo, summary="back to the node before, or N nodes back"),
            shared("redo", redo, summary="forth again"),
            self._own("path N|@@C|SET", "a shortest way there from the current node", self._path),
            self._own(
                "terminal",
                "the nodes that no arc leaves",
                lambda _: self._kept(self._graph.is_terminal, "terminal"),
            ),
            self._own("components", "the strongly connected ones, largest first", self._components),
            self._own("component C", "the nodes of one, and where it leads", self._component),
            self._own("traps", "the nontrivial terminal components", self._traps),
            self._own("query SET", "the same as the set alone", self._query, "eval"),
            self._own("show [all] SET", "the markings of the nodes of a set", self._show),
            self._own("net", "the places and transitions", self._parts),
        )

    def _own(
        self, usage: str, summary: str, run: Callable[[str], Iterator[Line]], *other_names: str
    ) -> PromptCommand:
        return PromptCommand(usage.partition(" ")[0], usage, summary, run, other_names)

    def greeting(self, *, invites: bool) -> Iterator[Line]:  # noqa: ARG002 - the same for all
        overview = self._graph.overview
        size = f"{count(overview.nodes, 'node')} and {count(overview.arcs, 'arc')}"
        part = "" if self._graph.cut is None else "a part with "
        yield line(
            Piece(self._net.name, Tone.HEADING), f": {part}{size}; `help` lists the commands."
        )
        yield from self._incomplete()
        yield from self._faults()

    def claims(self, text: str) -> bool:
        """Whether *text* is a condition on a place, or joins a set that has a name with others."""
        word, _, rest = text.partition(" ")
        if word in NAMED:
            return bool(rest)
        is_place = any(word in {place.name, place.label} for place in self._net.places)
        return is_place and _COMPARED.match(rest.strip()) is not None

    def completions(self) -> tuple[str, ...]:
        return (*NAMED, *(place.name for place in self._net.places))

    def answer(self, text: str) -> Iterator[Line] | None:
        return None if text.isalpha() and text not in NAMED else self._query(text)

    def _statistics(self, _: str) -> Iterator[Line]:
        overview = self._graph.overview
        in_a_place, in_a_marking = most_in(self._graph)
        if self._graph.cut is not None:
            yield from self._incomplete()
            yield line("The part that was looked at:")
        for label, number in (
            ("Number of nodes", overview.nodes),
            ("Number of arcs", overview.arcs),
            ("Number of terminal nodes", overview.terminal_nodes),
            ("Number of strongly connected components", overview.components),
            ("Number of nontrivial components", overview.nontrivial),
            ("Number of terminal components", overview.terminal_components),
            ("Number of nontrivial terminal components", overview.nontrivial_terminal),
            ("Most tokens in a place", in_a_place),
            ("Most tokens in a marking", in_a_marking),
        ):
            yield line(f"{label}: {number:,}", indent=2)
        yield from self._faults()

    def _incomplete(self) -> Iterator[Line]:
        if self._pumped is not None:
            yield line(Piece(f"The net is unbounded: {self._pumped.words}.", Tone.BAD))
        elif self._graph.cut is not None:
            yield line(Piece(f"The graph is not complete: {self._graph.cut}.", Tone.BAD))

    def _faults(self) -> Iterator[Line]:
        fault = fault_in(self._graph)
        if fault is not None:
            where = count(len(self._graph.faulty), "marking")
            least = "" if self._graph.cut is None else "at least "
            said = f"In {least}{where} a fault stops a firing: {fault}."
            yield line(Piece(said, Tone.BAD), hang=2)

    def _parts(self, _: str) -> Iterator[Line]:
        for place, held in self._words.places(self._graph.state(0)):
            called = f" ({place.label})" if place.label and place.label != place.name else ""
            yield line(
                "place ", Piece(place.name, Tone.STRONG), f"{called}: at first {held}", indent=2
            )
        for each in self._net.transitions:
            variables = ", ".join(variable.name for variable in each.variables)
            bound = f" <{variables}>" if variables else ""
            yield line("transition ", Piece(each.name, Tone.STRONG), bound, indent=2)

    def _components(self, _: str) -> Iterator[Line]:
        graph = self._graph
        sizes = graph.sizes
        yield line(
            f"{count(len(sizes), 'component')}; {int(graph.is_nontrivial.sum()):,} nontrivial, "
            f"{int(graph.is_terminal_component.sum()):,} terminal."
        )
        order = np.lexsort((np.arange(len(sizes)), -graph.is_nontrivial.astype(np.int64), -sizes))
        yield from self._component_lines(order.tolist())

    def _component_lines(self, components: Sequence[int]) -> Iterator[Line]:
        yield from map(self._component_line, components[:MOST_NUMBERS])
        if len(components) > MOST_NUMBERS:
            yield line(f"and {len(components) - MOST_NUMBERS:,} more", indent=2)

    def _component_line(self, component: int) -> Line:
        found = self._graph.component(component)
        kinds = [
            "nontrivial" if found.is_nontrivial else "trivial",
            *(["terminal"] if found.is_terminal else []),
            *(["not complete"] if found.is_open else []),
        ]
        return line(
            Piece(f"@@{component}", Tone.STRONG),
            f": {count(found.size, 'node')}, {', '.join(kinds)}; first node {found.first}",
            indent=2,
            hang=2,
        )

    def _component(self, text: str) -> Iterator[Line]:
        number = self._number(text.removeprefix("@@"), "component C")
        inside = np.flatnonzero(chosen(self._graph, InComponent(number), self._registers))
        yield self._component_line(number)
        yield line(f"nodes: {_first(inside.tolist())}", indent=2, hang=2)
        leaving = self._graph.arcs.leaving(inside)
        beyond = np.unique(self._graph.labels[self._graph.arcs.targets[leaving]])
        others = [f"@@{each}" for each in beyond.tolist() if each != number]
        if others:
            yield line(f"leads to: {_first(others)}", indent=2, hang=2)

    def _traps(self, _: str) -> Iterator[Line]:
        graph = self._graph
        traps = np.flatnonzero(graph.is_terminal_component & graph.is_nontrivial).tolist()
        yield line(f"{count(len(traps), 'nontrivial terminal component')}.")
        yield from self._component_lines(traps)
        if traps:
            yield from self._kept(named_set(graph, "traps"), "their nodes")

    def _number(self, text: str, usage: str) -> int:
        text = text.strip().removeprefix("@")
        if not text.isdecimal():
            raise UsageError(f"say which one: `{usage}`")
        return int(text[:18])

    def _chosen_node(self, text: str, usage: str) -> int:
        return checked(self._graph, self._number(text, usage)) if text else self.node

    def _look(self, text: str) -> Iterator[Line]:
        yield from self._node(self._chosen_node(text, "look N"))

    def _node(self, number: int) -> Iterator[Line]:
        graph = self._graph
        steps = int(np.diff(graph.arcs.offsets[number : number + 2])[0])
        kinds = [
            "terminal" if graph.is_terminal[number] else count(steps, "arc"),
            *(["and more that are not in the graph"] if graph.is_open[number] else []),
            f"component @@{graph.labels[number]}",
        ]
        yield line(Piece(f"node {number}", Tone.STRONG), f", {', '.join(kinds)}", hang=2)
        for place, held in self._words.places(graph.state(number)):
            if held != "empty" or len(self._net.places) <= MOST_NUMBERS:
                tone = Tone.FAINT if held == "empty" else Tone.PLAIN
                yield line(Piece(f"{place.name}: {held}", tone), indent=2, hang=4)
        yield from self._stopped(number)

    def _stopped(self, number: int) -> Iterator[Line]:
        for move, fault in stopped_in(self._graph, number).items():
            said = f"{self._words.firing(move)} cannot fire: {fault.message}"
            yield line(Piece(said, Tone.BAD), indent=2, hang=2)

    def _succ(self, text: str) -> Iterator[Line]:
        number = self._chosen_node(text, "succ N")
        stopped = tuple(self._stopped(number))
        for move, target in self._graph.steps(number):
            yield line(self._firing(move), f" -> {target}", indent=2, hang=4)
        yield from stopped
        if self._graph.is_open[number]:
            yield line(Piece("and arcs that are not in the graph", Tone.FAINT), indent=2)
        elif self._graph.is_terminal[number]:
            why = "a fault stops all that could fire" if stopped else "nothing is enabled"
            yield line(f"{why}: the node is terminal", indent=2)

    def _pred(self, text: str) -> Iterator[Line]:
        number = self._chosen_node(text, "pred N")
        arcs = np.flatnonzero(self._graph.arcs.targets == number).tolist()
        for arc in arcs:
            source, move = self._arc(arc)
            yield line(f"{source} -> ", self._firing(move), f" -> {number}", indent=2, hang=4)
        if not arcs:
            yield line("no arc leads here", indent=2)

    def _goto(self, text: str) -> Iterator[Line]:
        number = checked(self._graph, self._number(text, "goto N"))
        self._left.append(self.node)
        self._undone.clear()
        self.node = number
        yield from self._node(self.node)

    def _back(self, there: list[int], here: list[int], doing: str, text: str) -> Iterator[Line]:
        """Go along the nodes of one list, and remember those that are left in the other."""
        steps = number_typed(text)
        if not there:
            yield line(f"There is nothing to {doing}.")
            return
        for _ in range(min(steps, len(there))):
            here.append(self.node)
            self.node = there.pop()
        yield from self._node(self.node)

    def _why(self, text: str) -> Iterator[Line]:
        if not text:
            raise UsageError("say which firing: `why FIRING`")
        state = self._graph.state(self.node)
        move = firings.find(text, self._machine, state)
        turn = self._machine.turn(state, move)
        commentary = NetCommentary(self._machine)
        yield commentary.can_be_made(turn, "")
        yield from commentary.why(turn)

    def _firing(self, move: Move) -> Piece:
        return Piece(self._words.firing(move), Tone.FORMULA)

    def _arc(self, arc: int) -> tuple[int, Move]:
        graph = self._graph
        source = int(np.searchsorted(graph.arcs.offsets, arc, side="right")) - 1
        return source, graph.expander.move(int(graph.moves[arc]))

    def _path(self, text: str) -> Iterator[Line]:
        if not text:
            raise UsageError("say where to: `path N`, `path @@C` or `path SET`")
        goals = self._nodes(f"@{text}" if text.isdecimal() else text)
        way = self._graph.arcs.shortest_way(self.node, goals)
        if way is None:
            where = "" if self._graph.cut is None else " within this part of the graph"
            reason = "no node is there" if not goals.any() else "no way leads there"
            yield line(f"From node {self.node} {reason}{where}.")
            return
        targets = self._graph.arcs.targets
        end = int(targets[way[-1]]) if way else self.node
        yield line(f"From node {self.node} to node {end}: {count(len(way), 'firing')}.")
        yield line(self._marking(self.node), indent=2, hang=4)
        for arc in way:
            _, move = self._arc(arc)
            yield line(self._firing(move), indent=4)
            yield line(self._marking(int(targets[arc])), indent=2, hang=4)

    def _marking(self, node: int) -> str:
        return f"{node}: {self._words.marking(self._graph.state(node))}"

    def _query(self, text: str) -> Iterator[Line]:
        if not text:
            raise UsageError("say what to look for: `query SET`")
        yield from self._kept(self._nodes(text), text.strip())

    def _nodes(self, text: str) -> Truths:
        return chosen(self._graph, parse(text, self._net), self._registers)

    def _kept(self, found: Truths, words: str) -> Iterator[Line]:
        self._registers.append(found)
        size = count(int(np.count_nonzero(found)), "node")
        yield line(Piece(f"%{len(self._registers)}", Tone.STRONG), f" = {words}: {size}", hang=2)
        if found.any():
            yield line(_first(np.flatnonzero(found).tolist()), indent=2, hang=2)

    def _show(self, text: str) -> Iterator[Line]:
        wants_all = text.startswith("all ") and text[4:].strip()[:1] not in {"&", "|"}
        if wants_all:
            text = text[4:]
        if not text:
            raise UsageError("say what to show: `show %1`")
        found = self._nodes(f"@{text}" if text.isdecimal() else text)
        nodes = np.flatnonzero(found).tolist()
        yield line(f"{count(len(nodes), 'node')}.")
        shown = nodes if wants_all else nodes[:MOST_SHOWN]
        for node in shown:
            yield line(
                Piece(f"{node}", Tone.STRONG),
                f": {self._words.marking(self._graph.state(node))}",
                indent=2,
                hang=4,
            )
        if len(nodes) > len(shown):
            yield line(
                f"and {len(nodes) - len(shown):,} more; `show all {text}` shows them", indent=2
            )


def _first(items: Sequence[int | str]) -> str:
    more = f" and {len(items) - MOST_NUMBERS:,} more" if len(items) > MOST_NUMBERS else ""
    return f"{' '.join(map(str, items[:MOST_NUMBERS]))}{more}"
