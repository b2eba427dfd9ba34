"""What is seen of a play: the rules of its last move, its states, and the graph around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, assert_never

from zermelo.core.commentary import Stage
from zermelo.core.machine import Fault, Turn
from zermelo.core.state import State
from zermelo.faces.web.page.diagrams import diagram_json
from zermelo.faces.web.page.opened import Answer, OpenGame
from zermelo.faces.web.page.pictures import lines_json, picture_json
from zermelo.faces.web.page.requests import ShowAround, ShowDiagram, ShowRules, ShowTrace
from zermelo.play import lines
from zermelo.play.session import move_text, outcome_text
from zermelo.text.diagnostic import Json
from zermelo.text.errors import UsageError
from zermelo.text.source import visible

MOST_AROUND: Final = 160
"""States around a position that are drawn, and of a graph that is drawn whole."""
MOST_STAGES: Final = 60
"""Rules of a move after each of which the board is told."""


def seen(opened: OpenGame, question: ShowRules | ShowTrace | ShowAround | ShowDiagram) -> Answer:
    """What is seen of a play."""
    match question:
        case ShowRules():
            return rules(opened, question)
        case ShowTrace():
            return trace(opened, question)
        case ShowAround():
            return around(opened, question)
        case ShowDiagram():
            return diagram_json(opened, opened.session(question.moves).state)
        case _:
            assert_never(question)


def rules(opened: OpenGame, question: ShowRules) -> Answer:
    """Every rule that the last move tried, and the board after each that changed something."""
    last = opened.session(question.moves).last
    if last is None:
        return {"head": [], "stages": [], "foot": []}
    head, foot = lines.around_log(opened.words, last)
    return {
        "head": lines_json(head),
        "stages": list(_stages(opened, last)),
        "foot": lines_json(foot),
    }


def _stages(opened: OpenGame, turn: Turn) -> Iterator[Json]:
    before = turn.before
    for number, stage in enumerate(opened.words.stages(turn)):
        yield _stage(opened, stage, before, is_drawn=number < MOST_STAGES)
        before = stage.state or before


def _stage(opened: OpenGame, stage: Stage, before: State, *, is_drawn: bool) -> Json:
    drawn = None
    if is_drawn and stage.state is not None:
        drawn = picture_json(opened.words.picture(stage.state))
    changed = stage.state is not None and stage.state != before
    return {"lines": lines_json(stage.lines), "picture": drawn, "changed": changed}


def trace(opened: OpenGame, question: ShowTrace) -> Answer:
    """The values in each state of the play, and what changed in it."""
    session, machine = opened.session(question.moves), opened.words.machine
    states = [machine.initial, *(turn.after for turn in session.turns if turn.after is not None)]
    pinned = [_pinned(opened, text) for text in question.pinned]
    first = min(question.first, len(states) - 1)
    before = _values(opened, states[max(0, first - 1)])
    names = list(before)
    rows: list[Json] = []
    for at, state in enumerate(states[first : first + question.count], first):
        values = _values(opened, state)
        changed = [name for name, text in values.items() if at and before.get(name) != text]
        told = "" if at == 0 else visible(move_text(session.turns[at - 1].move, opened.words))
        rows.append(
            {
                "move": told,
                "values": {**values},
                "changed": [*changed],
                "pinned": [show(state) for show in pinned],
            }
        )
        before = values
    return {"names": [*names], "first": first, "count": len(states), "rows": rows}


def _values(opened: OpenGame, state: State) -> dict[str, str]:
    values = {name: visible(state.show(value)) for name, value in state.items()}
    for name, value in opened.words.machine.facts(state):
        values[name] = value.message if isinstance(value, Fault) else visible(state.show(value))
    return values


def _pinned(opened: OpenGame, text: str) -> Callable[[State], str]:
    typed = opened.words.expression(text)
    if typed.value is None:
        said = [each.message for each in typed.diagnostics]
        raise UsageError("; ".join(said) or "this document has no expressions of its own")
    value = typed.value.value

    def show(state: State) -> str:
        found = value(state)
        return found.message if isinstance(found, Fault) else visible(state.show(found))

    return show


def around(opened: OpenGame, question: ShowAround) -> Answer:
    """The states that can be reached in a few moves, in rows by ply; or all of a small graph."""
    session = opened.session(question.moves)
    if question.extent == "all":
        start, plies = opened.words.machine.initial, None
    else:
        start, plies = session.state, question.plies
    walk = _Walk(opened, here=session.state)
    walk.go(start, plies)
    return {
        "nodes": walk.nodes,
        "arcs": walk.arcs,
        "cut": walk.is_cut,
        "most": MOST_AROUND,
        "small": opened.is_small(MOST_AROUND),
    }


class _Walk:
    """A graph as it is drawn: states by ply, each once, and the moves between them."""

    def __init__(self, opened: OpenGame, *, here: State) -> None:
        self.nodes: list[Json] = []
        self.arcs: list[Json] = []
        self.is_cut = False
        self._opened = opened
        self._here = here
        self._ways: dict[State, tuple[int, tuple[str, ...]]] = {}

    def go(self, start: State, plies: int | None) -> None:
        """Walk from *start*, so many *plies* or as far as it goes."""
        self._ways[start] = 0, ()
        row, ply = [start], 0
        while row:
            after: list[State] = []
            for state in row:
                self.nodes.append(self._node(state, ply))
                if ply != plies:
                    after += self._steps(state)
            row, ply = after, ply + 1

    def _steps(self, state: State) -> Iterator[State]:
        machine, words = self._opened.words.machine, self._opened.words
        at, way = self._ways[state]
        for move in machine.legal(state):
            after = machine.turn(state, move).after
            if after is None:
                continue
            if after not in self._ways:
                if len(self._ways) >= MOST_AROUND:
                    self.is_cut = True
                    continue
                self._ways[after] = len(self._ways), (*way, str(move))
                yield after
            said = visible(words.short_move(move) or move_text(move, words))
            self.arcs.append([at, self._ways[after][0], said])

    def _node(self, state: State, ply: int) -> Json:
        machine = self._opened.words.machine
        outcome, player = machine.outcome(state), machine.player(state)
        grid, beside = self._opened.words.sketch(state)
        return {
            "ply": ply,
            "moves": [*self._ways[state][1]],
            "here": state == self._here,
            "player": None if player is None else player.name,
            "outcome": None if outcome is None else visible(outcome_text(outcome)),
            "grid": [[cell if cell is None else visible(cell) for cell in each] for each in grid],
            "lines": [visible(each) for each in beside],
        }
