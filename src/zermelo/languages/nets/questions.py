"""What is asked of the markings of a net, counted or as a graph.

Work is begun again with more room each time a marking does not fit. Beside it somebody looks for
what shows that the net is unbounded, so that the work would never be done.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import numpy as np

from zermelo.core.adapter import MachineExpander
from zermelo.core.expander import Expander, TooNarrow, with_room
from zermelo.core.language import OtherDocument
from zermelo.core.limits import UNLIMITED, Limits, Listener, asked, why_stopped
from zermelo.core.machine import Machine
from zermelo.core.services import ArrayGraph, CountedStates, Engines, KeptInFolder
from zermelo.languages.nets import mapping as mappings
from zermelo.languages.nets.answers import NetReport, Shape, StateSpace
from zermelo.languages.nets.compile.kernel import NetKernel
from zermelo.languages.nets.findings import Seen
from zermelo.languages.nets.ir import Net
from zermelo.languages.nets.report import places_marked, report
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.languages.nets.shape import shape
from zermelo.languages.nets.tokens import first_fault, most_tokens
from zermelo.languages.nets.unbounded import GrowthWatch, Pumping
from zermelo.text import budget
from zermelo.text.budget import LimitReached
from zermelo.text.decoding import MOST_BYTES
from zermelo.text.errors import UsageError

T = TypeVar("T")
_COUNTED: Final = 1 << 16
OF_ENDLESS: Final = 1_000


class RunningNet(Protocol):
    """A net and what runs it."""

    @property
    def net(self) -> Net: ...

    @property
    def game(self) -> TokenGame: ...

    def expander(self) -> Expander: ...


def _watched(
    model: RunningNet,
    expander: Expander,
    work: Callable[[Expander, Listener], T],
    watch: GrowthWatch,
) -> T | None:
    """What *work* gives on *expander* or a wider one; ``None`` if the net is unbounded.

    The *watch* looks for that meanwhile.
    """
    while True:
        watch.begin()
        if watch.found is not None:
            return None
        try:
            return work(expander, watch)
        except TooNarrow as narrow:
            expander = _wider(model.game, narrow)


def _compiled(model: RunningNet) -> Expander:
    with budget.phase(budget.COMPILING):
        return budget.within_time(model.expander, budget.COMPILING)


def _wider(machine: Machine, narrow: TooNarrow) -> Expander:
    """A wider expander, or the token game, which says why there is nothing faster."""
    made = narrow.wider()
    return MachineExpander(machine, f"the token game, as {made}") if isinstance(made, str) else made


def state_space(
    model: RunningNet,
    engines: Engines,
    *,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    threads: int = 1,
    kept: KeptInFolder | None = None,
) -> StateSpace:
    """The markings that a net can reach, counted; of an unbounded net the first one.

    What was *kept* goes on.
    """
    if limits.began is None:
        limits = replace(limits, began=budget.now())
    watch = budget.watch()
    began = budget.now() if watch is None else watch.began
    machine = model.game
    growth = GrowthWatch(machine, limits=limits, listener=listener, stops=True)

    def count(expander: Expander, heard: Listener) -> StateSpace:
        counted = engines.count(
            expander,
            machine.initial,
            limits=limits,
            listener=heard,
            threads=threads,
            spent=budget.now() - began,
            kept=kept,
        )
        return _counted(counted, threads=threads, began=began)

    try:
        found = _watched(model, _compiled(model), count, growth)
    except LimitReached as stop:
        found = replace(_first_marking(machine, began), cut=why_stopped(stop, limits))
    known = growth.end(None if found is None else found.cut)
    if found is None or growth.found is not None:
        found = replace(
            _first_marking(machine, began), unbounded=growth.found, cut="the net is unbounded"
        )
    return replace(found, boundedness=known, searched=growth.nodes)


def _counted(counted: CountedStates, *, threads: int, began: float) -> StateSpace:
    expander = counted.expander
    pieces = counted.pieces(_COUNTED)
    in_a_place, in_a_marking = most_tokens(expander, counted.rows, pieces, threads=threads)
    faulty = counted.first_faulty
    return StateSpace(
        states=sum(counted.by_depth),
        arcs=counted.moves,
        by_depth=tuple(counted.by_depth),
        terminal=counted.stuck,
        most_in_a_place=in_a_place,
        most_in_a_marking=in_a_marking,
        unbounded=None,
        cut=counted.cut,
        seconds=budget.now() - began,
        machine=expander.note,
        bytes=counted.bytes,
        faulty=counted.faulty,
        fault=None if faulty is None else first_fault(expander, faulty),
    )


def _first_marking(machine: Machine, began: float) -> StateSpace:
    """What is said where nothing was looked at but the first marking."""
    sizes = [len(bag) for bag in machine.initial.values if isinstance(bag, Bag)]
    return StateSpace(
        states=1,
        arcs=0,
        by_depth=(1,),
        terminal=0,
        most_in_a_place=max(sizes, default=0),
        most_in_a_marking=sum(sizes),
        unbounded=None,
        cut=None,
        seconds=budget.now() - began,
        machine="the token game",
        bytes=0,
    )


def net_graph(
    model: RunningNet,
    engines: Engines,
    *,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    of_endless: int = 1,
) -> tuple[ArrayGraph, GrowthWatch]:
    """The reachability graph of a net, and what was found out about its end.

    Of a graph without end the first *of_endless* states are taken in.
    """
    machine = model.game
    build = partial(engines.graph, initial=machine.initial)
    expander = _compiled(model)
    watch = GrowthWatch(machine, limits=limits, listener=listener, stops=True)

    def work(expander: Expander, heard: Listener) -> ArrayGraph:
        return build(expander, limits=limits, listener=heard)

    found = _watched(model, expander, work, watch)
    watch.end(None if found is None else found.cut)
    if found is not None and watch.found is None:
        return found, watch
    few = partial(build, limits=Limits(states=of_endless), listener=listener)
    # As far as compiled code has room, and at last on the token game.
    return with_room(expander, few, wider=partial(_wider, machine)), watch


def seen_further(
    model: RunningNet, engines: Engines, *, limits: Limits, listener: Listener | None = None
) -> tuple[Seen, Pumping | None]:
    with asked(limits) as within:
        graph, watch = net_graph(model, engines, limits=within, listener=listener)
    codes = np.unique(graph.moves)
    if isinstance(graph.expander, NetKernel):
        fired = graph.expander.transitions_of(codes)
    else:
        fired = frozenset(graph.expander.move(code).name for code in codes.tolist())
    marked = frozenset(
        place.name
        for place, is_marked in zip(model.net.places, places_marked(graph), strict=True)
        if is_marked
    )
    return Seen(fired, marked, graph.cut is None, graph.nodes), watch.found


def net_report(
    model: RunningNet,
    engines: Engines,
    *,
    most: int | None = None,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
) -> NetReport:
    few = limits.states or OF_ENDLESS
    graph, watch = net_graph(model, engines, limits=limits, listener=listener, of_endless=few)
    # What was found is told after the time is over, too.
    with budget.budget(until=limits.last, is_last=True):
        made = report(graph, most=most, unbounded=watch.found)
    return replace(made, boundedness=watch.known, searched=watch.nodes)


def net_shape(
    model: RunningNet,
    game: OtherDocument,
    mapping: Path,
    engines: Engines,
    *,
    listener: Listener | None = None,
) -> Shape:
    """Whether the graph of a net has the shape that *game* asks for, by the file *mapping*."""
    data, sets = _tables(mapping), dict(game.model.words.subsets())
    if not sets:
        raise UsageError(f"{game.file} has no variables that are sets of cells")
    mapped = mappings.mapping(data, model.net, sets, source=str(mapping))
    graph, watch = net_graph(model, engines, listener=listener)
    if watch.found is not None:
        raise UsageError("the net is unbounded, so its graph has no end")
    initial = game.model.words.machine.initial
    theirs = engines.graph(game.model.expander(), initial, listener=listener)
    return shape(graph, theirs, mapped)


def _tables(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise UsageError(f"{path} has more than {MOST_BYTES:,} bytes")
        return tomllib.loads(data.decode("utf-8-sig"))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"{path} could not be read: {reason}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not a text in UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is no TOML: {_not_understood(error)}") from error
    except RecursionError as error:
        raise UsageError(f"{path} has too many brackets within each other") from error


def _not_understood(error: tomllib.TOMLDecodeError) -> str:
    said = str(error)
    where = re.search(r"\(at (?:end of )?(.*)\)$", said)
    is_twice = re.search("overwrite|duplicate|twice", said, re.IGNORECASE) is not None
    reason = "a key stands there twice" if is_twice else "it is not understood"
    if where is None:
        return reason
    return f"{reason} at {where[1]}" if where[1] != "document" else f"{reason} at its end"
