"""What the command line does not offer, each in a process of its own: see `Tools.inside`.

    python -m benchmarks.ours TASK GAME …

Prints one JSON object. A GAME is a name of the library or a file.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from zermelo.api import loading
from zermelo.api.engines import AllEngines
from zermelo.api.game import Game
from zermelo.api.loaded import model_of
from zermelo.core.expander import Expander
from zermelo.core.limits import Limits
from zermelo.core.space import Space, space_json
from zermelo.core.state import State
from zermelo.engines.search.playouts import playouts as play_by_lot
from zermelo.engines.space import store
from zermelo.engines.space.exploration import explore
from zermelo.languages.nets.answers import state_space_json
from zermelo.languages.nets.model import NetModel
from zermelo.languages.nets.questions import state_space
from zermelo.languages.sections.compile.kernel import NotCompiled
from zermelo.languages.sections.compile.kernel import kernel as kernel_of
from zermelo.languages.sections.ir import Expr
from zermelo.languages.sections.language import SystemModel
from zermelo.languages.sections.run.interpreter import Interpreter


def loaded(name: str) -> Game:
    """The game called *name*, or in the file of that name."""
    path = Path(name)
    return loading.load(path if path.suffix else name)


def playouts(name: str, count: str) -> dict[str, Any]:
    """Random plays on one thread."""
    game = loaded(name)
    expander, start = _kernel(game), game.machine.initial
    play_by_lot(expander, start, count=1)  # what has to be compiled is compiled
    found = play_by_lot(expander, start, count=int(count), seed=1)
    return {"playouts": found.count, "plies": found.plies, "seconds": found.seconds}


def explore_with_table(name: str, threads: str) -> dict[str, Any]:
    """All states, kept in an open-addressing table."""
    game = loaded(name)
    expander, start = _kernel(game), _kernel(game).pack(game.machine.initial)

    def explored(limits: Limits) -> Space:
        room = store.large(
            expander.words,
            threads=int(threads),
            why="it was asked for",
            layout=expander.layout,
        )
        return explore(expander, room, start=start, limits=limits, threads=int(threads))

    explored(Limits(states=1))  # what has to be compiled is compiled
    began, spent = time.perf_counter(), time.process_time()
    found = explored(Limits())
    return {
        **space_json(found),
        "seconds": time.perf_counter() - began,
        "processor": time.process_time() - spent,
    }


def kernel(name: str) -> dict[str, Any]:
    """The kernel of a game, made or loaded."""
    game = loaded(name)
    began = time.perf_counter()
    _kernel(game)
    return {"seconds": time.perf_counter() - began}


def guards(name: str, count: str) -> dict[str, Any]:
    """How many guards and conditions a kernel tests to find the legal moves of some states."""
    machine = _interpreter(loaded(name))
    states = list(_some_states(machine, int(count)))
    made = kernel_of(Interpreter(machine.system), counts_guards=True)
    if isinstance(made, NotCompiled):
        raise SystemExit(f"no kernel: {made.reason}")
    legal = int(made.expand(np.stack([made.pack(state) for state in states])).counts.sum())
    return {"tested": made.examined, "legal": legal, "states": len(states)}


def arguments(name: str, count: str) -> dict[str, Any]:
    """How many guards there would be to test in the same states if every argument were tried."""
    machine = _interpreter(loaded(name))
    states = list(_some_states(machine, int(count)))
    rules = _kernel(loaded(name)).rules
    tried = sum(
        prod(_size(machine, parameter.domain) for parameter in move.parameters)
        * sum(procedure == move.name for procedure, _ in rules)
        for move in machine.system.moves
    )
    legal = sum(len(machine.legal(state)) for state in states)
    return {"tested": tried * len(states), "legal": legal, "states": len(states)}


def easel_frames(name: str, plays: str, idle: str, clicks: str) -> dict[str, Any]:
    """Frames of an LED program: *clicks* in each play, each with *idle* frames behind it."""
    stage = model_of(loaded(name)).stage(None)
    spots = [tuple(map(int, each.split(","))) for each in clicks.split()]
    clicked: list[float] = []
    waited: list[float] = []
    changes = 0
    for _ in range(int(plays)):
        for x, y in spots:
            before = stage.state
            stage.click(x, y)
            clicked.append(_timed(stage.frame))
            changes += stage.state != before
            for at in range(int(idle)):
                stage.move(x + at, y)
                waited.append(_timed(stage.frame))
    return {
        "frames": len(clicked) + len(waited),
        "changes": changes,
        "click": sum(clicked) / len(clicked),
        "slowest": max(clicked),
        "idle": sum(waited) / len(waited),
        "seconds": sum(clicked) + sum(waited),
    }


def count_markings(name: str, threads: str, size: str = "") -> dict[str, Any]:
    """All markings of a net, its kernel compiled before; *size* takes the place of its own n."""
    game = loaded(name)
    if size:
        text = re.sub(r"(?m)^#define n \d+$", f"#define n {size}", game.source.text)
        game = loading.load_text(text, name=Path(name).name)
    if not isinstance(game.model, NetModel):
        raise SystemExit(f"{name} is no net")
    began = time.perf_counter()
    net = _CompiledNet(game.model.net)
    # The code of the table, and that which counts tokens, is loaded with it.
    state_space(net, AllEngines(), limits=Limits(states=1), threads=int(threads))
    compiling = time.perf_counter() - began
    found = state_space(net, AllEngines(), threads=int(threads))
    return {**state_space_json(found), "bytes": found.bytes, "compiling": compiling}


class _CompiledNet(NetModel):
    """A net whose code is compiled once."""

    @cached_property
    def _compiled(self) -> Expander:
        return super().expander()

    def expander(self) -> Expander:
        return self._compiled


def _timed(work: Callable[[], object]) -> float:
    """Processor time: a frame is so short that others on the machine would be measured instead."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def _size(machine: Interpreter, domain: Expr) -> int:
    members = machine.evaluate(domain, machine.initial, {})
    assert isinstance(members, frozenset), "the parameters of these games range over finite sets"
    return len(members)


def _some_states(machine: Interpreter, count: int) -> Iterator[State]:
    """States that random plays lead through, ends left out."""
    chance = Random(1)
    state = machine.initial
    while count:
        moves = machine.legal(state)
        if not moves:
            state = machine.initial
            continue
        yield state
        count -= 1
        state = machine.after(state, chance.choice(moves))


def _interpreter(game: Game) -> Interpreter:
    if not isinstance(game.model, SystemModel):
        raise SystemExit(f"{game.name} is no document with sections")
    return game.model.machine()


def _kernel(game: Game) -> Expander:
    made = kernel_of(_interpreter(game))
    if isinstance(made, NotCompiled):
        raise SystemExit(f"no kernel: {made.reason}")
    return made


TASKS: Mapping[str, Callable[..., dict[str, Any]]] = {
    "playouts": playouts,
    "explore-with-table": explore_with_table,
    "count-markings": count_markings,
    "kernel": kernel,
    "guards": guards,
    "arguments": arguments,
    "easel-frames": easel_frames,
}

if __name__ == "__main__":
    print(json.dumps(TASKS[sys.argv[1]](*sys.argv[2:])))
