"""Those who know something of moves: from a solution, by searching, or by random plays.

The engines behind them compute with arrays, so this module is imported when
somebody asks, and not before.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, assert_never

from zermelo.core.expander import Expander, TooNarrow, offered
from zermelo.core.limits import Limits, Listener, Progress
from zermelo.core.state import Move, State
from zermelo.engines.search.mcts import Thought, Tried, think
from zermelo.engines.search.search import AlphaBetaSearch, Finding, Proof, SearchLimits
from zermelo.engines.solve.values import Solved, Value, ValueKind
from zermelo.play.advice import Advice, Advised, Adviser, Skill, ranked
from zermelo.text import budget
from zermelo.text.errors import UsageError
from zermelo.text.prose import count

SECONDS: Final = 2.0
"""How long somebody thinks about a move, if nothing else is said."""
SMALL: Final = Limits(states=1_000_000, seconds=10.0)
"""What is solved without being asked for."""
MOST_SEARCHED: Final = 10
"""Of moves that were only searched so many are told, the best ones."""
_PROVING: Final = (0.5, 0.8)
_PLAYING: Final = (0.3, 0.8)
_MAKING_SURE: Final = (0.2, 0.2)
"""How the time of one move is spent: one after the other, and where two are done at once."""
_LOOK_AGAIN: Final = 0.05
"""Seconds between two looks at a thread."""
STUCK: Final = "what becomes of a stuck player decides it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What advisers have to work with."""

    solve: Callable[[Limits, Listener | None], Solved]
    """What solves the game, within limits."""
    expander: Callable[[], Expander]
    """What makes an expander for it, as fast as there is."""
    limits: Limits
    """How far solving may go where it is asked for."""
    effort: SearchLimits
    """How much may be done about one move."""
    seed: int = 0
    threads: int = 1


def adviser(means: Means, *, skill: Skill, listener: Listener | None = None) -> Adviser:
    """Somebody with this *skill*; raises ``UsageError`` if solving is needed and not possible."""
    match skill:
        case Skill.BEST:
            return BestAdviser(means)
        case Skill.PERFECT:
            return SolutionAdviser(_solved(means, listener))
        case Skill.SEARCH:
            return _WideningAdviser(SearchAdviser, means)
        case Skill.MCTS:
            return _WideningAdviser(PlayoutAdviser, means)
        case _:
            assert_never(skill)


def _solved(means: Means, listener: Listener | None) -> Solved:
    solution = means.solve(means.limits, listener)
    if solution.is_complete:
        return solution
    raise UsageError(
        f"{solution.signature.name} was not solved, so nobody can play it perfectly: "
        f"{solution.cut}. "
        "`--opponent search` and `--opponent mcts` play what cannot be solved, and "
        "`--solution FILE` takes what `zermelo solve --output FILE` wrote"
    )


class SolutionAdviser:
    """Knows the value of every state."""

    def __init__(self, solution: Solved) -> None:
        self._solution = solution

    @property
    def name(self) -> str:
        return "perfect"

    @property
    def preparation(self) -> str:
        return ""

    def hint(self, state: State, *, listener: Listener | None = None) -> Advised:
        said = self.values(state, listener=listener)
        best = self._solution.best(state)
        return Advised(tuple(each for each in said.moves if each.move == best), said.basis)

    def values(self, state: State, *, listener: Listener | None = None) -> Advised:
        del listener  # it takes no time
        players = len(self._solution.signature.players)
        moves = [
            _of_value(each.move, each.value, players=players)
            for each in self._solution.moves(state)
        ]
        states = count(self._solution.states, "state")
        basis = f"proved: the values of all {states} are known"
        return Advised(ranked(moves), basis, line=lambda: self._solution.line(state).moves)


class SearchAdviser:
    """Proves what it can within a budget, and plays at random for the rest.

    With several *threads* one of them proves, and the others play at the same time.
    """

    def __init__(
        self, expander: Expander, *, effort: SearchLimits, seed: int = 0, threads: int = 1
    ) -> None:
        self._expander = expander
        self._search = AlphaBetaSearch(expander)
        # A second expander has its own memory: both can work at the same time.
        self._other = expander.twin() if threads > 1 else None
        self._effort = effort
        self._seed = seed
        self._threads = max(1, threads - 1)

    @property
    def name(self) -> str:
        return f"search{_each_move(self._effort)}"

    @property
    def preparation(self) -> str:
        return ""

    def hint(self, state: State, *, listener: Listener | None = None) -> Advised:
        plays = self._plays(state)
        finding = self._search.find(state, effort=self._share(_PROVING), listener=listener)
        if finding.move is None or finding.proof.kind is not ValueKind.UNKNOWN:
            plays.stop()
            return self._proved(finding)
        thought = plays.thought(self._share(_PLAYING), listener=listener)
        return self._likely(state, finding, thought)

    def values(self, state: State, *, listener: Listener | None = None) -> Advised:
        plays = self._plays(state)
        found = self._search.values(state, effort=self._share(_PROVING), listener=listener)
        if all(each.proof.kind is not ValueKind.UNKNOWN for each in found):
            plays.stop()
            moves = [self._advice(each.move, each.proof) for each in found]
            return Advised(ranked(moves), "proved by searching")
        thought = plays.thought(self._share(_PLAYING), listener=listener)
        tried = _tried(thought)
        moves = [self._advice(each.move, each.proof, tried.get(each.move)) for each in found]
        best = ranked(moves)
        depth = min((each.depth for each in best if not each.is_proved), default=0)
        basis = _partly(thought, depth) + _slowly(self._expander)
        return Advised(best[:MOST_SEARCHED], basis, max(0, len(best) - MOST_SEARCHED))

    def _plays(self, state: State) -> _Playouts:
        """Random plays from *state*, which have begun if there is a thread for them."""
        expander = self._other or self._expander
        plays = _Playouts(expander, state, seed=self._seed, threads=self._threads)
        if self._other is not None:
            plays.start(self._share(_PLAYING))
        return plays

    def _share(self, parts: tuple[float, float]) -> SearchLimits:
        """The effort for one of the things that are done one after the other.

        It is the second of *parts* where proving and playing are done at the same time.
        """
        if self._effort.seconds is None:
            return self._effort
        part = parts[0] if self._other is None else parts[1]
        return replace(self._effort, seconds=self._effort.seconds * part)

    def _proved(self, finding: Finding) -> Advised:
        if finding.move is None:
            return Advised((), "there is no move")
        advice = self._advice(finding.move, finding.proof)
        return Advised((advice,), f"proved by searching {count(finding.nodes, 'state')}")

    def _advice(self, move: Move, proof: Proof, tried: Tried | None = None) -> Advice:
        return _of_proof(move, proof, tried, players=len(self._expander.signature.players))

    def _likely(self, state: State, finding: Finding, thought: Thought) -> Advised:
        """The move that did best in random plays, if it does not lose to what can be forced."""
        proof = finding.proof
        order = [tried.move for tried in thought.ranking]
        effort = replace(self._share(_MAKING_SURE), depth=None)
        safe = self._search.first_safe(state, order, depth=proof.depth, effort=effort)
        move = safe or finding.move
        if move is None:
            return Advised((), "there is no move")
        plays = count(thought.plays, "random play")
        advice = self._advice(move, proof, _tried(thought).get(move))
        basis = f"a search to depth {proof.depth:,}, no solution: not proved, but judged by {plays}"
        return Advised((advice,), basis + _slowly(self._expander))


class PlayoutAdviser:
    """Judges moves by random plays, which grow a tree."""

    def __init__(
        self, expander: Expander, *, effort: SearchLimits, seed: int = 0, threads: int = 1
    ) -> None:
        self._expander = expander
        self._effort = effort
        self._seed = seed
        self._threads = threads

    @property
    def name(self) -> str:
        return f"mcts{_each_move(self._effort)}, seed {self._seed}"

    @property
    def preparation(self) -> str:
        return ""

    def hint(self, state: State, *, listener: Listener | None = None) -> Advised:
        thought = self._thought(state, listener)
        best = thought.best
        return Advised(() if best is None else (_of_plays(best),), self._basis(thought))

    def values(self, state: State, *, listener: Listener | None = None) -> Advised:
        thought = self._thought(state, listener)
        return Advised(ranked(map(_of_plays, thought.moves)), self._basis(thought))

    def _basis(self, thought: Thought) -> str:
        return _by_plays(thought) + _slowly(self._expander)

    def _thought(self, state: State, listener: Listener | None) -> Thought:
        return think(self._expander, state, effort=self._effort, seed=self._seed, listener=listener)


class _WideningAdviser:
    """An adviser on packed states, made anew on wider ones where a state has no room."""

    def __init__(self, kind: type[SearchAdviser | PlayoutAdviser], means: Means) -> None:
        self._kind = kind
        self._means = means
        self._found = self._made(means.expander())

    def _made(self, expander: Expander) -> SearchAdviser | PlayoutAdviser:
        means = self._means
        return self._kind(expander, effort=means.effort, seed=means.seed, threads=means.threads)

    @property
    def name(self) -> str:
        return self._found.name

    @property
    def preparation(self) -> str:
        return ""

    def hint(self, state: State, *, listener: Listener | None = None) -> Advised:
        return self._asked(lambda adviser: adviser.hint(state, listener=listener))

    def values(self, state: State, *, listener: Listener | None = None) -> Advised:
        return self._asked(lambda adviser: adviser.values(state, listener=listener))

    def _asked(self, question: Callable[[Adviser], Advised]) -> Advised:
        while True:
            try:
                return question(self._found)
            except TooNarrow as narrow:
                self._found = self._made(offered(narrow))


class BestAdviser:
    """Solves the game if it is small, the first time it is asked; otherwise searches."""

    def __init__(self, means: Means) -> None:
        self._means = means
        self._found: Adviser | None = None
        self._why_not = ""

    @property
    def name(self) -> str:
        return "best"

    @property
    def preparation(self) -> str:
        if self._found is not None:
            return ""
        states = count(SMALL.states or 0, "state")
        return f"solving first, as far as {states} and {SMALL.seconds:g} seconds go"

    def hint(self, state: State, *, listener: Listener | None = None) -> Advised:
        return self._said(self._adviser(listener).hint(state, listener=listener))

    def values(self, state: State, *, listener: Listener | None = None) -> Advised:
        return self._said(self._adviser(listener).values(state, listener=listener))

    def _said(self, advised: Advised) -> Advised:
        return replace(advised, basis=f"{advised.basis}{self._why_not}")

    def _adviser(self, listener: Listener | None) -> Adviser:
        if self._found is None:
            solution = self._means.solve(SMALL, listener)
            if solution.is_complete:
                self._found = SolutionAdviser(solution)
            else:
                self._found = adviser(self._means, skill=Skill.SEARCH)
                self._why_not = f"; not solved: {solution.cut}"
        return self._found


class _Playouts:
    """Random plays that may run in a thread beside a search."""

    def __init__(self, expander: Expander, state: State, *, seed: int, threads: int) -> None:
        self._expander = expander
        self._state = state
        self._seed = seed
        self._threads = threads
        self._thread: threading.Thread | None = None
        self._found: Thought | BaseException | None = None
        self._is_stopped = False

    def start(self, effort: SearchLimits) -> None:
        self._thread = threading.Thread(target=self._run, args=(effort,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._is_stopped = True
        if self._thread is not None:
            self._thread.join()

    def thought(self, effort: SearchLimits, *, listener: Listener | None) -> Thought:
        """What was found in the thread; without one, what is found within *effort*."""
        if self._thread is None:
            return self._think(effort, listener)
        began = budget.now()
        while self._thread.is_alive():
            self._thread.join(_LOOK_AGAIN)
            told = Progress(0, 0, 0, budget.now() - began, phase=budget.SEARCHING)
            if listener is not None and listener(told):
                self._is_stopped = True
        assert self._found is not None
        if isinstance(self._found, BaseException):
            raise self._found
        return self._found

    def _run(self, effort: SearchLimits) -> None:
        try:
            self._found = self._think(effort, self._listen)
        except BaseException as failure:  # noqa: BLE001 - raised again by `thought`
            self._found = failure

    def _think(self, effort: SearchLimits, listener: Listener | None) -> Thought:
        return think(
            self._expander,
            self._state,
            effort=effort,
            seed=self._seed,
            threads=self._threads,
            listener=listener,
        )

    def _listen(self, _: Progress) -> bool:
        return self._is_stopped


def _each_move(effort: SearchLimits) -> str:
    return "" if effort.seconds is None else f", {effort.seconds:g} s a move"


def _tried(thought: Thought) -> Mapping[Move, Tried]:
    return {tried.move: tried for tried in thought.moves}


def _partly(thought: Thought, depth: int) -> str:
    plays = count(thought.plays, "random play")
    return (
        f"a search to depth {depth:,}, no solution: what is forced is proved; "
        f"the rest is judged by {plays}"
    )


def _slowly(expander: Expander) -> str:
    """Why not more was done, where nothing is compiled."""
    return f"; slowly, by {expander.note}" if expander.native is None else ""


def _by_plays(thought: Thought) -> str:
    plays = count(thought.plays, "random play")
    best = thought.best
    is_proved = best is not None and best.proved is not ValueKind.UNKNOWN
    return f"proved in the course of {plays}" if is_proved else f"not proved, but judged by {plays}"


def _of_plays(tried: Tried) -> Advice:
    return _with_plays(Advice(tried.move, tried.proved), tried)


def _with_plays(advice: Advice, tried: Tried | None) -> Advice:
    """*advice* with what random plays showed, if nothing is proved."""
    if tried is None or advice.is_proved or tried.mean is None:
        return advice
    return replace(advice, chance=tried.mean, plays=tried.visits)


def _of_proof(move: Move, proof: Proof, tried: Tried | None = None, *, players: int) -> Advice:
    if proof.depends_on_stuck:
        if players < 2:
            # A player who is stuck alone does not get further.
            return Advice(move, ValueKind.LOSS)
        return _with_plays(Advice(move, proof.kind, remark=STUCK), tried)
    depth = proof.depth if proof.kind is ValueKind.UNKNOWN else 0
    return _with_plays(Advice(move, proof.kind, proof.plies, depth), tried)


def _of_value(move: Move, value: Value, *, players: int) -> Advice:
    if value.kind is not ValueKind.UNKNOWN or not value.scored:
        return Advice(move, value.kind, value.plies)
    if players < 2 and all(one.kind is not ValueKind.WIN for _, one in value.scored):
        return Advice(move, ValueKind.LOSS)
    said = [f"{one} if it {name}" for name, one in value.scored]
    return Advice(move, value.kind, remark=f"{STUCK}: {', '.join(said)}")
