"""How an LED program is played: what it leaves open, found by playing and never from names."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final

from zermelo.core.machine import DRAWS, LOSES, WINS
from zermelo.core.signature import Reading
from zermelo.core.state import Move, State
from zermelo.core.values import TRUE, Atom, TruthValue, Value
from zermelo.languages.led.ir import Global, Program
from zermelo.languages.led.run.analysis import Dependence
from zermelo.languages.led.run.built_ins import GAME_NAMES
from zermelo.languages.led.run.evaluator import ProgramEvaluator
from zermelo.languages.led.run.frames import (
    TOO_MANY,
    TOO_MANY_KEYS,
    Frames,
    PlayRules,
    display_name,
    written_texts,
)
from zermelo.languages.led.run.inputs import CLICK, KINDS, MOST_HELD, input_of, reached
from zermelo.languages.led.run.result_texts import text_key
from zermelo.languages.led.run.values import Text

INPUTS: Final = "inputs"
REGIONS: Final = "regions"
GRID: Final = "grid"
KEYS: Final = "keys"
KEYS_TOGETHER: Final = "together"
ONE_KEY: Final = "one at a time"
END: Final = "end"
STOPS: Final = "stops the play"
GOES_ON: Final = "goes on"
RESTART: Final = "restart"
CONTROL: Final = "control"
MOVE: Final = "move"
RESULT: Final = "result"
TEXTS: Final = "texts on the screen"
PLAYERS: Final = "players"
NOBODY: Final = "nobody"
ONE_PLAYER: Final = "one player"
USUAL_GRID: Final = 50
_ORDER: Final = (INPUTS, KEYS, END, RESTART, RESULT, PLAYERS)

_NEAR: Final = 40
_PLAYS: Final = 12
_LENGTH: Final = 40
_WORK: Final = 4_000_000
"""Steps of the program that looking at it may take."""
_TURNS: Final = 5_000
_STATES_ASKED: Final = 100
"""In about so many of the states that were seen it is asked which inputs begin anew."""
_MOST_PLAYERS: Final = 8
_MOST_SHOWN: Final = 8
_SEED: Final = 1913


@dataclass(slots=True)
class _Sample:
    """States of a program and the moves between them, as far as they were looked at."""

    states: dict[State, None] = field(default_factory=dict)
    turns: list[tuple[State, Move, State]] = field(default_factory=list)
    has_too_many: bool = False
    has_too_many_keys: bool = False


def find_rules(program: Program, given: Mapping[str, Reading]) -> PlayRules:
    finder = _RuleFinder(program, given)
    finder.keys()
    finder.inputs()
    finder.end()
    finder.restart()
    finder.texts()
    finder.players()
    finder.result()
    finder.early()
    return finder.rules()


class _RuleFinder:
    """Decides what a program leaves open, one choice after the other."""

    def __init__(self, program: Program, given: Mapping[str, Reading]) -> None:
        self._program = program
        self._given = given
        self._evaluator = ProgramEvaluator(program)
        self._readings: list[Reading] = []
        self._rules = PlayRules(stops=False)
        self._over: list[State] = []
        self._play()

    def _play(self) -> None:
        self._frames = Frames(self._program, self._rules, self._evaluator)
        self._sample = _sampled(self._frames)

    def rules(self) -> PlayRules:
        made = {move.name for _, move, _ in self._sample.turns}
        if self._frames.inputs.has_mouse:
            made.add(CLICK)
        kinds = tuple(kind for kind in KINDS if kind in made) or (CLICK,)
        readings = sorted(self._readings, key=lambda each: _ORDER.index(each.name.split()[0]))
        return replace(self._rules, kinds=kinds, readings=tuple(readings))

    def keys(self) -> None:
        """Whether keys are held together; nothing is said where that makes no difference."""
        choice = self._chosen(KEYS)
        if choice is None and self._sample.has_too_many_keys:
            choice = ONE_KEY
            why = f"more than {MOST_HELD} sets of keys are told apart in a state"
            self._take(KEYS, ONE_KEY, (KEYS_TOGETHER, ONE_KEY), why)
        elif choice is None and any(_does_several(move) for _, move, _ in self._sample.turns):
            why = "keys that are held together, or with a click, lead where one at a time does not"
            self._take(KEYS, KEYS_TOGETHER, (KEYS_TOGETHER, ONE_KEY), why)
        if choice == ONE_KEY:
            self._rules = replace(self._rules, are_keys_together=False)
            self._play()

    def inputs(self) -> None:
        choice = self._chosen(INPUTS)
        if choice is None and self._sample.has_too_many:
            choice = f"{GRID} {USUAL_GRID}"
            why = "more inputs are told apart than can be listed"
            self._take(INPUTS, choice, (REGIONS, f"{GRID} N"), why)
        elif choice is None:
            choice = REGIONS
            why = "the screen falls into regions, in each of which the answer is the same"
            self._take(INPUTS, choice, (REGIONS, f"{GRID} N"), why)
        size = grid_size(choice)
        if size is not None:
            self._rules = replace(self._rules, grid=size)
            self._play()

    def end(self) -> None:
        first = self._frames.initial
        back = [s for s in self._sample.states if s != first and self._frames.leads_back(s)]
        choice = self._chosen(END)
        if choice is None:
            choice, why = self._stops(back)
            self._take(END, choice, (STOPS, GOES_ON), why)
        if choice == STOPS:
            self._rules, self._over = replace(self._rules, stops=True), back
        elif choice != GOES_ON:
            self._rules = replace(self._rules, over=choice)
            self._over = [s for s in self._sample.states if self._frames.value(choice, s) is TRUE]

    def _stops(self, back: Sequence[State]) -> tuple[str, str]:
        """Whether play stops where there is only the way back, and what speaks for it."""
        if not back:
            return STOPS, "every state that was seen leads on"
        many = f"{len(back)} of {len(self._sample.states)} states seen"
        if any(not self._frames.effects(state) for state in back):
            return STOPS, f"no input has an effect, or only one that begins anew, in {many}"
        rest = [s for s in self._sample.states if s not in set(back)]
        shown = {text for state in rest for text in self._frames.texts(state)}
        if all(set(self._frames.texts(state)) - shown for state in back) and len(rest) > 1:
            return STOPS, f"only beginning anew has an effect in {many}, which show it"
        onward = [self._frames.effects(s).values() for s in rest if s != self._frames.initial]
        if len(rest) > 1 and all(self._frames.initial in states for states in onward):
            return STOPS, f"only beginning anew, possible at any time, has an effect in {many}"
        return GOES_ON, "the first state is a state like the others"

    def restart(self) -> None:
        """Whether inputs that begin anew are controls of the program, and no moves."""
        if not self._rules.stops and self._rules.over is None:
            return
        choice = self._chosen(RESTART)
        back = {move for _, move, after in self._sample.turns if after == self._frames.initial}
        if choice == MOVE or not back:
            return
        every = max(1, len(self._sample.states) // _STATES_ASKED)
        states = [state.values[0] for state in list(self._sample.states)[::every]]
        first = self._frames.initial.values[0]
        controls = self._frames.inputs.returning([first, *states], first, back)
        if controls and choice is None:
            why = "an input leads to the first state from wherever it has an effect"
            self._take(RESTART, CONTROL, (CONTROL, MOVE), why)
        self._rules = replace(self._rules, controls=controls or None)

    def texts(self) -> None:
        """Which texts are shown while play goes on."""
        rest = self._onward()
        ordinary = frozenset(text for state in rest for text in self._frames.texts(state))
        gauges = frozenset(place for state in rest for place in self._frames.gauges(state))
        self._rules = replace(self._rules, ordinary=ordinary, gauges=gauges)

    def _onward(self) -> list[State]:
        over = set(self._over)
        return [state for state in self._sample.states if state not in over]

    def result(self) -> None:
        """What tells how play ended, and what each text says."""
        choice = self._chosen(RESULT)
        if choice is not None and choice != TEXTS:
            self._rules = replace(self._rules, result=choice)
            return
        judge = Frames(self._program, self._rules, self._evaluator).judge
        verdicts = []
        for name in self._given:
            if name.startswith(f"{RESULT} "):
                said = judge.said(self._chosen(name) or "")
                verdicts += [] if said is None else [(name.removeprefix(f"{RESULT} "), said)]
        self._rules = replace(self._rules, verdicts=tuple(verdicts))
        told = self._told()
        if told and choice is None:
            shown = ", ".join(f"“{text}”" for text in dict.fromkeys(sum(told, ())[:6]))
            why = f"shown where play is over, and only there: {shown}"
            self._take(RESULT, TEXTS, (TEXTS,), why)
        if len(self._rules.players) > 1:
            self._judge(told)

    def early(self) -> None:
        """Texts that tell of an end though none was seen, as where a move can be taken back."""
        if self._over or END in self._given:
            return
        written = set(written_texts(self._program))
        shown = {
            state: [text for text in self._frames.texts(state) if text in written and _ends(text)]
            for state in self._sample.states
        }
        told = dict.fromkeys(text for texts in shown.values() for text in texts)
        if not told or all(shown.values()):
            return
        names = [
            name
            for name in self._rules.shown
            if all((self._frames.value(name, s) is TRUE) == bool(shown[s]) for s in shown)
        ]
        self._rules = replace(self._rules, told_early=tuple(told), may_end=tuple(names))

    def _told(self) -> list[tuple[str, ...]]:
        """What finished states tell, each once."""
        frames = Frames(self._program, self._rules, self._evaluator)
        return list(dict.fromkeys(told for state in self._over if (told := frames.told(state))))

    def _judge(self, told: Sequence[tuple[str, ...]]) -> None:
        """Whether texts name somebody, and which of them do not say who wins."""
        silent = replace(self._rules, names_somebody=False)
        frames = Frames(self._program, silent, self._evaluator)
        verdicts = [frames.verdict(each) for each in told]
        names_somebody = any(each.decides and not each.is_draw for each in verdicts)
        self._rules = replace(self._rules, names_somebody=names_somebody)
        frames = Frames(self._program, self._rules, self._evaluator)
        unsaid = [text for each in told for text in frames.unsaid(each)]
        self._rules = replace(self._rules, unsaid=tuple(dict.fromkeys(unsaid)))

    def players(self) -> None:
        flat = {name: values for name in self._candidates() if (values := self._values(name))}
        self._rules = replace(self._rules, shown=tuple(flat)[:_MOST_SHOWN])
        name = self._chosen(PLAYERS)
        if name is None:
            turning = [name for name, values in flat.items() if self._is_turn(values)]
            name = min(
                turning, key=lambda n: (_suits(flat[n]), self._used(n, turning)), default=None
            )
            if name is not None:
                why = f"`{name}` goes on to its next value with every move that was seen"
                self._take(PLAYERS, name, (name, NOBODY, ONE_PLAYER), why)
        if name == ONE_PLAYER:
            self._rules = replace(self._rules, is_alone=True)
        elif name in flat:
            players = tuple(dict.fromkeys(flat[name].values()))
            names = self._names(players, flat[name])
            self._rules = replace(self._rules, player=name, players=players, names=names)

    def _names(
        self, players: Sequence[Value], turns: Mapping[State, Value]
    ) -> tuple[tuple[str, ...], ...]:
        """What each player is called: by its value, and as the texts of its turns alone do.

        A truth value is no name for anybody, so that a word of those texts goes before it.
        """
        words: dict[Value, list[frozenset[str]]] = {player: [] for player in players}
        for state in self._onward():
            shown = " ".join(self._frames.texts(state))
            words[turns[state]].append(frozenset(text_key(shown).split()))
        names = []
        for player in players:
            theirs = {word for other in players if other != player for word in _union(words[other])}
            seen = words[player]
            own = frozenset.intersection(*seen) - theirs if len(seen) > 1 else frozenset()
            called = [display_name(player)]
            if isinstance(player, TruthValue) and len(own) == 1:
                called.insert(0, *own)
            names.append(tuple(dict.fromkeys((*called, *sorted(own)))))
        return tuple(names)

    def _used(self, name: str, others: Sequence[str]) -> int:
        """How many of the *others* the definition *name* is computed from.

        Who comes next is computed from who moves now, and not the other way round.
        """
        asked = {p.name for p in reached(self._program, name) if isinstance(p, Global)}
        return len(asked & {other for other in others if other != name})

    def _candidates(self) -> list[str]:
        state_only = Dependence(on_state=True)
        return [
            each.name
            for each in self._program.definitions
            if not each.parameters
            and each.name not in GAME_NAMES
            and self._evaluator.dependence(each.name) == state_only
        ]

    def _values(self, name: str) -> dict[State, Value] | None:
        """The value of *name* in each state, if it is a plain one in all of them."""
        values = {}
        for state in self._sample.states:
            value = values[state] = self._frames.value(name, state)
            if not isinstance(value, Atom | int | Fraction | Text | TruthValue):
                return None
        return values

    def _is_turn(self, values: Mapping[State, Value]) -> bool:
        """Whether a definition with these values may say whose turn it is."""
        over = {*self._over, self._frames.initial}
        turns = [(s, t) for s, _, t in self._sample.turns if s not in self._over and t not in over]
        if not 2 <= len(set(values.values())) <= _MOST_PLAYERS or len(turns) < 2:
            return False
        following: dict[Value, Value] = {}
        for before, after in turns:
            if before in values and after in values:
                then = following.setdefault(values[before], values[after])
                if values[after] != then or then == values[before]:
                    return False
        return len(set(following.values())) == len(following)

    def _chosen(self, name: str) -> str | None:
        """What was decided already."""
        reading = self._given.get(name)
        if reading is None:
            return None
        self._readings.append(reading)
        return reading.choice

    def _take(self, name: str, choice: str, choices: tuple[str, ...], reason: str) -> None:
        self._readings.append(Reading(name, choice, choices, reason, "play"))


def _union(sets: Sequence[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*sets)


def _suits(values: Mapping[State, Value]) -> tuple[int, int]:
    """Fewer values suit better, and words better than numbers and truth."""
    found = set(values.values())
    ranks = {Atom: 0, Text: 1, int: 2, Fraction: 2, TruthValue: 3}
    return len(found), max(ranks[type(value)] for value in found)


def _ends(text: str) -> bool:
    """Whether *text* has a word that says how play ended."""
    return not (WINS | LOSES | DRAWS).isdisjoint(text_key(text).split())


def _does_several(move: Move) -> bool:
    """Whether *move* holds several keys, or one in the frame of a click."""
    given = input_of(move)
    return given is not None and len(given.keys) + given.clicked > 1


def grid_size(choice: str) -> int | None:
    """How far apart the points of a grid are.

    >>> grid_size("grid 50"), grid_size("regions")
    (50, None)
    """
    words = choice.split()
    if len(words) != 2 or words[0] != GRID or not words[1].isdecimal():
        return None
    return int(words[1]) if 1 <= int(words[1]) <= 400 else None


def _follow_near(start: State, follow: Callable[[State], list[tuple[Move, State]]]) -> None:
    """Follow the states near *start*, nearest first, until there would be too many."""
    near, known = [start], {start}
    for state in near:
        for _, after in follow(state):
            if after in known:
                continue
            if len(near) == _NEAR:
                return
            near.append(after)
            known.add(after)


def _sampled(frames: Frames) -> _Sample:
    sample = _Sample()

    def follow(state: State) -> list[tuple[Move, State]]:
        steps = list(frames.effects(state).items())
        sample.states[state] = None
        sample.turns += [(state, move, after) for move, after in steps]
        faults = frames.faults(state).values()
        sample.has_too_many |= TOO_MANY in faults
        sample.has_too_many_keys |= TOO_MANY_KEYS in faults
        is_enough = frames.inputs.work > _WORK or len(sample.turns) > _TURNS
        is_beyond = sample.has_too_many or sample.has_too_many_keys
        return [] if is_enough or is_beyond else steps

    _follow_near(frames.initial, follow)
    source = random.Random(_SEED)
    for _ in range(_PLAYS):
        state = frames.initial
        for _ in range(_LENGTH):
            # Beginning anew leads nowhere that is not known.
            onward = [after for _, after in follow(state) if after != frames.initial]
            if not onward:
                break
            state = onward[source.randrange(len(onward))]
    return sample
