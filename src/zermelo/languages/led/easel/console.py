"""An interpreter's session with a program, and the sessions that its document shows.

A line is an expression, ``pp(expression)``, or a command. Answers are to the letter those of
the original interpreter, so that transcripts can be compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

from zermelo.core.prompt import (
    AnswerDifference,
    Exchange,
    Prompt,
    PromptCommand,
    SideBySide,
    Verbatim,
    differences,
    exchanges,
    number_typed,
    shared_command,
)
from zermelo.core.signature import Nouns
from zermelo.core.state import Move
from zermelo.core.values import Value
from zermelo.languages.led import ir
from zermelo.languages.led.easel import script
from zermelo.languages.led.easel.shapes import to_text
from zermelo.languages.led.easel.stage import MOST_STEPS, Stage, StageFrame, missing
from zermelo.languages.led.ir import Program
from zermelo.languages.led.mean import elaborate
from zermelo.languages.led.read import parser
from zermelo.languages.led.read.tree import LiterateProgram, TranscriptEntry
from zermelo.languages.led.run.evaluator import ProgramEvaluator, explained
from zermelo.languages.led.run.inputs import Inputs, TooManyKeys, input_of
from zermelo.languages.led.run.pretty import pp
from zermelo.languages.led.run.values import Erroneous, Text
from zermelo.text import budget, codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.errors import UsageError
from zermelo.text.prose import Line, Tone, line
from zermelo.text.source import NOWHERE, Source

PROMPT: Final = "cmd:>"
NOUNS: Final = Nouns("state", "input")
_WORD: Final = re.compile(r"\w+")

_INPUTS: Final[Mapping[str, str]] = {
    "click X Y": "a frame with a click there",
    "key A": "a frame in which the key is held; so are several, as in `key LEFT UP`",
    "frame [N]": "a frame in which nothing happens, or N of them",
    "move X Y": "the cursor goes there; no frame",
    "hold A": "the key is held from now on; no frame",
    "release A": "the key is not held any more; no frame",
}

Parse = Callable[[str], Checked[ir.Expr]]


class Console:
    """The interaction with one program."""

    prompt = PROMPT
    forms = (
        ("EXPRESSION", "its value, as in `|rows|`; in a game, in the present state"),
        ("pp(EXPRESSION)", "the same"),
    )

    def __init__(
        self,
        program: ir.Program,
        parse: Parse,
        *,
        source: Source | None = None,
        folder: Path | None = None,
        stage: Stage | None = None,
    ) -> None:
        """Answer about *program*, in a game of its own or in the one on *stage*."""
        self.program = program
        self._source = source
        self._parse = parse
        # A question may take longer than a frame.
        self._evaluator = ProgramEvaluator(program)
        self._why_not = missing(program)
        self.stage = stage
        """The game in progress; ``None`` if the program is no game."""
        if self.stage is None and self._why_not is None:
            self.stage = Stage(ProgramEvaluator(program, steps=MOST_STEPS), folder=folder)
        self._steps_back: list[int] = []
        """The frames in which commands began, and"""
        self._steps_forth: list[int] = []
        """those in which commands that were taken back ended."""
        self._erroneous: Erroneous | None = None

    @property
    def commands(self) -> tuple[PromptCommand, ...]:
        why = "why the last value is erroneous, or that of an expression"
        names = "the names that the program defines, with what they depend on"
        ways = (self._steps_back, self._steps_forth)
        return (
            PromptCommand("pps", "pps", "the present state alone", self._state_alone),
            PromptCommand("why", "why [EXPRESSION]", why, self._why),
            shared_command("state", self._state, nouns=NOUNS),
            shared_command("moves", self._moves, nouns=NOUNS),
            *(self._input(usage, summary) for usage, summary in _INPUTS.items()),
            shared_command("undo", partial(self._go, "take back", *ways), nouns=NOUNS),
            shared_command("redo", partial(self._go, "make again", *ways[::-1]), nouns=NOUNS),
            shared_command("restart", self._restart, nouns=NOUNS),
            PromptCommand("images", "images", "what is drawn, in order", self._images),
            PromptCommand("names", "names", names, self._names),
        )

    def _input(self, usage: str, summary: str) -> PromptCommand:
        word = usage.partition(" ")[0]
        return PromptCommand(word, usage, summary, partial(self._play, word))

    def greeting(self, *, invites: bool) -> Iterator[Line]:
        if invites:
            yield line("Type an expression, `pp(expression)`, or `help`.")

    def claims(self, text: str) -> bool:
        word = _WORD.match(text)
        is_defined = word is not None and self.program.definition(word[0]) is not None
        return is_defined or self._parse(text).value is not None

    def completions(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.program.definitions)

    def answer(self, text: str) -> tuple[Verbatim, ...]:
        inner = self._argument(text, "pps") or self._argument(text, "pp")
        return (self._expression(text if inner is None else inner),)

    # Expressions

    def _argument(self, text: str, function: str) -> str | None:
        """The *e* of ``pp(e)``; ``None`` if *text* is something else, or the program's own."""
        if not text.startswith(function) or self.program.definition(function) is not None:
            return None
        rest = text[len(function) :].strip()
        return rest[1:-1] if _is_one_bracket(rest) else None

    def _expression(self, text: str) -> Verbatim:
        checked = self._parse(text)
        if checked.value is None:
            return Verbatim(_complaint(text, checked.diagnostics), Tone.BAD)
        value = self._evaluated(checked.value)
        self._erroneous = value if isinstance(value, Erroneous) else None
        return Verbatim(quoted(value))

    def _evaluated(self, expr: ir.Expr) -> Value:
        stage = self.stage
        if stage is None:
            return self._evaluator.expression(expr)
        return self._evaluator.expression(expr, state=stage.state, input=stage.input)

    def _why(self, text: str) -> Iterator[Verbatim]:
        if text:
            yield self._expression(text)
        if self._erroneous is None:
            yield Verbatim("The last value is not erroneous.")
            return
        value = self._erroneous
        # Without a definition on the way, the place is in what was typed.
        first, *rest = explained(value, self._source if value.trail else None)
        yield Verbatim("\n".join([_sentence(first), *(f"  {each}" for each in rest)]))

    # Playing

    def _game(self) -> Stage:
        if self.stage is None:
            raise UsageError(self._why_not or "")
        return self.stage

    def _moves(self, _: str) -> Iterator[Verbatim | SideBySide]:
        from zermelo.languages.led.run.regions import TooManyAnswers  # noqa: PLC0415 - needs arrays

        state = self._game().state
        inputs = Inputs(self.program, ProgramEvaluator(self.program, steps=MOST_STEPS))
        try:
            found = [typed_input(each.move) for each in inputs.steps(state)]
        except (TooManyAnswers, TooManyKeys):
            raise UsageError("more inputs are told apart here than can be listed") from None
        if not found:
            yield Verbatim("No input has an effect.")
            return
        yield Verbatim(f"{NOUNS.counted_moves(len(found))}:")
        yield SideBySide(tuple(found))

    def _play(self, word: str, rest: str) -> Iterator[Verbatim]:
        stage, text = self._game(), f"{word} {rest}".strip()
        reason = script.complaint(text)
        if reason is not None:
            yield Verbatim(_sentence(reason), Tone.BAD)
            return
        before = stage.present
        frames = list(script.perform(stage, script.parse_line(text)))
        if not frames:
            yield Verbatim(f"The cursor is at {stage.cursor}; no frame was made.")
            return
        self._steps_back.append(before.number)
        self._steps_forth.clear()
        yield Verbatim("\n".join(_told(before, frames)))

    def _go(self, doing: str, there: list[int], here: list[int], text: str) -> Iterator[Verbatim]:
        steps, stage = number_typed(text), self._game()
        if not there:
            yield Verbatim(f"There is nothing to {doing}.", Tone.BAD)
            return
        for _ in range(min(steps, len(there))):
            number = there.pop()
            if number < stage.first:
                yield Verbatim(f"Frame {number} is too long ago to go back to.", Tone.BAD)
                return
            here.append(stage.number)
            stage.go(number)
        yield from self._state("")

    def _restart(self, _: str) -> Iterator[Verbatim]:
        self._game().restart()
        self._steps_back.clear()
        self._steps_forth.clear()
        yield from self._state("")

    def _state(self, _: str) -> Iterator[Verbatim]:
        stage = self._game()
        yield Verbatim(f"frame {stage.number}: {pp(stage.state)}")

    def _state_alone(self, _: str) -> Iterator[Verbatim]:
        yield Verbatim(quoted(self._game().state))

    def _images(self, _: str) -> Iterator[Verbatim]:
        frame = self._game().present
        rows = [f"{at:3} {to_text(shape)}" for at, shape in enumerate(frame.images, 1)]
        rows += [each.message for each in frame.faults]
        yield Verbatim("\n".join(rows) or "Nothing is drawn.")

    # About the program

    def _names(self, _: str) -> Iterator[Verbatim]:
        rows = [(_head(each), self._depends(each.name)) for each in self.program.definitions]
        wide = max((len(head) for head, _ in rows), default=0)
        yield Verbatim(
            "\n".join(f"{head:{wide}}  {depends}".rstrip() for head, depends in rows)
            or "The program defines nothing."
        )

    def _depends(self, name: str) -> str:
        found = self._evaluator.dependence(name)
        parts = ["the state"] * found.on_state + ["the input"] * found.on_input
        return f"depends on {' and '.join(parts)}" if parts else ""


def quoted(value: Value) -> str:
    """*value* as the interpreter answers it.

    >>> quoted((1, 2))
    '"(1, 2)"'
    """
    return f'"{pp(value)}"'


def _head(definition: ir.ProgramDefinition) -> str:
    parameters = ", ".join(definition.parameters)
    return f"{definition.name}({parameters})" if parameters else definition.name


def _told(before: StageFrame, frames: list[StageFrame]) -> Iterator[str]:
    last = frames[-1]
    same = " (as before)" if last.state == before.state else ""
    yield f"frame {last.number}: {pp(last.state)}{same}"
    yield from dict.fromkeys(each.message for frame in frames for each in frame.faults)


def typed_input(move: Move) -> str:
    """How an input is typed; with the cursor somewhere, that takes two lines."""
    given = input_of(move)
    place = " ".join(str(each) for each in move.arguments if isinstance(each, int))
    held = (
        "" if given is None else " ".join(key.value for key in given.keys if isinstance(key, Text))
    )
    match move.name:
        case "hover":
            return f"move {place}, then frame"
        case "hold":
            return f"move {place}, then key {held}"
        case "keyclick":
            return f"hold {held}, then click {place}"
        case _:
            return " ".join(filter(None, [move.name, held, place]))


def _sentence(text: str) -> str:
    end = "" if text.endswith((".", "?")) else "."
    return f"{text[:1].upper()}{text[1:]}{end}"


def _is_one_bracket(text: str) -> bool:
    """Whether *text* is one pair of brackets around everything else.

    >>> _is_one_bracket("(a)"), _is_one_bracket("(a) U (b)"), _is_one_bracket('(")")')
    (True, False, True)
    """
    if not (text.startswith("(") and text.endswith(")")):
        return False
    depth = 0
    is_quoted = False
    for at, sign in enumerate(text):
        if sign == '"':
            is_quoted = not is_quoted
        elif not is_quoted:
            depth += (sign == "(") - (sign == ")")
            if depth == 0:
                return at == len(text) - 1
    return False


def _complaint(text: str, said: Iterable[Diagnostic]) -> str:
    """Why *text* is no expression: the line, and a caret with a sentence below it."""
    first = next(iter(sorted(said, key=lambda each: not each.is_error)), None)
    if first is None:
        return f"`{text}` is not understood."
    if first.primary is None or first.primary.span == NOWHERE:
        return _sentence(first.message)
    column, _ = Source("typed", text).cells(first.primary.span)
    help_ = f"; {first.help}" if first.help else ""
    return f"{text}\n{' ' * column}^ {first.message}{help_}"


MOST_SAID: Final = 10
LONGEST: Final = 120


def typed_expression(program: Program, text: str) -> Checked[ir.Expr]:
    """The expression that *text* writes; places are in *text*, and an error leaves none."""
    source = Source("typed", text)
    found = parser.expression(source).then(lambda tree: elaborate.expression(tree, program, source))
    has_error = any(each.is_error for each in found.diagnostics)
    return Checked(None if has_error else found.value, found.diagnostics)


def shown_differences(
    program: Program, document: LiterateProgram, source: Source, *, folder: Path | None
) -> Iterator[Diagnostic]:
    """Where the program answers something else than its document shows, up to ``MOST_SAID``."""
    shown = _shown(document, source)
    if not shown:
        return
    parse = partial(typed_expression, program)
    prompt = Prompt(Console(program, parse, source=source, folder=folder))

    def ask(typed: str) -> str:
        said = prompt.ask(typed)
        # That no more may be spent is no answer of the program.
        budget.look(budget.ANSWERING)
        return said

    for each in islice(differences(shown, ask), MOST_SAID):
        yield _said(source, each)


def _shown(document: LiterateProgram, source: Source) -> list[Exchange]:
    """What the document shows, with answers as reading it has mended them."""
    shown = exchanges(source.text, PROMPT)
    entries = [part for part in document.parts if isinstance(part, TranscriptEntry)]
    mended = {source.line_of(each.span.start): each.answer for each in entries}
    for at, each in enumerate(shown):
        answer = mended.get(each.line)
        if answer is not None and (each.answer or "").strip().startswith('"'):
            shown[at] = replace(each, answer=f'"{answer}"')
    return shown


def _said(source: Source, difference: AnswerDifference) -> Diagnostic:
    exchange = difference.exchange
    return Diagnostic(
        codes.OTHER_ANSWER,
        f"`{exchange.typed}` answers {_short(difference.answer)}",
        primary=Label(source.line_span(exchange.line), "asked here"),
        notes=(f"the document shows {_short(exchange.answer or '')}",),
        help="correct what it asks for, or the answer; `zermelo repl` asks the same",
    )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
