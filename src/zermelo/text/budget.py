"""How much work may be done before anything is explored: counted in steps, and in seconds.

Whoever does work that a document can make long says so with ``spend``. A step is about a quarter of
a microsecond, so a thing that takes longer to look at is several steps. A limit of steps gives
the same answer on every machine; a limit of seconds is what a person asked for. Where no budget is
set, work is free.

Work with steps of its own, as running a system, only looks at the clock now and then. Of each
command a ``Watch`` keeps when it began, and what its time was spent on. How deep work may be
nested is a matter of the ``Stack``.
"""

from __future__ import annotations

import mmap
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from typing import Final, TypeVar

from zermelo.text.errors import SimilarNames, UsageError, ZermeloError, nearest
from zermelo.text.source import Span

T = TypeVar("T")

STEPS: Final = 16_000_000
"""What reading a document and deciding what it leaves open may take."""
STEPS_OF_AN_ANSWER: Final = 8_000_000
"""What may then be said of it at once: an explanation, its readings, its first position."""
STEPS_OF_A_COMMAND: Final = STEPS + STEPS_OF_AN_ANSWER
"""What both may take together: an answer has what reading left over."""
_STEPS_BETWEEN_LOOKS: Final = 2_000
"""After so many steps the clock is looked at again."""
_LOOKS_AT_MEMORY: Final = 16
"""Of so many looks at the clock one is at the memory, too, which takes longer."""
_BESIDE: Final = 256 << 20
"""Bytes that code and its compiler may take beside what is asked for."""
_PAGE: Final = mmap.PAGESIZE
_SECONDS_BETWEEN_LOOKS: Final = 0.05
"""So often whoever waits looks at the clock."""
STARTING: Final = "starting"
READING: Final = "reading"
DECIDING: Final = "deciding"
FINDING_SYMMETRIES: Final = "looking for symmetries"
COMPILING: Final = "compiling"
EXPLORING: Final = "exploring"
SOLVING: Final = "solving"
SEARCHING: Final = "searching"
TRACING: Final = "tracing"
ANSWERING: Final = "answering"
"""What a command spends its time on."""


def now() -> float:
    """The time, in seconds of a clock that nobody sets: the one clock that limits go by."""
    return time.monotonic()


class LimitReached(ZermeloError):
    """No more may be spent on this work: of steps, of time, or of memory.

    What is raised so passes through whoever computes: it says nothing about a document's values.
    """


class OverBudget(LimitReached, UsageError):
    """More steps would be needed than there are, or things are nested too deeply."""

    def __init__(self, what: str, needed: int, allowed: int, span: Span | None = None) -> None:
        needed = _rounded_down(needed)
        super().__init__(
            f"this takes {needed:,} steps or more, the last of them {what}; "
            f"at most {allowed:,} are made before exploring begins"
        )
        self.what = what
        self.needed = needed
        self.allowed = allowed
        self.span = span
        """Where in the document that is which was worked on, if it is known."""


def _rounded_down(steps: int) -> int:
    """*steps* to two digits: more would change with every word of the program.

    >>> _rounded_down(24_033_314), _rounded_down(7)
    (24000000, 7)
    """
    unit: int = 10 ** max(0, len(str(steps)) - 2)
    return steps // unit * unit


class TooDeep(OverBudget):
    """What a document says is nested too deeply to be worked with."""

    def __init__(self, depth: int, span: Span | None) -> None:
        super().__init__("following what is nested", depth, depth, span)
        self.needed = depth
        self.args = (f"what is defined here is nested too deeply: {depth:,} levels do not suffice",)


class OutOfTime(LimitReached):
    """The seconds that were asked for have gone by."""

    def __init__(self, what: str) -> None:
        super().__init__(f"the time was over while {what}")
        self.what = what


class OutOfRoom(LimitReached):
    """The memory that was allowed is taken."""

    def __init__(self, allowed: int) -> None:
        super().__init__(f"{_in_words(allowed)} of memory are not enough for more")
        self.allowed = allowed


def _in_words(size: int) -> str:
    unit, name = (1e6, "MB") if size >= 1e6 else (1e3, "kB")
    return f"{size / unit:,.0f} {name}"


def resident() -> int:
    """The memory that this process has, in bytes; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - asked for often
            return int(file.read().split()[1]) * _PAGE
    except OSError:
        return 0


@dataclass(frozen=True, slots=True)
class Room:
    """How much memory a piece of work may take."""

    allowed: int
    most: int
    """The most that the process may have."""

    def look(self, more: int = 0) -> None:
        """Raise ``OutOfRoom`` if there is none for so many bytes *more*."""
        if resident() + more > self.most:
            raise OutOfRoom(self.allowed)


def room_for(size: int) -> Room:
    """Room for *size* bytes more than there are, beside what a compiler may take meanwhile."""
    return Room(size, resident() + size + _BESIDE)


@dataclass(slots=True)
class Watch:
    """The time of one command: when it began, and what it was spent on."""

    began: float
    phase: str = STARTING
    phases: dict[str, float] = field(default_factory=dict)
    """How many seconds went into each phase that is over."""
    _since: float = 0.0

    def __post_init__(self) -> None:
        self._since = self.began

    @property
    def seconds(self) -> float:
        """How long the command has taken so far."""
        return now() - self.began

    def spent(self) -> dict[str, float]:
        """How many seconds each phase has taken, the one at hand included."""
        here = self.phases.get(self.phase, 0.0) + now() - self._since
        return {**self.phases, self.phase: here}

    def turn_to(self, phase: str) -> str:
        """Begin *phase*; the one before, which may be gone on with."""
        before, at = self.phase, now()
        self.phases[before] = self.phases.get(before, 0.0) + at - self._since
        self.phase, self._since = phase, at
        return ANSWERING if before == STARTING else before


@dataclass(slots=True)
class Budget:
    """What is left to one piece of work."""

    steps: int | None = None
    until: float | None = None
    """When to stop, in the seconds of ``now``."""
    watch: Watch | None = None
    room: Room | None = None
    spent: int = 0
    place: Span | None = None
    """Where in the document the work is."""
    heard: Callable[[], None] | None = None
    """What else is asked at every look; it may raise what ends the work."""
    _next_look: int = 0
    _looks: int = 0

    def spend(self, steps: int, what: str) -> None:
        self.spent += steps
        if self.steps is not None and self.spent > self.steps:
            raise OverBudget(what, self.spent, self.steps, self.place)
        if self.spent >= self._next_look:
            self._next_look = self.spent + _STEPS_BETWEEN_LOOKS
            self.look(what)

    def look(self, what: str) -> None:
        """Raise what says so if the time is over, the memory taken, or the steps are made."""
        if self.steps is not None and self.spent > self.steps:
            raise OverBudget(what, self.spent, self.steps, self.place)
        if self.until is not None and now() > self.until:
            raise OutOfTime(self._doing(what))
        if self.heard is not None:
            self.heard()
        if self.room is not None:
            self._looks += 1
            if not self._looks % _LOOKS_AT_MEMORY:
                self.room.look()

    def _doing(self, what: str) -> str:
        """The phase that the command is in, or else *what* is being done."""
        if self.watch is None or self.watch.phase in {STARTING, ANSWERING}:
            return what
        return self.watch.phase


_CURRENT: Final[ContextVar[Budget | None]] = ContextVar("budget", default=None)


def spend(steps: int, what: str, span: Span | None = None) -> None:
    """Take *steps* from the budget of this work, if it has one.

    *what* is being done, as in "reading names", at the place *span*.

    >>> with budget(steps=10) as left:
    ...     spend(7, "listing the sets")
    >>> left.spent
    7
    """
    current = _CURRENT.get()
    if current is not None:
        current.place = span
        current.spend(steps, what)


class Meter:
    """Counts steps where they are many and small, and takes them from the budget together.

    >>> with budget(steps=5_000) as left:
    ...     meter = Meter("trying the document out")
    ...     for _ in range(600):
    ...         meter.go(3)
    >>> left.spent
    1002
    """

    __slots__ = ("_steps", "_what")

    def __init__(self, what: str) -> None:
        self._steps = 0
        self._what = what

    def go(self, steps: int) -> None:
        """Count *steps*; raises ``LimitReached`` where they are too many."""
        self._steps += steps
        if self._steps > _STEPS_AT_ONCE:
            taken, self._steps = self._steps, 0
            spend(taken, self._what)


_STEPS_AT_ONCE: Final = 1_000


def look(what: str) -> None:
    """Look at the clock of this command, for work whose steps are counted elsewhere."""
    current = _CURRENT.get()
    if current is not None:
        current.look(what)


def reserve(size: int) -> None:
    """See whether there is room for *size* bytes, before they are taken in one go."""
    current = _CURRENT.get()
    if current is not None and current.room is not None:
        current.room.look(size)


def current() -> Budget | None:
    """The budget of this work, if it has one."""
    return _CURRENT.get()


def end() -> float | None:
    """When the time of this work is over, if it ever is."""
    current = _CURRENT.get()
    return None if current is None else current.until


def watch() -> Watch | None:
    """The watch of the command at hand, if it has one."""
    current = _CURRENT.get()
    return None if current is None else current.watch


@contextmanager
def budget(
    *,
    steps: int | None = None,
    until: float | None = None,
    spent: int = 0,
    room: Room | None = None,
    is_last: bool = False,
) -> Iterator[Budget]:
    """A budget for the work in this block, instead of the one around it.

    Its time ends with that of the work around it, or earlier if *until* is earlier; what *is_last*
    tells what was found when the time was over, and ends later. So it is with memory and steps.
    So many steps are *spent* before; what is spent in the block counts for the budget around it
    only when the block is over. Where steps are counted, running out of Python's stack is said as
    ``TooDeep``.
    """
    around = _CURRENT.get()
    made = Budget(steps, until, None if around is None else around.watch, room, spent)
    if around is not None and not is_last:
        if around.until is not None:
            made.until = around.until if until is None else min(until, around.until)
        made.room = made.room or around.room
        made.heard = around.heard
        if around.steps is not None:
            most = max(around.steps - around.spent, 0) + spent
            made.steps = most if steps is None else min(steps, most)
    token = _CURRENT.set(made)
    try:
        yield made
    except RecursionError:
        if made.steps is None:
            raise
        raise TooDeep(sys.getrecursionlimit(), made.place) from None
    finally:
        _CURRENT.reset(token)
        if around is not None:
            around.spent += made.spent - spent


def steps_of_an_answer() -> int:
    """How many steps an answer may take that needs more than others: what reading left over."""
    current = _CURRENT.get()
    spent = 0 if current is None else current.spent
    return max(STEPS_OF_AN_ANSWER, STEPS_OF_A_COMMAND - spent)


def left() -> int | None:
    """How many steps are left to this work; ``None`` where they are not limited."""
    current = _CURRENT.get()
    if current is None or current.steps is None:
        return None
    return max(current.steps - current.spent, 0)


def similar(name: str, candidates: Collection[str] | SimilarNames) -> tuple[str, ...]:
    """The *candidates* that may have been meant by *name*, nearest first, for so many steps."""
    if isinstance(candidates, SimilarNames):
        before = candidates.steps
        found = candidates.nearest(name)
        spend(candidates.steps - before, "looking for similar names")
        return found
    spend(_STEPS_TO_COMPARE * len(candidates), "looking for similar names")
    return nearest(name, candidates)


_STEPS_TO_COMPARE: Final = 6


STEPS_TO_LIST: Final = 2_000_000
"""What it may take to list the moves of one state where somebody waits for an answer."""
_LISTING: Final[ContextVar[int | None]] = ContextVar("listing", default=None)


@contextmanager
def listing_within(steps: int | None = STEPS_TO_LIST) -> Iterator[None]:
    """Let the moves of each state be listed for so many *steps* in this block; ``None``: for any.

    Where they take more they are not listed, and that is said: who types a move waits only for
    that one.
    """
    token = _LISTING.set(steps)
    try:
        yield
    finally:
        _LISTING.reset(token)


def long_list(most: int) -> str:
    """Why moves are not listed that take more than *most* steps."""
    return f"to try them takes more than {most:,} steps"


def most_to_list() -> int | None:
    """How many steps it may take to list the moves of a state; ``None`` where all are wanted."""
    return _LISTING.get()


@contextmanager
def timed(began: float | None = None) -> Iterator[Budget]:
    """A watch for the work in this block, which is a command of its own; its time has no end yet.

    >>> with timed(now() - 5) as left:
    ...     left.until = now() - 1
    ...     look("reading")
    Traceback (most recent call last):
    zermelo.text.budget.OutOfTime: the time was over while reading
    """
    around = _CURRENT.get()
    made = Budget(watch=Watch(now() if began is None else began))
    token = _CURRENT.set(made)
    try:
        yield made
    finally:
        _CURRENT.reset(token)
        if around is not None:
            around.spent += made.spent


@contextmanager
def phase(name: str) -> Iterator[None]:
    """The work in this block is *name*, as it is called where the time of a command is told.

    >>> with timed(), phase("reading"):
    ...     watch().phase
    'reading'
    """
    kept = watch()
    if kept is None:
        yield
        return
    before = kept.turn_to(name)
    try:
        yield
    finally:
        kept.turn_to(before)


def within_time(work: Callable[[], T], what: str) -> T:
    """What *work* gives; nobody waits for it longer than the time of the command allows.

    It runs in a thread where there is a limit, as what cannot be interrupted, such as a compiler,
    would not see that the time is over. Left alone, it comes to its end at its next ``look``.
    """
    current = _CURRENT.get()
    if current is None or current.until is None:
        return work()
    current.look(what)
    worker, answer = _in_thread(work, what)
    while worker.is_alive():
        worker.join(_SECONDS_BETWEEN_LOOKS)
        if worker.is_alive():
            current.look(what)
    return answer()


def _in_thread(work: Callable[[], T], name: str) -> tuple[threading.Thread, Callable[[], T]]:
    """A thread that does *work*, and what gives its answer, or raises its fault, once it is over.

    It raises ``RuntimeError`` where the system has no more threads.
    """
    made: list[T] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            made.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            raised.append(error)

    def answer() -> T:
        if raised:
            raise raised[0]
        return made[0]

    worker = threading.Thread(target=copy_context().run, args=(run,), name=name, daemon=True)
    worker.start()
    return worker, answer


class Stack:
    """How deep one evaluation is nested, and where this thread's stack ends for it.

    Python has one limit for the depth of calls, which holds in all threads: who raises it lets
    the others overflow their stacks, and who lowers it stops them. So nobody moves it. What is
    nested deeper goes on in a new thread, which has a stack of its own, while this one waits.

    >>> stack = Stack()
    >>> stack.begin()
    >>> def total(number):
    ...     return number and number + stack.deeper(4, lambda: total(number - 1))
    >>> total(5_000)
    12502500
    """

    __slots__ = ("end", "used")

    def __init__(self) -> None:
        self.used = 0
        """About how many of Python's calls wait for each other; whoever calls counts its own."""
        self.end = _CALLS_UNTOLD
        """Where another thread is needed."""

    def begin(self) -> None:
        """Count from 0, in the thread at hand."""
        self.used = 0
        self.end = sys.getrecursionlimit() - _calls_here() - _SPARE_CALLS

    def deeper(self, calls: int, work: Callable[[], T]) -> T:
        """What *work* gives, which takes so many *calls* before anybody goes deeper again."""
        self.used += calls
        try:
            return work() if self.used <= self.end else self.beyond(calls, work)
        finally:
            self.used -= calls

    def beyond(self, calls: int, work: Callable[[], T]) -> T:
        """What *work* gives in a thread of its own, where its *calls* are counted already.

        It raises ``RecursionError`` where so much waits already that there is no end in sight.
        """
        if self.used > MOST_CALLS:
            raise RecursionError
        spend(_STEPS_OF_A_THREAD, "following what is nested")
        end = self.end
        self.end = self.used - calls + max(sys.getrecursionlimit() - _SPARE_CALLS, calls)
        try:
            return self._go_on(work)
        finally:
            self.end = end

    def _go_on(self, work: Callable[[], T]) -> T:
        try:
            worker, answer = _in_thread(work, "deep recursion")
        except RuntimeError:  # The system has no more threads.
            raise RecursionError from None
        try:
            worker.join()
        except BaseException:
            # Somebody interrupts: let the work come to its end where it would go deeper.
            self.used += 2 * MOST_CALLS
            raise
        return answer()


MOST_CALLS: Final = 250_000
"""So many of Python's calls may wait for each other in one evaluation."""
_SPARE_CALLS: Final = 250
"""Calls in each thread that nobody counts: of what is asked on the way, and does not go deeper."""
_STEPS_OF_A_THREAD: Final = 1_000
_CALLS_UNTOLD: Final = 400
"""Calls for which there is room in any thread, as long as nobody has looked."""
_CALLS_AT_ONCE: Final = 100


def _calls_here() -> int:
    """About how many calls wait for each other in this thread; no fewer."""
    calls = _CALLS_AT_ONCE
    while True:
        try:
            sys._getframe(calls)  # noqa: SLF001 - nothing else tells it without listing them
        except ValueError:
            return calls
        calls += _CALLS_AT_ONCE
