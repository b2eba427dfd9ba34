"""Questions about nets, each answered by an engine."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from zermelo.api import questions
from zermelo.api.game import Game, system_of
from zermelo.core.machine import Machine
from zermelo.core.progress import Listener
from zermelo.core.values import Value, in_order
from zermelo.core.walk import UNLIMITED, Limits
from zermelo.languages.nets.answers import NetReport, Shape, StateSpace
from zermelo.languages.nets.findings import Seen
from zermelo.languages.nets.ir import Net
from zermelo.languages.nets.run.bounds import is_bounded
from zermelo.languages.nets.unbounded import Pumping
from zermelo.languages.sections.ir import PowerSet
from zermelo.text.errors import UsageError

_OF_ENDLESS: Final = 1_000
"""States of a graph without end that are looked at, and that one can walk about in."""


def net_of(game: Game) -> Net:
    """The net of *game*; raises ``UsageError`` if it is something else."""
    system_of(game)
    if game.net is None:
        raise UsageError(
            f"{game.source.name} is not a net; this asks for a file in PROD's language (.net) "
            f"or PNML (.pnml)"
        )
    return game.net


def state_space(
    game: Game,
    *,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    threads: int = 1,
) -> StateSpace:
    """The markings that the net of *game* can reach, counted, and the most tokens."""
    from zermelo.languages.nets.statespace import state_space as count  # noqa: PLC0415 - arrays

    net, machine = net_of(game), game.machine
    return count(
        machine,
        net_expander(net, machine),
        is_bounded=is_bounded(net),
        limits=limits,
        listener=listener,
        threads=threads,
    )


def net_expander(net: Net, machine: Machine) -> Any:  # noqa: ANN401 - its type would import what computes with arrays
    """The fastest expander there is for *net*; its note says why it is not faster."""
    from zermelo.languages.nets.compile.machine import kernel  # noqa: PLC0415
    from zermelo.languages.nets.widening import runs  # noqa: PLC0415

    return runs(machine, kernel(net))


def net_graph(
    game: Game,
    *,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    of_endless: int = 1,
) -> tuple[Any, Pumping | None]:
    """The reachability graph of the net of *game*, and what shows that it has no end, if it has.

    Of a graph without end so many states are taken in.
    """
    from zermelo.engines.graph.build import graph_of  # noqa: PLC0415
    from zermelo.languages.nets.widening import unless_endless, with_any_room  # noqa: PLC0415

    net, machine = net_of(game), game.machine
    build = partial(graph_of, initial=machine.initial, listener=listener)
    expander = net_expander(net, machine)
    found = unless_endless(
        machine,
        expander,
        partial(build, limits=limits),
        is_bounded=is_bounded(net),
        limits=limits,
        listener=listener,
    )
    if not isinstance(found, Pumping):
        return found, None
    few = Limits(states=of_endless)
    return with_any_room(machine, expander, partial(build, limits=few)), found


def seen_further(
    game: Game, *, limits: Limits, listener: Listener | None = None
) -> tuple[Seen, Pumping | None]:
    """What is seen of the net of *game* in its graph, built on the fastest machine there is."""
    from zermelo.languages.nets.report import places_marked  # noqa: PLC0415

    graph, pumped = net_graph(game, limits=limits, listener=listener)
    net = net_of(game)
    fired = frozenset(graph.expander.move(code).name for code in sorted(set(graph.moves.tolist())))
    marked = frozenset(
        place.name
        for place, is_marked in zip(net.places, places_marked(graph), strict=True)
        if is_marked
    )
    return Seen(fired, marked, graph.cut is None, graph.nodes), pumped


def net_report(
    game: Game,
    *,
    most: int | None = None,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
) -> NetReport:
    """The graph of the net of *game* in numbers, with at most so many terminal parts listed."""
    from zermelo.languages.nets.report import report  # noqa: PLC0415

    few = limits.states or _OF_ENDLESS
    graph, pumped = net_graph(game, limits=limits, listener=listener, of_endless=few)
    return report(graph, most=most, unbounded=pumped)


def net_shape(game: Game, other: Game, mapping: Path, *, listener: Listener | None = None) -> Shape:
    """Whether the graph of the net of *game* has the shape that the game *other* asks for.

    The file *mapping* says which token components are which cells of it; ``UsageError`` says
    what is wrong with it.
    """
    from zermelo.engines.graph.reachability import Reachability  # noqa: PLC0415
    from zermelo.languages.nets import mapping as mappings  # noqa: PLC0415
    from zermelo.languages.nets.shape import shape  # noqa: PLC0415

    data, sets = _tables(mapping), dict(_sets(other))
    if not sets:
        raise UsageError(f"{other.source.name} has no variables that are sets of cells")
    mapped = mappings.mapping(data, net_of(game), sets, source=str(mapping))
    graph, pumped = net_graph(game, listener=listener)
    if pumped is not None:
        raise UsageError("the net is unbounded, so its graph has no end")
    theirs = questions.graph(other, listener=listener)
    assert isinstance(theirs, Reachability), "graphs are kept in arrays"
    return shape(graph, theirs, mapped)


def _tables(path: Path) -> dict[str, Any]:
    """What the file at *path*, in TOML, has."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
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
    """Where a file is no TOML; of a key that stands there twice, that it does."""
    said = str(error)
    where = re.search(r"\(at (?:end of )?(.*)\)$", said)
    is_twice = re.search("overwrite|duplicate|twice", said, re.IGNORECASE) is not None
    reason = "a key stands there twice" if is_twice else "it is not understood"
    if where is None:
        return reason
    return f"{reason} at {where[1]}" if where[1] != "document" else f"{reason} at its end"


def _sets(game: Game) -> Iterator[tuple[str, list[Value]]]:
    """The variables of *game* whose values are sets, each with what these may have in them."""
    machine = game.machine
    for variable in system_of(game).stored:
        if isinstance(variable.domain, PowerSet):
            members = machine.evaluate(variable.domain.base, machine.initial, {})
            if isinstance(members, frozenset):
                yield variable.name, in_order(members)


def net_shell(game: Game, *, limits: Limits = UNLIMITED, listener: Listener | None = None) -> Any:  # noqa: ANN401 - its type would import what computes with arrays
    """A ``play.nets.shell.Shell`` over the graph of the net of *game*, as far as *limits* go."""
    from zermelo.languages.nets.shell.shell import Shell  # noqa: PLC0415

    graph, pumped = net_graph(game, limits=limits, listener=listener, of_endless=_OF_ENDLESS)
    return Shell(graph, net_of(game), pumped)


def net_lines(game: Game, written_as: str) -> Iterator[str]:
    """The lines of a file with the net of *game*: ``pnml``, ``prod``, or a picture of it.

    Pictures are ``svg`` for small nets, and ``dot`` for Graphviz.
    """
    from zermelo.draw import dot, svg  # noqa: PLC0415
    from zermelo.languages.nets import drawing  # noqa: PLC0415
    from zermelo.languages.nets.write import pnml, prod  # noqa: PLC0415

    net = net_of(game)
    match written_as:
        case "pnml":
            return pnml.lines(net)
        case "prod":
            return prod.lines(net)
        case "svg":
            return svg.lines(drawing.diagram_in_rows(net))
        case "dot":
            return dot.diagram_lines(drawing.diagram(net))
        case _:
            raise UsageError(f"a net cannot be written as {written_as}")
