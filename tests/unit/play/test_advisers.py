"""Those who know something of moves say what they know, and no more."""

from dataclasses import replace

import pytest

from tests.support.expanders import compiled, heap, interpreter, listed
from tests.support.models import words_of
from zermelo.api import loading, questions
from zermelo.api.game import Game
from zermelo.core.adapter import MachineExpander
from zermelo.core.expander import Expander
from zermelo.core.limits import UNLIMITED, Limits, Listener, Progress
from zermelo.engines.search.search import SearchLimits
from zermelo.engines.solve.values import Solved, ValueKind
from zermelo.languages.nets import ir
from zermelo.languages.nets.compile.kernel import NetKernel, kernel
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.play.advice import Advised, Skill, in_words
from zermelo.play.advisers import Means, PlayoutAdviser, SearchAdviser, adviser
from zermelo.play.session import Session
from zermelo.text.errors import UsageError

DEAD_END = """
Applicable Sets
  N : {1..4}
System Variables
  n ∈ N
  over ∈ {true, false}
System Facts
  over ↔ (n = 3)
System Initialization
  n = 2
System States and Behavior
Grow(k ∈ {1, 2})
  n = 2 → n = n + k
GameOver(over)
  result ∈ {Reached}
  over → result = Reached
Reading
  players: Solver when n ≥ 1
  result Reached: Solver wins
"""


def means(game: Game, *, states: int | None = None) -> Means:
    """Means that solve no more than *states* states."""

    def solve(limits: Limits, listener: Listener | None) -> Solved:
        most = limits.states if states is None else states
        return questions.solve(game, limits=Limits(states=most), listener=listener)

    def expander() -> Expander:
        return listed(game)

    return Means(solve=solve, expander=expander, limits=UNLIMITED, effort=SearchLimits(nodes=2000))


def said(advised: Advised, *, players: int = 2) -> list[str]:
    return [f"{each.move}: {in_words(each, players=players)}" for each in advised.moves]


@pytest.mark.parametrize("skill", list(Skill))
def test_everybody_finds_a_win(skill: Skill) -> None:
    game = heap(5)

    hint = adviser(means(game), skill=skill).hint(game.machine.initial)

    assert hint.best is not None
    assert (str(hint.best.move), hint.best.kind) == ("Take(2)", ValueKind.WIN)
    assert hint.basis.startswith("proved")


@pytest.mark.parametrize("skill", [Skill.BEST, Skill.PERFECT, Skill.SEARCH])
def test_values_are_told_with_their_distance(skill: Skill) -> None:
    game = heap(5)

    values = adviser(means(game), skill=skill).values(game.machine.initial)

    assert said(values) == ["Take(2): wins in 3 plies", "Take(1): loses in 4 plies"]


@pytest.mark.parametrize("skill", [Skill.SEARCH, Skill.MCTS])
def test_advice_goes_on_where_packed_states_are_too_narrow(skill: Skill) -> None:
    net = ir.Net(
        "growing",
        (ir.Place("p", 0, Bag()),),
        (ir.Transition("more", outputs=(ir.Arc("p", (ir.Term(ir.Const(1), ()),)),)),),
    )

    def expander() -> Expander:
        made = kernel(net, compiled=True)
        assert isinstance(made, NetKernel)
        return made

    given = replace(means(heap(5)), expander=expander, effort=SearchLimits(nodes=3, depth=1))
    hint = adviser(given, skill=skill).hint(TokenGame(net).initial)

    assert [str(each.move) for each in hint.moves] == ["more()"]


def test_a_solution_says_how_many_states_it_knows() -> None:
    game = heap(5)

    # the heap from 5 to 0, with the turn and at the end the result: 5 and 4 and 0 in one way only
    hint = adviser(means(game), skill=Skill.PERFECT).hint(game.machine.initial)

    assert (
        hint.basis == f"proved: the values of all {questions.explore(game).states} states are known"
    )


def test_a_game_that_cannot_be_solved_is_not_played_perfectly() -> None:
    game = heap(9)

    with pytest.raises(
        UsageError, match="was not solved, so nobody can play it perfectly: stopped"
    ):
        adviser(means(game, states=3), skill=Skill.PERFECT)


def test_the_best_adviser_searches_what_it_cannot_solve() -> None:
    game = heap(5)

    hint = adviser(means(game, states=3), skill=Skill.BEST).hint(game.machine.initial)

    assert hint.basis.startswith("proved by searching ")
    assert hint.basis.endswith("; not solved: stopped at 3 states")


def test_the_best_adviser_says_that_it_solves_first_and_does_so_once() -> None:
    game = heap(5)
    best = adviser(means(game), skill=Skill.BEST)

    assert best.preparation == "solving first, as far as 1,000,000 states and 10 seconds go"
    best.values(game.machine.initial)
    assert best.preparation == ""


def test_of_moves_that_were_only_searched_the_best_ten_are_told() -> None:
    game = loading.load("four-quadrants")
    searching = SearchAdviser(compiled(game), effort=SearchLimits(nodes=3000, depth=2), seed=1)

    values = searching.values(game.machine.initial)

    assert (len(values.moves), values.left_out) == (10, 26)
    assert values.basis.startswith("a search to depth 2, no solution: what is forced is proved; ")


def test_what_is_not_proved_is_judged_by_random_plays_and_said_to_be() -> None:
    game = loading.load("pawns")
    searching = SearchAdviser(compiled(game), effort=SearchLimits(nodes=3000, depth=4), seed=1)

    hint = searching.hint(game.machine.initial)

    assert hint.best is not None
    assert hint.best.kind is ValueKind.UNKNOWN
    assert (hint.best.depth, hint.best.plays > 0) == (4, True)
    assert hint.basis == (
        "a search to depth 4, no solution: not proved, but judged by 3,000 random plays"
    )


def test_values_that_are_not_proved_come_with_their_chances() -> None:
    game = loading.load("pawns")
    searching = SearchAdviser(compiled(game), effort=SearchLimits(nodes=3000, depth=4), seed=1)

    values = searching.values(game.machine.initial)

    assert len(values.moves) == 9
    chances = [each.chance for each in values.moves if each.chance is not None]
    assert chances == sorted(chances, reverse=True)
    assert "the rest is judged by" in values.basis


def test_with_two_threads_plays_are_made_while_it_searches() -> None:
    game = loading.load("pawns")
    effort = SearchLimits(nodes=3000, depth=4)
    alone = SearchAdviser(compiled(game), effort=effort, seed=1)

    both = SearchAdviser(compiled(game), effort=effort, seed=1, threads=2)

    assert both.values(game.machine.initial) == alone.values(game.machine.initial)


def test_a_move_that_looks_good_and_loses_is_not_made() -> None:
    game = loading.load("tic-tac-toe")
    session = Session(words_of(game))
    for text in ("1 1", "2 2", "3 3"):
        session.make_text(text)
    # O must take an edge; the corners lose to a fork
    searching = SearchAdviser(listed(game), effort=SearchLimits(nodes=3000), seed=1)

    best = searching.hint(session.state).best

    assert best is not None
    assert best.kind is ValueKind.DRAW
    (cell,) = best.move.arguments
    assert cell in {(1, 2), (2, 1), (2, 3), (3, 2)}


def test_random_plays_prove_nothing_by_themselves() -> None:
    game = loading.load("pawns")

    hint = PlayoutAdviser(compiled(game), effort=SearchLimits(nodes=500), seed=1).hint(
        game.machine.initial
    )

    assert hint.best is not None
    assert hint.best.kind is ValueKind.UNKNOWN
    assert hint.basis == "not proved, but judged by 500 random plays"


def test_the_interpreter_is_named_where_it_is_slow() -> None:
    game = heap(30)
    slow = MachineExpander(interpreter(game), "the interpreter, as there is no compiler")

    hint = PlayoutAdviser(slow, effort=SearchLimits(nodes=5), seed=1).hint(game.machine.initial)

    assert hint.basis == (
        "not proved, but judged by 5 random plays; "
        "slowly, by the interpreter, as there is no compiler"
    )


@pytest.mark.parametrize("skill", [Skill.PERFECT, Skill.SEARCH])
def test_a_stuck_player_alone_does_not_reach_the_goal(skill: Skill) -> None:
    game = loading.load_text(DEAD_END)

    values = adviser(means(game), skill=skill).values(game.machine.initial)

    assert said(values, players=1) == [
        "Grow(1): reaches the goal in 1 ply",
        "Grow(2): does not lead to the goal",
    ]


def test_thinking_can_be_stopped() -> None:
    game = loading.load("pawns")
    searching = SearchAdviser(compiled(game), effort=SearchLimits(), seed=1)

    def listen(progress: Progress) -> bool:
        return progress.seconds > 0

    best = searching.hint(game.machine.initial, listener=listen).best

    assert best is not None


def test_opponents_say_how_they_play() -> None:
    game = heap(3)
    effort = SearchLimits(seconds=0.5)

    assert SearchAdviser(listed(game), effort=effort).name == "search, 0.5 s a move"
    assert PlayoutAdviser(listed(game), effort=effort, seed=3).name == "mcts, 0.5 s a move, seed 3"
