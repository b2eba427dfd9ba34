"""An interpreter's session with a program: expressions are answered, games are played.

A line is an expression, ``pp(expression)``, a question ``why``, or a command that begins
with a colon. Answers are texts; whoever shows them decides how.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from zermelo.core.values import Value
from zermelo.languages.led import ir
from zermelo.languages.led.easel import script
from zermelo.languages.led.easel.shapes import to_text
from zermelo.languages.led.easel.stage import MOST_STEPS, Stage, StageFrame, missing
from zermelo.languages.led.run.evaluator import ProgramEvaluator, explained
from zermelo.languages.led.run.pretty import pp
from zermelo.languages.led.run.values import Erroneous
from zermelo.text.diagnostic import Checked, Diagnostic
from zermelo.text.source import NOWHERE, Source
from zermelo.text.suggest import nearest

HELP: Final[Mapping[str, str]] = {
    "EXPRESSION": "its value, as in `|rows|`; in a game, in the present state",
    "pp(EXPRESSION)": "the same",
    "pps": "the present state",
    "why": "why the last value is erroneous",
    ":state": "the present state, and the number of its frame",
    ":click X Y": "a frame with a click there",
    ":key A": "a frame in which the key is held; so are several, as in `:key LEFT UP`",
    ":frame [N]": "a frame in which nothing happens, or N of them",
    ":move X Y": "the cursor goes there; no frame",
    ":undo": "back to where the last of these commands began",
    ":restart": "back to the first state",
    ":images": "what is drawn, in order",
    ":names": "the names that the program defines, with what they depend on",
    ":help": "this list",
    ":quit": "leave",
}

_PLAYING: Final = ("click", "key", "frame", "move", "hold", "release")
_LEAVING: Final = ("quit", "q", "exit")

Parse = Callable[[str], Checked[ir.Expr]]


@dataclass(frozen=True, slots=True)
class ConsoleAnswer:
    """What is said to a line."""

    text: str
    is_good: bool = True
    """Whether the line was understood."""


class Console:
    """A session with one program."""

    def __init__(
        self,
        program: ir.Program,
        parse: Parse,
        *,
        source: Source | None = None,
        folder: Path | None = None,
    ) -> None:
        self.program = program
        self._source = source
        self._parse = parse
        # A question may take longer than a frame.
        self._evaluator = ProgramEvaluator(program)
        self._why_not = missing(program)
        self._stage = None
        if self._why_not is None:
            self._stage = Stage(ProgramEvaluator(program, steps=MOST_STEPS), folder=folder)
        self._steps_back: list[int] = []
        self._erroneous: Erroneous | None = None
        self._commands: dict[str, Callable[[], ConsoleAnswer]] = {
            "state": self._state,
            "undo": self._undo,
            "restart": self._restart,
            "images": self._images,
            "names": self._names,
            "help": _help,
            "why": self._why,
        }

    @property
    def stage(self) -> Stage | None:
        """The game in progress; ``None`` if the program is no game."""
        return self._stage

    @staticmethod
    def leaves(line: str) -> bool:
        return line.startswith(":") and line[1:].strip() in _LEAVING

    def answer(self, line: str) -> ConsoleAnswer:
        text = line.strip()
        if text.startswith(":"):
            return self._command(text[1:].strip())
        if text in {"why", "pps"} and self.program.definition(text) is None:
            return self._why() if text == "why" else self._state_alone()
        inner = self._argument(text, "pps") or self._argument(text, "pp")
        return self._expression(text if inner is None else inner)

    def ask(self, line: str) -> str:
        return self.answer(line).text

    # Expressions

    def _argument(self, text: str, function: str) -> str | None:
        """The *e* of ``pp(e)``; ``None`` if *text* is something else, or the program's own."""
        if not text.startswith(function) or self.program.definition(function) is not None:
            return None
        rest = text[len(function) :].strip()
        return rest[1:-1] if _is_one_bracket(rest) else None

    def _expression(self, text: str) -> ConsoleAnswer:
        checked = self._parse(text)
        if checked.value is None:
            return ConsoleAnswer(_complaint(text, checked.diagnostics), is_good=False)
        value = self._evaluated(checked.value)
        self._erroneous = value if isinstance(value, Erroneous) else None
        return ConsoleAnswer(quoted(value))

    def _evaluated(self, expr: ir.Expr) -> Value:
        if self._stage is None:
            return self._evaluator.expression(expr)
        stage = self._stage
        return self._evaluator.expression(expr, state=stage.state, input=stage.input)

    def _why(self) -> ConsoleAnswer:
        if self._erroneous is None:
            return ConsoleAnswer("The last value is not erroneous.")
        value = self._erroneous
        # Without a definition on the way, the place is in what was typed.
        first, *rest = explained(value, self._source if value.trail else None)
        return ConsoleAnswer("\n".join([_sentence(first), *(f"  {each}" for each in rest)]))

    # Playing

    def _command(self, text: str) -> ConsoleAnswer:
        word = text.split(maxsplit=1)[0] if text else ""
        if word in _PLAYING:
            return self._play(text)
        command = self._commands.get(text)
        if command is not None:
            return command()
        near = nearest(word, (*_PLAYING, *self._commands, "quit"))
        hint = f"did you mean `:{near[0]}`?" if near else "see `:help`"
        return ConsoleAnswer(f"There is no command `:{text}`; {hint}", is_good=False)

    def _play(self, text: str) -> ConsoleAnswer:
        if self._stage is None:
            return self._no_game()
        reason = script.complaint(text)
        if reason is not None:
            return ConsoleAnswer(f"{_sentence(reason)}", is_good=False)
        before = self._stage.present
        frames = list(script.perform(self._stage, script.parse_line(text)))
        if not frames:
            return ConsoleAnswer(f"The cursor is at {_cursor(self._stage)}; no frame was made.")
        self._steps_back.append(before.number)
        return ConsoleAnswer("\n".join(_told(before, frames)))

    def _undo(self) -> ConsoleAnswer:
        if self._stage is None:
            return self._no_game()
        if not self._steps_back:
            return ConsoleAnswer("There is nothing to undo.", is_good=False)
        number = self._steps_back.pop()
        if number < self._stage.first:
            return ConsoleAnswer(f"Frame {number} is too long ago to go back to.", is_good=False)
        self._stage.go(number)
        return self._state()

    def _restart(self) -> ConsoleAnswer:
        if self._stage is None:
            return self._no_game()
        self._stage.restart()
        self._steps_back.clear()
        return self._state()

    def _state(self) -> ConsoleAnswer:
        if self._stage is None:
            return self._no_game()
        return ConsoleAnswer(f"frame {self._stage.number}: {pp(self._stage.state)}")

    def _state_alone(self) -> ConsoleAnswer:
        return self._no_game() if self._stage is None else ConsoleAnswer(quoted(self._stage.state))

    def _images(self) -> ConsoleAnswer:
        if self._stage is None:
            return self._no_game()
        frame = self._stage.present
        rows = [f"{at:3} {to_text(shape)}" for at, shape in enumerate(frame.images, 1)]
        rows += [each.message for each in frame.faults]
        return ConsoleAnswer("\n".join(rows) or "Nothing is drawn.")

    def _no_game(self) -> ConsoleAnswer:
        return ConsoleAnswer(f"{self._why_not}.", is_good=False)

    # About the program

    def _names(self) -> ConsoleAnswer:
        rows = [(_head(each), self._depends(each.name)) for each in self.program.definitions]
        wide = max((len(head) for head, _ in rows), default=0)
        return ConsoleAnswer(
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
    """What happened in *frames*, in few lines."""
    last = frames[-1]
    same = " (as before)" if last.state == before.state else ""
    yield f"frame {last.number}: {pp(last.state)}{same}"
    said = dict.fromkeys(each.message for frame in frames for each in frame.faults)
    yield from said


def _cursor(stage: Stage) -> str:
    return "({}, {})".format(*stage.cursor)


def _help() -> ConsoleAnswer:
    wide = max(map(len, HELP))
    return ConsoleAnswer("\n".join(f"{usage:{wide}}  {text}" for usage, text in HELP.items()))


def _sentence(text: str) -> str:
    """*text* with a capital letter and a full stop."""
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


# Transcripts: what was typed, what was answered, and whether it still is

PROMPT: Final = "cmd:>"

# What stands between the lines of a session and belongs to none: rules, fences, timings.
_BETWEEN: Final = re.compile(r"\s*|[-=_*~ ]{3,}|```.*|LED engine took.*")


@dataclass(frozen=True, slots=True)
class Exchange:
    """A line that was typed, and the answer to it."""

    line: int
    """The number of the line, from 1."""
    typed: str
    answer: str | None
    """``None`` if the transcript does not show one."""


@dataclass(frozen=True, slots=True)
class AnswerDifference:
    """An answer that is not the one in the transcript."""

    exchange: Exchange
    answer: str


def exchanges(text: str) -> list[Exchange]:
    r"""What was typed and answered in *text*; everything else is passed over.

    >>> exchanges('Tests\n-----\ncmd:>pp(a)\n"1"\n\nLED engine took: 43 secs.\n')
    [Exchange(line=3, typed='pp(a)', answer='"1"')]
    """
    found: list[Exchange] = []
    rows = text.splitlines()
    at = 0
    while at < len(rows):
        row = rows[at].strip()
        at += 1
        if not row.startswith(PROMPT):
            continue
        start = at
        while at < len(rows) and not _is_end(rows[at]):
            at += 1
        answer = "\n".join(each.rstrip() for each in rows[start:at])
        found.append(Exchange(start, row.removeprefix(PROMPT).strip(), answer or None))
    return found


def _is_end(row: str) -> bool:
    return row.strip().startswith(PROMPT) or _BETWEEN.fullmatch(row) is not None


def differences(
    session: Iterable[Exchange], answer: Callable[[str], str]
) -> Iterator[AnswerDifference]:
    """Where *answer* says something else than *session*, one after the other."""
    for exchange in session:
        said = answer(exchange.typed)
        if exchange.answer is not None and said != exchange.answer.strip():
            yield AnswerDifference(exchange, said)
