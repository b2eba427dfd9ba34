"""The stage of a program as pages and lists of inputs use it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from typing import Final

from zermelo.core import stage as core
from zermelo.core.values import Value
from zermelo.languages.led import ir
from zermelo.languages.led.easel import script
from zermelo.languages.led.easel.console import Console, typed_expression, typed_input
from zermelo.languages.led.easel.shapes import Shape, as_json
from zermelo.languages.led.easel.stage import Stage
from zermelo.languages.led.run.built_ins import GAME_NAMES, Image
from zermelo.languages.led.run.evaluator import ProgramEvaluator, explained
from zermelo.languages.led.run.inputs import Inputs, InputStep, TooManyKeys, input_of
from zermelo.languages.led.run.pretty import pp, source
from zermelo.languages.led.run.values import Erroneous, Text
from zermelo.text.diagnostic import Checked, Json
from zermelo.text.errors import UsageError

MOST_EDGES: Final = 4_000
"""Straight pieces of the border of one region; with more of them it is not outlined."""
_MOST_WATCHED: Final = 100


class Window(Stage):
    """A stage, and what it looks like from outside."""

    _typed: dict[str, Checked[ir.Expr]] | None = None

    @property
    def name(self) -> str:
        return self.program.name

    def state_text(self, state: Value) -> str:
        return pp(state)

    def state_source(self, state: Value) -> str:
        return source(state)

    def read_state(self, text: str) -> Value | None:
        typed = typed_expression(self.program, text)
        if typed.value is None:
            return None
        value = self.evaluator.expression(typed.value)
        return None if isinstance(value, Erroneous) else value

    # What the program says of the present frame

    def watchable(self) -> tuple[str, ...]:
        return tuple(
            each.name
            for each in self.program.definitions
            if not each.parameters
            and each.name not in GAME_NAMES
            and self.evaluator.dependence(each.name).on_state
            and not self._is_drawn(each.name)
        )

    def _is_drawn(self, name: str) -> bool:
        """Whether *name* is an image, or images, which the canvas shows better than words do."""
        value = self.evaluator.value(name, state=self.state, input=self.input)
        members = value if isinstance(value, frozenset | tuple) else (value,)
        return any(isinstance(each, Image) for each in members)

    def watched(self, text: str) -> str:
        if self._typed is None or len(self._typed) > _MOST_WATCHED:
            self._typed = {}
        typed = self._typed.get(text)
        if typed is None:
            typed = self._typed[text] = typed_expression(self.program, text)
        if typed.value is None:
            return "; ".join(each.message for each in typed.diagnostics)
        value = self.evaluator.expression(typed.value, state=self.state, input=self.input)
        return ", ".join(explained(value)[:2]) if isinstance(value, Erroneous) else pp(value)

    def interaction(self) -> Console:
        return Console(self.program, partial(typed_expression, self.program), stage=self)

    @cached_property
    def _told_apart(self) -> Inputs:
        # Regions are found with a mouse whose place is not known, which the frames are not told.
        return Inputs(self.program, ProgramEvaluator(self.program))

    def outlined(self) -> tuple[core.Outlined, ...]:
        from zermelo.languages.led.run.regions import (  # noqa: PLC0415 - needs arrays
            TooManyAnswers,
            edges,
        )

        found = []
        try:
            for step, area in self._told_apart.placed(self.state):
                if isinstance(step.value, Erroneous):
                    continue
                border = () if area is None else edges(area)
                border = border if len(border) <= MOST_EDGES else ()
                found.append(core.Outlined(str(step.move), typed_input(step.move), border))
        except (TooManyAnswers, TooManyKeys):
            raise UsageError("more inputs are told apart here than can be outlined") from None
        return tuple(found)

    def make(self, move: str) -> bool:
        try:
            found = next((e for e in self._steps() if str(e.move) == move), None)
        except UsageError:
            return False
        given = None if found is None else input_of(found.move)
        if given is None or not isinstance(given.x, int) or not isinstance(given.y, int):
            return False
        for key in given.keys:
            if isinstance(key, Text):
                self.press(key.value)
                self.release(key.value)
        if given.clicked:
            self.click(given.x, given.y)
        elif (given.x, given.y) != (0, 0):
            self.move(given.x, given.y)
        return True

    def _steps(self) -> list[InputStep]:
        from zermelo.languages.led.run.regions import TooManyAnswers  # noqa: PLC0415 - as above

        try:
            return list(self._told_apart.steps(self.state))
        except (TooManyAnswers, TooManyKeys):
            raise UsageError("more inputs are told apart here than can be listed") from None

    def drawing(self, frame: core.StageFrame) -> list[Json]:
        return [as_json(shape) for shape in _shapes(frame)]

    def input_json(self) -> dict[str, Json]:
        told = self.input
        parts = {"x": pp(told.x), "y": pp(told.y), "keys": pp(told.keys)}
        return {"clicked": told.clicked, **parts}

    def pictures(self, frame: core.StageFrame) -> Mapping[str, bytes]:
        # The letters of pictures are heavy.
        from zermelo.languages.led.easel.png import to_png  # noqa: PLC0415
        from zermelo.languages.led.easel.svg import to_svg  # noqa: PLC0415

        shapes, remarks = _shapes(frame), [each.message for each in frame.faults]
        svg = to_svg(shapes, remarks=remarks, folder=self.folder)
        png = to_png(shapes, remarks=remarks, folder=self.folder)
        return {".svg": svg.encode(), ".png": png}

    def complaints(self, text: str) -> tuple[str, ...]:
        return script.parse(text).complaints

    def play_script(self, text: str) -> Iterator[core.ScriptStep]:
        return script.play(self, script.parse(text))


def _shapes(frame: core.StageFrame) -> tuple[Shape, ...]:
    return tuple(each for each in frame.images if isinstance(each, Shape))
