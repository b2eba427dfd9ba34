"""The open readings of a document, tried by playing them.

Flags are settled first, for each order of the rules; then the order; then the rest, of
which a default is left only when it cannot be played and another can.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from zermelo.core.language import Draft
from zermelo.core.limits import Limits
from zermelo.core.machine import Ending, Machine, Outcome
from zermelo.core.observation import (
    UNSEEN,
    Difference,
    Objection,
    Observation,
    Settlement,
    Verdict,
)
from zermelo.core.signature import (
    BY_CASES,
    BY_DEFAULT,
    END,
    FLAG,
    FRESH,
    KEPT,
    LINES,
    ORDER,
    SIDES,
    STUCK,
    Reading,
)
from zermelo.core.state import Move, State, number_of
from zermelo.core.values import Value, to_text
from zermelo.engines.check.observe import NORMAL, PATIENT, PLAYING, SEEKING, NearStates, observe
from zermelo.text import budget
from zermelo.text.diagnostic import Json
from zermelo.text.errors import UsageError
from zermelo.text.prose import listing

# Who is called what changes no play.
_ABOUT_NAMES: Final = ("players", "result ")

# What being stuck means is for people to say: a play that ends sooner is no evidence.
_NOT_TRIED: Final = (STUCK, *_ABOUT_NAMES)


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


NOTHING_OPEN: Final = Settlement({}, {}, None, {}, None)


def is_open(reading: Reading) -> bool:
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
    verdict: Verdict


class Trials:
    """The readings of one document on trial; what was seen once is not played again."""

    def __init__(self, draft: Draft | None, again: Callable[[], Trials] | None = None) -> None:
        """Try *draft*; where that was settled without these trials, *again* makes others of it."""
        self._open_draft = draft
        self._again = again
        self._machines: dict[tuple[tuple[str, str], ...], Machine | None] = {}
        self._seen: dict[tuple[tuple[str, str], ...], Observation] = {}
        self._patiently: set[tuple[tuple[str, str], ...]] = set()

    @property
    def _draft(self) -> Draft:
        if self._open_draft is None:
            raise UsageError("this document leaves nothing open that could be tried")
        return self._open_draft

    def played(self) -> Trials:
        """Trials that have settled the document: these, or else others made again."""
        return self if self._again is None else self._again()

    def settle(self, readings: Sequence[Reading]) -> Settlement:
        """The choices for the open ones among *readings*, found by playing."""
        self._again = None
        tried = [reading for reading in readings if is_open(reading)]
        flags = [reading.name for reading in tried if reading.name.startswith(FLAG)]
        order = next((reading for reading in tried if reading.name == ORDER), None)
        candidates = self._candidates(order, flags) if tried else []
        if not candidates:
            return NOTHING_OPEN
        if any(each.verdict.is_playable for each in candidates):
            best = min(candidates, key=lambda each: each.verdict.rank())
        else:
            # What is against each says little about the others: the first one in which anybody
            # can move is taken, for want of a better.
            best = min(candidates, key=lambda each: not each.verdict.has_moves)
        against = {each.order: each.verdict for each in candidates if each.order is not None}
        choices = dict(best.choices)
        reasons = {name: _flag_reason(best, name.removeprefix(FLAG)) for name in flags}
        if best.order is not None:
            reasons[ORDER] = _order_reason(best, candidates)
        verdict = best.verdict
        if not verdict.is_playable:
            verdict = self._settle_rest(tried, choices, reasons, best=best)
        compared = [each for each in tried if each.name.startswith((LINES, SIDES))]
        verdict, undecided = self._compared(compared, choices, reasons, verdict, best=best)
        seen = self._seen.get(_key(choices))
        turns = None if seen is None else seen.turns
        return Settlement(choices, reasons, verdict, against, turns, undecided)

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
            if choice == BY_CASES and not _is_in_doubt(found):
                continue
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
        difference = None if is_taken else first_difference(machine, other)
        # Where no play tells two of them apart, playing says the same of both.
        is_like = not is_taken and difference is None
        judged, seen = (taken, machine) if is_like else (varied, other)
        verdict = self._judge(judged, seen, flags=_fresh(taken))
        why = _why(verdict)
        if is_like:
            why = (*why, "no play that was tried tells it from the one taken")
        shown = (reason.play for reason in verdict.reasons if reason.play is not None)
        return Row(
            choices=choices,
            playable=verdict.is_playable,
            why=why,
            taken=is_taken,
            play=next(shown, verdict.shortest),
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
        flags = self._draft.flags_seen(seen, variables, initial=machine.initial)
        choices = {**kept, **{f"{FLAG}{name}": FRESH for name in flags}}
        fresh = self.machine(choices)
        if fresh is None:
            return None
        verdict = self._judge(choices, fresh, flags=flags)
        return _Candidate(order, choices, flags, self._draft.seen_changing(seen), verdict)

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

    def _compared(
        self,
        readings: Sequence[Reading],
        choices: dict[str, str],
        reasons: dict[str, str],
        verdict: Verdict,
        *,
        best: _Candidate,
    ) -> tuple[Verdict, Mapping[str, tuple[str, Difference]]]:
        """Take the best choice of each of *readings*; say where another is as good."""
        undecided: dict[str, tuple[str, Difference]] = {}
        for reading in readings:
            rivals = [] if reading.name in choices else self._rivals(reading, choices, best=best)
            if not rivals:
                continue
            other_choice, judged, difference = min(rivals, key=lambda each: each[1].rank())
            if judged.rank() == verdict.rank():
                undecided[reading.name] = other_choice, difference
            elif judged.rank() < verdict.rank():
                choices[reading.name] = other_choice
                reasons[reading.name] = f"with `{reading.choice}` {_most_against(verdict)}"
                verdict = judged
            else:
                choices[reading.name] = reading.choice
                reasons[reading.name] = f"with `{other_choice}` {_most_against(judged)}"
        return verdict, undecided

    def _rivals(
        self, reading: Reading, choices: Mapping[str, str], *, best: _Candidate
    ) -> list[tuple[str, Verdict, Difference]]:
        """The other choices of *reading* that a play tells from the usual one, each judged."""
        taken = self.machine(choices)
        found: list[tuple[str, Verdict, Difference]] = []
        for choice in reading.choices if taken is not None else ():
            varied = {**choices, reading.name: choice}
            other = self.machine(varied) if choice != reading.choice else None
            difference = None if taken is None or other is None else first_difference(taken, other)
            if other is not None and difference is not None:
                found.append((choice, self._judge(varied, other, flags=best.flags), difference))
        return found

    def machine(self, choices: Mapping[str, str]) -> Machine | None:
        key = _key(choices)
        if key not in self._machines:
            draft = self._open_draft
            self._machines[key] = None if draft is None else draft.machine(choices)
        return self._machines[key]

    def _observation(self, choices: Mapping[str, str], machine: Machine) -> Observation:
        key = _key(choices)
        if key not in self._seen:
            self._seen[key] = observe(machine, effort=NORMAL)
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
        verdict = self._draft.judge(machine, flags=flags, seen=seen, kept=seen_kept)
        if verdict.lacks_only_an_end:
            seen = self._seen[_key(choices)] = observe(machine, effort=SEEKING)
            verdict = self._draft.judge(machine, flags=flags, seen=seen, kept=seen_kept)
        elif verdict.misses_something and not seen.is_complete:
            if _key(choices) not in self._patiently:
                self._patiently.add(_key(choices))
                seen = self._seen[_key(choices)] = observe(machine, effort=PATIENT)
            verdict = self._draft.judge(machine, flags=flags, seen=seen, kept=seen_kept)
        return verdict


def _is_in_doubt(found: Sequence[_Candidate]) -> bool:
    """Whether something was seen to be wrong with the best order, and not only missed.

    What inputs do to flags is the same by cases.
    """
    best = min((each.verdict for each in found), key=Verdict.rank, default=None)
    if best is None or not best.is_playable:
        return True
    return any(mark.kind not in {*UNSEEN, Objection.ONLY_FLAGS} for mark in best.marks)


def _preferred(order: Reading | None) -> tuple[str | None, ...]:
    return (None,) if order is None else order.choices


def _is_base(reading: Reading) -> bool:
    """Whether the choice of *reading* is made for every row of the table."""
    return reading.name == ORDER or reading.name.startswith(FLAG) or reading.decided_by == "play"


def _combinations(
    readings: Sequence[Reading], taken: Mapping[str, str], *, has_stuck: bool
) -> Iterator[Mapping[str, str]]:
    order = next((reading for reading in readings if reading.name == ORDER), None)
    fresh = [name for name, choice in taken.items() if choice == FRESH and name.startswith(FLAG)]
    for choice in _preferred(order):
        base = {} if choice is None else {ORDER: choice}
        if fresh:
            yield {**base, **dict.fromkeys(fresh, FRESH)}
            yield {**base, **dict.fromkeys(fresh, KEPT)}
        elif base:
            yield base
    others = [
        reading
        for reading in readings
        if reading.name != ORDER
        and not reading.name.startswith((FLAG, *_ABOUT_NAMES))
        and (has_stuck or reading.name != STUCK)
    ]
    if order is None and not fresh and others:
        yield {reading.name: reading.choice for reading in others}
    for reading in others:
        for choice in reading.choices:
            if choice != reading.choice:
                yield {reading.name: choice}


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
    after = "" if verdict.shortest is None else f" after {number_of(verdict.shortest)}"
    return (f"{_in_favour(verdict)}{after}", *map(str, verdict.marks))


def _in_favour(verdict: Verdict) -> str:
    if not verdict.is_played:
        return "no conflict was seen"
    if verdict.shortest is None:
        return "no conflict, and everybody moves"
    return "no conflict, everybody moves, and an end is reached"


def _first_reason(verdict: Verdict) -> str:
    return str(verdict.reasons[0]) if verdict.reasons else "nothing speaks against it"


def _most_against(verdict: Verdict) -> str:
    points = (*verdict.reasons, *sorted(verdict.marks, key=lambda mark: -mark.weight))
    return str(points[0]) if points else "nothing speaks against it"


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
        told: dict[tuple[bool, str], list[str]] = {}
        for each in earlier:
            marks = ", ".join(mark.text for mark in each.verdict.marks)
            what = _first_reason(each.verdict) if each.verdict.reasons else marks
            told.setdefault((each.verdict.is_playable, what), []).append(f"`{each.order}`")
        return "; ".join(
            f"{listing(orders)} {_against_words(len(orders), is_playable=is_playable)}: {what}"
            for (is_playable, what), orders in told.items()
        )
    return f"the first order that is playable: {_in_favour(best.verdict)}"


def _against_words(count: int, *, is_playable: bool) -> str:
    if is_playable:
        return "has more against it" if count == 1 else "have more against them"
    return "is not playable" if count == 1 else "are not playable"


def row_json(row: Row) -> dict[str, Json]:
    difference = row.difference
    return {
        "choices": dict(row.choices),
        "playable": row.playable,
        "why": list(row.why),
        "taken": row.taken,
        "play": None if row.play is None else [str(move) for move in row.play],
        "difference": None
        if difference is None
        else {
            "play": [str(move) for move in difference.play],
            "taken": difference.taken,
            "other": difference.other,
            "shortest": difference.is_shortest,
        },
    }


Pair: TypeAlias = tuple[State, State]

_SEED: Final = 1908
_LIMITS: Final = Limits(states=200, moves=400)
_PLAYS: Final = 2
_LENGTH: Final = 60
_TRIES: Final = 600


def first_difference(taken: Machine, other: Machine) -> Difference | None:
    """The first play after which *other* differs from *taken*; ``None`` if none was seen."""
    step = _LockStep(taken, other)
    start = (taken.initial, other.initial)
    if parted := step.parted(start):
        return Difference((), parted.taken, parted.other, is_shortest=True)
    near = NearStates(start, step.follow, limits=_LIMITS)
    near.reach()
    budget.look(PLAYING)
    if step.found is not None:
        pair, parted = step.found
        play = (*near.play(pair), *parted.moves)
        return Difference(play, parted.taken, parted.other, is_shortest=True)
    return None if near.is_complete else _deep_difference(step, start)


def _deep_difference(step: _LockStep, start: Pair) -> Difference | None:
    source = random.Random(_SEED)
    tries = 0
    for _ in range(_PLAYS):
        pair = start
        play: tuple[Move, ...] = ()
        while len(play) < _LENGTH and tries < _TRIES:
            moves = step.shared(pair)
            tries += len(moves)
            parted = step.parted_here(pair)
            if parted is None and moves:
                move = moves[source.randrange(len(moves))]
                pair, play = step.after(pair, move), (*play, move)
                parted = step.parted(pair)
            elif parted is None:
                break
            if parted is not None:
                return Difference(
                    (*play, *parted.moves), parted.taken, parted.other, is_shortest=False
                )
    return None


@dataclass(frozen=True, slots=True)
class _Parted:
    taken: str
    other: str
    moves: tuple[Move, ...] = ()


class _LockStep:
    def __init__(self, taken: Machine, other: Machine) -> None:
        self.found: tuple[Pair, _Parted] | None = None
        """Where they first part, as soon as ``follow`` has come there."""
        self._taken = taken
        self._other = other

    def follow(self, pair: Pair) -> Iterator[tuple[Move, Pair]]:
        """Each move that both have, with the states after it, until they part."""
        if self.found is not None:
            return
        for move in self.shared(pair):
            after = self.after(pair, move)
            if parted := self.parted(after):
                self.found = pair, _Parted(parted.taken, parted.other, (move,))
                return
            yield move, after
        if parted := self.parted_here(pair):
            self.found = pair, parted

    def shared(self, pair: Pair) -> tuple[Move, ...]:
        others = set(self._other.legal(pair[1]))
        return tuple(move for move in self._taken.legal(pair[0]) if move in others)

    def after(self, pair: Pair, move: Move) -> Pair:
        return self._taken.after(pair[0], move), self._other.after(pair[1], move)

    def parted(self, pair: Pair) -> _Parted | None:
        """How the two states of *pair* differ, as far as that is seen without making moves."""
        first, second = pair
        names = [
            name for name, value in first.items() if name in second.names and value != second[name]
        ]
        if names:
            return _Parted(_values(first, names), _values(second, names))
        if self._taken.is_over(first) or self._other.is_over(second):
            return self._outcomes_parted(pair)
        return None

    def parted_here(self, pair: Pair) -> _Parted | None:
        """How the two states of *pair* differ in the moves that are legal."""
        legal, others = self._taken.legal(pair[0]), self._other.legal(pair[1])
        if not (legal and others) and (parted := self._outcomes_parted(pair)):
            return parted
        if missing := next((move for move in legal if move not in set(others)), None):
            return _Parted("it is legal", "it has no effect", (missing,))
        if extra := next((move for move in others if move not in set(legal)), None):
            return _Parted("it has no effect", "it is legal", (extra,))
        return None

    def _outcomes_parted(self, pair: Pair) -> _Parted | None:
        taken, other = self._taken.outcome(pair[0]), self._other.outcome(pair[1])
        # Machines of one document may know its players or not; a result says enough.
        if _gist(taken) == _gist(other):
            return None
        return _Parted(_outcome_words(taken), _outcome_words(other))


def _values(state: State, names: list[str]) -> str:
    return ", ".join(f"{name} = {to_text(state[name])}" for name in names)


def _gist(outcome: Outcome | None) -> Value | Ending | None:
    return None if outcome is None else outcome.result or outcome.ending


def _outcome_words(outcome: Outcome | None) -> str:
    if outcome is None:
        return "the play goes on"
    if outcome.ending is Ending.OVER and outcome.result is not None:
        return f"the play is over with the result {to_text(outcome.result)}"
    return str(outcome)
