"""One comparison of a kernel with what defines its meaning, drawn from a number.

The same numbers lead to the same documents in the tests and in `tools/agree.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.support import random_nets
from tests.support.agreement import difference, some_states
from tests.support.led_grounds import grounds
from tests.support.led_plain import NoValueError, evaluate
from tests.support.net_agreement import agree
from tests.support.random_systems import probe_by, read, system_by
from tests.support.system_text import document_of
from zermelo.core.adapter import MachineExpander
from zermelo.core.state import State
from zermelo.languages.led import ir as led
from zermelo.languages.led.run.evaluator import ProgramEvaluator
from zermelo.languages.led.run.pretty import pp
from zermelo.languages.nets import ir as nets
from zermelo.languages.sections.compile.kernel import NotCompiled, kernel
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.text.budget import OverBudget, budget

STATES = 24
"""So many states of a system are asked about, where it has so many."""
MOVES = 300
"""When the states of one document have so many legal moves, they are enough."""
MARKINGS = 40
STEPS = 40_000_000
"""What is defined by more steps than this, some ten seconds, is left out."""
PIECE = 50
"""So many nets or expressions are drawn together."""
PAIRS = "pairs of state and move"
EACH_COMPILED = 11
"""One of so many kernels is compiled."""


def compare(kind: str, number: int, tally: Counter[str]) -> str | None:
    """Compare what *number* leads to, a *kind* of document; where it differs, if anywhere."""
    try:
        with budget(steps=STEPS):
            return _KINDS[kind](number, tally)
    except OverBudget:
        tally[f"{kind}s that take too many steps"] += 1
        return None


def is_compiled(number: int) -> bool:
    """Whether the kernel of this document is compiled by LLVM, and not run as Python."""
    return number % EACH_COMPILED == 3


def document(number: int, tally: Counter[str]) -> str | None:
    """A system: by turns written as a document and read back, as it is, and a probe."""
    described, name = _described(number)
    tally[f"documents: {name}"] += 1
    machine = Interpreter(described)
    made = kernel(machine, compiled=is_compiled(number))
    if isinstance(made, NotCompiled):
        tally["documents without a kernel"] += 1
        return None
    tally["documents compared"] += 1
    tally["kernels compiled by LLVM"] += is_compiled(number)
    before = tally["states"]
    states = list(_affordable(machine, some_states(machine, Random(number), most=STATES)))
    found = difference(
        made, states, MachineExpander(machine), tally=tally, most_counted=len(states)
    )
    # Each move is legal for both or for neither, with any arguments that it may have.
    tally[PAIRS] += (tally["states"] - before) * made.native.most_moves
    return None if found is None else f"{found}\n\n{document_of(described)}"


def _affordable(machine: Interpreter, states: Iterable[State]) -> Iterator[State]:
    """*states* until they have many moves: other documents show more than more of these would."""
    moves = 0
    for state in states:
        yield state
        moves += len(machine.legal(state))
        if moves > MOVES:
            return


def _described(number: int) -> tuple[System, str]:
    chance = Random(number)
    if number % 4 == 0:
        return probe_by(chance), "probes"
    drawn = system_by(chance)
    if number % 4 != 2:
        return drawn, "systems"
    again = read(document_of(drawn))
    return (drawn, "systems") if again is None else (again, "texts read")


def drawn_net(number: int) -> nets.Net:
    """The net that *number* leads to."""
    found = _drawn("net", number)
    assert isinstance(found, nets.Net)
    return found


def net(number: int, tally: Counter[str]) -> str | None:
    """A net, and the token game."""
    tally["nets"] += 1
    drawn = drawn_net(number)
    try:
        has_kernel = agree(drawn, compiled=is_compiled(number), most=MARKINGS, tally=tally)
    except AssertionError as differs:
        return f"{differs}\n\n{drawn}"
    tally["nets compared" if has_kernel else "nets without a kernel"] += 1
    return None


def expression(number: int, tally: Counter[str]) -> str | None:
    """An expression of LED: its closure, and its tree."""
    tally["LED expressions"] += 1
    expr = _drawn("expression", number)
    found = pp(ProgramEvaluator(led.Program("demo", ())).expression(expr))
    expected = plainly(expr)
    tally["LED expressions without a value"] += expected == NO_VALUE
    return None if found == expected else f"{expr}\n  {expected} is right,\n  {found} was said"


NO_VALUE = "ERRONEOUS VALUE"


def plainly(expr: led.Expr) -> str:
    """How the value of *expr* prints, found by walking the tree."""
    try:
        return pp(evaluate(expr, {}))
    except NoValueError:
        return NO_VALUE


@cache
def _draws(what: str, piece: int) -> Sequence[Any]:
    """*PIECE* draws of hypothesis, which cannot be asked for one alone."""
    found: list[object] = []

    @seed(piece)
    @settings(
        max_examples=PIECE,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(_STRATEGIES[what])
    def draw(drawn: object) -> None:
        found.append(drawn)

    draw()
    return found


def _drawn(what: str, number: int) -> Any:  # noqa: ANN401 - what the strategy draws
    found = _draws(what, number // PIECE)
    return found[number % len(found)]


_KINDS: dict[str, Callable[[int, Counter[str]], str | None]] = {
    "document": document,
    "net": net,
    "expression": expression,
}
_STRATEGIES: Mapping[str, Any] = {"net": random_nets.nets(), "expression": grounds()}
