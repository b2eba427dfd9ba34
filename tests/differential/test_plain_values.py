"""A solution and a plain minimax over a program written by hand agree on every count."""

from collections import Counter

import pytest

from tests.differential.plain import men
from tests.support.project import TESTS
from zermelo.api import loading, questions
from zermelo.core.machine import Machine
from zermelo.core.state import State
from zermelo.core.values import Atom, Value
from zermelo.engines.solve.values import ValueKind

PAWNS = TESTS / "documents" / "pawns-5x3.md"


class Minimax:
    """The value of every position for Alpha and its distance, by recursion with a memory."""

    def __init__(self, *, stuck_loses: bool) -> None:
        self.board = men.Board(rows=5, columns=3)
        self.stuck_loses = stuck_loses
        self.found: dict[men.Position, tuple[int, int]] = {}

    def value(self, p: men.Position) -> tuple[int, int]:
        """1, 0 or −1 for a win of Alpha, a draw, a win of Beta; and in how many plies."""
        if p not in self.found:
            self.found[p] = self._value(p)
        return self.found[p]

    def _value(self, p: men.Position) -> tuple[int, int]:
        winner = self.board.winner(p)
        if winner is not None:
            return (1 if winner == "Alpha" else -1), 0
        sign = 1 if p.is_turn_of_alpha else -1
        after = [self.value(self.board.after(p, step)) for step in self.board.moves(p)]
        if not after:
            return (-sign if self.stuck_loses else 0), 0
        # Soon if it is won or drawn, late if it is lost.
        best = max(after, key=lambda v: (v[0] * sign, v[1] if v[0] == -sign else -v[1]))
        return best[0], best[1] + 1


@pytest.mark.slow
@pytest.mark.parametrize("stuck", ["loses", "draws"])
def test_every_position_of_pawns_on_a_small_board(stuck: str) -> None:
    plain = Minimax(stuck_loses=stuck == "loses")
    root = plain.value(plain.board.start)

    solution = questions.solve(loading.load(PAWNS, readings={"stuck player": stuck}))

    # Alpha wins in 19 plies, whatever becomes of the stuck.
    assert root == (1, 19)
    assert (solution.root.winner, solution.root.plies) == ("Alpha", 19)
    assert solution.states == len(plain.found) == 61796
    won = Counter(value for value, _ in plain.found.values())
    assert solution.counted[0].by_winner == {"Alpha": won[1], "Beta": won[-1]}
    assert solution.counted[0].by_kind.get(ValueKind.DRAW, 0) == won[0]


@pytest.mark.slow
def test_positions_of_pawns_met_in_play_have_the_same_value_and_distance() -> None:
    plain = Minimax(stuck_loses=True)
    plain.value(plain.board.start)
    game = loading.load(PAWNS, readings={"stuck player": "loses"})
    solution = questions.solve(game)
    level = [game.machine.initial]
    for _ in range(4):
        for state in level:
            value, plies = plain.found[position(state)]
            mine = solution.value(state)
            winner = {1: "Alpha", -1: "Beta", 0: None}[value]
            assert (mine.winner, mine.plies) == (winner, plies)
        moves = [(state, move) for state in level for move in game.machine.legal(state)]
        level = list(dict.fromkeys(game.machine.after(*each) for each in moves))[:150]


def position(state: State) -> men.Position:
    """The same position in the plain program."""
    alpha, beta = cells(state["Alpha"]), cells(state["Beta"])
    return men.Position(alpha, beta, is_turn_of_alpha=bool(state["aTurn"]))


def cells(value: Value) -> frozenset[men.Cell]:
    """A set of pairs of numbers."""
    assert isinstance(value, frozenset)
    found: set[men.Cell] = set()
    for each in value:
        match each:
            case (int(row), int(column)):
                found.add((row, column))
            case _:
                pass
    assert len(found) == len(value)
    return frozenset(found)


def test_a_game_has_the_same_values_as_a_program_and_as_a_document() -> None:
    """Whoever is losing cannot begin anew: a control of a program is no move."""
    program = loading.load("tic-tac-toe-led")
    document = loading.load("tic-tac-toe")
    in_led, in_sections = questions.solve(program), questions.solve(document)
    machine = program.machine
    waiting = [machine.initial]
    seen = set(waiting)
    for state in waiting:
        moves = {machine.after(state, move) for move in machine.legal(state)} - seen
        seen |= moves
        waiting += moves
        if machine.is_over(state):
            continue  # The document's state has a result, too.
        found, known = in_led.value(state), in_sections.value(_with_cells(state, document.machine))
        assert (found.kind, found.plies) == (known.kind, known.plies), state

    assert len(seen) == 5_478
    assert in_led.counted[0].by_kind == in_sections.counted[0].by_kind


def _with_cells(state: State, machine: Machine) -> State:
    """The state of the document for a state of the program, which is a set of moves."""
    (made,) = state.values
    assert isinstance(made, frozenset)
    held: dict[str, set[Value]] = {"x": set(), "o": set()}
    for move in made:
        assert isinstance(move, tuple)
        player, cell = move
        assert isinstance(player, Atom)
        assert isinstance(cell, int)
        held[player.name].add(((cell - 1) // 3 + 1, (cell - 1) % 3 + 1))
    values: dict[str, Value] = {name.upper(): frozenset(cells) for name, cells in held.items()}
    values["turn"] = len(made) % 2 == 0
    first = machine.initial
    return State(tuple(values.get(name, value) for name, value in first.items()), first.names)
