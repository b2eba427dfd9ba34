"""Questions about games, each answered by an engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from zermelo.api.loaded import Loaded, model_of, playable_model
from zermelo.core.expander import Expander, with_room
from zermelo.core.graph import Graph, GraphFormat
from zermelo.core.limits import (
    CHECK_LIMITS,
    INTERRUPTED,
    UNLIMITED,
    WIDE_LIMITS,
    Announce,
    Limits,
    Listener,
    asked,
    why_stopped,
)
from zermelo.core.machine import Machine, state_json
from zermelo.core.model import Model
from zermelo.core.observation import (
    ABSENCES,
    Answer,
    Answered,
    Checkup,
    PropertyVerdict,
    confirmed_facts,
    has_lost_something,
    property_verdicts,
    without_effects_of_faults,
)
from zermelo.core.services import Engines, Evidence
from zermelo.core.signature import FLAG, FRESH, KEPT
from zermelo.core.space import (
    DEFAULT_OPTIONS,
    ExploreOptions,
    PlayCounts,
    Playouts,
    Space,
    space_json,
)
from zermelo.core.state import Move
from zermelo.core.symmetry import Preserved
from zermelo.engines.check.trials import Row
from zermelo.engines.solve.values import Solved, Verification, standing
from zermelo.play import notation
from zermelo.play.advice import Adviser, Skill
from zermelo.text import budget, render
from zermelo.text.budget import LimitReached
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Diagnostic, Json
from zermelo.text.errors import UsageError
from zermelo.text.prose import count, listing
from zermelo.text.render import html_table

TRYING: Final = "trying the system out"
PREPARING: Final = 10.0
"""Seconds that compiling for whoever thinks about moves may take.

Which move is advised depends on the clock in any case: somebody waits for it.
"""
_SHARE_OF_DEEP_PLAYS: Final = 0.4
"""How much of its time a check leaves to plays that go deep."""
_STEPS_OF_DEEP_PLAYS: Final = 9_000_000
"""How many of its steps, or half of those that there are."""
_STEPS_OF_FINDINGS: Final = 4_000_000
"""What may be spent on what is said of what was seen."""


def readings_table(game: Loaded) -> tuple[Row, ...]:
    """Every order of the rules and every other open choice, tried by playing."""
    return tried_readings(game).rows


@dataclass(frozen=True, slots=True)
class TriedReadings:
    """The choices that were tried, with what playing says of each."""

    rows: tuple[Row, ...]
    cut: str | None = None
    """Why not all were tried."""


def tried_readings(game: Loaded, *, limits: Limits = UNLIMITED) -> TriedReadings:
    """The same as the table, as far as the *limits* allow."""
    rows: list[Row] = []
    allowed = budget.steps_of_an_answer()
    with asked(limits) as within, budget.phase(budget.DECIDING):
        try:
            # What was seen when they were decided is part of what is said of them.
            trials = game.trials.played()
            with budget.budget(steps=allowed):
                for row in trials.rows(playable_model(game).signature.readings):
                    rows.append(row)
                    budget.look(budget.DECIDING)
        except LimitReached as stop:
            return TriedReadings(tuple(rows), why_stopped(stop, within))
    return TriedReadings(tuple(rows))


def explore(
    game: Loaded,
    *,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    threads: int = 1,
    wishes: ExploreOptions = DEFAULT_OPTIONS,
    checkpoint: Path | None = None,
    announce: Announce | None = None,
    symmetry: str | None = None,
    device: str = "cpu",
) -> Space:
    """The reachable states of *game*, within *limits*, explored by so many *threads*.

    What was found is kept in the folder *checkpoint*, if there is one, and a run that was
    stopped goes on from there, of which *announce* is told. A limit of seconds is one of this
    run. Raises ``UsageError`` when the folder has something else, or another process has it.
    With *symmetry*, which is ``turn`` or ``text``, one state of each class is looked at, and
    counts for all of them. *device* is ``cpu``, ``gpu``, or ``auto`` for a GPU where there is
    one and it is worth it; the answer is the same, and says where it was found.
    """
    # What computes with arrays is imported when it is used: reading a document needs none of it.
    from zermelo.engines.space.device_choice import DeviceWish  # noqa: PLC0415
    from zermelo.engines.space.staged import explore_model  # noqa: PLC0415

    if device not in {each.value for each in DeviceWish}:
        raise UsageError(f"there is no device `{device}`: it is cpu, gpu or auto")
    model = playable_model(game)
    with asked(limits) as within:
        if symmetry is not None:
            _refuse(model.why_no_symmetries())
        watch = model.end_watch(within, listener)
        if watch is not None:
            watch.begin()
        space = explore_model(
            model,
            alike=None if symmetry is None else Preserved(symmetry),
            limits=within,
            listener=watch or listener,
            threads=threads,
            wishes=wishes,
            checkpoint=checkpoint,
            announce=announce,
            device=DeviceWish(device),
        )
        return space if watch is None else replace(space, end=watch.told(space.cut))


def _refuse(reason: str | None) -> None:
    if reason is not None:
        raise UsageError(reason)


def plays(
    game: Loaded, length: int, *, limits: Limits = UNLIMITED, listener: Listener | None = None
) -> PlayCounts:
    """The number of plays of *game* of each length from 1 to *length*."""
    # What computes with arrays is imported when it is used: reading a document needs none of it.
    from zermelo.engines.graph.build import plays_of_model  # noqa: PLC0415

    with asked(limits) as within:
        return plays_of_model(model_of(game), length, limits=within, listener=listener)


def graph(
    game: Loaded,
    *,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    symmetry: str | None = None,
) -> Graph:
    """The reachability graph of *game*, within *limits*: states, and the moves between them.

    With *symmetry*, which is ``turn`` or ``text``, one node stands for all states that are alike.
    """
    # What computes with arrays is imported when it is used: reading a document needs none of it.
    from zermelo.engines.graph.build import graph_of_model  # noqa: PLC0415

    model = playable_model(game)
    if symmetry is not None:
        _refuse(model.why_no_symmetries())
    with asked(limits) as within:
        watch = model.end_watch(within, listener)
        if watch is not None:
            watch.begin()
        made = graph_of_model(
            model,
            alike=None if symmetry is None else Preserved(symmetry),
            limits=within,
            listener=watch or listener,
        )
        if watch is not None:
            watch.told(made.cut)
        return made


def graph_lines(
    game: Loaded,
    found: Graph,
    written_as: GraphFormat,
    *,
    of_components: bool = False,
    solution: Solved | None = None,
) -> Iterator[str]:
    """The lines of a file with the graph that was *found* of *game*.

    With *of_components* its nodes are the strongly connected components. Where there is a
    *solution*, a picture tells at each node what perfect play leads to. Raises ``UsageError``
    where a graph is too large to be drawn.
    """
    from zermelo.draw import formats  # noqa: PLC0415
    from zermelo.draw.graph_view import ComponentGraph, StateGraph  # noqa: PLC0415

    show = ComponentGraph if of_components else StateGraph
    if not written_as.is_picture:
        return formats.lines(show(found), written_as)
    model = playable_model(game)
    words = model.words

    def move_text(move: Move) -> str:
        return words.short_move(move) or notation.to_text(move, model.signature)

    shown = show(
        found,
        move_text=move_text,
        value_text=None if solution is None else lambda state: standing(solution.value(state)),
        marks=words.marks_terminal_nodes,
        nouns=model.signature.nouns,
    )
    return formats.lines(shown, written_as, sketch=words.sketch)


def playouts(
    game: Loaded,
    count: int,
    *,
    seed: int = 0,
    threads: int = 1,
    listener: Listener | None = None,
) -> Playouts:
    """What comes of *count* plays of *game* in which every move is drawn by lot."""
    # What computes with arrays is imported when it is used: reading a document needs none of it.
    from zermelo.engines.search.playouts import playouts as play_by_lot  # noqa: PLC0415

    start = game.machine.initial
    return with_room(
        playable_model(game).expander(),
        lambda expander: play_by_lot(
            expander, start, count=count, seed=seed, threads=threads, listener=listener
        ),
    )


def adviser(
    game: Loaded,
    skill: Skill = Skill.BEST,
    *,
    seconds: float = 2.0,
    seed: int = 0,
    threads: int = 1,
    solution: Solved | None = None,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
) -> Adviser:
    """Somebody who knows something of the moves of *game*, and may think *seconds* about each.

    Whoever plays perfectly has a *solution*, or solves the game; raises ``UsageError`` if
    that is not possible within *limits*, or if the document does not say who wins.
    """
    from zermelo.engines.search.search import SearchLimits as Budget  # noqa: PLC0415
    from zermelo.play import advisers  # noqa: PLC0415

    if solution is not None:
        return advisers.SolutionAdviser(solution)
    _refuse(playable_model(game).why_not_solved())
    means = advisers.Means(
        solve=lambda limits, listener: solve(
            game, limits=limits, threads=threads, listener=listener
        ),
        expander=lambda: _expander_soon(playable_model(game)),
        limits=limits,
        effort=Budget(seconds=seconds),
        seed=seed,
        threads=threads,
    )
    return advisers.adviser(means, skill=skill, listener=listener)


def _expander_soon(model: Model) -> Expander:
    """Compiled code, or an adapter around the machine where compiling takes too long."""
    from zermelo.core.adapter import MachineExpander  # noqa: PLC0415 - as above

    try:
        with budget.budget(until=budget.now() + PREPARING):
            return budget.within_time(model.expander, budget.COMPILING)
    except LimitReached as stop:
        return MachineExpander(model.machine(), reason=str(stop))


def solve(
    game: Loaded,
    *,
    limits: Limits = UNLIMITED,
    threads: int | None = None,
    symmetry: bool = True,
    listener: Listener | None = None,
    checkpoint: Path | None = None,
    announce: Announce | None = None,
) -> Solved:
    """The value of every reachable state of *game*; unknown if *limits* do not suffice.

    With *symmetry* only one of the states that are alike is looked at, where that helps. What
    was found is kept in the folder *checkpoint*, if there is one; see ``explore``.
    """
    # What computes with arrays is imported when it is used: reading a document needs none of it.
    from zermelo.engines.solve.solve import solve_model  # noqa: PLC0415

    model = playable_model(game)
    _refuse(model.why_not_solved())
    with asked(limits) as within:
        return solve_model(
            model,
            limits=within,
            threads=threads,
            symmetry=symmetry,
            listener=listener,
            checkpoint=checkpoint,
            announce=announce,
        )


@contextmanager
def solution_output(path: Path) -> Iterator[Callable[[Solved], None]]:
    """What writes a solution to *path*, to which no other process writes one meanwhile.

    Raises ``UsageError`` if one does, or if there is no such place.
    """
    from zermelo.engines.solve.solution import save  # noqa: PLC0415
    from zermelo.engines.solve.solution_file import solution_output as locked  # noqa: PLC0415

    with locked(path):
        yield lambda solution: save(solution, path)


def keep_solution(solution: Solved, path: Path) -> None:
    """Write *solution* to a file; raises ``UsageError`` if there is nothing to write, or no way."""
    with solution_output(path) as keep:
        keep(solution)


def open_solution(game: Loaded, path: Path) -> Solved:
    """The solution of *game* in a file.

    Raises ``UsageError`` if there is none, it is damaged, or it was made for another
    document or under other readings.
    """
    from zermelo.engines.solve.solve import opened_solution  # noqa: PLC0415

    return opened_solution(playable_model(game), path)


def verify_solution(
    game: Loaded,
    solution: Solved | None = None,
    *,
    file: Path | None = None,
    listener: Listener | None = None,
) -> Verification:
    """Check every value of a *solution* of *game*, or of the *file* that has it, by other code."""
    from zermelo.engines.solve.solve import verified_solution  # noqa: PLC0415

    return verified_solution(playable_model(game), solution, file=file, listener=listener)


# What is wrong with a game


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """What there is to say about a game, what playing it showed included."""

    game: Loaded
    diagnostics: tuple[Diagnostic, ...]
    checkup: Checkup | None
    """What playing showed; ``None`` when there is nothing to play."""
    cut: str | None = None
    """Why it was not looked into further; what was found before that is said."""
    properties: tuple[PropertyVerdict, ...] = ()
    """What was found out of the properties of the document, and of those that were asked for."""
    answered: tuple[Answered, ...] = ()
    """The findings of which the document says that they are intended."""

    @property
    def is_complete(self) -> bool:
        return self.checkup is not None and self.checkup.is_complete

    @property
    def is_in_spite_of_errors(self) -> bool:
        """Whether a part of the document could not be used, so that playing shows less of it.

        What may be a mere consequence of that, as a rule that never fired, is not said.
        """
        return self.checkup is not None and has_lost_something(self.diagnostics)

    def __repr__(self) -> str:
        return f"<Report on {self.game.source.name}: {self._found()}>"

    def __str__(self) -> str:
        """A line for each thing that there is to say, and what playing showed."""
        said = [render.one_line(each, self.game.source) for each in self.diagnostics]
        seen = [] if self.checkup is None else [str(self.checkup.counted)]
        return "\n".join([*said, *seen, f"{self.game.source.name}: {self._found()}."])

    def _repr_html_(self) -> str:
        rows = (
            (each.code.id, each.level.value, render.one_line(each, self.game.source))
            for each in self.diagnostics
        )
        return html_table(("code", "severity", "what was found"), rows, caption=self._found())

    def _found(self) -> str:
        by_level = Counter(each.level for each in self.diagnostics)
        said = [count(by_level[each], each.value) for each in Severity if by_level[each]]
        return listing(said) or "nothing to say"

    def to_json(self) -> dict[str, Json]:
        said = [render.as_json(each, self.game.source) for each in self.diagnostics]
        space = None if self.checkup is None else space_json(self.checkup.counted)
        data = {**self.game.to_json(), "diagnostics": said, "space": space}
        if self.cut is not None:
            data["cut"] = self.cut
        if self.properties:
            data["properties"] = [_property_json(each) for each in self.properties]
        if self.answered:
            data["intended"] = [str(each) for each in self.answered]
        if self.confirmed:
            data["confirmed"] = list(self.confirmed)
        return data

    @property
    def confirmed(self) -> tuple[str, ...]:
        """The facts that hold in every reachable state."""
        model = self.game.model
        if model is None or self.checkup is None:
            return ()
        return confirmed_facts(model.signature, self.checkup)


def _property_json(verdict: PropertyVerdict) -> Json:
    shown = verdict.shown_by
    return {
        "property": verdict.text,
        "answer": verdict.answer.value,
        "states": verdict.states,
        "count": verdict.count,
        "play": None if shown is None else [str(move) for move in shown.play],
        "state": None if shown is None else state_json(shown.state),
    }


def check(
    game: Loaded,
    *,
    limits: Limits = CHECK_LIMITS,
    wide: Limits | None = WIDE_LIMITS,
    listener: Listener | None = None,
    threads: int = 1,
    properties: Sequence[str] = (),
) -> Report:
    """What there is to say about *game*, with what playing it shows within *limits*.

    Where that is not all that can be reached, compiled code looks at more of it by so many
    *threads*, within the limits *wide*; ``None`` leaves it at what was seen. *properties* are
    decided beside those of the document; raises ``UsageError`` where one is not understood.
    """
    from zermelo.engines.check.check import check as check_by_playing  # noqa: PLC0415

    model = game.model
    if model is None:
        return Report(game, game.diagnostics, None)
    if not game.is_loaded:
        with asked(replace(limits, steps=None)) as within:
            found, cut = _gathered(model.unplayed_findings(), within)
        return Report(game, (*game.diagnostics, *found), None, cut)
    if properties:
        asked_for = model.asking(properties)
        if asked_for.diagnostics or asked_for.value is None:
            first = asked_for.diagnostics[0]
            raise UsageError(f"{first.message}; {first.help}" if first.help else first.message)
        model = asked_for.value
    model = model.suspecting()
    # Each part of a check has steps of its own, so that none is left without.
    steps = None if limits.steps is None else _left_of(limits.steps)
    with asked(replace(limits, steps=None)) as within, budget.phase(TRYING):
        with budget.budget(steps=steps) as playing:
            usual = replace(within, steps=steps)
            usual = model.check_limits(usual) if limits == CHECK_LIMITS else usual
            # What a machine remembers of other questions would make it see more.
            checkup = check_by_playing(
                model.machine(),
                kept=_kept(game),
                generate=model.generated,
                limits=_first_part(usual),
                listener=listener,
            )
        if wide is not None and checkup.space.cut != INTERRUPTED:
            checkup = _widened(model, checkup, wide, listener, threads)
        evidence = Evidence(
            checkup=checkup,
            said=game.diagnostics,
            source_length=len(game.source.text),
            engines=_engines,
            listener=listener,
        )
        with budget.budget(steps=None if steps is None else max(steps - playing.spent, 0)):
            found, cut = _gathered(model.findings(evidence), within)
    if checkup.space.cut == INTERRUPTED:
        # Who broke it off is not told what was not seen.
        found = [each for each in found if each.code not in ABSENCES]
    said = model.still_said(game.diagnostics, checkup)
    told, answered = model.answered(without_effects_of_faults(said, found), game.source)
    decided = property_verdicts(model.signature, checkup)
    return Report(game, told, checkup, cut or checkup.deep.cut, decided, answered)


def _widened(
    model: Model, checkup: Checkup, limits: Limits, listener: Listener | None, threads: int
) -> Checkup:
    # What computes with arrays is imported when it is used: most documents need none of it.
    from zermelo.engines.check.wide import is_worth_it, look_wide  # noqa: PLC0415

    if not is_worth_it(model, checkup):
        return checkup
    return look_wide(model, checkup, limits=limits, listener=listener, threads=threads)


def _engines() -> Engines:
    # What computes with arrays is imported when it is used: most documents need none of it.
    from zermelo.api.engines import AllEngines  # noqa: PLC0415

    return AllEngines()


def _gathered(
    findings: Iterable[Diagnostic], limits: Limits
) -> tuple[list[Diagnostic], str | None]:
    """What *findings* has until the steps or the time are over; and why that is not all."""
    found: list[Diagnostic] = []
    try:
        with budget.budget(steps=_STEPS_OF_FINDINGS):
            for each in findings:
                found.append(each)  # noqa: PERF402 - what came before a limit is kept
            budget.look(TRYING)
    except LimitReached as stop:
        return [each for each in found if each.code not in ABSENCES], why_stopped(stop, limits)
    return found, None


def _left_of(steps: int) -> int:
    """How many of a check's *steps* reading has left over: a quarter of them at least."""
    around = budget.current()
    return max(steps - (0 if around is None else around.spent), steps // 4)


def _first_part(limits: Limits) -> Limits:
    """*limits* that leave a part of the time and of the steps to plays that go deep."""
    left, steps, seconds = limits.time_left(), limits.steps, limits.seconds
    if steps is not None:
        steps -= min(_STEPS_OF_DEEP_PLAYS, steps // 2)
    if seconds is not None and left is not None:
        # It is told, so it is one that a person would write.
        seconds = round(seconds - _SHARE_OF_DEEP_PLAYS * max(left, 0.0), 1)
    return replace(limits, steps=steps, seconds=seconds)


def _kept(game: Loaded) -> Machine | None:
    """The machine in which flags are kept, if the document has flags."""
    flags = [
        each.name for each in game.readings if each.name.startswith(FLAG) and each.choice == FRESH
    ]
    taken = {each.name: each.choice for each in game.readings}
    return game.trials.machine({**taken, **dict.fromkeys(flags, KEPT)}) if flags else None


def exit_code(
    game: Loaded,
    diagnostics: Sequence[Diagnostic] | None = None,
    *,
    strict: bool = False,
    properties: Sequence[PropertyVerdict] = (),
) -> int:
    """0 for a document without errors, 1 for one with errors, 2 for one that means nothing.

    *strict* counts warnings as errors. *diagnostics* are the game's if not given. A property that
    fails counts as an error, and with *strict* one that is undecided does.
    """
    if game.model is None:
        return 2
    counted = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    said = game.diagnostics if diagnostics is None else diagnostics
    wrong = {Answer.FAILS, Answer.UNDECIDED} if strict else {Answer.FAILS}
    fails = any(each.answer in wrong for each in properties)
    return int(fails or any(each.level in counted for each in said))
