"""Many states at a time: what engines that look at whole spaces stand on.

A ``Machine`` answers for one state; an ``Expander`` answers for a frontier of
packed states in one call. Kernels are both, and ``core.listed`` gives the
interpreter an expander too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from zermelo.core.arrays import Numbers, Rows
from zermelo.core.layout import Layout, layout_json
from zermelo.core.machine import Fault, Outcome
from zermelo.core.signature import RuleName, Signature
from zermelo.core.state import Move, State
from zermelo.text import budget
from zermelo.text.errors import UsageError

T = TypeVar("T")

PLAYER_BITS: Final = 8
MOST_CLAIMS: Final = 62
FAULTY: Final = 1 << 40
"""Added to the number of legal moves where a fault stops some move."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """What follows the states of a frontier.

    The arrays are views of buffers that belong to the expander; its next call
    writes over them.
    """

    counts: Numbers
    """How many moves are legal in each state; none where it is over or stuck."""
    states: Rows
    """The states after them, state by state, in an order that depends on the state alone."""
    moves: Numbers
    """The codes of these moves."""
    verdicts: Numbers
    """For each state who is in turn and whether and how it is over; see ``player_of``."""
    faulty: Numbers
    """The numbers of the states in which a fault stops some move."""


def layout_form(layout: Layout | None) -> str | None:
    """The form of rows that *layout* packs; see ``Expander.row_form``."""
    return None if layout is None else json.dumps(layout_json(layout), ensure_ascii=False)


def same_form(expander: Expander, form: str) -> Expander:
    """*expander* if its rows have this *form*, which is the only one that they can have."""
    if form != expander.row_form:
        raise UsageError("the states are packed in another way than here")
    return expander


def player_of(verdicts: Numbers) -> Numbers:
    """The player in turn for each verdict, −1 for nobody."""
    return (verdicts & ((1 << PLAYER_BITS) - 1)) - 1


def outcome_of(verdicts: Numbers) -> Numbers:
    """The number in ``outcomes`` of each verdict, −1 where it is not over."""
    return (verdicts >> PLAYER_BITS) - 1


@dataclass(frozen=True, slots=True)
class Native:
    """Addresses of compiled code for loops that look at one state at a time.

    ``successors(tables, row, states, moves, fires)`` writes the legal moves of the
    state at *row* and the states after them, and where *fires* is not 0 the rules
    that fired. It gives their number, ``FAULTY`` added where a fault stops some
    move, or −1 where only ``expand`` can tell. ``verdict(tables, row)`` gives the
    verdict. Every argument is a 64-bit number. ``legal`` of the source is ``successors``
    without a look at the verdict.
    """

    successors: int
    verdict: int
    tables: int
    most_moves: int
    """No state has more legal moves than this."""
    source: str
    """What the code was compiled from, for whoever compiles it for another machine."""
    numbers: Numbers
    """The tables themselves."""


class TooNarrow(Exception):
    """A state has no room in packed states; who looks at a space begins again on a wider expander.

    ``wider`` makes one, or says why there can be none; ``state`` is the one without room.
    """

    def __init__(self, state: State, wider: Callable[[], Expander | str]) -> None:
        super().__init__("a state has no room in packed states")
        self.state = state
        self.wider = wider


def with_room(
    expander: Expander,
    work: Callable[[Expander], T],
    *,
    wider: Callable[[TooNarrow], Expander] | None = None,
) -> T:
    """What *work* gives on *expander*, begun again on a wider one where a state has no room.

    *wider* chooses that one, if it is to be another than the one that is offered.
    """
    while True:
        try:
            return work(expander)
        except TooNarrow as narrow:
            expander = (wider or offered)(narrow)


def offered(narrow: TooNarrow) -> Expander:
    """The wider expander that *narrow* offers; raises ``UsageError`` if there can be none."""
    with budget.phase(budget.COMPILING):
        made = budget.within_time(narrow.wider, budget.COMPILING)
    if isinstance(made, str):
        raise UsageError(f"states need more room than there can be: {made}") from None
    return made


class Expander(Protocol):
    """A model that runs on many packed states at a time."""

    @property
    def signature(self) -> Signature: ...

    @property
    def words(self) -> int:
        """How many 64-bit words a packed state has."""
        ...

    @property
    def layout(self) -> Layout | None:
        """Where the variables lie in a packed state; ``None`` when rows are only numbers."""
        ...

    @property
    def row_form(self) -> str | None:
        """What rows mean, in full: where it is the same, also in another run, so are the states.

        ``None`` where rows are numbers that mean something in this run only.
        """
        ...

    def in_form(self, form: str, /) -> Expander | None:
        """What makes rows of this *form*, which another run had; ``None`` if it has less room.

        Raises ``UsageError`` if the states of this model never have it.
        """
        ...

    def are_states(self, rows: Rows, /) -> bool:
        """Whether *rows*, which come from elsewhere, are packed states, as far as bits tell."""
        ...

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes that verdicts speak of, found so far."""
        ...

    @property
    def native(self) -> Native | None:
        """The compiled code, if there is any."""
        ...

    @property
    def note(self) -> str:
        """What runs, in a few words."""
        ...

    @property
    def reason(self) -> str | None:
        """The reason why this is no compiled code, if that was tried."""
        ...

    @property
    def rules(self) -> tuple[RuleName, ...]:
        """The rules whose firing can be counted: procedure and label of each."""
        ...

    def expand(self, frontier: Rows) -> Expansion: ...

    def judge(self, states: Rows) -> Numbers:
        """The verdicts on *states*; whether one is stuck only ``expand`` tells."""
        ...

    def fired(self, frontier: Rows) -> Numbers:
        """In how many of the legal moves of *frontier* each of ``rules`` fired."""
        ...

    def broken(self, states: Rows) -> Numbers:
        """The claims of the signature that are broken in each of *states*, as bits by number.

        Of more than ``MOST_CLAIMS`` only the first are told.
        """
        ...

    def faults(self, row: Rows) -> Mapping[Move, Fault]:
        """The moves of one state in which something goes wrong."""
        ...

    def pack(self, state: State) -> Rows: ...

    def unpack(self, row: Rows) -> State: ...

    def move(self, code: int) -> Move: ...

    def twin(self) -> Expander | None:
        """Another expander for another thread; ``None`` when only one can run at a time."""
        ...
