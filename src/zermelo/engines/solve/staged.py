"""Solving without waiting for what a small system does not need: a compiler, and symmetries.

Small spaces are solved on the interpreter. When that takes longer, a fast
expander is made beside it, and when there are many states, symmetries are looked
for, so that of states that are alike only one is looked at.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from zermelo.core.expander import Expander
from zermelo.core.listed import Listed
from zermelo.core.machine import Machine
from zermelo.core.progress import Listener
from zermelo.core.walk import UNLIMITED, Limits
from zermelo.engines.solve.kept import keep, opened, verified
from zermelo.engines.solve.solution import Solution
from zermelo.engines.solve.solve import solve
from zermelo.engines.solve.solved import Solved, Verification
from zermelo.engines.space.orbits.reduction import Reduction
from zermelo.engines.space.orbits.use import reduction
from zermelo.engines.space.staged import Faster, Switch
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry.find import symmetries

FEW: Final = 100_000
"""So many states are looked at before symmetries are worth looking for."""


def solve_in_stages(
    machine: Machine,
    faster: Faster | None,
    *,
    limits: Limits = UNLIMITED,
    threads: int | None = None,
    symmetry: bool = True,
    listener: Listener | None = None,
) -> Solution:
    """The values of all states that can be reached in *machine*, within *limits*."""
    began = time.monotonic()

    def left() -> Limits:
        """The limits without the time that has passed."""
        passed = time.monotonic() - began
        return (
            limits if limits.seconds is None else replace(limits, seconds=limits.seconds - passed)
        )

    switch = Switch(faster, listener)
    slow = Listed(machine)
    found = solve(slow, slow.pack(machine.initial), limits=limits, listener=switch, threads=1)
    fast = switch.taken
    if fast is None:
        return found if switch.reason is None else _with_reason(found, switch.reason)
    first = fast.pack(machine.initial)
    used = None
    if symmetry and (limits.states is None or limits.states > FEW):
        few = replace(left(), states=FEW)
        found = solve(fast, first, limits=few, listener=listener, threads=threads)
        if found.is_complete or found.classes < FEW:
            return replace(found, seconds=time.monotonic() - began)
        used = usable(machine, fast)
    found = solve(fast, first, limits=left(), listener=listener, threads=threads, reduction=used)
    return replace(found, seconds=time.monotonic() - began)


def usable(machine: Machine, expander: Expander, *, is_urgent: bool = False) -> Reduction | None:
    """The symmetries of *machine* that can be used on the states of *expander*, if any.

    Where it *is_urgent*, code for them is compiled before it is worth it.
    """
    if not isinstance(machine, Interpreter):
        return None
    found = symmetries(machine)
    if expander.layout is None or found.used <= 1:
        return None
    if not is_urgent:
        return reduction(found, expander)
    return Reduction(found.structure, found.bits, expander.layout, words=found.words, many=0)


def opened_solution(machine: Machine, path: Path) -> Solution:
    """The solution of *machine* in a file; raises ``NotASolution`` if it has another one."""
    expander = Listed(machine)
    return opened(
        path, expander, machine.initial, lambda: usable(machine, expander, is_urgent=True)
    )


def verified_solution(
    machine: Machine,
    faster: Faster | None,
    solution: Solved | None,
    *,
    file: Path | None = None,
    listener: Listener | None = None,
) -> Verification:
    """What the independent check of a *solution* finds, or of the *file* that has it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "solution" if file is None else file
        if file is None:
            keep(solution, path)
        return verified(
            path,
            Listed(machine),
            faster,
            lambda expander: usable(machine, expander),
            initial=machine.initial,
            listener=listener,
        )


def _with_reason(found: Solution, reason: str) -> Solution:
    note = f"this took longer than it should, as nothing could be compiled: {reason}"
    return replace(found, notes=(*found.notes, note))
