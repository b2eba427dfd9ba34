"""What is said about a space: how many states, how they end, how they are reached.

Engines that explore give a ``Space``. Nothing in it claims more than was looked
at: a space that was cut short says so, and what was not asked for is ``None``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from zermelo.core.limits import Estimate, Listener, Resumed
from zermelo.core.machine import Ending, Fault, Outcome
from zermelo.core.signature import RuleName
from zermelo.core.state import Move, State, play_to_text
from zermelo.text.diagnostic import Json
from zermelo.text.prose import Line, count
from zermelo.text.render import html_table


@dataclass(frozen=True, slots=True, kw_only=True)
class ExploreOptions:
    """What is worth extra time."""

    rules: bool = False
    """Count how often each rule fired."""
    complete_plays: bool = False
    """Count the plays from the first state to an end."""
    claims: bool = False
    """Look in every state for claims that are broken."""


DEFAULT_OPTIONS: Final = ExploreOptions()


@dataclass(frozen=True, slots=True)
class EndingFound:
    """A way in which plays end."""

    outcome: Outcome
    count: int
    play: tuple[Move, ...]
    """The shortest play that ends so."""


@dataclass(frozen=True, slots=True)
class StuckFound:
    """States that are not over and in which no move has an effect."""

    count: int
    state: State | None
    """The first one that was reached; ``None`` if it was not looked for any more."""
    play: tuple[Move, ...]
    """The shortest play to it."""


@dataclass(frozen=True, slots=True)
class FaultFound:
    """Something that goes wrong while playing."""

    fault: Fault
    count: int
    """In how many turns it happened, among those that were looked into."""
    state: State
    """The first state in which it happens."""
    play: tuple[Move, ...]
    """The shortest play that shows it; its last move is the one that goes wrong."""


@dataclass(frozen=True, slots=True)
class ClaimBroken:
    """A claim that is broken in some states."""

    claim: int
    """Its number in the signature."""
    count: int | None
    """In how many states; ``None`` where one state was looked at for several."""
    state: State
    """The first one."""
    play: tuple[Move, ...]
    """The shortest play to it."""


@dataclass(frozen=True, slots=True)
class Longest:
    """How long plays can become."""

    play: tuple[Move, ...] | None
    """A longest play, the first in canonical order; ``None`` when there are cycles."""

    @property
    def has_cycles(self) -> bool:
        """Whether a play can come back to a state, and go on without end."""
        return self.play is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """How an exploration was done."""

    seconds: float
    """From the beginning of the command, or of the call, to the answer.

    What earlier runs took is in ``resumed``.
    """
    threads: int
    machine: str
    """What made the moves."""
    store: str
    """What kept the states, and why."""
    bytes: int
    """The memory that the states took at most."""
    estimate: Estimate | None = None
    """What it was expected to come to when it began to be long."""
    phases: Mapping[str, float] = field(default_factory=dict)
    """What the time was spent on: reading, deciding, compiling, exploring, tracing."""
    resumed: Resumed | None = None
    """From where it went on, if an earlier run was kept."""
    not_on_gpu: str | None = None
    """Why a GPU did not do it, where one was asked for or tried."""

    @property
    def all_seconds(self) -> float:
        """How long it took together with the runs that it went on from."""
        return self.seconds + (0.0 if self.resumed is None else self.resumed.seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Classes:
    """What was looked at where symmetries were used: one state of each class."""

    count: int
    by_depth: tuple[int, ...]
    symmetries: int
    words: str
    """What they do."""


@dataclass(frozen=True, slots=True)
class EndKnown:
    """Whether there is an end of states, as far as a language can tell without seeing all."""

    lines: tuple[Line, ...]
    data: Mapping[str, Json]


class EndWatch(Listener, Protocol):
    """Looks beside an exploration for what shows that there is no end of states.

    It hears how far the exploration has come, and asks it to stop where it would never be done.
    """

    def begin(self) -> None:
        """Look for a moment, before anything is explored."""

    def told(self, cut: str | None, /) -> EndKnown:
        """What is known when the exploration is over, which was *cut* for that reason.

        Raises ``UsageError`` where there is no end and nobody said how much to look at.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Space:
    """The states that were reached, counted."""

    states: int
    by_depth: tuple[int, ...]
    """How many states are first reached after 0, 1, 2, … moves."""
    over_by_depth: tuple[int, ...]
    """How many of them are over."""
    moves: int
    """The moves that were made, one for each state and move legal in it."""
    endings: tuple[EndingFound, ...]
    """The ways in which plays end, the soonest first."""
    stuck: StuckFound | None
    faults: tuple[FaultFound, ...]
    followed: int
    """In how many of the states the moves were made."""
    full_depth: int
    """The deepest level of which every state was reached."""
    cut: str | None
    """The reason why the exploration was cut short."""
    faulty: int = 0
    """In how many states a fault stops some move."""
    fired: Mapping[RuleName, int] | None = None
    """In how many moves each rule fired, if that was asked for."""
    fires: Mapping[RuleName, bool] | None = None
    """Whether each rule fires in any move, if that was asked for. With symmetries it is told of the
    states that stand for others, which is the same where they preserve the text of the rules."""
    broken: tuple[ClaimBroken, ...] | None = None
    """The claims that are broken somewhere, if every state was looked at for them."""
    longest: Longest | None = None
    """How long plays can become, if that was found out."""
    complete_plays: int | None = None
    """How many plays there are from the first state to an end, if that was counted."""
    run: Run | None = None
    classes: Classes | None = None
    """The classes of states that were looked at, where symmetries were used."""
    untold: str | None = None
    """Why plays are missing, or what else was asked for: time or memory was over before that."""
    has_plays: bool = True
    """Whether the plays to endings and faults were found; if not, they are empty."""
    end: EndKnown | None = None
    """Whether there is an end of states, where a language can tell."""
    how_much: str = "all that can be reached"
    """How much it is if it was not cut short, in words."""

    @property
    def is_complete(self) -> bool:
        return self.cut is None

    def __repr__(self) -> str:
        return f"<Space: {self._size()}{self._ends()}>"

    def __str__(self) -> str:
        """How much there is and how it ends, a line for each way, with the shortest play to it."""
        rows = (f"  {what}: {number}; first after {play}" for what, number, play in self._rows())
        return "\n".join([f"{self._size()}.", *rows])

    def _repr_html_(self) -> str:
        return html_table(("ending", "states", "shortest play"), self._rows(), caption=self._size())

    def to_pandas(self) -> Any:  # noqa: ANN401 - a DataFrame, of a library that may be missing
        """A row for each depth: how many states are first reached there, and how many are over."""
        # What few need is imported when it is used.
        from zermelo.text.optional import optional_library  # noqa: PLC0415

        pandas = optional_library("pandas", wanted_for="a table")
        columns = {"states": self.by_depth, "over": self.over_by_depth}
        # More states than 64 bits can count stay numbers of Python.
        exact = pandas.DataFrame(columns, dtype=object).infer_objects()
        return exact.rename_axis("depth")

    def _size(self) -> str:
        if self.cut is not None:
            return f"{count(self.states, 'state')}, not all: {self.cut}"
        return f"{count(self.states, 'state')}, {self.how_much}"

    def _ends(self) -> str:
        return "".join(f"; {what}: {number}" for what, number, _ in self._rows())

    def _rows(self) -> Iterator[tuple[str, str, str]]:
        for each in self.endings:
            yield str(each.outcome), f"{each.count:,}", play_to_text(each.play)
        if self.stuck is not None:
            yield "stuck", f"{self.stuck.count:,}", play_to_text(self.stuck.play)


class ReachedStates(Protocol):
    """States, and the shortest play to each."""

    @property
    def nodes(self) -> tuple[State, ...]:
        """The states in the order in which they were first reached."""
        ...

    @property
    def reached(self) -> int: ...

    def play(self, node: State, /) -> tuple[Move, ...]: ...


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Walked(Space):
    """A space with the states themselves."""

    walk: ReachedStates = field(repr=False, compare=False)
    turns: tuple[tuple[State, Move], ...] = field(default=(), repr=False, compare=False)
    """The moves that were made, each with the state before it."""
    after: tuple[State, ...] = field(default=(), repr=False, compare=False)
    """The state after each of them."""


@dataclass(frozen=True, slots=True)
class PlayCounts:
    """How many plays there are of each length."""

    counts: tuple[int, ...]
    """The number of plays of 1, 2, 3, … moves."""
    cut: str | None
    """Why counting stopped before the length that was asked for."""

    @property
    def is_complete(self) -> bool:
        return self.cut is None


@dataclass(frozen=True, slots=True, repr=False)
class Playouts:
    """What came of random plays."""

    count: int
    endings: Mapping[Outcome, int]
    """How often each outcome came up, the most frequent first."""
    unfinished: int
    """Plays that were cut short because they became too long."""
    plies: int
    """The length of all plays together."""
    longest: int
    seconds: float
    cut: str | None = None
    """The reason why fewer plays were made than asked for."""

    def __repr__(self) -> str:
        said = [f"{outcome}: {times:,}" for outcome, times in self.endings.items()]
        if self.unfinished:
            said.append(f"unfinished: {self.unfinished:,}")
        cut = "" if self.cut is None else f", not all: {self.cut}"
        return f"<Playouts: {'; '.join([count(self.count, 'play') + cut, *said])}>"

    @property
    def is_complete(self) -> bool:
        return self.cut is None


def space_json(space: Space) -> dict[str, Json]:
    data: dict[str, Json] = {
        "states": space.states,
        "by_depth": list(space.by_depth),
        "over_by_depth": list(space.over_by_depth),
        "moves": space.moves,
        "endings": _endings_json(space),
        "stuck": 0 if space.stuck is None else space.stuck.count,
        "complete": space.is_complete,
        "cut": space.cut,
        "shortest": _shortest_json(space) if space.has_plays else {},
    }
    if space.untold is not None:
        data["untold"] = space.untold
    if space.end is not None:
        data.update(space.end.data)
    if space.longest is not None:
        play = space.longest.play
        data["longest"] = None if play is None else _play_json(play)
        data["cycles"] = space.longest.has_cycles
    if space.complete_plays is not None:
        data["plays"] = space.complete_plays
    if space.fired is not None:
        data["fired"] = {f"{name} {rule}": count for (name, rule), count in space.fired.items()}
    if space.faults:
        data["faulty"] = space.faulty
    if space.run is not None:
        data.update(_run_json(space.run))
    if space.classes is not None:
        data["classes"] = space.classes.count
        data["classes_by_depth"] = list(space.classes.by_depth)
        data["positions"] = space.states
        data["symmetries"] = space.classes.symmetries
        data["symmetry"] = space.classes.words
    return data


def _endings_json(space: Space) -> dict[str, Json]:
    counts: dict[str, int] = {}
    for each in space.endings:
        counts[str(each.outcome)] = counts.get(str(each.outcome), 0) + each.count
    return dict(counts)


def _shortest_json(space: Space) -> dict[str, Json]:
    plays: dict[str, Json] = {}
    for each in space.endings:
        plays.setdefault(str(each.outcome), _play_json(each.play))
    if space.stuck is not None:
        plays.setdefault(str(Ending.STUCK.value), _play_json(space.stuck.play))
    return plays


def _run_json(run: Run) -> dict[str, Json]:
    guess = run.estimate
    return {
        "seconds": round(run.seconds, 3),
        "phases": {name: round(seconds, 3) for name, seconds in run.phases.items()},
        "threads": run.threads,
        "machine": run.machine,
        "store": run.store,
        "bytes": run.bytes,
        "estimate": None if guess is None else dataclasses.asdict(guess),
        **({} if run.not_on_gpu is None else {"not_on_gpu": run.not_on_gpu}),
        **resumed_json(run.resumed),
    }


def resumed_json(resumed: Resumed | None) -> dict[str, Json]:
    """From where a run went on; nothing where it began."""
    if resumed is None:
        return {}
    data: dict[str, Json] = {**dataclasses.asdict(resumed), "seconds": round(resumed.seconds, 3)}
    return {"resumed": data if resumed.values else {k: data[k] for k in data if k != "values"}}


def _play_json(moves: Sequence[Move]) -> list[Json]:
    return [str(move) for move in moves]
