"""The stage of a program as pages and lists of inputs use it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from zermelo.core import stage as core
from zermelo.core.values import Value
from zermelo.languages.led.easel import script
from zermelo.languages.led.easel.shapes import Shape, as_json
from zermelo.languages.led.easel.stage import MOST_STEPS, Stage, missing
from zermelo.languages.led.ir import Program
from zermelo.languages.led.run.evaluator import ProgramEvaluator
from zermelo.languages.led.run.pretty import pp
from zermelo.text.diagnostic import Json
from zermelo.text.errors import UsageError


def window(program: Program, folder: Path | None) -> Window:
    """What runs *program* in a window, with pictures from *folder*; a sentence if nothing can."""
    lacking = missing(program)
    if lacking is not None:
        raise UsageError(lacking)
    return Window(ProgramEvaluator(program, steps=MOST_STEPS), folder=folder)


class Window(Stage):
    """A stage, and what it looks like from outside."""

    @property
    def name(self) -> str:
        return self.program.name

    def state_text(self, state: Value) -> str:
        return pp(state)

    def drawing(self, frame: core.StageFrame) -> list[Json]:
        return [as_json(shape) for shape in _shapes(frame)]

    def input_json(self) -> dict[str, Json]:
        told = self.input
        return {
            "clicked": told.clicked,
            "x": pp(told.x),
            "y": pp(told.y),
            "keys": pp(told.keys),
        }

    def pictures(self, frame: core.StageFrame) -> Mapping[str, bytes]:
        # The letters of pictures are heavy.
        from zermelo.languages.led.easel.png import to_png  # noqa: PLC0415
        from zermelo.languages.led.easel.svg import to_svg  # noqa: PLC0415

        remarks = [each.message for each in frame.faults]
        shapes = _shapes(frame)
        svg = to_svg(shapes, remarks=remarks, folder=self.folder)
        return {
            ".svg": svg.encode(),
            ".png": to_png(shapes, remarks=remarks, folder=self.folder),
        }

    def complaints(self, text: str) -> tuple[str, ...]:
        return script.parse(text).complaints

    def play_script(self, text: str) -> Iterator[core.ScriptStep]:
        for played in script.play(self, script.parse(text)):
            line = played.line
            action = None if line is None else line.action
            yield core.ScriptStep(
                line=None if line is None else line.number,
                text=None if line is None else line.text,
                frames=played.frames,
                sounds=played.sounds,
                snapshot=action.name if isinstance(action, script.Snapshot) else None,
            )


def _shapes(frame: core.StageFrame) -> tuple[Shape, ...]:
    return tuple(each for each in frame.images if isinstance(each, Shape))
