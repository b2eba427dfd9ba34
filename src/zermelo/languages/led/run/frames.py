"""The machine of an LED program: a state is what ``newState`` gave, a move is an input.

A state is over when play stops there by the chosen reading: where every input that has
an effect leads back to the beginning, or where a relation of the program says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from zermelo.core.layout import Unpackable
from zermelo.core.machine import LOSES, WINS, Ending, Fault, FaultKind, Outcome, Turn, unlisted
from zermelo.core.signature import MoveKind, MoveParameter, Player, Reading, Signature
from zermelo.core.state import Move, State
from zermelo.core.values import NUMBER, TRUE, UNKNOWN, UNSET, Atom, Type, Value
from zermelo.core.values import to_text as value_text
from zermelo.languages.led.ir import Literal, Program
from zermelo.languages.led.run import pretty
from zermelo.languages.led.run.analysis import pieces
from zermelo.languages.led.run.built_ins import STATE_NAME, Caption
from zermelo.languages.led.run.evaluator import ProgramEvaluator, explained
from zermelo.languages.led.run.inputs import (
    CLICK,
    FRAME,
    HOLD,
    HOVER,
    KEY,
    KEY_CLICK,
    KINDS,
    NEW_STATE,
    Controls,
    Inputs,
    TooManyKeys,
)
from zermelo.languages.led.run.result_texts import Judge, Verdict, text_key
from zermelo.languages.led.run.values import MOST_LEVELS, MOST_PARTS, Erroneous, Text, is_deep, size
from zermelo.text.errors import MoveNotAllowed, MoveNotUnderstood

INITIAL_STATE: Final = "initialState"
IMAGES: Final = "images"
ALONE: Final = "the player"

TOO_MANY: Final = Fault(
    FaultKind.UNLISTED, "more inputs are told apart here than can be listed", "newState"
)
TOO_MANY_KEYS: Final = Fault(
    FaultKind.UNLISTED,
    "more keys held together are told apart here than can be listed",
    "newState",
)

_TOO_DEEP: Final = Fault(
    FaultKind.ENDLESS,
    f"the state grows: more than {MOST_LEVELS:,} sets and tuples would stand in each other",
    "newState",
)
_TOO_LARGE: Final = Fault(
    FaultKind.ENDLESS, f"the state grows: it would have more than {MOST_PARTS:,} parts", "newState"
)
_CACHED_STATES: Final = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayRules:
    """How a program is read as a game: what it leaves open, decided."""

    grid: int | None = None
    """Clicks are tried at points so far apart; ``None`` finds the regions of the screen."""
    stops: bool = True
    """Whether play stops where every input that has an effect leads back to the beginning."""
    over: str | None = None
    """A relation that says when play is over, instead."""
    are_keys_together: bool = True
    """Whether keys are held together, and with a click; otherwise one at a time."""
    controls: Controls | None = field(default=None, compare=False)
    """The inputs that begin anew and are no moves."""
    result: str | None = None
    """A definition that tells how play ended, instead of texts on the screen."""
    ordinary: frozenset[str] = frozenset()
    """Texts that are shown while play goes on, and"""
    gauges: frozenset[Value] = frozenset()
    """the places where numbers and other values are printed then."""
    player: str | None = None
    """The definition that says whose turn it is, and"""
    players: tuple[Value, ...] = ()
    """its values."""
    names: tuple[tuple[str, ...], ...] = ()
    """What each player is called in texts; by the values if there is nothing here."""
    verdicts: tuple[tuple[str, Verdict], ...] = ()
    """What a person said about a text, by its words."""
    names_somebody: bool = True
    """Whether some texts of finished plays say who wins."""
    unsaid: tuple[str, ...] = ()
    """Texts of finished plays that were seen and do not say who wins."""
    told_early: tuple[str, ...] = ()
    """Texts that tell of an end, if none was seen, and"""
    may_end: tuple[str, ...] = ()
    """relations that hold where they are shown, and nowhere else."""
    is_alone: bool = False
    """Whether one player plays, who wins wherever play is over."""
    shown: tuple[str, ...] = ()
    kinds: tuple[str, ...] = (CLICK,)
    readings: tuple[Reading, ...] = ()


@dataclass(slots=True)
class _InputEffects:
    states: dict[Move, State] = field(default_factory=dict)
    faults: dict[Move, Fault] = field(default_factory=dict)
    controls: set[Move] = field(default_factory=set)


class Frames:
    """An LED program that runs frame by frame."""

    def __init__(
        self,
        program: Program,
        rules: PlayRules | None = None,
        evaluator: ProgramEvaluator | None = None,
    ) -> None:
        self.program = program
        self.rules = rules or PlayRules()
        self.evaluator = evaluator or ProgramEvaluator(program)
        names = self.rules.names or tuple((display_name(each),) for each in self.rules.players)
        self.judge = Judge(names, dict(self.rules.verdicts), self.rules.names_somebody)
        self.signature = signature(program, self.rules, self.judge)
        self._written = frozenset(written_texts(program))
        self.layout = Unpackable("only the states of documents with sections can be packed")
        first = self.evaluator.value(INITIAL_STATE)
        self.initial_fault = first if isinstance(first, Erroneous) else None
        self.initial = _state(UNSET if isinstance(first, Erroneous) else first)
        self.inputs = Inputs(
            program,
            self.evaluator,
            grid=self.rules.grid,
            are_keys_together=self.rules.are_keys_together,
            controls=self.rules.controls,
            first=first,
        )
        self._known: dict[State, _InputEffects] = {}

    def legal(self, state: State) -> tuple[Move, ...]:
        """The inputs that have an effect in *state*, one for each; none when it is over."""
        return () if self.is_over(state) else tuple(self._moves(state))

    def after(self, state: State, move: Move) -> State:
        """The state after *move*; ``MoveNotAllowed`` if it is not legal."""
        if self.is_over(state):
            raise MoveNotAllowed(f"{move} is not allowed: the play is over")
        known = self._steps(state).states.get(move)
        if known is not None:
            return known
        turn = self.turn(state, move)
        if turn.after is None:
            reason = turn.fault.message if turn.fault else "it has no effect here"
            raise MoveNotAllowed(f"{move} is not allowed: {reason}")
        return turn.after

    def turn(self, state: State, move: Move) -> Turn:
        answer = None if self.is_over(state) else self.inputs.answer(state.values[0], move)
        if answer is None:
            if move.name not in KINDS:
                raise MoveNotUnderstood(f"{move} is not a move of this system")
            return Turn(state, move, None, has_effect=False)
        if isinstance(answer, Erroneous):
            return Turn(state, move, None, has_effect=False, fault=_fault(answer))
        has_effect = answer != state.values[0]
        return Turn(state, move, _state(answer) if has_effect else None, has_effect)

    def outcome(self, state: State) -> Outcome | None:
        if self.is_over(state):
            return self._ended(state)
        if self._moves(state) or unlisted(self._steps(state).faults) is not None:
            return None
        return Outcome(Ending.STUCK)

    def _ended(self, state: State) -> Outcome:
        result = self.result(state)
        is_text = self.rules.result is None and result is not UNSET
        if not is_text or self.rules.is_alone or len(self.rules.players) < 2:
            return self.judged(result)
        return self.judge.outcome(self.verdict(self.told(state)), result)

    def judged(self, result: Value) -> Outcome:
        """Who wins by *result*, the value of a definition: a player, players, or a text."""
        if self.rules.is_alone or result is UNSET or len(self.rules.players) < 2:
            return self._without_rivals(result)
        members = result if isinstance(result, frozenset) else frozenset({result})
        if members and members <= frozenset(self.rules.players):
            winners = frozenset(map(self.rules.players.index, members))
            return self.judge.outcome(Verdict(winners), result)
        verdict = self.judge.texts((display_name(result),), is_measure=lambda _: False)
        return self.judge.outcome(verdict, result)

    def _without_rivals(self, result: Value) -> Outcome:
        told = None if result is UNSET else result
        if not self.rules.is_alone:
            return Outcome(Ending.OVER, result=told)
        words = set() if told is None else set(text_key(display_name(told)).split())
        if words & LOSES and not words & WINS:
            return Outcome(Ending.LOSS, (), (ALONE,), told)
        return Outcome(Ending.WIN, (ALONE,), (), told)

    def verdict(self, told: Sequence[str]) -> Verdict:
        """What the texts *told*, shown where play is over, say together."""
        return self.judge.texts(told, is_measure=self._is_measure)

    def unsaid(self, told: Sequence[str]) -> tuple[str, ...]:
        """Those of the texts *told* that leave it open who wins; none if others say it."""
        if not self.verdict(told).is_open:
            return ()
        return tuple(text for text in told if self.judge.text(text).is_open) or tuple(told)

    def result(self, state: State) -> Value:
        name = self.rules.result
        if name is not None:
            value = self.value(name, state)
            return UNSET if isinstance(value, Erroneous) else value
        told = self.told(state)
        deciding = [text for text in told if self.judge.text(text).decides]
        return Text(", ".join(deciding or told)) if told else UNSET

    def told(self, state: State) -> tuple[str, ...]:
        """The texts that *state* shows and that are no texts of a play that goes on."""
        found = [
            caption.text.value
            for caption in self._captions(state)
            if not (caption.center in self.rules.gauges and self._is_measure(caption.text.value))
        ]
        return tuple(text for text in dict.fromkeys(found) if text not in self.rules.ordinary)

    def gauges(self, state: State) -> frozenset[Value]:
        """The places where *state* shows a number or another value that is printed."""
        shown = self._captions(state)
        return frozenset(each.center for each in shown if self._is_measure(each.text.value))

    def _is_measure(self, text: str) -> bool:
        """Whether *text* is a value that is printed: texts of the program are written in it."""
        return text not in self._written or text.strip().lstrip("-").isdecimal()

    def is_over(self, state: State) -> bool:
        if self.rules.over is not None:
            return self.value(self.rules.over, state) is TRUE
        if not self.rules.stops or state == self.initial:
            return False
        return self.leads_back(state)

    def leads_back(self, state: State) -> bool:
        steps, first = self._steps(state), self.initial
        return not steps.faults and all(after == first for after in steps.states.values())

    def effects(self, state: State) -> Mapping[Move, State]:
        """The inputs with an effect and what they lead to, also where play is over."""
        return self._steps(state).states

    def _moves(self, state: State) -> Mapping[Move, State]:
        """The inputs with an effect that are moves: those of a player, and no control."""
        steps = self._steps(state)
        if not steps.controls:
            return steps.states
        return {move: at for move, at in steps.states.items() if move not in steps.controls}

    def player(self, state: State) -> Player | None:
        if self.rules.player is None:
            return self.signature.players[0] if len(self.signature.players) == 1 else None
        value = self.value(self.rules.player, state)
        if value not in self.rules.players:
            return None
        return self.signature.players[self.rules.players.index(value)]

    def faults(self, state: State) -> Mapping[Move, Fault]:
        if self.rules.over is not None and self.is_over(state):
            return {}
        return self._steps(state).faults

    def facts(self, state: State) -> tuple[tuple[str, Value | Fault], ...]:
        return tuple((name, _fact(name, self.value(name, state))) for name in self.rules.shown)

    def broken(self, state: State) -> Mapping[int, Fault | None]:  # noqa: ARG002 - no invariants
        return {}

    def value(self, name: str, state: State) -> Value:
        return self.evaluator.value(name, state=state.values[0])

    def texts(self, state: State) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.text.value for each in self._captions(state)))

    def _captions(self, state: State) -> list[Caption]:
        images = self.value(IMAGES, state)
        if not isinstance(images, frozenset | tuple):
            return []
        return [each for each in images if isinstance(each, Caption)]

    def _steps(self, state: State) -> _InputEffects:
        found = self._known.get(state)
        if found is None:
            if len(self._known) >= _CACHED_STATES:
                self._known.clear()
            found = self._known[state] = self._found(state)
        return found

    def _found(self, state: State) -> _InputEffects:
        from zermelo.languages.led.run.regions import TooManyAnswers  # noqa: PLC0415 - needs arrays

        if state.values[0] is UNSET:
            return _InputEffects()
        try:
            steps = sorted(self.inputs.steps(state.values[0]), key=lambda s: s.move.sort_key())
        except TooManyAnswers:
            return _InputEffects(faults={Move(CLICK): TOO_MANY})
        except TooManyKeys:
            return _InputEffects(faults={Move(KEY): TOO_MANY_KEYS})
        found = _InputEffects()
        for step in steps:
            if isinstance(step.value, Erroneous):
                found.faults[step.move] = _fault(step.value)
            elif size(step.value) > MOST_PARTS:
                found.faults[step.move] = _TOO_LARGE
            elif is_deep(step.value):
                found.faults[step.move] = _TOO_DEEP
            else:
                found.states[step.move] = _state(step.value)
                if step.is_control:
                    found.controls.add(step.move)
        return found


def _fact(name: str, value: Value) -> Value | Fault:
    return _fault(value, name) if isinstance(value, Erroneous) else value


def _state(value: Value) -> State:
    return State((value,), (STATE_NAME,), pretty.source)


def _fault(value: Erroneous, name: str = NEW_STATE) -> Fault:
    kind = FaultKind.ENDLESS if value.is_limit else FaultKind.UNDEFINED
    return Fault(kind, ", ".join(explained(value)[:3]), name, span=value.span)


def written_texts(program: Program) -> Iterator[str]:
    """The strings that are written in *program*."""
    for definition in program.definitions:
        for piece in pieces(definition):
            if isinstance(piece, Literal) and isinstance(piece.value, Text):
                yield piece.value.value


def display_name(value: Value) -> str:
    """*value* as a name in a sentence: an atom without its mark.

    >>> display_name(Atom("x"))
    'x'
    """
    return value.name if isinstance(value, Atom) else value_text(value)


def signature(program: Program, rules: PlayRules, judge: Judge) -> Signature:
    players = (ALONE,) if rules.is_alone else tuple(names[0] for names in judge.names)
    return Signature(
        name=program.name,
        variables=(STATE_NAME,),
        moves=tuple(MoveKind(kind, _PARAMETERS[kind]) for kind in rules.kinds),
        players=tuple(map(Player, players)),
        readings=rules.readings,
        interpreter="the LED program itself, frame by frame",
        proviso=" and ".join(
            [
                *[f"with clicks {rules.grid} pixels apart"] * (rules.grid is not None),
                *["with one key at a time"] * (not rules.are_keys_together),
            ]
        ),
        players_help=(
            "`--reading 'players=one player'` makes it a puzzle, and `--reading players=NAME` "
            "names the definition that says whose turn it is; so does a line `players: NAME` below "
            "the line `Reading`, in the program or in a file of its name beside it that ends in "
            "`.reading`"
        ),
        fingerprint=program.fingerprint,
        prose=program.prose,
    )


@dataclass(frozen=True, slots=True)
class _Members:
    """What a parameter of a move takes, the same in every state."""

    text: str
    kind: Type
    takes: Callable[[Value], bool]

    def has(self, value: Value, state: State) -> bool:  # noqa: ARG002 - the same in every state
        return self.takes(value)

    def type(self, state: State) -> Type:  # noqa: ARG002 - as above
        return self.kind

    def words(self, state: State) -> tuple[Atom, ...]:  # noqa: ARG002 - as above
        return ()


def _coordinate(name: str, low: int, high: int) -> MoveParameter:
    def takes(value: Value) -> bool:
        return isinstance(value, int) and low <= value <= high

    return MoveParameter(name, _Members(f"{{{low}..{high}}}", NUMBER, takes))


_X: Final = _coordinate("x", 0, 999)
_Y: Final = _coordinate("y", 1, 800)
_KEY: Final = MoveParameter("key", _Members("∅", UNKNOWN, lambda value: isinstance(value, Text)))
_PARAMETERS: Final[Mapping[str, tuple[MoveParameter, ...]]] = {
    CLICK: (_X, _Y),
    HOVER: (_X, _Y),
    KEY: (_KEY,),
    HOLD: (_KEY, _X, _Y),
    KEY_CLICK: (_KEY, _X, _Y),
    FRAME: (),
}
