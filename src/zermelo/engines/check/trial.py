"""The open readings of a document, tried by playing them.

Comes in the readings of a system and a way to build a machine for any choice of
them; goes out which choices are taken, and why, and the table of all of them.
Flags are settled first, for each order of the rules; then the order; then the
rest, of which a default is left only when it cannot be played and another can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from zermelo.core import path
from zermelo.core.machine import Machine, Move
from zermelo.engines.check.difference import Difference, first_difference
from zermelo.engines.check.observe import NORMAL, SEEKING, Effort, Observation, observe
from zermelo.languages.sections.ir import Order, Reading
from zermelo.languages.sections.judge import Verdict, flags_seen, judge, seen_changing

Build: TypeAlias = Callable[[Mapping[str, str]], Machine | None]
"""The machine for a choice of readings; ``None`` when there is none."""

ORDER: Final = "order"
FLAG: Final = "flag "
FRESH: Final = "fresh"
KEPT: Final = "kept"
END: Final = "end"
STUCK: Final = "stuck player"
BY_DEFAULT: Final = "default"

_ORDERS: Final = tuple(order.value for order in Order)
# Who is called what changes no play.
_ABOUT_NAMES: Final = ("players", "result ")
# What being stuck means is for people to say: a play that ends sooner is no evidence.
_NOT_TRIED: Final = (STUCK, *_ABOUT_NAMES)


_ALIKE: Final = "no play that was tried tells it from the one taken"


@dataclass(frozen=True, slots=True)
class Row:
    """One choice of readings, and what playing says of it."""

    choices: Mapping[str, str]
    playable: bool
    why: tuple[str, ...]
    """Sentences with their evidence."""
    taken: bool
    play: tuple[Move, ...] | None
    """The shortest play that shows why, or the shortest to an end."""
    difference: Difference | None
    """Where it first differs from what is taken; ``None`` if that was not seen."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What playing decides."""

    choices: Mapping[str, str]
    """The choice for each reading that was open and tried."""
    reasons: Mapping[str, str]
    """Why, for each of them."""
    verdict: Verdict | None
    """What playing says of the machine that is taken; ``None`` when nothing was tried."""
    against: Mapping[str, Verdict]
    """What it says of each order of the rules that was tried."""
    seen: Observation | None = field(repr=False, compare=False)
    """What was seen of the machine that is taken."""


NOTHING_OPEN: Final = Settlement({}, {}, None, {}, None)


def is_open(reading: Reading) -> bool:
    """Whether nobody has decided *reading* and playing may."""
    return (
        reading.decided_by == BY_DEFAULT
        and len(reading.choices) > 1
        and not reading.name.startswith(_NOT_TRIED)
    )


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A choice of order and flags with what playing says of it."""

    order: str | None
    choices: Mapping[str, str]
    flags: frozenset[str]
    changing: frozenset[str]
    """The variables that were seen to change."""
    verdict: Verdict


class Trials:
    """The readings of one document on trial; what was seen once is not played again."""

    def __init__(self, build: Build, *, effort: Effort = NORMAL) -> None:
        self._build = build
        self._effort = effort
        self._machines: dict[tuple[tuple[str, str], ...], Machine | None] = {}
        self._seen: dict[tuple[tuple[str, str], ...], Observation] = {}

    def settle(self, readings: Sequence[Reading]) -> Settlement:
        """The choices for the open ones among *readings*, found by playing."""
        tried = [reading for reading in readings if is_open(reading)]
        flags = [reading.name for reading in tried if reading.name.startswith(FLAG)]
        order = next((reading for reading in tried if reading.name == ORDER), None)
        candidates = self._candidates(order, flags) if tried else []
        if not candidates:
            return NOTHING_OPEN
        best = _best(candidates)
        against = {each.order: each.verdict for each in candidates if each.order is not None}
        choices = dict(best.choices)
        reasons = _flag_reasons(best, flags)
        if best.order is not None:
            reasons[ORDER] = _order_reason(best, candidates)
        verdict = best.verdict
        if not verdict.is_playable:
            verdict = self._settle_rest(tried, choices, reasons, best=best)
        return Settlement(choices, reasons, verdict, against, self._seen.get(_key(choices)))

    def rows(self, readings: Sequence[Reading]) -> Iterator[Row]:
        """Every order with its flags fresh and kept, and each other choice on its own.

        The choices of *readings* are the ones that are taken; one row is about them.
        """
        taken = {reading.name: reading.choice for reading in readings if _is_base(reading)}
        all_taken = {reading.name: reading.choice for reading in readings}
        machine = self.machine(taken)
        if machine is None:
            return
        seen = self._observation(taken, machine)
        for choices in _combinations(readings, taken, has_stuck=bool(seen.stuck)):
            is_taken = choices.items() <= all_taken.items()
            row = self._row(choices, taken, machine=machine, is_taken=is_taken)
            if row is not None:
                yield row

    def _candidates(self, order: Reading | None, flags: Sequence[str]) -> list[_Candidate]:
        """Each order with its flags, until one has nothing against it: none can be better."""
        found: list[_Candidate] = []
        for choice in _preferred(order):
            candidate = self._with_flags(choice, flags)
            if candidate is None:
                continue
            found.append(candidate)
            if candidate.verdict.rank() == (0, 0, 0):
                break
        return found

    def _row(
        self,
        choices: Mapping[str, str],
        taken: Mapping[str, str],
        *,
        machine: Machine,
        is_taken: bool,
    ) -> Row | None:
        varied = taken if is_taken else {**taken, **choices}
        other = self.machine(varied)
        if other is None:
            return None
        verdict = self._judge(varied, other, flags=_fresh(taken))
        difference = None if is_taken else first_difference(machine, other)
        is_alike = () if is_taken or difference is not None else (_ALIKE,)
        return Row(
            choices=choices,
            playable=verdict.is_playable,
            why=(*_why(verdict), *is_alike),
            taken=is_taken,
            play=_shown_play(verdict),
            difference=difference,
        )

    def _with_flags(self, order: str | None, names: Sequence[str]) -> _Candidate | None:
        """What playing says of *order* when the flags seen under it are fresh."""
        base = {} if order is None else {ORDER: order}
        kept = {**base, **dict.fromkeys(names, KEPT)}
        machine = self.machine(kept)
        if machine is None:
            return None
        seen = self._observation(kept, machine)
        variables = [name.removeprefix(FLAG) for name in names]
        flags = flags_seen(seen, variables, initial=machine.initial)
        choices = {**kept, **{f"{FLAG}{name}": FRESH for name in flags}}
        fresh = self.machine(choices)
        if fresh is None:
            return None
        verdict = self._judge(choices, fresh, flags=flags)
        return _Candidate(order, choices, flags, seen_changing(seen), verdict)

    def _settle_rest(
        self,
        tried: Sequence[Reading],
        choices: dict[str, str],
        reasons: dict[str, str],
        *,
        best: _Candidate,
    ) -> Verdict:
        """Leave defaults that cannot be played, one reading at a time."""
        verdict = best.verdict
        # When play ends is the last thing to change: another reading says more about the cause.
        for reading in sorted(tried, key=lambda each: each.name == END):
            if reading.name in choices:
                continue
            for choice in reading.choices:
                varied = {**choices, reading.name: choice}
                machine = self.machine(varied) if choice != reading.choice else None
                if machine is None:
                    continue
                other = self._judge(varied, machine, flags=best.flags)
                if other.rank() < verdict.rank() and other.is_playable:
                    choices[reading.name] = choice
                    reasons[reading.name] = f"with `{reading.choice}` {_first_reason(verdict)}"
                    return other
        return verdict

    def machine(self, choices: Mapping[str, str]) -> Machine | None:
        """The machine for *choices*; ``None`` when there is none."""
        key = _key(choices)
        if key not in self._machines:
            self._machines[key] = self._build(choices)
        return self._machines[key]

    def _observation(self, choices: Mapping[str, str], machine: Machine) -> Observation:
        key = _key(choices)
        if key not in self._seen:
            self._seen[key] = observe(machine, effort=self._effort)
        return self._seen[key]

    def _judge(
        self, choices: Mapping[str, str], machine: Machine, *, flags: frozenset[str]
    ) -> Verdict:
        # What inputs do to flags hangs on the order, and hardly on anything else.
        base = {name: text for name, text in choices.items() if name.startswith((ORDER, FLAG))}
        kept = {**base, **{f"{FLAG}{name}": KEPT for name in flags}}
        with_kept = self.machine(kept)
        seen_kept = None if with_kept is None else self._observation(kept, with_kept)
        seen = self._observation(choices, machine)
        verdict = judge(machine, flags=flags, seen=seen, kept=seen_kept)
        if verdict.lacks_only_an_end:
            seen = self._seen[_key(choices)] = observe(machine, effort=SEEKING)
            verdict = judge(machine, flags=flags, seen=seen, kept=seen_kept)
        return verdict


def _best(candidates: Sequence[_Candidate]) -> _Candidate:
    """The one to take: of those that are playable the one with least against it.

    If none is, what is against each says little about the others: the first one in
    which anybody can move is taken, for want of a better.
    """
    if any(each.verdict.is_playable for each in candidates):
        return min(candidates, key=lambda each: each.verdict.rank())
    return min(candidates, key=lambda each: not each.verdict.has_moves)


def _preferred(order: Reading | None) -> tuple[str | None, ...]:
    if order is None:
        return (None,)
    known = [choice for choice in _ORDERS if choice in order.choices]
    return (*known, *(choice for choice in order.choices if choice not in known))


def _is_base(reading: Reading) -> bool:
    """Whether the choice of *reading* is made for every row of the table."""
    return reading.name == ORDER or reading.name.startswith(FLAG) or reading.decided_by == "play"


def _combinations(
    readings: Sequence[Reading], taken: Mapping[str, str], *, has_stuck: bool
) -> Iterator[Mapping[str, str]]:
    """The choices that are shown in the table; exactly one of them is the one taken."""
    order = next((reading for reading in readings if reading.name == ORDER), None)
    fresh = [name for name, choice in taken.items() if choice == FRESH and name.startswith(FLAG)]
    for choice in _preferred(order):
        base = {} if choice is None else {ORDER: choice}
        if fresh:
            yield {**base, **dict.fromkeys(fresh, FRESH)}
            yield {**base, **dict.fromkeys(fresh, KEPT)}
        elif base:
            yield base
    others = [reading for reading in readings if _has_rows(reading, has_stuck=has_stuck)]
    if order is None and not fresh and others:
        yield {reading.name: reading.choice for reading in others}
    for reading in others:
        for choice in reading.choices:
            if choice != reading.choice:
                yield {reading.name: choice}


def _has_rows(reading: Reading, *, has_stuck: bool) -> bool:
    """Whether the choices of a reading, other than the order and the flags, are told apart."""
    if reading.name == ORDER or reading.name.startswith((FLAG, *_ABOUT_NAMES)):
        return False
    return reading.name != STUCK or has_stuck


def _key(choices: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(choices.items()))


def _fresh(choices: Mapping[str, str]) -> frozenset[str]:
    return frozenset(
        name.removeprefix(FLAG)
        for name, choice in choices.items()
        if name.startswith(FLAG) and choice == FRESH
    )


def _why(verdict: Verdict) -> tuple[str, ...]:
    if verdict.reasons:
        return tuple(map(str, (*verdict.reasons, *verdict.marks)))
    said = "no conflict, and everybody moves"
    if verdict.shortest is not None:
        said = f"no conflict, everybody moves, and an end is reached after {_length(verdict)}"
    return (said, *map(str, verdict.marks))


def _length(verdict: Verdict) -> str:
    return path.number_of(verdict.shortest or ())


def _shown_play(verdict: Verdict) -> tuple[Move, ...] | None:
    shown = (reason.play for reason in verdict.reasons if reason.play is not None)
    return next(shown, verdict.shortest)


def _first_reason(verdict: Verdict) -> str:
    return str(verdict.reasons[0]) if verdict.reasons else "nothing speaks against it"


def _flag_reasons(best: _Candidate, names: Iterable[str]) -> dict[str, str]:
    return {name: _flag_reason(best, name.removeprefix(FLAG)) for name in names}


def _flag_reason(best: _Candidate, variable: str) -> str:
    if variable in best.flags:
        return (
            "it is back at its initial value after every turn that changes anything else, "
            "so it only guides the rules of one turn"
        )
    if variable in best.changing:
        return "it is not back at its initial value after every turn that changes anything else"
    return "it was never seen to change"


def _order_reason(best: _Candidate, candidates: Sequence[_Candidate]) -> str:
    earlier = candidates[: candidates.index(best)]
    if not best.verdict.is_playable:
        return f"no order makes the document playable; here {_first_reason(best.verdict)}"
    if earlier:
        return "; ".join(
            f"`{each.order}` is not playable: {_first_reason(each.verdict)}"
            if each.verdict.reasons
            else f"`{each.order}` has more against it: "
            + ", ".join(mark.text for mark in each.verdict.marks)
            for each in earlier
        )
    return "the first order that is playable: no conflict, everybody moves, and an end is reached"
