"""Questions about games, each answered by an engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from zermelo.api.detect import Dialect
from zermelo.api.game import Game, system_of
from zermelo.core.graph import Graph
from zermelo.core.machine import Machine
from zermelo.core.progress import Listener
from zermelo.core.space import NOTHING_MORE, PlayCounts, Space, Wishes
from zermelo.core.vocabulary import OF_NETS
from zermelo.core.walk import UNLIMITED, Limits
from zermelo.draw import formats
from zermelo.draw.formats import GraphFormat
from zermelo.draw.graph_view import ComponentGraph, StateGraph
from zermelo.engines.check import explore as exploring
from zermelo.engines.check.trial import Row
from zermelo.engines.search.lots import Playouts
from zermelo.engines.solve.solved import Solved, Verification
from zermelo.languages.nets.run.bounds import is_bounded
from zermelo.languages.nets.unbounded import pumping
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.play import notation, sketch
from zermelo.play.advice import Adviser, Skill
from zermelo.text.errors import UsageError


def readings_table(game: Game) -> tuple[Row, ...]:
    """Every order of the rules and every other open choice, tried by playing."""
    system = system_of(game)
    return () if game.trials is None else tuple(game.trials.rows(system.readings))


def explore(
    game: Game,
    *,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    threads: int = 1,
    wishes: Wishes = NOTHING_MORE,
    checkpoint: Path | None = None,
    symmetry: str | None = None,
) -> Space:
    """The reachable states of *game*, within *limits*, explored by so many *threads*.

    What was found is kept in the folder *checkpoint*, if there is one, and a run that
    was stopped goes on from there. Raises ``UsageError`` when the folder has something else.
    With *symmetry*, which is ``turn`` or ``text``, one state of each class is looked at, and
    counts for all of them.
    """
    # What computes with arrays is imported when it is used: reading a document needs none of it.
    from zermelo.core.listed import Listed  # noqa: PLC0415
    from zermelo.engines.space.staged import explore_in_stages, with_symmetries  # noqa: PLC0415

    machine = _machine(game)
    faster = _faster(machine)
    if limits.states is None and limits.depth is None and limits.seconds is None:
        _refuse_endless(game)
    if symmetry is not None:
        if not isinstance(machine, Interpreter):
            raise UsageError("symmetries are found only in documents with sections")
        return with_symmetries(
            machine,
            symmetry,
            faster,
            limits=limits,
            listener=listener,
            threads=threads,
            wishes=wishes,
            checkpoint=checkpoint,
        )
    return explore_in_stages(
        Listed(machine, _note(game)),
        faster,
        initial=machine.initial,
        limits=limits,
        listener=listener,
        threads=threads,
        wishes=wishes,
        checkpoint=checkpoint,
    )


def plays(
    game: Game, length: int, *, limits: Limits = UNLIMITED, listener: Listener | None = None
) -> PlayCounts:
    """The number of plays of *game* of each length from 1 to *length*."""
    return exploring.plays(game.machine, length, limits=limits, listener=listener)


def graph(game: Game, *, limits: Limits = UNLIMITED, listener: Listener | None = None) -> Graph:
    """The reachability graph of *game*, within *limits*: states, and the moves between them."""
    # What computes with arrays is imported when it is used: reading a document needs none of it.
    from zermelo.core.listed import Listed  # noqa: PLC0415
    from zermelo.engines.graph.build import graph_in_stages  # noqa: PLC0415

    machine = _machine(game)
    return graph_in_stages(
        Listed(machine, _note(game)),
        _faster(machine),
        initial=machine.initial,
        limits=limits,
        listener=listener,
    )


def graph_lines(
    game: Game, found: Graph, written_as: GraphFormat, *, of_components: bool = False
) -> Iterator[str]:
    """The lines of a file with the graph that was *found* of *game*.

    With *of_components* its nodes are the strongly connected components. Raises
    ``UsageError`` where a graph is too large to be drawn.
    """
    show = ComponentGraph if of_components else StateGraph
    if not written_as.is_picture:
        return formats.lines(show(found), written_as)
    if game.net is not None:
        from zermelo.languages.nets import sketch as net_sketch  # noqa: PLC0415
        from zermelo.languages.nets.words import Words  # noqa: PLC0415

        words = Words(game.net)
        marked = show(found, move_text=words.short, marks=True, nouns=OF_NETS)
        return formats.lines(marked, written_as, sketch=net_sketch.sketcher(words))
    shown = show(found, move_text=lambda move: notation.to_text(move, found.system))
    return formats.lines(shown, written_as, sketch=sketch.sketcher(game.machine))


def playouts(
    game: Game,
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
    return play_by_lot(
        _expander(game), start, count=count, seed=seed, threads=threads, listener=listener
    )


def adviser(
    game: Game,
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
    that is not possible within *limits*.
    """
    from zermelo.engines.search.search import Effort as Budget  # noqa: PLC0415
    from zermelo.play import advisers  # noqa: PLC0415

    if solution is not None:
        return advisers.FromSolution(solution)
    means = advisers.Means(
        solve=lambda limits, listener: solve(
            game, limits=limits, threads=threads, listener=listener
        ),
        expander=lambda: _expander(game),
        limits=limits,
        effort=Budget(seconds=seconds),
        seed=seed,
        threads=threads,
    )
    return advisers.adviser(means, skill=skill, listener=listener)


def _expander(game: Game) -> Any:  # noqa: ANN401 - its type would import what computes with arrays
    """The fastest expander there is for *game*; its note says why it is not faster."""
    from zermelo.core.listed import Listed  # noqa: PLC0415

    machine = _machine(game)
    faster = _faster(machine)
    if faster is None:
        return Listed(machine, _note(game))
    made = faster()
    return Listed(machine, f"the interpreter, as {made}") if isinstance(made, str) else made


def _refuse_endless(game: Game) -> None:
    """Raise ``UsageError`` for a net that is known to have no end of markings."""
    if game.net is None or is_bounded(game.net):
        return
    found = pumping(game.machine)
    if found is not None:
        raise UsageError(
            f"the net is unbounded: {' '.join(map(str, found.moves))} can be repeated for ever "
            f"and puts more tokens into {', '.join(found.grows)} each time; "
            f"explore a part of it with --states or --depth"
        )


def _machine(game: Game) -> Machine:
    """The machine of *game*: of a document with sections a new one, which shares nothing."""
    system = system_of(game)
    return Interpreter(system) if game.start is None else game.machine


def _note(game: Game) -> str:
    """What runs where nothing is compiled."""
    return {
        Dialect.SECTIONS: "the interpreter",
        Dialect.LED: "the LED program itself, frame by frame",
        Dialect.PROD: "the token game",
        Dialect.PNML: "the token game",
    }[game.dialect]


def solve(
    game: Game,
    *,
    limits: Limits = UNLIMITED,
    threads: int | None = None,
    symmetry: bool = True,
    listener: Listener | None = None,
) -> Solved:
    """The value of every reachable state of *game*; unknown if *limits* do not suffice.

    With *symmetry* only one of the states that are alike is looked at, where that helps.
    """
    # What computes with arrays is imported when it is used: reading a document needs none of it.
    from zermelo.engines.solve.staged import solve_in_stages  # noqa: PLC0415

    if game.program is not None and game.system is not None and not game.players:
        raise UsageError(
            f"it is not known who plays {game.name}; `--reading 'players=one player'` makes it a "
            "puzzle, and `--reading players=NAME` names the definition that says whose turn it is"
        )
    machine = _machine(game)
    return solve_in_stages(
        machine,
        _faster(machine),
        limits=limits,
        threads=threads,
        symmetry=symmetry,
        listener=listener,
    )


def _faster(machine: Machine) -> Callable[[], Any] | None:
    """What makes a kernel of the system of *machine*, or says why there is none.

    What it gives has no type here, since naming it would import what computes with arrays.
    """
    if not isinstance(machine, Interpreter):
        return _faster_net(machine)
    from zermelo.engines.space.staged import Maker  # noqa: PLC0415

    def made() -> Any:  # noqa: ANN401 - as above
        from zermelo.languages.sections.compile.machine import Kernel, kernel  # noqa: PLC0415

        found = kernel(Interpreter(machine.system))
        return found if isinstance(found, Kernel) else found.reason

    def is_ready() -> bool:
        from zermelo.packing import stock  # noqa: PLC0415

        return stock.is_kept(machine.system)

    return Maker(made, is_ready)


def _faster_net(machine: Machine) -> Callable[[], Any] | None:
    """The same for a net; there is none for other dialects."""
    from zermelo.languages.nets.run.machine import TokenGame  # noqa: PLC0415 - of one dialect

    if not isinstance(machine, TokenGame):
        return None

    def made() -> Any:  # noqa: ANN401 - as above
        from zermelo.languages.nets.compile.machine import kernel  # noqa: PLC0415

        return kernel(machine.net)

    return made


def keep_solution(solution: Solved, path: Path) -> None:
    """Write *solution* to a file; raises ``UsageError`` if there is nothing to write, or no way."""
    from zermelo.engines.solve.kept import keep  # noqa: PLC0415

    keep(solution, path)


def open_solution(game: Game, path: Path) -> Solved:
    """The solution of *game* in a file.

    Raises ``UsageError`` if there is none, it is damaged, or it was made for another
    document or under other readings.
    """
    from zermelo.engines.solve.staged import opened_solution  # noqa: PLC0415

    return opened_solution(_machine(game), path)


def verify_solution(
    game: Game,
    solution: Solved | None = None,
    *,
    file: Path | None = None,
    listener: Listener | None = None,
) -> Verification:
    """Check every value of a *solution* of *game*, or of the *file* that has it, by other code."""
    from zermelo.engines.solve.staged import verified_solution  # noqa: PLC0415

    machine = _machine(game)
    return verified_solution(machine, _faster(machine), solution, file=file, listener=listener)
