"""An LED program in plain words: what its state is, what can be done, how play ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from zermelo.core.commentary import (
    Aim,
    Commentary,
    Goal,
    TypedExpression,
    facts_line,
    readings_lines,
)
from zermelo.core.machine import Ending, Fault, FaultKind, Outcome, Turn
from zermelo.core.picture import Picture, Sketch, sketched
from zermelo.core.state import Move, State
from zermelo.core.values import Value, in_order
from zermelo.languages.led.easel.canvas import canvas
from zermelo.languages.led.easel.console import typed_expression
from zermelo.languages.led.easel.drawing import picture
from zermelo.languages.led.easel.pictures import Folder
from zermelo.languages.led.easel.shapes import Shape
from zermelo.languages.led.ir import Global, Program, ProgramDefinition
from zermelo.languages.led.run.analysis import pieces
from zermelo.languages.led.run.evaluator import ProgramEvaluator, explained
from zermelo.languages.led.run.frames import IMAGES, Frames, written_texts
from zermelo.languages.led.run.inputs import (
    CLICK,
    FRAME,
    HOLD,
    HOVER,
    KEY,
    KEY_CLICK,
    NEW_STATE,
    joined_keys,
    keys_in,
)
from zermelo.languages.led.run.pretty import source
from zermelo.languages.led.run.values import Arranged, Erroneous, Text
from zermelo.text.diagnostic import Checked
from zermelo.text.errors import DocumentNotUsable
from zermelo.text.prose import BLANK, Line, Piece, Tone, count, heading, line, listing, tied

MOST_LISTED = 12
MOST_SHOWN = 300

MOST_STEPS = 3_000_000

_KINDS = {
    CLICK: "a click somewhere",
    FRAME: "a frame in which nothing is done",
    HOVER: "the mouse somewhere, without a click",
    KEY: "a key that is held",
    HOLD: "a key that is held while the mouse is somewhere",
    KEY_CLICK: "a click somewhere while a key is held",
}


class ProgramCommentary(Commentary):
    """The words of LED programs."""

    def __init__(self, program: Program, frames: Frames | None, folder: Path | None = None) -> None:
        self._program = program
        self._frames = frames
        self._folder = Folder(folder)

    @property
    def machine(self) -> Frames:
        if self._frames is None:
            raise DocumentNotUsable(f"{self._program.name} is no game")
        return self._frames

    def read_move(self, text: str, state: State) -> Move | None:  # noqa: ARG002 - in any state
        """Keys of the program, as ``LEFT+UP``: those of a control are typed, too."""
        word = text.strip()
        held = word[len(KEY) :].strip() if word.casefold().startswith(f"{KEY} ") else word
        keys = keys_in(held.upper())
        known = {Text(key) for key in self.machine.inputs.keys}
        if not keys or not keys <= known or joined_keys(keys) != held.upper():
            return None
        return Move(KEY, (Text(joined_keys(Arranged(in_order(keys)))),))

    def expression(self, text: str) -> Checked[TypedExpression]:
        typed = typed_expression(self._program, text)
        expr = typed.value
        if expr is None:
            return Checked(None, typed.diagnostics)

        def value(state: State) -> Value | Fault:
            found = self.machine.evaluator.expression(expr, state=state.values[0])
            if isinstance(found, Erroneous):
                return Fault(FaultKind.UNDEFINED, ", ".join(explained(found)[:2]), text)
            return found

        return Checked(TypedExpression(text, value), typed.diagnostics)

    def picture(self, state: State, *, last: Turn | None = None) -> Picture:
        """What the program draws of *state*; the state itself where it draws nothing."""
        before = None if last is None else self._drawn(last.before)
        drawn = canvas(self._drawn(state), before=before)
        return super().picture(state) if drawn is None else Picture(canvas=drawn)

    def _drawn(self, state: State) -> tuple[Shape, ...]:
        images = self.machine.value(IMAGES, state)
        return picture(images, self._program, folder=self._folder).shapes

    def sketch(self, state: State) -> Sketch:
        return sketched(super().picture(state), told=())

    def explain(self) -> tuple[Line, ...]:
        if self._frames is None:
            return explain_answers(self._program)
        return explain_program(self._frames)

    def aim(self) -> Aim:
        return Aim() if self._frames is None else aim(self._frames)

    def preface(self) -> tuple[Line, ...]:
        facts = facts_line(self.machine.rules.shown)
        return () if facts is None else (facts,)

    def unplayed(self) -> tuple[Line, ...]:
        return tuple(constants_lines(self._program))


def aim(machine: Frames) -> Aim:
    """How one wins: by which texts that the program shows, or by what a definition gives."""
    rules, conditions = machine.rules, dict[tuple[Ending, tuple[str, ...]], list[str]]()
    if len(rules.players) < 2:
        return Aim()
    told: list[tuple[Outcome, str]] = []
    if rules.result is not None:
        named = [(each, f"{rules.result} = {source(each)}") for each in rules.players]
        told = [(machine.judged(each), when) for each, when in named]
    else:
        texts = dict.fromkeys(written_texts(machine.program))
        shown = [each for each in texts if each not in rules.ordinary]
        decided = [(each, machine.verdict((each,))) for each in shown]
        told = [
            (machine.judge.outcome(verdict, Text(each)), f"“{each}” is shown")
            for each, verdict in decided
            if verdict.decides
        ]
    for outcome, when in told:
        if outcome.ending not in {Ending.WIN, Ending.LOSS, Ending.DRAW}:
            continue
        players = outcome.winners if outcome.ending is Ending.WIN else outcome.losers
        conditions.setdefault((outcome.ending, players), []).append(when)
    over = "" if rules.over is None else rules.over
    return Aim(tuple(Goal(*end, tuple(when)) for end, when in conditions.items()), over)


def _told(text: str) -> Line:
    return line(text, indent=2, hang=2)


def explain_program(machine: Frames) -> tuple[Line, ...]:
    found: list[Line] = []
    for part in (_title(machine), _state(machine), _inputs(machine), _end(machine)):
        found += [*part, BLANK]
    return (*found, *readings_lines(machine.signature))


def explain_answers(program: Program) -> tuple[Line, ...]:
    """*program*, which is no game, in plain words: what it defines, and what its constants are."""
    constants = [each for each in program.definitions if not each.parameters]
    functions = [each for each in program.definitions if each.parameters]
    found = [
        line(Piece(program.name, Tone.HEADING), " in plain words"),
        _told(
            f"An LED program of {_number_of(program)} that answers questions: `zermelo repl` "
            "asks them."
        ),
    ]
    if constants:
        evaluator = ProgramEvaluator(program, steps=MOST_STEPS)
        found += [BLANK, heading("Constants")]
        found += [_constant(each.name, evaluator.value(each.name)) for each in constants]
    if functions:
        found += [BLANK, heading("Functions and relations")]
        found += [_function(each) for each in functions]
    return tuple(found)


def constants_lines(program: Program) -> Iterator[Line]:
    constants = [each.name for each in program.definitions if not each.parameters]
    evaluator = ProgramEvaluator(program, steps=MOST_STEPS)
    values = [(name, evaluator.value(name)) for name in constants]
    erroneous = [(name, value) for name, value in values if isinstance(value, Erroneous)]
    yield heading("What asking shows")
    yield line("This program is no game; `zermelo repl` asks it.", indent=2)
    if values:
        have = len(values) - len(erroneous)
        all_have = f"{have or 'none'} of them" if erroneous else "each"
        yield _told(f"{count(len(values), 'constant')}, {all_have} with a value.")
    for name, value in erroneous[:MOST_LISTED]:
        yield _constant(name, value)
    if len(erroneous) > MOST_LISTED:
        yield line(f"and {len(erroneous) - MOST_LISTED} more without a value.", indent=2)


def _constant(name: str, value: Value) -> Line:
    if isinstance(value, Erroneous):
        told = f" has no value: {value.reason}."
    else:
        shown = source(value)
        told = f" = {shown if len(shown) <= MOST_SHOWN else f'{shown[: MOST_SHOWN - 1]}…'}"
    return line(Piece(name, Tone.STRONG), told, indent=2, hang=4)


def _function(definition: ProgramDefinition) -> Line:
    head = f"{definition.name}({', '.join(definition.parameters)})"
    used = dict.fromkeys(p.name for p in pieces(definition) if isinstance(p, Global))
    uses = [name for name in used if name != definition.name]
    if definition.name in used:
        uses.append("itself")
    told = [*["a relation"] * definition.is_relation, *[f"uses {listing(uses)}"] * bool(uses)]
    more = f": {'; '.join(told)}" if told else ""
    return line(Piece(head, Tone.STRONG), more, indent=2, hang=4)


def _number_of(program: Program) -> str:
    relations = sum(each.is_relation for each in program.definitions)
    whole = count(len(program.definitions), "definition")
    if not relations:
        return whole
    return f"{whole}, {relations} of them {'a relation' if relations == 1 else 'relations'},"


def _title(machine: Frames) -> Iterator[Line]:
    yield line(Piece(machine.signature.name, Tone.HEADING), " in plain words")
    yield _told(f"An LED program of {_number_of(machine.program)} that runs as a game.")


def _state(machine: Frames) -> Iterator[Line]:
    yield heading("The state")
    first = machine.initial
    yield line(f"At first {first}.", indent=2, hang=4)
    for name in machine.rules.shown:
        value = first.show(machine.value(name, first))
        told = f" is computed from it; at first {value}."
        yield line(Piece(name, Tone.STRONG), told, indent=2, hang=4)
    if machine.program.definition(IMAGES) is not None:
        texts = machine.texts(first)
        told = f", with the texts {listing([f'“{text}”' for text in texts])}" if texts else ""
        yield line(f"`{IMAGES}` draws it{told}.", indent=2, hang=4)


def _inputs(machine: Frames) -> Iterator[Line]:
    yield heading("What can be done")
    kinds = listing([_KINDS[kind] for kind in machine.rules.kinds], last="or")
    yield _told(
        f"A move is an input: {kinds}. It counts if `{NEW_STATE}` then gives another state."
    )
    moves = machine.legal(machine.initial)
    shown = [tied(str(move)) for move in moves[:MOST_LISTED]]
    rest = len(moves) - len(shown)
    more = f" and {rest} more" if rest else ""
    yield _told(
        f"In the first state {count(len(moves), 'input')} "
        f"{'has' if len(moves) == 1 else 'have'} an effect: "
        f"{', '.join(shown) or 'none'}{more}."
    )
    if CLICK in machine.rules.kinds and machine.rules.grid is None:
        yield _told(
            "Each click stands for a region of the screen in which every point does the same."
        )


def _end(machine: Frames) -> Iterator[Line]:
    rules = machine.rules
    yield heading("How a play ends")
    if rules.over is not None:
        yield line(f"Play is over where `{rules.over}` holds.", indent=2)
    elif rules.stops:
        yield _told("Play is over where nothing can be done, or nothing but begin anew.")
    else:
        yield line("Play goes on for ever.", indent=2)
    if rules.player is not None:
        names = listing([player.name for player in machine.signature.players])
        says = "texts that no other state shows" if rules.result is None else f"`{rules.result}`"
        yield _told(
            f"The players are {names}; `{rules.player}` says whose turn it is. Who wins is said "
            f"by {says}."
        )
